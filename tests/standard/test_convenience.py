"""Files, bytes, devices, the dtypes that functions take, and calls on parts of arrays."""

from __future__ import annotations

import numpy as np
import pytest
from standard.support import HAVE, NAME, array, be, check, covers, numpy_of

import corearray as ca

#: Dtypes that NumPy has too.
_PLAIN = [name for name in HAVE if name != "bfloat16"]


@pytest.fixture(autouse=True)
def _on_this_backend():
    with ca.backend_context(be if NAME == "strict" else NAME):
        yield


@pytest.mark.parametrize("dtype", _PLAIN)
def test_bytes_of_every_dtype(dtype):
    want = np.asarray([0, 1, 3, 100]).astype(dtype)
    data = want.tobytes()
    check("frombuffer", ca.frombuffer(data, dtype=dtype), want)
    check("frombuffer", ca.frombuffer(bytearray(b"xyz" + data), dtype=dtype, offset=3, count=2), want[:2])
    check("frombuffer", ca.frombuffer(memoryview(data), dtype=dtype, count=0), want[:0])


def test_bytes_of_half_precision():
    for dtype, data in (("float16", np.asarray([1.5, -2.0], "float16").tobytes()), ("bfloat16", b"\xc0\x3f\x00\xc0")):
        if getattr(ca, dtype) in be.native_dtypes:
            assert ca.astype(ca.frombuffer(data, dtype=dtype), ca.float32).tolist() == [1.5, -2.0]


def test_wrong_bytes():
    with pytest.raises(ValueError, match="'frombuffer' got 5 bytes"):
        ca.frombuffer(b"12345", dtype="int16")
    with pytest.raises(ValueError, match="give as many bytes"):
        ca.frombuffer(b"12345", dtype="int16", count=3)
    with pytest.raises(ValueError, match="offset=-1"):
        ca.frombuffer(b"12345", dtype="int8", offset=-1)
    with pytest.raises(TypeError, match="buffer protocol"):
        ca.frombuffer("text")


@pytest.mark.parametrize("suffix", [".npy", ".pickle", ".pkl"])
@pytest.mark.parametrize("dtype", ["bool", "int8", "float32", "complex64"])
def test_an_array_in_a_file(tmp_path, suffix, dtype):
    if NAME == "strict" and suffix != ".npy":  # a backend of the tests, of which nobody can load a pickle
        return
    x = np.asarray([[0, 1], [1, 0]]).astype(dtype)
    path = tmp_path / f"x{suffix}"
    ca.save(array(x), path)
    check("load", ca.load(path, allow_pickle=suffix != ".npy"), x)
    if suffix == ".npy":
        assert np.array_equal(np.load(path), x)


def test_a_container_in_a_file(tmp_path):
    path = tmp_path / "weights.npz"
    ca.save(ca.Container(w=array(np.arange(3.0)), name="text"), path)
    found = ca.load(path)
    assert found.name == "text"
    assert found.w.tolist() == [0.0, 1.0, 2.0]


def test_wrong_files(tmp_path):
    with pytest.raises(ValueError, match=r"suffix '.txt'; an array is stored as"):
        ca.save(array(np.zeros(1)), tmp_path / "x.txt")
    with pytest.raises(ValueError, match=r"suffix '.txt'; it reads"):
        ca.load(tmp_path / "x.txt")
    with pytest.raises(ValueError, match=r"write a \.npz file"):
        ca.save(ca.Container(w=1), tmp_path / "x.npy")
    with pytest.raises(TypeError, match="takes an array or a Container"):
        ca.save("text", tmp_path / "x.pickle")


def test_devices_and_their_memory():
    assert ca.list_devices() == be.devices()
    assert all(device.kind == "cpu" for device in ca.list_devices("cpu"))
    assert ca.list_devices("abacus") == ()
    used, total = ca.device_memory("cpu")
    assert 0 < used <= total
    with pytest.raises(ValueError, match="'device_memory' got 'gpu:77'"):
        ca.device_memory("gpu:77")


