"""The nest functions on random trees of lists, tuples, named tuples, dictionaries and Containers."""

from __future__ import annotations

import collections
import copy
import types
from typing import Any, NamedTuple

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

import corearray as ca


class Pair(NamedTuple):
    one: Any
    two: Any


class Rows(list):
    """A list of a class of its own."""


KEYS = st.sampled_from(["a", "b", "c", "long name"])
LEAVES = st.integers(-9, 9)


def nodes(inner):
    lists = st.lists(inner, max_size=3)
    dictionaries = st.dictionaries(KEYS, inner, max_size=3)
    return st.one_of(
        lists,
        lists.map(tuple),
        lists.map(Rows),
        st.builds(Pair, inner, inner),
        dictionaries,
        st.dictionaries(st.integers(0, 2), inner, max_size=2),
        dictionaries.map(collections.OrderedDict),
        dictionaries.map(lambda items: collections.defaultdict(int, items)),
        dictionaries.filter(lambda items: not any(isinstance(v, dict) for v in items.values())).map(ca.Container),
    )


TREES = nodes(st.recursive(LEAVES, nodes, max_leaves=12))
trees = settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much]
)


def same(one, two):
    """Compare trees with their types; a comparison of Containers is none of trees."""
    if type(one) is not type(two):
        return False
    if isinstance(one, ca.Container):
        return list(one) == list(two) and all(same(one[key], two[key]) for key in one)
    if isinstance(one, dict):
        return list(one) == list(two) and all(map(same, one.values(), two.values()))
    if isinstance(one, (list, tuple)):
        return len(one) == len(two) and all(map(same, one, two))
    return one == two


def at(nest, index):
    for key in index:
        nest = nest[key]
    return nest


def frozen(nest):
    return copy.deepcopy(nest)


# --- one index


@trees
@given(TREES)
def test_indices_lead_to_the_leaves(nest):
    indices = ca.all_nested_indices(nest)
    assert len(set(indices)) == len(indices)
    for index in indices:
        assert ca.index_nest(nest, index) is at(nest, index)
        assert isinstance(at(nest, index), int)
    assert ca.multi_index_nest(nest, indices) == [at(nest, index) for index in indices]
    with_nodes = ca.all_nested_indices(nest, include_nests=True)
    assert [index for index in with_nodes if isinstance(at(nest, index), int)] == indices
    assert ca.index_nest(nest, ()) is nest


@trees
@given(TREES, st.data(), st.booleans())
def test_set_and_map(nest, data, in_place):
    indices = ca.all_nested_indices(nest, include_nests=True)
    assume(indices)
    index = data.draw(st.sampled_from(indices))
    before, old = frozen(nest), at(nest, index)
    result = ca.set_nest_at_index(nest, index, "new", copy=not in_place)
    assert at(result, index) == "new"
    others = [i for i in ca.all_nested_indices(before) if i[: len(index)] != index]
    assert ca.multi_index_nest(result, others) == ca.multi_index_nest(before, others)
    assert type(result) is type(nest)
    if in_place:
        assert (result is nest) == (not isinstance(nest, tuple))
    else:
        assert same(nest, before)
        mapped = ca.map_nest_at_index(nest, index, lambda value: [value])
        assert at(mapped, index)[0] is old or isinstance(old, dict)
        assert same(nest, before)


@trees
@given(TREES, st.data(), st.booleans())
def test_insert_and_prune_undo_each_other(nest, data, in_place):
    indices = ca.all_nested_indices(nest, include_nests=True)
    indices = [i for i in indices if not isinstance(at(nest, i[:-1]), Pair)]
    assume(indices)
    index = data.draw(st.sampled_from(indices))
    before = frozen(nest)
    if not isinstance(at(nest, index[:-1]), (list, tuple)):
        index = (*index[:-1], "new key")
    more = ca.insert_into_nest_at_index(nest, index, "new", copy=not in_place)
    assert at(more, index) == "new"
    assert len(at(more, index[:-1])) == len(at(before, index[:-1])) + 1
    assert in_place or same(nest, before)
    if in_place and not isinstance(nest, tuple):
        assert more is nest
    again = frozen(more)
    less = ca.prune_nest_at_index(more, index, copy=not in_place)
    assert same(less, before)
    assert in_place or same(more, again)


