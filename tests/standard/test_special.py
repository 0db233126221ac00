"""Special functions against SciPy in float64."""

from __future__ import annotations

import math

import numpy as np
import pytest
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
    COMPILES,
    FLOAT,
    LONG,
    REAL,
    TOLERANCE,
    Domain,
    array,
    be,
    check,
    composition,
    covers,
    needs_derivatives,
    numpy_of,
)

import corearray as ca

_INF, _NAN = math.inf, math.nan


def _lgamma(x):
    """Near 1 and 2, where the real function of SciPy loses digits, take the complex one, which has a series there."""
    x = np.asarray(x, "float64")
    near = np.minimum(np.abs(x - 1), np.abs(x - 2)) < 0.2
    pole = (x <= 0) & (x == np.floor(x))
    return np.where(pole, _INF, np.where(near, special.loggamma(np.where(near, x, 1) + 0j).real, special.gammaln(x)))


def _one(x):
    return np.ones(x.shape)


_POSITIVE = Domain(0.25, 50.0)

UNARY = {
    "digamma": Case(lambda x: special.digamma(x.astype("float64")), REAL, "float", _POSITIVE, factor=3, scale=_one),
    # in float32 the rounding of the argument counts `2 * x**2` times in the tail
    "erf": Case(special.erf, REAL, "float"),
    "erfc": Case(special.erfc, REAL, "float", Domain(-1000, 9), factor=10),
    "erfinv": Case(lambda x: special.erfinv(x.astype("float64")), FLOAT, "float", Domain(-0.99, 0.99), factor=3),
    "i0": Case(lambda x: special.i0(x.astype("float64")), REAL, "float", Domain(-60.0, 60.0), factor=4),
    "lgamma": Case(_lgamma, REAL, "float", _POSITIVE, factor=3, scale=_one),
}

BINARY = {
    "igamma": Case(
        lambda a, x: special.gammainc(a.astype("float64"), x.astype("float64")),
        REAL,
        "float",
        Domain(0.25, 50.0, nonzero=True),
        Domain(0.0, 80.0),
        factor=10,
        scale=lambda a, x: np.ones(np.broadcast_shapes(a.shape, x.shape)),
    ),
    "igammac": Case(
        lambda a, x: special.gammaincc(a.astype("float64"), x.astype("float64")),
        REAL,
        "float",
        Domain(0.25, 50.0, nonzero=True),
        Domain(0.0, 80.0),
        factor=10,
        scale=lambda a, x: np.ones(np.broadcast_shapes(a.shape, x.shape)),
    ),
    "zeta": Case(
        lambda x, q: special.zeta(x.astype("float64"), q.astype("float64")),
        REAL,
        "float",
        Domain(1.5, 12.0),
        Domain(0.5, 20.0, nonzero=True),
        factor=10,
    ),
}


@of_every_dtype(UNARY)
def test_one_operand_of_every_dtype(name, dtype):
    unary_of_every_dtype(name, dtype, UNARY[name])


@pytest.mark.parametrize("name", UNARY)
def test_one_operand(name):
    unary_property(name, UNARY[name])


@of_every_dtype(BINARY)
def test_two_operands_of_every_dtype(name, dtype):
    binary_of_every_dtype(name, dtype, BINARY[name])


@pytest.mark.parametrize("name", BINARY)
def test_two_operands(name):
    binary_property(name, BINARY[name])


_RANDOM = np.random.default_rng(11)
_NEAR = np.concatenate([1 + 10.0 ** _RANDOM.uniform(-14, -1, 200), 2 - 10.0 ** _RANDOM.uniform(-14, -1, 200)])
_WIDE = np.concatenate(
    [_RANDOM.uniform(0, 12, 500), 10.0 ** _RANDOM.uniform(1, 300, 200), 10.0 ** _RANDOM.uniform(-300, 0, 200)]
)

_UNIT = np.concatenate([_RANDOM.uniform(-1, 1, 500), 1 - 10.0 ** _RANDOM.uniform(-15, -1, 300)])
_UNIT = np.concatenate([_UNIT, 10.0 ** _RANDOM.uniform(-300, 0, 300)])

