"""NumPy's own tests, from the installed wheel, with `numpy` replaced by the frontend in every form of import.

    python tests/models/numpy_suite.py --backend torch                          # counts, a line for each file
    python tests/models/numpy_suite.py --backend numpy --files test_shape_base --failures
    python tests/models/numpy_suite.py --backend jax --write                    # update the list of what is left out
    python tests/models/numpy_suite.py --backend numpy --sample 60 --seed 3     # tests that are not left out, drawn by chance
    python tests/models/numpy_suite.py --backend jax --sample 99 --of numpy     # tests that pass on another backend
    python tests/models/numpy_suite.py --figures                                # what the list says of each backend

Comparisons are NumPy's: what `numpy.testing` is given is converted to NumPy's arrays first. A test function passes if all its
cases pass, and its first failing case is its last; those that NumPy itself skips on this machine do not count. A case may take
10 s of the processor, all cases of a function 60 s.
"""

from __future__ import annotations

import argparse
import ast
import builtins
import importlib
import json
import os
import random
import re
import signal
import sys
import time
import types
from collections import Counter
from functools import wraps
from pathlib import Path
from typing import Any

os.environ.setdefault("NPY_AVAILABLE_MEM", "0.2 GB")

import hypothesis
import numpy
import numpy.testing
import numpy.testing._private.utils
import pytest

import corearray as ca
import corearray.frontend.numpy as frontend

FILES = """
_core/tests/test_abc.py _core/tests/test_array_coercion.py _core/tests/test_arrayprint.py _core/tests/test_einsum.py
_core/tests/test_dtype.py _core/tests/test_errstate.py _core/tests/test_function_base.py _core/tests/test_getlimits.py
_core/tests/test_half.py _core/tests/test_indexerrors.py _core/tests/test_indexing.py _core/tests/test_item_selection.py
_core/tests/test_multiarray.py _core/tests/test_nep50_promotions.py _core/tests/test_numeric.py _core/tests/test_numerictypes.py
_core/tests/test_print.py _core/tests/test_protocols.py _core/tests/test_regression.py _core/tests/test_scalar_ctors.py
_core/tests/test_scalar_methods.py _core/tests/test_scalarmath.py _core/tests/test_scalarprint.py
_core/tests/test_shape_base.py _core/tests/test_ufunc.py _core/tests/test_umath.py _core/tests/test_umath_complex.py
lib/tests/test_array_utils.py lib/tests/test_arraypad.py lib/tests/test_arraysetops.py lib/tests/test_function_base.py
lib/tests/test_histograms.py lib/tests/test_index_tricks.py lib/tests/test_mixins.py lib/tests/test_nanfunctions.py
lib/tests/test_packbits.py lib/tests/test_polynomial.py lib/tests/test_regression.py lib/tests/test_shape_base.py
lib/tests/test_stride_tricks.py lib/tests/test_twodim_base.py lib/tests/test_type_check.py lib/tests/test_ufunclike.py
linalg/tests/test_linalg.py linalg/tests/test_regression.py fft/tests/test_helper.py fft/tests/test_pocketfft.py
random/tests/test_smoke.py
""".split()
HOME = Path(numpy.__file__).parent
LIST = Path(__file__).with_name("numpy_left_out.json")
BACKENDS = ("numpy", "torch", "jax", "tensorflow")
SECONDS, SECONDS_OF_ALL_CASES = 10, 60
PASSES = "passes"


class Missing:
    """A name that the frontend lacks: test files are imported, and the tests that use it fail."""

    def __init__(self, name: str) -> None:
        self.__name__ = name

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or name in ("pytestmark", "_pytestfixturefunction"):
            raise AttributeError(name)
        return Missing(f"{self.__name__}.{name}")

    def __call__(self, *args: Any, **options: Any) -> Any:
        raise NotImplementedError(f"the frontend has no '{self.__name__}'")

    def __mro_entries__(self, bases: Any) -> tuple[type, ...]:
        return (object,)

    def __repr__(self) -> str:
        return f"<missing {self.__name__}>"


