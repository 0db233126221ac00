"""Indexing, which is NumPy's, also where torch's is another or none."""

from __future__ import annotations

import gc
import operator

import numpy as np
import pytest
import torch

import corearray as ca

be = ca.get_backend("torch")

REVERSED = slice(None, None, -1)
ROWS, PLACES = np.asarray([1, 0, 1]), np.asarray([[-1], [2]])
MASK = np.asarray([True, False, True])

KEYS = [
    1,
    -2,
    (0, -1),
    ...,
    (..., 2),
    None,
    (1, None, slice(1)),
    REVERSED,
    (slice(None), REVERSED),
    (slice(5, None, -2), slice(-1, 0, -1), None, REVERSED),
    (slice(0, 2, -1), 1),
    (..., slice(3, 0, -2)),
    ROWS,
    (ROWS, PLACES),
    (0, slice(None), ROWS),
    (slice(None), 1, ROWS),
    (ROWS, slice(None), 2),
    (ROWS, None, slice(None), PLACES),
    (..., ROWS, 0),
    (REVERSED, ROWS, REVERSED),
    (slice(None), MASK),
    (1, MASK, REVERSED),
    np.asarray(1),
    (np.asarray(-1), slice(None), np.asarray(2)),
    (np.asarray(0), ROWS),
    np.zeros((2, 0), bool),
    np.asarray(True),
    np.asarray(False),
    ROWS.astype("uint8"),
    ROWS.astype("int8"),
    (slice(None), PLACES[:, 0].astype("int16")),
]


def to_torch(key):
    if isinstance(key, tuple):
        return tuple(to_torch(part) for part in key)
    return be.asarray(key) if isinstance(key, np.ndarray) else key


@pytest.mark.parametrize("key", KEYS, ids=repr)
def test_reading(key):
    x = np.arange(24.0).reshape(2, 3, 4)
    result = np.asarray(be.asarray(x)[to_torch(key)])
    assert result.shape == x[key].shape
    assert np.array_equal(result, x[key])


@pytest.mark.parametrize("dtype", ["float32", "uint32", "bool"])
@pytest.mark.parametrize("key", KEYS, ids=repr)
def test_writing(key, dtype):
    x = np.arange(24.0).reshape(2, 3, 4).astype(dtype)
    y = be.asarray(x, copy=True)
    shape = x[key].shape
    # NumPy leaves open which of the values for one place counts.
    distinct = not any(part is ROWS for part in (key if isinstance(key, tuple) else (key,)))
    value = np.arange(np.prod(shape)).reshape(shape).astype(dtype) if distinct else np.ones((), dtype)
    x[key] = value
    y[to_torch(key)] = be.asarray(value)
    assert np.array_equal(np.asarray(y), x)


@pytest.mark.parametrize("key", [2, (0, 0, 0, 0), (ROWS + 5), (5, ROWS), (0, 7, ROWS), np.ones(3, bool)], ids=repr)
def test_what_lies_outside(key):
    with pytest.raises(IndexError):
        be.ones((2, 3, 4))[to_torch(key)]


def test_basic_indexing_gives_a_view():
    x = be.zeros((2, 3))
    row = x[0]
    row[1:] = 5.0
    assert x.tolist() == [[0.0, 5.0, 5.0], [0.0, 0.0, 0.0]]


@pytest.mark.parametrize(
    ("key", "part"),
    [
        ((slice(1, None),), (slice(None, -1),)),
        ((..., slice(1, None)), (..., slice(None, -1))),
        ((slice(1, None), slice(1, None)), (slice(None, -1), slice(None, -1))),
        (REVERSED, ...),
        (np.asarray([1, 2]), (slice(2),)),
        ((slice(3), slice(3)), (slice(3, None, -1), slice(3))),
    ],
    ids=repr,
)
def test_writing_what_overlaps(key, part):
    x = np.arange(12.0).reshape(3, 4)
    y = be.asarray(x, copy=True)
    y[to_torch(key)] = y[part]
    x[key] = x[part].copy()
    assert np.array_equal(np.asarray(y), x)


def test_writing_into_a_leaf_that_requires_a_gradient():
    leaf = be.asarray(torch.ones(2, requires_grad=True))
    with pytest.raises(RuntimeError, match="leaf"):
        leaf[0] = 1.0


def test_to_numpy_and_to_list():
    x = torch.tensor([1 + 2j], requires_grad=True).conj()
    assert be.to_numpy(x).tolist() == be.to_list(x) == [1 - 2j]
    assert be.to_numpy(torch.ones(1, dtype=torch.bfloat16)).dtype == np.float32


def test_copies_in_place_of_views_are_linked_as_long_as_they_live():
    gc.collect()  # copies that other tests left in cycles
    x = be.asarray(torch.arange(6).reshape(2, 3))
    turned, flat = be.flip(x), be.reshape(x.T, (-1,))
    part = turned[0]  # torch's own view of the copy, which outlives it here
    del turned
    x.native[0, 2] = 20  # torch's own write is not seen
    assert part.tolist() == [5, 4, 3]
    x[1, 0] = 30
    part[1] = 40
    assert x.tolist() == [[0, 1, 20], [30, 40, 5]]
    assert part.tolist() == [5, 40, 30]
    assert flat.tolist() == [0, 30, 1, 40, 20, 5]  # a copy too, where elements lie apart
    del part, flat
    assert not be.copies


def test_views_that_torch_gives_are_not_recorded():
    gc.collect()
    x = be.zeros((2, 3))
    kept = [x[1:], x.T, be.reshape(x, (3, 2)), be.squeeze(x[None], 0), be.broadcast_to(x, (4, 2, 3)), be.unstack(x)]
    assert not be.copies
    x[...] = 1
    assert kept[1].tolist() == [[1.0, 1.0]] * 3


@pytest.mark.parametrize("write", [operator.iadd, lambda x, y: operator.setitem(x, ..., y)])
def test_memory_of_another_library_is_read_before_it_is_written(write):
    """Each import has a storage of its own, though the elements are the same."""
    ours, numpys = (np.arange(600.0).reshape(20, 30) for _ in range(2))
    write(*(be.from_dlpack(ours[:, part]) for part in (slice(1, None), slice(-1))))
    write(*(numpys[:, part] for part in (slice(1, None), slice(-1))))
    np.testing.assert_array_equal(ours, numpys)
