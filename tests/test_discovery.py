"""Distributions that are wrong in every way: each is a row with its reason, and none hurts a call or another row.

The table writes them into one folder. Python starts a few times only: one process lists all of them, which starts a child
for each, and one asks for each backend.
"""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import NamedTuple

import pytest

import corearray as ca
from corearray.backends.claims import by_rule
from corearray.backends.discovery import Record
from corearray.contract.info import BackendInfo, checked_info
from corearray.manager import manager

sys.path.insert(0, str(Path(__file__).parent))

import fake_frameworks
from isolated import Isolated, make_site

INFO = """from corearray.plugin import BackendInfo
info = BackendInfo('{name}', framework='toyframework', array_types=('fake_{name}.Array',){more})
"""


class Fake(NamedTuple):
    """One distribution; `then` is what follows a sound description in its module, `module` the text in its place."""

    name: str
    then: str = ""
    status: str = "ready"
    reason: str = ""
    module: str | None = None
    more: str = ""
    loads: str | None = None
    metadata: bytes | None = b"Metadata-Version: 2.1\nName: fake-{name}\nVersion: 1.5\n"
    points: bytes = b"[corearray.backends]\n{name} = fake_{name}\n"
    row: str = ""
    asked: str = ""

    def write(self, site: Path) -> None:
        text = self.module if self.module is not None else INFO.format(name=self.name, more=self.more) + self.then
        (site / f"fake_{self.name}.py").write_text(text)
        if self.loads is not None:
            (site / f"fake_{self.name}_impl.py").write_text(self.loads)
        folder = site / f"fake_{self.name}-1.5.dist-info"
        folder.mkdir()
        if self.metadata is not None:
            (folder / "METADATA").write_bytes(self.metadata.replace(b"{name}", self.name.encode()))
        (folder / "entry_points.txt").write_bytes(self.points.replace(b"{name}", self.name.encode()))


def imported(name: str, module: str, reason: str, status: str = "broken") -> Fake:
    """A module that goes wrong when it is imported."""
    return Fake(name, "", status, reason, module=module)


def told(name: str, reason: str, status: str = "broken", **given: object) -> Fake:
    """A description that is wrong."""
    given = {"framework": "f", "array_types": (), **given}
    return imported(
        name, f"from corearray.plugin import BackendInfo\ninfo = BackendInfo({name!r}, **{given!r})", reason, status
    )


def written(name: str, reason: str, **files: bytes | None) -> Fake:
    """Metadata that is wrong."""
    return Fake(name, "", "broken", reason, **files)


def loaded(name: str, text: str, asked: str) -> Fake:
    """A plugin that is ready until it is loaded."""
    text = f"from corearray.plugin import hookimpl\n{text}"
    return Fake(name, more=f", modules=('fake_{name}_impl',)", loads=text, asked=asked)


def offering(entry: str) -> bytes:
    """Entry points with one line of the group."""
    return b"[corearray.backends]\n" + entry.encode() + b"\n"


RAISING = """from corearray.plugin import BackendInfo
class Info(BackendInfo):
    @property
    def array_types(self): raise RuntimeError('a property')
    @array_types.setter
    def array_types(self, value): pass
info = Info('types_raise', framework='f', array_types=())
"""

RAISING_CLASS = """class Info:
    @property
    def __class__(self): raise RuntimeError('a class')
info = Info()
"""

WRITING = """import os
for fd in range(3, 20):
    try: os.write(fd, b'{"reason": "fake"}\\n{')
    except OSError: pass
"""

MESSAGE = """class Odd(Exception):
    def __str__(self): raise SystemExit
raise Odd
"""

TYPES = b"[corearray.backends]\n{name} = fake_{name}\n[corearray.array_types]\n"

