"""Arrays over two processes of gloo; each program is started once in both."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

#: What both processes run; they agree through a file.
START = """
import os
import sys

import torch
import torch.distributed as dist

torch.set_num_threads(1)
dist.init_process_group("gloo", init_method="file://" + sys.argv[1], rank=int(sys.argv[2]), world_size=2)

import corearray as ca

ca.set_backend("torch")
"""

PROGRAM = """
import pickle
import tempfile

import numpy as np
from torch.distributed.tensor import DTensor, Partial

from corearray import nn

mesh = ca.Mesh({"data": 2})
values = ca.random.Generator(1).normal(shape=(8, 6))
plain = ca.random.Generator(3).normal(shape=4)
x = ca.shard(values, "data", mesh=mesh)
assert isinstance(x.native, DTensor)
assert x.native.to_local().shape == (4, 6)
assert ca.layout(x) == (mesh, ("data", None))
assert ca.layout(x.T).spec == (None, "data")
assert ca.layout(ca.shard(x, None, "data", mesh=mesh)).spec == (None, "data")
assert ca.layout(values) is None

# Out of the library every process gets all elements; printing asks no other process.
assert (ca.to_numpy(x) == ca.to_numpy(values)).all()
assert (np.asarray(x) == ca.to_numpy(values)).all()
assert x.tolist() == values.tolist()
assert abs(float(ca.sum(x)) - float(ca.sum(values))) < 1e-5
assert type(ca.sum(x).native.placements[0]) is Partial
assert "placements" in repr(x)
assert ca.layout(ca.unshard(x)) is None
assert ca.layout(ca.gather(x)) is None
assert (ca.gather(x) == values).all()
assert (ca.unshard({"x": x})["x"] == values).all()
assert (ca.to_backend(x, "numpy") == ca.to_backend(values, "numpy")).all()
assert (pickle.loads(pickle.dumps(x)) == values).all()

# Whole tensors combine, layouts stay, numbers are those of one process.
dropped = ca.dropout(values, 0.5, generator=ca.random.Generator(3))
for y, wanted in (
    (ca.dropout(x, 0.5, generator=ca.random.Generator(3)), dropped),
    (x + ca.ones((8, 6)), values + 1.0), (ca.zeros_like(x), values * 0), (ca.full_like(x, 2.0), values * 0 + 2.0),
    (ca.where(x > 0, x, 0.0), ca.where(values > 0, values, 0.0)), (ca.linear(x, ca.ones((5, 6))), values @ ca.ones((6, 5))),
    (ca.scaled_dot_product_attention(*[x[None, None]] * 3, is_causal=True)[0, 0],
     ca.scaled_dot_product_attention(*[values[None, None]] * 3, is_causal=True)[0, 0]),
):
    assert ca.allclose(ca.unshard(y), wanted, atol=1e-5), y
for y in (ca.dropout(x, 0.5), ca.zeros_like(x), ca.full_like(x, 2), ca.exp(x), x + ca.ones(6), ca.asarray(x), x * x):
    assert ca.layout(y).spec == ("data", None), y
fresh, wanted = ca.asarray(x, copy=True), ca.asarray(values, copy=True)
for array in (fresh, wanted):
    array[0] = 5.0
    array[1:3, ::2] = 7.0
    array[array > 6.0] -= 1.0
    array += 1.0
for array in (fresh, wanted):
    array[:, 2][...] += 3.0  # a view that shares memory
    row = ca.asarray(array[0], copy=True)
    row[1] = 8.0
assert row[1].tolist() == 8.0 != fresh[0, 1].tolist()
assert ca.layout(fresh).spec == ("data", None)
assert (ca.unshard(fresh) == wanted).all()
assert (x[x > 0] == values[values > 0]).all()