def test_nodes_that_do_not_change_are_shared():
    nest = {"a": [1, [2]], "b": {"c": (3, [4])}}
    result = ca.set_nest_at_index(nest, ("b", "c", 0), 5)
    assert result == {"a": [1, [2]], "b": {"c": (5, [4])}}
    assert result["a"] is nest["a"] and result["b"]["c"][1] is nest["b"]["c"][1]
    assert result["b"] is not nest["b"]


def test_kinds_of_indices():
    nest = [Pair(1, {"k": (2, 3)}), ca.Container({"a/b": 4})]
    assert ca.index_nest(nest, [0, "two", "k", -1]) == 3
    assert ca.index_nest(nest, (1, "a/b")) == ca.index_nest(nest, (-1, "a", "b")) == 4
    assert ca.set_nest_at_index(nest, (0, "one"), 5)[0] == Pair(5, {"k": (2, 3)})
    changed = ca.set_nest_at_index(nest, (1, "a/b"), 6)
    assert changed[1]["a/b"] == 6 and nest[1]["a/b"] == 4
    assert ca.prune_nest_at_index(nest, (1, "a/b"))[1].flatten() == {} and nest[1]["a/b"] == 4
    assert ca.insert_into_nest_at_index(nest, (2,), 7)[2] == 7
    assert ca.insert_into_nest_at_index([1, 3], (-1,), 2) == [1, 2, 3]
    assert ca.set_nest_at_index(nest, (), 8) == 8 and ca.map_nest_at_index(nest, (), len) == 2
    proxy = types.MappingProxyType({"a": 1})
    assert ca.set_nest_at_index(proxy, ("a",), 2) == types.MappingProxyType({"a": 2})
    defaults = collections.defaultdict(list, a=1)
    assert ca.set_nest_at_index(defaults, ("b",), 2).default_factory is list and len(defaults) == 1


NEST = {"a": [1, (2,)], "p": Pair(3, 4), "c": ca.Container(x=5)}


@pytest.mark.parametrize(
    ("do", "kind", "text"),
    [
        (lambda: ca.index_nest(NEST, ("b",)), KeyError, r"^the index \('b',\) leads nowhere: at the root there is a dict with"),
        (lambda: ca.index_nest(NEST, ("a", 2)), IndexError, r"at \('a',\) there is a list of length 2, which has no 2$"),
        (lambda: ca.index_nest(NEST, ("a", 1, -2)), IndexError, r"at \('a', 1\) there is a tuple of length 1, which has no -2"),
        (lambda: ca.index_nest(NEST, ("a", 0, 0)), IndexError, r"at \('a', 0\) there is a leaf of type int, which has no 0"),
        (lambda: ca.index_nest(NEST, ("a", "x")), IndexError, r"a list of length 2, which has no 'x'"),
        (lambda: ca.index_nest(NEST, ("p", "three")), IndexError, r"a Pair of length 2, which has no 'three'"),
        (lambda: ca.index_nest(NEST, ("c", "y")), KeyError, r"a Container with the keys 'x', which has no 'y'"),
        (lambda: ca.index_nest(NEST, "a"), TypeError, r"a sequence of positions and keys, got 'a'; write \('a',\)"),
        (lambda: ca.index_nest(NEST, 0), TypeError, r"got 0; write \(0,\)"),
        (lambda: ca.set_nest_at_index(NEST, ("b", "c"), 1), KeyError, "which has no 'b'"),
        (lambda: ca.set_nest_at_index(NEST, ("a", 2), 1), IndexError, "which has no 2"),
        (lambda: ca.insert_into_nest_at_index(NEST, ("a", 3), 1), IndexError, "which has no 3"),
        (lambda: ca.insert_into_nest_at_index(NEST, ("p", 0), 1), TypeError, "'one', 'two' .* nothing can be inserted"),
        (lambda: ca.prune_nest_at_index(NEST, ("p", 0)), TypeError, "nothing can be taken out of it"),
        (lambda: ca.prune_nest_at_index(NEST, ()), IndexError, r"the index \(\) is the root of the nest"),
        (lambda: ca.prune_nest_at_index(NEST, ("a", 5)), IndexError, "which has no 5"),
        (lambda: ca.prune_nest_at_indices(NEST, [("a", 0), ("a", 5)]), IndexError, "which has no 5"),
        (lambda: ca.set_nest_at_indices(NEST, [("a", 0)], [1, 2]), ValueError, "there are 1 indices and 2 values"),
        (lambda: ca.nested_multi_map(max, []), ValueError, "got no nests"),
        (lambda: ca.map(id, unique={"x": [1], "y": []}), ValueError, r"got \{'x': 1, 'y': 0\}"),
    ],
)  # fmt: skip
def test_mistakes(do, kind, text):
    with pytest.raises(kind, match=text) as caught:
        do()
    assert isinstance(caught.value, ca.CoreArrayError)


