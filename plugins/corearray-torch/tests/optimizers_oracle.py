"""What `torch.optim` makes of given parameters, gradients and options; read and written as JSON.

The core's tests of optimisers run this file in a process of its own: `python optimizers_oracle.py < cases.json`.
"""

from __future__ import annotations

import json
import sys
from typing import Any

import torch


def optimized(case: dict[str, Any]) -> list[Any]:
    """Return the parameters after some steps, whose gradients are `p - target + noise`."""
    options = {name: tuple(x) if isinstance(x, list) else x for name, x in case["options"].items()}
    dtype = getattr(torch, case["dtype"])
    parameters = [torch.tensor(p, dtype=dtype, requires_grad=True) for p in case["parameters"]]
    targets = [torch.tensor(t, dtype=dtype) for t in case["targets"]]
    if case["name"] == "Muon":  # computed in the dtype of the parameters, as there
        torch.Tensor.bfloat16 = lambda self: self.clone()  # type: ignore[method-assign]
    optimizer = getattr(torch.optim, case["name"])(parameters, **options)
    for noise in case["noise"]:
        for p, target, n in zip(parameters, targets, noise, strict=True):
            p.grad = (p - target).detach() + torch.tensor(n, dtype=dtype)
        if case.get("clip"):
            torch.nn.utils.clip_grad_norm_(parameters, case["clip"])
        optimizer.step()
    return [p.tolist() for p in parameters]


def scheduled(case: dict[str, Any]) -> list[float]:
    """Return the learning rates of some steps."""
    optimizer = torch.optim.SGD([torch.zeros(1, requires_grad=True)], lr=case["lr"])
    schedule = made(optimizer, case["name"], case["options"])
    rates = []
    for step in range(case["steps"]):
        rates.append(optimizer.param_groups[0]["lr"])
        optimizer.step()
        if "values" in case:
            schedule.step(case["values"][step])
        else:
            schedule.step()
    return rates


def made(optimizer: Any, name: str, options: dict[str, Any]) -> Any:
    if name != "SequentialLR":
        return getattr(torch.optim.lr_scheduler, name)(optimizer, **options)
    parts = [made(optimizer, part, given) for part, given in options["schedulers"]]
    return torch.optim.lr_scheduler.SequentialLR(optimizer, parts, milestones=options["milestones"])


if __name__ == "__main__":
    found = [scheduled(case) if "steps" in case else optimized(case) for case in json.load(sys.stdin)]
    json.dump(found, sys.stdout)
