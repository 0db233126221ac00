"""Containers are nodes of JAX's trees."""

from __future__ import annotations

import jax
import pytest

import corearray as ca

be = ca.get_backend("jax")


@pytest.fixture
def weights():
    return ca.Container(w=be.asarray([1.0, 2.0]), inner={"b": be.asarray(3.0)})


def loss(p):
    return (ca.sum(ca.square(p["w"])) * p.inner.b).native


def test_grad(weights):
    gradient = jax.grad(loss)(weights)
    assert gradient.to_list().equals(ca.Container(inner={"b": 5.0}, w=[6.0, 12.0]))


def test_jit_takes_and_returns_containers(weights):
    result = jax.jit(lambda p: 2 * p + p)(weights)
    assert result.equals(3 * weights)
    assert type(result.inner) is ca.Container


def test_vmap(weights):
    batch = ca.Container(w=be.ones((3, 2)), b=be.asarray([1.0, 2.0, 3.0]))
    assert jax.vmap(lambda p: p["w"] * p.b)(batch).tolist() == [[1.0, 1.0], [2.0, 2.0], [3.0, 3.0]]


def test_scan(weights):
    carry, sums = jax.lax.scan(lambda carry, _: (2 * carry, carry.sum()), weights, None, length=3)
    assert carry.equals(8 * weights)
    assert sums.w.tolist() == [3.0, 6.0, 12.0]


def test_trees_do_not_depend_on_the_order_of_the_keys(weights):
    other = ca.Container(inner=weights.inner, w=weights["w"])
    assert list(other) != list(weights)
    assert jax.tree.structure(other) == jax.tree.structure(weights)
    assert jax.tree.map(lambda x, y: x + y, other, weights).equals(2 * weights)


def test_paths_name_the_keys(weights):
    leaves, _ = jax.tree_util.tree_flatten_with_path(ca.to_native(weights))
    assert [jax.tree_util.keystr(path) for path, _ in leaves] == ["['inner']['b']", "['w']"]


def test_native_leaves(weights):
    natives = ca.to_native(weights)
    assert jax.tree.map(type, jax.tree.leaves(natives)) == [type(natives["w"])] * 2
    assert jax.jit(lambda p: ca.to_native(-p))(natives).equals(ca.to_native(-weights))


def ragged(*rows):
    return ca.Ragged.from_rows(map(be.asarray, rows))


def test_ragged_arrays_are_compiled():
    r = ragged([1.0, 2.0], [], [3.0])

    @jax.jit
    def centred(r, s):
        mean = ca.sum(r, axis=1, keepdims=True) / ca.where(r.row_lengths > 0, r.row_lengths, 1)[:, None]
        return r * s - mean, ca.max(r + s), ca.mean(r, axis=1)

    found, largest, means = centred(r, ragged([10.0, 20.0], [], [30.0]))
    assert found.tolist() == [[8.5, 38.5], [], [87.0]]
    assert largest.item() == 33.0
    assert means[::2].tolist() == [1.5, 3.0]
    assert jax.tree_util.tree_map(lambda x: x, r).equals(r)


def test_ragged_arrays_are_differentiated_by_their_values():
    r = ragged([1.0, 2.0], [], [3.0])
    slope = jax.grad(lambda values: ca.sum(ca.square(ca.sum(r.with_values(values), axis=1))).native)(r.values)
    assert slope.tolist() == [6.0, 6.0, 6.0]
    with pytest.raises(ValueError, match=r"with 3 and 1 rows"):
        jax.jit(lambda r, s: r + s)(r, ragged([1.0, 2.0, 3.0]))
