"""Extensions: what third parties add to backends that are there, and what becomes of functions that were composed."""

from __future__ import annotations

import importlib
import json
import os
import subprocess
import sys
import textwrap
import threading
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

import corearray as ca
from corearray.backends.extension_records import discovered
from corearray.calls.accelerated import python_of
from corearray.contract.declaration import DECLARATIONS
from corearray.errors import CoreArrayError
from corearray.manager import manager
from corearray.plugin import ExtensionInfo, hookimpl


@pytest.fixture
def be():
    return ca.get_backend("numpy")


@pytest.fixture
def use():
    """Register extensions, and forget them at the end."""
    names: list[str] = []

    def register(name, methods=None, **described):
        plugin = type(name.title(), (), {"info": ExtensionInfo(name, **described), **(methods or {})})()
        names.append(ca.register_extension(plugin))
        return plugin

    yield register
    for row in ca.list_extensions():
        if row.name in names:
            ca.unregister_extension(row.name)


def offering(name, function, **options):
    """Return the members of an extension that implements one function."""

    def implementation(self, x, /):
        return function(x)

    implementation.__name__ = name
    return {name: hookimpl(**options)(implementation)}


# --- composing anew


def test_what_was_composed_is_composed_anew(be):
    """Also what users hold, operators, the public function, and what computes by the steps of a composition."""
    x = be.asarray([1.0, 4.0])
    add, softmax, inverse = be.add, be.native.softmax, be.linalg.inv
    before = be.binding("add")
    calls = {
        "public": lambda: ca.add(x, x), "be": lambda: be.add(x, x), "held": lambda: add(x, x), "operator": lambda: x + x,
        "reflected": lambda: 0.0 + x + x, "native": lambda: be.native.add(x.native, x.native),
        "promoted": lambda: be.add(x, be.asarray([1, 4])), "chain": lambda: be.pipelines.add([x, x, None]),
    }  # fmt: skip
    softened = softmax(x.native)
    for name, call in calls.items():
        assert np.asarray(call()).tolist() == [2.0, 8.0], name
    edition = be.edition
    for _ in range(2):
        be.forget()
        for _ in range(2):
            for name, call in calls.items():
                assert np.asarray(call()).tolist() == [2.0, 8.0], name
            assert softmax(x.native).tolist() == softened.tolist()
            assert inverse(be.eye(2)).tolist() == [[1.0, 0.0], [0.0, 1.0]]
    assert be.edition == edition + 2
    assert before.retired
    assert not be.binding("add").retired
    assert (add.__name__, add.__module__, add.__doc__) == ("add", "corearray.on.numpy", ca.add.__doc__)


def test_other_threads_compute_while_functions_are_composed_anew(be):
    """A call ends with the functions with which it began, and none is left behind of a former edition."""
    x = be.asarray([1.0, 4.0])
    held = be.subtract
    wrong: list[object] = []
    over = threading.Event()

    def compute():
        try:
            while not over.is_set():
                for found in (ca.add(x, x), be.multiply(x, 2.0), x + x, held(3 * x, x), be.add(x, be.asarray([1, 4]))):
                    if found.tolist() != [2.0, 8.0]:
                        wrong.append(found)
        except BaseException as error:
            wrong.append(error)

    threads = [threading.Thread(target=compute) for _ in range(4)]
    for thread in threads:
        thread.start()
    for _ in range(25):
        be.forget()
    over.set()
    for thread in threads:
        thread.join()
    assert not wrong
    for name in ("add", "multiply"):
        assert not be.binding(name).retired
        for place in (be, be.calls):
            function = vars(place).get(name)
            assert function is None or "formerly" not in python_of(function).__code__.co_filename


def test_every_name_of_a_backend_is_there_after_composing_anew(be):
    be.forget()
    for name, declaration in DECLARATIONS.items():
        namespace = be if declaration.main else getattr(be, declaration.namespace)
        assert callable(getattr(namespace, name))


# --- stages


def profile(self, call, function):
    name = function.declaration.name

    def counted(args):
        self.seen.append(name)
        return call(args)

    return counted


