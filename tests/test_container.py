"""`Container` as a mapping, as a tree, as an operand, and in files."""

from __future__ import annotations

import copy
import math
import operator
import pickle
import string

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import corearray as ca

KEYS = st.text(string.ascii_lowercase + " _1", min_size=1, max_size=3)
LEAVES = st.one_of(st.integers(), st.floats(), st.booleans(), st.none(), st.text(max_size=3), st.complex_numbers())
DICTS = st.dictionaries(
    KEYS, st.recursive(LEAVES, lambda inner: st.dictionaries(KEYS, inner, max_size=3), max_leaves=8)
)

#: The machine may be slow while it makes the first tree; a few trees are enough.
trees = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def arrays():
    return ca.Container(a=ca.asarray([1.0, -2.0]), b={"c": ca.asarray([[3.0]])})


def values(container):
    return container.to_list().to_dict()


def numbers():
    return ca.Container(a=1, b={"c": 2, "d": {"e": 3}})


# --- a mapping


def test_ways_to_make_one():
    want = {"a": 1, "b": {"c": 2, "d": {"e": 3}}}
    for made in (
        ca.Container(want),
        ca.Container(a=1, b={"c": 2, "d": {"e": 3}}),
        ca.Container({"a": 1}, b=ca.Container(c=2, d={"e": 3})),
        ca.Container([("a", 1), ("b/c", 2), ("b/d/e", 3)]),
        ca.Container({"a": 1, "b/c": 2}, **{"b/d": {"e": 3}}),
        ca.Container(ca.Container(want)),
    ):
        assert made.to_dict() == want
        assert type(made.b.d) is ca.Container
    assert ca.Container().to_dict() == {}


def test_key_chains_and_attributes():
    c = numbers()
    assert c["b/d/e"] == c["b"]["d"]["e"] == c.b.d.e == c["b/d"].e == 3
    assert c.get("b/c") == 2 and c.get("b/x") is None and c.get("a/x", 7) == 7
    assert "b/d" in c and "b/x" not in c and "a/b" not in c and "" not in c and "b//c" not in c and 0 not in c
    c["b/f/g"] = 4
    c.h = {"i": 5}
    c["b/c"] = 6
    assert c.flatten() == {"a": 1, "b/c": 6, "b/d/e": 3, "b/f/g": 4, "h/i": 5}
    del c["b/f"], c.a
    assert c.pop("b/d/e") == 3 and c.pop("x", None) is None
    assert c.to_dict() == {"b": {"c": 6, "d": {}}, "h": {"i": 5}}
    c.update({"h/i": 7}, j=8)
    assert c.setdefault("k/l", 9) == 9 and c.setdefault("j", 0) == 8
    assert (list(c), len(c), list(c.keys())) == (["b", "h", "j", "k"], 4, ["b", "h", "j", "k"])
    assert [type(value) is ca.Container for value in c.values()] == [True, True, False, True]
    assert dict(c.items())["j"] == 8 and dict(**c)["j"] == 8
    c.clear()
    assert len(c) == 0


def test_what_is_no_mapping_is_a_leaf():
    c = ca.Container(a=[1, {"b": 2}], c=(3,), d=None)
    assert c.leaves() == [[1, {"b": 2}], (3,), None]


