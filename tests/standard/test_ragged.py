"""Ragged arrays against NumPy, row by row: elementwise functions, reductions along and across rows, keys, padding."""

from __future__ import annotations

import math
import pickle
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from standard.support import MODERATE, SMALL, array, arrays, be, check, dtypes_of, examples

import corearray as ca
from corearray.contract.declaration import DECLARATIONS
from corearray.testing.samples import SAMPLES

REDUCED = ("int8", "uint8", "int32", "int64", "uint64", "float32", "float64")


def ragged(rows):
    """Give the backend the rows, by their lengths."""
    values = np.concatenate(rows) if rows else np.zeros(0, "float32")
    return ca.Ragged.from_row_lengths(array(values), be.asarray([len(row) for row in rows], dtype=ca.int64))


def from_rows(rows, **options):
    """Make rows of lists, which say nothing of a backend."""
    with ca.backend_context(be):
        return ca.Ragged.from_rows(rows, **options)


def rows_of(dtypes=("int32", "float32", "float64"), *, inner=(), least=0, most=4, domain=SMALL, least_rows=1):
    """Draw rows of one dtype, each of a length of its own."""

    def drawn(dtype):
        length = st.integers(least, 3)
        row = length.flatmap(lambda n: arrays(dtype, (n, *inner), domain))
        return st.lists(row, min_size=least_rows, max_size=most)

    return dtypes_of(dtypes).flatmap(drawn)


def same(case, found, rows, **close):
    """Compare a ragged array with NumPy's rows."""
    assert type(found) is ca.Ragged
    assert found.row_lengths.tolist() == [len(row) for row in rows], case
    for place, row in enumerate(rows):
        np.testing.assert_allclose(
            be.to_numpy(found[place]), row, err_msg=str(case), **(close or {"rtol": 1e-5, "atol": 1e-6})
        )


# --- how they are built


@examples
@given(rows_of())
def test_ways_in_and_out(rows):
    r = ragged(rows)
    lengths = [len(row) for row in rows]
    assert (len(r), r.ragged_rank, tuple(r.shape), r.ndim) == (len(rows), 1, (len(rows), None), 2)
    assert (r.size, r.dtype.name, r.backend, r.device) == (sum(lengths), str(rows[0].dtype), be, r.values.device)
    assert r.row_splits.tolist() == [0, *np.cumsum(lengths).tolist()]
    assert r.tolist() == [row.tolist() for row in rows]
    assert [row.tolist() for row in r] == r.tolist()
    assert ca.to_list(r) == r.tolist()
    for other in (
        ca.Ragged.from_row_splits(r.values, r.row_splits.tolist()),
        ca.Ragged.from_row_lengths(r.values.native, lengths),
        from_rows(map(array, rows)),
        from_rows([row.tolist() for row in rows], dtype=str(rows[0].dtype), device=r.device),
        ca.Ragged.from_padded(r.to_padded(), lengths=lengths),
        ca.Ragged.from_padded(r.to_padded(7), mask=r.mask()),
        ca.Ragged.from_padded(r.to_padded(7, length=5), lengths=r.row_lengths),
        pickle.loads(pickle.dumps(r)),
        r.to_device(str(r.device)),
        ca.to_backend(r, be.name),
    ):
        assert r.equals(other)
        assert other.backend is be


@examples
@given(rows_of(("float32",), inner=(2,)), st.integers(0, 4))
def test_padding(rows, length):
    r = ragged(rows)
    found = be.to_numpy(r.to_padded(-1.0, length=length))
    assert found.shape == (len(rows), length, 2)
    for place, row in enumerate(rows):
        cut = row[:length]
        assert found[place, : len(cut)].tolist() == cut.tolist()
        assert (found[place, len(cut) :] == -1.0).all()
        assert be.to_numpy(r.mask(length=length))[place, :, 0].tolist() == [i < len(row) for i in range(length)]
    assert r.to_padded().shape == (len(rows), max(map(len, rows)), 2)


