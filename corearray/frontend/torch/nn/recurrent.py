"""Recurrent layers that also take a `PackedSequence`."""

from __future__ import annotations

from typing import Any

from corearray.frontend.torch.nn.layers import Layer
from corearray.frontend.torch.nn.utils.rnn import PackedSequence

__all__ = ["RECURRENT", "RecurrentLayer"]

RECURRENT = frozenset({"GRU", "LSTM", "RNN"})


class RecurrentLayer(Layer):
    """`LSTM`, `GRU` or `RNN`; the rules run the sequences of a `PackedSequence` in groups of one length."""

    def forward(self, input: Any, hx: Any = None) -> Any:
        """Return the outputs, packed if the input is, and the last states."""
        if not isinstance(input, PackedSequence):
            return super().forward(input, hx)
        first, back = input.sorted_indices, input.unsorted_indices
        many, config = self._kind == "LSTM", vars(self)["_config"]
        states = self._zeros(input) if hx is None else hx if isinstance(hx, tuple) else (hx,)
        if hx is not None and first is not None:
            states = tuple(state[:, first] for state in states)
        weights = [getattr(self, name) for name in vars(self)["_skeleton"].trainable.paths]
        name = f"rnn_{config['nonlinearity']}" if self._kind == "RNN" else self._kind.lower()
        data, *after = self._frontend._public(f"torch.{name}")(
            input.data, input.batch_sizes, states if many else states[0], weights, self.bias, self.num_layers,
            self.dropout, self.training, self.bidirectional,
        )  # fmt: skip
        after = after if back is None else [state[:, back] for state in after]
        return input._replace(data=data), tuple(after) if many else after[0]

    def _zeros(self, input: PackedSequence) -> tuple[Any, ...]:
        """Return the states before the first step."""
        count, directions = int(input.batch_sizes[0]), 1 + self.bidirectional
        sizes = [getattr(self, "proj_size", 0) or self.hidden_size, self.hidden_size][: 1 + (self._kind == "LSTM")]
        return tuple(input.data.new_zeros(self.num_layers * directions, count, size) for size in sizes)
