from __future__ import annotations

import numpy as np

from corearray.plugin import hookimpl


@hookimpl
def asarray(obj, /, *, dtype=None, device=None, copy=None):
    return np.array(obj, dtype=dtype, copy=copy)


@hookimpl
def zeros(shape, *, dtype=None, device=None):
    return np.zeros(shape, dtype)
