"""The conformance kit: it notices what is wrong, says how to see it, and holds its own tables complete."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from corearray.cli import main
from corearray.commands.new_backend import project_files
from corearray.declaration import DECLARATIONS
from corearray.errors import CoreArrayError
from corearray.testing import Capabilities, Conformance, Known
from corearray.testing.calls import Case
from corearray.testing.comparison import difference, reproduction
from corearray.testing.reference import Result, expected
from corearray.testing.samples import SAMPLES

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


if "faulty" not in [row.name for row in ca.list_backends()]:
    ca.register_backend(Faulty(xp, to_numpy=np.asarray))


class TestFaulty(Conformance):
    backend = "faulty"
    capabilities = Capabilities(dtypes=("int8", "int16", "float32"))
    known = ({known})
"""


@pytest.fixture
def outcome(tmp_path):
    """Run the kit on the backend with faults and return what pytest prints."""

    def run(choice: str, known: str = "") -> str:
        (tmp_path / "test_faulty.py").write_text(FAULTY.replace("{known}", known))
        return pytest_in(tmp_path, "-k", choice)

    return run


def pytest_in(folder, *arguments, path=""):
    kept = {name: text for name, text in os.environ.items() if not name.startswith("COREARRAY_")}
    kept["PYTHONPATH"] = os.pathsep.join([path, str(ROOT), kept.get("PYTHONPATH", "")])
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *arguments]
    return subprocess.run(command, cwd=folder, env=kept, capture_output=True, text=True, check=False).stdout


def test_a_fault_is_told_with_a_program_that_shows_it(outcome, tmp_path):
    printed = outcome("test_function and sin]")
    assert "sin, sample 1 (native): expected 0.997" in printed
    assert "\nfaulty   1       2         0        2        0      1\n" in printed
    told, _, _ = printed.partition("short test summary")  # which repeats it in CI
    assert told.count("import numpy as np") == 1
    assert "\nsin, as int8 (native): expected 0.909" in printed
    start = printed.index("import numpy as np")
    program = printed[start : printed.index("\n", printed.index("print(", start))]
    assert program.splitlines()[:4] == [
        "import numpy as np",
        "import corearray as ca",
        "",
        'be = ca.get_backend("faulty")',
    ]
    shown = subprocess.run(
        [sys.executable, "-c", "import test_faulty\n" + program],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert shown.stdout.startswith("Array([[0.07")


def test_known_failures_are_no_failures_and_strict(outcome):
    known = "Known('sin', 'never', 'it is a cosine'), Known('floor', 'notyet', 'no bytes', dtypes=('int8',))"
    assert "2 xfailed" in (printed := outcome("test_function and (sin] or floor])", known)), printed
    known = "Known('cos', 'never', 'why not'), Known('floor', 'notyet', 'no bytes', dtypes=('int8', 'int16'))"
    printed = outcome("test_function and (cos] or floor])", known)
    assert "'cos' is known to fail and passes with it: take that out" in printed
    assert "'floor' is known to fail and passes with 'int16': take that out" in printed
    known = "Known('floor', 'notyet', 'no bytes', versions='<1', dtypes=('int8',)),"
    assert "RuntimeError: no eight bits" in outcome("test_function and floor]", known)


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


def test_every_function_has_a_sample_and_an_expected_result():
    assert set(SAMPLES) == set(DECLARATIONS)
    found = expected(("bool", "int64", "float32", "float64", "complex64"))
    assert {name for name, _ in found} == set(DECLARATIONS)


@pytest.mark.parametrize(
    ("found", "told"),
    [
        (Result("float32", (2,), np.asarray([1.0, np.nan], "float32")), ""),
        (Result("float32", (2,), np.asarray([1.00001, np.nan], "float32")), ""),
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


def test_a_reproduction_writes_every_kind_of_argument():
    args = (np.zeros((0, 2), "int8"), [np.asarray([np.nan, np.inf])], (1,), "sum")
    text = reproduction("numpy", Case("inv", "", "", args, {"x": -np.inf}), "linalg").splitlines()[-1]
    assert text == (
        'print(be.linalg.inv(be.asarray(np.asarray([], "int8").reshape(0, 2)), '
        '[be.asarray(np.asarray([float("nan"), float("inf")], "float64"))], (1,), \'sum\', x=float("-inf")))'
    )


# --- a project of its own


def test_a_new_project_installs_and_passes_its_tests_as_it_comes(tmp_path, capsys):
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
    printed = pytest_in(project, "-q", path=str(site))
    assert " passed in " in printed and "failed" not in printed, printed
    assert f"demo     {len(DECLARATIONS) - COMPOSED}" in printed
    assert main(["new-backend", "demo", "--folder", str(tmp_path)]) == 2
    assert "is there already" in capsys.readouterr().err
    assert main(["new-backend", "Demo"]) == 2


COMPOSED = sum(declaration.compositional for declaration in DECLARATIONS.values())


def test_the_floor_is_small():
    """A backend needs at most 80 short functions, facts included."""
    files = {place: text for place, text in project_files("demo").items() if place.startswith("corearray_demo/")}
    functions = [line for text in files.values() for line in text.splitlines() if line.startswith("def ")]
    assert len(functions) <= 80
    bodies = "".join(files.values()).split("@hookimpl\ndef ")[1:]
    assert max(body.split("\n\n\n")[0].count("\n") for body in bodies) <= 8


def test_the_files_of_a_project_are_neat(tmp_path):
    main(["new-backend", "demo", "--folder", str(tmp_path)])
    for command in (["check", "--select", "E,F,I,W,B"], ["format", "--check"]):
        done = subprocess.run(
            [sys.executable, "-m", "ruff", *command, "--isolated", "--line-length", "120", str(tmp_path)],
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout
