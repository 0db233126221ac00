"""Programs of JAX on another backend, compared with JAX: values, dtypes, derivatives, and what is kept of a program."""

from __future__ import annotations

import os

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from frontend.jax_programs import DIFFERENTIATED, F32, PROGRAMS, SEQUENCE, WEIGHTS, X, recurrent
from jax import lax

import corearray as ca

#: Programs that JAX compiles for seconds run with `scripts/test --long`, on each backend.
LONG = {
    "training step of a GPT",
    "special", "random", "activations", "shapes", "sorting", "decompositions", "gradient", "Fourier", "Hessian",
    "derivative of one's own", "checkpoint", "gradient of depthwise convolution", "solve", "attention", "integers",
    "pooling forwards", "gradient of solve",
}  # fmt: skip
EACH = bool(os.environ.get("COREARRAY_TEST_LONG"))


def some(programs):
    return [name for name in programs if EACH or name not in LONG]


def on(target, tree):
    backend = ca.get_backend(target)
    return jax.tree.map(lambda x: backend.asarray(np.asarray(x)), tree)


def check(program, args, target, tolerance=2e-5):
    wanted = jax.tree.leaves(jax.jit(program)(*args))
    found = ca.transpile(program, *args, to=target, source="jax")(*on(target, args))
    found = jax.tree.leaves(found, is_leaf=lambda x: isinstance(x, ca.Array))
    for theirs, mine in zip(wanted, found, strict=True):
        assert str(mine.dtype) == str(theirs.dtype)
        assert tuple(mine.shape) == theirs.shape
        np.testing.assert_allclose(ca.to_numpy(mine), np.asarray(theirs), rtol=tolerance, atol=tolerance * 5)


@pytest.mark.parametrize("name", some(PROGRAMS))
def test_values(name, target):
    program, *args = PROGRAMS[name]
    check(program, args, target)


@pytest.mark.parametrize("name", PROGRAMS if EACH else ["scan", "cond", "windows"])
def test_values_on_torch(name):
    program, *args = PROGRAMS[name]
    check(program, args, "torch")


@pytest.mark.parametrize("name", some(DIFFERENTIATED))
def test_derivatives_on_torch(name):
    function, *args = DIFFERENTIATED[name]
    wanted = jax.jit(jax.grad(function, tuple(range(len(args)))))(*args)
    t = ca.transpile(function, *args, to="torch", source="jax")
    found = ca.grad(lambda xs: t(*xs))(on("torch", list(args)))
    for theirs, mine in zip(wanted, found, strict=True):
        np.testing.assert_allclose(ca.to_numpy(mine), np.asarray(theirs), rtol=1e-4, atol=1e-5)


def test_random_numbers_have_the_same_bits(target):
    def bits(key):
        return jax.random.bits(jax.random.fold_in(key, 3), (5,)), jax.random.uniform(key, (7,), F32)

    key = jax.random.PRNGKey(11)
    for mine, theirs in zip(
        ca.transpile(bits, key, to=target, source="jax")(*on(target, [key])), bits(key), strict=True
    ):
        assert np.array_equal(ca.to_numpy(mine), np.asarray(theirs))


def test_keys_of_the_newer_kind(target):
    key = jax.random.key(7)
    transpiled = ca.transpile(jax.random.uniform, key, to=target, source="jax")
    assert_equal(transpiled(np.asarray(jax.random.key_data(key))), jax.random.uniform(key))
    split = ca.transpile(lambda key: jax.random.split(key, 3), key, to="jax", source="jax")
    assert split(key).tolist() == jax.random.key_data(jax.random.split(key, 3)).tolist()


def test_arrays_of_numpy_are_examples_and_arguments(target):
    def scaled(x, by):
        return jnp.sin(x) * by

    x = np.linspace(0, 1, 4, dtype="float32")
    transpiled = ca.transpile(scaled, x, np.float32(2.0), to=target, source="jax")
    for given in (x, x + 1):
        assert_equal(transpiled(given, np.float32(3.0)), scaled(given, np.float32(3.0)), tolerance=1e-6)


