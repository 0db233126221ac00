"""`jax.scipy.special`: exponential, sine, cosine and Fresnel integrals, and functions of Dawson, Faddeeva, Owen and others."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

import corearray as ca
from corearray.errors import CoreArrayNotImplementedError, CoreArrayTypeError, CoreArrayValueError
from corearray.frontend import integrals
from corearray.frontend.integral_tables import (
    OWENS_T,
    SICI_AUXILIARY,
    SICI_SMALL,
    WOFZ,
    Row,
)
from corearray.frontend.jax.members_of.custom_derivatives import custom_jvp
from corearray.frontend.jax.promotion import cast, inexact, promoted
from corearray.frontend.jax.wrapper import Array, converted, numpy_function

__all__ = [
    "FUNCTIONS", "bessel_jn", "dawsn", "exp1", "expi", "expn", "fresnel", "owens_t", "sici", "spence", "sph_harm_y", "wofz",
]  # fmt: skip

_Table = tuple[tuple[Row, ...], tuple[Row, ...]]


def _given(name: str, *xs: Any, error: type[Exception] = CoreArrayValueError) -> tuple[list[Any], ca.DType, bool]:
    """Return real arrays of float32 or float64, and the dtype of the result and whether it is weak.

    Raises
    ------
    ValueError
        If an array is complex, or the error of the class `error`.
    """
    pairs = [converted(x) for x in xs]
    own, _ = promoted([(x.dtype, one) for x, one in pairs])
    weak = all(one for _, one in pairs)
    own = inexact(own)
    if own.category == "complex floating":
        raise error(f"{name} does not support complex-valued inputs.")
    wide = own if own == ca.float64 else ca.float32
    return [cast(x, wide) for x, _ in pairs], own, weak


def _of_order(n: Any, x: Any) -> Any:
    (order, array), own, weak = _given("expn", n, x)
    order, array = ca.broadcast_arrays(order, array)
    return Array(cast(integrals.expn(order, array), own), weak)


_expn_of = custom_jvp(_of_order, nondiff_argnums=(0,))


@_expn_of.defjvp
def _expn_jvp(n: Any, primals: Any, tangents: Any) -> Any:
    return expn(n, primals[0]), -tangents[0] * expn(numpy_function("subtract")(n, 1), primals[0])


def expn(n: Any, x: Any) -> Any:
    """Return exponential integrals of order `n`."""
    return _expn_of(n, x)


def exp1(x: Any) -> Any:
    """Return exponential integrals of order 1."""
    _given("exp1", x)
    return expn(1, x)


@custom_jvp
def expi(x: Any) -> Any:
    """Return exponential integrals Ei."""
    (array,), own, weak = _given("expi", x)
    return Array(cast(integrals.expi(array), own), weak)


@expi.defjvp
def _expi_jvp(primals: Any, tangents: Any) -> Any:
    (x,) = primals
    return expi(x), numpy_function("exp")(x) / x * tangents[0]


@custom_jvp
def sici(x: Any) -> Any:
    """Return sine and cosine integrals."""
    (array,), own, weak = _given("sici", x)
    size = ca.abs(array)
    square = ca.square(size)
    near, far, infinite = size <= 4, size > 1e9, size == ca.inf
    small = ca.where(near, square, 1.0)
    sines, cosines = size * integrals.quotient(SICI_SMALL, 0, small), small * integrals.quotient(SICI_SMALL, 1, small)
    cosines = cosines + 0.5772156649015329 + ca.log(integrals.safe(size != 0, size))
    large = integrals.safe(ca.logical_and(size > 4, ca.logical_not(infinite)), size)
    inverse = 1.0 / ca.square(ca.where(far, 1.0, large))
    row = 2 * ca.astype(large >= 8, ca.int32)
    f = ca.where(far, 1.0, integrals.quotient(SICI_AUXILIARY, row, inverse)) / large
    g = ca.where(far, 0.0, inverse * integrals.quotient(SICI_AUXILIARY, row + 1, inverse))
    sine, cosine = ca.sin(large), ca.cos(large)
    sines = ca.where(near, sines, ca.pi / 2 - f * cosine - g * sine)
    cosines = ca.where(near, cosines, f * sine - g * cosine)
    sines = ca.where(infinite, ca.pi / 2, sines)
    cosines = ca.where(infinite, ca.where(array < 0, ca.nan, 0.0), ca.where(size == 0, -ca.inf, cosines))
    bad = ca.isnan(array)
    sines, cosines = (ca.where(bad, ca.nan, part) for part in (ca.sign(array) * sines, cosines))
    return Array(cast(sines, own), weak), Array(cast(cosines, own), weak)


@sici.defjvp
def _sici_jvp(primals: Any, tangents: Any) -> Any:
    (x,), (slope,) = primals, tangents
    return sici(x), (numpy_function("sinc")(x / ca.pi) * slope, numpy_function("cos")(x) / x * slope)


@custom_jvp
def fresnel(x: Any) -> Any:
    """Return Fresnel's sine and cosine integrals."""
    (array,), own, weak = _given("fresnel", x, error=CoreArrayNotImplementedError)
    sines, cosines = (Array(cast(part, own), weak) for part in integrals.fresnel(array))
    return sines, cosines


