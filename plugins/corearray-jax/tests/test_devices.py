"""Two devices, which JAX makes of one CPU when it is asked to; in a Python of its own."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

import corearray as ca

be = ca.get_backend("jax")

TWO = """
import jax
import numpy as np
import corearray as ca

be = ca.get_backend("jax")
assert be.devices() == ("cpu", "cpu:1")
first, second = jax.devices()

x = be.ones(3, device="cpu:1")
assert x.device == "cpu:1"
assert x.native.devices() == {second}
assert be.ones(3).device == "cpu"
assert be.asarray([1.0], device=second).device == "cpu:1"

# Results are where the operands are; what is made beside an array is with it.
for made in (
    x + x, x * 2, x[1:], x[x > 0], be.sum(x), be.zeros_like(x), be.full_like(x, 3), be.asarray(x), be.astype(x, "int64"),
    be.nonzero(x)[0], be.unique_values(x), be.sort(x), be.repeat(x, 2), be.where(x > 0, x, 0.0), be.asarray(x, copy=True),
):
    assert made.device == "cpu:1", made
x[0] = 5.0
x[x == 1] = 2.0
assert x.device == "cpu:1"
assert x.tolist() == [5.0, 2.0, 2.0]

y = x.to_device("cpu")
assert (y.device, y.tolist()) == ("cpu", x.tolist())
assert be.from_dlpack(np.ones(2), device="cpu:1").device == "cpu:1"

for mixed in (lambda: be.add(x, y), lambda: x * y, lambda: be.concat([x, y])):
    try:
        mixed()
    except ca.errors.DeviceError as error:
        assert "'cpu'" in str(error) and "'cpu:1'" in str(error), error
    else:
        raise AssertionError("arrays on two devices were mixed")

# Numbers are drawn beside the parameters, the same ones as elsewhere.
ps = be.asarray([0.2, 0.7, 0.9], device="cpu:1")
draws = (
    lambda rng, p: rng.uniform(p, 2.0), lambda rng, p: rng.normal(0.0, std=p), lambda rng, p: rng.bernoulli(p),
    lambda rng, p: rng.gamma(p), lambda rng, p: rng.poisson(p), lambda rng, p: rng.categorical(p, shape=5),
    lambda rng, p: rng.choice(3, p=p),
)
for draw in draws:
    here = draw(ca.random.Generator(7), ps)
    assert here.native.devices() == {second}, here
    assert here.tolist() == draw(ca.random.Generator(7), ps.to_device("cpu")).tolist()
assert ca.random.Generator(7).bernoulli(ps, device="cpu").native.devices() == {first}

# Inside of a trace nothing is tied to the default device.
traced = jax.jit(lambda a: a + be.ones(3, device=a.device))
assert traced(y).tolist() == [6.0, 3.0, 3.0]
assert traced.lower(y).as_text().count("device_put") == 0
"""

CHOSEN = """
import jax
jax.config.update("jax_default_device", jax.local_devices()[1])
import corearray as ca
be = ca.get_backend("jax")
assert be.devices() == ("cpu:1", "cpu")
assert be.zeros(2).device == "cpu:1"
seen = []
jax.jit(lambda x: seen.append(x.device))(be.zeros(2))
assert seen == ["cpu:1"]
"""


@pytest.mark.parametrize("program", [TWO, CHOSEN])
def test_two_devices(program):
    flags = f"{os.environ.get('XLA_FLAGS', '')} --xla_force_host_platform_device_count=2"
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"XLA_FLAGS": flags},
    )
    assert done.returncode == 0, done.stderr


def test_names():
    assert be.devices()[0] == be.ones(1).device
    assert "cpu" in be.devices()
    with pytest.raises(ca.errors.DeviceError, match="has no device 'tpu:7'"):
        be.ones(1, device="tpu:7")
