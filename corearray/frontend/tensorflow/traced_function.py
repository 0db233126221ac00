"""`tf.function`: functions that are compiled where the backend traces them, with conversion of arguments to a signature."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import update_wrapper
from typing import Any

from corearray.errors import CoreArrayTypeError
from corearray.frontend.tensorflow.compiling import Programs
from corearray.frontend.tensorflow.nests import like, parts_of
from corearray.frontend.tensorflow.wrapper import Operand

__all__ = ["FUNCTIONS", "Function"]


class Function:
    """A function that is compiled at its second call with a signature; `Programs` says when it runs in Python.

    Attributes
    ----------
    python_function
        The function.
    input_signature
        The specifications of its arguments, or `None`.
    """

    def __init__(
        self, tf: Any, python_function: Callable[..., Any], input_signature: Any = None, programs: Programs | None = None,
        owner: Any = None,
    ) -> None:  # fmt: skip
        self._tf = tf
        self._unbound = python_function
        self._owner = owner
        self._programs = Programs(tf) if programs is None else programs
        self.python_function = python_function if owner is None else python_function.__get__(owner)
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
            bound = inspect.signature(self.python_function).bind(*args, **options)
            if len(bound.args) > len(self.input_signature):
                raise CoreArrayTypeError(
                    f"the signature has {len(self.input_signature)} arguments, and {len(bound.args)} were given"
                )
            specs = self.input_signature[: len(bound.args)]
            args = tuple(_fitted(self._tf, spec, x) for spec, x in zip(specs, bound.args, strict=True))
            options = bound.kwargs
        args = args if self._owner is None else (self._owner, *args)
        return self._programs.call(self._unbound, args, options)

    def __get__(self, owner: Any, kind: Any = None) -> Any:
        if owner is None:
            return self
        return Function(self._tf, self._unbound, self.input_signature, self._programs, owner)

    def get_concrete_function(self, *args: Any, **options: Any) -> Function:
        """Return the function itself: it has one form for all arguments."""
        return self

    def experimental_get_tracing_count(self) -> int:
        """Return the number of compiled programs."""
        return self._programs.count


def _fitted(tf: Any, spec: Any, x: Any) -> Any:
    """Return an argument as a tensor of a specification; nests have the specifications of their leaves."""
    parts = parts_of(spec)
    if parts is not None:
        tf.nest.assert_same_structure(spec, x, check_types=False)
        given = dict(parts_of(x) or [])
        return like(x, {key: _fitted(tf, part, given[key]) for key, part in parts})
    try:
        made = x if isinstance(x, Operand) else tf.convert_to_tensor(x, spec.dtype)
    except ValueError as error:
        raise CoreArrayTypeError(f"an argument does not fit {spec}: {error}") from error
    if not spec.is_compatible_with(made):
        raise CoreArrayTypeError(f"an argument of shape {made.shape} and dtype {made.dtype!r} does not fit {spec}")
    return made


def _function(
    tf: Any,
    func: Callable[..., Any] | None = None,
    input_signature: Any = None,
    autograph: bool = True,
    jit_compile: bool | None = None,
    reduce_retracing: bool = False,
    experimental_implements: Any = None,
    experimental_autograph_options: Any = None,
    experimental_attributes: Any = None,
    experimental_relax_shapes: Any = None,
    experimental_compile: Any = None,
    experimental_follow_type_hints: Any = None,
) -> Any:
    """Return a function as TensorFlow's callable, or a decorator if no function is given.

    On backends whose compiler traces a program by running it, as JAX's and TensorFlow's, the second call with arguments of the
    same shapes, dtypes and Python values compiles the function, with the variables that it reads and assigns. Calls run in
    Python on other backends, under a tape outside the function, and if Python reads elements.

    Parameters
    ----------
    tf
        The frontend.
    func
        The function.
    input_signature
        The `tf.TensorSpec` of each argument, also in nests. Arguments are converted to their dtypes; those that do not fit
        are a `TypeError`.
    autograph
        Has no effect: a function with Python's `if` and `while` on tensors runs in Python.
    jit_compile, reduce_retracing, experimental_implements, experimental_autograph_options, experimental_attributes
        Have no effect: the backend's compiler decides.
    experimental_relax_shapes, experimental_compile, experimental_follow_type_hints
        Have no effect, for the same reason.
    """
    if func is None:
        return lambda made: Function(tf, made, input_signature)
    return Function(tf, func, input_signature)


#: Functions by their names; each takes the frontend first.
FUNCTIONS = {"function": _function}
