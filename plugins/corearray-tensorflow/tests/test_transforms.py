"""`tf.function`, with known and unknown sizes, and gradients through `tf.GradientTape`."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf

import corearray as ca

be = ca.get_backend("tensorflow")

X = [0.25, 0.5, 0.75]
PLACES = tf.constant([2, 0, -1])

#: Functions of a vector; those marked True have no gradient.
FUNCTIONS = {
    "abs": be.abs,
    "arithmetic": lambda x: 1 / x - 2 * x + (3 - x) * -x,
    "argmax": (be.argmax, True),
    "asarray": lambda x: be.asarray([x[0], 2.0, x[2]]),
    "astype": lambda x: be.astype(x, be.float64),
    "clip": lambda x: be.clip(x, 0.3, 0.6),
    "comparison": (lambda x: be.astype(x >= 0.5, be.float32) + be.astype(x > 0.3, be.float32), True),
    "concat": lambda x: be.concat([x, x * 2]),
    "copysign": lambda x: be.copysign(x, -x),
    "cumulative_prod": lambda x: be.cumulative_prod(x, include_initial=True),
    "cumulative_sum": be.cumulative_sum,
    "cross": lambda x: be.linalg.cross(x, x[::-1]),
    "diff": lambda x: be.diff(x) ** 2,
    "einsum": lambda x: be.einsum("i,i,j->j", x, x, x),
    "expm1": be.expm1,
    "fft": lambda x: be.abs(be.fft.fft(x, n=4)),
    "flip": lambda x: be.flip(x) * x,
    "floor_divide": (lambda x: x // 0.3, True),
    "get_item": lambda x: x[::-1] * x[1] + x[PLACES] + x[None, :, None][0, :, 0] * x[x > 0],
    "hypot": lambda x: be.hypot(x, 2 * x),
    "irfft": lambda x: be.fft.irfft(x, n=3),
    "isnan": (lambda x: be.astype(be.isnan(x), be.float32), True),
    "linspace": lambda x: x * be.linspace(0, 1, 3),
    "log1p": be.log1p,
    "log2": be.log2,
    "log10": lambda x: be.log10(x * 4),
    "logaddexp": lambda x: be.logaddexp(x, x * 2),
    "matmul": lambda x: x[:, None] @ x[None, :],
    "max": be.max,
    "mean": be.mean,
    "nonzero": (lambda x: be.nonzero(x > 0.3)[0], True),
    "outer": lambda x: be.linalg.outer(x, x),
    "pow": lambda x: x**2.5,
    "prod": lambda x: be.prod(x[:, None] * x, axis=(0, 1)),
    "remainder": lambda x: be.remainder(x, 0.3),
    "repeat": lambda x: be.repeat(x, 2) + be.repeat(x, be.asarray([1, 2, 3])),
    "reshape": lambda x: be.reshape(x, (3, 1)) * x,
    "roll": lambda x: be.roll(x, 1) * x,
    "searchsorted": (lambda x: be.searchsorted(x, 0.6 * x), True),
    "set_item": lambda x: _written(x),
    "sign": (be.sign, True),
    "solve": lambda x: be.linalg.solve(be.eye(3) + x[:, None] * x, x),
    "sort": lambda x: be.sort(-x) * x,
    "std": lambda x: be.std(x, correction=1),
    "take": lambda x: be.take(x, PLACES) * x,
    "take_along_axis": lambda x: be.take_along_axis(x, be.asarray([-1])),
    "tanh": be.tanh,
    "tensordot": lambda x: be.tensordot(x, x, axes=0),
    "tile": lambda x: be.tile(x, (2, 2)),
    "tril": lambda x: be.tril(be.linalg.outer(x, x), k=-1),
    "unstack": lambda x: be.unstack(x[:, None], axis=1)[0],
    "var": be.var,
    "vector_norm": be.linalg.vector_norm,
    "where": lambda x: be.where(x > 0.3, x, 2.0) + be.where(x > 0.3, 2.0, x),
}
#: These make shapes of sizes, which must be known.
SIZED = {
    "cross",
    "diff",
    "irfft",
    "linspace",
    "repeat",
    "solve",
    "take_along_axis",
    "tensordot",
    "unstack",
    "vector_norm",
    "fft",
}


def _written(x):
    y = x * 1.0
    y[1:] = 2 * y[:1]
    y[be.asarray([0])] = 5.0
    y[y > 4] = 3.0
    return y * x


def parts(name):
    found = FUNCTIONS[name]
    return found if isinstance(found, tuple) else (found, False)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_tracing(name):
    function, _ = parts(name)
    expected = be.to_numpy(function(be.asarray(X)))
    traced = tf.function(lambda x: function(be.asarray(x)).native)
    assert np.allclose(traced(tf.constant(X)), expected)
    if name not in SIZED:
        unknown = tf.function(lambda x: function(be.asarray(x)).native, input_signature=[tf.TensorSpec([None])])
        assert np.allclose(unknown(tf.constant(X)), expected)


@pytest.mark.parametrize("name", [name for name in FUNCTIONS if not parts(name)[1]])
def test_gradients_flow(name):
    function, _ = parts(name)
    x = tf.Variable(X)
    with tf.GradientTape() as tape:
        total = be.sum(function(be.asarray(x)))
    found = tf.convert_to_tensor(tape.gradient(total.native, x)).numpy()
    step = 1e-2
    for place in range(3):
        moved = np.asarray([X, X], np.float64)
        moved[0, place] += step
        moved[1, place] -= step
        high, low = (be.sum(function(be.asarray(row.astype(np.float32)))).item() for row in moved)
        assert found[place] == pytest.approx((high - low) / (2 * step), rel=0.05, abs=0.02)


def test_arrays_go_in_and_out():
    double = tf.function(lambda x: {"twice": x + x, "shape": x.shape[0]})
    result = double(be.asarray(X))
    assert result["twice"].tolist() == [0.5, 1.0, 1.5]
    assert int(result["shape"]) == 3


def test_a_function_is_traced_once_for_arrays_of_one_shape():
    count = []

    @tf.function
    def traced(x):
        count.append(1)
        return x * 2.0

    for _ in range(3):
        traced(be.asarray(X))
    assert len(count) == 1


def test_gradients_are_arrays():
    x = be.asarray(X)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x.native)
        y = be.sum(x * be.take(x, be.asarray([0, 1, 2])))
    found = tape.gradient(y, x)
    assert isinstance(found, ca.Array)
    assert found.tolist() == [0.5, 1.0, 1.5]


def test_variables_are_read_when_they_are_used():
    v = tf.Variable([1.0, 2.0])
    x = be.asarray(v)
    v.assign([3.0, 4.0])
    assert (x * 1.0).tolist() == [3.0, 4.0]
    assert be.asarray(v, copy=True).native is not v


def test_compiling_with_xla():
    compiled = tf.function(
        lambda x: be.mean(be.reshape(be.asarray(x), (3, 1)) @ be.ones((1, 3))).native, jit_compile=True
    )
    assert float(compiled(tf.constant(X))) == 0.5


def test_graphs_of_tensorflow_1_are_refused_and_leave_nothing_behind():
    with tf.Graph().as_default(), pytest.raises(RuntimeError, match="TensorFlow 1"):
        be.native.reshape(tf.zeros(1234), (2, 617))
    assert be.native.reshape(tf.zeros(1234), (2, 617)).shape == (2, 617)


def views_and_writes(x):
    y = x[1:]
    z, turned, flat = be.reshape(y, (-1,)), be.flip(x), be.reshape(x.T, (-1,))
    y[0, 0] = 5.0
    z += 1.0
    return x * 2, turned, flat


@pytest.mark.parametrize("rows", [2, None])
def test_views_are_traced(rows):
    expected = [[[2.0, 4.0], [12.0, 10.0]], [[5.0, 6.0], [2.0, 1.0]], [1.0, 6.0, 2.0, 5.0]]
    x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    assert [part.tolist() for part in views_and_writes(be.asarray(x))] == expected
    signature = [tf.TensorSpec([rows, 2])]
    traced = tf.function(lambda x: [p.native for p in views_and_writes(be.asarray(x))], input_signature=signature)
    assert [part.numpy().tolist() for part in traced(x)] == expected


#: Functions that count, of arrays whose sizes are known when the program runs.
COUNTING = {
    "attention": lambda x, m: be.scaled_dot_product_attention(m, m, m, is_causal=True),
    "cov": lambda x, m: be.cov(m),
    "det": lambda x, m: be.linalg.det(m @ m.mT),
    "diagonal": lambda x, m: be.linalg.diagonal(m, offset=1),
    "histogram": lambda x, m: be.histogram(x, 3).hist,
    "interp": lambda x, m: be.interp(0.5 * x, x, x * x),
    "kron": lambda x, m: be.kron(x, x),
    "meshgrid": lambda x, m: be.meshgrid(x, m[0, :])[1],
    "nanquantile": lambda x, m: be.nanquantile(m, be.asarray([0.3, 0.5]), axis=0, keepdims=True),
    "quantile": lambda x, m: be.quantile(m, 0.3),
    "top_k": lambda x, m: be.top_k(x, 2).values,
    "trapezoid": lambda x, m: be.trapezoid(m, axis=1),
}


@pytest.mark.parametrize("name", COUNTING)
def test_functions_that_count_take_unknown_sizes(name):
    x, m = np.asarray([1.0, 2.0, 4.0, 7.0], "float32"), np.asarray([[1.0, 2.0, 4.0], [3.0, 9.0, 5.0]], "float32")
    expected = be.to_numpy(COUNTING[name](be.asarray(x), be.asarray(m)))
    specs = [tf.TensorSpec([None]), tf.TensorSpec([None, None])]
    unknown = tf.function(lambda x, m: COUNTING[name](be.asarray(x), be.asarray(m)).native, input_signature=specs)
    found = unknown(x, m).numpy()
    assert found.shape == expected.shape
    assert np.allclose(found, expected, rtol=1e-5)
