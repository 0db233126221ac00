"""Derivatives of the JAX frontend, judged by JAX: values, dtypes, structures and kinds of errors."""

from __future__ import annotations

from functools import partial

import jax as native
import jax.scipy.optimize
import jax.scipy.sparse.linalg
import pytest
from frontend.conftest import TARGET
from frontend.jax_api import difference

import corearray as ca
import corearray.frontend.jax as jax
import corearray.frontend.jax.numpy as jnp

differentiates = pytest.mark.skipif(
    "reverse_mode" not in ca.get_backend(TARGET).facts, reason=f"{TARGET} has no derivatives"
)

PROGRAMS = []


def program(function):
    """Register a program: a function of the `jax` to use and of an array of three numbers."""
    PROGRAMS.append(pytest.param(function, id=function.__name__))
    return function


def scaled(jax, **options):
    """Return `x * n` with a derivative that is seven times too large."""

    @partial(jax.custom_vjp, **options)
    def scaled(x, n=2.0):
        return x * n

    return scaled


@program
def vjp_rule(jax, x):
    jnp = jax.numpy

    @jax.custom_vjp
    def f(x, y):
        return jnp.sin(x) * y

    f.defvjp(lambda x, y: (f(x, y), (jnp.cos(x), jnp.sin(x), y)), lambda r, ct: (ct * r[0] * r[2] * 10, r[1] * ct))
    slopes = jax.grad(lambda x, y: f(x, y).sum(), (0, 1))
    twice = jax.grad(lambda x: slopes(x, 2 * x)[0].sum())(x)
    return f(x, 2.0), slopes(x, 2 * x), twice, jax.vmap(jax.grad(f))(x, x), jax.grad(lambda x: f(x, y=x).sum())(x)


@program
def vjp_of_trees(jax, x):
    jnp = jax.numpy

    @jax.custom_vjp
    def f(tree, k):
        return {"s": jnp.sin(tree["w"]) * k, "t": (tree["b"] ** 2,)}

    def backward(residuals, ct):
        tree, k = residuals
        return {"w": ct["s"] * jnp.cos(tree["w"]) * k * 3, "b": ct["t"][0] * tree["b"]}, None

    f.defvjp(lambda tree, k: (f(tree, k), (tree, k)), backward)
    given = {"w": x, "b": 2 * x}
    return f(given, 2.0), jax.grad(lambda tree: f(tree, 2.0)["s"].sum() + f(tree, 1.0)["t"][0].sum())(given)


@program
def vjp_with_fixed_arguments(jax, x):
    results = []
    for options in ({"nondiff_argnums": (1,)}, {"nondiff_argnames": ("n",)}):
        f = scaled(jax, **options)
        f.defvjp(lambda x, n, f=f: (f(x, n), x), lambda n, x, ct: (ct * n * 7,))
        results += [jax.grad(lambda x, f=f: f(x, 3).sum())(x), jax.grad(lambda x, f=f: f(x, n=3).sum())(x)]
        results.append(jax.grad(lambda x, f=f: f(x).sum())(x))
    return results


@program
def vjp_beside_integers(jax, x):
    jnp, n = jax.numpy, jax.numpy.array([1, 2, 3])

    @jax.custom_vjp
    def f(x, n):
        return x * n, jnp.argmax(x)

    f.defvjp(lambda x, n: (f(x, n), n), lambda n, ct: (ct[0] * n * 7, None))
    return f(x, n), jax.grad(lambda x: f(x, n)[0].sum())(x)


@program
def vjp_of_complex_numbers(jax, x):
    f = scaled(jax)
    f.defvjp(lambda x, n: (f(x, n), x), lambda x, ct: (ct * x * 9, None))
    return jax.grad(lambda z: jax.numpy.abs(f(z)).sum())(x + 2j)


@program
def vjp_without_a_rule(jax, x):
    return scaled(jax)(x)


@program
def vjp_with_too_few_cotangents(jax, x):
    f = scaled(jax)
    f.defvjp(lambda x, n: (f(x, n), n), lambda n, ct: (ct,))
    return jax.grad(lambda x: f(x, x).sum())(x)


