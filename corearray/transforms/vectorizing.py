"""`vectorize`: functions of small arrays as functions of arrays with further axes, which are broadcast."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from corearray.calls.dispatch import resolve
from corearray.errors import CoreArrayTypeError, CoreArrayValueError
from corearray.functional.manipulation import broadcast_shapes, broadcast_to, reshape
from corearray.transforms.mapping import vmap
from corearray.transforms.sent import transformed
from corearray.transforms.tree import name_of, need_function

__all__ = ["vectorize"]

#: What `corearray list-functions` says of the functions here that are no declarations.
__kind__ = "convenience"

_NAMES = r"\(\s*(?:\w+\s*(?:,\s*\w+\s*)*)?\)"
_SIGNATURE = re.compile(rf"\s*{_NAMES}(?:\s*,\s*{_NAMES})*\s*->\s*{_NAMES}(?:\s*,\s*{_NAMES})*\s*")


def vectorize(
    fn: Callable[..., Any], /, *, signature: str | None = None, excluded: Iterable[int | str] = ()
) -> Callable[..., Any]:
    """Return a function that calls another one for all elements, or all small arrays, of its broadcast arguments.

    Parameters
    ----------
    fn
        Function of arrays that returns an array, or a tuple of several.
    signature
        The axes of the arguments and results of `fn`, as in `"(m,n),(n)->(m)"`; by default they have none.
    excluded
        Places and names of arguments that are passed on as they are.

    Returns
    -------
    Function of the same arguments. Axes before those of the signature are broadcast, and come first in the results.

    Raises
    ------
    TypeError
        If `fn` is no function, or `excluded` holds anything but places and names.
    ValueError
        If the signature has another form. When it is called, if arguments or results do not fit it, or there is no element.

    Examples
    --------
    >>> import corearray as ca
    >>> def distance(x, y):
    ...     return ca.sqrt(ca.sum((x - y) ** 2))
    >>> distances = ca.vectorize(distance, signature="(n),(n)->()")
    >>> distances(ca.asarray([[3.0, 4.0], [0.0, 1.0]]), ca.zeros(2)).tolist()
    [5.0, 1.0]

    Notes
    -----
    `numpy.vectorize`, `jax.numpy.vectorize`: `fn` is mapped by `vmap`, which frameworks trace, so that `if` on an element needs
    `if_else` there.
    """
    need_function("vectorize", fn)
    inputs, outputs = (None, None) if signature is None else _parsed(signature)
    left_out = set(excluded)
    if not all(isinstance(x, (int, str)) for x in left_out):
        raise CoreArrayTypeError(f"'vectorize' got excluded={excluded!r}; give places and names of arguments")

    def called(*args: Any, **options: Any) -> Any:
        backend = resolve((args, options))
        slots: list[int | str] = [i for i in range(len(args)) if i not in left_out]
        slots += [name for name in options if name not in left_out]
        axes = [()] * len(slots) if inputs is None else inputs
        if len(axes) != len(slots):
            raise CoreArrayValueError(
                f"'{name_of(fn)}' was vectorized for {len(axes)} arguments by signature={signature!r}, and got {len(slots)}"
            )
        arrays = [backend.asarray(args[slot] if isinstance(slot, int) else options[slot]) for slot in slots]
        sizes: dict[str, int] = {}
        loops = []
        for i, (x, names) in enumerate(zip(arrays, axes, strict=True)):
            if x.ndim < len(names):
                raise CoreArrayValueError(
                    f"argument {i} of '{name_of(fn)}' has {x.ndim} axes, and ({','.join(names)}) of signature={signature!r} "
                    f"asks for {len(names)} at least"
                )
            count = x.ndim - len(names)
            loops.append(tuple(x.shape[:count]))
            _noted(fn, f"argument {i}", names, x.shape[count:], sizes)
        loop = broadcast_shapes(*loops)

        def one(*rows: Any) -> Any:
            given, named = list(args), dict(options)
            for slot, row in zip(slots, rows, strict=True):
                if isinstance(slot, int):
                    given[slot] = row
                else:
                    named[slot] = row
            made = fn(*given, **named)
            results = made if isinstance(made, tuple) else (made,)
            if outputs is not None:
                if len(results) != len(outputs):
                    raise CoreArrayValueError(
                        f"'{name_of(fn)}' returned {len(results)} arrays, and signature={signature!r} has {len(outputs)}"
                    )
                for i, (x, names) in enumerate(zip(results, outputs, strict=True)):
                    _noted(fn, f"result {i}", names, getattr(x, "shape", ()), sizes)
            return made

        if not loop:
            return one(*arrays)
        flat = []
        for x, names in zip(arrays, axes, strict=True):
            inner = tuple(x.shape[x.ndim - len(names) :])
            flat.append(reshape(broadcast_to(x, (*loop, *inner)), (-1, *inner)))
        if 0 in loop:
            raise CoreArrayValueError(f"'{name_of(fn)}' is called for no element at all, of the shape {tuple(loop)}")
        made = vmap(one)(*flat)
        if isinstance(made, tuple):
            return tuple(reshape(x, (*loop, *x.shape[1:])) for x in made)
        return reshape(made, (*loop, *made.shape[1:]))

    return transformed(called, fn, vectorize, {"signature": signature, "excluded": tuple(left_out)})


def _parsed(signature: str) -> tuple[list[tuple[str, ...]], list[tuple[str, ...]]]:
    if not isinstance(signature, str) or not _SIGNATURE.fullmatch(signature):
        raise CoreArrayValueError(f"'vectorize' got signature={signature!r}; write one such as '(m,n),(n)->(m)'")
    sides = signature.split("->")
    found = [[tuple(re.findall(r"\w+", part)) for part in re.findall(r"\(([^)]*)\)", side)] for side in sides]
    return found[0], found[1]


def _noted(fn: Any, what: str, names: Sequence[str], shape: Sequence[Any], sizes: dict[str, int]) -> None:
    """Note the sizes of named axes, and refuse another size for a name; a number is a size itself."""
    if len(names) != len(shape):
        raise CoreArrayValueError(
            f"{what} of '{name_of(fn)}' has the shape {tuple(shape)}, and its signature the axes ({','.join(names)})"
        )
    for name, size in zip(names, shape, strict=True):
        known = int(name) if name.isdigit() else sizes.setdefault(name, size)
        if size != known:
            raise CoreArrayValueError(f"{what} of '{name_of(fn)}' has the size {size} along '{name}', which is {known}")
