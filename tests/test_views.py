"""Views, in-place functions and the in-place mode on toy backends, whose native arrays never change."""

from __future__ import annotations

import asyncio
import threading
import weakref

import pytest
from fake_frameworks import ToyArray, ToyPlugin

import corearray as ca
from corearray.manager import manager
from corearray.plugin import hookimpl


@pytest.fixture
def alpha(toy):
    plugin = toy("alpha")
    with ca.backend_context("alpha"):
        yield plugin


class InPlacePlugin(ToyPlugin):
    """A framework that writes in place, and copies where a slice is asked for."""

    @hookimpl
    def writes_in_place(self):
        return True

    @hookimpl
    def memory_of(self, x):
        return id(x.values)

    @hookimpl
    def set_item(self, x, key, value):
        self.calls.append("set_item")
        if key is Ellipsis:
            key = slice(None)
        x.values[key] = value.values
        return x

    @hookimpl(stages_add=("handle_view_indexing",))
    def get_item(self, x, key, /):
        return self.array(x.values[key], x.dtype, x.device)


def test_a_write_is_seen_in_views_and_in_their_base(alpha):
    x = ca.asarray([1.0, 2.0, 3.0, 4.0])
    y = x[1:]
    z = y[::2]
    z[0] = 9.0
    assert (x.tolist(), y.tolist(), z.tolist()) == ([1, 9, 3, 4], [9, 3, 4], [9, 4])
    x += 1.0
    assert (x.tolist(), y.tolist(), z.tolist()) == ([2, 10, 4, 5], [10, 4, 5], [10, 5])


def test_a_base_does_not_keep_its_views(alpha):
    x = ca.asarray([1.0, 2.0])
    y = x[1:]
    base, view = weakref.ref(x), weakref.ref(y)
    del y
    assert view() is None
    y = x[1:]
    del x
    assert base() is not None
    del y
    assert base() is None


def test_a_write_without_views_makes_no_further_call(alpha):
    x = ca.asarray([1.0, 2.0])
    x[1:]
    alpha.calls.clear()
    x[0] = ca.asarray(5.0)
    assert alpha.calls == []


def test_copies_of_a_framework_that_writes_in_place_are_linked(toy):
    plugin = InPlacePlugin("beta", type("BetaArray", (ToyArray,), {"__module__": __name__}))
    ca.register_backend(plugin)
    try:
        be = ca.get_backend("beta")
        x = be.asarray([1.0, 2.0, 3.0, 4.0])
        y, other = x[1:], x[:2]
        z = y[1:]
        z[0] = 9.0
        assert (x.tolist(), y.tolist(), z.tolist(), other.tolist()) == ([1, 2, 9, 4], [2, 9, 4], [9, 4], [1, 2])
        x[1] = 7.0
        assert (y.tolist(), z.tolist(), other.tolist()) == ([7, 9, 4], [9, 4], [1, 7])
        del y, z, other
        assert not be.copies
        plugin.calls.clear()
        x[0] = 5.0
        assert plugin.calls == ["set_item"]
    finally:
        manager.unregister("beta")


def test_in_place_functions(alpha):
    x = ca.asarray([1.0, 2.0])
    y = x[1:]
    assert ca.inplace_update(x, ca.asarray([5.0, 6.0])) is x
    assert ca.inplace_increment(x, ca.asarray([1.0, 1.0])) is x
    assert (x.tolist(), y.tolist()) == ([6.0, 7.0], [7.0])
    assert not ca.inplace_arrays_supported()


def test_strict_mode_refuses_and_changes_nothing(alpha):
    x = ca.asarray([1.0, 2.0])
    y = x[1:]
    with ca.settings(inplace_mode="strict"):
        for write in (lambda: x.__setitem__(0, 5.0), lambda: ca.inplace_update(y, 0.0), lambda: x.__iadd__(1.0)):
            with pytest.raises(ca.InplaceUpdateError, match=r"backend 'alpha' cannot be written in place.*lenient"):
                write()
        with pytest.raises(ca.InplaceUpdateError):
            ca.add(x, x, out=x)
    assert (x.tolist(), y.tolist()) == ([1.0, 2.0], [2.0])
    x[1] = 5.0
    assert y.tolist() == [5.0]


def test_the_in_place_mode_belongs_to_the_context():
    with pytest.raises(ValueError, match=r"inplace_mode cannot be 'strickt'; it is one of 'lenient', 'strict'"):
        ca.set_inplace_mode("strickt")
    assert ca.inplace_mode() == "lenient"
    seen = []

    async def strict():
        ca.set_inplace_mode("strict")
        await asyncio.sleep(0)
        seen.append(ca.inplace_mode())

    async def both():
        await asyncio.gather(asyncio.create_task(strict()), asyncio.create_task(asyncio.sleep(0)))

    asyncio.run(both())
    assert (seen, ca.inplace_mode()) == (["strict"], "lenient")
    with ca.settings(inplace_mode="strict"):
        with ca.settings(inplace_mode="lenient"):
            assert ca.inplace_mode() == "lenient"
        thread = threading.Thread(target=lambda: seen.append(ca.inplace_mode()))
        thread.start()
        thread.join()
        assert ca.inplace_mode() == "strict"
    assert (seen[1], ca.inplace_mode()) == ("strict", "lenient")
    ca.set_inplace_mode("strict")
    ca.unset_inplace_mode()
    assert ca.inplace_mode() == "lenient"
