"""Edge cases: calls at which real frameworks go wrong, each under the requirement that it tests.

The table of what a primary must withstand, in `docs/writing-a-backend.md`, is made of the keys. Expected results come from
the same calls on the reference backend, as with the samples.
"""

from __future__ import annotations

from corearray.contract.declaration import DECLARATIONS
from corearray.testing.edges import (
    composed,
    creation,
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

__all__ = ["EDGES", "KEYS", "requirements"]

#: By function and requirement.
EDGES: dict[str, Edges] = {
    **statistical.EDGES,
    **searching.EDGES,
    **sorting.EDGES,
    **elementwise.EDGES,
    **indexing.EDGES,
    **creation.EDGES,
    **manipulation.EDGES,
    **linalg.EDGES,
    **fft.EDGES,
    **composed.EDGES,
}


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
