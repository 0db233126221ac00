"""Fewer transpositions in a traced program: pairs cancel, also around elementwise operations and reductions.

TensorFlow's kernels of images take channels last on a CPU, and arrays here have them first. So each convolution, pooling
and normalisation stands between two transpositions, and so does its derivative. Grappler removes neighbouring pairs only.

A *region* is a set of tensors that are the same permutation of others: results of transpositions, and what elementwise
operations make of them. A region is computed in the order of its sources if that saves elements transposed. No tensor
changes its value: operations get equal inputs, so later derivatives of the program are right.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import tensorflow as tf
from tensorflow.python.eager import record

from corearray_tensorflow.graph import call_of
from corearray_tensorflow.native import constant, raw_ops

_UNARY = frozenset(
    "Abs Cast Ceil Cos Elu Erf Erfc Exp Expm1 Floor Identity Inv IsFinite IsInf IsNan LeakyRelu Log Log1p LogicalNot Neg "
    "OnesLike PreventGradient Reciprocal Relu Relu6 Rint Round Rsqrt Selu Sigmoid Sign Sin Snapshot Softplus Softsign Sqrt "
    "Square StopGradient Tanh ZerosLike".split()
)

#: Operations of tensors of one shape.
_ALIKE = frozenset(
    "AddN EluGrad InvGrad LeakyReluGrad ReciprocalGrad Relu6Grad ReluGrad RsqrtGrad SeluGrad SigmoidGrad SoftplusGrad "
    "SoftsignGrad SqrtGrad TanhGrad".split()
)

_BROADCASTING = frozenset(
    "Add AddV2 Atan2 Div DivNoNan Equal Greater GreaterEqual Less LessEqual LogicalAnd LogicalOr Maximum Minimum Mul "
    "MulNoNan NotEqual Pow RealDiv SelectV2 SquaredDifference Sub Xdivy Xlogy".split()
)

_ELEMENTWISE = _UNARY | _ALIKE | _BROADCASTING

_REDUCTIONS = frozenset("All Any Max Mean Min Prod Sum".split())

#: Operations that read a shape, a constant where it is known.
_OF_SHAPES = frozenset("Rank Shape ShapeN Size".split())


class _Region:
    """Tensors of one order of axes, and the elements whose transposition is saved less those of new transpositions."""

    def __init__(self, order: tuple[int, ...]) -> None:
        self.order = order
        self.saved = 0
        self.pinned = False  # a result of the program is among them, which stays as it is
        self.parent: _Region | None = None

    def root(self) -> _Region:
        found = self
        while found.parent is not None:
            found = found.parent
        return found

    def joined(self, other: _Region) -> _Region:
        one, other = self.root(), other.root()
        if other is not one:
            other.parent = one
            one.saved += other.saved
            one.pinned |= other.pinned
        return one


def settle(graph: Any, results: Iterable[Any]) -> None:
    """Cancel transpositions of a function that has been traced.

    Parameters
    ----------
    graph
        The graph of the function, to which operations are added.
    results
        The tensors that the function returns.
    """
    operations = graph.get_operations()
    if not any(one.type == "Transpose" and hasattr(one, "_update_input") for one in operations):
        return
    kept = {id(x): x for x in results if isinstance(x, tf.Tensor) and not hasattr(x, "numpy")}
    steps = _found(_needed(operations, kept.values()), kept)
    if any(not step.region.root().pinned and step.region.root().saved > 0 for step in steps):
        with graph.as_default(), record.stop_recording():
            _Rewriter().write(steps)


class _Step:
    """An operation that makes, reads or leaves tensors of a region."""

    def __init__(self, kind: str, operation: Any, region: _Region) -> None:
        self.kind = kind  # enter, inside, reduce, cancel, leave
        self.operation = operation
        self.inputs, self.outputs = list(operation.inputs), list(operation.outputs)
        self.region = region


def _found(operations: Sequence[Any], kept: dict[int, Any]) -> list[_Step]:
    """Find regions and the operations that touch them, in the order of the program."""
    regions: dict[int, _Region] = {}
    left: set[int] = set()
    steps: list[_Step] = []
    held: list[Any] = []  # so that no `id` is used again
    for one in operations:
        inputs = list(one.inputs)
        held += inputs
        order = _order(one)
        inside = [x for x in inputs if id(x) in regions]
        if order is not None:
            region = regions[id(inputs[0])].root() if inside else None
            if region is not None and _composed(region.order, order) == tuple(range(len(order))):
                region.saved += _size(inputs[0])
                region.pinned |= id(one.outputs[0]) in kept
                steps.append(_Step("cancel", one, region))
                continue
            if region is not None:
                _leave(inputs[0], region, left)
                steps.append(_Step("leave", one, region))
            made = regions[id(one.outputs[0])] = _Region(order)
            made.saved = _size(inputs[0])
            steps.append(_Step("enter", one, made))
            if id(one.outputs[0]) in kept:
                _leave(one.outputs[0], made, left)
            continue
        if not inside:
            continue
        if one.type in _ELEMENTWISE and _fits(one, inputs, regions):
            region = regions[id(inside[0])].root()
            for x in inside[1:]:
                region = region.joined(regions[id(x)])
            region.saved -= sum(_size(x) for x in inputs if id(x) not in regions and x.shape.rank)
            regions[id(one.outputs[0])] = region
            region.pinned |= id(one.outputs[0]) in kept
            steps.append(_Step("inside", one, region))
            continue
        region = regions[id(inside[0])].root()
        if one.type in _REDUCTIONS and inside[0] is inputs[0] and _reduced_axes(one, region.order) is not None:
            region.pinned |= id(one.outputs[0]) in kept
            steps.append(_Step("reduce", one, region))
            continue
        for x in inside:
            if one.type not in _OF_SHAPES or not x.shape.is_fully_defined():
                _leave(x, regions[id(x)].root(), left)
                steps.append(_Step("leave", one, regions[id(x)]))
    return steps


def _leave(x: Any, region: _Region, left: set[int]) -> None:
    """Count the transposition of a tensor that an operation outside of its region reads, once."""
    if id(x) not in left:
        left.add(id(x))
        region.saved -= _size(x)


class _Rewriter:
    """Computes regions in the order of their sources, and gives the results to the operations that read them."""

    def __init__(self) -> None:
        self.moved: dict[int, Any] = {}  # by tensor of a region: the one in the order of the sources
        self.orders: dict[int, tuple[int, ...]] = {}
        self.equal: dict[int, Any] = {}  # by tensor: an equal one to read in its place
        self.entered: set[int] = set()

    def write(self, steps: Sequence[_Step]) -> None:
        for step in steps:
            region = step.region.root()
            if not region.pinned and region.saved > 0:
                getattr(self, f"_{step.kind}")(step, region.order)

    def _enter(self, step: _Step, order: tuple[int, ...]) -> None:
        self.entered.add(id(step.outputs[0]))
        self._move(step, self._now(step.inputs[0]), order)

    def _inside(self, step: _Step, order: tuple[int, ...]) -> None:
        function, options = call_of(step.operation, [self._in_order(x, order) for x in step.inputs])
        with tf.device(step.operation.device):
            self._move(step, function(**options), order)

    def _move(self, step: _Step, moved: Any, order: tuple[int, ...]) -> None:
        self.moved[id(step.outputs[0])], self.orders[id(step.outputs[0])] = moved, order

    def _reduce(self, step: _Step, order: tuple[int, ...]) -> None:
        axes = constant(_reduced_axes(step.operation, order))
        function, options = call_of(step.operation, [self.moved[id(step.inputs[0])], axes])
        with tf.device(step.operation.device):
            self._replace(step.outputs[0], function(**options))

    def _cancel(self, step: _Step, order: tuple[int, ...]) -> None:
        self._replace(step.outputs[0], self.moved[id(step.inputs[0])])

    def _leave(self, step: _Step, order: tuple[int, ...]) -> None:
        for place, x in enumerate(step.inputs):
            if id(x) in self.moved and id(x) not in self.entered:
                if id(x) not in self.equal:
                    self.equal[id(x)] = raw_ops.Transpose(x=self.moved[id(x)], perm=constant(self.orders[id(x)]))
                step.operation._update_input(place, self.equal[id(x)])

    def _replace(self, old: Any, new: Any) -> None:
        self.equal[id(old)] = new
        for reader in old.consumers():
            for place, x in enumerate(list(reader.inputs)):
                if x is old:
                    reader._update_input(place, new)

    def _now(self, x: Any) -> Any:
        return self.equal.get(id(x), x)

    def _in_order(self, x: Any, order: tuple[int, ...]) -> Any:
        """Return an operand in the order of the sources."""
        if id(x) in self.moved:
            return self.moved[id(x)]
        x = self._now(x)
        if not x.shape.rank:
            return x
        shape = (*(1,) * (len(order) - x.shape.rank), *x.shape)
        x = x if len(shape) == x.shape.rank else raw_ops.Reshape(tensor=x, shape=constant(shape))
        return raw_ops.Transpose(x=x, perm=constant(_inverse(order)))


def _needed(operations: Sequence[Any], results: Iterable[Any]) -> list[Any]:
    """Return the operations that results or effects of a program need, in their order."""
    found = {one for one in operations if one.op_def.is_stateful}
    waiting = [*found, *(x.op for x in results)]
    while waiting:
        one = waiting.pop()
        found.add(one)
        waiting += [other for other in (*(x.op for x in one.inputs), *one.control_inputs) if other not in found]
    return [one for one in operations if one in found]


def _order(operation: Any) -> tuple[int, ...] | None:
    """Return the order of axes of a transposition of three axes or more, if it is known."""
    if operation.type != "Transpose":
        return None
    order = operation.inputs[1]
    inverted = order.op.type == "InvertPermutation"
    value = tf.get_static_value(order.op.inputs[0] if inverted else order)
    if value is None or value.size < 3:
        return None
    found = tuple(int(axis) % value.size for axis in value)
    return _inverse(found) if inverted else found


def _inverse(order: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(int(axis) for axis in np.argsort(order))


def _composed(first: tuple[int, ...], second: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(first[axis] for axis in second)


def _size(x: Any) -> int:
    """Return the number of elements, with 1 for axes of unknown length."""
    return math.prod(length or 1 for length in x.shape)


def _fits(operation: Any, inputs: Sequence[Any], regions: dict[int, _Region]) -> bool:
    """Whether each operand has the order of the region, is a number, or is a small array that broadcasts."""
    orders = {regions[id(x)].root().order for x in inputs if id(x) in regions}
    others = [x for x in inputs if id(x) not in regions]
    if len(orders) != 1 or operation.outputs[0].shape.rank != len(next(iter(orders))):
        return False
    if operation.type not in _BROADCASTING:
        return not others
    whole = _size(operation.outputs[0])
    return all(x.shape.rank == 0 or (x.shape.is_fully_defined() and 4 * _size(x) <= whole) for x in others)


def _reduced_axes(operation: Any, order: tuple[int, ...]) -> tuple[int, ...] | None:
    """Return the axes of a reduction in the order of the sources, if the axes that stay keep their order."""
    axes = tf.get_static_value(operation.inputs[1])
    if axes is None or operation.get_attr("keep_dims"):
        return None
    reduced = {int(axis) % len(order) for axis in np.atleast_1d(axes)}
    stay = [order[axis] for axis in range(len(order)) if axis not in reduced]
    return tuple(sorted(order[axis] for axis in reduced)) if stay == sorted(stay) else None
