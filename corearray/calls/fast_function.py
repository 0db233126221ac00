"""The source of the function that users reach on a backend.

For the common call (arrays of this backend, one dtype, no `out`) the text does what the pipeline would do, in a
few lines without a loop. Everything else goes to the pipeline; a test holds the two equal. A line may only be left out if no
argument can make a difference.

Names with an underscore in front belong to the backend's scope. What several texts of a function share is put there once:
a tracer that has seen it would trace again if it were made anew.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from corearray.calls.accelerated import accelerator
from corearray.calls.codegen import (
    ENTERED,
    GUARD,
    attempt,
    defined,
    leaving,
    pairwise_lines,
    signature_text,
    unless_slow,
    when,
)
from corearray.calls.creation import creation_lines
from corearray.calls.kernels import natives_of
from corearray.calls.positions import guard_lines
from corearray.calls.scalars import bounds_case, is_weak, numbers_case, scalars_cases
from corearray.calls.settle import forwarding
from corearray.checks.keys import array_key
from corearray.checks.options import option_tests
from corearray.container import Container
from corearray.contract.declaration import parameters_of
from corearray.contract.info import Fast
from corearray.stages.views import PLAIN_KEYS, plain_key, recorder
from corearray.types.dtypes import DTYPES, DType

if TYPE_CHECKING:
    from corearray.arrays.kind import Kind
    from corearray.calls.binding import Binding
    from corearray.contract.declaration import Parameter

__all__ = ["FunctionWriter", "function_text", "is_reflected", "operator_text", "preferred"]

#: The stages that record views, which fast paths do too.
_RECORD_VIEWS = frozenset({"handle_view", "handle_view_indexing"})
_INTEGERS = {d.name: d.bits for d in DTYPES.values() if d.category in ("bool", "signed integer", "unsigned integer")}
_NARROW_INTEGERS = {name for name, bits in _INTEGERS.items() if bits < 64}
_COMPLEX = {d.name for d in DTYPES.values() if d.category == "complex floating"}

#: Tests, and the call for the case that they hold.
_Common = tuple[list[str], str]


def preferred(common: _Common | None, call: str) -> str:
    """Write a call, or the one of the common case where its tests hold."""
    if common is None:
        return call
    tests, text = common
    return f"{text} if {' and '.join(tests)} else {call}" if tests else text


def function_text(binding: Binding) -> str:
    """Write the source of a function on a backend; what it needs is put into the backend's scope."""
    parameters = binding.declaration.parameters
    name = binding.declaration.name
    guard = guard_lines(name, parameters)
    writer = FunctionWriter(binding, parameters, GUARD if guard else "")
    to_pipeline = f"return _pipelines.{name}([{', '.join(p.name for p in parameters)}])"
    body = [*unless_slow(writer.fast_path() or creation_lines(writer)), *leaving([*guard, to_pipeline])]
    return defined(name, signature_text(parameters), body)


def is_reflected(operator: str) -> bool:
    """Whether an operator is asked of its right operand, as `__radd__` is."""
    return operator.startswith("__r") and operator != "__rshift__"


def operator_text(binding: Binding, operator: str, fallback: str) -> str:
    """Write the source of an operator of the backend's `Array` class: the fast path of its function, without `out`."""
    parameters = tuple(p for p in binding.declaration.parameters if p.role != "out")
    names = [p.name for p in parameters]
    if is_reflected(operator):
        names.reverse()
    # A `__getitem__` of two parameters Python itself calls in place of what stands in the slot of the class.
    further = ", *_" if accelerator and operator == "__getitem__" else ""
    body = unless_slow(FunctionWriter(binding, parameters).fast_path())
    body += leaving([f"return {fallback}({', '.join(names)})"])
    return defined(operator, f"{', '.join(names)}, /{further}", body)