class Home(types.ModuleType):
    """A module of NumPy's, public or private, with the names of the frontend."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.__path__: list[str] = []

    def __getattr__(self, name: str) -> Any:
        path = self.__name__.removeprefix("numpy").removeprefix(".")
        if name in ("testing",):
            return TESTING
        if name in ("_core", "core", "lib", "_utils", "compat") or (path in ("_core", "lib") and name in _PRIVATE):
            return Home(f"{self.__name__}.{name}")
        if path.startswith("_core") and name in CONSTANTS:
            return CONSTANTS[name]
        for place in _places(path):
            try:
                found = getattr(place, name)
            except (AttributeError, NotImplementedError):
                continue
            return found
        if name.startswith("__"):
            raise AttributeError(name)
        return Missing(f"{self.__name__}.{name}")


CONSTANTS: dict[str, Any] = {
    "PZERO": 0.0,
    "NZERO": -0.0,
    "PINF": float("inf"),
    "NINF": -float("inf"),
    "NAN": float("nan"),
    "pi": 3.141592653589793,
}
CONSTANTS["sctypes"] = {
    kind: [getattr(frontend, f"{kind}{bits}") for bits in sizes]
    for kind, sizes in {
        "int": (8, 16, 32, 64),
        "uint": (8, 16, 32, 64),
        "float": (16, 32, 64),
        "complex": (64, 128),
    }.items()
} | {"others": [frontend.bool]}
_PRIVATE = frozenset(
    "multiarray umath numerictypes numeric fromnumeric arrayprint shape_base function_base getlimits "
    "einsumfunc _internal array_utils "
    "mixins scimath stride_tricks npyio format introspect records _methods _exceptions overrides strings "
    "defchararray printoptions".split()
)


def _places(path: str) -> list[Any]:
    """Return where the names of a module of NumPy are in the frontend."""
    if path in ("linalg", "fft", "random", "exceptions"):
        return [importlib.import_module(f"corearray.frontend.numpy.{path}")]
    if path.startswith("linalg."):
        return [frontend.linalg, frontend]
    if path in ("lib.array_utils", "_core.numeric", "lib"):
        return [frontend, frontend.lib.array_utils]
    if path.startswith("lib.") and (inner := path[4:].strip("_").removesuffix("_impl")) in ("stride_tricks", "mixins"):
        return [getattr(frontend.lib, inner), frontend]
    return (
        [frontend]
        if not path.startswith(("ma", "char", "rec", "strings", "polynomial", "dtypes", "typing", "ctypeslib"))
        else []
    )


def converted(x: Any) -> Any:
    """Return NumPy's own objects in place of the frontend's."""
    kinds = frontend.ndarray._types
    if isinstance(x, (frontend.ndarray, ca.Array)):
        return numpy.asarray(ca.to_numpy(getattr(x, "array", x)))
    if isinstance(x, frontend.generic):
        return numpy.asarray(ca.to_numpy(x.array))[()]
    if isinstance(x, frontend.dtype):
        return numpy.dtype(x.name)
    if isinstance(x, type) and getattr(x, "_own", None) is not None and issubclass(x, frontend.generic):
        return numpy.dtype(x._own.name).type
    if type(x) in (list, tuple):
        return type(x)(map(converted, x))
    if isinstance(x, tuple) and hasattr(x, "_fields"):
        return tuple(map(converted, x))
    if type(x) is dict:
        return {key: converted(value) for key, value in x.items()}
    if hasattr(x, "__array__") and type(x).__module__.startswith("numpys_"):
        return converted(x.__array__())
    if hasattr(x, "array") and isinstance(getattr(type(x), "array", None), property) and kinds is not None:
        return converted(x.array)
    return x


class Testing(types.ModuleType):
    """`numpy.testing` on the frontend's objects."""

    def __getattr__(self, name: str) -> Any:
        try:
            found = getattr(numpy.testing, name)
        except AttributeError:
            found = getattr(numpy.testing._private.utils, name)
        compares = name.startswith(
            ("assert_eq", "assert_arr", "assert_all", "assert_almost", "assert_approx", "assert_max", "assert_str")
        )
        if not compares:
            return found

        @wraps(found)
        def compared(*args: Any, **options: Any) -> Any:
            return found(*map(converted, args), **{key: converted(value) for key, value in options.items()})

        return compared


