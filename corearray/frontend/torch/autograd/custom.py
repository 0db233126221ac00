"""`torch.autograd.Function`: functions with a derivative of their own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from corearray.errors import CoreArrayNotImplementedError
from corearray.frontend.derivatives import with_derivative
from corearray.frontend.holding import Tree
from corearray.frontend.table import Rule
from corearray.frontend.torch.calling import called
from corearray.frontend.torch.grad_mode import no_grad
from corearray.frontend.torch.wrapper import Tensor

__all__ = ["Context", "Function"]


class Context:
    """The record of `forward` for `backward`: attributes, and the tensors of `save_for_backward`."""

    saved_tensors: tuple[Any, ...] = ()
    needs_input_grad: tuple[bool, ...] = ()

    def save_for_backward(self, *tensors: Any) -> None:
        """Keep tensors, which `backward` finds as `saved_tensors`."""
        self.saved_tensors = tensors

    def mark_non_differentiable(self, *tensors: Any) -> None:
        """Name results without gradients; those of integer dtypes have none anyway."""

    def set_materialize_grads(self, value: bool) -> None:
        """Say whether missing gradients are zeros, which they always are here."""

    def mark_dirty(self, *tensors: Any) -> None:
        """Refuse functions that write into their arguments."""
        raise CoreArrayNotImplementedError(
            "a torch.autograd.Function that writes into its arguments; return a new tensor"
        )


class Function:
    """A function with a derivative of its own: a derived class has the static methods `forward` and `backward`.

    Examples
    --------
    >>> import corearray as ca
    >>> import corearray.frontend.torch as torch
    >>> class Clipped(torch.autograd.Function):
    ...     @staticmethod
    ...     def forward(ctx, x):
    ...         return x.round()
    ...
    ...     @staticmethod
    ...     def backward(ctx, slope):
    ...         return slope
    >>> with ca.backend_context("torch"):
    ...     x = torch.tensor([0.6, 1.2], requires_grad=True)
    ...     (Clipped.apply(x) * 3).sum().backward()
    ...     x.grad.tolist()
    [3.0, 3.0]
    """

    @classmethod
    def apply(cls, *args: Any) -> Any:
        """Call `forward`; gradients are those of `backward`."""
        tensors = [x for x in args if isinstance(x, Tensor)]
        if not tensors:
            return cls._run(args)[1]
        kind = type(tensors[0])._frontend.Tensor
        places = [i for i, x in enumerate(args) if isinstance(x, Tensor)]
        structure: list[Tree] = []

        def filled(arrays: Sequence[Any]) -> list[Any]:
            given = list(args)
            for place, array in zip(places, arrays, strict=True):
                given[place] = kind(array)
            return given

        def forward(*arrays: Any) -> Any:
            _, result = cls._run(filled(arrays))
            structure[:] = [Tree(result)]
            return tuple(x.array for x in structure[0].leaves)

        def gradient(arrays: Sequence[Any], _: Any, slopes: Sequence[Any]) -> Any:
            with no_grad():
                context, _ = cls._run(filled(arrays))
                found = cls.backward(context, *map(kind, slopes))
            every = found if isinstance(found, tuple) else (found,)
            return tuple(None if every[i] is None else every[i].array for i in places)

        rule = Rule(
            f"torch.autograd.Function.{cls.__name__}",
            lambda: lambda *arrays: tuple(with_derivative(forward, gradient, arrays)),
        )
        made = called(kind, rule, tuple(tensors), {})
        return structure[0].of(list(made))

    @classmethod
    def _run(cls, args: Sequence[Any]) -> tuple[Context, Any]:
        """Call `forward` without gradients, and return the context with the result."""
        context = Context()
        context.needs_input_grad = tuple(
            isinstance(x, Tensor) and x.dtype.category in ("real floating", "complex floating") for x in args
        )
        with no_grad():
            if cls.setup_context is not Function.setup_context:
                result = cls.forward(*args)
                cls.setup_context(context, tuple(args), result)
            else:
                result = cls.forward(context, *args)
        return context, result

    @staticmethod
    def forward(*args: Any) -> Any:
        """Compute the result; a derived class defines it."""
        raise CoreArrayNotImplementedError("a torch.autograd.Function has a static method 'forward'")

    @staticmethod
    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
        """Keep what `backward` needs, if `forward` takes no context."""

    @staticmethod
    def backward(ctx: Any, *slopes: Any) -> Any:
        """Compute the gradients by the arguments; a derived class defines it."""
        raise CoreArrayNotImplementedError("a torch.autograd.Function has a static method 'backward'")
