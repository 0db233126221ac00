"""Many threads and tasks that switch backends and settings at random: each sees its own, and no result is wrong."""

from __future__ import annotations

import asyncio
import os
import random
import threading
import time

import pytest

import corearray as ca

#: Seconds of each test; more in COREARRAY_STRESS.
SECONDS = float(os.environ.get("COREARRAY_STRESS", "1.5"))
THREADS, TASKS = 32, 200

#: The values between which a worker switches. Those for which calls leave the fast paths are switched in a test of
#: array mode and `nan_policy` of their own, because that holds for the rest of the process.
VALUES = {
    "nestable_mode": (True, False),
    "soft_device_mode": (False, True),
    "shape_array_mode": (False, True),
    "exception_trace_mode": ("short", "full"),
    "default_float_dtype": (ca.float32, ca.float64),
    "min_denominator": (1e-12, 0.5),
    "min_base": (1e-5, 0.25),
    "print_precision": (None, 1),
}


class Worker:
    """Switches at random, knows what must be in force, and looks whether it is."""

    def __init__(self, number: int) -> None:
        self.random = random.Random(number)
        self.number = number
        self.backends: list[str] = []
        self.settings = {name: values[0] for name, values in VALUES.items()}
        self.rounds = 0

    def step(self):
        """Do one thing; what is yielded between them is where others may run."""
        self.rounds += 1
        act = self.random.choice((self.push, self.pop, self.switch, self.compute, self.compute))
        act()
        self.check()

    def push(self):
        if len(self.backends) < 4:
            self.backends.append(self.random.choice(("alpha", "beta")))
            ca.set_backend(self.backends[-1], local=True)

    def pop(self):
        found = ca.previous_backend()
        assert (found and found.name) == (self.backends.pop() if self.backends else None)

    def switch(self):
        name = self.random.choice(tuple(VALUES))
        self.settings[name] = value = self.random.choice(VALUES[name])
        getattr(ca, f"set_{name}")(value)

    def compute(self):
        name = self.backends[-1] if self.backends else self.random.choice(("alpha", "beta"))
        with ca.backend_context(name) as backend:
            x = ca.asarray([float(self.number), 1.0])
            assert x.backend is backend
        assert x.dtype is self.settings["default_float_dtype"]
        for result in (ca.add(x, x), x + x, ca.add(x, 1.0 * self.number), ca.square(x)):
            assert result.backend is backend
            assert result.dtype is x.dtype
            assert result.tolist()[0] in (2.0 * self.number, float(self.number) ** 2)
        shape = ca.shape(x)
        assert isinstance(shape, ca.Array) is self.settings["shape_array_mode"]
        wrong = x[:1] if len(x) > 1 else x
        if self.settings["nestable_mode"]:
            assert ca.add(ca.Container(a=x), x).a.tolist() == [2.0 * self.number, 2.0]
        else:
            with pytest.raises(TypeError, match="nestable mode is off"):
                ca.add(ca.Container(a=x), wrong)

    def check(self):
        for name, value in self.settings.items():
            assert getattr(ca, name)() == value, f"{name} of worker {self.number} has leaked"
        if self.backends:
            assert ca.get_backend().name == self.backends[-1]
            other = "beta" if self.backends[-1] == "alpha" else "alpha"
            with ca.backend_context(other):
                assert ca.get_backend().name == other
            assert ca.get_backend().name == self.backends[-1]


@pytest.fixture(autouse=True)
def both(toy):
    return toy("alpha"), toy("beta")


def settings_here():
    return {name: getattr(ca, name)() for name in VALUES}


