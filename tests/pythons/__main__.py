"""Run the tests of the core and of the NumPy backend on other versions of Python, each in an environment of its own.

Run `scripts/test --pythons`; arguments go to pytest. Interpreters are looked for on `PATH` (`python3.13`) and in pyenv's
folder; `PYTHONS="3.13 3.14"` chooses versions. A version without an interpreter is named as left out.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parents[2]

#: The versions after the oldest one, which all other tests run on.
VERSIONS = ("3.12", "3.13", "3.14")

#: Tests of the frameworks together, which need all of them, and of the environment that developers have.
_LEFT_OUT = (
    "--ignore=tests/standard", "--ignore=tests/nn", "--ignore=tests/optim", "--ignore=tests/models", "--ignore=tests/fuzz",
    "--ignore=tests/frontend", "--ignore=tests/interop", "--ignore=tests/test_versions_installed.py",
    "--deselect=tests/test_pages.py::test_each_program_of_the_readme_runs_alone",
)  # fmt: skip

_PLUGIN = ROOT / "plugins" / "corearray-numpy"


def interpreter(version: str) -> Path | None:
    """Return the newest interpreter of a version such as "3.13", or `None` if there is none."""
    name = f"python{version}"
    places = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"), "versions").glob(f"{version}.*/bin/{name}")
    numbered = sorted(places, key=lambda place: [int(digits) for digits in re.findall(r"\d+", place.parts[-3])])
    for found in (*numbered[::-1], *filter(None, [shutil.which(name)])):
        done = subprocess.run(
            [found, "-c", "import sys; print(sys.version)"], capture_output=True, text=True, check=False
        )
        if done.stdout.startswith(version):
            return Path(found)
    return None


def run_tests(base: Path, folder: Path, arguments: list[str]) -> list[str]:
    """Make an environment of an interpreter, run the tests in it, and return what failed."""
    python = folder / "bin" / "python"
    subprocess.run([base, "-m", "venv", folder], check=True)
    subprocess.run(
        [python, "-m", "pip", "install", "-q", "-r", ROOT / "requirements-dev.txt", "-e", ROOT, "-e", _PLUGIN],
        env={**os.environ, "PIP_CONSTRAINT": str(ROOT / "constraints.txt"), "PIP_DISABLE_PIP_VERSION_CHECK": "1"},
        check=True,
    )
    failed = []
    for what, backend, places in (
        ("core", "", ["tests", *_LEFT_OUT]),
        ("NumPy", "numpy", ["tests/standard", "tests/nn", "tests/optim", str(_PLUGIN / "tests")]),
    ):
        workers = ["-n", os.environ.get("WORKERS", "2"), "--dist", "loadfile"]
        words = [python, "-m", "pytest", "-q", "-p", "no:cacheprovider", *workers, *places, *arguments]
        print(f"\n=== {what} on {base}", flush=True)
        environment = {**os.environ, "COREARRAY_BACKEND": backend}
        if subprocess.run(words, cwd=ROOT, env=environment, check=False).returncode not in (0, 5):
            failed.append(what)
    return failed


def main() -> int:
    """Run the tests on each version; return 1 if tests fail."""
    lines, worst = [], 0
    for version in os.environ.get("PYTHONS", " ".join(VERSIONS)).split():
        base, start = interpreter(version), time.monotonic()
        if base is None:
            lines.append(f"Python {version}: left out, there is no interpreter")
            continue
        built = set(ROOT.glob("corearray/calls/_accelerator*"))
        try:
            with tempfile.TemporaryDirectory(prefix="corearray-") as folder:
                failed = run_tests(base, Path(folder), sys.argv[1:])
        finally:
            for path in set(ROOT.glob("corearray/calls/_accelerator*")) - built:
                path.unlink()
        worst |= bool(failed)
        said = f"tests of {' and '.join(failed)} FAILED" if failed else "ok"
        lines.append(f"Python {version} ({base}): {said}, {time.monotonic() - start:.0f} s")
    print("", *lines, sep="\n")
    return worst


if __name__ == "__main__":
    sys.exit(main())