# Writes into views for which torch moves data, into views of these, and into results that are copies.
for spec in (("data",), (None, "data")):
    for numbers in (values, values.T @ values, ca.complex(values, values)):
        found, wanted = ca.shard(ca.asarray(numbers, copy=True), *spec, mesh=mesh), ca.asarray(numbers, copy=True)
        for array in (found, wanted):
            array[1][2] = 5.0
            array[1:5][::2][:, 1:3] *= 2.0
            array.T[2][...] = ca.arange(array.shape[0], dtype=array.dtype)
            row = array[3]
            row += 1.0
            row[1] = array[0, 0]
            ca.flip(array, axis=0)[0] = 7.0
            ca.real(array)[2] -= 3.0
            ca.fill_diagonal(array, -1.0)
            ca.linalg.diagonal(array, offset=1)[1:] = 4.0
            ca.put_along_axis(array, ca.asarray([[0]]), ca.asarray([[9.0]], dtype=array.dtype), axis=1)
            row[0] = 11.0  # after writes into the array, of which it shows nothing
            try:
                array[0][9] = 1.0
            except IndexError:
                pass
        assert ca.layout(found).spec == (*spec, None)[:2]
        assert (ca.unshard(found) == wanted).all(), (spec, found.tolist(), wanted.tolist())


def written(array):
    y = array * 2.0
    row = y[1]
    row[2:4] = array[0, 1]
    array[0] = 0.0
    ca.fill_diagonal(array, 3.0)
    return ca.sum(y * y) + ca.sum(row**3) + ca.sum(array * array)


wanted = ca.grad(written)(values)
assert ca.allclose(ca.unshard(ca.grad(written)(x)), wanted, rtol=1e-5, atol=1e-5)
assert (ca.unshard(x) == values).all()
assert (ca.unique_values(ca.round(x)) == ca.unique_values(ca.round(values))).all()
assert int(ca.sum(ca.astype(ca.any(x > 0, axis=0), "int32"))) == int(ca.sum(ca.any(values > 0, axis=0)))

for axis in (-1, -2):
    for name in ("cumulative_sum", "cumulative_prod", "argmax", "argmin", "sort", "softmax"):
        for spec in (("data",), (None, "data")):
            got = getattr(ca, name)(ca.shard(values, *spec, mesh=mesh), axis=axis)
            assert ca.allclose(ca.unshard(got), getattr(ca, name)(values, axis=axis), atol=1e-5), (name, axis, spec)

# torch convolves split channels as if each part were an array: here they are whole, in derivatives too.
image, filters = ca.random.Generator(5).normal(shape=(2, 4, 5, 5)), ca.random.Generator(6).normal(shape=(2, 4, 3, 3))


def convolved(image, filters):
    return ca.sum(ca.conv2d(image, filters, padding="same") ** 2)


wanted = ca.value_and_grad(convolved, argnums=(0, 1))(image, filters)
for spec in (("data",), (None, "data"), ()):
    pair = ca.value_and_grad(convolved, argnums=(0, 1))(ca.shard(image, *spec, mesh=mesh), filters)
    for got, right in zip((pair[0], *pair[1]), (wanted[0], *wanted[1]), strict=True):
        assert ca.allclose(ca.unshard(got), right, rtol=1e-4, atol=1e-4)

# With a mesh in force new arrays are whole in every process.
with ca.settings(mesh=mesh):
    for y in (ca.ones((8, 4)), ca.asarray([[1.0, 2.0]]), ca.eye(2), ca.zeros((2, 2), device=x.device)):
        assert ca.layout(y) == (mesh, (None, None)), y
    drawn = ca.random.Generator(3).normal(shape=4)
    assert ca.layout(drawn).spec == (None,)
    assert (ca.unshard(drawn) == plain).all()
    for y in (ca.random.Generator().uniform(shape=3), ca.random.Generator().spawn(1)[0].uniform(shape=3)):
        mine = ca.unshard(y)
        with ca.settings(mesh=None):
            assert (ca.unshard(ca.shard(mine, None, mesh=mesh)) == mine).all(), "each process has drawn numbers of its own"
    model = nn.Sequential(nn.Linear(6, 8), nn.ReLU(), nn.Linear(8, 2))
    before = model(x)
    parameters = ca.shard(model.parameters(), {"0/weight": ("data",), ".*/weight": (None, "data"), "0/bias": "data"})
    found = {name: ca.layout(p).spec for name, p in parameters.flatten().items()}
    assert found == {"0.weight": ("data", None), "0.bias": ("data",), "2.weight": (None, "data"), "2.bias": (None,)}, found
    model.set_parameters(parameters)
    assert ca.allclose(model(x), before, rtol=1e-5, atol=1e-6)
    folder = sys.argv[1] + "." + sys.argv[2]
    os.mkdir(folder)
    ca.save(x, folder + "/x.npy")
    loaded = ca.load(folder + "/x.npy", layout=("data",))
    assert ca.layout(loaded).spec == ("data", None)
    assert ca.layout(ca.load(folder + "/x.npy")).spec == (None, None)
    assert (loaded == x).all()
    nn.save(model, folder + "/x.safetensors")
    nn.load(model, folder + "/x.safetensors", layout={"0/weight": ("data",)})
    assert ca.layout(model.parameters()["0.weight"]).spec == ("data", None)
