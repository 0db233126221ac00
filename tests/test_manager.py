"""The manager: what it finds, what it makes of each plugin, and what it tells those who ask."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

import corearray as ca
from corearray.backends.installing import install_hint
from corearray.calls.dispatch import ROUTES
from corearray.manager import Manager
from corearray.plugin import BackendInfo, hookimpl
from corearray.settings import context

DISTRIBUTIONS = Path(__file__).parent / "distributions"


@pytest.fixture
def found(monkeypatch):
    """Put a manager that finds the fake distributions of the named folders in the place of the process's."""

    def make(*names: str) -> Manager:
        folders = [str(DISTRIBUTIONS / name) for name in names]
        for folder in folders:
            monkeypatch.syspath_prepend(folder)
        made = Manager(search=folders)
        for module in ("corearray.manager", "corearray.settings.backends"):
            monkeypatch.setattr(sys.modules[module], "manager", made)
        return made

    yield make
    for name in [name for name in sys.modules if name.startswith("toy_")]:
        del sys.modules[name]


def status(manager: Manager, name: str) -> tuple[str, str]:
    row = manager.status(name)
    return row.status, row.reason


def refused(manager: Manager, name: str) -> tuple[type, str]:
    """The error of loading a backend, which leaves everything as it was."""
    before = (context.current_settings(), context._process["default"], set(ROUTES), set(manager.records))
    with pytest.raises(ca.CoreArrayError) as caught:
        ca.set_backend(name)
    assert (context.current_settings(), context._process["default"], set(ROUTES), set(manager.records)) == before
    with pytest.raises(type(caught.value)) as again:
        ca.get_backend(name)
    assert str(again.value) == str(caught.value)
    return type(caught.value), str(caught.value)


# --- discover, describe, match


def test_discovery_reads_metadata_and_imports_nothing(found):
    manager = found("framework", "good", "raises")
    assert list(manager.records) == ["good", "raises"]
    assert (manager.records["good"].plugin, manager.records["good"].plugin_version) == ("toy-good", "1.2")
    assert not {"toy_good", "toy_raises"} & set(sys.modules)
    assert [row.status for row in manager.statuses()] == ["ready", "broken"]
    assert not {"toy_good", "toy_raises"} & set(sys.modules), "children have imported them"
    manager.status("good")
    assert "toy_good" in sys.modules
    assert "toy_good.functions" not in sys.modules


def test_ready(found):
    manager = found("framework", "good")
    (row,) = ca.list_backends()
    assert row.as_dict() == {
        "name": "good",
        "status": "ready",
        "plugin": "toy-good",
        "plugin_version": "1.2",
        "framework": "toyframework",
        "framework_version": "2.0.1+local",
        "requires": ">=2,<3",
        "reason": "",
        "loaded": False,
    }
    backend = manager.load("good")
    assert manager.load("good") is backend
    assert ca.list_backends()[0].loaded
    assert repr(row) == (
        "BackendStatus(framework='toyframework', framework_version='2.0.1+local', name='good', plugin='toy-good', "
        "plugin_version='1.2', requires='>=2,<3', status='ready')"
    )
    manager.unregister("good")


def test_unknown(found):
    manager = found("framework", "good", "other", "raises")
    kind, text = refused(manager, "absent")
    assert kind is ca.BackendNotFoundError
    assert text.startswith(
        f"there is no backend 'absent'; installed are 'good', 'other', 'raises'; {install_hint('absent')}"
    )
    for typed in ("goood", "gd", "mygood"):
        _, short = refused(manager, typed)
        assert short == f"there is no backend '{typed}'; did you mean 'good'? Installed are 'good', 'other', 'raises'"
    assert not {"toy_good", "toy_raises"} & set(sys.modules)
    assert "testing" not in text and "draw" not in text  # which bring no backend
    assert issubclass(kind, LookupError)


def test_nothing_installed(found):
    manager = found()
    kind, text = refused(manager, "numpy")
    assert kind is ca.BackendNotFoundError
    assert text == f"there is no backend 'numpy'; none is installed; {install_hint('numpy')}"
    with pytest.raises(ca.BackendNotFoundError, match=re.escape(install_hint("numpy"))):
        ca.zeros(3)


def test_framework_missing(found):
    manager = found("framework_missing")
    reason = (
        "plugin 'toy-framework-missing' 1.0 needs no-such-framework>=1.5: "
        "no distribution 'no-such-framework', 'no-such-framework-gpu' is installed; "
        "install it with: pip install 'no-such-framework>=1.5'"
    )
    assert status(manager, "framework_missing") == ("framework missing", reason)
    kind, text = refused(manager, "framework_missing")
    assert kind is ca.BackendNotFoundError
    assert text == f"backend 'framework_missing' cannot be used (framework missing): {reason}"


