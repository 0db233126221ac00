"""The parts of the tests that `scripts/test` gives each backend."""

from __future__ import annotations

import re
from pathlib import Path

SCRIPT = Path(__file__).parent.parent / "scripts" / "test"
ALL = set(range(12))


def test_each_test_runs_on_a_backend_that_differentiates():
    """The first three lines are theirs. One runs each case of many; the first and one more run each test of compositions."""
    lines = re.findall(r"^ +[\w*]+\) echo (\d+-\d+ \d+-\d+ \d+-\d+) ;;$", SCRIPT.read_text(), re.MULTILINE)
    parts = [[set(range(int(a), int(b) + 1)) for a, b in re.findall(r"(\d+)-(\d+)", line)] for line in lines]
    many, composed, derivatives = zip(*parts[:3], strict=True)
    assert set().union(*many) == ALL and sum(map(len, many)) == len(ALL)
    assert composed[0] == ALL and set().union(*composed[1:]) == ALL
    assert derivatives[:2] == (ALL, ALL) and derivatives[2]
    assert parts[-1][1] == ALL, "the default backend"
