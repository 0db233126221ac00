"""Reasons for names that a frontend leaves out."""

from __future__ import annotations

from collections.abc import Mapping
from fnmatch import fnmatchcase

__all__ = ["why_absent"]


def why_absent(reasons: Mapping[str, str], path: str) -> str | None:
    """Return why a dotted path is missing, or `None` where no reason is given.

    Parameters
    ----------
    reasons
        Each reason with its names, which end a path or are patterns of it.
    path
        The path below the framework's name.

    Examples
    --------
    >>> reasons = {"there are no texts": "strings* as_string"}
    >>> why_absent(reasons, "strings.join"), why_absent(reasons, "sin")
    ('there are no texts', None)
    """
    last = path.rpartition(".")[2]
    for reason, names in reasons.items():
        if any(name == last or fnmatchcase(path, name) for name in names.split()):
            return reason
    return None