with ca.settings(mesh=mesh), ca.settings(mesh=None):
    assert ca.layout(ca.ones(3)) is None
for wrong, text in (
    (lambda: ca.shard(ca.ones(3), "data", mesh=mesh), "cannot be split into 2 equal parts over 'data'"),
    (lambda: ca.shard(ca.ones(4), "data", mesh=ca.Mesh({"data": 4})), "torchrun --nproc-per-node=4"),
    (lambda: ca.grad(lambda a: a[0].fill(2.0).sum())(x), "torch cannot write into such an array"),
):
    try:
        wrong()
    except ValueError as error:
        assert text in str(error), error
    else:
        raise AssertionError(text)
dist.destroy_process_group()
"""

#: The example, without its compiler, which takes a minute.
EXAMPLE = """
import runpy

train = runpy.run_path(sys.argv[3])["train"]
for one, two in zip(train(None, compiled=False), train(ca.Mesh({"data": 1, "model": 2}), compiled=False), strict=True):
    assert abs(one - two) < 1e-5, (one, two)
dist.destroy_process_group()
"""

#: The transformer of the example beside the same in torch's own words: the collectives of its derivative.
COLLECTIVES = """
import runpy

from torch.distributed.tensor.debug import CommDebugMode
from torch.nn import functional

example = runpy.run_path(sys.argv[3])
batch, length, width, heads, symbols = (example[name] for name in ("BATCH", "LENGTH", "WIDTH", "HEADS", "SYMBOLS"))


def linear(p, name, x):
    return functional.linear(x, p[f"{name}.weight"], p[f"{name}.bias"])


def block(p, place, x):
    q, k, v = (linear(p, place + name, x).unflatten(-1, (heads, -1)).transpose(1, 2) for name in "qkv")
    mixed = functional.scaled_dot_product_attention(q, k, v, is_causal=True)
    x = x + linear(p, place + "o", mixed.transpose(1, 2).flatten(-2))
    return x + linear(p, place + "down", functional.gelu(linear(p, place + "up", x)))


def by_hand(p, x, y):
    x = linear(p, "embedding", x)
    for number in range(2):
        x = block(p, f"blocks.{number}.", x)
    value = -(functional.log_softmax(linear(p, "projection", x), -1) * y).sum(-1).mean()
    return value, torch.autograd.grad(value, list(p.values()))


with ca.settings(mesh=ca.Mesh({"data": 1, "model": 2})):
    model = example["Transformer"](ca.random.Generator(1))
    numbers = ca.random.Generator(2).integers(0, symbols, shape=(batch, length))
    pairs = ca.shard((ca.one_hot(numbers, symbols), ca.one_hot(ca.roll(numbers, -1, axis=1), symbols)), "data")
    parameters = ca.shard(model.parameters(), example["LAYOUT"])

    def loss(p, x, y):
        return -ca.mean(ca.sum(ca.log_softmax(model.apply(p, x)) * y, axis=-1))

    def counted(program, *args):
        with CommDebugMode() as mode:
            value = program(*args)[0]
        return {str(kind): count for kind, count in mode.get_comm_counts().items() if count}, float(value.full_tensor())

    plain = {name: x.detach().requires_grad_() for name, x in ca.to_native(parameters.to_dict()).items()}
    natives = ca.to_native(pairs)
    due = counted(by_hand, plain, *natives)
    own = counted(lambda *args: ca.to_native(ca.value_and_grad(loss)(*args)), parameters, *pairs)
