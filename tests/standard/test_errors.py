"""What goes wrong raises the same Python error on every backend, and always one of corearray's family."""

from __future__ import annotations

import numpy as np
import pytest
from standard.support import HAVE, INTEGER, NAME, array, be

import corearray as ca


def zeros(*shape, dtype="float32"):
    return array(np.zeros(shape, dtype))


def raises(kind, function, *args, **options):
    """Check that a call raises an error of a Python kind, which is one of corearray's too."""
    with pytest.raises(kind) as caught:
        function(*args, **options)
    assert isinstance(caught.value, ca.CoreArrayError)


_AXIS = (IndexError, ValueError)

_WRONG_AXES = {
    "all": lambda axis: be.all(zeros(2, 3), axis=axis),
    "any": lambda axis: be.any(zeros(2, 3), axis=axis),
    "argmax": lambda axis: be.argmax(zeros(2, 3), axis=axis),
    "argmin": lambda axis: be.argmin(zeros(2, 3), axis=axis),
    "argsort": lambda axis: be.argsort(zeros(2, 3), axis=axis),
    "concat": lambda axis: be.concat([zeros(2, 3), zeros(2, 3)], axis=axis),
    "count_nonzero": lambda axis: be.count_nonzero(zeros(2, 3), axis=axis),
    "cumulative_prod": lambda axis: be.cumulative_prod(zeros(2, 3), axis=axis),
    "cumulative_sum": lambda axis: be.cumulative_sum(zeros(2, 3), axis=axis),
    "diff": lambda axis: be.diff(zeros(2, 3), axis=axis),
    "expand_dims": lambda axis: be.expand_dims(zeros(2), axis),
    "fft": lambda axis: be.fft.fft(zeros(2, 3, dtype="complex64"), axis=axis),
    "fftn": lambda axis: be.fft.fftn(zeros(2, 3, dtype="complex64"), axes=(axis,)),
    "fftshift": lambda axis: be.fft.fftshift(zeros(2, 3), axes=axis),
    "flip": lambda axis: be.flip(zeros(2, 3), axis=axis),
    "hfft": lambda axis: be.fft.hfft(zeros(2, 3, dtype="complex64"), axis=axis),
    "irfft": lambda axis: be.fft.irfft(zeros(2, 3, dtype="complex64"), axis=axis),
    "max": lambda axis: be.max(zeros(2, 3), axis=axis),
    "mean": lambda axis: be.mean(zeros(2, 3), axis=axis),
    "min": lambda axis: be.min(zeros(2, 3), axis=axis),
    "moveaxis": lambda axis: be.moveaxis(zeros(2, 3), axis, 0),
    "permute_dims": lambda axis: be.permute_dims(zeros(2, 3), (0, axis)),
    "prod": lambda axis: be.prod(zeros(2, 3), axis=axis),
    "repeat": lambda axis: be.repeat(zeros(2, 3), 2, axis=axis),
    "rfft": lambda axis: be.fft.rfft(zeros(2, 3), axis=axis),
    "roll": lambda axis: be.roll(zeros(2, 3), 1, axis=axis),
    "roll of nothing": lambda axis: be.roll(zeros(0, 3), 1, axis=axis),
    "sort": lambda axis: be.sort(zeros(2, 3), axis=axis),
    "squeeze": lambda axis: be.squeeze(zeros(1, 1), axis),
    "stack": lambda axis: be.stack([zeros(2), zeros(2)], axis=axis),
    "std": lambda axis: be.std(zeros(2, 3), axis=axis),
    "sum": lambda axis: be.sum(zeros(2, 3), axis=axis),
    "sum of a pair": lambda axis: be.sum(zeros(2, 3), axis=(0, axis)),
    "take": lambda axis: be.take(zeros(2, 3), zeros(1, dtype="int64"), axis=axis),
    "take_along_axis": lambda axis: be.take_along_axis(zeros(2, 3), zeros(2, 3, dtype="int64"), axis=axis),
    "unstack": lambda axis: be.unstack(zeros(2, 3), axis=axis),
    "var": lambda axis: be.var(zeros(2, 3), axis=axis),
    "vecdot": lambda axis: be.vecdot(zeros(2, 3), zeros(2, 3), axis=axis),
    "vector_norm": lambda axis: be.linalg.vector_norm(zeros(2, 3), axis=axis),
}


