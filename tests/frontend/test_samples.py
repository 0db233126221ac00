"""A seeded part of torch's own samples of its functions, judged against torch; `samples.py` judges all, on every target."""

from __future__ import annotations

import random

import pytest
from frontend.conftest import TARGET
from frontend.samples import full_name, judge, operators

pytestmark = pytest.mark.skipif(TARGET != "numpy", reason="samples.py judges the other targets, which takes minutes")

#: Operators of this part that are not right yet, each with its reason; strict, so that a rule that is added is noticed.
KNOWN: dict[str, str] = {}

CHOSEN = {full_name(op): op for op in operators()}


def cases():
    for name in sorted(random.Random(0).sample(sorted(CHOSEN), 40)):
        marks = [pytest.mark.xfail(reason=KNOWN[name], strict=True)] if name in KNOWN else []
        yield pytest.param(name, marks=marks)


@pytest.mark.parametrize("name", list(cases()))
def test_samples(name, target):
    verdict = judge(CHOSEN[name], target, 2, gradients=False)
    assert verdict.ok, verdict.values
