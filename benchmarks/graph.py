"""What a graph costs against the program that it was made of, and against the same written by hand with native functions.

    python -m benchmarks.graph --backend numpy --backend torch

Five programs: a step of training two layers (where there are no derivatives, their loss), a recurrent layer over 50 steps,
a block of a transformer, a step of k-means, and one with work that nothing needs. The columns are ratios to the program
written by hand, as one would without knowing that it is compared; below them stands their geometric mean. Compiled are the
programs by hand and the graphs by `torch.compile`, `jax.jit` and `tf.function`.
"""

from __future__ import annotations

import argparse
import gc
import json
import math
import shutil
import sys
import time
import tracemalloc
from collections.abc import Callable, Sequence
from functools import partial
from types import SimpleNamespace
from typing import Any

from benchmarks.timing import in_child, looped, machine, measure, numbered_table

BACKENDS = ("numpy", "torch", "jax", "tensorflow")
RATIOS = ("graph, native arrays", "graph", "eager", "native, compiled", "graph, compiled")

# --- the programs with corearray


def training(x: Any, y: Any, w1: Any, b1: Any, w2: Any, b2: Any) -> Any:
    """Take a step down the gradient of the loss of two layers."""
    import corearray as ca

    def loss(parameters: Any) -> Any:
        w1, b1, w2, b2 = parameters
        hidden = ca.relu(ca.matmul(x, w1) + b1)
        return ca.mean(ca.square(ca.matmul(hidden, w2) + b2 - y))

    parameters = [w1, b1, w2, b2]
    if "reverse_mode" not in ca.get_backend().facts:
        return loss(parameters)
    value, slopes = ca.value_and_grad(loss)(parameters)
    return value, [weight - 0.1 * slope for weight, slope in zip(parameters, slopes, strict=True)]


def recurrent(x: Any, h: Any, c: Any, wx: Any, wh: Any, b: Any) -> Any:
    """Run a layer of long short-term memory over its steps."""
    import corearray as ca

    size = h.shape[1]
    for t in range(x.shape[0]):
        gates = ca.matmul(x[t], wx) + ca.matmul(h, wh) + b
        i, f, o = (ca.sigmoid(gates[:, k * size : (k + 1) * size]) for k in range(3))
        c = f * c + i * ca.tanh(gates[:, 3 * size :])
        h = o * ca.tanh(c)
    return h


