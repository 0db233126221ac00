"""Which backend a call runs on: the stack, the implicit backend, threads, tasks, failures."""

from __future__ import annotations

import asyncio
import logging
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import corearray as ca
from corearray.settings.context import current_settings


def name_in_thread() -> str:
    """Name of the backend that a new thread starts with."""
    seen: list[str] = []
    thread = threading.Thread(target=lambda: seen.append(ca.current_backend().name))
    thread.start()
    thread.join()
    return seen[0]


def test_backend_in_force_is_used_and_popped(toy):
    toy("alpha"), toy("beta")
    assert ca.set_backend("alpha").name == "alpha"
    assert ca.zeros(2).backend.name == "alpha"
    ca.set_backend("beta")
    assert ca.zeros(2).backend.name == "beta"
    assert ca.previous_backend().name == "beta"
    assert ca.current_backend().name == "alpha"
    ca.set_backend("beta")
    ca.unset_backend()
    assert ca.current_backend().name == ca.get_backend().name == "numpy"
    assert ca.previous_backend() is None


def test_arrays_decide_and_become_the_implicit_backend(toy):
    plugin = toy("alpha")
    native = plugin.made([1, 2], "float32")
    assert ca.current_backend().name == "numpy"
    assert ca.add(native, native).tolist() == [2.0, 4.0]
    assert ca.current_backend().name == "alpha"
    assert ca.zeros(1).backend.name == "alpha"
    assert ca.current_backend({"nested": [(native,)]}).name == "alpha"


def test_numbers_of_numpy_decide_where_there_is_no_array(toy):
    native = toy("alpha").made([1, 2], "float32")
    assert ca.exp(np.float32(0)).backend.name == "numpy"
    for total in (ca.add(np.float32(1), native), ca.add(native, np.float32(1))):
        assert total.backend.name == "alpha"
    ca.unset_backend()
    assert ca.current_backend([np.float32(1), native]).name == "alpha"


def test_an_array_that_can_be_hashed_is_no_number(toy):
    kind = type("Hashed", (np.ndarray,), {"__hash__": object.__hash__})
    native = toy("alpha").made([1, 2], "float32")
    assert ca.current_backend(np.ones(2).view(kind), native).name == "numpy"


def test_a_subclass_counts_and_a_class_of_a_similar_module_does_not(toy):
    plugin = toy("alpha")
    subclass = type("Mine", (plugin.array,), {"__module__": "mine"})
    stranger = type("AlphaArray", (), {"__module__": "alpha_framework_utils"})
    assert ca.current_backend(subclass([1.0])).name == "alpha"
    ca.unset_backend()
    with ca.backend_context("numpy"):
        pass
    assert ca.current_backend(stranger()).name in ("alpha", "numpy")
    from corearray.calls.dispatch import backend_of

    assert backend_of(stranger()) is None


def test_implicit_and_explicit_give_the_same_result(toy):
    plugin = toy("alpha")
    native = plugin.made([1, 2], "int64")
    inferred = ca.sin(native)
    with ca.backend_context("alpha"):
        explicit = ca.sin(native)
    assert inferred.tolist() == explicit.tolist()
    assert inferred.dtype is explicit.dtype is ca.float32


def test_an_array_of_another_backend_is_refused_with_the_remedy(toy):
    alpha, _ = toy("alpha"), toy("beta")
    ca.set_backend("beta")
    with pytest.raises(ca.BackendMismatchError, match=r"'add' runs on backend 'beta'.*'alpha'.*to_backend\(x, \"beta"):
        ca.add(ca.zeros(2), alpha.made([1, 2], "float32"))
    assert ca.current_backend().name == "beta"


def test_a_constant_that_was_made_while_no_backend_was_set_is_explained(toy):
    alpha, beta = toy("alpha"), toy("beta")

    def weighted(x):
        return ca.add(x, ca.zeros(2))

    weight = ca.add(alpha.made([1, 2], "float32"), 1.0)  # from here on 'alpha' is the implicit backend
    told = r"made while no backend is set .*set_backend first.*@corearray\.agnostic"
    x = beta.made([1, 2], "float32")
    with pytest.raises(ca.BackendMismatchError, match=told):
        ca.add(x, weight)
    ca.sin(weight)
    with ca.backend_context("beta"), pytest.raises(ca.BackendMismatchError, match=told):
        ca.add(x, weight)
    assert ca.agnostic(weighted)(weight).backend.name == "alpha"
    with ca.backend_context("beta"):
        made = ca.zeros(2)
    ca.set_backend("numpy")
    with pytest.raises(ca.BackendMismatchError, match=r"to_backend\(x, \"numpy\"\)$"):  # made while a backend was set
        ca.add(ca.zeros(2), made)


