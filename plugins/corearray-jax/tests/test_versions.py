"""Every JAX in the plugin's range has one implementation of a function, and the right one is bound."""

from __future__ import annotations

import importlib

import jax
import pytest
from corearray_jax import complexes, exponential, info
from jax import numpy as jnp

import corearray as ca
from corearray.declaration import DECLARATIONS
from corearray.plugin import matches

MODULES = [importlib.import_module(name) for name in info.modules]


def offered(version: str) -> list[str]:
    """Return the names of the hooks that are implemented for a version of JAX."""
    found = []
    for module in MODULES:
        for function in vars(module).values():
            options = getattr(function, "corearray_options", None)
            if options is not None and function.__module__ == module.__name__ and matches(version, options.versions):
                found.append(function.corearray_impl["specname"] or function.__name__)
    return found


@pytest.mark.parametrize("version", ["0.4.36", "0.4.38", "0.5.0", "0.9.2", "0.10.2", "1.0.0"])
def test_one_implementation_for_each_version(version):
    found = offered(version)
    assert len(found) == len(set(found))
    primary = {name for name, declaration in DECLARATIONS.items() if not declaration.compositional}
    assert primary <= set(found)


def test_the_variant_for_the_installed_version_is_bound():
    newer = matches(jax.__version__, ">=0.5")
    wanted = exponential.sqrt if newer else exponential.sqrt_v_0p4_and_below
    assert ca.get_backend("jax").binding("sqrt").implementation.function is wanted


def test_both_variants_of_the_square_root_agree_where_both_are_right():
    """XLA's own square root is used from JAX 0.5 on; before, it lost the real part beside the negative axis."""
    x = jnp.asarray([1 + 2j, -3 + 4j, 0.5 - 3e-4j, -2 - 1e-3j, 0, 4e30 + 1j, 1e-30j])
    one, two = complexes.sqrt(x), complexes.sqrt_from_parts(x)
    assert jnp.allclose(two**2, x, rtol=1e-14, atol=0)
    if matches(jax.__version__, ">=0.5"):
        assert jnp.allclose(one, two, rtol=1e-14, atol=0)
        assert complexes.sqrt(jnp.asarray(-1 + 0j)) == 1j
    else:
        assert complexes.sqrt(jnp.asarray(-1 + 0j)) != 1j
    assert complexes.sqrt_from_parts(jnp.asarray(-1 + 0j)) == 1j
