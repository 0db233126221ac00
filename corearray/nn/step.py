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
from corearray.nn.guests import Guests
from corearray.nn.loading import LoadReport
from corearray.nn.marks import Buffer, changes
from corearray.nn.module import Module
from corearray.nn.places import Skeleton, Stores, grouped, native_of
from corearray.nn.precision import Precision
from corearray.nn.program import Plan, name_leaves, pure_step
from corearray.nn.slots import copied, entries_of, fingerprint, is_module
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
    model does: another `training` mode, frozen parameters, replaced modules. Arrays that the function of the loss finds
    elsewhere are constants of the program: pass modules that change as arguments, `step(other, x)`. They are read as they
    are, and stay as they are.

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
        groups = grouped(self.model)
        self._trainable, self._frozen, self._buffers = (Stores(group) for group in groups)
        if not groups[0]:
            raise CoreArrayValueError(f"'{type(self.model).__name__}' has no parameters to train; see Module.unfreeze")
        self.backend: Backend = resolve((groups[0][0].get(),))
        self._fingerprint = fingerprint(self.model)
        arrays = [entry.get() for entry in groups[0]]
        self._described = [(e.path, tuple(x.shape), str(x.dtype)) for e, x in zip(groups[0], arrays, strict=True)]
        self._skeleton = Skeleton(self.model)
        self._programs: dict[Any, _Program] = {}
        self._guests = Guests()

    def _start(self) -> None:
        """Begin with a new state, and with parameters of the step's own, whose memory may be given up."""
        backend = self.backend
        if self._donate and self._compile and "donating" in backend.facts:
            for places in (self._trainable, self._buffers):
                copies = [backend.asarray(_wrapped(backend, x), copy=True) for x in places.natives(backend)]
                places.put(backend, [x._native for x in copies])
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
            native = native_of(backend, "state", tree.leaves[i])
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
        name_leaves(self._state_tree.places, "optimizer", names)
        return [names.get(i, f"optimizer.{i}") for i in self._state_places]

    def _state_leaves_only(self) -> list[Any]:
        return [_wrapped(self.backend, native) for native in self._state]

    # --- the program

    def __call__(self, *batch: Any, **named: Any) -> Any:
        """Take one step and return the loss, with `has_aux` also what else the function of the loss returned."""
        if self._seen != changes.count:
            self._follow()
        if any(map(is_module, batch)) or (named and any(map(is_module, named.values()))):
            batch, named = self._guests.all_opened(batch, named)
        backend = self.backend
        array = backend.Array
        given = [x._native for x in batch if type(x) is array]
        is_flat = not named and len(given) == len(batch)
        program = self._programs.get(len(batch)) if is_flat else None  # found without a look at the structure
        if program is None:
            tree = Tree((batch, named)) if named else Tree(batch)
            program = self._programs.get(self._key(tree)) or self._made(tree, batch, named)
            if is_flat:
                self._programs[len(batch)] = program
            else:
                given = [self._native_of_batch(tree.leaves[i]) for i in program.places]
        buffers, frozen = self._buffers, self._frozen
        args = (
            self._trainable.natives(backend),
            buffers.natives(backend) if buffers.read else [],
            self._state,
            frozen.natives(backend) if frozen.read else [],
            given,
        )
        made: list[Any] = []
        try:
            # One call in C, so that an interrupt comes before the program runs, or after its result is kept.
            made.extend(starmap(program.call, (args,)))
        except Exception as error:
            self._skeleton.clear()
            self._guests.clear()
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
        self._trainable.put(self.backend, result[1])
        if result[2]:
            self._buffers.put(self.backend, result[2])
        self._state = list(result[3])

    def _key(self, tree: Tree) -> Any:
        leaves = tree.leaves
        static = tuple([(i, type(x), x) for i, x in enumerate(leaves) if isinstance(x, (bool, str, type(None)))])
        try:
            hash(tree._structure)
        except TypeError:
            return repr(tree.places), static
        return tree._structure, static

    def _native_of_batch(self, x: Any) -> Any:
        backend = self.backend
        if type(x) is backend.Array:
            return x._native
        return native_of(backend, "an array of the batch", x)

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

    def _pure(self, tree: Tree, places: tuple[int, ...], is_named: bool) -> Callable[..., Any]:
        plan = Plan(
            self._skeleton, self.loss, self.optimizer, self._precision, self._accumulate, self._has_aux, self._guests
        )
        reads = self._compile and "register_tracing" in self.backend.facts  # such a compiler would guard the counter
        count = None if reads else self._count_trace
        return pure_step(plan, self.backend, tree, places, is_named, self._state_tree, self._state_places, count)

    def _count_trace(self) -> None:
        self.traces += 1

    def __repr__(self) -> str:
        how = "compiled" if self._compile else "eager"
        return f"TrainStep({type(self.model).__name__}, {_name(self.loss)}, {how}, backend '{self.backend.name}')"


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
