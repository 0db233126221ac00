"""Members of JAX's namespace that are no rules: classes, dtypes, settings, transforms, and functions in JAX's own words."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

import corearray as ca
from corearray.frontend.jax.configuration import config, option_set
from corearray.frontend.jax.scalar_types import ABSTRACT, scalar_types
from corearray.frontend.jax.shapes import ShapeDtypeStruct
from corearray.frontend.jax.wrapper import Array

__all__ = ["members"]

#: Modules of functions in JAX's own words; `FUNCTIONS` maps their paths below `jax` to them.
_MODULES = (
    "activations bridged callbacks creation custom_derivatives derivatives dtypes gridding images initializers lax_arrays "
    "lax_blocks lax_control_flow lax_elementwise lax_facts lax_linalg lax_products lax_ragged lax_random lax_slices "
    "lax_windows mapping programs random_counts random_distributions random_numbers scipy_distributions scipy_factors "
    "scipy_density scipy_linalg scipy_matrices scipy_numeric scipy_optimize scipy_signal scipy_sparse scipy_spectra "
    "scipy_stats segments special_functions special_integrals tree updating windows"
).split()

_CONSTANTS = {"pi": ca.pi, "e": ca.e, "inf": ca.inf, "nan": ca.nan, "newaxis": None, "euler_gamma": 0.5772156649015329}


def members(frontend: Any) -> Mapping[str, Any]:
    """Return the members of one frontend."""
    from corearray.frontend.frontend import Namespace, get_frontend

    numpy = get_frontend("numpy")
    found: dict[str, Any] = {
        "Array": Array, "ShapeDtypeStruct": ShapeDtypeStruct, "config": config, "__version__": frontend.version,
        "enable_x64": lambda new_val=True: option_set("jax_enable_x64", new_val),
        "disable_jit": lambda disable=True: option_set("jax_disable_jit", disable),
        "numpy_dtype_promotion": lambda new_val: option_set("jax_numpy_dtype_promotion", new_val),
        "numpy_rank_promotion": lambda new_val: option_set("jax_numpy_rank_promotion", new_val),
        "experimental.enable_x64": lambda new_val=True: option_set("jax_enable_x64", new_val),
        "experimental.disable_x64": lambda: option_set("jax_enable_x64", False),
        "numpy.ndarray": Array, "numpy.dtype": numpy.dtype, "version.__version__": frontend.version,
    }  # fmt: skip
    found |= {f"numpy.{name}": value for name, value in _CONSTANTS.items()}
    found |= {f"numpy.{name}": value for name, value in scalar_types().items()}
    found |= {f"numpy.{name}": getattr(numpy, name) for name in ABSTRACT}
    for name in ("set_printoptions", "get_printoptions", "printoptions", "ComplexWarning"):
        found[f"numpy.{name}"] = getattr(numpy if name != "ComplexWarning" else numpy.exceptions, name)
    for path in ("numpy.linalg", "numpy.fft"):
        found[path] = Namespace(frontend, f"jax.{path}")
    for name in _MODULES:
        found |= import_module(f"corearray.frontend.jax.members_of.{name}").FUNCTIONS
    return found
