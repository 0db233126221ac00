"""`docs/writing-a-backend.md`, run as it stands there: the commands in their order, and each piece of code in its place."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from corearray.contract.declaration import DECLARATIONS

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "writing-a-backend.md").read_text()
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
PRIMARY = sum(not declaration.compositional for declaration in DECLARATIONS.values())


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    return Project(tmp_path_factory.mktemp("tutorial"))


class Project:
    """The project of the page, and a Python that has it installed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.path = folder / "corearray-mylib"
        self.site = folder / "site"

    def do(self, command: str) -> str:
        """Run a command of the page; installing takes from this environment what pip would load."""
        word, *rest = command.split()
        programs = {
            "corearray": ["-m", "corearray", *rest],
            "pytest": ["-m", "pytest", "-p", "no:cacheprovider", *rest],
            "pip": ["-m", "pip", "install", "-q", "--no-deps", "--no-build-isolation", "--target", str(self.site), "."],
        }
        kept = {name: text for name, text in os.environ.items() if not name.startswith("COREARRAY_")}
        kept["PYTHONPATH"] = os.pathsep.join([str(self.path), str(self.site), str(ROOT), kept.get("PYTHONPATH", "")])
        place = self.path if self.path.exists() else self.folder
        done = subprocess.run([sys.executable, *programs[word]], cwd=place, env=kept, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout


def test_the_commands_lead_to_a_backend_that_passes(project):
    commands = next(text for kind, text in BLOCKS if kind == "sh").splitlines()
    printed = [project.do(command) for command in commands if not command.startswith("cd ")]
    shown = next(text for kind, text in BLOCKS if kind == "text")
    numbers = {"NATIVE": PRIMARY, "COMPOSED": len(DECLARATIONS) - PRIMARY, "ALL": len(DECLARATIONS)}
    for word, number in numbers.items():
        shown = shown.replace(word, str(number))
    assert [line.split() for line in shown.splitlines()] == [
        line.split() for line in printed[-1].splitlines() if line.startswith(("backend ", "mylib "))
    ]


def test_the_code_is_that_of_the_project_and_what_is_added_works(project):
    added = []
    for kind, text in BLOCKS:
        if kind not in ("python", "toml"):
            continue
        place, code = text.split("\n", 1)
        path = project.path / place.split()[-1]
        if place.startswith("# add to "):
            path.write_text(f"{path.read_text().rstrip()}\n\n\n{code}")
            added += re.findall(r"^def (\w+)", code, re.MULTILINE)
        else:
            assert code in path.read_text(), place
    assert added == ["mean"]
    assert ": no problem in " in project.do("corearray validate mylib")
    assert " 0 " in project.do("pytest -q -k mean")
    assert '"runs": "native"' in project.do("corearray list-functions --backend mylib --json").split('"mean"')[1][:300]


def test_a_wrong_parameter_is_told(project):
    path = project.path / "corearray_mylib" / "elementwise.py"
    former = path.read_text()
    path.write_text(former.replace("def add(x1, x2, /)", "def add(x1, y, /)"))
    with pytest.raises(AssertionError, match="has the parameters 'y', which 'add' does not declare"):
        project.do("corearray validate mylib")
    path.write_text(former)


#: Runs a program on a shipped backend with the hooks of the page in place of its own.
_WITH_HOOKS = """
import importlib, pathlib, sys
import numpy as np
import corearray as ca
from corearray.plugin import BackendInfo

framework, folder = sys.argv[1:]
sys.path.insert(0, folder)
shipped = importlib.import_module("corearray_" + framework).info
own = "corearray_" + framework + ".gradients"
modules = ["written_hooks" if module == own else module for module in shipped.modules]
description = type(sys)("corearray_written")
description.info = BackendInfo("written", framework=framework, array_types=shipped.array_types, modules=tuple(modules))
ca.register_backend(description)
ca.set_backend("written")
x = ca.asarray([0.5, -2.0, 3.0], dtype="float64")
n = x.tolist()
"""
_DERIVATIVES = """
def near(found, wanted):
    np.testing.assert_allclose(ca.to_numpy(found), wanted, 1e-6, 1e-8)

near(ca.grad(lambda x: ca.sum(x * ca.sin(x)))(x), np.sin(n) + n * np.cos(n))
near(ca.jvp(lambda x: x * ca.sin(x), (x,), (x,))[1], n * (np.sin(n) + n * np.cos(n)))
near(ca.grad(lambda x: ca.sum(ca.grad(lambda y: ca.sum(y * y * y * x))(x)))(x), 6 * np.asarray(n) ** 2 + 3 * np.asarray(n) ** 2)
near(ca.grad(lambda x: ca.sum(ca.jvp(lambda y: y * y * y, (x,), (ca.ones_like(x),))[1]))(x), 6 * np.asarray(n))
near(ca.grad(lambda x: ca.sum(x * ca.stop_gradient(x)))(x), n)
near(ca.grad(lambda x: ca.sum(ca.ones_like(x)))(x), np.zeros(3))
square = ca.bind_custom_gradient_function(lambda x, y: x * x, lambda args, value, slope: (10.0 * args[0] * slope, None))
near(ca.grad(lambda x: ca.sum(square(x, x)))(x), 10.0 * np.asarray(n))
first = ca.grad(lambda x: ca.sum(square(square(x, x), x)))
near(ca.grad(lambda x: ca.sum(first(x)))(x), 1100.0 * np.asarray(n) ** 2)
assert not x.native.requires_grad and not ca.grad(lambda x: ca.sum(x * x))(x).native.requires_grad
"""
_COMPILING = """
program = ca.compile(lambda tree, scale=1.0: {"y": ca.sin(tree["x"]) * scale}, static_argnames="scale")
for scale in (1.0, 2.0):
    for part in (x, x[:2]):
        found = program({"x": part}, scale=scale)
        assert type(found["y"]) is type(x)
        np.testing.assert_allclose(ca.to_numpy(found["y"]), np.sin(ca.to_numpy(part)) * scale, 1e-6)
drawn = ca.compile(lambda x: x + ca.random.uniform(shape=3))
assert drawn(x).tolist() != drawn(x).tolist()
absolute = ca.compile(lambda x: ca.if_else(ca.sum(x) > 0.0, lambda: x, lambda: -x))
assert (absolute(x).tolist(), absolute(-x).tolist()) == (n, n)
"""


@pytest.mark.parametrize(("module", "program"), [("gradients", _DERIVATIVES), ("compiling", _COMPILING)])
def test_the_hooks_for_derivatives_and_compilation_work(module, program, tmp_path):
    place = f"# corearray_mylib/{module}.py\n"
    (code,) = (code for kind, code in BLOCKS if kind == "py" and code.startswith(place))
    (framework,) = re.findall(r"^import (\w+)$", code, re.MULTILINE)
    pytest.importorskip(f"corearray_{framework}")
    (tmp_path / "written_hooks.py").write_text(code)
    kept = {name: text for name, text in os.environ.items() if not name.startswith("COREARRAY_")}
    arguments = [sys.executable, "-c", _WITH_HOOKS + program, framework, str(tmp_path)]
    done = subprocess.run(arguments, env=kept, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_links_lead_somewhere():
    for target in re.findall(r"\]\(([^)]+)\)", PAGE):
        assert target.startswith("https://") or (ROOT / "docs" / target).exists(), target
