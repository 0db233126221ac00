"""Stateless layers: linear maps, embeddings, dropout."""

from __future__ import annotations

from operator import index
from typing import TYPE_CHECKING, cast

from corearray.contract.declaration import declare

if TYPE_CHECKING:
    import corearray as xp
    from corearray.arrays.array import Array
    from corearray.backends.backend import Backend
    from corearray.random import Generator

__all__ = ["dropout", "dropout1d", "dropout2d", "dropout3d", "embedding", "linear"]


@declare(floating=True, gives="same")
def dropout(
    x: Array,
    /,
    p: float = 0.5,
    *,
    axis: int | tuple[int, ...] | None = None,
    training: bool = True,
    scale: bool = True,
    generator: Generator | None = None,
    out: Array | None = None,
) -> Array:
    """Set elements to zero at random with a given probability, and scale the others.

    Parameters
    ----------
    x
        Numeric array; integers are computed in the default floating dtype.
    p
        The probability of zero, from 0 to 1.
    axis
        Axis or axes along which it is decided anew; along the others what is dropped is the same. All for `None`.
    training
        Whether to drop anything; without it the result is a copy.
    scale
        Whether to divide what is kept by `1 - p`, which keeps the expected values.
    generator
        A `corearray.random.Generator`, whose numbers are the same on every backend; by default that of the current
        context, `corearray.random.default_generator()`. A function made by `corearray.compile` drops others in each call.
    out
        Array that receives the result.

    Returns
    -------
    Array of the shape of `x` and its floating dtype. Infinities and NaN are dropped as other elements are.

    Raises
    ------
    ValueError
        If `p` is no probability.
    IndexError
        If `x` has no such axis.
    TypeError
        If `generator` is none.

    Examples
    --------
    >>> import corearray as ca
    >>> x = ca.dropout(ca.ones((2, 4)), 0.5, axis=0, generator=ca.random.Generator(3))
    >>> x.tolist()
    [[0.0, 0.0, 0.0, 0.0], [2.0, 2.0, 2.0, 2.0]]

    Notes
    -----
    N. Srivastava et al., Dropout: a simple way to prevent neural networks from overfitting, 2014;
    `torch.nn.functional.dropout`.
    """
    axes = tuple(range(x.ndim)) if axis is None else (axis,) if isinstance(axis, int) else tuple(map(index, axis))
    if not all(-x.ndim <= i < x.ndim for i in axes):
        raise IndexError(f"'dropout' was asked for axis={axis} of an array with {x.ndim} axes")
    return _dropped("dropout", x, p, tuple(i % x.ndim for i in axes), training, scale, generator)


@declare(floating=True, gives="same")
def dropout1d(
    x: Array,
    /,
    p: float = 0.5,
    *,
    training: bool = True,
    scale: bool = True,
    data_format: str = "channels_first",
    generator: Generator | None = None,
    out: Array | None = None,
) -> Array:
    """Set whole channels of sequences to zero at random.

    Parameters
    ----------
    x
        Array of shape `(N, C, L)` or `(C, L)`, with channels last `(N, L, C)` or `(L, C)`.
    p, training, scale, generator
        As in `dropout`.
    data_format
        `"channels_first"` or `"channels_last"`.
    out
        Array that receives the result.

    Returns
    -------
    Array of the shape of `x` and its floating dtype.

    Raises
    ------
    ValueError, TypeError
        As in `dropout`, and if `x` has another number of axes.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.dropout1d(ca.ones((2, 3)), 0.5, generator=ca.random.Generator(3)).tolist()
    [[0.0, 0.0, 0.0], [2.0, 2.0, 2.0]]

    Notes
    -----
    J. Tompson et al., Efficient object localization using convolutional networks, arXiv:1411.4280;
    `torch.nn.functional.dropout1d`.
    """
    return _dropped("dropout1d", x, p, _channels("dropout1d", x, 1, data_format), training, scale, generator)


