"""Polynomials by their coefficients, highest first, as NumPy's older functions have them."""

from __future__ import annotations

from typing import Any

from corearray.errors import CoreArrayTypeError, CoreArrayValueError
from corearray.frontend.numpy.promotion import surely

__all__ = ["FUNCTIONS"]


def _poly(np: Any, seq_of_zeros: Any) -> Any:
    """Return the coefficients of a polynomial by its roots, or by a square matrix."""
    roots = np.atleast_1d(seq_of_zeros)
    if roots.ndim == 2 and roots.shape[0] == roots.shape[1] and roots.shape[0]:
        roots = np.linalg.eigvals(roots)
    elif roots.ndim != 1:
        raise CoreArrayValueError("input must be 1d or non-empty square 2d array.")
    if not roots.size:
        return np.float64(1.0)
    made = np.ones((1,), dtype=np.result_type(roots.dtype, roots.dtype))
    for root in roots:
        made = np.convolve(made, np.stack([np.ones_like(root), -root]).astype(np.result_type(made, root)), mode="full")
    if made.dtype.kind == "c":
        same = np.sort(roots) == np.sort(roots.conjugate())
        if same.all():
            made = made.real.copy()
    return made


def _roots(np: Any, p: Any) -> Any:
    """Return the roots of a polynomial."""
    p = np.atleast_1d(p)
    if p.ndim != 1:
        raise CoreArrayValueError("Input must be a rank-1 array.")
    places = np.nonzero(np.ravel(p))[0]
    if not places.size:
        return np.array([])
    zeros = p.size - int(places[-1]) - 1
    p = p[int(places[0]) : int(places[-1]) + 1]
    p = p.astype(float) if p.dtype.kind not in "fc" else p
    if p.size > 1:
        matrix = np.diag(np.ones((p.size - 2,), p.dtype), -1)
        matrix[0, :] = -p[1:] / p[0]
        found = np.linalg.eigvals(matrix)
    else:
        found = np.array([])
    return np.concatenate((found, np.zeros(zeros, found.dtype)))


def _polyval(np: Any, p: Any, x: Any) -> Any:
    """Return the values of a polynomial at places."""
    p = np.asarray(p)
    y: Any = 0
    if isinstance(x, np.poly1d):
        for coefficient in p:
            y = x * y + coefficient
        return y
    x = np.asanyarray(x)
    y = np.zeros_like(x)
    for coefficient in p:
        y = y * x + coefficient
    return y


def _polyfit(
    np: Any, x: Any, y: Any, deg: int, rcond: Any = None, full: bool = False, w: Any = None, cov: Any = False
) -> Any:
    """Return the coefficients of the polynomial that is nearest to points."""
    x, y = np.asarray(x) + 0.0, np.asarray(y) + 0.0
    if deg < 0:
        raise CoreArrayValueError("expected deg >= 0")
    if x.ndim != 1:
        raise CoreArrayTypeError("expected 1D vector for x")
    if not x.size:
        raise CoreArrayTypeError("expected non-empty vector for x")
    if y.ndim not in (1, 2):
        raise CoreArrayTypeError("expected 1D or 2D array for y")
    if x.shape[0] != y.shape[0]:
        raise CoreArrayTypeError("expected x and y to have same length")
    rcond = x.size * np.finfo(x.dtype).eps if rcond is None else rcond
    matrix, right = np.vander(x, deg + 1), y
    if w is not None:
        w = np.asarray(w) + 0.0
        if w.ndim != 1:
            raise CoreArrayTypeError("expected a 1-d array for weights")
        if w.shape[0] != y.shape[0]:
            raise CoreArrayTypeError("expected w and y to have the same length")
        matrix = matrix * w[:, np.newaxis]
        right = right * (w[:, np.newaxis] if right.ndim == 2 else w)
    scale = np.sqrt((matrix * matrix).sum(axis=0))
    c, residuals, rank, values = np.linalg.lstsq(matrix / scale, right, float(rcond))
    c = (c.T / scale).T
    if not full and surely(rank != deg + 1):
        from warnings import warn

        warn("Polyfit may be poorly conditioned", np.exceptions.RankWarning, stacklevel=3)
    if full:
        return c, residuals, rank, values, rcond
    if not cov:
        return c
    base = np.linalg.inv(np.dot(matrix.T / scale[:, None], matrix / scale)) / np.outer(scale, scale)
    if cov == "unscaled":
        factor: Any = 1
    else:
        if len(x) <= deg + 1:
            raise CoreArrayValueError("the number of data points must exceed order to scale the covariance matrix")
        factor = residuals / (len(x) - deg - 1)
    if y.ndim == 1:
        return c, base * factor
    return c, base[:, :, np.newaxis] * factor


