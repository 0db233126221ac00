"""Losses of sequences whose alignment is not known."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corearray.contract.declaration import declare
from corearray.functional.precision import _widened

if TYPE_CHECKING:
    import corearray as xp
    from corearray.arrays.array import Array

__all__ = [
    "ctc_loss",
]

#: Stands for the logarithm of zero: differences of it are finite, so that derivatives are.
_NEVER = -1e30


@declare(promote=("log_probs",), floating=True, real=True, gives="same")
def ctc_loss(
    log_probs: Array,
    targets: Array,
    input_lengths: Array,
    target_lengths: Array,
    /,
    *,
    blank: int = 0,
    zero_infinity: bool = False,
    reduction: str = "mean",
    out: Array | None = None,
) -> Array:
    """Compute the connectionist temporal classification loss: the negative log-likelihood of label sequences over all
    alignments.

    Parameters
    ----------
    log_probs
        Logarithms of the probabilities of the classes at each time, as `log_softmax` gives them; real array of shape
        `(T, N, C)`.
    targets
        Integer array of shape `(N, S)`: the labels of each sequence, padded with any class.
    input_lengths, target_lengths
        Integer arrays of shape `(N,)`: the number of times and of labels of each sequence.
    blank
        The class that stands for no label.
    zero_infinity
        Whether the loss of targets that do not fit into their input, which is infinite, is replaced by 0.
    reduction
        `"none"`, `"sum"`, or `"mean"`: each loss is divided by its number of labels, at least 1, before the mean is taken.
    out
        Array that receives the result.

    Returns
    -------
    Array without axes, or with `"none"` of shape `(N,)`, of the floating dtype of `log_probs`. The derivative of an infinite
    loss is 0.

    Raises
    ------
    ValueError
        If an option or a shape does not fit.
    TypeError
        If labels or lengths have no integer dtype.

    Examples
    --------
    >>> import corearray as ca
    >>> sure = ca.log(ca.asarray([[[0.25, 0.75]], [[0.5, 0.5]]]))
    >>> loss = ca.ctc_loss(sure, ca.asarray([[1]]), ca.asarray([2]), ca.asarray([1]))
    >>> ca.round(ca.exp(-loss) * 1000.0).tolist()
    875.0

    Notes
    -----
    A. Graves et al., Connectionist temporal classification, ICML 2006; `torch.nn.functional.ctc_loss`.
    """
    if reduction not in ("mean", "sum", "none"):
        raise ValueError(f"'ctc_loss' got reduction={reduction!r}; it is one of 'mean', 'sum', 'none'")
    _require_shapes(log_probs, targets, input_lengths, target_lengths, blank)
    loss = _of_sequences(_widened(log_probs), targets, input_lengths, target_lengths, blank)
    never = loss >= -0.5 * _NEVER
    loss = xp.where(never, 0.0 if zero_infinity else xp.inf, loss)
    if reduction == "mean":
        loss = xp.mean(loss / xp.astype(xp.maximum(target_lengths, xp.ones_like(target_lengths)), loss.dtype))
    elif reduction == "sum":
        loss = xp.sum(loss)
    return xp.astype(loss, log_probs.dtype, copy=False)


def _require_shapes(log_probs: Array, targets: Array, input_lengths: Array, target_lengths: Array, blank: int) -> None:
    for what, x in (("targets", targets), ("input_lengths", input_lengths), ("target_lengths", target_lengths)):
        if not xp.isdtype(x.dtype, "integral"):
            raise TypeError(f"'ctc_loss' got {what} of dtype '{x.dtype}'; they are integers")
    if log_probs.ndim != 3 or log_probs.shape[0] == 0:
        raise ValueError(
            f"'ctc_loss' got log_probs of shape {tuple(log_probs.shape)}; they have the shape (T, N, C), with T at least 1"
        )
    count = log_probs.shape[1]
    if targets.ndim != 2 or targets.shape[0] != count:
        raise ValueError(f"'ctc_loss' got targets of shape {tuple(targets.shape)}; they have the shape ({count}, S)")
    for what, x in (("input_lengths", input_lengths), ("target_lengths", target_lengths)):
        if tuple(x.shape) != (count,):
            raise ValueError(f"'ctc_loss' got {what} of shape {tuple(x.shape)}; they have the shape ({count},)")
    if not 0 <= blank < log_probs.shape[2]:
        raise ValueError(f"'ctc_loss' was asked for blank={blank}; it is a class from 0 to {log_probs.shape[2] - 1}")


def _of_sequences(x: Array, targets: Array, input_lengths: Array, target_lengths: Array, blank: int) -> Array:
    """Return the loss of each sequence: the sum over all paths through the labels, with blanks around them."""
    times, count, _ = x.shape
    states, skips = _states(targets, blank)
    size = states.shape[1]
    places = xp.broadcast_to(xp.expand_dims(states, 0), (times, count, size))
    emitted = xp.unstack(xp.take_along_axis(xp.maximum(x, _NEVER), places, axis=2), axis=0)
    clock = xp.arange(times, dtype=input_lengths.dtype, device=x.device)
    running = xp.unstack(xp.expand_dims(clock, (1, 2)) < xp.expand_dims(input_lengths, (0, 2)), axis=0)
    never = xp.full_like(emitted[0], _NEVER)
    state = xp.where(xp.arange(size, device=x.device) < 2, emitted[0], never)
    edge = never[:, :1]
    for time in range(1, times):
        shifted = xp.concat([edge, edge, state], axis=1)
        skipped = xp.where(skips, shifted[:, :-2], never)
        moved = xp.logaddexp(xp.logaddexp(state, shifted[:, 1:-1]), skipped) + emitted[time]
        state = xp.where(running[time], xp.maximum(moved, never), state)
    ends = xp.expand_dims(xp.astype(target_lengths, states.dtype) * 2, 1)
    last = xp.take_along_axis(state, ends, axis=1)
    label = xp.take_along_axis(state, xp.maximum(ends - 1, xp.zeros_like(ends)), axis=1)
    return -xp.squeeze(xp.logaddexp(last, xp.where(ends > 0, label, _NEVER)), axis=1)


def _states(targets: Array, blank: int) -> tuple[Array, Array]:
    """Return the class of each state, labels with blanks around them, and whether the blank before it can be skipped."""
    count, labels = targets.shape
    classes = xp.astype(targets, xp.int64)
    blanks = xp.full_like(classes, blank)
    end = xp.full((count, 1), blank, dtype=classes.dtype, device=classes.device)
    states = xp.concat([xp.reshape(xp.stack([blanks, classes], axis=2), (count, 2 * labels)), end], axis=1)
    before = xp.concat([end, end, states], axis=1)[:, :-2]
    odd = xp.arange(2 * labels + 1, device=classes.device) % 2 == 1
    return states, odd & (states != before)
