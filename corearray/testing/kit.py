"""The conformance tests, one class to subclass.

A test of a function makes all its calls and collects what failed; then the known failures decide: a failure that nobody
knows of fails the test, and so does a known one that is gone. Every failure is told with a program that shows it.
"""

from __future__ import annotations

import operator
import traceback
import warnings
from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from typing import Any, ClassVar

import numpy as np
import pytest

import corearray as ca
from corearray.backends.backend import Backend
from corearray.contract.declaration import DECLARATIONS
from corearray.errors import FunctionNotImplementedError
from corearray.testing import summary
from corearray.testing.calls import ORDER, SHAPES, Case, arrays_in, cases, replaced
from corearray.testing.checks import CHECKS, OF_DTYPE
from corearray.testing.comparison import changed, difference, wrong_refusal
from corearray.testing.derivatives import differentiable, wrong_derivative
from corearray.testing.known import STANDARD, Capabilities, Known, applicable, checked
from corearray.testing.reference import Refusal, Result, expected, function_of, in_own_dtypes, made, seen
from corearray.testing.ways import program, views, ways, written

__all__ = ["Conformance"]

#: Functions that change their argument, so that a second call gives something else.
_WRITING = {"fill_diagonal", "inplace_decrement", "inplace_increment", "inplace_update", "put_along_axis"}


