"""`LinearCrossEntropyLoss`: a linear layer and the cross entropy of its results."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from corearray.errors import CoreArrayNotImplementedError
from corearray.frontend.torch.nn.module import Module

if TYPE_CHECKING:
    from corearray.frontend.frontend import Frontend

__all__ = ["LinearCrossEntropyLoss", "LinearCrossEntropyOptions"]


@dataclass
class LinearCrossEntropyOptions:
    """In what parts torch computes the loss; here they change nothing."""

    allow_retain_graph: bool = False
    batch_chunk_size: int | None = None
    chunking_method: str | None = "auto"
    acc_policy: str = "auto"
    acc_dtype: Any = None


class LinearCrossEntropyLoss(Module):
    """The cross entropy of a linear layer, whose weights it holds; `options` says in what parts torch computes it."""

    _frontend: Frontend

    def __init__(
        self, in_features: int, num_classes: int, *, out_features: tuple[int, ...] = (), bias: bool = False, device: Any = None,
        dtype: Any = None, reduction: str = "mean", weight: Any = None, ignore_index: int | None = None,
        label_smoothing: float = 0.0, options: Any = None,
    ) -> None:  # fmt: skip
        super().__init__()
        if out_features:
            raise CoreArrayNotImplementedError(
                f"'LinearCrossEntropyLoss' takes no out_features here, got {out_features}; use Linear and CrossEntropyLoss"
            )
        self.linear = self._frontend.nn.Linear(in_features, num_classes, bias=bias, device=device, dtype=dtype)
        self.num_classes, self.out_features = num_classes, out_features
        self.reduction, self.ignore_index, self.label_smoothing = reduction, ignore_index, label_smoothing
        self.options = options
        self.register_buffer("weight", weight)

    def forward(self, input: Any, target: Any) -> Any:
        """Compute the loss."""
        return self._frontend.nn.functional.linear_cross_entropy(
            input,
            self.linear.weight,
            target,
            linear_bias=self.linear.bias,
            weight=self.weight,
            reduction=self.reduction,
            ignore_index=self.ignore_index,
            label_smoothing=self.label_smoothing,
        )
