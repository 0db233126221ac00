"""`corearray.compile`: the same results, compiled once where that is possible."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from contextvars import Context

import numpy as np
import pytest
from standard.support import INTEGER, array, be, needs_derivatives

import corearray as ca

COMPILES = "compiled_function" in be.facts

#: Whether the framework reads the program's code and does not run it; then it also can do without a compiler of C++.
READS = "register_tracing" in be.facts
OPTIONS = {"backend": "eager"} if READS else {}


@pytest.fixture(autouse=True)
def on_this_backend():
    with ca.backend_context(be):
        yield


def test_trees_static_and_named_arguments():
    runs = []

    def function(tree, power, *, scale, name="x"):
        runs.append(power)
        parts = [part**power for part in tree["parts"]]
        return {"parts": parts, name: ca.Container(total=ca.sum(tree["box"].w) * scale)}

    compiled = ca.compile(function, static_argnums=1, static_argnames=["scale", "name"], **OPTIONS)
    tree = {
        "parts": [array(np.array([1.0, 2.0])), array(np.array(3.0))],
        "box": ca.Container(w=array(np.array([1.0, 3.0]))),
    }
    for power in (2, 2, 3):
        found = compiled(tree, power, scale=2.0, name="y")
        assert found["parts"][0].tolist() == [1.0, 2.0**power] and float(found["parts"][1]) == 3.0**power
        assert isinstance(found["y"], ca.Container) and float(found["y"].total) == 8.0
        assert isinstance(found["parts"][0], be.Array)
    if COMPILES and not READS:
        assert sorted(set(runs)) == [2, 3] and len(runs) <= 4


def test_of_several_lengths():
    compiled = ca.compile(lambda x: ca.sum(x * x), dynamic=True, **OPTIONS)
    assert [float(compiled(be.ones(n))) for n in (3, 4, 5)] == [3.0, 4.0, 5.0]


def _elements(tree):
    parts = [_elements(part) for part in tree] if isinstance(tree, (list, tuple)) else [be.to_numpy(tree).reshape(-1)]
    return np.concatenate(parts)


@needs_derivatives
@pytest.mark.parametrize(
    ("program", "what"),
    [
        (lambda x: x if x > 0 else -x, "a Python value needs"),
        (lambda x: ca.sin(float(x)), "a Python value needs"),
        (lambda x: x.tolist(), "a Python value needs"),
        (lambda x: x[None][x[None] > 0], r"x\[key\] needs"),
        (lambda x: ca.nonzero(x[None]), "'nonzero' needs"),
        (lambda x: ca.unique_values(x[None]), "'unique_values' needs"),
    ],
    ids=["if", "float", "tolist", "mask", "nonzero", "unique_values"],
)
def test_elements_that_are_not_known(program, what):
    """The error has the user's line, no function that the user did not call, and the ways out."""
    x = array(np.asarray([1.0, 2.0]))
    ways = [(ca.vmap(program), lambda: [program(row) for row in x])]
    if COMPILES and not READS:
        ways.append((ca.compile(lambda x: program(x[0])), lambda: program(x[0])))
    for way, eager in ways:
        try:
            found = way(x)
        except ca.TracingError as error:
            assert re.search(
                rf"test_compiling\.py, line \d+, in .*lambda.*: {what} .*if_else.*static_argnums", str(error)
            )
        else:  # a framework may know sizes when it computes; then the results are right
            assert what.startswith(("x", "'"))
            np.testing.assert_array_equal(_elements(found), _elements(eager()))


@pytest.mark.parametrize("dtype", INTEGER)
def test_integers_of_every_width(dtype):
    x, y = array(np.asarray([4, 0, 3, 0], dtype)), array(np.asarray([6, 5, 0, 0], dtype))

    def function(x, y):
        return ca.ones_like(x), ca.zeros_like(x), ca.gcd(x, y), ca.lcm(x, y)

    found = [part.tolist() for part in ca.compile(function, **OPTIONS)(x, y)]
    assert found == [[1, 1, 1, 1], [0, 0, 0, 0], [2, 5, 3, 0], [12, 0, 0, 0]]


#: What a program reads of NumPy's: each is an array of the backend within it, made where it stands.
_READ = np.asarray([2.0, 3.0, 5.0], np.float32)


