"""`jax.nn.initializers`: functions of a key and a shape that return first values of parameters."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from corearray.errors import CoreArrayNotImplementedError, CoreArrayValueError
from corearray.frontend.jax.promotion import as_dtype, default
from corearray.frontend.jax.wrapper import numpy_function

__all__ = [
    "FUNCTIONS", "Initializer", "constant", "delta_orthogonal", "glorot_normal", "glorot_uniform", "he_normal", "he_uniform",
    "lecun_normal", "lecun_uniform", "normal", "ones", "orthogonal", "truncated_normal", "uniform", "variance_scaling",
    "zeros",
]  # fmt: skip

#: The standard deviation of a normal number between -2 and 2, and of a complex one of modulus up to 2.
_TRUNCATED, _TRUNCATED_COMPLEX = 0.87962566103423978, 0.95311164380491208


def _random(name: str) -> Callable[..., Any]:
    from corearray.frontend.frontend import get_frontend

    function: Callable[..., Any] = getattr(get_frontend("jax").random, name)
    return function


def _scalar(value: Any, dtype: Any) -> Any:
    return numpy_function("array")(value, dtype)


def zeros(key: Any, shape: Any, dtype: Any = None, out_sharding: Any = None) -> Any:
    """Return zeros."""
    return numpy_function("zeros")(shape, default(float) if dtype is None else dtype)


def ones(key: Any, shape: Any, dtype: Any = None, out_sharding: Any = None) -> Any:
    """Return ones."""
    return numpy_function("ones")(shape, default(float) if dtype is None else dtype)


def _initializer(make: Callable[[Any, tuple[int, ...], Any], Any], usual: Any) -> Callable[..., Any]:
    """Return an initializer of a function of key, shape and dtype."""

    def init(key: Any, shape: Any, dtype: Any = usual, out_sharding: Any = None) -> Any:
        return make(key, tuple(shape), default(float) if dtype is None else dtype)

    return init


def constant(value: Any, dtype: Any = None) -> Callable[..., Any]:
    """Return an initializer of one value."""
    return _initializer(lambda key, shape, own: numpy_function("full")(shape, value, dtype=own), dtype)


def uniform(scale: Any = 1e-2, dtype: Any = None) -> Callable[..., Any]:
    """Return an initializer of numbers between 0 and `scale`."""
    return _initializer(lambda key, shape, own: _random("uniform")(key, shape, own) * _scalar(scale, own), dtype)


def normal(stddev: Any = 1e-2, dtype: Any = None) -> Callable[..., Any]:
    """Return an initializer of normal numbers."""
    return _initializer(lambda key, shape, own: _random("normal")(key, shape, own) * _scalar(stddev, own), dtype)


def truncated_normal(stddev: Any = 1e-2, dtype: Any = None, lower: Any = -2.0, upper: Any = 2.0) -> Callable[..., Any]:
    """Return an initializer of normal numbers between bounds, which `stddev` multiplies."""

    def make(key: Any, shape: tuple[int, ...], own: Any) -> Any:
        return _random("truncated_normal")(key, lower, upper, shape, own) * _scalar(stddev, own)

    return _initializer(make, dtype)


def _size(shape: Sequence[int], axis: Any) -> int:
    return shape[axis] if isinstance(axis, int) else math.prod(shape[i] for i in axis)


def _fans(shape: Sequence[int], in_axis: Any, out_axis: Any, batch_axis: Any) -> tuple[float, float]:
    """Return the numbers of inputs and outputs of a layer.

    Raises
    ------
    ValueError
        If the shape has no axis of inputs.
    """
    if isinstance(in_axis, int) and in_axis == -2 and len(shape) <= 1:
        raise CoreArrayValueError(
            f"Can't compute input and output sizes of a {len(shape)}-dimensional weights tensor with default in_axis. "
            "Must be at least 2D or specify in_axis explicitly."
        )
    inputs, outputs = _size(shape, in_axis), _size(shape, out_axis)
    field = math.prod(shape) / inputs / outputs / _size(shape, batch_axis)
    return inputs * field, outputs * field


def _on_disc(key: Any, shape: tuple[int, ...], own: Any, squared: Callable[[Any], Any]) -> Any:
    """Return complex numbers with a function of uniform ones as squared moduli, in all directions."""
    real = "float64" if as_dtype(own).bits == 128 else "float32"
    radius, angle = (_random("uniform")(one, shape, real) for one in _random("split")(key))
    modulus = numpy_function("sqrt")(squared(radius))
    return modulus * numpy_function("exp")(2j * math.pi * angle.astype(own))


def _gaussian_disc(x: Any) -> Any:
    return -numpy_function("log")(1 - (1 - math.exp(-4.0)) * x)


def variance_scaling(
    scale: Any, mode: str, distribution: str, in_axis: Any = -2, out_axis: Any = -1, batch_axis: Any = (),
    dtype: Any = None,
) -> Callable[..., Any]:  # fmt: skip
    """Return an initializer whose variance follows from the numbers of inputs and outputs.

    Raises
    ------
    ValueError
        When it is called, if the mode or the distribution is unknown.
    """

    def make(key: Any, shape: tuple[int, ...], own: Any) -> Any:
        inputs, outputs = _fans(shape, in_axis, out_axis, batch_axis)
        counts = {
            "fan_in": inputs, "fan_out": outputs, "fan_avg": (inputs + outputs) / 2, "fan_geo_avg": (inputs * outputs) ** 0.5,
        }  # fmt: skip
        if mode not in counts:
            raise CoreArrayValueError(f"invalid mode for variance scaling initializer: {mode}")
        variance, root = _scalar(scale / counts[mode], own), numpy_function("sqrt")
        is_complex = as_dtype(own).category == "complex floating"
        if distribution == "truncated_normal":
            if is_complex:
                return _on_disc(key, shape, own, _gaussian_disc) * (root(variance) / _scalar(_TRUNCATED_COMPLEX, own))
            deviation = root(variance) / _scalar(_TRUNCATED, own)
            return _random("truncated_normal")(key, -2, 2, shape, own) * deviation
        if distribution == "normal":
            return _random("normal")(key, shape, own) * root(variance)
        if distribution == "uniform":
            if is_complex:
                return _on_disc(key, shape, own, lambda x: 2 * x) * root(variance)
            return _random("uniform")(key, shape, own, -1) * root(3 * variance)
        raise CoreArrayValueError(f"invalid distribution for variance scaling initializer: {distribution}")

    return _initializer(make, dtype)


def _scaling(name: str, scale: float, mode: str, distribution: str) -> Callable[..., Any]:
    def function(in_axis: Any = -2, out_axis: Any = -1, batch_axis: Any = (), dtype: Any = None) -> Callable[..., Any]:
        return variance_scaling(scale, mode, distribution, in_axis, out_axis, batch_axis, dtype)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"Return the initializer `jax.nn.initializers.{name}`."
    return function


glorot_uniform = _scaling("glorot_uniform", 1.0, "fan_avg", "uniform")
glorot_normal = _scaling("glorot_normal", 1.0, "fan_avg", "truncated_normal")
lecun_uniform = _scaling("lecun_uniform", 1.0, "fan_in", "uniform")
lecun_normal = _scaling("lecun_normal", 1.0, "fan_in", "truncated_normal")
he_uniform = _scaling("he_uniform", 2.0, "fan_in", "uniform")
he_normal = _scaling("he_normal", 2.0, "fan_in", "truncated_normal")


def orthogonal(scale: Any = 1.0, column_axis: int = -1, dtype: Any = None) -> Callable[..., Any]:
    """Return an initializer of matrices with orthonormal rows or columns.

    Raises
    ------
    ValueError
        When it is called, if the shape has fewer than two axes.
    """

    def make(key: Any, shape: tuple[int, ...], own: Any) -> Any:
        if len(shape) < 2:
            raise CoreArrayValueError("orthogonal initializer requires at least a 2D shape")
        if 0 in shape:
            return numpy_function("zeros")(shape, own)
        columns = shape[column_axis]
        rest = list(shape)
        del rest[column_axis]
        made = _random("orthogonal")(key, math.prod(shape) // columns, (), own, columns)
        made = numpy_function("moveaxis")(made.reshape((*rest, columns)), -1, column_axis)
        return _scalar(scale, own) * made

    return _initializer(make, dtype)


def delta_orthogonal(scale: Any = 1.0, column_axis: int = -1, dtype: Any = None) -> Callable[..., Any]:
    """Return an initializer of kernels of convolutions: zeros, and an orthogonal matrix in the middle.

    Raises
    ------
    ValueError
        If the initializer is called with a shape of other than 3 to 5 axes, or with fewer outputs than inputs.
    """

    def make(key: Any, shape: tuple[int, ...], own: Any) -> Any:
        if len(shape) not in (3, 4, 5):
            raise CoreArrayValueError("Delta orthogonal initializer requires a 3D, 4D or 5D shape.")
        if shape[-1] < shape[-2]:
            raise CoreArrayValueError("`fan_in` must be less or equal than `fan_out`. ")
        matrix = orthogonal(scale, column_axis, own)(key, shape[-2:])
        return numpy_function("zeros")(shape, own).at[tuple((n - 1) // 2 for n in shape[:-2])].set(matrix)

    return _initializer(make, dtype)


class Initializer:
    """The type of initializers, in annotations."""

    def __call__(self, key: Any, shape: Any, dtype: Any = None, out_sharding: Any = None) -> Any:
        """Return first values."""
        raise CoreArrayNotImplementedError("Initializer is a type for annotations; call one of jax.nn.initializers")


_ALL: list[Any] = [
    Initializer, constant, delta_orthogonal, glorot_normal, glorot_uniform, he_normal, he_uniform, lecun_normal, lecun_uniform,
    normal, ones, orthogonal, truncated_normal, uniform, variance_scaling, zeros,
]  # fmt: skip

FUNCTIONS: dict[str, Any] = {f"nn.initializers.{one.__name__}": one for one in _ALL}
FUNCTIONS |= {
    "nn.initializers.xavier_uniform": glorot_uniform, "nn.initializers.xavier_normal": glorot_normal,
    "nn.initializers.kaiming_uniform": he_uniform, "nn.initializers.kaiming_normal": he_normal,
}  # fmt: skip
