"""torch.optim on every backend: optimisers by torch's names over those of `corearray.optim`, and their schedules."""

from corearray.frontend.torch.optim import lr_scheduler
from corearray.frontend.torch.optim.optimizers import (
    SGD,
    Adadelta,
    Adafactor,
    Adagrad,
    Adam,
    Adamax,
    AdamW,
    Muon,
    NAdam,
    Optimizer,
    RAdam,
    RMSprop,
)

__all__ = [
    "SGD",
    "Adadelta",
    "Adafactor",
    "Adagrad",
    "Adam",
    "AdamW",
    "Adamax",
    "Muon",
    "NAdam",
    "Optimizer",
    "RAdam",
    "RMSprop",
    "lr_scheduler",
]
