"""`tf.random`: stateless functions draw TensorFlow's numbers, the other functions draw from corearray's generator."""

from __future__ import annotations

from typing import Any

import corearray as ca
from corearray.errors import CoreArrayValueError
from corearray.frontend.operands import is_floating
from corearray.frontend.tensorflow.conversion import integers, tensor
from corearray.frontend.tensorflow.data_types import dtype_of
from corearray.frontend.tensorflow.described import rule
from corearray.frontend.tensorflow.exceptions import InvalidArgumentError
from corearray.frontend.tensorflow.operations import raw

__all__: list[str] = []


@rule("tensorflow.random.set_seed")
def set_seed(seed: int) -> None:
    """Begin corearray's generator anew."""
    ca.random.seed(int(seed))


def _scaled(x: Any, low: Any, high: Any, dtype: ca.DType) -> Any:
    low = tensor(0 if low is None else low, dtype=dtype)
    high = tensor(1 if high is None else high, dtype=dtype)
    return x * (high - low) + low


def _limits(minval: Any, maxval: Any, dtype: ca.DType) -> None:
    if maxval is None and not is_floating(dtype):
        raise CoreArrayValueError(f"Must specify maxval for integer dtype {dtype}")


@rule("tensorflow.random.uniform")
def uniform(
    shape: Any, minval: Any = 0, maxval: Any = None, dtype: Any = ca.float32, seed: Any = None, name: Any = None
) -> Any:
    """Draw numbers from a range."""
    own, sizes = dtype_of(dtype), integers(shape)
    _limits(minval, maxval, own)
    if not is_floating(own):
        return raw.RandomUniformInt(sizes, tensor(minval, dtype=own), tensor(maxval, dtype=own))
    return _scaled(ca.random.uniform(shape=sizes, dtype=own), minval, maxval, own)


@rule("tensorflow.random.normal")
def normal(
    shape: Any, mean: Any = 0.0, stddev: Any = 1.0, dtype: Any = ca.float32, seed: Any = None, name: Any = None
) -> Any:
    """Draw numbers of the normal distribution."""
    own = dtype_of(dtype)
    made = ca.random.normal(shape=integers(shape), dtype=own)
    return made * tensor(stddev, dtype=own) + tensor(mean, dtype=own)


@rule("tensorflow.random.truncated_normal")
def truncated_normal(
    shape: Any, mean: Any = 0.0, stddev: Any = 1.0, dtype: Any = ca.float32, seed: Any = None, name: Any = None
) -> Any:
    """Draw numbers of the normal distribution that lie within two standard deviations."""
    own = dtype_of(dtype)
    fractions = ca.random.uniform(shape=integers(shape), dtype=ca.float64)
    low = 0.022750131948179195  # the share of numbers below two standard deviations
    made = ca.astype(ca.ndtri(low + fractions * (1 - 2 * low)), own)
    return made * tensor(stddev, dtype=own) + tensor(mean, dtype=own)


@rule("tensorflow.random.gamma")
def gamma(shape: Any, alpha: Any, beta: Any = None, dtype: Any = ca.float32, seed: Any = None, name: Any = None) -> Any:
    """Draw an array of `shape` from the gamma distribution for each parameter."""
    own = dtype_of(dtype)
    form, rate = tensor(alpha, dtype=own), tensor(1 if beta is None else beta, dtype=own)
    form, rate = ca.broadcast_arrays(form, rate)
    made = ca.random.default_generator().gamma(
        ca.broadcast_to(form, (*integers(shape), *form.shape)), shape=(*integers(shape), *form.shape), dtype=own
    )
    return made / rate


@rule("tensorflow.random.poisson")
def poisson(shape: Any, lam: Any, dtype: Any = ca.float32, seed: Any = None, name: Any = None) -> Any:
    """Draw an array of `shape` from the Poisson distribution for each parameter."""
    rate = tensor(lam, hint=ca.float32)
    sizes = (*integers(shape), *rate.shape)
    return ca.astype(ca.random.default_generator().poisson(ca.broadcast_to(rate, sizes), shape=sizes), dtype_of(dtype))


