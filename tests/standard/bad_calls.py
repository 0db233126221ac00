"""Calls that must fail: for a function, an argument of its first sample that is replaced, the Python error, and its words.

The words are those of every backend. What follows from annotations is not here: texts in the place of arrays, options of
another type, words that are none of a `Literal`, axes that are not there.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

__all__ = ["CALLS", "Bad"]

SCALAR = np.asarray(1.5, "float32")
SEVEN = np.ones(7, "float32")
SIX = np.ones((7, 1, 1, 1, 1, 2), "float32")
COMPLEX = np.ones((2, 3), "complex64")


class Bad(NamedTuple):
    """An argument, its wrong value, the error and a part of its text."""

    argument: str
    value: Any
    kind: type[Exception]
    words: str


bad = Bad

CALLS: dict[str, list[Bad]] = {
    "betainc": [bad("x", COMPLEX, TypeError, "take corearray.abs(x) or corearray.real(x) first")],
    "cubic_spline": [
        bad("places", SCALAR, ValueError, "it takes at least two places in one axis"),
        bad("values", SEVEN, ValueError, "as many values along axis 0"),
        bad("boundary", "sideways", ValueError, "it is one of 'not-a-knot', 'natural', 'clamped', 'periodic'"),
    ],
    "grid_sample": [
        bad("grid", SEVEN, ValueError, "they must be (N, C, H, W)"),
        bad("mode", "sideways", ValueError, "it is one of 'bilinear', 'nearest', 'bicubic'"),
    ],
    "logm": [bad("x", SEVEN, ValueError, "'logm' got an array of shape")],
    "solve_sylvester": [
        bad("q", SEVEN, ValueError, "they must be (..., M, M), (..., N, N) and (..., M, N)"),
        bad("a", SEVEN, ValueError, "'solve_sylvester' got an array of shape"),
    ],
    "sqrtm": [bad("x", SEVEN, ValueError, "'sqrtm' got an array of shape")],
    "argpartition": [bad("kth", 9, ValueError, "give a place on it")],
    "partition": [bad("kth", 9, ValueError, "give a place on it")],
    "average": [bad("weights", SEVEN, ValueError, "give one for each element, or for each place along the axes")],
    "cbrt": [bad("x", COMPLEX, TypeError, "take corearray.abs(x) or corearray.real(x) first")],
    "convolve": [bad("x1", SCALAR, ValueError, "give two vectors with elements")],
    "correlate": [bad("x1", SCALAR, ValueError, "give two vectors with elements")],
    "digitize": [bad("bins", SCALAR, ValueError, "give a vector of edges")],
    "lstsq": [bad("x1", SEVEN, ValueError, "they must have the shapes")],
    "nanpercentile": [bad("q", -2, ValueError, "give numbers from 0 to 100")],
    "percentile": [bad("q", -2, ValueError, "give numbers from 0 to 100")],
    "polyfit": [
        bad("deg", -2, ValueError, "it is at least 0"),
        bad("x", SEVEN, ValueError, "they must have the shapes (M,)"),
    ],
    "polygamma": [bad("x", COMPLEX, TypeError, "take corearray.abs(x) or corearray.real(x) first")],
    "unwrap": [bad("period", -2.0, ValueError, "it is above 0")],
    "channel_shuffle": [bad("groups", 3, ValueError, "give a divisor of their number")],
    "cosine_embedding_loss": [bad("reduction", "sideways", ValueError, "it is one of 'mean', 'sum', 'none'")],
    "cosine_similarity": [bad("x1", SEVEN, ValueError, "do not broadcast")],
    "ctc_loss": [
        bad("blank", -2, ValueError, "it is a class from 0"),
        bad("log_probs", SEVEN, ValueError, "they have the shape (T, N, C)"),
        bad("targets", SCALAR, TypeError, "they are integers"),
        bad("reduction", "sideways", ValueError, "it is one of 'mean', 'sum', 'none'"),
    ],
    "embedding_bag": [
        bad("mode", "sideways", ValueError, "it is one of 'mean', 'sum', 'max'"),
        bad("indices", SEVEN, TypeError, "give integers"),
        bad("weight", SEVEN, ValueError, "give a table of two axes"),
    ],
    "focal_loss": [
        bad("alpha", -2.0, ValueError, "it lies between 0 and 1"),
        bad("gamma", -2.0, ValueError, "it must be at least 0"),
    ],
    "gaussian_nll_loss": [bad("eps", -2.0, ValueError, "it must be above 0")],
    "glu": [bad("x", SEVEN, ValueError, "give an even number, for two halves"), bad("axis", 3, IndexError, "axis 3")],
    "gru_update": [bad("init_h", SEVEN, ValueError, "gru_update")],
    "gumbel_softmax": [
        bad("tau", -2.0, ValueError, "it must be above 0"),
        bad("logits", COMPLEX, TypeError, "take corearray.abs(x) or corearray.real(x) first"),
    ],
    "logsumexp": [bad("x", COMPLEX, TypeError, "take corearray.abs(x) or corearray.real(x) first")],
    "margin_ranking_loss": [bad("reduction", "sideways", ValueError, "it is one of 'mean', 'sum', 'none'")],
    "multi_margin_loss": [
        bad("p", 3, ValueError, "it is 1 or 2"),
        bad("target", SEVEN, TypeError, "give the numbers of the classes"),
        bad("reduction", "sideways", ValueError, "it is one of 'mean', 'sum', 'none'"),
    ],
    "multilabel_margin_loss": [
        bad("target", SEVEN, TypeError, "give the numbers of the classes"),
        bad("pred", SEVEN, ValueError, "both have the shape (..., C)"),
        bad("reduction", "sideways", ValueError, "it is one of 'mean', 'sum', 'none'"),
    ],
    "multilabel_soft_margin_loss": [
        bad("pred", SCALAR, ValueError, "give classes along the last axis"),
        bad("reduction", "sideways", ValueError, "it is one of 'mean', 'sum', 'none'"),
    ],
    "mse_loss": [
        bad("reduction", "sideways", ValueError, "it is one of 'mean', 'sum', 'none'"),
        bad("pred", SEVEN, ValueError, "do not broadcast"),
    ],
    "nll_loss": [
        bad("target", SEVEN, TypeError, "give the numbers of the classes"),
        bad("weight", SEVEN, ValueError, "give one weight for each class along axis"),
        bad("reduction", "sideways", ValueError, "it is one of 'mean', 'sum', 'none'"),
    ],
    "pixel_shuffle": [
        bad("upscale_factor", 3, ValueError, "their number must be a multiple of the square of the factor"),
        bad("data_format", "sideways", ValueError, "it is one of 'channels_first', 'channels_last'"),
        bad("x", SEVEN, ValueError, "at least 3 axes"),
    ],
    "pixel_unshuffle": [
        bad("downscale_factor", 3, ValueError, "both must be multiples of the factor"),
        bad("data_format", "sideways", ValueError, "it is one of 'channels_first', 'channels_last'"),
    ],
    "rms_norm": [
        bad("weight", SEVEN, ValueError, "they must have the shape (3,)"),
        bad("x", COMPLEX, TypeError, "take corearray.abs(x) or corearray.real(x) first"),
    ],
    "rotary_embedding": [
        bad("features", -2, ValueError, "give an even number that is not larger"),
        bad("x", SEVEN, ValueError, "it takes (..., T, D)"),
    ],
    "triplet_margin_loss": [
        bad("margin", -2.0, ValueError, "it must be above 0"),
        bad("reduction", "sideways", ValueError, "it is one of 'mean', 'sum', 'none'"),
    ],
    "adaptive_avg_pool1d": [
        bad("output_size", -2, ValueError, "give an integer of at least 1, or 1 of them, one for each axis"),
        bad("data_format", "sideways", ValueError, "it is one of 'channels_first', 'channels_last'"),
    ],
    "adaptive_avg_pool2d": [
        bad("output_size", -2, ValueError, "give an integer of at least 1, or 2 of them, one for each axis"),
        bad("data_format", "sideways", ValueError, "it is one of 'channels_first', 'channels_last'"),
    ],
    "adaptive_avg_pool3d": [
        bad("output_size", -2, ValueError, "give an integer of at least 1, or 3 of them, one for each axis"),
        bad("data_format", "sideways", ValueError, "it is one of 'channels_first', 'channels_last'"),
    ],
    "adaptive_max_pool1d": [
        bad("output_size", -2, ValueError, "give an integer of at least 1, or 1 of them, one for each axis"),
        bad("data_format", "sideways", ValueError, "it is one of 'channels_first', 'channels_last'"),
    ],
    "adaptive_max_pool2d": [
        bad("output_size", -2, ValueError, "give an integer of at least 1, or 2 of them, one for each axis"),
        bad("data_format", "sideways", ValueError, "it is one of 'channels_first', 'channels_last'"),
    ],
    "adaptive_max_pool3d": [
        bad("output_size", -2, ValueError, "give an integer of at least 1, or 3 of them, one for each axis"),
        bad("data_format", "sideways", ValueError, "it is one of 'channels_first', 'channels_last'"),
    ],
    "adaptive_pool": [
        bad("output_size", -2, ValueError, "give an integer of at least 1, or 2 of them, one for each axis"),
        bad("data_format", "sideways", ValueError, "it is one of 'channels_first', 'channels_last'"),
    ],
    "add": [bad("x1", SEVEN, ValueError, "got arrays of the shapes (7,) and (1, 3), which do not broadcast")],
    "allclose": [bad("x1", SEVEN, ValueError, "got arrays of the shapes (7,) and (2, 3), which do not broadcast")],
    "argmax": [bad("x", COMPLEX, TypeError, "take corearray.abs(x) or corearray.real(x) first")],
    "argmin": [bad("x", COMPLEX, TypeError, "take corearray.abs(x) or corearray.real(x) first")],
    "argsort": [bad("x", COMPLEX, TypeError, "take corearray.abs(x) or corearray.real(x) first")],
    "array_split": [
        bad("indices_or_sections", 2**70, ValueError, "a tuple holds at most"),
        bad("indices_or_sections", -2, ValueError, "it makes at least 1"),
        bad("x", SCALAR, IndexError, "there is none to choose"),
    ],
    "as_strided": [bad("x", SCALAR, ValueError, "give a stride for each axis, counted in elements, so that none l")],
    "astype": [
        bad("x", COMPLEX, TypeError, "take corearray.real(x) or corearray.abs(x) first"),
        bad("dtype", None, TypeError, "got dtype=None; give a dtype or its name"),
    ],
    "avg_pool1d": [
        bad("window_shape", -2, ValueError, "give an integer of at least 1, or 1 of them, one for each axis"),
        bad("strides", -2, ValueError, "give an integer of at least 1, or 1 of them, one for each axis"),
    ],
    "avg_pool2d": [
        bad("window_shape", -2, ValueError, "give an integer of at least 1, or 2 of them, one for each axis"),
        bad("strides", -2, ValueError, "give an integer of at least 1, or 2 of them, one for each axis"),
    ],
    "avg_pool3d": [
        bad("window_shape", -2, ValueError, "give an integer of at least 1, or 3 of them, one for each axis"),
        bad("strides", -2, ValueError, "give an integer of at least 1, or 3 of them, one for each axis"),
    ],
    "batch_norm": [
        bad("momentum", -2, ValueError, "give a share from 0 to 1, and eps at least 0"),
        bad("eps", -2, ValueError, "give a share from 0 to 1, and eps at least 0"),
        bad("data_format", "sideways", ValueError, "it is one of 'channels_first', 'channels_last'"),
        bad("x", SIX, ValueError, "they must have the shape (1,)"),
    ],
    "batched_outer": [bad("x1", SCALAR, ValueError, "give two stacks of one length")],
    "binary_cross_entropy": [
        bad("reduction", "sideways", ValueError, "it is one of 'mean', 'sum', 'none'"),
        bad("pos_weight", SEVEN, ValueError, "got arrays of the shapes (3,) and (3,) and (7,), which do not br"),
    ],
    "bincount": [
        bad("minlength", -2, ValueError, "give a number that is not negative"),
        bad("x", SCALAR, TypeError, "cast it first"),
        bad("weights", SCALAR, ValueError, "got weights of shape () for 3 elements"),
    ],
    "blackman_window": [bad("size", -2, ValueError, "the number of weights is at least 0")],
    "broadcast_to": [
        bad("x", SEVEN, ValueError, "got an array of the shape (7,), which does not broadcast to (2,"),
        bad("shape", (-1, 3), ValueError, "got the shape (-1, 3); sizes are at least 0"),
    ],
    "celu": [bad("x", COMPLEX, TypeError, "take corearray.abs(x) or corearray.real(x) first")],
    "cholesky": [bad("x", SCALAR, ValueError, "square matrices are needed, of the shape (..., M, M)")],
    "choose": [bad("x", SCALAR, TypeError, "they are integers"), bad("choices", [], ValueError, "give at least one")],
    "clip": [
        bad("min", SEVEN, ValueError, "got arrays of the shapes (2, 3) and (7,), which do not broadcast"),
        bad("x", COMPLEX, TypeError, "take corearray.abs(x) or corearray.real(x) first"),
    ],
    "clip_matrix_norm": [bad("max_norm", -2, ValueError, "it is at least 0")],
    "clip_vector_norm": [bad("max_norm", -2, ValueError, "it is at least 0")],
    "col2im": [
        bad("output_size", -2, ValueError, "give an integer of at least 1, or 2 of them, one for each axis"),
        bad("window_shape", -2, ValueError, "give an integer of at least 1, or 2 of them, one for each axis"),
    ],
    "column_stack": [bad("arrays", [], ValueError, "at least one is needed")],
    "complex": [bad("real", SEVEN, ValueError, "got arrays of the shapes (7,) and (1, 3), which do not broadcast")],
    "concat": [
        bad("arrays", [], ValueError, "at least one is needed"),
        bad("arrays", [SEVEN, 1.5], ValueError, "and numbers; all must have the same number of axes"),
    ],
    "concat_from_sequence": [bad("arrays", [], ValueError, "at least one is needed")],
    "conv1d": [
        bad("strides", -2, ValueError, "give an integer of at least 1, or 1 of them, one for each axis"),
        bad("padding", "sideways", ValueError, "it is 'valid', 'same', an integer, or a sequence of 1 integers o"),
        bad("dilations", -2, ValueError, "give an integer of at least 1, or 1 of them, one for each axis"),
        bad("filters", SCALAR, ValueError, "they have 3 axes"),
    ],
    "conv1d_transpose": [
        bad("strides", -2, ValueError, "give an integer of at least 1, or 1 of them, one for each axis"),
        bad("padding", "sideways", ValueError, "it is 'valid', 'same', an integer, or a sequence of 1 integers o"),
        bad("output_padding", -2, ValueError, "give an integer of at least 0, or 1 of them, one for each axis"),
        bad("filters", SCALAR, ValueError, "they have 3 axes"),
    ],
    "conv2d": [
        bad("strides", -2, ValueError, "give an integer of at least 1, or 2 of them, one for each axis"),
        bad("padding", "sideways", ValueError, "it is 'valid', 'same', an integer, or a sequence of 2 integers o"),
        bad("dilations", -2, ValueError, "give an integer of at least 1, or 2 of them, one for each axis"),
        bad("filters", SCALAR, ValueError, "they have 4 axes"),
    ],
    "conv2d_transpose": [
        bad("strides", -2, ValueError, "give an integer of at least 1, or 2 of them, one for each axis"),
        bad("padding", "sideways", ValueError, "it is 'valid', 'same', an integer, or a sequence of 2 integers o"),
        bad("output_padding", -2, ValueError, "give an integer of at least 0, or 2 of them, one for each axis"),
        bad("filters", SCALAR, ValueError, "they have 4 axes"),
    ],
    "conv3d": [
        bad("strides", -2, ValueError, "give an integer of at least 1, or 3 of them, one for each axis"),
        bad("padding", "sideways", ValueError, "it is 'valid', 'same', an integer, or a sequence of 3 integers o"),
        bad("dilations", -2, ValueError, "give an integer of at least 1, or 3 of them, one for each axis"),
        bad("filters", SCALAR, ValueError, "they have 5 axes"),
    ],
    "conv3d_transpose": [
        bad("strides", -2, ValueError, "give an integer of at least 1, or 3 of them, one for each axis"),
        bad("padding", "sideways", ValueError, "it is 'valid', 'same', an integer, or a sequence of 3 integers o"),
        bad("output_padding", -2, ValueError, "give an integer of at least 0, or 3 of them, one for each axis"),
        bad("filters", SCALAR, ValueError, "they have 5 axes"),
    ],
    "conv_general_dilated": [
        bad("padding", "sideways", ValueError, "it is 'valid', 'same', an integer, or a sequence of 2 integers o")
    ],
    "conv_general_transpose": [
        bad("strides", -2, ValueError, "give an integer of at least 1, or 1 of them, one for each axis"),
        bad("padding", "sideways", ValueError, "it is 'valid', 'same', an integer, or a sequence of 1 integers o"),
        bad("output_padding", -2, ValueError, "give an integer of at least 0, or 1 of them, one for each axis"),
        bad("x", SIX, ValueError, "they have 6 axes"),
    ],
    "corrcoef": [
        bad("m", SIX, ValueError, "takes at most two axes, found an array of shape (7, 1, 1, 1, 1,"),
        bad("y", SCALAR, ValueError, "all axes but 0 must be equally long"),
    ],
    "cov": [
        bad("m", SIX, ValueError, "takes at most two axes, found an array of shape (7, 1, 1, 1, 1,"),
        bad("y", SCALAR, ValueError, "all axes but 0 must be equally long"),
    ],
    "cp_to_tensor": [
        bad("weights", SCALAR, ValueError, "got weights of shape () for 2 columns"),
        bad("factors", [], ValueError, "give matrices with one number of columns"),
    ],
    "cross": [bad("x1", SCALAR, IndexError, "there is none to choose")],
    "cross_entropy": [
        bad("label_smoothing", -2, ValueError, "it lies between 0 and 1"),
        bad("reduction", "sideways", ValueError, "it is one of 'mean', 'sum', 'none'"),
        bad("pred", SCALAR, IndexError, "there is none to choose"),
    ],
    "cummax": [bad("x", SCALAR, ValueError, "say along which one with axis=")],
    "cummin": [bad("x", SCALAR, ValueError, "say along which one with axis=")],
    "cumulative_prod": [
        bad("x", SCALAR, ValueError, "got an array of the shape () and no axis, which may be left out")
    ],
    "cumulative_sum": [bad("x", SIX, ValueError, "got an array of the shape (7, 1, 1, 1, 1, 2) and no axis, which")],
    "dct": [bad("x", SCALAR, IndexError, "there is none to choose")],
    "deg2rad": [bad("x", COMPLEX, TypeError, "take corearray.abs(x) or corearray.real(x) first")],
    "depthwise_conv2d": [
        bad("strides", -2, ValueError, "give an integer of at least 1, or 2 of them, one for each axis"),
        bad("padding", "sideways", ValueError, "it is 'valid', 'same', an integer, or a sequence of 2 integers o"),
        bad("dilations", -2, ValueError, "give an integer of at least 1, or 2 of them, one for each axis"),
        bad("filters", SCALAR, ValueError, "these have 4 axes, with the channels of the array in one (data_f"),
    ],
    "det": [bad("x", SCALAR, ValueError, "square matrices are needed, of the shape (..., M, M)")],
    "diagonal": [bad("x", SCALAR, ValueError, "matrices have at least 2 axes")],
    "diff": [
        bad("n", -2, ValueError, "the order of the differences is at least 0"),
        bad("x", SCALAR, IndexError, "there is none to choose"),
        bad("prepend", SCALAR, ValueError, "it has as many"),
    ],
    "digamma": [bad("x", COMPLEX, TypeError, "take corearray.abs(x) or corearray.real(x) first")],
    "divide": [bad("x1", SEVEN, ValueError, "got arrays of the shapes (7,) and (1, 3), which do not broadcast")],
    "dot": [bad("x1", SEVEN, ValueError, "the axes summed over have the lengths (7,) and (3,)")],
    "dropout": [bad("p", -2, ValueError, "give a probability from 0 to 1")],
    "dropout1d": [
        bad("p", -2, ValueError, "give a probability from 0 to 1"),
        bad("data_format", "sideways", ValueError, "it is one of 'channels_first', 'channels_last'"),
    ],
    "dropout2d": [
        bad("p", -2, ValueError, "give a probability from 0 to 1"),
        bad("data_format", "sideways", ValueError, "it is one of 'channels_first', 'channels_last'"),
    ],
    "dropout3d": [
        bad("p", -2, ValueError, "give a probability from 0 to 1"),
        bad("data_format", "sideways", ValueError, "it is one of 'channels_first', 'channels_last'"),
    ],
    "dsplit": [
        bad("indices_or_sections", -2, ValueError, "choose a number that divides its length, or call array_split"),
        bad("x", SCALAR, ValueError, "an array of shape () has none"),
    ],
    "dstack": [bad("arrays", [], ValueError, "at least one is needed")],
    "eig": [bad("x", SCALAR, ValueError, "square matrices are needed, of the shape (..., M, M)")],
    "eigh": [bad("x", SCALAR, ValueError, "square matrices are needed, of the shape (..., M, M)")],
    "eigh_tridiagonal": [
        bad("select", "sideways", ValueError, "it is 'a', 'i' or 'v'"),
        bad("d", SCALAR, ValueError, "the second is one shorter"),
    ],
    "eigvals": [bad("x", SCALAR, ValueError, "square matrices are needed, of the shape (..., M, M)")],
    "eigvalsh": [bad("x", SCALAR, ValueError, "square matrices are needed, of the shape (..., M, M)")],
    "eigvalsh_tridiagonal": [
        bad("select", "sideways", ValueError, "it is 'a', 'i' or 'v'"),
        bad("d", SCALAR, ValueError, "the second is one shorter"),
    ],
    "elu": [bad("x", COMPLEX, TypeError, "take corearray.abs(x) or corearray.real(x) first")],
    "embedding": [
        bad("max_norm", -2, ValueError, "it is at least 0"),
        bad("indices", SCALAR, TypeError, "give integers"),
        bad("weight", SCALAR, ValueError, "give a table of two axes"),
    ],
    "empty": [
        bad("shape", -2, ValueError, "sizes are at least 0"),
        bad("shape", (10**10, 10**10), ValueError, "which has more elements than any memory"),
    ],
    "erf": [bad("x", COMPLEX, TypeError, "take corearray.abs(x) or corearray.real(x) first")],
    "erfc": [bad("x", COMPLEX, TypeError, "take corearray.abs(x) or corearray.real(x) first")],
    "erfinv": [bad("x", COMPLEX, TypeError, "take corearray.abs(x) or corearray.real(x) first")],
    "exp2": [bad("x", COMPLEX, TypeError, "take corearray.abs(x) or corearray.real(x) first")],
    "expand": [bad("x", SCALAR, ValueError, "axes of length 1 and new ones in front become longer, -1 leaves")],
    "eye": [
        bad("n_rows", -2, ValueError, "sizes are at least 0"),
        bad("n_cols", -2, ValueError, "sizes are at least 0"),
    ],
    "fft": [
        bad("n", -2, ValueError, "it transforms at least 1 element"),
        bad("x", SCALAR, IndexError, "there is none to choose"),
    ],
    "fftfreq": [bad("n", -2, ValueError, "it transforms at least 1 element")],
    "fftn": [bad("s", (3, -2), ValueError, "it transforms at least 1 element along each axis")],
    "fix": [bad("x", COMPLEX, TypeError, "take corearray.abs(x) or corearray.real(x) first")],
    "fliplr": [bad("x", SCALAR, IndexError, "there is none to choose")],
    "flipud": [bad("x", SCALAR, IndexError, "there is none to choose")],
    "float_power": [bad("x1", SEVEN, ValueError, "got arrays of the shapes (7,) and (2, 3), which do not broadcast")],
    "floor_divide": [bad("x1", SEVEN, ValueError, "got arrays of the shapes (7,) and (1, 3), which do not broadcast")],
    "fmax": [bad("x1", SEVEN, ValueError, "got arrays of the shapes (7,) and (1, 3), which do not broadcast")],
    "fmin": [bad("x1", SEVEN, ValueError, "got arrays of the shapes (7,) and (1, 3), which do not broadcast")],
    "fmod": [bad("x1", SEVEN, ValueError, "got arrays of the shapes (7,) and (1, 3), which do not broadcast")],
    "fold": [bad("x", SCALAR, ValueError, "got an array of the shape () with 1 elements, which do not fit i")],
    "fourier_encode": [
        bad("x", SCALAR, ValueError, "give coordinates along an axis, a frequency above 0 and at least")
    ],
    "fractional_max_pool": [
        bad("window_shape", -2, ValueError, "give an integer of at least 1, or 2 of them, one for each axis"),
        bad("output_shape", 5, ValueError, "ask for at most 2"),
    ],
    "frexp": [bad("x", COMPLEX, TypeError, "take corearray.abs(x) or corearray.real(x) first")],
    "full": [
        bad("shape", -2, ValueError, "sizes are at least 0"),
        bad("shape", (10**10, 10**10), ValueError, "which has more elements than any memory"),
    ],
    "gather": [
        bad("batch_dims", -2, ValueError, "the lengths of the first -2 axes must agree, and those that are"),
        bad("x", SCALAR, IndexError, "there is none to choose"),
    ],
    "gather_nd": [
        bad("batch_dims", -2, ValueError, "the lengths of the first -2 axes must agree, and those that are"),
        bad("x", SCALAR, ValueError, "the lengths of the first 0 axes must agree, and those that are i"),
        bad("indices", SCALAR, ValueError, "their last axis holds one index for each axis of 'x'"),
    ],
    "gcd": [bad("x1", SCALAR, TypeError, "cast them first")],
    "gelu": [bad("approximate", "sideways", ValueError, "it is one of 'none', 'tanh'")],
    "general_inner_product": [
        bad("n_modes", -2, ValueError, "the last modes of the first have the lengths of the first modes"),
        bad("x1", SCALAR, ValueError, "give n_modes, or tensors of one shape"),
    ],
    "geomspace": [bad("num", -2, ValueError, "the number of values is at least 0")],
    "gradient": [
        bad("edge_order", -2, ValueError, "give 1 or 2"),
        bad("f", SIX, ValueError, "with edge_order=1 takes at least 2 elements along an axis, found"),
    ],
    "group_norm": [
        bad("data_format", "sideways", ValueError, "it is one of 'channels_first', 'channels_last'"),
        bad("x", SIX, ValueError, "give a divisor"),
        bad("weight", SCALAR, ValueError, "they must have the shape (4,)"),
    ],
    "gru": [
        bad("x", SCALAR, ValueError, "it must have axes for time and features, and a number of steps,"),
        bad("weights", [], ValueError, "give 2 for each layer and direction: two matrices and, if any, t"),
    ],
    "hamming_window": [bad("size", -2, ValueError, "the number of weights is at least 0")],
    "hann_window": [bad("size", -2, ValueError, "the number of weights is at least 0")],
    "hardshrink": [bad("x", COMPLEX, TypeError, "take corearray.abs(x) or corearray.real(x) first")],
    "hardsigmoid": [bad("x", COMPLEX, TypeError, "take corearray.abs(x) or corearray.real(x) first")],
    "hardtanh": [bad("x", COMPLEX, TypeError, "take corearray.abs(x) or corearray.real(x) first")],
    "heaviside": [bad("x1", SEVEN, ValueError, "got arrays of the shapes (7,) and (1, 3), which do not broadcast")],
    "hfft": [
        bad("n", -2, ValueError, "it transforms at least 1 element"),
        bad("x", SCALAR, IndexError, "there is none to choose"),
    ],
    "higher_order_moment": [
        bad("order", -2, ValueError, "give an array of shape (N, ...) and an order of at least 1"),
        bad("x", SCALAR, ValueError, "give an array of shape (N, ...) and an order of at least 1"),
    ],
    "hinge_embedding_loss": [
        bad("reduction", "sideways", ValueError, "it is one of 'mean', 'sum', 'none'"),
        bad("pred", SEVEN, ValueError, "got arrays of the shapes (7,) and (1, 3), which do not broadcast"),
    ],
    "histogram": [
        bad("bins", SCALAR, ValueError, "give a one-dimensional array of them"),
        bad("weights", SCALAR, ValueError, "got weights of shape () for (2, 3) elements"),
    ],
    "hsplit": [
        bad("indices_or_sections", -2, ValueError, "choose a number that divides its length, or call array_split"),
        bad("x", SCALAR, ValueError, "an array of shape () has none"),
    ],
    "hstack": [bad("arrays", [], ValueError, "at least one is needed")],
    "huber_loss": [
        bad("delta", -2, ValueError, "it must be above 0"),
        bad("reduction", "sideways", ValueError, "it is one of 'mean', 'sum', 'none'"),
        bad("pred", SEVEN, ValueError, "got arrays of the shapes (7,) and (1, 3), which do not broadcast"),
    ],
    "hypot": [bad("x1", SEVEN, ValueError, "got arrays of the shapes (7,) and (1, 3), which do not broadcast")],
    "i0": [bad("x", COMPLEX, TypeError, "take corearray.abs(x) or corearray.real(x) first")],
    "ifft": [
        bad("n", -2, ValueError, "it transforms at least 1 element"),
        bad("x", SCALAR, IndexError, "there is none to choose"),
    ],
    "ifftn": [bad("s", (3, -2), ValueError, "it transforms at least 1 element along each axis")],
    "igamma": [bad("a", SEVEN, ValueError, "got arrays of the shapes (7,) and (1, 3), which do not broadcast")],
    "igammac": [bad("a", SEVEN, ValueError, "got arrays of the shapes (7,) and (1, 3), which do not broadcast")],
    "ihfft": [
        bad("n", -2, ValueError, "it transforms at least 1 element"),
        bad("x", SCALAR, IndexError, "there is none to choose"),
    ],
    "im2col": [
        bad("window_shape", -2, ValueError, "give an integer of at least 1, or 2 of them, one for each axis"),
        bad("strides", -2, ValueError, "give an integer of at least 1, or 2 of them, one for each axis"),
        bad("x", SIX, ValueError, "a window must fit into the axis"),
    ],
    "initialize_tucker": [
        bad("rank", -2, ValueError, "give for each a rank between 1 and its length"),
        bad("x", SCALAR, ValueError, "give for each a rank between 1 and its length"),
    ],
    "inner": [bad("x1", SEVEN, ValueError, "the axes summed over have the lengths (7,) and (3,)")],
    "inplace_decrement": [
        bad("value", SEVEN, ValueError, "got arrays of the shapes (2, 3) and (7,), which do not broadcast")
    ],
    "instance_norm": [
        bad("data_format", "sideways", ValueError, "it is one of 'channels_first', 'channels_last'"),
        bad("weight", SCALAR, ValueError, "they must have the shape (2,)"),
    ],
    "interp": [
        bad("places", SCALAR, ValueError, "both have one axis, of the same length, at least 1"),
        bad("x", COMPLEX, TypeError, "take corearray.abs(x) or corearray.real(x) first"),
    ],
    "interpolate": [
        bad("size", -2, ValueError, "the lengths are at least 1"),
        bad("scale_factor", -2, ValueError, "takes one of size and scale_factor"),
        bad("mode", "sideways", ValueError, "it is one of 'nearest', 'nearest_exact', 'area', 'linear', 'cubi"),
        bad("data_format", "sideways", ValueError, "it is one of 'channels_first', 'channels_last'"),
    ],
    "inv": [bad("x", SCALAR, ValueError, "square matrices are needed, of the shape (..., M, M)")],
    "invert_permutation": [bad("x", SCALAR, TypeError, "a permutation is made of integers")],
    "irfft": [
        bad("n", -2, ValueError, "it transforms at least 1 element"),
        bad("x", SCALAR, IndexError, "there is none to choose"),
    ],
    "irfftn": [
        bad("s", (3, -2), ValueError, "it transforms at least 1 element along each axis"),
        bad("x", SCALAR, ValueError, "it needs at least one"),
    ],
    "isclose": [bad("x1", SEVEN, ValueError, "got arrays of the shapes (7,) and (1, 3), which do not broadcast")],
    "istft": [bad("window", SCALAR, ValueError, "it is of shape (4,)")],
    "kaiser_bessel_derived_window": [bad("size", -2, ValueError, "the number of weights is at least 0")],
    "kaiser_window": [bad("size", -2, ValueError, "the number of weights is at least 0")],
    "khatri_rao": [bad("arrays", [], ValueError, "give at least one")],
    "kl_div": [
        bad("reduction", "sideways", ValueError, "it is one of 'mean', 'sum', 'none'"),
        bad("pred", SEVEN, ValueError, "got arrays of the shapes (7,) and (1, 3), which do not broadcast"),
    ],
    "kronecker": [bad("arrays", [], ValueError, "give at least one")],
    "l1_loss": [
        bad("reduction", "sideways", ValueError, "it is one of 'mean', 'sum', 'none'"),
        bad("pred", SEVEN, ValueError, "got arrays of the shapes (7,) and (1, 3), which do not broadcast"),
    ],
    "l1_normalize": [bad("x", SCALAR, IndexError, "there is none to choose")],
    "l2_normalize": [bad("x", SCALAR, IndexError, "there is none to choose")],
    "layer_norm": [
        bad("x", SCALAR, IndexError, "there is none to choose"),
        bad("weight", SCALAR, ValueError, "they must have the shape (3,)"),
    ],
    "lcm": [bad("x1", SCALAR, TypeError, "cast them first")],
    "ldexp": [
        bad("x1", SEVEN, ValueError, "got arrays of the shapes (7,) and (3,), which do not broadcast t"),
        bad("x2", SCALAR, TypeError, "round and cast it first"),
    ],
    "lerp": [bad("start", SEVEN, ValueError, "got arrays of the shapes (7,) and (1, 3) and (3,), which do not")],
    "lexsort": [bad("keys", [], ValueError, "give at least one, all of one shape")],
    "lgamma": [bad("x", COMPLEX, TypeError, "take corearray.abs(x) or corearray.real(x) first")],
    "linear": [
        bad("x", SCALAR, ValueError, "they must have the shapes (..., in) and (out, in), or (..., *sta"),
        bad("bias", SCALAR, ValueError, "it must have the shape (2,)"),
    ],
    "linspace": [bad("num", -2, ValueError, "the number of values is at least 0")],
    "local_response_norm": [
        bad("size", -2, ValueError, "it must be at least 1"),
        bad("data_format", "sideways", ValueError, "it is one of 'channels_first', 'channels_last'"),
    ],
    "log_poisson_loss": [
        bad("reduction", "sideways", ValueError, "it is one of 'mean', 'sum', 'none'"),
        bad("pred", SEVEN, ValueError, "got arrays of the shapes (7,) and (1, 3), which do not broadcast"),
    ],
    "log_softmax": [bad("x", SCALAR, IndexError, "there is none to choose")],
    "logaddexp2": [bad("x1", SEVEN, ValueError, "got arrays of the shapes (7,) and (1, 3), which do not broadcast")],
    "logit": [bad("x", COMPLEX, TypeError, "take corearray.abs(x) or corearray.real(x) first")],
    "logsigmoid": [bad("x", COMPLEX, TypeError, "take corearray.abs(x) or corearray.real(x) first")],
    "logspace": [bad("num", -2, ValueError, "the number of values is at least 0")],
    "lp_normalize": [bad("x", SCALAR, IndexError, "there is none to choose")],
    "lstm": [
        bad("x", SCALAR, ValueError, "it must have axes for time and features, and a number of steps,"),
        bad("weights", [], ValueError, "give 2 for each layer and direction: two matrices and, if any, t"),
    ],
    "lstm_update": [bad("x", SCALAR, ValueError, "it must have axes for time and features, and a number of steps,")],
    "lu_solve": [
        bad("trans", "sideways", ValueError, "it is 0, 1, 2, 'N', 'T' or 'C'"),
        bad("pivots", SCALAR, TypeError, "give the integers that lu_factor returned"),
        bad("b", SCALAR, ValueError, "give sides of shape (2,) or (..., 2, K)"),
    ],
    "make_svd_non_negative": [
        bad("nntype", "sideways", ValueError, "it is 'nndsvd' or 'nndsvda'"),
        bad("x", SCALAR, ValueError, "give (M, N), (M, K), (K,) and (K, N)"),
    ],
    "matmul": [
        bad("x1", SCALAR, ValueError, "both must have axes, for numbers use multiply"),
        bad("x2", 2.0, ValueError, "an array of the shape (2, 3); both must have axes, for numbers use multiply"),
    ],
    "matricize": [bad("x", SCALAR, IndexError, "was asked for the modes (1,) of a tensor with 0 modes")],
    "matrix_norm": [bad("x", SCALAR, ValueError, "matrices have at least 2 axes")],
    "matrix_power": [bad("x", SCALAR, ValueError, "square matrices are needed, of the shape (..., M, M)")],
    "matrix_rank": [bad("x", SCALAR, ValueError, "matrices have at least 2 axes")],
    "matrix_transpose": [bad("x", SCALAR, ValueError, "matrices have at least 2 axes")],
    "max": [bad("x", COMPLEX, TypeError, "take corearray.abs(x) or corearray.real(x) first")],
    "max_pool1d": [
        bad("window_shape", -2, ValueError, "give an integer of at least 1, or 1 of them, one for each axis"),
        bad("strides", -2, ValueError, "give an integer of at least 1, or 1 of them, one for each axis"),
    ],
    "max_pool2d": [
        bad("window_shape", -2, ValueError, "give an integer of at least 1, or 2 of them, one for each axis"),
        bad("strides", -2, ValueError, "give an integer of at least 1, or 2 of them, one for each axis"),
    ],
    "max_pool3d": [
        bad("window_shape", -2, ValueError, "give an integer of at least 1, or 3 of them, one for each axis"),
        bad("strides", -2, ValueError, "give an integer of at least 1, or 3 of them, one for each axis"),
    ],
    "max_pool_with_indices": [
        bad("window_shape", -2, ValueError, "give an integer of at least 1, or 2 of them, one for each axis"),
        bad("strides", -2, ValueError, "give an integer of at least 1, or 2 of them, one for each axis"),
        bad("x", SIX, ValueError, "a window must fit into the axis"),
    ],
    "max_unpool1d": [
        bad("window_shape", -2, ValueError, "give an integer of at least 1, or 1 of them, one for each axis"),
        bad("strides", -2, ValueError, "give an integer of at least 1, or 1 of them, one for each axis"),
        bad("x", SCALAR, ValueError, "these are the same"),
    ],
    "max_unpool2d": [
        bad("window_shape", -2, ValueError, "give an integer of at least 1, or 2 of them, one for each axis"),
        bad("strides", -2, ValueError, "give an integer of at least 1, or 2 of them, one for each axis"),
        bad("x", SCALAR, ValueError, "these are the same"),
    ],
    "max_unpool3d": [
        bad("window_shape", -2, ValueError, "give an integer of at least 1, or 3 of them, one for each axis"),
        bad("strides", -2, ValueError, "give an integer of at least 1, or 3 of them, one for each axis"),
        bad("x", SCALAR, ValueError, "these are the same"),
    ],
    "maximum": [bad("x1", SEVEN, ValueError, "got arrays of the shapes (7,) and (1, 3), which do not broadcast")],
    "median": [bad("x", COMPLEX, TypeError, "take corearray.abs(x) or corearray.real(x) first")],
    "mel_weight_matrix": [
        bad("num_mel_bins", -2, ValueError, "numbers are at least 1, and the edges ascend from 0 to half the"),
        bad("dft_length", -2, ValueError, "numbers are at least 1, and the edges ascend from 0 to half the"),
    ],
    "min": [bad("x", COMPLEX, TypeError, "take corearray.abs(x) or corearray.real(x) first")],
    "minimum": [bad("x1", SEVEN, ValueError, "got arrays of the shapes (7,) and (1, 3), which do not broadcast")],
    "mode_dot": [bad("x", SCALAR, IndexError, "was asked for mode 0 of a tensor with 0 axes")],
    "modf": [bad("x", COMPLEX, TypeError, "take corearray.abs(x) or corearray.real(x) first")],
    "moveaxis": [bad("x", SCALAR, IndexError, "there is none to choose")],
    "msort": [bad("x", SCALAR, IndexError, "there is none to choose")],
    "multi_dot": [bad("arrays", [], ValueError, "give two or more matrices that match")],
    "multi_head_attention": [
        bad("query", SCALAR, ValueError, "give at least two axes, of which the last can be divided"),
        bad("in_proj_weight", SCALAR, ValueError, "its first axis must be three times as long"),
    ],
    "multi_mode_dot": [bad("x", SCALAR, IndexError, "was asked for mode 0 of a tensor with 0 axes")],
    "multiply": [bad("x1", SEVEN, ValueError, "got arrays of the shapes (7,) and (1, 3), which do not broadcast")],
    "nanmax": [bad("x", COMPLEX, TypeError, "take corearray.abs(x) or corearray.real(x) first")],
    "nanmedian": [bad("x", COMPLEX, TypeError, "take corearray.abs(x) or corearray.real(x) first")],
    "nanmin": [bad("x", COMPLEX, TypeError, "take corearray.abs(x) or corearray.real(x) first")],
    "nanquantile": [
        bad("method", "sideways", ValueError, "give 'averaged_inverted_cdf', 'closest_observation', 'hazen', 'h"),
        bad("weights", SEVEN, ValueError, "give method='inverted_cdf'"),
        bad("x", COMPLEX, TypeError, "take corearray.abs(x) or corearray.real(x) first"),
    ],
    "nms": [
        bad("iou_threshold", -2, ValueError, "the threshold is from 0 to 1, the number at least 0"),
        bad("max_output_size", -2, ValueError, "the threshold is from 0 to 1, the number at least 0"),
        bad("boxes", SCALAR, ValueError, "they have the shapes (N, 4) and (N,)"),
    ],
    "nonzero": [bad("x", SCALAR, ValueError, "it has no axes, and so no indices: compare it with 0")],
    "one_hot": [
        bad("num_classes", -2, ValueError, "the number of classes is at least 0"),
        bad("indices", SCALAR, IndexError, "there is none to choose"),
    ],
    "ones": [
        bad("shape", -2, ValueError, "sizes are at least 0"),
        bad("shape", (10**10, 10**10), ValueError, "which has more elements than any memory"),
    ],
    "outer": [bad("x1", SCALAR, ValueError, "both must have one axis")],
    "pad": [
        bad("pad_width", -2, ValueError, "the widths are at least 0, shorten by indexing"),
        bad("mode", "sideways", ValueError, "it is one of 'constant', 'empty', 'linear_ramp', 'maximum', 'mea"),
    ],
    "pad_sequence": [bad("arrays", [], ValueError, "takes at least one array, and each with at least one axis")],
    "parafac": [
        bad("rank", -2, ValueError, "give a positive rank, and at least one mode"),
        bad("n_iter_max", -2, ValueError, "the number of rounds is at least 0"),
        bad("x", SCALAR, ValueError, "give a positive rank, and at least one mode"),
        bad("init", [], ValueError, "give [(1, 1), (2, 1), (2, 1)]"),
    ],
    "partial_fold": [
        bad("skip_begin", -2, ValueError, "leave one axis at least"),
        bad("x", SCALAR, ValueError, "got an array of shape () for the shape (1, 2, 2)"),
    ],
    "partial_tensor_to_vec": [
        bad("skip_begin", -2, ValueError, "leave one axis at least"),
        bad("x", SCALAR, ValueError, "leave one axis at least"),
    ],
    "partial_tucker": [
        bad("rank", -2, ValueError, "give for each a rank between 1 and its length"),
        bad("n_iter_max", -2, ValueError, "the number of rounds is at least 0"),
        bad("x", SCALAR, IndexError, "was asked for the modes (0,) of a tensor with 0 modes"),
    ],
    "partial_unfold": [
        bad("skip_begin", -2, ValueError, "leave one axis at least"),
        bad("x", SCALAR, ValueError, "leave one axis at least"),
    ],
    "partial_vec_to_tensor": [
        bad("skip_begin", -2, ValueError, "leave one axis at least"),
        bad("x", SCALAR, ValueError, "got an array of shape () for the shape (1, 2, 2)"),
    ],
    "permute_dims": [bad("x", SCALAR, IndexError, "there is none to choose")],
    "pinv": [bad("x", SCALAR, ValueError, "matrices have at least 2 axes")],
    "poisson_nll_loss": [
        bad("reduction", "sideways", ValueError, "it is one of 'mean', 'sum', 'none'"),
        bad("pred", SEVEN, ValueError, "got arrays of the shapes (7,) and (1, 3), which do not broadcast"),
    ],
    "polyval": [bad("coefficients", SCALAR, ValueError, "they have one axis")],
    "pool": [
        bad("window_shape", -2, ValueError, "give an integer of at least 1, or 2 of them, one for each axis"),
        bad("strides", -2, ValueError, "give an integer of at least 1, or 2 of them, one for each axis"),
        bad("x", SIX, ValueError, "a window must fit into the axis"),
    ],
    "prelu": [bad("weight", SEVEN, ValueError, "give 3, or name the axis of the channels")],
    "put_along_axis": [
        bad("reduction", "sideways", ValueError, "it is one of 'sum', 'prod', 'min', 'max', 'replace'"),
        bad("x", SCALAR, IndexError, "there is none to choose"),
    ],
    "qr": [bad("x", SCALAR, ValueError, "matrices have at least 2 axes")],
    "quantile": [
        bad("method", "sideways", ValueError, "give 'averaged_inverted_cdf', 'closest_observation', 'hazen', 'h"),
        bad("weights", SEVEN, ValueError, "give method='inverted_cdf'"),
        bad("x", COMPLEX, TypeError, "take corearray.abs(x) or corearray.real(x) first"),
    ],
    "rad2deg": [bad("x", COMPLEX, TypeError, "take corearray.abs(x) or corearray.real(x) first")],
    "ravel_multi_index": [
        bad("shape", (3, -2), ValueError, "sizes are at least 0"),
        bad("indices", [], ValueError, "give one for each axis"),
    ],
    "reduce": [
        bad("computation", "sideways", ValueError, "got computation='sideways', and there is no function of this nam"),
        bad("x", SCALAR, IndexError, "there is none to choose"),
        bad("init_value", SEVEN, ValueError, "give one without axes"),
    ],
    "reduce_window": [
        bad("window_shape", -2, ValueError, "give an integer of at least 1, or 2 of them, one for each axis"),
        bad("strides", -2, ValueError, "give an integer of at least 1, or 2 of them, one for each axis"),
        bad("x", SCALAR, ValueError, "got an array without axes, over which no window slides"),
    ],
    "relu6": [bad("x", COMPLEX, TypeError, "take corearray.abs(x) or corearray.real(x) first")],
    "remainder": [bad("x1", SEVEN, ValueError, "got arrays of the shapes (7,) and (1, 3), which do not broadcast")],
    "repeat": [bad("repeats", SEVEN, TypeError, "they are integers")],
    "reshape": [
        bad("x", SCALAR, ValueError, "got an array of the shape () with 1 elements, which do not fit i"),
        bad("shape", np.asarray([5, 2]), ValueError, "which do not fit into the shape (5, 2)"),
    ],
    "rfft": [
        bad("n", -2, ValueError, "it transforms at least 1 element"),
        bad("x", SCALAR, IndexError, "there is none to choose"),
    ],
    "rfftfreq": [bad("n", -2, ValueError, "it transforms at least 1 element")],
    "rfftn": [
        bad("s", (3, -2), ValueError, "it transforms at least 1 element along each axis"),
        bad("x", SCALAR, ValueError, "it needs at least one"),
    ],
    "rnn": [
        bad("nonlinearity", "sideways", ValueError, "it is one of 'tanh', 'relu'"),
        bad("x", SCALAR, ValueError, "it must have axes for time and features, and a number of steps,"),
        bad("weights", [], ValueError, "give 2 for each layer and direction: two matrices and, if any, t"),
    ],
    "roi_align": [
        bad("output_size", -2, ValueError, "give a height and a width of at least 1"),
        bad("x", SCALAR, ValueError, "they have the shapes (N, C, H, W), with elements, and (K, 5)"),
    ],
    "rot90": [bad("x", SCALAR, IndexError, "there is none to choose")],
    "scaled_dot_product_attention": [
        bad("query", SCALAR, ValueError, "they must be (..., L, E), (..., S, E) and (..., S, V)"),
        bad("mask", SEVEN, ValueError, "got a mask of the shape (7,), which does not broadcast to (3, 2)"),
    ],
    "scatter_along_axis": [
        bad("reduction", "sideways", ValueError, "it is one of 'sum', 'prod', 'min', 'max', 'replace'"),
        bad("x", SCALAR, IndexError, "there is none to choose"),
    ],
    "scatter_flat": [
        bad("size", -2, ValueError, "sizes are at least 0"),
        bad("reduction", "sideways", ValueError, "it is one of 'sum', 'prod', 'min', 'max', 'replace'"),
        bad("indices", SCALAR, ValueError, "it writes as many elements as there are indices into an array wi"),
        bad("base", SEVEN, ValueError, "takes either 'size', for zeros to write onto, or 'base'"),
    ],
    "scatter_nd": [
        bad("reduction", "sideways", ValueError, "it is one of 'sum', 'prod', 'min', 'max', 'replace'"),
        bad("indices", SCALAR, ValueError, "for indices of shape (..., K) the updates have the shape (...) a"),
        bad("base", SCALAR, ValueError, "takes either 'shape', for zeros to write onto, or 'base'"),
    ],
    "searchsorted": [bad("x1", SCALAR, ValueError, "it has one axis")],
    "selu": [bad("x", COMPLEX, TypeError, "take corearray.abs(x) or corearray.real(x) first")],
    "sliding_window": [
        bad("window_shape", -2, ValueError, "give an integer of at least 1, or 1 of them, one for each axis"),
        bad("strides", -2, ValueError, "give an integer of at least 1, or 1 of them, one for each axis"),
        bad("x", SCALAR, IndexError, "there is none to choose"),
    ],
    "slogdet": [bad("x", SCALAR, ValueError, "square matrices are needed, of the shape (..., M, M)")],
    "smooth_l1_loss": [
        bad("beta", -2, ValueError, "it must be at least 0"),
        bad("reduction", "sideways", ValueError, "it is one of 'mean', 'sum', 'none'"),
        bad("pred", SEVEN, ValueError, "got arrays of the shapes (7,) and (1, 3), which do not broadcast"),
    ],
    "soft_margin_loss": [
        bad("reduction", "sideways", ValueError, "it is one of 'mean', 'sum', 'none'"),
        bad("pred", SEVEN, ValueError, "got arrays of the shapes (7,) and (1, 3), which do not broadcast"),
    ],
    "softmax": [bad("x", SCALAR, IndexError, "there is none to choose")],
    "softshrink": [bad("x", COMPLEX, TypeError, "take corearray.abs(x) or corearray.real(x) first")],
    "solve": [
        bad("x1", SCALAR, ValueError, "square matrices are needed, of the shape (..., M, M)"),
        bad("x2", SCALAR, ValueError, "the second must have 2 rows"),
    ],
    "solve_triangular": [
        bad("trans", "sideways", ValueError, "it is 0, 1, 2, 'N', 'T' or 'C'"),
        bad("x2", SCALAR, ValueError, "give sides of shape (2,) or (..., 2, K)"),
    ],
    "sort": [bad("x", SCALAR, IndexError, "there is none to choose")],
    "sparse_cross_entropy": [
        bad("label_smoothing", -2, ValueError, "it lies between 0 and 1"),
        bad("reduction", "sideways", ValueError, "it is one of 'mean', 'sum', 'none'"),
        bad("pred", SCALAR, IndexError, "there is none to choose"),
        bad("pred", np.ones((2, 0), "float32"), ValueError, "there must be a class along axis 1"),
    ],
    "split": [
        bad("indices_or_sections", -2, ValueError, "choose a number that divides its length, or call array_split"),
        bad("x", SCALAR, IndexError, "there is none to choose"),
    ],
    "squeeze": [bad("x", SCALAR, IndexError, "there is none to choose")],
    "ssim_loss": [
        bad("window_size", -2, ValueError, "was asked for window_size=-2 in images of shape (1, 2, 2, 1)"),
        bad("sigma", -2, ValueError, "it is greater than 0"),
        bad("data_format", "sideways", ValueError, "it is one of 'channels_first', 'channels_last'"),
        bad("reduction", "sideways", ValueError, "it is one of 'mean', 'sum', 'none'"),
    ],
    "stable_divide": [
        bad("numerator", SEVEN, ValueError, "got arrays of the shapes (7,) and (1, 3), which do not broadcast")
    ],
    "stable_pow": [bad("base", SEVEN, ValueError, "got arrays of the shapes (7,) and (1, 3), which do not broadcast")],
    "stack": [bad("arrays", [], ValueError, "at least one is needed")],
    "stft": [
        bad("pad_mode", "sideways", ValueError, "it is one of 'constant', 'empty', 'linear_ramp', 'maximum', 'mea"),
        bad("window", SCALAR, ValueError, "it is of shape (2,)"),
    ],
    "subtract": [bad("x1", SEVEN, ValueError, "got arrays of the shapes (7,) and (1, 3), which do not broadcast")],
    "svd": [bad("x", SCALAR, ValueError, "matrices have at least 2 axes")],
    "svdvals": [bad("x", SCALAR, ValueError, "matrices have at least 2 axes")],
    "swapaxes": [bad("x", SCALAR, IndexError, "an array without axes has none to choose")],
    "take": [
        bad("x", SCALAR, ValueError, "got arrays of the shapes () and (2,) and no axis, which may be l"),
        bad("indices", SCALAR, TypeError, "they are integers"),
        bad("indices", 1.5, TypeError, "they are integers"),
        bad("indices", 7, IndexError, "index 7 is out of range for axis 0 of length 3; valid are -3 to 2"),
        bad("indices", [0, -4], IndexError, "index -4 is out of range for axis 0 of length 3; valid are -3 to 2"),
    ],
    "take_along_axis": [bad("x", SCALAR, IndexError, "there is none to choose")],
    "tanhshrink": [bad("x", COMPLEX, TypeError, "take corearray.abs(x) or corearray.real(x) first")],
    "tensor_train": [
        bad("rank", -2, ValueError, "give a positive number, or 4 of which the first and the last are"),
        bad("x", SCALAR, ValueError, "give a positive number, or 1 of which the first and the last are"),
    ],
    "tensordot": [bad("x1", SCALAR, ValueError, "with axes=1, more than one of them has")],
    "tensorinv": [
        bad("ind", -2, ValueError, "give a positive number of axes that have together as many elemen"),
        bad("x", SEVEN, ValueError, "give a positive number of axes that have together as many elemen"),
    ],
    "tensorsolve": [bad("x1", SCALAR, ValueError, "the first has the axes of the second and then others with togeth")],
    "threshold": [bad("x", COMPLEX, TypeError, "take corearray.abs(x) or corearray.real(x) first")],
    "thresholded_relu": [bad("x", COMPLEX, TypeError, "take corearray.abs(x) or corearray.real(x) first")],
    "tile": [bad("repetitions", (3, -2), ValueError, "the number of copies is at least 0")],
    "top_k": [
        bad("k", -2, ValueError, "it is from 0 to that length"),
        bad("x", SCALAR, IndexError, "there is none to choose"),
    ],
    "tr_to_tensor": [
        bad("factors", [], ValueError, "give arrays with 3 axes, each of which begins with the rank with")
    ],
    "trace": [bad("x", SCALAR, ValueError, "matrices have at least 2 axes")],
    "trapezoid": [
        bad("y", SCALAR, IndexError, "there is none to choose"),
        bad("x", SCALAR, ValueError, "got x of shape () for y of shape (2, 3) along axis -1"),
    ],
    "tril": [bad("x", SCALAR, ValueError, "matrices have at least 2 axes")],
    "tril_indices": [
        bad("n", -2, ValueError, "sizes are at least 0"),
        bad("m", -2, ValueError, "sizes are at least 0"),
    ],
    "trim_zeros": [bad("trim", "sideways", ValueError, "it is 'f', 'b' or 'fb'")],
    "triu": [bad("x", SCALAR, ValueError, "matrices have at least 2 axes")],
    "triu_indices": [
        bad("n", -2, ValueError, "sizes are at least 0"),
        bad("m", -2, ValueError, "sizes are at least 0"),
    ],
    "trunc_divide": [bad("x1", COMPLEX, TypeError, "take corearray.abs(x) or corearray.real(x) first")],
    "truncated_svd": [bad("n_eigenvecs", -2, ValueError, "there are 3")],
    "tt_matrix_to_tensor": [
        bad("factors", [], ValueError, "give arrays with 4 axes, each of which begins with the rank with")
    ],
    "tt_to_tensor": [
        bad("factors", [], ValueError, "give arrays with 3 axes, each of which begins with the rank with")
    ],
    "tucker": [
        bad("rank", -2, ValueError, "give for each a rank between 1 and its length"),
        bad("n_iter_max", -2, ValueError, "the number of rounds is at least 0"),
        bad("x", SCALAR, ValueError, "give for each a rank between 1 and its length"),
        bad("init", [], ValueError, "give [(2, 1), (2, 1)]"),
    ],
    "unflatten": [bad("x", SCALAR, IndexError, "there is none to choose")],
    "unfold": [bad("x", SCALAR, IndexError, "was asked for mode 1 of a tensor with 0 axes")],
    "unravel_index": [
        bad("shape", (3, -2), ValueError, "sizes are at least 0"),
        bad("indices", SCALAR, TypeError, "they are integers"),
    ],
    "unsorted_segment_max": [
        bad("x", SCALAR, ValueError, "the shape of the array begins with that of the ids, and the numb"),
        bad("segment_ids", SCALAR, TypeError, "they are integers"),
    ],
    "unsorted_segment_mean": [
        bad("x", SCALAR, ValueError, "the shape of the array begins with that of the ids, and the numb"),
        bad("segment_ids", SCALAR, TypeError, "they are integers"),
    ],
    "unsorted_segment_min": [
        bad("x", SCALAR, ValueError, "the shape of the array begins with that of the ids, and the numb"),
        bad("segment_ids", SCALAR, TypeError, "they are integers"),
    ],
    "unsorted_segment_prod": [
        bad("x", SCALAR, ValueError, "the shape of the array begins with that of the ids, and the numb"),
        bad("segment_ids", SCALAR, TypeError, "they are integers"),
    ],
    "unsorted_segment_sum": [
        bad("x", SCALAR, ValueError, "the shape of the array begins with that of the ids, and the numb"),
        bad("segment_ids", SCALAR, TypeError, "they are integers"),
    ],
    "unstack": [bad("x", SCALAR, IndexError, "there is none to choose")],
    "vecdot": [bad("x1", SCALAR, IndexError, "there is none to choose")],
    "vector_to_skew_symmetric_matrix": [bad("x", SCALAR, ValueError, "the last axis has length 3")],
    "vorbis_window": [bad("size", -2, ValueError, "the number of weights is at least 0")],
    "vsplit": [
        bad("indices_or_sections", -2, ValueError, "choose a number that divides its length, or call array_split"),
        bad("x", SCALAR, ValueError, "one of shape () goes to split"),
    ],
    "vstack": [bad("arrays", [], ValueError, "at least one is needed")],
    "wasserstein_loss_discriminator": [
        bad("real", COMPLEX, TypeError, "take corearray.abs(x) or corearray.real(x) first")
    ],
    "wasserstein_loss_generator": [bad("fake", COMPLEX, TypeError, "take corearray.abs(x) or corearray.real(x) first")],
    "where": [
        bad("condition", SCALAR, TypeError, "it is boolean, write x != 0"),
        bad("x1", SEVEN, ValueError, "got arrays of the shapes (2, 3) and (7,), which do not broadcast"),
    ],
    "zeros": [
        bad("shape", -2, ValueError, "sizes are at least 0"),
        bad("shape", (10**10, 10**10), ValueError, "which has more elements than any memory"),
    ],
    "zeta": [bad("x", SEVEN, ValueError, "got arrays of the shapes (7,) and (1, 3), which do not broadcast")],
}
