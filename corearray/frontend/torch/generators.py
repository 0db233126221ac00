"""Generators of random numbers: the numbers are corearray's, the same on every backend, and not torch's."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import corearray as ca
from corearray.errors import CoreArrayRuntimeError
from corearray.frontend.frontend import get_frontend
from corearray.frontend.torch.devices import device

__all__ = [
    "Generator", "fork_rng", "generator_in", "get_rng_state", "initial_seed", "manual_seed", "seed", "set_rng_state",
]  # fmt: skip

#: The seed of a new `torch.Generator`.
_FIRST = 67280421310721


class Generator(ca.random.Generator):
    """A generator to pass as `generator=`: `torch.Generator().manual_seed(7)`.

    Examples
    --------
    >>> import corearray as ca
    >>> import corearray.frontend.torch as torch
    >>> with ca.backend_context("torch"):
    ...     one, other = (torch.rand(3, generator=torch.Generator().manual_seed(7)) for _ in range(2))
    ...     torch.equal(one, other)
    True
    """

    def __init__(self, device: Any = "cpu") -> None:
        super().__init__(_FIRST)
        self._seed, self._device = _FIRST, device

    @property
    def device(self) -> device:
        """The device that it was made for; the numbers are the same on each."""
        return device(self._device)

    def manual_seed(self, seed: int) -> Generator:
        """Begin anew with a seed, and return the generator."""
        super().__init__(int(seed) % 2**64)
        self._seed = int(seed)
        return self

    def seed(self) -> int:
        """Begin anew with a seed that the operating system draws, and return it."""
        drawn = int.from_bytes(os.urandom(7), "little")
        self.manual_seed(drawn)
        return drawn

    def initial_seed(self) -> int:
        """Return the seed."""
        return self._seed

    def get_state(self) -> Any:
        """Return the state, a tensor of bytes."""
        return _as_tensor(self)

    def set_state(self, new_state: Any) -> None:
        """Go on from a state."""
        _set(self, new_state)


def _as_tensor(generator: ca.random.Generator) -> Any:
    """Return the state of a generator as bytes: its key, and how many numbers it has drawn."""
    (first, second), count, native = generator.__getstate__()
    content = b"".join(n.to_bytes(8, "little") for n in (first, second, count)) + bytes([native])
    torch = get_frontend("torch")
    return torch.tensor(list(content), dtype=ca.uint8)


def _set(generator: ca.random.Generator, state: Any) -> None:
    content = bytes(state.tolist())
    if len(content) != 25:
        raise CoreArrayRuntimeError(f"a state of a generator of this frontend has 25 bytes, got {len(content)}")
    first, second, count = (int.from_bytes(content[i : i + 8], "little") for i in (0, 8, 16))
    generator.__setstate__(((first, second), count, bool(content[24])))


def generator_in(args: tuple[Any, ...], options: dict[str, Any]) -> Generator | None:
    """Return the generator that a call is given."""
    found = options.get("generator")
    if found is None:
        found = next((x for x in args if isinstance(x, Generator)), None)
    return found


def manual_seed(seed: int) -> Any:
    """Seed the generator of the context and return it; the numbers are corearray's, not torch's."""
    return ca.random.seed(int(seed) % 2**64)


def seed() -> int:
    """Seed the generator of the context with a number that the operating system draws, and return the number."""
    drawn = Generator().seed()
    manual_seed(drawn)
    return drawn


def initial_seed() -> int:
    """Return the seed of the context's generator."""
    lower, upper = ca.random.default_generator().__getstate__()[0]
    return lower | upper << 32


def get_rng_state() -> Any:
    """Return the state of the context's generator, a tensor of bytes."""
    return _as_tensor(ca.random.default_generator())


def set_rng_state(new_state: Any) -> None:
    """Let the context's generator go on from a state."""
    _set(ca.random.default_generator(), new_state)


@contextmanager
def fork_rng(devices: Any = None, enabled: bool = True, **_: Any) -> Iterator[None]:
    """Restore the state of the context's generator behind a block."""
    before = ca.random.default_generator().__getstate__()
    try:
        yield
    finally:
        if enabled:
            ca.random.default_generator().__setstate__(before)