def test_dtypes_that_a_function_takes():
    x = array(np.asarray([1.0, 2.0], "float32"))
    assert set(ca.supported_dtypes(ca.equal, x, x)) == set(be.native_dtypes)
    kinds = {dtype.category for dtype in ca.supported_dtypes(ca.bitwise_xor, x, x)}
    assert kinds == {"bool", "signed integer", "unsigned integer"}
    assert all(dtype.category != "complex floating" for dtype in ca.supported_dtypes(ca.floor, x))
    with pytest.raises(TypeError, match="got no array"):
        ca.supported_dtypes(ca.zeros, 2)


@pytest.mark.parametrize("shape", [(3,), (0, 2), (3, 4, 2)])
@pytest.mark.parametrize("size", [2, 100])
@pytest.mark.parametrize("axis", [0, -1])
def test_calls_on_parts(shape, axis, size):
    x = np.random.default_rng(5).normal(size=shape)
    got = ca.map_in_parts(lambda a, b: {"sum": a + b, "square": [a * a]}, array(x), array(x), size=size, axis=axis)
    check("map_in_parts", got["sum"], x + x)
    check("map_in_parts", got["square"][0], x * x)


def test_wrong_parts():
    x = array(np.zeros((2, 3)))
    with pytest.raises(ValueError, match="size=0"):
        ca.map_in_parts(lambda a: a, x, size=0)
    with pytest.raises(IndexError, match="axis=2"):
        ca.map_in_parts(lambda a: a, x, size=1, axis=2)
    with pytest.raises(ValueError, match=r"lengths \[2, 3\]"):
        ca.map_in_parts(lambda a, b: a, x, array(np.zeros(3)), size=1)
    for call, message in (
        (
            lambda: ca.map_in_parts(lambda a: a, [1.0, 2.0], size=1),
            "takes arrays, got list; make one by corearray.asarray",
        ),
        (lambda: ca.map_in_parts(5, x, size=1), "'map_in_parts' takes a function, got 5"),
        (lambda: ca.map_in_parts(lambda a: a, x, size="a"), "'map_in_parts' got size='a'; give an integer"),
        (lambda: ca.map_in_parts(lambda a: a, x, size=1, axis=None), "'map_in_parts' got axis=None; give an integer"),
    ):
        with pytest.raises(TypeError, match=message) as caught:
            call()
        assert isinstance(caught.value, ca.CoreArrayError)


@covers("strides")
@pytest.mark.parametrize("dtype", ["bool", "int16", "float64"])
def test_strides(dtype):
    x = np.zeros((2, 3, 4), dtype)
    assert be.strides(array(x)) == x.strides
    assert be.strides(array(np.zeros((), dtype))) == ()


@covers("sparsify_tensor")
@pytest.mark.parametrize("shape", [(), (0,), (2, 3)])
@pytest.mark.parametrize("number", [0, 3, 9])
def test_sparsify_tensor(shape, number):
    x = np.round(2 * np.random.default_rng(5).normal(size=shape)).astype("float32")
    order = np.argsort(-np.abs(x.ravel()), kind="stable")[:number]
    want = np.zeros(x.size, x.dtype)
    want[order] = x.ravel()[order]
    check(("sparsify_tensor", x, number), be.sparsify_tensor(array(x), number), want.reshape(x.shape))
    with pytest.raises(ValueError, match="number=-1"):
        be.sparsify_tensor(array(x), -1)


@covers("fft2", "ifft2", "rfft2", "irfft2")
@pytest.mark.parametrize("options", [{}, {"axes": (0, 1)}, {"s": (4, 3), "norm": "ortho"}], ids=str)
@pytest.mark.parametrize("name", ["fft2", "ifft2", "rfft2", "irfft2"])
def test_transforms_over_two_axes(name, options):
    x = np.random.default_rng(3).normal(size=(2, 3, 4))
    x = x if name == "rfft2" else x + 1j * np.flip(x)
    check(
        (name, x),
        getattr(be.fft, name)(array(x), **options),
        getattr(np.fft, name)(x, **options),
        factor=100.0,
        scale=10.0,
    )


