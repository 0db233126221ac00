"""Files: written whole or not at all; what is broken or hostile is one error with the path, and runs nothing."""

from __future__ import annotations

import hashlib
import io
import json
import os
import pickle
import random
import re
import resource
import signal
import stat
import zipfile
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import corearray as ca
from corearray.files import written_at_once


class Hostile:
    """An object whose pickle creates a file when it is read."""

    def __init__(self, proof):
        self.proof = proof

    def __reduce__(self):
        return os.mkdir, (str(self.proof),)


def headed(shape, content=b"", descr="<f8"):
    """Return a .npy file whose header states a shape."""
    file = io.BytesIO()
    np.lib.format.write_array_header_1_0(file, {"descr": descr, "fortran_order": False, "shape": shape})
    return file.getvalue() + content


def refused(path, load=ca.load):
    with pytest.raises(ca.FileFormatError) as caught:
        load(path)
    assert str(path) in str(caught.value)
    return str(caught.value)


# --- writing


def test_a_file_is_written_at_once_or_not_at_all(tmp_path):
    path = tmp_path / "x.bin"
    for old in (None, b"old"):
        with pytest.raises(KeyboardInterrupt), written_at_once(path) as file:
            file.write(b"half")
            raise KeyboardInterrupt
        assert (path.read_bytes() if path.exists() else None) == old
        assert len(list(tmp_path.iterdir())) == (old is not None)
        path.write_bytes(b"old")
    with written_at_once(str(path)) as file:
        file.write(b"new")
        assert path.read_bytes() == b"old"
    assert path.read_bytes() == b"new"


def test_permissions_and_links_are_kept(tmp_path):
    path, link = tmp_path / "x.bin", tmp_path / "link"
    with written_at_once(path) as file:
        file.write(b"1")
    (tmp_path / "plain").touch()
    assert path.stat().st_mode == (tmp_path / "plain").stat().st_mode
    path.chmod(0o640)
    link.symlink_to(path)
    with written_at_once(link) as file:
        file.write(b"2")
    assert link.is_symlink() and path.read_bytes() == b"2" and stat.S_IMODE(path.stat().st_mode) == 0o640


def test_what_is_no_regular_file_is_written_directly():
    with written_at_once("/dev/null") as file:
        file.write(b"x")
    assert not Path("/dev/null").is_file()


def savers():
    graph = ca.compile_graph(lambda x: x * ca.asarray(np.arange(1000.0)), ca.zeros(1000, dtype="float64"))
    big = ca.ones((100, 100))
    return {
        "w.npz": lambda path: ca.save(ca.Container(a=big), path),
        "w.npy": lambda path: ca.save(big, path),
        "w.pickle": lambda path: ca.save(big, path),
        "w.graph": graph.save,
    }


