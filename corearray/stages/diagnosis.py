"""Why a call failed, found out after it did, so that the same mistake is the same error on every backend.

Frameworks disagree about the Python type of an error and about its words. Nothing here runs before a native call has
failed, and nothing here guesses: a rule tells of arguments that the declaration forbids, or says nothing and leaves
the native error to be translated as it is. Sizes that are unknown while a framework traces fit everything.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from itertools import zip_longest
from operator import index
from typing import TYPE_CHECKING, Any

from corearray.dtypes import DType, as_dtype
from corearray.errors import (
    AxisError,
    CoreArrayError,
    CoreArrayOverflowError,
    CoreArrayTypeError,
    CoreArrayValueError,
)
from corearray.reading.equations import axis_lengths
from corearray.stages.kernel import checked
from corearray.stages.keys import readable_key, wrong_index, wrong_key
from corearray.state import SCALARS, current_settings

if TYPE_CHECKING:
    from corearray.backend import Backend
    from corearray.declaration import Declaration

__all__ = ["diagnosed", "joint_shape"]

_Shape = tuple[Any, ...]
_Rule = Callable[["_Case"], "str | CoreArrayError | None"]

_AXES = ("axis", "axes", "source", "destination")

#: Functions that may meet an axis twice.
_REPEATING = ("roll", "fftn", "ifftn", "rfftn", "irfftn", "fftshift", "ifftshift")


class _Case:
    """One failed call: the values of its parameters by name."""

    def __init__(self, declaration: Declaration, backend: Backend, args: Sequence[Any]) -> None:
        self.declaration = declaration
        self.backend = backend
        self.values = {p.name: value for p, value in zip(declaration.parameters, args, strict=True)}
        self.arrays = [self.values[p.name] for p in declaration.parameters if p.role == "array"]
        for parameter in declaration.parameters:
            if parameter.role == "arrays" and isinstance(self.values[parameter.name], (list, tuple)):
                self.arrays.extend(self.values[parameter.name])
        self.arrays = [x for x in self.arrays if backend.is_array(x)]
        self.shapes = [_shape(x) for x in self.arrays]

    def shape(self, name: str) -> _Shape | None:
        """The shape of an array parameter, or `None` if something else stands there."""
        value = self.values[name]
        return _shape(value) if self.backend.is_array(value) else None

    def dtypes(self) -> list[DType]:
        return [self.backend.dtype_of(x) for x in self.arrays]


def diagnosed(
    declaration: Declaration, backend: Backend, args: Sequence[Any], *, knows: bool = False
) -> CoreArrayError | None:
    """Return the error that the arguments of a failed call deserve, or `None` if nothing is found wrong with them.

    What `knows` by itself what was wrong is not supposed to have failed because its arrays do not broadcast.
    """
    try:
        case = _Case(declaration, backend, args)
        for rule in (_axis, _kind, _RULES.get(declaration.name, _nothing if knows else _broadcast)):
            found = rule(case)
            if isinstance(found, CoreArrayError):
                return found
            if found is not None:
                kind = CoreArrayTypeError if rule is _kind else CoreArrayValueError
                return kind(f"'{declaration.name}' on backend '{backend.name}' got {found}")
    except Exception:  # whatever is so odd that looking at it fails, the native error is there to be told
        return None
    return None


def joint_shape(shapes: Iterable[_Shape]) -> _Shape | None:
    """Return the shape to which shapes broadcast, or `None` if there is none.

    Examples
    --------
    >>> joint_shape([(2, 1), (3,)]), joint_shape([(2,), (3,)])
    ((2, 3), None)
    """
    sizes: list[Any] = []
    for column in zip_longest(*(reversed(shape) for shape in shapes), fillvalue=1):
        known = {size for size in column if type(size) is int and size != 1}
        if len(known) > 1:
            return None
        sizes.append(known.pop() if known else 1)
    return tuple(reversed(sizes))


# --- axes


def _axis(case: _Case) -> CoreArrayError | None:
    """Axes that the first array does not have, or that are named twice."""
    name = case.declaration.name
    if not case.shapes or name == "tensordot":
        return None
    for parameter in _AXES:
        value = case.values.get(parameter)
        if value is None:
            continue
        where = f"'{name}' on backend '{case.backend.name}' got {parameter}={value!r}"
        axes = list(value) if isinstance(value, (list, tuple)) else [value]
        written = str(case.declaration.function.__annotations__[parameter])
        if not all(hasattr(axis, "__index__") for axis in axes) or (axes != [value] and "[" not in written):
            return CoreArrayTypeError(f"{where}; what is meant is {written}")
        axes = [index(axis) for axis in axes]
        ndim = min(map(len, case.shapes)) if name in ("vecdot", "cross") else len(case.shapes[0])
        ndim += len(axes) if name in ("expand_dims", "stack") else 0
        for axis in axes:
            if not -ndim <= axis < ndim:
                valid = f"valid are {-ndim} to {ndim - 1}" if ndim else "there is none to choose"
                error = AxisError(f"{where}, but axis {axis} is out of range where there are {ndim} axes; {valid}")
                error.axis, error.ndim = axis, ndim
                return error
        if len({axis % ndim for axis in axes}) < len(axes) and name not in _REPEATING:
            return CoreArrayValueError(f"{where}, which names an axis twice; name each once")
    return None


# --- dtypes

_INTEGERS = ("signed integer", "unsigned integer")
_BITS = ("bool", *_INTEGERS)

_KINDS: dict[str, tuple[tuple[str, ...], str]] = {
    **dict.fromkeys(("bitwise_and", "bitwise_or", "bitwise_xor", "bitwise_invert"), (_BITS, "integers or booleans")),
    **dict.fromkeys(("bitwise_left_shift", "bitwise_right_shift"), (_INTEGERS, "integers")),
}


def _kind(case: _Case) -> str | None:
    """Dtypes of a kind for which the function is not defined."""
    kinds, what = _KINDS.get(case.declaration.name, (None, ""))
    if kinds is None:
        return None
    wrong = next((dtype for dtype in case.dtypes() if dtype.kind not in kinds), None)
    return f"an array of dtype '{wrong}' and is for {what}" if wrong else None


# --- shapes


def _shape(x: Any) -> _Shape:
    return tuple(getattr(x, "_native", x).shape)


def _differ(one: Any, other: Any) -> bool:
    return type(one) is int and type(other) is int and one != other


def _listed(shapes: Iterable[_Shape]) -> str:
    return " and ".join(map(str, shapes))


def _broadcast(case: _Case) -> str | None:
    if not case.declaration.promote and case.declaration.name != "broadcast_arrays":
        return None
    if joint_shape(case.shapes) is not None:
        return None
    return f"arrays of the shapes {_listed(case.shapes)}, which do not broadcast to one"


def _matmul(case: _Case) -> str | None:
    one, two = case.shapes
    if not one or not two:
        return f"arrays of the shapes {one} and {two}; both must have axes, for numbers use multiply"
    if _differ(one[-1], two[max(-2, -len(two))]):
        return (
            f"arrays of the shapes {one} and {two}; the last axis of the first has the length {one[-1]}, "
            f"that of the second which meets it {two[max(-2, -len(two))]}"
        )
    return _batches(one[:-2], two[:-2], case)


def _batches(one: _Shape, two: _Shape, case: _Case) -> str | None:
    if joint_shape((one, two)) is not None:
        return None
    return f"arrays of the shapes {_listed(case.shapes)}, whose axes in front do not broadcast to one shape"


def _vecdot(case: _Case) -> str | None:
    one, two = case.shapes
    axis = case.values["axis"]
    if _differ(one[axis], two[axis]):
        return f"arrays of the shapes {one} and {two}; axis {axis} must be equally long in both"
    return _broadcast(case)


def _cross(case: _Case) -> str | None:
    axis = case.values["axis"]
    if any(_differ(shape[axis], 3) for shape in case.shapes):
        return f"arrays of the shapes {_listed(case.shapes)}; axis {axis} must have the length 3"
    return _broadcast(case)


def _tensordot(case: _Case) -> str | None:
    one, two = case.shapes
    axes = case.values["axes"]
    if isinstance(axes, int):
        if axes > min(len(one), len(two)):
            return f"arrays of the shapes {one} and {two} with axes={axes}, more than one of them has"
        met = one[len(one) - axes :], two[:axes]
    else:
        met = tuple(one[i] for i in axes[0]), tuple(two[i] for i in axes[1])
    if len(met[0]) == len(met[1]) and not any(map(_differ, *met)):
        return None
    return f"arrays of the shapes {one} and {two} with axes={axes!r}; the axes summed over have the lengths {met[0]} " \
           f"and {met[1]}"  # fmt: skip


def _einsum(case: _Case) -> CoreArrayError | None:
    equation = case.values["equation"]
    if not isinstance(equation, str):
        return CoreArrayTypeError(
            f"'einsum' got an equation of type {type(equation).__name__}; it is a text such as 'ij,jk->ik'"
        )
    try:
        axis_lengths(equation, case.shapes)
    except CoreArrayValueError as error:
        return error
    return None


def _outer(case: _Case) -> str | None:
    return None if all(len(shape) == 1 for shape in case.shapes) else f"{_these(case)}; both must have one axis"


def _along(case: _Case) -> str | CoreArrayError | None:
    """Arrays that broadcast but for one axis, and indices along it."""
    axis = case.values["axis"]
    others = [tuple(1 if i == axis % len(shape) else side for i, side in enumerate(shape)) for shape in case.shapes]
    if len(set(map(len, others))) > 1 or joint_shape(others) is None:
        return f"{_these(case)}, which do not broadcast to one but for axis {axis}"
    return _outside(case, axis)


def _these(case: _Case) -> str:
    if len(case.shapes) == 1:
        return f"an array of the shape {case.shapes[0]}"
    return f"arrays of the shapes {_listed(case.shapes)}"


def _matrix(case: _Case) -> str | None:
    return None if len(case.shapes[0]) >= 2 else f"{_these(case)}; matrices have at least 2 axes"


def _square(case: _Case) -> str | None:
    shape = case.shapes[0]
    if len(shape) < 2 or _differ(shape[-1], shape[-2]):
        return f"{_these(case)}; square matrices are needed, of the shape (..., M, M)"
    return None


def _solve(case: _Case) -> str | None:
    matrix, right = case.shapes
    if (found := _square(case)) is not None:
        return found
    if not right or _differ(matrix[-1], right[0 if len(right) == 1 else -2]):
        return f"{_these(case)}; the second must have {matrix[-1]} rows"
    return None if len(right) == 1 else _batches(matrix[:-2], right[:-2], case)


def _concat(case: _Case) -> str | None:
    if not case.shapes:
        return "no array; at least one is needed"
    axis = case.values["axis"]
    if axis is None:
        return None
    first = case.shapes[0]
    for shape in case.shapes:
        if len(shape) != len(first):
            return f"{_these(case)}; all must have the same number of axes"
        if any(_differ(a, b) for i, (a, b) in enumerate(zip(shape, first, strict=True)) if i != axis % len(first)):
            return f"{_these(case)}; all axes but {axis} must be equally long"
    return None


def _stack(case: _Case) -> str | None:
    if not case.shapes:
        return "no array; at least one is needed"
    first = case.shapes[0]
    if all(len(s) == len(first) and not any(map(_differ, s, first)) for s in case.shapes):
        return None
    return f"{_these(case)}; all must have the same shape"


def _sizes(value: Any) -> _Shape:
    return tuple(value) if isinstance(value, (list, tuple)) else (value,)


def _reshape(case: _Case) -> str | None:
    old, new = case.shapes[0], _sizes(case.values["shape"])
    unknown = sum(size == -1 for size in new)
    if unknown > 1 or any(size < -1 for size in new):
        return f"the shape {new}; one size at most may be -1, the others are at least 0"
    have, want = math.prod(old), math.prod(size for size in new if size != -1)
    if (have == want and not unknown) or (unknown and want and have % want == 0):
        return None
    return f"an array of the shape {old} with {have} elements, which do not fit into the shape {new}"


def _broadcast_to(case: _Case) -> str | None:
    old, new = case.shapes[0], _sizes(case.values["shape"])
    if joint_shape((old, new)) == new:
        return None
    return f"an array of the shape {old}, which does not broadcast to {new}"


def _squeeze(case: _Case) -> str | None:
    shape, axis = case.shapes[0], case.values["axis"]
    wrong = next((a for a in _sizes(axis) if _differ(shape[a], 1)), None)
    return None if wrong is None else f"{_these(case)}, whose axis {wrong} does not have the length 1"


def _permute(case: _Case) -> str | None:
    axes = _sizes(case.values["axes"])
    return None if len(axes) == len(case.shapes[0]) else f"{_these(case)} and axes={axes}; name each axis once"


def _moveaxis(case: _Case) -> str | None:
    one, two = case.values["source"], case.values["destination"]
    if len(_sizes(one)) == len(_sizes(two)):
        return None
    return f"source={one} and destination={two}, which must name as many axes"


def _one_axis(case: _Case) -> str | None:
    """Functions whose axis may be left out for one-dimensional arrays only."""
    if case.values["axis"] is None and len(case.shapes[0]) != 1:
        return f"{_these(case)} and no axis, which may be left out for arrays with one axis only"
    return None


def _take(case: _Case) -> str | CoreArrayError | None:
    if (found := _one_axis(case)) is not None:
        return found
    return _outside(case, case.values["axis"] or 0)


def _outside(case: _Case, axis: int) -> CoreArrayError | None:
    outside = wrong_index(case.backend, case.values["indices"], case.shapes[0][axis], axis)
    where = f"'{case.declaration.name}' on backend '{case.backend.name}'"
    return None if outside is None else type(outside)(f"{where} got an {outside}")


def _chosen(case: _Case) -> str | None:
    """Functions that choose an element need one."""
    shape, axis = case.shapes[0], case.values["axis"]
    axes = range(len(shape)) if axis is None else _sizes(axis)
    if 0 in (shape[a] for a in axes):
        return f"{_these(case)}, which has no element to choose along axis={axis}"
    return None


def _made(case: _Case) -> str | CoreArrayError | None:
    """New arrays: sizes are counts, and a Python number must fit into the dtype."""
    if "shape" in case.values:
        sizes = _sizes(case.values["shape"])
        if any(size < 0 for size in sizes):
            return f"the shape {sizes}; sizes are at least 0"
    dtype = case.values["dtype"]
    if dtype is None and case.declaration.infer == "like":
        dtype = case.dtypes()[0]
    wanted = current_settings().dtypes["integral"] if dtype is None else as_dtype(dtype)
    value = case.values.get("obj", case.values.get("fill_value"))
    if "fill_value" in case.values and case.backend.is_array(value) and _shape(value):
        return f"a value of the shape {_shape(value)}; it is one number"
    return _overflow(value, wanted, dtype is None)


def _overflow(value: Any, dtype: DType, integers_only: bool) -> CoreArrayError | None:
    if isinstance(value, (list, tuple)):
        found = (_overflow(item, dtype, integers_only) for item in value)
        return next((error for error in found if error is not None), None)
    if type(value) in SCALARS and not (integers_only and type(value) is not int):
        try:
            checked(value, dtype)
        except CoreArrayOverflowError as error:
            return error
    return None


def _transformed(case: _Case) -> str | None:
    """Fourier transforms over several axes need one."""
    if case.values["axes"] is None and not case.shapes[0]:
        return f"{_these(case)}, which has no axis to transform"
    return None


def _nothing(case: _Case) -> None:
    return None


def _get_item(case: _Case) -> CoreArrayError | None:
    return wrong_key(case.backend, case.arrays[0], readable_key(case.backend, case.values["key"]))


_RULES: dict[str, _Rule] = {
    **dict.fromkeys(("asarray", "empty", "full", "full_like", "ones", "zeros"), _made),
    **dict.fromkeys(("argmax", "argmin", "max", "min"), _chosen),
    **dict.fromkeys(("cumulative_prod", "cumulative_sum"), _one_axis),
    **dict.fromkeys(
        ("cholesky", "det", "eig", "eigh", "eigvals", "eigvalsh", "inv", "matrix_power", "slogdet"), _square
    ),
    **dict.fromkeys(
        ("diagonal", "matrix_norm", "matrix_rank", "matrix_transpose", "pinv", "qr", "svd", "svdvals", "trace", "tril",
         "triu"), _matrix,
    ),
    **dict.fromkeys(("diff", "isin", "searchsorted", "ssim_loss", "wasserstein_loss_discriminator"), _nothing),
    "broadcast_to": _broadcast_to,
    "concat": _concat,
    "cross": _cross,
    "einsum": _einsum,
    "get_item": _get_item,
    "matmul": _matmul,
    "moveaxis": _moveaxis,
    "outer": _outer,
    **dict.fromkeys(("fftn", "ifftn", "rfftn", "irfftn"), _transformed),
    **dict.fromkeys(("permute_dims", "transpose"), _permute),
    "reshape": _reshape,
    "solve": _solve,
    "squeeze": _squeeze,
    "stack": _stack,
    "take": _take,
    "take_along_axis": _along,
    "tensordot": _tensordot,
    "vecdot": _vecdot,
}  # fmt: skip
