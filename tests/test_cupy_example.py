"""The CuPy adapter without a GPU, on NumPy with CuPy's names and refusals (`fake_cupy`)."""

from __future__ import annotations

import sys

import fake_cupy
import numpy as np
import pytest
from environments import ROOT

import corearray as ca
from corearray.contract.declaration import DECLARATIONS
from corearray.manager import manager
from corearray.testing import Capabilities, Conformance
from corearray.testing.checks import CHECKS, OF_DTYPE

#: What CuPy does otherwise than the standard, the adapter or the plugin makes up for in these functions.
FUNCTIONS = (
    "asarray",
    "astype",
    "cumulative_prod",
    "eig",
    "from_dlpack",
    "get_item",
    "linspace",
    "reshape",
    "solve",
    "take",
)


@pytest.fixture(scope="module")
def cupy():
    """Return the backend, with modules in the place of CuPy."""
    with pytest.MonkeyPatch.context() as patch:
        for name, module in fake_cupy.modules().items():
            patch.setitem(sys.modules, name, module)
        patch.syspath_prepend(str(ROOT / "examples" / "plugins" / "corearray-cupy"))
        import corearray_cupy
        from corearray_cupy.native import plugin

        info = type(corearray_cupy.info)("cupy", framework="numpy", array_types=("fake_cupy.ndarray",))
        patch.setattr(type(plugin), "info", info, raising=False)
        ca.register_backend(plugin)
        yield ca.get_backend("cupy")
        manager.unregister("cupy")
        for name in [name for name in sys.modules if name.startswith(("corearray_cupy", "array_api_compat.cupy"))]:
            del sys.modules[name]


@pytest.fixture(scope="module")
def kit():
    capabilities = Capabilities(devices=("gpu:0",), writes_in_place=True)
    return type("TestCupy", (Conformance,), {"backend": "cupy", "capabilities": capabilities, "__module__": __name__})()


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_that_cupy_computes_otherwise(cupy, kit, name):
    assert name in DECLARATIONS
    kit.test_function(cupy, name, lambda *_: None)


@pytest.mark.parametrize("check", ["dlpack", "errors", "keys", "registration"])
def test_checks(cupy, kit, check):
    if check in OF_DTYPE:
        kit.test_check_of_dtype(cupy, check, "float32")
    else:
        assert check in CHECKS
        kit.test_check(cupy, check)


def test_arrays_do_not_become_numpys_by_themselves(cupy):
    x = cupy.asarray([1.0, 2.0])
    with pytest.raises(TypeError, match="Implicit conversion"):
        np.asarray(x.native)
    assert (x.tolist(), float(cupy.sum(x)), cupy.sum(x).native.shape) == ([1.0, 2.0], 3.0, ())


def test_indices_out_of_bounds_are_refused(cupy):
    x = cupy.asarray([[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]])
    assert x.native[0, fake_cupy.ndarray(np.asarray([3]))].tolist() == [0.0]  # CuPy wraps them
    wrong = cupy.asarray([0, 3])
    for call in (lambda: cupy.take(x, wrong, axis=1), lambda: x[wrong], lambda: x[0, wrong], lambda: x[..., wrong]):
        with pytest.raises(IndexError, match="out of bounds"):
            call()
    with pytest.raises(IndexError, match="out of bounds"):
        x[wrong] = 0.0


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
