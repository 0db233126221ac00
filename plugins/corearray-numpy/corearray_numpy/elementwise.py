from __future__ import annotations

import numpy as np

from corearray.plugin import hookimpl


@hookimpl(native_out=True, scalars=True)
def add(x1, x2, /, *, out=None):
    return np.add(x1, x2, out=out)


@hookimpl
def multiply(x1, x2, /):
    return np.multiply(x1, x2)


@hookimpl
def sin(x, /):
    return np.sin(x)


@hookimpl
def get_item(x, key, /):
    return x[key]


@hookimpl
def to_list(x, /):
    return x.tolist()


@hookimpl
def to_numpy(x, /):
    return x


@hookimpl
def astype(x, dtype, /, *, copy=True):
    return x.astype(dtype, copy=copy)
