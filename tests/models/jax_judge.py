"""Programs of JAX, flax and equinox on a target, compared with JAX: outputs, and gradients by two ways.

python tests/models/jax_judge.py --to torch                   # all programs, a line each
python tests/models/jax_judge.py --to torch lstm flax_lstm

The gradients of all parameters are those of a transpiled `jax.grad`, and those that the target finds for a transpiled function.
"""

from __future__ import annotations

import sys
import time
from typing import Any

import jax
import jax.numpy as jnp
from jax.tree_util import DictKey, GetAttrKey, tree_flatten_with_path
from jax_programs import LIBRARIES, PROGRAMS
from verdicts import Verdict, error_of, over, parser, printed

import corearray as ca
from corearray.transforms.tree import Tree

TOLERANCE = 1e-5


def named(tree: Any) -> dict[tuple[str, ...], Any]:
    """Return the leaves of a tree by their keys; a class of equinox has the names of a dictionary."""
    leaves = tree_flatten_with_path(tree)[0]
    return {tuple(_name(key) for key in path): leaf for path, leaf in leaves}


def _name(key: Any) -> str:
    return str(key.name if isinstance(key, GetAttrKey) else key.key if isinstance(key, DictKey) else key)


def error_of_trees(found: Any, wanted: Any) -> float:
    """Return the largest difference of two trees as a share of the largest number of all leaves."""
    mine, theirs = named(found), named(wanted)
    return (
        error_of([mine[key] for key in theirs], list(theirs.values())) if mine.keys() == theirs.keys() else float("inf")
    )


def judge(name: str, target: str) -> Verdict:
    """Return the verdict on a program."""
    start = time.perf_counter()
    function, parameters, x = PROGRAMS[name]()

    def loss(parameters: Any, x: Any) -> Any:
        return sum(jnp.sum(jnp.square(leaf)) for leaf in jax.tree.leaves(function(parameters, x)))

    backend = ca.get_backend(target)
    given = [jax.tree.map(lambda leaf: ca.to_backend(leaf, target), tree) for tree in (parameters, x)]
    run = ca.transpile(function, parameters, x, to=target, source="jax")
    errors = {"outputs": error_of_trees(run(*given), function(parameters, x))}
    slopes = jax.grad(loss)(parameters, x)
    found = ca.transpile(jax.grad(loss), parameters, x, to=target, source="jax")(*given)
    errors["transpiled gradients"] = error_of_trees(found, slopes)
    if "reverse_mode" in backend.facts:

        def found_loss(parameters: Any) -> Any:
            with ca.backend_context(target):
                return sum(ca.sum(ca.square(leaf)) for leaf in Tree(run(parameters, given[1])).leaves)

        errors["gradients"] = error_of_trees(ca.grad(found_loss)(given[0]), slopes)
    return Verdict(name, over(errors, TOLERANCE), errors, time.perf_counter() - start)


def main() -> int:
    """Judge programs and print a line each; return 1 if one is not right."""
    asking = parser(__doc__)
    asking.add_argument("--libraries", action="store_true", help="the programs that need more than JAX")
    asked = asking.parse_args()
    chosen = [name for name in PROGRAMS if name in LIBRARIES or not asked.libraries]
    return printed(judge, asked.names or chosen, asked.to)


if __name__ == "__main__":
    sys.exit(main())
