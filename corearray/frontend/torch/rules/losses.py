"""Losses and distances."""

from __future__ import annotations

from typing import Any

import corearray as ca
from corearray.frontend.torch.described import rule, say
from corearray.frontend.torch.promotion import array, cast, category, common

__all__: list[str] = []

say("""
torch.nn.functional.mse_loss(input, target, size_average=None, reduce=None, reduction="mean", weight=None) = weighed(
    ca.square(difference(input, target)), weight, reduction)
torch.nn.functional.l1_loss(input, target, size_average=None, reduce=None, reduction="mean", weight=None) = weighed(
    ca.abs(difference(input, target)), weight, reduction)
torch.nn.functional.smooth_l1_loss(input, target, size_average=None, reduce=None, reduction="mean", beta=1.0) = ca.l1_loss(
    *common(input, target), reduction=reduction) if not beta else ca.smooth_l1_loss(*common(input, target), beta=beta,
    reduction=reduction)
torch.nn.functional.huber_loss(input, target, reduction="mean", delta=1.0, weight=None) = weighed(
    ca.huber_loss(*common(input, target), delta=delta, reduction="none"), weight, reduction)
torch.nn.functional.soft_margin_loss(input, target, size_average=None, reduce=None, reduction="mean") = ca.soft_margin_loss(
    *common(input, target), reduction=reduction)
torch.nn.functional.hinge_embedding_loss(input, target, margin=1.0, size_average=None, reduce=None,
    reduction="mean") = reduced(
    hinge(input, target, margin), reduction)
torch.nn.functional.kl_div(input, target, size_average=None, reduce=None, reduction="mean",
    log_target=False) = divergence(input,
    target, reduction, log_target)
torch.nn.functional.poisson_nll_loss(input, target, log_input=True, full=False, size_average=None, eps=1e-08, reduce=None,
    reduction="mean") = poisson(input, target, log_input, full, eps, reduction)
torch.nn.functional.binary_cross_entropy(input, target, weight=None, size_average=None, reduce=None,
    reduction="mean") = weighed(
    entropy_of(input, target), weight, reduction)
torch.nn.functional.binary_cross_entropy_with_logits(input, target, weight=None, size_average=None, reduce=None,
    reduction="mean", pos_weight=None) = weighed(entropy_of_logits(input, target, pos_weight), weight, reduction)
torch.nn.functional.margin_ranking_loss(input1, input2, target, margin=0, size_average=None, reduce=None,
    reduction="mean") =
    reduced(ca.clip(-target * (input1 - input2) + margin, min=0), reduction)
torch.nn.functional.cosine_embedding_loss(input1, input2, target, margin=0, size_average=None, reduce=None,
    reduction="mean") =
    reduced(by_angle(input1, input2, target, margin), reduction)
torch.nn.functional.triplet_margin_loss(anchor, positive, negative, margin=1.0, p=2, eps=1e-06, swap=False,
    size_average=None,
    reduce=None, reduction="mean") = triplet(anchor, positive, negative, margin, p, eps, swap, reduction)
torch.nn.functional.multilabel_soft_margin_loss(input, target, weight=None, size_average=None, reduce=None,
    reduction="mean") =
    multilabel_soft(input, target, weight, reduction)
torch.nn.functional.pairwise_distance(x1, x2, p=2.0, eps=1e-06, keepdim=False) = distance(x1, x2, p, eps, keepdim)
torch.pairwise_distance(x1, x2, p=2.0, eps=1e-06, keepdim=False) = distance(x1, x2, p, eps, keepdim)
torch.dist(input, other, p=2) = ca.linalg.vector_norm(input - other, ord=float(p))
torch.cdist(x1, x2, p=2.0, compute_mode="use_mm_for_euclid_dist_if_necessary") = distances(x1, x2, p)
torch.nn.functional.pdist(input, p=2) = upper_distances(input, p)
torch.nn.functional.gaussian_nll_loss(input, target, var, full=False, eps=1e-06, reduction="mean") = gaussian(input,
    target, var,
    full, eps, reduction)
torch.nn.functional.nll_loss(input, target, weight=None, size_average=None, ignore_index=-100, reduce=None,
    reduction="mean") =
    negative_log_likelihood(input, target, weight, ignore_index, reduction)
torch.nll_loss | torch.nn.functional.nll_loss_nd (input, target, weight=None, reduction=1, ignore_index=-100) =
    negative_log_likelihood(input, target, weight, ignore_index, ("none", "mean", "sum")[reduction])
""")