@fresnel.defjvp
def _fresnel_jvp(primals: Any, tangents: Any) -> Any:
    (x,), (slope,) = primals, tangents
    sine, cosine = (Array(part) for part in integrals.of_half_square(ca.abs(converted(x)[0])))
    return fresnel(x), (sine * slope, cosine * slope)


def spence(x: Any) -> Any:
    """Return Spence's integrals, dilogarithms of `1 - x`."""
    array = converted(x)[0]
    if array.dtype not in (ca.float32, ca.float64):
        raise CoreArrayTypeError(f"x.dtype={array.dtype} is not supported, see docstring for supported types.")
    return Array(integrals.spence(array))


@custom_jvp
def dawsn(x: Any) -> Any:
    """Return Dawson's integrals."""
    (array,), own, weak = _given("dawsn", x)
    return Array(cast(integrals.dawsn(array), own), weak)


@dawsn.defjvp
def _dawsn_jvp(primals: Any, tangents: Any) -> Any:
    (x,) = primals
    value = dawsn(x)
    return value, (1.0 - 2.0 * x * value) * tangents[0]


@custom_jvp
def _faddeeva(z: Any) -> Any:
    array, weak = converted(z)
    length, coefficients = WOFZ
    above = ca.imag(array) >= 0
    upper = ca.where(above, array, -array)
    turned = 1j * upper
    below = length - turned
    ratio = (length + turned) / below
    total: Any = ca.zeros_like(ratio)
    for coefficient in coefficients:
        total = total * ratio + coefficient
    made = 2 * total / (below * below) + (1 / math.sqrt(math.pi)) / below
    return Array(ca.where(above, made, 2 * ca.exp(-array * array) - made), weak)


@_faddeeva.defjvp
def _faddeeva_jvp(primals: Any, tangents: Any) -> Any:
    (z,) = primals
    value = _faddeeva(z)
    return value, (2j / math.sqrt(math.pi) - 2 * z * value) * tangents[0]


def wofz(z: Any) -> Any:
    """Return Faddeeva's function, which is complex."""
    array, weak = converted(z)
    own = inexact(array.dtype)
    if own.category != "complex floating":
        own = ca.complex128 if own == ca.float64 else ca.complex64
    return _faddeeva(Array(cast(array, own), weak))


def bessel_jn(z: Any, *, v: int, n_iter: int = 50) -> Any:
    """Return Bessel functions of the first kind of the orders from 0 to `v`, along a new first axis.

    They are computed downwards from the order `n_iter`, which is to be larger than `v` and the elements.
    """
    array, weak = converted(z)
    x = cast(array, inexact(array.dtype))
    if x.dtype.category == "complex floating":
        raise CoreArrayTypeError(f"bessel_jn does not accept dtype {x.dtype}; real numbers are needed")
    order, count = operator.index(v), int(n_iter)
    before, last = ca.zeros_like(x), ca.full_like(x, 1e-16)
    total = ca.zeros_like(x)
    rows: list[Any] = []
    for k in range(count, -1, -1):
        before, last = last, 2.0 * (k + 1.0) * last / x - before
        if not k % 2:
            total = total + 2.0 * last
        rows.append(last)
    found = rows[::-1][: order + 1]
    return Array(ca.stack(found) / (total - last), weak)


@custom_jvp
def _owen(h: Any, a: Any) -> Any:
    first, second = converted(h)[0], converted(a)[0]
    height, slope = ca.abs(first), ca.abs(second)
    flat = slope <= 1
    inner = ca.where(flat, slope, 1.0 / ca.where(flat, 1.0, slope))
    scaled = ca.where(flat, height, slope * height)
    points, weights = (ca.asarray(row, dtype=first.dtype) for row in OWENS_T)
    bent = ca.square(inner)[..., None] * points
    made = inner * ca.sum(ca.exp(-0.5 * ca.square(scaled)[..., None] * (1.0 + bent)) / (1.0 + bent) * weights, axis=-1)
    made = ca.where(scaled == 0, ca.atan(inner) / (2 * ca.pi), made)
    root = math.sqrt(0.5)
    made = ca.where(inner == 1, 0.125 * ca.erfc(-scaled * root) * ca.erfc(scaled * root), made)
    one, other = height * root, slope * height * root
    upper, lower = ca.erfc(one), ca.erfc(other)
    steep = ca.where(
        slope * height <= 0.67, 0.25 - 0.25 * ca.erf(one) * ca.erf(other), 0.25 * (upper + lower - upper * lower)
    )
    return Array(ca.sign(second) * ca.where(flat, made, steep - made))