def test_a_stage_is_added_to_every_call_and_taken_away(be, use):
    x = be.asarray([1.0, 4.0])
    sin, before = be.native.sin, be.binding("add").stages()
    plugin = use("profiler", {"profile": hookimpl(profile), "seen": []}, stages={"profile": "handle_nans"})
    calls = (lambda: ca.add(x, x), lambda: be.add(x, x), lambda: x + x, lambda: be.add(x, 1.0))
    for call in calls:
        call()
    x += 1.0
    assert plugin.seen == ["add"] * 5
    assert be.binding("add").stages() == [*before, "profile"]
    assert be.native.sin is sin, "the stage is none of native functions"
    be.native.add(x.native, x.native)
    be.softmax(x)
    assert plugin.seen[5:7] == ["softmax", "max"]
    ca.unregister_extension("profiler")
    plugin.seen.clear()
    for call in calls:
        call()
    assert plugin.seen == []
    assert be.binding("add").stages() == before


def test_an_innermost_stage_sees_native_arrays_in_the_native_namespace_too(be, use):
    given = []

    def watch(self, call, function):
        return lambda args: given.append((function.declaration.name, type(args[0]))) or call(args)

    use("watcher", {"watch": hookimpl(watch)}, backends=("numpy",), stages={"watch": ""})
    be.sin(be.ones(2))
    be.native.cos(np.ones(2, "float32"))
    assert [entry for entry in given if entry[0] in ("sin", "cos")] == [("sin", np.ndarray), ("cos", np.ndarray)]


def test_a_stage_of_the_core_is_replaced(be, use):
    def handle_exceptions(self, call, function):
        return call

    use("plain", {"handle_exceptions": hookimpl(handle_exceptions)})
    with pytest.raises(ValueError) as caught:
        be.reshape(be.ones(3), (2, 2))
    assert not isinstance(caught.value, ca.CoreArrayError)
    ca.unregister_extension("plain")
    with pytest.raises(ca.CoreArrayError):
        be.reshape(be.ones(3), (2, 2))


def test_stages_add_forces_a_stage_or_is_refused(be, use):
    seen = []

    def squeeze(self, x, /, axis):
        seen.append(axis)
        return x.reshape(-1)

    use(
        "forcing",
        {"squeeze": hookimpl(stages_add=("inputs_to_native_shapes", "handle_view"))(squeeze)},
        backends=("numpy",),
    )
    assert {"inputs_to_native_shapes", "handle_view"} <= set(be.binding("squeeze").stages())
    be.squeeze(be.ones((1, 2)), ca.Shape((0,)))
    assert type(seen[0]) is tuple
    with pytest.raises(ca.ExtensionError, match="adds the stages 'handle_view', which have nothing to do in 'square'"):
        use("idle", offering("square", np.square, stages_add=("handle_view",)), backends=("numpy",))
    assert be.square(be.ones(2)).tolist() == [1.0, 1.0]


# --- implementations


def test_an_extension_comes_before_the_backend_and_its_guard_leaves_the_rest_to_it(be, use):
    x, held = be.asarray([1.0, 4.0]), be.sqrt
    options = {"when": lambda x: x.shape == (2,), "versions": ">=1"}
    use("guarded", offering("sqrt", lambda x: np.sqrt(x) + 10, **options), backends=("numpy",))
    for call in (ca.sqrt, be.sqrt, held, be.native.sqrt):
        given = x.native if call is be.native.sqrt else x
        assert np.asarray(call(given)).tolist() == [11.0, 12.0]
        assert np.asarray(call(given[:1])).tolist() == [1.0]
    assert be.sqrt(be.asarray([1, 4])).tolist() == [11.0, 12.0]
    assert be.binding("sqrt").kind == "partial mixed"
    ca.unregister_extension("guarded")
    assert held(x).tolist() == be.sqrt(x).tolist() == [1.0, 2.0]
    assert be.native.sqrt is np.sqrt


def test_versions_of_extension_and_implementation_are_those_of_the_framework(be, use):
    use("old", offering("sqrt", np.negative), backends=("numpy",), versions="<1")
    use("older", offering("sqrt", np.negative, versions="<1"), backends=("numpy",))
    assert be.sqrt(be.ones(2)).tolist() == [1.0, 1.0]
    rows = {row.name: row for row in ca.list_extensions()}
    assert rows["old"].reason == f"it is for numpy<1, installed is {be.framework_version}"
    assert not rows["old"].loaded
    assert rows["older"].loaded


