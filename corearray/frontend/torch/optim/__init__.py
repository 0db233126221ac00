"""torch.optim on every backend: optimisers by torch's names over those of `corearray.optim`, and their schedules."""

from corearray.frontend.torch.optim import lr_scheduler, swa_utils
from corearray.frontend.torch.optim.averaged import ASGD
from corearray.frontend.torch.optim.base import Optimizer
from corearray.frontend.torch.optim.lbfgs import LBFGS
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
    RAdam,
    RMSprop,
)
from corearray.frontend.torch.optim.rprop import Rprop
from corearray.frontend.torch.optim.sparse_adam import SparseAdam

__all__ = [
    "ASGD",
    "LBFGS",
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
    "Rprop",
    "SparseAdam",
    "lr_scheduler",
    "swa_utils",
]
