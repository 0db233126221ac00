"""Compilation of a program to its graph."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from keyword import iskeyword
from typing import TYPE_CHECKING, Any

from corearray.arrays.array import Array
from corearray.calls.dispatch import is_typed_number, refuse_other_backend, resolve
from corearray.calls.tracebacks import shorten
from corearray.contract.recording import recording, untraceable
from corearray.errors import CoreArrayNotImplementedError, CoreArrayTypeError, TracingError
from corearray.graph.graph import Graph, Signature
from corearray.graph.passes import fold_constants, merge_repeated, without_dead, without_idle
from corearray.random.programs import Known, Met, as_rows, drawing_by_keys
from corearray.settings.context import NUMBERS, pushed
from corearray.transforms.tree import Tree, is_array, like, name_of, need_function, refuse_ragged

if TYPE_CHECKING:
    from corearray.backends.backend import Backend

__all__ = ["compile_graph", "key_of"]

#: What `corearray list-functions` says of the functions here that are no declarations.
__kind__ = "convenience"


def compile_graph(
    fn: Callable[..., Any],
    /,
    *args: Any,
    static_argnums: int | Sequence[int] = (),
    static_argnames: str | Sequence[str] = (),
    eliminate_dead: bool = True,
    merge_repeated: bool = True,
    fold_constants: bool = True,
    dynamic: bool = False,
    **kwargs: Any,
) -> Graph:
    """Compile a program to a graph of native calls, without wrappers and dead code.

    Parameters
    ----------
    fn
        Function of trees of arrays (lists, tuples, dictionaries, Containers) that returns one, made of corearray's functions
        and of those of the framework. It is called once, to see what it calls; what it does beside, such as to print,
        happens then and never again.
    args, kwargs
        Arguments to call it with. Arrays stand for all of their dtype and shape. What is no array is kept in the graph: for
        another value the function is traced again.
    static_argnums, static_argnames
        Arguments that are kept as they are, by place and by name: hashable, and no trees of arrays.
    dynamic
        Whether shapes for which the native calls are the same share a graph. For each shape that is new the program is traced,
        so that no size of another one can be kept in silence; where a size is an argument of a call, as in `reshape`, the
        shape has calls of its own. What `to_backend_compile` makes is then compiled for all sizes, where the framework can.
    eliminate_dead, merge_repeated, fold_constants
        Whether to leave out calls that contribute to no result, to make a call once that is written twice, and to make calls
        at once that depend on no argument.

    Returns
    -------
    `Graph`, a function of the same arguments. For arrays of other dtypes or shapes, and for arguments of another structure,
    it traces `fn` again. Settings, such as the default dtype, are read when it is traced. Random numbers are other ones in
    each call, and those that the function compiled by `corearray.compile` draws: an array of keys is the last input.

    Raises
    ------
    TypeError
        If an argument or a result is a ragged array.
    TracingError
        If the function needs elements of an array to go on, as for `if`, `float(x)` or `x.item()`, as do `gamma` and `poisson`
        of a generator, or writes into an array that is no argument. The message has the line.
    NotImplementedError
        If the backend shows no calls.

    Examples
    --------
    >>> import corearray as ca
    >>> def unclean(x, w, b):
    ...     y = b + w + x
    ...     wx = w * x
    ...     temp = y * wx
    ...     return wx + b
    >>> x, w, b = ca.asarray([1.0, 2.0]), ca.asarray([3.0, 4.0]), ca.zeros(2)
    >>> graph = ca.compile_graph(unclean, x, w, b)
    >>> len(graph), graph(x, w, b).tolist()
    (2, [3.0, 8.0])
    """
    need_function("compile_graph", fn)
    places = (static_argnums,) if isinstance(static_argnums, int) else tuple(static_argnums)
    names = (static_argnames,) if isinstance(static_argnames, str) else tuple(static_argnames)
    backend = resolve((args, kwargs))
    if "traced_calls" not in backend.facts:
        raise CoreArrayNotImplementedError(f"backend '{backend.name}' shows no native calls, so that there is no graph")
    passes = (eliminate_dead, merge_repeated, fold_constants)
    find_key = partial(key_of, backend, places, names, set())
    trace = partial(_traced, backend, fn, passes, find_key)
    try:
        return Graph(trace(args, kwargs), trace, find_key, program=fn, dynamic=dynamic)
    except Exception as error:
        shorten(error)
        raise


def _is_array(leaf: Any, backend: Backend) -> bool:
    """Whether a leaf is an array; a number of another backend's types that is one of Python's too is that."""
    return is_array(leaf) and (not isinstance(leaf, NUMBERS) or backend.is_native(leaf))


class _Static:
    """An argument that is kept as it is."""

    def __init__(self, value: Any) -> None:
        self.value = value


def _split(places: Sequence[int], names: Sequence[str], args: Any, options: Any) -> tuple[Any, Any]:
    if not places and not names:
        return args, options
    count = len(args)
    static = {place % count if place < 0 else place for place in places}
    args = tuple(_Static(arg) if place in static else arg for place, arg in enumerate(args))
    return args, {name: _Static(option) if name in names else option for name, option in options.items()}


def key_of(
    backend: Backend, places: Sequence[int], names: Sequence[str], asked: set[str], args: Any, options: Any
) -> Any:
    """Return the signature of arguments as a key, with the requested attributes, and the arrays in them."""
    arrays: list[Any] = []
    tokens: list[Any] = []
    attributes = [*(["device"] if len(backend.devices()) > 1 else ()), *sorted(asked - {"device"})]

    def token(leaf: Any) -> Any:
        if _is_array(leaf, backend):
            refuse_ragged("compile_graph", leaf)
            if is_typed_number(leaf) and not backend.is_native(leaf):
                leaf = backend.asarray(leaf)
            refuse_other_backend(leaf, backend, "compile_graph")
            arrays.append(leaf)
            native = leaf._native if isinstance(leaf, Array) else leaf
            return ("array", type(leaf), native.dtype, native.shape, *((x, getattr(native, x)) for x in attributes))
        if type(leaf) is _Static:
            leaf = leaf.value
        if isinstance(leaf, (float, complex)):
            return "number", type(leaf), repr(leaf)
        if type(leaf) is slice:
            return "slice", slice, *map(token, (leaf.start, leaf.stop, leaf.step))
        try:
            hash(leaf)
        except TypeError:
            raise CoreArrayTypeError(
                f"an argument that is no array is kept in the graph and must be hashable, got {type(leaf).__name__}"
            ) from None
        return "value", type(leaf), leaf

    def structure(node: Any) -> Any:
        if isinstance(node, Mapping):
            return type(node), tuple((key, structure(item)) for key, item in node.items())
        if isinstance(node, list) or type(node) is tuple or (isinstance(node, tuple) and hasattr(node, "_fields")):
            return type(node), tuple(structure(item) for item in node)
        tokens.append(token(node))
        return "leaf"

    args, options = _split(places, names, args, options)
    shape = structure(args), structure(options)
    return (shape, tuple(tokens)), arrays


def _traced(
    backend: Backend, fn: Callable[..., Any], passes: tuple[bool, bool, bool], find_key: Any, args: Any, options: Any
) -> Signature:
    """Call a program with arrays that stand for others, and return what it called.

    A generator of random numbers that has no key yet ends the run, and the next one has a key for it.
    """
    known: Known = ()
    while True:
        try:
            return _traced_with(known, backend, fn, passes, find_key, args, options)
        except Met as met:
            known = (*known, met.source)


def _traced_with(
    known: Known,
    backend: Backend,
    fn: Callable[..., Any],
    passes: tuple[bool, bool, bool],
    find_key: Any,
    args: Any,
    options: Any,
) -> Signature:
    """Call a program with keys for the generators of which it draws; the array of them is the last input."""
    key, arrays = find_key(args, options)
    places, names, asked = find_key.args[1:]
    tree = Tree(_split(places, names, args, options))
    where = [place for place, leaf in enumerate(tree.leaves) if _is_array(leaf, backend)]
    returned: list[Any] = []

    def program(natives: list[Any]) -> list[Any]:
        leaves = [leaf.value if type(leaf) is _Static else leaf for leaf in tree.leaves]
        natives, keys = (natives[:-1], natives[-1]) if known else (natives, None)
        for place, native in zip(where, natives, strict=True):
            leaves[place] = like(tree.leaves[place], native, backend)
        given, keywords = tree.of(leaves)
        with drawing_by_keys(backend, known, keys):
            result = Tree(fn(*given, **keywords))
        for place, native in zip(where, natives, strict=True):
            if isinstance(leaves[place], Array) and leaves[place]._native is not native:
                raise untraceable(
                    f"'{name_of(fn)}' writes into an argument, which takes another native array for it on backend "
                    f"'{backend.name}'; return the new array"
                )
        for leaf in result.leaves:
            refuse_ragged("compile_graph", leaf)
            refuse_other_backend(leaf, backend, "compile_graph", numbers=False)
        returned[:] = [result]
        return [leaf._native if isinstance(leaf, Array) else leaf for leaf in result.leaves if is_array(leaf)]

    token = recording.set(True)
    try:
        with pushed(backend):
            inputs = [x._native if isinstance(x, Array) else x for x in arrays]
            if known:
                inputs.append(as_rows(backend, [(0, 0)] * len(known)))
            made = backend.fact("traced_calls", program, inputs)
    except Exception as error:
        cause: BaseException | None = error
        while cause is not None and not isinstance(cause, TracingError):
            cause = cause.__cause__ or cause.__context__
        if cause is None or cause is error:
            raise
        raise cause from None  # which the framework has made another error of
    finally:
        recording.reset(token)
    if not made.asked <= asked:
        asked |= made.asked
        key, _ = find_key(args, options)
    eliminate, merge, fold = passes
    if eliminate:
        made.steps = without_idle(made)
        made.steps = without_dead(made)
    if merge:
        merge_repeated(made, lambda native: repr(backend.fact("to_list", native)))
    if fold:
        fold_constants(made)
    if eliminate and (merge or fold):
        made.steps = without_dead(made)
    result = returned[0]
    wraps = [isinstance(leaf, Array) if is_array(leaf) else None for leaf in result.leaves]
    result.leaves = [None if wrap is not None else leaf for leaf, wrap in zip(result.leaves, wraps, strict=True)]
    try:
        result_key, _ = key_of(backend, (), (), set(), (result.of(result.leaves),), {})
    except CoreArrayTypeError:  # of a leaf that cannot be compared
        result_key = None
    names = _parameters(fn, key, len(arrays)) + (["random_keys"] if known else [])
    return Signature(backend, key, made, _identifier(name_of(fn)), names, result, wraps, result_key, known)


def _identifier(name: str) -> str:
    return name if name.isidentifier() and not iskeyword(name) else "graph"


def _parameters(fn: Callable[..., Any], key: Any, count: int) -> list[str]:
    """Name the arrays as the program does, and those in trees by the way to them: `weights_layer_bias`."""
    import inspect  # takes a tenth of the import of corearray
    import re

    ((_, arguments), (_, options)), tokens = key
    try:
        known = list(inspect.signature(fn).parameters.values())
    except (TypeError, ValueError):
        known = []
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    heads = [parameter.name for parameter in known if parameter.kind in kinds]
    heads += [f"x{place}" for place in range(len(heads), len(arguments))]

    def ways(node: Any, name: str) -> Iterator[str]:
        if node == "leaf":
            yield name
            return
        kind, parts = node
        named = parts if issubclass(kind, Mapping) else enumerate(parts)
        for part, child in named:
            yield from ways(child, f"{name}_{part}")

    found = [name for head, node in [*zip(heads, arguments, strict=False), *options] for name in ways(node, str(head))]
    names = [re.sub(r"\W", "_", name) for name, token in zip(found, tokens, strict=True) if token[0] == "array"]
    good = len({*names}) == count and all(name.isidentifier() and not iskeyword(name) for name in names)
    return names if good else [f"x{place}" for place in range(count)]
