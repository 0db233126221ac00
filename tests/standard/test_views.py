"""Views: what is written into an array is seen in all that show its elements, the same on every backend.

The oracle are the places of the elements: an array is the elements of a root at an array of places, and NumPy moves the
places as the backend is asked to move the elements.
"""

from __future__ import annotations

import gc
import math
import sys
import threading
import weakref

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from standard.support import NAME, arguments, array, be, check, examples

import corearray as ca
from corearray.calls.binding import Binding
from corearray.contract.declaration import DECLARATIONS
from corearray.stages.views import BACK
from corearray.testing.samples import SAMPLES

pytestmark = pytest.mark.skipif(NAME == "strict", reason="takes only keys for every axis, and no arrays in them")


class Shown:
    """An array beside the root that it shows and the places of its elements there."""

    def __init__(self, array, root, places):
        self.array = array
        self.root = root
        self.places = places

    @property
    def expected(self):
        return self.root[self.places]

    def view(self, name, *args, **options):
        """Ask the backend and NumPy for the same view."""
        here = {"diagonal": be.linalg.diagonal, "T": lambda x: x.T, "mT": lambda x: x.mT}.get(name)
        found = (here or getattr(be, name))(self.array, *args, **options)
        return Shown(found, self.root, _MOVED[name](self.places, *args, **options))

    def write(self, key, value):
        self.array[key] = value if not isinstance(value, np.ndarray) else be.asarray(value, dtype=be.float64)
        self.root[self.places[key]] = value

    def check(self):
        found = ca.to_numpy(self.array)
        assert found.shape == self.places.shape
        np.testing.assert_array_equal(found, self.expected)


#: What NumPy does with places.
_MOVED = {
    "T": np.transpose,
    "broadcast_to": np.broadcast_to,
    "diagonal": lambda p, *, offset: np.diagonal(p, offset, -2, -1),
    "expand_dims": np.expand_dims,
    "flip": lambda p, *, axis: np.flip(p, axis),
    "get_item": lambda p, key: p[key],
    "mT": lambda p: np.swapaxes(p, -1, -2),
    "matrix_transpose": lambda p: np.swapaxes(p, -1, -2),
    "moveaxis": np.moveaxis,
    "permute_dims": np.transpose,
    "reshape": np.reshape,
    "squeeze": np.squeeze,
}

SHAPES = [(), (0,), (3,), (2, 3), (3, 3), (2, 0), (2, 1, 3)]


def root_of(shape):
    values = np.arange(1.0, 1.0 + math.prod(shape))
    array = be.asarray(values.reshape(shape), dtype=be.float64, copy=True)
    return Shown(array, values, np.arange(values.size).reshape(shape))


@st.composite
def keys(draw, shape):
    """Draw a key without arrays: integers, slices with steps of both signs, new axes and `...`."""
    return draw(hnp.basic_indices(shape, allow_newaxis=True, max_dims=4))


@st.composite
def views(draw, shape):
    """Draw the name of a view function and its arguments for an array of a shape."""
    ndim = len(shape)
    axes = st.integers(-ndim, ndim - 1)
    names = ["get_item", "get_item", "reshape", "permute_dims", "expand_dims", "flip"]
    if ndim:
        names += ["moveaxis"]
    if ndim > 1:
        names += ["matrix_transpose", "mT", "diagonal"]
    if ndim == 2:
        names += ["T"]
    if 1 in shape:
        names += ["squeeze"]
    name = draw(st.sampled_from(names))
    options = {}
    args = ()
    if name == "get_item":
        args = (draw(keys(shape)),)
    elif name == "reshape":
        size = math.prod(shape)
        args = (draw(st.sampled_from([(size,), (1, size), shape[::-1], (*shape, 1)])),)
    elif name == "permute_dims":
        args = (tuple(draw(st.permutations(range(ndim)))),)
    elif name == "expand_dims":
        args = (draw(st.integers(-ndim - 1, ndim)),)
    elif name == "flip":
        options = {"axis": draw(st.none() | axes) if ndim else None}
    elif name == "moveaxis":
        args = (draw(axes), draw(axes))
    elif name == "diagonal":
        options = {"offset": draw(st.integers(-1, 1))}
    elif name == "squeeze":
        args = (draw(st.sampled_from([place for place, size in enumerate(shape) if size == 1])),)
    return name, args, options