@pytest.mark.parametrize(
    "make",
    [
        lambda: ca.asarray(_READ),
        lambda: ca.asarray(_READ, dtype="float32", copy=True),
        lambda: ca.sum(ca.asarray([_READ, _READ]), axis=0),
        lambda: ca.asarray([np.float32(1.5), 2.0, 3]),
        lambda: ca.asarray(_READ[::-1]) + ca.asarray(np.int8(3)),
        lambda: ca.full((3,), np.float32(1.5)),
        lambda: ca.asarray([1, 2, 3], dtype=np.float32) + ca.ones(3, dtype=_READ.dtype),
    ],
)
def test_arrays_of_numpy_are_made_within(make):
    x = array(np.asarray([1.0, 2.0, 4.0], np.float32))
    found, expected = ca.compile(lambda x: x * make(), **OPTIONS)(x), x * make()
    assert found.dtype == expected.dtype and found.tolist() == expected.tolist()


def test_an_array_of_numpy_is_an_argument():
    x = array(np.asarray([1.0, 2.0, 4.0], np.float32))
    compiled = ca.compile(lambda x, y: x * ca.asarray(y), **OPTIONS)
    for factor in (1, 2):  # what was traced for the first does not hold its values
        assert compiled(x, factor * _READ).tolist() == (factor * x * ca.asarray(_READ)).tolist()


def test_methods_are_compiled():
    x = np.arange(6.0).reshape(2, 3)
    compiled = ca.compile(lambda x: x.reshape(3, 2).cumsum(0).astype(ca.float32).transpose().max(1), **OPTIONS)
    assert compiled(array(x)).tolist() == x.reshape(3, 2).cumsum(0).T.max(1).tolist()


@needs_derivatives
def test_derivatives_within_and_around():
    def loss(x):
        return ca.sum(x**3)

    x = array(np.array([1.0, 2.0]))
    assert ca.compile(ca.grad(loss), **OPTIONS)(x).tolist() == [3.0, 12.0]
    rows = ca.compile(ca.vmap(ca.grad(lambda x: x**3)), **OPTIONS)(x)
    assert rows.tolist() == [3.0, 12.0]


@needs_derivatives
def test_a_compiled_program_is_differentiated_and_mapped_later():
    """What is done for derivatives and for mapping is not left out where the program was compiled without."""
    x = be.asarray([2.0, 0.0, 3.0])
    product = ca.compile(lambda x: ca.sum(ca.cumulative_prod(x)), **OPTIONS)
    assert float(product(x)) == 2.0
    assert ca.grad(product)(x).tolist() == [1.0, 8.0, 0.0]
    deviation = ca.compile(lambda x: ca.std(x), **OPTIONS)
    assert float(deviation(ca.ones(3))) == 0.0
    assert ca.grad(deviation)(ca.ones(3)).tolist() == [0.0, 0.0, 0.0]
    pooled = ca.compile(lambda x: ca.max_pool1d(x, 3, padding=1), **OPTIONS)
    rows = ca.full((2, 1, 1, 4), -1.0)
    assert pooled(rows[0]).tolist() == [[[-1.0, -1.0]]]
    assert ca.vmap(pooled)(rows).tolist() == [[[[-1.0, -1.0]]]] * 2


def test_examples_are_compiled_for_at_once():
    seen = []

    def function(x):
        seen.append(x.shape)
        return x + 1

    compiled = ca.compile(function, example_inputs=(be.ones(2),), **OPTIONS)
    assert compiled.__name__ == "function"
    before = len(seen)
    assert compiled(be.ones(2)).tolist() == [2.0, 2.0]
    if COMPILES and not READS:
        assert before == len(seen) == 1


def test_what_cannot_be_compiled():
    for given in (
        {"static_argnums": "a"},
        {"static_argnums": 1.5},
        {"static_argnames": 3},
        {"static_argnames": [None]},
    ):
        with pytest.raises(TypeError, match=r"'compile' got static_argn.*; it takes (integers|texts), the"):
            ca.compile(ca.sin, **given)
    for given in ({"static_argnums": 7}, {"static_argnames": "other"}):
        with pytest.raises(
            ValueError, match=r"'compile' got the static .*, which '<lambda>' does not take; it takes 'x'"
        ):
            ca.compile(lambda x: x, **given)
    with pytest.raises(TypeError, match="'compile' takes a function, got 3"):
        ca.compile(3)