def test_framework_too_old(found):
    manager = found("framework", "framework_too_old")
    reason = (
        "plugin 'toy-framework-too-old' 1.0 needs toyframework>=3,<4, installed is 2.0.1+local; "
        "install a matching one with: pip install 'toyframework>=3,<4'"
    )
    assert status(manager, "framework_too_old") == ("version mismatch", reason)
    kind, text = refused(manager, "framework_too_old")
    assert kind is ca.BackendVersionError
    assert text == f"backend 'framework_too_old' cannot be used (version mismatch): {reason}"


def test_core_mismatch(found):
    manager = found("framework", "core_mismatch")
    reason = (
        f"plugin 'toy-core-mismatch' 1.0 is for corearray >=99, installed is {ca.__version__}; "
        "upgrade the older of the two"
    )
    assert status(manager, "core_mismatch") == ("core mismatch", reason)
    assert refused(manager, "core_mismatch")[0] is ca.BackendVersionError


def test_conflict(found):
    manager = found("framework", "duplicate_one", "duplicate_two", "good")
    reason = (
        "the distributions 'toy-duplicate-one' 1.0 and 'toy-duplicate-two' 2.0 both offer a backend 'duplicate'; "
        "uninstall one of them"
    )
    assert status(manager, "duplicate") == ("conflict", reason)
    kind, text = refused(manager, "duplicate")
    assert kind is ca.BackendBrokenError
    assert text == f"backend 'duplicate' cannot be used (conflict): {reason}"
    assert status(manager, "good") == ("ready", "")


def test_a_distribution_found_twice_is_no_conflict(found):
    manager = found("framework", "good", "good")
    assert status(manager, "good") == ("ready", "")


@pytest.mark.parametrize(
    ("folder", "name", "reason", "cause"),
    [
        (
            "raises",
            "raises",
            "plugin 'toy-raises' 1.0 cannot be described: ValueError: the light module is not so light",
            ValueError,
        ),
        (
            "quits",
            "quits",
            "plugin 'toy-quits' 1.0 cannot be described: SystemExit: a plugin that calls sys.exit",
            SystemExit,
        ),
        (
            "no_info",
            "no_info",
            "plugin 'toy-no-info' 1.0 cannot be described: TypeError: its module has no BackendInfo named 'info', but dict",
            TypeError,
        ),
        (
            "wrong_name",
            "wrong_name",
            "plugin 'toy-wrong-name' 1.0 cannot be described: ValueError: it describes a backend 'another_name'; "
            "name and entry point must agree",
            ValueError,
        ),
        (
            "invalid_name",
            "Not-A-Name",
            "'Not-A-Name' (plugin 'toy-invalid-name' 1.0) is no valid backend name; "
            "names are lower-case Python identifiers",
            type(None),
        ),
        (
            "bad_range",
            "bad_range",
            "plugin 'toy-bad-range' 1.0: 'newer than 2' is no version range; "
            "write it as in '>=2.0,<2.3' (PEP 440 specifiers)",
            ValueError,
        ),
    ],
)
def test_broken(found, folder, name, reason, cause):
    manager = found("framework", folder, "good")
    assert status(manager, name) == ("broken", reason)
    assert refused(manager, name) == (ca.BackendBrokenError, f"backend '{name}' cannot be used (broken): {reason}")
    with pytest.raises(ca.BackendBrokenError) as caught:
        manager.load(name)
    assert isinstance(caught.value.__cause__, cause)
    assert status(manager, "good") == ("ready", "")
    assert manager.load("good").name == "good"
    manager.unregister("good")


def test_disabled(found, monkeypatch):
    monkeypatch.setenv("COREARRAY_LOAD_BACKENDS", "numpy, good")
    manager = found("framework", "good", "raises")
    assert status(manager, "good") == ("ready", "")
    assert status(manager, "raises") == (
        "disabled",
        "COREARRAY_LOAD_BACKENDS=numpy, good leaves out plugin 'toy-raises' 1.0",
    )
    kind, text = refused(manager, "raises")
    assert kind is ca.BackendNotFoundError
    assert (
        text
        == "backend 'raises' cannot be used (disabled): COREARRAY_LOAD_BACKENDS=numpy, good leaves out plugin 'toy-raises' 1.0"
    )
    assert "toy_raises" not in sys.modules


# --- load and validate


def test_load_fails(found):
    manager = found("framework", "fails_to_load", "good")
    assert status(manager, "fails_to_load") == ("ready", "")
    reason = "plugin 'toy-fails-to-load' 1.0 cannot be loaded: ImportError: libtoy.so: cannot open shared object file"
    kind, text = refused(manager, "fails_to_load")
    assert (kind, text) == (ca.BackendBrokenError, f"backend 'fails_to_load' cannot be used (broken): {reason}")
    assert status(manager, "fails_to_load") == ("broken", reason)
    assert manager.load("good").name == "good"
    manager.unregister("good")


