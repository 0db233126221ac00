"""The wrapper stages on a toy backend, each with a test that turns red when the stage is taken out."""

from __future__ import annotations

import pytest

import corearray as ca
from corearray import hookspecs
from corearray.backends.hooks import core_hooks
from corearray.contract.declaration import DECLARATIONS, declare
from corearray.plugin import FastPathMiss, hookimpl
from corearray.stages import ORDER
from corearray.stages.complex_input import MODES


@pytest.fixture
def alpha(toy):
    plugin = toy("alpha")
    with ca.backend_context("alpha"):
        yield plugin


def test_every_stage_is_a_hookspec_in_the_written_order():
    written = [name for name in vars(hookspecs) if name in ORDER]
    assert tuple(written) == ORDER
    assert len(ORDER) == 21
    hooks = core_hooks()
    for name in ORDER:
        assert hasattr(hooks.hook, name)


def test_every_declaration_is_a_hookspec_and_a_composition_comes_last():
    hooks = core_hooks()
    for name, declaration in DECLARATIONS.items():
        caller = getattr(hooks.hook, name)
        assert caller.spec is not None
        implementations = caller.get_hookimpls()
        assert bool(implementations) == declaration.compositional
        assert all(implementation.trylast for implementation in implementations)


def test_a_function_has_only_the_stages_that_it_needs(alpha):
    backend = ca.get_backend("alpha")
    assert "infer_dtype" not in backend.binding("add").stages()
    assert backend.binding("zeros").stages() == [
        "infer_device",
        "infer_dtype",
        "outputs_to_arrays",
        "inputs_to_native_shapes",
        "handle_array_like_without_promotion",
        "handle_nestable",
        "handle_exceptions",
        "handle_nans",
    ]
    assert "handle_out_argument" in backend.binding("add").stages()


def test_infer_device(alpha):
    assert ca.zeros(2).device == "cpu"
    ca.set_default_device("cuda:0")
    assert ca.zeros(2).device == "gpu:0"
    x = ca.asarray([1.0])
    ca.unset_default_device()
    assert ca.asarray(x).device == "gpu:0"
    with pytest.raises(ca.DeviceError, match=r"backend 'alpha' has no device 'gpu:7'; it has 'cpu', 'gpu:0'"):
        ca.zeros(2, device="gpu:7")
    with pytest.raises(ca.DeviceError, match=r"backend 'alpha' has no device 'gpu:7'; it has 'cpu', 'gpu:0'"):
        ca.set_default_device("gpu:7")
    assert ca.default_device() == "cpu"


def test_handle_device_shifting(alpha):
    here, there = ca.asarray([1.0]), ca.asarray([2.0], device="gpu:0")
    with pytest.raises(ca.DeviceError, match=r"'add' got arrays on the devices 'cpu', 'gpu:0'"):
        ca.add(here, there)
    ca.set_soft_device_mode(True)
    assert ca.add(here, there).tolist() == [3.0]
    assert ca.add(there, here).device == "gpu:0"


def test_infer_dtype(alpha):
    assert ca.zeros(1).dtype is ca.float32
    ca.set_default_dtype("float64")
    assert ca.zeros(1).dtype is ca.float64
    assert ca.zeros(1, dtype="int64").dtype is ca.int64
    assert ca.zeros(1, dtype=int).dtype is ca.int64
    assert ca.asarray([True]).dtype is ca.bool
    assert ca.asarray([1, 2.5]).dtype is ca.float64
    assert ca.sum(ca.asarray([True, True])).tolist() == 2
    assert alpha.calls[-1] == "sum int64"
    with pytest.raises(TypeError, match=r"'floaty' is no dtype; did you mean 'float64'"):
        ca.zeros(1, dtype="floaty")
    with pytest.raises(TypeError, match=r"backend 'alpha' \(pluggy .*\) has no dtype 'int8'; it has 'bool'"):
        ca.zeros(1, dtype=ca.int8)


def test_promotion_and_weak_scalars(alpha):
    assert ca.add(ca.asarray([1]), ca.asarray([1.5])).dtype is ca.float32
    assert ca.add(ca.asarray([1]), 1).dtype is ca.int64
    assert ca.add(ca.asarray([1]), 1.5).dtype is ca.float32
    assert ca.add(1.5, ca.asarray([1.5], dtype="float64")).dtype is ca.float64
    assert ca.sin(ca.asarray([0, 0])).dtype is ca.float32
    with pytest.raises(OverflowError, match=r"9223372036854775808 does not fit into 'int64'"):
        ca.add(ca.asarray([1]), 2**63)


