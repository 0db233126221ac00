"""Run the checks one after the other, each in a process with a time limit, and write a report.

    scripts/gpu                      # all checks within eight minutes, the report in build/gpu.md
    scripts/gpu --check samples --backend torch

A check that fails, hangs or crashes is a line of the report; the others run. Without a GPU the checks run on the CPU with fewer
examples, so that the script is known to work.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from benchmarks.gpu.checks import CHECKS
from benchmarks.gpu.places import has_gpu, ready
from benchmarks.timing import ROOT, child_environment, machine

#: Seconds for everything; the report is written after each check.
SECONDS = 460.0

#: On a GPU the samples run in as many processes at a time: each function is compiled first.
PARTS = 4

#: What runs in which order, with the seconds that it may take.
PLAN = (
    ("devices", "torch", 70), ("devices", "jax", 70), ("interchange", "torch", 50),
    ("random", "torch", 40), ("random", "jax", 60),
    ("samples", "torch", 90), ("samples", "jax", 110),
    ("half", "torch", 40), ("half", "jax", 50),
    ("training", "torch", 110), ("training", "jax", 70),
    ("transpiled", "torch", 90),
)  # fmt: skip


def main() -> None:
    """Run one check in this process, or all in children."""
    parser = argparse.ArgumentParser(prog="scripts/gpu", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--check", action="append", choices=sorted(CHECKS), help="run this one (repeatable; all)")
    parser.add_argument("--backend", action="append", choices=("torch", "jax"), help="on this one (repeatable; both)")
    parser.add_argument("--report", default=str(ROOT / "build" / "gpu.md"), help="default: %(default)s")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="for all together (default: %(default)s)")
    parser.add_argument("--child", type=float, help=argparse.SUPPRESS)
    parser.add_argument("--part", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        backend = options.backend[0]
        ready(backend)
        of_part = {} if options.part is None else {"part": options.part, "parts": PARTS}
        print(json.dumps(CHECKS[options.check[0]](backend, time.monotonic() + options.child, **of_part)))
        return
    plan = [
        (check, backend, limit)
        for check, backend, limit in PLAN
        if check in (options.check or CHECKS) and backend in (options.backend or ("torch", "jax"))
    ]
    end, found = time.monotonic() + options.seconds, []
    for check, backend, limit in plan:
        left = min(limit, end - time.monotonic())
        print(f"{check} on {backend} ...", file=sys.stderr, flush=True)
        found.append((check, backend, *_run(check, backend, left)))
        report = Path(options.report)
        report.parent.mkdir(parents=True, exist_ok=True)
        report.write_text(written(found))
    print(written(found))
    if any(not result.get("good") for *_, result in found):
        sys.exit(1)


def _run(check: str, backend: str, seconds: float) -> tuple[float, dict[str, Any]]:
    """Return how many seconds a check took in its processes, and what they found."""
    start = time.monotonic()
    if seconds < 5:
        return 0.0, {"good": False, "lines": ["not run: no time was left"]}
    if check != "samples" or not has_gpu():
        result = _in_child(check, backend, seconds)
        return time.monotonic() - start, result
    with ThreadPoolExecutor(PARTS) as pool:
        found = list(pool.map(lambda part: _in_child(check, backend, seconds, "--part", str(part)), range(PARTS)))
    lines = [f"part {part + 1} of {PARTS}: {line}" for part, one in enumerate(found) for line in one["lines"]]
    return time.monotonic() - start, {"good": all(one["good"] for one in found), "lines": lines}


def _in_child(check: str, backend: str, seconds: float, *options: str) -> dict[str, Any]:
    command = [sys.executable, "-W", "ignore", "-m", "benchmarks.gpu", "--check", check, "--backend", backend]
    try:
        done = subprocess.run(
            [*command, "--child", str(seconds * 0.8), *options],
            cwd=ROOT, env=child_environment(), capture_output=True, text=True, check=False, timeout=seconds,
        )  # fmt: skip
    except subprocess.TimeoutExpired as error:
        before = (error.stdout or b"").decode().splitlines()
        return {"good": False, "lines": [*before, f"**ended after {seconds:.0f} seconds**; the rest was left out"]}
    if done.returncode:
        last = "\n".join(done.stderr.strip().splitlines()[-12:])
        return {"good": False, "lines": [f"ended with exit code {done.returncode}", f"```\n{last}\n```"]}
    result: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return result


def written(found: list[tuple[str, str, float, dict[str, Any]]]) -> str:
    """Return the report in Markdown."""
    facts = "\n".join(f"- {name}: {value}" for name, value in machine().items())
    place = "on a GPU" if has_gpu() else "on the CPU: no GPU was found"
    rows = "\n".join(
        f"| {check} | {backend} | {'good' if result.get('good') else 'see below'} | {took:.0f} s |"
        for check, backend, took, result in found
    )
    parts = [f"# Checks {place}\n", facts, "\n| check | backend | result | time |\n|---|---|---|---|", rows]
    for check, backend, _, result in found:
        lines = "\n".join(line if line.startswith("```") else f"- {line}" for line in result["lines"])
        parts.append(f"\n## {check} on {backend}\n\n{lines}")
    return "\n".join(parts) + "\n"


if __name__ == "__main__":
    main()
