"""jit, grad, vmap and trees: programs written with corearray are JAX programs."""

from __future__ import annotations

from contextlib import nullcontext

import jax
import numpy as np
import pytest
from jax import numpy as jnp

import corearray as ca
from corearray.contract.declaration import DECLARATIONS

be = ca.get_backend("jax")


def loss(w, x, y):
    """Return a logistic loss, with a bit of everything that is easily not traceable."""
    scores = ca.matmul(x, w)
    scores = scores - ca.max(scores, axis=-1, keepdims=True)
    logs = scores - ca.log(ca.sum(ca.exp(scores), axis=-1, keepdims=True))
    chosen = ca.take_along_axis(logs, y[:, None], axis=-1)
    penalty = ca.sum(ca.where(w > 0, w, -0.5 * w)) + ca.std(w[1:, ::-1]) + w[0, 1] ** 2
    return -ca.mean(chosen) + 0.1 * penalty


@pytest.fixture
def problem():
    random = np.random.default_rng(0)
    w, x = random.normal(size=(4, 3)), random.normal(size=(5, 4))
    return be.asarray(w), be.asarray(x), be.asarray(random.integers(0, 3, 5))


def test_jit_takes_and_returns_arrays(problem):
    compiled = jax.jit(loss)(*problem)
    assert isinstance(compiled, ca.Array)
    assert float(compiled) == pytest.approx(float(loss(*problem)), rel=1e-12)


def test_grad_is_that_of_differences(problem):
    w, x, y = problem
    found = jax.grad(lambda w: loss(w, x, y).native)(w)
    assert isinstance(found, ca.Array)
    step = 1e-6
    for place in np.ndindex(w.shape):
        up, down = be.asarray(w, copy=True), be.asarray(w, copy=True)
        up[place] += step
        down[place] -= step
        slope = (float(loss(up, x, y)) - float(loss(down, x, y))) / (2 * step)
        assert float(found[place]) == pytest.approx(slope, rel=1e-5, abs=1e-8)


def test_vmap_is_a_loop(problem):
    w, x, _ = problem
    rows = jax.vmap(lambda row: ca.sort(ca.tanh(row) @ w))(x)
    assert isinstance(rows, ca.Array)
    assert np.allclose(np.asarray(rows), [np.sort(np.tanh(row) @ np.asarray(w)) for row in np.asarray(x)])
    assert jax.vmap(lambda row: row[1])(x).tolist() == x[:, 1].tolist()


def test_transformations_nest(problem):
    w, x, y = problem
    gradient = jax.jit(jax.grad(lambda w, x, y: loss(w, x, y).native))
    each = jax.vmap(gradient, in_axes=(None, 0, 0))(w, x[:, None], y[:, None])
    alone = [np.asarray(jax.grad(lambda w, i=i: loss(w, x[i : i + 1], y[i : i + 1]).native)(w)) for i in range(5)]
    assert np.allclose(np.asarray(each), alone)
    hessian = jax.hessian(lambda v: ca.sum(v**3 + ca.sin(v)).native)(be.asarray([0.5, -1.0]))
    assert np.allclose(np.asarray(hessian.native.native), np.diag(6 * np.array([0.5, -1.0]) - np.sin([0.5, -1.0])))


def write(x):
    """What changes an array in place."""
    y = ca.zeros_like(x) + x
    y[0] = 5.0
    y[1:, 0] = x[1:, 1]
    y[1:] = y[:-1]
    y[y > 4] = 3
    y += 1
    y *= x
    y[:, -1] -= x[:, 0]
    return y


def compose(x):
    """Composed functions, extensions, dtypes that must be promoted, the names of the backend, Containers."""
    gram = ca.matmul(x.T, x) + ca.eye(4)
    mixed = ca.arange(4) + x, ca.where(x > 0.5, 1, x), ca.asarray([1, 2]) * 2.5, ca.concat([x, ca.ones((1, 4))])
    names = be.hypot(x, 2.0), be.linalg.det(gram), be.wrap(be.native.log1p(x.native)), *be.meshgrid(x[0], x[1])
    indexed = x[::-2, None], x[..., be.asarray([2, 0])], ca.take(x, be.asarray([1, 1]), axis=0), x @ x.T, ~(x > 0.5)
    solved = ca.linalg.solve(gram, ca.sum(x, axis=0)), ca.linalg.svdvals(x), ca.var(x, axis=0), ca.tile(x, (2, 1))
    return [*mixed, *names, *indexed, *solved, *(2 * ca.Container(a=x, b=ca.square(x))).leaves()]