def test_the_order_of_extensions(be, use):
    x = be.ones(2)
    use("plain", offering("sqrt", lambda x: x + 1), backends=("numpy",))
    use("last", offering("sqrt", lambda x: x + 2, trylast=True), backends=("numpy",))
    assert be.sqrt(x).tolist() == [2.0, 2.0]
    use("first", offering("sqrt", lambda x: x + 3, tryfirst=True), backends=("numpy",))
    assert be.sqrt(x).tolist() == [4.0, 4.0]
    order = [(candidate.extension, why) for candidate, why in manager.considered(be, "sqrt")]
    assert [name for name, _ in order] == ["first", "plain", "", "last"]
    assert [bool(why) for _, why in order] == [False, True, True, True]
    for name, expected in (("first", 2.0), ("plain", 1.0)):
        ca.unregister_extension(name)
        assert be.sqrt(x).tolist() == [expected] * 2
    with pytest.raises(TypeError, match="tryfirst and trylast"):
        hookimpl(tryfirst=True, trylast=True)(lambda x: x)


def test_what_comes_last_fills_a_gap(be, use):
    """Before the core's composition, and after a guarded implementation of the backend's."""
    name = next(
        name
        for name, declaration in DECLARATIONS.items()
        if declaration.compositional and declaration.has_kernel and declaration.case_of is None
        and [p.name for p in declaration.parameters if p.required] == ["x"] and be.binding(name).kind == "composed"
    )  # fmt: skip
    parameters = ", ".join(p.name for p in DECLARATIONS[name].parameters if p.name != "out")
    scope = {}
    exec(f"def {name}(self, {parameters}): return 0 * x - 7", scope)
    use("gap", {name: hookimpl(trylast=True)(scope[name])}, backends=("numpy",))
    assert be.binding(name).kind == "native"


def test_two_extensions_without_an_order_are_a_conflict(be, use):
    x = be.ones(2)
    use("one", offering("sqrt", lambda x: x + 1), backends=("numpy",))
    with pytest.warns(
        RuntimeWarning, match="'one', 'two' implement 'sqrt' on backend 'numpy'.*tryfirst=True"
    ) as caught:
        use("two", offering("sqrt", lambda x: x + 2), backends=("numpy",))
    assert caught[0].filename == __file__
    assert be.sqrt(x).tolist() == [1.0, 1.0]
    reasons = {row.name: row.reason for row in ca.list_extensions()}
    assert "implement 'sqrt'" in reasons["one"]
    assert reasons["one"] == reasons["two"]
    assert [why[:14] for _, why in manager.considered(be, "sqrt")] == ["is in conflict", "is in conflict", ""]
    ca.unregister_extension("one")
    assert be.sqrt(x).tolist() == [3.0, 3.0]
    assert {row.name: row.reason for row in ca.list_extensions()}["two"] == ""


def test_operators_in_place_follow(be, use):
    def add(self, x1, x2, /):
        return x1 * x2

    use("product", {"add": hookimpl(add)}, backends=("numpy",))
    x = be.asarray([2.0, 3.0])
    x += x
    assert x.tolist() == [4.0, 9.0]
    assert (x + x).tolist() == [16.0, 81.0]
    ca.unregister_extension("product")
    x += x
    assert x.tolist() == [8.0, 18.0]


def test_other_threads_compute_while_an_extension_comes_and_goes(be, use):
    x = be.asarray([1.0, 4.0])
    held, wrong, over = be.sqrt, [], threading.Event()

    def compute():
        try:
            while not over.is_set():
                for found in (ca.sqrt(x), be.sqrt(x), held(x), be.sqrt(be.asarray([1, 4]))):
                    if found.tolist() not in ([1.0, 2.0], [11.0, 12.0]):
                        wrong.append(found)
        except BaseException as error:
            wrong.append(error)

    threads = [threading.Thread(target=compute) for _ in range(3)]
    for thread in threads:
        thread.start()
    for _ in range(10):
        use("now", offering("sqrt", lambda x: np.sqrt(x) + 10), backends=("numpy",))
        assert be.sqrt(x).tolist() == ca.sqrt(x).tolist() == held(x).tolist() == [11.0, 12.0]
        ca.unregister_extension("now")
        assert be.sqrt(x).tolist() == ca.sqrt(x).tolist() == held(x).tolist() == [1.0, 2.0]
    over.set()
    for thread in threads:
        thread.join()
    assert not wrong


def test_an_extension_is_used_when_its_backend_is_loaded(toy, use):
    plugin = toy("alpha")
    doubled = lambda x: plugin.array([2 * v for v in x.values], x.dtype, x.device)
    use("early", offering("sin", doubled), backends=("alpha",))
    assert not next(row for row in ca.list_extensions() if row.name == "early").loaded
    assert ca.get_backend("alpha").sin([1.0]).tolist() == [2.0]
    assert next(row for row in ca.list_extensions() if row.name == "early").loaded


