"""Programs of TorchScript, run node by node, so that torch shows the calls.

TorchScript runs in C++, where a function mode sees nothing. Here Python walks the graph: calls of tensors are operators of
ATen, lists, dictionaries, numbers and conditions are Python's.
"""

from __future__ import annotations

import builtins
import math
import operator
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any

import torch

import corearray as ca
from corearray.plugin import untraceable

__all__ = ["Script", "is_script"]

#: The numbers that TorchScript has for dtypes, from 0.
_DTYPES = (
    torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64, torch.float16, torch.float32, torch.float64,
    torch.complex32, torch.complex64, torch.complex128, torch.bool, torch.qint8, torch.quint8, torch.qint32, torch.bfloat16,
)  # fmt: skip

_MEMORY_FORMATS = (torch.contiguous_format, torch.preserve_format, torch.channels_last, torch.channels_last_3d)
_LAYOUTS = (torch.strided, torch.sparse_coo)


def is_script(x: Any) -> bool:
    """Return whether an object is a program of TorchScript: a module, a function, or a method of a module."""
    return isinstance(x, (torch.jit.ScriptModule, torch.jit.ScriptFunction, torch._C.ScriptMethod))


class Script:
    """A program of TorchScript as a Python function.

    Parameters
    ----------
    program
        A `ScriptModule`, made by `torch.jit.script`, `trace`, `freeze` or `load`; a `ScriptFunction`; or a method of a module.

    Attributes
    ----------
    __self__
        The module, which holds parameters and buffers; `None` for functions.
    """

    def __init__(self, program: Any) -> None:
        self.__self__: Any = None
        self._state: Any = None
        method = program
        if isinstance(program, torch.jit.ScriptModule):
            if not program._c._has_method("forward"):
                raise ca.TracingError(
                    "this torch.jit.ScriptModule has no method 'forward'; give the method to be transpiled: module.NAME"
                )
            self.__self__, self._state = program, program._c
            method = program._c._get_method("forward")
        elif isinstance(program, torch._C.ScriptMethod):
            self._state = program.owner
            self.__self__ = torch.jit._recursive.wrap_cpp_module(program.owner)
        name = getattr(program, "original_name", None) or getattr(program, "name", None)
        self.__name__ = name if isinstance(name, str) else type(program).__name__
        self.__module__ = "torch.jit"
        self._graph = method.inlined_graph
        self._schema = method.schema
        self._constants = dict(_constants(self._graph))

    def __call__(self, *args: Any, **options: Any) -> Any:
        parameters = list(self._schema.arguments)
        values = [] if self._state is None else [self._state]
        parameters = parameters[len(values) :]
        names = [one.name for one in parameters]
        unknown = [name for name in options if name not in names[len(args) :]]
        missing = [one.name for one in parameters[len(args) :] if not (one.name in options or one.has_default_value())]
        if len(args) > len(parameters) or unknown or missing:
            raise ca.TracingError(
                f"'{self.__name__}' of TorchScript takes ({', '.join(names)}), got {len(args)} arguments by position and "
                f"the keywords {sorted(options)}"
            )
        values += args
        values += [options.get(one.name, one.default_value) for one in parameters[len(args) :]]
        known = dict(self._constants)
        _bind(self._graph.inputs(), values, known)
        _run(self._graph.nodes(), known)
        results = [_result(known[x.debugName()], x.type()) for x in self._graph.outputs()]
        return results[0] if len(results) == 1 else tuple(results)


def _constants(block: Any) -> Iterator[tuple[str, Any]]:
    """Return the constants of a graph, which are there before its calls are recorded."""
    for node in block.nodes():
        if node.kind() == "prim::Constant" and node.output().type().kind() != "FunctionType":
            yield node.output().debugName(), node.output().toIValue()
        for inner in node.blocks():
            yield from _constants(inner)


def _result(value: Any, kind: Any) -> Any:
    """Return a result; sizes that a traced program returns as tensors become tensors."""
    if kind.kind() == "TensorType" and isinstance(value, (bool, int, float)):
        return torch.tensor(value)
    return value


def _bind(names: Any, values: Sequence[Any], known: dict[str, Any]) -> None:
    known.update(zip((x.debugName() for x in names), values, strict=True))


def _run(nodes: Any, known: dict[str, Any]) -> None:
    for node in nodes:
        kind = node.kind()
        if kind == "prim::Constant":
            continue
        if kind == "prim::If":
            condition = _taken(node, known)[0]
            _bind(node.outputs(), _block(list(node.blocks())[0 if condition else 1], (), known), known)
        elif kind == "prim::Loop":
            _bind(node.outputs(), _loop(node, known), known)
        elif kind in _SEVERAL:
            _bind(node.outputs(), list(_SEVERAL[kind](node, _taken(node, known))), known)
        else:
            made = _call(node, kind, _taken(node, known))
            if node.outputsSize() == 1:
                known[node.output().debugName()] = made
            elif node.outputsSize():
                _bind(node.outputs(), made, known)


