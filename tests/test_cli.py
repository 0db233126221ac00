"""The command line, in a Python that finds fake plugins only."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from corearray.backends.installing import install_hint
from corearray.cli import main
from corearray.commands.backends import DEPENDENCIES
from corearray.commands.run_all import deviation
from corearray.commands.survey import KEYS
from corearray.commands.text import table
from corearray.contract.declaration import DECLARATIONS

sys.path.insert(0, str(Path(__file__).parent))

from isolated import Isolated, make_site

READY = ("framework", "good", "other")


@pytest.fixture(scope="module")
def isolated(tmp_path_factory):
    return Isolated(make_site(tmp_path_factory.mktemp("site")))


@pytest.fixture
def script(tmp_path):
    def write(text: str, name: str = "script.py") -> str:
        path = tmp_path / name
        path.write_text(text)
        return str(path)

    return write


def rows(done):
    return {row["name"]: row for row in json.loads(done.stdout)}


# --- list-backends


def test_nothing_installed_says_what_to_install(isolated):
    done = isolated.corearray("list-backends", "--check")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.strip() == f"no backend is installed; {install_hint('')}"
    assert "'numpy'" in done.stdout
    assert isolated.corearray("list-backends", "--json").stdout.strip() == "[]"


def test_one_row_a_backend(isolated):
    done = isolated.corearray("list-backends", distributions=(*READY, "framework_too_old"))
    assert (done.returncode, done.stderr) == (0, "")
    header, *lines = [re.split(r"  +", line) for line in done.stdout.splitlines()]
    assert header == ["backend", "status", "plugin", "framework", "requires", "reason"]
    reason = (
        "plugin 'toy-framework-too-old' 1.0 needs toyframework>=3,<4, installed is 2.0.1+local; install a matching one"
    )
    reason += " with: pip install 'toyframework>=3,<4'"
    framework = "toyframework 2.0.1+local"
    conflict = (
        "conflict: 'good' (plugin 'toy-good' 1.2) and 'other' (plugin 'toy-other' 0.3) claim the array types "
        "'toy_good.functions.ToyArray'; 'good' computes with them where no backend is set"
    )
    assert lines == [
        ["framework_too_old", "version mismatch", "toy-framework-too-old 1.0", framework, ">=3,<4", reason],
        ["good", "ready", "toy-good 1.2", framework, ">=2,<3", conflict],
        ["other", "ready", "toy-other 0.3", framework, "-", conflict],
    ]


def test_json_has_the_keys_that_it_promises(isolated):
    (row,) = json.loads(isolated.corearray("list-backends", "--json", distributions=("framework", "good")).stdout)
    assert row == {
        "name": "good",
        "status": "ready",
        "plugin": "toy-good",
        "plugin_version": "1.2",
        "framework": "toyframework",
        "framework_version": "2.0.1+local",
        "requires": ">=2,<3",
        "native": None,
        "composed": None,
        "missing": None,
        "reason": "",
    }
    assert tuple(row) == KEYS


#: What becomes of each fake plugin: its folders, its name, its status and a part of the reason.
STATUSES = [
    (("raises",), "raises", "broken", "ValueError: the light module is not so light"),
    (("quits",), "quits", "broken", "SystemExit: a plugin that calls sys.exit"),
    (("exits",), "exits", "broken", "'toy-exits' 1.0 cannot be described: it ended the process (exit code 3)"),
    (("crashes",), "crashes", "broken", "it ended the process (signal SIGKILL)"),
    (("no_info",), "no_info", "broken", "its module has no BackendInfo named 'info', but dict"),
    (("wrong_name",), "wrong_name", "broken", "it describes a backend 'another_name'"),
    (
        ("invalid_name",),
        "Not-A-Name",
        "broken",
        "'Not-A-Name' (plugin 'toy-invalid-name' 1.0) is no valid backend name",
    ),
    (("bad_range",), "bad_range", "broken", "'newer than 2' is no version range"),
    (("core_mismatch",), "core_mismatch", "core mismatch", "is for corearray >=99"),
    (("framework_too_old",), "framework_too_old", "version mismatch", "needs toyframework>=3,<4"),
    (("framework_missing",), "framework_missing", "framework missing", "pip install 'no-such-framework>=1.5'"),
    (
        ("duplicate_one", "duplicate_two"),
        "duplicate",
        "conflict",
        "'toy-duplicate-one' 1.0 and 'toy-duplicate-two' 2.0 both",
    ),
]


def test_each_wrong_plugin_is_a_row_with_its_reason_and_hurts_no_other(isolated):
    folders = [folder for case in STATUSES for folder in case[0]]
    done = isolated.corearray("list-backends", "--json", "--check", distributions=(*READY, *folders))
    assert (done.returncode, done.stderr) == (1, "")
    found = rows(done)
    assert {name: found[name]["status"] for _, name, _, _ in STATUSES} == {name: s for _, name, s, _ in STATUSES}
    for _, name, _, reason in STATUSES:
        assert reason in found[name]["reason"], name
    assert found["good"]["status"] == found["other"]["status"] == "ready"


#: What becomes of each plugin that is ready until it is loaded, and a part of the reason.
LOADED = {
    "exits_on_load": "plugin 'toy-exits-on-load' 1.0 cannot be loaded: it ended the process (exit code 7)",
    "fails_to_load": "ImportError: libtoy.so: cannot open shared object file",
    "hangs_on_load": "plugin 'toy-hangs-on-load' 1.0 cannot be loaded: it did not finish within 3 s",
    "missing_hooks": "plugin 'toy-missing-hooks' 1.0 is not valid: the hooks 'array_types', 'dtypes', 'set_item' are missing",
    "newer_hooks": "newer_hooks.functions.memory_layout' implements the hook 'memory_layout', which this core does not have",
    "wrong_signature": "'toy_wrong_signature.functions.sin' has the parameters 'fast', which 'sin' does not declare",
}


def test_each_plugin_that_is_wrong_when_it_is_loaded_is_a_row_with_its_reason_and_hurts_no_other(isolated):
    done = isolated.corearray("list-backends", "--load", "--json", "--timeout", "3", distributions=(*READY, *LOADED))
    found = rows(done)
    assert {name: found[name]["status"] for name in (*LOADED, "good", "other")} == {
        **dict.fromkeys(LOADED, "broken"),
        "good": "ready",
        "other": "ready",
    }
    for name, reason in LOADED.items():
        assert reason in found[name]["reason"], name
        assert found[name]["native"] is None
    assert found["good"]["native"] == 6


def test_plugins_that_misbehave_hurt_no_program_that_uses_another(isolated, script):
    """In the process of the program itself, where nothing of theirs is run as long as nobody asks for it."""
    folders = [folder for case in STATUSES for folder in case[0]]
    path = script("import corearray as ca; print(ca.get_backend('good').name, ca.zeros(2).tolist())")
    done = isolated.corearray(
        "run", path, "--backend", "good", distributions=(*READY, *folders, *LOADED, "hangs"), COREARRAY_BACKEND="other"
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "good [0.0, 0.0]\n", "")


def test_a_plugin_that_hangs_is_given_up(isolated):
    start = time.monotonic()
    done = isolated.corearray(
        "list-backends", "--json", "--timeout", "1", distributions=("framework", "good", "hangs", "other")
    )
    assert time.monotonic() - start < 30
    found = rows(done)
    assert found["hangs"]["status"] == "broken"
    assert found["hangs"]["reason"] == "plugin 'toy-hangs' 1.0 cannot be described: it did not finish within 1 s"
    assert found["good"]["status"] == found["other"]["status"] == "ready"


def test_time_without_end(isolated):
    done = isolated.corearray("list-backends", "--timeout", "inf", distributions=READY)
    assert (done.returncode, done.stderr) == (0, "")


def test_disabled_backends_are_named_and_not_described(isolated):
    done = isolated.corearray(
        "list-backends", "--json", distributions=(*READY, "exits"), COREARRAY_LOAD_BACKENDS="good, other"
    )
    found = rows(done)
    assert found["exits"]["status"] == "disabled"
    assert found["exits"]["reason"] == "COREARRAY_LOAD_BACKENDS=good, other leaves out plugin 'toy-exits' 1.0"
    assert found["other"]["status"] == "ready"


def test_check_is_content_with_ready_ones(isolated):
    assert isolated.corearray("list-backends", "--check", distributions=READY).returncode == 0
    assert isolated.corearray("list-backends", "--check", distributions=(*READY, "raises")).returncode == 1
    assert isolated.corearray("list-backends", distributions=(*READY, "raises")).returncode == 0


def test_load_counts_functions_and_shows_diagnostics(isolated):
    folders = (*READY, "fails_to_load", "exits_on_load", "not_valid")
    found = rows(isolated.corearray("list-backends", "--load", "--json", distributions=folders))
    good = found["good"]
    assert good["status"] == "ready"
    assert good["native"] == 6
    assert good["composed"] > 0
    assert good["native"] + good["composed"] + good["missing"] == len(DECLARATIONS)
    assert found["fails_to_load"]["status"] == "broken"
    assert "ImportError: libtoy.so: cannot open shared object file" in found["fails_to_load"]["reason"]
    assert (
        "'toy-exits-on-load' 1.0 cannot be loaded: it ended the process (exit code 7)"
        in found["exits_on_load"]["reason"]
    )
    assert found["exits_on_load"]["native"] is None
    text = isolated.corearray("list-backends", "--load", distributions=READY).stdout
    assert re.search(r"^backend .* native  composed  missing  reason$", text, re.MULTILINE)
    assert "good: switches: none at all" in text
    assert re.search(r"^good: missing functions: .*'?cos", text, re.MULTILINE)


def test_load_tells_every_breach_of_the_contract(isolated):
    done = isolated.corearray("list-backends", "--load", "--json", distributions=("framework", "not_valid"))
    reason = rows(done)["not_valid"]["reason"]
    for part in (
        "functions.no_such_function' implements the hook 'no_such_function', which this core does not have",
        "'toy_not_valid.functions.add' lacks the parameters 'x2'",
        "'toy_not_valid.functions.sin' has the parameters 'fast', which 'sin' does not declare",
        "both implement 'cos' for version 2.0.1+local; make their ranges disjoint",
        "'about 2' is no version range",
        "'toy_not_valid.functions.exp' is marked as a hookimpl and is no Python function",
        "'array_types', ",
    ):
        assert part in reason


def test_output_survives_a_pipe_that_is_closed(isolated):
    with isolated.start("-m", "corearray", "list-backends", distributions=READY) as process:
        process.stdout.close()
        assert process.wait(60) in (0, 1)
        assert process.stderr.read() == ""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no device that is always full")
@pytest.mark.parametrize("arguments", [["list-backends"], ["info", "--json"], ["list-functions"]])
def test_output_that_cannot_be_written_is_told(isolated, arguments):
    program = "import os, sys; os.dup2(os.open('/dev/full', os.O_WRONLY), 1); from corearray.cli import main; sys.exit(main())"
    done = isolated.python("-c", program, *arguments, distributions=READY)
    assert done.returncode == 2
    assert done.stderr.startswith("corearray: ") and "No space left" in done.stderr and "Traceback" not in done.stderr


# --- info


def test_info(isolated):
    done = isolated.corearray("info", "--json", distributions=READY, COREARRAY_BACKEND="good")
    told = json.loads(done.stdout)
    about = ["corearray", "location", "accelerator", "python", "platform"]
    assert list(told) == [*about, "dependencies", "environment", "backends"]
    assert told["environment"] == {"COREARRAY_BACKEND": "good"}
    assert [row["name"] for row in told["backends"]] == ["good", "other"]
    text = isolated.corearray("info", distributions=READY, COREARRAY_BACKEND="good").stdout
    for name in (*about, *DEPENDENCIES, "COREARRAY_BACKEND"):
        assert re.search(rf"^{name}  +\S", text, re.MULTILINE), name
    assert "toy-good 1.2" in text


def test_info_knows_the_dependencies_of_the_core():
    import importlib_metadata

    wanted = [text for text in importlib_metadata.requires("corearray") or () if "extra ==" not in text]
    assert sorted(re.split(r"[^\w-]", text)[0] for text in wanted) == sorted(DEPENDENCIES)


# --- run


def test_run_is_like_python_with_a_backend_in_force(isolated, script, tmp_path):
    script("VALUE = 3", "neighbour.py")
    path = script(
        """