def reduced(x: ca.Array, reduction: str) -> Any:
    """Reduce a loss by torch's word."""
    return {"none": lambda v: v, "mean": ca.mean, "sum": ca.sum}[reduction](x)


def difference(input: ca.Array, target: ca.Array) -> ca.Array:
    """Return the difference in the common dtype."""
    return ca.subtract(*common(input, target))


def weighed(x: ca.Array, weight: Any, reduction: str) -> Any:
    """Multiply by weights and reduce."""
    return reduced(x if weight is None else x * weight, reduction)


def hinge(input: ca.Array, target: ca.Array, margin: float) -> ca.Array:
    """Return the hinge loss of distances, zero where the target is neither 1 nor -1."""
    zero = ca.zeros((), dtype=input.dtype)
    return ca.where(ca.equal(target, 1), zero, ca.clip(margin - input, min=0)) + ca.where(
        ca.equal(target, -1), zero, input
    )


def divergence(input: ca.Array, target: ca.Array, reduction: str, log_target: bool) -> Any:
    """Return the Kullback-Leibler divergence of logarithms from probabilities."""
    each = ca.exp(target) * (target - input) if log_target else ca.xlogy(target, target) - target * input
    return ca.sum(each) / each.shape[0] if reduction == "batchmean" else reduced(each, reduction)


def poisson(input: ca.Array, target: ca.Array, log_input: bool, full: bool, eps: float, reduction: str) -> Any:
    """Return the Poisson loss, with Stirling's approximation for `full`."""
    each = ca.exp(input) - target * input if log_input else input - target * ca.log(input + eps)
    if full:
        some = ca.where(target > 1, target, ca.ones_like(target))
        stirling = some * ca.log(some) - some + 0.5 * ca.log(2 * ca.pi * some)
        each = each + ca.where(target > 1, stirling, ca.zeros_like(stirling))
    return reduced(each, reduction)


def entropy_of(input: ca.Array, target: ca.Array) -> ca.Array:
    """Return the binary cross entropy of probabilities; logarithms are at least -100."""
    low = array(-100.0, input.dtype)
    return -(target * ca.maximum(ca.log(input), low) + (1 - target) * ca.maximum(ca.log1p(-input), low))


def entropy_of_logits(input: ca.Array, target: ca.Array, pos_weight: Any) -> ca.Array:
    """Return the binary cross entropy of logits."""
    some = ca.logsigmoid(input)
    if pos_weight is None:
        return (1 - target) * input - some
    return (1 - target) * input - (1 + (pos_weight - 1) * target) * some


def by_angle(x1: ca.Array, x2: ca.Array, target: ca.Array, margin: float) -> ca.Array:
    """Return one minus the cosine for alike pairs, and what exceeds the margin for others."""
    eps = 1e-12
    cosine = ca.sum(x1 * x2, axis=-1) / ca.sqrt((ca.sum(x1 * x1, axis=-1) + eps) * (ca.sum(x2 * x2, axis=-1) + eps))
    zero = ca.zeros((), dtype=cosine.dtype)
    return ca.where(ca.equal(target, 1), 1 - cosine, zero) + ca.where(
        ca.equal(target, -1), ca.clip(cosine - margin, min=0), zero
    )


def distance(x1: ca.Array, x2: ca.Array, p: float, eps: float, keepdim: bool) -> ca.Array:
    """Return distances of pairs of vectors."""
    return ca.linalg.vector_norm(x1 - x2 + eps, ord=float(p), axis=-1, keepdims=keepdim)


def triplet(
    a: ca.Array, b: ca.Array, c: ca.Array, margin: float, p: float, eps: float, swap: bool, reduction: str
) -> Any:
    """Return how much nearer than the margin the negative is."""
    near, far = distance(a, b, p, eps, False), distance(a, c, p, eps, False)
    if swap:
        far = ca.minimum(far, distance(b, c, p, eps, False))
    return reduced(ca.clip(near - far + margin, min=0), reduction)


