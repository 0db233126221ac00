"""Optimisers by the names of `torch.optim`, which hold the state and write new parameters into a model.

`optimizer = optim.AdamW(model, lr=1e-3)`, then `optimizer.step(gradients)`. Each of them is a `Transformation` too, so that
`nn.TrainStep` and `chain` take it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, MutableMapping, MutableSequence
from typing import Any

from corearray.errors import CoreArrayTypeError, CoreArrayValueError
from corearray.optim.adam import adam, adamw
from corearray.optim.adaptive import adadelta, adafactor, adagrad, rmsprop
from corearray.optim.layerwise import lamb, lars, muon
from corearray.optim.sgd import sgd
from corearray.optim.transform import Transformation, chain, get_learning_rate, scale, set_learning_rate
from corearray.optim.variants import adamax, lion, nadam, radam
from corearray.transforms.tree import Tree

__all__ = [
    "LAMB",
    "LARS",
    "SGD",
    "Adadelta",
    "Adafactor",
    "Adagrad",
    "Adam",
    "AdamW",
    "Adamax",
    "Lion",
    "Muon",
    "NAdam",
    "Optimizer",
    "RAdam",
    "RMSprop",
]

#: What `corearray list-functions` says of the classes here.
__kind__ = "convenience"


class Optimizer(Transformation):
    """A transformation with parameters and a state of its own.

    Parameters
    ----------
    parameters
        A Module, whose trainable parameters are optimised and replaced, or a tree of arrays; lists, dictionaries and
        Containers in it are changed in place.
    transformation
        The `Transformation` that takes the steps.

    Attributes
    ----------
    state
        State of the transformation, a tree of arrays. It can be set, to resume training.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import optim
    >>> parameters = {"w": ca.asarray([1.0, 2.0])}
    >>> optimizer = optim.Optimizer(parameters, optim.chain(optim.clip_by_value(1.0), optim.sgd(0.5)))
    >>> optimizer.step({"w": ca.asarray([9.0, 0.0])})
    >>> parameters["w"].tolist()
    [0.5, 2.0]
    """

    __slots__ = ("_target", "_transformation", "state")

    def __init__(self, parameters: Any, transformation: Transformation) -> None:
        groups = parameters if isinstance(parameters, (list, tuple)) else ()
        if any(isinstance(group, Mapping) and "params" in group for group in groups):
            raise CoreArrayTypeError(
                f"'{type(self).__name__}' takes a Module or a tree of arrays, got groups of parameters with options; "
                "write optim.partition, which gives each group an optimiser of its own"
            )
        super().__init__(transformation.init, transformation.transform, needs_value=True, update=transformation.updated)
        self._transformation = transformation
        self._target = parameters
        self.state = transformation.init(self.parameters)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._transformation!r})"

    def transform(self, updates: Any, state: Any, parameters: Any, *, value: Any = None) -> tuple[Any, Any]:
        """Turn updates into other updates, as the transformation does."""
        found: tuple[Any, Any] = self._transform(updates, state, parameters, value=value)
        return found

    @property
    def parameters(self) -> Any:
        """The parameters that are optimised, a tree of arrays."""
        return _arrays_of(self._target)

    @property
    def learning_rate(self) -> Any:
        """The learning rate of the last step, an array without axes; set it to a number."""
        return get_learning_rate(self.state)

    @learning_rate.setter
    def learning_rate(self, rate: float) -> None:
        self.state = set_learning_rate(self.state, rate)

    def step(self, gradients: Any, *, value: Any = None) -> None:
        """Take one step and write the new parameters into the model or the tree.

        Parameters
        ----------
        gradients
            A tree like `parameters`, or, as `ca.grad(loss)(model, ...)` returns, a Module like the model.
        value
            The loss, if a part of the optimiser reads it.

        Raises
        ------
        ValueError
            If the trees differ in structure.
        """
        new, state = self.update(_arrays_of(gradients), self.state, self.parameters, value=value)
        if callable(getattr(self._target, "set_parameters", None)):
            self._target.set_parameters(new)
        else:
            _write(self._target, new)
        self.state = state

    def state_dict(self) -> list[Any]:
        """Return the arrays of the state, in order."""
        return list(Tree(self.state).leaves)

    def load_state_dict(self, arrays: list[Any]) -> None:
        """Put arrays into the state, in the order of `state_dict`."""
        tree = Tree(self.state)
        if len(arrays) != len(tree.leaves):
            raise CoreArrayValueError(
                f"the state of this optimiser has {len(tree.leaves)} arrays, got {len(arrays)}; it is that of other parameters"
            )
        self.state = tree.of(list(arrays))


#: Options of `torch.optim` that choose how torch computes a step, and leave its numbers alone.
_HOW = ("capturable", "differentiable", "foreach", "fused")


def _made(recipe: Callable[..., Transformation], rate: Any, options: dict[str, Any]) -> Transformation:
    """Make the transformation of a class, with torch's options: those of speed have no effect."""
    own = {name: value for name, value in options.items() if name not in (*_HOW, "maximize")}
    made = recipe(rate, **own)
    return chain(scale(-1.0), made) if options.get("maximize") else made


def _arrays_of(tree: Any) -> Any:
    """Return the trainable parameters of a Module; any other tree is left alone."""
    taken = getattr(tree, "parameters", None)
    return taken(trainable=True) if callable(taken) else tree


