"""Custom derivatives: functions with a gradient that the user defines."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from corearray.calls.dispatch import resolve
from corearray.errors import CoreArrayTypeError, FunctionNotImplementedError
from corearray.settings.context import current_settings
from corearray.transforms.sent import transformed
from corearray.transforms.tree import Arrays, Tree, as_given, is_array, name_of, natively

__all__ = ["bind_custom_gradient_function"]

#: What `corearray list-functions` says of the functions here that are no declarations.
__kind__ = "convenience"


def bind_custom_gradient_function(
    fn: Callable[..., Any], gradient_fn: Callable[[tuple[Any, ...], Any, Any], tuple[Any, ...]], /
) -> Callable[..., Any]:
    """Return a function with a custom gradient.

    Parameters
    ----------
    fn
        Function of trees of arrays, given by position, that returns one of real floating arrays.
    gradient_fn
        Function of the arguments, a tuple, of the value, and of a tree like it, the derivative of what comes behind by the
        value. It returns a tuple with a tree for each argument: the derivative by its arrays, in the place of each. What
        has no floating dtype is constant, and what is `None` there counts as zero.

    Returns
    -------
    Function of the same arguments. A backend that does not differentiate, as NumPy, calls `fn` as it is.

    Raises
    ------
    TypeError, ValueError
        When it is called or differentiated, if the value is not made of real floating arrays, or what `gradient_fn` returns
        is not like the arguments, in structure, shapes and dtypes.

    Examples
    --------
    >>> import corearray as ca
    >>> clipped = ca.bind_custom_gradient_function(lambda x: x, lambda args, value, slope: (ca.clip(slope, -1.0, 1.0),))
    >>> with ca.backend_context("torch"):
    ...     slope = ca.grad(lambda x: ca.sum(clipped(x) ** 2))(ca.asarray([0.25, 5.0]))
    >>> slope.tolist()
    [0.5, 1.0]

    Notes
    -----
    `jax.custom_vjp`, `tf.custom_gradient`, `torch.autograd.Function`. It is for derivatives backwards: `jvp` does not go
    through.
    """
    for given in (fn, gradient_fn):
        if not callable(given):
            raise CoreArrayTypeError(f"'bind_custom_gradient_function' takes two functions, got {given!r}")

    def bound(*args: Any) -> Any:
        if current_settings().native_arrays:
            return natively(bind_custom_gradient_function(as_given(fn), as_given(gradient_fn)), *args)
        backend = resolve((args,))
        if "custom_gradient" not in backend.facts:
            if "reverse_mode" in backend.facts:
                raise FunctionNotImplementedError(
                    f"'bind_custom_gradient_function' needs the hook 'custom_gradient', which the plugin of backend "
                    f"'{backend.name}' lacks: the derivative would be that of the function itself; see 'corearray.hookspecs'"
                )
            return fn(*args)
        tree = Tree(args)
        numbers = [
            isinstance(x, float) or (is_array(x) and backend.dtype_of(x).category == "real floating")
            for x in tree.leaves
        ]
        places = [i for i, number in enumerate(numbers) if number]
        inputs = Arrays(f"the gradient of '{name_of(fn)}'", backend, [tree.leaves[i] for i in places])
        returned: list[Arrays] = []

        def arguments(natives: Sequence[Any]) -> Any:
            leaves = list(tree.leaves)
            for i, leaf in zip(places, inputs.of(natives), strict=True):
                leaves[i] = leaf
            return tree.of(leaves)

        def function(natives: Sequence[Any]) -> list[Any]:
            value = Arrays(f"what '{name_of(fn)}' returns", backend, fn(*arguments(natives)))
            kinds = {backend.dtype_from_native(x.dtype).category for x in value.natives}
            if kinds != {"real floating"}:
                raise CoreArrayTypeError(
                    f"{value.what} is made of real floating arrays, got {', '.join(sorted(kinds)) or 'none'}"
                )
            returned[:] = [value]
            return value.natives

        def pull_back(natives: Sequence[Any], outputs: Sequence[Any], cotangents: Sequence[Any]) -> list[Any]:
            (value,) = returned
            found = gradient_fn(arguments(natives), value.of(outputs), value.of(cotangents))
            if type(found) is not tuple:
                raise CoreArrayTypeError(
                    f"'{name_of(gradient_fn)}' has to return a tuple with a tree for each argument, got {type(found).__name__}"
                )
            leaves = tree.like(found, f"what '{name_of(gradient_fn)}' returns is not like the arguments")
            given = [leaves[i] for i in places]
            filled = inputs.like([x if leaf is None else leaf for leaf, x in zip(given, natives, strict=True)])
            return [None if leaf is None else native for leaf, native in zip(given, filled, strict=True)]

        outputs = backend.facts["custom_gradient"](function, pull_back, inputs.natives)
        return returned[0].of(outputs)

    return transformed(bound, fn, bind_custom_gradient_function, {}, gradient_fn)