@pytest.mark.parametrize(
    "key", [slice(1, 3), np.array([1, 1, 3]), np.array([True, False, True, True]), np.array([9, 0]), 2]
)
def test_functions_are_applied_at_places(key, target):
    def applied(x):
        return x.at[key].apply(jnp.sin)

    assert_equal(ca.transpile(applied, X[0], to=target, source="jax")(np.asarray(X[0])), applied(X[0]), tolerance=1e-6)


def test_collectives_of_a_mapped_axis(target):
    def of_one(x):
        return jax.lax.psum((x, x * 2), "i")[1] + jax.lax.pmax(x, "i") - jax.lax.pmin(x, "i") * jax.lax.pmean(x, "i")

    mapped = jax.vmap(of_one, axis_name="i")
    assert_equal(ca.transpile(mapped, X, to=target, source="jax")(np.asarray(X)), mapped(X), tolerance=1e-5)


def test_instances_of_a_mapped_loop_end_one_by_one(target):
    def of_one(row):
        return lax.while_loop(lambda s: jnp.sum(s[0]) < row[0] * 9, lambda s: (s[0] + 1, s[1] + 1.0), (row, row[1]))

    rows = jnp.asarray([[0.1, 0.2, 0.3], [1.0, 1.0, 1.0], [2.0, 0.0, 0.0]], F32)
    found = ca.transpile(jax.vmap(of_one), rows, to=target, source="jax")(np.asarray(rows))
    for mine, theirs in zip(found, jax.vmap(of_one)(rows), strict=True):
        assert_equal(mine, theirs, tolerance=1e-6)


def test_rounding_to_a_dtype_that_the_target_lacks(target):
    numbers = np.linspace(-3, 3, 7, dtype="float32") ** 3 / 7
    rounded = lax.reduce_precision(numbers, 8, 7)
    found = ca.transpile(lambda x: lax.reduce_precision(x, 8, 7), numbers, to=target, source="jax")(numbers)
    assert_equal(found, rounded)


def assert_equal(found, wanted, tolerance=0.0):
    """Compare in single precision: whether JAX's default is double precision depends on what else the process has loaded."""
    found = ca.to_numpy(ca.asarray(found).astype("float32"))
    np.testing.assert_allclose(found, np.asarray(wanted, "float32"), rtol=tolerance, atol=tolerance)


def test_subnormal_numbers_have_the_same_bits():
    numbers = np.array([1e-45, -3.25e-40, 3e-39, np.finfo(np.float32).tiny], np.float32)
    program = ca.transpile(
        lambda x: lax.bitcast_convert_type(x, jnp.int32), jnp.asarray(numbers), to="numpy", source="jax"
    )
    assert np.array_equal(program(numbers), numbers.view(np.int32))
    back = ca.transpile(lambda x: lax.bitcast_convert_type(x, F32), jnp.zeros(4, jnp.int32), to="numpy", source="jax")
    assert np.array_equal(back(numbers.view(np.int32)), numbers)


# --- models and files


@jax.tree_util.register_pytree_with_keys_class
class Layer:
    """A module as equinox makes them: a pytree that can be called."""

    def __init__(self, weight, bias):
        self.weight, self.bias = weight, bias

    def tree_flatten_with_keys(self):
        return [(jax.tree_util.GetAttrKey(name), getattr(self, name)) for name in ("weight", "bias")], None

    @classmethod
    def tree_unflatten(cls, _, children):
        return cls(*children)

    def __call__(self, x):
        return lax.scan(lambda c, _: (c @ self.weight + self.bias, None), x, None, length=3)[0]


def test_a_callable_pytree_has_parameters(target):
    layer, x = Layer(WEIGHTS["w"], WEIGHTS["b"]), jnp.ones(4, F32)
    t = ca.transpile(layer, x, to=target)
    assert t.parameters.key_chains() == ["weight", "bias"]
    np.testing.assert_allclose(ca.to_numpy(t(*on(target, [x]))), layer(x), rtol=1e-5)
    changed = {"weight": t.parameters["weight"] * 0, "bias": t.parameters["bias"]}
    np.testing.assert_allclose(ca.to_numpy(t.apply(changed, *on(target, [x]))), layer.bias, rtol=1e-5)


def test_results_of_registered_classes_are_dictionaries():
    t = ca.transpile(lambda x: Layer(x, x + 1), X, to="numpy", source="jax")
    found = t(np.asarray(X))
    assert set(found) == {"weight", "bias"}


