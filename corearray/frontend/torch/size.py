"""`Size`: the shape of a tensor."""

from __future__ import annotations

__all__ = ["Size"]


class Size(tuple[int, ...]):
    """The shape of a tensor."""

    __slots__ = ()

    def numel(self) -> int:
        """Return the number of elements."""
        count = 1
        for n in self:
            count *= n
        return count

    def __repr__(self) -> str:
        return f"torch.Size({list(self)})"
