"""The table of settings: what users may switch, and what each of them takes.

All settings go one way: `set_settings` checks values and replaces fields of the record of the current context
(`corearray.settings.context`), so that each belongs to its thread or task. `set_...` functions call it, and
`settings(...)` undoes it at the end of a block.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from corearray.errors import CoreArrayTypeError, CoreArrayValueError, options
from corearray.settings import context
from corearray.settings.record import Settings
from corearray.settings.scope import Scope
from corearray.types.devices import as_device
from corearray.types.dtypes import as_dtype
from corearray.types.mesh import Mesh
from corearray.types.namedtuples import NamedTuple

__all__ = ["SETTINGS", "Setting", "reset_setting", "set_settings", "settings"]

#: What `corearray list-functions` says of the functions here that are no declarations.
__kind__ = "convenience"


class Setting(NamedTuple):
    """One line of the table.

    Attributes
    ----------
    field
        The field of the record that holds it.
    stored
        From the former content of the field and a value to the new content; raises for a value that is none.
    start
        The value that a program starts with.
    """

    field: str
    stored: Callable[[Any, Any], Any]
    start: Any


def _one_of(name: str, *choices: str) -> Callable[[Any, Any], str]:
    def stored(former: object, value: Any) -> str:
        if value not in choices:
            raise CoreArrayValueError(f"{name} cannot be {value!r}; it is one of {options(choices)}")
        return str(value)

    return stored


def _positive(name: str) -> Callable[[Any, Any], float]:
    def stored(former: object, value: Any) -> float:
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise CoreArrayTypeError(f"{name} is a number, not {type(value).__name__}")
        if not 0 < value < float("inf"):
            raise CoreArrayValueError(f"{name} cannot be {value!r}; it is a positive number")
        return float(value)

    return stored


def _digits(former: object, value: Any) -> int | None:
    if value is not None and (isinstance(value, bool) or not isinstance(value, int)):
        raise CoreArrayTypeError(f"print_precision is an integer or None, not {type(value).__name__}")
    if value is not None and value < 0:
        raise CoreArrayValueError(f"print_precision cannot be {value}; it is a number of digits, or None")
    return value


def _default_dtype(kind: str, *dtype_kinds: str) -> Callable[[Any, Any], Any]:
    def stored(former: Any, value: Any) -> Any:
        dtype = as_dtype(value)
        if dtype.category not in dtype_kinds:
            raise CoreArrayTypeError(
                f"'{dtype}' cannot be the default dtype of {kind} numbers; give one of the kind {options(dtype_kinds)}"
            )
        return {**former, kind: dtype}

    return stored


def _mesh(former: object, value: Any) -> Mesh | None:
    if value is not None and not isinstance(value, Mesh):
        raise CoreArrayTypeError(f"mesh is a Mesh or None, not {type(value).__name__}")
    return value


#: Each setting by its name.
SETTINGS: dict[str, Setting] = {
    "array_mode": Setting("native_arrays", lambda former, mode: not mode, True),
    "nestable_mode": Setting("nestable", lambda former, mode: bool(mode), True),
    "soft_device_mode": Setting("soft_device", lambda former, mode: bool(mode), False),
    "shape_array_mode": Setting("shape_arrays", lambda former, mode: bool(mode), False),
    "nan_policy": Setting(
        "nan_policy",
        _one_of("nan_policy", "nothing", "warns", "raise"),
        "nothing",
    ),
    "inplace_mode": Setting("inplace", _one_of("inplace_mode", "lenient", "strict"), "lenient"),
    "exception_trace_mode": Setting("trace", _one_of("exception_trace_mode", "short", "full"), "short"),
    "default_device": Setting("device", lambda former, device: None if device is None else as_device(device), None),
    "default_float_dtype": Setting("dtypes", _default_dtype("real floating", "real floating"), "float32"),
    "default_int_dtype": Setting("dtypes", _default_dtype("integral", "signed integer"), "int64"),
    "default_uint_dtype": Setting("dtypes", _default_dtype("unsigned", "unsigned integer"), "uint64"),
    "default_complex_dtype": Setting("dtypes", _default_dtype("complex floating", "complex floating"), "complex64"),
    "min_denominator": Setting("min_denominator", _positive("min_denominator"), 1e-12),
    "min_base": Setting("min_base", _positive("min_base"), 1e-5),
    "print_precision": Setting("precision", _digits, None),
    "mesh": Setting("mesh", _mesh, None),
    "compute": Setting("compute", _one_of("compute", "allowed", "warn", "raise"), "allowed"),
}


def set_settings(**values: Any) -> Settings:
    """Change settings in the current context and return the former record; a wrong value changes nothing."""
    return context.change(**_changes(values))


def _changes(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the new contents of fields of the record."""
    record = context.current_settings()
    changes: dict[str, Any] = {}
    for name, value in values.items():
        setting = SETTINGS.get(name)
        if setting is None:
            raise CoreArrayTypeError(f"there is no setting '{name}'; settings are {options(SETTINGS)}")
        former = changes.get(setting.field, getattr(record, setting.field))
        changes[setting.field] = setting.stored(former, value)
    device = changes.get("device")
    if device is not None and record.backend is not None:
        record.backend.native_device(device)
    return changes


def reset_setting(name: str) -> None:
    """Return to the value of a setting that a program starts with."""
    set_settings(**{name: SETTINGS[name].start})


def settings(**values: Any) -> Scope[None]:
    """Change settings within a block; afterwards they are what they were before.

    Parameters
    ----------
    **values
        Settings by name: `array_mode`, `compute`, `default_complex_dtype`, `default_device`, `default_float_dtype`,
        `default_int_dtype`, `default_uint_dtype`, `exception_trace_mode`, `inplace_mode`, `mesh`, `min_base`,
        `min_denominator`, `nan_policy`, `nestable_mode`, `print_precision`, `shape_array_mode`, `soft_device_mode`. Each also
        has functions to look it up, to set it and to unset it, such as `nan_policy`, `set_nan_policy` and `unset_nan_policy`.

    Raises
    ------
    TypeError, ValueError
        For a name that is none, or a value that the setting does not take. Then nothing has changed.
    DeviceError
        If a backend is set and lacks the default device, as in `set_default_device`.

    Examples
    --------
    >>> import corearray as ca
    >>> with ca.settings(default_float_dtype=ca.float64, nan_policy="raise"):
    ...     ca.zeros(1).dtype
    corearray.float64
    >>> ca.zeros(1).dtype, ca.nan_policy()
    (corearray.float32, 'nothing')
    """
    return context.changed(partial(_changes, values))
