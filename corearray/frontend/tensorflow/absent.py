"""Names of TensorFlow that the frontend leaves out, by reasons."""

from __future__ import annotations

__all__ = ["ABSENT"]

#: Why names are missing, with the names or patterns of paths.
ABSENT = {
    "arrays hold numbers and truth values, no texts; files and pictures are read elsewhere": (
        "strings* io* audio* lookup* raw_ops.String* raw_ops.Decode* raw_ops.Encode* cross cross_hashed as_string fingerprint "
        "adjust_jpeg_quality decode_and_crop_jpeg decode_bmp decode_gif decode_image decode_jpeg decode_jxl decode_png "
        "decode_webp encode_jpeg encode_png extract_jpeg_shape is_jpeg random_jpeg_quality stateless_random_jpeg_quality"
    ),
    "there are no sparse tensors": (
        "sparse* SparseTensor SparseTensorSpec IndexedSlices IndexedSlicesSpec ctc_beam_search_decoder ctc_greedy_decoder "
        "edit_distance embedding_lookup_sparse safe_embedding_lookup_sparse"
    ),
    "layers, optimisers and data sets are those of `corearray.nn`, `corearray.optim` and the framework itself": (
        "keras* data* estimator* RNNCellDeviceWrapper RNNCellDropoutWrapper RNNCellResidualWrapper"
    ),
    "there are no graphs and sessions; `GradientTape` has derivatives": (
        "compat.v1* Graph Operation RegisterGradient get_current_name_scope gradients hessians import_graph_def "
        "no_gradient variable_creator_scope"
    ),
    "types, devices, libraries and messages of TensorFlow's own runtime": (
        "AggregationMethod CriticalSection DeviceSpec NoneTensorSpec OptionalSpec TensorArraySpec TypeSpec "
        "VariableAggregation VariableSynchronization check_pinned load_library load_op_library make_ndarray "
        "make_tensor_proto nondifferentiable_batch_function register_tensor_conversion_function type_spec_from_value "
        "config* distribute* saved_model* train* summary* profiler* tpu* xla* lite* autograph* autodiff* feature_column* "
        "disable_check_numerics disable_traceback_filtering enable_check_numerics enable_traceback_filtering "
        "get_log_device_placement is_traceback_filtering_enabled set_log_device_placement"
    ),
    "linear operators are classes of their own; write the products and solutions with `tf.linalg`": "*LinearOperator*",
    "draws by TensorFlow's own samplers and tables": (
        "all_candidate_sampler compute_accidental_hits fixed_unigram_candidate_sampler learned_unigram_candidate_sampler "
        "log_uniform_candidate_sampler uniform_candidate_sampler nce_loss sampled_softmax_loss fractional_avg_pool "
        "fractional_max_pool sobol_sample random_index_shuffle sample_distorted_bounding_box "
        "stateless_sample_distorted_bounding_box Algorithm create_rng_state Generator get_global_generator "
        "set_global_generator"
    ),
    "TensorFlow has kernels on GPUs alone; use `tf.signal.fft2d` or `fft3d` and their like": "fftnd ifftnd irfftnd rfftnd",
    "a step within other functions, which are there": (
        "conv conv2d_backprop_filter_v2 conv2d_backprop_input_v2 ragged_fill_empty_rows ragged_fill_empty_rows_grad "
        "with_space_to_batch generate_bounding_box_proposals non_max_suppression_overlaps isotonic_regression"
    ),
}  # fmt: skip
