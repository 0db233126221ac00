"""The layout of a graph picture: boxes and lines in layers from top to bottom.

igraph orders each layer to minimise crossings. A line that passes layers has a place of its own in each of them, so
that it crosses no box. All lines of one value share a path, from which they branch off.
"""

from __future__ import annotations

import itertools
import math
import statistics
from collections.abc import Iterator, Sequence
from typing import Any

from corearray.backends.installing import install_command
from corearray.errors import CoreArrayImportError

__all__ = ["Box", "Layout", "Wire"]

#: Distances in pixels: between boxes, and between lines that pass a layer side by side.
_APART, _BESIDE = 22.0, 14.0

#: How much straight lines count against short ones, and how often places are improved.
_STRAIGHT, _ROUNDS, _STRAIGHTENED = 8.0, 16, 4


class Box:
    """A box to draw, with its position after the layout.

    Attributes
    ----------
    x, y
        Its middle, and its upper edge.
    ports
        Where the lines that come in end, by the number of their wire.
    """

    def __init__(self, kind: str, title: str, detail: str, hover: str) -> None:
        self.kind = kind
        self.title = title
        self.detail = detail
        self.hover = hover
        self.width = self.height = 0.0
        self.layer = 0
        self.x = self.y = 0.0
        self.ports: dict[int, float] = {}


class Wire:
    """A value that flows from one box to others, with its lines after the layout.

    Attributes
    ----------
    source, targets
        The boxes.
    offset
        How far right of the middle of its box it begins.
    way
        The middle of its line in each layer that it passes.
    """

    def __init__(self, source: Box, hover: str, kind: str = "value") -> None:
        self.source = source
        self.hover = hover
        self.kind = kind
        self.targets: list[Box] = []
        self.offset = 0.0
        self.label = ""
        self.way: dict[int, float] = {}

    def segments(self) -> Iterator[tuple[float, int, float, Box | None]]:
        """Return the line segments between layers: start position and layer, end position, and target box."""
        x, last = self.source.x + self.offset, max(box.layer for box in self.targets)
        ends: dict[int, list[Box]] = {}
        for box in self.targets:
            ends.setdefault(box.layer, []).append(box)
        for row in range(self.source.layer, last):
            for box in ends.get(row + 1, ()):
                yield x, row, box.ports.get(id(self), box.x), box
            if row + 1 < last:
                yield x, row, self.way[row + 1], None
                x = self.way[row + 1]


