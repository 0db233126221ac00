"""torch's functions on every backend: `import corearray.frontend.torch as torch`, and the rest of the code stays as it is.

Its functions take and return `Tensor`, and also take arrays of corearray and of the frameworks, lists and numbers. What a
function is depends on the version of torch that is installed, or the newest known one; `corearray.frontend.get_frontend`
gives other versions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from corearray.frontend.namespaces import attribute, names

if TYPE_CHECKING:
    from corearray.frontend.torch.grad_mode import enable_grad, no_grad, set_grad_enabled
    from corearray.frontend.torch.size import Size
    from corearray.frontend.torch.wrapper import Tensor

__all__ = ["Size", "Tensor", "enable_grad", "no_grad", "set_grad_enabled"]


def __getattr__(name: str) -> Any:
    """Find a function, namespace or constant of the frontend (PEP 562)."""
    return attribute(__name__, name)


def __dir__() -> list[str]:
    """Name the functions and namespaces of the frontend."""
    return sorted({*__all__, *names(__name__)})