import sys, os, threading
import corearray as ca
import neighbour
print(__name__, sys.argv[1:], neighbour.VALUE, __file__ == sys.argv[0])
print(ca.get_backend().name, os.environ.get("COREARRAY_BACKEND"), ca.zeros(2).tolist())
thread = threading.Thread(target=lambda: print(ca.current_backend().name))
thread.start()
thread.join()
print(ca.previous_backend().name, ca.previous_backend())
"""
    )
    for arguments in (
        ["--backend", "good", path, "a", "--flag", "-v", "b"],
        [path, "--backend=good", "a", "--flag", "-v", "b"],
        [path, "a", "--flag", "--backend", "good", "-v", "b"],
    ):
        done = isolated.corearray("run", *arguments, distributions=READY, COREARRAY_BACKEND="other")
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout.splitlines() == [
            "__main__ ['a', '--flag', '-v', 'b'] 3 True",
            "good good [0.0, 0.0]",
            "good",
            "good None",
        ]


def test_run_passes_everything_behind_two_dashes(isolated, script):
    path = script("import sys; print(sys.argv[1:])")
    done = isolated.corearray("run", path, "a", "--", "--backend", "x", "--all", "--", "b", distributions=READY)
    assert done.stdout.strip() == "['a', '--backend', 'x', '--all', '--', 'b']"


def test_run_without_a_backend_does_as_the_settings_say(isolated, script):
    path = script("import corearray as ca; print(ca.get_backend().name)")
    assert isolated.corearray("run", path, distributions=READY, COREARRAY_BACKEND="other").stdout.endswith("other\n")
    done = isolated.corearray("run", path, distributions=READY, COREARRAY_BACKEND="absent")
    assert done.returncode == 2
    assert done.stderr.startswith(
        "corearray: there is no backend 'absent'; installed are 'good', 'other'; install one with"
    )


def test_run_runs_a_folder(isolated, script, tmp_path):
    script("import neighbour, sys; print(neighbour.VALUE, sys.argv[1:])", "__main__.py")
    script("VALUE = 3", "neighbour.py")
    done = isolated.corearray("run", str(tmp_path), "a", distributions=READY)
    assert (done.returncode, done.stdout) == (0, "3 ['a']\n")


def test_run_of_an_unknown_backend(isolated, script):
    done = isolated.corearray("run", script(""), "--backend", "absent", distributions=(*READY, "framework_too_old"))
    assert done.returncode == 2
    assert done.stderr == (
        "corearray: there is no backend 'absent'; installed are 'framework_too_old', 'good', 'other'; "
        f"{install_hint('absent')}\n"
    )
    assert "Traceback" not in done.stderr


def test_run_of_a_backend_that_is_not_ready(isolated, script):
    done = isolated.corearray("run", script(""), "--backend", "raises", distributions=("raises",))
    assert done.returncode == 2
    assert done.stderr == (
        "corearray: backend 'raises' cannot be used (broken): plugin 'toy-raises' 1.0 cannot be described: "
        "ValueError: the light module is not so light\n"
    )


@pytest.mark.parametrize("options", [[], ["--all"]])
def test_run_of_no_script(isolated, tmp_path, options):
    done = isolated.corearray("run", *options, "nothing.py", distributions=READY, cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr == f"corearray: cannot run 'nothing.py': there is no such file in '{tmp_path}'\n"
    done = isolated.corearray("run", *options, str(tmp_path), distributions=READY)
    assert done.returncode == 2
    assert "it is a folder without a '__main__.py'" in done.stderr
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    done = isolated.corearray("run", *options, str(pipe), distributions=READY)
    assert done.returncode == 2
    assert done.stderr == f"corearray: cannot run '{pipe}': it is a pipe or a device; give a Python file\n"


def test_run_shows_the_traceback_of_the_script_alone(isolated, script):
    path = script("import corearray\n\ndef work():\n    raise ValueError('not today')\n\nwork()\n")
    done = isolated.corearray("run", path, "--backend", "good", distributions=READY)
    assert done.returncode == 1
    lines = done.stderr.splitlines()
    assert lines[0] == "Traceback (most recent call last):"
    assert lines[1].startswith(f'  File "{path}", line 6, in <module>')
    assert lines[-1] == "ValueError: not today"
    assert "runpy" not in done.stderr
    broken = isolated.corearray("run", script("def\n"), distributions=READY)
    assert broken.returncode == 1
    assert "SyntaxError: invalid syntax" in broken.stderr
    assert "runpy" not in broken.stderr


@pytest.mark.parametrize(
    ("argument", "code", "said"), [("", 0, ""), ("0", 0, ""), ("5", 5, ""), ("'so it ends'", 1, "so it ends\n")]
)
def test_run_passes_the_exit_code_on(isolated, script, argument, code, said):
    done = isolated.corearray("run", script(f"import sys; sys.exit({argument})"), distributions=READY)
    assert (done.returncode, done.stderr) == (code, said)


def test_main_in_this_process_leaves_it_as_it_was(script, capsys):
    argv, folders, environment = list(sys.argv), list(sys.path), dict(os.environ)
    path = script("import sys, corearray as ca; print(ca.get_backend().name); sys.exit(4)")
    assert main(["run", path, "--backend", "numpy"]) == 4
    assert capsys.readouterr().out == "numpy\n"
    assert (sys.argv, sys.path, dict(os.environ)) == (argv, folders, environment)


def test_wrong_arguments(isolated, script):
    for arguments, said in (
        ([], "the following arguments are required: COMMAND"),
        (["frobnicate"], "invalid choice: 'frobnicate'"),
        (["run"], "the following arguments are required: SCRIPT\n"),
        (["run", "--all", "--backend", "good", "x.py"], "--backend and --all exclude each other"),
        (["run", "x.py", "--all", "--backend", "good"], "--backend and --all exclude each other"),
        (["run", "--draw", "x.svg", "x.py"], "--draw needs --all"),
        (["run", "x.py", "--all", "--draw"], "--draw needs a file"),
        (["run", "x.py", "--backend"], "--backend needs a name"),
        (["list-backends", "--timeout", "0"], "0 is not a time greater than 0"),
    ):
        done = isolated.corearray(*arguments)
        assert done.returncode == 2
        assert said in done.stderr
        assert "Traceback" not in done.stderr


# --- run --all

COMPARED = """
import sys
import corearray as ca
name = ca.get_backend().name
print("printed on", name, sys.argv[1:])
result = {
    "accuracy": 0.9375 if name == "good" else 0.96875,
    "loss": [ca.zeros(2), (1.0, 2.5 if name == "good" else 2.0)],
    "title": name,
}
"""


def test_all_compares_the_ready_backends(isolated, script):
    done = isolated.corearray("run", script(COMPARED), "--all", "a", distributions=(*READY, "framework_missing"))
    assert done.returncode == 0
    lines = [line.split() for line in done.stdout.splitlines()]
    assert lines[0] == ["backend", "status", "accuracy", "seconds", "deviation", "reason"]
    assert [line[:3] for line in lines[1:3]] == [["good", "ok", "0.9375"], ["other", "ok", "0.9688"]]
    assert [line[4] for line in lines[1:3]] == ["0", "0.5"]
    assert all(0 <= float(line[3]) < 60 for line in lines[1:3])
    assert done.stdout.endswith("deviation: greatest absolute difference of a figure from that on good\n")
    said = re.sub(r"\d+\.\d+ s", "T s", done.stderr).splitlines()
    assert said[0].startswith("left out: framework_missing (framework missing: plugin 'toy-framework-missing' 1.0")
    assert said[1:] == ["[1/2] good ...", "[1/2] good ok after T s", "[2/2] other ...", "[2/2] other ok after T s"]


def test_all_shows_what_a_script_prints_when_asked(isolated, script):
    done = isolated.corearray("run", "--all", "-v", script(COMPARED), "x", distributions=READY)
    assert "    printed on good ['x']\n" in done.stderr
    assert (
        "    printed on other ['x']\n"
        in isolated.corearray("run", script(COMPARED), "--all", "x", "-v", distributions=READY).stderr
    )


def test_all_draws_the_losses_of_every_backend(isolated, script, tmp_path):
    path, picture = script("result = {'losses': [3.0, 2.0, 1.5]}"), tmp_path / "loss.svg"
    done = isolated.corearray("run", path, "--all", "--draw", str(picture), distributions=READY)
    assert done.returncode == 0 and f"wrote {picture}: losses on good, other" in done.stderr
    text = picture.read_text()
    assert text.count("<polyline") == 2 and ">good</text>" in text and ">other</text>" in text
    done = isolated.corearray("run", "--all", f"--draw={picture}", script("x = 1"), distributions=READY)
    assert done.returncode == 0 and "no picture: " in done.stderr


def test_all_goes_on_behind_a_failure_and_says_why(isolated, script):
    path = script(
        """
