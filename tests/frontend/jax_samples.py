"""Samples of JAX's functions: expressions in JAX's words, each evaluated with JAX and with the frontend.

They stand in `jax_samples.txt`; those that begin with `x64` are evaluated with 64 bits enabled, on arrays of float64. They
use `jax`, `jnp`, `lax`, `nn`, `random`, `np`, and the arrays that `values` makes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

__all__ = ["names_of", "samples", "values", "wide_values"]

FILE = Path(__file__).with_suffix(".txt")


def wide_values(jnp: Any) -> dict[str, Any]:
    """Return the arrays of the samples that need 64 bits."""
    return {
        "f": jnp.array([0.25, -1.5, 2.75, 3.0], jnp.float64),
        "p": jnp.array([0.25, 0.5, 0.75, 0.125], jnp.float64),
        "m": jnp.array([[0.5, -1.0, 2.0, 3.5], [1.0, 4.0, -2.5, 0.0], [-3.0, 1.5, 2.0, -0.5]], jnp.float64),
        "s": jnp.array([[4.0, 1.0, 0.5], [1.0, 3.0, -0.25], [0.5, -0.25, 2.0]], jnp.float64),
        "far": jnp.concatenate([jnp.linspace(0.0625, 1.0, 9), jnp.linspace(1.375, 70.0, 50)]),
        "c": jnp.array([1 + 2j, -0.5 + 0.5j, 2 - 1j, 0.25j], jnp.complex128),
        "i": jnp.array([3, -1, 2, 7], jnp.int64),
    }


def values(jnp: Any) -> dict[str, Any]:
    """Return the arrays of the samples by their names."""
    line = jnp.array([0.25, -1.5, 2.75, 3.0], jnp.float32)
    return {
        "f": line,
        "p": jnp.array([0.25, 0.5, 0.75, 0.125], jnp.float32),
        "g": jnp.array([1.5, 2.0, -0.5, 4.0], jnp.float32),
        "m": jnp.array([[0.5, -1.0, 2.0, 3.5], [1.0, 4.0, -2.5, 0.0], [-3.0, 1.5, 2.0, -0.5]], jnp.float32),
        "s": jnp.array([[4.0, 1.0, 0.5], [1.0, 3.0, -0.25], [0.5, -0.25, 2.0]], jnp.float32),
        "t": jnp.array([[[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0], [7.0, 9.0]]], jnp.float32),
        "i": jnp.array([3, -1, 2, 7], jnp.int32),
        "j": jnp.array([2, 0, 1, 1], jnp.int32),
        "k": jnp.array([[5, 1, 4], [2, 2, 9]], jnp.int32),
        "q": jnp.array([3, 1, 2, 7], jnp.int8),
        "u": jnp.array([3, 200, 2, 7], jnp.uint8),
        "b": jnp.array([True, False, True, True]),
        "h": jnp.array([0.5, -1.5, 2.0, 3.0], jnp.float16),
        "bf": _or_none(lambda: jnp.array([0.5, -1.5, 2.0, 3.0], jnp.bfloat16)),
        "c": jnp.array([1 + 2j, -0.5 + 0.5j, 2 - 1j, 0.25j], jnp.complex64),
        "z": jnp.array([1.0, jnp.nan, -jnp.inf, 3.0], jnp.float32),
        "w": jnp.asarray(2.0),
        "wi": jnp.asarray(3),
        "e": jnp.zeros((0, 3), jnp.float32),
    }


def _or_none(make: Callable[[], Any]) -> Any:
    """Return an array, or `None` on a backend without its dtype."""
    try:
        return make()
    except TypeError:
        return None


def _read() -> Iterator[str]:
    """Yield the samples of the file: lines, and lines of calls below names, for which `{}` stands, `{lax}` or `{name}`."""
    names: list[str] = []
    for line in FILE.read_text(encoding="utf-8").splitlines():
        if line.startswith("*+"):
            names += line[2:].split()
        elif line.startswith("*"):
            names = line[1:].split()
        elif line.startswith(" "):
            yield from (
                call.replace("{}", f"jnp.{name}").replace("{lax}", f"lax.{name}").replace("{name}", name)
                for call in line.strip().split(" | ")
                for name in names
            )
        elif line and not line.startswith("#"):
            yield line


def samples() -> list[str]:
    """Return all samples."""
    return list(_read())


def names_of(text: str) -> set[str]:
    """Return the dotted names that a sample uses."""
    return set(re.findall(r"\b(?:jnp|jax|lax|nn|random)(?:\.[A-Za-z_]\w*)+", text))