# --- random numbers


def drawn_by(program, calls=3):
    compiled = ca.compile(program, **OPTIONS)
    return [compiled(be.zeros(4)).tolist() for _ in range(calls)]


def test_each_call_draws_from_a_child_of_the_generator():
    rng = ca.random.Generator(5)
    found = drawn_by(lambda x: x + rng.uniform(shape=4))
    children = ca.random.Generator(5).spawn(3)
    assert found == [child.uniform(shape=4).tolist() for child in children]
    again = ca.random.Generator(5)
    again.spawn(3)
    assert rng.uniform().tolist() == again.uniform().tolist()


DRAWN_BY_REJECTION = {
    "gamma": lambda rng, x: rng.gamma(x, shape=(3, 4)),
    "beta": lambda rng, x: rng.beta(x, 0.5, shape=(3, 4)),
    "dirichlet": lambda rng, x: rng.dirichlet(x),
    "poisson": lambda rng, x: rng.poisson(10.0 * x, shape=(3, 4)),
}


@pytest.mark.parametrize("name", DRAWN_BY_REJECTION)
def test_draws_by_rejection_have_the_numbers_of_eager_ones(name):
    draw, x = DRAWN_BY_REJECTION[name], be.asarray(np.array([0.25, 1.0, 2.0, 5.0]))
    ca.random.seed(3)
    found = ca.compile(lambda x: draw(ca.random.default_generator(), x) + ca.random.uniform(), **OPTIONS)(x)
    ca.random.seed(3)
    child = ca.random.default_generator().spawn(1)[0]
    np.testing.assert_allclose(be.to_numpy(found), be.to_numpy(draw(child, x) + child.uniform()), rtol=1e-6)


@needs_derivatives
@pytest.mark.filterwarnings("ignore")  # of torch's compiler
def test_derivatives_of_compiled_draws_of_gamma_distributions():
    x = be.asarray(np.array([0.25, 1.0, 2.0, 5.0]))

    def total(x):
        return ca.sum(ca.random.default_generator().gamma(x, dtype=ca.float64) ** 2)

    ca.random.seed(3)
    found = ca.compile(ca.grad(total), **OPTIONS)(x)
    ca.random.seed(3)
    child = ca.random.default_generator().spawn(1)[0]
    wanted = ca.grad(lambda x: ca.sum(child.gamma(x, dtype=ca.float64) ** 2))(x)
    np.testing.assert_allclose(be.to_numpy(found), be.to_numpy(wanted), rtol=1e-9)
    assert np.all(be.to_numpy(found) > 0)


@pytest.mark.skipif(not COMPILES or READS, reason="the elements are read")
def test_draws_of_parameters_that_do_not_fit_and_cannot_be_read():
    rng = ca.random.Generator(3)
    draw = ca.compile(lambda x: (rng.gamma(x), rng.poisson(x)))
    gamma, poisson = map(be.to_numpy, draw(be.asarray(np.array([-1.0, 2.0, np.inf]))))
    assert np.isnan(gamma).tolist() == [True, False, True]
    assert poisson[1] >= 0
    assert poisson[[0, 2]].tolist() == [0, 0]


LOOPS = {
    "scan": lambda rng, x: ca.scan(lambda c, _: (c + rng().normal(shape=3), c), x, length=3)[0],
    "for_loop": lambda rng, x: ca.for_loop(0, 3, lambda i, c: c + rng().gamma(2.0, shape=3), x),
    "scan in a scan": lambda rng, x: ca.scan(
        lambda c, _: (ca.scan(lambda d, _: (d + rng().uniform(shape=3), None), c, length=2)[0] * rng().uniform(), c),
        x,
        length=2,
    )[0],
}


