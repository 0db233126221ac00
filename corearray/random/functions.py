"""Functions that draw from the generator of the current context, by NumPy's names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from corearray.random.arguments import sized
from corearray.random.context import default_generator
from corearray.random.generator import Generator

if TYPE_CHECKING:
    from corearray.arrays.array import Array
    from corearray.types.devices import Device
    from corearray.types.dtypes import DType

__all__ = ["default_rng", "integers", "normal", "permutation", "shuffle", "uniform"]


def default_rng(seed: int | None = None) -> Generator:
    """Return a new generator, as `Generator(seed)` does.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.random.default_rng(7).normal(size=3).shape
    Shape((3,))
    """
    return Generator(seed)


@sized
def uniform(
    low: float | Array = 0.0,
    high: float | Array = 1.0,
    *,
    shape: int | Sequence[int] | None = None,
    dtype: DType | str | None = None,
    device: Device | str | None = None,
) -> Array:
    """Draw from uniform distributions, as `Generator.uniform` of the context's generator does.

    Examples
    --------
    >>> import corearray as ca
    >>> x = ca.random.uniform(-1.0, 1.0, size=(2, 3))
    >>> x.shape, bool(ca.all(ca.abs(x) <= 1.0))
    (Shape((2, 3)), True)
    """
    return default_generator().uniform(low, high, shape=shape, dtype=dtype, device=device)


@sized
def normal(
    mean: float | Array = 0.0,
    std: float | Array = 1.0,
    *,
    shape: int | Sequence[int] | None = None,
    dtype: DType | str | None = None,
    device: Device | str | None = None,
) -> Array:
    """Draw from normal distributions, as `Generator.normal` of the context's generator does.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.random.normal(0.0, 2.0, (2, 3), dtype="float64").dtype.name
    'float64'
    """
    return default_generator().normal(mean, std, shape=shape, dtype=dtype, device=device)


@sized
def integers(
    low: int,
    high: int | None = None,
    *,
    shape: int | Sequence[int] = (),
    dtype: DType | str | None = None,
    device: Device | str | None = None,
) -> Array:
    """Draw uniformly distributed integers, as `Generator.integers` of the context's generator does.

    Examples
    --------
    >>> import corearray as ca
    >>> dice = ca.random.integers(1, 7, size=100)
    >>> bool(ca.all((dice >= 1) & (dice < 7)))
    True
    """
    return default_generator().integers(low, high, shape=shape, dtype=dtype, device=device)


def permutation(n: int | Array, /, *, axis: int = 0, device: Device | str | None = None) -> Array:
    """Draw a random order of integers or slices, as `Generator.permutation` of the context's generator does.

    Examples
    --------
    >>> import corearray as ca
    >>> sorted(ca.random.permutation(4).tolist())
    [0, 1, 2, 3]
    """
    return default_generator().permutation(n, axis=axis, device=device)


def shuffle(x: Array, /, *, axis: int = 0) -> Array:
    """Shuffle slices in place, as `Generator.shuffle` of the context's generator does.

    Examples
    --------
    >>> import corearray as ca
    >>> x = ca.asarray([1, 2, 3, 4])
    >>> _ = ca.random.shuffle(x)
    >>> sorted(x.tolist())
    [1, 2, 3, 4]
    """
    return default_generator().shuffle(x, axis=axis)