FAKES = [
    # The import ends, hangs or raises.
    imported("import_error", "raise ImportError('no such lib')", "ImportError: no such lib"),
    imported("sys_exit", "raise SystemExit(7)", "SystemExit: 7"),
    imported("os_exit", "import os; os._exit(9)", "it ended the process (exit code 9)"),
    imported("loops", "while True: pass", "it did not finish within"),
    imported(
        "loops_on", "import signal\nsignal.signal(15, signal.SIG_IGN)\nwhile True: pass", "it did not finish within"
    ),
    imported("segfault", "import ctypes; ctypes.string_at(0)", "it ended the process (signal SIGSEGV)"),
    imported("aborts", "import os; os.abort()", "it ended the process (signal SIGABRT)"),
    imported("base_exception", "class Odd(BaseException): pass\nraise Odd('base')", "Odd: base"),
    imported("interrupt", "raise KeyboardInterrupt", "KeyboardInterrupt"),
    imported("cancelled", "import asyncio\nraise asyncio.CancelledError('x')", "CancelledError: x"),
    imported("generator_exit", "raise GeneratorExit", "GeneratorExit"),
    imported("recursion", "def f(): f()\nf()", "RecursionError"),
    imported("syntax", "def f(:\n", "SyntaxError"),
    imported("escapes", "raise ValueError('\\x1b[2J\\x1b]0;title\\x07 \\u202e')", r"\x1b[2J\x1b]0;title\x07 \u202e"),
    imported("long_message", "raise ValueError('x' * 10**7)", "xxx..."),
    imported("bad_message", MESSAGE, "its message raises SystemExit"),
    imported("reads_input", "input()", "EOFError"),
    imported("closes_all", "import os; os.closerange(0, 256)", "cannot be described"),
    imported("absent", "import no_such_module_at_all", "No module named 'no_such_module_at_all'"),
    imported(
        "own_backend",
        "import corearray\ncorearray.get_backend('own_backend')",
        "cannot be described: BackendBrokenError",
    ),
    # The import changes Python, and the description is sound.
    Fake(
        "prints_much", "import sys\nfor _ in range(50): sys.stdout.write('x' * 10**6); sys.stderr.write('y' * 10**6)\n"
    ),
    Fake("threads", "import threading, time\nthreading.Thread(target=time.sleep, args=(1000,)).start()\n"),
    Fake("forks", "import os, time\nif os.fork() == 0: time.sleep(60); os._exit(0)\n"),
    Fake("closes_output", "import os; os.close(1)\n"),
    Fake("writes_answers", WRITING),
    Fake("clears_path", "import sys; sys.path.clear(); sys.modules.pop('corearray.manager', None)\n"),
    Fake("patches", "import corearray, pluggy\ncorearray.add = None; pluggy.PluginManager.register = None\n"),
    Fake("moves", "import os; os.chdir('/')\n"),
    Fake("exits_late", "import atexit, os; atexit.register(os._exit, 3)\n"),
    Fake("handles_signals", "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)\n"),
    Fake("traces", "import sys; sys.settrace(lambda *_: None); sys.excepthook = None\n"),
    # The description is wrong.
    told("types_int", "array_types=(5,)", array_types=(5,)),
    told("types_none", "array_types=None", array_types=None),
    told("types_star", "names the array type '*'", array_types=("*",)),
    told("types_part", "names the array type '*array'", array_types="*array"),
    told("types_python", "array type 'builtins.list'", array_types="builtins.list"),
    imported("types_raise", RAISING, "RuntimeError: a property"),
    imported("class_raises", RAISING_CLASS, "RuntimeError: a class"),
    told("framework_none", "framework=None", framework=None),
    told("framework_empty", "framework=('',)", framework=""),
    told("no_framework", "framework=()", framework=()),
    told("versions_int", "framework_versions=5", framework_versions=5),
    told("core_garbage", "'>>=banana' is no version range", core_versions=">>=banana"),
    told("modules_int", "modules=(3,)", modules=(3,)),
    imported("name_int", INFO.format(name="", more="").replace("''", "3"), "name=3"),
    imported("other_name", INFO.format(name="another", more=""), "it describes a backend 'another'"),
    imported("dictionary", "info = {}", "no BackendInfo named 'info', but dict"),
    Fake("core_newer", "", "core mismatch", "is for corearray >=99", more=", core_versions='>=99'"),
    Fake("too_old", "", "version mismatch", "needs toyframework>=9", more=", framework_versions='>=9'"),
    told("missing", "no distribution 'no-framework' is installed", "framework missing", framework="no-framework"),
    # The metadata is wrong.
    written("no_metadata", "its METADATA is missing or empty", metadata=None),
    written("empty_metadata", "its METADATA is missing or empty", metadata=b""),
    written("binary", "its METADATA is not UTF-8", metadata=b"Metadata-Version: 2.1\nName: \xff\xfe\nVersion: 1.5\n"),
    written("nameless", "its METADATA has no Name", metadata=b"Metadata-Version: 2.1\nVersion: 1.5\n"),
    written("no_version", "its METADATA has no Version", metadata=b"Metadata-Version: 2.1\nName: fake-no-version\n"),
    Fake("odd_version", metadata=b"Metadata-Version: 2.1\nName: fake-odd-version\nVersion: not 1.5 \x1b[2J\n"),
    written(
        "garbage",
        "its entry_points.txt is not UTF-8",
        points=b"corearray.backends\n=\xff\xfe\x00 nonsense\n[[[\n",
        row="fake_garbage",
    ),
    written("no_entry", "names nothing in [corearray.backends]", points=b"[corearray.backends]\n", row="fake_no_entry"),
    written("no_value", "'no_value' has no value", points=offering("no_value")),
    written("empty_value", "'empty_value' has no value", points=offering("empty_value =")),
    written("no_module", "'not a module!', which is no module", points=offering("no_module = not a module!")),
    written("no_name", "has no name", points=offering("= fake_no_name"), row="fake_no_name"),
    written("no_object", "has no attribute 'nowhere'", points=offering("no_object = fake_no_object:nowhere")),
    written("no_such_module", "No module named 'fake_nowhere'", points=offering("no_such_module = fake_nowhere")),
    written(
        "path",
        "'../../evil' (plugin 'fake-path' 1.5) is no valid",
        points=offering("../../evil = fake_path"),
        row="../../evil",
    ),
    written("terminal", r"'\x1b[2Jx' (plugin", points=offering("\x1b[2Jx = fake_terminal"), row=r"\x1b[2Jx"),
    written("all_types", "names the array type '*'", points=TYPES + b"* = fake_all_types\n"),
    written("python_types", "array type 'builtins.int'", points=TYPES + b"builtins.int = fake_python_types\n"),
    # Loading fails.
    loaded("load_exits", "raise SystemExit(4)", "cannot be loaded: SystemExit: 4"),
    loaded("load_base", "class Odd(BaseException): pass\nraise Odd('base')", "cannot be loaded: Odd: base"),
    loaded("load_interrupt", "raise KeyboardInterrupt", "cannot be loaded: KeyboardInterrupt"),
    loaded("load_empty", "", "the hooks 'array_types', 'dtypes', 'set_item' are missing"),
    loaded("load_wrong", "@hookimpl\ndef add(a, b, c): pass\n", "lacks the parameters 'x1', 'x2'"),
    Fake("load_nowhere", more=", modules=('fake_nowhere',)", asked="cannot be loaded: ModuleNotFoundError"),
    # Others claim the same.
    Fake(
        "named",
        "",
        "ready",
        "plugin 'fake-shadow' 1.5 offers a backend 'named' too; 'corearray-named' is used",
        metadata=b"Metadata-Version: 2.1\nName: corearray-named\nVersion: 1.5\n",
    ),
    Fake("shadow", points=offering("named = fake_shadow"), row="named"),
    Fake(
        "twin_one",
        points=offering("twins = fake_twin_one"),
        row="twins",
        status="conflict",
        reason="'fake-twin_one' 1.5 and 'fake-twin_two' 1.5 both offer a backend 'twins'",
    ),
    Fake("twin_two", points=offering("twins = fake_twin_two"), row="twins", status="conflict"),
    Fake(
        "steals",
        "",
        "ready",
        "'steals' (plugin 'fake-steals' 1.5) claim the array types 'toy_good.functions.ToyArray'; 'good' computes",
        points=TYPES + b"toy_good.functions.ToyArray = fake_steals\n",
    ),
]

