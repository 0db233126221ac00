"""Joining arrays, grids, and products of sets."""

from __future__ import annotations

from functools import reduce
from itertools import combinations as combinations_of
from itertools import combinations_with_replacement
from typing import Any

import corearray as ca
from corearray.frontend.torch.described import rule, say
from corearray.frontend.torch.promotion import cast, promoted
from corearray.frontend.torch.rules.manipulation import several

__all__: list[str] = []

say("""
torch.cat | torch.concat | torch.concatenate (tensors, dim=0, *, out=None) = joined(tensors, dim)
torch.stack(tensors, dim=0, *, out=None) = ca.stack(alike(tensors), axis=dim)
torch.hstack(tensors, *, out=None) = ca.hstack(alike(tensors))
torch.vstack | torch.row_stack (tensors, *, out=None) = ca.vstack(alike(tensors))
torch.dstack(tensors, *, out=None) = ca.dstack(alike(tensors))
torch.column_stack(tensors, *, out=None) = ca.column_stack(alike(tensors))
torch.unbind(input, dim=0) = tuple(ca.unstack(input, axis=dim))
torch.hsplit(input, indices_or_sections) = tuple(ca.hsplit(input, listed(indices_or_sections)))
torch.vsplit(input, indices_or_sections) = tuple(ca.vsplit(input, listed(indices_or_sections)))
torch.dsplit(input, indices_or_sections) = tuple(ca.dsplit(input, listed(indices_or_sections)))
torch.meshgrid_v_1p10_and_above (*tensors, indexing="ij") = tuple(ca.meshgrid(*lines(tensors), indexing=indexing or "ij"))
torch.meshgrid_v_1p9_and_below (*tensors) = tuple(ca.meshgrid(*lines(tensors), indexing="ij"))
torch.block_diag(*tensors) = blocks(tensors)
torch.cartesian_prod(*tensors) = every_choice(tensors)
torch.combinations(input, r=2, with_replacement=False) = chosen_of(input, r, with_replacement)
""")


def listed(given: Any) -> Any:
    """Return a number, or a list of places."""
    return given if isinstance(given, int) else list(given)


def alike(tensors: Any) -> list[ca.Array]:
    """Return arrays in their common dtype."""
    dtype = reduce(promoted, [x.dtype for x in tensors])
    return [cast(x, dtype) for x in tensors]


def joined(tensors: Any, dim: int) -> ca.Array:
    """Join arrays; torch passes over empty ones with a single axis."""
    kept = [x for x in tensors if not (x.ndim == 1 and x.shape[0] == 0 and any(y.ndim != 1 for y in tensors))]
    return ca.concat(alike(kept), axis=dim)


def lines(tensors: tuple[Any, ...]) -> list[ca.Array]:
    """Return the axes of a grid; numbers are axes of length 1."""
    return [ca.reshape(x, (-1,)) for x in several(tensors)]


def blocks(tensors: tuple[Any, ...]) -> ca.Array:
    """Put matrices along the diagonal of a larger one."""
    matrices = alike([ca.reshape(x, (1, -1)) if x.ndim < 2 else x for x in several(tensors)])
    width = sum(x.shape[1] for x in matrices)
    rows, left = [], 0
    for x in matrices:
        rows.append(ca.pad(x, [(0, 0), (left, width - left - x.shape[1])]))
        left += x.shape[1]
    return ca.concat(rows, axis=0)


def every_choice(tensors: tuple[Any, ...]) -> ca.Array:
    """Return all ways to take one element of each array."""
    given = several(tensors)
    if len(given) == 1:
        return given[0]
    grids = ca.meshgrid(*alike(given), indexing="ij")
    return ca.stack([ca.reshape(x, (-1,)) for x in grids], axis=-1)


def chosen_of(input: ca.Array, r: int, with_replacement: bool) -> ca.Array:
    """Return all ways to take `r` elements of one array."""
    ways = (combinations_with_replacement if with_replacement else combinations_of)(range(input.shape[0]), r)
    places = [list(way) for way in ways]
    if not places or not r:
        return ca.zeros((len(places) if r else 0, r), dtype=input.dtype)
    return ca.reshape(ca.take(input, ca.asarray([i for way in places for i in way], dtype=ca.int64), axis=0), (-1, r))


@rule("torch.nn.utils.rnn.pad_sequence", "torch._C._nn.pad_sequence")
def pad_sequence(
    sequences: Any, batch_first: bool = False, padding_value: float = 0.0, padding_side: str = "right"
) -> ca.Array:
    made: ca.Array = ca.pad_sequence(
        list(sequences), batch_first=batch_first, padding_value=padding_value, padding_side=padding_side
    )
    return made
