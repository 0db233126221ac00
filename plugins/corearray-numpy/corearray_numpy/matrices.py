"""Linear algebra beyond the standard's, through SciPy's LAPACK, matrix by matrix where it has no stacks.

SciPy is imported by the functions that use it. The routines are those beneath `scipy.linalg`, which warns of singular
matrices or refuses them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from corearray.plugin import hookimpl, matches
from corearray_numpy.native import COMPLEX, HALF
from corearray_numpy.tracer import certain, whole

_NORMS = (None, 2, -2, 1, -1, np.inf, -np.inf, "fro")
#: NumPy before 2.3 returns most conditions of a complex matrix as complex numbers.
_REAL = matches(np.__version__, ">=2.3")

_TRANSPOSITIONS = {0: 0, 1: 1, 2: 2, "N": 0, "T": 1, "C": 2}


def _is_square(x: Any) -> bool:
    return x.ndim >= 2 and x.shape[-1] == x.shape[-2]


def _match(x1: Any, x2: Any, trans: Any) -> bool:
    """Whether sides fit their matrices; else the composition says what does not."""
    return (
        trans in _TRANSPOSITIONS
        and _is_square(x1)
        and x2.ndim > 0
        and x2.shape[0 if x2.ndim == 1 else -2] == x1.shape[-1]
    )


def _solved(x1: Any, x2: Any, solve: Any, *others: Any) -> Any:
    """Solve for each matrix of a stack, which broadcasts with that of the sides."""
    sides = x2[:, None] if x2.ndim == 1 else x2
    batch = np.broadcast_shapes(x1.shape[:-2], sides.shape[:-2])
    found = np.empty((*batch, *sides.shape[-2:]), sides.dtype)
    stacks = [np.broadcast_to(x, (*batch, *x.shape[x1.ndim - 2 :])) for x in (x1, *others)]
    sides = np.broadcast_to(sides, found.shape)
    for place in np.ndindex(*batch) if found.size else ():
        found[place] = solve(*(x[place] for x in stacks), sides[place])
    return found[..., 0] if x2.ndim == 1 else found


@hookimpl(
    native=np.linalg.cond,
    via=HALF,
    when=lambda x, p: (
        p in _NORMS
        and (_REAL or x.dtype not in COMPLEX)
        and _is_square(x)
        and x.shape[-1] > 0
        and certain(np.isfinite(x).all())
    ),
)
def cond(x: Any, /, p: Any = None) -> Any: ...


@hookimpl(
    via=HALF,
    when=lambda d, e, select: d.ndim == 1 and d.shape[0] > 0 and e.shape == (d.shape[0] - 1,) and select == "a",
)
def eigh_tridiagonal(d: Any, e: Any, /, *, select: str = "a", select_range: Any = None) -> tuple[Any, Any]:
    return eigh_tridiagonal_of_finite(d, e)


@whole("scipy.linalg.eigh_tridiagonal")
def eigh_tridiagonal_of_finite(d: Any, e: Any) -> tuple[Any, Any]:
    from scipy.linalg import eigh_tridiagonal

    finite = np.isfinite(d).all() and np.isfinite(e).all()
    values, vectors = eigh_tridiagonal(d, e) if finite else eigh_tridiagonal(np.zeros_like(d), np.zeros_like(e))
    return (values, vectors) if finite else (np.full_like(values, np.nan), np.full_like(vectors, np.nan))


@hookimpl(via=HALF, when=lambda x: x.ndim >= 2)
def lu_factor(x: Any, /) -> tuple[Any, Any]:
    from scipy.linalg import get_lapack_funcs

    x = np.asarray(x)  # SciPy's own conversion counts references wrongly where it is refused
    (getrf,) = get_lapack_funcs(("getrf",), (x,))
    found = np.empty(x.shape, x.dtype)
    pivots = np.empty((*x.shape[:-2], min(x.shape[-2:])), np.int64)
    for place in np.ndindex(*x.shape[:-2]) if x.size else ():
        found[place], pivots[place], _ = getrf(x[place])
    return found, pivots


@hookimpl(
    via=HALF,
    when=lambda lu, pivots, b, trans: (
        _match(lu, b, trans)
        and pivots.shape == lu.shape[:-1]
        and pivots.dtype.kind in "iu"
        and certain(((pivots >= 0) & (pivots < lu.shape[-1])).all())
    ),
)
def lu_solve(lu: Any, pivots: Any, b: Any, /, *, trans: Any = 0) -> Any:
    """Solve by LAPACK, which writes wherever a pivot points."""
    from scipy.linalg import get_lapack_funcs

    lu, pivots, b = np.asarray(lu), np.asarray(pivots), np.asarray(b)
    (getrs,) = get_lapack_funcs(("getrs",), (lu, b))
    return _solved(lu, b, lambda lu, pivots, b: getrs(lu, pivots, b, trans=_TRANSPOSITIONS[trans])[0], pivots)


@hookimpl(via=HALF, when=lambda x: _is_square(x) and x.shape[-1] > 0 and certain(np.isfinite(x).all()))
def matrix_exp(x: Any, /) -> Any:
    from scipy.linalg import expm

    return expm(x) if x.size else x.copy()


@hookimpl(via=HALF, when=lambda x1, x2, trans: _match(x1, x2, trans))
def solve_triangular(x1: Any, x2: Any, /, *, trans: Any = 0, lower: bool = False, unit_diagonal: bool = False) -> Any:
    from scipy.linalg import get_blas_funcs

    (trsm,) = get_blas_funcs(("trsm",), (x1, x2))
    how = {"lower": lower, "trans_a": _TRANSPOSITIONS[trans], "diag": unit_diagonal}
    return _solved(x1, x2, lambda x1, x2: trsm(1, x1, x2, **how))
