"""Checkpoints of torch: `python checkpoint_oracle.py FOLDER_WITH_ARCHITECTURES OUT` writes safetensors and outputs.

The writer follows the format's description: 8 bytes of length, JSON, raw bytes. Each model first runs in training, so that
running statistics are not those of the start.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import torch

_NAMES = {"float32": "F32", "int64": "I64"}


def written(state: dict[str, Any]) -> bytes:
    header, parts, end = {}, [], 0
    for name, x in state.items():
        data = x.numpy().tobytes()
        header[name] = {
            "dtype": _NAMES[str(x.numpy().dtype)],
            "shape": list(x.shape),
            "data_offsets": [end, end + len(data)],
        }
        parts.append(data)
        end += len(data)
    text = json.dumps(header).encode()
    return len(text).to_bytes(8, "little") + text + b"".join(parts)


def main(folder: str, out: str) -> None:
    sys.path.insert(0, folder)
    from architectures import architectures, example

    torch.set_num_threads(1)
    torch.manual_seed(0)
    known = architectures(torch.nn, torch.arange, torch.cat, lambda shape: torch.nn.Parameter(0.1 * torch.randn(shape)))
    outputs = {}
    for name, make in known.items():
        model, x = make(), torch.from_numpy(example(name))
        with torch.no_grad():
            model(x)
            outputs[name] = model.eval()(x).numpy()
        Path(out, f"{name}.safetensors").write_bytes(written(dict(model.state_dict())))
    np.savez(Path(out, "outputs.npz"), **outputs)


if __name__ == "__main__":
    main(*sys.argv[1:])
