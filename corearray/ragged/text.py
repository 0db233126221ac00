"""The text of a ragged array: its first and last rows, abbreviated."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from corearray.ragged.ragged import Ragged

__all__ = ["text_of"]

#: How many rows, and elements of a row, are shown at each end.
_EDGE = 3


def text_of(x: Ragged) -> str:
    """Format as `Ragged([[1, 2], [3]], dtype=...)`; in a traced program only the shape."""
    try:
        body = _listed(x)
        if "..." in body:
            body += f", shape={tuple(x.shape)}"
    except Exception:  # a tracer has no elements to print
        return f"Ragged(shape with {type(x.row_splits).__name__} of row splits)"
    return f"Ragged({body}, dtype={x.dtype}, backend={x.backend.name}, device={x.device})"


def _listed(x: Any) -> str:
    """Write the elements of an array, of which only those that are shown are read."""
    if not isinstance(x, list) and x.ndim == 0:
        value = x.tolist()
        return f"{value:.4g}" if isinstance(value, (float, complex)) else str(value)
    count = len(x)
    if count > 2 * _EDGE:
        shown = [*(x[i] for i in range(_EDGE)), None, *(x[i] for i in range(count - _EDGE, count))]
    else:
        shown = [x[i] for i in range(count)]
    return f"[{', '.join('...' if part is None else _listed(part) for part in shown)}]"
