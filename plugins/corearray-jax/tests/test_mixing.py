"""JAX's functions take arrays. They return arrays of JAX, which has no protocol by which they could return others."""

from __future__ import annotations

import os
import subprocess
import sys

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import corearray as ca

X = [[1.0, 2.0, 3.0]]


@pytest.fixture(autouse=True)
def on_jax():
    with ca.backend_context("jax"):
        yield


def pure(x):
    y, z = ca.mean(x), ca.sum(x)
    f = ca.var(y)
    return ca.stack([ca.cos(z), ca.sin(f), ca.tan(y)], axis=-1)


def mix(x):
    y, z = ca.mean(x), jnp.sum(x)
    f = ca.var(y)
    return ca.stack([jnp.cos(z), ca.sin(f), jnp.tan(y)], axis=-1)


@pytest.mark.parametrize(
    "call",
    [
        lambda x: jnp.sum(x, 0),
        lambda x: jnp.stack([x, x], 1),
        lambda x: jnp.where(x > 1, x, 0.0),
        lambda x: jnp.einsum("ij,ij->i", x, x),
        lambda x: jax.nn.softmax(x),
        lambda x: jnp.asarray(x),
    ],
)
def test_functions_take_arrays(call):
    x = ca.asarray(X)
    found = call(x)
    assert isinstance(found, jax.Array) and jnp.array_equal(found, call(x.native))


def test_operators_give_arrays_back_and_follow_the_librarys_promotion():
    i, x = jnp.ones(3, "int64"), ca.asarray(X)
    for found in (
        i + x,
        i - x,
        i * x,
        i / x,
        i // x,
        i % x,
        i**x,
        i < x,
        i >= x,
        i == x,
        x + i,
        jnp.ones((3, 1), "float32") @ x,
    ):
        assert isinstance(found, ca.Array)
    assert (i + x).dtype == ca.float32
    assert isinstance(jax.jit(lambda i, x: i + x)(i, x), ca.Array)


def test_transforms_graphs_and_compilers():
    x = ca.asarray(X)
    slope = jax.grad(lambda x: jnp.sum(jnp.sin(x) * x.native))(x)
    assert jnp.allclose(slope.native, jnp.sin(x.native) + x.native * jnp.cos(x.native))
    graph = ca.compile_graph(mix, x)
    assert graph == ca.compile_graph(pure, x) and ca.allclose(graph(x), mix(x))
    for compiled in (jax.jit(mix), ca.compile(mix)):
        assert isinstance(compiled(x), ca.Array) and ca.allclose(compiled(x), mix(x), rtol=1e-5)


class Offers:
    """An object with `__jax_array__` alone, as parameters of libraries of layers have it."""

    def __init__(self, array):
        self.array = array

    def __jax_array__(self):
        return self.array


def test_objects_with_jax_array_are_arguments_and_operands_within_derivatives():
    be = ca.get_backend("jax")
    x, v = be.asarray([2.0, 3.0]), jnp.asarray([0.5, 1.5])
    for compute in (lambda o: be.exp(o), lambda o: x * o, lambda o: o * x, lambda o: x @ o, lambda o: be.stack([x, o])):
        wanted, found = (
            jax.grad(lambda q, compute=compute, offer=offer: be.sum(compute(offer(q))).native)(v)
            for offer in (be.asarray, Offers)
        )
        np.testing.assert_array_equal(found, wanted)
        assert type(compute(Offers(v))) is be.Array
    x += Offers(v)
    x[:1] = Offers(v[:1])
    np.testing.assert_array_equal(x, [0.5, 4.5])
    assert ca.get_backend("numpy").asarray(Offers(v)).tolist() == [0.5, 1.5]


def test_objects_with_jax_array_convert_before_the_backend_is_loaded():
    program = """
import sys, corearray as ca
ca.set_backend("numpy")
class Offers:
    def __jax_array__(self):
        import jax.numpy as jnp
        return jnp.asarray([0.5, 1.5])
x = ca.asarray([2.0, 3.0])
assert "jax" not in sys.modules
for found, wanted in ((lambda o: ca.asarray(o), [0.5, 1.5]), (lambda o: x + o, [2.5, 4.5]), (lambda o: o + x, [2.5, 4.5]),
                      (lambda o: ca.subtract(x, o), [1.5, 1.5]), (lambda o: ca.stack([x, o])[1], [0.5, 1.5])):
    made = found(Offers())
    assert made.tolist() == wanted and made.backend.name == "numpy", (made, wanted)
"""
    environment = {name: value for name, value in os.environ.items() if name != "COREARRAY_BACKEND"}
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == 0, done.stderr