@pytest.mark.parametrize("name", LOOPS)
def test_each_step_of_a_compiled_loop_draws_other_numbers(name):
    loop, x = LOOPS[name], be.zeros(3)
    ca.random.seed(3)
    found = ca.compile(lambda x: loop(ca.random.default_generator, x) + ca.random.uniform(), **OPTIONS)(x)
    ca.random.seed(3)
    child = ca.random.default_generator().spawn(1)[0]
    np.testing.assert_allclose(be.to_numpy(found), be.to_numpy(loop(lambda: child, x) + child.uniform()), rtol=1e-5)


def test_each_step_of_a_compiled_loop_of_unknown_length_draws_other_numbers():
    def program(x):
        def step(state):
            number, x, _ = state
            return number + 1, ca.random.uniform(shape=3), x

        return ca.while_loop(lambda state: state[0] < 3 + ca.max(x), step, (0, x, x))[1:]

    last, before = ca.compile(program, **OPTIONS)(be.zeros(3))
    assert not np.any(be.to_numpy(last) == be.to_numpy(before))


def test_generators_that_a_program_makes_advance_in_its_loops():
    def program(x):
        rng = ca.random.Generator(7)

        def outer(carry, _):
            inner = rng.spawn(1)[0]
            return carry, ca.scan(lambda d, _: (d, rng.uniform() + 2.0 * inner.uniform()), carry, length=2)[1]

        return ca.scan(outer, x, length=2)[1]

    x = be.zeros(())
    np.testing.assert_allclose(be.to_numpy(ca.compile(program, **OPTIONS)(x)), be.to_numpy(program(x)), rtol=1e-5)


@needs_derivatives
def test_each_step_of_a_loop_that_is_differentiated_draws_other_numbers():
    rng = ca.random.Generator(3)

    def program(x):
        return ca.sum(ca.scan(lambda c, _: (c * rng.uniform(shape=3), None), x, length=2)[0])

    roots = np.sqrt(be.to_numpy(ca.grad(program)(be.ones(3))))
    drawn = [ca.random.Generator(3), *ca.random.Generator(3).spawn(1)]
    for generator in drawn:  # of which the first step draws, and not each
        assert not np.any(np.isclose(roots, be.to_numpy(generator.uniform(shape=3)), rtol=1e-5))
    assert float(rng.uniform()) != float(ca.random.Generator(3).uniform())


def test_the_default_generator_is_that_of_the_call():
    compiled = ca.compile(lambda x: ca.dropout(x + 1, 0.5), **OPTIONS)
    runs = []
    for _ in range(2):
        ca.random.seed(3)
        runs.append([compiled(be.zeros(64)).tolist() for _ in range(2)])
    assert runs[1] == [
        ca.dropout(be.ones(64), 0.5, generator=child).tolist() for child in ca.random.Generator(3).spawn(2)
    ]
    assert runs[0] == runs[1] and runs[1][0] != runs[1][1]


def test_a_program_may_be_the_first_to_ask_for_the_default_generator():
    def first():
        return drawn_by(lambda x: ca.dropout(x + 1, 0.5) * ca.asarray([1.0, 2.0, 4.0, 8.0]), calls=12)

    assert len({tuple(x) for x in Context().run(within, first)}) > 4


def within(function):
    with ca.backend_context(be):
        return function()


def test_several_generators_and_what_they_spawn():
    one, two = ca.random.Generator(1), ca.random.Generator(2)
    found = drawn_by(lambda x: x + one.integers(0, 100, shape=4) + 100 * two.spawn(2)[1].integers(0, 100, shape=4))
    children = zip(ca.random.Generator(1).spawn(3), ca.random.Generator(2).spawn(3), strict=True)
    wanted = [a.integers(0, 100, shape=4) + 100 * b.spawn(2)[1].integers(0, 100, shape=4) for a, b in children]
    assert found == [x.tolist() for x in wanted]


@pytest.mark.parametrize("static", [{"static_argnums": 1}, {"static_argnames": "rng"}])
def test_a_generator_is_a_static_argument_by_place_and_by_name(static):
    compiled = ca.compile(lambda x, rng: x + rng.uniform(shape=4), **static, **OPTIONS)
    for seed in (5, 6):
        rng, (one, two) = ca.random.Generator(seed), ca.random.Generator(seed).spawn(2)
        assert compiled(be.zeros(4), rng).tolist() == one.uniform(shape=4).tolist()
        assert compiled(be.zeros(4), rng=rng).tolist() == two.uniform(shape=4).tolist()


