"""`Tensor`: an array with torch's methods, and the record of calls by which `backward` differentiates."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, ClassVar

import corearray as ca
from corearray.calls.dispatch import backend_of
from corearray.errors import CoreArrayAttributeError, CoreArrayNotImplementedError, CoreArrayRuntimeError
from corearray.frontend.holding import Conversions
from corearray.frontend.table import Rule
from corearray.frontend.tape import Node
from corearray.frontend.torch.grad_mode import gradients_enabled
from corearray.frontend.torch.size import Size
from corearray.random import default_generator

if TYPE_CHECKING:
    from corearray.frontend.frontend import Frontend

__all__ = ["Tensor", "called", "is_tensor", "published", "stripped", "with_programs"]

#: Functions whose results show the elements of their first argument.
_VIEWS = frozenset(
    "as_strided chunk detach diagonal expand expand_as flatten movedim moveaxis narrow permute ravel reshape reshape_as "
    "select split squeeze swapaxes swapdims t tensor_split transpose unbind unflatten unfold unsqueeze view view_as "
    "__getitem__ T mT H mH real imag adjoint broadcast_to view_as_real view_as_complex".split()
)


def _operator(name: str) -> Any:
    """Return a method that looks up the rule of an operator when it is first used."""

    def operator(self: Tensor, *others: Any) -> Any:
        function = type(self)._method(name)
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

    __slots__ = ("__weakref__", "_hooks", "_node", "_requires_grad", "_viewed", "array", "grad")
    _frontend: ClassVar[Frontend]
    _methods: ClassVar[dict[str, Any]]

    def __init__(self, array: Any, requires_grad: bool = False) -> None:
        self.array: ca.Array = array.array if isinstance(array, Tensor) else _as_array(array)
        self._requires_grad = requires_grad
        self._node: Node | None = None
        self._viewed = False
        self._hooks: list[Any] = []
        self.grad: Tensor | None = None

    def __init_subclass__(cls, **options: Any) -> None:
        cls._methods = {}

    @classmethod
    def _method(cls, name: str) -> Any:
        if name not in cls._methods:
            rule = cls._frontend.rule(f"torch.Tensor.{name}")
            cls._methods[name] = None if rule is None else published(cls._frontend, rule)
        return cls._methods[name]

    def __getattr__(self, name: str) -> Any:
        """Find a method or property among the rules."""
        cls = type(self)
        rule = cls._frontend.rule(f"torch.Tensor.{name}.__get__")
        if rule is not None:
            return published(cls._frontend, rule)(self)
        function = None if name.startswith("__") else cls._method(name)
        if function is None:
            raise CoreArrayAttributeError(
                f"'Tensor' has no attribute '{name}' here; if torch {cls._frontend.version} has it, add a rule with "
                f"@corearray.frontend.rule('torch', 'torch.Tensor.{name}')"
            )
        return function.__get__(self)

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
        """The device."""
        return self.array.device

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

    def detach(self) -> Tensor:
        """Return a tensor of the same elements that needs no gradients."""
        return type(self)(self.array)

    @property
    def data(self) -> Tensor:
        """The same elements without gradients."""
        return self.detach()

    def backward(self, gradient: Any = None, retain_graph: bool | None = None) -> None:
        """Add gradients up in the leaves that need them; the calls are made once more under the backend's own derivative.

        Raises
        ------
        RuntimeError
            If nothing was recorded, or the tensor has several elements and no `gradient` is given.
        NotImplementedError
            If the backend has no derivatives.
        """
        from corearray.frontend.torch.backward import backward

        backward(self, gradient)

    def register_hook(self, hook: Callable[[Tensor], Any]) -> None:
        """Call a function with the gradient of a leaf when it is computed; what it returns takes its place."""
        if self._node is not None:
            raise CoreArrayNotImplementedError(
                "hooks are called for leaves, and a recorded call has made this tensor; use torch.autograd.grad"
            )
        self._hooks.append(hook)

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
        return self.shape[0]

    def __iter__(self) -> Iterator[Any]:
        return iter([self[i] for i in range(len(self))])

    def __hash__(self) -> int:
        return id(self)

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
        tensors = list(_tensors((key, value)))
        _refuse_lost_gradient(self, tensors)
        if gradients_enabled() and (self._requires_grad or any(x._requires_grad for x in tensors)):
            before = _twin(self)
            node = _node(
                _with_item, (before, key, value), {}, [x for x in (before, *tensors) if x._requires_grad], None
            )
            self.array = _with_item(*(stripped(x) for x in node.arguments))
            self._node, self._requires_grad = node, True
            return
        type(self)._frontend.function("torch.Tensor.__setitem__")(self.array, stripped(key), stripped(value))


def _with_item(array: ca.Array, key: Any, value: Any) -> ca.Array:
    """Return a copy of an array with elements written."""
    from corearray.frontend.frontend import get_frontend

    made = ca.asarray(array, copy=True)
    get_frontend("torch").function("torch.Tensor.__setitem__")(made, key, value)
    return made


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
    if type(x) in (tuple, list):
        return type(x)(map(stripped, x))
    if isinstance(x, slice):
        return slice(stripped(x.start), stripped(x.stop), stripped(x.step))
    if x is None or isinstance(x, (bool, int, float, complex, str, ca.Array, ca.DType)):
        return x
    backend = backend_of(x) if not isinstance(x, (tuple, dict)) else None
    return x if backend is None else backend.wrap(x)


def _tensors(x: Any) -> Iterator[Tensor]:
    if isinstance(x, Tensor):
        yield x
    elif isinstance(x, (tuple, list)):
        for part in x:
            yield from _tensors(part)
    elif isinstance(x, dict):
        yield from _tensors(tuple(x.values()))


def _as_now(x: Any) -> Any:
    """Return arguments in which later writes do not show: computed tensors are replaced by others of the same node."""
    if isinstance(x, Tensor):
        if x._node is None:
            return x
        made = type(x)(x.array, x._requires_grad)
        made._node = x._node
        return made
    if type(x) in (tuple, list):
        return type(x)(map(_as_now, x))
    return {name: _as_now(item) for name, item in x.items()} if type(x) is dict else x


def _node(
    function: Callable[..., Any], args: Any, options: Any, inputs: list[Tensor], place: Any, drawn: Any = None
) -> Node:
    return Node(function, _as_now(args), _as_now(options), _as_now(inputs), place, drawn=drawn)


def _on_copy(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that writes into a copy of its first argument."""

    def written(x: Any, *others: Any, **options: Any) -> Any:
        return function(ca.asarray(x, copy=True), *others, **options)

    return written


