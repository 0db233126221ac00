"""The wheels, in empty environments: `scripts/test --packaging` runs these, which install from the package index."""

from __future__ import annotations

import os
import zipfile
from pathlib import Path

import pytest
from environments import PLUGINS, ROOT, build_wheels, install, make_environment, run

import corearray as ca

pytestmark = pytest.mark.skipif(
    "COREARRAY_TEST_PACKAGING" not in os.environ, reason="needs the package index; run scripts/test --packaging"
)

DEFAULT = ca.state.DEFAULT_BACKEND


@pytest.fixture(scope="module")
def wheels(tmp_path_factory):
    return build_wheels(tmp_path_factory.mktemp("wheels"))


@pytest.fixture
def installed(wheels, tmp_path):
    """Install from the wheels into an environment that is empty at first, and return its Python."""
    python = make_environment(tmp_path / "empty")

    def into_it(what: str) -> Path:
        install(python, wheels, what, constraints=ROOT / "constraints.txt")
        return python

    return into_it


def test_wheels_hold_what_they_should(wheels):
    names = {path.name.partition("-")[0]: zipfile.ZipFile(path).namelist() for path in wheels.glob("*.whl")}
    plugins = {f"corearray_{name}" for name in PLUGINS}
    assert set(names) == {"corearray", *plugins}
    for package, files in names.items():
        tops = {name.partition("/")[0] for name in files}
        assert len(tops) == 2, "the package and its metadata, nothing else"
        assert package in tops
        assert any(name.endswith(".dist-info/licenses/LICENSE") for name in files) or package in plugins
    assert "corearray/py.typed" in names["corearray"]
    for path in (ROOT / "corearray").rglob("*.py"):
        assert str(path.relative_to(ROOT)) in names["corearray"]


def test_without_a_backend_the_first_call_says_what_to_install(installed):
    python = installed("corearray")
    assert DEFAULT not in run(python, "-m", "pip", "list")
    said = run(python, "-c", "import corearray; corearray.zeros(3)", fails=True)
    assert said.splitlines()[-1] == (
        f"corearray.errors.BackendNotFoundError: there is no backend '{DEFAULT}'; none is installed; "
        f"install it with: pip install 'corearray[{DEFAULT}]'"
    )
    assert run(python, "-m", "corearray", "list-backends").startswith(
        "no backend is installed; install one with: pip inst"
    )
    installed(f"corearray[{DEFAULT}]")
    assert run(python, "-c", "import corearray; print(corearray.zeros(3).tolist())") == "[0.0, 0.0, 0.0]"
    assert run(python.with_name("corearray"), "list-backends", "--check").splitlines()[1].split()[:2] == [
        DEFAULT,
        "ready",
    ]


@pytest.mark.parametrize("name", os.environ.get("COREARRAY_TEST_PACKAGING", "").split())
def test_a_backend_works_without_the_default_one(installed, name):
    python = installed(f"corearray[{name}]")
    program = "import corearray as ca; be = ca.get_backend(); x = ca.sin(ca.zeros(3)) + 1; print(be.name, x.tolist())"
    variable = f"import os; os.environ['COREARRAY_BACKEND'] = '{name}'; "
    assert run(python, "-c", variable + program) == f"{name} [1.0, 1.0, 1.0]"
    rows = [line.split()[:2] for line in run(python, "-m", "corearray", "list-backends", "--check").splitlines()[1:]]
    assert rows == [[name, "ready"]]
    wrong = run(python, "-c", "import corearray; corearray.zeros(3)", fails=True).splitlines()[-1]
    assert f"there is no backend '{DEFAULT}'; ready are '{name}'; install it with" in wrong
