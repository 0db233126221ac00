"""The meaning of `interpolate` is that of torch, for the composition and for what the plugin computes itself."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
import torch
from torch.nn import functional

import corearray as ca
from corearray.calls.binding import Binding
from corearray.contract.declaration import DECLARATIONS

be = ca.get_backend("torch")

#: Shapes, and sizes or factors.
CASES = [
    ((2, 2, 5), {"size": 8}),
    ((2, 2, 7), {"size": 3}),
    ((2, 2, 4), {"scale_factor": 2.7}),
    ((1, 2, 5, 4), {"size": (3, 7)}),
    ((1, 2, 4, 6), {"scale_factor": (2.0, 0.6)}),
    ((1, 2, 1, 9), {"size": (3, 2)}),
    ((1, 2, 3, 4), {"scale_factor": (1.2, 2.0)}),
    ((1, 1, 3, 2, 4), {"size": (2, 3, 7)}),
    ((1, 1, 3, 2, 4), {"scale_factor": 1.5}),
]
MODES = {1: ["linear"], 2: ["bilinear", "bicubic"], 3: ["trilinear"]}
WAYS = [{}, {"align_corners": True}, {"antialias": True}]


@pytest.mark.parametrize(("shape", "options"), CASES)
def test_interpolate_is_that_of_torch(shape, options):
    x = torch.from_numpy(np.random.default_rng(1).normal(size=shape))
    names = ["nearest", "nearest_exact", "area", *MODES[x.ndim - 2]]
    binding = be.binding("interpolate")
    composed = Binding(binding.declaration, be, None, binding._stage)
    for mode, way in itertools.product(names, WAYS):
        linear = mode in MODES[x.ndim - 2]
        if way and (not linear or ("antialias" in way and x.ndim != 4)):
            continue
        turned = {"align_corners": False, **way} if linear else {}
        want = functional.interpolate(x, mode=mode.replace("_", "-"), **options, **turned)
        given = {"size": None, "scale_factor": None, "align_corners": False, "antialias": False, **options, **way}
        again = composed.pipeline([x, *({**given, "mode": mode, "data_format": "channels_first"}[p.name]
                                     for p in DECLARATIONS["interpolate"].parameters[1:])])  # fmt: skip
        for got in (be.native.interpolate(x, mode=mode, **options, **way), again.native):
            torch.testing.assert_close(got, want, rtol=1e-9, atol=1e-9, msg=str((shape, mode, options, way)))


@pytest.mark.parametrize("align_corners", [False, True])
@pytest.mark.parametrize("padding_mode", ["zeros", "border", "reflection"])
@pytest.mark.parametrize("mode", ["bilinear", "nearest", "bicubic"])
def test_grid_sample_is_that_of_torch(mode, padding_mode, align_corners):
    generator = torch.Generator().manual_seed(0)
    for count in (2,) if mode == "bicubic" else (2, 3):
        x = torch.randn(2, 3, *(4, 5, 3)[:count], dtype=torch.float64, generator=generator)
        grid = 3.2 * torch.rand(2, *(3, 4, 2)[:count], count, dtype=torch.float64, generator=generator) - 1.6
        want = functional.grid_sample(x, grid, mode, padding_mode, align_corners)
        be = ca.get_backend("torch")
        found = be.grid_sample(x, grid, mode=mode, padding_mode=padding_mode, align_corners=align_corners)
        torch.testing.assert_close(ca.to_native(found), want)
