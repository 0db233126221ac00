"""Calls of rules with tensors: results with strides, writes in place, and the record by which `backward` differentiates."""

from __future__ import annotations

from collections.abc import Callable
from inspect import signature
from typing import TYPE_CHECKING, Any

import corearray as ca
from corearray.errors import CoreArrayNotImplementedError, CoreArrayRuntimeError
from corearray.frontend.sharing import of_its_own
from corearray.frontend.table import Rule
from corearray.frontend.tape import Node
from corearray.frontend.torch.families import family_of, refuse_lost_write
from corearray.frontend.torch.grad_mode import gradients_enabled
from corearray.frontend.torch.layouts import ITSELF, RESHAPES, SHARES, VIEWS, Strides, indexed, made_of, row_major
from corearray.frontend.torch.wrapper import Tensor, stripped, tensors_in
from corearray.random import default_generator

if TYPE_CHECKING:
    from corearray.frontend.frontend import Frontend

__all__ = ["called", "published", "set_item", "with_programs"]

#: Functions whose results show the elements of their first argument, unless they copy.
_VIEWS = VIEWS.keys() | RESHAPES | {"__getitem__", "as_strided", "broadcast_to", "expand", "expand_as", "real", "imag"}

#: Views of torch that are copies here for some arguments: writes would not show.
_COPIES = frozenset({"__getitem__", "as_strided", "unfold"})


def set_item(x: Tensor, key: Any, value: Any) -> None:
    """Write elements of a tensor."""
    tensors = list(tensors_in((key, value)))
    refuse_lost_write(x, "")
    _refuse_lost_gradient(x, tensors)
    if gradients_enabled() and (x._requires_grad or any(x._requires_grad for x in tensors)):
        before = _twin(x)
        node = _node(_with_item, (before, key, value), {}, [x for x in (before, *tensors) if x._requires_grad], None)
        x.array = _with_item(*(stripped(one) for one in node.arguments))
        x._node, x._requires_grad = node, True
        return
    type(x)._frontend.function("torch.Tensor.__setitem__")(x.array, stripped(key), stripped(value))


def _with_item(array: ca.Array, key: Any, value: Any) -> ca.Array:
    """Return a copy of an array with elements written."""
    from corearray.frontend.frontend import get_frontend

    made = ca.asarray(array, copy=True)
    get_frontend("torch").function("torch.Tensor.__setitem__")(made, key, value)
    return made


def _as_now(x: Any) -> Any:
    """Return arguments in which later writes do not show: computed tensors are replaced by others of the same node."""
    if isinstance(x, Tensor):
        if x._node is None:
            return x
        made = type(x)(x.array, x._requires_grad)
        made._node, made._strides, made._family = x._node, x._strides, x._family
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
    made._node, made._strides, made._family = x._node, x._strides, x._family
    if x._node is None and x._requires_grad:
        raise CoreArrayRuntimeError(
            "a leaf that requires gradients cannot be changed in place; write under torch.no_grad()"
        )
    return made


def _refuse_lost_gradient(x: Tensor, others: list[Tensor]) -> None:
    """Refuse a write that views show, where gradients are needed: the record of calls would not follow it."""
    if (
        gradients_enabled()
        and x._family is not None
        and (x._requires_grad or any(other._requires_grad for other in others))
    ):
        raise CoreArrayNotImplementedError(
            "gradients cannot follow a write into a tensor that is a view or has views; compute a new tensor instead"
        )


def _place_of_inplace(rule: Rule) -> int | None:
    """Return where a function takes `inplace`."""
    names = list(signature(rule.function).parameters)
    return names.index("inplace") if "inplace" in names else None


def _strides_of(
    name: str, args: Any, options: Any, tensors: Any, made: ca.Array, place: int
) -> tuple[Strides | None, bool]:
    """Return the strides of a result, and whether torch's result is a view."""
    given = [(tuple(x.array.shape), x.stride()) for x in tensors]
    if name == "__getitem__":
        return indexed(*given[0], args[1], tuple(made.shape))
    if name == "as_strided":
        stride = args[2] if len(args) > 2 else options["stride"]
        return tuple(map(int, stride)), True
    return made_of(name, args, options, given, made, place), name in _VIEWS or name in SHARES


