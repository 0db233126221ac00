"""Schedules: learning rates as functions of the number of steps taken.

A schedule takes a number or an array of steps, from 0 in the first one, and returns an array of rates in float32. It computes
with arrays only, so that it runs in compiled steps and draws its own curve: `schedule(corearray.arange(1000))`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from corearray.errors import CoreArrayValueError
from corearray.functional.creation import asarray
from corearray.functional.data_type import astype
from corearray.functional.elementwise import clip
from corearray.functional.exponential import exp, square
from corearray.functional.rounding import floor
from corearray.functional.searching import where
from corearray.functional.trigonometric import sin
from corearray.optim.recipes import recipe
from corearray.types.dtypes import float32

__all__ = [
    "Schedule",
    "along_cosine",
    "constant",
    "cosine_decay",
    "cosine_restarts",
    "exponential_decay",
    "linear",
    "multistep_decay",
    "polynomial_decay",
    "require_steps",
    "share_between",
    "step_decay",
    "step_number",
]

#: What `corearray list-functions` says of the functions here that are no declarations.
__kind__ = "convenience"

#: A function of the number of steps taken.
Schedule: TypeAlias = Callable[[Any], Any]


@recipe
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
    return lambda step: 0.0 * step_number(step) + value


@recipe
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
    require_steps("step_decay", step_size)
    return lambda step: value * _power(gamma, floor((step_number(step) + 0.5) / step_size))


@recipe
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
        step = step_number(step)
        rate = 0.0 * step + value
        for milestone in sorted(milestones):
            rate = rate * where(step >= milestone, gamma, 1.0)
        return rate

    return schedule


@recipe
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
    require_steps("exponential_decay", steps)
    return lambda step: value * _power(gamma, step_number(step) / steps)


@recipe
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
    require_steps("linear", steps)
    return lambda step: start + (end - start) * share_between(step, 0.0, steps)


@recipe
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
    require_steps("polynomial_decay", steps)
    if not power > 0:
        raise CoreArrayValueError(f"'polynomial_decay' got power={power}; it is above 0")
    return lambda step: end + (value - end) * (1.0 - share_between(step, 0.0, steps)) ** power


@recipe
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
    require_steps("cosine_decay", steps)
    return lambda step: along_cosine(value, end, share_between(step, 0.0, steps))


@recipe
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
    require_steps("cosine_restarts", steps)
    if factor < 1 or factor != int(factor):
        raise CoreArrayValueError(f"'cosine_restarts' got factor={factor}; it is an integer from 1 up")

    def schedule(step: Any) -> Any:
        step = step_number(step)
        if factor == 1:
            return along_cosine(value, end, (step - steps * floor((step + 0.5) / steps)) / steps)
        begin, length = 0, steps
        first, whole = 0.0 * step, 0.0 * step + length
        while begin < 2**31:
            begin, length = begin + length, length * factor
            first = where(step >= begin, float(begin), first)
            whole = where(step >= begin, float(length), whole)
        return along_cosine(value, end, (step - first) / whole)

    return schedule


def step_number(step: Any) -> Any:
    """Return a step, or steps, in float32."""
    if isinstance(step, (int, float)):
        return asarray(float(step), dtype=float32)
    return astype(step, float32, copy=False)


def _power(base: float, exponent: Any) -> Any:
    """Return a power in float32, of which the exponential function loses less than a product."""
    return exp(exponent * math.log(base)) if base > 0 else base**exponent


def share_between(step: Any, start: float, end: float) -> Any:
    """Return how far a step is from a start to an end, between 0 and 1."""
    if not end > start:
        return where(step_number(step) >= end, 1.0, 0.0)
    return clip((step_number(step) - start) / (end - start), 0.0, 1.0)


def along_cosine(start: float, end: float, share: Any) -> Any:
    """Return the value after a share of the way along half a cosine."""
    return end + (start - end) * square(sin((0.5 * math.pi) * (1.0 - share)))  # half of one plus the cosine


def require_steps(name: str, steps: float) -> None:
    """Refuse a number of steps that is not positive."""
    if not steps > 0:
        raise CoreArrayValueError(f"'{name}' got {steps} steps; there is at least 1")
