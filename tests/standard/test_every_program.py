"""Every function within a program that the framework compiles: it returns what it returns outside.

The calls are the first sample of each function; the arrays are arguments of the program, and all else is its own. What
torch compiles is one graph.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest
from standard.support import be, places, replaced

import corearray as ca
from corearray.contract.declaration import DECLARATIONS
from corearray.testing.calls import Case
from corearray.testing.comparison import difference
from corearray.testing.reference import function_of, made, seen
from corearray.testing.samples import SAMPLES

pytestmark = [
    pytest.mark.skipif("compiled_function" not in be.facts, reason="this framework does not compile"),
    pytest.mark.filterwarnings("ignore"),
]

#: What torch needs no compiler of C++ for, and does not leave to Python.
OPTIONS = {"backend": "eager", "fullgraph": True} if "register_tracing" in be.facts else {}

#: Functions that some frameworks cannot compile, and why.
MAY_REFUSE = {
    "argwhere": "the shape depends on the elements",
    "bincount": "the shape depends on the elements",
    "flatnonzero": "the shape depends on the elements",
    "from_dlpack": "other libraries get no tracers",
    "intersect1d": "the shape depends on the elements",
    "nms": "it goes on until no box changes",
    "nonzero": "the shape depends on the elements",
    "parafac": "the error is looked at to end",
    "partial_tucker": "as parafac",
    "setdiff1d": "the shape depends on the elements",
    "to_list": "the elements leave the framework",
    "to_numpy": "as to_list",
    "trim_zeros": "the shape depends on the elements",
    "tucker": "as parafac",
    "union1d": "the shape depends on the elements",
    "unique_all": "the shape depends on the elements",
    "unique_consecutive": "the shape depends on the elements",
    "unique_counts": "the shape depends on the elements",
    "unique_inverse": "the shape depends on the elements",
    "unique_values": "the shape depends on the elements",
}
NAMES = sorted(name for name in SAMPLES if name in DECLARATIONS and list(places(tuple(SAMPLES[name][0]))))


@pytest.mark.parametrize("name", NAMES)
def test_what_is_compiled_returns_the_same(name: str) -> None:
    args, options = sample = tuple(SAMPLES[name][0])
    arrays = dict(places(sample))
    ready, function = made(be, sample), function_of(be, name)

    def program(*given: ca.Array) -> object:
        args, options = replaced(ready, dict(zip(arrays, given, strict=True)))
        return function(*args, **options)

    program.__code__ = program.__code__.replace()  # its own, of which torch counts how often it is compiled
    given = partial(made, be, tuple(arrays.values()))  # anew each time, since some write into their arguments
    with ca.backend_context(be):
        try:
            found = ca.compile(program, **OPTIONS)(*given())
        except Exception:
            if name not in MAY_REFUSE:
                raise
        else:
            case = Case(name, "", "", args, options)
            assert not difference(case, _with_numbers(seen(be, found)), seen(be, program(*given())))


def _with_numbers(value: Any) -> Any:
    """Put Python's numbers for native arrays, which compilers return for them."""
    if type(value) is tuple:
        return tuple(map(_with_numbers, value))
    return be.native.to_list(value) if be.is_native(value) else value
