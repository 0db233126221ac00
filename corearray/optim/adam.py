"""Adam and its relatives: steps in units of the root of the mean square of the gradients."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from corearray.errors import CoreArrayValueError
from corearray.functional.data_type import astype
from corearray.functional.elementwise import maximum
from corearray.functional.exponential import expm1, sqrt
from corearray.functional.numeric import lerp
from corearray.optim.leaves import require_at_least_zero
from corearray.optim.masks import after_decay, decaying
from corearray.optim.recipes import recipe
from corearray.optim.transform import Transformation, chain, rate_of, scale_by_learning_rate, with_states
from corearray.settings.context import current_settings
from corearray.transforms.tree import Tree, flatten_tree, unflatten_tree
from corearray.types.dtypes import float32

__all__ = ["adam", "adamw", "checked_betas", "correction", "moments", "scale_by_adam"]

#: What `corearray list-functions` says of the functions here that are no declarations.
__kind__ = "convenience"


@recipe
def adam(
    learning_rate: Any = 1e-3,
    *,
    betas: tuple[float, float] = (0.9, 0.999),
    eps: float = 1e-8,
    weight_decay: float = 0.0,
    amsgrad: bool = False,
    mask: Any = None,
    decoupled_weight_decay: bool = False,
) -> Transformation:
    """Make Adam.

    Parameters
    ----------
    learning_rate
        A number, or a schedule: a function of the number of steps taken.
    betas
        Decay rates of the running means of the gradients and of their squares.
    eps
        Added to the root of the mean square.
    weight_decay
        Factor of the parameters that is added to the gradients.
    amsgrad
        Whether the largest mean square so far is used.
    mask
        Parameters that decay; see `add_decayed_weights`.
    decoupled_weight_decay
        Whether the parameters shrink by `weight_decay` times the learning rate in each step, as in `adamw`; the gradients
        and their means are then those of the loss alone.

    Returns
    -------
    `Transformation`.

    Raises
    ------
    ValueError
        If a number is out of range.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import optim
    >>> optimizer, parameters = optim.adam(0.5), {"w": ca.asarray([1.0])}
    >>> parameters, state = optimizer.update({"w": ca.asarray([3.0])}, optimizer.init(parameters), parameters)
    >>> ca.round(parameters["w"] * 100).tolist()
    [50.0]

    Notes
    -----
    D. P. Kingma and J. Ba, arXiv:1412.6980; `torch.optim.Adam`.
    """
    parts = scale_by_adam(betas=betas, eps=eps, amsgrad=amsgrad)
    parts = chain(
        *after_decay(parts, weight_decay, mask, decoupled_weight_decay), scale_by_learning_rate(learning_rate)
    )
    return _at_once(parts, learning_rate, betas, eps, weight_decay, mask, decoupled=decoupled_weight_decay)


@recipe
def adamw(
    learning_rate: Any = 1e-3,
    *,
    betas: tuple[float, float] = (0.9, 0.999),
    eps: float = 1e-8,
    weight_decay: float = 1e-2,
    amsgrad: bool = False,
    mask: Any = None,
) -> Transformation:
    """Make AdamW: Adam with weight decay that does not enter the running means.

    Parameters
    ----------
    learning_rate, betas, eps, amsgrad, mask
        As in `adam`.
    weight_decay
        The parameters shrink by this share times the learning rate in each step.

    Returns
    -------
    `Transformation`.

    Raises
    ------
    ValueError
        If a number is out of range.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import optim
    >>> optimizer, parameters = optim.adamw(0.5, weight_decay=0.5), {"w": ca.asarray([1.0])}
    >>> parameters, state = optimizer.update({"w": ca.asarray([3.0])}, optimizer.init(parameters), parameters)
    >>> ca.round(parameters["w"] * 100).tolist()
    [25.0]

    Notes
    -----
    I. Loshchilov and F. Hutter, arXiv:1711.05101; `torch.optim.AdamW`.
    """
    parts = scale_by_adam(betas=betas, eps=eps, amsgrad=amsgrad)
    parts = chain(*after_decay(parts, weight_decay, mask, decoupled=True), scale_by_learning_rate(learning_rate))
    return _at_once(parts, learning_rate, betas, eps, weight_decay, mask, decoupled=True)


def _at_once(
    parts: Transformation,
    learning_rate: Any,
    betas: tuple[float, float],
    eps: float,
    weight_decay: float,
    mask: Any,
    *,
    decoupled: bool,
) -> Transformation:
    """Return an optimiser like `parts` that takes a whole step by one call, where the backend has it."""
    advance = rate_of(learning_rate)[1]
    place = 1 if weight_decay and not decoupled else 0

    def update(updates: Any, state: Any, parameters: Any, value: Any) -> tuple[Any, Any]:
        settings = current_settings()
        backend = settings.implicit if settings.backend is None else settings.backend
        if backend is None or settings.slow or "adam_updated" not in backend.facts:
            return parts.updated(updates, state, parameters, value)
        own = state[place]
        names = [name for name in ("mean", "square", "largest") if name in own]
        apart, *columns = flatten_tree(backend, parameters, updates, *[own[name] for name in names])
        if not columns[0]:
            return parts.updated(updates, state, parameters, value)
        count = own["count"] + 1
        rate, of_rate = advance(state[-1])
        chosen = decaying(mask, Tree(parameters)) if weight_decay else [False] * len(columns[0])
        numbers = (count._native, rate._native, *betas, eps)
        made = [[None] * len(chosen) for _ in (0, *names)]
        for decays in sorted(set(chosen)):
            places = [i for i, each in enumerate(chosen) if each is decays]
            some = [[column[i] for i in places] for column in columns]
            found = backend.facts["adam_updated"](some, numbers, weight_decay if decays else 0.0, decoupled)
            if found is None:
                return parts.updated(updates, state, parameters, value)
            for all_, new in zip(made, found, strict=True):
                for i, x in zip(places, new, strict=True):
                    all_[i] = x
        new, *states = [unflatten_tree(backend, apart, column) for column in made]
        after = [*state[:-1], of_rate]
        after[place] = {"count": count, **dict(zip(names, states, strict=True))}
        return new, tuple(after)

    def transform(updates: Any, state: Any, parameters: Any, value: Any) -> tuple[Any, Any]:
        return parts.transform(updates, state, parameters, value=value)

    return Transformation(parts.init, transform, needs_value=True, update=update)


@recipe
def scale_by_adam(
    *, betas: tuple[float, float] = (0.9, 0.999), eps: float = 1e-8, amsgrad: bool = False
) -> Transformation:
    """Make the transformation of `adam` without its learning rate.

    Parameters
    ----------
    betas, eps, amsgrad
        As in `adam`.

    Returns
    -------
    `Transformation` with the state `{"count", "mean", "square"}`, and `"largest"` with `amsgrad`.

    Raises
    ------
    ValueError
        If a number is out of range.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import optim
    >>> direction, parameters = optim.scale_by_adam(), [ca.zeros(2)]
    >>> ca.round(direction.transform([ca.asarray([2.0, -3.0])], direction.init(parameters), parameters)[0][0]).tolist()
    [1.0, -1.0]
    """
    beta1, beta2 = checked_betas("adam", betas)
    require_at_least_zero("adam", eps=eps)

    def make(count: Any) -> Callable[..., Any]:
        first, second = correction(beta1, count), sqrt(correction(beta2, count))
        ratio, least = second / first, eps * second

        def step(g: Any, m: Any, s: Any, *largest: Any) -> tuple[Any, ...]:
            m, s = moments(g, m, s, beta1, beta2)
            if amsgrad:
                largest = (maximum(largest[0], s),)
            root = sqrt(largest[0] if amsgrad else s)
            return m / (root + least) * ratio, m, s, *largest

        return step

    return with_states(("mean", "square", "largest") if amsgrad else ("mean", "square"), make)


def moments(g: Any, mean: Any, square: Any, beta1: float, beta2: float) -> tuple[Any, Any]:
    """Return the running means of gradients and of their squares after one more gradient."""
    return lerp(mean, g, 1 - beta1), beta2 * square + (1 - beta2) * (g * g)  # `lerp` makes NaN of an infinite square


def checked_betas(name: str, betas: tuple[float, float]) -> tuple[float, float]:
    """Return decay rates that lie in the interval from 0 to 1, 1 excluded."""
    beta1, beta2 = betas
    if not (0 <= beta1 < 1 and 0 <= beta2 < 1):
        raise CoreArrayValueError(f"'{name}' got betas={betas!r}; each is at least 0 and below 1")
    return beta1, beta2


def correction(beta: float, count: Any) -> Any:
    """Return `1 - beta**count` in float32 without cancellation, which would cost 4 digits in the first step."""
    count = astype(count, float32)
    return -expm1(count * math.log(beta)) if beta > 0 else count / count
