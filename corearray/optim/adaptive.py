"""Optimisers with a step size for each element: Adagrad, Adadelta, RMSprop; and for rows and columns, Adafactor."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from corearray.errors import CoreArrayValueError
from corearray.functional.creation import full_like, zeros_like
from corearray.functional.data_type import astype
from corearray.functional.elementwise import maximum, minimum
from corearray.functional.exponential import sqrt, square
from corearray.functional.linalg import matmul
from corearray.functional.statistical import mean
from corearray.optim.leaves import mapped, require_at_least_zero, stepped
from corearray.optim.masks import decayed
from corearray.optim.recipes import recipe
from corearray.optim.sgd import trace
from corearray.optim.transform import Transformation, chain, rate_of, scale_by_learning_rate, with_states
from corearray.types.dtypes import float32

__all__ = ["adadelta", "adafactor", "adagrad", "rmsprop"]

#: What `corearray list-functions` says of the functions here that are no declarations.
__kind__ = "convenience"


@recipe
def adadelta(
    learning_rate: Any = 1.0, *, rho: float = 0.9, eps: float = 1e-6, weight_decay: float = 0.0, mask: Any = None
) -> Transformation:
    """Make Adadelta: gradients in units of their root mean square, times the root mean square of the steps.

    Parameters
    ----------
    learning_rate, weight_decay, mask
        As in `adam`.
    rho
        Decay rate of the running means.
    eps
        Added to the mean squares.

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
    >>> optimizer, parameters = optim.adadelta(), [ca.asarray([1.0])]
    >>> parameters, state = optimizer.update([ca.asarray([3.0])], optimizer.init(parameters), parameters)
    >>> bool(parameters[0][0] < 1.0)
    True

    Notes
    -----
    M. D. Zeiler, arXiv:1212.5701; `torch.optim.Adadelta`.
    """
    _require_share("adadelta", "rho", rho)
    require_at_least_zero("adadelta", eps=eps)

    def step(g: Any, s: Any, steps: Any) -> tuple[Any, ...]:
        s = rho * s + (1 - rho) * (g * g)
        change = sqrt(steps + eps) / sqrt(s + eps) * g
        return change, s, rho * steps + (1 - rho) * (change * change)

    direction = with_states(("square", "steps"), lambda count: step)
    return chain(*decayed(weight_decay, mask), direction, scale_by_learning_rate(learning_rate))


@recipe
def adagrad(
    learning_rate: Any = 1e-2,
    *,
    lr_decay: float = 0.0,
    initial_accumulator_value: float = 0.0,
    eps: float = 1e-10,
    weight_decay: float = 0.0,
    mask: Any = None,
) -> Transformation:
    """Make Adagrad: gradients divided by the root of the sum of all their squares.

    Parameters
    ----------
    learning_rate, weight_decay, mask
        As in `adam`.
    lr_decay
        The rate is divided by `1 + lr_decay * steps`.
    initial_accumulator_value
        First value of the sums.
    eps
        Added to the roots.

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
    >>> optimizer, parameters = optim.adagrad(0.5), [ca.asarray([1.0])]
    >>> optimizer.update([ca.asarray([4.0])], optimizer.init(parameters), parameters)[0][0].tolist()
    [0.5]

    Notes
    -----
    J. Duchi et al., Adaptive subgradient methods, JMLR 12 (2011); `torch.optim.Adagrad`.
    """
    require_at_least_zero("adagrad", lr_decay=lr_decay, initial_accumulator_value=initial_accumulator_value, eps=eps)

    def make(count: Any) -> Callable[..., Any]:
        decay = 1.0 + lr_decay * (astype(count, float32) - 1.0) if lr_decay else 1.0

        def step(g: Any, total: Any) -> tuple[Any, Any]:
            total = total + g * g
            change = g / (sqrt(total) + eps)
            return (change / decay if lr_decay else change), total

        return step

    direction = with_states(("total",), make, start=lambda p: full_like(p, initial_accumulator_value))
    return chain(*decayed(weight_decay, mask), direction, scale_by_learning_rate(learning_rate))


@recipe
def rmsprop(
    learning_rate: Any = 1e-2,
    *,
    alpha: float = 0.99,
    eps: float = 1e-8,
    momentum: float = 0.0,
    centered: bool = False,
    weight_decay: float = 0.0,
    mask: Any = None,
) -> Transformation:
    """Make RMSprop: gradients divided by their root mean square.

    Parameters
    ----------
    learning_rate, weight_decay, mask
        As in `adam`.
    alpha
        Decay rate of the mean square.
    eps
        Added to the root.
    momentum
        Share of the last step that is kept.
    centered
        Whether the variance is taken in place of the mean square.

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
    >>> optimizer, parameters = optim.rmsprop(0.1), [ca.asarray([1.0])]
    >>> ca.round(optimizer.update([ca.asarray([4.0])], optimizer.init(parameters), parameters)[0][0]).tolist()
    [0.0]

    Notes
    -----
    G. Hinton, lecture 6e of Neural networks for machine learning, 2012; `torch.optim.RMSprop`.
    """
    _require_share("rmsprop", "alpha", alpha)
    require_at_least_zero("rmsprop", eps=eps, momentum=momentum)

    def step(g: Any, s: Any, *middle: Any) -> tuple[Any, ...]:
        s = alpha * s + (1 - alpha) * (g * g)
        if not centered:
            return g / (sqrt(s) + eps), s
        m = middle[0] + (1 - alpha) * (g - middle[0])
        return g / (sqrt(s - m * m) + eps), s, m

    direction = with_states(("square", "mean") if centered else ("square",), lambda count: step)
    parts = [direction, trace(momentum)] if momentum else [direction]
    return chain(*decayed(weight_decay, mask), *parts, scale_by_learning_rate(learning_rate))


@recipe
def adafactor(
    learning_rate: Any = 1e-2,
    *,
    beta2_decay: float = -0.8,
    eps: tuple[float | None, float] = (None, 1e-3),
    d: float = 1.0,
    weight_decay: float = 0.0,
) -> Transformation:
    """Make Adafactor: mean squares of matrices are kept as one column and one row, and steps are relative to the parameters.

    Parameters
    ----------
    learning_rate
        Largest relative step, a number or a schedule; in step `t` it is at most `1 / sqrt(t)`.
    beta2_decay
        Exponent of the share of the new gradient in the mean squares.
    eps
        Least root mean square of gradients, by default the `eps` of the dtype, and of parameters.
    d
        Limit of the root mean square of a step before the learning rate.
    weight_decay
        As in `adamw`.

    Returns
    -------
    `Transformation`, a whole optimiser with its learning rate.

    Raises
    ------
    ValueError
        If a number is out of range.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import optim
    >>> optimizer, parameters = optim.adafactor(0.5), {"w": ca.ones((2, 3))}
    >>> state = optimizer.init(parameters)
    >>> state["rows"]["w"].shape, state["columns"]["w"].shape
    (Shape((2, 1)), Shape((1, 3)))

    Notes
    -----
    N. Shazeer and M. Stern, arXiv:1804.04235; `torch.optim.Adafactor`.
    """
    if d < 1.0 or beta2_decay > 0.0 or weight_decay < 0.0:
        raise CoreArrayValueError(
            f"'adafactor' got d={d}, beta2_decay={beta2_decay}, weight_decay={weight_decay}; d is at least 1, beta2_decay at "
            "most 0, weight_decay at least 0"
        )
    start, advance = rate_of(learning_rate)

    def init(parameters: Any) -> Any:
        return {
            **start(parameters),
            "rows": mapped(lambda p: zeros_like(p[..., :1]) if p.ndim > 1 else zeros_like(p), parameters),
            "columns": mapped(lambda p: zeros_like(p[..., :1, :]) if p.ndim > 1 else None, parameters),
        }

    def transform(updates: Any, state: Any, parameters: Any) -> tuple[Any, Any]:
        rate, after = advance({name: state[name] for name in ("count", "learning_rate")})
        count = astype(after["count"], float32)
        share, most = count**beta2_decay, minimum(rate, 1.0 / sqrt(count))

        def step(g: Any, rows: Any, columns: Any, p: Any) -> tuple[Any, ...]:
            least = float(p.backend.finfo(p.dtype).eps) if eps[0] is None else eps[0]
            squares = square(g)
            if columns is None:
                rows = rows + share * (squares - rows)
                estimate = rows
            else:
                rows = rows + share * (mean(squares, axis=-1, keepdims=True) - rows)
                columns = columns + share * (mean(squares, axis=-2, keepdims=True) - columns)
                estimate = matmul(rows, columns) / maximum(mean(rows, axis=-2, keepdims=True), least)
            change = g / sqrt(maximum(estimate, least * least))
            size = maximum(sqrt(mean(square(change))) / d, 1.0)
            change = -most * maximum(sqrt(mean(square(p))), eps[1]) / size * change
            kept = [None if x is None else astype(x, g.dtype, copy=False) for x in (rows, columns)]
            return (change - rate * weight_decay * p if weight_decay else change), *kept

        updates, rows, columns = stepped(step, updates, state["rows"], state["columns"], parameters=parameters)
        return updates, {**after, "rows": rows, "columns": columns}

    return Transformation(init, transform)


def _require_share(name: str, option: str, value: float) -> None:
    if not 0 <= value <= 1:
        raise CoreArrayValueError(f"'{name}' got {option}={value}; it lies between 0 and 1")
