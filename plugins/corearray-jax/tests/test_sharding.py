"""Arrays over eight virtual devices; each program in a Python of its own, which makes them."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

#: What the framework's users do with sharded arrays, on a mesh of all devices and on one that leaves the default device out.
PLACED = """
import pickle
import tempfile

import jax
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

import corearray as ca

ca.set_backend("jax")
for devices in (jax.devices(), jax.devices()[4:]):
    mesh = Mesh(np.array(devices).reshape(-1, 2), ("data", "model"))
    s = NamedSharding(mesh, P("data", "model"))
    values = np.arange(32, dtype="float32").reshape(8, 4)
    x = ca.asarray(jax.device_put(values, s))

    def same(y):
        return y.native.sharding.is_equivalent_to(s, 2)

    # What is made of an array, or beside it, keeps its sharding.
    fresh = ca.asarray(x, copy=True)
    fresh[0] = 5.0
    written = []
    for key in (..., slice(None), (slice(None), ca.asarray([True, False, True, False])), x > 3.0, 0, ([1, 2], [0, 0])):
        written.append(ca.asarray(x, copy=True))
        written[-1][key] = 2.0
    grown = ca.asarray(x, copy=True)
    grown += 1.0
    for number, y in enumerate((
        x, ca.asarray(x, device=x.device), ca.asarray(x, dtype="float64"), ca.zeros_like(x), ca.ones_like(x),
        ca.full_like(x, 2), ca.empty_like(x), x.to_device(x.device), fresh, grown, x + ca.ones((8, 4)),
        x + np.ones((8, 4), "float32"), ca.add(x, ca.ones((8, 4), device=x.device)),
        ca.where(x > 1, x, ca.zeros(())), ca.dropout(x, 0.5), x.at[0].set(1.0),
        pickle.loads(pickle.dumps(x)) + x, ca.evaluate(x), *written,
    )):
        assert same(y), (number, y.native.sharding)
    assert fresh[0].tolist() == [5.0] * 4
    assert x.tolist() == values.tolist()
    for y in (
        ca.take(x, ca.asarray([0, 1, 2]), axis=0), ca.scan(lambda c, row: (c + row, c * row), ca.zeros(4), x)[1],
        ca.nn.Linear(4, 8)(x), ca.one_hot(ca.argmax(x, axis=1), 4), ca.concat([x, ca.ones((2, 4))]),
        ca.grad(lambda z: ca.sum(z * ca.ones(4)))(x), ca.jac(lambda z: z * 2.0)(x[0]), ca.quantile(x, 0.5, axis=0),
        ca.unique_values(x), ca.nonzero(x)[1], x[x > 3.0], x[:, ca.asarray([True, False, True, False])],  # computed on the host
    ):
        assert len(y.native.sharding.device_set) == len(devices), y.native.sharding
    with ca.settings(nan_policy="raise"):  # all calls take the pipeline
        assert same(ca.add(x, ca.ones((8, 4))))
    narrow = jax.device_put(np.asarray([3, 1, 2, 0], "uint8"), NamedSharding(mesh, P("model")))  # which XLA itself ends at
    assert ca.take(x, narrow, axis=0)[:, 0].tolist() == [12.0, 4.0, 8.0, 0.0]

    # A sharding is a device.
    for y in (
        ca.zeros((8, 4), device=s), ca.asarray(values, device=s), ca.asarray(ca.ones((8, 4)), device=s), ca.eye(8, 4, device=s),
        ca.ones((8, 4)).to_device(s), ca.astype(ca.ones((8, 4)), "int32", device=s),
        ca.random.Generator(1).uniform(shape=(8, 4), device=s), jax.jit(lambda a: ca.zeros((8, 4), device=s) + a)(x),
    ):
        assert same(y), y.native.sharding
    assert (ca.random.Generator(1).uniform(shape=(8, 4), device=s) == ca.random.Generator(1).uniform(shape=(8, 4))).all()

    # A device that is named is meant.
    for y in (x.to_device("cpu:1"), ca.asarray(x, device="cpu:1")):
        assert (y.device, y.native.devices()) == ("cpu:1", {jax.devices()[1]})
    assert ca.asarray(x, device="cpu").native.devices() == {jax.devices()[0]}
    try:
        x + ca.ones((8, 4), device="cpu:2")
    except ca.DeviceError as error:
        assert "incompatible devices" in str(error)
    else:
        raise AssertionError("an array on one device was mixed with a sharded one")
    with tempfile.TemporaryDirectory() as folder:
        ca.save(x, folder + "/x.npy")
        assert same(ca.load(folder + "/x.npy") + x)
    with ca.settings(soft_device_mode=True):
        one, two = ca.ones((8, 4), device="cpu:1"), ca.ones((8, 4), device="cpu:2")
        for y in (x + one, ca.where(two > 0, x, one), ca.concat([x, one])):
            assert len(y.native.devices()) == len(devices), y.native.sharding
        assert (one + two).device == "cpu:1"