def test_the_text_runs_on_every_backend(target):
    def program(weights, xs):
        state, ys = recurrent(weights, xs)
        return lax.while_loop(lambda s: s.sum() < 10, lambda s: s + 1, state), jax.nn.relu(ys)

    t = ca.transpile(program, WEIGHTS, SEQUENCE, to=target, source="jax")
    assert "jax.lax.scan_p(" in t.source
    assert "jax.nn.relu(" in t.source
    scope = {}
    exec(t.source, scope)
    arrays = on(target, [*WEIGHTS.values(), SEQUENCE])
    constants = on(target, list(t._first.program.constants.values()))
    with ca.backend_context(target):
        found = scope["program"](*([constants] if constants else []), *arrays)
    for mine, theirs in zip(found, program(WEIGHTS, SEQUENCE), strict=True):
        np.testing.assert_allclose(ca.to_numpy(mine), np.asarray(theirs), rtol=1e-5)


def test_files_keep_loops(tmp_path):
    ca.transpile(recurrent, WEIGHTS, SEQUENCE, to="numpy", source="jax").save(tmp_path / "program.zip")
    t = ca.Transpiled.load(tmp_path / "program.zip", to="torch")
    wanted = recurrent(WEIGHTS, SEQUENCE)
    for mine, theirs in zip(t(*on("torch", [WEIGHTS, SEQUENCE])), wanted, strict=True):
        np.testing.assert_allclose(ca.to_numpy(mine), np.asarray(theirs), rtol=1e-5)


def test_one_program_for_all_sizes():
    t = ca.transpile(lambda x: jnp.sin(x) @ x.T, X, to="numpy", source="jax", dynamic=True)
    assert t.report.ok
    t._fn = None  # so that nothing can be recorded again
    assert t(np.ones((5, 4), np.float32)).shape == (5, 5)


# --- what is refused


def test_missing_rules_are_named_with_their_lines():
    report = ca.transpile_report(lambda x: jax.lax.linalg.hessenberg(x * 2), X[:3, :3], source="jax")
    assert list(report.missing) == ["jax.lax.hessenberg_p"]
    assert not report.ok
    with pytest.raises(NotImplementedError, match=r"jax\.lax\.hessenberg_p"):
        ca.transpile(lambda x: jax.lax.linalg.hessenberg(x), X[:3, :3], to="numpy", source="jax")


def test_branches_on_elements_are_refused_with_the_line():
    def program(x):
        if x.sum() > 0:
            return x
        return -x

    with pytest.raises(ca.TracingError, match=r"test_jax_source.*x\.sum"):
        ca.transpile(program, X, to="numpy", source="jax")


def test_another_kind_of_random_keys_is_refused():
    with pytest.raises(NotImplementedError, match="threefry2x32"):
        ca.transpile(lambda: jax.random.normal(jax.random.key(0, impl="rbg")), to="numpy", source="jax")()


def test_rules_of_the_caller():
    own = {"jax.lax.sin_p": lambda x, **_: x * 100}
    t = ca.transpile(lambda x: lax.scan(lambda c, y: (c, jnp.sin(y)), 0, x)[1], X, to="numpy", source="jax", rules=own)
    np.testing.assert_allclose(t(np.asarray(X)), X * 100)


def test_effects_are_dropped(capsys):
    def program(x):
        jax.debug.print("here")
        return x + 1

    assert np.array_equal(ca.transpile(program, X, to="numpy", source="jax")(np.asarray(X)), X + 1)


def test_the_namespace():
    frontend = ca.frontend.get_frontend("jax", "0.5")
    assert isinstance(frontend.lax, type(ca.frontend.get_frontend("torch").nn))
    assert frontend.lax.add_p(ca.asarray([1.0]), 2.0).tolist() == [3.0]


def test_draws_by_rejection_have_the_same_bits(target):
    key, a = jax.random.PRNGKey(5), jnp.asarray([0.3, 2.0, 9.0], F32)
    check(jax.random.gamma, (key, a), target)


# --- reads of elements


def reading(x):
    if x.max() > 1:
        x = x / x.max()
    return x * float(x[0]) + x[1].item() + np.asarray(x)[0]


