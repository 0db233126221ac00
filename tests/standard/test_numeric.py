"""Elementwise functions beyond the standard, against NumPy and SciPy in float64 and Python's own integers."""

from __future__ import annotations

import math
from operator import floordiv, mod

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import special
from standard.elementwise import (
    Case,
    binary_of_every_dtype,
    binary_property,
    of_every_dtype,
    unary_of_every_dtype,
    unary_property,
)
from standard.support import (
    ALL,
    ANY,
    FLOAT,
    FLOATING,
    INTEGER,
    NUMERIC,
    REAL,
    SMALL,
    Domain,
    array,
    arrays,
    be,
    check,
    covers,
    dtypes_of,
    examples,
    float_dtype,
    needs_derivatives,
    numpy_of,
    real_of,
    shapes,
    wide,
)

import corearray as ca

_INF, _NAN = math.inf, math.nan
_EIGHTHS = Domain(-64, 64, step=0.125)
_DIVISORS = Domain(-8, 8, step=0.125, nonzero=True)


def _on_floats(function):
    """Return an oracle of floating numbers that takes Python's integers too."""
    return lambda *args: function(*(np.asarray(x, dtype="float64" if x.dtype == object else x.dtype) for x in args))


def _in_integers(function):
    return np.frompyfunc(lambda a, b: function(int(a), int(b)), 2, 1)


def _c_remainder(x1, x2):
    return np.fmod(x1, x2) if x1.dtype != object else _in_integers(lambda a, b: a - b * _cut(a, b))(x1, x2)


def _c_quotient(x1, x2):
    return np.trunc(x1 / x2) if x1.dtype != object else _in_integers(_cut)(x1, x2)


def _cut(a, b):
    return abs(a) // abs(b) * (-1 if (a < 0) != (b < 0) else 1)


def _sinc(x):
    """Take the period off before the multiplication."""
    turns = np.round(x.real)
    safe = np.where(x == 0, 1, x)
    return np.where(x == 0, 1, np.where(turns % 2 == 0, 1, -1) * np.sin(np.pi * (x - turns)) / (np.pi * safe))


UNARY = {
    "angle": Case(np.angle, gives="float"),
    "deg2rad": Case(np.deg2rad, REAL, "float"),
    "exp2": Case(np.exp2, REAL, "float", domain=Domain(-100, 100)),
    "fix": Case(_on_floats(np.trunc), REAL, domain=Domain(-(2.0**40), 2.0**40)),
    "isreal": Case(lambda x: np.isreal(x) | (x == 0), NUMERIC, "bool"),
    "nan_to_num": Case(lambda x: x, ALL, domain=ANY),
    "rad2deg": Case(np.rad2deg, REAL, "float"),
    "sinc": Case(_sinc, gives="float", complex_domain=SMALL, factor=4),
}

BINARY = {
    "float_power": Case(
        np.float_power, domain=Domain(0.25, 4), second=Domain(-4, 4), complex_domain=Domain(-4, 4, off_axes=True)
    ),
    "fmax": Case(np.maximum, REAL, domain=ANY),
    "fmin": Case(np.minimum, REAL, domain=ANY),
    "fmod": Case(_c_remainder, REAL, domain=_EIGHTHS, second=_DIVISORS),
    "gcd": Case(_in_integers(math.gcd), INTEGER, domain=Domain(-1e18, 1e18)),
    "heaviside": Case(np.heaviside, REAL, "float"),
    "isclose": Case(np.isclose, gives="bool", plain=True),
    "lcm": Case(_in_integers(math.lcm), INTEGER),
    "logaddexp2": Case(np.logaddexp2, REAL, "float", scale=lambda x1, x2: np.maximum(np.abs(x1), np.abs(x2)) + 1),
    "trunc_divide": Case(_c_quotient, REAL, domain=_EIGHTHS, second=_DIVISORS),
    "xlogy": Case(
        special.xlogy, gives="float", second=Domain(0.0, 1000.0, nonzero=True), complex_domain=Domain(off_axes=True)
    ),
}


@of_every_dtype(UNARY)
def test_one_operand_of_every_dtype(name, dtype):
    unary_of_every_dtype(name, dtype, _fitting(name, dtype, UNARY[name]))


