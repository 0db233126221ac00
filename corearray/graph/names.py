"""Python values as data of a file, and back: JSON with names in the place of functions, dtypes and classes.

Numbers, texts, truth values and `None` are JSON's own. Everything else is a list that begins with what it is: `["tuple",
1, 2]`, `["name", "package.float32"]`. Names are those of the backend's table (`graph_names`). A class of the table may be
called with data (`["make", "package.Size", 2]`), as a device or a size is made.
"""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Mapping
from enum import Enum
from numbers import Number
from typing import TYPE_CHECKING, Any

from corearray.arrays.array import Array
from corearray.contract.recording import Value
from corearray.errors import CoreArrayTypeError, FileFormatError
from corearray.transforms.tree import Place, Tree, restored_tree
from corearray.types.devices import Device
from corearray.types.dtypes import DType, as_dtype
from corearray.types.shape import Shape

if TYPE_CHECKING:
    from corearray.backends.backend import Backend

__all__ = ["Reader", "Writer"]


def _own(name: str) -> Any:
    """Return a class of trees of corearray's own, `Container` or a named tuple of results, or `None`."""
    import corearray

    kind = getattr(corearray, name, None) if name in corearray.__all__ else None
    named = isinstance(kind, type) and issubclass(kind, tuple) and hasattr(kind, "_fields")
    return kind if named or name == "Container" else None


#: Classes of trees, and of static arguments, that need no table.
_NODES = {"tuple": tuple, "list": list, "dict": dict, "OrderedDict": OrderedDict}
_TYPES = {
    kind.__name__: kind
    for kind in (bool, int, float, complex, str, bytes, slice, type(None), type(...), DType, Device, Shape)
}


