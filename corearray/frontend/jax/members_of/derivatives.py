"""Derivatives: `grad`, `value_and_grad`, `vjp`, `jvp`, Jacobians, and functions with derivatives of their own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import update_wrapper
from typing import Any

import corearray as ca
from corearray.errors import CoreArrayTypeError, CoreArrayValueError
from corearray.frontend.jax import trees
from corearray.frontend.jax.leaves import Leaves
from corearray.frontend.jax.members_of.mapping import inside, need_callable
from corearray.frontend.jax.wrapper import Array, converted

__all__ = [
    "FUNCTIONS", "checkpoint", "custom_gradient", "custom_gradient_of", "custom_jvp", "custom_vjp", "grad",
    "hessian", "jacfwd", "jacrev", "jvp", "linear_transpose", "linearize", "value_and_grad", "vjp",
]  # fmt: skip

_REAL = "real floating"


class _Traced:
    """A function of some of its arguments, as corearray's transforms take it: of a list of arrays.

    Parameters
    ----------
    name
        The transform, for errors.
    fun, args, options
        The function and its arguments.
    argnums
        The arguments by which is differentiated.
    has_aux
        Whether the function returns a pair of its value and anything else.
    """

    def __init__(
        self, name: str, fun: Any, args: Sequence[Any], options: Any, argnums: Any, has_aux: bool = False
    ) -> None:
        need_callable(name, fun)
        self.name, self.fun, self.args, self.options, self.has_aux = name, fun, list(args), options, has_aux
        self.several = not isinstance(argnums, int)
        numbers = (argnums,) if isinstance(argnums, int) else tuple(argnums)
        for number in numbers:
            if not -len(args) <= number < len(args):
                raise CoreArrayTypeError(
                    f"differentiating with respect to argnums={argnums} "
                    f"requires at least {number + 1 if number >= 0 else -number} "
                    f"positional arguments to be passed by the caller, but got only {len(args)} positional arguments."
                )
        self.numbers = [number % len(args) for number in numbers]
        self.given = Leaves([args[number] for number in self.numbers], everything=True)
        for array in self.given.arrays.values():
            if array.dtype.kind not in (_REAL, "complex floating"):
                raise CoreArrayTypeError(
                    f"{name} requires real- or complex-valued inputs (input dtype that is a sub-dtype of np.inexact), but got "
                    f"{array.dtype}. If you want to use Boolean- or integer-valued inputs, use vjp or set allow_int to True."
                )
        self.value: Any = None
        self.aux: Any = None

    def __call__(self, natives: Sequence[Any]) -> Any:
        args = list(self.args)
        parts = self.given.tree(dict(enumerate(natives)))
        for number, part in zip(self.numbers, parts, strict=True):
            args[number] = part
        token = inside.set(True)
        try:
            made = self.fun(*args, **self.options)
        finally:
            inside.reset(token)
        aux: list[Any] = []
        if self.has_aux:
            if not isinstance(made, (tuple, list)) or len(made) != 2:
                raise CoreArrayTypeError(
                    f"expected output of function to be a two-element tuple, because has_aux=True, got {type(made).__name__}"
                )
            made, beside = made
            self.aux = Leaves(beside)
            aux = self.aux.listed()
        self.value = Leaves(made, everything=True)
        return (self.value.listed(), aux) if self.has_aux else self.value.listed()

    def scalar(self, natives: Sequence[Any]) -> Any:
        """Call a function whose value has to be one number."""
        made = self(natives)
        values = made[0] if self.has_aux else made
        if len(values) != 1 or self.value.definition.node is not None:
            raise CoreArrayTypeError(
                "Gradient only defined for scalar-output functions. Output "
                f"was {self.value.definition}: a tree of {len(values)} arrays."
            )
        if values[0].ndim:
            raise CoreArrayTypeError(
                f"Gradient only defined for scalar-output functions. Output had shape: {tuple(values[0].shape)}."
            )
        if values[0].dtype.kind != _REAL:
            raise CoreArrayTypeError(
                f"{self.name} requires real-valued outputs (output dtype that "
                f"is a sub-dtype of np.floating), but got {values[0].dtype}."
            )
        return (values[0], made[1]) if self.has_aux else values[0]

    def like_arguments(self, arrays: Sequence[Any]) -> Any:
        """Return derivatives as trees like the arguments."""
        made = self.given.tree(dict(enumerate(arrays)))
        return tuple(made) if self.several else made[0]

    def beside(self, arrays: Sequence[Any]) -> Any:
        """Return what the function returned beside its value."""
        return self.aux.tree(dict(zip(self.aux.arrays, arrays, strict=True)))


def value_and_grad(
    fun: Callable[..., Any], argnums: Any = 0, has_aux: bool = False, holomorphic: bool = False, allow_int: bool = False,
    reduce_axes: Any = (),
) -> Callable[..., Any]:  # fmt: skip
    """Return a function that computes the value of a function and its gradient.

    Raises
    ------
    TypeError
        When it is called, if an argument is not floating or the value is not one number.
    ValueError
        When it is called, if there is no such argument.
    """
    need_callable("value_and_grad", fun)

    def both(*args: Any, **options: Any) -> Any:
        traced = _Traced("grad", fun, args, options, argnums, has_aux)
        value, slopes = ca.value_and_grad(traced.scalar, has_aux=has_aux)(traced.given.listed())
        found = traced.like_arguments(slopes)
        if has_aux:
            value, aux = value
            return (Array(value, traced.value.is_weak(0)), traced.beside(aux)), found
        return Array(value, traced.value.is_weak(0)), found

    update_wrapper(both, fun, updated=())
    return both


def grad(
    fun: Callable[..., Any], argnums: Any = 0, has_aux: bool = False, holomorphic: bool = False, allow_int: bool = False,
    reduce_axes: Any = (),
) -> Callable[..., Any]:  # fmt: skip
    """Return a function that computes the gradient of a function; errors as in `value_and_grad`."""
    both = value_and_grad(fun, argnums, has_aux)

    def gradient(*args: Any, **options: Any) -> Any:
        value, found = both(*args, **options)
        return (found, value[1]) if has_aux else found

    update_wrapper(gradient, fun, updated=())
    return gradient


def vjp(fun: Callable[..., Any], *primals: Any, has_aux: bool = False, **_: Any) -> Any:
    """Return the value of a function, and a function from cotangents to those of the arguments."""
    traced = _Traced("vjp", fun, primals, {}, range(len(primals)), has_aux)
    made = ca.vjp(traced, traced.given.listed(), has_aux=has_aux)
    value, pull_back = made[0], made[1]

    def back(cotangents: Any) -> Any:
        leaves = traced.value.definition.flatten_up_to(cotangents)
        given = [
            ca.astype(converted(leaf)[0], like.dtype) for leaf, like in zip(leaves, traced.value.listed(), strict=True)
        ]
        return traced.like_arguments(pull_back(given)[0])

    result = traced.value.tree(dict(enumerate(value)))
    return (result, back, traced.beside(made[2])) if has_aux else (result, back)


def jvp(fun: Callable[..., Any], primals: Any, tangents: Any, has_aux: bool = False) -> Any:
    """Return the value of a function and its derivative in a direction."""
    for what, x in (("primals", primals), ("tangents", tangents)):
        if not isinstance(x, (tuple, list)):
            raise CoreArrayTypeError(
                f"primal and tangent arguments to jax.jvp must be tuples or lists; found {what} of {type(x)}."
            )
    traced = _Traced("jvp", fun, primals, {}, range(len(primals)), has_aux)
    directions = Leaves(list(tangents), everything=True)
    if directions.definition != traced.given.definition:
        raise CoreArrayTypeError("primal and tangent arguments to jax.jvp must have the same tree structure")
    given = directions.listed()
    for x, slope in zip(traced.given.listed(), given, strict=True):
        if tuple(x.shape) != tuple(slope.shape) or x.dtype != slope.dtype:
            raise CoreArrayValueError(
                "jvp called with different primal and tangent shapes or dtypes: "
                f"{x.dtype}{tuple(x.shape)} and {slope.dtype}{tuple(slope.shape)}"
            )
    made = ca.jvp(traced, (traced.given.listed(),), (given,), has_aux=has_aux)
    results = tuple(traced.value.tree(dict(enumerate(arrays))) for arrays in made[:2])
    return (*results, traced.beside(made[2])) if has_aux else results


def linearize(fun: Callable[..., Any], *primals: Any, has_aux: bool = False) -> Any:
    """Return the value of a function, and its derivative as a function of directions."""
    value = fun(*primals)
    return value, lambda *tangents: jvp(fun, primals, tangents)[1]


def linear_transpose(fun: Callable[..., Any], *primals: Any, **_: Any) -> Callable[..., Any]:
    """Return the transpose of a linear function."""
    zeros = trees.flatten(primals)
    start = zeros[1].unflatten([Array(ca.zeros(tuple(x.shape), dtype=str(x.dtype))) for x in zeros[0]])  # type: ignore[arg-type]
    back: Callable[..., Any] = vjp(fun, *start)[1]
    return back


def _jacobian(forward: bool) -> Callable[..., Any]:
    def jacobian(
        fun: Callable[..., Any],
        argnums: Any = 0,
        has_aux: bool = False,
        holomorphic: bool = False,
        allow_int: bool = False,
    ) -> Callable[..., Any]:
        need_callable("jacfwd" if forward else "jacrev", fun)

        def matrix(*args: Any, **options: Any) -> Any:
            traced = _Traced("jacfwd" if forward else "jacrev", fun, args, options, argnums, has_aux)
            aux: list[Any] = []

            def values(natives: Any) -> Any:
                made = traced(natives)
                if has_aux:
                    aux[:] = made[1]
                    return made[0]
                return made

            blocks = (ca.jacfwd if forward else ca.jacrev)(values)(traced.given.listed())
            rows = [traced.like_arguments(row) for row in blocks]
            result = traced.value.definition.unflatten(rows)
            return (result, traced.beside([ca.stop_gradient(x) for x in aux])) if has_aux else result

        update_wrapper(matrix, fun, updated=())
        return matrix

    jacobian.__name__ = "jacfwd" if forward else "jacrev"
    jacobian.__doc__ = "Return a function that computes the Jacobian of a function."
    return jacobian


jacfwd, jacrev = _jacobian(True), _jacobian(False)


def hessian(
    fun: Callable[..., Any], argnums: Any = 0, has_aux: bool = False, holomorphic: bool = False
) -> Callable[..., Any]:
    """Return a function that computes the second derivatives of a function."""
    made: Callable[..., Any] = jacfwd(jacrev(fun, argnums, has_aux), argnums, has_aux)
    return made


def checkpoint(fun: Callable[..., Any] | None = None, **options: Any) -> Callable[..., Any]:
    """Return the function: backends keep what derivatives need."""
    if fun is None:
        return lambda function: checkpoint(function)
    need_callable("checkpoint", fun)
    return fun


def custom_gradient_of(fun: Callable[..., Any], pull_back: Callable[..., Any], args: Sequence[Any]) -> Any:
    """Call a function of trees with a derivative: `pull_back` takes arguments and cotangents, and returns cotangents."""
    given = Leaves(list(args))
    places = list(given.arrays)
    real = [i for i in places if given.arrays[i].dtype.kind == _REAL]
    results: list[Leaves] = []

    def program(*natives: Any) -> Any:
        results[:] = [Leaves(fun(*given.tree(dict(zip(real, natives, strict=True)))), everything=True)]
        return tuple(results[0].listed())

    def gradient(natives: Sequence[Any], _: Any, slopes: Sequence[Any]) -> tuple[Any, ...]:
        own = given.tree(dict(zip(real, natives, strict=True)))
        found = pull_back(own, results[0].tree(dict(enumerate(slopes))))
        leaves = [leaf for tree, part in zip(found, own, strict=True) for leaf in _cotangents(tree, part)]
        return tuple(
            None if leaves[i] is None else ca.astype(converted(leaves[i])[0], given.arrays[i].dtype) for i in real
        )

    if not real:
        return fun(*args)
    made = ca.bind_custom_gradient_function(program, gradient)(*(given.arrays[i] for i in real))
    return results[0].tree(dict(enumerate(made)))


def _cotangents(tree: Any, like: Any) -> list[Any]:
    """Return the cotangents of an argument's leaves; `None` stands for zeros."""
    leaves, definition = trees.flatten(like)
    if tree is None:
        return [None] * len(leaves)
    return (
        trees.flatten(tree, is_leaf=lambda x: x is None)[0]
        if definition.num_leaves == 1
        else definition.flatten_up_to(tree)
    )