TESTING = Testing("numpy.testing")
_import = builtins.__import__


def replaced(name: str, scope: Any = None, local: Any = None, fromlist: Any = (), level: int = 0) -> Any:
    """Import a module; `numpy` and all below it are the frontend's."""
    if level or name.partition(".")[0] != "numpy":
        return _import(name, scope, local, fromlist, level)
    if not fromlist:
        return Home("numpy")
    if name.startswith("numpy.testing"):
        return TESTING
    if name in ("numpy.linalg", "numpy.fft", "numpy.random") and "*" not in fromlist:
        _import(f"corearray.frontend.{name}", scope, local, fromlist, 0)
    return Home(name)


class Module(pytest.Module):
    """A test file of NumPy's whose imports are replaced; the arrays that it makes are of the backend under test."""

    backend = "numpy"

    def _getobj(self) -> Any:
        name = f"numpys_{self.path.parent.parent.name}_{self.path.stem}"
        made = types.ModuleType(name)
        made.__file__ = str(self.path)
        made.__dict__["__builtins__"] = {**vars(builtins), "__import__": replaced}
        sys.modules[name] = made
        made.__dict__["_refused"] = refused
        tree = ast.parse(self.path.read_text())
        tree.body = guarded(tree.body)
        with ca.backend_context(self.backend):
            exec(compile(ast.fix_missing_locations(tree), str(self.path), "exec"), made.__dict__)
        return made


def refused(error: Exception) -> Any:
    """Return a test that fails as its definition did, for instance because a parameter is an array of objects."""

    def test(*_: Any) -> None:
        raise error

    return test


def guarded(body: list[ast.stmt]) -> list[ast.stmt]:
    """Return statements of a module or class, each of which may fail without those behind it."""
    made: list[ast.stmt] = []
    for node in body:
        if isinstance(node, ast.ImportFrom) and node.module == "__future__":
            made.append(node)
            continue
        if isinstance(node, ast.ClassDef):
            node.body = guarded(node.body)
        tests = isinstance(node, ast.FunctionDef) and node.name.startswith("test")
        fallback = ast.parse(f"{node.name} = _refused(_error)" if tests else "pass").body  # type: ignore[attr-defined]
        handler = ast.ExceptHandler(ast.Name("Exception", ast.Load()), "_error", fallback)
        made.append(ast.copy_location(ast.Try([node], [handler], [], []), node))
    return made


class Judge:
    """The plugin that collects the files and counts outcomes."""

    def __init__(self, backend: str, wanted: set[str] | None, show: bool) -> None:
        self.backend, self.wanted, self.show = backend, wanted, show
        self.outcomes: dict[str, list[str]] = {}
        self.reasons: dict[str, str] = {}
        self.cases: Counter[str] = Counter()
        self.processor: Counter[str] = Counter()
        self.seconds: Counter[str] = Counter()

    @pytest.hookimpl(tryfirst=True)
    def pytest_pycollect_makemodule(self, module_path: Path, parent: Any) -> Any:
        return Module.from_parent(parent, path=module_path)

    def pytest_collection_modifyitems(self, items: list[Any]) -> None:
        if self.wanted is not None:
            items[:] = [item for item in items if function_of(item.nodeid) in self.wanted]

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: Any) -> Any:  # an error in another hook would end the session
        name = function_of(item.nodeid)
        seconds = min(SECONDS, max(0.1, SECONDS_OF_ALL_CASES - self.processor[name]))

        def stop(*_: Any) -> None:
            raise TimeoutError(f"longer than {seconds:.0f} s of the processor")

        signal.signal(signal.SIGPROF, stop)
        signal.setitimer(signal.ITIMER_PROF, seconds)
        before = time.process_time()
        try:
            with ca.backend_context(self.backend):
                return (yield)
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
            self.processor[name] += time.process_time() - before  # type: ignore[assignment]

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item: Any) -> None:
        if "failed" in self.outcomes.get(function_of(item.nodeid), ()):
            pytest.skip("one case has failed")

    def pytest_runtest_logreport(self, report: Any) -> None:
        self.seconds[function_of(report.nodeid)] += report.duration
        if report.when == "call" or report.outcome != "passed":
            outcome = "skipped" if hasattr(report, "wasxfail") else report.outcome
            name = function_of(report.nodeid)
            self.outcomes.setdefault(name, []).append(outcome)
            self.cases[outcome] += 1
            if outcome == "failed":
                text = str(report.longrepr)
                self.reasons.setdefault(name, text)

    def pytest_collectreport(self, report: Any) -> None:
        if report.failed:
            print(f"cannot be collected: {report.nodeid}\n{str(report.longrepr)[-900:]}", file=sys.stderr)


