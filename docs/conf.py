"""Settings of Sphinx, which builds the documentation: the pages here, and a reference from the docstrings.

A page of the reference holds one module of functions, with a table that says what computes each function on each backend
that is installed: `corearray list-functions` is asked.
"""

from __future__ import annotations

import importlib
import inspect
import json
import shutil
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import corearray
from corearray import hookspecs
from corearray.contract.declaration import DECLARATIONS

HERE = Path(__file__).parent
PAGES = HERE / "reference"

#: Modules of functions without declarations, and where these stand for users.
OTHERS = {
    "corearray.convenience": "corearray",
    "corearray.functional.nest": "corearray",
    "corearray.graph": "corearray",
    "corearray.nn": "corearray.nn",
    "corearray.optim": "corearray.optim",
    "corearray.random": "corearray.random",
    "corearray.sharding": "corearray",
    "corearray.transforms": "corearray",
}

LEGEND = """
The tables show the implementation of each function on each backend. `native`: a function of the framework. `composed`: other
functions of corearray. `partial mixed`: a function of the framework under a guard, and other functions for the rest. A case of
another function is listed as that one: `conv2d` is a case of `conv_general_dilated`.
"""

project = "corearray"
release = corearray.__version__
extensions = ["myst_parser", "numpydoc", "sphinx.ext.autodoc", "sphinx.ext.githubpages"]
html_theme = "furo"
html_title = f"corearray {release}"
default_role = "code"
exclude_patterns = ["_build"]
autodoc_typehints = "none"
myst_heading_anchors = 3
numpydoc_show_class_members = False


def title(text: str) -> str:
    """Write the head of a page."""
    return f"{text}\n{'=' * len(text)}\n"


def table(rows: list[list[str]]) -> Iterator[str]:
    """Write rows as a table, the first of which is the head."""
    yield ".. list-table::\n   :header-rows: 1\n"
    for row in rows:
        for i, cell in enumerate(row):
            yield f"   {'* -' if i == 0 else '  -'} {cell}"
    yield ""


def survey() -> tuple[list[str], dict[str, dict[str, str]]]:
    """Ask what computes each function on each backend that is installed."""
    command = [sys.executable, "-m", "corearray", "list-functions", "--json"]
    rows = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    found: dict[str, dict[str, str]] = defaultdict(dict)
    for row in rows:
        name = f"{row['namespace']}.{row['function']}" if row["namespace"] else row["function"]
        found[name][row["backend"]] = row["runs"] or "missing"
    return sorted({row["backend"] for row in rows} - {""}), found


def functions_of(module: str) -> list[str]:
    """Return the names of a module's functions as users write them."""
    imported = importlib.import_module(module)
    names = imported.__all__
    if module in OTHERS:
        return [f"{OTHERS[module]}.{name}" for name in names if callable(getattr(imported, name))]
    found = [DECLARATIONS[name] for name in names if name in DECLARATIONS]
    return [f"corearray.{one.name}" if one.main else f"corearray.{one.namespace}.{one.name}" for one in found]


def value_of(name: str) -> object:
    """Return the function or class of a dotted name."""
    value: object = corearray
    for part in name.split(".")[1:]:
        value = getattr(value, part)
    return value


def described(name: str) -> str:
    """Write the directive that shows a function or class."""
    value = value_of(name)
    if not isinstance(value, type):
        return f".. autofunction:: {name}\n"
    members = "" if issubclass(value, (Exception, tuple, str)) else "   :members:\n   :inherited-members:\n"
    return f".. autoclass:: {name}\n{members}"


def written(page: str, about: str, names: list[str], runs: dict[str, dict[str, str]], backends: list[str]) -> None:
    """Write a page."""
    lines = [title(page.replace("_", " ").capitalize()), about, ""]
    known = [name for name in names if runs.get(name.partition(".")[2], {}).keys() & set(backends)]
    if known:
        cells = ([runs[name.partition(".")[2]].get(backend, "missing") for backend in backends] for name in known)
        lines += table([["function", *backends], *([f"`{n}`", *c] for n, c in zip(known, cells, strict=True))])
    (PAGES / f"{page}.rst").write_text("\n".join([*lines, *map(described, names)]))


def write_reference(app: object) -> None:
    """Write a page for each module of functions, and the page that lists them."""
    shutil.rmtree(PAGES, ignore_errors=True)
    PAGES.mkdir()
    backends, runs = survey()
    pages = {module: functions_of(module) for module in [*(m.__name__ for m in hookspecs.FUNCTIONS), *OTHERS]}
    for module, names in pages.items():
        written(module.rpartition(".")[2], inspect.getdoc(importlib.import_module(module)) or "", names, runs, backends)
    listed = {id(value_of(name)) for names in pages.values() for name in names}
    rest = [f"corearray.{name}" for name in sorted(corearray.__all__) if callable(getattr(corearray, name))]
    about = "Arrays, containers, backends, settings, errors and result types."
    written("objects", about, [name for name in rest if id(value_of(name)) not in listed], {}, [])
    shown = sorted([*(module.rpartition(".")[2] for module in pages), "objects"])
    toctree = [".. toctree::", "   :maxdepth: 1", "", *(f"   {page}" for page in shown)]
    (PAGES / "index.rst").write_text("\n".join([title("Reference"), LEGEND, *toctree]) + "\n")


def setup(app: object) -> None:
    """Write the reference before Sphinx reads the pages."""
    app.connect("builder-inited", write_reference)  # type: ignore[attr-defined]
