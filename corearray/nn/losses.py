"""Losses as classes by torch's names and conventions: classes along axis 1, `ignore_index=-100`, `reduction="mean"`.

Each calls the function of corearray that its docstring names. Weights are buffers, so that optimisers leave them alone.
"""

from __future__ import annotations

from typing import Any

from corearray.arrays.array import Array
from corearray.calls.truths import known_truth
from corearray.errors import CoreArrayValueError
from corearray.functional.activations import relu
from corearray.functional.alignment import ctc_loss
from corearray.functional.data_type import isdtype
from corearray.functional.elementwise import minimum
from corearray.functional.linalg import vector_norm
from corearray.functional.losses import (
    binary_cross_entropy,
    cross_entropy,
    gaussian_nll_loss,
    hinge_embedding_loss,
    huber_loss,
    kl_div,
    l1_loss,
    mse_loss,
    nll_loss,
    poisson_nll_loss,
    smooth_l1_loss,
    soft_margin_loss,
    sparse_cross_entropy,
)
from corearray.functional.manipulation import expand_dims, reshape
from corearray.functional.similarity import (
    cosine_embedding_loss,
    margin_ranking_loss,
    multi_margin_loss,
    multilabel_margin_loss,
    multilabel_soft_margin_loss,
    triplet_margin_loss,
)
from corearray.functional.statistical import mean
from corearray.functional.statistical import sum as total
from corearray.functional.utility import all as every
from corearray.nn.arguments import one_of
from corearray.nn.marks import Buffer
from corearray.nn.module import Module

__all__ = [
    "BCELoss",
    "BCEWithLogitsLoss",
    "CTCLoss",
    "CosineEmbeddingLoss",
    "CrossEntropyLoss",
    "GaussianNLLLoss",
    "HingeEmbeddingLoss",
    "HuberLoss",
    "KLDivLoss",
    "L1Loss",
    "MSELoss",
    "MarginRankingLoss",
    "MultiLabelMarginLoss",
    "MultiLabelSoftMarginLoss",
    "MultiMarginLoss",
    "NLLLoss",
    "PoissonNLLLoss",
    "SmoothL1Loss",
    "SoftMarginLoss",
    "TripletMarginLoss",
    "TripletMarginWithDistanceLoss",
]

#: What `corearray list-functions` says of the classes here.
__kind__ = "convenience"

_REDUCTIONS = ("mean", "sum", "none")


class _Loss(Module):
    """A loss that keeps its reduction."""

    def __init__(self, reduction: str, known: tuple[str, ...] = _REDUCTIONS) -> None:
        self.reduction = one_of(type(self).__name__, "reduction", reduction, known)

    def _reduced(self, losses: Array) -> Array:
        if self.reduction == "none":
            return losses
        return mean(losses) if self.reduction == "mean" else total(losses)


def _buffer(weight: Array | None) -> Any:
    return None if weight is None else Buffer(weight)


def _axis(x: Array) -> int:
    return 1 if x.ndim > 1 else 0


class CrossEntropyLoss(_Loss):
    """The cross entropy of logits, `-log(softmax(pred))` at the target class.

    It takes logits of shape `(N, C, ...)` or `(C,)`, and classes of shape `(N, ...)` or `()`, or probabilities of
    the shape of the logits.

    Parameters
    ----------
    weight
        Weight of each class, an array of shape `(C,)`; the mean over classes is a weighted one.
    ignore_index
        Class that costs nothing and does not count in the mean.
    label_smoothing
        Fraction of the target probability that is spread evenly over all classes.
    reduction
        `"mean"`, `"sum"` or `"none"`.

    Raises
    ------
    ValueError
        If `reduction` is something else; when it is called, if shapes do not fit.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> nn.CrossEntropyLoss()(ca.asarray([[1000.0, 0.0]]), ca.asarray([1])).tolist()
    1000.0

    Notes
    -----
    `corearray.sparse_cross_entropy` and `corearray.cross_entropy`; `torch.nn.CrossEntropyLoss`.
    """

    def __init__(
        self,
        weight: Array | None = None,
        *,
        ignore_index: int = -100,
        label_smoothing: float = 0.0,
        reduction: str = "mean",
    ) -> None:
        super().__init__(reduction)
        self.weight = _buffer(weight)
        self.ignore_index = ignore_index
        self.label_smoothing = label_smoothing

    def forward(self, pred: Array, target: Array, /) -> Array:
        """Compute the loss."""
        axis = _axis(pred)
        if isdtype(target.dtype, "integral"):
            return sparse_cross_entropy(
                pred, target, axis=axis, weight=self.weight, ignore_index=self.ignore_index,
                label_smoothing=self.label_smoothing, reduction=self.reduction,
            )  # fmt: skip
        if self.weight is not None:
            count = pred.shape[axis]
            smooth = (1.0 - self.label_smoothing) * target + self.label_smoothing / count
            target = smooth * reshape(self.weight, tuple(count if i == axis else 1 for i in range(pred.ndim)))
            return cross_entropy(pred, target, axis=axis, reduction=self.reduction)
        return cross_entropy(pred, target, axis=axis, label_smoothing=self.label_smoothing, reduction=self.reduction)


