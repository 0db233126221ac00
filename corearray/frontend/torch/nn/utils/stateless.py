"""torch.nn.utils.stateless: the older place of `torch.func.functional_call`."""

from __future__ import annotations

from typing import Any

from corearray.frontend.torch import func

__all__ = ["functional_call"]


def functional_call(
    module: Any, parameters_and_buffers: Any, args: Any = None, kwargs: Any = None, *, tie_weights: bool = True,
    strict: bool = False,
) -> Any:  # fmt: skip
    """Call a module with other parameters and buffers, as `torch.func.functional_call` does."""
    return func.functional_call(module, parameters_and_buffers, args, kwargs, tie_weights=tie_weights, strict=strict)
