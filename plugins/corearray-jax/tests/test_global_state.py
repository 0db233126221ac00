"""Loading the plugin switches 64-bit types on and changes nothing else in JAX, compared in a Python of its own.

Every plugin has this test; only `STATE` differs, and here the switch, which the last tests show alone.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys

STATE = """
import operator, warnings
import numpy as np
import jax
from jax import numpy as jnp

NAMES = [name for name in vars(jnp) if not name.startswith("__")]

def outcome(function, *args):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result = function(*args)
    return f"{result!r} {type(result).__name__} {getattr(result, 'dtype', '')} {[str(w.message) for w in caught]}"

def state():
    x = jnp.ones(2, jnp.float32)
    return {
        "settings": {name: repr(value) for name, value in jax.config.values.items()},
        "print options": repr(np.get_printoptions()),
        "warning filters": repr(warnings.filters),
        "functions": {name: id(getattr(jnp, name)) for name in NAMES},
        "backend": jax.default_backend(),
        "trees": repr(jax.tree_util.tree_structure([x, (x, None), {"a": x}])),
        "behaviour": [
            outcome(operator.add, jnp.ones(2, jnp.int8), 1),
            outcome(operator.truediv, x, 0),
            outcome(operator.getitem, x, 5),
            outcome(operator.mul, x, np.float32(2)),
            outcome(jnp.sum, jnp.ones(2, jnp.float32)),
            outcome(jnp.sin, x),
        ],
    }
"""

PROGRAM = """
import json
before = state()
import corearray as ca
with ca.backend_context("jax"):
    x = ca.linspace(0.0, 1.0, 6, dtype=ca.float32)
    repr(x), ca.mean(x), ca.sort(x), ca.fft.fft(x), ca.linalg.svd(ca.reshape(x, (2, 3))), x[2:], x.__dlpack__()
{changed}
after = state()
changed = [what for what in before if before[what] != after[what]]
settings = [name for name, value in before["settings"].items() if value != after["settings"][name]]
print(json.dumps([changed, settings]))
"""


def changes(statement: str = "", **environment: str) -> tuple[list[str], list[str]]:
    """Return what differs after the plugin was loaded and used, and a statement run; then the settings that differ."""
    program = STATE + PROGRAM.replace("{changed}", statement)
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False, env=os.environ | environment
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_loading_switches_64_bit_types_on_and_changes_nothing_else():
    assert changes() == [["settings"], ["jax_enable_x64"]]


def test_the_switch_can_be_left_alone():
    assert changes(COREARRAY_JAX_X64="0") == [[], []]


def test_nothing_changes_where_the_switch_was_on_before():
    assert changes(JAX_ENABLE_X64="1") == [[], []]


#: Changes, and where each is noticed.
CHANGES = {
    "jax.config.update('jax_debug_nans', True)": "settings",
    "np.set_printoptions(precision=3)": "print options",
    "warnings.simplefilter('ignore')": "warning filters",
    "jnp.add = jnp.subtract": "functions",
    "jnp.sum = lambda x: x": "behaviour",
}


def test_changes_are_noticed():
    assert {*CHANGES.values()} <= {*changes("\n".join(CHANGES), JAX_ENABLE_X64="1")[0]}
