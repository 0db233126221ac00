"""The checks of the kit on writes: into views, and at every kind of key."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
import pytest

import corearray as ca
from corearray.backends.backend import Backend
from corearray.errors import CoreArrayValueError
from corearray.testing.calls import replaced
from corearray.testing.edges import KEYS
from corearray.testing.edges.values import BYTES, PARTS, PRECISE, VALUES
from corearray.testing.known import Capabilities
from corearray.testing.reference import seen

__all__ = ["keys", "writing"]


def writing(be: Backend, can: Capabilities) -> None:
    """Writing into an array is seen in it and in its views; the framework's array is written if it can be."""
    x = be.asarray(np.zeros((2, 3), "float32"))
    native, row = x.native, x[0, :]
    x[0, 1] = 5.0
    assert x.tolist() == [[0.0, 5.0, 0.0], [0.0, 0.0, 0.0]], f"after x[0, 1] = 5.0, x is {x.tolist()}"
    told = "the plugin says that it writes in place" if be.writes_in_place else "the plugin does not write in place"
    assert row.tolist() == [0.0, 5.0, 0.0], (
        f"y = x[0, :]; x[0, 1] = 5.0: y is {row.tolist()}, so the write does not reach a view; {told}"
    )
    row[2] = 7.0
    assert x.tolist() == [[0.0, 5.0, 7.0], [0.0, 0.0, 0.0]], (
        f"y = x[0, :]; y[2] = 7.0: x is {x.tolist()}, so a write into a view does not reach its base; {told}. If slices of "
        "the framework are copies, let writes_in_place return False and set_item write into a copy"
    )
    for name, view, number in _views(be, x):
        view[...] = number
        assert be.to_numpy(x).max() == number, (
            f"a write into the view that {name} gives does not reach its base; {told}. If {name} of the framework may copy, "
            "tell memories apart by memory_of, or let writes_in_place return False"
        )
    assert be.writes_in_place == can.writes_in_place, f"{told}, and Capabilities(writes_in_place={can.writes_in_place})"
    written = bool(be.to_numpy(be.wrap(native)).any())
    assert written == can.writes_in_place, f"the framework's own array was {'not ' * (not written)}written; {told}"


def _views(be: Backend, x: Any) -> list[tuple[str, Any, float]]:
    """Return views of an array by what makes them, each with a number to write; some cannot be had without a copy."""
    turned = be.permute_dims(x, (1, 0))
    return [
        ("reshape", be.reshape(x, (3, 2)), 10.0),
        ("permute_dims", turned, 11.0),
        ("reshape of a permuted array", be.reshape(turned, (6,)), 12.0),
        ("expand_dims", be.expand_dims(x, axis=0), 13.0),
        ("flip", be.flip(x), 14.0),
        ("a slice with a negative step", x[:, ::-1], 15.0),
        ("a slice of a slice", x[1:, :][:, 1:], 16.0),
    ]


def keys(be: Backend, can: Capabilities) -> None:
    """Elements are written at every kind of key, as NumPy writes them; wrong keys and values are refused."""
    for dtype in ("float32", "int64"):
        if dtype not in can.dtypes:
            continue
        x = np.arange(24, dtype=dtype).reshape(2, 3, 4) + (2**53 if dtype == "int64" else 0)
        for requirement in KEYS:
            for key in KEYS[requirement] if requirement != "None" else ():  # of which the standard says nothing
                _written_at(be, x, key, f"{requirement}: x[{key}] of shape {x.shape} and {dtype}")
    row = np.arange(4, dtype="float32")
    for key in (0, 3, -1, -2, -4, slice(-1, None), np.asarray([-1, 0]), 4, -5, np.asarray([4])):
        _written_at(be, row, key, f"x[{key}] of shape (4,)")
    for dtype in can.dtypes:
        values = {"f": np.concatenate([VALUES, PRECISE]), "c": PARTS.reshape(4, 2)}.get(np.dtype(dtype).kind, BYTES)
        for x in (values.astype(dtype), values.astype(dtype).T, values[:, :1].astype(dtype), values[:1].astype(dtype)):
            written, made = x.copy(), be.asarray(x)
            written[-1, ...] = True
            made[-1, ...] = be.asarray(np.asarray(True, dtype))
            found = seen(be, made)
            assert (found.dtype, found.shape) == (dtype, x.shape), f"after x[-1] = 1, x has the dtype {found.dtype}"
            np.testing.assert_array_equal(found.elements, written, f"x[-1] = 1 with {dtype}")
            if x.dtype.kind in "fc":
                np.testing.assert_array_equal(np.signbit(found.elements.real), np.signbit(written.real), dtype)
        for x in (
            values.astype(dtype),
            np.full(2, 2**53 + 1, "int64").astype(dtype) if np.dtype(dtype).kind in "iu" else values,
        ):
            x = x.astype(dtype)
            made = be.zeros(x.shape, dtype=dtype)
            made[...] = be.asarray(x)
            np.testing.assert_array_equal(be.to_numpy(made), x, f"x[...] = {x} with {dtype}")
    _values(be)
    point = be.asarray(np.asarray(1.5, "float32"))
    point[()] = 2.5
    assert point.tolist() == 2.5
    rows = be.asarray(np.zeros((2, 3), "float32"))
    for key in (slice(None), Ellipsis, (slice(None), slice(None, None, -1))):
        rows[key] = be.asarray(VALUES[0])
        due = np.broadcast_to(VALUES[0][::-1] if isinstance(key, tuple) else VALUES[0], (2, 3))
        np.testing.assert_array_equal(be.to_numpy(rows), due, f"x[{key}] = {VALUES[0]} with x of shape (2, 3)")
    none = be.asarray(np.zeros((0, 3), "float32"))
    none[:, 1] = 1.0
    assert none.shape == (0, 3)


