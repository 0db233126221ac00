"""The conformance tests, one class to subclass.

A test of a function makes all its calls and collects what failed; then the known failures decide: a failure that nobody
knows of fails the test, and so does a known one that is gone.
"""

from __future__ import annotations

import copy
import inspect
import operator
import pickle
import threading
import traceback
import warnings
from collections.abc import Callable, Iterator
from typing import Any, ClassVar

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import corearray as ca
from corearray.backend import Backend
from corearray.commands.validate import validated
from corearray.declaration import DECLARATIONS
from corearray.errors import FunctionNotImplementedError
from corearray.manager import manager
from corearray.testing import summary
from corearray.testing.calls import Case, cases, in_dtype
from corearray.testing.comparison import difference, reproduction
from corearray.testing.known import Capabilities, Known, applicable, checked
from corearray.testing.reference import expected, function_of, made, seen
from corearray.validation import problems_of

__all__ = ["Conformance"]

_PROPERTY = settings(
    max_examples=25, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck)
)

_NUMBERS = np.asarray([0.5, -2.0, 3.0, 0.0], "float32")

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
        Whether each function is called with every dtype. Else each gets one of them, taken in turn, which is enough for a
        framework that compiles for every new dtype and would take very long.
    """

    backend: ClassVar[str]
    capabilities: ClassVar[Capabilities] = Capabilities()
    known: ClassVar[tuple[Known, ...]] = ()
    every_dtype: ClassVar[bool] = True

    def __init_subclass__(cls) -> None:
        """Refuse known failures that name what there is not."""
        super().__init_subclass__()
        names = {name.removeprefix("test_") for name in dir(cls) if name.startswith("test_")}
        checked(cls.known, names | set(DECLARATIONS), cls.capabilities.dtypes)

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        """Make a test of each function, device and dtype."""
        plugins = metafunc.config.pluginmanager
        if not plugins.is_registered(summary):
            plugins.register(summary)
        for parameter, values in (
            ("function", sorted(DECLARATIONS)),
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

    def check(self, name: str, test: Callable[[], None], dtype: str = "") -> None:
        """Make a check that is one assertion or several, and judge it."""
        failures = {}
        try:
            test()
        except (Exception, pytest.fail.Exception) as error:
            failures[dtype] = f"{name}{f' with {dtype}' if dtype else ''}: {_text(error)}"
        self.judge(name, failures, dtype)

    # --- the plugin

    def test_registration(self) -> None:
        """Nothing is wrong that can be known without calling a function, see `corearray validate`."""
        record = manager.records[self.backend]
        if record.entry:
            problems = validated(self.backend)["problems"]
        else:
            loaded = manager.load(self.backend)
            known = manager.hooks.hook
            problems = problems_of(
                [record.module], loaded.framework_version, lambda hook: hasattr(known, hook), thorough=True
            )
        self.judge("registration", {"": "\n".join(problems)} if problems else {})

    def test_dtypes(self, be: Backend) -> None:
        """The backend has the dtypes that the capabilities list, and of the standard's no more."""
        have = set(be.__array_namespace_info__().dtypes())

        def test() -> None:
            assert have == set(self.capabilities.dtypes)

        self.check("dtypes", test)

    def test_devices(self, be: Backend) -> None:
        """Each device that the capabilities list is there, and holds arrays."""

        def test() -> None:
            for device in self.capabilities.devices:
                x = be.asarray(_NUMBERS, device=device)
                assert x.device == ca.Device(device)
                assert be.to_numpy(x.to_device(be.devices()[0])).tolist() == _NUMBERS.tolist()

        self.check("devices", test)

    def test_writing(self, be: Backend) -> None:
        """Writing into an array is seen in it and in its views; the framework's array is written if it can be."""

        def test() -> None:
            x = be.asarray(np.zeros((2, 3), "float32"))
            native, row = x.native, x[0, :]
            x[0, 1] = 5.0
            assert (x.tolist(), row.tolist()) == ([[0.0, 5.0, 0.0], [0.0, 0.0, 0.0]], [0.0, 5.0, 0.0])
            assert be.writes_in_place == self.capabilities.writes_in_place
            assert (be.to_numpy(be.wrap(native)).any()) == self.capabilities.writes_in_place

        self.check("writing", test)

    def test_gradients(self, be: Backend) -> None:
        """The framework differentiates, forwards and backwards, or the backend says that it does not."""

        def test() -> None:
            assert ("reverse_mode" in be.facts) == self.capabilities.gradients
            if self.capabilities.gradients:
                x = be.asarray(_NUMBERS)
                slopes = np.sin(_NUMBERS) + _NUMBERS * np.cos(_NUMBERS)
                np.testing.assert_allclose(be.to_numpy(ca.grad(lambda x: be.sum(x * be.sin(x)))(x)), slopes, 1e-4)
                _, along = ca.jvp(lambda x: x * be.sin(x), (x,), (be.ones_like(x),))
                np.testing.assert_allclose(be.to_numpy(along), slopes, 1e-4)
                twice = ca.vmap(ca.grad(ca.grad(lambda x: x * x * x)))(x)
                np.testing.assert_allclose(be.to_numpy(twice), 6 * _NUMBERS, 1e-4)

        self.check("gradients", test)

    def test_mapping(self, be: Backend) -> None:
        """A function is mapped over the first axis."""
        x = np.arange(6, dtype="float32").reshape(3, 2)

        def test() -> None:
            mapped = ca.vmap(lambda row: be.sum(row * row))(be.asarray(x))
            np.testing.assert_allclose(be.to_numpy(mapped), (x * x).sum(1), 1e-6)

        self.check("mapping", test)

    def test_data_dependent_shapes(self, be: Backend) -> None:
        """Shapes depend on values, or the backend says that they do not."""

        def test() -> None:
            told = be.__array_namespace_info__().capabilities()["data-dependent shapes"]
            assert told == self.capabilities.data_dependent_shapes
            if told:
                x = be.asarray(_NUMBERS)
                assert be.to_numpy(x[x > 0]).tolist() == _NUMBERS[_NUMBERS > 0].tolist()

        self.check("data_dependent_shapes", test)

    # --- arrays

    def test_exchange(self, be: Backend, dtype: str) -> None:
        """Arrays come from NumPy and go back, through lists, pickles, copies and DLPack too."""
        x = in_dtype(_NUMBERS, dtype)

        def test() -> None:
            made = be.asarray(x)
            assert (made.dtype.name, be.to_numpy(made).dtype.name) == (dtype, dtype)
            ways = [made, be.asarray(x.tolist(), dtype=dtype), pickle.loads(pickle.dumps(made)), copy.deepcopy(made)]
            for way in ways:
                assert (type(way), way.dtype, be.to_numpy(way).tolist()) == (be.Array, made.dtype, x.tolist())
            assert made.tolist() == x.tolist()

        self.check("exchange", test, dtype)

    def test_dlpack(self, be: Backend) -> None:
        """Arrays are shared with other libraries."""

        def test() -> None:
            x = be.asarray(_NUMBERS)
            assert np.from_dlpack(x).tolist() == _NUMBERS.tolist()
            assert be.to_numpy(be.from_dlpack(x)).tolist() == _NUMBERS.tolist()

        self.check("dlpack", test)

    def test_operators(self, be: Backend, dtype: str) -> None:
        """Operators compute what the functions of their names do, also with Python scalars."""
        x = in_dtype(_NUMBERS, dtype)
        kind = x.dtype.kind
        operators: list[Callable[[Any, Any], Any]] = [operator.eq, operator.ne]
        operators += [operator.add, operator.sub, operator.mul] if kind != "b" else [operator.and_, operator.or_]
        operators += [operator.lt, operator.ge] if kind in "iuf" else []

        def test() -> None:
            made = be.asarray(x)
            for op in operators:
                for other in (x[:1], x):
                    np.testing.assert_array_equal(be.to_numpy(op(made, be.asarray(other))), op(x, other), op.__name__)
                scalar = True if kind == "b" else 2
                np.testing.assert_array_equal(be.to_numpy(op(made, scalar)), op(x, x.dtype.type(scalar)), op.__name__)

        self.check("operators", test, dtype)

    def test_indexing(self, be: Backend) -> None:
        """Integers, slices, `None` and `...` choose what they choose in NumPy."""
        x = np.arange(24, dtype="float32").reshape(2, 3, 4)
        made = be.asarray(x)

        @_PROPERTY
        @given(hnp.basic_indices(x.shape, allow_newaxis=True))
        def holds(key: Any) -> None:
            full = key if isinstance(key, tuple) else (key,)
            full = full if Ellipsis in full else (*full, Ellipsis)
            np.testing.assert_array_equal(be.to_numpy(made[full]), x[full], f"x[{key}]")

        self.check("indexing", holds)

    def test_broadcasting(self, be: Backend) -> None:
        """Shapes broadcast as in NumPy, with axes of length 0 and without axes too."""

        @_PROPERTY
        @given(hnp.mutually_broadcastable_shapes(num_shapes=2, max_dims=3, min_side=0, max_side=2))
        def holds(shapes: Any) -> None:
            one, two = (np.ones(shape, "float32") for shape in shapes.input_shapes)
            np.testing.assert_array_equal(be.to_numpy(be.asarray(one) + be.asarray(two)), one + two)

        self.check("broadcasting", holds)

    def test_reductions(self, be: Backend) -> None:
        """Every axis, several and none are summed up, and kept where that is asked for."""
        x = np.arange(6, dtype="float32").reshape(1, 2, 3)
        made = be.asarray(x)
        axes = st.sampled_from([None, 0, -1, (0, 2), (1, -3), ()])

        @_PROPERTY
        @given(axes, st.booleans(), st.sampled_from(["sum", "max", "mean", "prod"]))
        def holds(axis: Any, keepdims: bool, name: str) -> None:
            found = be.to_numpy(getattr(be, name)(made, axis=axis, keepdims=keepdims))
            wanted = getattr(np, name)(x, axis=axis, keepdims=keepdims)
            np.testing.assert_allclose(found, wanted, 1e-6, err_msg=f"{name}(x, axis={axis}, keepdims={keepdims})")
            assert found.shape == wanted.shape

        self.check("reductions", holds)

    def test_threads(self, be: Backend) -> None:
        """Functions are composed and called in several threads at once."""
        x = be.asarray(_NUMBERS)
        found: list[Any] = []

        def run() -> None:
            with ca.backend_context(self.backend):
                found.append(be.to_numpy(ca.sum(ca.cos(ca.square(x) + 1) * 2)).item())

        def test() -> None:
            threads = [threading.Thread(target=run) for _ in range(8)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            assert len(found) == 8
            np.testing.assert_allclose(found, (np.cos(_NUMBERS**2 + 1) * 2).sum(), 1e-4)

        self.check("threads", test)

    # --- functions

    def test_function(self, be: Backend, function: str, record_property: Any) -> None:
        """A function computes what NumPy does, over dtypes and shapes."""
        kind = _kind(be, function)
        record_property("corearray", (self.backend, function, kind))
        wanted = expected(tuple(self.capabilities.dtypes))
        failures: dict[str, str] = {}
        tried = self._tried(function)
        for case in cases(function, self.capabilities.dtypes):
            if (function, case.label) in wanted and (case.dtype in tried or not case.dtype):
                wrong = self._wrong(be, case, wanted[function, case.label])
                if wrong:
                    program = reproduction(self.backend, case, _namespace(function))
                    failures.setdefault(case.dtype, f"{function}, {case.label} ({kind}): {wrong}\n\n{program}")
        self.judge(function, failures)

    def _tried(self, function: str) -> set[str]:
        """Return the dtypes with which a function is called: those of known failures and the one whose turn it is."""
        dtypes = self.capabilities.dtypes
        if self.every_dtype:
            return set(dtypes)
        turn = sorted(DECLARATIONS).index(function) % len(dtypes)
        return {dtypes[turn]} | {dtype for entry in self.known if entry.name == function for dtype in entry.dtypes}

    def _wrong(self, be: Backend, case: Case, wanted: Any) -> str:
        try:
            found = function_of(be, case.name)(*made(be, case.args), **made(be, case.options))
            return difference(case, seen(be, found), wanted)
        except Exception as error:
            return _text(error)

    def test_ways(self, be: Backend, function: str) -> None:
        """The public function, native arrays, `out` and the stages written plainly give what `be.f` gives."""
        wanted = expected(tuple(self.capabilities.dtypes))
        if any(not entry.dtypes for entry in applicable(self.known, function, be.framework_version)):
            pytest.skip("the function is known to fail")
        listed = {d for entry in applicable(self.known, function, be.framework_version) for d in entry.dtypes}
        right = [c for c in cases(function, set(self.capabilities.dtypes) - listed) if (function, c.label) in wanted]
        for case in right[:1] if function not in _WRITING else ():
            program = reproduction(self.backend, case, _namespace(function))
            for way, found in self._ways(be, case):
                wrong = difference(
                    case, found, seen(be, function_of(be, function)(*made(be, case.args), **made(be, case.options)))
                )
                if wrong:
                    pytest.fail(f"{function} by way of {way}: {wrong}\n\n{program}", pytrace=False)

    def _ways(self, be: Backend, case: Case) -> Iterator[tuple[str, Any]]:
        args, options = made(be, case.args), made(be, case.options)
        with ca.backend_context(self.backend):
            yield "the public function", seen(be, function_of(ca, case.name)(*args, **options))
        natives = ca.to_native(args), ca.to_native(options)
        yield "native arrays", seen(be, function_of(be, case.name)(*natives[0], **natives[1]))
        bound = inspect.signature(DECLARATIONS[case.name].function).bind(*args, **options)
        bound.apply_defaults()
        result = be.binding(case.name).chain(list(bound.arguments.values()))
        yield "the stages", seen(be, result)
        if any(p.role == "out" for p in DECLARATIONS[case.name].parameters):
            out = be.zeros(result.shape, dtype=result.dtype)
            assert function_of(be, case.name)(*args, **options, out=out) is out
            yield "out", seen(be, out)


def _kind(be: Backend, function: str) -> str:
    try:
        return "composed" if be.binding(function).kind == "composed" else "native"
    except FunctionNotImplementedError:
        return "missing"


def _namespace(function: str) -> str:
    declaration = DECLARATIONS[function]
    return "" if declaration.main else declaration.namespace


def _text(error: BaseException) -> str:
    return "".join(traceback.format_exception_only(type(error), error)).strip()
