"""Meta-learning steps: gradients for variables from which few steps of gradient descent solve many tasks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from corearray.errors import CoreArrayTypeError, CoreArrayValueError
from corearray.functional.nest import nested_multi_map
from corearray.transforms.derivatives import grad, value_and_grad
from corearray.transforms.updates import gradient_descent_update
from corearray.types.namedtuples import NamedTuple

__all__ = ["MetaStepResult", "fomaml_step", "maml_step", "reptile_step"]

#: What `corearray list-functions` says of the functions here that are no declarations.
__kind__ = "convenience"

#: From variables and a batch to a number.
_Cost = Callable[[Any, Any], Any]


class MetaStepResult(NamedTuple):
    """Result of a meta-learning step.

    Attributes
    ----------
    cost
        The mean cost, an array without axes.
    gradients
        A tree like the variables, for `gradient_descent_update`, `adam_update` and their like.
    """

    cost: Any
    gradients: Any


def maml_step(
    inner_cost_fn: _Cost,
    outer_cost_fn: _Cost,
    variables: Any,
    tasks: Sequence[tuple[Any, Any]],
    /,
    *,
    inner_steps: int = 1,
    inner_learning_rate: Any = 0.01,
) -> MetaStepResult:
    """Compute the MAML gradient: differentiate the loss after steps of gradient descent, through these steps.

    Parameters
    ----------
    inner_cost_fn
        Function of variables and a batch that returns a number: what the steps make smaller.
    outer_cost_fn
        The same, of the variables after the steps.
    variables
        Tree of real floating arrays.
    tasks
        A pair of batches, the inner and the outer one, for each task: trees that the functions understand.
    inner_steps
        Number of steps.
    inner_learning_rate
        Their rate: a number, or an array without axes.

    Returns
    -------
    Named tuple `(cost, gradients)`: means over the tasks.

    Raises
    ------
    TypeError, ValueError
        If there is no task or no step, a task is no pair, or a function returns no number.
    FunctionNotImplementedError
        If the backend does not differentiate, as NumPy.

    Examples
    --------
    >>> import corearray as ca
    >>> distance = lambda w, target: (w - target) ** 2 / 2
    >>> with ca.backend_context("torch"):
    ...     found = ca.maml_step(distance, distance, ca.asarray(4.0), [(0.0, 0.0)], inner_learning_rate=0.5)
    >>> found.cost.tolist(), found.gradients.tolist()
    (2.0, 1.0)

    Notes
    -----
    C. Finn, P. Abbeel and S. Levine, Model-agnostic meta-learning for fast adaptation of deep networks, arXiv:1703.03400,
    algorithm 1.
    """
    pairs = _pairs("maml_step", tasks, inner_steps)

    def cost(variables: Any) -> Any:
        costs = []
        for inner, outer in pairs:
            adapted = variables
            for _ in range(inner_steps):
                slopes = grad(inner_cost_fn)(adapted, inner)
                adapted = gradient_descent_update(adapted, slopes, inner_learning_rate, stop_gradients=False)
            costs.append(outer_cost_fn(adapted, outer))
        return _mean(costs)

    return MetaStepResult(*value_and_grad(cost)(variables))


def fomaml_step(
    inner_cost_fn: _Cost,
    outer_cost_fn: _Cost,
    variables: Any,
    tasks: Sequence[tuple[Any, Any]],
    /,
    *,
    inner_steps: int = 1,
    inner_learning_rate: Any = 0.01,
) -> MetaStepResult:
    """Compute the first-order MAML gradient: differentiate the loss after steps of gradient descent, without their
    derivatives.

    Parameters
    ----------
    inner_cost_fn, outer_cost_fn, variables, tasks, inner_steps, inner_learning_rate
        As in `maml_step`.

    Returns
    -------
    Named tuple `(cost, gradients)`: means over the tasks.

    Raises
    ------
    TypeError, ValueError, FunctionNotImplementedError
        As in `maml_step`.

    Examples
    --------
    >>> import corearray as ca
    >>> distance = lambda w, target: (w - target) ** 2 / 2
    >>> with ca.backend_context("torch"):
    ...     found = ca.fomaml_step(distance, distance, ca.asarray(4.0), [(0.0, 0.0)], inner_learning_rate=0.5)
    >>> found.cost.tolist(), found.gradients.tolist()
    (2.0, 2.0)

    Notes
    -----
    As `maml_step`, section 5.2: no second derivatives.
    """
    found = []
    for inner, outer in _pairs("fomaml_step", tasks, inner_steps):
        adapted, _ = _adapted(inner_cost_fn, variables, inner, inner_steps, inner_learning_rate)
        found.append(value_and_grad(outer_cost_fn)(adapted, outer))
    return MetaStepResult(*_mean(found))


def reptile_step(
    cost_fn: _Cost, variables: Any, tasks: Sequence[Any], /, *, inner_steps: int = 1, inner_learning_rate: Any = 0.01
) -> MetaStepResult:
    """Compute the Reptile gradient: the direction in which steps of gradient descent move the variables.

    Parameters
    ----------
    cost_fn
        Function of variables and a batch that returns a number.
    variables, inner_steps, inner_learning_rate
        As in `maml_step`.
    tasks
        A batch for each task.

    Returns
    -------
    Named tuple `(cost, gradients)`: the mean cost over the tasks, before each of their steps, and the mean of the way from
    where the steps end back to `variables`, divided by the learning rate.

    Raises
    ------
    TypeError, ValueError, FunctionNotImplementedError
        As in `maml_step`.

    Examples
    --------
    >>> import corearray as ca
    >>> distance = lambda w, target: (w - target) ** 2 / 2
    >>> with ca.backend_context("torch"):
    ...     found = ca.reptile_step(distance, ca.asarray(4.0), [0.0], inner_steps=2, inner_learning_rate=0.5)
    >>> found.cost.tolist(), found.gradients.tolist()
    (5.0, 6.0)

    Notes
    -----
    A. Nichol, J. Achiam and J. Schulman, On first-order meta-learning algorithms, arXiv:1803.02999, algorithm 2 with
    `(variables - adapted) / inner_learning_rate` for a gradient, as in its section 3.
    """
    _check("reptile_step", tasks, inner_steps)
    found = []
    for batch in tasks:
        adapted, costs = _adapted(cost_fn, variables, batch, inner_steps, inner_learning_rate)
        way = nested_multi_map(lambda start, end: (start - end) / inner_learning_rate, [variables, adapted])
        found.append((_mean(costs), way))
    return MetaStepResult(*_mean(found))


def _adapted(cost_fn: _Cost, variables: Any, batch: Any, steps: int, rate: Any) -> tuple[Any, list[Any]]:
    """Return the variables after steps of gradient descent, and what they cost before each."""
    costs = []
    for _ in range(steps):
        cost, slopes = value_and_grad(cost_fn)(variables, batch)
        variables = gradient_descent_update(variables, slopes, rate)
        costs.append(cost)
    return variables, costs


def _mean(trees: list[Any]) -> Any:
    return nested_multi_map(lambda *leaves: sum(leaves[1:], leaves[0]) / len(leaves), trees)


def _pairs(name: str, tasks: Sequence[Any], inner_steps: int) -> Sequence[tuple[Any, Any]]:
    _check(name, tasks, inner_steps)
    for task in tasks:
        if not isinstance(task, (tuple, list)) or len(task) != 2:
            raise CoreArrayTypeError(f"a task of '{name}' is a pair, its inner batch and its outer one, got {task!r}")
    return tasks


def _check(name: str, tasks: Sequence[Any], inner_steps: int) -> None:
    if not isinstance(tasks, (tuple, list)) or not tasks:
        raise CoreArrayValueError(f"'{name}' takes a list of tasks, at least one, got {type(tasks).__name__}")
    if inner_steps < 1:
        raise CoreArrayValueError(f"'{name}' was asked for inner_steps={inner_steps}; give at least 1")
