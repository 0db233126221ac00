"""`Transform`, and the inverse of one.

Source: https://docs.pytorch.org/docs/stable/distributions.html#module-torch.distributions.transforms
"""

from __future__ import annotations

from typing import Any

from corearray.errors import CoreArrayNotImplementedError, CoreArrayValueError
from corearray.frontend.torch.distributions import constraints

__all__ = ["InverseTransform", "Transform"]


class Transform:
    """A change of variables; derived classes have `_call`, `_inverse` and `log_abs_det_jacobian`.

    Attributes
    ----------
    domain, codomain
        The regions of what it takes and of what it returns.
    bijective
        Whether `t.inv` undoes it.
    sign
        1 if it rises, -1 if it falls.
    """

    bijective: Any = False
    domain: Any
    codomain: Any

    def __init__(self, cache_size: int = 0) -> None:
        if cache_size not in (0, 1):
            raise CoreArrayValueError(f"cache_size must be 0 or 1, got {cache_size}")
        self._cache_size = cache_size
        self._inv: Any = None
        self._last: tuple[Any, Any] = (None, None)

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "_inv": None}

    @property
    def event_dim(self) -> Any:
        """The number of axes of an event, where it is the same on both sides."""
        if self.domain.event_dim == self.codomain.event_dim:
            return self.domain.event_dim
        raise CoreArrayValueError("Please use either .domain.event_dim or .codomain.event_dim")

    @property
    def inv(self) -> Any:
        """The inverse; its own inverse is this transform."""
        if self._inv is None:
            self._inv = InverseTransform(self)
        return self._inv

    @property
    def sign(self) -> Any:
        """1 where the transform increases, -1 where it decreases."""
        raise CoreArrayNotImplementedError(f"'{type(self).__name__}' has no sign")

    def with_cache(self, cache_size: int = 1) -> Any:
        """Return the transform with another size of its cache."""
        if self._cache_size == cache_size:
            return self
        return type(self)(**self._options(), cache_size=cache_size)

    def _options(self) -> dict[str, Any]:
        """Return the arguments that make the transform, without the size of the cache."""
        if type(self).__init__ is Transform.__init__:
            return {}
        raise CoreArrayNotImplementedError(f"'{type(self).__name__}' has no with_cache")

    def __eq__(self, other: object) -> bool:
        return self is other

    __hash__ = None  # type: ignore[assignment]

    def __call__(self, x: Any) -> Any:
        """Return what a value becomes."""
        if self._cache_size and x is self._last[0]:
            return self._last[1]
        return self._kept(x, self._call(x))[1]

    def _inv_call(self, y: Any) -> Any:
        """Return what becomes a value."""
        if self._cache_size and y is self._last[1]:
            return self._last[0]
        return self._kept(self._inverse(y), y)[0]

    def _kept(self, x: Any, y: Any) -> tuple[Any, Any]:
        if self._cache_size:
            self._last = (x, y)
        return x, y

    def _call(self, x: Any) -> Any:
        raise CoreArrayNotImplementedError(f"'{type(self).__name__}' has no _call")

    def _inverse(self, y: Any) -> Any:
        raise CoreArrayNotImplementedError(f"'{type(self).__name__}' has no _inverse")

    def log_abs_det_jacobian(self, x: Any, y: Any) -> Any:
        """Return the logarithm of `|dy/dx|`."""
        raise CoreArrayNotImplementedError(f"'{type(self).__name__}' has no log_abs_det_jacobian")

    def forward_shape(self, shape: Any) -> Any:
        """Return the shape of the result for a shape."""
        return shape

    def inverse_shape(self, shape: Any) -> Any:
        """Return the shape that results in a shape."""
        return shape

    def __repr__(self) -> str:
        return f"{type(self).__name__}()"


class InverseTransform(Transform):
    """The inverse of a transform."""

    def __init__(self, transform: Transform) -> None:
        super().__init__(transform._cache_size)
        self._inv = transform

    @constraints.dependent_property(is_discrete=False)
    def domain(self) -> Any:
        """The region of what it takes."""
        return self._inv.codomain

    @constraints.dependent_property(is_discrete=False)
    def codomain(self) -> Any:
        """The region of what it returns."""
        return self._inv.domain

    @property
    def bijective(self) -> Any:
        """Whether the transform has one inverse."""
        return self._inv.bijective

    @property
    def sign(self) -> Any:
        """1 where the transform increases, -1 where it decreases."""
        return self._inv.sign

    def __getstate__(self) -> dict[str, Any]:
        return vars(self)

    def with_cache(self, cache_size: int = 1) -> Any:
        """Return the transform with another size of its cache."""
        return self._inv.with_cache(cache_size).inv

    def __eq__(self, other: object) -> bool:
        return isinstance(other, InverseTransform) and bool(self._inv == other._inv)

    __hash__ = None

    def __call__(self, x: Any) -> Any:
        """Return what becomes a value."""
        return self._inv._inv_call(x)

    def _inv_call(self, y: Any) -> Any:
        return self._inv(y)

    def log_abs_det_jacobian(self, x: Any, y: Any) -> Any:
        """Return the logarithm of `|dy/dx|`."""
        return -self._inv.log_abs_det_jacobian(y, x)

    def forward_shape(self, shape: Any) -> Any:
        """Return the shape of the result for a shape."""
        return self._inv.inverse_shape(shape)

    def inverse_shape(self, shape: Any) -> Any:
        """Return the shape that results in a shape."""
        return self._inv.forward_shape(shape)

    def __repr__(self) -> str:
        return f"InverseTransform({self._inv!r})"
