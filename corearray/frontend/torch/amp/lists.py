"""The functions that torch casts within `autocast`, by the last parts of their names.

Source: https://docs.pytorch.org/docs/stable/amp.html#autocast-op-reference
"""

from __future__ import annotations

__all__ = ["POLICIES"]

#: Functions that are made of products, in torch or here.
_PRODUCTS = (
    "_addmm_activation addbmm addmm baddbmm bmm conv1d conv2d conv3d conv_tbc conv_transpose1d conv_transpose2d "
    "conv_transpose3d convolution linear linalg.multi_dot linalg.vecdot matmul mm prelu scaled_dot_product_attention "
    "multi_head_attention_forward einsum chain_matmul inner _convolution "
    "Linear Conv1d Conv2d Conv3d ConvTranspose1d ConvTranspose2d ConvTranspose3d PReLU"
)

_LOSSES = (
    "cosine_embedding_loss hinge_embedding_loss huber_loss kl_div l1_loss margin_ranking_loss mse_loss "
    "multi_margin_loss multilabel_margin_loss nll_loss poisson_nll_loss smooth_l1_loss soft_margin_loss "
    "triplet_margin_loss binary_cross_entropy_with_logits cross_entropy cdist"
)

#: The functions of each policy (`half`: to the dtype of the block; `float32`; `widest`: to the widest dtype of an argument), by
#: the kind of device.
POLICIES: dict[str, dict[str, str]] = {
    "cpu": {
        **dict.fromkeys(
            f"{_PRODUCTS} tensordot linalg.matrix_power matrix_power linalg.pinv pinverse corrcoef cov LSTM RNN".split(),
            "half",
        ),
        **dict.fromkeys(
            (
                f"{_LOSSES} binary_cross_entropy ctc_loss avg_pool3d grid_sample grid_sampler polar prod quantile "
                "nanquantile stft istft trace view_as_complex cholesky cholesky_inverse cholesky_solve inverse lu_solve "
                "max_pool3d max_unpool2d max_unpool3d adaptive_avg_pool3d adaptive_max_pool3d fractional_max_pool2d "
                "fractional_max_pool3d qr svd triangular_solve orgqr ormqr geqrf linalg.cond linalg.matrix_rank linalg.solve "
                "linalg.cholesky linalg.cholesky_ex linalg.svd linalg.svdvals linalg.eig linalg.eigh linalg.eigvals "
                "linalg.eigvalsh linalg.inv linalg.inv_ex linalg.householder_product linalg.tensorinv linalg.tensorsolve "
                "linalg.qr linalg.lstsq fft.fft fft.ifft fft.fft2 fft.ifft2 fft.fftn fft.ifftn fft.rfft fft.irfft fft.rfft2 "
                "fft.irfft2 fft.rfftn fft.irfftn fft.hfft fft.ihfft "
                "AvgPool3d MaxPool3d AdaptiveAvgPool3d AdaptiveMaxPool3d MaxUnpool2d MaxUnpool3d FractionalMaxPool2d "
                "FractionalMaxPool3d ReflectionPad1d ReflectionPad2d ReplicationPad1d ReplicationPad2d ReplicationPad3d pad"
            ).split(),
            "float32",
        ),
        **dict.fromkeys("cat concat concatenate stack index_copy".split(), "widest"),
    },
    "cuda": {
        **dict.fromkeys(
            f"{_PRODUCTS} addmv addr mv lstm_cell gru_cell rnn_tanh_cell rnn_relu_cell LSTMCell GRUCell RNNCell".split(),
            "half",
        ),
        **dict.fromkeys(
            (
                f"{_LOSSES} acos arccos asin arcsin cosh erfinv exp expm1 log log10 log2 log1p reciprocal rsqrt sinh tan pow "
                "softplus layer_norm rms_norm group_norm frobenius_norm nuclear_norm norm linalg.norm linalg.vector_norm "
                "linalg.matrix_norm cosine_similarity dist pdist renorm logsumexp prod softmax log_softmax softmin cumprod "
                "cumsum sum Softplus LayerNorm RMSNorm GroupNorm Softmax LogSoftmax Softmin Softmax2d CosineSimilarity"
            ).split(),
            "float32",
        ),
        **dict.fromkeys(
            "addcdiv addcmul atan2 arctan2 bilinear Bilinear cross linalg.cross dot vdot grid_sample grid_sampler index_put "
            "tensordot scatter_add cat concat concatenate stack".split(),
            "widest",
        ),
    },
}
