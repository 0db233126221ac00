"""Modules of `corearray.nn` in the training loops of others: the losses are those of `nn.TrainStep`.

python tests/models/guests_judge.py                     # all loops, a line each
python tests/models/guests_judge.py lightning optax
"""

from __future__ import annotations

import logging
import sys
import tempfile
import warnings
from collections.abc import Callable

import numpy as np

import corearray as ca
from corearray import nn, optim

RATE, STEPS = 1e-2, 10
RANDOM = np.random.default_rng(0)
BATCHES = [(RANDOM.normal(size=(16, 1, 8, 8)).astype("float32"), RANDOM.integers(0, 10, 16)) for _ in range(STEPS)]


def model() -> nn.Module:
    ca.random.seed(0)
    return nn.Sequential(nn.Conv2d(1, 4, 3), nn.BatchNorm2d(4), nn.ReLU(), nn.Flatten(), nn.Linear(144, 10))


def train_step(backend: str) -> list[float]:
    with ca.backend_context(backend):
        step = nn.TrainStep(model(), lambda m, x, y: ca.sparse_cross_entropy(m(x), y), optim.adam(RATE), compile=False)
        return [float(step(ca.asarray(x), ca.asarray(y))) for x, y in BATCHES]


def lightning() -> tuple[list[float], list[float]]:
    import torch
    from lightning import LightningModule, Trainer

    logging.getLogger("lightning.pytorch").setLevel(logging.ERROR)
    losses = []

    class Guest(LightningModule):
        def __init__(self) -> None:
            super().__init__()
            with ca.backend_context("torch"):
                self.inner = nn.to_torch(model())

        def training_step(self, batch, _):
            loss = torch.nn.functional.cross_entropy(self.inner(batch[0]), batch[1])
            losses.append(loss.item())
            return loss

        def configure_optimizers(self):
            return torch.optim.Adam(self.parameters(), lr=RATE)

    loader = torch.utils.data.DataLoader([tuple(map(torch.from_numpy, batch)) for batch in BATCHES], batch_size=None)
    with tempfile.TemporaryDirectory() as folder:
        trainer = Trainer(
            max_epochs=1, accelerator="cpu", logger=False, enable_progress_bar=False, enable_model_summary=False,
            default_root_dir=folder,
        )  # fmt: skip
        trainer.fit(Guest(), loader)
    return losses, train_step("torch")


def optax() -> tuple[list[float], list[float]]:
    import jax
    from flax.training.train_state import TrainState
    from optax import adam, softmax_cross_entropy_with_integer_labels

    with ca.backend_context("jax"):
        guest = nn.to_flax(model())
    params, statistics = (guest.init()[name] for name in ("params", "batch_stats"))
    state, losses = TrainState.create(apply_fn=guest.apply, params=params, tx=adam(RATE)), []

    @jax.jit
    def step(state, statistics, x, y):
        def loss(params):
            variables = {"params": params, "batch_stats": statistics}
            logits, new = state.apply_fn(variables, x, train=True, mutable=["batch_stats"])
            return softmax_cross_entropy_with_integer_labels(logits, y).mean(), new["batch_stats"]

        (value, statistics), slopes = jax.value_and_grad(loss, has_aux=True)(state.params)
        return state.apply_gradients(grads=slopes), statistics, value

    for x, y in BATCHES:
        state, statistics, value = step(state, statistics, x, y)
        losses.append(float(value))
    return losses, train_step("jax")


LOOPS: dict[str, Callable[[], tuple[list[float], list[float]]]] = {"lightning": lightning, "optax": optax}

if __name__ == "__main__":
    warnings.simplefilter("ignore")
    good = True
    for name in sys.argv[1:] or LOOPS:
        found, wanted = LOOPS[name]()
        worst = float(np.abs(np.array(found) / wanted - 1).max())
        good &= len(found) == STEPS and worst < 1e-5
        print(f"{name}: {len(found)} steps, losses differ by {worst:.1e}")
    sys.exit(not good)
