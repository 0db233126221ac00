"""Derivatives against central differences in float64, trees, derivatives of derivatives, and mapping over an axis."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from standard.support import NAME, array, be, check, covers, examples, needs_derivatives

import corearray as ca

#: Functions of a matrix of positive numbers of the shape (3, 3), away from where they bend.
FUNCTIONS = {
    "abs": lambda x: ca.abs(x - 10),
    "atan2": lambda x: ca.atan2(x, x.T + 1),
    "broadcast_to": lambda x: ca.broadcast_to(x, (2, 3, 3)) * ca.reshape(ca.arange(18, dtype=ca.float64), (2, 3, 3)),
    "clip": lambda x: ca.clip(x, 0.75, 1.5) * x,
    "concat": lambda x: ca.concat([x, x * x], axis=1) ** 2,
    "cumulative_sum": lambda x: ca.cumulative_sum(x, axis=1) ** 2,
    "einsum": lambda x: ca.einsum("ij,kj->ik", x, x),
    "embedding": lambda x: ca.abs(ca.embedding(ca.asarray([[2, 0], [2, -1]]), x * (1 + 2j))) ** 2,
    "exp": ca.exp,
    "flip": lambda x: ca.flip(x, axis=0) * x,
    "gelu": lambda x: ca.gelu(x - 1.0),
    "get_item": lambda x: x[1:, ::-1] * x[0, 0],
    "hypot": lambda x: ca.hypot(x, x.T),
    "interp": lambda x: ca.interp(x, ca.asarray([0.0, 0.9, 2.5], dtype=ca.float64), x[0, :]),
    "interpolate": lambda x: ca.interpolate(x[None, None], size=(5, 2), mode="bicubic", antialias=True),
    "interpolate nearest": lambda x: ca.interpolate(x[None], size=5) ** 2,
    "linalg.det": lambda x: ca.linalg.det(x + 3 * ca.eye(3, dtype=ca.float64)),
    "linalg.inv": lambda x: ca.linalg.inv(x + 3 * ca.eye(3, dtype=ca.float64)),
    "linalg.solve": lambda x: ca.linalg.solve(x + 3 * ca.eye(3, dtype=ca.float64), x[0, :]),
    "log": ca.log,
    "logaddexp": lambda x: ca.logaddexp(x, 2 * x),
    "matmul": lambda x: x @ x,
    "max": lambda x: ca.max(x, axis=1) ** 2,
    "mean": lambda x: ca.mean(x * x, axis=0),
    "permute_dims": lambda x: ca.permute_dims(x, (1, 0)) * x,
    "scatter_along_axis": lambda x: (
        ca.scatter_along_axis(x, ca.asarray([[2, -1]]), x[:1, :2], axis=1, reduction="sum") ** 2
    ),
    "pow": lambda x: x**2.5,
    "prod": lambda x: ca.prod(x, axis=1),
    "roll": lambda x: ca.roll(x, 1, axis=1) * x,
    "sort": lambda x: ca.sort(x, axis=1) * ca.asarray([1.0, 2.0, 3.0], dtype=ca.float64),
    "sqrt": ca.sqrt,
    "stack": lambda x: ca.stack([x, 2 * x], axis=1) ** 2,
    "take": lambda x: ca.take(x, ca.asarray([2, 0, 2]), axis=1) ** 2,
    "tanh": ca.tanh,
    "unsorted_segment_sum": lambda x: ca.unsorted_segment_sum(x, ca.asarray([1, 0, 1]), 2) ** 2,
    "var": lambda x: ca.var(x, axis=1),
    "where": lambda x: ca.where(x > 1.0, x * x, 3 * x),
}


@pytest.fixture(autouse=True)
def on_this_backend():
    with ca.backend_context(be):
        yield


def random_matrix(seed=0):
    """Different numbers from 0.5 to 2, in no order."""
    random = np.random.default_rng(seed)
    return random.permutation(np.linspace(0.5, 2.0, 9)).reshape(3, 3) + random.uniform(-0.02, 0.02, (3, 3))


def differences(function, x, step=1e-6):
    """The derivatives of a function of an array to an array, as (result axes, argument axes), by central differences."""
    slopes = []
    for place in np.ndindex(x.shape):
        ways = []
        for sign in (1, -1):
            moved = x.copy()
            moved[place] += sign * step
            ways.append(np.asarray(ca.to_numpy(function(array(moved)))))
        slopes.append((ways[0] - ways[1]) / (2 * step))
    return np.stack(slopes, axis=-1).reshape(*slopes[0].shape, *x.shape)


def shown(x):
    return np.asarray(ca.to_numpy(x))


@needs_derivatives
@pytest.mark.parametrize("name", FUNCTIONS)
def test_derivatives_are_those_of_differences(name):
    function, x = FUNCTIONS[name], random_matrix()
    want = differences(function, x)
    weights = np.random.default_rng(1).normal(size=want.shape[: want.ndim - 2])

    def loss(x):
        return ca.sum(function(x) * array(weights))

    value, gradient = ca.value_and_grad(loss)(array(x))
    assert isinstance(gradient, be.Array) and gradient.dtype is ca.float64
    np.testing.assert_allclose(shown(value), np.sum(shown(function(array(x))) * weights), rtol=1e-12)
    flat = np.tensordot(weights, want, weights.ndim)
    np.testing.assert_allclose(shown(gradient), flat, rtol=1e-6, atol=1e-7)
    np.testing.assert_allclose(shown(ca.grad(loss)(array(x))), shown(gradient), rtol=1e-12)
    np.testing.assert_allclose(shown(ca.jac(function)(array(x))), want, rtol=1e-6, atol=1e-7)
    value, pull_back = ca.vjp(function, array(x))
    np.testing.assert_allclose(shown(pull_back(array(weights))[0]), flat, rtol=1e-6, atol=1e-7)
    direction = np.random.default_rng(2).normal(size=x.shape)
    value, slope = ca.jvp(function, (array(x),), (array(direction),))
    np.testing.assert_allclose(shown(slope), np.tensordot(want, direction, 2), rtol=1e-6, atol=1e-6)
    np.testing.assert_allclose(shown(value), shown(function(array(x))), rtol=1e-12)


@needs_derivatives
def test_trees():
    def loss(parameters, scale, *, power):
        layer = parameters["layer"]
        return ca.sum((layer.w * scale[0]) ** power) + parameters["b"] * 2 + ca.sum(parameters["list"][1])

    parameters = {
        "layer": ca.Container(w=array(np.array([1.0, 2.0])), name="first"),
        "b": 3.0,
        "list": [None, array(np.ones((2, 2)))],
    }
    scale = (array(np.array(2.0)), 7)
    value, (slopes, of_scale) = ca.value_and_grad(loss, argnums=(0, -1))(parameters, scale, power=2)
    assert float(value) == 4 + 16 + 6 + 4
    assert isinstance(slopes["layer"], ca.Container)
    assert slopes["layer"].w.tolist() == [8.0, 16.0] and slopes["layer"].name is None
    assert float(slopes["b"]) == 2.0 and slopes["b"].shape == ()
    assert slopes["list"][0] is None and slopes["list"][1].tolist() == [[1.0, 1.0], [1.0, 1.0]]
    assert type(of_scale) is tuple and float(of_scale[0]) == 20.0 and of_scale[1] is None
    assert ca.execute_with_gradients(lambda p: p["b"] * p["b"], {"b": 3.0})[1]["b"].tolist() == 6.0


@needs_derivatives
def test_what_is_returned_beside():
    def loss(x):
        return ca.sum(x * x), {"twice": 2 * x, "words": "kept", "count": ca.argmax(x)}

    x = array(np.array([1.0, 3.0]))
    (value, aux), slope = ca.value_and_grad(loss, has_aux=True)(x)
    assert (float(value), slope.tolist()) == (10.0, [2.0, 6.0])
    assert (aux["twice"].tolist(), aux["words"], int(aux["count"])) == ([2.0, 6.0], "kept", 1)
    assert ca.grad(loss, has_aux=True)(x)[1]["twice"].tolist() == [2.0, 6.0]
    assert ca.vjp(loss, x, has_aux=True)[2]["words"] == "kept"
    assert ca.jvp(loss, (x,), (x,), has_aux=True)[2]["twice"].tolist() == [2.0, 6.0]
    assert ca.execute_with_gradients(loss, x, has_aux=True)[0][1]["words"] == "kept"
    aux["twice"] += 1  # an array like any other, not one of the derivative


@needs_derivatives
def test_derivatives_of_derivatives():
    def cube(x):
        return x**3

    x = array(np.array(2.0))
    first = ca.grad(cube)
    assert [float(f(x)) for f in (first, ca.grad(first), ca.grad(ca.grad(first)))] == [12.0, 12.0, 6.0]
    matrix = array(random_matrix())

    def loss(x):
        return ca.sum(ca.sin(x) * x.T)

    hessian = ca.jac(ca.grad(loss))(matrix)
    np.testing.assert_allclose(shown(hessian), differences(ca.grad(loss), random_matrix()), rtol=1e-6, atol=1e-7)
    forward = ca.jvp(ca.grad(loss), (matrix,), (matrix,))[1]
    np.testing.assert_allclose(shown(forward), np.tensordot(shown(hessian), random_matrix(), 2), rtol=1e-10)
    rows = ca.vmap(ca.grad(lambda row: ca.sum(row**3)))(matrix)
    np.testing.assert_allclose(shown(rows), 3 * random_matrix() ** 2, rtol=1e-12)


@needs_derivatives
def test_several_results():
    def both(x, y):
        return {"product": x * y, "sum": ca.sum(x)}

    x, y = array(np.array([1.0, 2.0])), array(np.array([3.0, 4.0]))
    value, pull_back = ca.vjp(both, x, y)
    assert value["product"].tolist() == [3.0, 8.0]
    slopes = pull_back({"product": array(np.array([1.0, 0.0])), "sum": 10.0})
    assert [slope.tolist() for slope in slopes] == [[13.0, 10.0], [1.0, 0.0]]
    slopes = pull_back({"product": array(np.array([0.0, 1.0])), "sum": 0.0})  # once more
    assert [slope.tolist() for slope in slopes] == [[0.0, 4.0], [0.0, 2.0]]
    jacobian = ca.jac(both, argnums=(0, 1))(x, y)
    assert jacobian["product"][0].tolist() == [[3.0, 0.0], [0.0, 4.0]]
    assert jacobian["sum"][1].tolist() == [0.0, 0.0]


@needs_derivatives
def test_one_array_in_two_places():
    x = array(np.array([1.0, 2.0]))
    one, other = ca.grad(lambda x, y: ca.sum(x * x * y), argnums=(0, 1))(x, x)
    assert (one.tolist(), other.tolist()) == ([2.0, 8.0], [1.0, 4.0])


@needs_derivatives
def test_constants():
    x = array(np.array([1.0, 2.0]))
    assert ca.grad(lambda x: ca.sum(ca.stop_gradient(x) * x))(x).tolist() == [1.0, 2.0]
    assert ca.grad(lambda x: 3.0)(x).tolist() == [0.0, 0.0]
    assert ca.jvp(lambda x: ca.ones(2), (x,), (x,))[1].tolist() == [0.0, 0.0]


@needs_derivatives
def test_native_arrays_stay_native():
    x = array(np.array([1.0, 2.0])).native
    seen = []

    def loss(x):
        seen.append(be.is_native(x))
        return ca.sum(x * x)

    value, slope = ca.value_and_grad(loss)(x)
    assert all(seen) and be.is_native(slope) and isinstance(value, ca.Array)


#: What a weight and a factor may lie in.
_HOLDERS = {
    "array": (lambda w, b: w, lambda p: (p, 2.0)),
    "list": (lambda w, b: [w, b], lambda p: (p[0], p[1])),
    "nested": (lambda w, b: {"a": [w, (b,)]}, lambda p: (p["a"][0], p["a"][1][0])),
    "Container": (lambda w, b: ca.Container(w=w, deep=ca.Container(b=b)), lambda p: (p.w, p.deep.b)),
}


@needs_derivatives
@pytest.mark.parametrize("holder", _HOLDERS)
@pytest.mark.parametrize("how", ["grad", "value_and_grad", "execute_with_gradients", "jac", "vjp", "jvp"])
def test_every_derivative_in_every_holder(how, holder):
    """Of `sum(b * w**3)`: `3 * b * w**2` for `w` and `sum(w**3)` for `b`; and for `w` of `w` again `6 * b * w`."""
    make, read = _HOLDERS[holder]
    values, factor = np.asarray([1.0, -2.0, 0.5]), 2.0
    at = make(array(values), array(np.asarray(factor)))

    def loss(p):
        w, b = read(p)
        return ca.sum(b * w**3)

    slope_w, slope_b = 3 * factor * values**2, np.sum(values**3)
    value = np.sum(factor * values**3)
    if how == "jvp":
        got, slope = ca.jvp(loss, (at,), (make(array(np.ones(3)), array(np.asarray(1.0))),))
        want = np.sum(slope_w) + (slope_b if holder != "array" else 0.0)
        np.testing.assert_allclose([float(got), float(slope)], [value, want], rtol=1e-12)
        return
    if how == "grad":
        found = ca.grad(loss)(at)
    elif how == "jac":
        found = ca.jac(loss)(at)
    elif how == "vjp":
        got, pull_back = ca.vjp(loss, at)
        assert float(got) == pytest.approx(value)
        (found,) = pull_back(array(np.asarray(1.0)))
    else:
        got, found = ca.value_and_grad(loss)(at) if how == "value_and_grad" else ca.execute_with_gradients(loss, at)
        assert float(got) == pytest.approx(value)
    assert type(found) is type(at)
    w, b = read(found)
    np.testing.assert_allclose(shown(w), slope_w, rtol=1e-12)
    if holder != "array":
        np.testing.assert_allclose(shown(b), slope_b, rtol=1e-12)

    def again(p):
        w, _ = read(ca.grad(loss)(p))
        return ca.sum(w)

    second, mixed = read(ca.grad(again)(at))
    np.testing.assert_allclose(shown(second), 6 * factor * values, rtol=1e-12)
    if holder != "array":
        np.testing.assert_allclose(shown(mixed), np.sum(3 * values**2), rtol=1e-12)


@needs_derivatives
@pytest.mark.parametrize("holder", _HOLDERS)
def test_custom_gradients_and_constants_in_every_holder(holder):
    """A function whose gradient is said to be ten times too large, and a factor that is held constant, at two orders."""
    make, read = _HOLDERS[holder]
    values = np.asarray([1.0, -2.0, 0.5])
    at = make(array(values), array(np.asarray(2.0)))
    square = ca.bind_custom_gradient_function(lambda x: x * x, lambda args, value, slope: (20 * args[0] * slope,))

    def loss(p):
        w, _ = read(p)
        return ca.sum(square(w) * ca.stop_gradient(w))

    w, _ = read(ca.grad(loss)(at))
    np.testing.assert_allclose(shown(w), 20 * values * values, rtol=1e-12)
    w, _ = read(ca.grad(lambda p: ca.sum(read(ca.grad(loss)(p))[0]))(at))
    np.testing.assert_allclose(shown(w), 20 * values, rtol=1e-12)


@covers("stop_gradient")
def test_stop_gradient_is_a_copy():
    x = array(np.array([1.0, 2.0]))
    y = be.stop_gradient(x)
    y[0] = 5
    assert (x.tolist(), y.tolist()) == ([1.0, 2.0], [5.0, 2.0])


@needs_derivatives
@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda x: ca.grad(lambda x: x)(x), TypeError, r"'grad' needs a function that returns one number.*\(2,\)"),
        (lambda x: ca.grad(ca.sum)(ca.asarray([1, 2])), TypeError, "with an argument of the dtype 'int64'"),
        (lambda x: ca.grad(lambda x: ca.argmax(x))(x), TypeError, "with a result of the dtype 'int64'"),
        (lambda x: ca.grad(ca.sum, argnums=1)(x), TypeError, "by argument 1, and got 1"),
        (lambda x: ca.grad(ca.add, argnums=(0, 0))(x, x), ValueError, r"'grad' .* 'add' by argument 0 more than once"),
        (
            lambda x: ca.jac(ca.add, argnums=(1, -1))(x, x),
            ValueError,
            r"argument 1 more .* argnums=\(1, -1\) of 2 arguments",
        ),
        (lambda x: ca.grad(ca.sum, argnums="x"), TypeError, "argnums of 'grad' is an integer"),
        (lambda x: ca.grad(ca.sum, has_aux=True)(x), TypeError, "return a pair with has_aux"),
        (lambda x: ca.vjp(ca.sin, x)[1](ca.ones(3)), ValueError, r"cotangent of the shape \(3,\)"),
        (lambda x: ca.vjp(lambda x: {"a": x}, x)[1]({"b": x}), ValueError, "not like its value.*keys 'a'"),
        (lambda x: ca.jvp(ca.sin, (x,), (x, x)), ValueError, "tangents of 'sin' are not like its arguments"),
        (lambda x: ca.jvp(5, (x,), (x,)), TypeError, "'jvp' takes a function, got 5"),
        (lambda x: ca.jvp(ca.sin, x, x), TypeError, "'jvp' takes a tuple of primals, got .*Array"),
        (lambda x: ca.jvp(ca.sin, (x,), x), TypeError, "'jvp' takes a tuple of tangents, got .*Array"),
        (lambda x: ca.vjp(None, x), TypeError, "'vjp' takes a function, got None"),
        *(
            (
                lambda x, call=call: call(lambda _: ca.sum(x)),
                TypeError,
                "with an argument of type object; it takes arrays",
            )
            for call in (
                lambda f: ca.grad(f)(object()),
                lambda f: ca.jac(f)({"a": object()}),
                lambda f: ca.vjp(f, object()),
            )
        ),
        (
            lambda x: ca.grad(lambda n: ca.sum(x * n))(3),
            TypeError,
            "with an argument of the dtype 'int64'; it takes real",
        ),
        (
            lambda x: ca.grad(ca.sum)(ca.Ragged.from_rows([[1.0]])),
            TypeError,
            "'grad' takes and returns no ragged array",
        ),
        (lambda x: ca.vjp(ca.sum, ca.Ragged.from_rows([[1.0]])), TypeError, "'vjp' takes and returns no ragged array"),
    ],
)
def test_what_cannot_be_differentiated(call, error, message):
    with pytest.raises(error, match=message):
        call(array(np.array([1.0, 2.0])))


@needs_derivatives
def test_the_gradient_by_nothing_is_nothing():
    x = array(np.ones(2))
    with ca.backend_context(be):
        for nothing in (None, (), {"a": None}):
            assert ca.grad(lambda _: ca.sum(x))(nothing) == nothing
        assert ca.grad(lambda x, y: ca.sum(x), argnums=(0, 1))(x, None)[1] is None


@needs_derivatives
def test_arrays_of_another_backend_are_refused():
    x, other = array(np.ones(2)), np.ones(2)
    with ca.backend_context(be):
        for call in (
            lambda: ca.grad(lambda xs: ca.sum(xs[0]))([x, other]),
            lambda: ca.vjp(ca.sin, x)[1](other),
            lambda: ca.vmap(ca.add)(x, other),
            lambda: ca.vmap(lambda x: np.ones(()))(x),
        ):
            with pytest.raises(ca.BackendMismatchError, match="got an array of backend 'numpy'"):
                call()


@needs_derivatives
def test_jacobian_of_no_elements():
    x = array(np.ones((2, 3)))
    with ca.backend_context(be):
        assert ca.jac(lambda x: x[:0])(x).shape == (0, 3, 2, 3)
        assert ca.jac(ca.sin)(x[:0]).shape == (0, 3, 0, 3)


@pytest.mark.skipif("reverse_mode" in be.facts, reason="a framework that differentiates")
def test_a_framework_that_does_not_differentiate_says_so():
    for call in (ca.grad(ca.sum), ca.jac(ca.sin), partial(ca.vjp, ca.sin), lambda x: ca.jvp(ca.sin, (x,), (x,))):
        with pytest.raises(NotImplementedError, match=f"needs a framework that differentiates.*'{NAME}' does not"):
            call(be.ones(2))


@examples
@given(st.data())
def test_vmap_is_a_loop(data):
    shape = data.draw(st.tuples(*[st.integers(1, 3)] * data.draw(st.integers(1, 3))))
    axis, behind = (data.draw(st.integers(-len(shape), len(shape) - 1)) for _ in range(2))
    x = np.random.default_rng(0).normal(size=shape)
    with ca.backend_context(be):
        found = ca.vmap(lambda part: ca.sin(part) * 2, in_axes=axis, out_axes=behind)(array(x))
    np.testing.assert_allclose(shown(found), np.moveaxis(2 * np.sin(np.moveaxis(x, axis, 0)), 0, behind), rtol=1e-12)


@pytest.mark.parametrize(
    ("shape", "function"),
    [
        ((2, 3), lambda x: ca.linalg.cross(x, array(np.asarray([1.0, -2.0, 0.5])))),
        ((3, 2), lambda x: ca.linalg.cross(x, x[:, ::-1] * 2.0, axis=0)),
        ((2, 3), lambda x: ca.roll(x, 1, axis=-1)),
        ((2, 3), lambda x: ca.pad(x, 1, constant_values=-7.5)),
        ((1, 2, 5), lambda x: ca.max_pool1d(x - 9.0, 3, strides=2, padding=1)),
        ((1, 2, 4, 4), lambda x: ca.max_pool2d(x - 9.0, 3, padding=1)),
        ((1, 2, 4, 4), lambda x: ca.pool(x + 9.0, 3, mode="min", padding=1)),
        ((1, 2, 4, 4), lambda x: ca.pool(x + 9.0, 3, mode="avg", padding=1)),
        ((4, 2), lambda x: tuple(ca.batch_norm(x, x[0, :], ca.abs(x[1, :]), training=True))),
        ((4, 2), lambda x: tuple(ca.batch_norm(x, array(np.zeros(2)), array(np.ones(2)), training=True))),
        ((2,), lambda m: tuple(ca.batch_norm(array(np.eye(2)), m, ca.abs(m), training=True))),
        ((2, 2), lambda x: (x * 2.0, array(np.asarray([3.0])))),
    ],
)
def test_vmap_of_functions_is_a_loop(shape, function):
    rows = np.random.default_rng(4).normal(size=(3, *shape))
    found = ca.vmap(function)(array(rows))
    wanted = [function(array(row)) for row in rows]
    if not isinstance(found, tuple):
        found, wanted = (found,), [(one,) for one in wanted]
    for i, one in enumerate(found):
        np.testing.assert_allclose(shown(one), np.stack([shown(want[i]) for want in wanted]), rtol=1e-6, atol=1e-9)


#: Functions of a batch's arrays, and the shape of one of them, whose derivatives frameworks map in ways of their own.
OF_EACH = {
    "conv2d": ((2, 5, 5), lambda x: ca.conv2d(x[None, ...], ca.ones((3, 2, 3, 3), dtype=x.dtype), padding=1) ** 2),
    "ifft": ((4,), lambda x: ca.real(ca.fft.ifft(x)) ** 2),
    "ihfft": ((4,), lambda x: ca.abs(ca.fft.ihfft(x)) ** 2),
    "matrix_exp": ((3, 3), lambda x: ca.linalg.matrix_exp(3.0 * x)),
}


@needs_derivatives
@pytest.mark.parametrize("name", OF_EACH)
def test_derivatives_of_each_of_a_batch(name):
    shape, function = OF_EACH[name]
    batch = array(np.random.default_rng(3).normal(size=(3, *shape)))
    slopes = ca.grad(lambda x: ca.sum(function(x)))
    expected = np.stack([ca.to_numpy(slopes(batch[i, ...])) for i in range(3)])
    np.testing.assert_allclose(ca.to_numpy(ca.vmap(slopes)(batch)), expected, rtol=1e-9, atol=1e-12)


def test_vmap_of_trees():
    x, y = np.arange(6.0).reshape(3, 2), np.arange(4.0)

    def function(tree, y, *, scale):
        return {"sum": ca.sum(tree["x"]) * scale}, ca.reshape(tree["x"], (2, 1)) * y

    tree = {"x": array(x), "name": "kept"}
    total, outer = ca.vmap(function, in_axes=(0, None), out_axes=(0, 1))(tree, array(y), scale=2.0)
    np.testing.assert_allclose(shown(total["sum"]), 2 * x.sum(axis=1))
    np.testing.assert_allclose(shown(outer), np.moveaxis(x[:, :, None] * y, 0, 1))
    nested = ca.vmap(ca.vmap(lambda a, b: a + b, in_axes=(0, None)), in_axes=(None, 0))
    np.testing.assert_allclose(shown(nested(array(x[:, 0]), array(y))), y[:, None] + x[:, 0])


def test_vmap_with_trees_of_axes():
    x, y, k = np.arange(6.0).reshape(3, 2), np.arange(12.0).reshape(2, 3, 2), np.asarray([2.0, 3.0])

    def function(tree, z):
        return {"a": tree["x"] * tree["pair"][1], "b": [ca.sum(tree["pair"][0], axis=0) + z]}

    axes = ({"x": 0, "pair": (1, None), "name": None}, 0)
    tree = {"x": array(x), "pair": (array(y), array(k)), "name": "kept"}
    found = ca.vmap(function, in_axes=axes, out_axes={"a": 1, "b": [0]})(tree, array(x[:, 0]))
    np.testing.assert_allclose(shown(found["a"]), (x * k).T)
    np.testing.assert_allclose(shown(found["b"][0]), y.sum(axis=0) + x[:, :1])
    both = ca.vmap(lambda c: c["x"] + c["k"], in_axes=({"x": 1, "k": None},))
    np.testing.assert_allclose(shown(both(ca.Container(x=array(x), k=array(x[:, 0])))), x.T + x[:, 0])


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda x: ca.vmap(ca.sum, in_axes=(0, 1))(x), ValueError, "2 in_axes for 1 arguments"),
        (lambda x: ca.vmap(ca.add)(x, x[0, :]), ValueError, r"arrays of the lengths \[2, 3\]"),
        (lambda x: ca.vmap(ca.sin, in_axes=None)(x), ValueError, "'sin' got no array"),
        (
            lambda x: ca.vmap(ca.sin, out_axes=(0, 0))(x),
            ValueError,
            r"got \(0, 0\) in out_axes for one \w+; give a tree",
        ),
        (lambda x: ca.vmap(3), TypeError, "takes a function, got 3"),
        (
            lambda x: ca.vmap(lambda row: ca.reshape(row, (7,)))(x),
            ValueError,
            "^'reshape' on backend '[a-z]+' got an array",
        ),
        (
            lambda x: ca.vmap(ca.sin, in_axes=5)(x),
            ca.AxisError,
            "'vmap' got in_axes=5: axis 5 .* 2 axes; give one from -2",
        ),
        (
            lambda x: ca.vmap(ca.add, in_axes=(0, -3))(x, x),
            ca.AxisError,
            r"in_axes=\(0, -3\): axis -3 of an array with 2 axes",
        ),
        (
            lambda x: ca.vmap(ca.sin)(x[0, 0]),
            ca.AxisError,
            "in_axes=0: axis 0 of an array with 0 axes; that array has none",
        ),
        (
            lambda x: ca.vmap(ca.sin, out_axes=2)(x),
            ca.AxisError,
            "'vmap' got out_axes=2: axis 2 of an array with 2 axes",
        ),
        (lambda x: ca.vmap(ca.sin, in_axes="a"), TypeError, "'vmap' got 'a' in in_axes='a'; give an integer, or None"),
        (
            lambda x: ca.vmap(ca.sin, in_axes={"a": 0}),
            TypeError,
            "give a tuple with one tree of axes for each argument",
        ),
        (
            lambda x: ca.vmap(lambda t: t["a"], in_axes=({"b": 0},))({"a": x}),
            ValueError,
            r"got {'b': 0} in in_axes for one mapping of the keys \['a'\]; give a tree of axes like it",
        ),
        (lambda x: ca.vmap(lambda t: t[0], in_axes=((0, 0),))([x]), ValueError, "in in_axes for one list of 1 items"),
        (lambda x: ca.vmap(ca.sin, in_axes=1.0), TypeError, r"in_axes=1\.0; give an integer"),
        (lambda x: ca.vmap(ca.sin, in_axes=({"a": "b"},)), TypeError, r"'vmap' got 'b' in in_axes=\({'a': 'b'},\)"),
        (
            lambda x: ca.vmap(ca.sin, out_axes=None),
            TypeError,
            "'vmap' got None in out_axes=None; give an integer, or a tree",
        ),
        (
            lambda x: ca.vmap(ca.sin)(ca.Ragged.from_rows([[1.0], []])),
            TypeError,
            "'vmap' takes and returns no ragged array",
        ),
        (
            lambda x: ca.vmap(lambda _: ca.Ragged.from_rows([[1.0]]))(x),
            TypeError,
            "'vmap' takes and returns no ragged array",
        ),
    ],
)
def test_what_cannot_be_mapped(call, error, message):
    with pytest.raises(error, match=message) as caught:
        call(array(np.ones((2, 3))))
    assert isinstance(caught.value, ca.CoreArrayError)
    if isinstance(caught.value, ca.AxisError):
        assert (caught.value.axis, caught.value.ndim) in ((5, 2), (-3, 2), (0, 0), (2, 2))


@needs_derivatives
def test_operators_in_place_are_differentiated():
    def program(x):
        total = be.zeros(2)
        total += x * x
        total *= 2.0
        total -= x
        return be.sum(total * total)

    x = np.asarray([1.0, -2.0])
    check("in place", ca.grad(program)(array(x.astype("float32"))), 2 * (2 * x * x - x) * (4 * x - 1), "float32")


def squared_then_written(x):
    x[0] = x[1] * x[1]
    return ca.sum(x * x)


def updated(x):
    x += 1
    x *= x
    return ca.sum(x)


def written_through_a_view(x):
    y = x[1:]
    y[0] = x[0] * 2
    return ca.sum(x * x)


def read_through_a_view(x):
    y = x[1:]
    x[1:] = x[:-1] * 3
    return ca.sum(y * y) + ca.sum(x)


def written_within_a_derivative(x):
    def inner(z):
        z[0] = x[1] * z[1]
        return ca.sum(z * z * x)

    return ca.sum(ca.grad(inner)(x) * x)


def written_through_views_of_views(x):
    y = ca.reshape(x, (1, -1))
    z = y[0, 1:]
    z *= 2.0
    x[0] = 7.0
    return ca.sum(y * y)


WRITERS = [
    squared_then_written, updated, written_through_a_view, read_through_a_view, written_within_a_derivative,
    written_through_views_of_views,
]  # fmt: skip


@needs_derivatives
@pytest.mark.parametrize("function", WRITERS)
def test_functions_may_write_into_their_arguments(function):
    """What is outside of the function stays as it was."""
    numbers = np.asarray([1.0, 2.0, 3.0])
    outside = array(numbers)
    before = outside[1:]
    slopes = differences(function, numbers)
    np.testing.assert_allclose(ca.to_numpy(ca.grad(function)(outside)), slopes, rtol=1e-6, atol=1e-6)
    np.testing.assert_allclose(ca.to_numpy(ca.jac(function)(outside)), slopes, rtol=1e-6, atol=1e-6)
    tangent = np.asarray([1.0, 2.0, -1.0])
    value, moved = ca.jvp(function, (outside,), (array(tangent),))
    np.testing.assert_allclose(float(value), float(function(array(numbers))))
    np.testing.assert_allclose(float(moved), slopes @ tangent, rtol=1e-6)
    again = differences(lambda x: ca.sum(ca.grad(function)(x) * x), numbers)
    found = ca.grad(lambda x: ca.sum(ca.grad(function)(x) * x))(outside)
    np.testing.assert_allclose(ca.to_numpy(found), again, rtol=1e-5, atol=1e-5)
    rows = array(np.stack([numbers, numbers - 0.5]))
    mapped = [float(function(array(row))) for row in ca.to_numpy(rows).copy()]
    np.testing.assert_allclose(ca.to_numpy(ca.vmap(function)(rows)), mapped, rtol=1e-6)
    for left, expected in ((outside, numbers), (before, numbers[1:]), (rows, [numbers, numbers - 0.5])):
        np.testing.assert_array_equal(ca.to_numpy(left), expected)


@needs_derivatives
def test_writes_into_arguments_leave_arrays_of_others_alone():
    """Only those that show the memory that was written get another."""
    first, second = array(np.asarray([1.0, 2.0])), array(np.asarray([3.0, 4.0]))

    def function(x, y):
        part, whole = y[1:], second[1:]
        x[:] = y * 2
        return ca.sum(x * part) + ca.sum(whole)

    slopes = ca.grad(function, argnums=(0, 1))(first, second)
    assert [ca.to_numpy(slope).tolist() for slope in slopes] == [[0.0, 0.0], [8.0, 22.0]]
    assert (first.tolist(), second.tolist()) == ([1.0, 2.0], [3.0, 4.0])


@needs_derivatives
@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (ca.linalg.vector_norm, 0.0),
        (lambda x: ca.linalg.matrix_norm(ca.reshape(x, (2, 2))), 0.0),
        (ca.std, 0.0),
        (lambda x: ca.sum(ca.clip_vector_norm(x, 1.0)), 1.0),
    ],
)
def test_norms_of_nothing_have_the_derivative_zero(function, expected):
    assert ca.grad(function)(ca.zeros(4)).tolist() == [expected] * 4


@needs_derivatives
@pytest.mark.parametrize("zeros", [(), (1,), (0, 3), (2, 3, 4)])
def test_products_are_differentiated_where_elements_are_zero(zeros):
    numbers = np.asarray([1.5, -2.0, 0.5, 3.0, -1.25])
    numbers[list(zeros)] = 0.0
    weights = array(np.asarray([0.5, 2.0, -1.0, 1.5, 0.75]))
    segments = ca.asarray([1, 0, 1, 1, -1])
    for function in (
        lambda x: ca.sum(ca.cumulative_prod(x) * weights),
        ca.prod,
        lambda x: ca.sum(ca.unsorted_segment_prod(x, segments, 3) * weights[:3]),
    ):
        found = ca.to_numpy(ca.grad(function)(array(numbers)))
        np.testing.assert_allclose(found, differences(function, numbers), rtol=1e-6, atol=1e-6)


# --- complex numbers

_Z = np.asarray([0.5 + 1.5j, -1.0 - 0.25j])

#: Functions of a complex vector that are real.
COMPLEX = {
    "abs": lambda z: ca.sum(ca.abs(z)),
    "conj": lambda z: ca.real(ca.sum(z * ca.conj(z) * ca.conj(z))),
    "divide": lambda z: ca.imag(ca.sum(ca.sqrt(z) / z)),
    "fft": lambda z: ca.sum(ca.abs(ca.fft.fft(z)) ** 4),
    "holomorphic": lambda z: ca.real(ca.sum(z**3 * (1 + 2j))),
}


@needs_derivatives
@pytest.mark.parametrize("name", COMPLEX)
def test_gradients_by_complex_numbers(name):
    """The derivatives by both parts, as parts of a complex number."""
    function, step, want = COMPLEX[name], 1e-6, np.zeros_like(_Z)
    for i in range(_Z.size):
        for direction in (1, 1j):
            moved = [_Z + sign * step * direction * np.eye(_Z.size)[i] for sign in (1, -1)]
            upper, lower = (float(function(array(z))) for z in moved)
            want[i] += direction * (upper - lower) / (2 * step)
    np.testing.assert_allclose(be.to_numpy(ca.grad(function)(array(_Z))), want, rtol=1e-6, atol=1e-6)


@needs_derivatives
def test_complex_numbers_in_trees_products_and_derivatives_of_derivatives():
    w = np.asarray([2.0, 3.0])
    loss = lambda p: ca.sum(ca.abs(p["z"]) ** 2 * p["w"])
    value, slopes = ca.value_and_grad(loss)({"z": array(_Z), "w": array(w), "name": "no number"})
    np.testing.assert_allclose(float(value), np.sum(np.abs(_Z) ** 2 * w))
    np.testing.assert_allclose(be.to_numpy(slopes["z"]), 2 * w * _Z)
    np.testing.assert_allclose(be.to_numpy(slopes["w"]), np.abs(_Z) ** 2)
    assert slopes["name"] is None and complex(ca.grad(lambda z: ca.abs(z) ** 2)(1 + 2j)) == 2 + 4j
    direction = _Z[::-1].copy()
    found, pull_back = ca.vjp(lambda z: z * z * (1 + 1j), array(_Z))
    np.testing.assert_allclose(be.to_numpy(found), _Z * _Z * (1 + 1j))
    np.testing.assert_allclose(be.to_numpy(pull_back(array(direction))[0]), direction * np.conj(2 * _Z * (1 + 1j)))
    found, moved = ca.jvp(lambda z: z * ca.conj(z) * z, (array(_Z),), (array(direction),))
    want = np.conj(direction) * _Z * _Z + 2 * np.abs(_Z) ** 2 * direction
    np.testing.assert_allclose(be.to_numpy(moved), want)
    inner = lambda w: ca.grad(lambda z: ca.sum(ca.abs(z) ** 2 * w))(array(_Z))
    second = ca.grad(lambda w: ca.sum(ca.abs(inner(w)) ** 2))(array(w))
    np.testing.assert_allclose(be.to_numpy(second), 8 * w * np.abs(_Z) ** 2)


@needs_derivatives
def test_what_is_not_differentiated_by_complex_numbers():
    for call in (ca.jac(ca.conj), ca.jacfwd(ca.conj), ca.grad(ca.sum)):
        with pytest.raises(TypeError, match="it takes real floating-point numbers"):
            call(array(_Z))
    with pytest.raises(TypeError, match="it takes real or complex floating-point numbers"):
        ca.grad(ca.sum)(array(np.asarray([1, 2])))
