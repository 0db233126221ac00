"""Times of transpiled programs on JAX, as ratios to the same programs written for JAX and compiled by `jax.jit`.

    python -m benchmarks.transpiled --source torch

Ten programs in the words of each source; `t.graph.native` of each is timed beside the one that is written in `jax.numpy`.

    python -m benchmarks.transpiled --entry

Small models of transformers (which must be installed): `t(x)` beside `t.graph.native`, by processor time.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Callable
from time import process_time_ns
from typing import Any

from benchmarks.timing import Timing, in_child, looped, machine, measure, numbered_table

#: The greatest geometric mean of the ratios to the programs written for JAX, and ratio of `t(x)` to `t.graph.native`.
LIMIT = 1.05

_SIZES = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 64}

#: Small models of transformers: the class, its configuration's class, and the sizes.
MODELS: dict[str, tuple[str, str, dict[str, int]]] = {
    "BERT": ("BertModel", "BertConfig", _SIZES),
    "GPT-2": ("GPT2Model", "GPT2Config", {"n_embd": 32, "n_layer": 2, "n_head": 4}),
    "Llama": ("LlamaModel", "LlamaConfig", {**_SIZES, "num_key_value_heads": 2}),
}

SHAPES: dict[str, tuple[tuple[int, ...], ...]] = {
    "perceptron": ((128, 256), (256, 512), (512, 64)),
    "softmax": ((512, 512),),
    "layer norm": ((512, 512), (512,), (512,)),
    "attention": ((8, 64, 64), (8, 64, 64), (8, 64, 64)),
    "logsumexp": ((512, 512),),
    "distances": ((256, 32), (256, 32)),
    "polynomial": ((512, 512),),
    "gates": ((256, 256), (256, 256), (256, 256)),
    "whitening": ((512, 64),),
    "cumulative": ((256, 512),),
}


def jax_programs() -> dict[str, Callable[..., Any]]:
    """Return the programs in the words of JAX."""
    import jax
    from jax import numpy as jnp

    def norm(x: Any, w: Any, b: Any) -> Any:
        centred = x - jnp.mean(x, axis=-1, keepdims=True)
        return centred / jnp.sqrt(jnp.mean(centred**2, axis=-1, keepdims=True) + 1e-5) * w + b

    def whitening(x: Any) -> Any:
        centred = x - jnp.mean(x, axis=0)
        return centred.T @ centred / x.shape[0]

    return {
        "perceptron": lambda x, w, v: jnp.tanh(jnp.tanh(x @ w) @ v),
        "softmax": lambda x: jax.nn.softmax(x, axis=-1),
        "layer norm": norm,
        "attention": lambda q, k, v: jax.nn.softmax(q @ jnp.swapaxes(k, -1, -2) / 8.0, axis=-1) @ v,
        "logsumexp": lambda x: jax.scipy.special.logsumexp(x, axis=1),
        "distances": lambda x, y: jnp.sqrt(jnp.sum((x[:, None] - y[None]) ** 2, axis=-1) + 1e-6),
        "polynomial": lambda x: ((x * 0.5 + 1.0) * x - 2.0) * x + jnp.exp(-x * x),
        "gates": lambda x, y, z: jax.nn.sigmoid(x) * jnp.tanh(y) + (1.0 - jax.nn.sigmoid(x)) * z,
        "whitening": whitening,
        "cumulative": lambda x: jnp.cumsum(jnp.where(x > 0, x, 0.0), axis=1),
    }


def numpy_programs() -> dict[str, Callable[..., Any]]:
    """Return the programs in the words of NumPy."""
    import numpy as np

    def softmax(x: Any) -> Any:
        raised = np.exp(x - x.max(axis=-1, keepdims=True))
        return raised / raised.sum(axis=-1, keepdims=True)

    def norm(x: Any, w: Any, b: Any) -> Any:
        centred = x - x.mean(axis=-1, keepdims=True)
        return centred / np.sqrt(np.mean(centred**2, axis=-1, keepdims=True) + 1e-5) * w + b

    def logsumexp(x: Any) -> Any:
        top = x.max(axis=1, keepdims=True)
        return np.log(np.exp(x - top).sum(axis=1)) + top[:, 0]

    def sigmoid(x: Any) -> Any:
        return 1.0 / (1.0 + np.exp(-x))

    def whitening(x: Any) -> Any:
        centred = x - x.mean(axis=0)
        return centred.T @ centred / x.shape[0]

    return {
        "perceptron": lambda x, w, v: np.tanh(np.tanh(x @ w) @ v),
        "softmax": softmax,
        "layer norm": norm,
        "attention": lambda q, k, v: softmax(q @ np.swapaxes(k, -1, -2) / 8.0) @ v,
        "logsumexp": logsumexp,
        "distances": lambda x, y: np.sqrt(np.sum((x[:, None] - y[None]) ** 2, axis=-1) + 1e-6),
        "polynomial": lambda x: ((x * 0.5 + 1.0) * x - 2.0) * x + np.exp(-x * x),
        "gates": lambda x, y, z: sigmoid(x) * np.tanh(y) + (1.0 - sigmoid(x)) * z,
        "whitening": whitening,
        "cumulative": lambda x: np.cumsum(np.where(x > 0, x, 0.0), axis=1),
    }


def torch_programs() -> dict[str, Callable[..., Any]]:
    """Return the programs in the words of torch."""
    import torch
    from torch.nn import functional as F  # noqa: N812

    def whitening(x: Any) -> Any:
        centred = x - x.mean(0)
        return centred.T @ centred / x.shape[0]

    return {
        "perceptron": lambda x, w, v: torch.tanh(torch.tanh(x @ w) @ v),
        "softmax": lambda x: torch.softmax(x, -1),
        "layer norm": lambda x, w, b: F.layer_norm(x, (512,), w, b),
        "attention": lambda q, k, v: torch.softmax(q @ k.transpose(-1, -2) / 8.0, -1) @ v,
        "logsumexp": lambda x: torch.logsumexp(x, 1),
        "distances": lambda x, y: torch.sqrt(torch.sum((x[:, None] - y[None]) ** 2, -1) + 1e-6),
        "polynomial": lambda x: ((x * 0.5 + 1.0) * x - 2.0) * x + torch.exp(-x * x),
        "gates": lambda x, y, z: torch.sigmoid(x) * torch.tanh(y) + (1.0 - torch.sigmoid(x)) * z,
        "whitening": whitening,
        "cumulative": lambda x: torch.cumsum(torch.where(x > 0, x, 0.0), 1),
    }


def tensorflow_programs() -> dict[str, Callable[..., Any]]:
    """Return the programs in the words of TensorFlow."""
    import tensorflow as tf

    def norm(x: Any, w: Any, b: Any) -> Any:
        mean, variance = tf.nn.moments(x, -1, keepdims=True)
        return (x - mean) * tf.math.rsqrt(variance + 1e-5) * w + b

    def whitening(x: Any) -> Any:
        centred = x - tf.reduce_mean(x, 0)
        return tf.matmul(centred, centred, transpose_a=True) / x.shape[0]

    return {
        "perceptron": lambda x, w, v: tf.tanh(tf.tanh(x @ w) @ v),
        "softmax": tf.nn.softmax,
        "layer norm": norm,
        "attention": lambda q, k, v: tf.nn.softmax(tf.matmul(q, k, transpose_b=True) / 8.0) @ v,
        "logsumexp": lambda x: tf.reduce_logsumexp(x, 1),
        "distances": lambda x, y: tf.sqrt(tf.reduce_sum((x[:, None] - y[None]) ** 2, -1) + 1e-6),
        "polynomial": lambda x: ((x * 0.5 + 1.0) * x - 2.0) * x + tf.exp(-x * x),
        "gates": lambda x, y, z: tf.sigmoid(x) * tf.tanh(y) + (1.0 - tf.sigmoid(x)) * z,
        "whitening": whitening,
        "cumulative": lambda x: tf.cumsum(tf.where(x > 0, x, 0.0), 1),
    }


SOURCES: dict[str, Callable[[], dict[str, Callable[..., Any]]]] = {
    "numpy": numpy_programs, "torch": torch_programs, "jax": jax_programs, "tensorflow": tensorflow_programs,
}  # fmt: skip


def measured(source: str, rounds: int) -> dict[str, Any]:
    """Measure one source in this process, after a look that both programs give the same."""
    import jax
    import numpy as np

    import corearray as ca

    rng = np.random.default_rng(0)
    programs, by_hand = SOURCES[source](), jax_programs()
    rows: dict[str, Any] = {}
    for name, shapes in SHAPES.items():
        arrays = [rng.normal(size=shape).astype(np.float32) for shape in shapes]
        example = [ca.get_backend(source).asarray(x).native for x in arrays]
        graph = ca.transpile(programs[name], *example, to="jax", source=source).graph
        natives = {f"x{i}": jax.numpy.asarray(x) for i, x in enumerate(arrays)}
        written = jax.jit(by_hand[name])
        (found,) = graph.native(*natives.values())
        np.testing.assert_allclose(np.asarray(found), np.asarray(written(*natives.values())), rtol=2e-4, atol=2e-4)
        call = f"done(f({', '.join(natives)}))"
        rows[name] = {
            "written": looped(call, {"f": written, "done": jax.block_until_ready, **natives}),
            "transpiled": looped(call, {"f": graph.native, "done": jax.block_until_ready, **natives}),
        }
    times = measure(rows, rounds, batch_ns=1e7)
    return {
        "rows": {row: {column: timing._asdict() for column, timing in found.items()} for row, found in times.items()}
    }


def measured_entry(rounds: int) -> dict[str, Any]:
    """Measure `t(x)` beside `t.graph.native` in this process, by the processor time of all its threads."""
    import jax
    import torch
    import transformers

    import corearray as ca

    rows: dict[str, Any] = {}
    for name, (model_class, config_class, sizes) in MODELS.items():
        torch.manual_seed(0)
        config = getattr(transformers, config_class)(vocab_size=99, return_dict=False, use_cache=False, **sizes)
        model = getattr(transformers, model_class)(config).eval()
        ids = torch.randint(0, 99, (2, 16))
        program = ca.transpile(model, ids, to="jax")
        x = jax.numpy.asarray(ids.numpy())
        held = {f"p{i}": array.native for i, array in enumerate(program._arrays[key] for key in program.inputs)}
        names = {"done": jax.block_until_ready, "x": x}
        native = {"f": program.graph.native, **names, **held}
        rows[name] = {
            "graph": looped(f"done(f({', '.join(held)}, x)[0])", native, process_time_ns),
            "t(x)": looped("done(t(x)[0])", {"t": program, **names}, process_time_ns),
        }
    times = measure(rows, rounds, batch_ns=1e7)
    return {
        "rows": {row: {column: timing._asdict() for column, timing in found.items()} for row, found in times.items()}
    }


def print_entry(rounds: int, check: bool) -> None:
    """Print the times of `t(x)` and `t.graph.native`, and fail above the limit if asked to."""
    report = in_child("benchmarks.transpiled", "--child", "--entry", "--rounds", str(rounds))
    if "failed" in report:
        sys.exit(report["failed"])
    print(", ".join(f"{key} {value}" for key, value in machine().items()) + ".\n")
    ratios = {name: Timing(**columns["t(x)"]).ratio for name, columns in report["rows"].items()}
    cells = [
        [name, *(f"{columns[column]['median'] / 1e6:.3f}" for column in ("graph", "t(x)")), f"{ratios[name]:.3f}"]
        for name, columns in report["rows"].items()
    ]
    print(numbered_table(["processor time of a call, ms", "t.graph.native", "t(x)", "ratio"], cells))
    above = [f"{name}: {ratio:.3f}, limit {LIMIT}" for name, ratio in ratios.items() if ratio > LIMIT]
    if check and above:
        sys.exit("\n".join(above))


def main() -> None:
    """Measure each source in a process of its own, print the table, and with --check fail above the limit."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.transpiled", description=__doc__.partition("\n")[0])
    parser.add_argument("--source", action="append", choices=list(SOURCES), help="measure this one (repeatable; all)")
    parser.add_argument("--rounds", type=int, default=40, help="how often each program is timed (default: %(default)s)")
    parser.add_argument("--check", action="store_true", help="exit 1 if a geometric mean exceeds the limit")
    parser.add_argument("--entry", action="store_true", help="measure t(x) beside t.graph.native, and no source")
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child and options.entry:
        print(json.dumps(measured_entry(options.rounds)))
        return
    if options.entry:
        print_entry(options.rounds, options.check)
        return
    if options.child:
        print(json.dumps(measured(options.source[0], options.rounds)))
        return
    chosen = options.source or list(SOURCES)
    ratios: dict[str, dict[str, float]] = {}
    for source in chosen:
        report = in_child("benchmarks.transpiled", "--child", "--source", source, "--rounds", str(options.rounds))
        if "failed" in report:
            sys.exit(report["failed"])
        ratios[source] = {row: Timing(**columns["transpiled"]).ratio for row, columns in report["rows"].items()}
    means = {source: math.exp(sum(map(math.log, found.values())) / len(found)) for source, found in ratios.items()}
    print(", ".join(f"{key} {value}" for key, value in machine().items()) + ".\n")
    cells = [[name, *(f"{ratios[source][name]:.2f}" for source in chosen)] for name in SHAPES]
    cells.append(["geometric mean", *(f"{means[source]:.2f}" for source in chosen)])
    print(numbered_table(["transpiled to JAX, from", *chosen], cells))
    above = [f"{source}: {mean:.2f}, limit {LIMIT}" for source, mean in means.items() if mean > LIMIT]
    if options.check and above:
        sys.exit("\n".join(above))


if __name__ == "__main__":
    main()
