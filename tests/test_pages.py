"""README and pages: their programs run in a process of their own, as a reader pastes them, and print what they say."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


def programs_of(page: str, kinds: tuple[str, ...]) -> list[str]:
    """Return the programs of a page. A `py` block needs a framework that differentiates, or names several."""
    text = (ROOT / page).read_text(encoding="utf-8")
    blocks = re.findall(r"^```(\w+)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    return [code for kind, code in blocks if kind in kinds]


def run(program: str, folder: Path) -> list[str]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("COREARRAY_")}
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=folder, env=environment, capture_output=True, text=True, encoding="utf-8"
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout.splitlines()


README = [program for program in programs_of("README.md", ("py", "python")) if "mylib" not in program]


@pytest.mark.parametrize("program", README, ids=[f"block{i}" for i in range(len(README))])
def test_each_program_of_the_readme_runs_alone(program, tmp_path):
    printed = run(program, tmp_path)
    said = re.findall(r"^print\(.*\)  # (.*)$", program, re.MULTILINE)
    assert printed[: len(said)] == said or not said


@pytest.mark.parametrize("page", ["docs/extending.md", "docs/graphs.md", "docs/ragged.md", "docs/views.md"])
def test_the_programs_of_a_page_run_from_its_top(page, tmp_path):
    run("\n".join(programs_of(page, ("python",))), tmp_path)


def test_there_are_programs():
    assert len(README) >= 4
    assert any("fullgraph" in program or "TrainStep" in program for program in README)
