"""Plans in C: what users call stands for the Python function behind it, and arrays are made and forgotten."""

from __future__ import annotations

import copy
import gc
import inspect
import pickle
import shutil
import sys
import textwrap
import threading
import weakref

import numpy as np
import pytest

import corearray as ca
from corearray.calls.accelerated import accelerator, python_of
from corearray.settings.context import DEFAULT_BACKEND

be = ca.get_backend(DEFAULT_BACKEND)

in_c = pytest.mark.skipif(accelerator is None, reason="the accelerator is left out, or there is no compiler")


@pytest.mark.skipif(shutil.which("cc") is None, reason="there is no compiler")
def test_where_there_is_a_compiler_there_is_an_accelerator(run_python):
    program = "from corearray.calls.accelerated import accelerator; print(accelerator is not None)"
    assert run_python(program, COREARRAY_PURE="") == "True"


_PROGRAM = """
import sys
{first}
import corearray as ca
x = ca.asarray([1.0, 2.0, 3.0])
print(type(ca.add).__name__, (x + x).tolist(), ca.sum(x, axis=0).tolist(), ca.concat([x, x]).shape, -x < x)
"""


@pytest.mark.parametrize(
    ("first", "environment"),
    [("", {"COREARRAY_PURE": "1"}), ("sys.modules['corearray.calls._accelerator'] = None", {"COREARRAY_PURE": ""})],
    ids=["left out", "not there"],
)
def test_all_is_the_same_without_it(run_python, first, environment):
    kind, _, without = run_python(_PROGRAM.format(first=first), **environment).partition(" ")
    assert kind == "function"
    assert without == run_python(_PROGRAM.format(first=""), COREARRAY_PURE="").partition(" ")[2]


def test_one_that_was_built_from_other_sources_is_left_out_with_one_warning(run_python):
    """One without a checksum, of the time before there was one, and one with another."""
    program = """
        import sys, types, warnings
        old = sys.modules["corearray.calls._accelerator"] = types.ModuleType("corearray.calls._accelerator")
        old.__dict__.update({attributes})
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            import corearray as ca
            print(type(ca.add).__name__, ca.ones(2).tolist(), len(told), told[0].category.__name__)
            print(told[0].message)
    """
    for attributes in ({}, {"sources": 5}):
        told = run_python(textwrap.dedent(program).format(attributes=attributes), COREARRAY_PURE="").splitlines()
        assert told[0] == "function [1.0, 1.0] 1 RuntimeWarning"
        assert "accelerator of corearray is out of date" in told[1] and "scripts/install" in told[1]


@in_c
def test_the_text_behind_is_written_for_the_first_call_that_c_does_not_cover(run_python):
    program = """
import linecache
import corearray as ca
be = ca.get_backend("numpy")
x = be.ones(3)
written = lambda: "<corearray on numpy: add>" in linecache.cache
y = be.add(x, x)
assert not written()
z = be.add(1, x)
assert written() and be.add.function is be.add.function and be.add.__doc__ == ca.add.__doc__
print(y.tolist() == z.tolist() == [2, 2, 2])
"""
    assert run_python(program) == "True"


