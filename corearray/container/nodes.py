"""Classes that are nodes of the frameworks' trees, and the backends whose frameworks know them."""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from corearray.backends.backend import Backend

__all__ = ["add_node", "introduce_nodes"]

_nodes: list[type] = []
_backends: weakref.WeakSet[Backend] = weakref.WeakSet()


def add_node(kind: type) -> None:
    """Register a class as a node with each framework that is loaded, or will be.

    It needs `tree_flatten()`, which gives values and a structure, and `tree_unflatten(structure, values)`.
    """
    _nodes.append(kind)
    for backend in list(_backends):
        backend.fact("register_container", kind)


def introduce_nodes(backend: Backend) -> None:
    """Register all nodes with the framework of a backend that is being loaded, and those to come."""
    _backends.add(backend)
    for kind in _nodes:
        backend.fact("register_container", kind)