#: Function, arguments, expected values, and the size from which on an error is relative.
_DIGITS = [
    ("digamma", _WIDE, special.digamma, 1.0),
    ("erfinv", _UNIT, special.erfinv, 0.0),
    ("i0", _RANDOM.uniform(-700, 700, 500), special.i0, 0.0),
    ("i0", _RANDOM.uniform(-25, 25, 500), special.i0, 0.0),
    ("lgamma", _WIDE, _lgamma, 0.0),
    ("lgamma", _RANDOM.uniform(-20, 0, 500), _lgamma, 1.0),
    ("lgamma", _NEAR, _lgamma, 0.0),
]


@covers("digamma", "erfinv", "i0", "lgamma")
@pytest.mark.parametrize(
    ("name", "x", "oracle", "size"), _DIGITS, ids=[f"{case[0]}{i}" for i, case in enumerate(_DIGITS)]
)
def test_digits(name, x, oracle, size):
    with np.errstate(all="ignore"):
        got, want = numpy_of(getattr(be, name)(array(x))), oracle(x)
        error = np.abs(got - want) / np.maximum(np.abs(want), size) / np.finfo("float64").eps
    error = np.where(got == want, 0, error)
    assert error.max() <= 16, (x[error.argmax()], got[error.argmax()], want[error.argmax()], error.max())


@covers("zeta")
def test_digits_of_zeta():
    """The power of a large exponent multiplies the rounding of its base."""
    x, q = _RANDOM.uniform(1.0001, 40, 500), 10.0 ** _RANDOM.uniform(-3, 3, 500)
    got, want = numpy_of(be.zeta(array(x), array(q))), special.zeta(x, q)
    assert (np.abs(got - want) <= 2 * np.maximum(x, 4) * np.finfo("float64").eps * want).all()


_ROWS = np.random.default_rng(5)
_EXPONENTS = [10.0 ** _ROWS.uniform(low, high, (2, 200)) for low, high in ((-2, 0), (0, 2), (2, 5))]


@covers("betainc")
@pytest.mark.parametrize("middle", [False, True])
def test_digits_of_betainc(middle):
    for a, b in _EXPONENTS:
        x = np.clip(a / (a + b) + _ROWS.normal(size=200) * np.sqrt(a * b / (a + b) ** 3), 1e-8, 1 - 1e-8)
        x = x if middle else _ROWS.uniform(0, 1, 200)
        got, want = numpy_of(be.betainc(array(a), array(b), array(x))), special.betainc(a, b, x)
        np.testing.assert_allclose(got, want, rtol=1e-11, atol=1e-100)
        single = numpy_of(be.betainc(*(array(z.astype("float32")) for z in (a, b, x))))
        assert single.dtype == "float32"


@covers("betainc")
def test_betainc_at_its_limits():
    a = [1.0, 2.0, 0.0, 1.0, _INF, 1.0, _INF, -1.0, 1.0, 0.0, 2.0, 1.0]
    b = [1.0, 2.0, 1.0, 1.0, 1.0, _INF, _INF, 1.0, _NAN, 0.0, 0.0, 1.0]
    x = [0.0, 1.0, 0.5, 1.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, _NAN]
    want = [0.0, 1.0, 1.0, _NAN, 0.0, 1.0, _NAN, _NAN, _NAN, _NAN, 0.0, _NAN]
    check("betainc", be.betainc(*(array(np.asarray(z)) for z in (a, b, x))), np.asarray(want), "float64")
    assert be.betainc(2, 1.5, be.ones((0, 2))).shape == (0, 2)


@needs_derivatives
@covers("betainc")
def test_derivatives_of_betainc():
    given = [np.asarray([0.4, 2.0, 30.0]), np.asarray([1.5, 0.3, 12.0]), np.asarray([0.3, 0.9, 0.7])]
    found = ca.grad(lambda *args: be.sum(be.betainc(*args)), argnums=(0, 1, 2))(*map(array, given))
    for place, slope in enumerate(found):
        moved = [[z + sign * 1e-6 * (i == place) for i, z in enumerate(given)] for sign in (1, -1)]
        want = (special.betainc(*moved[0]) - special.betainc(*moved[1])) / 2e-6
        np.testing.assert_allclose(numpy_of(slope), want, rtol=1e-6, err_msg=str(place))


