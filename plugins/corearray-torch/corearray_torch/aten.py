"""Operators of ATen as the public functions of torch that do the same.

Programs of `torch.export` call `torch.ops.aten.conv2d.default` where a person writes `torch.conv2d`. Most public functions
are made from the schema of an operator and take the same arguments in the same order.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import torch
from torch._ops import OpOverload, OpOverloadPacket
from torch.nn import functional
from torch.overrides import resolve_name

__all__ = ["public_call"]

_Call = tuple[Any, tuple[Any, ...], dict[str, Any]]

#: The factors of `selu`.
_SELU = (1.6732632423543772, 1.0507009873554805)

#: Larger than each axis: what ATen has for the end of a slice that was left out.
_END = 2**63 - 1


def public_call(function: Any, name: str, args: Sequence[Any], options: dict[str, Any]) -> Any:
    """Return a function with its name and arguments, of torch's public function in place of an operator of ATen.

    An operator without a public function keeps its own, under a name without its overload: `"torch.ops.aten.erfcx"`.
    """
    if not isinstance(function, (OpOverload, OpOverloadPacket)):
        return function, name, args, options
    packet = function.overloadpacket if isinstance(function, OpOverload) else function
    namespace, _, short = packet._qualified_op_name.partition("::")
    if namespace == "aten":
        written = _WRITTEN.get(short)
        found = written(*args, **options) if written else _of_schema(function, short, args, options)
        if found is not None:
            return found[0], str(resolve_name(found[0])), *found[1:]
    return function, f"torch.ops.{namespace}.{short}", args, options


def _of_schema(function: Any, short: str, args: Sequence[Any], options: dict[str, Any]) -> _Call | None:
    public = _public(short)
    if public is not None:
        return public, tuple(args), options
    layer = getattr(functional, short, None)
    if layer is None or resolve_name(layer) is None:
        return None
    overload = function if isinstance(function, OpOverload) else getattr(function, function.overloads()[0])
    names = [x.name for x in overload._schema.arguments[1 : len(args)]]
    options = dict(zip(names, args[1:], strict=True)) | options
    try:  # a function in Python, whose parameters after the first may be others: elu has no scale there
        inspect.signature(layer).bind(args[0], **options)
    except (TypeError, ValueError):
        return None
    return layer, (args[0],), options


@cache
def _public(short: str) -> Any:
    """Return the function or method of torch that is made from the schema of an operator, or `None`."""
    group, _, rest = short.partition("_")
    inner = getattr(torch, group, None) if group in ("fft", "linalg", "special") else None
    places = ((inner, rest), (torch, short), (torch._C._nn, short), (torch.Tensor, short))
    for place, name in places:
        found = getattr(place, name, None)
        if callable(found) and resolve_name(found) is not None:
            return found
    return None


# --- operators that have other arguments than a public function


def _slice(x: Any, dim: int = 0, start: int | None = None, end: int | None = None, step: int = 1) -> _Call:
    end = None if end is not None and end >= _END else end
    key = (*[slice(None)] * (dim % x.ndim), slice(start, end, step))
    return torch.Tensor.__getitem__, (x, key), {}


def _index(x: Any, indices: Sequence[Any]) -> _Call:
    return torch.Tensor.__getitem__, (x, tuple(slice(None) if i is None else i for i in indices)), {}


def _index_put(x: Any, indices: Sequence[Any], values: Any, accumulate: bool = False) -> _Call | None:
    if any(i is None for i in indices):
        return None
    return torch.index_put, (x, tuple(indices), values, accumulate), {}


def _to_copy(x: Any, *, dtype: torch.dtype | None = None, **_placed: Any) -> _Call:
    return (torch.clone, (x,), {}) if dtype in (None, x.dtype) else (torch.Tensor.to, (x, dtype), {})


def _softmax(function: Callable[..., Any]) -> Callable[..., _Call]:
    def call(x: Any, dim: int, half_to_float: bool) -> _Call:
        return function, (x, dim), {"dtype": torch.float32} if half_to_float else {}

    return call


def _elu(x: Any, alpha: float = 1.0, scale: float = 1.0, input_scale: float = 1.0) -> _Call | None:
    """Write one of the functions that are made of this operator: `elu`, `celu` and `selu`."""
    if (scale, input_scale) == (1.0, 1.0):
        return functional.elu, (x, alpha), {}
    if (scale, input_scale) == (1.0, 1.0 / alpha):
        return torch.celu, (x, alpha), {}
    return (torch.selu, (x,), {}) if (alpha, scale, input_scale) == (*_SELU, 1.0) else None


def _convolution(
    x: Any, weight: Any, bias: Any, stride: Any, padding: Any, dilation: Any, transposed: bool, output_padding: Any, groups: int
) -> _Call:  # fmt: skip
    axes = weight.ndim - 2
    if transposed:
        function = getattr(torch, f"conv_transpose{axes}d")
        return function, (x, weight, bias, stride, padding, output_padding, groups, dilation), {}
    return getattr(torch, f"conv{axes}d"), (x, weight, bias, stride, padding, dilation, groups), {}


def _convolution_of_scripts(*args: Any) -> _Call:
    """Write a convolution of TorchScript, which has four flags of cuDNN after the groups."""
    return _convolution(*args[:9])


def _normalised(
    x: Any, weight: Any, bias: Any, running_mean: Any, running_var: Any, momentum: float, eps: float
) -> _Call:
    return torch.native_batch_norm, (x, weight, bias, running_mean, running_var, False, momentum, eps), {}


def _pooled(function: Callable[..., Any]) -> Callable[..., _Call]:
    def call(
        x: Any, kernel_size: Any, stride: Any = None, padding: Any = 0, dilation: Any = 1, ceil_mode: bool = False
    ) -> _Call:
        return function, (x, kernel_size, stride or None, padding, dilation, ceil_mode), {}

    return call


def _padded(mode: str) -> Callable[..., _Call]:
    return lambda x, padding: (functional.pad, (x, padding), {"mode": mode})


def _spread(function: Callable[..., Any]) -> Callable[..., _Call]:
    return lambda tensors: (function, tuple(tensors), {})


def _upsampled(mode: str, *, corners: bool) -> Callable[..., _Call | None]:
    """Write an interpolation, which has factors or a size; of both, the factors must be those of the size."""

    def call(x: Any, output_size: Any, *args: Any, **options: Any) -> _Call | None:
        given = list(args)
        said: dict[str, Any] = {"mode": mode}
        if corners:
            said["align_corners"] = given.pop(0) if given else options.pop("align_corners")
        factors = [factor for factor in (*given, *options.values()) if factor is not None]
        if output_size is None:
            said["scale_factor"] = factors[0]
        elif factors and [size / side for size, side in zip(output_size, x.shape[2:], strict=True)] != factors:
            return None
        else:
            said["size"] = output_size
        return functional.interpolate, (x,), said

    return call


def _loss(function: Callable[..., Any], *names: str) -> Callable[..., _Call]:
    """Write a loss, whose reduction is a number in ATen; `names` are those of the arguments after the target."""

    def call(x: Any, target: Any, *args: Any, **options: Any) -> _Call:
        said = dict(zip(names, args, strict=False)) | options
        if "reduction" in said:
            said["reduction"] = ("none", "mean", "sum")[said["reduction"]]
        return function, (x, target), said

    return call


def _norm(normalization: int, *, inverse: bool = False) -> str:
    return (
        ("forward", "ortho", "backward")[normalization] if inverse else ("backward", "ortho", "forward")[normalization]
    )


def _fft_of_real(x: Any, dim: Sequence[int], normalization: int, onesided: bool) -> _Call:
    return torch.fft.rfftn if onesided else torch.fft.fftn, (x,), {"dim": dim, "norm": _norm(normalization)}


def _fft_of_complex(x: Any, dim: Sequence[int], normalization: int, forward: bool) -> _Call:
    function = torch.fft.fftn if forward else torch.fft.ifftn
    return function, (x,), {"dim": dim, "norm": _norm(normalization, inverse=not forward)}


def _fft_to_real(x: Any, dim: Sequence[int], normalization: int, last_dim_size: int) -> _Call:
    sizes = [*(x.shape[place] for place in dim[:-1]), last_dim_size]
    return torch.fft.irfftn, (x,), {"s": sizes, "dim": dim, "norm": _norm(normalization, inverse=True)}


_WRITTEN: dict[str, Callable[..., _Call | None]] = {
    "_convolution": _convolution_of_scripts,
    "_fft_c2c": _fft_of_complex,
    "_fft_c2r": _fft_to_real,
    "_fft_r2c": _fft_of_real,
    "_log_softmax": _softmax(torch.log_softmax),
    "_native_batch_norm_legit_no_training": _normalised,
    "_softmax": _softmax(torch.softmax),
    "_to_copy": _to_copy,
    "_unsafe_view": lambda x, size: (torch.Tensor.view, (x, size), {}),
    "alias": lambda x: (torch.Tensor.view, (x, x.shape), {}),
    "binary_cross_entropy": _loss(functional.binary_cross_entropy, "weight", "reduction"),
    "block_diag": _spread(torch.block_diag),
    "broadcast_tensors": _spread(torch.broadcast_tensors),
    "cartesian_prod": _spread(torch.cartesian_prod),
    "convolution": _convolution,
    "cross_entropy_loss": _loss(functional.cross_entropy, "weight", "reduction", "ignore_index", "label_smoothing"),
    "elu": _elu,
    "huber_loss": _loss(functional.huber_loss, "reduction", "delta"),
    "index": _index,
    "index_put": _index_put,
    "l1_loss": _loss(functional.l1_loss, "reduction"),
    "lift_fresh_copy": lambda x: (torch.clone, (x,), {}),
    "max_pool2d_with_indices": _pooled(functional.max_pool2d_with_indices),
    "max_pool3d_with_indices": _pooled(functional.max_pool3d_with_indices),
    "mse_loss": _loss(functional.mse_loss, "reduction"),
    "nll_loss": _loss(functional.nll_loss, "weight", "reduction", "ignore_index"),
    "slice": _slice,
    "smooth_l1_loss": _loss(functional.smooth_l1_loss, "reduction", "beta"),
    "sym_numel": lambda x: (torch.Tensor.numel, (x,), {}),
    "sym_size": lambda x, dim: (torch.Tensor.size, (x, dim), {}),
    "tensordot": lambda x, y, one, other: (torch.tensordot, (x, y, (one, other)), {}),
} | {
    f"{kind}_pad{axes}d": _padded(mode)
    for kind, mode in (("reflection", "reflect"), ("replication", "replicate"))
    for axes in (1, 2, 3)
} | {
    f"{name}{axes}d": _upsampled(mode, corners=corners)
    for name, mode, axes, corners in (
        ("upsample_nearest", "nearest", 1, False), ("upsample_nearest", "nearest", 2, False),
        ("upsample_nearest", "nearest", 3, False), ("_upsample_nearest_exact", "nearest-exact", 1, False),
        ("_upsample_nearest_exact", "nearest-exact", 2, False), ("_upsample_nearest_exact", "nearest-exact", 3, False),
        ("upsample_linear", "linear", 1, True), ("upsample_bilinear", "bilinear", 2, True),
        ("upsample_bicubic", "bicubic", 2, True), ("upsample_trilinear", "trilinear", 3, True),
    )
}  # fmt: skip
