"""The stage that maps functions over Containers, on toy backends, and the mode that switches it off."""

from __future__ import annotations

import threading

import pytest

import corearray as ca
from corearray.stages import ORDER


@pytest.fixture
def alpha(toy):
    plugin = toy("alpha")
    with ca.backend_context("alpha"):
        yield plugin


def tree(*values):
    return ca.Container({"a/b": ca.asarray([values[0]]), "c": ca.asarray([values[1]])})


def test_without_the_stage_a_container_means_nothing(alpha):
    """The pipeline with the stage, and the same chain without it."""
    binding = ca.get_backend("alpha").binding("add")
    c = tree(1.0, 2.0)
    assert "handle_nestable" in binding.stages()
    assert binding.pipeline([c, c, None]).to_list().equals(ca.Container({"a/b": [2.0], "c": [4.0]}))
    without = binding._composed(tuple(name for name in ORDER if name != "handle_nestable"))
    with pytest.raises(ca.CoreArrayError):
        without([c, c, None])


def test_each_leaf_is_a_call(alpha):
    c = tree(1.0, 2.0)
    assert ca.add(c, c).to_list().flatten() == {"a/b": [2.0], "c": [4.0]}
    assert alpha.calls == ["add", "add"]
    assert ca.add(c, 1.0).to_list().flatten() == {"a/b": [2.0], "c": [3.0]}
    assert ca.add(ca.asarray([1.0]), ca.Container(x=1, y=2.5)).to_list().flatten() == {"x": [2.0], "y": [3.5]}


def test_the_order_of_the_keys_is_the_first_containers(alpha):
    one, two = ca.Container(a=ca.asarray([1.0]), b=ca.asarray([2.0])), ca.Container(b=20.0, a=10.0)
    assert list(ca.add(one, two).to_list().flatten().items()) == [("a", [11.0]), ("b", [22.0])]
    assert list(ca.add(2.0, two)) == ["b", "a"]


def test_functions_without_arrays_and_options(alpha):
    c = ca.zeros(ca.Container(a=2, b=(3,)), dtype=ca.Container(a="float64", b="int64"))
    assert (c.a.shape, c.a.dtype, c.b.shape, c.b.dtype) == ((2,), ca.float64, (3,), ca.int64)
    assert ca.asarray(ca.Container(a=[1, 2], b=2.5)).to_list().to_dict() == {"a": [1, 2], "b": 2.5}
    assert ca.broadcast_shapes(ca.Container(a=(2, 1)), (3,)).a == (2, 3)
    assert ca.broadcast_shapes((3,), (1,), ca.Container(a=(2, 1))).a == (2, 3)


def test_keys(alpha):
    x = ca.asarray([1.0, 2.0, 3.0])
    assert x[ca.Container(a=0, b=slice(1, None))].to_list().to_dict() == {"a": 1.0, "b": [2.0, 3.0]}
    assert ca.Container(a=x)[ca.asarray(1)].a.tolist() == 2.0


def test_a_composition_maps_as_a_whole(alpha):
    backend = ca.get_backend("alpha")
    assert backend.binding("square").kind == "composed"
    assert ca.square(tree(2.0, 3.0)).to_list().flatten() == {"a/b": [4.0], "c": [9.0]}
    assert backend.square(tree(2.0, 3.0)).to_list().flatten() == {"a/b": [4.0], "c": [9.0]}


def test_named_tuples_are_returned_inside_out():
    c = ca.Container(a=ca.asarray([1, 1, 2]), b={"c": ca.asarray([3])})
    values, counts = ca.unique_counts(c)
    assert values.to_list().to_dict() == {"a": [1, 2], "b": {"c": [3]}}
    assert counts.to_list().to_dict() == {"a": [2, 1], "b": {"c": [1]}}
    assert type(ca.unique_counts(c)) is ca.UniqueCountsResult
    assert len(ca.unique_counts(ca.Container()).values) == 0
    assert [len(leaf) for leaf in ca.nonzero(ca.Container(a=c.a, b=ca.zeros((1, 2)))).leaves()] == [1, 2]


