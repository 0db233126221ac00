"""Clipping of gradients, and parameters as one vector."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import corearray as ca
from corearray.errors import CoreArrayRuntimeError, CoreArrayValueError
from corearray.frontend.frontend import get_frontend
from corearray.frontend.torch.wrapper import Tensor

__all__ = [
    "clip_grad_norm_", "clip_grad_value_", "clip_grads_with_norm_", "get_total_norm", "parameters_to_vector",
    "vector_to_parameters",
]  # fmt: skip


def get_total_norm(
    tensors: Tensor | Iterable[Tensor], norm_type: float = 2.0, error_if_nonfinite: bool = False
) -> Tensor:
    """Return the norm of all tensors together.

    Raises
    ------
    RuntimeError
        If it is no finite number and `error_if_nonfinite` is true.
    """
    given = _listed(tensors)
    if not given:
        found: Tensor = get_frontend("torch").zeros(())
        return found
    norms = ca.stack([ca.linalg.vector_norm(x.array, ord=norm_type) for x in given])
    total = ca.linalg.vector_norm(norms, ord=norm_type)
    if error_if_nonfinite and not bool(ca.isfinite(total)):
        raise CoreArrayRuntimeError(
            f"the norm of order {norm_type} of the gradients is {float(total)}, and cannot be clipped"
        )
    made: Tensor = given[0]._frontend.Tensor(total)
    return made


def clip_grad_norm_(
    parameters: Tensor | Iterable[Tensor], max_norm: float, norm_type: float = 2.0, error_if_nonfinite: bool = False,
    foreach: bool | None = None,
) -> Tensor:  # fmt: skip
    """Scale the gradients of parameters so that their norm is at most `max_norm`, and return the norm before.

    Examples
    --------
    >>> import corearray as ca
    >>> import corearray.frontend.torch as torch
    >>> with ca.backend_context("torch"):
    ...     w = torch.tensor([3.0, 4.0], requires_grad=True)
    ...     (w * w).sum().backward()
    ...     norm = torch.nn.utils.clip_grad_norm_([w], 1.0)
    >>> float(norm), [round(x, 4) for x in w.grad.tolist()]
    (10.0, [0.6, 0.8])
    """
    given = _listed(parameters)
    total = get_total_norm([x.grad for x in given if x.grad is not None], norm_type, error_if_nonfinite)
    clip_grads_with_norm_(given, max_norm, total)
    return total


def clip_grads_with_norm_(
    parameters: Tensor | Iterable[Tensor], max_norm: float, total_norm: Tensor, foreach: bool | None = None
) -> None:
    """Scale the gradients of parameters by `max_norm / total_norm` where that is below 1."""
    for x in _listed(parameters):
        if x.grad is not None:
            grad = x.grad.array
            factor = ca.minimum(max_norm / (total_norm.array + 1e-6), ca.ones_like(total_norm.array))
            x.grad.array = ca.astype(grad * factor, grad.dtype)


def clip_grad_value_(parameters: Tensor | Iterable[Tensor], clip_value: float, foreach: bool | None = None) -> None:
    """Clip each element of the gradients of parameters between `-clip_value` and `clip_value`."""
    for x in _listed(parameters):
        if x.grad is not None:
            x.grad.array = ca.clip(x.grad.array, -clip_value, clip_value)


def parameters_to_vector(parameters: Iterable[Tensor]) -> Tensor:
    """Return all parameters as one vector, which can be differentiated."""
    given = _listed(parameters)
    if not given:
        raise CoreArrayValueError("'parameters_to_vector' got no parameters")
    found: Tensor = given[0]._frontend.cat([x.reshape(-1) for x in given])
    return found


def vector_to_parameters(vec: Tensor, parameters: Iterable[Tensor]) -> None:
    """Replace the arrays of parameters by the parts of a vector."""
    start = 0
    for x in _listed(parameters):
        count = math.prod(x.shape)
        x.array = ca.reshape(vec.array[start : start + count], tuple(x.array.shape))
        start += count


def _listed(tensors: Any) -> list[Tensor]:
    return [tensors] if isinstance(tensors, Tensor) else list(tensors)
