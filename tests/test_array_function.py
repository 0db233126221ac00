"""`__corearray_function__`: foreign classes that compute corearray's functions themselves."""

from __future__ import annotations

import pytest

import corearray as ca
from corearray.plugin import hookimpl


class Unit:
    """A class that notes how it is asked."""

    def __init__(self, answer=None):
        self.answer = answer
        self.asked = []

    def __corearray_function__(self, function, types, args, kwargs):
        self.asked.append((function, types, args, kwargs))
        return self.answer


class Derived(Unit):
    pass


class Other:
    answer: object = "other"

    def __corearray_function__(self, function, types, args, kwargs):
        return self.answer


@pytest.fixture
def alpha(toy):
    plugin = toy("alpha")

    class More(type(plugin)):
        @hookimpl
        def concat(self, arrays, /, *, axis=0):
            raise AssertionError("not asked")

        @hookimpl
        def where(self, condition, x1, x2, /):
            raise AssertionError("not asked")

    plugin.__class__ = More
    with ca.backend_context("alpha"):
        yield plugin


@pytest.fixture
def x(alpha):
    return ca.asarray([1.0, 2.0])


def test_the_class_gets_the_call_as_it_was_made(x, alpha):
    unit = Unit("taken")
    assert ca.add(x, unit) == "taken"
    ((function, types, args, kwargs),) = unit.asked
    assert function is ca.add
    assert (types, kwargs) == ((Unit,), {})
    assert type(args[0]) is type(x) and args[0].native is x.native
    assert args[1] is unit
    assert "add" not in alpha.calls
    assert ca.get_backend().add(unit, 2.5) == "taken"
    assert unit.asked[-1][2] == (unit, 2.5)
    assert ca.sum(unit, axis=0) == "taken"
    assert unit.asked[-1][2:] == ((unit,), {"axis": 0})
    out = ca.zeros(2)
    ca.add(unit, x.native, out=out)
    assert unit.asked[-1][3] == {"out": out}
    assert isinstance(unit.asked[-1][2][1], ca.Array)


def test_compositions_and_sequences_are_offered_too(x):
    unit = Unit("taken")
    assert ca.square(unit) == "taken"
    assert unit.asked[-1][0] is ca.square
    assert ca.concat([x, unit]) == "taken"
    assert unit.asked[-1][2][0][1] is unit
    assert ca.add(x, x, out=unit) == "taken"


def test_guarded_functions_are_offered_without_asking_the_guard(alpha):
    class Guarded(type(alpha)):
        @hookimpl(when=lambda x: x.values)
        def square(self, x, /):
            raise AssertionError

    alpha.__class__ = Guarded
    assert ca.square(Unit("taken")) == "taken"


def test_a_container_maps_over_foreign_leaves(x):
    assert ca.add(ca.Container(a=Unit("taken"), b=x), x).a == "taken"


def test_subclasses_are_asked_first_and_each_class_once(x):
    order = []

    class Told:
        def __corearray_function__(self, function, types, args, kwargs):
            order.append(type(self))
            assert types == (Sub, Told)
            return NotImplemented if type(self) is Sub else "base"

    class Sub(Told):
        pass

    assert ca.where(Told(), Sub(), Told()) == "base"
    assert order == [Sub, Told]


def test_notimplemented_passes_on_and_nobody_left_is_an_error(x):
    declines = Unit(NotImplemented)
    assert ca.add(declines, Other()) == "other"
    with pytest.raises(TypeError, match=r"'add' got arguments of the types 'Derived', 'Unit', none of which") as caught:
        ca.add(declines, Derived(NotImplemented))
    assert isinstance(caught.value, ca.CoreArrayError)


def test_what_the_class_raises_is_raised(x):
    class Raises:
        def __corearray_function__(self, function, types, args, kwargs):
            raise ca.CoreArrayError("own words")

    with pytest.raises(ca.CoreArrayError, match=r"^own words$"):
        ca.add(x, Raises())


def test_operators_ask_the_other_operand_as_python_does(x):
    class Adds(Unit):
        def __radd__(self, other):
            return "reflected"

    assert x + Adds() == "reflected"


def test_a_subclass_of_a_native_type_is_an_array_unless_it_takes_over(x, alpha):
    plain = type("Plain", (alpha.array,), {})([1.0, 2.0])
    assert ca.add(plain, x).tolist() == [2.0, 4.0]
    taking = type("Taking", (alpha.array,), {"__corearray_function__": Unit.__corearray_function__})([1.0, 2.0])
    taking.asked, taking.answer = [], "taken"
    assert ca.add(x, taking) == "taken"


def test_without_a_backend_in_force(toy):
    plugin = toy("beta")
    assert ca.add(plugin.made([1.0], "float32"), Unit("taken")) == "taken"
    assert ca.current_backend().name == "beta"


def test_a_class_without_the_method_is_refused_as_ever(x):
    with pytest.raises(ca.CoreArrayError):
        ca.add(x, object())


def test_calls_without_foreign_classes_take_the_direct_way(x):
    from corearray.calls.dispatch import dispatcher_source

    ca.add(x, x)
    for text in (ca.get_backend().binding("add").source, dispatcher_source(ca.add)):
        assert "foreign" not in text and "corearray_function" not in text
