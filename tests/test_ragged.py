"""Ragged arrays: what the class refuses, its text, its protocols, its stage on toys; with numbers in tests/standard."""

from __future__ import annotations

import copy
import re
from pathlib import Path

import pytest

import corearray as ca
from corearray.calls.dispatch import backend_of
from corearray.contract.declaration import DECLARATIONS
from corearray.ragged.reductions import REDUCTIONS, SCANS
from corearray.stages import ORDER
from corearray.stages.ragged import _OTHERS

GUIDE = (Path(__file__).parent.parent / "docs" / "ragged.md").read_text()


@pytest.fixture
def r():
    return ca.Ragged.from_rows([[1.0, 2.0], [], [3.0]])


def of_toys(values, splits):
    """Rows as a trusting caller makes them; toys lack the functions for more."""
    return ca.Ragged._made(ca.asarray(values), ca.asarray(splits))


# --- the stage


def test_a_function_of_rows_is_one_call(toy):
    plugin = toy("alpha")
    with ca.backend_context("alpha"):
        x = of_toys([1.0, 2.0, 3.0], [0, 2, 2, 3])
        for found in (ca.add(x, x), x + x, ca.get_backend("alpha").add(x, x)):
            assert found.values.tolist() == [2.0, 4.0, 6.0]
            assert found.row_splits is x.row_splits
        assert (x + 1.0).values.tolist() == (1.0 + x).values.tolist() == [2.0, 3.0, 4.0]
        assert (x + ca.asarray(1.0)).values.tolist() == [2.0, 3.0, 4.0]
        assert plugin.calls == ["add"] * 6
        assert ca.square(x).values.tolist() == [1.0, 4.0, 9.0]  # a composition


def test_the_arrays_within_choose_the_backend(toy):
    toy("alpha")
    with ca.backend_context("alpha"):
        x = of_toys([1.0], [0, 1])
    assert backend_of(x) is x.backend is ca.current_backend([x]) is ca.get_backend("alpha")
    assert ca.sin(x).backend is ca.get_backend("alpha")


def test_arrays_of_another_backend_are_refused(toy):
    toy("alpha")
    toy("beta")
    with ca.backend_context("alpha"):
        x = of_toys([1.0], [0, 1])
    with ca.backend_context("beta"):
        y = ca.asarray([1.0])
        with pytest.raises(
            ca.BackendMismatchError, match="'add' runs on backend 'beta' and got an array of backend 'alpha'"
        ):
            ca.add(x, y)
        z = of_toys([1.0], [0, 1])
    for compute in (lambda: x + y, lambda: y + x, lambda: x + z):
        with pytest.raises(ca.BackendMismatchError, match="convert"):
            compute()


def test_without_the_stage_a_ragged_array_means_nothing(toy):
    toy("alpha")
    binding = ca.get_backend("alpha").binding("add")
    with ca.backend_context("alpha"):
        x = of_toys([1.0], [0, 1])
    assert "handle_ragged" in binding.stages()
    assert binding.pipeline([x, x, None]).values.tolist() == [2.0]
    without = binding._composed(tuple(name for name in ORDER if name != "handle_ragged"))
    with pytest.raises(ca.CoreArrayError):
        without([x, x, None])


def test_every_function_takes_or_refuses_them(r):
    """In each place of an array, with a text that says which functions take them."""
    backend = r.backend
    for name, declaration in DECLARATIONS.items():
        if declaration.elementwise or name in {*_OTHERS, *REDUCTIONS, *SCANS, "to_list"}:
            continue
        args = [
            r if p.role in ("array", "arrays") else p.default for p in declaration.parameters if p.how != "variadic"
        ]
        if not any(x is r for x in args):
            continue
        with pytest.raises(TypeError, match=f"'{name}' takes no ragged array; elementwise functions do"):
            backend.binding(name).pipeline(args)


def test_an_argument_that_is_no_array(r):
    with pytest.raises(TypeError):
        ca.sum(ca.zeros(2), axis=r)
    with pytest.raises(TypeError, match="'astype' takes no ragged array for 'dtype'"):
        ca.astype(r, r)


