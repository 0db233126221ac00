"""Whole models of torch on a target, compared with torch: outputs, dtypes, gradients of all parameters, buffers.

python tests/models/judge.py --to jax                       # all models, a line each
python tests/models/judge.py --to jax hf_bert timm_resnet18
python tests/models/judge.py --to jax --served              # names from standard input, a JSON object each
"""

from __future__ import annotations

import argparse
import json
import sys
import time
import warnings
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import nn
from zoo import MODELS, READING, TRAINED

import corearray as ca
from corearray.transforms.tree import Tree

TORCH = ca.get_backend("torch")
TOLERANCE = 1e-5

#: The limit in float64, which a rule that rounds to float32 exceeds.
WIDE = 1e-9

#: What is measured, by the names of `measured`.
KINDS = ("outputs", "gradient")


class Verdict(NamedTuple):
    """What is wrong with a model, nothing if it is right, with the largest relative errors in float32, the seconds it took, and
    whether float64 decided.
    """

    name: str
    wrong: str
    outputs: float = 0.0
    gradients: float = 0.0
    seconds: float = 0.0
    wide: bool = False


def made(name: str) -> tuple[nn.Module, tuple[Any, ...], dict[str, Any]]:
    """Return a new model with its arguments, the same for each call; `name/train` is one in training mode."""
    torch.manual_seed(0)
    model, args, options = MODELS[name.partition("/")[0]]()
    if name.endswith("/train"):
        model.train()
        for module in model.modules():
            for key, value in vars(module).items():
                if "drop" in key and isinstance(value, float):
                    setattr(module, key, 0.0)
            if isinstance(module, (nn.Dropout, nn.Dropout1d, nn.Dropout2d)):
                module.p = 0.0
        args = tuple(torch.randn(4, *x.shape[1:]) if x.is_floating_point() else x for x in args)
    return model, args, options


def flat(tree: Any) -> list[Any]:
    """Return the arrays among torch's outputs, also of classes of a library."""
    return arrays_of(TORCH.fact("plain_tree", tree))


def arrays_of(tree: Any) -> list[Any]:
    return [x for x in Tree(tree).leaves if isinstance(x, (torch.Tensor, ca.Array))]


def error_of(found: Any, wanted: torch.Tensor, scale: float) -> float:
    """Return the largest difference as a share of a scale; infinite where dtypes or shapes differ."""
    if str(found.dtype) != str(wanted.dtype).removeprefix("torch.") or tuple(found.shape) != tuple(wanted.shape):
        return float("inf")
    mine, theirs = np.asarray(found), wanted.detach().numpy()
    if theirs.dtype.kind not in "fc":
        return 0.0 if np.array_equal(mine, theirs) else float("inf")
    finite = np.isfinite(theirs)
    if not np.array_equal(np.isfinite(mine), finite):
        return float("inf")
    return float(np.abs(mine[finite].astype(float) - theirs[finite].astype(float)).max(initial=0)) / max(scale, 1e-6)


def largest(x: torch.Tensor | None) -> float:
    if x is None or not x.numel():
        return 0.0
    kept = x.detach().to(torch.float64)
    return float(kept[kept.isfinite()].abs().max()) if kept.isfinite().any() else 0.0


def to_target(x: Any, target: str) -> Any:
    return ca.get_backend(target).asarray(x.detach().numpy()) if isinstance(x, torch.Tensor) else x


def at(tree: Any, name: str) -> Any:
    for part in name.split("."):
        tree = tree[part]
    return tree


def weights_of(outputs: list[torch.Tensor]) -> list[torch.Tensor | None]:
    generator = torch.Generator().manual_seed(1)
    return [torch.randn(x.shape, generator=generator).to(x.dtype) if x.requires_grad else None for x in outputs]


def loss_of(outputs: list[Any], weights: list[Any]) -> Any:
    parts = [
        (x * w).sum() if isinstance(x, torch.Tensor) else ca.sum(x * w)
        for x, w in zip(outputs, weights, strict=True)
        if w is not None
    ]
    total = parts[0]
    for part in parts[1:]:
        total = total + part
    return total