class custom_vjp:  # noqa: N801  JAX's name
    """A function whose derivative backwards `defvjp` gives."""

    def __init__(
        self, fun: Callable[..., Any], nondiff_argnums: Sequence[int] = (), nondiff_argnames: Any = ()
    ) -> None:
        need_callable("custom_vjp", fun)
        self.fun, self.fixed = fun, tuple(nondiff_argnums)
        self.fwd: Any = None
        self.bwd: Any = None
        update_wrapper(self, fun, updated=())

    def defvjp(self, fwd: Callable[..., Any], bwd: Callable[..., Any], **_: Any) -> None:
        """Give the forward function, which returns the value and residuals, and the backward one."""
        self.fwd, self.bwd = fwd, bwd

    def __call__(self, *args: Any, **options: Any) -> Any:
        """Call the function."""
        if self.fwd is None:
            raise AttributeError(f"No VJP defined for custom_vjp function {self.__name__} using defvjp.")  # type: ignore[attr-defined]
        fixed = [args[i] for i in self.fixed]
        moving = [x for i, x in enumerate(args) if i not in self.fixed]

        def whole(own: Sequence[Any]) -> list[Any]:
            rest, kept = iter(own), dict(zip(self.fixed, fixed, strict=True))
            return [kept[i] if i in kept else next(rest) for i in range(len(args))]

        def pull_back(own: Sequence[Any], slopes: Any) -> Any:
            _, residuals = self.fwd(*whole(own), **options)
            return self.bwd(*fixed, residuals, slopes)

        return custom_gradient_of(lambda *own: self.fun(*whole(own), **options), pull_back, moving)