#: Distributions whose metadata gives another name, or none.
ODD = {"named", "binary", "no_version", "odd_version"}

#: Backends whose code ends the process or changes it for good, which a program that asks for them has asked for.
NOT_ASKED = {
    "os_exit", "loops", "loops_on", "segfault", "aborts", "closes_all", "reads_input", "prints_much", "threads", "forks",
    "closes_output", "writes_answers", "clears_path", "patches", "moves", "exits_late", "handles_signals", "traces", "terminal",
}  # fmt: skip


@pytest.fixture(scope="module")
def isolated(tmp_path_factory):
    return Isolated(make_site(tmp_path_factory.mktemp("site")))


@pytest.fixture(scope="module")
def fakes(tmp_path_factory):
    site = tmp_path_factory.mktemp("fakes")
    for fake in FAKES:
        fake.write(site)
    return site


def run(isolated, fakes, program, **variables):
    program = f"import sys; sys.path.insert(0, {str(fakes)!r})\n{textwrap.dedent(program)}"
    done = isolated.python("-c", program, distributions=("framework", "good"), **variables)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1]), done


LISTS = """
    import json
    import corearray as ca
    from corearray.manager import manager
    from toy_good.functions import ToyArray

    class Foo: pass

    def refused(call, *args):
        try: call(*args)
        except ca.CoreArrayError as error: return f"{type(error).__name__}: {error}"

    x = ToyArray([1.0, 2.0], "float32")
    found = {"inferred": [ca.add(x, x).tolist(), ca.current_backend(x).name]}
    found |= {"unknown type": refused(ca.add, Foo(), 1.0), "typo": refused(ca.get_backend, "zzqqzz")}
    found["rows"] = [row.as_dict() for row in manager.statuses(8.0)]
    found["after"] = [ca.add(x, x).tolist(), ca.get_backend("good").name]
    found["imported"] = [name for name in sys.modules if name.startswith("fake_")]
    print(json.dumps(found))
"""


