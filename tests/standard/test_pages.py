"""Pages of the documentation: their programs run on every backend, and the names that they mention exist.

A block marked `python` runs everywhere, one marked `py` where the framework has derivatives. The blocks of a page share
a scope.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from standard.support import NAME, be

import corearray as ca
from corearray.backends.hints import RENAMED

DOCS = Path(__file__).parents[2] / "docs"
PAGES = ("index", "tutorial", "coming-from", "faq", "library-authors", "views")
DIFFERENTIATES = "reverse_mode" in be.facts


def blocks(page):
    kinds = ("python", "py") if DIFFERENTIATES else ("python",)
    found = re.findall(r"^```(\w+)\n(.*?)^```$", (DOCS / f"{page}.md").read_text(encoding="utf-8"), re.M | re.S)
    return [text for kind, text in found if kind in kinds]


@pytest.mark.filterwarnings("ignore")  # of compilers
@pytest.mark.skipif(NAME == "strict", reason="array-api-strict refuses keys such as x[0], which the pages use")
@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page)])
def test_programs_of_a_page_run(page):
    scope: dict[str, object] = {}
    with ca.backend_context(NAME):
        for number, text in enumerate(blocks(page)):
            exec(compile(text, f"{page}.md, block {number}", "exec"), scope)


@pytest.mark.parametrize("page", PAGES)
def test_names_of_a_page_exist(page):
    text = re.sub(r"^```.*?^```$", "", (DOCS / f"{page}.md").read_text(encoding="utf-8"), flags=re.M | re.S)
    for name in re.findall(r"`ca\.([A-Za-z_][\w.]*)", text):
        value: object = ca
        if name in ("abs_", "addcdiv", "concatenate", "psum"):  # the examples of wrong names
            continue
        for part in name.split("."):
            value = getattr(value, part)


def test_the_page_of_names_agrees_with_the_hints():
    """A name of a table that has a hint is the name to which the hint leads."""
    rows = re.findall(r"^\| (.+) \| (.+) \|$", (DOCS / "coming-from.md").read_text(encoding="utf-8"), re.M)
    checked = 0
    for theirs, ours in rows:
        for name in re.findall(r"`\w+\.(\w+)`", theirs):
            if name in RENAMED:
                assert f"ca.{RENAMED[name]}" in ours, name
                checked += 1
    assert checked >= 15
