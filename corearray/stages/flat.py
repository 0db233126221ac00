"""The flat path: the source of the function that users reach on a backend.

For the common call (arrays of this backend, one dtype, no `out`) the text does what the chain of stages would do, in
a few lines without a loop. Everything else, and every call that fails, goes to the chain, which tells the same story
in full; a test holds the two equal. The rule for each line is: it may only be left out if no argument can make a
difference.

Names with an underscore in front belong to the backend's scope, `n_x` is the native array of the parameter `x`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from corearray.dtypes import DTYPES
from corearray.source import signature_text
from corearray.stages.kernel import forwarding

if TYPE_CHECKING:
    from corearray.declaration import Parameter
    from corearray.stages.compose import Binding

__all__ = ["flat_text", "is_reflected", "native_text", "operator_text"]

_INTEGRAL = ("bool", "signed integer", "unsigned integer")

#: Keys of `x[key]` that hold no array.
_PLAIN_KEYS = frozenset({int, slice, type(None), type(Ellipsis)})


def _plain_key(key: Any) -> bool:
    """Whether a key of `x[key]` is a tuple that holds no array, and no second `...`."""
    return type(key) is tuple and _PLAIN_KEYS.issuperset(map(type, key)) and key.count(...) < 2


def flat_text(binding: Binding) -> str:
    """Write the source of a function on a backend; what it needs is put into the backend's scope."""
    parameters = binding.declaration.parameters
    name = binding.declaration.name
    everything = ", ".join(p.name for p in parameters)
    fallback = f"return _chain_{name}([{everything}])\n"
    return (
        f"def {name}({signature_text(parameters)}):\n{_Flat(binding, parameters, fallback).short_way()}    {fallback}"
    )


def is_reflected(operator: str) -> bool:
    """Whether an operator is asked of its right operand, as `__radd__` is."""
    return operator.startswith("__r") and operator != "__rshift__"


def operator_text(binding: Binding, operator: str, fallback: str) -> str:
    """Write the source of an operator of the backend's `Array` class: the short way of its function, without `out`."""
    parameters = tuple(p for p in binding.declaration.parameters if p.role != "out")
    names = [p.name for p in parameters]
    if is_reflected(operator):
        names.reverse()
    fallback = f"return {fallback}({', '.join(names)})\n"
    return f"def {operator}({', '.join(names)}, /):\n{_Flat(binding, parameters, fallback).short_way()}    {fallback}"


