"""Modules of the frameworks made of modules here, and the other way round; plugins do what needs the framework."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from typing import Any

from corearray.arrays.array import Array
from corearray.arrays.nested import map_nested, to_native
from corearray.calls.dispatch import resolve
from corearray.errors import CoreArrayTypeError, FunctionNotImplementedError, options
from corearray.nn.module import Module
from corearray.nn.places import Skeleton, Stores, grouped
from corearray.random.context import drawing_from
from corearray.random.programs import keyed
from corearray.settings.backends import get_backend

__all__ = ["PureModule", "from_torch", "to_flax", "to_keras", "to_torch"]

#: What `corearray list-functions` says of the functions here that are no declarations.
__kind__ = "convenience"


class PureModule:
    """A module taken apart for a framework: native arrays by name, and a pure function of them.

    Attributes
    ----------
    name
        Name of the module's class.
    parameters, frozen, buffers
        Native arrays by name; copies, so that the module stays as it is.
    training
        Whether the module was in training.
    """

    def __init__(self, model: Module) -> None:
        groups = grouped(model)
        arrays = [entry.get() for group in groups for entry in group]
        if not arrays:
            raise CoreArrayTypeError(f"'{type(model).__name__}' holds no arrays, so that no framework can hold them")
        self.name = type(model).__name__
        self.training = model.training
        first = arrays[0]
        self._backend = first._backend if isinstance(first, Array) else resolve((first,))
        self.parameters, self.frozen, self.buffers = (
            dict(zip(stores.paths, map(self._copy, stores.natives(self._backend)), strict=True))
            for stores in map(Stores, groups)
        )
        self._skeleton = Skeleton(model)

    def _copy(self, native: Any) -> Any:
        return self._backend.native.asarray(native, copy=True)

    def __call__(
        self,
        parameters: Sequence[Any],
        frozen: Sequence[Any],
        buffers: Sequence[Any],
        training: bool,
        args: Sequence[Any],
        named: Mapping[str, Any],
        key: Sequence[Any] | None = None,
    ) -> tuple[Any, list[Any]]:
        """Call the module with native arrays in order, and return the value and the buffers after it, natively.

        Layers that draw do so from `key`, two native integers of 32 bits, or else from the context's generator.
        """
        skeleton, backend = self._skeleton, self._backend

        def wrapped(x: Any) -> Any:
            return backend.wrap(x) if backend.is_native(x) and not isinstance(x, Array) else x

        try:
            for module in skeleton.model.modules():
                object.__setattr__(module, "training", training)
            skeleton.trainable.put([backend.wrap(x) for x in parameters])
            skeleton.frozen.put([backend.wrap(x) for x in frozen])
            skeleton.buffers.put([backend.wrap(x) for x in buffers])
            with nullcontext() if key is None else drawing_from(keyed(*map(backend.wrap, key))):
                value = skeleton.model(*map_nested(tuple(args), wrapped), **map_nested(dict(named), wrapped))
            after = [x._native for x in skeleton.buffers.get()]
        finally:
            skeleton.clear()
        return map_nested(value, to_native), after


def to_torch(model: Module, /) -> Any:
    """Make a `torch.nn.Module` of a module whose arrays are torch's.

    Parameters
    ----------
    model
        The module; the result has copies of its arrays, under the same names, and trains under torch's optimisers.

    Returns
    -------
    `torch.nn.Module`. In training it updates its buffers.

    Raises
    ------
    FunctionNotImplementedError
        If the arrays are of another backend; see `corearray.to_backend`.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> with ca.backend_context("torch"):
    ...     module = nn.to_torch(nn.Sequential(nn.Linear(3, 2)))
    >>> list(module.state_dict())
    ['0.weight', '0.bias']
    """
    return _made("to_torch", model)


def to_keras(model: Module, /) -> Any:
    """Make a `keras.layers.Layer` of a module whose arrays are TensorFlow's, for `keras.Sequential`, `compile` and `fit`.

    Parameters
    ----------
    model
        The module; the layer has copies of its arrays.

    Returns
    -------
    `keras.layers.Layer`, for Keras on TensorFlow.

    Raises
    ------
    FunctionNotImplementedError
        If the arrays are of another backend.
    ImportError
        If Keras is not installed, or runs on another framework.
    """
    return _made("to_keras", model)


def to_flax(model: Module, /) -> Any:
    """Make an object with `init` and `apply` of a Linen module of Flax, of a module whose arrays are JAX's.

    The result follows the protocol by which training loops of JAX use such a module, and does not need Flax: `init` gives
    nested dictionaries of arrays and `apply(variables, *args, train=…, rngs=…, mutable=…)` is a pure function of them.

    Parameters
    ----------
    model
        The module; the variables are copies of its arrays, nested by the parts of their names.

    Returns
    -------
    Object with `init`, `apply` and `variables`, a dictionary of `"params"`, `"frozen"` and `"batch_stats"`.

    Raises
    ------
    FunctionNotImplementedError
        If the arrays are of another backend.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> with ca.backend_context("jax"):
    ...     linen = nn.to_flax(nn.Sequential(nn.Linear(3, 2), nn.Dropout(0.5)))
    ...     y = linen.apply(linen.variables, ca.ones((4, 3)).native)
    >>> sorted(linen.init()["params"]["0"])
    ['bias', 'weight']
    >>> y.shape
    (4, 2)
    """
    return _made("to_flax", model)


def from_torch(module: Any, /) -> Module:
    """Make a module of a `torch.nn.Module` made of layers that this library has too, with its weights.

    Parameters
    ----------
    module
        A layer, or a `Sequential`, `ModuleList` or `ModuleDict` of them.

    Returns
    -------
    `Module` on the backend in force.

    Raises
    ------
    TypeError
        If a class is unknown; `corearray.transpile` converts those.

    Examples
    --------
    >>> import torch
    >>> import corearray as ca
    >>> from corearray import nn
    >>> nn.from_torch(torch.nn.Sequential(torch.nn.Linear(3, 2), torch.nn.ReLU()))
    Sequential(
      0=Linear(weight=float32[2, 3], bias=float32[2])
      1=ReLU()
    )
    """
    name = "from_torch"
    found: Module = get_backend(name.removeprefix("from_")).fact("framework_modules")[name](module)
    return found


def _made(name: str, model: Any) -> Any:
    if not isinstance(model, Module):
        raise CoreArrayTypeError(f"'{name}' takes a Module, got {type(model).__name__}")
    pure = PureModule(model)
    backend = pure._backend
    known: Mapping[str, Callable[..., Any]] = {}
    if "framework_modules" in backend.facts:
        known = backend.fact("framework_modules")
    if name not in known:
        raise FunctionNotImplementedError(
            f"'{name}' needs arrays of another backend than '{backend.name}', whose plugin makes "
            f"{options(known) if known else 'no modules'}; load the weights into a module made there"
        )
    return known[name](pure)
