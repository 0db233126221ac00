"""Ratios of the time of a training step: `corearray.nn` against the same step written by hand for each framework.

    python -m benchmarks.training --backend jax --check

Three models with AdamW: a network of three layers, a convolutional one with batch norm, and a small GPT. `benchmarks/by_hand`
has the steps that the frameworks' users write: `torch.nn`, `torch.optim` and `torch.compile`; pure functions and one `jax.jit`
that donates; Keras' layers and optimiser in a `tf.function`. Both begin with the same weights, and the first losses must be
equal. "Python" is what a step takes without its program, for each array of model and state; "traces" counts programs over
100 steps with a schedule. `--torch-backend aot_eager` measures torch without a compiler of C++.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from importlib import import_module
from time import perf_counter_ns, process_time_ns
from typing import Any

from benchmarks.timing import Timing, in_child, looped, machine, measure, numbered_table

#: The greatest ratios of a compiled step to the step by hand; of an eager one on torch; nanoseconds an array in Python.
LIMITS = {"torch": 1.05, "jax": 1.05, "tensorflow": 1.1}
EAGER_LIMIT = 1.1
PYTHON_LIMIT = 100.0

SIZES = {
    "MLP": {"in": 256, "hidden": 512, "out": 10},
    "CNN": {"side": 16, "out": 10},
    "GPT": {"vocab": 65, "width": 128, "heads": 4, "layers": 2, "context": 64},
}
BATCH = {"MLP": 128, "CNN": 64, "GPT": 16}
RATE = 1e-3


def models(nn: Any) -> dict[str, Callable[[], Any]]:
    """Return functions that make the models."""

    class Block(nn.Module):  # type: ignore[misc]
        def __init__(self, width: int, heads: int) -> None:
            self.ln1, self.attn = nn.LayerNorm(width), nn.MultiheadAttention(width, heads)
            self.ln2 = nn.LayerNorm(width)
            self.mlp = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width))

        def forward(self, x: Any) -> Any:
            x = x + self.attn(self.ln1(x), is_causal=True)
            return x + self.mlp(self.ln2(x))

    class GPT(nn.Module):  # type: ignore[misc]
        def __init__(self, vocab: int, width: int, heads: int, layers: int, context: int) -> None:
            self.tok, self.pos = nn.Embedding(vocab, width), nn.Embedding(context, width)
            self.blocks = nn.ModuleList([Block(width, heads) for _ in range(layers)])
            self.ln, self.head = nn.LayerNorm(width), nn.Linear(width, vocab, bias=False)

        def forward(self, tokens: Any) -> Any:
            x = self.tok(tokens) + self.pos.weight[: tokens.shape[1], :]
            for block in self.blocks:
                x = block(x)
            return self.head(self.ln(x))

    def mlp() -> Any:
        i, h, o = SIZES["MLP"].values()
        return nn.Sequential(nn.Linear(i, h), nn.ReLU(), nn.Linear(h, h), nn.ReLU(), nn.Linear(h, o))

    def cnn() -> Any:
        side, out = SIZES["CNN"].values()
        return nn.Sequential(
            nn.Conv2d(1, 16, 3, padding=1), nn.BatchNorm2d(16), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(16, 32, 3, padding=1), nn.BatchNorm2d(32), nn.ReLU(), nn.MaxPool2d(2),
            nn.Flatten(), nn.Linear(32 * (side // 4) ** 2, out),
        )  # fmt: skip

    return {"MLP": mlp, "CNN": cnn, "GPT": lambda: GPT(**SIZES["GPT"])}


def batch(name: str) -> tuple[Any, Any]:
    """Return a batch of NumPy's arrays."""
    import numpy as np

    random, count, sizes = np.random.default_rng(0), BATCH[name], SIZES[name]
    if name == "GPT":
        tokens = random.integers(0, sizes["vocab"], (count, sizes["context"] + 1))
        return tokens[:, :-1].copy(), tokens[:, 1:].copy()
    shape = (count, sizes["in"]) if name == "MLP" else (count, 1, sizes["side"], sizes["side"])
    return random.normal(size=shape).astype("float32"), random.integers(0, sizes["out"], count)


def measured(
    backend: str, names: list[str], compiler: str, eager: bool, rounds: int,
    done: Callable[[Any], Any] | None = None, with_facts: bool = True, batch_ns: float = 5e7,
    clock: Callable[[], int] = perf_counter_ns,
) -> dict[str, Any]:  # fmt: skip
    """Measure one backend in this process, after a look that both steps have the same losses; `done` waits for a result."""
    import numpy as np

    import corearray as ca
    from corearray import nn, optim

    ca.set_backend(backend)
    be = ca.get_backend(backend)
    by_hand = import_module(f"benchmarks.by_hand.{backend}_training")
    options: dict[str, Any] = {"backend": compiler, "fullgraph": True} if backend == "torch" and not eager else {}
    if done is None:
        done = (lambda x: x) if backend != "jax" else __import__("jax").block_until_ready
    rows: dict[str, Any] = {}
    facts: dict[str, Any] = {}

    def loss(model: Any, x: Any, y: Any) -> Any:
        return ca.sparse_cross_entropy(model(x), y)

    for name in names:
        ca.random.seed(0)
        model = models(nn)[name]()
        state = {key: np.array(ca.to_numpy(x)) for key, x in model.state_dict().items()}
        own = nn.TrainStep(model, loss, optim.adamw(RATE), compile=not eager, **options)
        theirs = by_hand.step(name, SIZES[name], state, RATE, None if eager else compiler)
        x, y = (ca.asarray(part) for part in batch(name))
        nx, ny = x.native, y.native
        for _ in range(3):
            np.testing.assert_allclose(float(own(x, y)), float(theirs(nx, ny)), rtol=2e-4)
        if with_facts:
            facts[name] = _facts(nn, optim, models(nn)[name](), loss, own, x, y, eager, options)
        rows[name] = {
            "by hand": looped("done(f(x, y))", {"f": theirs, "done": done, "x": nx, "y": ny}, clock),
            "corearray": looped("done(f(x, y)._native)", {"f": own, "done": done, "x": x, "y": y}, clock),
        }
    times = measure(rows, rounds, batch_ns=batch_ns)
    return {
        "framework": f"{be.framework} {be.framework_version}",
        "rows": {row: {column: timing._asdict() for column, timing in found.items()} for row, found in times.items()},
        "facts": facts,
    }


