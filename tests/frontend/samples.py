"""torch's own samples of its functions (OpInfo, in its wheel), run through the rules and compared with torch.

python tests/frontend/samples.py --to jax              # all operators, a line for each that is not right
python tests/frontend/samples.py --to numpy --only fft  # those whose name contains a text
"""

from __future__ import annotations

import argparse
import random
import sys
import types
import unittest
import warnings
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import torch

import corearray as ca
from corearray.contract.recording import Value
from corearray.frontend import get_frontend
from corearray.frontend.program import Program, recorded
from corearray.frontend.replay import missing_rules, replay, rules_of
from corearray.settings.context import pushed
from corearray.transforms.tree import Tree

try:
    import expecttest  # noqa: F401
except ImportError:  # torch's own tests compare printed texts with it, which nothing here does
    stand_in = types.ModuleType("expecttest")
    stand_in.TestCase = unittest.TestCase  # type: ignore[attr-defined]
    sys.modules["expecttest"] = stand_in

TORCH = ca.get_backend("torch")

#: Operators whose results hold whatever was in memory; dtypes and shapes are compared.
UNINITIALISED = frozenset("empty empty_like empty_permuted empty_strided new_empty new_empty_strided".split())


#: Stands behind the difference of a gradient that is right by the differences of torch's own values in float64.
AS_DIFFERENCES = " (torch's differences of values in float64 agree)"


class Verdict(NamedTuple):
    """What became of an operator: how many of its samples were right, and why the first one was not."""

    name: str
    values: str
    gradients: str
    samples: int

    @property
    def ok(self) -> bool:
        return self.values == "ok"


