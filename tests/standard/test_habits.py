"""What users of NumPy, PyTorch and JAX type out of habit, on every backend."""

from __future__ import annotations

import inspect

import numpy as np
import pytest
from standard.support import array, be, needs_derivatives, numpy_of

import corearray as ca
from corearray.calls.accelerated import accelerator
from corearray.calls.positions import guard_lines
from corearray.contract.declaration import DECLARATIONS

_X = np.arange(12.0).reshape(3, 4)

_KEYS = [
    np.asarray([2, 0]),
    np.asarray([[1], [-1]], dtype="int32"),
    np.asarray([True, False, True]),
    (slice(None), np.asarray([1, 1])),
    (np.asarray([2, 0]), np.asarray([3, 1])),
    _X > 5,
    ((0, 2), slice(None)),
    ((0, 2), (1, 3)),
    (..., (True, False, False, True)),
]


@pytest.mark.parametrize("key", _KEYS, ids=repr)
def test_arrays_of_numpy_and_tuples_within_keys(key):
    x = array(_X)
    np.testing.assert_array_equal(numpy_of(x[key]), _X[key])
    y, expected = array(_X.copy()), _X.copy()
    y[key] = 0.0
    expected[key] = 0.0
    np.testing.assert_array_equal(numpy_of(y), expected)


def test_arrays_of_numpy_are_no_other_keys():
    x = array(_X)
    with pytest.raises(IndexError, match="no indices"):
        x[np.asarray([1.5])]
    with pytest.raises(IndexError):
        x[np.asarray([True, False])]


def test_arrays_of_numpy_are_operands():
    x, y = array(_X.astype("float32")), np.linspace(1.0, 2.0, 4)
    for made, expected in [
        (x + y, _X + y),
        (y - x, y - _X),
        (x @ y, _X @ y),
        (y**x, y**_X),
        (x > y, y < _X),
        (y == x, y == _X),
    ]:
        assert isinstance(made, ca.Array) and made.backend is x.backend
        np.testing.assert_allclose(numpy_of(made), expected, rtol=1e-6)
    assert (x + y).dtype is ca.float64 and (x + y.astype("int16")).dtype is ca.float32
    kept = x
    x += y
    assert x is kept and x.dtype is ca.float32
    x[0] = y
    np.testing.assert_allclose(numpy_of(x)[0], y, rtol=1e-6)


@needs_derivatives
def test_gradients_pass_operands_of_numpy():
    y = np.asarray([2.0, 3.0])
    gradient = ca.grad(lambda x: be.sum(x * y) + be.sum((y - x)[np.asarray([0])]))(array(np.ones(2)))
    np.testing.assert_allclose(numpy_of(gradient), [1.0, 3.0])


def test_transposes_of_vectors_and_numbers():
    assert be.asarray([1.0, 2.0]).T.tolist() == [1.0, 2.0]
    assert be.asarray(3.0).T.tolist() == 3.0


def _positional():
    """Functions whose first option may be given by position, with its name."""
    for name, declaration in DECLARATIONS.items():
        guard = guard_lines(name, declaration.parameters)
        if guard and not guard[-1].endswith(", False)"):
            yield name, next(p.name for p in declaration.parameters if p.how == "keyword")


@pytest.mark.parametrize(("name", "option"), list(_positional()))
def test_an_option_by_position_stands_where_numpy_has_it(name, option):
    function = next((getattr(place, name) for place in (np, np.linalg, np.fft) if hasattr(place, name)), None)
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return  # NumPy has no such function, or tells nothing of it
    count = sum(p.how != "keyword" for p in DECLARATIONS[name].parameters)
    positional = [p.name for p in parameters if p.kind is not p.KEYWORD_ONLY]
    assert positional[count:] == [] or positional[count] == option


