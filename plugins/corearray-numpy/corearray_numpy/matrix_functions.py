"""Matrix equations of SciPy, which is imported by the first call."""

from __future__ import annotations

from typing import Any

import numpy as np

from corearray.plugin import hookimpl
from corearray_numpy.native import HALF
from corearray_numpy.tracer import certain


def _is_one(a: Any, b: Any, q: Any) -> bool:
    """SciPy solves one equation by Schur's decomposition. It rounds on where an equation has no solution."""
    fits = a.ndim == b.ndim == q.ndim == 2 and q.size > 0 and q.shape == (a.shape[0], b.shape[0])
    return fits and q.shape == (a.shape[1], b.shape[1]) and certain(np.isfinite(a).all() & np.isfinite(b).all())


@hookimpl(via=HALF, when=_is_one)
def solve_sylvester(a: Any, b: Any, q: Any, /) -> Any:
    from scipy.linalg import solve_sylvester

    return solve_sylvester(a, b, q)
