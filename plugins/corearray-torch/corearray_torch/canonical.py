"""One spelling for each call of torch, so that equal programs give equal graphs.

A call is read by torch's own schemas. Arguments that have their defaults are left out, those that torch takes by position
stand by position, and methods, operators and aliases become one function.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import torch

__all__ = ["WIDENING", "canonical", "is_integer", "spellings"]

#: Operators of tensors that are functions with the same arguments.
_OPERATORS = {
    "__abs__": "abs", "__add__": "add", "__and__": "bitwise_and", "__eq__": "eq", "__floordiv__": "floor_divide",
    "__ge__": "ge", "__gt__": "gt", "__invert__": "bitwise_not", "__le__": "le", "__lt__": "lt", "__matmul__": "matmul",
    "__mod__": "remainder", "__mul__": "mul", "__ne__": "ne", "__neg__": "neg", "__or__": "bitwise_or", "__pow__": "pow",
    "__radd__": "add", "__rmul__": "mul", "__rsub__": "rsub", "__sub__": "sub", "__truediv__": "div", "__xor__": "bitwise_xor",
}  # fmt: skip

#: Other names of a function: NumPy's, those of torch's submodules, and those of its layers.
_ALIASES = {
    "absolute": "abs", "arccos": "acos", "arccosh": "acosh", "arcsin": "asin", "arcsinh": "asinh", "arctan": "atan",
    "arctan2": "atan2", "arctanh": "atanh", "clip": "clamp", "concat": "cat", "concatenate": "cat", "divide": "div",
    "fix": "trunc", "ger": "outer", "greater": "gt", "greater_equal": "ge", "less": "lt", "less_equal": "le",
    "moveaxis": "movedim", "multiply": "mul", "negative": "neg", "not_equal": "ne", "row_stack": "vstack",
    "subtract": "sub", "swapaxes": "transpose", "swapdims": "transpose", "true_divide": "div",
    "det": "linalg.det", "inverse": "linalg.inv", "matrix_power": "linalg.matrix_power", "slogdet": "linalg.slogdet",
    "special.digamma": "digamma", "special.erf": "erf", "special.erfc": "erfc", "special.erfinv": "erfinv",
    "special.exp2": "exp2", "special.expit": "sigmoid", "special.expm1": "expm1", "special.gammaln": "lgamma",
    "special.log1p": "log1p", "special.log_softmax": "log_softmax", "special.logit": "logit",
    "special.logsumexp": "logsumexp", "special.polygamma": "polygamma", "special.round": "round",
    "special.sinc": "sinc", "special.softmax": "softmax", "special.xlogy": "xlogy", "special.i0": "i0",
    "nn.functional.sigmoid": "sigmoid", "nn.functional.tanh": "tanh", "nn.functional.relu": "relu",
    "nn.functional.selu": "selu", "nn.functional.celu": "celu", "nn.functional.softmax": "softmax",
    "nn.functional.log_softmax": "log_softmax",
    "functional.broadcast_tensors": "broadcast_tensors", "functional.einsum": "einsum", "functional.meshgrid": "meshgrid",
    "functional.norm": "norm", "functional.split": "split", "functional.tensordot": "tensordot",
}  # fmt: skip

#: Methods without a function of that name whose arguments are those of one, and methods written in Python.
_METHODS = frozenset(("split", "unique", "unique_consecutive"))

#: Conversions by the name of the dtype.
_CONVERSIONS = {
    "bfloat16": torch.bfloat16, "bool": torch.bool, "byte": torch.uint8, "cdouble": torch.complex128,
    "cfloat": torch.complex64, "char": torch.int8, "double": torch.float64, "float": torch.float32, "half": torch.float16,
    "int": torch.int32, "long": torch.int64, "short": torch.int16,
}  # fmt: skip

#: NumPy's words for parameters, which torch reads too.
_WORDS = {"axis": "dim", "keepdims": "keepdim", "x": "self", "a": "self", "x1": "self", "input": "self", "x2": "other"}

#: What a parameter means without a value where its schema has none or another; of all functions.
_MEANT = {
    "correction": 1, "pin_memory": False, "requires_grad": False, "memory_format": torch.preserve_format,
    "layout": torch.strided, "inplace": False,
}  # fmt: skip

#: Reductions that count integers in int64.
WIDENING = frozenset(f"torch.{name}" for name in ("cumprod", "cumsum", "nansum", "prod", "sum"))

#: What torch takes by keyword only although the schema for numbers has it by position.
_FACTORS = {"add": "alpha", "rsub": "alpha", "sub": "alpha"}

#: Where the places of axes are read by `_turned`.
_TURNS = frozenset(
    ("torch.transpose", "torch.permute", "torch.movedim", "torch.t", "torch.Tensor.T", "torch.Tensor.mT")
)


def canonical(function: Any, name: str, args: Sequence[Any], options: dict[str, Any]) -> Any:
    """Return the function, its name, and its arguments, as each call that does the same has them."""
    function, name, args, options = _aliased(function, name, tuple(args), dict(options))
    options.pop("_stacklevel", None)  # of a warning
    if name.startswith("torch.Tensor.__") or name == "torch.autograd.grad":
        return _special(function, name, args, options)
    if name.startswith("torch.Tensor."):
        short = name[13:]
        if short in _CONVERSIONS or short in ("to", "type"):
            return _converted(function, name, short, args, options)
    found = _bound(function, name, args, options)
    if found is not None:
        args, options = _written(name, *found)
    if name == "torch.linalg.norm" and len(args) == 1 and not options:
        return torch.linalg.vector_norm, "torch.linalg.vector_norm", args, options
    if name == "torch.diag" and args[0].ndim == 1:
        return torch.diag_embed, "torch.diag_embed", args, options
    if name == "torch.Tensor.expand" and len(args) == 2 and not options and -1 not in args[1]:
        return torch.broadcast_to, "torch.broadcast_to", args, options
    if (
        name in ("torch.var", "torch.std")
        and isinstance(options.get("correction"), float)
        and options["correction"].is_integer()
    ):
        options["correction"] = int(options["correction"])
    if name == "torch.max" and len(args) == 2 and isinstance(args[1], torch.Tensor):
        return torch.maximum, "torch.maximum", args, options
    if name == "torch.min" and len(args) == 2 and isinstance(args[1], torch.Tensor):
        return torch.minimum, "torch.minimum", args, options
    if name == "torch.unsqueeze" and len(args) == 2 and args[1] in (0, -1 - args[0].ndim):
        return torch.Tensor.__getitem__, "torch.Tensor.__getitem__", (args[0], None), {}
    if name.removesuffix(".__get__") in _TURNS:
        return _turned(function, name, args, options)
    return function, name, args, options


def spellings() -> dict[str, Any]:
    """Return the functions that stand for others, by where they are found."""
    paths = {
        *_ALIASES.values(),
        *_OPERATORS.values(),
        *_METHODS,
        "diag_embed",
        "linalg.vector_norm",
        "maximum",
        "minimum",
    }
    return {f"torch.{path}": _function_at(path) for path in paths}


def _function_at(path: str) -> Any:
    found: Any = torch
    for part in path.split("."):
        found = getattr(found, part, None)
    return found


def _aliased(function: Any, name: str, args: Any, options: Any) -> Any:
    """Return the function of torch that a method, an operator, or another name stands for."""
    if not name.startswith("torch."):
        return function, name, args, options
    path = name[6:]
    if path.startswith("Tensor."):
        short = path[7:]
        if short in _OPERATORS:
            return getattr(torch, _OPERATORS[short]), f"torch.{_OPERATORS[short]}", args, options
        function_of_it = _function_at(_ALIASES.get(short, short))
        if short == "where" and len(args) == 3:  # of which the tensor is the second argument
            return torch.where, "torch.where", (args[1], args[0], args[2]), options
        if short == "polygamma" and len(args) == 2:
            return torch.polygamma, "torch.polygamma", (args[1], args[0]), options
        native = inspect.isbuiltin(function_of_it) and not short.startswith("_") and _overloads(short)
        if callable(function_of_it) and (native or short in _METHODS) and short not in _CONVERSIONS:
            path = short
    if path.startswith("nn.functional.") and path in _ALIASES:
        unclear = options.get("inplace") or (path.endswith("softmax") and options.get("dim") is None)
        if unclear:
            return function, name, args, options
    path = _ALIASES.get(path, path)
    if f"torch.{path}" == name:
        return function, name, args, options
    return _function_at(path), f"torch.{path}", args, options


def _special(function: Any, name: str, args: Any, options: Any) -> Any:
    """Return the canonical call of an operator that is no function, or of the tape."""
    if name == "torch.autograd.grad":
        defaults = {**dict.fromkeys(options, False), "only_inputs": True}
        said = {key: x for key, x in options.items() if x is not None and x is not defaults[key]}
        return function, name, args, said
    if name == "torch.Tensor.__getitem__" and len(args) == 2:
        return function, name, (args[0], _key(args[1], args[0].ndim)), {}
    return function, name, args, options


def _key(key: Any, ndim: int) -> Any:
    """Return a key without what selects everything at its end."""
    if type(key) is not tuple:
        return key
    parts = list(key)
    if not any(x is Ellipsis for x in parts[:-1]):
        while parts and (parts[-1] is Ellipsis or (type(parts[-1]) is slice and parts[-1] == slice(None))):
            parts.pop()
    if not parts:
        return Ellipsis
    return parts[0] if len(parts) == 1 and type(parts[0]) is not tuple else tuple(parts)


def _converted(function: Any, name: str, short: str, args: Any, options: Any) -> Any:
    """Return `x.to(dtype)` for every conversion; the device only where it is another."""
    x, *rest = args
    said = {key: value for key, value in options.items() if value is not None}
    if short in _CONVERSIONS:
        if rest or said:
            return function, name, args, options
        return torch.Tensor.to, "torch.Tensor.to", (x, _CONVERSIONS[short]), {}
    if short == "type":
        if len(rest) != 1 or said or not isinstance(rest[0], torch.dtype):
            return function, name, args, options
        return torch.Tensor.to, "torch.Tensor.to", (x, rest[0]), {}
    names = ["dtype", "non_blocking", "copy"]
    if rest and isinstance(rest[0], torch.Tensor):
        said |= {"dtype": rest[0].dtype, "device": rest[0].device}
        names[0] = ""
    elif rest and not isinstance(rest[0], torch.dtype):
        names.insert(0, "device")
    said |= {key: value for key, value in zip(names, rest, strict=False) if key and value is not None}
    if said.keys() - {"device", "dtype", "non_blocking", "copy"}:
        return function, name, args, options
    dtype, device = said.get("dtype", x.dtype), torch.device(said.get("device", x.device))
    if device.index is None and device.type == x.device.type:
        device = x.device
    arguments: list[Any] = [x]
    if device != x.device:
        arguments.append(device)
    if dtype != x.dtype or len(arguments) == 1:
        arguments.append(dtype)
    keywords = {}
    if said.get("non_blocking"):
        keywords["non_blocking"] = True
    if said.get("copy") and dtype == x.dtype and device == x.device:
        keywords["copy"] = True  # else there is one anyway
    return torch.Tensor.to, "torch.Tensor.to", tuple(arguments), keywords


def _turned(function: Any, name: str, args: Any, options: Any) -> Any:
    """Return `x.mT` where the last two axes are exchanged, `transpose` for other pairs, and else `permute`."""
    x = args[0]
    if options or not isinstance(x, torch.Tensor):
        return function, name, args, options
    ndim = x.ndim
    order = list(range(ndim))
    short = name.removesuffix(".__get__").rpartition(".")[2]
    if short in ("transpose", "t", "mT", "T"):
        if short == "T" and ndim != 2:
            return function, name, args, options
        if ndim < 2:
            return function, name, args, options
        one, other = (i % ndim for i in (args[1:] if short == "transpose" else (-2, -1)))
        order[one], order[other] = other, one
    elif short == "permute":
        order = [i % ndim for i in args[1]] if ndim else []
    else:
        sources, targets = ([i % ndim for i in ((y,) if isinstance(y, int) else y)] for y in args[1:3])
        free = iter([i for i in range(ndim) if i not in sources])
        order = [sources[targets.index(i)] if i in targets else next(free) for i in range(ndim)]
    moved = [i for i in range(ndim) if order[i] != i]
    if moved == [ndim - 2, ndim - 1]:
        return torch.Tensor.mT.__get__, "torch.Tensor.mT.__get__", (x,), {}  # type: ignore[attr-defined]
    if len(moved) == 2:
        return torch.transpose, "torch.transpose", (x, *moved), {}
    return torch.permute, "torch.permute", (x, tuple(order)), {}


# --- what the arguments of a call mean


@cache
def _overloads(path: str) -> tuple[Any, ...]:
    """Return the schemas of a function of torch by its path behind `torch.`, without those of TorchScript."""
    name = path.removeprefix("Tensor.").removeprefix("nn.functional.")
    for module in ("linalg", "special", "fft"):
        name = name.replace(f"{module}.", f"{module}_")
    if "." in name:
        return ()
    try:
        found = torch._C._jit_get_schemas_for_operator(f"aten::{name}")
    except RuntimeError:
        return ()
    return tuple(x for x in found if _is_of_tensors(x))


def _is_of_tensors(schema: Any) -> bool:
    return any("Tensor" in str(x.type) for x in schema.returns) and "hacked" not in schema.overload_name


@cache
def _signature(function: Callable[..., Any]) -> inspect.Signature | None:
    try:
        return inspect.signature(function)
    except (TypeError, ValueError):
        return None


def _bound(function: Any, name: str, args: Any, options: Any) -> Any:
    """Return the parameters of a call and their values; `None` where nothing says what they are.

    Parameters are `(name, kind, has a default, its default, by keyword only, length)`.
    """
    said = {key: value for key, value in options.items() if value is not None}
    if name in ("torch.var", "torch.std", "torch.var_mean", "torch.std_mean") and "unbiased" in said:
        said["correction"] = int(said.pop("unbiased"))
    if inspect.isfunction(function):
        return _bound_of_python(function, args, said)
    while args and args[-1] is None:
        args = args[:-1]
    path = name.removeprefix("torch.")
    schemas = sorted(_overloads(path), key=lambda x: any(y.name == "out" for y in x.arguments))
    for schema in schemas:
        parameters = _parameters(path, schema)
        found = _fitted(parameters, args, said)
        if found is None:
            continue
        if any(value is None for value in found.values()):  # sum(x, None), for which there is sum(x)
            given = {key: value for key, value in found.items() if value is not None}
            for other in schemas:
                fewer = _parameters(path, other)
                without = _fitted(fewer, (), given)
                if without is not None:
                    parameters, found = fewer, without
                    break
        _leave_out_types(path, parameters, found)
        return parameters, found
    return None


def _leave_out_types(path: str, parameters: list[Any], values: dict[str, Any]) -> None:
    """Leave out a dtype and a device that a function takes from its first argument without them."""
    x, dtype = values.get("self"), values.get("dtype")
    if not isinstance(x, torch.Tensor):
        return
    short = path.rpartition(".")[2]
    if dtype is not None and next(p for p in parameters if p[0] == "dtype")[2]:
        inherits = x.is_floating_point() or x.is_complex() or short.endswith("_like") or short.startswith("new_")
        meant = x.dtype if inherits else torch.int64 if f"torch.{path}" in WIDENING else None
        if dtype == meant:
            del values["dtype"]
    if "device" in values and torch.device(values["device"]) == x.device:
        del values["device"]


def _parameters(path: str, schema: Any) -> list[Any]:
    by_keyword = _FACTORS.get(path.rpartition(".")[2].removesuffix("_"))
    return [
        (x.name, str(getattr(x, "real_type", x.type)), x.has_default_value(), x.default_value,
         x.kwarg_only or x.name == by_keyword, x.N)
        for x in schema.arguments
    ]  # fmt: skip


def _fitted(parameters: list[Any], args: Any, said: dict[str, Any]) -> dict[str, Any] | None:
    """Return values by parameters, if a call fits them."""
    free = [x for x in parameters if not x[4]]
    lists = [i for i, x in enumerate(free) if x[1].startswith("List[int]") or x[1].startswith("List[SymInt]")]
    last = lists[0] if lists and len(free) == lists[0] + 1 and free[-1][5] is None else len(args)
    if len(args) > last and all(map(_is_integer, args[last:])):
        args = (*args[:last], tuple(args[last:]))  # x.permute(1, 0)
    if len(args) > len(free):
        return None
    values = {x[0]: value for x, value in zip(free, args, strict=False)}
    known = {x[0]: x for x in parameters}
    first = parameters[0][0] if parameters else ""
    for key, value in said.items():
        if key not in known:
            key = first if _WORDS.get(key) == "self" else _WORDS.get(key, key)
        if key in values or key not in known:
            if _same(value, _MEANT.get(key)):
                continue
            return None
        values[key] = value
    for key, kind, optional, default, _, length in parameters:
        if key not in values or (values[key] is None and optional):
            values.pop(key, None)
            if not optional:
                return None
        elif values[key] is None and kind.startswith("Optional"):
            continue
        elif not _fits(values[key], kind, length):
            return None
        else:
            values[key] = _plain(values[key], kind, length)
            if optional and (_same(values[key], _plain(default, kind, length)) or _same(values[key], _MEANT.get(key))):
                del values[key]
    return values


def _written(name: str, parameters: list[Any], values: dict[str, Any]) -> Any:
    """Return arguments by position as far as they go, and the others by keyword in the order of the parameters."""
    args: list[Any] = []
    options: dict[str, Any] = {}
    contiguous = True
    for key, kind, *_, keyword, _ in parameters:
        if key not in values:
            contiguous = contiguous and kind == "*"
        elif kind == "*":
            args.extend(values[key])
        elif contiguous and not keyword:
            args.append(values[key])
        else:
            options["input" if key == "self" else key] = values[key]
    return tuple(args), options


def _bound_of_python(function: Any, args: Any, said: dict[str, Any]) -> Any:
    """Return the parameters of a call of a function that is written in Python, and their values."""
    signature = _signature(function)
    if signature is None:
        return None
    try:
        bound = signature.bind(*args, **said)
    except TypeError:
        return None
    parameters, values = [], dict(bound.arguments)
    for key, x in signature.parameters.items():
        if x.kind is x.VAR_KEYWORD:
            if values.pop(key, None):
                return None
            continue
        if x.kind is x.VAR_POSITIONAL:
            given = values.get(key, ())
            if given and isinstance(given[-1], (list, tuple)) and not isinstance(given[0], torch.Tensor):
                values[key] = (*given[:-1], *given[-1])
            parameters.append((key, "*", True, (), False, None))
            continue
        optional = x.default is not x.empty
        if key in values and optional and (_same(values[key], x.default) or _same(values[key], _MEANT.get(key))):
            del values[key]
        elif key in values and values[key] is None and optional:
            return None
        elif key in values:
            values[key] = _plain(values[key], "", None)
        parameters.append((key, "", optional, x.default, x.kind is x.KEYWORD_ONLY, None))
    return parameters, values


def is_integer(x: Any) -> bool:
    """Tell whether a tensor holds integers or truth values."""
    return not (x.is_floating_point() or x.is_complex())


def _is_integer(x: Any) -> bool:
    return isinstance(x, (int, torch.SymInt)) and not isinstance(x, bool)


def _fits(value: Any, kind: str, length: int | None) -> bool:
    """Tell whether torch takes a value for a parameter of a kind; to tell overloads apart, no more."""
    kind = kind.removeprefix("Optional[").removesuffix("]") if kind.startswith("Optional[") else kind
    if kind == "Tensor":
        return isinstance(value, torch.Tensor)
    if kind.startswith("List["):
        inner = kind[5:-1]
        if inner in ("int", "SymInt"):
            return (length is not None and _is_integer(value)) or (
                isinstance(value, (list, tuple)) and all(map(_is_integer, value))
            )
        if "Tensor" in inner:
            return isinstance(value, (list, tuple)) and all(x is None or isinstance(x, torch.Tensor) for x in value)
        return isinstance(value, (list, tuple, int, float))
    if kind in ("int", "SymInt"):
        return _is_integer(value)
    if kind in ("number", "Scalar"):
        return isinstance(value, (int, float, complex, torch.SymInt, torch.SymFloat))
    if kind == "float":
        return isinstance(value, (int, float, torch.SymFloat)) and not isinstance(value, bool)
    if kind == "bool":
        return isinstance(value, bool)
    if kind == "str":
        return isinstance(value, str)
    if kind == "ScalarType":
        return isinstance(value, torch.dtype)
    return not isinstance(value, torch.Tensor)


def _plain(value: Any, kind: str, length: int | None) -> Any:
    """Return a value as it is always written: tuples of sizes, lists of tensors, one axis as an integer."""
    if isinstance(value, (list, tuple)):
        if any(isinstance(x, torch.Tensor) for x in value):
            return list(value) if "List[" in kind else value
        value = tuple(value)
        return value[0] if length == 1 and len(value) == 1 else value
    if length is not None and length > 1 and _is_integer(value):
        return (value,) * length
    return value


def _same(value: Any, default: Any) -> bool:
    """Tell whether an argument has the value of a default: as numbers, and True is none."""
    if isinstance(value, torch.Tensor) or default is None:
        return value is default
    if isinstance(value, bool) or isinstance(default, bool):
        return value is default
    return type(value) in (int, float, str, tuple, list, type(default)) and bool(value == default)
