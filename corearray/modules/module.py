"""`Module`: an object whose parameters can be read and replaced as a Container."""

from __future__ import annotations

from collections.abc import Iterator
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any, ClassVar, Self

from corearray.arrays.array import Array
from corearray.calls.dispatch import backend_of
from corearray.calls.fast_path import FUNCTIONS
from corearray.container import Container
from corearray.container.structure import require_same_structure
from corearray.errors import CoreArrayNotImplementedError, CoreArrayTypeError
from corearray.graph import Graph, compile_graph

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["Module"]

#: What `corearray list-functions` says of the classes here.
__kind__ = "convenience"


class Module:
    """A function with parameters: derive from it, set arrays and modules as attributes, and define `forward`.

    The parameters are the arrays of floating and complex dtypes among the attributes, and those of modules, lists,
    tuples and dictionaries among them. They are collected on access, so that attributes are ordinary attributes. An
    object in two places, such as a weight that two layers share, is one parameter, under its first name.

    To compute with other parameters, as derivatives and compilers do, call `module.apply(parameters, x)`. It changes
    nothing, so that threads may share a module. There are no modes: pass the differences of training as arguments of
    `forward`.

    Attributes
    ----------
    constants
        Names of attributes with arrays that are no parameters; a class says so, as in `constants = ("mean",)`.

    Examples
    --------
    >>> import corearray as ca
    >>> class Network(ca.Module):
    ...     def __init__(self, seed):
    ...         generator = ca.random.Generator(seed)
    ...         self.layers = [ca.Linear(2, 8, generator=generator), ca.Linear(8, 1, generator=generator)]
    ...
    ...     def forward(self, x):
    ...         return self.layers[1](ca.tanh(self.layers[0](x)))
    >>> network = Network(0)
    >>> network(ca.ones((5, 2))).shape
    Shape((5, 1))
    >>> network.parameters.key_chains()
    ['layers/0/weight', 'layers/0/bias', 'layers/1/weight', 'layers/1/bias']
    >>> zero = network.with_parameters(0.0 * network.parameters)
    >>> zero(ca.ones((1, 2))).tolist()
    [[0.0]]

    A step of gradient descent:

    >>> def loss(parameters, x, y):
    ...     return ca.mean(ca.square(network.apply(parameters, x) - y))
    >>> with ca.backend_context("torch"):
    ...     network, x, y = Network(0), ca.ones((5, 2)), ca.ones((5, 1))
    ...     before, slopes = ca.value_and_grad(loss)(network.parameters, x, y)
    ...     network.parameters = ca.gradient_descent_update(network.parameters, slopes, 0.1)
    ...     bool(loss(network.parameters, x, y) < before)
    True
    """

    constants: ClassVar[tuple[str, ...]] = ()

    def forward(self, *args: Any, **options: Any) -> Any:
        """Compute the output; derived classes override it."""
        raise CoreArrayNotImplementedError(f"'{type(self).__name__}' has no method 'forward', which a Module calls")

    def __call__(self, *args: Any, **options: Any) -> Any:
        """Call `forward`."""
        return self.forward(*args, **options)

    @property
    def parameters(self) -> Container:
        """The parameters by attribute names; positions in lists and tuples are names too.

        Assignment replaces them in this module and the modules within it.
        """
        found = _taken(self, set())
        return Container() if found is None else found

    @parameters.setter
    def parameters(self, parameters: Mapping[str, Any]) -> None:
        _put(self, self._checked(parameters), {}, in_place=True)

    def with_parameters(self, parameters: Mapping[str, Any], /) -> Self:
        """Return a copy of this module with other parameters.

        Parameters
        ----------
        parameters
            Container or dictionary with the keys of `self.parameters`.

        Raises
        ------
        ValueError
            If the keys are others.
        """
        made: Self = _put(self, self._checked(parameters), {}, in_place=False)
        return made

    def apply(self, parameters: Mapping[str, Any], /, *args: Any, **options: Any) -> Any:
        """Call this module with other parameters: `module.with_parameters(parameters)(*args, **options)`."""
        return self.with_parameters(parameters)(*args, **options)

    def compile_graph(self, *args: Any, **options: Any) -> Graph:
        """Compile a graph of the native calls, a function of the parameters and the arguments of `forward`.

        Parameters
        ----------
        args, options
            Arguments of `forward`, and options of `corearray.compile_graph`.

        Returns
        -------
        `Graph`, to be called as `graph(module.parameters, *args)`.

        Examples
        --------
        >>> import corearray as ca
        >>> layer, x = ca.Linear(3, 2), ca.ones((5, 3))
        >>> graph = layer.compile_graph(x)
        >>> bool(ca.allclose(graph(layer.parameters, x), layer(x)))
        True
        """
        return compile_graph(self.apply, self.parameters, *args, **options)

    def _checked(self, parameters: Mapping[str, Any]) -> Container:
        name = type(self).__name__
        try:
            given = parameters if isinstance(parameters, Container) else Container(parameters)
        except (TypeError, ValueError):
            raise CoreArrayTypeError(
                f"the parameters of '{name}' are a Container or a dictionary, got {type(parameters).__name__}"
            ) from None
        require_same_structure(
            [self.parameters, given], ["the module", "what is given"], f"parameters of '{name}' and those given for it"
        )
        return given

    @recursive_repr()
    def __repr__(self) -> str:
        parts = []
        for name, value in vars(self).items():
            if name not in self.constants and _is_parameter(value):
                parts.append(f"{name}={value.dtype}[{', '.join(map(str, value.shape))}]")
            else:
                parts.append(f"{name}={value!r}")
        return f"{type(self).__name__}({', '.join(parts)})"


