"""Random numbers that are the same on every backend, from generators that are objects.

A `Generator` is a key and a counter. Its numbers are those of Threefry-2x32 with 20 rounds (Salmon, Moraes, Dror and Shaw,
"Parallel random numbers: as easy as 1, 2, 3", 2011): word `n` depends on the key and on `n` alone, so that a backend computes
all words of a call at once, in 64-bit integers. No generator is shared by threads behind the scenes.
"""

from __future__ import annotations

import math
import operator
import os
from collections.abc import Sequence
from threading import Lock
from typing import TYPE_CHECKING, Any

from corearray.default_generator import default_generator
from corearray.dispatch import resolve
from corearray.dtypes import as_dtype
from corearray.errors import CoreArrayIndexError, CoreArrayTypeError, CoreArrayValueError
from corearray.state import current_settings

if TYPE_CHECKING:
    from corearray.array import Array
    from corearray.backend import Backend
    from corearray.devices import Device
    from corearray.dtypes import DType

__all__ = ["Generator", "default_generator"]

_MASK = 0xFFFFFFFF
_ROTATIONS = ((13, 15, 26, 6), (17, 29, 16, 24))


def _threefry(key: tuple[int, int], one: Any, two: Any) -> tuple[Any, Any]:
    """Encrypt pairs of 32-bit words, each in a 64-bit integer: Python's, or arrays of them."""
    schedule = (*key, key[0] ^ key[1] ^ 0x1BD11BDA)
    one, two = (one + schedule[0]) & _MASK, (two + schedule[1]) & _MASK
    for block in range(5):
        for distance in _ROTATIONS[block % 2]:
            one = (one + two) & _MASK
            two = ((two << distance) & _MASK | two >> (32 - distance)) ^ one
        one = (one + schedule[(block + 1) % 3]) & _MASK
        two = (two + (schedule[(block + 2) % 3] + block + 1)) & _MASK
    return one, two


