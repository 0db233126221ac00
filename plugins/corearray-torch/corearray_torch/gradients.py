"""Derivatives, mapping over an axis, and compiling."""

from __future__ import annotations

import warnings
from functools import cache, wraps
from typing import Any

import torch
from torch.autograd import forward_ad

from corearray.plugin import hookimpl
from corearray_torch.graph import Recorder, at_work


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
    recorder = at_work()
    if recorder is not None:
        return _forward_on_tape(recorder, function, primals, tangents)
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
    recorder = at_work()
    if recorder is not None:
        return _reverse_on_tape(recorder, function, primals)
    outputs, pull_back, aux = torch.func.vjp(function, primals, has_aux=True)
    return outputs, aux, lambda cotangents: pull_back(cotangents)[0]


def _reverse_on_tape(recorder: Recorder, function: Any, primals: Any) -> Any:
    """Differentiate by torch's tape, whose calls torch shows to a graph; those of its transforms it does not."""
    again = recorder.derivatives_of_derivatives
    leaves = [(x.view_as(x) if x.requires_grad else x.detach()).requires_grad_() for x in primals]
    with recorder.derivative():
        outputs, aux = function(leaves)
    made = list(outputs)

    def pull_back(cotangents: Any) -> Any:
        return _gradients(recorder, made, leaves, cotangents, again)

    if again:
        return outputs, aux, pull_back
    return [x.detach() for x in outputs], [x.detach() if x.requires_grad else x for x in aux], pull_back


def _forward_on_tape(recorder: Recorder, function: Any, primals: Any, tangents: Any) -> Any:
    """Differentiate what pulls gradients back, which is linear in them, by them."""
    again = recorder.derivatives_of_derivatives
    with recorder.derivative():
        outputs, aux, pull_back = _reverse_on_tape(recorder, function, primals)
        cotangents = [torch.zeros_like(x).requires_grad_() for x in outputs]
        pulled = pull_back(cotangents)
    derivatives = _gradients(recorder, pulled, cotangents, tangents, again)
    if again:
        return outputs, derivatives, aux
    return [x.detach() for x in outputs], derivatives, [x.detach() if x.requires_grad else x for x in aux]


def _gradients(recorder: Recorder, outputs: Any, leaves: Any, cotangents: Any, again: bool) -> Any:
    pairs = [(x, cotangent) for x, cotangent in zip(outputs, cotangents, strict=True) if x.requires_grad]
    made: Any = [None] * len(leaves)
    if pairs:
        ends, starts = map(list, zip(*pairs, strict=True))
        made = torch.autograd.grad(ends, leaves, starts, retain_graph=True, create_graph=again, allow_unused=True)
        if not again:
            recorder.backward(leaves)
    return [torch.zeros_like(x) if slope is None else slope for x, slope in zip(leaves, made, strict=True)]


@hookimpl
def stop_gradient(x: Any, /) -> Any:
    return x.detach().clone()


@hookimpl
def vectorized(function: Any, natives: Any) -> Any:
    if at_work() is not None:
        rows = [function([x[i] for x in natives]) for i in range(len(natives[0]))]
        return [torch.stack(column) for column in zip(*rows, strict=True)]
    return torch.vmap(function)(natives)
