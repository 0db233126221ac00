"""Transformations that limit the size of gradients."""

from __future__ import annotations

from typing import Any

from corearray.errors import CoreArrayValueError
from corearray.functional.data_type import astype
from corearray.functional.elementwise import clip, minimum
from corearray.functional.linalg import vector_norm
from corearray.optim.leaves import mapped
from corearray.optim.recipes import recipe
from corearray.optim.transform import Transformation, stateless
from corearray.transforms.trees import global_norm

__all__ = ["clip_by_global_norm", "clip_by_norm", "clip_by_value"]

#: What `corearray list-functions` says of the functions here that are no declarations.
__kind__ = "convenience"

#: Added to a norm before a division, as `torch.nn.utils.clip_grad_norm_` does.
_EPSILON = 1e-6


@recipe
def clip_by_global_norm(max_norm: float) -> Transformation:
    """Scale all gradients by one factor so that the norm of all of them together is at most a limit.

    Parameters
    ----------
    max_norm
        The limit, above 0.

    Returns
    -------
    `Transformation` without a state.

    Raises
    ------
    ValueError
        If the limit is not positive.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import optim
    >>> clipped = optim.clip_by_global_norm(1.0).transform([ca.asarray([3.0]), ca.asarray([4.0])], (), None)[0]
    >>> [ca.round(10 * g).tolist() for g in clipped]
    [[6.0], [8.0]]

    Notes
    -----
    `torch.nn.utils.clip_grad_norm_`: gradients are multiplied by `min(1, max_norm / (norm + 1e-6))`.
    """
    _require_positive("clip_by_global_norm", max_norm)

    def transform(updates: Any, state: Any, parameters: Any) -> tuple[Any, Any]:
        factor = _factor(max_norm, global_norm(updates))
        return mapped(lambda u: u * astype(factor, u.dtype, copy=False), updates), state

    return Transformation(lambda parameters: (), transform)


@recipe
def clip_by_norm(max_norm: float) -> Transformation:
    """Scale each gradient so that its own norm is at most a limit.

    Parameters
    ----------
    max_norm
        The limit, above 0.

    Returns
    -------
    `Transformation` without a state.

    Raises
    ------
    ValueError
        If the limit is not positive.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import optim
    >>> parameters = [ca.zeros(2), ca.zeros(1)]
    >>> clipped = optim.clip_by_norm(1.0).transform([ca.asarray([3.0, 4.0]), ca.asarray([0.5])], (), parameters)[0]
    >>> [ca.round(10 * g).tolist() for g in clipped]
    [[6.0, 8.0], [5.0]]
    """
    _require_positive("clip_by_norm", max_norm)
    return stateless(lambda u, p: u * _factor(max_norm, vector_norm(u)))


@recipe
def clip_by_value(max_value: float) -> Transformation:
    """Clip each element of the gradients to the interval from minus a limit to the limit.

    Parameters
    ----------
    max_value
        The limit, above 0.

    Returns
    -------
    `Transformation` without a state.

    Raises
    ------
    ValueError
        If the limit is not positive.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import optim
    >>> optim.clip_by_value(1.0).transform([ca.asarray([3.0, -0.5])], (), [ca.zeros(2)])[0][0].tolist()
    [1.0, -0.5]

    Notes
    -----
    `torch.nn.utils.clip_grad_value_`.
    """
    _require_positive("clip_by_value", max_value)
    return stateless(lambda u, p: clip(u, -max_value, max_value))


def _factor(max_norm: float, norm: Any) -> Any:
    return minimum(max_norm / (norm + _EPSILON), 1.0)


def _require_positive(name: str, limit: float) -> None:
    if not limit > 0:
        raise CoreArrayValueError(f"'{name}' got the limit {limit}; it is above 0")