@given(data=st.data(), shape=st.sampled_from(SHAPES))
@examples
def test_programs_of_views_and_writes(data, shape):
    shown = [root_of(shape)]
    for number in range(data.draw(st.integers(2, 5))):
        one = data.draw(st.sampled_from(shown))
        name, args, options = data.draw(views(one.places.shape))
        shown.append(one.view(name, *args, **options))
        one = data.draw(st.sampled_from(shown))
        value = 100.0 * (number + 1)
        how = data.draw(st.sampled_from(["item", "array", "mask", "places", "operator", "out", "update"]))
        if how == "item":
            one.write(data.draw(keys(one.places.shape)), value)
        elif how == "array":
            key = data.draw(keys(one.places.shape))
            part = one.places[key]
            one.write(key, value + np.arange(part.size, dtype=float).reshape(part.shape))
        elif how == "mask":
            mask = one.expected > np.median(one.expected) if one.places.size else one.expected > 0
            one.array[be.asarray(mask)] = value
            one.root[one.places[mask]] = value
        elif how == "places" and one.places.ndim and one.places.shape[0]:
            one.array[be.asarray([0, -1])] = value
            one.root[one.places[[0, -1]]] = value
        elif how == "operator":
            array = one.array
            array += value
            assert array is one.array
            one.root[one.places] += value
        elif how == "out":
            assert be.multiply(one.array, one.array, out=one.array) is one.array
            one.root[one.places] = one.expected**2
        elif how == "update":
            assert be.inplace_update(one.array, value) is one.array
            one.root[one.places] = value
        for each in shown:
            each.check()


@pytest.mark.parametrize("later", ["view", "base"])
@pytest.mark.parametrize(
    ("name", "args", "options"),
    [
        ("get_item", (0,), {}),
        ("get_item", ((1, 2, 0),), {}),
        ("get_item", ((slice(None, None, -1), ..., slice(1, None)),), {}),
        ("get_item", ((..., None),), {}),
        ("reshape", ((-1,),), {}),
        ("reshape", (12,), {"copy": None}),
        ("permute_dims", ((2, 0, -2),), {}),
        ("moveaxis", ((0, -1), (1, 0)), {}),
        ("mT", (), {}),
        ("matrix_transpose", (), {}),
        ("expand_dims", ((0, -1),), {}),
        ("flip", (), {"axis": None}),
        ("flip", (), {"axis": (0, -1)}),
        ("diagonal", (), {"offset": -1}),
        ("broadcast_to", ((1, 2, 3, 2),), {}),
    ],
)
def test_each_view_shows_later_writes(name, args, options, later):
    base = root_of((2, 3, 2))
    view = base.view(name, *args, **({} if name == "reshape" else options))
    deep = view.view("reshape", (-1,)).view("get_item", (slice(None, None, -1),))
    (view if later == "view" else base).write(..., 7.0)
    for each in (base, view, deep):
        each.check()
    deep.write(0, -1.0)
    base.write((1, ...), 5.0)
    for each in (base, view, deep):
        each.check()


def test_reshape_is_a_view_also_where_the_elements_lie_apart():
    x = be.reshape(be.arange(6), (2, 3))
    flat = be.reshape(x.T, (-1,))
    part = flat[1:]
    del flat
    x[1, 0] = 30
    assert part.tolist() == [30, 1, 4, 2, 5]
    part[-1] = 50
    assert x.tolist() == [[0, 1, 2], [30, 4, 50]]


@pytest.mark.parametrize(
    ("name", "args"),
    [
        ("expand_dims", (1,)),
        ("flip", (0,)),
        ("moveaxis", (0, 1)),
        ("squeeze", (2,)),
        ("diagonal", (0,)),
        ("matrix_transpose", ()),
        ("unstack", (0,)),
    ],
)
def test_compositions_give_the_same_views(name, args):
    binding = be.binding(name)
    composed = Binding(binding.declaration, be, None, binding._stage)
    base = be.reshape(be.arange(4), (2, 2, 1) if name == "squeeze" else (2, 2))
    found = composed.pipeline([base, *args])
    view = found[1] if name == "unstack" else found
    native = be.binding(name).pipeline([base, *args])
    native = native[1] if name == "unstack" else native
    view[0] = 9
    assert native.tolist() == view.tolist()
    assert 9 in be.reshape(base, (-1,)).tolist()
    base[...] = 5
    assert set(be.reshape(view, (-1,)).tolist()) == {5}


