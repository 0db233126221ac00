"""TensorFlow as a backend of corearray. This module describes the plugin and imports no TensorFlow."""

from corearray.plugin import BackendInfo

__all__ = ["info"]
__version__ = "0.1.0"

info = BackendInfo(
    "tensorflow",
    framework=("tensorflow", "tensorflow-cpu", "tf-nightly"),
    framework_versions=">=2.16",
    core_versions=">=0.1,<0.2",
    array_types=(
        "tensorflow.python.framework.ops.EagerTensor",
        "tensorflow.python.framework.tensor.Tensor",
        "tensorflow.python.ops.resource_variable_ops.*Variable",
        "tensorflow.python.ops.variables.Variable",
    ),
    modules=(
        "corearray_tensorflow.native",
        "corearray_tensorflow.activations",
        "corearray_tensorflow.bitwise",
        "corearray_tensorflow.comparison",
        "corearray_tensorflow.contraction",
        "corearray_tensorflow.convolution",
        "corearray_tensorflow.control_flow",
        "corearray_tensorflow.creation",
        "corearray_tensorflow.data_type",
        "corearray_tensorflow.descriptive",
        "corearray_tensorflow.diagonals",
        "corearray_tensorflow.elementwise",
        "corearray_tensorflow.exponential",
        "corearray_tensorflow.fft",
        "corearray_tensorflow.gathering",
        "corearray_tensorflow.general",
        "corearray_tensorflow.gradients",
        "corearray_tensorflow.graph",
        "corearray_tensorflow.indexing",
        "corearray_tensorflow.interpolation",
        "corearray_tensorflow.linalg",
        "corearray_tensorflow.manipulation",
        "corearray_tensorflow.matrices",
        "corearray_tensorflow.numeric",
        "corearray_tensorflow.padding",
        "corearray_tensorflow.pooling",
        "corearray_tensorflow.regions",
        "corearray_tensorflow.rounding",
        "corearray_tensorflow.scattering",
        "corearray_tensorflow.searching",
        "corearray_tensorflow.sorting",
        "corearray_tensorflow.sparse",
        "corearray_tensorflow.special",
        "corearray_tensorflow.statistical",
        "corearray_tensorflow.trigonometric",
        "corearray_tensorflow.utility",
    ),
    summary="TensorFlow: eager tensors, variables, and tf.function",
    url="https://www.tensorflow.org",
)
