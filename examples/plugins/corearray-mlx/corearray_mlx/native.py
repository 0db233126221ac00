"""The array type and the dtypes of MLX.

MLX computes in float64 on the CPU alone and has no complex128, so that both are left out: a program means the same on
every machine. Arrays lie in memory that CPU and GPU share, and which of them computes is a matter of MLX's settings;
corearray sees one device.
"""

import mlx.core as mx

from corearray.plugin import hookimpl

DTYPES = {
    "bool": mx.bool_,
    "int8": mx.int8,
    "int16": mx.int16,
    "int32": mx.int32,
    "int64": mx.int64,
    "uint8": mx.uint8,
    "uint16": mx.uint16,
    "uint32": mx.uint32,
    "uint64": mx.uint64,
    "bfloat16": mx.bfloat16,
    "float16": mx.float16,
    "float32": mx.float32,
    "complex64": mx.complex64,
}
FLOATING = {mx.bfloat16, mx.float16, mx.float32, mx.complex64}


@hookimpl
def array_types():
    return (mx.array,)


@hookimpl
def dtypes():
    return DTYPES
