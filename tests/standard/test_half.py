"""float16 and bfloat16 where the framework has them: what float32 gives, in the half precision; else a clear refusal."""

from __future__ import annotations

import math
from functools import partial

import numpy as np
import pytest
from standard.support import COMPILES, LONG, NAME, arguments, be, numpy_of

import corearray as ca
from corearray.contract.declaration import DECLARATIONS
from corearray.testing.samples import SAMPLES

#: Spacing of the numbers from 1 on.
_EPS = {"float16": 2.0**-10, "bfloat16": 2.0**-7}
_HAS = [name for name in _EPS if getattr(ca, name) in be.native_dtypes]
_LACKS = [name for name in _EPS if name not in _HAS]

#: Functions without defined elements, without a floating argument, or of the spacing of the numbers itself.
_LEFT_OUT = {"empty", "empty_like", "from_dlpack", "nextafter", "to_list", "to_numpy"}


def _function(name):
    declaration = DECLARATIONS[name]
    return getattr(be if declaration.main else getattr(be, declaration.namespace), name)


def _rounded(half, dtype, x):
    """Return numbers that the half precision has, in a dtype."""
    return be.astype(be.astype(be.asarray(np.asarray(x, "float32")), half), dtype)


def _floats_as(change, value):
    """Apply a change to the floating NumPy arrays in nested arguments, and make arrays of the others."""
    if isinstance(value, np.ndarray):
        return change(value) if value.dtype.kind == "f" else arguments(value)
    if isinstance(value, (list, tuple)):
        return type(value)(_floats_as(change, item) for item in value)
    return arguments(value)


def _called(name, half, dtype):
    """Call the samples of a function in a dtype, with numbers that the half precision has; return all arrays."""
    change = partial(_rounded, half, dtype)
    for args, options in SAMPLES[name]:
        options = {
            key: dtype if key == "dtype" and value in ("float32", "float64") else value
            for key, value in options.items()
        }
        args = [_floats_as(change, x) for x in args]
        result = _function(name)(*args, **{key: _floats_as(change, value) for key, value in options.items()})
        yield [x for x in (result if isinstance(result, (tuple, list)) else [result]) if isinstance(x, ca.Array)]


@pytest.mark.parametrize("name", sorted((set(SAMPLES) & set(DECLARATIONS)) - _LEFT_OUT))
def test_half_precision(name):
    """Where each dtype is a program of its own, a function has one of the two unless `scripts/test --long` runs."""
    halves = [_HAS[len(name) % len(_HAS)]] if _HAS and COMPILES and not LONG else _HAS
    for half in halves:
        dtype, tolerance = getattr(ca, half), 8 * _EPS[half]
        for found, wanted in zip(_called(name, dtype, dtype), _called(name, dtype, ca.float32), strict=True):
            for got, want in zip(found, wanted, strict=True):
                assert got.shape == want.shape
                assert got.dtype in (want.dtype, dtype)
                wide = ca.complex64 if want.dtype in (ca.complex64, ca.complex128) else ca.float32
                one, other = (numpy_of(be.astype(x, wide)) for x in (got, want))
                np.testing.assert_allclose(one, other, rtol=tolerance, atol=tolerance)


def test_a_framework_without_half_precision_refuses_it():
    for half in _LACKS:
        with pytest.raises(TypeError, match=f"backend '{NAME}' .* has no dtype '{half}'; it has"):
            be.zeros(2, dtype=half)
        with pytest.raises(TypeError, match=f"has no dtype '{half}'"):
            be.astype(be.ones(2), getattr(ca, half))


@pytest.mark.parametrize("half", _HAS)
def test_means_of_many_without_gaps(half):
    """More elements than the half precision can count, the sum of which it could not hold."""
    x = np.where(np.arange(100_000) % 2 == 0, 3.0, 1.0)
    x[:50] = np.nan
    given = be.astype(be.asarray(x.astype("float32")), getattr(ca, half))
    found = [float(function(given)) for function in (be.nanmean, be.nanvar, be.nanstd)]
    np.testing.assert_allclose(found, [2.0, 1.0, 1.0], rtol=_EPS[half])


@pytest.mark.parametrize("half", _HAS)
def test_transforms_are_as_precise_as_complex_numbers(half):
    """There are no complex numbers of half precision, nor results of them."""
    x = np.asarray([[0.5, -2.0, 3.0], [0.25, 1.0, -1.0]])
    given = be.astype(be.asarray(x), getattr(ca, half))
    for name in ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft", "fftn", "ifftn", "rfftn", "irfftn"):
        found = getattr(be.fft, name)(given, norm="ortho")
        assert found.dtype in (ca.complex64, ca.float32), (name, found.dtype)
        np.testing.assert_allclose(numpy_of(found), getattr(np.fft, name)(x, norm="ortho"), rtol=1e-5, atol=1e-6)
    assert be.linalg.eigh_tridiagonal(given[0], given[1, :2]).eigenvalues.dtype == getattr(ca, half)


