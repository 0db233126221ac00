"""Lazy layers, which learn the number of their inputs from the first of them, and their parameters until then."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

import corearray as ca
from corearray.errors import CoreArrayRuntimeError
from corearray.frontend.torch.nn.module import BufferMark, Module, ParameterMark
from corearray.frontend.torch.nn.state import Uninitialized

if TYPE_CHECKING:
    from corearray.frontend.frontend import Frontend

__all__ = ["LAZY", "LazyLayer", "UninitializedBufferMark", "UninitializedParameterMark"]

#: The layer that a lazy one becomes, and its option that the first input tells.
LAZY = {
    "LazyLinear": ("Linear", "in_features"),
    **{f"Lazy{kind}{n}d": (f"{kind}{n}d", "in_channels") for kind in ("Conv", "ConvTranspose") for n in (1, 2, 3)},
    **{f"Lazy{kind}{n}d": (f"{kind}{n}d", "num_features") for kind in ("BatchNorm", "InstanceNorm") for n in (1, 2, 3)},
}


class _Unknown(Uninitialized):
    """A tensor whose shape is not known yet."""

    __slots__ = ()

    @property
    def shape(self) -> Any:
        """Raise an error: there is no shape yet."""
        raise CoreArrayRuntimeError(
            "Can't access the shape of an uninitialized parameter or buffer: the first call of its layer tells the shape"
        )

    def detach(self) -> Any:
        """Return the tensor itself: there are no elements yet."""
        return self

    def materialize(self, shape: Any, device: Any = None, dtype: Any = None) -> None:
        """Make an ordinary parameter or buffer of it, of a shape."""
        held: ca.Array = self.array
        made = ca.zeros(tuple(shape), dtype=held.dtype if dtype is None else dtype, device=held.device)
        self.array = made if device is None else made.to_device(str(device))
        self.__class__ = self._known()  # the class of parameters or buffers, which has the same layout

    def _known(self) -> Any:
        kinds = type(self).__mro__
        return kinds[kinds.index(Uninitialized) + 1]

    def __repr__(self) -> str:
        return f"<{type(self).__name__}>"


class UninitializedParameterMark(_Unknown):
    """A parameter whose shape is not known yet."""

    __slots__ = ()

    def __init__(self, requires_grad: bool = True, device: Any = None, dtype: Any = None) -> None:
        ParameterMark.__init__(self, _nothing(device, dtype), requires_grad)  # type: ignore[arg-type]


class UninitializedBufferMark(_Unknown):
    """A buffer whose shape is not known yet."""

    __slots__ = ()

    def __init__(
        self, requires_grad: bool = False, device: Any = None, dtype: Any = None, persistent: bool = True
    ) -> None:
        BufferMark.__init__(self, _nothing(device, dtype), persistent=persistent)  # type: ignore[arg-type]


def _nothing(device: Any, dtype: Any) -> ca.Array:
    made = ca.zeros((0,), dtype=ca.float32 if dtype is None else dtype)
    return made if device is None else made.to_device(str(device))


class LazyLayer(Module):
    """A layer that becomes an ordinary one at its first call, which tells the number of inputs."""

    _frontend: Frontend
    _becomes = ""
    _asks = ""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__()
        if self._becomes.startswith("InstanceNorm"):  # lazy ones have other defaults in torch
            names = ("eps", "momentum", "affine", "track_running_stats")
            args, options = (), {**dict(zip(names, args, strict=False)), **options}
            options = {"affine": True, "track_running_stats": True, **options}
        vars(self)["_given"] = (args, options)
        nn = self._frontend.nn
        model = self._made(int(self._bound().arguments.get("groups", 1)))
        for name, parameter in model._parameters.items():
            unknown = None if parameter is None else nn.UninitializedParameter(dtype=parameter.dtype)
            self.register_parameter(name, unknown)
        for name, buffer in model._buffers.items():
            known = name == "num_batches_tracked"
            self.register_buffer(name, buffer if known else nn.UninitializedBuffer(dtype=buffer.dtype))
        vars(self)["_config"] = {**vars(model)["_config"], self._asks: 0}

    def _bound(self) -> inspect.BoundArguments:
        """Return the given options by name."""
        args, options = vars(self)["_given"]
        known = inspect.signature(getattr(ca.nn, self._becomes))
        return known.bind_partial(1, *args, **{name: x for name, x in options.items() if name in known.parameters})

    def _made(self, size: int) -> Any:
        """Return the layer for a number of inputs."""
        args, options = vars(self)["_given"]
        return getattr(self._frontend.nn, self._becomes)(size, *args, **options)

    def __getattr__(self, name: str) -> Any:
        config = vars(self).get("_config", {})
        return config[name] if name in config else super().__getattr__(name)

    @property
    def cls_to_become(self) -> type[Module]:
        """The class of the layer that it becomes."""
        found: type[Module] = getattr(self._frontend.nn, self._becomes)
        return found

    def has_uninitialized_params(self) -> bool:
        """Return whether there are parameters or buffers without a shape."""
        return any(isinstance(x, Uninitialized) for x in (*self._parameters.values(), *self._buffers.values()))

    def initialize_parameters(self, input: Any) -> None:
        """Become the ordinary layer for an input; parameters that were loaded stay."""
        axis = -1
        if self._asks != "in_features":
            batched = input.dim() == int(self._becomes[-2]) + 2 or self._becomes.startswith("BatchNorm")
            axis = 1 if batched else 0
        made = self._made(input.shape[axis])
        for group in ("_parameters", "_buffers"):
            for name, new in vars(made)[group].items():
                held = vars(self)[group].get(name)
                if isinstance(held, Uninitialized):
                    dtype, device = held.array.dtype, held.array.device
                    held.materialize(new.shape)
                    held.array = ca.astype(new.array, dtype).to_device(device)
                vars(made)[group][name] = held
        kept = {name: vars(self)[name] for name in ("_before", "_after", "_backward", "training")}
        vars(self).clear()
        vars(self).update({**vars(made), **kept})
        self.__class__ = type(made)

    def __call__(self, *args: Any, **options: Any) -> Any:
        """Become the ordinary layer, and call it."""
        self.initialize_parameters(args[0] if args else next(iter(options.values())))
        return self(*args, **options)

    def extra_repr(self) -> str:
        """Return the configuration of the layer."""
        return ", ".join(f"{name}={value!r}" for name, value in vars(self)["_config"].items())
