"""torch.autograd on every backend: gradients, derivatives of functions, and functions with derivatives of their own."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any

from corearray.frontend.namespaces import attribute
from corearray.frontend.torch.autograd import functional
from corearray.frontend.torch.autograd.custom import Function
from corearray.frontend.torch.backward import grad
from corearray.frontend.torch.grad_mode import enable_grad, no_grad, set_grad_enabled

__all__ = [
    "Function", "backward", "detect_anomaly", "enable_grad", "functional", "grad", "no_grad", "set_detect_anomaly",
    "set_grad_enabled",
]  # fmt: skip


def backward(
    tensors: Any, grad_tensors: Any = None, retain_graph: bool | None = None, create_graph: bool = False
) -> None:
    """Add the gradients of tensors up in the leaves that need them."""
    given = tensors if isinstance(tensors, (tuple, list)) else (tensors,)
    starts = grad_tensors if isinstance(grad_tensors, (tuple, list)) else (grad_tensors,) * len(given)
    for x, start in zip(given, starts, strict=True):
        x.backward(start, retain_graph, create_graph)


def detect_anomaly(check_nan: bool = True) -> Any:
    """Return a block without effect: errors of derivatives show the recorded calls anyway."""
    return nullcontext()


def set_detect_anomaly(mode: bool, check_nan: bool = True) -> Any:
    """Return a block without effect, as `detect_anomaly` does."""
    return nullcontext()


def __getattr__(name: str) -> Any:
    """Find a function of a rule, as which transpiled programs are written (PEP 562)."""
    return attribute(__name__, name)