@pytest.mark.parametrize("name", UNARY)
def test_one_operand(name):
    case = UNARY[name]
    unary_property(name, case._replace(takes=REAL) if name == "angle" else case)


@of_every_dtype(BINARY)
def test_two_operands_of_every_dtype(name, dtype):
    binary_of_every_dtype(name, dtype, _fitting(name, dtype, BINARY[name]))


@pytest.mark.parametrize("name", [name for name in BINARY if name != "float_power"])
def test_two_operands(name):
    binary_property(name, BINARY[name])


def _fitting(name, dtype, case):
    """Name the dtype of the result where it is that of the parts, or always a wide one."""
    if name == "angle":
        return _OfParts(*case) if dtype in FLOATING else case
    return _OfDouble(*case) if name == "float_power" else case


class _OfParts(Case):
    def result_of(self, dtype):
        return real_of(dtype)


class _OfDouble(Case):
    def result_of(self, dtype):
        return "complex128" if dtype.startswith("complex") else "float64"

    computed_in = result_of


@covers("angle")
@pytest.mark.parametrize("dtype", FLOATING)
def test_angle_in_degrees(dtype):
    x = np.asarray([1, -1, 0.5, -2.5, 0], dtype)
    x = x + np.asarray([1j, -2j, 0, 3j, 1j]).astype(dtype) if dtype.startswith("complex") else x
    check(("angle", x), be.angle(array(x), deg=True), np.angle(wide(x), deg=True), real_of(dtype))


@covers("float_power")
@pytest.mark.parametrize("dtype", NUMERIC)
def test_float_power_with_a_scalar(dtype):
    x = np.asarray([1, 2, 3], dtype)
    wanted = "complex128" if dtype.startswith("complex") else "float64"
    check(("float_power", x, -2), be.float_power(array(x), -2), x.astype(wanted) ** -2, wanted)
    check(("float_power", 0.5, x), be.float_power(0.5, array(x)), 0.5 ** x.astype(wanted), wanted)


@covers("lerp")
@examples
@given(st.data())
def test_lerp(data):
    dtype = data.draw(dtypes_of(NUMERIC))
    x = [data.draw(arrays(dtype, (2, 3), Domain(-100, 100))) for _ in range(2)]
    weight = data.draw(st.floats(-2, 2, width=32) | arrays(float_dtype(dtype), (3,), Domain(-2, 2)))
    start, end, part = (wide(np.asarray(v, float_dtype(dtype))) for v in (*x, weight))
    want = start + part * (end - start)
    given_weight = array(weight) if isinstance(weight, np.ndarray) else weight
    got = be.lerp(array(x[0]), array(x[1]), given_weight)
    scale = 3 * (np.abs(start) + np.abs(end))
    check(("lerp", *x, weight), got, want, float_dtype(dtype), factor=2, scale=scale)


@covers("lerp")
@pytest.mark.parametrize("dtype", FLOAT)
def test_both_ends_of_lerp_are_exact(dtype):
    start, end = np.asarray([1e8, 1.0, -3.0], dtype), np.asarray([1.0, 1e8, 0.1], dtype)
    for weight, want in ((0.0, start), (1.0, end)):
        assert np.array_equal(be.to_numpy(be.lerp(array(start), array(end), weight)), want)


@covers("frexp", "ldexp")
@examples
@given(st.data())
def test_frexp_and_ldexp(data):
    dtype = data.draw(dtypes_of(FLOAT))
    x = data.draw(arrays(dtype, shapes, Domain(-1e35, 1e35)))
    mantissa, exponent = be.frexp(array(x))
    want = np.frexp(x)
    check(("frexp", x), exponent, want[1], "int32")
    assert np.array_equal(be.to_numpy(mantissa), want[0])
    assert np.array_equal(be.to_numpy(be.ldexp(mantissa, exponent)), x)


