"""MLX as a backend of corearray. This module describes the plugin and imports no MLX."""

from corearray.plugin import BackendInfo

__version__ = "0.1.0"

info = BackendInfo(
    "mlx",
    framework="mlx",
    framework_versions=">=0.32",
    core_versions=">=0.1,<0.2",
    array_types=("mlx.core.array",),
    modules=(
        "corearray_mlx.native",
        "corearray_mlx.bitwise",
        "corearray_mlx.comparison",
        "corearray_mlx.creation",
        "corearray_mlx.data_type",
        "corearray_mlx.elementwise",
        "corearray_mlx.exponential",
        "corearray_mlx.fft",
        "corearray_mlx.general",
        "corearray_mlx.gradients",
        "corearray_mlx.indexing",
        "corearray_mlx.linalg",
        "corearray_mlx.manipulation",
        "corearray_mlx.rounding",
        "corearray_mlx.searching",
        "corearray_mlx.sorting",
        "corearray_mlx.statistical",
        "corearray_mlx.trigonometric",
    ),
    summary="MLX: arrays of Apple silicon, and on the CPU elsewhere",
    url="https://ml-explore.github.io/mlx",
)