@pytest.mark.parametrize("name", ["w.npz", "w.npy", "w.pickle", "w.graph"])
def test_a_full_disk_leaves_the_old_file(tmp_path, name):
    path = tmp_path / name
    save = savers()[name]
    save(path)
    old = path.read_bytes()
    child = os.fork()
    if not child:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (len(old) // 2, len(old) // 2))
        try:
            save(path)
        except OSError:
            os._exit(7)
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
    assert path.read_bytes() == old and list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("name", ["c.npz", "c.pickle"])
def test_a_leaf_that_cannot_be_stored_leaves_the_old_file(tmp_path, name):
    path = tmp_path / name
    ca.save(ca.Container(a=1), path)
    with pytest.raises(TypeError, match=r"function|pickle"):
        ca.save(ca.Container(a=2, f=lambda: 0), path)
    assert ca.load(path, allow_pickle=True).a == 1 and list(tmp_path.iterdir()) == [path]


# --- reading


@pytest.mark.parametrize("name", ["x.pickle", "x.pkl", "x.npy", "x.npz", "x.graph", "objects.npy", "objects.npz"])
def test_nothing_runs_when_a_file_is_read(tmp_path, name):
    path, proof = tmp_path / name, tmp_path / "proof"
    if name == "objects.npy":
        np.save(path, np.asarray([Hostile(proof)]), allow_pickle=True)
    elif name == "objects.npz":
        np.savez(path, x=np.asarray([Hostile(proof)]))
    else:
        path.write_bytes(pickle.dumps(Hostile(proof)))
    if name.startswith("x.p"):
        for load in (ca.load, ca.Container.load):
            with pytest.raises(ca.CoreArrayError, match="allow_pickle=True") as caught:
                load(path)
            assert str(path) in str(caught.value)
    else:
        refused(path, ca.load_graph if path.suffix == ".graph" else ca.load)
    assert not proof.exists()
    if path.suffix == ".pickle":
        ca.load(path, allow_pickle=True)
        assert proof.exists(), "the test would not notice"


@pytest.mark.parametrize("name", ["w.npz", "w.npy", "w.pickle", "w.graph"])
def test_broken_files_are_one_error(tmp_path, name):
    path = tmp_path / name
    savers()[name](path)
    whole, r = path.read_bytes(), random.Random(name)
    for count in range(120):
        broken = bytearray(whole)
        if count % 3 == 0:
            del broken[r.randrange(len(broken)) :]
        else:
            for _ in range(r.choice((1, 3, 20))):
                broken[r.randrange(len(broken) if count % 3 == 1 else min(400, len(broken)))] = r.randrange(256)
        path.write_bytes(broken)
        try:
            ca.load_graph(path) if name == "w.graph" else ca.load(path, allow_pickle=True)
        except ca.FileFormatError as error:
            assert str(path) in str(error)


@pytest.mark.parametrize("name", ["x.npz", "x.npy", "x.pickle", "x.graph"])
def test_a_file_that_is_not_there_is_pythons_own_error(tmp_path, name):
    with pytest.raises(FileNotFoundError, match=name):
        ca.load_graph(tmp_path / name) if name == "x.graph" else ca.load(tmp_path / name, allow_pickle=True)


def test_headers_of_enormous_arrays(tmp_path):
    for shape in ((2**40,), (2**62, 2**62), (-1,)):
        (tmp_path / "x.npy").write_bytes(headed(shape, bytes(100)))
        assert "the header states" in refused(tmp_path / "x.npy")
    with zipfile.ZipFile(tmp_path / "x.npz", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("x.npy", headed((2**40,), bytes(100)))
    assert "the header states" in refused(tmp_path / "x.npz")


def test_a_member_that_cannot_be_as_large_as_it_states(tmp_path):
    path = tmp_path / "x.npz"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("x.npy", headed((2**20,), bytes(100), "|u1"))
    content = bytearray(path.read_bytes())
    place = content.rindex(b"PK\x01\x02")
    content[place + 24 : place + 28] = (2**31).to_bytes(4, "little")
    path.write_bytes(content)
    assert "more than it can hold" in refused(path)


@pytest.mark.parametrize(
    "leaves",
    [
        "{{", 5, [["w"]], [["w", "array", "float32"]], [["w", "lambda", "x"]], [["w", "plain", [1]]], [[3, "plain", 1]],
        "[" * 100_000,
        [["a", "plain", 1], ["a/b", "plain", 2]], [["a//b", "plain", 1]], [["a", "plain", 1], ["a", "plain", 2]],
        [["x", "array", "float8_e5m2"]],
    ],
)  # fmt: skip
def test_lists_of_leaves_that_are_wrong(tmp_path, leaves):
    path = tmp_path / "c.npz"
    text = leaves if isinstance(leaves, str) else json.dumps(leaves)
    np.savez(path, **{"x": np.ones(1), "corearray//leaves": np.asarray(text)})
    refused(path)


# --- graphs


def rewritten(path, change):
    """Change the JSON of a file of a graph, with checksums that are right."""
    with zipfile.ZipFile(path) as archive:
        content = {name: archive.read(name) for name in archive.namelist()}
    head = json.loads(content["graph.json"])
    change(head)
    content["graph.json"] = json.dumps(head).encode()
    content["checksum"] = "".join(
        f"{hashlib.sha256(value).hexdigest()}  {name}\n" for name, value in content.items() if name != "checksum"
    ).encode()
    with zipfile.ZipFile(path, "w") as archive:
        for name, value in content.items():
            archive.writestr(name, value)
    return path


def graph_of(path):
    graph = ca.compile_graph(lambda x: {"y": x * ca.asarray([2.0, 3.0]) + x, "n": 3}, ca.asarray([1.0, 2.0]))
    graph.save(path)
    return graph


def test_a_file_of_a_graph_is_data(tmp_path):
    path = tmp_path / "x.graph"
    graph = graph_of(path)
    with zipfile.ZipFile(path) as archive:
        assert {name.partition("/")[0] for name in archive.namelist()} == {"graph.json", "constants", "checksum"}
        head = json.loads(archive.read("graph.json"))
    assert (head["format"], head["backend"]) == ("corearray graph", graph.backend.name)
    loaded = ca.load_graph(rewritten(path, lambda head: None))
    assert loaded == graph and loaded(ca.asarray([1.0, 1.0]))["y"].tolist() == [3.0, 4.0]


def step(place, name):
    def change(head):
        head["steps"][0][place] = name

    return change


def put(key, value):
    return lambda head: head.update({key: value})


@pytest.mark.parametrize(
    ("change", "text"),
    [
        (step(0, "os.system"), "'os.system' is no name that a graph may use"),
        (step(0, ["name"]), "is no name"),
        (step(1, ["tuple", ["name", "os.system"]]), "'os.system' is no name"),
        (step(1, ["tuple", ["make", "os.system", "true"]]), "'os.system' is no name"),
        (step(1, ["tuple", ["make", "numpy.add", 1]]), "is no class of data"),
        (step(1, ["tuple", ["value", 999]]), "no array of the number 999"),
        (step(1, ["tuple", ["lambda", 1]]), "'lambda' is no kind of data"),
        (step(1, ["tuple", ["object", 0]]), "IndexError"),
        (step(2, ["dict", ["x=print('no')", 1]]), "are no keywords"),
        (put("name", "f(): print('no')\ndef g"), "no names of Python"),
        (put("parameters", ["x=print('no')"]), "no names of Python"),
        (put("version", 3), "version 3 of the format, and this version of corearray reads 2"),
        (put("format", "other"), "holds no graph"),
        (put("outputs", [0, 0]), "are not those of its calls"),
        (put("steps", []), "that no call has made"),
        (put("backend", 3), "no text"),
        (put("tokens", []), "is not that of its calls"),
        (put("structure", [["os.system"], "leaf"]), "no class of trees"),
    ],
)
def test_graphs_that_are_hostile_or_newer(tmp_path, change, text):
    path = tmp_path / "x.graph"
    graph_of(path)
    assert text in refused(rewritten(path, change), ca.load_graph)


def test_a_damaged_graph_is_noticed(tmp_path):
    path = tmp_path / "x.graph"
    graph_of(path)
    with zipfile.ZipFile(path) as archive:
        content = {name: archive.read(name) for name in archive.namelist()}
    (name,) = (name for name in content if name.startswith("constants"))
    content[name] = content[name][:-1] + b"\x41"
    with zipfile.ZipFile(path, "w") as archive:
        for name, value in content.items():
            archive.writestr(name, value)
    assert "does not match its checksums" in refused(path, ca.load_graph)


def test_what_is_no_data_is_refused_in_a_file_and_pickled(tmp_path):
    graph = ca.compile_graph(lambda x, p: x + p.numerator, ca.asarray([1.0]), Fraction(2, 3))
    with pytest.raises(TypeError, match=r"cannot be saved: no data of a file stands for .*Fraction"):
        graph.save(tmp_path / "x.graph")
    assert not list(tmp_path.iterdir())
    assert pickle.loads(pickle.dumps(graph))(ca.asarray([1.0]), Fraction(2, 3)).tolist() == [3.0]


def test_the_table_of_names_leads_to_no_file_and_no_program():
    names = ca.get_backend().fact("graph_names")
    unsafe = re.compile(
        r"(^|\.)(os|sys|subprocess|builtins|io|pickle)\.|save|fromfile|tofile|memmap|\bload|exec|eval$|dump"
    )
    known = ("interp", "spline1d_eval")  # SciPy's, which compute
    assert [name for name in names if unsafe.search(name) and not any(part in name for part in known)] == []


def test_a_dictionary_in_a_file(tmp_path):
    ca.save({"w": ca.ones(2), "inner": {"n": 3}}, tmp_path / "x.npz")
    found = ca.load(tmp_path / "x.npz")
    assert found.w.tolist() == [1.0, 1.0] and found.inner.n == 3


def test_files_of_safetensors_have_other_functions(tmp_path):
    path = tmp_path / "x.safetensors"
    for x in (ca.ones(2), {"w": ca.ones(2)}):
        with pytest.raises(ValueError, match=r"corearray\.nn\.save"):
            ca.save(x, path)
    with pytest.raises(ValueError, match=r"corearray\.nn\.load"):
        ca.load(path)
