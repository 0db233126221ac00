"""`jax.scipy.optimize.minimize`: BFGS with a line search by the strong Wolfe conditions, as JAX has it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from corearray.errors import CoreArrayTypeError, CoreArrayValueError
from corearray.frontend.jax.members_of.derivatives import value_and_grad
from corearray.frontend.jax.members_of.lax_control_flow import while_loop
from corearray.frontend.jax.members_of.tree import tree_map
from corearray.frontend.jax.wrapper import numpy_function

__all__ = ["FUNCTIONS", "OptimizeResults", "minimize"]

#: The share of the step in a section, from its ends, that a cubic and a quadratic minimum have to keep.
_CUBIC, _QUADRATIC = 0.2, 0.1

#: Steps of the line search, and sections of its last interval.
_STEPS, _SECTIONS = 10, 30


class OptimizeResults(NamedTuple):
    """The result of `minimize`, with JAX's fields.

    Attributes
    ----------
    x, fun, jac, hess_inv
        The last place, with the value, the gradient and the estimate of the inverse Hessian there.
    success
        Whether the gradient is small.
    status
        0 for success, 1 for too many iterations, 3 and 5 for a failed line search, else -1.
    nfev, njev, nit
        The numbers of values, gradients and iterations.
    """

    x: Any
    success: Any
    status: Any
    fun: Any
    jac: Any
    hess_inv: Any
    nfev: Any
    njev: Any
    nit: Any


def _norm(x: Any, ord: Any = None) -> Any:
    linalg: Any = numpy_function("linalg")
    return linalg.norm(x, ord=ord)


class _Point(NamedTuple):
    """A length along the line, with the value, the slope and the gradient there."""

    length: Any
    value: Any
    slope: Any
    gradient: Any


def _where(condition: Any, one: Any, other: Any) -> Any:
    """Choose between trees."""
    where = numpy_function("where")
    return tree_map(lambda x, y: where(condition, x, y), one, other)


class _Line:
    """A function along a line, with the conditions of Wolfe (Nocedal & Wright, Numerical Optimization, 3.1)."""

    def __init__(self, fun: Callable[[Any], Any], x: Any, direction: Any, start: _Point) -> None:
        self.start, self._fun, self._x, self._direction = start, fun, x, direction

    def at(self, length: Any) -> _Point:
        value, gradient = value_and_grad(self._fun)(self._x + length * self._direction)
        return _Point(length, value, numpy_function("dot")(gradient, self._direction), gradient)

    def is_high(self, point: _Point) -> Any:
        """Whether the decrease of the value is below that of the first Wolfe condition."""
        return point.value > self.start.value + 1e-4 * point.length * self.start.slope

    def is_flat(self, point: _Point) -> Any:
        """Whether the slope fulfils the second Wolfe condition."""
        return numpy_function("abs")(point.slope) <= -0.9 * self.start.slope


def _cubic(low: _Point, high: _Point, third: _Point) -> Any:
    """Return the minimum of the cubic through three values, with the slope at the first."""
    one, other = high.length - low.length, third.length - low.length
    below = high.value - low.value - low.slope * one, third.value - low.value - low.slope * other
    scale = (one * other) ** 2 * (one - other)
    first = (other**2 * below[0] - one**2 * below[1]) / scale
    second = (one**3 * below[1] - other**3 * below[0]) / scale
    return low.length + (numpy_function("sqrt")(second * second - 3.0 * first * low.slope) - second) / (3.0 * first)


def _quadratic(low: _Point, high: _Point) -> Any:
    """Return the minimum of the parabola through two values, with the slope at the first."""
    one = high.length - low.length
    return low.length - low.slope / (2.0 * (high.value - low.value - low.slope * one) / one**2)


def _zoom(line: _Line, low: _Point, high: _Point, skipped: Any) -> tuple[Any, Any, Any]:
    """Find a point between two by Algorithm 3.6; return it, whether there is none, and the number of evaluations."""
    np = numpy_function
    smallest = 1e-10 if "64" in str(low.value.dtype) else 1e-5
    middle = low._replace(length=(low.length + high.length) / 2.0, value=(low.value + high.value) / 2.0)
    best = line.start._replace(length=np("ones_like")(low.length), value=low.value, slope=low.slope)

    def going(state: Any) -> Any:
        done, failed, *_ = state
        return ~done & ~failed & ~skipped

    def step(state: Any) -> Any:
        done, failed, count, low, high, third, best = state
        width = high.length - low.length
        left, right = np("minimum")(low.length, high.length), np("maximum")(low.length, high.length)
        failed = failed | (width <= smallest)
        cubic, quadratic = _cubic(low, high, third), _quadratic(low, high)
        by_cubic = (count > 0) & (cubic > left + _CUBIC * width) & (cubic < right - _CUBIC * width)
        by_quadratic = ~by_cubic & (quadratic > left + _QUADRATIC * width) & (quadratic < right - _QUADRATIC * width)
        length = _where(by_cubic, cubic, _where(by_quadratic, quadratic, (low.length + high.length) / 2.0))
        point = line.at(length)
        is_high = line.is_high(point) | (point.value >= low.value)
        is_best = line.is_flat(point) & ~is_high
        turned = (point.slope * width >= 0.0) & ~is_high & ~is_best
        is_low = ~is_high & ~is_best
        third = _where(is_high | turned, high, _where(is_low, low, third))
        high = _where(is_high, point, _where(turned, low, high))
        low, best, count = _where(is_low, point, low), _where(is_best, point, best), count + 1
        return done | is_best, failed | (count >= _SECTIONS), count, low, high, third, best

    no = np("asarray")(False)
    _, failed, count, *_, best = while_loop(going, step, (no, no, np("asarray")(0), low, high, middle, best))
    return best, failed, count


def _search(line: _Line, first: Any, steps: int) -> tuple[Any, Any, Any, Any]:
    """Find a step by Algorithm 3.5; return its point, whether there is none, the number of evaluations, and a status."""
    np = numpy_function
    no = np("asarray")(False)

    def going(state: Any) -> Any:
        done, failed, number, *_ = state
        return ~done & ~failed & (number <= steps)

    def step(state: Any) -> Any:
        done, failed, number, count, before, best = state
        point = line.at(_where(number == 1, first, before.length * 2.0))
        is_behind = line.is_high(point) | ((point.value >= before.value) & (number > 1))
        is_best = line.is_flat(point) & ~is_behind
        is_past = (point.slope >= 0.0) & ~is_behind & ~is_best
        one, one_failed, one_count = _zoom(line, before, point, ~is_behind)
        other, other_failed, other_count = _zoom(line, point, before, ~is_past)
        best = _where(is_behind, one, _where(is_best, point, _where(is_past, other, best)))
        failed = failed | (is_behind & one_failed) | (is_past & other_failed)
        count = count + 1 + one_count + other_count
        return done | is_behind | is_best | is_past, failed, number + 1, count, point, best

    state = (no, no, np("asarray")(1), np("asarray")(0), line.start, line.start)
    done, failed, number, count, _, best = while_loop(going, step, state)
    status = _where(failed, np("asarray")(1), _where(number > steps, np("asarray")(3), np("asarray")(0)))
    length = best.length
    if "64" not in str(length.dtype):  # where a step of 0 would end the search too early
        length = _where(np("abs")(length) < 1e-8, np("sign")(length) * 1e-8, length)
    return best._replace(length=length), failed | ~done, count, status


def _bfgs(
    fun: Callable[[Any], Any], x0: Any, maxiter: int | None = None, norm: Any = float("inf"), gtol: float = 1e-5,
    line_search_maxiter: int = _STEPS,
) -> OptimizeResults:  # fmt: skip
    """Minimise by BFGS (Nocedal & Wright, Algorithm 6.1)."""
    np = numpy_function
    size = x0.shape[0]
    limit = size * 200 if maxiter is None else maxiter
    one = np("eye")(size, dtype=x0.dtype)

    def is_small(gradient: Any) -> Any:
        return _norm(gradient, ord=norm) < gtol

    def going(state: Any) -> Any:
        done, failed, number, *_ = state
        return ~done & ~failed & (number < limit)

    def step(state: Any) -> Any:
        _, _, number, count, status, x, value, gradient, inverse, before = state
        direction = -(inverse @ gradient)
        start = _Point(np("zeros_like")(value), value, np("dot")(gradient, direction), gradient)
        first = 1.01 * 2 * (value - before) / start.slope
        line = _Line(fun, x, direction, start)
        found, failed, more, status = _search(
            line, _where(first > 1, np("ones_like")(first), first), line_search_maxiter
        )
        moved, bent = found.length * direction, found.gradient - gradient
        rate = 1.0 / np("dot")(bent, moved)
        left = one - rate * moved[:, None] * bent[None]
        updated = left @ inverse @ left.T + rate * moved[:, None] * moved[None]
        inverse = _where(np("isfinite")(rate), updated, inverse)
        return (
            is_small(found.gradient), failed, number + 1, count + more, status, x + moved, found.value, found.gradient,
            inverse, value,
        )  # fmt: skip

    value, gradient = value_and_grad(fun)(x0)
    zero = np("asarray")(0)
    before = value + _norm(gradient) / 2
    state = (is_small(gradient), np("asarray")(False), zero, zero + 1, zero, x0, value, gradient, one, before)
    done, failed, number, count, status, x, value, gradient, inverse, _ = while_loop(going, step, state)
    status = _where(done, zero, _where(number == limit, zero + 1, _where(failed, 2 + status, zero - 1)))
    return OptimizeResults(x, done & ~failed, status, value, gradient, inverse, count, count, number)


def minimize(
    fun: Callable[..., Any], x0: Any, args: tuple[Any, ...] = (), *, method: str, tol: float | None = None,
    options: Mapping[str, Any] | None = None,
) -> OptimizeResults:  # fmt: skip
    """Minimise a function of an array with one axis by BFGS.

    Parameters
    ----------
    fun
        From the array and `args` to a number.
    x0
        Where to begin.
    args
        More arguments of `fun`.
    method
        "BFGS".
    tol
        Has no effect, as in JAX; `options` has `gtol`.
    options
        `maxiter`, `norm` and `gtol` of the gradient, `line_search_maxiter`.

    Raises
    ------
    TypeError
        If `args` is no tuple.
    ValueError
        If `method` is another one.
    """
    if not isinstance(args, tuple):
        raise CoreArrayTypeError(f"args argument to jax.scipy.optimize.minimize must be a tuple, got {args}")
    if method.lower() != "bfgs":
        raise CoreArrayValueError(f"Method {method} not recognized; the only one here is 'BFGS'")
    return _bfgs(lambda x: fun(x, *args), numpy_function("asarray")(x0), **(options or {}))


FUNCTIONS: dict[str, Any] = {
    "scipy.optimize.minimize": minimize, "scipy.optimize.OptimizeResults": OptimizeResults,
}  # fmt: skip
