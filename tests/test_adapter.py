"""The adapter: a library of the standard as an installed backend, facts that a plugin leaves out, objects as modules."""

from __future__ import annotations

import math
import subprocess
import sys

import array_api_strict as xp
import numpy as np
import pytest
from small_libraries import Library, SmallArray

import corearray as ca
from corearray.backends.capabilities import elements_text
from corearray.manager import manager
from corearray.plugin import ArrayApiPlugin, BackendInfo, hookimpl

DESCRIPTION = """
from corearray.plugin import BackendInfo

info = BackendInfo(
    "adapted",
    framework="array-api-strict",
    array_types=("array_api_strict._array_object.Array",),
    modules=("corearray_adapted.native:plugin",),
)
"""
NATIVE = """
import array_api_strict as xp
import numpy as np

from corearray.plugin import ArrayApiPlugin, hookimpl


class Adapted(ArrayApiPlugin):
    @hookimpl
    def sin(self, x, /):
        return xp.sin(x) + 1


plugin = Adapted(xp, to_numpy=np.asarray, also=("mean",))
"""
PROGRAM = """
import corearray as ca

be = ca.get_backend("adapted")
x = be.asarray([[0.0, 1.0], [2.0, 3.0]])
print(be.binding("mean").kind, be.binding("std").kind)
print(be.sin(x)[0, 0].tolist(), be.median(x).tolist(), be.fft.fft(x[0, :]).tolist())
x[0, 0] = 7.0
print(x)
print(ca.asarray(x, dtype="int8").device, be.asarray([be.ones(()), 2]).dtype)
"""
PRINTED = """
native composed
1.0 1.5 [(1+0j), (-1+0j)]
Array([[7.0, 1.0],
       [2.0, 3.0]], dtype=float32, backend=adapted, device=cpu)
cpu float32
"""


@pytest.fixture
def adapted(tmp_path):
    package = tmp_path / "corearray_adapted"
    package.mkdir()
    (package / "__init__.py").write_text(DESCRIPTION)
    (package / "native.py").write_text(NATIVE)
    installed = tmp_path / "corearray_adapted-1.0.dist-info"
    installed.mkdir()
    types = "[corearray.array_types]\narray_api_strict._array_object.Array = corearray_adapted\n"
    (installed / "entry_points.txt").write_text(f"[corearray.backends]\nadapted = corearray_adapted\n{types}")
    requires = "Requires-Dist: corearray\nRequires-Dist: array-api-strict\n"
    (installed / "METADATA").write_text(f"Metadata-Version: 2.1\nName: corearray-adapted\nVersion: 1.0\n{requires}")
    return tmp_path


def run(folder, *arguments):
    program = f"import sys; sys.path.insert(0, {str(folder)!r}); "
    done = subprocess.run(
        [sys.executable, "-c", program + arguments[0], *arguments[1:]], capture_output=True, text=True
    )
    return done.stdout, done.stderr


def test_a_library_of_the_standard_is_a_backend_in_ten_lines(adapted):
    assert run(adapted, PROGRAM) == (PRINTED.lstrip(), "")


def test_the_adapted_backend_is_valid(adapted):
    output, errors = run(adapted, "from corearray.cli import main; main(sys.argv[1:])", "validate", "adapted")
    assert ": no problem in 1 modules\n" in output
    assert errors == ""


@pytest.mark.parametrize(
    ("elements", "precision", "text"),
    [
        (1.23456789012, None, "1.2345679"),
        ([], None, "[]"),
        ([True, False], 2, "[True, False]"),
        ([1.0 / 3, float("nan"), float("inf")], 2, "[0.33, nan, inf]"),
        ([1.5 - 2j, complex(0, -0.0)], None, "[1.5-2.0j, 0.0-0.0j]"),
        ([[[1], [2]], [[3], [4]]], None, "[[[1],\n  [2]],\n [[3],\n  [4]]]"),
        (list(range(200)), None, "[0, 1, 2, ..., 197, 198, 199]"),
    ],
)
def test_the_text_of_elements(elements, precision, text):
    assert elements_text(elements, precision) == text


# --- libraries with habits of their own


@pytest.fixture
def small():
    """Register backends of small libraries, which are gone after the test."""
    made = []

    def make(overrides=(), also=(), **habits):
        library = Library(**habits)
        name = f"small{len(made)}"
        info = BackendInfo(name, framework="array-api-strict", array_types=("small_libraries.SmallArray",))
        plugin = type("Small", (ArrayApiPlugin,), {"info": info, **dict(overrides)})
        ca.register_backend(plugin(library, to_numpy=library.to_numpy, also=also))
        made.append(name)
        return ca.get_backend(name)

    yield make
    for name in made:
        manager.unregister(name)


