"""The ways to one function tell the same: implicit backend, `be`, native arrays, `out`, full chain, composition."""

from __future__ import annotations

import inspect

import numpy as np
import pytest
from standard.support import COMPILES, LONG, NAME, arguments, array, be, compare, composition, numpy_of

import corearray as ca
from corearray.calls.accelerated import python_of
from corearray.calls.native import framework_function
from corearray.calls.positions import guard_lines
from corearray.contract.declaration import DECLARATIONS
from corearray.testing.samples import SAMPLES

#: Functions whose results have no defined elements.
_UNDEFINED = {"empty", "empty_like"}

#: Functions that change their argument, so that a second call gives something else.
_WRITING = {"fill_diagonal", "inplace_decrement", "inplace_increment", "inplace_update", "put_along_axis"}

_NAMES = sorted((set(SAMPLES) & set(DECLARATIONS)) - _WRITING)
_OUT = [name for name in _NAMES if any(p.role == "out" for p in DECLARATIONS[name].parameters)]
_OF_ARRAYS = [
    name
    for name in _NAMES
    if any(p.role == "array" for p in DECLARATIONS[name].parameters)
    and not any(p.role in ("arrays", "index") for p in DECLARATIONS[name].parameters)
]
#: Functions that the core composes and this backend computes natively all the same.
_MIXED = [name for name in _NAMES if DECLARATIONS[name].compositional and be.binding(name).kind != "composed"]

#: Functions whose last result are vectors that are right up to a factor of length one each.
_UP_TO_PHASE = {"eigh_tridiagonal"}

#: The dtypes that nested lists of Python numbers get.
_OF_LISTS = ("bool", "int64", "float32", "complex64")

every_function = pytest.mark.parametrize("name", _NAMES)


def _function(namespace, name):
    declaration = DECLARATIONS[name]
    return getattr(namespace if declaration.main else getattr(namespace, declaration.namespace), name)


def _calls(name):
    """Yield the samples with arrays of the backend, made anew."""
    for args, options in SAMPLES[name]:
        yield arguments(args), {key: arguments(value) for key, value in options.items()}


def _native(value):
    if isinstance(value, ca.Array):
        return value.native
    if isinstance(value, (list, tuple)):
        return type(value)(_native(item) for item in value)
    if isinstance(value, dict):
        return {key: _native(item) for key, item in value.items()}
    return value


def _flat(result):
    """Return the results in a list, and the type that holds them; arrays in tuples within it stand beside the others."""
    if isinstance(result, tuple) and not isinstance(result, ca.Shape):
        if any(type(part) is tuple for part in result):
            return [x for part in result for x in (part if type(part) is tuple else (part,))], type(result).__name__
        return list(result), type(result).__name__
    return (result, "list") if isinstance(result, list) and hasattr(result[0], "dtype") else ([result], "")


def _same(name, got, want, *, exactly=True):
    """Check that two results are the same, in kind, dtype, shape and, if need be to rounding, elements."""
    (got, one), (want, two) = _flat(got), _flat(want)
    assert one == two
    assert len(got) == len(want)
    for found, expected in zip(got, want, strict=True):
        assert type(found) is type(expected)
        if not isinstance(expected, ca.Array):
            np.testing.assert_array_equal(found, expected)
            continue
        assert (found.dtype, found.shape, found.device) == (expected.dtype, expected.shape, expected.device)
        if name in _UNDEFINED:
            continue
        if exactly:
            np.testing.assert_array_equal(numpy_of(found), numpy_of(expected))
        else:
            size = np.abs if name in _UP_TO_PHASE and expected is want[-1] else np.asarray
            compare(name, size(numpy_of(found)), size(numpy_of(expected)), expected.dtype.name, factor=10)


def _wrapped(result):
    """Return native results as arrays."""
    if be.is_native(result):
        return be.wrap(result)
    if isinstance(result, tuple) and hasattr(result, "_fields"):
        return type(result)(*map(_wrapped, result))
    return type(result)(map(_wrapped, result)) if isinstance(result, (list, tuple)) and _holds(result) else result


def _holds(result):
    return bool(result) and be.is_native(result[0])


@every_function
def test_the_public_function_on_the_backend_in_force(name):
    for (args, options), (again, _) in zip(_calls(name), _calls(name), strict=True):
        with ca.backend_context(NAME):
            got = _function(ca, name)(*args, **options)
        _same(name, got, _function(be, name)(*again, **options))


def test_the_public_functions_of_a_program_that_set_a_backend_first(run_python, request):
    """In a process of its own, before and after a mode was in force for which all functions take the slow path.

    Where a process compiles for each shape, it runs a part of the functions, but for the long run.
    """
    tests = request.path.parents[1]
    run_python(
        f"""
from standard.test_paths import *
from standard.test_paths import _calls, _function, _same

ca.set_backend(be)
names = [name for name in {_NAMES[:: 1 if LONG or not COMPILES else 4]} if DECLARATIONS[name].has_kernel]
for _ in range(2):
    for name in names:
        for (args, options), (again, _) in zip(_calls(name), _calls(name), strict=True):
            _same(name, _function(ca, name)(*args, **options), _function(be, name)(*again, **options))
    with ca.settings(array_mode=False):
        assert be.is_native(ca.add(be.ones(2), be.ones(2)))
""",
        seconds=600,
        PYTHONPATH=str(tests),
        PYTHONWARNINGS="ignore",
    )


@every_function
def test_the_implicit_backend(name):
    ca.unset_backend()
    for (args, options), (again, _) in zip(_calls(name), _calls(name), strict=True):
        ca.positive(array(np.ones(1, "float32")))
        got = _function(ca, name)(*args, **options)
        _same(name, got, _function(be, name)(*again, **options))
        assert ca.current_backend() is be


