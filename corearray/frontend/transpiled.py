"""`Transpiled`: a program of one framework on another backend."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext, suppress
from typing import TYPE_CHECKING, Any, Self

import corearray as ca
from corearray.calls.dispatch import backend_of, is_foreign, refuse_other_backend
from corearray.contract.recording import Value, recording
from corearray.errors import CoreArrayTypeError, CoreArrayValueError, FunctionNotImplementedError, TracingError
from corearray.frontend.derivatives import graphs_keep_derivatives, has_own_derivative, where_fitting
from corearray.frontend.entry import entry, packer
from corearray.frontend.frontend import Frontend
from corearray.frontend.holding import Tree
from corearray.frontend.paths import at_path, hashable, nested, structure
from corearray.frontend.program import Program, at_record
from corearray.frontend.ragged_arguments import flattened
from corearray.frontend.replay import missing_rules, replay, rules_of
from corearray.frontend.report import Report
from corearray.settings.context import pushed
from corearray.transforms.tree import name_of

if TYPE_CHECKING:
    from pathlib import Path

    from corearray.backends.backend import Backend
    from corearray.frontend.table import Rule
    from corearray.graph.graph import Graph

__all__ = ["Prepared", "Transpiled"]


def _loops(rules: Mapping[str, Rule | None]) -> bool:
    """Return whether one of the rules loops until elements meet a condition; its function has the attribute `loops`."""
    return any(rule is not None and getattr(rule.function, "loops", False) for rule in rules.values())


class Prepared:
    """A program for arguments of one structure, ready to run on the target.

    Attributes
    ----------
    program
        The recorded calls.
    names
        The parameters and buffers that it takes, in the order in which `run` takes them before the arguments.
    graph
        The native calls of the target, or `None` for programs that its graphs cannot hold: that draw random numbers, have
        derivatives of their own, or loops or shapes that depend on elements.
    run
        The function of native arrays: parameters, buffers, arguments; returns outputs and new buffers.
    packed
        The function that makes the result of outputs.
    """

    def __init__(self, program: Program, owner: Transpiled, example: Sequence[Any]) -> None:
        self.program = program
        self.names = [*program.parameters, *program.buffers]
        self._backend = backend = owner.backend
        self._rules, self._noting = rules_of(program, owner.frontend, owner._own), owner.frontend._info.noting
        self._constants = {value: owner._brought(native) for value, native in program.constants.items()}
        self.graph: Graph | None = None
        self.run: Callable[..., Sequence[Any]] = self.by_rules
        held = [owner._arrays[name] for name in self.names]
        in_graph = not has_own_derivative(self._rules) or graphs_keep_derivatives(backend)
        if in_graph and not program.random and "traced_calls" in backend.facts:
            reads = program.branches or program.unsized or _loops(self._rules)
            with suppress(TracingError) if reads else nullcontext(), pushed(backend):
                self.graph = ca.compile_graph(self.on_arrays, *held, *example)
            if self.graph is not None:
                natives = [x._native for x in (*held, *example)]
                self.run = where_fitting(self.graph, natives, self.by_rules) if self.graph.asked else self.graph.native
        self.packed = packer(self)

    def on_arrays(self, *arrays: ca.Array) -> tuple[ca.Array, ...]:
        """Run the rules on arrays: parameters, buffers, arguments."""
        program = self.program
        values = [*program.parameters.values(), *program.buffers.values(), *program.inputs]
        known: dict[Value, Any] = dict(zip(values, arrays, strict=True)) | self._constants
        for name in program.frozen & set(program.parameters):
            value = program.parameters[name]
            known[value] = ca.stop_gradient(known[value])
        if program.in_place:
            memories = {value.memory for step in program.steps for value in step.writes}
            # A graph that is being made sees copies of constants, and so everything that is computed from them.
            seen = self._constants if recording.get() and "writes_in_place" in self._backend.facts else {}
            for value, array in known.items():
                if value.memory in memories or value in seen:
                    known[value] = ca.asarray(array, copy=True)
        with self._noting(program.settings):
            known = replay(program, self._rules, known)
        return tuple(known[value] for value in [*program.outputs, *(program.buffers[name] for name in program.written)])

    def by_rules(self, *natives: Any) -> Sequence[Any]:
        """Run the rules on native arrays, call by call."""
        with pushed(self._backend):
            made = self.on_arrays(*map(self._backend.wrap, natives))
        return [array._native for array in made]


class Transpiled(ca.Module):
    """A program of one framework that runs on another backend; `corearray.transpile` makes it.

    Call it as the original is called, with native arrays of the target or with `Array`: native arrays give native ones.
    For arguments of another structure, shape or dtype the program is recorded again.

    Attributes
    ----------
    backend
        The target.
    frontend
        The rules of the source framework, at the version that is installed.
    """

    def __init__(
        self,
        fn: Any,
        source: Backend | None,
        target: Backend,
        frontend: Frontend,
        *,
        reads: str = "refuse",
        dynamic: bool = False,
        own: Mapping[str, Callable[..., Any]] | None = None,
        dtypes: Mapping[ca.DType, ca.DType] | None = None,
    ) -> None:
        self._fn = fn
        self._source = source
        self.backend = target
        self.frontend = frontend
        self._reads = reads
        self._dynamic = dynamic
        self._own = dict(own or {})
        self._dtypes = dict(dtypes or {})
        self._name = name_of(fn)
        self._prepared: dict[Any, Prepared] = {}
        self._entry: Callable[..., Any] = type(self)._called
        self._parameter_names: tuple[str, ...] = ()
        self._arrays: dict[str, ca.Array] = {}
        self._sizes: Any = None
        self._key: Any = None
        if source is not None:
            held = source.fact("held_arrays", fn) if "held_arrays" in source.facts else None
            parameters, buffers, _ = held or ({}, {}, frozenset())
            self._parameter_names = tuple(parameters)
            self._refuse_dtypes({str(source.dtype_of(x)) for x in (*parameters.values(), *buffers.values())})
            self._arrays = {name: self._brought(native) for name, native in {**parameters, **buffers}.items()}

    # --- calling

    def __call__(self, *args: Any, **options: Any) -> Any:
        """Run the program on the target."""
        return self._entry(self, self._arrays, True, args, options)

    forward = __call__

    def apply(self, parameters: Mapping[str, Any], /, *args: Any, **options: Any) -> Any:
        """Run the program with other parameters; nothing is changed, so that it can be differentiated by them."""
        return self._entry(self, {**self._arrays, **self._flat(parameters)}, False, args, options)

    def _called(self, arrays: Mapping[str, ca.Array], keeps: bool, args: Any, options: Any) -> Any:
        """Call the program for any arguments; `_entry` is the fast path of those that it was last recorded for."""
        backend = self.backend
        prepared, made, wraps = self._run(arrays, args, options)
        if keeps and prepared.program.written:
            self._keep(prepared.program, made)
        count = len(prepared.program.outputs)
        made = [backend.ensured(native) for native in made[:count]] if backend.ensures else made
        return prepared.packed([backend.wrap(native) for native in made[:count]] if wraps else made)

    def _run(self, arrays: Mapping[str, ca.Array], args: Any, options: Any) -> tuple[Prepared, Sequence[Any], bool]:
        """Return the program for arguments, its native outputs and new buffers, and whether results are wrapped."""
        natives, key, wraps = self._read(args, options)
        prepared = self._prepared.get(key)
        if prepared is None:
            prepared = self._prepare(key, args, options)
        held = [arrays[name]._native for name in prepared.names]
        run = prepared.by_rules if at_record.programs else prepared.run
        return prepared, run(*held, *natives), wraps

    def _keep(self, program: Program, made: Sequence[Any]) -> None:
        """Replace the buffers that a program has changed."""
        for name, native in zip(program.written, made[len(program.outputs) :], strict=True):
            self._arrays[name] = self.backend.wrap(native)

    def _read(self, args: Any, options: Any) -> tuple[list[Any], Any, bool]:
        """Return the native arrays among arguments, what tells their signature, and whether results are wrapped."""
        from corearray.frontend.tracing import on_target

        backend = self.backend
        tree = Tree((tuple(args), options))
        wraps = plain = False
        natives: list[Any] = []
        tokens: list[Any] = []
        for leaf in flattened(tree.leaves):
            if not (native := backend.is_native(leaf)) and not is_foreign(leaf):
                refuse_other_backend(leaf, backend, "Transpiled")
            if native or backend_of(leaf) is not None:
                wraps, plain = wraps or isinstance(leaf, ca.Array), plain or native
                array = on_target(self, leaf)
                natives.append(array._native)
                tokens.append((str(array.dtype), tuple(array.shape)))
            else:
                tokens.append((type(leaf), hashable(leaf)))
        return natives, (structure(tree), tuple(tokens)), wraps or not plain

    # --- preparing

    def _prepare(self, key: Any, args: Any, options: Any) -> Prepared:
        if (sized := self._for_sizes(key, args, options)) is not None:
            return sized
        if self._source is None:
            raise CoreArrayTypeError(
                f"'{self._name}' was loaded from a file, so that only arguments like those of its making are known"
            )
        from corearray.frontend.tracing import traced

        program, example = traced(self, args, options)
        if self._dynamic and not self._prepared:
            from corearray.frontend.sizes import explained

            self._sizes = explained(lambda args, options: traced(self, args, options)[0], args, options)
            self._key = key[0]
        self._refuse_missing(program)
        return self._add(key, Prepared(program, self, example), args, options)

    def _add(self, key: Any, prepared: Prepared, args: Any, options: Any) -> Prepared:
        """Keep a program, and make the fast path for arguments like these."""
        from corearray.frontend.tracing import all_on_target

        self._prepared[key] = prepared
        positional, keywords = all_on_target(self, args, options)
        self._entry = entry(self, prepared, positional, keywords, type(self)._called)
        return prepared

    def _for_sizes(self, key: Any, args: Any, options: Any) -> Prepared | None:
        """Return the program for other sizes of the axes, if its integers are explained."""
        if self._sizes is None or key[0] != self._key:
            return None
        from corearray.frontend.tracing import arrays_of

        example = arrays_of(self, args, options)
        program = self._sizes.program_for([tuple(x.shape) for x in example])
        if program is None:
            return None
        return self._add(key, Prepared(program, self, example), args, options)

    def prepare(self, *args: Any, **options: Any) -> Self:
        """Record the program for arguments like these, without running it on the target; returns this object."""
        from corearray.frontend.tracing import all_on_target

        _, key, _ = self._read(*all_on_target(self, args, options))
        if key not in self._prepared:
            self._prepare(key, args, options)
        return self

    def _refuse_missing(self, program: Program) -> None:
        if missing_rules(program, self.frontend, self._own) or self._lacking(program):
            report = self._reported(program)
            raise FunctionNotImplementedError(str(report))

    def _refuse_dtypes(self, names: set[str]) -> None:
        """Refuse arrays whose dtypes the target lacks and nothing stands in for."""
        report = Report(self._name, self.frontend.name, self.backend.name)
        chosen = {str(dtype) for dtype in self._dtypes}
        report.dtypes = sorted(name for name in names - chosen if name not in self.backend.kinds_named)
        if report.dtypes:
            raise FunctionNotImplementedError(str(report))

    def _lacking(self, program: Program) -> list[str]:
        """Return the dtypes of a program that the target lacks."""
        used = {value.dtype for step in program.all_steps for value in [*step.inputs, *step.outputs]}
        used |= {value.dtype for value in program.inputs}
        chosen = {str(dtype) for dtype in self._dtypes}
        return sorted(name for name in used - chosen if name not in self.backend.kinds_named)

    def _reported(self, program: Program) -> Report:
        report = Report(self._name, self.frontend.name, self.backend.name)
        report.calls.update(step.name for step in program.all_steps)
        report.missing = missing_rules(program, self.frontend, self._own)
        report.reads = list(program.reads)
        report.dtypes = self._lacking(program)
        report.notes += program.notes
        if program.random:
            report.notes.append("random numbers are drawn anew in each call, from corearray's generator")
        if self._dynamic:
            free = "no size" if self._sizes is None else "sizes " + ", ".join(map(str, self._sizes.varying))
            report.notes.append(f"{free} of the example may be others without recording the program again")
        if program.written:
            report.notes.append(f"a call changes the buffers {', '.join(program.written)}")
        return report

    def _brought(self, native: Any) -> ca.Array:
        """Return a copy of an array of the source on the target."""
        source, target = self._source, self.backend
        if source is None:  # it was read from a file
            return target.asarray(native)  # type: ignore[no-any-return]
        dtype = source.dtype_of(native)
        wanted = self._dtypes.get(dtype, dtype)
        if wanted is not dtype:
            native = source.astype(source.wrap(native), wanted)._native
        array: ca.Array = target.asarray(source.fact("to_numpy", native), dtype=wanted, copy=True)
        return array

    # --- parameters

    @property  # type: ignore[override]  # an attribute here, and nested
    def parameters(self) -> ca.Container:
        """The parameters, nested by the source's names: `encoder.layer.0.weight` is `["encoder"]["layer"]["0"]["weight"]`."""
        return ca.Container(nested({name: self._arrays[name] for name in self._parameter_names}))

    @parameters.setter
    def parameters(self, parameters: Mapping[str, Any]) -> None:
        self._arrays.update(self._flat(parameters))

    @property  # type: ignore[override]  # an attribute here, and nested
    def buffers(self) -> ca.Container:
        """The arrays beside the parameters that a call may change, such as running statistics."""
        names = [name for name in self._arrays if name not in self._parameter_names]
        return ca.Container(nested({name: self._arrays[name] for name in names}))

    @buffers.setter
    def buffers(self, buffers: Mapping[str, Any]) -> None:
        for name in [name for name in self._arrays if name not in self._parameter_names]:
            self._arrays[name] = at_path(buffers, name, "buffer")

    def with_parameters(self, parameters: Mapping[str, Any], /) -> Self:
        """Return a program like this one with other parameters."""
        made: Self = object.__new__(type(self))
        vars(made).update(vars(self))
        made._arrays = {**self._arrays, **self._flat(parameters)}
        return made

    def _flat(self, parameters: Mapping[str, Any]) -> dict[str, ca.Array]:
        if not isinstance(parameters, Mapping):
            raise CoreArrayTypeError(
                f"the parameters of '{self._name}' are a Container or a dictionary, got {type(parameters).__name__}"
            )
        found = {}
        for name in self._parameter_names:
            leaf = at_path(parameters, name, "parameter")
            found[name] = leaf if isinstance(leaf, ca.Array) else self.backend.asarray(leaf)
        return found

    # --- what it is

    @property
    def _first(self) -> Prepared:
        if not self._prepared:
            raise CoreArrayValueError(
                f"'{self._name}' has not been recorded yet; call it, or give example arguments to 'transpile'"
            )
        return next(iter(self._prepared.values()))

    @property
    def graph(self) -> Graph:
        """The native calls of the target, for the first arguments.

        `t.graph.native` takes the parameters and buffers named by `t.inputs`, then the arrays of the arguments.
        """
        graph = self._first.graph
        if graph is None:
            raise CoreArrayValueError(
                f"'{self._name}' draws random numbers or decides by elements in each call, and runs without a graph"
            )
        return graph

    @property
    def inputs(self) -> list[str]:
        """The names of the parameters and buffers that `t.graph.native` takes before the arguments."""
        return list(self._first.names)

    @property
    def source(self) -> str:
        """The program as text, made of the functions of the frontend."""
        from corearray.frontend.text import written

        return written(self._first.program, self.frontend)

    @property
    def report(self) -> Report:
        """What the program calls, and which answers of the example it keeps."""
        return self._reported(self._first.program)

    def to_module(self) -> Any:
        """Return a module of the target's framework: `torch.nn.Module` on torch, `keras.layers.Layer` on TensorFlow.

        It has copies of the parameters and buffers under the source's names (Keras writes underscores for dots), trains under
        the framework's optimisers and replaces its buffers; Keras does so if it is called with `training=True`.

        Raises
        ------
        NotImplementedError
            If the target has no modules, as NumPy and JAX.
        TypeError
            If the program holds no arrays.

        Examples
        --------
        >>> import corearray as ca
        >>> import torch
        >>> module = ca.transpile(torch.nn.Linear(3, 2), torch.ones(1, 3), to="torch").to_module()
        >>> list(module.state_dict())
        ['weight', 'bias']
        """
        from corearray.frontend.modules import module_of

        return module_of(self)

    def save(self, file: str | Path) -> None:
        """Write the program of the first arguments into a file, with its arrays; `Transpiled.load` reads it.

        The file has no framework in it: it can be loaded where the source framework is not installed, and for another target.
        """
        from corearray.frontend.storage import save

        save(self, file)

    @classmethod
    def load(cls, file: str | Path, *, to: str | None = None) -> Transpiled:
        """Read a program that `save` wrote.

        Parameters
        ----------
        file
            Path to read from.
        to
            Name of the backend on which it is to run, by default that for which it was saved.
        """
        from corearray.frontend.storage import load

        return load(file, to)

    def __reduce__(self) -> tuple[Any, ...]:
        from corearray.frontend.storage import from_bytes, to_bytes

        return from_bytes, (to_bytes(self), self.backend.name)

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        made: Self = object.__new__(type(self))
        vars(made).update(vars(self))
        made._arrays = {name: ca.asarray(array, copy=True) for name, array in self._arrays.items()}
        return made

    def __repr__(self) -> str:
        count = sum(len(one.program.steps) for one in list(self._prepared.values())[:1])
        what = f"{count} calls" if self._prepared else "not recorded yet"
        return f"<'{self._name}' from {self.frontend.name} on {self.backend.name}: {what}>"