@pytest.mark.parametrize(
    ("do", "kind", "text"),
    [
        (lambda c: c["x"], KeyError, r"this Container has no key 'x'; it has 'a', 'b/c', 'b/d/e'"),
        (lambda c: c["b/x"], KeyError, r"no key 'b/x'"),
        (lambda c: c["a/x"], KeyError, r"no key 'a/x'"),
        (lambda c: c.x, AttributeError, r"this Container has no key 'x'; it has 'a', 'b'"),
        (lambda c: c._x, AttributeError, r"a Container has no attribute '_x'"),
        (lambda c: operator.delitem(c, "b/x"), KeyError, r"no key 'b/x'"),
        (lambda c: operator.delitem(c, "a/x"), KeyError, r"no key 'a/x'"),
        (lambda c: operator.delitem(c, 0), TypeError, r"a key of a Container is a string, got 0 \(int\)"),
        (lambda c: delattr(c, "x"), AttributeError, r"no key 'x'"),
        (lambda c: setattr(c, "mean", 1), AttributeError, r"'mean' cannot be set .* write c\[\"mean\"\] = value"),
        (lambda c: setattr(c, "_x", 1), AttributeError, r"'_x' cannot be set"),
        (lambda c: operator.setitem(c, "a/x", 1), KeyError, r"'a/x' cannot be set: at 'a' there is a leaf"),
        (lambda c: operator.setitem(c, "b//c", 1), ValueError, r"'b//c' is no key chain; keys are not empty"),
        (lambda c: ca.Container({1: 2}), TypeError, r"a key of a Container is a string, got 1 \(int\)"),
        (lambda c: c.update({(0, 1): 2}), TypeError, r"a key of a Container is a string, got \(0, 1\) \(tuple\)"),
        (lambda c: c.update(3), TypeError, "a Container is made of a mapping or of pairs of a key and a value, got 3"),
        (lambda c: ca.Container([1, 2]), TypeError, r"made of a mapping or of pairs .*, got \[1, 2\]"),
        (bool, ValueError, r"the truth of a Container is ambiguous; use len\(c\)"),
        (hash, TypeError, "unhashable"),
        (np.asarray, TypeError, r"a Container is no array; corearray.to_numpy\(c\) converts each of its leaves"),
        (lambda c: c.at_key_chains(["a", "x"]), KeyError, "no key 'x'"),
        (lambda c: c.prune("x"), KeyError, "no key 'x'"),
        (lambda c: c.map(id, key_chains="b/x"), KeyError, "no key 'b/x'"),
    ],
)
def test_mistakes(do, kind, text):
    c = numbers()
    with pytest.raises(kind, match=text) as caught:
        do(c)
    assert isinstance(caught.value, ca.CoreArrayError) or do is hash
    assert c.equals(numbers())


def test_dir_lists_keys_and_methods():
    assert {"a", "b", "map", "sum"} <= set(dir(ca.Container({"a": 1, "b": 2, "x y": 3})))
    assert "x y" not in dir(ca.Container({"x y": 3}))


def test_keys_that_are_names_of_methods_are_items():
    c = ca.Container(mean=ca.asarray([1.0, 3.0]))
    assert c["mean"].tolist() == [1.0, 3.0]
    assert c.mean()["mean"].item() == 2.0


# --- a tree


@trees
@given(DICTS)
def test_dictionaries_and_back(tree):
    c = ca.Container(tree)
    assert repr(c.to_dict()) == repr(tree)
    flat = c.flatten()
    assert (list(flat), list(map(id, flat.values()))) == (c.key_chains(), list(map(id, c.leaves())))
    assert all(c[chain] is leaf and chain in c for chain, leaf in flat.items())
    back = ca.Container.unflatten(flat)
    assert back.equals(c.prune_empty())
    assert len(c.diff(c.copy())) == 0 and c.same_structure(c.copy())
    assert ca.Container.tree_unflatten(*reversed(c.tree_flatten())).equals(c)
    assert pickle.loads(pickle.dumps(c)).equals(c)
    assert isinstance(repr(c), str)


@trees
@given(DICTS, DICTS)
def test_combine_and_diff(one, two):
    first, second = ca.Container(one), ca.Container(two)
    both = first.combine(second)
    for chain, leaf in second.flatten().items():
        assert both[chain] is leaf
    assert first.equals(ca.Container(one)) and second.equals(ca.Container(two))
    assert both.combine(both).equals(both)
    assert first.equals(second) == (len(first.diff(second)) == 0)
    assert first.combine().equals(first)


def test_map():
    c = numbers()
    assert c.map(lambda leaf: -leaf).to_dict() == {"a": -1, "b": {"c": -2, "d": {"e": -3}}}
    assert c.map(lambda leaf: -leaf, key_chains=["a", "b/d"]).flatten() == {"a": -1, "b/c": 2, "b/d/e": -3}
    assert c.map(lambda leaf: {"x": leaf})["b/c/x"] == 2
    assert ca.Container(ab=1, a=2).map(lambda leaf: 0, key_chains="a").flatten() == {"ab": 1, "a": 0}
    assert c.map_with_key_chain(lambda chain, leaf: chain * leaf).b.c == "b/cb/c"
    assert c.multi_map(lambda x, y, z: (x, y, z), 5, c)["b/d/e"] == (3, 5, 3)
    with pytest.raises(ValueError, match="at the key chain 'b/d' the first has a Container and number 3 has nothing"):
        c.multi_map(max, c, c.prune("b/d"))


