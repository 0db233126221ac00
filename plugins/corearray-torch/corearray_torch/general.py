"""Indexing, and the ways between arrays and Python.

torch's indexing differs from NumPy's: no negative steps, `uint8` arrays are masks, and an integer beside an index array
is no index array itself, which moves axes. Plain keys, without arrays and negative steps, mean the same in both.
"""

from __future__ import annotations

import operator
from contextlib import nullcontext
from typing import Any

import torch

from corearray.plugin import Fast, FastPathMiss, hookimpl
from corearray_torch.native import BITS, SIGNED, extremes, share_memory, writable
from corearray_torch.sharding import beside, everything_behind, is_copied, is_spread, shown_in, whole

_PLAIN = frozenset({int, type(None), type(Ellipsis)})
_INDEX = frozenset({torch.int64, torch.bool})


def _shared(x: Any, key: Any) -> Any:
    """Return a view; what a key without arrays selects backwards is a copy, of which corearray must know."""
    for part in key if type(key) is tuple else (key,):
        if type(part) is slice and part.step is not None and part.step < 0:
            raise FastPathMiss
    return x[key]


@hookimpl(
    fast=Fast(_shared, view=True, from_tuples=operator.getitem), via=BITS
)  # which itself refuses to select backwards
def get_item(x: Any, key: Any, /) -> Any:
    if (type(x) is not torch.Tensor or type(key) is not torch.Tensor) and _has_spread_mask(x, key):
        x, key = whole(x), _everywhere(key)
    if type(key) in _PLAIN or (_same(key) and (x.numel() or not isinstance(key, torch.Tensor))):
        return x[key]
    parts, places = _placed(x, key)
    if not any(isinstance(part, (torch.Tensor, bool)) for part in parts):
        return _backwards_view(x, parts, places)
    x, parts = _turned(x, parts, places)
    x, parts = _picked(x, parts, places)
    if _selects_nothing(x, parts, places):
        _look_inside(x, parts, places)
    return x[_beside_arrays(x, parts, places)]


@hookimpl
def set_item(x: Any, key: Any, value: Any) -> Any:
    """Write as NumPy does, which copies a value that overlaps with what is written; torch refuses or mixes old and new."""
    if (
        0 in x.stride()
        and x.numel()
        and any(step == 0 and size > 1 for step, size in zip(x.stride(), x.shape, strict=True))
    ):
        raise ValueError(
            "the array repeats the elements of another one and is read-only; write into that one, or into a copy: "
            "corearray.asarray(x, copy=True)"
        )
    if type(x) is not torch.Tensor and is_spread(x):  # of which torch writes into copies of parts
        x, key, value = writable(x), _everywhere(key), whole(value)
        if is_copied(x):  # a view, but torch had to move data: the write has to reach the array behind it
            shown = everything_behind(x)
            set_item(shown_in(x, shown), key, value)
            x._base.copy_(beside(x._base, shown))
        with torch.no_grad() if is_copied(x) else nullcontext():  # derivatives follow the array behind it
            x.copy_(beside(x, set_item(whole(x).clone(), key, value)))
        return x
    x = writable(x)
    if share_memory(x, value):
        value = value.clone()
    target = x
    if x.dtype in SIGNED:
        signed = SIGNED[x.dtype]
        target, value = x.view(signed), value.view(signed)
    if _same(key) and x.numel():
        target[key] = value
        return x
    parts, places = _placed(target, key)
    if _selects_nothing(target, parts, places):
        shape = get_item(target, key).shape
        extra = max(value.ndim - len(shape), 0)
        value.reshape(value.shape[extra:] if value.shape[:extra].numel() == 1 else value.shape).broadcast_to(shape)
        return x
    axes = [place for part, place in zip(parts, places, strict=True) if _backwards(part)]
    if not axes:
        target[_beside_arrays(target, parts, places)] = value
        return x
    turned = target.flip(axes)
    parts = [
        _mirrored(part, target.shape[place]) if _backwards(part) else part
        for part, place in zip(parts, places, strict=True)
    ]
    turned[_beside_arrays(target, parts, places)] = value
    target.copy_(turned.flip(axes))
    return x


@hookimpl
def to_list(x: Any, /) -> Any:
    return (x if type(x) is torch.Tensor else whole(x)).tolist()


@hookimpl
def to_numpy(x: Any, /) -> Any:
    """Share the memory of a tensor on the CPU; `bfloat16`, which NumPy does not have, becomes `float32`."""
    x = x if type(x) is torch.Tensor else whole(x)
    return (x.float() if x.dtype is torch.bfloat16 else x).numpy(force=True)


def _has_spread_mask(x: Any, key: Any) -> bool:
    """Return true for a key with a mask where array or mask is a DTensor: torch refuses results of an unknown size."""
    parts = key if type(key) is tuple else (key,)
    return any(getattr(part, "dtype", None) is torch.bool for part in parts) and any(map(is_spread, (x, *parts)))


def _everywhere(key: Any) -> Any:
    """Return a key with its DTensors whole."""
    if type(key) is tuple:
        return tuple(map(_everywhere, key))
    return whole(key) if isinstance(key, torch.Tensor) else key


def _same(key: Any) -> bool:
    """Whether a key means the same to torch and to NumPy: one index array or mask, or no arrays and no negative steps."""
    if isinstance(key, torch.Tensor):
        return key.dtype in _INDEX and key.ndim > 0 and key.numel() > 0
    parts = key if type(key) is tuple else (key,)
    return not any(isinstance(part, torch.Tensor) or part is False or _backwards(part) for part in parts)


def _backwards(part: Any) -> bool:
    return type(part) is slice and part.step is not None and part.step < 0


