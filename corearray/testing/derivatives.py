"""Derivatives of functions by their real arrays, against central differences in float64.

The calls are the samples of the kit, moved a little so that no two elements are equal by chance. Where a function bends or
jumps nearby, differences with two steps differ, and these elements are left out.
"""

from __future__ import annotations

from typing import Any

import numpy as np

import corearray as ca
from corearray.backends.backend import Backend
from corearray.contract.declaration import DECLARATIONS
from corearray.testing.calls import arrays_in, replaced
from corearray.testing.reference import function_of
from corearray.testing.samples import SAMPLES

__all__ = ["MAY_REFUSE", "NO_DIFFERENCES", "differentiable", "wrong_derivative"]

#: Functions whose derivative is none of differences, and why.
NO_DIFFERENCES = {
    "batch_norm": "the running statistics have no derivative",
    "cholesky": "one triangle is read, and the derivative is that by symmetric matrices",
    "eig": "eigenvectors are determined up to a factor, which differs between two calls",
    "eigh": "as cholesky",
    "eigvalsh": "as cholesky",
    "empty_like": "the elements are left open",
    "stop_gradient": "which it is for",
    "svd": "bases of what is orthogonal to all columns are not determined",
}
#: Functions that some frameworks refuse to differentiate, which is no wrong derivative, and why.
MAY_REFUSE = {
    "from_dlpack": "other libraries record nothing",
    "intersect1d": "as unique_all",
    "nextafter": "a step function beside its argument",
    "parafac": "the error is looked at to end",
    "partial_tucker": "as parafac",
    "setdiff1d": "as unique_all",
    "to_list": "the elements leave the framework",
    "to_numpy": "as to_list",
    "tucker": "as parafac",
    "union1d": "as unique_all",
    "unique_all": "the shape depends on the elements",
    "unique_counts": "as unique_all",
    "unique_inverse": "as unique_all",
    "unique_values": "as unique_all",
}
_PRECISE = {"f": "float64", "c": "complex128"}


def differentiable() -> list[str]:
    """Return the names of the functions whose derivatives are compared."""
    return sorted(name for name in SAMPLES if name in DECLARATIONS and name not in NO_DIFFERENCES and _sample(name))


def wrong_derivative(be: Backend, name: str) -> str:
    """Return what is wrong with the derivatives of a function, backwards and forwards, or `""`."""
    sample = _sample(name)
    assert sample is not None, name
    arguments, moved = sample
    constant = [be.asarray(np.array(x), dtype=x.dtype.name) for x in arrays_in(arguments)]

    def function(*given: Any) -> Any:
        arrays = list(constant)
        for place, x in zip(moved, given, strict=True):
            arrays[place] = x
        following = iter(arrays)
        args, options = replaced(arguments, lambda _: next(following))
        return _total(be, function_of(be, name)(*args, **options))

    given = [be.asarray(x, dtype=be.float64) for x in moved.values()]
    with ca.backend_context(be):
        if function(*given) is None:
            return ""  # no real number comes out
        try:
            slopes = ca.grad(function, argnums=range(len(given)))(*given)
        except (ca.CoreArrayError, RuntimeError, NotImplementedError):
            if name in MAY_REFUSE:
                return ""
            raise
        for i, x in enumerate(moved.values()):
            before, behind = given[:i], given[i + 1 :]
            one, two = (_differences(be, lambda x: function(*before, x, *behind), x, step) for step in (1e-5, 3e-5))  # noqa: B023
            smooth = np.isclose(one, two, rtol=1e-3, atol=1e-5)
            slope = be.to_numpy(slopes[i])
            wrong = smooth & ~np.isclose(slope, one, rtol=1e-3, atol=2e-5)
            if wrong.any():
                return f"the gradient by real array {i + 1} is {slope[wrong]}, and the differences are {one[wrong]}"
        if name in MAY_REFUSE:
            return ""
        random = np.random.default_rng(3)
        tangents = [be.asarray(random.uniform(0.5, 1.5, x.shape), dtype=be.float64) for x in given]
        forward = float(ca.jvp(function, tuple(given), tuple(tangents))[1])
        reverse = sum(float(be.sum(slope * tangent)) for slope, tangent in zip(slopes, tangents, strict=True))
        if not np.isclose(forward, reverse, rtol=1e-6, atol=1e-8, equal_nan=True):
            return f"the derivative along a direction is {forward} by jvp and {reverse} by grad"
    return ""


def _differences(be: Backend, function: Any, x: np.ndarray, step: float) -> np.ndarray:
    """Return central differences of a function of an array by each element."""
    found = np.zeros(x.shape)
    for place in np.ndindex(x.shape):
        sides = []
        for sign in (1, -1):
            moved = np.array(x)
            moved[place] += sign * step
            sides.append(float(function(be.asarray(moved, dtype=be.float64))))
        found[place] = (sides[0] - sides[1]) / (2 * step)
    return found


def _precise(x: np.ndarray) -> np.ndarray:
    return x.astype(_PRECISE.get(x.dtype.kind, x.dtype))


def _sample(name: str) -> tuple[Any, dict[int, np.ndarray]] | None:
    """Return the first sample of a function with real arrays, and these arrays by place, moved a little."""
    random = np.random.default_rng(7)
    for sample in SAMPLES[name]:
        arguments = replaced(tuple(sample), _precise)
        real = [(i, x) for i, x in enumerate(arrays_in(arguments)) if x.dtype.kind == "f" and x.size <= 100]
        found = {i: x + random.uniform(-0.01, 0.01, x.shape) for i, x in real}
        if found:
            return arguments, found
    return None


def _total(be: Backend, value: Any) -> Any:
    """Return a sum of the real and complex numbers of a result in which each has a weight of its own, or `None`."""
    if type(value) in (list, tuple) or hasattr(value, "_fields"):
        found = [part for part in (_total(be, item) for item in value) if part is not None]
        return sum(found[1:], start=found[0]) if found else None
    if not isinstance(value, ca.Array) or not value.dtype.category.endswith("floating"):
        return None
    parts = [value] if value.dtype.category == "real floating" else [be.real(value), be.imag(value)]
    random = np.random.default_rng(1)
    weights = [be.asarray(random.uniform(0.5, 1.5, tuple(part.shape)), dtype=part.dtype) for part in parts]
    return sum(be.astype(be.sum(part * weight), be.float64) for part, weight in zip(parts, weights, strict=True))
