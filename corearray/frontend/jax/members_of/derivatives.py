"""Derivatives: `grad`, `value_and_grad`, `vjp`, `jvp`, `linearize`, Jacobians."""

from __future__ import annotations

from collections.abc import Callable
from functools import update_wrapper
from typing import Any

import corearray as ca
from corearray.errors import CoreArrayTypeError, CoreArrayValueError
from corearray.frontend.jax.leaves import Leaves
from corearray.frontend.jax.members_of.mapping import need_callable
from corearray.frontend.jax.members_of.programs import outlined
from corearray.frontend.jax.promotion import cast
from corearray.frontend.jax.traced import COMPLEX, Traced
from corearray.frontend.jax.trees import flatten
from corearray.frontend.jax.wrapper import converted
from corearray.frontend.modes import Mode

__all__ = [
    "FUNCTIONS", "BackwardsOnly", "forwards", "grad", "hessian", "jacfwd", "jacrev", "jvp", "linear_transpose",
    "linearize", "value_and_grad", "vjp",
]  # fmt: skip

#: Whether a derivative forwards is running, which the functions of `custom_jvp` have on no backend.
forwards: Mode[bool] = Mode("a derivative forwards of the JAX frontend is running", default=False, followed=False)


class BackwardsOnly(BaseException):
    """Raised within a derivative forwards by a function that has one backwards alone; it is computed backwards then.

    It is no `Exception`, so that programs do not catch it.
    """


def _forwards(computed: Callable[[], Any], backwards: Callable[[], Any]) -> Any:
    """Return a derivative that is computed forwards, or backwards where the functions within have no other one."""
    token = forwards.set(True)
    try:
        return computed()
    except BackwardsOnly:
        pass
    finally:
        forwards.reset(token)
    return backwards()


def value_and_grad(
    fun: Callable[..., Any], argnums: Any = 0, has_aux: bool = False, holomorphic: bool = False, allow_int: bool = False,
    reduce_axes: Any = (),
) -> Callable[..., Any]:  # fmt: skip
    """Return a function that computes the value of a function and its gradient.

    Raises
    ------
    TypeError
        When it is called, if an argument is not floating, or not complex with `holomorphic`, or the value is not one number.
    """
    need_callable("value_and_grad", fun)

    def both(*args: Any, **options: Any) -> Any:
        traced = Traced("grad", fun, args, options, argnums, has_aux, holomorphic=holomorphic, allow_int=allow_int)
        reals = traced.reals()
        if reals:
            (value, rest), slopes = ca.value_and_grad(traced.scalar, has_aux=True)(reals)
        else:  # integers alone
            (value, rest), slopes = traced.scalar(reals), []
        parts = [value, *rest[:1]] if holomorphic else [value]
        return traced.result(parts, rest[len(parts) - 1 :]), traced.like_arguments(slopes)

    update_wrapper(both, fun, updated=())
    return both


def grad(
    fun: Callable[..., Any], argnums: Any = 0, has_aux: bool = False, holomorphic: bool = False, allow_int: bool = False,
    reduce_axes: Any = (),
) -> Callable[..., Any]:  # fmt: skip
    """Return a function that computes the gradient of a function; errors as in `value_and_grad`."""
    both = value_and_grad(fun, argnums, has_aux, holomorphic, allow_int)

    def gradient(*args: Any, **options: Any) -> Any:
        value, found = both(*args, **options)
        return (found, value[1]) if has_aux else found

    update_wrapper(gradient, fun, updated=())
    return gradient


def _cotangents(traced: Traced, tree: Any, refused: type[Exception]) -> list[Any]:
    """Return the parts of cotangents, a tree like the value."""
    leaves = dict(zip(traced.value.arrays, traced.value.definition.flatten_up_to(tree), strict=True))
    arrays = {}
    for i, dtype in traced.outputs.dtypes.items():
        given, weak = converted(leaves[i])
        if given.dtype != dtype and not weak:
            raise refused(f"unexpected dtype of a cotangent: got {given.dtype}, the value has {dtype}")
        shape = traced.value.shape(i)
        if tuple(given.shape) != shape:
            raise refused(f"unexpected shape of a cotangent: got {tuple(given.shape)}, the value has {shape}")
        arrays[i] = cast(given, dtype)
    return list(traced.outputs.split(arrays, -1))


