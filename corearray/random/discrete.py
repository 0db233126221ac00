"""Distributions of integers and booleans, choices and permutations."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from corearray.arrays.nested import as_functions_return
from corearray.calls.dispatch import resolve
from corearray.calls.truths import known_truth
from corearray.errors import CoreArrayIndexError, CoreArrayTypeError, CoreArrayValueError
from corearray.random.arguments import beside_parameters, real, sized, wanted_shape, whole
from corearray.random.number_dtypes import integer_dtype, widest, word_dtype
from corearray.random.rejection import poisson
from corearray.random.source import Source, parameter, placed

if TYPE_CHECKING:
    from corearray.arrays.array import Array
    from corearray.types.devices import Device
    from corearray.types.dtypes import DType

__all__ = ["Discrete"]


class Discrete(Source):
    """Methods that draw integers and booleans, choose and permute."""

    @sized
    def bernoulli(
        self, p: float | Array = 0.5, *, shape: int | Sequence[int] | None = None, device: Device | str | None = None
    ) -> Array:
        """Draw booleans from Bernoulli distributions.

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
        TypeError, ValueError
            If `p` is no real number or array, a number that is no probability, or does not broadcast to the shape.

        Examples
        --------
        >>> import corearray as ca
        >>> x = ca.random.Generator(7).bernoulli(0.25, shape=10000)
        >>> round(float(ca.mean(ca.astype(x, ca.float32))), 2)
        0.25
        """
        be = resolve((p,))
        p = real(be, "bernoulli", "p", p, least=0.0, most=1.0)
        return placed(self._fractions(be, wanted_shape(be, "bernoulli", shape, p), 53) < p, device)

    @sized
    def integers(
        self,
        low: int,
        high: int | None = None,
        *,
        shape: int | Sequence[int] = (),
        dtype: DType | str | None = None,
        device: Device | str | None = None,
    ) -> Array:
        """Draw uniformly distributed integers.

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
        low = whole("integers", "low", low)
        low, high = (0, low) if high is None else (low, whole("integers", "high", high))
        be = resolve(())
        wanted = integer_dtype(be, dtype)
        if not wanted.category.endswith("integer"):
            raise CoreArrayTypeError(f"'integers' makes arrays of integer dtypes, not of '{wanted}'")
        signed = wanted.category == "signed integer"
        least, most = (-(1 << wanted.bits - 1) if signed else 0), (1 << wanted.bits - signed) - 1
        if low >= high:
            raise CoreArrayValueError(
                f"'integers' was asked for integers from {low} up to {high}, of which there are none"
            )
        if not least <= low < high <= most + 1:
            raise CoreArrayValueError(
                f"'integers' cannot draw from {low} up to {high} as '{wanted}', which holds {least} to {most}"
            )
        size = wanted_shape(be, "integers", shape)
        drawn = self._below(be, size, high - low)
        # In which a sum with `low` wraps around to the right number.
        narrow = word_dtype(be) is be.uint32
        wide = (be.int32 if narrow else be.int64) if signed else (be.uint32 if narrow else be.uint64)
        return placed(be.astype(be.astype(drawn, wide) + be.asarray(low, dtype=wide), wanted), device)

    @sized
    def poisson(
        self,
        mean: float | Array = 1.0,
        *,
        shape: int | Sequence[int] | None = None,
        dtype: DType | str | None = None,
        device: Device | str | None = None,
    ) -> Array:
        """Draw counts from Poisson distributions.

        Parameters
        ----------
        mean
            Means, from 0 up to 2**53: numbers, or a real array.
        shape, device
            As in `uniform`.
        dtype
            An integer or floating dtype, by default the default integer one; it has to hold the counts.

        Returns
        -------
        Array of the shape and dtype.

        Raises
        ------
        ValueError
            If a mean is negative or too large, or does not broadcast to the shape. A compiled program, which cannot read
            elements, gives 0 for a mean that is out of range.

        Examples
        --------
        >>> import corearray as ca
        >>> x = ca.random.Generator(7).poisson(3.5, shape=10000)
        >>> x.dtype.category, round(float(ca.mean(ca.astype(x, ca.float32))), 1)
        ('signed integer', 3.5)

        Notes
        -----
        `numpy.random.Generator.poisson`. Hoermann, "The transformed rejection method for generating Poisson random
        variables", 1993; below a mean of 10 by inversion.
        """
        be = resolve((mean,))
        wanted = integer_dtype(be, dtype)
        mean = real(be, "poisson", "mean", mean)
        size = wanted_shape(be, "poisson", shape, mean)
        means = parameter(be, size, mean)
        fits = (means >= 0.0) & (means <= 2.0**53)
        known = known_truth(be.all(fits))
        if known is False:
            raise CoreArrayValueError("'poisson' got a mean below 0 or above 2**53; give means in between")
        source = self.spawn(1)[0]  # of which as much is taken as is needed
        drawn = poisson(be, means if known else be.where(fits, means, 0.0), source, size)
        return placed(be.astype(drawn, wanted), device)

    @sized
    def categorical(
        self,
        p: Array,
        *,
        axis: int = -1,
        shape: int | Sequence[int] | None = None,
        dtype: DType | str | None = None,
        device: Device | str | None = None,
    ) -> Array:
        """Draw category indices with given probabilities.

        Parameters
        ----------
        p
            Probabilities, or numbers in proportion to them, that are not negative: real array.
        axis
            Axis of the categories.
        shape
            The shape of the result, to which that of `p` without `axis` broadcasts; by default that.
        dtype
            An integer dtype that holds the numbers of the categories, by default the default one.
        device
            As in `uniform`.

        Returns
        -------
        Array of the shape and dtype, of numbers from 0 up to the length of `axis`.

        Raises
        ------
        IndexError
            If `p` has no such axis.
        ValueError
            If there is no category, or `p` does not broadcast to the shape.

        Examples
        --------
        >>> import corearray as ca
        >>> ca.random.Generator(7).categorical(ca.asarray([[0.0, 1.0, 0.0], [2.0, 0.0, 0.0]])).tolist()
        [1, 0]

        Notes
        -----
        `torch.multinomial` with replacement, `jax.random.categorical` of logarithms, `tf.random.categorical`.
        """
        be = resolve((p,))
        p = be.asarray(real(be, "categorical", "p", p))
        if not -p.ndim <= axis < p.ndim:
            raise CoreArrayIndexError(f"'categorical' was asked for axis {axis} of an array with {p.ndim} axes")
        rows = be.moveaxis(be.astype(p, widest(be)), axis, -1)
        if rows.shape[-1] == 0:
            raise CoreArrayValueError(f"'categorical' got no category: probabilities of the shape {tuple(p.shape)}")
        size = wanted_shape(be, "categorical", shape, rows[..., 0])
        wanted = integer_dtype(be, dtype)
        total = be.cumulative_sum(rows, axis=-1)
        drawn = self._fractions(be, size, 53)
        if rows.ndim == 1:
            flat = be.searchsorted(total[:-1], be.reshape(drawn * total[-1], (-1,)), side="right")
            found = be.reshape(flat, size)
        else:
            passed = be.expand_dims(drawn, -1) * total[..., -1:] >= total[..., :-1]
            found = be.count_nonzero(passed, axis=-1)
        return placed(be.astype(found, wanted), device)

    @as_functions_return
    @beside_parameters
    def choice(
        self,
        x: Array | int,
        /,
        *,
        shape: int | Sequence[int] = (),
        replace: bool = True,
        p: Array | None = None,
        axis: int = 0,
    ) -> Array:
        """Choose random slices of an array.

        Parameters
        ----------
        x
            Array with at least one axis; or an integer, which stands for the numbers from 0 up to it.
        shape
            How many: the shape that takes the place of `axis`.
        replace
            Whether one part may be chosen more than once.
        p
            Probabilities of the parts, or numbers in proportion to them: real array of the length of `axis`. By default all
            are the same.
        axis
            The axis of the parts.

        Returns
        -------
        Array of the dtype of `x`, with the axes of `shape` in the place of `axis`.

        Raises
        ------
        IndexError
            If `x` has no such axis.
        ValueError
            If more is asked for than there is, or `p` has another length.

        Examples
        --------
        >>> import corearray as ca
        >>> rng = ca.random.Generator(7)
        >>> sorted(rng.choice(5, shape=5, replace=False).tolist())
        [0, 1, 2, 3, 4]
        >>> rng.choice(ca.asarray([3.5, 1.5]), shape=3, p=ca.asarray([0.0, 1.0])).tolist()
        [1.5, 1.5, 1.5]

        Notes
        -----
        `numpy.random.Generator.choice`. Without replacement and with probabilities, parts are chosen one after the other,
        each with its probability among those that are left (Efraimidis and Spirakis, "Weighted random sampling with a
        reservoir", 2006).
        """
        be = resolve((x, p))
        every: Array = be.arange(x) if isinstance(x, int) else be.asarray(x)
        if not -every.ndim <= axis < every.ndim:
            raise CoreArrayIndexError(f"'choice' was asked for axis {axis} of an array with {every.ndim} axes")
        length, size = every.shape[axis], wanted_shape(be, "choice", shape)
        count = math.prod(size)
        if p is not None:
            p = be.asarray(real(be, "choice", "p", p))
            if p.shape != (length,):
                raise CoreArrayValueError(
                    f"'choice' got probabilities of the shape {tuple(p.shape)} for {length} parts"
                )
        if count > length and not (replace and length):
            raise CoreArrayValueError(
                f"'choice' was asked for {count} of {length} parts{'' if replace else ' without replacement'}; ask for fewer"
            )
        if not replace:
            chosen = self._ordered(be, length, p)[:count]
        elif p is None:
            chosen = self._below(be, (count,), length)
        else:
            chosen = self.categorical(p, shape=count, dtype=word_dtype(be))
        parts = be.take(every, placed(chosen, every.device), axis=axis)
        place = axis % every.ndim
        chosen_parts: Array = be.reshape(parts, (*every.shape[:place], *size, *every.shape[place + 1 :]))
        return chosen_parts

    @as_functions_return
    def permutation(self, n: int | Array, /, *, axis: int = 0, device: Device | str | None = None) -> Array:
        """Draw a random order of the integers below `n`, or of the slices of an array along an axis.

        Parameters
        ----------
        n
            How many integers, from 0; or an array with at least one axis, which stays as it is.
        axis
            The axis of the array.
        device
            Where the result is.

        Returns
        -------
        Array of `n` indices, or a new array of the shape and dtype of `n`.

        Raises
        ------
        TypeError, ValueError
            If `n` is neither an integer nor an array, or below 0.
        IndexError
            If the array has no such axis.

        Examples
        --------
        >>> import corearray as ca
        >>> order = ca.random.Generator(7).permutation(5)
        >>> sorted(order.tolist())
        [0, 1, 2, 3, 4]
        """
        if getattr(n, "ndim", 0) or isinstance(n, (list, tuple)):
            return placed(self._reordered("permutation", cast("Array", n), axis)[1], device)
        n = whole("permutation", "n", n)
        if n < 0:
            raise CoreArrayValueError(f"'permutation' was asked for the order of {n} integers; give at least 0")
        return placed(self._ordered(resolve(()), n), device)

    @as_functions_return
    def shuffle(self, x: Array, /, *, axis: int = 0) -> Array:
        """Bring the slices of an array along an axis into random order, in place.

        Parameters
        ----------
        x
            Array with at least one axis; its views see the result too.
        axis
            The axis.

        Returns
        -------
        `x` itself. For lists of numbers a new array.

        Raises
        ------
        IndexError
            If `x` has no such axis.
        InplaceUpdateError
            In the strict in-place mode, if the framework cannot write in place.

        Examples
        --------
        >>> import corearray as ca
        >>> x = ca.asarray([1, 2, 3, 4])
        >>> _ = ca.random.Generator(7).shuffle(x)
        >>> sorted(x.tolist())
        [1, 2, 3, 4]

        Notes
        -----
        NumPy's `Generator.shuffle`, which returns `None`. `permutation(x)` returns a new array instead.
        """
        x, shuffled = self._reordered("shuffle", x, axis)
        x[...] = shuffled
        return x

    def _reordered(self, name: str, x: Array, axis: int) -> tuple[Array, Array]:
        be = resolve((x,))
        x = be.asarray(x)
        if not -x.ndim <= axis < x.ndim:
            raise CoreArrayIndexError(f"'{name}' was asked for axis {axis} of an array with {x.ndim} axes")
        return x, be.take(x, placed(self._ordered(be, x.shape[axis]), x.device), axis=axis)