def test_each_distribution_is_a_row_with_its_reason_and_hurts_nothing(isolated, fakes):
    assert len(FAKES) >= 60
    found, done = run(isolated, fakes, LISTS)
    assert done.stderr == ""
    assert found["imported"] == []
    assert found["unknown type"].startswith("CoreArrayTypeError: ")
    assert found["typo"].startswith("BackendNotFoundError: there is no backend 'zzqqzz'; installed are ")
    assert found["inferred"] == [[2.0, 4.0], "good"]
    assert found["after"] == [[2.0, 4.0], "good"]
    rows = {row["name"]: row for row in found["rows"]}
    assert len(rows) == len(found["rows"])
    assert rows.keys() == {fake.row or fake.name for fake in FAKES} | {"good"}
    assert rows["good"]["status"] == "ready"
    for fake in FAKES:
        row = rows[fake.row or fake.name]
        assert row["status"] == fake.status, row
        assert fake.reason in row["reason"], row
        assert len(row["reason"]) < 2500, fake.name
        if row["reason"]:
            assert re.search(rf"'fake[-_]{fake.name}' 1\.5", row["reason"]) or fake.name in ODD, row
        assert all(text.isprintable() for text in row.values() if isinstance(text, str)), fake.name


ASKS = """
    import json
    import corearray as ca

    found = {}
    for name in json.loads(sys.argv[1]):
        texts = []
        for _ in range(2):
            try: texts.append(repr(ca.set_backend(name)))
            except ca.CoreArrayError as error: texts.append(str(error))
        found[name] = texts
    found["left"] = [ca.get_backend("good").name, ca.previous_backend()]
    print(json.dumps(found))
"""


def test_a_backend_that_is_asked_for_says_why_it_cannot_be_used(isolated, fakes):
    asked = [fake for fake in FAKES if (fake.asked or fake.status != "ready") and fake.name not in NOT_ASKED]
    names = sorted({fake.row or fake.name for fake in asked})
    program = ASKS.replace("json.loads(sys.argv[1])", repr(names))
    found, _ = run(isolated, fakes, program)
    assert found["left"] == ["good", None]
    for fake in asked:
        first, second = found[fake.row or fake.name]
        assert first == second, fake.name
        assert first.startswith(f"backend '{fake.row or fake.name}' cannot be used ("), fake.name
        if fake.name != "own_backend":  # where the process that asks knows the backend
            assert (fake.asked or fake.reason) in first, fake.name


