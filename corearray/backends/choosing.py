"""The choice of the implementation of a function, and of the stages around it, among those of extensions, backend and core."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING, Any, cast

from corearray.contract.declaration import DECLARATIONS
from corearray.contract.validation import marked
from corearray.errors import options

if TYPE_CHECKING:
    from corearray.backends.backend import Backend
    from corearray.backends.extensions import Extensions
    from corearray.calls.binding import Binding, Call, Candidate

__all__ = ["apply_stage", "considered", "unforced_stages"]


def considered(extensions: Extensions, backend: Backend, name: str) -> list[tuple[Candidate, str]]:
    """Return what plugins offer for a function on a backend, each with why it is dropped; the winner with `""`.

    A candidate that leaves calls, by its guard or for dtypes, has the next one in `otherwise`.
    """
    from corearray.calls.binding import Candidate
    from corearray.contract.versions import matches

    found: list[tuple[Candidate, str]] = []
    last: Candidate | None = None  # the winner, or what computes the calls that its guard leaves
    for offer in extensions.offers(name, backend):
        implementation = offer.implementation
        if implementation.plugin_name.startswith("core:"):
            continue
        function = cast(Any, implementation.function)
        if any(function is candidate.function for candidate, _ in found):  # imported by two modules
            continue
        given = function.corearray_options
        candidate = Candidate(function, given, implementation.plugin_name)
        dropped = ""
        if not matches(backend.framework_version, given.versions):
            dropped = f"is for {backend.framework}{given.versions}"
        elif last is not None and not last.options.partial:
            dropped = f"comes after '{last.name}' of {last.module}"
        elif offer.conflict:
            dropped = f"is in conflict: {offer.conflict}"
        else:
            if last is not None:
                dropped = f"computes what '{last.name}' of {last.module} leaves"
                last.otherwise = candidate
            last = candidate
        found.append((candidate, dropped))
    return found


def apply_stage(extensions: Extensions, name: str, call: Call, binding: Binding) -> Call | None:
    """Wrap a call in a stage; `None` if the function does not need it."""
    backend = binding.backend
    found = backend.stages.get(name)
    if found is None:
        found = backend.stages[name] = [
            (offer.implementation.function, offer.implementation.plugin_name.startswith("core:"))
            for offer in extensions.offers(name, backend)
            if not offer.conflict and offer.fits(backend.framework_version)
        ]
    for function, of_core in found:
        wrapped = function(call, binding)
        if wrapped is not None:
            if not of_core:
                binding.own_stages.add(name)
            return cast("Call", wrapped)
    return None


def unforced_stages(extensions: Extensions, plugins: Iterable[Any], backend: Backend) -> list[str]:
    """Return what is wrong with `stages_add` of hookimpls: the stages that have nothing to do in the function."""
    from corearray.calls.binding import Binding, Candidate
    from corearray.contract.versions import matches

    problems = []
    stage = partial(apply_stage, extensions)
    for label, hook, written in marked(plugins, []):
        function = cast(Any, written)
        given = function.corearray_options
        if hook in DECLARATIONS and given.stages_add and matches(backend.framework_version, given.versions):
            binding = Binding(DECLARATIONS[hook], backend, Candidate(function, given, label), stage)
            idle = [name for name in sorted(given.stages_add) if stage(name, lambda args: args, binding) is None]
            if idle:
                problems.append(f"'{label}' adds the stages {options(idle)}, which have nothing to do in '{hook}'")
    return problems
