"""Schedules that go up and down, and one that follows a measure."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from corearray.errors import CoreArrayValueError
from corearray.frontend.torch.optim.base import Optimizer
from corearray.frontend.torch.optim.lr_scheduler.schedules import LRScheduler, each

__all__ = ["CosineAnnealingWarmRestarts", "CyclicLR", "OneCycleLR", "ReduceLROnPlateau"]


class CosineAnnealingWarmRestarts(LRScheduler):
    """Cosines from the initial rate to `eta_min`, the first of `T_0` steps and each next one `T_mult` times as long."""

    def __init__(
        self, optimizer: Optimizer, T_0: int, T_mult: int = 1, eta_min: float = 0.0, last_epoch: int = -1
    ) -> None:  # fmt: skip
        if T_0 <= 0 or T_mult < 1:
            raise CoreArrayValueError(f"T_0 and T_mult are at least 1, got {T_0} and {T_mult}")
        self.T_0, self.T_i, self.T_mult, self.eta_min, self.T_cur = T_0, T_0, T_mult, eta_min, float(last_epoch)
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> Sequence[float]:
        """Return the rates."""
        share = (1 + math.cos(math.pi * self.T_cur / self.T_i)) / 2
        return [self.eta_min + (base - self.eta_min) * share for base in self.base_lrs]

    def step(self, epoch: float | None = None) -> None:
        """Go on by one step, or to an epoch, which may be a fraction."""
        if epoch is None:
            epoch = self.last_epoch + 1
        if epoch < 0:
            raise CoreArrayValueError(f"an epoch is not negative, got {epoch}")
        start, length = 0.0, self.T_0
        while epoch >= start + length:
            start, length = start + length, length * self.T_mult
            if self.T_mult == 1:
                start = epoch - epoch % self.T_0
        self.T_cur, self.T_i, self.last_epoch = epoch - start, length, math.floor(epoch)
        self._set(self.get_lr())


class ReduceLROnPlateau(LRScheduler):
    """The rate falls by `factor` after `patience` steps in which a measure has not become better.

    Parameters
    ----------
    mode
        `"min"` or `"max"`: which measure is better.
    threshold, threshold_mode
        By how much it must be better, as a share (`"rel"`) or a difference (`"abs"`).
    cooldown
        Number of steps after a change that do not count.
    min_lr, eps
        The least rate, and the least change.
    """

    def __init__(
        self, optimizer: Optimizer, mode: str = "min", factor: float = 0.1, patience: int = 10, threshold: float = 1e-4,
        threshold_mode: str = "rel", cooldown: int = 0, min_lr: Any = 0, eps: float = 1e-8,
    ) -> None:  # fmt: skip
        if factor >= 1.0:
            raise CoreArrayValueError(f"factor is less than 1, got {factor}")
        if mode not in ("min", "max") or threshold_mode not in ("rel", "abs"):
            raise CoreArrayValueError(
                f"mode is 'min' or 'max' and threshold_mode 'rel' or 'abs', got {mode!r} and {threshold_mode!r}"
            )
        self.optimizer, self.mode, self.factor, self.patience = optimizer, mode, factor, patience
        self.threshold, self.threshold_mode, self.cooldown, self.eps = threshold, threshold_mode, cooldown, eps
        self.min_lrs = each("min_lr", optimizer, min_lr)
        self.best = math.inf if mode == "min" else -math.inf
        self.num_bad_epochs = self.cooldown_counter = self.last_epoch = 0
        self._last_lr = self._rates()

    def _is_better(self, measure: float) -> bool:
        sign = 1 if self.mode == "min" else -1
        if self.threshold_mode == "rel":
            return sign * measure < sign * self.best * (1 - sign * self.threshold)
        return sign * measure < sign * self.best - self.threshold

    def step(self, metrics: Any, epoch: int | None = None) -> None:  # type: ignore[override]  # a measure is given
        """Note a measure, such as the loss of validation, and lower the rates if it has not become better for long."""
        measure = float(metrics)
        self.last_epoch = self.last_epoch + 1 if epoch is None else epoch
        if self._is_better(measure):
            self.best, self.num_bad_epochs = measure, 0
        else:
            self.num_bad_epochs += 1
        if self.cooldown_counter > 0:
            self.cooldown_counter -= 1
            self.num_bad_epochs = 0
        if self.num_bad_epochs > self.patience:
            for group, least in zip(self.optimizer.param_groups, self.min_lrs, strict=True):
                new = max(group["lr"] * self.factor, least)
                if group["lr"] - new > self.eps:
                    group["lr"] = new
            self.cooldown_counter, self.num_bad_epochs = self.cooldown, 0
        self._last_lr = self._rates()


class CyclicLR(LRScheduler):
    """The rate goes between `base_lr` and `max_lr`, in `step_size_up` steps up and `step_size_down` down."""

    def __init__(
        self, optimizer: Optimizer, base_lr: Any, max_lr: Any, step_size_up: int = 2000, step_size_down: int | None = None,
        mode: str = "triangular", gamma: float = 1.0, scale_fn: Callable[[float], float] | None = None,
        scale_mode: str = "cycle", cycle_momentum: bool = True, base_momentum: Any = 0.8, max_momentum: Any = 0.9,
        last_epoch: int = -1,
    ) -> None:  # fmt: skip
        if scale_fn is None and mode not in ("triangular", "triangular2", "exp_range"):
            raise CoreArrayValueError(f"mode is 'triangular', 'triangular2' or 'exp_range', got {mode!r}")
        bases = each("base_lr", optimizer, base_lr)
        if last_epoch == -1:
            for group, rate in zip(optimizer.param_groups, bases, strict=True):
                group["lr"] = group["initial_lr"] = rate
        self.max_lrs = each("max_lr", optimizer, max_lr)
        down = step_size_up if step_size_down is None else step_size_down
        self.total_size = step_size_up + down
        self.step_ratio = step_size_up / self.total_size
        self.mode, self.gamma, self._scale = mode, gamma, scale_fn
        self.scale_mode = scale_mode if scale_fn is not None else "iterations" if mode == "exp_range" else "cycle"
        self._momentum = _momentum_of(optimizer) if cycle_momentum else ""
        if cycle_momentum:
            self.base_momentums = each("base_momentum", optimizer, base_momentum)
            self.max_momentums = each("max_momentum", optimizer, max_momentum)
        super().__init__(optimizer, last_epoch)

    def _scaled_by(self, x: float) -> float:
        if self._scale is not None:
            return self._scale(x)
        if self.mode == "triangular":
            return 1.0
        return float(1 / 2.0 ** (x - 1) if self.mode == "triangular2" else self.gamma**x)

    def get_lr(self) -> Sequence[float]:
        """Return the rates, and set the momenta."""
        cycle = math.floor(1 + self.last_epoch / self.total_size)
        x = 1.0 + self.last_epoch / self.total_size - cycle
        height = x / self.step_ratio if x <= self.step_ratio else (x - 1) / (self.step_ratio - 1)
        height *= self._scaled_by(cycle if self.scale_mode == "cycle" else self.last_epoch)
        if self._momentum:
            pairs = zip(self.optimizer.param_groups, self.base_momentums, self.max_momentums, strict=True)
            for group, least, most in pairs:
                _set_momentum(group, self._momentum, most - (most - least) * height)
        return [base + (most - base) * height for base, most in zip(self.base_lrs, self.max_lrs, strict=True)]


class OneCycleLR(LRScheduler):
    """The rate rises to `max_lr`, falls to the first one and on to a very small one, and the momentum goes the other way.

    Parameters
    ----------
    total_steps, epochs, steps_per_epoch
        The number of steps, or the two numbers whose product it is.
    pct_start
        Share of the steps in which the rate rises.
    anneal_strategy
        `"cos"` or `"linear"`.
    div_factor, final_div_factor
        By how much the first rate is less than the highest, and the last than the first.
    three_phase
        Whether the rate falls to the first one in as many steps as it rose.
    """

    def __init__(
        self, optimizer: Optimizer, max_lr: Any, total_steps: int | None = None, epochs: int | None = None,
        steps_per_epoch: int | None = None, pct_start: float = 0.3, anneal_strategy: str = "cos", cycle_momentum: bool = True,
        base_momentum: Any = 0.85, max_momentum: Any = 0.95, div_factor: float = 25.0, final_div_factor: float = 1e4,
        three_phase: bool = False, last_epoch: int = -1,
    ) -> None:  # fmt: skip
        if total_steps is None and (epochs is None or steps_per_epoch is None):
            raise CoreArrayValueError("'OneCycleLR' needs total_steps, or epochs and steps_per_epoch")
        count = total_steps if total_steps is not None else (epochs or 0) * (steps_per_epoch or 0)
        if count <= 0:
            raise CoreArrayValueError(f"'OneCycleLR' needs a positive number of steps, got {count}")
        if not 0 <= pct_start <= 1 or anneal_strategy not in ("cos", "linear"):
            raise CoreArrayValueError(
                f"pct_start is between 0 and 1 and anneal_strategy 'cos' or 'linear', got {pct_start} and {anneal_strategy!r}"
            )
        self.total_steps, self._cosine = count, anneal_strategy == "cos"
        rise = pct_start * count - 1
        #: The last step of each phase with the names of the rates and momenta between which it goes.
        self._phases = [
            (rise, "initial_lr", "max_lr", "max_momentum", "base_momentum"),
            (2 * pct_start * count - 2, "max_lr", "initial_lr", "base_momentum", "max_momentum"),
            (count - 1, "initial_lr", "min_lr", "max_momentum", "max_momentum"),
        ]
        if not three_phase:
            self._phases[1:] = [(count - 1, "max_lr", "min_lr", "base_momentum", "max_momentum")]
        self._momentum = _momentum_of(optimizer) if cycle_momentum else ""
        if last_epoch == -1:
            self._start(optimizer, max_lr, (div_factor, final_div_factor), base_momentum, max_momentum)
        super().__init__(optimizer, last_epoch)

    def _start(self, optimizer: Optimizer, rates: Any, factors: tuple[float, float], least: Any, most: Any) -> None:
        for group, rate in zip(optimizer.param_groups, each("max_lr", optimizer, rates), strict=True):
            first = rate / factors[0]
            group.update(initial_lr=first, max_lr=rate, min_lr=first / factors[1])
        if self._momentum:
            pairs = zip(
                optimizer.param_groups, each("base_momentum", optimizer, least), each("max_momentum", optimizer, most),
                strict=True,
            )  # fmt: skip
            for group, low, high in pairs:
                group.update(base_momentum=low, max_momentum=high)
                _set_momentum(group, self._momentum, high)

    def _between(self, start: float, end: float, share: float) -> float:
        if self._cosine:
            return end + (start - end) / 2 * (math.cos(math.pi * share) + 1)
        return (end - start) * share + start

    def get_lr(self) -> Sequence[float]:
        """Return the rates, and set the momenta."""
        if self.last_epoch > self.total_steps:
            raise CoreArrayValueError(f"step {self.last_epoch} of a schedule that has {self.total_steps}")
        start = 0.0
        for end, *_ in self._phases[:-1]:
            start = end if self.last_epoch > end else start
        end, *names = next(phase for phase in self._phases if self.last_epoch <= phase[0] or phase is self._phases[-1])
        share = (self.last_epoch - start) / (end - start)
        rates = []
        for group in self.optimizer.param_groups:
            first, last, heavy, light = names
            rates.append(self._between(group[first], group[last], share))
            if self._momentum:
                _set_momentum(group, self._momentum, self._between(group[heavy], group[light], share))
        return rates


def _momentum_of(optimizer: Optimizer) -> str:
    """Return under which name an optimiser has a momentum."""
    for name in ("betas", "momentum"):
        if name in optimizer.defaults:
            return name
    raise CoreArrayValueError(f"'{type(optimizer).__name__}' has no momentum to cycle; pass cycle_momentum=False")


def _set_momentum(group: dict[str, Any], name: str, momentum: float) -> None:
    group[name] = (momentum, *group["betas"][1:]) if name == "betas" else momentum