def test_copies():
    c = ca.Container(a=ca.asarray([1.0]), b={"c": [1]})
    for shallow in (c.copy(), copy.copy(c)):
        assert shallow.a is c.a and shallow.b is not c.b and shallow.b.c is c.b.c
    deep = copy.deepcopy(c)
    deep.a[0] = 5.0
    deep.b.c.append(2)
    assert c.a.tolist() == [1.0] and c.b.c == [1]


def test_parts():
    c = numbers()
    part = c.at_key_chains(["b/d", "a"])
    assert part.flatten() == {"b/d/e": 3, "a": 1}
    part["b/d/e"] = 0
    assert c["b/d/e"] == 3
    assert c.at_key_chains("b/c").to_dict() == {"b": {"c": 2}}
    assert c.prune(["b/d", "b/d/e"]).to_dict() == {"a": 1, "b": {"c": 2}}
    assert c.prune("b/d/e").prune_empty().to_dict() == {"a": 1, "b": {"c": 2}}
    assert c.equals(numbers())


def test_combine_does_not_share_the_tree():
    one, two = ca.Container(a={"b": 1}), ca.Container(c={"d": 2})
    both = one.combine(two)
    both["a/b"] = both["c/d"] = 0
    assert one["a/b"] == 1 and two["c/d"] == 2
    assert one.combine({"a": 3}).to_dict() == {"a": 3} and ca.Container(a=3).combine(one).to_dict() == {"a": {"b": 1}}


def test_diff():
    c = numbers()
    other = ca.Container(a=1, b={"c": 2.0, "d": 4}, f=None)
    assert c.diff(other, c).to_dict() == {
        "b": {"c": {"0": 2, "1": 2.0, "2": 2}, "d": {"0": {"e": 3}, "1": 4, "2": {"e": 3}}},
        "f": {"1": None},
    }
    assert len(c.diff()) == 0


@pytest.mark.parametrize(
    ("one", "two", "same"),
    [
        (ca.asarray([1.0, math.nan]), ca.asarray([1.0, math.nan]), True),
        (ca.asarray([1.0, 2.0]), ca.asarray([1.0, math.nan]), False),
        (ca.asarray([1.0]), ca.asarray([1.0], dtype="float64"), False),
        (ca.asarray([1.0]), ca.asarray([[1.0]]), False),
        (ca.asarray([1.0]), np.asarray([1.0], "float32"), False),
        (np.asarray([1, 2]), np.asarray([1, 2]), True),
        ([ca.asarray([1, 2]), 3], [ca.asarray([1, 2]), 3], True),
        ([ca.asarray([1, 2]), 3], [ca.asarray([1, 0]), 3], False),
        (math.nan, float("nan"), True),
        (True, 1, False),
        (object(), object(), False),
    ],
)
def test_equals(one, two, same):
    assert ca.Container(a=one).equals(ca.Container(a=two)) is same
    assert not ca.Container(a=one).equals({"a": one})


def test_same_structure():
    c = numbers()
    c.assert_same_structure(c.map(lambda _: None), c)
    assert c.same_structure() and not c.same_structure(c, c.prune("a")) and not c.same_structure(c.to_dict())
    with pytest.raises(
        ValueError, match=r"the Containers differ .* 'a' the first has a leaf and number 3 has nothing;"
    ):
        c.assert_same_structure(c, c.prune("a"))


def test_sorted_for_libraries_with_trees():
    assert ca.Container(b=1, a=2).tree_flatten() == ((2, 1), ("a", "b"))
    optree = pytest.importorskip("optree")
    if not _known(optree):
        optree.register_pytree_node_class(ca.Container, namespace="corearray-test")
    doubled = optree.tree_map(lambda leaf: 2 * leaf, numbers(), namespace="corearray-test")
    assert doubled.equals(numbers().map(lambda leaf: 2 * leaf))


def _known(optree):
    return optree.tree_structure(numbers(), namespace="corearray-test").num_leaves > 1


# --- text


def test_repr():
    assert repr(ca.Container()) == "Container()"
    assert repr(numbers()) == "Container(a=1, b=Container(c=2, d=Container(e=3)))"
    assert repr(ca.Container({"a": 1, "x y": {"class": 2}})) == "Container({'a': 1, 'x y': Container({'class': 2})})"
    c = ca.Container(w={"long": ca.zeros((64, 32)), "short": ca.asarray([1.0])}, n=np.zeros((3, 4)), text="x" * 200)
    assert repr(c) == (
        "Container(\n"
        "    w=Container(\n"
        "        long=<Array float32 (64, 32) on numpy>,\n"
        "        short=Array([1.], dtype=float32, backend=numpy, device=cpu),\n"
        "    ),\n"
        "    n=<ndarray float64 (3, 4)>,\n"
        f"    text='{'x' * 84}...,\n"
        ")"
    )
    assert eval(repr(numbers()), {"Container": ca.Container}).equals(numbers())