def _pulled(traced: Traced, refused: type[Exception] = CoreArrayValueError) -> tuple[Any, Callable[[Any], Any]]:
    """Return the result of a function, and a function from cotangents to those of the arguments."""
    reals = traced.reals()
    pull_back: Any = None
    if reals:
        parts, pull_back, rest = ca.vjp(traced, reals, has_aux=True)
    else:  # integers alone
        parts, rest = traced(reals)

    def back(cotangents: Any) -> Any:
        given = _cotangents(traced, cotangents, refused)
        return traced.like_arguments(pull_back(given)[0] if reals else [])

    return traced.result(parts, rest), back


def vjp(fun: Callable[..., Any], *primals: Any, has_aux: bool = False, reduce_axes: Any = ()) -> Any:
    """Return the value of a function, and a function from cotangents to those of the arguments.

    Raises
    ------
    ValueError
        When the second function is called, if a cotangent has another structure, shape or dtype than the value.
    """
    traced = Traced("vjp", fun, primals, {}, range(len(primals)), has_aux, allow_int=True)
    result, back = _pulled(traced)
    return (result[0], back, result[1]) if has_aux else (result, back)


def _directions(
    traced: Traced,
    tangents: Any,
    refused: tuple[type[Exception], type[Exception]] = (CoreArrayTypeError, CoreArrayValueError),
) -> list[Any]:
    """Return the parts of tangents, a tree like the arguments; `refused` are the errors for dtypes and shapes."""
    leaves, definition = flatten(list(tangents))
    if definition != traced.given.definition:
        raise CoreArrayTypeError("primal and tangent arguments to jax.jvp must have the same tree structure")
    arrays = {}
    for (i, x), leaf in zip(traced.given.arrays.items(), leaves, strict=True):
        if i not in traced.inputs.dtypes:
            if "float0" not in str(getattr(leaf, "dtype", "")):
                raise refused[0](
                    f"{traced.name}: the tangent of an array of {x.dtype} has the dtype float0, got {leaf!r}"
                )
            continue
        arrays[i] = converted(leaf)[0]
        if arrays[i].dtype != x.dtype:
            raise refused[0](
                "primal and tangent arguments to jax.jvp do not match; dtypes must be equal, got primal dtype "
                f"{x.dtype} and tangent dtype {arrays[i].dtype}"
            )
        if tuple(x.shape) != tuple(arrays[i].shape):
            raise refused[1](
                f"{traced.name} called with different primal and tangent shapes; got primal shape "
                f"{tuple(x.shape)} and tangent shape {tuple(arrays[i].shape)}"
            )
    return traced.inputs.split(arrays)


def _pushed(traced: Traced, directions: list[Any]) -> tuple[Any, Any]:
    """Return the result of a function, and the derivative of its value in a direction."""
    reals = traced.reals()

    def backwards() -> Any:
        """Transpose the derivative backwards, which is linear in cotangents."""
        parts, pull_back, rest = ca.vjp(traced, reals, has_aux=True)
        zeros = [ca.zeros_like(x) for x in parts]
        _, pushed = ca.vjp(lambda cotangents: pull_back(cotangents)[0], zeros)
        return parts, pushed(directions)[0], rest

    if reals:
        parts, slopes, rest = _forwards(lambda: ca.jvp(traced, (reals,), (directions,), has_aux=True), backwards)
    else:  # integers alone
        parts, rest = traced(reals)
        slopes = [ca.zeros_like(x) for x in parts]
    return traced.result(parts, rest), traced.tangents(slopes)


def jvp(fun: Callable[..., Any], primals: Any, tangents: Any, has_aux: bool = False) -> Any:
    """Return the value of a function and its derivative in a direction.

    Raises
    ------
    TypeError, ValueError
        If tangents have another structure, another dtype or other shapes than the arguments.
    """
    for what, x in (("primals", primals), ("tangents", tangents)):
        if not isinstance(x, (tuple, list)):
            raise CoreArrayTypeError(
                f"primal and tangent arguments to jax.jvp must be tuples or lists; found {what} of {type(x)}."
            )
    traced = Traced("jvp", fun, primals, {}, range(len(primals)), has_aux, allow_int=True)
    result, slopes = _pushed(traced, _directions(traced, tangents))
    return (result[0], slopes, result[1]) if has_aux else (result, slopes)


