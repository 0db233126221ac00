"""Recording a program of the source framework for arguments of the target."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import corearray as ca
from corearray.calls.dispatch import backend_of
from corearray.frontend.holding import Tree
from corearray.frontend.program import Program, recorded
from corearray.frontend.ragged_arguments import Rows, arrays_in, flattened, is_ragged

if TYPE_CHECKING:
    from corearray.backends.backend import Backend
    from corearray.frontend.transpiled import Transpiled

__all__ = ["all_on_target", "arrays_of", "on_target", "traced"]


def traced(owner: Transpiled, args: Any, options: Any) -> tuple[Program, list[ca.Array]]:
    """Record the program of a `Transpiled`; return it with its arguments as arrays of the target."""
    source = owner._source
    assert source is not None
    positional, keywords = _mapped((tuple(args), dict(options)), lambda x: _native_of(x, source))
    program = recorded(source, owner._fn, positional, keywords, reads=owner._reads)
    program.settings = owner.frontend._info.noted()
    if owner._dtypes:
        _exchange(program, owner._dtypes)
    return program, arrays_of(owner, args, options)


def arrays_of(owner: Transpiled, args: Any, options: Any) -> list[ca.Array]:
    """Return the arrays among arguments, on the target."""
    tree = Tree((tuple(args), dict(options)))
    return [on_target(owner, x) for x in flattened(tree.leaves) if backend_of(x) is not None]


def all_on_target(owner: Transpiled, args: Any, options: Any) -> Any:
    """Return arguments with arrays of the target in place of all arrays."""
    return _mapped((tuple(args), dict(options)), lambda x: on_target(owner, x))


def _mapped(tree: Any, change: Any) -> Any:
    def changed(leaf: Any) -> Any:
        if is_ragged(leaf):
            return Rows([change(x) for x in arrays_in(leaf)])
        return change(leaf) if backend_of(leaf) is not None else leaf

    taken = Tree(tree)
    return taken.of([changed(leaf) for leaf in taken.leaves])


def on_target(owner: Transpiled, x: Any) -> ca.Array:
    """Return an array on the target; a random key of JAX becomes an array of its words."""
    backend = backend_of(x)
    assert backend is not None
    native = x._native if isinstance(x, ca.Array) else x
    held = backend.fact("held_array", native)
    native = native if held is None else held
    if backend is owner.backend:
        return x if isinstance(x, ca.Array) else backend.wrap(native)
    dtype = backend.dtype_of(native)
    wanted = owner._dtypes.get(dtype, dtype)
    if wanted is not dtype:
        native = backend.astype(backend.wrap(native), wanted)._native
    made: ca.Array = owner.backend.asarray(backend.fact("to_numpy", native), dtype=wanted)
    return made


def _native_of(x: Any, source: Backend) -> Any:
    """Return a native array of the source framework: the same elements, zeros where a tracer has none yet."""
    backend = backend_of(x)
    assert backend is not None
    if backend is source:
        return x._native if isinstance(x, ca.Array) else x
    array = x if isinstance(x, ca.Array) else backend.wrap(x)
    try:
        values = backend.fact("to_numpy", array._native)
        return source.asarray(values, dtype=array.dtype, copy=True)._native
    except Exception:
        return source.zeros(tuple(array.shape), dtype=array.dtype)._native


def _exchange(program: Program, dtypes: Any) -> None:
    """Put other dtypes in place of those that the target lacks."""
    from corearray.contract.recording import replaced

    for step in program.steps:
        step.arguments, step.options = replaced(
            (step.arguments, step.options), lambda x: dtypes.get(x, x) if isinstance(x, ca.DType) else x
        )
