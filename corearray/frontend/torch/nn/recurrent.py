"""Recurrent layers that also take a `PackedSequence`."""

from __future__ import annotations

from itertools import groupby
from typing import Any

from corearray.frontend.torch.nn.layers import Layer
from corearray.frontend.torch.nn.utils.rnn import PackedSequence, pack_sequence, pad_packed_sequence

__all__ = ["RECURRENT", "RecurrentLayer"]

RECURRENT = frozenset({"GRU", "LSTM", "RNN"})


class RecurrentLayer(Layer):
    """`LSTM`, `GRU` or `RNN`; the sequences of a `PackedSequence` run in groups of one length."""

    def forward(self, input: Any, hx: Any = None) -> Any:
        """Return the outputs, packed if the input is, and the last states."""
        if not isinstance(input, PackedSequence):
            return super().forward(input, hx)
        torch = self._frontend
        first, back = input.sorted_indices, input.unsorted_indices
        ordered = input._replace(sorted_indices=None, unsorted_indices=None)
        rows, _ = pad_packed_sequence(ordered, batch_first=True)
        states = () if hx is None else hx if isinstance(hx, tuple) else (hx,)
        if first is not None:
            states = tuple(state[:, first] for state in states)
        outputs: list[Any] = []
        last: list[tuple[Any, ...]] = []
        start = 0
        for length, group in groupby(input.lengths):
            end = start + len(list(group))
            part = rows[start:end, :length]
            own: Any = tuple(state[:, start:end].contiguous() for state in states)
            own = None if hx is None else own if isinstance(hx, tuple) else own[0]
            made, after = super().forward(part if self.batch_first else part.transpose(0, 1), own)
            outputs += list(made if self.batch_first else made.transpose(0, 1))
            last.append(after if isinstance(after, tuple) else (after,))
            start = end
        after = [torch.cat(list(parts), dim=1) for parts in zip(*last, strict=True)]
        after = after if back is None else [state[:, back] for state in after]
        packed = pack_sequence(outputs)._replace(sorted_indices=first, unsorted_indices=back)
        return packed, tuple(after) if len(after) > 1 else after[0]