def _placed(x: Any, key: Any) -> tuple[list[Any], list[int]]:
    """Write a key without `...`, index arrays as int64, and for each part the axis at which it begins."""
    parts = list(key) if type(key) is tuple else [key]
    parts = [_as_index(p) if isinstance(p, torch.Tensor) and p.dtype not in _INDEX else p for p in parts]
    used = [_axes_used(part) for part in parts]
    rest = x.ndim - sum(used)
    if rest < 0:
        raise IndexError(f"an array with {x.ndim} axes got a key for {sum(used)}")
    dots = [place for place, part in enumerate(parts) if part is Ellipsis]
    if len(dots) > 1:
        raise IndexError("a key holds '...' at most once")
    where = dots[0] if dots else len(parts)
    parts[where : where + 1] = [slice(None)] * rest
    used[where : where + 1] = [1] * rest
    places = [sum(used[:place]) for place in range(len(parts))]
    for number, (part, place) in enumerate(zip(parts, places, strict=True)):
        if isinstance(part, torch.Tensor) and part.dtype is torch.bool and part.numel() == 0:
            parts[number] = _empty_mask(part, x.shape[place : place + part.ndim])
    return parts, places


def _selects_nothing(x: Any, parts: list[Any], places: list[int]) -> bool:
    """Whether a key selects nothing, whatever its arrays hold."""
    if not x.numel():
        return True
    cut = [(part, place) for part, place in zip(parts, places, strict=True) if isinstance(part, slice)]
    return any(part is False for part in parts) or any(not range(x.shape[place])[part] for part, place in cut)


def _look_inside(x: Any, parts: list[Any], places: list[int]) -> None:
    """Look that indices are some of an array, which torch does only where they select something."""
    for part, place in zip(parts, places, strict=True):
        if isinstance(part, torch.Tensor) and part.dtype is torch.int64 and part.numel():
            length = x.shape[place]
            for found in extremes(part) or ():
                if not -length <= found < length:
                    raise IndexError(f"the index {found} is out of range for axis {place} of length {length}")


def _empty_mask(mask: Any, shape: Any) -> Any:
    """Return the mask that selects nothing for one without elements, whose axes need not be as long as the array's."""
    if any(have not in (0, length) for have, length in zip(mask.shape, shape, strict=True)):
        raise IndexError(f"a mask of shape {tuple(mask.shape)} does not fit axes of shape {tuple(shape)}")
    return mask.new_zeros(shape)


def _as_index(x: Any) -> Any:
    if x.is_floating_point() or x.is_complex():
        raise IndexError(f"arrays of {x.dtype} are no indices, integers and booleans are")
    return x.long()


def _axes_used(part: Any) -> int:
    if part is None or part is Ellipsis or isinstance(part, bool):
        return 0
    return part.ndim if isinstance(part, torch.Tensor) and part.dtype is torch.bool else 1


def _mirrored(part: slice, length: int) -> slice:
    """Return the slice with a positive step that selects the same elements of the reversed axis."""
    chosen = range(length)[part]
    return slice(length - 1 - chosen[0], length - chosen[-1], -part.step) if chosen else slice(0, 0)


def _backwards_view(x: Any, parts: list[Any], places: list[int]) -> Any:
    """Cut forwards, then turn around: the result has memory of its own, and none that it does not need."""
    axes = []
    ndim = 0
    for number, (part, place) in enumerate(zip(parts, places, strict=True)):
        if _backwards(part):
            parts[number] = _forwards(part, x.shape[place])
            axes.append(ndim)
        ndim += not isinstance(part, int)
    return x[tuple(parts)].flip(axes)


def _forwards(part: slice, length: int) -> slice:
    """Return the slice with a positive step that selects the same elements."""
    chosen = range(length)[part]
    return slice(chosen[-1], chosen[0] + 1, -part.step) if chosen else slice(0, 0)


def _turned(x: Any, parts: list[Any], places: list[int]) -> tuple[Any, list[Any]]:
    """Carry the slices with a negative step out: cut forwards, then turn around."""
    cut: list[Any] = [slice(None)] * x.ndim
    axes = []
    for number, (part, place) in enumerate(zip(parts, places, strict=True)):
        if _backwards(part):
            cut[place] = _forwards(part, x.shape[place])
            axes.append(place)
            parts[number] = slice(None)
    return (x[tuple(cut)].flip(axes) if axes else x), parts


def _picked(x: Any, parts: list[Any], places: list[int]) -> tuple[Any, list[Any]]:
    """Carry the integer arrays without axes out, without asking for their values: those are unknown to a tracer."""
    for number, (part, place) in enumerate(zip(parts, places, strict=True)):
        if isinstance(part, torch.Tensor) and part.ndim == 0 and part.dtype is torch.int64:
            x = x.index_select(place, torch.where(part < 0, part + x.shape[place], part).reshape(1))
            parts[number] = 0
    return x, parts


def _beside_arrays(x: Any, parts: list[Any], places: list[int]) -> tuple[Any, ...]:
    """Make index arrays of the integers that stand beside index arrays."""
    if not any(isinstance(part, torch.Tensor) and part.ndim for part in parts):
        return tuple(parts)
    found = []
    for part, place in zip(parts, places, strict=True):
        if isinstance(part, int) and not isinstance(part, bool):
            length = x.shape[place]
            if not -length <= part < length:
                raise IndexError(f"the index {part} is out of range for axis {place} of length {length}")
            part = torch.tensor([part], device=x.device)
        elif isinstance(part, torch.Tensor) and part.ndim == 0 and part.dtype is torch.int64:
            part = part.reshape(1)
        found.append(part)
    return tuple(found)
