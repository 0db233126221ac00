"""Optimiser steps: pure functions from weights and gradients to new weights, on trees of arrays.

A step keeps no state, so that it can be compiled and differentiated. `corearray.optim` has optimisers.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from corearray.errors import CoreArrayError, CoreArrayValueError
from corearray.functional.comparison import greater
from corearray.functional.creation import zeros_like
from corearray.functional.elementwise import clip
from corearray.functional.exponential import sqrt
from corearray.functional.gradients import stop_gradient
from corearray.functional.linalg import vector_norm
from corearray.functional.nest import nested_map, nested_multi_map
from corearray.functional.searching import where
from corearray.settings.context import current_settings
from corearray.transforms.tree import Tree, flatten_tree, unflatten_tree

__all__ = ["adam_step", "adam_update", "gradient_descent_update", "lamb_update", "lars_update"]

#: What `corearray list-functions` says of the functions here that are no declarations.
__kind__ = "convenience"


def gradient_descent_update(weights: Any, gradients: Any, learning_rate: Any, /, *, stop_gradients: bool = True) -> Any:
    """Apply one step of gradient descent.

    Parameters
    ----------
    weights
        Tree of real floating arrays.
    gradients
        A tree like it.
    learning_rate
        A number, or an array without axes.
    stop_gradients
        Whether the new weights are constant to whatever differentiates; `False` to differentiate through the step.

    Returns
    -------
    A tree like `weights`.

    Raises
    ------
    ValueError
        If the trees differ in structure.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.gradient_descent_update({"w": ca.asarray([1.0, 2.0])}, {"w": ca.asarray([1.0, -1.0])}, 0.5)["w"].tolist()
    [0.5, 2.5]
    """
    updated = _descended(weights, gradients, learning_rate, stop_gradients)
    if updated is not None:
        return updated
    tree = Tree(weights)
    slopes = tree.like(gradients, "'gradient_descent_update' got gradients that are not like the weights")
    leaves = [w - learning_rate * g for w, g in zip(tree.leaves, slopes, strict=True)]
    return tree.of([stop_gradient(w) for w in leaves] if stop_gradients else leaves)


def _descended(weights: Any, gradients: Any, rate: Any, constant: bool) -> Any:
    """Take the step by what a backend has for it, where all are its arrays and no setting wants more than the result."""
    state = current_settings()
    backend = state.implicit if state.backend is None else state.backend
    if backend is None or type(rate) is not float or state.slow or "descended" not in backend.facts:
        return None
    try:
        apart, natives, directions = flatten_tree(backend, weights, gradients)
    except CoreArrayError:  # trees of another structure, which the general path explains
        return None
    if natives is None or any(x.shape != y.shape for x, y in zip(natives, directions, strict=True)):
        return None
    return unflatten_tree(backend, apart, backend.facts["descended"](natives, directions, rate, constant))


def adam_step(
    gradients: Any,
    mean: Any,
    square: Any,
    step: Any,
    /,
    *,
    beta1: float = 0.9,
    beta2: float = 0.999,
    epsilon: float = 1e-7,
) -> tuple[Any, Any, Any]:
    """Compute the direction of an Adam step, and the running means.

    Parameters
    ----------
    gradients
        Tree of real floating arrays.
    mean, square
        Trees like it: the running means of the gradients and of their squares; `None` before the first step.
    step
        The number of the step, from 1 up.
    beta1, beta2
        Decay rates of the running means.
    epsilon
        Number added to the root of the mean of squares.

    Returns
    -------
    `(direction, mean, square)`, three trees like `gradients`. New weights are the old ones less the direction times the
    learning rate.

    Raises
    ------
    ValueError
        If the trees differ in structure.

    Examples
    --------
    >>> import corearray as ca
    >>> direction, mean, square = ca.adam_step(ca.asarray([2.0, -3.0]), None, None, 1)
    >>> ca.round(direction).tolist()
    [1.0, -1.0]

    Notes
    -----
    D. P. Kingma and J. Ba, "Adam: a method for stochastic optimization", arXiv:1412.6980, in the order of operations given
    at the end of its section 2.
    """
    mean = nested_map(zeros_like, gradients) if mean is None else mean
    square = nested_map(zeros_like, gradients) if square is None else square
    mean = nested_multi_map(lambda m, g: beta1 * m + (1 - beta1) * g, [mean, gradients])
    square = nested_multi_map(lambda s, g: beta2 * s + (1 - beta2) * g * g, [square, gradients])
    scale = (1 - beta2**step) ** 0.5 / (1 - beta1**step)
    return nested_multi_map(lambda m, s: scale * m / (sqrt(s) + epsilon), [mean, square]), mean, square


def adam_update(
    weights: Any,
    gradients: Any,
    learning_rate: Any,
    mean: Any,
    square: Any,
    step: Any,
    /,
    *,
    beta1: float = 0.9,
    beta2: float = 0.999,
    epsilon: float = 1e-7,
    stop_gradients: bool = True,
) -> tuple[Any, Any, Any]:
    """Apply one step of Adam.

    Parameters
    ----------
    weights, gradients, learning_rate, stop_gradients
        As in `gradient_descent_update`.
    mean, square, step, beta1, beta2, epsilon
        As in `adam_step`.

    Returns
    -------
    `(weights, mean, square)`.

    Raises
    ------
    ValueError
        If the trees differ in structure.

    Examples
    --------
    >>> import corearray as ca
    >>> weights, mean, square = ca.adam_update(ca.asarray([1.0]), ca.asarray([3.0]), 0.5, None, None, 1)
    >>> ca.round(2 * weights).tolist()
    [1.0]

    Notes
    -----
    As `adam_step`.
    """
    direction, mean, square = adam_step(gradients, mean, square, step, beta1=beta1, beta2=beta2, epsilon=epsilon)
    updated = gradient_descent_update(weights, direction, learning_rate, stop_gradients=stop_gradients)
    return updated, mean, square


def lars_update(
    weights: Any, gradients: Any, learning_rate: Any, /, *, decay: float = 0.0, stop_gradients: bool = True
) -> Any:
    """Apply one step of LARS, with a learning rate for each array in proportion to its norm.

    Parameters
    ----------
    weights, gradients, learning_rate, stop_gradients
        As in `gradient_descent_update`.
    decay
        Weight decay, at least 0.

    Returns
    -------
    A tree like `weights`.

    Raises
    ------
    ValueError
        If the trees differ in structure, or `decay` is negative.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.lars_update(ca.asarray([3.0, 4.0]), ca.asarray([0.0, 10.0]), 0.5).tolist()
    [3.0, 1.5]

    Notes
    -----
    Y. You, I. Gitman and B. Ginsburg, "Large batch training of convolutional networks", arXiv:1708.03888, without momentum.
    An array whose norm, or that of its gradient, is zero has the rate itself.
    """
    _check_decay("lars_update", decay)

    def update(w: Any, g: Any) -> Any:
        size = vector_norm(w)
        ratio = _ratio(size, vector_norm(g) + decay * size)
        return w - learning_rate * ratio * (g + decay * w)

    return _updated(update, stop_gradients, weights, gradients)


def lamb_update(
    weights: Any,
    gradients: Any,
    learning_rate: Any,
    mean: Any,
    square: Any,
    step: Any,
    /,
    *,
    beta1: float = 0.9,
    beta2: float = 0.999,
    epsilon: float = 1e-7,
    max_trust_ratio: float = 10.0,
    decay: float = 0.0,
    stop_gradients: bool = True,
) -> tuple[Any, Any, Any]:
    """Apply one step of LAMB: Adam with a learning rate for each array in proportion to its norm.

    Parameters
    ----------
    weights, gradients, learning_rate, stop_gradients
        As in `gradient_descent_update`.
    mean, square, step, beta1, beta2, epsilon
        As in `adam_step`.
    max_trust_ratio
        The most by which the rate grows.
    decay
        Weight decay, at least 0.

    Returns
    -------
    `(weights, mean, square)`.

    Raises
    ------
    ValueError
        If the trees differ in structure, or `decay` is negative.

    Examples
    --------
    >>> import corearray as ca
    >>> weights, mean, square = ca.lamb_update(ca.asarray([2.0]), ca.asarray([3.0]), 0.25, None, None, 1)
    >>> ca.round(2 * weights).tolist()
    [3.0]

    Notes
    -----
    Y. You et al., "Large batch optimization for deep learning: training BERT in 76 minutes", arXiv:1904.00962.
    """
    _check_decay("lamb_update", decay)
    direction, mean, square = adam_step(gradients, mean, square, step, beta1=beta1, beta2=beta2, epsilon=epsilon)

    def update(w: Any, d: Any) -> Any:
        d = d + decay * w
        ratio = clip(_ratio(vector_norm(w), vector_norm(d)), 0.0, max_trust_ratio)
        return w - learning_rate * ratio * d

    return _updated(update, stop_gradients, weights, direction), mean, square


def _updated(update: Callable[[Any, Any], Any], stop_gradients: bool, weights: Any, gradients: Any) -> Any:
    if stop_gradients:
        return nested_multi_map(lambda w, g: stop_gradient(update(w, g)), [weights, gradients])
    return nested_multi_map(update, [weights, gradients])


def _ratio(above: Any, below: Any) -> Any:
    """Divide norms; 1 where one of them is zero."""
    plain = greater(above * below, 0.0)
    return where(plain, above / where(plain, below, 1.0), 1.0)


def _check_decay(name: str, decay: float) -> None:
    if decay < 0:
        raise CoreArrayValueError(f"'{name}' got decay={decay}; it is at least 0")
