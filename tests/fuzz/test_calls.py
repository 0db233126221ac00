"""Random calls have the same success, dtypes and shapes on every backend as on NumPy, and errors that name the function.

`scripts/test --fuzz N` makes `N` other calls.
"""

from __future__ import annotations

import os

from fuzz.calls import call_number, known, outcome
from standard.support import COMPILES, NAME, be

import corearray as ca

#: How many calls are made, and the seed: other ones each time unless in CI.
CALLS = int(os.environ.get("COREARRAY_TEST_PROGRAMS") or (100 if COMPILES else 600))
SEED = 0 if "CI" in os.environ else int.from_bytes(os.urandom(3), "big")

#: Functions that users write as `x[key]`, under no name, and those that are an in-place operator, whose errors name that.
_NAMED_OTHERWISE = ("get_item", "set_item", "inplace_decrement", "inplace_increment", "inplace_update")


def test_random_calls():
    numpy = ca.get_backend("numpy")
    dtypes = frozenset(str(dtype) for dtype in be.native_dtypes) & frozenset(map(str, numpy.native_dtypes))
    found = []
    for number in range(CALLS):
        call = call_number(SEED, number, dtypes)
        got = outcome(call, be)
        said = f"call {number} of seed {SEED}: {call.name}{call.args} {call.options}"
        if got.fault and call.name not in _NAMED_OTHERWISE:
            found.append(f"{said}\n  {got.fault}: {got.message}")
        if be is numpy or known(call):
            continue
        want = outcome(call, numpy)
        if NAME == "strict" and "refused" in (
            got.result,
            want.result,
        ):  # which refuses what the standard does not promise
            continue
        if got.result != want.result:
            found.append(f"{said}\n  {got.result} {got.message}\n  numpy: {want.result} {want.message}")
    assert not found, "\n".join(found)