@needs_derivatives
@covers("digamma")
def test_derivatives_of_digamma_of_negative_numbers():
    """`pi**2 / sin(pi * x)**2 - polygamma(1, 1 - x)`, the trigamma function. Those of the frameworks lose digits."""
    slope = ca.grad(lambda x: ca.sum(ca.digamma(x)))
    with ca.backend_context(be):
        found = numpy_of(slope(array([-8.5, -12.25, -0.5, 2.0])))
    np.testing.assert_allclose(found, [9.7586071126203, 19.660817549236, 8.9348022005447, 0.6449340668482], rtol=1e-6)


@covers("igamma", "igammac")
def test_digits_of_the_incomplete_gamma_functions():
    """From tiny to large exponents and on both sides of them; the smaller of the two parts is not one minus the other."""
    a = 10.0 ** _RANDOM.uniform(-2, 4, 400)
    x = a * 10.0 ** _RANDOM.uniform(-1, 1, 400)
    for name, oracle in (("igamma", special.gammainc), ("igammac", special.gammaincc)):
        got, want = numpy_of(getattr(be, name)(array(a), array(x))), oracle(a, x)
        assert (np.abs(got - want) <= 1e-8 * want + 1e-300).all()
        some = a < 100
        assert (np.abs(got - want)[some] <= 2e-12).all()


@covers("igamma", "igammac")
@pytest.mark.parametrize("dtype", FLOAT)
def test_special_values_of_the_incomplete_gamma_functions(dtype):
    a = np.asarray([1.0, 1.0, 0.5, 1.0, -1.0, _NAN, 1.0], dtype)
    x = np.asarray([0.0, _INF, _INF, -1.0, 1.0, 1.0, _NAN], dtype)
    lower = np.asarray([0.0, 1.0, 1.0, _NAN, _NAN, _NAN, _NAN], dtype)
    check(("igamma", a, x), be.igamma(array(a), array(x)), lower)
    check(("igammac", a, x), be.igammac(array(a), array(x)), 1 - lower)


@covers("digamma", "erfinv", "i0", "lgamma", "zeta")
@pytest.mark.parametrize("dtype", FLOAT)
def test_special_values(dtype):
    table = {
        "digamma": ([0.0, _INF, _NAN, -1.0], [-_INF, _INF, _NAN, _NAN]),
        "erfinv": ([0.0, 1.0, -1.0, 1.5, _NAN, _INF], [0.0, _INF, -_INF, _NAN, _NAN, _NAN]),
        "i0": ([0.0, -0.0, _INF, -_INF, _NAN], [1.0, 1.0, _INF, _INF, _NAN]),
        "lgamma": (
            [0.0, -0.0, -1.0, -7.0, -1e38, 1.0, 2.0, _INF, -_INF, _NAN],
            [_INF, _INF, _INF, _INF, _INF, 0, 0, _INF, _INF, _NAN],
        ),
    }
    with np.errstate(all="ignore"):
        for name, (x, want) in table.items():
            x = np.asarray(x, dtype)
            check((name, x), getattr(be, name)(array(x)), np.asarray(want, dtype))
        x, q = np.asarray([1.0, 0.5, _NAN], dtype), np.asarray([2.0, 2.0, 2.0], dtype)
        check(("zeta", x, q), be.zeta(array(x), array(q)), np.asarray([_INF, _NAN, _NAN], dtype))


def _slopes(function, x, dtype="float64", order=1):
    """Derivatives of a function of one array, element by element."""
    for _ in range(order):
        function = ca.grad(lambda x, inner=function: ca.sum(inner(x)))
    with ca.backend_context(be):
        return numpy_of(function(be.asarray(x, dtype=dtype)))


