"""Objects of no backend that offer an array by a protocol, as arguments and as operands."""

import operator

import numpy as np
import pytest
from standard.support import array, be, check

import corearray as ca

V = np.asarray([1.5, 2.5], "float32")


class WithArray:
    def __array__(self, dtype=None, copy=None):
        return V if dtype is None else V.astype(dtype)


class WithInterface:
    __array_interface__ = V.__array_interface__


class WithDlpack:
    def __dlpack__(self, **options):
        return V.__dlpack__(**options)

    def __dlpack_device__(self):
        return V.__dlpack_device__()


class WithOperators(WithArray):
    def __radd__(self, other):
        return "computed there"

    __gt__ = __eq__ = __radd__
    __hash__ = None


OFFERS = [WithArray(), WithInterface(), WithDlpack()]
OPERATORS = [
    operator.add,
    operator.sub,
    operator.mul,
    operator.truediv,
    operator.pow,
    operator.lt,
    operator.eq,
    operator.ne,
]


@pytest.mark.parametrize("offer", OFFERS, ids=lambda offer: type(offer).__name__)
def test_what_offers_an_array_is_an_operand(offer):
    x = V + 1
    for compute in OPERATORS:
        check(compute.__name__, compute(array(x), offer), compute(x, V))
        check(compute.__name__, compute(offer, array(x)), compute(V, x))
    check("matmul", array(x) @ offer, x @ V, factor=4)
    y = array(x)
    y += offer
    check("+=", y, x + V)
    y[:] = offer
    check("[:] =", y, V)
    check("exp", be.exp(offer), np.exp(V), factor=4)
    check("stack", be.stack([array(x), offer]), np.stack([x, V]))
    if "reverse_mode" in be.facts:
        check("grad", ca.grad(lambda z: be.sum(z * offer * z))(array(x)), 2 * x * V, factor=4)


def test_a_class_with_the_operator_computes_it():
    x, other = array(V), WithOperators()
    assert (x + other, x < other, x == other) == ("computed there",) * 3
    check("sub", x - other, V - V)  # which it lacks


def test_other_objects_are_no_operands():
    x = array(V)
    for other in (object(), "text", {}, WithArray):
        with pytest.raises(TypeError):
            x + other
    assert (x == object()) is False


def test_protocols_of_tables_are_not_called():
    class Column:
        def __arrow_array__(self, type=None):
            raise AssertionError("Arrow's arrays are of no backend")

    with pytest.raises(TypeError, match="Column"):
        be.asarray(Column())
    with pytest.raises(TypeError, match="Column"):
        array(V) + Column()
