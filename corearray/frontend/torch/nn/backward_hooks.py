"""Hooks that `backward` calls with the gradients by the arguments and by the results of a module."""

from __future__ import annotations

from typing import Any

from corearray.errors import CoreArrayNotImplementedError
from corearray.frontend.holding import Tree
from corearray.frontend.torch.wrapper import Tensor

__all__ = ["with_backward_hooks"]


def with_backward_hooks(module: Any, args: Any, options: Any) -> Any:
    """Call `forward` of a module, and note its hooks in the tensors before and behind it."""
    given = [x.view_as(x) if isinstance(x, Tensor) and x.requires_grad else x for x in args]
    places = [i for i, x in enumerate(given) if isinstance(x, Tensor) and x.requires_grad]
    result = Tree(module.forward(*given, **options))
    made = [x.view_as(x) if isinstance(x, Tensor) and x.requires_grad else x for x in result.leaves]
    behind: list[Any] = [None] * len(made)
    before: dict[int, Any] = {}

    def call() -> Any:
        slopes = tuple(before.get(i) if isinstance(x, Tensor) else None for i, x in enumerate(given))
        found = None
        for hook in list(module._backward.values()):
            changed = hook(module, slopes if found is None else found, tuple(behind))
            found = found if changed is None else changed if isinstance(changed, tuple) else (changed,)
        return found

    def of_result(place: int) -> Any:
        def note(slope: Any) -> Any:
            changed = None
            for hook in list(module._before_backward.values()):
                if len(made) > 1:
                    raise CoreArrayNotImplementedError("a backward pre-hook of a module with several results")
                found = hook(module, (slope,))
                if found is not None:
                    changed = slope = found[0] if isinstance(found, tuple) else found
            behind[place] = slope
            if not places:
                call()
            return changed

        return note

    def of_argument(place: int) -> Any:
        def note(slope: Any) -> Any:
            before[place] = slope
            if len(before) < len(places):
                return None
            found = call()
            before.clear()
            if found is None:
                return None
            if len(places) > 1:
                raise CoreArrayNotImplementedError(
                    "a backward hook that changes the gradients of a module with several arguments"
                )
            return found[place]

        return note

    for place, x in enumerate(made):
        if isinstance(x, Tensor) and x.requires_grad:
            x.register_hook(of_result(place))
    for place in places:
        given[place].register_hook(of_argument(place))
    return result.of(made)