def test_context_leaks_nothing_even_after_an_error(toy):
    toy("alpha"), toy("beta")
    ca.set_backend("alpha")
    with pytest.raises(RuntimeError, match="inside"), ca.backend_context("beta") as backend:
        assert ca.current_backend() is backend
        raise RuntimeError("inside")
    assert ca.current_backend().name == "alpha"
    assert name_in_thread() == "alpha"


def test_a_failed_switch_changes_nothing(toy):
    toy("alpha")
    ca.set_backend("alpha")
    expected = r"no backend 'nowhere'.*installed are .*'alpha'.*pip install "
    with pytest.raises(ca.BackendNotFoundError, match=expected):
        ca.set_backend("nowhere")
    assert ca.current_backend().name == "alpha"
    assert ca.previous_backend().name == "alpha"
    assert ca.previous_backend() is None


def test_new_threads_start_with_what_set_backend_set(toy):
    toy("alpha"), toy("beta")
    ca.set_backend("alpha")
    assert name_in_thread() == "alpha"
    ca.set_backend("beta", local=True)
    assert ca.current_backend().name == "beta"
    assert name_in_thread() == "beta"  # which this thread spawns
    assert ca.previous_backend().name == "beta"
    assert ca.previous_backend().name == "alpha"
    assert name_in_thread() == "numpy"


def test_threads_start_from_the_context_that_spawned_them(toy):
    toy("alpha"), toy("beta")
    with ca.backend_context("alpha"):
        assert name_in_thread() == "alpha"
        with ThreadPoolExecutor(1) as pool:
            assert pool.submit(lambda: ca.current_backend().name).result() == "alpha"
    assert name_in_thread() == "numpy"


def test_what_is_set_in_a_block_ends_with_it(toy):
    toy("alpha"), toy("beta")
    with ca.backend_context("alpha"):
        ca.set_backend("beta")
        assert ca.current_backend().name == name_in_thread() == "beta"
    assert ca.current_backend().name == name_in_thread() == "numpy"
    ca.set_backend("alpha")
    with ca.backend_context("beta"):
        ca.unset_backend()
        assert ca.current_backend().name == "numpy"
    assert ca.current_backend().name == "alpha"
    assert name_in_thread() == "alpha"
    with ca.backend_context("beta"):
        ca.set_backend("beta")
        assert ca.previous_backend().name == "beta"
    assert ca.previous_backend().name == "alpha"


@pytest.mark.parametrize("choose", [ca.set_backend, ca.get_backend, lambda x: ca.backend_context(x).__enter__()])
def test_what_names_no_backend_is_refused(choose):
    for wrong in (3, threading):
        with pytest.raises(TypeError, match="give the name of an installed backend, a Backend, or a plugin"):
            choose(wrong)
    assert ca.current_backend().name == "numpy"


@pytest.mark.parametrize("main", ["", "alpha"])
def test_a_switch_in_a_thread_is_its_own_and_its_childrens(toy, main):
    toy("alpha"), toy("beta")
    if main:
        ca.set_backend(main)
    seen: list[str] = []

    def work() -> None:
        ca.set_backend("beta")
        seen.extend([ca.current_backend().name, name_in_thread()])
        with ThreadPoolExecutor(1) as pool:
            seen.append(pool.submit(lambda: ca.current_backend().name).result())
        ca.unset_backend()
        seen.append(name_in_thread())
        ca.previous_backend()

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert seen == ["beta", "beta", "beta", "numpy"]
    assert ca.current_backend().name == name_in_thread() == (main or "numpy")

    async def tasks() -> list[str]:
        async def one(name: str) -> str:
            ca.set_backend(name, local=True)
            await asyncio.sleep(0)
            return ca.current_backend().name

        return await asyncio.gather(one("alpha"), one("beta"))

    assert asyncio.run(tasks()) == ["alpha", "beta"]
    assert ca.current_backend().name == (main or "numpy")


def test_a_worker_that_takes_the_inherited_backend_away_leaves_it_to_others(toy):
    toy("alpha")
    ca.set_backend("alpha")
    thread = threading.Thread(target=ca.previous_backend)
    thread.start()
    thread.join()
    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(lambda: ca.current_backend().name).result() == "alpha"


def test_backends_that_are_used_in_turn_come_back_to_their_settings(toy):
    toy("alpha"), toy("beta")
    with ca.backend_context("alpha"):
        x = ca.asarray([1.0, 2.0])
    with ca.backend_context("beta"):
        y = ca.asarray([1.0, 2.0])
    records = []
    for _ in range(2):
        for array, name in ((x, "alpha"), (y, "beta")):
            ca.add(array, array)
            assert ca.current_backend().name == name
            records.append(current_settings())
    assert records[0] is records[2] and records[1] is records[3], "no record is made anew"
    with ca.settings(print_precision=3):
        ca.add(x, x)
        assert current_settings().implicit.name == "alpha" and current_settings().precision == 3
        ca.add(y, y)
        assert current_settings().implicit.name == "beta" and current_settings().precision == 3
    assert current_settings().implicit.name == "beta" and current_settings().precision is None


