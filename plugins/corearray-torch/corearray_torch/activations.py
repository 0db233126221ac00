"""Activations of `torch.nn.functional`, without what is wrong at infinities: `softsign`, and on CPUs `gelu`."""

from __future__ import annotations

import math
from typing import Any

import torch
from torch.nn import functional

from corearray.plugin import hookimpl
from corearray_torch.native import TRUTH_TO_INT64, UNSIGNED, extreme, transforming
from corearray_torch.scalars import held


def _has_axes(x: Any) -> bool:
    """Guard: torch sees an axis in an array without any."""
    return bool(x.ndim)


def _is_divisor(alpha: float) -> bool:
    return alpha != 0


def _is_size(lambd: float) -> bool:
    return lambd >= 0


@hookimpl(native=functional.celu, when=_is_divisor)
def celu(x: Any, /, alpha: float = 1.0) -> Any: ...


@hookimpl(native=functional.elu, trusts_framework=True)
def elu(x: Any, /, alpha: float = 1.0) -> Any: ...


#: The dtypes for which oneDNN computes `gelu` on CPUs, and makes NaN of infinity.
_BY_ONEDNN = frozenset({torch.float32, torch.bfloat16})


def _is_exact(approximate: str) -> bool:
    return approximate == "none"


@hookimpl(when=_is_exact, lacks=("complex floating",))
def gelu(x: Any, /, approximate: str = "none") -> Any:
    """Compute it as torch does; the sum, which takes the least time of all looks, tells whether there may be an infinity."""
    found = functional.gelu(x)
    if x.dtype in _BY_ONEDNN and x.is_cpu:
        total = extreme(torch.sum, found)
        if total is None or math.isnan(total):
            above = x == math.inf
            found = torch.where(above, x, functional.gelu(torch.where(above, 0.0, x)))
    return found


def _has_halves(x: Any, axis: int) -> bool:
    return -x.ndim <= axis < x.ndim and x.shape[axis] % 2 == 0


@hookimpl(native=functional.glu, when=_has_halves)
def glu(x: Any, /, axis: int = -1) -> Any: ...


@hookimpl(native=functional.hardshrink, trusts_framework=True)
def hardshrink(x: Any, /, lambd: float = 0.5) -> Any: ...


@hookimpl(lacks=("complex floating",))
def hardsigmoid(x: Any, /) -> Any:
    """torch's own has no second derivative."""
    return functional.relu6(x + 3) / 6 if x.requires_grad or transforming() else functional.hardsigmoid(x)


@hookimpl(native=functional.hardswish, trusts_framework=True)
def hardswish(x: Any, /) -> Any: ...


@hookimpl(native=functional.hardtanh, trusts_framework=True)
def hardtanh(x: Any, /, min_val: float = -1.0, max_val: float = 1.0) -> Any: ...


@hookimpl(native=functional.leaky_relu, lacks=("complex floating",))
def leaky_relu(x: Any, /, negative_slope: float = 0.01) -> Any: ...


@hookimpl(native=torch.log_softmax, when=_has_axes, lacks=("complex floating",), via={"float16": "float32"})
def log_softmax(x: Any, /, axis: int = -1) -> Any: ...


@hookimpl(native=functional.logsigmoid, trusts_framework=True)
def logsigmoid(x: Any, /) -> Any: ...


@hookimpl(lacks=("complex floating",))
def mish(x: Any, /) -> Any:
    """torch's second derivative of great numbers is NaN, where the function is the identity to the last digit."""
    if x.requires_grad or transforming():
        greatest = extreme(torch.max, x)
        if greatest is None or greatest > 40.0:
            return torch.where(x > 40.0, x, functional.mish(x.clamp(max=40.0)))
    return functional.mish(x)


@hookimpl(native=torch.relu, lacks=("complex floating", *UNSIGNED), via=TRUTH_TO_INT64)
def relu(x: Any, /) -> Any: ...


@hookimpl(native=functional.relu6, lacks=("complex floating", *UNSIGNED), via=TRUTH_TO_INT64)
def relu6(x: Any, /) -> Any: ...


@hookimpl(native=torch.selu, trusts_framework=True)
def selu(x: Any, /) -> Any: ...


@hookimpl(native=torch.sigmoid, lacks=("complex floating",))
def sigmoid(x: Any, /) -> Any: ...


@hookimpl(native=functional.silu, lacks=("complex floating",))
def silu(x: Any, /) -> Any: ...


@hookimpl(native=torch.softmax, when=_has_axes, lacks=("complex floating",))
def softmax(x: Any, /, axis: int = -1) -> Any: ...


@hookimpl(when=lambda beta: beta != 0, lacks=("complex floating",))
def softplus(x: Any, /, beta: float = 1.0, threshold: float | None = None) -> Any:
    """Above 40 the result is the argument in every dtype, and the exponentials do not overflow yet."""
    return functional.softplus(x, beta, 40.0 if threshold is None else threshold)


@hookimpl(native=functional.softshrink, when=_is_size)
def softshrink(x: Any, /, lambd: float = 0.5) -> Any: ...


@hookimpl(trusts_framework=True)
def threshold(x: Any, /, threshold: float = 0.0, value: float = 0.0) -> Any:
    return functional.threshold(x, held(threshold, x), held(value, x))
