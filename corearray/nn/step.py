"""Training steps: forward pass, backward pass and update of the parameters, in one program.

A program is traced for a skeleton, a copy of the module without arrays, whose attributes are set within the program to the
arrays that it is given. So a step walks no tree: it reads the arrays of the model from its cached slots, calls the program
with lists of native arrays, and writes the new arrays into the slots.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from inspect import signature
from itertools import starmap
from typing import TYPE_CHECKING, Any, NamedTuple

from corearray.arrays.array import Array
from corearray.calls.dispatch import resolve
from corearray.errors import CoreArrayError, CoreArrayTypeError, CoreArrayValueError
from corearray.functional.nest import nested_map, nested_multi_map
from corearray.nn.loading import LoadReport
from corearray.nn.module import Buffer, Module, changes
from corearray.nn.precision import Precision, cast_floating
from corearray.nn.slots import Entry, Slot, copied, entries_of, fingerprint
from corearray.random.context import default_generator
from corearray.random.programs import spawning, with_own_code
from corearray.settings.context import NUMBERS
from corearray.transforms.compiling import compiled_for
from corearray.transforms.derivatives import value_and_grad as derivative_of
from corearray.transforms.tree import Tree

if TYPE_CHECKING:
    from corearray.backends.backend import Backend

__all__ = ["TrainStep", "value_and_grad"]

#: What `corearray list-functions` says of the functions here that are no declarations.
__kind__ = "convenience"


class _Skeleton:
    """A copy of a module without arrays, and the places of the arrays by what they are."""

    def __init__(self, model: Module) -> None:
        self.model = copied(model, {})
        groups: tuple[list[Entry], ...] = [], [], []
        for entry in entries_of(self.model).values():
            groups[2 if entry.is_buffer else 0 if entry.trainable else 1].append(entry)
        self.trainable, self.frozen, self.buffers = (_Places(group) for group in groups)
        self.clear()

    def clear(self) -> None:
        """Forget the arrays."""
        for places in (self.trainable, self.frozen, self.buffers):
            places.put([None] * len(places.paths))


class _Places:
    """Slots of several arrays. Attributes, which most are, are set without a look at the kind of the slot."""

    def __init__(self, entries: list[Entry]) -> None:
        self.paths = [entry.path for entry in entries]
        slots = [(i, slot) for i, entry in enumerate(entries) for slot in entry.slots.values()]
        self._first = [next(iter(entry.slots.values())) for entry in entries]
        self._attributes = [(i, slot.holder, slot.name) for i, slot in slots if slot.is_attribute]
        self._others = [(i, slot) for i, slot in slots if not slot.is_attribute]

    def get(self) -> list[Any]:
        """Return the arrays."""
        return [getattr(s.holder, s.name) if s.is_attribute else s.get() for s in self._first]

    def put(self, values: list[Any]) -> None:
        """Replace the arrays."""
        for i, holder, name in self._attributes:
            object.__setattr__(holder, name, values[i])
        for i, slot in self._others:
            slot.put(values[i])


class _Stores:
    """The same slots of the model itself, read and written outside of programs: attributes by the dictionary."""

    def __init__(self, entries: list[Entry]) -> None:
        self.paths = [entry.path for entry in entries]
        first = [next(iter(entry.slots.values())) for entry in entries]
        self.read = [_stored(slot) for slot in first]
        self._write = [_stored(slot) for slot in first]
        self._shared = [(i, _stored(slot)) for i, entry in enumerate(entries) for slot in [*entry.slots.values()][1:]]

    def natives(self, backend: Backend) -> list[Any]:
        """Return the native arrays."""
        try:
            return [holder[name]._native for holder, name in self.read]
        except (AttributeError, TypeError, KeyError):
            return [
                _native(backend, path, holder[name]) for path, (holder, name) in zip(self.paths, self.read, strict=True)
            ]

    def put(self, arrays: list[Any]) -> None:
        """Replace the arrays."""
        for (holder, name), x in zip(self._write, arrays, strict=True):
            holder[name] = x
        for i, (holder, name) in self._shared:
            holder[name] = arrays[i]


class _Item:
    """A place in a tuple, as an item of a dictionary."""

    def __init__(self, slot: Slot) -> None:
        self._slot = slot

    def __getitem__(self, name: Any) -> Any:
        return self._slot.get()

    def __setitem__(self, name: Any, value: Any) -> None:
        self._slot.put(value)


def _stored(slot: Slot) -> tuple[Any, Any]:
    if slot.is_attribute:
        return vars(slot.holder), slot.name
    return (slot.holder, slot.name) if slot.outer is None else (_Item(slot), slot.name)


def _native(backend: Backend, path: str, x: Any) -> Any:
    if isinstance(x, Array) and x._backend is not backend:
        raise CoreArrayValueError(
            f"'{path}' is an array of backend '{x._backend.name}' and the step runs on '{backend.name}'; make a new "
            "TrainStep, or convert it with corearray.to_backend"
        )
    return backend.asarray(x)._native


class _Program(NamedTuple):
    call: Callable[..., Any]
    eager: Callable[..., Any]
    places: tuple[int, ...]  # of the batch's leaves that are arrays


class _Kept(Module):
    """A module that holds the arrays of an optimiser's state as buffers, under their names, and the model."""

    model: Module

    def __setattr__(self, name: str, value: Any) -> None:
        super().__setattr__(name, Buffer(value) if isinstance(value, Array) else value)


