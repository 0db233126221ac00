"""Schedules whose rates follow from the number of the step."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import Any

from corearray.errors import CoreArrayNotImplementedError, CoreArrayTypeError, CoreArrayValueError
from corearray.frontend.torch.optim.base import Optimizer

__all__ = [
    "ConstantLR", "CosineAnnealingLR", "ExponentialLR", "LRScheduler", "LambdaLR", "LinearLR", "MultiStepLR",
    "MultiplicativeLR", "PolynomialLR", "StepLR", "each",
]  # fmt: skip


class LRScheduler:
    """A schedule: derive from it and define `get_lr`.

    Parameters
    ----------
    optimizer
        The optimiser whose groups get rates.
    last_epoch
        The number of the last step, `-1` at the start.

    Examples
    --------
    >>> import corearray.frontend.torch as torch
    >>> optimizer = torch.optim.SGD([torch.nn.Parameter(torch.ones(2))], lr=1.0)
    >>> scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=2, gamma=0.5)
    >>> for _ in range(4):
    ...     optimizer.step()
    ...     scheduler.step()
    >>> scheduler.get_last_lr()
    [0.25]
    """

    #: Whether the first rates count where a step is named.
    _starts_anew = True

    def __init__(self, optimizer: Optimizer, last_epoch: int = -1) -> None:
        if not isinstance(optimizer, Optimizer):
            raise CoreArrayTypeError(f"a schedule takes an optimiser of this frontend, got {type(optimizer).__name__}")
        self.optimizer = optimizer
        for number, group in enumerate(optimizer.param_groups):
            if last_epoch == -1:
                group.setdefault("initial_lr", group["lr"])
            elif "initial_lr" not in group:
                raise CoreArrayValueError(
                    f"'initial_lr' is not in group {number} of the optimiser; it is needed to resume"
                )
        self.base_lrs = [group["initial_lr"] for group in optimizer.param_groups]
        self.last_epoch = last_epoch
        self._last_lr: list[float] = []
        self._first_step()

    def get_lr(self) -> Sequence[float]:
        """Return the rates of the step `self.last_epoch`; a derived class defines it."""
        raise CoreArrayNotImplementedError(f"'{type(self).__name__}' has no method 'get_lr'")

    def step(self, epoch: int | None = None) -> None:
        """Go on by one step and set the rates; with `epoch`, compute those of another step from the first ones."""
        if epoch is None or not self._starts_anew:
            self.last_epoch = self.last_epoch + 1 if epoch is None else int(epoch)
            self._set(self.get_lr())
            return
        self._set(self.base_lrs)
        for self.last_epoch in range(int(epoch) + 1):
            self._is_first = self.last_epoch == 0
            self._set(self.get_lr())
        self._is_first = False

    def _first_step(self) -> None:
        self._is_first = True
        self.step()
        self._is_first = False

    def _set(self, rates: Sequence[float]) -> None:
        for group, rate in zip(self.optimizer.param_groups, rates, strict=True):
            group["lr"] = rate
        self._last_lr = list(rates)

    def get_last_lr(self) -> list[float]:
        """Return the rates in force."""
        return self._last_lr

    def state_dict(self) -> dict[str, Any]:
        """Return what the schedule holds beside the optimiser and functions."""
        return {name: x for name, x in vars(self).items() if name != "optimizer" and not _holds_function(x)}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Take over what `state_dict` returned."""
        vars(self).update(state_dict)

    def _rates(self) -> list[float]:
        return [group["lr"] for group in self.optimizer.param_groups]

    def _scaled(self, factor: float) -> list[float]:
        return [rate * factor for rate in self._rates()]


def _holds_function(x: Any) -> bool:
    return callable(x) or (isinstance(x, list) and any(map(callable, x)))


class LambdaLR(LRScheduler):
    """The initial rate times a function of the step; one function, or one for each group."""

    def __init__(self, optimizer: Optimizer, lr_lambda: Any, last_epoch: int = -1) -> None:
        self.lr_lambdas = each("lr_lambda", optimizer, lr_lambda)
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> Sequence[float]:
        """Return the rates."""
        return [rate * by(self.last_epoch) for rate, by in zip(self.base_lrs, self.lr_lambdas, strict=True)]


class MultiplicativeLR(LRScheduler):
    """The rate in force times a function of the step."""

    _starts_anew = False

    def __init__(self, optimizer: Optimizer, lr_lambda: Any, last_epoch: int = -1) -> None:
        self.lr_lambdas = each("lr_lambda", optimizer, lr_lambda)
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> Sequence[float]:
        """Return the rates."""
        if self._is_first:
            return self._rates()
        return [rate * by(self.last_epoch) for rate, by in zip(self._rates(), self.lr_lambdas, strict=True)]


