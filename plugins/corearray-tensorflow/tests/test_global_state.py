"""Loading the plugin changes nothing in TensorFlow: settings, names and behaviour are compared in a Python of its own.

Every plugin has this test; only `STATE` differs.
"""

from __future__ import annotations

import json
import subprocess
import sys

STATE = """
import operator, warnings
import numpy as np
import tensorflow as tf

NAMES = [name for name in dir(tf) if callable(getattr(tf, name))]
KINDS = [tf.Tensor, tf.Variable, type(tf.constant(0))]

def outcome(function, *args):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            result = function(*args)
        except Exception as error:
            result = type(error)
    return f"{result!r} {type(result).__name__} {[str(w.message) for w in caught]}"

def state():
    x = tf.constant([1.0, 2.0])
    return {
        "settings": [
            tf.executing_eagerly(), tf.config.functions_run_eagerly(), tf.config.get_soft_device_placement(),
            tf.config.optimizer.get_jit(), tf.config.optimizer.get_experimental_options(),
            tf.config.threading.get_inter_op_parallelism_threads(),
            tf.config.threading.get_intra_op_parallelism_threads(),
            tf.config.experimental.get_synchronous_execution(), repr(tf.config.get_visible_devices()),
            tf.config.experimental.tensor_float_32_execution_enabled(), tf.get_logger().level,
        ],
        "print options": repr(np.get_printoptions()),
        "warning filters": repr(warnings.filters),
        "functions": {name: id(getattr(tf, name)) for name in NAMES},
        "methods": [{name: id(member) for name, member in vars(kind).items()} for kind in KINDS],
        "nests": repr(tf.nest.flatten([x, (x, None), {"a": 1}])),
        "behaviour": [
            outcome(operator.add, x, 1),
            outcome(operator.add, x, tf.constant([1, 2])),
            outcome(operator.getitem, x, [0, 1]),
            outcome(operator.truediv, tf.constant([3]), 2),
            outcome(getattr, x, "size"),
            outcome(tf.function(lambda x: x * 2), x),
            outcome(tf.random.stateless_uniform, (2,), (1, 2)),
        ],
    }
"""

PROGRAM = """
import json
state()
before = state()
import corearray as ca
with ca.backend_context("tensorflow"):
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


#: Changes, and where each is noticed.
CHANGES = {
    "tf.config.run_functions_eagerly(True)": "settings",
    "tf.experimental.numpy.experimental_enable_numpy_behavior()": "behaviour",
    "tf.Variable.__len__ = lambda self: 1": "methods",
    "tf.add = tf.subtract": "functions",
}


def test_changes_are_noticed():
    assert {*CHANGES.values()} <= {*changes("\n".join(CHANGES))}
