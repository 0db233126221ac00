"""The tables of docs/frontends.md are those that `coverage.py` prints."""

from __future__ import annotations

from operator import attrgetter
from pathlib import Path

import pytest
from frontend.coverage import coverage_of

from corearray.frontend import get_frontend

PAGE = Path(__file__).parents[2] / "docs" / "frontends.md"


@pytest.mark.parametrize("framework", ["torch", "jax", "tensorflow"])
def test_the_table_in_the_documentation(framework):
    pytest.importorskip(framework)
    coverage = coverage_of(framework)
    if not coverage.version.startswith(get_frontend(framework).known):
        pytest.skip(f"the table is of the newest known {framework}")
    command = f"PYTHONPATH=tests python -m frontend.coverage {framework}"
    written = PAGE.read_text(encoding="utf-8").partition(f"<!-- begin: {command} -->")[2].partition("<!-- end -->")[0]
    assert written.strip() == coverage.table(), f"write what `{command}` prints between the markers"


@pytest.mark.parametrize("framework", ["jax", "tensorflow"])
def test_each_missing_name_has_a_reason(framework):
    pytest.importorskip(framework)
    assert coverage_of(framework).unexplained() == set()


@pytest.mark.parametrize(
    ("framework", "path", "reason"),
    [
        ("tensorflow", "ragged.cross", "no texts"),
        ("tensorflow", "strings.join", "no texts"),
        ("tensorflow", "linalg.LinearOperatorDiag", "linear operators"),
        ("jax", "lax.psum", "corearray.Mesh"),
    ],
)
def test_the_error_of_a_missing_name_gives_the_reason(framework, path, reason):
    with pytest.raises(NotImplementedError, match=f"has no '{framework}[.].*{reason}"):
        attrgetter(path)(get_frontend(framework).namespace)


def test_a_missing_name_is_noticed(monkeypatch):
    from frontend import torch_coverage

    monkeypatch.setattr(torch_coverage, "optimizers", ["Adam"])
    assert torch_coverage.has("torch.optim", "Adam")
    assert not torch_coverage.has("torch.optim", "SGD")
