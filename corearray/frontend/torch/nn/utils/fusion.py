"""Layers and the batch norms behind them as one layer, for models that are evaluated."""

from __future__ import annotations

import copy
from typing import Any

from corearray.errors import CoreArrayValueError
from corearray.frontend.torch.grad_mode import no_grad
from corearray.frontend.torch.nn.module import Module

__all__ = ["fuse_conv_bn_eval", "fuse_conv_bn_weights", "fuse_linear_bn_eval", "fuse_linear_bn_weights"]


def fuse_conv_bn_eval(conv: Module, bn: Module, transpose: bool = False) -> Module:
    """Return a convolution that does what a convolution and a batch norm do in evaluation mode.

    Raises
    ------
    ValueError
        If one of them is in training mode, or the norm has no running statistics.
    """
    return _fused(conv, bn, 1 if transpose else 0)


def fuse_linear_bn_eval(linear: Module, bn: Module) -> Module:
    """Return a linear layer that does what a linear layer and a batch norm do in evaluation mode.

    Raises
    ------
    ValueError
        If one of them is in training mode, the norm has no running statistics, or their sizes differ.
    """
    if bn.num_features not in (1, linear.out_features):
        raise CoreArrayValueError(
            f"a linear layer of {linear.out_features} features cannot be fused with a batch norm of {bn.num_features}"
        )
    return _fused(linear, bn, 0)


def _fused(layer: Module, bn: Module, axis: int) -> Module:
    if layer.training or bn.training:
        raise CoreArrayValueError("Fusion only for eval! Call eval() of both layers first")
    if bn.running_mean is None or bn.running_var is None:
        raise CoreArrayValueError("fusion needs a batch norm with running statistics")
    made = copy.deepcopy(layer)
    bias = layer._parameters.get("bias")
    made.weight, new = _weights(layer.weight, bias, bn.running_mean, bn.running_var, bn.eps, bn.weight, bn.bias, axis)
    if bias is None:
        return _with_bias(layer, made, new)
    made.bias = new
    return made


def _with_bias(layer: Module, made: Module, bias: Any) -> Module:
    """Return a layer made anew with a bias: its function takes none so far."""
    options = {name: x for name, x in vars(layer)["_config"].items() if name not in ("bias", "dtype", "device")}
    kind: Any = type(layer)
    fresh: Module = kind(**options, bias=True)
    fresh.weight, fresh.bias = made.weight, bias
    return fresh.train(layer.training)


def fuse_conv_bn_weights(
    conv_w: Any, conv_b: Any, bn_rm: Any, bn_rv: Any, bn_eps: float, bn_w: Any, bn_b: Any, transpose: bool = False
) -> tuple[Any, Any]:
    """Return the weight and the bias of a convolution fused with a batch norm."""
    return _weights(conv_w, conv_b, bn_rm, bn_rv, bn_eps, bn_w, bn_b, 1 if transpose else 0)


def fuse_linear_bn_weights(
    linear_w: Any, linear_b: Any, bn_rm: Any, bn_rv: Any, bn_eps: float, bn_w: Any, bn_b: Any
) -> tuple[Any, Any]:
    """Return the weight and the bias of a linear layer fused with a batch norm."""
    return _weights(linear_w, linear_b, bn_rm, bn_rv, bn_eps, bn_w, bn_b, 0)


def _weights(
    weight: Any, bias: Any, mean: Any, variance: Any, eps: float, scale: Any, shift: Any, axis: int
) -> tuple[Any, Any]:
    parameter = weight._frontend.nn.Parameter
    with no_grad():
        factor = (variance + eps).rsqrt() if scale is None else scale * (variance + eps).rsqrt()
        moved = (-mean if bias is None else bias - mean) * factor
        moved = moved if shift is None else moved + shift
        shape = [1] * weight.dim()
        shape[axis] = -1
        made = (weight * factor.reshape(*shape)).to(weight.dtype)
        moved = moved.to(weight.dtype if bias is None else bias.dtype)
    needed = weight.requires_grad, bias is not None and bias.requires_grad
    return parameter(made.array, needed[0]), parameter(moved.array, needed[1])