@_owen.defjvp
def _owen_jvp(primals: Any, tangents: Any) -> Any:
    h, a = (converted(x)[0] for x in primals)
    by_h = -ca.exp(-0.5 * ca.square(h)) * ca.erf(a * h * math.sqrt(0.5)) / (2 * math.sqrt(2 * math.pi))
    grown = ca.square(a) + 1
    by_a = ca.exp(-0.5 * grown * ca.square(h)) / (2 * math.pi * grown)
    return _owen(*primals), Array(by_h) * tangents[0] + Array(by_a) * tangents[1]


def owens_t(h: Any, a: Any) -> Any:
    """Return Owen's T function."""
    (first, second), own, _ = _given("owens_t", h, a)
    first, second = ca.broadcast_arrays(first, second)
    made: Any = _owen(Array(first), Array(second))
    return Array(cast(made.array, own))


def _legendre(n: int, m: int, x: ca.Array, sine: Any, known: dict[tuple[int, int], Any]) -> Any:
    """Return a normalised associated Legendre function; `known` holds those that were computed before."""
    if m > n:
        return ca.zeros_like(x)
    if (n, m) not in known:
        if n == 0:
            known[n, m] = ca.full_like(x, math.sqrt(1 / (4 * math.pi)))
        elif n == m:
            known[n, m] = -math.sqrt((2 * m + 1) / (2 * m)) * sine * _legendre(m - 1, m - 1, x, sine, known)
        else:
            scale = math.sqrt((4 * n * n - 1) / (n * n - m * m))
            before = math.sqrt(((n - 1) ** 2 - m * m) / (4 * (n - 1) ** 2 - 1)) if n - 1 > m else 0.0
            last, older = (_legendre(k, m, x, sine, known) if k >= m else 0.0 for k in (n - 1, n - 2))
            known[n, m] = scale * (x * last - before * older)
    return known[n, m]


def sph_harm_y(n: Any, m: Any, theta: Any, phi: Any, diff_n: int | None = None, n_max: int | None = None) -> Any:
    """Return spherical harmonics.

    Parameters
    ----------
    n, m
        Arrays of one axis of integers: degrees, and orders from `-n` to `n`.
    theta, phi
        Polar and azimuthal angles, in radians.
    diff_n
        No number.
    n_max
        The largest degree; by default the largest of `n`.

    Raises
    ------
    NotImplementedError
        If `diff_n` is given.
    """
    if diff_n is not None:
        raise CoreArrayNotImplementedError("The 'diff_n' argument to jax.scipy.special.sph_harm_y is not supported.")
    degree, order = converted(n)[0], converted(m)[0]
    angle, around = (cast(x, inexact(x.dtype)) for x in (converted(theta)[0], converted(phi)[0]))
    angle = angle if angle.ndim else ca.reshape(angle, (1,))
    top = int(ca.max(degree).item()) if n_max is None else operator.index(n_max)
    x, sine, size = ca.cos(angle), ca.sin(angle), ca.abs(order)
    known: dict[tuple[int, int], Any] = {}
    found: Any = ca.zeros_like(x)
    for one in range(top + 1):
        for other in range(one + 1):
            here = ca.logical_and(ca.clip(degree, 0, top) == one, ca.clip(size, 0, top) == other)
            found = ca.where(here, _legendre(one, other, x, sine, known), found)
    turned = size * around
    parts = found * ca.cos(turned), found * ca.sin(turned)
    flips = ca.where(ca.remainder(size, 2) == 1, -1.0, 1.0)
    real = ca.where(order < 0, flips * parts[0], parts[0])
    imaginary = ca.where(order < 0, -flips * parts[1], parts[1])
    return Array(real + 1j * imaginary)


FUNCTIONS: dict[str, Callable[..., Any]] = {
    f"scipy.special.{one.__name__}": one
    for one in (bessel_jn, dawsn, exp1, expi, expn, fresnel, owens_t, sici, spence, sph_harm_y, wofz)
}
