"""States of optimisers under torch's names: the arrays of `corearray.optim` as tensors such as `exp_avg`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import corearray as ca
from corearray.errors import CoreArrayValueError
from corearray.frontend.torch.wrapper import Tensor

__all__ = ["TensorState", "load_named_state", "named_state"]

#: By the names of optimisers: torch's names of the parts of a state.
_NAMES = {
    "SGD": {"momentum": "momentum_buffer"},
    "Adam": {"count": "step", "mean": "exp_avg", "square": "exp_avg_sq", "largest": "max_exp_avg_sq"},
    "RMSprop": {"count": "step", "square": "square_avg", "momentum": "momentum_buffer", "mean": "grad_avg"},
    "Adagrad": {"count": "step", "total": "sum"},
    "Adadelta": {"count": "step", "square": "square_avg", "steps": "acc_delta"},
    "Adamax": {"count": "step", "mean": "exp_avg", "largest": "exp_inf"},
    "NAdam": {"count": "step", "product": "mu_product", "mean": "exp_avg", "square": "exp_avg_sq"},
    "RAdam": {"count": "step", "mean": "exp_avg", "square": "exp_avg_sq"},
    "Adafactor": {"count": "step", "rows": "row_var", "columns": "col_var"},
    "Muon": {"mean": "momentum_buffer"},
}
_NAMES["AdamW"] = _NAMES["Adam"]

#: Optimisers whose state torch makes at once.
_AT_ONCE = frozenset({"Adagrad"})


class TensorState(dict[str, Any]):
    """The state of one parameter; what is set in it is the optimiser's."""

    def __init__(self, values: dict[str, Any], parts: dict[str, list[tuple[dict[str, Any], str]]]) -> None:
        super().__init__(values)
        self._parts = parts

    def __setitem__(self, name: str, value: Any) -> None:
        if name not in self._parts:
            raise CoreArrayValueError(f"the state of this optimiser has {', '.join(self._parts)}, got {name!r}")
        for node, key in self._parts[name]:
            old = node[key][0] if isinstance(node[key], list) else node[key]
            given = value.array if isinstance(value, Tensor) else value
            new = ca.astype(ca.asarray(given, device=old.device), old.dtype, copy=True)
            if tuple(new.shape) != tuple(old.shape):
                raise CoreArrayValueError(
                    f"{name!r} of this state has the shape {tuple(old.shape)}, got {tuple(new.shape)}"
                )
            node[key] = [new] if isinstance(node[key], list) else new
        super().__setitem__(name, value)


def named_state(kind: str, inner: Any, frontend: Any) -> TensorState:
    """Return the state of an optimiser of one parameter; most are empty before the first step, as in torch."""
    names = _NAMES[kind]
    parts: dict[str, list[tuple[dict[str, Any], str]]] = {}
    values: dict[str, Any] = {}
    for node in _nodes(inner.state):
        for key in [key for key in names if key in node]:
            array = node[key][0] if isinstance(node[key], list) else node[key]
            if array is None:
                continue
            name = names[key]
            if key == "rows" and node["columns"][0] is None:
                name = "variance"  # of a vector
            parts.setdefault(name, []).append((node, key))
            values[name] = frontend.Tensor(ca.astype(array, ca.float32) if key == "count" else array)
    shown = kind in _AT_ONCE or any(map(int, _counts(inner)))
    return TensorState(values if shown else {}, parts)


def load_named_state(kind: str, inner: Any, frontend: Any, saved: dict[str, Any]) -> None:
    """Set the state of an optimiser of one parameter, in which `None` stands for what there is not yet."""
    known = {name: value for name, value in saved.items() if value is not None}
    if known and "step" not in known:  # torch counts no steps of this optimiser, which has taken some
        for node in _nodes(inner.state):
            if "count" in node:
                node["count"] = ca.ones_like(node["count"])
    state = named_state(kind, inner, frontend)
    for name, value in known.items():
        state[name] = value


def _counts(inner: Any) -> list[Any]:
    """Return the numbers of steps that an optimiser has taken."""
    return [node["count"] for node in _nodes(inner.state) if "count" in node]


def _nodes(state: Any) -> Iterator[dict[str, Any]]:
    """Yield the dictionaries in the state of a transformation."""
    if isinstance(state, dict):
        yield state
    elif isinstance(state, (tuple, list)):
        for part in state:
            yield from _nodes(part)
