"""Bases of layers, by which programs of torch tell layers apart: `isinstance(layer, nn.modules.batchnorm._BatchNorm)`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from corearray.errors import CoreArrayNotImplementedError, CoreArrayValueError
from corearray.frontend.torch.nn.layers import Layer
from corearray.frontend.torch.nn.recurrent import RecurrentLayer

if TYPE_CHECKING:
    from corearray.frontend.torch.nn.module import Module

__all__ = ["BASES", "RNNBase", "RNNCellBase", "SyncBatchNorm", "base_of"]


class _NormBase(Layer):
    """A norm that may keep statistics."""


class _BatchNorm(_NormBase):
    """A norm over a batch."""


class _InstanceNorm(_NormBase):
    """A norm over each sample."""


class _ConvNd(Layer):
    """A convolution."""


class _ConvTransposeNd(_ConvNd):
    """A transposed convolution."""

    def forward(self, input: Any, output_size: Any = None) -> Any:
        """Return the transposed convolution, of a size among those that the stride allows.

        Raises
        ------
        ValueError
            If the stride does not allow the size.
        """
        if output_size is None:
            return super().forward(input)
        count = int(self._kind[-2])
        wanted = [int(n) for n in output_size][-count:]
        each = {
            name: (getattr(self, name),) * count if isinstance(getattr(self, name), int) else tuple(getattr(self, name))
            for name in ("kernel_size", "stride", "padding", "dilation")
        }
        sizes = zip(input.shape[-count:], *each.values(), strict=True)
        least = [(n - 1) * step - 2 * side + gap * (width - 1) + 1 for n, width, step, side, gap in sizes]
        if any(not low <= n < low + step for n, low, step in zip(wanted, least, each["stride"], strict=True)):
            most = [low + step - 1 for low, step in zip(least, each["stride"], strict=True)]
            raise CoreArrayValueError(
                f"requested an output size of {wanted}, but valid sizes range from {least} to {most}"
            )
        further = tuple(n - low for n, low in zip(wanted, least, strict=True))
        convolve = getattr(self._frontend.nn.functional, f"conv_transpose{count}d")
        return convolve(
            input, self.weight, self.bias, each["stride"], each["padding"], further, self.groups, each["dilation"]
        )


class _DropoutNd(Layer):
    """A dropout."""


class _Base(Layer):
    """A base that makes no layers."""

    def __init__(self, *args: Any, **options: Any) -> None:
        if self._kind == "Identity":
            raise CoreArrayNotImplementedError(
                f"'torch.nn.{type(self).__name__}' is the base of layers here and makes none; make one of the layers"
            )
        super().__init__(*args, **options)


class RNNBase(RecurrentLayer, _Base):
    """The base of `RNN`, `LSTM` and `GRU`."""


class RNNCellBase(_Base):
    """The base of `RNNCell`, `LSTMCell` and `GRUCell`."""


class SyncBatchNorm(_BatchNorm):
    """Batch norm over the batches of all processes, of which there is one here; arrays have any number of axes."""

    _kind = "BatchNorm2d"

    def __init__(
        self, num_features: int, eps: float = 1e-5, momentum: float | None = 0.1, affine: bool = True,
        track_running_stats: bool = True, process_group: Any = None, **options: Any,
    ) -> None:  # fmt: skip
        super().__init__(num_features, eps, momentum, affine, track_running_stats, **options)

    def forward(self, input: Any) -> Any:
        """Normalise."""
        if input.dim() < 2:
            raise CoreArrayValueError(f"expected at least 2D input (got {input.dim()}D input)")
        return super().forward(input.reshape(*input.shape[:2], -1, 1)).reshape(input.shape)

    @classmethod
    def convert_sync_batchnorm(cls, module: Module, process_group: Any = None) -> Module:
        """Replace the batch norms in a module, in place; return the module, or a new one if it is a batch norm."""
        for name, child in list(module.named_children()):
            module._modules[name] = cls.convert_sync_batchnorm(child, process_group)
        if not isinstance(module, _BatchNorm) or isinstance(module, SyncBatchNorm):
            return module
        made = cls(module.num_features, module.eps, module.momentum, module.affine, module.track_running_stats)
        made._parameters.update(module._parameters)
        made._buffers.update(module._buffers)
        return made.train(module.training)


#: The bases that have names in torch.
BASES = {kind.__name__: kind for kind in (_NormBase, _BatchNorm, _InstanceNorm, _ConvNd, _ConvTransposeNd, _DropoutNd)}


def base_of(name: str) -> type[Layer]:
    """Return the base of a layer."""
    start = name.rstrip("123d")
    starts = {
        "BatchNorm": _BatchNorm, "InstanceNorm": _InstanceNorm, "Conv": _ConvNd, "ConvTranspose": _ConvTransposeNd,
        "Dropout": _DropoutNd, "AlphaDropout": _DropoutNd, "FeatureAlphaDropout": _DropoutNd, "RNN": RNNBase,
        "LSTM": RNNBase, "GRU": RNNBase, "RNNCell": RNNCellBase, "LSTMCell": RNNCellBase, "GRUCell": RNNCellBase,
    }  # fmt: skip
    return starts.get(start, Layer)
