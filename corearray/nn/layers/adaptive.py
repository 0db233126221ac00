"""The adaptive softmax: classes in clusters by their frequency."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from corearray.errors import CoreArrayValueError
from corearray.functional.activations import log_softmax
from corearray.functional.elementwise import clip
from corearray.functional.indexing import take_along_axis
from corearray.functional.manipulation import concat, expand_dims, squeeze
from corearray.functional.searching import argmax, where
from corearray.functional.statistical import mean
from corearray.nn.arguments import positive
from corearray.nn.containers import ModuleList, Sequential
from corearray.nn.layers.linear import Linear
from corearray.nn.module import Module
from corearray.types.namedtuples import NamedTuple

if TYPE_CHECKING:
    from corearray.arrays.array import Array

__all__ = ["AdaptiveLogSoftmaxResult", "AdaptiveLogSoftmaxWithLoss"]

#: What `corearray list-functions` says of the classes here.
__kind__ = "convenience"


class AdaptiveLogSoftmaxResult(NamedTuple):
    """Result of `AdaptiveLogSoftmaxWithLoss`.

    Attributes
    ----------
    output
        The log-probability of the target of each sample.
    loss
        The mean of `-output`.
    """

    output: Array
    loss: Array


class AdaptiveLogSoftmaxWithLoss(Module):
    """A softmax over many classes, which are sorted by frequency and divided into clusters.

    The first classes, up to `cutoffs[0]`, have scores of their own in `head`; there each other cluster has one. A cluster has
    scores for its classes in `tail`, from `in_features // div_value ** (i + 1)` features. The log-probability of a class is
    the log-probability of its cluster plus the log-probability of the class within the cluster.

    It takes an array of the shape `(N, in_features)` and integers of the shape `(N,)`, or both without a batch. Every cluster
    is computed for every sample, so that shapes are known to compilers.

    Parameters
    ----------
    in_features
        Length of the last axis of the input.
    n_classes
        Number of classes.
    cutoffs
        Increasing integers, the first classes of the clusters after the first one.
    div_value
        Divisor of the number of features from one cluster to the next.
    head_bias
        Whether `head` has a bias.
    generator, dtype, device
        As those of `Linear`.

    Attributes
    ----------
    head, tail
        A `Linear`, and for each further cluster a pair of them.

    Raises
    ------
    ValueError
        If `cutoffs` are not increasing integers from 1 to `n_classes - 1`, or a cluster has no features; when it is called, if
        shapes do not fit.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> layer = nn.AdaptiveLogSoftmaxWithLoss(8, 20, [4, 10], div_value=2.0)
    >>> found = layer(ca.ones((3, 8)), ca.asarray([0, 7, 19]))
    >>> found.output.shape, found.loss.shape, layer.log_prob(ca.ones((3, 8))).shape
    (Shape((3,)), Shape(()), Shape((3, 20)))

    Notes
    -----
    Grave, Joulin, Cissé, Grangier and Jégou, "Efficient softmax approximation for GPUs", 2017;
    `torch.nn.AdaptiveLogSoftmaxWithLoss`. A class that is none of `n_classes` has no defined result.
    """

    def __init__(
        self,
        in_features: int,
        n_classes: int,
        cutoffs: Sequence[int],
        div_value: float = 4.0,
        head_bias: bool = False,
        *,
        generator: Any = None,
        dtype: Any = None,
        device: Any = None,
    ) -> None:
        made: dict[str, Any] = {"generator": generator, "dtype": dtype, "device": device}
        layer = type(self).__name__
        self.in_features, self.n_classes = (
            positive(layer, name, value) for name, value in (("in_features", in_features), ("n_classes", n_classes))
        )
        ends = [0, *(positive(layer, "cutoffs", end) for end in cutoffs), self.n_classes]
        if len(ends) == 2 or any(end <= start for start, end in pairwise(ends)):
            raise CoreArrayValueError(
                f"'cutoffs' of '{layer}' are increasing integers from 1 to n_classes - 1 = {self.n_classes - 1}, "
                f"got {list(cutoffs)}"
            )
        self.cutoffs = ends[1:]
        self.div_value, self.head_bias = float(div_value), head_bias
        self.shortlist_size, self.n_clusters = ends[1], len(ends) - 2
        self.head_size = self.shortlist_size + self.n_clusters
        self.head = Linear(self.in_features, self.head_size, bias=head_bias, **made)
        self.tail = ModuleList()
        for i, (start, end) in enumerate(pairwise(ends[1:])):
            width = int(self.in_features // self.div_value ** (i + 1))
            if width < 1:
                raise CoreArrayValueError(
                    f"cluster {i + 1} of '{layer}' has no features: {self.in_features} of them are divided by "
                    f"{self.div_value} to the power {i + 1}; give a smaller 'div_value' or fewer 'cutoffs'"
                )
            parts = Linear(self.in_features, width, bias=False, **made), Linear(width, end - start, bias=False, **made)
            self.tail.append(Sequential(*parts))

    def forward(self, x: Array, target: Array, /) -> AdaptiveLogSoftmaxResult:
        """Compute the log-probabilities of the targets, and the loss."""
        if target.ndim not in (0, 1) or x.ndim != target.ndim + 1:
            raise CoreArrayValueError(
                f"'{type(self).__name__}' takes arrays of the shapes (N, {self.in_features}) and (N,), or both without N, got "
                f"{tuple(x.shape)} and {tuple(target.shape)}"
            )
        rows, classes = (x, target) if target.ndim else (expand_dims(x, axis=0), expand_dims(target, axis=0))
        places, parts = where(classes < self.shortlist_size, classes, 0), []
        for i, (start, end) in enumerate(pairwise(self.cutoffs)):
            inside = (classes >= start) & (classes < end)
            places = where(inside, self.shortlist_size + i, places)
            logs = _picked(log_softmax(self.tail[i](rows), axis=-1), clip(classes - start, 0, end - start - 1))
            parts.append(where(inside, logs, 0.0))
        output = _picked(log_softmax(self.head(rows), axis=-1), places)
        for part in parts:
            output = output + part
        return AdaptiveLogSoftmaxResult(output if target.ndim else squeeze(output, axis=0), -mean(output))

    def log_prob(self, x: Array, /) -> Array:
        """Compute the log-probabilities of all classes, of the shape `(N, n_classes)`."""
        head, first = log_softmax(self.head(x), axis=-1), self.shortlist_size
        parts = [head[..., :first]]
        parts += [
            log_softmax(net(x), axis=-1) + head[..., first + i : first + i + 1] for i, net in enumerate(self.tail)
        ]
        return concat(parts, axis=-1)

    def predict(self, x: Array, /) -> Array:
        """Return the most probable class of each sample, integers of the shape `(N,)`."""
        return argmax(self.log_prob(x), axis=-1)


def _picked(logs: Array, classes: Array) -> Array:
    """Return the element of each row at a class."""
    return squeeze(take_along_axis(logs, expand_dims(classes, axis=-1), axis=-1), axis=-1)
