"""Backends on other versions of their frameworks than the newest: `scripts/test --versions` runs these.

Each plugin lists environments in `tests/versions.txt`, one a line: requirements for pip, the framework's with `==`
first. The first line is the oldest version that the plugin declares. In each environment, made for the test and filled
from the package index, the plugin's tests and those of the standard are run from the wheels.
"""

from __future__ import annotations

import importlib
import os
import re
import tomllib

import pytest
from environments import PLUGINS, ROOT, build_wheels, install, make_environment, run
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

from corearray.contract.versions import matches
from corearray.settings.context import DEFAULT_BACKEND

DEFAULT = DEFAULT_BACKEND


def environments(name: str) -> list[list[str]]:
    """Return the requirements of each environment that a plugin lists."""
    listed = PLUGINS[name] / "tests" / "versions.txt"
    lines = listed.read_text().splitlines() if listed.exists() else []
    return [line.split() for line in lines if line and not line.startswith("#")]


LISTED = [name for name in PLUGINS if environments(name)]
ALL = [(name, needs) for name in LISTED for needs in environments(name)]


@pytest.mark.parametrize("name", LISTED)
def test_the_first_environment_has_the_oldest_version_that_is_declared(name):
    info = importlib.import_module(f"corearray_{name}").info
    framework, _, oldest = environments(name)[0][0].partition("==")
    assert framework in info.framework
    lowest = re.search(r">=([\d.]+)", info.framework_versions)
    assert lowest is not None and matches(oldest, f"=={lowest[1]}.*")
    for needs in environments(name):
        assert matches(needs[0].partition("==")[2], info.framework_versions)


@pytest.mark.parametrize("name", PLUGINS)
def test_a_distribution_needs_the_range_that_its_plugin_declares(name):
    info = importlib.import_module(f"corearray_{name}").info
    written = tomllib.loads((PLUGINS[name] / "pyproject.toml").read_text())["project"]["dependencies"]
    needed = {requirement.name: str(requirement.specifier) for requirement in map(Requirement, written)}
    assert SpecifierSet(needed[info.framework[0]]) == SpecifierSet(info.framework_versions)
    assert SpecifierSet(needed["corearray"]) == SpecifierSet(info.core_versions)


@pytest.fixture(scope="module")
def wheels(tmp_path_factory):
    return build_wheels(tmp_path_factory.mktemp("wheels"))


@pytest.mark.skipif(
    "COREARRAY_TEST_VERSIONS" not in os.environ, reason="needs the package index; run scripts/test --versions"
)
@pytest.mark.parametrize(("name", "needs"), ALL, ids=lambda value: value if isinstance(value, str) else value[0])
def test_a_backend_on_a_version(name, needs, wheels, tmp_path):
    if name not in os.environ["COREARRAY_TEST_VERSIONS"].split():
        pytest.skip(f"COREARRAY_TEST_VERSIONS does not name '{name}'")
    python = make_environment(tmp_path / "environment")
    tools = ("pytest", "pytest-xdist", "hypothesis", "scipy", "einops", "igraph")
    install(python, wheels, *needs, f"corearray[{name}]", f"corearray[{DEFAULT}]", *tools)
    framework, _, version = needs[0].partition("==")
    rows = [line.split() for line in run(python, "-m", "corearray", "list-backends", "--check").splitlines()[1:]]
    assert [row[4:6] for row in rows if row[0] == name] == [[framework, version]]
    said = run(
        python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", ROOT, "-c", ROOT / "pyproject.toml",
        "-n", os.environ.get("WORKERS", "2"), PLUGINS[name] / "tests", ROOT / "tests" / "standard",
        timeout=3600, COREARRAY_BACKEND=name, COREARRAY_TEST_EXAMPLES="5",
    )  # fmt: skip
    print(f"{needs[0]}: {said.splitlines()[-1]}")
    passed = re.search(r"(\d+) passed", said)
    assert passed is not None and int(passed[1]) > 1000