@covers("i0")
@needs_derivatives
def test_derivatives_of_the_bessel_function():
    x = np.asarray([0.0, -0.0, 1e-3, 1.0, -1.0, 19.5, 20.5, -40.0])
    np.testing.assert_allclose(_slopes(be.i0, x), special.i1(x), rtol=1e-12)
    single = x.astype("float32")
    np.testing.assert_allclose(_slopes(be.i0, single, "float32"), special.i1(single.astype("float64")), rtol=1e-5)


@covers("i0")
@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.filterwarnings("ignore")
def test_the_bessel_function_up_to_the_largest_number(compiled):
    function = ca.compile(ca.i0) if compiled else be.i0
    for dtype, x, near in (
        ("float32", [80.0, 88.0, 89.0, -91.5, 91.8, 93.0, -1e4, -_INF], 1e-5),
        ("float64", [700.0, 709.0, 710.0, -713.9, 713.98, 715.0, 1e300, _INF], 1e-12),
    ):
        at = array(np.asarray(x, dtype))
        size = np.minimum(np.abs(np.asarray(x, dtype)), 2000.0).astype("longdouble")
        want = special.ive(0, size.astype("float64")) * np.exp(size)
        np.testing.assert_allclose(numpy_of(function(at)), want.astype(dtype), rtol=near)


@covers("i0")
@needs_derivatives
def test_derivatives_of_the_bessel_function_of_large_numbers():
    x = np.asarray([79.0, 88.0, 89.0, -91.5], "float32")
    np.testing.assert_allclose(_slopes(be.i0, x, "float32"), special.i1(x.astype("float64")), rtol=1e-5)
    assert _slopes(be.i0, [1e3, -1e3], "float32").tolist() == [_INF, -_INF]
    x = np.asarray([705.0, -712.0])
    want = special.ive(1, x) * np.exp(np.abs(x).astype("longdouble"))
    np.testing.assert_allclose(_slopes(be.i0, x), want.astype("float64"), rtol=1e-11)


@covers("i0")
@needs_derivatives
def test_higher_derivatives_of_the_bessel_function():
    x = np.asarray([0.0, -0.0, 1e-3, 0.5, -1.0, 19.5])
    for order in (2, 3):
        np.testing.assert_allclose(_slopes(be.i0, x, order=order), special.ivp(0, x, order), rtol=1e-8, atol=1e-12)


@covers("igamma", "igammac")
@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize("dtype", FLOAT)
@pytest.mark.filterwarnings("ignore")
def test_large_equal_arguments_of_the_incomplete_gamma_functions(dtype, compiled):
    a = np.asarray([30.0, 1e3, 1e5, 1e6, 1e7], dtype)
    x = (a * (1 + np.asarray([0.1, -1e-2, 0.0, 1e-3, 0.0]))).astype(dtype)
    for name, oracle in (("igamma", special.gammainc), ("igammac", special.gammaincc)):
        function = ca.compile(getattr(ca, name)) if compiled else getattr(be, name)
        want = oracle(a.astype("float64"), x.astype("float64"))
        near = {"float32": 2e-5, "float64": 1e-8}[dtype]
        np.testing.assert_allclose(numpy_of(function(array(a), array(x))), want, rtol=near, atol=near)


@covers("igamma", "igammac")
@needs_derivatives
@pytest.mark.parametrize("dtype", FLOAT)
def test_derivatives_of_the_incomplete_gamma_functions(dtype):
    """The integrand, and its derivative."""
    a, x = np.meshgrid([1.0, 2.0, 3.5, 50.0], [0.0, 0.5, 3.0, 40.0])
    first = np.where(a == 1, np.exp(-x), x ** (a - 1) * np.exp(-x - special.gammaln(a)))
    earlier = np.where(a == 1, 0.0, np.where(a == 2, 1.0, np.where(x == 0, 0.0, x) ** np.maximum(a - 2, 0)))
    second = np.where(a == 1, -first, earlier * (a - 1) * np.exp(-x - special.gammaln(a)) - first)
    fixed, near = be.asarray(a, dtype=dtype), {"float32": 1e-4, "float64": 1e-9}[dtype]
    for sign, function in ((1, be.igamma), (-1, be.igammac)):
        for order, want in ((1, first), (2, second)) if LONG or not COMPILES else ((1, first),):
            found = _slopes(lambda x, function=function: function(fixed, x), x, dtype, order)
            np.testing.assert_allclose(sign * found, want, rtol=near, atol=near)