# --- declared functions


def test_a_function_is_declared_and_implemented(be, use, monkeypatch):
    module = ModuleType("declared_here")
    monkeypatch.setitem(sys.modules, "declared_here", module)
    text = """
    from __future__ import annotations

    from corearray.plugin import ExtensionInfo, declare

    info = ExtensionInfo("declaring")

    @declare(promote=("x", "bias"), floating=True, gives="same")
    def bias_square(x: Array | Scalar, bias: Array | Scalar, /, *, out: Array | None = None) -> Array:
        \"\"\"Add a bias, and take the square.\"\"\"
        return xp.square(xp.add(x, bias))
    """
    try:
        exec(textwrap.dedent(text), vars(module))
        ca.register_extension(module)
        x, bias_square = be.asarray([1.0, 2.0]), module.bias_square
        for found in (
            bias_square(x, 1.0), be.bias_square(x, 1.0), be.bias_square(be.asarray([1, 2]), be.ones(2)),
            bias_square(x, 1.0, out=be.zeros(2)), bias_square(ca.Container(a=x), 1.0).a,
        ):  # fmt: skip
            assert (found.tolist(), found.dtype) == ([4.0, 9.0], ca.float32)
        assert be.native.bias_square(x.native, x.native).tolist() == [4.0, 16.0]
        assert "bias_square" in dir(be)
        with pytest.raises(CoreArrayError, match="'bias_square' is declared already, in declared_here"):
            exec(textwrap.dedent(text), {"__name__": "declared_there"})

        def natively(self, x, bias, /):
            return np.square(x + bias) + 100

        use("kernel", {"bias_square": hookimpl(specname="bias_square")(natively)}, backends=("numpy",))
        assert bias_square(x, x).tolist() == [104.0, 116.0]
        assert be.binding("bias_square").kind == "native"
        ca.unregister_extension("kernel")
        assert bias_square(x, x).tolist() == [4.0, 16.0]
    finally:
        DECLARATIONS.pop("bias_square", None)
        ca.unregister_extension("declaring")


def test_a_declaration_may_be_run_again(be):
    """As a cell of a notebook is; the function that was imported before computes the same as the new one."""
    text = """
    from __future__ import annotations
    from corearray.plugin import declare

    @declare(promote=("x",), gives="same")
    def plus_number(x: Array, /) -> Array:
        return xp.add(x, 1.0)
    """
    cell = {"__name__": "a_notebook"}
    try:
        exec(textwrap.dedent(text), cell)
        before = cell["plus_number"]
        assert before(be.ones(2)).tolist() == [2.0, 2.0]
        exec(textwrap.dedent(text.replace("1.0", "2.0")), cell)
        for function in (cell["plus_number"], be.plus_number, before):
            assert function(be.ones(2)).tolist() == [3.0, 3.0]
    finally:
        DECLARATIONS.pop("plus_number", None)


# --- what is wrong with an extension


def _takes_y(self, y, /):
    return y


@pytest.mark.parametrize(
    ("methods", "described", "text"),
    [
        ({"sqrt": hookimpl(_takes_y)}, {}, "has the parameters 'y', which 'sqrt' does not declare"),
        ({"dtypes": hookimpl(lambda self: {})}, {}, "which is neither a function nor a stage"),
        ({"watch": hookimpl(profile)}, {}, "new stages are named in ExtensionInfo"),
        ({}, {"stages": {"watch": ""}}, "its stage 'watch' has no hookimpl"),
        ({"watch": hookimpl(profile)}, {"stages": {"watch": "handle_nanz"}}, "is put around 'handle_nanz'; there are"),
        ({"handle_nans": hookimpl(profile)}, {"stages": {"handle_nans": ""}}, "its stage 'handle_nans' is taken"),
        ({"watch": hookimpl(lambda self, call: call)}, {"stages": {"watch": ""}}, "is a stage and takes (call, function)"),
        (offering("sqrt", np.sqrt, stages_skip=("handle_nanz",)), {}, "names the stages 'handle_nanz'; there are"),
        (offering("sqrt", np.sqrt, versions="2.x"), {}, "2.x"),
        ({}, {"modules": ("no_such_module",)}, "No module named 'no_such_module'"),
        ({}, {"core_versions": "<0.0.1"}, "is for corearray <0.0.1"),
        ({}, {"versions": "2.x"}, "2.x"),
        ({}, {"modules": (5,)}, "'modules' holds names, got (5,)"),
        ({}, {"backends": ("numpy", None)}, "'backends' holds names"),
        ({}, {"versions": 5}, "'versions' is a text, got 5"),
    ],
)  # fmt: skip
def test_an_extension_that_is_not_valid_is_refused_and_changes_nothing(be, use, methods, described, text):
    edition = be.edition
    for name in list(methods):
        methods[name].__name__ = name
        methods[name].corearray_impl["specname"] = None
    with pytest.raises(ca.ExtensionError) as caught:
        use("wrong", methods, **described)
    assert text in str(caught.value)
    assert "wrong" not in {row.name for row in ca.list_extensions()}
    assert be.edition == edition
    assert not [name for name, _ in manager.hooks.list_name_plugin() if name.startswith("+wrong")]


