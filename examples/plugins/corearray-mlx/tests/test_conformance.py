"""What corearray asks of every backend. Known failures are data, and strict: one that passes must be taken out."""

from corearray.testing import Capabilities, Conformance, Known

WIDE = "it computes in float64 by its definition, which MLX has on the CPU alone"
INTEGERS = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")


class TestMlx(Conformance):
    backend = "mlx"
    capabilities = Capabilities(dtypes=("bool", *INTEGERS, "float32", "complex64"), gradients=True)
    known = (
        Known("float_power", "never", WIDE),
        Known("eig", "notimpl", "eigenvectors of complex matrices are wrong (MLX 0.32)", case="complex numbers, 2"),
        Known("sin", "notimpl", "the sine of -0.0 is 0.0 on CPUs (MLX 0.32)", case="special values"),
        Known("from_dlpack", "never", "MLX takes over no memory of others", case="copy, 2"),
    )
