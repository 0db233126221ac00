"""The wheels, in empty environments: `scripts/test --packaging` runs these, which install from the package index."""

from __future__ import annotations

import hashlib
import json
import os
import shlex
import shutil
import sys
import zipfile

import pytest
from environments import PLUGINS, ROOT, build_wheels, copied, install, make_environment, pip, run

import corearray as ca
from corearray.settings.context import DEFAULT_BACKEND

pytestmark = pytest.mark.skipif(
    "COREARRAY_TEST_PACKAGING" not in os.environ, reason="needs the package index; run scripts/test --packaging"
)

DEFAULT = DEFAULT_BACKEND


def test_wheels_hold_what_they_should(wheels):
    names = {path.name.partition("-")[0]: zipfile.ZipFile(path).namelist() for path in wheels.glob("*.whl")}
    plugins = {f"corearray_{name}" for name in PLUGINS}
    assert set(names) == {"corearray", *plugins}
    for package, files in names.items():
        tops = {name.partition("/")[0] for name in files}
        assert len(tops) == 2, "the package and its metadata, nothing else"
        assert package in tops
        assert any(name.endswith(".dist-info/licenses/LICENSE") for name in files)
    assert "corearray/py.typed" in names["corearray"]
    for path in (ROOT / "corearray").rglob("*.py"):
        assert str(path.relative_to(ROOT)) in names["corearray"]


def test_wheels_are_the_same_wherever_and_whenever_they_are_built(wheels, tmp_path):
    """Byte by byte, with SOURCE_DATE_EPOCH; the second build is of a copy elsewhere, with newer files.

    The plugins are built alike: one of them is built again, unless `scripts/test --long` runs.
    """
    plugins = PLUGINS.values() if "COREARRAY_TEST_LONG" in os.environ else [PLUGINS[DEFAULT]]
    copies = [copied(project, tmp_path / "copies") for project in (ROOT, *plugins)]
    again = {path.name: path.read_bytes() for path in build_wheels(tmp_path / "again", copies).iterdir()}
    assert len(again) == len(copies)
    assert again == {path.name: path.read_bytes() for path in wheels.iterdir() if path.name in again}


def test_the_bill_of_materials_names_each_wheel_with_its_checksum_and_what_it_needs(wheels, tmp_path):
    copies = tmp_path / "dist"
    shutil.copytree(wheels, copies)
    run(sys.executable, ROOT / "scripts" / "bill_of_materials.py", copies)
    bill = json.loads((copies / "sbom.cdx.json").read_text())
    hashes = {part["bom-ref"]: part["hashes"][0]["content"] for part in bill["components"] if "hashes" in part}
    assert hashes == {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in wheels.glob("*.whl")}
    refs = {part["bom-ref"] for part in bill["components"]}
    assert {"pluggy", "numpy"} <= refs and all(refs.issuperset(row["dependsOn"]) for row in bill["dependencies"])
    assert all(f"{value}  {name}\n" in (copies / "SHA256SUMS").read_text() for name, value in hashes.items())


def test_twine_finds_nothing_to_complain_of(wheels):
    run(sys.executable, "-m", "twine", "check", "--strict", *wheels.iterdir())


def test_all_backends_are_installed_from_a_folder_of_wheels(wheels, tmp_path):
    """With what they need from the index; to install it too would take minutes."""
    python = make_environment(tmp_path / "empty")
    report = tmp_path / "report.json"
    wanted = ["--find-links", wheels, "--constraint", ROOT / "constraints.txt", "corearray[all]"]
    pip(python, "install", "--no-input", "--dry-run", "--quiet", "--report", report, *wanted)
    chosen = {found["metadata"]["name"]: found for found in json.loads(report.read_text())["install"]}
    assert {name for name in chosen if name.startswith("corearray")} == {
        "corearray",
        *(f"corearray-{name}" for name in PLUGINS),
    }
    assert set(PLUGINS) <= set(chosen), "each framework is named like its backend"
    for name in ("corearray", *(f"corearray-{name}" for name in PLUGINS)):
        assert chosen[name]["download_info"]["url"].startswith("file://")


@pytest.fixture(scope="module")
def bare(wheels, tmp_path_factory):
    """Make an environment with what the core and the default backend need, and with neither."""
    python = make_environment(tmp_path_factory.mktemp("bare") / "environment")
    install(python, wheels, f"corearray[{DEFAULT}]", constraints=ROOT / "constraints.txt")
    remove(python, "corearray", f"corearray-{DEFAULT}")
    return python


def add(python, *wheels):
    """Install wheels of ours, and nothing else."""
    pip(python, "install", "--quiet", "--no-input", "--no-index", "--no-deps", "--upgrade", *wheels)


def remove(python, *names):
    pip(python, "uninstall", "--quiet", "--yes", *names)


def rows(python):
    found = json.loads(run(python, "-m", "corearray", "list-backends", "--json"))
    return {row["name"]: (row["status"], row["plugin_version"]) for row in found}


def files(python):
    """Return what of ours lies in an environment."""
    return sorted(
        str(path.relative_to(python.parent.parent))
        for path in python.parent.parent.rglob("*corearray*")
        if "__pycache__" not in path.parts
    )


COMPUTE = "import corearray as ca; print(ca.sum(ca.ones((2, 3))).tolist())"


