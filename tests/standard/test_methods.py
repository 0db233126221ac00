"""Methods of Array: those of NumPy's arrays, with its order of arguments, against NumPy."""

from __future__ import annotations

import numpy as np
import pytest
from standard.support import COMPLEX, REAL, array, be

import corearray as ca
from corearray.errors import CoreArrayTypeError

X = np.random.default_rng(0).normal(size=(2, 3, 4)) * 3


@pytest.mark.parametrize(
    "call",
    [
        *(
            lambda x, name=name, args=args: getattr(x, name)(*args)
            for name in ("max", "min", "sum", "prod", "mean", "std", "var")
            for args in ((), (1,), ((0, -1),))
        ),
        *(lambda x, name=name: getattr(x, name)(axis=1, keepdims=True) for name in ("all", "any", "max", "mean", "std")),
        *(lambda x, name=name: getattr(x, name)(1) for name in ("argmax", "argmin", "argsort", "cumsum", "cumprod")),
        *(
            lambda x, name=name: getattr(x, name)()
            for name in (
                "abs", "argmax", "argmin", "argsort", "conj", "copy", "cumsum", "cumprod", "flatten", "ravel", "round",
                "squeeze", "transpose",
            )
        ),
        lambda x: x.std(1, ddof=1),
        lambda x: x.var(axis=0, ddof=1, keepdims=True),
        lambda x: x.sum(0, "float64"),
        lambda x: x.mean(0, "float32"),
        lambda x: x.astype("int32"),
        lambda x: x.clip(-1.0, 1.0),
        lambda x: x.clip(max=1.0),
        lambda x: x.reshape(4, 6),
        lambda x: x.reshape((3, -1)),
        lambda x: x.reshape(-1),
        lambda x: x.transpose(2, 0, 1),
        lambda x: x.transpose((1, 0, 2)),
        lambda x: x.swapaxes(0, -1),
        lambda x: x[:, :1, :].squeeze(1),
        lambda x: x[:1, :, :1].squeeze(),
        lambda x: x.take([1, 0, -1], axis=1),
        lambda x: x.take([5, 0]),
        lambda x: x.repeat(2),
        lambda x: x.repeat(2, axis=1),
        lambda x: np.sort(X[0, 0]).searchsorted(X[1, 1]) if x is X else be.sort(x[0, 0, :]).searchsorted(x[1, 1, :]),
        lambda x: x[0, ...].dot(x[1, ...].swapaxes(0, 1)),
        lambda x: x.real,
        lambda x: x.imag,
        lambda x: (x > 0).nonzero()[1],
        *(lambda x, part=part: divmod(x, 1.5)[part] for part in (0, 1)),
        *(lambda x, part=part: divmod(2, x)[part] for part in (0, 1)),
    ],
)  # fmt: skip
def test_methods_are_those_of_numpy(call):
    wanted = np.abs(X) if call.__defaults__ == ("abs",) else call(X)
    found = call(array(X))
    assert isinstance(found, ca.Array)
    assert found.shape == wanted.shape
    np.testing.assert_allclose(np.asarray(be.to_numpy(found)), wanted, rtol=1e-6, atol=1e-12)


def test_methods_beyond_numpy():
    x = array(X)
    np.testing.assert_array_equal(
        be.to_numpy(x.expand_dims(1).permute_dims(3, 1, 0, 2)), X[:, None].transpose(3, 1, 0, 2)
    )
    np.testing.assert_allclose(be.to_numpy(x.square().exp().log().sqrt()), np.abs(X))
    np.testing.assert_allclose(be.to_numpy(x.std(0, correction=1)), X.std(0, ddof=1))
    assert be.to_numpy(x).dtype == x.to_numpy().dtype


def test_sort_is_in_place_as_numpys():
    x = array(X)
    part = x[1]
    assert x.sort(0, descending=True) is None
    np.testing.assert_array_equal(be.to_numpy(x), np.sort(X, axis=0)[::-1])
    np.testing.assert_array_equal(be.to_numpy(part), np.sort(X, axis=0)[::-1][1])
    part.sort()
    np.testing.assert_array_equal(be.to_numpy(x)[1], np.sort(np.sort(X, axis=0)[::-1][1]))


@pytest.mark.parametrize("dtype", [*REAL, *COMPLEX, "bool"])
def test_what_an_array_says_of_itself(dtype):
    x = np.ones((2, 3), dtype)
    found = array(x)
    assert (found.itemsize, found.nbytes) == (x.itemsize, x.nbytes)
    for part in ("real", "imag"):
        assert str(getattr(found, part).dtype) == str(getattr(x, part).dtype)
        assert getattr(found, part).tolist() == getattr(x, part).tolist()


def test_methods_write_into_out_and_nothing_else():
    x, out = array(X), be.zeros(3, dtype="float64")
    assert x.sum((0, 2), out=out) is out
    np.testing.assert_allclose(be.to_numpy(out), X.sum((0, 2)))
    x.clip(0.0, 1.0), x.round()
    np.testing.assert_array_equal(be.to_numpy(x), X)
    copied = x.flatten()
    copied[0] = 99.0
    assert float(x[0, 0, 0]) == X[0, 0, 0]


@pytest.mark.parametrize(
    ("call", "written"),
    [
        (lambda x: x.sum(dim=1), "'sum' has no option 'dim'; write x.sum(axis=...)"),
        (lambda x: x.mean(1, keepdim=True), "'mean' has no option 'keepdim'; write x.mean(keepdims=...)"),
        (lambda x: x.std(unbiased=False), "'std' has no option 'unbiased'; write x.std(correction=...)"),
        (lambda x: x.clip(a_min=0), "'clip' has no option 'a_min'; write x.clip(min=...)"),
        (lambda x: x.round(ndigits=2), "'round' has no option 'ndigits'; write x.round(decimals=...)"),
        (lambda x: x.repeat(2, dim=0), "'repeat' has no option 'dim'; write x.repeat(repeats, axis=...)"),
        (lambda x: x.reshape(shape=(4,)), "'reshape' has no option 'shape'; write x.reshape(*shape)"),
        (
            lambda x: x.astype("int8", casting="no"),
            "'astype' has no option 'casting'; its options are dtype, copy, device",
        ),
        (lambda x: ca.Container(a=x).sum(dim=0), "'sum' has no option 'dim'; write x.sum(axis=...)"),
        (lambda x: ca.Container(a=x).sort(dim=0), "'sort' has no option 'dim'; write x.sort(axis=...)"),
    ],
)
def test_keywords_of_other_libraries_are_named(call, written):
    with pytest.raises(CoreArrayTypeError) as raised:
        call(ca.ones((2, 2)))
    assert str(raised.value) == written
