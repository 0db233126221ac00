"""NumPy's bit generators and `SeedSequence`: names, states and streams over corearray's source of random words.

All bit generators make corearray's words, the same on every backend, and not those of NumPy for the same seed. `SeedSequence`
makes NumPy's words. Source: https://numpy.org/doc/stable/reference/random/bit_generators/
"""

from __future__ import annotations

import secrets
from threading import Lock
from typing import Any, ClassVar

import corearray as ca
from corearray.errors import CoreArrayNotImplementedError, CoreArrayTypeError, CoreArrayValueError

__all__ = ["BitGenerator", "SeedSequence", "bit_generators", "seed_of"]

_WORD, _COUNTS = 2**32, 2**62


def _words(x: Any) -> list[int]:
    """Return the 32-bit words of an integer, of a text of one, or of a sequence of these, the lowest first."""
    if isinstance(x, str):
        x = int(x, 16 if x.startswith("0x") else 10)
    if hasattr(x, "__index__") and not getattr(x, "ndim", 0):
        number = x.__index__()
        if number < 0:
            raise CoreArrayValueError("expected non-negative integer: a seed is at least 0")
        made = [number % _WORD]
        while number := number // _WORD:
            made.append(number % _WORD)
        return made
    if isinstance(x, float) or not hasattr(x, "__len__"):
        raise CoreArrayTypeError("SeedSequence expects int or sequence of ints for entropy")
    return [word for one in (x.tolist() if hasattr(x, "tolist") else x) for word in _words(one)]


class SeedSequence:
    """Words that are mixed from entropy, and independent children.

    Parameters
    ----------
    entropy
        An integer, a sequence of integers, or `None` for entropy of the operating system.
    spawn_key
        The numbers by which children differ.
    pool_size
        The number of words that are mixed.
    """

    _np: ClassVar[Any]

    def __init__(
        self, entropy: Any = None, *, spawn_key: Any = (), pool_size: int = 4, n_children_spawned: int = 0
    ) -> None:
        if pool_size < 4:
            raise CoreArrayValueError(f"The size of the entropy pool should be at least 4, got {pool_size}")
        self.entropy = secrets.randbits(128) if entropy is None else entropy
        self.spawn_key, self.pool_size, self.n_children_spawned = tuple(spawn_key), pool_size, n_children_spawned
        self._pool = self._mixed(self._assembled())

    def _assembled(self) -> list[int]:
        run, spawned = _words(self.entropy), _words(self.spawn_key)
        if spawned and len(run) < self.pool_size:
            run += [0] * (self.pool_size - len(run))
        return run + spawned

    def _mixed(self, entropy: list[int]) -> list[int]:
        constant = 0x43B0D7E5

        def hashed(value: int) -> int:
            nonlocal constant
            value ^= constant
            constant = constant * 0x931E8875 % _WORD
            value = value * constant % _WORD
            return value ^ value >> 16

        def mix(x: int, y: int) -> int:
            made = (x * 0xCA01F9DD - y * 0x4973F715) % _WORD
            return made ^ made >> 16

        size = self.pool_size
        pool = [hashed(entropy[i] if i < len(entropy) else 0) for i in range(size)]
        for source in range(size):
            for target in range(size):
                if source != target:
                    pool[target] = mix(pool[target], hashed(pool[source]))
        for word in entropy[size:]:
            pool = [mix(one, hashed(word)) for one in pool]
        return pool

    @property
    def pool(self) -> Any:
        """The mixed words."""
        return self._np.array(self._pool, dtype=self._np.uint32)

    @property
    def state(self) -> dict[str, Any]:
        """The arguments that make this sequence."""
        kept = ("entropy", "spawn_key", "pool_size", "n_children_spawned")
        return {name: getattr(self, name) for name in kept if getattr(self, name) not in ((), 4)}

    def generated(self, count: int) -> list[int]:
        """Return 32-bit words."""
        constant, made = 0x8B51F9DD, []
        for i in range(count):
            value = self._pool[i % self.pool_size] ^ constant
            constant = constant * 0x58F38DED % _WORD
            value = value * constant % _WORD
            made.append(value ^ value >> 16)
        return made

    def generate_state(self, n_words: int, dtype: Any = None) -> Any:
        """Return words of 32 or 64 bits as an array."""
        np = self._np
        own = np.dtype(np.uint32 if dtype is None else dtype)
        if own == np.uint32:
            return np.array(self.generated(n_words), dtype=own)
        if own != np.uint64:
            raise CoreArrayValueError("only support uint32 or uint64")
        words = self.generated(2 * n_words)
        return np.array([low + high * _WORD for low, high in zip(words[::2], words[1::2], strict=True)], dtype=own)

    def spawn(self, n_children: int) -> list[Any]:
        """Return new sequences whose words are independent."""
        start, self.n_children_spawned = self.n_children_spawned, self.n_children_spawned + n_children
        return [
            type(self)(self.entropy, spawn_key=(*self.spawn_key, number), pool_size=self.pool_size)
            for number in range(start, self.n_children_spawned)
        ]


