"""Reading and writing by JAX's keys, with what happens for indices outside."""

from __future__ import annotations

from typing import Any

import corearray as ca
from corearray.errors import CoreArrayIndexError, CoreArrayTypeError, CoreArrayValueError
from corearray.frontend.jax.promotion import of_indices
from corearray.frontend.jax.wrapper import Array, converted
from corearray.frontend.operands import is_floating

__all__ = ["Chosen", "fill_of", "item", "mode_of"]

_MODES = {
    None: None, "fill": "fill", "drop": "fill", "clip": "clip", "wrap": "wrap", "promise_in_bounds": "clip",
    "one_hot": "fill",
}  # fmt: skip


def mode_of(mode: Any) -> str | None:
    """Return `fill`, `clip`, `wrap` or nothing for a mode of JAX.

    Raises
    ------
    ValueError
        If it is none.
    """
    name: Any = mode if mode is None or isinstance(mode, str) else getattr(mode, "name", str(mode)).lower()
    name = {"fill_or_drop": "fill"}.get(name, name)
    if name not in _MODES:
        raise CoreArrayValueError(f"mode {mode!r} is none of {', '.join(repr(one) for one in _MODES if one)}")
    return _MODES[name]


def fill_of(dtype: ca.DType) -> Any:
    """Return what JAX puts in place of elements outside: NaN, the smallest integer, the largest unsigned one, true."""
    if is_floating(dtype):
        return ca.nan
    if dtype == ca.bool:
        return True
    limits = ca.iinfo(dtype)
    return limits.max if dtype.category == "unsigned integer" else limits.min


def _part(part: Any) -> Any:
    if part is None or part is Ellipsis or isinstance(part, (bool, int)):
        return part
    if isinstance(part, slice):
        return slice(*(_bound(x) for x in (part.start, part.stop, part.step)))
    if isinstance(part, (list, tuple)):  # within a tuple, JAX takes sequences for arrays
        part = ca.asarray(part) if len(part) else ca.zeros((0,), dtype=ca.int32)
    if isinstance(part, (float, complex, str, bytes)):
        raise CoreArrayTypeError(f"JAX does not support string or real indexing; got idx={part!r}")
    array = converted(part)[0]
    if array.dtype != ca.bool and array.dtype.category not in ("signed integer", "unsigned integer"):
        raise CoreArrayTypeError(f"Indexer must have integer or boolean type, got indexer with type {array.dtype}")
    return array


def _bound(x: Any) -> Any:
    if x is None or isinstance(x, int):
        return x
    if hasattr(x, "__index__"):
        return x.__index__()
    raise CoreArrayIndexError(f"slice bounds are integers or None, got {x!r}")