class Generator:
    """A source of random numbers that are the same on every backend.

    Calls advance it; calls from several threads get different numbers. Two generators of one seed give the same numbers,
    and so does a copy, or one that was pickled. Floating-point numbers agree between backends up to the rounding of
    `log`, `cos` and `sin`. Arrays are made on the backend in force and on the default device.

    Within a function that a framework compiles, numbers are drawn when it is traced, and are constants from then on:
    draw them outside and pass them in.

    Parameters
    ----------
    seed
        An integer from 0 up, or `None` for one that the operating system draws.

    Examples
    --------
    >>> import corearray as ca
    >>> rng = ca.random.Generator(7)
    >>> rng.integers(0, 10, shape=5).tolist() == ca.random.Generator(7).integers(0, 10, shape=5).tolist()
    True
    >>> rng.normal(shape=(2, 3)).shape
    Shape((2, 3))
    """

    def __init__(self, seed: int | None = None) -> None:
        if seed is None:
            seed = int.from_bytes(os.urandom(8), "little")
        try:
            seed = operator.index(seed)
        except TypeError:
            raise CoreArrayTypeError(f"the seed of a Generator is an integer, not {type(seed).__name__}") from None
        if seed < 0:
            raise CoreArrayValueError(f"the seed of a Generator cannot be {seed}; give an integer from 0 up")
        key = (seed & _MASK, seed >> 32 & _MASK)
        while seed := seed >> 64:  # a long seed, 64 bits after 64
            key = _threefry(key, seed & _MASK, seed >> 32 & _MASK)
        self._key = key
        self._count = 0
        self._lock = Lock()

    def __getstate__(self) -> tuple[tuple[int, int], int]:
        return self._key, self._count

    def __setstate__(self, state: tuple[tuple[int, int], int]) -> None:
        (self._key, self._count), self._lock = state, Lock()

    def spawn(self, count: int, /) -> list[Generator]:
        """Return new generators, each with a stream of its own, for threads and processes.

        Parameters
        ----------
        count
            How many.

        Examples
        --------
        >>> import corearray as ca
        >>> one, two = ca.random.Generator(7).spawn(2)
        >>> float(one.uniform()) == float(two.uniform())
        False
        """
        start = self._taken(count)
        children = []
        for number in range(start, start + count):
            child = Generator(0)
            child._key = _threefry(self._key, number & _MASK, number >> 32 | 1 << 31)  # numbers use the other half
            children.append(child)
        return children

    # --- what is drawn

    def uniform(
        self,
        low: float | Array = 0.0,
        high: float | Array = 1.0,
        *,
        shape: int | Sequence[int] | None = None,
        dtype: DType | str | None = None,
        device: Device | str | None = None,
    ) -> Array:
        """Draw numbers between two bounds, the lower one included.

        Parameters
        ----------
        low, high
            The bounds: numbers, or real arrays.
        shape
            The shape of the result, to which the bounds broadcast; by default theirs.
        dtype
            A real floating dtype, by default the default one.
        device
            Where the result is.

        Returns
        -------
        Array of the shape and dtype, of 2**53 equally likely numbers, in float32 2**24. Rounding may reach `high`.

        Raises
        ------
        TypeError, ValueError
            If `dtype` is no real floating dtype, or the bounds do not broadcast to the shape.

        Examples
        --------
        >>> import corearray as ca
        >>> x = ca.random.Generator(7).uniform(-1.0, 1.0, shape=1000)
        >>> bool(ca.all((x >= -1.0) & (x < 1.0)))
        True
        """
        be, dtype = resolve((low, high)), _floating(dtype)
        size = _shape(be, shape, low, high)
        bits = {"float16": 11, "bfloat16": 8, "float32": 24}.get(dtype.name, 53)
        return _scaled(be, self._fractions(be, size, bits), high - low, low, dtype, device)

    def normal(
        self,
        mean: float | Array = 0.0,
        std: float | Array = 1.0,
        *,
        shape: int | Sequence[int] | None = None,
        dtype: DType | str | None = None,
        device: Device | str | None = None,
    ) -> Array:
        """Draw from normal distributions.

        Parameters
        ----------
        mean, std
            Means and standard deviations: numbers, or real arrays.
        shape, dtype, device
            As in `uniform`.

        Returns
        -------
        Array of the shape and dtype.

        Raises
        ------
        TypeError, ValueError
            As in `uniform`.

        Examples
        --------
        >>> import corearray as ca
        >>> x = ca.random.Generator(7).normal(5.0, 2.0, shape=10000)
        >>> round(float(ca.mean(x)), 1), round(float(ca.std(x)), 1)
        (5.0, 2.0)

        Notes
        -----
        Box and Muller, "A note on the generation of random normal deviates", 1958.
        """
        be, dtype = resolve((mean, std)), _floating(dtype)
        size = _shape(be, shape, mean, std)
        count = -(-math.prod(size) // 2)
        radius = be.sqrt(-2.0 * be.log1p(-self._fractions(be, (count,), 53)))
        angle = 2.0 * math.pi * self._fractions(be, (count,), 53)
        drawn = be.concat([radius * be.cos(angle), radius * be.sin(angle)])
        return _scaled(be, be.reshape(drawn[: math.prod(size)], size), std, mean, dtype, device)

    def exponential(
        self,
        scale: float | Array = 1.0,
        *,
        shape: int | Sequence[int] | None = None,
        dtype: DType | str | None = None,
        device: Device | str | None = None,
    ) -> Array:
        """Draw from exponential distributions.

        Parameters
        ----------
        scale
            Means: numbers, or a real array.
        shape, dtype, device
            As in `uniform`.

        Returns
        -------
        Array of the shape and dtype.

        Raises
        ------
        TypeError, ValueError
            As in `uniform`.

        Examples
        --------
        >>> import corearray as ca
        >>> x = ca.random.Generator(7).exponential(3.0, shape=10000)
        >>> round(float(ca.mean(x)), 1)
        3.0
        """
        be, dtype = resolve((scale,)), _floating(dtype)
        size = _shape(be, shape, scale)
        return _scaled(be, -be.log1p(-self._fractions(be, size, 53)), scale, 0.0, dtype, device)

    def bernoulli(
        self, p: float | Array = 0.5, *, shape: int | Sequence[int] | None = None, device: Device | str | None = None
    ) -> Array:
        """Draw truth values.

        Parameters
        ----------
        p
            Probabilities of true: numbers, or a real array.
        shape, device
            As in `uniform`.

        Returns
        -------
        Boolean array of the shape.

        Raises
        ------
        ValueError
            If `p` does not broadcast to the shape.

        Examples
        --------
        >>> import corearray as ca
        >>> x = ca.random.Generator(7).bernoulli(0.25, shape=10000)
        >>> round(float(ca.mean(ca.astype(x, ca.float32))), 2)
        0.25
        """
        be = resolve((p,))
        return _placed(self._fractions(be, _shape(be, shape, p), 53) < p, device)

    def integers(
        self,
        low: int,
        high: int | None = None,
        *,
        shape: int | Sequence[int] = (),
        dtype: DType | str | None = None,
        device: Device | str | None = None,
    ) -> Array:
        """Draw integers, each with the same probability.

        Parameters
        ----------
        low, high
            From `low` up to `high`, which is excluded; `integers(n)` is `integers(0, n)`.
        shape
            The shape of the result.
        dtype
            An integer dtype that holds the numbers, by default the default one.
        device
            Where the result is.

        Returns
        -------
        Array of the shape and dtype. The probabilities differ by less than one in 2**64 / (high - low).

        Raises
        ------
        TypeError, ValueError
            If there is no number between the bounds, or `dtype` does not hold them.

        Examples
        --------
        >>> import corearray as ca
        >>> dice = ca.random.Generator(7).integers(1, 7, shape=100)
        >>> int(ca.min(dice)), int(ca.max(dice))
        (1, 6)
        """
        low, high = (0, operator.index(low)) if high is None else (operator.index(low), operator.index(high))
        wanted = current_settings().dtypes["integral"] if dtype is None else as_dtype(dtype)
        if not wanted.kind.endswith("integer"):
            raise CoreArrayTypeError(f"'integers' makes arrays of integer dtypes, not of '{wanted}'")
        signed = wanted.kind == "signed integer"
        least, most = (-(1 << wanted.bits - 1) if signed else 0), (1 << wanted.bits - signed) - 1
        if not least <= low < high <= most + 1:
            raise CoreArrayValueError(
                f"'integers' cannot draw from {low} up to {high} as '{wanted}', which holds {least} to {most}"
            )
        be, size = resolve(()), _shape(resolve(()), shape)
        drawn = self._below(be, size, high - low)
        wide = be.int64 if signed else be.uint64  # in which a sum with `low` wraps around to the right number
        return _placed(be.astype(be.astype(drawn, wide) + be.asarray(low, dtype=wide), wanted), device)

    def permutation(self, n: int, /, *, device: Device | str | None = None) -> Array:
        """Draw an order of the integers from 0 up to `n`, which is excluded.

        Parameters
        ----------
        n
            How many.
        device
            Where the result is.

        Returns
        -------
        Array of `n` indices.

        Examples
        --------
        >>> import corearray as ca
        >>> order = ca.random.Generator(7).permutation(5)
        >>> sorted(order.tolist())
        [0, 1, 2, 3, 4]
        """
        be = resolve(())
        one, two = self._words(be, n)
        return _placed(be.argsort(one << 31 | two >> 1), device)

    def shuffle(self, x: Array, /, *, axis: int = 0) -> Array:
        """Return an array with its parts along an axis in a random order.

        Parameters
        ----------
        x
            Array with at least one axis.
        axis
            The axis.

        Returns
        -------
        Array of the shape and dtype of `x`.

        Raises
        ------
        IndexError
            If `x` has no such axis.

        Examples
        --------
        >>> import corearray as ca
        >>> x = ca.random.Generator(7).shuffle(ca.asarray([1, 2, 3, 4]))
        >>> sorted(x.tolist())
        [1, 2, 3, 4]
        """
        be = resolve((x,))
        x = be.asarray(x)
        if not -x.ndim <= axis < x.ndim:
            raise CoreArrayIndexError(f"'shuffle' was asked for axis {axis} of an array with {x.ndim} axes")
        one, two = self._words(be, x.shape[axis])
        return be.take(x, be.argsort(one << 31 | two >> 1).to_device(x.device), axis=axis)  # type: ignore[no-any-return]

    # --- words

    def _taken(self, count: int) -> int:
        """Take numbers of the counter and return the first."""
        with self._lock:
            start, self._count = self._count, self._count + count
        return start

    def _words(self, be: Backend, count: int) -> tuple[Any, Any]:
        """Return two arrays of words of 32 bits, as int64."""
        numbers = be.arange(count, dtype=be.int64) + int(self._taken(count))  # a tracer's constant, made a number
        return _threefry(self._key, numbers & _MASK, numbers >> 32)

    def _fractions(self, be: Backend, size: tuple[int, ...], bits: int) -> Any:
        """Return multiples of `2**-bits` from 0 up to 1, which is excluded, in float64."""
        one, two = self._words(be, math.prod(size))
        whole = one >> 32 - bits if bits <= 32 else (one >> 5 << 26) + (two >> 6)
        return be.reshape(be.astype(whole, be.float64) * 2.0**-bits, size)

    def _below(self, be: Backend, size: tuple[int, ...], count: int) -> Any:
        """Return integers from 0 up to `count`, which is excluded: the upper half of a product with 64 random bits."""
        one, two = self._words(be, math.prod(size))
        if count <= 1 << 31:
            return be.reshape((one * count + (two * count >> 32)) >> 32, size)
        one, two = be.astype(one, be.uint64), be.astype(two, be.uint64)
        upper, lower = (be.asarray(part, dtype=be.uint64) for part in (count >> 32, count & _MASK))
        middle = one * lower + (two * lower >> 32)
        carried = (middle & _MASK) + two * upper
        return be.reshape(one * upper + (middle >> 32) + (carried >> 32), size)


def _floating(dtype: DType | str | None) -> DType:
    wanted = current_settings().dtypes["real floating"] if dtype is None else as_dtype(dtype)
    if wanted.kind != "real floating":
        raise CoreArrayTypeError(f"random numbers of the dtype '{wanted}' were asked for; give a real floating dtype")
    return wanted


def _shape(be: Backend, shape: int | Sequence[int] | None, *parameters: Any) -> tuple[int, ...]:
    """Return the shape to draw, after a look that the parameters broadcast to it."""
    own = [be.asarray(parameter).shape for parameter in parameters if not isinstance(parameter, (int, float))]
    together = tuple(be.broadcast_shapes(*own)) if own else ()
    if shape is None:
        return together
    wanted = (operator.index(shape),) if not isinstance(shape, Sequence) else tuple(map(operator.index, shape))
    if any(size < 0 for size in wanted):
        raise CoreArrayValueError(f"random numbers of the shape {wanted} were asked for; sizes are at least 0")
    if len(together) > len(wanted) or any(
        size not in (1, other) for size, other in zip(reversed(together), reversed(wanted), strict=False)
    ):
        raise CoreArrayValueError(f"parameters of the shape {together} do not broadcast to the shape {wanted}")
    return wanted


def _scaled(be: Backend, drawn: Any, scale: Any, offset: Any, dtype: DType, device: Any) -> Array:
    return _placed(be.astype(be.astype(drawn, dtype) * scale + offset, dtype), device)


def _placed(x: Any, device: Any) -> Array:
    wanted = current_settings().device if device is None else device
    return x if wanted is None else x.to_device(wanted)  # type: ignore[no-any-return]
