"""The derivative of every function by every real array that it takes, against central differences in float64.

The calls are the samples of the conformance test, moved a little so that no two elements are equal by chance. Where a
function bends or jumps nearby, differences with two steps differ, and these elements are left out.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from standard.support import Place, be, needs_derivatives, places, replaced

import corearray as ca
from corearray.contract.declaration import DECLARATIONS
from corearray.testing.reference import function_of, made
from corearray.testing.samples import SAMPLES

pytestmark = [needs_derivatives, pytest.mark.filterwarnings("ignore")]

#: Functions whose derivative is none of differences, and why.
OTHERS = {
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


def precise(value: Any) -> Any:
    """Return a sample's arguments with floating-point arrays of 64 bits, or 128 for complex ones."""
    if isinstance(value, np.ndarray) and value.dtype.kind in "fc":
        return value.astype("float64" if value.dtype.kind == "f" else "complex128")
    if isinstance(value, dict):
        return {name: precise(item) for name, item in value.items()}
    return type(value)(map(precise, value)) if type(value) in (list, tuple) else value


def total(value: Any) -> Any:
    """Return a sum of the real and complex numbers of a result in which each has a weight of its own, or `None`."""
    if type(value) in (list, tuple) or hasattr(value, "_fields"):
        found = [part for part in map(total, value) if part is not None]
        return sum(found[1:], start=found[0]) if found else None
    if not isinstance(value, ca.Array) or not value.dtype.category.endswith("floating"):
        return None
    parts = [value] if value.dtype.category == "real floating" else [be.real(value), be.imag(value)]
    random = np.random.default_rng(1)
    weights = [be.asarray(random.uniform(0.5, 1.5, tuple(part.shape)), dtype=part.dtype) for part in parts]
    return sum(be.astype(be.sum(part * weight), be.float64) for part, weight in zip(parts, weights, strict=True))


def sample_of(name: str) -> tuple[Any, dict[Place, np.ndarray]] | None:
    """Return the first sample of a function with real arrays, and these arrays, moved a little."""
    random = np.random.default_rng(7)
    for sample in SAMPLES[name]:
        arguments = precise(tuple(sample))
        real = [(way, x) for way, x in places(arguments) if x.dtype.kind == "f" and x.size <= 100]
        found = {way: x + random.uniform(-0.01, 0.01, x.shape) for way, x in real}
        if found:
            return arguments, found
    return None


NAMES = sorted(name for name in SAMPLES if name in DECLARATIONS and name not in OTHERS and sample_of(name) is not None)


@pytest.mark.parametrize("name", NAMES)
def test_derivatives_are_those_of_differences(name: str) -> None:
    arguments, arrays = sample_of(name)
    ways = list(arrays)

    def function(*given: Any) -> Any:
        args, options = replaced(made_once, dict(zip(ways, given, strict=True)))
        return total(function_of(be, name)(*args, **options))

    made_once = made(be, arguments)
    given = [be.asarray(np.asarray(x), dtype=be.float64) for x in arrays.values()]
    with ca.backend_context(be):
        if function(*given) is None:
            return  # no real number comes out
        try:
            slopes = ca.grad(function, argnums=range(len(given)))(*given)
        except (ca.CoreArrayError, RuntimeError, NotImplementedError):
            if name in MAY_REFUSE:
                return
            raise
        for i, (way, x) in enumerate(arrays.items()):
            differences = [np.zeros(x.shape) for _ in range(2)]
            for place in np.ndindex(x.shape):
                for found, step in zip(differences, (1e-5, 3e-5), strict=True):
                    sides = []
                    for sign in (1, -1):
                        moved = np.array(x)
                        moved[place] += sign * step
                        sides.append(float(function(*given[:i], be.asarray(moved, dtype=be.float64), *given[i + 1 :])))
                    found[place] = (sides[0] - sides[1]) / (2 * step)
            smooth = np.isclose(*differences, rtol=1e-3, atol=1e-5)
            wrong = smooth & ~np.isclose(be.to_numpy(slopes[i]), differences[0], rtol=1e-3, atol=2e-5)
            assert not wrong.any(), (way, be.to_numpy(slopes[i])[wrong], differences[0][wrong])
        if name in MAY_REFUSE:
            return
        random = np.random.default_rng(3)
        tangents = [be.asarray(random.uniform(0.5, 1.5, x.shape), dtype=be.float64) for x in given]
        forward = float(ca.jvp(function, tuple(given), tuple(tangents))[1])
        reverse = sum(float(be.sum(slope * tangent)) for slope, tangent in zip(slopes, tangents, strict=True))
        np.testing.assert_allclose(forward, reverse, rtol=1e-6, atol=1e-8)