assert own[0] == due[0], (own, due)
assert abs(own[1] - due[1]) < 1e-5
dist.destroy_process_group()
"""

#: Every sample of the kit's, its arrays split along the first axis of an even size.
SAMPLES = """
import numpy as np

from corearray.contract.declaration import DECLARATIONS
from corearray.testing.samples import SAMPLES

be, mesh = ca.get_backend("torch"), ca.Mesh({"data": 2})


def spread(values):
    axis = next((axis for axis, size in enumerate(values.shape) if size and size % 2 == 0), None)
    return ca.shard(be.asarray(values, copy=True), *(() if axis is None else (None,) * axis + ("data",)), mesh=mesh)


def through(value, change):
    if isinstance(value, np.ndarray):
        return change(value)
    if type(value) in (list, tuple):
        return type(value)(through(item, change) for item in value)
    return {key: through(item, change) for key, item in value.items()} if type(value) is dict else value


def leaves(value):
    if isinstance(value, ca.Array):
        return [value]
    return [leaf for item in value for leaf in leaves(item)] if isinstance(value, (list, tuple)) else []


def called(name, args, options, change):
    declaration = DECLARATIONS[name]
    owner = be if declaration.main else getattr(be, declaration.namespace)
    ca.random.seed(0)
    return leaves(getattr(owner, name)(*through(args, change), **through(options, change)))


#: What torch refuses: reshaping across parts, maxima of complex numbers, uneven parts of an array that is split again.
REFUSED = {
    "col2im", "embedding_bag", "fold", "gru", "gru_update", "log_softmax", "nll_loss", "partial_fold",
    "partial_vec_to_tensor", "reshape", "softmax", "svd_flip",
}
failed, refused = [], set()
for name in sorted(set(SAMPLES) & set(DECLARATIONS) - {"empty", "empty_like"}):
    for number, (args, options) in enumerate(SAMPLES[name]):
        want = called(name, args, options, lambda values: be.asarray(values, copy=True))
        try:
            got = called(name, args, options, spread)
            for one, two in zip(want, got, strict=True):
                assert (one.shape, one.dtype) == (two.shape, two.dtype), f"{two!r} for {one!r}"
                equal = np.allclose(one.to_numpy(), two.to_numpy(), 1e-3, 1e-4, equal_nan=True)
                assert equal, f"{two.tolist()} for {one.tolist()}"
        except ca.CoreArrayError as error:
            refused.add(name)
            if name not in REFUSED:
                failed.append(f"{name} {number}: {str(error)[:300]}")
        except AssertionError as error:
            failed.append(f"{name} {number}: {error}")
print("\\n".join(failed))
assert not failed
assert refused == REFUSED, f"torch has learned {sorted(REFUSED - refused)}"
dist.destroy_process_group()
"""


def run(program: str, folder: Path, *args: str) -> None:
    command = [sys.executable, "-W", "ignore", "-c", START + program, str(folder / "rendezvous")]
    environment = os.environ | {"GLOO_SOCKET_IFNAME": "lo", "OMP_NUM_THREADS": "1"}
    started = [
        subprocess.Popen(
            [*command, str(rank), *args], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment
        )
        for rank in range(2)
    ]
    try:
        told = [process.communicate(timeout=500)[0] for process in started]
    finally:
        for process in started:
            process.kill()
    assert [process.returncode for process in started] == [0, 0], "\n".join(text[-3000:] for text in told)
    assert not [text for text in told if "Exception ignored" in text]


@pytest.mark.skipif(sys.platform != "linux", reason="gloo is asked for the loopback device by its name on Linux")
def test_two_processes(tmp_path):
    run(PROGRAM, tmp_path)


@pytest.mark.skipif(not os.environ.get("COREARRAY_TEST_LONG"), reason="a minute; set COREARRAY_TEST_LONG")
@pytest.mark.parametrize("program", [EXAMPLE, COLLECTIVES, SAMPLES], ids=["example", "collectives", "samples"])
def test_the_example_and_all_samples(program, tmp_path):
    run(program, tmp_path, str(Path(__file__).parents[3] / "examples" / "parallel.py"))
