"""`agnostic`: library code runs on the backend of its arguments, and leaves no trace."""

from __future__ import annotations

import asyncio

import numpy as np
import pytest
from standard.support import array, be, numpy_of

import corearray as ca

X = np.asarray([4.0, 8.0], "float32")


@ca.agnostic
def weighted(x, *, more=None):
    """Sum with weights."""
    return ca.sum(x * ca.asarray([0.25, 0.75])), {"zeros": [ca.zeros(2)]}


@ca.agnostic
def nested(x):
    return weighted(x)[0] + ca.ones(1)


@ca.agnostic
def steps(x):
    for scale in (1.0, 2.0):
        sent = yield x * ca.asarray([scale, scale])
        assert sent is None or isinstance(sent, ca.Array)
    return ca.ones(1)


@ca.agnostic
async def later(x):
    await asyncio.sleep(0)
    return x + ca.asarray([1.0, 1.0])


@ca.agnostic
async def each(x):
    yield x + ca.ones(2)


@ca.agnostic
async def answering(x, ended):
    try:
        sent = yield x
        assert isinstance(sent, ca.Array)
        yield sent + ca.ones(2)
    except ValueError:
        yield ca.zeros(2)
    finally:
        ended.append(ca.current_backend())


@pytest.fixture(autouse=True)
def no_trace_is_left(request):
    """See that the backend of the context is the same afterwards, but for programs that are compiled: tracing sets it."""
    before = ca.current_backend()
    yield
    assert ca.current_backend() is before or request.function is test_within_a_compiled_program


def native():
    return be.asarray(X)._native


def test_arrays_give_arrays_and_native_ones_native_ones():
    total, tree = weighted(array(X))
    assert isinstance(total, ca.Array) and total.backend is be and float(total) == 7.0
    assert tree["zeros"][0].backend is be
    total, tree = weighted(native())
    assert be.is_native(total) and be.is_native(tree["zeros"][0]) and float(be.wrap(total)) == 7.0
    total, _ = weighted(array(X), more=[native()])
    assert isinstance(total, ca.Array)
    assert weighted.__doc__ == "Sum with weights." and weighted.__name__ == "weighted"


def test_nested_functions_and_lists():
    assert numpy_of(nested(array(X))).tolist() == [8.0]
    assert be.is_native(nested(native()))
    doubled = ca.agnostic(lambda xs: [x * ca.asarray(2.0) for x in xs["a"]])
    assert be.is_native(doubled({"a": [native()]})[0])


def test_what_is_set_does_not_count():
    with ca.backend_context(ca.get_backend()):
        assert weighted(array(X))[0].backend is be
    x = array(X)
    ca.set_array_mode(False)
    try:
        assert isinstance(weighted(x)[0], ca.Array)
        assert be.is_native(weighted(x._native)[0])
    finally:
        ca.unset_array_mode()


def test_without_arrays_the_backend_in_force_is_asked():
    made = ca.agnostic(lambda n: ca.ones(n))
    with ca.backend_context(be):
        assert made(2).backend is be


def test_generators_have_their_backend_during_their_steps():
    before = ca.current_backend()
    running = steps(array(X))
    assert numpy_of(next(running)).tolist() == [4.0, 8.0]
    assert ca.current_backend() is before
    assert numpy_of(running.send(native())).tolist() == [8.0, 16.0]
    with pytest.raises(StopIteration) as stop:
        next(running)
    assert stop.value.value.backend is be
    assert [be.is_native(x) for x in steps(native())] == [True, True]


def test_coroutines():
    async def both():
        return await asyncio.gather(later(array(X)), later(native()))

    one, two = asyncio.run(both())
    assert isinstance(one, ca.Array) and be.is_native(two)
    assert numpy_of(one).tolist() == [5.0, 9.0]

    async def listed():
        return [x async for x in each(array(X))]

    assert numpy_of(asyncio.run(listed())[0]).tolist() == [5.0, 9.0]


def test_asynchronous_generators_take_values_and_errors():
    ended = []

    async def spoken():
        before, iterator = ca.current_backend(), answering(native(), ended)
        found = [await anext(iterator), await iterator.asend(native()), await iterator.athrow(ValueError("mine"))]
        assert ca.current_backend() is before
        await iterator.aclose()
        with pytest.raises(StopAsyncIteration):
            await anext(iterator)
        assert ca.current_backend() is before
        return found

    found = asyncio.run(spoken())
    assert all(map(be.is_native, found)) and ended == [be]
    assert [numpy_of(be.wrap(x)).tolist() for x in found] == [[4.0, 8.0], [5.0, 9.0], [0.0, 0.0]]


def test_errors_pass_and_leave_no_trace():
    def fails(x):
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        ca.agnostic(fails)(array(X))
    with pytest.raises(TypeError, match="takes a function"):
        ca.agnostic(3)


def test_within_a_compiled_program():
    options = {"backend": "eager"} if "register_tracing" in be.facts else {}
    program = ca.compile(lambda x: weighted(x)[0], **options)
    with ca.backend_context(be):
        assert float(program(array(X))) == 7.0