def _taken(node: Any, known: dict[str, Any]) -> list[Any]:
    return [known[x.debugName()] for x in node.inputs()]


def _block(block: Any, values: Sequence[Any], known: dict[str, Any]) -> list[Any]:
    _bind(block.inputs(), values, known)
    _run(block.nodes(), known)
    return [known[x.debugName()] for x in block.outputs()]


def _loop(node: Any, known: dict[str, Any]) -> list[Any]:
    most, goes_on, *carried = _taken(node, known)
    (block,) = node.blocks()
    count = 0
    while goes_on and count < most:
        goes_on, *carried = _block(block, [count, *carried], known)
        count += 1
    return carried


def _call(node: Any, kind: str, args: list[Any]) -> Any:
    written = _NODES.get(kind)
    if written is not None:
        return written(node, args)
    namespace, _, short = kind.partition("::")
    has_tensors = any(isinstance(x, torch.Tensor) or _lists_tensors(x) for x in args)
    on_lists = bool(args) and isinstance(args[0], (list, dict))
    host = _HOST.get(short)
    if host is not None and namespace in ("aten", "prim"):
        first = bool(args) and isinstance(args[0], torch.Tensor)
        if not has_tensors or (on_lists and short in _OF_LISTS) or (first and short in _CASTS):
            return host(*args)
    if namespace == "prim" and len(args) == 1 and hasattr(args[0], short):
        return getattr(args[0], short)  # an attribute, as prim::is_cuda of a tensor
    schema = node.schema()
    if schema == "(no schema)" or namespace in ("prim", "prims"):
        raise untraceable(
            f"'{kind}' of TorchScript cannot be recorded, at {_place(node)}; transpile the Python module that was "
            "scripted"
        )
    return _operator(schema.partition("(")[0])(args)


def _lists_tensors(x: Any) -> bool:
    return isinstance(x, (list, tuple)) and any(isinstance(one, torch.Tensor) for one in x)


def _place(node: Any) -> str:
    lines = node.sourceRange().strip().splitlines()
    return lines[0].strip().removesuffix(":") if lines else "an unknown line"


@cache
def _operator(name: str) -> Callable[[Sequence[Any]], Any]:
    """Return a function of an operator's arguments in their order, which leaves out those that have their defaults."""
    namespace, _, short = name.partition("::")
    short, _, overload = short.partition(".")
    packet = getattr(getattr(torch.ops, namespace), short)
    function = getattr(packet, overload or "default")
    parameters = function._schema.arguments
    changes = [_NUMBERED.get(_bare(one)) for one in parameters]

    def call(args: Sequence[Any]) -> Any:
        given: list[Any] = []
        options: dict[str, Any] = {}
        count = 0  # of those by position, up to the last that has not its default
        for one, change, x in zip(parameters, changes, args, strict=True):
            default = one.has_default_value() and _equal(x, one.default_value)
            value = change[x] if change is not None and type(x) is int else x
            if not one.kwarg_only:
                given.append(value)
                count = count if default else len(given)
            elif not default:
                options[one.name] = value
        return function(*given[:count], **options)

    return call


def _equal(x: Any, default: Any) -> bool:
    return type(x) is type(default) and bool(x == default)


def _bare(parameter: Any) -> str:
    return str(parameter.real_type).removeprefix("Optional[").removesuffix("]").removesuffix("?")


_NUMBERED = {"ScalarType": _DTYPES, "MemoryFormat": _MEMORY_FORMATS, "Layout": _LAYOUTS}


# --- nodes


def _attribute(node: Any, args: list[Any]) -> Any:
    owner, name = args[0], node.s("name")
    return owner.getattr(name) if hasattr(owner, "getattr") else getattr(owner, name)


def _refuse_attribute(node: Any, args: list[Any]) -> Any:
    owner, name = args[0], node.s("name")
    before = owner.getattr(name) if hasattr(owner, "getattr") else getattr(owner, name, None)
    if before is args[1]:  # as after a write in place
        return
    raise untraceable(
        f"a program of TorchScript sets the attribute '{name}' of its module, at {_place(node)}; a graph would not do so"
    )


def _raise(node: Any, args: list[Any]) -> Any:
    kind = getattr(builtins, str(args[-1]).rpartition(".")[2], None)
    raise kind(args[0]) if isinstance(kind, type) and issubclass(kind, Exception) else RuntimeError(args[0])


def _pairs(_: Any, args: list[Any]) -> dict[Any, Any]:
    return dict(zip(args[::2], args[1::2], strict=True))


def _isinstance(node: Any, args: list[Any]) -> bool:
    kinds = {"Tensor": torch.Tensor, "int": int, "float": float, "bool": bool, "str": str}
    wanted = [str(one) for one in node.tys("types")]
    return any(
        (one == "NoneType" and args[0] is None)
        or (one in kinds and type(args[0]) is kinds[one])
        or (one == "Tensor" and isinstance(args[0], torch.Tensor))
        or (one.startswith("List") and isinstance(args[0], list))
        for one in wanted
    )


