"""Tables of vectors: `Embedding` and `EmbeddingBag`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from corearray.calls.dispatch import resolve
from corearray.errors import CoreArrayNotImplementedError, CoreArrayValueError
from corearray.functional.gradients import stop_gradient
from corearray.functional.layers import embedding, embedding_bag
from corearray.functional.manipulation import expand_dims
from corearray.functional.searching import where
from corearray.nn.arguments import generator_of, one_of, positive
from corearray.nn.module import Module

if TYPE_CHECKING:
    from corearray.arrays.array import Array

__all__ = ["Embedding", "EmbeddingBag"]

#: What `corearray list-functions` says of the classes here.
__kind__ = "convenience"


def _table(layer: str, count: Any, size: Any, padding_idx: int | None, generator: Any, dtype: Any, device: Any) -> Any:
    shape = positive(layer, "num_embeddings", count), positive(layer, "embedding_dim", size)
    weight = generator_of(layer, generator).normal(shape=shape, dtype=dtype, device=device)
    if padding_idx is None:
        return weight, None
    if not -count <= padding_idx < count:
        raise CoreArrayValueError(f"'padding_idx' of '{layer}' is one of {count} rows, got {padding_idx}")
    place = padding_idx % count
    backend = weight._backend
    rows = expand_dims(backend.arange(count, device=device) == place, axis=-1)
    return where(rows, backend.zeros_like(weight), weight), place


def _refuse_frequencies(layer: str, scale_grad_by_freq: bool) -> None:
    if scale_grad_by_freq:
        raise CoreArrayNotImplementedError(
            f"'{layer}' does not divide gradients by how often a row is looked up; leave 'scale_grad_by_freq' out"
        )


def _pretrained(cls: Any, embeddings: Array, freeze: bool, options: dict[str, Any]) -> Any:
    if len(embeddings.shape) != 2:
        raise CoreArrayValueError(
            f"'{cls.__name__}' takes a table with 2 axes, got the shape {tuple(embeddings.shape)}"
        )
    layer = cls(*embeddings.shape, **options)
    layer.weight = embeddings
    return layer.freeze() if freeze else layer


class Embedding(Module):
    """Look vectors up in a table, `weight[indices]`.

    It takes integers of any shape `(...)` and returns an array of the shape `(..., embedding_dim)`.

    Parameters
    ----------
    num_embeddings
        Number of vectors.
    embedding_dim
        Their length.
    padding_idx
        A row that begins with zeros and gets no gradient.
    max_norm, norm_type
        Vectors with a larger norm are scaled to it.
    scale_grad_by_freq
        `False`; torch's option to divide gradients by how often a row is looked up does not exist here.
    sparse
        No effect, for programs from torch: gradients are arrays of the shape of the table.
    generator, dtype, device
        As in `Linear`.

    Attributes
    ----------
    weight
        Array of the shape `(num_embeddings, embedding_dim)`.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> nn.Embedding(10, 4)(ca.asarray([[1, 2, 9]])).shape
    Shape((1, 3, 4))

    Notes
    -----
    `torch.nn.Embedding`. The table begins with standard normal numbers. `max_norm` scales the result and leaves the table.
    """

    def __init__(
        self,
        num_embeddings: int,
        embedding_dim: int,
        padding_idx: int | None = None,
        max_norm: float | None = None,
        norm_type: float = 2.0,
        scale_grad_by_freq: bool = False,
        sparse: bool = False,
        *,
        generator: Any = None,
        dtype: Any = None,
        device: Any = None,
    ) -> None:
        _refuse_frequencies("Embedding", scale_grad_by_freq)
        self.weight, self.padding_idx = _table(
            "Embedding", num_embeddings, embedding_dim, padding_idx, generator, dtype, device
        )
        self.max_norm = max_norm
        self.norm_type = norm_type

    @classmethod
    def from_pretrained(cls, embeddings: Array, /, freeze: bool = True, **options: Any) -> Self:
        """Make a layer of a table.

        Parameters
        ----------
        embeddings
            Array of the shape `(num_embeddings, embedding_dim)`.
        freeze
            Whether optimisers leave the table alone.
        options
            Options of the constructor.
        """
        made: Self = _pretrained(cls, embeddings, freeze, options)
        return made

    def forward(self, indices: Array, /) -> Array:
        """Look the vectors up."""
        found = embedding(indices, self.weight, max_norm=self.max_norm, norm_type=self.norm_type)
        if self.padding_idx is None:
            return found
        return where(expand_dims(indices == self.padding_idx, axis=-1), stop_gradient(found), found)


class EmbeddingBag(Module):
    """Look bags of vectors up in a table, and reduce each bag to one vector.

    It takes integers of the shape `(N, L)`, a bag a row, or `(T,)` with the places in it where bags begin, and returns an
    array of the shape `(N, embedding_dim)`.

    Parameters
    ----------
    num_embeddings, embedding_dim, max_norm, norm_type, scale_grad_by_freq, sparse, generator, dtype, device
        As in `Embedding`.
    mode
        `"mean"`, `"sum"` or `"max"`.
    include_last_offset
        Whether the places where bags begin are followed by the number of all indices.
    padding_idx
        A row that begins with zeros, and that bags leave out.

    Attributes
    ----------
    weight
        Array of the shape `(num_embeddings, embedding_dim)`.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> nn.EmbeddingBag(10, 4)(ca.asarray([[1, 2, 9], [0, 0, 1]])).shape
    Shape((2, 4))

    Notes
    -----
    `torch.nn.EmbeddingBag`.
    """

    def __init__(
        self,
        num_embeddings: int,
        embedding_dim: int,
        max_norm: float | None = None,
        norm_type: float = 2.0,
        scale_grad_by_freq: bool = False,
        mode: str = "mean",
        sparse: bool = False,
        include_last_offset: bool = False,
        padding_idx: int | None = None,
        *,
        generator: Any = None,
        dtype: Any = None,
        device: Any = None,
    ) -> None:
        _refuse_frequencies("EmbeddingBag", scale_grad_by_freq)
        self.weight, self.padding_idx = _table(
            "EmbeddingBag", num_embeddings, embedding_dim, padding_idx, generator, dtype, device
        )
        self.mode = one_of("EmbeddingBag", "mode", mode, ("mean", "sum", "max"))
        self.max_norm = max_norm
        self.norm_type = norm_type
        self.include_last_offset = include_last_offset

    @classmethod
    def from_pretrained(cls, embeddings: Array, /, freeze: bool = True, **options: Any) -> Self:
        """Make a layer of a table, as `Embedding.from_pretrained`."""
        made: Self = _pretrained(cls, embeddings, freeze, options)
        return made

    def forward(
        self, indices: Array, offsets: Array | None = None, /, per_sample_weights: Array | None = None
    ) -> Array:
        """Look the bags up and reduce them; `per_sample_weights` are factors for the mode `"sum"`."""
        table = self.weight
        if self.max_norm is not None:
            rows = resolve((table,)).arange(table.shape[0], device=table.device)
            table = embedding(rows, table, max_norm=self.max_norm, norm_type=self.norm_type)
        if self.include_last_offset and offsets is not None:
            offsets = offsets[:-1]
        return embedding_bag(
            indices, table, offsets=offsets, mode=self.mode, per_sample_weights=per_sample_weights,
            padding_idx=self.padding_idx,
        )  # fmt: skip
