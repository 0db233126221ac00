"""Gradients through writes in place: into tensors, into views of them, and into what recorded calls took before."""

from __future__ import annotations

import numpy as np
import pytest
import torch as native

import corearray as ca
import corearray.frontend.torch as torch


@pytest.fixture(autouse=True)
def on_target(target):
    if "reverse_mode" not in ca.get_backend(target).facts:
        pytest.skip("this backend has no derivatives")
    with ca.backend_context(target):
        yield


def a_write_after_a_call(t, w):
    constant, rows = t.zeros(2, 3), t.ones(2, 3)
    y = w + constant
    z = w + rows[0]
    constant.add_(1)
    rows[0] = 5
    rows.view(-1).mul_(2)
    return (y * y).sum() + (z * z).sum()


def views_of_a_computed_tensor(t, w):
    y = w * 2
    row, flat, turned = y[0], y.view(-1), y.t()
    y.add_(w)
    row.mul_(3)
    flat[5] *= w[0, 1]
    turned[1] += w[:, 0]
    return (y.sin() * y).sum() + (flat * flat).sum() + row.sum()


def views_of_a_constant(t, w):
    z = t.zeros(2, 3)
    row, narrow = z[0], z.view(3, 2)
    row.copy_(w[0])
    narrow[2, 1] += w.sum()
    whole = z[:, 1:]
    whole.add_(w[:, :2])
    z.diagonal().copy_(w[:, 2])
    return (z**2).sum() + row.sin().sum() + (narrow * whole.sum()).sum()


def a_loop(t, w):
    state, kept = t.zeros(2, 3), t.zeros(3, 2, 3)
    for i in range(3):
        state = t.sin(state + w)
        kept[i] = state
        kept[i, :, 1:] += 1
    kept.transpose(0, 1)[..., 0].mul_(w[0, 1])
    return (kept.cumsum(0) ** 2).sum()


def writes_without_gradients(t, w):
    z = t.zeros(2, 3)
    y = w + z
    with t.no_grad():
        z[1].add_(3)
    z.detach()[0].fill_(2)
    return (y * y + z).sum()


def a_part_by_keyword(t, w):
    y = w * 1
    part = t.narrow(input=y, dim=1, start=0, length=2)
    part.mul_(2)
    y.view(3, 2)[0].neg_()
    return (y * y).sum()


def views_of_two(t, w):
    a, b = t.broadcast_tensors(w * 1, w * 2)
    b.add_(w)
    c, d = t.atleast_2d(a, b)
    d[0].mul_(2)
    return (a * a).sum() + (b * c).sum() + d.sum()


@pytest.mark.parametrize(
    "program",
    [
        a_write_after_a_call, views_of_a_computed_tensor, views_of_a_constant, a_loop, writes_without_gradients,
        a_part_by_keyword, views_of_two,
    ],
)  # fmt: skip
def test_gradients_follow_writes(program):
    found = []
    for t in (torch, native):
        w = t.tensor([[0.1, -0.2, 0.3], [0.4, 0.5, -0.6]], requires_grad=True)
        loss = program(t, w)
        loss.backward()
        found.append((loss.detach().numpy(), w.grad.numpy()))
    for mine, theirs in zip(*found, strict=True):
        np.testing.assert_allclose(mine, theirs, rtol=1e-4, atol=1e-5)


def test_what_is_refused():
    w = torch.tensor([1.0, 2.0], requires_grad=True)
    with pytest.raises(RuntimeError, match="a leaf that requires gradients"):
        w[:1].mul_(2)
    y = w * 2
    held = y[:1]
    with pytest.raises(NotImplementedError, match=r"gradients cannot follow .*unsqueeze_"):
        y.unsqueeze_(0)
    assert held.tolist() == [2.0]
    first, _ = torch.broadcast_tensors([y, y * 3])
    loss = first.add_(1).sum() + y.sum()
    with pytest.raises(NotImplementedError, match=r"a view that .*broadcast_tensors. made"):
        loss.backward()