def linearize(fun: Callable[..., Any], *primals: Any, has_aux: bool = False) -> Any:
    """Return the value of a function, and its derivative as a function of directions; errors as in `jvp`."""
    traced = Traced("linearize", fun, primals, {}, range(len(primals)), has_aux, allow_int=True)
    result = traced.result(*traced(traced.reals()))

    def pushed(*tangents: Any) -> Any:
        return _pushed(traced, _directions(traced, tangents, (CoreArrayValueError, CoreArrayValueError)))[1]

    return (result[0], pushed, result[1]) if has_aux else (result, pushed)


def linear_transpose(fun: Callable[..., Any], *primals: Any, reduce_axes: Any = ()) -> Callable[..., Any]:
    """Return the transpose of a linear function, of which arguments give shapes and dtypes alone.

    A function that is not linear is transposed as its derivative at zero; JAX refuses it.

    Raises
    ------
    TypeError
        If an argument is not floating; when the transpose is called, if a cotangent has another shape or dtype than the value.
    """
    given = Leaves(outlined(primals), everything=True)
    start = given.tree({i: ca.zeros_like(x) for i, x in given.arrays.items()})
    traced = Traced("linear_transpose", fun, start, {}, range(len(primals)))
    return _pulled(traced, CoreArrayTypeError)[1]


def _jacobian(forward: bool) -> Callable[..., Any]:
    name = "jacfwd" if forward else "jacrev"

    def jacobian(
        fun: Callable[..., Any],
        argnums: Any = 0,
        has_aux: bool = False,
        holomorphic: bool = False,
        allow_int: bool = False,
    ) -> Callable[..., Any]:
        need_callable(name, fun)

        def matrix(*args: Any, **options: Any) -> Any:
            traced = Traced(name, fun, args, options, argnums, has_aux, holomorphic=holomorphic, allow_int=allow_int)
            kinds = {dtype.category for dtype in traced.inputs.dtypes.values()}
            if forward and not holomorphic and COMPLEX in kinds:
                raise CoreArrayTypeError(
                    "jacfwd requires real-valued inputs (input dtype that is a sub-dtype of np.floating), but got complex "
                    "ones. For holomorphic differentiation, pass holomorphic=True."
                )
            rest: list[Any] = []

            def values(reals: Any) -> Any:
                parts, rest[:] = traced(reals)
                if not forward or holomorphic:
                    traced.check_values()
                return parts

            reals = traced.reals()
            if not reals:
                blocks: Any = [[] for _ in values(reals)]
            elif forward:
                blocks = _forwards(lambda: ca.jacfwd(values)(reals), lambda: ca.jacrev(values)(reals))
            else:
                blocks = ca.jacrev(values)(reals)
            result = traced.value.definition.unflatten(_rows(traced, iter(blocks)))
            return (result, traced.beside([ca.stop_gradient(x) for x in rest])) if has_aux else result

        update_wrapper(matrix, fun, updated=())
        return matrix

    jacobian.__name__ = name
    jacobian.__doc__ = "Return a function that computes the Jacobian of a function."
    return jacobian


def _rows(traced: Traced, blocks: Any) -> list[Any]:
    """Return the derivatives of each leaf of the value, as trees like the arguments."""
    rows = []
    for i, x in traced.value.arrays.items():
        if i not in traced.outputs.dtypes:
            raise CoreArrayTypeError(f"{traced.name} requires floating outputs, but got {x.dtype}.")
        row = next(blocks)
        if x.dtype.category == COMPLEX:
            other = next(blocks)
            row = row if traced.holomorphic else [ca.complex(re, im) for re, im in zip(row, other, strict=True)]
        rows.append(traced.like_arguments(row, traced.value.shape(i)))
    return rows


jacfwd, jacrev = _jacobian(True), _jacobian(False)


def hessian(
    fun: Callable[..., Any], argnums: Any = 0, has_aux: bool = False, holomorphic: bool = False
) -> Callable[..., Any]:
    """Return a function that computes the second derivatives of a function."""
    made: Callable[..., Any] = jacfwd(jacrev(fun, argnums, has_aux, holomorphic), argnums, has_aux, holomorphic)
    return made


FUNCTIONS: dict[str, Any] = {
    one.__name__: one for one in (grad, value_and_grad, vjp, jvp, linearize, linear_transpose, jacfwd, jacrev, hessian)
} | {"jacobian": jacrev}
