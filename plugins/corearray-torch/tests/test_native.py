"""Types, dtypes and devices of torch."""

from __future__ import annotations

import pytest
import torch

import corearray as ca

be = ca.get_backend("torch")


def test_subclasses_of_tensor_are_arrays():
    for native in (torch.ones(2), torch.nn.Parameter(torch.ones(2)), torch.ones(2).as_subclass(Tagged)):
        with ca.backend_context("torch"):
            assert ca.sin(native).backend is be


class Tagged(torch.Tensor):
    pass


def test_devices():
    assert be.devices()[0] == "cpu"
    assert be.devices()[-1] == "meta"
    assert be.native_device(be.devices()[0]) == torch.device("cpu")


def test_names_of_gpus():
    from corearray_torch import native

    assert native.native_device("gpu:1") == torch.device("cuda", 1)
    assert ca.Device(native.device_name(torch.device("cuda", 1))) == "gpu:1"


def test_meta_arrays_have_shapes_and_dtypes():
    x = be.zeros((2, 3), device="meta")
    y = be.matmul(x, be.matrix_transpose(x)) + 1
    assert (y.shape, y.dtype, y.device) == ((2, 2), ca.float32, "meta")
    assert "shape=(2, 2)" in repr(y)


@pytest.mark.parametrize(
    "draw",
    [
        lambda rng, p: rng.beta(p, 2.0), lambda rng, p: rng.bernoulli(p), lambda rng, p: rng.categorical(p),
        lambda rng, p: rng.choice(2, p=p), lambda rng, p: rng.dirichlet(p), lambda rng, p: rng.exponential(scale=p),
        lambda rng, p: rng.gamma(p), lambda rng, p: rng.normal(p), lambda rng, p: rng.poisson(p),
        lambda rng, p: rng.uniform(0.0, p.native),
    ],
)  # fmt: skip
def test_numbers_are_drawn_on_the_device_of_the_parameters(draw):
    p = be.zeros(2, device="meta")
    with ca.backend_context("torch"):
        assert draw(ca.random.Generator(7), p).device == "meta"


@pytest.mark.parametrize(
    ("native", "shown"),
    [
        (torch.tensor(1.5), "1.5000"),
        (torch.tensor([1, 2], dtype=torch.uint8), "[1, 2]"),
        (torch.ones(0), "[]"),
        (torch.ones(1, requires_grad=True) * 2, "[2.]"),
        (torch.nn.Parameter(torch.ones(1)), "[1.]"),
        (torch.ones(2, 1), "[[1.],\n       [1.]]"),
    ],
)
def test_repr_shows_the_elements(native, shown):
    assert repr(be.asarray(native)).startswith(f"Array({shown}, ")


@pytest.mark.parametrize(
    ("call", "kind"),
    [
        (lambda: be.ones(3) + be.ones(4), ValueError),
        (lambda: be.reshape(be.ones(3), (2, 2)), ValueError),
        (lambda: be.max(be.ones(0)), ValueError),
        (lambda: be.argmax(be.ones(0)), ValueError),
        (lambda: be.concat([be.ones((2, 2)), be.ones((3, 3))]), ValueError),
        (lambda: be.sum(be.ones(3), axis=1), IndexError),
        (lambda: be.ones(3)[3], IndexError),
        (lambda: be.take(be.ones(3), be.asarray([3])), IndexError),
        (lambda: be.bitwise_and(be.ones(2), be.ones(2)), TypeError),
        (lambda: be.less(be.asarray(1j), be.asarray(1j)), TypeError),
        (lambda: be.sort(be.asarray([1j])), TypeError),
        (lambda: be.fft.rfft(be.asarray([1j])), TypeError),
        (lambda: be.astype(be.asarray(1j), be.float32), TypeError),
        (lambda: be.asarray(-1, dtype=be.uint8), OverflowError),
        (lambda: be.asarray([300, 1], dtype=be.int8), OverflowError),
        (lambda: be.floor_divide(be.asarray(1), be.asarray(0)), ZeroDivisionError),
        (lambda: be.linalg.inv(be.zeros((2, 2))), ca.LinAlgError),
        (lambda: be.linalg.cholesky(-be.eye(2)), ca.LinAlgError),
    ],
)
def test_errors_of_torch_have_the_kinds_of_python(call, kind):
    with pytest.raises(kind):
        call()