def multilabel_soft(input: ca.Array, target: ca.Array, weight: Any, reduction: str) -> Any:
    """Return the mean over classes of binary cross entropies of logits."""
    return reduced(ca.multilabel_soft_margin_loss(input, target, weight=weight, reduction="none"), reduction)


def distances(x1: ca.Array, x2: ca.Array, p: float) -> ca.Array:
    """Return the distances of all pairs of rows."""
    apart = ca.expand_dims(x1, -2) - ca.expand_dims(x2, -3)
    if not apart.shape[-1]:
        return ca.zeros(apart.shape[:-1], dtype=apart.dtype)
    return ca.linalg.vector_norm(apart, ord=float(p), axis=-1)


def upper_distances(x: ca.Array, p: float) -> ca.Array:
    """Return the distances of all pairs of rows, each pair once."""
    rows, columns = ca.triu_indices(x.shape[0], k=1)
    return ca.linalg.vector_norm(ca.take(x, rows, axis=0) - ca.take(x, columns, axis=0), ord=float(p), axis=-1)


def gaussian(x: ca.Array, target: ca.Array, var: Any, full: bool, eps: float, reduction: str) -> Any:
    """Return the Gaussian loss with a variance for each element."""
    var = array(var, x.dtype) if not isinstance(var, ca.Array) else var
    if tuple(var.shape) != tuple(x.shape) and tuple(x.shape[:-1]) == tuple(var.shape):
        var = ca.expand_dims(var, -1)
    var = var + ca.stop_gradient(ca.maximum(var, array(eps, var.dtype)) - var)  # torch clamps without a gradient
    each = 0.5 * (ca.log(var) + ca.square(x - target) / var)
    return reduced(each + (0.9189385332046727 if full else 0.0), reduction)


def negative_log_likelihood(input: ca.Array, target: ca.Array, weight: Any, ignore_index: int, reduction: str) -> Any:
    """Return minus the logarithm of the probability of each target; classes are the second axis."""
    axis = 0 if input.ndim == 1 else 1
    ignored = ca.equal(target, ignore_index)
    places = ca.where(ignored, ca.zeros_like(target), target)
    taken = ca.take_along_axis(input, ca.expand_dims(cast(places, ca.int64), axis), axis=axis)
    each = -ca.squeeze(taken, axis=axis)
    kept = cast(ca.logical_not(ignored), input.dtype)
    share = (
        kept
        if weight is None
        else kept * ca.take(weight, places, axis=0)
        if places.ndim == 1
        else kept * ca.reshape(ca.take(weight, ca.reshape(places, (-1,)), axis=0), places.shape)
    )
    each = ca.where(ignored, ca.zeros_like(each), each) * share
    return ca.sum(each) / ca.sum(share) if reduction == "mean" else reduced(each, reduction)


