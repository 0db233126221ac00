"""The table of docs/frontends.md is the one that `coverage.py` prints."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from frontend import coverage

from corearray.frontend import get_frontend

PAGE = Path(__file__).parents[2] / "docs" / "frontends.md"


@pytest.mark.skipif(
    not torch.__version__.startswith(get_frontend("torch").known), reason="the table is of the newest known torch"
)
def test_the_table_in_the_documentation():
    written = PAGE.read_text(encoding="utf-8").partition("frontend/coverage.py -->")[2].partition("<!-- end -->")[0]
    assert written.strip() == coverage.table(), (
        "write what `python tests/frontend/coverage.py` prints between the markers"
    )


def test_a_missing_name_is_noticed(monkeypatch):
    monkeypatch.setattr(coverage, "optimizers", ["Adam"])
    assert coverage.has("torch.optim", "Adam")
    assert not coverage.has("torch.optim", "SGD")
