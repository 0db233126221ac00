"""What a backend writes down of a program that it traces: native calls, and the values between them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextvars import ContextVar
from typing import Any

from corearray.arrays.nested import map_nested
from corearray.calls.tracebacks import user_line
from corearray.errors import TracingError

__all__ = [
    "Recording",
    "Step",
    "Value",
    "assumed_reads",
    "leaves",
    "recording",
    "refuse_read",
    "replaced",
    "unknown_elements",
    "untraceable",
]

#: Where reads of elements are noted instead of refused, as texts; `None` where they are refused.
assumed_reads: ContextVar[list[str] | None] = ContextVar("corearray.assumed_reads", default=None)

#: Whether a graph is made of the program that runs: what advances with each run refuses then.
recording: ContextVar[bool] = ContextVar("corearray.contract.recording", default=False)


class Value:
    """A native array of the program that is traced.

    Attributes
    ----------
    shape, dtype
        Its shape, and the name of its dtype.
    memory
        What tells its memory from others, or `None` for a framework whose arrays never change.
    constant
        The native array itself, of one that the program found outside; else `None`.
    literal
        Whether it depends on nothing but what is written in the program.
    """

    __slots__ = ("constant", "dtype", "literal", "memory", "shape")

    def __init__(self, shape: Sequence[Any], dtype: str, memory: Any = None, constant: Any = None) -> None:
        self.shape = tuple(shape)
        self.dtype = dtype
        self.memory = memory
        self.constant = constant
        self.literal = False

    def __str__(self) -> str:
        """Return dtype and shape, as in `float32[2, 3]`."""
        return f"{self.dtype}[{', '.join(map(str, self.shape))}]"


class Step:
    """One native call.

    Attributes
    ----------
    function, name
        What is called, and where it is found: `"package.module.function"`.
    arguments, options
        Its arguments by position and by keyword, with a `Value` in place of each array.
    results
        A `Value`, or nested tuples and lists of them and of `None`, as the call returns them.
    effect
        Whether it does more than to compute its results, and must not be left out or done once for twice.
    writes
        The values into which it writes.
    same
        The value that its result equals, elements, shape and memory, as a shape that an array has already; or `None`.
    compared
        Replaces the options where graphs are compared: functions that the framework makes anew for each trace, such as the
        branches of a condition, as text. `None` where the options can be compared themselves.
    place, module
        The user's line from which it was called, as `"file:line"`, and the path of the module at work, as in
        `"encoder.layer.0"`; empty where the backend does not tell.
    """

    __slots__ = (
        "arguments", "compared", "effect", "function", "module", "name", "options", "place", "results", "same", "writes",
    )  # fmt: skip

    def __init__(
        self,
        function: Callable[..., Any],
        name: str,
        arguments: Sequence[Any],
        options: dict[str, Any],
        results: Any,
        *,
        effect: bool = False,
        writes: Sequence[Value] = (),
        compared: dict[str, Any] | None = None,
    ) -> None:
        self.function = function
        self.name = name
        self.arguments = tuple(arguments)
        self.options = options
        self.results = results
        self.effect = effect
        self.writes = tuple(writes)
        self.same: Value | None = None
        self.place = ""
        self.module = ""
        self.compared = compared

    @property
    def inputs(self) -> list[Value]:
        """The values among its arguments."""
        return [leaf for leaf in leaves([self.arguments, self.options]) if type(leaf) is Value]

    @property
    def outputs(self) -> list[Value]:
        """The values among its results."""
        return [leaf for leaf in leaves(self.results) if type(leaf) is Value]


class Recording:
    """The calls of a program in their order.

    Attributes
    ----------
    inputs, outputs
        The values that the program takes and returns.
    steps
        The calls.
    asked
        Names of attributes of native arrays, beside dtype, shape and device, on which the calls depend.
    notes
        What a graph of these calls does not keep, in words, each once.
    prepared
        What the function of these calls is put into before it runs, for a framework that is slow call by call; or `None`.
    """

    def __init__(self) -> None:
        self.inputs: list[Value] = []
        self.outputs: list[Value] = []
        self.steps: list[Step] = []
        self.asked: set[str] = set()
        self.notes: dict[str, None] = {}
        self.prepared: Callable[[Callable[..., Any]], Callable[..., Any]] | None = None

    def add(self, step: Step) -> None:
        """Write a call down, but for one that returned its argument as it is: dtypes and shapes stay what they are."""
        if type(step.results) is Value and step.results in step.inputs and not (step.effect or step.writes):
            return
        self.steps.append(step)
        if not step.effect and not step.writes and all(value.literal for value in step.inputs):
            for value in step.outputs:
                value.literal = True
        for value in step.writes:
            value.literal = False


def replaced(tree: Any, change: Callable[[Any], Any]) -> Any:
    """Apply a function to the leaves of nested tuples, lists, dictionaries and slices."""

    def leaf(value: Any) -> Any:
        if type(value) is slice:
            return slice(change(value.start), change(value.stop), change(value.step))
        return change(value)

    return map_nested(tree, leaf)


def leaves(tree: Any) -> Iterator[Any]:
    """Return the leaves of nested tuples, lists, dictionaries and slices."""
    found: list[Any] = []
    replaced(tree, found.append)
    return iter(found)


def refuse_read(what: str) -> None:
    """Refuse a call that reads elements, or note it with the user's line where the answers of this run are kept.

    Raises
    ------
    TracingError
        If reads are not assumed.
    """
    noted = assumed_reads.get()
    if noted is None:
        error = untraceable(what)
        error.assumable = True
        raise error
    noted.append(f"{user_line()}{what}")


def unknown_elements(what: str, error: BaseException | None = None) -> TracingError:
    """Return an error for what needs elements that are not known while a program is traced, with the ways out of it.

    Examples
    --------
    >>> "if_else" in str(unknown_elements("'nonzero'"))
    True
    """
    return untraceable(
        f"{what} needs the elements of an array, which are not known while the program is traced; use where, if_else, scan and "
        "while_loop in place of masks and of Python's if, for and while; give Python's numbers for shapes and options, as "
        "arguments named in static_argnums; or compute this outside and pass it in",
        error,
    )


def untraceable(what: str, error: BaseException | None = None) -> TracingError:
    """Return an error for what a graph cannot hold, which tells the user's line: that which runs, or where `error` came.

    Examples
    --------
    >>> isinstance(untraceable("this reads an array"), TypeError)
    True
    """
    return TracingError(f"{user_line(error)}{what}")
