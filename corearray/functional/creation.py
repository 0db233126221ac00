from __future__ import annotations
from typing import NamedTuple, Any
from corearray.declaration import declare

__all__ = ['arange', 'asarray', 'empty', 'empty_like', 'eye', 'from_dlpack', 'full', 'full_like', 'linspace', 'meshgrid', 'ones', 'ones_like', 'tril', 'triu', 'zeros', 'zeros_like']
@declare(infer="value")
def arange(start: object, /, stop: object=None, step: object=1, *, dtype: DType | None=None, device: Device | None=None) -> Array:
    ...

@declare(infer="value")
def asarray(obj: ArrayLike, /, *, dtype: DType | None=None, device: Device | None=None, copy: object=None) -> Array:
    ...

@declare(infer="float")
def empty(shape: object, *, dtype: DType | None=None, device: Device | None=None) -> Array:
    ...

@declare(infer="like")
def empty_like(x: Array, /, *, dtype: DType | None=None, device: Device | None=None) -> Array:
    ...

@declare(infer="float")
def eye(n_rows: object, n_cols: object=None, /, *, k: object=0, dtype: DType | None=None, device: Device | None=None) -> Array:
    ...

@declare()
def from_dlpack(x: object, /, *, device: Device | None=None, copy: object=None) -> Array:
    ...

@declare(infer="value")
def full(shape: object, fill_value: object, *, dtype: DType | None=None, device: Device | None=None) -> Array:
    ...

@declare(infer="like")
def full_like(x: Array, /, fill_value: object, *, dtype: DType | None=None, device: Device | None=None) -> Array:
    ...

@declare(infer="value")
def linspace(start: object, stop: object, /, num: object, *, dtype: DType | None=None, device: Device | None=None, endpoint: object=True) -> Array:
    ...

@declare()
def meshgrid(*arrays: Array, indexing: object='xy') -> tuple[Array, ...]:
    ...

@declare(infer="float")
def ones(shape: object, *, dtype: DType | None=None, device: Device | None=None) -> Array:
    ...

@declare(infer="like")
def ones_like(x: Array, /, *, dtype: DType | None=None, device: Device | None=None) -> Array:
    ...

@declare()
def tril(x: Array, /, *, k: object=0) -> Array:
    ...

@declare()
def triu(x: Array, /, *, k: object=0) -> Array:
    ...

@declare(infer="float")
def zeros(shape: object, *, dtype: DType | None=None, device: Device | None=None) -> Array:
    ...

@declare(infer="like")
def zeros_like(x: Array, /, *, dtype: DType | None=None, device: Device | None=None) -> Array:
    ...