@pytest.mark.parametrize("axis", [2, -3, 100])
@pytest.mark.parametrize("name", _WRONG_AXES)
def test_an_axis_that_is_not_there(name, axis):
    raises(_AXIS, _WRONG_AXES[name], axis)


@pytest.mark.parametrize("name", _WRONG_AXES)
def test_an_axis_of_another_type(name):
    """An integer of NumPy's is one; a float is none, also behind a call with the integer that it equals."""
    free = 1 if name in ("permute_dims", "sum of a pair") else 0
    for _ in range(2):
        assert repr(_WRONG_AXES[name](np.int64(free))) == repr(_WRONG_AXES[name](free))
        raises(TypeError, _WRONG_AXES[name], float(free))
        raises(TypeError, _WRONG_AXES[name], {})


_TWICE = {
    "expand_dims": lambda: be.expand_dims(zeros(2), (0, 0)),
    "flip": lambda: be.flip(zeros(2, 3), axis=(0, -2)),
    "permute_dims": lambda: be.permute_dims(zeros(2, 3), (0, -2)),
    "squeeze": lambda: be.squeeze(zeros(1, 1), (0, -2)),
    "sum": lambda: be.sum(zeros(2, 3), axis=(0, -2)),
    "max": lambda: be.max(zeros(2, 3), axis=(0, -2)),
    "moveaxis": lambda: be.moveaxis(zeros(2, 3), (0, 0), (0, 1)),
}


@pytest.mark.parametrize("name", _TWICE)
def test_an_axis_twice(name):
    raises(ValueError, _TWICE[name])


_TWO_OPERANDS = (
    "add", "atan2", "copysign", "divide", "equal", "floor_divide", "greater", "greater_equal", "hypot", "less",
    "less_equal", "logaddexp", "maximum", "minimum", "multiply", "nextafter", "not_equal", "pow", "remainder",
    "subtract",
)  # fmt: skip


def _of_two(name, dtype):
    return lambda: getattr(be, name)(zeros(2, dtype=dtype), zeros(3, dtype=dtype))


_SHAPES = {
    **{name: _of_two(name, "float32") for name in _TWO_OPERANDS},
    **{name: _of_two(name, "int32") for name in ("bitwise_and", "bitwise_or", "bitwise_xor", "bitwise_left_shift")},
    **{name: _of_two(name, "bool") for name in ("logical_and", "logical_or", "logical_xor")},
    "+": lambda: zeros(2, 2) + zeros(3),
    "@": lambda: zeros(2, 3) @ zeros(2, 3),
    "broadcast_arrays": lambda: be.broadcast_arrays(zeros(2), zeros(3)),
    "broadcast_shapes": lambda: be.broadcast_shapes((2,), (3,)),
    "broadcast_to": lambda: be.broadcast_to(zeros(2), (3,)),
    "broadcast_to fewer axes": lambda: be.broadcast_to(zeros(2, 2), (2,)),
    "clip": lambda: be.clip(zeros(2), zeros(3), None),
    "concat": lambda: be.concat([zeros(2, 3), zeros(2, 2)]),
    "concat of different axes": lambda: be.concat([zeros(2, 3), zeros(2)]),
    "cross": lambda: be.linalg.cross(zeros(2), zeros(2)),
    "matmul": lambda: be.matmul(zeros(2, 3), zeros(2, 3)),
    "matmul of batches": lambda: be.matmul(zeros(2, 2, 2), zeros(3, 2, 2)),
    "matmul without axes": lambda: be.matmul(zeros(), zeros(2, 2)),
    "moveaxis": lambda: be.moveaxis(zeros(2, 3), (0, 1), (0,)),
    "outer": lambda: be.linalg.outer(zeros(2, 2), zeros(2)),
    "permute_dims": lambda: be.permute_dims(zeros(2, 3), (0,)),
    "repeat": lambda: be.repeat(zeros(2), array(np.asarray([1, 2, 3]))),
    "reshape": lambda: be.reshape(zeros(2, 3), (4,)),
    "reshape with two unknown sides": lambda: be.reshape(zeros(2, 3), (-1, -1)),
    "solve": lambda: be.linalg.solve(zeros(2, 2), zeros(3, 1)),
    "squeeze": lambda: be.squeeze(zeros(2, 1), 0),
    "stack": lambda: be.stack([zeros(2), zeros(3)]),
    "take_along_axis": lambda: be.take_along_axis(zeros(2, 3), zeros(2, dtype="int64")),
    "tensordot": lambda: be.tensordot(zeros(2, 3), zeros(2, 3), axes=1),
    "vecdot": lambda: be.vecdot(zeros(2), zeros(3)),
    "where": lambda: be.where(zeros(2, dtype="bool"), zeros(3), zeros(3)),
}


