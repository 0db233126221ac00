"""SVG pictures of graphs: boxes for calls, arguments, constants and results, and lines for values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html import escape
from typing import TYPE_CHECKING, Any

from corearray.contract.recording import Step, Value, leaves
from corearray.graph.layout import Box, Layout, Wire

if TYPE_CHECKING:
    from corearray.graph.graph import Signature

__all__ = ["picture"]

#: By kind: what the legend says; fill, border and text by day and by night.
_KINDS = {
    "input": ("argument", "#e2effc", "#3a7fc1", "#123a61", "#16304a", "#5a9fdd", "#d5e8fb"),
    "constant": ("constant", "#fdf1d3", "#c08a1e", "#5c410a", "#3a2f14", "#cfa044", "#f6e6bf"),
    "call": ("call", "#f4f5f8", "#8b93a5", "#20242c", "#272c36", "#7d8799", "#e8ebf1"),
    "write": ("call that writes, or draws", "#fde5e1", "#cc4b3c", "#651f16", "#442019", "#e0705f", "#fbdcd6"),
    "output": ("result", "#e0f4e4", "#389152", "#0f4520", "#16361f", "#57b373", "#d3f2dc"),
}
_FONT = "ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono','Liberation Mono',monospace"

#: Width of a letter of a size of one pixel, in the widest of these fonts.
_LETTER = 0.61
_TITLE, _SMALL = 13.0, 10.5
_MARGIN, _LABEL, _LONGEST = 24.0, 17.0, 34


def picture(signature: Signature) -> str:
    """Return the SVG text of a graph."""
    boxes, wires = _parts(signature)
    layout = Layout(boxes, wires)
    bands = _bands(layout)
    shift = _MARGIN - min((box.x - box.width / 2 for box in boxes), default=0.0)
    shift = max([shift, *(_MARGIN - x for wire in wires for x in wire.way.values())])
    right = max((box.x + box.width / 2 for box in boxes), default=0.0)
    right = max([right, *(x for wire in wires for x in wire.way.values())]) + shift
    heading = f"{signature.name} · {signature.backend.name} · {len(signature.recording.steps)} native calls"
    kinds = [kind for kind in _KINDS if any(box.kind == kind for box in boxes)]
    legend, wide = _legend(kinds)
    width = max(right, _MARGIN + max(_wide(heading, _TITLE), wide)) + _MARGIN
    shift += (width - _MARGIN - right) / 2 if right + _MARGIN < width else 0.0
    height = bands[-1][1] + _MARGIN
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="0 0 {width:.0f} {height:.0f}" role="img" aria-label="{escape(heading)}">',
        f"<style>{_style()}</style>",
        '<defs><marker id="ca-arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" '
        'orient="auto"><path class="ca-head" d="M0 0.8L7.5 4L0 7.2z"/></marker></defs>',
        f'<rect class="ca-page" width="{width:.0f}" height="{height:.0f}" rx="8"/>',
        f'<text class="ca-title" x="{_MARGIN:.0f}" y="30">{escape(heading)}</text>',
        legend,
        f'<g transform="translate({shift:.1f} 0)">',
        *(line for wire in wires for line in _lines(wire, bands)),
        *(line for box in boxes for line in _box(box)),
        *(line for wire in wires for line in _label(wire, bands)),
        "</g>",
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


# --- boxes and wires of a recording


def _parts(signature: Signature) -> tuple[list[Box], list[Wire]]:
    recording, written = signature.recording, signature.written
    boxes: list[Box] = []
    wires: dict[Any, Wire] = {}

    def add(box: Box, values: list[Value]) -> Box:
        boxes.append(box)
        for value in values:
            wire = wires[value] = Wire(box, f"{written.names.get(value, '_')}: {value}")
            wire.label = str(value)
        return box

    def connect(key: Any, box: Box) -> None:
        if box not in wires[key].targets:
            wires[key].targets.append(box)

    for value in recording.inputs:
        name = written.names[value]
        add(Box("input", name, "", f"argument {name}: {value}"), [value])
    last: dict[Any, tuple[int, Box]] = {}  # by memory: the last call that wrote into it
    readers: dict[Any, list[tuple[int, Box]]] = {value.memory: [] for step in recording.steps for value in step.writes}
    for place, step in enumerate(recording.steps):
        values = list(dict.fromkeys(step.inputs))
        for value in values:
            if value.constant is not None and value.shape and value not in wires:
                name = written.names[value]
                add(Box("constant", name, "", f"constant {name}: {value}"), [value])
        call = written.call_text(step)
        made = [value for value in step.outputs if value not in wires]
        names = ", ".join(written.names.get(value, "_") for value in made)
        kind = "write" if step.effect or step.writes else "call"
        hover = f"{names} = {call}" if made else call
        box = add(Box(kind, _short(step), _said(signature, step), f"{hover}\n{step.name}"), made)
        for value in values:
            if value in wires:
                connect(value, box)
        for memory in {value.memory for value in (*step.inputs, *step.writes)} & readers.keys():
            if memory in last:
                _after(wires, last[memory], box)
            readers[memory].append((place, box))
        for value in step.writes:
            for earlier in readers[value.memory][:-1]:
                _after(wires, earlier, box)
            last[value.memory], readers[value.memory] = (place, box), []
    for value, name in zip(recording.outputs, _paths(signature), strict=True):
        if value not in wires:
            add(Box("constant", written.names[value], "", f"constant: {value}"), [value])
        box = Box("output", name, "", f"{name}: {value}")
        boxes.append(box)
        connect(value, box)
        if value.memory in last:
            _after(wires, last[value.memory], box)
    used = [wire for wire in wires.values() if wire.targets]
    _measure(boxes, used)
    return boxes, used


def _after(wires: dict[Any, Wire], earlier: tuple[int, Box], box: Box) -> None:
    """Say that a box stands for a later call than another, of which one writes what the other reads."""
    place, writer = earlier
    if any(wire.source is writer and box in wire.targets for wire in wires.values()):
        return
    wire = wires.setdefault(place, Wire(writer, "in this order, because one writes what the other reads", "order"))
    wire.targets.append(box)


def _short(step: Step) -> str:
    """Return what is called, without modules and the like."""
    name = step.name.removesuffix(".bind").removesuffix(".__get__")
    parts = [part for part in name.split(".") if not part.startswith("_") or part.startswith("__")]
    end = parts[-1] if parts else name
    if end in ("reduce", "accumulate", "outer", "at", "reduceat") and len(parts) > 1:
        end = f"{parts[-2]}.{end}"
    end = end.removesuffix("_p") if step.name.endswith(".bind") else end.strip("_") if end.startswith("__") else end
    return _cut(end)


def _said(signature: Signature, step: Step) -> str:
    """Return the arguments of a call that are no arrays, and single numbers that are constants."""
    if step.name.endswith("__getitem__"):
        return _cut(f"[{signature.written._key(step.arguments[1])}]")
    found = [_plain(signature, argument) for argument in step.arguments]
    for name, option in step.options.items():
        text = _plain(signature, option) if option is not None else ""
        if text:
            found.append(f"{name}={text}" if not _is_number(option) else text)
    return _cut(", ".join(text for text in found if text))


def _is_number(value: Any) -> bool:
    return type(value) is Value and value.constant is not None and not value.shape


def _plain(signature: Signature, argument: Any) -> str:
    """Return the text of an argument; nothing for arrays, which have lines."""
    if type(argument) is Value:
        return _number(signature, argument) if _is_number(argument) else ""
    parts = list(leaves([argument]))
    if any(type(part) is Value and not _is_number(part) for part in parts):
        return ""
    if callable(argument) and not isinstance(argument, type):
        return str(getattr(argument, "__name__", "function"))
    return "" if argument is None else " ".join(str(argument).split())


def _number(signature: Signature, value: Value) -> str:
    number = signature.backend.fact("to_list", value.constant)
    return f"{number:.5g}" if isinstance(number, float) else str(number)


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def _paths(signature: Signature) -> Iterator[str]:
    """Return names for the arrays that come out: where each stands in the tree that the program returns."""
    numbers = list(range(len(signature.wraps)))

    def walk(tree: Any, path: str) -> Iterator[tuple[int, str]]:
        if isinstance(tree, Mapping):
            for key, item in tree.items():
                yield from walk(item, f"{path}.{key}" if path else str(key))
        elif isinstance(tree, (list, tuple)):
            for place, item in enumerate(tree):
                yield from walk(item, f"{path}[{place}]" if path else f"result[{place}]")
        else:
            yield tree, path or "result"

    names = dict(walk(signature.results.of(numbers), ""))
    return (_cut(names[number]) for number in numbers if signature.wraps[number] is not None)


# --- sizes


def _wide(text: str, size: float) -> float:
    return len(text) * size * _LETTER


def _measure(boxes: list[Box], wires: list[Wire]) -> None:
    """Give boxes their sizes, and let the values that they make begin side by side, with what they are below."""
    made: dict[int, list[Wire]] = {}
    for wire in wires:
        made.setdefault(id(wire.source), []).append(wire)
    for box in boxes:
        box.height = 42.0 if box.detail else 28.0
        box.width = max(64.0, _wide(box.title, _TITLE) + 24, _wide(box.detail, _SMALL) + 20)
        out = made.get(id(box), [])
        values = [wire for wire in out if wire.kind == "value"]
        if len(values) > 1 and len({wire.label for wire in values}) == 1:
            values[len(values) // 2].label = f"{len(values)} × {values[0].label}"
            for wire in values:
                wire.label = wire.label if "×" in wire.label else ""
        widths = [
            max(14.0, _wide(wire.label, _SMALL) + 10 if len(values) < 2 or "×" not in wire.label else 14.0)
            for wire in out
        ]
        box.width = max(box.width, sum(widths), *(_wide(wire.label, _SMALL) + 10 for wire in out), 0.0)
        start = -sum(widths) / 2
        for wire, width in zip(out, widths, strict=True):
            wire.offset = start + width / 2
            start += width


def _bands(layout: Layout) -> list[tuple[float, float]]:
    """Return where each layer begins and ends, with what is written below its boxes, and give the boxes their places."""
    far = [0.0] * len(layout.layers)
    labels = [0.0] * len(layout.layers)
    for wire in layout.wires:
        if wire.label:
            labels[wire.source.layer] = _LABEL
        for start, row, end, _ in wire.segments():
            far[row] = max(far[row], abs(end - start))
    bands: list[tuple[float, float]] = []
    top = 78.0
    for boxes, label, distance in zip(layout.layers, labels, far, strict=True):
        height = max((box.height for box in boxes), default=0.0)
        for box in boxes:
            box.y = top + (height - box.height) / 2
        bands.append((top, top + height + label))
        top = bands[-1][1] + min(24.0 + distance / 12, 80.0)
    return bands


# --- lines


def _lines(wire: Wire, bands: list[tuple[float, float]]) -> Iterator[str]:
    yield f'<g class="ca-{wire.kind}"><title>{escape(wire.hover)}</title>'
    begin = wire.source.y + wire.source.height
    for x, row, end, box in wire.segments():
        top, bottom = bands[row]
        start = begin if row == wire.source.layer else top
        below = bands[row + 1][0]
        below -= 7.0 if box else 0.0  # room for the head of an arrow
        middle = (bottom + below) / 2
        path = f"M{x:.1f} {start:.1f}V{bottom:.1f}C{x:.1f} {middle:.1f} {end:.1f} {middle:.1f} {end:.1f} {below:.1f}"
        yield f'<path d="{path}"/>' if box is None else f'<path d="{path}V{box.y:.1f}" marker-end="url(#ca-arrow)"/>'
    yield "</g>"


def _box(box: Box) -> Iterator[str]:
    left = box.x - box.width / 2
    radius = {"call": 6, "write": 6, "constant": 2}.get(box.kind, box.height / 2)
    yield f'<g class="ca-{box.kind}"><title>{escape(box.hover)}</title>'
    yield (
        f'<rect x="{left:.1f}" y="{box.y:.1f}" width="{box.width:.1f}" height="{box.height:.0f}" rx="{radius:.0f}"/>'
    )
    yield f'<text class="ca-name" x="{box.x:.1f}" y="{box.y + 18.5:.1f}">{escape(box.title)}</text>'
    if box.detail:
        yield f'<text class="ca-small" x="{box.x:.1f}" y="{box.y + 34:.1f}">{escape(box.detail)}</text>'
    yield "</g>"


def _label(wire: Wire, bands: list[tuple[float, float]]) -> Iterator[str]:
    if wire.label:
        x, y = wire.source.x + wire.offset, bands[wire.source.layer][1] - 4.5
        wide = _wide(wire.label, _SMALL) + 6
        yield f'<rect class="ca-page" x="{x - wide / 2:.1f}" y="{y - 10:.1f}" width="{wide:.1f}" height="14"/>'
        yield f'<text class="ca-type" x="{x:.1f}" y="{y:.1f}">{escape(wire.label)}</text>'


def _legend(kinds: list[str]) -> tuple[str, float]:
    parts, x = [], _MARGIN
    for kind in kinds:
        text, radius = _KINDS[kind][0], 4 if kind in ("call", "write") else 7
        parts.append(
            f'<g class="ca-{kind}"><rect x="{x:.1f}" y="42" width="14" height="14" rx="{radius}"/>'
            f'</g><text class="ca-legend" x="{x + 20:.1f}" y="53">{text}</text>'
        )
        x += 38 + _wide(text, _SMALL)
    return "\n".join(parts), x - _MARGIN


def _style() -> str:
    def colours(night: bool) -> str:
        page, ink, soft, line = (
            ("#171a20", "#e8ebf1", "#a7b0c0", "#77839a") if night else ("#fff", "#20242c", "#5b6474", "#8b95a7")
        )
        rules = [
            f".ca-page{{fill:{page}}}.ca-title{{fill:{ink}}}.ca-legend{{fill:{soft}}}",
            f".ca-type{{fill:{soft}}}.ca-value path,.ca-order path{{stroke:{line}}}.ca-head{{fill:{line}}}",
        ]
        for kind, (_, *tones) in _KINDS.items():
            fill, border, text = tones[3:] if night else tones[:3]
            rules.append(f".ca-{kind} rect{{fill:{fill};stroke:{border}}}.ca-{kind} text{{fill:{text}}}")
        return "".join(rules)

    return (
        f"text{{font-family:{_FONT};font-size:{_SMALL}px}}.ca-title,.ca-name{{font-size:{_TITLE:.0f}px;font-weight:600}}"
        ".ca-name,.ca-small,.ca-type{text-anchor:middle}"
        ".ca-value path,.ca-order path{fill:none;stroke-width:1.3}.ca-order path{stroke-dasharray:4 3}"
        ".ca-value:hover path{stroke-width:2.6}"
        f"{colours(False)}@media (prefers-color-scheme:dark){{{colours(True)}}}"
    )