class _Flat:
    """The pieces of the short way of one function."""

    def __init__(self, binding: Binding, parameters: tuple[Parameter, ...], fallback: str) -> None:
        self.binding = binding
        self.declaration = binding.declaration
        self.name = binding.declaration.name
        self.parameters = parameters
        self.fallback = fallback
        self.options = binding.implementation.options if binding.implementation else None
        self.scope = binding.backend.scope
        self.arrays = [p for p in self.parameters if p.role == "array" and p.required]
        self.sequence = next((p for p in self.parameters if p.role == "arrays" and p.how != "variadic"), None)
        self.promoted = [p for p in self.arrays if p.name in self.declaration.promote]
        self.dtype = next((p for p in self.parameters if p.role == "dtype"), None)
        self.excluded = _slow_dtypes(binding)
        if self.excluded:
            native = binding.backend.native_dtypes
            self.scope[f"_fast_{self.name}"] = frozenset(native[d] for d in native if d.name not in self.excluded)

    def short_way(self) -> str:
        """Write the short way, or nothing for a function that has none."""
        if not self._has_one():
            return ""
        self.scope["_Array"] = self.binding.backend.Array
        tests = [f"{p.name} is None" for p in self.parameters if self._left_open(p)]
        tests += [f"type({p.name}) is bool" for p in self.parameters if p.role == "plain" and type(p.default) is bool]
        tests.append("not _special")
        if self.sequence is not None:
            return self._over_sequence(self.sequence, tests)
        scalars = ""
        if len(self.promoted) == 2 == len(self.arrays) and self.options is not None and self.options.scalars:
            scalars = self._with_scalars(tests)
        tests = [f"type({p.name}) is _Array" for p in self.arrays] + tests
        lines = [f"    if {' and '.join(tests)}:\n"]
        lines += [f"        n_{p.name} = {p.name}._native\n" for p in self.arrays]
        pad = "        "
        conditions = self._conditions()
        if self._needs_dtype:
            lines.append(f"{pad}dtype_of_x = n_{self._first.name}.dtype\n")
        key = next((p for p in self.parameters if p.role == "index"), None)
        if key is not None:
            self.scope.update(_plain_keys=_PLAIN_KEYS, _plain_key=_plain_key)
            conditions.append(f"(type({key.name}) in _plain_keys or _plain_key({key.name}))")
        if conditions:
            lines.append(f"{pad}if {' and '.join(conditions)}:\n")
            pad += "    "
        return "".join(lines) + self._call(pad) + scalars

    def _has_one(self) -> bool:
        options = self.options
        if options is not None and (options.stages_add or options.stages_skip):
            return False
        if any(p.role == "object" or p.how == "variadic" for p in self.parameters):
            return False
        if any(p.role == "device" for p in self.parameters) or (self.dtype and self.declaration.infer != "sum"):
            return False
        returns = self.declaration.returns
        if not (returns == "Array" or returns.endswith("Result") or returns.startswith(("tuple[Array", "list[Array"))):
            return False
        return bool(self.arrays) != (self.sequence is not None)

    def _left_open(self, parameter: Parameter) -> bool:
        return parameter.role in ("out", "dtype") or (parameter.role == "array" and not parameter.required)

    @property
    def _first(self) -> Parameter:
        return self.promoted[0] if self.promoted else self.arrays[0]

    @property
    def _needs_dtype(self) -> bool:
        return bool(self.excluded) or self.declaration.infer == "sum"

    def _conditions(self) -> list[str]:
        """Write the tests that the arguments need no promotion and no other dtype."""
        first = self._first
        dtype = "dtype_of_x" if self._needs_dtype else f"n_{first.name}.dtype"
        tests = [f"{dtype} is n_{p.name}.dtype" for p in self.promoted[1:]]
        if self.excluded:
            tests.append(f"dtype_of_x in _fast_{self.name}")
            if self.options is not None and self.options.via:
                others = [p for p in self.arrays if p is not first and p not in self.promoted]
                tests += [f"n_{p.name}.dtype in _fast_{self.name}" for p in others]
        return tests

    def _with_scalars(self, tests: list[str]) -> str:
        """Write what follows the short way of a function of two operands: one of them may be a Python scalar."""
        one, two = (p.name for p in self.promoted)
        self._weak_table()
        weak = f"_weak_{self.name}"
        return (
            f"    elif {' and '.join(tests)}:\n"
            f"        if type({one}) is _Array:\n"
            f"            n_{one} = {one}._native\n"
            f"            n_{two} = {two}\n"
            f"            plain = n_{one}.dtype in {weak}(type({two}), ()) and {_small(two)}\n"
            f"        elif type({two}) is _Array:\n"
            f"            n_{one} = {one}\n"
            f"            n_{two} = {two}._native\n"
            f"            plain = n_{two}.dtype in {weak}(type({one}), ()) and {_small(one)}\n"
            f"        else:\n"
            f"            plain = False\n"
            f"        if plain:\n" + self._call("            ")
        )

    def _weak_table(self) -> None:
        """Put down in which dtypes a Python scalar of a type changes nothing."""
        native = self.binding.backend.native_dtypes
        usable = {d: native[d] for d in native if d.name not in self.excluded}
        complexes = frozenset(n for d, n in usable.items() if d.kind == "complex floating")
        floats = complexes | frozenset(n for d, n in usable.items() if d.kind == "real floating")
        integers = floats | frozenset(n for d, n in usable.items() if d.kind.endswith("integer"))
        self.scope[f"_weak_{self.name}"] = {int: integers, float: floats, complex: complexes}.get

    def _over_sequence(self, sequence: Parameter, tests: list[str]) -> str:
        """Write the short way of a function of a sequence of arrays."""
        arrays = sequence.name
        fast = f" and dtype_of_x in _fast_{self.name}" if self.excluded else ""
        same = f"\n            dtype_of_x = n_{arrays}[0].dtype\n            for n in n_{arrays}:\n" \
               "                if n.dtype is not dtype_of_x:\n                    break\n            else:\n" \
            if sequence.name in self.declaration.promote else ""  # fmt: skip
        lines = (
            f"    if {' and '.join(tests)} and type({arrays}) in (list, tuple):\n"
            f"        n_{arrays} = [x._native for x in {arrays} if type(x) is _Array]\n"
            f"        if n_{arrays} and len(n_{arrays}) == len({arrays}):"
        )
        if not same:
            return f"{lines}\n" + self._call("            ")
        if fast:
            return f"{lines}{same}                if dtype_of_x in _fast_{self.name}:\n" + self._call(" " * 20)
        return lines + same + self._call(" " * 16)

    def _call(self, pad: str) -> str:
        """Write the native call or that of the composition, and the wrapping of what it returns."""
        binding = self.binding
        composed = binding.implementation is None
        target: Any = binding.composition if composed else binding.implementation.function  # type: ignore[union-attr]
        self.scope[f"_raw_{self.name}"] = binding.implementation.call if binding.implementation else target
        written = {p.name: f"n_{p.name}" for p in [*self.arrays, *([self.sequence] if self.sequence else [])]}
        if self.dtype is not None:
            written[self.dtype.name] = "dtype_of_x"
        lines = []
        if self.options is not None and self.options.when is not None:
            self.scope[f"_guard_{self.name}"] = self.options.when
            lines.append(f"{pad}if _guard_{self.name}({self._arguments(self.options.when, written)}):\n")
            pad += "    "
        if composed:
            written = {} if self.dtype is None else {self.dtype.name: f"{self._first.name}.dtype"}
        lines.append(f"{pad}try:\n{pad}    r = _raw_{self.name}({self._arguments(target, written)})\n")
        lines.append(f"{pad}except Exception:\n{pad}    {self.fallback}")
        return "".join(lines) + self._wrapped(pad, composed)

    def _arguments(self, target: Any, written: dict[str, str]) -> str:
        known_open = {p.name for p in self.parameters if p.role == "out" or (p.role == "array" and not p.required)}
        shown = tuple(p for p in self.parameters if p.name not in known_open)
        if any(p.how != "keyword" and p.name in known_open for p in self.parameters):
            shown = self.parameters
        return forwarding(shown, target, lambda i: written.get(shown[i].name, shown[i].name))

    def _wrapped(self, pad: str, composed: bool) -> str:
        backend = self.binding.backend
        if composed:
            return f"{pad}return r\n"
        if self.declaration.returns == "Array":
            ensured = ""
            if backend.ensures:
                self.scope.update(_Native=backend.array_types[0], _ensured=backend.facts["as_array"])
                ensured = f"{pad}if type(r) is not _Native:\n{pad}    r = _ensured(r)\n"
            return f"{ensured}{pad}result = _new(_Array)\n{pad}result._native = r\n{pad}return result\n"
        self.scope["_wrapped"] = backend.wrapped_each
        result = self.binding.result_type
        if result is not None:
            self.scope[f"_result_{self.name}"] = result
            return f"{pad}return _result_{self.name}(*_wrapped(r))\n"
        kind = "list" if self.declaration.returns.startswith("list") else "tuple"
        return f"{pad}return {kind}(_wrapped(r))\n"


