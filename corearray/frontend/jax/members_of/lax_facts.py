"""Functions of `jax.lax` about Fourier transforms, facts of arrays, and names for JAX's compiler."""

from __future__ import annotations

import enum
from collections.abc import Callable, Sequence
from functools import update_wrapper
from typing import Any

import corearray as ca
from corearray.errors import CoreArrayTypeError, CoreArrayValueError
from corearray.frontend.jax.members_of.creation import shape_of
from corearray.frontend.jax.members_of.lax_elementwise import primitive
from corearray.frontend.jax.promotion import cast, inexact
from corearray.frontend.jax.wrapper import Array, converted

__all__ = [
    "FUNCTIONS", "FftType", "broadcast_like", "composite", "dce_sink", "dtype", "fft", "shape_as_value", "stage",
]  # fmt: skip


class FftType(enum.IntEnum):
    """The kinds of `fft`: of complex numbers, its inverse, of real numbers, and to real numbers."""

    FFT = 0
    IFFT = 1
    RFFT = 2
    IRFFT = 3


def fft(x: Any, fft_type: Any, fft_lengths: Sequence[int]) -> Any:
    """Return the discrete Fourier transform of the last axes.

    Parameters
    ----------
    x
        An array.
    fft_type
        A member of `FftType`, or its name.
    fft_lengths
        The lengths of the last axes: those of the array, for `IRFFT` those of the result.

    Raises
    ------
    TypeError, ValueError
        If there is no such type, complex numbers are given to `RFFT`, or the lengths do not match.
    """
    if isinstance(fft_type, str):
        if fft_type not in (*FftType.__members__, *map(str.lower, FftType.__members__)):
            raise CoreArrayValueError(f"Unknown FFT type '{fft_type}'")
        fft_type = FftType[fft_type.upper()]
    elif not isinstance(fft_type, FftType):
        raise CoreArrayTypeError(f"Unknown FFT type value '{fft_type}'")
    array, _ = converted(x)
    own = inexact(array.dtype)
    if fft_type == FftType.RFFT:
        if own.category == "complex floating":
            raise CoreArrayValueError("only real valued inputs supported for rfft")
        if own not in (ca.float32, ca.float64):
            raise CoreArrayValueError(f"RFFT input must be float32 or float64, got {own}")
    elif own.category != "complex floating":
        own = ca.complex128 if own == ca.float64 else ca.complex64
    array, lengths = cast(array, own), tuple(fft_lengths)
    if not lengths:
        return Array(array)
    if len(lengths) > array.ndim:
        raise CoreArrayValueError(
            f"FFT input shape {tuple(array.shape)} must have at least as many input dimensions as fft_lengths {lengths}."
        )
    checked = len(lengths) - (fft_type == FftType.IRFFT)
    if tuple(array.shape[array.ndim - len(lengths) :][:checked]) != lengths[:checked]:
        raise CoreArrayValueError(
            f"{fft_type.name} input shape {tuple(array.shape)} minor dimensions must be equal to fft_lengths {lengths}"
        )
    return Array(primitive("fft")(array, fft_type=int(fft_type), fft_lengths=lengths))


def dtype(x: Any) -> Any:
    """Return the dtype of an array or a number."""
    return Array(*converted(x)).dtype


def broadcast_like(arr: Any, like_arr: Any) -> Any:
    """Return an array in the shape of another one.

    Raises
    ------
    ValueError
        If it cannot be broadcast to it.
    """
    x, weak = converted(arr)
    return Array(ca.broadcast_to(x, tuple(converted(like_arr)[0].shape)), weak)


def stage(x: Any, /) -> Any:
    """Return a value as an array."""
    return Array(*converted(x))


def dce_sink(val: Any, *, prevent_mlir_dce: bool = False) -> None:
    """Do nothing: a value is computed without it."""


def shape_as_value(shape: Sequence[int]) -> Any:
    """Return a shape as an array."""
    return Array(ca.asarray(list(shape_of(shape)), dtype=ca.int32))


def composite(decomposition: Callable[..., Any], name: str, version: int = 0) -> Callable[..., Any]:
    """Return a function that computes its decomposition; a name is for JAX's compiler."""

    def function(*args: Any, **options: Any) -> Any:
        return decomposition(*args, **options)

    return update_wrapper(function, decomposition)


FUNCTIONS: dict[str, Any] = {
    f"lax.{one.__name__}": one
    for one in (FftType, broadcast_like, composite, dce_sink, dtype, fft, shape_as_value, stage)
}
