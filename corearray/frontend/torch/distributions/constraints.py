"""Regions in which parameters and values of distributions lie.

Source: https://docs.pytorch.org/docs/stable/distributions.html#module-torch.distributions.constraints
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import corearray as ca
from corearray.errors import CoreArrayNotImplementedError, CoreArrayValueError
from corearray.frontend.torch.owner import torch_of

__all__ = [
    "Boolean", "Cat", "Constraint", "CorrCholesky", "Dependent", "DependentProperty", "GreaterThan", "GreaterThanEq",
    "HalfOpenInterval", "IndependentConstraint", "IntegerGreaterThan", "IntegerInterval", "Interval", "LessThan",
    "LowerCholesky", "LowerTriangular", "MixtureSameFamilyConstraint", "Multinomial", "OneHot", "PositiveDefinite",
    "PositiveSemidefinite", "Real", "Simplex", "Square", "Stack", "Symmetric", "boolean", "cat", "corr_cholesky",
    "dependent", "dependent_property", "greater_than", "greater_than_eq", "half_open_interval", "independent",
    "integer_interval", "interval", "is_dependent", "less_than", "lower_cholesky", "lower_triangular", "multinomial",
    "nonnegative", "nonnegative_integer", "one_hot", "positive", "positive_definite", "positive_integer",
    "positive_semidefinite", "real", "real_vector", "simplex", "square", "stack", "symmetric", "unit_interval",
]  # fmt: skip


class Constraint:
    """A region of values.

    Attributes
    ----------
    is_discrete
        Whether its values are counted rather than measured.
    event_dim
        The number of last axes that are judged together.
    """

    is_discrete: Any = False
    event_dim: Any = 0

    def check(self, value: Any) -> Any:
        """Return whether each event lies in the region."""
        raise CoreArrayNotImplementedError(f"'{type(self).__name__}' has no check")

    def __repr__(self) -> str:
        return f"{type(self).__name__}()"


class Dependent(Constraint):
    """A region that depends on other parameters, so that it cannot be judged by itself."""

    def __init__(self, *, is_discrete: Any = NotImplemented, event_dim: Any = NotImplemented) -> None:
        self._is_discrete, self._event_dim = is_discrete, event_dim

    @property
    def is_discrete(self) -> Any:
        """Whether the values are discrete."""
        return self._told("is_discrete")

    @property
    def event_dim(self) -> Any:
        """The number of axes of an event."""
        return self._told("event_dim")

    def _told(self, name: str) -> Any:
        found = getattr(self, f"_{name}")
        if found is NotImplemented:
            raise CoreArrayNotImplementedError(f"{name} of this constraint is known for an instance only")
        return found

    def __call__(self, *, is_discrete: Any = NotImplemented, event_dim: Any = NotImplemented) -> Any:
        """Return the constraint with the facts that are given."""
        return Dependent(
            is_discrete=self._is_discrete if is_discrete is NotImplemented else is_discrete,
            event_dim=self._event_dim if event_dim is NotImplemented else event_dim,
        )

    def check(self, value: Any) -> Any:
        """Raise an error: without the other parameters there is no answer."""
        raise CoreArrayValueError("a dependent constraint cannot be checked without the parameters it depends on")


def is_dependent(constraint: Any) -> bool:
    """Return whether a constraint depends on other parameters."""
    return isinstance(constraint, Dependent)


class DependentProperty(property, Dependent):
    """A property of instances, and a dependent constraint of the class."""

    def __init__(
        self, fn: Callable[[Any], Any] | None = None, *, is_discrete: Any = NotImplemented,
        event_dim: Any = NotImplemented,
    ) -> None:  # fmt: skip
        super().__init__(fn)
        self._is_discrete, self._event_dim = is_discrete, event_dim

    def __call__(self, fn: Callable[[Any], Any]) -> DependentProperty:  # type: ignore[override]
        """Mark a method."""
        return DependentProperty(fn, is_discrete=self._is_discrete, event_dim=self._event_dim)


class _Wrapper(Constraint):
    """A constraint about another one."""

    def __init__(self, base_constraint: Constraint) -> None:
        if not isinstance(base_constraint, Constraint):
            raise CoreArrayValueError(f"expected a Constraint, got {type(base_constraint).__name__}")
        self.base_constraint = base_constraint

    @property
    def is_discrete(self) -> Any:
        """Whether the values are discrete."""
        return self.base_constraint.is_discrete

    @property
    def event_dim(self) -> Any:
        """The number of axes of an event."""
        return self.base_constraint.event_dim

    def _axes_of(self, value: Any, least: int) -> None:
        if value.dim() < least:
            raise CoreArrayValueError(f"Expected value.dim() >= {least} but got {value.dim()}")


class IndependentConstraint(_Wrapper):
    """A constraint whose last axes are judged together."""

    def __init__(self, base_constraint: Constraint, reinterpreted_batch_ndims: int) -> None:
        super().__init__(base_constraint)
        self.reinterpreted_batch_ndims = reinterpreted_batch_ndims

    @property
    def event_dim(self) -> Any:
        """The number of axes of an event."""
        return self.base_constraint.event_dim + self.reinterpreted_batch_ndims

    def check(self, value: Any) -> Any:
        """Return whether each event lies in the region."""
        self._axes_of(value, self.event_dim)
        found = self.base_constraint.check(value)
        return found.reshape(*found.shape[: found.dim() - self.reinterpreted_batch_ndims], -1).all(-1)

    def __repr__(self) -> str:
        return f"IndependentConstraint({self.base_constraint!r}, {self.reinterpreted_batch_ndims})"


class MixtureSameFamilyConstraint(_Wrapper):
    """The support of a mixture: values that every component allows."""

    def check(self, value: Any) -> Any:
        """Return whether each event lies in the region."""
        self._axes_of(value, self.event_dim)
        found = self.base_constraint.check(value.unsqueeze(-1 - self.event_dim))
        return found.reshape(*found.shape[: value.dim() - self.event_dim], -1).all(-1)

    def __repr__(self) -> str:
        return f"MixtureSameFamilyConstraint({self.base_constraint!r})"


class _Bounded(Constraint):
    """A region of numbers with a lower bound, an upper one, or both."""

    def __init__(self, **bounds: Any) -> None:
        self._names = tuple(bounds)
        vars(self).update(bounds)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={getattr(self, name)}' for name in self._names)})"


class _Lower(_Bounded):
    lower_bound: Any

    def __init__(self, lower_bound: Any) -> None:
        super().__init__(lower_bound=lower_bound)


class _Upper(_Bounded):
    upper_bound: Any

    def __init__(self, upper_bound: Any) -> None:
        super().__init__(upper_bound=upper_bound)


class _Between(_Bounded):
    lower_bound: Any
    upper_bound: Any

    def __init__(self, lower_bound: Any, upper_bound: Any) -> None:
        super().__init__(lower_bound=lower_bound, upper_bound=upper_bound)


class GreaterThan(_Lower):
    """Numbers above a bound."""

    def check(self, value: Any) -> Any:
        """Return whether each event lies in the region."""
        return value > self.lower_bound


class GreaterThanEq(_Lower):
    """Numbers from a bound on."""

    def check(self, value: Any) -> Any:
        """Return whether each event lies in the region."""
        return value >= self.lower_bound


class IntegerGreaterThan(_Lower):
    """Whole numbers from a bound on."""

    is_discrete = True

    def check(self, value: Any) -> Any:
        """Return whether each event lies in the region."""
        return (value % 1 == 0) & (value >= self.lower_bound)


class LessThan(_Upper):
    """Numbers below a bound."""

    def check(self, value: Any) -> Any:
        """Return whether each event lies in the region."""
        return value < self.upper_bound


class Multinomial(_Upper):
    """Counts along the last axis, whose sum is at most a bound."""

    is_discrete = True
    event_dim = 1

    def check(self, value: Any) -> Any:
        """Return whether each event lies in the region."""
        return (value >= 0).all(-1) & (value.sum(-1) <= self.upper_bound)


class Interval(_Between):
    """Numbers between two bounds, both included."""

    def check(self, value: Any) -> Any:
        """Return whether each event lies in the region."""
        return (value >= self.lower_bound) & (value <= self.upper_bound)


class HalfOpenInterval(_Between):
    """Numbers from one bound to below another."""

    def check(self, value: Any) -> Any:
        """Return whether each event lies in the region."""
        return (value >= self.lower_bound) & (value < self.upper_bound)


class IntegerInterval(_Between):
    """Whole numbers between two bounds, both included."""

    is_discrete = True

    def check(self, value: Any) -> Any:
        """Return whether each event lies in the region."""
        return (value % 1 == 0) & (value >= self.lower_bound) & (value <= self.upper_bound)


class Boolean(Constraint):
    """Zero and one."""

    is_discrete = True

    def check(self, value: Any) -> Any:
        """Return whether each event lies in the region."""
        return (value == 0) | (value == 1)


class OneHot(Constraint):
    """Vectors of zeros and one one."""

    is_discrete = True
    event_dim = 1

    def check(self, value: Any) -> Any:
        """Return whether each event lies in the region."""
        return boolean.check(value).all(-1) & (value.sum(-1) == 1)


class Real(Constraint):
    """Numbers, infinities included."""

    def check(self, value: Any) -> Any:
        """Return whether each event lies in the region."""
        return value == value


class Simplex(Constraint):
    """Vectors of probabilities."""

    event_dim = 1

    def check(self, value: Any) -> Any:
        """Return whether each event lies in the region."""
        return (value >= 0).all(-1) & ((value.sum(-1) - 1).abs() < 1e-6)


class _Matrices(Constraint):
    event_dim = 2


class LowerTriangular(_Matrices):
    """Lower triangular matrices."""

    def check(self, value: Any) -> Any:
        """Return whether each event lies in the region."""
        return (value.tril() == value).all(-1).all(-1)


class LowerCholesky(_Matrices):
    """Lower triangular matrices with a positive diagonal."""

    def check(self, value: Any) -> Any:
        """Return whether each event lies in the region."""
        return lower_triangular.check(value) & (value.diagonal(dim1=-2, dim2=-1) > 0).all(-1)


class CorrCholesky(_Matrices):
    """Cholesky factors of correlation matrices: rows of length one."""

    def check(self, value: Any) -> Any:
        """Return whether each event lies in the region."""
        tolerance = 10 * value.shape[-1] * float(ca.finfo(value.dtype).eps)
        lengths = (value.detach() ** 2).sum(-1).sqrt()
        return lower_cholesky.check(value) & ((lengths - 1).abs() <= tolerance).all(-1)


class Square(_Matrices):
    """Square matrices."""

    def check(self, value: Any) -> Any:
        """Return whether each event lies in the region."""
        return torch_of(value).full(
            tuple(value.shape[:-2]), value.shape[-2] == value.shape[-1], dtype=ca.bool, device=value.device
        )


class Symmetric(Square):
    """Symmetric matrices."""

    def check(self, value: Any) -> Any:
        """Return whether each event lies in the region."""
        if value.shape[-2] != value.shape[-1]:
            return super().check(value)
        return torch_of(value).isclose(value, value.mT, atol=1e-6).all(-1).all(-1)


class PositiveSemidefinite(Symmetric):
    """Symmetric matrices without negative eigenvalues."""

    def check(self, value: Any) -> Any:
        """Return whether each event lies in the region."""
        if value.shape[-2] != value.shape[-1]:
            return super().check(value)
        return super().check(value) & (torch_of(value).linalg.eigvalsh(value.detach()) >= 0).all(-1)


class PositiveDefinite(Symmetric):
    """Symmetric matrices with positive eigenvalues."""

    def check(self, value: Any) -> Any:
        """Return whether each event lies in the region."""
        if value.shape[-2] != value.shape[-1]:
            return super().check(value)
        return super().check(value) & (torch_of(value).linalg.eigvalsh(value.detach()) > 0).all(-1)


class _Sequence(Constraint):
    """Several constraints along an axis."""

    def __init__(self, cseq: Sequence[Constraint], dim: int = 0) -> None:
        if not all(isinstance(one, Constraint) for one in cseq):
            raise CoreArrayValueError("cseq holds constraints")
        self.cseq, self.dim = list(cseq), dim

    @property
    def is_discrete(self) -> Any:
        """Whether the values are discrete."""
        return any(one.is_discrete for one in self.cseq)

    @property
    def event_dim(self) -> Any:
        """The number of axes of an event."""
        return max(one.event_dim for one in self.cseq)


class Cat(_Sequence):
    """Constraints of parts of an axis, of some lengths."""

    def __init__(self, cseq: Sequence[Constraint], dim: int = 0, lengths: Sequence[int] | None = None) -> None:
        super().__init__(cseq, dim)
        self.lengths = [1] * len(self.cseq) if lengths is None else list(lengths)
        if len(self.lengths) != len(self.cseq):
            raise CoreArrayValueError(f"{len(self.lengths)} lengths for {len(self.cseq)} constraints")

    def check(self, value: Any) -> Any:
        """Return whether each event lies in the region."""
        parts = value.split(self.lengths, self.dim)
        found = [one.check(part) for one, part in zip(self.cseq, parts, strict=True)]
        return torch_of(value).cat(found, self.dim)


class Stack(_Sequence):
    """Constraints of the elements along an axis."""

    @property
    def event_dim(self) -> Any:
        """The number of axes of an event."""
        dim = super().event_dim
        return dim + 1 if self.dim + dim < 0 else dim

    def check(self, value: Any) -> Any:
        """Return whether each event lies in the region."""
        found = [one.check(part) for one, part in zip(self.cseq, value.unbind(self.dim), strict=True)]
        return torch_of(value).stack(found, self.dim)


dependent = Dependent()
dependent_property = DependentProperty
independent = IndependentConstraint
boolean, one_hot = Boolean(), OneHot()
nonnegative_integer, positive_integer, integer_interval = IntegerGreaterThan(0), IntegerGreaterThan(1), IntegerInterval
real = Real()
real_vector = independent(real, 1)
positive, nonnegative, unit_interval = GreaterThan(0.0), GreaterThanEq(0.0), Interval(0.0, 1.0)
greater_than, greater_than_eq, less_than, multinomial = GreaterThan, GreaterThanEq, LessThan, Multinomial
interval, half_open_interval = Interval, HalfOpenInterval
simplex = Simplex()
lower_triangular, lower_cholesky, corr_cholesky = LowerTriangular(), LowerCholesky(), CorrCholesky()
square, symmetric = Square(), Symmetric()
positive_semidefinite, positive_definite = PositiveSemidefinite(), PositiveDefinite()
cat, stack = Cat, Stack
