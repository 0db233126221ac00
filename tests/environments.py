"""Environments that tests make: wheels of the working tree, installed with what a test wants beside them."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import venv
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).parent.parent
PLUGINS = {folder.name.removeprefix("corearray-"): folder for folder in sorted((ROOT / "plugins").glob("corearray-*"))}


def run(*command: object, fails: bool = False, timeout: float = 900, **environment: str) -> str:
    """Run a command without the settings of this process, and return what it prints, or its error if it is to fail."""
    ours = ("COREARRAY_", "PYTHON", "PIP_CONSTRAINT")
    kept = {name: text for name, text in os.environ.items() if not name.startswith(ours)}
    done = subprocess.run(
        [str(word) for word in command],
        capture_output=True,
        text=True,
        env={**kept, **environment},
        cwd=ROOT / "tests",
        timeout=timeout,
        check=False,
    )
    assert (done.returncode != 0) == fails, done.stdout + done.stderr
    return (done.stderr if fails else done.stdout).strip()


def build_wheels(folder: Path, projects: Iterable[Path] = (ROOT, *PLUGINS.values())) -> Path:
    """Build the wheels of projects, else of the core and of each plugin, into a folder, and return it."""
    for project in projects:
        run(
            sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", folder, project,
            SOURCE_DATE_EPOCH="1700000000",
        )  # fmt: skip
    return folder


def copied(project: Path, folder: Path, version: str = "") -> Path:
    """Copy a project to where it is built as it stands there; with `version`, as the release that went before."""
    copy = folder / (project.name if project != ROOT else "corearray")
    package = copy.name.replace("-", "_")
    for path in project.iterdir():
        if path.is_file():
            copy.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, copy / path.name)
    shutil.copytree(project / package, copy / package, ignore=shutil.ignore_patterns("__pycache__"))
    for path in (copy / "pyproject.toml", copy / package / "__init__.py") if version else ():
        text = re.sub(r'^__version__ = ".*"$', f'__version__ = "{version}"', path.read_text(), flags=re.MULTILINE)
        path.write_text(text.replace(">=0.1,<0.2", ">=0.0,<0.1"))
    return copy


def make_environment(folder: Path) -> Path:
    """Make an environment with nothing in it, and return its Python; `pip` installs into it."""
    venv.create(folder)
    return next(path for path in folder.glob("*/python*") if path.stem == "python")


def pip(python: Path, *words: object) -> str:
    """Run the pip of this environment for another one."""
    return run(sys.executable, "-m", "pip", "--python", python, *words)


def install(python: Path, wheels: Path, *what: str, constraints: Path | None = None) -> None:
    """Install distributions, those of the working tree from their wheels."""
    options = [] if constraints is None else ["--constraint", constraints]
    pip(python, "install", "--no-input", "--no-compile", "--find-links", wheels, *options, *what)
