"""No implementation needs a name that came later than the oldest NumPy in the plugin's range."""

from __future__ import annotations

import ast
import importlib
from pathlib import Path

import numpy as np
import pytest
from corearray_numpy import creation, info

from corearray.plugin import matches

MODULES = [importlib.import_module(name) for name in info.modules]

#: Names that NumPy 1.26 does not have.
NEWER = {
    "np": {
        *("acos", "acosh", "asin", "asinh", "astype", "atan", "atan2", "atanh", "bitwise_count", "bitwise_invert"),
        *("bitwise_left_shift", "bitwise_right_shift", "bool", "concat", "cumulative_prod", "cumulative_sum"),
        *("isdtype", "long", "matrix_transpose", "matvec", "permute_dims", "pow", "trapezoid", "ulong"),
        *("unique_all", "unique_counts", "unique_inverse", "unique_values", "unstack", "vecdot", "vecmat"),
    },
    "np.linalg": {
        *("cross", "diagonal", "matmul", "matrix_norm", "matrix_transpose", "outer", "svdvals", "tensordot"),
        *("trace", "vecdot", "vector_norm"),
    },
    "np.lib": {"array_utils", "introspect"},
}


def test_no_variant_of_asarray_would_do_for_every_version():
    """`copy` means something else in NumPy 1."""
    newer = matches(np.__version__, ">=2")
    right, wrong = (creation.asarray, creation.asarray_of_numpy_1)[:: 1 if newer else -1]
    assert right([1, 2]).tolist() == [1, 2]
    with pytest.raises(ValueError, match="copy"):
        wrong([1, 2])


def later_names(source: str) -> list[str]:
    """Return the names that only newer versions have, in functions that say nothing of versions."""
    found = []
    for function in ast.walk(ast.parse(source)):
        if not isinstance(function, ast.FunctionDef):
            continue
        if any("versions=" in ast.unparse(decorator) for decorator in function.decorator_list):
            continue
        for node in ast.walk(function):
            if isinstance(node, ast.Attribute):
                owner, _, name = ast.unparse(node).rpartition(".")
                if name in NEWER.get(owner, ()):
                    found.append(f"{owner}.{name}")
    return found


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__)
def test_names_exist_in_the_oldest_version(module):
    assert later_names(Path(module.__file__).read_text(encoding="utf-8")) == []


def test_a_later_name_is_noticed():
    assert later_names("@hookimpl(native=np.concat)\ndef concat(arrays): ...") == ["np.concat"]
    assert later_names("def outer(x1, x2):\n    return np.outer(x1, np.linalg.outer(x1, x2))") == ["np.linalg.outer"]
    assert later_names("@hookimpl(versions='>=2')\ndef vecdot(x1, x2):\n    return np.vecdot(x1, x2)") == []