def test_a_call_that_draws_of_a_generator_advances_no_other():
    def program(x, training, rng):
        return ca.dropout(x + 1, 0.5, training=training, generator=rng)

    compiled = ca.compile(program, static_argnames=["training", "rng"], **OPTIONS)
    generators = [ca.random.Generator(seed) for seed in (5, 6)]
    children = [iter(ca.random.Generator(seed).spawn(4)) for seed in (5, 6)]
    for place, training in ((0, True), (0, False), (1, True), (1, True), (0, False), (0, True), (1, True)):
        found = compiled(be.zeros(4), training=training, rng=generators[place]).tolist()
        wanted = ca.dropout(be.ones(4), 0.5, generator=next(children[place])).tolist() if training else [1.0] * 4
        assert found == wanted


def test_a_generator_made_within_begins_anew():
    found = drawn_by(lambda x: x + ca.random.Generator(7).normal(shape=4, dtype=x.dtype))
    assert found == [ca.random.Generator(7).normal(shape=4, dtype=be.zeros(4).dtype).tolist()] * 3


@needs_derivatives
def test_what_is_dropped_has_no_derivative():
    rng = ca.random.Generator(5)

    def loss(x):
        kept = ca.dropout(x, 0.5, generator=rng)
        return ca.sum(kept * kept), kept

    compiled = ca.compile(ca.value_and_grad(loss, has_aux=True), **OPTIONS)
    masks = set()
    for _ in range(3):
        (_, kept), slope = compiled(be.ones(32))
        assert slope.tolist() == [4.0 * x for x in kept.tolist()]
        masks.add(tuple(kept.tolist()))
    assert len(masks) == 3


def test_compiled_programs_within_one_another():
    rng = ca.random.Generator(5)
    inner = ca.compile(lambda x: x + rng.uniform(shape=4), **OPTIONS)
    inner(be.zeros(4))
    outer = ca.compile(lambda x: inner(x) + rng.uniform(shape=4), **OPTIONS)
    found = {tuple(outer(be.zeros(4)).tolist()) for _ in range(3)}
    assert len(found) == 3


def test_an_error_within_leaves_the_next_call_alone():
    rng = ca.random.Generator(5)

    def program(x, wrong):
        y = x + rng.uniform(shape=4)
        if wrong:
            raise ValueError("this is wrong")
        return y

    compiled = ca.compile(program, static_argnames="wrong", **OPTIONS)
    for _ in range(2):
        with pytest.raises(ValueError, match="this is wrong"):
            compiled(be.zeros(4), wrong=True)
        assert 0.0 <= float(compiled(be.zeros(4), wrong=False)[0]) < 1.0
    before, after = rng.uniform(), rng.uniform()
    assert float(before) != float(after)


def test_handlers_of_errors_do_not_see_that_a_generator_is_met():
    rng = ca.random.Generator(5)

    def program(x):
        try:
            return x + rng.uniform(shape=4)
        except Exception:
            return x

    assert all(x != [0.0] * 4 for x in drawn_by(program))


def test_threads_share_a_compiled_program():
    compiled = ca.compile(lambda x: ca.dropout(x, 0.5), **OPTIONS)
    compiled(be.ones(64))

    def call(_):
        return tuple(within(lambda: compiled(be.ones(64)).tolist()))

    with ThreadPoolExecutor(4) as pool:
        assert len(set(pool.map(call, range(12)))) == 12


def test_dynamic_programs_with_static_arguments_by_name():
    def program(x, axis, flag=False):
        return ca.sum(x, axis=axis) * (2 if flag else 1)

    compiled = ca.compile(program, static_argnums=1, static_argnames="flag", dynamic=True, **OPTIONS)
    with ca.backend_context(be):
        assert compiled(ca.ones((2, 3)), 0).tolist() == [2.0, 2.0, 2.0]
        assert compiled(ca.ones((2, 3)), 1).tolist() == [3.0, 3.0]
        assert compiled(ca.ones((2, 3)), 0, flag=True).tolist() == [4.0, 4.0, 4.0]
        assert compiled(ca.ones((4, 3)), 0).tolist() == [4.0, 4.0, 4.0]