@program
def vjp_with_an_array_for_cotangents(jax, x):
    f = scaled(jax)
    f.defvjp(lambda x, n: (f(x, n), n), lambda n, ct: ct)
    return jax.grad(lambda x: f(x, x).sum())(x)


@program
def vjp_without_residuals(jax, x):
    f = scaled(jax)
    f.defvjp(lambda x, n: f(x, n), lambda n, ct: (ct, ct))
    return jax.grad(lambda x: f(x, x).sum())(x)


@program
def jvp_rule(jax, x):
    jnp = jax.numpy

    @jax.custom_jvp
    def f(x, y):
        return jnp.sin(x) * y

    @f.defjvp
    def rule(primals, tangents):
        (x, y), (dx, dy) = primals, tangents
        return f(x, y), jnp.cos(x) * dx * y * 10 + jnp.sin(x) * dy

    backwards = jax.grad(lambda x, y: f(x, y).sum(), (0, 1))(x, 2 * x)
    value, forwards = jax.linearize(f, x, x)
    return (
        f(x, 2.0), backwards, jax.jvp(f, (x, 2 * x), (x, x)), jax.jacfwd(f)(x, 2 * x), value, forwards(x, x),
        jax.hessian(lambda x: f(x, x).sum())(x), jax.grad(lambda x: f(x, y=x).sum())(x),
        jax.jvp(lambda x: jax.grad(lambda x: f(x, x).sum())(x), (x,), (x,)),
    )  # fmt: skip


@program
def jvp_of_trees_and_integers(jax, x):
    n = jax.numpy.array([1, 2, 3])

    @partial(jax.custom_jvp, nondiff_argnums=(0,))
    def f(function, tree, n):
        return {"a": function(tree["w"]) * tree["b"] * n}

    @f.defjvp
    def rule(function, primals, tangents):
        (tree, n), (slopes, _) = primals, tangents
        return f(function, tree, n), {"a": 7 * n * tree["b"] * slopes["w"] + slopes["b"]}

    given = {"w": x, "b": 2 * x}
    slopes = jax.grad(lambda tree: f(jax.numpy.sin, tree, n)["a"].sum())(given)
    return f(jax.numpy.sin, given, n), slopes


@program
def jvps(jax, x):
    results = []
    for second in (lambda dy, value, x, y: value / y * dy, None):
        f = jax.custom_jvp(lambda x, y: x**2 * y)
        f.defjvps(lambda dx, value, x, y: 20 * x * dx * y, second)
        results.append(jax.grad(lambda x, y, f=f: f(x, y).sum(), (0, 1))(x, 2 * x))
    return results


@program
def too_few_jvps(jax, x):
    f = jax.custom_jvp(lambda x, y: x**2 * y)
    f.defjvps(lambda dx, value, x, y: 20 * x * dx * y)
    return jax.grad(lambda x: f(x, x).sum())(x)


@program
def jvp_without_a_rule(jax, x):
    return jax.custom_jvp(lambda x: x)(x)


@program
def jvp_without_a_value(jax, x):
    f = jax.custom_jvp(lambda x: 2 * x)
    f.defjvp(lambda primals, tangents: tangents[0])
    return jax.grad(lambda x: f(x).sum())(x)


@program
def gradient_rule(jax, x):
    @jax.custom_gradient
    def f(x, y):
        return x * y, lambda ct: (ct * y * 5, ct * x)

    @jax.custom_gradient
    def g(x):
        return x**2, lambda ct: ct * x * 5

    return f(x, 2 * x), jax.grad(lambda x, y: f(x, y).sum(), (0, 1))(x, 2 * x), jax.grad(lambda x: g(x).sum())(x)


@program
def linearized(jax, x):
    jnp = jax.numpy
    value, pushed, aux = jax.linearize(lambda a, b: ({"o": jnp.sin(a) * b}, {"q": a * 2}), x, 3.0, has_aux=True)
    square, slope = jax.linearize(lambda a: a * a, 3.0)
    return value, pushed(x, 1.0), aux, square, slope(1.0), jax.vmap(jax.linearize(jnp.sin, x)[1])(jnp.eye(3))


