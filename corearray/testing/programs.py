"""The checks of compiled programs, of derivatives that a user gives, and of random numbers."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

import corearray as ca
from corearray.backends.backend import Backend
from corearray.random.words import composed_words, threefry, words_by_parts
from corearray.testing.known import Capabilities

__all__ = ["compiled_programs", "custom_gradients", "random_numbers"]

_X = np.asarray([0.5, -2.0, 3.0, 0.0], "float32")


def compiled_programs(be: Backend, can: Capabilities) -> None:
    """Compiled functions branch, loop, draw random numbers, and raise the errors of the user."""
    x = be.asarray(_X)
    generators = [ca.random.Generator(7), ca.random.Generator(7)]
    error = LookupError("the user's own", 7)

    def branch(x: Any) -> Any:
        return ca.if_else(ca.sum(x) > 0, lambda: x * 2, lambda: -x)

    def loop(x: Any) -> Any:
        return ca.while_loop(lambda x: ca.sum(x) < 100, lambda x: x * 2, x)

    def draw(x: Any, generator: Any) -> Any:
        return ca.dropout(x + 1, p=0.5, generator=generator) + generator.uniform(shape=4)

    def fail(x: Any) -> Any:
        raise error

    with ca.backend_context(be), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # compilers warn of their own programs
        compiled = ca.compile(branch, **can.compile_options)
        assert compiled(x).tolist() == (_X * 2).tolist(), "ca.if_else of a true condition"
        assert compiled(-x).tolist() == _X.tolist(), "ca.if_else of a false condition"
        doubled = _X * np.float32(2**7)
        assert ca.compile(loop, **can.compile_options)(x).tolist() == doubled.tolist(), "ca.while_loop"
        compiled = ca.compile(draw, static_argnums=1, **can.compile_options)
        for _ in range(2):
            found = be.to_numpy(compiled(x, generators[0]))
            first, *_ = generators[1].spawn(1)
            np.testing.assert_allclose(found, be.to_numpy(draw(x, first)), 1e-6, err_msg="dropout and uniform numbers")
        with pytest.raises(LookupError) as caught:
            ca.compile(fail, **can.compile_options)(x)
        assert caught.value.args == error.args, (
            f"an error with the arguments {error.args} comes out with {caught.value.args}"
        )


def custom_gradients(be: Backend, can: Capabilities) -> None:
    """Derivatives that the user gives, also of second order and in compiled functions; `None` is a derivative of zero."""
    if not can.gradients:
        return
    x = be.asarray(_X)
    square = ca.bind_custom_gradient_function(
        lambda x, y: x * x + y, lambda args, value, slope: (10.0 * args[0] * slope, None)
    )

    def slope(x: Any) -> Any:
        return ca.grad(lambda x: ca.sum(square(x, ca.sqrt(ca.abs(x)))))(x)  # the root has an infinite slope at zero

    with ca.backend_context(be), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        np.testing.assert_allclose(be.to_numpy(slope(x)), 10 * _X, 1e-5)
        twice = ca.grad(lambda x: ca.sum(ca.grad(lambda x: ca.sum(square(x, 1.0)))(x)))(x)
        np.testing.assert_allclose(be.to_numpy(twice), np.full(4, 10.0), 1e-5)
        found = ca.compile(slope, **can.compile_options)(x)
        np.testing.assert_allclose(be.to_numpy(found), 10 * _X, 1e-5, err_msg="in a compiled function")


def random_numbers(be: Backend, can: Capabilities) -> None:
    """Random numbers are those of the algorithm, on whatever computes them: the accelerator or the framework."""
    first, start = (7, 2**31 + 5), 3
    wanted = np.asarray([threefry(first, number, 0) for number in range(start, start + 5)])
    composed = composed_words(be, first, start, 5)
    found = np.stack([be.to_numpy(part) for part in words_by_parts(be, first, start, 5)], 1)
    np.testing.assert_array_equal(
        np.stack([be.to_numpy(part) for part in composed], 1), wanted, "without the accelerator"
    )
    np.testing.assert_array_equal(found, wanted)