def test_every_breach_of_the_contract_is_told_at_once(found):
    manager = found("framework", "not_valid")
    kind, text = refused(manager, "not_valid")
    assert kind is ca.BackendBrokenError
    where = "toy_not_valid.functions"
    for part in (
        "backend 'not_valid' cannot be used (broken): plugin 'toy-not-valid' 1.0 is not valid: ",
        f"'{where}.no_such_function' implements the hook 'no_such_function', which this core does not have",
        f"'{where}.add' lacks the parameters 'x2'",
        f"'{where}.sin' has the parameters 'fast', which 'sin' does not declare",
        f"'{where}.cos_new' and '{where}.cos_old' both implement 'cos' for version 2.0.1+local; "
        "make their ranges disjoint",
        f"'{where}.tan': 'about 2' is no version range; write it as in '>=2.0,<2.3'",
        f"'{where}.exp' is marked as a hookimpl and is no Python function",
        f"'{where}.square' names the stages 'handle_nanz'; there are 'handle_array_function'",
        f"'{where}.floor' is marked by pluggy's HookimplMarker; use 'corearray.plugin.hookimpl'",
        "the hooks 'array_types', 'dtypes', 'set_item' are missing",
    ):
        assert part in text
    assert not [name for name, _ in manager.hooks.list_name_plugin() if name.startswith("not_valid:")]


def test_a_backend_that_fails_while_it_is_set_up_leaves_no_hooks(found, toy):
    plugin = toy("alpha")
    manager = found()

    class Unset(type(plugin)):
        @hookimpl
        def dtypes(self):
            return {"float33": "float33"}

    manager.register(Unset("unset", type("UnsetArray", (plugin.array,), {})))
    kind, text = refused(manager, "unset")
    assert kind is ca.BackendBrokenError
    assert "BackendBrokenError: dtypes() names 'float33', which are none of 'bfloat16', 'bool', " in text
    assert not [name for name, _ in manager.hooks.list_name_plugin() if name.startswith("unset:")]


def test_an_array_of_a_declared_type_loads_its_backend(found):
    manager = found("framework", "good", "raises")
    from toy_good.functions import ToyArray

    assert ca.add(ToyArray([1.0, 2.0], "float32"), ToyArray([1.0, 1.0], "float32")).tolist() == [2.0, 3.0]
    assert ca.current_backend().name == "good"
    manager.unregister("good")


# --- register


def test_register_refuses_what_it_cannot_use(found):
    manager = found("framework", "good")
    with pytest.raises(ca.BackendBrokenError, match="needs a module or object with a BackendInfo named 'info', got 3"):
        ca.register_backend(3)
    for name in ("", "Upper", "two words", "kebab-case", "1st"):
        with pytest.raises(
            ca.BackendBrokenError, match="is no valid backend name; names are lower-case Python identif"
        ):
            ca.register_backend(BackendInfo(name, framework="x", array_types=()))
    with pytest.raises(
        ca.BackendBrokenError,
        match=r"a backend 'good' is there already \(plugin 'toy-good'\); register under another name",
    ):
        ca.set_backend(BackendInfo("good", framework="x", array_types=()))
    assert list(manager.records) == ["good"]


def test_the_module_of_an_installed_plugin_is_that_backend(found):
    manager = found("framework", "good")
    import toy_good

    assert ca.set_backend(toy_good).name == "good"
    ca.previous_backend()
    assert manager.status("good").status == "ready"
    manager.unregister("good")


# --- versions that are no plain numbers


@pytest.mark.parametrize(
    ("version", "wanted", "status"),
    [
        ("2.14.0rc1", ">=2.14", "ready"),
        ("2.14.0rc1", "<2.14", "version mismatch"),
        ("2.4.0a0+git1234", ">=2.4,<2.5", "ready"),
        ("2.4.0a0+git1234", "<2.4", "version mismatch"),
        ("2.13.0+cpu", "==2.13.0", "ready"),
        ("2.13.0+cpu", ">2.13", "version mismatch"),
        ("1.01", "==1.1", "ready"),
        ("1.01", ">=1.2", "version mismatch"),
        ("2.0.post1", "<=2.0", "ready"),
        ("2.0.dev3", ">=2.0", "ready"),
        ("not a version", ">=2.0", "broken"),
    ],
)
def test_framework_versions(found, tmp_path, monkeypatch, version, wanted, status):
    info = tmp_path / "oddframework-0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: oddframework\nVersion: {version}\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    manager = found()
    manager.register(BackendInfo("odd", framework=("gone", "oddframework"), framework_versions=wanted, array_types=()))
    row = manager.status("odd")
    assert (row.status, row.framework, row.framework_version) == (status, "oddframework", version)
