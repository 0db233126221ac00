"""Trees taken apart and put together in C, and the tape followed there, as the Python text behind does."""

from __future__ import annotations

import sys
from collections import OrderedDict, namedtuple

import pytest

import corearray as ca
from corearray.calls.accelerated import ACCELERATED, accelerator
from corearray.calls.autograd_graph import depends_on_other_leaves
from corearray.nn.places import natives_at, put_at
from corearray.random.words import MASK, threefry, words_of_host
from corearray.settings.context import DEFAULT_BACKEND
from corearray.transforms.tree import Tree, flatten_tree, unflatten_tree

be = ca.get_backend(DEFAULT_BACKEND)

pytestmark = pytest.mark.skipif(accelerator is None, reason="the accelerator is left out, or there is no compiler")


_Pair = namedtuple("_Pair", "one other")

_TREES = {
    "an array": lambda: be.ones(2),
    "arrays": lambda: [be.ones(2), be.zeros(())],
    "a tuple": lambda: (be.ones(2), be.ones(2)),
    "nested": lambda: {"a": [be.ones(2), (be.zeros(2),)], 1: {"b": be.ones(3, dtype=ca.float64)}, "none": []},
    "nothing": dict,
    "one of integers": lambda: [be.ones(2), be.ones(2, dtype=ca.int64)],
    "one native": lambda: [be.ones(2), be.ones(2).native],
    "one of another class": lambda: [be.ones(2), type("Other", (be.Array,), {})()],
    "numbers": lambda: [1.5, 2.5],
    "a number within": lambda: {"a": {"b": [be.ones(2), 1.5]}},
    "a named tuple": lambda: _Pair(be.ones(2), be.ones(2)),
    "a container": lambda: ca.Container(a=be.ones(2)),
    "another dictionary": lambda: OrderedDict(a=be.ones(2)),
}


def _outcome(function, *args):
    """What a function returns, comparable, or the type of the error that it raises."""

    def plain(found):
        if isinstance(found, Tree):
            return plain(found.of(found.leaves))
        if isinstance(found, ca.Array):
            return type(found), found._kind, id(found._native)
        if isinstance(found, (dict, ca.Container)):
            return type(found), [(key, plain(value)) for key, value in found.items()]
        if isinstance(found, (list, tuple)):
            return type(found), [plain(x) for x in found]
        return found if isinstance(found, (bool, float, type(None))) else id(found)

    try:
        return plain(function(*args))
    except Exception as error:
        return type(error)


def test_each_function_that_is_led_by_c_has_a_test_here():
    assert {function.__name__ for function in ACCELERATED} == {
        "flatten_tree", "unflatten_tree", "depends_on_other_leaves", "words_of_host", "natives_at", "put_at",
    }  # fmt: skip


@pytest.mark.parametrize("tree", _TREES.values(), ids=_TREES)
def test_trees_are_taken_apart_and_put_together_as_behind(tree):
    tree = tree()
    leaves = Tree(tree).leaves
    natives = [be.zeros(3).native for _ in leaves]
    held = [sys.getrefcount(x) for x in (*leaves, *natives)]
    for _ in range(3):
        apart, behind = flatten_tree(be, tree), ACCELERATED[flatten_tree](be, tree)
        assert _outcome(lambda apart=apart: apart) == _outcome(lambda behind=behind: behind)
        for given in (natives[1:], [*natives, natives], tuple(natives), natives):
            made = _outcome(unflatten_tree, be, apart[0], given)
            assert made == _outcome(ACCELERATED[unflatten_tree], be, apart[0], given)
            assert made == _outcome(ACCELERATED[unflatten_tree], be, behind[0], given)
        del apart, behind, made
    assert [sys.getrefcount(x) for x in (*leaves, *natives)] == held


@pytest.mark.parametrize("one", _TREES.values(), ids=_TREES)
@pytest.mark.parametrize("other", _TREES.values(), ids=_TREES)
def test_two_trees_are_taken_apart_as_behind(one, other):
    one, other = one(), other()
    assert _outcome(flatten_tree, be, one, other) == _outcome(ACCELERATED[flatten_tree], be, one, other)


def test_trees_that_are_alike_have_arrays_alike():
    x, y, z = be.ones(2), be.zeros(3), be.ones(2, dtype=ca.float64)
    alike = [({"a": x, "b": [y]}, {"b": [x], "a": y}), ((x, y), (y, x)), (x, y)]
    others = [
        ((x, y), (x, z)),
        ([x], (x,)),
        ([x, y], [x]),
        ({"a": x}, {"b": x}),
        ({"a": x}, {"a": x, "b": x}),
        (x, [x]),
    ]
    for one, other in alike:
        assert flatten_tree(be, one, other)[2] is not None
    for one, other in [*alike, *others, ([be.Array()], [x])]:
        assert _outcome(flatten_tree, be, one, other) == _outcome(ACCELERATED[flatten_tree], be, one, other)


def test_what_was_taken_apart_stays_while_the_tree_changes():
    tree = {"a": [be.ones(2)]}
    apart, natives = flatten_tree(be, tree)
    tree["a"].append(be.zeros(2))
    tree["b"] = be.ones(1)
    made = unflatten_tree(be, apart, natives)
    assert list(made) == ["a"] and len(made["a"]) == 1 and made["a"][0].native is natives[0]


def test_a_tree_within_itself_is_refused():
    tree = [be.ones(2)]
    tree.append(tree)
    for function in (flatten_tree, ACCELERATED[flatten_tree]):
        with pytest.raises(RecursionError):
            function(be, tree)


_Other = type("_Other", (dict,), {})