class TrainStep:
    """A step of training: `loss = step(*batch)` computes the loss, differentiates, and updates the model.

    The forward pass, the backward pass and the update are one program, compiled by the framework where it can. After a call
    the model holds the new parameters and buffers. It is traced again when shapes or dtypes of the batch change, or when the
    model does: another `training` mode, frozen parameters, replaced modules.

    Parameters
    ----------
    model
        A `Module`.
    loss
        Function `loss(model, *batch)` that returns a real number, an array without axes.
    optimizer
        Object with `init(parameters) -> state` and `update(gradients, state, parameters) -> (parameters, state)`, as those
        of `corearray.optim`. Parameters are dictionaries by name; frozen ones are not among them.
    precision
        `Precision`, the dtypes of parameters and computation.
    accumulate
        Number of parts into which the first axes of the batch are divided; gradients are averages over the parts.
    has_aux
        Whether `loss` returns a pair of the loss and anything else, which the step returns too.
    compile
        Whether the framework compiles the step; one that cannot runs it eagerly.
    donate
        Whether the compiled program may reuse the memory of old parameters and of the state. Arrays that were taken from the
        model before a step cannot be read after it then, where the framework has that option (JAX).
    options
        Options of the framework's compiler, such as `fullgraph=True` for torch.

    Attributes
    ----------
    model, loss, optimizer
        As given.
    state
        State of the optimiser, a tree of arrays. It can be set, to resume training.
    traces
        How many times a program was traced or, without a compiler, made.

    Raises
    ------
    TypeError
        If `model` is no Module, or `optimizer` has no `init` and `update`. In a call: if the batch does not fit the parameters
        of `loss`, or the loss is no real number; the model is then unchanged.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> class Descent:
    ...     def init(self, parameters):
    ...         return ()
    ...     def update(self, gradients, state, parameters):
    ...         return {name: p - 0.1 * gradients[name] for name, p in parameters.items()}, state
    >>> with ca.backend_context("torch"):
    ...     model = nn.Linear(3, 1, generator=ca.random.Generator(0))
    ...     step = nn.TrainStep(model, lambda m, x, y: ca.mean(ca.square(m(x) - y)), Descent(), compile=False)
    ...     x, y = ca.ones((4, 3)), ca.ones((4, 1))
    ...     losses = [float(step(x, y)) for _ in range(20)]
    >>> losses[-1] < 0.01 * losses[0]
    True
    """

    def __init__(
        self,
        model: Module,
        loss: Callable[..., Any],
        optimizer: Any,
        /,
        *,
        precision: Precision | None = None,
        accumulate: int = 1,
        has_aux: bool = False,
        compile: bool = True,
        donate: bool = True,
        **options: Any,
    ) -> None:
        if not isinstance(model, Module):
            raise CoreArrayTypeError(f"'TrainStep' takes a Module, got {type(model).__name__}")
        if not callable(loss):
            raise CoreArrayTypeError(f"'TrainStep' takes a function loss(model, *batch), got {loss!r}")
        if not callable(getattr(optimizer, "init", None)) or not callable(getattr(optimizer, "update", None)):
            raise CoreArrayTypeError(
                f"'TrainStep' takes an optimizer with the methods 'init' and 'update', got {type(optimizer).__name__}"
            )
        if precision is not None and not isinstance(precision, Precision):
            raise CoreArrayTypeError(f"'precision' of 'TrainStep' is a corearray.nn.Precision, got {precision!r}")
        if isinstance(accumulate, bool) or not isinstance(accumulate, int) or accumulate < 1:
            raise CoreArrayValueError(f"'accumulate' of 'TrainStep' is an integer from 1 up, got {accumulate!r}")
        self.model = model
        self.loss = loss
        self.optimizer = optimizer
        self.traces = 0
        self._precision = precision
        self._accumulate = accumulate
        self._has_aux = has_aux
        self._compile = compile
        self._donate = donate
        self._options = options
        if precision is not None:
            model.astype(precision.parameters)
        self._find()
        self._start()

    # --- the model and its places

    def _find(self) -> None:
        """Find the places of the arrays, and forget the programs for others."""
        self._seen = changes.count
        entries = entries_of(self.model).values()
        groups: tuple[list[Entry], ...] = [], [], []
        for entry in entries:
            groups[2 if entry.is_buffer else 0 if entry.trainable else 1].append(entry)
        self._trainable, self._frozen, self._buffers = (_Stores(group) for group in groups)
        if not groups[0]:
            raise CoreArrayValueError(f"'{type(self.model).__name__}' has no parameters to train; see Module.unfreeze")
        self.backend: Backend = resolve((groups[0][0].get(),))
        self._fingerprint = fingerprint(self.model)
        arrays = [entry.get() for entry in groups[0]]
        self._described = [(e.path, tuple(x.shape), str(x.dtype)) for e, x in zip(groups[0], arrays, strict=True)]
        self._skeleton = _Skeleton(self.model)
        self._programs: dict[Any, _Program] = {}

    def _start(self) -> None:
        """Begin with a new state, and with parameters of the step's own, whose memory may be given up."""
        backend = self.backend
        if self._donate and self._compile and "donating" in backend.facts:
            for places in (self._trainable, self._buffers):
                places.put([backend.asarray(_wrapped(backend, x), copy=True) for x in places.natives(backend)])
        parameters = [_wrapped(backend, x) for x in self._trainable.natives(backend)]
        self.state = self.optimizer.init(dict(zip(self._trainable.paths, parameters, strict=True)))

    def _follow(self) -> None:
        """Bring the step up to date with a model that has changed."""
        if self._fingerprint == fingerprint(self.model):
            self._seen = changes.count
            return
        former, state = self._described, self.state
        self._find()
        if self._described == former:
            self.state = state
        else:
            self._start()

    @property
    def state(self) -> Any:
        """State of the optimiser."""
        return self._state_tree.of(self._state_leaves())

    @state.setter
    def state(self, state: Any) -> None:
        tree, backend = Tree(state), self.backend
        self._state_tree = tree
        self._state_places = [i for i, x in enumerate(tree.leaves) if isinstance(x, Array) or backend.is_native(x)]
        taken: set[int] = set(map(id, self._trainable.natives(backend)))
        self._state: list[Any] = []
        for i in self._state_places:
            native = _native(backend, "state", tree.leaves[i])
            if id(native) in taken:
                native = backend.asarray(_wrapped(backend, native), copy=True)._native
            taken.add(id(native))
            self._state.append(native)
        self._programs = {}

    def _state_leaves(self) -> list[Any]:
        leaves = list(self._state_tree.leaves)
        for i, native in zip(self._state_places, self._state, strict=True):
            leaves[i] = _wrapped(self.backend, native)
        return leaves

    def state_dict(self) -> dict[str, Any]:
        """Return the arrays of the model, of the optimiser's state, and of the context's random generator, by name.

        `corearray.nn.save(step, path)` writes them, `corearray.nn.load(step, path)` reads them, and training goes on as if
        it had never stopped.
        """
        key, count, _ = default_generator().__getstate__()
        state = dict(zip(self._state_names(), self._state_leaves_only(), strict=True))
        model = {f"model.{name}": x for name, x in self.model.state_dict().items()}
        return {**model, **state, "generator": self.backend.asarray([*key, count], dtype="int64")}

    def load_state_dict(self, state: Mapping[str, Any], /, *, strict: bool = True) -> LoadReport:
        """Replace the arrays of the model, of the optimiser's state, and of the context's random generator.

        Parameters
        ----------
        state
            What `state_dict` returned.
        strict
            As in `Module.load_state_dict`.

        Raises
        ------
        KeyError, ValueError, TypeError
            As in `Module.load_state_dict`; the step and the model are then unchanged.
        """
        kept = _Kept()
        for name, x in zip(self._state_names(), self._state_leaves_only(), strict=True):
            setattr(kept, name, x)
        kept.model = self.model
        generator = self.backend.asarray(state["generator"]).tolist() if "generator" in state else None
        report = kept.load_state_dict({k: x for k, x in state.items() if k != "generator"}, strict=strict)
        leaves = list(self._state_tree.leaves)
        for i, name in zip(self._state_places, self._state_names(), strict=True):
            leaves[i] = getattr(kept, name)
        self.state = self._state_tree.of(leaves)
        if generator is not None:
            one = default_generator()
            one.__setstate__(((generator[0], generator[1]), generator[2], one._native))
        return report

    def _state_names(self) -> list[str]:
        """Return a name for each array of the state: the way to it in the tree."""
        names: dict[int, str] = {}
        _name_leaves(self._state_tree._places, "optimizer", names)
        return [names.get(i, f"optimizer.{i}") for i in self._state_places]

    def _state_leaves_only(self) -> list[Any]:
        return [_wrapped(self.backend, native) for native in self._state]

    # --- the program

    def __call__(self, *batch: Any, **named: Any) -> Any:
        """Take one step and return the loss, with `has_aux` also what else the function of the loss returned."""
        if self._seen != changes.count:
            self._follow()
        backend = self.backend
        tree = Tree((batch, named)) if named else Tree(batch)
        program = self._programs.get(self._key(tree)) or self._made(tree, batch, named)
        given = [self._batch_native(tree.leaves[i]) for i in program.places]
        args = (
            self._trainable.natives(backend),
            self._buffers.natives(backend),
            self._state,
            self._frozen.natives(backend),
            given,
        )
        made: list[Any] = []
        try:
            # One call in C, so that an interrupt comes before the program runs, or after its result is kept.
            made.extend(starmap(program.call, (args,)))
        except Exception as error:
            self._skeleton.clear()
            if self._compile and not isinstance(error, CoreArrayError):
                program.eager(*args)  # which raises the error of the function, and not that of a compiler
            raise
        finally:
            if made:
                self._keep(made[0])
        return made[0][0] if not self._has_aux else (made[0][0], made[0][4])

    def _keep(self, result: Any) -> None:
        wrap = self.backend.wrap
        try:
            self._put(result)
        except BaseException:  # an interrupt, which must not leave the model half new
            self._put(result)
            raise
        result[0] = wrap(result[0])

    def _put(self, result: Any) -> None:
        wrapped = self.backend.wrapped_each
        self._trainable.put(wrapped(result[1]))
        self._buffers.put(wrapped(result[2]))
        self._state = list(result[3])

    def _key(self, tree: Tree) -> Any:
        leaves = tree.leaves
        static = tuple([(i, type(x), x) for i, x in enumerate(leaves) if isinstance(x, (bool, str, type(None)))])
        try:
            hash(tree._structure)
        except TypeError:
            return repr(tree._places), static
        return tree._structure, static

    def _batch_native(self, x: Any) -> Any:
        backend = self.backend
        if type(x) is backend.Array:
            return x._native
        return _native(backend, "an array of the batch", x)

    def _made(self, tree: Tree, batch: tuple[Any, ...], named: dict[str, Any]) -> _Program:
        """Make the program for batches of this structure."""
        try:
            signature(self.loss).bind(self.model, *batch, **named)
        except TypeError as error:
            raise CoreArrayTypeError(
                f"the batch does not fit the function of the loss, {_name(self.loss)}{signature(self.loss)}: {error}"
            ) from None
        except ValueError:  # of a function in C, which has no signature
            pass
        static = (bool, str, type(None))
        places = tuple(i for i, x in enumerate(tree.leaves) if not isinstance(x, static))
        for i in places:
            leaf = tree.leaves[i]
            if not isinstance(leaf, (Array, *NUMBERS)) and not hasattr(leaf, "shape"):
                raise CoreArrayTypeError(
                    f"a batch is made of arrays, numbers, texts and None, got {type(leaf).__name__}"
                )
        pure = self._pure(tree, places, bool(named))
        call = eager = spawning(pure)
        if self._compile:
            if "register_tracing" in self.backend.facts:  # a compiler that reads code keeps few programs for one code
                pure = with_own_code(pure)
                self.traces += 1
            call = compiled_for(self.backend, pure, donated=(0, 1, 2) if self._donate else (), **self._options)
        made = self._programs[self._key(tree)] = _Program(call, eager, places)
        return made

    def _pure(self, batch_tree: Tree, places: tuple[int, ...], is_named: bool) -> Callable[..., Any]:
        """Return the step as a pure function of lists of native arrays."""
        skeleton, loss, optimizer, backend = self._skeleton, self.loss, self.optimizer, self.backend
        state_tree, state_places = self._state_tree, self._state_places
        precision, parts, has_aux = self._precision, self._accumulate, self._has_aux
        runs = (
            not self._compile or "register_tracing" not in backend.facts
        )  # reading, a compiler would guard the counter
        batch_places, state_at = batch_tree._places, state_tree._places
        names, wrap, count = self._trainable.paths, backend.wrap, self._count_trace

        def evaluate(parameters: Any, buffers: Any, frozen: Any, leaves: Any) -> Any:
            if precision is not None:
                parameters = [cast_floating(x, precision.compute) for x in parameters]
                frozen = [cast_floating(x, precision.compute) for x in frozen]
                leaves = [cast_floating(x, precision.compute) for x in leaves]
            skeleton.trainable.put(parameters)
            skeleton.frozen.put(frozen)
            skeleton.buffers.put(buffers)
            found = _filled(batch_places, leaves)
            value = loss(skeleton.model, *found[0], **found[1]) if is_named else loss(skeleton.model, *found)
            value, aux = value if has_aux else (value, None)
            if precision is not None:
                value = cast_floating(value, precision.output)
            after = skeleton.buffers.get()
            skeleton.clear()
            return value, (after, aux)

        both = derivative_of(evaluate, has_aux=True)

        def step(parameters: Any, buffers: Any, state: Any, frozen: Any, batch: Any) -> Any:
            if runs:
                count()
            own = [wrap(x) for x in parameters]
            kept = [wrap(x) for x in buffers]
            fixed = [wrap(x) for x in frozen]
            leaves = list(batch_tree.leaves)
            for i, x in zip(places, batch, strict=True):
                leaves[i] = wrap(x)
            if parts == 1:
                (value, (kept, aux)), slopes = both(own, kept, fixed, leaves)
            else:
                value, slopes, aux = None, None, None
                for part in range(parts):
                    some = [_part(x, part, parts) if i in places else x for i, x in enumerate(leaves)]
                    (one, (kept, aux)), found = both(own, kept, fixed, some)
                    value = one if value is None else value + one
                    slopes = found if slopes is None else [a + b for a, b in zip(slopes, found, strict=True)]
                value, slopes = value / parts, [x / parts for x in slopes]
            old = list(state_tree.leaves)
            for i, x in zip(state_places, state, strict=True):
                old[i] = wrap(x)
            new, after = optimizer.update(
                dict(zip(names, slopes, strict=True)), _filled(state_at, old), dict(zip(names, own, strict=True))
            )
            kept_state = old
            _read(state_at, after, kept_state)
            result = [
                value._native,
                [new[name]._native for name in names],
                [x._native for x in kept],
                [kept_state[i]._native for i in state_places],
            ]
            return [*result, aux] if has_aux else result

        return step

    def _count_trace(self) -> None:
        self.traces += 1

    def __repr__(self) -> str:
        how = "compiled" if self._compile else "eager"
        return f"TrainStep({type(self.model).__name__}, {_name(self.loss)}, {how}, backend '{self.backend.name}')"


