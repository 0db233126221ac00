"""Calls of rules with tensors: results with strides, writes in place, and the record by which `backward` differentiates."""

from __future__ import annotations

from collections.abc import Callable
from inspect import signature
from typing import TYPE_CHECKING, Any

import corearray as ca
from corearray.calls.places import device_of_arrays, making_on
from corearray.errors import CoreArrayNotImplementedError, CoreArrayRuntimeError
from corearray.frontend.sharing import of_its_own
from corearray.frontend.table import Rule
from corearray.frontend.torch.amp.autocasting import autocast_function
from corearray.frontend.torch.devices import asked_device, moving, named_device
from corearray.frontend.torch.families import View, before_write, family_of, refuse_lost_write
from corearray.frontend.torch.generators import generator_in
from corearray.frontend.torch.grad_mode import gradients_enabled
from corearray.frontend.torch.layouts import (
    ITSELF,
    RESHAPES,
    SHARES,
    VIEWS,
    Strides,
    indexed,
    made_of,
    owner_of,
    row_major,
)
from corearray.frontend.torch.results import named
from corearray.frontend.torch.wrapper import Tensor, stripped, tensors_in
from corearray.frontend.torch.writes import node_of, recorded_write
from corearray.random.context import default_generator, drawing_from

if TYPE_CHECKING:
    from corearray.frontend.frontend import Frontend

__all__ = ["called", "is_in_place", "published", "set_item", "with_programs"]

#: Functions whose results show the elements of their first argument, unless they copy.
_VIEWS = VIEWS.keys() | RESHAPES | {"__getitem__", "as_strided", "broadcast_to", "expand", "expand_as", "real", "imag"}

#: Views of torch that are copies here for some arguments: writes would not show.
_COPIES = frozenset({"__getitem__", "as_strided", "unfold"})


#: Functions whose results have other strides than those of the method of the same name.
_OTHER_STRIDES = {"torch.linalg.diagonal": "linalg.diagonal", "torch.nn.functional.unfold": "im2col"}


def set_item(x: Tensor, key: Any, value: Any) -> None:
    """Write elements of a tensor."""
    tensors = list(tensors_in((key, value)))
    refuse_lost_write(x, "")
    inputs = [one for one in (x, *tensors) if one._requires_grad]
    if gradients_enabled() and inputs:
        made = _with_item(x.array, stripped(key), stripped(value))
        recorded_write(x, _with_item, (key, value), {}, inputs, made)
        return
    before_write(x)
    type(x)._frontend.function("torch.Tensor.__setitem__")(x.array, stripped(key), stripped(value))


def _with_item(array: ca.Array, key: Any, value: Any) -> ca.Array:
    """Return a copy of an array with elements written."""
    from corearray.frontend.frontend import get_frontend

    made = ca.asarray(array, copy=True)
    get_frontend("torch").function("torch.Tensor.__setitem__")(made, key, value)
    return made


