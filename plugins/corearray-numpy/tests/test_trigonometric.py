"""Zero parts of complex tangents at infinity have the sign of the argument, not that of `sin(2y)` as in C."""

from __future__ import annotations

import math

import pytest

import corearray as ca

be = ca.get_backend("numpy")


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
@pytest.mark.parametrize("y", [1.0, 2.0, 3.0, 0.0, -0.0, -2.0])
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_tangents_at_infinity(sign, y, dtype):
    hyperbolic = be.tanh(be.asarray([complex(sign * math.inf, y)], dtype=dtype))[0].item()
    assert (hyperbolic.real, str(hyperbolic.imag)) == (sign, str(math.copysign(0.0, y)))
    circular = be.tan(be.asarray(complex(y, sign * math.inf), dtype=dtype)).item()
    assert (circular.imag, str(circular.real)) == (sign, str(math.copysign(0.0, y)))