@pytest.mark.parametrize("later", ["view", "base"])
def test_parts_of_complex_numbers(later):
    values = np.asarray([1 + 2j, 3 - 4j, 5j])
    x = be.asarray(values, copy=True)
    real, imag = be.real(x), be.imag(x)
    if later == "view":
        real[1:], imag[0] = 9.0, -5.0
        values.real[1:], values.imag[0] = 9.0, -5.0
    else:
        x[1] = values[1] = 6 - 7j
    assert (x.tolist(), real.tolist(), imag.tolist()) == (values.tolist(), values.real.tolist(), values.imag.tolist())
    x = be.asarray([1.0, 2.0])
    real, imag = be.real(x), be.imag(x)
    imag[0] = real[0] = 5.0
    assert (x.tolist(), imag.tolist()) == ([5.0, 2.0], [5.0, 0.0])


def test_unstack_and_broadcast_arrays():
    x = be.reshape(be.arange(6), (2, 3))
    columns = be.unstack(x, axis=-1)
    one, two = be.broadcast_arrays(x, be.asarray([1]))
    columns[1][...] = 9
    x[0, 0] = 7
    assert x.tolist() == one.tolist() == [[7, 9, 2], [3, 9, 5]]
    assert [column.tolist() for column in columns] == [[7, 3], [9, 9], [2, 5]]
    with pytest.raises(ValueError, match=r"repeats .* is read-only"):
        two[0, 0] = 1
    elements = be.unstack(be.asarray([1, 2]))
    assert elements[0].shape == ()


def test_what_repeats_elements_is_read_only():
    x = be.asarray([1, 2])
    rows = be.broadcast_to(x, (3, 2))
    x[0] = 5
    assert rows.tolist() == [[5, 2]] * 3
    for write in (lambda: be.inplace_update(rows, 1), lambda: be.inplace_increment(rows, 1)):
        with pytest.raises(ValueError, match=r"repeats .* read-only; write into that one, or into a copy"):
            write()
    assert (x.tolist(), rows.tolist()) == ([5, 2], [[5, 2]] * 3)


@pytest.mark.parametrize(
    "copied",
    [
        lambda x: x[be.asarray([0, 1])],
        lambda x: x[be.asarray(0)],
        lambda x: x[x > 0],
        lambda x: x[be.asarray([[True] * 3] * 2)],
        lambda x: x[:, be.asarray([0, 1, 2])],
        lambda x: be.reshape(x, (3, 2), copy=True),
        lambda x: be.reshape(x, (2, 3), copy=True),
        lambda x: be.asarray(x, copy=True),
        lambda x: be.astype(x, x.dtype),
        lambda x: be.astype(x, be.float32, copy=False),
        lambda x: be.positive(x),
        lambda x: be.conj(x),
        lambda x: be.abs(x),
        lambda x: be.clip(x),
        lambda x: be.round(be.astype(x, be.int64, copy=False)),
        lambda x: be.floor(x),
        lambda x: be.concat([x]),
        lambda x: be.stack([x]),
        lambda x: be.tile(x, (1,)),
        lambda x: be.tile(x, ()),
        lambda x: be.repeat(x, 1, axis=0),
        lambda x: be.roll(x, 0),
        lambda x: be.roll(x, 0, axis=0),
        lambda x: be.diff(x, n=0),
        lambda x: be.sum(x, axis=()),
        lambda x: be.max(x, axis=()),
        lambda x: be.triu(x, k=-5),
        lambda x: be.sort(x),
        lambda x: be.take(x, be.asarray([0, 1]), axis=0),
        lambda x: be.where(x > 0, x, x),
        lambda x: be.meshgrid(x[0])[0],
        lambda x: be.meshgrid(x[0], x[1])[0],
        lambda x: be.linalg.matrix_power(x[:, :2], 1),
        lambda x: be.einsum("ij->ji", x),
        lambda x: be.einsum("ij", x),
        lambda x: be.cumulative_sum(x[:, :1], axis=1),
        lambda x: be.linalg.outer(x[0], be.asarray([1.0], dtype=be.float64)),
    ],
)
def test_everything_else_copies(copied):
    x = be.asarray([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], dtype=be.float64)
    y = copied(x)
    before = y.tolist()
    x[...] = -x
    assert y.tolist() == before
    y[...] = 0
    assert x.tolist() == [[-1.0, -2.0, -3.0], [-4.0, -5.0, -6.0]]


