"""Random words as operators of torch: its compiler sees one call in place of a hundred operations to each draw."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from corearray_torch.graph import at_work

__all__ = ["words_by_operator"]

#: The core's function that makes words of numbers at once.
_made: Callable[..., Any]


def words_by_operator(call: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that calls an operator on CPUs, and the core's composition elsewhere."""
    global _made
    _made = call

    def program(natives: Any, how: Any) -> Any:
        given, (count, least) = natives[0], how
        if not given.is_cpu or at_work() is not None:  # a compiler for GPUs fuses the composition
            return call(natives, how)
        return _words(given, count) if least is None else _reach(given, count, least)

    return program


@torch.library.custom_op("corearray::random_words", mutates_args=(), device_types="cpu")
def _words(given: Tensor, count: int) -> tuple[Tensor, Tensor]:
    one, two = _made({0: given.tolist()}, (count, None))
    return one, two


@torch.library.custom_op("corearray::first_words_reach", mutates_args=(), device_types="cpu")
def _reach(given: Tensor, count: int, least: int) -> Tensor:
    found: Tensor = _made({0: given.tolist()}, (count, least))
    return found


@_words.register_fake
def _(given: Tensor, count: int) -> tuple[Tensor, Tensor]:
    return given.new_empty(count), given.new_empty(count)


@_reach.register_fake
def _(given: Tensor, count: int, least: int) -> Tensor:
    return given.new_empty(count, dtype=torch.bool)
