"""When lazy arrays are computed, and functions of their chunks."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import dask
import dask.array as da
import numpy as np

from corearray.plugin import hookimpl
from corearray_dask.blocks import Program, Task, fitting, in_one_chunk, item, meta_of, outline, task
from corearray_dask.native import known


@hookimpl
def evaluated(natives: list[Any]) -> Sequence[Any]:
    """Persist all in one graph. Sizes that were unknown are found by computing them from the chunks that are there then."""
    persisted = dask.persist(*natives)
    return [x if known(x) else x.compute_chunk_sizes() for x in persisted]


@hookimpl
def mapped_chunks(function: Callable[..., Any], natives: list[Any], whole: Mapping[str, Any]) -> Any:
    made, arrays = task(function, tuple(natives), dict(whole), Program)
    cut = [x for x in natives if isinstance(x, da.Array)]
    axes = [range(x.ndim) for x in cut]
    fitting(cut, axes)
    natives = [*da.core.unify_chunks(*[part for x in cut for part in (x, range(x.ndim))])[1]]
    natives += [in_one_chunk(x, range(x.ndim)) for x in arrays[len(cut) :]]
    place = max(range(len(cut)), key=lambda at: natives[at].ndim)
    first = natives[place]
    found, sizes, rules = _sizes(made, natives, len(cut), first)
    checked = _Checked(made, place, rules) if rules else made
    pairs = []
    for place, x in enumerate(natives):
        if place < len(cut):
            pairs += [x, tuple(map(str, range(x.ndim)))]
        else:  # its one task: with labels of its own it would keep Dask from joining tasks into one for each chunk
            pairs += [x.to_delayed(optimize_graph=False).item(), None]
    out, token = tuple(f"{axis}" for axis in range(first.ndim)), "map_chunks"
    chunks = [dict(zip(out, each.values(), strict=True)) for each in sizes]
    options = {"concatenate": True, "token": token}
    if not isinstance(found, tuple):
        return da.blockwise(checked, out, *pairs, adjust_chunks=chunks[0], meta=meta_of(found, first.ndim), **options)
    together = da.blockwise(checked, out, *pairs, meta=np.empty((0,) * first.ndim, object), **options)
    return tuple(
        da.blockwise(
            item, out, together, out, (place,), None, adjust_chunks=chunks[place], meta=meta_of(one, first.ndim),
            token=f"{token}-{place}",
        )
        for place, one in enumerate(found)
    )  # fmt: skip


class _Checked:
    """A task whose results must have the shapes that follow from samples.

    Parameters
    ----------
    made
        The task.
    place
        The place of the chunk whose sizes results keep.
    rules
        For each result and axis its size, or `None` for that of the chunk.
    """

    def __init__(self, made: Task, place: int, rules: Sequence[Sequence[int | None]]) -> None:
        self.made, self.place, self.rules = made, place, rules

    def __dask_tokenize__(self) -> tuple[Any, ...]:
        return type(self).__qualname__, self.made.__dask_tokenize__(), self.place, self.rules

    def __call__(self, *chunks: Any) -> Any:
        results, shape = self.made(*chunks), chunks[self.place].shape
        for one, rule in zip(results if isinstance(results, tuple) else (results,), self.rules, strict=True):
            due = tuple(own if size is None else size for own, size in zip(shape, rule, strict=True))
            if one.shape != due:
                raise ValueError(
                    f"the function of 'map_chunks' returned an array of the shape {one.shape} for a chunk of the shape "
                    f"{shape}; by smaller chunks it would be {due}. Return as many elements along each axis as the "
                    "chunk has, or always the same number"
                )
        return results


def _sizes(made: Task, arrays: Sequence[Any], count: int, first: Any) -> tuple[Any, list[Any], list[Any]]:
    """Return what the function gives for a sample, the sizes of the chunks of each result and axis, and rules to check.

    Two samples are tried that are small along the axes that are cut. If the function refuses them, or a size of a result is
    neither that of the chunk nor one number, samples are as large as the chunks.
    """
    large = [max(sizes) for sizes in first.chunks]

    def tried(lengths: Sequence[int]) -> Any:
        shapes = [
            tuple(1 if size == 1 else lengths[axis] for axis, size in enumerate(x.shape)) if place < count else x.shape
            for place, x in enumerate(arrays)
        ]
        found = outline(made, arrays, shapes)
        for one in found if isinstance(found, tuple) else (found,):
            if not hasattr(one, "dtype"):
                raise TypeError(f"the function returned {type(one).__name__}; return an array, or a tuple of arrays")
            if one.ndim != first.ndim:
                raise ValueError(
                    f"the function returned an array of {one.ndim} axes for chunks of {first.ndim}; keep them"
                )
        return found

    def shapes(found: Any) -> list[tuple[int, ...]]:
        return [one.shape for one in (found if isinstance(found, tuple) else (found,))]

    one, two = (
        [
            small + axis if size != size else min(size, small + axis) if first.numblocks[axis] > 1 else size
            for axis, size in enumerate(large)
        ]
        for small in (11, 23)
    )
    try:
        found, other = tried(one), tried(two)
    except Exception:  # a function for chunks of a certain size
        if not known(first):
            raise
        found = other = tried(large)
        one = two = large
    results = []
    for small, larger in zip(shapes(found), shapes(other), strict=True):
        chunks: dict[int, tuple[int, ...]] = {}
        for axis, sizes in enumerate(first.chunks):
            if small[axis] == one[axis] and larger[axis] == two[axis]:
                chunks[axis] = sizes
            elif small[axis] == larger[axis] and (one[axis] != two[axis] or len(sizes) == 1):
                chunks[axis] = (small[axis],) * len(sizes)
            else:
                break
        results.append(chunks)
    if all(len(chunks) == first.ndim for chunks in results):
        rules = [
            [None if chunks[axis] == sizes else chunks[axis][0] for axis, sizes in enumerate(first.chunks)]
            for chunks in results
        ]
        return found, results, rules
    if not known(first):
        raise ValueError(
            f"the chunks of an array of the shape {first.shape} have no sizes; use corearray.evaluate first"
        )
    results = [{} for _ in results]
    for axis, sizes in enumerate(first.chunks):
        each = {size: shapes(tried([*large[:axis], size, *large[axis + 1 :]])) for size in set(sizes)}
        for number, chunks in enumerate(results):
            chunks[axis] = tuple(each[size][number][axis] for size in sizes)
    return found, results, []