@pytest.mark.parametrize("half", _HAS)
@pytest.mark.parametrize(
    "name", ["add", "copysign", "divide", "equal", "heaviside", "maximum", "multiply", "trunc_divide"]
)
def test_booleans_beside_half_precision_are_numbers(name, half):
    x = be.asarray([1.0, -2.5], dtype=getattr(ca, half))
    for one, number in ((True, 1), (False, 0)):
        if number or name not in ("divide", "trunc_divide"):
            found, wanted = (_function(name)(x, value) for value in (one, number))
            assert found.dtype == wanted.dtype and found.tolist() == wanted.tolist()
        found, wanted = (_function(name)(value, x) for value in (one, number))
        assert found.dtype == wanted.dtype and found.tolist() == wanted.tolist()


@pytest.mark.parametrize("half", _HAS)
def test_means_do_not_overflow_on_the_way(half):
    """The sum of 4,000 times 60 is beyond float16."""
    x = be.full((4000,), 60.0, dtype=getattr(ca, half))
    for function in (be.mean, be.nanmean, be.median):
        found = function(x)
        assert found.dtype == x.dtype and float(found) == 60.0
        assert be.asarray(function(be.reshape(x, (1, -1)), axis=1)).tolist() == [60.0]


#: Sums and products of the first axis of a matrix, of its first column and of its sides, which half precision would stop.
_ACCUMULATED = {
    "sum": lambda x: (be.sum(x, axis=0), be.sum(x, axis=0, dtype=x.dtype), be.sum(x)),
    "nansum": lambda x: (be.nansum(x, axis=0), be.nansum(x[:, 0], dtype=x.dtype)),
    "prod": lambda x: (be.prod(x, axis=0), be.prod(x[:, 0], dtype=x.dtype)),
    "nanprod": lambda x: (be.nanprod(x, axis=0),),
    "cumulative_sum": lambda x: (be.cumulative_sum(x, axis=0), be.cumulative_sum(x[:, 0], include_initial=True)),
    "cumulative_prod": lambda x: (be.cumulative_prod(x, axis=0),),
    "einsum": lambda x: (be.einsum("ij->j", x), be.einsum("ij,ij->j", x, x)),
    "vector_norm": lambda x: (be.linalg.vector_norm(x, axis=0), be.linalg.vector_norm(x, axis=0, ord=3)),
    "unsorted_segment_sum": lambda x: (be.unsorted_segment_sum(x, be.zeros(x.shape[0], dtype=ca.int64), 1),),
    "unsorted_segment_prod": lambda x: (be.unsorted_segment_prod(x, be.zeros(x.shape[0], dtype=ca.int64), 1),),
    "scatter_nd": lambda x: (
        be.scatter_nd(be.zeros((x.shape[0], 1), dtype=ca.int64), x[:, 0], (1,)),
        be.zeros((1,), dtype=x.dtype).at[be.zeros(x.shape[0], dtype=ca.int64)].add(x[:, 0]),
    ),
    "bincount": lambda x: (be.bincount(be.zeros(x.shape[0], dtype=ca.int64), weights=x[:, 0]),),
    "histogram": lambda x: (be.histogram(x[:, 0], be.asarray([0.25, 0.5, 0.75], dtype=x.dtype), weights=x[:, 0])[0],),
}


@pytest.mark.parametrize("half", _HAS)
@pytest.mark.parametrize("name", _ACCUMULATED)
def test_many_are_accumulated_in_single_precision(name, half):
    """The sum of 3,000 numbers stops at 2,048 in float16, at 256 in bfloat16, where the next one is rounded away."""
    numbers = 0.45 + 0.1 * np.random.default_rng(0).uniform(size=(3000, 17))
    if "prod" in name:
        numbers = 0.5 + numbers[:200]
    x = be.asarray(numbers, dtype=getattr(ca, half))
    for found, wanted in zip(_ACCUMULATED[name](x), _ACCUMULATED[name](be.astype(x, ca.float64)), strict=True):
        assert found.dtype == x.dtype and found.shape == wanted.shape
        wide = numpy_of(be.astype(found, ca.float64))
        np.testing.assert_allclose(wide, numpy_of(wanted), rtol=(2 if "prod" not in name else 8) * _EPS[half])


@pytest.mark.skipif("reverse_mode" not in be.facts, reason="this framework does not differentiate")
@pytest.mark.parametrize("half", _HAS)
def test_derivatives_of_extremes_share_more_elements_than_half_precision_counts(half):
    """Of 70,000 equal elements each has its part; in float16 the count is infinite, in bfloat16 a sum stops at 256."""
    x, ids = be.ones((70_000,), dtype=getattr(ca, half)), be.zeros((70_000,), dtype=ca.int64)
    for name in ("max", "min", "nanmax", "unsorted_segment_max", "unsorted_segment_min"):
        given = (ids, 1) if "segment" in name else ()
        slope = ca.grad(lambda x, name=name, given=given: be.sum(getattr(be, name)(x, *given)))(x)
        assert slope.dtype == x.dtype and float(slope[7]) * 70_000 == pytest.approx(1.0, rel=2e-2), name


