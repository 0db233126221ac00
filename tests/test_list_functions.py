"""`corearray list-functions`, and the same choices told to the logger."""

from __future__ import annotations

import json
import logging
import sys
from pathlib import Path

import pytest

import corearray as ca
from corearray.cli import main
from corearray.commands.costs import COSTS, SLOW_FROM
from corearray.commands.functions import FUNCTION_KEYS, KINDS, undeclared_kind
from corearray.contract.declaration import DECLARATIONS
from corearray.plugin import hookimpl
from corearray.stages import ORDER

sys.path.insert(0, str(Path(__file__).parent))

from isolated import Isolated, make_site

READY = ("framework", "good", "other")


@pytest.fixture(scope="module")
def isolated(tmp_path_factory):
    return Isolated(make_site(tmp_path_factory.mktemp("site")))


def rows(done):
    assert done.returncode == 0, done.stderr
    return {(row["function"], row["backend"]): row for row in json.loads(done.stdout)}


def test_a_row_for_each_function_and_backend(isolated):
    found = rows(isolated.corearray("list-functions", "--json", distributions=READY))
    assert all(tuple(row) == FUNCTION_KEYS for row in found.values())
    for backend in ("good", "other"):
        assert {name for name, where in found if where == backend} == set(DECLARATIONS)
    assert found["add", "good"] == {
        "function": "add",
        "namespace": "",
        "backend": "good",
        "kind": "primary",
        "nestable": True,
        "runs": "native",
        "implementation": "toy_good.functions.add",
        "versions": "",
        "guard": "",
        "dropped": [],
        "reason": "for all versions",
    }
    assert found["square", "good"]["runs"] == "composed"
    assert found["square", "good"]["kind"] == "compositional"
    assert found["cos", "good"]["runs"] == "missing"
    assert found["igamma", "good"]["reason"].startswith("composition, slow on small arrays: ")
    assert found["index_nest", ""]["kind"] == "standalone"
    assert found["set_array_mode", ""]["kind"] == "convenience"


def test_versions_guards_and_what_was_dropped(isolated):
    found = rows(isolated.corearray("list-functions", "--json", distributions=("framework", "good", "variants")))
    exp = found["exp", "variants"]
    assert (exp["runs"], exp["implementation"]) == ("native", "toy_variants.functions.exp_v_2p0_and_above")
    assert exp["versions"] == ">=2.0"
    (dropped,) = exp["dropped"]
    assert dropped["implementation"] == "toy_variants.functions.exp_v_1p9_and_below"
    assert dropped["reason"].startswith("is for toyframework<")
    assert exp["reason"].startswith("for toyframework>=2.0; 'exp_v_1p9_and_below' is for toyframework<")
    square = found["square", "variants"]
    assert (square["kind"], square["runs"], square["guard"]) == ("partial-mixed", "partial mixed", "is_flat")
    assert square["reason"] == "for all versions; guard is_flat, else the composition"
    assert found["tan", "variants"]["guard"].startswith("lambda in line ")
    assert found["sinh", "variants"]["kind"] == "mixed"
    cos = found["cos", "variants"]
    assert cos["runs"] == "missing"
    assert cos["reason"] == "neither an implementation nor a composition; 'cos' is for toyframework>=3"


@pytest.mark.parametrize("kind", KINDS)
def test_kind_keeps_that_kind(isolated, kind):
    found = rows(
        isolated.corearray("list-functions", "--json", "--kind", kind, distributions=("framework", "good", "variants"))
    )
    assert found
    for row in found.values():
        assert row["nestable"] if kind == "nestable" else row["kind"] == kind


def test_missing_and_one_backend(isolated):
    arguments = ("list-functions", "--missing", "--backend", "good")
    found = rows(isolated.corearray(*arguments, "--json", distributions=READY))
    assert {row["runs"] for row in found.values()} == {"missing"}
    assert {backend for _, backend in found} == {"good"}
    done = isolated.corearray(*arguments, distributions=READY)
    header, *lines = done.stdout.splitlines()
    assert header.split() == ["function", "backend", "kind", "nestable", "runs", "implementation", "why"]
    assert len(lines) == len(found)
    assert lines[0].split()[1:6] == ["good", "primary", "no", "missing", "-"]


def test_backends_that_are_not_ready_are_told_and_left_out(isolated):
    folders = (*READY, "raises", "exits_on_load")
    done = isolated.corearray("list-functions", "--json", distributions=folders)
    assert {backend for _, backend in rows(done)} == {"", "good", "other"}
    assert "corearray: backend 'raises' is left out: broken: " in done.stderr
    assert "corearray: backend 'exits_on_load' is left out: it cannot be loaded: it ended the process" in done.stderr
    assert isolated.corearray("list-functions", "--backend", "raises", distributions=folders).returncode == 1
    unknown = isolated.corearray("list-functions", "--backend", "none", distributions=READY)
    assert unknown.returncode == 2
    assert "there is no backend 'none'; installed are 'good', 'other'" in unknown.stderr