@covers("frexp")
@pytest.mark.parametrize("dtype", FLOAT)
def test_frexp_of_powers_and_special_values(dtype):
    limits = np.finfo(dtype)
    powers = np.ldexp(np.ones(1, dtype), np.arange(limits.minexp, limits.maxexp))
    around = [powers, np.nextafter(powers, limits.dtype.type(np.inf)), np.nextafter(powers[1:], limits.dtype.type(0))]
    x = np.concatenate([*around, np.asarray([0.0, -0.0, limits.max, limits.min], dtype)])
    with np.errstate(all="ignore"):
        mantissa, exponent = be.frexp(array(x))
    want = np.frexp(x)
    assert np.array_equal(be.to_numpy(mantissa), want[0])
    assert np.array_equal(be.to_numpy(exponent), want[1])
    assert np.array_equal(np.signbit(be.to_numpy(mantissa)), np.signbit(x))
    mantissa, exponent = be.frexp(array(np.asarray([_INF, -_INF, _NAN], dtype)))
    np.testing.assert_array_equal(be.to_numpy(mantissa), np.asarray([_INF, -_INF, _NAN]))


@covers("frexp", "modf")
@pytest.mark.parametrize("dtype", INTEGER)
def test_parts_of_integers(dtype):
    x = np.asarray([0, 1, 6, 100], dtype)
    for name in ("frexp", "modf"):
        found = getattr(be, name)(array(x))
        for got, want in zip(found, getattr(np, name)(x.astype("float64")), strict=True):
            check((name, x), got, want, "int32" if want.dtype.kind == "i" else "float32")


@covers("ldexp")
@pytest.mark.parametrize("dtype", FLOAT)
@pytest.mark.parametrize("steps", ["int8", "int16", "int32", "int64", "uint8", "uint64"])
def test_ldexp_far_away(dtype, steps):
    limits = np.finfo(dtype)
    x = np.asarray([1.5, -0.75, limits.max, 0.0, -0.0, _INF, -_INF, _NAN], dtype)[:, None]
    n = np.asarray([0, 1, 100, 127] + ([-1, -100, -120] if steps.startswith("i") else []), steps)
    if steps in ("int32", "int64"):
        n = np.concatenate([n, np.asarray([1000, -1000, 3000, 2**31 - 1], steps)])
    with np.errstate(all="ignore"):
        want = np.ldexp(x, n.astype("int64"))
    want = np.where(np.abs(want) < limits.tiny, np.copysign(0, want), want)  # what has fewer digits may be flushed
    with np.errstate(all="ignore"):
        got = be.to_numpy(be.ldexp(array(x), array(n)))
    got = np.where(np.abs(got) < limits.tiny, np.copysign(0, got), got)
    np.testing.assert_array_equal(got, want)
    assert be.ldexp(array(x[:2]), 3).dtype is getattr(ca, dtype)


@covers("ldexp", "gcd", "lcm")
def test_what_is_no_integer_is_refused():
    x = array(np.ones(2))
    with pytest.raises(TypeError, match="takes an integer exponent, found one of float64"):
        be.ldexp(x, x)
    for name in ("gcd", "lcm"):
        with pytest.raises(TypeError, match=f"'{name}' is a function of integers, found arguments of float64"):
            getattr(be, name)(x, x)


@covers("gcd", "lcm", "floor_divide", "remainder")
@pytest.mark.parametrize("dtype", ["int8", "int32", "int64"])
def test_integers_at_the_ends_of_their_dtype(dtype):
    """Some frameworks end the process at the smallest integer, or at its quotient by -1, which the dtype does not hold."""
    limits = np.iinfo(dtype)
    numbers = np.asarray([limits.min, limits.min + 1, -1, 1, 5, limits.max], dtype)
    x, y = (part.reshape(-1) for part in np.meshgrid(numbers, numbers))
    for name, exact in {"gcd": math.gcd, "lcm": math.lcm, "floor_divide": floordiv, "remainder": mod}.items():
        want = [exact(int(a), int(b)) for a, b in zip(x, y, strict=True)]
        held = np.asarray([limits.min <= number <= limits.max for number in want])
        with np.errstate(all="ignore"):
            got = be.to_numpy(getattr(be, name)(array(x), array(y)))
        np.testing.assert_array_equal(got[held], np.asarray(want, object)[held].astype(dtype))