class Conformance:
    """What every backend must pass; a subclass says which one, what it can do, and what is known to fail.

    Attributes
    ----------
    backend
        The backend's name.
    capabilities
        What it can do.
    known
        Known failures.
    every_dtype
        Whether each function is called with every dtype and shape. Else each gets one of them, taken in turn, which is
        enough for a framework that compiles for every new one and would take very long.
    """

    backend: ClassVar[str]
    capabilities: ClassVar[Capabilities] = Capabilities()
    known: ClassVar[tuple[Known, ...]] = ()
    every_dtype: ClassVar[bool] = True

    def __init_subclass__(cls) -> None:
        """Refuse known failures that name what there is not; leave out tests of derivatives where there are none."""
        super().__init_subclass__()
        can = cls.capabilities
        if not (can.gradients and cls.every_dtype and "float64" in (can.dtypes or ["float64"])):
            cls.test_derivative = None  # type: ignore[assignment,method-assign]
        derivatives = (f"derivative of {name}" for name in DECLARATIONS)
        checked(cls.known, {*CHECKS, *OF_DTYPE, *DECLARATIONS, *derivatives}, cls.capabilities.dtypes)

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        """Make a test of each function, check and dtype."""
        plugins = metafunc.config.pluginmanager
        if not plugins.is_registered(summary):
            plugins.register(summary)
            metafunc.config.addinivalue_line("markers", "primary: tests of functions that every backend implements")
        primary = [name for name in ORDER if not DECLARATIONS[name].compositional]
        functions = [pytest.param(name, marks=pytest.mark.primary if name in primary else ()) for name in ORDER]
        for parameter, values in (
            ("function", functions),
            ("derivative", self.derivatives()),
            ("check", CHECKS),
            ("check_of_dtype", OF_DTYPE),
            ("dtype", self.dtypes()),
        ):
            if parameter in metafunc.fixturenames:
                metafunc.parametrize(parameter, values)

    @pytest.fixture(autouse=True)
    def _quiet(self) -> Iterator[None]:
        """Leave out the warnings of arithmetic, which frameworks give or not."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)
            yield

    @pytest.fixture
    def be(self) -> Backend:
        """The backend under test."""
        return ca.get_backend(self.backend)

    @classmethod
    def can(cls) -> Capabilities:
        """Return the capabilities; where they do not list dtypes, with those that the backend declares."""
        found = cls.capabilities
        if found.dtypes:
            return found
        have = ca.get_backend(cls.backend).__array_namespace_info__().dtypes()
        return replace(found, dtypes=tuple(name for name in STANDARD if name in have))

    @classmethod
    def dtypes(cls) -> tuple[str, ...]:
        """Return the names of the dtypes that are tested."""
        return cls.can().dtypes

    @classmethod
    def derivatives(cls) -> list[str]:
        """Return the names of the functions whose derivatives are tested: all if the backend differentiates in float64.

        With `every_dtype = False` none is: most of them compile several programs.
        """
        return differentiable() if cls.capabilities.gradients and "float64" in cls.dtypes() else []

    def judge(self, name: str, failures: dict[tuple[str, str], str], dtype: str = "") -> None:
        """Fail, unless every failure is known and every known failure is one.

        Parameters
        ----------
        name
            The function or check.
        failures
            Texts by dtype and call; a dtype is `""` where it is not one dtype that fails.
        dtype
            The one that was tested, where the test is of one.
        """
        known = applicable(self.known, name, ca.get_backend(self.backend).framework_version)
        if dtype:
            known = [entry for entry in known if dtype in (entry.dtypes or (dtype,))]
        new = {place: text for place, text in failures.items() if not any(e.covers(*place) for e in known)}
        if new:
            first, *others = {place[0]: text for place, text in reversed(new.items())}.values()
            told = [text.partition("\n")[0] for text in others]
            more = [f"({len(new) - 1 - len(others)} more calls fail)"] if len(new) > 1 + len(others) else []
            pytest.fail("\n".join([first, "", *told, *more]).strip(), pytrace=False)
        gone = []
        for entry in known:
            for one in entry.dtypes if entry.dtypes and not dtype else (dtype,):
                if not any(entry.covers(*place) and (not one or place[0] == one) for place in failures):
                    gone.append(repr(one) if entry.dtypes else f"case={entry.case!r}" if entry.case else "it")
        if gone:
            pytest.fail(f"'{name}' is known to fail and passes with {', '.join(gone)}: take that out", pytrace=False)
        if known:
            pytest.xfail("; ".join(f"{entry.kind}: {entry.reason}" for entry in known))

    def _checked(self, name: str, call: str, test: Callable[[], None], dtype: str = "") -> None:
        """Make a check and judge it; `call` is what its program does."""
        failures = {}
        try:
            test()
        except (Exception, pytest.fail.Exception) as error:
            about = f"{name}{f' with {dtype}' if dtype else ''}: {_text(error)}"
            failures[dtype, ""] = f"{about}\n\n{_BY_HAND}{call}"
        self.judge(name, failures, dtype)

    def test_check(self, be: Backend, check: str) -> None:
        """What is not of one function holds, see `corearray.testing.checks`."""
        call = f'checks.{check}(ca.get_backend("{be.name}"), {_given(self.can())})'
        self._checked(check, call, lambda: CHECKS[check](be, self.can()))

    def test_check_of_dtype(self, be: Backend, check_of_dtype: str, dtype: str) -> None:
        """What is of each dtype holds."""
        call = f'checks.{check_of_dtype}(ca.get_backend("{be.name}"), {_given(self.can())}, "{dtype}")'
        self._checked(check_of_dtype, call, lambda: OF_DTYPE[check_of_dtype](be, self.can(), dtype), dtype)

    def test_function(self, be: Backend, function: str, record_property: Any) -> None:
        """A function computes what NumPy does, over dtypes and shapes, and refuses what is wrong by the same kind of error."""
        kind = _kind(be, function)
        record_property("corearray", (self.backend, function, kind))
        wanted = expected(function, self.dtypes())
        failures: dict[tuple[str, str], str] = {}
        for case in cases(function, self.dtypes()):
            if case.label in wanted and self._is_tried(case):
                due = in_own_dtypes(be, wanted[case.label])
                if due is not wanted[case.label] and len({x.dtype for x in arrays_in((case.args, case.options))}) > 1:
                    continue  # the dtype to which the arguments promote is none of the framework's
                wrong = self._wrong(be, case, due)
                if not wrong and function in ("asarray", "from_dlpack") and arrays_in(case.args):
                    wrong = self._wrong_of_numpy(be, case, due)
                if wrong:
                    shown = program(self.backend, written(case))
                    failures[case.dtype, case.label] = f"{function}, {case.label} ({kind}): {wrong}\n\n{shown}"
        self.judge(function, failures)

    def _is_tried(self, case: Case) -> bool:
        """Whether a call is made: one with a dtype of a known failure, and of the others those whose turn it is."""
        turn, dtypes = ORDER.index(case.name), self.dtypes()
        if self.every_dtype or any(case.dtype in entry.dtypes for entry in self.known if entry.name == case.name):
            return True
        if case.label in SHAPES:
            return case.label == list(SHAPES)[turn % len(SHAPES)]
        return case.dtype in ("", dtypes[turn % len(dtypes)])

    def _wrong(self, be: Backend, case: Case, wanted: Any) -> str:
        try:
            given = made(be, case.args), made(be, case.options)
            found = function_of(be, case.name)(*given[0], **given[1])
            wrong = difference(case, seen(be, found), wanted)
            if wrong and isinstance(wanted, Result):
                wrong += _number_returned(be, case)
            if case.name not in _WRITING:
                wrong = "; ".join(filter(None, (wrong, changed(case, seen(be, given)))))
            if not wrong and case.options.get("copy") and _written(found.native):
                wrong = changed(case, seen(be, given)) and "writing into the copy changes the array that was copied"
            return wrong
        except Exception as error:
            told = wrong_refusal(error, wanted)
            return told + (_number_returned(be, case) if isinstance(wanted, Result) else "")

    def _wrong_of_numpy(self, be: Backend, case: Case, wanted: Any) -> str:
        """Say what is wrong with what `asarray` or `from_dlpack` makes of NumPy's arrays themselves."""
        given = replaced(case.args, np.array) if case.options.get("copy") else case.args  # in their order in memory
        if case.options.get("copy") is False:  # whether that is possible is the framework's
            return ""
        try:
            found = function_of(be, case.name)(*given, **case.options)
            wrong = difference(case, seen(be, found), wanted)
            if not wrong and case.options.get("copy"):
                for x in arrays_in(given):
                    x[...] = 0
                wrong = difference(case, seen(be, found), wanted) and "writing into what was copied changes the copy"
        except Exception as error:
            wrong = wrong_refusal(error, wanted)
        return wrong and f"of NumPy's own array: {wrong}"

    @pytest.mark.filterwarnings("ignore")
    def test_derivative(self, be: Backend, derivative: str) -> None:
        """Derivatives backwards and forwards equal finite differences."""
        try:
            wrong = wrong_derivative(be, derivative)
        except Exception as error:
            wrong = _text(error)
        name = f"derivative of {derivative}"
        shown = f'{_DERIVATIVE}print(wrong_derivative(ca.get_backend("{be.name}"), "{derivative}"))'
        self.judge(name, {("", ""): f"{name}: {wrong}\n\n{shown}"} if wrong else {})

    def test_ways(self, be: Backend, function: str) -> None:
        """The public function, native arrays, `out`, Containers, ragged arrays and the plain stages give what `be.f` gives."""
        wanted = expected(function, self.dtypes())
        known = applicable(self.known, function, be.framework_version)
        if any(not entry.dtypes and not entry.case for entry in known):
            pytest.skip("the function is known to fail")
        listed = {dtype for entry in known for dtype in entry.dtypes}
        right = [
            case
            for case in cases(function, [dtype for dtype in self.dtypes() if dtype not in listed])
            if not any(entry.case and entry.covers(case.dtype, case.label) for entry in known)
            and not isinstance(wanted.get(case.label, Refusal(())), Refusal)
        ]
        # Arrays of one dtype beside conditions: none is cast to a copy.
        dtypes = [{x.dtype for x in arrays_in(case.args)} for case in right]
        alike = [case for case, held in zip(right, dtypes, strict=True) if len(held - {np.dtype(bool)} or held) == 1]
        firsts = [case for case in alike if case.label.endswith((" 1", "values")) and arrays_in(case.args)[-1].size > 1]
        tried = (
            [(ways, right[:1]), (views, firsts[: 12 if self.every_dtype else 1])] if function not in _WRITING else []
        )
        for kind, case in [(kind, case) for kind, some in tried for case in some]:
            result = function_of(be, function)(*made(be, case.args), **made(be, case.options))
            for way, line, due in kind(be, case, result):
                try:
                    with ca.backend_context(be):
                        found = eval(line, {"be": be, "ca": ca, "np": np, "operator": operator})
                    wrong = difference(case, seen(be, found), seen(be, due))
                except Exception as error:
                    wrong = _text(error)
                if wrong:
                    pytest.fail(f"{function} by way of {way}: {wrong}\n\n{program(self.backend, line)}", pytrace=False)


