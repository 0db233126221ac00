"""`corearray validate`: every fault of a fake plugin in one list, and none in the shipped ones."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest

import corearray as ca
from corearray.cli import main
from corearray.commands.validate import VALIDATION_KEYS, validated
from corearray.contract.versions import common_version, matches
from corearray.errors import BackendNotFoundError

sys.path.insert(0, str(Path(__file__).parent))

from isolated import Isolated, make_site


@pytest.fixture(scope="module")
def isolated(tmp_path_factory):
    return Isolated(make_site(tmp_path_factory.mktemp("site")))


def problems(isolated, name, *distributions):
    done = isolated.corearray("validate", name, "--json", distributions=distributions)
    told = json.loads(done.stdout)
    assert tuple(sorted(told)) == tuple(sorted(VALIDATION_KEYS))
    assert done.returncode == bool(told["problems"])
    return told["problems"]


def test_all_problems_of_what_can_be_seen_before_the_modules_are_imported(isolated):
    assert problems(isolated, "unsound", "framework", "unsound") == [
        "'toy_unsound' imports 'toyframework_module'; a description imports corearray.plugin and nothing else",
        "'toy-unsound' requires 'toyframework>=1' and its BackendInfo says framework_versions='>=2'; write one range",
        "'toy-unsound' declares no array types in its metadata, so that corearray does not find the backend of an array; write "
        'them into [project.entry-points."corearray.array_types"]: "toyframework.Unsound" = "toy_unsound"',
        "module 'toy_unsound.absent' cannot be imported: ModuleNotFoundError: No module named 'toy_unsound.absent'",
        "'toy_unsound.forgotten' implements 'tan' and is not in the 'modules' of BackendInfo",
        "'toy_unsound.functions.sin' in line 7 is lost: the name is given to something else below",
    ]


def test_all_problems_of_the_implementations(isolated):
    found = problems(isolated, "not_valid", "framework", "not_valid")
    assert found[0] == "'toy-not-valid' does not require 'corearray'; add it to its dependencies"
    beginnings = (
        "'toy_not_valid.functions.add' lacks the parameters 'x2'",
        "'toy_not_valid.functions.cos_new' and 'toy_not_valid.functions.cos_old' both implement 'cos' for version 2",
        "'toy_not_valid.functions.exp' is marked as a hookimpl and is no Python function",
        "'toy_not_valid.functions.no_such_function' implements the hook 'no_such_function', which this core does not have",
        "'toy_not_valid.functions.floor' is marked by pluggy's HookimplMarker",
        "'toy_not_valid.functions.sin' has the parameters 'fast', which 'sin' does not declare",
        "'toy_not_valid.functions.square' names the stages 'handle_nanz'; there are 'handle_array_function', ",
        "'toy_not_valid.functions.tan': 'about 2' is no version range",
        "'toy_not_valid.functions.sinh_new' has the parameters 'fast'",
        "'toy_not_valid.functions.sinh_new' and 'toy_not_valid.functions.sinh_old' both implement 'sinh' for version 7",
        "the hooks 'array_types', ",
        "the primary functions 'arange', 'argmax', ",
        "'cos' is not implemented for version 0; let one of its ranges hold it",
    )
    assert len(found) == 2 + len(beginnings)
    for beginning in beginnings:
        assert any(problem.startswith(beginning) for problem in found), beginning


@pytest.mark.parametrize(
    ("project", "described", "told"),
    [
        (
            "toyframework.New",
            "toyframework.Old",
            "declares the array types 'toyframework.New' .* write the same, then run",
        ),
        (
            "toyframework.New",
            "toyframework.New",
            "is installed with the array types 'toyframework.Old' and its pyproject",
        ),
        ("toyframework.Old", "toyframework.Old", None),
    ],
)
def test_array_types_of_an_editable_project_are_those_of_its_pyproject(tmp_path, isolated, project, described, told):
    (tmp_path / "corearray_edited.py").write_text(
        "from corearray.plugin import BackendInfo\n"
        f"info = BackendInfo('edited', framework='toyframework', array_types=({described!r},))\n"
    )
    points = f"[project.entry-points.'corearray.array_types']\n'{project}' = 'corearray_edited'\n"
    (tmp_path / "pyproject.toml").write_text(f"[project]\nname = 'corearray-edited'\n{points}")
    installed = tmp_path / "corearray_edited-1.0.dist-info"
    installed.mkdir()
    (installed / "METADATA").write_text("Metadata-Version: 2.1\nName: corearray-edited\nVersion: 1.0\n")
    types = "[corearray.array_types]\ntoyframework.Old = corearray_edited\n"
    (installed / "entry_points.txt").write_text(f"[corearray.backends]\nedited = corearray_edited\n{types}")
    source = {"url": tmp_path.as_uri(), "dir_info": {"editable": True}}
    (installed / "direct_url.json").write_text(json.dumps(source))
    found = [text for text in problems(isolated, "edited", tmp_path) if "array types" in text]
    assert len(found) == (told is not None)
    if told is not None:
        assert re.search(told, found[0]), found[0]
        assert found[0].endswith("run `pip install -e .` again")


def test_a_plugin_that_never_finishes_is_a_problem(isolated):
    done = isolated.corearray("validate", "hangs", "--timeout", "1", distributions=("hangs",))
    assert done.returncode == 1
    assert "cannot be loaded: it did not finish within 1 s" in done.stdout
    done = isolated.corearray("validate", "exits_on_load", distributions=("framework", "exits_on_load"))
    assert done.returncode == 1


def test_a_backend_that_is_not_there(isolated):
    done = isolated.corearray("validate", "good")
    assert (done.returncode, done.stderr) == (2, "corearray: there is no backend 'good'; installed are none\n")


def test_a_module_without_an_entry_point_is_told(tmp_path, monkeypatch):
    (tmp_path / "corearray_unseen").mkdir()
    (tmp_path / "corearray_unseen" / "__init__.py").write_text("raise AssertionError('never imported')\n")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(BackendNotFoundError) as validated_:
        validated("unseen")
    told = "there is no backend 'unseen'; there is a module 'corearray_unseen', but no installed distribution offers it: write "
    told += 'unseen = "corearray_unseen" into [project.entry-points."corearray.backends"] of its pyproject.toml, '
    assert str(validated_.value).startswith(told)
    with pytest.raises(BackendNotFoundError, match="no installed distribution offers it"):
        ca.get_backend("unseen")


def test_a_sound_backend(capsys):
    assert main(["validate", "numpy"]) == 0
    assert capsys.readouterr().out.endswith(" modules\n")


@pytest.mark.parametrize(
    ("one", "other", "apart"),
    [
        (">=1,<2", ">=2", True),
        ("<=2", ">2", True),
        (">=1.5", "<1.6", False),
        ("==2.*", ">=2.9", False),
        ("==2.*", ">=3", True),
        ("~=1.4", ">=2", True),
        ("", "!=1", False),
        ("<1", "<0.5", False),
        (">=2.1,<2.3", ">=2.2.5,<2.2.7", False),
    ],
)
def test_a_version_that_two_ranges_share(one, other, apart):
    found = common_version(one, other)
    assert (found is None) == apart
    assert found is None or (matches(found, one) and matches(found, other))
    assert (common_version(other, one) is None) == apart