class NLLLoss(_Loss):
    """The negative log-likelihood, `-pred` at the target class.

    It takes logarithms of probabilities of shape `(N, C, ...)` or `(C,)`, and classes of shape `(N, ...)` or `()`.

    Parameters
    ----------
    weight
        Weight of each class, an array of shape `(C,)`; the mean is a weighted one.
    ignore_index
        Class that costs nothing and does not count in the mean.
    reduction
        `"mean"`, `"sum"` or `"none"`.

    Raises
    ------
    ValueError
        If `reduction` is something else; when it is called, if shapes do not fit.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> nn.NLLLoss()(ca.asarray([[-1.0, -2.0]]), ca.asarray([1])).tolist()
    2.0

    Notes
    -----
    `corearray.nll_loss`; `torch.nn.NLLLoss`.
    """

    def __init__(self, weight: Array | None = None, *, ignore_index: int = -100, reduction: str = "mean") -> None:
        super().__init__(reduction)
        self.weight = _buffer(weight)
        self.ignore_index = ignore_index

    def forward(self, pred: Array, target: Array, /) -> Array:
        """Compute the loss."""
        return nll_loss(
            pred, target, axis=_axis(pred), weight=self.weight, ignore_index=self.ignore_index, reduction=self.reduction
        )


class BCELoss(_Loss):
    """The binary cross entropy of probabilities, `-target * log(pred) - (1 - target) * log(1 - pred)`.

    It takes probabilities and targets of shapes that broadcast. Logarithms are at least -100, so that the loss is finite.

    Parameters
    ----------
    weight
        Factors of the elements, an array that broadcasts with them.
    reduction
        `"mean"`, `"sum"` or `"none"`.

    Raises
    ------
    ValueError
        If `reduction` is something else; when it is called, if shapes do not fit, or a prediction is not from 0 to 1. In a
        compiled or traced program, where elements have no values yet, its loss is NaN instead.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> nn.BCELoss()(ca.asarray([1.0, 0.0]), ca.asarray([1.0, 1.0])).tolist()
    50.0

    Notes
    -----
    `corearray.binary_cross_entropy`; `torch.nn.BCELoss`.
    """

    def __init__(self, weight: Array | None = None, *, reduction: str = "mean") -> None:
        super().__init__(reduction)
        self.weight = _buffer(weight)

    def forward(self, pred: Array, target: Array, /) -> Array:
        """Compute the loss."""
        fits = (pred >= 0.0) & (pred <= 1.0)
        if known_truth(every(fits)) is False:
            raise CoreArrayValueError(
                "'BCELoss' takes predictions from 0 to 1, got others; for logits there is BCEWithLogitsLoss"
            )
        losses = minimum(binary_cross_entropy(pred, target, reduction="none"), 100.0)
        return self._reduced(losses if self.weight is None else self.weight * losses)


class BCEWithLogitsLoss(_Loss):
    """The binary cross entropy of logits, without overflow or cancellation.

    It takes logits and targets of shapes that broadcast.

    Parameters
    ----------
    weight
        Factors of the elements, an array that broadcasts with them.
    pos_weight
        Weight of the positive class, an array that broadcasts with the logits.
    reduction
        `"mean"`, `"sum"` or `"none"`.

    Raises
    ------
    ValueError
        If `reduction` is something else; when it is called, if shapes do not fit.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> nn.BCEWithLogitsLoss()(ca.asarray([1000.0]), ca.asarray([0.0])).tolist()
    1000.0

    Notes
    -----
    `corearray.binary_cross_entropy`; `torch.nn.BCEWithLogitsLoss`.
    """

    def __init__(
        self, weight: Array | None = None, *, pos_weight: Array | None = None, reduction: str = "mean"
    ) -> None:
        super().__init__(reduction)
        self.weight = _buffer(weight)
        self.pos_weight = _buffer(pos_weight)

    def forward(self, pred: Array, target: Array, /) -> Array:
        """Compute the loss."""
        losses = binary_cross_entropy(pred, target, from_logits=True, pos_weight=self.pos_weight, reduction="none")
        return self._reduced(losses if self.weight is None else self.weight * losses)


