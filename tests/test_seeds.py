"""The examples of the documents that the design follows, as they are printed but for the names.

One test an example, each on every installed backend that it applies to. The documents: *Backend setting*, *Building
blocks*, *Backend system*, *Function types*, *Function wrapping*.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator

import numpy as np
import pytest

import corearray as ca
from corearray.stages import ORDER

READY = [row.name for row in ca.list_backends() if row.status == "ready"]


@pytest.fixture(autouse=True)
def nothing_set() -> Iterator[None]:
    with ca.backend_context("numpy"):
        ca.unset_backend()
        yield


@pytest.fixture(params=READY)
def be(request: pytest.FixtureRequest) -> Iterator[ca.Backend]:
    yield ca.set_backend(request.param)


@pytest.fixture
def showing(be: ca.Backend) -> ca.Backend:
    """A backend that shows native calls."""
    if "traced_calls" not in be.facts:
        pytest.skip("this backend shows no native calls")
    return be


def close(x, values, **options):
    np.testing.assert_allclose(np.asarray(x), values, **{"rtol": 1e-5, "atol": 1e-6, **options})


# --- backend setting


@pytest.mark.parametrize("name", READY)
def test_the_backend_is_inferred_and_remembered(name):
    be = ca.get_backend(name)
    y = ca.multiply(be.asarray([3.0]).native, be.asarray([4.0]).native)
    assert y.backend is ca.get_backend() is be and y.tolist() == [12.0]


@pytest.mark.parametrize("name", READY)
def test_set_backend_previous_backend_unset_backend(name):
    ca.set_backend(name)
    z = ca.matmul(ca.asarray([[2.0, 3.0]]), ca.asarray([[5.0], [6.0]]))
    assert ca.get_backend().name == name and z.tolist() == [[28.0]]
    assert ca.previous_backend().name == name
    for each in READY:
        ca.set_backend(each)
    ca.unset_backend()
    assert ca.previous_backend() is None


# --- building blocks


def test_stack(be):
    assert ca.stack((ca.asarray([1.0, 2.0]), ca.asarray([3.0, 4.0])), axis=1).tolist() == [[1.0, 3.0], [2.0, 4.0]]


def test_logspace(be):
    close(ca.logspace(0, 3, 4, base=10.0), [1.0, 10.0, 100.0, 1000.0])


def test_prod(be):
    assert int(ca.prod(ca.asarray([1, 2, 3]))) == 6 and int(ca.prod(ca.asarray([1, 0, 3]))) == 0


def test_implicit_and_explicit_backends(be):
    z = ca.asarray([1, 2, 3])
    assert isinstance(ca.to_native(z), be.array_types)
    t = be.asarray([23, 42, -1]).native
    ca.unset_backend()
    assert isinstance(ca.to_native(ca.sum(t)), be.array_types)


def lstm_update(x, init_h, init_c, kernel, recurrent_kernel, bias=None, recurrent_bias=None):
    x_shape = list(x.shape)
    batch_shape = x_shape[:-2]
    timesteps = x_shape[-2]
    input_channels = x_shape[-1]
    x_flat = ca.reshape(x, (-1, input_channels))

    Wi = kernel
    Wi_x = ca.reshape(
        ca.matmul(x_flat, Wi) + (bias if bias is not None else 0),
        (*batch_shape, timesteps, -1),
    )
    Wii_x, Wif_x, Wig_x, Wio_x = ca.split(Wi_x, 4, axis=-1)
    Wh = recurrent_kernel
    ht = init_h
    ct = init_c
    hts_list = []
    for Wii_xt, Wif_xt, Wig_xt, Wio_xt in zip(
        ca.unstack(Wii_x, axis=-2),
        ca.unstack(Wif_x, axis=-2),
        ca.unstack(Wig_x, axis=-2),
        ca.unstack(Wio_x, axis=-2),
        strict=True,
    ):
        htm1 = ht
        ctm1 = ct
        Wh_htm1 = ca.matmul(htm1, Wh) + (recurrent_bias if recurrent_bias is not None else 0)
        Whi_htm1, Whf_htm1, Whg_htm1, Who_htm1 = ca.split(Wh_htm1, 4, axis=-1)
        it = ca.sigmoid(Wii_xt + Whi_htm1)
        ft = ca.sigmoid(Wif_xt + Whf_htm1)
        gt = ca.tanh(Wig_xt + Whg_htm1)
        ot = ca.sigmoid(Wio_xt + Who_htm1)
        ct = ft * ctm1 + it * gt
        ht = ot * ca.tanh(ct)
        hts_list.append(ca.expand_dims(ht, axis=-2))
    return ca.concat(hts_list, axis=-2), ct


def test_lstm_update(be):
    generator = np.random.default_rng(0)
    shapes = ((2, 5, 3), (2, 4), (2, 4), (3, 16), (4, 16), (16,), (16,))
    arrays = [ca.asarray(generator.normal(size=shape).astype("float32")) for shape in shapes]
    for one, other in zip(lstm_update(*arrays), ca.lstm_update(*arrays), strict=True):
        close(one, np.asarray(other), rtol=1e-4, atol=1e-5)


def pure(x):
    y = ca.mean(x)
    z = ca.sum(x)
    f = ca.var(y)
    k = ca.cos(z)
    m = ca.sin(f)
    o = ca.tan(y)
    return ca.stack([k, m, o], axis=-1)


def test_pure_native_and_mix_are_one_graph(showing):
    xp = showing.native

    def native(x):
        y = xp.mean(x)
        z = xp.sum(x)
        f = xp.var(y)
        k = xp.cos(z)
        m = xp.sin(f)
        o = xp.tan(y)
        return xp.stack([k, m, o], axis=-1)

    def mix(x):
        y = ca.mean(x)
        z = xp.sum(x.native)
        f = ca.var(y)
        k = xp.cos(z)
        m = ca.sin(f)
        o = xp.tan(y.native)
        return ca.stack([k, m, o], axis=-1)

    x = ca.asarray([[1.0, 2.0, 3.0]])
    graph = ca.compile_graph(pure, x)
    assert graph == ca.compile_graph(native, x.native) == ca.compile_graph(mix, x)
    close(graph(x), np.asarray(pure(x)))


def clean(x, w, b):
    return w * x + b


def unclean(x, w, b):
    y = b + w + x
    print("message")
    wx = w * x
    ret = wx + b
    temp = y * wx  # noqa: F841
    return ret


def test_clean_and_unclean_are_one_graph(showing, capsys):
    x = ca.asarray([1.0, 2.0, 3.0])
    w = ca.random.Generator(0).uniform(-1, 1, shape=(3, 3))
    b = ca.zeros((3,))
    graph = ca.compile_graph(unclean, x, w, b)
    assert capsys.readouterr().out == "message\n"
    assert graph == ca.compile_graph(clean, x, w, b) and ca.allclose(graph(x, w, b), clean(x, w, b))
    assert not capsys.readouterr().out


def test_network(showing):
    class Network(ca.Module):
        def __init__(self):
            self._layer = ca.Linear(3, 3)
            super().__init__()

        def forward(self, x):
            return self._layer(x)

    net = Network()
    x = ca.asarray([1.0, 2.0, 3.0])
    graph = net.compile_graph(x)
    assert ca.allclose(graph(net.parameters(), x), net(x), atol=1e-6)


def test_another_graph_for_each_backend(showing):
    def func(x, y):
        w = ca.diag(x)
        return ca.matmul(w, y)

    x = ca.asarray([1.0, 2.0, 3.0])
    y = ca.asarray([2.0, 3.0, 4.0])
    graph = ca.compile_graph(func, x, y)
    assert graph(x, y).tolist() == [2.0, 6.0, 12.0] and graph.backend is showing
    assert not any(name.startswith("corearray.") for name in graph.functions)


# --- backend system


def test_backends_by_context_and_by_thread():
    assert ca.get_backend().name == "numpy"
    seen = []
    for name in READY:
        with ca.backend_context(name):
            thread = threading.Thread(target=lambda: seen.append(ca.get_backend().name))
            thread.start()
            thread.join()
            assert ca.get_backend().name == name
    assert seen == READY and ca.get_backend().name == "numpy"


# --- function types


def test_tan(be):
    x, out = ca.asarray([0.0, 1.0]), ca.zeros(2)
    assert ca.tan(x, out=out) is out
    close(out, np.tan([0.0, 1.0]))


def test_cross_entropy(be):
    true, pred = ca.asarray([[0.0, 0.0, 1.0]]), ca.asarray([[0.05, 0.05, 0.9]])
    close(ca.cross_entropy(pred, true, from_logits=False, epsilon=1e-7), -np.log(0.9))
    with pytest.raises(ValueError, match="reduction"):
        ca.cross_entropy(pred, true, from_logits=False, reduction="other")


def test_linear_of_weights_with_two_and_with_three_axes(be):
    generator = np.random.default_rng(0)
    x, weight = (generator.normal(size=shape).astype("float32") for shape in ((4, 5, 3), (4, 2, 3)))
    flat = ca.linear(ca.asarray(x), ca.asarray(weight[0]))
    close(flat, np.einsum("bij,oj->bio", x, weight[0]), rtol=1e-4)


def test_nestable_functions(be):
    c = ca.Container(a=ca.asarray([1.0]), b=ca.Container(c=ca.asarray([4.0])))
    assert ca.sqrt(c)["b"]["c"].tolist() == [2.0] and ca.add(c, c)["a"].tolist() == [2.0]


def test_standalone_and_convenience_functions(be):
    nest = {"a": [1, (2, 3)]}
    assert ca.index_nest(nest, ("a", 1, 0)) == 2 and ca.nested_map(lambda x: x + 1, nest) == {"a": [2, (3, 4)]}
    assert ca.can_cast(ca.int32, ca.int64) and not ca.can_cast(ca.float64, ca.int32)
    close(ca.stable_divide(ca.asarray(1.0), ca.asarray(0.0), min_denominator=0.5), 2.0)


# --- function wrapping


PRINTED = """
handle_complex_input infer_device handle_device_shifting infer_dtype handle_array_function outputs_to_arrays
outputs_to_shapes outputs_to_native_arrays inputs_to_native_arrays inputs_to_native_shapes inputs_to_arrays
handle_out_argument handle_view_indexing handle_view handle_array_like_without_promotion handle_partial_mixed_function
handle_nestable handle_ragged handle_backend_invalid handle_exceptions handle_nans
""".split()


def test_the_order_of_the_wrappers(be):
    assert list(ORDER) == PRINTED
    for name in ("abs", "zeros", "linear", "reshape"):
        stages = be.binding(name).stages()
        assert stages == [stage for stage in PRINTED if stage in stages]