@covers("igamma", "igammac")
@needs_derivatives
def test_derivatives_by_the_exponent_of_the_incomplete_gamma_functions():
    """By differences; for 1 the integrand is no power."""
    a, x = np.meshgrid([0.5, 1.0, 1.5, 2.0, 9.5, 12.0], [1e-3, 0.5, 1.0, 3.0, 20.0])
    want = (special.gammainc(a + 1e-5, x) - special.gammainc(a - 1e-5, x)) / 2e-5
    for dtype, near in (("float64", 1e-8), ("float32", 2e-4))[: 2 if LONG or not COMPILES else 1]:
        fixed = be.asarray(x, dtype=dtype)
        np.testing.assert_allclose(_slopes(lambda a, x=fixed: be.igamma(a, x), a, dtype), want, atol=near)
        np.testing.assert_allclose(_slopes(lambda a, x=fixed: be.igammac(a, x), a, dtype), -want, atol=near)


@covers("erf", "erfc")
@pytest.mark.parametrize("name", ["erf", "erfc"])
@pytest.mark.parametrize("dtype", FLOAT)
def test_all_sizes(name, dtype):
    """From the tiniest numbers to infinity, with both signs, and NaN; the sign of zero passes through `erf`."""
    sizes = np.concatenate([np.geomspace(1e-35, 0.1, 50), np.linspace(0.1, 8, 100), [26, 30, 1e4, 1e30, np.inf, 0]])
    x = np.concatenate([sizes, -sizes, [np.nan]]).astype(dtype)
    want = getattr(special, name)(x.astype("float64"))
    smallest = np.finfo(dtype).tiny / TOLERANCE[dtype]
    got = getattr(be, name)(array(x))
    check((name, x), got, np.where(np.abs(want) < smallest, be.to_numpy(got), want), dtype, factor=10)
    if name == "erf":
        assert np.signbit(be.to_numpy(be.erf(array(np.asarray([0.0, -0.0], dtype))))).tolist() == [False, True]


@covers("erf")
@needs_derivatives
@pytest.mark.parametrize("dtype", FLOAT)
def test_derivatives_of_erf_where_it_is_nearly_one(dtype):
    """Native and composed: small as they are, they have their digits."""
    x = np.asarray([0.0, -1.5, 2.0, 2.5, -5.0, 6.5, 9.0, np.inf])
    want = 2.0 / np.sqrt(np.pi) * np.exp(-np.square(x))
    for function in (be.erf, composition("erf")):
        np.testing.assert_allclose(_slopes(function, x, dtype), want, rtol=500 * np.finfo(dtype).eps, atol=1e-36)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@covers("erfinv", "ndtri")
def test_digits_of_quantiles(dtype):
    """Near the middle, where the quantile is 0, in both tails, and where one formula follows another."""
    least = float(np.finfo(dtype).tiny)
    tails = np.exp(_RANDOM.uniform(np.log(least), 0.0, 300))
    p = np.concatenate([tails, 0.5 + 0.01 * _RANDOM.normal(size=300), [0.075, 0.925, 0.5000001]]).astype(dtype)
    x = np.concatenate([tails, 1.0 - tails[tails > 1e-7], -tails, [0.85, -0.85]]).astype(dtype)
    for name, given in (("ndtri", p[(p > 0) & (p < 1)]), ("erfinv", x[abs(x) < 1])):
        want = getattr(special, name)(given.astype("float64"))
        for function in (getattr(be, name), composition(name)):
            got = numpy_of(function(array(given)))
            assert got.dtype == dtype
            np.testing.assert_allclose(got, want, rtol=20 * np.finfo(dtype).eps, atol=2 * least, err_msg=name)
