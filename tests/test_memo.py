"""What readers of options keep, and what they do not."""

from __future__ import annotations

import pytest

from corearray.calls import memo
from corearray.calls.memo import memoised
from corearray.checks.parsing.sliding import read_windows
from corearray.errors import CoreArrayTypeError
from corearray.types.shape import Shape


@pytest.fixture
def reader():
    asked = []

    @memoised
    def read(*args, **options):
        """Read."""
        asked.append((args, options))
        if "wrong" in args:
            raise ValueError("wrong")
        return list(args)

    return read, asked


@pytest.mark.parametrize("args", [(1, "same", None), ((1, 2), [3, (4, 5)]), (True, 2.5), ()])
def test_plain_arguments_are_read_once(reader, args):
    read, asked = reader
    assert read(*args) is read(*args)
    assert read(*args, name="n") is read(*args, name="n")
    assert len(asked) == 2 and read.__doc__ == "Read."


def test_shapes_of_every_class_are_tuples(reader):
    read, asked = reader
    assert read(Shape((2, 3))) is read((2, 3)) and len(asked) == 1


def test_numbers_that_are_equal_but_of_another_type_are_told_apart(reader):
    read, asked = reader
    for value in (1, True, 1.0, (1, 1), (1, True), [1, 1]):
        assert type(read(value)[0]) is type(value)
    assert len(asked) == 6
    read_windows("conv1d", [7], (3,), (1,), "valid", (1,))
    with pytest.raises(CoreArrayTypeError):
        read_windows("conv1d", [7], (3,), (1.0,), "valid", (1,))


def test_what_only_a_framework_knows_is_read_each_time(reader):
    class Unknown:
        """A length while a framework traces."""

    read, asked = reader
    length = Unknown()
    assert read((length, 2)) is not read((length, 2)) and len(asked) == 2


def test_arguments_that_are_hardly_plain_are_read_all_the_same(reader):
    read, asked = reader
    endless: list[object] = []
    endless.append(endless)
    for value in (endless, "x" * 5000, list(range(5000)), 2**70, "\ud800", 1j, b"x", ((((((((((1,),),),),),),),),),)):
        assert read(value) == [value]
        assert read(value, name="n") == [value]
    for value in (0.0, -0.0, "", (), [], ((),), (1, 2), (12,), ("a", "b"), ("ab", ""), None, False):
        for args, options in (((value,), {}), ((value, value), {}), ((), {"a": value}), ((), {"b": value})):
            before = len(asked)
            assert read(*args, **options) == list(args)
            assert len(asked) == before + 1
            assert read(*args, **options) is read(*args, **options)
            assert len(asked) == before + 1


def test_what_raises_is_not_kept(reader):
    read, asked = reader
    for _ in range(2):
        with pytest.raises(ValueError, match="wrong"):
            read("wrong")
    assert len(asked) == 2


def test_only_so_much_is_kept(reader, monkeypatch):
    monkeypatch.setattr(memo, "_CALLS", 10)
    read, asked = reader
    for number in (*range(25), 24):
        assert read(number) == [number]
    assert len(asked) == 25
    assert len(read.__closure__[0].cell_contents) <= 10
