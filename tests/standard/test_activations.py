"""Activations against their formulas, and SciPy, in float64 and complex128."""

from __future__ import annotations

import math

import numpy as np
import pytest
import scipy.special
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from standard.elementwise import Case, of_every_dtype, unary_of_every_dtype, unary_property
from standard.support import (
    COMPLEX,
    FLOAT,
    FLOATING,
    NUMERIC,
    REAL,
    SMALL,
    Domain,
    array,
    arrays,
    axis_of,
    be,
    cast,
    check,
    covers,
    dtypes_of,
    examples,
    float_dtype,
    wide,
)

import corearray as ca
from corearray.contract.declaration import DECLARATIONS
from corearray.stages.complex_input import MODES

_HALF = scipy.special.ndtr  # the normal distribution function
_TAIL = Domain(-9, 9)  # where it is not below the smallest float32
_SMALL = Domain(-20, 20)
#: Away from the poles of the sigmoid and from the cut of the logarithm.
_NEAR = Domain(-2, 2)


def _negative(x):
    return (x.real < 0) | ((x.real == 0) & (x.imag < 0)) if x.dtype.kind == "c" else x < 0


def _by_parts(function):
    return lambda x: function(x.real) + 1j * function(x.imag) if x.dtype.kind == "c" else function(x)


def _sigmoid(x):
    return 1 / (1 + np.exp(-x)) if x.dtype.kind == "c" else scipy.special.expit(x)


def _softplus(x):
    return np.log(1 + np.exp(x)) if x.dtype.kind == "c" else np.logaddexp(x, 0)


def _hardsigmoid(x):
    return np.minimum(np.maximum(x / 6 + 0.5, 0), 1)


def _elu(x, alpha=1.0):
    return np.where(x > 0, x, alpha * np.expm1(np.minimum(x, 0)))


UNARY = {
    "celu": Case(_elu, REAL, "float"),
    "elu": Case(_elu, REAL, "float"),
    "gelu": Case(_by_parts(lambda x: x * _HALF(x)), NUMERIC, "float", _TAIL, scale=np.abs),
    "hardshrink": Case(lambda x: np.where(np.abs(x) <= 0.5, 0, x), REAL, "float"),
    "hardsigmoid": Case(_hardsigmoid, REAL, "float", scale=lambda x: 1.0),
    "hardswish": Case(_by_parts(lambda x: x * _hardsigmoid(x)), NUMERIC, "float", scale=np.abs),
    "hardtanh": Case(lambda x: np.clip(x, -1, 1), REAL, "float"),
    "leaky_relu": Case(lambda x: np.where(_negative(x), 0.01 * x, x), NUMERIC, "float"),
    "logit": Case(scipy.special.logit, FLOAT, "float", Domain(1e-3, 0.999), factor=2),
    "logsigmoid": Case(scipy.special.log_expit, REAL, "float", _SMALL),
    "mish": Case(lambda x: x * np.tanh(_softplus(x)), NUMERIC, "float", _SMALL, complex_domain=Domain(-1, 1), factor=5),
    "relu": Case(lambda x: np.where(_negative(x), 0, x)),
    "relu6": Case(lambda x: np.minimum(np.maximum(x, 0), 6), REAL),
    "scaled_tanh": Case(lambda x: 1.7159 * np.tanh(x * 2 / 3), NUMERIC, "float", complex_domain=_NEAR, factor=5),
    "selu": Case(lambda x: 1.0507009873554805 * _elu(x, 1.6732632423543772), REAL, "float"),
    "sigmoid": Case(_sigmoid, NUMERIC, "float", Domain(-80, 80), complex_domain=_NEAR, factor=10),
    "silu": Case(lambda x: x * _sigmoid(x), NUMERIC, "float", Domain(-80, 80), complex_domain=_NEAR, factor=10),
    "softplus": Case(_softplus, NUMERIC, "float", Domain(-80, 80), complex_domain=_NEAR, factor=10),
    "softshrink": Case(lambda x: np.sign(x) * np.maximum(np.abs(x) - 0.5, 0), REAL, "float", scale=np.abs),
    "softsign": Case(lambda x: x / (1 + np.abs(x)), NUMERIC, "float"),
    "tanhshrink": Case(lambda x: x - np.tanh(x), REAL, "float", scale=np.abs),
    "thresholded_relu": Case(lambda x: np.where(x > 1, x, 0), REAL, "float"),
}


