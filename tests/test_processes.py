"""Other processes: what is pickled for them, and forks while threads are at work."""

from __future__ import annotations

import copy
import os
import pickle
import signal
import subprocess
import sys
import threading
import time

import pytest
from fake_frameworks import ToyPlugin

import corearray as ca
from corearray import forks
from corearray.forks import free_at_fork
from corearray.manager import manager


def squares(x):
    return ca.sum(x * x)


def elsewhere(content):
    """Return the repr of what a new process makes of a pickle."""
    program = f"import pickle; print(pickle.loads({content!r}))"
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout


# --- pickles


def found_by_name():
    be = ca.get_backend()
    return [
        be.add, be.native.add, be.native.sum, be.linalg, be.fft, be.native, be.native.linalg, be.linalg.inv,
        be.native.linalg.inv, be.fft.fft, type(be.ones(1)), be, ca.add, ca.linalg.inv, be.float32,
    ]  # fmt: skip


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_what_a_backend_has_is_pickled_by_name(protocol):
    for x in found_by_name():
        assert pickle.loads(pickle.dumps(x, protocol)) is x
        assert copy.copy(x) is x and copy.deepcopy(x) is x


def test_another_process_loads_the_backend_for_them():
    be = ca.get_backend()
    found = elsewhere(pickle.dumps([be.add, be.native.sum, be.native.linalg.inv, be.linalg, type(be.ones(1))]))
    assert found.count("function") == 3 and "extension 'linalg'" in found and "Array'" in found


def test_a_backend_that_is_not_there_is_told():
    for path in ("corearray.on.nowhere", "corearray.on.nowhere.native"):
        with pytest.raises(ModuleNotFoundError, match="there is no backend 'nowhere'"):
            __import__(path)
    name = ca.get_backend().name
    with pytest.raises(ModuleNotFoundError):
        __import__(f"corearray.on.{name}.nothing")


def test_modules_of_a_backend_go_with_it(manager_of):
    with_toy, made = manager_of("gamma")
    assert sys.modules["corearray.on.gamma"].Array is made.Array
    with_toy.unregister("gamma")
    assert not [name for name in sys.modules if name.startswith("corearray.on.gamma")]


@pytest.fixture
def manager_of():
    def make(name):
        manager.register(ToyPlugin(name))
        return manager, manager.load(name)

    yield make
    manager.unregister("gamma")


def transforms():
    return {
        "grad": ca.grad(squares, argnums=(0,)),
        "value_and_grad": ca.value_and_grad(squares),
        "compile": ca.compile(squares, static_argnums=()),
        "vmap": ca.vmap(squares, in_axes=1),
        "jac": ca.jac(squares),
        "nested": ca.compile(ca.grad(ca.sum)),
    }


@pytest.mark.parametrize("name", transforms())
def test_transforms_of_public_functions_are_pickled(name):
    made = transforms()[name]
    sent = pickle.loads(pickle.dumps(made))
    assert sent._recipe == made._recipe or name == "nested"
    assert sent.__name__ == made.__name__ and sent.__wrapped__ is not None
    assert copy.deepcopy(made) is made and copy.copy(made) is made
    if name in ("compile", "vmap"):
        x = ca.asarray([[1.0, 2.0], [3.0, 4.0]])
        assert sent(x).tolist() == made(x).tolist()


def test_a_compiled_method_is_bound():
    class Model:
        scale = 2.0

        @ca.compile
        def step(self, x):
            return x * self.scale

    assert Model().step(ca.asarray([1.0])).tolist() == [2.0]
    assert Model.step.__name__ == "step"


# --- forks


def exit_of(child):
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def forked(work):
    """Fork; the child does its work within 20 seconds or is ended."""
    child = os.fork()
    if not child:
        signal.alarm(20)
        try:
            work()
        except BaseException:
            os._exit(3)
        os._exit(0)
    return child


needs_forks = pytest.mark.skipif(not hasattr(os, "register_at_fork"), reason="this system does not fork")


@needs_forks
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_fork_during_loads_and_first_uses():
    stop = threading.Event()

    def load():
        number = 0
        while not stop.is_set():
            number += 1
            name = f"forked{number}"
            manager.register(ToyPlugin(name))
            try:
                be = manager.load(name)
                for function in ("add", "multiply"):
                    be.binding(function)
            finally:
                manager.unregister(name)
            time.sleep(0.002)

    def use():
        name = f"child{os.getpid()}"
        manager.register(ToyPlugin(name))
        be = manager.load(name)
        be.binding("multiply")
        ca.random.Generator(3).spawn(1)

    threads = [threading.Thread(target=load)]
    for thread in threads:
        thread.start()
    try:
        assert [exit_of(forked(use)) for _ in range(100)] == [0] * 100
    finally:
        stop.set()
        for thread in threads:
            thread.join()


@needs_forks
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
@pytest.mark.parametrize("kind", [threading.Lock, threading.RLock])
def test_a_lock_is_free_in_the_child(kind):
    lock = free_at_fork(kind())
    ready = threading.Event()

    def hold():
        with lock:
            ready.set()
            time.sleep(0.2)

    thread = threading.Thread(target=hold)
    thread.start()
    ready.wait()

    def take():
        if not lock.acquire(timeout=5):
            os._exit(4)

    assert exit_of(forked(take)) == 0
    assert lock.acquire(timeout=5), "the parent's is given back"
    lock.release()
    thread.join()


# --- loads that are interrupted


class Own(BaseException):
    """An exception that is no `Exception`."""


def test_locks_are_taken_while_other_threads_make_some(often_switched):
    kept = [free_at_fork(threading.RLock()) for _ in range(200)]
    done = []

    def make():
        while not done:
            free_at_fork(threading.RLock())

    thread = threading.Thread(target=make)
    thread.start()
    try:
        for _ in range(300):
            forks._take_all()
            forks._give_back()
    finally:
        done.append(True)
        thread.join()
    assert all(lock.acquire(blocking=False) for lock in kept)


@pytest.fixture
def often_switched():
    """Threads that take turns after a microsecond, so that a race shows."""
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(interval)


@pytest.mark.parametrize("error", [KeyboardInterrupt, Own, SystemExit])
def test_a_load_that_is_interrupted_leaves_nothing_behind(monkeypatch, error):
    manager.register(ToyPlugin("delta"))
    try:
        with monkeypatch.context() as patched:

            def interrupted(self, backend):
                raise error("now")

            patched.setattr(type(manager), "_equip", interrupted)
            with pytest.raises(KeyboardInterrupt if error is KeyboardInterrupt else ca.BackendBrokenError, match="now"):
                manager.load("delta")
        if error is KeyboardInterrupt:
            assert manager.load("delta").name == "delta"
        assert not [name for name, _ in manager.hooks.list_name_plugin() if name.startswith("delta:")] or (
            error is KeyboardInterrupt
        )
    finally:
        manager.unregister("delta")
