"""What compiled programs of corearray's functions cost, against the same programs written for the framework and compiled by it.

    python -m benchmarks.compiled --backend jax --check

A step of training for a network with two layers, and an LSTM, compiled by `corearray.compile` on arrays of corearray's, and
by the framework's own compiler on native ones. `--torch-backend aot_eager` measures torch without a compiler of C++.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from typing import Any

from benchmarks.timing import Timing, in_child, looped, machine, measure, numbered_table

#: The greatest ratio to the framework's own program.
LIMIT = 1.05

SHAPES = {
    "MLP, training step": {"x": (64, 256), "y": (64, 10), "w": (256, 512), "v": (512, 10)},
    "LSTM": {"x": (16, 20, 64), "w": (64, 256), "u": (64, 256), "b": (256,)},
}


def programs(ca: Any) -> dict[str, Callable[..., Any]]:
    """Return the programs of corearray's functions."""

    def loss(parameters: Any, x: Any, y: Any) -> Any:
        w, v = parameters
        return ca.mean(ca.square(ca.matmul(ca.relu(ca.matmul(x, w)), v) - y))

    def training_step(x: Any, y: Any, w: Any, v: Any) -> Any:
        value, slopes = ca.value_and_grad(loss)([w, v], x, y)
        return value, w - 0.01 * slopes[0], v - 0.01 * slopes[1]

    def lstm(x: Any, w: Any, u: Any, b: Any) -> Any:
        hidden = cell = ca.zeros((x.shape[0], u.shape[0]), dtype=x.dtype)
        inputs = ca.matmul(x, w) + b
        for step in range(x.shape[1]):
            i, f, g, o = ca.split(inputs[:, step] + ca.matmul(hidden, u), 4, axis=-1)
            cell = ca.sigmoid(f) * cell + ca.sigmoid(i) * ca.tanh(g)
            hidden = ca.sigmoid(o) * ca.tanh(cell)
        return hidden

    return {"MLP, training step": training_step, "LSTM": lstm}