@of_every_dtype(UNARY)
def test_one_operand_of_every_dtype(name, dtype):
    unary_of_every_dtype(name, dtype, UNARY[name])


@pytest.mark.parametrize("name", UNARY)
def test_one_operand(name):
    unary_property(name, UNARY[name])


#: With options: the name, the options and the same in NumPy.
_WITH_OPTIONS = [
    ("celu", {"alpha": 2.0}, lambda x: np.where(x > 0, x, 2 * np.expm1(np.minimum(x, 0) / 2))),
    ("celu", {"alpha": -2.0}, lambda x: np.where(x > 0, x, -2 * np.expm1(np.minimum(x, 0) / -2))),
    ("elu", {"alpha": 0.5}, lambda x: _elu(x, 0.5)),
    ("gelu", {"approximate": "none"}, lambda x: x * _HALF(x)),
    (
        "gelu",
        {"approximate": "tanh"},
        lambda x: x / 2 * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3))),
    ),
    ("hardshrink", {"lambd": 1.5}, lambda x: np.where(np.abs(x) <= 1.5, 0, x)),
    ("hardtanh", {"min_val": -0.5, "max_val": 2.0}, lambda x: np.clip(x, -0.5, 2)),
    ("leaky_relu", {"negative_slope": 0.25}, lambda x: np.where(x < 0, 0.25 * x, x)),
    ("logit", {"eps": 0.125}, lambda x: scipy.special.logit(np.clip(x, 0.125, 0.875))),
    ("scaled_tanh", {"alpha": 2.0, "beta": 0.5}, lambda x: 2 * np.tanh(x / 2)),
    ("softplus", {"beta": 3.0}, lambda x: np.logaddexp(3 * x, 0) / 3),
    ("softplus", {"beta": 2.0, "threshold": 3.0}, lambda x: np.where(2 * x > 3, x, np.logaddexp(2 * x, 0) / 2)),
    ("softplus", {"threshold": 1.0}, lambda x: np.where(x > 1, x, np.logaddexp(x, 0))),
    ("softshrink", {"lambd": 0.0}, lambda x: x),
    ("softshrink", {"lambd": 2.0}, lambda x: np.sign(x) * np.maximum(np.abs(x) - 2, 0)),
    ("threshold", {"threshold": 1.0, "value": -2.5}, lambda x: np.where(x > 1, x, -2.5)),
    ("thresholded_relu", {"threshold": -1.0}, lambda x: np.where(x > -1, x, 0)),
]


@covers(*dict.fromkeys(name for name, _, _ in _WITH_OPTIONS))
@pytest.mark.parametrize(("name", "options", "oracle"), _WITH_OPTIONS)
@examples
@given(st.data(), dtypes_of(REAL))
def test_options(name, options, oracle, data, dtype):
    x = data.draw(arrays(dtype, hnp.array_shapes(min_dims=0, max_dims=2, min_side=0, max_side=2), SMALL))
    computed = float_dtype(dtype)
    want = oracle(wide(cast(x, computed)))
    check((name, x, options), getattr(be, name)(array(x), **options), want, computed, factor=5, scale=np.abs(x) + 1.0)


@covers("softmax", "log_softmax")
@pytest.mark.parametrize("name", ["softmax", "log_softmax"])
@examples
@given(st.data(), dtypes_of(REAL))
def test_softmax(name, data, dtype):
    x = data.draw(arrays(dtype, hnp.array_shapes(min_dims=1, max_dims=3, min_side=1, max_side=4), Domain(-50, 50)))
    options = {"axis": data.draw(axis_of(x.ndim))}
    if options["axis"] in (-1, x.ndim - 1) and data.draw(st.booleans()):
        options = {}
    computed = float_dtype(dtype)
    want = getattr(scipy.special, name)(wide(cast(x, computed)), **({"axis": -1} | options))
    scale = np.abs(x).max() if name == "log_softmax" else 0.0
    check((name, x, options), getattr(be, name)(array(x), **options), want, computed, factor=20, scale=scale)


@covers("softmax", "log_softmax")
@pytest.mark.parametrize("dtype", COMPLEX)
def test_softmax_of_complex_numbers(dtype):
    x = np.asarray([[1 + 2j, -0.5, 3j], [0.25 - 1j, 2, 1 + 1j]], dtype)
    power = np.exp(wide(x))
    for axis in (0, 1):
        total = power.sum(axis=axis, keepdims=True)
        check(("softmax", x, axis), be.softmax(array(x), axis=axis), power / total, dtype, factor=5)
        want = wide(x) - np.log(total)
        check(("log_softmax", x, axis), be.log_softmax(array(x), axis=axis), want, dtype, factor=5, scale=4.0)