def test_stages_and_source(isolated):
    done = isolated.corearray("list-functions", "--stages", "add", "--backend", "good", distributions=READY)
    head, *steps = done.stdout.splitlines()
    assert head == "add on good: native, toy_good.functions.add"
    stages = [step.split()[1] for step in steps]
    assert stages == [name for name in ORDER if name in stages]
    assert {"outputs_to_arrays", "inputs_to_native_arrays", "handle_exceptions"} <= set(stages)
    assert "def add(x1, x2, /, out=None):" not in done.stdout
    arguments = ("list-functions", "--stages", "add", "--source", "--backend", "good")
    assert "def add(x1, x2, /, out=None):" in isolated.corearray(*arguments, distributions=READY).stdout
    (row,) = json.loads(isolated.corearray(*arguments, "--json", distributions=READY).stdout)
    assert row["stages"] == stages
    done = isolated.corearray("list-functions", "--stages", "no_such", distributions=READY)
    assert (done.returncode, "'no_such' is no declared function" in done.stderr) == (2, True)


def test_wrong_usage_says_what_is_right(capsys):
    for arguments, said in (
        (["--kind", "native"], "there is no kind 'native'; kinds are primary, compositional"),
        (["--source"], "--source needs --stages NAME"),
    ):
        with pytest.raises(SystemExit):
            main(["list-functions", *arguments])
        assert said in capsys.readouterr().err


def test_every_public_function_is_declared_or_says_what_it_is():
    for name in ca.__all__:
        function = getattr(ca, name)
        if type(function) is type(undeclared_kind) and name not in DECLARATIONS:
            assert undeclared_kind(function) in ("standalone", "convenience"), (
                f"{function.__module__} needs a line __kind__ = 'standalone' or 'convenience'"
            )


CASES = {name: declaration.case_of for name, declaration in DECLARATIONS.items() if declaration.case_of}


@pytest.mark.parametrize("name", CASES)
def test_a_case_of_a_function_calls_that_one_alone_and_runs_as_it(name, monkeypatch):
    be, general = ca.get_backend("numpy"), CASES[name]
    assert be.binding(name).kind == be.binding(general).kind
    axes = next(int(letter) for letter in reversed(name) if letter.isdigit())
    filters = be.ones((2, 1 if "depthwise" in name else 2, *[2] * axes))
    arguments = be.ones((1, 2, *[4] * axes)), filters if "conv" in name else 2
    want, called = getattr(be, name)(*arguments), []
    monkeypatch.setattr(be, general, lambda *args, **options: called.append((args, options)) or want)
    assert be.binding(name).composition(*arguments) is want
    assert len(called) == 1


# --- the logger


def test_choices_are_told_to_the_logger(toy, caplog):
    plugin = toy("alpha")

    class Versions(type(plugin)):
        @hookimpl(versions="<0.1")
        def cos_v_0p0p1_and_below(self, x, /):
            raise AssertionError

    plugin.__class__ = Versions
    with caplog.at_level(logging.DEBUG, "corearray"):
        backend = ca.get_backend("alpha")
        x = plugin.made([1.0], "float32")
        ca.add(x, x)
        ca.square(x)
        with ca.backend_context("alpha"):
            pass
        ca.set_backend("alpha")
        with pytest.raises(ca.FunctionNotImplementedError, match=r"'cos_v_0p0p1_and_below' is for pluggy<0.1"):
            backend.cos(x)
    told = [record.getMessage() for record in caplog.records if record.levelno == logging.DEBUG]
    module = f"{type(plugin).__name__}"
    assert any(text.startswith("backend 'alpha' loaded: pluggy ") for text in told)
    assert "backend 'alpha' is taken from here on where none is set" in told
    assert f"'add' on backend 'alpha': alpha:{module}.add" in told
    assert "'square' on backend 'alpha': composition" in told
    assert "backend 'alpha' is in force in a block" in told


def test_nothing_is_told_above_debug(toy, caplog):
    plugin = toy("alpha")
    with caplog.at_level(logging.INFO, "corearray"):
        x = plugin.made([1.0], "float32")
        ca.add(x, x)
    assert not caplog.records


def test_costs_are_of_compositions():
    assert all(DECLARATIONS[name].compositional for name in COSTS)
    assert COSTS["igamma"] > SLOW_FROM > COSTS["square"]
