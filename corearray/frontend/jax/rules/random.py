"""Random keys and bits: the same as JAX's, by Threefry-2x32.

An array of keys has one more axis of two words. Words are computed as 64-bit integers, or as `uint32` on a backend without these.

Source: Salmon et al., Parallel random numbers: as easy as 1, 2, 3, 2011; the counters are those of JAX's
`jax_threefry_partitionable`.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import corearray as ca
from corearray.errors import FunctionNotImplementedError
from corearray.frontend.jax.described import rule
from corearray.random.words import MASK, threefry

__all__: list[str] = []


def _wide() -> bool:
    return ca.int64 in ca.current_backend().native_dtypes


def _words(x: Any) -> Any:
    return ca.astype(x, ca.int64) & MASK if _wide() else ca.astype(x, ca.uint32)


def _counters(shape: Sequence[int]) -> tuple[Any, Any]:
    """Return the upper and the lower words of the numbers of the elements of a shape."""
    numbers = ca.reshape(ca.arange(prod(shape), dtype=ca.int64 if _wide() else ca.uint32), tuple(shape))
    return (numbers >> 32, numbers & MASK) if _wide() else (ca.zeros_like(numbers), numbers)


def _refuse_other(impl: Any) -> None:
    if impl is not None and "fry" not in str(impl):
        raise FunctionNotImplementedError(
            f"random keys of the implementation '{impl}' have no rule; use JAX's default, 'threefry2x32'"
        )


def _encrypted(keys: ca.Array, one: Any, two: Any) -> tuple[Any, Any]:
    """Encrypt counters under each key; the axes of the counters follow those of the keys."""
    given = _words(keys)
    extra = max(getattr(x, "ndim", 0) for x in (one, two))
    pair: list[Any] = [ca.reshape(given[..., i], (*keys.shape[:-1], *(1,) * extra)) for i in (0, 1)]
    return threefry((pair[0], pair[1]), one, two, wraps=not _wide())


@rule("jax.lax.random_wrap_p", "jax.lax.random_unwrap_p", "jax.lax.random_clone_p")
def random_wrap(keys: ca.Array, *, impl: Any = None) -> Any:
    """Keys are their words."""
    _refuse_other(impl)
    return keys


@rule("jax.lax.random_seed_p")
def random_seed(seeds: ca.Array, *, impl: Any = None) -> Any:
    """Return the key of a seed: its upper and its lower half."""
    _refuse_other(impl)
    lower = _words(seeds)
    upper = (ca.astype(seeds, ca.int64) >> 32) & MASK if seeds.dtype.bits == 64 else ca.zeros_like(lower)
    return ca.astype(ca.stack([upper, lower], axis=-1), ca.uint32)


@rule("jax.lax.random_fold_in_p")
def random_fold_in(keys: ca.Array, data: ca.Array) -> Any:
    """Mix an integer into a key."""
    number = _words(data)
    one, two = _encrypted(keys, ca.zeros_like(number), number) if not keys.ndim > 1 else _mixed(keys, number)
    return ca.astype(ca.stack([one, two], axis=-1), ca.uint32)


def _mixed(keys: ca.Array, number: ca.Array) -> tuple[Any, Any]:
    given = _words(keys)
    return threefry((given[..., 0], given[..., 1]), ca.zeros_like(number), number, wraps=not _wide())


@rule("jax.lax.random_split_p")
def random_split(keys: ca.Array, *, shape: Any) -> Any:
    """Make several keys of one."""
    one, two = _encrypted(keys, *_counters(shape))
    return ca.astype(ca.stack([one, two], axis=-1), ca.uint32)


@rule("jax.lax.random_bits_p")
def random_bits(keys: ca.Array, *, bit_width: int, shape: Any) -> Any:
    """Return random bits as unsigned integers."""
    one, two = _encrypted(keys, *_counters(shape))
    if bit_width == 64:
        return ca.bitwise_left_shift(ca.astype(one, ca.uint64), 32) | ca.astype(two, ca.uint64)
    made = one ^ two
    return ca.astype(made if bit_width == 32 else made & ((1 << bit_width) - 1), getattr(ca, f"uint{bit_width}"))


@rule("jax.lax.threefry2x32_p")
def threefry2x32(key_one: ca.Array, key_two: ca.Array, one: ca.Array, two: ca.Array) -> Any:
    """Encrypt pairs of words."""
    made = threefry((_words(key_one), _words(key_two)), _words(one), _words(two), wraps=not _wide())
    return [ca.astype(word, ca.uint32) for word in made]
