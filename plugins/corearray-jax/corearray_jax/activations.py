"""Activations of `jax.nn`, and the composition for complex numbers; its `soft_sign` is NaN at infinities."""

from __future__ import annotations

from typing import Any

import jax
from jax import lax
from jax import numpy as jnp

from corearray.plugin import hookimpl
from corearray_jax.native import HALF, compiled


def _is_axis(axis: Any) -> bool:
    """Guard: JAX takes `None` for all axes."""
    return axis is not None


def _is_divisor(alpha: float) -> bool:
    return alpha != 0


def _is_known(approximate: str) -> bool:
    return approximate in ("none", "tanh")


@compiled()
def _celu(x: Any, alpha: float) -> Any:
    return jax.nn.celu(x, alpha)


@hookimpl(when=_is_divisor)
def celu(x: Any, /, alpha: float = 1.0) -> Any:
    return _celu(x, alpha)


@compiled()
def _elu(x: Any, alpha: float) -> Any:
    return jax.nn.elu(x, alpha)


@hookimpl
def elu(x: Any, /, alpha: float = 1.0) -> Any:
    return _elu(x, alpha)


@compiled("approximate")
def _gelu(x: Any, approximate: str) -> Any:
    return jax.nn.gelu(x, approximate=approximate == "tanh")


@hookimpl(when=_is_known, via=HALF)
def gelu(x: Any, /, approximate: str = "none") -> Any:
    return _gelu(x, approximate)


@compiled()
def _hardsigmoid(x: Any) -> Any:
    return jax.nn.hard_sigmoid(x)


@hookimpl(native=_hardsigmoid)
def hardsigmoid(x: Any, /) -> Any: ...


@compiled()
def _hardswish(x: Any) -> Any:
    return jax.nn.hard_swish(x)


@hookimpl(native=_hardswish)
def hardswish(x: Any, /) -> Any: ...


@compiled()
def _leaky_relu(x: Any, negative_slope: float) -> Any:
    return jnp.where(x > 0, x, negative_slope * x)  # whose derivative at zero is the slope; JAX's own has 1


@hookimpl(lacks=("complex floating",))
def leaky_relu(x: Any, /, negative_slope: float = 0.01) -> Any:
    return _leaky_relu(x, negative_slope)


@compiled("axis")
def _log_softmax(x: Any, axis: int) -> Any:
    return jax.nn.log_softmax(x, axis)


@hookimpl(when=_is_axis, lacks=("complex floating",), via=HALF)
def log_softmax(x: Any, /, axis: int = -1) -> Any:
    return _log_softmax(x, axis)


@compiled()
def _logsigmoid(x: Any) -> Any:
    return jax.nn.log_sigmoid(x)


@hookimpl(native=_logsigmoid)
def logsigmoid(x: Any, /) -> Any: ...


@compiled()
def _mish(x: Any) -> Any:
    return jax.nn.mish(x)


@hookimpl(native=_mish, lacks=("complex floating",))
def mish(x: Any, /) -> Any: ...


@compiled()
def _relu(x: Any) -> Any:
    return jax.nn.relu(x)


@hookimpl(native=_relu, lacks=("complex floating",))
def relu(x: Any, /) -> Any: ...


@compiled()
def _relu6(x: Any) -> Any:
    return jax.nn.relu6(x)


@hookimpl(native=_relu6, lacks=("bool", "integral"))
def relu6(x: Any, /) -> Any: ...


@compiled()
def _selu(x: Any) -> Any:
    return jax.nn.selu(x)


@hookimpl(native=_selu)
def selu(x: Any, /) -> Any: ...


@compiled()
def _sigmoid(x: Any) -> Any:
    return lax.logistic(x)


@hookimpl(native=_sigmoid, lacks=("complex floating",))
def sigmoid(x: Any, /) -> Any: ...


@compiled()
def _silu(x: Any) -> Any:
    return jax.nn.silu(x)


@hookimpl(native=_silu, lacks=("complex floating",))
def silu(x: Any, /) -> Any: ...


@compiled("axis")
def _softmax(x: Any, axis: int) -> Any:
    return jax.nn.softmax(x, axis)


@hookimpl(when=_is_axis, lacks=("complex floating",), via=HALF)
def softmax(x: Any, /, axis: int = -1) -> Any:
    return _softmax(x, axis)