@covers("softmax", "log_softmax")
@pytest.mark.parametrize("name", ["softmax", "log_softmax"])
def test_softmax_of_large_and_of_no_numbers(name):
    x = np.asarray([[1e4, 1e4, -1e4], [-1e30, -1e30, -np.inf]], "float32")
    half = np.asarray([[0.5, 0.5, 0.0]] * 2)
    with np.errstate(divide="ignore"):
        want = half if name == "softmax" else np.log(half)
    got = be.to_numpy(getattr(be, name)(array(x)))
    np.testing.assert_allclose(got[1], want[1], rtol=1e-6)
    np.testing.assert_allclose(got[0, :2], want[0, :2], rtol=1e-3)
    for shape, axis in (((0, 3), 0), ((0, 3), 1), ((2, 0), 1)):
        assert getattr(be, name)(be.zeros(shape), axis=axis).shape == shape
    for shape, axis in (((), -1), ((2, 3), 2), ((3,), -2)):
        with pytest.raises(IndexError):
            getattr(be, name)(be.zeros(shape), axis=axis)


@covers("prelu")
@examples
@given(st.data(), dtypes_of(REAL))
def test_prelu(data, dtype):
    x = data.draw(arrays(dtype, hnp.array_shapes(min_dims=1, max_dims=4, min_side=0, max_side=3)))
    computed = float_dtype(dtype)
    axis = data.draw(axis_of(x.ndim))
    size = data.draw(st.sampled_from(((), (1,), x.shape[axis : axis + 1 or None])))
    weight = data.draw(arrays(computed, size, SMALL))
    options = {} if axis == 1 else {"axis": axis}
    whole, slope = wide(cast(x, computed)), wide(weight)
    slope = slope.reshape(()) if slope.size == 1 else slope.reshape([-1] + [1] * (x.ndim - 1 - axis % x.ndim))
    want = np.where(whole < 0, slope * whole, whole)
    check(("prelu", x, weight, options), be.prelu(array(x), array(weight), **options), want, computed)


@covers("prelu")
def test_prelu_with_a_number_and_its_errors():
    x = np.asarray([-2.0, 3.0])
    check("prelu", be.prelu(array(x), 0.25), np.asarray([-0.5, 3.0]), "float64")
    for shape, weight, axis, error in (
        ((2, 3), (2,), 1, ValueError),
        ((2, 3), (2, 3), 1, ValueError),
        ((3,), (3,), 1, IndexError),
    ):
        with pytest.raises(error):
            be.prelu(be.ones(shape), be.ones(weight), axis=axis)


#: At zero, infinity and minus infinity.
_ENDS = {
    "celu": (0.0, np.inf, -1.0),
    "elu": (0.0, np.inf, -1.0),
    "gelu": (0.0, np.inf, np.nan),
    "hardshrink": (0.0, np.inf, -np.inf),
    "hardsigmoid": (0.5, 1.0, 0.0),
    "hardswish": (0.0, np.inf, np.nan),
    "hardtanh": (0.0, 1.0, -1.0),
    "leaky_relu": (0.0, np.inf, -np.inf),
    "logsigmoid": (-np.log(2), 0.0, -np.inf),
    "mish": (0.0, np.inf, np.nan),
    "relu": (0.0, np.inf, 0.0),
    "relu6": (0.0, 6.0, 0.0),
    "selu": (0.0, np.inf, -1.7580993408473766),
    "sigmoid": (0.5, 1.0, 0.0),
    "silu": (0.0, np.inf, np.nan),
    "softplus": (np.log(2), np.inf, 0.0),
    "softshrink": (0.0, np.inf, -np.inf),
    "softsign": (0.0, 1.0, -1.0),
    "tanhshrink": (0.0, np.inf, -np.inf),
    "thresholded_relu": (0.0, np.inf, 0.0),
}


@covers(*_ENDS)
@pytest.mark.parametrize("name", _ENDS)
@pytest.mark.parametrize("dtype", FLOAT)
@pytest.mark.filterwarnings("ignore:invalid value:RuntimeWarning")
def test_ends(name, dtype):
    x = np.asarray([0.0, np.inf, -np.inf, np.nan], dtype)
    want = np.asarray([*_ENDS[name], np.nan])
    check((name, x), getattr(be, name)(array(x)), want, dtype)


