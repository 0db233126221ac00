"""Edge cases: calls at which real frameworks go wrong, each under the requirement that it tests.

The table of what a primary must withstand, in `docs/writing-a-backend.md`, is made of the keys. Expected results come from
the same calls on the reference backend, as with the samples.
"""

from __future__ import annotations

from corearray.contract.declaration import DECLARATIONS
from corearray.testing.edges import (
    composed,
    creation,
    dtypes,
    elementwise,
    fft,
    indexing,
    linalg,
    manipulation,
    searching,
    sorting,
    statistical,
)
from corearray.testing.edges.indexing import KEYS
from corearray.testing.edges.values import Edges

__all__ = ["EDGES", "KEYS", "OF_DTYPE", "requirements"]

_BY_CATEGORY = (
    statistical,
    searching,
    sorting,
    elementwise,
    indexing,
    creation,
    manipulation,
    linalg,
    fft,
    composed,
    dtypes,
)

#: By function and requirement.
EDGES: dict[str, Edges] = {
    name: {
        requirement: calls
        for module in _BY_CATEGORY
        for requirement, calls in module.EDGES.get(name, {}).items()
        if calls
    }
    for name in DECLARATIONS
}

#: Requirements whose calls are of one dtype each.
OF_DTYPE = {dtypes.LIMITS, dtypes.DIGITS, dtypes.CASTS}


def requirements() -> str:
    """Write what each primary function must withstand as a Markdown table.

    Examples
    --------
    >>> print(requirements().splitlines()[0])
    | primary | what it must withstand |
    """
    rows = ["| primary | what it must withstand |", "|---|---|"]
    for name in (name for name in sorted(DECLARATIONS) if not DECLARATIONS[name].compositional):
        rows.append(f"| `{name}` | {', '.join(EDGES.get(name, {}))} |")
    return "\n".join(rows)
