"""Names of torch's modules below `torch.nn`."""

from __future__ import annotations

__all__ = ["MODULES"]

_PARTS = (
    "activation adaptive batchnorm channelshuffle container conv distance dropout flatten fold instancenorm lazy linear loss "
    "module normalization padding pixelshuffle pooling rnn sparse transformer upsampling"
)

#: Modules whose classes are those of `torch.nn`.
MODULES = frozenset({"modules", "parameter", "parallel", *(f"modules.{name}" for name in _PARTS.split())})
