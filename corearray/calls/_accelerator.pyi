from collections.abc import Callable
from contextvars import ContextVar
from types import FunctionType
from typing import Any

def read_settings_from(variable: ContextVar[Any], record: type, /) -> None: ...
def see_slow_mode() -> None: ...
def prepare(array: type, /) -> None: ...
def accelerate_operator(array: type, operator: str, plan: CallPlan | None, /) -> None: ...
def accelerate_update(
    array: type,
    function: str,
    compute: Callable[[Any, Any], bool] | None,
    failure: Callable[[Exception], None],
    copies: dict[Any, Any],
    /,
) -> None: ...
def flatten_tree(*args: Any) -> tuple[Any, ...] | None: ...
def depends_on_other_leaves(*args: Any) -> bool | None: ...
def key_of(args: tuple[Any, ...], options: dict[str, Any], /) -> bytes | None: ...
def unflatten_tree(*args: Any) -> Any: ...

class CallPlan:
    def __new__(
        cls,
        *,
        calls: object,
        failed: Callable[..., Any] | None,
        names: tuple[str, ...],
        roles: str,
        by_name: bytes,
        by_position: int,
        defaults: tuple[Any, ...],
        functions: dict[Any, Callable[..., Any]],
        with_options: dict[Any, Callable[..., Any]],
        array: type | None,
        dtype: Any,
        truth: Any,
        integers: Any,
        gives: Any,
        native_type: type | None,
        ensured: Callable[[Any], Any] | None,
        shares: Callable[[Any], bool] | None,
        guard: Callable[..., bool] | None,
        guarded_at: bytes,
    ) -> CallPlan: ...

class Function:
    function: FunctionType
    plan: CallPlan | None
    plans: dict[object, CallPlan] | None
    def __new__(
        cls, function: FunctionType = ..., first: Callable[..., Any] = ..., *, maker: Callable[[], FunctionType] = ...
    ) -> Function: ...
    def __call__(self, *args: Any, **options: Any) -> Any: ...
    def __getattr__(self, name: str) -> Any: ...

class Scope:
    def __init__(self, make: Callable[[], tuple[Any, Callable[[], Any], Callable[[], None]]]) -> None: ...
    def __enter__(self) -> Any: ...
    def __exit__(self, *error: object) -> None: ...
