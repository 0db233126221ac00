"""Arrays of several dtypes, integers where floating-point numbers are computed, and truth values that are counted, on the
way to the pipeline.

Such a call differs from one of the fast path in a cast alone. It is made here, and the fast path asked once more; whatever
it does not take after that goes to the pipeline.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from corearray.calls.codegen import positions_text
from corearray.calls.fast_function import FunctionWriter
from corearray.calls.settle import settled_dtype
from corearray.errors import CoreArrayError
from corearray.settings.context import SCALARS, current_settings
from corearray.stages.inference import accumulated

if TYPE_CHECKING:
    from corearray.calls.binding import Binding, Call
    from corearray.types.dtypes import DType

__all__ = ["with_promotion"]


def with_promotion(binding: Binding) -> Call:
    """Return what brings the arrays of a call to the dtype of its result, or the pipeline for functions that cast none."""
    declaration, implementation = binding.declaration, binding.implementation
    backend, pipeline = binding.backend, binding.pipeline
    parameters = declaration.parameters
    writer = FunctionWriter(binding, parameters)
    sums = declaration.infer == "sum"
    if implementation is None or implementation.options.when is not None or writer.sequence:
        return pipeline
    if writer.dtype is not None and declaration.infer not in ("sum", "mean"):
        return pipeline
    # Several that are not promoted are cast each by itself.
    alone = (declaration.floating or sums) and len(binding.arrays) == 1
    if not (declaration.promote or alone) or not writer.has_fast_path:
        return pipeline
    places = [i for i in binding.arrays if not declaration.promote or parameters[i].name in declaration.promote]
    usable = writer.usable_kinds
    Array, floating = backend.Array, declaration.floating
    forwarded = f"lambda {', '.join(p.name for p in parameters)}: _flat({positions_text(parameters)})"
    fast_path = eval(compile(forwarded, "<corearray promotion>", "eval"), {"_flat": binding.function})
    dtype_place = binding.place("dtype")

    def promoted(args: list[Any]) -> Any:
        if dtype_place is not None and args[dtype_place] is not None:
            return pipeline(args)
        dtypes: list[DType] = []
        scalars = []
        for i in places:
            x = args[i]
            kind = type(x)
            if kind is Array and x._kind.dtype is not None:
                dtypes.append(x._kind.dtype)
            elif kind in SCALARS:
                scalars.append(x)
            elif x is not None:
                return pipeline(args)
        if not dtypes:
            return pipeline(args)
        try:
            target = accumulated(dtypes[0]) if sums else settled_dtype(dtypes, scalars, floating)
        except CoreArrayError:  # dtypes that have none in common
            return pipeline(args)
        if all(dtype is target for dtype in dtypes):
            return pipeline(args)
        native = backend.native_dtypes.get(target)
        wanted = backend.kinds.get(native)
        if wanted not in usable or current_settings().slow:
            return pipeline(args)
        cast = list(args)
        for i in places:
            x = args[i]
            if type(x) is Array and x._kind is not wanted:
                cast[i] = backend.wrap(backend.cast(x._native, native))
        return fast_path(*cast)

    return promoted
