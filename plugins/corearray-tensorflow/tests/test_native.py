"""What the plugin says of TensorFlow: types, dtypes, devices, constants, errors, and the ways in and out."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
import tensorflow as tf
from corearray_tensorflow import native

import corearray as ca
from corearray.plugin import matches

be = ca.get_backend("tensorflow")


def test_tensors_and_variables_are_arrays():
    for x in (tf.constant([1.0, 2.0]), tf.Variable([1.0, 2.0])):
        assert ca.current_backend(x) is be
        assert be.asarray(x).native is x
        assert (be.asarray(x) + x).tolist() == [2.0, 4.0]
        assert be.native.sum(x).numpy() == 3.0
    assert not be.is_native(np.ones(2))


def test_an_array_without_axes_becomes_a_numpy_array():
    assert type(be.to_numpy(be.asarray(1.5))) is np.ndarray
    assert be.to_list(tf.constant([[True]])) == [[True]]


@pytest.mark.parametrize("name", ["add", "maximum", "less"])
def test_operands_of_several_dtypes_and_numbers_are_promoted_though_no_dtype_is_read(name):
    function, number = getattr(be.native, name), tf.constant([1, 2, 3], tf.int8)
    for first, second in [
        (number, tf.constant([0.5, 2.5, 9.0])), (number, 2.5), (2.5, number), (number, 100), (number, True),
        (tf.constant([1.0, 2.0], tf.float16), tf.constant([1.5, 0.5], tf.float64)),
        (np.asarray([1.0, 2.0], np.float32), np.asarray([1.0, 0.1])), (2.5, 3),
    ]:  # fmt: skip
        expected = getattr(be, name)(*(be.asarray(x) if hasattr(x, "dtype") else x for x in (first, second)))
        for _ in range(2):
            found = function(first, second)
            assert isinstance(found, tf.Tensor)
            assert found.dtype == expected.native.dtype
            np.testing.assert_array_equal(found, expected.native)
    with pytest.raises(OverflowError, match="does not fit"):
        function(number, 300)


def test_devices():
    assert "cpu" in [str(device) for device in be.devices()]
    x = be.ones(2, device="cpu")
    assert (str(x.device), x.to_device("cpu")) == ("cpu", x)
    assert native.native_device("cpu") == x.native.device == be.native.__array_namespace_info__().devices()[-1]
    for spelling in ("cpu:0", "CPU:0", "/device:CPU:0", "/job:localhost/replica:0/task:0/device:CPU:0"):
        assert be.ones(2, device=spelling).device == x.device
    with pytest.raises(ca.errors.DeviceError, match="has no device 'gpu:7'"):
        be.ones(2, device="gpu:7")


def test_what_numpy_finds_is_on_the_device_of_its_array():
    program = """
import tensorflow as tf
cpu = tf.config.list_physical_devices("CPU")[0]
tf.config.set_logical_device_configuration(cpu, [tf.config.LogicalDeviceConfiguration()] * 2)
import corearray as ca
be = ca.set_backend("tensorflow")
for device in be.devices():
    x = be.asarray([1.0, 3.0, 2.0], device=device)
    assert be.argmax(x).device == be.argmin(x, axis=0).device == x.device == device
print(len(be.devices()))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=300, check=True)
    assert done.stdout == "2\n"


def test_the_device_of_a_scope_gives_way_to_the_one_asked_for():
    with tf.device("/device:CPU:0"):
        assert native.native_device(str(be.zeros(2).device)) == tf.zeros(2).device


def test_constants_are_kept_and_belong_to_no_graph():
    seen = []

    @tf.function
    def traced(x):
        seen.append(native.constant((3, 17, 1)))
        return be.native.reshape(x, (3, 17, 1))

    assert traced(tf.zeros(51)).shape == (3, 17, 1)
    assert not tf.is_symbolic_tensor(seen[0])
    assert native.constant((3, 17, 1)) is seen[0]
    assert native.constant((2**40,)).dtype is tf.int64
    assert native.constant.cache_info().maxsize


@pytest.mark.parametrize(
    ("call", "kind"),
    [
        (lambda: be.ones((2, 3)) @ be.ones((2, 3)), ValueError),
        (lambda: be.ones(2) + be.ones(3), ValueError),
        (lambda: be.reshape(be.ones(2), (3,)), ValueError),
        (lambda: be.take(be.ones(2), be.asarray([5])), IndexError),
        (lambda: be.ones((2, 2))[be.asarray([0]), be.asarray([5])], IndexError),
        (lambda: be.asarray([1]) // be.asarray([0]), ZeroDivisionError),
        (lambda: be.asarray([2]) ** be.asarray([-1]), ValueError),
        (lambda: be.asarray([True]) - be.asarray([True]), TypeError),
        (lambda: be.linalg.inv(be.zeros((2, 2))), ca.LinAlgError),
    ],
)
def test_kinds_of_errors(call, kind):
    with pytest.raises(kind) as caught:
        call()
    assert isinstance(caught.value, ca.CoreArrayError)


@pytest.mark.parametrize("name", native.dtypes())
def test_dlpack_goes_there_and_back(name):
    x = be.ones((2, 3), dtype=name)
    y = tf.experimental.dlpack.from_dlpack(x.__dlpack__())
    assert (y.dtype, y.shape) == (x.native.dtype, x.shape)
    assert x.__dlpack_device__()[1] == 0


def test_dlpack_with_a_copy():
    x = be.arange(3.0)
    assert np.from_dlpack(x).tolist() == [0.0, 1.0, 2.0]
    if matches(np.__version__, ">=2.1"):
        assert not np.shares_memory(np.from_dlpack(x, copy=True), np.from_dlpack(x))
    with pytest.raises(BufferError):
        x.__dlpack__(dl_device=(2, 0))


def test_tensorflow_takes_arrays():
    x = be.asarray([1.0, 4.0])
    assert tf.sqrt(x).tolist() == [1.0, 2.0]
    assert tf.convert_to_tensor(x) is x.native
    [leaf] = tf.nest.flatten({"a": x}, expand_composites=True)
    assert leaf is x.native
    assert (tf.nest.map_structure(lambda t: t * 2, x) + x).tolist() == [3.0, 12.0]


def test_text():
    assert "[0., 1., 2.]" in repr(be.arange(3.0))
    assert "..." in repr(be.zeros(1000))


def test_diagnostics():
    found = native.diagnostics()
    assert "cpu" in found["devices"]
    assert all(type(value) is str for value in found.values())
