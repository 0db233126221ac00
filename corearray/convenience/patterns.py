"""Patterns of einops on arrays of every backend: axes by name, split, merged, reduced and repeated.

The library einops is optional, and imported by the first call. It computes with the functions of the backend
(`einops.array_api`), so that dtypes and views are those of corearray on every backend.
"""

from __future__ import annotations

from typing import Any

from corearray.arrays.array import Array
from corearray.backends.installing import install_command
from corearray.calls.dispatch import backend_of, resolve
from corearray.container import Container
from corearray.errors import CoreArrayError, CoreArrayImportError, CoreArrayValueError

__all__ = ["einops_rearrange", "einops_reduce", "einops_repeat"]

#: What `corearray list-functions` says of the functions here that are no declarations.
__kind__ = "convenience"


def einops_rearrange(x: Any, pattern: str, /, **axes_lengths: int) -> Any:
    """Rearrange the axes of an array by a pattern.

    Parameters
    ----------
    x
        An array, a list of arrays of one shape, which are stacked along a first axis, or a Container of these.
    pattern
        Names of the axes before and after, as in `"batch (height width) -> batch width height"`.
    axes_lengths
        Lengths of axes that the shape does not tell.

    Returns
    -------
    Array of the same dtype and the same elements, a view where the axes allow; for a Container a Container of these.

    Raises
    ------
    ImportError
        If einops is not installed.
    ValueError
        If the pattern is none, or does not fit the shape.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.einops_rearrange(ca.asarray([[1, 2, 3, 4]]), "a (b c) -> (a c) b", b=2).tolist()
    [[1, 3], [2, 4]]

    Notes
    -----
    A. Rogozhnikov, "Einops: clear and reliable tensor manipulations with Einstein-like notation", ICLR 2022.
    """
    return _applied("einops_rearrange", "rearrange", x, (pattern,), axes_lengths)


def einops_reduce(x: Any, pattern: str, reduction: str, /, **axes_lengths: int) -> Any:
    """Reduce the axes that a pattern names on its left side only.

    Parameters
    ----------
    x, pattern, axes_lengths
        As in `einops_rearrange`.
    reduction
        `"min"`, `"max"`, `"sum"`, `"mean"`, `"prod"`, `"any"` or `"all"`.

    Returns
    -------
    Array of the dtype that the reduction of this name gives; for a Container a Container of these.

    Raises
    ------
    ImportError, ValueError
        As in `einops_rearrange`, and if there is no such reduction.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.einops_reduce(ca.asarray([[1.0, 2.0], [3.0, 4.0]]), "a b -> b", "mean").tolist()
    [2.0, 3.0]
    """
    known = ("min", "max", "sum", "mean", "prod", "any", "all")
    if reduction not in known:
        raise CoreArrayValueError(f"'einops_reduce' got the reduction {reduction!r}; it is one of {', '.join(known)}")
    return _applied("einops_reduce", "reduce", x, (pattern, reduction), axes_lengths)


def einops_repeat(x: Any, pattern: str, /, **axes_lengths: int) -> Any:
    """Repeat an array along the axes that a pattern names on its right side only.

    Parameters
    ----------
    x, pattern
        As in `einops_rearrange`.
    axes_lengths
        Lengths of the new axes, and of others that the shape does not tell.

    Returns
    -------
    Array of the same dtype; for a Container a Container of these.

    Raises
    ------
    ImportError, ValueError
        As in `einops_rearrange`.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.einops_repeat(ca.asarray([1, 2]), "a -> (a n)", n=2).tolist()
    [1, 1, 2, 2]
    """
    return _applied("einops_repeat", "repeat", x, (pattern,), axes_lengths)


def _applied(name: str, function: str, x: Any, given: tuple[str, ...], lengths: dict[str, int]) -> Any:
    """Call a function of einops with an array of a backend, or for each leaf of a Container."""
    if isinstance(x, Container):
        return x.map(lambda leaf: _applied(name, function, leaf, given, lengths))
    try:
        from einops import EinopsError, array_api
    except ImportError as error:
        raise CoreArrayImportError(
            f"'{name}' needs the library einops ({error}); install it with: {install_command('einops')}"
        ) from error
    several = isinstance(x, (list, tuple)) and any(backend_of(part) is not None for part in x)
    be = resolve(tuple(x) if several else (x,))
    array = be.stack(list(x)) if several else x if isinstance(x, Array) else be.asarray(x)
    try:
        return getattr(array_api, function)(array, *given, **lengths)
    except CoreArrayError:
        raise
    except EinopsError as error:
        raise CoreArrayValueError(f"'{name}' got a pattern that cannot be applied: {str(error).strip()}") from error
