"""Stateless layers: linear maps, embeddings, dropout."""

from __future__ import annotations

from operator import index
from typing import TYPE_CHECKING, cast

from corearray.contract.declaration import declare
from corearray.functional.precision import _widened

if TYPE_CHECKING:
    import corearray as xp
    from corearray.arrays.array import Array
    from corearray.backends.backend import Backend
    from corearray.random import Generator

__all__ = [
    "dropout",
    "dropout1d",
    "dropout2d",
    "dropout3d",
    "embedding",
    "embedding_bag",
    "gumbel_softmax",
    "linear",
]


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


@declare(promote=("weight", "per_sample_weights"), floating=True, real=True)
def embedding_bag(
    indices: Array,
    weight: Array,
    /,
    *,
    offsets: Array | None = None,
    mode: str = "mean",
    per_sample_weights: Array | None = None,
    padding_idx: int | None = None,
    out: Array | None = None,
) -> Array:
    """Look rows of a table up and reduce them bag by bag.

    Parameters
    ----------
    indices
        Integer array: of shape `(B, L)` for bags of one length, or `(N,)` with `offsets`. Numbers of rows, from 0 on.
    weight
        The table, a real array of shape `(rows, width)`; integers are computed in the default floating dtype.
    offsets
        Integer array of shape `(B,)`: where each bag begins in `indices`, in ascending order, the first at 0.
    mode
        `"mean"`, `"sum"` or `"max"` of the rows of a bag.
    per_sample_weights
        Factors of the rows, of the shape of `indices`; with the mode `"sum"` only.
    padding_idx
        Index that is left out.
    out
        Array that receives the result.

    Returns
    -------
    Array of shape `(B, width)` and the floating dtype of `weight`; zeros for a bag without rows.

    Raises
    ------
    TypeError
        If `indices` or `offsets` have no integer dtype.
    ValueError
        If an option or a shape does not fit.

    Examples
    --------
    >>> import corearray as ca
    >>> table = ca.asarray([[1.0, 2.0], [3.0, 4.0], [5.0, 0.0]])
    >>> ca.embedding_bag(ca.asarray([0, 1, 2]), table, offsets=ca.asarray([0, 2])).tolist()
    [[2.0, 3.0], [5.0, 0.0]]

    Notes
    -----
    `torch.nn.functional.embedding_bag`.
    """
    _require_bags(indices, weight, offsets, mode, per_sample_weights)
    flat = xp.reshape(indices, (-1,))
    if offsets is None:
        count = indices.shape[0]
        bags = xp.repeat(xp.arange(count, device=flat.device), indices.shape[1])
    else:
        count = offsets.shape[0]
        places = xp.arange(flat.shape[0], device=flat.device)
        bags = xp.searchsorted(xp.astype(offsets, places.dtype), places, side="right") - 1
    kept = xp.ones_like(flat, dtype=xp.bool) if padding_idx is None else flat != padding_idx
    kept = xp.expand_dims(kept, 1)
    dtype, rows = weight.dtype, _widened(xp.take(weight, flat, axis=0))
    if per_sample_weights is not None:
        rows = rows * xp.reshape(per_sample_weights, (-1, 1))
    numbers = xp.unsorted_segment_sum(xp.astype(kept, rows.dtype), bags, count)
    if mode == "max":
        most = xp.unsorted_segment_max(xp.where(kept, rows, -xp.inf), bags, count)
        return xp.astype(xp.where(numbers > 0.0, most, 0.0), dtype, copy=False)
    total = xp.unsorted_segment_sum(xp.where(kept, rows, 0.0), bags, count)
    return xp.astype(total / xp.maximum(numbers, 1.0) if mode == "mean" else total, dtype, copy=False)


