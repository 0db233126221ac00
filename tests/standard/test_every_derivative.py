"""The derivative of every function by every real array that it takes, by the mechanism of the kit."""

from __future__ import annotations

import pytest
from standard.support import be, needs_derivatives

from corearray.testing import derivatives
from corearray.testing.derivatives import differentiable, wrong_derivative

pytestmark = [needs_derivatives, pytest.mark.filterwarnings("ignore")]


@pytest.mark.parametrize("name", differentiable())
def test_derivatives_are_those_of_differences(name: str) -> None:
    wrong = wrong_derivative(be, name)
    assert not wrong, wrong


def test_a_wrong_derivative_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(derivatives, "function_of", lambda *_: lambda x: be.sin(x) + be.stop_gradient(x))
    assert wrong_derivative(be, "sin").startswith("the gradient by real array 1 is ")
