"""Named tuples behave as those of `typing.NamedTuple`, whose behaviour is the oracle here."""

from __future__ import annotations

import copy
import pickle
import typing

import pytest

from corearray.functional.linalg import QRResult
from corearray.types.namedtuples import NamedTuple


class Ours(NamedTuple):
    """A pair."""

    left: int
    right: str = "r"

    def both(self) -> str:
        return f"{self.left}{self.right}"


class Theirs(typing.NamedTuple):
    """A pair."""

    left: int
    right: str = "r"

    def both(self) -> str:
        return f"{self.left}{self.right}"


_QUESTIONS = {
    "by position": lambda kind: kind(1, "a"),
    "by name": lambda kind: kind(right="a", left=1),
    "mixed": lambda kind: kind(1, right="a"),
    "default": lambda kind: kind(1),
    "default by name": lambda kind: kind(left=1),
    "fields": lambda kind: (kind._fields, kind._field_defaults, kind.__match_args__, kind.__bases__, type(kind)),
    "attributes": lambda kind: (kind(1, "a").left, kind(1, "a").right, kind(1, "a").both()),
    "make": lambda kind: kind._make(iter([1, "a"])),
    "replace": lambda kind: kind(1, "a")._replace(right="b"),
    "asdict": lambda kind: kind(1, "a")._asdict(),
    "repr": lambda kind: repr(kind(1, "a")).removeprefix(kind.__name__),
    "copies": lambda kind: (copy.copy(kind(1, "a")), copy.deepcopy(kind(1, "a"))),
    "hash": lambda kind: hash(kind(1, "a")),
    "text": lambda kind: (kind.__doc__, kind.__annotations__, kind.__module__),
    "slots": lambda kind: hasattr(kind(1, "a"), "__dict__"),
}


@pytest.mark.parametrize("question", _QUESTIONS)
def test_as_the_standard_library(question):
    asked = _QUESTIONS[question]
    found = asked(Ours)
    if question == "text":  # there the strings are evaluated as forward references
        assert found == ("A pair.", {"left": "int", "right": "str"}, __name__)
        return
    assert found == asked(Theirs)
    if isinstance(found, tuple) and hasattr(found, "_fields"):
        assert type(found) is Ours


@pytest.mark.parametrize(
    ("values", "named"),
    [((), {}), ((1, "a", 2), {}), ((1,), {"left": 2}), ((1,), {"middle": 2}), ((), {"right": "a"})],
)
def test_wrong_fields(values, named):
    with pytest.raises(TypeError, match="Ours has the fields 'left', 'right', each given once"):
        Ours(*values, **named)
    with pytest.raises(TypeError):
        Theirs(*values, **named)


def test_fields_cannot_be_set():
    pair = Ours(1)
    with pytest.raises(AttributeError):
        pair.left = 2
    with pytest.raises(AttributeError):
        pair.middle = 2
    with pytest.raises(TypeError, match="middle"):
        pair._replace(middle=2)


def test_match_and_pickle():
    match QRResult("q", "r"):
        case QRResult(Q, R=R):
            assert (Q, R) == ("q", "r")
        case _:
            raise AssertionError
    again = pickle.loads(pickle.dumps(QRResult("q", "r")))
    assert type(again) is QRResult and again == ("q", "r") and again.R == "r"


def test_the_garbage_collector_may_run_whenever_it_likes(run_python):
    """While the module is imported, too: once in hundreds of processes it took the fields before they were read.

    In a process without frameworks, whose objects a collection would go through each time.
    """
    assert (
        run_python(
            """
import gc, runpy
from corearray.types import namedtuples
for count in range(1, 100):
    gc.collect()
    gc.set_threshold(count, 1, 1)
    assert None not in runpy.run_path(namedtuples.__file__)["_GETTERS"]
print("ok")
"""
        )
        == "ok"
    )