# --- how they are built


def test_the_class_is_not_called():
    with pytest.raises(
        TypeError, match=r"a Ragged is not made by calling the class; use Ragged\.from_rows\(rows\), from_row"
    ):
        ca.Ragged([1.0], [0, 1])


@pytest.mark.parametrize(
    ("splits", "error", "text"),
    [
        ([1, 3], ValueError, "row_splits begins with 1; it must begin with 0"),
        ([], ValueError, "row_splits begins with nothing; it must begin with 0"),
        ([0, 2, 1, 3], ValueError, "row_splits gives row 1 the length -1; lengths are not negative"),
        ([0, 2], ValueError, "row_splits ends at 2 and there are 3 values; both must be the same"),
        (
            [0.0, 3.0],
            TypeError,
            r"row_splits is a vector of integers, got an array of dtype 'float32' and shape \(2,\)",
        ),
        ([[0, 3]], TypeError, r"row_splits is a vector of integers, got an array of dtype 'int64' and shape \(1, 2\)"),
    ],
)
def test_splits_that_are_none(splits, error, text):
    with pytest.raises(error, match=text):
        ca.Ragged.from_row_splits(ca.asarray([1, 2, 3]), splits)


def test_lengths_that_are_none():
    x = ca.asarray([1, 2, 3])
    with pytest.raises(
        ValueError, match="the sum of row_lengths ends at 2 and there are 3 values; both must be the same"
    ):
        ca.Ragged.from_row_lengths(x, [1, 1])
    with pytest.raises(ValueError, match="the sum of row_lengths gives row 1 the length -1; lengths are not negative"):
        ca.Ragged.from_row_lengths(x, [4, -1])
    with pytest.raises(TypeError, match="row_lengths is a vector of integers"):
        ca.Ragged.from_row_lengths(x, [1.5, 1.5])
    with pytest.raises(ValueError, match="the values of a ragged array have at least one axis, these have none"):
        ca.Ragged.from_row_lengths(1.0, [1])


def test_padded_rows_that_are_none():
    x = ca.asarray([[1, 2], [3, 4]])
    for options in ({}, {"lengths": [1, 1], "mask": x > 1}):
        with pytest.raises(TypeError, match="from_padded takes either lengths= or mask="):
            ca.Ragged.from_padded(x, **options)
    with pytest.raises(ValueError, match=r"from_padded got an array of shape \(2, 2\) and lengths of shape \(3,\)"):
        ca.Ragged.from_padded(x, lengths=[1, 1, 1])
    with pytest.raises(ValueError, match=r"from_padded got the lengths \[3, 0\] for rows padded to 2 elements"):
        ca.Ragged.from_padded(x, lengths=[3, 0])


@pytest.mark.parametrize("rows", [[1.0, 2.0], [[1.0], 2.0], [ca.asarray([1.0]), 2.0], [None], [[1.0], "a"]])
def test_rows_that_are_none(rows):
    with pytest.raises((TypeError, ValueError)):
        ca.Ragged.from_rows(rows)


def test_ranks_that_are_none():
    for rank in (0, 3):
        with pytest.raises(
            ValueError, match=rf"ragged_rank={rank} is not possible for these rows; it lies between 1 and 2"
        ):
            ca.Ragged.from_rows([[[1], [2]], [[3]]], ragged_rank=rank)


@pytest.mark.parametrize("what", [None, 3, ca.float32])
def test_what_has_no_rows(what):
    with pytest.raises(TypeError, match="made of rows that can be gone through, such as a list of arrays, got"):
        ca.Ragged.from_rows(what)


def test_values_that_do_not_fit(r):
    with pytest.raises(ValueError, match=r"the rows have 3 values, got an array of shape \(2,\)"):
        r.with_values(ca.zeros(2))


# --- the rest of the object


