"""Layers by torch's names: the layers of `corearray.nn`, with their arrays as parameters and buffers of tensors."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

import corearray as ca
from corearray import nn
from corearray.errors import CoreArrayTypeError
from corearray.frontend.holding import Tree
from corearray.frontend.table import Rule
from corearray.frontend.torch.calling import called
from corearray.frontend.torch.nn.module import Module
from corearray.frontend.torch.promotion import default_dtype
from corearray.frontend.torch.wrapper import Tensor
from corearray.nn.places import Skeleton

if TYPE_CHECKING:
    from corearray.frontend.frontend import Frontend

__all__ = ["LAYERS", "Layer"]

LAYERS = frozenset(
    "AdaptiveAvgPool1d AdaptiveAvgPool2d AdaptiveAvgPool3d AdaptiveMaxPool1d AdaptiveMaxPool2d AdaptiveMaxPool3d "
    "AlphaDropout AvgPool1d AvgPool2d AvgPool3d BatchNorm1d BatchNorm2d BatchNorm3d Bilinear CELU ChannelShuffle "
    "CircularPad1d CircularPad2d CircularPad3d ConstantPad1d ConstantPad2d ConstantPad3d Conv1d Conv2d Conv3d "
    "ConvTranspose1d ConvTranspose2d ConvTranspose3d CosineSimilarity Dropout Dropout1d Dropout2d Dropout3d ELU "
    "Embedding EmbeddingBag FeatureAlphaDropout Flatten Fold FractionalMaxPool2d FractionalMaxPool3d GELU GLU GRU GRUCell "
    "GroupNorm Hardshrink Hardsigmoid "
    "Hardswish Hardtanh Identity InstanceNorm1d InstanceNorm2d InstanceNorm3d LPPool1d LPPool2d LPPool3d LSTM LSTMCell "
    "LayerNorm LeakyReLU Linear LocalResponseNorm LogSigmoid LogSoftmax MaxPool1d MaxPool2d MaxPool3d MaxUnpool1d MaxUnpool2d "
    "MaxUnpool3d Mish PReLU PairwiseDistance PixelShuffle PixelUnshuffle RMSNorm RNN RNNCell RReLU ReLU ReLU6 "
    "ReflectionPad1d ReflectionPad2d ReflectionPad3d ReplicationPad1d ReplicationPad2d ReplicationPad3d SELU SiLU "
    "Sigmoid Softmax Softmax2d Softmin Softplus Softshrink Softsign Tanh Tanhshrink Threshold Unflatten Unfold Upsample "
    "UpsamplingBilinear2d UpsamplingNearest2d ZeroPad1d ZeroPad2d ZeroPad3d".split()
)


class Layer(Module):
    """A layer of `corearray.nn` in torch's words; its configuration is found as attributes, such as `layer.in_features`."""

    _frontend: Frontend
    _kind: str = "Identity"

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__()
        made = getattr(nn, self._kind)
        known = inspect.signature(made).parameters
        dtype, device = options.pop("dtype", None) or default_dtype(), options.pop("device", None)
        for name in options:
            if name not in known:
                raise CoreArrayTypeError(f"'torch.nn.{self._kind}' has no option '{name}'; it has {', '.join(known)}")
        options = {name: x.array if isinstance(x, Tensor) else x for name, x in options.items()}
        core = made(*args, **options)
        for name, array in core.parameters().items():
            self.register_parameter(name, self._frontend.nn.Parameter(array))
        for name, array in core.buffers().items():
            self.register_buffer(name, self._frontend.Tensor(array))
        bound = inspect.signature(made).bind(*args, **options)
        bound.apply_defaults()
        config = {name: value for name, value in bound.arguments.items() if name != "generator"}
        vars(self)["_in_place"] = bool(config.get("inplace"))
        if "bias" in config and "bias" not in self._parameters:
            self.register_parameter("bias", None)
        vars(self)["_config"] = {name: value for name, value in config.items() if name not in self._parameters}
        vars(self)["_skeleton"] = Skeleton(core)
        if dtype != ca.float32 or device is not None:
            self.to(dtype=dtype, device=device)

    def __getattr__(self, name: str) -> Any:
        config = vars(self).get("_config", {})
        if name == "reset_running_stats" and "running_mean" in self._buffers:
            return self._reset_running_stats
        return config[name] if name in config else super().__getattr__(name)

    def __setattr__(self, name: str, value: Any) -> None:
        config = vars(self).get("_config", {})
        if name not in config:
            super().__setattr__(name, value)
            return
        config[name] = value
        core = vars(self)["_skeleton"].model
        if hasattr(core, name):
            object.__setattr__(core, name, value)
        if name == "inplace":
            vars(self)["_in_place"] = bool(value)

    def _reset_running_stats(self) -> None:
        """Forget the running statistics of a norm."""
        for name, value in (("running_mean", 0), ("running_var", 1), ("num_batches_tracked", 0)):
            buffer = self._buffers.get(name)
            if buffer is not None:
                buffer.array = ca.full_like(buffer.array, value)

    def forward(self, *args: Any, **options: Any) -> Any:
        """Call the layer."""
        args += tuple(options.pop(name) for name in ("input", "input1", "input2", "x1", "x2", "hx") if name in options)
        skeleton, training = vars(self)["_skeleton"], self.training
        parameters = [getattr(self, name) for name in skeleton.trainable.paths]
        buffers = [self._buffers[name] for name in skeleton.buffers.paths]
        count, kept = len(parameters), len(buffers)
        structure: list[Tree] = []
        after: list[Any] = []

        def layer(*given: Any, **named: Any) -> Any:
            try:
                for module in skeleton.model.modules():
                    object.__setattr__(module, "training", training)
                skeleton.trainable.put(list(given[:count]))
                skeleton.buffers.put(list(given[count : count + kept]))
                result = skeleton.model(*given[count + kept :], **named)
                if (
                    "Norm" in self._kind
                ):  # torch's norms take weights of another precision, and return that of their input
                    result = ca.astype(result, given[count + kept].dtype)
                made = Tree(result)
                structure[:], after[:] = [made], skeleton.buffers.get()
            finally:
                skeleton.clear()
            return tuple(made.leaves)

        rule = Rule(f"torch.nn.{self._kind}", lambda: layer)
        arguments = [x for x in args if x is not None]
        found = called(self._frontend.Tensor, rule, (*parameters, *buffers, *arguments), dict(options))
        for buffer, array in zip(buffers, after, strict=True):
            buffer.array = array
        result = structure[0].of(list(found))
        if vars(self)["_in_place"] and isinstance(args[0], Tensor):
            args[0].copy_(result)
            return args[0]
        return result

    def extra_repr(self) -> str:
        """Return the configuration of the layer."""
        return ", ".join(f"{name}={value!r}" for name, value in vars(self)["_config"].items())
