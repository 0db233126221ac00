"""Meshes and layouts as data: names of axes, and where the parts of an array lie. They name no framework and hold no device."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from operator import index
from typing import Any

from corearray.errors import CoreArrayTypeError, CoreArrayValueError, options
from corearray.types.namedtuples import NamedTuple

__all__ = ["Layout", "Mesh", "Spec", "read_spec"]

#: For each axis of an array the axis of the mesh over which it is split, several of them, or `None`.
Spec = tuple[str | tuple[str, ...] | None, ...]


class Mesh:
    """A grid of devices with named axes, over which `shard` splits arrays.

    Parameters
    ----------
    axes
        Sizes by name, the slowest axis first. The product is the number of devices, or of processes where each has one.

    Raises
    ------
    TypeError, ValueError
        If `axes` is no mapping of names to integers from 1 up.

    Examples
    --------
    >>> import corearray as ca
    >>> mesh = ca.Mesh({"data": 4, "model": 2})
    >>> mesh.size, mesh.axes["model"]
    (8, 2)

    Notes
    -----
    The devices are found when a backend first uses the mesh. A mesh can be pickled, compared and used as a key.
    """

    __slots__ = ("_sizes",)

    _sizes: tuple[tuple[str, int], ...]

    def __init__(self, axes: Mapping[str, int], /) -> None:
        if not isinstance(axes, Mapping) or not axes or not all(isinstance(name, str) for name in axes):
            raise CoreArrayTypeError(f"a Mesh takes sizes by name, as in Mesh({{'data': 4, 'model': 2}}), got {axes!r}")
        sizes = []
        for name, size in axes.items():
            try:
                number = index(size)
            except TypeError:
                raise CoreArrayTypeError(f"axis '{name}' of a Mesh got the size {size!r}; give an integer") from None
            if number < 1:
                raise CoreArrayValueError(f"axis '{name}' of a Mesh got the size {number}; give an integer from 1 up")
            sizes.append((name, number))
        self._sizes = tuple(sizes)

    @property
    def axes(self) -> dict[str, int]:
        """The sizes of the axes by name."""
        return dict(self._sizes)

    @property
    def size(self) -> int:
        """The number of devices."""
        return math.prod(size for _, size in self._sizes)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Mesh) and self._sizes == other._sizes

    def __hash__(self) -> int:
        return hash(self._sizes)

    def __reduce__(self) -> tuple[Any, ...]:
        return Mesh, (self.axes,)

    def __repr__(self) -> str:
        return f"Mesh({self.axes})"


class Layout(NamedTuple):
    """How an array lies on a mesh.

    Attributes
    ----------
    mesh
        The mesh.
    spec
        For each axis of the array the axis of the mesh over which it is split, a tuple of several, or `None` for an axis that
        is whole everywhere.
    """

    mesh: Mesh
    spec: Spec


def read_spec(mesh: Mesh, spec: Sequence[Any], shape: Sequence[int | None] | None = None) -> Spec:
    """Return a spec with an entry for each axis of an array, after a check of names and sizes.

    Parameters
    ----------
    mesh
        The mesh.
    spec
        An entry for each axis; missing ones at the end are `None`.
    shape
        The shape of the array. Without it only names are checked.

    Raises
    ------
    TypeError, ValueError
        If an entry is no axis of the mesh, an axis is named twice, or a size of the shape is no multiple of the parts.

    Examples
    --------
    >>> import corearray as ca
    >>> read_spec(ca.Mesh({"data": 4}), ("data",), (8, 3))
    ('data', None)
    """
    sizes, used, found = mesh.axes, set(), []
    for entry in spec:
        names = (entry,) if isinstance(entry, str) else () if entry is None else entry
        if not isinstance(names, (tuple, list)) or not all(isinstance(name, str) for name in names):
            raise CoreArrayTypeError(f"a layout got {entry!r}; give the name of an axis of the mesh, or None")
        for name in names:
            if name not in sizes:
                raise CoreArrayValueError(f"{mesh} has no axis '{name}'; it has {options(sizes)}")
            if name in used:
                raise CoreArrayValueError(f"axis '{name}' of the mesh is named twice in the layout {tuple(spec)}")
            used.add(name)
        found.append(tuple(names) if len(names) > 1 else names[0] if names else None)
    if shape is not None:
        if len(found) > len(shape):
            raise CoreArrayValueError(
                f"the layout {tuple(spec)} is for {len(found)} axes, and the array has the shape {tuple(shape)}"
            )
        found += [None] * (len(shape) - len(found))
        for place, (entry, size) in enumerate(zip(found, shape, strict=True)):
            parts = math.prod(sizes[name] for name in ((entry,) if isinstance(entry, str) else entry or ()))
            if size is not None and size % parts:
                raise CoreArrayValueError(
                    f"axis {place} of an array of the shape {tuple(shape)} cannot be split into {parts} equal parts "
                    f"over {entry!r}; pad it, or leave it whole with None"
                )
    return tuple(found)
