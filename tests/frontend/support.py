"""Comparing a program on a target with torch: values, dtypes, and gradients."""

from __future__ import annotations

import numpy as np
import torch
from torch import nn

import corearray as ca


def close(found, wanted, tolerance=1e-5):
    wanted = wanted.detach().numpy()
    np.testing.assert_allclose(
        np.asarray(found), wanted, rtol=0, atol=tolerance * max(1e-6, np.abs(wanted).max(initial=0))
    )


def on(target, x):
    return ca.get_backend(target).asarray(x.detach().numpy())


def has_derivatives(target):
    return "reverse_mode" in ca.get_backend(target).facts


def check(program, *args, target, gradients=True, **options):
    """Compare values, dtypes and gradients by the parameters and floating arguments with torch's."""
    wanted = program(*args)
    t = ca.transpile(program, *args, to=target, **options)
    given = [on(target, x) if isinstance(x, torch.Tensor) else x for x in args]
    found = t(*given)
    assert str(found.dtype) == str(wanted.dtype).removeprefix("torch.")
    close(found, wanted)
    if not gradients or not has_derivatives(target) or not wanted.is_floating_point():
        return t
    weights = torch.linspace(0.5, 1.5, max(wanted.numel(), 1)).reshape(wanted.shape)
    inputs = [x.clone().requires_grad_(x.is_floating_point()) if isinstance(x, torch.Tensor) else x for x in args]
    loss = (program(*inputs) * weights).sum()
    places = [i for i, x in enumerate(inputs) if isinstance(x, torch.Tensor) and x.requires_grad]
    parameters = dict(program.named_parameters()) if isinstance(program, nn.Module) else {}
    leaves = [*(inputs[i] for i in places), *parameters.values()]
    slopes = torch.autograd.grad(loss, leaves, allow_unused=True) if loss.requires_grad else [None] * len(leaves)
    ours = on(target, weights)

    def of(parameters, arrays):
        filled = list(given)
        for place, array in zip(places, arrays, strict=True):
            filled[place] = array
        return ca.sum(t.apply(parameters, *filled) * ours)

    held, arrays = t.parameters, [given[i] for i in places]
    by_arrays = ca.grad(lambda xs: of(held, xs))(arrays) if arrays else []
    by_names = ca.grad(lambda p: of(p, arrays))(held) if parameters else {}
    found_slopes = list(by_arrays)
    for name in parameters:
        node = by_names
        for part in name.split("."):
            node = node[part]
        found_slopes.append(node)
    largest = max([float(x.abs().max()) for x in slopes if x is not None], default=1.0)
    for mine, theirs in zip(found_slopes, slopes, strict=True):
        theirs = np.zeros(mine.shape) if theirs is None else theirs.numpy()
        np.testing.assert_allclose(np.asarray(mine), theirs, rtol=0, atol=1e-5 * max(largest, 1e-6))
    return t