@pytest.mark.parametrize("habits", [{}, {"slices_copy": True}, {"immutable": True}])
def test_a_write_into_a_view_reaches_its_base_on_every_library(small, habits):
    be = small(**habits)
    x = be.asarray([[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]])
    row, turned = x[1:, :], be.reshape(be.permute_dims(x, (1, 0)), (6,))
    row[0, 0] = 9.0
    turned[0] = 7.0
    assert x.tolist() == [[7.0, 1.0, 2.0], [9.0, 4.0, 5.0]]
    assert (row.tolist(), turned.tolist()) == ([[9.0, 4.0, 5.0]], [7.0, 9.0, 1.0, 4.0, 2.0, 5.0])
    x[0, 1] = 6.0
    assert turned.tolist() == [7.0, 9.0, 6.0, 4.0, 2.0, 5.0]
    assert not be.writes_in_place


def test_a_library_that_tells_memories_apart_writes_in_place(small):
    told = {
        "memory_of": hookimpl(lambda self, x: id(x.held._array if x.held._array.base is None else x.held._array.base))
    }
    told["memory_of"].__name__ = "memory_of"
    assert small(told).writes_in_place
    assert not small(told, slices_copy=True).writes_in_place
    assert not small(told, immutable=True).writes_in_place


def test_functions_that_the_library_lacks_are_missing(small):
    be = small(lacks=("fft", "cholesky", "nextafter", "sort", "cumulative_sum", "imag"))
    for name in ("fft", "cholesky", "nextafter", "cumulative_sum", "imag"):
        with pytest.raises(ca.FunctionNotImplementedError, match=f"'{name}' has no implementation on backend 'small0'"):
            be.binding(name)
    assert be.binding("sort").kind == "composed"
    assert be.sort(be.asarray([2.0, 1.0])).tolist() == [1.0, 2.0]


def test_another_name_of_an_option_is_not_handed_on(small):
    be = small(also=("std",))
    x = be.asarray([1.0, 2.0, 3.0])
    assert be.binding("std").kind == "native"
    assert be.std(x, ddof=1).tolist() == be.std(x, correction=1).tolist() == 1.0
    assert be.std(x).tolist() == pytest.approx((2 / 3) ** 0.5)


def test_a_library_with_one_device_is_not_asked_for_it(small):
    be = small()
    x = be.asarray([1.0, 2.0])
    assert x.device == ca.Device("cpu")
    assert be.to_numpy(x.to_device("cpu")).tolist() == [1.0, 2.0]


def test_random_numbers_where_operators_of_the_framework_refuse_numbers(small, monkeypatch):
    be = small()
    with pytest.raises(TypeError, match="take arrays"):
        be.asarray([1]).native & 1
    monkeypatch.setattr("corearray.random.words.words_of_host", lambda *given: None)  # as without the accelerator
    with ca.backend_context(be):
        found = [ca.random.Generator(7).uniform(shape=3), ca.compile(ca.random.Generator(7).uniform)(shape=3)]
    monkeypatch.undo()
    wanted = [ca.random.Generator(7).uniform(shape=3), ca.random.Generator(7).spawn(1)[0].uniform(shape=3)]
    assert [x.tolist() for x in found] == [x.tolist() for x in wanted]


def test_a_condition_without_a_value_names_the_missing_hook(small, monkeypatch):
    be = small()

    def refused(x):
        raise RuntimeError("bool(Array) within a program")

    monkeypatch.setattr(SmallArray, "__bool__", refused)
    text = f"the value of a condition of 'if_else' .* backend '{be.name}' lacks the hook 'truth'"
    with pytest.raises(ca.TracingError, match=text):
        ca.if_else(be.asarray(True), lambda: 1, lambda: 2)


def test_arrays_that_know_of_no_device_are_on_the_default_one(small):
    info = BackendInfo("several", framework="array-api-strict", array_types=("small_libraries.SmallArray",))
    library = Library()
    devices = {"cpu": None, "gpu:0": xp.Device("device1")}
    ca.register_backend(
        type("Several", (ArrayApiPlugin,), {"info": info})(library, to_numpy=library.to_numpy, devices=devices)
    )
    try:
        be = ca.get_backend("several")
        x = be.asarray([1.0, 2.0])
        assert str(x.device) == "cpu"
        assert (x + x).tolist() == [2.0, 4.0]
        assert x.to_device("gpu:0").native.held.device == devices["gpu:0"]
    finally:
        manager.unregister("several")


def test_sizes_that_the_library_does_not_know_are_none(small):
    be = small()
    x = be.asarray([[1.0, 2.0]])
    unknown = be.wrap(type("Lazy", (SmallArray,), {"shape": (math.nan, 2)})(x.native.held, x.native.library))
    assert unknown.shape == (None, 2)
    assert unknown.size is None
    assert x.shape == (1, 2)
    assert type(x.shape[0]) is int


