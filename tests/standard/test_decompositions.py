"""Decompositions by what they must satisfy: orthonormal factors, known tensors of low rank found again, small errors.

Few shapes, since some frameworks compile for each of them.
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from standard.support import COMPLEX, array, be, check, compare, covers, examples, float_dtype, numpy_of, real_of, wide

import corearray as ca

_seeds = st.integers(0, 30)
#: Relative errors that rounding leaves.
_ROUNDING = {"float32": 1e-4, "float64": 1e-9, "complex64": 1e-4, "complex128": 1e-9}


def normal(seed, dtype, shape):
    """Return numbers of a seed, integers as whole ones."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=shape) + (1j * rng.normal(size=shape) if dtype in COMPLEX else 0)
    return np.round(3 * x.real).astype(dtype) if dtype == "int32" else x.astype(dtype)


def low_rank(seed, dtype, shape, ranks):
    """Return a tensor with a core of these ranks."""
    x = normal(seed, dtype, ranks)
    for mode, (size, rank) in enumerate(zip(shape, ranks, strict=True)):
        factor = normal(seed + mode + 1, dtype, (size, rank))
        x = np.moveaxis(np.tensordot(x, factor, (mode, 1)), -1, mode)
    return x.astype(dtype)


def relative_error(found, want):
    return np.linalg.norm(wide(numpy_of(found)) - wide(want)) / max(np.linalg.norm(wide(want)), 1e-30)


def orthonormal(what, factor, dtype):
    columns = wide(numpy_of(factor))
    compare(what, np.conj(columns.T) @ columns, np.eye(columns.shape[1]), dtype, factor=100, scale=1.0)


def biggest_is_positive(columns):
    """Check the sign of the largest element of each column, or of one as large."""
    sizes = np.abs(columns)
    largest = sizes >= np.max(sizes, axis=-2, keepdims=True) * (1 - 1e-3)
    assert np.all(np.any(largest & (columns.real > 0) & (np.abs(columns.imag) <= 1e-3 * sizes), axis=-2))


# --- singular vectors


@covers("truncated_svd", "svd_flip")
@examples
@given(
    st.sampled_from(
        [
            ("float32", (4, 3), 2),
            ("complex128", (2, 3, 3), None),
            ("float64", (2, 4), 4),
            ("complex64", (4, 2), 3),
            ("float64", (0, 3), 0),
            ("float32", (0, 2, 2), 1),
        ]
    ),
    _seeds,
)
def test_truncated_svd(case, seed):
    dtype, shape, count = case
    x, result = normal(seed, dtype, shape), float_dtype(dtype)
    options = () if count is None else (count,)
    found = be.truncated_svd(array(x), *options)
    assert type(found).__name__ == "SVDResult"
    values = np.linalg.svd(wide(x.astype(result)), compute_uv=False)
    want, least = max(shape[-2:]) if count is None else count, min(shape[-2:])
    inner = max(shape[-2:]) if want > least else least
    check(("truncated_svd", x, count), found.S, values[..., :want], real_of(result), factor=100, scale=10.0)
    assert found.U.shape == (*shape[:-1], min(want, shape[-2], inner))
    assert found.Vh.shape == (*shape[:-2], min(want, shape[-1], inner), shape[-1])
    if not x.size:
        return
    U, S, Vh = (wide(numpy_of(part)) for part in found)
    biggest_is_positive(U)
    if want >= least:
        near = U[..., :least] * S[..., None, :] @ Vh[..., :least, :]
        compare(("truncated_svd", x, count), near, x, result, factor=100, scale=10.0)
    left, right = be.svd_flip(found.U, found.Vh, u_based_decision=False)
    biggest_is_positive(np.swapaxes(wide(numpy_of(right)), -1, -2))
    if want >= least:
        near = wide(numpy_of(left))[..., :least] * S[..., None, :] @ wide(numpy_of(right))[..., :least, :]
        compare(("svd_flip", x, count), near, x, result, factor=100, scale=10.0)


@covers("svd_flip")
def test_svd_flip_of_unequal_numbers_of_vectors():
    U, V = np.asarray([[-3.0, 1.0], [1.0, -2.0]]), np.asarray([[1.0, 2.0, 3.0]] * 3)
    left, right = be.svd_flip(array(U), array(V))
    check("svd_flip", left, -U)
    check("svd_flip", right, V * [[-1], [-1], [1]])
    left, right = be.svd_flip(array(U[:, :1]), array(0 * V))
    check("svd_flip", left, -U[:, :1])
    check("svd_flip", right, 0 * V)
    check("svd_flip", be.svd_flip(array(U[:, :1]), array(0 * V), u_based_decision=False)[0], U[:, :1])


