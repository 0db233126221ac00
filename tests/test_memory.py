"""Which arrays of other libraries may be written, as plugins ask it."""

from __future__ import annotations

import numpy as np
import pytest

from corearray.plugin import is_constant


class OnGpu:
    """An array without a buffer of the host."""

    def __add__(self, other: object) -> object:
        return self


class Writing(OnGpu):
    def __iadd__(self, other: object) -> Writing:
        return self


class Holding:
    def __init__(self, native: object) -> None:
        self.native = native


def read_only() -> np.ndarray:
    x = np.zeros(3)
    x.flags.writeable = False
    return x


@pytest.mark.parametrize(
    "x, constant",
    [
        (np.zeros(3), False),
        (read_only(), True),
        (np.zeros(6)[::2], False),
        (Holding(np.zeros(3)), False),
        (Holding(read_only()), True),
        (OnGpu(), True),
        (Writing(), False),
        (object(), False),
    ],
)
def test_constants_are_known_by_their_buffer_or_their_operators(x, constant):
    assert is_constant(x) is constant