_NODES: dict[str, Callable[[Any, list[Any]], Any]] = {
    "prim::GetAttr": _attribute,
    "prim::SetAttr": _refuse_attribute,
    "prim::ListConstruct": lambda _, args: list(args),
    "prim::TupleConstruct": lambda _, args: tuple(args),
    "prim::DictConstruct": _pairs,
    "prim::TupleIndex": lambda _, args: args[0][args[1]],
    "prim::TupleSlice": lambda node, args: args[0][node.i("beg") : node.i("end")],
    "prim::RaiseException": _raise,
    "prim::Print": lambda *_: None,
    "prim::Uninitialized": lambda *_: None,
    "prim::NumToTensor": lambda _, args: args[0],
    "prim::unchecked_cast": lambda _, args: args[0],
    "prim::unchecked_unwrap_optional": lambda _, args: args[0],
    "aten::_unwrap_optional": lambda _, args: args[0],
    "prim::data": lambda _, args: args[0].detach(),
    "prim::dtype": lambda _, args: _DTYPES.index(args[0].dtype),
    "prim::layout": lambda _, args: _LAYOUTS.index(args[0].layout),
    # so that no fast path is taken which has no derivative, as in TransformerEncoderLayer
    "prim::requires_grad": lambda _, args: args[0].is_floating_point(),
    "prim::isinstance": _isinstance,
    "aten::warn": lambda *_: None,
    "aten::device": lambda _, args: torch.device(*args),
    "aten::size": lambda _, args: list(args[0].shape) if len(args) == 1 else args[0].shape[args[1]],
    "aten::dim": lambda _, args: args[0].dim(),
    "aten::numel": lambda _, args: args[0].numel(),
    "aten::is_floating_point": lambda _, args: args[0].is_floating_point(),
}  # fmt: skip

#: Nodes with several results.
_SEVERAL: dict[str, Callable[[Any, list[Any]], Any]] = {
    "prim::ListUnpack": lambda _, args: args[0],
    "prim::TupleUnpack": lambda _, args: args[0],
}


# --- functions of lists, dictionaries, texts and numbers


def _set_item(owner: Any, key: Any, value: Any) -> Any:
    owner[key] = value
    return owner


def _appended(items: list[Any], value: Any) -> list[Any]:
    items.append(value)
    return items


def _extended(items: list[Any], values: list[Any]) -> list[Any]:
    items.extend(values)
    return items


def _quotient(x: Any, y: Any, rounding_mode: str | None = None) -> Any:
    whole = {"floor": math.floor, "trunc": math.trunc}.get(rounding_mode or "")
    return x / y if whole is None else whole(x / y)


def _sliced(x: Any, *where: Any) -> Any:
    start, end, step = where if len(where) == 3 else (*where, 1)
    return x[slice(start, end, step)]


def _sum(x: Any, y: Any, alpha: Any = 1) -> Any:
    return x + y if alpha == 1 else x + alpha * y


#: Functions of lists, which go before operators where the lists hold tensors.
_OF_LISTS = frozenset(
    "append extend insert pop clear copy list len __getitem__ _set_item slice keys values items get __contains__ "
    "reverse __is__ __isnot__ add mul".split()
)

#: Reads of one element, as `int(x)`.
_CASTS = frozenset("Int IntImplicit Float FloatImplicit Bool ScalarImplicit len __is__ __isnot__".split())

_HOST: dict[str, Callable[..., Any]] = {
    "Bool": bool, "Float": float, "FloatImplicit": float, "Int": int, "IntImplicit": int, "ScalarImplicit": lambda x: x,
    "__and__": operator.and_, "__contains__": operator.contains, "__getitem__": operator.getitem,
    "__is__": operator.is_, "__isnot__": operator.is_not, "__not__": operator.not_, "__or__": operator.or_,
    "__xor__": operator.xor, "_set_item": _set_item, "abs": abs, "add": _sum, "all": all, "any": any,
    "append": _appended, "ceil": math.ceil, "clear": lambda x: x.clear(), "copy": lambda x: x.copy(), "div": _quotient,
    "eq": operator.eq, "extend": _extended, "floor": math.floor, "floordiv": operator.floordiv,
    "format": lambda text, *args: text.format(*args), "ge": operator.ge, "get": lambda x, *key: x.get(*key), "gt": operator.gt,
    "insert": lambda x, i, v: x.insert(i, v), "items": lambda x: list(x.items()), "keys": lambda x: list(x), "le": operator.le,
    "len": len, "list": list, "lt": operator.lt, "max": max, "min": min, "mul": operator.mul, "ne": operator.ne,
    "neg": operator.neg, "pop": lambda x, *i: x.pop(*i), "pow": operator.pow, "remainder": operator.mod,
    "reverse": lambda x: x.reverse(), "slice": _sliced, "sqrt": math.sqrt, "str": str, "sub": operator.sub, "sum": sum,
    "values": lambda x: list(x.values()),
}  # fmt: skip