@pytest.mark.parametrize("reverse", [False, True], ids=["core first", "core last"])
def test_any_order_and_nothing_remains(bare, wheels, reverse):
    """Each distribution is installed by itself, and works with those that are there; then each is taken out again."""
    assert files(bare) == []
    names = sorted(wheels.iterdir(), reverse=reverse)
    assert names[-1 if reverse else 0].name.startswith("corearray-")
    for wheel in names:
        add(bare, wheel)
        if not reverse:
            rows(bare)
    expected = {name: "ready" if name == DEFAULT else "framework missing" for name in PLUGINS}
    assert {name: status for name, (status, _) in rows(bare).items()} == expected
    assert run(bare, "-c", COMPUTE) == "6.0"
    remove(bare, f"corearray-{DEFAULT}")
    said = run(bare, "-c", COMPUTE, fails=True).splitlines()[-1]
    other = min(set(PLUGINS) - {DEFAULT})
    assert f"there is no backend '{DEFAULT}'; installed are '{other}'" in said
    folder = next(iter(names)).parent
    assert said.endswith(f"install it with: pip install --find-links {folder} corearray-{DEFAULT}")
    if reverse:
        remove(bare, *(f"corearray-{name}" for name in PLUGINS if name != DEFAULT))
        assert "none is installed" in run(bare, "-c", COMPUTE, fails=True)
        remove(bare, "corearray")
    else:
        remove(bare, "corearray")
        assert "No module named 'corearray'" in run(bare, "-c", f"import corearray_{min(PLUGINS)}", fails=True)
        remove(bare, *(f"corearray-{name}" for name in PLUGINS if name != DEFAULT))
    assert files(bare) == []


def test_upgrades_from_the_release_before(bare, wheels, tmp_path):
    """Core and plugin, one after the other: between the two the plugin is left out, and told to be."""
    projects = [copied(project, tmp_path / "copies", "0.0.9") for project in (ROOT, PLUGINS[DEFAULT])]
    (tmp_path / "copies" / "corearray" / "corearray" / "gone.py").write_text("")
    old = sorted(build_wheels(tmp_path / "old", projects).iterdir())
    new = [path for path in sorted(wheels.iterdir()) if path.name.startswith(("corearray-", f"corearray_{DEFAULT}-"))]
    for first, second in (new, new[::-1]):
        add(bare, *old)
        assert rows(bare) == {DEFAULT: ("ready", "0.0.9")}
        assert run(bare, "-c", COMPUTE) == "6.0"
        assert any(path.endswith("gone.py") for path in everything(bare))
        add(bare, first)
        assert rows(bare)[DEFAULT][0] == "core mismatch"
        said = run(bare, "-c", COMPUTE, fails=True).splitlines()[-1]
        assert f"'corearray-{DEFAULT}'" in said and "upgrade the older of the two" in said
        add(bare, second)
        assert rows(bare) == {DEFAULT: ("ready", ca.__version__)}
        assert run(bare, "-c", COMPUTE) == "6.0"
        assert not any(path.endswith("gone.py") for path in everything(bare))
        remove(bare, "corearray", f"corearray-{DEFAULT}")
        assert files(bare) == []


def everything(python):
    return [str(path) for path in next(python.parent.parent.glob("lib/*/site-packages")).glob("corearray/*")]


def test_from_a_git_address_with_the_command_of_the_message(tmp_path):
    """The plugin comes from the commit that the core came from."""
    python = make_environment(tmp_path / "environment")
    address = f"git+{ROOT.as_uri()}@{run('git', '-C', ROOT, 'rev-parse', 'HEAD').strip()}"
    pip(python, "install", "--quiet", "--no-input", address)
    said = run(python, "-c", "import corearray; corearray.zeros(3)", fails=True).splitlines()[-1]
    command = said.partition("install it with: ")[2]
    assert command == f"pip install '{address}#subdirectory=plugins/corearray-{DEFAULT}'"
    pip(python, "install", "--quiet", "--no-input", *shlex.split(command)[2:])
    assert run(python, "-c", COMPUTE) == "6.0"


def test_without_a_backend_the_first_call_says_what_to_install(bare, wheels):
    install(bare, wheels, "corearray", constraints=ROOT / "constraints.txt")
    said = run(bare, "-c", "import corearray; corearray.zeros(3)", fails=True)
    assert said.splitlines()[-1] == (
        f"corearray.errors.BackendNotFoundError: there is no backend '{DEFAULT}'; none is installed; "
        f"install it with: pip install 'corearray[{DEFAULT}]'"
    )
    assert run(bare, "-m", "corearray", "list-backends").startswith(
        "no backend is installed; install one with: pip inst"
    )
    install(bare, wheels, f"corearray[{DEFAULT}]", constraints=ROOT / "constraints.txt")
    assert run(bare, "-c", "import corearray; print(corearray.zeros(3).tolist())") == "[0.0, 0.0, 0.0]"
    assert run(bare.with_name("corearray"), "list-backends", "--check").splitlines()[1].split()[:2] == [
        DEFAULT,
        "ready",
    ]
    remove(bare, "corearray", f"corearray-{DEFAULT}")


@pytest.mark.parametrize("name", os.environ.get("COREARRAY_TEST_PACKAGING", "").split())
def test_a_backend_works_without_the_default_one(wheels, tmp_path, name):
    python = make_environment(tmp_path / "empty")
    install(python, wheels, f"corearray[{name}]", constraints=ROOT / "constraints.txt")
    program = "import corearray as ca; be = ca.get_backend(); x = ca.sin(ca.zeros(3)) + 1; print(be.name, x.tolist())"
    variable = f"import os; os.environ['COREARRAY_BACKEND'] = '{name}'; "
    assert run(python, "-c", variable + program) == f"{name} [1.0, 1.0, 1.0]"
    rows = [line.split()[:2] for line in run(python, "-m", "corearray", "list-backends", "--check").splitlines()[1:]]
    assert rows == [[name, "ready"]]
    wrong = run(python, "-c", "import corearray; corearray.zeros(3)", fails=True).splitlines()[-1]
    assert f"there is no backend '{DEFAULT}'; installed are '{name}'; install it with" in wrong
