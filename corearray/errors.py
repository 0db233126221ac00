"""Every exception of corearray, and the one place where their texts are put together.

A text says what was asked, what was found and what to do. An exception that stands for a Python error is that
error too: a wrong dtype name is a `CoreArrayTypeError`, hence a `TypeError`.
"""

from __future__ import annotations

import re

__all__ = [
    "AxisError",
    "BackendBrokenError",
    "BackendMismatchError",
    "BackendNotFoundError",
    "BackendVersionError",
    "CoreArrayArithmeticError",
    "CoreArrayAttributeError",
    "CoreArrayBufferError",
    "CoreArrayError",
    "CoreArrayFloatingPointError",
    "CoreArrayImportError",
    "CoreArrayIndexError",
    "CoreArrayKeyError",
    "CoreArrayMemoryError",
    "CoreArrayNotImplementedError",
    "CoreArrayOverflowError",
    "CoreArrayRuntimeError",
    "CoreArrayTypeError",
    "CoreArrayValueError",
    "CoreArrayZeroDivisionError",
    "DeviceError",
    "ExtensionError",
    "FileFormatError",
    "FunctionNotImplementedError",
    "InplaceUpdateError",
    "LinAlgError",
    "NaNError",
    "TracingError",
    "options",
    "printable",
    "text_of",
    "translated",
    "without_marks",
]


class CoreArrayError(Exception):
    """Root of all errors that corearray raises."""


# An error is made of one text, whatever Python error its class stands for as well. A framework that rewrites programs
# looks for this before it raises the same error with the user's line in its text.
CoreArrayError.__init__ = Exception.__init__  # type: ignore[method-assign]


class CoreArrayTypeError(CoreArrayError, TypeError):
    """An argument has the wrong type or dtype."""


class CoreArrayValueError(CoreArrayError, ValueError):
    """An argument has the right type and an impossible value or shape."""


class CoreArrayIndexError(CoreArrayError, IndexError):
    """An index or an axis lies outside the array."""


class CoreArrayImportError(CoreArrayError, ImportError):
    """A library that is optional, and not installed."""


class AxisError(CoreArrayValueError, CoreArrayIndexError):
    """An axis that the array does not have; like NumPy's, both a `ValueError` and an `IndexError`.

    An array with `N` axes has those from `-N` to `N - 1`. One without axes has none, not even 0 and -1, which NumPy's sums find
    there; `axis=None` and `axis=()` are right for it.

    Attributes
    ----------
    axis
        The axis that was asked for.
    ndim
        How many axes there are to choose from.
    """

    axis: int
    ndim: int


class CoreArrayKeyError(CoreArrayError, KeyError):
    """A key that a mapping does not have."""

    def __str__(self) -> str:
        return Exception.__str__(self)


class CoreArrayAttributeError(CoreArrayError, AttributeError):
    """A name that the object does not have."""


class CoreArrayNotImplementedError(CoreArrayError, NotImplementedError):
    """The backend cannot do what was asked."""


class CoreArrayOverflowError(CoreArrayError, OverflowError):
    """A Python number does not fit into the dtype."""


class CoreArrayArithmeticError(CoreArrayError, ArithmeticError):
    """A division by zero, or another arithmetic failure, that the framework raised."""


class CoreArrayZeroDivisionError(CoreArrayArithmeticError, ZeroDivisionError):
    """A division of integers by zero, where the framework has no result of it."""


class CoreArrayFloatingPointError(CoreArrayArithmeticError, FloatingPointError):
    """What a framework raises that was told to, as NumPy by `numpy.errstate`."""


class NaNError(CoreArrayFloatingPointError):
    """A result has a NaN while `nan_policy` is `"raise"`."""


class TracingError(CoreArrayTypeError):
    """What a function does cannot be kept in a graph: it looks at elements, or it changes what is outside."""

    #: Whether `transpile` can keep the answer of the example in place of this error.
    assumable = False


class CoreArrayBufferError(CoreArrayError, BufferError):
    """Memory that the framework does not share, or not in the way that was asked for."""


class CoreArrayRuntimeError(CoreArrayError, RuntimeError):
    """The framework failed while it computed."""


class CoreArrayMemoryError(CoreArrayRuntimeError, MemoryError):
    """There is not enough memory for an array."""


class LinAlgError(CoreArrayValueError, RuntimeError):
    """A matrix for which the decomposition or the solution does not exist.

    A `ValueError` as NumPy's and a `RuntimeError` as torch's.
    """


