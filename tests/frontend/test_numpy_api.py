"""NumPy's API on every backend: the same programs on NumPy and on the frontend, with equal values, dtypes and texts."""

from __future__ import annotations

import numbers
import pickle
import sys

import numpy as native
import pytest

import corearray as ca
import corearray.frontend.numpy as np
import corearray.frontend.numpy.linalg
from corearray.frontend.numpy import array, linalg

DATA = [[1.5, -2.0, 3.0], [0.5, 4.0, -1.0]]


@pytest.fixture(autouse=True)
def on_target(target):
    with ca.backend_context(target):
        yield


def same(found, wanted):
    if isinstance(wanted, (tuple, list)):
        assert len(found) == len(wanted)
        for one, other in zip(found, wanted, strict=True):
            same(one, other)
    elif isinstance(wanted, (native.ndarray, native.generic)):
        assert isinstance(found, np.ndarray if isinstance(wanted, native.ndarray) else np.generic)
        assert (found.dtype.name, found.shape) == (wanted.dtype.name, wanted.shape)
        native.testing.assert_allclose(native.asarray(found), wanted, rtol=1e-6, atol=1e-12)
    else:
        assert found == wanted


def written(n, x):
    y = x.copy()
    row, flat = y[0], y.reshape(-1)
    row += 10
    flat[-1] = 7
    y[:, 1] *= 2
    y.T[2][...] = 0
    n.add.at(y, ([0, 0], [1, 1]), 1)
    n.multiply(y, 2, out=y, where=y > 5)
    return y, row, flat


#: Programs in NumPy's words, which run on both.
PROGRAMS = [
    lambda n, x: x + 1,
    lambda n, x: x.astype("f4") * 2 + n.float32(3),
    lambda n, x: (x.sum(), x.mean(axis=0), x.max(initial=9), n.sum(x, where=x > 0), x.argmax()),
    lambda n, x: n.sort(x, axis=None)[::-1].reshape(3, 2).T,
    lambda n, x: (x > 0).astype(int) // 2,
    lambda n, x: (x[0], x[0, 1], x[[1, 0]], x[x > 0], x[..., None].shape, x[:, ::-1]),
    lambda n, x: (
        n.add.reduce(x, axis=1),
        n.multiply.accumulate(x),
        n.subtract.outer(x[0], x[1]),
        n.add.reduceat(x[0], [0, 2]),
    ),
    lambda n, x: n.divmod(x, 2),
    lambda n, x: n.arange(3, dtype="int8") + n.arange(3, dtype="uint8"),
    lambda n, x: (n.arange(3, dtype="int8") + 1, n.arange(3) + 1.5, n.int8(3) * 2.0, n.true_divide(3, 2)),
    lambda n, x: n.linalg.solve(x @ x.T, x[:, 0]),
    lambda n, x: n.fft.rfft(x),
    lambda n, x: n.percentile(x, [25, 50], axis=1),
    lambda n, x: (n.quantile(x.astype("f4"), n.float64(0.3)), n.quantile(x.astype("f4"), 0.3)),
    lambda n, x: (n.piecewise(3, [True, False, False], [4, 2, 0]), n.piecewise(n.array(3), n.array(3) > 3, [4, 0])),
    lambda n, x: (n.piecewise(x[0], x[0] > 1, [1, lambda y: -y]), n.piecewise(x[0], [x[0] > 1, x[0] < 0], [1, 2, 3])),
    lambda n, x: n.histogram(x, bins=3),
    lambda n, x: n.unique(n.round(x), return_counts=True),
    lambda n, x: n.insert(n.delete(x, 1, axis=1), 0, 5, axis=1),
    lambda n, x: n.mgrid[0:2, 0:3] + n.r_[1:3, 0],
    lambda n, x: n.interp([0.5, 1.5], [0, 1, 2], [10, 20, 40]),
    lambda n, x: n.apply_along_axis(lambda row: row[::-1], 1, x),
    lambda n, x: n.vectorize(lambda a, b: a + 2 * b)(x, 1),
    lambda n, x: n.polyval(n.poly1d([1, 2]) * n.poly1d([1, 0]), 3),
    lambda n, x: written(n, x),
    lambda n, x: n.concatenate([x, n.ones((1, 3), int)]).dtype.str,
    lambda n, x: n.unravel_index(5, (2, 3)),
    lambda n, x: (x.reshape((3, 2), order="F"), x.ravel("F"), n.reshape(x.T, -1, order="F"), x.flatten(order="F")),
    lambda n, x: (n.any(x, where=x > 3), n.all(x, axis=0, where=x > 0), n.argmax(x * 1j), n.nanmax(x + 1j * x, axis=0)),
    lambda n, x: (
        n.nanprod(x, where=x > 1),
        n.nanquantile([[1.0, n.nan, 4]], 0.6, axis=1, method="inverted_cdf", weights=n.ones((1, 3))),
    ),
    lambda n, x: (n.linalg.pinv(x), n.linalg.svd(x, compute_uv=False), n.linalg.matrix_rank(x, tol=3.0)),
    lambda n, x: (n.cross(x, x[::-1]), n.cross(x, x[::-1], axisc=0), n.lib.stride_tricks.sliding_window_view(x, 2, 1)),
    lambda n, x: (n.arange(stop=3), n.arange(254, 258).astype("u1"), n.arange(2, dtype=bool)),
    lambda n, x: n.einsum("ij,j->i", x.astype("i4"), n.arange(3), out=n.zeros(2, "i4"), dtype="f8", casting="unsafe"),
]


