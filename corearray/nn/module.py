"""`Module`: an ordinary object whose arrays are found by name, so that they can be trained, saved and replaced."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any, ClassVar, Self

from corearray.arrays.array import Array
from corearray.container import Container
from corearray.container.nodes import add_node
from corearray.errors import CoreArrayError, CoreArrayKeyError, CoreArrayNotImplementedError, CoreArrayTypeError
from corearray.graph import Graph, compile_graph
from corearray.nn.freezing import set_frozen
from corearray.nn.loading import LoadReport, loaded
from corearray.nn.marks import Buffer, Marks, changes
from corearray.nn.names import as_array, flattened, require_names, unknown_text
from corearray.nn.options import HelpfulErrors
from corearray.nn.slots import Entry, Structure, array_kind, copied, entries_of, is_module, walk
from corearray.nn.text import module_text, name_layer, summary_text
from corearray.random.context import drawing_from

if TYPE_CHECKING:
    from corearray.random import Generator
    from corearray.types.devices import Device
    from corearray.types.dtypes import DType

__all__ = ["Module"]

#: What `corearray list-functions` says of the classes here.
__kind__ = "convenience"


class Module(HelpfulErrors):
    """A function with parameters: derive from it, set arrays and modules as attributes, and define `forward`.

    Arrays of floating dtypes among the attributes are parameters, as are those of the modules, lists, tuples and
    dictionaries among them. Arrays marked by `Buffer` are state; everything else is configuration. A name is the way to an
    array, as in `"blocks.0.ln1.weight"`. An array that stands in two places is one parameter under its first name.

    `super().__init__()` may be called and need not be.

    Attributes
    ----------
    training
        Whether layers such as `Dropout` and `BatchNorm2d` behave as in training; set by `train` and `eval`.
    constants
        Names of attributes whose arrays are neither parameters nor saved; set by a class.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> class Network(nn.Module):
    ...     def __init__(self, width):
    ...         self.layers = [nn.Linear(2, width), nn.Linear(width, 1)]
    ...
    ...     def forward(self, x):
    ...         return self.layers[1](ca.tanh(self.layers[0](x)))
    >>> network = Network(8)
    >>> network(ca.ones((5, 2))).shape
    Shape((5, 1))
    >>> list(network.parameters())
    ['layers.0.weight', 'layers.0.bias', 'layers.1.weight', 'layers.1.bias']
    >>> zero = network.with_parameters(0.0 * network.parameters())
    >>> zero(ca.ones((1, 2))).tolist()
    [[0.0]]

    A step of gradient descent with the pure form:

    >>> def loss(parameters, x, y):
    ...     return ca.mean(ca.square(network.apply(parameters, x) - y))
    >>> with ca.backend_context("torch"):
    ...     network, x, y = Network(8), ca.ones((5, 2)), ca.ones((5, 1))
    ...     before, slopes = ca.value_and_grad(loss)(network.parameters(), x, y)
    ...     network.set_parameters(ca.gradient_descent_update(network.parameters(), slopes, 0.1))
    ...     bool(loss(network.parameters(), x, y) < before)
    True

    `corearray.nn.TrainStep` does the same in one compiled program.
    """

    __corearray_module__ = True

    constants: ClassVar[tuple[str, ...]] = ()
    training: bool = True
    _marks: Marks = Marks({}, frozenset())

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        add_node(cls)

    def __setattr__(self, name: str, value: Any) -> None:
        if type(value) is Buffer:
            marks = self._marks
            object.__setattr__(self, "_marks", Marks({**marks.buffers, name: value.persistent}, marks.frozen))
            value = value.value
            changes.count += 1
        elif not isinstance(value, Array) or not isinstance(getattr(self, name, None), Array):
            changes.count += 1
        object.__setattr__(self, name, value)

    def __delattr__(self, name: str) -> None:
        object.__delattr__(self, name)
        changes.count += 1

    def forward(self, *args: Any, **options: Any) -> Any:
        """Compute the result; a derived class defines it."""
        raise CoreArrayNotImplementedError(f"'{type(self).__name__}' has no method 'forward', which a Module calls")

    def __call__(self, *args: Any, **options: Any) -> Any:
        """Call `forward`. A note of an error of this library names the layer and the arrays that it was given."""
        try:
            return self.forward(*args, **options)
        except CoreArrayError as error:
            name_layer(error, self, args)
            raise

    # --- arrays by name

    def parameters(self, *, trainable: bool | None = None) -> Container:
        """Return the parameters by name.

        Parameters
        ----------
        trainable
            `True` for those that are not frozen, `False` for those that are, `None` for all.

        Returns
        -------
        `Container` from names such as `"layers.0.weight"` to arrays, without deeper levels.
        """
        found = entries_of(self).values()
        return Container(
            {e.path: e.get() for e in found if not e.is_buffer and (trainable is None or e.trainable is trainable)}
        )

    def buffers(self) -> Container:
        """Return the arrays that are state and no parameters, by name."""
        return Container({entry.path: entry.get() for entry in entries_of(self).values() if entry.is_buffer})

    def set_parameters(self, parameters: Mapping[str, Any], /) -> None:
        """Replace parameters in this module and in those within it.

        Parameters
        ----------
        parameters
            Arrays by name: all of `parameters()`, or all of `parameters(trainable=True)`.

        Raises
        ------
        ValueError
            If names are missing or unknown; the module is then unchanged.
        """
        entries, given = self._checked(parameters)
        for name, value in given.items():
            entries[name].put(value)

    def set_buffers(self, buffers: Mapping[str, Any], /) -> None:
        """Replace buffers in this module and in those within it.

        Parameters
        ----------
        buffers
            Arrays by name, some of `buffers()`.

        Raises
        ------
        KeyError
            If a name is unknown; the module is then unchanged.
        """
        entries = {path: entry for path, entry in entries_of(self).items() if entry.is_buffer}
        for name in buffers.keys() - entries:
            raise CoreArrayKeyError(unknown_text(type(self).__name__, "buffer", name, sorted(entries)))
        for name, value in buffers.items():
            entries[name].put(value)

    def with_parameters(self, parameters: Mapping[str, Any], /) -> Self:
        """Return a module like this one with other parameters; everything else is shared.

        Parameters
        ----------
        parameters
            As in `set_parameters`, with its errors.
        """
        entries, given = self._checked(parameters)
        made: Self = copied(self, {id(entries[name].get()): value for name, value in given.items()})
        return made

    def apply(
        self,
        parameters: Mapping[str, Any],
        /,
        *args: Any,
        buffers: Mapping[str, Any] | None = None,
        generator: Generator | None = None,
        **options: Any,
    ) -> Any:
        """Call the module with other parameters, as a pure function: nothing of the module changes.

        Parameters
        ----------
        parameters
            As in `set_parameters`.
        args, options
            Arguments of `forward`.
        buffers
            Arrays by name in place of `buffers()`. When given, the new ones are returned too.
        generator
            A `corearray.random.Generator` from which layers such as `Dropout` draw, in place of the context's.

        Returns
        -------
        The value of `forward`, or `(value, buffers)` if buffers are given.

        Raises
        ------
        ValueError
            If names are missing or unknown.
        """
        entries, given = self._checked(parameters)
        others = {id(entries[name].get()): value for name, value in given.items()}
        if buffers is not None:
            known = {path: entry for path, entry in entries.items() if entry.is_buffer}
            require_names(type(self).__name__, "buffers", known, buffers)
            others |= {id(known[name].get()): value for name, value in buffers.items()}
        twin = copied(self, others)
        if generator is None:
            value = twin(*args, **options)
        else:
            with drawing_from(generator):
                value = twin(*args, **options)
        return value if buffers is None else (value, twin.buffers())

    def state_dict(self) -> dict[str, Any]:
        """Return parameters and persistent buffers by name, shared ones under each of their names."""
        return {path: e.get() for e in entries_of(self).values() if e.persistent for path in e.slots}

    def load_state_dict(
        self,
        state: Mapping[str, Any],
        /,
        *,
        strict: bool = True,
        rename: Sequence[tuple[str, str]] = (),
        dtype: DType | str | None = None,
    ) -> LoadReport:
        """Replace parameters and buffers by those of a dictionary, such as a checkpoint.

        Parameters
        ----------
        state
            Arrays by name: of this backend or another one, native ones, or NumPy's.
        strict
            Whether every array must be given and no other; else the report says which are missing and unexpected.
        rename
            Pairs of a regular expression and its replacement, applied in order to each name of `state`.
        dtype
            Floating dtype of the parameters from now on; by default each keeps its own.

        Returns
        -------
        `LoadReport(missing, unexpected, reshaped)`, tuples of names.

        Raises
        ------
        KeyError
            If names are missing or unexpected and `strict` is true; the nearest names are shown.
        ValueError
            If a shape differs. Without `strict`, an array with the same number of elements is reshaped.
        TypeError
            If a value is no array, or an integer array is given for a parameter.

        After an error the module is unchanged.
        """
        report, values = loaded(type(self).__name__, entries_of(self), state, strict, rename, dtype)
        for entry, value in values:
            entry.put(value)
        return report

    def _checked(self, parameters: Mapping[str, Any]) -> tuple[dict[str, Entry], dict[str, Any]]:
        name = type(self).__name__
        if not isinstance(parameters, Mapping):
            raise CoreArrayTypeError(
                f"the parameters of '{name}' are a Container or a dictionary, got {type(parameters).__name__}"
            )
        entries = entries_of(self)
        given = dict(flattened(parameters))
        known = {path: entry for path, entry in entries.items() if not entry.is_buffer}
        trainable = {path for path, entry in known.items() if entry.trainable}
        if given.keys() != trainable:
            require_names(name, "parameters", known, given)
        return entries, given

    # --- training, evaluation, freezing

    def train(self, mode: bool = True) -> Self:
        """Let this module and those within it behave as in training, or not, and return the module."""
        for _, module in self.named_modules():
            object.__setattr__(module, "training", bool(mode))
        changes.count += 1
        return self

    def eval(self) -> Self:
        """Let this module and those within it behave as in evaluation, and return the module."""
        return self.train(False)

    def freeze(self, *patterns: str) -> Self:
        """Exclude parameters from training.

        Parameters
        ----------
        patterns
            Names of parameters or modules, in which `*` stands for anything: `"encoder"`, `"blocks.*.ln1.*"`. All
            parameters without any.

        Raises
        ------
        KeyError
            If a pattern matches no parameter.
        """
        set_frozen(self, patterns, True)
        return self

    def unfreeze(self, *patterns: str) -> Self:
        """Include parameters in training again; patterns are those of `freeze`."""
        set_frozen(self, patterns, False)
        return self

    # --- the tree of modules

    def named_modules(self) -> Iterator[tuple[str, Module]]:
        """Yield this module, under the name `""`, and those within it, each once."""
        return ((path, value) for path, value, *_ in walk(self) if is_module(value))

    def modules(self) -> Iterator[Module]:
        """Yield this module and those within it, each once."""
        return (module for _, module in self.named_modules())

    def replace(self, path: str, module: Any, /) -> Self:
        """Put another module in the place of one within this one, and return this module.

        Parameters
        ----------
        path
            Name of the old one, as in `"head"` or `"blocks.3.attn"`.
        module
            The new one.

        Raises
        ------
        KeyError
            If there is no module of that name.
        """
        places = {name: slot for name, value, _, _, slot in walk(self) if is_module(value) and slot is not None}
        if path not in places:
            raise CoreArrayKeyError(unknown_text(type(self).__name__, "module", path, sorted(places)))
        old = places[path].get()
        places[path].put(module)
        for name, value, _, _, slot in list(walk(self)):
            if value is old and slot is not None and name != path:
                slot.put(module)
        changes.count += 1
        return self

    def astype(self, dtype: DType | str, /) -> Self:
        """Cast parameters and floating buffers in place, and return the module.

        Raises
        ------
        TypeError
            If `dtype` is no floating dtype.
        """
        entries = [e for e in entries_of(self).values() if array_kind(e.get()) != "integral"]
        values = [(e, as_array(e.get())) for e in entries]
        made = [(e, x._backend.astype(x, dtype)) for e, x in values if "floating" in x.dtype.category]
        for _, x in made:
            if "floating" not in x.dtype.category:
                raise CoreArrayTypeError(f"'astype' of a Module takes a floating dtype, got '{x.dtype}'")
        for entry, x in made:
            entry.put(x)
        return self

    def to_device(self, device: Device | str, /) -> Self:
        """Move parameters and buffers to a device in place, and return the module."""
        made = [(entry, as_array(entry.get()).to_device(device)) for entry in entries_of(self).values()]
        for entry, x in made:
            entry.put(x)
        return self

    def compile_graph(self, *args: Any, **options: Any) -> Graph:
        """Make a graph of the native calls: a function of the parameters and of the arguments of `forward`.

        Parameters
        ----------
        args, options
            Arguments of `forward`, and options of `corearray.compile_graph`.

        Returns
        -------
        `Graph`, to be called as `graph(module.parameters(), *args)`.

        Examples
        --------
        >>> import corearray as ca
        >>> layer, x = ca.Linear(3, 2), ca.ones((5, 3))
        >>> graph = layer.compile_graph(x)
        >>> bool(ca.allclose(graph(layer.parameters(), x), layer(x)))
        True
        """
        return compile_graph(self.apply, self.parameters(), *args, **options)

    # --- as a node of trees

    def tree_flatten(self) -> tuple[tuple[Any, ...], Structure]:
        """Return the arrays, parameters first, and the structure without arrays, as libraries with trees ask of a node."""
        arrays, structure = Structure.of(self)
        return tuple(arrays), structure

    @staticmethod
    def tree_unflatten(structure: Structure, arrays: Sequence[Any]) -> Module:
        """Make a module of a structure and arrays."""
        made: Module = structure.filled(list(arrays))
        return made

    def constant_arrays(self) -> list[Any]:
        """Return the arrays by which nothing is differentiated: buffers and frozen parameters."""
        return [entry.get() for entry in entries_of(self).values() if not entry.trainable]

    # --- text

    @recursive_repr()
    def __repr__(self) -> str:
        return module_text(self)

    def summary(self) -> str:
        """Return a table of the modules with the shapes of their arrays and the numbers of their elements.

        Examples
        --------
        >>> import corearray as ca
        >>> print(ca.Linear(3, 2).summary())
        name  class   arrays                                 parameters
              Linear  weight float32[2, 3], bias float32[2]           8
        8 parameters, 8 trainable, 0 in buffers
        """
        return summary_text(self)


add_node(Module)
