"""`torch.autocast`: within its block, products are computed in half precision and sensitive functions in float32."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable
from contextlib import ContextDecorator
from contextvars import ContextVar
from typing import Any, NamedTuple, Self

import corearray as ca
from corearray.calls.memo import answered, follow
from corearray.errors import CoreArrayRuntimeError, CoreArrayValueError
from corearray.frontend.torch.amp.lists import POLICIES
from corearray.frontend.torch.devices import accelerators
from corearray.frontend.torch.promotion import dtype_of

__all__ = [
    "autocast", "autocast_for", "autocast_function", "custom_bwd", "custom_fwd", "get_autocast_dtype",
    "is_autocast_available", "is_autocast_enabled",
]  # fmt: skip

#: The dtype of each kind of device, if a block names none.
_DTYPES = {"cpu": ca.bfloat16, "cuda": ca.float16}


class _State(NamedTuple):
    kind: str
    dtype: ca.DType


_state: ContextVar[_State | None] = ContextVar("corearray.frontend.torch.autocast", default=None)

#: The states of the blocks within a program whose code a compiler follows.
_followed: list[_State | None] = []


def _current() -> _State | None:
    return _state.get()


def _begun(state: _State | None) -> Any:
    return _state.set(state)


def _ended(token: Any) -> None:
    _state.reset(token)


@answered
def _backend_lacks(name: str) -> str:
    """Return the name of the backend if it lacks a dtype, and an empty text if not."""
    backend = ca.get_backend()
    return "" if name in {str(known) for known in backend.native_dtypes} else backend.name


follow(_current, lambda: _followed[-1] if _followed else None)
follow(_begun, lambda state: _followed.append(state))
follow(_ended, lambda token: _followed.pop())


class autocast(ContextDecorator):  # noqa: N801  torch's name
    """A block, or a decorated function, in which torch's lists of functions decide about dtypes.

    Parameters
    ----------
    device_type
        The kind of device whose lists hold, `"cpu"` or `"cuda"`.
    dtype
        The half precision, by default `bfloat16` on CPUs and `float16` on others.
    enabled
        False ends the casts of an outer block.
    cache_enabled
        Without effect.

    Examples
    --------
    >>> import corearray as ca
    >>> import corearray.frontend.torch as torch
    >>> with ca.backend_context("torch"), torch.autocast("cpu"):
    ...     (torch.ones(2, 3) @ torch.ones(3, 2)).dtype
    corearray.bfloat16
    """

    def __init__(
        self, device_type: str, dtype: Any = None, enabled: bool = True, cache_enabled: bool | None = None
    ) -> None:
        if not isinstance(device_type, str):
            raise CoreArrayValueError(f"Expected `device_type` of type `str`, got: `{type(device_type)}`")
        self.device = device_type.partition(":")[0]
        if not is_autocast_available(self.device):
            raise CoreArrayRuntimeError(f"User specified an unsupported autocast device_type '{self.device}'")
        self.fast_dtype = dtype_of(dtype) or _DTYPES[self.device]
        self._enabled = bool(enabled) and self._supported()
        self._tokens: list[Any] = []

    def _supported(self) -> bool:
        """Return whether there is such a device and dtype; torch warns and casts nothing where there is none."""
        if self.device == "cuda" and not accelerators():
            warnings.warn("CUDA is not available. Disabling autocast.", stacklevel=3)
            return False
        half = self.fast_dtype in (ca.bfloat16, ca.float16)
        lacking = _backend_lacks(str(self.fast_dtype)) if half else ca.get_backend().name
        if lacking:
            warnings.warn(
                f"autocast to {self.fast_dtype} is not supported by the backend '{lacking}'. Disabling autocast.",
                stacklevel=3,
            )
            return False
        return True

    def __enter__(self) -> Self:
        self._tokens.append(_begun(_State(self.device, self.fast_dtype) if self._enabled else None))
        return self

    def __exit__(self, *_: Any) -> None:
        _ended(self._tokens.pop())


def autocast_for(kind: str) -> Callable[..., autocast]:
    """Return `torch.cuda.amp.autocast` or its like, which needs no `device_type`."""

    def of_kind(enabled: bool = True, dtype: Any = None, cache_enabled: bool = True) -> autocast:
        return autocast(kind, dtype, enabled, cache_enabled)

    return of_kind


def is_autocast_enabled(device_type: str | None = None) -> bool:
    """Return whether calls are cast."""
    state = _current()
    return state is not None and device_type in (None, state.kind)


def is_autocast_available(device_type: str) -> bool:
    """Return whether there are lists for a kind of device."""
    return device_type in POLICIES


def get_autocast_dtype(device_type: str) -> ca.DType:
    """Return the half precision of the block, or the default one of a kind of device."""
    state = _current()
    return state.dtype if state is not None and state.kind == device_type else _DTYPES[device_type]


def autocast_function(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """Return the function of a rule with the casts of the block in force, or as it is.

    Parameters
    ----------
    name
        The rule's dotted name.
    function
        A function of arrays.
    """
    state = _current()
    if state is None:
        return function
    place, _, last = name.rpartition(".")
    space = place.rpartition(".")[2]
    policy = POLICIES[state.kind].get(f"{space}.{last}" if space in ("linalg", "fft") else last)
    if policy is None:
        return function

    def cast(*args: Any, **options: Any) -> Any:
        if last == "pad" and not _pads_by_edges(*args, **options):
            return function(*args, **options)
        wanted = state.dtype if policy == "half" else ca.float32
        if policy == "widest":
            wanted = ca.float32 if ca.float32 in _dtypes((args, options)) else state.dtype
        return function(*(_cast(x, wanted) for x in args), **{key: _cast(x, wanted) for key, x in options.items()})

    return cast


def _pads_by_edges(input: Any, pad: Any, mode: str = "constant", value: Any = None) -> bool:
    """Return whether `torch.nn.functional.pad` calls one of the paddings that are in the lists."""
    return mode == "replicate" or (mode == "reflect" and len(pad) < 6)


def _casts(x: Any) -> bool:
    """Return whether an argument is one that torch casts: of real numbers, and not float64."""
    return isinstance(x, ca.Array) and x.dtype.category == "real floating" and x.dtype != ca.float64


def _cast(x: Any, dtype: ca.DType) -> Any:
    if isinstance(x, (tuple, list)):
        return type(x)(_cast(part, dtype) for part in x)
    return ca.astype(x, dtype) if _casts(x) and x.dtype != dtype else x


def _dtypes(x: Any) -> set[ca.DType]:
    if isinstance(x, (tuple, list)):
        return {dtype for part in x for dtype in _dtypes(part)}
    if isinstance(x, dict):
        return _dtypes(tuple(x.values()))
    return {x.dtype} if _casts(x) else set()


def custom_fwd(fwd: Any = None, *, device_type: str = "cuda", cast_inputs: Any = None) -> Any:
    """Decorate `forward` of a `torch.autograd.Function`: with `cast_inputs` its tensors are cast, and calls within are not."""
    if fwd is None:
        return functools.partial(custom_fwd, device_type=device_type, cast_inputs=cast_inputs)

    @functools.wraps(fwd)
    def decorated(*args: Any, **options: Any) -> Any:
        if cast_inputs is None or not is_autocast_enabled(device_type):
            return fwd(*args, **options)
        dtype = dtype_of(cast_inputs)
        given = [x.to(dtype) if hasattr(x, "array") and _casts(x.array) else x for x in args]
        with autocast(device_type, enabled=False):
            return fwd(*given, **options)

    return decorated


def custom_bwd(bwd: Any = None, *, device_type: str = "cuda") -> Any:
    """Decorate `backward` of a `torch.autograd.Function`: its calls are cast as those of `forward`, which they are anyway."""
    return functools.partial(custom_bwd, device_type=device_type) if bwd is None else bwd
