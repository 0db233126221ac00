"""Products of vectors, matrices and tensors, against NumPy's and their definitions."""

from __future__ import annotations

from functools import reduce
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from standard.support import NUMERIC, array, be, check, covers, dtypes_of, examples

import corearray as ca


def whole(draw, dtype, shape):
    """Draw small whole numbers, of which products and sums are exact."""
    values = np.random.default_rng(draw(st.integers(0, 99))).integers(0, 4, (2, *shape))
    return (values[0] + 1j * values[1] if dtype.startswith("complex") else values[0]).astype(dtype)


sizes = st.integers(0, 3)


def shapes(draw, last=None):
    """Draw a shape of at most three axes, perhaps with a given one at the end."""
    front = tuple(draw(st.lists(sizes, max_size=2)))
    return front if last is None else (*front, last)


@covers("dot", "inner", "kron", "batched_outer")
@examples
@given(st.data())
def test_two_arrays(data):
    draw, dtype = data.draw, data.draw(dtypes_of(NUMERIC))
    length = draw(sizes)
    x = whole(draw, dtype, shapes(draw, length))
    vector = draw(st.booleans())
    y = whole(draw, dtype, (length,) if vector else (*shapes(draw, length), draw(sizes)))
    check(("dot", x, y), be.dot(array(x), array(y)), np.dot(x, y), dtype)
    z = whole(draw, dtype, shapes(draw, length))
    check(("inner", x, z), be.inner(array(x), array(z)), np.inner(x, z), dtype)
    scalar = whole(draw, dtype, ())
    check(("dot", x, scalar), be.dot(array(x), array(scalar)), x * scalar, dtype)
    check(("inner", scalar, x), be.inner(array(scalar), array(x)), x * scalar, dtype)
    check(("kron", x, z), be.kron(array(x), array(z)), np.kron(x, z), dtype)
    check(("kron", x, scalar), be.kron(array(x), array(scalar)), np.kron(x, scalar), dtype)
    stacks = [np.swapaxes(part, 0, -1) for part in (x, z)]
    want = np.stack([np.multiply.outer(one, two) for one, two in zip(*stacks, strict=True)]) if length else None
    if want is not None:
        check(("batched_outer", *stacks), be.batched_outer(*map(array, stacks)), want, dtype)


def test_kron_of_three_axes():
    x = np.arange(8, dtype="float32").reshape(2, 2, 2)
    check("kron", be.kron(array(x), array(x + 1)), np.kron(x, x + 1))
    check("kron", be.kron(array(x), array(x[0])), np.kron(x, x[0]))


@covers("kronecker", "khatri_rao", "multi_dot")
@examples
@given(st.data())
def test_several_matrices(data):
    draw, dtype = data.draw, data.draw(dtypes_of(NUMERIC))
    count, columns = draw(st.integers(2, 4)), draw(st.integers(1, 3))
    matrices = [whole(draw, dtype, (draw(st.integers(1, 3)), columns)) for _ in range(count)]
    skip, reverse = draw(st.sampled_from([None, 0, count - 1])), draw(st.booleans())
    chosen = [x for place, x in enumerate(matrices) if place != skip]
    chosen = chosen[::-1] if reverse else chosen
    options = {"skip_matrix": skip, "reverse": reverse}
    found = be.kronecker([array(x) for x in matrices], **options)
    check(("kronecker", matrices, options), found, reduce(np.kron, chosen), dtype)
    want = np.stack([reduce(np.kron, [x[:, i] for x in chosen]) for i in range(columns)], axis=1)
    check(("khatri_rao", matrices, options), be.khatri_rao([array(x) for x in matrices], **options), want, dtype)
    weights, mask = whole(draw, dtype, (columns,)), whole(draw, dtype, (want.shape[0], 1))
    found = be.khatri_rao([array(x) for x in matrices], weights=array(weights), mask=array(mask), **options)
    check(("khatri_rao", matrices, weights, mask), found, want * weights * mask, dtype)
    lengths = [draw(sizes) for _ in range(count + 1)]
    chain = [whole(draw, dtype, pair) for pair in pairwise(lengths)]
    check(("multi_dot", chain), be.multi_dot([array(x) for x in chain]), reduce(np.matmul, chain), dtype)
    chain[0], chain[-1] = whole(draw, dtype, (lengths[1],)), whole(draw, dtype, (lengths[-2],))
    check(("multi_dot", chain), be.multi_dot([array(x) for x in chain]), reduce(np.matmul, chain), dtype)