def test_quantiles_refuse_what_numpy_refuses():
    for n in (np, native):
        for q in (float("nan"), [0.5, float("nan")], 1.5):
            with pytest.raises(ValueError, match="Quantiles must be in"):
                n.quantile([1.0, 2.0], q)
        for weights in ([0.0, 0.0], [1.0, float("inf")], [1.0, float("nan")]):
            wrong = pytest.raises(ValueError, match="Weights included NaN, inf or were all zero")
            with wrong, n.errstate(all="ignore"):
                n.quantile([1.0, 2.0], 0.5, weights=weights, method="inverted_cdf")


@pytest.mark.parametrize("number", range(len(PROGRAMS)))
def test_programs(number):
    same(PROGRAMS[number](np, np.array(DATA)), PROGRAMS[number](native, native.array(DATA)))


TEXTS = [
    lambda n: n.array(DATA),
    lambda n: n.arange(12).reshape(2, 2, 3),
    lambda n: n.array([1e-10, 1.0, n.nan]),
    lambda n: n.array([1.1, 2.25], "f4"),
    lambda n: n.array([1 + 2j, -3.5]),
    lambda n: n.array([True, False]),
    lambda n: n.arange(2000),
    lambda n: n.float32(0.1),
    lambda n: n.zeros((0, 3)),
    lambda n: n.array(3.0),
    lambda n: n.int8(3),
    lambda n: n.array([1e300, 1.0]),
    lambda n: n.dtype("complex64"),
    lambda n: n.array([0.1, 1 / 3, 100.0]),
]


@pytest.mark.parametrize("number", range(len(TEXTS)))
def test_texts_are_those_of_numpy(number):
    mine, theirs = TEXTS[number](np), TEXTS[number](native)
    assert (repr(mine), str(mine)) == (repr(theirs), str(theirs))


def test_forms_of_import():
    assert linalg.inv is np.linalg.inv is corearray.frontend.numpy.linalg.inv
    assert isinstance(array([1]), np.ndarray)


#: Calls that NumPy refuses, with the type of its error.
REFUSED = [
    (TypeError, lambda n: n.add(n.arange(3), 1.5, out=n.arange(3))),
    (ValueError, lambda n: n.ones((2, 3)) + n.ones(4)),
    (IndexError, lambda n: n.ones(3)[5]),
    (OverflowError, lambda n: n.array([1], "int8") + 300),
    (ValueError, lambda n: bool(n.ones(2))),
    (ValueError, lambda n: n.max(n.zeros(0))),
    (TypeError, lambda n: n.sin(1, 2, 3)),
    (TypeError, lambda n: n.array([True]) - n.array([True])),
    (ValueError, lambda n: n.array([[1], [1, 2]])),
    (TypeError, lambda n: n.arange(3).astype(n.int8, casting="safe")),
    (ValueError, lambda n: n.broadcast_to(n.ones(3), (2,))),
]


