"""`Module` and `Parameter`: objects whose tensors have names, as in torch."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple, Self

import corearray as ca
from corearray.calls.dispatch import backend_of
from corearray.errors import CoreArrayAttributeError, CoreArrayNotImplementedError, CoreArrayRuntimeError
from corearray.frontend.torch.hooks import RemovableHandle
from corearray.frontend.torch.nn.backward_hooks import with_backward_hooks
from corearray.frontend.torch.wrapper import Tensor

__all__ = ["BufferMark", "IncompatibleKeys", "Module", "ParameterMark", "Uninitialized"]


class ParameterMark:
    """A mark of tensors that a module trains; each frontend's `Parameter` derives from it and from its `Tensor`."""

    __slots__ = ()

    def __init__(self, data: Any, requires_grad: bool = True) -> None:
        Tensor.__init__(self, data, requires_grad)  # type: ignore[arg-type]

    @classmethod
    def _made(cls, array: ca.Array) -> Any:
        """Return a tensor: a function is differentiated by the array of a parameter, and nothing else is recorded."""
        return cls._frontend.Tensor(array)  # type: ignore[attr-defined]  # of the `Tensor` that a subclass derives from


class BufferMark:
    """A mark of tensors that are buffers of the modules that they are set in; each frontend's `Buffer` derives from it."""

    __slots__ = ()

    def __init__(self, data: Any = None, *, persistent: bool = True) -> None:
        Tensor.__init__(self, ca.zeros((0,)) if data is None else data)  # type: ignore[arg-type]
        self.persistent = persistent  # type: ignore[misc]  # a slot of the derived class

    @classmethod
    def _made(cls, array: ca.Array) -> Any:
        """Return a tensor for a result."""
        return cls._frontend.Tensor(array)  # type: ignore[attr-defined]  # of the `Tensor` that a subclass derives from


class Uninitialized:
    """A mark of parameters and buffers of lazy layers, whose shapes the first input tells."""

    __slots__ = ()
    array: Any

    def materialize(self, shape: Any, device: Any = None, dtype: Any = None) -> None:
        """Give it a shape."""
        raise CoreArrayNotImplementedError("an uninitialized tensor has 'materialize'")


class IncompatibleKeys(NamedTuple):
    """Names that a dictionary lacked, and names that a module lacks."""

    missing_keys: list[str]
    unexpected_keys: list[str]


