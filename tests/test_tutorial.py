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


def test_links_lead_somewhere():
    for target in re.findall(r"\]\(([^)]+)\)", PAGE):
        assert target.startswith("https://") or (ROOT / "docs" / target).exists(), target