def _kept(np: Any, made: Any, *given: Any) -> Any:
    """Return a `poly1d` if an argument was one."""
    return np.poly1d(made) if any(isinstance(x, np.poly1d) for x in given) else made


def _polyadd(np: Any, a1: Any, a2: Any) -> Any:
    """Return the sum of two polynomials."""
    return _kept(np, _sum(np, a1, a2, 1), a1, a2)


def _sum(np: Any, a1: Any, a2: Any, sign: int) -> Any:
    one, other = np.atleast_1d(a1), np.atleast_1d(a2)
    size = max(one.size, other.size)
    one, other = (np.concatenate((np.zeros(size - x.size, x.dtype), x)) for x in (one, other))
    return one + other if sign > 0 else one - other


def _polysub(np: Any, a1: Any, a2: Any) -> Any:
    """Return the difference of two polynomials."""
    return _kept(np, _sum(np, a1, a2, -1), a1, a2)


def _polymul(np: Any, a1: Any, a2: Any) -> Any:
    """Return the product of two polynomials."""
    one, other = np.poly1d(a1), np.poly1d(a2)
    return _kept(np, np.convolve(one.coeffs, other.coeffs), a1, a2)


def _polydiv(np: Any, u: Any, v: Any) -> Any:
    """Return the quotient and the rest of two polynomials."""
    one, other = np.atleast_1d(u) + 0.0, np.atleast_1d(v) + 0.0
    dtype = np.result_type(one, other)
    m, n = len(one) - 1, len(other) - 1
    scale = 1.0 / other[0]
    q, r = np.zeros((max(m - n + 1, 1),), dtype), one.astype(dtype)
    for k in range(m - n + 1):
        d = scale * r[k]
        q[k] = d
        r[k : k + n + 1] -= d * other
    while np.allclose(r[0], 0, rtol=1e-14) and r.shape[-1] > 1:
        r = r[1:]
    return _kept(np, q, u, v), _kept(np, r, u, v)


def _polyder(np: Any, p: Any, m: int = 1) -> Any:
    """Return the derivative of a polynomial."""
    m = int(m)
    if m < 0:
        raise CoreArrayValueError("Order of derivative must be positive (see polyint)")
    c = np.asarray(p)
    for _ in range(m):
        n = len(c) - 1
        c = c[:-1] * np.arange(n, 0, -1)
    return _kept(np, c, p)


def _polyint(np: Any, p: Any, m: int = 1, k: Any = None) -> Any:
    """Return an antiderivative of a polynomial."""
    m = int(m)
    if m < 0:
        raise CoreArrayValueError("Order of integral must be positive (see polyder)")
    constants = np.zeros(m, float) if k is None else np.atleast_1d(k)
    if len(constants) == 1 and m > 1:
        constants = constants[0] * np.ones(m, float)
    if len(constants) < m:
        raise CoreArrayValueError("k must be a scalar or a rank-1 array of length 1 or >m.")
    c = np.asarray(p)
    for i in range(m):
        c = np.concatenate((c / np.arange(len(c), 0, -1), np.atleast_1d(constants[i])))
    return _kept(np, c, p)


FUNCTIONS = {
    "poly": _poly, "roots": _roots, "polyval": _polyval, "polyfit": _polyfit, "polyadd": _polyadd, "polysub": _polysub,
    "polymul": _polymul, "polydiv": _polydiv, "polyder": _polyder, "polyint": _polyint,
}  # fmt: skip