@rule("torch.nn.functional.cross_entropy")
def cross_entropy(
    input: ca.Array, target: ca.Array, weight: Any = None, size_average: Any = None, ignore_index: int = -100,
    reduce: Any = None, reduction: str = "mean", label_smoothing: float = 0.0,
) -> Any:  # fmt: skip
    axis = 0 if input.ndim == 1 else 1
    logs = ca.log_softmax(input, axis=axis)
    count = input.shape[axis]
    line = (-1, *[1] * (input.ndim - axis - 1))
    scaled = logs if weight is None else logs * ca.reshape(weight, line)
    if category(target.dtype) == "f":
        target = target * (1 - label_smoothing) + label_smoothing / count if label_smoothing else target
        each = -ca.sum(scaled * target, axis=axis)
        if reduction == "mean":
            return ca.sum(each) / (input.size // count)
        return reduced(each, reduction)
    plain = negative_log_likelihood(logs, target, weight, ignore_index, reduction)
    if not label_smoothing:
        return plain
    ignored = ca.equal(target, ignore_index)
    smooth = ca.where(ignored, ca.zeros((), dtype=logs.dtype), -ca.sum(scaled, axis=axis))
    if reduction == "mean":
        kept = cast(ca.logical_not(ignored), logs.dtype)
        places = ca.where(ignored, ca.zeros_like(target), target)
        shares = (
            kept
            if weight is None
            else kept * ca.reshape(ca.take(weight, ca.reshape(places, (-1,)), axis=0), places.shape)
        )
        smooth = ca.sum(smooth) / ca.sum(shares)
    else:
        smooth = reduced(smooth, reduction)
    return plain * (1 - label_smoothing) + smooth * (label_smoothing / count)


@rule("torch.nn.functional.triplet_margin_with_distance_loss")
def triplet_margin_with_distance_loss(
    anchor: ca.Array, positive: ca.Array, negative: ca.Array, *, distance_function: Any = None, margin: float = 1.0,
    swap: bool = False, reduction: str = "mean",
) -> Any:  # fmt: skip
    if distance_function is not None:
        raise NotImplementedError("a distance function of torch in a recording; write the loss out")
    return triplet(anchor, positive, negative, margin, 2, 1e-6, swap, reduction)


@rule("torch.nn.functional.multi_margin_loss")
def multi_margin_loss(
    input: ca.Array, target: ca.Array, p: int = 1, margin: float = 1.0, weight: Any = None, size_average: Any = None,
    reduce: Any = None, reduction: str = "mean",
) -> Any:  # fmt: skip
    input = input if input.ndim else ca.reshape(input, (1,))
    classes = ca.reshape(target, input.shape[:-1])
    each = ca.multi_margin_loss(input, classes, p=p, margin=margin, weight=weight, reduction="none")
    return reduced(ca.reshape(each, target.shape), reduction)


@rule("torch.nn.functional.multilabel_margin_loss")
def multilabel_margin_loss(
    input: ca.Array, target: ca.Array, size_average: Any = None, reduce: Any = None, reduction: str = "mean"
) -> Any:
    input = input if input.ndim else ca.reshape(input, (1,))
    target = ca.reshape(target, input.shape)
    return reduced(ca.multilabel_margin_loss(input, target, reduction="none"), reduction)


@rule("torch.nn.functional.ctc_loss")
def ctc_loss(
    log_probs: ca.Array, targets: ca.Array, input_lengths: Any, target_lengths: Any, blank: int = 0, reduction: str = "mean",
    zero_infinity: bool = False,
) -> ca.Array:  # fmt: skip
    """Compute the loss; targets stand in rows, or one sequence behind the other in one axis."""
    batched = log_probs.ndim == 3
    times, labels = (_lengths(x, log_probs) for x in (input_lengths, target_lengths))
    if not batched:
        log_probs, targets = ca.expand_dims(log_probs, 1), ca.expand_dims(targets, 0)
    elif targets.ndim == 1:
        total = targets.shape[0]
        longest = max(target_lengths, default=0) if isinstance(target_lengths, (tuple, list)) else total
        starts = ca.cumulative_sum(labels) - labels
        places = ca.expand_dims(starts, 1) + ca.arange(longest, dtype=starts.dtype)
        targets = ca.take(targets, ca.clip(places, 0, max(total - 1, 0)))
    made = ca.ctc_loss(log_probs, targets, times, labels, blank=blank, zero_infinity=zero_infinity, reduction=reduction)
    return made if batched or reduction != "none" else ca.squeeze(made, axis=0)


def _lengths(lengths: Any, model: ca.Array) -> ca.Array:
    made = lengths if isinstance(lengths, ca.Array) else ca.asarray(lengths, dtype=ca.int64, device=model.device)
    return ca.reshape(ca.astype(made, ca.int64), (-1,))


@rule("torch.nn.functional.linear_cross_entropy")
def linear_cross_entropy(
    input: ca.Array, linear_weight: ca.Array, target: ca.Array, *, linear_bias: Any = None, weight: Any = None,
    reduction: str = "mean", ignore_index: int | None = None, label_smoothing: float = 0.0, options: Any = None,
) -> Any:  # fmt: skip
    """Return the cross entropy of a linear layer; `options` says in what parts torch computes it."""
    logits = ca.tensordot(input, linear_weight, axes=([-1], [-1]))
    if linear_bias is not None:
        logits = logits + linear_bias
    ignored = -100 if ignore_index is None else ignore_index
    return cross_entropy(
        logits, target, weight, ignore_index=ignored, reduction=reduction, label_smoothing=label_smoothing
    )