def test_the_device_of_dlpack_is_told_in_integers(small):
    found = small().asarray([1.0]).__dlpack_device__()
    assert found == (1, 0)
    assert [type(number) for number in found] == [int, int]


@pytest.mark.parametrize(
    ("key", "wanted"),
    [
        (1, [3.0, 4.0, 5.0]),
        (slice(-9, 9), [[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]),
        ((slice(None), slice(5, None, -2)), [[2.0, 0.0], [5.0, 3.0]]),
        ((slice(None), slice(0, 9, -1)), [[], []]),
        ((Ellipsis, slice(1, 99)), [[1.0, 2.0], [4.0, 5.0]]),
        ((None, 0, slice(-1, None)), [[2.0]]),
    ],
)
def test_keys_of_any_length_reach_a_library_as_the_standard_has_them(small, key, wanted):
    be = small()
    x = be.asarray([[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]])
    assert x[key].tolist() == wanted


def test_a_namespace_without_information_has_the_dtypes_of_their_names():
    class Namespace:
        int32, float32 = "i4", "f4"
        asarray = staticmethod(float)

    assert ArrayApiPlugin(Namespace, to_numpy=float).dtypes() == {"int32": "i4", "float32": "f4"}


# --- a library without integers of 64 bits


NARROW = ("int64", "uint64", "float64", "complex128")


@pytest.fixture
def narrow(small):
    return small(lacks=NARROW, integers="int32")


@pytest.mark.parametrize(
    ("call", "dtype", "elements"),
    [
        (lambda be, x: be.asarray([1, 2]), "int32", [1, 2]),
        (lambda be, x: be.sum(x), "uint32", 6),
        (lambda be, x: be.sum(be.asarray([True, True])), "int32", 2),
        (lambda be, x: be.cumulative_sum(x), "uint32", [3, 4, 6]),
        (lambda be, x: be.arange(3), "int32", [0, 1, 2]),
        (lambda be, x: be.zeros(2, dtype=int), "int32", [0, 0]),
        (lambda be, x: be.full(2, 7), "int32", [7, 7]),
        (lambda be, x: be.argsort(x), "int32", [1, 2, 0]),
        (lambda be, x: be.sort(x), "uint8", [1, 2, 3]),
        (lambda be, x: be.argmax(x), "int32", 0),
        (lambda be, x: be.count_nonzero(x), "int32", 3),
        (lambda be, x: be.take(x, be.asarray([2, -1])), "uint8", [2, 2]),
        (lambda be, x: x[[0, 2]], "uint8", [3, 2]),
        (lambda be, x: be.searchsorted(be.asarray([1.0, 2.0]), be.asarray([1.5])), "int32", [1]),
        (lambda be, x: be.top_k(x, 2).indices, "int32", [0, 2]),
        (lambda be, x: be.tril(be.ones((2, 2))), "float32", [[1.0, 0.0], [1.0, 1.0]]),
        (lambda be, x: x + 1, "uint8", [4, 2, 3]),
        (lambda be, x: be.astype(x, be.int64), "int32", [3, 1, 2]),
    ],
)
def test_defaults_and_indices_have_the_widest_integers_that_a_library_has(narrow, call, dtype, elements):
    found = call(narrow, narrow.asarray([3, 1, 2], dtype="uint8"))
    assert (found.dtype.name, found.tolist()) == (dtype, elements)


def test_numbers_beside_booleans_have_the_widest_integers_that_a_library_has(narrow):
    condition = narrow.asarray([True, False])
    assert (str((condition + 1).dtype), (condition > 0).tolist()) == (str(narrow.int64), [True, False])
    assert narrow.unique_values(condition).tolist() == [False, True]
    assert narrow.reduce(condition, 0, ca.add, axes=0).tolist() == 1


def test_an_array_that_offers_no_dlpack_is_not_taken_for_an_unknown_size(small, monkeypatch):
    be = small()
    x = be.asarray([1, 2])
    monkeypatch.delattr(SmallArray, "__dlpack__")
    with pytest.raises(ca.CoreArrayError, match="__dlpack__"):
        be.from_dlpack(x)


def test_the_default_integers_of_a_library_without_int64_are_told(narrow):
    told = narrow.__array_namespace_info__().default_dtypes()
    assert (told["integral"], told["indexing"]) == (ca.int32, ca.int32)


def test_integers_that_were_asked_for_are_never_narrowed(narrow):
    with pytest.raises(TypeError, match="has no dtype 'int64'"):
        narrow.zeros(3, dtype="int64")
    with pytest.raises(TypeError, match=r"an array of the dtype 'int64', which backend '.*' does not have"):
        narrow.asarray(np.asarray([2**40]))
    with pytest.raises(TypeError, match="has no dtype 'int64'"):
        narrow.add(narrow.asarray([1], dtype="int32"), narrow.asarray([1], dtype="uint32"))
    with pytest.raises(OverflowError):
        narrow.asarray(2**40)