@pytest.mark.parametrize("number", range(len(REFUSED)))
def test_errors_are_of_the_types_of_numpys(number):
    kind, program = REFUSED[number]
    for n in (native, np):
        with pytest.raises(kind):
            program(n)
    with pytest.raises(np.exceptions.AxisError):
        np.ones(3).sum(axis=4)
    with pytest.raises(np.linalg.LinAlgError):
        np.linalg.inv(np.ones((2, 3)))


def test_versions():
    old, new = (ca.frontend.get_frontend("numpy", version) for version in ("1.26", "2.4"))
    x = [[1, 2], [2, 1]]
    assert old.unique(x, return_inverse=True)[1].shape == (4,)
    assert new.unique(x, return_inverse=True)[1].shape == (2, 2)
    assert old.trapz([1.0, 2, 3]) == new.trapezoid([1.0, 2, 3]) == 4
    assert repr(old.float64(1)) == "1.0"
    assert repr(new.float64(1)) == "np.float64(1.0)"
    with pytest.raises(AttributeError):
        new.trapz([1.0])
    assert old.product([2, 3]) == 6
    assert old.in1d([1, 5], [5]).tolist() == [False, True]
    stacks, rows = [[[2.0, 0], [0, 2]], [[1.0, 0], [0, 4]]], [[2.0, 4], [3, 8]]
    assert old.linalg.solve(stacks, rows).tolist() == [[1, 2], [3, 2]]
    assert new.linalg.solve(stacks, rows).tolist() == native.linalg.solve(stacks, rows).tolist()
    assert old.linalg.solve(stacks[0], rows[0]).tolist() == new.linalg.solve(stacks[0], rows[0]).tolist() == [1, 2]
    assert old.reshape(x, newshape=(4,)).shape == new.reshape(x, shape=4).shape == (4,)
    with pytest.raises(TypeError):
        new.reshape(x, newshape=4)
    assert new.clip([1, 5, 9], min=2, max=6).tolist() == [2, 5, 6]
    assert old.array(array := old.arange(3), copy=False) is array
    with pytest.raises(ValueError, match="copy"):
        new.array([1, 2], copy=False)
    assert new.asarray(array := new.arange(3), copy=False) is array
    assert old.array([1, 2], copy=False).tolist() == [1, 2]


def test_bit_generators_and_seeds():
    for entropy, key in ((42, ()), ([1, 2**40], ()), (7, (3,))):
        words = np.random.SeedSequence(entropy, spawn_key=key).generate_state(4, "u8")
        assert words.tolist() == native.random.SeedSequence(entropy, spawn_key=key).generate_state(4, "u8").tolist()
    children = (n.random.SeedSequence(9).spawn(2)[1].generate_state(2).tolist() for n in (np, native))
    assert next(children) == next(children)
    generator = np.random.Generator(np.random.PCG64(3))
    again = pickle.loads(pickle.dumps(generator))
    state = generator.bit_generator.state
    drawn = generator.random(3).tolist()
    assert drawn == again.random(3).tolist() == np.random.default_rng(np.random.Philox(3)).random(3).tolist()
    generator.bit_generator.state = state
    assert generator.random(3).tolist() == drawn
    assert generator.bit_generator.jumped().state != generator.bit_generator.state
    with pytest.raises(ValueError, match="PCG64"):
        generator.bit_generator.state = np.random.MT19937(3).state


#: Parameters of distributions, with means.
MEANS = {
    "standard_t": ((7.0,), 0), "f": ((6.0, 12.0), 1.2), "noncentral_chisquare": ((3.0, 2.0), 5),
    "noncentral_f": ((5.0, 12.0, 2.0), 1.68), "negative_binomial": ((4.5, 0.3), 10.5), "wald": ((2.0, 3.0), 2),
    "logseries": ((0.8,), 2.49), "zipf": ((4.5,), 1.07), "vonmises": ((0.5, 2.0), 0.47), "hypergeometric": ((8, 5, 6), 3.69),
}  # fmt: skip


