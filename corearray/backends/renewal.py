"""All functions of a backend composed anew: what is kept of them is taken away, wherever calls find it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corearray.calls.accelerated import accelerator
from corearray.contract.declaration import DECLARATIONS

if TYPE_CHECKING:
    from corearray.backends.backend import Backend

__all__ = ["renew"]


def renew(backend: Backend) -> None:
    """Take away what was composed, see `Backend.forget`."""
    with backend.lock:
        # In this order: what another thread composes meanwhile is of one edition, or composed again, see `put`.
        backend.stages = {}
        backend.scope = backend._new_scope()
        former, backend._bindings = backend._bindings, {}
        backend.edition += 1
        for name, declaration in DECLARATIONS.items():
            backend.calls.add_function(name)
            for namespace in (backend, backend.native):
                if declaration.main:
                    vars(namespace).pop(name, None)
                if declaration.namespace:
                    vars(getattr(namespace, declaration.namespace)).pop(name, None)
            for composed in (backend.pipelines, backend.recoveries, backend.innermost):
                vars(composed).pop(name, None)
            if accelerator and declaration.has_kernel:
                declaration.public.plans = {  # type: ignore[union-attr]
                    calls: plan
                    for calls, plan in declaration.public.plans.items()  # type: ignore[union-attr]
                    if calls is not backend.calls
                }
        for operator in backend._operators:
            if operator in vars(backend.Array):
                delattr(backend.Array, operator)
            if accelerator:
                accelerator.accelerate_operator(backend.Array, operator, None)
        backend._operators.clear()
    for binding in list(former.values()):
        binding.retire()
    if "register_tracing" in backend.facts:
        _ = backend.asarray  # a tracer would begin anew, see `corearray.calls.tracing`
