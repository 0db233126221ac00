"""`x.at[key]`: updated copies of arrays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import corearray as ca
from corearray.errors import CoreArrayValueError
from corearray.frontend.jax.keys import Chosen, item, mode_of
from corearray.frontend.jax.promotion import cast
from corearray.frontend.jax.wrapper import Array, converted, numpy_function

__all__ = ["At", "Update"]


class At:
    """The property `at` of an array; a key makes an `Update` of it."""

    __slots__ = ("array",)

    def __init__(self, array: Array) -> None:
        self.array = array

    def __getitem__(self, key: Any) -> Update:
        return Update(self.array, key)

    def __repr__(self) -> str:
        return f"_IndexUpdateHelper({self.array!r})"


class Update:
    """The elements of a key, from which updated copies are made.

    Examples
    --------
    >>> import corearray.frontend.jax.numpy as jnp
    >>> jnp.zeros(3).at[jnp.array([0, 0, 9])].add(1.0)
    Array([2., 0., 0.], dtype=float32)
    """

    __slots__ = ("array", "key")

    def __init__(self, array: Array, key: Any) -> None:
        self.array = array
        self.key = key

    def get(
        self, *, mode: Any = None, fill_value: Any = None, indices_are_sorted: bool = False, unique_indices: bool = False,
        wrap_negative_indices: bool = True, out_sharding: Any = None,
    ) -> Any:  # fmt: skip
        """Return the elements; with `mode="fill"` those outside are `fill_value`, by default NaN."""
        return item(self.array, self.key, mode=mode, fill_value=fill_value, wraps=wrap_negative_indices)

    def set(self, values: Any, *, mode: Any = None, **options: Any) -> Any:
        """Return a copy with other elements."""
        return self._updated(values, mode, "replace", **options)

    def add(self, values: Any, *, mode: Any = None, **options: Any) -> Any:
        """Return a copy with values added; an element that the key names twice gets both."""
        return self._updated(values, mode, "sum", **options)

    def subtract(self, values: Any, *, mode: Any = None, **options: Any) -> Any:
        """Return a copy with values subtracted."""
        return self._updated(values, mode, "sum", ca.negative, **options)

    def multiply(self, values: Any, *, mode: Any = None, **options: Any) -> Any:
        """Return a copy with elements multiplied."""
        return self._updated(values, mode, "prod", **options)

    mul = multiply

    def divide(self, values: Any, *, mode: Any = None, **options: Any) -> Any:
        """Return a copy with elements divided."""
        ones = numpy_function("ones_like")(self.array)
        return self.array / Update(ones, self.key).multiply(values, mode=mode, **options)

    def power(self, values: Any, *, mode: Any = None, **options: Any) -> Any:
        """Return a copy with elements raised to powers."""
        ones = numpy_function("ones_like")(self.array)
        return self.array ** Update(ones, self.key).multiply(values, mode=mode, **options)

    def min(self, values: Any, *, mode: Any = None, **options: Any) -> Any:
        """Return a copy with the smaller of elements and values."""
        return self._updated(values, mode, "min", **options)

    def max(self, values: Any, *, mode: Any = None, **options: Any) -> Any:
        """Return a copy with the larger of elements and values."""
        return self._updated(values, mode, "max", **options)

    def apply(self, function: Callable[[Any], Any], *, mode: Any = None, **options: Any) -> Any:
        """Return a copy with a function applied to the elements, to one that is named twice two times."""
        where = numpy_function("where")
        counts = Update(numpy_function("zeros_like")(self.array, dtype="int32"), self.key).add(1, mode=mode, **options)
        made = self.array
        for number in range(int(counts.max()) if counts.size else 0):
            made = where(counts > number, function(made), made)
        return made

    def _updated(
        self, values: Any, mode: Any, reduction: Any, change: Any = None, *, indices_are_sorted: bool = False,
        unique_indices: bool = False, wrap_negative_indices: bool = True, out_sharding: Any = None,
    ) -> Any:  # fmt: skip
        x = self.array.array
        chosen = Chosen(x, self.key)
        updates = cast(converted(values)[0], x.dtype)
        updates = updates if change is None else change(updates)
        chosen.placed(mode_of(mode), writes=True, wraps=wrap_negative_indices)
        if 0 in x.shape:
            return self.array
        places = chosen.places(x)
        shape = tuple(places.shape)
        while updates.ndim > len(shape) and updates.shape[0] == 1:
            updates = updates[0]
        try:
            updates = ca.broadcast_to(updates, shape)
        except ValueError:
            raise CoreArrayValueError(
                f"Incompatible shapes for broadcasting: {tuple(updates.shape)} and requested shape {shape}"
            ) from None
        if 0 in shape:
            return self.array
        weak = self.array.weak_type and (
            isinstance(values, (int, float, complex)) or getattr(values, "weak_type", False)
        )
        if chosen.plain and chosen.inside is None and reduction in ("replace", "sum"):
            at = x.at[chosen.key]
            return Array(at.set(updates) if reduction == "replace" else at.add(updates), weak)
        flat, size = ca.reshape(x, (-1,)), x.size
        if chosen.inside is not None:
            places = ca.where(ca.broadcast_to(chosen.inside, shape), places, size or 0)
        flat = ca.concat([flat, ca.zeros((1,), dtype=x.dtype)], axis=0)  # where what lies outside is written
        is_bool = x.dtype == ca.bool
        if is_bool:
            flat, updates = ca.astype(flat, ca.int32), ca.astype(updates, ca.int32)
            reduction = {"sum": "max", "prod": "min"}.get(reduction, reduction)
        made = ca.scatter_nd(ca.reshape(places, (-1, 1)), ca.reshape(updates, (-1,)), base=flat, reduction=reduction)
        made = ca.reshape(made[:size], tuple(x.shape))
        return Array(ca.astype(made, ca.bool) if is_bool else made, weak)
