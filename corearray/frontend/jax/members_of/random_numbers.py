"""`jax.random`: keys, and draws with the same random bits as JAX's."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import corearray as ca
from corearray.errors import CoreArrayNotImplementedError, CoreArrayTypeError, CoreArrayValueError
from corearray.frontend.jax.configuration import x64
from corearray.frontend.jax.draws import FRACTION, bits_of, floating, normal_of, uniform_of, words_of
from corearray.frontend.jax.key_arrays import KeyArray
from corearray.frontend.jax.members_of.creation import shape_of
from corearray.frontend.jax.members_of.lax_arrays import checked_axis
from corearray.frontend.jax.members_of.lax_elementwise import primitive
from corearray.frontend.jax.promotion import cast, default, of_indices, promoted, requested
from corearray.frontend.jax.wrapper import Array, converted, numpy_function

__all__ = [
    "FUNCTIONS", "bernoulli", "bits", "categorical", "cauchy", "choice", "clone", "exponential", "fold_in",
    "gumbel", "key", "key_data", "key_dtype", "key_impl", "laplace", "logistic", "lognormal", "multivariate_normal", "normal",
    "orthogonal", "permutation", "prng_key", "rademacher", "randint", "split", "truncated_normal", "uniform",
    "wrap_key_data",
]  # fmt: skip


def _words(seed: Any, impl: Any) -> ca.Array:
    if impl is not None and "fry" not in str(impl):
        raise CoreArrayNotImplementedError(f"keys of the implementation {impl!r} are not there; use 'threefry2x32'")
    if isinstance(seed, int):
        upper = (seed >> 32) & 0xFFFFFFFF if x64() else 0
        made: ca.Array = ca.asarray([upper, seed & 0xFFFFFFFF], dtype=ca.uint32)
        return made
    array = converted(seed)[0]
    if array.dtype.category not in ("signed integer", "unsigned integer"):
        raise CoreArrayTypeError(f"PRNG key seed must be an integer; got {seed!r}")
    words: ca.Array = primitive("random_seed")(array)
    return words


def key(seed: Any, *, impl: Any = None, dtype: Any = None) -> Any:
    """Return the key of a seed, an array of keys without axes."""
    return KeyArray(_words(seed, dtype if impl is None else impl))


def prng_key(seed: Any, *, impl: Any = None) -> Any:
    """Return the key of a seed as an array of two words."""
    return Array(_words(seed, impl))


def _as_given(words: Any, typed: bool) -> Any:
    return KeyArray(words) if typed else Array(words)


def split(key: Any, num: Any = 2) -> Any:
    """Make several keys of one."""
    words, typed = words_of("split", key)
    return _as_given(primitive("random_split")(words, shape=shape_of(num)), typed)


def fold_in(key: Any, data: Any) -> Any:
    """Mix an integer into a key."""
    words, typed = words_of("fold_in", key)
    number = ca.asarray(data, dtype=ca.uint32) if isinstance(data, int) else converted(data)[0]
    if number.ndim:
        raise CoreArrayTypeError(
            f"fold_in accepts a scalar, but was given an array of shape {tuple(number.shape)} != ()."
        )
    return _as_given(primitive("random_fold_in")(words, number), typed)


def key_data(keys: Any) -> Any:
    """Return the words of keys."""
    return Array(words_of("key_data", keys, several=True)[0])


def wrap_key_data(key_bits_array: Any, *, impl: Any = None) -> Any:
    """Return the keys of words."""
    return KeyArray(words_of("wrap_key_data", key_bits_array, several=True)[0])


def clone(key: Any) -> Any:
    """Return a key."""
    return _as_given(*words_of("clone", key, several=True))


def key_impl(keys: Any) -> str:
    """Return the name of the implementation."""
    return "fry" if isinstance(keys, KeyArray) else "threefry2x32"


def key_dtype(impl: Any = None) -> str:
    """Return the name of the dtype of keys.

    Raises
    ------
    NotImplementedError
        If there are no keys of the implementation.
    """
    _words(0, impl)
    return "key<fry>"


def bits(key: Any, shape: Any = (), dtype: Any = None, *, out_sharding: Any = None) -> Any:
    """Return random bits as unsigned integers."""
    own: ca.DType = requested(dtype, "bits") or getattr(ca, f"uint{default(int).bits}")
    if own.category != "unsigned integer":
        raise CoreArrayValueError(f"dtype argument to `bits` must be an unsigned int dtype, got {own}")
    return Array(bits_of(words_of("bits", key)[0], own.bits, shape_of(shape)))


def uniform(
    key: Any, shape: Any = (), dtype: Any = None, minval: Any = 0.0, maxval: Any = 1.0, *, out_sharding: Any = None
) -> Any:
    """Return numbers of a uniform distribution."""
    own = floating(dtype, "uniform")
    bounds = [x if isinstance(x, (int, float)) else converted(x)[0] for x in (minval, maxval)]
    return Array(uniform_of(words_of("uniform", key)[0], shape_of(shape), own, *bounds))


def normal(key: Any, shape: Any = (), dtype: Any = None, *, out_sharding: Any = None) -> Any:
    """Return numbers of the standard normal distribution."""
    words = words_of("normal", key)[0]
    own = None if dtype is None else requested(dtype, "normal")
    if own is not None and own.category == "complex floating":
        pair = primitive("random_split")(words, shape=(2,))
        real = ca.float64 if own == ca.complex128 else ca.float32
        parts = [cast(normal_of(pair[i], shape_of(shape), real), own) for i in (0, 1)]
        return Array((parts[0] + 1j * parts[1]) / math.sqrt(2.0))
    return Array(normal_of(words, shape_of(shape), floating(dtype, "normal")))


def truncated_normal(
    key: Any, lower: Any, upper: Any, shape: Any = None, dtype: Any = None, *, out_sharding: Any = None
) -> Any:
    """Return numbers of the normal distribution between bounds."""
    own = floating(dtype, "truncated_normal")
    low, high = (cast(converted(x)[0], own) for x in (lower, upper))
    sizes = ca.broadcast_shapes(tuple(low.shape), tuple(high.shape)) if shape is None else shape_of(shape)
    root = ca.asarray(math.sqrt(2.0), dtype=own)
    drawn = uniform_of(words_of("truncated_normal", key)[0], tuple(sizes), own, ca.erf(low / root), ca.erf(high / root))
    made = root * ca.erfinv(drawn)
    inner = [ca.nextafter(x, ca.asarray(sign * ca.inf, dtype=own)) for x, sign in ((low, 1), (high, -1))]
    return Array(ca.minimum(inner[1], ca.maximum(inner[0], made)))


def _check_mode(name: str, mode: str | None) -> None:
    """Refuse modes other than `"low"`, which draws as many bits as the dtype has."""
    if mode == "high":
        raise CoreArrayNotImplementedError(f"{name} has no mode but 'low' here")
    if mode not in (None, "low"):
        raise CoreArrayValueError(f"{name}: got mode={mode!r}, expected 'high' or 'low'")


def bernoulli(key: Any, p: Any = 0.5, shape: Any = None, *, mode: str = "low", out_sharding: Any = None) -> Any:
    """Return truth values, true with a probability."""
    chance, weak = converted(p)
    own = promoted([(chance.dtype, weak), (default(float), True)])[0]
    _check_mode("bernoulli", mode)
    sizes = tuple(chance.shape) if shape is None else shape_of(shape)
    return Array(uniform_of(words_of("bernoulli", key)[0], sizes, own) < cast(chance, own))


def exponential(key: Any, shape: Any = (), dtype: Any = None, *, out_sharding: Any = None) -> Any:
    """Return numbers of the exponential distribution."""
    own = floating(dtype, "exponential")
    return Array(-ca.log1p(-uniform_of(words_of("exponential", key)[0], shape_of(shape), own)))


def _tiny(own: ca.DType) -> float:
    return float(ca.finfo(own).smallest_normal)


def gumbel(key: Any, shape: Any = (), dtype: Any = None, *, mode: str | None = None, out_sharding: Any = None) -> Any:
    """Return numbers of the Gumbel distribution."""
    own = floating(dtype, "gumbel")
    _check_mode("gumbel", mode)
    return Array(-ca.log(-ca.log(uniform_of(words_of("gumbel", key)[0], shape_of(shape), own, _tiny(own), 1.0))))


def laplace(key: Any, shape: Any = (), dtype: Any = None, *, out_sharding: Any = None) -> Any:
    """Return numbers of the Laplace distribution."""
    own = floating(dtype, "laplace")
    low = -1.0 + 2.0 ** -(FRACTION[str(own)] + 1)
    drawn = uniform_of(words_of("laplace", key)[0], shape_of(shape), own, low, 1.0)
    return Array(ca.sign(drawn) * ca.log1p(-ca.abs(drawn)))


def logistic(key: Any, shape: Any = (), dtype: Any = None, *, out_sharding: Any = None) -> Any:
    """Return numbers of the logistic distribution."""
    own = floating(dtype, "logistic")
    drawn = uniform_of(words_of("logistic", key)[0], shape_of(shape), own, _tiny(own), 1.0)
    return Array(ca.log(drawn) - ca.log1p(-drawn))


def rademacher(key: Any, shape: Any = (), dtype: Any = None, *, out_sharding: Any = None) -> Any:
    """Return -1 and 1."""
    own = requested(int if dtype is None else dtype, "rademacher")
    return Array(cast(2 * ca.astype(bernoulli(key, 0.5, shape_of(shape)).array, ca.int32) - 1, own))


def randint(key: Any, shape: Any, minval: Any, maxval: Any, dtype: Any = None, *, out_sharding: Any = None) -> Any:
    """Return integers from `minval` up to, and without, `maxval`."""
    own = requested(int if dtype is None else dtype, "randint")
    if own is None or own.category not in ("signed integer", "unsigned integer"):
        raise CoreArrayTypeError(f"randint only accepts integer dtypes, got {own}")
    low, high = (_integer(converted(x)[0]) for x in (minval, maxval))
    drawn = own
    if own.bits < 32:
        drawn, limits = ca.int32, ca.iinfo(own)
        low = ca.clip(ca.astype(low, drawn), limits.min, limits.max)
        high = ca.clip(ca.astype(high, drawn), limits.min, limits.max + 1)
    beyond = _most(high.dtype) > _most(drawn) and high > _most(drawn)
    low, high = (_clipped(x, drawn) for x in (low, high))
    return Array(ca.astype(_between(words_of("randint", key)[0], shape_of(shape), drawn, low, high, beyond), own))


def _integer(x: ca.Array) -> Any:
    return x if x.dtype.category in ("signed integer", "unsigned integer") else ca.astype(x, of_indices())


def _most(dtype: ca.DType) -> int:
    return int(ca.iinfo(dtype).max)


def _clipped(x: ca.Array, own: ca.DType) -> Any:
    """Cast integers to a dtype, those outside to its limits."""
    given, wanted = ca.iinfo(x.dtype), ca.iinfo(own)
    return ca.astype(ca.clip(x, max(given.min, wanted.min), min(given.max, wanted.max)), own)


def _between(words: ca.Array, shape: tuple[int, ...], own: ca.DType, low: ca.Array, high: ca.Array, beyond: Any) -> Any:
    """Return integers from `low` up to `high`, which is excluded unless `beyond`, by twice as many random bits.

    Unsigned sums and products wrap around. A span of 0 stands for all numbers of the dtype.
    """
    unsigned: ca.DType = getattr(ca, f"uint{own.bits}")
    pair = primitive("random_split")(words, shape=(2,))
    upper, lower = (bits_of(pair[i], own.bits, shape) for i in (0, 1))
    span = ca.astype(high, unsigned) - ca.astype(low, unsigned)
    if beyond is not False:
        span = span + ca.astype(beyond, unsigned)
    span = ca.where(high <= low, ca.ones_like(span), span)
    every = span == 0
    span = ca.where(every, ca.ones_like(span), span)
    factor = ca.remainder(ca.asarray(1 << own.bits // 2, dtype=unsigned), span)
    factor = ca.remainder(factor * factor, span)
    place = ca.remainder(ca.remainder(upper, span) * factor + ca.remainder(lower, span), span)
    return low + ca.astype(ca.where(every, lower, place), own)


def _shuffled(words: Any, x: Any, axis: int) -> Any:
    """Sort by random words, as often as makes collisions rare."""
    size = max(1, x.size)
    for _ in range(math.ceil(3 * math.log(size) / math.log(2**32 - 1))):
        pair = primitive("random_split")(words, shape=(2,))
        words = pair[0]
        order = ca.argsort(bits_of(pair[1], 32, tuple(x.shape)), axis=axis, stable=True)
        x = ca.take_along_axis(x, order, axis=axis)
    return x


def permutation(key: Any, x: Any, axis: int = 0, independent: bool = False, *, out_sharding: Any = None) -> Any:
    """Return the integers below a number, or an array, in random order."""
    words = words_of("permutation", key)[0]
    given, weak = converted(x)
    if not given.ndim:
        if given.dtype.category not in ("signed integer", "unsigned integer"):
            raise CoreArrayTypeError("x must be an integer or at least 1-dimensional")
        return Array(_shuffled(words, ca.arange(int(given), dtype=given.dtype), 0))
    axis = checked_axis(axis, given.ndim, "permutation")
    if independent or given.ndim == 1:
        return Array(_shuffled(words, given, axis), weak)
    return Array(ca.take(given, _shuffled(words, ca.arange(given.shape[axis]), 0), axis=axis), weak)


def choice(
    key: Any,
    a: Any,
    shape: Sequence[int] = (),
    replace: bool = True,
    p: Any = None,
    axis: int = 0,
    mode: str | None = None,
) -> Any:
    """Draw from the integers below a number, or from an array.

    Raises
    ------
    ValueError
        If more is drawn without replacement than there is, or `p` does not fit.
    """
    if not isinstance(shape, (tuple, list)):
        raise CoreArrayTypeError(f"shape argument of jax.random.choice must be a sequence, got {shape}")
    given, weak = converted(a)
    sizes = shape_of(shape)
    place = axis % given.ndim if given.ndim else 0
    count, draws = (given.shape[place] if given.ndim else int(given)), math.prod(sizes)
    if count <= 0:
        raise CoreArrayValueError("a must be greater than 0 unless no samples are taken")
    if not replace and draws > count:
        raise CoreArrayValueError(
            f"Cannot take a larger sample (size {draws}) than population (size {count}) when 'replace=False'"
        )
    if p is None and not replace:
        made = permutation(key, Array(given) if given.ndim else count, place).array
        made = made[(*(slice(None),) * place, slice(draws), ...)]
        return Array(ca.reshape(made, (*given.shape[:place], *sizes, *given.shape[place + 1 :])))
    if p is None:
        chosen = randint(key, sizes, 0, count).array
    else:
        chances = converted(p)[0]
        if tuple(chances.shape) != (count,):
            raise CoreArrayValueError(
                f"p must be None or a 1D vector with the same size as a.shape[axis], {count}; got {tuple(chances.shape)}"
            )
        if replace:
            total = ca.cumulative_sum(chances, axis=0, dtype=chances.dtype)
            drawn = total[-1] * (1 - uniform_of(words_of("choice", key)[0], sizes, chances.dtype))
            chosen = ca.searchsorted(total, drawn)
        else:
            scores = gumbel(key, (count,), str(chances.dtype), mode=mode).array + ca.log(chances)
            chosen = ca.reshape(primitive("top_k")(scores, k=draws, axis=-1)[1], sizes)
    chosen = cast(chosen, default(int))
    return (
        Array(chosen)
        if not given.ndim
        else Array(ca.take(given, ca.reshape(chosen, (-1,)), axis=place), weak).reshape(
            *given.shape[:place], *sizes, *given.shape[place + 1 :]
        )
    )


def categorical(
    key: Any,
    logits: Any,
    axis: int = -1,
    shape: Any = None,
    replace: bool = True,
    mode: str | None = None,
    *,
    out_sharding: Any = None,
) -> Any:
    """Return numbers of categories by their logits."""
    scores = converted(logits)[0]
    place = axis % scores.ndim
    batch = tuple(n for i, n in enumerate(scores.shape) if i != place)
    sizes = batch if shape is None else shape_of(shape)
    if sizes[len(sizes) - len(batch) :] != batch:
        raise CoreArrayValueError(
            f"categorical: the shape {sizes} has to end with {batch}, the shape of the logits without their axis"
        )
    if not replace:
        raise CoreArrayNotImplementedError("categorical draws with replacement here; use choice(..., replace=False)")
    front = sizes[: len(sizes) - len(batch)]
    noise = gumbel(key, (*front, *scores.shape), str(scores.dtype), mode=mode).array
    return numpy_function("argmax")(Array(noise + scores), axis=place - scores.ndim)


def multivariate_normal(
    key: Any,
    mean: Any,
    cov: Any,
    shape: Any = None,
    dtype: Any = None,
    method: str = "cholesky",
    *,
    out_sharding: Any = None,
) -> Any:
    """Return vectors of a normal distribution with a mean and covariances."""
    if method != "cholesky":
        raise CoreArrayNotImplementedError("multivariate_normal has no method but 'cholesky' here")
    own = floating(dtype, "multivariate_normal")
    center, matrix = (cast(converted(x)[0], own) for x in (mean, cov))
    sizes = (
        ca.broadcast_shapes(tuple(center.shape[:-1]), tuple(matrix.shape[:-2])) if shape is None else shape_of(shape)
    )
    drawn = normal_of(words_of("multivariate_normal", key)[0], (*sizes, center.shape[-1]), own)
    return Array(center + ca.einsum("...ij,...j->...i", ca.linalg.cholesky(matrix), drawn))


def orthogonal(
    key: Any, n: int, shape: Any = (), dtype: Any = None, m: int | None = None, *, out_sharding: Any = None
) -> Any:
    """Return random matrices with orthonormal rows or columns."""
    own = floating(dtype, "orthogonal")
    columns = n if m is None else m
    drawn = normal_of(words_of("orthogonal", key)[0], (*shape_of(shape), max(n, columns), min(n, columns)), own)
    q, r = ca.linalg.qr(drawn)
    made = q * ca.sign(ca.linalg.diagonal(r))[..., None, :]
    return Array(ca.matrix_transpose(made) if n < columns else made)


def cauchy(key: Any, shape: Any = (), dtype: Any = None, *, out_sharding: Any = None) -> Any:
    """Return numbers of the Cauchy distribution."""
    own = floating(dtype, "cauchy")
    eps = float(ca.finfo(own).eps)
    drawn = uniform_of(words_of("cauchy", key)[0], shape_of(shape), own, eps, 1.0)
    return Array(ca.tan(math.pi * (drawn - 0.5)))


def lognormal(key: Any, sigma: Any = 1.0, shape: Any = None, dtype: Any = None, *, out_sharding: Any = None) -> Any:
    """Return exponentials of normal numbers."""
    own = floating(dtype, "lognormal")
    scale = cast(converted(sigma)[0], own)
    sizes = tuple(scale.shape) if shape is None else shape_of(shape)
    return Array(ca.exp(normal_of(words_of("lognormal", key)[0], sizes, own) * scale))


_NAMED: dict[str, Callable[..., Any]] = {"PRNGKey": prng_key} | {
    one.__name__: one
    for one in (
        key, split, fold_in, key_data, wrap_key_data, clone, key_dtype, key_impl, bits, uniform, normal, truncated_normal,
        bernoulli, exponential, gumbel, laplace, logistic, rademacher, randint, permutation, choice, categorical,
        multivariate_normal, orthogonal, cauchy, lognormal,
    )
}  # fmt: skip
FUNCTIONS: dict[str, Any] = {f"random.{name}": function for name, function in _NAMED.items()}
