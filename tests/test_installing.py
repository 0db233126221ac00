"""Install commands in messages: they name the source that corearray was installed from."""

from __future__ import annotations

import pytest

from corearray.backends import installing
from corearray.backends.installing import extras, install_command, install_hint

REQUIREMENTS = {
    "alpha": ["corearray-alpha"],
    "beta": ["corearray-beta"],
    "all": ["corearray-alpha", "corearray-beta"],
    "draw": ["igraph>=0.11"],
}

#: A source as `direct_url.json` records it, and the commands for one plugin, for two, and for an optional library.
SOURCES = {
    "index": (
        None,
        "pip install 'corearray[alpha]'",
        "pip install 'corearray[all]'",
        "pip install 'corearray[draw]'",
    ),
    "checkout": (
        {"url": "file:///home/me/corearray", "dir_info": {"editable": True}},
        "pip install -e /home/me/corearray/plugins/corearray-alpha",
        "pip install -e /home/me/corearray/plugins/corearray-alpha -e /home/me/corearray/plugins/corearray-beta",
        "pip install 'igraph>=0.11'",
    ),
    "folder": (
        {"url": "file:///home/me/my%20projects/corearray", "dir_info": {}},
        "pip install '/home/me/my projects/corearray/plugins/corearray-alpha'",
        "pip install '/home/me/my projects/corearray/plugins/corearray-alpha' "
        "'/home/me/my projects/corearray/plugins/corearray-beta'",
        "pip install 'igraph>=0.11'",
    ),
    "git": (
        {"url": "https://example.org/corearray.git", "vcs_info": {"vcs": "git", "commit_id": "abc"}},
        "pip install 'git+https://example.org/corearray.git@abc#subdirectory=plugins/corearray-alpha'",
        "pip install 'git+https://example.org/corearray.git@abc#subdirectory=plugins/corearray-alpha' "
        "'git+https://example.org/corearray.git@abc#subdirectory=plugins/corearray-beta'",
        "pip install 'igraph>=0.11'",
    ),
    "wheel": (
        {"url": "file:///home/me/dist/corearray-0.1.0-py3-none-any.whl", "archive_info": {}},
        "pip install --find-links /home/me/dist corearray-alpha",
        "pip install --find-links /home/me/dist corearray-alpha corearray-beta",
        "pip install --find-links /home/me/dist 'igraph>=0.11'",
    ),
}


@pytest.fixture(params=SOURCES)
def commands(request, monkeypatch):
    source, *commands = SOURCES[request.param]
    monkeypatch.setattr(installing, "_source", lambda: source)
    monkeypatch.setattr(installing, "_requirements", lambda: REQUIREMENTS)
    return commands


def test_commands(commands):
    assert [install_command(extra) for extra in ("alpha", "all", "draw")] == commands


def test_a_hint_names_one_backend_or_lists_them(commands):
    one, *_ = commands
    assert extras() == ["alpha", "beta", "all"]
    assert install_hint("alpha") == f"install it with: {one}"
    assert install_hint("pyalpha") == f"did you mean 'alpha'? Install it with: {one}"
    hint = install_hint("gamma")
    assert hint.startswith(f"install one with: {one.replace('alpha', 'NAME')}, where NAME is one of ")
    assert ("'all'" in hint) == ("corearray[" in one), "only an extra of an index stands for several plugins"


def test_without_metadata_the_default_backend_is_known(monkeypatch):
    monkeypatch.setattr(installing, "_source", lambda: None)
    monkeypatch.setattr(installing, "_requirements", dict)
    assert install_hint() == "install it with: pip install 'corearray[numpy]'"