@covers("make_svd_non_negative")
@examples
@given(st.sampled_from(["float32", "int32"]), _seeds, st.sampled_from(["nndsvd", "nndsvda"]))
def test_make_svd_non_negative(dtype, seed, nntype):
    x, result = np.abs(normal(seed, dtype, (4, 3))), float_dtype(dtype)
    U, S, V = (numpy_of(part) for part in be.truncated_svd(array(x), 3))
    W, H = np.zeros((4, 3)), np.zeros((3, 3))
    W[:, 0], H[0] = np.sqrt(S[0]) * np.abs(U[:, 0]), np.sqrt(S[0]) * np.abs(V[0])
    for j in (1, 2):
        best = (-1.0, None, None)
        for sign in (1, -1):
            u, v = np.maximum(sign * wide(U[:, j]), 0), np.maximum(sign * wide(V[j]), 0)
            size = np.linalg.norm(u) * np.linalg.norm(v)
            if size > best[0]:
                best = (size, u / (np.linalg.norm(u) or 1), v / (np.linalg.norm(v) or 1))
        W[:, j], H[j] = np.sqrt(S[j] * best[0]) * best[1], np.sqrt(S[j] * best[0]) * best[2]
    if nntype == "nndsvda":
        W, H = np.where(W == 0, np.mean(x), W), np.where(H == 0, np.mean(x), H)
    found = be.make_svd_non_negative(array(x), array(U), array(S), array(V), nntype=nntype)
    check(("make_svd_non_negative", x), found[0], W, result, factor=100, scale=5.0)
    check(("make_svd_non_negative", x), found[1], H, result, factor=100, scale=5.0)


# --- Tucker


@covers("initialize_tucker", "tucker")
@examples
@given(
    st.sampled_from(
        [
            ("float32", (4, 4, 4), (2, 2, 2)),
            ("complex128", (4, 4), (2, 2)),
        ]
    ),
    _seeds,
)
def test_tensors_of_low_rank_are_found_again(case, seed):
    dtype, shape, ranks = case
    x = low_rank(seed, dtype, shape, ranks)
    for name in ("initialize_tucker", "tucker"):
        found = getattr(be, name)(array(x), ranks)
        assert (type(found).__name__, found._fields) == ("TuckerResult", ("core", "factors"))
        assert (found.core.dtype.name, found.core.shape) == (dtype, ranks)
        for factor, pair in zip(found.factors, zip(shape, ranks, strict=True), strict=True):
            assert (factor.dtype.name, factor.shape) == (dtype, pair)
            orthonormal(name, factor, dtype)
        assert relative_error(be.multi_mode_dot(found.core, found.factors), x) < _ROUNDING[dtype]


@covers("tucker", "initialize_tucker", "partial_tucker")
@pytest.mark.parametrize(("dtype", "seed"), [("float32", 0), ("int32", 1)])
def test_tucker_comes_nearer_than_its_beginning(dtype, seed):
    x = normal(seed, dtype, (4, 4, 4))
    start, found = be.initialize_tucker(array(x), 2), be.tucker(array(x), 2, n_iter_max=5)
    errors = [relative_error(be.multi_mode_dot(*result), x) for result in (start, found)]
    assert errors[1] <= errors[0] + 1e-6
    whole = be.tucker(array(x), n_iter_max=1)
    assert relative_error(be.multi_mode_dot(*whole), x) < 1e-5
    again = be.tucker(array(x), 2, init=found.factors, n_iter_max=2, tol=None)
    assert abs(relative_error(be.multi_mode_dot(*again), x) - errors[1]) < 1e-2
    partial = be.partial_tucker(array(x), (2, 3), modes=(0, -1))
    assert partial.core.shape == (2, 4, 3) and [tuple(f.shape) for f in partial.factors] == [(4, 2), (4, 3)]
    U, V = (wide(numpy_of(factor)) for factor in partial.factors)
    want = np.einsum("abc,ai,cj->ibj", wide(x.astype(float_dtype(dtype))), U, V)
    check(("partial_tucker", x), partial.core, want, float_dtype(dtype), factor=100, scale=10.0)