def judge(name: str, target: str) -> Verdict:
    """Return the verdict on a model.

    Where float32 is off by more than the limit, as where a rounding error decides a maximum or the sign before a ReLU, the
    model in float64 decides: there only a wrong rule is off.
    """
    start = time.perf_counter()
    errors = measured(name, target)
    wide = measured(name, target, wide=True) if max(errors.values()) > TOLERANCE else {}
    wrong = [f"{what} off by {errors[what]:.1e} ({by:.1e} in float64)" for what, by in wide.items() if by > WIDE]
    outputs, slopes = (max((x for what, x in errors.items() if kind in what), default=0.0) for kind in KINDS)
    return Verdict(name, "; ".join(wrong), outputs, slopes, time.perf_counter() - start, bool(wide))


def measured(name: str, target: str, *, wide: bool = False) -> dict[str, float]:
    """Return the largest relative error of outputs, of each changed buffer and of each gradient."""
    model, args, options = made(name)
    if wide:
        model, args = model.double(), tuple(map(widened, args))
        options = {key: widened(x) for key, x in options.items()}
    backend = ca.get_backend(target)
    reads = "assume" if name in READING else "refuse"
    t = ca.transpile(model, *args, to=target, reads=reads, **options)
    outputs = flat(model(*args, **options))
    given = [to_target(x, target) for x in args]
    named = {key: to_target(x, target) for key, x in options.items()}
    held, buffers = t.parameters, {key: x.clone() for key, x in model.named_buffers()}
    found = arrays_of(t(*given, **named))
    errors = {"outputs": max(error_of(x, y, largest(y)) for x, y in zip(found, outputs, strict=True))}
    for key in t._first.program.written:
        beside = [x for other, x in buffers.items() if other.rpartition(".")[0] == key.rpartition(".")[0]]
        scale = max(map(largest, (x for x in beside if x.is_floating_point())), default=0)
        errors[f"buffer {key}"] = error_of(at(t.buffers, key), buffers[key], scale)
    weights = weights_of(outputs)
    parameters = dict(model.named_parameters())
    if "reverse_mode" in backend.facts and any(w is not None for w in weights):
        trained = [x for x in parameters.values() if x.requires_grad]
        found_slopes = iter(torch.autograd.grad(loss_of(outputs, weights), trained, allow_unused=True))
        slopes = [next(found_slopes) if x.requires_grad else None for x in parameters.values()]
        ours = [None if w is None else to_target(w, target) for w in weights]
        mine = ca.grad(lambda p: loss_of(arrays_of(t.apply(p, *given, **named)), ours))(held)
        scale = max(map(largest, slopes))
        for key, theirs in zip(parameters, slopes, strict=True):
            wanted = torch.zeros_like(parameters[key]) if theirs is None else theirs
            errors[f"gradient of {key}"] = error_of(at(mine, key), wanted, scale)
    return errors


def widened(x: Any) -> Any:
    return x.double() if isinstance(x, torch.Tensor) and x.is_floating_point() else x


def judged(name: str, target: str) -> Verdict:
    """Return the verdict on a model, also if an error ends it."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return judge(name, target)
    except Exception as error:
        return Verdict(name, f"{type(error).__name__}: {error}")


def all_names() -> list[str]:
    return [*MODELS, *(f"{name}/train" for name in TRAINED)]


def main() -> int:
    """Judge models and print a line each; return 1 if one is not right."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--to", default="numpy")
    parser.add_argument("--served", action="store_true")
    parser.add_argument("names", nargs="*")
    asked = parser.parse_args()
    torch.set_num_threads(1)
    if asked.served:
        for line in sys.stdin:
            print(json.dumps(judged(line.strip(), asked.to)._asdict()), flush=True)
        return 0
    bad = 0
    for name in asked.names or all_names():
        verdict = judged(name, asked.to)
        bad += bool(verdict.wrong)
        print(
            f"{verdict.name:34s} {verdict.seconds:6.1f} s  outputs {verdict.outputs:.0e}  gradients {verdict.gradients:.0e}  "
            f"{verdict.wrong[:300] or ('ok in float64' if verdict.wide else 'ok')}",
            flush=True,
        )
    print(f"{asked.to}: {len(asked.names or all_names()) - bad} of {len(asked.names or all_names())} right")
    return int(bad > 0)


if __name__ == "__main__":
    sys.exit(main())
