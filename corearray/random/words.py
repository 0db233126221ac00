"""The words that random numbers are made of: Threefry-2x32 with 20 rounds.

Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3", 2011.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from corearray.backend import Backend
    from corearray.dtypes import DType

__all__ = ["MASK", "fractions", "threefry", "widest"]

MASK = 0xFFFFFFFF
_ROTATIONS = ((13, 15, 26, 6), (17, 29, 16, 24))


def threefry(key: tuple[int, int], one: Any, two: Any) -> tuple[Any, Any]:
    """Encrypt pairs of 32-bit words, each in a 64-bit integer: Python's, or arrays of them."""
    schedule = (*key, key[0] ^ key[1] ^ 0x1BD11BDA)
    one, two = (one + schedule[0]) & MASK, (two + schedule[1]) & MASK
    for block in range(5):
        for distance in _ROTATIONS[block % 2]:
            one = (one + two) & MASK
            two = ((two << distance) & MASK | two >> (32 - distance)) ^ one
        one = (one + schedule[(block + 1) % 3]) & MASK
        two = (two + (schedule[(block + 2) % 3] + block + 1)) & MASK
    return one, two


def widest(be: Backend) -> DType:
    """Return the dtype in which random numbers are computed: float64, or float32 for a framework without it."""
    dtype: DType = be.float64 if be.float64 in be.native_dtypes else be.float32
    return dtype


def fractions(be: Backend, one: Any, two: Any, bits: int) -> Any:
    """Return multiples of `2**-bits` from 0 up to 1, which is excluded, of as many bits as the dtype holds."""
    dtype = widest(be)
    bits = min(bits, 24) if dtype is be.float32 else bits
    whole = one >> 32 - bits if bits <= 32 else (one >> 5 << 26) + (two >> 6)
    return be.astype(whole, dtype) * 2.0**-bits