@covers("modf")
@examples
@given(st.data())
def test_modf(data):
    dtype = data.draw(dtypes_of(FLOAT))
    x = data.draw(arrays(dtype, shapes, Domain(-1e6, 1e6)))
    x = np.concatenate([x.reshape(-1), np.asarray([_INF, -_INF, _NAN, -0.0, -0.5, -2.0], dtype)])
    found = be.modf(array(x))
    for got, want in zip(found, np.modf(x), strict=True):
        np.testing.assert_array_equal(be.to_numpy(got), want)
        assert got.dtype is getattr(ca, dtype)
        sure = ~np.isnan(x)
        assert np.array_equal(np.signbit(be.to_numpy(got))[sure], np.signbit(want)[sure])


#: Special values: function, arguments, result.
_SPECIAL = [
    ("angle", ([0.0, -0.0, -1.0, _INF, -_INF],), [0.0, math.pi, math.pi, 0.0, math.pi]),
    ("exp2", ([_INF, -_INF, _NAN, 127.0],), [_INF, 0.0, _NAN, 2.0**127]),
    ("fmax", ([_NAN, 1.0, _NAN, -_INF], [1.0, _NAN, _NAN, _NAN]), [1.0, 1.0, _NAN, -_INF]),
    ("fmin", ([_NAN, 1.0, _NAN, _INF], [1.0, _NAN, _NAN, _NAN]), [1.0, 1.0, _NAN, _INF]),
    (
        "fmod",
        ([5.0, -5.0, _INF, 1.0, _NAN, -0.0], [_INF, -_INF, 2.0, 0.0, 1.0, 2.0]),
        [5.0, -5.0, _NAN, _NAN, _NAN, -0.0],
    ),
    ("heaviside", ([_NAN, -_INF, _INF, -0.0], [0.5, 0.5, 0.5, _NAN]), [_NAN, 0.0, 1.0, _NAN]),
    ("isclose", ([_INF, _INF, -_INF, _NAN, 1.0, 0.0], [_INF, 1.0, _INF, _NAN, _INF, 1e-9]), [1, 0, 0, 0, 0, 1]),
    ("logaddexp2", ([_INF, -_INF, _INF, _NAN, 3.0], [_INF, -_INF, -_INF, 1.0, 3.0]), [_INF, -_INF, _INF, _NAN, 4.0]),
    ("sinc", ([0.0, -0.0, 3.0, -7.0, _NAN, _INF],), [1.0, 1.0, 0.0, 0.0, _NAN, _NAN]),
    ("trunc_divide", ([7.0, -7.0, 1.0, _INF, 0.0], [2.0, 2.0, 0.0, 2.0, 0.0]), [3.0, -3.0, _INF, _INF, _NAN]),
    ("xlogy", ([0.0, 0.0, 0.0, 2.0, 1.0], [0.0, _INF, _NAN, 0.0, _INF]), [0.0, 0.0, _NAN, -_INF, _INF]),
]


@covers("angle", "exp2", "fmax", "fmin", "fmod", "heaviside", "isclose", "logaddexp2", "sinc", "trunc_divide", "xlogy")
@pytest.mark.parametrize("dtype", FLOAT)
def test_special_values(dtype):
    with np.errstate(all="ignore"):
        for name, operands, wanted in _SPECIAL:
            x = [np.asarray(operand, dtype) for operand in operands]
            want = np.asarray(wanted, "bool" if name == "isclose" else dtype)
            check((name, *x), getattr(be, name)(*map(array, x)), want)


@covers("isclose")
@examples
@given(st.data())
def test_isclose_with_its_options(data):
    dtype = data.draw(dtypes_of(FLOAT))
    x1 = np.asarray([1.0, 1.0, 10.0, _NAN, _INF, 0.0, -2.0], dtype)
    x2 = np.asarray([1.01, 1.2, 11.0, _NAN, -_INF, 0.05, -2.0], dtype)
    options = {
        "rtol": data.draw(st.sampled_from([0.0, 0.03, 0.3])),
        "atol": data.draw(st.sampled_from([0.0, 0.03, 0.3])),
        "equal_nan": data.draw(st.booleans()),
    }
    check(("isclose", x1, x2, options), be.isclose(array(x1), array(x2), **options), np.isclose(x1, x2, **options))