@pytest.mark.parametrize("xp", [ca, be], ids=["public", "backend"])
def test_options_by_position(xp):
    x = array(_X)
    for made, expected in [
        (xp.sum(x, 1), _X.sum(1)),
        (xp.mean(x, (0, 1)), _X.mean((0, 1))),
        (xp.tril(x, 1), np.tril(_X, 1)),
        (xp.flip(x, 0), np.flip(_X, 0)),
        (xp.tensordot(x, x, 2), np.tensordot(_X, _X, 2)),
        (xp.concat([x, x], 1), np.concatenate([_X, _X], 1)),
        (xp.roll(x, 1, 0), np.roll(_X, 1, 0)),
        (xp.repeat(x, 2, 0), np.repeat(_X, 2, 0)),
        (xp.softmax(x, -1), np.exp(_X) / np.exp(_X).sum(-1, keepdims=True)),
        (xp.zeros((2, 1), "int8"), np.zeros((2, 1), "int8")),
        (xp.sum(x, 1, keepdims=True), _X.sum(1, keepdims=True)),
    ]:
        np.testing.assert_allclose(numpy_of(made), expected, rtol=1e-6)
    for call, message in [
        (lambda: xp.diff(x, 1), r"'diff' takes its options by keyword; write diff\(x, n=1\); further options are"),
        (
            lambda: xp.sum(x, 1, True),
            r"'sum' takes its options by keyword; write sum\(x, axis=1\); further options are",
        ),
        (lambda: xp.sum(x, 0, axis=1), r"write sum\(x, axis=0\); further"),
        (lambda: xp.isclose(x, x, 1e-3), r"write isclose\(x1, x2, rtol=0\.001\); further options are atol"),
        (lambda: xp.concat(x, x), r"'concat' takes the arrays in one list; write concat\(\[x, y\]\)$"),
        (lambda: xp.zeros(2, 3), r"'zeros' takes the sizes in one tuple; write zeros\(\(2, 3\)\) for two axes$"),
        (lambda: xp.cumulative_sum(x, 5), r"axis"),
    ]:
        with pytest.raises((TypeError, IndexError), match=message):
            call()


def test_updated_copies():
    x, places = array(_X), np.asarray([2, 0, 2])
    y = np.arange(12.0, 0.0, -1.0).reshape(3, 4)

    def at(ufunc, key, value):
        expected = _X.copy()
        ufunc.at(expected, key, value)
        return expected

    for made, expected in [
        (x.at[0].set(7), np.concatenate([np.full((1, 4), 7.0), _X[1:]])),
        (x.at[1:, ::2].add(1.5), at(np.add, np.s_[1:, ::2], 1.5)),
        (x.at[places].add(1), at(np.add, places, 1.0)),
        (x.at[places].subtract(array(y)), at(np.subtract, places, y)),
        (x.at[:, [1, 1]].multiply(2), at(np.multiply, np.s_[:, [1, 1]], 2.0)),
        (x.at[places, [1, 1, 1]].divide(2.0), at(np.divide, (places, [1, 1, 1]), 2.0)),
        (x.at[array(places)].min(array(y)), at(np.minimum, places, y)),
        (x.at[x > 5].max(9.0), at(np.maximum, _X > 5, 9.0)),
    ]:
        assert isinstance(made, ca.Array) and made.dtype is x.dtype
        np.testing.assert_allclose(numpy_of(made), expected)
    np.testing.assert_array_equal(numpy_of(x), _X)
    assert numpy_of(x.at[0].get()).tolist() == _X[0].tolist()
    integers = array(np.asarray([1, 2], dtype="int8"))
    assert integers.at[0].add(1.0).tolist() == [2, 2]
    unsigned = array(np.asarray([0, 3], dtype="uint8"))
    assert unsigned.at[1].subtract(1).tolist() == [0, 2]
    assert unsigned.at[np.asarray([0, 0])].subtract(1).tolist() == [254, 3]
    assert x.at[0].add([1.0, 2.0, 3.0, 4.0]).tolist()[0] == (_X[0] + [1.0, 2.0, 3.0, 4.0]).tolist()
    with pytest.raises(TypeError, match="needs floating-point numbers"):
        integers.at[0].divide(2)


@needs_derivatives
def test_gradients_of_updated_copies():
    gradient = ca.grad(lambda x: be.sum(x.at[np.asarray([0, 0])].multiply(3.0) * x))(array(np.asarray([2.0, 5.0])))
    np.testing.assert_allclose(numpy_of(gradient), [36.0, 10.0])


