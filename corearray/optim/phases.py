"""Schedules of several phases: one cycle, warm-up, and one schedule after the other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from corearray.errors import CoreArrayTypeError, CoreArrayValueError
from corearray.functional.elementwise import maximum
from corearray.functional.searching import where
from corearray.optim.recipes import recipe
from corearray.optim.schedules import (
    Schedule,
    along_cosine,
    constant,
    cosine_decay,
    require_steps,
    share_between,
    step_number,
)

__all__ = ["join", "one_cycle", "warmup", "warmup_cosine"]

#: What `corearray list-functions` says of the functions here that are no declarations.
__kind__ = "convenience"


@recipe
def one_cycle(
    max_value: float,
    steps: int,
    *,
    pct_start: float = 0.3,
    anneal: str = "cos",
    div_factor: float = 25.0,
    final_div_factor: float = 1e4,
    three_phase: bool = False,
) -> Schedule:
    """Go up to a large rate and down to a very small one.

    Parameters
    ----------
    max_value
        The largest rate.
    steps
        Number of all steps.
    pct_start
        Share of the steps that go up.
    anneal
        `"cos"` or `"linear"`, the shape of the curve.
    div_factor
        The first rate is `max_value / div_factor`.
    final_div_factor
        The last rate is the first one divided by it.
    three_phase
        Whether the rate returns to the first one in as many steps as it went up, before it goes to the last.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import optim
    >>> ca.argmax(optim.one_cycle(1.0, 10)(ca.arange(10))).tolist()
    2

    Notes
    -----
    L. N. Smith and N. Topin, Super-convergence, arXiv:1708.07120; `torch.optim.lr_scheduler.OneCycleLR`.
    """
    require_steps("one_cycle", steps)
    if anneal not in ("cos", "linear"):
        raise CoreArrayValueError(f"'one_cycle' got anneal={anneal!r}; it is one of 'cos', 'linear'")
    if not 0 <= pct_start <= 1:
        raise CoreArrayValueError(f"'one_cycle' got pct_start={pct_start}; it lies between 0 and 1")
    initial = max_value / div_factor
    final = initial / final_div_factor
    peak = pct_start * steps - 1
    if three_phase:
        phases = [(peak, initial, max_value), (2 * peak + 0.0, max_value, initial), (steps - 1, initial, final)]
    else:
        phases = [(peak, initial, max_value), (steps - 1, max_value, final)]

    def schedule(step: Any) -> Any:
        step = step_number(step)
        start, rate = 0.0, None
        for end, low, high in phases:
            share = share_between(step, start, end)
            part = along_cosine(low, high, share) if anneal == "cos" else low + (high - low) * share
            rate = part if rate is None else where(step > start, part, rate)
            start = end
        return rate

    return schedule


@recipe
def warmup(schedule: Schedule | float, steps: int, *, start: float = 0.0) -> Schedule:
    """Go up to the first rate of a schedule along a straight line, then follow it.

    Parameters
    ----------
    schedule
        A schedule, which begins after the warm-up, or a rate.
    steps
        Number of steps of the warm-up.
    start
        First rate.

    Examples
    --------
    >>> from corearray import optim
    >>> optim.warmup(1.0, 4)(1).tolist(), optim.warmup(1.0, 4)(9).tolist()
    (0.25, 1.0)
    """
    require_steps("warmup", steps)
    after = schedule if callable(schedule) else constant(schedule)

    def warmed(step: Any) -> Any:
        step = step_number(step)
        first = after(0.0 * step)
        rising = start + (first - start) * share_between(step, 0.0, steps)
        return where(step < steps, rising, after(maximum(step - steps, 0.0)))

    return warmed


@recipe
def warmup_cosine(value: float, warmup: int, steps: int, *, start: float = 0.0, end: float = 0.0) -> Schedule:
    """Go up to a rate along a straight line, then down along half a cosine.

    Parameters
    ----------
    value
        The largest rate, reached after the warm-up.
    warmup
        Number of steps that go up.
    steps
        Number of all steps.
    start, end
        First and last rate.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import optim
    >>> schedule = optim.warmup_cosine(1.0, warmup=10, steps=110)
    >>> [round(float(schedule(step)), 2) for step in (0, 5, 10, 60, 110)]
    [0.0, 0.5, 1.0, 0.5, 0.0]
    """
    if not 0 < warmup < steps:
        raise CoreArrayValueError(
            f"'warmup_cosine' got warmup={warmup} and steps={steps}; there are more steps than warm-up"
        )
    return _warmup(cosine_decay(value, steps - warmup, end=end), warmup, start=start)


_warmup = warmup


@recipe
def join(schedules: Sequence[Schedule], boundaries: Sequence[int]) -> Schedule:
    """Follow one schedule after the other; each begins at its own step 0.

    Parameters
    ----------
    schedules
        The schedules.
    boundaries
        Steps at which the second and later ones begin, in ascending order.

    Raises
    ------
    ValueError
        If there is not one boundary less than schedules, or they do not ascend.

    Examples
    --------
    >>> from corearray import optim
    >>> optim.join([optim.constant(1.0), optim.linear(1.0, 0.0, 4)], [10])(12).tolist()
    0.5

    Notes
    -----
    `torch.optim.lr_scheduler.SequentialLR`.
    """
    if len(boundaries) != len(schedules) - 1 or list(boundaries) != sorted(set(boundaries)):
        raise CoreArrayValueError(
            f"'join' got {len(schedules)} schedules and the boundaries {list(boundaries)}; give one boundary less, ascending"
        )
    for schedule in schedules:
        if not callable(schedule):
            raise CoreArrayTypeError(f"'join' takes schedules, functions of the step, got {schedule!r}")

    def joined(step: Any) -> Any:
        step = step_number(step)
        rate = schedules[0](step)
        for schedule, boundary in zip(schedules[1:], boundaries, strict=True):
            rate = where(step >= boundary, schedule(maximum(step - boundary, 0.0)), rate)
        return rate

    return joined