class Writer:
    """Makes data of Python values.

    Attributes
    ----------
    names
        What the backend's table names.
    values
        The values of the recording, in the order of their numbers.
    """

    def __init__(self, backend: Backend, objects: list[Any] | None, what: str) -> None:
        if "graph_names" not in backend.facts:
            raise CoreArrayTypeError(
                f"{what} cannot be saved: the plugin of backend '{backend.name}' names no functions for files"
            )
        self._backend = backend
        self._objects = objects
        self._what = what
        self.names = backend.fact("graph_names")
        self._known = {_identity(value): name for name, value in self.names.items()}
        self._numbers: dict[Value, int] = {}
        self.values: list[Value] = []

    def number(self, value: Value) -> int:
        """Return the number of a value."""
        if value not in self._numbers:
            self._numbers[value] = len(self.values)
            self.values.append(value)
        return self._numbers[value]

    def data(self, x: Any) -> Any:
        """Return the data of an argument of a call."""
        kind = type(x)
        if x is None or kind in (bool, int, str):
            return x
        if kind is Value:
            return ["value", self.number(x)]
        if kind is float:
            return x if math.isfinite(x) else ["float", str(x)]
        if kind is complex:
            return ["complex", self.data(x.real), self.data(x.imag)]
        if kind is bytes:
            return ["bytes", x.hex()]
        if kind is tuple or kind is list:
            return [kind.__name__, *map(self.data, x)]
        if kind is dict:
            return ["dict", *([self.data(key), self.data(value)] for key, value in x.items())]
        if kind is slice:
            return ["slice", *map(self.data, (x.start, x.stop, x.step))]
        if x is Ellipsis:
            return ["ellipsis"]
        if kind is DType:
            return ["dtype", x.name]
        if kind is Device:
            return ["device", str(x)]
        if kind is Shape:
            return ["shape", *x]
        name = self._known.get(_identity(x))
        if name is not None:
            return ["name", name]
        made = self._made(x)
        return self._object(x) if made is None else made

    def _made(self, x: Any) -> Any:
        """Return the data of an object of a class in the table."""
        kind = type(x)
        if isinstance(x, Enum):
            owner = self._known.get(_identity(kind))
            return None if owner is None else ["member", owner, x.name]
        name = self._known.get(_identity(kind))
        if name is None:
            return None
        if issubclass(kind, Number):
            return ["make", name, self.data(x.item())]
        if issubclass(kind, tuple):
            return (
                ["make", name, *map(self.data, x)] if hasattr(kind, "_fields") else ["make", name, self.data(tuple(x))]
            )
        reduced = x.__reduce__()
        if type(reduced) is tuple and reduced[0] is kind and len(reduced) == 2:
            return ["make", name, *map(self.data, reduced[1])]
        return None

    def _class(self, kind: type) -> Any:
        if _TYPES.get(kind.__name__) is kind:
            return kind.__name__
        name = self._known.get(_identity(kind))
        return self._object(kind) if name is None else ["name", name]

    def _object(self, x: Any) -> Any:
        if self._objects is None:
            raise CoreArrayTypeError(f"{self._what} cannot be saved: no data of a file stands for {_shown(x)}")
        self._objects.append(x)
        return ["object", len(self._objects) - 1]

    def _node(self, kind: type) -> Any:
        found = next((name for name, known in _NODES.items() if known is kind), None)
        if found is not None:
            return found
        return kind.__name__ if _own(kind.__name__) is kind else self._object(kind)

    def tree(self, tree: Tree) -> Any:
        """Return the data of a tree: its structure and its leaves."""

        def place(node: Any) -> Any:
            if type(node) is Place:
                return int(node)
            if isinstance(node, Mapping):
                return [self._node(type(node)), *([self.data(key), place(item)] for key, item in node.items())]
            return [self._node(type(node)), *map(place, node)]

        return [place(tree.places), [self.data(leaf) for leaf in tree.leaves]]

    def structure(self, node: Any) -> Any:
        """Return the data of the structure of arguments."""
        if node == "leaf":
            return node
        kind, parts = node
        if issubclass(kind, Mapping):
            return [self._node(kind), *([self.data(key), self.structure(item)] for key, item in parts)]
        return [self._node(kind), *map(self.structure, parts)]

    def token(self, token: tuple[Any, ...]) -> Any:
        """Return the data of what tells one argument from others."""
        what, kind, *rest = token
        if what == "array":
            dtype, shape, *attributes = rest
            named = None if issubclass(kind, Array) else self._class(kind)
            said = [[name, self._attribute(name, value)] for name, value in attributes]
            return [what, named, self.data(dtype), self._shape(shape), said]
        if what == "slice":
            return [what, *map(self.token, rest)]
        return [what, self._class(kind), self.data(rest[0])]

    def _shape(self, shape: Any) -> Any:
        """Return the data of a native shape; a class that is no tuple stands in the table."""
        if isinstance(shape, tuple):
            return self.data(tuple(shape))
        return ["make", self._known[_identity(type(shape))], self.data([int(length) for length in shape])]

    def _attribute(self, name: str, value: Any) -> Any:
        return ["device", self._backend.fact("device_name", value)] if name == "device" else self.data(value)