def test_text(r):
    assert repr(r) == "Ragged([[1, 2], [], [3]], dtype=float32, backend=numpy, device=cpu)"
    long = ca.Ragged.from_row_lengths(ca.arange(100), [10] * 10)
    assert repr(long) == (
        "Ragged([[0, 1, 2, ..., 7, 8, 9], [10, 11, 12, ..., 17, 18, 19], [20, 21, 22, ..., 27, 28, 29], ..., "
        "[70, 71, 72, ..., 77, 78, 79], [80, 81, 82, ..., 87, 88, 89], [90, 91, 92, ..., 97, 98, 99]], "
        "shape=(10, None), dtype=int64, backend=numpy, device=cpu)"
    )
    assert repr(ca.Ragged.from_rows([[1.5 + 2j], [True]])).startswith("Ragged([[1.5+2j], [1+0j]], dtype=complex64")
    assert repr(ca.Ragged.from_rows([[[True], []]])).startswith("Ragged([[[True], []]], dtype=bool")


def test_what_it_is_not(r):
    with pytest.raises(ValueError, match="the truth of a ragged array is ambiguous"):
        bool(r)
    with pytest.raises(TypeError, match="unhashable"):
        hash(r)
    with pytest.raises(TypeError, match=r"a ragged array is no array; r\.to_padded\(fill_value\) makes one"):
        r.__array__()
    assert not ca.is_array(r)
    assert r.equals(r) and not r.equals([1]) and not r.equals(ca.astype(r, "float64"))
    assert r.tolist() != [1]


def test_operators_of_native_arrays_leave_the_call(r):
    column = ca.asarray([[1.0], [2.0], [3.0]])
    assert (column.native * r).tolist() == (column * r).tolist() == [[1.0, 2.0], [], [9.0]]
    assert (r < column.native).tolist() == [[False, False], [], [False]]


@pytest.mark.parametrize("name", ["argmax", "argmin", "max", "min"])
def test_extremes_of_no_rows(r, name):
    function = getattr(ca, name)
    assert function(r[:0], axis=1).shape == (0,)
    vectors = ca.Ragged.from_rows([[[1.0, 2.0]]], ragged_rank=1)[:0]
    assert function(vectors, axis=1, keepdims=True).shape == (0, 1, 2)
    with pytest.raises(ValueError, match="row 0 has no element to choose"):
        function(ca.Ragged.from_row_lengths(ca.zeros(0), [0]), axis=1)


def test_in_place(r):
    values = r.values
    r *= 2
    r += r
    assert r.values is values
    assert r.tolist() == [[4.0, 8.0], [], [12.0]]
    whole = ca.astype(r, "int64")
    with pytest.raises(TypeError, match="an in-place operator cannot change the dtype from 'int64' to 'float32'"):
        whole += 0.5


def test_copies(r):
    for other in (copy.copy(r), copy.deepcopy(r)):
        assert other is not r
        assert other.equals(r)


def test_trees(r):
    parts, names = r.tree_flatten()
    assert names == ("row_splits", "values")
    assert ca.Ragged.tree_unflatten(names, parts).equals(r)
    anything = ca.Ragged.tree_unflatten(names, (None, "x"))
    assert anything.tree_flatten() == ((None, "x"), names)
    assert "Ragged(" in repr(anything)


def test_native_array_mode(r):
    ca.set_array_mode(False)
    found = r + 1
    assert type(ca.sum(r, axis=1)) is type(r.values.native)
    assert type(found) is ca.Ragged
    assert found.tolist() == [[2.0, 3.0], [], [4.0]]
    assert (found - ca.sum(found, axis=1, keepdims=True)).tolist() == [[-3.0, -2.0], [], [0.0]]
    assert found.row_lengths.tolist() == [2, 0, 1]
    assert found[::-1].to_padded().tolist() == [[4.0, 0.0], [0.0, 0.0], [2.0, 3.0]]


def test_the_programs_of_the_guide_run():
    scope: dict[str, object] = {}
    programs = re.findall(r"^```python\n(.*?)^```$", GUIDE, re.MULTILINE | re.DOTALL)
    assert len(programs) > 2
    for program in programs:
        exec(compile(program, "ragged.md", "exec"), scope)


def test_the_guide_names_every_function_that_takes_them():
    missing = [name for name in REDUCTIONS | SCANS | {"where", "astype"} if f"`{name}`" not in GUIDE]
    assert missing == []