@pytest.mark.parametrize("program", [write, compose])
@pytest.mark.parametrize("in_force", [True, False])
def test_programs_are_compiled_and_mapped(program, in_force):
    batch = be.asarray(np.random.default_rng(0).random((2, 3, 4)))
    ca.sum(batch)  # makes it the implicit backend
    with ca.backend_context("jax") if in_force else nullcontext():
        alone = [jax.tree.leaves(program(batch[i])) for i in range(2)]
        compiled = [jax.tree.leaves(jax.jit(program)(batch[i])) for i in range(2)]
        mapped = jax.tree.leaves(jax.jit(jax.vmap(program))(batch))
    for i in range(2):
        for one, other, each in zip(alone[i], compiled[i], mapped, strict=True):
            assert one.dtype == other.dtype
            assert np.allclose(one, other, rtol=1e-12)
            assert np.allclose(one, each[i], rtol=1e-12)


def test_gradients_pass_through_what_is_written():
    x = be.asarray(np.random.default_rng(0).random((3, 4)))
    direction = be.asarray(np.random.default_rng(1).random((3, 4)))
    total = lambda x: ca.sum(write(x)).native  # noqa: E731
    slope = float(ca.sum(jax.jit(jax.grad(total))(x) * direction))
    step = 1e-6 * direction
    assert slope == pytest.approx(float(total(x + step) - total(x - step)) / 2e-6, rel=1e-6)


def test_control_flow():
    total = jax.lax.fori_loop(0, 5, lambda i, x: x + i, be.zeros(2))
    assert total.tolist() == [10.0, 10.0]
    carried, each = jax.lax.scan(lambda c, x: (c + x, c * x), be.asarray(0.0), be.asarray([1.0, 2.0, 3.0]))
    assert (carried.tolist(), each.tolist()) == (6.0, [0.0, 2.0, 9.0])


def test_arrays_are_nodes_of_trees():
    tree = {"w": be.ones(2), "more": [be.zeros(1)]}
    leaves, structure = jax.tree_util.tree_flatten(tree)
    assert [type(leaf) for leaf in leaves] == [type(be.ones(1).native)] * 2
    again = jax.tree_util.tree_unflatten(structure, leaves)
    assert again["w"].tolist() == [1.0, 1.0]
    strange = jax.tree_util.tree_unflatten(structure, [object(), None])
    assert isinstance(strange["w"], ca.Array)
    doubled = jax.tree_util.tree_map(lambda leaf: leaf * 2, tree)
    assert doubled["w"].tolist() == [2.0, 2.0]


def test_what_depends_on_values_says_so():
    for function in (ca.nonzero, ca.unique_values, lambda x: x[x > 0], bool, float, lambda x: x.tolist()):
        with pytest.raises((TypeError, IndexError), match=r"[Tt]race"):
            jax.jit(function)(be.ones(()) if function in (bool, float) else be.ones(3))


def test_masks_of_constants_are_differentiated():
    mask = be.asarray([True, False, True])
    found = jax.grad(lambda x: ca.sum(x[mask] ** 2).native)(be.asarray([1.0, 2.0, 3.0]))
    assert found.tolist() == [2.0, 0.0, 6.0]


def test_asarray_of_traced_values():
    assert jax.jit(lambda a, b: be.asarray([a, b]))(1.0, 2.0).tolist() == [1.0, 2.0]
    assert jax.jit(lambda a: be.asarray(a, copy=True))(be.ones(2)).tolist() == [1.0, 1.0]
    assert jax.jit(lambda a: be.full((2,), a.native))(be.asarray(3.0)).tolist() == [3.0, 3.0]


def test_a_tracer_tells_its_device_and_shape():
    seen = []
    jax.jit(lambda x: seen.append((x.device, tuple(x.shape), x.dtype, repr(x))))(be.ones((2, 3)))
    ((device, shape, dtype, text),) = seen
    assert (device, shape, dtype) == (be.devices()[0], (2, 3), ca.float32)
    assert text.startswith("Array(shape=(2, 3)")


