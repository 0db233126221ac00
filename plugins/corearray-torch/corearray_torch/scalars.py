"""Python numbers as tensors without axes, made once.

torch makes such a tensor of a number in every call, which takes longer than the addition of two small arrays.
"""

from __future__ import annotations

import math
from typing import Any

import torch

from corearray_torch.graph import writing
from corearray_torch.native import transforming

#: How many numbers of one dtype are held before all are forgotten.
_MOST = 1024

#: The tensors by dtype and number. In 16 bits torch computes with a number that is more precise than a tensor of it.
_tensors: dict[torch.dtype, dict[int | float | str, torch.Tensor]] = {
    dtype: {}
    for dtype in (torch.float32, torch.float64, torch.int8, torch.int16, torch.int32, torch.int64, torch.uint8)
}
_none: dict[int | float | str, torch.Tensor] = {}
#: Numbers that were met once: many are not met again, as those of a clock.
_seen: set[tuple[int | float | str, torch.dtype]] = set()


#: The greatest number of float16.
_GREATEST_HALF = 65504.0


def held(number: Any, beside: Any) -> Any:
    """Return a number as the dtype of an array holds it, which is infinite if it is too great; torch refuses it."""
    if beside.dtype is not torch.float16 or type(number) not in (int, float) or abs(number) <= _GREATEST_HALF:
        return number
    return torch.tensor(float(number), dtype=torch.float64).to(torch.float16).item()


def scalar_tensor(number: Any, beside: Any) -> Any:
    """Return a tensor of a number, of the dtype of an array on the CPU, or the number where torch may have that alone.

    Compilers and other tracers see numbers, and so do other devices.
    """
    if type(beside) is not torch.Tensor or not beside.is_cpu or torch.compiler.is_compiling() or writing.get():
        return number
    found = _tensors.get(beside.dtype, _none).get(number or repr(number))  # zeros of both signs are equal
    return _met(number, beside.dtype) if found is None else found


def _met(number: Any, dtype: torch.dtype) -> Any:
    """Make a tensor of a number that is met for the second time, where the tensor belongs to nobody."""
    if dtype not in _tensors or type(number) not in (int, float):
        return number
    key = number or repr(number)
    if (key, dtype) not in _seen:
        if len(_seen) >= _MOST:
            _seen.clear()
        _seen.add((key, dtype))
        return number
    if transforming():
        return number
    with torch.inference_mode(mode=False):
        made = torch.tensor(number, dtype=dtype, device="cpu")
    if type(made) is not torch.Tensor or (math.isfinite(number) and not math.isfinite(made.item())):
        return number
    if len(_tensors[dtype]) >= _MOST:
        _tensors[dtype].clear()
    _tensors[dtype][key] = made
    return made