@declare(floating=True, gives="same")
def dropout2d(
    x: Array,
    /,
    p: float = 0.5,
    *,
    training: bool = True,
    scale: bool = True,
    data_format: str = "channels_first",
    generator: Generator | None = None,
    out: Array | None = None,
) -> Array:
    """Set whole channels of images to zero at random.

    Parameters
    ----------
    x
        Array of shape `(N, C, H, W)` or `(C, H, W)`, with channels last `(N, H, W, C)` or `(H, W, C)`.
    p, training, scale, generator
        As in `dropout`.
    data_format
        `"channels_first"` or `"channels_last"`.
    out
        Array that receives the result.

    Returns
    -------
    Array of the shape of `x` and its floating dtype.

    Raises
    ------
    ValueError, TypeError
        As in `dropout`, and if `x` has another number of axes.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.dropout2d(ca.ones((2, 1, 3)), 0.5, generator=ca.random.Generator(3)).tolist()
    [[[0.0, 0.0, 0.0]], [[2.0, 2.0, 2.0]]]

    Notes
    -----
    As `dropout1d`; `torch.nn.functional.dropout2d`, which takes three axes for a batch of sequences.
    """
    return _dropped("dropout2d", x, p, _channels("dropout2d", x, 2, data_format), training, scale, generator)


@declare(floating=True, gives="same")
def dropout3d(
    x: Array,
    /,
    p: float = 0.5,
    *,
    training: bool = True,
    scale: bool = True,
    data_format: str = "channels_first",
    generator: Generator | None = None,
    out: Array | None = None,
) -> Array:
    """Set whole channels of volumes to zero at random.

    Parameters
    ----------
    x
        Array of shape `(N, C, D, H, W)` or `(C, D, H, W)`, with channels last `(N, D, H, W, C)` or `(D, H, W, C)`.
    p, training, scale, generator
        As in `dropout`.
    data_format
        `"channels_first"` or `"channels_last"`.
    out
        Array that receives the result.

    Returns
    -------
    Array of the shape of `x` and its floating dtype.

    Raises
    ------
    ValueError, TypeError
        As in `dropout`, and if `x` has another number of axes.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.dropout3d(ca.ones((2, 1, 1, 2)), 0.5, generator=ca.random.Generator(3)).tolist()
    [[[[0.0, 0.0]]], [[[2.0, 2.0]]]]

    Notes
    -----
    As `dropout1d`; `torch.nn.functional.dropout3d`.
    """
    return _dropped("dropout3d", x, p, _channels("dropout3d", x, 3, data_format), training, scale, generator)


@declare()
def embedding(
    indices: Array, weight: Array, /, *, max_norm: float | None = None, norm_type: float = 2.0, out: Array | None = None
) -> Array:
    """Look up rows of a table.

    Parameters
    ----------
    indices
        Integer array of any shape: numbers of rows, negative ones from the end.
    weight
        The table, of shape `(rows, width)`.
    max_norm
        Rows with a larger norm are returned with this one; then `weight` has a real floating dtype. It never changes.
    norm_type
        The order of that norm, as `ord` of `vector_norm`.
    out
        Array that receives the result.

    Returns
    -------
    Array of the shape of `indices` with the width behind, and the dtype of `weight`.

    Raises
    ------
    TypeError
        If `indices` are no integers.
    ValueError
        If `weight` has not two axes.

    Examples
    --------
    >>> import corearray as ca
    >>> table = ca.asarray([[1.0, 2.0], [3.0, 4.0]])
    >>> ca.embedding(ca.asarray([[1, 0, 1]]), table).tolist()
    [[[3.0, 4.0], [1.0, 2.0], [3.0, 4.0]]]

    Notes
    -----
    An index beyond the rows has no defined result, as with `take`. `torch.nn.functional.embedding`, which writes rows of
    the new norm into `weight`.
    """
    if not xp.isdtype(indices.dtype, "integral"):
        raise TypeError(f"'embedding' got indices of the dtype '{indices.dtype}'; give integers")
    if weight.ndim != 2:
        raise ValueError(f"'embedding' got weights of the shape {tuple(weight.shape)}; give a table of two axes")
    rows = xp.take(weight, xp.reshape(indices, (-1,)), axis=0)
    if max_norm is not None:
        if not max_norm >= 0.0:
            raise ValueError(f"'embedding' got max_norm={max_norm}; it is at least 0")
        norms = xp.linalg.vector_norm(rows, axis=-1, ord=norm_type, keepdims=True)
        large = norms > max_norm
        rows = xp.where(large, rows * (max_norm / xp.where(large, norms, 1.0)), rows)
    shape = [-1 if side is None else side for side in indices.shape]
    return xp.reshape(rows, (*shape, weight.shape[1]))


