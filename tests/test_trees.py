"""Trees of arrays as flat lists of native arrays, for compilers that know no classes of ours."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest

import corearray as ca
from corearray.plugin import flatten, rebuild


class Pair(NamedTuple):
    one: object
    two: object


def test_a_tree_comes_back_with_other_arrays():
    x = ca.asarray([1.0, 2.0])
    ragged = ca.Ragged.from_row_lengths(x, [1, 1])
    tree = {"a": [x, (x.native, 3)], "b": ca.Container(c=x, d={"e": "text"}), "f": Pair(x, None), "g": ragged}
    natives, structure = flatten(tree, (np.ndarray,))
    found = rebuild(structure, [native + 1 for native in natives])
    assert type(found["a"][0]) is type(x)
    assert type(found["a"][1][0]) is np.ndarray
    assert found["a"][0].tolist() == [2.0, 3.0]
    assert found["a"][1][1] == 3
    assert (found["b"].c.tolist(), found["b"].d.e) == ([2.0, 3.0], "text")
    assert type(found["f"]) is Pair
    assert found["f"].two is None
    assert found["g"].values.tolist() == [2.0, 3.0]


def test_structures_are_keys():
    x, y = ca.asarray([1.0]), ca.asarray([2.0, 3.0])
    one, two = flatten({"a": x, "n": 1}, (np.ndarray,))[1], flatten({"a": y, "n": 1}, (np.ndarray,))[1]
    assert one == two
    assert {one: "program"}[two] == "program"
    for other in ({"a": x, "n": True}, {"a": x, "n": 2}, {"a": x.native, "n": 1}, {"b": x, "n": 1}, [x, 1]):
        assert flatten(other, (np.ndarray,))[1] != one


@pytest.mark.parametrize("count", [1, 3])
def test_another_number_of_arrays_is_refused(count):
    natives, structure = flatten([ca.asarray([1.0])] * 2, (np.ndarray,))
    with pytest.raises(ValueError, match=f"a structure of 2 arrays got {count}"):
        rebuild(structure, (natives * 2)[:count])
