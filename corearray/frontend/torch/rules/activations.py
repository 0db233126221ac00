"""Activations, in `torch` and in `torch.nn.functional`."""

from __future__ import annotations

from typing import Any

import corearray as ca
from corearray.frontend.torch.described import rule, say
from corearray.frontend.torch.promotion import array, cast, category, floating

__all__: list[str] = []

say("""
torch.relu(input) = relu_of(input)
torch.nn.functional.relu(input, inplace=False) = relu_of(input)
torch.nn.functional.relu6(input, inplace=False) = within(input, 0, 6)
torch.sigmoid(input, *, out=None) = ca.sigmoid(floating(input))
torch.nn.functional.sigmoid(input) = ca.sigmoid(floating(input))
torch.nn.functional.tanh(input) = ca.tanh(floating(input))
torch.nn.functional.silu(input, inplace=False) = ca.silu(input)
torch.nn.functional.mish(input, inplace=False) = ca.mish(input)
torch.nn.functional.hardswish(input, inplace=False) = ca.hardswish(input)
torch.nn.functional.hardsigmoid(input, inplace=False) = ca.hardsigmoid(input)
torch.nn.functional.hardtanh(input, min_val=-1.0, max_val=1.0, inplace=False) = within(input, min_val, max_val)
torch.nn.functional.leaky_relu(input, negative_slope=0.01, inplace=False) = ca.leaky_relu(input,
    negative_slope=negative_slope)
torch.nn.functional.elu(input, alpha=1.0, inplace=False) = ca.elu(input, alpha=alpha)
torch.celu | torch.nn.functional.celu (input, alpha=1.0, inplace=False) = ca.celu(input, alpha=alpha)
torch.selu | torch.nn.functional.selu (input, inplace=False) = ca.selu(input)
torch.nn.functional.softplus(input, beta=1, threshold=20) = ca.softplus(input, beta=beta, threshold=threshold)
torch.nn.functional.softsign(input) = ca.divide(floating(input), floating(1 + ca.abs(input)))
torch.nn.functional.softshrink(input, lambd=0.5) = ca.softshrink(input, lambd=lambd)
torch.hardshrink | torch.nn.functional.hardshrink (input, lambd=0.5) = ca.hardshrink(input, lambd=lambd)
torch.nn.functional.tanhshrink(input) = ca.tanhshrink(floating(input))
torch.nn.functional.logsigmoid(input) = ca.logsigmoid(input)
torch.threshold | torch.nn.functional.threshold (input, threshold, value, inplace=False) = ca.where(input > threshold,
    input,
    array(value, input.dtype))
torch.prelu | torch.nn.functional.prelu (input, weight) = parametric(input, weight)
torch.nn.functional.glu(input, dim=-1) = gated(input, dim)
torch.logit | torch.special.logit (input, eps=None, *, out=None) = ca.logit(floating(input), eps=eps)
torch.softmax(input, dim, dtype=None, *, out=None) = ca.softmax(cast(input, dtype),
    axis=dim) if input.ndim else unit(input, dtype)
torch.nn.functional.softmax(input, dim=None, _stacklevel=3, dtype=None) = soft(ca.softmax, input, dim, dtype)
torch.nn.functional.softmin(input, dim=None, _stacklevel=3, dtype=None) = soft(ca.softmax, -input, dim, dtype)
torch.log_softmax(input, dim, dtype=None, *, out=None) = soft(ca.log_softmax, input, dim, dtype)
torch.nn.functional.log_softmax(input, dim=None, _stacklevel=3, dtype=None) = soft(ca.log_softmax, input, dim, dtype)
""")


def relu_of(input: ca.Array) -> ca.Array:
    """Return what is above zero, in the dtype of the input."""
    return ca.relu(input) if category(input.dtype) == "f" else ca.maximum(input, array(0, input.dtype))


def within(input: ca.Array, low: float, high: float) -> ca.Array:
    """Clip to fixed bounds, in the dtype of the input; an element at a bound has a derivative of zero."""
    if ca.isdtype(input.dtype, "real floating"):
        return ca.hardtanh(input, min_val=low, max_val=high)
    return ca.clip(input, array(low, input.dtype), array(high, input.dtype))


def unit(input: ca.Array, dtype: Any) -> ca.Array:
    """Return the softmax of an array without axes."""
    return ca.softmax(ca.reshape(cast(input, dtype), (1,)), axis=0)[0]


def soft(function: Any, input: ca.Array, dim: int | None, dtype: Any) -> ca.Array:
    """Apply a softmax; without an axis torch chooses one by the number of axes."""
    input = cast(input, dtype)
    if dim is None:
        dim = 0 if input.ndim in (0, 1, 3) else 1
    made: ca.Array = function(input, axis=dim) if input.ndim else function(ca.reshape(input, (1,)), axis=0)[0]
    return made


def parametric(input: ca.Array, weight: ca.Array) -> ca.Array:
    """Apply PReLU with one weight, or one for each channel."""
    if input.ndim > 2 and weight.ndim == 1:
        weight = ca.reshape(weight, (-1, *[1] * (input.ndim - 2)))
    return ca.where(input > 0, input, ca.multiply(input, weight))


def gated(input: ca.Array, dim: int) -> ca.Array:
    """Multiply the first half by the sigmoid of the second."""
    first, second = ca.split(input, 2, axis=dim)
    return ca.multiply(first, ca.sigmoid(second))


@rule("torch.nn.functional.gelu_v_1p12_and_above")
def gelu(input: ca.Array, approximate: str = "none") -> ca.Array:
    return ca.gelu(input, approximate=approximate)


@rule("torch.nn.functional.gelu_v_1p11_and_below")
def exact_gelu(input: ca.Array) -> ca.Array:
    return ca.gelu(input)


@rule("torch.rrelu", "torch.nn.functional.rrelu")
def rrelu(
    input: ca.Array, lower: float = 1.0 / 8, upper: float = 1.0 / 3, training: bool = False, inplace: bool = False
) -> ca.Array:
    if not training:
        return ca.leaky_relu(input, negative_slope=(lower + upper) / 2)
    slope = ca.random.default_generator().uniform(lower, upper, shape=input.shape, dtype=input.dtype)
    return ca.where(input < 0, input * slope, input)


@rule("torch.nn.functional.gumbel_softmax")
def gumbel_softmax(logits: ca.Array, tau: float = 1, hard: bool = False, eps: float = 1e-10, dim: int = -1) -> ca.Array:
    noise = ca.random.default_generator().exponential(shape=logits.shape, dtype=logits.dtype)
    drawn = ca.softmax((logits - ca.log(noise)) / tau, axis=dim)
    if not hard:
        return drawn
    axis = dim % drawn.ndim
    one = ca.one_hot(ca.argmax(drawn, axis=axis), drawn.shape[axis], axis=axis, dtype=drawn.dtype)
    return one - ca.stop_gradient(drawn) + drawn