@covers("nan_to_num")
@pytest.mark.parametrize("dtype", FLOATING)
def test_nan_to_num(dtype):
    x = np.asarray([1.5, _NAN, _INF, -_INF], dtype)
    if dtype.startswith("complex"):
        x.imag = [_NAN, 1.0, -_INF, _NAN]
    for options in ({}, {"nan": 7.0}, {"posinf": 5.0}, {"neginf": -3.0, "nan": -1.0, "posinf": 2.5}):
        check(("nan_to_num", x, options), be.nan_to_num(array(x), **options), np.nan_to_num(x, **options))


@covers("isclose")
def test_isclose_of_integers_is_exact():
    x1, x2 = np.asarray([2**40 + 1, 2**40, 7]), np.asarray([2**40, 2**40, 8])
    found = be.isclose(array(x1), array(x2), rtol=0.0, atol=0.5)
    assert found.tolist() == [False, True, False]
    assert be.isclose(array(np.asarray([True, False])), True).tolist() == [True, False]
    assert be.isclose(array(np.asarray([1, 2])), 1.25, rtol=0.0, atol=0.5).tolist() == [True, False]


def _slopes(function, x, dtype="float64", order=1):
    """Derivatives of a function of one array, element by element."""
    for _ in range(order):
        function = ca.grad(lambda x, inner=function: ca.sum(inner(x)))
    with ca.backend_context(be):
        return numpy_of(function(be.asarray(x, dtype=dtype)))


@covers("xlogy")
@needs_derivatives
def test_derivatives_of_xlogy():
    x, y = np.asarray([0.0, 0.0, -0.0, 2.0, -2.0]), np.asarray([2.0, 0.5, 0.5, 4.0, 1.0])
    np.testing.assert_allclose(_slopes(lambda x: be.xlogy(x, array(y)), x), np.log(y))
    np.testing.assert_allclose(_slopes(lambda y: be.xlogy(array(x), y), y), x / y)
    np.testing.assert_allclose(_slopes(lambda x: be.xlogy(x, x + 2.0), x[:1], order=2), [1.0])
    assert _slopes(lambda x: be.xlogy(x, 0.0), [0.0]) == 0.0
    assert numpy_of(be.xlogy(array(x), array(y)))[:3].tolist() == [0.0, 0.0, 0.0]


@covers("sinc")
@needs_derivatives
@pytest.mark.parametrize("dtype", FLOAT)
def test_derivatives_of_sinc(dtype):
    """From the series around zero, which the sums of fractions lose."""
    x = np.asarray([0.0, 1e-30, 1e-20, 1e-4, -1e-3, 0.01, 0.05, 0.1, -0.3, 1.0, 2.5], dtype)
    z = np.pi * x.astype("float64")
    far = np.abs(z) > 0.5
    w = np.where(far, z, 1.0)
    first = np.where(far, np.cos(w) / w - np.sin(w) / w**2, -z / 3 + z**3 / 30 - z**5 / 840 + z**7 / 45360)
    second = np.where(
        far,
        -np.sin(w) / w - 2 * np.cos(w) / w**2 + 2 * np.sin(w) / w**3,
        -1 / 3 + z**2 / 10 - z**4 / 168 + z**6 / 6480,
    )
    near = 3e-4 if dtype == "float32" else 1e-8
    np.testing.assert_allclose(_slopes(be.sinc, x, dtype), np.pi * first, rtol=near)
    np.testing.assert_allclose(_slopes(be.sinc, x, dtype, order=2), np.pi**2 * second, rtol=near)


@covers("angle", "modf")
@needs_derivatives
def test_derivatives_of_what_goes_by_steps():
    x = [0.0, -0.0, 1e-300, 2.0, -2.0, 2.5, -2.5]
    assert _slopes(be.angle, x).tolist() == [0.0] * 7
    assert _slopes(lambda x: be.modf(x).fractional, x).tolist() == [1.0] * 7
    assert _slopes(lambda x: be.modf(x).integral, x).tolist() == [0.0] * 7