def test_rows_within_rows():
    nested = [[[1, 2], [3]], [], [[4, 5, 6], [], [7]]]
    r = from_rows(nested)
    assert (r.ragged_rank, tuple(r.shape), r.size, r.dtype) == (2, (3, None, None), 7, ca.int64)
    assert r.tolist() == nested
    assert r.flat_values.tolist() == [1, 2, 3, 4, 5, 6, 7]
    assert r[2].tolist() == nested[2]
    assert r[2, 0].tolist() == [4, 5, 6]
    assert r[2, 0, 1:].tolist() == [5, 6]
    assert r[[2, 0, 2]].tolist() == [nested[2], nested[0], nested[2]]
    assert r[::2].tolist() == nested[::2]
    assert r[...].tolist() == nested
    for key in (None, "a"):
        with pytest.raises(IndexError, match="the key of a ragged array is the number of a row"):
            r[key]
    assert (r * 2 - r).tolist() == nested
    assert be.sum(r, axis=2).tolist() == [[3, 3], [], [15, 0, 7]]
    assert be.sum(be.sum(r, axis=-1), axis=-1).tolist() == [6, 0, 22]
    assert be.sum(r).item() == 28
    assert be.max(r, axis=(0, 1, 2)).item() == 7
    assert be.add(r, be.asarray([[[10]], [[20]], [[30]]])).tolist() == [[[11, 12], [13]], [], [[34, 35, 36], [], [37]]]
    assert r.to_padded(0).tolist() == [
        [[1, 2, 0], [3, 0, 0], [0, 0, 0]],
        [[0] * 3] * 3,
        [[4, 5, 6], [0] * 3, [7, 0, 0]],
    ]
    assert r.equals(from_rows([from_rows(rows, ragged_rank=1) if rows else [] for rows in nested]))
    assert not r.equals(from_rows([[[1, 2]], [[3]], [[4, 5, 6], [], [7]]]))
    assert r.tolist() == ca.Ragged.from_row_lengths(r.values, [2, 0, 3]).tolist()
    with pytest.raises(ValueError, match=r"whose rows are ragged too \(ragged_rank=2\); reduce axis=2 first"):
        be.sum(r, axis=1)


def test_uniform_rows_within_rows():
    nested = [[[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0]]]
    r = from_rows(nested, ragged_rank=1)
    assert (r.ragged_rank, tuple(r.shape)) == (1, (2, None, 2))
    assert r.equals(from_rows([be.asarray(rows) for rows in nested]))
    assert r.equals(from_rows([be.asarray(nested[0]), nested[1]]))
    assert be.sum(r, axis=2).tolist() == [[3.0, 7.0], [11.0]]
    assert be.sum(r, axis=1).tolist() == [[4.0, 6.0], [5.0, 6.0]]
    assert be.mean(r, axis=0).tolist() == [[3.0, 4.0], [3.0, 4.0]]
    assert (r + be.asarray([10.0, 20.0])).tolist() == [[[11.0, 22.0], [13.0, 24.0]], [[15.0, 26.0]]]
    assert r[0, 1, 0].item() == 3.0


def test_without_rows_and_without_elements():
    for r in (from_rows([]), ca.Ragged.from_row_lengths(be.zeros(0), [])):
        assert (len(r), r.tolist(), r.size, r.to_padded().shape) == (0, [], 0, (0, 0))
        assert (r + 1).tolist() == []
        assert be.sum(r, axis=1).tolist() == []
    r = from_rows([[], []])
    assert (len(r), r.tolist(), r.to_padded(length=2).tolist()) == (2, [[], []], [[0.0, 0.0], [0.0, 0.0]])
    assert be.sum(r, axis=1).tolist() == [0.0, 0.0]
    assert be.sin(r).tolist() == [[], []]
    assert r[0].shape == (0,)


# --- elementwise


@pytest.mark.parametrize("name", [name for name, declaration in DECLARATIONS.items() if declaration.elementwise])
def test_elementwise_functions(name):
    """They are called with the values; what they compute is tested elsewhere."""
    args, options = SAMPLES[name][0]
    found = np.broadcast_arrays(*(x for x in args if isinstance(x, np.ndarray)))
    x = [array(each.reshape(-1)) for each in found]
    size = x[0].shape[0]
    lengths = [1, 0, size - 1]
    function = getattr(ca, name)

    def compare(got, want):
        if isinstance(want, tuple):
            assert type(got) is type(want)
            for part, wanted in zip(got, want, strict=True):
                compare(part, wanted)
            return
        assert type(got) is ca.Ragged
        assert got.row_lengths.tolist() == lengths
        assert got.dtype is want.dtype
        assert np.array_equal(be.to_numpy(got.values), be.to_numpy(want), equal_nan=True)

    r = [ca.Ragged.from_row_lengths(each, lengths) for each in x]
    compare(function(*r, **options), function(*x, **options))
    if len(x) == 2:
        places = be.asarray([0] + [2] * (size - 1))
        rows = [be.expand_dims(be.concat([each[:1], each[1:2], each[-1:]]), axis=1) for each in x]
        of_rows = [be.take(each[:, 0], places) for each in rows]
        compare(function(r[0], rows[1], **options), function(x[0], of_rows[1], **options))
        compare(function(rows[0], r[1], **options), function(of_rows[0], x[1], **options))
        compare(function(r[0], x[1][0], **options), function(x[0], x[1][0], **options))
        compare(function(r[0], x[1][:1].native, **options), function(x[0], x[1][:1], **options))


