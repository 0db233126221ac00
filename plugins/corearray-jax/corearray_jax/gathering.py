"""Elements and slices at indices of several axes; JAX counts negative ones from the end, and clips in traced programs."""

from __future__ import annotations

from typing import Any

from corearray.plugin import hookimpl
from corearray_jax.keys import check_inside_axes
from corearray_jax.native import compiled, counting
from corearray_jax.sharding import layout_of, placed_on


def as_key(indices: Any, shape: tuple[int, ...]) -> tuple[Any, ...]:
    """Return what stands in square brackets for indices of several axes, which lie along the last one."""
    indices = counting(indices, shape)
    return tuple(indices[..., place] for place in range(indices.shape[-1]))


def is_key(indices: Any, sizes: Any) -> bool:
    """Whether indices are such, of as many axes at most as there are sizes."""
    return indices.dtype.kind in "iu" and indices.ndim > 0 and 0 < indices.shape[-1] <= len(sizes) and 0 not in sizes


@hookimpl(when=lambda indices, axis, batch_dims: indices is None and axis == -1 and batch_dims == 0)
def gather(x: Any, indices: Any = None, /, *, axis: int = -1, batch_dims: int = 0) -> Any:
    return x if layout_of(x) is None else placed_on(x, None, ())


@compiled()
def _gather_nd(x: Any, indices: Any) -> Any:
    return x[as_key(indices, x.shape)]


@hookimpl(when=lambda x, indices, batch_dims: batch_dims == 0 and is_key(indices, x.shape))
def gather_nd(x: Any, indices: Any, /, *, batch_dims: int = 0) -> Any:
    check_inside_axes(indices, x.shape)
    return _gather_nd(x, indices)