class Chosen:
    """The elements of an array that a key names.

    Attributes
    ----------
    key
        The key in corearray's terms, with indices that lie inside.
    inside
        Which of the elements lie inside, with axes for those of the result; `None` if all are known to.
    """

    def __init__(self, x: ca.Array, key: Any) -> None:
        if isinstance(key, list):
            raise CoreArrayTypeError(
                "Using a non-tuple sequence for multidimensional indexing is not allowed; use `arr[array(seq)]` instead of "
                "`arr[seq]`. See https://github.com/jax-ml/jax/issues/4564 for more information."
            )
        self.shape = tuple(x.shape)
        parts = [_part(part) for part in (key if isinstance(key, tuple) else (key,))]
        self.parts = self._expanded(parts, x.ndim)
        self.plain = not any(isinstance(part, (ca.Array, bool)) for part in self.parts)
        self.key: tuple[Any, ...] = tuple(self.parts)
        self.inside: Any = None

    def _expanded(self, parts: list[Any], ndim: int) -> list[Any]:
        """Replace masks by their places, and the ellipsis by slices."""
        used = sum(
            part.ndim if isinstance(part, ca.Array) and part.dtype == ca.bool else 1
            for part in parts
            if part is not None and part is not Ellipsis and not isinstance(part, bool)
        )
        if used > ndim:
            raise CoreArrayIndexError(f"Too many indices: array is {ndim}-dimensional, but {used} were indexed")
        if sum(part is Ellipsis for part in parts) > 1:
            raise CoreArrayIndexError("an index can only have a single ellipsis ('...')")
        if not any(part is Ellipsis for part in parts):
            parts = [*parts, Ellipsis]
        made: list[Any] = []
        for part in parts:
            if part is Ellipsis:
                made += [slice(None)] * (ndim - used)
            elif isinstance(part, ca.Array) and part.dtype == ca.bool and part.ndim:
                axis = sum(one is not None and not isinstance(one, bool) for one in made)
                if tuple(part.shape) != self.shape[axis : axis + part.ndim]:
                    raise CoreArrayIndexError(
                        f"boolean index did not match shape {self.shape} along axes {axis} to {axis + part.ndim - 1}: its "
                        f"shape is {tuple(part.shape)}"
                    )
                made += list(ca.nonzero(part))
            elif isinstance(part, ca.Array) and part.dtype == ca.bool:
                made.append(bool(part))
            else:
                made.append(part)
        return made

    def placed(self, mode: str | None, *, writes: bool = False, wraps: bool = True) -> None:
        """Clamp or wrap indices that are out of bounds, and mark them (`inside`) in the mode `fill`.

        Negative indices count from the end only if `wraps`.
        """
        axis: int = 0
        inside: Any = None
        made: list[Any] = []
        fills = mode == "fill" or (mode is None and writes)
        for part in self.parts:
            if part is None or isinstance(part, bool):
                made.append(part)
                continue
            n = self.shape[axis]
            axis += 1
            if isinstance(part, slice):
                made.append(part)
            elif isinstance(part, int):
                place: Any = part % n if mode == "wrap" and n else part + n if part < 0 and wraps else part
                if not 0 <= place < n and fills:
                    inside = ca.asarray(False)
                made.append(min(max(place, 0), n - 1))
            else:
                place = ca.astype(part, of_indices())
                if mode == "wrap" and n:
                    place = ca.remainder(place, n)
                elif wraps:
                    place = ca.where(place < 0, place + n, place)
                if fills:
                    within = ca.logical_and(place >= 0, place < n)
                    inside = within if inside is None else ca.logical_and(inside, within)
                made.append(ca.clip(place, 0, max(n - 1, 0)))
        self.key = tuple(made)
        self.inside = None if inside is None else self._shaped(inside)

    def _shaped(self, inside: Any) -> Any:
        """Give a mask of the index arrays axes for those of the result."""
        places = [
            i for i, part in enumerate(self.key) if isinstance(part, (ca.Array, int)) and not isinstance(part, bool)
        ]
        arrays = [part for part in self.key if isinstance(part, ca.Array)]
        if not arrays:
            return inside
        shape = ca.broadcast_shapes(*(tuple(part.shape) for part in arrays))
        inside = ca.broadcast_to(inside, shape)
        together = places == list(range(places[0], places[-1] + 1))
        behind = (
            self.key[places[-1] + 1 :] if together else [part for i, part in enumerate(self.key) if i not in places]
        )
        trailing = sum(part is None or isinstance(part, slice) for part in behind)
        return ca.reshape(inside, (*shape, *(1,) * trailing))

    def read(self, x: ca.Array) -> Any:
        """Return the elements."""
        return x[self.key]

    def places(self, x: ca.Array) -> Any:
        """Return the places of the elements in the flattened array."""
        return ca.reshape(ca.arange(x.size or 0, dtype=of_indices()), tuple(x.shape))[self.key]


def item(x: Array, key: Any, *, mode: Any = None, fill_value: Any = None, wraps: bool = True) -> Any:
    """Return the elements of a key; indices outside are moved inside unless a mode says otherwise.

    Raises
    ------
    TypeError, IndexError
        If the key is none.
    """
    array, how = x.array, mode_of(mode)
    chosen = Chosen(array, key)
    if 0 in array.shape and not chosen.plain and how is None:
        how = "fill"
    if chosen.plain and how is None and not any(isinstance(part, int) for part in chosen.parts):
        return Array(array[chosen.key], x.weak_type)
    chosen.placed(how, wraps=wraps)
    if 0 in array.shape:
        return Array(_of_nothing(array, chosen, fill_value), x.weak_type)
    made = chosen.read(array)
    if chosen.inside is not None:
        fill = fill_of(array.dtype) if fill_value is None else fill_value
        fill = fill.array if isinstance(fill, Array) else fill
        made = ca.where(
            chosen.inside,
            made,
            ca.asarray(fill, dtype=array.dtype) if not isinstance(fill, ca.Array) else ca.astype(fill, array.dtype),
        )
    return Array(made, x.weak_type)


def _of_nothing(array: ca.Array, chosen: Chosen, fill_value: Any) -> Any:
    """Return the result of a key of an array without elements: all of it lies outside."""
    shape = tuple(n or 1 for n in array.shape)
    key = tuple(
        slice(0, 0) if isinstance(part, slice) and not n else part
        for part, n in zip(chosen.key, _sizes(chosen.key, array.shape), strict=True)
    )
    fill = fill_of(array.dtype) if fill_value is None else fill_value
    return ca.full(shape, fill, dtype=array.dtype)[key]


def _sizes(key: tuple[Any, ...], shape: Any) -> list[Any]:
    sizes = iter(shape)
    return [None if part is None or isinstance(part, bool) else next(sizes) for part in key]
