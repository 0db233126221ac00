"""`tf.function`: the function itself, with checks of signatures; calls are made one by one, also Python's `if` and `while`."""

from __future__ import annotations

from collections.abc import Callable
from functools import update_wrapper
from typing import Any

from corearray.errors import CoreArrayTypeError
from corearray.frontend.tensorflow.wrapper import Operand

__all__ = ["Function", "function"]


class Function:
    """A function whose calls run in Python each time: TensorFlow traces them into a graph.

    Attributes
    ----------
    python_function
        The function.
    input_signature
        The specifications of its arguments, or `None`.
    """

    def __init__(self, python_function: Callable[..., Any], input_signature: Any = None) -> None:
        self.python_function = python_function
        self.input_signature = None if input_signature is None else tuple(input_signature)
        update_wrapper(self, python_function)

    def __call__(self, *args: Any, **options: Any) -> Any:
        """Call the function.

        Raises
        ------
        TypeError
            If an argument does not fit the signature.
        """
        if self.input_signature is not None:
            given = args[-len(self.input_signature) :] if self.input_signature else ()
            for spec, x in zip(self.input_signature, given, strict=False):
                if isinstance(x, Operand) and hasattr(spec, "is_compatible_with") and not spec.is_compatible_with(x):
                    raise CoreArrayTypeError(
                        f"an argument of shape {x.shape} and dtype {x.dtype!r} does not fit {spec}"
                    )
        return self.python_function(*args, **options)

    def __get__(self, owner: Any, kind: Any = None) -> Any:
        return self if owner is None else Function(self.python_function.__get__(owner, kind), self.input_signature)

    def get_concrete_function(self, *args: Any, **options: Any) -> Function:
        """Return the function itself: it has one form for all arguments."""
        return self

    def experimental_get_tracing_count(self) -> int:
        """Return 0: nothing is traced."""
        return 0


def function(
    func: Callable[..., Any] | None = None,
    input_signature: Any = None,
    autograph: bool = True,
    jit_compile: bool | None = None,
    reduce_retracing: bool = False,
    **_: Any,
) -> Any:
    """Return a function as TensorFlow's callable; to compile a program, use `corearray.compile` on a function of arrays."""
    if func is None:
        return lambda made: Function(made, input_signature)
    return Function(func, input_signature)
