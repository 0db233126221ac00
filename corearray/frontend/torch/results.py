"""Results with names, as `torch.return_types`, and limits of dtypes."""

from __future__ import annotations

import math
from collections import namedtuple
from types import SimpleNamespace
from typing import Any

import corearray as ca
from corearray.calls.memo import kept
from corearray.errors import CoreArrayTypeError
from corearray.frontend.torch.promotion import default_dtype

__all__ = ["finfo", "iinfo", "named"]

_PLACES = "values indices"
_FIELDS = {
    **dict.fromkeys("cummax cummin kthvalue max median min mode nanmedian sort topk".split(), _PLACES),
    "aminmax": "min max", "frexp": "mantissa exponent", "histogram": "hist bin_edges", "histogramdd": "hist bin_edges",
    "geqrf": "a tau", "slogdet": "sign logabsdet", "qr": "Q R", "svd": "U S V", "lu_unpack": "P L U",
    "triangular_solve": "solution cloned_coefficient",
    "linalg.cholesky_ex": "L info", "linalg.eig": "eigenvalues eigenvectors", "linalg.eigh": "eigenvalues eigenvectors",
    "linalg.inv_ex": "inverse info", "linalg.lstsq": "solution residuals rank singular_values", "linalg.lu": "P L U",
    "linalg.lu_factor": "LU pivots", "linalg.lu_factor_ex": "LU pivots info", "linalg.qr": "Q R",
    "linalg.slogdet": "sign logabsdet", "linalg.solve_ex": "result info", "linalg.svd": "U S Vh",
}  # fmt: skip


@kept
def _kind(name: str) -> Any:
    """Return the class of a function's results; `None` for functions whose results have no names."""
    short = name.removeprefix("torch.").removeprefix("Tensor.")
    fields = _FIELDS.get(short)
    return None if fields is None else namedtuple(short.rpartition(".")[2], fields)


def named(name: str, results: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return the results of a function under torch's names for them, as in `x.max(dim=0).values`."""
    kind = _kind(name)
    if kind is None or len(kind._fields) != len(results):
        return results
    made: tuple[Any, ...] = kind(*results)
    return made


def finfo(type: ca.DType | None = None) -> SimpleNamespace:
    """Return the limits of a floating dtype, of the default dtype if none is given.

    Raises
    ------
    TypeError
        If the dtype is not floating.
    """
    dtype = default_dtype() if type is None else type
    if "floating" not in dtype.category:
        raise CoreArrayTypeError(
            "torch.finfo() requires a floating point input type. Use torch.iinfo to handle 'torch.finfo'"
        )
    found = ca.finfo(dtype)
    return SimpleNamespace(
        resolution=10.0 ** -int(-math.log10(found.eps)), min=found.min, max=found.max, eps=found.eps,
        smallest_normal=found.smallest_normal, tiny=found.smallest_normal, dtype=str(found.dtype), bits=found.bits,
    )  # fmt: skip


def iinfo(type: ca.DType) -> SimpleNamespace:
    """Return the limits of an integer dtype.

    Raises
    ------
    TypeError
        If the dtype is no integer.
    """
    if "integer" not in type.category:
        raise CoreArrayTypeError(
            "torch.iinfo() requires an integer input type. Use torch.finfo to handle 'torch.iinfo'"
        )
    found = ca.iinfo(type)
    return SimpleNamespace(min=found.min, max=found.max, dtype=str(type), bits=found.bits)
