"""The record of calls from which frontends compute gradients: `Node` is a call, `Replay` makes recorded calls again.

A gradient is the backend's own derivative of the replayed calls. Recorded objects are a frontend's tensors: `array` is the
`Array` that one holds, and `_node` is the call that made it, or `None`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import nullcontext
from typing import Any

import corearray as ca
from corearray.random.context import drawing_from

__all__ = ["Node", "Replay", "key_of", "recorded"]


class Node:
    """A call whose result needs gradients.

    Attributes
    ----------
    function
        The function of arrays that was called.
    arguments, options
        Its arguments, recorded objects included.
    inputs
        The recorded objects among the arguments to which gradients flow.
    place
        The number of the result, if the function returned several.
    drawn
        The state of the generator from which the call drew random numbers, or `None`.
    number
        The number of the call; later calls have greater numbers.
    tapes
        The numbers of the tapes that recorded the call, in a frontend that has tapes.
    hooks
        Functions of the gradient by the result, which may return another one.
    """

    __slots__ = ("arguments", "drawn", "function", "hooks", "inputs", "number", "options", "place", "tapes")
    _count = 0

    def __init__(
        self,
        function: Callable[..., Any],
        arguments: Any,
        options: Any,
        inputs: list[Any],
        place: Any,
        *,
        drawn: Any = None,
        tapes: frozenset[int] = frozenset(),
    ) -> None:
        self.function = function
        self.arguments = arguments
        self.options = options
        self.inputs = inputs
        self.place = place
        self.drawn = drawn
        self.tapes = tapes
        self.hooks: dict[int, Callable[..., Any]] = {}
        Node._count += 1
        self.number = Node._count


def key_of(x: Any) -> Any:
    """Return the identity of a recorded object at the time of a call: itself if it is a leaf, else the call that made it."""
    return ("leaf", id(x)) if x._node is None else ("call", x._node.number)


def recorded(ends: Iterable[Any], follows: Callable[[Node], bool] = lambda node: True) -> list[Any]:
    """Return the recorded objects on which the given ones depend, in the order of their calls.

    Parameters
    ----------
    ends
        The objects at which the search begins.
    follows
        Whether a call belongs to the record; results of other calls are leaves.
    """
    found: dict[int, Any] = {}
    waiting = list(ends)
    while waiting:
        x = waiting.pop()
        node = x._node
        if node is None or node.number in found or not follows(node):
            continue
        found[node.number] = x
        waiting += node.inputs
    return [found[number] for number in sorted(found)]


class Replay:
    """Recorded calls that are made again, with other arrays for some objects.

    Parameters
    ----------
    known
        Arrays by the keys (`key_of`) of the objects that they replace.
    is_recorded
        Whether an argument is a recorded object.
    plain
        Converts an argument that is no recorded object.
    key
        Returns the key of a recorded object.
    """

    def __init__(
        self,
        known: Mapping[Any, ca.Array],
        is_recorded: Callable[[Any], bool],
        plain: Callable[[Any], Any],
        key: Callable[[Any], Any] = key_of,
    ) -> None:
        self._key = key
        self._known = known
        self._is_recorded = is_recorded
        self._plain = plain
        self._made: dict[int, Any] = {}

    def value(self, x: Any) -> Any:
        """Return the array of a recorded object, or an argument with arrays in place of such objects."""
        if self._is_recorded(x):
            key = self._key(x)
            if key in self._known:
                return self._known[key]
            node = x._node
            return self._made[node.number] if node is not None and node.number in self._made else x.array
        if type(x) in (tuple, list):
            return type(x)(map(self.value, x))
        if type(x) is dict:
            return {name: self.value(item) for name, item in x.items()}
        return self._plain(x)

    def made(self, x: Any) -> Any:
        """Return what the call of an object has made, also if another array replaces it."""
        return self.value(x) if x._node is None else self._made[x._node.number]

    def run(self, objects: Iterable[Any]) -> None:
        """Make the calls of objects, in the order in which `recorded` returns them."""
        for x in objects:
            node = x._node
            if node.number in self._made:
                continue
            arguments, options = map(self.value, node.arguments), {k: self.value(v) for k, v in node.options.items()}
            with nullcontext() if node.drawn is None else drawing_from(_generator(node.drawn)):
                result = node.function(*arguments, **options)
            self._made[node.number] = result if node.place is None else result[node.place]


def _generator(state: Any) -> Any:
    """Return a generator that draws the numbers that the recorded call has drawn."""
    made = ca.random.Generator(0)
    made.__setstate__(state)
    return made
