"""torch.utils on every backend: `data` and `checkpoint`."""

from corearray.frontend.torch.utils import checkpoint, data

__all__ = ["checkpoint", "data"]
