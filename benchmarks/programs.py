"""What whole programs cost in eager mode, against the same written by hand for each framework.

    python -m benchmarks.programs --backend torch --check

Two programs on the handwritten digits of `examples/data`: `examples/digits.py` without the reading of its file, and ten passes
over the images that train a network of two layers batch by batch. `benchmarks/by_hand` has them as users of the framework
write them: the same algorithm, steps and dtypes. NumPy has no derivatives, so there both derive them by hand.
"""

from __future__ import annotations

import argparse
import json
import sys
from functools import partial
from importlib import import_module
from typing import Any

from benchmarks.timing import ROOT, Timing, in_child, looped, machine, measure, numbered_table

#: The greatest ratios to the program by hand.
LIMITS = {"numpy": 1.3, "torch": 1.1, "jax": 1.1, "tensorflow": 1.1}

RATE = 0.1


def network(weights: Any, images: Any, labels: Any, batch: int, passes: int, rate: float) -> tuple[list[float], Any]:
    """Train two layers by gradient descent; return the losses and the weights."""
    import corearray as ca

    def loss(weights: Any, x: Any, y: Any) -> Any:
        w1, b1, w2, b2 = weights
        hidden = ca.relu(ca.linear(x, w1, bias=b1))
        return ca.sparse_cross_entropy(ca.linear(hidden, w2, bias=b2), y)

    losses = []
    for start in [*range(0, len(images) - batch + 1, batch)] * passes:
        x, y = images[start : start + batch], labels[start : start + batch]
        value, slopes = ca.value_and_grad(loss)(weights, x, y)
        weights = ca.gradient_descent_update(weights, slopes, rate)
        losses.append(float(value))
    return losses, weights


def network_by_hand(
    weights: Any, images: Any, labels: Any, batch: int, passes: int, rate: float
) -> tuple[list[float], Any]:
    """Do the same where the framework has no derivatives."""
    import corearray as ca

    w1, b1, w2, b2 = weights
    rows = ca.arange(batch)
    losses = []
    for start in [*range(0, len(images) - batch + 1, batch)] * passes:
        x, y = images[start : start + batch], labels[start : start + batch]
        hidden = ca.relu(x @ w1.T + b1)
        logarithms = ca.log_softmax(hidden @ w2.T + b2, axis=1)
        losses.append(float(-ca.mean(logarithms[rows, y])))
        slope = ca.exp(logarithms)
        slope[rows, y] -= 1.0
        slope = slope / batch
        behind = (slope @ w2) * ca.astype(hidden > 0, ca.float32)
        slopes = behind.T @ x, ca.sum(behind, axis=0), slope.T @ hidden, ca.sum(slope, axis=0)
        w1, b1, w2, b2 = (w - rate * s for w, s in zip((w1, b1, w2, b2), slopes, strict=True))
    return losses, [w1, b1, w2, b2]


def programs(backend: str, batch: int, hidden: int, passes: int) -> dict[str, dict[str, Any]]:
    """Return by row and column a call of a program, after a look that both programs give the same."""
    import numpy as np

    import corearray as ca

    sys.path.insert(0, str(ROOT / "examples"))
    import digits

    be = ca.set_backend(backend)
    native = import_module(f"benchmarks.by_hand.{backend}_programs")
    training, held_out = digits.load()
    rng = ca.random.Generator(0)
    images, labels = training[0] / 16.0, training[1]
    shapes = {(hidden, 64): 64**-0.5, hidden: 0.01, (digits.DIGITS, hidden): hidden**-0.5, digits.DIGITS: 0.01}
    weights = [rng.normal(std=std, shape=shape) for shape, std in shapes.items()]
    natives = partial(ca.nested_map, ca.to_native)
    found = {
        "digits": {
            "written": partial(
                native.digits, *natives([training, held_out]), digits.COMPONENTS, digits.GROUPS, digits.DIGITS
            ),
            "corearray": partial(digits.study, training, held_out),
        },
        "network": {
            "written": partial(native.network, *natives([weights, images, labels]), batch, passes, RATE),
            "corearray": partial(
                network if "reverse_mode" in be.facts else network_by_hand, weights, images, labels, batch, passes, RATE
            ),
        },
    }
    for name, columns in found.items():
        one, other = (_numbers(columns[column]()) for column in ("written", "corearray"))
        assert len(one) == len(other), f"{name} on {backend} does not give as many numbers as the program by hand"
        np.testing.assert_allclose(other, one, rtol=1e-3, atol=1e-4, err_msg=f"{name} on {backend}")
    return found


def _numbers(result: Any) -> list[float]:
    """Return all numbers of what a program returns."""
    import numpy as np

    if isinstance(result, dict):
        return [number for key in sorted(result) for number in _numbers(result[key])]
    if isinstance(result, (list, tuple)):
        return [number for item in result for number in _numbers(item)]
    return np.ravel(np.asarray(result)).tolist()  # type: ignore[no-any-return]


def measured(backend: str, rounds: int, batch: int, hidden: int, passes: int) -> dict[str, Any]:
    """Measure one backend in this process."""
    import corearray as ca

    rows = {
        row: {column: looped("f()", {"f": f}) for column, f in columns.items()}
        for row, columns in programs(backend, batch, hidden, passes).items()
    }
    times = measure(rows, rounds, batch_ns=1.0)
    be = ca.get_backend(backend)
    return {
        "framework": f"{be.framework} {be.framework_version}",
        "rows": {row: {column: timing._asdict() for column, timing in found.items()} for row, found in times.items()},
    }


def main() -> None:
    """Measure each backend in a process of its own, print the table, and with --check fail above the limit."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.programs", description=__doc__.partition("\n")[0])
    parser.add_argument("--backend", action="append", choices=list(LIMITS), help="measure this one (repeatable; all)")
    parser.add_argument("--rounds", type=int, default=20, help="how often each program is timed (default: %(default)s)")
    parser.add_argument("--batch", type=int, default=128, help="images in a step of the network (default: %(default)s)")
    parser.add_argument("--hidden", type=int, default=256, help="neurons of its first layer (default: %(default)s)")
    parser.add_argument("--passes", type=int, default=10, help="how often it sees all images (default: %(default)s)")
    parser.add_argument("--check", action="store_true", help="exit 1 if a limit is exceeded")
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        numbers = options.rounds, options.batch, options.hidden, options.passes
        print(json.dumps(measured(options.backend[0], *numbers)))
        return
    cells, above = [], []
    for backend in options.backend or LIMITS:
        given = [f"--{name}={getattr(options, name)}" for name in ("rounds", "batch", "hidden", "passes")]
        report = in_child("benchmarks.programs", "--child", "--backend", backend, *given)
        if "failed" in report:
            sys.exit(report["failed"])
        for row, columns in report["rows"].items():
            times = {column: Timing(**timing) for column, timing in columns.items()}
            ratio = times["corearray"].ratio
            cells.append([f"{report['framework']}: {row}", f"{times['written'].median / 1e6:.1f}", f"{ratio:.2f}"])
            if ratio > LIMITS[backend]:
                above.append(f"{backend}: {row} takes {ratio:.2f} times as long, limit {LIMITS[backend]}")
    print(", ".join(f"{key} {value}" for key, value in machine().items()) + ".\n")
    print(numbered_table(["", "by hand, ms", "corearray"], cells))
    if options.check and above:
        sys.exit("\n".join(above))


if __name__ == "__main__":
    main()