class Layout:
    """Positions of boxes and wires.

    Attributes
    ----------
    layers
        The boxes from top to bottom.
    """

    def __init__(self, boxes: Sequence[Box], wires: Sequence[Wire]) -> None:
        self.boxes, self.wires = boxes, wires
        _find_layers(boxes, wires)
        self.layers: list[list[Box]] = [[] for _ in range(1 + max((box.layer for box in boxes), default=0))]
        for box in boxes:
            self.layers[box.layer].append(box)
        self._vertices: list[tuple[Any, float]] = [(box, box.width) for box in boxes]
        self._rows = [box.layer for box in boxes]
        self._edges: list[tuple[int, int, float, float]] = []  # from, to, weight, where it begins
        self._add_ways()
        self._order = self._ordered()
        self._place()

    def _add_ways(self) -> None:
        number = {id(box): place for place, box in enumerate(self.boxes)}
        for wire in self.wires:
            last = max(box.layer for box in wire.targets)
            at = {wire.source.layer: number[id(wire.source)]}
            for row in range(wire.source.layer + 1, last):
                at[row] = len(self._vertices)
                self._vertices.append(((wire, row), 0.0))
                self._rows.append(row)
                first = row == wire.source.layer + 1
                self._edges.append((at[row - 1], at[row], 2.0 if first else _STRAIGHT, wire.offset if first else 0.0))
            for box in wire.targets:
                first = box.layer == wire.source.layer + 1
                self._edges.append((at[box.layer - 1], number[id(box)], 1.0, wire.offset if first else 0.0))

    def _ordered(self) -> list[list[int]]:
        """Return the numbers in each layer from left to right."""
        try:
            import igraph
        except ImportError:
            raise CoreArrayImportError(
                f"a picture of a graph needs igraph, which is not installed; run: {install_command('draw')}"
            ) from None
        graph = igraph.Graph(n=len(self._vertices), edges=[edge[:2] for edge in self._edges], directed=True)
        found = graph.layout_sugiyama(layers=self._rows, maxiter=200)
        order: list[list[int]] = [[] for _ in self.layers]
        for vertex in sorted(range(len(self._vertices)), key=lambda vertex: found[vertex][0]):
            order[self._rows[vertex]].append(vertex)
        return order

    def _place(self) -> None:
        """Move everything to where its lines are short, layer by layer, within the order."""
        x = [0.0] * len(self._vertices)
        self._steps = [self._distances(row) for row in self._order]
        for row, offsets in zip(self._order, self._steps, strict=True):
            for vertex, offset in zip(row, offsets, strict=True):
                x[vertex] = offset - offsets[-1] / 2
        above: list[list[tuple[int, float, float]]] = [[] for _ in x]
        below: list[list[tuple[int, float, float]]] = [[] for _ in x]
        for one, two, weight, start in self._edges:
            above[two].append((one, weight, start))
            below[one].append((two, weight, -start))
        for count in range(_ROUNDS):
            down = count % 2 == 0
            rows = range(len(self._order)) if down else range(len(self._order) - 1, -1, -1)
            sides = (above, below) if count >= _ROUNDS // 2 else (above if down else below,)
            for place in rows:
                row = self._order[place]
                near = [[edge for side in sides for edge in side[vertex]] for vertex in row]
                weights = [sum(weight for _, weight, _ in edges) or 0.01 for edges in near]
                wanted = [
                    sum(weight * (x[other] + start) for other, weight, start in edges) / weight_of
                    if edges
                    else x[vertex]
                    for vertex, edges, weight_of in zip(row, near, weights, strict=True)
                ]
                for vertex, found in zip(row, _spread(wanted, weights, self._steps[place]), strict=True):
                    x[vertex] = found
        for _ in range(_STRAIGHTENED):
            self._straighten(x)
        for (item, _), found in zip(self._vertices, x, strict=True):
            if isinstance(item, Box):
                item.x = found
            else:
                item[0].way[item[1]] = found
        self._find_ports()

    def _straighten(self, x: list[float]) -> None:
        """Put what follows each other down one line below each other, as far as its neighbours leave room."""
        room = [(-math.inf, math.inf)] * len(x)
        after: dict[int, tuple[int, float]] = {}
        before: set[int] = set()
        for one, two, _, start in sorted(self._edges, key=lambda e: (-e[2], abs(x[e[0]] + e[3] - x[e[1]]))):
            if one not in after and two not in before:
                after[one] = two, start
                before.add(two)
        for number in range(len(self._order)):
            self._find_room(number, x, room)
        for vertex in [vertex for row in self._order for vertex in row if vertex not in before]:
            run, low, high, shift = [(vertex, 0.0)], *room[vertex], 0.0
            while True:
                following = after.get(run[-1][0])
                if following is not None:
                    shift += following[1]
                    least, most = (bound - shift for bound in room[following[0]])
                    if max(low, least) <= min(high, most):
                        low, high = max(low, least), min(high, most)
                        run.append((following[0], shift))
                        continue
                if len(run) > 1:
                    middle = statistics.median(x[vertex] - shift for vertex, shift in run)
                    for vertex, shift in run:
                        x[vertex] = min(max(middle, low), high) + shift
                        self._find_room(self._rows[vertex], x, room)
                if following is None:
                    break
                run, low, high, shift = [(following[0], 0.0)], *room[following[0]], 0.0

    def _find_room(self, number: int, x: list[float], room: list[tuple[float, float]]) -> None:
        """Note between which places each of a layer may move."""
        row, steps = self._order[number], self._steps[number]
        for place, vertex in enumerate(row):
            low = x[row[place - 1]] + steps[place] - steps[place - 1] if place else -math.inf
            high = x[row[place + 1]] - steps[place + 1] + steps[place] if place + 1 < len(row) else math.inf
            room[vertex] = low, high

    def _find_ports(self) -> None:
        """Let the lines to a box end side by side in the order in which they come."""
        lines: dict[int, list[tuple[float, int]]] = {}
        for wire in self.wires:
            for x, _, _, box in wire.segments():
                if box is not None:
                    lines.setdefault(id(box), []).append((x, id(wire)))
        for box in self.boxes:
            found = sorted(lines.get(id(box), []))
            step = min(26.0, box.width / (len(found) + 1))
            for place, (_, wire_id) in enumerate(found):
                box.ports[wire_id] = box.x + (place - (len(found) - 1) / 2) * step

    def _distances(self, row: Sequence[int]) -> list[float]:
        """Return how far from the first the middles of a layer are when all stand close."""
        found = [0.0]
        for one, two in itertools.pairwise(row):
            lines = self._vertices[one][1] == self._vertices[two][1] == 0.0
            gap = _BESIDE if lines else _APART
            found.append(found[-1] + (self._vertices[one][1] + self._vertices[two][1]) / 2 + gap)
        return found if row else []