def test_a_block_that_sets_nothing_else_ends_with_the_record_from_before(toy):
    toy("alpha")
    before = current_settings()
    with ca.backend_context("alpha"):
        ca.asarray([1.0, 2.0])
    assert current_settings() is before


def test_the_log_says_whence_a_backend_comes(toy, caplog):
    toy("alpha")
    with caplog.at_level("DEBUG", logger="corearray"):
        ca.set_backend("alpha")
        ca.current_backend()
        ca.previous_backend()
        ca.current_backend(x=ca.asarray([1.0]))
        ca.unset_backend()
    text = caplog.text
    for expected in (
        "set by set_backend",
        "comes from the stack",
        "by previous_backend",
        "from the arguments",
        "unset_backend",
    ):
        assert expected in text


def test_the_log_says_it_of_each_call_in_every_thread_while_its_level_is_debug(caplog):
    with ca.backend_context("numpy"):
        x = ca.ones(2)
        calls = current_settings().fast_calls
        ready, listening = threading.Event(), threading.Event()

        def work():
            ca.add(x, x)
            ready.set()
            listening.wait()
            ca.multiply(x, x)

        thread = threading.Thread(target=work)
        thread.start()
        ready.wait()
        ca.add(x, x)
        assert "comes from" not in caplog.text
        with caplog.at_level("DEBUG", logger="corearray"):
            ca.add(x, x)
            listening.set()
            thread.join()
        for function in ("add", "multiply"):
            assert f"'{function}': backend 'numpy' comes from the stack" in caplog.text
        caplog.clear()
        ca.add(x, x)
        assert not caplog.text and calls is not None and current_settings().fast_calls is calls


def test_the_log_follows_every_way_to_change_a_level(caplog):
    with ca.backend_context("numpy"):
        x = ca.ones(2)
        with caplog.at_level("DEBUG"):
            ca.add(x, x)
            assert "'add': backend 'numpy'" in caplog.text
            caplog.clear()
            logging.disable(logging.DEBUG)
            try:
                ca.add(x, x)
            finally:
                logging.disable(logging.NOTSET)
        assert not caplog.text


def test_a_thread_disturbs_nobody(toy):
    toy("alpha"), toy("beta")
    ca.set_backend("alpha")
    go, done = threading.Event(), threading.Event()

    def work() -> None:
        with ca.backend_context("beta"):
            go.set()
            done.wait(10)

    thread = threading.Thread(target=work)
    thread.start()
    go.wait(10)
    assert ca.current_backend().name == "alpha"
    done.set()
    thread.join()
    assert ca.current_backend().name == "alpha"


def test_tasks_do_not_disturb_each_other(toy):
    toy("alpha"), toy("beta")

    async def work(name: str) -> list[str]:
        ca.set_backend(name, local=True)
        seen = []
        for _ in range(5):
            await asyncio.sleep(0)
            seen.append(ca.zeros(1).backend.name)
        return seen

    async def both() -> list[list[str]]:
        return await asyncio.gather(work("alpha"), work("beta"))

    assert asyncio.run(both()) == [["alpha"] * 5, ["beta"] * 5]
    assert ca.current_backend().name == "numpy"


def test_functions_keep_their_identity(toy):
    toy("alpha")
    add, before = ca.add, id(ca.add)
    ca.set_backend("alpha")
    ca.zeros(1)
    assert ca.add is add and id(ca.add) == before


def test_start_value_from_the_environment(run_python):
    program = "import corearray as ca; print(ca.current_backend().name)"
    assert run_python(program, COREARRAY_BACKEND="numpy") == "numpy"
    failed = run_python(program, COREARRAY_BACKEND="nowhere", fails=True)
    assert "there is no backend 'nowhere'" in failed


def test_backend_limits_from_the_environment(run_python):
    program = "import corearray as ca; ca.set_backend('numpy')"
    failed = run_python(program, COREARRAY_LOAD_BACKENDS="other", fails=True)
    assert (
        "backend 'numpy' cannot be used (disabled): COREARRAY_LOAD_BACKENDS=other leaves out plugin 'corearray-numpy'"
        in failed
    )


def test_backend_says_what_it_is(toy):
    toy("alpha")
    backend = ca.get_backend("alpha")
    assert repr(backend).startswith("<corearray backend 'alpha'") and "pluggy" in repr(backend)
    assert backend.devices() == ("cpu", "gpu:0")
    assert backend.native.zeros(2).values == [0.0, 0.0]
    with pytest.raises(AttributeError, match="backend 'alpha' has no 'nonsense'"):
        backend.nonsense


def test_missing_function_is_named_with_its_backend(toy):
    toy("alpha")
    with pytest.raises(ca.FunctionNotImplementedError, match="'exp' has no implementation on backend 'alpha'"):
        ca.get_backend("alpha").exp(ca.zeros(1))
