"""Branches and loops against Python's own, step by step and within a program that is compiled."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from standard.support import NAME, array, be, needs_derivatives, numpy_of

import corearray as ca

#: A tracer of Python code leaves what depends on values to Python; there is one test of that.
READS = "register_tracing" in be.facts


@pytest.fixture(autouse=True)
def on_this_backend():
    with ca.backend_context(be):
        yield


@pytest.fixture(params=["plain"] if READS else ["plain", "compiled"])
def run(request):
    """Call a function as it is, or compiled."""
    if request.param == "plain":
        return lambda fn, *args: fn(*args)
    return lambda fn, *args: ca.compile(fn)(*args)


def _ragged():
    return ca.Ragged.from_rows([[1.0, 2.0], [3.0]])


def same(got, want):
    got, want = (ca.Container(x=x).map(lambda x: numpy_of(x) if isinstance(x, ca.Array) else x) for x in (got, want))
    for one, other in zip(got.leaves(), want.leaves(), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-6)


def test_if_else(run):
    def program(x, scale):
        box = ca.Container(x=x)
        return ca.if_else(
            ca.all(x > 0.0),
            lambda box, scale: {"y": box.x * scale, "n": ca.asarray(1)},
            lambda box, scale: {"y": -box.x, "n": ca.asarray(2)},
            box,
            scale,
        )

    for values, want in (([1.0, 2.0], [3.0, 6.0]), ([1.0, -2.0], [-1.0, 2.0])):
        found = run(program, array(np.asarray(values)), array(np.asarray(3.0)))
        same(found["y"], np.asarray(want))
        assert int(found["n"]) == (1 if values[1] > 0 else 2)


def test_if_else_with_python_and_native_conditions():
    assert ca.if_else(True, lambda: "yes", lambda: "no") == "yes"
    assert ca.if_else(be.asarray(False), lambda: "yes", lambda: "no") == "no"
    assert ca.if_else(be.asarray(True).native, lambda x: x, lambda x: -x, 3) == 3


def test_switch(run):
    functions = [lambda x: x + 1.0, lambda x: x * 10.0, lambda x: -x]
    x = array(np.asarray([1.0, 2.0]))
    for index, want in ((0, [2.0, 3.0]), (1, [10.0, 20.0]), (2, [-1.0, -2.0]), (9, [-1.0, -2.0]), (-4, [2.0, 3.0])):
        same(run(lambda i, x: ca.switch(i, functions, x), be.asarray(index), x), np.asarray(want))
        same(ca.switch(index, functions, x), np.asarray(want))
    assert ca.switch(np.int64(1), [lambda: "a", lambda: "b"]) == "b"
    for wrong, error in (
        (be.asarray([1]), ValueError),
        (be.asarray(1.0), TypeError),
        (1.5, TypeError),
        ("a", TypeError),
    ):
        with pytest.raises(error, match="'switch' got"):
            ca.switch(wrong, functions, x)
    with pytest.raises(ValueError, match="at least one"):
        ca.switch(0, [])


def test_while_loop(run):
    def collatz(n):
        def following(state):
            n, steps = state
            return ca.where(n % 2 == 0, n // 2, 3 * n + 1), steps + 1

        return ca.while_loop(lambda state: state[0] != 1, following, (n, 0))

    for start, steps in ((1, 0), (6, 8), (27, 111)):
        found = run(collatz, be.asarray(start))
        assert (int(found[0]), int(found[1])) == (1, steps)
        assert found[1].dtype is ca.int64


def test_while_loop_with_a_condition_on_what_it_does_not_carry(run):
    def program(limit):
        return ca.while_loop(lambda x: x < limit, lambda x: x * 2, ca.asarray(1))

    assert int(run(program, be.asarray(100))) == 128


@pytest.mark.parametrize("bounds", [(0, 4), (2, 2), (5, 1), (-2, 1)])
def test_for_loop(run, bounds):
    def program(x):
        return ca.for_loop(*bounds, lambda i, s: {"x": s["x"] * 2.0, "i": [s["i"][0] + i]}, {"x": x, "i": [0]})

    found = run(program, array(np.asarray([1.0, 3.0])))
    numbers = range(*bounds)
    same(found["x"], np.asarray([1.0, 3.0]) * 2.0 ** len(numbers))
    assert int(found["i"][0]) == sum(numbers)


def test_for_loop_with_bounds_that_are_arrays(run):
    def program(lower, upper):
        return ca.for_loop(lower, upper, lambda i, s: s * i, ca.asarray(1))

    assert int(run(program, be.asarray(2), be.asarray(5))) == 24
    assert int(run(program, be.asarray(5), be.asarray(2))) == 1


@pytest.mark.parametrize("reverse", [False, True])
def test_scan(run, reverse):
    def step(state, parts):
        total = state["total"] + parts["x"] * parts["y"]
        return {"total": total, "none": None}, (total, ca.Container(last=parts["x"], none=None))

    def program(x, y):
        return ca.scan(step, {"total": ca.zeros(2), "none": None}, {"x": x, "y": y}, reverse=reverse)

    x, y = np.asarray([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], "float32"), np.asarray([1.0, 10.0, 100.0], "float32")
    state, (totals, box) = run(program, array(x), array(y))
    products = x * y[:, None]
    want = np.cumsum(products[::-1], 0)[::-1] if reverse else np.cumsum(products, 0)
    same(totals, want)
    same(state["total"], want[0 if reverse else -1])
    assert state["none"] is None and box.none is None
    same(box.last, x)


def test_scan_of_nothing_but_a_state(run):
    state, kept = run(lambda x: ca.scan(lambda x, _: (x * 2, None), x, length=3), be.asarray(5))
    assert int(state) == 40 and kept is None


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("length", [1, 2, 5, 8])
def test_associative_scan(run, length, reverse):
    rng = np.random.default_rng(length)
    slopes, offsets = rng.normal(size=(2, length)), rng.normal(size=(2, length))

    def combined(one, other):
        return {"a": one["a"] * other["a"], "b": one["b"] * other["a"] + other["b"]}

    found = run(
        lambda a, b: ca.associative_scan(combined, {"a": a, "b": b}, axis=-1, reverse=reverse),
        array(slopes),
        array(offsets),
    )
    order = range(length - 1, -1, -1) if reverse else range(length)
    a, b = np.ones(2), np.zeros(2)
    want = np.empty((2, 2, length))
    for i in order:
        a, b = a * slopes[:, i], b * slopes[:, i] + offsets[:, i]
        want[:, :, i] = a, b
    np.testing.assert_allclose(numpy_of(found["a"]), want[0], rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(numpy_of(found["b"]), want[1], rtol=1e-12, atol=1e-12)


@needs_derivatives
def test_derivatives(run):
    x = array(np.asarray(2.0))
    square = lambda x: ca.if_else(x > 0.0, lambda x: x * x, lambda x: -x, x)
    assert float(ca.grad(square)(x)) == 4.0
    assert float(ca.grad(square)(-x)) == -1.0
    assert float(run(ca.grad(square), x)) == 4.0
    power = lambda x: ca.for_loop(0, 3, lambda _, y: y * x, x)
    assert float(run(ca.grad(power), x)) == 32.0
    polynomial = lambda x: ca.scan(lambda y, c: (y * x + c, y), x * 0.0, array(np.asarray([1.0, 2.0, 3.0])))[0]
    assert float(run(ca.grad(polynomial), x)) == 6.0
    plain = lambda x: ca.while_loop(lambda y: y < 9.0, lambda y: y * x, x)
    assert float(ca.grad(plain)(x)) == 32.0


@needs_derivatives
def test_conditions_that_are_mapped():
    """Each element of the mapped axis takes its own branch, and its own number of steps."""
    x = array(np.asarray([1.0, 2.0, 3.0]))
    branch = ca.vmap(lambda x: ca.if_else(x > 1.5, lambda x: x * x, lambda x: -x, x))
    assert branch(x).tolist() == [-1.0, 4.0, 9.0]
    assert ca.grad(lambda x: ca.sum(branch(x)))(x).tolist() == [-1.0, 4.0, 6.0]
    loop = ca.vmap(lambda x: ca.while_loop(lambda s: s[0] < 10.0, lambda s: (s[0] * (x + 1.0), s[1] + 1), (x, 0)))
    assert [part.tolist() for part in loop(x)] == [[16.0, 18.0, 12.0], [4, 2, 1]]
    chosen = ca.vmap(lambda x, i: ca.switch(i, [ca.negative, ca.square], x))
    assert chosen(x, array(np.asarray([0, 1, 0]))).tolist() == [-1.0, 4.0, -3.0]


@needs_derivatives
def test_derivatives_of_loops_that_are_mapped():
    product = lambda x: ca.scan(lambda c, part: (c * part, c), x[0] * 0.0 + 1.0, x)[0]
    x = array(np.asarray([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]))
    assert ca.vmap(ca.grad(product))(x).tolist() == [[6.0, 3.0, 2.0], [30.0, 24.0, 20.0]]
    assert ca.grad(lambda x: ca.sum(ca.vmap(product)(x)))(x).tolist() == [[6.0, 3.0, 2.0], [30.0, 24.0, 20.0]]
    own = ca.bind_custom_gradient_function(ca.square, lambda args, value, slope: (slope * 10.0,))
    total = lambda x: ca.scan(lambda c, part: (c + own(part), None), x[0] * 0.0, x)[0]
    assert ca.vmap(ca.grad(total))(x).tolist() == [[10.0] * 3] * 2
    assert ca.grad(lambda x: ca.sum(ca.vmap(total)(x)))(x).tolist() == [[10.0] * 3] * 2


_X = np.asarray([1.0, 2.0])


@pytest.mark.parametrize(
    ("error", "words", "call"),
    [
        (TypeError, "a truth value", lambda x: ca.if_else(x[0], lambda: 1, lambda: 2)),
        (ValueError, "corearray.all", lambda x: ca.if_else(x > 0.0, lambda: 1, lambda: 2)),
        (TypeError, "a truth value", lambda x: ca.while_loop(lambda s: 1, lambda s: s, x)),
        (TypeError, "changes its dtype", lambda x: ca.while_loop(lambda s: True, lambda s: s > 0.0, x)),
        (ValueError, "changes its shape", lambda x: ca.while_loop(lambda s: True, lambda s: s[:1], x)),
        (ValueError, "changes its structure", lambda x: ca.while_loop(lambda s: True, lambda s: (s, s), x)),
        (ValueError, "changes its structure", lambda x: ca.while_loop(lambda s: True, lambda s: None, x)),
        (TypeError, "arrays and numbers", lambda x: ca.while_loop(lambda s: True, lambda s: s, "x")),
        (TypeError, "changes its dtype", lambda x: ca.for_loop(0, 2, lambda i, s: s + 0.5, 1)),
        (TypeError, "give integers", lambda x: ca.for_loop(x[0], 2, lambda i, s: s, x)),
        (TypeError, "return a pair", lambda x: ca.scan(lambda s, x: s, 0.0, x)),
        (ValueError, "changes its shape", lambda x: ca.scan(lambda s, y: (x, y), 0.0 * x[0], x)),
        (ValueError, "number of steps", lambda x: ca.scan(lambda s, y: (s, y), 0.0)),
        (ValueError, "number of steps", lambda x: ca.scan(lambda s, y: (s, y), 0.0, x, length=3)),
        (ValueError, "number of steps", lambda x: ca.scan(lambda s, y: (s, y), 0.0, x[:0])),
        (ValueError, "number of steps", lambda x: ca.scan(lambda s, y: (s, y), 0.0, (x, x[0]))),
        (IndexError, "axis 1", lambda x: ca.associative_scan(ca.add, x, axis=1)),
        (ValueError, "of the lengths", lambda x: ca.associative_scan(lambda a, b: a, [x, x[:1]])),
        (TypeError, "changes its dtype", lambda x: ca.associative_scan(lambda a, b: a > b, x)),
        (ValueError, "changes its shape", lambda x: ca.associative_scan(lambda a, b: a[:0], x)),
        (TypeError, "'if_else' takes a function, got 5", lambda x: ca.if_else(True, ca.sin, 5, x)),
        (TypeError, "'while_loop' takes a function, got 5", lambda x: ca.while_loop(5, ca.sin, x)),
        (TypeError, "'for_loop' takes a function, got None", lambda x: ca.for_loop(0, 2, None, x)),
        (TypeError, "'scan' takes a function, got 5", lambda x: ca.scan(5, x, x)),
        (TypeError, "'associative_scan' takes a function, got 5", lambda x: ca.associative_scan(5, x)),
        (TypeError, "'associative_scan' got axis='a'; it takes", lambda x: ca.associative_scan(ca.add, x, axis="a")),
        (TypeError, "'associative_scan' got axis=0.0; it takes", lambda x: ca.associative_scan(ca.add, x, axis=0.0)),
        (TypeError, "'associative_scan' got axis=None; it", lambda x: ca.associative_scan(ca.add, x, axis=None)),
        (TypeError, "'associative_scan' combines .* a ragged array", lambda x: ca.associative_scan(ca.add, _ragged())),
        (TypeError, "'scan' carries .* a ragged array", lambda x: ca.scan(lambda s, y: (s, y), _ragged(), x)),
        (TypeError, "'scan' goes through .* a ragged array", lambda x: ca.scan(lambda s, y: (s, y), x, _ragged())),
        (TypeError, "'scan' keeps .* a ragged array", lambda x: ca.scan(lambda s, y: (s, _ragged()), x, x)),
        (TypeError, "'while_loop' carries .* a ragged array", lambda x: ca.while_loop(ca.all, ca.sin, _ragged())),
        (
            TypeError,
            "'while_loop' takes and returns no ragged",
            lambda x: ca.while_loop(lambda s: _ragged(), ca.sin, x),
        ),
        (TypeError, "'if_else' takes and returns no ragged", lambda x: ca.if_else(_ragged(), ca.sin, ca.cos, x)),
        (TypeError, "a condition of 'if_else' is .* got str", lambda x: ca.if_else("a", ca.sin, ca.cos, x)),
        (TypeError, "'for_loop' carries .* a ragged array", lambda x: ca.for_loop(0, 2, lambda i, s: s, _ragged())),
        (TypeError, "'for_loop' takes and returns no ragged", lambda x: ca.for_loop(0, _ragged(), lambda i, s: s, x)),
        (TypeError, "a bound of 'for_loop' is .* got str", lambda x: ca.for_loop(0, "a", lambda i, s: s, x)),
    ],
)
def test_what_does_not_fit_is_refused(run, error, words, call):
    with pytest.raises(error, match=words):
        run(call, array(_X))


def test_a_program_that_is_left_to_python_in_between():
    """Functions that are used for the first time there are composed while it is compiled."""
    options = {"backend": "eager"} if READS else {}
    program = ca.compile(lambda x: ca.if_else(ca.all(ca.expm1(x) > 0.0), ca.cosh, ca.sinh, x), **options)
    for values, want in (([1.0, 2.0], np.cosh), ([-1.0, 2.0], np.sinh)):
        same(program(array(np.asarray(values))), want(np.asarray(values)))


@needs_derivatives
def test_a_branch_that_is_not_taken_has_no_derivative():
    """That of `log` at 0 is infinite, and nothing of it is NaN."""
    x, weight = array(np.asarray([0.0, 1.0, 2.0])), array(np.asarray(2.0))

    def of_operands(v):
        return ca.if_else(v > 0.5, ca.log, lambda v: v * 3.0, v)

    def of_the_scope(v):
        return ca.if_else(v > 0.5, lambda: ca.log(v) * weight, lambda: v * 3.0 * weight)

    same(ca.vmap(ca.grad(of_operands))(x), np.asarray([3.0, 1.0, 0.5]))
    same(ca.grad(lambda x: ca.sum(ca.vmap(of_operands)(x)))(x), np.asarray([3.0, 1.0, 0.5]))
    same(ca.grad(lambda x: ca.sum(ca.vmap(of_the_scope)(x)))(x), np.asarray([6.0, 2.0, 1.0]))


def test_branches_that_differ_are_refused_where_both_are_computed():
    def program(x, other):
        return ca.if_else(ca.all(x > 0.0), lambda: x, lambda: other)

    x = array(_X)
    if "branched" not in be.facts:
        return
    for other, error in ((x[:1], ValueError), (x > 0.0, TypeError), ((x, x), ValueError)):
        with pytest.raises(error, match=r"what the functions of 'if_else' return .* changes its"):
            ca.vmap(program, in_axes=(0, None))(array(np.asarray([_X, _X])), other)


def test_steps_may_write_into_what_they_are_given(run):
    """Nobody else sees it: neither what was given from outside nor what was kept before."""
    x, rows = array(np.asarray([1.0, 2.0])), array(np.asarray([[3.0, 4.0], [5.0, 6.0]]))

    def step(state, row):
        kept = state[1:]
        state += 1
        row[0] = 7.0
        return state, (kept, state, row)

    def scanned(x, rows):
        return ca.scan(step, x, rows)

    state, (views, states, parts) = run(scanned, x, rows)
    same(state, [3.0, 4.0])
    same(views, [[3.0], [4.0]])
    same(states, [[2.0, 3.0], [3.0, 4.0]])
    same(parts, [[7.0, 4.0], [7.0, 6.0]])

    def doubled(state):
        state["x"] *= 2.0
        return {"best": state["x"], "n": state["n"] + 1, "x": state["x"]}

    def looped(x):
        return ca.while_loop(lambda s: s["n"] < 2, doubled, {"best": x, "n": ca.asarray(0), "x": x})

    same(run(looped, x), {"best": [4.0, 8.0], "n": 2, "x": [4.0, 8.0]})

    def aliased(state):
        state["x"][0] = state["y"][1]
        return {"x": state["y"], "y": state["y"]}

    def counted(x):
        return ca.for_loop(0, 2, lambda i, s: aliased(s), {"x": x, "y": x})

    same(run(counted, x), {"x": [1.0, 2.0], "y": [1.0, 2.0]})
    same(x, [1.0, 2.0])
    same(rows, [[3.0, 4.0], [5.0, 6.0]])


_NATIVE_MODE = """
import sys
sys.path.insert(0, sys.argv[1])
from standard.support import array, be
import numpy as np
import corearray as ca

