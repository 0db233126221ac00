"""A table of the greatest deviations from torch, by groups of layers, optimisers and losses, on each backend.

    python -m benchmarks.equality --backend jax

A deviation is the largest difference of an array divided by the largest magnitude of the expected one. Layers and
optimisers compute in float64 with torch's weights, training in float32.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from importlib import import_module
from typing import Any

import numpy as np

from benchmarks.timing import ROOT, in_child

BACKENDS = ("numpy", "torch", "jax", "tensorflow")

#: Greater deviations are named below the table.
LIMIT = 1e-6


def deviation(found: Any, wanted: Any) -> float:
    """Return the greatest difference as a share of the greatest magnitude; infinity for another shape."""
    found, wanted = np.asarray(found), np.asarray(wanted)
    if found.shape != wanted.shape:
        return float("inf")
    if wanted.dtype.kind != "f":
        return 0.0 if np.array_equal(found, wanted) else float("inf")
    same = (found == wanted) | (np.isnan(found) & np.isnan(wanted))
    if same.all():
        return 0.0
    scale = np.abs(wanted[np.isfinite(wanted)]).max(initial=0.0) or 1.0
    return float(np.abs(np.where(same, 0.0, found - np.where(same, 0.0, wanted)))[~same].max() / scale)


def measured() -> dict[str, list[Any]]:
    """Return deviation, name of the worst case and number of cases for each row, on the backend of this process."""
    import corearray as ca
    from corearray import nn

    models, test_layers, test_training, test_optimizers, support = map(
        import_module, ("nn.models", "nn.test_layers", "nn.test_training", "optim.test_optimizers", "standard.support")
    )
    be, numpy_of, cases = support.be, support.numpy_of, test_layers.CASES

    rows: dict[str, list[Any]] = {}

    def note(row: str, case: str, value: float) -> None:
        kept = rows.setdefault(row, [-1.0, "", 0])
        kept[2] += 1
        if value > kept[0]:
            kept[:2] = value, case

    with ca.backend_context(be):
        for number, mode in test_layers.CALLS:
            case = cases[number]
            row = getattr(nn, case.name).__module__.rpartition(".")[2]
            ca.random.seed(0)
            layer, inputs, call = test_layers.prepared(number, mode, "float64")
            values, wanted = test_layers.flat(layer(*inputs, **call)), test_layers.part(number, mode, "value").values()
            pairs = [(numpy_of(x), y) for x, y in zip(values, wanted, strict=True)]
            after = test_layers.part(number, mode, "after")
            pairs += [(numpy_of(layer.buffers()[name]), x) for name, x in after.items()]
            note(f"layers: {row}", f"{case.id}, {mode}", max(deviation(*pair) for pair in pairs))
        for name in test_optimizers.CASES:
            want = test_optimizers.expected(test_optimizers.QUESTIONS, f"{name}, float64")
            found = test_optimizers._taken(test_optimizers.CASES[name][2], name, "float64")
            note("optimisers, 20 steps", name, max(map(deviation, found, want)))
        if "reverse_mode" in be.facts:
            for name in models.MODELS:
                losses, _ = models.losses(name, 30, **test_training.OPTIONS)
                note(f"losses over 30 steps: {name}", name, deviation(losses, test_training.EXPECTED[name]))
    return rows


def main() -> None:
    """Measure each backend in a process of its own and print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.equality", description=__doc__.partition("\n")[0])
    parser.add_argument("--backend", action="append", choices=BACKENDS, help="measure this one (repeatable; all)")
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    chosen = options.backend or BACKENDS
    if options.child:
        os.environ["COREARRAY_BACKEND"] = chosen[0]
        sys.path.insert(0, str(ROOT / "tests"))
        print(json.dumps(measured()))
        return
    columns = {name: in_child("benchmarks.equality", "--child", "--backend", name) for name in chosen}
    failed = [report["failed"] for report in columns.values() if "failed" in report]
    if failed:
        sys.exit("\n".join(failed))
    rows = list(dict.fromkeys(row for column in columns.values() for row in column))
    print("| | cases | " + " | ".join(chosen) + " |\n|---|---:|" + "---:|" * len(chosen))
    for row in rows:
        cells = [f"{columns[name][row][0]:.0e}" if row in columns[name] else "–" for name in chosen]
        count = next(column[row][2] for column in columns.values() if row in column)
        print(f"| {row} | {count} | {' | '.join(cells)} |")
    for name, column in columns.items():
        for row, (value, case, _) in column.items():
            if value > LIMIT:
                print(f"\n{name}, {row}: {value:.1e} in {case}")


if __name__ == "__main__":
    main()
