"""Mixed precision: the dtypes in which a step keeps parameters, computes, and returns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from corearray.arrays.array import Array
from corearray.errors import CoreArrayTypeError
from corearray.types.dtypes import DTYPES

if TYPE_CHECKING:
    from corearray.types.dtypes import DType

__all__ = ["Precision", "cast_floating"]

#: What `corearray list-functions` says of the classes here.
__kind__ = "convenience"


class _Fields(NamedTuple):
    parameters: DType | str = "float32"
    compute: DType | str = "float32"
    output: DType | str = "float32"


class Precision(_Fields):
    """The dtypes of a training step.

    Parameters
    ----------
    parameters
        Dtype of the parameters that the optimiser updates.
    compute
        Dtype to which parameters and floating arrays of the batch are cast for the forward and backward passes.
    output
        Dtype of the loss.

    Raises
    ------
    TypeError
        If one is no real floating dtype.

    Examples
    --------
    >>> from corearray import nn
    >>> nn.Precision(compute="bfloat16")
    Precision(parameters='float32', compute='bfloat16', output='float32')

    Notes
    -----
    P. Micikevicius et al., Mixed precision training, arXiv:1710.03740. Gradients have the dtype of the parameters. Norms
    compute half precision in float32 by themselves. bfloat16 has the exponents of float32, so that no loss scale is needed.
    """

    __slots__ = ()

    def __new__(
        cls, parameters: DType | str = "float32", compute: DType | str = "float32", output: DType | str = "float32"
    ) -> Precision:
        """Check the dtypes."""
        for name, dtype in (("parameters", parameters), ("compute", compute), ("output", output)):
            known = DTYPES.get(str(dtype))
            if known is None or known.category != "real floating":
                raise CoreArrayTypeError(f"'{name}' of 'Precision' is a real floating dtype, got {dtype!r}")
        return super().__new__(cls, str(parameters), str(compute), str(output))


def cast_floating(x: Any, dtype: DType | str) -> Any:
    """Cast a real floating array; anything else is returned as it is."""
    if isinstance(x, Array) and x.dtype.category == "real floating":
        return x._backend.astype(x, dtype, copy=False)
    return x
