"""`vectorize` against NumPy's."""

from __future__ import annotations

import numpy as np
import pytest
from standard.support import array, be, numpy_of

import corearray as ca

RANDOM = np.random.default_rng(3)


@pytest.fixture(autouse=True)
def on_this_backend():
    with ca.backend_context(be):
        yield


@pytest.mark.parametrize(
    ("signature", "shapes", "numpy", "ours"),
    [
        (None, [(2, 1), (3,)], lambda x, y: x * y + 1, lambda x, y: x * y + 1),
        ("(n),(n)->()", [(2, 3), (3,)], np.dot, ca.vecdot),
        ("(m,n),(n)->(m)", [(2, 1, 3, 4), (5, 4)], np.matmul, ca.matmul),
        ("(m, 2) -> (2), ()", [(4, 3, 2)], lambda x: (x[0], x.sum()), lambda x: (x[0], ca.sum(x))),
        ("(n)->(n)", [(3,)], lambda x: x[::-1], ca.flip),
    ],
)
def test_as_numpy(signature, shapes, numpy, ours):
    given = [RANDOM.normal(size=shape) for shape in shapes]
    want = np.vectorize(numpy, signature=signature and signature.replace(" ", "").replace("2", "k"))(*given)
    found = ca.vectorize(ours, signature=signature)(*map(array, given))
    for one, other in zip(*((x if isinstance(x, tuple) else (x,)) for x in (found, want)), strict=True):
        assert one.shape == other.shape
        np.testing.assert_allclose(numpy_of(one), other, rtol=1e-12)


def test_what_is_passed_on_and_given_by_name():
    def scaled(x, how, *, by):
        assert how == "text"
        return x * by

    found = ca.vectorize(scaled, excluded=[1])(
        array(np.asarray([1.0, 2.0])), "text", by=array(np.asarray([[2.0], [3.0]]))
    )
    assert found.tolist() == [[2.0, 4.0], [3.0, 6.0]] and ca.vectorize(scaled).__name__ == "scaled"


@pytest.mark.parametrize(
    ("words", "signature", "shapes"),
    [
        ("write one such as", "n->n", [(3,)]),
        ("has the size 2 along 'n', which is 3", "(n),(n)->()", [(3,), (2,)]),
        ("has 1 axes, and", "(m,n)->(m)", [(3,)]),
        ("vectorized for 1 arguments", "(n)->()", [(3,), (3,)]),
        ("returned 1 arrays", "(n)->(),()", [(2, 3)]),
        ("result 0 of", "(n)->(n)", [(2, 3)]),
        ("no element", "(n)->()", [(0, 3)]),
    ],
)
def test_what_is_refused(words, signature, shapes):
    with pytest.raises(ValueError, match=words):
        ca.vectorize(lambda *x: ca.sum(x[0]), signature=signature)(*(array(np.ones(shape)) for shape in shapes))


def test_excluded_are_places_and_names():
    with pytest.raises(TypeError, match="places and names"):
        ca.vectorize(ca.sin, excluded=[1.5])