# --- operators and methods

BINARY = [
    "add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "lt", "le", "gt", "ge", "eq", "ne",
]  # fmt: skip
BITS = ["and_", "or_", "xor", "lshift", "rshift"]


@pytest.mark.parametrize("name", BINARY + BITS)
def test_binary_operators(name):
    do = getattr(operator, name)
    one = ca.Container(a=ca.asarray([5, 3]), b={"c": ca.asarray([2])})
    two = ca.Container(a=ca.asarray([2, 3]), b={"c": ca.asarray([1])})
    assert do(one, two).equals(one.multi_map(do, two))
    assert do(one, 2).equals(one.map(lambda x: do(x, 2)))
    assert do(3, one).equals(one.map(lambda x: do(3, x)))
    x = ca.asarray([3])
    assert do(one, x).equals(one.map(lambda leaf: do(leaf, x)))
    assert do(x, one).equals(one.map(lambda leaf: do(x, leaf)))
    native = np.asarray([3])
    assert do(native, one).equals(one.map(lambda leaf: do(x, leaf)))


@pytest.mark.parametrize("other", [None, "a", b"a", {"a": 1}, {1}, object()])
def test_what_is_no_operand(other):
    """Python answers in its own words, as for an `Array`."""
    for c in (ca.Container(a=ca.asarray([5, 3])), ca.asarray([5, 3])):
        assert (c == other) is (other == c) is False
        assert (c != other) is (other != c) is True
        for name in ("add", "truediv", "lt", "and_"):
            with pytest.raises(TypeError, match=f"'{type(c).__name__}'"):
                getattr(operator, name)(c, other)


@pytest.mark.parametrize("name", ["neg", "pos", "abs", "invert"])
def test_unary_operators(name):
    do = getattr(operator, name)
    c = ca.Container(a=ca.asarray([5, -3]), b={"c": ca.asarray([0])})
    assert do(c).equals(c.map(do))


def test_matmul():
    c, x = arrays().map(lambda leaf: ca.ones((2, 2))), ca.asarray([[1.0, 2.0], [3.0, 4.0]])
    assert (c @ x).equals(c.map(lambda leaf: leaf @ x))
    assert (x @ c).equals(c.map(lambda leaf: x @ leaf))
    c @= x
    assert c.a.tolist() == [[4.0, 6.0], [4.0, 6.0]]


@pytest.mark.parametrize(
    "name",
    ["iadd", "isub", "imul", "ifloordiv", "imod", "ipow", "iand", "ior", "ixor", "ilshift", "irshift", "itruediv"],
)
def test_in_place_operators(name):
    dtype = "float64" if name == "itruediv" else "int64"
    c = ca.Container(a=ca.asarray([5, 3], dtype=dtype), b={"c": ca.asarray([2], dtype=dtype), "d": 4})
    if dtype == "int64":
        c["b/d"] = 4
    same, array = c, c.a
    want = c.map(
        lambda leaf: getattr(operator, name.replace("i", "", 1) + ("_" if name in ("iand", "ior") else ""))(leaf, 2)
    )
    c = getattr(operator, name)(c, 2)
    assert c is same and c.a is array
    assert c.equals(want)
    with pytest.raises(ValueError, match="number 2 has a Container"):
        getattr(operator, name)(c, ca.Container(a={"x": 1}, b={"c": 1, "d": 1}))
    assert c.equals(want)


def test_indexing_the_leaves():
    c = ca.Container(a=ca.asarray([1, 2, 3]), b={"c": ca.asarray([4, 5])})
    assert values(c[0]) == {"a": 1, "b": {"c": 4}}
    assert values(c[..., None, 1:]) == {"a": [[2, 3]], "b": {"c": [[5]]}}
    assert values(c[c > 2]) == {"a": [3], "b": {"c": [4, 5]}}
    c[0] = 7
    c[c.map(lambda _: 1)] = ca.Container(a=8, b={"c": 9})
    assert values(c) == {"a": [7, 8, 3], "b": {"c": [7, 9]}}


