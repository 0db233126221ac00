"""What a loaded backend is: the namespace that users call, and what the stages ask of it.

A `Backend` starts nearly empty. The first use of `be.add` lets the manager compose it, and the callable is stored in
the instance, so that the next use is a plain attribute. `be.native` does the same for functions on native arrays.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Protocol

from corearray.backends.hinting import hint
from corearray.backends.namespace import API_VERSION, FROM_DTYPES, Calls, Composed, Namespace, NativeNamespace, names_in
from corearray.backends.operands import is_operand, operand
from corearray.backends.renewal import renew
from corearray.calls.accelerated import accelerator
from corearray.calls.positions import by_position
from corearray.calls.tracebacks import shorten
from corearray.contract.declaration import DECLARATIONS, Declaration
from corearray.errors import (
    CoreArrayAttributeError,
    CoreArrayNotImplementedError,
    CoreArrayTypeError,
    DeviceError,
    options,
)
from corearray.forks import free_at_fork
from corearray.settings.context import NUMBERS, SCALARS, current_settings, in_slow_mode
from corearray.settings.record import slow_mode
from corearray.stages import OF_NATIVE_FUNCTIONS, ORDER
from corearray.types.constants import CONSTANTS
from corearray.types.devices import Device, as_device, device_named
from corearray.types.dtypes import DTYPES, KINDS, DType

if TYPE_CHECKING:
    from corearray.arrays import array
    from corearray.arrays.kind import Kind
    from corearray.calls.binding import Binding
    from corearray.contract.info import BackendInfo
    from corearray.stages.views import Copy
    from corearray.types.mesh import Mesh

__all__ = ["Backend", "Facts"]


class Facts(Protocol):
    """What a backend's plugin answers: the chosen hookimpl of each fact of `corearray.hookspecs`."""

    def __getitem__(self, fact: str, /) -> Callable[..., Any]:
        """Return the hookimpl."""

    def __contains__(self, fact: str, /) -> bool:
        """Whether the plugin itself answers."""

    def prepare(self, facts: Iterable[str], /) -> None:
        """Choose facts before they are asked for."""