class Module:
    """A function with parameters, as `torch.nn.Module`: derive from it, set parameters and modules, define `forward`.

    Attributes
    ----------
    training
        Whether layers such as `Dropout` behave as in training; set by `train` and `eval`.

    Examples
    --------
    >>> import corearray.frontend.torch as torch
    >>> class Network(torch.nn.Module):
    ...     def __init__(self):
    ...         super().__init__()
    ...         self.layer = torch.nn.Linear(3, 2)
    ...
    ...     def forward(self, x):
    ...         return torch.relu(self.layer(x))
    >>> network = Network()
    >>> [name for name, _ in network.named_parameters()]
    ['layer.weight', 'layer.bias']
    >>> network(torch.ones(4, 3)).shape
    torch.Size([4, 2])
    """

    training: bool

    def __init__(self) -> None:
        vars(self).update(
            training=True,
            _parameters={},
            _buffers={},
            _modules={},
            _before={},
            _after={},
            _backward={},
            _transient=set(),
        )

    # --- attributes

    def __setattr__(self, name: str, value: Any) -> None:
        groups = vars(self)
        if "_parameters" not in groups:
            raise CoreArrayAttributeError(f"call super().__init__() in '{type(self).__name__}' before setting '{name}'")
        computed = self._modules.get("parametrizations", ())
        if name in computed:
            computed[name].set(value)
            return
        wanted = (
            "_parameters"
            if isinstance(value, ParameterMark)
            else "_modules"
            if isinstance(value, Module)
            else "_buffers"
            if isinstance(value, BufferMark) or (name in self._buffers and (value is None or isinstance(value, Tensor)))
            else ""
        )
        if isinstance(value, BufferMark):
            (self._transient.discard if value.persistent else self._transient.add)(name)
        if not wanted and value is None:
            wanted = next((group for group in ("_parameters", "_modules") if name in groups[group]), "")
        for group in ("_parameters", "_buffers", "_modules"):
            if group != wanted:
                groups[group].pop(name, None)
        if wanted:
            groups.pop(name, None)
            groups[wanted][name] = value
        else:
            object.__setattr__(self, name, value)

    def __getattr__(self, name: str) -> Any:
        for group in ("_parameters", "_buffers", "_modules"):
            found = vars(self).get(group, {})
            if name in found:
                return found[name]
        computed = vars(self).get("_modules", {}).get("parametrizations", ())
        if name in computed:
            return computed[name]()
        raise CoreArrayAttributeError(f"'{type(self).__name__}' has no attribute '{name}'")

    def __delattr__(self, name: str) -> None:
        for group in ("_parameters", "_buffers", "_modules"):
            if name in vars(self)[group]:
                del vars(self)[group][name]
                return
        object.__delattr__(self, name)

    def register_parameter(self, name: str, param: Any) -> None:
        """Add a parameter, or `None`."""
        self._parameters[name] = param

    def register_buffer(self, name: str, tensor: Any, persistent: bool = True) -> None:
        """Add a tensor that is state and no parameter."""
        self._buffers[name] = tensor
        if not persistent:
            self._transient.add(name)

    def add_module(self, name: str, module: Any) -> None:
        """Add a module, or `None`."""
        self._modules[name] = module

    register_module = add_module

    # --- calls

    def forward(self, *args: Any, **options: Any) -> Any:
        """Compute the result; a derived class defines it."""
        raise CoreArrayNotImplementedError(f"'{type(self).__name__}' has no method 'forward'")

    def __call__(self, *args: Any, **options: Any) -> Any:
        """Call `forward`, with the hooks before and after it."""
        for hook in list(self._before.values()):
            found = hook(self, args)
            if found is not None:
                args = found if isinstance(found, tuple) else (found,)
        if self._backward:
            result = with_backward_hooks(self, args, options)
        else:
            result = self.forward(*args, **options)
        for hook in list(self._after.values()):
            found = hook(self, args, result)
            result = result if found is None else found
        return result

    def register_forward_pre_hook(self, hook: Callable[..., Any]) -> RemovableHandle:
        """Call `hook(module, args)` before each call; what it returns replaces the arguments."""
        return RemovableHandle(self._before, hook)

    def register_forward_hook(self, hook: Callable[..., Any]) -> RemovableHandle:
        """Call `hook(module, args, result)` after each call; what it returns replaces the result."""
        return RemovableHandle(self._after, hook)

    def register_full_backward_hook(self, hook: Callable[..., Any]) -> RemovableHandle:
        """Call `hook(module, grad_input, grad_output)` in `backward`; what it returns replaces the first of these."""
        return RemovableHandle(self._backward, hook)

    # --- names

    def named_modules(self, prefix: str = "") -> Iterator[tuple[str, Module]]:
        """Yield this module and those within it, each once."""
        seen: set[int] = set()

        def walk(module: Module, path: str) -> Iterator[tuple[str, Module]]:
            if id(module) not in seen:
                seen.add(id(module))
                yield path, module
                for name, child in module.named_children():
                    yield from walk(child, f"{path}.{name}" if path else name)

        return walk(self, prefix)

    def modules(self) -> Iterator[Module]:
        """Yield this module and those within it."""
        return (module for _, module in self.named_modules())

    def named_children(self) -> Iterator[tuple[str, Module]]:
        """Yield the modules that are attributes."""
        return ((name, child) for name, child in self._modules.items() if child is not None)

    def children(self) -> Iterator[Module]:
        """Yield the modules that are attributes, without names."""
        return (child for _, child in self.named_children())

    def _named(self, group: str, recurse: bool) -> Iterator[tuple[str, Any]]:
        seen: set[int] = set()
        for path, module in self.named_modules() if recurse else [("", self)]:
            for name, tensor in vars(module)[group].items():
                if tensor is not None and id(tensor) not in seen:
                    seen.add(id(tensor))
                    yield (f"{path}.{name}" if path else name), tensor

    def named_parameters(self, recurse: bool = True) -> Iterator[tuple[str, Any]]:
        """Yield parameters with their names; shared ones once."""
        return self._named("_parameters", recurse)

    def parameters(self, recurse: bool = True) -> Iterator[Any]:
        """Yield parameters."""
        return (tensor for _, tensor in self.named_parameters(recurse))

    def named_buffers(self, recurse: bool = True) -> Iterator[tuple[str, Any]]:
        """Yield buffers with their names."""
        return self._named("_buffers", recurse)

    def buffers(self, recurse: bool = True) -> Iterator[Any]:
        """Yield buffers."""
        return (tensor for _, tensor in self.named_buffers(recurse))

    def get_submodule(self, target: str) -> Module:
        """Return the module of a dotted name."""
        found: Any = self
        for part in target.split(".") if target else ():
            found = getattr(found, part)
        return found  # type: ignore[no-any-return]

    def get_parameter(self, target: str) -> Any:
        """Return the parameter of a dotted name."""
        path, _, name = target.rpartition(".")
        return self.get_submodule(path)._parameters[name]

    # --- state

    def _entries(self) -> dict[str, Any]:
        found: dict[str, Any] = {}

        def walk(module: Module, path: str) -> None:
            for name, tensor in [*module._parameters.items(), *module._buffers.items()]:
                if tensor is not None and name not in module._transient:
                    found[path + name] = tensor
            for name, child in module.named_children():
                walk(child, f"{path}{name}.")

        walk(self, "")
        return found

    def state_dict(self) -> OrderedDict[str, Any]:
        """Return parameters and persistent buffers by name, without gradients."""
        return OrderedDict((name, tensor.detach()) for name, tensor in self._entries().items())

    def load_state_dict(self, state_dict: Mapping[str, Any], strict: bool = True) -> IncompatibleKeys:
        """Copy arrays by name: tensors of torch or of this frontend, or arrays of any kind.

        Raises
        ------
        RuntimeError
            If names are missing or unexpected and `strict` is true, or a shape differs.
        """
        entries = self._entries()
        missing = [name for name in entries if name not in state_dict]
        unexpected = [name for name in state_dict if name not in entries]
        wrong = [
            f"'{name}' has the shape {tuple(value.shape)}, and not {tuple(entries[name].shape)}"
            for name, value in state_dict.items()
            if name in entries
            and not isinstance(entries[name], Uninitialized)
            and tuple(value.shape) != tuple(entries[name].shape)
        ]
        if strict:
            wrong += [f"missing: {', '.join(missing)}"] * bool(missing)
            wrong += [f"unexpected: {', '.join(unexpected)}"] * bool(unexpected)
        if wrong:
            raise CoreArrayRuntimeError(f"the state_dict is not that of '{type(self).__name__}': {'; '.join(wrong)}")
        for name, tensor in entries.items():
            if name in state_dict and not isinstance(state_dict[name], Uninitialized):
                if isinstance(tensor, Uninitialized):
                    tensor.materialize(state_dict[name].shape)
                tensor.array = _like(state_dict[name], tensor.array)
        return IncompatibleKeys(missing, unexpected)

    def apply(self, fn: Callable[[Module], Any]) -> Self:
        """Call a function with each module, those within first."""
        for child in self.children():
            child.apply(fn)
        fn(self)
        return self

    def train(self, mode: bool = True) -> Self:
        """Set training mode of this module and those within it."""
        for module in self.modules():
            object.__setattr__(module, "training", mode)
        return self

    def eval(self) -> Self:
        """Leave training mode."""
        return self.train(False)

    def requires_grad_(self, requires_grad: bool = True) -> Self:
        """Switch gradients of all parameters on or off."""
        for parameter in self.parameters():
            parameter.requires_grad_(requires_grad)
        return self

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Forget the gradients of all parameters, or set them to zero."""
        for parameter in self.parameters():
            if parameter.grad is not None:
                parameter.grad = None if set_to_none else parameter.grad * 0

    def to(self, *args: Any, dtype: Any = None, device: Any = None) -> Self:
        """Move floating tensors to another dtype, and all to another device."""
        for given in args:
            if isinstance(given, ca.DType):
                dtype = given
            else:
                device = given
        tensors = [*self.parameters(), *self.buffers()]
        for tensor in [*tensors, *(x.grad for x in tensors if x.grad is not None)]:
            if dtype is not None and tensor.array.dtype.category == "real floating":
                tensor.array = ca.astype(tensor.array, dtype)
            if device is not None:
                tensor.array = tensor.array.to_device(str(device))
        return self

    def float(self) -> Self:
        """Move floating tensors to float32."""
        return self.to(ca.float32)

    def double(self) -> Self:
        """Move floating tensors to float64."""
        return self.to(ca.float64)

    def extra_repr(self) -> str:
        """Return what stands in parentheses behind the name of the class."""
        return ""

    def __repr__(self) -> str:
        lines = [f"  ({name}): {child!r}".replace("\n", "\n  ") for name, child in self.named_children()]
        inside = self.extra_repr()
        if not lines:
            return f"{type(self).__name__}({inside})"
        return f"{type(self).__name__}({inside}\n" + "\n".join(lines) + "\n)"


def _like(value: Any, model: ca.Array) -> ca.Array:
    """Return a copy of an array of any kind, of the backend and dtype of another one."""
    array = value.array if isinstance(value, Tensor) else value
    if isinstance(array, ca.Array) and array.backend is model.backend:
        return ca.astype(array, model.dtype, copy=True)
    plain = array.detach() if hasattr(array, "detach") else array
    owner = backend_of(plain)
    if owner is not None:
        native = plain._native if isinstance(plain, ca.Array) else plain
        plain = owner.fact("to_numpy", native)
    made: ca.Array = model.backend.asarray(plain, dtype=model.dtype, device=model.device, copy=True)
    return made
