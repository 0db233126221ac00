"""`GradientTape`: records calls, and differentiates them by the backend's own derivative of the same calls."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Self

import corearray as ca
from corearray.errors import CoreArrayRuntimeError, CoreArrayTypeError, CoreArrayValueError
from corearray.frontend.holding import Tree
from corearray.frontend.tape import Node, Replay, recorded
from corearray.frontend.tensorflow.published import plain
from corearray.frontend.tensorflow.record import Tape, tracking
from corearray.frontend.tensorflow.variable import Variable
from corearray.frontend.tensorflow.wrapper import Tensor

if TYPE_CHECKING:
    from corearray.frontend.frontend import Frontend

__all__ = ["GradientTape"]


class GradientTape(Tape):
    """A block that records calls on watched tensors and variables, and computes gradients afterwards.

    Parameters
    ----------
    persistent
        Whether several gradients may be asked for.
    watch_accessed_variables
        Whether trainable variables are watched when they are read.

    Examples
    --------
    >>> import corearray as ca
    >>> import corearray.frontend.tensorflow as tf
    >>> with ca.backend_context("torch"):
    ...     v = tf.Variable([1.0, 2.0])
    ...     with tf.GradientTape() as tape:
    ...         loss = tf.reduce_sum(v * v)
    ...     tape.gradient(loss, v)
    <tf.Tensor: shape=(2,), dtype=float32, numpy=array([2., 4.], dtype=float32)>
    """

    _frontend: Frontend

    def __init__(self, persistent: bool = False, watch_accessed_variables: bool = True) -> None:
        super().__init__(watch_accessed_variables)
        self._persistent = persistent
        self._used = False

    def __enter__(self) -> Self:
        if self.is_active:
            raise CoreArrayValueError("Tape is already recording.")
        self.begin()
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    def watch(self, tensor: Any) -> None:
        """Record calls on a tensor or variable, or on all in lists and dictionaries."""
        for x in Tree(tensor).leaves:
            if not isinstance(x, (Tensor, Variable)):
                raise CoreArrayValueError(
                    f"Passed in object {x!r} of type '{type(x).__name__}', not tf.Tensor or tf.Variable"
                )
            if x.dtype.is_floating or x.dtype.is_complex:
                self.watched[id(x)] = x

    def watched_variables(self) -> tuple[Variable, ...]:
        """Return the variables that are watched, in the order in which they were first read."""
        return tuple(x for x in self.watched.values() if isinstance(x, Variable))

    def reset(self) -> None:
        """Drop the record."""
        self.watched.clear()
        self.renew()

    @contextmanager
    def stop_recording(self) -> Iterator[None]:
        """Record nothing within a block."""
        if not self.is_active:
            raise CoreArrayValueError("Tape is not recording.")
        self.end()
        try:
            yield
        finally:
            self.begin()

    def gradient(
        self, target: Any, sources: Any, output_gradients: Any = None, unconnected_gradients: Any = "none"
    ) -> Any:
        """Return the gradients of the sum of `target` by each of the sources.

        Parameters
        ----------
        target
            A tensor, or a list or dictionary of tensors, which are summed.
        sources
            A tensor or variable, or a list or dictionary of them.
        output_gradients
            Weights of the elements of the target; a list if there are several.
        unconnected_gradients
            The gradient by a source that the target does not depend on: `"none"` or `"zero"`.

        Returns
        -------
        Tensors in the structure of `sources`.

        Raises
        ------
        RuntimeError
            If the tape is not persistent and was asked before.
        NotImplementedError
            If the backend has no derivatives.
        """
        self._use()
        tree, ends = Tree(sources), [x for x in Tree(target).leaves if isinstance(x, (Tensor, Variable))]
        weights = [None] * len(ends) if output_gradients is None else Tree(output_gradients).leaves
        read = [x.value() if isinstance(x, Variable) else x for x in ends]
        pairs = [(x, w) for x, w in zip(read, weights, strict=True) if x.dtype.is_floating or x.dtype.is_complex]
        ends, weights = [x for x, _ in pairs], [w for _, w in pairs]

        def slopes(values: Callable[..., list[ca.Array]], arrays: list[ca.Array]) -> Any:
            def total(inner: list[ca.Array]) -> Any:
                parts = [
                    ca.sum(x if w is None else x * ca.astype(plain(w), x.dtype), dtype=x.dtype)
                    for x, w in zip(values(inner), weights, strict=True)
                ]
                first, *rest = parts
                for part in rest:
                    first = first + ca.astype(part, first.dtype)
                return ca.real(first) if first.dtype.category == "complex floating" else first

            return ca.grad(total)(arrays)

        found = self._differentiated(tree.leaves, ends, slopes)
        if _is_zero(unconnected_gradients):
            pairs_of = zip(tree.leaves, found, strict=True)
            found = [self._zeros(x.shape, x) if slope is None else slope for x, slope in pairs_of]
        return tree.of(found)

    def jacobian(
        self,
        target: Any,
        sources: Any,
        unconnected_gradients: Any = "none",
        parallel_iterations: Any = None,
        experimental_use_pfor: bool = True,
    ) -> Any:
        """Return the derivatives of each element of `target` by each of the sources: the axes of the target come first."""
        self._use()
        tree = Tree(sources)
        end = target.value() if isinstance(target, Variable) else target

        def slopes(values: Callable[..., list[ca.Array]], arrays: list[ca.Array]) -> Any:
            return ca.jac(lambda inner: values(inner)[0])(arrays)

        found = self._differentiated(tree.leaves, [end], slopes)
        if _is_zero(unconnected_gradients):
            pairs = zip(tree.leaves, found, strict=True)
            found = [self._zeros((*end.shape, *x.shape), x) if slope is None else slope for x, slope in pairs]
        return tree.of(found)

    def batch_jacobian(
        self,
        target: Any,
        source: Any,
        unconnected_gradients: Any = "none",
        parallel_iterations: Any = None,
        experimental_use_pfor: bool = True,
    ) -> Any:
        """Return for each row of `target` its derivatives by the same row of `source`.

        Raises
        ------
        ValueError
            If the rows differ in number.
        """
        if not target.shape.rank or not source.shape.rank or target.shape[0] != source.shape[0]:
            raise CoreArrayValueError(f"target {target.shape} and source {source.shape} need as many rows")
        full = self.jacobian(target, source, unconnected_gradients)
        if full is None:
            return None
        count, rank = target.shape[0], target.shape.rank
        rows = [full[(row, *(slice(None),) * (rank - 1), row)] for row in range(count)]
        return self._frontend.stack(rows)

    def _zeros(self, shape: Any, source: Any) -> Tensor:
        """Return zeros of a shape, with the dtype of a source."""
        made: Tensor = self._frontend.zeros(shape, source.dtype)
        return made

    def _use(self) -> None:
        if self._used and not self._persistent:
            raise CoreArrayRuntimeError(
                "A non-persistent GradientTape can only be used to compute one set of gradients (or jacobians)"
            )
        self._used = True

    def _differentiated(self, sources: list[Any], ends: list[Any], slopes: Callable[..., list[Any]]) -> list[Any]:
        """Return derivatives by sources, `None` by sources without a path to an end; outer tapes record the derivatives."""
        for x in sources:
            if not isinstance(x, (Tensor, Variable)):
                raise CoreArrayTypeError(f"gradients are taken by tensors and variables, got {x!r}")
        nodes = recorded(ends, lambda node: self.number in node.tapes)
        met: dict[Any, Tensor] = {}  # the first of several reads of a variable stands for it
        for x in [*(one for node in nodes for one in node._node.inputs), *nodes, *ends]:
            met.setdefault(self._key(x), x)
        keys = [self._key(x) for x in sources]
        wanted = [key for key in dict.fromkeys(keys) if key in met and (key in self.watched or type(key) is tuple)]
        if not wanted:
            return [None] * len(sources)
        free = [*wanted, *(key for key, x in met.items() if key not in wanted and type(key) is not tuple)]

        def function(*arrays: ca.Array) -> list[ca.Array]:
            given = dict(zip(free, arrays, strict=True))

            def values(inner: list[ca.Array]) -> list[ca.Array]:
                replay = _Replay(self._key, {**given, **dict(zip(wanted, inner, strict=True))}, met)
                replay.run(nodes)
                return [replay.value(x) for x in ends]

            return list(slopes(values, [given[key] for key in wanted]))

        tensors = tuple(met[key] for key in free)
        with ca.backend_context(tensors[0].array.backend.name):
            made = function(*(x.array for x in tensors))
        inputs, tapes = tracking(list(tensors))
        found: dict[Any, Tensor] = {}
        for place, (key, array) in enumerate(zip(wanted, made, strict=True)):
            found[key] = self._frontend.Tensor(array)
            if inputs:
                found[key]._node = Node(function, tensors, {}, inputs, place, tapes=tapes)
        return [found.get(key) for key in keys]

    def _key(self, x: Any) -> Any:
        """Return the identity of a tensor on this tape: the call that made it, or the tensor or variable itself."""
        if isinstance(x, Variable):
            return id(x)
        if x._node is not None and self.number in x._node.tapes:
            return ("call", x._node.number)
        return id(x) if x._variable is None else id(x._variable)


def _is_zero(unconnected_gradients: Any) -> bool:
    """Return true for `"zero"` and `UnconnectedGradients.ZERO`."""
    return str(getattr(unconnected_gradients, "value", unconnected_gradients)).lower() == "zero"


class _Replay(Replay):
    """A replay that differentiates the first read of a variable; later reads add the change since then."""

    def __init__(self, key: Callable[[Any], Any], known: dict[Any, ca.Array], first: dict[Any, Tensor]) -> None:
        super().__init__(known, lambda x: isinstance(x, Tensor), plain, key)
        self._first = first

    def value(self, x: Any) -> Any:
        """Return the array of a tensor, or an argument with arrays in place of tensors."""
        made = super().value(x)
        if isinstance(x, Tensor) and x._variable is not None:
            first = self._first.get(id(x._variable))
            if first is not None and first.array is not x.array:
                return x.array + (made - ca.stop_gradient(made))
        return made
