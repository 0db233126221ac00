"""With and without the 64-bit switch, each in a Python of its own."""

from __future__ import annotations

import os
import subprocess
import sys

NARROW = """
import corearray as ca
be = ca.get_backend("jax")
assert be.fact("diagnostics")["x64"] == "off (left alone: COREARRAY_JAX_X64=false)", be.fact("diagnostics")
assert {d.name for d in be.native_dtypes}.isdisjoint({"int64", "uint64", "float64", "complex128"})
try:
    be.zeros(2, dtype=ca.float64)
except TypeError as error:
    assert "has no dtype 'float64'" in str(error), error
else:
    raise AssertionError("float64 was made without 64-bit types")
x = be.asarray([3.0, 1.0, 2.0], dtype=ca.float32)
assert be.argmax(x).dtype is ca.int32
assert be.argsort(x).dtype is ca.int32
assert be.nonzero(x)[0].dtype is ca.int32
assert be.unique_counts(x).counts.dtype is ca.int32
assert be.linspace(0.0, 1.0, 3).tolist() == [0.0, 0.5, 1.0]
assert be.fft.fftfreq(4).tolist() == [0.0, 0.25, -0.5, -0.25]
assert (x[1:] * 2 + 1).tolist() == [3.0, 5.0]
x[0] = 5.0
assert x.tolist() == [5.0, 1.0, 2.0]
import corearray.frontend.jax as jax
with ca.backend_context(be):
    x = jax.numpy.arange(3.0)
    assert x[jax.numpy.array([0, 2])].tolist() == [0.0, 2.0]
    assert jax.lax.cond(x.sum() > 0, lambda: x, lambda: -x).tolist() == [0.0, 1.0, 2.0]
    assert bool(jax.numpy.allclose(x, x + 1e-6, atol=1e-3))
    import jax as theirs
    key, other = jax.random.split(jax.random.fold_in(jax.random.key(-5), 7))[1], theirs.random.key(-5)
    other = theirs.random.split(theirs.random.fold_in(other, 7))[1]
    draws = {"bits": [(3,)], "normal": [(3,)], "randint": [(5,), -3, 100], "permutation": [9], "poisson": [3.0, (3,)]}
    for name, options in draws.items():
        mine, wanted = getattr(jax.random, name)(key, *options), getattr(theirs.random, name)(other, *options)
        assert mine.dtype == wanted.dtype and bool((abs(mine.array.native - wanted) <= 1e-6).all()), name
"""

DRAWS = """
import corearray as ca, numpy as np

def drawn(be, start):
    with ca.backend_context(be):
        rng = ca.random.Generator(5)
        rng._count = start
        p = ca.asarray([0.2, 0.3, 0.5])
        made = {
            "uniform": rng.uniform(shape=7), "normal": rng.normal(shape=5), "gamma": rng.gamma(2.0, shape=5),
            "poisson": rng.poisson(3.0, shape=5), "bernoulli": rng.bernoulli(0.3, shape=9),
            "integers": rng.integers(0, 1000, shape=9),
            "of 32 bits": rng.integers(-(2**31), 2**31, shape=9, dtype="int32"),
            "nearly all": rng.integers(0, 2**32 - 5, shape=9, dtype="uint32"),
            "permutation": rng.permutation(50), "categorical": rng.categorical(p, shape=9),
            "of rows": rng.categorical(p[None, :], shape=1), "choice": rng.choice(9, shape=5, p=ca.ones(9)),
            "spawned": rng.spawn(2)[1].uniform(shape=3),
        }
        return {name: ca.to_numpy(x) for name, x in made.items()}

be, other = ca.get_backend("jax"), ca.get_backend("numpy")
for start in (0, 2**32 - 3):
    wanted = drawn(other, start)
    for name, x in drawn(be, start).items():
        np.testing.assert_allclose(x, wanted[name], rtol=1e-5, atol=1e-6, err_msg=name)
with ca.backend_context(be):
    def program(x):
        steps = ca.scan(lambda carry, y: (carry, ca.random.uniform()), x[0], x)[1]
        return ca.dropout(x, 0.5), ca.random.permutation(6), ca.random.integers(0, 2**32, shape=2, dtype="uint32"), steps
    compiled = ca.compile(program)
    one, two = compiled(ca.ones(64)), compiled(ca.ones(64))
    assert len(set(one[3].tolist())) == 64 and one[0].tolist() != two[0].tolist()
    assert ca.dropout(ca.ones(3), 1.0).tolist() == [0.0, 0.0, 0.0]
"""

WIDE = """
import corearray as ca
be = ca.get_backend("jax")
assert be.fact("diagnostics")["x64"] == "{told}", be.fact("diagnostics")
assert be.zeros(2, dtype=ca.float64).dtype is ca.float64
assert be.argmax(be.ones(2)).dtype is ca.int64
"""


def run(program: str, **environment: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False, env=os.environ | environment
    )
    assert done.returncode == 0, done.stderr


def test_the_opt_out_leaves_the_wide_dtypes_out():
    run(NARROW, COREARRAY_JAX_X64="false")


def test_numbers_without_64_bits_are_those_of_other_backends():
    run(DRAWS, COREARRAY_JAX_X64="0")


def test_the_diagnostics_tell_who_switched():
    run(WIDE.format(told="on (switched on by corearray)"))
    run(WIDE.format(told="on (it was on before)"), JAX_ENABLE_X64="1")
    run(WIDE.format(told="on (left alone: COREARRAY_JAX_X64=0)"), JAX_ENABLE_X64="1", COREARRAY_JAX_X64="0")
