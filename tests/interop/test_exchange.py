"""Arrays between all backends: through DLPack, through `to_backend`, and not at all by accident."""

from __future__ import annotations

import operator
import re

import numpy as np
import pytest

import corearray as ca
from corearray.types.dtypes import DTYPES

SHAPES = ((), (3,), (0,), (2, 3), (2, 0, 3))


def common_dtypes(one, two):
    return [dtype for dtype in DTYPES.values() if dtype in one.native_dtypes and dtype in two.native_dtypes]


def sample(be, dtype, shape=(2, 3)):
    """Small numbers, of which every dtype has some, with a fraction or an imaginary part where there can be one."""
    x = be.reshape(be.arange(int(np.prod(shape)), dtype="float32"), shape)
    if dtype.category == "real floating":
        x = x + 0.5
    x = be.astype(x, dtype)
    return x * 1j if dtype.category == "complex floating" else x


def place(x):
    """Where the elements lie, and what keeps them there. The exported array must be held while places are compared."""
    array = (
        x.native if isinstance(x.native, np.ndarray) else np.from_dlpack(x)
    )  # read-only memory is exported as a copy
    return array.__array_interface__["data"][0], array


def shared(x, y):
    (one, _kept), (two, _also) = place(x), place(y)
    return one == two


def writable_memory(be):
    """An array of whole cache lines, which every framework can use as it is, and a way to write to it."""
    raw = np.zeros(4096 + 64, np.uint8)
    start = -raw.__array_interface__["data"][0] % 64
    floats = raw[start : start + 4096].view("float32")
    return be.asarray(floats), floats


def test_to_backend_brings_every_dtype_and_shape(pair):
    source, target = pair
    for dtype in common_dtypes(source, target):
        for shape in SHAPES:
            x = sample(source, dtype, shape)
            y = ca.to_backend(x, target.name)
            assert (y.backend, y.dtype, tuple(y.shape)) == (target, dtype, shape)
            assert y.tolist() == x.tolist()
            back = ca.to_backend(y, source.name)
            assert (back.backend, back.dtype, back.tolist()) == (source, dtype, x.tolist())
    assert ca.to_backend(x.native, target.name).tolist() == x.tolist()
    assert ca.to_backend(x, source.name) is x


def test_to_backend_brings_arrays_whatever_their_strides(pair):
    source, target = pair
    x = sample(source, ca.float32, (4, 6))
    for view in (x.mT, x[:, ::2], x[::-1], source.broadcast_to(x[0], (3, 6)), x[1:, 1:], source.flip(x)):
        assert ca.to_backend(view, target.name).tolist() == view.tolist()


def test_special_values_survive(pair):
    source, target = pair
    for dtype in ("float32", "float64"):
        values = [0.0, -0.0, source.inf, -source.inf, 5e-324 if dtype == "float64" else 1e-45]
        y = ca.to_backend(source.asarray(values, dtype=dtype), target.name)
        assert y.tolist() == source.asarray(values, dtype=dtype).tolist()
        assert [str(v) for v in y.tolist()[:2]] == ["0.0", "-0.0"]
    assert ca.to_backend(source.asarray(source.nan), target.name).tolist() != 0
    for dtype in ("int64", "uint64", "int8", "uint8"):
        limits = source.iinfo(dtype)
        x = source.asarray([int(limits.min), int(limits.max)], dtype=dtype)
        assert ca.to_backend(x, target.name).tolist() == [int(limits.min), int(limits.max)]


def test_from_dlpack_takes_arrays_native_ones_and_others(pair):
    source, target = pair
    for dtype in (ca.float32, ca.float64, ca.int32, ca.int64, ca.uint8, ca.complex64):
        x = sample(source, dtype)
        y = target.from_dlpack(x)
        assert (y.backend, y.dtype, y.tolist()) == (target, dtype, x.tolist())
    plain = np.arange(6, dtype="float32")
    assert target.from_dlpack(plain).tolist() == plain.tolist()
    assert np.from_dlpack(target.asarray([1.0, 2.0])).tolist() == [1.0, 2.0]


