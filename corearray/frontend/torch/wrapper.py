"""`Tensor`: an array with torch's methods."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, ClassVar
from weakref import ref

import corearray as ca
from corearray.calls.dispatch import backend_of
from corearray.errors import CoreArrayAttributeError, CoreArrayRuntimeError
from corearray.frontend.holding import Conversions
from corearray.frontend.tape import Node
from corearray.frontend.torch.families import Family, View, family_of
from corearray.frontend.torch.hooks import RemovableHandle
from corearray.frontend.torch.layouts import Strides, is_contiguous, row_major
from corearray.frontend.torch.size import Size

if TYPE_CHECKING:
    from corearray.frontend.frontend import Frontend

__all__ = ["Tensor", "attribute_of", "is_tensor", "method_of", "stripped", "tensors_in"]


#: The number of the hook that sets `grad`; it is called behind the others.
_RETAINS = 1 << 62


def _operator(name: str) -> Any:
    """Return a method that looks up the rule of an operator when it is first used."""

    def operator(self: Tensor, *others: Any) -> Any:
        function = method_of(type(self), name)
        return NotImplemented if function is None else function(self, *others)

    operator.__name__ = name
    return operator


class Tensor(Conversions):
    """An array with torch's methods; made by the functions of `corearray.frontend.torch`.

    Attributes
    ----------
    array
        The `Array` that it holds.
    requires_grad
        Whether calls on it are recorded for `backward`.
    grad
        The gradient that `backward` has added up, or `None`.
    """

    __slots__ = (
        "__weakref__", "_after_hooks", "_family", "_hooks", "_node", "_requires_grad", "_strides", "_view", "array",
        "grad",
    )  # fmt: skip
    __array_priority__ = 1000  # as in torch: an operator of NumPy's arrays leaves the call to the tensor
    _frontend: ClassVar[Frontend]
    _methods: ClassVar[dict[str, Any]]

    def __init__(self, array: Any, requires_grad: bool = False) -> None:
        self.array: ca.Array = array.array if isinstance(array, Tensor) else _as_array(array)
        self._requires_grad = requires_grad
        self._node: Node | None = None
        self._strides: Strides | None = None  # in the order of the axes, without gaps
        self._family: Family | None = None  # no views are known
        self._view: View | None = None
        self._hooks: dict[int, Any] = {}
        self._after_hooks: dict[int, Any] = {}
        self.grad: Tensor | None = None

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        cls._methods = {}

    def __getattr__(self, name: str) -> Any:
        """Find a method or property among the rules."""
        return attribute_of(self, name)

    # --- what it is

    @property
    def shape(self) -> Size:
        """The shape."""
        return Size(self.array.shape)

    @property
    def dtype(self) -> ca.DType:
        """The dtype, an object of corearray."""
        return self.array.dtype

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return self.array.ndim

    @property
    def device(self) -> Any:
        """The device, under torch's name."""
        from corearray.frontend.torch.devices import device_of

        return device_of(self.array)

    @property
    def requires_grad(self) -> bool:
        """Whether calls on it are recorded for `backward`."""
        return self._requires_grad

    @requires_grad.setter
    def requires_grad(self, needed: bool) -> None:
        self.requires_grad_(needed)

    def requires_grad_(self, requires_grad: bool = True) -> Tensor:
        """Switch recording on or off, of a tensor that no recorded call has made."""
        if self._node is not None and not requires_grad:
            raise CoreArrayRuntimeError("only leaves can change requires_grad; use x.detach() instead")
        if requires_grad and self.array.dtype.category not in ("real floating", "complex floating"):
            raise CoreArrayRuntimeError(f"only floating and complex tensors can require gradients, not {self.dtype}")
        self._requires_grad = requires_grad
        return self

    @property
    def is_leaf(self) -> bool:
        """Whether no recorded call has made it."""
        return self._node is None

    @property
    def grad_fn(self) -> Node | None:
        """The call that made it, if it needs gradients."""
        return self._node

    def size(self, dim: int | None = None) -> Any:
        """Return the shape, or the size of an axis."""
        return self.shape if dim is None else self.shape[dim]

    def stride(self, dim: int | None = None) -> Any:
        """Return the steps between neighbours along each axis, or along one, counted in elements: those of torch."""
        strides = self._strides or row_major(self.array.shape)
        return strides if dim is None else strides[dim]

    def is_contiguous(self, memory_format: Any = None) -> bool:
        """Return true if the elements lie in the order of the axes without gaps, as in torch."""
        return self._strides is None or is_contiguous(self.array.shape, self._strides)

    def contiguous(self, memory_format: Any = None) -> Tensor:
        """Return the tensor itself if it is contiguous, and a copy if not."""
        copied: Tensor = self if self.is_contiguous() else method_of(type(self), "contiguous")(self)
        return copied

    def detach(self) -> Tensor:
        """Return a tensor of the same elements that needs no gradients."""
        made: Tensor = self._frontend.Tensor(self.array)
        made._strides, made._family = self._strides, family_of(self)
        return made

    @property
    def data(self) -> Tensor:
        """The same elements without gradients."""
        return self.detach()

    def backward(self, gradient: Any = None, retain_graph: bool | None = None, create_graph: bool = False) -> None:
        """Add gradients up in the leaves that need them; the calls are made once more under the backend's own derivative.

        Raises
        ------
        RuntimeError
            If nothing was recorded, or the tensor has several elements and no `gradient` is given.
        NotImplementedError
            If the backend has no derivatives.
        """
        from corearray.frontend.torch.backward import backward

        backward(self, gradient, create_graph=create_graph)

    def register_hook(self, hook: Callable[[Tensor], Any]) -> RemovableHandle:
        """Call a function with the gradient when `backward` computes it; what it returns takes its place.

        Raises
        ------
        RuntimeError
            If the tensor needs no gradients.
        """
        if not self._requires_grad:
            raise CoreArrayRuntimeError("cannot register a hook on a tensor that doesn't require gradient")
        return RemovableHandle(self._hooks if self._node is None else self._node.hooks, hook)

    def register_post_accumulate_grad_hook(self, hook: Callable[[Tensor], Any]) -> RemovableHandle:
        """Call a function with a leaf when `backward` has added to its `grad`."""
        if self._node is not None:
            raise CoreArrayRuntimeError("post accumulate grad hooks cannot be registered on non-leaf tensors")
        return RemovableHandle(self._after_hooks, hook)

    def retain_grad(self) -> None:
        """Let `backward` set `grad`, also of a tensor that a recorded call has made."""
        if not self._requires_grad:
            raise CoreArrayRuntimeError("can't retain_grad on Tensor that has requires_grad=False")
        if self._node is None or self.retains_grad:
            return
        held = ref(self)

        def keep(slope: Tensor) -> None:
            tensor = held()
            if tensor is not None:
                tensor.grad = slope if tensor.grad is None else tensor.grad + slope

        self._node.hooks[_RETAINS] = keep

    @property
    def retains_grad(self) -> bool:
        """Whether `retain_grad` was called."""
        return self._node is not None and _RETAINS in self._node.hooks

    def numpy(self, *, force: bool = False) -> Any:
        """Return the elements as NumPy's array."""
        if self._requires_grad and not force:
            raise CoreArrayRuntimeError("this tensor needs gradients; call x.detach().numpy()")
        return ca.to_numpy(self.array)

    def __bool__(self) -> bool:
        return bool(self.array)

    def __len__(self) -> int:
        if not self.array.ndim:
            raise TypeError("a tensor without axes has no length")
        size: int = self.shape[0]
        return size

    def __iter__(self) -> Iterator[Any]:
        return iter([self[i] for i in range(len(self))])

    def __hash__(self) -> int:
        return id(self)

    def __deepcopy__(self, memo: dict[int, Any]) -> Tensor:
        from corearray.frontend.torch.copying import deep_copied

        return deep_copied(self, memo)

    def __reduce_ex__(self, protocol: Any) -> tuple[Any, ...]:
        from corearray.frontend.torch.copying import reduced

        return reduced(self)

    def __format__(self, form: str) -> str:
        return str(self) if self.array.ndim else format(self.array.item(), form)

    def __contains__(self, element: Any) -> bool:
        """Return true if an element equals a number or tensor."""
        return bool(ca.any((self == element).array))

    def __repr__(self) -> str:
        needs = (
            f", grad_fn=<{self._node.function.__name__}>"
            if self._node
            else ", requires_grad=True" * self._requires_grad
        )
        return f"tensor({self.array.tolist()}, dtype=torch.{self.dtype}{needs})"

    # --- operators

    __add__ = __radd__ = _operator("__add__")
    __sub__, __rsub__ = _operator("__sub__"), _operator("__rsub__")
    __mul__ = __rmul__ = _operator("__mul__")
    __truediv__, __rtruediv__ = _operator("__truediv__"), _operator("__rtruediv__")
    __floordiv__, __rfloordiv__ = _operator("__floordiv__"), _operator("__rfloordiv__")
    __mod__, __rmod__ = _operator("__mod__"), _operator("__rmod__")
    __pow__, __rpow__ = _operator("__pow__"), _operator("__rpow__")
    __matmul__, __rmatmul__ = _operator("__matmul__"), _operator("__rmatmul__")
    __and__ = __rand__ = _operator("__and__")
    __or__ = __ror__ = _operator("__or__")
    __xor__ = __rxor__ = _operator("__xor__")
    __lshift__, __rshift__ = _operator("__lshift__"), _operator("__rshift__")
    __iadd__, __isub__, __imul__ = _operator("__iadd__"), _operator("__isub__"), _operator("__imul__")
    __itruediv__, __ifloordiv__ = _operator("__itruediv__"), _operator("__ifloordiv__")
    __imod__, __ipow__ = _operator("__imod__"), _operator("__ipow__")
    __iand__, __ior__, __ixor__ = _operator("__iand__"), _operator("__ior__"), _operator("__ixor__")
    __eq__, __ne__ = _operator("__eq__"), _operator("__ne__")
    __lt__, __le__, __gt__, __ge__ = _operator("__lt__"), _operator("__le__"), _operator("__gt__"), _operator("__ge__")
    __neg__, __pos__, __abs__ = _operator("__neg__"), _operator("__pos__"), _operator("__abs__")
    __invert__, __getitem__ = _operator("__invert__"), _operator("__getitem__")

    def __setitem__(self, key: Any, value: Any) -> None:
        """Write elements, also where the backend's arrays never change."""
        from corearray.frontend.torch.calling import set_item

        set_item(self, key, value)