class KLDivLoss(_Loss):
    """The terms of the Kullback-Leibler divergence, `target * (log(target) - pred)`.

    It takes logarithms of predicted probabilities, and probabilities of a shape that broadcasts with theirs.

    Parameters
    ----------
    log_target
        Whether targets are logarithms too.
    reduction
        `"mean"`, `"batchmean"` (the sum divided by the size of the batch), `"sum"` or `"none"`.

    Raises
    ------
    ValueError
        If `reduction` is something else; when it is called, if shapes do not fit.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> nn.KLDivLoss(reduction="batchmean")(ca.asarray([[0.0, -1.0]]), ca.asarray([[1.0, 0.0]])).tolist()
    0.0

    Notes
    -----
    S. Kullback, R. A. Leibler, 1951; `corearray.kl_div`; `torch.nn.KLDivLoss`.
    """

    def __init__(self, *, log_target: bool = False, reduction: str = "mean") -> None:
        super().__init__(reduction, (*_REDUCTIONS, "batchmean"))
        self.log_target = log_target

    def forward(self, pred: Array, target: Array, /) -> Array:
        """Compute the loss."""
        if self.reduction != "batchmean":
            return kl_div(pred, target, log_target=self.log_target, reduction=self.reduction)
        losses = kl_div(pred, target, log_target=self.log_target, reduction="sum")
        return losses / pred.shape[0] if pred.ndim else losses


class L1Loss(_Loss):
    """Absolute differences, `|pred - target|`.

    It takes predictions and targets of shapes that broadcast, and returns a number, or an array with `reduction="none"`.

    Parameters
    ----------
    reduction
        `"mean"`, `"sum"` or `"none"`.

    Raises
    ------
    ValueError
        If `reduction` is something else; when it is called, if shapes do not fit.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> nn.L1Loss()(ca.asarray([0.5, 2.0]), ca.asarray([1.0, 0.0])).tolist()
    1.25

    Notes
    -----
    `corearray.l1_loss`; `torch.nn.L1Loss`.
    """

    def __init__(self, reduction: str = "mean") -> None:
        super().__init__(reduction)

    def forward(self, pred: Array, target: Array, /) -> Array:
        """Compute the loss."""
        return l1_loss(pred, target, reduction=self.reduction)


class MSELoss(_Loss):
    """Squared differences, `(pred - target) ** 2`.

    It takes predictions and targets of shapes that broadcast, and returns a number, or an array with `reduction="none"`.

    Parameters
    ----------
    reduction
        `"mean"`, `"sum"` or `"none"`.

    Raises
    ------
    ValueError
        If `reduction` is something else; when it is called, if shapes do not fit.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> nn.MSELoss()(ca.asarray([0.5, 2.0]), ca.asarray([1.0, 0.0])).tolist()
    2.125

    Notes
    -----
    `corearray.mse_loss`; `torch.nn.MSELoss`.
    """

    def __init__(self, reduction: str = "mean") -> None:
        super().__init__(reduction)

    def forward(self, pred: Array, target: Array, /) -> Array:
        """Compute the loss."""
        return mse_loss(pred, target, reduction=self.reduction)


class SmoothL1Loss(_Loss):
    """`difference ** 2 / (2 * beta)` up to `beta`, and `|difference| - beta / 2` beyond it.

    It takes predictions and targets of shapes that broadcast, and returns a number, or an array with `reduction="none"`.

    Parameters
    ----------
    beta
        Where the line begins.
    reduction
        `"mean"`, `"sum"` or `"none"`.

    Raises
    ------
    ValueError
        If `reduction` is something else; when it is called, if shapes do not fit.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> nn.SmoothL1Loss()(ca.asarray([0.5, 2.0]), ca.asarray([1.0, 0.0])).tolist()
    0.8125

    Notes
    -----
    R. Girshick, arXiv:1504.08083; `corearray.smooth_l1_loss`; `torch.nn.SmoothL1Loss`.
    """

    def __init__(self, *, beta: float = 1.0, reduction: str = "mean") -> None:
        super().__init__(reduction)
        self.beta = beta

    def forward(self, pred: Array, target: Array, /) -> Array:
        """Compute the loss."""
        return smooth_l1_loss(pred, target, beta=self.beta, reduction=self.reduction)


