"""Schedules: learning rates as functions of the number of steps taken.

A schedule takes a number or an array of steps, from 0 in the first one, and returns an array of rates in float32. It computes
with arrays only, so that it runs in compiled steps and draws its own curve: `schedule(corearray.arange(1000))`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from corearray.errors import CoreArrayTypeError, CoreArrayValueError
from corearray.functional.creation import asarray
from corearray.functional.data_type import astype
from corearray.functional.elementwise import clip, maximum
from corearray.functional.exponential import exp, square
from corearray.functional.rounding import floor
from corearray.functional.searching import where
from corearray.functional.trigonometric import sin
from corearray.types.dtypes import float32

__all__ = [
    "Schedule",
    "constant",
    "cosine_decay",
    "cosine_restarts",
    "exponential_decay",
    "join",
    "linear",
    "multistep_decay",
    "one_cycle",
    "polynomial_decay",
    "step_decay",
    "warmup",
    "warmup_cosine",
]

#: What `corearray list-functions` says of the functions here that are no declarations.
__kind__ = "convenience"

#: A function of the number of steps taken.
Schedule: TypeAlias = Callable[[Any], Any]


def constant(value: float) -> Schedule:
    """Make a schedule of one rate.

    Parameters
    ----------
    value
        The rate.

    Examples
    --------
    >>> from corearray import optim
    >>> float(optim.constant(0.5)(7))
    0.5
    """
    return lambda step: 0.0 * _number(step) + value


def step_decay(value: float, step_size: int, gamma: float = 0.1) -> Schedule:
    """Multiply a rate by a factor every so many steps.

    Parameters
    ----------
    value
        First rate.
    step_size
        Steps between two changes.
    gamma
        The factor.

    Examples
    --------
    >>> from corearray import optim
    >>> optim.step_decay(1.0, 2, 0.5)(3).tolist()
    0.5

    Notes
    -----
    `torch.optim.lr_scheduler.StepLR`.
    """
    _require_steps("step_decay", step_size)
    return lambda step: value * _power(gamma, floor((_number(step) + 0.5) / step_size))


def multistep_decay(value: float, milestones: Sequence[int], gamma: float = 0.1) -> Schedule:
    """Multiply a rate by a factor at given steps.

    Parameters
    ----------
    value
        First rate.
    milestones
        Steps at which the rate changes.
    gamma
        The factor.

    Examples
    --------
    >>> from corearray import optim
    >>> optim.multistep_decay(1.0, [2, 5], 0.5)(5).tolist()
    0.25

    Notes
    -----
    `torch.optim.lr_scheduler.MultiStepLR`.
    """

    def schedule(step: Any) -> Any:
        step = _number(step)
        rate = 0.0 * step + value
        for milestone in sorted(milestones):
            rate = rate * where(step >= milestone, gamma, 1.0)
        return rate

    return schedule


def exponential_decay(value: float, gamma: float, steps: float = 1.0) -> Schedule:
    """Multiply a rate by a factor, spread evenly over a number of steps.

    Parameters
    ----------
    value
        First rate.
    gamma
        The factor, above 0.
    steps
        Number of steps for one factor.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import optim
    >>> ca.round(1000.0 * optim.exponential_decay(1.0, 0.5, steps=10)(20)).tolist()
    250.0

    Notes
    -----
    `torch.optim.lr_scheduler.ExponentialLR`.
    """
    if not gamma > 0:
        raise CoreArrayValueError(f"'exponential_decay' got gamma={gamma}; it is above 0")
    _require_steps("exponential_decay", steps)
    return lambda step: value * _power(gamma, _number(step) / steps)


def linear(start: float, end: float, steps: int) -> Schedule:
    """Go from one rate to another along a straight line, and stay there.

    Parameters
    ----------
    start, end
        First and last rate.
    steps
        Number of steps between them.

    Examples
    --------
    >>> from corearray import optim
    >>> optim.linear(0.0, 1.0, 4)(3).tolist()
    0.75

    Notes
    -----
    `torch.optim.lr_scheduler.LinearLR`, which takes factors of a rate.
    """
    _require_steps("linear", steps)
    return lambda step: start + (end - start) * _share(step, 0.0, steps)


def polynomial_decay(value: float, steps: int, *, power: float = 1.0, end: float = 0.0) -> Schedule:
    """Go from a rate to another one along a power of the steps that are left, and stay there.

    Parameters
    ----------
    value, end
        First and last rate.
    steps
        Number of steps between them.
    power
        The exponent, above 0.

    Examples
    --------
    >>> from corearray import optim
    >>> optim.polynomial_decay(1.0, 4, power=2.0)(2).tolist()
    0.25

    Notes
    -----
    `torch.optim.lr_scheduler.PolynomialLR`.
    """
    _require_steps("polynomial_decay", steps)
    if not power > 0:
        raise CoreArrayValueError(f"'polynomial_decay' got power={power}; it is above 0")
    return lambda step: end + (value - end) * (1.0 - _share(step, 0.0, steps)) ** power


def cosine_decay(value: float, steps: int, *, end: float = 0.0) -> Schedule:
    """Go from a rate to another one along half a cosine, and stay there.

    Parameters
    ----------
    value, end
        First and last rate.
    steps
        Number of steps between them.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import optim
    >>> ca.round(10.0 * optim.cosine_decay(1.0, 10)(5)).tolist()
    5.0

    Notes
    -----
    I. Loshchilov and F. Hutter, SGDR, arXiv:1608.03983; `torch.optim.lr_scheduler.CosineAnnealingLR`, which rises again
    after the last step.
    """
    _require_steps("cosine_decay", steps)
    return lambda step: _along_cosine(value, end, _share(step, 0.0, steps))


def cosine_restarts(value: float, steps: int, *, factor: int = 1, end: float = 0.0) -> Schedule:
    """Repeat `cosine_decay`, each time over `factor` times as many steps.

    Parameters
    ----------
    value, end
        First and last rate of each cycle.
    steps
        Steps of the first cycle.
    factor
        Growth of the cycles, an integer from 1 up.

    Examples
    --------
    >>> from corearray import optim
    >>> optim.cosine_restarts(1.0, 4, factor=2)(12).tolist()
    1.0

    Notes
    -----
    `torch.optim.lr_scheduler.CosineAnnealingWarmRestarts`.
    """
    _require_steps("cosine_restarts", steps)
    if factor < 1 or factor != int(factor):
        raise CoreArrayValueError(f"'cosine_restarts' got factor={factor}; it is an integer from 1 up")

    def schedule(step: Any) -> Any:
        step = _number(step)
        if factor == 1:
            return _along_cosine(value, end, (step - steps * floor((step + 0.5) / steps)) / steps)
        begin, length = 0, steps
        first, whole = 0.0 * step, 0.0 * step + length
        while begin < 2**31:
            begin, length = begin + length, length * factor
            first = where(step >= begin, float(begin), first)
            whole = where(step >= begin, float(length), whole)
        return _along_cosine(value, end, (step - first) / whole)

    return schedule


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
    _require_steps("one_cycle", steps)
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
        step = _number(step)
        start, rate = 0.0, None
        for end, low, high in phases:
            share = _share(step, start, end)
            part = _along_cosine(low, high, share) if anneal == "cos" else low + (high - low) * share
            rate = part if rate is None else where(step > start, part, rate)
            start = end
        return rate

    return schedule


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
    _require_steps("warmup", steps)
    after = schedule if callable(schedule) else constant(schedule)

    def warmed(step: Any) -> Any:
        step = _number(step)
        first = after(0.0 * step)
        rising = start + (first - start) * _share(step, 0.0, steps)
        return where(step < steps, rising, after(maximum(step - steps, 0.0)))

    return warmed


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
        step = _number(step)
        rate = schedules[0](step)
        for schedule, boundary in zip(schedules[1:], boundaries, strict=True):
            rate = where(step >= boundary, schedule(maximum(step - boundary, 0.0)), rate)
        return rate

    return joined


def _number(step: Any) -> Any:
    """Return a step, or steps, in float32."""
    if isinstance(step, (int, float)):
        return asarray(float(step), dtype=float32)
    return astype(step, float32, copy=False)


def _power(base: float, exponent: Any) -> Any:
    """Return a power in float32, of which the exponential function loses less than a product."""
    return exp(exponent * math.log(base)) if base > 0 else base**exponent


def _share(step: Any, start: float, end: float) -> Any:
    """Return how far a step is from a start to an end, between 0 and 1."""
    if not end > start:
        return where(_number(step) >= end, 1.0, 0.0)
    return clip((_number(step) - start) / (end - start), 0.0, 1.0)


def _along_cosine(start: float, end: float, share: Any) -> Any:
    return end + (start - end) * square(sin((0.5 * math.pi) * (1.0 - share)))  # half of one plus the cosine


def _require_steps(name: str, steps: float) -> None:
    if not steps > 0:
        raise CoreArrayValueError(f"'{name}' got {steps} steps; there is at least 1")