def _is_left_open(name, args):
    """Whether the standard leaves the call open, and `be.native` has a function of the framework's, which decides."""
    if framework_function(be.binding(name)) is None:
        return False
    operands = [x for arg in args for x in (arg if isinstance(arg, list) else [arg])]
    kinds = {x.dtype.category for x in operands if isinstance(x, ca.Array)}
    integral = {kind not in ("real floating", "complex floating") for kind in kinds}
    return len(integral) > 1 or (DECLARATIONS[name].floating and True in integral)


@every_function
def test_native_arrays(name):
    for args, options in _calls(name):
        if _is_left_open(name, args):
            continue
        want = _function(be, name)(*args, **options)
        given = _native(args), _native(options)
        _same(name, _function(be, name)(*given[0], **given[1]), want)
        if "dtype" in options:
            given[1]["dtype"] = be.native_dtype(getattr(ca, options["dtype"]))
        if name == "astype":
            given = (given[0][0], be.native_dtype(getattr(ca, args[1]))), given[1]
        got = _function(be.native, name)(*given[0], **given[1])
        _same(name, _wrapped(got) if be.binding(name).returns_arrays else got, want)


@every_function
def test_the_python_functions_behind_those_in_c(name):
    """And on native arrays; where there is no C, they are themselves."""
    for args, options in _calls(name):
        function = _function(be, name)
        _same(name, python_of(function)(*args, **options), function(*args, **options))
        given = _native(args), _native(options)
        native = _function(be.native, name)
        if python_of(native) is not native:
            got, want = (call(*given[0], **given[1]) for call in (native, python_of(native)))
            assert type(got) is type(want)
            _same(name, _wrapped(got), _wrapped(want))


@every_function
def test_the_full_chain(name):
    binding = be.binding(name)
    signature = inspect.signature(DECLARATIONS[name].function)
    for args, options in _calls(name):
        bound = signature.bind(*args, **options)
        bound.apply_defaults()
        chained = binding.pipeline(list(bound.arguments.values()))
        _same(name, chained, _function(be, name)(*args, **options))


@pytest.mark.parametrize("name", _OF_ARRAYS)
def test_nested_lists_in_the_place_of_arrays(name):
    for args, options in SAMPLES[name]:
        listed = tuple(x.tolist() if isinstance(x, np.ndarray) and str(x.dtype) in _OF_LISTS else x for x in args)
        with ca.backend_context(NAME):
            got = _function(ca, name)(*arguments(listed), **{k: arguments(v) for k, v in options.items()})
        _same(name, got, _function(be, name)(*arguments(args), **{k: arguments(v) for k, v in options.items()}))


@pytest.mark.parametrize("name", _OUT)
def test_out(name):
    for args, options in _calls(name):
        want = _function(be, name)(*args, **options)
        out = be.zeros(want.shape, dtype=want.dtype)
        assert _function(be, name)(*args, **options, out=out) is out
        _same(name, out, want)
        if want.dtype is ca.float32:
            wider = be.zeros(want.shape, dtype=ca.float64)
            assert _function(ca, name)(*args, **options, out=wider) is wider
            _same(name, wider, be.astype(want, ca.float64), exactly=False)
        with pytest.raises(ValueError):
            _function(be, name)(*args, **options, out=be.zeros((*want.shape, 7), dtype=want.dtype))
        if want.dtype is not ca.bool:
            with pytest.raises(TypeError):
                _function(be, name)(*args, **options, out=be.zeros(want.shape, dtype=ca.bool))


@pytest.mark.parametrize("name", _MIXED)
def test_the_composition_beside_the_native_function(name):
    """On the same backend both give the same dtypes and shapes, and elements to rounding."""
    composed = composition(name)
    for args, options in _calls(name):
        _same(name, composed(*args, **options), _function(be, name)(*args, **options), exactly=False)


#: Elementwise functions of nothing but arrays.
_ELEMENTWISE = sorted(
    name
    for name, declaration in DECLARATIONS.items()
    if declaration.elementwise and all(p.role == "array" for p in declaration.parameters if p.required)
)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("name", _ELEMENTWISE)
def test_an_array_has_the_dtype_of_its_native_array(name):
    """Also of truth values, of which the standard leaves open what functions of numbers make."""
    count = sum(p.required for p in DECLARATIONS[name].parameters)
    taken = []
    for dtype in ("bool", "int8", "uint8", "int64", "float32", "complex64"):
        x = array(np.ones(3, dtype))
        for function in (_function(be, name), getattr(ca, name)):
            try:
                result = function(*[x] * count)
            except (TypeError, ValueError):
                continue
            taken.append(dtype)
            for one in _flat(result)[0]:
                assert be.dtype_from_native(one.native.dtype) is one.dtype, (dtype, one.dtype, one.native.dtype)
    assert taken, "takes no dtype at all"


@pytest.mark.parametrize("name", [name for name in _NAMES if DECLARATIONS[name].main])
def test_native_functions_refuse_options_by_position(name):
    """Each time: what takes the first call is not what takes those behind."""
    keywords = [p for p in DECLARATIONS[name].parameters if p.how == "keyword"]
    args, options = next(_calls(name))
    own = framework_function(be.binding(name)) is not None  # which may take them
    accepted = "False)" not in "".join(guard_lines(name, DECLARATIONS[name].parameters))
    if keywords and not own and not accepted and len(args) == len(DECLARATIONS[name].parameters) - len(keywords):
        native = getattr(be.native, name)
        for _ in range(2):
            native(*_native(args), **_native(options))
            with pytest.raises(TypeError):
                native(*_native(args), *(1 for _ in keywords))