@program
def linearized_with_another_dtype(jax, x):
    return jax.linearize(jax.numpy.sin, x)[1](jax.numpy.array([1, 2, 3]))


@program
def linearized_with_more_directions(jax, x):
    return jax.linearize(jax.numpy.sin, x)[1](x, x)


@program
def transposed(jax, x):
    jnp, y = jax.numpy, jax.numpy.array([1.0, 2.0])
    matrix = jnp.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    outline = jax.ShapeDtypeStruct((3,), jnp.float32)
    return (
        jax.linear_transpose(lambda a, b: matrix @ a + b, x, y)(y),
        jax.linear_transpose(lambda tree: {"o": matrix @ tree["a"]}, {"a": outline})({"o": y}),
        jax.linear_transpose(lambda a: 3 * a, 1.0)(2.0),
    )


@program
def transposed_with_another_shape(jax, x):
    return jax.linear_transpose(lambda a: a[:2], x)(x)


@program
def transposed_with_another_dtype(jax, x):
    return jax.linear_transpose(lambda a: 2 * a, x)(jax.numpy.array([1, 2, 3]))


@program
def complex_numbers(jax, x):
    z = x + 2j

    def cube(z):
        return (z * z * z).sum()

    value, back = jax.vjp(lambda z: z * z, z)
    return (
        jax.grad(lambda z: jax.numpy.abs(z * z).sum())(z), jax.grad(cube, holomorphic=True)(z),
        jax.value_and_grad(lambda z: (cube(z), z), has_aux=True, holomorphic=True)(z), value, back(z * 1j),
        jax.jacrev(lambda z: z * z, holomorphic=True)(z), jax.hessian(cube, holomorphic=True)(z),
        jax.jacfwd(lambda x: x * (1 + 2j))(x), jax.jvp(lambda z: z * z, (z,), (z * 1j,)),
    )  # fmt: skip


@program
def holomorphic_of_real_numbers(jax, x):
    return jax.grad(lambda x: (x * x).sum(), holomorphic=True)(x)


@program
def integers(jax, x):
    n = jax.numpy.array([1, 2, 3])
    slopes = jax.grad(lambda x, n: (x * n).sum(), (0, 1), allow_int=True)(x, n)
    value, back = jax.vjp(lambda x, n: (x * n, n + 1), x, n)
    cotangents = (x, jax.grad(lambda n: n.sum() * 1.0, allow_int=True)(n))
    assert str(slopes[1].dtype) == str(back(cotangents)[1].dtype) == "[('float0', 'V')]"
    assert slopes[1].shape == (3,)
    return slopes[0], value, back(cotangents)[0]


@program
def gradient_of_integers(jax, x):
    return jax.grad(lambda n: n.sum() * 1.0)(jax.numpy.array([1, 2, 3]))


@program
def cotangent_of_another_dtype(jax, x):
    return jax.vjp(jax.numpy.sin, x)[1](jax.numpy.array([1, 2, 3]))


@program
def computed_again(jax, x):
    jnp = jax.numpy

    @partial(jax.checkpoint, static_argnums=(1,), policy=jax.checkpoint_policies.nothing_saveable)
    def f(tree, doubled):
        return {"s": jnp.sin(tree["w"]) * tree["b"] * (2 if doubled else 3), "n": jnp.argmax(tree["w"])}

    given = {"w": x, "b": 2.0}
    value = f(given, True)
    return value, jax.grad(lambda tree: f(tree, True)["s"].sum() + jax.remat(jnp.cos)(tree["w"]).sum())(given)


@program
def where_functions_turn_or_jump(jax, x):
    jnp = jax.numpy
    y = x - 2.0  # -1, 0 and 1
    functions = [
        jnp.sign,
        jax.lax.sign,
        lambda z: jax.lax.clamp(-1.0, z, 1.0),
        lambda z: jnp.clip(z, 0.0),
        jax.nn.relu6,
    ]
    return [jax.grad(lambda z, f=f: f(z).sum())(y) for f in functions]


@program
def unknown_options(jax, x):
    return jax.checkpoint(jax.numpy.sin, whatever=1)


