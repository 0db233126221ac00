"""Functions with derivatives of their own, and functions that are computed again for the derivative."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import update_wrapper
from typing import Any

import corearray as ca
from corearray.errors import (
    CoreArrayAttributeError,
    CoreArrayNotImplementedError,
    CoreArrayTypeError,
    CoreArrayValueError,
)
from corearray.frontend.jax.arguments import places_of, positional, separated
from corearray.frontend.jax.leaves import Leaves
from corearray.frontend.jax.members_of.derivatives import BackwardsOnly, forwards, vjp
from corearray.frontend.jax.members_of.mapping import inside, need_callable
from corearray.frontend.jax.promotion import cast
from corearray.frontend.jax.traced import Reals, float0
from corearray.frontend.jax.trees import flatten
from corearray.frontend.jax.wrapper import converted

__all__ = [
    "FUNCTIONS", "checkpoint", "custom_gradient", "custom_gradient_of", "custom_jvp", "custom_vjp", "everything_saveable",
    "nothing_saveable",
]  # fmt: skip

_Arrays = Sequence[Any]


def _called(
    fun: Callable[..., Any], args: Sequence[Any], pull_back: Callable[[Sequence[Any], Any], dict[int, Any]]
) -> Any:
    """Call a function of trees with a derivative.

    Parameters
    ----------
    fun, args
        The function and its arguments.
    pull_back
        A function of the arguments and a tree of cotangents like the value. It returns the cotangents of the floating arrays
        in the arguments by the numbers of their leaves; `None`, or no cotangent, is zero.
    """
    given = Leaves(list(args))
    inputs = Reals(given.arrays)
    if not inputs.dtypes:
        return fun(*args)
    if forwards.get():
        raise BackwardsOnly
    results: list[tuple[Leaves, Reals]] = []

    def program(*reals: Any) -> tuple[Any, ...]:
        value = Leaves(fun(*given.tree(inputs.joined(reals))), everything=True)
        outputs = Reals(value.arrays)
        results[:] = [(value, outputs)]
        # integers travel as real numbers: a value with a derivative has no other ones
        constants = [ca.astype(value.arrays[i], ca.float64) for i in outputs.constants]
        return (*outputs.split(value.arrays), *constants)

    def gradient(reals: _Arrays, _: Any, slopes: _Arrays) -> tuple[Any, ...]:
        ((value, outputs),) = results
        arrays = outputs.joined(slopes[: len(slopes) - len(outputs.constants)], -1)
        leaves = [value.wrapped(i, arrays[i]) if i in arrays else float0(value.shape(i)) for i in value.arrays]
        found = pull_back(given.tree(inputs.joined(reals)), value.definition.unflatten(leaves))
        zeros = {i: ca.zeros_like(given.arrays[i]) for i in inputs.dtypes if found.get(i) is None}
        made = {i: cast(x, given.arrays[i].dtype) for i, x in found.items() if x is not None}
        return tuple(inputs.split(zeros | made, -1))

    parts = ca.bind_custom_gradient_function(program, gradient)(*inputs.split(given.arrays))
    ((value, outputs),) = results
    count = len(parts) - len(outputs.constants)
    constants = {i: ca.astype(x, value.arrays[i].dtype) for i, x in zip(outputs.constants, parts[count:], strict=True)}
    return value.tree(outputs.joined(parts[:count]) | constants)


def custom_gradient_of(fun: Callable[..., Any], pull_back: Callable[..., Any], args: Sequence[Any]) -> Any:
    """Call a function of trees with a derivative: `pull_back` takes arguments and cotangents, and returns cotangents."""
    name = getattr(fun, "__name__", "the function")
    return _called(fun, args, lambda own, slopes: _cotangents(pull_back(own, slopes), own, name))


def _cotangents(found: Any, args: Sequence[Any], name: str) -> dict[int, Any]:
    """Return the cotangents of the arguments' arrays by the numbers of their leaves; `None` stands for zeros.

    Raises
    ------
    TypeError
        If `found` is no tuple or list with a tree for each argument.
    """
    wrong = (
        "Custom VJP bwd rule must produce an output with the same container (pytree) structure as the args tuple of the "
        f"primal function {name}, "
    )
    if not isinstance(found, (tuple, list)):
        raise CoreArrayTypeError(f"{wrong}a tuple of {len(args)}, but got {type(found).__name__}")
    if len(found) != len(args):
        raise CoreArrayTypeError(f"{wrong}a tuple of {len(args)}, but got {len(found)} cotangents")
    cotangents: list[Any] = []
    for tree, part in zip(found, args, strict=True):
        leaves, definition = flatten(part)
        try:
            cotangents += [None] * len(leaves) if tree is None else definition.flatten_up_to(tree)
        except ValueError as error:
            raise CoreArrayTypeError(f"{wrong}{definition}: {error}") from error
    own = Leaves(list(args))
    return {i: _cotangent(cotangents[i], own, i) for i in Reals(own.arrays).dtypes}


def _cotangent(leaf: Any, own: Leaves, i: int) -> Any:
    return None if leaf is None or "float0" in str(getattr(leaf, "dtype", "")) else converted(leaf)[0]


class _Custom:
    """A function with a derivative of its own; `nondiff_argnums` and `nondiff_argnames` name arguments that have none."""

    #: How a derivative is given, for errors.
    _defined_by: str
    __name__: str

    def __init__(
        self, fun: Callable[..., Any], nondiff_argnums: Sequence[int] = (), nondiff_argnames: Any = ()
    ) -> None:
        need_callable(type(self).__name__, fun)
        self.fun = fun
        self.nondiff_argnums = places_of(fun, nondiff_argnums, nondiff_argnames)
        update_wrapper(self, fun, updated=())

    def _defined(self) -> bool:
        """Return whether the derivative is given."""
        raise NotImplementedError

    def _pulled(self, fixed: list[Any], own: _Arrays, args: list[Any], slopes: Any) -> dict[int, Any]:
        """Return the cotangents of the differentiable arguments `own`, by the numbers of their leaves."""
        raise NotImplementedError

    def __call__(self, *args: Any, **options: Any) -> Any:
        """Call the function.

        Raises
        ------
        AttributeError
            If its derivative is not given.
        TypeError
            If an argument is taken by keyword only.
        """
        if not self._defined():
            raise CoreArrayAttributeError(
                f"No derivative defined for {type(self).__name__} function {self.__name__} using {self._defined_by}."
            )
        args = positional(self.fun, args, options)
        moving, joined = separated(args, self.nondiff_argnums)
        fixed = [args[i] for i in self.nondiff_argnums]
        return _called(
            lambda *own: self.fun(*joined(own)),
            moving,
            lambda own, slopes: self._pulled(fixed, own, joined(own), slopes),
        )


class custom_vjp(_Custom):  # noqa: N801  JAX's name
    """A function whose derivative backwards `defvjp` gives.

    Examples
    --------
    >>> import corearray as ca
    >>> import corearray.frontend.jax as jax
    >>> @jax.custom_vjp
    ... def clipped(x):
    ...     return x
    >>> clipped.defvjp(lambda x: (x, None), lambda _, slope: (jax.numpy.clip(slope, -1.0, 1.0),))
    >>> with ca.backend_context("torch"):
    ...     jax.grad(lambda x: 5.0 * clipped(x))(2.0)
    Array(1., dtype=float32, weak_type=True)
    """

    _defined_by = "defvjp"
    fwd: Callable[..., Any] | None = None
    bwd: Callable[..., Any] | None = None

    def defvjp(
        self,
        fwd: Callable[..., Any],
        bwd: Callable[..., Any],
        symbolic_zeros: bool = False,
        optimize_remat: bool = False,
    ) -> None:
        """Give the forward function, which returns the value and residuals, and the backward one.

        Raises
        ------
        NotImplementedError
            With `symbolic_zeros`.
        """
        if symbolic_zeros:
            raise CoreArrayNotImplementedError("defvjp has no symbolic zeros here; leave symbolic_zeros=True out")
        self.fwd, self.bwd = fwd, bwd

    def _defined(self) -> bool:
        return self.fwd is not None

    def _pulled(self, fixed: list[Any], own: _Arrays, args: list[Any], slopes: Any) -> dict[int, Any]:
        assert self.fwd is not None and self.bwd is not None
        made = self.fwd(*args)
        if not isinstance(made, (tuple, list)) or len(made) != 2:
            raise CoreArrayTypeError(
                f"Custom VJP fwd rule for function {self.__name__} must produce a pair (list or tuple of length two) of the "
                f"value and residuals, got {type(made).__name__}"
            )
        return _cotangents(self.bwd(*fixed, made[1], slopes), own, self.__name__)


class custom_jvp(_Custom):  # noqa: N801  JAX's name
    """A function whose derivative forwards `defjvp` gives.

    It is transposed for derivatives backwards, and these once more for derivatives forwards.

    Examples
    --------
    >>> import corearray as ca
    >>> import corearray.frontend.jax as jax
    >>> @jax.custom_jvp
    ... def half(x):
    ...     return x / 2
    >>> @half.defjvp
    ... def half_jvp(primals, tangents):
    ...     return half(*primals), tangents[0] * 10.0
    >>> with ca.backend_context("torch"):
    ...     jax.grad(half)(4.0)
    Array(10., dtype=float32, weak_type=True)
    """

    _defined_by = "defjvp"
    jvp: Callable[..., Any] | None = None

    def defjvp(self, jvp: Callable[..., Any], symbolic_zeros: bool = False) -> Callable[..., Any]:
        """Give the derivative: a function of arguments and their tangents, which returns value and tangent.

        Tangents are arrays, also with `symbolic_zeros`.
        """
        self.jvp = jvp
        return jvp

    def defjvps(self, *jvps: Callable[..., Any] | None) -> None:
        """Give a derivative for each argument: a function of its tangent, the value and the arguments; `None` for zero.

        Raises
        ------
        TypeError
            With `nondiff_argnums`.
        ValueError
            When it is differentiated, if there are more or fewer derivatives than arguments.
        """
        if self.nondiff_argnums:
            raise CoreArrayTypeError("Can't use ``defjvps`` with ``nondiff_argnums``.")

        def rule(primals: Any, tangents: Any) -> Any:
            value = self(*primals)
            if len(jvps) != len(primals):
                raise CoreArrayValueError(
                    f"defjvps of {self.__name__} got {len(jvps)} derivatives for {len(primals)} arguments"
                )
            parts = [one(t, value, *primals) for one, t in zip(jvps, tangents, strict=True) if one is not None]
            if not parts:
                leaves = Leaves(value, everything=True)
                return value, leaves.tree({i: ca.zeros_like(x) for i, x in leaves.arrays.items()})
            return value, sum(parts[1:], parts[0])

        self.jvp = rule

    def _defined(self) -> bool:
        return self.jvp is not None

    def _pulled(self, fixed: list[Any], own: _Arrays, args: list[Any], slopes: Any) -> dict[int, Any]:
        given = Leaves(list(own))
        places = list(Reals(given.arrays).dtypes)

        def pushed(tangents: Sequence[Any]) -> Any:
            leaves = [None] * len(given.leaves)
            for i in given.arrays:
                leaves[i] = float0(given.shape(i))
            for i, tangent in zip(places, tangents, strict=True):
                leaves[i] = tangent
            assert self.jvp is not None
            made = self.jvp(*fixed, tuple(own), tuple(given.definition.unflatten(leaves)))
            if not isinstance(made, (tuple, list)) or len(made) != 2:
                raise CoreArrayTypeError(
                    f"Custom JVP rule for function {self.__name__} must produce a pair (list or tuple of length two) "
                    f"representing primal and tangent outputs, got {made!r}"
                )
            return made[1]

        _, back = vjp(pushed, [given.wrapped(i, ca.zeros_like(given.arrays[i])) for i in places])
        return {i: converted(x)[0] for i, x in zip(places, back(slopes)[0], strict=True)}


def custom_gradient(fun: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function whose derivative backwards is the second thing that `fun` returns."""
    need_callable("custom_gradient", fun)

    def called(*args: Any, **options: Any) -> Any:
        def pull_back(own: Sequence[Any], slopes: Any) -> Any:
            found = fun(*own)[1](slopes)
            return found if isinstance(found, (tuple, list)) else (found,)

        return custom_gradient_of(lambda *own: fun(*own)[0], pull_back, positional(fun, args, options))

    update_wrapper(called, fun, updated=())
    return called


