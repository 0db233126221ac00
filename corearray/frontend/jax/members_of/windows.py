"""Windows, frequencies and polynomials, in the default floating dtype."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from corearray.frontend.jax.promotion import canonical, cast, default, inexact, promoted, requested
from corearray.frontend.jax.wrapper import Array, converted, numpy_function

__all__ = ["FUNCTIONS", "fftfreq", "histogram", "histogram2d", "histogramdd", "polydiv", "polyval", "rfftfreq"]


def _numpys(name: str) -> Callable[..., Any]:
    from corearray.frontend.frontend import get_frontend

    return get_frontend("numpy").function(f"numpy.{name}")


def _window(name: str) -> Callable[..., Any]:
    def window(M: int, *rest: Any) -> Any:
        given = [x.array if isinstance(x, Array) else x for x in rest]
        return Array(cast(_numpys(name)(int(M), *given), default(float)))

    window.__name__ = name
    window.__doc__ = f"Return the window `{name}`."
    return window


def fftfreq(n: int, d: Any = 1.0, *, dtype: Any = None, device: Any = None) -> Any:
    """Return the frequencies of a Fourier transform."""
    return Array(cast(_numpys("fft.fftfreq")(int(n), float(d)), requested(dtype) or default(float)))


def rfftfreq(n: int, d: Any = 1.0, *, dtype: Any = None, device: Any = None) -> Any:
    """Return the frequencies of a Fourier transform of real numbers."""
    return Array(cast(_numpys("fft.rfftfreq")(int(n), float(d)), requested(dtype) or default(float)))


def _joint(*xs: Any) -> tuple[list[Any], bool]:
    """Return operands as arrays of their result type, and whether it is weak."""
    pairs = [converted(x) for x in xs]
    dtype, weak = promoted([(array.dtype, one) for array, one in pairs])
    return [cast(array, canonical(dtype)) for array, _ in pairs], weak


def polyval(p: Any, x: Any, *, unroll: int = 16) -> Any:
    """Return the values of a polynomial, by Horner's rule."""
    (coefficients, places), _ = _joint(p, x)
    made = places * 0
    for i in range(coefficients.shape[0]):
        made = made * places + coefficients[i]
    return Array(made)


def polydiv(u: Any, v: Any, *, trim_leading_zeros: bool = False) -> tuple[Any, Any]:
    """Divide a polynomial by another one; return the quotient and the rest."""
    (above, below), _ = _joint(u, v)
    above, below = (cast(x, inexact(x.dtype)) for x in (above, below))
    m, n = above.shape[0] - 1, below.shape[0] - 1
    quotient = Array(above[: max(m - n + 1, 1)] * 0)
    rest = Array(above)
    for k in range(m - n + 1):
        factor = rest[k] / Array(below[0])
        quotient = quotient.at[k].set(factor)
        rest = rest.at[k : k + n + 1].add(-factor * Array(below))
    if trim_leading_zeros:
        rest = numpy_function("trim_zeros")(rest, "f")
    return quotient, rest


def histogram(
    a: Any,
    bins: Any = 10,
    range: Any = None,
    weights: Any = None,
    density: bool | None = None,
) -> tuple[Any, Any]:
    """Count elements between edges; the counts are of the dtype of the elements."""
    from corearray.frontend.frontend import get_frontend

    x = converted(a)[0]
    x = cast(x, inexact(x.dtype))
    given = [one.array if isinstance(one, Array) else one for one in (bins, range, weights)]
    counts, edges = get_frontend("numpy").histogram(x, given[0], range=given[1], weights=given[2], density=density)
    own = promoted([(x.dtype, False), (default(float), True)])[0]
    return Array(cast(counts.array, own)), Array(cast(edges.array, own))


def histogramdd(
    sample: Any,
    bins: Any = 10,
    range: Any = None,
    weights: Any = None,
    density: bool | None = None,
) -> tuple[Any, list[Any]]:
    """Count points in boxes; without weights the counts are integers."""
    from corearray.frontend.frontend import get_frontend

    if isinstance(sample, (list, tuple)):
        points: Any = [converted(x)[0] for x in sample]
    else:
        points = converted(sample)[0]
    given = [
        [y.array if isinstance(y, Array) else y for y in x]
        if isinstance(x, (list, tuple))
        else x.array
        if isinstance(x, Array)
        else x
        for x in (bins, range, weights)
    ]
    counts, edges = get_frontend("numpy").histogramdd(
        points, given[0], range=given[1], weights=given[2], density=density
    )
    own = default(int if weights is None and not density else float)
    return Array(cast(counts.array, own)), [Array(cast(edge.array, default(float))) for edge in edges]


def histogram2d(
    x: Any,
    y: Any,
    bins: Any = 10,
    range: Any = None,
    weights: Any = None,
    density: bool | None = None,
) -> tuple[Any, Any, Any]:
    """Count points in rectangles; without weights the counts are integers."""
    counts, edges = histogramdd((x, y), bins, range, weights, density)
    return counts, edges[0], edges[1]


FUNCTIONS: dict[str, Callable[..., Any]] = {
    f"numpy.{name}": _window(name) for name in "bartlett blackman hamming hanning kaiser".split()
} | {
    "numpy.fft.fftfreq": fftfreq, "numpy.fft.rfftfreq": rfftfreq, "numpy.polyval": polyval, "numpy.polydiv": polydiv,
    "numpy.histogram": histogram, "numpy.histogramdd": histogramdd, "numpy.histogram2d": histogram2d,
}  # fmt: skip