def _write(tree: Any, new: Any) -> None:
    """Replace the arrays of a tree."""
    if isinstance(tree, MutableMapping):
        items: Any = list(tree.items())
    elif isinstance(tree, MutableSequence):
        items = list(enumerate(tree))
    else:
        raise CoreArrayTypeError(
            f"an optimiser writes into a Module, lists, dictionaries and Containers, got {type(tree).__name__}"
        )
    for key, child in items:
        if isinstance(child, (MutableMapping, MutableSequence, tuple)):
            _write(child, new[key])
        elif child is not None:
            tree[key] = new[key]


class SGD(Optimizer):
    """Stochastic gradient descent, as `sgd`: `SGD(model_or_parameters, lr=1e-3, **options)`."""

    __slots__ = ()

    def __init__(self, parameters: Any, lr: Any = 1e-3, **options: Any) -> None:
        super().__init__(parameters, _made(sgd, lr, options))


class Adam(Optimizer):
    """Adam, as `adam`: `Adam(model_or_parameters, lr=1e-3, **options)`."""

    __slots__ = ()

    def __init__(self, parameters: Any, lr: Any = 1e-3, **options: Any) -> None:
        super().__init__(parameters, _made(adam, lr, options))


class AdamW(Optimizer):
    """Adam with decoupled weight decay, as `adamw`: `AdamW(model_or_parameters, lr=1e-3, **options)`."""

    __slots__ = ()

    def __init__(self, parameters: Any, lr: Any = 1e-3, **options: Any) -> None:
        super().__init__(parameters, _made(adamw, lr, options))


class NAdam(Optimizer):
    """Adam with Nesterov's look-ahead, as `nadam`: `NAdam(model_or_parameters, lr=2e-3, **options)`."""

    __slots__ = ()

    def __init__(self, parameters: Any, lr: Any = 2e-3, **options: Any) -> None:
        super().__init__(parameters, _made(nadam, lr, options))


class RAdam(Optimizer):
    """Adam that begins as momentum, as `radam`: `RAdam(model_or_parameters, lr=1e-3, **options)`."""

    __slots__ = ()

    def __init__(self, parameters: Any, lr: Any = 1e-3, **options: Any) -> None:
        super().__init__(parameters, _made(radam, lr, options))


class Adamax(Optimizer):
    """Adam by the largest gradient, as `adamax`: `Adamax(model_or_parameters, lr=2e-3, **options)`."""

    __slots__ = ()

    def __init__(self, parameters: Any, lr: Any = 2e-3, **options: Any) -> None:
        super().__init__(parameters, _made(adamax, lr, options))


class Adagrad(Optimizer):
    """Adagrad, as `adagrad`: `Adagrad(model_or_parameters, lr=1e-2, **options)`."""

    __slots__ = ()

    def __init__(self, parameters: Any, lr: Any = 1e-2, **options: Any) -> None:
        super().__init__(parameters, _made(adagrad, lr, options))


class Adadelta(Optimizer):
    """Adadelta, as `adadelta`: `Adadelta(model_or_parameters, lr=1.0, **options)`."""

    __slots__ = ()

    def __init__(self, parameters: Any, lr: Any = 1.0, **options: Any) -> None:
        super().__init__(parameters, _made(adadelta, lr, options))


class RMSprop(Optimizer):
    """RMSprop, as `rmsprop`: `RMSprop(model_or_parameters, lr=1e-2, **options)`."""

    __slots__ = ()

    def __init__(self, parameters: Any, lr: Any = 1e-2, **options: Any) -> None:
        super().__init__(parameters, _made(rmsprop, lr, options))


class Adafactor(Optimizer):
    """Adafactor, as `adafactor`: `Adafactor(model_or_parameters, lr=1e-2, **options)`."""

    __slots__ = ()

    def __init__(self, parameters: Any, lr: Any = 1e-2, **options: Any) -> None:
        super().__init__(parameters, _made(adafactor, lr, options))


class Lion(Optimizer):
    """The sign of the momentum, as `lion`: `Lion(model_or_parameters, lr=1e-4, **options)`."""

    __slots__ = ()

    def __init__(self, parameters: Any, lr: Any = 1e-4, **options: Any) -> None:
        super().__init__(parameters, _made(lion, lr, options))


class LAMB(Optimizer):
    """AdamW by the norms of arrays, as `lamb`: `LAMB(model_or_parameters, lr=1e-3, **options)`."""

    __slots__ = ()

    def __init__(self, parameters: Any, lr: Any = 1e-3, **options: Any) -> None:
        super().__init__(parameters, _made(lamb, lr, options))


class LARS(Optimizer):
    """Momentum by the norms of arrays, as `lars`: `LARS(model_or_parameters, lr=1e-2, **options)`."""

    __slots__ = ()

    def __init__(self, parameters: Any, lr: Any = 1e-2, **options: Any) -> None:
        super().__init__(parameters, _made(lars, lr, options))


class Muon(Optimizer):
    """Momentum with equal singular values, as `muon`: `Muon(model_or_parameters, lr=1e-3, **options)`."""

    __slots__ = ()

    def __init__(self, parameters: Any, lr: Any = 1e-3, **options: Any) -> None:
        super().__init__(parameters, _made(muon, lr, options))
