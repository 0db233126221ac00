"""`Program`: the calls of a framework's program, with nothing of the framework in them, and how it is recorded."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from threading import Lock
from typing import TYPE_CHECKING, Any

from corearray.contract.recording import Recording, Step, Value, assumed_reads, leaves, replaced
from corearray.errors import CoreArrayTypeError, TracingError
from corearray.forks import free_at_fork
from corearray.frontend.holding import Tree
from corearray.frontend.ragged_arguments import arrays_in, flattened, is_ragged, ragged_of
from corearray.graph.passes import without_dead, without_idle
from corearray.settings.context import pushed
from corearray.transforms.tree import name_of
from corearray.types.dtypes import DType, as_dtype

if TYPE_CHECKING:
    from corearray.backends.backend import Backend

__all__ = ["Output", "Program", "at_record", "recorded"]


class _AtRecord:
    """The number of programs that all threads record now.

    A transpiled program runs by its rules meanwhile, because NumPy's tracer does not see the functions that the text of a
    graph imported before. In other threads that is slower and no different. It is no context variable, because compilers
    that read bytecode cannot follow one.
    """

    def __init__(self) -> None:
        self.programs = 0
        self._lock = free_at_fork(Lock())

    @contextmanager
    def one_more(self) -> Iterator[None]:
        with self._lock:
            self.programs += 1
        try:
            yield
        finally:
            with self._lock:
                self.programs -= 1


at_record = _AtRecord()

_PLAIN = (bool, int, float, complex, str, bytes, type(None), type(Ellipsis), DType)


class Program:
    """The calls that one run of a framework's function showed.

    Attributes
    ----------
    source
        Name of the framework.
    name
        Name of the function or class.
    steps
        The calls; their arguments are numbers, texts, dtypes and `Value`.
    inputs
        The values of arguments, in the order of the arrays in them.
    arguments
        Returns positional arguments and keywords, with the number of an input in place of each array; `None` for a program
        that was loaded.
    parameters, buffers
        The values of a module's arrays by name.
    written
        Names of the buffers that the program changes.
    frozen
        Names of the parameters that need no gradients.
    constants
        Other arrays that the program found, as native arrays of the framework.
    outputs
        The values that it returns.
    results
        The tree that it returns, with the number of an output in place of each array.
    reads
        Where Python read elements, if reads were assumed.
    random
        Whether the program draws random numbers.
    notes
        What replaying the calls does not keep, in words.
    """

    def __init__(self, source: str, name: str, recording: Recording) -> None:
        self.source = source
        self.name = name
        self.steps: list[Step] = recording.steps
        self.inputs: list[Value] = recording.inputs
        self.outputs: list[Value] = recording.outputs
        self.arguments: Callable[[], Any] | None = None
        self.parameters: dict[str, Value] = {}
        self.buffers: dict[str, Value] = {}
        self.written: tuple[str, ...] = ()
        self.frozen: frozenset[str] = frozenset()
        self.constants: dict[Value, Any] = {}
        self.arrays: dict[str, Any] = {}
        self.results: Any = None
        self.reads: list[str] = []
        self.settings: dict[str, str] = {}
        self.random = False
        self.notes = list(recording.notes)

    @property
    def in_place(self) -> bool:
        """Whether a call writes into an array."""
        return any(step.writes for step in self.steps)

    @property
    def branches(self) -> bool:
        """Whether a call takes a program, as loops and conditions do."""
        return any(type(leaf) is Recording for step in self.steps for leaf in leaves([step.arguments, step.options]))

    @property
    def unsized(self) -> bool:
        """True if the shape of a result depends on elements."""
        return any(type(n) is not int for step in self.steps for value in step.outputs for n in value.shape)

    @property
    def all_steps(self) -> list[Step]:
        """The calls with those of inner programs, such as the bodies of loops."""
        return list(_with_inner(self.steps))

    def fresh_constants(self) -> dict[Value, Any]:
        """Return the values that are neither inputs, parameters nor buffers and that no call makes."""
        known = {*self.inputs, *self.parameters.values(), *self.buffers.values()}
        found: dict[Value, Any] = {}
        for value in [*_used(self.steps), *self.outputs]:
            if value.constant is not None and value not in known:
                found[value] = value.constant
        return found


def _with_inner(steps: Sequence[Step]) -> Iterator[Step]:
    for step in steps:
        yield step
        for inner in leaves([step.arguments, step.options]):
            if type(inner) is Recording:
                yield from _with_inner(inner.steps)


def _used(steps: Sequence[Step]) -> Iterator[Value]:
    """Return the values that calls take, and those that inner programs take and return."""
    for step in steps:
        for leaf in leaves([step.arguments, step.options]):
            if type(leaf) is Value:
                yield leaf
            elif type(leaf) is Recording:
                yield from _used(leaf.steps)
                yield from leaf.outputs


def recorded(
    backend: Backend,
    fn: Callable[..., Any],
    args: Sequence[Any],
    options: Mapping[str, Any],
    *,
    reads: str,
    clean: bool = True,
) -> Program:
    """Run a framework's function once and write down its calls.

    Parameters
    ----------
    backend
        The backend of the framework.
    fn
        A function of native arrays, a module of the framework, or a method of one.
    args, options
        Arguments with native arrays of the framework, also in tuples, lists and dictionaries.
    reads
        `"refuse"` or `"assume"`: what becomes of a program that reads elements.
    clean
        Whether to leave out calls on which nothing depends.

    Raises
    ------
    TracingError
        If the program reads elements and that is refused.
    """
    held = backend.fact("held_arrays", fn) if "held_arrays" in backend.facts else None
    parameters, buffers, frozen = held or (dict[str, Any](), dict[str, Any](), frozenset[str]())
    tree = Tree((tuple(args), dict(options)))
    where = [place for place, leaf in enumerate(tree.leaves) if backend.is_native(leaf) or is_ragged(leaf)]
    taken = flattened(tree.leaves[place] for place in where)
    names = list(buffers)
    returned: list[Any] = []
    made_ragged = partial(backend.fact, "ragged_of") if "ragged_of" in backend.facts else None

    def program(natives: list[Any]) -> list[Any]:
        given = _with_arrays(tree.leaves, where, natives, lambda parts: ragged_of(parts, made_ragged, backend.name))
        state = dict(zip(names, natives[len(taken) :], strict=True))
        positional, keywords = tree.of(given)

        def run() -> Any:
            return fn(*positional, **keywords)

        result = run() if held is None else backend.fact("with_buffers", fn, state, run)
        result = Tree(backend.fact("plain_tree", result) if "plain_tree" in backend.facts else result)
        returned[:] = [result]
        return [*(leaf for leaf in result.leaves if backend.is_native(leaf)), *state.values()]

    noted: list[str] = []
    token = assumed_reads.set(noted if reads == "assume" else None)
    try:
        with pushed(backend), at_record.one_more():
            reader = "program_calls" if "program_calls" in backend.facts else "traced_calls"
            made = backend.fact(reader, program, [*taken, *buffers.values()])
    except TracingError as error:
        if error.assumable:
            error.args = (f'{error}; or transpile with reads="assume", which keeps the answer of the example',)
        raise
    finally:
        assumed_reads.reset(token)
    result = returned[0]
    count = sum(map(backend.is_native, result.leaves))
    given_buffers = dict(zip(names, made.inputs[len(taken) :], strict=True))
    changed = {value for step in made.steps for value in step.writes}
    changed_memory = {value.memory for value in changed} - {None}
    written = tuple(name for name, value in given_buffers.items() if value in changed or value.memory in changed_memory)
    kept = [given_buffers[name] for name in written]
    made.outputs = [*made.outputs[:count], *kept]
    if clean:
        made.steps = without_idle(made)
        made.steps = without_dead(made)
    found = Program(backend.name, name_of(fn), made)
    found.random = any(step.effect and step.outputs and not _is_effect(step.name) for step in made.steps)
    found.reads = noted
    _neutralise(found, backend)
    by_id = {id(native): name for name, native in parameters.items()}
    used = dict.fromkeys([*_used(made.steps), *made.outputs])
    by_name = {by_id[id(value.constant)]: value for value in used if id(value.constant) in by_id}
    found.parameters = {name: by_name[name] for name in parameters if name in by_name}
    found.buffers = {name: value for name, value in given_buffers.items() if value in used or name in written}
    found.written = written
    found.frozen = frozenset(frozen)
    found.inputs = made.inputs[: len(taken)]
    found.outputs = made.outputs[:count]
    kept_leaves = [_kept(leaf) if place not in where else leaf for place, leaf in enumerate(tree.leaves)]
    numbers = [Output(number) for number in range(len(taken))]
    found.arguments = partial(tree.of, _with_arrays(kept_leaves, where, numbers, _named_parts))
    found.arrays = {**parameters, **buffers}
    found.constants = found.fresh_constants()
    number = iter(range(count))
    found.results = Tree(
        result.of([Output(next(number)) if backend.is_native(x) else _plain(x, backend) for x in result.leaves])
    )
    return found


def _with_arrays(
    given: Sequence[Any], where: Sequence[int], arrays: Sequence[Any], ragged: Callable[[list[Any]], Any]
) -> list[Any]:
    """Return leaves with arrays in the places of arrays, and what `ragged` makes of several in those of ragged ones."""
    changed, rest = list(given), iter(arrays)
    for place in where:
        leaf = given[place]
        parts = [next(rest) for _ in arrays_in(leaf)]
        changed[place] = ragged(parts) if is_ragged(leaf) else parts[0]
    return changed


def _named_parts(parts: Sequence[Any]) -> Any:
    """Return the arrays of a ragged argument as dictionaries, which ragged results are too."""
    return ragged_of(parts, lambda values, splits: {"values": values, "row_splits": splits}, "")


class Output(int):
    """Stands in a tree of results for the output of this number, and in a tree of arguments for the input."""


def _is_effect(name: str) -> bool:
    return name.endswith(("_set_grad_enabled", ".backward", "grad.__get__", "__set__"))


def _neutralise(program: Program, backend: Backend) -> None:
    """Put dtypes of corearray, tuples and texts in place of the framework's objects among the arguments."""
    if "plain_call" in backend.facts:
        for step in program.steps:
            step.name, step.arguments, step.options = backend.fact("plain_call", step)
    for step in program.all_steps:
        step.arguments, step.options = replaced((step.arguments, step.options), lambda x: _argument(x, backend))


