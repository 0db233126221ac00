"""A native function that raises is entered once, whatever function of corearray called it."""

from __future__ import annotations

import pytest
import torch
from torch.overrides import TorchFunctionMode, resolve_name

import corearray as ca
from corearray.contract.declaration import DECLARATIONS
from corearray.testing.reference import function_of, made
from corearray.testing.samples import SAMPLES

pytestmark = pytest.mark.filterwarnings("ignore")

be = ca.get_backend("torch")

#: What reads a property of a tensor, and computes nothing.
_READS = frozenset(
    "dim dtype_size element_size is_complex is_contiguous is_floating_point is_signed nelement ndimension numel size stride "
    "untyped_storage storage_offset data_ptr is_conj is_neg is_inference __len__ __hash__".split()
)


class StopError(Exception):
    """An exception of user code that torch calls."""


class Raising(TorchFunctionMode):
    """Raises in the first call of a function of torch, and counts those behind it."""

    def __init__(self):
        super().__init__()
        self.entered = []

    def __torch_function__(self, function, types, args=(), kwargs=None):
        name = getattr(function, "__name__", "")
        if name == "__get__" or name in _READS or not _has_tensor((args, kwargs or {})):
            return function(*args, **(kwargs or {}))
        self.entered.append(resolve_name(function) or name)
        raise StopError(name)


def _has_tensor(value):
    if isinstance(value, (list, tuple)):
        return any(map(_has_tensor, value))
    return any(map(_has_tensor, value.values())) if isinstance(value, dict) else isinstance(value, torch.Tensor)


@pytest.mark.parametrize("name", sorted(name for name in SAMPLES if name in DECLARATIONS))
def test_every_function_enters_torch_once(name):
    """The exception of the first call arrives unchanged, also where a fast path met it, in the first call and in later ones."""
    args, options = made(be, SAMPLES[name][0])
    functions = [function_of(be, name), function_of(ca, name)]
    with ca.backend_context(be):
        for function in functions * 2:
            mode = Raising()
            error = None
            try:
                with mode:
                    function(*args, **options)
            except StopError as raised:
                error = raised
            assert len(mode.entered) <= 1, mode.entered
            assert (error is not None) is bool(mode.entered), mode.entered
