"""JAX's API on every backend: a seeded part of the samples judged by JAX, and what a program meets first."""

from __future__ import annotations

import random

import numpy as np
import pytest
from frontend.conftest import TARGET
from frontend.jax_api import difference, judged
from frontend.jax_samples import samples

import corearray as ca
import corearray.frontend.jax as jax
import corearray.frontend.jax.numpy as jnp


@pytest.fixture
def on_target(target):
    with ca.backend_context(target):
        yield


def test_a_seeded_part_of_the_samples():
    chosen = random.Random(3).sample(samples(), 70)
    assert judged(chosen, TARGET) == []


def test_a_difference_is_noticed():
    import jax as native

    with native.enable_x64(False):
        wanted = native.numpy.arange(3.0)
    with ca.backend_context(TARGET):
        assert difference(jnp.arange(3.0), wanted) == ""
        assert difference(jnp.arange(3.0) * 2, wanted)
        assert difference(jnp.arange(3), wanted)
        assert difference(jax.Array(jnp.arange(3.0).array, True), wanted)
        assert difference(ValueError("no"), wanted)


def test_arrays_do_not_change(on_target):
    x = jnp.arange(3.0)
    with pytest.raises(TypeError, match=r"use\s+x = x.at\[idx\].set\(y\)|x = x.at\[idx\].set"):
        x[0] = 1.0
    y = x.at[0].set(5.0)
    assert (x.tolist(), y.tolist()) == ([0.0, 1.0, 2.0], [5.0, 1.0, 2.0])


def test_a_tree_as_one_axis(on_target):
    from corearray.frontend.jax.flatten_util import ravel_pytree

    flat, unravel = ravel_pytree({"b": jnp.ones((2, 2)), "a": [jnp.arange(3)]})
    assert (flat.tolist(), str(flat.dtype)) == ([0.0, 1.0, 2.0, 1.0, 1.0, 1.0, 1.0], "float32")
    made = unravel(flat * 2)
    assert (made["a"][0].tolist(), str(made["a"][0].dtype), made["b"].shape) == ([0, 2, 4], "int32", (2, 2))
    with pytest.raises(ValueError, match=r"expected an array of shape \(7,\)"):
        unravel(flat[1:])


def test_callbacks_in_compiled_programs(on_target, capsys):
    seen = []

    @jax.jit
    def program(x):
        jax.debug.print("x is {x}", x=x[0])
        jax.debug.callback(lambda y: seen.append(float(y)), x.sum())
        return jax.pure_callback(lambda y: np.asarray(y)[::-1], jax.ShapeDtypeStruct(x.shape, x.dtype), x) * 2

    for start in (1.0, 2.0):
        made = program(jnp.array([start, 5.0]))
        ca.evaluate(made.array)
        assert made.tolist() == [10.0, 2 * start]
    assert (seen, capsys.readouterr().out) == ([6.0, 7.0], "x is 1.0\nx is 2.0\n")
    with pytest.raises(ValueError, match=r"returned an array of float32 with shape \(1,\)"):
        jax.pure_callback(lambda y: y[:1], jax.ShapeDtypeStruct((2,), "float32"), jnp.ones(2))
    with pytest.raises(TypeError, match="objects with shape and dtype"):
        jax.pure_callback(lambda y: y, "no", jnp.ones(2))


def test_x64_is_off_until_it_is_switched_on(on_target):
    assert jnp.asarray(1.0).dtype == "float32" and jnp.arange(2).dtype == "int32"
    with pytest.warns(UserWarning, match="will be truncated to dtype float32"):
        assert jnp.zeros(2, jnp.float64).dtype == "float32"
    with jax.enable_x64(True):
        assert jnp.asarray(1.0).dtype == "float64" and jnp.sqrt(jnp.asarray(2)).dtype == "float64"
    jax.config.update("jax_enable_x64", True)
    try:
        assert jnp.zeros(2).dtype == "float64"
    finally:
        jax.config.update("jax_enable_x64", False)
    with pytest.raises(AttributeError, match="Unrecognized config option: jax_fast"):
        jax.config.update("jax_fast", True)


@pytest.mark.parametrize(
    ("program", "kind", "message"),
    [
        (
            lambda: jnp.add([1.0], 2),
            TypeError,
            "add requires ndarray or scalar arguments, got <class 'list'> at position 0",
        ),
        (lambda: jnp.sum(jnp.ones(2), out=1), NotImplementedError, "'out' argument to jnp.sum is not supported"),
        (lambda: jnp.ones(2)[[0]], TypeError, "non-tuple sequence"),
        (lambda: jnp.ones(2)["a"], TypeError, "does not support string"),
        (lambda: jnp.asarray(300, jnp.uint8), OverflowError, "300 out of bounds for uint8"),
        (lambda: jnp.anything, NotImplementedError, "no rule for 'jax.numpy.anything'"),
        (lambda: jax.vmap(3), TypeError, "callable"),
        (lambda: jax.vmap(jnp.sin, in_axes=(0, 0))(jnp.ones(2)), ValueError, r"len\(in_axes\)=2, len\(args\)=1"),
        (lambda: jax.vmap(jnp.add)(jnp.ones(2), jnp.ones(3)), ValueError, "inconsistent sizes"),
        (lambda: jax.jit(len)("ab"), TypeError, "static_argnums"),
        (lambda: jax.tree.map(jnp.add, [1, 2], [1]), ValueError, "different structures"),
    ],
)
def test_wrong_calls(on_target, program, kind, message):
    with pytest.raises(kind, match=message):
        program()


def test_other_libraries_arrays_are_taken(on_target):
    x = np.ones((2, 2))
    assert jnp.add(x, 1).dtype == "float32"
    assert (jnp.ones((2, 2)) @ x).tolist() == [[2.0, 2.0], [2.0, 2.0]]
    assert jnp.sum(ca.ones((2,))).item() == 2.0


def test_namespaces_are_modules():
    import corearray.frontend.jax.scipy.special
    import corearray.frontend.jax.tree_util
    from corearray.frontend.jax.nn import relu
    from corearray.frontend.jax.scipy.special import logsumexp

    assert relu is jax.nn.relu and logsumexp is jax.scipy.special.logsumexp
    assert "logsumexp" in dir(corearray.frontend.jax.scipy.special)
    assert corearray.frontend.jax.tree_util.tree_map is jax.tree_util.tree_map
    with pytest.raises(AttributeError):
        corearray.frontend.jax.scipy.special.__path__