def result(function, jax):
    """Return what a program returns, or the error that it raises."""
    try:
        return function(jax, jax.numpy.array([1.0, 2.0, 3.0]))
    except Exception as error:
        return error


@program
def solvers(jax, x):
    jnp, solve = jax.numpy, jax.scipy.sparse.linalg
    matrix = jnp.diag(x**2 + 3.0) + jnp.array([[0.0, 0.5, 0.1], [0.5, 0.0, 0.2], [0.1, 0.2, 0.0]])
    by_matrix = jax.grad(lambda m: (solve.cg(m, x, tol=1e-7)[0] ** 2).sum())(matrix)
    tilted = matrix.at[0, 2].add(0.7)
    by_right = jax.grad(lambda b: (solve.bicgstab(tilted, b, tol=1e-7)[0] ** 3).sum())(x)
    trees = solve.cg(lambda tree: {"a": matrix @ tree["a"]}, {"a": x}, M=lambda tree: {"a": tree["a"] / 4}, tol=1e-7)
    return by_matrix, by_right, trees, solve.gmres(tilted, x, tol=1e-7)


@program
def densities(jax, x):
    jnp, density = jax.numpy, jax.scipy.stats.gaussian_kde
    one, other = density(x), density(jnp.stack([x, x[::-1] ** 2 + 1]), "silverman", weights=jnp.array([1.0, 2.0, 1.0]))
    slopes = jax.grad(lambda samples: density(samples, 0.5).logpdf(jnp.array([0.3])).sum())(x)
    return (
        one(x),
        slopes,
        other.integrate_kde(other),
        other.resample(jax.random.key(1), (2,)),
        one.integrate_box_1d(-1.0, 1.0),
    )


@program
def minimised(jax, x):
    jnp = jax.numpy
    return jax.scipy.optimize.minimize(
        lambda x, a: jnp.sum(jnp.cosh(x - a) * 2), x, (0.5,), method="BFGS", options={"maxiter": 3}
    )


@differentiates
@pytest.mark.parametrize("function", PROGRAMS)
def test_as_in_jax(function):
    with ca.backend_context(TARGET):
        found = result(function, jax)
    with native.enable_x64(False):
        assert difference(found, result(function, native)) == ""


@differentiates
def test_no_symbolic_zeros():
    with pytest.raises(NotImplementedError, match="leave symbolic_zeros=True out"):
        scaled(jax).defvjp(len, len, symbolic_zeros=True)


@differentiates
@pytest.mark.skipif(TARGET == "jax", reason="JAX traces a function and computes its program again")
def test_a_checkpoint_computes_again():
    calls = []

    def block(x):
        calls.append(x)
        return jnp.sin(x) * 2.0

    def counted(function):
        gradient = jax.grad(lambda x: function(x).sum())
        slopes = [gradient(jnp.ones(3)).tolist() for _ in range(2)]
        calls.clear()
        slopes.append(gradient(jnp.ones(3)).tolist())
        assert slopes[0] == slopes[1] == slopes[2] == pytest.approx([1.0806046] * 3)
        return len(calls)

    with ca.backend_context(TARGET):
        kept = jax.checkpoint(block, policy=jax.checkpoint_policies.everything_saveable)
        assert [counted(f) for f in (block, kept, jax.checkpoint(block))] == [1, 1, 2]


@differentiates
def test_checkpoints_of_several_functions():
    """Each of them is a program of its own, though one decorator makes all."""
    with ca.backend_context(TARGET):
        for function in (jnp.sin, jnp.tanh, lambda x: jnp.exp(x) * x, lambda x: x**3 + jnp.cos(x)):
            plain, again = (jax.grad(lambda x, f=f: f(x).sum()) for f in (function, jax.checkpoint(function)))
            x = jnp.array([0.5, 1.5])
            assert again(x).tolist() == pytest.approx(plain(x).tolist())


def test_a_checkpoint_without_derivatives(target):
    with ca.backend_context(target):
        assert jax.checkpoint(lambda x, n: [x * n], static_argnums=1)(jnp.ones(2), 3)[0].tolist() == [3.0, 3.0]