import corearray as ca
if ca.get_backend().name == "good":
    print("before it fails")
    raise ValueError("only here")
result = {"accuracy": 1.0}
"""
    )
    done = isolated.corearray("run", path, "--all", distributions=READY)
    assert done.returncode == 1
    lines = done.stdout.splitlines()
    assert re.fullmatch(r"good +failed +- +\d+\.\d\d +- +ValueError: only here", lines[1])
    assert re.fullmatch(r"other +ok +1\.0000 +\d+\.\d\d +0", lines[2])
    assert "    before it fails\n    Traceback (most recent call last):\n" in done.stderr
    assert "runpy" not in done.stderr


def test_all_tells_a_backend_that_lacks_a_function_from_a_failure(isolated, script):
    path = script(
        """
import corearray as ca
if ca.get_backend().name == "good":
    raise ca.FunctionNotImplementedError("no derivatives here")
result = {"value": 1.0}
"""
    )
    done = isolated.corearray("run", path, "--all", distributions=READY)
    assert done.returncode == 0 and "Traceback" not in done.stderr
    lines = done.stdout.splitlines()
    assert re.fullmatch(r"good +missing +- +\d+\.\d\d +- +FunctionNotImplementedError: no derivatives here", lines[1])
    assert re.fullmatch(r"other +ok +- +\d+\.\d\d +0", lines[2])
    nowhere = script("import corearray as ca; raise ca.FunctionNotImplementedError('nowhere')", "nowhere.py")
    assert isolated.corearray("run", nowhere, "--all", distributions=READY).returncode == 1


def test_all_knows_crashes_exits_and_backends_that_fail_to_load(isolated, script):
    path = script(
        """
