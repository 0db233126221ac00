"""`biject_to` and `transform_to`: transforms from all numbers onto a constraint's region."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from corearray.errors import CoreArrayNotImplementedError, CoreArrayTypeError
from corearray.frontend.torch.distributions import constraints, transforms

__all__ = ["ConstraintRegistry", "biject_to", "transform_to"]


class ConstraintRegistry:
    """Transforms by the classes of constraints."""

    def __init__(self) -> None:
        self._registry: dict[type, Callable[[Any], Any]] = {}

    def register(self, constraint: Any, factory: Any = None) -> Any:
        """Register a function from constraints of a class, given as such or by an instance, to transforms; also a decorator."""
        if factory is None:
            return lambda given: self.register(constraint, given)
        kind = type(constraint) if isinstance(constraint, constraints.Constraint) else constraint
        if not isinstance(kind, type) or not issubclass(kind, constraints.Constraint):
            raise CoreArrayTypeError(
                f"Expected constraint to be either a Constraint subclass or instance, but got {constraint}"
            )
        self._registry[kind] = factory
        return factory

    def __call__(self, constraint: Any) -> Any:
        """Return the transform onto a region.

        Raises
        ------
        NotImplementedError
            If none is registered.
        """
        factory = self._registry.get(type(constraint))
        if factory is None:
            raise CoreArrayNotImplementedError(f"Cannot transform {type(constraint).__name__} constraints")
        return factory(constraint)


biject_to = ConstraintRegistry()
transform_to = ConstraintRegistry()


def _both(*kinds: Any) -> Callable[[Callable[[Any], Any]], Callable[[Any], Any]]:
    """Register a function of a constraint in both registries."""

    def mark(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
        for kind in kinds:
            biject_to.register(kind, function)
            transform_to.register(kind, function)
        return function

    return mark


@_both(constraints.real)
def _real(_: Any) -> Any:
    return transforms.identity_transform


@_both(constraints.greater_than, constraints.greater_than_eq)
def _above(constraint: Any) -> Any:
    bound = constraint.lower_bound
    if isinstance(bound, (int, float)) and bound == 0:
        return transforms.ExpTransform()
    return transforms.ComposeTransform([transforms.ExpTransform(), transforms.AffineTransform(bound, 1)])


@_both(constraints.less_than)
def _below(constraint: Any) -> Any:
    return transforms.ComposeTransform(
        [transforms.ExpTransform(), transforms.AffineTransform(constraint.upper_bound, -1)]
    )


@_both(constraints.interval, constraints.half_open_interval)
def _between(constraint: Any) -> Any:
    low, high = constraint.lower_bound, constraint.upper_bound
    if all(isinstance(x, (int, float)) for x in (low, high)) and (low, high) == (0, 1):
        return transforms.SigmoidTransform()
    return transforms.ComposeTransform([transforms.SigmoidTransform(), transforms.AffineTransform(low, high - low)])


@_both(constraints.corr_cholesky)
def _correlation(_: Any) -> Any:
    return transforms.CorrCholeskyTransform()


biject_to.register(constraints.simplex, lambda _: transforms.StickBreakingTransform())
transform_to.register(constraints.simplex, lambda _: transforms.SoftmaxTransform())
transform_to.register(constraints.lower_cholesky, lambda _: transforms.LowerCholeskyTransform())
for _kind in (constraints.positive_definite, constraints.positive_semidefinite):
    transform_to.register(_kind, lambda _: transforms.PositiveDefiniteTransform())


def _of_others(registry: ConstraintRegistry) -> None:
    """Register constraints that are made of others."""

    def each(constraint: Any) -> list[Any]:
        return list(map(registry, constraint.cseq))

    registry.register(
        constraints.independent,
        lambda x: transforms.IndependentTransform(registry(x.base_constraint), x.reinterpreted_batch_ndims),
    )
    registry.register(constraints.cat, lambda x: transforms.CatTransform(each(x), x.dim, x.lengths))
    registry.register(constraints.stack, lambda x: transforms.StackTransform(each(x), x.dim))


_of_others(biject_to)
_of_others(transform_to)
