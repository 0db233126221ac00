"""A counter-based source of random words and uniform numbers.

Word `n` of a `Source` depends only on the key and on `n`, so that a backend computes all words of a call at once, in
64-bit integers. With `native`, key and counter seed the framework's own generator at each call.
"""

from __future__ import annotations

import math
import operator
import os
from collections.abc import Callable
from functools import wraps
from threading import Lock
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

from corearray.calls.truths import known_truth
from corearray.contract.recording import untraceable
from corearray.errors import CoreArrayTypeError, CoreArrayValueError
from corearray.forks import free_at_fork
from corearray.random.arguments import whole
from corearray.random.exact import log_of_rest, on_circle, root
from corearray.random.loops import made_in_step
from corearray.random.number_dtypes import widest, word_dtype
from corearray.random.programs import being_compiled, being_recorded, stand_in
from corearray.random.rejection import log_gamma
from corearray.random.words import (
    MASK,
    encrypted,
    first_words_reach,
    fractions,
    multiplied,
    threefry,
    words_by_parts,
    words_of_program,
)
from corearray.settings.context import changed, current_settings

if TYPE_CHECKING:
    from corearray.arrays.array import Array
    from corearray.backends.backend import Backend
    from corearray.types.dtypes import DType

__all__ = ["Source", "parameter", "placed", "scaled"]


_F = TypeVar("_F", bound=Callable[..., Any])

#: Held while numbers of a generator are taken: one for all, which a fork finds free.
_taking = free_at_fork(Lock())


def _on_mesh(draw: _F) -> _F:
    """Let a method draw on one device, and return what it drew whole on every device of the mesh in force."""

    @wraps(draw)
    def called(self: Source, be: Backend, *args: Any) -> Any:
        mesh = current_settings().mesh
        if mesh is None:
            return draw(self, be, *args)
        native_mesh = be.mesh(mesh)
        with changed(lambda: {"mesh": None}):
            if self._unseeded and type(self._key[0]) is int:
                self._agree(be, native_mesh)
            drawn = draw(self, be, *args)

        def whole(x: Array) -> Array:
            return be.wrap(be.ask("placed_on", x.native, native_mesh, None))

        return tuple(map(whole, drawn)) if isinstance(drawn, tuple) else whole(drawn)

    return cast(_F, called)


