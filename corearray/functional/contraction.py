"""Einstein summation.

The composition contracts the operands from left to right, two at a time. It sums first over axes that neither the
result nor a later operand has, and computes shared axes as a batched matrix product. Use opt_einsum, which takes these
arrays, for the best order of many operands.
"""

from __future__ import annotations

import math
from collections.abc import Container, Sequence
from typing import TYPE_CHECKING

from corearray.checks.parsing.equations import Label, axis_lengths, read_equation
from corearray.contract.declaration import declare

if TYPE_CHECKING:
    import corearray as xp
    from corearray.arrays.array import Array

__all__ = ["einsum"]


@declare(promote=("operands",))
def einsum(equation: str, /, *operands: Array, out: Array | None = None) -> Array:
    """Sum products over named axes, as an einsum equation specifies.

    Parameters
    ----------
    equation
        The axes of each operand, separated by commas, and after `->` those of the result: `"ij,jk->ik"` is a matrix
        product. `...` stands for any number of axes, which broadcast. Without `->` the result has the axes of `...`
        and then, in alphabetical order, those that are named once.
    operands
        Arrays, one for each term. An axis named twice in one term is a diagonal.
    out
        Array that receives the result.

    Returns
    -------
    Array of the promoted dtype. Axes that the result does not name are summed over; of truth values, the sum is
    whether any is true and the product whether all are. The result is no view, not of a single operand either.

    Raises
    ------
    ValueError
        If the equation does not fit the operands, or an axis has two lengths and neither is 1.

    Examples
    --------
    >>> import corearray as ca
    >>> x = ca.asarray([[1, 2], [3, 4]])
    >>> ca.einsum("ij,jk->ik", x, x).tolist(), ca.einsum("ii", x).tolist(), ca.einsum("ij->ji", x).tolist()
    ([[7, 10], [15, 22]], 5, [[1, 3], [2, 4]])

    Notes
    -----
    The notation is that of NumPy's function of this name, in one text.
    """
    if operands and operands[0].dtype is xp.bool:
        return xp.astype(_contracted(equation, [xp.astype(x, xp.int64) for x in operands]), xp.bool)
    return _contracted(equation, operands)


def _contracted(equation: str, operands: Sequence[Array]) -> Array:
    terms, result, _ = read_equation(equation, tuple(x.ndim for x in operands))
    axis_lengths(equation, [x.shape for x in operands])
    parts = [_without_repeats(x, term) for x, term in zip(operands, terms, strict=True)]
    product, labels = parts[0]
    for place, (x, term) in enumerate(parts[1:], 2):
        later = {label for _, other in parts[place:] for label in other}
        product, labels = _multiplied(product, labels, x, term, later.union(result))
    product, labels = _summed(product, labels, result)
    product = _arranged(product, labels, result)
    return xp.astype(product, product.dtype, copy=True) if len(operands) == 1 else product


def _without_repeats(x: Array, labels: Sequence[Label]) -> tuple[Array, list[Label]]:
    """Take the diagonal where a label is named twice."""
    left = list(labels)
    for label in dict.fromkeys(labels):
        while left.count(label) > 1:
            first = left.index(label)
            second = left.index(label, first + 1)
            x = xp.linalg.diagonal(xp.moveaxis(x, (first, second), (-2, -1)))
            left = [other for place, other in enumerate(left) if place not in (first, second)] + [label]
    return x, left


def _summed(x: Array, labels: list[Label], needed: Container[Label]) -> tuple[Array, list[Label]]:
    """Sum over the axes that nobody needs."""
    axes = tuple(place for place, label in enumerate(labels) if label not in needed)
    if axes:
        x = xp.sum(x, axis=axes, dtype=x.dtype)
    return x, [label for label in labels if label in needed]


def _arranged(x: Array, labels: list[Label], order: Sequence[Label]) -> Array:
    places = tuple(labels.index(label) for label in order)
    return x if places == tuple(range(len(labels))) else xp.permute_dims(x, places)


def _multiplied(x: Array, a: list[Label], y: Array, b: list[Label], later: set[Label]) -> tuple[Array, list[Label]]:
    """Multiply two operands and sum over the axes that are not needed later."""
    for label in [label for label in a if label in b]:
        one, two = a.index(label), b.index(label)
        if x.shape[one] != y.shape[two]:  # one of them is 1, and the other operand has the axis as it is
            if x.shape[one] == 1:
                x, a = xp.squeeze(x, one), a[:one] + a[one + 1 :]
            else:
                y, b = xp.squeeze(y, two), b[:two] + b[two + 1 :]
    x, a = _summed(x, a, later.union(b))
    y, b = _summed(y, b, later.union(a))
    batch = [label for label in a if label in b and label in later]
    met = [label for label in a if label in b and label not in later]
    rows = [label for label in a if label not in b]
    columns = [label for label in b if label not in a]
    x = _arranged(x, a, [*batch, *rows, *met])
    y = _arranged(y, b, [*batch, *met, *columns])
    labels = [*batch, *rows, *columns]
    if not met:
        x = x[(..., *(None,) * len(columns))]
        y = y[(*(slice(None),) * len(batch), *(None,) * len(rows), ...)]
        return xp.multiply(x, y), labels
    product = xp.matmul(_matrices(x, len(batch), len(rows)), _matrices(y, len(batch), len(met)))
    shape = (*x.shape[: len(batch) + len(rows)], *y.shape[len(batch) + len(met) :])
    return xp.reshape(product, shape), labels


def _matrices(x: Array, batch: int, rows: int) -> Array:
    """Join the axes behind the batch into rows and columns."""
    shape = tuple(x.shape)
    columns = batch + rows
    return xp.reshape(x, (*shape[:batch], math.prod(shape[batch:columns]), math.prod(shape[columns:])))