def test_copy_of_from_dlpack(pair, lazy, record_property):
    """`copy=False` shares or fails, `copy=True` never shares, and without either memory is shared where it can be."""
    source, target = pair
    x, memory = writable_memory(source)
    try:
        without = target.from_dlpack(x, copy=False)
    except (ValueError, BufferError) as refusal:
        assert isinstance(refusal, ca.CoreArrayError)
        without = None
    else:
        if lazy(source):
            return  # the target shares what was computed for it
        assert shared(x, without)
        assert shared(x, target.from_dlpack(x))
        assert shared(x, ca.to_backend(x, target.name, copy=False))
        assert shared(x, target.asarray(x.native, copy=False))
    record_property("zero-copy", without is not None)
    if shared(x, source.asarray(memory)):
        copied = target.from_dlpack(x, copy=True)
        memory[0] = 7.0
        assert copied[0].tolist() == 0.0, "copy=True shares memory that somebody else can write to"


#: Ways to another backend that follow one rule. Each takes an array and a backend.
WAYS = {
    "to_backend": lambda x, be: ca.to_backend(x, be.name),
    "to_backend of a native array": lambda x, be: ca.to_backend(x.native, be.name),
    "asarray of a native array": lambda x, be: be.asarray(x.native),
}

LAYOUTS = {
    "whole": lambda x: x,
    "transposed": lambda x: x.T,
    "rows": lambda x: x[16:],
    "columns": lambda x: x[:, ::2],
    "reversed": lambda x: x[::-1],
}


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("way", WAYS)
def test_a_write_never_changes_what_never_changes(pair, way, layout, lazy):
    """Memory is shared by two frameworks that write in place, or by two that never do; between others it is copied."""
    source, target = pair
    x = LAYOUTS[layout](source.reshape(writable_memory(source)[0], (32, 32)))
    before, native = x.tolist(), x.native
    y = WAYS[way](x, target)
    assert (y.backend, y.dtype, y.tolist()) == (target, x.dtype, before)
    writes = [be.fact("writes_in_place") for be in pair]
    if layout == "whole" and writes[0] == writes[1] and not (lazy(source) or lazy(target)):
        assert shared(x, y)
    y[1, 1] = 5.0
    assert y[1, 1].tolist() == 5.0
    if not writes[0]:
        assert x.tolist() == source.asarray(native).tolist() == before
    if writes[0] and not writes[1]:
        z = WAYS[way](x, target)
        other = z.native
        source.asarray(native)[1, 1] = 7.0
        assert z.tolist() == target.asarray(other).tolist() == before


def test_copy_of_to_backend(pair, lazy):
    """`copy=False` shares all memory that both can use, or is an error; `copy=True` shares none."""
    source, target = pair
    x = source.reshape(writable_memory(source)[0], (32, 32))
    for move in LAYOUTS.values():
        part = move(x)
        try:
            y = ca.to_backend(part, target.name, copy=False)
        except (ValueError, BufferError) as error:
            assert isinstance(error, ca.CoreArrayError)
            assert move is not LAYOUTS["whole"] or lazy(source) or lazy(target)
        else:
            assert lazy(source) or shared(part, y)
            assert y.tolist() == part.tolist()
        copied = ca.to_backend(part, target.name, copy=True)
        assert lazy(source) or lazy(target) or not shared(part, copied)
    assert ca.to_backend(x, source.name, copy=True) is not x
    moved = ca.to_backend(ca.Container(a=x), target.name, copy=True).a
    assert moved.backend is target


def test_a_derivative_is_never_lost_on_the_way(pair):
    """An array within a derivative does not leave its framework unless the program cuts it off."""
    source, target = pair
    x = source.asarray([1.0, 2.0])

    def moved(x, cut):
        y = ca.to_backend(ca.stop_gradient(x) if cut else x, target.name)
        return ca.sum(x) * float(ca.sum(y))

    try:
        ca.grad(lambda x: moved(x, cut=True))(x)
    except NotImplementedError:
        return  # a framework without derivatives
    assert ca.grad(lambda x: moved(x, cut=True))(x).tolist() == [3.0, 3.0]
    with pytest.raises(ca.CoreArrayError):
        ca.grad(lambda x: moved(x, cut=False))(x)


