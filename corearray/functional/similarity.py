"""Similarity of vectors, and the losses that compare vectors and scores with each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corearray.contract.declaration import declare
from corearray.functional.losses import _class_axis, _reduction, _weighted
from corearray.functional.precision import _widened

if TYPE_CHECKING:
    import corearray as xp
    from corearray.arrays.array import Array

__all__ = [
    "cosine_embedding_loss",
    "cosine_similarity",
    "margin_ranking_loss",
    "multi_margin_loss",
    "multilabel_margin_loss",
    "multilabel_soft_margin_loss",
    "triplet_margin_loss",
]


@declare(promote=("x1", "x2"), floating=True, real=True, gives="same")
def cosine_embedding_loss(
    x1: Array,
    x2: Array,
    target: Array,
    /,
    *,
    margin: float = 0.0,
    axis: int = -1,
    reduction: str = "mean",
    out: Array | None = None,
) -> Array:
    """Compute the cosine embedding loss: `1 - cos` of similar pairs, `max(0, cos - margin)` of dissimilar ones.

    Parameters
    ----------
    x1, x2
        Real arrays of vectors, of broadcastable shapes `(..., D)`.
    target
        1 for similar and -1 for dissimilar pairs, of a shape that broadcasts with that of the pairs.
    margin
        Cosine up to which a dissimilar pair costs nothing.
    axis
        Axis of the vectors in the broadcast shape.
    reduction
        `"mean"`, `"sum"` or `"none"`.
    out
        Array that receives the result.

    Returns
    -------
    Array without axes, or with `"none"` of the shape of the pairs, of the promoted floating dtype of the vectors.

    Raises
    ------
    ValueError
        If `reduction` is something else or the shapes do not fit.
    IndexError
        If there is no such axis.

    Examples
    --------
    >>> import corearray as ca
    >>> x1, x2 = ca.asarray([[1.0, 0.0], [0.0, 2.0]]), ca.asarray([[0.0, 1.0], [0.0, 1.0]])
    >>> ca.round(ca.cosine_embedding_loss(x1, x2, ca.asarray([1, -1]), reduction="none")).tolist()
    [1.0, 1.0]

    Notes
    -----
    `torch.nn.functional.cosine_embedding_loss`: 1e-12 is added to the squared norms.
    """
    reduce = _reduction("cosine_embedding_loss", reduction)
    _require_axis("cosine_embedding_loss", x1, x2, axis)
    dtype = x1.dtype
    x1, x2 = _widened(x1), _widened(x2)
    product = xp.sum(x1 * x2, axis=axis)
    one, two = (xp.sum(x * x, axis=axis) + 1e-12 for x in xp.broadcast_arrays(x1, x2))
    cosine = xp.astype(product / xp.sqrt(one * two), dtype, copy=False)
    return reduce(xp.where(target > 0, 1.0 - cosine, xp.clip(cosine - margin, 0.0)))


@declare(promote=("x1", "x2"), floating=True, real=True, gives="same")
def cosine_similarity(x1: Array, x2: Array, /, *, axis: int = -1, eps: float = 1e-8, out: Array | None = None) -> Array:
    """Compute the cosine of the angle between vectors, `x1 @ x2 / (norm(x1) * norm(x2))`.

    Parameters
    ----------
    x1, x2
        Real arrays of vectors, of broadcastable shapes.
    axis
        Axis of the vectors in the broadcast shape.
    eps
        Least norm; smaller ones count as this one, so that the cosine with a vector of zeros is 0.
    out
        Array that receives the result.

    Returns
    -------
    Array of the broadcast shape without `axis`, of the promoted floating dtype.

    Raises
    ------
    ValueError
        If the shapes do not broadcast.
    IndexError
        If there is no such axis.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.cosine_similarity(ca.asarray([[3.0, 0.0], [0.0, 0.0]]), ca.asarray([2.0, 0.0])).tolist()
    [1.0, 0.0]

    Notes
    -----
    `torch.nn.functional.cosine_similarity`, which has the vectors along axis 1 by default.
    """
    _require_axis("cosine_similarity", x1, x2, axis)
    dtype = x1.dtype
    x1, x2 = xp.broadcast_arrays(_widened(x1), _widened(x2))
    one, two = (xp.maximum(xp.linalg.vector_norm(x, axis=axis, keepdims=True), eps) for x in (x1, x2))
    return xp.astype(xp.sum((x1 / one) * (x2 / two), axis=axis), dtype, copy=False)


@declare(promote=("x1", "x2", "target"), floating=True, real=True, gives="same")
def margin_ranking_loss(
    x1: Array,
    x2: Array,
    target: Array,
    /,
    *,
    margin: float = 0.0,
    reduction: str = "mean",
    out: Array | None = None,
) -> Array:
    """Compute the margin ranking loss of pairs of scores, `max(0, -target * (x1 - x2) + margin)`.

    Parameters
    ----------
    x1, x2
        Scores; real arrays of broadcastable shapes.
    target
        1 where the first is to be the larger, -1 where the second is; it broadcasts with the scores.
    margin
        Distance from which on a pair in the right order costs nothing.
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
    >>> x1, x2 = ca.asarray([1.0, 3.0]), ca.asarray([2.0, 1.0])
    >>> ca.margin_ranking_loss(x1, x2, ca.asarray([1, 1]), reduction="none").tolist()
    [1.0, 0.0]

    Notes
    -----
    `torch.nn.functional.margin_ranking_loss`.
    """
    return _reduction("margin_ranking_loss", reduction)(xp.clip(margin - target * (x1 - x2), 0.0))


@declare(promote=("pred", "weight"), floating=True, real=True, gives="same")
def multi_margin_loss(
    pred: Array,
    target: Array,
    /,
    *,
    p: int = 1,
    margin: float = 1.0,
    weight: Array | None = None,
    reduction: str = "mean",
    out: Array | None = None,
) -> Array:
    """Compute the multi-class margin loss, the mean over all classes of `max(0, margin - pred[target] + pred[class])**p`.

    The class of the target counts as zero.

    Parameters
    ----------
    pred
        Scores of the classes along the last axis; real array of shape `(..., C)`.
    target
        Numbers of the classes, integers of shape `(...)`.
    p
        1 or 2, the power of each term.
    margin
        Distance from which on a smaller score of another class costs nothing.
    weight
        Factor for each class of a target, of shape `(C,)`.
    reduction
        `"mean"`, `"sum"` or `"none"`.
    out
        Array that receives the result.

    Returns
    -------
    Array without axes, or with `"none"` of the shape of `target`, of the promoted floating dtype.

    Raises
    ------
    TypeError
        If the targets are not integers.
    ValueError
        If `p` or `reduction` is something else or the shapes do not fit.
    IndexError
        If the scores have no axes.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.multi_margin_loss(ca.asarray([[1.0, 0.5, 3.0, 1.0]]), ca.asarray([0])).tolist()
    1.125

    Notes
    -----
    `torch.nn.functional.multi_margin_loss`.
    """
    reduce = _reduction("multi_margin_loss", reduction)
    if p not in (1, 2):
        raise ValueError(f"'multi_margin_loss' got p={p!r}; it is 1 or 2")
    _class_axis("multi_margin_loss", pred, target, -1, weight)
    places = xp.expand_dims(target, -1)
    over = xp.relu(margin - xp.take_along_axis(pred, places, axis=-1) + pred)
    over = over if p == 1 else over * over
    if weight is not None:
        over = over * xp.reshape(xp.take(weight, xp.reshape(target, (-1,)), axis=0), tuple(places.shape))
    others = xp.arange(pred.shape[-1], dtype=target.dtype, device=target.device) != places
    return reduce(xp.mean(xp.where(others, over, 0.0), axis=-1))


@declare(promote=("pred",), floating=True, real=True, gives="same")
def multilabel_margin_loss(
    pred: Array, target: Array, /, *, reduction: str = "mean", out: Array | None = None
) -> Array:
    """Compute the multi-label margin loss: `max(0, 1 - pred[label] + pred[class]) / C`, summed over labels and other classes.

    Parameters
    ----------
    pred
        Scores of the classes along the last axis; real array of shape `(..., C)`.
    target
        Numbers of the classes that are labels, integers of the shape of `pred`; a negative number ends a list of labels.
    reduction
        `"mean"`, `"sum"` or `"none"`.
    out
        Array that receives the result.

    Returns
    -------
    Array without axes, or with `"none"` of the shape of `pred` without the last axis, of the floating dtype.

    Raises
    ------
    TypeError
        If the targets are not integers.
    ValueError
        If `reduction` is something else or the shapes do not fit.

    Examples
    --------
    >>> import corearray as ca
    >>> pred, labels = ca.asarray([[0.0, 0.5, 0.25, 1.0]]), ca.asarray([[3, 0, -1, 1]])
    >>> ca.multilabel_margin_loss(pred, labels).tolist()
    0.875

    Notes
    -----
    `torch.nn.functional.multilabel_margin_loss`.
    """
    reduce = _reduction("multilabel_margin_loss", reduction)
    if not xp.isdtype(target.dtype, "integral"):
        raise TypeError(
            f"'multilabel_margin_loss' got targets of dtype '{target.dtype}'; give the numbers of the classes"
        )
    if not pred.ndim or tuple(target.shape) != tuple(pred.shape):
        raise ValueError(
            f"'multilabel_margin_loss' got targets of shape {tuple(target.shape)} for predictions of shape "
            f"{tuple(pred.shape)}; both have the shape (..., C)"
        )
    kept = xp.cumulative_sum(xp.astype(target < 0, xp.int32), axis=-1) == 0
    places = xp.where(kept, target, xp.zeros_like(target))
    rows, classes = xp.expand_dims(kept, -1), xp.arange(pred.shape[-1], dtype=target.dtype, device=target.device)
    own = xp.any((xp.expand_dims(places, -1) == classes) & rows, axis=-2, keepdims=True)
    right = xp.expand_dims(xp.take_along_axis(pred, places, axis=-1), -1)
    over = xp.relu(1.0 - right + xp.expand_dims(pred, -2))
    return reduce(xp.sum(xp.mean(xp.where(rows & xp.logical_not(own), over, 0.0), axis=-1), axis=-1))


@declare(promote=("pred", "target", "weight"), floating=True, real=True, gives="same")
def multilabel_soft_margin_loss(
    pred: Array,
    target: Array,
    /,
    *,
    weight: Array | None = None,
    reduction: str = "mean",
    out: Array | None = None,
) -> Array:
    """Compute the mean over classes of the binary cross entropy of logits.

    Parameters
    ----------
    pred
        Logits of the classes along the last axis; real array of shape `(..., C)`.
    target
        1 for labels and 0 for other classes, of a shape that broadcasts with that of `pred`.
    weight
        Factors that broadcast with the predictions, such as one for each class.
    reduction
        `"mean"`, `"sum"` or `"none"`.
    out
        Array that receives the result.

    Returns
    -------
    Array without axes, or with `"none"` of the broadcast shape without the last axis, of the promoted floating dtype.

    Raises
    ------
    ValueError
        If `reduction` is something else, the predictions have no axes, or the shapes do not fit.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.multilabel_soft_margin_loss(ca.asarray([[1000.0, 1000.0]]), ca.asarray([[1.0, 0.0]])).tolist()
    500.0

    Notes
    -----
    `torch.nn.functional.multilabel_soft_margin_loss`.
    """
    reduce = _reduction("multilabel_soft_margin_loss", reduction)
    if not pred.ndim:
        raise ValueError("'multilabel_soft_margin_loss' got predictions without axes; give classes along the last axis")
    losses = _weighted(target, xp.softplus(-pred)) + _weighted(1.0 - target, xp.softplus(pred))
    return reduce(xp.mean(losses if weight is None else weight * losses, axis=-1))


@declare(promote=("anchor", "positive", "negative"), floating=True, real=True, gives="same")
def triplet_margin_loss(
    anchor: Array,
    positive: Array,
    negative: Array,
    /,
    *,
    margin: float = 1.0,
    p: float = 2.0,
    eps: float = 1e-6,
    swap: bool = False,
    reduction: str = "mean",
    out: Array | None = None,
) -> Array:
    """Compute the triplet margin loss, `max(0, d(anchor, positive) - d(anchor, negative) + margin)`.

    `d` is the distance by the p-norm.

    Parameters
    ----------
    anchor, positive, negative
        Real arrays of vectors along the last axis, of broadcastable shapes `(..., D)`.
    margin
        Difference of the distances from which on a triplet costs nothing; above 0.
    p
        Order of the norm.
    eps
        Added to each difference of elements, so that the distance of equal vectors has a derivative.
    swap
        Whether the distance from the positive to the negative example is taken where it is the smaller one.
    reduction
        `"mean"`, `"sum"` or `"none"`.
    out
        Array that receives the result.

    Returns
    -------
    Array without axes, or with `"none"` of the broadcast shape without the last axis, of the promoted floating dtype.

    Raises
    ------
    ValueError
        If `margin` is not positive, an array has no axes, `reduction` is something else or the shapes do not fit.

    Examples
    --------
    >>> import corearray as ca
    >>> anchor, near, far = ca.zeros((1, 2)), ca.asarray([[3.0, 4.0]]), ca.asarray([[0.0, 4.0]])
    >>> ca.round(ca.triplet_margin_loss(anchor, near, far)).tolist()
    2.0

    Notes
    -----
    V. Balntas et al., Learning local feature descriptors with triplets, 2016; `torch.nn.functional.triplet_margin_loss`.
    """
    reduce = _reduction("triplet_margin_loss", reduction)
    if margin <= 0:
        raise ValueError(f"'triplet_margin_loss' was asked for margin={margin}; it must be above 0")
    if not anchor.ndim or not positive.ndim or not negative.ndim:
        raise ValueError("'triplet_margin_loss' got an array without axes; give vectors along the last axis")

    def distance(x: Array, y: Array) -> Array:
        return xp.linalg.vector_norm(x - y + eps, axis=-1, ord=p)

    far = distance(anchor, negative)
    if swap:
        far = xp.minimum(far, distance(positive, negative))
    return reduce(xp.clip(distance(anchor, positive) - far + margin, 0.0))


def _require_axis(name: str, x1: Array, x2: Array, axis: int) -> None:
    ndim = max(x1.ndim, x2.ndim)
    if not -ndim <= axis < ndim:
        raise IndexError(f"'{name}' was asked for axis {axis} of vectors in arrays with {ndim} axes")
