"""Build the accelerator with the sanitizers of addresses and undefined behaviour, and make random calls with it.

Run `scripts/test --sanitize`, or `python tests/sanitize --calls N` for the backends in `BACKENDS`. It needs gcc or clang.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
FLAGS = "-fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer -O1"


def build(folder: Path) -> Path:
    """Compile the accelerator into a folder."""
    os.environ.update(CFLAGS=FLAGS, LDFLAGS="-fsanitize=address,undefined")
    sys.path.insert(0, str(ROOT))
    import hatch_build

    return hatch_build._compiled(ROOT, folder)


def runtime() -> str:
    """Return the libraries that a Python which was built without the sanitizer has to load first.

    The sanitizer looks for the exceptions of C++ when it starts, and frameworks load their library later.
    """
    found = []
    for name in ("libasan.so", "libstdc++.so.6"):
        done = subprocess.run(["cc", f"-print-file-name={name}"], capture_output=True, text=True, check=True)
        found.append(Path(done.stdout.strip()))
    if not all(path.is_absolute() for path in found):
        sys.exit("cc has no address sanitizer")
    return " ".join(str(path.resolve()) for path in found)


def main() -> int:
    """Run the calls on each backend and return how many backends failed."""
    parser = argparse.ArgumentParser(prog="tests/sanitize", description=__doc__)
    parser.add_argument("--calls", type=int, default=100_000, help="random calls on each backend")
    parser.add_argument(
        "--leaks", type=int, default=1_000_000, help="calls between two counts of memory, without sanitizer"
    )
    asked = parser.parse_args()
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(ROOT)
        built = build(Path(folder))
        sanitized = {
            **os.environ,
            "LD_PRELOAD": runtime(),
            "ASAN_OPTIONS": "detect_leaks=0:abort_on_error=1",
            "UBSAN_OPTIONS": "print_stacktrace=1",
            "PYTHONMALLOC": "malloc",
        }
        for backend in os.environ.get("BACKENDS", "numpy").split():
            for what, number, environment in (
                ("calls", asked.calls, sanitized),
                ("leaks", asked.leaks, dict(os.environ)),
            ):
                command = [sys.executable, str(HERE / "calls.py"), what, backend, str(number), str(built)]
                failed += subprocess.run(command, cwd=ROOT, env=environment).returncode != 0
    return failed


if __name__ == "__main__":
    sys.exit(main())