def test_dlpack_devices_are_those_of_the_host(be):
    kind, number = be.asarray([1.0], device="cpu").__dlpack_device__()
    assert (int(kind), number) == (1, 0)


MIXED = {
    "add": lambda x, y: ca.add(x, y),
    "+": operator.add,
    "==": operator.eq,
    "+=": operator.iadd,
    "native on the right": lambda x, y: x + y.native,
    "both native": lambda x, y: ca.add(x.native, y.native),
    "matmul": lambda x, y: ca.matmul(x, y),
    "concat": lambda x, y: ca.concat([x, y]),
    "stack": lambda x, y: ca.stack((x, y)),
    "where": lambda x, y: ca.where(x > 0, x, y),
    "take": lambda x, y: ca.take(x, ca.astype(y, ca.int64)),
    "out": lambda x, y: ca.add(x, x, out=y),
    "a key": lambda x, y: x[y.backend.astype(y, ca.int64)],
    "writing": lambda x, y: operator.setitem(x, 0, y[0]),
    "a key to write to": lambda x, y: operator.setitem(x, y > 0, 1.0),
    "meshgrid": lambda x, y: ca.meshgrid(x, y),
}


@pytest.mark.parametrize("what", MIXED)
def test_arrays_of_two_backends_in_one_call(pair, what):
    one, two = pair
    x, y = one.asarray([1.0, 2.0]), two.asarray([1.0, 2.0])
    if what == "native on the right" and hasattr(type(y.native), "__array_interface__"):
        made = MIXED[what](x, y)
        assert made.backend is one and made.tolist() == [2.0, 4.0]
        return
    with pytest.raises(ca.BackendMismatchError) as caught:
        MIXED[what](x, y)
    text = str(caught.value)
    assert isinstance(caught.value, TypeError)
    for found in (re.search(r"runs on backend '(\w+)' and got an array of backend '(\w+)'", text),):
        assert found is not None and set(found.groups()) == {one.name, two.name}
        assert f'convert it with corearray.to_backend(x, "{found[1]}")' in text


def test_the_backend_in_force_decides(pair):
    one, two = pair
    x = two.asarray([1.0, 2.0])
    with ca.backend_context(one):
        with pytest.raises(ca.BackendMismatchError, match=f"'sin' runs on backend '{one.name}'"):
            ca.sin(x)
        assert ca.sin(ca.to_backend(x, one.name)).backend is one
    assert ca.sin(x).backend is two


def test_a_dtype_that_is_asked_for_stands_for_one_that_is_missing(pair):
    source, target = pair
    for dtype in source.native_dtypes:
        if dtype in target.native_dtypes or dtype.category != "real floating":
            continue
        x = source.astype(source.asarray([1.5, -2.0]), dtype)
        for given in (x, x.native):
            found = target.asarray(given, dtype="float32")
            assert type(found) is target.Array and found.dtype is ca.float32 and found.tolist() == [1.5, -2.0]


def test_containers_of_numbers_stand_beside_arrays_of_any_backend(be):
    x = be.asarray([1.0, 2.0])
    numbers = ca.Container(a=np.float32(2.0), b={"c": np.float32(3.0), "d": 4.0})
    for found in (ca.add(x, numbers), ca.add(numbers, x), be.add(x, numbers), x + numbers, numbers + x):
        assert all(leaf.backend is be for leaf in (found.a, found.b.c, found.b.d))
        assert found.map(lambda leaf: leaf.tolist()).to_dict() == {
            "a": [3.0, 4.0],
            "b": {"c": [4.0, 5.0], "d": [5.0, 6.0]},
        }
    with ca.backend_context(be):
        assert ca.sqrt(ca.Container(a=np.float32(4.0))).a.backend is be
