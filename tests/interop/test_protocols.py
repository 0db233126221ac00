"""Python's protocols on every backend, as `tests/test_array.py` tells them for one."""

from __future__ import annotations

import copy
import operator
import pickle
import re

import numpy as np
import pytest

import corearray as ca


def test_copies_and_pickles_keep_every_dtype(be):
    for dtype in be.native_dtypes:
        x = be.astype(be.asarray([[0, 1, 2], [3, 4, 5]]), dtype)
        for again in (copy.copy(x), copy.deepcopy(x), pickle.loads(pickle.dumps(x))):
            assert again is not x and type(again) is type(x)
            assert (again.dtype, again.shape, again.device, again.tolist()) == (dtype, x.shape, x.device, x.tolist())
    for x in (be.asarray(2.5), be.zeros((0, 3)), be.reshape(be.arange(6), (2, 3)).mT[::-1]):
        again = pickle.loads(pickle.dumps(x))
        assert (again.shape, again.tolist()) == (x.shape, x.tolist())


def test_copies_are_independent(be):
    x = be.asarray([1.0, 2.0])
    for duplicate in (copy.copy(x), copy.deepcopy(x), pickle.loads(pickle.dumps(x)), be.asarray(x, copy=True)):
        duplicate[0] = 7
        assert (x.tolist(), duplicate.tolist()) == ([1.0, 2.0], [7.0, 2.0])
        x[1] = 2


def test_a_pickle_loads_its_backend_in_another_process(be, run_python):
    text = pickle.dumps(be.asarray([1.5, 2.5], dtype="float64")).hex()
    program = f"import pickle; x = pickle.loads(bytes.fromhex('{text}')); print(x.dtype, x.tolist(), x.backend.name)"
    assert run_python(program).splitlines()[-1] == f"float64 [1.5, 2.5] {be.name}"


def test_numpy_takes_arrays(be):
    for dtype in be.native_dtypes:
        x = be.astype(be.asarray([[0, 1], [2, 3]]), dtype)
        array = np.asarray(x)
        assert type(array) is np.ndarray and array.shape == (2, 2)
        assert array.astype("complex128").tolist() == np.asarray(x.tolist(), "complex128").tolist()
    x = be.asarray([0.0, 1.0])
    assert np.asarray(x, dtype="int8").dtype == "int8"
    own = type(x) if hasattr(x.native, "__array_ufunc__") else np.ndarray  # else NumPy's functions give its own arrays
    assert np.max(x) == 1.0 and type(np.sin(x)) is own
    assert np.stack([x, x]).shape == (2, 2)


def test_numpy_arrays_that_share_memory_cannot_change_what_never_changes(be):
    x = be.ones(1024)
    array = np.asarray(x)
    if array.flags.writeable:
        array[0] = 7.0
    assert x[0].tolist() == (1.0 if not be.fact("writes_in_place") else array[0])
    try:
        shared = np.asarray(x, copy=False)
    except ValueError as refusal:
        assert "cannot be exported without a copy" in str(refusal)
    else:
        assert shared.__array_interface__["data"] == np.asarray(x, copy=False).__array_interface__["data"]
    mine = np.array(x, copy=True)
    mine[1] = 7.0
    assert x[1].tolist() == 1.0


def test_python_numbers(be, lazy):
    two = be.asarray(2)
    assert (bool(two), int(two), float(two), complex(two), operator.index(two)) == (True, 2, 2.0, 2 + 0j, 2)
    text = repr(be.asarray(2.5)) if lazy(be) else "2.5"
    assert f"{be.asarray(2.5):.3f}|{be.asarray(2.5)}|{two:04d}" == f"2.500|{text}|0002"
    assert 2 in be.asarray([1, 2]) and 3 not in be.asarray([1, 2])
    assert len(be.zeros((3, 2))) == 3 and [float(v) for v in be.asarray([1.0, 2.0])] == [1.0, 2.0]


