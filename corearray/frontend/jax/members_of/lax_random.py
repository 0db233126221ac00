"""Random numbers of `jax.lax`: the bits of XLA's generator, and numbers without a key."""

from __future__ import annotations

import enum
from collections.abc import Sequence
from math import prod
from typing import Any, NamedTuple

import corearray as ca
from corearray.errors import CoreArrayTypeError, CoreArrayValueError
from corearray.frontend.jax.members_of.creation import shape_of
from corearray.frontend.jax.promotion import cast, requested
from corearray.frontend.jax.wrapper import Array, converted
from corearray.frontend.philox import high_word, joined_words, low_word, philox
from corearray.random.words import threefry

__all__ = ["FUNCTIONS", "RandomAlgorithm", "rng_bit_generator", "rng_uniform"]


class RandomAlgorithm(enum.IntEnum):
    """The algorithms of `rng_bit_generator`. The default one is Philox, as on XLA's processors."""

    RNG_DEFAULT = 0
    RNG_THREE_FRY = 1
    RNG_PHILOX = 2


def rng_uniform(a: Any, b: Any, shape: Sequence[int]) -> Any:
    """Return numbers between `a` and `b` from corearray's generator, which keeps a state; JAX's are others.

    Raises
    ------
    ValueError
        If the bounds have axes, or different dtypes.
    """
    (low, low_weak), (high, high_weak) = converted(a), converted(b)
    if low.dtype != high.dtype:
        raise CoreArrayValueError(
            f"Arguments to rng_uniform must have identical dtypes, got {low.dtype} and {high.dtype}."
        )
    if low.ndim or high.ndim:
        raise CoreArrayValueError(
            f"Arguments to rng_uniform must be scalars; got shapes {tuple(low.shape)} and {tuple(high.shape)}."
        )
    sizes = shape_of(shape)
    if low.dtype.category == "real floating":
        made = low + ca.random.uniform(shape=sizes, dtype=low.dtype) * (high - low)
    else:
        made = ca.random.integers(int(low.item()), int(high.item()), shape=sizes, dtype=low.dtype)
    return Array(made, low_weak and high_weak)


def rng_bit_generator(
    key: Any, shape: Sequence[int], dtype: Any = ca.uint32, algorithm: Any = RandomAlgorithm.RNG_DEFAULT, *,
    out_sharding: Any = None,
) -> tuple[Any, Any]:  # fmt: skip
    """Return the following state of a generator, and random bits, which are XLA's.

    Parameters
    ----------
    key
        The state: four words of 32 bits, or two of 64.
    shape, dtype
        The shape and the dtype of the bits, which is unsigned.
    algorithm
        A member of `RandomAlgorithm`.
    out_sharding
        Without effect.

    Raises
    ------
    TypeError
        If the state or the dtype is another one.
    """
    state = converted(key)[0]
    own = requested(dtype, "rng_bit_generator") or ca.uint32
    if own.category != "unsigned integer":
        raise CoreArrayTypeError(f"rng_bit_generator: unsupported dtype {own}")
    wide = state.dtype == ca.uint64
    if tuple(state.shape) != ((2,) if wide else (4,)) or state.dtype not in (ca.uint32, ca.uint64):
        raise CoreArrayTypeError(
            f"rng_bit_generator needs a key of 4 words of uint32, or 2 of uint64; got {state.dtype}{tuple(state.shape)}"
        )
    sizes = shape_of(shape)
    words = ca.astype(state, ca.int64)
    if wide:
        words = ca.stack([low_word(words[0]), high_word(words[0]), low_word(words[1]), high_word(words[1])])
    k0: Any = words[0]
    k1: Any = words[1]
    start = ca.bitwise_or(words[2], ca.bitwise_left_shift(words[3], 32))
    by_threefry = algorithm == RandomAlgorithm.RNG_THREE_FRY
    words_each = 2 if own == ca.uint64 else 1
    grid = _grid(sizes) if by_threefry and words_each == 1 else None
    blocks = prod(grid.shape) if grid else -(-prod(sizes) * words_each // (2 if by_threefry else 4))
    places = start + ca.arange(blocks, dtype=ca.int64)
    counter = [low_word(places), high_word(places)]
    made = (
        threefry((k0, k1), *counter) if by_threefry else philox([*counter, k0 + 0 * places, k1 + 0 * places], [k0, k1])
    )
    flat: Any = ca.reshape(ca.stack(list(made), axis=-1), (-1,))
    if grid:
        flat = ca.moveaxis(ca.reshape(flat, (*grid.shape, 2)), -1, grid.axis + 1)
        whole = tuple(2 * n if axis == grid.axis else n for axis, n in enumerate(grid.shape))
        flat = ca.reshape(flat, whole)[tuple(slice(n) for n in sizes or (1,))]
    flat = ca.reshape(flat, (-1,))[: prod(sizes) * words_each]
    bits = joined_words(flat[::2], flat[1::2]) if words_each == 2 else cast(_last_bits(flat, own), own)
    after = start + blocks
    following = [k0, k1, low_word(after), high_word(after)]
    if wide:
        ends = [joined_words(*following[:2]), joined_words(*following[2:])]
    else:
        ends = [ca.astype(one, ca.uint32) for one in following]
    return Array(ca.stack(ends)), Array(ca.reshape(bits, sizes))


class _Grid(NamedTuple):
    """The shape of Threefry's counters, and the axis with half its length: each counter gives two words."""

    shape: tuple[int, ...]
    axis: int


def _grid(sizes: tuple[int, ...]) -> _Grid:
    """Return the counters of a shape: XLA halves the first axis of even length, or else the longest one."""
    shape = sizes or (1,)
    even = [axis for axis, n in enumerate(shape) if n % 2 == 0]
    axis = even[0] if even else shape.index(max(shape))
    return _Grid(tuple(-(-n // 2) if place == axis else n for place, n in enumerate(shape)), axis)


def _last_bits(words: ca.Array, dtype: ca.DType) -> Any:
    return ca.bitwise_and(words, (1 << dtype.bits) - 1)


FUNCTIONS: dict[str, Any] = {f"lax.{one.__name__}": one for one in (RandomAlgorithm, rng_bit_generator, rng_uniform)}