def function_of(node: str) -> str:
    """Return a test function as `lib/tests/test_x.py::TestY::test_z`, without its case."""
    return re.sub(r"^.*?numpy/", "", node).partition("[")[0]


#: Reasons for which tests are left out, by what their errors say; the first that fits is taken.
REASONS = (
    ("no backend has texts, bytes, dates, records or objects in arrays",
    r"texts and objects|has objects|dtype '?[<>|=]?[SUOVMm]\d*|records|str_|bytes_|object_|datetime|timedelta|void|"
        r"structured|Cannot interpret .* as a data type|foreign byte order|not understood"),
    ("arrays have no strides, alignment or addresses of their own",
    r"stride|__array_interface__|ctypes|\.data\b|memory|aligned|order=|contiguous|flags|nditer|as_strided|BufferError|memoryview"),
    ("a private helper of NumPy's own tests or modules",
    r"has no 'numpy\._|has no 'numpy\.(core|_core|testing|lib\._|lib\.[a-z]*impl)"),
    ("backends do not report floating-point errors and warnings",
    r"FloatingPointError|DID NOT WARN|RuntimeWarning|ComplexWarning|DeprecationWarning|warn"),
    ("the frontend has no such name", r"the frontend has no|has no rule for|has no attribute|AttributeError"),
    ("the message of an error differs", r"does not match|Regex pattern|Pattern"),
    ("takes more processor time than the limit", r"longer than \d+ s"),
)  # fmt: skip


def reason_of(text: str) -> str:
    """Return why a test is left out, by the last lines of its failure."""
    last = text[-1500:]
    for reason, pattern in REASONS:
        if re.search(pattern, last):
            return reason
    if "DID NOT RAISE" in last or "not raised" in last:
        return "an error that NumPy raises is none here"
    return "a result that differs"


def known() -> dict[str, dict[str, str]]:
    return json.loads(LIST.read_text()) if LIST.exists() else {}


def sampled(backend: str, count: int, seed: int) -> set[str]:
    """Return test functions that must pass, drawn by chance."""
    listed = known()
    passing = [name for name, found in listed.items() if found.get(backend) == PASSES]
    return set(random.Random(seed).sample(sorted(passing), min(count, len(passing))))


def figures() -> str:
    """Return a table of how many listed tests pass on each backend, and why the others do not."""
    outcomes = {name: Counter(found[name] for found in known().values() if name in found) for name in BACKENDS}
    reasons = sorted({reason for counts in outcomes.values() for reason in counts} - {PASSES})
    rows = [f"| | {' | '.join(BACKENDS)} |", f"|---{'|---' * len(BACKENDS)}|"]
    for reason in (PASSES, *reasons):
        rows.append(f"| {reason} | {' | '.join(str(outcomes[name][reason]) for name in BACKENDS)} |")
    rows.append(f"| listed | {' | '.join(str(outcomes[name].total()) for name in BACKENDS)} |")
    return "\n".join(rows)


