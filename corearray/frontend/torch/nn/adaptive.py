"""`AdaptiveLogSoftmaxWithLoss` by torch's name and layout of weights.

Source: Grave, Joulin, Cissé, Grangier and Jégou, Efficient softmax approximation for GPUs, 2017.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from corearray.errors import CoreArrayRuntimeError, CoreArrayValueError
from corearray.frontend.torch.nn.containers import ModuleList, Sequential
from corearray.frontend.torch.nn.module import Module

if TYPE_CHECKING:
    from corearray.frontend.frontend import Frontend

__all__ = ["AdaptiveLogSoftmaxWithLoss"]


class _Output(NamedTuple):
    """The log-probability of each target, and the mean of their negatives."""

    output: Any
    loss: Any


class AdaptiveLogSoftmaxWithLoss(Module):
    """A softmax over classes sorted by frequency: rare ones have clusters with fewer features.

    Parameters
    ----------
    in_features, n_classes
        Length of the vectors, and number of classes.
    cutoffs
        The first class of each cluster, increasing.
    div_value
        By which the number of features falls from cluster to cluster.
    head_bias
        Whether the scores of the most frequent classes have a bias.
    device, dtype
        As in `torch.nn.Linear`.

    Raises
    ------
    ValueError
        If the cutoffs do not increase within the classes.
    """

    _frontend: Frontend

    def __init__(
        self, in_features: int, n_classes: int, cutoffs: Sequence[int], div_value: float = 4.0, head_bias: bool = False,
        device: Any = None, dtype: Any = None,
    ) -> None:  # fmt: skip
        super().__init__()
        ends = [0, *cutoffs, n_classes]
        if len(ends) == 2 or any(int(end) != end or end <= start for start, end in pairwise(ends)):
            raise CoreArrayValueError(
                f"cutoffs should be a sequence of unique, positive integers sorted in an increasing order, where each value is "
                f"between 1 and n_classes-1, got {list(cutoffs)} for {n_classes} classes"
            )
        linear, made = self._frontend.nn.Linear, {"device": device, "dtype": dtype}
        self.in_features, self.n_classes, self.cutoffs = in_features, n_classes, ends[1:]
        self.div_value, self.head_bias = div_value, head_bias
        self.shortlist_size, self.n_clusters = ends[1], len(ends) - 2
        self.head_size = self.shortlist_size + self.n_clusters
        self.head = linear(in_features, self.head_size, bias=head_bias, **made)
        self.tail = ModuleList()
        for i, (start, end) in enumerate(pairwise(self.cutoffs)):
            width = int(in_features // div_value ** (i + 1))
            parts = linear(in_features, width, bias=False, **made), linear(width, end - start, bias=False, **made)
            self.tail.append(Sequential(*parts))

    def forward(self, input_: Any, target_: Any) -> _Output:
        """Return the log-probabilities of targets and their mean loss; each cluster is computed for its samples alone."""
        if target_.dim() > 1 or input_.dim() != target_.dim() + 1 or input_.shape[:-1] != target_.shape:
            raise CoreArrayRuntimeError(
                f"'AdaptiveLogSoftmaxWithLoss' takes inputs of the shape (N, {self.in_features}) and targets of the shape "
                f"(N,), or both without N, got {input_.shape} and {target_.shape}"
            )
        torch, rows, target = self._frontend, input_, target_
        if not target_.dim():
            rows, target = rows.unsqueeze(0), target.unsqueeze(0)
        if bool(((target < 0) | (target >= self.n_classes)).any()):
            raise CoreArrayRuntimeError(
                f"Target values should be in [0, {self.n_classes - 1}], but values in range [{int(target.min())}, "
                f"{int(target.max())}] were found."
            )
        places, added = target, torch.zeros_like(rows[:, 0])
        for i, (start, end) in enumerate(pairwise(self.cutoffs)):
            inside = (target >= start) & (target < end)
            where = inside.nonzero().squeeze(1)
            if not where.numel():
                continue
            places = torch.where(inside, self.shortlist_size + i, places)
            found = self.tail[i](rows.index_select(0, where)).log_softmax(1)
            found = found.gather(1, (target.index_select(0, where) - start).unsqueeze(1)).squeeze(1)
            added = added.index_add(0, where, found)
        output = self.head(rows).log_softmax(1).gather(1, places.unsqueeze(1)).squeeze(1) + added
        return _Output(output if target_.dim() else output.squeeze(0), -output.mean())

    def log_prob(self, input: Any) -> Any:
        """Return the log-probabilities of all classes, of the shape `(N, n_classes)`."""
        head, first = self.head(input).log_softmax(1), self.shortlist_size
        parts = [net(input).log_softmax(1) + head[:, first + i : first + i + 1] for i, net in enumerate(self.tail)]
        return self._frontend.cat([head[:, :first], *parts], 1)

    def predict(self, input: Any) -> Any:
        """Return the most probable class of each sample."""
        return self.log_prob(input).argmax(1)