@covers("mode_dot", "multi_mode_dot", "unfold", "fold")
@examples
@given(st.data())
def test_modes_of_tensors(data):
    draw, dtype = data.draw, data.draw(dtypes_of(NUMERIC))
    shape = tuple(draw(st.lists(sizes, min_size=1, max_size=3)))
    x, mode = whole(draw, dtype, shape), draw(st.integers(-len(shape), len(shape) - 1))
    moved = np.moveaxis(x, mode, 0)
    unfolded = be.unfold(array(x), mode=mode)
    check(("unfold", x, mode), unfolded, moved.reshape(shape[mode], int(np.prod(moved.shape[1:]))), dtype)
    check(("fold", x, mode), be.fold(unfolded, shape, mode=mode), x, dtype)
    matrix, vector = whole(draw, dtype, (draw(sizes), shape[mode])), whole(draw, dtype, (shape[mode],))
    want = np.moveaxis(np.tensordot(matrix, x, (1, mode)), 0, mode)
    check(("mode_dot", x, matrix, mode), be.mode_dot(array(x), array(matrix), mode), want, dtype)
    found = be.mode_dot(array(x), array(np.conj(matrix.T)), mode, transpose=True)
    check(("mode_dot", x, matrix, mode, "transposed"), found, want, dtype)
    check(
        ("mode_dot", x, vector), be.mode_dot(array(x), array(vector), mode), np.tensordot(vector, x, (0, mode)), dtype
    )
    factors = [whole(draw, dtype, (*draw(st.sampled_from([(), (2,)])), size)) for size in shape]
    skip = draw(st.sampled_from([None, 0]))
    letters = "ijk"[: len(shape)]
    want, kept = x, letters
    for place, factor in enumerate(factors):
        if place != skip:
            letter = letters[place]
            new = kept.replace(letter, letter.upper() if factor.ndim == 2 else "")
            term = f"{letter.upper()}{letter}" if factor.ndim == 2 else letter
            want, kept = np.einsum(f"{term},{kept}->{new}", factor, want), new
    found = be.multi_mode_dot(array(x), [array(factor) for factor in factors], skip=skip)
    check(("multi_mode_dot", x, factors, skip), found, want, dtype)


def test_promotion():
    x, y = be.asarray([[1, 2]], dtype=be.int8), be.asarray([[0.5, 1.0]])
    for name in ("dot", "inner", "kron", "batched_outer"):
        assert getattr(be, name)(x, y.T if name == "dot" else y).dtype is ca.float32
    for name in ("kronecker", "khatri_rao"):
        assert getattr(be, name)([x, y]).dtype is ca.float32
    assert be.multi_dot([x, y.T]).dtype is be.mode_dot(x, y, 1).dtype is ca.float32


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda x: be.dot(x, be.ones((4, 2))), ValueError, "."),
        (lambda x: be.batched_outer(x, be.ones((3, 2))), ValueError, "two stacks of one length"),
        (lambda x: be.kronecker([x], skip_matrix=0), ValueError, "got no matrix"),
        (lambda x: be.khatri_rao([x, be.ones((2, 2))]), ValueError, "one number of columns"),
        (lambda x: be.mode_dot(x, x, 2), IndexError, "mode 2 of a tensor with 2 axes"),
        (lambda x: be.mode_dot(x, be.ones((2, 2)), 1), ValueError, "as many columns as the mode is long"),
        (lambda x: be.mode_dot(x, be.ones((1, 2, 3)), 1), ValueError, "a matrix or a vector"),
        (lambda x: be.multi_mode_dot(x, [x], modes=(0, 1)), ValueError, "1 factors and 2 modes"),
        (lambda x: be.multi_dot([x]), ValueError, "two or more matrices"),
        (lambda x: be.multi_dot([x, x]), ValueError, r"\(2, 3\), \(2, 3\)"),
        (lambda x: be.unfold(x, mode=2), IndexError, "mode 2"),
        (lambda x: be.fold(x, (2, 3), mode=2), IndexError, "mode 2"),
    ],
)
def test_what_cannot_be_multiplied(call, error, message):
    with pytest.raises(error, match=message):
        call(be.ones((2, 3)))


@covers("khatri_rao")
def test_khatri_rao_without_columns():
    x = array(np.zeros((2, 0)))
    check("khatri_rao", be.khatri_rao([x, x, array(np.zeros((3, 0)))]), np.zeros((12, 0)))
