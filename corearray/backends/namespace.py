"""The places where the functions of a backend lie, each filled when a function is first used.

What was composed once is a plain attribute from then on, so that nothing stands between a call and its function.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from corearray.backends.hinting import hint
from corearray.contract.declaration import DECLARATIONS
from corearray.errors import CoreArrayAttributeError
from corearray.settings.context import DEFAULT_BACKEND
from corearray.types.constants import CONSTANTS
from corearray.types.dtypes import DTYPES

if TYPE_CHECKING:
    from corearray.backends.backend import Backend

__all__ = ["API_VERSION", "FROM_DTYPES", "Calls", "Composed", "Namespace", "NativeNamespace", "names_in"]

#: The edition of the array API standard that the namespaces follow.
API_VERSION = "2025.12"

#: The functions that answer from dtypes alone, on every backend alike.
FROM_DTYPES = ("can_cast", "finfo", "iinfo", "isdtype", "result_type")


def names_in(namespace: object) -> set[str]:
    """Return what a backend's main namespace, or that of its native functions, has besides dtypes."""
    functions = {name for name, declaration in DECLARATIONS.items() if declaration.main}
    return {*object.__dir__(namespace), "__array_namespace_info__", *functions, *FROM_DTYPES, *CONSTANTS}


class Calls:
    """The functions of a backend for the dispatchers, as plain attributes.

    In a class without `__getattr__` Python 3.11 looks an attribute up three times faster. A function that was not called
    yet composes itself.
    """

    def __init__(self, backend: Backend) -> None:
        self.backend = backend
        #: Whether it is the backend with which programs begin that chose none.
        self.is_default = backend.name == DEFAULT_BACKEND
        for name in DECLARATIONS:
            self.add_function(name)

    def add_function(self, name: str) -> None:
        """Make room for a function."""

        def composed(name: str) -> Any:
            function = self.backend.binding(name).function
            self.backend.install_plan(DECLARATIONS[name])
            return function

        def compose_and_call(*args: Any, **options: Any) -> Any:
            self.backend.put(self, name, composed)
            return getattr(self, name)(*args, **options)

        setattr(self, name, compose_and_call)


class Composed:
    """What is made of each function of a backend when a call first needs it, as plain attributes."""

    def __init__(self, backend: Backend, make: Callable[[str], Any]) -> None:
        self._backend = backend
        self._make = make

    def __getattr__(self, name: str) -> Any:
        self.compose(name)
        return getattr(self, name)

    def compose(self, name: str) -> None:
        """Make what is first used, and leave it here."""
        self._backend.put(self, name, self._make)


class Namespace:
    """The functions of one extension, `linalg` or `fft`, on one backend."""

    def __init__(
        self, name: str, get: Callable[[str], Any], owner: Backend | NativeNamespace, backend: Backend
    ) -> None:
        self._name = name
        self._get = get
        self._owner = owner
        self._backend = backend

    def __getattr__(self, name: str) -> Any:
        self.compose(name)
        return getattr(self, name)

    def compose(self, name: str) -> None:
        """Compose a function when it is first used, and leave it in the namespace."""
        declaration = DECLARATIONS.get(name)
        if declaration is None or declaration.namespace != self._name:
            raise CoreArrayAttributeError(
                f"the extension '{self._name}' has no function '{name}'; it has {self.__dir__()}"
            )
        self._backend.put(self, name, self._get)

    def __dir__(self) -> list[str]:
        return sorted(name for name, declaration in DECLARATIONS.items() if declaration.namespace == self._name)

    def __repr__(self) -> str:
        return f"<extension '{self._name}'>"

    def __reduce__(self) -> tuple[Any, ...]:
        return getattr, (self._owner, self._name)


class NativeNamespace:
    """The functions of a backend on native arrays, with native dtypes and devices."""

    __array_api_version__ = API_VERSION

    def __init__(self, backend: Backend) -> None:
        self._backend = backend
        self.__name__ = f"corearray.{backend.name}.native"
        self.linalg = Namespace("linalg", lambda name: backend.binding(name).native, self, backend)
        self.fft = Namespace("fft", lambda name: backend.binding(name).native, self, backend)

    def __getattr__(self, name: str) -> Any:
        self.compose(name)
        return getattr(self, name)

    def compose(self, name: str) -> None:
        """Make what the namespace has under a name when it is first used, and leave it there."""
        backend = self._backend
        declaration = DECLARATIONS.get(name)
        value: Any
        if declaration is not None and declaration.main:
            backend.put(self, name, lambda name: backend.binding(name).native)
            return
        if name in DTYPES and DTYPES[name] in backend.native_dtypes:
            value = backend.native_dtypes[DTYPES[name]]
        elif name in CONSTANTS:
            value = CONSTANTS[name]
        elif name in FROM_DTYPES:
            value = _answering_natively(name, backend)
        elif name == "__array_namespace_info__":
            from corearray.functional.info import NativeNamespaceInfo

            value = partial(NativeNamespaceInfo, backend)
        else:
            advice = hint(name) or "; see dir() for what there is"
            raise CoreArrayAttributeError(f"the native namespace of backend '{backend.name}' has no '{name}'{advice}")
        setattr(self, name, value)

    def __dir__(self) -> list[str]:
        return sorted(names_in(self) | {dtype.name for dtype in self._backend.native_dtypes})

    def __repr__(self) -> str:
        return f"<native namespace of corearray backend '{self._backend.name}'>"

    def __reduce__(self) -> tuple[Any, ...]:
        return getattr, (self._backend, "native")


def _answering_natively(name: str, backend: Backend) -> Callable[..., Any]:
    """Return one of the functions on dtypes for the native namespace: it answers with native dtypes."""
    from corearray.functional import data_type

    function: Callable[..., Any] = getattr(data_type, name)
    if name == "result_type":
        return lambda *arrays_and_dtypes: backend.native_dtype(function(*arrays_and_dtypes))
    if name not in ("finfo", "iinfo"):
        return function

    def info(type: Any, /) -> Any:
        found = function(type)
        found.dtype = backend.native_dtype(found.dtype)
        return found

    return info
