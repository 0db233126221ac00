"""Variants of Adam: NAdam, RAdam, Adamax, and the sign of the momentum, Lion."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from corearray.functional.creation import zeros_like
from corearray.functional.data_type import astype
from corearray.functional.elementwise import abs, clip, maximum, sign
from corearray.functional.exponential import exp, expm1, sqrt
from corearray.functional.searching import where
from corearray.optim.adam import checked_betas, correction, moments
from corearray.optim.leaves import mapped, require_at_least_zero, scalar_like, stepped
from corearray.optim.masks import after_decay, decayed
from corearray.optim.recipes import recipe
from corearray.optim.transform import Transformation, chain, scale_by_learning_rate, with_states
from corearray.types.dtypes import float32, int32

__all__ = ["adamax", "lion", "nadam", "radam"]

#: What `corearray list-functions` says of the functions here that are no declarations.
__kind__ = "convenience"


@recipe
def adamax(
    learning_rate: Any = 2e-3,
    *,
    betas: tuple[float, float] = (0.9, 0.999),
    eps: float = 1e-8,
    weight_decay: float = 0.0,
    mask: Any = None,
) -> Transformation:
    """Make Adamax: Adam with the largest gradient of the past, which decays, in place of the root mean square.

    Parameters
    ----------
    learning_rate, betas, eps, weight_decay, mask
        As in `adam`.

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
    >>> optimizer, parameters = optim.adamax(0.5), [ca.asarray([1.0])]
    >>> ca.round(100 * optimizer.update([ca.asarray([3.0])], optimizer.init(parameters), parameters)[0][0]).tolist()
    [50.0]

    Notes
    -----
    D. P. Kingma and J. Ba, arXiv:1412.6980, section 7; `torch.optim.Adamax`.
    """
    beta1, beta2 = checked_betas("adamax", betas)

    def make(count: Any) -> Callable[..., Any]:
        first = correction(beta1, count)

        def step(g: Any, m: Any, largest: Any) -> tuple[Any, ...]:
            m = m + (1 - beta1) * (g - m)
            largest = maximum(beta2 * largest, abs(g) + eps)
            return (m / first) / largest, m, largest

        return step

    direction = with_states(("mean", "largest"), make)
    return chain(*decayed(weight_decay, mask), direction, scale_by_learning_rate(learning_rate))


@recipe
def lion(
    learning_rate: Any = 1e-4,
    *,
    betas: tuple[float, float] = (0.9, 0.99),
    weight_decay: float = 0.0,
    mask: Any = None,
) -> Transformation:
    """Make Lion: the sign of a mean of gradient and momentum, with decoupled weight decay.

    Parameters
    ----------
    learning_rate, mask
        As in `adamw`.
    betas
        Share of the momentum in the step, and in the next momentum.
    weight_decay
        As in `adamw`.

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
    >>> optimizer, parameters = optim.lion(0.5), [ca.asarray([1.0])]
    >>> optimizer.update([ca.asarray([-3.0])], optimizer.init(parameters), parameters)[0][0].tolist()
    [1.5]

    Notes
    -----
    X. Chen et al., Symbolic discovery of optimization algorithms, arXiv:2302.06675.
    """
    beta1, beta2 = checked_betas("lion", betas)

    def step(g: Any, m: Any) -> tuple[Any, Any]:
        return sign(beta1 * m + (1 - beta1) * g), beta2 * m + (1 - beta2) * g

    direction = with_states(("mean",), lambda count: step)
    return chain(direction, *decayed(weight_decay, mask), scale_by_learning_rate(learning_rate))


@recipe
def nadam(
    learning_rate: Any = 2e-3,
    *,
    betas: tuple[float, float] = (0.9, 0.999),
    eps: float = 1e-8,
    weight_decay: float = 0.0,
    momentum_decay: float = 4e-3,
    mask: Any = None,
    decoupled_weight_decay: bool = False,
) -> Transformation:
    """Make NAdam: Adam with Nesterov's look-ahead.

    Parameters
    ----------
    learning_rate, betas, eps, weight_decay, mask, decoupled_weight_decay
        As in `adam`.
    momentum_decay
        Rate at which the momentum approaches `betas[0]`.

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
    >>> optimizer, parameters = optim.nadam(0.5), [ca.asarray([1.0])]
    >>> parameters, state = optimizer.update([ca.asarray([3.0])], optimizer.init(parameters), parameters)
    >>> bool(parameters[0][0] < 0.6)
    True

    Notes
    -----
    T. Dozat, Incorporating Nesterov momentum into Adam, 2016; `torch.optim.NAdam`.
    """
    beta1, beta2 = checked_betas("nadam", betas)
    require_at_least_zero("nadam", eps=eps, momentum_decay=momentum_decay)

    def momentum(count: Any) -> Any:
        return beta1 * (1.0 - 0.5 * exp(count * (momentum_decay * math.log(0.96))))

    def init(parameters: Any) -> Any:
        return {
            "count": scalar_like(parameters, 0, int32),
            "product": scalar_like(parameters, 1.0, float32),
            "mean": mapped(zeros_like, parameters),
            "square": mapped(zeros_like, parameters),
        }

    def transform(updates: Any, state: Any, parameters: Any) -> tuple[Any, Any]:
        count = state["count"] + 1
        number = astype(count, float32)
        now, following = momentum(number), momentum(number + 1.0)
        product = state["product"] * now
        of_gradient, of_mean = (1.0 - now) / (1.0 - product), following / (1.0 - product * following)
        second = sqrt(correction(beta2, count))

        def step(g: Any, m: Any, s: Any) -> tuple[Any, ...]:
            m, s = moments(g, m, s, beta1, beta2)
            return (of_gradient * g + of_mean * m) / (sqrt(s) / second + eps), m, s

        updates, mean, square = stepped(step, updates, state["mean"], state["square"])
        return updates, {"count": count, "product": product, "mean": mean, "square": square}

    direction = Transformation(init, transform)
    return chain(
        *after_decay(direction, weight_decay, mask, decoupled_weight_decay), scale_by_learning_rate(learning_rate)
    )


@recipe
def radam(
    learning_rate: Any = 1e-3,
    *,
    betas: tuple[float, float] = (0.9, 0.999),
    eps: float = 1e-8,
    weight_decay: float = 0.0,
    mask: Any = None,
    decoupled_weight_decay: bool = False,
) -> Transformation:
    """Make RAdam: Adam that begins as momentum, until the mean square is known well enough.

    Parameters
    ----------
    learning_rate, betas, eps, weight_decay, mask, decoupled_weight_decay
        As in `adam`.

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
    >>> optimizer, parameters = optim.radam(0.5), [ca.asarray([1.0])]
    >>> ca.round(100 * optimizer.update([ca.asarray([3.0])], optimizer.init(parameters), parameters)[0][0]).tolist()
    [-50.0]

    Notes
    -----
    L. Liu et al., On the variance of the adaptive learning rate and beyond, arXiv:1908.03265; `torch.optim.RAdam`.
    """
    beta1, beta2 = checked_betas("radam", betas)
    require_at_least_zero("radam", eps=eps)
    limit = 2.0 / (1.0 - beta2) - 1.0

    def make(count: Any) -> Callable[..., Any]:
        first, second = correction(beta1, count), sqrt(correction(beta2, count))
        length = _length(beta2, limit, count)
        safe = where(length > 5.0, length, 6.0)
        factor = sqrt((safe - 4.0) * (safe - 2.0) * limit / ((limit - 4.0) * (limit - 2.0) * safe))

        def step(g: Any, m: Any, s: Any) -> tuple[Any, ...]:
            m, s = moments(g, m, s, beta1, beta2)
            return (m / first) * where(length > 5.0, factor * second / (sqrt(s) + eps), 1.0), m, s

        return step

    direction = with_states(("mean", "square"), make)
    return chain(
        *after_decay(direction, weight_decay, mask, decoupled_weight_decay), scale_by_learning_rate(learning_rate)
    )


def _length(beta: float, limit: float, count: Any) -> Any:
    """Return `limit - 2 * t * beta**t / (1 - beta**t)`, of which the first steps cancel in float32.

    With `x = -t * log(beta)` it is `limit - 2 * t / (exp(x) - 1)`, where a series in `x` has no cancellation.
    """
    if beta <= 0.0:
        return astype(count, float32) * 0.0 + limit
    rate = -math.log(beta)
    t = astype(count, float32)
    x = t * rate
    small = clip(x, 0.0, 1.0)
    y = small * small
    rest = y * (1 / 12 - y * (1 / 720 - y * (1 / 30240 - y * (1 / 1209600 - y / 47900160))))
    series = (limit - 2.0 / rate) + t - (2.0 / rate) * rest
    return where(x < 1.0, series, limit - 2.0 * t / expm1(maximum(x, 0.5)))