def called(
    kind: type[Tensor], rule: Rule, args: tuple[Any, ...], options: dict[str, Any], place: int | None = None
) -> Any:
    """Call a rule with tensors, and record the call if its result needs gradients.

    `place` is the position of the parameter `inplace`, `None` where there is none.
    """
    out = options.pop("out", None)
    wanted = options.pop("requires_grad", False) if not any(True for _ in tensors_in(args)) else False
    arguments = [stripped(x) for x in args]
    keywords = {name: stripped(x) for name, x in options.items()}
    inputs = [x for x in tensors_in((args, options)) if x._requires_grad]
    records = bool(inputs) and gradients_enabled()
    before = default_generator().__getstate__() if records else None
    short = rule.name.rpartition(".")[2]
    if short == "__get__":
        short = rule.name.split(".")[-2]
    in_place = (short.endswith("_") and not short.startswith("_")) or (
        short.startswith("__i") and short != "__invert__"
    )
    if place is not None and not in_place:
        in_place = bool(args[place] if place < len(args) else options.get("inplace", False))
    tensors = list(tensors_in((args, options)))
    if in_place and args and isinstance(args[0], Tensor) and not rule.rebinds:
        refuse_lost_write(args[0], short)
    if short == "as_strided" and any(not x.is_contiguous() for x in tensors):
        raise CoreArrayNotImplementedError("as_strided takes contiguous tensors only; call contiguous() first")
    function = _on_copy(rule.function) if in_place and records else rule.function
    made = function(*arguments, **keywords)
    drawn = before if records and default_generator().__getstate__() != before else None
    if in_place and args and isinstance(args[0], Tensor):
        return _written(args[0], rule, made, args, options, inputs if records else [])
    held = [x.array for x in tensors]
    name = "linalg.diagonal" if rule.name == "torch.linalg.diagonal" else short

    def wrapped(array: Any, place: Any) -> Any:
        if not isinstance(array, ca.Array):
            return array
        if name in ITSELF and isinstance(args[0], Tensor) and array is held[0]:
            return args[0]
        strides, views = _strides_of(name, arguments, keywords, tensors, array, place or 0)
        if strides is None and short in ("view", "view_as", "unflatten"):
            raise CoreArrayRuntimeError(
                "view size is not compatible with input tensor's size and stride (at least one dimension spans across two "
                "contiguous subspaces). Use .reshape(...) instead."
            )
        if strides is None or not views:
            array = of_its_own(held, array)
            views = False
        tensor = kind(array)
        if strides is not None and strides != row_major(array.shape):
            tensor._strides = strides
        if views and tensors and (short in _VIEWS or of_its_own(held, array) is not array):
            tensor._family = family_of(tensors[0])
            if short in _COPIES and of_its_own(held, array) is array:
                tensor._family.copies.add(tensor)
        floating = array.dtype.category in ("real floating", "complex floating")
        if records and floating and short not in ("detach", "data"):
            tensor._requires_grad = True
            tensor._node = _node(rule.function, args, options, inputs, place, drawn)
        if wanted:
            tensor.requires_grad_()
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
        short = rule.name.rpartition(".")[2].removesuffix("_")
        given = [(tuple(x.array.shape), x.stride())]
        further, keywords = [stripped(one) for one in args], {key: stripped(one) for key, one in options.items()}
        x._strides = made_of(short, further, keywords, given, made, 0)
        x.array = made
    else:
        x.array[...] = ca.astype(made, x.array.dtype)
    return x


def published(frontend: Frontend, rule: Rule) -> Callable[..., Any]:
    """Return the function that people call: it takes tensors, arrays, lists and numbers, and returns tensors."""
    kind: type[Tensor] = frontend.Tensor

    place = _place_of_inplace(rule)

    def function(*args: Any, **options: Any) -> Any:
        return called(kind, rule, args, options, place)

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