@pytest.mark.parametrize("name", _SHAPES)
def test_shapes_that_do_not_fit(name):
    raises(ValueError, _SHAPES[name])


_INDICES = {
    "an integer": lambda: zeros(3)[3],
    "a negative integer": lambda: zeros(3)[-4],
    "an integer in a tuple": lambda: zeros(2, 3)[0, 3],
    "too many": lambda: zeros(3)[0, 0],
    "an axis of length 0": lambda: zeros(0)[0],
    "an integer to write to": lambda: zeros(3).__setitem__(3, 1.0),
    "a mask of another shape": lambda: zeros(3)[array(np.asarray([True, False]))],
    "two ellipses": lambda: zeros(2, 3)[..., 0, ...],
    "a float": lambda: zeros(3)[1.0],
    "an array of floats": lambda: zeros(3)[zeros(1)],
}


@pytest.mark.parametrize("name", _INDICES)
def test_wrong_indices(name):
    raises(IndexError, _INDICES[name])


@pytest.mark.parametrize("dtype", [name for name in HAVE if name in INTEGER])
def test_a_python_integer_that_does_not_fit(dtype):
    x = zeros(2, dtype=dtype)
    limits = np.iinfo(dtype)
    for value in (int(limits.max) + 1, int(limits.min) - 1):
        raises(OverflowError, be.add, x, value)
        raises(OverflowError, be.multiply, value, x)
        raises(OverflowError, lambda value: x == value, value)
        raises(OverflowError, be.where, zeros(2, dtype="bool"), x, value)
        raises(OverflowError, be.full, 2, value, dtype=dtype)
        raises(OverflowError, be.full_like, x, value)
        raises(OverflowError, be.asarray, value, dtype=dtype)
        raises(OverflowError, be.asarray, [value], dtype=dtype)
        raises(OverflowError, x.__setitem__, 0, value)
    assert be.add(x, int(limits.max)).tolist() == [int(limits.max)] * 2


_KINDS = {
    "bitwise_and": lambda: be.bitwise_and(zeros(2), zeros(2)),
    "bitwise_invert": lambda: be.bitwise_invert(zeros(2)),
    "bitwise_left_shift": lambda: be.bitwise_left_shift(zeros(2), zeros(2)),
    "bitwise_or": lambda: be.bitwise_or(zeros(2), zeros(2)),
    "bitwise_right_shift": lambda: be.bitwise_right_shift(zeros(2), zeros(2)),
    "bitwise_xor": lambda: be.bitwise_xor(zeros(2), zeros(2)),
    "~": lambda: ~zeros(2),
    "&": lambda: zeros(2) & 1,
    "argmax": lambda: be.argmax(zeros(2, dtype="complex64")),
    "atan2": lambda: be.atan2(zeros(2, dtype="complex64"), zeros(2)),
    "ceil": lambda: be.ceil(zeros(2, dtype="complex64")),
    "floor": lambda: be.floor(zeros(2, dtype="complex64")),
    "floor_divide": lambda: be.floor_divide(zeros(2, dtype="complex64"), 1),
    "less": lambda: be.less(zeros(2, dtype="complex64"), zeros(2)),
    "greater": lambda: be.greater(zeros(2, dtype="complex64"), zeros(2)),
    "max": lambda: be.max(zeros(2, dtype="complex64")),
    "maximum": lambda: be.maximum(zeros(2, dtype="complex64"), zeros(2)),
    "min": lambda: be.min(zeros(2, dtype="complex64")),
    "remainder": lambda: be.remainder(zeros(2, dtype="complex64"), 1),
    "rfft": lambda: be.fft.rfft(zeros(2, dtype="complex64")),
    "sort": lambda: be.sort(zeros(2, dtype="complex64")),
    "argsort": lambda: be.argsort(zeros(2, dtype="complex64")),
    "trunc": lambda: be.trunc(zeros(2, dtype="complex64")),
    "iinfo": lambda: be.iinfo(ca.float32),
    "finfo": lambda: be.finfo(ca.int32),
    "zeros": lambda: be.zeros(2, dtype="float31"),
    "astype": lambda: be.astype(zeros(2), "float31"),
    "set complex in real": lambda: zeros(2).__setitem__(0, 1j),
    "take": lambda: be.take(zeros(2), zeros(2)),
    "int of an array": lambda: int(zeros(2)),
    "index of a float": lambda: range(3)[zeros()],
    "len without axes": lambda: len(zeros()),
    "iteration without axes": lambda: list(zeros()),
    "an in-place change of the dtype": lambda: zeros(2, dtype="int32").__iadd__(1.5),
}


