"""The CuPy adapter without a GPU: a small library of the standard stands in the place of CuPy."""

from __future__ import annotations

import sys
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest
from environments import ROOT
from small_libraries import Library

import corearray as ca
from corearray.manager import manager


@pytest.fixture
def cupy(monkeypatch):
    """Return the backend, with a module in the place of CuPy that has what the adapter uses."""
    library = Library()
    module = ModuleType("cupy")
    module.asnumpy = library.to_numpy
    module.cuda = SimpleNamespace(Device=lambda number: None, runtime=SimpleNamespace(getDeviceCount=lambda: 1))
    package = ModuleType("array_api_compat")
    package.cupy = library
    monkeypatch.setitem(sys.modules, "cupy", module)
    monkeypatch.setitem(sys.modules, "array_api_compat", package)
    monkeypatch.setitem(sys.modules, "array_api_compat.cupy", library)
    monkeypatch.syspath_prepend(str(ROOT / "examples" / "plugins" / "corearray-cupy"))
    import corearray_cupy
    from corearray_cupy.native import plugin

    info = type(corearray_cupy.info)("cupy", framework="array-api-strict", array_types=("small_libraries.SmallArray",))
    monkeypatch.setattr(type(plugin), "info", info, raising=False)
    ca.register_backend(plugin)
    yield ca.get_backend("cupy")
    manager.unregister("cupy")
    for name in ("corearray_cupy", "corearray_cupy.native"):
        sys.modules.pop(name, None)


def test_arrays_go_there_and_back(cupy):
    x = cupy.asarray(np.asarray([[1.0, 2.0], [3.0, 4.0]], "float32"))
    assert str(x.device) == "gpu:0"
    np.testing.assert_allclose(cupy.to_numpy(cupy.linalg.inv(x)), np.linalg.inv([[1.0, 2.0], [3.0, 4.0]]), 1e-5)
    assert {name: cupy.binding(name).kind for name in ("mean", "median")} == {"mean": "native", "median": "composed"}


def test_writes_are_in_place_and_reach_views_and_copies(cupy):
    assert cupy.writes_in_place
    x = cupy.asarray([[0.0, 1.0], [2.0, 3.0]])
    native = x.native
    row, turned = x[1, :], cupy.reshape(cupy.permute_dims(x, (1, 0)), (4,))
    x[1, 0] = 7.0
    assert x.native is native
    assert (row.tolist(), turned.tolist()) == ([7.0, 3.0], [0.0, 7.0, 1.0, 3.0])
    turned[2] = 9.0
    assert x.tolist() == [[0.0, 9.0], [7.0, 3.0]]


def test_the_description_names_what_its_modules_need():
    text = (ROOT / "examples" / "plugins" / "corearray-cupy" / "pyproject.toml").read_text()
    light = (ROOT / "examples" / "plugins" / "corearray-cupy" / "corearray_cupy" / "__init__.py").read_text()
    assert "import cupy" not in light
    assert 'cupy = "corearray_cupy"' in text
    assert 'framework="cupy-cuda12x"' in light
    assert "cupy-cuda12x>=13.3" in text
