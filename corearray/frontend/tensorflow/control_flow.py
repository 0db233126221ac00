"""Loops and conditions over tensors, and functions of functions.

Known conditions are decided in Python, as in TensorFlow's eager mode, so that tapes record each call. In a compiled program
`while_loop` and `cond` become the framework's own control flow.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import corearray as ca
from corearray.errors import CoreArrayTypeError, CoreArrayValueError
from corearray.frontend.holding import Tree
from corearray.frontend.tensorflow.conversion import holds
from corearray.frontend.tensorflow.published import called, plain
from corearray.frontend.tensorflow.ragged_tensor import RaggedTensor, RaggedTensorSpec
from corearray.frontend.tensorflow.record import stopped
from corearray.frontend.tensorflow.wrapper import Operand

__all__ = ["FUNCTIONS"]


def _truth(tf: Any, condition: Any) -> tuple[bool | None, ca.Array]:
    array = tf.convert_to_tensor(condition).array
    if array.ndim:
        raise CoreArrayValueError(
            f"a condition has no axes, got a tensor of shape {tuple(array.shape)}; use tf.reduce_all"
        )
    if array.dtype != ca.bool:
        array = array != 0
    return holds(array), array


def _wrapped(tf: Any, tree: Any) -> Any:
    """Return a tree with tensors in place of arrays."""
    apart = Tree(tree)
    return apart.of([tf.Tensor(x) if isinstance(x, ca.Array) else x for x in apart.leaves])


def _arrays(tf: Any, tree: Any) -> Any:
    """Return a tree with arrays in place of tensors and numbers."""
    apart = Tree(tree)
    return apart.of([plain(x) if isinstance(x, Operand) else tf.convert_to_tensor(x).array for x in apart.leaves])


def _cond(tf: Any, pred: Any, true_fn: Any = None, false_fn: Any = None, name: Any = None) -> Any:
    """Call one of two functions without parameters."""
    for function in (true_fn, false_fn):
        if not callable(function):
            raise CoreArrayTypeError(f"'true_fn' and 'false_fn' arguments must be callable, got {function!r}")
    known, array = _truth(tf, pred)
    if known is not None:
        return (true_fn if known else false_fn)()
    with stopped():
        made = ca.if_else(array, lambda: _arrays(tf, true_fn()), lambda: _arrays(tf, false_fn()))
    return _wrapped(tf, made)


def _case(
    tf: Any,
    pred_fn_pairs: Any,
    default: Any = None,
    exclusive: bool = False,
    strict: bool = False,
    name: str = "case",
) -> Any:
    """Call the function of the first condition that holds; `exclusive` is not checked, as in TensorFlow's eager mode."""
    pairs = list(pred_fn_pairs)
    if not pairs:
        return default()
    (pred, function), rest = pairs[0], pairs[1:]
    if not rest and default is None:
        return function()
    return _cond(tf, pred, function, lambda: _case(tf, rest, default))


def _switch_case(tf: Any, branch_index: Any, branch_fns: Any, default: Any = None, name: str = "switch_case") -> Any:
    """Call the function of a number, or the default for other numbers; without a default the last function."""
    if isinstance(branch_fns, dict):
        branch_fns = list(branch_fns.items())
    numbered = [item if isinstance(item, tuple) else (place, item) for place, item in enumerate(branch_fns)]
    numbered.sort(key=lambda item: int(item[0]))
    last = numbered[-1][1] if default is None else default
    index = tf.convert_to_tensor(branch_index)
    return _case(tf, [(tf.equal(index, int(place)), function) for place, function in numbered], last)