def test_inputs_and_outputs(alpha):
    x = ca.asarray([1.0, 2.0])
    native = x.native
    assert type(native) is alpha.array
    assert isinstance(ca.add(native, native), ca.Array)
    assert isinstance(ca.get_backend("alpha").native.add(native, native), alpha.array)
    assert x[ca.asarray(1)].tolist() == 2.0
    ca.set_array_mode(False)
    assert type(ca.add(x, x)) is alpha.array
    assert type(ca.square(x)) is alpha.array
    ca.unset_array_mode()
    assert isinstance(ca.square(x), ca.Array)


def test_inputs_to_arrays_for_compositions(alpha):
    native = ca.asarray([1.0, 2.0]).native
    assert ca.get_backend("alpha").binding("square").kind == "composed"
    assert ca.square(native).tolist() == [1.0, 4.0]
    assert type(ca.get_backend("alpha").native.square(native)) is alpha.array


def test_shapes_may_be_given_in_every_form(alpha):
    assert ca.zeros(2).shape == ca.zeros((2,)).shape == ca.zeros(ca.Shape([2])).shape == (2,)
    assert isinstance(ca.zeros(2).shape, ca.Shape)
    assert ca.broadcast_shapes((2, 1), (3,)) == (2, 3)


def test_handle_out_argument(alpha):
    x, out = ca.asarray([1.0, 2.0]), ca.zeros(2, dtype="float64")
    assert ca.add(x, x, out=out) is out
    assert out.tolist() == [2.0, 4.0] and out.dtype is ca.float64
    with pytest.raises(ValueError, match=r"result of 'add' has the shape \(2,\) .* out, whose shape is \(3,\)"):
        ca.add(x, x, out=ca.zeros(3))
    with pytest.raises(TypeError, match=r"result of 'add' has the dtype 'float32', which cannot be cast to 'int64'"):
        ca.add(x, x, out=ca.zeros(2, dtype="int64"))
    with pytest.raises(ca.InplaceUpdateError, match="cannot write into a native array of backend 'alpha'"):
        ca.add(x, x, out=x.native)


def test_array_likes(alpha):
    assert ca.sin([0.0, 0.0]).tolist() == [0.0, 0.0]
    assert ca.add([1, 2], ca.asarray([1, 1])).tolist() == [2, 3]


def doubled(x):
    if len(x.values) > 2:
        raise FastPathMiss
    return type(x)([2 * v for v in x.values], x.dtype)


def test_a_fast_path_leaves_calls_to_the_implementation(toy):
    plugin = toy("alpha")

    class Short(type(plugin)):
        @hookimpl(fast=doubled)
        def negative(self, x, /):
            self.calls.append("negative")
            return self.array([-v for v in x.values], x.dtype)

        @hookimpl(fast=lambda x, axis: x if axis == 0 else doubled(x))
        def expand_dims(self, x, /, axis):
            self.calls.append("expand_dims")
            return self.array([], x.dtype)

    plugin.__class__ = Short
    backend = ca.get_backend("alpha")
    two, three = backend.asarray([1.0, 3.0]), backend.asarray([1.0, 3.0, 4.0])
    plugin.calls.clear()
    for space, native in ((backend, False), (ca, False), (backend.native, True)):
        short, long = (x.native if native else x for x in (two, three))
        for _ in range(2):
            found = [
                space.negative(short),
                space.negative(long),
                space.expand_dims(short, 1),
                space.expand_dims(short, 0),
            ]
            assert [ca.to_list(x) for x in found] == [[2.0, 6.0], [-1.0, -3.0, -4.0], [2.0, 6.0], [1.0, 3.0]]
    assert plugin.calls == ["negative"] * 6


def test_guard_runs_the_composition_where_it_is_false(toy):
    plugin = toy("alpha")

    class Guarded(type(plugin)):
        @hookimpl(when=lambda x: len(x.values) > 1)
        def square(self, x, /):
            self.calls.append("square")
            return self.array([v * v for v in x.values], x.dtype)

    plugin.__class__ = Guarded
    backend = ca.get_backend("alpha")
    assert backend.binding("square").kind == "partial mixed"
    assert backend.square(backend.asarray([1.0, 3.0])).tolist() == [1.0, 9.0]
    assert plugin.calls[-1] == "square"
    assert backend.square(backend.asarray([3.0])).tolist() == [9.0]
    assert plugin.calls[-1] == "multiply"
    assert ca.square(plugin.made([1, 3], "float32")).tolist() == [1.0, 9.0]


