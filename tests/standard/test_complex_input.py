"""The stage for complex input, on functions that are declared here: none of the public ones needs it yet."""

from __future__ import annotations

import numpy as np
import pytest
from standard.support import array, be

import corearray as ca
from corearray.contract.declaration import DECLARATIONS, declare
from corearray.stages.complex_input import MODES

X = np.asarray([3 - 4j, 0, -2 + 1j, -1j], "complex64")


def halved(x: Array, /, *, complex_mode: str = "jax") -> Array:  # noqa: F821
    """Half of the positive part."""
    return xp.maximum(x, 0.0) / 2  # noqa: F821


@pytest.fixture(params=["split", "magnitude"])
def function(request):
    """The public function and what it does with complex numbers by itself."""
    public = declare(gives="same", complex_input=request.param)(halved)
    yield public, request.param
    del DECLARATIONS["halved"]
    be._bindings.pop("halved", None)
    for namespace in (be, be.calls, be.pipelines, be.native):
        vars(namespace).pop("halved", None)


def wanted(x, how):
    def half(part):
        return np.maximum(part, 0) / 2

    if how == "split":
        return half(x.real) + 1j * half(x.imag)
    magnitude = np.abs(x)
    return np.where(magnitude == 0, 1, x / np.where(magnitude == 0, 1, magnitude)) * half(magnitude)


@pytest.mark.parametrize("mode", MODES)
def test_modes(function, mode):
    public, usual = function
    want = wanted(X, usual if mode == MODES[0] else mode)
    with ca.backend_context(be):
        found = [public(array(X), complex_mode=mode), public(array(X).native, complex_mode=mode)]
        found += [public(array(X))] if mode == MODES[0] else []
    for result in found:
        assert isinstance(result, be.Array)
        assert result.dtype is ca.complex64
        np.testing.assert_allclose(np.asarray(be.to_numpy(result)), want, rtol=1e-6)


def test_real_input_is_computed_as_it_is(function):
    public, _ = function
    x = array(X.real.copy())
    with ca.backend_context(be):
        for mode in MODES:
            np.testing.assert_array_equal(be.to_numpy(public(x, complex_mode=mode)), np.maximum(X.real, 0) / 2)
        with pytest.raises(ValueError, match=r"complex_mode of 'halved' cannot be 'polar'; it is one of "):
            public(x, complex_mode="polar")


def test_the_stage_is_there_only_where_it_is_declared(function):
    assert be.binding("halved").stages()[0] == "handle_complex_input"
    assert "handle_complex_input" not in be.binding("add").stages()
