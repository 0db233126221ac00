"""The state of modules as dictionaries, and what derived classes and hooks change of it."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, NamedTuple

import corearray as ca
from corearray.calls.dispatch import backend_of
from corearray.errors import CoreArrayRuntimeError
from corearray.frontend.torch.hooks import RemovableHandle
from corearray.frontend.torch.wrapper import Tensor

__all__ = ["HoldsState", "IncompatibleKeys", "Uninitialized"]

#: The key of what `get_extra_state` returns.
_EXTRA = "_extra_state"


class Uninitialized:
    """A mark of parameters and buffers of lazy layers, whose shapes the first input tells."""

    __slots__ = ()
    array: Any

    def materialize(self, shape: Any, device: Any = None, dtype: Any = None) -> None:
        """Give it a shape."""
        raise NotImplementedError("an uninitialized tensor has 'materialize'")


class IncompatibleKeys(NamedTuple):
    """Names that a dictionary lacked, and names that a module lacks."""

    missing_keys: list[str]
    unexpected_keys: list[str]


class HoldsState:
    """Methods of modules that return and load their state.

    Attributes
    ----------
    _state_hooks
        Hooks before and after `state_dict` and `load_state_dict`, by the name of the method that registers them.
    """

    _parameters: dict[str, Any]
    _buffers: dict[str, Any]
    _modules: dict[str, Any]
    _transient: set[str]
    _state_hooks: dict[str, dict[int, Any]]

    def _local(self) -> dict[str, Any]:
        """Return the parameters and persistent buffers of the module itself."""
        own = {**self._parameters, **{name: x for name, x in self._buffers.items() if name not in self._transient}}
        return {name: x for name, x in own.items() if x is not None}

    def _has_extra(self) -> bool:
        return type(self).get_extra_state is not HoldsState.get_extra_state

    def get_extra_state(self) -> Any:
        """Return further state; a derived class defines it."""
        raise CoreArrayRuntimeError(f"'{type(self).__name__}' has no extra state; define get_extra_state")

    def set_extra_state(self, state: Any) -> None:
        """Take over what `get_extra_state` returned; a derived class defines it."""
        raise CoreArrayRuntimeError(f"'{type(self).__name__}' takes no extra state; define set_extra_state")

    def state_dict(
        self, *, destination: Any = None, prefix: str = "", keep_vars: bool = False
    ) -> OrderedDict[str, Any]:
        """Return parameters and persistent buffers by name.

        Parameters
        ----------
        destination
            Dictionary to add to; by default a new one.
        prefix
            Put before each name.
        keep_vars
            Whether to return the tensors themselves; else they are detached.
        """
        found = OrderedDict() if destination is None else destination
        for hook in list(self._state_hooks["state_dict_pre"].values()):
            hook(self, prefix, keep_vars)
        self._save_to_state_dict(found, prefix, keep_vars)
        for name, child in self._modules.items():
            if child is not None:
                child.state_dict(destination=found, prefix=f"{prefix}{name}.", keep_vars=keep_vars)
        for hook in list(self._state_hooks["state_dict_post"].values()):
            changed = hook(self, found, prefix, {})
            found = found if changed is None else changed
        return found

    def _save_to_state_dict(self, destination: Any, prefix: str, keep_vars: bool) -> None:
        """Add the state of the module itself."""
        for name, x in self._local().items():
            destination[prefix + name] = x if keep_vars else x.detach()
        if self._has_extra():
            destination[prefix + _EXTRA] = self.get_extra_state()

    def load_state_dict(
        self, state_dict: Mapping[str, Any], strict: bool = True, assign: bool = False
    ) -> IncompatibleKeys:
        """Copy arrays by name: tensors of torch or of this frontend, or arrays of any kind. Nothing is copied if it raises.

        Parameters
        ----------
        state_dict
            Arrays by name.
        strict
            Whether missing and unexpected names are errors.
        assign
            Whether tensors take the dtypes of what is loaded; by default they keep their own.

        Raises
        ------
        RuntimeError
            If names are missing or unexpected and `strict` is true, or a shape differs.
        """
        state, writes = OrderedDict(state_dict), list[Callable[[], None]]()
        missing, unexpected, wrong = list[str](), list[str](), list[str]()
        after: list[tuple[Any, Any]] = []

        def load(module: HoldsState, prefix: str) -> None:
            about = {"assign_to_params_buffers": assign, "writes": writes}
            arguments = (state, prefix, about, strict, missing, unexpected, wrong)
            for hook in list(module._state_hooks["load_state_dict_pre"].values()):
                hook(module, *arguments)
            module._load_from_state_dict(*arguments)
            for name, child in module._modules.items():
                if child is not None:
                    load(child, f"{prefix}{name}.")
            after.extend((hook, module) for hook in module._state_hooks["load_state_dict_post"].values())

        load(self, "")
        found = IncompatibleKeys(missing, unexpected)
        if strict:
            wrong += [f"missing: {', '.join(missing)}"] * bool(missing)
            wrong += [f"unexpected: {', '.join(unexpected)}"] * bool(unexpected)
        if wrong:
            raise CoreArrayRuntimeError(f"the state_dict is not that of '{type(self).__name__}': {'; '.join(wrong)}")
        for write in writes:
            write()
        for hook, module in after:
            hook(module, found)
        return found

    def _load_from_state_dict(
        self, state_dict: Any, prefix: str, local_metadata: Any, strict: bool, missing_keys: list[str],
        unexpected_keys: list[str], error_msgs: list[str],
    ) -> None:  # fmt: skip
        """Note what of the state of the module itself is missing or wrong, and the copies to make."""
        local, writes = self._local(), local_metadata["writes"]
        for name, x in local.items():
            key = prefix + name
            if key not in state_dict:
                missing_keys.append(key)
            elif isinstance(state_dict[key], Uninitialized):
                continue
            elif not isinstance(x, Uninitialized) and tuple(state_dict[key].shape) != tuple(x.shape):
                error_msgs.append(f"'{key}' has the shape {tuple(state_dict[key].shape)}, and not {tuple(x.shape)}")
            else:
                writes.append(partial(_load, x, state_dict[key], not local_metadata["assign_to_params_buffers"]))
        if self._has_extra():
            if prefix + _EXTRA in state_dict:
                writes.append(lambda: self.set_extra_state(state_dict[prefix + _EXTRA]))
            else:
                missing_keys.append(prefix + _EXTRA)
        known = {*local, *self._modules, *([_EXTRA] if self._has_extra() else [])}
        here = (key for key in state_dict if key.startswith(prefix))
        unexpected_keys += [key for key in here if key[len(prefix) :].partition(".")[0] not in known]

    # --- hooks

    def register_state_dict_pre_hook(self, hook: Callable[..., Any]) -> RemovableHandle:
        """Call `hook(module, prefix, keep_vars)` before `state_dict`."""
        return RemovableHandle(self._state_hooks["state_dict_pre"], hook)

    def register_state_dict_post_hook(self, hook: Callable[..., Any]) -> RemovableHandle:
        """Call `hook(module, state_dict, prefix, local_metadata)` after `state_dict`."""
        return RemovableHandle(self._state_hooks["state_dict_post"], hook)

    _register_state_dict_hook = register_state_dict_post_hook

    def register_load_state_dict_pre_hook(self, hook: Callable[..., Any]) -> RemovableHandle:
        """Call `hook(module, state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs)` first."""
        return RemovableHandle(self._state_hooks["load_state_dict_pre"], hook)

    def _register_load_state_dict_pre_hook(self, hook: Callable[..., Any], with_module: bool = False) -> Any:
        def called(module: Any, *arguments: Any) -> None:
            hook(*((module, *arguments) if with_module else arguments))

        return self.register_load_state_dict_pre_hook(called)

    def register_load_state_dict_post_hook(self, hook: Callable[..., Any]) -> RemovableHandle:
        """Call `hook(module, incompatible_keys)` after `load_state_dict`."""
        return RemovableHandle(self._state_hooks["load_state_dict_post"], hook)


def _load(x: Any, value: Any, keeps_dtype: bool) -> None:
    if isinstance(x, Uninitialized):
        x.materialize(value.shape)
    tensor: Any = x
    tensor.array = _like(value, tensor.array, keeps_dtype)


def _like(value: Any, model: ca.Array, keeps_dtype: bool) -> ca.Array:
    """Return a copy of an array of any kind, of the backend and device of another one, and of its dtype if that is kept."""
    array = value.array if isinstance(value, Tensor) else value
    if isinstance(array, ca.Array) and array.backend is model.backend:
        return ca.astype(array, model.dtype if keeps_dtype else array.dtype, copy=True)
    plain = array.detach() if hasattr(array, "detach") else array
    owner = backend_of(plain)
    if owner is not None:
        native = plain._native if isinstance(plain, ca.Array) else plain
        plain = owner.fact("to_numpy", native)
    dtype = model.dtype if keeps_dtype else None
    made: ca.Array = model.backend.asarray(plain, dtype=dtype, device=model.device, copy=True)
    return made
