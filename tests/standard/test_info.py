"""What the namespaces say about the backend."""

from __future__ import annotations

import pytest
from standard.support import ALL, COMPLEX, FLOAT, HAVE, INTEGER, SIGNED, UNSIGNED, be

import corearray as ca


@pytest.fixture(autouse=True)
def on_this_backend():
    with ca.backend_context(be):
        yield


def _infos():
    return {"public": ca.__array_namespace_info__(), "backend": be.__array_namespace_info__()}


@pytest.mark.parametrize("where", ["public", "backend"])
def test_info(where):
    info = _infos()[where]
    found = info.capabilities()
    assert set(found) == {"boolean indexing", "data-dependent shapes", "max dimensions"}
    assert type(found["boolean indexing"]) is type(found["data-dependent shapes"]) is bool
    assert found["max dimensions"] is None or found["max dimensions"] >= 8
    assert info.default_device() in info.devices()
    assert info.devices() == be.devices()
    defaults = {"real floating": "float32", "complex floating": "complex64", "integral": "int64", "indexing": "int64"}
    assert info.default_dtypes() == {kind: getattr(ca, dtype) for kind, dtype in defaults.items()}
    assert info.default_dtypes(device=info.devices()[0]) == info.default_dtypes()
    ca.set_default_dtype(ca.float64)
    assert info.default_dtypes()["real floating"] is ca.float64


_KINDS = {
    None: ALL,
    "bool": ("bool",),
    "signed integer": SIGNED,
    "unsigned integer": UNSIGNED,
    "integral": INTEGER,
    "real floating": FLOAT,
    "complex floating": COMPLEX,
    "numeric": ALL[1:],
    ("bool", "real floating"): ("bool", *FLOAT),
}


@pytest.mark.parametrize("kind", _KINDS)
def test_dtypes(kind):
    want = {name: getattr(ca, name) for name in _KINDS[kind] if name in HAVE}
    assert be.__array_namespace_info__().dtypes(kind=kind) == want
    assert be.__array_namespace_info__().dtypes(kind=kind, device=be.devices()[0]) == want
    native = be.native.__array_namespace_info__().dtypes(kind=kind)
    assert native == {name: be.native_dtypes[dtype] for name, dtype in want.items()}


def test_every_dtype_of_the_standard_is_there():
    assert HAVE == ALL


def test_an_unknown_device_is_an_error():
    with pytest.raises(ValueError):
        be.__array_namespace_info__().dtypes(device="tpu:9")