@pytest.mark.parametrize("name", _KINDS)
def test_wrong_kinds_of_dtypes(name):
    raises(TypeError, _KINDS[name])


_VALUES = {
    "an in-place change of the shape": lambda: zeros(2).__iadd__(zeros(3, 2)),
    "bool of an array": lambda: bool(zeros(2)),
    "isdtype": lambda: be.isdtype(ca.int8, "number"),
    "linspace": lambda: be.linspace(0, 1, -1),
    "mT": lambda: zeros(2).mT,
    "T": lambda: zeros(2, 2, 2).T,
    "max of nothing": lambda: be.max(zeros(0)),
    "matrix_norm": lambda: be.linalg.matrix_norm(zeros(2, 2), ord=7),
    "meshgrid": lambda: be.meshgrid(zeros(2), indexing="yx"),
    "norm": lambda: be.fft.fft(zeros(2, dtype="complex64"), norm="sideways"),
    "searchsorted": lambda: be.searchsorted(zeros(2), zeros(1), side="middle"),
    "stack of nothing": lambda: be.stack([]),
    "concat of nothing": lambda: be.concat([]),
    "zeros of a negative side": lambda: be.zeros((2, -1)),
    "tril": lambda: be.tril(zeros(2)),
    "det": lambda: be.linalg.det(zeros(2, 3)),
    "nothing to transform": lambda: be.fft.fft(zeros(2, dtype="complex64"), n=0),
}


@pytest.mark.parametrize("name", _VALUES)
def test_wrong_values(name):
    raises(ValueError, _VALUES[name])


def test_unknown_and_missing_arguments_are_type_errors():
    for call in (lambda: be.add(zeros(2)), lambda: be.sum(zeros(2), axes=0), lambda: be.sin(x=zeros(2))):
        with pytest.raises(TypeError):
            call()


def test_other_objects_are_refused():
    class Other:
        pass

    for call in (lambda: zeros(2) + Other(), lambda: Other() * zeros(2), lambda: zeros(2) < "text"):
        with pytest.raises(TypeError):
            call()


def test_the_message_says_what_failed_and_where():
    with pytest.raises(ca.CoreArrayError, match="reshape") as caught:
        be.reshape(zeros(2, 3), (4,))
    assert NAME in str(caught.value) or "(2, 3)" in str(caught.value)


@pytest.mark.parametrize("dtype", ["float32", "int8"])
def test_the_message_of_a_composition_names_it(dtype):
    """Arrays of two dtypes take another path: the inner call promotes one of them."""
    with pytest.raises(ValueError, match="'stable_divide'"):
        be.stable_divide(zeros(2), zeros(3, dtype=dtype))
    with pytest.raises(OverflowError, match="'full'"):
        be.full((2,), 300, dtype="int8")


def test_sizes_without_an_end_are_refused_at_once():
    for size in (2**40, 2**70):
        raises(ca.CoreArrayError, be.triu_indices, size)
        raises(ca.CoreArrayError, be.tril_indices, size, k=1)


def test_more_memory_than_there_can_be():
    """Some frameworks raise an error of their own, or `RuntimeError`, which it stays."""
    raises(MemoryError, be.zeros, (2**55,))
    raises(RuntimeError, be.zeros, (2**55,))


def test_truth_values_have_no_negative():
    with pytest.raises(TypeError, match=r"dtype 'bool' and is for numbers; write ~x"):
        -array(np.asarray([True, False]))


def test_messages_hold_no_marks_of_graphs():
    for wrong in (
        lambda: be.linalg.inv(zeros(2, 2)),
        lambda: be.add(zeros(2, 3), zeros(4, 5)),
        lambda: zeros(2, 3) @ zeros(2, 3),
    ):
        try:
            wrong()
        except ca.CoreArrayError as error:
            assert "{{" not in str(error) and "[Op:" not in str(error)
