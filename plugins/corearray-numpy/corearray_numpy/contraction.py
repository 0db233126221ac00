"""Sums of products over named axes."""

from __future__ import annotations

from typing import Any

import numpy as np

from corearray.plugin import hookimpl, read_equation
from corearray_numpy.native import HALF

#: From this many elements on, looking for the order of the products and using BLAS pays.
_MANY = 2000


@hookimpl(via=HALF)
def einsum(equation: str, /, *operands: Any) -> Any:
    text = read_equation(equation, tuple([x.ndim for x in operands])).text
    result = np.einsum(text, *operands, optimize=sum([x.size for x in operands]) >= _MANY)
    return result.copy() if len(operands) == 1 and np.may_share_memory(result, operands[0]) else result
