"""Gradient descent, with momentum."""

from __future__ import annotations

from typing import Any

from corearray.errors import CoreArrayValueError
from corearray.functional.creation import zeros_like
from corearray.functional.searching import where
from corearray.optim.leaves import mapped, scalar_like, stepped
from corearray.optim.masks import decayed
from corearray.optim.recipes import recipe
from corearray.optim.transform import Transformation, chain, scale_by_learning_rate
from corearray.types.dtypes import int32

__all__ = ["sgd", "trace"]

#: What `corearray list-functions` says of the functions here that are no declarations.
__kind__ = "convenience"


@recipe
def sgd(
    learning_rate: Any = 1e-3,
    *,
    momentum: float = 0.0,
    dampening: float = 0.0,
    nesterov: bool = False,
    weight_decay: float = 0.0,
    mask: Any = None,
) -> Transformation:
    """Make stochastic gradient descent, with momentum if asked for.

    Parameters
    ----------
    learning_rate
        A number, or a schedule: a function of the number of steps taken.
    momentum
        Share of the last update that is kept.
    dampening
        Share of the gradient that is left out of the momentum.
    nesterov
        Whether the gradient is added to the momentum once more, as Nesterov's look-ahead. It needs momentum and no dampening.
    weight_decay
        Factor of the parameters that is added to the gradients.
    mask
        Parameters that decay; see `add_decayed_weights`.

    Returns
    -------
    `Transformation`.

    Raises
    ------
    ValueError
        If `nesterov` is combined with dampening or without momentum, or a number is negative.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import optim
    >>> optimizer, parameters = optim.sgd(0.5, momentum=0.5), [ca.asarray([4.0])]
    >>> state = optimizer.init(parameters)
    >>> for _ in range(2):
    ...     parameters, state = optimizer.update([ca.asarray([1.0])], state, parameters)
    >>> parameters[0].tolist()
    [2.75]

    Notes
    -----
    `torch.optim.SGD`: `v = momentum * v + (1 - dampening) * g`, and the step is `-learning_rate * v`. The first gradient is
    taken without dampening.
    """
    parts = decayed(weight_decay, mask)
    if nesterov and (momentum <= 0 or dampening):
        raise CoreArrayValueError(
            f"'sgd' got nesterov with momentum={momentum}, dampening={dampening}; it needs momentum only"
        )
    if momentum:
        parts.append(trace(momentum, dampening=dampening, nesterov=nesterov))
    return chain(*parts, scale_by_learning_rate(learning_rate))


@recipe
def trace(momentum: float, *, dampening: float = 0.0, nesterov: bool = False) -> Transformation:
    """Make a transformation that accumulates updates as momentum.

    Parameters
    ----------
    momentum, dampening, nesterov
        As in `sgd`.

    Returns
    -------
    `Transformation` with the state `{"momentum": tree}`, and `"count"` with dampening.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import optim
    >>> heavy, parameters = optim.trace(0.5), [ca.asarray([0.0])]
    >>> heavy.transform([ca.asarray([1.0])], {"momentum": [ca.asarray([4.0])]}, parameters)[0][0].tolist()
    [3.0]
    """
    if not momentum >= 0:
        raise CoreArrayValueError(f"momentum is at least 0, got {momentum}")

    def init(parameters: Any) -> Any:
        state = {"momentum": mapped(zeros_like, parameters)}
        return state | {"count": scalar_like(parameters, 0, int32)} if dampening else state

    def transform(updates: Any, state: Any, parameters: Any) -> tuple[Any, Any]:
        def step(g: Any, v: Any) -> tuple[Any, Any]:
            fresh = where(state["count"] == 0, 1.0, 1.0 - dampening) * g if dampening else g
            v = momentum * v + fresh
            return (g + momentum * v if nesterov else v), v

        updates, speed = stepped(step, updates, state["momentum"])
        after = {"momentum": speed}
        return updates, after | {"count": state["count"] + 1} if dampening else after

    return Transformation(init, transform)