class custom_jvp:  # noqa: N801  JAX's name
    """A function whose derivative forwards `defjvp` gives."""

    def __init__(self, fun: Callable[..., Any], nondiff_argnums: Sequence[int] = ()) -> None:
        need_callable("custom_jvp", fun)
        self.fun, self.fixed = fun, tuple(nondiff_argnums)
        self.rule: Any = None
        update_wrapper(self, fun, updated=())

    def defjvp(self, jvp: Callable[..., Any], symbolic_zeros: bool = False) -> Callable[..., Any]:
        """Give the derivative: a function of arguments and their tangents, which returns value and tangent."""
        self.rule = jvp
        return jvp

    def defjvps(self, *jvps: Any) -> None:
        """Give a derivative for each argument: a function of its tangent, the value and the arguments."""

        def rule(primals: Any, tangents: Any) -> Any:
            value = self(*primals)
            parts = [one(t, value, *primals) for one, t in zip(jvps, tangents, strict=True) if one is not None]
            return value, sum(parts[1:], parts[0])

        self.rule = rule

    def __call__(self, *args: Any, **options: Any) -> Any:
        """Call the function."""
        if self.rule is None:
            raise AttributeError(f"No JVP defined for custom_jvp function {self.__name__} using defjvp.")  # type: ignore[attr-defined]
        fixed = [args[i] for i in self.fixed]
        moving = [x for i, x in enumerate(args) if i not in self.fixed]

        def whole(own: Sequence[Any]) -> list[Any]:
            rest, kept = iter(own), dict(zip(self.fixed, fixed, strict=True))
            return [kept[i] if i in kept else next(rest) for i in range(len(args))]

        def pull_back(own: Sequence[Any], slopes: Any) -> Any:
            zeros = [_zeros(x) for x in own]
            _, back = vjp(lambda *tangents: self.rule(*fixed, tuple(own), tangents)[1], *zeros)
            return back(slopes)

        return custom_gradient_of(lambda *own: self.fun(*whole(own), **options), pull_back, moving)


def _zeros(tree: Any) -> Any:
    given = Leaves(tree, everything=True)
    return given.tree({i: ca.zeros_like(x) for i, x in given.arrays.items()})


def custom_gradient(fun: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function whose derivative backwards is the second thing that `fun` returns."""

    def called(*args: Any, **options: Any) -> Any:
        def pull_back(own: Sequence[Any], slopes: Any) -> Any:
            found = fun(*own, **options)[1](slopes)
            return found if isinstance(found, (tuple, list)) else (found,)

        return custom_gradient_of(lambda *own: fun(*own, **options)[0], pull_back, args)

    update_wrapper(called, fun, updated=())
    return called


FUNCTIONS: dict[str, Any] = {
    one.__name__: one
    for one in (
        grad, value_and_grad, vjp, jvp, linearize, linear_transpose, jacfwd, jacrev, hessian, checkpoint,
        custom_vjp, custom_jvp, custom_gradient,
    )
} | {"jacobian": jacrev, "remat": checkpoint}  # fmt: skip