assert ca.zeros(3, device="cpu").native.committed
assert not ca.zeros(3).native.committed
assert ca.zeros(3, device="cpu:3").device == "cpu:3"
try:
    ca.add(ca.zeros(3, device="cpu:3"), ca.zeros(3, device="cpu"))
except ca.DeviceError:
    pass
else:
    raise AssertionError("two devices that were asked for were mixed")
"""

#: The functions that this library has for meshes.
MESH = """
import pickle
import tempfile

from corearray_jax.sharding import _unnamed
from jax.sharding import NamedSharding, PartitionSpec as P

import corearray as ca
from corearray import nn

ca.set_backend("jax")
mesh = ca.Mesh({"data": 4, "model": 2})
plain = ca.random.Generator(3).normal(shape=4)
flat = ca.shard(ca.ones((8, 4)), ("data", "model"), mesh=mesh)
assert ca.layout(flat) == (mesh, (("data", "model"), None))
with ca.settings(mesh=mesh):
    x = ca.ones((8, 4))
    for y in (x, ca.asarray([[1.0]]), ca.eye(2), ca.zeros((2, 2), device=x.device), ca.zeros_like(x)):
        assert ca.layout(y) == (mesh, (None, None)), ca.layout(y)
    drawn = ca.random.Generator(3).normal(shape=4)
    assert ca.layout(drawn).spec == (None,)
    assert (ca.unshard(drawn) == plain).all()
    assert ca.layout(ca.gather(drawn)) is None
    assert (ca.gather(drawn) == plain).all()
    assert ca.layout(ca.random.Generator(1).permutation(8)).mesh == mesh
    x = ca.shard(x, "data")
    for y in (x, ca.ones_like(x), ca.dropout(x, 0.5), x + 1, ca.shard([x.native], "data", None)[0]):
        assert ca.layout(y) == (mesh, ("data", None))
    model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2))
    before = model(x)
    parameters = ca.shard(model.parameters(), {"0/weight": ("model",), ".*/weight": (None, "model"), "0/bias": "model"})
    found = {name: ca.layout(p).spec for name, p in parameters.flatten().items()}
    assert found == {
        "0.weight": ("model", None), "0.bias": ("model",), "2.weight": (None, "model"), "2.bias": (None,)
    }, found
    model.set_parameters(parameters)
    assert ca.layout(model(x)).spec == ("data", None)
    assert ca.allclose(model(x), before, rtol=1e-5, atol=1e-6)
    assert ca.layout(ca.compile(lambda a: ca.shard(a * 2, None, "model"))(x)).spec == (None, "model")
    whole = ca.unshard(parameters)
    assert all(len(p.native.devices()) == 1 for p in whole.leaves())
    assert ca.layout(pickle.loads(pickle.dumps(x))).spec == (None, None)
assert ca.layout(pickle.loads(pickle.dumps(x))) is None
with ca.settings(mesh=mesh), ca.settings(mesh=None):
    assert ca.layout(ca.ones(3)) is None
with tempfile.TemporaryDirectory() as folder, ca.settings(mesh=mesh):
    ca.save(ca.ones((8, 2)), folder + "/x.npy")
    ca.save(ca.Container(a=ca.ones((2, 2)), b=3), folder + "/x.npz")
    assert ca.layout(ca.load(folder + "/x.npy", layout=("data",))).spec == ("data", None)
    assert ca.layout(ca.load(folder + "/x.npz", layout={"a": (None, "model")}).a).spec == (None, "model")
    nn.save(model, folder + "/x.safetensors")
    nn.load(model, folder + "/x.safetensors", layout={"0/weight": ("model",)})
    assert ca.layout(model.parameters()["0.weight"]).spec == ("model", None)
