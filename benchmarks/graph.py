"""What a graph costs against the program that it was made of, and against the same written by hand with native functions.

    python -m benchmarks.graph --backend numpy --backend torch

Two programs: a step through two layers of a network, and one with work that nothing needs.
"""

from __future__ import annotations

import argparse
import importlib
import json
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

from benchmarks.timing import in_child, looped, machine, measure, numbered_table

#: By backend: the module of its functions, and there the product of matrices, what leaves the positive part, and the sum.
NATIVE = {
    "numpy": ("numpy", "matmul", "maximum", "sum"),
    "torch": ("torch", "matmul", "relu", "sum"),
    "jax": ("jax.numpy", "matmul", "maximum", "sum"),
    "tensorflow": ("tensorflow", "matmul", "maximum", "reduce_sum"),
}


def layers(x: Any, w1: Any, b1: Any, w2: Any, b2: Any) -> Any:
    """Compute the loss of two layers."""
    import corearray as ca

    hidden = ca.relu(ca.matmul(x, w1) + b1)
    return ca.sum(ca.tanh(ca.matmul(hidden, w2) + b2))


def unclean(x: Any, w: Any, b: Any) -> Any:
    """Compute one thing, and others that nothing needs."""
    y = b + w + x
    wx = w * x
    ret = wx + b
    temp = y * wx  # noqa: F841
    return ret


def written_by_hand(backend: str) -> tuple[Callable[..., Any], Callable[..., Any]]:
    """Return the two programs with native functions."""
    module, matmul, relu, total = NATIVE[backend]
    xp = importlib.import_module(module)
    product, positive, add_up = getattr(xp, matmul), getattr(xp, relu), getattr(xp, total)

    def native_layers(x: Any, w1: Any, b1: Any, w2: Any, b2: Any) -> Any:
        before = product(x, w1) + b1
        hidden = positive(before) if relu == "relu" else positive(before, 0.0)
        return add_up(xp.tanh(product(hidden, w2) + b2))

    return native_layers, unclean


def child(backend: str, rounds: int) -> dict[str, Any]:
    """Time both programs in this process."""
    import corearray as ca

    ca.set_backend(backend)
    generator = ca.random.Generator(1)
    net = [generator.normal(shape=shape, dtype=ca.float32) for shape in ((32, 64), (64, 64), (64,), (64, 16), (16,))]
    few = [generator.normal(shape=(64, 64), dtype=ca.float32) for _ in range(3)]
    rows, seconds = {}, {}
    for (name, program, arguments), native in zip(
        (("layers", layers, net), ("unclean", unclean, few)), written_by_hand(backend), strict=True
    ):
        start = time.perf_counter()
        graph = ca.compile_graph(program, *arguments)
        seconds[name] = time.perf_counter() - start
        natives = [x.native for x in arguments]
        on_natives = ca.compile_graph(lambda *args, program=program: program(*map(ca.asarray, args)).native, *natives)
        call = "f(" + ", ".join(f"x{i}" for i in range(len(arguments))) + ")"
        rows[name] = {
            column: looped(call, {"f": f, **{f"x{i}": x for i, x in enumerate(given)}})
            for column, f, given in (
                ("by hand", native, natives),
                ("graph, native arrays", on_natives, natives),
                ("graph", graph, arguments),
                ("eager", program, arguments),
            )
        }
    timings = measure(rows, rounds)
    return {
        "tracing": seconds,
        "ns": {row: {column: t.median for column, t in columns.items()} for row, columns in timings.items()},
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benchmark and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--backend", action="append", choices=tuple(NATIVE))
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--child")
    options = parser.parse_args(arguments)
    if options.child:
        print(json.dumps(child(options.child, options.rounds)))
        return 0
    table = []
    for backend in options.backend or NATIVE:
        found = in_child("benchmarks.graph", "--child", backend, "--rounds", str(options.rounds))
        if "failed" in found:
            print(found["failed"], file=sys.stderr)
            return 1
        for row, columns in found["ns"].items():
            hand = columns["by hand"]
            ratios = [f"{columns[name] / hand:.2f}" for name in ("graph, native arrays", "graph", "eager")]
            table.append([f"{backend} {row}", f"{hand / 1000:.1f}", *ratios, f"{found['tracing'][row] * 1000:.1f}"])
    print(machine())
    print(numbered_table(["program", "by hand, µs", "graph, native arrays", "graph", "eager", "tracing, ms"], table))
    return 0


if __name__ == "__main__":
    sys.exit(main())