def operators() -> list[Any]:
    """Return torch's operators that take float32."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from torch.testing._internal import common_methods_invocations as own

    # Random operators are wrapped in a function that sets torch's seed, which a recording cannot follow.
    own.wrapper_set_seed = lambda op, *args, **options: op(*args, **options)
    return [op for op in own.op_db if op.supports_dtype(torch.float32, "cpu")]


def full_name(op: Any) -> str:
    return op.name + (f".{op.variant_test_name}" if op.variant_test_name else "")


def samples(op: Any, count: int) -> Iterator[tuple[Any, tuple[Any, ...], dict[str, Any], Any]]:
    """Return samples of an operator: those that torch's tests draw, evenly taken from all of them."""
    torch.manual_seed(0)
    random.seed(0)
    np.random.seed(0)
    found = list(op.sample_inputs("cpu", torch.float32, requires_grad=bool(op.supports_autograd)))
    step = max(1, len(found) // count)
    for sample in found[::step][:count]:
        yield sample.input, tuple(sample.args), dict(sample.kwargs), sample.output_process_fn_grad


def flat(tree: Any) -> list[Any]:
    """Return the arrays of a result."""
    plain = TORCH.fact("plain_tree", tree)
    return [leaf for leaf in Tree(plain).leaves if isinstance(leaf, (torch.Tensor, ca.Array))]


def to_target(x: torch.Tensor, backend: Any) -> ca.Array:
    plain = x.detach().resolve_conj().resolve_neg().contiguous()
    if plain.dtype == torch.bfloat16:
        return backend.asarray(plain.float().numpy().copy(), dtype="bfloat16")
    return backend.asarray(plain.numpy(force=True).copy())


def run(program: Program, rules: Any, inputs: list[ca.Array], backend: Any) -> list[ca.Array]:
    """Run a recording through the rules, call by call."""
    known: dict[Value, Any] = dict(zip(program.inputs, inputs, strict=True))
    known.update({value: to_target(native, backend) for value, native in program.constants.items()})
    if program.in_place:
        known = {value: ca.asarray(x, copy=True) for value, x in known.items()}
    known = replay(program, rules, known)
    return [known[value] for value in program.outputs]


def different_type(found: Any, wanted: torch.Tensor) -> str:
    """Say how an array differs from torch's in dtype or shape; nothing if it does not."""
    if str(found.dtype) != str(wanted.dtype).removeprefix("torch."):
        return f"dtype {found.dtype} for {wanted.dtype}"
    if tuple(found.shape) != tuple(wanted.shape):
        return f"shape {tuple(found.shape)} for {tuple(wanted.shape)}"
    return ""


def different(found: Any, wanted: torch.Tensor, tolerance: float) -> str:
    """Say how an array differs from torch's; nothing if it does not."""
    other = different_type(found, wanted)
    if other:
        return other
    mine, theirs = np.asarray(found), wanted.numpy(force=True)
    if theirs.dtype.kind not in "fc":
        return "" if np.array_equal(mine, theirs) else "values"
    if not np.array_equal(np.isnan(mine), np.isnan(theirs)):
        return "NaN"
    if not np.array_equal(np.where(np.isinf(mine), mine, 0), np.where(np.isinf(theirs), theirs, 0)):
        return "infinities"
    finite = np.isfinite(theirs)
    mine, theirs = mine[finite], theirs[finite]
    if not theirs.size:
        return ""
    error = np.abs(mine - theirs).max()
    scale = max(1.0, float(np.abs(theirs).max()))
    return "" if error <= tolerance * scale else f"values by {error / scale:.1e}"


def different_slopes(ours: list[ca.Array], theirs: list[torch.Tensor]) -> str:
    """Say how gradients differ from torch's, relative to the largest of them; nothing if they do not."""
    largest = max([float(x.abs().max()) for x in theirs if x.numel()], default=1.0)
    for mine, wanted in zip(ours, theirs, strict=True):
        own = float(wanted.abs().max()) if wanted.numel() else 1.0
        wrong = different(mine, wanted, 1e-4 * max(1.0, largest) / max(1.0, own))
        if wrong:
            return wrong
    return ""


def has_slopes(loss_of: Any, tensors: list[torch.Tensor], needed: list[int], slopes: list[np.ndarray]) -> bool:
    """Say whether gradients are the differences of a function in float64, along five random directions."""
    points = [x.double() if x.is_floating_point() else x for x in tensors]
    draw = np.random.default_rng(0)
    for _ in range(5):
        moves = [draw.normal(size=slope.shape) for slope in slopes]
        ends = []
        for step in (1e-6, -1e-6):
            moved = list(points)
            for place, move in zip(needed, moves, strict=True):
                moved[place] = points[place] + step * torch.as_tensor(move)
            ends.append(loss_of(*moved))
        parts = [slope.astype(np.float64) * move for slope, move in zip(slopes, moves, strict=True)]
        wanted, size = sum(float(x.sum()) for x in parts), sum(float(np.abs(x).sum()) for x in parts)
        if not abs((ends[0] - ends[1]) / 2e-6 - wanted) <= 1e-4 * max(size, 1.0):
            return False
    return True


def judge_sample(op: Any, sample: Any, backend: Any, gradients: bool) -> tuple[str, str]:
    """Return what is wrong with the values and the gradients of one sample."""
    first, args, options, processed = sample
    tree = Tree((first, args, options))
    where = [i for i, leaf in enumerate(tree.leaves) if isinstance(leaf, torch.Tensor)]

    def call(*tensors: torch.Tensor) -> Any:
        leaves = list(tree.leaves)
        for place, x in zip(where, tensors, strict=True):
            leaves[place] = x
        given, positional, keywords = tree.of(leaves)
        return processed(op(given, *positional, **keywords))

    sampled = [tree.leaves[i] for i in where]
    tensors = [x.detach() for x in sampled]
    program = recorded(TORCH, call, tuple(x.clone() for x in tensors), {}, reads="assume")
    frontend = get_frontend("torch")
    missing = missing_rules(program, frontend, {})
    if missing:
        return "missing " + ", ".join(missing), ""
    rules = rules_of(program, frontend, {})
    inputs = [to_target(x, backend) for x in tensors]
    wanted = flat(call(*(x.clone() for x in tensors)))
    with pushed(backend):
        found = run(program, rules, inputs, backend)
    known = not (program.random or op.name in UNINITIALISED)
    for mine, theirs in zip(found, wanted, strict=True):
        wrong = different(mine, theirs, 2e-5) if known else different_type(mine, theirs)
        if wrong:
            return wrong, ""
    if not (gradients and op.supports_autograd and known):
        return "", ""
    leaves = [x.clone().requires_grad_(s.requires_grad) for x, s in zip(tensors, sampled, strict=True)]
    outs = flat(call(*(x * 1 if x.requires_grad else x for x in leaves)))
    places = [i for i, out in enumerate(outs) if out.requires_grad and out.dtype.is_floating_point]
    needed = [i for i, x in enumerate(leaves) if x.requires_grad and x.is_floating_point()]
    if not places or not needed:
        return "", ""
    draws = [torch.randn(outs[i].shape, dtype=outs[i].dtype) for i in places]
    loss = sum(((outs[i] * draw).sum() for i, draw in zip(places, draws, strict=True)), torch.zeros(()))
    slopes = torch.autograd.grad(loss, [leaves[i] for i in needed], allow_unused=True)

    def program_of(arrays: list[ca.Array]) -> ca.Array:
        filled = list(inputs)
        for place, array in zip(needed, arrays, strict=True):
            filled[place] = array
        made = run(program, rules, filled, backend)
        return sum((ca.sum(made[i] * to_target(d, backend)) for i, d in zip(places, draws, strict=True)), ca.zeros(()))

    with pushed(backend):
        ours = ca.grad(program_of)([inputs[i] for i in needed])
    wrong = different_slopes(
        ours, [torch.zeros_like(leaves[i]) if x is None else x for i, x in zip(needed, slopes, strict=True)]
    )
    if not wrong:
        return "", ""

    def loss_of(*tensors: torch.Tensor) -> float:
        made = flat(call(*(x.clone() for x in tensors)))
        return float(sum((made[i].double() * draw.double()).sum() for i, draw in zip(places, draws, strict=True)))

    agree = has_slopes(loss_of, tensors, needed, [np.asarray(x) for x in ours])
    return "", wrong + (AS_DIFFERENCES if agree else "")


def judge(op: Any, target: str, count: int = 4, *, gradients: bool = True) -> Verdict:
    """Return the verdict on an operator."""
    backend = ca.get_backend(target)
    gradients = gradients and "reverse_mode" in backend.facts
    values = slopes = "ok"
    done = 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            for sample in samples(op, count):
                done += 1
                wrong, by = judge_sample(op, sample, backend, gradients)
                if wrong:
                    return Verdict(full_name(op), wrong, "", done)
                if by and (slopes == "ok" or slopes.endswith(AS_DIFFERENCES)):
                    slopes = by
        except Exception as error:
            values = f"{type(error).__name__}: {str(error)[:200]}"
    return Verdict(full_name(op), values, slopes if gradients else "", done)


def main() -> int:
    """Judge all operators and print those that are not right."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--to", default="numpy")
    parser.add_argument("--only", default="")
    parser.add_argument("--count", type=int, default=4)
    parser.add_argument("--share", type=float, default=1.0)
    parser.add_argument("--values", action="store_true", help="no gradients")
    asked = parser.parse_args()
    chosen = [op for op in operators() if asked.only in full_name(op)]
    if asked.share < 1:
        chosen = random.Random(0).sample(chosen, int(len(chosen) * asked.share))
    right = differentiated = differentiable = by_differences = 0
    for op in chosen:
        verdict = judge(op, asked.to, asked.count, gradients=not asked.values)
        right += verdict.ok
        differentiable += bool(op.supports_autograd)
        by_differences += verdict.ok and verdict.gradients.endswith(AS_DIFFERENCES)
        differentiated += verdict.ok and verdict.gradients == "ok" and bool(op.supports_autograd)
        if not verdict.ok or verdict.gradients not in ("ok", ""):
            print(f"{verdict.name:45s} {verdict.values[:150]:60s} {verdict.gradients}", flush=True)
    print(
        f"{asked.to}: values of {right} of {len(chosen)} operators, gradients of {differentiated} of {differentiable}"
        f" as torch's, of {by_differences} others as its differences"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