def _filled(places: Any, leaves: list[Any]) -> Any:
    """Return a tree with the leaves that its numbers stand for. Plain code, which compilers that read code follow."""
    if isinstance(places, int):
        return leaves[places]
    if isinstance(places, dict):
        return {key: _filled(value, leaves) for key, value in places.items()}
    if isinstance(places, (list, tuple)):
        found = [_filled(value, leaves) for value in places]
        if hasattr(places, "_fields"):
            return type(places)(*found)
        return found if isinstance(places, list) else tuple(found)
    return nested_map(lambda place: leaves[place], places)


def _read(places: Any, tree: Any, leaves: list[Any]) -> None:
    """Put the leaves of a tree into a list, each at its number."""
    if isinstance(places, int):
        leaves[places] = tree
    elif isinstance(places, dict):
        for key, value in places.items():
            _read(value, tree[key], leaves)
    elif isinstance(places, (list, tuple)):
        for value, item in zip(places, tree, strict=True):
            _read(value, item, leaves)
    else:
        nested_multi_map(lambda place, leaf: leaves.__setitem__(place, leaf), [places, tree])


def _name_leaves(places: Any, name: str, names: dict[int, str]) -> None:
    if isinstance(places, int):
        names[places] = name
    elif isinstance(places, Mapping):
        for key, value in places.items():
            _name_leaves(value, f"{name}.{key}", names)
    elif isinstance(places, (list, tuple)):
        for i, value in enumerate(places):
            _name_leaves(value, f"{name}.{i}", names)