@pytest.mark.skipif("reverse_mode" not in be.facts, reason="this framework does not differentiate")
@pytest.mark.parametrize("half", _HAS)
@pytest.mark.parametrize("name", ["acosh", "asinh", "cbrt", "entr", "softsign", "tanhshrink"])
def test_derivatives_of_large_and_small_numbers(name, half):
    """Their steps overflow in float16, or cancel: squares of 600, the cube of 1e-6, and the difference of 0.05 and its tanh."""
    numbers = be.asarray([1.5, 20.0, 600.0, 30_000.0] + [0.05, 2e-3, 1e-6] * (name != "acosh"), dtype=getattr(ca, half))
    wide, function = be.astype(numbers, ca.float32), getattr(be, name)
    for called in (function, ca.grad(lambda x: be.sum(function(x)))):
        found, wanted = (numpy_of(be.astype(be.astype(called(x), numbers.dtype), ca.float32)) for x in (numbers, wide))
        np.testing.assert_allclose(found, wanted, rtol=2 * _EPS[half], atol=2.0**-24)


#: Functions by name. The squares and the sum of their argument, 600 numbers of up to 300, are beyond float16.
_BEYOND = {
    "average": lambda x: be.average(x, axis=1, weights=be.abs(x)),
    "avg_pool1d": lambda x: be.avg_pool1d(be.reshape(x, (1, 2, 300)), 300),
    "corrcoef": lambda x: be.corrcoef(x),
    "cosine_embedding_loss": lambda x: be.cosine_embedding_loss(x, -x, be.asarray([1, -1])),
    "cosine_similarity": lambda x: be.cosine_similarity(x, x),
    "cov": lambda x: be.cov(x, aweights=be.abs(x[0, :])),
    "embedding_bag": lambda x: be.embedding_bag(be.asarray([[*range(300)]]), be.reshape(x, (300, 2))),
    "gelu": lambda x: be.gelu(x, approximate="tanh"),
    "log_softmax": lambda x: be.log_softmax(x),
    "logsumexp": lambda x: be.logsumexp(x, axis=1),
    "softmax": lambda x: be.softmax(x),
    "triplet_margin_loss": lambda x: be.triplet_margin_loss(x[:, :50], -x[:, :50], 2 * x[:, :50]),
    "unsorted_segment_mean": lambda x: be.unsorted_segment_mean(be.reshape(x, (300, 2)), be.arange(300) % 2, 2),
    "vector_norm": lambda x: be.linalg.vector_norm(x),
}


@pytest.mark.skipif("float16" not in _HAS, reason="the framework has no float16")
@pytest.mark.parametrize("name", _BEYOND)
def test_sums_and_squares_do_not_overflow_on_the_way(name):
    """Values, and derivatives where the backend has them, are those of float32."""
    numbers = np.linspace(-299.0, 300.0, 600).reshape(2, 300)
    if "soft" in name or name == "logsumexp":
        numbers = np.ones((1, 70_000))  # more than float16 counts
    x = be.astype(be.asarray(numbers.astype("float32")), ca.float16)
    wide = be.astype(x, ca.float32)
    once = ca.compile if COMPILES else lambda function: function  # one program in place of one for each step
    values = once(lambda given: be.astype(_BEYOND[name](given), ca.float32))
    found, wanted = (numpy_of(values(given)) for given in (x, wide))
    np.testing.assert_allclose(found, wanted, rtol=2e-3, atol=2e-3)
    if "reverse_mode" in be.facts:
        slope = once(ca.grad(lambda given: be.sum(be.astype(_BEYOND[name](given), ca.float32))))
        found, wanted = (numpy_of(be.astype(slope(given), ca.float32)) for given in (x, wide))
        np.testing.assert_allclose(found, wanted, rtol=2e-2, atol=2e-3 * (1.0 + np.abs(wanted).max()))


@pytest.mark.skipif("float16" not in _HAS, reason="the framework has no float16")
def test_numbers_that_half_precision_does_not_hold():
    """They are infinite, or the greatest number if they are nearer to it."""
    x = be.asarray([1.0, -2.0], dtype="float16")
    with np.errstate(all="ignore"):
        assert be.clip(x, 0.0, 1e6).tolist() == [1.0, 0.0]
        assert be.clip(x, max=-1e6).tolist() == [-math.inf, -math.inf]
        assert be.clip(x, min=65510.0).tolist() == [65504.0, 65504.0]
        assert be.pad(x, [(1, 0)], constant_values=-1e9).tolist() == [-math.inf, 1.0, -2.0]
        assert be.where(x > 0, x, -1e9).tolist() == [1.0, -math.inf]
        assert be.threshold(x, value=1e6).tolist() == [1.0, math.inf]
        assert be.pow(x, 1e6).tolist() == [1.0, math.inf]