@covers("tucker", "parafac")
@pytest.mark.parametrize("name", ["tucker", "parafac"])
def test_what_is_missing_is_found(name):
    x = low_rank(3, "float64", (5, 4, 3), (1, 1, 1))
    mask = np.random.default_rng(0).uniform(size=x.shape) < 0.85
    spoilt = np.where(mask, x, 1e3)
    rank = 1 if name == "parafac" else (1, 1, 1)
    found = getattr(be, name)(array(spoilt), rank, mask=array(mask), n_iter_max=60, tol=None)
    near = be.cp_to_tensor(*found) if name == "parafac" else be.multi_mode_dot(*found)
    assert relative_error(near, x) < 1e-3


@covers("tucker")
def test_fixed_factors_stay():
    x = normal(0, "float64", (4, 3, 5))
    start = be.initialize_tucker(array(x), 2).factors
    found = be.tucker(array(x), 2, init=start, fixed_factors=(1,), n_iter_max=2)
    check("tucker", found.factors[1], numpy_of(start[1]))
    assert not np.allclose(numpy_of(found.factors[0]), numpy_of(start[0]))


@covers("initialize_tucker")
def test_initialize_tucker_without_negative_elements_and_with_a_mask():
    x = normal(0, "float64", (4, 3, 5))
    plain = be.initialize_tucker(array(x), 2)
    found = be.initialize_tucker(array(x), 2, non_negative=True)
    for one, two in zip((found.core, *found.factors), (plain.core, *plain.factors), strict=True):
        check("initialize_tucker", one, np.abs(numpy_of(two)))
    mask = normal(1, "float64", x.shape) > -1
    found, want = be.initialize_tucker(array(x), 2, mask=array(mask)), be.initialize_tucker(array(x * mask), 2)
    check("initialize_tucker", found.core, numpy_of(want.core))


# --- CP and tensor train


@covers("parafac")
@examples
@given(
    st.sampled_from(
        [
            ("float32", (3, 3, 3), 2),
            ("complex128", (3, 3, 3), 2),
            ("float64", (4, 3), 2),
            ("int32", (2, 2), 3),
        ]
    ),
    st.integers(0, 5),
    st.booleans(),
)
def test_sums_of_products_are_found_again(case, seed, normalize):
    dtype, shape, rank = case
    # Columns that are nearly orthogonal, where least squares find the sum within few steps.
    factors = [normal(seed + i, dtype, (n, rank)) + 9 * np.eye(n, rank).astype(dtype) for i, n in enumerate(shape)]
    letters = "abc"[: len(shape)]
    x = np.einsum(f"{','.join(f'{a}r' for a in letters)}->{letters}", *factors)
    found = be.parafac(array(x), rank, n_iter_max=30, tol=1e-6, normalize_factors=normalize)
    result = float_dtype(dtype)
    assert (type(found).__name__, found._fields) == ("CPResult", ("weights", "factors"))
    assert (found.weights.dtype.name, found.weights.shape) == (result, (rank,))
    assert [(f.dtype.name, f.shape) for f in found.factors] == [(result, (n, rank)) for n in shape]
    assert relative_error(be.cp_to_tensor(*found), x) < 1e-3
    if normalize:
        for factor in found.factors:
            lengths = np.linalg.norm(numpy_of(factor), axis=0)
            compare(("parafac", x), lengths, np.ones(rank) * (lengths > 0), result, factor=10)
    else:
        check(("parafac", x), found.weights, np.ones(rank), result)


@covers("parafac")
def test_parafac_begins_with_what_is_given():
    factors = [normal(i, "float64", (n, 2)) for i, n in enumerate((4, 3, 5))]
    x = np.einsum("ar,br,cr->abc", *factors)
    start = [array(factors[0]), array(normal(8, "float64", (3, 2))), array(factors[2])]
    found = be.parafac(array(x), 2, init=start, fixed_modes=(0, -1), n_iter_max=1)
    for one, want in zip(found.factors, factors, strict=True):
        check("parafac", one, want, factor=1e4)


