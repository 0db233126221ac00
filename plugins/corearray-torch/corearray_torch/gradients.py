"""Derivatives, mapping over an axis, and compiling."""

from __future__ import annotations

import warnings
from functools import cache, wraps
from typing import Any

import torch
from torch.autograd import forward_ad

from corearray.plugin import hookimpl


@hookimpl
def compiled_function(function: Any, static_argnums: Any, static_argnames: Any, dynamic: bool, options: Any) -> Any:
    """Compile; torch takes what is no tensor for constant by itself, and compiles again for other values.

    Where a program is left to Python in between, torch reads it again from the start, and must find what it found. What was
    composed meanwhile is found ready, so that it has to begin anew, each time with more of it.
    """
    compiled = torch.compile(function, dynamic=dynamic, **options)

    @wraps(function)
    def call(*args: Any, **keywords: Any) -> Any:
        while True:
            try:
                return compiled(*args, **keywords)
            except AssertionError as error:
                if type(error).__name__ != "SpeculationLogDivergence":
                    raise

    return call


@hookimpl
def custom_gradient(function: Any, pull_back: Any, natives: Any) -> Any:
    """Make a class for the call; what is returned as it was given would be no result of it."""

    class Computed(torch.autograd.Function):
        generate_vmap_rule = True

        @staticmethod
        def forward(*natives: Any) -> Any:
            return tuple(y.clone() if any(y is x for x in natives) else y for y in function(natives))

        @staticmethod
        def setup_context(context: Any, inputs: Any, output: Any) -> None:
            context.save_for_backward(*inputs, *output)

        @staticmethod
        def backward(context: Any, *cotangents: Any) -> Any:
            saved = context.saved_tensors
            return tuple(pull_back(saved[: len(natives)], saved[len(natives) :], cotangents))

    return Computed.apply(*natives)


@hookimpl
def forward_mode(function: Any, primals: Any, tangents: Any) -> Any:
    _prepare()
    return torch.func.jvp(function, (primals,), (tangents,), has_aux=True)


@cache
def _prepare() -> None:
    """Let torch load its rules for forward mode, which it does at first use, with a warning that is for itself."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        with forward_ad.dual_level():
            forward_ad.make_dual(torch.zeros(()), torch.zeros(()))


@hookimpl
def reverse_mode(function: Any, primals: Any) -> Any:
    outputs, pull_back, aux = torch.func.vjp(function, primals, has_aux=True)
    return outputs, aux, lambda cotangents: pull_back(cotangents)[0]


@hookimpl
def stop_gradient(x: Any, /) -> Any:
    return x.detach().clone()


@hookimpl
def vectorized(function: Any, natives: Any) -> Any:
    return torch.vmap(function)(natives)
