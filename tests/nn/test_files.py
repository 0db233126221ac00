"""Files of weights: what is written is read, also bfloat16, shared arrays and several files; damaged files are refused."""

from __future__ import annotations

import json

import numpy as np
import pytest
from standard.support import be, numpy_of

import corearray as ca
from corearray import nn

DTYPES = [
    d
    for d in ("float64", "float32", "float16", "bfloat16", "int64", "int8", "uint8", "bool", "complex64")
    if hasattr(be, d)
]


@pytest.fixture(autouse=True)
def on_this_backend():
    with ca.backend_context(be):
        ca.random.seed(0)
        yield


@pytest.mark.parametrize("dtype", [d for d in DTYPES if d in {x.name for x in be.native_dtypes}])
def test_every_dtype(tmp_path, dtype):
    state = {
        "a": ca.astype(ca.asarray([[0.0, 1.0, 2.5]]), dtype),
        "none": ca.zeros((0, 3), dtype=dtype),
        "b": ca.ones((), dtype=dtype),
    }
    nn.save(state, tmp_path / "x.safetensors", metadata={"made": "here"})
    found = nn.read(tmp_path / "x.safetensors")
    assert set(found) == set(state) and nn.read_metadata(tmp_path / "x.safetensors") == {"made": "here"}
    for name, x in state.items():
        assert found[name].dtype == x.dtype and found[name].shape == x.shape
        assert found[name].tolist() == x.tolist()


def test_the_bytes_are_those_of_the_format(tmp_path):
    path = tmp_path / "x.safetensors"
    nn.save({"x": ca.asarray([1.0, -2.0], dtype="float32")}, path)
    data = path.read_bytes()
    length = int.from_bytes(data[:8], "little")
    assert length % 8 == 0
    assert json.loads(data[8 : 8 + length]) == {"x": {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]}}
    assert data[8 + length :] == np.asarray([1.0, -2.0], "<f4").tobytes()


def test_every_half(tmp_path):
    values = np.arange(1 << 16, dtype="<u2").view("<f2")
    header = json.dumps({"x": {"dtype": "F16", "shape": [1 << 16], "data_offsets": [0, 1 << 17]}}).encode()
    (tmp_path / "x").write_bytes(len(header).to_bytes(8, "little") + header + values.tobytes())
    np.testing.assert_array_equal(numpy_of(nn.read(tmp_path / "x")["x"]), values)


def test_bfloat16_is_read_where_there_is_none(tmp_path):
    header = json.dumps({"x": {"dtype": "BF16", "shape": [2], "data_offsets": [0, 4]}}).encode()
    (tmp_path / "x").write_bytes(len(header).to_bytes(8, "little") + header + bytes([0x80, 0x3F, 0x00, 0xC0]))
    assert nn.read(tmp_path / "x")["x"].tolist() == [1.0, -2.0]


def test_modules_and_shared_arrays(tmp_path):
    model = nn.Sequential(nn.Linear(3, 3), nn.Linear(3, 3))
    model[1].weight = model[0].weight
    assert "1.weight" in model.state_dict()
    nn.save(model, tmp_path / "m.safetensors")
    assert nn.read_metadata(tmp_path / "m.safetensors") == {"1.weight": "0.weight"}
    other = nn.Sequential(nn.Linear(3, 3), nn.Linear(3, 3))
    other[1].weight = other[0].weight
    nn.load(other, tmp_path / "m.safetensors")
    assert other[1].weight is other[0].weight
    np.testing.assert_array_equal(numpy_of(other[0].weight), numpy_of(model[0].weight))
    apart = nn.Sequential(nn.Linear(3, 3), nn.Linear(3, 3))
    nn.load(apart, tmp_path / "m.safetensors")
    np.testing.assert_array_equal(numpy_of(apart[1].weight), numpy_of(model[0].weight))


def test_several_files(tmp_path):
    model = nn.Sequential(*[nn.Linear(8, 8) for _ in range(4)])
    nn.save(model, tmp_path / "m.safetensors", max_shard_bytes=300)
    names = sorted(p.name for p in tmp_path.iterdir())
    assert names[0] == "m-00001-of-00004.safetensors" and "m.safetensors.index.json" in names and len(names) == 5
    for path in ("m.safetensors", "m.safetensors.index.json"):
        other = nn.Sequential(*[nn.Linear(8, 8) for _ in range(4)])
        nn.load(other, tmp_path / path)
        np.testing.assert_array_equal(numpy_of(other[3].bias), numpy_of(model[3].bias))
    index = tmp_path / "m.safetensors.index.json"
    index.write_text(json.dumps({"weight_map": {"x": "../secret"}}))
    with pytest.raises(ValueError, match="names a file in another folder"):
        nn.read(index)


def test_damaged_files_are_refused_and_change_nothing(tmp_path):
    path, model = tmp_path / "m.safetensors", nn.Linear(3, 2)
    before = numpy_of(model.weight)
    nn.save(nn.Linear(3, 2), path)
    data = path.read_bytes()
    for bad in (b"", data[:6], data[:40], data[:-4], b"\xff" * 8 + data[8:], data[:8] + b"[" + data[9:]):
        path.write_bytes(bad)
        with pytest.raises(ValueError, match=r"cut off|is damaged|cannot be read"):
            nn.load(model, path)
    np.testing.assert_array_equal(numpy_of(model.weight), before)
    with pytest.raises(FileNotFoundError):
        nn.load(model, tmp_path / "nothing")


def test_a_failed_write_leaves_the_old_file(tmp_path):
    path = tmp_path / "m.safetensors"
    nn.save({"x": ca.ones(2)}, path)
    before = path.read_bytes()
    with pytest.raises(TypeError, match="'y' is object"):
        nn.save({"x": ca.zeros(2), "y": object()}, path)
    with pytest.raises(TypeError, match="takes a module or a dictionary"):
        nn.save(3, path)
    assert path.read_bytes() == before and [p.name for p in tmp_path.iterdir()] == ["m.safetensors"]
