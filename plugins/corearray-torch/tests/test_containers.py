"""Containers are nodes of torch's trees."""

from __future__ import annotations

import pytest
import torch
from torch.utils import _pytree

import corearray as ca

be = ca.get_backend("torch")


@pytest.fixture
def weights():
    return ca.Container(w=be.asarray([1.0, 2.0]), inner={"b": be.asarray(3.0)})


def loss(p):
    return (ca.sum(ca.square(p["w"])) * p.inner.b).native


def test_grad(weights):
    gradient = torch.func.grad(loss)(weights)
    assert gradient.to_list().equals(ca.Container(inner={"b": 5.0}, w=[6.0, 12.0]))
    assert type(gradient["w"]) is be.Array


def test_vmap():
    batch = ca.Container(w=be.ones((3, 2)), b=be.asarray([1.0, 2.0, 3.0]))
    assert torch.func.vmap(lambda p: p["w"] * p.b)(batch).tolist() == [[1.0, 1.0], [2.0, 2.0], [3.0, 3.0]]
    assert torch.func.vmap(lambda p: p + p)(batch).equals(2 * batch)


def test_trees_do_not_depend_on_the_order_of_the_keys(weights):
    other = ca.Container(inner=weights.inner, w=weights["w"])
    assert _pytree.tree_structure(other) == _pytree.tree_structure(weights)
    assert _pytree.tree_map(lambda x, y: x + y, other, weights).equals(2 * weights)


def test_native_leaves_and_autograd(weights):
    natives = ca.to_native(weights).map(lambda x: x.requires_grad_())
    loss(natives).backward()
    assert natives["w"].grad.tolist() == [6.0, 12.0]
    assert natives["inner/b"].grad.item() == 5.0


def ragged(*rows):
    return ca.Ragged.from_rows(map(be.asarray, rows))


def test_ragged_arrays_are_nodes():
    r = ragged([1.0, 2.0], [], [3.0])
    leaves, _ = _pytree.tree_flatten(r)
    assert [leaf.tolist() for leaf in leaves] == [[0, 2, 2, 3], [1.0, 2.0, 3.0]]
    assert _pytree.tree_map(lambda x: x, r).equals(r)
    slope = torch.func.grad(lambda values: ca.sum(ca.square(ca.sum(r.with_values(values), axis=1))).native)(r.values)
    assert slope.tolist() == [6.0, 6.0, 6.0]


def test_gradients_flow_through_ragged_arrays():
    values = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    r = ca.Ragged.from_row_lengths(values, [2, 0, 1])
    ca.sum(ca.mean(r[r.row_lengths > 0], axis=1)).native.backward()
    assert values.grad.tolist() == [0.5, 0.5, 1.0]
