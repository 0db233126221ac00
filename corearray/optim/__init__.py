"""Optimisers, schedules of learning rates, and what they are composed of.

An optimiser is a `Transformation`: `state = optimizer.init(parameters)`, then
`parameters, state = optimizer.update(gradients, state, parameters)` in each step. Both are pure functions of trees of arrays,
which run eagerly and in `corearray.compile` on every backend. Step counts and learning rates are arrays of the state, so
that a schedule does not trace a compiled step again. Names and defaults are those of `torch.optim`.
"""

from corearray.optim.adam import adam, adamw, scale_by_adam
from corearray.optim.clipping import clip_by_global_norm, clip_by_norm, clip_by_value
from corearray.optim.masks import add_decayed_weights, masked, partition
from corearray.optim.sgd import sgd, trace
from corearray.optim.transform import (
    Transformation,
    apply_updates,
    chain,
    identity,
    scale,
    scale_by_learning_rate,
    stateless,
)

__all__ = [
    "Transformation",
    "adam",
    "adamw",
    "add_decayed_weights",
    "apply_updates",
    "chain",
    "clip_by_global_norm",
    "clip_by_norm",
    "clip_by_value",
    "identity",
    "masked",
    "partition",
    "scale",
    "scale_by_adam",
    "scale_by_learning_rate",
    "sgd",
    "stateless",
    "trace",
]
