"""A Python that finds corearray, what it needs, and of other distributions only the fake ones that a test names."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import importlib_metadata
from packaging.requirements import Requirement

import corearray

DISTRIBUTIONS = Path(__file__).parent / "distributions"


def make_site(folder: Path) -> Path:
    """Fill a folder with links to corearray and to the distributions that it needs."""
    (folder / "corearray").symlink_to(Path(corearray.__file__).parent)
    waiting, done = ["corearray"], set()
    while waiting:
        distribution = importlib_metadata.distribution(waiting.pop())
        if distribution.name in done:
            continue
        done.add(distribution.name)
        for top in {file.parts[0] for file in distribution.files or ()} - {"..", "corearray"}:
            if not top.endswith(".pth"):
                (folder / top).symlink_to(str(distribution.locate_file(top)))
        for requirement in map(Requirement, distribution.requires or ()):
            if requirement.marker is None or requirement.marker.evaluate({"extra": ""}):
                waiting.append(requirement.name)
    return folder


class Isolated:
    """Runs that Python; `distributions` are names of folders in `tests/distributions`."""

    def __init__(self, site: Path) -> None:
        self.site = site

    def start(
        self, *arguments: str, distributions: tuple[str, ...] = (), cwd: Path | None = None, **variables: str
    ) -> subprocess.Popen[str]:
        folders = [str(self.site), *(str(DISTRIBUTIONS / name) for name in distributions)]
        kept = {name: text for name, text in os.environ.items() if not name.startswith(("COREARRAY_", "PYTHON"))}
        return subprocess.Popen(
            [sys.executable, "-S", *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=cwd or self.site,
            env={
                **kept,
                "PYTHONPATH": os.pathsep.join(folders),
                "PYTHONDONTWRITEBYTECODE": "1",
                "PYTHONWARNINGS": "error",
                **variables,
            },
        )

    def python(
        self, *arguments: str, distributions: tuple[str, ...] = (), cwd: Path | None = None, **variables: str
    ) -> subprocess.CompletedProcess[str]:
        with self.start(*arguments, distributions=distributions, cwd=cwd, **variables) as process:
            output, errors = process.communicate(timeout=120)
        return subprocess.CompletedProcess(arguments, process.returncode, output, errors)

    def corearray(
        self, *arguments: str, distributions: tuple[str, ...] = (), cwd: Path | None = None, **variables: str
    ) -> subprocess.CompletedProcess[str]:
        return self.python("-m", "corearray", *arguments, distributions=distributions, cwd=cwd, **variables)
