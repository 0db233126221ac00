"""What corearray asks of every extension: the kernel gives what the composition gives, in every way to call it."""

from typing import ClassVar

import numpy as np

from corearray.testing import ExtensionConformance


class TestFused(ExtensionConformance):
    extension = "fused_torch"
    backend = "torch"
    samples: ClassVar = {
        "multiply_add": [
            (np.asarray([1.0, -2.0], "float32"), np.asarray([3.0, 0.5], "float32"), np.asarray([0.0, 1.0], "float32")),
            (np.ones((2, 1), "float64"), np.arange(3.0), np.asarray(2.0)),
            (np.arange(4), np.arange(4, dtype="int8"), np.asarray([True, False, True, True])),
            (np.asarray([True, False]), np.asarray([True, True]), np.asarray([False, False])),
        ],
    }
