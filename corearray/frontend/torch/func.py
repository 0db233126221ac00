"""torch.func on every backend: derivatives and `vmap` of functions of tensors."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import contextmanager
from typing import Any

from corearray.errors import CoreArrayNotImplementedError, CoreArrayRuntimeError, CoreArrayTypeError
from corearray.frontend.holding import Tree
from corearray.frontend.namespaces import attribute
from corearray.frontend.tape import Node, recorded
from corearray.frontend.torch.wrapper import Tensor

__all__ = [
    "functional_call", "grad", "grad_and_value", "hessian", "jacfwd", "jacrev", "jvp", "stack_module_state", "vjp", "vmap",
]  # fmt: skip


class _Call:
    """A function of tensors as a program of lists of tensors, which the rules of `torch.func` take.

    Attributes
    ----------
    moving, kept
        The tensors by which is differentiated or over which is mapped, and the others.
    value, aux
        The trees of the last result, and of what came with it.
    """

    def __init__(
        self, func: Callable[..., Any], args: Sequence[Any], options: Any, moves: Callable[[int, int], bool],
        *, has_aux: bool = False,
    ) -> None:  # fmt: skip
        self.func, self._has_aux = func, has_aux
        self._tree = Tree((tuple(args), dict(options)))
        leaves = self._tree.leaves
        owner = [number for number, x in enumerate(args) for _ in Tree(x).leaves]
        owner += [-1] * (len(leaves) - len(owner))
        tensors = [i for i, x in enumerate(leaves) if isinstance(x, Tensor)]
        self.places = [i for i in tensors if moves(owner[i], i)]
        self._fixed = [i for i in tensors if not moves(owner[i], i)]
        self._enclosed: list[Tensor] = []
        self.value: Any = None
        self.aux: Any = None
        if not self.places:
            raise CoreArrayTypeError("a function of torch.func needs tensors among its arguments")
        self.kind = type(leaves[self.places[0]])._frontend.Tensor

    @property
    def moving(self) -> list[Tensor]:
        return [self._tree.leaves[i] for i in self.places]

    @property
    def kept(self) -> list[Tensor]:
        return [*(self._tree.leaves[i] for i in self._fixed), *self._enclosed]

    def run(self, name: str, *others: Any) -> list[Tensor]:
        """Call the rule of a transform; tensors that the function encloses join its arguments when they are met."""
        function = self.kind._frontend._public(f"torch.func.{name}")
        while True:
            start, found = Node._count, dict[int, Tensor]()

            def program(*tensors: Tensor, start: int = start, found: dict[int, Tensor] = found) -> list[Tensor]:
                made = self._call(tensors)
                for x in recorded(made, lambda node: node.number > start):
                    for one in x._node.inputs:
                        if one._node is None or one._node.number <= start:
                            found[id(one)] = one
                return made

            result = list(function(program, self.moving, self.kept, *others))
            if not found:
                return result
            if any(x._node is not None for x in found.values()):
                raise CoreArrayNotImplementedError(
                    "a function of torch.func uses a computed tensor from outside that requires gradients; pass it as an "
                    "argument"
                )
            self._enclosed += found.values()

    def _call(self, tensors: Sequence[Tensor]) -> list[Tensor]:
        count = len(self._fixed)
        enclosed, given = tensors[count : count + len(self._enclosed)], list(self._tree.leaves)
        for place, x in zip(
            [*self._fixed, *self.places], [*tensors[:count], *tensors[count + len(enclosed) :]], strict=True
        ):
            given[place] = x
        args, options = self._tree.of(given)
        with _standing_in(self._enclosed, enclosed):
            result = self.func(*args, **options)
        value, aux = result if self._has_aux else (result, None)
        self.value, self.aux = Tree(value), Tree(aux)
        if not all(isinstance(x, Tensor) for x in self.value.leaves):
            raise CoreArrayTypeError("a function of torch.func returns tensors, or a tree of them")
        return [*self.value.leaves, *(x for x in self.aux.leaves if isinstance(x, Tensor))]

    def taken_apart(self, made: Sequence[Tensor]) -> tuple[Any, Any, list[Tensor]]:
        """Return the value, what came with it, and the further results of a rule that returns the values first."""
        count = len(self.value.leaves)
        values, rest = made[:count], iter(made[count:])
        aux = self.aux.of([next(rest) if isinstance(x, Tensor) else x for x in self.aux.leaves])
        return self.value.of(list(values)), aux, list(rest)

    def arguments(self, argnums: Any, found: Sequence[Any]) -> Any:
        """Return the arguments of these numbers with other leaves in place of the moving tensors."""
        given = list(self._tree.leaves)
        for place, x in zip(self.places, found, strict=True):
            given[place] = x
        args, _ = self._tree.of(given)
        return args[argnums] if isinstance(argnums, int) else tuple(args[i] for i in argnums)


@contextmanager
def _standing_in(tensors: Sequence[Tensor], others: Sequence[Tensor]) -> Any:
    """Let tensors have the arrays of others, and no gradients of their own, within a block."""
    kept = [(x.array, x._requires_grad) for x in tensors]
    for x, other in zip(tensors, others, strict=True):
        x.array, x._requires_grad = other.array, False
    try:
        yield
    finally:
        for x, (array, needs) in zip(tensors, kept, strict=True):
            x.array, x._requires_grad = array, needs


def _chosen(argnums: Any, count: int) -> Callable[[int, int], bool]:
    wanted = (argnums,) if isinstance(argnums, int) else tuple(argnums)
    if any(not -count <= i < count for i in wanted):
        raise CoreArrayRuntimeError(f"Got argnum={argnums}, but only {count} positional inputs")
    places = {i % count for i in wanted}
    return lambda number, _: number in places


def _every(number: int, place: int) -> bool:
    return True


def grad_and_value(func: Callable[..., Any], argnums: Any = 0, has_aux: bool = False) -> Callable[..., Any]:
    """Return a function of the gradients of a scalar function, and of its value."""

    def differentiated(*args: Any, **options: Any) -> Any:
        call = _Call(func, args, options, _chosen(argnums, len(args)), has_aux=has_aux)
        value, aux, slopes = call.taken_apart(call.run("pulled_back", None))
        if not isinstance(value, Tensor) or value.dim():
            raise CoreArrayRuntimeError("grad takes a function that returns a tensor without axes")
        found = call.arguments(argnums, slopes)
        return (found, (value, aux)) if has_aux else (found, value)

    return differentiated


def grad(func: Callable[..., Any], argnums: Any = 0, has_aux: bool = False) -> Callable[..., Any]:
    """Return a function of the gradients of a scalar function.

    Parameters
    ----------
    func
        Function of tensors, or of trees of them, that returns a tensor without axes; with `has_aux` and something else.
    argnums
        Number of the argument, or a tuple of numbers.
    has_aux
        Whether the function returns a pair, whose second part is returned as it is.

    Examples
    --------
    >>> import corearray as ca
    >>> import corearray.frontend.torch as torch
    >>> with ca.backend_context("torch"):
    ...     torch.func.grad(lambda x: (x**3).sum())(torch.tensor([1.0, 2.0])).tolist()
    [3.0, 12.0]
    """
    both = grad_and_value(func, argnums, has_aux)

    def differentiated(*args: Any, **options: Any) -> Any:
        found, value = both(*args, **options)
        return (found, value[1]) if has_aux else found

    return differentiated


def vjp(func: Callable[..., Any], *primals: Any, has_aux: bool = False) -> tuple[Any, ...]:
    """Return the value of a function, and the function from cotangents to gradients."""
    call = _Call(func, primals, {}, _every, has_aux=has_aux)
    value, aux, _ = call.taken_apart(call.run("pulled_back", None))

    def pull_back(*cotangents: Any) -> tuple[Any, ...]:
        tree = cotangents[0] if len(cotangents) == 1 else cotangents
        weights = [*Tree(tree).leaves, *(x * 0 for x in Tree(aux).leaves if isinstance(x, Tensor))]
        _, _, slopes = call.taken_apart(call.run("pulled_back", weights))
        found: tuple[Any, ...] = call.arguments(tuple(range(len(primals))), slopes)
        return found

    return (value, pull_back, aux) if has_aux else (value, pull_back)


def jvp(
    func: Callable[..., Any], primals: Sequence[Any], tangents: Sequence[Any], *, strict: bool = False,
    has_aux: bool = False,
) -> tuple[Any, ...]:  # fmt: skip
    """Return the value of a function, and its derivative along a direction."""
    call = _Call(func, primals, {}, _every, has_aux=has_aux)
    directions = Tree(tuple(tangents)).leaves
    if len(directions) != len(call.moving):
        raise CoreArrayRuntimeError(
            "jvp(f, primals, tangents): Expected primals and tangents to have the same structure"
        )
    value, aux, slopes = call.taken_apart(call.run("pushed_forward", directions))
    slope = call.value.of(slopes[: len(call.value.leaves)])
    return (value, slope, aux) if has_aux else (value, slope)


def _jacobian(name: str, func: Callable[..., Any], argnums: Any, has_aux: bool) -> Callable[..., Any]:
    def jacobian(*args: Any, **options: Any) -> Any:
        call = _Call(func, args, options, _chosen(argnums, len(args)), has_aux=has_aux)
        _, aux, slopes = call.taken_apart(call.run(name))
        count = len(call.moving)
        starts = range(0, count * len(call.value.leaves), count)
        rows = [call.arguments(argnums, slopes[i : i + count]) for i in starts]
        found = call.value.of(rows)
        return (found, aux) if has_aux else found

    return jacobian


def jacrev(
    func: Callable[..., Any], argnums: Any = 0, *, has_aux: bool = False, chunk_size: Any = None,
    _preallocate_and_copy: bool = False,
) -> Callable[..., Any]:  # fmt: skip
    """Return a function of the Jacobian of a function, computed in reverse mode."""
    return _jacobian("jacobian_rows", func, argnums, has_aux)


def jacfwd(
    func: Callable[..., Any], argnums: Any = 0, has_aux: bool = False, *, randomness: str = "error"
) -> Callable[..., Any]:
    """Return a function of the Jacobian of a function, computed in forward mode."""
    return _jacobian("jacobian_columns", func, argnums, has_aux)


def hessian(func: Callable[..., Any], argnums: Any = 0) -> Callable[..., Any]:
    """Return a function of the second derivatives of a function."""
    return jacfwd(jacrev(func, argnums), argnums)


def vmap(
    func: Callable[..., Any], in_dims: Any = 0, out_dims: Any = 0, randomness: str = "error", *, chunk_size: Any = None
) -> Callable[..., Any]:
    """Return a function that calls another one for each row of its arguments, all rows at once.

    Parameters
    ----------
    func
        Function of tensors, or of trees of them.
    in_dims, out_dims
        The axes of the rows in arguments and results: a number, or a tree of numbers and `None`.
    randomness
        `"error"` refuses functions that draw random numbers.
    chunk_size
        Without effect.
    """

    def mapped(*args: Any, **options: Any) -> Any:
        axes = _axes(in_dims, args, f"in_dims={in_dims} does not fit the arguments")
        axes += [0] * len(Tree(options).leaves)
        call = _Call(func, args, options, lambda _, place: axes[place] is not None)
        outs: list[Any] = []

        def placed(*given: Any, **named: Any) -> Any:
            made = func(*given, **named)
            outs[:] = _axes(out_dims, made, f"out_dims={out_dims} does not fit the result")
            return made

        call.func = placed
        dims = [axes[place] % x.dim() for place, x in zip(call.places, call.moving, strict=True)]
        result = call.run("mapped", dims, 0)
        moved = [x if axis in (0, None) else x.movedim(0, axis) for x, axis in zip(result, outs, strict=True)]
        return call.value.of(moved)

    return mapped


def _axes(axes: Any, tree: Any, message: str) -> list[Any]:
    """Return an axis for each leaf of a tree; a number stands for all leaves below it."""
    if axes is None or isinstance(axes, int):
        return [axes] * len(Tree(tree).leaves)
    if not isinstance(axes, (tuple, list, dict)) or not isinstance(tree, (tuple, list, dict)) or len(axes) != len(tree):
        raise CoreArrayRuntimeError(message)
    pairs = [(axes[key], tree[key]) for key in tree] if isinstance(tree, dict) else list(zip(axes, tree, strict=True))
    return [axis for one, part in pairs for axis in _axes(one, part, message)]


def functional_call(
    module: Any, parameter_and_buffer_dicts: Any, args: Any = None, kwargs: Any = None, *, tie_weights: bool = True,
    strict: bool = False,
) -> Any:  # fmt: skip
    """Call a module with other parameters and buffers.

    Parameters
    ----------
    module
        A module of this frontend, which stays as it is.
    parameter_and_buffer_dicts
        Tensors by their names, or a tuple of such dictionaries.
    args, kwargs
        The arguments; `args` may be one that is no tuple.
    tie_weights, strict
        Without effect.
    """
    given = parameter_and_buffer_dicts
    named = {name: x for part in (given if isinstance(given, (tuple, list)) else (given,)) for name, x in part.items()}
    args = () if args is None else args if isinstance(args, tuple) else (args,)
    places: list[tuple[dict[str, Any], str, Any, Any]] = []
    for name, x in named.items():
        path, _, last = name.rpartition(".")
        owner = module.get_submodule(path)
        group = owner._parameters if last in owner._parameters else owner._buffers
        if last not in group:
            raise CoreArrayRuntimeError(f"'{type(module).__name__}' has no parameter or buffer '{name}'")
        places.append((group, last, group[last], x))
    try:
        for group, last, _, x in places:
            group[last] = x
        return module(*args, **(kwargs or {}))
    finally:
        for group, last, before, _ in places:
            group[last] = before


def stack_module_state(models: Sequence[Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the parameters and the buffers of modules of one kind, each stacked, for `vmap` of `functional_call`."""

    def stacked(states: list[dict[str, Any]]) -> dict[str, Any]:
        return {name: x._frontend.stack([state[name].detach() for state in states]) for name, x in states[0].items()}

    parameters = stacked([dict(model.named_parameters()) for model in models])
    for x in parameters.values():
        x.requires_grad_()
    return parameters, stacked([dict(model.named_buffers()) for model in models])


def __getattr__(name: str) -> Any:
    """Find a function of a rule, as which transpiled programs are written (PEP 562)."""
    return attribute(__name__, name)
