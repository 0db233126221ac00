"""Logical reductions, equality of whole arrays, finite differences and integrals.

Everything is composed. `all` and `any` count, so that they are defined for empty arrays and every dtype.

The names `all` and `any` are the public functions in this file.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from corearray.contract.declaration import declare
from corearray.functional.precision import _smallest

if TYPE_CHECKING:
    import corearray as xp
    from corearray.arrays.array import Array
    from corearray.contract.declaration import Scalar

__all__ = [
    "all",
    "allclose",
    "any",
    "array_equal",
    "diff",
    "fourier_encode",
    "gradient",
    "has_nans",
    "trapezoid",
]


@declare(gives="bool")
def all(
    x: Array,
    /,
    *,
    axis: int | tuple[int, ...] | None = None,
    keepdims: bool = False,
    out: Array | None = None,
) -> Array:
    """Test whether all elements along axes are true.

    Parameters
    ----------
    x
        Array of any dtype. A number is true if it is not zero, and so is NaN.
    axis
        Axis or axes to reduce; by default all.
    keepdims
        Whether reduced axes stay with length one.
    out
        Array that receives the result.

    Returns
    -------
    Boolean array of the shape of `x` without the reduced axes; true over no elements.

    Raises
    ------
    IndexError
        If `x` has no such axis; without axes it has none.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.all(ca.asarray([[1, 0], [2, 3]]), axis=1).tolist()
    [False, True]

    Notes
    -----
    Array API standard 2025.12, `all`.
    """
    return xp.equal(xp.count_nonzero(xp.logical_not(x), axis=axis, keepdims=keepdims), 0)


@declare(promote=("x1", "x2"), floating=True, gives="bool")
def allclose(
    x1: Array | Scalar, x2: Array | Scalar, /, *, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False
) -> Array:
    """Test whether two arrays are equal within a tolerance.

    Parameters
    ----------
    x1
        Numeric array; or a Python scalar, if `x2` is an array.
    x2
        Numeric array, broadcastable with `x1`; or a Python scalar, if `x1` is an array.
    rtol, atol
        Tolerances, relative to the size of `x2` and absolute.
    equal_nan
        Whether a NaN is close to a NaN.

    Returns
    -------
    Boolean array without axes.

    Examples
    --------
    >>> import corearray as ca
    >>> bool(ca.allclose(ca.asarray([1.0, 2.0]), ca.asarray([1.0, 2.000001])))
    True

    Notes
    -----
    All of `isclose`. As `numpy.allclose`, but an array, so that it can be traced.
    """
    return xp.all(xp.isclose(x1, x2, rtol=rtol, atol=atol, equal_nan=equal_nan))


@declare(gives="bool")
def any(
    x: Array,
    /,
    *,
    axis: int | tuple[int, ...] | None = None,
    keepdims: bool = False,
    out: Array | None = None,
) -> Array:
    """Test whether any element along axes is true.

    Parameters
    ----------
    x
        Array of any dtype. A number is true if it is not zero, and so is NaN.
    axis
        Axis or axes to reduce; by default all.
    keepdims
        Whether reduced axes stay with length one.
    out
        Array that receives the result.

    Returns
    -------
    Boolean array of the shape of `x` without the reduced axes; false over no elements.

    Raises
    ------
    IndexError
        If `x` has no such axis; without axes it has none.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.any(ca.asarray([[1, 0], [0, 0]]), axis=1).tolist()
    [True, False]

    Notes
    -----
    Array API standard 2025.12, `any`.
    """
    return xp.not_equal(xp.count_nonzero(x, axis=axis, keepdims=keepdims), 0)


@declare(promote=("x1", "x2"), gives="bool")
def array_equal(x1: Array, x2: Array, /, *, equal_nan: bool = False) -> Array:
    """Test whether two arrays have the same shape and the same elements.

    Parameters
    ----------
    x1, x2
        Arrays of any shapes and dtypes that have a common dtype.
    equal_nan
        Whether a NaN is equal to a NaN.

    Returns
    -------
    Boolean array without axes; true for arrays without elements of one shape.

    Examples
    --------
    >>> import corearray as ca
    >>> x = ca.asarray([1, 2])
    >>> bool(ca.array_equal(x, x)), bool(ca.array_equal(x, x[:1]))
    (True, False)

    Notes
    -----
    As `numpy.array_equal`, but an array, so that it can be traced.
    """
    if x1.shape != x2.shape:
        return xp.zeros((), dtype=xp.bool, device=x1.device)
    same = xp.equal(x1, x2)
    return xp.all(same | (xp.not_equal(x1, x1) & xp.not_equal(x2, x2)) if equal_nan else same)


def _require_alike(x: Array, n: int, axis: int, prepend: Array | None, append: Array | None) -> None:
    ndim = len(x.shape)
    if n < 0:
        raise ValueError(f"'diff' got n={n}; the order of the differences is at least 0")
    if not -ndim <= axis < ndim:
        raise IndexError(f"'diff' got axis={axis} and an array with {ndim} axes; name one that it has")
    for name, other in (("prepend", prepend), ("append", append)):
        if other is not None and len(other.shape) != ndim:
            raise ValueError(f"'diff' got {name} with {len(other.shape)} axes for an array with {ndim}; it has as many")


@declare(promote=("x", "prepend", "append"), gives="same", check=_require_alike)
def diff(
    x: Array,
    /,
    *,
    axis: int = -1,
    n: int = 1,
    prepend: Array | None = None,
    append: Array | None = None,
) -> Array:
    """Compute the `n`-th finite difference along an axis.

    Parameters
    ----------
    x
        Numeric array; of a boolean one the result tells where neighbours differ.
    axis
        Axis along which to subtract, by default the last.
    n
        Order of the difference, at least 0.
    prepend, append
        Arrays that are joined to `x` before and after along `axis`; of the shape of `x` but for that axis.

    Returns
    -------
    Array of the shape of the joined `x`, shorter by `n` along `axis`, of the promoted dtype.

    Raises
    ------
    ValueError
        If `n` is negative.
    IndexError
        If `x` has no such axis.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.diff(ca.asarray([1, 4, 9, 16])).tolist()
    [3, 5, 7]
    >>> ca.diff(ca.asarray([1, 4, 9, 16]), n=2).tolist()
    [2, 2]

    Notes
    -----
    Unsigned integers wrap around. Array API standard 2025.12, `diff`.
    """
    parts = [part for part in (prepend, x, append) if part is not None]
    result = xp.concat(parts, axis=axis) if len(parts) > 1 else xp.astype(x, x.dtype)
    step = xp.not_equal if xp.isdtype(x.dtype, "bool") else xp.subtract
    before = (slice(None),) * (axis % x.ndim)
    for _ in range(n):
        if result.shape[axis] == 0:
            break
        result = step(result[(*before, slice(1, None), ...)], result[(*before, slice(None, -1), ...)])
    return result


@declare(floating=True, real=True)
def fourier_encode(
    x: Array,
    /,
    max_freq: float,
    *,
    num_bands: int = 4,
    linear: bool = False,
    include_input: bool = True,
    flatten: bool = False,
    out: Array | None = None,
) -> Array:
    """Encode coordinates as sines and cosines at several frequencies.

    Parameters
    ----------
    x
        Coordinates, of shape `(..., D)`, from -1 to 1; real array, integers are computed in the default floating dtype.
    max_freq
        Twice the highest frequency, `sin(pi * max_freq / 2 * x)`; above 0. The lowest is `sin(pi * x)`.
    num_bands
        Number of frequencies.
    linear
        Whether they are spaced evenly, and not their logarithms.
    include_input
        Whether the coordinates come in front.
    flatten
        Whether the last two axes become one.
    out
        Array that receives the result.

    Returns
    -------
    Array of shape `(..., D, 2 * num_bands + 1)`, without the input `(..., D, 2 * num_bands)`: the coordinate, the sines, the
    cosines, of the floating dtype of `x`.

    Raises
    ------
    ValueError
        If `x` has no axes, or an option is out of its range.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.fourier_encode(ca.asarray([0.0]), 8.0, num_bands=2).tolist()
    [[0.0, 0.0, 0.0, 1.0, 1.0]]

    Notes
    -----
    A. Jaegle et al., Perceiver, arXiv:2103.03206, section 3.2.
    """
    if x.ndim == 0 or max_freq <= 0.0 or num_bands < 1:
        raise ValueError(
            f"'fourier_encode' got an array of the shape {tuple(x.shape)}, max_freq={max_freq} and num_bands={num_bands}; give "
            "coordinates along an axis, a frequency above 0 and at least one band"
        )
    space = xp.linspace if linear else xp.geomspace
    scales = space(1.0, max_freq / 2.0, num_bands, dtype=x.dtype, device=x.device)
    column = xp.expand_dims(x, -1)
    angles = column * scales * xp.pi
    parts = [xp.sin(angles), xp.cos(angles)]
    encoded = xp.concat([column, *parts] if include_input else parts, axis=-1)
    if not flatten:
        return encoded
    shape = [-1 if side is None else side for side in x.shape[:-1]]
    return xp.reshape(encoded, (*shape, encoded.shape[-2] * encoded.shape[-1]))


@declare(gives="bool")
def has_nans(x: Array, /, *, include_infs: bool = True) -> Array:
    """Test whether any element is NaN, or by option infinite.

    Parameters
    ----------
    x
        Array of any dtype.
    include_infs
        Whether infinities count too.

    Returns
    -------
    Boolean array without axes.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.has_nans(ca.asarray([1.0, ca.inf])).tolist(), ca.has_nans(ca.asarray([1, 2])).tolist()
    (True, False)
    """
    if xp.isdtype(x.dtype, "bool"):
        x = xp.astype(x, _smallest())
    return xp.any(xp.logical_not(xp.isfinite(x)) if include_infs else xp.isnan(x))


@declare(floating=True)
def gradient(
    f: Array,
    /,
    *spacing: Array | float,
    axis: int | tuple[int, ...] | None = None,
    edge_order: int = 1,
) -> Array | tuple[Array, ...]:
    """Estimate the derivative of sampled values: second order inside, first or second order at the ends.

    Parameters
    ----------
    f
        Numeric array, with at least `edge_order + 1` elements along each axis of interest; integers are computed in the
        default floating dtype.
    *spacing
        One distance of neighbours for all axes, or for each axis a distance or a one-dimensional array with the
        coordinates of the elements; by default 1.
    axis
        Axis or axes along which to derive; by default all.
    edge_order
        Order of the derivative at both ends, 1 or 2.

    Returns
    -------
    Array of the shape of `f` for one axis, else a tuple of such arrays, one for each axis.

    Raises
    ------
    ValueError
        If there are too few elements, if `edge_order` is something else, or if `spacing` does not fit.
    IndexError
        If `f` has no such axis.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.gradient(ca.asarray([1.0, 4.0, 9.0, 16.0])).tolist()
    [3.0, 4.0, 6.0, 7.0]

    Notes
    -----
    The mean of the slopes on either side, weighted with the distances (Fornberg, 1988). As `numpy.gradient`.
    """
    axes = tuple(range(f.ndim)) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    if edge_order not in (1, 2):
        raise ValueError(f"'gradient' got edge_order={edge_order!r}; give 1 or 2")
    if len(spacing) not in (0, 1, len(axes)):
        raise ValueError(
            f"'gradient' got {len(spacing)} spacings for {len(axes)} axes; give none, one, or one for each"
        )
    steps = spacing * len(axes) if len(spacing) == 1 else spacing or (1.0,) * len(axes)
    found = []
    for place, step in zip(axes, steps, strict=True):
        if not -f.ndim <= place < f.ndim:
            raise IndexError(f"'gradient' was asked for axis {place} of an array with {f.ndim} axes")
        if f.shape[place] <= edge_order:
            raise ValueError(
                f"'gradient' with edge_order={edge_order} takes at least {edge_order + 1} elements along an axis, found "
                f"{f.shape[place]} along axis {place}"
            )
        found.append(_derivative(f, step, place % f.ndim, edge_order))
    return found[0] if len(found) == 1 else tuple(found)


@declare(promote=("y", "x"), floating=True, gives="same")
def trapezoid(
    y: Array, /, x: Array | None = None, *, dx: float = 1.0, axis: int = -1, out: Array | None = None
) -> Array:
    """Integrate sampled values along an axis by the trapezoidal rule.

    Parameters
    ----------
    y
        Numeric array with at least one axis; integers are computed in the default floating dtype.
    x
        Coordinates of the elements: one-dimensional, as long as `y` along `axis`, or of the shape of `y`.
    dx
        Distance of neighbours, where `x` is not given.
    axis
        Axis along which to integrate, by default the last.
    out
        Array that receives the result.

    Returns
    -------
    Array of the shape of `y` without `axis`, of the promoted floating dtype; zero over fewer than two elements.

    Raises
    ------
    IndexError
        If `y` has no such axis.
    ValueError
        If `x` has another length.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.trapezoid(ca.asarray([1.0, 2.0, 4.0]), dx=2.0).tolist()
    9.0

    Notes
    -----
    As `numpy.trapezoid`.
    """
    if not -y.ndim <= axis < y.ndim:
        raise IndexError(f"'trapezoid' was asked for axis {axis} of an array with {y.ndim} axes")
    if x is not None and x.ndim == 1:
        x = xp.reshape(x, (-1, *(1,) * (y.ndim - 1 - axis % y.ndim)))
        axis = axis % y.ndim - y.ndim
    if x is not None and (-axis > x.ndim or x.shape[axis] != y.shape[axis]):
        raise ValueError(
            f"'trapezoid' got x of shape {tuple(x.shape)} for y of shape {tuple(y.shape)} along axis {axis}"
        )
    before = (slice(None),) * (axis % y.ndim)
    means = 0.5 * (y[(*before, slice(1, None), ...)] + y[(*before, slice(None, -1), ...)])
    return xp.sum(means * (dx if x is None else xp.diff(x, axis=axis)), axis=axis)


def _derivative(f: Array, spacing: Array | float, axis: int, edge_order: int) -> Array:
    """Derive along one axis; `share` is what the slope on the left counts inside."""
    size = f.shape[axis]

    def part(x: Array, start: int, stop: int) -> Array:
        return x[(*(slice(None),) * axis, slice(start, stop), ...)]

    step = _steps(f, spacing, axis)
    slopes = xp.diff(f, axis=axis) / step
    left, right = part(slopes, 0, size - 2), part(slopes, 1, size - 1)
    share: Array | float = 0.5
    # Between equal steps the middle element has the weight zero. It is left out, so that a gap there has no effect.
    across = part(f, 2, size) - part(f, 0, size - 2)
    if isinstance(step, (int, float)):
        inside = across / (2.0 * step)
    else:
        places = xp.reshape(step, (*(1,) * axis, size - 1, *(1,) * (f.ndim - axis - 1)))
        before, behind = part(places, 0, size - 2), part(places, 1, size - 1)
        width = before + behind
        share = behind / width
        inside = xp.where(before == behind, across / width, share * left + (1.0 - share) * right)
    first, last = part(slopes, 0, 1), part(slopes, size - 2, size - 1)
    if edge_order == 2:
        bend = right - left
        shares = [share if isinstance(share, float) else part(share, at, at + 1) for at in (0, size - 3)]
        first = first - (1.0 - shares[0]) * part(bend, 0, 1)
        last = last + shares[1] * part(bend, size - 3, size - 2)
    return xp.concat([first, inside, last], axis=axis)


def _steps(f: Array, spacing: Array | float, axis: int) -> Array | float:
    """Return the distances of neighbours, shaped to go with the array, or the one that they all have."""
    if isinstance(spacing, (int, float)):
        return spacing
    if spacing.ndim == 0:
        spacing = xp.broadcast_to(spacing, (f.shape[axis] - 1,))
    elif spacing.shape == (f.shape[axis],):
        if xp.isdtype(spacing.dtype, "integral"):
            spacing = xp.astype(spacing, xp.real(f).dtype if xp.isdtype(f.dtype, "complex floating") else f.dtype)
        spacing = xp.diff(spacing)
    else:
        raise ValueError(
            f"'gradient' got coordinates of shape {tuple(spacing.shape)} for {f.shape[axis]} elements along axis {axis}; "
            "give a one-dimensional array of that length"
        )
    return xp.reshape(spacing, (-1, *(1,) * (f.ndim - axis - 1)))
