"""`jnp.float32` and the other scalar types: dtypes that make arrays when they are called."""

from __future__ import annotations

from typing import Any

import corearray as ca
from corearray.frontend.jax.promotion import as_dtype, requested

__all__ = ["ABSTRACT", "ScalarType", "scalar_types"]

_NAMES = (
    "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 bfloat16 float32 float64 complex64 complex128"
).split()
_ALIASES = {
    "bool_": "bool", "int_": "int64", "uint": "uint64", "float_": "float64", "complex_": "complex128", "single": "float32",
    "double": "float64", "csingle": "complex64", "cdouble": "complex128",
}  # fmt: skip

#: Classes that stand for several dtypes.
ABSTRACT = "generic number integer signedinteger unsignedinteger inexact floating complexfloating".split()


class ScalarType:
    """A dtype that makes arrays without axes when it is called.

    Examples
    --------
    >>> import corearray.frontend.jax.numpy as jnp
    >>> jnp.float32(3), jnp.zeros(2, jnp.int8).dtype == jnp.int8
    (Array(3., dtype=float32), True)
    """

    def __init__(self, own: ca.DType) -> None:
        self._own = own

    @property
    def dtype(self) -> Any:
        """The dtype, with NumPy's attributes."""
        from corearray.frontend.frontend import get_frontend

        return get_frontend("numpy").dtype(self._own)

    def __call__(self, x: Any) -> Any:
        """Return an array of this dtype."""
        from corearray.frontend.frontend import get_frontend

        return get_frontend("jax").numpy.asarray(x, dtype=requested(self, "a scalar type"))

    @property
    def __name__(self) -> str:
        """The name of the dtype."""
        return self._own.name

    def __eq__(self, other: object) -> bool:
        try:
            return self._own == as_dtype(other)
        except TypeError:
            return False

    def __hash__(self) -> int:
        return hash(self._own)

    def __repr__(self) -> str:
        return f"<class 'jax.numpy.{self._own.name}'>"

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (self._own.name,)


_made: dict[str, ScalarType] = {}


def _again(name: str) -> ScalarType:
    return scalar_types()[name]


def scalar_types() -> dict[str, ScalarType]:
    """Return the scalar types by their names."""
    if not _made:
        _made.update({name: ScalarType(getattr(ca, name)) for name in _NAMES})
        _made.update({name: _made[own] for name, own in _ALIASES.items()})
    return _made
