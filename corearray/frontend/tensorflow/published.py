"""The public functions: rules on tensors, whose calls tapes record."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import corearray as ca
from corearray.errors import AxisError, BackendMismatchError, CoreArrayIndexError, CoreArrayValueError
from corearray.frontend.table import Rule
from corearray.frontend.tape import Node
from corearray.frontend.tensorflow.data_types import DType
from corearray.frontend.tensorflow.exceptions import InvalidArgumentError, OpError
from corearray.frontend.tensorflow.ragged_functions import has_ragged, on_ragged
from corearray.frontend.tensorflow.record import active, alive, tracking
from corearray.frontend.tensorflow.tensor_shape import TensorShape
from corearray.frontend.tensorflow.variable import Variable
from corearray.frontend.tensorflow.wrapper import Tensor
from corearray.random import default_generator

if TYPE_CHECKING:
    from corearray.frontend.frontend import Frontend

__all__ = ["called", "plain", "published", "wrapped"]

#: Functions of numbers whose results have no gradients.
_FLAT = frozenset(
    "stop_gradient StopGradient zeros_like ZerosLike ones_like OnesLike floor Floor ceil Ceil round Round rint Rint "
    "shape sign_of nextafter NextAfter".split()
)


def plain(x: Any) -> Any:
    """Return arguments with arrays in place of tensors and variables, and corearray's dtypes in place of TensorFlow's."""
    if isinstance(x, (Tensor, Variable)):
        return x.array
    kind = type(x)
    if kind is tuple or kind is list:
        return kind(map(plain, x))
    if kind is DType:
        return x.own
    if kind is dict:
        return {name: plain(item) for name, item in x.items()}
    if isinstance(x, TensorShape):
        return x.as_list()
    if isinstance(x, slice):
        return slice(plain(x.start), plain(x.stop), plain(x.step))
    return x


def _read(x: Any) -> Any:
    """Return arguments with tensors in place of variables, so that later assignments do not change a recorded call."""
    if isinstance(x, Variable):
        return x.value()
    kind = type(x)
    if kind is tuple or kind is list:
        return kind(map(_read, x))
    return {name: _read(item) for name, item in x.items()} if kind is dict else x


def _tensors(x: Any) -> Iterator[Tensor]:
    if isinstance(x, Tensor):
        yield x
    elif isinstance(x, (tuple, list)):
        for part in x:
            yield from _tensors(part)
    elif isinstance(x, dict):
        yield from _tensors(tuple(x.values()))


def wrapped(made: Any, wrap: Callable[[ca.Array, Any], Tensor], place: Any = None) -> Any:
    """Return a result with tensors in place of arrays; `wrap` gets an array and its number among several results."""
    if isinstance(made, ca.Array):
        return wrap(made, place)
    if isinstance(made, tuple) and hasattr(made, "_fields"):
        return type(made)(*(wrapped(x, wrap, i) for i, x in enumerate(made)))
    if type(made) in (tuple, list):
        return type(made)(wrapped(x, wrap, i) for i, x in enumerate(made))
    return made


def called(kind: type[Tensor], name: str, function: Callable[..., Any], args: Any, options: dict[str, Any]) -> Any:
    """Call a function of arrays with tensors, and record the call on the tapes in force."""
    if not active():
        made = _computed(function, plain(args), plain(options))
        return wrapped(made, lambda array, place: kind(array))
    args, options = _read(args), _read(options)
    inputs, tapes = tracking(list(_tensors((args, options))))
    records = bool(inputs) and name not in _FLAT
    before = default_generator().__getstate__() if records else None
    made = _computed(function, plain(args), plain(options))
    if not records:
        return wrapped(made, lambda array, place: kind(array))
    drawn = before if default_generator().__getstate__() != before else None
    for x in inputs:
        if x._node is not None and not alive(x._node.tapes):
            x._node = None

    def wrap(array: ca.Array, place: Any) -> Tensor:
        x = kind(array)
        if array.dtype.category in ("real floating", "complex floating"):
            x._node = Node(function, args, options, inputs, place, drawn=drawn, tapes=tapes)
        return x

    return wrapped(made, wrap)


def _computed(function: Callable[..., Any], args: Any, options: dict[str, Any]) -> Any:
    """Call a function; arguments that it refuses are `InvalidArgumentError`, as in TensorFlow."""
    try:
        return function(*args, **options)
    except (OpError, BackendMismatchError):
        raise
    except (CoreArrayValueError, CoreArrayIndexError, AxisError) as error:
        raise InvalidArgumentError(str(error)) from error


def published(frontend: Frontend, rule: Rule) -> Callable[..., Any]:
    """Return the public function of a rule: it takes tensors, variables, arrays, lists and numbers, and returns tensors.

    Operations of `tf.raw_ops` that get no tensors return arrays: the text of transpiled programs calls them so.
    """
    kind: type[Tensor] = frontend.Tensor
    function = rule.function
    path, _, last = rule.name.rpartition(".")
    raw = path == "tensorflow.raw_ops"
    if raw:
        from corearray.frontend.tensorflow.operations import INPUTS
        from corearray.frontend.tensorflow.operations import raw as operations

        converting = getattr(operations, last) if last in INPUTS else function

    def public(*args: Any, **options: Any) -> Any:
        if has_ragged(args) or has_ragged(options.values()):
            return on_ragged(frontend.namespace, last, public, args, options)
        if raw and not any(isinstance(x, (Tensor, Variable)) for x in _flat((args, options))):
            return function(*(_unnamed(x) for x in args), **{key: _unnamed(x) for key, x in options.items()})
        return called(kind, last, converting if raw else function, args, options)

    public.__name__ = last
    public.__qualname__ = rule.name
    public.__doc__ = f"Compute what `{rule.name.replace('tensorflow', 'tf', 1)}` of TensorFlow computes."
    public.__wrapped__ = function  # type: ignore[attr-defined]
    return public


def _unnamed(x: Any) -> Any:
    """Return an argument of a program's text; dtypes are TensorFlow's there."""
    if type(x) is DType:
        return x.own
    return type(x)(map(_unnamed, x)) if type(x) in (tuple, list) else x


def _flat(x: Any) -> Iterator[Any]:
    if isinstance(x, (tuple, list)):
        for part in x:
            yield from _flat(part)
    elif isinstance(x, dict):
        yield from _flat(tuple(x.values()))
    else:
        yield x
