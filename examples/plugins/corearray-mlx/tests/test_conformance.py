"""What corearray asks of every backend. Known failures are data, and strict: one that passes must be taken out."""

from corearray.testing import Capabilities, Conformance, Known

REAL = "MLX factorises real matrices only"
WIDE = "it computes in float64 by its definition, which MLX has on the CPU alone"
FACTORISING = (
    "cholesky", "det", "inv", "matrix_exp", "qr", "slogdet", "solve", "tensorinv", "tensorsolve",
)  # fmt: skip
INTEGERS = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")


class TestMlx(Conformance):
    backend = "mlx"
    capabilities = Capabilities(dtypes=("bool", *INTEGERS, "float32", "complex64"), gradients=True)
    known = (
        *(Known(name, "notimpl", REAL, dtypes=("complex64",)) for name in FACTORISING),
        Known("float_power", "never", WIDE),
    )
