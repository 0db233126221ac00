"""Plain aligned text, without colours and whatever the terminal's width: the same in a pipe and in a bug report."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

__all__ = ["one_line", "table"]


def one_line(text: str) -> str:
    """Bring a message of several lines onto one."""
    return " ".join(text.split())


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Align columns, two spaces apart; an empty cell is a dash, except in the last column, which is free text.

    Examples
    --------
    >>> print(table(["name", "note"], [["one", "first"], ["", ""]]))
    name  note
    one   first
    -
    """
    lines = [list(header)]
    lines += [[one_line(cell) or "-" for cell in row[:-1]] + [one_line(row[-1])] for row in rows]
    widths = [max(len(line[column]) for line in lines) for column in range(len(header))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in lines
    )