@rule("tensorflow.random.categorical")
def categorical(logits: Any, num_samples: Any, dtype: Any = None, seed: Any = None, name: Any = None) -> Any:
    """Draw classes by the logarithms of their probabilities, a row for each row."""
    scores = tensor(logits)
    count = integers(num_samples)[0]
    fractions = ca.random.uniform(shape=(scores.shape[0], count, scores.shape[1]), dtype=ca.float64)
    noise = -ca.log(-ca.log(fractions + 1e-300))
    return ca.astype(ca.argmax(ca.astype(scores, ca.float64)[:, None, :] + noise, axis=-1), dtype_of(dtype) or ca.int64)


@rule("tensorflow.random.shuffle")
def shuffle(value: Any, seed: Any = None, name: Any = None) -> Any:
    """Return rows in a random order."""
    x = tensor(value)
    return ca.take(x, ca.random.permutation(x.shape[0]), axis=0)


# --- stateless functions


def _state(seed: Any, alg: Any) -> list[Any]:
    """Return key and counter of Philox, the algorithm that TensorFlow selects on CPUs."""
    if alg not in ("auto_select", "philox", 1, 3):
        raise CoreArrayValueError(f"Argument `alg` is 'auto_select' or 'philox' here, got {alg!r}")
    return list(raw.StatelessRandomGetKeyCounter(tensor(seed)))


@rule("tensorflow.random.stateless_uniform")
def stateless_uniform(
    shape: Any,
    seed: Any,
    minval: Any = 0,
    maxval: Any = None,
    dtype: Any = ca.float32,
    name: Any = None,
    alg: str = "auto_select",
) -> Any:
    """Draw TensorFlow's numbers from a range: floating ones of 32 or 64 bits, and integers of as many."""
    own, sizes = dtype_of(dtype), integers(shape)
    key, counter = _state(seed, alg)
    if is_floating(own):
        return _scaled(raw.StatelessRandomUniformV2(sizes, key, counter, 1, own), minval, maxval, own)
    if minval is None and maxval is None:
        return raw.StatelessRandomUniformFullIntV2(sizes, key, counter, 1, own)
    _limits(minval, maxval, own)
    return raw.StatelessRandomUniformIntV2(sizes, key, counter, 1, tensor(minval, dtype=own), tensor(maxval, dtype=own))


@rule("tensorflow.random.stateless_normal")
def stateless_normal(
    shape: Any,
    seed: Any,
    mean: Any = 0.0,
    stddev: Any = 1.0,
    dtype: Any = ca.float32,
    name: Any = None,
    alg: str = "auto_select",
) -> Any:
    """Draw TensorFlow's numbers of the normal distribution, but for rounding."""
    return _normal(raw.StatelessRandomNormalV2, shape, seed, mean, stddev, dtype_of(dtype), alg)


@rule("tensorflow.random.stateless_truncated_normal")
def stateless_truncated_normal(
    shape: Any,
    seed: Any,
    mean: Any = 0.0,
    stddev: Any = 1.0,
    dtype: Any = ca.float32,
    name: Any = None,
    alg: str = "auto_select",
) -> Any:
    """Draw TensorFlow's numbers within two standard deviations, but for rounding."""
    return _normal(raw.StatelessTruncatedNormalV2, shape, seed, mean, stddev, dtype_of(dtype), alg)


def _normal(draw: Any, shape: Any, seed: Any, mean: Any, stddev: Any, dtype: Any, alg: str) -> Any:
    """Draw by a raw operation for the mean 0 and the deviation 1, and give the numbers another mean and deviation."""
    made = draw(integers(shape), *_state(seed, alg), 1, dtype)
    return made * tensor(stddev, dtype=dtype) + tensor(mean, dtype=dtype)


@rule("tensorflow.random.stateless_gamma")
def stateless_gamma(
    shape: Any, seed: Any, alpha: Any, beta: Any = None, dtype: Any = ca.float32, name: Any = None
) -> Any:
    """Draw TensorFlow's numbers of the gamma distribution; the last axes of `shape` are those of the parameters."""
    own, sizes = dtype_of(dtype), integers(shape)
    form, rate = ca.broadcast_arrays(tensor(alpha, dtype=own), tensor(1 if beta is None else beta, dtype=own))
    _check_ending("alpha", sizes, form)
    drawn = raw.StatelessRandomGammaV3(sizes, *_state(seed, "auto_select"), 1, form)
    return ca.maximum(drawn / rate, ca.finfo(own).smallest_normal)


