"""A descending order that is stable, with NaN first."""

from __future__ import annotations

import math

import corearray as ca

be = ca.get_backend("numpy")


def test_descending():
    x = be.asarray([1.0, math.nan, 3.0, 1.0, -0.0, 0.0])
    assert be.argsort(x, descending=True).tolist() == [1, 2, 0, 3, 4, 5]
    assert str(be.sort(x, descending=True).tolist()) == "[nan, 3.0, 1.0, 1.0, -0.0, 0.0]"
