"""Verdicts on whole models: the error of a result, and the lines that a judge prints."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

__all__ = ["Verdict", "error_of", "judged", "over", "parser", "printed"]


class Verdict(NamedTuple):
    """What is wrong with a model, nothing if it is right, with the largest relative errors and the seconds it took."""

    name: str
    wrong: str
    errors: Mapping[str, float] = MappingProxyType({})
    seconds: float = 0.0


def error_of(found: Sequence[Any], wanted: Sequence[Any]) -> float:
    """Return the largest difference as a share of the largest number; infinity for another shape or dtype."""
    mine, theirs = ([np.asarray(x) for x in given] for given in (found, wanted))
    if [(x.shape, x.dtype) for x in mine] != [(x.shape, x.dtype) for x in theirs]:
        return float("inf")
    scale = max(float(np.abs(x).max(initial=0)) for x in theirs)
    worst = max(float(np.abs(x - y).max(initial=0)) for x, y in zip(mine, theirs, strict=True))
    return worst / max(scale, 1e-30) if np.isfinite(worst) else float("inf")


def over(errors: Mapping[str, float], limit: float) -> str:
    """Name the errors that are over a limit."""
    return "; ".join(f"{kind} off by {by:.1e}" for kind, by in errors.items() if not by <= limit)


def judged(judge: Callable[[str, str], Verdict], name: str, target: str) -> Verdict:
    """Return the verdict on a model, also if an error ends it."""
    try:
        return judge(name, target)
    except Exception as error:
        return Verdict(name, f"{type(error).__name__}: {error}")


def parser(description: str | None) -> argparse.ArgumentParser:
    """Return the parser of a judge's command."""
    made = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    made.add_argument("--to", default="numpy", help="the target")
    made.add_argument("names", nargs="*", help="the models; by default all")
    return made


def printed(judge: Callable[[str, str], Verdict], names: Iterable[str], target: str) -> int:
    """Judge models and print a line each; return 1 if one is not right."""
    verdicts = []
    for name in names:
        verdicts.append(found := judged(judge, name, target))
        figures = "  ".join(f"{kind} {by:.0e}" for kind, by in found.errors.items())
        print(f"{name:28s} {found.seconds:6.1f} s  {figures}  {found.wrong[:300] or 'ok'}", flush=True)
    right = sum(not found.wrong for found in verdicts)
    print(f"{target}: {right} of {len(verdicts)} right")
    return int(right < len(verdicts))