def main() -> int:
    """Run the tests and print counts; return 1 if a sampled test fails."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--backend", default=os.environ.get("COREARRAY_BACKEND") or "numpy")
    parser.add_argument("--files", nargs="*", default=[])
    parser.add_argument("--tests", nargs="*", default=[], help="parts of names of test functions")
    parser.add_argument("--sample", type=int)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--of", help="the backend on which the tests of the sample pass; by default the one they run on"
    )
    parser.add_argument("--figures", action="store_true", help=f"print a table of {LIST.name}, and run nothing")
    parser.add_argument("--failures", action="store_true", help="print the last lines of each failure")
    parser.add_argument("--write", action="store_true", help=f"update {LIST.name}")
    asked = parser.parse_args()
    if asked.figures:
        print(figures())
        return 0
    source = asked.of or asked.backend
    wanted = sampled(source, asked.sample, asked.seed) if asked.sample is not None else None
    if wanted is not None and not wanted:
        parser.error(f"{LIST.name} lists no test that passes on '{source}'")
    files = [name for name in FILES if not asked.files or any(part in name for part in asked.files)]
    if wanted is not None:
        files = [name for name in files if any(one.startswith(name) for one in wanted)]
    ca.get_backend(asked.backend)
    Module.backend = asked.backend
    judge = Judge(asked.backend, wanted, asked.failures)
    options = [
        "-q",
        "--noconftest",
        "-p",
        "no:cacheprovider",
        "-p",
        "no:xdist",
        "-p",
        "no:randomly",
        "-c",
        os.devnull,
        "--rootdir",
        str(HOME),
    ]
    options += [
        "-W",
        "ignore",
        "--tb=line",
        "--no-header",
        "--no-summary",
        "-o",
        "addopts=",
        "--import-mode=importlib",
        "--continue-on-collection-errors",
        "--capture=fd",
    ]
    chosen = ["-k", " or ".join(asked.tests)] if asked.tests else []
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # what is known by then is printed
    hypothesis.settings.register_profile(
        "judge", phases=[hypothesis.Phase.generate], max_examples=20, deadline=None, derandomize=True, database=None
    )
    hypothesis.settings.load_profile("judge")
    with Path(os.devnull).open("w") as nowhere:
        before, sys.stdout = sys.stdout, nowhere
        try:
            status = pytest.main([*options, *chosen, *(str(HOME / name) for name in files)], plugins=[judge])
        finally:
            sys.stdout = before
    if status not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED):
        print(f"pytest ended early or found no tests: {pytest.ExitCode(status).name}", file=sys.stderr)
    good = {name for name, found in judge.outcomes.items() if set(found) <= {"passed", "skipped"} and "passed" in found}
    bad = {name for name, found in judge.outcomes.items() if "failed" in found}
    for file in files:
        mine = [name for name in judge.outcomes if name.startswith(file)]
        passed = sum(name in good for name in mine)
        print(f"{file:44s} {passed:4d} of {passed + sum(name in bad for name in mine):4d}")
    if asked.failures:
        print("slowest:", ", ".join(f"{name} {seconds:.1f} s" for name, seconds in judge.seconds.most_common(5)))
    if asked.failures or wanted is not None:
        for name in sorted(bad):
            lines = [line for line in judge.reasons[name].splitlines() if line.strip()]
            print(f"--- {name}\n" + "\n".join(f"    {line[:200]}" for line in lines[-4:]))
    print(f"{asked.backend}: {len(good)} of {len(good) + len(bad)} test functions of NumPy pass")
    if asked.write:
        listed = known()
        for name in sorted(good | bad):
            entry = listed.setdefault(name, {})
            entry[asked.backend] = reason_of(judge.reasons[name]) if name in bad else PASSES
        LIST.write_text(json.dumps(dict(sorted(listed.items())), indent=0) + "\n")
    return int(bool(wanted is not None and source == asked.backend and (bad or len(good) < len(wanted))))


if __name__ == "__main__":
    sys.exit(main())
