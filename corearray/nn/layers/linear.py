"""Layers of matrices: `Linear`, `Bilinear` and `Identity`."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from corearray.functional.contraction import einsum
from corearray.functional.layers import linear
from corearray.nn.arguments import drawn_bias, positive, uniform
from corearray.nn.module import Module

if TYPE_CHECKING:
    from corearray.arrays.array import Array
    from corearray.random import Generator
    from corearray.types.devices import Device
    from corearray.types.dtypes import DType

__all__ = ["Bilinear", "Identity", "Linear"]

#: What `corearray list-functions` says of the classes here.
__kind__ = "convenience"


class Linear(Module):
    """Multiply vectors by a matrix and add a vector, `x @ weight.mT + bias`.

    Parameters
    ----------
    in_features, out_features
        Lengths of the vectors that come in and go out.
    bias
        Whether to add a vector.
    generator
        Source of the initial weights; by default `corearray.random.default_generator()`.
    dtype
        Real floating dtype of the parameters, by default the default one.
    device
        Device of the parameters, by default the default one.

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
    `torch.nn.Linear`: weights and bias begin uniform in `±1 / sqrt(in_features)`. One seed gives the same weights on every
    backend.
    """

    def __init__(
        self,
        in_features: int,
        out_features: int,
        bias: bool = True,
        *,
        generator: Generator | None = None,
        dtype: DType | str | None = None,
        device: Device | str | None = None,
    ) -> None:
        in_features = positive("Linear", "in_features", in_features)
        out_features = positive("Linear", "out_features", out_features)
        made: dict[str, Any] = {"generator": generator, "dtype": dtype, "device": device}
        bound = 1.0 / math.sqrt(in_features)
        self.weight = uniform("Linear", (out_features, in_features), bound, **made)
        self.bias: Array | None = drawn_bias("Linear", bias, out_features, bound, **made)

    def forward(self, x: Array, /) -> Array:
        """Compute `x @ weight.mT + bias` for an array of the shape `(..., in_features)`."""
        return linear(x, self.weight, bias=self.bias)


class Bilinear(Module):
    """Compute `x1 @ weight[k] @ x2 + bias[k]` for pairs of vectors.

    Parameters
    ----------
    in1_features, in2_features, out_features
        Lengths of the vectors that come in and go out.
    bias, generator, dtype, device
        As in `Linear`.

    Attributes
    ----------
    weight
        Array of the shape `(out_features, in1_features, in2_features)`.
    bias
        Array of the shape `(out_features,)`, or `None`.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> nn.Bilinear(3, 4, 2)(ca.ones((5, 3)), ca.ones((5, 4))).shape
    Shape((5, 2))

    Notes
    -----
    `torch.nn.Bilinear`.
    """

    def __init__(
        self,
        in1_features: int,
        in2_features: int,
        out_features: int,
        bias: bool = True,
        *,
        generator: Generator | None = None,
        dtype: DType | str | None = None,
        device: Device | str | None = None,
    ) -> None:
        first = positive("Bilinear", "in1_features", in1_features)
        second = positive("Bilinear", "in2_features", in2_features)
        size = positive("Bilinear", "out_features", out_features)
        made: dict[str, Any] = {"generator": generator, "dtype": dtype, "device": device}
        bound = 1.0 / math.sqrt(first)
        self.weight = uniform("Bilinear", (size, first, second), bound, **made)
        self.bias: Array | None = drawn_bias("Bilinear", bias, size, bound, **made)

    def forward(self, x1: Array, x2: Array, /) -> Array:
        """Compute for arrays of the shapes `(..., in1_features)` and `(..., in2_features)`."""
        y = einsum("...i,kij,...j->...k", x1, self.weight, x2)
        return y if self.bias is None else y + self.bias


class Identity(Module):
    """Return the argument; other arguments of the constructor are ignored, so that it replaces any layer.

    It takes anything, such as an array of any shape, and returns it.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> nn.Identity(54, whatever=True)(ca.ones(2)).tolist()
    [1.0, 1.0]

    Notes
    -----
    `torch.nn.Identity`.
    """

    def __init__(self, *args: Any, **options: Any) -> None:
        pass

    def forward(self, x: Any, /) -> Any:
        """Return `x`."""
        return x
