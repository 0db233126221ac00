"""`Graph`: the native calls of a program, for arrays of one or several signatures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence, Set
from copy import copy
from typing import TYPE_CHECKING, Any

from corearray.arrays.array import Array
from corearray.calls.codegen import compiled
from corearray.contract.recording import Recording, Step, Value, recording
from corearray.contract.text import Written
from corearray.errors import CoreArrayTypeError, CoreArrayValueError
from corearray.graph.passes import argument_key
from corearray.random.programs import Known, as_rows, spawned
from corearray.transforms.tree import Tree

if TYPE_CHECKING:
    from pathlib import Path

    from corearray.backends.backend import Backend

__all__ = ["Graph", "Signature"]


class Signature:
    """The recording of one run: the signature of the arguments, the calls, and the structure of the results.

    Attributes
    ----------
    backend
        The backend that computes.
    key
        What tells arguments of this signature from others.
    recording
        The calls, after what is left out.
    results
        The tree that the program returned, and for each of its leaves whether an `Array` is made of the native array, or
        `None` for a leaf that is no array.
    result_key
        What tells this tree and its leaves that are no arrays from others; `None` if nothing does.
    known
        The generators of random numbers of which the program draws; an array of a key for each is the last input.
    """

    def __init__(
        self,
        backend: Backend,
        key: Any,
        recording: Recording,
        name: str,
        parameters: Sequence[str],
        results: Tree,
        wraps: Sequence[bool | None],
        result_key: Any = None,
        known: Known = (),
    ) -> None:
        self.backend = backend
        self.key = key
        self.recording = recording
        self.name = name
        self.parameters = tuple(parameters)
        self.results = results
        self.wraps = tuple(wraps)
        self.result_key = result_key
        self.written = Written(recording, name, parameters)
        run: Callable[..., tuple[Any, ...]] = self.written.compiled()
        self.known = known
        #: The function of all inputs, and that of the arrays of arguments, for which it draws new keys.
        self.pure = run if recording.prepared is None else recording.prepared(run)
        self.run = self.with_keys(self.pure)

    def with_keys(self, pure: Callable[..., Any]) -> Callable[..., Any]:
        """Return a function of the arrays of arguments, for one of these and keys."""
        if not self.known:
            return pure
        backend, known = self.backend, self.known

        def run(*natives: Any) -> Any:
            return pure(*natives, as_rows(backend, spawned(known)))

        return run

    def call(self, leaves: Sequence[Any]) -> Any:
        """Call the program with the arrays of a tree of arguments."""
        return self.packed(self.run(*[leaf._native if isinstance(leaf, Array) else leaf for leaf in leaves]))

    def packed(self, natives: Sequence[Any]) -> Any:
        """Build the result tree of the program from native results."""
        backend, given = self.backend, iter(natives)
        filled = list(self.results.leaves)
        for place, wraps in enumerate(self.wraps):
            if wraps is not None:
                native = next(given)
                filled[place] = backend.wrap(backend.ensured(native)) if wraps else native
        return self.results.of(filled)

    def canonical(self, *, sizes: bool = True, shared: Set[int] = frozenset()) -> Any:
        """Return a key that is equal for programs of the same native calls, regardless of argument names.

        Parameters
        ----------
        sizes
            Whether arguments of other sizes are others.
        shared
            The `id` of constants that need not be read, because both programs have them.
        """
        numbers = {value: ("input", number) for number, value in enumerate(self.recording.inputs)}

        def of_value(value: Value) -> Any:
            if value.constant is not None and value not in numbers:
                if id(value.constant) in shared:
                    return "constant", id(value.constant)
                return "constant", value.dtype, value.shape, repr(self.backend.fact("to_list", value.constant))
            return numbers[value]

        calls = []
        for place, step in enumerate(self.recording.steps):
            options = step.options if step.compared is None else step.compared
            calls.append((step.name, argument_key([step.arguments, options], of_value)))
            for at, value in enumerate(step.outputs):
                numbers.setdefault(value, ("result", place, at))  # type: ignore[arg-type]
        inputs = [(value.shape if sizes else len(value.shape), value.dtype) for value in self.recording.inputs]
        return self.backend.name, inputs, calls, [of_value(value) for value in self.recording.outputs]

    def serves(self, other: Signature) -> bool:
        """Return whether this recording is also correct for arguments of another signature."""
        constants = [
            {id(value.constant) for step in one.recording.steps for value in step.inputs if value.constant is not None}
            for one in (self, other)
        ]
        shared = constants[0] & constants[1]
        return (
            self.wraps == other.wraps
            and self.known == other.known
            and self.result_key is not None
            and self.result_key == other.result_key
            and [step.function for step in self.recording.steps] == [step.function for step in other.recording.steps]
            and self.canonical(sizes=False, shared=shared) == other.canonical(sizes=False, shared=shared)
        )


class Graph:
    """A program as native calls of the framework, built by `corearray.compile_graph` and called like the program.

    It runs as one Python function of native arrays, `graph.native`, with the text `graph.source`. For arguments of
    another structure, dtype or shape the program is traced again; the attributes describe the first signature.

    Attributes
    ----------
    native
        The function of native arrays, one after the other as they stand in the arguments; returns a tuple.
    steps
        The native calls: `name`, `function`, `arguments`, `options`, `results`, with a `Value` (`shape`, `dtype`) for each
        array.
    inputs, outputs
        The values that come in and go out.
    backend
        The backend that computes.
    """

    def __init__(
        self,
        first: Signature,
        trace: Callable[..., Signature] | None,
        key_of: Callable[..., Any],
        *,
        program: Callable[..., Any] | None = None,
        dynamic: bool = False,
    ) -> None:
        self._first = first
        self._program = program
        self._dynamic = dynamic
        self._signatures = {first.key: first}
        self._trace = trace
        self._key_of = key_of
        self._entry = self._quick(first)
        self.__name__ = first.name

    def __call__(self, *args: Any, **options: Any) -> Any:
        """Call the program."""
        return self._entry(*args, **options)

    def _called(self, *args: Any, **options: Any) -> Any:
        """Find the signature of arguments, trace the program if it is new, and call it."""
        key, leaves = self._key_of(args, options)
        signature = self._signatures.get(key)
        if signature is None and self._program is not None and recording.get():
            return self._program(*args, **options)  # which is traced already, as a part of another
        return (self._new(key, args, options) if signature is None else signature).call(leaves)

    def _new(self, key: Any, args: Any, options: Any) -> Signature:
        """Trace the program for arguments of a new signature."""
        if self._trace is None:
            raise CoreArrayTypeError(
                f"the graph '{self.__name__}' was loaded, so that only arguments like those of its making are known"
            )
        made = self._trace(args, options)
        key, _ = self._key_of(args, options)  # in which is what the program asked for now
        earlier = (one for one in self.signatures if one.serves(made)) if self._dynamic else iter(())
        self._signatures[key] = found = next(earlier, made)
        return found

    def _quick(self, signature: Signature) -> Callable[..., Any]:
        """Write the fast path of a call whose arguments are arrays as those of a signature, one after the other."""
        (arguments, options), tokens = signature.key
        flat = (
            not options[1]
            and all(item == "leaf" for item in arguments[1])
            and all(token[0] == "array" for token in tokens)
        )
        if not flat or not tokens:
            return self._called
        tests, natives = [], []
        scope: dict[str, Any] = {"_called": self._called, "_run": signature.run, "_packed": signature.packed}
        backend = signature.backend
        names = [f"x{place}" for place in range(len(tokens))]
        for place, (_, kind, dtype, shape, *attributes) in enumerate(tokens):
            x = names[place]
            scope[f"_type{place}"], scope[f"_dtype{place}"] = kind, dtype
            scope[f"_shape{place}"] = tuple(shape) if isinstance(shape, tuple) else shape  # torch's own compare slowly
            tests.append(f"type({x}) is _type{place}")
            native = f"{x}._native" if issubclass(kind, Array) else x
            natives.append(native)
            if issubclass(kind, Array):
                scope[f"_kind{place}"] = backend.kinds.get(dtype)
                tests.append(f"{x}._kind is _kind{place}")
            else:
                tests.append(f"{x}.dtype == _dtype{place}")
            tests.append(f"{native}.shape == _shape{place}")
            for name, value in attributes:
                scope[f"_{name}{place}"] = value
                tests.append(f"{native}.{name} == _{name}{place}")
        lines = [f"def {signature.name}(*args, **options):", f"    if not options and len(args) == {len(names)}:"]
        lines.append(f"        {', '.join(names)}{',' if len(names) == 1 else ''} = args")
        lines.append(f"        if {' and '.join(tests)}:")
        lines.append(f"            results = _run({', '.join(natives)})")
        scope["_wrap"], scope["_ensured"] = backend.wrap, backend.ensured
        made, leaves = 0, []
        for place, wraps in enumerate(signature.wraps):
            leaf = f"results[{made}]"
            made += wraps is not None
            if wraps:
                leaf = f"_wrap(_ensured({leaf}))" if backend.ensures else f"_wrap({leaf})"
            elif wraps is None:
                leaf, scope[f"_leaf{place}"] = f"_leaf{place}", signature.results.leaves[place]
            leaves.append(leaf)
        result = signature.results.text(leaves) or "_packed(results)"
        lines.append(f"            return {result}")
        lines.append("    return _called(*args, **options)")
        return compiled(signature.name, "\n".join(lines) + "\n", scope, "graph call")

    # --- what it is

    @property
    def backend(self) -> Backend:
        """The backend of the graph."""
        return self._first.backend

    @property
    def signatures(self) -> list[Signature]:
        """The recordings for arguments of different structures, dtypes and shapes, the first one first.

        With `dynamic=True` shapes with the same native calls share a recording.
        """
        return list(dict.fromkeys(self._signatures.values()))

    @property
    def native(self) -> Callable[..., tuple[Any, ...]]:
        """The executed function of native arrays; it returns a tuple of native arrays.

        It draws keys for random numbers itself, if the program needs any.
        """
        return self._first.run

    @property
    def asked(self) -> frozenset[str]:
        """Attributes of native arrays on which the recording depends beside dtype and shape, as `requires_grad` of torch."""
        return frozenset(self._first.recording.asked)

    @property
    def source(self) -> str:
        """The text of the executed function."""
        return self._first.written.text

    @property
    def steps(self) -> list[Step]:
        """The native calls in order."""
        return list(self._first.recording.steps)

    @property
    def inputs(self) -> list[Value]:
        """The input arrays."""
        return list(self._first.recording.inputs)

    @property
    def outputs(self) -> list[Value]:
        """The output arrays."""
        return list(self._first.recording.outputs)

    @property
    def functions(self) -> Counter[str]:
        """The number of calls of each native function."""
        return Counter(step.name for step in self._first.recording.steps)

    def __len__(self) -> int:
        return len(self._first.recording.steps)

    def __eq__(self, other: object) -> bool:
        """Whether the native calls are the same, on the same values, in the same order."""
        if not isinstance(other, Graph):
            return NotImplemented
        return bool(self._first.canonical() == other._first.canonical())

    __hash__ = object.__hash__

    def __repr__(self) -> str:
        return f"<graph '{self.__name__}' of {len(self)} native calls on backend '{self.backend.name}'>"

    def __str__(self) -> str:
        """Return the calls as a table: what is made, its dtype and shape, and by what."""
        first = self._first
        names = first.written.names
        rows = [(names[value], str(value), "argument") for value in first.recording.inputs]
        rows += [(names[value], str(value), "constant") for value in names if value.constant is not None]
        for step in first.recording.steps:
            made = [value for value in step.outputs if value in names]
            shown = ", ".join(names.get(value, "_") for value in made)
            rows.append((shown, ", ".join(map(str, made)), first.written.call_text(step)))
        rows.append((", ".join(names[value] for value in first.recording.outputs), "", "returned"))
        widths = [max(len(row[column]) for row in rows) for column in (0, 1)]
        return "\n".join(f"{a:{widths[0]}}  {b:{widths[1]}}  {c}".rstrip() for a, b, c in rows)

    def _repr_svg_(self) -> str | None:
        """Return a picture, which notebooks show; none without igraph, so that they show the text."""
        from corearray.graph.picture import picture

        try:
            return picture(self._first)
        except ImportError:
            return None

    # --- what is made of it

    def draw(self, file: str | Path, /) -> None:
        """Write a picture of the calls to a file.

        Boxes are calls, arguments, constants and results; lines are values, with dtype and shape. A browser shows the
        whole call under the mouse pointer.

        Parameters
        ----------
        file
            Path that ends in `.svg`.

        Raises
        ------
        ImportError
            If igraph is not installed: `pip install 'corearray[draw]'`.
        ValueError
            If the path has another end.
        """
        from pathlib import Path

        from corearray.graph.picture import picture

        if Path(file).suffix.lower() != ".svg":
            raise CoreArrayValueError(f"'draw' writes SVG, and '{file}' does not end in .svg")
        Path(file).write_text(picture(self._first), encoding="utf-8")

    def to_backend_compile(self, **options: Any) -> Callable[..., Any]:
        """Compile the native function with the framework's own compiler.

        Parameters
        ----------
        options
            Passed on to `torch.compile`, `jax.jit` or `tf.function`.

        Returns
        -------
        A graph that runs compiled functions, one for each signature. A framework without a compiler runs this one.
        """
        backend = self.backend
        if "compiled_function" not in backend.facts:
            return self
        made: dict[Signature, Signature] = {}

        def compiled_like(one: Signature) -> Signature:
            if one not in made:
                made[one] = copy(one)
                made[one].pure = backend.fact("compiled_function", one.pure, (), (), self._dynamic, options)
                made[one].run = one.with_keys(made[one].pure)
            return made[one]

        def trace(args: Any, keywords: Any) -> Signature:
            key, _ = self._key_of(args, keywords)
            found = self._signatures.get(key)
            return compiled_like(self._new(key, args, keywords) if found is None else found)

        return Graph(compiled_like(self._first), trace, self._key_of)

    def save(self, file: str | Path) -> None:
        """Write the graph of the first signature to a file, with its constants.

        Parameters
        ----------
        file
            Path to write to. `corearray.load_graph` reads it. It is written aside and renamed.

        Raises
        ------
        TypeError
            If a call, or one of its arguments, is none that data stands for: a function of one's own, a branch or a loop of
            the framework.
        """
        from corearray.graph.saving import save_graph

        save_graph(self._first, file)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle what `save` writes, the first signature, and beside it static arguments that are no data."""
        from corearray.graph.saving import read, written

        objects: list[Any] = []
        return read, (written(self._first, objects), objects)

    def __copy__(self) -> Graph:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Graph:
        """Return the graph itself, as for a function."""
        return self
