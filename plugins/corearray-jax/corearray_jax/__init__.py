"""JAX as a backend of corearray. This module describes the plugin and imports no JAX."""

from corearray.plugin import BackendInfo

__all__ = ["info"]
__version__ = "0.1.0"

info = BackendInfo(
    "jax",
    framework="jax",
    framework_versions=">=0.4.36",
    core_versions=">=0.1,<0.2",
    array_types=("jaxlib.*ArrayImpl", "jax.*Array", "jax.*Tracer"),
    modules=(
        "corearray_jax.native",
        "corearray_jax.activations",
        "corearray_jax.bitwise",
        "corearray_jax.comparison",
        "corearray_jax.contraction",
        "corearray_jax.creation",
        "corearray_jax.data_type",
        "corearray_jax.descriptive",
        "corearray_jax.diagonals",
        "corearray_jax.elementwise",
        "corearray_jax.exponential",
        "corearray_jax.fft",
        "corearray_jax.general",
        "corearray_jax.gradients",
        "corearray_jax.indexing",
        "corearray_jax.joining",
        "corearray_jax.linalg",
        "corearray_jax.manipulation",
        "corearray_jax.matrices",
        "corearray_jax.nan_statistical",
        "corearray_jax.numeric",
        "corearray_jax.padding",
        "corearray_jax.polynomials",
        "corearray_jax.rounding",
        "corearray_jax.scattering",
        "corearray_jax.searching",
        "corearray_jax.sets",
        "corearray_jax.sorting",
        "corearray_jax.sparse",
        "corearray_jax.special",
        "corearray_jax.statistical",
        "corearray_jax.trigonometric",
        "corearray_jax.utility",
    ),
    summary="JAX: arrays on CPU, GPU and TPU that never change, with jit, grad and vmap",
    url="https://docs.jax.dev",
)