def test_ctrl_c_passes_through_the_import_of_a_plugin(isolated, fakes, tmp_path):
    """And only Ctrl-C: the second try finds the plugin as if there had been no first one."""
    site = tmp_path / "site"
    site.mkdir()
    pressed = tmp_path / "pressed"
    program = """
    import json
    import corearray as ca
    try: ca.set_backend("pressed")
    except KeyboardInterrupt: found = ["passed"]
    try: ca.set_backend("pressed")
    except ca.CoreArrayError as error: found.append(str(error))
    print(json.dumps(found))
    """
    text = f"""import os, pathlib, signal
place = pathlib.Path({str(pressed)!r})
if not place.exists():
    place.touch()
    os.kill(os.getpid(), signal.SIGINT)
"""
    Fake("pressed", module=text + INFO.format(name="pressed", more="")).write(site)
    found, _ = run(isolated, site, program)
    assert found[0] == "passed"
    assert "the hooks 'array_types', 'dtypes', 'set_item' are missing" in found[1]


def test_arrays_of_a_claimed_type_go_to_the_first_by_rule_and_to_the_backend_in_force(toy):
    """Loading the second one first changes nothing."""
    first = toy("alpha")
    second = fake_frameworks.ToyPlugin("beta", first.array)
    manager.register(second)
    try:
        beta, x = ca.get_backend("beta"), first.array([1.0, 2.0], "float32")
        assert ca.current_backend(x).name == "alpha"
        assert beta.add(x, x).backend is beta
        with ca.backend_context("beta"):
            assert ca.current_backend(x) is beta
            assert ca.add(x, x).backend is beta
            assert ca.current_backend([x, x]) is beta
        assert ca.add(x, x).backend.name == "alpha"
        reasons = {row.name: row.reason for row in ca.list_backends() if row.name in ("alpha", "beta")}
        assert reasons["alpha"] == reasons["beta"]
        assert (
            "claim the array types 'alpha_framework.AlphaArray'; 'alpha' computes with them where no" in reasons["beta"]
        )
    finally:
        manager.unregister("beta")
    assert ca.add(x, x).backend.name == "alpha"


@pytest.mark.parametrize(
    ("claims", "winner"),
    [
        ([("numpy", "corearray-numpy", "corearray_numpy", 9.0), ("aaa", "aaa", "aaa", 1.0)], "numpy"),
        ([("numpy", "stranger", "stranger", 1.0), ("lib", "lib", "lib.arrays", 9.0)], "lib"),
        ([("one", "corearray-one", "one", 2.0), ("two", "two", "two", 1.0)], "two"),
        ([("one", "one", "", 0.0), ("two", "two", "two", 1.0)], "two"),
        ([("two", "two", "", 0.0), ("one", "one", "", 0.0)], "two"),
    ],
    ids=["of corearray", "of the library", "installed first", "installed", "registered first"],
)
def test_precedence(claims, winner):
    records = [Record(name, plugin, "1", dict, entry, ("lib.Array",), time) for name, plugin, entry, time in claims]
    for order in (records, records[::-1]) if claims[0][2] else (records,):
        assert by_rule(order, {"lib"})[0].name == winner


def test_descriptions_are_copied_and_checked():
    info = checked_info(BackendInfo("x", framework="f", array_types="lib.Array", modules="m"))
    assert (info.framework, info.array_types, info.modules) == (("f",), ("lib.Array",), ("m",))
    with pytest.raises(ca.CoreArrayError, match="give a tuple of strings"):
        checked_info(BackendInfo("x", framework="f", array_types={"a": 1}))


def test_no_child_outlives_the_list(isolated, fakes):
    """Plugins that hang, fork or ignore signals are gone when the list is there."""
    done = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True)
    if done.returncode:
        pytest.skip("there is no ps")
    assert str(fakes) not in done.stdout
    assert signal.getsignal(signal.SIGINT) is not signal.SIG_IGN
