"""Loading the plugin changes nothing in NumPy: settings, names and behaviour are compared in a Python of its own.

Every plugin has this test; only `STATE` differs.
"""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

STATE = """
import operator, warnings
import numpy as np

NAMES = [name for name in vars(np) if not name.startswith("__")]

def outcome(function, *args):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result = function(*args)
    return f"{result!r} {type(result).__name__} {getattr(result, 'dtype', '')} {[str(w.message) for w in caught]}"

def state():
    return {
        "errors": np.geterr(),
        "error call": repr(np.geterrcall()),
        "print options": repr(np.get_printoptions()),
        "buffer size": np.getbufsize(),
        "warning filters": repr(warnings.filters),
        "functions": {name: id(getattr(np, name)) for name in NAMES},
        "behaviour": [
            outcome(operator.add, np.ones(2, np.int8), 1),
            outcome(operator.add, np.float32(3), 3.0),
            outcome(operator.truediv, np.ones(2), 0.0),
            outcome(operator.getitem, np.arange(3.0), 1),
            outcome(operator.mul, np.arange(2), [2, 3]),
            outcome(np.sum, np.ones(2, np.int8)),
        ],
    }
"""

PROGRAM = """
import json
before = state()
import corearray as ca
with ca.backend_context("numpy"):
    x = ca.linspace(0.0, 1.0, 6)
    repr(x), ca.mean(x), ca.sort(x), ca.fft.fft(x), ca.linalg.svd(ca.reshape(x, (2, 3))), x[2:], x.__dlpack__()
{changed}
after = state()
print(json.dumps([what for what in before if before[what] != after[what]]))
"""


def changes(statement: str = "") -> list[str]:
    """Return what differs after the plugin was loaded and used, and a statement run."""
    program = STATE + PROGRAM.replace("{changed}", statement)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_loading_changes_nothing():
    assert changes() == []


@pytest.mark.parametrize(
    ("statement", "noticed"),
    [
        ("np.seterr(over='raise')", "errors"),
        ("np.seterrcall(print)", "error call"),
        ("np.set_printoptions(precision=3)", "print options"),
        ("np.setbufsize(4096)", "buffer size"),
        ("warnings.simplefilter('ignore')", "warning filters"),
        ("np.add = np.subtract", "functions"),
        ("np.sum = lambda x: x", "behaviour"),
    ],
)
def test_a_change_is_noticed(statement, noticed):
    assert noticed in changes(statement)
