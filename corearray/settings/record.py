"""The record of all settings that a context has in force."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from corearray.calls.accelerated import accelerator
from corearray.logs import listens
from corearray.types import dtypes
from corearray.types.dtypes import DType

if TYPE_CHECKING:
    from corearray.backends.backend import Backend
    from corearray.backends.namespace import Calls
    from corearray.types.devices import Device
    from corearray.types.mesh import Mesh

__all__ = ["DTYPES_AT_START", "Settings", "slow_mode"]

_PYTHON_KINDS: dict[object, str] = {bool: "bool", int: "integral", float: "real floating", complex: "complex floating"}


#: The default dtypes that a program starts with.
DTYPES_AT_START: dict[str, DType] = {
    "bool": dtypes.bool,
    "integral": dtypes.int64,
    "real floating": dtypes.float32,
    "complex floating": dtypes.complex64,
    "unsigned": dtypes.uint64,
}


class Settings:
    """One immutable record of settings; `replaced` makes the next one.

    Attributes
    ----------
    backend
        The backend in force, or `None`.
    implicit
        The backend that arrays of the last calls had, or `None` before the first call.
    stack
        What `set_backend` and `backend_context` pushed: pairs of a backend and whether the process's default got it too.
    dtypes
        The default dtypes by kind: `"bool"`, `"integral"`, `"real floating"`, `"complex floating"`.
    device
        The default device, or `None` for the backend's own.
    soft_device
        Whether arrays on different devices are brought together.
    native_arrays
        Whether functions return native arrays.
    nestable
        Whether functions map over the leaves of Containers.
    nan_policy
        What is done about NaN in results: `"nothing"`, `"warns"` or `"raise"`.
    shape_arrays
        Whether `shape` returns an array.
    trace
        Whether tracebacks of errors are `"short"` or `"full"`.
    min_denominator, min_base
        What `stable_divide` and `stable_pow` add.
    precision
        Digits after the point in texts of arrays, or `None` for the framework's own.
    mesh
        The mesh on which new arrays are, or `None`.
    inplace
        `"lenient"` if an array that cannot be written in place gets another native one, `"strict"` if that is refused.
    calls, implicit_calls
        The functions of `backend` and of `implicit`.
    slow
        Whether a mode is in force that only the pipeline of stages knows, so that no call may take a fast path.
    fast_calls
        The functions of the backend on whose arrays a call changes no setting: that of `backend`, else of `implicit`.
        `None` in slow mode. While the log tells where the backend of each call comes from, this one, `calls` and
        `implicit_calls` are `None`, so that public functions ask `resolve`.
    by_class
        Records that differ in the implicit backend alone, by the class of its arrays, so that calls without a backend in
        force find the next record. These records share the dictionary.
    """

    __slots__ = (
        "backend", "by_class", "calls", "compute", "device", "dtypes", "fast_calls", "implicit", "implicit_calls",
        "inplace", "mesh", "min_base", "min_denominator", "nan_policy", "native_arrays", "nestable", "precision",
        "shape_arrays", "slow", "soft_device", "stack", "trace",
    )  # fmt: skip

    backend: Backend | None
    implicit: Backend | None
    stack: tuple[tuple[Backend, bool], ...]
    dtypes: dict[str, DType]
    device: Device | None
    soft_device: bool
    native_arrays: bool
    nestable: bool
    nan_policy: str
    shape_arrays: bool
    trace: str
    min_denominator: float
    min_base: float
    precision: int | None
    inplace: str
    mesh: Mesh | None
    compute: str

    calls: Calls | None
    implicit_calls: Calls | None
    fast_calls: Calls | None
    by_class: dict[type, Settings]
    slow: bool

    def __init__(self) -> None:
        self.backend = self.calls = None
        self.implicit = self.implicit_calls = None
        self.fast_calls = None
        self.by_class = {}
        self.slow = False
        self.stack = ()
        self.dtypes = DTYPES_AT_START
        self.device = None
        self.soft_device = False
        self.native_arrays = False
        self.nestable = True
        self.nan_policy = "nothing"
        self.shape_arrays = False
        self.trace = "short"
        self.min_denominator = 1e-12
        self.min_base = 1e-5
        self.precision = None
        self.inplace = "lenient"
        self.mesh = None
        self.compute = "allowed"

    def replaced(self, **changes: Any) -> Settings:
        """Return a copy with some fields changed; `backend` follows `stack`."""
        new = Settings.__new__(Settings)
        for field in Settings.__slots__:
            setattr(new, field, getattr(self, field))
        for field, value in changes.items():
            setattr(new, field, value)
        if "stack" in changes:
            new.backend = new.stack[-1][0] if new.stack else None
        new.derive()
        return new

    def derive(self) -> None:
        """Set the fields by which calls find their functions."""
        told_each = listens()
        self.calls = None if self.backend is None or told_each else self.backend.calls
        self.implicit_calls = None if self.implicit is None or told_each else self.implicit.calls
        self.slow = self.native_arrays or self.nan_policy != "nothing"
        self.fast_calls = None if self.slow else self.calls or self.implicit_calls
        self.by_class = {}
        if self.slow:
            slow_mode.note()

    def default_dtype_of(self, python_type: type) -> DType:
        """The dtype of Python numbers of this type."""
        return self.dtypes[_PYTHON_KINDS[python_type]]


class _SlowMode:
    """Notes whether any context was ever in slow mode. Until then no fast path of a backend reads its context."""

    __slots__ = ("seen",)

    def __init__(self) -> None:
        self.seen = False

    def note(self) -> None:
        """Let fast paths look at the record in force from now on."""
        self.seen = True
        if accelerator:
            accelerator.see_slow_mode()


slow_mode = _SlowMode()