#: Functions whose results may share what their arguments hold.
_SHARING = {*BACK, "asarray", "astype", "broadcast_arrays", "from_dlpack", "transpose", "unstack"}
_SHARING |= {"array_split", "dsplit", "hsplit", "split", "vsplit", "atleast_1d", "atleast_2d", "atleast_3d"}
_SHARING |= {
    "adjoint",
    "diag",
    "flatten",
    "expand",
    "fold",
    "matricize",
    "partial_fold",
    "partial_tensor_to_vec",
    "partial_unfold",
    "partial_vec_to_tensor",
    "unfold",
    "fliplr",
    "flipud",
    "ravel",
    "rot90",
    "swapaxes",
    "trim_zeros",
    "unflatten",
}


@pytest.mark.parametrize("name", sorted((set(SAMPLES) & set(DECLARATIONS)) - _SHARING))
def test_results_do_not_change_when_arguments_do(name):
    if name.startswith("inplace_") or name in ("fill_diagonal", "put_along_axis"):
        return
    declaration = DECLARATIONS[name]
    function = getattr(be if declaration.main else getattr(be, declaration.namespace), name)
    for args, options in SAMPLES[name]:
        args, options = arguments(args), {key: arguments(value) for key, value in options.items()}
        results = list(arrays_in(function(*args, **options)))
        before = [ca.to_numpy(x).copy() for x in results]
        for x in arrays_in((args, list(options.values()))):
            x[...] = ~x if x.dtype is ca.bool else x + 1
        for x, expected in zip(results, before, strict=True):
            np.testing.assert_array_equal(ca.to_numpy(x), expected)


def arrays_in(value):
    if isinstance(value, ca.Array):
        yield value
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from arrays_in(item)


def test_astype_without_a_copy_is_the_array_itself():
    x = be.asarray([1, 2])
    assert be.astype(x, x.dtype, copy=False) is x
    assert be.asarray(x) is x


def test_a_write_that_fails_changes_nothing():
    x = be.asarray([1.0, 2.0, 3.0])
    y = x[1:]
    for key, value in ((5, 1.0), (..., [1.0, 2.0, 3.0]), (0, 1j)):
        with pytest.raises((IndexError, ValueError, TypeError)):
            y[key] = value
    assert (x.tolist(), y.tolist()) == ([1.0, 2.0, 3.0], [2.0, 3.0])


@pytest.mark.parametrize("view", [lambda x: x[1:], lambda x: be.flip(x), lambda x: be.reshape(x.T, (-1,))])
def test_views_keep_their_base_alive_and_not_the_other_way_round(view):
    x = be.reshape(be.arange(6), (2, 3))
    x = be.asarray(x, copy=True)
    gc.collect()
    known = set(be.copies)  # of other tests
    y = view(x)
    gone = weakref.ref(y)
    del y
    gc.collect()
    assert gone() is None
    assert set(be.copies) <= known
    x[0, 0] = 1  # nothing is left to be told
    y, other = view(x), view(x)
    gone = weakref.ref(x)
    del x
    y[...] = 4
    assert other.tolist() == y.tolist()
    del y, other
    gc.collect()
    assert gone() is None
    assert set(be.copies) <= known


def test_a_program_that_makes_many_views_keeps_none():
    x = be.zeros(4)
    known = set(be.copies)  # of other tests
    for _ in range(1000):
        x[1:]
        be.flip(x)
    assert len(getattr(x, "_link", [])) <= 64
    assert set(be.copies) <= known


def test_views_take_no_reference_cycles():
    x = be.zeros((2, 2))
    gc.collect()
    gc.disable()
    try:
        y = be.reshape(x.T, (-1,))[::-1]
        y[0] = 1
        gone = [weakref.ref(x), weakref.ref(y)]
        del x, y
        assert [one() for one in gone] == [None, None]
    finally:
        gc.enable()


def test_strict_mode_refuses_what_the_framework_cannot_do():
    x = be.asarray([1.0, 2.0])

    def writes():
        yield lambda: x.__setitem__(0, 5.0)
        yield lambda: x.__iadd__(1.0)
        yield lambda: be.add(x, x, out=x)
        yield lambda: be.inplace_update(x, 0.0)
        yield lambda: be.inplace_increment(x, 1.0)
        yield lambda: be.inplace_decrement(x, 1.0)

    with ca.backend_context(be.name), ca.settings(inplace_mode="strict"):
        before = x.tolist()
        for write in writes():
            if ca.inplace_arrays_supported():
                native = x.native
                write()
                assert x.native is native
            else:
                with pytest.raises(ca.InplaceUpdateError, match="in-place mode is strict"):
                    write()
                assert x.tolist() == before
    for write in writes():
        write()


