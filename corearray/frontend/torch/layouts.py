"""Strides of tensors: they decide which of torch's functions return a view, and which copy.

Arrays of corearray have no strides, and every reshape of them may be a view. torch's `reshape`, `flatten`, `ravel` and
`contiguous` copy where the strides of the argument allow no view, `view` is refused there, and an elementwise function keeps
the order in which the elements of its arguments lie. A tensor therefore carries the strides that torch would give it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import corearray as ca
from corearray.frontend.torch.templates import ints

__all__ = [
    "ITSELF",
    "RESHAPES", "SHARES", "VIEWS", "Strides", "indexed", "is_contiguous", "made_of", "owner_of", "repeats_elements",
    "row_major",
]  # fmt: skip

#: Steps between neighbours along each axis, counted in elements.
Strides = tuple[int, ...]
_Shape = Sequence[int]


def row_major(shape: _Shape) -> Strides:
    """Return the strides of a new tensor."""
    made, step = [], 1
    for n in reversed(shape):
        made.append(step)
        step *= max(n, 1)
    return tuple(reversed(made))


def is_contiguous(shape: _Shape, strides: Strides) -> bool:
    """Return true if the elements lie in the order of the axes without gaps; strides of axes with one element do not count."""
    step = 1
    for n, stride in zip(reversed(shape), reversed(strides), strict=True):
        if n == 0:
            return True
        if n != 1 and stride != step:
            return 0 in shape
        step *= n
    return True


def repeats_elements(shape: _Shape, strides: Strides) -> bool:
    """Return true if an axis shows the same elements again, as after `expand`."""
    return 0 not in shape and any(n > 1 and stride == 0 for n, stride in zip(shape, strides, strict=True))


def _reshaped(shape: _Shape, strides: Strides, new: _Shape) -> Strides | None:
    """Return the strides of a view of another shape, or `None` if there is none (`computeStride` of ATen)."""
    if 0 in shape:
        return strides if tuple(shape) == tuple(new) else row_major(new)
    if not shape:
        return (1,) * len(new)
    made, place = [0] * len(new), len(new) - 1
    step, count, filled = strides[-1], 1, 1
    for axis in reversed(range(len(shape))):
        count *= shape[axis]
        if axis and (shape[axis - 1] == 1 or strides[axis - 1] == count * step):
            continue  # the next axis continues this block of memory
        while place >= 0 and (filled < count or new[place] == 1):
            made[place] = filled * step
            filled *= new[place]
            place -= 1
        if filled != count:
            return None
        if axis:
            step, count, filled = strides[axis - 1], 1, 1
    return tuple(made) if place < 0 else None


def _dense(shape: _Shape, strides: Strides) -> bool:
    """Return true if the elements lie without gaps and overlaps, in whatever order of the axes."""
    step = 1
    for stride, n in sorted((stride, n) for n, stride in zip(shape, strides, strict=True) if n != 1):
        if stride != step:
            return False
        step *= n
    return True


def _kept_order(shape: _Shape, operands: Sequence[tuple[_Shape, Strides]]) -> Strides:
    """Return the strides of the result of an elementwise function (`TensorIterator` of ATen)."""
    same = all(tuple(its) == tuple(shape) for its, _ in operands)
    if all(is_contiguous(*one) for one in operands) and same:
        return row_major(shape)
    if same and _dense(*operands[0]) and len({strides for _, strides in operands}) == 1:
        return operands[0][1]
    known = [_broadcast(its, strides, shape) for its, strides in operands]
    order = list(range(len(shape)))[::-1]  # from the axis whose elements lie closest

    def compared(first: int, second: int) -> int:
        for strides in known:
            one, other = strides[first], strides[second]
            if one and other:
                if one != other:
                    return 1 if one > other else -1
                if shape[first] > shape[second]:
                    return 1
        return 0

    for place in range(1, len(order)):
        now = place
        for before in reversed(range(place)):
            found = compared(order[before], order[now])
            if found > 0:
                order[before], order[now] = order[now], order[before]
                now = before
            elif found < 0:
                break
    made, step = [0] * len(shape), 1
    for axis in order:
        made[axis] = step
        step *= shape[axis]
    return row_major(shape) if order == list(range(len(shape)))[::-1] else tuple(made)


def _broadcast(shape: _Shape, strides: Strides, wanted: _Shape) -> Strides:
    """Return the strides of an operand that is broadcast."""
    more = len(wanted) - len(shape)
    kept = (0 if n == 1 != wide else stride for n, stride, wide in zip(shape, strides, wanted[more:], strict=True))
    return (0,) * more + tuple(kept)


def _expanded(shape: _Shape, strides: Strides, made: _Shape) -> Strides:
    found: list[int] = []
    more = len(made) - len(shape)
    for axis in reversed(range(len(made))):
        if axis >= more:
            n, stride = shape[axis - more], strides[axis - more]
        else:
            n, stride = 1, made[axis + 1] * found[0] if axis + 1 < len(made) else 1
        found.insert(0, stride if n == made[axis] else 0)
    return tuple(found)


def _without(strides: Strides, axes: Sequence[int]) -> Strides:
    return tuple(stride for axis, stride in enumerate(strides) if axis not in axes)


def _swapped(shape: _Shape, strides: Strides, dim0: int, dim1: int) -> Strides:
    if not strides:
        return strides
    made = list(strides)
    made[dim0], made[dim1] = made[dim1], made[dim0]
    return tuple(made)


def _matrices(shape: _Shape, strides: Strides) -> Strides:
    return _swapped(shape, strides, -2, -1) if len(shape) > 1 else strides


def _permuted(shape: _Shape, strides: Strides, *dims: Any) -> Strides:
    return tuple(strides[axis] for axis in ints(dims))


def _moved(shape: _Shape, strides: Strides, source: Any, destination: Any) -> Strides:
    ndim = len(shape)
    froms, tos = (
        [axis % ndim for axis in (given if isinstance(given, (tuple, list)) else (given,))] if ndim else []
        for given in (source, destination)
    )
    order = [axis for axis in range(ndim) if axis not in froms]
    for to, axis in sorted(zip(tos, froms, strict=True)):
        order.insert(to, axis)
    return tuple(strides[axis] for axis in order)


def _unsqueezed(shape: _Shape, strides: Strides, dim: int) -> Strides:
    dim %= len(shape) + 1
    return (*strides[:dim], shape[dim] * strides[dim] if dim < len(shape) else 1, *strides[dim:])


def _squeezed(shape: _Shape, strides: Strides, dim: Any = None) -> Strides:
    dims = range(len(shape)) if dim is None else dim if isinstance(dim, (list, tuple)) else (dim,)
    return _without(strides, [d % len(shape) for d in dims if shape and shape[d] == 1])


def _selected(shape: _Shape, strides: Strides, dim: int, index: Any = None) -> Strides:
    return _without(strides, [dim % len(shape)])


def _unbound(shape: _Shape, strides: Strides, dim: int = 0) -> Strides:
    return _without(strides, [dim % len(shape)])


def _diagonal(shape: _Shape, strides: Strides, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Strides:
    dim1, dim2 = dim1 % len(shape), dim2 % len(shape)
    return (*_without(strides, [dim1, dim2]), strides[dim1] + strides[dim2])


def _last_diagonal(shape: _Shape, strides: Strides, *, offset: int = 0, dim1: int = -2, dim2: int = -1) -> Strides:
    return _diagonal(shape, strides, offset, dim1, dim2)


def _unfolded(shape: _Shape, strides: Strides, dimension: int, size: int, step: int) -> Strides:
    if not shape:
        return (1,)
    dim = dimension % len(shape)
    return (*strides[:dim], strides[dim] * step, *strides[dim + 1 :], strides[dim])


def indexed(shape: _Shape, strides: Strides, key: Any, made: _Shape) -> tuple[Strides, bool]:
    """Return the strides of `x[key]`, and whether it is a view."""
    parts = list(key) if isinstance(key, tuple) else [key]
    taken = sum(part.ndim if _truths(part) else 1 for part in parts if part is not None and part is not ...)
    taken -= sum(isinstance(part, bool) for part in parts)
    found: list[int] = []  # of the axes that are not indexed by arrays
    places: list[int] = []  # where arrays index, counted in the axes of `found`
    runs, last, axis = 0, -2, 0
    for part in [*parts, *([] if any(part is ... for part in parts) else [...])]:
        if part is ...:
            count = len(shape) - taken
            found += strides[axis : axis + count]
            axis += count
        elif part is None:
            found.append(shape[axis] * strides[axis] if axis < len(shape) else 1)
        elif isinstance(part, slice):
            found.append(strides[axis] * int(part.step or 1))
            axis += 1
        elif (isinstance(part, int) and not isinstance(part, bool)) or _place(part):
            axis += 1
        else:
            runs += last != len(found)
            last = len(found)
            places.append(last)
            axis += part.ndim if _truths(part) else 0 if isinstance(part, bool) else 1
    if not places:
        return tuple(found), True
    wide = len(made) - len(found)
    at = places[0] if runs == 1 else 0
    source = (*found[:at], *[0] * wide, *found[at:])
    of_arrays = (*[1] * at, *made[at : at + wide], *[1] * (len(found) - at))
    return _kept_order(made, [(made, source), (of_arrays, row_major(of_arrays))]), False


def _place(part: Any) -> bool:
    """Return true for an array that torch takes for an integer, so that the result is a view."""
    return isinstance(part, ca.Array) and not part.ndim and not _truths(part)


def _truths(part: Any) -> bool:
    return isinstance(part, ca.Array) and part.dtype in (ca.bool, ca.uint8)


def _same(shape: _Shape, strides: Strides, *args: Any, **options: Any) -> Strides:
    return strides


def _pairs(shape: _Shape, strides: Strides) -> Strides:
    return (*(2 * stride for stride in strides), 1)


def _halves(shape: _Shape, strides: Strides) -> Strides:
    return tuple(stride // 2 for stride in strides[:-1])


#: Strides of views by the last part of a function's name, from the shape, strides and further arguments.
VIEWS: dict[str, Callable[..., Strides]] = {
    "transpose": _swapped, "swapaxes": _swapped, "swapdims": _swapped, "t": lambda shape, strides: strides[::-1],
    "T": lambda shape, strides: strides[::-1], "mT": _matrices, "mH": _matrices, "H": _matrices, "adjoint": _matrices,
    "permute": _permuted, "movedim": _moved, "moveaxis": _moved, "unsqueeze": _unsqueezed, "squeeze": _squeezed,
    "select": _selected, "unbind": _unbound, "narrow": _same, "split": _same, "split_with_sizes": _same, "chunk": _same,
    "tensor_split": _same, "hsplit": _same, "vsplit": _same, "dsplit": _same, "unsafe_split": _same,
    "unsafe_chunk": _same, "unsafe_split_with_sizes": _same, "diagonal": _diagonal, "linalg.diagonal": _last_diagonal,
    "unfold": _unfolded, "detach": _same, "data": _same, "alias": _same, "view_as_real": _pairs,
    "view_as_complex": _halves,
}  # fmt: skip

#: Functions of another shape, which copy where the strides allow no view.
RESHAPES = frozenset(
    "reshape reshape_as view view_as flatten ravel unflatten contiguous atleast_1d atleast_2d atleast_3d "
    "Flatten Unflatten".split()
)

#: Functions that show the same elements again along further axes.
_EXPANDS = frozenset("expand expand_as broadcast_to broadcast_tensors".split())

#: Functions whose results belong to an argument each.
_OF_EACH = frozenset("broadcast_tensors meshgrid atleast_1d atleast_2d atleast_3d".split())

#: Functions that return their argument itself where there is nothing to do.
ITSELF = frozenset(
    "to type type_as float double half bfloat16 long int short char byte bool cfloat cdouble chalf positive real conj "
    "conj_physical resolve_conj resolve_neg cpu cuda as_tensor asarray sum_to_size dropout dropout1d dropout2d dropout3d "
    "alpha_dropout feature_alpha_dropout feature_dropout atleast_1d atleast_2d atleast_3d flatten Identity Dropout "
    "Dropout1d Dropout2d Dropout3d AlphaDropout FeatureAlphaDropout".split()
)

#: Functions whose results may share elements with an argument, so that they are not made copies.
SHARES = (
    ITSELF | _EXPANDS | {"meshgrid", "cartesian_prod", "contiguous", "imag", "from_numpy", "from_dlpack", "as_subclass"}
)

#: Functions whose results have the shape of their first argument; the others need not broadcast to it.
_OF_FIRST = frozenset("diagonal_scatter index_fill index_put select_scatter slice_scatter to type_as".split())

#: Elementwise functions, whose results keep the order of their arguments' elements.
_KEEPS_ORDER = frozenset(
    "abs absolute acos acosh add addcdiv addcmul alpha_dropout angle arccos arccosh arcsin arcsinh arctan arctan2 "
    "arctanh asin asinh atan atan2 atanh bfloat16 bitwise_and bitwise_left_shift bitwise_not bitwise_or "
    "bitwise_right_shift bitwise_xor bool byte cdouble ceil CELU celu cfloat chalf char clamp clamp_max clamp_min "
    "clip clone complex conj conj_physical copysign cos cosh deg2rad diagonal_scatter digamma div divide double "
    "dropout dropout1d dropout2d dropout3d elu ELU empty_like entr eq erf erfc erfcx erfinv exp exp2 expit expm1 "
    "feature_alpha_dropout fix flip fliplr flipud float float_power floor floor_divide fmax fmin fmod frac frexp "
    "full_like ge GELU gelu greater greater_equal gt half Hardshrink hardshrink Hardsigmoid hardsigmoid hardswish "
    "Hardswish Hardtanh hardtanh heaviside hypot i0 i0e i1 i1e igamma igammac index_fill index_put int isclose "
    "isfinite isinf isnan isneginf isposinf isreal ldexp le leaky_relu LeakyReLU lerp less less_equal lgamma log "
    "log10 log1p log2 log_ndtr logaddexp logaddexp2 logical_and logical_not logical_or logical_xor logit logsigmoid "
    "LogSigmoid long lt maximum minimum mish Mish mul multiply nan_to_num ndtr ndtri ne neg negative nextafter "
    "not_equal ones_like polar polygamma positive pow rad2deg rand_like randint_like randn_like reciprocal ReLU "
    "relu ReLU6 relu6 remainder resolve_conj resolve_neg round rsqrt rsub select_scatter SELU selu sgn short "
    "Sigmoid sigmoid sign signbit silu SiLU sin sinc sinh slice_scatter Softplus softplus Softshrink softshrink "
    "Softsign softsign sqrt square sub subtract tan Tanh tanh Tanhshrink tanhshrink threshold Threshold to "
    "true_divide trunc type type_as where xlog1py xlogy zeros_like zeta".split()
)


def owner_of(name: str, count: int, place: int) -> int:
    """Return which of `count` tensors a result belongs to, by its place among the results."""
    return min(place, count - 1) if name in _OF_EACH else 0


def made_of(
    name: str,
    args: Sequence[Any],
    options: dict[str, Any],
    given: Sequence[tuple[_Shape, Strides]],
    made: Any,
    place: int,
) -> Strides | None:
    """Return the strides of a result.

    Parameters
    ----------
    name
        The last part of the function's name, with `linalg.` before it for `torch.linalg.diagonal`.
    args, options
        The arguments, with arrays.
    given
        Shapes and strides of the tensors among the arguments.
    made
        A result.
    place
        Its place among several results.

    Returns
    -------
    Strides, or `None` where the strides of the argument allow no view.
    """
    shape = tuple(made.shape)
    if not given:
        return row_major(shape)
    first = given[owner_of(name, len(given), place)]
    if name in ("contiguous", "ravel") and not is_contiguous(*first):
        return None
    if name in RESHAPES:
        return _reshaped(*first, shape)
    if name in VIEWS:
        further = {key: x for key, x in options.items() if key not in ("input", "A", "tensor")}
        return VIEWS[name](*first, *args[1:], **further)
    if name in _EXPANDS:
        return _expanded(*first, shape)
    if name == "meshgrid":
        axis = place if options.get("indexing") != "xy" else {0: 1, 1: 0}.get(place, place)
        return tuple(first[1][0] if i == axis and first[0] else 0 for i in range(len(shape)))
    if any(made is x for x in args):
        return first[1]
    if name in ("real", "imag"):  # of complex numbers, which are pairs
        return tuple(2 * stride for stride in first[1])
    if not shape or name not in _KEEPS_ORDER or options.get("memory_format") not in (None, "preserve_format"):
        return row_major(shape)
    if name in _OF_FIRST:
        given = [first]
    together = tuple(ca.broadcast_shapes(*(tuple(its) for its, _ in given)))
    return _kept_order(shape, given) if together == shape else row_major(shape)