import os, sys
import corearray as ca
name = ca.get_backend().name
if name == "good":
    os.abort()
result = {"value": 1.0}
sys.exit(None if name == "other" else 3)
"""
    )
    done = isolated.corearray("run", path, "--all", distributions=(*READY, "fails_to_load"))
    assert done.returncode == 1
    table = {line.split()[0]: line for line in done.stdout.splitlines()}
    assert re.search(r"failed .* signal SIGABRT$", table["good"])
    assert re.search(
        r"failed .* backend 'fails_to_load' cannot be used \(broken\): .*ImportError", table["fails_to_load"]
    )
    assert re.fullmatch(r"other +ok +- +\d+\.\d\d +0", table["other"])
    ends = script("import sys, corearray as ca; sys.exit(3)", "ends.py")
    assert isolated.corearray("run", ends, "--all", distributions=READY).stdout.count("exit code 3") == 2


def test_all_without_results_leaves_the_columns_empty(isolated, script):
    done = isolated.corearray("run", script("x = 1"), "--all", distributions=READY)
    assert done.returncode == 0
    assert [re.sub(r"\d+\.\d\d", "T", line).split() for line in done.stdout.splitlines()[1:]] == [
        ["good", "ok", "-", "T", "-"],
        ["other", "ok", "-", "T", "-"],
    ]


def test_all_without_a_ready_backend(isolated, script):
    done = isolated.corearray("run", script(""), "--all", distributions=("raises",))
    assert done.returncode == 2
    assert (
        "corearray: cannot run on all backends, none is ready: see 'corearray list-backends', or install" in done.stderr
    )


@pytest.mark.parametrize(
    ("number", "code", "said"), [(signal.SIGINT, 130, ["interrupted"]), (signal.SIGTERM, 143, [])], ids=["INT", "TERM"]
)
def test_a_signal_stops_the_child(isolated, script, tmp_path, number, code, said):
    path = script(
        f"""