def _small(scalar: str) -> str:
    """Write the test that a Python scalar, if it is an integer, fits into every integer dtype."""
    return f"(type({scalar}) is not int or -1 < {scalar} < 128)"


def _slow_dtypes(binding: Binding) -> set[str]:
    """Names of the dtypes for which the chain must do something before the native call."""
    declaration = binding.declaration
    excluded: set[str] = set()
    if declaration.floating or declaration.infer == "sum":
        excluded |= {dtype.name for dtype in DTYPES.values() if dtype.kind in _INTEGRAL}
    if declaration.real:
        excluded |= {dtype.name for dtype in DTYPES.values() if dtype.kind == "complex floating"}
    if binding.implementation is not None:
        excluded |= set(binding.implementation.options.via)
    return excluded & {dtype.name for dtype in binding.backend.native_dtypes}


def native_text(binding: Binding, scope: dict[str, Any]) -> str:
    """Write the source of a function on native arrays: the bare implementation where dtypes need no care."""
    parameters = binding.declaration.parameters
    tail = f"    return _call([{', '.join(p.name for p in parameters)}])\n"
    flat = _Flat(binding, parameters, tail)
    head = f"def {flat.name}({signature_text(parameters)}):\n"
    implementation = binding.implementation
    if implementation is None or flat.options is None:
        return head + tail
    if not flat._has_one() or binding.result_type is not None:
        return head + tail
    scope["_raw"] = implementation.call
    written = {flat.dtype.name: "dtype_of_x"} if flat.dtype is not None else {}
    call = f"return _raw({flat._arguments(implementation.function, written)})\n"
    tests = [f"{p.name} is None" for p in parameters if flat._left_open(p)]
    if flat.excluded:
        scope["_fast"] = flat.scope[f"_fast_{flat.name}"]
    body: list[str] = []
    if flat.sequence is not None:
        arrays = flat.sequence.name
        tests.append(f"type({arrays}) in (list, tuple) and {arrays}")
        body.append(f"        dtype_of_x = {arrays}[0].dtype\n")
        tests.append(f"all([x.dtype is dtype_of_x for x in {arrays}])")
        dtype = "dtype_of_x"
    else:
        dtype = f"{flat._first.name}.dtype"
        if flat._needs_dtype:
            body.append(f"        dtype_of_x = {dtype}\n")
            dtype = "dtype_of_x"
        tests = [f"{dtype} is {p.name}.dtype" for p in flat.promoted[1:]] + tests
    if flat.excluded:
        tests.append(f"{dtype} in _fast")
        if flat.options.via and flat.sequence is None:
            others = [p.name for p in flat.arrays if p is not flat._first and p not in flat.promoted]
            tests += [f"{name}.dtype in _fast" for name in others]
    if flat.options.when is not None:
        scope["_guard"] = flat.options.when
        tests.append(f"_guard({flat._arguments(flat.options.when, written)})")
    if not tests:
        return f"{head}    {call}"
    body.append(f"        if {' and '.join(tests)}:\n            {call}")
    return f"{head}    try:\n{''.join(body)}    except (AttributeError, TypeError, IndexError):\n        pass\n{tail}"