def test_sequences_of_containers():
    c = ca.Container(a=ca.asarray([1]), b=ca.asarray([2]))
    assert ca.concat([c, c]).to_list().to_dict() == {"a": [1, 1], "b": [2, 2]}
    assert ca.concat((ca.asarray([0]), c)).to_list().to_dict() == {"a": [0, 1], "b": [0, 2]}
    assert ca.stack(ca.Container(a=[c.a, c.b])).to_list().to_dict() == {"a": [[1], [2]]}
    assert ca.asarray([[1, 2], [3, 4]])[c.map(lambda _: 0), 1].to_list().to_dict() == {"a": 2, "b": 2}
    with pytest.raises(
        ValueError, match=r"at the key chain 'b' 'arrays\[0\]' has a leaf and 'arrays\[2\]' has nothing"
    ):
        ca.concat([c, ca.asarray([1]), ca.Container(a=c.a)])
    ca.set_nestable_mode(False)
    with pytest.raises(TypeError, match=r"'concat' got a Container for 'arrays\[1\]' while the nestable mode is off"):
        ca.concat([c.a, c])


def test_out(alpha):
    c, out = tree(1.0, 2.0), tree(0.0, 0.0)
    leaf = out.c
    assert ca.add(c, c, out=out) is out
    assert out.c is leaf and leaf.tolist() == [4.0]
    x = ca.asarray([7.0])
    assert ca.add(x, x, out=out) is out
    assert out.to_list().flatten() == {"a/b": [14.0], "c": [14.0]}
    with pytest.raises(
        TypeError, match=r"'add' got a Container for 'x1' and an out of type Array; give a Container of"
    ):
        ca.add(c, c, out=x)


def test_nothing_is_written_where_structures_differ(alpha):
    c, out = tree(1.0, 2.0), ca.Container({"a/b": ca.asarray([0.0]), "d": ca.asarray([0.0])})
    text = (
        r"^the Containers among the arguments of 'add' differ in structure: at the key chain 'c' 'x1' has a leaf and "
    )
    with pytest.raises(ValueError, match=f"{text}'out' has nothing; Containers that are used together have the same k"):
        ca.add(c, c, out=out)
    assert out.to_list().flatten() == {"a/b": [0.0], "d": [0.0]}
    with pytest.raises(ValueError, match=r"at the key chain 'a' 'x1' has a Container and 'x2' has a leaf"):
        ca.add(c, ca.Container(a=1.0, c=1.0))
    with pytest.raises(ValueError, match=r"at the key chain 'a/x' 'x1' has nothing and 'x2' has a leaf"):
        ca.add(c, ca.Container({"a/b": 1.0, "a/x": 2.0, "c": 1.0}))
    assert alpha.calls == []


def test_an_error_names_the_leaf(alpha):
    c = ca.Container(a=ca.asarray([1.0]), b={"c": ca.asarray([1.0, 2.0])})
    with pytest.raises(RuntimeError, match="toys of two lengths") as caught:
        ca.add(c, ca.asarray([1.0]))
    assert isinstance(caught.value, ca.CoreArrayError)
    assert caught.value.__notes__ == ["at the key chain 'b/c' of the Container"]


def test_arrays_of_another_backend_are_refused_at_each_leaf(toy):
    toy("alpha"), toy("beta")
    ours, theirs = ca.get_backend("alpha").asarray([1.0]), ca.get_backend("beta").asarray([1.0])
    with (
        ca.backend_context("alpha"),
        pytest.raises(ca.BackendMismatchError, match=r"'alpha' and got an array of .*'beta'"),
    ):
        ca.add(ca.Container(a=ours, b=theirs), 1.0)
    with (
        ca.backend_context("alpha"),
        pytest.raises(ca.BackendMismatchError, match=r"'alpha' and got an array of .*'beta'"),
    ):
        ca.add(ca.Container(b=theirs), 1.0)