import os, pathlib, time
pathlib.Path({str(tmp_path / "child")!r}).write_text(str(os.getpid()))
time.sleep(600)
"""
    )
    with isolated.start("-m", "corearray", "run", path, "--all", distributions=READY) as process:
        child = wait_for(tmp_path / "child")
        process.send_signal(number)
        output, errors = process.communicate(timeout=60)
    assert process.returncode == code
    assert output == ""
    assert errors.splitlines() == ["[1/2] good ...", *said]
    assert not alive(child)


def test_ctrl_c_in_one_script(isolated, script, tmp_path):
    path = script(f"import time, pathlib; pathlib.Path({str(tmp_path / 'up')!r}).write_text('1'); time.sleep(600)")
    with isolated.start("-m", "corearray", "run", path, distributions=READY) as process:
        wait_for(tmp_path / "up")
        process.send_signal(signal.SIGINT)
        assert process.communicate(timeout=60) == ("", "interrupted\n")
    assert process.returncode == 130


def test_ctrl_c_while_a_plugin_hangs(isolated, tmp_path):
    marker = tmp_path / "up"
    with isolated.start("-m", "corearray", "list-backends", distributions=("hangs",), TOY_HANGS=str(marker)) as process:
        child = wait_for(marker)
        process.send_signal(signal.SIGINT)
        assert process.communicate(timeout=60) == ("", "interrupted\n")
    assert process.returncode == 130
    assert not alive(child)


def wait_for(path: Path) -> int:
    """Wait for a file with a number."""
    for _ in range(600):
        if path.exists() and path.read_text():
            return int(path.read_text())
        time.sleep(0.1)
    raise AssertionError(f"{path} was never written")


def alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


# --- the parts


def test_deviation():
    nan, inf = float("nan"), float("inf")
    assert deviation({"a": [1.0, {"b": 2.0}]}, {"a": [1.5, {"b": 1.0}]}) == 1.0
    assert deviation([nan, inf, None, 3], [nan, inf, None, 3.0]) == 0.0
    for other in ([nan], [1.0, 1.0], {"a": 1.0}, [None], [inf], 1.0):
        assert deviation([1.0], other) == inf


def test_table_has_no_empty_cells_to_trip_over():
    assert table(["a", "b", "c"], [["1", "", "x\ny"], ["", "22", ""]]) == "a  b   c\n1  -   x y\n-  22"


def test_help_names_every_command():
    done = subprocess.run([sys.executable, "-m", "corearray", "--help"], capture_output=True, text=True, check=True)
    for command in ("list-backends", "list-functions", "info", "run"):
        assert re.search(rf"^ +{command}\b", done.stdout, re.MULTILINE)