# --- several indices


@trees
@given(TREES, st.data())
def test_several_indices(nest, data):
    indices = ca.all_nested_indices(nest)
    assume(indices)
    chosen = data.draw(st.lists(st.sampled_from(indices), unique=True))
    before = frozen(nest)
    texts = [str(place) for place in range(len(chosen))]
    result = ca.set_nest_at_indices(nest, chosen, texts)
    assert ca.multi_index_nest(result, chosen) == texts
    assert ca.nested_argwhere(result, lambda leaf: isinstance(leaf, str)) == sorted(chosen, key=indices.index)
    assert same(ca.map_nest_at_indices(nest, indices, str), ca.nested_map(str, nest))
    assert same(nest, before)


@trees
@given(TREES, st.data())
def test_prune_at_indices_of_the_nest_as_given(nest, data):
    everywhere = ca.all_nested_indices(nest, include_nests=True)
    indices = [i for i in everywhere if not isinstance(at(nest, i[:-1]), Pair)]
    chosen = data.draw(st.lists(st.sampled_from(indices))) if indices else []
    before = frozen(nest)
    left = [i for i in ca.all_nested_indices(nest) if not any(i[: len(c)] == c for c in chosen)]
    result = ca.prune_nest_at_indices(nest, chosen)
    assert ca.multi_index_nest(result, ca.all_nested_indices(result)) == ca.multi_index_nest(nest, left)
    assert same(nest, before)


def test_insert_counts_what_is_in_already():
    assert ca.insert_into_nest_at_indices({"a": [1, 4]}, [("a", 1), ("a", 2)], [2, 3]) == {"a": [1, 2, 3, 4]}
    assert ca.prune_nest_at_indices((1, 2, 3), [(0,), (-3,), (2,)]) == (2,)


# --- all leaves


@trees
@given(TREES)
def test_map_keeps_the_nodes(nest):
    before = frozen(nest)
    doubled = ca.nested_map(lambda leaf: 2 * leaf, nest)
    assert ca.all_nested_indices(doubled) == ca.all_nested_indices(nest)
    assert same(ca.nested_multi_map(lambda x, y: y - x, [nest, doubled]), before)
    assert same(nest, before)
    assert same(ca.nested_map(lambda leaf: leaf, nest), nest)
    nodes = []
    assert ca.nested_map(lambda node: nodes.append(node) or 1, nest, is_leaf=lambda node: True) == 1
    assert nodes[0] is nest


@trees
@given(TREES)
def test_copies(nest):
    copied = ca.copy_nest(nest)
    assert same(copied, nest) and (copied is not nest or type(nest) is tuple)
    assert all(at(copied, i) is not at(nest, i) for i in _nodes(nest) if len(at(nest, i)))
    mutable = ca.copy_nest(nest, to_mutable=True)
    assert not any(isinstance(at(mutable, i), tuple) for i in _nodes(mutable))
    assert ca.all_nested_indices(mutable) == ca.all_nested_indices(nest)


def _nodes(nest):
    indices = ca.all_nested_indices(nest, include_nests=True)
    return [i for i in indices if not isinstance(at(nest, i), int)]


