"""`torch.save` and `torch.load`: files that torch reads, and files of torch."""

from __future__ import annotations

import argparse
import io
import pickle
import zipfile
from collections import OrderedDict

import numpy as np
import pytest
import torch as native

import corearray as ca
import corearray.frontend.torch as torch

DTYPES = "bool float64 float32 float16 int64 int32 int16 int8 uint8 uint16 complex64 complex128".split()


@pytest.fixture(autouse=True)
def on_target(target):
    with ca.backend_context(target):
        yield


def elements(x):
    wide = x.array if isinstance(x, torch.Tensor) else x.detach()
    if isinstance(x, torch.Tensor):
        return ca.to_numpy(ca.astype(wide, "float32") if x.dtype == ca.bfloat16 else wide)
    return (wide.float() if x.dtype == native.bfloat16 else wide).numpy()


def same(mine, theirs):
    if isinstance(theirs, native.Tensor):
        assert type(mine).__name__ == type(theirs).__name__
        assert mine.requires_grad == theirs.requires_grad
        assert mine.stride() == theirs.stride()
        np.testing.assert_array_equal(elements(mine), elements(theirs))
    elif isinstance(theirs, (native.dtype, native.device)):
        assert str(mine) == str(theirs).removeprefix("torch.")
    elif isinstance(theirs, native.Size):
        assert tuple(mine) == tuple(theirs)
    elif isinstance(theirs, (dict, list, tuple)):
        assert type(mine) is type(theirs)
        same_items = (mine.items(), theirs.items()) if isinstance(theirs, dict) else (mine, theirs)
        assert len(mine) == len(theirs)
        for one, other in zip(*same_items, strict=True):
            same(one, other)
    else:
        assert mine == theirs


def content(package, dtypes=DTYPES):
    """A checkpoint, made of the same numbers by torch and by the frontend."""
    numbers = [[-1.5, 0.0, 2.0], [3.0, 60000.0, 0.25]]
    small = [[1.0, 0.0, 2.0], [3.0, 127.0, 0.0]]

    def tensor(dtype):
        given = small if "int" in dtype else numbers
        return package.tensor(given, dtype=package.float64).to(getattr(package, dtype))

    tied = package.arange(6.0)
    return {
        "model": OrderedDict(a=tensor("float32"), b=package.tensor([]), c=package.tensor(7)),
        "dtypes": [tensor(dtype) for dtype in dtypes],
        "turned": tensor("float32").t(),
        "tied": (tied, tied.detach(), tied.view(2, 3)),
        "trained": package.nn.Parameter(tensor("float32")),
        "fixed": package.nn.Parameter(tensor("float32"), requires_grad=False),
        "needs": tensor("float32").requires_grad_(),
        "plain": [1, -(2**40), True, None, 0.1, "ä", (1, (2,)), {"x": []}, {3, 4}, 1 + 2j, b"\x00\xff", 2**31],
        "words": (package.float32, package.device("cpu"), tensor("float32").shape),
    }


@pytest.mark.parametrize("old", [False, True])
def test_a_file_of_torch(old):
    file = io.BytesIO()
    theirs = content(native)
    native.save(theirs, file, _use_new_zipfile_serialization=not old)
    file.seek(0)
    mine = torch.load(file)
    same(mine, theirs)
    one, other, rows = mine["tied"]
    one[0] = 9.0
    assert other.tolist() == rows.flatten().tolist() == [9.0, 1.0, 2.0, 3.0, 4.0, 5.0]


def test_a_file_for_torch(tmp_path):
    mine = content(torch)
    torch.save(mine, tmp_path / "x.pt")
    for mapped in (False, True):
        same(mine, native.load(tmp_path / "x.pt", weights_only=True, mmap=mapped))
    same(torch.load(str(tmp_path / "x.pt")), content(native))


def test_half_precision_that_the_backend_may_lack():
    wanted = native.tensor([1.5, -0.0, 3e38, float("inf"), 1e-40], dtype=native.bfloat16)
    file = io.BytesIO()
    native.save(wanted, file)
    file.seek(0)
    found = torch.load(file)
    np.testing.assert_array_equal(elements(found), elements(wanted))
    if found.dtype == ca.bfloat16:
        again = io.BytesIO()
        torch.save(found, again)
        again.seek(0)
        assert native.load(again).equal(wanted)


def test_strides_with_gaps_and_parts_of_storages():
    x = native.arange(24.0).reshape(4, 6)
    theirs = [x[:, :2], x[::2], x[1, 1:4], x[:, 3], x.expand(2, 4, 6), x.permute(1, 0)[1:3], x[2:]]
    file = io.BytesIO()
    native.save(theirs, file)
    file.seek(0)
    for mine, wanted in zip(torch.load(file), theirs, strict=True):
        np.testing.assert_array_equal(elements(mine), elements(wanted))