def _is_parameter(node: Any) -> bool:
    """Whether this is an array that can be differentiated by."""
    if isinstance(node, (list, tuple, dict, Container, Module, *FUNCTIONS)):
        return False
    backend = node._backend if isinstance(node, Array) else backend_of(node)
    return backend is not None and backend.dtype_of(node).kind in ("real floating", "complex floating")


def _children(node: Any) -> Iterator[tuple[str, Any]]:
    """Return the names and values of what a node holds."""
    if isinstance(node, Module):
        return ((name, value) for name, value in vars(node).items() if name not in node.constants)
    if isinstance(node, (list, tuple)):
        return ((str(place), item) for place, item in enumerate(node))
    return ((str(key), item) for key, item in node.items()) if isinstance(node, (dict, Container)) else iter(())


def _taken(node: Any, seen: set[int]) -> Any:
    """Return the parameters in a node that were not seen before, or `None` if there are none."""
    if id(node) in seen:
        return None
    if _is_parameter(node):
        seen.add(id(node))
        return node
    if not isinstance(node, (Module, list, tuple, dict, Container)):
        return None
    seen.add(id(node))
    found = {name: _taken(child, seen) for name, child in _children(node)}
    found = {name: parameters for name, parameters in found.items() if parameters is not None}
    return Container(found) if found else None


def _put(node: Any, parameters: Any, made: dict[int, Any], *, in_place: bool) -> Any:
    """Return a node with other parameters; `made` has what took the place of each object."""
    if id(node) in made:
        return made[id(node)]
    if _is_parameter(node):
        made[id(node)] = parameters
        return parameters
    if not isinstance(node, (Module, list, tuple, dict, Container)):
        return node
    other: Any = node
    if isinstance(node, Module):
        if not in_place:
            other = object.__new__(type(node))
            vars(other).update(vars(node))
        made[id(node)] = other
    changed = {name: _put(child, parameters.get(name, {}), made, in_place=in_place) for name, child in _children(node)}
    if isinstance(node, Module):
        vars(other).update(changed)
    elif isinstance(node, (list, tuple)):
        items = changed.values()
        other = type(node)(*items) if hasattr(node, "_fields") else type(node)(items)
    else:
        other = type(node)(zip(node, changed.values(), strict=True))
    made[id(node)] = other
    return other
