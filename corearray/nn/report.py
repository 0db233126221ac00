"""Progress of a loop: a bar or lines of text, a record of values, and their curves as a picture."""

from __future__ import annotations

import math
import os
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence, Sized
from html import escape
from importlib import import_module
from pathlib import Path
from typing import Any, TextIO

from corearray.errors import CoreArrayTypeError, CoreArrayValueError

__all__ = ["Progress", "draw_curves", "progress"]

#: What `corearray list-functions` says of the functions here that are no declarations.
__kind__ = "convenience"

#: Colours that people with a colour vision deficiency tell apart (Okabe and Ito).
_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")


class Progress:
    """The items of a loop, with what was logged in it; `progress` makes one.

    Attributes
    ----------
    history
        For each name that was logged a list of pairs of a step, from 1, and a number.
    """

    def __init__(self, items: Iterable[Any], every: int, total: int | None, file: TextIO | None) -> None:
        self._items = items
        self._every = every
        self._total = total
        self._file = file
        self._step = 0
        self._values: Mapping[str, Any] = {}
        self._records: list[tuple[int, Mapping[str, Any]]] = []

    def __iter__(self) -> Iterator[Any]:
        file = sys.stderr if self._file is None else self._file
        bar = _bar(self._total, file)
        start = last = time.perf_counter()
        before = 0
        try:
            for item in self._items:
                self._step += 1
                yield item
                if bar is not None:
                    bar.update(1)
                if self._step % self._every == 0:
                    now = time.perf_counter()
                    rate = (self._step - before) / max(now - last, 1e-9)
                    last, before = now, self._step
                    values = {name: float(value) for name, value in self._values.items()}
                    if bar is not None:
                        bar.set_postfix(values)
                    else:
                        print(self._line(values, rate, now - start), file=file, flush=True)
        finally:
            if bar is not None:
                bar.close()

    def log(self, **values: Any) -> None:
        """Note numbers of the current step. Arrays are read only when they are shown, so that nothing waits for them."""
        self._values = {**self._values, **values}
        self._records.append((self._step, values))

    @property
    def history(self) -> dict[str, list[tuple[int, float]]]:
        """What was logged, as numbers."""
        found: dict[str, list[tuple[int, float]]] = {}
        for step, values in self._records:
            for name, value in values.items():
                found.setdefault(name, []).append((step, float(value)))
        return found

    def draw(self, path: str | os.PathLike[str], /) -> None:
        """Write the curves of what was logged as a picture, SVG."""
        draw_curves(self.history, path)

    def _line(self, values: Mapping[str, float], rate: float, seconds: float) -> str:
        count = f"{self._step}" if self._total is None else f"{self._step}/{self._total}"
        parts = [f"step {count}", *(f"{name} {value:.4g}" for name, value in values.items())]
        return "  ".join([*parts, f"{rate:.3g} steps/s", f"{seconds:.0f} s"])


def progress(
    items: Iterable[Any], /, *, every: int = 50, total: int | None = None, file: TextIO | None = None
) -> Progress:
    """Make a loop that shows how far it is: by tqdm if that is installed and the output is a terminal, else by lines.

    Parameters
    ----------
    items
        What to loop over.
    every
        Number of steps between two lines.
    total
        Number of steps, if it is known; by default `len(items)` where there is one.
    file
        Where the text goes, by default `sys.stderr`.

    Returns
    -------
    `Progress`: an iterable with `log(**numbers)`, `history` and `draw(path)`.

    Raises
    ------
    TypeError
        If `items` is no iterable.
    ValueError
        If `every` is below 1.

    Examples
    --------
    >>> import io
    >>> from corearray import nn
    >>> text = io.StringIO()
    >>> steps = nn.progress(range(4), every=2, file=text)
    >>> for i in steps:
    ...     steps.log(loss=1.0 / (i + 1))
    >>> [line.split("  ")[:2] for line in text.getvalue().splitlines()]
    [['step 2/4', 'loss 0.5'], ['step 4/4', 'loss 0.25']]
    >>> steps.history["loss"][-1]
    (4, 0.25)
    """
    if not isinstance(items, Iterable):
        raise CoreArrayTypeError(f"'progress' takes an iterable, got {type(items).__name__}")
    if every < 1:
        raise CoreArrayValueError(f"'every' of 'progress' is at least 1, got {every}")
    if total is None and isinstance(items, Sized):
        total = len(items)
    return Progress(items, every, total, file)


def _bar(total: int | None, file: TextIO) -> Any:
    if not file.isatty():
        return None
    try:
        tqdm = import_module("tqdm").tqdm
    except ImportError:
        return None
    return tqdm(total=total, file=file)


def draw_curves(
    curves: Mapping[str, Sequence[tuple[float, float]]], path: str | os.PathLike[str], /, *, title: str = ""
) -> None:
    """Write curves as a picture, SVG.

    Parameters
    ----------
    curves
        Points by name.
    path
        The file.
    title
        Text above the picture.

    Raises
    ------
    ValueError
        If there is no finite point.
    """
    finite = {name: [p for p in points if math.isfinite(p[1])] for name, points in curves.items()}
    every = [point for points in finite.values() for point in points]
    if not every:
        raise CoreArrayValueError("there is nothing to draw: no point is finite")
    width, height, left, top = 640, 360, 60, 30
    x0, x1 = min(x for x, _ in every), max(x for x, _ in every)
    y0, y1 = min(y for _, y in every), max(y for _, y in every)

    def place(x: float, y: float) -> str:
        across = left + (width - left - 20) * (x - x0) / ((x1 - x0) or 1)
        down = top + (height - top - 40) * (1 - (y - y0) / ((y1 - y0) or 1))
        return f"{across:.1f},{down:.1f}"

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12">',
        f'<rect width="{width}" height="{height}" fill="white"/>',
        f'<text x="{left}" y="18">{escape(title)}</text>',
        f'<path d="M{left} {top}V{height - 40}H{width - 20}" fill="none" stroke="#888"/>',
    ]
    for value in (y0, (y0 + y1) / 2, y1):
        _, down = place(x0, value).split(",")
        parts.append(f'<text x="{left - 6}" y="{float(down) + 4:.1f}" text-anchor="end">{value:.3g}</text>')
    for value in (x0, (x0 + x1) / 2, x1):
        across, _ = place(value, y0).split(",")
        parts.append(f'<text x="{across}" y="{height - 22}" text-anchor="middle">{value:.4g}</text>')
    for i, (name, points) in enumerate(finite.items()):
        colour = _COLOURS[i % len(_COLOURS)]
        line = " ".join(place(x, y) for x, y in points)
        parts.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="1.5"/>')
        parts.append(
            f'<text x="{width - 24}" y="{top + 16 * (i + 1)}" text-anchor="end" fill="{colour}">{escape(name)}</text>'
        )
    Path(path).write_text("\n".join([*parts, "</svg>"]), encoding="utf-8")
