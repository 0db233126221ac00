"""TensorFlow's exceptions, `tf.errors`, as classes of the `CoreArrayError` family."""

from __future__ import annotations

from corearray.errors import CoreArrayError, CoreArrayIndexError, CoreArrayValueError, FunctionNotImplementedError

__all__ = [
    "ERRORS",
    "InvalidArgumentError",
    "OpError",
    "OutOfRangeError",
    "UnimplementedError",
]


class OpError(CoreArrayError):
    """An error of an operation."""

    @property
    def message(self) -> str:
        """The text of the error."""
        return str(self)


class InvalidArgumentError(OpError, CoreArrayValueError):
    """An argument that an operation refuses, such as a tensor of another dtype or shape."""


class OutOfRangeError(OpError, CoreArrayIndexError):
    """A read or write beyond the end of a list."""


class UnimplementedError(OpError, FunctionNotImplementedError):
    """An operation, or an option of one, that is not implemented."""


#: The classes by their names in `tf.errors`.
ERRORS = {kind.__name__: kind for kind in (InvalidArgumentError, OpError, OutOfRangeError, UnimplementedError)}
