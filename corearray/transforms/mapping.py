"""Vectorisation: maps of a function over an axis of its arguments."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from corearray.arrays.nested import to_native
from corearray.calls.dispatch import refuse_other_backend, resolve
from corearray.errors import AxisError, CoreArrayTypeError, CoreArrayValueError
from corearray.functional.manipulation import concat
from corearray.functional.nest import _children, _is_node, nested_multi_map
from corearray.settings.context import NUMBERS, current_settings
from corearray.transforms.sent import transformed
from corearray.transforms.tree import (
    Tree,
    as_given,
    chosen,
    is_array,
    like,
    name_of,
    natively,
    need_function,
    refuse_ragged,
    vectorized,
)

__all__ = ["apply_along_axis", "map_in_parts", "vmap"]

#: What `corearray list-functions` says of the functions here that are no declarations.
__kind__ = "convenience"


def vmap(
    fn: Callable[..., Any],
    /,
    *,
    in_axes: int | Sequence[Any] | None = 0,
    out_axes: int | Sequence[Any] | Mapping[Any, Any] = 0,
) -> Callable[..., Any]:
    """Return a function that maps another function over an axis of its arguments.

    Parameters
    ----------
    fn
        Function of arrays, or of trees of arrays, that returns one.
    in_axes
        The axis to map over: one number for all arguments, or one for each; `None` for an argument that is passed on
        as it is. For an argument that is a tree it may be a tree of axes, which holds for all arrays below each axis:
        `in_axes=({"x": 0, "scale": None},)`. Arguments by keyword are passed on.
    out_axes
        Position of the axis in the result: one number, or a tree of them like what `fn` returns.

    Returns
    -------
    Function of the same arguments with one more axis.

    Raises
    ------
    TypeError
        If an axis is no integer. When it is called, if an array is a ragged one.
    ValueError
        When it is called, if there is nothing to map over, the lengths differ, a tree of axes is unlike the argument, or an
        array has no such axis; the last is an `IndexError` too.

    Examples
    --------
    >>> import corearray as ca
    >>> dots = ca.vmap(ca.vecdot, in_axes=(0, None))
    >>> dots(ca.asarray([[1.0, 2.0], [3.0, 4.0]]), ca.asarray([1.0, 10.0])).tolist()
    [21.0, 43.0]
    >>> scaled = ca.vmap(lambda a: a["x"] * a["scale"], in_axes=({"x": 0, "scale": None},))
    >>> scaled({"x": ca.asarray([1.0, 2.0]), "scale": ca.asarray(3.0)}).tolist()
    [3.0, 6.0]

    Notes
    -----
    `jax.vmap`, `torch.vmap`, `tf.vectorized_map`. A backend without its own, as NumPy, computes one after the other.
    """
    need_function("vmap", fn)
    if isinstance(in_axes, Mapping):
        raise CoreArrayTypeError(
            f"'vmap' got in_axes={in_axes!r}; give a tuple with one tree of axes for each argument"
        )
    _need_axes("in_axes", in_axes, in_axes)
    _need_axes("out_axes", out_axes, out_axes)

    def mapped(*args: Any, **options: Any) -> Any:
        if current_settings().native_arrays:
            return natively(vmap(as_given(fn), in_axes=in_axes, out_axes=out_axes), *args, **options)
        axes = tuple(in_axes) if isinstance(in_axes, Sequence) else (in_axes,) * len(args)
        if len(axes) != len(args):
            raise CoreArrayValueError(f"'vmap' got {len(axes)} in_axes for {len(args)} arguments; give one for each")
        backend = chosen(args)
        native = backend.native
        mapped_args = [(arg, axis) for arg, axis in zip(args, axes, strict=True) if axis is not None]
        tree = Tree(tuple(arg for arg, _ in mapped_args))
        owners = [axis for arg, given in mapped_args for axis in _spread("in_axes", given, arg)]
        arrays = [i for i, leaf in enumerate(tree.leaves) if owners[i] is not None and is_array(leaf)]
        for i in arrays:
            refuse_ragged("vmap", tree.leaves[i])
            refuse_other_backend(tree.leaves[i], backend, "vmap")
            _need_axis("vmap", "in_axes", in_axes, owners[i], tree.leaves[i])
        natives = [native.moveaxis(to_native(tree.leaves[i]), owners[i], 0) for i in arrays]
        lengths = sorted({x.shape[0] for x in natives})
        if len(lengths) != 1:
            found = f"arrays of the lengths {lengths}" if lengths else "no array"
            raise CoreArrayValueError(f"'vmap' of '{name_of(fn)}' got {found} along in_axes; give arrays of one length")
        returned: list[Any] = []

        def row(natives: Sequence[Any]) -> list[Any]:
            leaves = list(tree.leaves)
            for i, x in zip(arrays, natives, strict=True):
                leaves[i] = like(leaves[i], x, backend)
            given = iter(tree.of(leaves))
            value = fn(*(arg if axis is None else next(given) for arg, axis in zip(args, axes, strict=True)), **options)
            returned[:] = [value]
            results = Tree(value).leaves
            for leaf in results:
                refuse_ragged("vmap", leaf)
                refuse_other_backend(leaf, backend, "vmap")
                if not isinstance(leaf, NUMBERS) and not is_array(leaf):
                    raise CoreArrayTypeError(
                        f"'vmap' takes functions that return arrays and numbers, '{name_of(fn)}' returned {type(leaf).__name__}"
                    )
            return [to_native(backend.asarray(leaf)) for leaf in results]

        columns = vectorized(backend, row, natives)
        value = Tree(returned[0])
        places = _spread("out_axes", out_axes, returned[0])
        for column, axis in zip(columns, places, strict=True):
            _need_axis("vmap", "out_axes", out_axes, axis, column)
        leaves = zip(value.leaves, columns, places, strict=True)
        return value.of([like(leaf, native.moveaxis(x, 0, axis), backend) for leaf, x, axis in leaves])

    return transformed(mapped, fn, vmap, {"in_axes": in_axes, "out_axes": out_axes})


def _need_axes(name: str, axes: Any, whole: Any) -> None:
    """Refuse anything but an axis or a tree of axes."""
    if isinstance(axes, Mapping):
        axes = tuple(axes.values())
    if isinstance(axes, Sequence) and not isinstance(axes, str):
        for axis in axes:
            _need_axes(name, axis, whole)
    elif not hasattr(axes, "__index__") and not (axes is None and name == "in_axes"):
        passed = ", or None for what is passed on" if name == "in_axes" else ""
        raise CoreArrayTypeError(
            f"'vmap' got {axes!r} in {name}={whole!r}; give an integer{passed}, or a tree of them like the "
            f"{'arguments' if name == 'in_axes' else 'result'}"
        )


def _spread(name: str, axes: Any, tree: Any) -> list[Any]:
    """Return an axis for each leaf of a tree, from a tree of axes that may end earlier."""
    if axes is None or hasattr(axes, "__index__"):
        return [axes] * len(Tree(tree).leaves)
    children = list(_children(tree)) if _is_node(tree) else []
    named = isinstance(axes, Mapping)
    keys = set(axes) if named else set(range(len(axes)))
    if named != isinstance(tree, Mapping) or {key for key, _ in children} != keys:
        found = f"{type(tree).__name__} of {len(children)} items" if _is_node(tree) else type(tree).__name__
        found = f"mapping of the keys {[key for key, _ in children]}" if isinstance(tree, Mapping) else found
        raise CoreArrayValueError(f"'vmap' got {axes!r} in {name} for one {found}; give a tree of axes like it")
    return [axis for key, child in children for axis in _spread(name, axes[key], child)]


def _need_axis(name: str, option: str, axes: Any, axis: int, x: Any) -> None:
    """Refuse an axis that an array does not have."""
    ndim = len(x.shape)
    if not -ndim <= axis < ndim:
        valid = f"give one from {-ndim} to {ndim - 1}" if ndim else "that array has none"
        error = AxisError(f"'{name}' got {option}={axes!r}: axis {axis} of an array with {ndim} axes; {valid}")
        error.axis, error.ndim = axis, ndim
        raise error


def apply_along_axis(fn: Callable[..., Any], axis: int, x: Any, /, *args: Any, **options: Any) -> Any:
    """Call a function on the vectors along an axis, one after the other, and put what it returns in their place.

    Parameters
    ----------
    fn
        Function of a vector, and of `args` and `options`, that returns an array or a number; all of one shape.
    axis
        The axis.
    x
        Array with at least one axis, of any dtype.
    args, options
        Further arguments of `fn`.

    Returns
    -------
    Array of the shape `x.shape[:axis] + shape of what fn returns + x.shape[axis + 1:]`.

    Raises
    ------
    TypeError
        If `fn` is no function, or `x` is no array.
    IndexError
        If `x` has no such axis.
    ValueError
        If there is no vector.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.apply_along_axis(ca.flip, 1, ca.asarray([[1, 2, 3], [4, 5, 6]])).tolist()
    [[3, 2, 1], [6, 5, 4]]
    >>> ca.apply_along_axis(lambda v: v[0] * v[-1], 0, ca.asarray([[1, 2, 3], [4, 5, 6]])).tolist()
    [4, 10, 18]

    Notes
    -----
    NumPy's `apply_along_axis`. `vmap` maps a function in one call.
    """
    need_function("apply_along_axis", fn)
    refuse_ragged("apply_along_axis", x)
    if not is_array(x):
        raise CoreArrayTypeError(
            f"'apply_along_axis' takes an array, got {type(x).__name__}; make one by corearray.asarray"
        )
    _need_axis("apply_along_axis", "axis", axis, axis, x)
    place, be = axis % x.ndim, resolve((x,))
    rest = (*x.shape[:place], *x.shape[place + 1 :])
    if 0 in rest:
        raise CoreArrayValueError(
            f"'apply_along_axis' got an array of the shape {tuple(x.shape)}, which has no vector along {axis}"
        )
    rows = be.reshape(
        be.moveaxis(be.asarray(x), place, -1), (-1 if x.shape[place] else math.prod(rest), x.shape[place])
    )
    found = be.stack([be.asarray(fn(rows[row], *args, **options)) for row in range(rows.shape[0])])
    whole = be.reshape(found, (*rest, *found.shape[1:]))
    inner = found.ndim - 1
    places = tuple(range(len(rest), len(rest) + inner))
    return be.moveaxis(whole, places, tuple(range(place, place + inner))) if inner else whole


def map_in_parts(fn: Callable[..., Any], /, *arrays: Any, size: int, axis: int = 0) -> Any:
    """Call a function on parts of arrays in turn and join the results: the same result with less memory.

    Parameters
    ----------
    fn
        Function of as many arrays, which treats what lies along the axis one by one. It returns an array with this axis,
        or a tree of such arrays.
    arrays
        Arrays of one length along the axis.
    size
        How long a part is at most.
    axis
        The axis.

    Returns
    -------
    What `fn` returns for the whole arrays.

    Raises
    ------
    TypeError
        If `fn` is no function, what is to be mapped is no array, or `size` or `axis` is no integer.
    ValueError
        If there is no array, the arrays differ in length, or `size` is less than 1.
    IndexError
        If an array has no such axis.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.map_in_parts(lambda x: x * x, ca.arange(5), size=2).tolist()
    [0, 1, 4, 9, 16]
    """
    need_function("map_in_parts", fn)
    for name, number in (("size", size), ("axis", axis)):
        if not hasattr(number, "__index__"):
            raise CoreArrayTypeError(f"'map_in_parts' got {name}={number!r}; give an integer")
    for x in arrays:
        refuse_ragged("map_in_parts", x)
        if not is_array(x):
            raise CoreArrayTypeError(
                f"'map_in_parts' takes arrays, got {type(x).__name__}; make one by corearray.asarray"
            )
    if size < 1 or not arrays:
        raise CoreArrayValueError(
            f"'map_in_parts' got {len(arrays)} arrays and size={size}; give an array, and a size of at least 1"
        )
    for x in arrays:
        _need_axis("map_in_parts", "axis", axis, axis, x)
    lengths = {x.shape[axis] for x in arrays}
    if len(lengths) > 1:
        raise CoreArrayValueError(
            f"'map_in_parts' got arrays of the lengths {sorted(lengths)} along axis {axis}; give one length"
        )
    (length,) = lengths

    def part(x: Any, begin: int) -> Any:
        return x[(slice(None),) * (axis % x.ndim) + (slice(begin, min(begin + size, length)), ...)]

    found = [fn(*(part(x, begin) for x in arrays)) for begin in range(0, max(length, 1), size)]
    return found[0] if len(found) == 1 else nested_multi_map(lambda *parts: concat(parts, axis=axis), found)
