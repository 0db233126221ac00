"""Every function is lazy on Dask and gives NumPy's results for arrays in several chunks."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import corearray as ca

dask = pytest.importorskip("dask", minversion="2025.1")
da = pytest.importorskip("dask.array")
get_sync = pytest.importorskip("dask.local").get_sync
SAMPLES = pytest.importorskip("corearray.testing.samples").SAMPLES  # which needs NumPy

#: Functions that need values, with reasons.
COMPUTES = {
    "parafac": "its iterations end when the error no longer falls",
    "partial_tucker": "its iterations end when the error no longer falls",
    "to_list": "it returns Python numbers",
    "to_numpy": "it returns NumPy's array",
    "tucker": "its iterations end when the error no longer falls",
}

#: In the normal run each function is called with its first sample.
LONG = "COREARRAY_TEST_LONG" in os.environ


def lazy(x: np.ndarray) -> Any:
    return da.from_array(x, chunks=tuple(1 if size <= 1 else (size + 1) // 2 for size in x.shape) if x.ndim else -1)


def converted(tree: Any, convert: Any) -> Any:
    if isinstance(tree, np.ndarray):
        return convert(tree.copy())
    if type(tree) in (list, tuple):
        return type(tree)(converted(item, convert) for item in tree)
    return {key: converted(item, convert) for key, item in tree.items()} if isinstance(tree, dict) else tree


def arrays(tree: Any) -> Iterator[ca.Array]:
    if isinstance(tree, ca.Array):
        yield tree
    elif isinstance(tree, (list, tuple)):
        for item in tree:
            yield from arrays(item)


def function(be: ca.Backend, name: str) -> Any:
    spaces = [be, be.linalg, be.fft] if name not in ("fft", "cond") else [be.fft if name == "fft" else be.linalg]
    return next(getattr(space, name) for space in spaces if name in dir(space))


@pytest.mark.parametrize("name", sorted(SAMPLES))
def test_a_function_is_lazy_and_right(name):
    computed = []

    def get(graph: Any, keys: Any, **options: Any) -> Any:
        computed.append(keys)
        return get_sync(graph, keys, **options)

    be, reference = ca.get_backend("dask"), ca.get_backend("numpy")
    needed = False
    for args, options in SAMPLES[name] if LONG else SAMPLES[name][:1]:
        due = function(reference, name)(*converted(args, reference.asarray), **converted(options, reference.asarray))
        with ca.backend_context("dask"), dask.config.set(scheduler=get):
            given = converted((args, options), lambda x: be.wrap(lazy(x)))
            found = function(be, name)(*given[0], **given[1])
        needed |= bool(computed)
        assert bool(computed) <= (name in COMPUTES), f"{name} computed {len(computed)} times"
        results, wanted = list(arrays(found)), list(arrays(due))
        assert len(results) == len(wanted)
        for one, other in zip(results, wanted, strict=True):
            values = np.asarray(one.native.compute(scheduler="sync"))
            assert values.dtype == one.native.dtype
            assert other.dtype == one.dtype
            assert [own for own, size in zip(values.shape, one.shape, strict=True) if size is not None] == [
                size for size in one.shape if size is not None
            ]
            if not name.startswith("empty"):
                np.testing.assert_allclose(values, other.native, rtol=1e-4, atol=1e-5)
    assert needed or not LONG or name not in COMPUTES, f"{name} is lazy: take it out of COMPUTES"
