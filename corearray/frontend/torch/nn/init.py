"""torch.nn.init on every backend: functions that write initial values into a tensor and return it."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import corearray as ca
from corearray import nn
from corearray.errors import CoreArrayValueError
from corearray.frontend.torch.wrapper import Tensor

__all__ = [
    "calculate_gain", "constant_", "dirac_", "eye_", "kaiming_normal_", "kaiming_uniform_", "normal_", "ones_",
    "orthogonal_", "sparse_", "trunc_normal_", "uniform_", "xavier_normal_", "xavier_uniform_", "zeros_",
]  # fmt: skip

_GAINS: dict[str, Callable[[float], float]] = {
    "tanh": lambda _: 5 / 3, "relu": lambda _: math.sqrt(2), "selu": lambda _: 0.75,
    "leaky_relu": lambda slope: math.sqrt(2 / (1 + slope**2)),
}  # fmt: skip
_LINEAR = frozenset("linear conv1d conv2d conv3d conv_transpose1d conv_transpose2d conv_transpose3d sigmoid".split())


def calculate_gain(nonlinearity: str, param: float | None = None) -> float:
    """Return the factor by which weights before an activation are larger; `param` is the slope of `leaky_relu`.

    Examples
    --------
    >>> round(calculate_gain("relu") ** 2, 6)
    2.0
    """
    if nonlinearity in _LINEAR:
        return 1.0
    if nonlinearity not in _GAINS:
        raise CoreArrayValueError(
            f"there is no gain of '{nonlinearity}'; there is one of {', '.join([*_GAINS, *sorted(_LINEAR)])}"
        )
    return _GAINS[nonlinearity](0.01 if param is None else param)


def _filled(tensor: Tensor, make: Callable[..., Any]) -> Tensor:
    """Write what `make` returns for the tensor's shape, dtype and device, without a gradient."""
    array = tensor.array
    with ca.backend_context(array.backend.name):
        array[...] = make(tuple(array.shape), dtype=array.dtype, device=array.device)
    return tensor


def uniform_(tensor: Tensor, a: float = 0.0, b: float = 1.0, generator: Any = None) -> Tensor:
    """Write uniform numbers between `a` and `b`."""
    return _filled(tensor, lambda shape, **made: nn.init.uniform(shape, a, b, generator=generator, **made))


def normal_(tensor: Tensor, mean: float = 0.0, std: float = 1.0, generator: Any = None) -> Tensor:
    """Write normally distributed numbers."""
    return _filled(tensor, lambda shape, **made: nn.init.normal(shape, mean, std, generator=generator, **made))


def trunc_normal_(
    tensor: Tensor, mean: float = 0.0, std: float = 1.0, a: float = -2.0, b: float = 2.0, generator: Any = None
) -> Tensor:
    """Write normally distributed numbers between `a` and `b`, which are absolute."""
    low, high = (a - mean) / std, (b - mean) / std
    return _filled(
        tensor, lambda shape, **made: nn.init.truncated_normal(shape, mean, std, low, high, generator=generator, **made)
    )


def constant_(tensor: Tensor, val: float) -> Tensor:
    """Write one number into all elements."""
    return _filled(tensor, lambda shape, **made: nn.init.constant(shape, val, **made))


def ones_(tensor: Tensor) -> Tensor:
    """Write ones."""
    return constant_(tensor, 1.0)


def zeros_(tensor: Tensor) -> Tensor:
    """Write zeros."""
    return constant_(tensor, 0.0)


def eye_(tensor: Tensor) -> Tensor:
    """Write ones on the diagonal of a matrix, and zeros elsewhere."""
    _refuse_axes("eye_", tensor, 2, 2)
    return _filled(tensor, lambda shape, **made: ca.eye(*shape, **made))


