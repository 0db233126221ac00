"""The promotion table, on the backend's arrays and in `result_type`; Python scalars, which are weak."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from standard.support import ALL, FLOAT, FLOATING, HAVE, INTEGER, NUMERIC, PROMOTION, array, be, check, with_scalar

import corearray as ca

_PAIRS = list(itertools.product(HAVE, repeat=2))
every_pair = pytest.mark.parametrize(("one", "two"), _PAIRS, ids=["-".join(pair) for pair in _PAIRS])


def dtype(name):
    return getattr(ca, name)


@pytest.mark.parametrize(("one", "two"), list(itertools.product(ALL, repeat=2)))
def test_result_type(one, two):
    common = PROMOTION[one, two]
    assert PROMOTION[two, one] == common
    if common is None:
        with pytest.raises(TypeError, match="have no common integer dtype"):
            be.result_type(dtype(one), dtype(two))
        return
    assert be.result_type(dtype(one), dtype(two)) is dtype(common)
    assert ca.promote_types(dtype(one), dtype(two)) is dtype(common)


@every_pair
def test_arrays_of_two_dtypes(one, two):
    common = PROMOTION[one, two]
    x1, x2 = np.asarray([0, 1, 1], one), np.asarray([[1], [0]], two)
    functions = {"equal": np.equal, "where": lambda a, b: np.where(a == b, a, b)}
    if common != "bool":
        functions |= {"add": np.add, "multiply": np.multiply}
    if common is None:
        for name in ("equal", "add", "multiply"):
            with pytest.raises(TypeError, match="have no common integer dtype"):
                getattr(be, name)(array(x1), array(x2))
        return
    for name, oracle in functions.items():
        y1, y2 = array(x1), array(x2)
        got = be.where(be.equal(y1, y2), y1, y2) if name == "where" else getattr(be, name)(y1, y2)
        want = oracle(x1.astype(common), x2.astype(common))
        check((name, x1, x2), got, want, "bool" if name == "equal" else common)
    joined = [x1.astype(common), x2[:, 0].astype(common)]
    check(("concat", x1, x2), be.concat([array(x1), array(x2[:, 0])]), np.concatenate(joined))
    check(("stack", x1, x2), be.stack([array(x1[:2]), array(x2[:, 0])]), np.stack([joined[0][:2], joined[1]]))
    assert be.result_type(array(x1), dtype(two)) is dtype(common)


@every_pair
def test_an_array_without_axes_promotes_like_any(one, two):
    common = PROMOTION[one, two]
    x1, x2 = array(np.ones(2, one)), array(np.asarray(1, two))
    if common is None:
        with pytest.raises(TypeError, match="have no common integer dtype"):
            be.equal(x1, x2)
        return
    check("where", be.where(array(np.asarray([True, False])), x1, x2), np.ones(2, common))
    check("where", be.where(array(np.asarray([True, False])), x2, x1), np.ones(2, common))


_OF_NUMPY = [(one, two) for one, two in _PAIRS if "bfloat16" not in (one, two) and "bool" not in (one, two)]


@pytest.mark.parametrize(("one", "two"), _OF_NUMPY, ids=["-".join(pair) for pair in _OF_NUMPY])
def test_a_number_of_numpy_promotes_like_an_array_of_its_dtype(one, two):
    """NumPy's float64 is also a Python float, and its other numbers are none; all have a dtype."""
    common = PROMOTION[one, two]
    x, number = array(np.ones(2, one)), np.dtype(two).type(1)
    if common is None:
        with pytest.raises(TypeError, match="have no common integer dtype"):
            be.add(x, number)
        return
    want, yes = np.full(2, 2, common), np.ones(2, "bool")
    for got in (be.add(x, number), be.add(number, x), x + number, number + x):
        check(("add", one, two), got, want)
    for got in (be.equal(x, number), x == number, number == x):
        check(("equal", one, two), got, yes)
    check(("where", one, two), be.where(x == x, x, number), np.ones(2, common))
    check(("where", one, two), be.where(x == x, number, x), np.ones(2, common))


def test_numbers_of_numpy_without_an_array():
    """They are arrays of their dtype; where an array of a backend stands beside them, that backend computes."""
    x = be.asarray([1.0, 2.0])
    check("exp", be.exp(np.float32(0)), np.asarray(1, "float32"))
    check("add", be.add(np.int8(1), np.int8(2)), np.asarray(3, "int8"))
    check("where", be.where(np.True_, x, 0.0), np.asarray([1, 2], "float32"))
    check("clip", be.clip(x, np.float32(0), np.float32(1.5)), np.asarray([1, 1.5], "float32"))
    check("public", ca.add(np.float32(1), x), np.asarray([2, 3], "float32"))
    check("public", ca.concat([x, ca.multiply(np.float32(3), x)]), np.asarray([1, 2, 3, 6], "float32"))
    check("Container", (np.float32(2) * ca.Container(a=x)).a, np.asarray([2, 4], "float32"))
    y = ca.asarray(x, copy=True)
    y[np.int64(0)] = np.float64(5)
    y += np.float32(1)
    check("written", y, np.asarray([6, 3], "float32"))