def test_a_training_goes_on(tmp_path):
    def network(package):
        package.manual_seed(0)
        return package.nn.Sequential(package.nn.Linear(3, 4), package.nn.BatchNorm1d(4), package.nn.Linear(4, 2))

    theirs, mine = network(native), network(torch)
    native.save({"model": theirs.state_dict(), "epoch": 3}, tmp_path / "a.pt")
    found = torch.load(tmp_path / "a.pt", map_location="cpu")
    mine.load_state_dict(found["model"])
    torch.save({"model": mine.state_dict(), "epoch": found["epoch"]}, tmp_path / "b.pt")
    back = native.load(tmp_path / "b.pt")
    network(native).load_state_dict(back["model"])
    assert back["epoch"] == 3 and all(back["model"][name].equal(x) for name, x in theirs.state_dict().items())


def test_places_of_tensors():
    file = io.BytesIO()
    native.save(native.ones(2), file)
    asked = []

    def kept(storage, location):
        asked.append(location)
        return storage

    for given in (None, "cpu", torch.device("cpu"), {"cpu": "cpu"}, {"cuda:0": "cpu"}, kept):
        file.seek(0)
        assert torch.load(file, map_location=given).tolist() == [1.0, 1.0]
    assert asked == ["cpu"]
    file.seek(0)
    with pytest.raises(RuntimeError, match="Invalid device string"):
        torch.load(file, map_location="no device!")


class Harmful:
    def __reduce__(self):
        return print, ("run",)


class Settings:
    def __init__(self, rate):
        self.rate = rate


def test_files_run_no_code(capsys, tmp_path):
    for protocol in (0, 2, 4):
        for old in (False, True):
            native.save(
                {"x": Harmful()}, tmp_path / "x.pt", pickle_protocol=protocol, _use_new_zipfile_serialization=not old
            )
            with pytest.raises(ValueError, match=r"an object of 'builtins\.print'"):
                torch.load(tmp_path / "x.pt", weights_only=False)
    assert capsys.readouterr().out == ""
    (tmp_path / "y.pt").write_bytes(pickle.dumps(Harmful()))
    with pytest.raises(ValueError, match=r"no file of torch\.save"):
        torch.load(tmp_path / "y.pt")


@pytest.mark.parametrize(
    "code",
    [
        b"ctorch\nfloat32\nN}X\x04\x00\x00\x00nameX\x01\x00\x00\x00xs\x86b.",  # the state of a dtype
        b"ctorch\ndevice\n}X\x01\x00\x00\x00xNsb.",  # the state of a class
        b"]]X\x01\x00\x00\x00xNsb.",
        b"(X\x01\x00\x00\x00x", b"R.", b"\x85.", b"h\x07.", b"\x82\x01.", b"}]NNsa.",
    ],
)  # fmt: skip
def test_pickles_that_data_does_not_need(code):
    from corearray.frontend.torch.serialization.pickled import read_pickle
    from corearray.frontend.torch.serialization.reading import _makers

    with pytest.raises(ValueError, match="the file"):
        read_pickle(io.BytesIO(b"\x80\x02" + code), _makers(), lambda _: None)


def test_classes_that_the_program_trusts():
    file = io.BytesIO()
    native.save({"settings": Settings(0.5), "arguments": argparse.Namespace(epochs=2)}, file)
    file.seek(0)
    with pytest.raises(ValueError, match=r"add_safe_globals\(\[Settings\]\)"):
        torch.load(file)
    with torch.serialization.safe_globals([Settings, argparse.Namespace]):
        file.seek(0)
        found = torch.load(file)
    assert found["settings"].rate == 0.5 and found["arguments"].epochs == 2
    assert torch.serialization.get_safe_globals() == []


def test_bad_files(tmp_path):
    file = tmp_path / "x.pt"
    torch.save(torch.ones(3), file)
    before = file.read_bytes()
    with pytest.raises(TypeError, match=r"save its state_dict\(\)"):
        torch.save({"model": torch.nn.Linear(2, 1)}, file)
    with pytest.raises(TypeError, match="turn it into a dictionary"):
        torch.save(Settings(1.0), file)
    assert file.read_bytes() == before
    for damaged in (before[:200], before[:-30], b"", b"nothing", b"PK\x03\x04"):
        file.write_bytes(damaged)
        with pytest.raises(ValueError, match="the file"):
            torch.load(file)
    with zipfile.ZipFile(file, "w") as archive:
        for name in ("data.pkl", "constants.pkl"):
            archive.writestr(f"x/{name}", b"")
    with pytest.raises(ValueError, match="TorchScript"):
        torch.load(file)
    with pytest.raises(TypeError, match="takes a path or a binary file"):
        torch.load(3)
    with pytest.raises(FileNotFoundError):
        torch.load(tmp_path / "missing.pt")
