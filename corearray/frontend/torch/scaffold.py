"""Names that programs of torch use around their functions: devices, compilers, typed constructors, switches of the process."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import corearray as ca
from corearray.errors import CoreArrayNotImplementedError, CoreArrayRuntimeError

if TYPE_CHECKING:
    from corearray.frontend.frontend import Frontend

__all__ = ["BACKENDS", "CUDA", "KINDS", "MPS", "Generator", "as_is", "constructor", "device", "without_effect"]


class device(str):  # noqa: N801  torch's name
    """A device, such as `device("cpu")` or `device("cuda", 1)`: its text, with `type` and `index`.

    Examples
    --------
    >>> device("cuda:1").index, device("cpu") == "cpu"
    (1, True)
    """

    __slots__ = ("index", "type")
    type: str
    index: int | None  # type: ignore[assignment]  # torch's attribute, which hides the method of texts

    def __new__(cls, type: Any = "cpu", index: int | None = None) -> device:
        """Return the device of a text, or of a type and a number."""
        if isinstance(type, int):
            type, index = "cuda", type
        kind, colon, number = str(type).partition(":")
        if not kind.isidentifier() or (colon and (index is not None or not number.isdigit())):
            raise CoreArrayRuntimeError(f"Invalid device string: '{type}'")
        index = int(number) if colon else index
        made = super().__new__(cls, kind if index is None else f"{kind}:{index}")
        made.type, made.index = kind, index
        return made

    def __repr__(self) -> str:
        given = f"type='{self.type}'" + ("" if self.index is None else f", index={self.index}")
        return f"device({given})"


def _accelerators() -> int:
    """Return how many GPUs the backend in force has."""
    return len(ca.list_devices("gpu"))


def as_is(function: Any = None, *_: Any, **__: Any) -> Any:
    """Return a function or module as it is, as `torch.compile` and `torch.jit.script` do for its results; also a decorator."""
    return (lambda given: given) if function is None else function


def without_effect(*_: Any, **__: Any) -> None:
    """Do nothing: a switch of torch's process that changes no result."""


CUDA = SimpleNamespace(
    is_available=lambda: _accelerators() > 0,
    device_count=_accelerators,
    manual_seed=lambda seed: ca.random.seed(seed),
    manual_seed_all=lambda seed: ca.random.seed(seed),
    empty_cache=without_effect,
    synchronize=without_effect,
)
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


class Generator:
    """A generator to pass as `generator=`; draws come from the context's generator, which `manual_seed` seeds."""

    def __init__(self, device: Any = "cpu") -> None:
        raise CoreArrayNotImplementedError(
            "random functions of this frontend draw from the context's generator; write torch.manual_seed(7) in place of a "
            "torch.Generator"
        )
