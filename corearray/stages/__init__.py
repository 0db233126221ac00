"""The wrapper stages: what every function has in common, each looked at once when a function is composed.

`ORDER` is the pipeline from the innermost stage to the outermost; a call meets it from the end. Each name is a hookspec
with a default hookimpl in this package (the modules of `DEFAULTS`); a stage returns nothing where it has nothing to do.
"""

from __future__ import annotations

__all__ = ["NATIVE_STAGES", "OF_NATIVE_FUNCTIONS", "ORDER"]

#: Stages that native functions have too; all later ones deal with `Array`.
NATIVE_STAGES = ("handle_complex_input", "infer_device", "handle_device_shifting", "infer_dtype")

#: Stages of the functions on native arrays.
OF_NATIVE_FUNCTIONS = (*NATIVE_STAGES, "inputs_to_native_shapes")

ORDER = (
    *NATIVE_STAGES,
    "handle_array_function",
    "outputs_to_arrays",
    "outputs_to_shapes",
    "outputs_to_native_arrays",
    "inputs_to_native_arrays",
    "inputs_to_native_shapes",
    "inputs_to_arrays",
    "handle_out_argument",
    "handle_view_indexing",
    "handle_view",
    "handle_array_like_without_promotion",
    "handle_partial_mixed_function",
    "handle_nestable",
    "handle_ragged",
    "handle_backend_invalid",
    "handle_exceptions",
    "handle_nans",
)
