"""Capabilities of a namespace, as the array API standard's inspection functions report them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from corearray.errors import CoreArrayValueError
from corearray.functional.data_type import isdtype
from corearray.settings.context import current_settings
from corearray.types.dtypes import DTYPES, DType

if TYPE_CHECKING:
    from corearray.backends.backend import Backend
    from corearray.types.devices import Device

__all__ = ["NamespaceInfo", "NativeNamespaceInfo", "__array_namespace_info__"]

#: What `corearray list-functions` says of the functions here that are no declarations.
__kind__ = "convenience"

_STANDARD = (
    "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
    "float32", "float64", "complex64", "complex128",
)  # fmt: skip


class NamespaceInfo:
    """Inspection functions of a backend.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.__array_namespace_info__().default_dtypes()["real floating"]
    corearray.float32

    Notes
    -----
    Array API standard 2025.12, "Inspection".
    """

    def __init__(self, backend: Backend) -> None:
        self._backend = backend

    def _known(self, device: Any) -> None:
        from corearray.types.devices import as_device

        if device is not None and as_device(device) not in self._backend.devices():
            raise CoreArrayValueError(
                f"backend '{self._backend.name}' has no device '{device}'; it has {self._backend.devices()}"
            )

    def _dtype(self, dtype: DType) -> Any:
        return dtype

    def capabilities(self) -> dict[str, Any]:
        """Return the capabilities by name: boolean indexing, data-dependent shapes, maximum number of axes."""
        found = {"boolean indexing": True, "data-dependent shapes": True, "max dimensions": None}
        return {**found, **self._backend.fact("capabilities")}

    def default_device(self) -> Device | None:
        """Return the device of new arrays."""
        return current_settings().device or self._backend.devices()[0]

    def default_dtypes(self, *, device: Any = None) -> dict[str, Any]:
        """Return the default dtypes by kind."""
        self._known(device)
        table = current_settings().dtypes
        kinds = ("real floating", "complex floating", "integral")
        found = {kind: self._dtype(self._backend.own_dtype(table[kind])) for kind in kinds}
        found["indexing"] = self._dtype(self._backend.own_dtype(DTYPES["int64"]))
        return found

    def dtypes(self, *, device: Any = None, kind: str | tuple[str, ...] | None = None) -> dict[str, Any]:
        """Return the standard's dtypes that the backend supports, by name; of one kind or of all."""
        self._known(device)
        known = {dtype.name: dtype for dtype in self._backend.native_dtypes if dtype.name in _STANDARD}
        return {name: self._dtype(d) for name, d in known.items() if kind is None or isdtype(d, kind)}

    def devices(self) -> tuple[Device, ...]:
        """Return the devices."""
        return self._backend.devices()


class NativeNamespaceInfo(NamespaceInfo):
    """Inspection functions of a backend with native dtypes and devices."""

    def _dtype(self, dtype: DType) -> Any:
        return self._backend.native_dtype(dtype)

    def _known(self, device: Any) -> None:
        if isinstance(device, str) or device is None:
            super()._known(device)

    def default_device(self) -> Any:
        """Return the native device of new arrays."""
        found = super().default_device()
        return None if found is None else self._backend.native_device(found)

    def devices(self) -> tuple[Any, ...]:
        """Return the native devices."""
        return tuple(self._backend.native_device(device) for device in self._backend.devices())


def __array_namespace_info__() -> NamespaceInfo:  # noqa: N807  (the standard's name)
    """Return what the backend in force, or the implicit one, can do.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.__array_namespace_info__().capabilities()["boolean indexing"]
    True
    """
    from corearray.calls.dispatch import resolve

    return NamespaceInfo(resolve(()))