@in_c
def test_a_function_that_is_made_when_it_is_needed():
    made = []

    def maker():
        made.append(lambda x: 2 * x)
        return made[-1]

    function = accelerator.Function(maker=maker)
    assert made == [] and function(2) == 4 and function(3) == 6
    assert made == [function.function] and function.__name__ == "<lambda>"

    both = accelerator.Function(maker=maker)
    barrier = threading.Barrier(4)

    def call():
        barrier.wait()
        assert both(1) == 2

    threads = [threading.Thread(target=call) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert both.function in made

    for wrong in (lambda: 1 / 0, lambda: 1):
        without = accelerator.Function(maker=wrong)
        for ask in (lambda f: f(1), lambda f: f.__doc__, lambda f: f.unknown, repr):
            with pytest.raises(
                (ZeroDivisionError, TypeError), match=r"division by zero|made 1, which is no Python function"
            ):
                ask(without)
    for arguments, options in (((), {}), ((call,), {"maker": maker}), ((), {"maker": None})):
        with pytest.raises(TypeError, match="takes a Python function or the maker of one"):
            accelerator.Function(*arguments, **options)


def test_a_public_function_is_one_to_whoever_asks():
    slow_path = python_of(ca.add)
    assert ca.add.__name__ == "add" and ca.add.__qualname__ == "add" and ca.add.__module__ == slow_path.__module__
    assert ca.add.__doc__ == slow_path.__doc__ and ca.add.__wrapped__ is slow_path.__wrapped__
    assert str(inspect.signature(ca.add)).startswith("(x1: ") and inspect.isroutine(ca.add)
    assert inspect.getsource(ca.add).startswith("@declare")
    assert repr(ca.add).startswith("<function add at ")
    assert pickle.loads(pickle.dumps(ca.add)) is ca.add
    assert copy.copy(ca.add) is ca.add and copy.deepcopy(ca.add) is ca.add
    assert weakref.ref(ca.add)() is ca.add and hash(ca.add) == hash(ca.add)


def test_it_is_a_method_of_a_class_that_has_it():
    class Holder:
        twice = ca.add

    x = be.ones(2)
    with pytest.raises(TypeError):
        Holder().twice(x)  # the holder is an argument
    assert Holder.twice(x, x).tolist() == [2.0, 2.0]


@in_c
def test_attributes_are_kept_beside_those_of_the_function_behind():
    function = accelerator.Function(lambda x: x)
    function.mark = 1
    assert function.mark == 1 and not hasattr(function.function, "mark")
    assert function.plan is None and function(3) == 3
    with pytest.raises(AttributeError):
        _ = function.nothing
    with pytest.raises(TypeError, match="CallPlan"):
        function.plan = 1


def _plan(**more):
    """Return a way of a function of two operands, an option and a switch."""
    kind = be.kinds[be.native_dtypes[ca.float32]]
    table = {kind: lambda *given: (*given,)}
    described = {
        "names": ("x", "y", "factor", "turned"),
        "roles": "oopb",
        "by_name": b"\0\0\1\1",
        "by_position": 3,
        "defaults": (None, None, 2, False),
        "functions": table,
        "with_options": table,
        "array": be.Array,
        "dtype": None,
        "truth": None,
        "integers": None,
        "gives": None,
        "native_type": None,
        "ensured": None,
        "shares": None,
        "guard": None,
        "guarded_at": b"",
        "calls": None,
        "failed": None,
    }
    return accelerator.CallPlan(**{**described, **more})


def _accelerated(plan):
    def slow_path(*args, **options):
        return "slow_path"

    function = accelerator.Function(slow_path)
    function.plan = plan
    return function


@in_c
def test_what_a_way_takes():
    x, y = be.ones(2), be.zeros(2)
    function = _accelerated(_plan())
    assert function(x, y).native == (x.native, y.native)
    assert function(x, y, 2).native == (x.native, y.native), "the default"
    assert function(x, y, 3).native == (x.native, y.native, 3, False)
    assert function(x, y, turned=True, factor=3).native == (x.native, y.native, 3, True)
    integers = be.ones(2, dtype=ca.int64)
    others = (
        ((), {}), ((x,), {}), ((x, 1.0), {}), ((x, x.native), {}), ((x, integers), {}), ((integers, integers), {}),
        ((x, y, 3, True), {}), ((x, y), {"turned": 1}), ((x, y), {"other": 1}), ((x, y, 3), {"factor": 3}),
        ((x,), {"y": y}), ((x, None), {}), ((be.Array(), be.Array()), {}),
    )  # fmt: skip
    for args, options in others:
        assert function(x, y).native == (x.native, y.native), "of the kind of the call before"
        assert function(*args, **options) == "slow_path", (args, options)
    native = {
        "array": type(x.native),
        "dtype": property(lambda x: type(x)),
        "functions": {type(x.native): lambda *x: x},
    }
    function = _accelerated(_plan(**native))
    for _ in range(2):
        assert function(x.native, y.native) == (x.native, y.native)
        assert function(x.native, y) == function(x, y) == "slow_path"


@in_c
def test_dtypes_may_be_made_anew_whenever_they_are_asked_for():
    class Made(str):
        pass

    def dtype(x):
        made = Made("float")
        seen.append(weakref.ref(made))
        return made

    seen = []
    x = be.ones(2).native
    native = {"array": type(x), "dtype": property(dtype), "functions": {"float": lambda *x: x}, "with_options": {}}
    assert _accelerated(_plan(**native))(x, x) == "slow_path", "one is not the other"
    function = _accelerated(_plan(**native, roles="ovpb"))
    for _ in range(10):
        assert function(x, [1]) == (x, [1])
        assert seen[-1]() is not None, "with which the next call compares"


@in_c
def test_what_is_computed_often_is_computed_in_c(run_python):
    """Python calls a `__getitem__` of two parameters past the slot of the class, once it has met that often enough.

    It stops doing so for new functions after some ten thousand of them, so the process is a new one.
    """
    program = """
        import dis
        from types import FunctionType
        import corearray as ca

        class Plain:
            def __getitem__(self, key):
                return key

        def parts(x):
            for _ in range(100):
                x[0]

        def is_called_past_the_slot(x):
            one = FunctionType(parts.__code__.replace(), {})
            one(x)
            return any("GETITEM" in line.opname for line in dis.get_instructions(one, adaptive=True))

        print(is_called_past_the_slot(Plain()), is_called_past_the_slot(ca.get_backend("numpy").ones((2, 2))))
    """
    assert run_python(textwrap.dedent(program)).split() == ["True", "False"]


@in_c
def test_a_way_may_look_at_no_array():
    function = _accelerated(_plan(array=None, roles="vtpb", functions={None: lambda *given: given}, with_options={}))
    for _ in range(2):
        assert function(1, [2]) == (1, [2])
        assert function(1, 2) == function(1, [2], 3) == function(1) == "slow_path"


@in_c
def test_a_function_in_c_gets_a_tuple():
    function = _accelerated(_plan(array=None, roles="vvdd", functions={None: "{}{:d}".format}))
    counts = [object(), object()]
    held = [sys.getrefcount(x) for x in counts]
    for _ in range(3):
        assert function(1, 2) == "12"
        for others in ((1, "2"), counts):
            with pytest.raises((ValueError, TypeError)):  # of the native function, which is entered once
                function(*others)
    assert [sys.getrefcount(x) for x in counts] == held


@in_c
def test_a_key_without_arrays():
    x = be.ones((2, 2))
    plain = (0, slice(1), None, ..., (), (0, ...), (slice(0, 1), None, ..., -1))
    others = (True, [0], x, 1.0, "a", (0, (1,)), (..., ...), (0, x), (True,))
    function = _accelerated(_plan(roles="okdd"))
    for keys, are_plain in ((others, False), (plain, True), (others, False)):
        for key in keys:
            for answer in (function(x, key), function(x, key, 2)):
                assert (answer.native == (x.native, key)) if are_plain else answer == "slow_path", key


@in_c
def test_an_emptied_table_closes_a_way_that_was_gone():
    x, y = be.ones(2), be.zeros(2)
    table = {x._kind: lambda *given: given}
    function = _accelerated(_plan(functions=table, with_options={}))
    assert function(x, y).native == function(x, y).native == (x.native, y.native)
    table.clear()
    assert function(x, y) == function(x, y) == "slow_path"


@in_c
def test_an_array_may_be_none():
    x, y = be.ones(2), be.zeros(2)
    function = _accelerated(_plan(roles="ondd", guard=lambda y: y is None or y is not x.native, guarded_at=b"\1"))
    assert function(x).native == function(x, None).native == (x.native, None)
    assert function(x, y).native == (x.native, y.native)
    for other in (x, 1.0, be.ones(2, dtype=ca.int64)):
        assert function(x, other) == "slow_path"


@in_c
def test_a_function_with_options_gets_their_defaults_where_there_is_no_other():
    x, y = be.ones(2), be.zeros(2)
    function = _accelerated(_plan(functions={}))
    assert function(x, y).native == (x.native, y.native, 2, False)
    assert function(x, y, turned=True).native == (x.native, y.native, 2, True)
    assert _accelerated(_plan(functions={}, with_options={}))(x, y) == "slow_path"


@in_c
def test_a_sequence_has_one_kind():
    x, y = be.ones(2), be.zeros(2)
    one = {"names": ("arrays",), "roles": "s", "by_name": b"\0", "by_position": 1, "defaults": (None,)}
    function = _accelerated(_plan(**one))
    assert function([x, y]).native == ((x.native, y.native),)
    assert function((x, y, x)).native == ([x.native, y.native, x.native],)
    for arrays in ([], (), [x, 1.0], [x, be.ones(2, dtype=ca.int64)], iter([x]), x):
        assert function(arrays) == "slow_path"


@in_c
def test_the_error_of_a_native_call_goes_to_the_recovery_and_an_interrupt_does_not():
    x = be.ones(2)
    kind = x._kind
    entered = []

    def raising(error, failed=None):
        def native(*_):
            entered.append(1)
            raise error

        return _accelerated(_plan(functions={kind: native}, with_options={kind: native}, failed=failed))

    error = ValueError("no")
    with pytest.raises(ValueError, match="no"):
        raising(error)(x, x)
    assert raising(error, lambda *given, **options: (given, options))(x, x, factor=3) == ((error, x, x), {"factor": 3})
    assert len(entered) == 2, "the native function is entered once"
    for _ in range(2):
        with pytest.raises(KeyboardInterrupt):
            raising(KeyboardInterrupt(), lambda *_: None)(x, x)


@in_c
def test_a_guard_decides():
    x, y = be.ones(2), be.zeros(2)
    seen = []
    function = _accelerated(_plan(guard=lambda x: seen.append(x) or len(seen) == 1, guarded_at=b"\0"))
    assert function(x, y).native == (x.native, y.native)
    assert function(y, x) == "slow_path"
    assert seen[0] is x.native and seen[1] is y.native

    looks = _accelerated(
        _plan(guard=lambda factor, y, turned: factor == 3 and y is z.native and not turned, guarded_at=b"\2\1\3")
    )
    z = be.zeros(2)
    assert looks(x, z, 3).native == (x.native, z.native, 3, False)
    for call in ((x, z), (x, y, 3), (x, z, 3, True)):
        assert looks(*call) == "slow_path"

    def raising(x):
        raise TypeError

    assert _accelerated(_plan(guard=raising, guarded_at=b"\0"))(x, y) == "slow_path"

    def interrupted(x):
        if seen:
            raise KeyboardInterrupt
        seen.append(x)
        return True

    seen.clear()
    function = _accelerated(_plan(guard=interrupted, guarded_at=b"\0"))
    assert function(x, y).native == (x.native, y.native)
    with pytest.raises(KeyboardInterrupt):
        function(x, y)


@in_c
def test_what_may_be_no_view_goes_to_the_function_behind():
    x, y = be.ones(2), be.zeros(2)
    function = _accelerated(_plan(shares=lambda native: native is x.native))
    for _ in range(2):
        assert function(x, y).native == (x.native, y.native)
        assert function(y, x) == "slow_path"


@in_c
def test_ways_that_make_no_sense_are_refused():
    for wrong in (
        {"by_position": 5},
        {"roles": "oo"},
        {"array": int},
        {"array": None},
        {"dtype": 3},
        {"roles": "vopb", "shares": len},
        {"defaults": (1,)},
        {"guarded_at": b"\4"},
    ):
        with pytest.raises((TypeError, ValueError)):
            _plan(**wrong)
    many = tuple(f"x{i}" for i in range(40))
    with pytest.raises(ValueError, match="at most"):
        _plan(names=many, roles="d" * 40, by_name=b"\0" * 40, by_position=0, defaults=(None,) * 40)
    with pytest.raises(TypeError, match="layout"):
        accelerator.prepare(type("Wider", (ca.Array,), {"__slots__": ("more",)}))
    with pytest.raises(TypeError):
        accelerator.accelerate_operator(int, "__add__", None)


def test_a_setting_closes_the_ways(run_python):
    program = """
import corearray as ca
x = ca.asarray([1.0, -1.0])
(ca.log(x), ca.add(x, x), x + x, ca.get_backend().log(x))
with ca.settings(nan_policy="raise"):
    for call in (lambda: ca.log(x), lambda: ca.get_backend().log(x)):
        try:
            call()
        except ca.CoreArrayError as error:
            print(type(error).__name__)
with ca.settings(array_mode=False):
    print(type(x + x).__name__, type(ca.add(x, x)).__name__)
"""
    want = run_python(program, COREARRAY_PURE="1", PYTHONWARNINGS="ignore")
    assert run_python(program, COREARRAY_PURE="", PYTHONWARNINGS="ignore") == want
    assert len(want.splitlines()) == 3


# --- arrays


def test_arrays_are_forgotten_with_what_they_hold():
    x = be.ones(3)
    native, kind = x.native, x._kind
    gc.collect()
    held = sys.getrefcount(native), sys.getrefcount(kind)
    for _ in range(3):
        arrays = [be.wrap(native) for _ in range(500)]  # more than are kept
        assert all(array.native is native for array in arrays)
        del arrays
    assert (sys.getrefcount(native), sys.getrefcount(kind)) == held


def test_results_are_forgotten():
    x, y = be.ones(3), be.ones(3)
    operators = (lambda a, b: a + b), (lambda a, b: a < b), (lambda a, b: -a)
    for call in (be.add, ca.add, lambda a, b: be.concat([a, b]), *operators):
        for _ in range(2):
            call(x, y)
        gc.collect()
        held = [sys.getrefcount(value) for value in (x, y, x.native, y.native, x._kind, call)]
        for _ in range(100):
            call(x, y)
        assert [sys.getrefcount(value) for value in (x, y, x.native, y.native, x._kind, call)] == held


def test_a_new_array_holds_nothing_of_the_one_before():
    x = be.ones(3)
    told = []
    watched = weakref.ref(x, told.append)
    del x
    assert watched() is None and len(told) == 1
    for name in ("_native", "_kind", "_link"):
        with pytest.raises(AttributeError):
            getattr(be.Array(), name)
    with pytest.raises(TypeError):
        be.Array(1)


def test_cycles_of_arrays_are_found():
    class Holder:
        pass

    x, holder = be.ones(2), Holder()
    x._link, holder.array = holder, x
    watched = weakref.ref(holder), weakref.ref(x)
    del x, holder
    gc.collect()
    assert [ref() for ref in watched] == [None, None]


def test_a_long_chain_of_arrays_is_forgotten():
    x = be.ones(1)
    for _ in range(200_000):
        y = be.Array()
        y._link, x = x, y
    del x, y


def test_a_class_of_ones_own_may_hold_more():
    class Named(be.Array):
        __slots__ = ("__dict__", "name")

        def __add__(self, other):
            return "of Named"

        __radd__ = __add__

    plain, named = be.ones(2), Named()
    named._native, named._kind, named.name, named.other = plain.native, plain._kind, "x", 1
    assert be.multiply(named, named).tolist() == [1.0, 1.0]
    assert named + plain == "of Named" and plain + named == "of Named"
    watched = weakref.ref(named)
    del named
    assert watched() is None
    assert [type(be.ones(1)) for _ in range(3)] == [be.Array] * 3


def test_operators_set_by_hand_are_called(monkeypatch):
    x = be.ones(2)
    assert (x + x).tolist() == [2.0, 2.0]
    monkeypatch.setattr(be.Array, "__add__", lambda x, y: "by hand")
    assert x + x == "by hand"


@in_c
def test_operators_in_place_are_led_to_what_writes():
    """They are asked once; `__iadd__` computes what they leave alone, and the framework's errors become those of the family."""
    asked = []

    def compute(x, other):
        asked.append(other.shape)
        if other.shape == (3,):
            raise asked[0]("out of order")
        if other.shape == ():
            return False
        x += 10
        return True

    x = kept = be.zeros(2)
    updates = be.updates
    try:
        be.lead_updates({**updates, "add": compute, "pow": compute})
        x += be.ones(2)
        assert x is kept and x.tolist() == [10.0, 10.0] and asked == [(2,)]
        for error in (KeyboardInterrupt, ValueError):  # of a function that is not in the plugin: it passes unchanged
            asked[:] = [error]
            with pytest.raises(error, match="out of order") as caught:
                x += be.ones(3)
            assert asked == [error, (3,)] and x.tolist() == [10.0, 10.0]
            assert type(caught.value) is error
        be.lead_updates({**updates, "add": np.linalg.solve})
        with pytest.raises(ca.CoreArrayError, match="'add' on backend 'numpy' failed: 1-dimensional") as caught:
            x += be.ones(2)
        assert isinstance(caught.value.__cause__, np.linalg.LinAlgError)
        be.lead_updates({**updates, "add": compute})
        x += be.asarray(1.0)  # which `compute` leaves alone
        assert x.tolist() == [11.0, 11.0]
        asked.clear()
        x += be.asarray([1])  # another dtype
        assert not asked and x.tolist() == [12.0, 12.0]
    finally:
        be.lead_updates({})
        be.lead_updates(updates)
    x += be.ones(2)
    assert x is kept and x.tolist() == [13.0, 13.0]
    with pytest.raises(TypeError):
        accelerator.accelerate_update(int, "add", None, None, {})


def test_operands_of_which_python_asks_the_other():
    class Other:
        def __radd__(self, x):
            return "right"

        def __add__(self, x):
            return "left"

        def __gt__(self, x):
            return "greater"

    x = be.ones(2)
    assert (x + Other(), Other() + x, x < Other()) == ("right", "left", "greater")
    with pytest.raises(TypeError, match="unsupported operand"):
        _ = x + "text"
    with pytest.raises(TypeError, match="not supported between"):
        _ = x < "text"
    assert (x == "text") is False and (x != "text") is True


@in_c
def test_threads_call_while_a_way_is_taken_away():
    x = be.ones(2)
    be.add(x, x)
    function = accelerator.Function(python_of(be.add))
    plan = getattr(be.add, "way", None)
    stop = threading.Event()

    def turn():
        while not stop.is_set():
            if accelerator:
                function.plan = plan
                function.plan = None

    thread = threading.Thread(target=turn)
    thread.start()
    try:
        assert all(function(x, x).tolist() == [2.0, 2.0] for _ in range(5000))
    finally:
        stop.set()
        thread.join()


@in_c
def test_a_tree_that_holds_itself_is_an_error():
    tree = []
    tree.append(tree)
    with pytest.raises(RecursionError):
        accelerator.unflatten_tree(be, tree, [])
    with pytest.raises(RecursionError):
        accelerator.flatten_tree(be, tree)


@in_c
def test_a_tuple_with_items_of_its_own_is_not_plain():
    class Named(tuple):
        name = "shape"

    class Other(tuple):
        def __iter__(self):
            return iter((9, 9))

    class Longer(tuple):
        def __len__(self):
            return 9

    assert accelerator.key_of((Named((1, 2)),), {}) == accelerator.key_of(((1, 2),), {}) is not None
    assert accelerator.key_of((Other((1, 2)),), {}) is accelerator.key_of((Longer((1, 2)),), {}) is None


@in_c
def test_functions_and_ways_that_hold_themselves_are_collected():
    class Held:
        pass

    def lone(held):
        made = accelerator.Function(maker=lambda: (made, held))
        looked = accelerator.Function(lambda x: x, first=lambda x: (looked, held))
        plan = _plan(failed=lambda *given: (plan, held), guard=lambda *given: (plan, held), guarded_at=b"\0")
        return _accelerated(plan)

    held = Held()
    gone = weakref.ref(held)
    assert lone(held) is not None
    del held
    gc.collect()
    assert gone() is None


@in_c
def test_calls_of_functions_in_c_count_as_python_counts_them():
    """A call that is left without being counted back, by a result or by an error, would reach the limit soon."""

    class Deep:
        def __format__(self, spec):
            return function(self, 1)

    function = _accelerated(_plan(array=None, roles="vvdd", functions={None: "{}{:d}".format}))
    for _ in range(2 * sys.getrecursionlimit()):
        assert function(1, 2) == "12"
        with pytest.raises(ValueError, match="format code"):
            function(1, "2")
    with pytest.raises(RecursionError):
        function(Deep(), 1)


@in_c
def test_other_interpreters_compute_without_it(run_python):
    program = """
import sys
if sys.version_info >= (3, 13):
    import _interpreters as interpreters
    run = interpreters.exec
else:
    import _xxsubinterpreters as interpreters
    run = interpreters.run_string
import corearray.calls._accelerator
text = '''
try: import corearray.calls._accelerator
except ImportError: pass
else: raise SystemError("imported")
from corearray.calls.accelerated import accelerator
assert accelerator is None
'''
run(interpreters.create(), text)
print("done")
"""
    assert run_python(program, COREARRAY_PURE="").splitlines()[-1] == "done"