def test_elements():
    x = array(_X)
    assert (x.item(5), x.item(1, 2), x.item((2, -1)), x[0, :1].item()) == (5.0, 6.0, 11.0, 0.0)
    with pytest.raises(ValueError, match="size 1"):
        x.item()
    x.fill(2)
    assert numpy_of(x).tolist() == np.full((3, 4), 2.0).tolist()


def test_decimals():
    x = np.asarray([1.256, -2.345, 17.5, np.inf, np.nan])
    for decimals in (0, 2, -1):
        np.testing.assert_allclose(numpy_of(array(x).round(decimals)), np.round(x, decimals), rtol=1e-15)
    assert numpy_of(array(np.asarray([15, 24, -26])).round(-1)).tolist() == [20, 20, -30]
    large = [2**62 + 7, -(2**62) - 5, 25, 35, -25]
    assert numpy_of(array(np.asarray(large)).round(-1)).tolist() == [round(x, -1) for x in large]
    small = np.asarray([127, -128, 50, 49], dtype="int8")
    assert [numpy_of(array(small).round(d)).tolist() for d in (-2, -3)] == [[100, -100, 0, 0], [0, 0, 0, 0]]
    assert numpy_of(array(np.asarray([1e300, 1.26])).round(10)).tolist() == pytest.approx([1e300, 1.26])
    assert array(np.asarray([1.5, np.inf])).round(-400).tolist() == [0.0, np.inf]
    number = be.asarray(1.256, dtype="float64")
    assert (round(number, 2), round(number), number.__trunc__()) == (1.26, 1, 1)
    assert round(array(x[:2]), 1).tolist() == pytest.approx([1.3, -2.3])


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("weights", [None, "int8", "float32"])
def test_counts_of_a_given_length(weights):
    x, w = (
        np.asarray([1, 3, 1, 7, -1], dtype="int32"),
        None if weights is None else np.asarray([2, 3, 4, 5, 6], dtype=weights),
    )
    kept = slice(0, 3)
    expected = np.bincount(x[kept], None if w is None else w[kept], 5)
    given = () if w is None else (array(w),)
    np.testing.assert_array_equal(numpy_of(be.bincount(array(x), *given, length=5)), expected)
    compiled = ca.compile(lambda x, *w: be.bincount(x, *w, length=5))
    np.testing.assert_array_equal(numpy_of(compiled(array(x), *given)), expected)


def test_random_numbers_by_names_of_numpy():
    rng, other = ca.random.default_rng(7), ca.random.Generator(7)
    np.testing.assert_array_equal(
        numpy_of(rng.normal(0.0, 2.0, (2, 3))), numpy_of(other.normal(0.0, 2.0, shape=(2, 3)))
    )
    np.testing.assert_array_equal(numpy_of(rng.integers(0, 9, size=4)), numpy_of(other.integers(0, 9, shape=4)))
    kept = ca.random.default_generator()
    try:
        found = []
        for _ in range(2):
            ca.random.seed(3)
            drawn = (
                ca.random.uniform(size=2),
                ca.random.normal(size=2),
                ca.random.integers(5, size=2),
                ca.random.permutation(3),
            )
            found.append([x.tolist() for x in drawn])
    finally:
        ca.random.context._make_default(kept)
    assert found[0] == found[1]
    with pytest.raises(TypeError, match="'normal' got shape and size; give one of them"):
        rng.normal(size=2, shape=2)


class _Parameter:
    """A parameter of a library of layers: it has the attributes of its array, and `__index__` for those without axes."""

    def __init__(self, value):
        self._held = value

    def __len__(self):
        return self._held.shape[0]

    def __getitem__(self, place):
        return self._held[place]

    def __index__(self):
        return int(self._held)

    dtype = property(lambda self: self._held.dtype)
    shape = property(lambda self: self._held.shape)


class _Variable(_Parameter):
    """One that gives its array as `value`; its copy for NumPy would lose gradients."""

    value = property(lambda self: self._held)

    def __array__(self, dtype=None, copy=None):
        raise AssertionError("the array was to be read as it is")


class _Number:
    def __float__(self):
        return 2.5

    def __index__(self):
        return 2


