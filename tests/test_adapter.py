"""The adapter: a library of the standard as an installed backend, facts that a plugin leaves out, objects as modules."""

from __future__ import annotations

import subprocess
import sys

import pytest

from corearray.backends.capabilities import elements_text

DESCRIPTION = """
from corearray.plugin import BackendInfo

info = BackendInfo(
    "adapted",
    framework="array-api-strict",
    array_types=("array_api_strict._array_object.Array",),
    modules=("corearray_adapted.native:plugin",),
)
"""
NATIVE = """
import array_api_strict as xp
import numpy as np

from corearray.plugin import ArrayApiPlugin, hookimpl


class Adapted(ArrayApiPlugin):
    @hookimpl
    def sin(self, x, /):
        return xp.sin(x) + 1


plugin = Adapted(xp, to_numpy=np.asarray, also=("mean",))
"""
PROGRAM = """
import corearray as ca

be = ca.get_backend("adapted")
x = be.asarray([[0.0, 1.0], [2.0, 3.0]])
print(be.binding("mean").kind, be.binding("std").kind)
print(be.sin(x)[0, 0].tolist(), be.median(x).tolist(), be.fft.fft(x[0, :]).tolist())
x[0, 0] = 7.0
print(x)
print(ca.asarray(x, dtype="int8").device, be.asarray([be.ones(()), 2]).dtype)
"""
PRINTED = """
native composed
1.0 1.5 [(1+0j), (-1+0j)]
Array([[7.0, 1.0],
       [2.0, 3.0]], dtype=float32, backend=adapted, device=cpu)
cpu float32
"""


@pytest.fixture
def adapted(tmp_path):
    package = tmp_path / "corearray_adapted"
    package.mkdir()
    (package / "__init__.py").write_text(DESCRIPTION)
    (package / "native.py").write_text(NATIVE)
    installed = tmp_path / "corearray_adapted-1.0.dist-info"
    installed.mkdir()
    (installed / "entry_points.txt").write_text("[corearray.backends]\nadapted = corearray_adapted\n")
    requires = "Requires-Dist: corearray\nRequires-Dist: array-api-strict\n"
    (installed / "METADATA").write_text(f"Metadata-Version: 2.1\nName: corearray-adapted\nVersion: 1.0\n{requires}")
    return tmp_path


def run(folder, *arguments):
    program = f"import sys; sys.path.insert(0, {str(folder)!r}); "
    done = subprocess.run(
        [sys.executable, "-c", program + arguments[0], *arguments[1:]], capture_output=True, text=True
    )
    return done.stdout, done.stderr


def test_a_library_of_the_standard_is_a_backend_in_ten_lines(adapted):
    assert run(adapted, PROGRAM) == (PRINTED.lstrip(), "")


def test_the_adapted_backend_is_valid(adapted):
    output, errors = run(adapted, "from corearray.cli import main; main(sys.argv[1:])", "validate", "adapted")
    assert ": no problem in 1 modules\n" in output
    assert errors == ""


@pytest.mark.parametrize(
    ("elements", "precision", "text"),
    [
        (1.23456789012, None, "1.2345679"),
        ([], None, "[]"),
        ([True, False], 2, "[True, False]"),
        ([1.0 / 3, float("nan"), float("inf")], 2, "[0.33, nan, inf]"),
        ([1.5 - 2j, complex(0, -0.0)], None, "[1.5-2.0j, 0.0-0.0j]"),
        ([[[1], [2]], [[3], [4]]], None, "[[[1],\n  [2]],\n [[3],\n  [4]]]"),
        (list(range(200)), None, "[0, 1, 2, ..., 197, 198, 199]"),
    ],
)
def test_the_text_of_elements(elements, precision, text):
    assert elements_text(elements, precision) == text