def _while_loop(
    tf: Any,
    cond: Callable[..., Any],
    body: Callable[..., Any],
    loop_vars: Any,
    shape_invariants: Any = None,
    parallel_iterations: int = 10,
    back_prop: bool = True,
    swap_memory: bool = False,
    maximum_iterations: Any = None,
    name: Any = None,
) -> Any:
    """Repeat a function while a condition holds."""
    if not callable(cond) or not callable(body):
        raise CoreArrayTypeError("'cond' and 'body' must be callable.")
    state = _state(tf, loop_vars)
    limit = None if maximum_iterations is None else int(maximum_iterations)
    count = 0
    while limit is None or count < limit:
        known, _ = _truth(tf, cond(*state))
        if known is None:
            return _unknown(tf, cond, body, state, None if limit is None else limit - count)
        if not known:
            break
        made = body(*state)
        single = len(state) == 1 and not isinstance(made, (list, tuple))
        made = [made] if single else made
        if len(made) != len(state):
            raise CoreArrayValueError(f"The body of a loop of {len(state)} variables returned {len(made)}")
        state = type(state)(_state(tf, made))
        count += 1
    return state


def _state(tf: Any, loop_vars: Any) -> Any:
    apart = Tree(list(loop_vars) if not isinstance(loop_vars, (list, tuple)) else loop_vars)
    keeps = (Operand, tf.TensorArray)
    return apart.of([x if isinstance(x, keeps) else tf.convert_to_tensor(x) for x in apart.leaves])


def _unknown(tf: Any, cond: Any, body: Any, state: Any, limit: int | None) -> Any:
    def holds(carry: Any) -> Any:
        going: Any = plain(cond(*_wrapped(tf, carry[1])))
        return going if limit is None else ca.logical_and(going, carry[0] < limit)

    def following(carry: Any) -> Any:
        made = body(*_wrapped(tf, carry[1]))
        made = [made] if len(state) == 1 and not isinstance(made, (list, tuple)) else made
        return carry[0] + 1, _arrays(tf, type(state)(made))

    with stopped():
        return _wrapped(tf, ca.while_loop(holds, following, (ca.asarray(0), _arrays(tf, state)))[1])


def _rows(tf: Any, elems: Any) -> tuple[Any, list[Any], int]:
    """Return the tree of elements, the tensors in it, and the number of rows."""
    tree = Tree(elems)
    tensors = [x if isinstance(x, (Operand, RaggedTensor)) else tf.convert_to_tensor(x) for x in tree.leaves]
    counts = {len(x) for x in tensors}
    if len(counts) != 1:
        raise CoreArrayValueError(f"elements have different numbers of rows: {sorted(counts)}")
    return tree, tensors, counts.pop()


def _stacked(tf: Any, results: list[Any]) -> Any:
    trees = [Tree(result) for result in results]
    return trees[0].of([tf.stack(list(parts)) for parts in zip(*(tree.leaves for tree in trees), strict=True)])


def _map_fn(
    tf: Any,
    fn: Callable[..., Any],
    elems: Any,
    dtype: Any = None,
    parallel_iterations: Any = None,
    back_prop: bool = True,
    swap_memory: bool = False,
    infer_shape: bool = True,
    name: Any = None,
    fn_output_signature: Any = None,
) -> Any:
    """Call a function for each row, and stack the results."""
    tree, tensors, count = _rows(tf, elems)
    if not count:
        raise CoreArrayValueError("map_fn needs a row at least, because the shape of the results is not known without")
    results = [fn(tree.of([x[row] for x in tensors])) for row in range(count)]
    signature = dtype if fn_output_signature is None else fn_output_signature
    if isinstance(signature, RaggedTensorSpec) or (signature is None and isinstance(elems, RaggedTensor)):
        own = getattr(signature, "row_splits_dtype", None) or elems.row_splits.dtype
        return tf.ragged.stack(results).with_row_splits_dtype(own)
    return _stacked(tf, results)


def _vectorized_map(
    tf: Any, fn: Callable[..., Any], elems: Any, fallback_to_while_loop: bool = True, warn: bool = True
) -> Any:
    """Call a function for each row, and stack the results."""
    tree, tensors, count = _rows(tf, elems)
    return _stacked(tf, [fn(tree.of([x[row] for x in tensors])) for row in range(count)])


