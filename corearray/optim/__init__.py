"""Optimisers, schedules of learning rates, and what they are composed of.

An optimiser is a `Transformation`: `state = optimizer.init(parameters)`, then
`parameters, state = optimizer.update(gradients, state, parameters)` in each step. Both are pure functions of trees of arrays,
which run eagerly and in `corearray.compile` on every backend. Step counts and learning rates are arrays of the state, so
that a schedule does not trace a compiled step again. Names and defaults are those of `torch.optim`.
"""

from typing import TYPE_CHECKING

from corearray.optim.adam import (
    adam,
    adamw,
    scale_by_adam,
)
from corearray.optim.adaptive import (
    adadelta,
    adafactor,
    adagrad,
    rmsprop,
)
from corearray.optim.averaging import (
    average_weights,
    averaged,
)
from corearray.optim.classes import (
    LAMB,
    LARS,
    SGD,
    Adadelta,
    Adafactor,
    Adagrad,
    Adam,
    Adamax,
    AdamW,
    Lion,
    Muon,
    NAdam,
    Optimizer,
    RAdam,
    RMSprop,
)
from corearray.optim.clipping import (
    clip_by_global_norm,
    clip_by_norm,
    clip_by_value,
)
from corearray.optim.layerwise import (
    lamb,
    lars,
    muon,
    orthogonalize,
    scale_by_trust_ratio,
)
from corearray.optim.masks import (
    add_decayed_weights,
    masked,
    partition,
)
from corearray.optim.phases import (
    join,
    one_cycle,
    warmup,
    warmup_cosine,
)
from corearray.optim.plateau import (
    plateau,
)
from corearray.optim.schedules import (
    Schedule,
    constant,
    cosine_decay,
    cosine_restarts,
    exponential_decay,
    linear,
    multistep_decay,
    polynomial_decay,
    step_decay,
)
from corearray.optim.sgd import (
    sgd,
    trace,
)
from corearray.optim.transform import (
    Transformation,
    apply_updates,
    chain,
    get_learning_rate,
    identity,
    scale,
    scale_by_learning_rate,
    set_learning_rate,
    stateless,
)
from corearray.optim.variants import (
    adamax,
    lion,
    nadam,
    radam,
)

__all__ = [
    "LAMB",
    "LARS",
    "SGD",
    "Adadelta",
    "Adafactor",
    "Adagrad",
    "Adam",
    "AdamW",
    "Adamax",
    "Lion",
    "Muon",
    "NAdam",
    "Optimizer",
    "RAdam",
    "RMSprop",
    "Schedule",
    "Transformation",
    "adadelta",
    "adafactor",
    "adagrad",
    "adam",
    "adamax",
    "adamw",
    "add_decayed_weights",
    "apply_updates",
    "average_weights",
    "averaged",
    "chain",
    "clip_by_global_norm",
    "clip_by_norm",
    "clip_by_value",
    "constant",
    "cosine_decay",
    "cosine_restarts",
    "exponential_decay",
    "get_learning_rate",
    "identity",
    "join",
    "lamb",
    "lars",
    "linear",
    "lion",
    "masked",
    "multistep_decay",
    "muon",
    "nadam",
    "one_cycle",
    "orthogonalize",
    "partition",
    "plateau",
    "polynomial_decay",
    "radam",
    "rmsprop",
    "scale",
    "scale_by_adam",
    "scale_by_learning_rate",
    "scale_by_trust_ratio",
    "set_learning_rate",
    "sgd",
    "stateless",
    "step_decay",
    "trace",
    "warmup",
    "warmup_cosine",
]

if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        """Say what a name of `torch.optim` is here (PEP 562)."""
        from corearray.nn.hints import of_optim

        raise AttributeError(f"module {__name__!r} has no attribute {name!r}{of_optim(name)}")