sharding = NamedSharding(ca.get_backend("jax").mesh(mesh), P("data"))  # read as one without names
assert _unnamed(sharding, (8, 3)) == ({"axis0": 4, "rest": 2}, ("axis0", None))
for wrong, text in (
    (lambda: ca.shard(ca.ones(3), "data", mesh=mesh), "cannot be split into 4 equal parts over 'data'"),
    (lambda: ca.shard(ca.ones(4), "data", mesh=ca.Mesh({"data": 16})), "--xla_force_host_platform_device_count=16"),
):
    try:
        wrong()
    except ValueError as error:
        assert text in str(error), error
    else:
        raise AssertionError(text)
"""

#: Two processes of four devices each, which meet at a port.
PROCESSES = """
import pickle
import sys

import jax

jax.config.update("jax_cpu_collectives_implementation", "gloo")
jax.distributed.initialize("localhost:" + sys.argv[1], 2, int(sys.argv[2]))

import numpy as np

import corearray as ca

ca.set_backend("jax")
values = np.arange(32, dtype="float32").reshape(8, 4)
with ca.settings(mesh=ca.Mesh({"data": 4, "model": 2})):
    x = ca.shard(ca.asarray(values), "data")
    assert not x.native.is_fully_addressable
    for y in (x, ca.unshard(x), pickle.loads(pickle.dumps(x))):
        assert (ca.to_numpy(y) == values).all()
    assert x.tolist() == values.tolist()
    assert float(ca.sum(x)) == values.sum()
    assert repr(x)
    places = ca.shard(ca.asarray([3, 0, 1, 2]), "data")
    for got, due in (
        (x[x > 3.0], values[values > 3.0]), (ca.nonzero(x)[1], np.nonzero(values)[1]), (ca.unique_values(x % 3.0), [0, 1, 2]),
        (ca.take(x, places, axis=0), values[[3, 0, 1, 2]]), (ca.top_k(x, 2).values, values[:, :1:-1]),
    ):
        np.testing.assert_array_equal(ca.to_numpy(got), due)
    for key in (x > 3.0, 0, ..., (slice(None), ca.asarray([True, False, True, False]))):
        y, due = ca.asarray(x, copy=True), values.copy()
        y[key] = 2.0
        due[ca.to_numpy(key) if isinstance(key, ca.Array) else (key[0], [0, 2]) if isinstance(key, tuple) else key] = 2.0
        assert ca.layout(y) == ca.layout(x)
        np.testing.assert_array_equal(ca.to_numpy(y), due)
"""

#: Every sample of the kit's on a mesh: as on one device, and on the mesh again.
SAMPLES = """
import sys

import jax
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

import corearray as ca
from corearray.contract.declaration import DECLARATIONS
from corearray.testing.samples import SAMPLES

be = ca.get_backend("jax")
mesh = Mesh(np.array(jax.devices()).reshape(4, 2), ("data", "model"))


def spread(values):
    left, axes = ["model", "data"], []
    for size in values.shape:
        axes.append(next((name for name in left if size and size % mesh.shape[name] == 0), None))
        left = [name for name in left if name != axes[-1]]
    return be.asarray(jax.device_put(values, NamedSharding(mesh, P(*axes))))


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
    with ca.backend_context("jax"):
        return leaves(getattr(owner, name)(*through(args, change), **through(options, change)))


#: Constants, and new arrays of a shape: movable.
FREE = {"array_equal", "eye_like", "has_nans", "isreal", "parafac"}
#: What JAX itself refuses for arrays over several devices.
REFUSED = {"from_dlpack"}

failed = []
for name in sorted(set(SAMPLES) & set(DECLARATIONS) - REFUSED)[int(sys.argv[1]) :: int(sys.argv[2])]:
    for number, (args, options) in enumerate(SAMPLES[name]):
        try:
            want = called(name, args, options, be.asarray)
            got = called(name, args, options, spread)
            for one, two in zip(got, want, strict=True):
                assert (one.shape, one.dtype) == (two.shape, two.dtype), f"{one!r} for {two!r}"
                assert np.allclose(np.asarray(one), np.asarray(two), 1e-3, 1e-4, equal_nan=True), f"{one!r} for {two!r}"
                lost = len(one.native.devices()) == 1 and (one.native.committed or name not in FREE)
                assert not lost or not leaves(through([*args, *options.values()], be.asarray)), "the mesh is lost"
        except Exception as error:
            failed.append(f"{name} {number}: {type(error).__name__}: {str(error)[:300]}")
print("\\n".join(failed))
assert not failed
"""


#: The transformer of the example beside the same in JAX's own words: the collectives that XLA inserts for its derivative.
COLLECTIVES = r"""
import re
import runpy
import sys

import jax
import jax.numpy as jnp

import corearray as ca

