"""Plugins outside of this project, from built wheels in environments of their own: `scripts/test --packaging` runs these."""

from __future__ import annotations

import json
import os
import shutil

import pytest
from environments import ROOT, build_wheels, install, make_environment, run

EXAMPLES = {
    folder.name.removeprefix("corearray-"): folder for folder in sorted((ROOT / "examples" / "plugins").iterdir())
}
del EXAMPLES["cupy"]  # which needs a GPU; `tests/test_cupy_example.py` tests what can be tested without
#: The example of a library that lacks functions and is too slow for the kit.
CUBED = EXAMPLES.pop("cubed")
#: The examples that extend backends of others.
EXTENSIONS = {name: EXAMPLES.pop(name) for name in ("fused", "profiler")}

pytestmark = pytest.mark.skipif(
    "COREARRAY_TEST_PACKAGING" not in os.environ, reason="needs the package index; run scripts/test --packaging"
)


def with_projects(wheels, folder, *projects):
    """Build the wheels of projects into a folder that has ours too, and return it."""
    shutil.copytree(wheels, folder)
    return build_wheels(folder, projects)


def installed(name, project, wheels, folder):
    """Install wheels of the core and of a project into an environment; return its Python and the row of the backend."""
    python = make_environment(folder / "environment")
    install(python, with_projects(wheels, folder / "wheels", project), f"corearray-{name}[test]")
    (row,) = json.loads(run(python, "-m", "corearray", "list-backends", "--load", "--json"))
    assert (row["name"], row["status"]) == (name, "ready")
    return python, row


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_plugin_of_a_third_party_beside_the_core_alone(name, wheels, tmp_path):
    """It passes the kit; what is done around a call is the core's, and tested elsewhere unless `scripts/test --long` runs."""
    python, row = installed(name, EXAMPLES[name], wheels, tmp_path)
    assert row["missing"] == 0
    assert ": no problem in " in run(python, "-m", "corearray", "validate", name)
    chosen = [] if "COREARRAY_TEST_LONG" in os.environ else ["-k", "not test_ways"]
    printed = run(
        python, "-m", "pytest", "-q", "-p", "no:cacheprovider", *chosen, EXAMPLES[name] / "tests", timeout=1800
    )
    assert "functions by backend" in printed
    result = run(python, "-c", ACCURACY, ROOT / "examples" / "digits.py", COREARRAY_BACKEND=name)
    assert float(result.splitlines()[-1]) > 0.95


def test_an_adapter_of_a_library_that_lacks_functions(wheels, tmp_path):
    python, row = installed("cubed", CUBED, wheels, tmp_path)
    lacking = json.loads(run(python, "-m", "corearray", "list-functions", "--backend", "cubed", "--missing", "--json"))
    names = {function["function"] for function in lacking}
    assert {"argsort", "fft"} <= names and len(names) == row["missing"]
    assert " passed" in run(python, "-m", "pytest", "-q", "-p", "no:cacheprovider", CUBED / "tests")


def test_extensions_of_a_third_party(wheels, tmp_path):
    """Both beside NumPy's backend; the tests of the kernel for torch run where torch is, in its plugin's tests."""
    python = make_environment(tmp_path / "environment")
    found = with_projects(wheels, tmp_path / "wheels", *EXTENSIONS.values())
    install(python, found, "corearray-numpy", *(f"corearray-{name}[test]" for name in EXTENSIONS))
    rows = json.loads(run(python, "-m", "corearray", "list-extensions", "--json"))
    assert {(row["name"], row["status"]) for row in rows} == {
        (name, "ready") for name in ("fused", "fused_torch", "profiler")
    }
    printed = run(
        python,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        EXTENSIONS["profiler"] / "tests",
        COREARRAY_BACKEND="numpy",
    )
    assert " passed" in printed


ACCURACY = "import runpy, sys; print(runpy.run_path(sys.argv[1], run_name='__main__')['result']['accuracy'])"