class HuberLoss(_Loss):
    """Half of the squared difference up to `delta`, and a line of slope `delta` beyond it.

    It takes predictions and targets of shapes that broadcast, and returns a number, or an array with `reduction="none"`.

    Parameters
    ----------
    delta
        Where the line begins.
    reduction
        `"mean"`, `"sum"` or `"none"`.

    Raises
    ------
    ValueError
        If `reduction` is something else; when it is called, if shapes do not fit.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> nn.HuberLoss()(ca.asarray([0.5, 2.0]), ca.asarray([1.0, 0.0])).tolist()
    0.8125

    Notes
    -----
    P. J. Huber, 1964; `corearray.huber_loss`; `torch.nn.HuberLoss`.
    """

    def __init__(self, *, delta: float = 1.0, reduction: str = "mean") -> None:
        super().__init__(reduction)
        self.delta = delta

    def forward(self, pred: Array, target: Array, /) -> Array:
        """Compute the loss."""
        return huber_loss(pred, target, delta=self.delta, reduction=self.reduction)


class GaussianNLLLoss(_Loss):
    """The negative log-likelihood of normal distributions, `(log(var) + (pred - target) ** 2 / var) / 2`.

    It takes means, targets and variances of shapes that broadcast; variances may also lack the last axis, as in torch.

    Parameters
    ----------
    full
        Whether to add the constant `log(2 * pi) / 2`.
    eps
        The least variance.
    reduction
        `"mean"`, `"sum"` or `"none"`.

    Raises
    ------
    ValueError
        If `reduction` is something else; when it is called, if shapes do not fit.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> nn.GaussianNLLLoss()(ca.asarray([1.0]), ca.asarray([3.0]), ca.asarray([1.0])).tolist()
    2.0

    Notes
    -----
    D. A. Nix, A. S. Weigend, 1994; `corearray.gaussian_nll_loss`; `torch.nn.GaussianNLLLoss`.
    """

    def __init__(self, *, full: bool = False, eps: float = 1e-6, reduction: str = "mean") -> None:
        super().__init__(reduction)
        self.full, self.eps = full, eps

    def forward(self, pred: Array, target: Array, var: Array, /) -> Array:
        """Compute the loss."""
        shape = tuple(pred.shape)
        if isinstance(var, Array) and shape and tuple(var.shape) == shape[:-1]:
            var = expand_dims(var, axis=-1)
        return gaussian_nll_loss(pred, target, var, full=self.full, eps=self.eps, reduction=self.reduction)


class PoissonNLLLoss(_Loss):
    """The negative log-likelihood of counts, `exp(pred) - target * pred`.

    It takes predictions and targets of shapes that broadcast, and returns a number, or an array with `reduction="none"`.

    Parameters
    ----------
    log_input
        Whether predictions are logarithms of the rate.
    full
        Whether to add Stirling's approximation of the logarithm of the factorial.
    eps
        Added to a rate before its logarithm is taken.
    reduction
        `"mean"`, `"sum"` or `"none"`.

    Raises
    ------
    ValueError
        If `reduction` is something else; when it is called, if shapes do not fit.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> nn.PoissonNLLLoss()(ca.asarray([0.0]), ca.asarray([1.0])).tolist()
    1.0

    Notes
    -----
    `corearray.poisson_nll_loss`; `torch.nn.PoissonNLLLoss`.
    """

    def __init__(
        self, *, log_input: bool = True, full: bool = False, eps: float = 1e-8, reduction: str = "mean"
    ) -> None:
        super().__init__(reduction)
        self.log_input, self.full, self.eps = log_input, full, eps

    def forward(self, pred: Array, target: Array, /) -> Array:
        """Compute the loss."""
        return poisson_nll_loss(
            pred, target, log_input=self.log_input, full=self.full, eps=self.eps, reduction=self.reduction
        )