@examples
@given(st.data(), rows_of(("float32", "float64")))
def test_operators(data, rows):
    r = ragged(rows)
    other = [data.draw(arrays(str(row.dtype), row.shape, SMALL)) for row in rows]
    s = ragged(other)
    column = data.draw(arrays(str(rows[0].dtype), (len(rows), 1), SMALL))
    case = (rows, other, column)
    same(case, r + s, [a + b for a, b in zip(rows, other, strict=True)])
    same(case, r - array(column), [a - c for a, c in zip(rows, column, strict=True)])
    same(case, array(column) * r, [c * a for a, c in zip(rows, column, strict=True)])
    same(case, 2 - r, [2 - a for a in rows])
    same(case, -abs(r), [-np.abs(a) for a in rows])
    same(case, r + array(column[:1]), [a + column[0] for a in rows])
    assert (r < s).tolist() == [(a < b).tolist() for a, b in zip(rows, other, strict=True)]
    assert (r == s).tolist() == [(a == b).tolist() for a, b in zip(rows, other, strict=True)]
    chosen = ca.where(r < s, r, array(column))
    same(case, chosen, [np.where(a < b, a, c) for a, b, c in zip(rows, other, column, strict=True)])
    same(
        case,
        ca.clip(r, min=-1.0, max=s),
        [np.minimum(np.maximum(a, -1.0), b) for a, b in zip(rows, other, strict=True)],
    )
    assert ca.astype(r, "int32").dtype is ca.int32
    assert ca.zeros_like(r).tolist() == [[0.0] * len(a) for a in rows]
    values = r.values
    r += s
    same(case, r, [a + b for a, b in zip(rows, other, strict=True)])
    assert r.values is values


@pytest.mark.parametrize("other", [None, "a", {"a": 1}, object()])
def test_what_is_no_operand(other):
    r = ragged([np.ones(2), np.ones(1)])
    assert (r == other) is (other == r) is False
    assert (r != other) is (other != r) is True
    with pytest.raises(TypeError, match="'Ragged'"):
        r + other


def test_out():
    r = from_rows([[1.0, 2.0], [3.0]])
    out = ca.zeros_like(r)
    values = out.values
    assert ca.add(r, 1.0, out=out) is out
    assert out.values is values
    assert out.tolist() == [[2.0, 3.0], [4.0]]
    assert ca.add(be.asarray([[10.0], [20.0]]), 1.0, out=out).tolist() == [[11.0, 11.0], [21.0]]
    with pytest.raises(
        TypeError, match="'add' got a ragged array and an out of type Array; give a ragged array of the same"
    ):
        ca.add(r, 1.0, out=be.zeros(3))


# --- reductions


