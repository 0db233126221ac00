"""Several schedules, one after the other or at once."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import Any

from corearray.errors import CoreArrayValueError
from corearray.frontend.torch.optim.base import Optimizer
from corearray.frontend.torch.optim.lr_scheduler.schedules import LRScheduler

__all__ = ["ChainedScheduler", "SequentialLR"]


class SequentialLR(LRScheduler):
    """One schedule after the other, each from one of the `milestones` on."""

    def __init__(
        self, optimizer: Optimizer, schedulers: Sequence[LRScheduler], milestones: Sequence[int], last_epoch: int = -1
    ) -> None:
        _refuse_others(optimizer, schedulers)
        if len(milestones) != len(schedulers) - 1:
            raise CoreArrayValueError(
                f"'SequentialLR' needs a milestone between two schedules, got {len(schedulers)} schedules and "
                f"{len(milestones)} milestones"
            )
        self.optimizer, self._schedulers, self._milestones = optimizer, list(schedulers), list(milestones)
        self.last_epoch = last_epoch + 1
        for group in optimizer.param_groups:
            group["lr"] = group["initial_lr"]
        for scheduler in schedulers:
            _undo(scheduler)
        self._schedulers[0]._first_step()
        self._last_lr = self._schedulers[0].get_last_lr()

    def step(self, epoch: int | None = None) -> None:
        """Go on by one step; the schedule that begins at it starts from its first rate."""
        self.last_epoch += 1
        place = bisect_right(self._milestones, self.last_epoch)
        scheduler = self._schedulers[place]
        if place > 0 and self._milestones[place - 1] == self.last_epoch:
            scheduler.step(0)
        else:
            scheduler.step()
        self._last_lr = scheduler.get_last_lr()

    def state_dict(self) -> dict[str, Any]:
        """Return the states of all schedules."""
        return {**_without_schedules(self), "_schedulers": [one.state_dict() for one in self._schedulers]}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Take over what `state_dict` returned."""
        _load_schedules(self, state_dict)


class ChainedScheduler(LRScheduler):
    """Several schedules at once, each of which changes the rates that the one before has set."""

    def __init__(self, schedulers: Sequence[LRScheduler], optimizer: Optimizer | None = None) -> None:
        if not schedulers:
            raise CoreArrayValueError("'ChainedScheduler' got no schedules")
        self.optimizer = optimizer or schedulers[0].optimizer
        _refuse_others(self.optimizer, schedulers)
        self._schedulers = list(schedulers)
        self._last_lr = self._rates()

    def step(self, epoch: int | None = None) -> None:
        """Go on by one step of each schedule."""
        for scheduler in self._schedulers:
            scheduler.step()
        self._last_lr = self._rates()

    def state_dict(self) -> dict[str, Any]:
        """Return the states of all schedules."""
        return {**_without_schedules(self), "_schedulers": [one.state_dict() for one in self._schedulers]}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Take over what `state_dict` returned."""
        _load_schedules(self, state_dict)


def _refuse_others(optimizer: Optimizer, schedulers: Sequence[LRScheduler]) -> None:
    if any(one.optimizer is not optimizer for one in schedulers):
        raise CoreArrayValueError("the schedules are of different optimisers")


def _without_schedules(scheduler: LRScheduler) -> dict[str, Any]:
    return {name: x for name, x in vars(scheduler).items() if name not in ("optimizer", "_schedulers")}


def _load_schedules(scheduler: Any, state: dict[str, Any]) -> None:
    held = {name: x for name, x in state.items() if name != "_schedulers"}
    vars(scheduler).update(held)
    for one, inner in zip(scheduler._schedulers, state["_schedulers"], strict=True):
        one.load_state_dict(inner)


def _undo(scheduler: Any) -> None:
    """Take back the step that a schedule took when it was made."""
    for inner in getattr(scheduler, "_schedulers", ()):
        _undo(inner)
    if not hasattr(scheduler, "_schedulers"):
        scheduler.last_epoch -= 1