class SoftMarginLoss(_Loss):
    """The logistic loss of the targets 1 and -1, `log(1 + exp(-target * pred))`.

    It takes predictions and targets of shapes that broadcast, and returns a number, or an array with `reduction="none"`.

    Parameters
    ----------
    reduction
        `"mean"`, `"sum"` or `"none"`.

    Raises
    ------
    ValueError
        If `reduction` is something else; when it is called, if shapes do not fit.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> nn.SoftMarginLoss()(ca.asarray([1000.0]), ca.asarray([1.0])).tolist()
    0.0

    Notes
    -----
    `corearray.soft_margin_loss`; `torch.nn.SoftMarginLoss`.
    """

    def __init__(self, reduction: str = "mean") -> None:
        super().__init__(reduction)

    def forward(self, pred: Array, target: Array, /) -> Array:
        """Compute the loss."""
        return soft_margin_loss(pred, target, reduction=self.reduction)


class HingeEmbeddingLoss(_Loss):
    """`pred` where the target is 1, and `max(0, margin - pred)` where it is -1.

    It takes predictions and targets of shapes that broadcast, and returns a number, or an array with `reduction="none"`.

    Parameters
    ----------
    margin
        The distance beyond which a pair of the target -1 costs nothing.
    reduction
        `"mean"`, `"sum"` or `"none"`.

    Raises
    ------
    ValueError
        If `reduction` is something else; when it is called, if shapes do not fit.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> nn.HingeEmbeddingLoss()(ca.asarray([0.5, 0.25]), ca.asarray([1.0, -1.0])).tolist()
    0.625

    Notes
    -----
    `corearray.hinge_embedding_loss`; `torch.nn.HingeEmbeddingLoss`.
    """

    def __init__(self, margin: float = 1.0, *, reduction: str = "mean") -> None:
        super().__init__(reduction)
        self.margin = margin

    def forward(self, pred: Array, target: Array, /) -> Array:
        """Compute the loss."""
        return hinge_embedding_loss(pred, target, margin=self.margin, reduction=self.reduction)


class MarginRankingLoss(_Loss):
    """`max(0, -target * (x1 - x2) + margin)`, for targets 1 (the first ranks higher) and -1.

    It takes two arrays and targets of shapes that broadcast.

    Parameters
    ----------
    margin
        The least difference that costs nothing.
    reduction
        `"mean"`, `"sum"` or `"none"`.

    Raises
    ------
    ValueError
        If `reduction` is something else; when it is called, if shapes do not fit.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> nn.MarginRankingLoss()(ca.asarray([1.0]), ca.asarray([3.0]), ca.asarray([1.0])).tolist()
    2.0

    Notes
    -----
    `corearray.margin_ranking_loss`; `torch.nn.MarginRankingLoss`.
    """

    def __init__(self, margin: float = 0.0, *, reduction: str = "mean") -> None:
        super().__init__(reduction)
        self.margin = margin

    def forward(self, x1: Array, x2: Array, target: Array, /) -> Array:
        """Compute the loss."""
        return margin_ranking_loss(x1, x2, target, margin=self.margin, reduction=self.reduction)


class MultiMarginLoss(_Loss):
    """The mean over classes of `max(0, margin - pred[target] + pred[class])**p`, without the class of the target.

    It takes scores of shape `(N, C)` or `(C,)`, and class numbers of shape `(N,)` or `()`.

    Parameters
    ----------
    p
        1 or 2, the power of each term.
    margin
        The distance beyond which a smaller score of another class costs nothing.
    weight
        Factor for each class, of shape `(C,)`.
    reduction
        `"mean"`, `"sum"` or `"none"`.

    Raises
    ------
    ValueError
        If `p` or `reduction` is something else; when it is called, if shapes do not fit.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> nn.MultiMarginLoss()(ca.asarray([[1.0, 0.5, 3.0, 1.0]]), ca.asarray([0])).tolist()
    1.125

    Notes
    -----
    `corearray.multi_margin_loss`; `torch.nn.MultiMarginLoss`.
    """

    def __init__(
        self, p: int = 1, margin: float = 1.0, weight: Array | None = None, *, reduction: str = "mean"
    ) -> None:
        super().__init__(reduction)
        if p not in (1, 2):
            raise CoreArrayValueError(f"'p' of 'MultiMarginLoss' is 1 or 2, got {p!r}")
        self.p, self.margin, self.weight = p, margin, _buffer(weight)

    def forward(self, pred: Array, target: Array, /) -> Array:
        """Compute the loss."""
        return multi_margin_loss(
            pred, target, p=self.p, margin=self.margin, weight=self.weight, reduction=self.reduction
        )


