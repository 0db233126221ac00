"""torch.nn.utils on every backend: clipping of gradients, parameters as one vector, and parametrizations."""

from __future__ import annotations

from corearray.frontend.torch.nn.utils import parametrizations, parametrize, rnn
from corearray.frontend.torch.nn.utils.gradients import (
    clip_grad_norm_,
    clip_grad_value_,
    clip_grads_with_norm_,
    get_total_norm,
    parameters_to_vector,
    vector_to_parameters,
)
from corearray.frontend.torch.nn.utils.hooked import remove_weight_norm, weight_norm

__all__ = [
    "clip_grad_norm_", "clip_grad_value_", "clip_grads_with_norm_", "get_total_norm", "parameters_to_vector",
    "parametrizations", "parametrize", "remove_weight_norm", "rnn", "vector_to_parameters", "weight_norm",
]  # fmt: skip
