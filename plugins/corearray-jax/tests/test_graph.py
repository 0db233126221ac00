"""Graphs of JAX's primitives."""

from __future__ import annotations

import jax
import numpy as np
from jax import numpy as jnp

import corearray as ca


def program(x):
    y = jax.lax.while_loop(lambda y: y.sum() < 100.0, lambda y: y * 2.0, x)
    return jnp.sum(jax.lax.cond(x.sum() > 3.0, jnp.sin, jnp.cos, x)) + jax.lax.stop_gradient(y).sum()


def test_transforms_of_a_graph():
    x = jnp.asarray([1.0, 0.5])
    with ca.backend_context("jax"):
        graph = ca.compile_graph(program, x)
        for transform in (lambda fn: fn, jax.grad, jax.jit, jax.vmap, jax.hessian):
            given = jnp.stack([x, x * 9]) if transform is jax.vmap else x * 9
            np.testing.assert_allclose(transform(graph)(given), transform(program)(given), rtol=1e-5)


def test_keys_are_arguments():
    with ca.backend_context("jax"):
        graph = ca.compile_graph(lambda x, key: x + jax.random.normal(key, (2,)), jnp.ones(2), jax.random.PRNGKey(0))
        other = jax.random.PRNGKey(7)
        np.testing.assert_allclose(graph(jnp.ones(2), other), 1 + jax.random.normal(other, (2,)))


def _with_slope(slope):
    function = jax.custom_jvp(lambda x: x * 1.5)
    function.defjvp(lambda primals, tangents: (primals[0] * 1.5, slope * tangents[0]))
    return function


def test_functions_with_equal_values_keep_their_own_derivatives(tmp_path):
    two, three = _with_slope(2.0), _with_slope(3.0)
    with ca.backend_context("jax"):
        x = ca.ones(2)
        graph = ca.compile_graph(lambda x: ca.sum(ca.asarray(two(x.native)) + ca.asarray(three(x.native))), x)
        alike = ca.compile_graph(lambda x: ca.sum(ca.asarray(two(x.native)) + ca.asarray(two(x.native))), x)
        graph.save(tmp_path / "graph")
        for one in (graph, ca.load_graph(tmp_path / "graph")):
            assert ca.grad(one)(x).tolist() == [5.0, 5.0]
        assert ca.grad(alike)(x).tolist() == [4.0, 4.0]
        assert graph != alike
