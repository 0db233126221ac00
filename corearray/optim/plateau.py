"""A learning rate that falls when the loss does so no more."""

from __future__ import annotations

import math
from typing import Any

from corearray.errors import CoreArrayValueError
from corearray.functional.data_type import astype
from corearray.functional.elementwise import maximum
from corearray.functional.searching import where
from corearray.optim.leaves import mapped, scalar_like
from corearray.optim.recipes import recipe
from corearray.optim.transform import Transformation
from corearray.types.dtypes import float32, int32

__all__ = ["plateau"]

#: What `corearray list-functions` says of the functions here that are no declarations.
__kind__ = "convenience"


@recipe
def plateau(
    factor: float = 0.1,
    *,
    patience: int = 10,
    threshold: float = 1e-4,
    threshold_mode: str = "rel",
    mode: str = "min",
    cooldown: int = 0,
    min_scale: float = 0.0,
    every: int = 1,
) -> Transformation:
    """Make a transformation that multiplies updates by a factor when the loss no longer improves.

    Put it into a chain beside an optimiser, and pass the loss: `optimizer.update(gradients, state, parameters, value=loss)`.

    Parameters
    ----------
    factor
        Factor of the scale at each reduction, below 1.
    patience
        Number of losses without improvement that are borne.
    threshold, threshold_mode
        What counts as an improvement: a loss below `best * (1 - threshold)` for `"rel"`, below `best - threshold` for `"abs"`.
    mode
        `"min"` for values that are to fall, `"max"` for those that are to rise.
    cooldown
        Number of losses after a reduction that are not counted.
    min_scale
        Least scale.
    every
        Number of steps over which losses are averaged before one is counted.

    Returns
    -------
    `Transformation` with the state `{"scale", "best", "bad", "cooldown", "total", "count"}`. A loss changes the scale from the
    next step on.

    Raises
    ------
    ValueError
        If an option is out of range, or a step is taken without `value`.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import optim
    >>> falling = optim.plateau(0.5, patience=0)
    >>> state = falling.init([ca.zeros(1)])
    >>> for loss in (3.0, 2.0, 2.0):
    ...     _, state = falling.transform([ca.ones(1)], state, [ca.zeros(1)], value=ca.asarray(loss))
    >>> float(state["scale"])
    0.5

    Notes
    -----
    `torch.optim.lr_scheduler.ReduceLROnPlateau`, which is stepped once an epoch.
    """
    if not 0 < factor < 1:
        raise CoreArrayValueError(f"'plateau' got factor={factor}; it lies between 0 and 1")
    if mode not in ("min", "max") or threshold_mode not in ("rel", "abs"):
        raise CoreArrayValueError(
            f"'plateau' got mode={mode!r} and threshold_mode={threshold_mode!r}; the first is one of 'min', 'max', the second "
            "one of 'rel', 'abs'"
        )
    if every < 1 or patience < 0 or cooldown < 0:
        raise CoreArrayValueError(
            f"'plateau' got every={every}, patience={patience}, cooldown={cooldown}; every is at least 1, the others at least 0"
        )
    sign = 1.0 if mode == "min" else -1.0

    def init(parameters: Any) -> Any:
        start = {"scale": 1.0, "best": sign * math.inf, "total": 0.0}
        counts = ("bad", "cooldown", "count")
        return {
            **{name: scalar_like(parameters, value, float32) for name, value in start.items()},
            **{name: scalar_like(parameters, 0, int32) for name in counts},
        }

    def is_better(value: Any, best: Any) -> Any:
        limit = best * (1.0 - sign * threshold) if threshold_mode == "rel" else best - sign * threshold
        return sign * value < sign * limit

    def transform(updates: Any, state: Any, parameters: Any, value: Any) -> tuple[Any, Any]:
        if value is None:
            raise CoreArrayValueError("'plateau' needs the loss; call update(gradients, state, parameters, value=loss)")
        scale = state["scale"]
        total, count = state["total"] + astype(value, float32), state["count"] + 1
        counts = count % every == 0
        mean = total / every
        better = counts & is_better(mean, state["best"])
        bad = where(better, 0, where(counts, state["bad"] + 1, state["bad"]))
        cooling = counts & (state["cooldown"] > 0)
        pause = where(cooling, state["cooldown"] - 1, state["cooldown"])
        bad = where(cooling, 0, bad)
        reduced = bad > patience
        after = {
            "scale": where(reduced, maximum(scale * factor, min_scale), scale),
            "best": where(better, mean, state["best"]),
            "total": where(counts, 0.0, total),
            "bad": where(reduced, 0, bad),
            "cooldown": where(reduced, cooldown, pause),
            "count": count,
        }
        after = {name: astype(x, state[name].dtype, copy=False) for name, x in after.items()}
        return mapped(lambda u: scale * u, updates), after

    return Transformation(init, transform, needs_value=True)