def transformer(x: Any, wq: Any, wk: Any, wv: Any, wo: Any, w1: Any, w2: Any) -> Any:
    """Attend with four heads, and pass two layers, each normalized before and added to what came in."""
    import corearray as ca

    def normalized(x: Any) -> Any:
        around = x - ca.mean(x, axis=-1, keepdims=True)
        return around / ca.sqrt(ca.mean(ca.square(around), axis=-1, keepdims=True) + 1e-5)

    def heads(x: Any) -> Any:
        return ca.permute_dims(ca.reshape(x, (count, length, 4, width // 4)), (0, 2, 1, 3))

    count, length, width = x.shape
    n = normalized(x)
    q, k, v = heads(ca.matmul(n, wq)), heads(ca.matmul(n, wk)), heads(ca.matmul(n, wv))
    weights = ca.softmax(ca.matmul(q, ca.permute_dims(k, (0, 1, 3, 2))) * (width // 4) ** -0.5, axis=-1)
    mixed = ca.reshape(ca.permute_dims(ca.matmul(weights, v), (0, 2, 1, 3)), (count, length, width))
    x = x + ca.matmul(mixed, wo)
    return x + ca.matmul(ca.relu(ca.matmul(normalized(x), w1)), w2)


def k_means(x: Any, centers: Any) -> Any:
    """Move each center to the mean of what is nearest to it."""
    import corearray as ca

    apart = ca.expand_dims(x, axis=1) - ca.expand_dims(centers, axis=0)
    nearest = ca.argmin(ca.sum(ca.square(apart), axis=2), axis=1)
    belongs = ca.astype(ca.expand_dims(nearest, axis=1) == ca.arange(centers.shape[0]), x.dtype)
    sums = ca.matmul(ca.permute_dims(belongs, (1, 0)), x)
    return sums / ca.maximum(ca.expand_dims(ca.sum(belongs, axis=0), axis=1), 1.0)


def unclean(x: Any, w: Any, b: Any) -> Any:
    """Compute one thing, and others that nothing needs."""
    y = b + w + x
    wx = w * x
    ret = wx + b
    temp = y * wx  # noqa: F841
    return ret


#: The programs and the shapes of their arguments.
PROGRAMS: dict[str, tuple[Callable[..., Any], tuple[tuple[int, ...], ...]]] = {
    "training": (training, ((128, 64), (128, 10), (64, 128), (128,), (128, 10), (10,))),
    "recurrent": (recurrent, ((50, 16, 32), (16, 64), (16, 64), (32, 256), (64, 256), (256,))),
    "transformer": (transformer, ((4, 32, 64), *[(64, 64)] * 4, (64, 256), (256, 64))),
    "k-means": (k_means, ((500, 8), (10, 8))),
    "unclean": (unclean, ((64, 64), (64, 64), (64, 64))),
}

# --- the same with native functions


def numpy_functions() -> Any:
    """Return what the programs by hand call."""
    import numpy as np
    from scipy.special import expit

    def softmax(x: Any) -> Any:
        e = np.exp(x - x.max(axis=-1, keepdims=True))
        return e / e.sum(axis=-1, keepdims=True)

    return SimpleNamespace(
        xp=np, relu=lambda x: np.maximum(x, 0), sigmoid=expit, softmax=softmax, permuted=np.transpose,
        mean=partial(np.mean, axis=-1, keepdims=True), mean_of_all=np.mean, sum=np.sum, with_gradients=None,
        float=lambda x: x.astype("float32"), positive=lambda x: np.maximum(x, 1), argmin=np.argmin,
    )  # fmt: skip


def torch_functions() -> Any:
    """Return what the programs by hand call."""
    import torch

    def with_gradients(loss: Any, parameters: Any) -> Any:
        leaves = [x.detach().requires_grad_() for x in parameters]
        value = loss(leaves)
        return value.detach(), torch.autograd.grad(value, leaves)

    return SimpleNamespace(
        xp=torch, relu=torch.relu, sigmoid=torch.sigmoid, softmax=partial(torch.softmax, dim=-1), permuted=torch.permute,
        mean=lambda x: x.mean(-1, keepdim=True), mean_of_all=torch.mean, sum=torch.sum, with_gradients=with_gradients,
        float=lambda x: x.float(), positive=lambda x: torch.clamp(x, min=1.0), argmin=torch.argmin,
    )  # fmt: skip


def jax_functions() -> Any:
    """Return what the programs by hand call."""
    import jax
    from jax import numpy as jnp

    return SimpleNamespace(
        xp=jnp, relu=jax.nn.relu, sigmoid=jax.nn.sigmoid, softmax=jax.nn.softmax, permuted=jnp.transpose,
        mean=partial(jnp.mean, axis=-1, keepdims=True), mean_of_all=jnp.mean, sum=jnp.sum,
        with_gradients=lambda loss, parameters: jax.value_and_grad(loss)(parameters),
        float=lambda x: x.astype("float32"), positive=lambda x: jnp.maximum(x, 1), argmin=jnp.argmin,
    )  # fmt: skip


def tensorflow_functions() -> Any:
    """Return what the programs by hand call."""
    import tensorflow as tf

    def with_gradients(loss: Any, parameters: Any) -> Any:
        with tf.GradientTape() as tape:
            for x in parameters:
                tape.watch(x)
            value = loss(parameters)
        return value, tape.gradient(value, parameters)

    return SimpleNamespace(
        xp=tf, relu=tf.nn.relu, sigmoid=tf.sigmoid, softmax=tf.nn.softmax, permuted=tf.transpose,
        mean=partial(tf.reduce_mean, axis=-1, keepdims=True), mean_of_all=tf.reduce_mean, sum=tf.reduce_sum,
        with_gradients=with_gradients, float=lambda x: tf.cast(x, tf.float32), positive=lambda x: tf.maximum(x, 1.0),
        argmin=lambda x, axis: tf.argmin(x, axis, output_type=tf.int32),
    )  # fmt: skip


def by_hand(backend: str) -> dict[str, Callable[..., Any]]:
    """Return the programs written with native functions."""
    known = globals()[f"{backend}_functions"]()
    xp, relu, sigmoid, softmax, permuted = known.xp, known.relu, known.sigmoid, known.softmax, known.permuted
    mean, add_up, with_gradients = known.mean, known.sum, known.with_gradients

    def training(x: Any, y: Any, *parameters: Any) -> Any:
        def loss(parameters: Any) -> Any:
            w1, b1, w2, b2 = parameters
            return known.mean_of_all(xp.square(relu(x @ w1 + b1) @ w2 + b2 - y))

        if with_gradients is None:
            return loss(parameters)
        value, slopes = with_gradients(loss, parameters)
        return value, [weight - 0.1 * slope for weight, slope in zip(parameters, slopes, strict=True)]

    def recurrent(x: Any, h: Any, c: Any, wx: Any, wh: Any, b: Any) -> Any:
        size = h.shape[1]
        for t in range(x.shape[0]):
            gates = x[t] @ wx + h @ wh + b
            i, f, o = (sigmoid(gates[:, k * size : (k + 1) * size]) for k in range(3))
            c = f * c + i * xp.tanh(gates[:, 3 * size :])
            h = o * xp.tanh(c)
        return h

    def transformer(x: Any, wq: Any, wk: Any, wv: Any, wo: Any, w1: Any, w2: Any) -> Any:
        def normalized(x: Any) -> Any:
            around = x - mean(x)
            return around / xp.sqrt(mean(xp.square(around)) + 1e-5)

        def heads(x: Any) -> Any:
            return permuted(xp.reshape(x, (count, length, 4, width // 4)), (0, 2, 1, 3))

        count, length, width = x.shape
        n = normalized(x)
        q, k, v = heads(n @ wq), heads(n @ wk), heads(n @ wv)
        weights = softmax(q @ permuted(k, (0, 1, 3, 2)) * (width // 4) ** -0.5)
        x = x + xp.reshape(permuted(weights @ v, (0, 2, 1, 3)), (count, length, width)) @ wo
        return x + relu(normalized(x) @ w1) @ w2

    def k_means(x: Any, centers: Any) -> Any:
        nearest = known.argmin(add_up(xp.square(x[:, None] - centers[None]), 2), 1)
        number = xp.range if hasattr(xp, "GradientTape") else xp.arange
        belongs = known.float(nearest[:, None] == number(centers.shape[0]))
        return permuted(belongs, (1, 0)) @ x / known.positive(add_up(belongs, 0)[:, None])

    return {
        "training": training, "recurrent": recurrent, "transformer": transformer, "k-means": k_means, "unclean": unclean,
    }  # fmt: skip


def compiler(backend: str) -> Callable[..., Any] | None:
    """Return the framework's compiler, if there is one here."""
    if backend == "torch" and shutil.which("g++"):
        import torch

        return partial(torch.compile, dynamic=False)
    if backend == "jax":
        import jax

        return jax.jit
    if backend == "tensorflow":
        import tensorflow as tf

        return partial(tf.function, autograph=False)
    return None


# --- timing


def child(backend: str, names: Sequence[str], rounds: int, least: bool) -> dict[str, Any]:
    """Time programs in this process; `least` takes the minima of all rounds."""
    import corearray as ca

    ca.set_backend(backend)
    generator = ca.random.Generator(1)
    hand, compiled = by_hand(backend), compiler(backend)
    rows, found = {}, {}
    for name in names:
        program, shapes = PROGRAMS[name]
        arguments = [generator.normal(shape=shape, dtype=ca.float32) for shape in shapes]
        natives = [x.native for x in arguments]
        start = time.perf_counter()
        graph = ca.compile_graph(program, *arguments)
        seconds = time.perf_counter() - start
        tracemalloc.start()
        again = ca.compile_graph(program, *arguments)
        _, peak = tracemalloc.get_traced_memory()
        gc.collect()
        kept, _ = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        found[name] = {"seconds": seconds, "kept": kept, "peak": peak, "calls": len(again)}
        columns = {
            "by hand": (hand[name], natives),
            "graph, native arrays": (ca.compile_graph(program, *natives), natives),
            "graph": (graph, arguments),
            "eager": (program, arguments),
        }
        if compiled is not None:
            columns["native, compiled"] = compiled(hand[name]), natives
            columns["graph, compiled"] = graph.to_backend_compile(), arguments
        call = "f(" + ", ".join(f"x{i}" for i in range(len(arguments))) + ")"
        rows[name] = {
            column: looped(call, {"f": f, **{f"x{i}": x for i, x in enumerate(given)}})
            for column, (f, given) in columns.items()
        }
    timings = measure(rows, rounds)
    for name, columns in timings.items():
        found[name]["ns"] = {column: t.minimum if least else t.median for column, t in columns.items()}
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benchmark and print tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--backend", action="append", choices=BACKENDS)
    parser.add_argument("--program", action="append", choices=tuple(PROGRAMS))
    parser.add_argument("--rounds", type=int, default=100)
    parser.add_argument("--least", action="store_true", help="compare minima, on a machine that does other things too")
    parser.add_argument("--child")
    options = parser.parse_args(arguments)
    programs = options.program or list(PROGRAMS)
    if options.child:
        print(json.dumps(child(options.child, programs, options.rounds, options.least)))
        return 0
    table, costs = [], []
    for backend in options.backend or BACKENDS:
        chosen = [word for name in programs for word in ("--program", name)]
        chosen += ["--least"] if options.least else []
        found = in_child("benchmarks.graph", "--child", backend, "--rounds", str(options.rounds), *chosen)
        if "failed" in found:
            print(found["failed"], file=sys.stderr)
            return 1
        logs: dict[str, list[float]] = {name: [] for name in RATIOS}
        for row, told in found.items():
            hand = told["ns"]["by hand"]
            ratios = {name: told["ns"][name] / hand for name in RATIOS if name in told["ns"]}
            for name, ratio in ratios.items():
                logs[name].append(math.log(ratio))
            shown = [f"{ratios[name]:.2f}" if name in ratios else "-" for name in RATIOS]
            table.append([f"{backend} {row}", f"{hand / 1000:.1f}", *shown])
            costs.append(
                [f"{backend} {row}", str(told["calls"]), f"{told['seconds'] * 1000:.0f}"]
                + [f"{told[name] / 1024:.0f}" for name in ("kept", "peak")]
            )
        means = [f"{math.exp(sum(log) / len(log)):.2f}" if log else "-" for log in logs.values()]
        table.append([f"{backend}, mean", "", *means])
    print(machine())
    print(numbered_table(["program", "by hand, µs", *RATIOS], table))
    print()
    print(numbered_table(["program", "calls", "tracing, ms", "memory kept, KiB", "while tracing, KiB"], costs))
    return 0


if __name__ == "__main__":
    sys.exit(main())
