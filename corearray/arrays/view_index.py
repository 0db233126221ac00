"""An index of the views of an array by the region that each shows, for frameworks whose native arrays never change.

A write has to renew the views that show an element written. The index finds those without a look at the others: a view
is kept under the first axis that its keys narrow, in a cell of about the length that it shows there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any
from weakref import ref

if TYPE_CHECKING:
    from corearray.arrays.array import Array

__all__ = ["Region", "ViewIndex", "overlap", "region_of"]

#: The half-open interval of places along each axis of an array, which may include places that are not shown.
Region = tuple[tuple[int, int], ...]

#: An axis of a view: the axis of the root that it runs along, the first place there, the step, and the length. The root
#: axis of a new axis (`None` in a key) is -1.
_Axis = tuple[int, int, int, int]


def region_of(shape: Sequence[int], steps: Sequence[tuple[str, tuple[Any, ...]]]) -> Region:
    """Return a region that holds every element of a view.

    Parameters
    ----------
    shape
        Of the root.
    steps
        From the root to the view: names of functions and their further arguments. The leading `get_item` steps narrow the
        region; behind any other step it stays as it is.

    Examples
    --------
    >>> region_of((4, 6), [("get_item", (1,)), ("get_item", (slice(None, None, -2),))])
    ((1, 2), (1, 6))
    >>> region_of((4, 6), [("matrix_transpose", ()), ("get_item", (0,))])
    ((0, 4), (0, 6))
    """
    region = [(0, size) for size in shape]
    axes: list[_Axis] = [(axis, 0, 1, size) for axis, size in enumerate(shape)]
    for name, arguments in steps:
        if name != "get_item" or not _narrow(region, axes, arguments[0]):
            break
    return tuple(region)


def _narrow(region: list[tuple[int, int]], axes: list[_Axis], key: Any) -> bool:
    """Apply a key of integers, slices, `None` and `...` to the axes of a view; `False` if a slice holds anything else."""
    parts = key if type(key) is tuple else (key,)
    left_out = len(axes) - sum(part is not None and part is not ... for part in parts)
    before = iter(axes[:])
    after: list[_Axis] = []
    for part in parts:
        if part is None:
            after.append((-1, 0, 1, 1))
        elif part is ...:
            after += [next(before) for _ in range(left_out)]
        elif type(part) is int:
            axis, start, step, length = next(before)
            _set(region, axis, start + step * (part + length if part < 0 else part), 1, 1)
        else:
            if not {type(part.start), type(part.stop), type(part.step)} <= {int, type(None)}:
                return False
            axis, start, step, length = next(before)
            places: range = range(length)[part]  # type: ignore[assignment]  # a slice of a range is a range
            start, step = start + step * places.start, step * places.step
            _set(region, axis, start, step, len(places))
            after.append((axis, start, step, len(places)))
    axes[:] = [*after, *before]
    return True


def _set(region: list[tuple[int, int]], axis: int, start: int, step: int, length: int) -> None:
    if axis >= 0:
        last = start + step * (length - 1)
        region[axis] = (min(start, last), max(start, last) + 1) if length else (start, start)


def overlap(one: Region, other: Region) -> bool:
    """Whether two regions of one array have a place in common."""
    return all(a < d and c < b for (a, b), (c, d) in zip(one, other, strict=True))


class ViewIndex:
    """Weak references to the views of an array.

    New views are only noted, which is all that a program pays that never writes. The first write after that files them.
    """

    __slots__ = ("_cells", "_everywhere", "_filed", "_limit", "_new")

    def __init__(self) -> None:
        self._new: list[ref[Array]] = []
        #: Views that are narrowed along no axis.
        self._everywhere: list[tuple[ref[Array], Region]] = []
        #: By axis and logarithm of the size of a cell, by number of the cell.
        self._cells: dict[tuple[int, int], dict[int, list[tuple[ref[Array], Region]]]] = {}
        self._filed = 0
        self._limit = 64

    def __len__(self) -> int:
        """Return the number of references, some of which may be to views that are gone."""
        return len(self._new) + self._filed

    def note(self, view: Array) -> None:
        """Add a view."""
        self._new.append(ref(view))
        if len(self._new) + self._filed > self._limit:
            self._leave_out_dead()

    def overlapping(self, shape: Sequence[int], region: Region | None) -> list[Array]:
        """Return the views that may show an element of a region of an array of a shape, and all views for `None`."""
        self._file(shape)
        found: list[Array] = []
        for holder, key, entries in list(self._candidates(region)):
            living = [entry for entry in entries if entry[0]() is not None]
            if len(living) < len(entries):
                self._filed -= len(entries) - len(living)
                if living or key is None:
                    entries[:] = living
                else:
                    del holder[key]
            for known, shown in living:
                view = known()
                if view is not None and (region is None or overlap(region, shown)):
                    found.append(view)
        return found

    def _candidates(self, region: Region | None) -> Iterator[tuple[Any, int | None, list[tuple[ref[Array], Region]]]]:
        yield None, None, self._everywhere
        for (axis, level), cells in self._cells.items():
            if region is None:
                places: Sequence[int] = list(cells)
            else:
                low, high = region[axis]
                places = range((low >> level) - 1, (high - 1 >> level) + 1)
                if len(places) > len(cells):
                    places = [place for place in cells if place in places]
            for place in places:
                if place in cells:
                    yield cells, place, cells[place]

    def _file(self, shape: Sequence[int]) -> None:
        known, self._new = self._new, []
        for reference in known:
            view = reference()
            if view is None:
                continue
            region = region_of(shape, view._link[1]) if None not in shape else ()
            if any(low == high for low, high in region):
                continue  # a view of no element shows no write
            self._filed += 1
            entry = (reference, region)
            for axis, (low, high) in enumerate(region):
                if high - low < shape[axis]:
                    level = (high - low - 1).bit_length()  # a view touches its own cell and at most the next
                    self._cells.setdefault((axis, level), {}).setdefault(low >> level, []).append(entry)
                    break
            else:
                self._everywhere.append(entry)

    def _leave_out_dead(self) -> None:
        """Drop the references to views that are gone, which is done when there may be twice as many as were left."""
        holders = [entries for cells in self._cells.values() for entries in cells.values()]
        self._new = [known for known in self._new if known() is not None]
        self._everywhere = [entry for entry in self._everywhere if entry[0]() is not None]
        for entries in holders:
            entries[:] = [entry for entry in entries if entry[0]() is not None]
        self._cells = {
            key: {place: entries for place, entries in cells.items() if entries} for key, cells in self._cells.items()
        }
        self._filed = len(self._everywhere) + sum(map(len, holders))
        self._limit = 2 * len(self) + 64