def dirac_(tensor: Tensor, groups: int = 1) -> Tensor:
    """Write kernels of a convolution that returns its input, as far as there are channels; in each of `groups` groups."""
    _refuse_axes("dirac_", tensor, 3, 5)
    out = tensor.array.shape[0]
    if groups < 1 or out % groups:
        raise CoreArrayValueError(f"'dirac_' needs groups that divide the {out} channels, got {groups}")

    def make(shape: tuple[int, ...], **made: Any) -> Any:
        part = nn.init.dirac((shape[0] // groups, *shape[1:]), **made)
        return ca.concat([part] * groups, axis=0)

    return _filled(tensor, make)


def xavier_uniform_(tensor: Tensor, gain: float = 1.0, generator: Any = None) -> Tensor:
    """Write uniform numbers of the variance `2 * gain**2 / (fan_in + fan_out)`."""
    inputs, outputs = _fans(tensor)
    bound = gain * math.sqrt(6 / (inputs + outputs))
    return uniform_(tensor, -bound, bound, generator)


def xavier_normal_(tensor: Tensor, gain: float = 1.0, generator: Any = None) -> Tensor:
    """Write normally distributed numbers of the variance `2 * gain**2 / (fan_in + fan_out)`."""
    return normal_(tensor, 0.0, gain * math.sqrt(2 / sum(_fans(tensor))), generator)


def kaiming_uniform_(
    tensor: Tensor, a: float = 0, mode: str = "fan_in", nonlinearity: str = "leaky_relu", generator: Any = None
) -> Tensor:
    """Write uniform numbers of the variance `gain**2 / fan`; `a` is the slope of `leaky_relu`."""
    bound = math.sqrt(3) * calculate_gain(nonlinearity, a) / math.sqrt(_fan(tensor, mode))
    return uniform_(tensor, -bound, bound, generator)


def kaiming_normal_(
    tensor: Tensor, a: float = 0, mode: str = "fan_in", nonlinearity: str = "leaky_relu", generator: Any = None
) -> Tensor:
    """Write normally distributed numbers of the variance `gain**2 / fan`; `a` is the slope of `leaky_relu`."""
    return normal_(tensor, 0.0, calculate_gain(nonlinearity, a) / math.sqrt(_fan(tensor, mode)), generator)


def orthogonal_(tensor: Tensor, gain: float = 1, generator: Any = None) -> Tensor:
    """Write a matrix with orthonormal rows or columns, times `gain`."""
    _refuse_axes("orthogonal_", tensor, 2, None)
    return _filled(tensor, lambda shape, **made: nn.init.orthogonal(shape, gain, generator=generator, **made))


def sparse_(tensor: Tensor, sparsity: float, std: float = 0.01, generator: Any = None) -> Tensor:
    """Write normally distributed numbers into a matrix, and zeros into a share `sparsity` of each column."""
    _refuse_axes("sparse_", tensor, 2, 2)

    def make(shape: tuple[int, ...], **made: Any) -> Any:
        order = ca.argsort(nn.init.uniform(shape, generator=generator, device=made["device"]), axis=0)
        rank = ca.argsort(order, axis=0)
        drawn = nn.init.normal(shape, 0.0, std, generator=generator, **made)
        return ca.where(rank < math.ceil(sparsity * shape[0]), ca.zeros_like(drawn), drawn)

    return _filled(tensor, make)


def _fans(tensor: Tensor) -> tuple[int, int]:
    _refuse_axes("fans", tensor, 2, None)
    return nn.init.fans(tuple(tensor.array.shape))


def _fan(tensor: Tensor, mode: str) -> int:
    if mode not in ("fan_in", "fan_out"):
        raise CoreArrayValueError(f"the mode of a fan is 'fan_in' or 'fan_out', got {mode!r}")
    return _fans(tensor)[mode == "fan_out"]


def _refuse_axes(name: str, tensor: Tensor, least: int, most: int | None) -> None:
    count = tensor.array.ndim
    if count < least or (most is not None and count > most):
        wanted = f"{least}" if most == least else f"{least} to {most}" if most else f"at least {least}"
        raise CoreArrayValueError(
            f"'{name}' needs a tensor with {wanted} axes, got the shape {tuple(tensor.array.shape)}"
        )
