"""Patterns of einops: the same as einops on NumPy arrays, with corearray's dtypes and views, and clear refusals."""

from __future__ import annotations

import sys

import einops
import numpy as np
import pytest
from standard.support import NAME, array, be, check

import corearray as ca

X = np.arange(24, dtype="float32").reshape(2, 3, 4)


@pytest.fixture(autouse=True)
def on_this_backend():
    with ca.backend_context(be):
        yield


@pytest.mark.parametrize("dtype", ["float32", "int32", "complex128", "bool"])
def test_rearrange_and_repeat(dtype):
    x = X.astype(dtype)
    for pattern, lengths in (
        ("a b c -> c (a b)", {}),
        ("a b (c d) -> (a d) b c", {"d": 2}),
        ("a ... -> ... a", {}),
        ("a b c -> a 1 (b c) ()", {}),
    ):
        check((pattern, x), ca.einops_rearrange(array(x), pattern, **lengths), einops.rearrange(x, pattern, **lengths))
    for pattern, lengths in (("a b c -> a b c 2", {}), ("a b c -> (n a) b c", {"n": 3})):
        check((pattern, x), ca.einops_repeat(array(x), pattern, **lengths), einops.repeat(x, pattern, **lengths))


def test_reduce():
    for name in ("min", "max", "sum", "mean", "prod"):
        want = einops.reduce(X.astype("float64"), "a b (c 2) -> c 1 a", name)
        check(name, ca.einops_reduce(array(X), "a b (c 2) -> c 1 a", name), want, "float32", factor=10)
    check("sum", ca.einops_reduce(array(X.astype("int32")), "a b c -> b", "sum"), X.sum((0, 2)).astype("int64"))
    for name in ("any", "all"):
        check(name, ca.einops_reduce(array(X > 3), "a b c -> a b", name), getattr(X > 3, name)(axis=2))


def test_native_arrays_lists_and_containers():
    native = array(X).native
    check("native", ca.einops_rearrange(native, "a b c -> (a b c)"), X.reshape(-1))
    check("listed", ca.einops_rearrange([[1.0, 2.0]], "a b -> b a"), np.asarray([[1.0], [2.0]], "float32"))
    for several in ([array(X), array(X)], (native, native)):
        check("several", ca.einops_rearrange(several, "n a b c -> a n b c"), np.stack([X, X], 1))
    found = ca.einops_reduce(ca.Container(a=array(X), b={"c": array(2 * X)}), "a b c -> a", "sum")
    assert type(found) is ca.Container
    check("a", found.a, X.sum((1, 2)))
    check("b/c", found["b/c"], 2 * X.sum((1, 2)))


@pytest.mark.skipif(NAME == "strict", reason="has no views")
def test_what_is_rearranged_is_a_view():
    x = array(X)
    y = ca.einops_rearrange(x, "a b c -> c b a")
    x[0, 0, 1] = 99.0
    assert float(y[1, 0, 0]) == 99.0


def test_what_cannot_be_applied(monkeypatch):
    for call in (
        lambda: ca.einops_rearrange(array(X), "a b -> b a"),
        lambda: ca.einops_rearrange(array(X), "a b c -> c (b"),
        lambda: ca.einops_repeat(array(X), "a b c -> a b c d"),
        lambda: ca.einops_rearrange(array(X), "(a d) b c -> a b c d", d=3),
    ):
        with pytest.raises(ValueError, match=r"'einops_re[a-z]*' got a pattern that cannot be applied"):
            call()
    with pytest.raises(ValueError, match="got the reduction 'median'; it is one of min, max"):
        ca.einops_reduce(array(X), "a b c -> a", "median")
    monkeypatch.setitem(sys.modules, "einops", None)
    with pytest.raises(ImportError, match=r"needs the library einops.*pip install .*einops") as caught:
        ca.einops_rearrange(array(X), "a b c -> c b a")
    assert isinstance(caught.value, ca.CoreArrayError)