@covers("logit")
def test_logit_at_its_ends():
    with np.errstate(all="ignore"):
        got = be.logit(array(np.asarray([0.0, 0.5, 1.0, -0.25, 1.25, np.nan])))
    check("logit", got, np.asarray([-np.inf, 0.0, np.inf, np.nan, np.nan, np.nan]))


_MODAL = [name for name, found in DECLARATIONS.items() if found.category == "activations" and "complex_mode" in
          [p.name for p in found.parameters]]  # fmt: skip


@covers(*_MODAL)
@pytest.mark.parametrize("name", _MODAL)
@pytest.mark.parametrize("dtype", COMPLEX)
def test_modes_of_complex_input(name, dtype):
    z = np.asarray([3 - 4j, -2 + 1j, -1j, 0.5], dtype)
    function = getattr(be, name)

    def real(x):
        return be.to_numpy(function(array(np.ascontiguousarray(x))))

    split = real(z.real) + 1j * real(z.imag)
    magnitude = z / np.abs(z) * real(np.abs(z))
    check((name, z, "split"), function(array(z), complex_mode="split"), split, dtype)
    check((name, z, "magnitude"), function(array(z), complex_mode="magnitude"), magnitude, dtype)
    check((name, z, MODES[0]), function(array(z), complex_mode=MODES[0]), be.to_numpy(function(array(z))), dtype)
    with pytest.raises(ValueError, match="complex_mode"):
        function(array(z), complex_mode="polar")


_REAL_ONLY = [name for name in UNARY if name not in _MODAL and "complex64" not in UNARY[name].takes]


@covers(*_REAL_ONLY)
@pytest.mark.parametrize("name", _REAL_ONLY)
def test_complex_numbers_are_refused(name):
    getattr(be, name)(be.asarray([0.5]))
    with pytest.raises(TypeError):
        getattr(be, name)(be.asarray([1 + 2j]))


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("celu", {"alpha": 0.0}),
        ("gelu", {"approximate": "quick"}),
        ("hardtanh", {"min_val": 2.0, "max_val": 1.0}),
        ("softplus", {"beta": 0.0}),
        ("softshrink", {"lambd": -1.0}),
    ],
)
def test_options_that_mean_nothing(name, options):
    with pytest.raises(ValueError):
        getattr(be, name)(be.ones(2), **options)


@covers("softplus")
@pytest.mark.parametrize("dtype", FLOATING)
def test_softplus_of_large_numbers(dtype):
    x = np.asarray([1e4, 700.0], dtype)
    check(("softplus", x), be.softplus(array(x)), x, dtype)


@pytest.mark.parametrize("name", ["softmax", "log_softmax"])
@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.filterwarnings("ignore")
def test_nan_and_infinity_take_all_that_is_divided_by_them(name, axis, dtype):
    x = np.zeros((3, 40), dtype)
    x[0, 7], x[1, 20], x[2, 0] = math.nan, math.inf, -math.inf
    with np.errstate(all="ignore"):
        size = np.exp(x - np.max(x, axis, keepdims=True))
        wanted = size / np.sum(size, axis, keepdims=True)
        wanted = np.log(wanted) if name == "log_softmax" else wanted
    with ca.backend_context(be):
        options = {"backend": "eager"} if "register_tracing" in be.facts else {}
        function = getattr(be, name)
        for call in (function, ca.compile(lambda x: function(x, axis=axis), **options)):
            found = call(array(x), axis=axis) if call is function else call(array(x))
            np.testing.assert_allclose(be.to_numpy(found), wanted, rtol=1e-5)


@covers("glu")
@examples
@given(st.data(), dtypes_of(REAL))
def test_glu(data, dtype):
    shape = data.draw(hnp.array_shapes(min_dims=1, max_dims=3, min_side=0, max_side=3))
    axis = data.draw(axis_of(len(shape)))
    shape = tuple(2 * side if i == axis % len(shape) else side for i, side in enumerate(shape))
    x = data.draw(arrays(dtype, shape, SMALL))
    value, gate = np.split(wide(cast(x, float_dtype(dtype))), 2, axis)
    check(("glu", x, axis), be.glu(array(x), axis=axis), value / (1 + np.exp(-gate)), float_dtype(dtype), factor=5)


def test_glu_needs_two_halves():
    with pytest.raises(ValueError, match="even number"):
        be.glu(be.ones(3))
    with pytest.raises(IndexError):
        be.glu(be.ones(2), axis=1)
