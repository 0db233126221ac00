"""Extensions: what third parties add to backends that are there, and what becomes of functions that were composed."""

from __future__ import annotations

import threading

import numpy as np
import pytest

import corearray as ca
from corearray.calls.accelerated import python_of
from corearray.contract.declaration import DECLARATIONS


@pytest.fixture
def be():
    return ca.get_backend("numpy")


# --- composing anew


def test_what_was_composed_is_composed_anew(be):
    """Also what users hold, operators, the public function, and what computes by the steps of a composition."""
    x = be.asarray([1.0, 4.0])
    add, softmax, inverse = be.add, be.native.softmax, be.linalg.inv
    before = be.binding("add")
    calls = {
        "public": lambda: ca.add(x, x), "be": lambda: be.add(x, x), "held": lambda: add(x, x), "operator": lambda: x + x,
        "reflected": lambda: 0.0 + x + x, "native": lambda: be.native.add(x.native, x.native),
        "promoted": lambda: be.add(x, be.asarray([1, 4])), "chain": lambda: be.chains.add([x, x, None]),
    }  # fmt: skip
    softened = softmax(x.native)
    for name, call in calls.items():
        assert np.asarray(call()).tolist() == [2.0, 8.0], name
    edition = be.edition
    for _ in range(2):
        be.forget()
        for _ in range(2):
            for name, call in calls.items():
                assert np.asarray(call()).tolist() == [2.0, 8.0], name
            assert softmax(x.native).tolist() == softened.tolist()
            assert inverse(be.eye(2)).tolist() == [[1.0, 0.0], [0.0, 1.0]]
    assert be.edition == edition + 2
    assert before.retired
    assert not be.binding("add").retired
    assert (add.__name__, add.__module__, add.__doc__) == ("add", "corearray.on.numpy", ca.add.__doc__)


def test_other_threads_compute_while_functions_are_composed_anew(be):
    """A call ends with the functions with which it began, and none is left behind of a former edition."""
    x = be.asarray([1.0, 4.0])
    held = be.subtract
    wrong: list[object] = []
    over = threading.Event()

    def compute():
        try:
            while not over.is_set():
                for found in (ca.add(x, x), be.multiply(x, 2.0), x + x, held(3 * x, x), be.add(x, be.asarray([1, 4]))):
                    if found.tolist() != [2.0, 8.0]:
                        wrong.append(found)
        except BaseException as error:
            wrong.append(error)

    threads = [threading.Thread(target=compute) for _ in range(4)]
    for thread in threads:
        thread.start()
    for _ in range(25):
        be.forget()
    over.set()
    for thread in threads:
        thread.join()
    assert not wrong
    for name in ("add", "multiply"):
        assert not be.binding(name).retired
        for place in (be, be.calls):
            function = vars(place).get(name)
            assert function is None or "formerly" not in python_of(function).__code__.co_filename


def test_every_name_of_a_backend_is_there_after_composing_anew(be):
    be.forget()
    for name, declaration in DECLARATIONS.items():
        namespace = be if declaration.main else getattr(be, declaration.namespace)
        assert callable(getattr(namespace, name))