def test_names_of_extensions(use):
    with pytest.raises(ca.ExtensionError, match="needs a module or object with an ExtensionInfo"):
        ca.register_extension(object())
    with pytest.raises(ca.ExtensionError, match="'Wrong Name' is no valid name"):
        ca.register_extension(ExtensionInfo("Wrong Name"))
    plugin = use("once")
    assert ca.register_extension(plugin) == "once"
    with pytest.raises(ca.ExtensionError, match="an extension 'once' is there already"):
        ca.register_extension(ExtensionInfo("once"))
    with pytest.raises(ca.ExtensionError, match=r"there is no extension 'twice'; there are.*'once'"):
        ca.unregister_extension("twice")


# --- installed ones


def install(folder, name, module, entries="info"):
    """Write a distribution that offers an extension, as it lies in site-packages."""
    (folder / f"toy_{name}.py").write_text(textwrap.dedent(module))
    metadata = folder / f"toy_{name}-1.2.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: toy-{name}\nVersion: 1.2\n")
    (metadata / "entry_points.txt").write_text(f"[corearray.extensions]\n{name} = toy_{name}\n")


GOOD = """
    from corearray.plugin import ExtensionInfo, hookimpl
    info = ExtensionInfo("good", backends=("numpy",), stages={"count": "handle_nans"})
    calls = []

    @hookimpl
    def count(call, function):
        return lambda args: calls.append(function.declaration.name) or call(args)

    @hookimpl(when=lambda x: x.ndim == 1)
    def sqrt(x, /):
        return x + 10
"""

BROKEN = {
    "raises": "raise LookupError('no luck')",
    "exits": "import sys\nsys.exit(3)",
    "empty": "",
    "named": "from corearray.plugin import ExtensionInfo\ninfo = ExtensionInfo('other')",
    "asks": "import corearray\nfrom corearray.plugin import ExtensionInfo\n"
    "corearray.get_backend('numpy').ones(2)\ninfo = ExtensionInfo('asks', modules=('no_such_module',))",
}

PROGRAM = """
import json, sys
sys.path.insert(0, sys.argv[1])
import corearray as ca
assert not [name for name in sys.modules if name.startswith("toy_")]
be = ca.get_backend("numpy")
rows = {row.name: [row.status, row.loaded, row.reason] for row in ca.list_extensions()}
calls = sys.modules["toy_good"].calls if "toy_good" in sys.modules else []
found = [be.sqrt(be.ones(1)).tolist(), be.sqrt(be.ones(())).tolist()]
print(json.dumps([found, calls, rows]))
"""


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    folder = tmp_path_factory.mktemp("installed")
    install(folder, "good", GOOD)
    for name, text in BROKEN.items():
        install(folder, name, text)
    return folder


