"""Rematerialisation: intermediate results are computed again for the derivative instead of being kept."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from contextvars import copy_context
from functools import partial
from types import CellType, FunctionType, MethodType
from typing import TYPE_CHECKING, Any

from corearray.arrays.nested import to_native
from corearray.calls.dispatch import refuse_other_backend, resolve
from corearray.random.context import default_generator
from corearray.random.programs import Replay
from corearray.settings.context import current_settings
from corearray.transforms.sent import transformed
from corearray.transforms.tree import Tree, as_given, is_array, like, natively, need_function, refuse_ragged

if TYPE_CHECKING:
    from corearray.backends.backend import Backend

__all__ = ["remat", "rematerialized", "traced_call"]

#: What `corearray list-functions` says of the functions here that are no declarations.
__kind__ = "convenience"


def remat(fn: Callable[..., Any], /) -> Callable[..., Any]:
    """Return a function whose intermediate results are computed again for the derivative instead of being kept.

    A derivative backwards then needs memory for the arguments and the results of the function alone, and the time of one
    more forward pass.

    Parameters
    ----------
    fn
        Function of trees of arrays (lists, tuples, dictionaries, Containers, modules) that returns one; also a
        `corearray.nn.Module` or a method of one, as in `remat(self.block)(x)`. Buffers that it changes, such as running
        statistics, are changed once.

    Returns
    -------
    Function of the same arguments with the same values and derivatives, also by arrays and modules that `fn` refers to.
    The second pass sees the settings of the first one and draws the same random numbers, so that `dropout` drops the same
    elements. A backend that does not differentiate, as NumPy, calls `fn` as it is.

    Raises
    ------
    TypeError
        If `fn` is no function. When it is called, if an argument or a result is a ragged array.
    TracingError
        When it is called on JAX, if `fn` reads elements of an array, as for `if`: JAX traces it.

    Examples
    --------
    >>> import corearray as ca
    >>> def block(x):
    ...     return ca.tanh(ca.sin(x) * 2.0)
    >>> with ca.backend_context("torch"):
    ...     slope = ca.grad(lambda x: ca.sum(ca.remat(block)(x)))(ca.asarray([0.0, 0.0]))
    >>> slope.tolist()
    [2.0, 2.0]

    Notes
    -----
    `jax.checkpoint`, `torch.utils.checkpoint.checkpoint` with `use_reentrant=False`, and `tf.recompute_grad`, which does
    not differentiate by arrays that the function refers to. T. Chen et al., Training deep nets with sublinear memory cost,
    2016.
    """
    need_function("remat", fn)

    def call(*args: Any, **options: Any) -> Any:
        if current_settings().native_arrays:
            return natively(remat(as_given(fn)), *args, **options)
        return rematerialized(fn, args, options)

    return transformed(call, fn, remat, {})


def rematerialized(fn: Callable[..., Any], args: tuple[Any, ...], options: dict[str, Any]) -> Any:
    """Call a function so that the derivative computes it again."""
    modules, with_modules = _modules_of(fn, set())
    tree = Tree((modules, args, options))
    backend = resolve((tree.leaves,))
    if "rematerialized" not in backend.facts:
        return fn(*args, **options)
    places = [i for i, leaf in enumerate(tree.leaves) if is_array(leaf)]
    for i in places:
        refuse_ragged("remat", tree.leaves[i])
        refuse_other_backend(tree.leaves[i], backend, "remat")
    replay = Replay()
    made: list[tuple[Tree, list[dict[str, Any]]]] = []

    def function(natives: Sequence[Any]) -> list[Any]:
        leaves = list(tree.leaves)
        for i, native in zip(places, natives, strict=True):
            leaves[i] = like(leaves[i], native, backend)
        twins, own, keywords = tree.of(leaves)
        before = [{name: to_native(x) for name, x in module.buffers().items()} for module in twins]
        if backend.writes_in_place:
            for module in twins:
                module.set_buffers({name: backend.asarray(x, copy=True) for name, x in module.buffers().items()})
        with replay:
            value = Tree(with_modules(twins)(*own, **keywords))
        for leaf in value.leaves:
            refuse_ragged("remat", leaf)
        written = [
            {name: x for name, x in module.buffers().items() if to_native(x) is not old[name]}
            for module, old in zip(twins, before, strict=True)
        ]
        made[:] = [(value, written)]
        results = [to_native(leaf) for leaf in value.leaves if is_array(leaf)]
        return [*results, *(to_native(x) for buffers in written for x in buffers.values())]

    natives = [to_native(tree.leaves[i]) for i in places]
    outputs = iter(backend.facts["rematerialized"](_repeatable(function), natives, _program(backend, fn, tree)))
    value, written = made[0]
    result = value.of([like(leaf, next(outputs), backend) if is_array(leaf) else leaf for leaf in value.leaves])
    for module, buffers in zip(modules, written, strict=True):
        module.set_buffers({name: like(x, next(outputs), backend) for name, x in buffers.items()})
    return result


def _program(backend: Backend, fn: Callable[..., Any], tree: Tree) -> Hashable:
    """Return what tells the native calls of a function with some arguments apart from those of others.

    Functions that a decorator returns share its code: the decorated ones (`__wrapped__`) tell them apart.
    """
    while isinstance(fn, partial) or hasattr(fn, "__wrapped__"):
        fn = fn.func if isinstance(fn, partial) else fn.__wrapped__
    fn = getattr(fn, "__func__", fn)
    kinds = tuple(
        [
            str(backend.dtype_of(leaf)) if is_array(leaf) else leaf if isinstance(leaf, _TELLING) else type(leaf)
            for leaf in tree.leaves
        ]
    )
    found = (getattr(fn, "__code__", type(fn)), tree._structure, kinds)
    try:
        hash(found)
    except TypeError:  # of a key of a dictionary
        return found[0], repr(tree.places), kinds
    return found


#: Types of arguments that are no arrays, by whose values programs differ.
_TELLING = (bool, int, str, type(None))


def traced_call(fn: Callable[..., Any], args: tuple[Any, ...], options: dict[str, Any]) -> Any:
    """Call a function in a program that is read by a compiler, which decides itself what it computes again."""
    return fn(*args, **options)


def _repeatable(function: Callable[[Sequence[Any]], list[Any]]) -> Callable[[Sequence[Any]], list[Any]]:
    """Return a function that is called in the context of the first call each time after it, also in another thread."""
    contexts: list[Any] = []

    def call(natives: Sequence[Any]) -> list[Any]:
        if not contexts:
            default_generator()  # that of the context, which has one from its first use on
            contexts.append(copy_context())
            return function(natives)
        found: list[Any] = contexts[0].copy().run(function, natives)
        return found

    return call


# --- the modules that a function refers to, whose arrays may be other ones when it is computed again


def _modules_of(fn: Any, seen: set[int]) -> tuple[list[Any], Callable[[list[Any]], Any]]:
    """Return the modules that a function refers to, and what makes such a function that refers to others."""
    if hasattr(type(fn), "__corearray_module__"):
        return [fn], lambda modules: modules[0]
    if id(fn) in seen:
        return [], lambda modules: fn
    seen.add(id(fn))
    if type(fn) is list or type(fn) is tuple:
        return _parts_of(list(fn), seen, fn, type(fn))
    if isinstance(fn, MethodType):
        return _parts_of([fn.__self__], seen, fn, lambda parts: MethodType(fn.__func__, parts[0]))
    if isinstance(fn, partial):
        return _parts_of(
            [fn.func, *fn.args, *fn.keywords.values()],
            seen,
            fn,
            lambda parts: partial(
                parts[0],
                *parts[1 : 1 + len(fn.args)],
                **dict(zip(fn.keywords, parts[1 + len(fn.args) :], strict=True)),
            ),
        )
    if isinstance(fn, FunctionType) and fn.__closure__:
        full = [i for i, cell in enumerate(fn.__closure__) if _is_full(cell)]
        return _parts_of([fn.__closure__[i].cell_contents for i in full], seen, fn, partial(_with_cells, fn, full))
    return [], lambda modules: fn


def _parts_of(
    parts: list[Any], seen: set[int], fn: Any, rebuilt: Callable[[list[Any]], Any]
) -> tuple[list[Any], Callable[[list[Any]], Any]]:
    """Do as `_modules_of` for the parts of a function."""
    found = [_modules_of(part, seen) for part in parts]
    modules = [module for some, _ in found for module in some]
    if not modules:
        return [], lambda modules: fn

    def made(modules: list[Any]) -> Any:
        left = iter(modules)
        return rebuilt(
            [
                remade([next(left) for _ in some]) if some else part
                for part, (some, remade) in zip(parts, found, strict=True)
            ]
        )

    return modules, made


def _with_cells(fn: FunctionType, places: list[int], contents: list[Any]) -> FunctionType:
    cells = list(fn.__closure__ or ())
    for place, content in zip(places, contents, strict=True):
        if content is not cells[place].cell_contents:
            cells[place] = CellType(content)
    made = FunctionType(fn.__code__, fn.__globals__, fn.__name__, fn.__defaults__, tuple(cells))
    made.__kwdefaults__ = fn.__kwdefaults__
    return made


def _is_full(cell: CellType) -> bool:
    try:
        _ = cell.cell_contents
    except ValueError:
        return False
    return True
