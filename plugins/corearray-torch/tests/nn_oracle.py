"""Expected values of layers: `python nn_oracle.py FOLDER_WITH_CASES OUT.npz` computes those of `torch.nn` in float64.

For each case and mode: the arguments, the parameters and buffers before, the values, the buffers after, and the gradients
of a weighted sum of the values by parameters and arguments. Then, as modes of their own, the values and the buffers for
arguments without a batch (`alone`) and with an empty one (`none`), where `torch.nn` takes them.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import torch


def arguments(case: Any, seed: int) -> tuple[list[Any], dict[str, Any]]:
    random = np.random.default_rng(seed)
    inputs: list[Any] = []
    for shape in case.inputs:
        if isinstance(shape, list):
            inputs.append(random.integers(0, shape[0], shape[1:]))
        else:
            inputs.append(random.normal(size=shape))
    call = {}
    for name, value in case.call.items():
        if isinstance(value, tuple) and value and value[0] == "bool":
            value = random.random(value[1:]) < 0.3
            value[..., 0] = False
        call[name] = value
    return inputs, call


def flat(value: Any) -> list[torch.Tensor]:
    if isinstance(value, (tuple, list)):
        return [x for item in value for x in flat(item)]
    return [] if value is None else [value]


def main() -> None:
    sys.path.insert(0, sys.argv[1])
    from cases import CASES

    torch.set_num_threads(1)
    found: dict[str, np.ndarray] = {}
    for number, case in enumerate(CASES):
        for mode in case.modes:
            torch.manual_seed(number)
            layer = getattr(torch.nn, case.name)(*case.args, **{**case.options, **case.oracle}).double()
            with torch.no_grad():
                for p in layer.parameters():
                    p.add_(0.1 * torch.randn_like(p))
            layer.train(mode == "train")
            key = f"{number}/{mode}"
            for name, x in layer.state_dict().items():
                found[f"{key}/state/{name}"] = x.numpy().copy()
            inputs, call = arguments(case, number)
            given = [torch.tensor(x, requires_grad=x.dtype == "float64") for x in inputs]
            value = layer(*given, **{k: torch.tensor(v) if isinstance(v, np.ndarray) else v for k, v in call.items()})
            if case.name == "MultiheadAttention":
                value = value[0]
            values = flat(value)
            for i, x in enumerate(inputs):
                found[f"{key}/input/{i}"] = x
            for name, x in call.items():
                found[f"{key}/call/{name}"] = np.asarray(x)
            for i, x in enumerate(values):
                found[f"{key}/value/{i}"] = x.detach().numpy()
            for name, x in layer.named_buffers():
                found[f"{key}/after/{name}"] = x.numpy()
            real = [x for x in values if x.requires_grad]
            if not real:
                continue
            total = sum((x * torch.cos(torch.arange(x.numel(), dtype=x.dtype)).reshape(x.shape)).sum() for x in real)
            total.backward()
            for name, p in layer.named_parameters():
                found[f"{key}/slope/{name}"] = (torch.zeros_like(p) if p.grad is None else p.grad).numpy()
            for i, x in enumerate(given):
                if x.grad is not None:
                    found[f"{key}/slope_of/{i}"] = x.grad.numpy()
        if case.call:
            continue
        for kind in ("alone", "none"):
            torch.manual_seed(number)
            layer = getattr(torch.nn, case.name)(*case.args, **{**case.options, **case.oracle}).double()
            layer.train(case.modes[0] == "train")
            before = {name: x.detach().numpy().copy() for name, x in layer.state_dict().items()}
            inputs = [x[0] if kind == "alone" else x[:0] for x in arguments(case, number)[0]]
            try:
                value = layer(*map(torch.tensor, inputs))
            except (RuntimeError, ValueError, IndexError, AssertionError, NotImplementedError):
                continue
            values = flat(value[0] if case.name == "MultiheadAttention" else value)
            for what, found_now in (
                ("state", before),
                ("input", dict(enumerate(inputs))),
                ("value", {i: x.detach().numpy() for i, x in enumerate(values)}),
                ("after", {name: x.numpy() for name, x in layer.named_buffers()}),
            ):
                found.update({f"{number}/{kind}/{what}/{name}": np.asarray(x) for name, x in found_now.items()})
    np.savez(sys.argv[2], **found)


if __name__ == "__main__":
    main()