@declare(promote=("x", "weight", "bias"), gives="same")
def linear(x: Array, weight: Array, /, *, bias: Array | None = None, out: Array | None = None) -> Array:
    """Apply an affine map, `x @ weight.mT + bias`.

    Parameters
    ----------
    x
        Numeric array of shape `(..., in)`.
    weight
        The matrix, of shape `(out, in)`; or a stack of them, of shape `(*stack, out, in)` for vectors of shape
        `(..., *stack, in)`, each of which meets its own matrix.
    bias
        What is added, of shape `(out,)` or `(*stack, out)`.
    out
        Array that receives the result.

    Returns
    -------
    Array of shape `(..., out)` or `(..., *stack, out)`, of the promoted dtype.

    Raises
    ------
    ValueError
        If the shapes do not fit.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.linear(ca.asarray([1.0, 2.0]), ca.asarray([[1.0, 1.0], [0.0, 3.0]]), bias=ca.asarray([0.5, 0.0])).tolist()
    [3.5, 6.0]

    Notes
    -----
    `torch.nn.functional.linear`, which takes one matrix.
    """
    stack = tuple(weight.shape[:-2])
    behind = tuple(x.shape[max(x.ndim - 1 - len(stack), 0) : -1]) if x.ndim else ()
    if weight.ndim < 2 or x.ndim == 0 or not _equal(x.shape[-1:], weight.shape[-1:]) or not _equal(behind, stack):
        raise ValueError(
            f"'linear' got vectors of the shape {tuple(x.shape)} and weights of the shape {tuple(weight.shape)}; they must "
            "have the shapes (..., in) and (out, in), or (..., *stack, in) and (*stack, out, in)"
        )
    if bias is not None and not _equal(bias.shape, weight.shape[:-1]):
        raise ValueError(
            f"'linear' got a bias of the shape {tuple(bias.shape)} for weights of the shape {tuple(weight.shape)}; it must "
            f"have the shape {tuple(weight.shape[:-1])}"
        )
    turned = xp.matrix_transpose(weight)
    if stack:
        values = xp.squeeze(xp.matmul(xp.expand_dims(x, -2), turned), -2)
    else:
        values = xp.matmul(x, turned)
    return values if bias is None else values + bias


def _equal(one: tuple[int | None, ...], other: tuple[int | None, ...]) -> bool:
    """Whether two shapes are the same, as far as they are known."""
    known = zip(one, other, strict=False)
    return len(one) == len(other) and all(a == b or a is None or b is None for a, b in known)


def _channels(name: str, x: Array, spatial: int, data_format: str) -> tuple[int, ...]:
    """Return the axes of the batch, if there is one, and of the channels."""
    if data_format not in ("channels_first", "channels_last"):
        raise ValueError(f"'{name}' got data_format={data_format!r}; it is one of 'channels_first', 'channels_last'")
    if x.ndim not in (spatial + 1, spatial + 2):
        raise ValueError(
            f"'{name}' got an array of shape {tuple(x.shape)}; it takes one with channels and {spatial} spatial axes, with a "
            "batch in front or without"
        )
    batch = x.ndim - spatial - 1
    return (*range(batch), batch if data_format == "channels_first" else x.ndim - 1)


def _dropped(
    name: str, x: Array, p: float, axes: tuple[int, ...], training: bool, scale: bool, generator: Generator | None
) -> Array:
    """Set elements to zero, anew along some axes."""
    from corearray import random

    if not 0.0 <= p <= 1.0:
        raise ValueError(f"'{name}' was asked for p={p}; give a probability from 0 to 1")
    if generator is None:
        generator = random.default_generator()
    elif not isinstance(generator, random.Generator):
        raise TypeError(f"generator of '{name}' is a corearray.random.Generator, not {type(generator).__name__}")
    if not training or p == 0.0:
        return xp.asarray(x, copy=True)
    if p == 1.0:
        return xp.zeros_like(x)
    shape = tuple(side if i in axes else 1 for i, side in enumerate(x.shape))
    if None in shape:
        raise ValueError(
            f"'{name}' got an array of the unknown shape {tuple(x.shape)}; give it sizes where it is traced"
        )
    kept = (generator._fractions(cast("Backend", xp), shape, 24) >= p).to_device(x.device)
    return xp.where(kept, x / (1.0 - p) if scale else x, xp.zeros_like(x))
