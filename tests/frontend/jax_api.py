"""JAX's API judged by JAX itself: each sample is evaluated with both; values, dtypes, weak types and errors must agree.

PYTHONPATH=tests python -m frontend.jax_api --to torch             # a line for each sample that differs, and a count
PYTHONPATH=tests python -m frontend.jax_api --to torch 'jnp.clip'  # the samples with a text
"""

from __future__ import annotations

import argparse
import pickle
import re
import sys
import warnings
from contextlib import suppress
from pathlib import Path
from typing import Any

import jax
import numpy as np
from frontend.jax_samples import samples, values, wide_values

import corearray as ca
import corearray.frontend.jax as ours

#: Errors that stand for each other.
_KINDS = (NotImplementedError, OverflowError, ZeroDivisionError, TypeError, IndexError, ValueError, AttributeError)

#: The beginning of samples that need 64 bits.
WIDE = "x64 "

_DERIVATIVES = re.compile(r"jax\.(grad|value_and_grad|vjp|jvp|jac\w+|hessian|linearize|linear_transpose)\b|_grad\w*\(")


def scope(frontend: Any, given: dict[str, Any]) -> dict[str, Any]:
    """Return the names that samples use."""
    return {
        "jax": frontend, "jnp": frontend.numpy, "np": np,
        "lax": getattr(frontend, "lax", None), "nn": getattr(frontend, "nn", None),
        "random": getattr(frontend, "random", None), **given,
    }  # fmt: skip


def evaluated(text: str, names: dict[str, Any]) -> Any:
    """Return the result of a sample, or the error that it raises."""
    if text.startswith(WIDE):
        with names["jax"].enable_x64(True):
            return evaluated(text.removeprefix(WIDE), names | wide_values(names["jnp"]))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return eval(text, dict(names))
    except Exception as error:
        return error


def difference(found: Any, wanted: Any, tolerance: float = 2e-5) -> str:
    """Return how a result differs from JAX's, nothing if it does not; `tolerance` is that of float32."""
    if isinstance(wanted, Exception):
        if not isinstance(found, Exception):
            return f"no error, where JAX raises {type(wanted).__name__}: {str(wanted)[:120]}"
        kinds = [kind for kind in _KINDS if isinstance(wanted, kind)]
        if kinds and not any(isinstance(found, kind) for kind in kinds):
            return f"{type(found).__name__} ({str(found)[:80]}) where JAX raises {type(wanted).__name__}: {str(wanted)[:120]}"
        return ""
    if isinstance(found, Exception):
        return f"{type(found).__name__}: {str(found)[:160]}"
    if isinstance(wanted, jax.Array):
        return _array_difference(found, wanted, tolerance)
    if isinstance(wanted, dict):
        if not isinstance(found, dict) or list(found) != list(wanted):
            return f"{found!r} where JAX has {wanted!r}"
        return "".join(difference(found[key], wanted[key], tolerance) for key in wanted)
    if isinstance(wanted, (tuple, list)):
        if not isinstance(found, (tuple, list)) or len(found) != len(wanted):
            return f"{found!r} where JAX has {wanted!r}"
        if type(wanted) in (tuple, list) and type(found) is not type(wanted):
            return f"a {type(found).__name__} where JAX has a {type(wanted).__name__}"
        return "".join(difference(x, y, tolerance) for x, y in zip(found, wanted, strict=True))
    if isinstance(wanted, (np.ndarray, np.generic)) and not isinstance(found, bool):
        same = np.allclose(np.asarray(found), wanted, equal_nan=True)
        return "" if same else f"{found!r} where JAX has {wanted!r}"
    if isinstance(wanted, (jax.ShapeDtypeStruct,)):
        return (
            ""
            if (found.shape, str(found.dtype)) == (wanted.shape, str(wanted.dtype))
            else f"{found!r} where JAX has {wanted!r}"
        )
    if isinstance(wanted, np.dtype):
        return "" if found == str(wanted) else f"{found!r} where JAX has {wanted!r}"
    if isinstance(wanted, float):
        return "" if abs(found - wanted) <= 1e-5 * max(1, abs(wanted)) else f"{found!r} where JAX has {wanted!r}"
    return "" if found == wanted else f"{found!r} where JAX has {wanted!r}"


