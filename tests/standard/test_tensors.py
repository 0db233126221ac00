"""Tensors made of factors, unfolded, and multiplied, against NumPy's einsum; few shapes, for those that compile."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from standard.support import COMPLEX, array, be, check, covers, dtypes_of, examples, float_dtype, wide

import corearray as ca

_seeds = st.integers(0, 99)
_DTYPES = ("float32", "complex128", "int8")


def whole(seed, dtype, shape):
    """Return small whole numbers, of which products and sums are exact."""
    values = np.random.default_rng(seed).integers(0, 3, (2, *shape))
    return (values[0] + 1j * values[1] if dtype in COMPLEX else values[0]).astype(dtype)


@covers("cp_to_tensor")
@examples
@given(dtypes_of(_DTYPES), _seeds, st.sampled_from([((2, 3, 2), 2), ((3,), 2), ((2, 0), 1), ((2, 3), 0)]))
def test_cp_to_tensor(dtype, seed, case):
    shape, rank = case
    weights, *factors = (whole(seed + i, dtype, (*size, rank)) for i, size in enumerate([(), *((n,) for n in shape)]))
    letters = "abc"[: len(shape)]
    want = np.einsum(f"r,{','.join(f'{x}r' for x in letters)}->{letters}", weights, *factors)
    check(("cp_to_tensor", weights, factors), be.cp_to_tensor(array(weights), [array(x) for x in factors]), want, dtype)
    mask = whole(seed, dtype, (shape[-1],))
    found = be.cp_to_tensor(array(weights), [array(x) for x in factors], mask=array(mask))
    check(("cp_to_tensor", weights, factors, mask), found, want * mask, dtype)


@covers("tt_to_tensor", "tr_to_tensor", "tt_matrix_to_tensor")
@examples
@given(
    dtypes_of(_DTYPES), _seeds, st.sampled_from([((2, 3, 2), (1, 2, 3)), ((3,), (1,)), ((3,), (2,)), ((2, 0), (3, 2))])
)
def test_trains(dtype, seed, case):
    shape, ranks = case
    pairs = zip(ranks, (*ranks[1:], ranks[0]), strict=True)
    factors = [whole(seed, dtype, (a, n, b)) for (a, b), n in zip(pairs, shape, strict=True)]
    text = ["xay", "ybz", "zcx"][: len(shape)]
    text[-1] = text[-1][:2] + "x"
    want = np.einsum(f"{','.join(text)}->{'abc'[: len(shape)]}", *factors)
    check(("tr_to_tensor", factors), be.tr_to_tensor([array(x) for x in factors]), want, dtype)
    if ranks[0] != 1:
        return
    check(("tt_to_tensor", factors), be.tt_to_tensor([array(x) for x in factors]), want, dtype)
    matrices = [np.stack([x, 2 * x], axis=2).astype(dtype) for x in factors]
    text = [f"{x[0]}{x[1]}{x[1].upper()}{x[2]}" for x in text]
    want = np.einsum(f"{','.join(text)}->{'abc'[: len(shape)]}{'ABC'[: len(shape)]}", *matrices)
    check(("tt_matrix_to_tensor", matrices), be.tt_matrix_to_tensor([array(x) for x in matrices]), want, dtype)


@covers("general_inner_product", "higher_order_moment")
@examples
@given(dtypes_of(_DTYPES), _seeds, st.sampled_from([(2, 3), (2, 3, 2), (3,), (), (2, 0)]))
def test_products(dtype, seed, shape):
    x, other = whole(seed, dtype, shape), whole(seed + 1, dtype, shape)
    found = be.general_inner_product(array(x), array(other))
    check(("general_inner_product", x, other), found, np.asarray(np.sum(wide(x) * wide(other))).astype(dtype))
    for count in range(len(shape) + 1):
        second = whole(seed, dtype, (*shape[len(shape) - count :], 2))
        found = be.general_inner_product(array(x), array(second), n_modes=count)
        check(("general_inner_product", x, second, count), found, np.tensordot(x, second, count), dtype)
    if shape and 0 not in shape:
        letters = "abc"[: len(shape) - 1]
        want = np.mean(wide(x.astype(float_dtype(dtype))), axis=0)
        check(("higher_order_moment", x, 1), be.higher_order_moment(array(x), 1), want, float_dtype(dtype))
        want = np.einsum(
            f"n{letters},n{letters.upper()}->{letters}{letters.upper()}", *[wide(x).astype("complex128")] * 2
        )
        want = want / shape[0] if dtype in COMPLEX else want.real / shape[0]
        check(("higher_order_moment", x, 2), be.higher_order_moment(array(x), 2), want, float_dtype(dtype), factor=10)
    if shape == (2, 3):
        want = np.einsum("na,nb,nc->abc", *[wide(x).astype("complex128")] * 3) / 2
        want = want if dtype in COMPLEX else want.real
        check(("higher_order_moment", x, 3), be.higher_order_moment(array(x), 3), want, float_dtype(dtype), factor=10)


@covers("matricize", "partial_unfold", "partial_fold", "partial_tensor_to_vec", "partial_vec_to_tensor")
@examples
@given(
    dtypes_of(_DTYPES),
    st.sampled_from([(2, 3, 2), (1, 2, 3, 2), (3,), (2, 0, 3)]),
    st.sampled_from([(0, 0), (1, 0), (0, 1), (1, 1), (2, 0), (0, 2)]),
    st.integers(-2, 2),
)
def test_unfolding(dtype, shape, skipped, mode):
    begin, end = skipped
    x = np.arange(np.prod(shape)).reshape(shape).astype(dtype)
    order = np.random.default_rng(mode + 2).permutation(len(shape)).tolist()
    rows, columns = order[:begin], order[begin:]
    want = np.transpose(x, order).reshape(
        int(np.prod([shape[i] for i in rows])), int(np.prod([shape[i] for i in columns]))
    )
    found = be.matricize(array(x), rows, column_modes=columns)
    check(("matricize", x, rows, columns), found, want, dtype)
    want = np.transpose(x, (*rows, *sorted(columns))).reshape(want.shape)
    check(("matricize", x, rows), be.matricize(array(x), tuple(rows)), want, dtype)
    if len(rows) == 1:
        check(("matricize", x, rows), be.matricize(array(x), rows[0] - len(shape)), want, dtype)
    count = len(shape) - begin - end
    options = {"skip_begin": begin, "skip_end": end}
    if count < 1:
        for name in ("partial_unfold", "partial_tensor_to_vec"):
            with pytest.raises(ValueError, match="leave one axis at least"):
                getattr(be, name)(array(x), **options)
        return
    last = len(shape) - end
    size = int(np.prod(shape[begin:last]))
    want = x.reshape((*shape[:begin], size, *shape[last:]))
    found = be.partial_tensor_to_vec(array(x), **options)
    check(("partial_tensor_to_vec", x, options), found, want, dtype)
    check(("partial_vec_to_tensor", x, options), be.partial_vec_to_tensor(found, shape, **options), x, dtype)
    if not -count <= mode < count:
        with pytest.raises(IndexError, match=f"mode {mode} of {count}"):
            be.partial_unfold(array(x), mode=mode, **options)
        return
    place = begin + mode % count
    moved = np.moveaxis(x, place, begin)
    want = moved.reshape((*shape[:begin], shape[place], int(np.prod(moved.shape[begin + 1 : last])), *shape[last:]))
    found = be.partial_unfold(array(x), mode=mode, **options)
    check(("partial_unfold", x, mode, options), found, want, dtype)
    if not end:
        found = be.partial_fold(found, shape, mode=mode, skip_begin=begin)
        check(("partial_fold", x, mode, options), found, x, dtype)
    found = be.partial_unfold(array(x), mode=mode, ravel_tensors=True, **options)
    check(("partial_unfold", x, mode, options), found, moved.reshape((*shape[:begin], size, *shape[last:])), dtype)


def test_promotion():
    x, y = be.asarray([[1, 2]], dtype=be.int8), be.asarray([[0.5, 1.0]])
    assert be.cp_to_tensor(x[0, :], [x, y]).dtype is be.general_inner_product(x, y).dtype is ca.float32
    assert be.tt_to_tensor([x[:, :, None], be.reshape(y, (1, 2, 1))]).dtype is ca.float32


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda x: be.cp_to_tensor(be.ones(3), []), ValueError, "one number of columns"),
        (lambda x: be.cp_to_tensor(be.ones(3), [x, x.T]), ValueError, r"\(2, 3\), \(3, 2\)"),
        (lambda x: be.cp_to_tensor(be.ones(2), [x, x]), ValueError, r"weights of shape \(2,\) for 3 columns"),
        (lambda x: be.tt_to_tensor([x]), ValueError, "3 axes"),
        (lambda x: be.tt_to_tensor([]), ValueError, "shapes none"),
        (lambda x: be.tt_to_tensor([x[:1, :, None], x[:, :, None]]), ValueError, "begins with the rank"),
        (lambda x: be.tt_to_tensor([x[:, :, None]]), ValueError, "ends with 1"),
        (lambda x: be.tr_to_tensor([x[:, :, None]]), ValueError, "ends with the first"),
        (lambda x: be.tt_matrix_to_tensor([x[:1, :, None]]), ValueError, "4 axes"),
        (lambda x: be.general_inner_product(x, x.T), ValueError, "tensors of one shape"),
        (lambda x: be.general_inner_product(x, x, n_modes=1), ValueError, "n_modes=1"),
        (lambda x: be.general_inner_product(x, x, n_modes=3), ValueError, "n_modes=3"),
        (lambda x: be.higher_order_moment(x, 0), ValueError, "order=0"),
        (lambda x: be.higher_order_moment(x[0, 0], 1), ValueError, r"samples of shape \(\)"),
        (lambda x: be.matricize(x, 2), IndexError, "modes 2"),
        (lambda x: be.matricize(x, (0, 0)), ValueError, "name each mode once"),
        (lambda x: be.matricize(x, 0, column_modes=0), ValueError, "name each mode once"),
        (lambda x: be.partial_fold(x, (2, 4)), ValueError, r"shape \(2, 3\) for the shape \(2, 4\)"),
        (lambda x: be.partial_fold(x, (2, 3), mode=1), IndexError, "mode 1 of 1"),
        (lambda x: be.partial_vec_to_tensor(x, (2, 4)), ValueError, r"for the shape \(2, 4\)"),
    ],
)
def test_what_cannot_be_computed(call, error, message):
    with pytest.raises(error, match=message):
        call(be.ones((2, 3)))