class FunctionWriter:
    """The pieces of the fast path of one function."""

    def __init__(
        self, binding: Binding, parameters: tuple[Parameter, ...], guard: str = "", *, of_natives: bool = False
    ) -> None:
        self.binding = binding
        self.declaration = binding.declaration
        self.name = binding.declaration.name
        self.parameters = parameters
        self.guard = guard
        #: Whether it is the function on native arrays, which meets fewer stages.
        self.of_natives = of_natives
        self.options = binding.implementation.options if binding.implementation else None
        #: Whether the implementation is for some calls only.
        self.guarded = self.options is not None and self.options.when is not None
        self.scope = binding.scope
        self.arrays = [p for p in self.parameters if p.role == "array" and p.required]
        self.sequence = next((p for p in self.parameters if p.role == "arrays"), None)
        self.promoted = [p for p in self.arrays if p.name in self.declaration.promote]
        #: The arrays that may be left out and are of the dtype of the others, as the bias of a layer.
        promote = self.declaration.promote
        self.optional = [p for p in self.parameters if p.role == "array" and not p.required and p.name in promote]
        self.dtype = next((p for p in self.parameters if p.role == "dtype"), None)
        #: Whether a dtype is asked for; where every option has its default the result is no view of the argument.
        self.casts = self.dtype is not None and self.dtype.required
        #: Whether a new array is made beside another one, of its dtype and on its device.
        roles = {p.role for p in parameters}
        self.like = self.declaration.infer == "like" and roles <= {"array", "dtype", "device", "object"}
        self.excluded = _slow_dtypes(binding)
        self.usable_kinds = self.kinds_without(self.excluded)
        fast = self.options.fast if self.options else Fast()
        #: The method of a native array that says whether `common` gives a view of it.
        self.shares = fast.view if isinstance(fast.view, str) else ""
        #: What is called with every option at its default.
        self.common = fast.call
        #: What records views. A framework that writes in place gives its own; where it has to copy, `view` raises, or
        #: the stage was added.
        shares = binding.backend.writes_in_place and not (self.options and _RECORD_VIEWS & self.options.stages_add)
        self.record = None if shares or self.casts else recorder(binding)
        #: Whether a framework may make numbers of truth values, where the dtype stays for all others.
        self.unsure_of_truth = self.declaration.elementwise and self.declaration.gives == "same"
        self.has_fast_path = self._has_fast_path()

    @property
    def usable(self) -> dict[DType, Any]:
        """The dtypes that need no care, with the native ones."""
        native = self.binding.backend.native_dtypes
        return {dtype: native[dtype] for dtype in native if dtype.name not in self.excluded}

    def kinds_without(self, excluded: set[str]) -> frozenset[Kind]:
        """Return the kinds of the backend without those of some dtypes."""
        backend = self.binding.backend
        return frozenset(
            backend.kinds[native] for dtype, native in backend.native_dtypes.items() if dtype.name not in excluded
        )

    def fast_path(self) -> list[str]:
        """Write the fast path, or nothing for a function that has none."""
        if not self.has_fast_path:
            return []
        unsure = {"bool"} if self.unsure_of_truth and self.options is not None else set()
        self.scope.setdefault(f"_fast_{self.name}", self.kinds_without(self.excluded | unsure))
        self.scope["_Array"] = self.binding.backend.Array
        tests = [*self._guarded(), *self.open_tests(self.scope)]
        itself: list[str] = []
        if self.dtype is not None and self.casts:
            itself = self._itself(tests)
            tests.append(f"(copy is True or copy is False and _kind_of[{self.dtype.name}] is not kind)")
        else:
            tests += option_tests(self.declaration, self.scope, composed=self.options is None)
        tests += [is_weak(self, p.name) for p in self.parameters if p.role == "object"]
        if self.options is None or self.options.partial:  # a composition may make sense of a Container
            self.scope["_Container"] = Container
            plain = [p.name for p in self.parameters if p.role == "plain" and type(p.default) is not bool]
            tests += [f"_type({name}) is not _Container" for name in plain]
        cases = numbers_case(self, tests)
        if len(self.arrays) == 1:
            cases += bounds_case(self, tests)
        cases += self._of_one_kind(tests)
        if len(self.promoted) == 2:
            cases += scalars_cases(self, tests)
        cases += [*self._with_array_key(tests), *itself]
        arguments = ", ".join(p.name for p in self.parameters)
        return attempt(cases, f"_recoveries.{self.name}.after(_error, [{arguments}{self._left_out}])")

    @property
    def _left_out(self) -> str:
        """The parameters of the declaration that an operator leaves out; they come last."""
        return ", None" * (len(self.declaration.parameters) - len(self.parameters))

    def _guarded(self) -> list[str]:
        tests = [f"{self.guard} is None"] if self.guard else []
        return [*tests, f"{self.first.name}._native.{self.shares}()"] if self.shares else tests

    def _itself(self, tests: list[str]) -> list[str]:
        """Write the case of an array that has the dtype already, and need not be copied."""
        assert self.dtype is not None
        backend = self.binding.backend
        self.scope |= {"_kind_of": backend.kind_of, "_native_dtypes": backend.spelled_dtypes}
        return when(["copy is False", *tests, f"_kind_of[{self.dtype.name}] is kind"], [f"return {self.first.name}"])

    def _of_one_kind(self, tests: list[str]) -> list[str]:
        """Write the case of arrays of one kind, with any options."""
        fast = f"_fast_{self.name}"
        natives = {p.name: f"None if {p.name} is None else {p.name}._native" for p in self.optional}
        conditions = [f"kind in {fast}", *tests]
        conditions += [f"({p.name} is None or {p.name}._kind is kind)" for p in self.optional]
        if self.sequence is not None and not self.arrays:
            arrays = self.sequence.name
            natives[arrays] = "natives"
            lines = pairwise_lines(arrays, attribute="_kind", found="kind", natives="natives")
            lines += when(conditions, self.call_lines(natives, self.common_call(natives, self.scope)))
            return when([f"(_type({arrays}) is list or _type({arrays}) is tuple)"], lines)
        natives |= {p.name: f"{p.name}._native" for p in self.arrays}
        beside = _slow_dtypes(self.binding, beside=True)
        self.scope.setdefault(f"_beside_{self.name}", self.kinds_without(beside))
        if len(self.promoted) == 2:
            conditions.insert(0, f"kind is {self.promoted[1].name}._kind")
        for p in self.arrays:
            if p is self.first or (len(self.promoted) == 2 and p in self.promoted):
                continue
            if p.condition or p in self.promoted:
                conditions.append(f"{p.name}._kind is {'kind.as_bool' if p.condition else 'kind'}")
            else:
                conditions.append(f"{p.name}._kind in {fast if self.excluded == beside else f'_beside_{self.name}'}")
        lines = [f"kind = {self.first.name}._kind"]
        key = next((p for p in self.parameters if p.role == "index"), None)
        if key is not None:
            self.scope.update(_plain_keys=PLAIN_KEYS, _plain_key=plain_key)
            conditions.append(f"(_type({key.name}) in _plain_keys or _plain_key({key.name}))")
        if self.sequence is not None:
            self.scope["_natives_of"] = natives_of
            lines.append(f"natives = _natives_of({self.sequence.name}, kind)")
            conditions.insert(0, "natives is not None")
            natives[self.sequence.name] = "natives"
        lines += when(conditions, self.call_lines(natives, self.common_call(natives, self.scope)))
        if len(self.promoted) == 2:  # the cases of a number beside an array follow
            lines = when([f"_type({self.promoted[0].name}) is _type({self.promoted[1].name})"], lines)
        return lines

    def _with_array_key(self, tests: list[str]) -> list[str]:
        """Write the case of `x[key]` with arrays in the key: the result is no view, so that there is no record."""
        key = next((p for p in self.parameters if p.role == "index"), None)
        if key is None:
            return []
        self.scope["_array_key"], array = array_key, self.first.name
        record, self.record = self.record, None
        call = self.call_lines({array: f"{array}._native", key.name: "native"})
        self.record = record
        case = [f"kind = {array}._kind", *when([f"kind in _fast_{self.name}", *tests], call)]
        return [f"native = _array_key(_Array, {key.name})", *when(["native is not None"], case)]

    def _has_fast_path(self) -> bool:
        """Whether the function can have a fast path at all."""
        options = self.options
        if options is not None and (options.stages_add - _RECORD_VIEWS or options.stages_skip):
            return False
        binding = self.binding
        if binding.has_own_native_stages if self.of_natives else binding.has_own_stages:  # unknown to the fast path
            return False
        if any(p.role == "object" for p in self.parameters) and not self.like:
            return False
        if any(p.how == "variadic" and p.role != "arrays" for p in self.parameters):
            return False
        makes = any(p.role == "device" for p in self.parameters) or self.dtype is not None
        if makes and not (
            self.casts or (self.like and options) or (self.dtype and self.declaration.infer in ("sum", "mean"))
        ):
            return False
        returns = self.declaration.returns
        if not (returns == "Array" or returns.endswith("Result") or returns.startswith(("tuple[Array", "list[Array"))):
            return False
        if self.sequence is None or not self.arrays:
            return bool(self.arrays or self.sequence)
        return self.sequence.required and len(self.promoted) == 1 and self.sequence.name in self.declaration.promote

    def left_open(self, parameter: Parameter) -> bool:
        """Whether an argument must have its default on the fast path."""
        return not parameter.required and parameter.role in ("array", "device", "dtype", "mode", "out", "synonym")

    def open_tests(self, scope: dict[str, Any]) -> list[str]:
        """Write the tests that arguments are left open; the text of a mode is one object wherever it is written."""
        return [self.default_test(p, scope) for p in self.parameters if self.left_open(p) and p not in self.optional]

    def default_test(self, parameter: Parameter, scope: dict[str, Any]) -> str:
        """Write the test that an argument is the default itself."""
        default = repr(parameter.default)
        if parameter.default is not None and type(parameter.default) is not bool:
            default = f"_default_{self.name}_{parameter.name}"
            scope[default] = parameter.default
        return f"{parameter.name} is {default}"

    @property
    def first(self) -> Parameter:
        """The array whose dtype counts."""
        return self.promoted[0] if self.promoted else self.arrays[0]

    def common_call(self, written: dict[str, str], scope: dict[str, Any]) -> _Common | None:
        """Write the call of `common`, for the case that every optional argument has its default."""
        if self.common is None:
            return None
        scope[f"_common_{self.name}"] = self.common
        optional = [p for p in self.parameters if not p.required and (not self.left_open(p) or p in self.optional)]
        required = ", ".join(written.get(p.name, p.name) for p in self.parameters if p.required)
        return [self.default_test(p, scope) for p in optional], f"_common_{self.name}({required})"

    def call_lines(self, written: dict[str, str], common: _Common | None = None) -> list[str]:
        """Write the call of the implementation or of the composition, and the wrapping of its result.

        Parameters
        ----------
        written
            The expressions of arguments by parameter; others are forwarded.
        common
            A call that computes the same where its tests hold.
        """
        binding = self.binding
        composed = binding.implementation is None
        target: Any = binding.composition if composed else binding.implementation.function  # type: ignore[union-attr]
        self.scope[f"_raw_{self.name}"] = binding.implementation.call if binding.implementation else target
        written = dict(written)
        lines = []
        if self.dtype is not None and self.casts:
            written[self.dtype.name] = self.dtype.name if composed else "_dtype"
            lines += [] if composed else [f"_dtype = _native_dtypes[{self.dtype.name}]"]
        elif self.like:
            written |= self.beside(f"{self.first.name}._native", self.scope)
        elif self.dtype is not None:
            written[self.dtype.name] = f"{self.first.name}.dtype" if composed else f"{self.first.name}._native.dtype"
        guard = ""
        if self.options is not None and self.options.when is not None:
            self.scope[f"_guard_{self.name}"] = self.options.when
            guard = f"_guard_{self.name}({self.arguments(self.options.when, written)})"
        if composed:
            written = {name: text for name, text in written.items() if self.dtype and name == self.dtype.name}
        call = f"_raw_{self.name}({self.arguments(target, written)})"
        if composed and binding.fused is not None:
            self.scope[f"_fused_{self.name}"] = binding.fused
            call = f"_fused_{self.name}([{', '.join(written.get(p.name, p.name) for p in self.parameters)}])"
        call = preferred(common, call)
        result = [f"return {call}"] if composed else [f"r = {call}", *self._wrapped()]
        return [*lines, *when([guard] if guard else [], [ENTERED, *result])]

    def arguments(self, target: Any, written: dict[str, str]) -> str:
        """Write the arguments of a call of an implementation or guard."""
        known_open = {p.name for p in self.parameters if p.role == "out" or (p.role == "device" and not self.like)}
        known_open |= {
            p.name for p in self.parameters if p.role == "array" and not p.required and p not in self.optional
        }
        taken = {p.name for p in parameters_of(target) if p.how != "keyword"}
        # One that is taken by position holds the places of the others.
        shown = tuple(p for p in self.parameters if p.name not in known_open or taken & known_open)
        return forwarding(shown, target, lambda i: written.get(shown[i].name, shown[i].name))

    def beside(self, native: str, scope: dict[str, Any]) -> dict[str, str]:
        """Write the dtype and the device of a new array that is like another one."""
        scope["_beside"] = self.binding.backend.beside
        texts = {"dtype": f"{native}.dtype", "device": f"_beside({native})"}
        return {p.name: texts[p.role] for p in self.parameters if p.role in texts}

    def array_check(self) -> list[str]:
        """Write what makes a native array of a result `r` that is none."""
        backend = self.binding.backend
        if not backend.ensures:
            return []
        self.scope.update(_Native=backend.array_types[0], _ensured=backend.facts["as_array"])
        return ["if _type(r) is not _Native:", "    r = _ensured(r)"]

    def made(self, kind: str) -> list[str]:
        """Write the return of the array that is made of the native result `r`."""
        made = ["result = _Array()", "result._native = r", f"result._kind = {kind}"]
        return [*self.array_check(), *made, f"return {self._recorded('result')}"]

    def _wrapped(self) -> list[str]:
        """Write the return of what the native call gave, `r`."""
        backend = self.binding.backend
        if self.declaration.returns == "Array":
            # A framework that meets an array of ours among the options gives one back, by its protocol.
            ours = ["if _type(r) is _Array:", "    return r"] if any(p.role == "plain" for p in self.parameters) else []
            gives = self.declaration.gives
            if gives == "same" or self.like:
                return [*ours, *self.made("kind")]
            native = backend.native_dtypes.get(DTYPES[gives]) if gives else None
            if native is None:
                self.scope.setdefault("_wrap", backend.wrap)
                return [*ours, *self.array_check(), f"return {self._recorded('_wrap(r)')}"]
            self.scope[f"_{gives}_kind"] = backend.kinds[native]
            return [*ours, *self.made(f"_{gives}_kind")]
        self.scope.setdefault("_wrapped", backend.wrapped_each)
        result = self.binding.result_type
        if result is not None:
            self.scope[f"_result_{self.name}"] = result
            return [f"return _result_{self.name}(*_wrapped(r))"]
        kind = "list" if self.declaration.returns.startswith("list") else "tuple"
        return [f"return {self._recorded(f'{kind}(_wrapped(r))')}"]

    def _recorded(self, result: str) -> str:
        """Write the record that a result is a view of its argument, around the result."""
        if self.record is None:
            return result
        self.scope[f"_record_{self.name}"] = self.record
        return f"_record_{self.name}({', '.join([result, *(p.name for p in self.parameters)])})"


def _slow_dtypes(binding: Binding, *, beside: bool = False) -> set[str]:
    """Names of the dtypes for which the pipeline must do something before the native call.

    With `beside`, those of arrays that are not promoted where others are, as indices: they stay what they are.
    """
    declaration = binding.declaration
    excluded: set[str] = set()
    if declaration.floating and not (beside and declaration.promote):
        excluded |= _INTEGERS.keys()
    if declaration.infer == "sum":  # which widens all integers but those of 64 bits
        excluded |= _NARROW_INTEGERS
    if declaration.real or declaration.complex_input != "entire":
        excluded |= _COMPLEX
    if binding.implementation is not None:
        excluded |= set(binding.implementation.options.via)
        excluded |= set() if beside else binding.implementation.options.lacks
    return excluded & binding.backend.spelled_dtypes.keys()