def _on_copy(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that writes into a copy of its first argument."""

    def written(x: ca.Array, *others: Any, **options: Any) -> Any:
        made = function(ca.asarray(x, copy=True), *others, **options)
        return ca.astype(made, x.dtype) if isinstance(made, ca.Array) else made

    return written


def _view(x: Tensor, rule: Rule, args: Any, options: Any, place: Any) -> View:
    """Return the call that made a view of a tensor."""
    arguments, keywords = [stripped(one) for one in args], {name: stripped(one) for name, one in options.items()}
    where = next((i for i, one in enumerate(args) if one is x), None)
    name = next((name for name, one in options.items() if one is x), None)

    def again(array: ca.Array) -> Any:
        if where is not None:
            return rule.function(*arguments[:where], array, *arguments[where + 1 :], **keywords)
        if name is not None:
            return rule.function(*arguments, **{**keywords, name: array})
        raise CoreArrayNotImplementedError(f"gradients cannot follow a write into a view that '{rule.name}' made")

    return View(x, again, place)


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


def _short(rule: Rule) -> str:
    """Return the last part of a rule's name."""
    short = rule.name.rpartition(".")[2]
    return rule.name.split(".")[-2] if short == "__get__" else short


def is_in_place(rule: Rule, args: tuple[Any, ...], options: dict[str, Any], place: int | None) -> bool:
    """Return whether a call writes into its first argument; `place` is the position of the parameter `inplace`."""
    short = _short(rule)
    if (short.endswith("_") and not short.startswith("_")) or (short.startswith("__i") and short != "__invert__"):
        return True
    return place is not None and bool(args[place] if place < len(args) else options.get("inplace", False))


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
    generator = generator_in(args, options) or default_generator()
    before = generator.__getstate__() if records else None
    short = _short(rule)
    in_place = is_in_place(rule, args, options, place)
    tensors = list(tensors_in((args, options)))
    if in_place and args and isinstance(args[0], Tensor) and not rule.rebinds:
        refuse_lost_write(args[0], short)
    if short == "as_strided" and any(not x.is_contiguous() for x in tensors):
        raise CoreArrayNotImplementedError("as_strided takes contiguous tensors only; call contiguous() first")
    where = asked_device(short, arguments, keywords)
    ruled = making_on(device_of_arrays(x.array for x in tensors) if tensors else named_device(where), rule.function)
    function = ruled
    if in_place:
        function = _on_copy(function) if records else function
    elif out is None:
        function = autocast_function(rule.name, function)
    if where is not None:
        function = moving(function, where)
    with drawing_from(generator):
        made = function(*arguments, **keywords)
    drawn = before if records and generator.__getstate__() != before else None
    if in_place and args and isinstance(args[0], Tensor):
        return _written(args[0], rule, ruled, made, args, options, inputs if records else [])
    held = [x.array for x in tensors]
    name = _OTHER_STRIDES.get(rule.name, short)

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
        if views and tensors and (name in _VIEWS or of_its_own(held, array) is not array):
            owner = tensors[owner_of(name, len(tensors), place or 0)]
            tensor._family = family_of(owner)
            if gradients_enabled() and short not in ("detach", "data"):
                tensor._family.add(tensor, _view(owner, rule, args, options, place))
            if short in _COPIES and of_its_own(held, array) is array:
                tensor._family.copies.add(tensor)
        floating = array.dtype.category in ("real floating", "complex floating")
        if records and floating and short not in ("detach", "data"):
            tensor._requires_grad = True
            tensor._node = node_of(function, args, options, inputs, place, drawn)
        if wanted:
            tensor.requires_grad_()
        return tensor

    if isinstance(made, (tuple, list)):
        found: Any = type(made)(wrapped(x, i) for i, x in enumerate(made))
        found = named(rule.name, found) if isinstance(found, tuple) else found
    else:
        found = wrapped(made, None)
    return found if out is None else _into(out, found)


def _into(out: Any, found: Any) -> Any:
    """Write results into the tensors of `out`, and return these."""
    pairs = zip(out, found, strict=True) if isinstance(out, (tuple, list)) else [(out, found)]
    for target, tensor in pairs:
        if tuple(target.array.shape) == tuple(tensor.array.shape):
            before_write(target)
            target.array[...] = ca.astype(tensor.array, target.dtype)
        else:
            target.array = ca.astype(tensor.array, target.dtype)
    return out


def _written(
    x: Tensor, rule: Rule, function: Callable[..., Any], made: Any, args: Any, options: Any, inputs: list[Tensor]
) -> Tensor:
    """Write the result of an in-place function into its first argument."""
    reshapes = rule.rebinds or tuple(made.shape) != tuple(x.array.shape)
    if inputs and not reshapes:
        recorded_write(x, _on_copy(function), args[1:], options, inputs, made)
    elif reshapes:
        if inputs:
            _rebound(x, rule, args, options, inputs)
        short = rule.name.rpartition(".")[2].removesuffix("_")
        given = [(tuple(x.array.shape), x.stride())]
        further, keywords = [stripped(one) for one in args], {key: stripped(one) for key, one in options.items()}
        x._strides = made_of(short, further, keywords, given, made, 0)
        x.array = made
    else:
        before_write(x)
        x.array[...] = ca.astype(made, x.array.dtype)
    return x


def _rebound(x: Tensor, rule: Rule, args: Any, options: Any, inputs: list[Tensor]) -> None:
    """Record a call that gives a tensor another shape."""
    if x._family is not None and (x._view is not None or x._family.views):
        raise CoreArrayNotImplementedError(
            f"gradients cannot follow '{rule.name}' of a tensor that is a view or has views; compute a new tensor instead"
        )
    x._node = node_of(rule.function, args, options, inputs, None)
    x._requires_grad = True


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