class StepLR(LRScheduler):
    """The rate falls by `gamma` each `step_size` steps."""

    def __init__(self, optimizer: Optimizer, step_size: int, gamma: float = 0.1, last_epoch: int = -1) -> None:
        self.step_size, self.gamma = step_size, gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> Sequence[float]:
        """Return the rates."""
        return self._scaled(self.gamma if self.last_epoch and self.last_epoch % self.step_size == 0 else 1)


class MultiStepLR(LRScheduler):
    """The rate falls by `gamma` at each of the `milestones`."""

    def __init__(
        self, optimizer: Optimizer, milestones: Sequence[int], gamma: float = 0.1, last_epoch: int = -1
    ) -> None:
        self.milestones, self.gamma = Counter(milestones), gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> Sequence[float]:
        """Return the rates."""
        return self._scaled(self.gamma ** self.milestones[self.last_epoch])


class ConstantLR(LRScheduler):
    """The rate times `factor` in the first `total_iters` steps."""

    def __init__(self, optimizer: Optimizer, factor: float = 1 / 3, total_iters: int = 5, last_epoch: int = -1) -> None:
        self.factor, self.total_iters = _share("factor", factor), total_iters
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> Sequence[float]:
        """Return the rates."""
        if self.last_epoch == 0:
            return self._scaled(self.factor)
        return self._scaled(1 / self.factor if self.last_epoch == self.total_iters else 1)


class LinearLR(LRScheduler):
    """The rate times a factor that goes from `start_factor` to `end_factor` in `total_iters` steps."""

    def __init__(
        self, optimizer: Optimizer, start_factor: float = 1 / 3, end_factor: float = 1.0, total_iters: int = 5,
        last_epoch: int = -1,
    ) -> None:  # fmt: skip
        self.start_factor, self.total_iters = _share("start_factor", start_factor), total_iters
        if not 0 <= end_factor <= 1:
            raise CoreArrayValueError(f"end_factor is between 0 and 1, got {end_factor}")
        self.end_factor = end_factor
        super().__init__(optimizer, last_epoch)

    def _factor(self, step: int) -> float:
        return self.start_factor + (self.end_factor - self.start_factor) * step / self.total_iters

    def get_lr(self) -> Sequence[float]:
        """Return the rates."""
        if self.last_epoch == 0:
            return self._scaled(self.start_factor)
        if self.last_epoch > self.total_iters:
            return self._rates()
        return self._scaled(self._factor(self.last_epoch) / self._factor(self.last_epoch - 1))


class ExponentialLR(LRScheduler):
    """The rate falls by `gamma` in each step."""

    def __init__(self, optimizer: Optimizer, gamma: float, last_epoch: int = -1) -> None:
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> Sequence[float]:
        """Return the rates."""
        return self._scaled(1 if self._is_first else self.gamma)


class PolynomialLR(LRScheduler):
    """The rate falls to zero as a polynomial of the degree `power` in `total_iters` steps."""

    def __init__(self, optimizer: Optimizer, total_iters: int = 5, power: float = 1.0, last_epoch: int = -1) -> None:
        self.total_iters, self.power = total_iters, power
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> Sequence[float]:
        """Return the rates."""
        if self._is_first or self.last_epoch > self.total_iters:
            return self._rates()
        left = (1 - self.last_epoch / self.total_iters) / (1 - (self.last_epoch - 1) / self.total_iters)
        return self._scaled(left**self.power)


class CosineAnnealingLR(LRScheduler):
    """The rate follows a cosine from the initial one to `eta_min` in `T_max` steps, and back."""

    def __init__(self, optimizer: Optimizer, T_max: int, eta_min: float = 0.0, last_epoch: int = -1) -> None:
        self.T_max, self.eta_min = T_max, eta_min
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> Sequence[float]:
        """Return the rates."""
        step, low = self.last_epoch, self.eta_min
        if self._is_first:
            return self._rates()
        if (step - 1 - self.T_max) % (2 * self.T_max) == 0:
            rise = (1 - math.cos(math.pi / self.T_max)) / 2
            return [
                group["lr"] + (base - low) * rise
                for base, group in zip(self.base_lrs, self.optimizer.param_groups, strict=True)
            ]
        share = (1 + math.cos(math.pi * step / self.T_max)) / (1 + math.cos(math.pi * (step - 1) / self.T_max))
        return [low + (rate - low) * share for rate in self._rates()]


def each(name: str, optimizer: Optimizer, value: Any) -> list[Any]:
    """Return a value for each group."""
    count = len(optimizer.param_groups)
    if not isinstance(value, (list, tuple)):
        return [value] * count
    if len(value) != count:
        raise CoreArrayValueError(f"{name} has {len(value)} values, and the optimiser {count} groups")
    return list(value)


def _share(name: str, value: float) -> float:
    if not 0 < value <= 1:
        raise CoreArrayValueError(f"{name} is above 0 and at most 1, got {value}")
    return value
