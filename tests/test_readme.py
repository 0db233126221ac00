"""The README: its programs run and print what it says, and it leaves no command and no setting out."""

from __future__ import annotations

import contextlib
import io
import os
import re
from pathlib import Path

import pytest

from corearray.backends.metadata import GROUP
from corearray.cli import main
from corearray.plugin import BackendInfo
from corearray.settings.context import DEFAULT_BACKEND

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text()
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
PROGRAMS = [
    (text, then) for (kind, text), then in zip(BLOCKS, [*BLOCKS[1:], ("", "")], strict=True) if kind == "python"
]

#: The README names several backends; its programs run on the default one here, which needs no more than that plugin.
BACKENDS = "|".join(path.name.removeprefix("corearray-") for path in (ROOT / "plugins").glob("corearray-*"))


def on_the_default(text: str) -> str:
    return re.sub(rf'(?<=")({BACKENDS})(?=")|^({BACKENDS})\b', DEFAULT_BACKEND, text, flags=re.MULTILINE)


@pytest.mark.parametrize(("program", "then"), PROGRAMS, ids=[f"block{i}" for i in range(len(PROGRAMS))])
def test_programs_run_and_print_what_the_readme_says(program, then):
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(compile(on_the_default(program), "README.md", "exec"), {"__name__": "__main__"})
    kind, text = then
    assert printed.getvalue() == (on_the_default(text) if kind == "text" and "print" in program else "")


def test_there_are_programs_of_each_sort():
    assert len(PROGRAMS) >= 4
    assert sum("print" in program for program, _ in PROGRAMS) >= 2
    described: dict[str, object] = {}
    exec(next(program for program, _ in PROGRAMS if "BackendInfo(" in program), described)
    assert isinstance(described["info"], BackendInfo)


def test_the_two_commands_stand_at_the_top_and_exist():
    kind, text = BLOCKS[0]
    commands = [line.split()[0] for line in text.splitlines()]
    assert (kind, commands) == ("sh", ["scripts/demo", "scripts/test"])
    assert README.index(text) < 300
    for command in commands:
        assert os.access(ROOT / command, os.X_OK)


def test_links_lead_somewhere():
    for target in re.findall(r"\]\(([^)]+)\)", README):
        assert target.startswith("https://") or (ROOT / target).exists(), target


def test_every_command_and_setting_is_named(capsys):
    with pytest.raises(SystemExit):
        main(["--help"])
    commands = re.findall(r"^    ([a-z][\w-]+)", capsys.readouterr().out, re.MULTILINE)
    assert {"list-backends", "info", "run"} <= set(commands)
    for command in commands:
        assert f"corearray {command}" in README
    core = "".join(path.read_text() for path in (ROOT / "corearray").rglob("*.py"))
    for variable in set(re.findall(r"COREARRAY_[A-Z_]*[A-Z]", core)):
        assert f"`{variable}`" in README
    assert f'[project.entry-points."{GROUP}"]' in README


def test_the_columns_of_list_backends_are_those_shown(capsys):
    main(["list-backends"])
    header = capsys.readouterr().out.splitlines()[0]
    shown = next(text for kind, text in BLOCKS if kind == "text" and text.startswith("backend "))
    assert header.split() == shown.splitlines()[0].split()