def _folded(tf: Any, fn: Any, elems: Any, initializer: Any, reverse: bool) -> list[Any]:
    """Return the states of a fold, in the order of its steps."""
    tree, tensors, count = _rows(tf, elems)
    rows = list(reversed(range(count))) if reverse else list(range(count))
    if initializer is None:
        state, rows = tree.of([x[rows[0]] for x in tensors]), rows[1:]
        found = [state]
    else:
        state, found = _state(tf, [initializer])[0], []
    for row in rows:
        state = fn(state, tree.of([x[row] for x in tensors]))
        found.append(state)
    return found if found else [state]


def _foldl(
    tf: Any,
    fn: Any,
    elems: Any,
    initializer: Any = None,
    parallel_iterations: int = 10,
    back_prop: bool = True,
    swap_memory: bool = False,
    name: Any = None,
) -> Any:
    """Combine rows from the first to the last."""
    return _folded(tf, fn, elems, initializer, False)[-1]


def _foldr(
    tf: Any,
    fn: Any,
    elems: Any,
    initializer: Any = None,
    parallel_iterations: int = 10,
    back_prop: bool = True,
    swap_memory: bool = False,
    name: Any = None,
) -> Any:
    """Combine rows from the last to the first."""
    return _folded(tf, fn, elems, initializer, True)[-1]


def _scan(
    tf: Any,
    fn: Any,
    elems: Any,
    initializer: Any = None,
    parallel_iterations: int = 10,
    back_prop: bool = True,
    swap_memory: bool = False,
    infer_shape: bool = True,
    reverse: bool = False,
    name: Any = None,
) -> Any:
    """Combine rows from the first to the last, and stack all states."""
    found = _folded(tf, fn, elems, initializer, reverse)
    return _stacked(tf, found[::-1] if reverse else found)


def _custom_gradient(tf: Any, f: Any = None) -> Any:
    """Return a function with a gradient of its own: `f` returns a result and a function of the result's gradients."""
    if f is None:
        return lambda function: _custom_gradient(tf, function)

    def decorated(*args: Any, **options: Any) -> Any:
        tensors = [x if isinstance(x, Operand) else tf.convert_to_tensor(x) for x in args]
        kinds: list[Any] = []

        def forward(*arrays: Any) -> Any:
            with stopped():
                value, _ = f(*map(tf.Tensor, arrays), **options)
            tree = Tree(value)
            kinds[:] = [tree]
            return tuple(plain(x) for x in tree.leaves)

        def slopes(arrays: Any, _: Any, cotangents: Any) -> Any:
            with stopped():
                _, gradient = f(*map(tf.Tensor, arrays), **options)
                made = gradient(*map(tf.Tensor, cotangents))
            made = made if isinstance(made, (list, tuple)) else [made]
            return tuple(None if x is None else plain(x) for x in made)

        def function(*arrays: Any) -> Any:
            return list(ca.bind_custom_gradient_function(forward, slopes)(*arrays))

        made = called(tf.Tensor, "custom_gradient", function, tuple(tensors), {})
        return kinds[0].of(made)

    return decorated


def _recompute_grad(tf: Any, f: Any) -> Any:
    """Return the function as it is: tapes compute every call again for its gradient, and keep no results between."""
    return f


def _grad_pass_through(tf: Any, f: Any) -> Any:
    """Return a function with the gradient of the identity."""

    def passing(*args: Any, **options: Any) -> Any:
        def both(*given: Any) -> Any:
            return f(*given, **options), lambda *slopes: slopes

        return _custom_gradient(tf, both)(*args)

    return passing


#: Functions by their names; each takes the frontend first.
FUNCTIONS = {
    "cond": _cond, "case": _case, "switch_case": _switch_case, "while_loop": _while_loop, "map_fn": _map_fn,
    "vectorized_map": _vectorized_map, "foldl": _foldl, "foldr": _foldr, "scan": _scan, "custom_gradient": _custom_gradient,
    "recompute_grad": _recompute_grad, "grad_pass_through": _grad_pass_through,
}  # fmt: skip