def _facts(
    nn: Any, optim: Any, twin: Any, loss: Any, own: Any, x: Any, y: Any, eager: bool, options: dict[str, Any]
) -> dict[str, Any]:
    """Return nanoseconds of Python for each array, and how often a step with a schedule is traced."""
    (program,) = set(own._programs.values())
    result = program.call(*_arguments(own, x, y))
    own._keep(list(result))
    lists = [result[0], result[1], result[2], result[3]]
    own._programs = {key: program._replace(call=lambda *_: list(lists)) for key in own._programs}
    own(x, y)
    spent = min(_spent(own, x, y, 50) for _ in range(20))
    own._programs = dict.fromkeys(own._programs, program)
    arrays = 2 * sum(len(part) for part in lists[1:])
    scheduled = nn.TrainStep(twin, loss, optim.adamw(optim.warmup_cosine(RATE, 10, 100)), compile=not eager, **options)
    for _ in range(100):
        scheduled(x, y)
    return {"python": spent / arrays, "traces": scheduled.traces}


def _spent(call: Callable[..., Any], x: Any, y: Any, count: int) -> float:
    """Return nanoseconds of the processor for a call."""
    start = process_time_ns()
    for _ in range(count):
        call(x, y)
    return (process_time_ns() - start) / count


def _arguments(own: Any, x: Any, y: Any) -> tuple[Any, ...]:
    backend = own.backend
    places = (own._trainable.natives(backend), own._buffers.natives(backend), own._state, own._frozen.natives(backend))
    return (*places, [x.native, y.native])


def main() -> None:
    """Measure each backend in a process of its own, print the table, and with --check fail above a limit."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.training", description=__doc__.partition("\n")[0])
    parser.add_argument("--backend", action="append", choices=list(LIMITS), help="measure this one (repeatable; all)")
    parser.add_argument("--model", action="append", choices=list(SIZES), help="measure this one (repeatable; all)")
    parser.add_argument("--eager", action="store_true", help="without compilers; by hand only torch runs so")
    parser.add_argument("--rounds", type=int, default=20, help="how often each step is timed (default: %(default)s)")
    parser.add_argument("--torch-backend", default="inductor", help="what torch compiles with (default: %(default)s)")
    parser.add_argument("--processor", action="store_true", help="processor time; torch with one thread")
    parser.add_argument("--check", action="store_true", help="exit 1 if a limit is exceeded")
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    names = options.model or list(SIZES)
    if options.child:
        clock = process_time_ns if options.processor else perf_counter_ns
        if options.processor and options.backend[0] == "torch":
            import_module("torch").set_num_threads(1)
        found = measured(options.backend[0], names, options.torch_backend, options.eager, options.rounds, clock=clock)
        print(json.dumps(found))
        return
    cells, above = [], []
    for backend in options.backend or (["torch"] if options.eager else list(LIMITS)):
        given = ["--child", "--backend", backend, "--rounds", str(options.rounds)]
        given += ["--torch-backend", options.torch_backend, *(["--eager"] if options.eager else [])]
        given += ["--processor"] if options.processor else []
        report = in_child("benchmarks.training", *given, *(part for name in names for part in ("--model", name)))
        if "failed" in report:
            sys.exit(report["failed"])
        limit = EAGER_LIMIT if options.eager else LIMITS[backend]
        for row, columns in report["rows"].items():
            times, facts = {column: Timing(**timing) for column, timing in columns.items()}, report["facts"][row]
            ratio = times["corearray"].ratio
            milliseconds = f"{times['by hand'].median / 1e6:.3f}"
            traces = str(facts["traces"])
            cells.append(
                [f"{report['framework']}: {row}", milliseconds, f"{ratio:.2f}", f"{facts['python']:.0f}", traces]
            )
            if ratio > limit:
                above.append(f"{backend}: {row} takes {ratio:.2f} times as long, limit {limit}")
            if facts["python"] > PYTHON_LIMIT:
                above.append(
                    f"{backend}: {row} takes {facts['python']:.0f} ns an array in Python, limit {PYTHON_LIMIT:.0f}"
                )
            if not options.eager and facts["traces"] > 1:
                above.append(f"{backend}: {row} was traced {facts['traces']} times with a schedule")
    print(", ".join(f"{key} {value}" for key, value in machine().items()) + ".\n")
    print(numbered_table(["", "by hand, ms", "corearray", "Python, ns an array", "traces"], cells))
    if options.check and above:
        sys.exit("\n".join(above))


if __name__ == "__main__":
    main()