def _part(x: Any, part: int, parts: int) -> Any:
    if not isinstance(x, Array) or x.ndim == 0:
        return x
    length = x.shape[0]
    if length is not None and length % parts:
        raise CoreArrayValueError(f"a batch of {length} cannot be divided into 'accumulate={parts}' equal parts")
    size = length // parts
    return x[part * size : (part + 1) * size]


def _wrapped(backend: Backend, native: Any) -> Any:
    return backend.wrap(native)


def _name(fn: Any) -> str:
    return str(getattr(fn, "__name__", type(fn).__name__))


def value_and_grad(loss: Callable[..., Any], model: Module, /) -> Callable[..., tuple[Any, dict[str, Any]]]:
    """Make a function that returns the loss of a model and the gradients by its trainable parameters.

    Parameters
    ----------
    loss
        Function `loss(model, *batch)` that returns a real number.
    model
        The model. Its buffers, such as running statistics, are updated by a call, its parameters are not.

    Returns
    -------
    Function of the batch that returns `(value, gradients)`, with the gradients by name.

    Raises
    ------
    TypeError
        When it is called, if the value is no real number.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> with ca.backend_context("torch"):
    ...     model = nn.Linear(2, 1)
    ...     value, slopes = nn.value_and_grad(lambda m, x: ca.sum(m(x)), model)(ca.ones((3, 2)))
    >>> slopes["weight"].tolist(), slopes["bias"].tolist()
    ([[3.0, 3.0]], [3.0])
    """
    if not isinstance(model, Module):
        raise CoreArrayTypeError(f"'value_and_grad' takes a Module, got {type(model).__name__}")

    def both(*batch: Any, **named: Any) -> tuple[Any, dict[str, Any]]:
        entries = {path: entry for path, entry in entries_of(model).items() if entry.trainable or entry.is_buffer}
        arrays = {path: entry.get() for path, entry in entries.items()}
        given = {path: x for path, x in arrays.items() if entries[path].trainable}

        def evaluate(parameters: Mapping[str, Any]) -> Any:
            twin = copied(model, {id(arrays[path]): x for path, x in parameters.items()})
            value = loss(twin, *batch, **named)
            return value, {path: entry.get() for path, entry in entries_of(twin).items() if entry.is_buffer}

        (value, buffers), slopes = derivative_of(evaluate, has_aux=True)(given)
        for path, x in buffers.items():
            entries[path].put(x)
        return value, slopes

    return both