@declare(floating=True, real=True, gives="same")
def gumbel_softmax(
    logits: Array,
    /,
    *,
    tau: float = 1.0,
    hard: bool = False,
    axis: int = -1,
    generator: Generator | None = None,
    out: Array | None = None,
) -> Array:
    """Draw from categorical distributions in a way that has derivatives: `softmax((logits + gumbel) / tau)`.

    Parameters
    ----------
    logits
        Logits of the classes; real array.
    tau
        Temperature, above 0: the smaller, the nearer is a sample to one class.
    hard
        Whether the sample is one-hot; its derivative is that of the soft one.
    axis
        Axis of the classes.
    generator
        As in `dropout`.
    out
        Array that receives the result.

    Returns
    -------
    Array of the shape of `logits` and its floating dtype.

    Raises
    ------
    ValueError
        If `tau` is not positive.
    IndexError
        If `logits` has no such axis.
    TypeError
        If `generator` is no `Generator`.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.gumbel_softmax(ca.asarray([0.0, 100.0]), hard=True, generator=ca.random.Generator(0)).tolist()
    [0.0, 1.0]

    Notes
    -----
    E. Jang et al., Categorical reparameterization with Gumbel-softmax, arXiv:1611.01144;
    `torch.nn.functional.gumbel_softmax`.
    """
    generator = _generator("gumbel_softmax", generator)
    if not tau > 0.0:
        raise ValueError(f"'gumbel_softmax' was asked for tau={tau}; it must be above 0")
    if not -logits.ndim <= axis < logits.ndim:
        raise IndexError(f"'gumbel_softmax' was asked for axis {axis} of an array with {logits.ndim} axes")
    shape = _known("gumbel_softmax", tuple(logits.shape))
    waiting = xp.astype(generator._exponential(cast("Backend", xp), shape), logits.dtype).to_device(logits.device)
    noise = -xp.log(xp.maximum(waiting, float(xp.finfo(logits.dtype).smallest_normal)))
    soft = xp.softmax((logits + noise) / tau, axis=axis)
    if not hard:
        return soft
    best = xp.expand_dims(xp.argmax(soft, axis=axis), axis)
    sides = tuple(-1 if i == axis % logits.ndim else 1 for i in range(logits.ndim))
    classes = xp.reshape(xp.arange(logits.shape[axis], device=logits.device), sides)
    one_hot = xp.astype(classes == best, soft.dtype)
    return one_hot + (soft - xp.stop_gradient(soft))


@declare(promote=("x", "weight", "bias"), gives="same")
def linear(x: Array, weight: Array, /, *, bias: Array | None = None, out: Array | None = None) -> Array:
    """Apply an affine map, `x @ weight.mT + bias`.

    Parameters
    ----------
    x
        Numeric array of shape `(..., in)`.
    weight
        The matrix, of shape `(out, in)`; or a stack of them, of shape `(*stack, out, in)` for vectors of shape
        `(..., *stack, in)`, one for each matrix of the stack.
    bias
        Bias of shape `(out,)` or `(*stack, out)`.
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
    if not 0.0 <= p <= 1.0:
        raise ValueError(f"'{name}' was asked for p={p}; give a probability from 0 to 1")
    generator = _generator(name, generator)
    if not training or p == 0.0:
        return xp.asarray(x, copy=True)
    if p == 1.0:
        return xp.zeros_like(x)
    shape = _known(name, tuple(side if i in axes else 1 for i, side in enumerate(x.shape)))
    kept = generator._reach(cast("Backend", xp), shape, float(p)).to_device(x.device)
    return xp.where(kept, x / (1.0 - p) if scale else x, xp.zeros_like(x))


def _generator(name: str, generator: Generator | None) -> Generator:
    """Return a generator, by default that of the context."""
    from corearray import random

    if generator is None:
        return random.default_generator()
    if not isinstance(generator, random.Generator):
        raise TypeError(f"generator of '{name}' is a corearray.random.Generator, not {type(generator).__name__}")
    return generator


def _known(name: str, shape: tuple[int, ...]) -> tuple[int, ...]:
    """Return a shape for random numbers, which is known while a program is traced."""
    if None in shape:
        raise ValueError(f"'{name}' got an array of the unknown shape {shape}; give it sizes where it is traced")
    return shape


def _require_bags(
    indices: Array, weight: Array, offsets: Array | None, mode: str, per_sample_weights: Array | None
) -> None:
    name = "embedding_bag"
    if mode not in ("mean", "sum", "max"):
        raise ValueError(f"'{name}' got mode={mode!r}; it is one of 'mean', 'sum', 'max'")
    for what, x in (("indices", indices), ("offsets", offsets)):
        if x is not None and not xp.isdtype(x.dtype, "integral"):
            raise TypeError(f"'{name}' got {what} of dtype '{x.dtype}'; give integers")
    if weight.ndim != 2:
        raise ValueError(f"'{name}' got weights of the shape {tuple(weight.shape)}; give a table of two axes")
    if indices.ndim != (2 if offsets is None else 1) or (offsets is not None and offsets.ndim != 1):
        raise ValueError(
            f"'{name}' got indices of the shape {tuple(indices.shape)}; give a matrix without offsets, or a vector with a "
            "vector of offsets"
        )
    if per_sample_weights is not None:
        if mode != "sum":
            raise ValueError(f"'{name}' got per_sample_weights with mode={mode!r}; they go with 'sum' only")
        if tuple(per_sample_weights.shape) != tuple(indices.shape):
            raise ValueError(
                f"'{name}' got per_sample_weights of shape {tuple(per_sample_weights.shape)} for indices of shape "
                f"{tuple(indices.shape)}; they must have the same shape"
            )