class MultiLabelMarginLoss(_Loss):
    """The sum over labels and other classes of `max(0, 1 - pred[label] + pred[class]) / C`.

    It takes scores and class numbers of shape `(N, C)` or `(C,)`; a negative number ends a list of labels.

    Parameters
    ----------
    reduction
        `"mean"`, `"sum"` or `"none"`.

    Raises
    ------
    ValueError
        If `reduction` is something else; when it is called, if shapes do not fit.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> nn.MultiLabelMarginLoss()(ca.asarray([[0.0, 0.5, 0.25, 1.0]]), ca.asarray([[3, 0, -1, 1]])).tolist()
    0.875

    Notes
    -----
    `corearray.multilabel_margin_loss`; `torch.nn.MultiLabelMarginLoss`.
    """

    def __init__(self, *, reduction: str = "mean") -> None:
        super().__init__(reduction)

    def forward(self, pred: Array, target: Array, /) -> Array:
        """Compute the loss."""
        return multilabel_margin_loss(pred, target, reduction=self.reduction)


class MultiLabelSoftMarginLoss(_Loss):
    """The mean over classes of the binary cross entropy of logits.

    It takes logits and targets, 0 and 1, of shape `(N, C)` or `(C,)`.

    Parameters
    ----------
    weight
        Factor for each class, of shape `(C,)`.
    reduction
        `"mean"`, `"sum"` or `"none"`.

    Raises
    ------
    ValueError
        If `reduction` is something else; when it is called, if shapes do not fit.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> nn.MultiLabelSoftMarginLoss()(ca.asarray([[1000.0, 1000.0]]), ca.asarray([[1.0, 0.0]])).tolist()
    500.0

    Notes
    -----
    `corearray.multilabel_soft_margin_loss`; `torch.nn.MultiLabelSoftMarginLoss`.
    """

    def __init__(self, weight: Array | None = None, *, reduction: str = "mean") -> None:
        super().__init__(reduction)
        self.weight = _buffer(weight)

    def forward(self, pred: Array, target: Array, /) -> Array:
        """Compute the loss."""
        return multilabel_soft_margin_loss(pred, target, weight=self.weight, reduction=self.reduction)


class CosineEmbeddingLoss(_Loss):
    """`1 - cos` of pairs of the target 1, and `max(0, cos - margin)` of pairs of the target -1.

    It takes two arrays of shape `(N, D)` or `(D,)`, and targets of shape `(N,)` or `()`.

    Parameters
    ----------
    margin
        The cosine up to which a pair of the target -1 costs nothing.
    reduction
        `"mean"`, `"sum"` or `"none"`.

    Raises
    ------
    ValueError
        If `reduction` is something else; when it is called, if shapes do not fit.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> nn.CosineEmbeddingLoss()(ca.asarray([[1.0, 0.0]]), ca.asarray([[0.0, 1.0]]), ca.asarray([1.0])).tolist()
    1.0

    Notes
    -----
    `corearray.cosine_embedding_loss`; `torch.nn.CosineEmbeddingLoss`.
    """

    def __init__(self, margin: float = 0.0, *, reduction: str = "mean") -> None:
        super().__init__(reduction)
        self.margin = margin

    def forward(self, x1: Array, x2: Array, target: Array, /) -> Array:
        """Compute the loss."""
        return cosine_embedding_loss(x1, x2, target, margin=self.margin, reduction=self.reduction)


