"""Dropout: elements or channels are zero at random in training; in evaluation these layers return their argument."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corearray.functional.creation import ones_like
from corearray.functional.layers import dropout, dropout1d, dropout2d, dropout3d
from corearray.nn.arguments import probability
from corearray.nn.module import Module

if TYPE_CHECKING:
    from corearray.arrays.array import Array

__all__ = ["AlphaDropout", "Dropout", "Dropout1d", "Dropout2d", "Dropout3d", "FeatureAlphaDropout"]

#: What `corearray list-functions` says of the classes here.
__kind__ = "convenience"


class Dropout(Module):
    """Set elements to zero at random and divide the others by `1 - p`.

    It takes and returns an array of any shape. In evaluation it returns its argument.
    Random numbers come from the generator of the context, see `corearray.random.seed`.

    Parameters
    ----------
    p
        The probability of zero, from 0 to 1.
    inplace
        No effect, for programs from torch: the result is a new array.

    Raises
    ------
    ValueError
        If `p` is no probability.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> nn.Dropout(0.2).eval()(ca.ones((2, 3))).shape
    Shape((2, 3))

    Notes
    -----
    N. Srivastava et al., Dropout: a simple way to prevent neural networks from overfitting, 2014; `torch.nn.Dropout`.
    """

    def __init__(self, p: float = 0.5, inplace: bool = False) -> None:
        self.p = probability("Dropout", p)

    def forward(self, x: Array, /) -> Array:
        """Drop elements in training."""
        return dropout(x, self.p) if self.training and self.p else x


class Dropout1d(Module):
    """Set channels of sequences to zero at random and divide the others by `1 - p`.

    It takes and returns an array of shape `(N, C, L)` or `(C, L)`. In evaluation it returns its argument.
    Random numbers come from the generator of the context, see `corearray.random.seed`.

    Parameters
    ----------
    p
        The probability of zero, from 0 to 1.
    inplace
        No effect, for programs from torch: the result is a new array.

    Raises
    ------
    ValueError
        If `p` is no probability.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> nn.Dropout1d(0.2).eval()(ca.ones((2, 3, 8))).shape
    Shape((2, 3, 8))

    Notes
    -----
    J. Tompson et al., arXiv:1411.4280; `torch.nn.Dropout1d`.
    """

    def __init__(self, p: float = 0.5, inplace: bool = False) -> None:
        self.p = probability("Dropout1d", p)

    def forward(self, x: Array, /) -> Array:
        """Drop elements in training."""
        return dropout1d(x, self.p) if self.training and self.p else x


class Dropout2d(Module):
    """Set channels of images to zero at random and divide the others by `1 - p`.

    It takes and returns an array of shape `(N, C, H, W)` or `(C, H, W)`. In evaluation it returns its argument.
    Random numbers come from the generator of the context, see `corearray.random.seed`.

    Parameters
    ----------
    p
        The probability of zero, from 0 to 1.
    inplace
        No effect, for programs from torch: the result is a new array.

    Raises
    ------
    ValueError
        If `p` is no probability.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> nn.Dropout2d(0.2).eval()(ca.ones((2, 3, 8, 8))).shape
    Shape((2, 3, 8, 8))

    Notes
    -----
    J. Tompson et al., arXiv:1411.4280; `torch.nn.Dropout2d`.
    """

    def __init__(self, p: float = 0.5, inplace: bool = False) -> None:
        self.p = probability("Dropout2d", p)

    def forward(self, x: Array, /) -> Array:
        """Drop elements in training."""
        return dropout2d(x, self.p) if self.training and self.p else x


class Dropout3d(Module):
    """Set channels of volumes to zero at random and divide the others by `1 - p`.

    It takes and returns an array of shape `(N, C, D, H, W)` or `(C, D, H, W)`. In evaluation it returns its argument.
    Random numbers come from the generator of the context, see `corearray.random.seed`.

    Parameters
    ----------
    p
        The probability of zero, from 0 to 1.
    inplace
        No effect, for programs from torch: the result is a new array.

    Raises
    ------
    ValueError
        If `p` is no probability.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> nn.Dropout3d(0.2).eval()(ca.ones((2, 3, 8, 8, 8))).shape
    Shape((2, 3, 8, 8, 8))

    Notes
    -----
    J. Tompson et al., arXiv:1411.4280; `torch.nn.Dropout3d`.
    """

    def __init__(self, p: float = 0.5, inplace: bool = False) -> None:
        self.p = probability("Dropout3d", p)

    def forward(self, x: Array, /) -> Array:
        """Drop elements in training."""
        return dropout3d(x, self.p) if self.training and self.p else x


class AlphaDropout(Module):
    """Replace elements at random so that mean and variance stay those of `SELU` networks.

    With the value `c = -1.7581` in place of what is dropped the result is `a * x + b`, where `a` and `b` restore mean 0 and
    variance 1. In evaluation it returns its argument.

    Parameters
    ----------
    p
        The probability of being replaced, from 0 to 1.
    inplace
        No effect, for programs from torch: the result is a new array.

    Raises
    ------
    ValueError
        If `p` is no probability.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> nn.AlphaDropout(0.2).eval()(ca.ones((2, 3))).shape
    Shape((2, 3))

    Notes
    -----
    G. Klambauer et al., arXiv:1706.02515; `torch.nn.AlphaDropout`.
    """

    def __init__(self, p: float = 0.5, inplace: bool = False) -> None:
        self.p = probability("AlphaDropout", p)

    def forward(self, x: Array, /) -> Array:
        """Replace elements in training."""
        if not self.training or not self.p:
            return x
        return _self_normalising(x, dropout(ones_like(x), self.p, scale=False), self.p)


class FeatureAlphaDropout(Module):
    """Replace channels of an array of the shape `(N, C, ...)` at random; mean and variance stay those of SELU networks.

    With the value `c = -1.7581` in place of what is dropped the result is `a * x + b`, where `a` and `b` restore mean 0 and
    variance 1. In evaluation it returns its argument.

    Parameters
    ----------
    p
        The probability of being replaced, from 0 to 1.
    inplace
        No effect, for programs from torch: the result is a new array.

    Raises
    ------
    ValueError
        If `p` is no probability.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> nn.FeatureAlphaDropout(0.2).eval()(ca.ones((2, 3, 8))).shape
    Shape((2, 3, 8))

    Notes
    -----
    G. Klambauer et al., arXiv:1706.02515; `torch.nn.FeatureAlphaDropout`.
    """

    def __init__(self, p: float = 0.5, inplace: bool = False) -> None:
        self.p = probability("FeatureAlphaDropout", p)

    def forward(self, x: Array, /) -> Array:
        """Replace elements in training."""
        if not self.training or not self.p:
            return x
        return _self_normalising(x, dropout(ones_like(x), self.p, axis=(0, 1), scale=False), self.p)


#: The limit of SELU for large negative numbers.
_LIMIT = -1.7580993408473766


def _self_normalising(x: Array, kept: Array, p: float) -> Array:
    if p == 1.0:
        return x * 0.0
    a = ((_LIMIT**2 * p + 1.0) * (1.0 - p)) ** -0.5
    found: Array = (x * kept + _LIMIT * (1.0 - kept)) * a - a * _LIMIT * p
    return found
