"""pymanopt: costs of arrays, with gradients and Hessians by the backend in force. Points stay NumPy's arrays."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

import corearray as ca

__all__ = ["Functions", "register"]


def register() -> None:
    """Add the decorator `pymanopt.function.corearray`."""
    function: Any = import_module("pymanopt.function")
    base = import_module("pymanopt.autodiff.backends._backend").Backend
    factory = import_module("pymanopt.autodiff").backend_decorator_factory
    function.corearray = factory(type("CorearrayBackend", (Functions, base), {}))


class Functions:
    """The functions that pymanopt asks of a backend."""

    def __init__(self) -> None:
        super().__init__("corearray")  # type: ignore[call-arg]

    @staticmethod
    def is_available() -> bool:
        return True

    def prepare_function(self, function: Callable[..., Any]) -> Callable[..., Any]:
        def prepared(*points: Any) -> Any:
            found = function(*map(ca.asarray, points))
            return found.item() if isinstance(found, ca.Array) else found

        return prepared

    def generate_gradient_operator(self, function: Callable[..., Any], num_arguments: int) -> Callable[..., Any]:
        gradient = ca.grad(_of_parts(function))

        def operator(*points: Any) -> Any:
            found = [_joined(part) for part in gradient(_parts(points))]
            return found[0] if num_arguments == 1 else found

        return operator

    def generate_hessian_operator(self, function: Callable[..., Any], num_arguments: int) -> Callable[..., Any]:
        gradient = ca.grad(_of_parts(function))

        def operator(*arguments: Any) -> Any:
            half = len(arguments) // 2
            points, vectors = _parts(arguments[:half]), _parts(arguments[half:])
            _, along = ca.jvp(gradient, (points,), (vectors,))
            found = [_joined(part) for part in along]
            return found[0] if num_arguments == 1 else found

        return operator


def _parts(points: Any) -> list[Any]:
    """Convert points to arrays, complex ones to a pair of their parts: derivatives are by real numbers."""
    arrays = map(ca.asarray, points)
    return [(ca.real(x), ca.imag(x)) if ca.isdtype(x.dtype, "complex floating") else x for x in arrays]


def _joined(part: Any) -> Any:
    """Return the NumPy array of a point or gradient, of complex ones by its parts."""
    return ca.to_numpy(ca.complex(*part) if isinstance(part, tuple) else part)


def _of_parts(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return the function of a list of parts."""

    def of_parts(parts: Any) -> Any:
        return function(*(ca.complex(*part) if isinstance(part, tuple) else part for part in parts))

    return of_parts