def test_numbers_of_numpy_in_a_compiled_program():
    half = np.float32(0.5)
    options = {"backend": "eager"} if "register_tracing" in be.facts else {}
    with ca.backend_context(be):
        program = ca.compile(
            lambda x, scale: ca.where(x > half, x * scale, np.float32(2) + x)[np.int64(1) :], **options
        )
        for scale in (np.float32(3), np.float32(4)):
            check("compiled", program(be.asarray([0.0, 0.25, 1.0]), scale), np.asarray([2.25, scale], "float32"))
        if "traced_calls" in be.facts:
            x = be.asarray([1.0, 2.0])
            check("a graph", ca.compile_graph(lambda x: x * np.float32(2), x)(x), np.asarray([2, 4], "float32"))
            graph = ca.compile_graph(ca.multiply, x, np.float32(2))
            check("an argument", graph(x, np.float32(3)), np.asarray([3, 6], "float32"))


@pytest.mark.parametrize("scalar", [True, 3, 2.5, 1 + 2j])
@pytest.mark.parametrize("name", HAVE)
def test_python_scalars_are_weak(name, scalar):
    x = np.asarray([1, 0], name)
    common = with_scalar(name, scalar)
    value = np.asarray(scalar, common)
    want = np.where([True, False], x.astype(common), value)
    condition = array(np.asarray([True, False]))
    check(("where", x, scalar), be.where(condition, array(x), scalar), want)
    want = np.where([True, False], value, x.astype(common))
    check(("where", scalar, x), be.where(condition, scalar, array(x)), want)
    assert be.result_type(array(x), scalar) is be.result_type(scalar, dtype(name)) is dtype(common)
    if common == "bool":
        return
    check(("add", x, scalar), be.add(array(x), scalar), x.astype(common) + value)
    check(("*", scalar, x), scalar * array(x), value * x.astype(common))


@pytest.mark.parametrize("name", [name for name in HAVE if name in NUMERIC])
def test_integers_beside_arrays_and_beyond_their_dtype(name):
    x = np.asarray([0, 1], name)
    if name in INTEGER:
        low, high = int(np.iinfo(name).min), int(np.iinfo(name).max)
        numbers = {low, low + 1, 0, 1, 127, high - 1, high} | ({-1} if low else set())
        for number in (low - 1, high + 1):
            for call in (be.add, lambda x, n: n * x, lambda x, n: x.__setitem__(0, n)):
                with pytest.raises(OverflowError, match="does not fit into"):
                    call(array(x), number)
    else:
        numbers = {sign * (2**digits + more) for sign in (-1, 1) for digits in (7, 11, 24, 53, 70) for more in (0, 1)}
    for number in numbers:
        with np.errstate(over="ignore", invalid="ignore"):
            value = np.asarray(number).astype(name)
            check(("add", x, number), be.add(array(x), number), x + value)
            check(("*", number, x), number * array(x), value * x)
            check(("-", x, number), array(x) - number, x - value)
        written = array(x)
        written[1] = number
        check(("set_item", x, number), written, np.asarray([0, value], name))


def test_python_scalars_take_the_default_dtypes():
    x = array(np.ones(2, "int8"))
    ca.set_default_dtype(ca.float64)
    assert (x + 1.5).dtype is (x / 2).dtype is be.sin(x).dtype is be.mean(x).dtype is ca.float64
    assert (x + 1j).dtype is ca.complex128
    assert (array(np.ones(2, "float32")) + 1.5).dtype is ca.float32
    ca.set_default_dtype(ca.int32)
    assert (array(np.ones(2, "bool")) + 1).dtype is ca.int32
    assert be.sum(array(np.ones(2, "int16"))).dtype is ca.int32
    assert be.sum(array(np.ones(2, "uint16"))).dtype is ca.uint32
    assert be.sum(array(np.ones(2, "int64"))).dtype is ca.int64


@pytest.mark.parametrize("name", [name for name in HAVE if name in INTEGER])
def test_integers_are_computed_in_the_default_floating_dtype(name):
    x = np.asarray([1, 2], name)
    for function in ("sin", "exp", "sqrt", "mean", "reciprocal"):
        assert getattr(be, function)(array(x)).dtype is ca.float32
    for other in (*INTEGER, *FLOATING):
        common = PROMOTION[name, other]
        if other in HAVE and common is not None:
            want = common if common in FLOATING else "float32"
            assert be.divide(array(x), array(x.astype(other))).dtype is dtype(want)


def test_result_type_of_many():
    assert be.result_type(ca.int8, array(np.ones(1, "int16")), 2) is ca.int16
    assert be.result_type(ca.int8, ca.uint8, ca.float32, 1.5) is ca.float32
    assert be.result_type(ca.float32, 1j) is ca.complex64
    with pytest.raises(ValueError, match="at least one array or dtype"):
        be.result_type(1, 2.0)
    with pytest.raises(ValueError, match="at least one array or dtype"):
        be.result_type()


@pytest.mark.parametrize("name", [name for name in HAVE if name in NUMERIC])
def test_clip_promotes_its_bounds(name):
    x = np.asarray([1, 5, 9], name)
    if name in (*INTEGER, *FLOAT):
        check(("clip", x), be.clip(array(x), 2, 6), np.asarray([2, 5, 6], name))
        check(("clip", x), be.clip(array(x), array(np.asarray(2, name)), None), np.asarray([2, 5, 9], name))


def test_a_third_array_counts_too():
    """The fast path of a call takes arrays of one dtype only, however many are promoted."""
    x, narrow = array(np.ones((2, 2))), array(np.ones(2, "float32"))
    assert {part.dtype for part in be.batch_norm(x, narrow, narrow)} == {ca.float64}