def _array_difference(found: Any, wanted: Any, tolerance: float) -> str:
    if not isinstance(found, ours.Array):
        return f"{type(found).__name__} where JAX has an Array"
    facts = (str(found.dtype), found.shape), (str(wanted.dtype), wanted.shape)
    if facts[0] != facts[1]:
        return f"{facts[0]} where JAX has {facts[1]}"
    if jax.dtypes.issubdtype(wanted.dtype, jax.dtypes.prng_key):
        same = np.array_equal(ca.to_numpy(found.array), np.asarray(jax.random.key_data(wanted)))
        return "" if same else "other keys"
    if found.weak_type != wanted.weak_type and wanted.dtype != bool:
        return f"weak_type {found.weak_type} where JAX has {wanted.weak_type}"
    mine, theirs = ca.to_numpy(found.array), np.asarray(wanted)
    if theirs.dtype.kind not in "fc" and str(theirs.dtype) != "bfloat16":
        return "" if np.array_equal(mine, theirs) else f"{mine.tolist()} where JAX has {theirs.tolist()}"
    mine, theirs = (x.astype(complex if theirs.dtype.kind == "c" else float) for x in (mine, theirs))
    wide = {"float16": 4e-3, "bfloat16": 3e-2}.get(str(wanted.dtype), tolerance)
    wide = min(wide, 1e-10) if str(wanted.dtype) in ("float64", "complex128") else wide
    scale = np.abs(theirs[np.isfinite(theirs)]).max(initial=1.0)
    same = np.allclose(mine, theirs, rtol=wide, atol=wide * scale * 0.5, equal_nan=True)
    return "" if same else f"{mine.tolist()} where JAX has {theirs.tolist()}"


def expected(chosen: list[str], kept: Path | None) -> list[Any]:
    """Return JAX's results, which a file may keep from one run to the next."""
    known: dict[str, bytes] = pickle.loads(kept.read_bytes()) if kept is not None and kept.exists() else {}
    with jax.enable_x64(False):
        names = scope(jax, values(jax.numpy))
        made = [pickle.loads(known[text]) if text in known else evaluated(text, names) for text in chosen]
    if kept is not None:
        for text, result in zip(chosen, made, strict=True):
            if text.startswith(WIDE):  # an array of 64 bits is read as one of 32
                continue
            with suppress(Exception):
                known.setdefault(text, pickle.dumps(_plain(result)))
        kept.write_bytes(pickle.dumps(known))
    return made


def _plain(result: Any) -> Any:
    """Return an error whose class is one of Python's, which a file can hold."""
    if not isinstance(result, Exception):
        return result
    return next((kind for kind in _KINDS if isinstance(result, kind)), Exception)(str(result))


def comparable(chosen: list[str], target: str) -> list[str]:
    """Return the samples that a target can run: those of dtypes that it has, and derivatives where it has them."""
    with ca.backend_context(target):
        lacking = [name for name, x in values(ours.numpy).items() if x is None]
    if "reverse_mode" not in ca.get_backend(target).facts:
        chosen = [text for text in chosen if not _DERIVATIVES.search(text)]
    return [text for text in chosen if not any(re.search(rf"\b{name}\b", text) for name in lacking)]


def judged(chosen: list[str], target: str, kept: Path | None = None) -> list[tuple[str, str]]:
    """Return the samples that differ, each with how."""
    chosen = comparable(chosen, target)
    with ca.backend_context(target):
        names = scope(ours, values(ours.numpy))
        found = [evaluated(text, names) for text in chosen]
    wanted = expected(chosen, kept)
    with jax.enable_x64(False):
        pairs = [(text, difference(x, y)) for text, x, y in zip(chosen, found, wanted, strict=True)]
    return [(text, how) for text, how in pairs if how]


def main() -> int:
    """Judge samples and print those that differ; return 1 if there are some."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--to", default="numpy")
    parser.add_argument("--keep", type=Path, help="a file that keeps JAX's results from one run to the next")
    parser.add_argument("texts", nargs="*")
    asked = parser.parse_args()
    chosen = [text for text in samples() if not asked.texts or any(part in text for part in asked.texts)]
    chosen = comparable(chosen, asked.to)
    wrong = judged(chosen, asked.to, asked.keep)
    for text, how in wrong:
        print(f"{text}: {how}")
    print(f"{len(chosen) - len(wrong)} of {len(chosen)} samples agree on {asked.to}")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