class Reader:
    """Makes Python values of data, for which only names of the backend's table are looked up."""

    def __init__(self, backend: Backend, values: list[Value], objects: list[Any] | None) -> None:
        if "graph_names" not in backend.facts:
            raise FileFormatError(f"the plugin of backend '{backend.name}' names no functions for files")
        self._backend = backend
        self._values = values
        self._objects = objects or []
        self._names = backend.fact("graph_names")

    def name(self, name: Any) -> Any:
        """Return what a name of the table stands for."""
        if type(name) is not str or name not in self._names:
            backend = self._backend
            raise FileFormatError(
                f"{name!r} is no name that a graph may use on backend '{backend.name}' with {backend.framework} "
                f"{backend.framework_version}"
            )
        return self._names[name]

    def value(self, number: Any) -> Value:
        """Return the value of a number."""
        if type(number) is not int or not 0 <= number < len(self._values):
            raise FileFormatError(f"there is no array of the number {number!r}")
        return self._values[number]

    def data(self, x: Any) -> Any:
        """Return what data stands for."""
        if type(x) is not list:
            return x
        what, *parts = x
        if what == "tuple":
            return tuple(map(self.data, parts))
        if what == "list":
            return [self.data(part) for part in parts]
        if what == "dict":
            return {self.data(key): self.data(value) for key, value in parts}
        if what == "slice":
            return slice(*map(self.data, parts))
        if what == "shape":
            return Shape(parts)
        if what == "ellipsis":
            return ...
        if what == "complex":
            return complex(*map(self.data, parts))
        if what == "make":
            kind = self.name(parts[0])
            if not isinstance(kind, type) or issubclass(kind, Enum):
                raise FileFormatError(f"'{parts[0]}' is no class of data")
            return kind(*map(self.data, parts[1:]))
        if what == "member":
            kind = self.name(parts[0])
            if not (isinstance(kind, type) and issubclass(kind, Enum)):
                raise FileFormatError(f"'{parts[0]}' has no members")
            return kind[parts[1]]
        (part,) = parts
        if what == "value":
            return self.value(part)
        if what == "float":
            return float(part)
        if what == "bytes":
            return bytes.fromhex(part)
        if what == "dtype":
            return as_dtype(part)
        if what == "device":
            return Device(part)
        if what == "name":
            return self.name(part)
        if what == "object":
            return self._objects[part]
        raise FileFormatError(f"{what!r} is no kind of data")

    def _class(self, name: Any) -> Any:
        return self.data(name) if type(name) is list else _TYPES[name]

    def _node(self, name: Any) -> Any:
        if type(name) is list:
            return self.data(name)
        kind = _NODES.get(name) or _own(name)
        if kind is None:
            raise FileFormatError(f"{name!r} is no class of trees")
        return kind

    def tree(self, data: Any) -> Tree:
        """Return the tree of `Writer.tree`."""
        places, leaves = data

        def node(data: Any) -> Any:
            if type(data) is int:
                return Place(data)
            kind = self._node(data[0])
            if issubclass(kind, Mapping):
                return kind({self.data(key): node(item) for key, item in data[1:]})
            items = [node(item) for item in data[1:]]
            return kind(*items) if hasattr(kind, "_fields") else kind(items)

        return restored_tree(node(places), [self.data(leaf) for leaf in leaves])

    def structure(self, data: Any) -> Any:
        """Return the structure of arguments."""
        if data == "leaf":
            return data
        kind = self._node(data[0])
        if issubclass(kind, Mapping):
            return kind, tuple((self.data(key), self.structure(item)) for key, item in data[1:])
        return kind, tuple(map(self.structure, data[1:]))

    def token(self, data: Any) -> tuple[Any, ...]:
        """Return what tells one argument from others."""
        what, *rest = data
        if what == "array":
            kind, dtype, shape, attributes = rest
            found = self._backend.Array if kind is None else self._class(kind)
            return (
                what,
                found,
                self.data(dtype),
                self.data(shape),
                *((name, self._attribute(x)) for name, x in attributes),
            )
        if what == "slice":
            return (what, slice, *map(self.token, rest))
        if what not in ("number", "value"):
            raise FileFormatError(f"{what!r} is no kind of argument")
        return what, self._class(rest[0]), self.data(rest[1])

    def _attribute(self, data: Any) -> Any:
        found = self.data(data)
        return self._backend.fact("native_device", str(found)) if type(found) is Device else found


def _identity(x: Any) -> Any:
    """Return what tells an object from others that equal it, as 1 equals True."""
    try:
        return type(x), hash(x), x
    except TypeError:
        return type(x), id(x)


def _shown(x: Any) -> str:
    return f"{' '.join(repr(x).split())[:80]} of type {type(x).__module__}.{type(x).__qualname__}"
