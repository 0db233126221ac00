"""Bad input is the same mistake everywhere: one Python type and one text on all backends."""

from __future__ import annotations

import re

import pytest

import corearray as ca


def matrix(be):
    return be.asarray([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])


def vector(be):
    return be.asarray([1, 2, 3])


def indices(be, *values):
    return be.asarray(list(values), dtype="int64")


#: What is done, the Python type of the error, and how its text begins.
MISTAKES = {
    # shapes
    "add": (
        lambda be: be.add(matrix(be), be.ones((2, 2))),
        ValueError,
        "'add' on backend '{be}' got arrays of the shapes (2, 3) and (2, 2), which do not broadcast to one",
    ),
    "an operator": (
        lambda be: matrix(be) < be.ones(4),
        ValueError,
        "'less' on backend '{be}' got arrays of the shapes (2, 3) and (4,), which do not broadcast to one",
    ),
    "different dtypes": (
        lambda be: vector(be) * be.ones(4),
        ValueError,
        "'multiply' on backend '{be}' got arrays of the shapes (3,) and (4,), which do not broadcast to one",
    ),
    "where": (
        lambda be: be.where(matrix(be) > 0, be.ones(5), matrix(be)),
        ValueError,
        "'where' on backend '{be}' got arrays of the shapes (2, 3) and (5,) and (2, 3), which do not broadcast to one",
    ),
    "matmul": (
        lambda be: matrix(be) @ matrix(be),
        ValueError,
        "'matmul' on backend '{be}' got arrays of the shapes (2, 3) and (2, 3); the last axis of the first has the "
        "length 3, that of the second which meets it 2",
    ),
    "matmul of a vector": (
        lambda be: matrix(be) @ be.ones(2),
        ValueError,
        "'matmul' on backend '{be}' got arrays of the shapes (2, 3) and (2,)",
    ),
    "matmul of batches": (
        lambda be: be.ones((2, 3, 3)) @ be.ones((4, 3, 3)),
        ValueError,
        "'matmul' on backend '{be}' got arrays of the shapes (2, 3, 3) and (4, 3, 3), whose axes in front do not",
    ),
    "matmul of numbers": (
        lambda be: be.asarray(1.0) @ matrix(be),
        ValueError,
        "'matmul' on backend '{be}' got arrays of the shapes () and (2, 3); both must have axes",
    ),
    "vecdot": (
        lambda be: be.vecdot(matrix(be), be.ones((2, 2))),
        ValueError,
        "'vecdot' on backend '{be}' got arrays of the shapes (2, 3) and (2, 2); axis -1 must be equally long in both",
    ),
    "tensordot": (
        lambda be: be.tensordot(matrix(be), matrix(be), axes=1),
        ValueError,
        "'tensordot' on backend '{be}' got arrays of the shapes (2, 3) and (2, 3) with axes=1; the axes summed over",
    ),
    "reshape": (
        lambda be: be.reshape(matrix(be), (4,)),
        ValueError,
        "'reshape' on backend '{be}' got an array of the shape (2, 3) with 6 elements, which do not fit into the shape",
    ),
    "reshape with two unknown sizes": (
        lambda be: be.reshape(matrix(be), (-1, -1)),
        ValueError,
        "'reshape' on backend '{be}' got the shape (-1, -1); one size at most may be -1",
    ),
    "broadcast_to": (
        lambda be: be.broadcast_to(matrix(be), (3, 3)),
        ValueError,
        "'broadcast_to' on backend '{be}' got an array of the shape (2, 3), which does not broadcast to (3, 3)",
    ),
    "concat": (
        lambda be: be.concat([matrix(be), be.ones((2, 2))]),
        ValueError,
        "'concat' on backend '{be}' got arrays of the shapes (2, 3) and (2, 2); all axes but 0 must be equally long",
    ),
    "concat of other axes": (
        lambda be: be.concat([matrix(be), be.ones(3)]),
        ValueError,
        "'concat' on backend '{be}' got arrays of the shapes (2, 3) and (3,); all must have the same number of axes",
    ),
    "stack": (
        lambda be: be.stack([be.ones(2), be.ones(3)]),
        ValueError,
        "'stack' on backend '{be}' got arrays of the shapes (2,) and (3,); all must have the same shape",
    ),
    "squeeze": (
        lambda be: be.squeeze(matrix(be), 0),
        ValueError,
        "'squeeze' on backend '{be}' got an array of the shape (2, 3), whose axis 0 does not have the length 1",
    ),
    "permute_dims": (
        lambda be: be.permute_dims(matrix(be), (0, 1, 2)[:1]),
        ValueError,
        "'permute_dims' on backend '{be}' got an array of the shape (2, 3) and axes=(0,); name each axis once",
    ),
    "det": (
        lambda be: be.linalg.det(matrix(be)),
        ValueError,
        "'det' on backend '{be}' got an array of the shape (2, 3); square matrices are needed, of the shape (...",
    ),
    "solve": (
        lambda be: be.linalg.solve(be.eye(3), be.ones(2)),
        ValueError,
        "'solve' on backend '{be}' got arrays of the shapes (3, 3) and (2,); the second must have 3 rows",
    ),
    "svd": (
        lambda be: be.linalg.svd(be.ones(3)),
        ValueError,
        "'svd' on backend '{be}' got an array of the shape (3,); matrices have at least 2 axes",
    ),
    "zeros": (
        lambda be: be.zeros((2, -1)),
        ValueError,
        "'zeros' on backend '{be}' got the shape (2, -1); sizes are at least 0",
    ),
    "max of nothing": (
        lambda be: be.max(be.zeros((0, 2))),
        ValueError,
        "'max' on backend '{be}' got an array of the shape (0, 2), which has no element to choose along axis=None",
    ),
    "argmin of nothing": (
        lambda be: be.argmin(be.zeros((2, 0)), axis=1),
        ValueError,
        "'argmin' on backend '{be}' got an array of the shape (2, 0), which has no element to choose along axis=1",
    ),
    # axes
    "sum": (
        lambda be: be.sum(matrix(be), axis=5),
        ca.AxisError,
        "'sum' on backend '{be}' got axis=5, but axis 5 is out of range where there are 2 axes; valid are -2 to 1",
    ),
    "one axis of a pair": (
        lambda be: be.max(matrix(be), axis=(0, -3)),
        ca.AxisError,
        "'max' on backend '{be}' got axis=(0, -3), but axis -3 is out of range where there are 2 axes",
    ),
    "expand_dims": (
        lambda be: be.expand_dims(matrix(be), axis=9),
        ca.AxisError,
        "'expand_dims' on backend '{be}' got axis=9, but axis 9 is out of range where there are 3 axes; valid are",
    ),
    "moveaxis": (
        lambda be: be.moveaxis(matrix(be), 0, 4),
        ca.AxisError,
        "'moveaxis' on backend '{be}' got destination=4, but axis 4 is out of range where there are 2 axes",
    ),
    **{
        name: (
            lambda be, call=call: call(be, 4),
            ca.AxisError,
            f"'{name}' on backend '{{be}}' got axis=4, but axis 4 is out of range where there are 2 axes; valid are -2",
        )
        for name, call in {
            "argmax": lambda be, axis: be.argmax(matrix(be), axis=axis),
            "argsort": lambda be, axis: be.argsort(matrix(be), axis=axis),
            "cumulative_sum": lambda be, axis: be.cumulative_sum(matrix(be), axis=axis),
            "diff": lambda be, axis: be.diff(matrix(be), axis=axis),
            "fft": lambda be, axis: be.fft.fft(be.astype(matrix(be), ca.complex64), axis=axis),
            "flip": lambda be, axis: be.flip(matrix(be), axis=axis),
            "mean": lambda be, axis: be.mean(matrix(be), axis=axis),
            "roll": lambda be, axis: be.roll(matrix(be), 1, axis=axis),
            "sort": lambda be, axis: be.sort(matrix(be), axis=axis),
            "std": lambda be, axis: be.std(matrix(be), axis=axis),
            "take": lambda be, axis: be.take(matrix(be), indices(be, 0), axis=axis),
            "unstack": lambda be, axis: be.unstack(matrix(be), axis=axis),
        }.items()
    },
    "an axis twice": (
        lambda be: be.sum(matrix(be), axis=(0, -2)),
        ValueError,
        "'sum' on backend '{be}' got axis=(0, -2), which names an axis twice; name each once",
    ),
    "no axis for a matrix": (
        lambda be: be.cumulative_sum(matrix(be)),
        ValueError,
        "'cumulative_sum' on backend '{be}' got an array of the shape (2, 3) and no axis, which may be left out for",
    ),
    # indices
    "an index": (
        lambda be: vector(be)[7],
        IndexError,
        "an array of the shape (3,) on backend '{be}' was indexed with 7; index 7 is out of range for axis 0 of",
    ),
    "a negative index": (
        lambda be: matrix(be)[..., -4],
        IndexError,
        "an array of the shape (2, 3) on backend '{be}' was indexed with (..., -4); index -4 is out of range for",
    ),
    "an index array": (
        lambda be: vector(be)[indices(be, 0, 9)],
        IndexError,
        "an array of the shape (3,) on backend '{be}' was indexed with an array of int64 of the shape (2,); index 9 is",
    ),
    "an index to take": (
        lambda be: be.take(vector(be), indices(be, 0, -9)),
        IndexError,
        "'take' on backend '{be}' got a wrong index: index -9 is out of range for axis 0 of length 3; valid are -3 to 2",
    ),
    "too many indices": (
        lambda be: vector(be)[0, 0],
        IndexError,
        "an array of the shape (3,) on backend '{be}' was indexed with (0, 0), which is a key for 2 axes; there are 1",
    ),
    "two ellipses": (
        lambda be: matrix(be)[..., ...],
        IndexError,
        "an array of the shape (2, 3) on backend '{be}' was indexed with (..., ...); '...' may stand in a key once",
    ),
    "a mask": (
        lambda be: vector(be)[be.asarray([True, False])],
        IndexError,
        "an array of the shape (3,) on backend '{be}' was indexed with an array of bool of the shape (2,); a mask of",
    ),
    "a float as an index": (
        lambda be: vector(be)[1.0],
        IndexError,
        "an array of the shape (3,) on backend '{be}' was indexed with 1.0; keys are made of integers, slices, None",
    ),
    "floats as indices": (
        lambda be: vector(be)[be.asarray([0.5])],
        IndexError,
        "an array of the shape (3,) on backend '{be}' was indexed with an array of float32 of the shape (1,); arrays",
    ),
    "a float array without axes as an index": (
        lambda be: vector(be)[be.asarray(1.5)],
        IndexError,
        "an array of the shape (3,) on backend '{be}' was indexed with an array of float32 of the shape (); arrays of",
    ),
    "a text as an index": (
        lambda be: vector(be)["a"],
        IndexError,
        "an array of the shape (3,) on backend '{be}' was indexed with 'a'; keys are made of integers",
    ),
    "a step of 0": (
        lambda be: vector(be)[::0],
        ValueError,
        "an array of the shape (3,) on backend '{be}' was indexed with ::0; the step of a slice cannot be 0",
    ),
    "an index to write to": (
        lambda be: matrix(be).__setitem__((0, 3), 1.0),
        IndexError,
        "an array of the shape (2, 3) on backend '{be}' was indexed with (0, 3); index 3 is out of range for axis 1",
    ),
    "a shape to write": (
        lambda be: matrix(be).__setitem__(0, [1.0, 2.0]),
        ValueError,
        "'set_item' on backend '{be}' got a value of the shape (2,), which does not broadcast to the selected part of",
    ),
    # kinds and numbers
    "bits of floats": (
        lambda be: ~matrix(be),
        TypeError,
        "'bitwise_invert' on backend '{be}' got an array of dtype 'float32' and is for integers or booleans",
    ),
    "order of complex numbers": (
        lambda be: be.asarray([1j]) < be.asarray([2j]),
        TypeError,
        "'less' is a function of real numbers, and argument 1 is complex; take corearray.abs(x) or corearray.real(x)",
    ),
    "floor of complex numbers": (
        lambda be: be.floor(be.asarray([1j])),
        TypeError,
        "'floor' is a function of real numbers, and argument 1 is complex; take corearray.abs(x) or corearray.real(x)",
    ),
    "uint64 with int64": (
        lambda be: vector(be) + be.asarray([1], dtype="uint64"),
        TypeError,
        "'int64' and 'uint64' have no common integer dtype; cast one of them, for example with corearray.astype",
    ),
    "too large an int": (
        lambda be: be.asarray([1], dtype="int8") + 1000,
        OverflowError,
        "the Python integer 1000 does not fit into 'int8', which holds -128 to 127; cast the array to a wider",
    ),
    "a negative int beside unsigned": (
        lambda be: be.asarray([1], dtype="uint8") * -1,
        OverflowError,
        "the Python integer -1 does not fit into 'uint8', which holds 0 to 255",
    ),
    "too large an int to make an array of": (
        lambda be: be.asarray([1, 300], dtype="uint8"),
        OverflowError,
        "the Python integer 300 does not fit into 'uint8', which holds 0 to 255",
    ),
    "too large an int for any dtype": (
        lambda be: be.asarray(2**70),
        OverflowError,
        "the Python integer 1180591620717411303424 does not fit into 'int64', which holds",
    ),
    "too large an int to fill with": (
        lambda be: be.full(2, -129, dtype="int8"),
        OverflowError,
        "the Python integer -129 does not fit into 'int8', which holds -128 to 127",
    ),
    "nested lists of different lengths": (
        lambda be: be.asarray([[1], [2, 3]]),
        ValueError,
        "'asarray' on backend '{be}' got nested lists of different lengths; give as many at each depth, or make a Ragged of",
    ),
    "arrays of different shapes in a list": (
        lambda be: be.asarray([be.ones(2), be.ones(3)]),
        ValueError,
        "'asarray' on backend '{be}' got nested lists of different lengths; give as many at each depth, or make a Ragged of",
    ),
    "rows of different lengths side by side": (
        lambda be: be.hstack([matrix(be), be.ones((3, 3))]),
        ValueError,
        "'hstack' on backend '{be}' got arrays of the shapes (2, 3) and (3, 3); all axes but 1 must be equally long",
    ),
    "a vector beside a matrix": (
        lambda be: be.hstack([be.ones(3), matrix(be)]),
        ValueError,
        "'hstack' on backend '{be}' got arrays of the shapes (3,) and (2, 3); all must have the same number of axes",
    ),
    "rows of different lengths one below the other": (
        lambda be: be.vstack([be.ones(2), matrix(be)]),
        ValueError,
        "'vstack' on backend '{be}' got arrays of the shapes (2,) and (2, 3); all axes but 0 must be equally long",
    ),
    "different matrices one behind the other": (
        lambda be: be.dstack([matrix(be), be.ones((3, 3))]),
        ValueError,
        "'dstack' on backend '{be}' got arrays of the shapes (2, 3) and (3, 3); all axes but 2 must be equally long",
    ),
    "columns of different lengths": (
        lambda be: be.column_stack([be.ones(2), be.ones(3)]),
        ValueError,
        "'column_stack' on backend '{be}' got arrays of the shapes (2,) and (3,); all axes but 1 must be equally long",
    ),
    "a negative number to count": (
        lambda be: be.bincount(be.asarray([-1, 2])),
        ValueError,
        "'bincount' on backend '{be}' got an array with the number -1; it counts integers of at least 0",
    ),
    "weights of another length": (
        lambda be: be.bincount(be.asarray([1, 2]), be.ones(1)),
        ValueError,
        "'bincount' got weights of shape (1,) for 2 elements",
    ),
    "a dtype's name": (
        lambda be: be.zeros(2, dtype="flot"),
        TypeError,
        "'flot' is no dtype; did you mean 'float64'?",
    ),
    "a device's name": (
        lambda be: be.zeros(2, device="???"),
        ca.DeviceError,
        "'???' is no device; write it as in 'cpu', 'gpu:0' or 'cuda:1'",
    ),
    "a device that is not there": (
        lambda be: matrix(be).to_device("gpu:99"),
        ca.DeviceError,
        "backend '{be}' has no device 'gpu:99'; it has 'cpu'",
    ),
}


