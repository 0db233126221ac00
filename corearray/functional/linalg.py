from __future__ import annotations
from typing import NamedTuple, Any
from corearray.declaration import declare

__all__ = ['cholesky', 'cross', 'det', 'diagonal', 'eig', 'eigh', 'eigvals', 'eigvalsh', 'inv', 'matmul', 'matrix_norm', 'matrix_power', 'matrix_rank', 'matrix_transpose', 'outer', 'pinv', 'qr', 'slogdet', 'solve', 'svd', 'svdvals', 'tensordot', 'trace', 'vecdot', 'vector_norm', 'EighResult', 'EigResult', 'QRResult', 'SlogdetResult', 'SVDResult']
class EighResult(NamedTuple):
    eigenvalues: Any
    eigenvectors: Any

class EigResult(NamedTuple):
    eigenvalues: Any
    eigenvectors: Any

class QRResult(NamedTuple):
    Q: Any
    R: Any

class SlogdetResult(NamedTuple):
    sign: Any
    logabsdet: Any

class SVDResult(NamedTuple):
    U: Any
    S: Any
    Vh: Any

@declare(namespace="linalg", floating=True)
def cholesky(x: Array, /, *, upper: object=False) -> Array:
    ...

@declare(promote=("x1","x2"), namespace="linalg")
def cross(x1: Array, x2: Array, /, *, axis: object=-1) -> Array:
    ...

@declare(namespace="linalg", floating=True)
def det(x: Array, /) -> Array:
    ...

@declare(namespace="linalg")
def diagonal(x: Array, /, *, offset: object=0) -> Array:
    ...

@declare(namespace="linalg", floating=True)
def eigh(x: Array, /) -> EighResult:
    ...

@declare(namespace="linalg", floating=True)
def eigvalsh(x: Array, /) -> Array:
    ...

@declare(namespace="linalg", floating=True)
def eig(x: Array, /) -> EigResult:
    ...

@declare(namespace="linalg", floating=True)
def eigvals(x: Array, /) -> Array:
    ...

@declare(namespace="linalg", floating=True)
def inv(x: Array, /) -> Array:
    ...

@declare(promote=("x1","x2"), namespace="linalg", main=True)
def matmul(x1: Array, x2: Array, /) -> Array:
    ...

@declare(namespace="linalg", floating=True)
def matrix_norm(x: Array, /, *, keepdims: object=False, ord: object='fro') -> Array:
    ...

@declare(namespace="linalg")
def matrix_power(x: Array, n: object, /) -> Array:
    ...

@declare(namespace="linalg", floating=True)
def matrix_rank(x: Array, /, *, rtol: Array=None) -> Array:
    ...

@declare(namespace="linalg", main=True)
def matrix_transpose(x: Array, /) -> Array:
    ...

@declare(promote=("x1","x2"), namespace="linalg")
def outer(x1: Array, x2: Array, /) -> Array:
    ...

@declare(namespace="linalg", floating=True)
def pinv(x: Array, /, *, rtol: Array=None) -> Array:
    ...

@declare(namespace="linalg", floating=True)
def qr(x: Array, /, *, mode: object='reduced') -> QRResult:
    ...

@declare(namespace="linalg", floating=True)
def slogdet(x: Array, /) -> SlogdetResult:
    ...

@declare(promote=("x1","x2"), namespace="linalg", floating=True)
def solve(x1: Array, x2: Array, /) -> Array:
    ...

@declare(namespace="linalg", floating=True)
def svd(x: Array, /, *, full_matrices: object=True) -> SVDResult:
    ...

@declare(namespace="linalg", floating=True)
def svdvals(x: Array, /) -> Array:
    ...

@declare(promote=("x1","x2"), namespace="linalg", main=True)
def tensordot(x1: Array, x2: Array, /, *, axes: object=2) -> Array:
    ...

@declare(infer="sum", namespace="linalg")
def trace(x: Array, /, *, offset: object=0, dtype: DType | None=None) -> Array:
    ...

@declare(promote=("x1","x2"), namespace="linalg", main=True)
def vecdot(x1: Array, x2: Array, /, *, axis: object=-1) -> Array:
    ...

@declare(namespace="linalg", floating=True)
def vector_norm(x: Array, /, *, axis: object=None, keepdims: object=False, ord: object=2) -> Array:
    ...
