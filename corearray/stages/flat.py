"""The flat path: the source of the function that users reach on a backend.

For the common call (arrays of this backend, one dtype, no `out`) the text does what the chain of stages would do, in a
few lines without a loop. Everything else, and every call that fails, goes to the chain, which tells the same story in full;
a test holds the two equal. The rule for each line is: it may only be left out if no argument can make a difference.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from corearray.dtypes import DTYPES
from corearray.source import signature_text
from corearray.stages.kernel import forwarding

if TYPE_CHECKING:
    from corearray.declaration import Parameter
    from corearray.stages.compose import Binding

__all__ = ["flat_text"]

_INTEGRAL = ("bool", "signed integer", "unsigned integer")


def flat_text(binding: Binding) -> str:
    """Write the source of a function on a backend; what it needs is put into the backend's scope."""
    declaration = binding.declaration
    parameters = declaration.parameters
    name = declaration.name
    everything = ", ".join(p.name for p in parameters)
    head = f"def {name}({signature_text(parameters)}):\n"
    tail = f"    return chain_{name}([{everything}])\n"
    short = _short_way(binding)
    return head + short + tail


def _short_way(binding: Binding) -> str:
    declaration = binding.declaration
    parameters = declaration.parameters
    name = declaration.name
    arrays = [p for p in parameters if p.role == "array" and p.required]
    if not arrays or any(p.role in ("arrays", "index", "object", "device") for p in parameters):
        return ""
    if not _simple(binding):
        return ""
    scope = binding.backend.scope
    scope["A"] = binding.backend.Array
    composed = binding.implementation is None
    tests = [f"type({p.name}) is A" for p in arrays]
    tests += [f"{p.name} is None" for p in parameters if p.role == "out" or (p.role == "array" and not p.required)]
    tests += ["not special"]
    dtype = next((p for p in parameters if p.role == "dtype"), None)
    if dtype is not None:
        if declaration.infer != "sum":
            return ""
        tests.append(f"{dtype.name} is None")
    lines = [f"    if {' and '.join(tests)}:\n"]
    lines += [f"        n_{p.name} = {p.name}._native\n" for p in arrays]
    inner, indent = _dtype_tests(binding, arrays)
    lines += inner
    pad = " " * indent
    guard = binding.implementation.options.when if binding.implementation else None
    written = {p.name: f"n_{p.name}" for p in arrays}
    if guard is not None:
        scope[f"guard_{name}"] = guard
        text = forwarding(parameters, guard, lambda i: written.get(parameters[i].name, parameters[i].name))
        lines.append(f"{pad}if guard_{name}({text}):\n")
        pad += "    "
    if dtype is not None:
        written[dtype.name] = "dtype_of_x"
    target: Any = binding.composition if composed else binding.implementation.function  # type: ignore[union-attr]
    scope[f"raw_{name}"] = target
    if composed:
        written = {}
    call = forwarding(parameters, target, lambda i: written.get(parameters[i].name, parameters[i].name))
    lines.append(f"{pad}try:\n{pad}    r = raw_{name}({call})\n")
    lines.append(f"{pad}except Exception:\n{pad}    return chain_{name}([{', '.join(p.name for p in parameters)}])\n")
    lines += _wrapping(binding, pad, composed)
    return "".join(lines)


def _simple(binding: Binding) -> bool:
    """Whether the function's stages are all ones that the flat path knows."""
    options = binding.implementation.options if binding.implementation else None
    if options is not None and (options.stages_add or options.stages_skip):
        return False
    returns = binding.declaration.returns
    return returns == "Array" or returns.endswith("Result") or returns.startswith(("tuple[Array", "list[Array"))


def _dtype_tests(binding: Binding, arrays: list[Parameter]) -> tuple[list[str], int]:
    """Write the tests that the arguments need no promotion and no other dtype."""
    declaration = binding.declaration
    name = declaration.name
    scope = binding.backend.scope
    excluded = _slow_dtypes(binding)
    promoted = [p for p in arrays if p.name in declaration.promote]
    lines: list[str] = []
    tests: list[str] = []
    needs_dtype = bool(excluded) or declaration.infer == "sum"
    first = promoted[0] if promoted else arrays[0]
    if len(promoted) > 1:
        if needs_dtype:
            lines.append(f"        dtype_of_x = n_{first.name}.dtype\n")
            tests += [f"dtype_of_x is n_{p.name}.dtype" for p in promoted[1:]]
        else:
            tests += [f"n_{first.name}.dtype is n_{p.name}.dtype" for p in promoted[1:]]
    elif needs_dtype:
        lines.append(f"        dtype_of_x = n_{first.name}.dtype\n")
    if excluded:
        native = binding.backend.native_dtypes
        scope[f"fast_{name}"] = frozenset(native[d] for d in native if d.name not in excluded)
        tests.append(f"dtype_of_x in fast_{name}")
        others = [p for p in arrays if p is not first and p not in promoted]
        if binding.implementation is not None and binding.implementation.options.via:
            tests += [f"n_{p.name}.dtype in fast_{name}" for p in others]
    if not tests:
        return lines, 8
    lines.append(f"        if {' and '.join(tests)}:\n")
    return lines, 12


def _slow_dtypes(binding: Binding) -> set[str]:
    """Names of the dtypes for which the chain must do something before the native call."""
    declaration = binding.declaration
    excluded: set[str] = set()
    if declaration.floating or declaration.infer == "sum":
        excluded |= {dtype.name for dtype in DTYPES.values() if dtype.kind in _INTEGRAL}
    if binding.implementation is not None:
        excluded |= set(binding.implementation.options.via)
    return excluded


def _wrapping(binding: Binding, pad: str, composed: bool) -> list[str]:
    if composed:
        return [f"{pad}return r\n"]
    scope = binding.backend.scope
    if binding.declaration.returns == "Array":
        lines = []
        if binding.backend.ensures:
            scope["N"] = binding.backend.array_types[0]
            scope["ensured"] = binding.backend.ensured
            lines.append(f"{pad}if type(r) is not N:\n{pad}    r = ensured(r)\n")
        return [*lines, f"{pad}result = new(A)\n{pad}result._native = r\n{pad}return result\n"]
    result = binding.result_type
    scope["wrapped"] = binding.backend.wrapped_each
    kind = "list" if binding.declaration.returns.startswith("list") else "tuple"
    if result is not None:
        scope[f"result_{binding.declaration.name}"] = result
        return [f"{pad}return result_{binding.declaration.name}(*wrapped(r))\n"]
    return [f"{pad}return {kind}(wrapped(r))\n"]
