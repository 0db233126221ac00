"""Programs of JAX, flax and equinox on a target, compared with JAX: outputs, and gradients by two ways.

python tests/models/jax_judge.py --to torch                   # all programs, a line each
python tests/models/jax_judge.py --to torch lstm flax_lstm

The gradients of all parameters are those of a transpiled `jax.grad`, and those that the target finds for a transpiled function.
"""

from __future__ import annotations

import argparse
import sys
import time
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax.tree_util import DictKey, GetAttrKey, tree_flatten_with_path
from jax_programs import LIBRARIES, PROGRAMS

import corearray as ca
from corearray.transforms.tree import Tree

TOLERANCE = 1e-5


class Verdict(NamedTuple):
    """What is wrong with a program, nothing if it is right, with the largest relative errors and the seconds it took."""

    name: str
    wrong: str
    outputs: float = 0.0
    gradients: float = 0.0
    seconds: float = 0.0


def named(tree: Any) -> dict[tuple[str, ...], Any]:
    """Return the leaves of a tree by their keys; a class of equinox has the names of a dictionary."""
    leaves = tree_flatten_with_path(tree)[0]
    return {tuple(_name(key) for key in path): leaf for path, leaf in leaves}


def _name(key: Any) -> str:
    return str(key.name if isinstance(key, GetAttrKey) else key.key if isinstance(key, DictKey) else key)


def error_of(found: Any, wanted: Any) -> float:
    """Return the largest difference as a share of the largest number of all leaves."""
    mine, theirs = named(found), named(wanted)
    if mine.keys() != theirs.keys():
        return float("inf")
    pairs = [(ca.to_numpy(mine[key]), np.asarray(theirs[key])) for key in theirs]
    if any((x.shape, x.dtype) != (y.shape, y.dtype) for x, y in pairs):
        return float("inf")
    scale = max(float(np.abs(y).max(initial=0)) for _, y in pairs)
    worst = max(float(np.abs(x - y).max(initial=0)) for x, y in pairs)
    return worst / max(scale, 1e-30) if np.isfinite(worst) else float("inf")


def judge(name: str, target: str) -> Verdict:
    """Return the verdict on a program."""
    start = time.perf_counter()
    function, parameters, x = PROGRAMS[name]()

    def loss(parameters: Any, x: Any) -> Any:
        return sum(jnp.sum(jnp.square(leaf)) for leaf in jax.tree.leaves(function(parameters, x)))

    backend = ca.get_backend(target)
    given = [jax.tree.map(lambda leaf: ca.to_backend(leaf, target), tree) for tree in (parameters, x)]
    run = ca.transpile(function, parameters, x, to=target, source="jax")
    outputs = error_of(run(*given), function(parameters, x))
    slopes = jax.grad(loss)(parameters, x)
    gradients = error_of(ca.transpile(jax.grad(loss), parameters, x, to=target, source="jax")(*given), slopes)
    if "reverse_mode" in backend.facts:

        def found_loss(parameters: Any) -> Any:
            with ca.backend_context(target):
                return sum(ca.sum(ca.square(leaf)) for leaf in Tree(run(parameters, given[1])).leaves)

        gradients = max(gradients, error_of(ca.grad(found_loss)(given[0]), slopes))
    wrong = "; ".join(
        f"{kind} off by {by:.1e}"
        for kind, by in (("outputs", outputs), ("gradients", gradients))
        if not by <= TOLERANCE
    )
    return Verdict(name, wrong, outputs, gradients, time.perf_counter() - start)


def judged(name: str, target: str) -> Verdict:
    """Return the verdict on a program, also if an error ends it."""
    try:
        return judge(name, target)
    except Exception as error:
        return Verdict(name, f"{type(error).__name__}: {error}")


def main() -> int:
    """Judge programs and print a line each; return 1 if one is not right."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--to", default="numpy")
    parser.add_argument("--libraries", action="store_true", help="the programs that need more than JAX")
    parser.add_argument("names", nargs="*")
    asked = parser.parse_args()
    names = asked.names or [name for name in PROGRAMS if name in LIBRARIES or not asked.libraries]
    verdicts = []
    for name in names:
        verdicts.append(found := judged(name, asked.to))
        figures = f"outputs {found.outputs:.0e}  gradients {found.gradients:.0e}"
        print(f"{name:28s} {found.seconds:6.1f} s  {figures}  {found.wrong[:300] or 'ok'}", flush=True)
    right = sum(not found.wrong for found in verdicts)
    print(f"{asked.to}: {right} of {len(verdicts)} right")
    return int(right < len(verdicts))


if __name__ == "__main__":
    sys.exit(main())