x = array(np.asarray([1.0, 2.0, 3.0], "float32"))
y = x.native


def native(tree):
    if isinstance(tree, (list, tuple)):
        return [native(item) for item in tree]
    if isinstance(tree, dict):
        return {key: native(item) for key, item in tree.items()}
    assert be.is_native(tree) and not isinstance(tree, ca.Array), type(tree)
    return be.wrap(tree).tolist()


def squares(z):
    assert not ca.array_mode() and be.is_native(ca.sin(z))
    return ca.sum(z * z)


ca.set_backend(be)
ca.set_array_mode(False)
found = {
    "while": ca.while_loop(lambda s: ca.sum(s[0]) < 20.0, lambda s: (ca.add(s[0], y), s[1] + 1), (x, 0)),
    "for": ca.for_loop(0, 3, lambda i, s: ca.multiply(s, 2), 1),
    "scan": ca.scan(lambda total, part: (ca.add(total, part), part), 0.0, y),
    "if": ca.if_else(ca.all(y > 0.0), ca.square, ca.negative, y),
    "associative": ca.associative_scan(ca.multiply, y),
    "map": ca.vmap(ca.square)(y),
    "parts": ca.map_in_parts(ca.square, y, size=2),
    "own": ca.bind_custom_gradient_function(ca.square, lambda args, value, slope: (slope,))(y),
}
assert native(found) == {
    "while": [[4.0, 8.0, 12.0], 3], "for": 8, "scan": [6.0, [1.0, 2.0, 3.0]], "if": [1.0, 4.0, 9.0],
    "associative": [1.0, 2.0, 6.0], "map": [1.0, 4.0, 9.0], "parts": [1.0, 4.0, 9.0], "own": [1.0, 4.0, 9.0],
}, native(found)
if "traced_calls" in be.facts:
    assert native(ca.compile_graph(ca.square, y)(y)) == [1.0, 4.0, 9.0]
