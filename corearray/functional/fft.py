from __future__ import annotations
from typing import NamedTuple, Any
from corearray.declaration import declare

__all__ = ['fft', 'fftfreq', 'fftn', 'fftshift', 'hfft', 'ifft', 'ifftn', 'ifftshift', 'ihfft', 'irfft', 'irfftn', 'rfft', 'rfftfreq', 'rfftn']
@declare(namespace="fft", floating=True)
def fft(x: Array, /, *, n: object=None, axis: object=-1, norm: object='backward') -> Array:
    ...

@declare(namespace="fft", floating=True)
def ifft(x: Array, /, *, n: object=None, axis: object=-1, norm: object='backward') -> Array:
    ...

@declare(namespace="fft", floating=True)
def fftn(x: Array, /, *, s: object=None, axes: object=None, norm: object='backward') -> Array:
    ...

@declare(namespace="fft", floating=True)
def ifftn(x: Array, /, *, s: object=None, axes: object=None, norm: object='backward') -> Array:
    ...

@declare(namespace="fft", floating=True)
def rfft(x: Array, /, *, n: object=None, axis: object=-1, norm: object='backward') -> Array:
    ...

@declare(namespace="fft", floating=True)
def irfft(x: Array, /, *, n: object=None, axis: object=-1, norm: object='backward') -> Array:
    ...

@declare(namespace="fft", floating=True)
def rfftn(x: Array, /, *, s: object=None, axes: object=None, norm: object='backward') -> Array:
    ...

@declare(namespace="fft", floating=True)
def irfftn(x: Array, /, *, s: object=None, axes: object=None, norm: object='backward') -> Array:
    ...

@declare(namespace="fft", floating=True)
def hfft(x: Array, /, *, n: object=None, axis: object=-1, norm: object='backward') -> Array:
    ...

@declare(namespace="fft", floating=True)
def ihfft(x: Array, /, *, n: object=None, axis: object=-1, norm: object='backward') -> Array:
    ...

@declare(infer="float", namespace="fft")
def fftfreq(n: object, /, *, d: object=1.0, dtype: DType | None=None, device: Device | None=None) -> Array:
    ...

@declare(infer="float", namespace="fft")
def rfftfreq(n: object, /, *, d: object=1.0, dtype: DType | None=None, device: Device | None=None) -> Array:
    ...

@declare(namespace="fft")
def fftshift(x: Array, /, *, axes: object=None) -> Array:
    ...

@declare(namespace="fft")
def ifftshift(x: Array, /, *, axes: object=None) -> Array:
    ...
