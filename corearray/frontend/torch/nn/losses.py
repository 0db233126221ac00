"""Losses by torch's names: modules that call the function of `torch.nn.functional` with their options."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from corearray.errors import CoreArrayTypeError, CoreArrayValueError
from corearray.frontend.torch.calling import published
from corearray.frontend.torch.nn.module import Module
from corearray.frontend.torch.wrapper import Tensor

if TYPE_CHECKING:
    from corearray.frontend.frontend import Frontend

__all__ = ["LOSSES", "Loss", "triplet_by"]

#: The function of each loss, and how many tensors a call takes.
LOSSES = {
    "BCELoss": ("binary_cross_entropy", 2), "BCEWithLogitsLoss": ("binary_cross_entropy_with_logits", 2),
    "CTCLoss": ("ctc_loss", 4), "CosineEmbeddingLoss": ("cosine_embedding_loss", 3),
    "CrossEntropyLoss": ("cross_entropy", 2), "GaussianNLLLoss": ("gaussian_nll_loss", 3),
    "HingeEmbeddingLoss": ("hinge_embedding_loss", 2), "HuberLoss": ("huber_loss", 2), "KLDivLoss": ("kl_div", 2),
    "L1Loss": ("l1_loss", 2), "MSELoss": ("mse_loss", 2), "MarginRankingLoss": ("margin_ranking_loss", 3),
    "MultiLabelMarginLoss": ("multilabel_margin_loss", 2),
    "MultiLabelSoftMarginLoss": ("multilabel_soft_margin_loss", 2), "MultiMarginLoss": ("multi_margin_loss", 2),
    "NLLLoss": ("nll_loss", 2), "NLLLoss2d": ("nll_loss", 2),
    "PoissonNLLLoss": ("poisson_nll_loss", 2), "SmoothL1Loss": ("smooth_l1_loss", 2),
    "SoftMarginLoss": ("soft_margin_loss", 2), "TripletMarginLoss": ("triplet_margin_loss", 3),
    "TripletMarginWithDistanceLoss": ("triplet_margin_with_distance_loss", 3),
}  # fmt: skip


class Loss(Module):
    """A function of `torch.nn.functional` with its options; tensors among them are buffers."""

    _frontend: Frontend
    _function = ""
    _count = 2

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__()
        rule = self._frontend.rule(f"torch.nn.functional.{self._function}")
        assert rule is not None
        names = list(inspect.signature(rule.function).parameters)
        vars(self)["_taken"], names = names[: self._count], names[self._count :]
        if len(args) > len(names) or not set(options) <= set(names):
            wrong = sorted(set(options) - set(names)) or args
            raise CoreArrayTypeError(f"'{type(self).__name__}' takes the options {', '.join(names)}, got {wrong}")
        given = {**dict(zip(names, args, strict=False)), **options}
        vars(self)["_options"] = given
        for name, value in given.items():
            if isinstance(value, Tensor):
                self.register_buffer(name, value)
            else:
                setattr(self, name, value)

    def forward(self, *tensors: Any, **named: Any) -> Any:
        """Compute the loss."""
        tensors += tuple(named.pop(name) for name in vars(self)["_taken"] if name in named)
        if named:
            raise CoreArrayTypeError(
                f"'{type(self).__name__}' takes {', '.join(vars(self)['_taken'])}, got {', '.join(named)}"
            )
        options = {name: getattr(self, name) for name in vars(self)["_options"]}
        function = getattr(self._frontend.nn.functional, self._function)
        return function(*tensors, **options)


def triplet_by(frontend: Frontend) -> Callable[..., Any]:
    """Return `triplet_margin_with_distance_loss`, which calls the user's function of distances with tensors."""
    rule = frontend.rule("torch.nn.functional.triplet_margin_with_distance_loss")
    assert rule is not None
    plain = published(frontend, rule)

    def triplet_margin_with_distance_loss(
        anchor: Any, positive: Any, negative: Any, *, distance_function: Callable[[Any, Any], Any] | None = None,
        margin: float = 1.0, swap: bool = False, reduction: str = "mean",
    ) -> Any:  # fmt: skip
        if distance_function is None:
            return plain(anchor, positive, negative, margin=margin, swap=swap, reduction=reduction)
        if reduction not in ("mean", "sum", "none"):
            raise CoreArrayValueError(f"{reduction} is not a valid value for reduction; it is 'none', 'mean' or 'sum'")
        near, far = distance_function(anchor, positive), distance_function(anchor, negative)
        if swap:
            far = frontend.minimum(far, distance_function(positive, negative))
        losses = frontend.clamp_min(margin + near - far, 0)
        return losses if reduction == "none" else losses.mean() if reduction == "mean" else losses.sum()

    return triplet_margin_with_distance_loss