def checkpoint(
    fun: Callable[..., Any], *, prevent_cse: bool = True, policy: Any = None, static_argnums: Any = (),
    static_argnames: Any = (), concrete: bool = False,
) -> Callable[..., Any]:  # fmt: skip
    """Return a function whose intermediate results are computed again for the derivative, by `corearray.remat`.

    Parameters
    ----------
    fun
        A function of trees.
    policy
        One of `jax.checkpoint_policies`: `everything_saveable` computes nothing again, every other one all.
    static_argnums, static_argnames
        Arguments that the function takes as they are.
    prevent_cse, concrete
        Without effect.
    """
    need_callable("checkpoint", fun)
    if policy is everything_saveable:
        return fun
    places = places_of(fun, static_argnums, static_argnames)

    def recomputed(*args: Any, **options: Any) -> Any:
        moving, joined = separated(args, places)
        given = Leaves((moving, options))
        results: list[Leaves] = []

        def program(*arrays: Any) -> list[Any]:
            own, named = given.tree(dict(zip(given.arrays, arrays, strict=True)))
            token = inside.set(True)
            try:
                results[:] = [Leaves(fun(*joined(own), **named), everything=True)]
            finally:
                inside.reset(token)
            return results[0].listed()

        made = ca.remat(update_wrapper(program, fun, updated=()))(*given.listed())
        return results[0].tree(dict(enumerate(made)))

    update_wrapper(recomputed, fun, updated=())
    return recomputed


def everything_saveable(*args: Any, **options: Any) -> bool:
    """Keep every intermediate result."""
    return True


def nothing_saveable(*args: Any, **options: Any) -> bool:
    """Keep no intermediate result."""
    return False


#: Policies that keep some results, which `corearray.remat` computes again.
_PARTIAL = ("dots_saveable checkpoint_dots dots_with_no_batch_dims_saveable checkpoint_dots_with_no_batch_dims").split()

FUNCTIONS: dict[str, Any] = {
    one.__name__: one for one in (checkpoint, custom_vjp, custom_jvp, custom_gradient)
} | {"remat": checkpoint, "checkpoint_policies.everything_saveable": everything_saveable}  # fmt: skip
FUNCTIONS |= {f"checkpoint_policies.{name}": nothing_saveable for name in ("nothing_saveable", *_PARTIAL)}