def _values(be: Backend) -> None:
    """Check values that broadcast, lie in memory in another order, or are parts of the array that is written."""
    row = np.asarray([1.0, 2.0, 3.0], "float32")
    made = be.asarray(row)
    turned = be.permute_dims(be.asarray(np.asarray([row, -row]).T), (1, 0))
    for value, due in (
        (made, row),
        (made[::-1], row[::-1]),
        (be.broadcast_to(made[:1], (3,)), row[:1]),
        (turned[1, :], -row),
        (be.reshape(made, (3, 1)), row[:, None]),
        (be.reshape(made, (1, 3)), row),
    ):
        square = be.zeros((3, 3))
        square[...] = value
        np.testing.assert_array_equal(
            be.to_numpy(square), np.broadcast_to(due, (3, 3)), f"x[...] = {due} of shape (3, 3)"
        )
    line = be.zeros(3)
    line[...] = be.reshape(made, (1, 3))
    assert line.tolist() == row.tolist(), "x[...] = y with x of shape (3,) and y of shape (1, 3)"
    long = be.zeros(300)
    long[be.asarray(np.asarray([255, 128], "uint8"))] = 1.0
    assert np.flatnonzero(be.to_numpy(long)).tolist() == [128, 255], "x[y] = 1 with y = [255, 128] of uint8"
    for place, part in ((slice(1, None), slice(-1)), (slice(-1), slice(1, None)), (slice(None), slice(None, None, -1))):
        x = np.arange(5, dtype="float32")
        made = be.asarray(x)
        made[place] = made[part]
        x[place] = x[part].copy()
        np.testing.assert_array_equal(be.to_numpy(made), x, f"x[{place}] = x[{part}]")


def _written_at(be: Backend, x: np.ndarray, key: Any, about: str) -> None:
    made_key = replaced(key, lambda x: be.asarray(x.astype("float32") if x.dtype.kind == "f" else x))
    try:
        chosen = x[key]
    except IndexError:
        with pytest.raises((IndexError, TypeError)) as caught:
            written = be.asarray(x)
            written[made_key] = -1
            be.to_numpy(written)  # a lazy framework finds wrong indices then
        assert isinstance(caught.value, ca.CoreArrayError), f"{about} raises {caught.value!r}"
        return
    values = [np.asarray(-1, x.dtype)]
    places = np.arange(x.size).reshape(x.shape)[key]
    if len(np.unique(places)) == places.size:  # where one is written twice, which value stays is open
        values.append(-np.arange(chosen.size, dtype=x.dtype).reshape(chosen.shape) - 2**40)
        values.append(
            -np.arange(chosen.size, dtype=x.dtype).reshape(chosen.shape)[..., :1] if chosen.ndim else values[0]
        )
    for value in values:
        written, made = x.copy(), be.asarray(x)
        before = made.native
        written[key] = value
        made[made_key] = be.asarray(value)
        np.testing.assert_array_equal(be.to_numpy(made), written, f"{about} = {value}")
        if not be.writes_in_place:
            np.testing.assert_array_equal(be.to_numpy(be.wrap(before)), x, f"{about} = {value}: the array itself")
    with pytest.raises(CoreArrayValueError):
        operator.setitem(be.asarray(x), made_key, be.zeros((5, 7), dtype=str(x.dtype)))