def test_the_backend_is_that_of_the_first_array_inside(toy):
    toy("alpha")
    c = ca.Container(a=1.0, b={"c": ca.get_backend("alpha").asarray([1.0])})
    assert (c + 1).b.c.backend.name == (c + 1).a.backend.name == "alpha"
    assert (1 + c).a.backend.name == "alpha"
    assert ca.current_backend().name == "alpha"


def test_native_arrays(alpha):
    c = tree(1.0, 2.0)
    natives = ca.to_native(c)
    assert type(natives.c) is alpha.array
    assert ca.add(natives, c).to_list().flatten() == {"a/b": [2.0], "c": [4.0]}
    ca.set_array_mode(False)
    assert type(ca.add(c, c).c) is alpha.array


def test_between_backends(toy):
    alpha, _ = toy("alpha"), toy("beta")
    c = ca.Container(a=ca.get_backend("alpha").asarray([1.0]), step=3, name="x")
    moved = ca.to_backend(c, "beta")
    assert moved.a.backend.name == "beta" and (moved.step, moved.name) == (3, "x")
    assert not ca.is_array(c)
    assert type(ca.to_native([c])[0].a) is alpha.array


def test_a_backend_replaces_the_stage(toy):
    plugin = toy("alpha")
    from corearray.plugin import hookimpl

    class Plain(type(plugin)):
        @hookimpl
        def handle_nestable(self, call, function):
            return lambda args: "mapped" if any(isinstance(x, ca.Container) for x in args) else call(args)

    plugin.__class__ = Plain
    with ca.backend_context("alpha"):
        assert ca.add(ca.Container(a=1), 2) == "mapped"
        assert ca.add(ca.asarray([1.0]), ca.asarray([2.0])).tolist() == [3.0]


# --- the mode


def test_the_mode_refuses_containers(alpha):
    c = tree(1.0, 2.0)
    assert ca.nestable_mode()
    ca.set_nestable_mode(False)
    assert not ca.nestable_mode()
    text = (
        r"^'add' got a Container for 'x2' while the nestable mode is off; map .* corearray.set_nestable_mode\(True\)$"
    )
    with pytest.raises(TypeError, match=text) as caught:
        ca.add(1.0, c)
    assert isinstance(caught.value, ca.CoreArrayError)
    with pytest.raises(TypeError, match="nestable mode is off"):
        c + 1
    assert c.map(lambda leaf: (leaf + leaf).tolist()).flatten() == {"a/b": [2.0], "c": [4.0]}
    assert ca.add(c.c, c.c).tolist() == [4.0]
    ca.unset_nestable_mode()
    assert ca.add(1.0, c).c.tolist() == [3.0]


def test_the_mode_belongs_to_the_context():
    """A thread starts from the mode of the one that started it, and changes its own only."""
    c = ca.Container(a=1)
    ca.square(c)
    ca.set_nestable_mode(False)
    seen, wrong = [], []
    barrier = threading.Barrier(8)

    def work(number):
        try:
            seen.append(ca.nestable_mode())
            for turn in range(50):
                wanted = bool((number + turn) % 2)
                ca.set_nestable_mode(wanted)
                barrier.wait(60)
                try:
                    got = ca.square(c).a.item() == 1
                except TypeError:
                    got = False
                if got is not wanted or ca.nestable_mode() is not wanted:
                    wrong.append((number, turn))
        except BaseException:
            barrier.abort()
            raise

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert seen == [False] * 8
    assert not wrong
    assert not ca.nestable_mode()


def test_the_mode_in_tasks():
    import asyncio

    c = ca.Container(a=1)

    async def work(mode):
        ca.set_nestable_mode(mode)
        for _ in range(20):
            await asyncio.sleep(0)
            assert ca.nestable_mode() is mode
            if mode:
                assert ca.square(c).a.item() == 1
            else:
                with pytest.raises(TypeError, match="nestable mode is off"):
                    ca.square(c)

    async def all_of_them():
        await asyncio.gather(*(work(bool(number % 2)) for number in range(20)))

    asyncio.run(all_of_them())
    assert ca.nestable_mode()
