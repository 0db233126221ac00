"""Names of JAX that the frontend leaves out, by reasons."""

from __future__ import annotations

__all__ = ["ABSENT"]

#: Why names are missing, with the names.
ABSENT = {
    "no backend has dtypes of fewer than 8 bits, or floating ones of 8": (
        "float4_e2m1fn float6_e2m3fn float6_e3m2fn float8_e3m4 float8_e4m3 float8_e4m3b11fnuz float8_e4m3fn "
        "float8_e4m3fnuz float8_e5m2 float8_e5m2fnuz float8_e8m0fnu int1 int2 int4 uint1 uint2 uint4"
    ),
    "arrays hold numbers and truth values; files are NumPy's": (
        "character flexible object_ fromfile fromiter fromstring load save savez"
    ),
    "a class that makes functions of the program's own into ufuncs; `jnp.vectorize` does": "ufunc",
    "kinds of products by the hardware; each backend chooses its own": (
        "DotAlgorithm DotAlgorithmPreset AccuracyMode Tolerance scaled_dot get_scaled_dot_general_config "
        "scaled_dot_general scaled_matmul"
    ),
    "axes with names and several devices are those of `corearray.Mesh` and `corearray.shard`": (
        "all_gather all_to_all axis_index axis_size pbroadcast pcast pmax pmean pmin ppermute precv psend pshuffle psum "
        "psum_scatter pswapaxes ragged_all_to_all NamedSharding P Shard auto_pcast make_array_from_callback "
        "make_array_from_process_local_data make_array_from_single_device_arrays make_mesh pmap "
        "remove_size_one_mesh_axis_from_type reshard set_mesh shard_map smap copy_to_host_async Device"
    ),
    "the derivative by what a function closes over needs JAX's tracer": (
        "custom_root custom_linear_solve closure_convert fwd_and_bwd"
    ),
    "jaxprs, tokens and other parts of JAX's compiler": (
        "after_all create_token make_jaxpr ad float0 ds default_registry no_execution no_tracing memory "
        "array_garbage_collection_guard live_arrays make_user_context print_environment_info thread_guard"
    ),
    "arrays do not change; there are no references to them": "Ref empty_ref free_ref freeze new_ref",
    "options that would change results or check them, which none does here": (
        "allow_f16_reductions debug_infs debug_nans default_prng_impl jax2tf_associative_scan_reductions legacy_prng_key "
        "softmax_custom_jvp threefry_partitionable transfer_guard_device_to_device transfer_guard_device_to_host "
        "transfer_guard_host_to_device"
    ),
    "steps of decompositions by one library, and choices of its algorithms": (
        "EigImplementation EighImplementation SvdAlgorithm cholesky_update hessenberg ormqr qdwh tridiagonal"
    ),
    "JAX's series lose digits in parts of their domain": "hyp1f1 hyp2f1",
}  # fmt: skip
