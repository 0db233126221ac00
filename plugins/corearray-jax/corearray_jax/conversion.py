"""Objects by the protocol of Flax's Linen modules, made of corearray's modules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import jax
import numpy as np
from jax import numpy as jnp

from corearray.plugin import hookimpl


@hookimpl
def framework_modules() -> Any:
    return {"to_flax": Converted}


class Converted:
    """A module of corearray's with `variables`, `init` and `apply` of a Linen module: pure functions of nested dictionaries.

    Attributes
    ----------
    variables
        `{"params": …, "frozen": …, "batch_stats": …}`, nested by the parts of the names; empty ones are left out.
    """

    def __init__(self, pure: Any) -> None:
        self._pure = pure
        self._names = {"params": list(pure.parameters), "frozen": list(pure.frozen), "batch_stats": list(pure.buffers)}
        arrays = {"params": pure.parameters, "frozen": pure.frozen, "batch_stats": pure.buffers}
        self.variables = {kind: _nested(found) for kind, found in arrays.items() if found}

    def init(self, rngs: Any = None, *args: Any, **named: Any) -> dict[str, Any]:
        """Return the variables: copies of the module's arrays, whatever the keys and arguments are."""
        copied: dict[str, Any] = jax.tree.map(jnp.copy, self.variables)
        return copied

    def apply(
        self,
        variables: Mapping[str, Any],
        *args: Any,
        train: bool = False,
        rngs: Any = None,
        mutable: bool | str | Sequence[str] = False,
        **named: Any,
    ) -> Any:
        """Call the module.

        Parameters
        ----------
        variables
            What `init` returned, with other arrays: of JAX or NumPy, as those among the arguments.
        train
            Whether dropout drops and batch norm uses the batch.
        rngs
            A key of JAX for layers that draw, or a dictionary with the key `"dropout"`; without one they draw of the
            context's generator, whose numbers a compiled function keeps.
        mutable
            With `"batch_stats"`, a list with it, or `True` the new buffers are returned too.

        Returns
        -------
        The value, or with `mutable` the pair of the value and `{"batch_stats": …}`.
        """
        groups = [[_of_jax(_found(variables, kind, name)) for name in names] for kind, names in self._names.items()]
        args, named = jax.tree.map(_of_jax, (args, named))
        key = rngs.get("dropout") if isinstance(rngs, Mapping) else rngs
        words = None if key is None else list(jax.random.key_data(key).astype("int64"))
        value, after = self._pure(*groups, train, args, named, words)
        if not mutable:
            return value
        return value, {"batch_stats": _nested(dict(zip(self._names["batch_stats"], after, strict=True)))}

    def __repr__(self) -> str:
        return f"{self._pure.name}(variables={sorted(self.variables)})"


def _of_jax(x: Any) -> Any:
    return jnp.asarray(x) if isinstance(x, np.ndarray) else x


def _nested(arrays: Mapping[str, Any]) -> dict[str, Any]:
    tree: dict[str, Any] = {}
    for path, x in arrays.items():
        *way, name = path.split(".")
        place = tree
        for part in way:
            place = place.setdefault(part, {})
        place[name] = x
    return tree


def _found(variables: Mapping[str, Any], kind: str, path: str) -> Any:
    place: Any = variables.get(kind, {})
    for part in path.split("."):
        if not isinstance(place, Mapping) or part not in place:
            raise KeyError(f"the variables have no '{kind}' of the name '{path}'; take those of 'init'")
        place = place[part]
    return place
