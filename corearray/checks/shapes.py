"""What the shapes and values of a failed call must be, function by function; `diagnosis` asks when a call has failed.

A rule returns what its message says after "got", or an error of its own, or `None` if it finds nothing wrong.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from corearray.checks.joining import differ, misfit
from corearray.checks.keys import readable_key, wrong_index, wrong_key
from corearray.checks.parsing.equations import axis_lengths
from corearray.checks.values import is_ragged, lacking_dtype, unfit
from corearray.errors import CoreArrayError, CoreArrayTypeError, CoreArrayValueError
from corearray.settings.context import NUMBERS, current_settings
from corearray.types.dtypes import DType, as_dtype

if TYPE_CHECKING:
    from corearray.backends.backend import Backend
    from corearray.contract.declaration import Declaration

__all__ = ["Case", "Rule", "joint_shape", "rule_of"]

_INTEGERS = ("signed integer", "unsigned integer")

_Shape = tuple[Any, ...]
Rule = Callable[["Case"], "str | CoreArrayError | None"]


class Case:
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
        """The dtypes of all arrays."""
        return [self.backend.dtype_of(x) for x in self.arrays]


def rule_of(name: str, *, knows: bool) -> Rule:
    """Return the rule of a function: its own, or that its arrays broadcast if it does not say by itself what is wrong."""
    return _RULES.get(name, _nothing if knows else _broadcast)


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


def _shape(x: Any) -> _Shape:
    return tuple(getattr(x, "_native", x).shape)


def _listed(shapes: Iterable[_Shape]) -> str:
    return " and ".join(map(str, shapes))


def _broadcast(case: Case) -> str | None:
    return _joint(case) if case.declaration.promote or case.declaration.name == "broadcast_arrays" else None


def _joint(case: Case) -> str | None:
    if joint_shape(case.shapes) is not None:
        return None
    # Arrays without axes broadcast with all others; some stand for numbers.
    return f"arrays of the shapes {_listed([shape for shape in case.shapes if shape])}, which do not broadcast to one"


def _matmul(case: Case) -> str | None:
    if () in case.shapes or any(isinstance(case.values[name], NUMBERS) for name in ("x1", "x2")):
        return f"{_these(case)}; both must have axes, for numbers use multiply"
    one, two = case.shapes
    if differ(one[-1], two[max(-2, -len(two))]):
        return (
            f"arrays of the shapes {one} and {two}; the last axis of the first has the length {one[-1]}, "
            f"that of the second which meets it {two[max(-2, -len(two))]}"
        )
    return _batches(one[:-2], two[:-2], case)


def _batches(one: _Shape, two: _Shape, case: Case) -> str | None:
    if joint_shape((one, two)) is not None:
        return None
    return f"arrays of the shapes {_listed(case.shapes)}, whose axes in front do not broadcast to one shape"


def _vecdot(case: Case) -> str | None:
    one, two = case.shapes
    axis = case.values["axis"]
    if differ(one[axis], two[axis]):
        return f"arrays of the shapes {one} and {two}; axis {axis} must be equally long in both"
    return _broadcast(case)


def _cross(case: Case) -> str | None:
    axis = case.values["axis"]
    if any(differ(shape[axis], 3) for shape in case.shapes):
        return f"arrays of the shapes {_listed(case.shapes)}; axis {axis} must have the length 3"
    return _broadcast(case)


def _tensordot(case: Case) -> str | None:
    one, two = case.shapes
    axes = case.values["axes"]
    if isinstance(axes, int):
        if axes > min(len(one), len(two)):
            return f"arrays of the shapes {one} and {two} with axes={axes}, more than one of them has"
        met = one[len(one) - axes :], two[:axes]
    else:
        met = tuple(one[i] for i in axes[0]), tuple(two[i] for i in axes[1])
    if len(met[0]) == len(met[1]) and not any(map(differ, *met)):
        return None
    return f"arrays of the shapes {one} and {two} with axes={axes!r}; the axes summed over have the lengths {met[0]} " \
           f"and {met[1]}"  # fmt: skip


def _einsum(case: Case) -> CoreArrayError | None:
    equation = case.values["equation"]
    if not isinstance(equation, str):
        return CoreArrayTypeError(
            f"'einsum' got an equation of type {type(equation).__name__}; it is a text such as 'ij,jk->ik'"
        )
    try:
        axis_lengths(equation, case.shapes)
    except CoreArrayError as error:
        return error
    return None


def _outer(case: Case) -> str | None:
    return None if all(len(shape) == 1 for shape in case.shapes) else f"{_these(case)}; both must have one axis"


def _these(case: Case) -> str:
    if len(case.shapes) == 1:
        return f"an array of the shape {case.shapes[0]}"
    return f"arrays of the shapes {_listed(case.shapes)}"


def _matrix(case: Case) -> str | None:
    return None if len(case.shapes[0]) >= 2 else f"{_these(case)}; matrices have at least 2 axes"


def _square(case: Case) -> str | None:
    shape = case.shapes[0]
    if len(shape) < 2 or differ(shape[-1], shape[-2]):
        return f"{_these(case)}; square matrices are needed, of the shape (..., M, M)"
    return None


def _solve(case: Case) -> str | None:
    matrix, right = case.shapes
    if (found := _square(case)) is not None:
        return found
    if not right or differ(matrix[-1], right[0 if len(right) == 1 else -2]):
        return f"{_these(case)}; the second must have {matrix[-1]} rows"
    return None if len(right) == 1 else _batches(matrix[:-2], right[:-2], case)


def _joined(case: Case) -> str | None:
    if not case.shapes:
        return "no array; at least one is needed"
    axis = case.values.get("axis", 0)
    if axis is None:
        return None
    name = case.declaration.name
    if len(case.shapes) < len(case.values["arrays"]):
        of_one_rank = name in ("concat", "stack")
        return f"{_these(case)} and numbers; all must have the same number of axes" if of_one_rank else None
    found = misfit(name, case.shapes, axis)
    return found and f"{_these(case)}; {found}"


def _sizes(value: Any) -> _Shape:
    return tuple(value) if isinstance(value, (list, tuple)) else (value,)


def _reshape(case: Case) -> str | None:
    old, new = case.shapes[0], _sizes(case.values["shape"])
    unknown = sum(size == -1 for size in new)
    if unknown > 1 or any(size < -1 for size in new):
        return f"the shape {new}; one size at most may be -1, the others are at least 0"
    have, want = math.prod(old), math.prod(size for size in new if size != -1)
    if (have == want and not unknown) or (unknown and want and have % want == 0):
        return None
    return f"an array of the shape {old} with {have} elements, which do not fit into the shape {new}"


def _broadcast_to(case: Case) -> str | None:
    old, new = case.shapes[0], _sizes(case.values["shape"])
    if any(size < 0 for size in new):
        return f"the shape {new}; sizes are at least 0"
    if joint_shape((old, new)) == new:
        return None
    return f"an array of the shape {old}, which does not broadcast to {new}"


def _squeeze(case: Case) -> str | None:
    shape, axis = case.shapes[0], case.values["axis"]
    wrong = next((a for a in _sizes(axis) if differ(shape[a], 1)), None)
    return None if wrong is None else f"{_these(case)}, whose axis {wrong} does not have the length 1"


def _permute(case: Case) -> str | None:
    axes = _sizes(case.values["axes"])
    return None if len(axes) == len(case.shapes[0]) else f"{_these(case)} and axes={axes}; name each axis once"


def _moveaxis(case: Case) -> str | None:
    one, two = case.values["source"], case.values["destination"]
    if len(_sizes(one)) == len(_sizes(two)):
        return None
    return f"source={one} and destination={two}, which must name as many axes"


def _one_axis(case: Case) -> str | None:
    """Functions whose axis may be left out for one-dimensional arrays only."""
    if case.values["axis"] is None and len(case.shapes[0]) != 1:
        return f"{_these(case)} and no axis, which may be left out for arrays with one axis only"
    return None


def _take(case: Case) -> str | CoreArrayError | None:
    return _one_axis(case) or _integral(case) or _outside(case, case.values["axis"] or 0)


def _outside(case: Case, axis: int, name: str = "indices", of: int = 0) -> CoreArrayError | None:
    if _integral(case, name) is not None:  # which is the fault to name
        return None
    outside = wrong_index(case.backend, _indices(case, name), case.shapes[of][axis], axis)
    text = f"'{case.declaration.name}' on backend '{case.backend.name}' got a wrong index: {outside}"
    return None if outside is None else type(outside)(text)


def _integral(case: Case, name: str = "indices") -> CoreArrayError | None:
    """Indices and counts of another kind than integers."""
    value = _indices(case, name)
    if value is None or case.backend.dtype_of(value).category in _INTEGERS:
        return None
    return CoreArrayTypeError(
        f"'{case.declaration.name}' got {name} of dtype '{case.backend.dtype_of(value)}'; they are integers"
    )


def _indices(case: Case, name: str) -> Any:
    """Return what stands for an array of indices, lists and numbers too, as an array; `None` where nothing does."""
    value = case.values[name]
    return value if value is None or case.backend.is_array(value) else case.backend.asarray(value)


def _along(case: Case) -> str | CoreArrayError | None:
    """Arrays that broadcast but for one axis, and indices along it."""
    if (wrong := _integral(case)) is not None:
        return wrong
    axis = case.values["axis"]
    others = [tuple(1 if i == axis % len(shape) else side for i, side in enumerate(shape)) for shape in case.shapes]
    if len(set(map(len, others))) > 1 or joint_shape(others) is None:
        return f"{_these(case)}, which do not broadcast to one but for axis {axis}"
    return _outside(case, axis)


def _repeat(case: Case) -> str | CoreArrayError | None:
    repeats, axis = case.values["repeats"], case.values["axis"]
    if (found := _integral(case, "repeats")) is not None:
        return found
    shape, given = case.shapes[0], case.shape("repeats")
    length = math.prod(shape) if axis is None else shape[axis]
    if given is not None and given not in ((), (1,)) and (len(given) != 1 or differ(given[0], length)):
        return f"repeats of the shape {given} for {length} elements; give one number, or one for each"
    return f"repeats={repeats}; they are at least 0" if type(repeats) is int and repeats < 0 else None


def _searchsorted(case: Case) -> str | CoreArrayError | None:
    x1, sorter = case.shape("x1"), case.shape("sorter")
    if x1 is not None and len(x1) != 1:
        return f"an array of the shape {x1} to search in; it has one axis"
    if (found := _integral(case, "sorter")) is not None or sorter in (None, x1):
        return found
    return f"a sorter of the shape {sorter} for an array of the shape {x1}; they are alike"


def _transform(case: Case) -> str | None:
    """Lengths of Fourier transforms, and axes to transform."""
    n, s = case.values.get("n"), case.values.get("s")
    if not case.shapes[0]:
        return f"{_these(case)}, which has no axis to transform"
    if n is not None and n < 1:
        return f"n={n}; it transforms at least 1 element"
    if s is not None and any(length < 1 and length != -1 for length in s):
        return f"s={tuple(s)}; it transforms at least 1 element along each axis"
    axes = range(len(case.shapes[0])) if case.values.get("axes") is None else case.values["axes"]
    places = [case.values["axis"]] if "axis" in case.values else axes
    if n is None and s is None and any(case.shapes[0][axis] == 0 for axis in places):
        return f"{_these(case)}; it transforms at least 1 element along each axis"
    return None


def _nonzero(case: Case) -> str | None:
    return None if case.shapes[0] else f"{_these(case)}; it has no axes, and so no indices: compare it with 0"


def _astype(case: Case) -> CoreArrayError | None:
    old, new = case.dtypes()[0], as_dtype(case.values["dtype"])
    if old.category != "complex floating" or new.category in ("complex floating", "bool"):
        return None
    return CoreArrayTypeError(
        f"'astype' got an array of dtype '{old}' for dtype '{new}'; take corearray.real(x) or corearray.abs(x) first"
    )


def _tile(case: Case) -> str | None:
    counts = _sizes(case.values["repetitions"])
    return f"repetitions={counts}; the number of copies is at least 0" if any(n < 0 for n in counts) else None


def _number(case: Case) -> str | None:
    return f"num={num}; the number of values is at least 0" if (num := case.values["num"]) < 0 else None


def _chosen(case: Case) -> str | None:
    """Functions that choose an element need one."""
    shape, axis = case.shapes[0], case.values["axis"]
    axes = range(len(shape)) if axis is None else _sizes(axis)
    if 0 in (shape[a] for a in axes):
        return f"{_these(case)}, which has no element to choose along axis={axis}"
    return None


def _bincount(case: Case) -> str | CoreArrayError | None:
    x, weights = _indices(case, "x"), _indices(case, "weights")
    if len(_shape(x)) != 1:
        return None
    if weights is not None and _shape(weights) != _shape(x):
        return CoreArrayValueError(f"'bincount' got weights of shape {_shape(weights)} for {_shape(x)[0]} elements")
    least = int(case.backend.min(x))
    return f"an array with the number {least}; it counts integers of at least 0" if least < 0 else None


def _made(case: Case) -> str | CoreArrayError | None:
    """New arrays: sizes are counts, and a Python number must fit into the dtype."""
    if "shape" in case.values:
        sizes = _sizes(case.values["shape"])
        if any(size < 0 for size in sizes):
            return f"the shape {sizes}; sizes are at least 0"
        if math.prod(sizes) >= 2**63 or max(sizes, default=0) >= 2**63:
            return f"the shape {sizes}, which has more elements than any memory"
    dtype = case.values["dtype"]
    if dtype is None and case.declaration.infer == "like":
        dtype = case.dtypes()[0]
    wanted = current_settings().dtypes["integral"] if dtype is None else as_dtype(dtype)
    value = case.values.get("obj", case.values.get("fill_value"))
    if is_ragged(value):
        return "nested lists of different lengths; give as many at each depth, or make a Ragged of them"
    if (lacking := lacking_dtype(case.backend, value, case.declaration.name)) is not None:
        return lacking
    if "fill_value" in case.values and case.backend.is_array(value) and _shape(value):
        return f"a value of the shape {_shape(value)}; it is one number"
    return unfit(value, wanted, integers_only=dtype is None)


def _nothing(case: Case) -> None:
    return None


def _get_item(case: Case) -> CoreArrayError | None:
    return wrong_key(case.backend, case.arrays[0], readable_key(case.backend, case.values["key"]))


_RULES: dict[str, Rule] = {
    **dict.fromkeys(("asarray", "empty", "full", "full_like", "ones", "zeros"), _made),
    **dict.fromkeys(("column_stack", "concat", "dstack", "hstack", "stack", "vstack"), _joined),
    **dict.fromkeys(("argmax", "argmin", "max", "min"), _chosen),
    **dict.fromkeys(("cumulative_prod", "cumulative_sum"), _one_axis),
    **dict.fromkeys(
        ("cholesky", "det", "eig", "eigh", "eigvals", "eigvalsh", "inv", "matrix_power", "slogdet"), _square
    ),
    **dict.fromkeys(
        ("diagonal", "matrix_norm", "matrix_rank", "matrix_transpose", "pinv", "qr", "svd", "svdvals", "trace", "tril",
         "triu"), _matrix,
    ),
    **dict.fromkeys(("diff", "isin", "ssim_loss", "wasserstein_loss_discriminator"), _nothing),
    **dict.fromkeys(
        ("fft", "fftn", "hfft", "ifft", "ifftn", "ihfft", "irfft", "irfftn", "rfft", "rfftn"), _transform
    ),
    **dict.fromkeys(("geomspace", "linspace", "logspace"), _number),
    **dict.fromkeys(("gather", "scatter_along_axis"), _integral),
    "astype": _astype,
    "ldexp": _joint,
    "embedding": lambda case: None if 0 in case.shapes[0] or len(case.shapes[1]) != 2 else _outside(case, 0, of=1),
    "lu_solve": lambda case: _outside(case, -1, "pivots"),
    "nonzero": _nonzero,
    "repeat": _repeat,
    "searchsorted": _searchsorted,
    "tile": _tile,
    "bincount": _bincount,
    "broadcast_to": _broadcast_to,
    "cross": _cross,
    "einsum": _einsum,
    "get_item": _get_item,
    "matmul": _matmul,
    "moveaxis": _moveaxis,
    "outer": _outer,
    **dict.fromkeys(("permute_dims", "transpose"), _permute),
    "reshape": _reshape,
    "solve": _solve,
    "sparse_cross_entropy": lambda case: None if 0 in case.shapes[0] else _outside(case, case.values["axis"], "target"),
    "squeeze": _squeeze,
    "take": _take,
    "take_along_axis": _along,
    "tensordot": _tensordot,
    "vecdot": _vecdot,
}  # fmt: skip
