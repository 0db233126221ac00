"""`Transformation`: an optimiser, or a part of one, as two pure functions, and `chain`, which composes them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from corearray.errors import CoreArrayTypeError, CoreArrayValueError
from corearray.functional.creation import zeros_like
from corearray.functional.data_type import astype
from corearray.optim.leaves import mapped, require_floating, require_shapes, scalar_like, stepped
from corearray.optim.recipes import Recorded, recipe
from corearray.types.dtypes import float32, int32

__all__ = [
    "Transformation",
    "apply_updates",
    "chain",
    "get_learning_rate",
    "identity",
    "rate_of",
    "scale",
    "scale_by_learning_rate",
    "set_learning_rate",
    "stateless",
    "with_states",
]

#: What `corearray list-functions` says of the functions here that are no declarations.
__kind__ = "convenience"


class Transformation(Recorded):
    """An optimiser, or a part of one: pure functions that make a state and turn gradients into updates.

    Trees of parameters are lists, tuples, dictionaries and Containers of floating arrays; gradients and updates are trees like
    them, in which `None` means "leave this parameter". States are trees of arrays, so that an optimiser works in `compile`,
    `grad` and `vmap`, and can be saved.

    Two methods take a step. `transform` turns updates into other updates and is what `chain` composes. `update` also adds the
    result to the parameters; call it once, on the whole optimiser.

    Parameters
    ----------
    init
        `init(parameters) -> state`.
    transform
        `transform(updates, state, parameters) -> (updates, state)`. The first of a chain gets the gradients. Updates are
        *added* to the parameters, so that a learning rate is multiplied by -1 (`scale_by_learning_rate` does).
    needs_value
        Whether `transform` takes the loss as a fourth argument.
    update
        `update(updates, state, parameters, value) -> (parameters, state)`: a whole step. By default `transform` makes it.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import optim
    >>> optimizer = optim.chain(optim.clip_by_global_norm(1.0), optim.sgd(0.5))
    >>> parameters = {"w": ca.asarray([3.0, 4.0])}
    >>> state = optimizer.init(parameters)
    >>> parameters, state = optimizer.update({"w": ca.asarray([0.0, 0.5])}, state, parameters)
    >>> parameters["w"].tolist()
    [3.0, 3.75]

    A transformation of one's own, the sign of each gradient:

    >>> signs = optim.stateless(lambda update, parameter: ca.sign(update))
    >>> optimizer = optim.chain(signs, optim.sgd(0.5))
    >>> optimizer.update([ca.asarray([-7.0])], optimizer.init([ca.asarray([1.0])]), [ca.asarray([1.0])])[0][0].tolist()
    [1.5]
    """

    __slots__ = ("_init", "_transform", "_update", "needs_value")

    def __init__(
        self,
        init: Callable[[Any], Any],
        transform: Callable[..., tuple[Any, Any]],
        *,
        needs_value: bool = False,
        update: Callable[[Any, Any, Any, Any], tuple[Any, Any]] | None = None,
    ) -> None:
        if not callable(init) or not callable(transform):
            raise CoreArrayTypeError(f"'Transformation' takes two functions, got {init!r} and {transform!r}")
        self._init = init
        self.needs_value = needs_value
        self._transform = transform
        self._update = update
        self._call = None

    def init(self, parameters: Any) -> Any:
        """Return the first state.

        Raises
        ------
        TypeError
            If a parameter is no floating array.
        """
        require_floating(parameters)
        return self._init(parameters)

    def transform(self, updates: Any, state: Any, parameters: Any, *, value: Any = None) -> tuple[Any, Any]:
        """Turn updates into other updates.

        Parameters
        ----------
        updates
            Gradients, or the updates of the transformation before this one.
        state
            What `init` or the last step returned.
        parameters
            The parameters before the step.
        value
            The loss; only `plateau` reads it.

        Returns
        -------
        `(updates, state)`.
        """
        if self.needs_value:
            return self._transform(updates, state, parameters, value)
        return self._transform(updates, state, parameters)

    def update(self, gradients: Any, state: Any, parameters: Any, *, value: Any = None) -> tuple[Any, Any]:
        """Take one step.

        Parameters
        ----------
        gradients
            Tree of arrays like `parameters`; `None` in place of an array leaves that parameter alone.
        state
            What `init` or the last step returned.
        parameters
            The parameters before the step.
        value
            The loss; only `plateau` reads it.

        Returns
        -------
        `(parameters, state)`, the parameters in their dtypes.

        Raises
        ------
        ValueError
            If the trees differ in structure, or a gradient has another shape than its parameter.
        """
        require_shapes(gradients, parameters)
        return self.updated(gradients, state, parameters, value)

    def updated(self, updates: Any, state: Any, parameters: Any, value: Any) -> tuple[Any, Any]:
        """Return new parameters and the new state for updates whose shapes were checked."""
        if self._update is not None:
            return self._update(updates, state, parameters, value)
        updates, state = self.transform(updates, state, parameters, value=value)
        return apply_updates(parameters, updates), state

    def __iter__(self) -> Iterator[Callable[..., Any]]:
        """Unpack as `init, update = optimizer`."""
        return iter((self.init, self.update))


@recipe
def chain(*transformations: Transformation) -> Transformation:
    """Compose transformations: the updates of each are the input of the next.

    Parameters
    ----------
    transformations
        In the order in which they see the gradients; chains among them.

    Returns
    -------
    `Transformation` whose state is the tuple of their states.

    Raises
    ------
    TypeError
        If one of them is no `Transformation`.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import optim
    >>> optimizer = optim.chain(optim.clip_by_value(1.0), optim.sgd(0.1))
    >>> parameters = [ca.asarray([1.0])]
    >>> ca.round(10 * optimizer.update([ca.asarray([5.0])], optimizer.init(parameters), parameters)[0][0]).tolist()
    [9.0]
    """
    for each in transformations:
        if not isinstance(each, Transformation):
            raise CoreArrayTypeError(f"'chain' composes Transformations, such as 'adamw(1e-3)', got {each!r}")

    def init(parameters: Any) -> Any:
        return tuple(each.init(parameters) for each in transformations)

    def through(count: int, updates: Any, state: Any, parameters: Any, value: Any) -> tuple[Any, tuple[Any, ...]]:
        after = []
        for each, own in zip(transformations[:count], state[:count], strict=True):
            updates, own = each.transform(updates, own, parameters, value=value)
            after.append(own)
        return updates, tuple(after)

    def transform(updates: Any, state: Any, parameters: Any, value: Any) -> tuple[Any, Any]:
        return through(len(transformations), updates, state, parameters, value)

    def update(updates: Any, state: Any, parameters: Any, value: Any) -> tuple[Any, Any]:
        updates, after = through(len(transformations) - 1, updates, state, parameters, value)
        parameters, own = transformations[-1].updated(updates, state[-1], parameters, value)
        return parameters, (*after, own)

    return Transformation(init, transform, needs_value=True, update=update if transformations else None)


def apply_updates(parameters: Any, updates: Any) -> Any:
    """Add updates to parameters.

    Parameters
    ----------
    parameters
        Tree of floating arrays.
    updates
        A tree like it; `None` leaves a parameter as it is.

    Returns
    -------
    A tree like `parameters`, of its dtypes.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import optim
    >>> optim.apply_updates([ca.asarray([1.0]), ca.asarray([2.0])], [ca.asarray([0.5]), None])[0].tolist()
    [1.5]
    """
    return mapped(lambda p, u: p if u is None else astype(p + u, p.dtype, copy=False), parameters, updates)


@recipe
def stateless(function: Callable[..., Any]) -> Transformation:
    """Make a transformation without a state of a function of one update and its parameter.

    Parameters
    ----------
    function
        `function(update, parameter) -> update`, for one array.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import optim
    >>> decay = optim.stateless(lambda update, parameter: update + 0.1 * parameter)
    >>> decay.transform([ca.asarray([1.0])], decay.init(None), [ca.asarray([10.0])])[0][0].tolist()
    [2.0]
    """
    return Transformation(lambda parameters: (), lambda u, state, p: (mapped(function, u, p), state))


@recipe
def identity() -> Transformation:
    """Make a transformation that changes nothing.

    Examples
    --------
    >>> from corearray import optim
    >>> optim.identity().transform([1.0], (), [2.0])
    ([1.0], ())
    """
    return Transformation(lambda parameters: (), lambda updates, state, parameters: (updates, state))


@recipe
def scale(factor: float) -> Transformation:
    """Make a transformation that multiplies updates by a number.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import optim
    >>> optim.scale(0.5).transform([ca.asarray([2.0])], (), [ca.asarray([1.0])])[0][0].tolist()
    [1.0]
    """
    return stateless(lambda update, parameter: factor * update)


@recipe
def scale_by_learning_rate(learning_rate: Any) -> Transformation:
    """Make a transformation that multiplies updates by minus the learning rate, the last of an optimiser.

    Parameters
    ----------
    learning_rate
        A number, or a schedule: a function of the number of steps taken so far, an array without axes.

    Returns
    -------
    `Transformation` with the state `{"count": ..., "learning_rate": ...}`: the steps taken, and the rate of the last step. Both
    are arrays, so that a compiled step is not traced again when they change. Without a schedule the rate is that of the
    state, which `set_learning_rate` replaces.

    Raises
    ------
    ValueError
        If the learning rate is a negative number.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import optim
    >>> half = optim.scale_by_learning_rate(0.5)
    >>> parameters = [ca.asarray([1.0])]
    >>> half.transform([ca.asarray([3.0])], half.init(parameters), parameters)[0][0].tolist()
    [-1.5]
    """
    start, advance = rate_of(learning_rate)

    def transform(updates: Any, state: Any, parameters: Any) -> tuple[Any, Any]:
        rate, state = advance(state)
        factor = -rate
        return mapped(lambda u: factor * u, updates), state

    return Transformation(start, transform)


def rate_of(learning_rate: Any) -> tuple[Callable[[Any], Any], Callable[[Any], tuple[Any, Any]]]:
    """Return functions that make the state of a learning rate for parameters, and that read and advance it."""
    scheduled = callable(learning_rate)
    if learning_rate is None or isinstance(learning_rate, (str, bytes)):
        raise CoreArrayTypeError(
            f"the learning rate is a number or a schedule, a function of the step; got {learning_rate!r}"
        )
    if not scheduled and isinstance(learning_rate, (int, float)) and not learning_rate >= 0:
        raise CoreArrayValueError(f"the learning rate is at least 0, or a schedule; got {learning_rate}")

    def start(parameters: Any) -> Any:
        count = scalar_like(parameters, 0, int32)
        rate = learning_rate(count) if scheduled else learning_rate
        return {"count": count, "learning_rate": scalar_like(parameters, rate, float32)}

    def advance(state: Any) -> tuple[Any, Any]:
        count, rate = state["count"], state["learning_rate"]
        if scheduled:
            rate = astype(learning_rate(count), float32, copy=False)
        return rate, {"count": count + 1, "learning_rate": rate}

    return start, advance


def with_states(
    names: tuple[str, ...],
    make: Callable[[Any], Callable[..., Any]],
    *,
    start: Callable[[Any], Any] = zeros_like,
    parameters: bool = False,
) -> Transformation:
    """Make a transformation that keeps arrays for each parameter, and counts steps.

    Parameters
    ----------
    names
        Names of the arrays in the state.
    make
        `make(count) -> step`, with the number of the step from 1 up, and `step(update, *arrays) -> (update, *arrays)` for one
        parameter.
    start
        Makes the first arrays of a parameter.
    parameters
        Whether `step` takes the parameter as its last argument.

    Returns
    -------
    `Transformation` with the state `{"count": ..., name: tree, ...}`.
    """

    def init(tree: Any) -> Any:
        return {"count": scalar_like(tree, 0, int32), **{name: mapped(start, tree) for name in names}}

    def transform(updates: Any, state: Any, tree: Any) -> tuple[Any, Any]:
        count = state["count"] + 1
        states = [state[name] for name in names]
        updates, *states = stepped(make(count), updates, *states, parameters=tree if parameters else None)
        return updates, {"count": count, **dict(zip(names, states, strict=True))}

    return Transformation(init, transform)


def get_learning_rate(state: Any) -> Any:
    """Return the learning rate of the last step.

    Parameters
    ----------
    state
        State of an optimiser.

    Returns
    -------
    Array without axes; the first one if an optimiser has several.

    Raises
    ------
    ValueError
        If the state holds no learning rate.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import optim
    >>> float(optim.get_learning_rate(optim.adam(0.5).init([ca.zeros(1)])))
    0.5
    """
    if isinstance(state, Mapping) and "learning_rate" in state:
        return state["learning_rate"]
    children = state.values() if isinstance(state, Mapping) else state if isinstance(state, (tuple, list)) else ()
    for child in children:
        try:
            return get_learning_rate(child)
        except CoreArrayValueError:
            continue
    raise CoreArrayValueError("the state of this optimiser holds no learning rate")


def set_learning_rate(state: Any, learning_rate: float) -> Any:
    """Return a state with another learning rate, for optimisers whose rate is a number.

    Parameters
    ----------
    state
        State of an optimiser.
    learning_rate
        The new rate. A compiled step takes it without being traced again.

    Returns
    -------
    A state of the same structure. A schedule replaces the rate in the next step.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import optim
    >>> state = optim.set_learning_rate(optim.adam(0.5).init([ca.zeros(1)]), 0.25)
    >>> float(optim.get_learning_rate(state))
    0.25
    """
    if isinstance(state, Mapping):
        if "learning_rate" in state:
            return {**state, "learning_rate": scalar_like(state["learning_rate"], learning_rate, float32)}
        return {name: set_learning_rate(child, learning_rate) for name, child in state.items()}
    if isinstance(state, (tuple, list)):
        return type(state)([set_learning_rate(child, learning_rate) for child in state])
    return state
