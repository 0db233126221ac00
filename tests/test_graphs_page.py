"""`docs/graphs.md`: its programs run as they stand there."""

from __future__ import annotations

import re
from pathlib import Path

import corearray as ca

PAGE = (Path(__file__).parent.parent / "docs" / "graphs.md").read_text()


def test_the_programs_run(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    programs = re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    assert len(programs) >= 4
    scope: dict[str, object] = {}
    with ca.backend_context("numpy"):
        for program in programs:
            exec(compile(program, "graphs.md", "exec"), scope)
    assert "once" in capsys.readouterr().out
    assert (tmp_path / "loss.svg").read_text(encoding="utf-8").startswith("<svg ")
