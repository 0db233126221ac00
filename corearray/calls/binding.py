"""A declaration bound to a backend: the winner, the stages that it needs, and the callables that come of it.

Three callables: `native` on native arrays, `pipeline` on the list of bound arguments (every stage, written plainly),
and `function`, which users reach and which takes the fast path where the arguments allow it and else the pipeline.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cached_property, partial
from types import CodeType, FunctionType
from typing import TYPE_CHECKING, Any

from corearray.arrays.nested import map_nested, to_native
from corearray.calls.accelerated import accelerator, lazy_function
from corearray.calls.codegen import compiled
from corearray.calls.failure import Recovery, unless_final
from corearray.calls.fast_function import FunctionWriter, function_text, is_reflected, operator_text
from corearray.calls.forwarding import forward
from corearray.calls.fused import compile_composition
from corearray.calls.kernels import Kernels, kernels_of
from corearray.calls.native import framework_function, native_text
from corearray.calls.plan import native_plan_of, plan_of
from corearray.calls.positions import by_position
from corearray.calls.promotion import with_promotion
from corearray.calls.settle import invocation, kernel
from corearray.contract.declaration import Declaration
from corearray.errors import CoreArrayTypeError

if TYPE_CHECKING:
    from corearray.backends.backend import Backend
    from corearray.calls._accelerator import CallPlan
    from corearray.contract.info import Options

__all__ = ["Binding", "Call", "Candidate"]

Call = Callable[[list[Any]], Any]


class Candidate:
    """An implementation that a plugin offers.

    Attributes
    ----------
    function, options
        The function that was marked, and what `hookimpl` was given.
    call
        What is called: the function, or the framework's own that stands for it.
    plugin
        Name of the plugin and module, for reports.
    otherwise
        The implementation of the calls that this one leaves, by its guard or for their dtypes; `None` for the composition.
    """

    __slots__ = ("call", "function", "options", "otherwise", "plugin")

    def __init__(self, function: FunctionType, options: Options, plugin: str) -> None:
        self.function = function
        self.options = options
        self.call: Callable[..., Any] = options.native or function
        self.plugin = plugin
        self.otherwise: Candidate | None = None

    @property
    def name(self) -> str:
        """The name of the function as it is written in the plugin."""
        return self.function.__name__

    @property
    def extension(self) -> str:
        """The name of the extension that offers it, or `""` for a backend's own."""
        owner = self.plugin.partition(":")[0]
        return owner[1:] if owner.startswith("+") else ""

    @property
    def module(self) -> str:
        """The module or class of the plugin that offers it."""
        return self.plugin.partition(":")[2]


#: What Python asks of the right operand if the left one declines; others are asked by the name with an `r`.
_SWAPPED = {
    "__lt__": "__gt__", "__le__": "__ge__", "__gt__": "__lt__", "__ge__": "__le__", "__eq__": "__eq__", "__ne__": "__ne__",
}  # fmt: skip