@rule("tensorflow.random.stateless_poisson")
def stateless_poisson(shape: Any, seed: Any, lam: Any, dtype: Any = ca.int32, name: Any = None) -> Any:
    """Draw TensorFlow's numbers of the Poisson distribution; the last axes of `shape` are those of the rates."""
    rate, sizes = tensor(lam, hint=ca.float32), integers(shape)
    _check_ending("lam", sizes, rate)
    return raw.StatelessRandomPoisson(sizes, tensor(seed), rate, _countable(dtype))


@rule("tensorflow.random.stateless_binomial")
def stateless_binomial(
    shape: Any, seed: Any, counts: Any, probs: Any, output_dtype: Any = ca.int32, name: Any = None
) -> Any:
    """Draw TensorFlow's numbers of the binomial distribution; the last axes of `shape` are those of the parameters."""
    chance = tensor(probs, hint=ca.float32)
    count, sizes = tensor(counts, hint=chance.dtype), integers(shape)
    count, chance = ca.broadcast_arrays(count, chance)
    _check_ending("counts and probs", sizes, chance)
    return raw.StatelessRandomBinomial(sizes, tensor(seed), count, chance, _countable(output_dtype))


@rule("tensorflow.random.stateless_categorical")
def stateless_categorical(logits: Any, num_samples: Any, seed: Any, dtype: Any = ca.int64, name: Any = None) -> Any:
    """Draw TensorFlow's classes by the logarithms of their probabilities, a row for each row."""
    own = dtype_of(dtype) if dtype else ca.int64
    if own not in (ca.int32, ca.int64):
        raise CoreArrayValueError(
            f"Argument `dtype` got invalid value {own}. Accepted dtypes are {(ca.int32, ca.int64)}."
        )
    scores = tensor(logits)
    if scores.ndim != 2:
        raise CoreArrayValueError(f"logits should be a matrix, got shape {tuple(scores.shape)}")
    return raw.StatelessMultinomial(scores, integers(num_samples)[0], tensor(seed), own)


@rule("tensorflow.random.stateless_parameterized_truncated_normal")
def stateless_parameterized_truncated_normal(
    shape: Any,
    seed: Any,
    means: Any = 0.0,
    stddevs: Any = 1.0,
    minvals: Any = -2.0,
    maxvals: Any = 2.0,
    name: Any = None,
) -> Any:
    """Draw numbers of normal distributions between limits, not TensorFlow's."""
    given = [tensor(x) for x in (means, stddevs, minvals, maxvals)]
    return raw.StatelessParameterizedTruncatedNormal(integers(shape), tensor(seed), *given)


def _countable(dtype: Any) -> ca.DType:
    """Return the dtype of counts, one that TensorFlow's operations have."""
    own: ca.DType = dtype_of(dtype)
    allowed = (ca.float16, ca.float32, ca.float64, ca.int32, ca.int64)
    if own not in allowed:
        raise InvalidArgumentError(f"dtype {own} is not in the list of allowed values: {', '.join(map(str, allowed))}")
    return own


def _check_ending(name: str, sizes: Any, x: ca.Array) -> None:
    """Refuse a shape whose last sizes are not the shape of the parameters."""
    if tuple(sizes[len(sizes) - x.ndim :]) != tuple(x.shape) or len(sizes) < x.ndim:
        raise CoreArrayValueError(
            f"Shape passed in must end with broadcasted shape of {name}, {tuple(x.shape)}; got {tuple(sizes)}"
        )


@rule("tensorflow.random.split", "tensorflow.random.experimental.stateless_split")
def split(seed: Any, num: Any = 2, alg: str = "auto_select") -> Any:
    """Return several seeds of one, TensorFlow's."""
    given = tensor(seed)
    sizes = (integers(num)[0], 2)
    return raw.StatelessRandomUniformFullIntV2(sizes, *_state(given, alg), 1, given.dtype)


@rule("tensorflow.random.fold_in", "tensorflow.random.experimental.stateless_fold_in")
def fold_in(seed: Any, data: Any, alg: str = "auto_select") -> Any:
    """Return a seed of a seed and a number, TensorFlow's."""
    given = tensor(seed)
    number = ca.astype(tensor(data), given.dtype)
    first = raw.StatelessRandomUniformFullIntV2((), *_state(given, alg), 1, given.dtype)
    return ca.stack([first, number])
