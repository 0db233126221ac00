"""Layers that extend axes, by 1 to 3 of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from corearray.functional.padding import pad
from corearray.nn.arguments import sizes
from corearray.nn.module import Module

if TYPE_CHECKING:
    from corearray.arrays.array import Array

__all__ = [
    "CircularPad1d",
    "CircularPad2d",
    "CircularPad3d",
    "ConstantPad1d",
    "ConstantPad2d",
    "ConstantPad3d",
    "ReflectionPad1d",
    "ReflectionPad2d",
    "ReflectionPad3d",
    "ReplicationPad1d",
    "ReplicationPad2d",
    "ReplicationPad3d",
    "ZeroPad1d",
    "ZeroPad2d",
    "ZeroPad3d",
]


#: What `corearray list-functions` says of the classes here.
__kind__ = "convenience"


class _Pad(Module):
    """A layer that extends the last axes, without a constructor of its own."""

    def __init__(self, padding: Any, axes: int, mode: str, value: float = 0.0) -> None:
        least = None if mode == "constant" else 0
        self.padding = sizes(type(self).__name__, "padding", padding, 2 * axes, least)
        self._mode = mode
        self.value = value

    def forward(self, x: Array, /) -> Array:
        """Extend the last axes of an array of the shape `(..., C, ...)`; negative sizes of constant padding cut."""
        axes = len(self.padding) // 2
        ends = [(self.padding[2 * i], self.padding[2 * i + 1]) for i in reversed(range(axes))]
        if any(size < 0 for size in self.padding):
            cuts = [
                slice(max(0, -first), n - max(0, -last)) for (first, last), n in zip(ends, x.shape[-axes:], strict=True)
            ]
            x = x[(..., *cuts)]
            ends = [(max(first, 0), max(last, 0)) for first, last in ends]
        widths = [(0, 0)] * (x.ndim - axes) + ends
        if self._mode == "constant":
            return pad(x, widths, constant_values=self.value)
        return pad(x, widths, mode=self._mode)


class ZeroPad1d(_Pad):
    """Extend the ends of the last axis by zeros.

    Parameters
    ----------
    padding
        Number of elements for each end: an integer, or 2 of them, those of the last axis first.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> nn.ZeroPad1d(1)(ca.ones((2, 3, 8))).shape
    Shape((2, 3, 10))

    Notes
    -----
    `torch.nn.ZeroPad1d`.
    """

    def __init__(self, padding: int | Sequence[int]) -> None:
        super().__init__(padding, 1, "constant")


class ZeroPad2d(_Pad):
    """Extend the ends of the last 2 axes by zeros.

    Parameters
    ----------
    padding
        Number of elements for each end: an integer, or 4 of them, those of the last axis first.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> nn.ZeroPad2d(1)(ca.ones((2, 3, 8, 8))).shape
    Shape((2, 3, 10, 10))

    Notes
    -----
    `torch.nn.ZeroPad2d`.
    """

    def __init__(self, padding: int | Sequence[int]) -> None:
        super().__init__(padding, 2, "constant")


class ZeroPad3d(_Pad):
    """Extend the ends of the last 3 axes by zeros.

    Parameters
    ----------
    padding
        Number of elements for each end: an integer, or 6 of them, those of the last axis first.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> nn.ZeroPad3d(1)(ca.ones((2, 3, 8, 8, 8))).shape
    Shape((2, 3, 10, 10, 10))

    Notes
    -----
    `torch.nn.ZeroPad3d`.
    """

    def __init__(self, padding: int | Sequence[int]) -> None:
        super().__init__(padding, 3, "constant")


class ConstantPad1d(_Pad):
    """Extend the ends of the last axis by a value.

    Parameters
    ----------
    padding
        Number of elements for each end: an integer, or 2 of them, those of the last axis first.
    value
        The value.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> nn.ConstantPad1d(1, 2.0)(ca.ones((2, 3, 8))).shape
    Shape((2, 3, 10))

    Notes
    -----
    `torch.nn.ConstantPad1d`.
    """

    def __init__(self, padding: int | Sequence[int], value: float) -> None:
        super().__init__(padding, 1, "constant", value)


class ConstantPad2d(_Pad):
    """Extend the ends of the last 2 axes by a value.

    Parameters
    ----------
    padding
        Number of elements for each end: an integer, or 4 of them, those of the last axis first.
    value
        The value.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> nn.ConstantPad2d(1, 2.0)(ca.ones((2, 3, 8, 8))).shape
    Shape((2, 3, 10, 10))

    Notes
    -----
    `torch.nn.ConstantPad2d`.
    """

    def __init__(self, padding: int | Sequence[int], value: float) -> None:
        super().__init__(padding, 2, "constant", value)


class ConstantPad3d(_Pad):
    """Extend the ends of the last 3 axes by a value.

    Parameters
    ----------
    padding
        Number of elements for each end: an integer, or 6 of them, those of the last axis first.
    value
        The value.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> nn.ConstantPad3d(1, 2.0)(ca.ones((2, 3, 8, 8, 8))).shape
    Shape((2, 3, 10, 10, 10))

    Notes
    -----
    `torch.nn.ConstantPad3d`.
    """

    def __init__(self, padding: int | Sequence[int], value: float) -> None:
        super().__init__(padding, 3, "constant", value)


class ReflectionPad1d(_Pad):
    """Extend the ends of the last axis by its reflection, without the last element.

    Parameters
    ----------
    padding
        Number of elements for each end: an integer, or 2 of them, those of the last axis first.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> nn.ReflectionPad1d(1)(ca.ones((2, 3, 8))).shape
    Shape((2, 3, 10))

    Notes
    -----
    `torch.nn.ReflectionPad1d`.
    """

    def __init__(self, padding: int | Sequence[int]) -> None:
        super().__init__(padding, 1, "reflect")


class ReflectionPad2d(_Pad):
    """Extend the ends of the last 2 axes by its reflection, without the last element.

    Parameters
    ----------
    padding
        Number of elements for each end: an integer, or 4 of them, those of the last axis first.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> nn.ReflectionPad2d(1)(ca.ones((2, 3, 8, 8))).shape
    Shape((2, 3, 10, 10))

    Notes
    -----
    `torch.nn.ReflectionPad2d`.
    """

    def __init__(self, padding: int | Sequence[int]) -> None:
        super().__init__(padding, 2, "reflect")


class ReflectionPad3d(_Pad):
    """Extend the ends of the last 3 axes by its reflection, without the last element.

    Parameters
    ----------
    padding
        Number of elements for each end: an integer, or 6 of them, those of the last axis first.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> nn.ReflectionPad3d(1)(ca.ones((2, 3, 8, 8, 8))).shape
    Shape((2, 3, 10, 10, 10))

    Notes
    -----
    `torch.nn.ReflectionPad3d`.
    """

    def __init__(self, padding: int | Sequence[int]) -> None:
        super().__init__(padding, 3, "reflect")


class ReplicationPad1d(_Pad):
    """Extend the ends of the last axis by the last element.

    Parameters
    ----------
    padding
        Number of elements for each end: an integer, or 2 of them, those of the last axis first.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> nn.ReplicationPad1d(1)(ca.ones((2, 3, 8))).shape
    Shape((2, 3, 10))

    Notes
    -----
    `torch.nn.ReplicationPad1d`.
    """

    def __init__(self, padding: int | Sequence[int]) -> None:
        super().__init__(padding, 1, "edge")


class ReplicationPad2d(_Pad):
    """Extend the ends of the last 2 axes by the last element.

    Parameters
    ----------
    padding
        Number of elements for each end: an integer, or 4 of them, those of the last axis first.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> nn.ReplicationPad2d(1)(ca.ones((2, 3, 8, 8))).shape
    Shape((2, 3, 10, 10))

    Notes
    -----
    `torch.nn.ReplicationPad2d`.
    """

    def __init__(self, padding: int | Sequence[int]) -> None:
        super().__init__(padding, 2, "edge")


class ReplicationPad3d(_Pad):
    """Extend the ends of the last 3 axes by the last element.

    Parameters
    ----------
    padding
        Number of elements for each end: an integer, or 6 of them, those of the last axis first.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> nn.ReplicationPad3d(1)(ca.ones((2, 3, 8, 8, 8))).shape
    Shape((2, 3, 10, 10, 10))

    Notes
    -----
    `torch.nn.ReplicationPad3d`.
    """

    def __init__(self, padding: int | Sequence[int]) -> None:
        super().__init__(padding, 3, "edge")


class CircularPad1d(_Pad):
    """Extend the ends of the last axis by the other end.

    Parameters
    ----------
    padding
        Number of elements for each end: an integer, or 2 of them, those of the last axis first.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> nn.CircularPad1d(1)(ca.ones((2, 3, 8))).shape
    Shape((2, 3, 10))

    Notes
    -----
    `torch.nn.CircularPad1d`.
    """

    def __init__(self, padding: int | Sequence[int]) -> None:
        super().__init__(padding, 1, "wrap")


class CircularPad2d(_Pad):
    """Extend the ends of the last 2 axes by the other end.

    Parameters
    ----------
    padding
        Number of elements for each end: an integer, or 4 of them, those of the last axis first.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> nn.CircularPad2d(1)(ca.ones((2, 3, 8, 8))).shape
    Shape((2, 3, 10, 10))

    Notes
    -----
    `torch.nn.CircularPad2d`.
    """

    def __init__(self, padding: int | Sequence[int]) -> None:
        super().__init__(padding, 2, "wrap")


class CircularPad3d(_Pad):
    """Extend the ends of the last 3 axes by the other end.

    Parameters
    ----------
    padding
        Number of elements for each end: an integer, or 6 of them, those of the last axis first.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> nn.CircularPad3d(1)(ca.ones((2, 3, 8, 8, 8))).shape
    Shape((2, 3, 10, 10, 10))

    Notes
    -----
    `torch.nn.CircularPad3d`.
    """

    def __init__(self, padding: int | Sequence[int]) -> None:
        super().__init__(padding, 3, "wrap")