def test_the_program_is_flat():
    """The plugin's functions leave no calls behind in the traced program that XLA would have to look through."""
    program = jax.make_jaxpr(lambda x: ca.add(ca.reshape(x, (2, 2)), 1.0).native)(jnp.ones(4, jnp.float32))
    assert {equation.primitive.name for equation in program.eqns} <= {"reshape", "add", "convert_element_type"}


UNARY = [
    name
    for name, declaration in DECLARATIONS.items()
    if declaration.category in ("elementwise", "exponential", "trigonometric", "rounding", "statistical")
    and [p.name for p in declaration.parameters if p.required] == ["x"]
    and name not in ("imag", "cumulative_sum", "cumulative_prod")
]


@pytest.mark.parametrize("name", UNARY)
def test_traced_and_not_are_equal(name):
    function = getattr(be, name)
    x = be.asarray([0.25, 0.5, 0.75], dtype=ca.float64)
    traced, plain = jax.jit(function)(x), function(x)
    assert traced.dtype is plain.dtype
    assert np.allclose(np.asarray(traced), np.asarray(plain), rtol=1e-14, equal_nan=True)
    mapped = np.asarray(jax.vmap(function)(x[:, None])).ravel()
    one_by_one = [np.asarray(function(x[i : i + 1])).ravel()[0] for i in range(3)]
    assert np.allclose(mapped, one_by_one, equal_nan=True)


def test_einsum_in_transformations():
    x = be.asarray([[0.5, -1.0], [2.0, 0.25]])
    for equation, count in (("ij,kj->", 2), ("ij,jk,kl->", 3), ("ii->", 1)):

        def total(x, equation=equation, count=count):
            return be.einsum(equation, *[x] * count).native

        found = jax.jit(jax.grad(total))(x)
        step = be.asarray([[1e-3, 0.0], [0.0, 0.0]])
        near = (float(total(x + step)) - float(total(x - step))) / 2e-3
        np.testing.assert_allclose(float(found[0, 0]), near, rtol=1e-2)
    rows = jax.vmap(lambda row: be.einsum("j,j->", row, row))(x)
    np.testing.assert_allclose(np.asarray(rows), [1.25, 4.0625], rtol=1e-6)


def views_and_writes(x):
    y = x[1:]
    z, turned, flat = be.reshape(y, (-1,)), be.flip(x), be.reshape(x.T, (-1,))
    y[0, 0] = 5.0
    z += 1.0
    return x * 2, turned, flat


def test_views_are_compiled_mapped_and_differentiated():
    x = [[1.0, 2.0], [3.0, 4.0]]
    expected = [part.tolist() for part in views_and_writes(be.asarray(x))]
    assert expected == [[[2.0, 4.0], [12.0, 10.0]], [[5.0, 6.0], [2.0, 1.0]], [1.0, 6.0, 2.0, 5.0]]
    assert [part.tolist() for part in jax.jit(views_and_writes)(be.asarray(x))] == expected
    assert [part.tolist()[1] for part in jax.vmap(views_and_writes)(be.asarray([x, x]))] == expected
    gradient = jax.grad(lambda x: be.sum(views_and_writes(x)[2]).native)(be.asarray(x))
    assert gradient.tolist() == [[1.0, 1.0], [0.0, 1.0]]


@pytest.mark.parametrize("count", [1, 7, (1 << 16) + 3])
def test_draws_are_a_loop_that_xla_copies_into_nothing(count):
    """A program that pads and reverses what it draws took XLA minutes to compile without the loop."""

    def draw(x):
        return x + ca.random.uniform(shape=(count,), dtype="float64")

    x = be.zeros(count, dtype="float64")
    assert "stablehlo.while" in jax.jit(draw).lower(x).as_text()
    ca.random.seed(3)
    expected = ca.random.default_generator().spawn(1)[0].uniform(shape=(count,), dtype="float64")
    ca.random.seed(3)
    np.testing.assert_array_equal(be.to_numpy(ca.compile(draw)(x)), be.to_numpy(expected))
