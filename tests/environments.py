"""Environments that tests make: wheels of the working tree, installed with what a test wants beside them."""

from __future__ import annotations

import os
import subprocess
import sys
import venv
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


def build_wheels(folder: Path) -> Path:
    """Build the wheels of the core and of each plugin into a folder, and return it."""
    for project in (ROOT, *PLUGINS.values()):
        run(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", folder, project)
    return folder


def make_environment(folder: Path) -> Path:
    """Make an environment with nothing but pip, and return its Python."""
    venv.create(folder, with_pip=True)
    return next(path for path in folder.glob("*/python*") if path.stem == "python")


def install(python: Path, wheels: Path, *what: str, constraints: Path | None = None) -> None:
    """Install distributions, those of the working tree from their wheels."""
    options = [] if constraints is None else ["--constraint", constraints]
    run(python, "-m", "pip", "install", "--no-input", "--find-links", wheels, *options, *what)
