"""Arithmetic against Python's integers and NumPy's float64 and complex128."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from standard.elementwise import (
    Case,
    binary_of_every_dtype,
    binary_property,
    of_every_dtype,
    unary_of_every_dtype,
    unary_property,
)
from standard.support import (
    ANY,
    COMPLEX,
    FLOAT,
    REAL,
    Domain,
    array,
    arrays,
    be,
    cast,
    check,
    covers,
    dtypes_of,
    examples,
    needs_derivatives,
    numpy_of,
    shapes,
    wide,
)

import corearray as ca

_LARGE = Domain(-1e15, 1e15)
#: Multiples of an eighth: their quotients are integers, or so far from one that no rounding makes them one.
_EIGHTHS = Domain(-64, 64, step=0.125)
_DIVISORS = Domain(-8, 8, step=0.125, nonzero=True)


def _sign(x):
    return np.where(x == 0, 0, x / np.where(x == 0, 1, np.abs(x))) if x.dtype.kind == "c" else np.sign(x)


UNARY = {
    "abs": Case(np.abs, gives="real", domain=_LARGE),
    "conj": Case(np.conjugate),
    "imag": Case(np.imag, COMPLEX, "real"),
    "negative": Case(np.negative, domain=ANY),
    "positive": Case(np.positive, domain=ANY),
    "real": Case(np.real, COMPLEX, "real"),
    "reciprocal": Case(lambda x: 1 / x, gives="float", domain=Domain(nonzero=True)),
    "sign": Case(_sign, domain=_LARGE),
}

BINARY = {
    "add": Case(np.add, domain=_LARGE),
    "complex": Case(lambda x1, x2: x1 + 1j * x2, FLOAT, "complex"),
    "divide": Case(np.divide, gives="float", second=Domain(nonzero=True)),
    "floor_divide": Case(np.floor_divide, REAL, domain=_EIGHTHS, second=_DIVISORS),
    "hypot": Case(np.hypot, REAL, "float", domain=_LARGE),
    "maximum": Case(np.maximum, REAL, domain=ANY),
    "minimum": Case(np.minimum, REAL, domain=ANY),
    "multiply": Case(np.multiply, domain=_LARGE),
    "remainder": Case(np.remainder, REAL, domain=_EIGHTHS, second=_DIVISORS),
    "subtract": Case(np.subtract, domain=_LARGE),
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


@st.composite
def _bounded(draw):
    """Draw an array and bounds for it: arrays that broadcast to it, Python scalars, or none."""
    dtype = draw(dtypes_of(REAL))
    x = draw(arrays(dtype, shapes, Domain(-50, 50)))
    low, high = sorted(draw(st.lists(Domain(-20, 20).elements(dtype), min_size=2, max_size=2)))

    def form(bound):
        how = draw(st.sampled_from(("none", "scalar", "array", "row")))
        if how == "none":
            return None
        if how == "scalar":
            return bound
        return np.full(x.shape if how == "array" else x.shape[-1:], bound, dtype)

    return dtype, x, form(low), form(high)


@covers("clip")
@examples
@given(_bounded())
def test_clip(drawn):
    dtype, x, low, high = drawn
    bounds = [array(bound) if isinstance(bound, np.ndarray) else bound for bound in (low, high)]
    want = wide(x)
    if low is not None:
        want = np.maximum(want, wide(cast(low, dtype)))
    if high is not None:
        want = np.minimum(want, wide(cast(high, dtype)))
    check(("clip", *drawn[1:]), be.clip(array(x), *bounds), want, dtype)
    check(("clip", x, {"min": low, "max": high}), be.clip(array(x), min=bounds[0], max=bounds[1]), want, dtype)


@pytest.mark.parametrize("name", ["add", "negative", "clip"])
def test_out_may_be_larger_than_the_result(name):
    """As in NumPy, the result of an elementwise function is broadcast into `out`; that of a reduction is not."""
    x, out = be.asarray([1.0, 2.0]), be.zeros((3, 2))
    assert getattr(be, name)(x, *([x] if name == "add" else []), out=out) is out
    assert out.tolist() == [{"add": [2.0, 4.0], "negative": [-1.0, -2.0], "clip": [1.0, 2.0]}[name]] * 3
    with pytest.raises(ValueError, match=r"out|broadcast"):
        getattr(be, name)(x, *([x] if name == "add" else []), out=be.zeros((2, 3)))
    with pytest.raises(ValueError, match="does not fit into out"):
        be.sum(x, out=out)


@covers("add", "subtract")
@pytest.mark.parametrize("dtype", COMPLEX)
def test_complex_numbers_are_added_part_by_part(dtype):
    inf = float("inf")
    some = np.array([[1j, complex(inf, 2.0), complex(1.0, -inf)], [complex(inf, -inf), 3.0, -1j]], dtype)
    others = (
        np.array([[inf, complex(1.0, inf), 2j], [1j, complex(-inf, 1.0), 2.0]], dtype),
        np.array([[complex(1.0, inf)], [inf]], dtype),
        np.array([complex(1.0, inf), 2.0, inf], dtype),
        np.array([complex(1.0, inf)], dtype),
        np.array(complex(inf, 3.0), dtype),
        np.array([[[complex(inf, 3.0)]], [[1j]]], dtype),
    )
    for some, other in [*((some, other) for other in others), (others[0][:0, :1], others[-2]), (others[-2], others[3])]:
        for name, operation in (("add", np.add), ("subtract", np.subtract)):
            for one, two in ((some, other), (other, some)):
                with np.errstate(invalid="ignore"):
                    found = getattr(be, name)(array(one), array(two))
                    real, imag = operation(one.real, two.real), operation(one.imag, two.imag)
                    native = getattr(be.native, name)(array(one).native, array(two).native)
                for result in (found, be.wrap(native)):
                    np.testing.assert_array_equal(numpy_of(be.real(result)), real)
                    np.testing.assert_array_equal(numpy_of(be.imag(result)), imag)


@covers("add", "subtract")
def test_complex_numbers_beside_numbers_and_in_place():
    inf = float("inf")
    x = be.asarray([1j, 2 - 1j], dtype="complex64")

    def parts(z):
        return be.real(z).tolist(), be.imag(z).tolist()

    assert parts(x + inf) == parts(inf + x) == ([inf, inf], [1.0, -1.0])
    assert parts(x - inf) == ([-inf, -inf], [1.0, -1.0])
    assert parts(inf - x) == ([inf, inf], [-1.0, 1.0])
    assert parts(be.asarray([1.0, 2.0]) + complex(0.0, inf)) == ([1.0, 2.0], [inf, inf])
    y = be.asarray(x, copy=True)
    y += be.asarray([inf, 1.0], dtype="complex64")
    assert parts(y) == ([inf, 3.0], [1.0, -1.0])
    y[0] = 2.0
    y -= inf
    assert parts(y) == ([-inf, -inf], [0.0, -1.0])


@covers("hypot")
@needs_derivatives
def test_derivatives_of_hypot():
    """Those of the shorter and of the longer side, of sides of one length and of the longest."""
    x, y = np.asarray([3.0, 4.0, 2.0, -2.0, 1e300]), np.asarray([4.0, 3.0, 2.0, 2.0, -1e300])
    length = np.hypot(x, y)
    with ca.backend_context(be):
        slope = ca.grad(lambda x, y: ca.sum(ca.hypot(x, y)), argnums=(0, 1))
        for found, side in zip(slope(array(x), array(y)), (x, y), strict=True):
            np.testing.assert_allclose(numpy_of(found), side / length)
        again = ca.grad(lambda x: ca.sum(slope(x, array(y[:4]))[0]))(array(x[:4]))
    np.testing.assert_allclose(numpy_of(again), y[:4] ** 2 / length[:4] ** 3)
