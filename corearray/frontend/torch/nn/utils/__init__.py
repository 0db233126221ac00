"""torch.nn.utils on every backend: clipping of gradients, parameters as one vector, and parametrizations."""

from __future__ import annotations

from corearray.frontend.torch.nn.utils import fusion, init, parametrizations, parametrize, prune, rnn, stateless
from corearray.frontend.torch.nn.utils.fusion import (
    fuse_conv_bn_eval,
    fuse_conv_bn_weights,
    fuse_linear_bn_eval,
    fuse_linear_bn_weights,
)
from corearray.frontend.torch.nn.utils.gradients import (
    clip_grad_norm_,
    clip_grad_value_,
    clip_grads_with_norm_,
    get_total_norm,
    parameters_to_vector,
    vector_to_parameters,
)
from corearray.frontend.torch.nn.utils.hooked import remove_weight_norm, weight_norm
from corearray.frontend.torch.nn.utils.init import skip_init
from corearray.frontend.torch.nn.utils.spectral import remove_spectral_norm, spectral_norm

__all__ = [
    "clip_grad_norm_", "clip_grad_value_", "clip_grads_with_norm_", "fuse_conv_bn_eval", "fuse_conv_bn_weights",
    "fuse_linear_bn_eval", "fuse_linear_bn_weights", "fusion", "get_total_norm", "init", "parameters_to_vector",
    "parametrizations", "parametrize", "prune", "remove_spectral_norm", "remove_weight_norm", "rnn", "skip_init",
    "spectral_norm", "stateless", "vector_to_parameters", "weight_norm",
]  # fmt: skip
