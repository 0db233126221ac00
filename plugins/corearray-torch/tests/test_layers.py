"""Convolutions and pooling are those of `torch.nn.functional`, option for option."""

from __future__ import annotations

import pytest
import torch
from torch.nn import functional
from torch.utils._python_dispatch import TorchDispatchMode

import corearray as ca

be = ca.get_backend("torch")


def numbers(*shape):
    return torch.randn(shape, dtype=torch.float64, generator=torch.Generator().manual_seed(len(shape)))


X = {1: numbers(2, 4, 9), 2: numbers(2, 4, 7, 6), 3: numbers(1, 4, 5, 4, 6)}
W = {1: numbers(6, 2, 3), 2: numbers(6, 2, 3, 2), 3: numbers(6, 2, 2, 3, 2)}
WT = {1: numbers(4, 3, 3), 2: numbers(4, 3, 3, 2), 3: numbers(4, 3, 2, 3, 2)}
B = numbers(6)


def same(got, want):
    assert got.dtype is want.dtype
    torch.testing.assert_close(got, want, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("n", [1, 2, 3])
@pytest.mark.parametrize(("strides", "padding", "dilations"), [(1, 0, 1), (2, 1, 1), (1, 2, 2), (3, 1, 1)])
def test_convolutions(n, strides, padding, dilations):
    options = {"strides": strides, "padding": padding, "dilations": dilations, "groups": 2}
    got = getattr(be.native, f"conv{n}d")(X[n], W[n], bias=B, **options)
    same(got, getattr(functional, f"conv{n}d")(X[n], W[n], B, strides, padding, dilations, 2))
    extra = max(strides, dilations) - 1
    got = getattr(be.native, f"conv{n}d_transpose")(X[n], WT[n], bias=B, output_padding=extra, **options)
    transposed = getattr(functional, f"conv_transpose{n}d")
    same(got, transposed(X[n], WT[n], B, strides, padding, extra, 2, dilations))


@pytest.mark.parametrize("n", [1, 2, 3])
@pytest.mark.parametrize("ceil_mode", [False, True])
@pytest.mark.parametrize(("window", "strides", "padding"), [(2, None, 0), (3, 2, 1), (3, 1, 1)])
def test_pooling(n, ceil_mode, window, strides, padding):
    options = {"strides": strides, "padding": padding, "ceil_mode": ceil_mode}
    got = getattr(be.native, f"max_pool{n}d")(X[n], window, **options)
    pooled = getattr(functional, f"max_pool{n}d")
    same(got, pooled(X[n], window, strides, padding, 1, ceil_mode))
    found = be.native.max_pool_with_indices(X[n], window, **options)
    values, indices = pooled(X[n], window, strides, padding, 1, ceil_mode, return_indices=True)
    same(found.values, values)
    same(found.indices, indices)
    for include in (True, False):
        got = getattr(be.native, f"avg_pool{n}d")(X[n], window, count_include_pad=include, **options)
        same(got, getattr(functional, f"avg_pool{n}d")(X[n], window, strides, padding, ceil_mode, include))
    if strides is None and not ceil_mode:
        size = X[n].shape[2:]
        got = getattr(be.native, f"max_unpool{n}d")(values, indices, window, output_size=tuple(size))
        same(got, getattr(functional, f"max_unpool{n}d")(values, indices, window, output_size=size))


@pytest.mark.parametrize("n", [1, 2, 3])
@pytest.mark.parametrize("size", [1, 3, 4])
def test_adaptive_pooling(n, size):
    for kind in ("avg", "max"):
        name = f"adaptive_{kind}_pool{n}d"
        same(getattr(be.native, name)(X[n], size), getattr(functional, name)(X[n], size))


def test_columns():
    for options in ((1, 0, 2), (2, 1, 1)):
        dilations, padding, strides = options
        more = {"dilations": dilations, "padding": padding, "strides": strides}
        columns = functional.unfold(X[2], (3, 2), *options)
        same(be.native.im2col(X[2], (3, 2), **more), columns)
        same(be.native.col2im(columns, (7, 6), (3, 2), **more), functional.fold(columns, (7, 6), (3, 2), *options))


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_half_precision_is_summed_in_float32(dtype):
    x, w = torch.full((1, 3000, 1), 1.0, dtype=dtype), torch.full((1, 3000, 1), 1.0, dtype=dtype)
    assert be.native.conv1d(x, w).item() == torch.tensor(3000.0, dtype=dtype).item()
    assert be.native.conv1d_transpose(x, w.permute(1, 0, 2)).item() == torch.tensor(3000.0, dtype=dtype).item()
    assert be.native.avg_pool1d(x.reshape(1, 1, 3000), 3000).item() == 1.0
    assert be.native.adaptive_avg_pool1d(x.reshape(1, 1, 3000), 1).item() == 1.0


def test_programs_are_traced_as_one_graph():
    def program(x, w):
        y = be.native.max_pool2d(be.native.conv2d(x, w, padding="same", groups=2), 2, padding=1)
        return be.native.adaptive_avg_pool2d(be.native.avg_pool2d(y, 2, count_include_pad=False, padding=1), (2, None))

    same(torch.compile(program, backend="eager", fullgraph=True)(X[2], W[2]), program(X[2], W[2]))


class _Names(TorchDispatchMode):
    """Notes the operations that run."""

    def __init__(self):
        super().__init__()
        self.names = []

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        self.names.append(function.overloadpacket.__name__)
        return function(*args, **(kwargs or {}))


@pytest.mark.skipif(not hasattr(torch, "_fused_adamw_"), reason="this torch has no such kernel")
@pytest.mark.parametrize("make", [ca.optim.adam, ca.optim.adamw])
def test_a_step_of_adam_is_one_kernel_for_all_parameters(make):
    optimizer = ca.optim.chain(ca.optim.clip_by_value(1.0), make(0.1, weight_decay=0.1))
    with ca.backend_context("torch"):
        parameters = {"weight": ca.ones((3, 2)), "bias": ca.ones(2)}
        state = optimizer.init(parameters)
        with _Names() as run:
            optimizer.update(parameters, state, parameters)
    assert [name for name in run.names if "adam" in name] == [f"_fused_{make.__name__}_"]
    assert "sqrt" not in run.names
