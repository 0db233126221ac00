from __future__ import annotations
from typing import NamedTuple, Any
from corearray.declaration import declare

__all__ = ['broadcast_arrays', 'broadcast_shapes', 'broadcast_to', 'concat', 'expand_dims', 'flip', 'moveaxis', 'permute_dims', 'repeat', 'reshape', 'roll', 'squeeze', 'stack', 'tile', 'unstack']
@declare()
def broadcast_arrays(*arrays: Array) -> list[Array]:
    ...

@declare()
def broadcast_shapes(*shapes: object) -> Shape:
    ...

@declare()
def broadcast_to(x: Array, /, shape: object) -> Array:
    ...

@declare(promote=("arrays",))
def concat(arrays: Sequence[Array], /, *, axis: object=0) -> Array:
    ...

@declare()
def expand_dims(x: Array, /, axis: object) -> Array:
    ...

@declare()
def flip(x: Array, /, *, axis: object=None) -> Array:
    ...

@declare()
def moveaxis(x: Array, source: object, destination: object, /) -> Array:
    ...

@declare()
def permute_dims(x: Array, /, axes: object) -> Array:
    ...

@declare()
def repeat(x: Array, repeats: Array, /, *, axis: object=None) -> Array:
    ...

@declare()
def reshape(x: Array, /, shape: object, *, copy: object=None) -> Array:
    ...

@declare()
def roll(x: Array, /, shift: object, *, axis: object=None) -> Array:
    ...

@declare()
def squeeze(x: Array, /, axis: object) -> Array:
    ...

@declare(promote=("arrays",))
def stack(arrays: Sequence[Array], /, *, axis: object=0) -> Array:
    ...

@declare()
def tile(x: Array, repetitions: object, /) -> Array:
    ...

@declare()
def unstack(x: Array, /, *, axis: object=0) -> tuple[Array, ...]:
    ...
