"""The conformance tests, one class to subclass.

A test of a function makes all its calls and collects what failed; then the known failures decide: a failure that nobody
knows of fails the test, and so does a known one that is gone. Every failure is told with a program that shows it.
"""

from __future__ import annotations

import operator
import traceback
import warnings
from collections.abc import Callable, Iterator
from dataclasses import fields
from typing import Any, ClassVar

import numpy as np
import pytest

import corearray as ca
from corearray.backends.backend import Backend
from corearray.contract.declaration import DECLARATIONS
from corearray.errors import FunctionNotImplementedError
from corearray.testing import summary
from corearray.testing.calls import SHAPES, Case, cases
from corearray.testing.checks import CHECKS, OF_DTYPE
from corearray.testing.comparison import difference, wrong_refusal
from corearray.testing.known import Capabilities, Known, applicable, checked
from corearray.testing.reference import Refusal, expected, function_of, made, seen
from corearray.testing.ways import program, ways, written

__all__ = ["Conformance"]

#: Functions that change their argument, so that a second call gives something else.
_WRITING = {"inplace_decrement", "inplace_increment", "inplace_update"}


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
        """Refuse known failures that name what there is not."""
        super().__init_subclass__()
        checked(cls.known, {*CHECKS, *OF_DTYPE, *DECLARATIONS}, cls.capabilities.dtypes)

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        """Make a test of each function, check and dtype."""
        plugins = metafunc.config.pluginmanager
        if not plugins.is_registered(summary):
            plugins.register(summary)
        for parameter, values in (
            ("function", sorted(DECLARATIONS)),
            ("check", CHECKS),
            ("check_of_dtype", OF_DTYPE),
            ("dtype", self.capabilities.dtypes),
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

    def judge(self, name: str, failures: dict[str, str], dtype: str = "") -> None:
        """Fail, unless every failure is known and every known failure is one.

        Parameters
        ----------
        name
            The function or check.
        failures
            Texts by dtype; by `""` where it is not one dtype that fails.
        dtype
            The one that was tested, where the test is of one.
        """
        known = applicable(self.known, name, ca.get_backend(self.backend).framework_version)
        if dtype:
            known = [entry for entry in known if dtype in (entry.dtypes or (dtype,))]
        everything = any(not entry.dtypes for entry in known)
        listed = {dtype for entry in known for dtype in entry.dtypes}
        new = [text for dtype, text in failures.items() if not everything and dtype not in listed]
        gone = [repr(d) for d in sorted(listed - set(failures)) if not dtype] + ["it"] * (bool(known) and not failures)
        if new:
            others = [text.partition("\n")[0] for text in new[1:]]
            pytest.fail("\n".join([new[0], "", *others]).strip(), pytrace=False)
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
            failures[dtype] = f"{about}\n\n{_BY_HAND}{call}"
        self.judge(name, failures, dtype)

    def test_check(self, be: Backend, check: str) -> None:
        """What is not of one function holds, see `corearray.testing.checks`."""
        call = f'checks.{check}(ca.get_backend("{be.name}"), {_given(self.capabilities)})'
        self._checked(check, call, lambda: CHECKS[check](be, self.capabilities))

    def test_check_of_dtype(self, be: Backend, check_of_dtype: str, dtype: str) -> None:
        """What is of each dtype holds."""
        call = f'checks.{check_of_dtype}(ca.get_backend("{be.name}"), {_given(self.capabilities)}, "{dtype}")'
        self._checked(check_of_dtype, call, lambda: OF_DTYPE[check_of_dtype](be, self.capabilities, dtype), dtype)

    def test_function(self, be: Backend, function: str, record_property: Any) -> None:
        """A function computes what NumPy does, over dtypes and shapes, and refuses what is wrong by the same kind of error."""
        kind = _kind(be, function)
        record_property("corearray", (self.backend, function, kind))
        wanted = expected(tuple(self.capabilities.dtypes))
        failures: dict[str, str] = {}
        for case in cases(function, self.capabilities.dtypes):
            if (function, case.label) in wanted and self._is_tried(case):
                wrong = self._wrong(be, case, wanted[function, case.label])
                if wrong:
                    shown = program(self.backend, written(case))
                    failures.setdefault(case.dtype, f"{function}, {case.label} ({kind}): {wrong}\n\n{shown}")
        self.judge(function, failures)

    def _is_tried(self, case: Case) -> bool:
        """Whether a call is made: one with a dtype of a known failure, and of the others those whose turn it is."""
        turn, dtypes = sorted(DECLARATIONS).index(case.name), self.capabilities.dtypes
        if self.every_dtype or any(case.dtype in entry.dtypes for entry in self.known if entry.name == case.name):
            return True
        if case.label in SHAPES:
            return case.label == list(SHAPES)[turn % len(SHAPES)]
        return case.dtype in ("", dtypes[turn % len(dtypes)])

    def _wrong(self, be: Backend, case: Case, wanted: Any) -> str:
        try:
            found = function_of(be, case.name)(*made(be, case.args), **made(be, case.options))
            return difference(case, seen(be, found), wanted)
        except Exception as error:
            return wrong_refusal(error, wanted)

    def test_ways(self, be: Backend, function: str) -> None:
        """The public function, native arrays, `out`, Containers, ragged arrays and the plain stages give what `be.f` gives."""
        wanted = expected(tuple(self.capabilities.dtypes))
        known = applicable(self.known, function, be.framework_version)
        if any(not entry.dtypes for entry in known):
            pytest.skip("the function is known to fail")
        listed = {dtype for entry in known for dtype in entry.dtypes}
        right = [
            case
            for case in cases(function, set(self.capabilities.dtypes) - listed)
            if not isinstance(wanted.get((function, case.label), Refusal(())), Refusal)
        ]
        for case in right[:1] if function not in _WRITING else ():
            result = function_of(be, function)(*made(be, case.args), **made(be, case.options))
            for way, line, due in ways(be, case, result):
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


def _given(capabilities: Capabilities) -> str:
    """Write capabilities as they are made."""
    given = [(field.name, getattr(capabilities, field.name)) for field in fields(Capabilities)]
    default = Capabilities()
    return f"Capabilities({', '.join(f'{name}={value!r}' for name, value in given if value != getattr(default, name))})"


def _kind(be: Backend, function: str) -> str:
    try:
        return "composed" if be.binding(function).kind == "composed" else "native"
    except FunctionNotImplementedError:
        return "missing"


def _text(error: BaseException) -> str:
    return "".join(traceback.format_exception_only(type(error), error)).strip()