class Backend:
    """A loaded backend, which is also the array API namespace on its arrays.

    `be.add(x, y)` calls the function on this backend whatever the settings say.

    Attributes
    ----------
    name
        Its name, as in `set_backend`.
    framework, framework_version
        The distribution that computes, and its version.
    plugin_version
        Version of the plugin's distribution.
    native
        The same namespace on native arrays, dtypes and devices.
    Array
        The class of this backend's arrays, a subclass of `corearray.Array`.
    kinds
        By native dtype, what arrays of that dtype have in common.

    Examples
    --------
    >>> import corearray as ca
    >>> be = ca.get_backend("numpy")
    >>> be.add(be.ones(2), be.ones(2)).tolist()
    [2.0, 2.0]
    """

    __array_api_version__ = API_VERSION

    def __init__(
        self,
        info: BackendInfo,
        framework: str,
        framework_version: str,
        plugin_version: str,
        bind: Callable[[Backend, str], Binding],
    ) -> None:
        self.name = info.name
        self.info = info
        self.framework = framework
        self.framework_version = framework_version
        self.plugin_version = plugin_version
        self._bind = bind
        self._bindings: dict[str, Binding] = {}
        #: How often all functions were composed anew, see `forget`.
        self.edition = 0
        #: Held while functions are put where calls find them.
        self.lock = free_at_fork(threading.RLock())
        self._operators: set[str] = set()
        self._devices: tuple[Device, ...] | None = None
        self._meshes: dict[Mesh, Any] = {}
        self.known_devices: dict[str, Any] = {}
        self.__name__ = f"corearray.{info.name}"
        self.linalg = Namespace("linalg", lambda name: self.binding(name).function, self, self)
        self.fft = Namespace("fft", lambda name: self.binding(name).function, self, self)
        self.native = NativeNamespace(self)
        self.calls = Calls(self)
        self.copies: dict[Any, list[Copy]] = {}
        self.updates = {}
        #: What computes the calls that the fast paths of the functions do not take: their pipelines.
        self.pipelines = Composed(self, lambda name: self.binding(name).slow_path)
        #: What the fast paths of the functions call after a native error.
        self.recoveries = Composed(self, lambda name: self.binding(name).recovery)
        #: The calls on native arguments that need no care.
        self.innermost = Composed(self, lambda name: self.binding(name).innermost)
        #: The hookimpls of each stage, see `corearray.manager`.
        self.stages: dict[str, list[tuple[Callable[..., Any], bool]]] = {}
        #: The order of the stages, the innermost first.
        self.stage_order: tuple[str, ...] = ORDER
        #: The order of those that functions on native arrays have.
        self.native_order: tuple[str, ...] = OF_NATIVE_FUNCTIONS
        self.scope = self._new_scope()

    def _new_scope(self) -> dict[str, Any]:
        """Return the globals of the functions that are generated until `forget` is called."""
        return {
            "_pipelines": self.pipelines, "_recoveries": self.recoveries, "_by_position": by_position,
            "_shorten": shorten, "_slow_mode": slow_mode, "_in_slow_mode": in_slow_mode,
        }  # fmt: skip

    def own_dtype(self, dtype: DType) -> DType:
        """Return a dtype; in place of an integer dtype wider than all of the framework's, its widest one of that kind.

        It is for defaults and indices. A dtype that the user asks for is never replaced.
        """
        if dtype in self.native_dtypes or dtype.category not in KINDS["integral"]:
            return dtype
        widest = max(
            (d for d in self.native_dtypes if d.category == dtype.category), key=lambda d: d.bits, default=dtype
        )
        return widest if widest.bits < dtype.bits else dtype

    #: Set by the manager when the backend is loaded.
    Array: type[array.Array]
    kinds: dict[Any, Kind]
    unknown_kind: Kind
    array_types: tuple[type, ...]
    #: Write into an array, as `x[key] = value` and as `x += y` do.
    assign: Callable[[array.Array, Any, Any], None]
    update: Callable[[array.Array, str, Any], Any]
    lead_updates: Callable[[Mapping[str, Callable[[Any, Any], bool]]], None]
    updates: Mapping[str, Callable[[Any, Any], bool]]
    facts: Facts
    #: The root packages of the plugin's modules.
    plugin_roots: frozenset[str]
    has_stages: bool
    native_dtypes: dict[DType, Any]
    #: The native dtypes and the kinds by dtypes, and by their names, which are as good.
    spelled_dtypes: dict[DType | str, Any]
    kind_of: dict[DType | str, Kind]
    #: The kinds by the names of dtypes, in which the widest integers stand in for wider ones that the framework lacks.
    kinds_named: dict[str, Kind]
    dtype_of_native: dict[Any, DType]
    writes_in_place: bool
    promotes_arrays: bool

    def binding(self, name: str) -> Binding:
        """Return how the function `name` is composed on this backend: winner, stages, sources."""
        found = self._bindings.get(name)
        if found is None:
            bindings = self._bindings  # `forget` replaces it
            found = bindings.setdefault(name, self._bind(self, name))  # another thread may have been first
        return found

    def put(self, place: Any, name: str, make: Callable[[str], Any]) -> None:
        """Compose something and store it as an attribute, again if `forget` was called meanwhile."""
        while True:
            changes = self.edition
            setattr(place, name, make(name))
            if self.edition == changes:
                return

    def forget(self) -> None:
        """Compose every function anew at its next use, because other implementations or stages are there.

        Calls in other threads end with the functions with which they began. Functions that users hold, such as
        `add = be.add`, forward to the new ones; the framework's own functions, as which some of `be.native` stand, cannot.
        """
        renew(self)

    def install_plan(self, declaration: Declaration) -> None:
        """Let the public function compute on arrays of this backend in C, if the function has a plan.

        A function that cannot be composed has none: a call that is meant for this backend meets the error again and raises
        it.
        """
        if not accelerator or not declaration.has_kernel:
            return
        with suppress(Exception):
            binding = self.binding(declaration.name)
            if binding.plan is not None:
                with self.lock:
                    if not binding.retired:
                        declaration.public.plans[self.calls] = binding.plan  # type: ignore[union-attr]

    def fact(self, name: str, /, *args: Any, **options: Any) -> Any:
        """Ask the plugin a question of the first part of `corearray.hookspecs`."""
        return self.facts[name](*args, **options)

    def ask(self, fact: str, x: Any, *args: Any) -> Any:
        """Ask the plugin something about a native array; what fails is one of corearray's errors."""
        try:
            return self.facts[fact](x, *args)
        except Exception as error:
            from corearray.stages.exceptions import raise_explained

            raise_explained(error, self, fact)

    def text(self, x: Any) -> str:
        """Return the elements of a native array as text, with the digits that the settings ask for."""
        precision = current_settings().precision
        if "text" not in self.facts:
            from corearray.backends.capabilities import elements_text

            return elements_text(self.native.to_list(x), precision)
        return str(self.fact("text", x, precision))

    def number_text(self, x: Any) -> str:
        """Return the one element of a native array without axes as text; raise an error where `text` refuses."""
        text = self.text(x)
        return str(self.fact("to_list", x)) if current_settings().precision is None else text

    def is_native(self, value: Any) -> bool:
        """Whether a value is a native array of this backend."""
        return isinstance(value, self.array_types)

    def is_array(self, value: Any) -> bool:
        """Whether a value is an array of this backend, native or not."""
        return isinstance(value, (self.Array, *self.array_types))

    def is_operand(self, value: Any, method: str = "") -> bool:
        """Return true if an operator takes a value as its other operand. It does not if the value's class has `method`."""
        return (
            type(value) in SCALARS
            or isinstance(value, NUMBERS)
            or self.is_array(value)
            or is_operand(self, value, method)
        )

    def operand(self, value: Any, beside: array.Array) -> Any:
        """Return the other operand of an operator: what offers an array, as NumPy's do, becomes a constant of this backend."""
        return value if type(value) in SCALARS or self.is_array(value) else operand(self, value, beside)

    def operator(self, operator: str, function: str) -> Callable[..., Any]:
        """Return an operator that is used for the first time."""
        self.compose_operator(operator, function)
        return getattr(self.Array, operator)  # type: ignore[no-any-return]

    def compose_operator(self, operator: str, function: str) -> None:
        """Compose an operator and leave it in the class."""
        binding = self.binding(function)
        composed, plan = binding.operator(operator), binding.operator_plan(operator)
        with self.lock:
            if not binding.retired:
                setattr(self.Array, operator, composed)
                self._operators.add(operator)
                if accelerator:
                    accelerator.accelerate_operator(self.Array, operator, plan)

    def ensured(self, value: Any) -> Any:
        """Return a native array for what a native function returned in its place."""
        return value if isinstance(value, self.array_types[0]) else self.facts["as_array"](value)

    def plain(self, value: Any) -> Any:
        """Return a native array of the framework's own class for one of a derived class that computes otherwise."""
        exact = type(value) in self.array_types or not self.ensures or not isinstance(value, self.array_types)
        return value if exact else self.facts["as_array"](value)

    @cached_property
    def ensures(self) -> bool:
        """Whether native functions return things that `ensured` must make arrays of."""
        return "as_array" in self.facts

    def wrapped_each(self, natives: Any) -> list[array.Array]:
        """Wrap each of several native arrays."""
        return [self.wrap(self.ensured(native)) for native in natives]

    def cast(self, x: Any, dtype: Any) -> Any:
        """Cast a native array to a native dtype."""
        return self.facts["astype"](x, dtype, copy=False)

    def dtype_of(self, x: Any) -> DType:
        """Return the library's dtype of an array, native or not."""
        return self.dtype_from_native(x._native.dtype if isinstance(x, self.Array) else x.dtype)

    def device_of(self, x: Any) -> Device:
        """Return the device of an array, native or not."""
        return device_named(self.facts["device_of"](x._native if isinstance(x, self.Array) else x))

    def native_device(self, device: Device) -> Any:
        """Return the native device for a device; a `DeviceError` if the backend does not have it."""
        found = self.known_devices.get(str(device))
        if found is None:
            if device not in self.devices():
                raise DeviceError(f"backend '{self.name}' has no device '{device}'; it has {options(self.devices())}")
            found = self.known_devices[str(device)] = self.facts["native_device"](str(device))
        return found

    @cached_property
    def usual_device(self) -> Any:
        """The native device of new arrays whose device nobody chose."""
        return self.fact("usual_device") if "usual_device" in self.facts else self.native_device(self.devices()[0])

    def place(self, device: Any) -> Any:
        """Return the native device, or the native layout, that a value of `device=` stands for."""
        if device is None or (type(device) is Device and device == self.devices()[0]):
            return self.usual_device  # which `x.device` stands for too; a string fixes the device
        if not isinstance(device, str):
            if self.fact("is_layout", device):
                return device
            device = self.fact("device_name", device)
        return self.native_device(as_device(device))

    def moved(self, x: Any, device: Any) -> Any:
        """Return a native array on another device, or in a native layout."""
        return self.facts["move"](
            x, device if self.fact("is_layout", device) else self.native_device(as_device(device))
        )

    def number(self, value: Any, dtype: Any, beside: Any) -> Any:
        """Return a native array without axes of a Python number, of a native dtype, on the device of a native array."""
        # The parameters of `asarray`: obj, dtype, device, copy.
        return self.innermost.asarray([value, dtype, self.beside(beside), None])

    def beside(self, x: Any) -> Any:
        """Return the native device of a native array."""
        if "device_beside" in self.facts:
            return self.facts["device_beside"](x)
        devices = self.devices()
        return self.native_device(devices[0] if len(devices) == 1 else self.device_of(x))

    def mesh(self, mesh: Mesh) -> Any:
        """Return the framework's own mesh for a mesh; a `CoreArrayNotImplementedError` if the plugin has no layouts."""
        found = self._meshes.get(mesh)
        if found is None:
            if "mesh" not in self.facts:
                hooks = "whose plugin implements the hooks 'mesh', 'placed_on' and 'layout_of'"
                raise CoreArrayNotImplementedError(
                    f"backend '{self.name}' computes on one device; meshes are for backends {hooks}"
                )
            found = self._meshes[mesh] = self.ask("mesh", mesh.axes)
        return found

    def stays(self, x: Any) -> bool:
        """Return whether a native array is tied to one device."""
        return "device_beside" not in self.facts or self.facts["device_beside"](x) is not None

    def devices(self) -> tuple[Device, ...]:
        """Return the devices on which this backend can put arrays."""
        if self._devices is None:
            self._devices = tuple(Device(name) for name in self.fact("devices"))
        return self._devices

    def native_dtype(self, dtype: DType) -> Any:
        """Return the native dtype for a dtype; a `CoreArrayTypeError` if the framework has no such dtype."""
        try:
            return self.native_dtypes[dtype]
        except KeyError:
            raise CoreArrayTypeError(
                f"backend '{self.name}' ({self.framework} {self.framework_version}) has no dtype '{dtype}'; "
                f"it has {options(self.native_dtypes)}"
            ) from None

    def dtype_from_native(self, native: Any) -> DType:
        """Return the library's dtype of a native dtype; a `CoreArrayTypeError` if corearray has no such dtype."""
        found = self.dtype_of_native.get(native)
        if found is None:
            for known, dtype in self.dtype_of_native.items():
                if known == native:
                    return dtype
            raise CoreArrayTypeError(
                f"arrays of dtype {native!r} cannot be used on backend '{self.name}', which has {options(self.native_dtypes)}; "
                "convert them to one of these first"
            )
        return found

    def wrap(self, native: Any) -> array.Array:
        """Make an `Array` of a native array, without a copy."""
        wrapped = self.Array()
        wrapped._native = native
        try:
            wrapped._kind = self.kinds[native.dtype]
        except (AttributeError, KeyError, TypeError):  # a dtype that corearray lacks, or what a tree has in its place
            wrapped._kind = self.unknown_kind
        return wrapped

    def __getattr__(self, name: str) -> Any:
        self.compose(name)
        return getattr(self, name)

    def compose(self, name: str) -> None:
        """Make what the namespace has under a name when it is first used, and leave it there."""
        declaration = DECLARATIONS.get(name)
        value: Any
        if declaration is not None and declaration.main:
            self.put(self, name, lambda name: self.binding(name).function)
            return
        if name in DTYPES:
            value = self.own_dtype(DTYPES[name])
        elif name in CONSTANTS:
            value = CONSTANTS[name]
        elif name in FROM_DTYPES:
            from corearray.functional import data_type

            value = getattr(data_type, name)
        elif name == "__array_namespace_info__":
            from corearray.functional.info import NamespaceInfo

            value = partial(NamespaceInfo, self)
        else:
            advice = hint(name) or "; see dir() for the functions there are"
            raise CoreArrayAttributeError(f"backend '{self.name}' has no '{name}'{advice}")
        setattr(self, name, value)

    def __dir__(self) -> list[str]:
        return sorted(names_in(self) | set(DTYPES))

    def __repr__(self) -> str:
        return (
            f"<corearray backend '{self.name}' {self.plugin_version}: "
            f"{self.framework} {self.framework_version} on {', '.join(self.devices())}>"
        )

    def __reduce__(self) -> tuple[Any, ...]:
        from corearray.manager import load_backend

        return load_backend, (self.name,)
