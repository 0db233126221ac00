"""Loss functions.

The prediction comes first, as in PyTorch, and shapes broadcast. `reduction` combines the losses of the elements:
`"mean"` (the default), `"sum"`, or `"none"`. A term with weight zero is zero, also where its logarithm is infinite.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from corearray.contract.declaration import declare
from corearray.functional.norms import channel_axis

if TYPE_CHECKING:
    from collections.abc import Callable

    import corearray as xp
    from corearray.arrays.array import Array
    from corearray.contract.declaration import Scalar

__all__ = [
    "binary_cross_entropy",
    "cross_entropy",
    "focal_loss",
    "gaussian_nll_loss",
    "hinge_embedding_loss",
    "huber_loss",
    "kl_div",
    "l1_loss",
    "log_poisson_loss",
    "mse_loss",
    "nll_loss",
    "poisson_nll_loss",
    "smooth_l1_loss",
    "soft_margin_loss",
    "sparse_cross_entropy",
    "ssim_loss",
    "wasserstein_loss_discriminator",
    "wasserstein_loss_generator",
]


@declare(promote=("pred", "target", "pos_weight"), floating=True, real=True, gives="same")
def binary_cross_entropy(
    pred: Array,
    target: Array,
    /,
    *,
    from_logits: bool = False,
    pos_weight: Array | Scalar | None = None,
    epsilon: float = 0.0,
    reduction: str = "mean",
    out: Array | None = None,
) -> Array:
    """Compute the binary cross entropy, `-target * log(pred) - (1 - target) * log(1 - pred)`.

    Parameters
    ----------
    pred
        Predicted probabilities, or their logits; real array.
    target
        Wanted probabilities, 0 and 1 among them, of a shape that broadcasts with that of `pred`.
    from_logits
        Whether `pred` are logits, which are passed through `sigmoid` without overflow or cancellation.
    pos_weight
        Factor of the first term, the weight of a missed yes: a number or an array that broadcasts.
    epsilon
        Probabilities are limited to the interval from `epsilon` to `1 - epsilon`, so that with one above zero the loss is
        finite. Logits need none.
    reduction
        `"mean"`, `"sum"` or `"none"`.
    out
        Array that receives the result.

    Returns
    -------
    Array without axes, or with `"none"` of the broadcast shape, of the promoted floating dtype. The loss of a number below 0 or
    above 1, which is no probability, is NaN. `corearray.nn.BCELoss` raises an error for it.

    Raises
    ------
    ValueError
        If `reduction` is something else or the shapes do not fit.

    Examples
    --------
    >>> import corearray as ca
    >>> target = ca.asarray([1.0, 0.0])
    >>> ca.binary_cross_entropy(ca.asarray([1000.0, 1000.0]), target, from_logits=True, reduction="none").tolist()
    [0.0, 1000.0]

    Notes
    -----
    `torch.nn.functional.binary_cross_entropy`, which limits logarithms to -100, and `binary_cross_entropy_with_logits`.
    """
    reduce = _reduction("binary_cross_entropy", reduction)
    if from_logits:
        missed, raised = xp.softplus(-pred), xp.softplus(pred)
    else:
        pred = xp.clip(pred, epsilon, 1.0 - epsilon) if epsilon else pred
        pred = xp.where((pred >= 0.0) & (pred <= 1.0), pred, math.nan)
        # Fed with what is harmless where it does not count, since the derivatives of the logarithms at 0 are infinite.
        missed = -xp.log(xp.where((target == 0.0) & (pred == 0.0), 1.0, pred))
        raised = -xp.log1p(xp.where((target == 1.0) & (pred == 1.0), 0.0, -pred))
    if pos_weight is not None:
        missed = missed * pos_weight
    return reduce(_weighted(target, missed) + _weighted(1.0 - target, raised))


@declare(promote=("pred", "target"), floating=True, real=True, gives="same")
def cross_entropy(
    pred: Array,
    target: Array,
    /,
    *,
    from_logits: bool = True,
    axis: int = -1,
    label_smoothing: float = 0.0,
    epsilon: float = 0.0,
    reduction: str = "mean",
    out: Array | None = None,
) -> Array:
    """Compute the cross entropy of class probabilities, `-sum(target * log(pred))`.

    The predictions come first, as in torch, and are logits: for probabilities in the order `(true, pred)` of other libraries
    call `cross_entropy(pred, true, from_logits=False)`. The first call of a program warns if the logits are one-hot vectors
    and the targets are not.

    Parameters
    ----------
    pred
        Predicted logits of the classes, or their probabilities; real array.
    target
        Wanted probabilities of the classes, one-hot vectors among them, of a shape that broadcasts with that of `pred`.
        `sparse_cross_entropy` takes the numbers of the classes.
    from_logits
        Whether `pred` are logits, which are passed through `softmax` without overflow or cancellation.
    axis
        Axis of the classes.
    label_smoothing
        Fraction of the target probability that is spread evenly over all classes.
    epsilon
        Lower bound of predicted probabilities, which keeps the loss finite. Logits need none.
    reduction
        `"mean"` and `"sum"` over all axes but that of the classes, or `"none"`.
    out
        Array that receives the result.

    Returns
    -------
    Array without axes, or with `"none"` of the broadcast shape without `axis`, of the promoted floating dtype.

    Raises
    ------
    ValueError
        If an option or a shape does not fit.
    IndexError
        If `pred` has no such axis.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.cross_entropy(ca.asarray([[1000.0, 0.0]]), ca.asarray([[0.0, 1.0]])).tolist()
    1000.0

    Notes
    -----
    `torch.nn.functional.cross_entropy`, which has the classes along axis 1 and takes logits only.
    """
    reduce = _reduction("cross_entropy", reduction)
    _require_classes("cross_entropy", pred, axis, label_smoothing)
    if target.ndim != pred.ndim or target.shape[axis] != pred.shape[axis]:
        raise ValueError(
            f"'cross_entropy' got targets of shape {tuple(target.shape)} for predictions of shape {tuple(pred.shape)}; give "
            f"a probability for each class along axis {axis}, or the numbers of the classes to 'sparse_cross_entropy'"
        )
    if label_smoothing:
        target = (1.0 - label_smoothing) * target + label_smoothing / target.shape[axis]
    if not from_logits:  # the derivative of the logarithm of 0 is infinite
        pred = xp.where((target == 0.0) & (pred == 0.0), 1.0, pred)
    return reduce(-xp.sum(_weighted(target, _logarithms(pred, from_logits, axis, epsilon)), axis=axis))


@declare(promote=("pred", "target"), floating=True, real=True, gives="same")
def focal_loss(
    pred: Array,
    target: Array,
    /,
    *,
    from_logits: bool = True,
    alpha: float | None = 0.25,
    gamma: float = 2.0,
    reduction: str = "mean",
    out: Array | None = None,
) -> Array:
    """Compute the binary focal loss, `alpha * (1 - p)**gamma * -log(p)`, which gives well-predicted elements less
    weight.

    Parameters
    ----------
    pred
        Predicted logits, or probabilities; real array.
    target
        Wanted probabilities, 0 and 1 among them, of a shape that broadcasts with that of `pred`.
    from_logits
        Whether `pred` are logits, which are passed through `sigmoid`.
    alpha
        Weight of the positive class, from 0 to 1; the negative class has `1 - alpha`. `None` for no weights.
    gamma
        Exponent of the factor `1 - p`, at least 0, where `p` is the predicted probability of the right class.
    reduction
        `"mean"`, `"sum"` or `"none"`.
    out
        Array that receives the result.

    Returns
    -------
    Array without axes, or with `"none"` of the broadcast shape, of the promoted floating dtype.

    Raises
    ------
    ValueError
        If an option is out of range or the shapes do not fit.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.focal_loss(ca.asarray([1000.0, -1000.0]), ca.asarray([0.0, 0.0]), reduction="none").tolist()
    [750.0, 0.0]

    Notes
    -----
    T.-Y. Lin et al., Focal loss for dense object detection, arXiv:1708.02002; `torchvision.ops.sigmoid_focal_loss`, which
    takes logits and has the reduction `"none"` by default.
    """
    reduce = _reduction("focal_loss", reduction)
    if gamma < 0:
        raise ValueError(f"'focal_loss' was asked for gamma={gamma}; it must be at least 0")
    if alpha is not None and not 0.0 <= alpha <= 1.0:
        raise ValueError(f"'focal_loss' was asked for alpha={alpha}; it lies between 0 and 1, or is None")
    loss = xp.binary_cross_entropy(pred, target, from_logits=from_logits, reduction="none")
    right, wrong = (xp.sigmoid(pred), xp.sigmoid(-pred)) if from_logits else (pred, 1.0 - pred)
    if gamma:
        loss = loss * xp.pow(right * (1.0 - target) + wrong * target, gamma)
    if alpha is not None:
        loss = loss * (alpha * target + (1.0 - alpha) * (1.0 - target))
    return reduce(loss)


@declare(promote=("pred", "target", "var"), floating=True, real=True, gives="same")
def gaussian_nll_loss(
    pred: Array,
    target: Array,
    var: Array | Scalar,
    /,
    *,
    full: bool = False,
    eps: float = 1e-6,
    reduction: str = "mean",
    out: Array | None = None,
) -> Array:
    """Compute the negative log-likelihood of normal distributions, `(log(var) + (target - pred)**2 / var) / 2`.

    Parameters
    ----------
    pred
        Predicted means; real array.
    target
        Values, of a shape that broadcasts with that of `pred`.
    var
        Predicted variances: a number, or an array that broadcasts.
    full
        Whether the constant `log(2 * pi) / 2` is added.
    eps
        Least variance, above 0: smaller ones count as this one, and keep their derivative.
    reduction
        `"mean"`, `"sum"` or `"none"`.
    out
        Array that receives the result.

    Returns
    -------
    Array without axes, or with `"none"` of the broadcast shape, of the promoted floating dtype.

    Raises
    ------
    ValueError
        If `eps` is not positive, `reduction` is something else or the shapes do not fit.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.gaussian_nll_loss(ca.asarray([1.0, 3.0]), ca.zeros(2), ca.ones(2), reduction="none").tolist()
    [0.5, 4.5]

    Notes
    -----
    `torch.nn.functional.gaussian_nll_loss`, which also takes variances without the last axis.
    """
    reduce = _reduction("gaussian_nll_loss", reduction)
    if eps <= 0:
        raise ValueError(f"'gaussian_nll_loss' was asked for eps={eps}; it must be above 0")
    var = var + xp.stop_gradient(xp.maximum(eps - var, 0.0))
    loss = 0.5 * (xp.log(var) + xp.square(pred - target) / var)
    return reduce(loss + 0.5 * math.log(2.0 * math.pi) if full else loss)


@declare(promote=("pred", "target"), floating=True, real=True, gives="same")
def hinge_embedding_loss(
    pred: Array, target: Array, /, *, margin: float = 1.0, reduction: str = "mean", out: Array | None = None
) -> Array:
    """Compute the hinge embedding loss: distances of similar pairs, and the margin minus the distance of dissimilar
    ones.

    Parameters
    ----------
    pred
        Distances; real array.
    target
        1 for what is alike and -1 for what is not, of a shape that broadcasts with that of `pred`.
    margin
        Distance from which on what is not alike costs nothing.
    reduction
        `"mean"`, `"sum"` or `"none"`.
    out
        Array that receives the result.

    Returns
    -------
    Array without axes, or with `"none"` of the broadcast shape, of the promoted floating dtype.

    Raises
    ------
    ValueError
        If `reduction` is something else or the shapes do not fit.

    Examples
    --------
    >>> import corearray as ca
    >>> pred, target = ca.asarray([0.5, 0.25, 3.0]), ca.asarray([1, -1, -1])
    >>> ca.hinge_embedding_loss(pred, target, reduction="none").tolist()
    [0.5, 0.75, 0.0]

    Notes
    -----
    `torch.nn.functional.hinge_embedding_loss`.
    """
    reduce = _reduction("hinge_embedding_loss", reduction)
    return reduce(xp.where(target > 0.0, pred, xp.clip(margin - pred, 0.0)))


@declare(promote=("pred", "target"), floating=True, real=True, gives="same")
def huber_loss(
    pred: Array, target: Array, /, *, delta: float = 1.0, reduction: str = "mean", out: Array | None = None
) -> Array:
    """Compute the Huber loss: quadratic for small differences, linear for large ones.

    Parameters
    ----------
    pred, target
        Real arrays of broadcastable shapes.
    delta
        Threshold between the quadratic and the linear part, which has this slope; above 0.
    reduction
        `"mean"`, `"sum"` or `"none"`.
    out
        Array that receives the result.

    Returns
    -------
    Array without axes, or with `"none"` of the broadcast shape, of the promoted floating dtype.

    Raises
    ------
    ValueError
        If `delta` is not positive, `reduction` is something else or the shapes do not fit.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.huber_loss(ca.asarray([0.5, 3.0]), ca.zeros(2), reduction="none").tolist()
    [0.125, 2.5]

    Notes
    -----
    P. J. Huber, Robust estimation of a location parameter, 1964; `torch.nn.functional.huber_loss`.
    """
    reduce = _reduction("huber_loss", reduction)
    if delta <= 0:
        raise ValueError(f"'huber_loss' was asked for delta={delta}; it must be above 0")
    return reduce(_huber(pred - target, delta))


@declare(promote=("pred", "target"), floating=True, real=True, gives="same")
def kl_div(
    pred: Array, target: Array, /, *, log_target: bool = False, reduction: str = "mean", out: Array | None = None
) -> Array:
    """Compute the terms of the Kullback-Leibler divergence, `target * (log(target) - pred)`.

    Parameters
    ----------
    pred
        Logarithms of the predicted probabilities; real array.
    target
        Wanted probabilities, of a shape that broadcasts with that of `pred`.
    log_target
        Whether `target` are logarithms too.
    reduction
        `"mean"`, `"sum"` or `"none"`. The divergence is the sum over the distribution: the `"sum"`, divided by the size of
        the batch.
    out
        Array that receives the result.

    Returns
    -------
    Array without axes, or with `"none"` of the broadcast shape, of the promoted floating dtype.

    Raises
    ------
    ValueError
        If `reduction` is something else or the shapes do not fit.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.kl_div(ca.asarray([0.0, -ca.inf]), ca.asarray([1.0, 0.0]), reduction="sum").tolist()
    0.0

    Notes
    -----
    `torch.nn.functional.kl_div`.
    """
    reduce = _reduction("kl_div", reduction)
    if log_target:
        return reduce(_weighted(xp.exp(target), target - pred))
    return reduce(_weighted(target, xp.log(xp.where(target == 0.0, 1.0, target)) - pred))


@declare(promote=("pred", "target"), floating=True, real=True, gives="same")
def l1_loss(pred: Array, target: Array, /, *, reduction: str = "mean", out: Array | None = None) -> Array:
    """Compute absolute differences.

    Parameters
    ----------
    pred, target
        Real arrays of broadcastable shapes.
    reduction
        `"mean"`, `"sum"` or `"none"`.
    out
        Array that receives the result.

    Returns
    -------
    Array without axes, or with `"none"` of the broadcast shape, of the promoted floating dtype.

    Raises
    ------
    ValueError
        If `reduction` is something else or the shapes do not fit.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.l1_loss(ca.asarray([1.0, -2.0]), ca.asarray([2.0, 1.0])).tolist()
    2.0

    Notes
    -----
    `torch.nn.functional.l1_loss`.
    """
    return _reduction("l1_loss", reduction)(xp.abs(pred - target))


@declare(promote=("pred", "target"), floating=True, real=True, gives="same")
def log_poisson_loss(
    pred: Array, target: Array, /, *, full: bool = False, reduction: str = "mean", out: Array | None = None
) -> Array:
    """Compute the Poisson loss of predicted log-rates, `exp(pred) - target * pred`.

    Parameters
    ----------
    pred
        Logarithms of the predicted means; real array.
    target
        Counts, of a shape that broadcasts with that of `pred`.
    full
        Whether Stirling's approximation of `log(target!)` is added, where `target` is above 1.
    reduction
        `"mean"`, `"sum"` or `"none"`.
    out
        Array that receives the result.

    Returns
    -------
    Array without axes, or with `"none"` of the broadcast shape, of the promoted floating dtype.

    Raises
    ------
    ValueError
        If `reduction` is something else or the shapes do not fit.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.log_poisson_loss(ca.zeros(2), ca.asarray([3.0, 4.0]), reduction="none").tolist()
    [1.0, 1.0]

    Notes
    -----
    `poisson_nll_loss` of logarithms, by the name of `tf.nn.log_poisson_loss`, which takes the arrays the other way round.
    """
    return xp.poisson_nll_loss(pred, target, full=full, reduction=reduction)


@declare(promote=("pred", "target"), floating=True, real=True, gives="same")
def mse_loss(pred: Array, target: Array, /, *, reduction: str = "mean", out: Array | None = None) -> Array:
    """Compute squared differences.

    Parameters
    ----------
    pred, target
        Real arrays of broadcastable shapes.
    reduction
        `"mean"`, `"sum"` or `"none"`.
    out
        Array that receives the result.

    Returns
    -------
    Array without axes, or with `"none"` of the broadcast shape, of the promoted floating dtype.

    Raises
    ------
    ValueError
        If `reduction` is something else or the shapes do not fit.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.mse_loss(ca.asarray([1.0, -2.0]), ca.asarray([2.0, 1.0])).tolist()
    5.0

    Notes
    -----
    `torch.nn.functional.mse_loss`.
    """
    return _reduction("mse_loss", reduction)(xp.square(pred - target))


@declare(promote=("pred", "weight"), floating=True, real=True, gives="same")
def nll_loss(
    pred: Array,
    target: Array,
    /,
    *,
    axis: int = -1,
    weight: Array | None = None,
    ignore_index: int | None = None,
    reduction: str = "mean",
    out: Array | None = None,
) -> Array:
    """Compute the negative log-likelihood of class indices, `-pred` of the target class.

    Parameters
    ----------
    pred
        Logarithms of the predicted probabilities of the classes, as `log_softmax` gives them; real array.
    target
        Integer array of the shape of `pred` without `axis`: the classes, counted from 0.
    axis
        Axis of the classes.
    weight
        Weight of each class, an array of shape `(classes,)`. The mean is a weighted one.
    ignore_index
        Class that costs nothing and does not count in the mean.
    reduction
        `"mean"`, `"sum"` or `"none"`.
    out
        Array that receives the result.

    Returns
    -------
    Array without axes, or with `"none"` of the shape of `target`, of the floating dtype of `pred`. The mean of no element is
    NaN.

    Raises
    ------
    ValueError
        If an option or a shape does not fit.
    TypeError
        If `target` has no integer dtype.
    IndexError
        If `pred` has no such axis.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.nll_loss(ca.asarray([[-1.0, -2.0], [-3.0, -4.0]]), ca.asarray([1, 0])).tolist()
    2.5

    Notes
    -----
    A class beyond the last has no defined result. `torch.nn.functional.nll_loss`, which has the classes along axis 1.
    """
    reduce = _reduction("nll_loss", reduction)
    axis = _class_axis("nll_loss", pred, target, axis, weight)
    kept = None if ignore_index is None else target != ignore_index
    loss, share = _picked(pred, target, axis, weight, kept)
    return reduce(loss) if share is None or reduction != "mean" else _mean_by_shares(loss, share)


@declare(promote=("pred", "target"), floating=True, real=True, gives="same")
def poisson_nll_loss(
    pred: Array,
    target: Array,
    /,
    *,
    log_input: bool = True,
    full: bool = False,
    eps: float = 1e-8,
    reduction: str = "mean",
    out: Array | None = None,
) -> Array:
    """Compute the negative log-likelihood of counts under a Poisson distribution with the predicted mean.

    Parameters
    ----------
    pred
        Logarithms of the predicted means, or the means; real array.
    target
        Counts, of a shape that broadcasts with that of `pred`.
    log_input
        Whether `pred` are logarithms: the loss is `exp(pred) - target * pred`, else `pred - target * log(pred + eps)`.
    full
        Whether Stirling's approximation of `log(target!)` is added, where `target` is above 1.
    eps
        Number added to the means to prevent a logarithm of zero.
    reduction
        `"mean"`, `"sum"` or `"none"`.
    out
        Array that receives the result.

    Returns
    -------
    Array without axes, or with `"none"` of the broadcast shape, of the promoted floating dtype.

    Raises
    ------
    ValueError
        If `reduction` is something else or the shapes do not fit.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.poisson_nll_loss(ca.asarray([1.0, 2.0]), ca.zeros(2), log_input=False, reduction="none").tolist()
    [1.0, 2.0]

    Notes
    -----
    `torch.nn.functional.poisson_nll_loss`.
    """
    reduce = _reduction("poisson_nll_loss", reduction)
    if log_input:
        loss = xp.exp(pred) - _weighted(target, pred)
    else:
        loss = pred - _weighted(target, xp.log(pred + eps))
    if full:
        several = xp.where(target > 1.0, target, 1.0)
        stirling = several * xp.log(several) - several + 0.5 * xp.log(2.0 * math.pi * several)
        loss = loss + xp.where(target > 1.0, stirling, 0.0)
    return reduce(loss)


@declare(promote=("pred", "target"), floating=True, real=True, gives="same")
def smooth_l1_loss(
    pred: Array, target: Array, /, *, beta: float = 1.0, reduction: str = "mean", out: Array | None = None
) -> Array:
    """Compute absolute differences, quadratic near zero.

    Parameters
    ----------
    pred, target
        Real arrays of broadcastable shapes.
    beta
        Difference below which the loss is a square; with 0 it is `l1_loss`.
    reduction
        `"mean"`, `"sum"` or `"none"`.
    out
        Array that receives the result.

    Returns
    -------
    Array without axes, or with `"none"` of the broadcast shape, of the promoted floating dtype.

    Raises
    ------
    ValueError
        If `beta` is negative, `reduction` is something else or the shapes do not fit.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.smooth_l1_loss(ca.asarray([0.5, 3.0]), ca.zeros(2), beta=2.0, reduction="none").tolist()
    [0.0625, 2.0]

    Notes
    -----
    `huber_loss` divided by `delta`. R. Girshick, Fast R-CNN, arXiv:1504.08083; `torch.nn.functional.smooth_l1_loss`.
    """
    reduce = _reduction("smooth_l1_loss", reduction)
    if beta < 0:
        raise ValueError(f"'smooth_l1_loss' was asked for beta={beta}; it must be at least 0")
    difference = pred - target
    return reduce(_huber(difference, beta) / beta if beta else xp.abs(difference))


@declare(promote=("pred", "target"), floating=True, real=True, gives="same")
def soft_margin_loss(pred: Array, target: Array, /, *, reduction: str = "mean", out: Array | None = None) -> Array:
    """Compute the logistic loss for targets 1 and -1, `log(1 + exp(-target * pred))`, without overflow.

    Parameters
    ----------
    pred
        Scores; real array.
    target
        1 and -1, the signs wanted, of a shape that broadcasts with that of `pred`.
    reduction
        `"mean"`, `"sum"` or `"none"`.
    out
        Array that receives the result.

    Returns
    -------
    Array without axes, or with `"none"` of the broadcast shape, of the promoted floating dtype.

    Raises
    ------
    ValueError
        If `reduction` is something else or the shapes do not fit.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.soft_margin_loss(ca.asarray([1000.0, 1000.0]), ca.asarray([1.0, -1.0]), reduction="none").tolist()
    [0.0, 1000.0]

    Notes
    -----
    `torch.nn.functional.soft_margin_loss`.
    """
    return _reduction("soft_margin_loss", reduction)(xp.softplus(-target * pred))


@declare(promote=("pred", "weight"), floating=True, real=True, gives="same")
def sparse_cross_entropy(
    pred: Array,
    target: Array,
    /,
    *,
    from_logits: bool = True,
    axis: int = -1,
    weight: Array | None = None,
    ignore_index: int | None = None,
    label_smoothing: float = 0.0,
    epsilon: float = 0.0,
    reduction: str = "mean",
    out: Array | None = None,
) -> Array:
    """Compute the cross entropy of class indices, `-log(pred)` of the target class.

    Parameters
    ----------
    pred
        Predicted logits of the classes, or their probabilities; real array.
    target
        Integer array of the shape of `pred` without `axis`: the classes, counted from 0.
    from_logits
        Whether `pred` are logits, which are passed through `softmax` without overflow or cancellation.
    axis
        Axis of the classes.
    weight
        Weight of each class, an array of shape `(classes,)`. The mean is a weighted one.
    ignore_index
        Class that costs nothing and does not count in the mean.
    label_smoothing
        Fraction of the target probability that is spread evenly over all classes.
    epsilon
        Least predicted probability; with one above zero the loss is finite. Logits need none.
    reduction
        `"mean"`, `"sum"` or `"none"`.
    out
        Array that receives the result.

    Returns
    -------
    Array without axes, or with `"none"` of the shape of `target`, of the floating dtype of `pred`. The mean of no element is
    NaN.

    Raises
    ------
    ValueError
        If an option or a shape does not fit.
    TypeError
        If `target` has no integer dtype.
    IndexError
        If `pred` has no such axis.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.sparse_cross_entropy(ca.asarray([[1000.0, 0.0]]), ca.asarray([1])).tolist()
    1000.0
    >>> logits, target = ca.asarray([[9.0, 0.0], [0.0, 9.0]]), ca.asarray([1, -100])
    >>> ca.round(ca.sparse_cross_entropy(logits, target, ignore_index=-100)).tolist()
    9.0

    Notes
    -----
    A class beyond the last has no defined result. `torch.nn.functional.cross_entropy` of class indices, which has the classes
    along axis 1, takes logits only and ignores the class -100 by default.
    """
    reduce = _reduction("sparse_cross_entropy", reduction)
    _require_classes("sparse_cross_entropy", pred, axis, label_smoothing)
    axis = _class_axis("sparse_cross_entropy", pred, target, axis, weight)
    kept = None if ignore_index is None else target != ignore_index
    logarithms = _logarithms(pred, from_logits, axis, epsilon)
    loss, share = _picked(logarithms, target, axis, weight, kept)
    if label_smoothing:
        if weight is None:
            smooth = xp.mean(logarithms, axis=axis)
        else:
            sides = tuple(-1 if i == axis else 1 for i in range(pred.ndim))
            smooth = xp.mean(logarithms * xp.reshape(weight, sides), axis=axis)
        smooth = smooth if kept is None else xp.where(kept, smooth, 0.0)
        loss = (1.0 - label_smoothing) * loss - label_smoothing * smooth
    return reduce(loss) if share is None or reduction != "mean" else _mean_by_shares(loss, share)


@declare(promote=("pred", "target"), floating=True, real=True, gives="same")
def ssim_loss(
    pred: Array,
    target: Array,
    /,
    *,
    window_size: int = 11,
    sigma: float = 1.5,
    data_range: float = 1.0,
    k1: float = 0.01,
    k2: float = 0.03,
    data_format: str = "channels_first",
    reduction: str = "mean",
    out: Array | None = None,
) -> Array:
    """Compute one minus the structural similarity of images.

    Parameters
    ----------
    pred, target
        Real arrays of one shape `(N, C, ...)`, or `(N, ..., C)` with channels last: images with one spatial axis or more.
    window_size
        Side of the window in which means and variances are taken. It lies within the image.
    sigma
        Standard deviation of the Gaussian weights in the window.
    data_range
        Difference of the largest and the smallest value that a pixel may have.
    k1, k2
        Stabilising constants of the quotient, as fractions of `data_range`.
    data_format
        `"channels_first"` or `"channels_last"`.
    reduction
        `"mean"` and `"sum"` over the batch, or `"none"`.
    out
        Array that receives the result.

    Returns
    -------
    Array without axes, or with `"none"` of shape `(N,)`, of the promoted floating dtype.

    Raises
    ------
    ValueError
        If an option or a shape does not fit.

    Examples
    --------
    >>> import corearray as ca
    >>> image = ca.reshape(ca.arange(64.0), (1, 1, 8, 8))
    >>> ca.ssim_loss(image, image, window_size=5, data_range=63.0).tolist()
    0.0

    Notes
    -----
    Z. Wang et al., Image quality assessment: from error visibility to structural similarity, IEEE Transactions on Image
    Processing 13 (2004), 600-612.
    """
    reduce = _reduction("ssim_loss", reduction)
    place = channel_axis("ssim_loss", pred, data_format)
    axes = tuple(i for i in range(1, pred.ndim) if i != place)
    if tuple(pred.shape) != tuple(target.shape) or not axes:
        raise ValueError(
            f"'ssim_loss' got images of the shapes {tuple(pred.shape)} and {tuple(target.shape)}; give two of one shape, with "
            "a batch, channels and spatial axes"
        )
    if not sigma > 0.0:
        raise ValueError(f"'ssim_loss' got sigma={sigma}; it is greater than 0")
    if not 1 <= window_size <= min(pred.shape[i] for i in axes):
        raise ValueError(f"'ssim_loss' was asked for window_size={window_size} in images of shape {tuple(pred.shape)}")
    weights = [math.exp(-0.5 * ((i - 0.5 * (window_size - 1)) / sigma) ** 2) for i in range(window_size)]
    images = xp.stack([pred, target, pred * pred, target * target, pred * target])
    for axis in axes:
        images = _smoothed(images, axis + 1, weights)
    mean1, mean2, square1, square2, product = xp.unstack(images)
    c1, c2 = (k1 * data_range) ** 2, (k2 * data_range) ** 2
    means = mean1 * mean2
    squares = mean1 * mean1 + mean2 * mean2
    likeness = (2.0 * means + c1) / (squares + c1) * (2.0 * (product - means) + c2) / (square1 + square2 - squares + c2)
    return reduce(1.0 - xp.mean(likeness, axis=tuple(range(1, pred.ndim))))


@declare(promote=("real", "fake"), floating=True, real=True, gives="same")
def wasserstein_loss_discriminator(real: Array, fake: Array, /, *, out: Array | None = None) -> Array:
    """Compute the loss of a Wasserstein critic: mean score of generated samples minus mean score of real ones.

    Parameters
    ----------
    real, fake
        Scores of what is real and of what was generated; real arrays of any shapes.
    out
        Array that receives the result.

    Returns
    -------
    Array without axes, of the promoted floating dtype.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.wasserstein_loss_discriminator(ca.asarray([2.0, 4.0]), ca.asarray([1.0])).tolist()
    -2.0

    Notes
    -----
    M. Arjovsky et al., Wasserstein GAN, arXiv:1701.07875.
    """
    return xp.mean(fake) - xp.mean(real)


@declare(floating=True, real=True, gives="same")
def wasserstein_loss_generator(fake: Array, /, *, out: Array | None = None) -> Array:
    """Compute the loss of a Wasserstein generator: the negative mean score of generated samples.

    Parameters
    ----------
    fake
        Scores of what was generated; real array of any shape.
    out
        Array that receives the result.

    Returns
    -------
    Array without axes, of the floating dtype of `fake`.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.wasserstein_loss_generator(ca.asarray([2.0, 4.0])).tolist()
    -3.0

    Notes
    -----
    M. Arjovsky et al., Wasserstein GAN, arXiv:1701.07875.
    """
    return -xp.mean(fake)


def _reduction(name: str, reduction: str) -> Callable[[Array], Array]:
    """Return what a reduction does."""
    if reduction == "mean":
        return lambda losses: xp.mean(losses)
    if reduction == "sum":
        return lambda losses: xp.sum(losses)
    if reduction == "none":
        return lambda losses: losses
    raise ValueError(f"'{name}' got reduction={reduction!r}; it is one of 'mean', 'sum', 'none'")


def _weighted(weight: Array, value: Array) -> Array:
    """Multiply; a weight of zero makes infinities and NaN zero, and leaves the derivative with respect to it for the rest."""
    return weight * xp.where((weight == 0.0) & xp.logical_not(xp.isfinite(value)), 0.0, value)


def _huber(difference: Array, delta: float) -> Array:
    size = xp.abs(difference)
    inner = xp.minimum(size, delta)
    return inner * (size - 0.5 * inner)


def _require_classes(name: str, pred: Array, axis: int, label_smoothing: float) -> None:
    if not -pred.ndim <= axis < pred.ndim:
        raise IndexError(f"'{name}' was asked for axis {axis} of an array with {pred.ndim} axes")
    if not 0.0 <= label_smoothing <= 1.0:
        raise ValueError(f"'{name}' was asked for label_smoothing={label_smoothing}; it lies between 0 and 1")


def _class_axis(name: str, pred: Array, target: Array, axis: int, weight: Array | None) -> int:
    """Return the axis of the classes, counted from the front, after a look at class numbers and weights."""
    if not -pred.ndim <= axis < pred.ndim:
        raise IndexError(f"'{name}' was asked for axis {axis} of an array with {pred.ndim} axes")
    if not xp.isdtype(target.dtype, "integral"):
        others = ", or their probabilities to 'cross_entropy'" if name == "sparse_cross_entropy" else ""
        raise TypeError(f"'{name}' got targets of dtype '{target.dtype}'; give the numbers of the classes{others}")
    axis = axis % pred.ndim
    if tuple(target.shape) != (*pred.shape[:axis], *pred.shape[axis + 1 :]):
        raise ValueError(
            f"'{name}' got targets of shape {tuple(target.shape)} for predictions of shape "
            f"{tuple(pred.shape)}; give one number for all classes along axis {axis}"
        )
    if pred.shape[axis] == 0 and 0 not in target.shape:
        raise ValueError(
            f"'{name}' got predictions of shape {tuple(pred.shape)}; there must be a class along axis {axis}"
        )
    if weight is not None and (weight.ndim != 1 or weight.shape[0] != pred.shape[axis]):
        raise ValueError(
            f"'{name}' got weights of shape {tuple(weight.shape)} for predictions of shape {tuple(pred.shape)}; give one "
            f"weight for each class along axis {axis}"
        )
    return axis


def _picked(
    logarithms: Array, target: Array, axis: int, weight: Array | None, kept: Array | None
) -> tuple[Array, Array | None]:
    """Return the loss of each element and its share in the mean, `None` if all shares are 1."""
    classes = target if kept is None else xp.where(kept, target, xp.zeros_like(target))
    loss = -xp.squeeze(xp.take_along_axis(logarithms, xp.expand_dims(classes, axis), axis=axis), axis=axis)
    share = None
    if weight is not None:
        share = xp.reshape(xp.take(weight, xp.reshape(classes, (-1,)), axis=0), tuple(target.shape))
        loss = share * loss
    if kept is not None:
        loss = xp.where(kept, loss, 0.0)
        share = xp.astype(kept, loss.dtype) if share is None else xp.where(kept, share, 0.0)
    return loss, share


def _mean_by_shares(loss: Array, share: Array) -> Array:
    """Return a weighted mean, NaN without weights."""
    whole = xp.sum(share)
    return xp.sum(loss) / xp.where(whole == 0.0, xp.nan, whole)


def _logarithms(pred: Array, from_logits: bool, axis: int, epsilon: float) -> Array:
    """Return the logarithms of the predicted probabilities."""
    if from_logits:
        return xp.log_softmax(pred, axis=axis)
    return xp.log(xp.maximum(pred, epsilon) if epsilon else pred)


def _smoothed(images: Array, axis: int, weights: list[float]) -> Array:
    """Average along an axis with weights, where the window lies within."""
    before = (slice(None),) * axis
    last = len(weights) - 1
    total = sum(weights)
    result = None
    for i, weight in enumerate(weights):
        part = weight / total * images[(*before, slice(i, i - last or None), ...)]
        result = part if result is None else result + part
    assert result is not None
    return result
