"""torch.amp on every backend: calls in half precision, and gradients that are scaled for it."""

from __future__ import annotations

from corearray.frontend.torch.amp.autocasting import autocast, custom_bwd, custom_fwd, is_autocast_available
from corearray.frontend.torch.amp.scaling import GradScaler

__all__ = ["GradScaler", "autocast", "custom_bwd", "custom_fwd", "is_autocast_available"]
