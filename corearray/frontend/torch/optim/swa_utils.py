"""torch.optim.swa_utils on every backend: averages of a model's weights.

Source: Izmailov et al., "Averaging weights leads to wider optima and better generalization", 2018.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Callable, Iterable
from typing import Any

from corearray.errors import CoreArrayValueError
from corearray.frontend.torch.grad_mode import no_grad
from corearray.frontend.torch.nn.module import Module
from corearray.frontend.torch.optim.base import Optimizer
from corearray.frontend.torch.optim.lr_scheduler import LRScheduler
from corearray.frontend.torch.owner import torch_of

__all__ = [
    "SWALR",
    "AveragedModel",
    "get_ema_avg_fn",
    "get_ema_multi_avg_fn",
    "get_swa_avg_fn",
    "get_swa_multi_avg_fn",
    "update_bn",
]


def _check_decay(decay: float) -> None:
    if not 0.0 <= decay <= 1.0:
        raise CoreArrayValueError(f"Invalid decay value {decay} provided. Please provide a value in [0,1] range.")


def get_ema_avg_fn(decay: float = 0.999) -> Callable[..., Any]:
    """Return the update of an exponential moving average of one tensor."""
    _check_decay(decay)

    def update(ema_param: Any, current_param: Any, num_averaged: Any) -> Any:
        return decay * ema_param + (1 - decay) * current_param

    return update


def get_swa_avg_fn() -> Callable[..., Any]:
    """Return the update of an equally weighted average of one tensor."""

    def update(averaged_param: Any, current_param: Any, num_averaged: Any) -> Any:
        return averaged_param + (current_param - averaged_param) / (num_averaged + 1)

    return update


def _of_several(update: Callable[..., Any]) -> Callable[..., None]:
    def update_all(averaged: Iterable[Any], current: Iterable[Any], num_averaged: Any) -> None:
        with no_grad():
            for one, other in zip(averaged, current, strict=True):
                one.copy_(update(one, other, num_averaged) if one.is_floating_point() else other)

    return update_all


def get_ema_multi_avg_fn(decay: float = 0.999) -> Callable[..., None]:
    """Return the update of exponential moving averages of several tensors, which it writes in place."""
    return _of_several(get_ema_avg_fn(decay))


def get_swa_multi_avg_fn() -> Callable[..., None]:
    """Return the update of equally weighted averages of several tensors, which it writes in place."""
    return _of_several(get_swa_avg_fn())


class AveragedModel(Module):
    """A copy of a model whose weights are averages of the model's.

    Parameters
    ----------
    model
        The model.
    device
        The device of the copy.
    avg_fn, multi_avg_fn
        The update of one tensor or of several; an equally weighted average if neither is given.
    use_buffers
        Average buffers too; otherwise `update_parameters` copies them.
    """

    def __init__(
        self,
        model: Any,
        device: Any = None,
        avg_fn: Callable[..., Any] | None = None,
        multi_avg_fn: Callable[..., None] | None = None,
        use_buffers: bool = False,
    ) -> None:
        super().__init__()
        if avg_fn is not None and multi_avg_fn is not None:
            raise CoreArrayValueError("Only one of avg_fn and multi_avg_fn should be provided")
        self.module = copy.deepcopy(model)
        if device is not None:
            self.module = self.module.to(device)
        torch = torch_of(*model.parameters())
        self.register_buffer("n_averaged", torch.tensor(0, dtype=torch.long))
        self.avg_fn, self.multi_avg_fn, self.use_buffers = avg_fn, multi_avg_fn, use_buffers

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """Call the averaged model."""
        return self.module(*args, **kwargs)

    def update_parameters(self, model: Any) -> None:
        """Take the weights of a model into the averages."""

        def tensors(of: Any) -> list[Any]:
            return [x.detach() for x in (*of.parameters(), *(of.buffers() if self.use_buffers else ()))]

        mine, theirs = tensors(self.module), tensors(model)
        with no_grad():
            if int(self.n_averaged) == 0:
                for one, other in zip(mine, theirs, strict=True):
                    one.copy_(other)
            else:
                update = self.multi_avg_fn or _of_several(self.avg_fn or get_swa_avg_fn())
                update(mine, theirs, self.n_averaged)
            if not self.use_buffers:
                for one, other in zip(self.module.buffers(), model.buffers(), strict=True):
                    one.detach().copy_(other.detach())
            self.n_averaged += 1


def update_bn(loader: Iterable[Any], model: Any, device: Any = None) -> None:
    """Compute the running statistics of batch norms anew from a loader's batches."""
    layers = [layer for layer in model.modules() if hasattr(layer, "reset_running_stats")]
    layers = [layer for layer in layers if getattr(layer, "running_mean", None) is not None]
    if not layers:
        return
    was_training, momenta = model.training, [layer.momentum for layer in layers]
    model.train()
    for layer in layers:
        layer.reset_running_stats()
        layer.momentum = None
    with no_grad():
        for batch in loader:
            first = batch[0] if isinstance(batch, (list, tuple)) else batch
            model(first if device is None else first.to(device))
    for layer, momentum in zip(layers, momenta, strict=True):
        layer.momentum = momentum
    model.train(was_training)


class SWALR(LRScheduler):
    """A schedule that anneals the rates to `swa_lr` and keeps them there.

    Parameters
    ----------
    optimizer
        The optimiser.
    swa_lr
        The rate, or one for each group.
    anneal_epochs
        The number of steps of annealing.
    anneal_strategy
        `"cos"` or `"linear"`.
    last_epoch
        The number of the last step, `-1` at the start.
    """

    def __init__(
        self,
        optimizer: Optimizer,
        swa_lr: Any,
        anneal_epochs: int = 10,
        anneal_strategy: str = "cos",
        last_epoch: int = -1,
    ) -> None:
        if anneal_strategy not in ("cos", "linear"):
            raise CoreArrayValueError(f"anneal_strategy must be 'cos' or 'linear', got {anneal_strategy!r}")
        if not isinstance(anneal_epochs, int) or anneal_epochs < 0:
            raise CoreArrayValueError(f"anneal_epochs must be equal or greater than 0, got {anneal_epochs}")
        groups = optimizer.param_groups
        rates = list(swa_lr) if isinstance(swa_lr, (list, tuple)) else [swa_lr] * len(groups)
        if len(rates) != len(groups):
            raise CoreArrayValueError(f"swa_lr has {len(rates)} values, and the optimiser {len(groups)} groups")
        for group, rate in zip(groups, rates, strict=True):
            group["swa_lr"] = rate
        self.anneal_epochs, self._strategy = anneal_epochs, anneal_strategy
        super().__init__(optimizer, last_epoch)

    def _share(self, step: int) -> float:
        share = 1.0 if self.anneal_epochs == 0 else max(0.0, min(1.0, step / self.anneal_epochs))
        return (1 - math.cos(math.pi * share)) / 2 if self._strategy == "cos" else share

    def get_lr(self) -> list[float]:
        """Return the rates of the step `self.last_epoch`."""
        step = self.last_epoch + 1
        before, now = self._share(max(0, step - 2)), self._share(max(0, step - 1))
        found = []
        for group in self.optimizer.param_groups:
            target = group["swa_lr"]
            first = target if before == 1 else (group["lr"] - before * target) / (1 - before)
            found.append(target * now + first * (1 - now))
        return found
