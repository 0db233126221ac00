"""Programs in JAX's words, with models of flax and equinox: each maker returns a function, its parameters and an input."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp

__all__ = ["LIBRARIES", "PROGRAMS", "drawn"]

Program = tuple[Callable[[Any, Any], Any], Any, Any]

KEY = jax.random.PRNGKey(0)
F32 = jnp.float32

#: Programs by name, and the library that one needs beside JAX.
PROGRAMS: dict[str, Callable[[], Program]] = {}
LIBRARIES: dict[str, str] = {}


def program(function: Callable[[], Program]) -> Callable[[], Program]:
    PROGRAMS[function.__name__] = function
    library = function.__name__.partition("_")[0]
    if library in ("equinox", "flax", "optax"):
        LIBRARIES[function.__name__] = library
    return function


def drawn(*shape: int, place: int = 0) -> jax.Array:
    """Return normal numbers, other ones for each place."""
    return 0.3 * jax.random.normal(jax.random.fold_in(KEY, place), shape, F32)


@program
def perceptron() -> Program:
    weights = {"w": [drawn(4, 8), drawn(8, 3, place=1)], "b": [drawn(8, place=2), drawn(3, place=3)]}

    def run(p, x):
        hidden = jax.nn.gelu(x @ p["w"][0] + p["b"][0])
        return jax.nn.log_softmax(hidden @ p["w"][1] + p["b"][1])

    return run, weights, drawn(5, 4, place=9)


@program
def lstm() -> Program:
    weights = {"x": drawn(3, 16), "h": drawn(4, 16, place=1), "b": drawn(16, place=2)}

    def run(p, x):
        def cell(carry, part):
            hidden, state = carry
            i, f, g, o = jnp.split(part @ p["x"] + hidden @ p["h"] + p["b"], 4, axis=-1)
            state = jax.nn.sigmoid(f) * state + jax.nn.sigmoid(i) * jnp.tanh(g)
            hidden = jax.nn.sigmoid(o) * jnp.tanh(state)
            return (hidden, state), hidden

        start = (jnp.zeros((2, 4), F32), jnp.zeros((2, 4), F32))
        return jax.lax.scan(cell, start, x)[1]

    return run, weights, drawn(6, 2, 3, place=9)


@program
def attention() -> Program:
    weights = {name: drawn(8, 8, place=i) for i, name in enumerate("qkv")}

    def run(p, x):
        q, k, v = ((x @ p[name]).reshape(2, 5, 2, 4) for name in "qkv")
        scores = jnp.where(jnp.tril(jnp.ones((5, 5), bool)), jnp.einsum("bihd,bjhd->bhij", q, k) / 2.0, -1e9)
        return jnp.einsum("bhij,bjhd->bihd", jax.nn.softmax(scores), v)

    return run, weights, drawn(2, 5, 8, place=9)


@program
def normalising_flow() -> Program:
    weights = {"scale": drawn(2, 2), "shift": drawn(2, 2, place=1)}

    def run(p, x):
        a, b = x[:, :2], x[:, 2:]
        scale = jnp.tanh(a @ p["scale"])
        z = jnp.concatenate([a, b * jnp.exp(scale) + a @ p["shift"]], -1)
        return jax.scipy.stats.norm.logpdf(z).sum(-1) + scale.sum(-1)

    return run, weights, drawn(6, 4, place=9)


@program
def diffusion_step() -> Program:
    weights = {"first": drawn(5, 16), "second": drawn(16, 4, place=1)}
    kept = jnp.cumprod(1 - jnp.linspace(1e-4, 0.02, 10, dtype=F32))

    def run(p, x):
        step = jnp.array([1, 3, 5])
        noise = jax.random.normal(jax.random.PRNGKey(3), x.shape, F32)
        noisy = jnp.sqrt(kept[step])[:, None] * x + jnp.sqrt(1 - kept[step])[:, None] * noise
        time = (step / 10).astype(F32)[:, None]
        return jax.nn.silu(jnp.concatenate([noisy, time], -1) @ p["first"]) @ p["second"] - noise

    return run, weights, drawn(3, 4, place=9)


@program
def convolutions() -> Program:
    weights = {"filters": drawn(4, 3, 3, 3), "dense": drawn(4, 2, place=1)}

    def run(p, x):
        y = jax.nn.relu(jax.lax.conv_general_dilated(x, p["filters"], (1, 1), "SAME"))
        y = jax.lax.reduce_window(y, -jnp.inf, jax.lax.max, (1, 1, 2, 2), (1, 1, 2, 2), "VALID")
        return jax.nn.softmax(y.mean((2, 3)) @ p["dense"])

    return run, weights, drawn(2, 3, 6, 6, place=9)


@program
def branches() -> Program:
    def run(p, x):
        chosen = jax.lax.cond(x.sum() > 0, lambda v: v * p["a"], lambda v: v - p["a"], x)
        return chosen + jax.lax.switch(1, [jnp.sin, jnp.cos], x)

    return run, {"a": drawn(4)}, drawn(4, place=9)


@program
def newtons_method() -> Program:
    def run(p, x):
        def step(count, y):
            return y - (y * y - x) / (2 * y)

        return jax.lax.fori_loop(0, 8, step, jnp.ones_like(x)) * p["a"]

    return run, {"a": jnp.asarray(2.0, F32)}, jnp.array([2.0, 3.0, 5.0], F32)


@program
def mapped_solves() -> Program:
    def run(p, x):
        matrices = x + 3 * jnp.eye(3, dtype=F32)
        return jax.vmap(lambda a: jnp.linalg.solve(a, p["b"]))(matrices), jnp.linalg.slogdet(matrices)[1]

    return run, {"b": drawn(3)}, drawn(4, 3, 3, place=9)


@program
def derivative_of_ones_own() -> Program:
    @jax.custom_vjp
    def double(x):
        return jnp.sin(x)

    double.defvjp(lambda x: (jnp.sin(x), x), lambda x, slope: (2 * slope * jnp.cos(x),))
    return (lambda p, x: double(x * p["a"])), {"a": drawn(4)}, drawn(4, place=9)


@program
def filtered() -> Program:
    return (lambda p, x: jnp.fft.irfft(jnp.fft.rfft(x) * p["h"], n=8)), {"h": drawn(5)}, drawn(3, 8, place=9)


@program
def gathered_and_scattered() -> Program:
    def run(p, x):
        rows = p["e"][jnp.array([0, 2, 2, 1])] * x
        sums = jax.ops.segment_sum(rows, jnp.array([0, 1, 0, 2]), 3)
        return sums, p["e"].at[jnp.array([0, 1])].add(x[:2]), jnp.sort(x, 0), jax.lax.top_k(x, 2)[0]

    return run, {"e": drawn(3, 4)}, drawn(4, 4, place=9)


# --- models of flax and equinox, and a loss of optax


@program
def flax_convolutions() -> Program:
    from flax import linen as nn

    class Model(nn.Module):
        @nn.compact
        def __call__(self, x):
            x = nn.avg_pool(nn.relu(nn.Conv(4, (3, 3))(x)), (2, 2), (2, 2))
            x = nn.LayerNorm()(nn.Dense(8)(x.reshape(x.shape[0], -1)))
            return nn.Dense(3)(nn.gelu(x))

    x = drawn(2, 6, 6, 1, place=9)
    return Model().apply, Model().init(KEY, x), x


@program
def flax_transformer() -> Program:
    from flax import linen as nn

    class Block(nn.Module):
        @nn.compact
        def __call__(self, x):
            y = nn.LayerNorm()(x)
            x = x + nn.MultiHeadDotProductAttention(num_heads=2)(y, y)
            return x + nn.Dense(8)(nn.gelu(nn.Dense(16)(nn.LayerNorm()(x))))

    x = drawn(2, 5, 8, place=9)
    return Block().apply, Block().init(KEY, x), x


@program
def flax_lstm() -> Program:
    from flax import linen as nn

    model = nn.RNN(nn.LSTMCell(4))
    x = drawn(2, 5, 3, place=9)
    return model.apply, model.init(KEY, x), x


@program
def flax_dropout_and_statistics() -> Program:
    from flax import linen as nn

    class Model(nn.Module):
        @nn.compact
        def __call__(self, x):
            x = nn.BatchNorm(use_running_average=True)(nn.Dense(6)(x))
            return nn.Dropout(0.5, deterministic=False)(x)

    x = drawn(5, 4, place=9)
    made = Model().init({"params": KEY, "dropout": KEY}, x)
    return (lambda p, x: Model().apply(p, x, rngs={"dropout": jax.random.PRNGKey(1)})), made, x


def _parts(model: Any) -> tuple[Any, Any]:
    import equinox as eqx

    return eqx.partition(model, eqx.is_inexact_array)


@program
def equinox_perceptron() -> Program:
    import equinox as eqx

    arrays, rest = _parts(eqx.nn.MLP(3, 2, 8, 2, dtype=F32, key=KEY))
    return (lambda p, x: jax.vmap(eqx.combine(p, rest))(x)), arrays, drawn(4, 3, place=9)


@program
def equinox_convolutions() -> Program:
    import equinox as eqx

    filters = eqx.nn.Conv2d(1, 4, 3, dtype=F32, key=KEY)
    arrays, rest = _parts(eqx.nn.Sequential([filters, eqx.nn.Lambda(jax.nn.relu), eqx.nn.MaxPool2d(2, 2)]))
    return (lambda p, x: jax.vmap(eqx.combine(p, rest))(x)), arrays, drawn(2, 1, 7, 7, place=9)


@program
def equinox_gru() -> Program:
    import equinox as eqx

    arrays, rest = _parts(eqx.nn.GRUCell(3, 4, dtype=F32, key=KEY))

    def run(p, x):
        cell = eqx.combine(p, rest)
        return jax.lax.scan(lambda hidden, part: (cell(part, hidden), None), jnp.zeros(4, F32), x)[0]

    return run, arrays, drawn(6, 3, place=9)


@program
def optax_loss() -> Program:
    import optax

    def run(p, x):
        return optax.softmax_cross_entropy_with_integer_labels(x @ p["w"], jnp.array([0, 1, 2, 1, 0]))

    return run, {"w": drawn(4, 3)}, drawn(5, 4, place=9)
