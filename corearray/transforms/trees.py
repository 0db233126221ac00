"""Functions of whole trees of arrays."""

from __future__ import annotations

from typing import Any

from corearray.calls.dispatch import backend_of
from corearray.errors import CoreArrayTypeError, CoreArrayValueError
from corearray.functional.exponential import sqrt
from corearray.transforms.tree import Tree

__all__ = ["global_norm"]

#: What `corearray list-functions` says of the functions here that are no declarations.
__kind__ = "convenience"


def global_norm(tree: Any, /) -> Any:
    """Compute the Euclidean norm of all elements of a tree of arrays.

    Parameters
    ----------
    tree
        Tree of floating arrays; leaves that are `None` are left out.

    Returns
    -------
    Array without axes, of the promoted dtype of the arrays, at least float32: half precision sums overflow.

    Raises
    ------
    ValueError
        If there is no array.
    TypeError
        If a leaf is no array.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.global_norm({"w": ca.asarray([3.0, 0.0]), "b": ca.asarray(4.0)}).tolist()
    5.0

    Notes
    -----
    `torch.nn.utils.get_total_norm`, `optax.global_norm`.
    """
    total = None
    for leaf in Tree(tree).leaves:
        if leaf is None:
            continue
        backend = backend_of(leaf)
        if backend is None:
            raise CoreArrayTypeError(f"'global_norm' takes a tree of arrays, got a leaf of type {type(leaf).__name__}")
        x = backend.abs(leaf)
        if backend.finfo(x.dtype).bits < 32:
            x = backend.astype(x, "float32")
        square = backend.sum(x * x)
        total = square if total is None else total + square
    if total is None:
        raise CoreArrayValueError("'global_norm' got no arrays; give a tree with at least one")
    return sqrt(total)
