"""`tf.image`: random changes, which draw corearray's numbers, or TensorFlow's by a seed of two integers."""

from __future__ import annotations

from typing import Any

import corearray as ca
from corearray.errors import CoreArrayValueError
from corearray.frontend.tensorflow.conversion import integers, tensor
from corearray.frontend.tensorflow.described import say
from corearray.frontend.tensorflow.exceptions import InvalidArgumentError
from corearray.frontend.tensorflow.functions.images import changed, picture
from corearray.frontend.tensorflow.functions.random import stateless_uniform, uniform
from corearray.frontend.tensorflow.operations import raw

__all__: list[str] = []

say("""
tensorflow.image.random_brightness(image, max_delta, seed=None) = _brightness(image, max_delta, None)
tensorflow.image.stateless_random_brightness(image, max_delta, seed) = _brightness(image, max_delta, seed)
tensorflow.image.random_contrast(image, lower, upper, seed=None) = _contrast(image, lower, upper, None)
tensorflow.image.stateless_random_contrast(image, lower, upper, seed) = _contrast(image, lower, upper, seed)
tensorflow.image.random_hue(image, max_delta, seed=None) = _hue(image, max_delta, None)
tensorflow.image.stateless_random_hue(image, max_delta, seed) = _hue(image, max_delta, seed)
tensorflow.image.random_saturation(image, lower, upper, seed=None) = _saturation(image, lower, upper, None)
tensorflow.image.stateless_random_saturation(image, lower, upper, seed=None) = _saturation(image, lower, upper, seed)
tensorflow.image.random_flip_left_right(image, seed=None) = _flipped(image, -2, None)
tensorflow.image.stateless_random_flip_left_right(image, seed) = _flipped(image, -2, seed)
tensorflow.image.random_flip_up_down(image, seed=None) = _flipped(image, -3, None)
tensorflow.image.stateless_random_flip_up_down(image, seed) = _flipped(image, -3, seed)
tensorflow.image.random_crop(value, size, seed=None, name=None) = _cropped(value, size, None)
tensorflow.image.stateless_random_crop(value, size, seed, name=None) = _cropped(value, size, seed)
""")


def _drawn(seed: Any, shape: Any, low: Any, high: Any, dtype: Any = ca.float32) -> Any:
    """Draw numbers: TensorFlow's by a seed of two integers, without one corearray's."""
    if seed is None:
        return uniform(shape, low, high, dtype)
    return stateless_uniform(shape, seed, low, high, dtype)


def _greatest(max_delta: Any, limit: float) -> float:
    """Return the greatest change.

    Raises
    ------
    ValueError
        If it is negative or greater than a limit.
    """
    if max_delta > limit:
        raise CoreArrayValueError(f"max_delta must be <= {limit}.")
    if max_delta < 0:
        raise CoreArrayValueError("max_delta must be non-negative.")
    return float(max_delta)


def _factor(seed: Any, lower: Any, upper: Any) -> Any:
    """Draw a factor.

    Raises
    ------
    ValueError
        If the bounds are no range of positive numbers.
    """
    if upper <= lower:
        raise CoreArrayValueError("upper must be > lower.")
    if lower < 0:
        raise CoreArrayValueError("lower must be non-negative.")
    return _drawn(seed, (), lower, upper)


def _brightness(image: Any, max_delta: Any, seed: Any) -> Any:
    most = _greatest(max_delta, float("inf"))
    delta = _drawn(seed, (), -most, most)
    return changed(tensor(image), lambda x: x + ca.astype(delta, x.dtype))


def _contrast(image: Any, lower: Any, upper: Any, seed: Any) -> Any:
    factor = _factor(seed, lower, upper)
    return changed(tensor(image), lambda x: raw.AdjustContrastv2(x, factor))


def _hue(image: Any, max_delta: Any, seed: Any) -> Any:
    most = _greatest(max_delta, 0.5)
    delta = _drawn(seed, (), -most, most)
    return changed(tensor(image), lambda x: raw.AdjustHue(x, delta), saturates=False)


def _saturation(image: Any, lower: Any, upper: Any, seed: Any) -> Any:
    factor = _factor(seed, lower, upper)
    return changed(tensor(image), lambda x: raw.AdjustSaturation(x, factor), saturates=False)


def _flipped(image: Any, axis: int, seed: Any) -> Any:
    """Turn half of the images round."""
    x = picture(image)
    turned = ca.flip(x, axis=axis)
    if x.ndim == 3:
        return ca.where(_drawn(seed, (), 0, 1.0) < 0.5, turned, x)
    flips = ca.round(ca.reshape(_drawn(seed, (x.shape[0],), 0, 1.0), (-1, 1, 1, 1)))
    return ca.where(flips == 1, turned, x)


def _cropped(value: Any, size: Any, seed: Any) -> Any:
    """Return a part of some size at a random place.

    Raises
    ------
    InvalidArgumentError
        If the part is larger than the whole.
    """
    x, sizes = tensor(value), integers(size)
    if len(sizes) != x.ndim or any(one < part for one, part in zip(x.shape, sizes, strict=True)):
        raise InvalidArgumentError(f"Need value.shape >= size, got {tuple(x.shape)} and {sizes}")
    places = _drawn(seed, (x.ndim,), 0, 2**31 - 1, ca.int32)
    for axis, (one, part) in enumerate(zip(x.shape, sizes, strict=True)):
        start = ca.remainder(places[axis], one - part + 1)
        x = ca.take(x, start + ca.arange(part, dtype=ca.int32), axis=axis)
    return x