def test_repr(be, lazy):
    tail = f"dtype=float32, backend={be.name}, device={be.devices()[0]})"
    if lazy(be):
        assert repr(be.asarray([1.0, 2.5])) == f"Array(shape=(2,), Array, {tail}"
        return
    assert re.fullmatch(rf"Array\(\[1\.0*\s*, 2\.50*\], {re.escape(tail)}", repr(be.asarray([1.0, 2.5])))
    text = repr(be.asarray([[1.0, 2.0], [3.0, 4.0]])).splitlines()
    assert len(text) == 2 and text[0].startswith("Array([[1.") and text[1].startswith("       [3.")
    assert text[1].endswith(tail)
    long = repr(be.zeros((1000, 1000)))
    assert (
        len(long) < 1000 and "..." in long and "shape=(1000, 1000)" in long and max(map(len, long.splitlines())) < 101
    )
    assert "shape=(0, 3)" in repr(be.zeros((0, 3)))


IN_PLACE = {
    "+=": (operator.iadd, operator.add, 2.0),
    "-=": (operator.isub, operator.sub, 2.0),
    "*=": (operator.imul, operator.mul, 2.0),
    "/=": (operator.itruediv, operator.truediv, 2.0),
    "//=": (operator.ifloordiv, operator.floordiv, 2.0),
    "%=": (operator.imod, operator.mod, 2.0),
    "**=": (operator.ipow, operator.pow, 2.0),
    "&=": (operator.iand, operator.and_, 2),
    "|=": (operator.ior, operator.or_, 2),
    "^=": (operator.ixor, operator.xor, 2),
    "<<=": (operator.ilshift, operator.lshift, 2),
    ">>=": (operator.irshift, operator.rshift, 2),
}


@pytest.mark.parametrize("symbol", IN_PLACE)
def test_in_place_operators_keep_the_array(be, symbol):
    in_place, plain, value = IN_PLACE[symbol]
    values = [[type(value)(v) for v in row] for row in ((1, 2), (3, 4))]
    for other in (value, be.asarray(values)):
        x = kept = be.asarray(values)
        x = in_place(x, other)
        assert x is kept
        assert x.tolist() == plain(np.asarray(values), np.asarray(other)).tolist()


def test_a_matrix_is_multiplied_in_place(be):
    x = kept = be.asarray([[1.0, 1.0], [0.0, 1.0]])
    x @= x
    assert x is kept and x.tolist() == [[1.0, 2.0], [0.0, 1.0]]


def test_writing_keeps_the_array(be):
    x = kept = be.zeros((2, 3))
    x[0] = 1
    x[:, 1] = be.asarray([5.0, 6.0])
    x[be.asarray([False, True])] = 9.0
    x[0, be.asarray([2])] = [4.0]
    x[..., -1] += 1
    assert x is kept and x.tolist() == [[1.0, 5.0, 5.0], [9.0, 9.0, 10.0]]


def test_written_values_keep_their_kind(be):
    x = be.zeros(2, dtype="int64")
    for value in (1.5, [2.0], be.asarray(1.5), 1j):
        with pytest.raises(TypeError, match="cannot be written into an array of dtype 'int64'"):
            x[0] = value
    for value in (2**63, [-(2**63) - 1], -(2**70)):
        with pytest.raises(OverflowError, match="does not fit into 'int64', which holds"):
            x[:1] = value
    x[0] = be.asarray(3, dtype="int8")
    assert x.tolist() == [3, 0]


def test_lists_and_foreign_integers_are_keys(be):
    x = be.asarray([1, 2, 3])
    assert x[[2, 0]].tolist() == [3, 1] and x[[True, False, True]].tolist() == [1, 3] and x[[]].tolist() == []
    assert x[np.int64(1)].tolist() == 2
    assert (x + np.float64(0.5)).tolist() == [1.5, 2.5, 3.5]


def test_operators_beside_native_arrays(be):
    x = be.asarray([1.0, 2.0])
    assert isinstance(x + x.native, ca.Array) and (x + x.native).tolist() == [2.0, 4.0]
    assert [float(v) for v in x.native + x] == [2.0, 4.0]