@trees
@given(TREES, LEAVES)
def test_argwhere_and_any(nest, wanted):
    leaves = ca.multi_index_nest(nest, ca.all_nested_indices(nest))
    found = ca.nested_argwhere(nest, lambda leaf: leaf == wanted)
    assert len(found) == leaves.count(wanted)
    assert ca.nested_any(nest, lambda leaf: leaf == wanted) == (wanted in leaves)
    assert ca.nested_argwhere(nest, lambda leaf: leaf == wanted, stop_after=1) == found[:1]
    assert ca.nested_any(nest, lambda node: isinstance(node, type(nest)), check_nests=True)
    assert not ca.nested_any(nest, lambda node: not isinstance(node, int))


def test_leaves_at_the_root():
    assert ca.nested_map(lambda leaf: leaf + 1, 1) == 2
    assert ca.all_nested_indices(1) == [] and ca.nested_argwhere(1, bool) == []
    assert ca.nested_any(1, bool) and not ca.nested_any(0, bool)
    assert ca.copy_nest(1) == ca.prune_empty(1) == 1


def test_nested_argwhere_of_nodes():
    nest = {"a": [1, (2, 3)], "b": []}
    assert ca.nested_argwhere(nest, lambda node: isinstance(node, (tuple, list)), check_nests=True) == [
        ("a", 1), ("a",), ("b",)
    ]  # fmt: skip


@trees
@given(TREES)
def test_prune_empty(nest):
    pruned = ca.prune_empty(nest)
    assert not [i for i in _nodes(pruned) if not len(at(pruned, i)) and not isinstance(at(pruned, i[:-1]), Pair)]
    leaves = [at(nest, i) for i in ca.all_nested_indices(nest)]
    assert [at(pruned, i) for i in ca.all_nested_indices(pruned)] == leaves
    assert same(ca.prune_empty(pruned), pruned)


def test_prune_empty_and_none():
    nest = {"a": [None, (), {"b": ca.Container()}], "c": None, "d": Pair([], None)}
    assert ca.prune_empty(nest) == {"d": Pair([], None)}
    assert ca.prune_empty(nest, keep_nones=True) == {"a": [None], "c": None, "d": Pair([], None)}


@pytest.mark.parametrize(
    ("other", "text"),
    [
        ({"a": [1, 2], "b": 3}, r"at the root: there the first has a dict with .* 'a' and number 2 has .* 'a', 'b'"),
        ({"a": [1]}, r"at \('a',\): there the first has a list of length 2 and number 2 has a list of length 1"),
        ({"a": (1, 2)}, r"at \('a',\): there the first has a list of length 2 and number 2 has a tuple of length 2"),
        ({"a": 1}, r"number 2 has a leaf of type int"),
    ],
)  # fmt: skip
def test_structures_that_differ(other, text):
    with pytest.raises(ca.CoreArrayError, match=text) as caught:
        ca.nested_multi_map(max, [{"a": [1, 2]}, other])
    assert isinstance(caught.value, ValueError)


def test_mappings_of_different_kinds_have_one_structure():
    result = ca.nested_multi_map(lambda x, y: x + y, [ca.Container(a=1, b=2), {"b": 20, "a": 10}])
    assert result.equals(ca.Container(a=11, b=22))


def test_duplicates():
    x, y = ca.zeros(2), ca.zeros(2)
    nest = [x, {"a": (y, x), "b": ca.Container(c=x.native, d=[x.native])}, 3, 3]
    assert ca.duplicate_array_index_chains(nest) == [[(0,), (1, "a", 1)], [(1, "b", "c"), (1, "b", "d", 0)]]


def test_map():
    calls = []

    def fn(x, y, z=0):
        calls.append((x, y, z))
        return x + y

    assert ca.map(fn, {"x": 1}, {"y": [1, 2], "z": (3, 4)}) == [2, 3]
    assert calls == [(1, 1, 3), (1, 2, 4)]
    assert ca.map(fn, unique={"x": [1, 2], "y": [3, 4]}, mean=True) == 5.0
    assert ca.map(lambda x: (x, -x), unique={"x": [1, 2]}) == ([1, 2], [-1, -2])
    assert ca.map(fn, {"x": 1}, {"y": []}) == []
