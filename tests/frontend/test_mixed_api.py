"""Arrays of the frontends in corearray's own functions, programs and derivatives."""

from __future__ import annotations

from importlib import import_module

import numpy as np
import pytest
from frontend.conftest import TARGET

import corearray as ca

BE = ca.get_backend(TARGET)
#: A tracer of Python code is enough to try; its compiler takes long.
OPTIONS = {"backend": "eager"} if "register_tracing" in BE.facts else {}


@pytest.mark.skipif("reverse_mode" not in BE.facts, reason="the backend has no derivatives")
def test_derivatives_by_variables_and_parameters_are_tensors():
    tf, torch = (import_module(f"corearray.frontend.{name}") for name in ("tensorflow", "torch"))
    with ca.backend_context(TARGET):
        variable, parameter = tf.Variable([1.0, 2.0]), torch.nn.Parameter(torch.tensor([1.0, 2.0]))
        for module, held in ((tf, variable), (torch, parameter)):
            slope = ca.grad(lambda x, module=module: ca.sum(module.square(x)))(held)
            assert type(slope) is module.Tensor and slope.array.tolist() == [2.0, 4.0]
            assert held.array.tolist() == [1.0, 2.0]
        assert not slope.requires_grad and parameter.grad is None


@pytest.mark.parametrize("library", ["numpy", "torch", "jax.numpy", "tensorflow"])
def test_arrays_of_frontends_are_taken_for_their_arrays(library):
    """In corearray's functions, whose results they may be in compiled programs and in what is differentiated."""
    with ca.backend_context(TARGET):
        _check(import_module(f"corearray.frontend.{library}"))


def _check(module):
    x = ca.asarray([2.0, 3.0])
    held = module.square(x)
    assert type(held) is not type(x) and held.array.tolist() == [4.0, 9.0]
    assert isinstance(ca.asarray(held), BE.Array) and not ca.is_array(held)
    assert ca.sum(held).tolist() == 13.0 and ca.stack([x, held]).tolist() == [[2.0, 3.0], [4.0, 9.0]]
    assert type(held + x) is type(held) and type(x + held) is type(held)
    found = ca.compile(lambda x: {"y": module.square(x)}, **OPTIONS)(x)
    assert type(found["y"]) is type(held) and found["y"].array.tolist() == [4.0, 9.0]
    assert ca.compile(lambda y: y + y, **OPTIONS)(held).array.tolist() == [8.0, 18.0]
    if "reverse_mode" in BE.facts:
        assert ca.grad(lambda x: ca.sum(module.square(x)))(x).tolist() == [4.0, 6.0]
        slope = ca.grad(lambda y: ca.sum(module.square(y)))(held)
        assert type(slope) is type(held) and slope.array.tolist() == [8.0, 18.0]


@pytest.mark.parametrize("library", ["numpy", "jax.numpy", "tensorflow"])
def test_operators_of_numpys_arrays_leave_the_call_to_frontends(library):
    module = import_module(f"corearray.frontend.{library}")
    with ca.backend_context(TARGET):
        x = module.square(ca.asarray([2.0, 3.0], dtype="float32"))
        given = np.asarray([1.0, 2.0], dtype="float32")
        made = [given + x, given - x, np.float32(2) * x, given < x]
        assert all(type(one) is type(x) for one in made[:3])
        assert [one.array.tolist() for one in made] == [[5.0, 11.0], [-3.0, -7.0], [8.0, 18.0], [True, True]]


def test_numbers_of_numpy_beside_tensors_of_torch_are_numbers():
    torch = import_module("corearray.frontend.torch")
    with ca.backend_context(TARGET):
        x = torch.tensor([2.0, 3.0])
        for made in (np.float32(2) * x, x * np.float64(2), torch.mul(x, np.int64(2))):
            assert type(made) is torch.Tensor and made.dtype == torch.float32 and made.tolist() == [4.0, 6.0]


def test_ufuncs_of_numpy_take_arrays_of_its_frontend():
    frontend = import_module("corearray.frontend.numpy")
    with ca.backend_context(TARGET):
        made = np.add(np.ones(2), frontend.ones(2))
        assert type(made) is frontend.ndarray and made.array.tolist() == [2.0, 2.0]
        assert np.square(frontend.asarray([3.0])).tolist() == [9.0]