def run(*command, **variables):
    done = subprocess.run(
        [sys.executable, *command], capture_output=True, text=True, env={**os.environ, **variables}, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_bad_metadata_of_an_extension_is_a_row(tmp_path):
    install(tmp_path, "mute", "")
    install(tmp_path, "nowhere", "")
    (tmp_path / "toy_mute-1.2.dist-info" / "METADATA").unlink()
    (tmp_path / "toy_nowhere-1.2.dist-info" / "entry_points.txt").write_text("[corearray.extensions]\nnowhere =\n")
    found = discovered([str(tmp_path)])
    assert {name: (extension.status, extension.reason) for name, extension in found.items()} == {
        "mute": ("broken", "'toy_mute' 1.2: its METADATA is missing or empty"),
        "nowhere": (
            "broken",
            "'toy-nowhere' 1.2: its entry point 'nowhere' has no value, which is the plugin's module",
        ),
    }


@pytest.mark.parametrize("allowed", ["", "good, asks", "none"])
def test_installed_extensions_are_used_and_broken_ones_hurt_nobody(installed, allowed):
    found, calls, rows = json.loads(run("-c", PROGRAM, str(installed), COREARRAY_LOAD_EXTENSIONS=allowed))
    rows = {name: row for name, row in rows.items() if name in ("good", *BROKEN)}
    used = allowed != "none"
    assert found == ([[11.0], 1.0] if used else [[1.0], 1.0])
    assert ("sqrt" in calls) == used
    assert rows["good"][:2] == (["ready", True] if used else ["disabled", False])
    if allowed:
        assert rows["raises"] == ["disabled", False, f"COREARRAY_LOAD_EXTENSIONS={allowed} leaves it out"]
        return
    assert {name: row[0] for name, row in rows.items() if name != "good"} == dict.fromkeys(BROKEN, "broken")
    reasons = {name: row[2] for name, row in rows.items()}
    assert reasons["raises"] == "'toy-raises' cannot be described: LookupError: no luck"
    assert "SystemExit: 3" in reasons["exits"]
    assert "has no ExtensionInfo named 'info', but module" in reasons["empty"]
    assert "it describes an extension 'other'" in reasons["named"]
    assert "No module named 'no_such_module'" in reasons["asks"]


def test_the_commands_name_extensions(installed, tmp_path):
    paths = os.pathsep.join([str(installed), os.environ.get("PYTHONPATH", "")])
    rows = json.loads(run("-m", "corearray", "list-extensions", "--json", PYTHONPATH=paths))
    found = {row["name"]: row for row in rows}
    assert found["good"] == {
        "name": "good", "status": "ready", "plugin": "toy-good", "plugin_version": "1.2", "backends": ["numpy"],
        "requires": "", "reason": "",
    }  # fmt: skip
    assert {name: found[name]["status"] for name in BROKEN} == {**dict.fromkeys(BROKEN, "broken"), "asks": "ready"}
    rows = json.loads(run("-m", "corearray", "list-functions", "--backend", "numpy", "--json", PYTHONPATH=paths))
    row = next(row for row in rows if row["function"] == "sqrt")
    assert (row["implementation"], row["runs"]) == ("toy_good.sqrt", "partial mixed")
    assert row["reason"].startswith(
        "of the extension 'good'; for all versions; guard lambda in line 10, else corearray_numpy."
    )
    assert [entry["reason"] for entry in row["dropped"]] == ["computes what 'sqrt' of toy_good leaves"]
    text = run("-m", "corearray", "list-functions", "--backend", "numpy", "--stages", "sqrt", PYTHONPATH=paths)
    assert text.rstrip().endswith("count")


def test_the_example_profiler(be, monkeypatch):
    monkeypatch.syspath_prepend(str(Path(__file__).parents[1] / "examples" / "plugins" / "corearray-profiler"))
    profiler = importlib.import_module("corearray_profiler")
    ca.register_extension(profiler)
    try:
        for _ in range(3):
            be.hypot(be.ones(2), be.ones(2))
        rows = {function: (backend, calls) for backend, function, calls, _ in profiler.rows()}
        assert rows["hypot"] == ("numpy", 3)
        assert rows["ones"] == ("numpy", 6)
        assert all(seconds > 0 for *_, seconds in profiler.rows())
        profiler.clear()
        ca.unregister_extension("profiler")
        be.ones(2)
        assert profiler.rows() == []
    finally:
        for name in [name for name in sys.modules if name.startswith("corearray_profiler")]:
            del sys.modules[name]


def test_the_kit_finds_a_wrong_kernel(be, use):
    """Values, dtypes and what is not used at all."""
    from corearray.testing import ExtensionConformance

    class Kit(ExtensionConformance):
        extension, backend = "wrong", "numpy"
        samples = {"hypot": [(np.ones(2, "float32"), np.ones(2, "float32"))]}  # noqa: RUF012

    with pytest.raises(AssertionError, match="there is no extension 'wrong'"):
        Kit().test_is_used(be)

    def hypot(self, x1, x2, /):
        return x1 - 100

    use("wrong", {"hypot": hookimpl(hypot)}, backends=("numpy",))
    assert Kit._tested() == ["hypot"]
    Kit().test_is_used(be)
    with pytest.raises(AssertionError, match="Not equal to tolerance"):
        Kit().test_declared(be, "hypot")