def test_the_composition_runs_for_dtypes_that_an_implementation_lacks(toy):
    plugin = toy("alpha")

    class Lacking(type(plugin)):
        @hookimpl(lacks=("integral", "float64"), when=lambda x: len(x.values) > 1)
        def square(self, x, /):
            self.calls.append("square")
            return self.array([v * v for v in x.values], x.dtype)

    plugin.__class__ = Lacking
    backend = ca.get_backend("alpha")
    assert backend.binding("square").kind == "partial mixed"
    few, many = [3], [1, 3]
    calls = [("float32", many, "square"), *[(dtype, many, "multiply") for dtype in ("float64", "int64")]]
    for dtype, values, computes in [*calls, ("float32", few, "multiply")] * 3:
        x = plugin.made(values, dtype)
        for square, given in ((backend.square, backend.asarray(x)), (backend.native.square, x), (ca.square, x)):
            plugin.calls.clear()
            assert ca.to_list(square(given)) == [v * v for v in values], dtype
            assert plugin.calls[-1] == computes, dtype


def test_trusts_framework_and_lacks_exclude_each_other():
    with pytest.raises(TypeError, match="'square' is marked with trusts_framework and lacks"):

        @hookimpl(trusts_framework=True, lacks=("bool",))
        def square(x, /): ...


def test_what_an_implementation_lacks_is_a_dtype_or_a_kind():
    with pytest.raises(ValueError, match="'complex' is neither a dtype nor a kind of dtypes; kinds are 'bool'"):

        @hookimpl(lacks=("complex",))
        def square(x, /): ...


def test_exceptions_keep_their_type_and_cause(alpha):
    with pytest.raises(ca.CoreArrayError, match="'add' on backend 'alpha' failed with RuntimeError: toys of") as caught:
        ca.add(ca.asarray([1.0]), ca.asarray([1.0, 2.0]))
    assert isinstance(caught.value, RuntimeError)
    assert type(caught.value.__cause__) is RuntimeError
    with pytest.raises(IndexError) as index:
        ca.asarray([1.0])[5]
    assert isinstance(index.value, ca.CoreArrayError)


def test_a_backend_replaces_a_stage_for_itself(toy):
    plugin, other = toy("alpha"), toy("beta")
    seen = []

    class Loud(type(plugin)):
        @hookimpl
        def handle_nans(self, call, function):
            def told(args):
                seen.append(function.declaration.name)
                return call(args)

            return told

    plugin.__class__ = Loud
    with ca.backend_context("alpha"):
        ca.zeros(2)
    with ca.backend_context("beta"):
        ca.zeros(2)
    assert seen == ["zeros"]
    assert other.calls == ["zeros"]


def test_a_stage_of_the_backend_is_met_by_every_call(toy):
    """Also by those that would run in C."""
    plugin = toy("alpha")
    seen = []

    class Loud(type(plugin)):
        @hookimpl
        def handle_exceptions(self, call, function):
            return lambda args: seen.append(function.declaration.name) or call(args)

    plugin.__class__ = Loud
    with ca.backend_context("alpha") as backend:
        x = ca.asarray([1.0, 2.0])
        seen.clear()
        for call in (lambda: ca.add(x, x), lambda: backend.add(x, x), lambda: x + x, lambda: ca.add(x, 1.0)):
            for _ in range(2):
                assert call().tolist() in ([2.0, 4.0], [2.0, 3.0])
        ca.square(x)
        assert seen == ["add"] * 8 + ["square", "multiply"]
        with pytest.raises(RuntimeError) as caught:
            ca.add(x, ca.asarray([1.0]))
        assert not isinstance(caught.value, ca.CoreArrayError), "it replaces the core's stage"


@pytest.mark.parametrize("loud", [False, True])
def test_an_operator_in_place_meets_the_stages_of_the_backend(toy, loud):
    plugin = toy("alpha")
    seen, updated = [], []

    class Writing(type(plugin)):
        @hookimpl
        def writes_in_place(self):
            return True

        @hookimpl
        def updates(self):
            return {"add": lambda x, other: updated.append(other) or True}

    class Loud(Writing):
        @hookimpl
        def handle_exceptions(self, call, function):
            return lambda args: seen.append(function.declaration.name) or call(args)

    plugin.__class__ = Loud if loud else Writing
    with ca.backend_context("alpha"):
        x = ca.asarray([1.0, 2.0])
        seen.clear()
        x += x
        assert (seen, len(updated)) == ((["add"], 0) if loud else ([], 1))