class BackendNotFoundError(CoreArrayError, LookupError):
    """No backend of that name is installed, or its framework is missing."""


class BackendBrokenError(CoreArrayError, RuntimeError):
    """A plugin that cannot be imported, described or validated."""


class BackendVersionError(CoreArrayError, RuntimeError):
    """A framework, or the core, lies outside the range that the plugin declares."""


class BackendMismatchError(CoreArrayTypeError):
    """Arrays of two frameworks in one call."""


class FunctionNotImplementedError(CoreArrayNotImplementedError, AttributeError):
    """The backend has no implementation of the function, and the core no composition.

    Attributes
    ----------
    needs, dropped
        The function that is missing, and its implementations for other versions as text; `""` if another part of the
        library raised the error.
    """

    needs = dropped = ""


class InplaceUpdateError(CoreArrayTypeError):
    """An array that cannot be written in place."""


class ExtensionError(CoreArrayError):
    """An extension cannot be used, or there is none of that name."""


class DeviceError(CoreArrayValueError):
    """An unknown device, or arrays on different devices in one call."""


class FileFormatError(CoreArrayValueError):
    """A file whose content is broken, cut off, too large, or of a newer version."""


#: The member of the family for each Python error, the special ones before the general.
_FAMILY: tuple[tuple[type[BaseException], type[CoreArrayError]], ...] = (
    (NotImplementedError, CoreArrayNotImplementedError),
    (IndexError, CoreArrayIndexError),
    (AttributeError, CoreArrayAttributeError),
    (TypeError, CoreArrayTypeError),
    (ValueError, CoreArrayValueError),
    (OverflowError, CoreArrayOverflowError),
    (ZeroDivisionError, CoreArrayZeroDivisionError),
    (FloatingPointError, CoreArrayFloatingPointError),
    (MemoryError, CoreArrayMemoryError),
    (ArithmeticError, CoreArrayArithmeticError),
    (BufferError, CoreArrayBufferError),
)


def options(names: object) -> str:
    """Write a list of valid options for a message: `'jax', 'numpy'`."""
    listed = sorted(str(name) for name in names)  # type: ignore[attr-defined]
    return ", ".join(f"'{name}'" for name in listed) if listed else "none"


def printable(text: object) -> str:
    r"""Write text of others for a terminal: control characters and marks that reverse the direction are escaped.

    Examples
    --------
    >>> print(printable("\x1b[2J gone"))
    \x1b[2J gone
    """
    found = str(text)
    if found.isprintable():
        return found
    return "".join(
        letter if letter.isprintable() or letter in "\n\t" else letter.encode("unicode_escape").decode()
        for letter in found
    )


def without_marks(text: str) -> str:
    """Remove the marks that frameworks of graphs leave around a message: the node in front, the operation at the end.

    Examples
    --------
    >>> without_marks("{{function_node add}} Incompatible shapes [Op:AddV2] name: ")
    'Incompatible shapes'
    """
    return re.sub(r"\s*\[Op:\w+\](?: name:[^\n]*)?\s*$", "", re.sub(r"\{\{\w+ [^{}]*\}\}\s*", "", text))


def text_of(error: BaseException, limit: int = 1000) -> str:
    """Write the type and message of an exception of others, cut after `limit` characters.

    Examples
    --------
    >>> text_of(ValueError("no"))
    'ValueError: no'
    """
    try:
        message = str(error)
    except BaseException as flaw:  # a class of others
        message = f"its message raises {type(flaw).__name__}"
    message = without_marks(message)
    cut = message if len(message) <= limit else f"{message[:limit]}..."
    return printable(f"{type(error).__name__}: {cut}" if message else type(error).__name__)


def translated(error: Exception, backend: str, function: str, kind: type[Exception] | None = None) -> CoreArrayError:
    """Build the member of the family that stands for a native exception.

    Parameters
    ----------
    error
        What the framework raised.
    backend, function
        Where it was raised, for the text.
    kind
        The Python error, or the member of the family, that the backend says this is; by default the one that it
        already is.
    """
    text = without_marks(str(error))
    if not text.startswith(f"'{function}' "):  # as a composition's own messages do
        text = f"'{function}' on backend '{backend}' failed with {type(error).__name__}: {text}"
    wanted = kind or type(error)
    if issubclass(wanted, CoreArrayError):
        return wanted(text)
    family = next((ours for python, ours in _FAMILY if issubclass(wanted, python)), CoreArrayRuntimeError)
    return family(text)
