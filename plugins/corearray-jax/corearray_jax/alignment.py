"""The connectionist temporal classification loss as a loop of XLA, whose compiling does not grow with the length."""

from __future__ import annotations

from typing import Any

import jax
from jax import lax
from jax import numpy as jnp

from corearray.plugin import hookimpl
from corearray_jax.native import HALF, compiled

#: Stands for the logarithm of zero: differences of it are finite, so that derivatives are.
_NEVER = -1e30


def _fits(
    log_probs: Any,
    targets: Any,
    input_lengths: Any,
    target_lengths: Any,
    blank: int,
    zero_infinity: bool,
    reduction: str,
) -> bool:
    integers = all(jnp.issubdtype(x.dtype, jnp.integer) for x in (targets, input_lengths, target_lengths))
    if not integers or log_probs.ndim != 3 or not log_probs.shape[0] or targets.ndim != 2:
        return False
    count = (log_probs.shape[1],)
    return (
        targets.shape[:1] == input_lengths.shape == target_lengths.shape == count
        and 0 <= blank < log_probs.shape[2]
        and reduction in ("mean", "sum", "none")
    )


@hookimpl(when=_fits, via=HALF)
def ctc_loss(
    log_probs: Any,
    targets: Any,
    input_lengths: Any,
    target_lengths: Any,
    /,
    *,
    blank: int = 0,
    zero_infinity: bool = False,
    reduction: str = "mean",
) -> Any:
    return _loss(log_probs, targets, input_lengths, target_lengths, blank, zero_infinity, reduction)


@compiled("blank", "zero_infinity", "reduction")
def _loss(
    x: Any, targets: Any, input_lengths: Any, target_lengths: Any, blank: int, zero_infinity: bool, reduction: str
) -> Any:
    loss = _of_sequences(x, targets, input_lengths, target_lengths, blank)
    loss = jnp.where(loss >= -0.5 * _NEVER, 0.0 if zero_infinity else jnp.inf, loss)
    if reduction == "mean":
        return jnp.mean(loss / jnp.maximum(target_lengths, 1).astype(loss.dtype))
    return jnp.sum(loss) if reduction == "sum" else loss


def _of_sequences(x: Any, targets: Any, input_lengths: Any, target_lengths: Any, blank: int) -> Any:
    """Return the loss of each sequence: the sum over all paths through the labels, with blanks around them."""
    count, labels = targets.shape
    states = jnp.full((count, 2 * labels + 1), blank, targets.dtype).at[:, 1::2].set(targets)
    size = states.shape[1]
    skips = (jnp.arange(size) % 2 == 1) & (states != _shifted(states, 2, blank))
    emitted = jnp.take_along_axis(jnp.maximum(x, _NEVER), states[None], axis=2)

    def step(state: Any, given: Any) -> Any:
        time, emission = given
        skipped = jnp.where(skips, _shifted(state, 2, _NEVER), _NEVER)
        moved = jnp.logaddexp(jnp.logaddexp(state, _shifted(state, 1, _NEVER)), skipped) + emission
        return jnp.where((time < input_lengths)[:, None], jnp.maximum(moved, _NEVER), state), None

    start = jnp.where(jnp.arange(size) < 2, emitted[0], _NEVER)
    state, _ = lax.scan(step, start, (jnp.arange(1, x.shape[0]), emitted[1:]))
    ends = target_lengths[:, None] * 2
    last = jnp.take_along_axis(state, ends, axis=1)
    label = jnp.take_along_axis(state, jnp.maximum(ends - 1, 0), axis=1)
    return -jnp.squeeze(jnp.logaddexp(last, jnp.where(ends > 0, label, _NEVER)), 1)


def _shifted(x: Any, places: int, value: Any) -> Any:
    """Move values to later states; the first get a value."""
    return jax.lax.pad(x, jnp.asarray(value, x.dtype), [(0, 0, 0), (places, -places, 0)])