def test_a_backend_adds_a_stage_for_itself(toy):
    """In the place of the core's stage for ragged arrays, this backend has one that takes lists of lists row by row."""
    plugin, _ = toy("alpha"), toy("beta")

    class Ragged(type(plugin)):
        @hookimpl
        def handle_ragged(self, call, function):
            if function.implementation is None or "handle_ragged" not in function.implementation.options.stages_add:
                return None

            def by_row(args):
                rows = args[0]
                if type(rows) is list and rows and type(rows[0]) is list:
                    return [call([row, *args[1:]]) for row in rows]
                return call(args)

            return by_row

        @hookimpl(stages_add=("handle_ragged",))
        def sin(self, x, /):
            return self.array([2 * v for v in x.values], x.dtype, x.device)

    plugin.__class__ = Ragged
    alpha, beta = ca.get_backend("alpha"), ca.get_backend("beta")
    assert [row.tolist() for row in alpha.sin([[1.0], [2.0, 3.0]])] == [[2.0], [4.0, 6.0]]
    assert alpha.sin([1.0]).tolist() == [2.0]
    assert "handle_ragged" in alpha.binding("sin").stages()
    assert (
        alpha.binding("sin").stages().index("handle_ragged")
        == alpha.binding("sin").stages().index("handle_backend_invalid") - 1
    )
    with pytest.raises((TypeError, ValueError)):
        beta.sin([[1.0], [2.0, 3.0]])


def squared(x: Array, /, *, really: bool) -> Array:  # noqa: F821
    """Declared for the test below."""
    return xp.multiply(x, x) if really else x  # noqa: F821


def test_an_option_may_be_required(alpha):
    public = declare(gives="same")(squared)
    try:
        x = ca.asarray([1.0, 2.0])
        assert public(x, really=True).tolist() == ca.get_backend("alpha").squared(x, really=True).tolist() == [1.0, 4.0]
        for call in (lambda: public(x), lambda: public(x, True)):
            with pytest.raises(TypeError):
                call()
    finally:
        del DECLARATIONS["squared"]


# --- each stage makes a difference


class Complete:
    """What the toys of `test_each_stage_makes_a_difference` have on top of the others."""

    @hookimpl
    def divide(self, x1, x2, /):
        return self.array([a / b for a, b in zip(x1.values, x2.values, strict=True)], x1.dtype, x1.device)

    @hookimpl
    def isnan(self, x, /):
        return self.array([v != v for v in x.values], "bool", x.device)

    @hookimpl
    def any(self, x, /, *, axis=None, keepdims=False):
        return self.array(any(x.values), "bool", x.device)

    @hookimpl
    def flip(self, x, /, *, axis=None):
        return self.array(x.values[::-1], x.dtype, x.device)

    @hookimpl(when=lambda x: len(x.values) > 1)
    def square(self, x, /):
        raise AssertionError("the guard says when")


class Foreign:
    def __corearray_function__(self, function, types, args, kwargs):
        return "taken"


def polar(x: Array, /, *, complex_mode: str = "jax") -> Array:  # noqa: F821
    """Declared for the stage of complex input."""
    return x


def _polar(be, x, mode):
    declare(gives="same")(polar)
    try:
        return be.binding("polar").pipeline([x, mode])
    finally:
        del DECLARATIONS["polar"]


def _out(be, x):
    out = be.zeros(2)
    return be.add(x, x, out=out) is out


def _written(x, view):
    x[1] = 9.0
    return view.tolist()


def _with(call, **settings):
    with ca.settings(**settings):
        return call()