_BY_HAND = """import corearray as ca
from corearray.testing import Capabilities, checks

"""

_DERIVATIVE = """import corearray as ca
from corearray.testing.derivatives import wrong_derivative

"""


def _given(capabilities: Capabilities) -> str:
    """Write capabilities as they are made."""
    given = [(field.name, getattr(capabilities, field.name)) for field in fields(Capabilities)]
    default = Capabilities()
    return f"Capabilities({', '.join(f'{name}={value!r}' for name, value in given if value != getattr(default, name))})"


def _number_returned(be: Backend, case: Case) -> str:
    """Say that an implementation returns a Python number in place of an array, if it does."""
    try:
        args, options = ca.to_native((made(be, case.args), made(be, case.options)))
        found = function_of(be.native, case.name)(*args, **options)
    except Exception:  # the call through arrays has told what is wrong
        return ""
    if type(found) not in (bool, int, float, complex):
        return ""
    return f"; the implementation returned {found!r}, a Python number, where an array of the framework is due"


def _written(native: Any) -> bool:
    """Write zeros into a framework's own array, where it can be written."""
    try:
        native[...] = 0
    except Exception:  # each framework refuses in its own way
        return False
    return True


def _kind(be: Backend, function: str) -> str:
    try:
        return "composed" if be.binding(function).kind == "composed" else "native"
    except FunctionNotImplementedError:
        return "missing"


def _text(error: BaseException) -> str:
    return "".join(traceback.format_exception_only(type(error), error)).strip()