_OUT = sorted(
    name for name in set(SAMPLES) & set(DECLARATIONS) if any(p.role == "out" for p in DECLARATIONS[name].parameters)
)


@pytest.mark.parametrize("name", _OUT)
def test_out_may_lie_in_an_argument(name):
    """Lay an argument and `out` into one memory, `out` the other way round."""
    declaration = DECLARATIONS[name]
    function = getattr(be if declaration.main else getattr(be, declaration.namespace), name)
    for args, options in SAMPLES[name]:
        options = {key: arguments(value) for key, value in options.items()}
        expected = function(*arguments(args), **options)
        for place, arg in enumerate(args):
            members = arg if isinstance(arg, list) else [arg]
            if not isinstance(members[0], np.ndarray) or not isinstance(expected, ca.Array):
                continue
            if members[0].dtype.name != expected.dtype.name:
                continue
            given = list(arguments(args))
            memory = be.zeros(max(expected.size, members[0].size), dtype=expected.dtype)
            memory[: members[0].size] = be.reshape(arguments(members[0]), (-1,))
            part = be.reshape(memory[: members[0].size], members[0].shape)
            out = be.reshape(be.flip(memory)[: expected.size], tuple(expected.shape))
            given[place] = [part, *given[place][1:]] if isinstance(arg, list) else part
            assert function(*given, **options, out=out) is out
            np.testing.assert_array_equal(ca.to_numpy(out), ca.to_numpy(expected))
            found = ca.to_numpy(memory)[::-1][: expected.size].reshape(tuple(expected.shape))
            np.testing.assert_array_equal(found, ca.to_numpy(expected))


def test_out_casts_within_its_kind():
    x = be.asarray([1, 2], dtype=be.int32)
    out = be.zeros(4, dtype=be.float64)
    assert be.add(x, x, out=out[1:3]).tolist() == [2.0, 4.0]
    assert out.tolist() == [0.0, 2.0, 4.0, 0.0]
    for values, target in (([1.5], "int64"), ([1j], "float64")):
        with pytest.raises(TypeError):
            be.negative(be.asarray(values), out=be.zeros(1, dtype=target))


@pytest.mark.parametrize("name", ["float32", "int32", "uint16"])
def test_operators_in_place_read_what_they_write_first(name):
    """As in NumPy, where the operands lie in one memory."""
    x = np.asarray([1, 2, 4, 8], name)
    y = array(x)
    for z in (x, y):
        z[1:] += z[:-1]
        backwards = z[::-1]
        backwards *= z
        backwards -= 1
        z += z
    check("operators in place", y, x)


_READ_IN_PLACE = {
    "further on": lambda x: (x[:, 1:], x[:, :-1]),
    "before": lambda x: (x[:, :-1], x[:, 1:]),
    "every other": lambda x: (x[:, 2::2], x[:, :-2:2]),
    "in one row": lambda x: (x[1, 1:], x[1, :-1]),
    "transposed": lambda x: (x[:, :2], x[:, :2].T),
    "broadcast": lambda x: (x, x[:, 1:2]),
    "a row": lambda x: (x, x[1]),
}


@pytest.mark.parametrize("parts", _READ_IN_PLACE)
@pytest.mark.parametrize("name", ["float32", "int64"])
def test_operators_in_place_read_what_lies_elsewhere_in_their_memory(parts, name):
    """torch computes what overlaps in memory from elements that it has written already."""
    x = np.arange(1, 13).reshape(2, 6).astype(name)
    y = array(x)
    for z in (x, y):
        target, other = _READ_IN_PLACE[parts](z)
        target += other
        target *= other
        target -= other
    check("operators in place", y, x)


def test_threads_lose_no_writes_of_each_other():
    pause = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        for _ in range(5):
            x = be.zeros((64, 4))
            views = [x[8 * k : 8 * k + 8] for k in range(8)]

            def write(k, x=x, views=views):
                for i in range(8):
                    if k % 2:
                        x[8 * k + i] = 1.0
                    else:
                        views[k][i] = 1.0

            threads = [threading.Thread(target=write, args=(k,)) for k in range(8)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            assert float(be.sum(x)) == 256.0
    finally:
        sys.setswitchinterval(pause)
