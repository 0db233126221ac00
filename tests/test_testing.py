"""The conformance kit: it notices what is wrong, says how to see it, and holds its own tables complete."""

from __future__ import annotations

import operator
import os
import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import corearray as ca
from corearray.cli import main
from corearray.commands.new_backend import project_files
from corearray.contract.declaration import DECLARATIONS
from corearray.errors import CoreArrayError
from corearray.testing import Capabilities, Conformance, Known
from corearray.testing.calls import Case, cases
from corearray.testing.checks import errors
from corearray.testing.comparison import difference
from corearray.testing.edges import EDGES, requirements
from corearray.testing.known import STANDARD
from corearray.testing.reference import Refusal, Result, expected, function_of, in_own_dtypes, made, seen
from corearray.testing.samples import SAMPLES
from corearray.testing.ways import program, written

ROOT = Path(__file__).parent.parent

#: A backend with faults, and a module of tests for it.
FAULTY = """
import array_api_strict as xp
import numpy as np
import corearray as ca
from corearray.plugin import ArrayApiPlugin, BackendInfo, hookimpl
from corearray.testing import Capabilities, Conformance, Known


class Faulty(ArrayApiPlugin):
    info = BackendInfo("faulty", framework="array-api-strict", array_types=("array_api_strict._array_object.Array",))

    @hookimpl
    def sin(self, x, /):
        return xp.cos(x)

    @hookimpl
    def floor(self, x, /):
        if x.dtype == xp.int8:
            raise RuntimeError("no eight bits")
        return xp.floor(x)

    @hookimpl
    def flip(self, x, /, *, axis=None):
        return xp.flip(x, axis=0 if axis == 99 else axis)

    @hookimpl
    def promotes_arrays(self):
        return True

    @hookimpl(native=lambda x1, x2: xp.maximum(xp.astype(x1, x2.dtype), x2))
    def maximum(self, x1, x2, /): ...

    @hookimpl
    def argmax(self, x, /, *, axis=None, keepdims=False):
        found = xp.argmax(x, axis=axis, keepdims=keepdims)
        return found if axis is not None or keepdims else int(found)

    @hookimpl
    def argmin(self, x, /, *, axis=None, keepdims=False):
        return xp.astype(xp.argmin(x, axis=axis, keepdims=keepdims), xp.int16)

    @hookimpl
    def cumulative_sum(self, x, /, *, axis=None, dtype=None, include_initial=False):
        x[...] = xp.zeros_like(x)
        return xp.cumulative_sum(x, axis=axis, dtype=dtype, include_initial=include_initial)

    @hookimpl
    def tanh(self, x, /, *, out=None):
        return xp.tanh(x)


if "faulty" not in [row.name for row in ca.list_backends()]:
    ca.register_backend(Faulty(xp, to_numpy=np.asarray))


class TestFaulty(Conformance):
    backend = "faulty"
    capabilities = Capabilities(dtypes=("int8", "int16", "float32"), writes_in_place=True)
    known = ({known})
"""


def outcome(folder: Path, *tests: str, known: str = "") -> str:
    """Run tests of the kit on the backend with faults and return what pytest prints."""
    (folder / "test_faulty.py").write_text(FAULTY.replace("{known}", known))
    return pytest_in(folder, *(f"test_faulty.py::TestFaulty::{test}" for test in tests))


def pytest_in(folder, *arguments, path=""):
    kept = {name: text for name, text in os.environ.items() if not name.startswith("COREARRAY_")}
    kept["PYTHONPATH"] = os.pathsep.join([path, str(ROOT), kept.get("PYTHONPATH", "")])
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *arguments]
    return subprocess.run(command, cwd=folder, env=kept, capture_output=True, text=True, check=False).stdout