#: What a call shows, on a backend, an array of it and one of another; where the stage is left out it shows another thing.
SHOWN = {
    "handle_complex_input": (lambda be, x, y: _polar(be, x, "no mode"), ValueError),
    "infer_device": (lambda be, x, y: be.zeros(2).native.device, "cpu"),
    "handle_device_shifting": (lambda be, x, y: be.add(x, x.to_device("gpu:0")), ca.DeviceError),
    "infer_dtype": (lambda be, x, y: be.zeros(2).dtype, ca.float32),
    "handle_array_function": (lambda be, x, y: be.add(x, Foreign()), "taken"),
    "outputs_to_arrays": (lambda be, x, y: isinstance(be.zeros(2), ca.Array), True),
    "outputs_to_shapes": (lambda be, x, y: _with(lambda: type(be.shape(x)), shape_array_mode=True) is type(x), True),
    "outputs_to_native_arrays": (
        lambda be, x, y: isinstance(_with(lambda: _polar(be, x, MODES[0]), array_mode=False), ca.Array),
        False,
    ),
    "inputs_to_native_arrays": (lambda be, x, y: be.sum(x).tolist(), 3.0),
    "inputs_to_native_shapes": (lambda be, x, y: be.zeros(2).tolist(), [0.0, 0.0]),
    "inputs_to_arrays": (lambda be, x, y: be.stable_divide(x.native, x.native, min_denominator=1.0).tolist()[0], 0.5),
    "handle_out_argument": (lambda be, x, y: _out(be, x), True),
    "handle_view_indexing": (lambda be, x, y: _written(x, x[1:]), [9.0]),
    "handle_view": (lambda be, x, y: _written(x, be.flip(x)), [9.0, 1.0]),
    "handle_array_like_without_promotion": (lambda be, x, y: be.sin([0.0, 0.0]).tolist(), [0.0, 0.0]),
    "handle_partial_mixed_function": (lambda be, x, y: be.square(be.asarray([3.0])).tolist(), [9.0]),
    "handle_nestable": (lambda be, x, y: be.add(ca.Container(a=x), x).a.tolist(), [2.0, 4.0]),
    "handle_backend_invalid": (lambda be, x, y: be.add(x, y), ca.BackendMismatchError),
    "handle_exceptions": (lambda be, x, y: be.add(x, be.zeros(3)), ca.CoreArrayError),
    "handle_nans": (lambda be, x, y: _with(lambda: be.add(x, ca.nan), nan_policy="raise"), ca.NaNError),
}

#: A stage that the toys are too small for: tests/test_ragged.py shows what it does.
ELSEWHERE = {"handle_ragged"}


def test_every_stage_of_the_core_is_shown():
    hooks = core_hooks()
    assert all(getattr(hooks.hook, name).get_hookimpls() for name in ORDER)
    assert set(SHOWN) == set(ORDER) - ELSEWHERE


@pytest.mark.parametrize("name", SHOWN)
def test_each_stage_makes_a_difference(toy, name):
    """A backend whose own stage is the call as it was has the stage taken out."""
    whole, lacking, _ = toy("alpha"), toy("beta"), toy("gamma")
    whole.__class__ = type("Whole", (Complete, type(whole)), {})
    passing = hookimpl(specname=name)(lambda self, call, function: call)
    lacking.__class__ = type("Lacking", (Complete, type(lacking)), {"passing": passing})
    shown, wanted = SHOWN[name]

    def observed(backend_name):
        backend = ca.get_backend(backend_name)
        y = ca.get_backend("gamma").asarray([1.0, 2.0])
        try:
            return shown(backend, backend.wrap(backend.array_types[0]([1.0, 2.0])), y)
        except Exception as error:
            return error

    def fits(found):
        return (
            isinstance(found, wanted)
            if isinstance(wanted, type)
            else not isinstance(found, Exception) and found == wanted
        )

    found = observed("alpha")
    assert fits(found), found
    assert not fits(observed("beta"))


def test_flat_path_and_chain_tell_the_same(alpha):
    backend = ca.get_backend("alpha")
    x, y = ca.asarray([1.0, 2.0]), ca.asarray([3, 4])
    for name, args in {
        "add": [(x, x, None), (x, y, None), (x, 2, None), (2.5, y, None)],
        "sin": [(x, None), (y, None)],
        "sum": [(x, None, None, False, None), (y, None, ca.float64, False, None)],
        "get_item": [(x, 0), (x, slice(1, None))],
    }.items():
        binding = backend.binding(name)
        names = [p.name for p in binding.declaration.parameters if p.how == "keyword"]
        for values in args:
            positional = values[: len(values) - len(names)]
            options = dict(zip(names, values[len(positional) :], strict=True))
            flat, chain = binding.function(*positional, **options), binding.pipeline(list(values))
            assert flat.tolist() == chain.tolist() and flat.dtype is chain.dtype
