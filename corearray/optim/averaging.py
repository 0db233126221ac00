"""Averages of weights over the steps of training."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from corearray.errors import CoreArrayValueError
from corearray.functional.creation import asarray
from corearray.functional.data_type import astype
from corearray.functional.searching import where
from corearray.optim.leaves import mapped, scalar_like
from corearray.optim.recipes import recipe
from corearray.optim.transform import Transformation, apply_updates
from corearray.types.dtypes import int32

__all__ = ["average_weights", "averaged"]

#: What `corearray list-functions` says of the functions here that are no declarations.
__kind__ = "convenience"


@recipe
def average_weights(decay: float | None = 0.999) -> Transformation:
    """Make a transformation that keeps an average of the weights; put it last in a chain.

    Parameters
    ----------
    decay
        Share of the average that is kept in each step, for an exponential moving average. `None` averages over all steps with
        equal weights.

    Returns
    -------
    `Transformation` that passes updates through, with the state `{"count": ..., "average": tree}`. `averaged(state)` finds
    the average in the state of a whole optimiser.

    Raises
    ------
    ValueError
        If `decay` does not lie between 0 and 1.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import optim
    >>> optimizer, parameters = optim.chain(optim.sgd(1.0), optim.average_weights(0.5)), [ca.asarray([4.0])]
    >>> state = optimizer.init(parameters)
    >>> for _ in range(2):
    ...     parameters, state = optimizer.update([ca.asarray([1.0])], state, parameters)
    >>> parameters[0].tolist(), optim.averaged(state)[0].tolist()
    ([2.0], [2.5])

    Notes
    -----
    `torch.optim.swa_utils.AveragedModel`, with `get_ema_multi_avg_fn(decay)` or without: the first step sets the average.
    """
    if decay is not None and not 0 <= decay <= 1:
        raise CoreArrayValueError(f"'average_weights' got decay={decay}; it lies between 0 and 1")

    def init(parameters: Any) -> Any:
        return {
            "count": scalar_like(parameters, 0, int32),
            "average": mapped(lambda p: asarray(p, copy=True), parameters),
        }

    def transform(updates: Any, state: Any, parameters: Any) -> tuple[Any, Any]:
        count = state["count"]

        def nearer(average: Any, new: Any) -> Any:
            share = 1.0 / (astype(count, new.dtype) + 1.0) if decay is None else where(count == 0, 1.0, 1.0 - decay)
            return average + astype(share, new.dtype, copy=False) * (new - average)

        average = mapped(nearer, state["average"], apply_updates(parameters, updates))
        return updates, {"count": count + 1, "average": average}

    return Transformation(init, transform)


def averaged(state: Any) -> Any:
    """Return the average of the weights that `average_weights` keeps in the state of an optimiser.

    Parameters
    ----------
    state
        State of an optimiser.

    Returns
    -------
    A tree like the parameters.

    Raises
    ------
    ValueError
        If there is none.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import optim
    >>> optim.averaged(optim.average_weights().init([ca.ones(1)]))[0].tolist()
    [1.0]
    """
    if isinstance(state, Mapping) and "average" in state:
        return state["average"]
    children = state.values() if isinstance(state, Mapping) else state if isinstance(state, (tuple, list)) else ()
    for child in children:
        try:
            return averaged(child)
        except CoreArrayValueError:
            continue
    raise CoreArrayValueError("the state of this optimiser holds no average; put 'average_weights' into the chain")
