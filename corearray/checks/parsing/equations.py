"""The notation of `einsum`: the letters that name the axes of the operands and of the result.

It is read once for the composition and for every plugin, so that the same texts are accepted everywhere and the same
mistakes have the same words.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

from corearray.calls.memo import kept
from corearray.errors import CoreArrayValueError
from corearray.types.namedtuples import NamedTuple

__all__ = ["Equation", "Label", "axis_lengths", "read_equation"]

#: The name of an axis: a letter, or for one of those behind `...` its place counted from the end, from -1 downwards.
Label: TypeAlias = str | int


class Equation(NamedTuple):
    """An equation that was read.

    Attributes
    ----------
    terms
        The labels of the axes of each operand.
    result
        The labels of the axes of the result.
    text
        The equation with an explicit result, without spaces, and without `...` where it stands for no axis.
    """

    terms: tuple[tuple[Label, ...], ...]
    result: tuple[Label, ...]
    text: str


@kept
def read_equation(equation: str, ndims: tuple[int, ...]) -> Equation:
    """Read an equation for operands with these numbers of axes.

    Raises
    ------
    CoreArrayValueError
        If it does not fit them, or the result is not one that it can have.

    Examples
    --------
    >>> read_equation("i...j, j", (3, 1))
    Equation(terms=(('i', -1, 'j'), ('j',)), result=(-1, 'i'), text='i...j,j->...i')
    """
    inputs, arrow, output = "".join(equation.split()).partition("->")
    parts = inputs.split(",")
    if len(parts) != len(ndims):
        raise CoreArrayValueError(
            f"'einsum' got {len(ndims)} operands for '{equation}', which has {len(parts)} terms; give one for each term"
        )
    terms = tuple(_operand(part, ndim, equation) for part, ndim in zip(parts, ndims, strict=True))
    named = [label for term in terms for label in term]
    hidden = max([0, *(-label for label in named if isinstance(label, int))])
    if arrow:
        before, dots, after = _split(output, equation)
        if hidden and not dots:
            raise CoreArrayValueError(
                f"'einsum' got '{equation}', whose result lacks the axes of '...'; write '...' in the result too"
            )
        result: tuple[Label, ...] = (*before, *range(-hidden, 0), *after)
    else:
        letters = [label for label in named if isinstance(label, str)]
        result = (*range(-hidden, 0), *sorted(label for label in letters if letters.count(label) == 1))
    for label in result:
        if label not in named or result.count(label) > 1:
            raise CoreArrayValueError(
                f"'einsum' got '{equation}', whose result cannot have the axis '{label}'; "
                "it names axes of the operands, each once"
            )
    return Equation(terms, result, f"{','.join(map(_written, terms))}->{_written(result)}")


def _split(part: str, equation: str) -> tuple[str, str, str]:
    before, dots, after = part.partition("...")
    letters = before + after
    if letters and not (letters.isascii() and letters.isalpha()):
        raise CoreArrayValueError(
            f"'einsum' cannot read '{part}' in '{equation}'; axes are named by the letters a to z and A to Z"
        )
    return before, dots, after


def _operand(part: str, ndim: int, equation: str) -> tuple[Label, ...]:
    before, dots, after = _split(part, equation)
    hidden = ndim - len(before) - len(after)
    if hidden < 0 or (hidden and not dots):
        raise CoreArrayValueError(f"'einsum' got an array with {ndim} axes for the term '{part}' of '{equation}'")
    return (*before, *range(-hidden, 0), *after)


def _written(labels: tuple[Label, ...]) -> str:
    return "".join(label if isinstance(label, str) else "..." * (label == -1) for label in labels)


def axis_lengths(equation: str, shapes: Sequence[Sequence[Any]]) -> dict[Label, Any]:
    """Return the length of each axis; the length 1 in one operand broadcasts to that in another.

    Lengths that are not known while a framework traces fit every other.

    Raises
    ------
    CoreArrayValueError
        If an axis has two lengths.

    Examples
    --------
    >>> axis_lengths("ij,jk", [(2, 3), (1, 4)])
    {'i': 2, 'j': 3, 'k': 4}
    """
    found: dict[Label, Any] = {}
    for term, shape in zip(read_equation(equation, tuple(map(len, shapes))).terms, shapes, strict=True):
        own: dict[Label, Any] = {}
        for label, length in zip(term, shape, strict=True):
            if label in own and _differ(own[label], length):
                raise _two_lengths(label, own[label], length, equation)
            own[label] = length
        for label, length in own.items():
            known = found.get(label, 1)
            if _differ(known, length) and 1 not in (known, length):
                raise _two_lengths(label, known, length, equation)
            if label not in found or known == 1:
                found[label] = length
    return found


def _differ(one: Any, other: Any) -> bool:
    return type(one) is int and type(other) is int and one != other


def _two_lengths(label: Label, one: int, other: int, equation: str) -> CoreArrayValueError:
    name = f"'{label}'" if isinstance(label, str) else f"{label} of '...'"
    return CoreArrayValueError(f"'einsum' got the lengths {one} and {other} for the axis {name} in '{equation}'")
