"""The method `at` of ufuncs: a computation in place at indices, which may repeat."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import corearray as ca
from corearray.frontend.numpy.promotion import cast

__all__ = ["written_at"]

#: Ufuncs whose `at` is one call.
_SCATTERED: dict[str, Any] = {"add": "sum", "subtract": "sum", "multiply": "prod", "maximum": "max", "minimum": "min"}


def written_at(
    name: str, compute: Callable[..., Any], flat: Any, places: Any, rest: list[Any], dtypes: Any, after: ca.DType
) -> Any:
    """Return an array of one axis, computed in place at indices.

    Parameters
    ----------
    name, compute
        The ufunc, and the function that computes it in given dtypes.
    flat, places, rest
        The array, the indices, and the second operand if there is one, with an element for each index.
    dtypes, after
        The dtypes of the operands, and the dtype of the result.
    """
    if name in _SCATTERED and dtypes[0] != ca.bool:
        values = cast(rest[0], dtypes[1])
        values = -values if name == "subtract" else values
        made = ca.scatter_flat(places, values, base=cast(flat, dtypes[0]), reduction=_SCATTERED[name])
        return cast(cast(made, after), flat.dtype)
    remaining = list(enumerate(places.tolist()))
    while remaining:  # each index comes once in a turn
        first: dict[int, int] = {}
        later = []
        for place, number in remaining:
            if number in first:
                later.append((place, number))
            else:
                first[number] = place
        chosen = ca.asarray(list(first.values()), dtype=ca.int64)
        targets = ca.asarray(list(first), dtype=ca.int64)
        made = compute([flat[targets], *(x[chosen] for x in rest)], dtypes, {})[0]
        flat[targets] = cast(cast(made, after), flat.dtype)
        remaining = later
    return flat