def reference(name, rows, dtype, **options):
    """Reduce each row with NumPy."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        wide = [row.astype(np.float64) if name in ("mean", "std", "var") else row for row in rows]
        return np.asarray([getattr(np, name)(row, axis=0, **options) for row in wide])


def test_another_name_of_an_option():
    r = ragged([[1.0, 2.0, 3.0], [4.0, 6.0]])
    assert be.var(r, axis=1, ddof=1).tolist() == be.var(r, axis=1, correction=1).tolist() == [1.0, 2.0]
    with pytest.raises(TypeError, match="got both 'correction' and 'ddof'"):
        be.var(r, axis=1, correction=1, ddof=1)


@pytest.mark.parametrize("name", ["sum", "prod", "mean", "var", "std", "count_nonzero", "all", "any"])
@examples
@given(st.data())
def test_reductions(name, data):
    rows = data.draw(rows_of(REDUCED, inner=data.draw(st.sampled_from([(), (2,)])), domain=SMALL))
    r = ragged(rows)
    function = getattr(be, name)
    dtype = function(r.values).dtype.name
    want = reference(name, rows, dtype)
    for keepdims in (False, True):
        found = function(r, axis=1, keepdims=keepdims)
        shaped = want[:, None] if keepdims else want
        check((name, rows, keepdims), found, shaped, dtype, factor=20, scale=10.0)
    width = max(map(len, rows), default=0)
    columns = [np.stack([row[i] for row in rows if len(row) > i]) for i in range(width)]
    if columns:
        check(
            (name, rows, "across"), function(r, axis=0), reference(name, columns, dtype), dtype, factor=20, scale=10.0
        )
    flat = np.concatenate(rows)
    if flat.size or name not in ("mean", "var", "std"):
        assert be.to_numpy(function(r)).tolist() == be.to_numpy(function(array(flat))).tolist()
    assert function(r, axis=None, keepdims=True).shape == (1,) * r.ndim
    if r.ndim == 3:
        inner = function(r, axis=-1)
        assert type(inner) is ca.Ragged
        assert inner.values.tolist() == function(r.values, axis=-1).tolist()


@pytest.mark.parametrize("name", ["max", "min", "argmax", "argmin"])
@examples
@given(st.data())
def test_extremes(name, data):
    rows = data.draw(rows_of(REDUCED, least=1, domain=MODERATE))
    r = ragged(rows)
    want = np.asarray([getattr(np, name)(row) for row in rows])
    found = getattr(be, name)(r, axis=1)
    assert be.to_numpy(found).tolist() == want.tolist()
    assert found.dtype is getattr(be, name)(r.values).dtype
    assert getattr(be, name)(r, axis=-1, keepdims=True).shape == (len(rows), 1)
    assert getattr(be, name)(r).item() == getattr(np, name)(np.concatenate(rows))


@pytest.mark.parametrize("name", ["cumulative_sum", "cumulative_prod"])
@examples
@given(rows_of(("int32", "float32", "float64")))
def test_scans(name, rows):
    function = np.cumsum if name == "cumulative_sum" else np.cumprod
    same((name, rows), getattr(be, name)(ragged(rows), axis=1), [function(row, axis=0) for row in rows])


def test_special_values():
    nan, inf = math.nan, math.inf
    r = from_rows([[1.0, nan], [], [-inf, 2.0, 3.0], [inf]])
    assert be.isnan(be.sum(r, axis=1)).tolist() == [True, False, False, False]
    assert be.isnan(be.mean(r, axis=1)).tolist() == [True, True, False, False]
    some = r[r.row_lengths > 0]
    assert be.isnan(be.max(some, axis=1)).tolist() == [True, False, False]
    assert be.max(some, axis=1)[1:].tolist() == [3.0, inf]
    assert be.min(some, axis=1)[1:].tolist() == [-inf, inf]
    assert be.argmin(from_rows([[inf], [inf, inf]]), axis=1).tolist() == [0, 0]
    assert r.equals(from_rows([[1.0, nan], [], [-inf, 2.0, 3.0], [inf]]))


def test_softmax_of_rows():
    r = from_rows([[1.0, 2.0], [3.0], [0.0, 0.0, 0.0]])
    e = ca.exp(r - ca.max(r, axis=1, keepdims=True))
    p = e / ca.sum(e, axis=1, keepdims=True)
    assert be.max(be.abs(be.sum(p, axis=1) - 1)).item() < 1e-6
    assert p.tolist()[1] == [1.0]
    assert abs(p[0, 1].item() - 1 / (1 + math.exp(-1))) < 1e-6


# --- keys


@examples
@given(st.data(), rows_of(("int32", "float32"), inner=(2,)))
def test_keys(data, rows):
    r = ragged(rows)
    count = len(rows)
    number = data.draw(st.integers(-count, count - 1))
    assert r[number].tolist() == rows[number].tolist()
    assert r[be.asarray(number)].tolist() == rows[number].tolist()
    assert r[number, ..., 0].tolist() == rows[number][..., 0].tolist()
    part = data.draw(st.slices(count))
    assert r[part].tolist() == [row.tolist() for row in rows[part]]
    places = data.draw(st.lists(st.integers(-count, count - 1), max_size=5))
    assert r[places].tolist() == [rows[i].tolist() for i in places]
    assert r[be.asarray(places, dtype=ca.int64)].tolist() == [rows[i].tolist() for i in places]
    mask = data.draw(st.lists(st.booleans(), min_size=count, max_size=count))
    assert r[mask].tolist() == [row.tolist() for row, chosen in zip(rows, mask, strict=True) if chosen]


@examples
@given(rows_of(("int32", "float32")))
def test_ragged_masks(rows):
    r = ragged(rows)
    assert r[r > 0].tolist() == [row[row > 0].tolist() for row in rows]


def test_keys_that_are_none():
    r = from_rows([[1, 2], [3]])
    for key in (2, -3, [0, 2], be.asarray([-3])):
        with pytest.raises(IndexError, match=r"row -?\d is out of bounds for a ragged array with 2 rows"):
            r[key]
    for key in (1.5, [0.5], [True], be.asarray([[0]]), "a"):
        with pytest.raises((IndexError, TypeError)):
            r[key]
    with pytest.raises(IndexError, match="a tuple as the key of a ragged array begins with the number of a row"):
        r[:, 0]
    with pytest.raises(IndexError, match="a ragged key is a mask"):
        r[r]


# --- errors


def test_rows_that_differ():
    r, s = from_rows([[1, 2], [3]]), from_rows([[1], [2, 3]])
    text = r"'add' got ragged arrays whose rows differ in length: \[2, 1\] and, for 'x2', \[1, 2\]"
    for compute in (lambda: ca.add(r, s), lambda: be.add(r, s), lambda: r + s):
        with pytest.raises(ValueError, match=text):
            compute()
    with pytest.raises(
        ValueError, match=r"of shapes \(2, None\) and \(2, None, 1\); both need the same number of axes"
    ):
        ca.add(r, r.map(lambda x: be.expand_dims(x, axis=1)))
    for shape in ((2, 3), (3, 1), (1, 2, 1), (3,)):
        text = (
            r"'multiply' got an array of shape .* for 'x2' beside a ragged array of shape \(2, None\); along the ragged"
        )
        with pytest.raises(ValueError, match=text):
            r * be.ones(shape, dtype=ca.int64)


@pytest.mark.parametrize("name", ["reshape", "matmul", "concat", "sort", "unique_values", "take", "to_numpy"])
def test_functions_that_take_none(name):
    r = from_rows([[1.0, 2.0], [3.0]])
    args = {"reshape": (r, (3,)), "matmul": (r, r), "concat": ([r, r],), "take": (r, be.asarray([0]))}.get(name, (r,))
    with pytest.raises(
        TypeError, match=rf"'{name}' takes no ragged array; elementwise functions do, astype, .*max, mean"
    ):
        getattr(ca, name)(*args)


def test_what_a_reduction_cannot_do():
    r = from_rows([[1.0, 2.0], [], [3.0]])
    with pytest.raises(IndexError, match="'sum' got axis=2 for a ragged array with 2 axes; valid are -2 to 1"):
        ca.sum(r, axis=2)
    with pytest.raises(
        ValueError, match="'max' got a ragged array whose row 1 has no element to choose; leave such rows"
    ):
        ca.max(r, axis=1)
    with pytest.raises(ValueError, match="takes no out"):
        ca.sum(r, out=be.zeros(()))
    with pytest.raises(
        ValueError, match=r"'sum' got axis=\(0, 0\) for a ragged array with 2 axes; give one axis, or None"
    ):
        ca.sum(r, axis=(0, 0))
    with pytest.raises(
        ValueError, match="'cumulative_sum' goes along one axis of a ragged array from 1 to 1, without an"
    ):
        ca.cumulative_sum(r, axis=0)
    with pytest.raises(ca.CoreArrayError):
        ca.max(ca.astype(r[[0]], "complex64"), axis=1)


def test_containers_of_ragged_arrays():
    r = from_rows([[1.0, 2.0], [3.0]])
    c = ca.Container(a=r, b={"c": be.asarray([[10.0], [20.0]])})
    found = c + r
    assert found.a.tolist() == [[2.0, 4.0], [6.0]]
    assert found.b.c.tolist() == [[11.0, 12.0], [23.0]]
    assert c.equals(ca.Container(a=from_rows([[1.0, 2.0], [3.0]]), b=c.b))
    assert not c.equals(ca.Container(a=from_rows([[1.0], [2.0, 3.0]]), b=c.b))
    assert ca.to_backend(c, be.name).a.tolist() == r.tolist()


def test_the_full_chain_and_the_backend_in_force():
    r = from_rows([[1.0, 2.0], [3.0]])
    assert be.binding("add").pipeline([r, r, None]).tolist() == [[2.0, 4.0], [6.0]]
    assert "handle_ragged" in be.binding("add").stages()
    with ca.backend_context(be):
        assert ca.square(r).tolist() == [[1.0, 4.0], [9.0]]
    assert be.array_types and ca.current_backend(r) is be
    assert not ca.is_array(r)