def test_reads_are_answered_by_the_example(target):
    x = jnp.asarray([1.0, 4.0], jnp.float32)
    with pytest.raises(ca.TracingError, match=r"test_jax_source.py, line \d+, in `if x.max\(\) > 1:"):
        ca.transpile(reading, x, to=target, source="jax")
    t = ca.transpile(reading, x, to=target, reads="assume", source="jax")
    np.testing.assert_allclose(ca.to_numpy(t(ca.get_backend(target).asarray(np.array(x)))), reading(x), rtol=1e-6)
    assert [read.rpartition(": ")[2] for read in t.report.reads] == [
        f"'{name}' reads an element" for name in ("__bool__", "__float__", "item", "__array__")
    ]
    assert "if x.max() > 1:" in t.report.reads[0]


def test_reads_in_derivatives_are_answered(target):
    def loss(x):
        return (x * x).sum() if x.sum() > 0 else x.sum()

    x = jnp.asarray([1.0, 4.0], jnp.float32)
    t = ca.transpile(jax.grad(loss), x, to=target, reads="assume", source="jax")
    assert t(ca.get_backend(target).asarray(np.array(x))).tolist() == [2.0, 8.0]


@pytest.mark.parametrize("inside", [jax.vmap, jax.jit])
def test_reads_without_one_value_are_refused(inside, target):
    program = inside(lambda row: row if row.sum() > 0 else -row)
    with pytest.raises(
        ca.TracingError, match="an element is read within a function that JAX maps, compiles or repeats"
    ):
        ca.transpile(program, jnp.ones((2, 2), jnp.float32), to=target, reads="assume", source="jax")
    with pytest.raises(jax.errors.TracerBoolConversionError):
        program(jnp.ones((2, 2)))  # JAX's tracers are as before


def test_too_many_reads_are_refused(target, monkeypatch):
    monkeypatch.setattr("corearray.contract.answers._MOST", 3)

    def program(x):
        while x > 1:
            x = x / 2
        return x

    with pytest.raises(ca.TracingError, match="more than 3 elements are read"):
        ca.transpile(program, jnp.asarray(100.0, jnp.float32), to=target, reads="assume", source="jax")


def test_the_real_form_of_schur(target):
    """Pairs of complex eigenvalues have blocks of two rows, with equal numbers on the diagonal."""
    turn = np.array(
        [[0.0, 1.0, 0.0, 0.3], [-1.0, 0.2, 0.5, 0.0], [0.0, 0.3, 2.0, -0.7], [0.4, 0.0, 0.1, 1.0]], np.float32
    )
    program = ca.transpile(jax.scipy.linalg.schur, jnp.asarray(turn), to=target)
    triangular, vectors = map(ca.to_numpy, program(ca.get_backend(target).asarray(turn)))
    np.testing.assert_allclose(vectors @ triangular @ vectors.T, turn, atol=1e-5)
    np.testing.assert_allclose(vectors @ vectors.T, np.eye(4), atol=1e-5)
    assert not np.tril(triangular, -2).any()
    (places,) = np.nonzero(np.diag(triangular, -1))
    assert len(places) == 1
    (i,) = places
    np.testing.assert_allclose(triangular[i, i], triangular[i + 1, i + 1], atol=1e-5)
    assert triangular[i, i + 1] * triangular[i + 1, i] < 0


def test_functions_of_schurs_form(target):
    """Order and signs of the form are not determined; what is made of it is."""
    turn = np.array([[0.0, 1.0, 0.0], [-1.0, 0.2, 0.5], [0.0, 0.3, 2.0]], np.float32)

    def program(x):
        triangular, vectors = jax.scipy.linalg.schur(x, output="complex")
        return jax.scipy.linalg.sqrtm(x), vectors @ triangular @ vectors.conj().T, jnp.tril(triangular, -1)

    roots, again, below = ca.transpile(program, jnp.asarray(turn), to=target)(ca.get_backend(target).asarray(turn))
    np.testing.assert_allclose(ca.to_numpy(roots) @ ca.to_numpy(roots), turn, atol=1e-5)
    np.testing.assert_allclose(ca.to_numpy(again), turn, atol=1e-5)
    assert not ca.to_numpy(below).any()