def written(backend: str, torch_backend: str) -> dict[str, Callable[..., Any]]:
    """Return the programs of a framework's users, compiled."""
    if backend == "jax":
        import jax
        from jax import numpy as jnp

        def loss(parameters: Any, x: Any, y: Any) -> Any:
            w, v = parameters
            return jnp.mean(jnp.square(jax.nn.relu(x @ w) @ v - y))

        @jax.jit
        def training_step(x: Any, y: Any, w: Any, v: Any) -> Any:
            value, slopes = jax.value_and_grad(loss)([w, v], x, y)
            return value, w - 0.01 * slopes[0], v - 0.01 * slopes[1]

        return {
            "MLP, training step": training_step,
            "LSTM": jax.jit(_lstm(jnp.zeros, jnp.split, jax.nn.sigmoid, jnp.tanh)),
        }
    if backend == "torch":
        import torch

        def torch_step(x: Any, y: Any, w: Any, v: Any) -> Any:
            def loss(w: Any, v: Any) -> Any:
                return torch.mean(torch.square(torch.relu(x @ w) @ v - y))

            slopes, value = torch.func.grad_and_value(loss, (0, 1))(w, v)
            return value, w - 0.01 * slopes[0], v - 0.01 * slopes[1]

        lstm = _lstm(torch.zeros, lambda z, n, axis: torch.chunk(z, n, axis), torch.sigmoid, torch.tanh)
        made = {"MLP, training step": torch_step, "LSTM": lstm}
        return {name: torch.compile(function, backend=torch_backend) for name, function in made.items()}
    import tensorflow as tf

    @tf.function
    def tensorflow_step(x: Any, y: Any, w: Any, v: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch([w, v])
            value = tf.reduce_mean(tf.square(tf.nn.relu(x @ w) @ v - y))
        slopes = tape.gradient(value, [w, v])
        return value, w - 0.01 * slopes[0], v - 0.01 * slopes[1]

    lstm = _lstm(tf.zeros, tf.split, tf.sigmoid, tf.tanh)
    return {"MLP, training step": tensorflow_step, "LSTM": tf.function(lstm)}


def _lstm(zeros: Any, split: Any, sigmoid: Any, tanh: Any) -> Callable[..., Any]:
    def lstm(x: Any, w: Any, u: Any, b: Any) -> Any:
        hidden = cell = zeros((x.shape[0], u.shape[0]))
        inputs = x @ w + b
        for step in range(x.shape[1]):
            i, f, g, o = split(inputs[:, step] + hidden @ u, 4, -1)
            cell = sigmoid(f) * cell + sigmoid(i) * tanh(g)
            hidden = sigmoid(o) * tanh(cell)
        return hidden

    return lstm


def measured(backend: str, torch_backend: str, rounds: int) -> dict[str, Any]:
    """Measure one backend in this process, after a look that both programs give the same."""
    import numpy as np

    import corearray as ca

    ca.set_backend(backend)
    be = ca.get_backend(backend)
    theirs, ours = written(backend, torch_backend), programs(ca)
    options = {"backend": torch_backend} if backend == "torch" else {}
    rng = ca.random.Generator(0)
    rows: dict[str, Any] = {}
    for name, shapes in SHAPES.items():
        arrays = {key: 0.1 * rng.normal(shape=shape, dtype="float32") for key, shape in shapes.items()}
        natives = {key: array.native for key, array in arrays.items()}
        compiled = ca.compile(ours[name], **options)
        found, wanted = compiled(*arrays.values()), theirs[name](*natives.values())
        for one, other in zip(_flat(found), _flat(wanted), strict=True):
            np.testing.assert_allclose(np.asarray(ca.to_native(one)), np.asarray(other), rtol=1e-4, atol=1e-5)
        done = (lambda x: x) if backend != "jax" else __import__("jax").block_until_ready
        call = f"done(f({', '.join(arrays)}))"
        rows[name] = {
            "written": looped(call, {"f": theirs[name], "done": done, **natives}),
            "corearray": looped(call, {"f": compiled, "done": done, **arrays}),
        }
    times = measure(rows, rounds, batch_ns=2e7)
    return {
        "backend": backend,
        "framework": f"{be.framework} {be.framework_version}",
        "rows": {row: {column: timing._asdict() for column, timing in found.items()} for row, found in times.items()},
    }


def _flat(value: Any) -> list[Any]:
    return list(value) if isinstance(value, (tuple, list)) else [value]


def main() -> None:
    """Measure each backend in a process of its own, print the table, and with --check fail above the limit."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.compiled", description=__doc__.partition("\n")[0])
    backends = ["torch", "jax", "tensorflow"]
    parser.add_argument("--backend", action="append", choices=backends, help="measure this one (repeatable; all)")
    parser.add_argument("--rounds", type=int, default=20, help="how often each program is timed (default: %(default)s)")
    parser.add_argument("--torch-backend", default="inductor", help="what torch compiles with (default: %(default)s)")
    parser.add_argument("--check", action="store_true", help="exit 1 if the limit is exceeded")
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        print(json.dumps(measured(options.backend[0], options.torch_backend, options.rounds)))
        return
    cells, above = [], []
    for backend in options.backend or backends:
        given = [
            "--child",
            "--backend",
            backend,
            "--rounds",
            str(options.rounds),
            "--torch-backend",
            options.torch_backend,
        ]
        report = in_child("benchmarks.compiled", *given)
        if "failed" in report:
            sys.exit(report["failed"])
        for row, columns in report["rows"].items():
            times = {column: Timing(**timing) for column, timing in columns.items()}
            ratio = times["corearray"].ratio
            cells.append([f"{report['framework']}: {row}", f"{times['written'].median / 1e6:.3f}", f"{ratio:.2f}"])
            if ratio > LIMIT:
                above.append(f"{backend}: {row} takes {ratio:.2f} times as long, limit {LIMIT}")
    print(", ".join(f"{key} {value}" for key, value in machine().items()) + ".\n")
    print(numbered_table(["", "own way, ms", "corearray"], cells))
    if options.check and above:
        sys.exit("\n".join(above))


if __name__ == "__main__":
    main()