def test_threads():
    failures, workers = [], [Worker(number) for number in range(THREADS)]
    end = time.monotonic() + SECONDS
    together = threading.Barrier(THREADS)

    def work(worker):
        try:
            together.wait(30)
            while time.monotonic() < end or worker.rounds < 10:
                worker.step()
        except BaseException as error:
            failures.append(error)

    before = settings_here()
    threads = [threading.Thread(target=work, args=(worker,)) for worker in workers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        raise failures[0]
    assert settings_here() == before
    assert ca.previous_backend() is None
    assert all(worker.rounds >= 10 for worker in workers)


def test_tasks():
    workers = [Worker(number) for number in range(TASKS)]

    async def work(worker, end):
        while time.monotonic() < end or worker.rounds < 10:
            worker.step()
            await asyncio.sleep(0)

    async def together():
        end = time.monotonic() + SECONDS
        await asyncio.gather(*(work(worker, end) for worker in workers))

    before = settings_here()
    asyncio.run(together())
    assert settings_here() == before
    assert ca.previous_backend() is None


def test_blocks_around_tasks_and_threads():
    """A task and a thread start with what is in force where they are started, and leave it alone."""

    def look(seen):
        seen.append((ca.min_base(), ca.get_backend().name))

    async def inner(worker):
        for _ in range(5):
            with ca.settings(min_base=worker + 1.0), ca.backend_context("beta"):
                await asyncio.sleep(0)
                assert (ca.min_base(), ca.get_backend().name) == (worker + 1.0, "beta")
                seen = []
                thread = threading.Thread(target=look, args=(seen,))
                thread.start()
                thread.join()
                assert seen == [(worker + 1.0, "beta")]
            assert (ca.min_base(), ca.get_backend().name) == (0.125, "alpha")

    async def together():
        await asyncio.gather(*map(inner, range(20)))

    with ca.settings(min_base=0.125), ca.backend_context("alpha"):
        asyncio.run(together())
        assert (ca.min_base(), ca.get_backend().name) == (0.125, "alpha")


_SPECIAL = """
import asyncio, random, sys, threading
import corearray as ca

x, nan = ca.asarray([1.0, 2.0]), ca.asarray([1.0, ca.nan])
native = type(x.native)
failures = []

def steps(number, rounds):
    chance = random.Random(number)
    arrays, policy = True, "nothing"
    for _ in range(rounds):
        if chance.random() < 0.5:
            arrays = chance.random() < 0.5
            ca.set_array_mode(arrays)
        else:
            policy = chance.choice(("nothing", "raise"))
            ca.set_nan_policy(policy)
        yield
        for call in (lambda: ca.add(x, x), lambda: x + x, lambda: ca.multiply(x, 2)):
            assert type(call()) is (type(x) if arrays else native)
        assert [float(v) for v in ca.add(x, 1.0)] == [2.0, 3.0]
        try:
            ca.add(nan, nan)
        except ca.NaNError:
            assert policy == "raise"
        else:
            assert policy == "nothing"
        yield

def work(number):
    try:
        for _ in steps(number, 40):
            pass
    except BaseException as error:
        failures.append(error)

async def task(number):
    for _ in steps(number, 5):
        await asyncio.sleep(0)

async def tasks():
    await asyncio.gather(*map(task, range(200)))

sys.setswitchinterval(1e-5)
threads = [threading.Thread(target=work, args=(number,)) for number in range(32)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
if failures:
    raise failures[0]
sys.setswitchinterval(5e-3)
asyncio.run(tasks())
assert ca.array_mode() and ca.nan_policy() == "nothing"
"""


def test_settings_that_leave_the_short_ways(run_python):
    run_python(_SPECIAL)


_LATER = """
import sys
import corearray as ca

ca.set_nan_policy("raise")
x = ca.asarray([-1.0, 2.0])  # loads the backend
ca.add(x, x), x + x, ca.mean(x, axis=0)  # compose their functions

def raises(call):
    try:
        call()
    except ca.errors.NaNError:
        return True
    return False

import warnings
warnings.simplefilter("ignore")
calls = [lambda: ca.sqrt(x), lambda: ca.get_backend("numpy").sqrt(x), lambda: x ** 0.5, lambda: x.sqrt()]
calls += [lambda: ca.add(ca.asarray([ca.nan]), 1.0), lambda: ca.asarray([ca.nan]) + ca.asarray([1.0])]
assert all(raises(call) for call in calls) and not ca.unset_nan_policy()
assert not any(raises(call) for call in calls)
with ca.settings(nan_policy="raise"):
    assert all(raises(call) for call in calls)
assert not any(raises(call) for call in calls)

def frames(call):
    seen = []
    sys.setprofile(lambda frame, event, argument: seen.append(frame.f_code.co_name) if event == "call" else None)
    call()
    sys.setprofile(None)
    return seen

from corearray.calls.accelerated import accelerator
if accelerator:
    assert frames(lambda: ca.add(x, x)) == ["<lambda>"], "C computes again, without a frame of Python"
"""


def test_a_mode_that_takes_the_slow_path_ends_with_its_block(run_python):
    run_python(_LATER, COREARRAY_BACKEND="")


_FIRST_CALL = """
import sys
import corearray as ca
from corearray.calls.accelerated import accelerator

ca.set_backend("numpy")
x = ca.asarray([[1.0, 2.0], [3.0, 4.0]])
ca.matmul(x, x)
files = []
sys.setprofile(lambda frame, event, argument: files.append(frame.f_code.co_filename) if event == "call" else None)
ca.add(x, x)
sys.setprofile(None)
files = [file for file in files if "corearray" in file and file.endswith(".py")]
changes = sum(one != other for one, other in zip(files, files[1:]))
assert not accelerator or changes <= 40, changes
"""


def test_the_first_call_of_a_function_visits_few_files(run_python):
    run_python(_FIRST_CALL, COREARRAY_BACKEND="")