ca.set_backend("jax")
example = runpy.run_path(sys.argv[1])
batch, length, width, heads, symbols = (example[name] for name in ("BATCH", "LENGTH", "WIDTH", "HEADS", "SYMBOLS"))


def linear(p, name, x):
    return x @ p[f"{name}.weight"].T + p[f"{name}.bias"]


def block(p, place, x):
    q, k, v = (linear(p, place + name, x).reshape(batch, length, heads, -1).transpose(0, 2, 1, 3) for name in "qkv")
    scores = q @ k.swapaxes(-1, -2) / (width // heads) ** 0.5
    scores = jnp.where(jnp.tril(jnp.ones((length, length), bool)), scores, -jnp.inf)
    mixed = (jax.nn.softmax(scores) @ v).transpose(0, 2, 1, 3).reshape(batch, length, width)
    x = x + linear(p, place + "o", mixed)
    return x + linear(p, place + "down", jax.nn.gelu(linear(p, place + "up", x), approximate=False))


def by_hand(p, x, y):
    x = linear(p, "embedding", x)
    for number in range(2):
        x = block(p, f"blocks.{number}.", x)
    return -jnp.mean(jnp.sum(jax.nn.log_softmax(linear(p, "projection", x)) * y, -1))


with ca.settings(mesh=ca.Mesh({"data": 4, "model": 2})):
    model = example["Transformer"](ca.random.Generator(1))
    numbers = ca.random.Generator(2).integers(0, symbols, shape=(batch, length))
    pairs = ca.shard((ca.one_hot(numbers, symbols), ca.one_hot(ca.roll(numbers, -1, axis=1), symbols)), "data")
    parameters = ca.shard(model.parameters(), example["LAYOUT"])

    def loss(p, x, y):
        return -ca.mean(ca.sum(ca.log_softmax(model.apply(p, x)) * y, axis=-1))

    def counted(program, *args):
        text = jax.jit(program).lower(*args).compile().as_text()
        kinds = re.findall(r" (all-reduce|all-gather|all-to-all|reduce-scatter|collective-permute)(?:-start)?\(", text)
        return {kind: kinds.count(kind) for kind in kinds}

    plain = ca.to_native(parameters.to_dict())
    natives = ca.to_native(pairs)
    own = counted(ca.value_and_grad(loss), parameters, *pairs)
    due = counted(jax.value_and_grad(by_hand), plain, *natives)
assert own == due == {"all-reduce": 9}, (own, due)
"""


def run(program: str, *args: str) -> None:
    flags = f"{os.environ.get('XLA_FLAGS', '')} --xla_force_host_platform_device_count=8"
    done = subprocess.run(
        [sys.executable, "-c", program, *args],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"XLA_FLAGS": flags},
    )
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr[-3000:]}"


@pytest.mark.parametrize("program", [PLACED, MESH])
def test_eight_devices(program):
    run(program)


def test_the_example_trains_as_on_one_device():
    example = Path(__file__).parents[3] / "examples" / "parallel.py"
    run(f"""
import runpy, corearray as ca
ca.set_backend("jax")
for one, eight in runpy.run_path({str(example)!r})["main"]():
    assert abs(one - eight) < 1e-5, (one, eight)
""")


def test_the_example_communicates_as_written_by_hand():
    run(COLLECTIVES, str(Path(__file__).parents[3] / "examples" / "parallel.py"))


@pytest.mark.skipif("COREARRAY_TEST_LONG" not in os.environ, reason="two more processes; set COREARRAY_TEST_LONG")
def test_two_processes():
    with socket.socket() as free:
        free.bind(("localhost", 0))
        port = str(free.getsockname()[1])
    flags = f"{os.environ.get('XLA_FLAGS', '')} --xla_force_host_platform_device_count=4"
    started = [
        subprocess.Popen(
            [sys.executable, "-c", PROCESSES, port, str(rank)],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=os.environ | {"XLA_FLAGS": flags},
        )
        for rank in range(2)
    ]  # fmt: skip
    try:
        told = [process.communicate(timeout=300)[0] for process in started]
    finally:
        for process in started:
            process.kill()
    assert [process.returncode for process in started] == [0, 0], "\n".join(text[-3000:] for text in told)


@pytest.mark.parametrize("part", range(8) if os.environ.get("COREARRAY_TEST_LONG") else [None])
def test_samples_on_a_mesh(part):
    """The samples of every 100th function; with COREARRAY_TEST_LONG those of all, in eight parts."""
    run(SAMPLES, *(("7", "100") if part is None else (str(part), "8")))