class Faults:
    """What is printed for faults of several kinds, and what the programs show that are printed with them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        tests = ("function[sin]", "function[flip]", "ways[tanh]", "check[writing]", "check[promotion]")
        tests += ("function[argmax]", "function[argmin]", "function[cumulative_sum]", "check[dtypes]")
        self.printed = outcome(folder, *(f"test_{test}" for test in tests))

    def of(self, test: str) -> str:
        """Return what is printed for one test."""
        return self.printed.split(f" TestFaulty.{test} ")[1].partition("\n_____")[0].partition("\n=====")[0]

    def shown(self, test: str) -> str:
        """Run the program printed for one test and return what it prints, or the last line of its error."""
        text = self.of(test)
        begin = re.search("^import ", text, re.MULTILINE)
        program = text[begin.start() :].partition("\n\nsin, ")[0]
        done = subprocess.run(
            [sys.executable, "-c", f"import test_faulty\n{program}"],
            cwd=self.folder,
            capture_output=True,
            text=True,
            check=False,
        )
        return done.stdout or done.stderr.splitlines()[-1]


@pytest.fixture(scope="module")
def faults(tmp_path_factory):
    return Faults(tmp_path_factory.mktemp("faults"))


def test_a_fault_is_told_with_a_program_that_shows_it(faults):
    test = "test_function[sin]"
    assert "sin, sample 1 (native): expected 0.997" in faults.of(test)
    assert faults.of(test).count("import numpy as np") == 1
    assert "\nsin, as int8 (native): expected 0.909" in faults.of(test)
    assert faults.shown(test).startswith("Array([[0.07")
    assert "\nfaulty   5       0         0        0        0      5\n" in faults.printed


def test_a_number_in_place_of_an_array_is_told(faults):
    assert "; the implementation returned 3, a Python number, where an array of the framework is due\n" in faults.of(
        "test_function[argmax]"
    )


def test_a_native_dtype_that_is_not_the_declared_one_is_told(faults):
    told = "argmin, sample 1 (native): expected int64 of shape (), found a native array of int16 of shape ()\n"
    assert told in faults.of("test_function[argmin]")


def test_an_argument_that_is_overwritten_is_told_beside_the_wrong_result(faults):
    told = faults.of("test_function[cumulative_sum]")
    assert "; array 1 of the arguments was [0.25, 1.5, -0.75, 2.0] and is [0.0, 0.0, 0.0, 0.0] after the call\n" in told


def test_dtypes_that_the_capabilities_forget_are_told(faults):
    told = faults.of("test_check[dtypes]")
    assert "the backend's hook 'dtypes' declares ['bool', 'complex128', " in told
    assert "besides those of Capabilities(dtypes=...), and lacks []" in told


def test_an_error_of_another_kind_is_a_fault(faults):
    test = "test_function[flip]"
    assert "flip, no such axis (native): expected an error that is a ValueError or a IndexError, found" in faults.of(
        test
    )
    assert faults.shown(test).startswith("Array(")


def test_a_fault_of_one_way_is_told_with_the_way(faults):
    test = "test_ways[tanh]"
    assert "tanh by way of out: result 1: expected 0.905" in faults.of(test)
    assert faults.shown(test).startswith("[True, Array([[0.0, 0.0, 0.0]")


def test_a_check_that_fails_is_told_with_a_program_too(faults):
    test = "test_check[writing]"
    cause = "the plugin does not write in place, and Capabilities(writes_in_place=True)"
    assert f"writing: AssertionError: {cause}\n" in faults.of(test)
    given = "dtypes=('int8', 'int16', 'float32'), writes_in_place=True"
    assert f'checks.writing(ca.get_backend("faulty"), Capabilities({given}))' in faults.of(test)
    assert faults.shown(test) == f"AssertionError: {cause}"


def test_an_error_that_is_not_raised_names_the_call():
    be = ca.get_backend("numpy")
    wrong = {"zeros": be.zeros, "asarray": lambda x, **options: be.zeros(1)}
    with pytest.raises(
        AssertionError, match=r"be.asarray\(-\(2\*\*31\) - 1, dtype='int32'\), .* expected OverflowError"
    ):
        errors(SimpleNamespace(**wrong), Capabilities())


def test_a_framework_that_does_not_promote_as_it_says_is_told_of(faults):
    test = "test_check[promotion]"
    assert "be.native.maximum of int16 and int8 gives int8, not int16" in faults.of(test)


def test_known_failures_are_no_failures_and_strict(tmp_path):
    known = (
        "Known('sin', 'never', 'it is a cosine'), Known('floor', 'notyet', 'no bytes', dtypes=('int8',), case='as *'), "
        "Known('floor', 'notyet', 'no bytes', dtypes=('int8',), case='the limits of *'), "
        "Known('cos', 'never', 'why not'), Known('sign', 'notyet', 'no bytes', dtypes=('int8',)), "
        "Known('flip', 'notyet', 'no such axis', versions='<1'),"
    )
    tests = [f"test_function[{name}]" for name in ("sin", "floor", "cos", "sign", "flip")]
    printed = outcome(tmp_path, *tests, known=known)
    assert "3 failed, 2 xfailed" in printed, printed
    assert "'cos' is known to fail and passes with it: take that out" in printed
    assert "'sign' is known to fail and passes with 'int8'" in printed
    assert "flip, no such axis (native)" in printed


@pytest.mark.parametrize(
    ("entry", "told"),
    [
        (Known("sine", "never", "?"), "names neither a function of this core nor a check of the kit"),
        (Known("sin", "later", "?"), "is of no kind; kinds are 'never', 'notimpl', 'notyet'"),
        (Known("sin", "never", ""), "has no reason"),
        (Known("sin", "never", "?", dtypes=("int8",)), "names dtypes that the capabilities do not list: 'float32'"),
        (Known("sin", "never", "?", versions="2"), "'2' is no version range"),
    ],
)
def test_known_failures_that_name_nothing_are_refused(entry, told):
    with pytest.raises(CoreArrayError, match=told):
        type(
            "TestNothing",
            (Conformance,),
            {"capabilities": Capabilities(dtypes=("float32",)), "known": (entry,), "__module__": "elsewhere"},
        )


def test_a_known_failure_of_one_call_excuses_no_other(tmp_path):
    known = (
        "Known('sin', 'never', 'it is a cosine', case='as float32'), Known('cos', 'never', 'why not', case='sample 1'),"
    )
    printed = outcome(tmp_path, "test_function[sin]", "test_function[cos]", known=known)
    assert "2 failed" in printed, printed
    assert "sin, sample 1 (native): expected 0.997" in printed
    assert "sin, as float32" not in printed
    assert "'cos' is known to fail and passes with case='sample 1': take that out" in printed


def test_capabilities_without_dtypes_are_those_of_the_backend():
    class OfNumpy(Conformance):
        backend = "numpy"
        known = (Known("sin", "never", "?", dtypes=("int8",)),)

    assert OfNumpy.can() == Capabilities(dtypes=STANDARD)


def test_every_function_has_a_sample_and_an_expected_result():
    assert set(SAMPLES) == set(DECLARATIONS)
    dtypes = ("bool", "int64", "float32", "float64", "complex64")
    assert not [name for name in DECLARATIONS if not expected(name, dtypes)]


@pytest.mark.parametrize(
    ("found", "told"),
    [
        (Result("float32", (2,), np.asarray([1.0, np.nan], "float32")), ""),
        (Result("float32", (2,), np.asarray([1.000005, np.nan], "float32")), ""),
        (Result("float32", (2,), np.asarray([1.0001, np.nan], "float32")), "expected 1.0, found 1.0001"),
        (Result("float32", (2,), np.asarray([1.01, np.nan], "float32")), "expected 1.0, found 1.009"),
        (Result("float32", (2,), np.asarray([1.0, 1.0], "float32")), r"expected nan, found 1.0 at \(1,\)"),
        (Result("float64", (2,), np.asarray([1.0, np.nan])), "expected float32 of shape .*, found float64"),
        (Result("float32", (1, 2), np.asarray([[1.0, np.nan]], "float32")), r"found float32 of shape \(1, 2\)"),
        (1.0, "expected an array, found 1.0"),
    ],
)
def test_what_is_a_difference(found, told):
    wanted = Result("float32", (2,), np.asarray([1.0, np.nan], "float32"))
    text = difference(Case("sin", "", "", (), {}), found, wanted)
    assert re.search(told, text) if told else not text


def test_functions_of_many_roundings_may_err_more():
    wanted, found = Result("float64", (), np.asarray(1.0)), Result("float64", (), np.asarray(1.0 + 1e-11))
    assert not difference(Case("sum", "", "", (), {}), found, wanted)
    assert difference(Case("exp", "", "", (), {}), found, wanted)


def test_a_result_of_a_dtype_that_the_backend_lacks_is_refused():
    narrow_backend = SimpleNamespace(native_dtypes={ca.float32: None}, own_dtype=lambda dtype: dtype)
    wide, narrow = (Result(dtype, (), np.asarray(1.0, dtype)) for dtype in ("complex64", "float32"))
    assert in_own_dtypes(narrow_backend, narrow) is narrow
    assert in_own_dtypes(narrow_backend, (narrow, wide)) == Refusal(("TypeError", "NotImplementedError"))


def test_arrays_of_zeros_are_written_in_short():
    text = written(Case("sum", "", "", (np.zeros((5, 7, 11), "float32"),), {}))
    assert text == 'be.sum(be.asarray(np.zeros((5, 7, 11), "float32")))'


def test_an_array_given_twice_is_made_once():
    x, y = np.zeros(2), np.zeros(2)
    one, (two, three) = made(ca.get_backend("numpy"), (x, [x, y]))
    assert one is two and one is not three


def test_a_program_writes_every_kind_of_argument():
    args = (np.zeros((0, 2), "int8"), [np.asarray([np.nan, np.inf])], (1,), "sum", operator.mul)
    text = program("numpy", written(Case("inv", "", "", args, {"x": -np.inf}))).splitlines()
    assert text[0] == "import operator"
    assert text[-1] == (
        'print(be.linalg.inv(be.asarray(np.asarray([], "int8").reshape(0, 2)), '
        '[be.asarray(np.asarray([float("nan"), float("inf")], "float64"))], (1,), \'sum\', operator.mul, x=float("-inf")))'
    )


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_every_call_that_is_written_is_the_call():
    be = ca.get_backend("numpy")
    names = {"be": be, "ca": ca, "np": np, "operator": operator}
    for name in sorted(DECLARATIONS):
        for case in cases(name, ("int32", "float32", "complex64")):
            try:
                wanted = function_of(be, name)(*made(be, case.args), **made(be, case.options))
            except ca.CoreArrayError as error:
                with pytest.raises(type(error)):
                    eval(written(case), dict(names))
            else:
                assert not difference(case, seen(be, eval(written(case), dict(names))), seen(be, wanted)), case


def test_the_table_in_the_documentation_is_that_of_the_kit():
    page = (ROOT / "docs" / "writing-a-backend.md").read_text()
    table = page.partition("from corearray.testing.edges")[2].partition("\n")[2].partition("<!-- end -->")[0]
    assert table.strip() == requirements(), "write what the command in the comment prints between the markers"


def test_every_primary_has_edge_cases():
    assert not [d.name for d in DECLARATIONS.values() if not d.compositional and not EDGES.get(d.name)]


def test_most_functions_are_tried_with_wrong_calls():
    refused = {
        name
        for name in DECLARATIONS
        if any(type(wanted) is Refusal for wanted in expected(name, ("int32", "float32", "complex64")).values())
    }
    assert len(refused) > len(DECLARATIONS) / 2


# --- planted faults


def test_planted_faults_are_noticed_and_survivors_are_told():
    """A sample of mutants of all functions, of which few give the same: the tool counts these and finds no other."""
    command = [sys.executable, "-m", "tests.mutants", "--sample", "80", "--seed", "41", "--jobs", "2"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"80 mutants of \d\d functions in \d+ s: \d+ caught", done.stdout), done.stdout


# --- a project of its own


def test_a_new_project_installs_and_passes_its_tests_as_it_comes(tmp_path, capsys):
    """A new project passes the tests of the primary functions. `test_tutorial.py` runs all tests of the same project."""
    assert main(["new-backend", "demo", "--folder", str(tmp_path)]) == 0
    assert capsys.readouterr().out.splitlines()[2:] == [
        f"cd {tmp_path / 'corearray-demo'}",
        "pip install -e '.[test]'",
        "corearray validate demo",
        "pytest",
    ]
    project, site = tmp_path / "corearray-demo", tmp_path / "site"
    install = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation"]
    subprocess.run([*install, "--target", str(site), str(project)], check=True, capture_output=True)
    printed = pytest_in(project, "-q", "-m", "primary", path=str(site))
    assert re.search(r"\d+ passed", printed) and "failed" not in printed, printed
    assert f"demo     {len(DECLARATIONS) - COMPOSED}" in printed


@pytest.mark.parametrize(
    ("name", "folder", "said"),
    [
        ("Demo", ".", "'Demo' is no valid backend name; names are lower-case Python identifiers of ASCII letters"),
        ("my-lib", ".", "'my-lib' is no valid backend name"),
        ("größe", ".", "'größe' is no valid backend name"),
        ("mylib_", ".", "'mylib_' is no valid backend name"),
        ("", ".", "'' is no valid backend name"),
        ("numpy", ".", "'numpy' is taken: it is the name of 'corearray-numpy'; choose another"),
        ("all", ".", "'all' is taken: it is the name of 'corearray[all]'; choose another"),
        ("demo", "there", "corearray-demo' is there already; move it away, or choose another --folder"),
        ("demo", "nowhere", "corearray-demo': No such file or directory; choose another --folder"),
        ("demo", "file", "corearray-demo': Not a directory; choose another --folder"),
    ],
)
def test_a_project_that_is_not_written_leaves_nothing_behind(tmp_path, capsys, name, folder, said):
    (tmp_path / "there" / "corearray-demo").mkdir(parents=True)
    (tmp_path / "file").write_text("")
    before = sorted(tmp_path.rglob("*"))
    assert main(["new-backend", name, "--folder", str(tmp_path / folder)]) == 2
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1
    assert sorted(tmp_path.rglob("*")) == before


def test_the_ci_file_does_what_the_readme_says():
    files = project_files("demo")
    steps = re.findall(r"^ +- run: (.*)$", files[".github/workflows/test.yml"], re.MULTILINE)
    told = re.findall(r"^(pip .*'|corearray validate \w+|pytest)", files["README.md"], re.MULTILINE)
    assert told == ["pip install -e '.[test]'", "corearray validate demo", "pytest"]
    assert steps == [command.replace("-e ", "") for command in told]


COMPOSED = sum(declaration.compositional for declaration in DECLARATIONS.values())


def test_the_floor_is_small():
    """A backend needs at most 80 short functions, facts included."""
    files = {place: text for place, text in project_files("demo").items() if place.startswith("corearray_demo/")}
    functions = [line for text in files.values() for line in text.splitlines() if line.startswith("def ")]
    assert len(functions) <= 80
    bodies = "\n\n".join(files.values()).split("@hookimpl\ndef ")[1:]
    assert max(body.split("\n\n\n")[0].count("\n") for body in bodies) <= 8


def test_the_files_of_a_project_are_neat(tmp_path):
    """For their author, whose own package they are and who has installed corearray."""
    main(["new-backend", "demo", "--folder", str(tmp_path)])
    for command in (["check", "--select", "E,F,I,W,B"], ["format", "--check"]):
        done = subprocess.run(
            [sys.executable, "-m", "ruff", *command, "--isolated", "--line-length", "120", "."],
            cwd=tmp_path / "corearray-demo",
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout
