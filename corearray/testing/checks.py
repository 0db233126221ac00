"""The checks of the kit that are not of one function: each gets the backend and what it can do, and fails by an assertion.

Those in `OF_DTYPE` get a dtype besides. They can be called by hand: `checks.writing(ca.get_backend("mylib"), Capabilities())`.
"""

from __future__ import annotations

import copy
import itertools
import math
import operator
import pickle
import threading
import warnings
from collections.abc import Callable
from fnmatch import fnmatchcase
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import corearray as ca
from corearray.backends.backend import Backend
from corearray.backends.discovery import resolved
from corearray.calls.dispatch import backend_of
from corearray.calls.native import framework_function
from corearray.commands.validate import validated
from corearray.contract.declaration import DECLARATIONS
from corearray.contract.info import BackendInfo
from corearray.contract.validation import problems_of
from corearray.contract.versions import matches
from corearray.errors import FunctionNotImplementedError
from corearray.manager import manager
from corearray.stages import ORDER
from corearray.testing.calls import in_dtype
from corearray.testing.known import Capabilities
from corearray.testing.programs import compiled_programs, custom_gradients, random_numbers
from corearray.testing.writes import keys, writing

__all__ = [
    "CHECKS",
    "OF_DTYPE",
    "OF_FUNCTION",
    "broadcasting",
    "compiling",
    "data_dependent_shapes",
    "devices",
    "dlpack",
    "dtypes",
    "errors",
    "exchange",
    "gradients",
    "indexing",
    "mapping",
    "native_arrays",
    "operators",
    "pickles",
    "promotion",
    "reductions",
    "registration",
    "scalars",
    "threads",
    "variants",
]

_PROPERTY = settings(
    max_examples=25, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck)
)

_NUMBERS = np.asarray([0.5, -2.0, 3.0, 0.0], "float32")


# --- the plugin


def registration(be: Backend, can: Capabilities) -> None:
    """Nothing is wrong that can be known without calling a function, see `corearray validate`."""
    record = manager.records[be.name]
    if record.entry:
        problems = validated(be.name)["problems"]
    else:
        known = manager.hooks.hook
        plugins = [p for p in (record.module, *map(resolved, be.info.modules)) if not isinstance(p, BackendInfo)]
        problems = problems_of(plugins, be.framework_version, lambda hook: hasattr(known, hook), ORDER, thorough=True)
    assert not problems, "\n".join(problems)


def variants(be: Backend, can: Capabilities) -> None:
    """Of the variants of a function the one for the framework's version is bound, and no other would do."""
    for name in DECLARATIONS:
        offered = [candidate for candidate, _ in manager.considered(be, name) if not candidate.extension]
        right = [c.function for c in offered if matches(be.framework_version, c.options.versions)]
        try:
            winner = be.binding(name).implementation
        except FunctionNotImplementedError:
            winner = None
        if winner is not None and winner.extension:
            continue
        assert right == ([winner.function] if winner else []), f"{name}: for {be.framework_version} there are {right}"


def dtypes(be: Backend, can: Capabilities) -> None:
    """The backend has the dtypes that the capabilities list, and of the standard's no more; each is that of its name."""
    have = set(be.__array_namespace_info__().dtypes())
    assert have == set(can.dtypes), (
        f"the backend's hook 'dtypes' declares {sorted(have - set(can.dtypes))} besides those of Capabilities(dtypes=...), "
        f"and lacks {sorted(set(can.dtypes) - have)}"
    )
    for dtype, native in be.native_dtypes.items():
        x = be.ones(2, dtype=dtype)
        assert (x.dtype, x.native.dtype, be.wrap(x.native).dtype) == (dtype, native, dtype)
        assert dtype.name in str(native)


def devices(be: Backend, can: Capabilities) -> None:
    """Each device that the capabilities list is there, and holds arrays."""
    for device in can.devices:
        x = be.asarray(_NUMBERS, device=device)
        assert x.device == ca.Device(device)
        assert be.to_numpy(x.to_device(be.devices()[0])).tolist() == _NUMBERS.tolist()
    with pytest.raises(ca.CoreArrayError):
        be.asarray(_NUMBERS, device="no_such_device:7")


def gradients(be: Backend, can: Capabilities) -> None:
    """The framework differentiates, forwards and backwards, or the backend says that it does not."""
    assert ("reverse_mode" in be.facts) == can.gradients
    if can.gradients:
        x = be.asarray(_NUMBERS)
        slopes = np.sin(_NUMBERS) + _NUMBERS * np.cos(_NUMBERS)
        np.testing.assert_allclose(be.to_numpy(ca.grad(lambda x: be.sum(x * be.sin(x)))(x)), slopes, 1e-4)
        _, along = ca.jvp(lambda x: x * be.sin(x), (x,), (be.ones_like(x),))
        np.testing.assert_allclose(be.to_numpy(along), slopes, 1e-4)
        twice = ca.vmap(ca.grad(ca.grad(lambda x: x * x * x)))(x)
        np.testing.assert_allclose(be.to_numpy(twice), 6 * _NUMBERS, 1e-4)
        second = ca.grad(lambda x: be.sum(ca.grad(lambda y: be.sum(be.sin(y) * y * y))(x) * x))(x)
        x64 = _NUMBERS.astype("float64")  # of x * f'(x), where f(x) = x^2 sin(x)
        inner = 2 * x64 * np.sin(x64) + x64**2 * np.cos(x64)
        slope = 2 * np.sin(x64) + 4 * x64 * np.cos(x64) - x64**2 * np.sin(x64)
        np.testing.assert_allclose(be.to_numpy(second), inner + x64 * slope, 1e-3, 1e-5)


def mapping(be: Backend, can: Capabilities) -> None:
    """A function is mapped over the first axis."""
    x = np.arange(6, dtype="float32").reshape(3, 2)
    mapped = ca.vmap(lambda row: be.sum(row * row))(be.asarray(x))
    np.testing.assert_allclose(be.to_numpy(mapped), (x * x).sum(1), 1e-6)


def data_dependent_shapes(be: Backend, can: Capabilities) -> None:
    """Shapes depend on values, or the backend says that they do not."""
    told = be.__array_namespace_info__().capabilities()["data-dependent shapes"]
    assert told == can.data_dependent_shapes
    if told:
        x = be.asarray(_NUMBERS)
        assert be.to_numpy(x[x > 0]).tolist() == _NUMBERS[_NUMBERS > 0].tolist()


# --- arrays


def native_arrays(be: Backend, can: Capabilities) -> None:
    """The framework's own arrays are known by their type, go in, and come out of the native namespace."""
    native = be.asarray(_NUMBERS).native
    assert be.is_native(native)
    with ca.backend_context(be):
        assert backend_of(native) is be
    claimants = [record.name for record in manager.claimants(type(native))]
    assert be.name in claimants
    assert backend_of(native).name == claimants[0], "of several backends the first one by rule"  # type: ignore[union-attr]
    assert be.is_native(be.native.square(native))
    names = [f"{kind.__module__}.{kind.__qualname__}" for kind in type(native).__mro__]
    known = any(fnmatchcase(name, pattern) for name in names for pattern in be.info.array_types)
    assert known, f"none of BackendInfo.array_types={be.info.array_types} is among {names}"


def promotion(be: Backend, can: Capabilities) -> None:
    """Native arrays of several dtypes of one kind promote as the standard says, also where one has no axes.

    All dtypes are added; other functions that are the framework's own, see the fact `promotes_arrays`, get some.
    """
    own = [
        d.name for d in DECLARATIONS.values() if len(d.promote) > 1 and d.elementwise and _is_the_frameworks(be, d.name)
    ]
    natives = {name: [be.ones(shape, dtype=name).native for shape in ((2,), ())] for name in can.dtypes}
    for one, two in itertools.product(can.dtypes, repeat=2):
        kinds = {ca.isdtype(getattr(ca, name), ("real floating", "complex floating")) for name in (one, two)}
        try:
            common = be.result_type(one, two)
        except TypeError:
            continue
        if len(kinds) > 1 or "bool" in (one, two):
            continue
        names = ("add", *own) if (one, two) in (("int16", "int8"), ("float32", "float64")) else ("add",)
        for name, x1, x2 in itertools.product(names, natives[one], natives[two]):
            declaration = DECLARATIONS[name]
            if (declaration.floating and False in kinds) or (name != "add" and x1.shape == x2.shape):
                continue
            operands = [x1] * (len(declaration.promote) - 1) + [x2]
            before = [be.asarray([True, False]).native for p in declaration.parameters if p.condition]
            try:
                wanted = getattr(be, name)(*map(be.wrap, (*before, *operands))).dtype
            except TypeError:  # a function of integers, or of real numbers
                continue
            found = be.dtype_of(be.ensured(getattr(be.native, name)(*before, *operands)))
            assert found is wanted, f"be.native.{name} of {one} and {two} gives {found.name}, not {wanted.name}"
            assert name != "add" or wanted is common


def _is_the_frameworks(be: Backend, name: str) -> bool:
    try:
        return framework_function(be.binding(name)) is not None
    except FunctionNotImplementedError:
        return False


def dlpack(be: Backend, can: Capabilities) -> None:
    """Arrays are shared with other libraries."""
    x = be.asarray(_NUMBERS)
    assert np.from_dlpack(x).tolist() == _NUMBERS.tolist()
    assert be.to_numpy(be.from_dlpack(x)).tolist() == _NUMBERS.tolist()
    for function in (be.from_dlpack, be.asarray):
        assert be.to_numpy(function(_Exported(_NUMBERS.copy()))).tolist() == _NUMBERS.tolist()


class _Exported:
    """An array of a library that shares memory by DLPack and in no other way."""

    def __init__(self, x: np.ndarray) -> None:
        self._x = x

    def __dlpack__(self, **options: Any) -> Any:
        return self._x.__dlpack__(**options)

    def __dlpack_device__(self) -> Any:
        return self._x.__dlpack_device__()


def pickles(be: Backend, can: Capabilities) -> None:
    """Views, Containers and ragged arrays are the same after pickling, and of this backend."""
    x = be.asarray(np.arange(6, dtype="float32").reshape(2, 3))
    view = pickle.loads(pickle.dumps(x[:, 1:]))
    assert (type(view), view.tolist()) == (be.Array, [[1.0, 2.0], [4.0, 5.0]])
    container = pickle.loads(pickle.dumps(ca.Container(a=x, b={"c": x[0, :]})))
    assert (type(container.b.c), container.b.c.tolist()) == (be.Array, [0.0, 1.0, 2.0])
    ragged = pickle.loads(pickle.dumps(ca.Ragged.from_row_lengths(x, [2, 0])))
    assert (type(ragged.values), ragged.tolist()) == (be.Array, [x.tolist(), []])


def indexing(be: Backend, can: Capabilities) -> None:
    """Integers, slices, `None` and `...` choose what they choose in NumPy, to read and to write; so do masks."""

    @_PROPERTY
    @given(st.data())
    def holds(data: Any) -> None:
        shape = data.draw(st.sampled_from([(2, 3, 4), (3,), (2, 0, 3), ()]))
        key = data.draw(hnp.basic_indices(shape, allow_newaxis=True))
        full = key if isinstance(key, tuple) else (key,)
        full = full if Ellipsis in full else (*full, Ellipsis)
        x = np.arange(math.prod(shape), dtype="float32").reshape(shape)
        made = be.asarray(x)
        np.testing.assert_array_equal(be.to_numpy(made[full]), x[full], f"x[{key}] of shape {shape}")
        if None not in full:  # which the standard leaves open where a key is written to
            written = x.copy()
            made[full] = written[full] = -1.0
            np.testing.assert_array_equal(be.to_numpy(made), written, f"x[{key}] = -1.0 of shape {shape}")

    holds()
    x = np.arange(6, dtype="float32").reshape(2, 3)
    made = be.asarray(x)
    made[be.asarray(x > 2)] = 9.0
    assert made.tolist() == np.where(x > 2, 9.0, x).tolist()


def compiling(be: Backend, can: Capabilities) -> None:
    """A compiled function gives what the function gives, with arrays, Containers and options, also for other shapes."""

    def wave(x: Any, scale: float = 1.0) -> Any:
        return x.map(lambda leaf: ca.sin(leaf) * scale) if isinstance(x, ca.Container) else ca.sin(x) * scale + x[:1]

    with ca.backend_context(be), warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # what a compiler imports is its own business
        compiled = ca.compile(wave, static_argnames="scale", **can.compile_options)
        for x, scale in ((_NUMBERS, 1.0), (np.stack([_NUMBERS, _NUMBERS]), 2.0)):
            found = compiled(be.asarray(x), scale=scale)
            assert type(found) is be.Array, f"a compiled function returns {type(found).__name__}"
            np.testing.assert_allclose(be.to_numpy(found), np.sin(x) * np.float32(scale) + x[:1], 1e-4, 1e-6)
        container = compiled(ca.Container(a=be.asarray(_NUMBERS), b={"c": be.asarray(_NUMBERS[:2])}))
        np.testing.assert_allclose(be.to_numpy(container.b.c), np.sin(_NUMBERS[:2]), 1e-4, 1e-6)
        if can.gradients:
            slope = ca.compile(ca.grad(lambda x: ca.sum(x * x * x)), **can.compile_options)(be.asarray(_NUMBERS))
            np.testing.assert_allclose(be.to_numpy(slope), 3 * _NUMBERS**2, 1e-4)


def scalars(be: Backend, can: Capabilities) -> None:
    """Python numbers take the dtype of the array beside them, on both sides of an operator and in functions."""
    for dtype in can.dtypes:
        kind = np.dtype(dtype).kind
        x = be.asarray(in_dtype(_NUMBERS, dtype))
        for number in (True, 2, 0.5, 1j)[: {"b": 1, "i": 2, "u": 2, "f": 3, "c": 4}[kind]]:
            written = in_dtype(_NUMBERS, dtype)
            typed = np.asarray(number, dtype)
            with np.errstate(all="ignore"):
                pairs = [(x == number, written == typed), (be.where(x == x, x, number), written)]
                if kind != "b":
                    pairs += [
                        (x + number, written + typed),
                        (number - x, typed - written),
                        (x * number, written * typed),
                    ]
                    pairs += [(be.add(x, number), written + typed), (be.subtract(number, x), typed - written)]
                if kind in "fc":
                    pairs += [(x / number, written / typed)]
            for found, wanted in pairs:
                about = f"{dtype} and the number {number!r}"
                assert found.dtype.name == wanted.dtype.name, about
                np.testing.assert_allclose(be.to_numpy(found), wanted, 1e-5, err_msg=about)


def broadcasting(be: Backend, can: Capabilities) -> None:
    """Shapes broadcast as in NumPy, with axes of length 0 and without axes too."""

    @_PROPERTY
    @given(hnp.mutually_broadcastable_shapes(num_shapes=2, max_dims=3, min_side=0, max_side=2))
    def holds(shapes: Any) -> None:
        one, two = (np.ones(shape, "float32") for shape in shapes.input_shapes)
        np.testing.assert_array_equal(be.to_numpy(be.asarray(one) + be.asarray(two)), one + two)

    holds()


def reductions(be: Backend, can: Capabilities) -> None:
    """Every axis, several and none are summed up, and kept where that is asked for."""
    x = np.arange(6, dtype="float32").reshape(1, 2, 3)
    made = be.asarray(x)
    axes = st.sampled_from([None, 0, -1, (0, 2), (1, -3), ()])

    @_PROPERTY
    @given(axes, st.booleans(), st.sampled_from(["sum", "max", "mean", "prod"]))
    def holds(axis: Any, keepdims: bool, name: str) -> None:
        found = be.to_numpy(getattr(be, name)(made, axis=axis, keepdims=keepdims))
        wanted = getattr(np, name)(x, axis=axis, keepdims=keepdims)
        np.testing.assert_allclose(found, wanted, 1e-6, err_msg=f"{name}(x, axis={axis}, keepdims={keepdims})")
        assert found.shape == wanted.shape

    holds()


def errors(be: Backend, can: Capabilities) -> None:
    """Wrong keys, numbers, operands and arguments are errors of one Python type on every backend, and corearray's own."""
    names = {"be": be, "operator": operator, "x": be.zeros(3), "whole": be.zeros(3, dtype="int32")}
    wrong: dict[str, type[Exception]] = {
        "x[3]": IndexError,
        "x[-4]": IndexError,
        "x[0, 0]": IndexError,
        "x[be.asarray([True, False])]": IndexError,
        "operator.setitem(x, 3, 1.0)": IndexError,
        "operator.setitem(x, slice(0, 2), be.zeros(3))": ValueError,
        "x + be.zeros(2)": ValueError,
        "bool(x)": ValueError,
        "operator.setitem(x, 0, 1j)": TypeError,
        "x & x": TypeError,
        "be.zeros(3, dtype='float31')": TypeError,
        "whole + 2**31": OverflowError,
        "be.asarray(-(2**31) - 1, dtype='int32')": OverflowError,
        "be.no_such_function": AttributeError,
    }
    for call, kind in wrong.items():
        about = f"{call}, where x = be.zeros(3) and whole = be.zeros(3, dtype='int32')"
        try:
            found = eval(call, names)
        except Exception as error:
            assert isinstance(error, kind), f"{about}: expected {kind.__name__}, found {error!r}"
            assert isinstance(error, ca.CoreArrayError), f"{about}: expected one of corearray's errors, found {error!r}"
        else:
            raise AssertionError(f"{about}: expected {kind.__name__}, found {found!r}")


def threads(be: Backend, can: Capabilities) -> None:
    """Functions are composed and called in several threads at once."""
    x = be.asarray(_NUMBERS)
    found: list[Any] = []

    def run() -> None:
        with ca.backend_context(be):
            found.append(be.to_numpy(ca.sum(ca.cos(ca.square(x) + 1) * 2)).item())

    workers = [threading.Thread(target=run) for _ in range(8)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert len(found) == 8
    np.testing.assert_allclose(found, (np.cos(_NUMBERS**2 + 1) * 2).sum(), 1e-4)


# --- arrays of each dtype


def exchange(be: Backend, can: Capabilities, dtype: str) -> None:
    """Arrays come from NumPy and go back, through lists, pickles and copies too."""
    x = in_dtype(_NUMBERS, dtype)
    made = be.asarray(x)
    assert (made.dtype.name, be.to_numpy(made).dtype.name) == (dtype, dtype)
    assert be.dtype_of_native[be.native_dtypes[made.dtype]] is made.dtype
    ways = [made, be.asarray(x.tolist(), dtype=dtype), pickle.loads(pickle.dumps(made)), copy.deepcopy(made)]
    for way in ways:
        assert (type(way), way.dtype, be.to_numpy(way).tolist()) == (be.Array, made.dtype, x.tolist())
    assert made.tolist() == x.tolist()


def operators(be: Backend, can: Capabilities, dtype: str) -> None:
    """Operators compute what the functions of their names do, also with Python scalars."""
    x = in_dtype(_NUMBERS, dtype)
    kind = x.dtype.kind
    tried: list[Callable[[Any, Any], Any]] = [operator.eq, operator.ne]
    tried += [operator.add, operator.sub, operator.mul] if kind != "b" else [operator.and_, operator.or_]
    tried += [operator.lt, operator.ge] if kind in "iuf" else []
    made = be.asarray(x)
    for op in tried:
        for other in (x[:1], x):
            np.testing.assert_array_equal(be.to_numpy(op(made, be.asarray(other))), op(x, other), op.__name__)
        scalar = True if kind == "b" else 2
        np.testing.assert_array_equal(be.to_numpy(op(made, scalar)), op(x, x.dtype.type(scalar)), op.__name__)


#: The checks by their names.
CHECKS: dict[str, Callable[[Backend, Capabilities], None]] = {
    check.__name__: check
    for check in (
        registration, variants, dtypes, devices, writing, gradients, mapping, data_dependent_shapes, native_arrays, promotion,
        dlpack, pickles, indexing, keys, broadcasting, reductions, scalars, errors, threads, compiling,
        compiled_programs, custom_gradients, random_numbers,
    )
}  # fmt: skip
OF_DTYPE: dict[str, Callable[[Backend, Capabilities, str], None]] = {
    check.__name__: check for check in (exchange, operators)
}
#: Those that test one function of a plugin.
OF_FUNCTION = {
    "asarray": ("dlpack", "exchange"),
    "from_dlpack": ("dlpack",),
    "set_item": ("writing", "indexing", "keys"),
    "to_list": ("exchange",),
}