def _twin(x: Tensor) -> Tensor:
    """Return a tensor that stands for another one before a write."""
    made = type(x)(x.array, x._requires_grad)
    made._node = x._node
    if x._node is None and x._requires_grad:
        raise CoreArrayRuntimeError(
            "a leaf that requires gradients cannot be changed in place; write under torch.no_grad()"
        )
    return made


def _refuse_lost_gradient(x: Tensor, others: list[Tensor]) -> None:
    """Refuse a write that views show, where gradients are needed: the record of calls would not follow it."""
    if gradients_enabled() and x._viewed and (x._requires_grad or any(other._requires_grad for other in others)):
        raise CoreArrayNotImplementedError(
            "a write into a tensor that is a view, or of which there are views, is not followed where gradients are needed; "
            "compute a new tensor instead"
        )


def called(kind: type[Tensor], rule: Rule, args: tuple[Any, ...], options: dict[str, Any]) -> Any:
    """Call a rule with tensors, and record the call if its result needs gradients."""
    out = options.pop("out", None)
    wanted = options.pop("requires_grad", False) if not any(True for _ in _tensors(args)) else False
    arguments = [stripped(x) for x in args]
    keywords = {name: stripped(x) for name, x in options.items()}
    inputs = [x for x in _tensors((args, options)) if x._requires_grad]
    records = bool(inputs) and gradients_enabled()
    before = default_generator().__getstate__() if records else None
    short = rule.name.rpartition(".")[2]
    if short == "__get__":
        short = rule.name.split(".")[-2]
    in_place = (short.endswith("_") and not short.startswith("_")) or (
        short.startswith("__i") and short != "__invert__"
    )
    function = _on_copy(rule.function) if in_place and records else rule.function
    made = function(*arguments, **keywords)
    drawn = before if records and default_generator().__getstate__() != before else None
    if in_place and args and isinstance(args[0], Tensor):
        return _written(args[0], rule, made, args, options, inputs if records else [])
    views = short in _VIEWS

    def wrapped(array: Any, place: Any) -> Any:
        if not isinstance(array, ca.Array):
            return array
        tensor = kind(array)
        floating = array.dtype.category in ("real floating", "complex floating")
        if records and floating and short not in ("detach", "data"):
            tensor._requires_grad = True
            tensor._node = _node(rule.function, args, options, inputs, place, drawn)
        if wanted:
            tensor.requires_grad_()
        if views and args and isinstance(args[0], Tensor):
            tensor._viewed = args[0]._viewed = True
        return tensor

    if isinstance(made, (tuple, list)):
        found: Any = type(made)(wrapped(x, i) for i, x in enumerate(made))
    else:
        found = wrapped(made, None)
    return found if out is None else _into(out, found)


def _into(out: Any, found: Any) -> Any:
    """Write results into the tensors of `out`, and return these."""
    pairs = zip(out, found, strict=True) if isinstance(out, (tuple, list)) else [(out, found)]
    for target, tensor in pairs:
        if tuple(target.array.shape) == tuple(tensor.array.shape):
            target.array[...] = ca.astype(tensor.array, target.dtype)
        else:
            target.array = ca.astype(tensor.array, target.dtype)
    return out


def _written(x: Tensor, rule: Rule, made: Any, args: Any, options: Any, inputs: list[Tensor]) -> Tensor:
    """Write the result of an in-place function into its first argument."""
    others = [other for other in inputs if other is not x]
    _refuse_lost_gradient(x, others)
    if inputs:
        before = _twin(x)
        x._node = _node(
            _on_copy(rule.function), (before, *args[1:]), options, [before if one is x else one for one in inputs], None
        )
        x._requires_grad = True
        x.array = ca.astype(made, x.array.dtype)
    elif rule.rebinds or tuple(made.shape) != tuple(x.array.shape):
        x.array = made
    else:
        x.array[...] = ca.astype(made, x.array.dtype)
    return x


def published(frontend: Frontend, rule: Rule) -> Callable[..., Any]:
    """Return the function that people call: it takes tensors, arrays, lists and numbers, and returns tensors."""
    kind: type[Tensor] = frontend.Tensor

    def function(*args: Any, **options: Any) -> Any:
        return called(kind, rule, args, options)

    function.__name__ = rule.name.rpartition(".")[2]
    function.__qualname__ = rule.name
    function.__doc__ = f"Compute what `{rule.name}` of torch computes."
    function.__wrapped__ = rule.function  # type: ignore[attr-defined]
    return function


def with_programs(frontend: Frontend, function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a published function whose programs among the arguments are functions of tensors."""
    kind: type[Tensor] = frontend.Tensor

    def on_arrays(program: Callable[..., Any]) -> Callable[..., Any]:
        return lambda *arrays: [stripped(x) for x in program(*map(kind, arrays))]

    def calling(*args: Any, **options: Any) -> Any:
        return function(*(on_arrays(x) if callable(x) else x for x in args), **options)

    return calling