@pytest.mark.parametrize("kind", [_Parameter, _Variable])
def test_parameters_of_other_libraries_are_no_integers(kind):
    x = be.asarray([1.5, 2.75])
    held = kind(ca.to_native(x))
    assert be.asarray(held).dtype is x.dtype
    for made in (be.asarray(held), be.asarray([held, held])[0, :], be.multiply(be.ones(2), held)):
        assert made.tolist() == [1.5, 2.75]
    assert be.asarray(_Number()).tolist() == 2.5 and be.asarray([_Number(), 1]).tolist() == [2.5, 1.0]


@needs_derivatives
def test_gradients_pass_variables_of_other_libraries():
    gradient = ca.grad(lambda x: be.sum(be.square(_Variable(ca.to_native(x)))))(be.asarray([1.0, 2.0]))
    assert gradient.tolist() == [2.0, 4.0]


@pytest.mark.skipif(be.name == "strict", reason="it calls LAPACK as it is")
@pytest.mark.filterwarnings("ignore:invalid value:RuntimeWarning")
def test_one_matrix_with_nan_in_a_batch():
    x = np.stack([np.eye(2) * 4, [[np.nan, 1], [0, 1]], 2 * np.eye(2)])
    found = [
        (be.linalg.inv(array(x)), np.eye(2) / 4),
        (be.linalg.solve(array(x), array(np.ones((3, 2, 1)))), np.full((2, 1), 0.25)),
        (be.linalg.svdvals(array(x)), np.full(2, 4.0)),
        (be.linalg.pinv(array(x)), np.eye(2) / 4),
        (be.linalg.det(array(x)), np.asarray(16.0)),
    ]
    for made, first in found:
        made = numpy_of(made)
        np.testing.assert_allclose(made[0], first)
        assert np.isnan(made[1]).any() and np.isfinite(made[2]).all()


@pytest.mark.skipif(accelerator is None, reason="the accelerator explains names of options")
def test_options_by_names_of_other_libraries():
    x = array(_X)
    for call, wanted in (
        (lambda: ca.where(x > 0), r"'where' takes no such call; write nonzero\(condition\)"),
        (lambda: ca.squeeze(x), r"'squeeze' takes no such call; write x.squeeze\(\)"),
        (lambda: ca.round(x, decimals=1), r"'round' takes no such call; write x.round\(decimals\)"),
        (lambda: ca.mean(x, dim=0), r"'mean' has no option 'dim'; write mean\(x, axis=...\)"),
        (lambda: ca.sum(x, keepdim=True), r"write sum\(x, keepdims=...\)"),
        (lambda: ca.clip(x, a_min=0.0), r"write clip\(x, min=...\)"),
        (lambda: ca.sum(x, axs=1), r"write sum\(x, axis=...\)"),
        (lambda: ca.exp(x, where=x), "'exp' has no option 'where'; its options are out"),
        (lambda: ca.round(x, 1), r"out of 'round' must be an Array, got int; write x.round\(1\)"),
        (lambda: ca.var(x, unbiased=True), r"write var\(x, correction=...\)"),
        (lambda: ca.mean(x, dtype=ca.float64), r"write mean\(ca.astype\(x, dtype\)\)"),
        (lambda: ca.var(x, correction=1, ddof=1), "got both 'correction' and 'ddof'"),
        (lambda: ca.split(x, num_or_size_splits=2), r"write split\(x, indices_or_sections\)"),
        (lambda: ca.add(x1=x, x2=x), r"'add' takes 'x1', 'x2' by position; write add\(x1, x2\)$"),
        (
            lambda: ca.one_hot(x, num_classes=3),
            r"takes 'num_classes' by position; write one_hot\(indices, num_classes\)$",
        ),
        (lambda: ca.linspace(0, 1, steps=3), r"write linspace\(start, stop, num=...\)"),
        (lambda: ca.tril(x, diagonal=1), r"write tril\(x, k=...\)"),
        (lambda: ca.hstack(x, x), r"'hstack' takes the arrays in one list; write hstack\(\[x, y\]\)$"),
        (lambda: ca.tensordot(x, x, dims=2), r"write tensordot\(x1, x2, axes=...\)"),
        (lambda: ca.pad(x, 1, value=2.0), r"write pad\(x, pad_width, constant_values=...\)"),
        (lambda: ca.sum(x, 1, True), r"write sum\(x, axis=1\); further options are dtype, keepdims, out$"),
        (lambda: ca.full(2, 3, 0.0), r"write full\(\(2, 3\), fill_value\) for two axes$"),
        (lambda: ca.asarray(1, 2), r"'asarray' takes the numbers in one list"),
        (lambda: ca.grad(x), r"'grad' takes a function, got an object of type Array$"),
        (
            lambda: ca.reshape(x, 4, 3),
            r"'reshape' takes 'shape' in one tuple; write reshape\(x, \(2, 3\)\) for two axes$",
        ),
        (lambda: ca.broadcast_to(x, 3, 4), r"write broadcast_to\(x, \(2, 3\)\)"),
        (lambda: ca.permute_dims(x, 1, 0), r"write permute_dims\(x, \(1, 0\)\)"),
        (lambda: ca.tile(x, 1, 2), r"'tile' takes 'repetitions' in one tuple"),
    ):
        with pytest.raises(TypeError, match=wanted):
            call()
    with pytest.raises(TypeError, match="missing 1 required positional argument"):
        ca.mean(axis=0)


