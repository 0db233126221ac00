"""`Linear`: an affine layer."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from corearray import random
from corearray.calls.dispatch import resolve
from corearray.errors import CoreArrayTypeError, CoreArrayValueError
from corearray.functional.layers import linear
from corearray.modules.module import Module

if TYPE_CHECKING:
    from corearray.arrays.array import Array
    from corearray.types.devices import Device
    from corearray.types.dtypes import DType

__all__ = ["Linear"]

#: What `corearray list-functions` says of the classes here.
__kind__ = "convenience"


class Linear(Module):
    """An affine layer, `x @ weight.mT + bias`.

    Parameters
    ----------
    in_features, out_features
        Lengths of the vectors that come in and go out.
    bias
        Whether to add a vector.
    generator
        From which the weights are drawn; by default `corearray.random.default_generator()`.
    dtype
        Real floating dtype of the parameters, by default the default one.
    device
        Where they are, by default the default one.

    Attributes
    ----------
    weight
        Array of the shape `(out_features, in_features)`.
    bias
        Array of the shape `(out_features,)`, or `None`.

    Raises
    ------
    TypeError
        If a length is no integer, `generator` is none, or `dtype` is no real floating dtype.
    ValueError
        If a length is below 1.

    Examples
    --------
    >>> import corearray as ca
    >>> layer = ca.Linear(3, 2, generator=ca.random.Generator(7))
    >>> layer
    Linear(weight=float32[2, 3], bias=float32[2])
    >>> layer(ca.ones((5, 3))).shape
    Shape((5, 2))

    Notes
    -----
    The weights are drawn evenly from -r to r with `r = sqrt(6 / (in_features + out_features))`, which keeps the variances of
    values and of gradients alike: X. Glorot and Y. Bengio, Understanding the difficulty of training deep feedforward neural
    networks, 2010. The bias begins with zeros. One seed gives the same weights on every backend.
    """

    def __init__(
        self,
        in_features: int,
        out_features: int,
        /,
        *,
        bias: bool = True,
        generator: random.Generator | None = None,
        dtype: DType | str | None = None,
        device: Device | str | None = None,
    ) -> None:
        for name, length in (("in_features", in_features), ("out_features", out_features)):
            if isinstance(length, bool) or not isinstance(length, int):
                raise CoreArrayTypeError(f"'{name}' of 'Linear' is an integer, got {length!r}")
            if length < 1:
                raise CoreArrayValueError(f"'{name}' of 'Linear' is at least 1, got {length}")
        if generator is None:
            generator = random.default_generator()
        elif not isinstance(generator, random.Generator):
            raise CoreArrayTypeError(
                f"generator of 'Linear' is a corearray.random.Generator, not {type(generator).__name__}"
            )
        bound = math.sqrt(6.0 / (in_features + out_features))
        self.weight = generator.uniform(-bound, bound, shape=(out_features, in_features), dtype=dtype, device=device)
        self.bias: Array | None = None
        if bias:
            self.bias = resolve(()).zeros((out_features,), dtype=dtype, device=device)

    def forward(self, x: Array, /) -> Array:
        """Compute `x @ weight.mT + bias` for an array of the shape `(..., in_features)`."""
        return linear(x, self.weight, bias=self.bias)