@covers("tensor_train")
@examples
@given(
    st.sampled_from(
        [
            ("float32", (3, 4, 2), 9),
            ("complex128", (2, 3, 2), (1, 2, 2, 1)),
            ("int32", (3,), 5),
        ]
    ),
    _seeds,
)
def test_tensor_train(case, seed):
    dtype, shape, rank = case
    x, result = normal(seed, dtype, shape), float_dtype(dtype)
    factors = be.tensor_train(array(x), rank)
    assert type(factors) is tuple
    ranks = [1, *(factor.shape[-1] for factor in factors)]
    assert [(f.dtype.name, f.shape) for f in factors] == [
        (result, (a, n, b)) for a, n, b in zip(ranks, shape, ranks[1:], strict=False)
    ]
    dropped = 0.0
    for place in range(1, len(shape)):
        values = np.linalg.svd(wide(x.astype(result)).reshape(int(np.prod(shape[:place])), -1), compute_uv=False)
        wanted = rank if isinstance(rank, int) else rank[place]
        assert ranks[place] <= min(wanted, values.size)
        dropped += np.sum(values[ranks[place] :] ** 2)
    for factor in factors[:-1]:
        orthonormal("tensor_train", be.reshape(factor, (-1, factor.shape[-1])), result)
    error = np.linalg.norm(wide(numpy_of(be.tt_to_tensor(factors))) - x)
    assert error <= np.sqrt(dropped) + _ROUNDING[result] * max(np.linalg.norm(x), 1e-30)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda x: be.svd_flip(x, x[0, ...]), ValueError, "it takes matrices"),
        (lambda x: be.truncated_svd(x[0, ...]), ValueError, "it takes matrices"),
        (lambda x: be.truncated_svd(x, 4), ValueError, "4 singular vectors .* there are 3"),
        (lambda x: be.make_svd_non_negative(x, x, x[0, :], x), ValueError, r"\(M, K\)"),
        (lambda x: be.make_svd_non_negative(x, *be.truncated_svd(x, 2), nntype="x"), ValueError, "nntype='x'"),
        (lambda x: be.make_svd_non_negative(1j * x, *be.truncated_svd(x, 2)), TypeError, "real numbers"),
        (lambda x: be.initialize_tucker(x, 3), ValueError, r"rank=3 for modes of the lengths \[2, 3\]"),
        (lambda x: be.tucker(x, (1, 2, 3)), ValueError, "rank between 1 and its length"),
        (lambda x: be.tucker(x, 0), ValueError, "rank=0"),
        (lambda x: be.tucker(x[0, 0]), ValueError, "'tucker' got rank=None"),
        (lambda x: be.tucker(x, 2, init=[x]), ValueError, r"shapes \[\(2, 3\)\] in init; give \[\(2, 2\), \(3, 2\)\]"),
        (lambda x: be.parafac(x, 3, init=[be.astype(x, be.float64), be.ones((3, 3))]), TypeError, "wider dtype"),
        (lambda x: be.partial_tucker(x, 1, modes=[2]), IndexError, "modes"),
        (lambda x: be.tucker(x, 1, mask=x), TypeError, "'tucker' got a mask of float32"),
        (lambda x: be.parafac(x, 0), ValueError, "rank=0"),
        (lambda x: be.parafac(x, 1, fixed_modes=[3]), IndexError, "modes"),
        (lambda x: be.tensor_train(x, 0), ValueError, "rank=0"),
        (lambda x: be.tensor_train(x, (1, 2)), ValueError, "or 3 of which"),
        (lambda x: be.tensor_train(x, (2, 2, 1)), ValueError, "the first and the last are 1"),
    ],
)
def test_what_cannot_be_decomposed(call, error, message):
    with pytest.raises(error, match=message):
        call(be.ones((2, 3)))


def test_integers_are_computed_in_the_default_real_dtype():
    assert be.tucker(be.asarray([[1, 2], [3, 4]])).core.dtype is ca.float32


@pytest.mark.skipif("compiled_function" not in be.facts, reason="this framework has no compiler")
@pytest.mark.filterwarnings("ignore:Dynamo detected")
def test_programs_that_are_compiled():
    def decomposed(x):
        factors = ca.tensor_train(x, 2)
        found = ca.parafac(x, 1, n_iter_max=2, tol=None)
        core = ca.tucker(x, 1, n_iter_max=1, tol=None).core
        return ca.tt_to_tensor(factors), ca.cp_to_tensor(*found), core

    options = {"backend": "eager", "fullgraph": True} if "register_tracing" in be.facts else {}
    x = array(normal(0, "float64", (2, 2, 2)))
    with ca.backend_context(be):
        for found, want in zip(ca.compile(decomposed, **options)(x), decomposed(x), strict=True):
            check("compiled", found, numpy_of(want), factor=100, scale=1.0)
