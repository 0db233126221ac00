"""`Module` and `Parameter`: objects whose tensors have names, as in torch."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, ClassVar, Self

import corearray as ca
from corearray.errors import CoreArrayAttributeError, CoreArrayNotImplementedError
from corearray.frontend.torch.hooks import RemovableHandle
from corearray.frontend.torch.nn.backward_hooks import with_backward_hooks
from corearray.frontend.torch.nn.moving import Moves
from corearray.frontend.torch.nn.state import HoldsState
from corearray.frontend.torch.wrapper import Tensor

__all__ = ["BufferMark", "Module", "ParameterMark"]


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


class Module(HoldsState, Moves):
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
    call_super_init: ClassVar[bool] = False
    dump_patches: ClassVar[bool] = False

    def __init__(self) -> None:
        vars(self).update(
            training=True,
            _parameters={},
            _buffers={},
            _modules={},
            _before={},
            _after={},
            _backward={},
            _before_backward={},
            _with_options=set(),
            _always=set(),
            _transient=set(),
            _state_hooks={
                f"{method}_{when}": {} for method in ("state_dict", "load_state_dict") for when in ("pre", "post")
            },
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
        try:
            return self._called(args, options)
        except Exception:
            for number, hook in list(self._after.items()):
                if number in self._always:
                    hook(self, args, *((options,) if number in self._with_options else ()), None)
            raise

    def _called(self, args: tuple[Any, ...], options: dict[str, Any]) -> Any:
        for number, hook in list(self._before.items()):
            if number in self._with_options:
                found = hook(self, args, options)
                args, options = (args, options) if found is None else found
            else:
                found = hook(self, args)
                args = args if found is None else found if isinstance(found, tuple) else (found,)
        if self._backward or self._before_backward:
            result = with_backward_hooks(self, args, options)
        else:
            result = self.forward(*args, **options)
        for number, hook in list(self._after.items()):
            found = hook(self, args, *((options,) if number in self._with_options else ()), result)
            result = result if found is None else found
        return result

    def _registered(
        self, hooks: dict[int, Any], hook: Callable[..., Any], prepend: bool, *marks: tuple[bool, set[int]]
    ) -> RemovableHandle:
        handle = RemovableHandle(hooks, hook)
        if prepend:
            others = [(number, hooks.pop(number)) for number in list(hooks) if number != handle._number]
            hooks.update(others)
        for wanted, numbers in marks:
            if wanted:
                numbers.add(handle._number)
        return handle

    def register_forward_pre_hook(
        self, hook: Callable[..., Any], *, prepend: bool = False, with_kwargs: bool = False
    ) -> RemovableHandle:
        """Call `hook(module, args)` before each call; what it returns replaces the arguments.

        With `with_kwargs` call `hook(module, args, kwargs)`, which returns both. `prepend` puts it before the others.
        """
        return self._registered(self._before, hook, prepend, (with_kwargs, self._with_options))

    def register_forward_hook(
        self, hook: Callable[..., Any], *, prepend: bool = False, with_kwargs: bool = False, always_call: bool = False
    ) -> RemovableHandle:
        """Call `hook(module, args, result)` after each call; what it returns replaces the result.

        With `with_kwargs` call `hook(module, args, kwargs, result)`; with `always_call` also if the call raises, with the
        result `None`.
        """
        marks = (with_kwargs, self._with_options), (always_call, self._always)
        return self._registered(self._after, hook, prepend, *marks)

    def register_full_backward_hook(self, hook: Callable[..., Any], prepend: bool = False) -> RemovableHandle:
        """Call `hook(module, grad_input, grad_output)` in `backward`; what it returns replaces the first of these."""
        return self._registered(self._backward, hook, prepend)

    register_backward_hook = register_full_backward_hook

    def register_full_backward_pre_hook(self, hook: Callable[..., Any], prepend: bool = False) -> RemovableHandle:
        """Call `hook(module, grad_output)` in `backward`; what it returns replaces the gradients by the results."""
        return self._registered(self._before_backward, hook, prepend)

    def compile(self, *args: Any, **options: Any) -> None:
        """Do nothing: modules are called as they are."""

    # --- names

    def named_modules(
        self, memo: set[Any] | None = None, prefix: str = "", remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Module]]:
        """Yield this module and those within it; shared ones once, unless `remove_duplicate` is false."""
        seen: set[Any] = set() if memo is None else memo

        def walk(module: Module, path: str) -> Iterator[tuple[str, Module]]:
            if module not in seen:
                if remove_duplicate:
                    seen.add(module)
                yield path, module
                for name, child in module.named_children():
                    yield from walk(child, f"{path}.{name}" if path else name)

        return walk(self, prefix)

    def modules(self, remove_duplicate: bool = True) -> Iterator[Module]:
        """Yield this module and those within it."""
        return (module for _, module in self.named_modules(remove_duplicate=remove_duplicate))

    def named_children(self) -> Iterator[tuple[str, Module]]:
        """Yield the modules that are attributes."""
        return ((name, child) for name, child in self._modules.items() if child is not None)

    def children(self) -> Iterator[Module]:
        """Yield the modules that are attributes, without names."""
        return (child for _, child in self.named_children())

    def _named(self, group: str, prefix: str, recurse: bool, once: bool) -> Iterator[tuple[str, Any]]:
        seen: set[int] = set()
        walked = self.named_modules(prefix=prefix, remove_duplicate=once) if recurse else [(prefix, self)]
        for path, module in walked:
            for name, tensor in vars(module)[group].items():
                if tensor is not None and id(tensor) not in seen:
                    if once:
                        seen.add(id(tensor))
                    yield (f"{path}.{name}" if path else name), tensor

    def named_parameters(
        self, prefix: str = "", recurse: bool = True, remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Any]]:
        """Yield parameters with their names; shared ones once, unless `remove_duplicate` is false."""
        return self._named("_parameters", prefix, recurse, remove_duplicate)

    def parameters(self, recurse: bool = True) -> Iterator[Any]:
        """Yield parameters."""
        return (tensor for _, tensor in self.named_parameters(recurse=recurse))

    def named_buffers(
        self, prefix: str = "", recurse: bool = True, remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Any]]:
        """Yield buffers with their names; shared ones once, unless `remove_duplicate` is false."""
        return self._named("_buffers", prefix, recurse, remove_duplicate)

    def buffers(self, recurse: bool = True) -> Iterator[Any]:
        """Yield buffers."""
        return (tensor for _, tensor in self.named_buffers(recurse=recurse))

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

    def get_buffer(self, target: str) -> Any:
        """Return the buffer of a dotted name."""
        path, _, name = target.rpartition(".")
        return self.get_submodule(path)._buffers[name]

    def set_submodule(self, target: str, module: Module, strict: bool = False) -> None:
        """Set the module of a dotted name; with `strict` only in the place of another one."""
        path, _, name = target.rpartition(".")
        owner = self.get_submodule(path)
        if strict and name not in owner._modules:
            raise CoreArrayAttributeError(f"'{type(owner).__name__}' has no module '{name}'")
        owner._modules[name] = module

    # --- modes

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

    def extra_repr(self) -> str:
        """Return what stands in parentheses behind the name of the class."""
        return ""

    def __repr__(self) -> str:
        lines = [f"  ({name}): {child!r}".replace("\n", "\n  ") for name, child in self.named_children()]
        inside = self.extra_repr()
        if not lines:
            return f"{type(self).__name__}({inside})"
        return f"{type(self).__name__}({inside}\n" + "\n".join(lines) + "\n)"
