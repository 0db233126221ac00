"""What looked right and was wrong without a word: it is right now, or an error."""

from __future__ import annotations

import numpy as np
import pytest

import corearray as ca


@pytest.mark.parametrize("other", [[0.0, 0.5], (0.0, 0.5), []])
def test_a_list_is_no_operand_of_equality(other):
    x = ca.asarray([0.0, 0.5])
    for compare in (lambda a, b: a == b, lambda a, b: a != b):
        with pytest.raises(
            TypeError, match=r"not supported between an Array and a (list|tuple); use corearray.asarray"
        ):
            compare(x, other)
        with pytest.raises(TypeError, match="not supported"):
            compare(other, x)
    assert (x == None) is False  # noqa: E711
    assert x != "text"
    assert (x == ca.asarray([0.0, 1.0])).tolist() == [True, False]


def test_bytes_of_objects_are_no_numbers():
    with pytest.raises(TypeError, match="a buffer of Python objects"):
        ca.frombuffer(np.asarray([None, "text"], dtype=object), dtype="int64")


def test_read_only_memory_is_not_shared(tmp_path):
    np.save(tmp_path / "x.npy", np.ones(100, "float32"))
    mapped = np.load(tmp_path / "x.npy", mmap_mode="r")
    fixed = np.ones(100, "float32")
    fixed.flags.writeable = False
    for read_only in (mapped, fixed):
        x = ca.get_backend().asarray(read_only, copy=False)
        exported = np.from_dlpack(x)
        assert not np.shares_memory(exported, read_only)
        assert read_only[0] == 1.0
