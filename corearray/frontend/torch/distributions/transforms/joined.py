"""Transforms of the parts and of the elements along an axis."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from corearray.errors import CoreArrayValueError
from corearray.frontend.torch.distributions import constraints
from corearray.frontend.torch.distributions.transforms.base import Transform
from corearray.frontend.torch.distributions.utils import sum_rightmost
from corearray.frontend.torch.owner import torch_of

__all__ = ["CatTransform", "StackTransform"]


class _Joined(Transform):
    """Several transforms along an axis."""

    def __init__(self, tseq: Sequence[Any], dim: int = 0, cache_size: int = 0) -> None:
        if not all(isinstance(one, Transform) for one in tseq):
            raise CoreArrayValueError("tseq holds transforms")
        super().__init__(cache_size)
        self.transforms = [one.with_cache(cache_size) for one in tseq] if cache_size else list(tseq)
        self.dim = dim

    def _options(self) -> dict[str, Any]:
        return {"tseq": self.transforms, "dim": self.dim}

    @property
    def bijective(self) -> Any:
        """Whether the transform has one inverse."""
        return all(one.bijective for one in self.transforms)

    def _parts(self, x: Any) -> Any:
        raise NotImplementedError

    def _join(self, parts: list[Any]) -> Any:
        raise NotImplementedError

    def _call(self, x: Any) -> Any:
        return self._join([one(part) for one, part in zip(self.transforms, self._parts(x), strict=True)])

    def _inverse(self, y: Any) -> Any:
        return self._join([one.inv(part) for one, part in zip(self.transforms, self._parts(y), strict=True)])

    def _jacobians(self, x: Any, y: Any) -> list[Any]:
        parts = zip(self.transforms, self._parts(x), self._parts(y), strict=True)
        return [one.log_abs_det_jacobian(before, behind) for one, before, behind in parts]

    def _need(self, x: Any, size: int) -> None:
        if not -x.dim() <= self.dim < x.dim() or x.shape[self.dim] != size:
            raise CoreArrayValueError(
                f"expected a tensor with {size} elements along axis {self.dim}, got one of shape {x.shape}"
            )


class CatTransform(_Joined):
    """Transforms of parts of an axis, of some lengths."""

    def __init__(
        self, tseq: Sequence[Any], dim: int = 0, lengths: Sequence[int] | None = None, cache_size: int = 0
    ) -> None:
        super().__init__(tseq, dim, cache_size)
        self.lengths = [1] * len(self.transforms) if lengths is None else list(lengths)
        if len(self.lengths) != len(self.transforms):
            raise CoreArrayValueError(f"{len(self.lengths)} lengths for {len(self.transforms)} transforms")

    def _options(self) -> dict[str, Any]:
        return {**super()._options(), "lengths": self.lengths}

    @property
    def event_dim(self) -> Any:
        """The number of axes of an event."""
        return max(one.event_dim for one in self.transforms)

    @property
    def length(self) -> int:
        """The number of elements along the axis."""
        return sum(self.lengths)

    def _parts(self, x: Any) -> Any:
        self._need(x, self.length)
        return x.split(self.lengths, self.dim)

    def _join(self, parts: list[Any]) -> Any:
        return torch_of(*parts).cat(parts, self.dim)

    def log_abs_det_jacobian(self, x: Any, y: Any) -> Any:
        """Return the logarithm of `|dy/dx|`; it is a sum if the axis belongs to an event."""
        found = [
            sum_rightmost(jacobian, self.event_dim - one.event_dim)
            for one, jacobian in zip(self.transforms, self._jacobians(x, y), strict=True)
        ]
        dim = (self.dim if self.dim < 0 else self.dim - x.dim()) + self.event_dim
        return torch_of(x).cat(found, dim) if dim < 0 else sum(found)

    @constraints.dependent_property
    def domain(self) -> Any:
        """The region of what it takes."""
        return constraints.cat([one.domain for one in self.transforms], self.dim, self.lengths)

    @constraints.dependent_property
    def codomain(self) -> Any:
        """The region of what it returns."""
        return constraints.cat([one.codomain for one in self.transforms], self.dim, self.lengths)


class StackTransform(_Joined):
    """Transforms of the elements along an axis."""

    def _parts(self, x: Any) -> Any:
        self._need(x, len(self.transforms))
        return x.unbind(self.dim)

    def _join(self, parts: list[Any]) -> Any:
        return torch_of(*parts).stack(parts, self.dim)

    def log_abs_det_jacobian(self, x: Any, y: Any) -> Any:
        """Return the logarithm of `|dy/dx|`."""
        return self._join(self._jacobians(x, y))

    @constraints.dependent_property
    def domain(self) -> Any:
        """The region of what it takes."""
        return constraints.stack([one.domain for one in self.transforms], self.dim)

    @constraints.dependent_property
    def codomain(self) -> Any:
        """The region of what it returns."""
        return constraints.stack([one.codomain for one in self.transforms], self.dim)