def method_of(kind: type[Tensor], name: str) -> Any:
    """Return the function of a method, `None` if there is no rule for it."""
    if name not in kind._methods:
        from corearray.frontend.torch.calling import published

        rule = kind._frontend.rule(f"torch.Tensor.{name}")
        kind._methods[name] = None if rule is None else published(kind._frontend, rule)
    return kind._methods[name]


def attribute_of(x: Tensor, name: str) -> Any:
    """Return a method or property of a tensor.

    Raises
    ------
    AttributeError
        If there is no rule for it.
    """
    kind = type(x)
    rule = kind._frontend.rule(f"torch.Tensor.{name}.__get__")
    if rule is not None:
        from corearray.frontend.torch.calling import published

        return published(kind._frontend, rule)(x)
    function = None if name.startswith("__") else method_of(kind, name)
    if function is None:
        raise CoreArrayAttributeError(
            f"'Tensor' has no attribute '{name}' here; if torch {kind._frontend.version} has it, add a rule with "
            f"@corearray.frontend.rule('torch', 'torch.Tensor.{name}')"
        )
    return function.__get__(x)


def _as_array(x: Any) -> ca.Array:
    if isinstance(x, ca.Array):
        return x
    backend = backend_of(x)
    return ca.asarray(x) if backend is None else backend.wrap(x)


def is_tensor(x: Any) -> bool:
    """Return true for tensors of this frontend."""
    return isinstance(x, Tensor)


def stripped(x: Any) -> Any:
    """Return arguments with arrays in place of tensors and native arrays."""
    if isinstance(x, Tensor):
        return x.array
    if isinstance(x, (tuple, list)):
        return (list if isinstance(x, list) else tuple)(map(stripped, x))
    if isinstance(x, slice):
        return slice(stripped(x.start), stripped(x.stop), stripped(x.step))
    if x is None or isinstance(x, (bool, int, float, complex, str, ca.Array, ca.DType)):
        return x
    backend = backend_of(x) if not isinstance(x, dict) else None
    if backend is None:
        return x
    if backend.name == "numpy" and type(x).__name__ != "ndarray":  # a scalar such as `numpy.float32(2)`
        return x.item()
    return backend.wrap(x)


def tensors_in(x: Any) -> Iterator[Tensor]:
    """Yield the tensors in a tree of arguments."""
    if isinstance(x, Tensor):
        yield x
    elif isinstance(x, (tuple, list)):
        for part in x:
            yield from tensors_in(part)
    elif isinstance(x, dict):
        yield from tensors_in(tuple(x.values()))
