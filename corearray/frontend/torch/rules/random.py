"""Random numbers, from the generator of the context: torch's distributions, not torch's numbers."""

from __future__ import annotations

from math import log1p
from typing import Any

import corearray as ca
from corearray.errors import CoreArrayRuntimeError
from corearray.frontend.torch.described import rule, say
from corearray.frontend.torch.promotion import default_dtype, dtype_of, floating
from corearray.frontend.torch.templates import ints

__all__: list[str] = []

say("""
torch.rand(*size, generator=None, out=None, dtype=None, layout=None, device=None, requires_grad=False, pin_memory=None,
    names=None) =
    drawn().uniform(shape=ints(size), dtype=dtype_of(dtype) or default_dtype())
torch.randn(*size, generator=None, out=None, dtype=None, layout=None, device=None, requires_grad=False, pin_memory=None,
    names=None) =
    drawn().normal(shape=ints(size), dtype=dtype_of(dtype) or default_dtype())
torch.rand_like(input, *, generator=None, dtype=None, layout=None, device=None, requires_grad=False, memory_format=None) =
    drawn().uniform(shape=input.shape, dtype=dtype_of(dtype) or input.dtype)
torch.randn_like(input, *, generator=None, dtype=None, layout=None, device=None, requires_grad=False, memory_format=None) =
    drawn().normal(shape=input.shape, dtype=dtype_of(dtype) or input.dtype)
torch.randperm(n, *, generator=None, out=None, dtype=None, layout=None, device=None, requires_grad=False, pin_memory=None) =
    ca.astype(drawn().permutation(n), dtype_of(dtype) or ca.int64)
torch.bernoulli(input, *, generator=None, out=None) = ca.astype(drawn().bernoulli(input), input.dtype)
torch.poisson(input, generator=None) = ca.astype(drawn().poisson(input), input.dtype)
torch.Tensor.uniform(input, from_=0.0, to=1.0, *, generator=None) = drawn().uniform(from_, to, shape=input.shape,
    dtype=input.dtype)
torch.Tensor.random_(input, *bounds, generator=None) = ca.astype(drawn().integers(*whole_bounds(bounds, input.dtype),
    shape=input.shape), input.dtype)
torch.Tensor.normal(input, mean=0.0, std=1.0, *, generator=None) = drawn().normal(mean, std, shape=input.shape,
    dtype=input.dtype)
torch.Tensor.exponential(input, lambd=1.0, *, generator=None) = drawn().exponential(1.0 / lambd, shape=input.shape,
    dtype=input.dtype)
torch.Tensor.log_normal(input, mean=1.0, std=2.0, *, generator=None) = ca.exp(drawn().normal(mean, positive("log_normal_",
    std=std), shape=input.shape, dtype=input.dtype))
torch.Tensor.cauchy(input, median=0.0, sigma=1.0, *, generator=None) = median + positive("cauchy_", sigma=sigma) * ca.tan(
    ca.pi * (drawn().uniform(shape=input.shape, dtype=input.dtype) - 0.5))
torch.Tensor.geometric(input, p, *, generator=None) = trials(p, input)
torch.Tensor.bernoulli_(input, p=0.5, *, generator=None) = ca.astype(drawn().bernoulli(p, shape=input.shape), input.dtype)
""")


def drawn() -> ca.random.Generator:
    """Return the generator of the context."""
    return ca.random.default_generator()


def whole_bounds(bounds: tuple[int, ...], dtype: ca.DType) -> tuple[int, int]:
    """Return the bounds of `Tensor.random_`, without any those of the numbers that the dtype holds exactly."""
    if len(bounds) == 2:
        return bounds[0], bounds[1]
    if bounds:
        return 0, bounds[0]
    digits = {"float16": 11, "bfloat16": 8, "float32": 24, "float64": 53, "bool": 1}.get(str(dtype))
    return (0, 2**digits + (digits > 1)) if digits else (0, min(ca.iinfo(dtype).max, 2**62))


def positive(function: str, **option: float) -> float:
    """Return the value of an option that is above zero."""
    ((name, value),) = option.items()
    if not value > 0:
        raise CoreArrayRuntimeError(f"{function} expects {name} > 0.0, but found {name}={value}")
    return value


def trials(p: float, like: ca.Array) -> ca.Array:
    """Draw the number of trials up to the first success, from 1 up."""
    if not 0 < p < 1:
        raise CoreArrayRuntimeError(f"geometric_ expects p to be in (0, 1), but got p={p}")
    time = ca.log1p(-drawn().uniform(shape=like.shape, dtype=floating(like).dtype)) / log1p(-p)
    return ca.astype(ca.maximum(ca.ceil(time), 1), like.dtype)


@rule("torch.normal")
def normal(
    mean: Any,
    std: Any = 1.0,
    size: Any = None,
    *,
    generator: Any = None,
    out: Any = None,
    dtype: Any = None,
    device: Any = None,
) -> ca.Array:
    if size is not None:
        return drawn().normal(mean, std, shape=ints((size,)), dtype=dtype_of(dtype) or default_dtype())
    model = mean if isinstance(mean, ca.Array) else std
    shape = ca.broadcast_shapes(*(tuple(x.shape) for x in (mean, std) if isinstance(x, ca.Array)))
    return drawn().normal(shape=shape, dtype=model.dtype) * std + mean


@rule("torch.randint")
def randint(
    *bounds: Any, low: Any = None, high: Any = None, size: Any = None, generator: Any = None, out: Any = None,
    dtype: Any = None, layout: Any = None, device: Any = None, requires_grad: bool = False,
) -> ca.Array:  # fmt: skip
    given = list(bounds)
    if size is None:
        size = given.pop()
    numbers = [x for x in (low, *given, high) if x is not None]
    start, end = (0, numbers[0]) if len(numbers) == 1 else numbers
    return ca.astype(drawn().integers(start, end, shape=ints((size,))), dtype_of(dtype) or ca.int64)


@rule("torch.randint_like")
def randint_like(
    input: ca.Array, *bounds: Any, low: int = 0, high: Any = None, dtype: Any = None, layout: Any = None, device: Any = None,
    requires_grad: bool = False, memory_format: Any = None, generator: Any = None,
) -> ca.Array:  # fmt: skip
    start, end = (low, bounds[0] if bounds else high) if len(bounds) < 2 else bounds
    return ca.astype(drawn().integers(start, end, shape=input.shape), dtype_of(dtype) or input.dtype)


@rule("torch.multinomial")
def multinomial(
    input: ca.Array, num_samples: int, replacement: bool = False, *, generator: Any = None, out: Any = None
) -> ca.Array:
    shape = (*input.shape[:-1], num_samples)
    if replacement:
        total = ca.cumulative_sum(input, axis=-1)
        at = drawn().uniform(shape=shape, dtype=input.dtype) * total[..., -1:]
        return ca.sum(ca.astype(ca.expand_dims(at, -1) >= ca.expand_dims(total, -2), ca.int64), axis=-1)
    race = ca.log(input) - ca.log(drawn().exponential(shape=input.shape, dtype=input.dtype))
    return ca.astype(ca.top_k(race, num_samples, axis=-1)[1], ca.int64)
