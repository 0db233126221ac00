"""L-BFGS, a quasi-Newton method of limited memory, with a line search for the strong Wolfe conditions.

Source: Nocedal, Wright, "Numerical Optimization", 2nd edition, algorithms 7.4, 3.5 and 3.6.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any

from corearray.errors import CoreArrayRuntimeError, CoreArrayTypeError, CoreArrayValueError
from corearray.frontend.torch.grad_mode import no_grad
from corearray.frontend.torch.optim.base import Optimizer, loss_of
from corearray.frontend.torch.owner import torch_of

__all__ = ["LBFGS"]


class LBFGS(Optimizer):
    """L-BFGS: `step` takes a closure and evaluates it several times.

    Parameters
    ----------
    params
        Tensors; one group.
    lr
        Learning rate, the first step length of the line search.
    max_iter, max_eval
        The most iterations and evaluations of a step.
    tolerance_grad, tolerance_change
        The largest gradient and the smallest change at which a step ends.
    history_size
        The number of pairs of differences that are kept.
    line_search_fn
        `"strong_wolfe"` or `None`.
    """

    def __init__(
        self,
        params: Iterable[Any],
        lr: Any = 1,
        max_iter: int = 20,
        max_eval: int | None = None,
        tolerance_grad: float = 1e-7,
        tolerance_change: float = 1e-9,
        history_size: int = 100,
        line_search_fn: str | None = None,
    ) -> None:
        if line_search_fn not in (None, "strong_wolfe"):
            raise CoreArrayRuntimeError(f"only 'strong_wolfe' is supported as line_search_fn, got {line_search_fn!r}")
        super().__init__(
            params,
            {
                "lr": lr, "max_iter": max_iter, "max_eval": max_iter * 5 // 4 if max_eval is None else max_eval,
                "tolerance_grad": tolerance_grad, "tolerance_change": tolerance_change, "history_size": history_size,
                "line_search_fn": line_search_fn,
            },
        )  # fmt: skip
        if len(self.param_groups) != 1:
            raise CoreArrayValueError("LBFGS doesn't support per-parameter options (parameter groups)")

    def _gradient(self) -> Any:
        flat = [(p * 0 if p.grad is None else p.grad).detach().reshape(-1) for p in self._tensors()]
        return torch_of(flat[0]).cat(flat)

    def _place(self, start: list[Any], length: float, direction: Any) -> None:
        """Set the parameters to `start + length * direction`."""
        at = 0
        for tensor, first in zip(self._tensors(), start, strict=True):
            piece = direction[at : at + tensor.numel()].reshape(tensor.shape)
            tensor.array = (first + length * piece).array
            at += tensor.numel()

    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """Take a step of several iterations.

        Parameters
        ----------
        closure
            A function that computes the gradients and returns the loss.

        Returns
        -------
        The loss before the step.
        """
        if closure is None:
            raise CoreArrayTypeError("'LBFGS.step' takes a closure that computes the gradients and returns the loss")
        with no_grad():
            return self._iterate(closure)

    def _iterate(self, closure: Callable[[], Any]) -> Any:
        group, state = self.param_groups[0], self.state[self._tensors()[0]]
        first = loss_of(closure)
        loss, gradient, evaluations = float(first), self._gradient(), 1
        state["func_evals"] = state.get("func_evals", 0) + 1
        state.setdefault("n_iter", 0)
        if float(gradient.abs().max()) <= group["tolerance_grad"]:
            return first
        for iteration in range(1, group["max_iter"] + 1):
            state["n_iter"] += 1
            direction = self._direction(state, gradient, group["history_size"])
            state["prev_flat_grad"], before = gradient, loss
            length = group["lr"] * (min(1.0, 1 / float(gradient.abs().sum())) if state["n_iter"] == 1 else 1)
            slope = float((gradient * direction).sum())
            if slope > -group["tolerance_change"]:
                break
            count = 0
            start = [tensor.detach().clone() for tensor in self._tensors()]
            if group["line_search_fn"]:

                def evaluate(
                    t: float, start: list[Any] = start, direction: Any = direction
                ) -> tuple[float, Any, float]:
                    self._place(start, t, direction)
                    value, found = float(loss_of(closure)), self._gradient()
                    return value, found, float((found * direction).sum())

                reach = float(direction.abs().max())
                loss, gradient, length, count = _strong_wolfe(evaluate, length, (loss, gradient, slope), reach)
            self._place(start, length, direction)
            if not group["line_search_fn"] and iteration != group["max_iter"]:
                loss, gradient, count = float(loss_of(closure)), self._gradient(), 1
            state["d"], state["t"] = direction, length
            evaluations += count
            state["func_evals"] += count
            if (
                evaluations >= group["max_eval"]
                or float(gradient.abs().max()) <= group["tolerance_grad"]
                or float((direction * length).abs().max()) <= group["tolerance_change"]
                or abs(loss - before) < group["tolerance_change"]
            ):
                break
        return first

    @staticmethod
    def _direction(state: dict[str, Any], gradient: Any, size: int) -> Any:
        """Return the quasi-Newton direction, by the recursion of two loops."""
        if state["n_iter"] == 1:
            state.update(old_dirs=[], old_stps=[], ro=[], H_diag=1.0)
            return -gradient
        y, s = gradient - state["prev_flat_grad"], state["d"] * state["t"]
        curvature = float((y * s).sum())
        if curvature > 1e-10:
            for name, value in (("old_dirs", y), ("old_stps", s), ("ro", 1 / curvature)):
                state[name] = [*state[name], value][-size:]
            state["H_diag"] = curvature / float((y * y).sum())
        pairs = list(zip(state["old_dirs"], state["old_stps"], state["ro"], strict=True))
        found, weights = -gradient, []
        for y, s, ro in reversed(pairs):
            weights.append(float((s * found).sum()) * ro)
            found = found - weights[-1] * y
        found = found * state["H_diag"]
        for (y, s, ro), weight in zip(pairs, reversed(weights), strict=True):
            found = found + (weight - float((y * found).sum()) * ro) * s
        return found


def _minimum(
    x1: float, f1: float, g1: float, x2: float, f2: float, g2: float, bounds: tuple[float, float] | None = None
) -> float:
    """Return the minimum of the cubic polynomial through two points with slopes, within bounds."""
    low, high = bounds or (min(x1, x2), max(x1, x2))
    d1 = g1 + g2 - 3 * (f1 - f2) / (x1 - x2)
    square = d1 * d1 - g1 * g2
    if not square >= 0:
        return (low + high) / 2
    d2 = math.sqrt(square)
    if x1 <= x2:
        found = x2 - (x2 - x1) * ((g2 + d2 - d1) / (g2 - g1 + 2 * d2))
    else:
        found = x1 - (x1 - x2) * ((g1 + d2 - d1) / (g1 - g2 + 2 * d2))
    return min(max(found, low), high)


def _strong_wolfe(
    evaluate: Callable[[float], tuple[float, Any, float]], t: float, start: tuple[float, Any, float], reach: float,
    c1: float = 1e-4, c2: float = 0.9, smallest: float = 1e-9, most: int = 25,
) -> tuple[float, Any, float, int]:  # fmt: skip
    """Return loss, gradient, length and the number of evaluations of a step that meets the strong Wolfe conditions."""
    f0, _, slope = start
    previous, now, count, tries = (0.0, *start), (t, *evaluate(t)), 1, 0
    bracket: list[Any] = []
    met = False
    while tries < most:
        t, f, _, g = now
        too_high = f > f0 + c1 * t * slope or (tries > 1 and f >= previous[1])
        met = not too_high and abs(g) <= -c2 * slope
        if met or too_high or g >= 0:
            bracket = [now] if met else [previous, now]
            break
        bounds = (t + 0.01 * (t - previous[0]), t * 10)
        t = _minimum(previous[0], previous[1], previous[3], now[0], now[1], now[3], bounds)
        previous, now = now, (t, *evaluate(t))
        count, tries = count + 1, tries + 1
    if tries == most:
        bracket = [(0.0, *start), now]
    low, high = (0, 1) if bracket[0][1] <= bracket[-1][1] else (1, 0)
    slow = False
    while not met and tries < most:
        first, last = sorted((bracket[0][0], bracket[1][0]))
        if (last - first) * reach < smallest:
            break
        (t1, f1, _, g1), (t2, f2, _, g2) = bracket
        t = _minimum(t1, f1, g1, t2, f2, g2)
        margin = 0.1 * (last - first)
        if min(last - t, t - first) < margin:
            if slow or t >= last or t <= first:
                t, slow = (last - margin if abs(t - last) < abs(t - first) else first + margin), False
            else:
                slow = True
        else:
            slow = False
        now = (t, *evaluate(t))
        count, tries = count + 1, tries + 1
        if now[1] > f0 + c1 * t * slope or now[1] >= bracket[low][1]:
            bracket[high] = now
            low, high = (0, 1) if bracket[0][1] <= bracket[1][1] else (1, 0)
        else:
            if abs(now[3]) <= -c2 * slope:
                met = True
            elif now[3] * (bracket[high][0] - bracket[low][0]) >= 0:
                bracket[high] = bracket[low]
            bracket[low] = now
    t, f, gradient, _ = bracket[low if len(bracket) == 2 else 0]
    return f, gradient, t, count
