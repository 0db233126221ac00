"""What the plugin says of NumPy: types, dtypes, devices, and the ways in and out."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from corearray_numpy import native

import corearray as ca

be = ca.get_backend("numpy")


def test_dtypes_of_another_c_type_are_known():
    x = be.asarray(np.ones(2, np.longlong))
    assert (x + be.ones(2, dtype="int64")).dtype is ca.int64


@pytest.mark.parametrize(
    "make",
    [
        lambda x: be.sum(x),
        lambda x: be.prod(x),
        lambda x: be.max(x),
        lambda x: be.mean(x),
        lambda x: be.all(x),
        lambda x: be.reshape(x[:1], ()),
        lambda x: be.where(x[0] > x[1], x[0], x[1]),
        lambda x: x[0],
        lambda x: x[0] + x[1],
        lambda x: be.sin(x[0]),
        lambda x: be.argmax(x),
        lambda x: be.count_nonzero(x),
        lambda x: be.searchsorted(x, 2),
        lambda x: be.linalg.vector_norm(x),
        lambda x: be.unstack(x)[0],
        lambda x: be.linalg.slogdet(be.eye(2)).sign,
    ],
)
def test_numpy_scalars_become_arrays(make):
    x = make(be.asarray([1.0, 2.0, 3.0]))
    assert type(x.native) is np.ndarray
    assert x.native.shape == ()


def test_numpy_scalars_are_arguments():
    x = np.float64(3.0)
    for result in (be.native.reshape(x, (1,)), be.native.expand_dims(x, 0), be.native.stack([x, x])):
        assert result.tolist() == [3.0] * result.size
    assert ca.add(np.float32(1.5), np.float32(2)).tolist() == 3.5


def test_the_only_device_is_the_cpu():
    assert [str(device) for device in be.devices()] == ["cpu"]
    x = be.ones(2)
    assert x.to_device("cpu") is x
    with pytest.raises(ca.errors.DeviceError, match="has no device 'gpu"):
        x.to_device("gpu:0")


def test_items_are_written_in_place():
    x = np.zeros(3)
    ca.asarray(x)[1:] = 2
    assert x.tolist() == [0.0, 2.0, 2.0]


def test_memory_that_numpy_protects_is_copied_before_it_is_written():
    protected = np.frombuffer(np.arange(3.0).tobytes())
    x = be.asarray(protected, copy=False)
    x[0] = 9
    assert x.tolist() == [9.0, 1.0, 2.0]
    assert protected.tolist() == [0.0, 1.0, 2.0]


def test_repeated_elements_are_not_written():
    y = be.broadcast_to(be.arange(3.0), (2, 3))
    with pytest.raises(ValueError, match="read-only; write into that one, or into a copy"):
        y[0, 0] = 9
    assert y.tolist() == [[0.0, 1.0, 2.0], [0.0, 1.0, 2.0]]


def test_read_only_memory_is_exported():
    x = be.broadcast_to(be.arange(3.0), (2, 3))
    assert np.from_dlpack(x).tolist() == x.tolist()

    class OldConsumer:
        """Asks without `max_version`, as libraries of before DLPack 1 do."""

        def __dlpack__(self, **options):
            return x.__dlpack__()

        def __dlpack_device__(self):
            return x.__dlpack_device__()

    assert np.from_dlpack(OldConsumer()).tolist() == x.tolist()


def test_to_numpy_shares_memory():
    x = np.arange(3.0)
    assert ca.to_numpy(ca.asarray(x)) is x


def test_text():
    assert "[0., 1., 2.]" in repr(be.arange(3.0))
    assert "..." in repr(be.zeros(1000))


def test_diagnostics():
    found = native.diagnostics()
    assert set(found) == {"BLAS", "SIMD"}
    assert all(found.values())


def test_the_first_call_of_a_public_function_writes_no_text_of_the_backend():
    program = """
import corearray as ca
be = ca.set_backend("numpy")
x = ca.asarray([0.0])
assert ca.sin(x).tolist() == [0.0]
print(be.calls.sin.__name__, be.sin.__name__)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["compose_and_call", "sin"]
