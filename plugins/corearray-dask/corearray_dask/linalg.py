"""Linear algebra: products chunk by chunk, decompositions of each matrix in one chunk.

Tall matrices that are cut along their rows alone are decomposed by TSQR (Benson, Gleich and Demmel, "Direct QR factorizations
for tall-and-skinny matrices in MapReduce architectures", 2013), and large positive definite ones tile by tile.
"""

from __future__ import annotations

from typing import Any

import dask
import dask.array as da
from dask.utils import parse_bytes

from corearray.plugin import hookimpl
from corearray_dask.blocks import batched, fitting, in_one_chunk
from corearray_dask.native import HALF, differ, known


@hookimpl(via=HALF)
def cholesky(x: Any, /, upper: bool = False) -> Any:
    if x.ndim == 2 and max(x.numblocks) > 1 and x.nbytes > parse_bytes(dask.config.get("array.chunk-size")):
        return _tiled(x, upper)
    return batched("linalg.cholesky", [2], x, upper=upper)


def _tiled(x: Any, upper: bool) -> Any:
    """Decompose by square tiles; the identity behind the last row fills the last tile."""
    if x.shape[0] != x.shape[1]:
        raise ValueError(f"the matrix is not square, its shape is {x.shape}")
    tile, size = max(x.chunks[0]), x.shape[0]
    beyond = -size % tile
    if beyond:
        zeros = da.zeros((size, beyond), dtype=x.dtype)
        below = da.concatenate([zeros.T, da.eye(beyond, dtype=x.dtype)], 1)
        x = da.concatenate([da.concatenate([x, zeros], 1), below])
    return da.linalg.cholesky(x.rechunk((tile, tile)), lower=not upper)[:size, :size]


@hookimpl(via=HALF)
def det(x: Any, /) -> Any:
    return batched("linalg.det", [2], x)


@hookimpl(via=HALF)
def eig(x: Any, /) -> Any:
    return batched("linalg.eig", [2], x)


@hookimpl(via=HALF)
def eigh(x: Any, /) -> Any:
    return batched("linalg.eigh", [2], x)


@hookimpl(via=HALF)
def eigvals(x: Any, /) -> Any:
    return batched("linalg.eigvals", [2], x)


@hookimpl(via=HALF)
def eigvalsh(x: Any, /) -> Any:
    return batched("linalg.eigvalsh", [2], x)


@hookimpl(via=HALF)
def inv(x: Any, /) -> Any:
    return batched("linalg.inv", [2], x)


@hookimpl
def matmul(x1: Any, x2: Any, /) -> Any:
    if not (x1.ndim and x2.ndim) or differ(x1.shape[-1], x2.shape[-2 if x2.ndim > 1 else 0]):
        raise ValueError(f"arrays of the shapes {x1.shape} and {x2.shape} cannot be multiplied as matrices")
    fitting([x1, x2], [[*range(-x.ndim, -2), *[None] * min(x.ndim, 2)] for x in (x1, x2)])
    return _as(da.matmul(x1, x2), x1)


@hookimpl(via=HALF)
def matrix_power(x: Any, n: int, /) -> Any:
    return batched("linalg.matrix_power", [2], x, n)


@hookimpl(via=HALF)
def matrix_rank(x: Any, /, rtol: Any = None) -> Any:
    return batched("linalg.matrix_rank", [2, 0], x, rtol=rtol)


@hookimpl(via=HALF)
def pinv(x: Any, /, rtol: Any = None) -> Any:
    return batched("linalg.pinv", [2, 0], x, rtol=rtol)


def _tall(x: Any) -> bool:
    """Return whether a matrix is cut along its rows, each chunk with more rows than columns."""
    return x.ndim == 2 and known(x) and x.numblocks[0] > 1 and min(x.chunks[0]) >= x.shape[1] > 0


@hookimpl(via=HALF)
def qr(x: Any, /, mode: str = "reduced") -> Any:
    if mode == "reduced" and _tall(x):
        return tuple(da.linalg.tsqr(in_one_chunk(x, [1])))
    return batched("linalg.qr", [2], x, mode=mode)


@hookimpl(via=HALF)
def slogdet(x: Any, /) -> Any:
    return batched("linalg.slogdet", [2], x)


@hookimpl(via=HALF)
def solve(x1: Any, x2: Any, /) -> Any:
    return batched("linalg.solve", [2, 1 if x2.ndim == 1 else 2], x1, x2)


@hookimpl(via=HALF)
def svd(x: Any, /, full_matrices: bool = True) -> Any:
    if not full_matrices and _tall(x):
        return tuple(da.linalg.tsqr(in_one_chunk(x, [1]), compute_svd=True))
    return batched("linalg.svd", [2], x, full_matrices=full_matrices)


@hookimpl(via=HALF)
def svdvals(x: Any, /) -> Any:
    if _tall(x):
        return da.linalg.tsqr(in_one_chunk(x, [1]), compute_svd=True)[1]
    return batched("linalg.svdvals", [2], x)


@hookimpl
def tensordot(x1: Any, x2: Any, /, axes: Any = 2) -> Any:
    if axes == 0:
        return x1[(..., *(None,) * x2.ndim)] * x2
    if isinstance(axes, (list, tuple)):
        axes = tuple((one,) if isinstance(one, int) else tuple(one) for one in axes)
    return _as(da.tensordot(x1, x2, axes), x1)


def _as(result: Any, x: Any) -> Any:
    """Return a product in the dtype of its factors; Dask adds integers up in wider ones."""
    return result if result.dtype == x.dtype else result.astype(x.dtype)