class Source:
    """A key and a counter, from which words and numbers are computed."""

    #: Whether the key comes from the operating system, so that each process has another one.
    _unseeded = False

    #: An array from which the counter counts, in a step of a traced loop.
    _base: Any = None

    def __init__(self, seed: int | None = None, *, native: bool = False) -> None:
        if seed is None:
            self._unseeded = True
            seed = int.from_bytes(os.urandom(8), "little")
        try:
            seed = operator.index(seed)
        except TypeError:
            raise CoreArrayTypeError(f"the seed of a Generator is an integer, not {type(seed).__name__}") from None
        if seed < 0:
            raise CoreArrayValueError(f"the seed of a Generator cannot be {seed}; give an integer from 0 up")
        key = (seed & MASK, seed >> 32 & MASK)
        while seed := seed >> 64:  # a long seed, 64 bits after 64
            key = threefry(key, seed & MASK, seed >> 32 & MASK)
        self._key: tuple[Any, Any] = key
        self._count = 0
        self._native = native
        self._within = being_compiled()
        made_in_step(self)

    def __getstate__(self) -> tuple[tuple[int, int], int, bool]:
        return self._key, self._count, self._native

    def __setstate__(self, state: tuple[tuple[int, int], int, bool]) -> None:
        (self._key, self._count, self._native), self._within = state, being_compiled()

    def spawn(self, count: int, /) -> list[Self]:
        """Return new generators with independent streams, for threads and processes.

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
        count, source = whole("spawn", "count", count), stand_in(self)
        start = source._take(count)
        children: list[Any] = []  # of the class of the generator, or children within a program
        for number in (start + i for i in range(count)):
            child = type(source)(0, native=source._native)
            child._unseeded = source._unseeded
            child._key = encrypted(source._key, number, 1 << 31)  # numbers use the other half
            children.append(child)
        return children

    def _agree(self, be: Backend, native_mesh: Any) -> None:
        """Take the key of the first process of a mesh, so that all draw the same numbers."""
        own = be.asarray(self._key, dtype=word_dtype(be)).native
        one = be.ask("placed_on", be.ask("placed_on", own, native_mesh, (None,)), None, ())
        upper, lower = be.ask("to_list", one)
        self._key, self._unseeded = (upper, lower), False

    # --- numbers

    @_on_mesh
    def _normal(self, be: Backend, size: tuple[int, ...]) -> Any:
        """Return numbers of the standard normal distribution, in float64."""
        count = -(-math.prod(size) // 2)
        square, turns = 2.0 * self._exponential(be, (count,)), self._fractions(be, (count,), 53)
        if self._native:
            radius, angle = be.sqrt(square), 2.0 * math.pi * turns
            x, y = be.cos(angle), be.sin(angle)
        else:
            radius, (x, y) = root(be, square), on_circle(be, turns)
        return be.reshape(be.concat([radius * x, radius * y])[: math.prod(size)], size)

    @_on_mesh
    def _exponential(self, be: Backend, size: tuple[int, ...]) -> Any:
        """Return numbers of the exponential distribution with the mean 1, in float64."""
        u = self._fractions(be, size, 53)
        return -(be.log1p(-u) if self._native else log_of_rest(be, u))

    @_on_mesh
    def _log_gamma(self, be: Backend, name: str, size: tuple[int, ...], shape: Any) -> Any:
        """Return logarithms of numbers of gamma distributions, in float64."""
        shapes = parameter(be, size, shape)
        fits = (shapes > 0.0) & be.isfinite(shapes)
        known = known_truth(be.all(fits))
        if known is False:
            raise CoreArrayValueError(
                f"'{name}' got a parameter that is not above 0, or not finite; give positive numbers"
            )
        source = self.spawn(1)[0]  # of which as much is taken as is needed
        if known:
            return log_gamma(be, shapes, source, size)
        return be.where(fits, log_gamma(be, be.where(fits, shapes, 1.0), source, size), math.nan)

    @_on_mesh
    def _ordered(self, be: Backend, count: int, p: Any = None) -> Any:
        """Return the integers below `count` in a random order, those of high probability rather first."""
        one, two = self._words(be, count)
        if p is None and word_dtype(be) is be.uint32:
            order = be.argsort(two >> 1)
            return be.take(order, be.argsort(be.take(one, order)))
        if p is None:
            return be.argsort(one << 31 | two >> 1)
        # The first to arrive, of arrivals at rates in proportion to the probabilities.
        waiting = -be.log1p(-fractions(be, one, two, 53))
        rates = be.astype(p, widest(be))
        return be.argsort(be.where(rates > 0.0, waiting / be.where(rates > 0.0, rates, 1.0), math.inf))

    # --- words

    def _take(self, count: int) -> Any:
        """Take numbers of the counter and return the first."""
        if not self._within:
            return int(self._taken(count))  # a tracer's constant, made a number
        start = self._place()  # of one thread alone: that which traces or runs the program
        self._count += count
        return start

    def _place(self) -> Any:
        """Return the next number of the counter: an integer, or an array in a step of a traced loop."""
        return self._count if self._base is None else self._base + self._count

    def _taken(self, count: int) -> int:
        """Take numbers of the counter of a generator that outlives a compiled program, and return the first."""
        if being_recorded():
            raise untraceable(
                "a generator of random numbers advances, which a graph cannot; draw the numbers outside and pass them in"
            )
        with _taking:
            start, self._count = self._count, self._count + count
        return start

    @_on_mesh
    def _words(self, be: Backend, count: int) -> tuple[Any, Any]:
        """Return two arrays of words of 32 bits, in `word_dtype`."""
        source = stand_in(self)
        start = source._take(count)
        # A graph calls no generator of a framework.
        if source._native and "random_words" in be.facts and not being_recorded():
            upper, lower = encrypted(source._key, start)
            one, two = be.fact("random_words", upper << 32 | lower, count)
            return be.wrap(one), be.wrap(two)
        make = words_of_program if source._within else words_by_parts
        return make(be, source._key, start, count)

    @_on_mesh
    def _reach(self, be: Backend, size: tuple[int, ...], p: float) -> Any:
        """Return whether fractions of 24 bits are at least `p`, from the words alone."""
        count, least, source = math.prod(size), math.ceil(p * 2**24) << 8, stand_in(self)
        if source._native:
            return be.reshape(source._words(be, count)[0] >= least, size)
        start = source._take(count)
        return be.reshape(first_words_reach(be, source._key, start, count, least, within=bool(source._within)), size)

    @_on_mesh
    def _fractions(self, be: Backend, size: tuple[int, ...], bits: int) -> Any:
        """Return multiples of `2**-bits` from 0 up to 1, which is excluded, in float64."""
        one, two = self._words(be, math.prod(size))
        return be.reshape(fractions(be, one, two, bits), size)

    @_on_mesh
    def _below(self, be: Backend, size: tuple[int, ...], count: int) -> Any:
        """Return integers from 0 up to `count`, which is excluded: the upper half of a product with 64 random bits."""
        one, two = self._words(be, math.prod(size))
        if word_dtype(be) is be.uint32:  # which holds all integers below `count`
            if count > MASK:
                return be.reshape(one, size)
            upper, middle = multiplied(be, one, count)
            further = middle + multiplied(be, two, count)[0]
            return be.reshape(upper + be.astype(further < middle, be.uint32), size)
        if count <= 1 << 31:
            return be.reshape((one * count + (two * count >> 32)) >> 32, size)
        one, two = be.astype(one, be.uint64), be.astype(two, be.uint64)
        upper, lower = (be.asarray(part, dtype=be.uint64) for part in (count >> 32, count & MASK))
        middle = one * lower + (two * lower >> 32)
        carried = (middle & MASK) + two * upper
        return be.reshape(one * upper + (middle >> 32) + (carried >> 32), size)


def parameter(be: Backend, size: tuple[int, ...], value: Any) -> Any:
    """Broadcast a parameter of a distribution to a shape, in float64."""
    return be.broadcast_to(be.astype(be.asarray(value), widest(be)), size)


def scaled(be: Backend, drawn: Any, scale: Any, offset: Any, dtype: DType, device: Any) -> Array:
    """Scale and shift numbers in their dtype."""
    return placed(be.astype(be.astype(drawn, dtype) * scale + offset, dtype), device)


def placed(x: Any, device: Any) -> Array:
    """Move an array to the requested device, or to the default one."""
    wanted = current_settings().device if device is None else device
    moved: Array = x if wanted is None else x.to_device(wanted)
    return moved
