"""Branches and loops on values that a framework may not know yet, because it traces the program.

Where the values are known, these functions run `if`, `while` and `for` in Python, step by step, and their result can be
differentiated. In a compiled or mapped program, where they are not known, they call the framework's own control flow,
which traces each function once.

The state of a loop is a tree of arrays (lists, tuples, dictionaries, Containers). Python numbers become arrays, and
`None` stays. Structure, shapes and dtypes of the state must not change between steps, on every backend.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from corearray.calls.dispatch import resolve
from corearray.errors import CoreArrayIndexError, CoreArrayTypeError, CoreArrayValueError, TracingError
from corearray.random.programs import LoopDraws, loop_with_draws
from corearray.settings.context import NUMBERS, current_settings
from corearray.transforms.tree import Arrays, as_given, is_array, name_of, natively, need_function, owned, refuse_ragged

if TYPE_CHECKING:
    from corearray.backends.backend import Backend

__all__ = ["associative_scan", "for_loop", "if_else", "scan", "while_loop"]

#: What `corearray list-functions` says of the functions here that are no declarations.
__kind__ = "convenience"


def if_else(condition: Any, true_fn: Callable[..., Any], false_fn: Callable[..., Any], /, *operands: Any) -> Any:
    """Call one of two functions, depending on a condition.

    Parameters
    ----------
    condition
        A truth value: Python's, or a boolean array without axes.
    true_fn, false_fn
        Functions of `operands` that return trees of arrays.
    operands
        Arguments of the one that is called.

    Returns
    -------
    What the function returns. Where the condition is not known yet both are traced, and must return trees of the same
    structure, shapes and dtypes.

    Raises
    ------
    TypeError
        If `condition` is no truth value, or the two give arrays of different dtypes.
    ValueError
        If `condition` has axes, or the two give different trees or shapes.

    Examples
    --------
    >>> import corearray as ca
    >>> half = ca.compile(lambda x: ca.if_else(ca.all(x > 0.0), ca.sqrt, lambda x: x / 2.0, x))
    >>> half(ca.asarray([4.0, 9.0])).tolist(), half(ca.asarray([4.0, -9.0])).tolist()
    ([2.0, 3.0], [2.0, -4.5])

    Notes
    -----
    `jax.lax.cond`, `tf.cond`. `torch.compile` leaves the condition to Python, between two graphs; `torch.vmap` refuses one on
    what is mapped, for which there is `where`.
    """
    need_function("if_else", true_fn, false_fn)
    if current_settings().native_arrays:
        return natively(if_else, condition, as_given(true_fn), as_given(false_fn), *operands)
    backend = resolve((condition, operands))
    known, unknown = _truth("if_else", backend, condition)
    if known is not None:
        return (true_fn if known else false_fn)(*operands)
    returned: list[Arrays] = []

    def branch(fn: Callable[..., Any]) -> Callable[[], list[Any]]:
        def natives() -> list[Any]:
            value = fn(*operands)
            if not returned:
                returned.append(Arrays(f"what the functions of 'if_else' return ('{name_of(fn)}')", backend, value))
                return returned[0].natives
            return returned[0].like(value)

        return natives

    found = backend.facts["branched"](unknown, branch(true_fn), branch(false_fn))
    return returned[0].of(found)


def while_loop(cond_fn: Callable[[Any], Any], body_fn: Callable[[Any], Any], init: Any, /) -> Any:
    """Repeat a function while a condition holds.

    Parameters
    ----------
    cond_fn
        From the state to a truth value.
    body_fn
        From the state to the next one.
    init
        The first state: a tree of arrays.

    Returns
    -------
    The first state for which `cond_fn` is false.

    Raises
    ------
    TypeError
        If a dtype changes, what is carried is no array, or the condition is no truth value.
    ValueError
        If a shape or the structure changes.

    Examples
    --------
    >>> import corearray as ca
    >>> def smaller(state):
    ...     return state["x"] > 1.0
    >>> ca.while_loop(smaller, lambda s: {"x": s["x"] / 2.0, "n": s["n"] + 1}, {"x": ca.asarray(10.0), "n": 0})["n"].tolist()
    4

    Notes
    -----
    `jax.lax.while_loop`, `tf.while_loop`. Loops that the frameworks know when they run only cannot all be differentiated
    backwards; `scan` and `for_loop` can.
    """
    need_function("while_loop", cond_fn, body_fn)
    if current_settings().native_arrays:
        return natively(while_loop, as_given(cond_fn), as_given(body_fn), init)
    backend = resolve((init,))
    state = Arrays("what 'while_loop' carries", backend, init)

    def holds(natives: Sequence[Any]) -> tuple[bool | None, Any]:
        return _truth("while_loop", backend, cond_fn(state.of(natives)))

    def following(natives: Sequence[Any]) -> list[Any]:
        return state.like(body_fn(state.of(natives)))

    natives = owned(backend, state.natives)
    while (known := holds(natives)[0]) is not False:
        if known is None:
            return state.of(_looped(backend, lambda natives: holds(natives)[1], following, natives))
        natives = following(natives)
        if any(x is y for i, x in enumerate(natives) for y in natives[:i]):  # two where arrays never change
            natives = owned(backend, natives)
    return state.of(natives)


def _looped(
    backend: Backend,
    holds: Callable[[Sequence[Any]], Any],
    following: Callable[[Sequence[Any]], list[Any]],
    natives: list[Any],
) -> Sequence[Any]:
    """Loop in a program that is traced; with the state the positions of its generators are carried."""
    count = len(natives)

    def loop(draws: LoopDraws) -> Sequence[Any]:
        def step(carried: Sequence[Any]) -> list[Any]:
            after, positions = draws(lambda: following(carried[:count]), carried[count:])
            return [*after, *positions]

        carried = [*natives, *draws.positions]
        found: Sequence[Any] = backend.facts["looped"](lambda carried: holds(carried[:count]), step, carried)
        return found[:count]

    return loop_with_draws(backend, None, loop)


def for_loop(lower: Any, upper: Any, body_fn: Callable[[Any, Any], Any], init: Any, /) -> Any:
    """Repeat a function for a range of integers.

    Parameters
    ----------
    lower, upper
        The first integer, and the one behind the last: Python's, or integer arrays without axes.
    body_fn
        From an integer, an array without axes, and the state to the next state.
    init
        The first state: a tree of arrays.

    Returns
    -------
    The last state.

    Raises
    ------
    TypeError, ValueError
        As in `while_loop`.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.for_loop(1, 5, lambda i, product: product * i, 1).tolist()
    24

    Notes
    -----
    `jax.lax.fori_loop`.
    """
    need_function("for_loop", body_fn)
    if current_settings().native_arrays:
        return natively(for_loop, lower, upper, as_given(body_fn), init)
    backend = resolve((init, lower, upper))
    if isinstance(lower, int) and isinstance(upper, int):
        if upper <= lower:
            state = Arrays("what 'for_loop' carries", backend, init)
            return state.of(state.natives)
        return _scanned("for_loop", backend, lambda s, i: (body_fn(i, s), None), init, backend.arange(lower, upper))[0]
    first, last = (_one("for_loop", "bound", backend, bound) for bound in (lower, upper))
    if {first.dtype.category, last.dtype.category} - {"signed integer", "unsigned integer"}:
        raise CoreArrayTypeError(
            f"'for_loop' got bounds of the dtypes '{first.dtype}' and '{last.dtype}'; give integers"
        )
    start = (backend.astype(first, backend.int64), init)
    return while_loop(lambda s: s[0] < last, lambda s: (s[0] + 1, body_fn(s[0], s[1])), start)[1]


def scan(
    fn: Callable[[Any, Any], tuple[Any, Any]],
    init: Any,
    xs: Any = None,
    /,
    *,
    length: int | None = None,
    reverse: bool = False,
) -> tuple[Any, Any]:
    """Loop over the first axis of arrays with a state, and stack the outputs of the steps.

    Parameters
    ----------
    fn
        From the state and the part of `xs` at one place to a pair: the next state, and what is kept of this step.
    init
        The first state: a tree of arrays.
    xs
        A tree of arrays that are equally long along their first axis; or `None`, which is passed on, with `length`.
    length
        Number of steps.
    reverse
        Whether to go from the last place to the first. What is kept stays in its place.

    Returns
    -------
    `(state, ys)`: the last state, and a tree like what is kept of one step, with one more axis in front.

    Raises
    ------
    TypeError
        If a dtype changes, or `fn` returns no pair.
    ValueError
        If a shape or the structure changes, there is no step, or the lengths differ.

    Examples
    --------
    >>> import corearray as ca
    >>> total, sums = ca.scan(lambda total, x: (total + x, total + x), 0.0, ca.asarray([1.0, 2.0, 3.0]))
    >>> total.tolist(), sums.tolist()
    (6.0, [1.0, 3.0, 6.0])

    Notes
    -----
    `jax.lax.scan`, which also takes no step at all; without calling `fn` nobody knows what it keeps.
    """
    need_function("scan", fn)
    if current_settings().native_arrays:
        found: tuple[Any, Any] = natively(scan, as_given(fn), init, xs, length=length, reverse=reverse)
        return found
    return _scanned("scan", resolve((init, xs)), fn, init, xs, length, reverse)


def associative_scan(fn: Callable[[Any, Any], Any], xs: Any, /, *, axis: int = 0, reverse: bool = False) -> Any:
    """Compute all prefixes of a reduction along an axis by an associative function.

    Parameters
    ----------
    fn
        Function of two trees of arrays like `xs` but for the length along the axis, which combines their members place by
        place: `fn(fn(a, b), c)` is `fn(a, fn(b, c))`.
    xs
        Tree of arrays that are equally long along the axis.
    axis
        The axis.
    reverse
        Whether to begin at the end.

    Returns
    -------
    A tree like `xs`.

    Raises
    ------
    IndexError
        If an array has no such axis.
    TypeError
        If `fn` returns another dtype.
    ValueError
        If `fn` returns another tree or shape, or the lengths differ.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.associative_scan(ca.multiply, ca.asarray([1, 2, 3, 4])).tolist()
    [1, 2, 6, 24]

    Notes
    -----
    `jax.lax.associative_scan`. W. D. Hillis and G. L. Steele, Data parallel algorithms, 1986: `fn` is called once for each
    power of two below the length.
    """
    need_function("associative_scan", fn)
    if current_settings().native_arrays:
        return natively(associative_scan, as_given(fn), xs, axis=axis, reverse=reverse)
    backend = resolve((xs,))
    start = Arrays("what 'associative_scan' combines", backend, xs)
    arrays = [backend.wrap(native) for native in start.natives]
    if not hasattr(type(axis), "__index__"):
        raise CoreArrayTypeError(f"'associative_scan' got axis={axis!r}; it takes an integer")
    axis = operator.index(axis)
    if not all(-x.ndim <= axis < x.ndim for x in arrays):
        raise CoreArrayIndexError(
            f"'associative_scan' was asked for axis {axis} of arrays with {[x.ndim for x in arrays]} axes"
        )
    lengths = {x.shape[axis] for x in arrays}
    if len(lengths) != 1:
        raise CoreArrayValueError(f"'associative_scan' got arrays of the lengths {sorted(lengths)} along axis {axis}")
    (length,) = lengths

    def part(x: Any, start: int, stop: int) -> Any:
        return x[(slice(None),) * (axis % x.ndim) + (slice(start, stop), ...)]

    arrays = [backend.flip(x, axis=axis) for x in arrays] if reverse else arrays
    step = 1
    while step < length:
        behind = Arrays(start.what, backend, start.of([part(x, step, length)._native for x in arrays]))
        before = start.of([part(x, 0, length - step)._native for x in arrays])
        combined = behind.like(fn(before, behind.of(behind.natives)))
        pairs = zip(arrays, map(backend.wrap, combined), strict=True)
        arrays = [backend.concat([part(x, 0, step), new], axis=axis) for x, new in pairs]
        step *= 2
    arrays = [backend.flip(x, axis=axis) for x in arrays] if reverse else arrays
    return start.of([x._native for x in arrays])


def _scanned(
    name: str,
    backend: Backend,
    fn: Callable[[Any, Any], Any],
    init: Any,
    xs: Any,
    length: int | None = None,
    reverse: bool = False,
) -> tuple[Any, Any]:
    state = Arrays(f"what '{name}' carries", backend, init)
    given = Arrays(f"what '{name}' goes through", backend, xs)
    lengths = {x.shape[0] if len(x.shape) else 0 for x in given.natives} | ({length} if length is not None else set())
    if len(lengths) != 1 or not all(len(x.shape) for x in given.natives) or 0 in lengths:
        raise CoreArrayValueError(
            f"'{name}' got {sorted(map(str, lengths)) or 'nothing'} for the number of steps; give arrays that are equally long "
            "along their first axis, or a length, and at least one step"
        )
    kept: list[Arrays] = []

    def step(natives: Sequence[Any], parts: Sequence[Any]) -> tuple[list[Any], list[Any]]:
        pair = fn(state.of(natives), given.of(parts))
        if type(pair) is not tuple or len(pair) != 2:
            raise CoreArrayTypeError(
                f"'{name_of(fn)}' has to return a pair, the next state and what is kept, got {type(pair).__name__}"
            )
        if not kept:
            kept.append(Arrays(f"what '{name}' keeps", backend, pair[1]))
        return state.like(pair[0]), kept[0].like(pair[1])

    found = None
    (count,) = lengths
    if "scanned" in backend.facts:
        found = _scanned_by(backend, step, state.natives, given.natives, count, length, reverse)
    if found is None:
        natives, columns = state.natives, []
        for i in reversed(range(count)) if reverse else range(count):
            parts = [x[i, ...] for x in given.natives]
            natives, row = step(owned(backend, natives), owned(backend, parts))
            columns.append(row)
        rows = zip(*(columns[::-1] if reverse else columns), strict=True)
        found = natives, [backend.native.stack(list(row)) for row in rows]
    return state.of(found[0]), kept[0].of(found[1])


def _scanned_by(
    backend: Backend,
    step: Callable[[Sequence[Any], Sequence[Any]], tuple[list[Any], list[Any]]],
    natives: list[Any],
    parts: list[Any],
    count: int | None,
    length: int | None,
    reverse: bool,
) -> tuple[Sequence[Any], list[Any]] | None:
    """Scan by the framework, if it traces a program; with the state the positions of its generators are carried."""
    size = len(natives)

    def loop(draws: LoopDraws) -> tuple[Sequence[Any], list[Any]] | None:
        def drawing(carried: Sequence[Any], parts: Sequence[Any]) -> tuple[list[Any], list[Any]]:
            (after, row), positions = draws(lambda: step(carried[:size], parts), carried[size:])
            return [*after, *positions], row

        found = backend.facts["scanned"](drawing, [*natives, *draws.positions], parts, length, reverse)
        return None if found is None else (found[0][:size], found[1])

    return loop_with_draws(backend, count, loop)


def _one(name: str, what: str, backend: Backend, value: Any) -> Any:
    """Return a number or an array as an array of the backend, and refuse all else."""
    refuse_ragged(name, value)
    if not isinstance(value, NUMBERS) and not is_array(value):
        raise CoreArrayTypeError(
            f"a {what} of '{name}' is a number or an array without axes, got {type(value).__name__}"
        )
    return backend.asarray(value)


def _truth(name: str, backend: Backend, condition: Any) -> tuple[bool | None, Any]:
    """Return a truth value, or `None` for one that is not known yet, and the native array."""
    array = _one(name, "condition", backend, condition)
    if array.dtype.category != "bool":
        raise CoreArrayTypeError(f"a condition of '{name}' is a truth value, not of the dtype '{array.dtype}'")
    if array.ndim:
        raise CoreArrayValueError(
            f"a condition of '{name}' has the shape {tuple(array.shape)}; take corearray.all or corearray.any of it"
        )
    native = array._native
    if "truth" in backend.facts:
        return backend.facts["truth"](native), native
    try:
        return bool(native), native
    except TracingError:  # of a graph, which names the line
        raise
    except Exception as error:
        raise TracingError(
            f"the value of a condition of '{name}' is not known in a compiled or mapped program; compute both branches "
            f"and choose with 'where' (the plugin of backend '{backend.name}' lacks the hook 'truth', see "
            "'corearray.hookspecs')"
        ) from error