if "reverse_mode" in be.facts:
    value, pull_back = ca.vjp(ca.square, y)
    slopes = [[2.0, 4.0, 6.0], [14.0, [2.0, 4.0, 6.0]], [[2.0, 0, 0], [0, 4.0, 0], [0, 0, 6.0]]]
    assert native([ca.grad(squares)(y), ca.value_and_grad(squares)(x), ca.jac(ca.square)(y)]) == slopes
    assert native(ca.execute_with_gradients(squares, y)) == slopes[1]
    assert native([value, pull_back(y)]) == [[1.0, 4.0, 9.0], [[2.0, 8.0, 18.0]]]
    assert native(ca.jvp(ca.square, (y,), (y,))) == [[1.0, 4.0, 9.0], [2.0, 8.0, 18.0]]
    assert native(ca.grad(lambda z: ca.sum(ca.grad(squares)(z)))(y)) == [2.0, 2.0, 2.0]
    assert native(ca.reptile_step(lambda w, b: ca.sum((w - b) ** 2), y, [y]))[0] == 0.0
assert not ca.array_mode()
"""


def test_functions_of_functions_in_native_array_mode():
    """In a Python of its own, since calls take the long ways once the mode was switched."""
    done = subprocess.run(
        [sys.executable, "-c", _NATIVE_MODE, str(Path(__file__).parent.parent)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"{NAME}: {done.stderr}"
