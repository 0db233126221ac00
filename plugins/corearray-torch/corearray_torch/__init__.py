"""PyTorch as a backend of corearray. This module describes the plugin and imports no torch."""

from corearray.plugin import BackendInfo

__all__ = ["info"]
__version__ = "0.1.0"

info = BackendInfo(
    "torch",
    framework="torch",
    framework_versions=">=2.3",
    core_versions=">=0.1,<0.2",
    array_types=("torch.Tensor", "torch.nn.parameter.Parameter"),
    modules=(
        "corearray_torch.native",
        "corearray_torch.activations",
        "corearray_torch.arranging",
        "corearray_torch.bitwise",
        "corearray_torch.comparison",
        "corearray_torch.contraction",
        "corearray_torch.creation",
        "corearray_torch.data_type",
        "corearray_torch.descriptive",
        "corearray_torch.diagonals",
        "corearray_torch.elementwise",
        "corearray_torch.exponential",
        "corearray_torch.fft",
        "corearray_torch.gathering",
        "corearray_torch.general",
        "corearray_torch.gradients",
        "corearray_torch.indexing",
        "corearray_torch.joining",
        "corearray_torch.linalg",
        "corearray_torch.manipulation",
        "corearray_torch.matrices",
        "corearray_torch.norms",
        "corearray_torch.nan_statistical",
        "corearray_torch.numeric",
        "corearray_torch.padding",
        "corearray_torch.rounding",
        "corearray_torch.scattering",
        "corearray_torch.searching",
        "corearray_torch.sets",
        "corearray_torch.sorting",
        "corearray_torch.sparse",
        "corearray_torch.special",
        "corearray_torch.statistical",
        "corearray_torch.trigonometric",
        "corearray_torch.utility",
    ),
    summary="PyTorch: tensors on CPU and GPU, with gradients",
    url="https://pytorch.org",
)