def _find_layers(boxes: Sequence[Box], wires: Sequence[Wire]) -> None:
    """Put each box below all that it needs, and then as far down as that makes lines shorter; results stand below all."""
    into: dict[int, list[Wire]] = {id(box): [] for box in boxes}
    out: dict[int, list[Wire]] = {id(box): [] for box in boxes}
    for wire in wires:
        out[id(wire.source)].append(wire)
        for box in wire.targets:
            into[id(box)].append(wire)
    movable: set[int] = set()  # arguments, and what depends on none, which may stand just above their use
    for box in boxes:  # in the order in which they are computed
        box.layer = max((wire.source.layer + 1 for wire in into[id(box)]), default=0)
        if all(wire.source.kind != "input" and id(wire.source) in movable for wire in into[id(box)]):
            movable.add(id(box))
    last = max((box.layer + (box.kind != "output") for box in boxes), default=0)
    for box in boxes:
        box.layer = last if box.kind == "output" else box.layer
    for box in reversed(boxes):
        if out[id(box)]:
            below = min(other.layer for wire in out[id(box)] for other in wire.targets) - 1
            calls = [wire for wire in into[id(box)] if id(wire.source) not in movable]
            longer = sum(all(other.layer < below for other in wire.targets if other is not box) for wire in calls)
            if longer <= len(out[id(box)]):
                box.layer = below
    top = min((box.layer for box in boxes), default=0)
    for box in boxes:
        box.layer -= top


def _spread(wanted: Sequence[float], weights: Sequence[float], steps: Sequence[float]) -> list[float]:
    """Return places in order, at least so far apart, with the least squares of distances from those that are wanted.

    Isotonic regression by pooling: Ayer et al., An empirical distribution function for sampling with incomplete information,
    1955.
    """
    pools: list[list[float]] = []  # sum of weights, weighted sum, count
    for place, weight, step in zip(wanted, weights, steps, strict=True):
        pools.append([weight, weight * (place - step), 1])
        while len(pools) > 1 and pools[-2][1] * pools[-1][0] >= pools[-1][1] * pools[-2][0]:
            pool = pools.pop()
            pools[-1] = [one + two for one, two in zip(pools[-1], pool, strict=True)]
    means = [total / weight for weight, total, count in pools for _ in range(int(count))]
    return [mean + step for mean, step in zip(means, steps, strict=True)]
