"""Activation functions: one task a chunk each."""

from __future__ import annotations

from typing import Any

from corearray.plugin import hookimpl
from corearray_dask.blocks import along, each


@hookimpl
def celu(x: Any, /, *, alpha: Any = 1.0) -> Any:
    return each("celu", x, alpha=alpha)


@hookimpl
def elu(x: Any, /, *, alpha: Any = 1.0) -> Any:
    return each("elu", x, alpha=alpha)


@hookimpl
def gelu(x: Any, /, *, approximate: Any = "none") -> Any:
    return each("gelu", x, approximate=approximate)


@hookimpl
def hardshrink(x: Any, /, *, lambd: Any = 0.5) -> Any:
    return each("hardshrink", x, lambd=lambd)


@hookimpl
def hardsigmoid(x: Any, /) -> Any:
    return each("hardsigmoid", x)


@hookimpl
def hardswish(x: Any, /) -> Any:
    return each("hardswish", x)


@hookimpl
def hardtanh(x: Any, /, *, min_val: Any = -1.0, max_val: Any = 1.0) -> Any:
    return each("hardtanh", x, min_val=min_val, max_val=max_val)


@hookimpl
def leaky_relu(x: Any, /, *, negative_slope: Any = 0.01) -> Any:
    return each("leaky_relu", x, negative_slope=negative_slope)


@hookimpl
def logit(x: Any, /, *, eps: Any = None) -> Any:
    return each("logit", x, eps=eps)


@hookimpl
def logsigmoid(x: Any, /) -> Any:
    return each("logsigmoid", x)


@hookimpl
def mish(x: Any, /) -> Any:
    return each("mish", x)


@hookimpl
def relu(x: Any, /) -> Any:
    return each("relu", x)


@hookimpl
def relu6(x: Any, /) -> Any:
    return each("relu6", x)


@hookimpl
def scaled_tanh(x: Any, /, *, alpha: Any = 1.7159, beta: Any = 0.6666666666666666) -> Any:
    return each("scaled_tanh", x, alpha=alpha, beta=beta)


@hookimpl
def selu(x: Any, /) -> Any:
    return each("selu", x)


@hookimpl
def sigmoid(x: Any, /) -> Any:
    return each("sigmoid", x)


@hookimpl
def silu(x: Any, /) -> Any:
    return each("silu", x)


@hookimpl
def softplus(x: Any, /, *, beta: Any = 1.0, threshold: Any = None) -> Any:
    return each("softplus", x, beta=beta, threshold=threshold)


@hookimpl
def softshrink(x: Any, /, *, lambd: Any = 0.5) -> Any:
    return each("softshrink", x, lambd=lambd)


@hookimpl
def softsign(x: Any, /) -> Any:
    return each("softsign", x)


@hookimpl
def tanhshrink(x: Any, /) -> Any:
    return each("tanhshrink", x)


@hookimpl
def threshold(x: Any, /, threshold: Any = 0.0, value: Any = 0.0) -> Any:
    return each("threshold", x, threshold, value)


@hookimpl
def thresholded_relu(x: Any, /, *, threshold: Any = 1.0) -> Any:
    return each("thresholded_relu", x, threshold=threshold)


@hookimpl
def glu(x: Any, /, *, axis: int = -1) -> Any:
    return along("glu", axis, x, axis=axis)


@hookimpl
def log_softmax(x: Any, /, *, axis: int = -1) -> Any:
    return along("log_softmax", axis, x, axis=axis)


@hookimpl
def softmax(x: Any, /, *, axis: int = -1) -> Any:
    return along("softmax", axis, x, axis=axis)