def seed_of(seed: Any) -> int:
    """Return corearray's seed for one of NumPy's: an integer as it is, and all others through `SeedSequence`."""
    if seed is None:
        return secrets.randbits(63)
    if hasattr(seed, "__index__") and not getattr(seed, "ndim", 0):
        if seed.__index__() < 0:
            raise CoreArrayValueError("expected non-negative integer: a seed is at least 0")
        return int(seed.__index__())
    if not isinstance(seed, SeedSequence) and hasattr(seed, "__len__") and len(seed) == 1:
        return seed_of(seed[0])
    sequence = seed if isinstance(seed, SeedSequence) else SeedSequence(seed)
    low, high = sequence.generated(2)
    return low + high * _WORD


class BitGenerator:
    """Random words with a state that can be read and set."""

    _np: ClassVar[Any]

    def __init__(self, seed: Any = None) -> None:
        if type(self).__name__ == "BitGenerator":
            raise CoreArrayNotImplementedError("BitGenerator is a base class: use one such as PCG64")
        self.seed_seq = seed if isinstance(seed, SeedSequence) else self._np.random.SeedSequence(seed)
        self.source = ca.random.Generator(seed_of(self.seed_seq if seed is None else seed))
        self.lock = Lock()

    @property
    def state(self) -> dict[str, Any]:
        """The key and the position of the source, with the name of the bit generator."""
        (one, other), count, _ = self.source.__getstate__()
        return {"bit_generator": type(self).__name__, "state": {"key": [one, other], "pos": count}}

    @state.setter
    def state(self, value: Any) -> None:
        if not isinstance(value, dict):
            raise CoreArrayTypeError("state must be a dict")
        if value.get("bit_generator") != type(self).__name__:
            raise CoreArrayValueError(f"state must be for a {type(self).__name__} PRNG")
        inner = value["state"]
        one, other = inner["key"]
        self.source.__setstate__(((int(one), int(other)), int(inner["pos"]), False))

    def random_raw(self, size: Any = None, output: bool = True) -> Any:
        """Return words of 64 bits."""
        generator = self._np.random.Generator(self)
        high, low = (generator.integers(0, _WORD, size=size, dtype="uint64") for _ in range(2))
        made = high * _WORD + low
        return made if output else None

    def spawn(self, n_children: int) -> list[Any]:
        """Return new bit generators whose words are independent."""
        return [type(self)(child) for child in self.seed_seq.spawn(n_children)]

    def _moved(self, count: int) -> Any:
        made = object.__new__(type(self))
        key, before, native = self.source.__getstate__()
        made.seed_seq, made.lock, made.source = self.seed_seq, Lock(), ca.random.Generator(0)
        made.source.__setstate__((key, (before + count) % _COUNTS, native))
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (self._np.version, type(self).__name__, self.state)


class _Jumping(BitGenerator):
    def jumped(self, jumps: int = 1) -> Any:
        """Return a bit generator that is far ahead in the same stream."""
        return self._moved(jumps << 40)


class _Advancing(_Jumping):
    def advance(self, delta: int) -> Any:
        """Move ahead by a number of words, and return the bit generator."""
        self.source.__setstate__(self._moved(delta).source.__getstate__())
        return self


def _again(version: str, name: str, state: dict[str, Any]) -> Any:
    from corearray.frontend.frontend import get_frontend

    made = getattr(get_frontend("numpy", version).random, name)(0)
    made.state = state
    return made


def bit_generators(np: Any) -> dict[str, Any]:
    """Return the classes of one frontend."""
    base = type("BitGenerator", (BitGenerator,), {"_np": np})
    made = {"random.BitGenerator": base, "random.SeedSequence": type("SeedSequence", (SeedSequence,), {"_np": np})}
    kinds = {"MT19937": _Jumping, "PCG64": _Advancing, "PCG64DXSM": _Advancing, "Philox": _Advancing}
    for name in ("MT19937", "PCG64", "PCG64DXSM", "Philox", "SFC64"):
        made[f"random.{name}"] = type(name, (*((kinds[name],) if name in kinds else ()), base), {"_np": np})
    return made