class TripletMarginLoss(_Loss):
    """`max(0, |anchor - positive| - |anchor - negative| + margin)`.

    It takes three arrays of shape `(N, D)` or `(D,)`.

    Parameters
    ----------
    margin
        The difference of distances beyond which a triplet costs nothing.
    p
        Order of the norm.
    eps
        Added to differences, so that a distance of zero has a derivative.
    swap
        Whether the distance of the positive and the negative counts where it is the smaller one.
    reduction
        `"mean"`, `"sum"` or `"none"`.

    Raises
    ------
    ValueError
        If `reduction` is something else; when it is called, if shapes do not fit.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> x, y = ca.asarray([[1.0, 0.0]]), ca.asarray([[5.0, 0.0]])
    >>> nn.TripletMarginLoss()(x, x, y).tolist()
    0.0

    Notes
    -----
    V. Balntas et al., 2016; `corearray.triplet_margin_loss`; `torch.nn.TripletMarginLoss`.
    """

    def __init__(
        self, margin: float = 1.0, *, p: float = 2.0, eps: float = 1e-6, swap: bool = False, reduction: str = "mean"
    ) -> None:
        super().__init__(reduction)
        self.margin, self.p, self.eps, self.swap = margin, p, eps, swap

    def forward(self, anchor: Array, positive: Array, negative: Array, /) -> Array:
        """Compute the loss."""
        return triplet_margin_loss(
            anchor,
            positive,
            negative,
            margin=self.margin,
            p=self.p,
            eps=self.eps,
            swap=self.swap,
            reduction=self.reduction,
        )


class TripletMarginWithDistanceLoss(_Loss):
    """`max(0, d(anchor, positive) - d(anchor, negative) + margin)`, for a distance of one's own.

    It takes three arrays that the distance accepts, such as those of shape `(N, D)`.

    Parameters
    ----------
    distance_function
        Function of two arrays that returns their distances; by default the Euclidean one, as in `TripletMarginLoss`.
    margin
        The difference of distances beyond which a triplet costs nothing.
    swap
        Whether the distance of the positive and the negative counts where it is the smaller one.
    reduction
        `"mean"`, `"sum"` or `"none"`.

    Raises
    ------
    ValueError
        If `reduction` is something else, or `margin` is not positive.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> loss = nn.TripletMarginWithDistanceLoss(distance_function=lambda x, y: ca.sum(ca.abs(x - y), axis=-1))
    >>> loss(ca.zeros((1, 2)), ca.ones((1, 2)), ca.ones((1, 2))).tolist()
    1.0

    Notes
    -----
    V. Balntas et al., 2016; `torch.nn.TripletMarginWithDistanceLoss`.
    """

    def __init__(
        self, *, distance_function: Any = None, margin: float = 1.0, swap: bool = False, reduction: str = "mean"
    ) -> None:
        super().__init__(reduction)
        if not margin > 0:
            raise CoreArrayValueError(f"'margin' of 'TripletMarginWithDistanceLoss' is above 0, got {margin!r}")
        self.distance_function = _euclidean if distance_function is None else distance_function
        self.margin, self.swap = margin, swap

    def forward(self, anchor: Array, positive: Array, negative: Array, /) -> Array:
        """Compute the loss."""
        distance = self.distance_function
        far = distance(anchor, negative)
        if self.swap:
            far = minimum(far, distance(positive, negative))
        return self._reduced(relu(distance(anchor, positive) - far + self.margin))


def _euclidean(x: Array, y: Array) -> Array:
    return vector_norm(x - y + 1e-6, axis=-1)


class CTCLoss(_Loss):
    """Connectionist temporal classification: the negative log-likelihood of label sequences over all alignments.

    It takes logarithms of probabilities of shape `(T, N, C)`, labels of shape `(N, S)`, and the lengths of
    both, of shape `(N,)`.

    Parameters
    ----------
    blank
        The class of the blank.
    zero_infinity
        Whether a sequence without an alignment costs nothing instead of infinity.
    reduction
        `"mean"`, `"sum"` or `"none"`.

    Raises
    ------
    ValueError
        If `reduction` is something else; when it is called, if shapes do not fit.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> pred = ca.log_softmax(ca.zeros((4, 1, 3)), axis=-1)
    >>> nn.CTCLoss()(pred, ca.asarray([[1, 2]]), ca.asarray([4]), ca.asarray([2])).shape
    Shape(())

    Notes
    -----
    A. Graves et al., 2006; `corearray.ctc_loss`; `torch.nn.CTCLoss`.
    """

    def __init__(self, *, blank: int = 0, zero_infinity: bool = False, reduction: str = "mean") -> None:
        super().__init__(reduction)
        self.blank, self.zero_infinity = blank, zero_infinity

    def forward(self, log_probs: Array, targets: Array, input_lengths: Array, target_lengths: Array, /) -> Array:
        """Compute the loss."""
        return ctc_loss(
            log_probs, targets, input_lengths, target_lengths,
            blank=self.blank, zero_infinity=self.zero_infinity, reduction=self.reduction,
        )  # fmt: skip
