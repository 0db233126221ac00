"""NumPy as a backend of corearray. This module describes the plugin and imports no NumPy."""

from corearray.plugin import BackendInfo

__all__ = ["info"]
__version__ = "0.1.0"

info = BackendInfo(
    "numpy",
    framework="numpy",
    framework_versions=">=1.26",
    core_versions=">=0.1,<0.2",
    array_types=("numpy.ndarray", "numpy.generic"),
    modules=(
        "corearray_numpy.native",
        "corearray_numpy.activations",
        "corearray_numpy.arranging",
        "corearray_numpy.bitwise",
        "corearray_numpy.comparison",
        "corearray_numpy.contraction",
        "corearray_numpy.creation",
        "corearray_numpy.data_type",
        "corearray_numpy.descriptive",
        "corearray_numpy.diagonals",
        "corearray_numpy.elementwise",
        "corearray_numpy.exponential",
        "corearray_numpy.fft",
        "corearray_numpy.gathering",
        "corearray_numpy.general",
        "corearray_numpy.graph",
        "corearray_numpy.indexing",
        "corearray_numpy.interpolation",
        "corearray_numpy.joining",
        "corearray_numpy.linalg",
        "corearray_numpy.manipulation",
        "corearray_numpy.matrices",
        "corearray_numpy.numeric",
        "corearray_numpy.padding",
        "corearray_numpy.patches",
        "corearray_numpy.rounding",
        "corearray_numpy.scattering",
        "corearray_numpy.searching",
        "corearray_numpy.sets",
        "corearray_numpy.sorting",
        "corearray_numpy.sparse",
        "corearray_numpy.special",
        "corearray_numpy.spectral",
        "corearray_numpy.statistical",
        "corearray_numpy.trigonometric",
        "corearray_numpy.utility",
    ),
    summary="NumPy: arrays on the CPU",
    url="https://numpy.org",
)
