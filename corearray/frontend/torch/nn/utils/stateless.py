"""torch.nn.utils.stateless: the older name of `torch.func.functional_call`."""

from __future__ import annotations

from corearray.frontend.torch.func import functional_call

__all__ = ["functional_call"]