# --- grids


@pytest.mark.parametrize(
    "key",
    [
        slice(3), slice(1, 7, 2), slice(0, 1, 5j), (slice(2), slice(3)), (slice(0, 1, 3j), slice(2, 8, 3)), (slice(4),),
        (slice(0.5, 2.0, 0.5), slice(2)), (slice(0), slice(3)),
    ],
    ids=str,
)  # fmt: skip
def test_grids_of_slices(key):
    for ours, numpys in ((ca.mgrid, np.mgrid), (ca.ogrid, np.ogrid)):
        found, want = ours[key], numpys[key]
        if isinstance(want, tuple):
            assert isinstance(found, tuple)
        else:
            found, want = (found,), (want,)
        for one, other in zip(found, want, strict=True):
            assert be.isdtype(one.dtype, "integral") == (other.dtype.kind == "i")
            np.testing.assert_allclose(numpy_of(one), other, rtol=1e-6)
    with pytest.raises(TypeError, match="give slices with a stop"):
        ca.mgrid[3]


def test_index_grids():
    x = np.arange(24).reshape(2, 3, 4)
    mask = np.asarray([True, False, True])
    for keys in (([1], [0, 2], [3, 0, 1]), ([1, 0], mask, [2]), ([], [0], [1, 2])):
        found = array(x)[ca.ix_(*(array(key) if isinstance(key, np.ndarray) else key for key in keys))]
        want = x[np.ix_(*keys)]
        assert found.shape == want.shape
        assert np.array_equal(numpy_of(found), want)
    with pytest.raises(ValueError, match=r"each has one axis"):
        ca.ix_(be.ones((2, 2), dtype="int64"))
    with pytest.raises(TypeError, match="give integers or truth values"):
        ca.ix_([0.5])


def test_arrays_from_a_function_of_indices():
    found = ca.fromfunction(lambda i, j, scale: i * scale + j, (2, 3), dtype="int64", scale=10)
    assert found.tolist() == [[0, 1, 2], [10, 11, 12]]
    assert ca.fromfunction(lambda i: i, 3).dtype == be.ones(1).dtype
    assert ca.fromfunction(lambda: 5, ()) == 5
    with pytest.raises(TypeError, match="'fromfunction' got 3"):
        ca.fromfunction(3, (2,))


def test_a_function_along_an_axis():
    x = np.arange(24.0, dtype="float32").reshape(2, 3, 4)
    for axis in (0, 1, -1):
        for name, fn, want in (
            ("sum", lambda v: ca.sum(v), np.sum),
            ("flip", lambda v: ca.flip(v), np.flip),
            ("outer", lambda v: ca.linalg.outer(v[:2], v[:2]), lambda v: np.outer(v[:2], v[:2])),
        ):
            found, expected = ca.apply_along_axis(fn, axis, array(x)), np.apply_along_axis(want, axis, x)
            assert found.shape == expected.shape, (name, axis)
            np.testing.assert_allclose(numpy_of(found), expected)
    assert ca.apply_along_axis(lambda v, k, *, by: v[k] * by, 0, array(x[0]), 1, by=2.0).shape == (4,)
    assert ca.apply_along_axis(ca.sum, 0, array(np.zeros((0, 3)))).tolist() == [0.0, 0.0, 0.0]
    with pytest.raises(ValueError, match="no vector along 0"):
        ca.apply_along_axis(ca.sum, 0, be.ones((2, 0)))
    with pytest.raises(IndexError):
        ca.apply_along_axis(ca.sum, 2, be.ones((2, 2)))
    with pytest.raises(TypeError, match="takes an array"):
        ca.apply_along_axis(ca.sum, 0, [1.0])
