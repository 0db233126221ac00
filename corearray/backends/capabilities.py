"""Defaults for the facts of a backend that few of them need to state."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import FunctionType
from typing import Any

import pluggy

__all__ = ["elements_text"]

_default = pluggy.HookimplMarker("corearray")(trylast=True)


@_default
def devices() -> Sequence[str]:
    return ("cpu",)


@_default
def native_device(name: str) -> Any:
    return name


@_default
def device_name(device: Any) -> str:
    return str(device)


@_default
def device_of(x: Any) -> str:
    return "cpu"


@_default
def is_layout(device: Any) -> bool:
    return False


@_default
def move(x: Any, device: Any) -> Any:
    return x


@_default
def to_dlpack(x: Any, stream: Any, max_version: Any, dl_device: Any, copy: Any) -> Any:
    given = {"stream": stream, "max_version": max_version, "dl_device": dl_device, "copy": copy}
    return x.__dlpack__(**{name: value for name, value in given.items() if value is not None})


@_default
def dlpack_device(x: Any) -> tuple[Any, int]:
    found: tuple[Any, int] = x.__dlpack_device__()
    return found


@_default
def records_gradient(x: Any) -> bool:
    return False


@_default
def writes_in_place() -> bool:
    return False


@_default
def promotes_arrays() -> bool:
    return False


@_default
def updates() -> Mapping[str, Callable[[Any, Any], bool]]:
    return {}


@_default
def memory_of(x: Any) -> Any:
    return None


@_default
def as_array(value: Any) -> Any:
    return value


@_default
def error_kind(error: Exception) -> type[Exception] | None:
    return None


@_default
def held_array(value: object) -> Any:
    return None


@_default
def advice(value: object) -> str | None:
    return None


@_default
def memory_of_device(device: Any) -> tuple[int, int] | None:
    return None


@_default
def capabilities() -> dict[str, Any]:
    return {}


@_default
def register_array(array_class: type) -> None:
    return None


@_default
def register_container(container_class: type) -> None:
    return None


@_default
def register_function(function: FunctionType) -> None:
    return None


@_default
def register_tracing(constants: Sequence[FunctionType], traced: Mapping[FunctionType, FunctionType]) -> None:
    return None


@_default
def diagnostics() -> dict[str, str]:
    return {}


def elements_text(elements: Any, precision: int | None, margin: int = 1) -> str:
    """Write nested lists of numbers, for a backend without `text`: long ones shortened, each row in a line of its own.

    Parameters
    ----------
    elements
        Lists, or one number.
    precision
        Digits after the point; by default eight that count.
    margin
        In which column rows begin.

    Examples
    --------
    >>> print(elements_text([[1.0, 0.1], [2.5, -3.0]], None))
    [[1.0, 0.1],
     [2.5, -3.0]]
    """
    if not isinstance(elements, list):
        return _number(elements, precision)
    shown = [elements_text(item, precision, margin + 1) for item in (elements[:3] if len(elements) > 100 else elements)]
    if len(elements) > 100:
        shown += ["...", *(elements_text(item, precision, margin + 1) for item in elements[-3:])]
    deep = bool(elements) and isinstance(elements[0], list)
    return "[" + (",\n" + " " * margin if deep else ", ").join(shown) + "]"


def _number(value: Any, precision: int | None) -> str:
    if isinstance(value, complex):
        imaginary = _number(value.imag, precision)
        return f"{_number(value.real, precision)}{'' if imaginary.startswith('-') else '+'}{imaginary}j"
    if not isinstance(value, float):
        return str(value)
    return repr(round(value, precision)) if precision is not None else repr(float(f"{value:.8g}"))