@pytest.mark.parametrize(
    ("name", "args", "options"),
    [
        ("all", (), {}), ("any", (), {"keepdims": True}), ("argmax", (), {"axis": 0}), ("argmin", (), {}),
        ("astype", ("int64",), {}), ("clip", (-1, 1), {}), ("exp", (), {}), ("expand_dims", (0,), {}), ("log", (), {}),
        ("max", (), {}), ("mean", (), {"axis": 0}), ("min", (), {}), ("permute_dims", ((1, 0),), {}), ("prod", (), {}),
        ("reshape", ((-1,),), {}), ("round", (), {}), ("sort", (), {"descending": True}), ("sqrt", (), {}),
        ("square", (), {}), ("squeeze", (1,), {}), ("std", (), {"correction": 0}), ("sum", (), {"dtype": "float64"}),
        ("to_list", (), {}), ("var", (), {}),
    ],
)  # fmt: skip
def test_methods(name, args, options):
    c = ca.Container(a=ca.asarray([[1.5], [2.0]]), b={"c": ca.asarray([[3.0]])})
    assert getattr(c, name)(*args, **options).equals(c.map(lambda leaf: getattr(ca, name)(leaf, *args, **options)))


def test_to_numpy():
    assert type(arrays().to_numpy().a) is np.ndarray


def test_options_may_be_containers():
    c = ca.Container(a=ca.ones((2, 3)), b=ca.ones((2, 3)))
    assert c.sum(axis=ca.Container(a=0, b=None)).map(lambda leaf: leaf.shape).to_dict() == {"a": (3,), "b": ()}


# --- files


@trees
@given(DICTS)
def test_files_hold_plain_leaves(tmp_path_factory, tree):
    path = tmp_path_factory.mktemp("stored")
    c = ca.Container(tree)
    for name in ("c.npz", "c.pickle", "c.pkl"):
        c.save(path / name)
        assert ca.Container.load(path / name, allow_pickle=True).equals(c)


@pytest.mark.parametrize("suffix", ["npz", "pickle"])
def test_files_hold_arrays(tmp_path, suffix):
    path = str(tmp_path / f"c.{suffix}")
    dtypes = ("bool", "int8", "uint64", "float16", "float32", "complex128")
    c = ca.Container({f"dtypes/{name}": ca.asarray([0, 1], dtype=name) for name in dtypes})
    c.update({"file": ca.asarray(3.0), "empty": {}, "allow_pickle": ca.zeros((0, 2)), "x y/é": ca.asarray([math.nan])})
    c.save(path)
    found = ca.Container.load(path, allow_pickle=True)
    assert found.equals(c)
    assert list(found) == list(c)


def test_a_file_of_arrays_is_readable_without_us_and_the_other_way_round(tmp_path):
    arrays().save(tmp_path / "ours.npz")
    with np.load(tmp_path / "ours.npz") as archive:
        assert archive["b/c"].tolist() == [[3.0]]
    np.savez(tmp_path / "theirs.npz", **{"a": np.ones(2), "b/c": np.zeros(1)})
    assert values(ca.Container.load(tmp_path / "theirs.npz")) == {"a": [1.0, 1.0], "b": {"c": [0.0]}}


def test_arrays_come_back_on_the_backend_in_force(tmp_path, toy):
    toy("alpha")
    ca.Container(a=ca.asarray([1.0, 2.0])).save(tmp_path / "c.npz")
    with ca.backend_context("alpha"):
        assert ca.Container.load(tmp_path / "c.npz").a.backend.name == "alpha"
    c = ca.Container(a=ca.get_backend("alpha").asarray([1.0]))
    c.save(tmp_path / "alpha.pickle")
    assert ca.Container.load(tmp_path / "alpha.pickle", allow_pickle=True).a.backend.name == "alpha"


def test_what_files_refuse(tmp_path):
    with pytest.raises(ValueError, match=r"has the suffix '.h5'; a Container is stored as .npz or as .pickle"):
        arrays().save(tmp_path / "c.h5")
    with pytest.raises(TypeError, match=r"the leaf at the key chain 'a/b' is a list; a .npz file holds arrays, Python"):
        ca.Container({"a/b": [1]}).save(tmp_path / "c.npz")
    assert not (tmp_path / "c.npz").exists()
    (tmp_path / "c.pickle").write_bytes(pickle.dumps([1]))
    with pytest.raises(TypeError, match="holds no Container, but an object of type list"):
        ca.Container.load(tmp_path / "c.pickle", allow_pickle=True)
