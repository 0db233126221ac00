"""Functions of `jax.numpy` that compute what NumPy's do, in JAX's dtypes, without weak types."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import corearray as ca
from corearray.errors import CoreArrayTypeError
from corearray.frontend.jax.promotion import as_dtype, canonicalized
from corearray.frontend.jax.wrapper import Array, converted, is_arraylike

__all__ = ["FUNCTIONS"]

#: The names, which NumPy's frontend has too.
_NAMES = (
    "array_equal array_equiv apply_along_axis apply_over_axes broadcast_shapes diag_indices "
    "diag_indices_from ediff1d histogram_bin_edges intersect1d isin ix_ mask_indices "
    "poly polyadd polyder polyfit polyint polymul polysub setdiff1d setxor1d tril_indices "
    "tril_indices_from trim_zeros triu_indices triu_indices_from union1d unique unique_all unique_counts unique_inverse "
    "unique_values resize iscomplexobj isrealobj ndim shape size einsum_path iterable isscalar"
).split()

#: Options of JAX that NumPy does not have, with the value that changes nothing.
_OPTIONS: dict[str, Any] = {
    "size": None,
    "fill_value": None,
    "unroll": 16,
    "inverse": None,
    "method": "auto",
    "sorted": True,
}

#: Names whose lists of arrays are no array-likes.
_LISTS = frozenset("broadcast_shapes ix_ histogramdd".split())


def _bridged(name: str) -> Callable[..., Any]:
    def function(*args: Any, **options: Any) -> Any:
        from corearray.frontend.frontend import get_frontend

        if (
            name not in _LISTS
            and args
            and isinstance(args[0], (list, tuple))
            and name not in ("size", "shape", "ndim", "poly", "isscalar", "iterable")
        ):
            raise CoreArrayTypeError(f"{name} requires ndarray or scalar arguments, got {type(args[0])} at position 0.")
        if options.get("size") is not None and "size" in options:
            return _sized(name, args, options)
        given = {key: _down(x) for key, x in options.items() if key not in _OPTIONS or x != _OPTIONS[key]}
        return _up(getattr(get_frontend("numpy"), name)(*map(_down, args), **given))

    function.__name__ = function.__qualname__ = name
    function.__module__ = "jax.numpy"
    function.__doc__ = f"Compute what `jax.numpy.{name}` computes."
    return function


def _sized(name: str, args: tuple[Any, ...], options: dict[str, Any]) -> Any:
    """Cut the result of a set function to a length, or fill it up."""
    size, fill = options.pop("size"), options.pop("fill_value", None)
    made = _bridged(name)(*args, **options)
    results = list(made) if isinstance(made, tuple) else [made]
    filled = []
    for place, x in enumerate(results):
        array = x.array[:size]
        missing = size - array.shape[0]
        if place and name == "unique" and array.shape[0] != min(size, x.array.shape[0]):
            missing = 0
        if missing > 0 and not (
            name == "unique" and options.get("return_inverse") and place == 1 + bool(options.get("return_index"))
        ):
            last = (
                array[:1]
                if fill is None and array.shape[0]
                else ca.full((1, *array.shape[1:]), fill or 0, dtype=array.dtype)
            )
            if place and name == "unique":
                last = (
                    ca.zeros_like(array[:1])
                    if place == len(results) - 1 and options.get("return_counts")
                    else array[:1]
                )
            array = ca.concat([array, ca.broadcast_to(last, (missing, *array.shape[1:]))], axis=0)
        filled.append(Array(array))
    return tuple(filled) if isinstance(made, tuple) else filled[0]


def _down(x: Any) -> Any:
    """Return an argument with corearray's arrays in place of JAX's, and functions that call JAX's."""
    if isinstance(x, Array):
        return x.array
    if type(x) in (tuple, list):
        return type(x)(map(_down, x))
    if getattr(x, "_own", None) is not None and not is_arraylike(x):
        return as_dtype(x)
    if callable(x) and not isinstance(x, type):
        return lambda *args, **options: _down(x(*map(_up, args), **options))
    if hasattr(x, "__array__") and not isinstance(x, (ca.Array, type)):
        return converted(x)[0]
    return x


def _up(x: Any) -> Any:
    """Return a result with JAX's arrays in place of NumPy's."""
    own = x if isinstance(x, ca.Array) else getattr(x, "array", None)
    if isinstance(own, ca.Array):
        return Array(canonicalized(own))
    if isinstance(x, (tuple, list)):
        items = [_up(item) for item in x]
        return type(x)(*items) if hasattr(x, "_fields") else type(x)(items)
    return x


FUNCTIONS: dict[str, Callable[..., Any]] = {f"numpy.{name}": _bridged(name) for name in _NAMES}
