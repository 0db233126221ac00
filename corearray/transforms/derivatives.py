"""Gradients, Jacobians, and their products with vectors."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any

from corearray.errors import CoreArrayTypeError
from corearray.settings.context import current_settings
from corearray.transforms.function import Function
from corearray.transforms.sent import transformed
from corearray.transforms.tree import as_given, natively, need_function, vectorized

__all__ = ["execute_with_gradients", "grad", "hessian", "jac", "jacrev", "jvp", "value_and_grad", "vjp"]

#: What `corearray list-functions` says of the functions here that are no declarations.
__kind__ = "convenience"


def value_and_grad(
    fn: Callable[..., Any], /, *, argnums: int | Sequence[int] = 0, has_aux: bool = False
) -> Callable[..., Any]:
    """Return a function that computes the value of a function and its gradient.

    Parameters
    ----------
    fn
        Function of arrays, or of trees of arrays, that returns a real number: an array without axes. With `has_aux` it
        returns a pair of that and anything else, which is passed on.
    argnums
        Place of the argument to differentiate by, or several. Its arrays have floating dtypes; Python floats and complex
        numbers count as arrays, and what is no number stays as it is.
    has_aux
        Whether `fn` returns more than the value.

    Returns
    -------
    Function of the same arguments that returns `(value, gradient)`, or `((value, aux), gradient)`. The gradient is a tree
    like the argument, and a tuple of trees for several.

    Raises
    ------
    TypeError
        When it is called, if the value is no real number, or an array to differentiate by has another dtype.
    ValueError
        When it is called, if `argnums` names an argument twice.
    FunctionNotImplementedError
        When it is called, if the backend does not differentiate, as NumPy.

    Examples
    --------
    >>> import corearray as ca
    >>> def loss(weights, x):
    ...     return ca.mean(ca.square(x @ weights["w"] + weights["b"]))
    >>> with ca.backend_context("torch"):
    ...     value, slope = ca.value_and_grad(loss)({"w": ca.ones(2), "b": 1.0}, ca.asarray([[1.0, 2.0]]))
    >>> float(value), slope["w"].tolist(), slope["b"].tolist()
    (16.0, [8.0, 16.0], 8.0)

    Notes
    -----
    `jax.value_and_grad`, `torch.func.grad_and_value` and `tf.GradientTape`. The gradient by a complex number
    `z = x + iy` is `df/dx + i df/dy`, the direction of steepest ascent, on every backend: PyTorch's and TensorFlow's
    convention. `jax.grad` returns its conjugate.
    """
    places = _places("value_and_grad", fn, argnums)

    def both(*args: Any, **options: Any) -> Any:
        if current_settings().native_arrays:
            made = value_and_grad(as_given(fn), argnums=argnums, has_aux=has_aux)
            return natively(made, *args, **options)
        value, aux, gradients = Function("value_and_grad", fn, args, options, places, has_aux, True).evaluated()
        return ((value, aux) if has_aux else value), gradients

    return transformed(both, fn, value_and_grad, {"argnums": argnums, "has_aux": has_aux})


def grad(fn: Callable[..., Any], /, *, argnums: int | Sequence[int] = 0, has_aux: bool = False) -> Callable[..., Any]:
    """Return a function that computes the gradient of a function.

    Parameters
    ----------
    fn, argnums, has_aux
        As in `value_and_grad`.

    Returns
    -------
    Function of the same arguments that returns the gradient, or `(gradient, aux)`.

    Raises
    ------
    TypeError, ValueError, FunctionNotImplementedError
        As in `value_and_grad`.

    Examples
    --------
    >>> import corearray as ca
    >>> cube = lambda x: x**3
    >>> with ca.backend_context("torch"):
    ...     first, second = ca.grad(cube)(2.0), ca.grad(ca.grad(cube))(2.0)
    >>> float(first), float(second)
    (12.0, 12.0)
    """
    places = _places("grad", fn, argnums)

    def gradient(*args: Any, **options: Any) -> Any:
        if current_settings().native_arrays:
            return natively(grad(as_given(fn), argnums=argnums, has_aux=has_aux), *args, **options)
        _, aux, gradients = Function("grad", fn, args, options, places, has_aux, True).evaluated()
        return (gradients, aux) if has_aux else gradients

    return transformed(gradient, fn, grad, {"argnums": argnums, "has_aux": has_aux})


def execute_with_gradients(fn: Callable[[Any], Any], xs: Any, /, *, has_aux: bool = False) -> tuple[Any, Any]:
    """Call a function of one tree of arrays and return its value and gradient.

    Parameters
    ----------
    fn, has_aux
        As in `value_and_grad`.
    xs
        The argument.

    Returns
    -------
    `(value, gradient)`, or `((value, aux), gradient)`.

    Raises
    ------
    TypeError, FunctionNotImplementedError
        As in `value_and_grad`.

    Examples
    --------
    >>> import corearray as ca
    >>> with ca.backend_context("torch"):
    ...     value, slopes = ca.execute_with_gradients(lambda xs: ca.sum(xs["a"] ** 2), {"a": ca.asarray([1.0, 3.0])})
    >>> float(value), slopes["a"].tolist()
    (10.0, [2.0, 6.0])
    """
    if current_settings().native_arrays:
        found: tuple[Any, Any] = natively(execute_with_gradients, as_given(fn), xs, has_aux=has_aux)
        return found
    places = _places("execute_with_gradients", fn, 0)
    value, aux, gradients = Function("execute_with_gradients", fn, (xs,), {}, places, has_aux, True).evaluated()
    return ((value, aux) if has_aux else value), gradients


def vjp(fn: Callable[..., Any], /, *primals: Any, has_aux: bool = False) -> tuple[Any, ...]:
    """Call a function and return its value and its vector-Jacobian product, a function of cotangents.

    Parameters
    ----------
    fn
        Function of trees of arrays that returns one.
    primals
        Its arguments, of floating dtypes.
    has_aux
        Whether `fn` returns a pair of the value and anything else, which is passed on.

    Returns
    -------
    `(value, pull_back)`, with `has_aux` also what else there was. `pull_back(cotangents)` takes a tree like the value and
    returns a tuple with a tree for each argument: the product of `cotangents` and the Jacobian.

    Raises
    ------
    TypeError, FunctionNotImplementedError
        As in `value_and_grad`.

    Examples
    --------
    >>> import corearray as ca
    >>> with ca.backend_context("torch"):
    ...     value, pull_back = ca.vjp(lambda x, y: x * y, ca.asarray([1.0, 2.0]), ca.asarray([3.0, 4.0]))
    ...     x_bar, y_bar = pull_back(ca.asarray([1.0, 10.0]))
    >>> value.tolist(), x_bar.tolist(), y_bar.tolist()
    ([3.0, 8.0], [3.0, 40.0], [1.0, 20.0])

    Notes
    -----
    `jax.vjp`, `torch.func.vjp`. A complex cotangent is `df/dx + i df/dy` of the number behind, as in `value_and_grad`.
    """
    need_function("vjp", fn)
    if current_settings().native_arrays:
        given: tuple[Any, ...] = natively(vjp, as_given(fn), *primals, has_aux=has_aux)
        return given
    function = Function("vjp", fn, primals, {}, range(len(primals)), has_aux)
    outputs, pull, aux = function.reverse()

    def pull_back(cotangents: Any, /) -> tuple[Any, ...]:
        if current_settings().native_arrays:
            natives: tuple[Any, ...] = natively(pull_back, cotangents)
            return natives
        found: tuple[Any, ...] = function.gradients(pull(function.cotangents(cotangents, outputs)))
        return found

    value = function.value(outputs)
    return (value, pull_back, aux) if has_aux else (value, pull_back)


def jac(fn: Callable[..., Any], /, *, argnums: int | Sequence[int] = 0) -> Callable[..., Any]:
    """Return a function that computes the Jacobian of a function.

    Parameters
    ----------
    fn
        Function of arrays, or of trees of arrays, that returns one.
    argnums
        As in `value_and_grad`, of real dtypes.

    Returns
    -------
    Function of the same arguments. For each array of the value it returns a tree like the argument, whose arrays have
    the axes of the value first and those of the argument behind.

    Raises
    ------
    TypeError, ValueError, FunctionNotImplementedError
        As in `value_and_grad`.

    Examples
    --------
    >>> import corearray as ca
    >>> with ca.backend_context("torch"):
    ...     slopes = ca.jac(lambda x: x[:2] * x[2])(ca.asarray([1.0, 2.0, 3.0]))
    >>> slopes.tolist()
    [[3.0, 0.0, 1.0], [0.0, 3.0, 2.0]]

    Notes
    -----
    `jax.jacrev`, `torch.func.jacrev`.
    """
    places = _places("jac", fn, argnums)

    def jacobian(*args: Any, **options: Any) -> Any:
        if current_settings().native_arrays:
            return natively(jac(as_given(fn), argnums=argnums), *args, **options)
        function = Function("jac", fn, args, options, places)
        outputs, pull_back, _ = function.reverse()
        native = function.backend.native
        zeros = [native.zeros_like(output) for output in outputs]
        blocks = []
        for i, output in enumerate(outputs):
            shape = tuple(output.shape)

            def row(cotangent: list[Any], i: int = i, shape: tuple[int, ...] = shape) -> Sequence[Any]:
                return pull_back([*zeros[:i], native.reshape(cotangent[0], shape), *zeros[i + 1 :]])

            if 0 in shape:
                shaped = [native.broadcast_to(x, (*shape, *x.shape)) for x in function.natives]
            else:
                rows = vectorized(function.backend, row, [native.diag(native.ones_like(native.reshape(output, (-1,))))])
                shaped = [native.reshape(x, (*shape, *x.shape[1:])) for x in rows]
            blocks.append(function.gradients(shaped))
        return function.tree(blocks)

    return transformed(jacobian, fn, jac, {"argnums": argnums})


def jvp(
    fn: Callable[..., Any], primals: Sequence[Any], tangents: Sequence[Any], /, *, has_aux: bool = False
) -> tuple[Any, ...]:
    """Call a function and return its value and its Jacobian-vector product.

    Parameters
    ----------
    fn
        Function of trees of arrays that returns one.
    primals
        Its arguments, of floating dtypes.
    tangents
        The direction: as many trees of the same structure and shapes.
    has_aux
        As in `vjp`.

    Returns
    -------
    `(value, derivative)`, two trees alike, with `has_aux` also what else there was.

    Raises
    ------
    TypeError, FunctionNotImplementedError
        As in `value_and_grad`.
    ValueError
        If `tangents` do not fit `primals`.

    Examples
    --------
    >>> import corearray as ca
    >>> with ca.backend_context("torch"):
    ...     value, slope = ca.jvp(ca.square, (ca.asarray([1.0, 2.0]),), (ca.asarray([1.0, 10.0]),))
    >>> value.tolist(), slope.tolist()
    ([1.0, 4.0], [2.0, 40.0])

    Notes
    -----
    `jax.jvp`, `torch.func.jvp`.
    """
    need_function("jvp", fn)
    for what, trees in (("primals", primals), ("tangents", tangents)):
        if not isinstance(trees, Sequence):
            raise CoreArrayTypeError(
                f"'jvp' takes a tuple of {what}, got {type(trees).__name__}; write ({what},) for one"
            )
    if current_settings().native_arrays:
        given: tuple[Any, ...] = natively(jvp, as_given(fn), primals, tangents, has_aux=has_aux)
        return given
    primals = tuple(primals)
    function = Function("jvp", fn, primals, {}, range(len(primals)), has_aux)
    outputs, derivatives, aux = function.answer("forward_mode", function.tangents(tuple(tangents)))
    value = function.value(outputs), function.value(derivatives)
    return (*value, function.beside(aux)) if has_aux else value


def _places(name: str, fn: object, argnums: int | Sequence[int]) -> int | tuple[int, ...]:
    need_function(name, fn)
    if type(argnums) is int:
        return argnums
    try:
        return tuple(map(operator.index, argnums)) if isinstance(argnums, Sequence) else int(operator.index(argnums))
    except TypeError:
        raise CoreArrayTypeError(f"argnums of '{name}' is an integer or several, got {argnums!r}") from None


def jacrev(fn: Callable[..., Any], /, *, argnums: int | Sequence[int] = 0) -> Callable[..., Any]:
    """Return a function that computes the Jacobian of a function in reverse mode; another name of `jac`.

    Parameters
    ----------
    fn, argnums
        As in `jac`.

    Examples
    --------
    >>> import corearray as ca
    >>> with ca.backend_context("torch"):
    ...     ca.jacrev(lambda x: x * x)(ca.asarray([1.0, 2.0])).tolist()
    [[2.0, 0.0], [0.0, 4.0]]

    Notes
    -----
    `jax.jacrev`, `torch.func.jacrev`.
    """
    return jac(fn, argnums=argnums)


def hessian(fn: Callable[..., Any], /, *, argnums: int | Sequence[int] = 0) -> Callable[..., Any]:
    """Return a function that computes the second derivatives of a function.

    Parameters
    ----------
    fn, argnums
        As in `jac`.

    Returns
    -------
    Function of the same arguments. For each array of the value it returns a tree like the argument, each array of which is a
    tree like the argument again: arrays with the axes of the value first, then those of both arguments.

    Raises
    ------
    TypeError, ValueError, FunctionNotImplementedError
        As in `value_and_grad`.

    Examples
    --------
    >>> import corearray as ca
    >>> with ca.backend_context("torch"):
    ...     ca.hessian(lambda x: x[0] * x[0] * x[1])(ca.asarray([3.0, 5.0])).tolist()
    [[10.0, 6.0], [6.0, 0.0]]

    Notes
    -----
    `jax.hessian`, `torch.func.hessian`.
    """
    return transformed(jac(jac(fn, argnums=argnums), argnums=argnums), fn, hessian, {"argnums": argnums})
