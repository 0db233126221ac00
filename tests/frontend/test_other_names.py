"""Every public name of the frameworks has a hint, and the file of hints is what the frameworks and frontends give."""

from __future__ import annotations

import re
from importlib.util import find_spec

import pytest

import corearray as ca
from corearray.settings.context import DEFAULT_BACKEND
from tests.frontend import other_names

be = ca.get_backend(DEFAULT_BACKEND)


@pytest.fixture(scope="module")
def installed():
    missing = [name for name in other_names.LIBRARIES if find_spec(name) is None]
    if missing:
        pytest.skip(f"needs {', '.join(missing)}")


@pytest.mark.usefixtures("installed")
@pytest.mark.parametrize("library", other_names.LIBRARIES)
def test_every_public_name_of_a_library_has_a_hint(library):
    modules, attributes = other_names.public(library)
    of_random = modules.get("random", ())
    owners = [(ca, name) for names in modules.values() for name in names]
    owners += [(be, name) for name in modules[""] if not hasattr(ca, name)] + [
        (be.asarray([[1.0]]), name) for name in attributes
    ]
    owners += [(ca.random, name) for name in of_random]
    silent = []
    for owner, name in owners:
        try:
            getattr(owner, name)
        except AttributeError as error:
            silent += [] if f"'{name}'; " in str(error) and "see dir()" not in str(error) else [name]
    assert len(owners) > 100 and not silent


@pytest.mark.usefixtures("installed")
def test_the_file_of_other_names_is_up_to_date_and_its_paths_are_there():
    text = other_names.FILE.read_text()
    assert text == other_names.lines(), "run python -m tests.frontend.other_names"
    lines = text.splitlines()
    for head, names in zip(lines[::2], lines[1::2], strict=True):
        kind, owner = head.split(" ", 1)
        library = owner.split(".")[2] if owner.startswith("corearray.frontend.") else None
        if library is not None:
            paths = ca.frontend.get_frontend(library)._paths()
            below = owner.removeprefix("corearray.frontend.")
            assert {f"{below}.{name}" for name in names.split()} <= set(paths)
        elif kind in "=?":
            assert all(hasattr(eval(owner, {"corearray": ca}), name) for name in names.split())


@pytest.mark.parametrize(
    ("owner", "name", "path"),
    [
        (ca, "addcdiv", "torch.addcdiv"),
        (ca, "addcdiv_", "torch.addcdiv"),
        (be.ones((2, 2)), "addcdiv_", "torch.addcdiv"),
        (ca.random, "zipf", "numpy.random.zipf"),
    ],
)
def test_hints_that_name_a_frontend(owner, name, path):
    with pytest.raises(AttributeError, match=re.escape(f"'{name}'; 'corearray.frontend.{path}' has it") + "$"):
        getattr(owner, name)
