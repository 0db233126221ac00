"""Defaults for the facts of a backend that few of them need to state."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import FunctionType
from typing import Any

import pluggy

__all__: list[str] = []

_default = pluggy.HookimplMarker("corearray")(trylast=True)


@_default
def writes_in_place() -> bool:
    return False


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