@pytest.mark.parametrize("value", _TREES.values(), ids=_TREES)
@pytest.mark.parametrize("holder", [dict, OrderedDict, _Other])
def test_arrays_in_dictionaries_are_read_as_behind(value, holder):
    places = [(holder(a=be.ones(2)), "a"), (holder({1: value()}), 1), (holder(a=be.Array()), "a")]
    for some in (places[:1], places[:2], places, [*places[:1], (places[1][0], "missing")], []):
        held = [sys.getrefcount(x) for place in some for x in place]
        assert _outcome(natives_at, be, some) == _outcome(ACCELERATED[natives_at], be, some)
        assert [sys.getrefcount(x) for place in some for x in place] == held


def test_arrays_in_dictionaries_are_replaced_as_behind():
    natives = [be.ones(2).native, be.ones(3, dtype=ca.int32).native, be.zeros(1, dtype=ca.int32).native]
    for given in (natives, natives[:2], [natives[0], None, natives[2]], [natives[0], 1.5, natives[1]], tuple(natives)):
        made = []
        for function in (put_at, ACCELERATED[put_at]):
            holders = [{"a": be.zeros(9), "b": 1.5}, _Other(a=None), {}]
            places = list(zip(holders, "aaa", strict=True))
            held = [sys.getrefcount(x) for x in natives]
            made.append(
                (_outcome(function, be, places, given), _outcome(lambda holders=holders: list(map(dict, holders))))
            )
            del holders, places
            assert [sys.getrefcount(x) for x in natives] == held
        assert made[0] == made[1]
    one = {"a": be.zeros(9)}
    assert put_at(be, [(one, "a")], natives[1:2]) is True and one["a"].dtype == ca.int32


class _Hashed:
    """A key that changes the list of places, or raises an error, when it is looked up."""

    def __init__(self, does):
        self.does = does

    def __hash__(self):
        return self.does() or 1


def test_keys_may_run_any_code():
    def interrupted():
        raise KeyboardInterrupt

    holder = {"a": be.ones(2)}
    places = [(holder, "a"), (holder, _Hashed(lambda: places.clear())), (holder, "a")]
    assert natives_at(be, places) == []  # the list is empty when Python reads it
    places = [(holder, "a"), (holder, _Hashed(lambda: places.clear()))] * 2
    put_at(be, places, [be.zeros(1).native] * 4)
    assert holder["a"].shape == (1,)
    for function, more in ((natives_at, ()), (put_at, ([be.ones(1).native],))):
        with pytest.raises(KeyboardInterrupt):
            function(be, [(holder, _Hashed(interrupted))], *more)


class _Step:
    def __init__(self, *before):
        self.next_functions = tuple((step, 0) for step in before)


class _End(_Step):
    def __init__(self, variable):
        super().__init__()
        self.variable = variable


class _Tensor:
    def __init__(self, grad_fn=None, requires_grad=True):
        self.grad_fn, self.requires_grad = grad_fn, requires_grad


def test_a_tape_is_followed_as_behind():
    leaf, other = _Tensor(), _Tensor()
    ends = [_End(leaf), _End(leaf), _End(other)]
    long = _Step(ends[0], None)
    for _ in range(100):
        long = _Step(long, long)  # a hundred steps, and many ways through them
    broken = _Step()
    broken.next_functions = None
    outputs = [[_Tensor(x)] for x in (long, _Step(long, ends[1]), _Step(long, ends[2]), broken, _Step(object()))]
    outputs += [[], [leaf], [other], [_Tensor(requires_grad=False)], [_Tensor(long), leaf, other], [object()]]
    wanted = [False, False, True, TypeError, AttributeError, False, False, True, False, True, AttributeError]
    held = [sys.getrefcount(x) for x in (leaf, other, *ends, long, _End)]
    for _ in range(3):
        for function in (depends_on_other_leaves, ACCELERATED[depends_on_other_leaves]):
            assert [_outcome(function, given, [leaf], _End) for given in outputs] == wanted
    assert [sys.getrefcount(x) for x in (leaf, other, *ends, long, _End)] == held


_COLLECTING = """
import gc
import corearray as ca
from corearray.transforms.tree import unflatten_tree, flatten_tree

def look(phase, info):
    for x in gc.get_objects():
        if type(x) in (list, tuple):
            list(x)

be = ca.get_backend("numpy")
tree = [be.ones(1), (be.ones(1), {"a": [be.ones(1), be.ones(1)]}, (be.ones(1),)), {}, (), []]
gc.callbacks.append(look)
gc.set_threshold(1)
for _ in range(5):
    apart, natives = flatten_tree(be, tree)
    made = unflatten_tree(be, apart, natives)
gc.set_threshold(0)
print(gc.is_tracked(made), gc.is_tracked(made[1]), len(made))
"""


def test_nobody_finds_a_sequence_that_is_not_full_yet(run_python):
    assert run_python(_COLLECTING, COREARRAY_PURE="") == "True True 5"


@pytest.mark.parametrize("start", [0, 2**32 - 300, 2**64 - 40])
def test_words_of_the_host_are_those_behind(start):
    first, second = (memoryview(part).cast("q").tolist() for part in words_of_host(12, 34, start, 600))
    numbers = [(start + i) % 2**64 for i in range(600)]
    assert list(zip(first, second, strict=True)) == [threefry((12, 34), n & MASK, n >> 32) for n in numbers]
    for wrong in ((-1, 2, 3, 4), (1.0, 2, 3, 4), (1, 2, 3, -4), (1, 2, 2**64, 4), (1, 2, 3, 2**62), (1, 2**32, 3, 4)):
        assert words_of_host(*wrong) is None and ACCELERATED[words_of_host](*wrong) is None
    assert words_of_host(1, 2, 3, 0) == (b"", b"")
