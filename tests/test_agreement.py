"""Public functions are written for one backend as long as all contexts agree on it, and anew when they do no more."""

from __future__ import annotations

import pytest

from corearray.settings.agreement import Agreement


class Calls:
    """What stands for a backend."""

    def __init__(self, *, is_default=False):
        self.is_default = is_default


ONE, OTHER, DEFAULT = Calls(), Calls(), Calls(is_default=True)


@pytest.fixture
def agreement():
    return Agreement()


def led(agreement, *entered, begin):
    for calls in entered:
        agreement.enter(calls)
    agreement.begin(begin)
    return agreement.found()


def test_nothing_is_known_before_new_contexts_are(agreement):
    agreement.enter(ONE)
    assert agreement.found() is None


@pytest.mark.parametrize(
    ("entered", "begin", "found"),
    [
        ([ONE], ONE, ONE),
        ([], ONE, None),  # nobody asked for anything yet
        ([ONE], None, None),  # a new context would leave it to its arrays
        ([None, ONE], ONE, None),  # as one does that is there already
        ([DEFAULT], None, DEFAULT),  # which is what it begins with
        ([None, DEFAULT], None, DEFAULT),
        ([None], None, None),
        ([ONE, OTHER], ONE, None),
        ([ONE], OTHER, None),
        ([DEFAULT, ONE], DEFAULT, None),
    ],
)
def test_what_contexts_agree_on(agreement, entered, begin, found):
    assert led(agreement, *entered, begin=begin) is found


@pytest.mark.parametrize(
    "end",
    [
        lambda a: a.enter(OTHER),
        lambda a: a.enter(None),
        lambda a: a.begin(None),
        lambda a: a.begin(OTHER),
        lambda a: a.end(),
    ],
)
def test_whoever_relies_on_it_learns_of_its_end(agreement, end):
    ends = []
    agreement.on_end.append(lambda: ends.append(agreement.found()))
    led(agreement, ONE, begin=ONE)
    assert not agreement.rely_on(OTHER) and agreement.rely_on(ONE)
    agreement.enter(ONE)
    assert ends == []
    end(agreement)
    assert ends == [None] and not agreement.rely_on(ONE)
    agreement.enter(Calls())
    assert ends == [None]


def test_it_does_not_come_back(agreement):
    led(agreement, ONE, begin=ONE)
    agreement.end()
    agreement.enter(ONE)
    agreement.begin(ONE)
    assert agreement.found() is None


#: Begins a program with the toy backends 'alpha' and 'beta', and arrays of both.
_TOYS = """
import contextvars, threading
import corearray as ca, toys
from corearray.calls.dispatch import dispatcher_source

def made(name, values):
    array = type(name, (toys.ToyArray,), {"__module__": f"{name}_framework"})
    ca.register_backend(toys.ToyPlugin(name, array))
    backend = ca.get_backend(name)
    return backend, backend.wrap(array(values))

(alpha, a), (beta, b) = made("alpha", [1.0, 2.0]), made("beta", [3.0, 4.0])
add = ca.add

def of_one():
    return "likely()" not in dispatcher_source(ca.add)
"""


@pytest.fixture
def program(run_python, request):
    return lambda text: run_python(_TOYS + text, PYTHONPATH=str(request.path.parent), COREARRAY_BACKEND="")


def test_a_program_with_one_backend_and_then_another(program):
    found = program("""
ca.set_backend("alpha")
assert of_one() and ca.add(a, a).tolist() == [2.0, 4.0]
with ca.backend_context("alpha"):
    assert of_one()
told = []  # and printed by one: what threads print may stand in one line
threads = [threading.Thread(target=lambda: told.append((of_one(), ca.add(a, 2.0).tolist()))) for _ in range(2)]
[thread.start() for thread in threads], [thread.join() for thread in threads]
for line in told:
    print(*line)
try:
    ca.add(b, b)
except ca.BackendMismatchError as error:
    print(type(error).__name__)
with ca.backend_context("beta"):
    assert not of_one() and ca.add(b, b).tolist() == [6.0, 8.0]
assert not of_one() and ca.add(a, a).tolist() == [2.0, 4.0] and ca.add is add
""")
    assert found.splitlines() == ["True [3.0, 4.0]"] * 2 + ["BackendMismatchError"]


@pytest.mark.parametrize(
    "choice",
    [
        'ca.set_backend("alpha", local=True)',
        'ca.backend_context("alpha").__enter__()',
        "ca.add(a, a)",
        'ca.default_dtype(); ca.set_backend("alpha")',
        'ca.set_backend("alpha"); ca.set_backend("beta"); ca.previous_backend()',
        'ca.set_backend("alpha"); ca.previous_backend(); ca.set_backend("alpha")',
    ],
)
def test_programs_in_which_a_context_may_lead_elsewhere(program, choice):
    program(f"{choice}\nassert ca.current_backend(a) is alpha and not of_one()")


def test_a_context_that_was_there_before_learns_its_backend_from_its_arrays(program):
    program("""
ca.default_dtype()
before = contextvars.copy_context()
ca.set_backend("alpha")
assert ca.add(a, a).tolist() == [2.0, 4.0]
before.run(ca.add, b, b)
assert before.run(ca.current_backend) is beta
before.run(ca.add, a, a)
assert before.run(ca.current_backend) is alpha
""")


def test_threads_while_the_agreement_ends(program):
    program("""
ca.set_backend("alpha")
wrong = []
ready = threading.Barrier(5)

def alone():
    ready.wait()
    for _ in range(2000):
        if ca.add(a, a).tolist() != [2.0, 4.0] or ca.multiply(a, a).tolist() != [1.0, 4.0]:
            wrong.append("alpha")

def other():
    ready.wait()
    for _ in range(500):
        with ca.backend_context("beta"):
            if ca.add(b, b).tolist() != [6.0, 8.0] or ca.multiply(b, b).tolist() != [9.0, 16.0]:
                wrong.append("beta")

threads = [threading.Thread(target=target) for target in (alone, alone, alone, alone, other)]
[thread.start() for thread in threads], [thread.join() for thread in threads]
assert not wrong and not of_one()
""")