def test_distributions():
    generator = np.random.default_rng(5)
    for name, (parameters, mean) in MEANS.items():
        draws = getattr(generator, name)(*parameters, size=600)
        assert draws.dtype.name == getattr(native.random.default_rng(5), name)(*parameters, size=2).dtype.name
        assert abs(float(draws.mean()) - mean) < 4 * float(draws.std()) / 600**0.5, name
    with pytest.raises(ValueError, match="df <= 0"):
        generator.standard_t(0.0)


def test_overrides_of_ufuncs():
    class Seen(np.lib.mixins.NDArrayOperatorsMixin):
        def __array_ufunc__(self, ufunc, method, *inputs, **options):
            return ufunc.__name__, method, len(inputs), options

    seen, x = Seen(), np.arange(3.0)
    assert seen + 1 == ("add", "__call__", 2, {})
    assert 2 * seen == ("multiply", "__call__", 2, {})
    assert np.sin(x, seen) == ("sin", "__call__", 1, {"out": (seen,)})
    assert np.add(seen, 1, sig="dd->d")[3] == {"signature": "dd->d"}
    assert np.add.reduce(seen, 0, None, None, False) == (
        "add",
        "reduce",
        1,
        {"axis": 0, "dtype": None, "keepdims": False},
    )

    class Doubled(np.ndarray):
        def __array_ufunc__(self, ufunc, method, *inputs, **options):
            made = super().__array_ufunc__(ufunc, method, *(np.asarray(one) for one in inputs), **options)
            return made * 2

    assert (x.view(Doubled) + 1).tolist() == [2, 4, 6]


def test_warnings_and_classes():
    with pytest.warns(RuntimeWarning, match="All-NaN slice"):
        assert native.isnan(float(np.nanmedian(np.array([np.nan, np.nan]))))
    with pytest.warns(RuntimeWarning, match="Mean of empty slice"):
        np.nanmean(np.array([np.nan]))
    assert isinstance(np.int8(1), numbers.Integral)
    assert isinstance(np.float32(1), numbers.Real)
    assert np.ndarray[int, np.dtype[int]].__origin__ is np.ndarray
    with pytest.raises(TypeError):
        np.float64[int]
    assert sys.getsizeof(np.zeros(100)) > 800


def test_dtypes_and_scalars():
    assert np.dtype("f8") is np.dtype(float) is np.array(1.0).dtype
    assert np.issubdtype(np.int8, np.integer)
    assert isinstance(np.array([1.0])[0], np.floating)
    assert np.result_type(np.int8, np.uint16) == np.int32
    assert np.finfo(np.float32).eps == native.finfo(native.float32).eps
    assert {np.float64(2): 1}[2.0] == 1
    with pytest.raises(TypeError, match="no backend has"):
        np.array(["text"])


def test_powers_of_a_complex_zero(target):
    exponents = [1 + 1j, 1j, 0j, -1 + 1j, 2 + 0j, 1 - 1j]
    with ca.backend_context(target):
        found = np.zeros(6, complex) ** np.array(exponents)
        assert np.isnan(found).tolist() == [False, True, False, True, False, False]
        assert found[[0, 2, 4, 5]].tolist() == [0, 1, 0, 0]


def test_filled_arrays_are_written_into(target):
    with ca.backend_context(target):
        x, y = np.full(4, -9.0), np.full_like(np.arange(4), 7)
        x[1] = 2.0
        np.maximum.at(x, np.array([0, 3, 3]), np.array([1.0, 2.0, 3.0]))
        y[[0, 2]] += 1
        assert (x.tolist(), y.tolist()) == ([1.0, 2.0, -9.0, 3.0], [8, 7, 8, 7])
        assert np.full((2, 2), [1.0, 2.0]).tolist() == [[1.0, 2.0], [1.0, 2.0]]


def test_scalars_keep_their_element(target):
    with ca.backend_context(target):
        x = np.arange(3.0)
        old, listed = x[1], list(x)
        x[0], x[2] = x[2], x[0]
        x[1] = 7.0
        assert (float(old), [float(one) for one in listed], x.tolist()) == (1.0, [0.0, 1.0, 2.0], [2.0, 7.0, 0.0])
        windows = corearray.frontend.numpy.lib.stride_tricks.sliding_window_view(x, 2)
        assert windows.tolist() == [[2.0, 7.0], [7.0, 0.0]]