#: Mistakes in values, which lazy backends find when they compute.
OF_VALUES = {"an index array", "an index to take", "a negative number to count"}


@pytest.mark.parametrize("what", MISTAKES)
def test_a_mistake_is_the_same_error_everywhere(everywhere, lazy, what):
    mistake, kind, text = MISTAKES[what]
    types = set()
    for be in everywhere:
        if what in OF_VALUES and lazy(be):
            x = mistake(be)
            with pytest.raises(kind):
                x.tolist()
            continue
        with pytest.raises(kind) as caught:
            mistake(be)
        assert isinstance(caught.value, ca.CoreArrayError), be
        assert str(caught.value).startswith(text.replace("{be}", be.name)), be
        types.add(type(caught.value))
    assert len(types) == 1, types


def test_the_native_error_is_told_and_chained(be):
    with pytest.raises(ca.CoreArrayError) as caught:
        be.reshape(matrix(be), (4,))
    cause = caught.value.__cause__
    assert cause is not None and not isinstance(cause, ca.CoreArrayError)
    assert re.search(rf"\({type(cause).__name__}: .+\)$", str(caught.value))


def test_an_axis_error_tells_its_parts(be):
    with pytest.raises(ca.AxisError) as caught:
        be.sum(matrix(be), axis=-3)
    assert (caught.value.axis, caught.value.ndim) == (-3, 2)
    assert isinstance(caught.value, ValueError) and isinstance(caught.value, IndexError)