def _argument(leaf: Any, backend: Backend) -> Any:
    if type(leaf) in (Value, Recording) or type(leaf) in _PLAIN or (callable(leaf) and not isinstance(leaf, type)):
        return leaf
    if backend.is_native(leaf):  # a number of the framework, which has a dtype
        value = Value((), str(backend.dtype_of(leaf)), constant=leaf)
        value.literal = True
        return value
    for kind in (bool, int, float):
        if isinstance(leaf, kind):
            return kind(leaf)
    try:
        return as_dtype(leaf)
    except (TypeError, ValueError):
        return str(leaf)


def _kept(leaf: Any) -> Any:
    """Return an argument that is no array if it is plain, so that a program holds no objects of its example."""
    return leaf if type(leaf) in _PLAIN else None


def _plain(leaf: Any, backend: Backend) -> Any:
    """Return a result that is no array, if it can be kept."""
    if type(leaf) in _PLAIN:
        return leaf
    inside = vars(leaf).values() if hasattr(leaf, "__dict__") else ()
    if any(backend.is_native(x) for x in leaves(list(inside))) or any(hasattr(x, "__dict__") for x in inside):
        raise CoreArrayTypeError(
            f"the program returns an object of type '{type(leaf).__name__}', which may hold arrays that change from call to "
            "call; return arrays in tuples, lists and dictionaries (of transformers' models: pass use_cache=False)"
        )
    return leaf
