"""Compiled programs of `tf.function`: one for each signature, with the variables that it reads as further arguments."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from weakref import ref

import corearray as ca
from corearray.frontend.tensorflow.nests import like, parts_of
from corearray.frontend.tensorflow.ragged_tensor import RaggedTensor
from corearray.frontend.tensorflow.record import active, reads
from corearray.frontend.tensorflow.variable import Variable
from corearray.frontend.tensorflow.wrapper import Operand

__all__ = ["Programs"]

#: Signatures that are compiled; calls of further ones, as of a new Python number each time, run in Python.
_LIMIT = 32
_NUMBERS = (type(None), bool, int, float, complex, str, bytes)


class Programs:
    """The compiled programs of one function.

    The first call with a signature runs in Python and notes the variables that it reads; the second one compiles. Calls run in
    Python, too, where a tape records them, within another compiled function, on backends whose compiler does not trace by
    running the program, and if the program cannot be compiled, for instance because Python's `if` reads a tensor.
    """

    def __init__(self, tf: Any) -> None:
        self._tf = tf
        self._known: dict[Any, _Program] = {}

    @property
    def count(self) -> int:
        """The number of compiled programs."""
        return sum(program.compiled is not None for program in self._known.values())

    def call(self, function: Callable[..., Any], args: tuple[Any, ...], options: dict[str, Any]) -> Any:
        """Call the function, compiled if it can be."""
        args, options = self._converted(args), self._converted(options)
        if reads.get() is not None or active():
            return function(*args, **options)
        leaves: list[Any] = []
        structure = _flattened((args, options), leaves)
        key = structure, tuple(map(_kind, leaves))
        program = self._known.get(key)
        if program is not None:
            return program(self._tf, function, leaves)
        if len(self._known) >= _LIMIT:
            return function(*args, **options)
        met: dict[int, Any] = {}
        token = reads.set(met)
        try:
            made = function(*args, **options)
        finally:
            reads.reset(token)
        self._known[key] = _Program((args, options), leaves, list(met.values()))
        return made

    def _converted(self, x: Any) -> Any:
        """Return arrays within arguments as tensors."""
        parts = parts_of(x)
        if parts is not None:
            return like(x, {key: self._converted(part) for key, part in parts})
        if isinstance(x, (Operand, type)) or not hasattr(x, "__array__"):
            return x
        return self._tf.convert_to_tensor(x)


class _OtherVariablesError(Exception):
    """Raised while a program is traced that reads other variables than the calls before."""


class _Program:
    """A program for arguments of one signature.

    Attributes
    ----------
    compiled
        The compiled function of arrays, or `None` before the first use.
    """

    def __init__(self, structure: Any, leaves: list[Any], variables: list[Variable]) -> None:
        self.compiled: Callable[..., Any] | None = None
        self._nest = _hollow(structure)
        self._places = [i for i, x in enumerate(leaves) if _is_tensor(x)]
        self._variables = variables
        self._in_python = False
        self._function: Any = None
        self._leaves: list[Any] = []
        self._result: Any = None
        self._written: list[int] = []

    def __call__(self, tf: Any, function: Callable[..., Any], leaves: list[Any]) -> Any:
        given = [leaves[i].array for i in self._places]
        rows = any(isinstance(x, RaggedTensor) for x in leaves)  # their places are read
        if not self._in_python and not rows and _compiles([*given, *(one.array for one in self._variables)]):
            self._function, self._leaves = function, leaves
            try:
                for _ in range(3):
                    try:
                        return self._ran(tf, given)
                    except _OtherVariablesError:
                        self.compiled = None
            except Exception:  # the call in Python raises the error, if it is one of the function
                pass
            finally:
                self._function, self._leaves = None, []
            self.compiled, self._in_python = None, True
        args, options = self._packed(leaves)
        return function(*args, **options)

    def _ran(self, tf: Any, given: list[Any]) -> Any:
        if self.compiled is None:
            self.compiled = ca.compile(lambda *arrays: self._traced(tf, arrays))
        made = self.compiled(*given, *(one.array for one in self._variables))
        count = len(made) - len(self._written)
        for place, array in zip(self._written, made[count:], strict=True):
            self._variables[place].array = array
        rest = iter(made[:count])
        return _mapped(self._result, lambda x: tf.Tensor(next(rest)) if x is _TENSOR else x)

    def _traced(self, tf: Any, arrays: tuple[Any, ...]) -> list[Any]:
        """Run the function on the arrays of a tracer; variables have them meanwhile."""
        leaves, before = list(self._leaves), [one.array for one in self._variables]
        held = arrays[len(self._places) :]
        for place, array in zip(self._places, arrays, strict=False):
            leaves[place] = tf.Tensor(array)
        met: dict[int, Any] = {}
        token = reads.set(met)
        try:
            for variable, array in zip(self._variables, held, strict=True):
                variable.array = array
            args, options = self._packed(leaves)
            made = self._function(*args, **options)
            after = [one.array for one in self._variables]
        finally:
            reads.reset(token)
            for variable, array in zip(self._variables, before, strict=True):
                variable.array = array
        known = {id(one) for one in self._variables}
        others = [one for number, one in met.items() if number not in known]
        if others:
            self._variables += others
            raise _OtherVariablesError
        outputs: list[Any] = []
        self._result = _mapped(made, lambda x: _noted(x, outputs))
        self._written = [i for i, (x, y) in enumerate(zip(held, after, strict=True)) if x is not y]
        return [*outputs, *(after[i] for i in self._written)]

    def _packed(self, leaves: list[Any]) -> Any:
        rest = iter(leaves)
        return _mapped(self._nest, lambda _: next(rest))


class _Tensor:
    """Stands for a tensor in a result."""


_TENSOR = _Tensor()


def _noted(x: Any, outputs: list[Any]) -> Any:
    if isinstance(x, Operand):
        outputs.append(x.array)
        return _TENSOR
    if not isinstance(x, _NUMBERS):
        raise TypeError(f"a compiled function returns tensors and numbers, got {type(x)}")
    return x


def _is_tensor(x: Any) -> bool:
    return isinstance(x, Operand) and not isinstance(x, Variable)


def _compiles(arrays: list[Any]) -> bool:
    """Return whether the arrays are of one backend, whose compiler traces a program by running it."""
    backends = {id(x.backend): x.backend for x in arrays}
    facts = next(iter(backends.values())).facts if len(backends) == 1 else ()
    return "compiled_function" in facts and "register_tracing" not in facts


class _Object:
    """An object that is no tensor, in a signature: equal if it is the same one, which lives."""

    def __init__(self, x: Any) -> None:
        self._number = id(x)
        try:
            self._find: Any = ref(x)
        except TypeError:  # it has no weak references, and stays
            self._find = lambda: x

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Object) and self._find() is not None and self._find() is other._find()

    def __hash__(self) -> int:
        return self._number


def _kind(x: Any) -> Any:
    """Return what the program for an argument depends on."""
    if _is_tensor(x):
        return x.array.backend.name, tuple(x.array.shape), x.array.dtype
    if isinstance(x, RaggedTensor):
        return RaggedTensor
    return (type(x), x) if isinstance(x, _NUMBERS) else _Object(x)


def _flattened(x: Any, leaves: list[Any]) -> Any:
    """Put the leaves of a nest behind others; return its structure."""
    parts = parts_of(x)
    if parts is None:
        leaves.append(x)
        return None
    return type(x), tuple((key, _flattened(part, leaves)) for key, part in parts)


def _hollow(x: Any) -> Any:
    return _mapped(x, lambda _: None)


def _mapped(x: Any, function: Callable[[Any], Any]) -> Any:
    """Return a nest with a function of its leaves, in their order."""
    parts = parts_of(x)
    if parts is None:
        return function(x)
    return like(x, {key: _mapped(part, function) for key, part in parts})
