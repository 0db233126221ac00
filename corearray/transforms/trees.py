"""Functions of whole trees of arrays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from corearray.calls.dispatch import backend_of
from corearray.errors import CoreArrayTypeError, CoreArrayValueError
from corearray.functional.exponential import sqrt
from corearray.transforms.tree import Tree, need_function

__all__ = ["global_norm", "tree_map"]

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


def tree_map(fn: Callable[..., Any], tree: Any, /, *others: Any) -> Any:
    """Apply a function to the leaves of trees.

    Parameters
    ----------
    fn
        Function of one leaf of each tree.
    tree, others
        Trees of lists, tuples, dictionaries and Containers, of one structure.

    Returns
    -------
    A tree like the first one, of what the function returns.

    Raises
    ------
    TypeError
        If `fn` is no function.
    ValueError
        If the trees differ in structure.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.tree_map(lambda x, y: x + y, {"a": [1, 2], "b": 3}, {"a": [10, 20], "b": 30})
    {'a': [11, 22], 'b': 33}

    Notes
    -----
    `jax.tree.map`, `torch.utils._pytree.tree_map`; `None` is a leaf here.
    """
    need_function("tree_map", fn)
    first = Tree(tree)
    columns = [first.leaves, *(first.like(other, "the trees of 'tree_map' are not alike") for other in others)]
    return first.of([fn(*leaves) for leaves in zip(*columns, strict=True)])
