"""Names that programs of torch use around their functions: devices, compilers, typed constructors, switches of the process."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import corearray as ca
from corearray.errors import CoreArrayNotImplementedError
from corearray.frontend.torch.amp.autocasting import autocast_for
from corearray.frontend.torch.amp.scaling import GradScaler
from corearray.frontend.torch.devices import accelerators, device
from corearray.frontend.torch.generators import manual_seed

if TYPE_CHECKING:
    from corearray.frontend.frontend import Frontend

__all__ = ["BACKENDS", "CPU", "CUDA", "KINDS", "MPS", "as_is", "constructor", "without_effect"]


def as_is(function: Any = None, *_: Any, **__: Any) -> Any:
    """Return a function or module as it is, as `torch.compile` and `torch.jit.script` do for its results; also a decorator."""
    return (lambda given: given) if function is None else function


def without_effect(*_: Any, **__: Any) -> None:
    """Do nothing: a switch of torch's process that changes no result."""


def _amp(kind: str) -> SimpleNamespace:
    """Return the namespace `amp` of a kind of devices, whose functions need no `device_type`."""
    return SimpleNamespace(autocast=autocast_for(kind), GradScaler=GradScaler)


def _memory(given: Any = None) -> int:
    """Return the bytes in use on a GPU; 0 without one, as torch does."""
    return ca.device_memory(str(device("cuda" if given is None else given))).used if accelerators() else 0


def _most_memory(given: Any = None) -> int:
    """Return 0 without a GPU, as torch does."""
    if accelerators():
        raise CoreArrayNotImplementedError(
            "no backend tells the greatest memory that a GPU had in use; ask memory_allocated"
        )
    return 0


CUDA = SimpleNamespace(
    is_available=lambda: accelerators() > 0,
    device_count=accelerators,
    current_device=lambda: 0,
    get_device_name=lambda device=None: str(ca.list_devices("gpu")[0]),
    is_bf16_supported=lambda: accelerators() > 0,
    manual_seed=manual_seed,
    manual_seed_all=manual_seed,
    empty_cache=without_effect,
    synchronize=without_effect,
    set_device=lambda given: ca.set_default_device(str(device(given))),
    max_memory_allocated=_most_memory,
    memory_allocated=_memory,
    reset_peak_memory_stats=without_effect,
    amp=_amp("cuda"),
)
CPU = SimpleNamespace(is_available=lambda: True, amp=_amp("cpu"))
MPS = SimpleNamespace(is_available=lambda: False, is_built=lambda: False)
BACKENDS = SimpleNamespace(
    cudnn=SimpleNamespace(benchmark=False, deterministic=False, enabled=False, is_available=lambda: False), mps=MPS
)

#: The dtypes of torch's typed constructors.
KINDS = {
    "FloatTensor": ca.float32, "DoubleTensor": ca.float64, "HalfTensor": ca.float16, "BFloat16Tensor": ca.bfloat16,
    "LongTensor": ca.int64, "IntTensor": ca.int32, "ShortTensor": ca.int16, "CharTensor": ca.int8,
    "ByteTensor": ca.uint8, "BoolTensor": ca.bool,
}  # fmt: skip


def constructor(frontend: Frontend, name: str) -> Callable[..., Any]:
    """Return a typed constructor: of data, or of sizes, whose elements are zeros here."""

    def make(*given: Any) -> Any:
        if len(given) == 1 and not isinstance(given[0], int):
            return frontend.tensor(given[0], dtype=KINDS[name])
        return frontend.zeros(*given, dtype=KINDS[name])

    make.__name__ = name
    return make