def test_testing_needs_no_import():
    ca.testing.assert_allclose(array(_X), _X)


def test_views_of_the_same_dtype():
    x = array(_X)
    for made, expected in (
        (x.view(-1), _X.reshape(-1)),
        (x.view(2, -1), _X.reshape(2, -1)),
        (x.view((6, 2)), _X.reshape(6, 2)),
        (x.view(), _X),
        (x.view(x.dtype), _X),
        (x.flatten(1), _X),
        (x[None, :, :].flatten(1), _X.reshape(1, -1)),
    ):
        np.testing.assert_array_equal(numpy_of(made), expected)
    with pytest.raises(TypeError, match=r"as 'int32'; write x.astype\(dtype\)"):
        x.view("int32")


def test_truth_of_arrays_with_one_element():
    assert [bool(be.asarray(x)) for x in ([[1.0]], [False], [0])] == [True, False, False]
    for shape in ((2,), (0,), (1, 0)):
        with pytest.raises(ValueError, match="ambiguous"):
            bool(be.ones(shape))


@pytest.mark.parametrize(
    ("name", "meant"),
    [("f4", "float32"), ("<i8", "int64"), ("np.float16", "float16"), ("double", "float64"), ("flaot32", "float32")],
)
def test_dtypes_by_other_names(name, meant):
    with pytest.raises(TypeError, match=f"'{name}' is no dtype; did you mean '{meant}'"):
        be.zeros(2, dtype=name)


def test_an_array_is_no_dtype():
    with pytest.raises(TypeError, match=r"an array of the shape \(2, 3\) is no dtype; write x\.dtype"):
        ca.isdtype(be.ones((2, 3)), "real floating")


def test_names_of_layers():
    assert ca.nn.Linear(in_features=3, out_features=2)(be.ones((1, 3))).shape == (1, 2)
    assert ca.nn.Bilinear(in1_features=3, in2_features=2, out_features=1).weight.shape == (1, 3, 2)
    for name, said in (("functional", "functions such as relu"), ("relu", "it is 'corearray.relu' here")):
        with pytest.raises(AttributeError, match=f"'{name}'; {said}"):
            getattr(ca.nn, name)
    assert not hasattr(ca.nn, "Nothing")


def test_the_array_comes_first_in_a_file(tmp_path):
    with pytest.raises(TypeError, match=r"'save' takes the array first; write save\(x, path\)"):
        ca.save(tmp_path / "x.npy", array(_X))
    with pytest.raises(TypeError, match=r"'save' takes the array first; write save\(x, path\)"):
        ca.save(str(tmp_path / "x.npz"), {"x": array(_X)})
    with pytest.raises(TypeError, match=r"'save' takes a path as text or as a pathlib.Path, got int"):
        ca.save(array(_X), 3)