class Binding:
    """One function on one backend.

    Attributes
    ----------
    declaration, backend
        What is bound to what.
    implementation
        The native candidate that won, or `None` where the composition runs.
    dropped
        The native candidates that did not win, with reasons, as text; `""` if there are none.
    arrays, sequences, nested
        Places of the parameters that are arrays, sequences of arrays, or nests that may hold some.
    own_stages
        Names of the stages of the pipeline, once it is composed, that the backend has written for itself.
    """

    def __init__(
        self,
        declaration: Declaration,
        backend: Backend,
        implementation: Candidate | None,
        stage: Callable[[str, Call, Binding], Call | None],
        dropped: str = "",
    ) -> None:
        self.declaration = declaration
        self.backend = backend
        #: The globals of what is generated for this function.
        self.scope = backend.scope
        self.implementation = implementation
        self.dropped = dropped
        self._stage = stage
        self.own_stages: set[str] = set()
        parameters = declaration.parameters
        self.arrays = [i for i, p in enumerate(parameters) if p.role == "array"]
        self.sequences = [i for i, p in enumerate(parameters) if p.role == "arrays"]
        self.nested = [i for i, p in enumerate(parameters) if p.role in ("index", "object")]
        self._places = {p.role: i for i, p in enumerate(parameters) if p.role in ("dtype", "device", "out")}
        returns = declaration.returns
        self.returns_arrays = "Array" in returns or returns.endswith("Result")
        self._composition: FunctionType | None = None
        self._plan: CallPlan | None = None
        self._native: Callable[..., Any] | None = None
        self._function: Any = None
        self._pipeline: Call | None = None
        self._generated: list[tuple[FunctionType, str]] = []

    def forced(self, stage: str) -> bool:
        """Whether the implementation names a stage in `stages_add`."""
        return self.implementation is not None and stage in self.implementation.options.stages_add

    @property
    def kind(self) -> str:
        """`"native"`, `"partial mixed"` or `"composed"`; a case of another function is computed as that one."""
        if self.implementation is None:
            case_of = self.declaration.case_of
            return "composed" if case_of is None else self.backend.binding(case_of).kind
        return "partial mixed" if self.implementation.options.partial else "native"

    @property
    def result_type(self) -> type | None:
        """The named tuple that is returned, if one is."""
        returns = self.declaration.returns
        if not returns.endswith("Result"):
            return None
        found = vars(sys.modules[self.declaration.function.__module__])[returns]
        return found if isinstance(found, type) else None

    @property
    def composition(self) -> FunctionType | None:
        """The body of the declaration with `xp` bound to the backend, if there is a body."""
        if self._composition is None and self.declaration.compositional:
            self._composition = self.composition_with(self.backend)
        return self._composition

    def composition_with(self, xp: object) -> FunctionType:
        """The body of the declaration with `xp` bound to a backend, or to what has its functions for native arrays."""
        return _bound(self.declaration.function, xp, {})

    @property
    def retired(self) -> bool:
        """Whether another binding has taken the place of this one, see `Backend.forget`."""
        return self.scope is not self.backend.scope

    def retire(self) -> None:
        """Let the functions that users hold forward to the binding that is in force."""
        for held in (self._function, self._native):
            if accelerator and type(held) is accelerator.Function:
                held.plan = None
        for function, attribute in self._generated:
            forward(function, attribute, self.declaration, self.backend)

    @cached_property
    def kernels(self) -> Kernels:
        """The native functions that compute calls by themselves, by kind."""
        return kernels_of(self._pieces)

    @cached_property
    def _pieces(self) -> FunctionWriter:
        return FunctionWriter(self, self.declaration.parameters)

    @cached_property
    def fused(self) -> Call | None:
        """The composition as one call that the framework compiles, if the plugin has it compiled."""
        return compile_composition(self)

    def place(self, role: str) -> int | None:
        """Place of the parameter with the role `"dtype"`, `"device"` or `"out"`."""
        return self._places.get(role)

    def stages(self) -> list[str]:
        """Names of the stages that this function has, the innermost first."""
        names: list[str] = []
        self._composed(self.backend.stage_order, names)
        return names

    def _composed(
        self, order: tuple[str, ...], names: list[str] | None = None, innermost: Callable[[Call], Call] | None = None
    ) -> Call:
        call = kernel(self, innermost)
        options = self.implementation.options if self.implementation else None
        for name in order:
            if options is not None and name in options.stages_skip:
                continue
            wrapped = self._stage(name, call, self)
            if wrapped is not None:
                call = wrapped
                if names is not None:
                    names.append(name)
        return call

    @property
    def pipeline(self) -> Call:
        """Every stage around the innermost call, on the list of bound arguments."""
        if self._pipeline is None:
            self._pipeline = self._composed(self.backend.stage_order)
        return self._pipeline

    @cached_property
    def explaining(self) -> Call:
        """The pipeline up to the native call, which raises the error that a fast path met, see `corearray.calls.failure`."""
        return self._composed(self.backend.stage_order, innermost=partial(unless_final, self))

    @cached_property
    def recovery(self) -> Recovery:
        """What the fast paths call after a native error."""
        return Recovery(self, lambda: self.pipeline, lambda: self.explaining)

    @cached_property
    def native_recovery(self) -> Recovery:
        """What the fast paths of the function on native arrays call after a native error."""
        if self._needs_arrays:
            return Recovery(self, self._through_arrays, lambda: self._to_natives(self.explaining))
        order = self.backend.native_order
        return Recovery(
            self,
            lambda: self._composed(order),
            lambda: self._composed(order, innermost=partial(unless_final, self, native=True)),
        )

    @property
    def stand_ins(self) -> frozenset[Any]:
        """Native dtypes in which another one stands in for the operands."""
        options, native = self.implementation and self.implementation.options, self.backend.native_dtypes
        return frozenset(native[d] for d in native if options and d.name in options.via)

    @property
    def slow_path(self) -> Call:
        """The call of arguments that the fast path of `function` does not take."""
        return with_promotion(self)

    @property
    def has_own_stages(self) -> bool:
        """Whether the backend has written a stage of this function itself, which every call must meet."""
        if self.backend.has_stages and self._pipeline is None:
            self._pipeline = self._composed(self.backend.stage_order)
        return bool(self.own_stages)

    @property
    def has_own_native_stages(self) -> bool:
        """Whether such a stage is one of the function on native arrays."""
        return self.has_own_stages and not self.own_stages.isdisjoint(self.backend.native_order)

    def other_pipeline(self, stage: str) -> Call | None:
        """The next implementation, or the composition, with the stages inside of `stage`, for a guarded implementation."""
        otherwise = self.implementation.otherwise if self.implementation else None
        if otherwise is None and not self.declaration.compositional:
            return None
        other = Binding(self.declaration, self.backend, otherwise, self._stage, self.dropped)
        order = self.backend.stage_order
        also_guarded = otherwise is not None and otherwise.options.partial
        return other._composed(order[: order.index(stage) + also_guarded])

    @property
    def function(self) -> Any:
        """The function that users reach as `be.<name>`."""
        if self._function is None:
            made = self._with_fast_path(self._make_function, self.plan)
            with self.backend.lock:
                if self._function is None:  # another thread may have been first
                    self._function = made
        return self._function

    def _make_function(self) -> FunctionType:
        made = compiled(self.declaration.name, self.source, self.scope, f"on {self.backend.name}:")
        return self._finished(made, "function")

    def _with_fast_path(self, maker: Callable[[], FunctionType], plan: CallPlan | None) -> FunctionType:
        """Make a function now; with a plan, when a call comes that the plan does not cover."""
        if plan is None:
            return maker()
        function = lazy_function(maker, plan)
        self.backend.fact("register_function", function)
        return function

    @property
    def plan(self) -> CallPlan | None:
        """The plan of calls that run in C, if there is C and the function has kernels."""
        if self._plan is None:
            self._plan = self._plan_with(self._pieces)
        return self._plan

    def operator_plan(self, operator: str) -> CallPlan | None:
        """The plan of an operator of two arrays, or of one."""
        if is_reflected(operator):
            return None
        return self._plan_with(FunctionWriter(self, tuple(p for p in self.declaration.parameters if p.role != "out")))

    def _plan_with(self, writer: FunctionWriter) -> CallPlan | None:
        return plan_of(writer) if accelerator else None

    @property
    def source(self) -> str:
        """The text of `writer`."""
        return function_text(self)

    def operator(self, operator: str) -> FunctionType:
        """An operator of the backend's `Array` class, such as `"__add__"` for `add`."""
        backend = self.backend
        function: Callable[..., Any] = self.function
        fallback = f"_slow{operator}"

        def reflected(x2: Any, x1: Any) -> Any:
            return function(backend.operand(x1, x2), x2) if backend.is_operand(x1) else NotImplemented

        asked = _SWAPPED.get(operator, f"__r{operator[2:]}")

        def binary(x1: Any, x2: Any) -> Any:
            if backend.is_operand(x2, asked):
                return function(x1, backend.operand(x2, x1))
            if type(x2) in (list, tuple) and operator in ("__eq__", "__ne__"):  # or Python says that they differ
                sign = "==" if operator == "__eq__" else "!="
                raise CoreArrayTypeError(
                    f"'{sign}' not supported between an Array and a {type(x2).__name__}; use corearray.asarray for its elements"
                )
            return NotImplemented

        if is_reflected(operator):
            self.scope[fallback] = reflected
        else:
            self.scope[fallback] = binary if len(self.arrays) == 2 else function
        return compiled(operator, operator_text(self, operator, fallback), self.scope, f"on {backend.name}:")

    @property
    def native(self) -> Any:
        """The function on native arrays, as `be.native.<name>`."""
        if self._native is None:
            self._native = self._native_function()
        return self._native

    def _native_function(self) -> Callable[..., Any]:
        own = framework_function(self)
        if own is not None:
            return own
        return self._with_fast_path(self._make_native, native_plan_of(self._pieces) if accelerator else None)

    def _make_native(self) -> FunctionType:
        name = self.declaration.name
        scope: dict[str, Any] = {"_by_position": by_position}
        if self._needs_arrays:
            scope["_call"] = self._through_arrays()
        else:
            scope["_call"] = self._composed(self.backend.native_order)
        made = compiled(name, native_text(self, scope), scope, f"native on {self.backend.name}:")
        return self._finished(made, "native")

    @property
    def innermost(self) -> Call:
        """The call on native arguments that need no care, on their list: nothing is looked at, nothing settled."""
        return self._through_arrays() if self._needs_arrays else invocation(self)

    @property
    def _needs_arrays(self) -> bool:
        return self.implementation is None or self.implementation.options.partial

    def _through_arrays(self) -> Call:
        return self._to_natives(self.pipeline)  # composed now: a tracer could not follow how it is

    def _to_natives(self, pipeline: Call) -> Call:
        return lambda args: map_nested(pipeline(args), to_native)

    def _finished(self, function: FunctionType, attribute: str) -> FunctionType:
        written = self.declaration.function
        namespace = ".native" if attribute == "native" else ""
        extension = "" if self.declaration.main else f".{self.declaration.namespace}"
        function.__doc__ = written.__doc__
        function.__module__ = f"corearray.on.{self.backend.name}{namespace}{extension}"  # where a pickle finds it
        function.__qualname__ = written.__qualname__
        function.__wrapped__ = written  # type: ignore[attr-defined]
        self.backend.fact("register_function", function)
        with self.backend.lock:
            self._generated.append((function, attribute))
            if self.retired:
                forward(function, attribute, self.declaration, self.backend)
        return function

    def __repr__(self) -> str:
        return f"<{self.declaration.name} on {self.backend.name}: {self.kind}>"


def _bound(function: FunctionType, xp: object, done: dict[FunctionType, FunctionType]) -> FunctionType:
    """Copy a composition, and the private helpers of its package that it uses, with `xp` bound."""
    if function in done:
        return done[function]
    scope = {**function.__globals__, "xp": xp}
    del scope["__name__"]  # by which a tracer would look for the variables in the module
    copy = FunctionType(function.__code__, scope, function.__name__, function.__defaults__, function.__closure__)
    copy.__module__ = function.__module__
    copy.__kwdefaults__ = function.__kwdefaults__
    done[function] = copy
    for name in _names(function.__code__):
        helper = function.__globals__.get(name)
        if isinstance(helper, FunctionType) and name.startswith("_") and _package(helper) == _package(function):
            scope[name] = _bound(helper, xp, done)
    return copy


def _package(function: FunctionType) -> str:
    return function.__module__.rpartition(".")[0]


def _names(code: CodeType) -> set[str]:
    found = set(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            found |= _names(constant)
    return found
