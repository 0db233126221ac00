"""torch.nn.utils.rnn on every backend: sequences of different lengths, padded and packed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from corearray.errors import CoreArrayRuntimeError
from corearray.frontend.torch.wrapper import Tensor

__all__ = [
    "PackedSequence", "invert_permutation", "pack_padded_sequence", "pack_sequence", "pad_packed_sequence",
    "pad_sequence", "unpack_sequence", "unpad_sequence",
]  # fmt: skip


class PackedSequence(NamedTuple):
    """Sequences of different lengths, step by step: the first steps of all, then the second steps of those that have one.

    Attributes
    ----------
    data
        The steps, of the shape `(sum of lengths, ...)`.
    batch_sizes
        How many sequences have each step, an integer tensor.
    sorted_indices, unsorted_indices
        The order of decreasing lengths, and its inverse; `None` if the sequences were in that order.
    """

    data: Any
    batch_sizes: Any
    sorted_indices: Any = None
    unsorted_indices: Any = None

    @property
    def lengths(self) -> list[int]:
        """The lengths, in decreasing order."""
        sizes = self.batch_sizes.tolist()
        return [sum(size > row for size in sizes) for row in range(sizes[0])]

    def to(self, *args: Any, **options: Any) -> PackedSequence:
        """Return the steps in another dtype or on another device."""
        return self._replace(data=self.data.to(*args, **options))


def invert_permutation(permutation: Any) -> Any:
    """Return the inverse of a permutation, or `None` of `None`."""
    return None if permutation is None else permutation.argsort()


def pad_sequence(
    sequences: Sequence[Any], batch_first: bool = False, padding_value: float = 0.0, padding_side: str = "right"
) -> Any:
    """Stack sequences of different lengths, with a value behind or before the shorter ones.

    Parameters
    ----------
    sequences
        Tensors of the shapes `(length, ...)`.
    batch_first
        Whether the result has the shape `(N, longest, ...)`; else `(longest, N, ...)`.
    padding_value, padding_side
        The value, and whether it stands on the `"right"` or the `"left"`.
    """
    if padding_side not in ("right", "left"):
        raise CoreArrayRuntimeError(f"padding_side should be 'left' or 'right', got '{padding_side}'")
    given = list(sequences)
    longest = max(x.shape[0] for x in given)
    rows = []
    for x in given:
        missing = longest - x.shape[0]
        if missing:
            padding = x.new_full((missing, *x.shape[1:]), padding_value)
            x = x._frontend.cat([x, padding] if padding_side == "right" else [padding, x])
        rows.append(x)
    return rows[0]._frontend.stack(rows, dim=0 if batch_first else 1)


def unpad_sequence(padded_sequences: Any, lengths: Any, batch_first: bool = False) -> list[Any]:
    """Return the sequences in a padded tensor."""
    rows = padded_sequences if batch_first else padded_sequences.transpose(0, 1)
    return [row[:length] for row, length in zip(rows, _numbers(lengths), strict=True)]


def _numbers(lengths: Any) -> list[int]:
    return [
        int(n) for n in (lengths.tolist() if isinstance(lengths, Tensor) or hasattr(lengths, "tolist") else lengths)
    ]


def pack_padded_sequence(
    input: Any, lengths: Any, batch_first: bool = False, enforce_sorted: bool = True
) -> PackedSequence:
    """Return a padded tensor as a `PackedSequence`.

    Parameters
    ----------
    input
        Tensor of the shape `(longest, N, ...)`.
    batch_first
        Whether `input` has the shape `(N, longest, ...)`.
    lengths
        Length of each sequence, a list or an integer tensor; their values decide shapes.
    enforce_sorted
        Whether the lengths must be in decreasing order; else the sequences are sorted.

    Raises
    ------
    RuntimeError
        If a length is not positive, or the order is another one.
    """
    torch = input._frontend
    counts = _numbers(lengths)
    rows = input if batch_first else input.transpose(0, 1)
    if len(counts) != rows.shape[0]:
        raise CoreArrayRuntimeError(
            f"Expected `len(lengths)` to be equal to batch_size, but got {len(counts)} (batch_size={rows.shape[0]})"
        )
    if min(counts) <= 0:
        raise CoreArrayRuntimeError("Length of all samples has to be greater than 0, but found an element that is <= 0")
    if max(counts) > rows.shape[1]:
        raise CoreArrayRuntimeError(f"a length of {max(counts)} exceeds the {rows.shape[1]} steps of the tensor")
    indices = None
    if not enforce_sorted:
        order = sorted(range(len(counts)), key=lambda i: -counts[i])
        indices = torch.tensor(order)
        rows, counts = rows[indices], [counts[i] for i in order]
    elif counts != sorted(counts, reverse=True):
        raise CoreArrayRuntimeError(
            "`lengths` array must be sorted in decreasing order when `enforce_sorted` is True. You can pass "
            "`enforce_sorted=False` to pack_padded_sequence and/or pack_sequence to sidestep this requirement"
        )
    data, sizes = torch._public("torch._pack_padded_sequence")(rows, counts, True)
    return PackedSequence(data, sizes, indices, invert_permutation(indices))


def pack_sequence(sequences: Sequence[Any], enforce_sorted: bool = True) -> PackedSequence:
    """Return sequences of different lengths as a `PackedSequence`."""
    given = list(sequences)
    return pack_padded_sequence(pad_sequence(given), [x.shape[0] for x in given], enforce_sorted=enforce_sorted)


def pad_packed_sequence(
    sequence: PackedSequence, batch_first: bool = False, padding_value: float = 0.0, total_length: int | None = None
) -> tuple[Any, Any]:
    """Return a padded tensor and the lengths of a `PackedSequence`.

    Raises
    ------
    ValueError
        If `total_length` is less than the longest sequence.
    """
    torch = sequence.data._frontend
    longest = sequence.batch_sizes.shape[0]
    total = longest if total_length is None else total_length
    if total < longest:
        raise ValueError(
            f"Expected total_length to be at least the length of the longest sequence in input, but got "
            f"total_length={total} and max sequence length being {longest}"
        )
    pad = torch._public("torch._pad_packed_sequence")
    made, counts = pad(sequence.data, sequence.batch_sizes, True, padding_value, total)
    if sequence.unsorted_indices is not None:
        made, counts = made[sequence.unsorted_indices], counts[sequence.unsorted_indices]
    return (made if batch_first else made.transpose(0, 1)), counts


def unpack_sequence(packed_sequences: PackedSequence) -> list[Any]:
    """Return the sequences of a `PackedSequence`."""
    padded, lengths = pad_packed_sequence(packed_sequences, batch_first=True)
    return unpad_sequence(padded, lengths, batch_first=True)
