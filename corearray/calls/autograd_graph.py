"""The tape that a framework writes for derivatives, where it shows Python the steps: what they lead to."""

from __future__ import annotations

from typing import Any

from corearray.calls.accelerated import accelerated

__all__ = ["depends_on_other_leaves"]


@accelerated
def depends_on_other_leaves(outputs: list[Any], leaves: list[Any], end: type[Any]) -> bool:
    """Tell whether outputs depend on something beside some leaves: what a function holds, or what is around it.

    Parameters
    ----------
    outputs, leaves
        Native arrays. `grad_fn` of an array is the step that made it, or `None`, and `requires_grad` says whether the tape
        follows it; `next_functions` of a step are pairs of a step before, or `None`, and anything else.
    end
        The class of the steps at which the tape ends; `variable` of such a one is the array that is differentiated by.
    """
    known = set(map(id, leaves))
    steps: list[Any] = []
    for x in outputs:
        if x.grad_fn is not None:
            steps.append(x.grad_fn)
        elif x.requires_grad and id(x) not in known:
            return True
    seen: set[Any] = {None, *steps}
    for step in steps:  # which grows on the way
        for origin, _ in step.next_functions:
            if origin not in seen:
                seen.add(origin)
                if type(origin) is not end:
                    steps.append(origin)
                elif id(origin.variable) not in known:
                    return True
    return False
