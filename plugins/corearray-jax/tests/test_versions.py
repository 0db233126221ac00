"""What versions of JAX do differently; that each has one implementation of a function is checked by the kit."""

from __future__ import annotations

import jax
from corearray_jax import complexes
from jax import numpy as jnp

from corearray.plugin import matches


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
