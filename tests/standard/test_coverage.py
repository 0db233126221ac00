"""Nothing of the standard 2025.12 is missing, in any namespace, and nothing declared is untested."""

from __future__ import annotations

import importlib.util
import inspect
import sys
from pathlib import Path

import pytest
from standard.support import NAME, be

import corearray as ca
from corearray.calls.codegen import GUARD
from corearray.calls.positions import guard_lines
from corearray.commands.costs import COSTS
from corearray.contract.declaration import DECLARATIONS
from corearray.testing.samples import SAMPLES

#: The functions of the main namespace by the pages of the standard, with their parameters.
MAIN = {
    # creation
    "arange": "(start, /, stop=None, step=1, *, dtype=None, device=None)",
    "asarray": "(obj, /, *, dtype=None, device=None, copy=None)",
    "empty": "(shape, *, dtype=None, device=None)",
    "empty_like": "(x, /, *, dtype=None, device=None)",
    "eye": "(n_rows, n_cols=None, /, *, k=0, dtype=None, device=None)",
    "from_dlpack": "(x, /, *, device=None, copy=None)",
    "full": "(shape, fill_value, *, dtype=None, device=None)",
    "full_like": "(x, /, fill_value, *, dtype=None, device=None)",
    "linspace": "(start, stop, /, num, *, dtype=None, device=None, endpoint=True)",
    "meshgrid": "(*arrays, indexing='xy')",
    "ones": "(shape, *, dtype=None, device=None)",
    "ones_like": "(x, /, *, dtype=None, device=None)",
    "tril": "(x, /, *, k=0)",
    "triu": "(x, /, *, k=0)",
    "zeros": "(shape, *, dtype=None, device=None)",
    "zeros_like": "(x, /, *, dtype=None, device=None)",
    # data types
    "astype": "(x, dtype, /, *, copy=True, device=None)",
    "can_cast": "(from_, to, /)",
    "finfo": "(type, /)",
    "iinfo": "(type, /)",
    "isdtype": "(dtype, kind)",
    "result_type": "(*arrays_and_dtypes)",
    # element by element
    "abs": "(x, /)",
    "acos": "(x, /)",
    "acosh": "(x, /)",
    "add": "(x1, x2, /)",
    "asin": "(x, /)",
    "asinh": "(x, /)",
    "atan": "(x, /)",
    "atan2": "(x1, x2, /)",
    "atanh": "(x, /)",
    "bitwise_and": "(x1, x2, /)",
    "bitwise_invert": "(x, /)",
    "bitwise_left_shift": "(x1, x2, /)",
    "bitwise_or": "(x1, x2, /)",
    "bitwise_right_shift": "(x1, x2, /)",
    "bitwise_xor": "(x1, x2, /)",
    "ceil": "(x, /)",
    "clip": "(x, /, min=None, max=None)",
    "conj": "(x, /)",
    "copysign": "(x1, x2, /)",
    "cos": "(x, /)",
    "cosh": "(x, /)",
    "divide": "(x1, x2, /)",
    "equal": "(x1, x2, /)",
    "exp": "(x, /)",
    "expm1": "(x, /)",
    "floor": "(x, /)",
    "floor_divide": "(x1, x2, /)",
    "greater": "(x1, x2, /)",
    "greater_equal": "(x1, x2, /)",
    "hypot": "(x1, x2, /)",
    "imag": "(x, /)",
    "isfinite": "(x, /)",
    "isinf": "(x, /)",
    "isnan": "(x, /)",
    "less": "(x1, x2, /)",
    "less_equal": "(x1, x2, /)",
    "log": "(x, /)",
    "log10": "(x, /)",
    "log1p": "(x, /)",
    "log2": "(x, /)",
    "logaddexp": "(x1, x2, /)",
    "logical_and": "(x1, x2, /)",
    "logical_not": "(x, /)",
    "logical_or": "(x1, x2, /)",
    "logical_xor": "(x1, x2, /)",
    "maximum": "(x1, x2, /)",
    "minimum": "(x1, x2, /)",
    "multiply": "(x1, x2, /)",
    "negative": "(x, /)",
    "nextafter": "(x1, x2, /)",
    "not_equal": "(x1, x2, /)",
    "positive": "(x, /)",
    "pow": "(x1, x2, /)",
    "real": "(x, /)",
    "reciprocal": "(x, /)",
    "remainder": "(x1, x2, /)",
    "round": "(x, /)",
    "sign": "(x, /)",
    "signbit": "(x, /)",
    "sin": "(x, /)",
    "sinh": "(x, /)",
    "sqrt": "(x, /)",
    "square": "(x, /)",
    "subtract": "(x1, x2, /)",
    "tan": "(x, /)",
    "tanh": "(x, /)",
    "trunc": "(x, /)",
    # indexing
    "take": "(x, indices, /, *, axis=None)",
    "take_along_axis": "(x, indices, /, *, axis=-1)",
    # inspection
    "__array_namespace_info__": "()",
    # linear algebra
    "matmul": "(x1, x2, /)",
    "matrix_transpose": "(x, /)",
    "tensordot": "(x1, x2, /, *, axes=2)",
    "vecdot": "(x1, x2, /, *, axis=-1)",
    # manipulation
    "broadcast_arrays": "(*arrays)",
    "broadcast_shapes": "(*shapes)",
    "broadcast_to": "(x, /, shape)",
    "concat": "(arrays, /, *, axis=0)",
    "expand_dims": "(x, /, axis)",
    "flip": "(x, /, *, axis=None)",
    "moveaxis": "(x, source, destination, /)",
    "permute_dims": "(x, /, axes)",
    "repeat": "(x, repeats, /, *, axis=None)",
    "reshape": "(x, /, shape, *, copy=None)",
    "roll": "(x, /, shift, *, axis=None)",
    "squeeze": "(x, /, axis)",
    "stack": "(arrays, /, *, axis=0)",
    "tile": "(x, repetitions, /)",
    "unstack": "(x, /, *, axis=0)",
    # searching
    "argmax": "(x, /, *, axis=None, keepdims=False)",
    "argmin": "(x, /, *, axis=None, keepdims=False)",
    "count_nonzero": "(x, /, *, axis=None, keepdims=False)",
    "nonzero": "(x, /)",
    "searchsorted": "(x1, x2, /, *, side='left', sorter=None)",
    "where": "(condition, x1, x2, /)",
    # sets
    "isin": "(x1, x2, /, *, invert=False)",
    "unique_all": "(x, /)",
    "unique_counts": "(x, /)",
    "unique_inverse": "(x, /)",
    "unique_values": "(x, /)",
    # sorting
    "argsort": "(x, /, *, axis=-1, descending=False, stable=True)",
    "sort": "(x, /, *, axis=-1, descending=False, stable=True)",
    # statistics
    "cumulative_prod": "(x, /, *, axis=None, dtype=None, include_initial=False)",
    "cumulative_sum": "(x, /, *, axis=None, dtype=None, include_initial=False)",
    "max": "(x, /, *, axis=None, keepdims=False)",
    "mean": "(x, /, *, axis=None, keepdims=False)",
    "min": "(x, /, *, axis=None, keepdims=False)",
    "prod": "(x, /, *, axis=None, dtype=None, keepdims=False)",
    "std": "(x, /, *, axis=None, correction=0.0, keepdims=False)",
    "sum": "(x, /, *, axis=None, dtype=None, keepdims=False)",
    "var": "(x, /, *, axis=None, correction=0.0, keepdims=False)",
    # utilities
    "all": "(x, /, *, axis=None, keepdims=False)",
    "any": "(x, /, *, axis=None, keepdims=False)",
    "diff": "(x, /, *, axis=-1, n=1, prepend=None, append=None)",
}

LINALG = {
    "cholesky": "(x, /, *, upper=False)",
    "cross": "(x1, x2, /, *, axis=-1)",
    "det": "(x, /)",
    "diagonal": "(x, /, *, offset=0)",
    "eig": "(x, /)",
    "eigh": "(x, /)",
    "eigvals": "(x, /)",
    "eigvalsh": "(x, /)",
    "inv": "(x, /)",
    "matmul": "(x1, x2, /)",
    "matrix_norm": "(x, /, *, keepdims=False, ord='fro')",
    "matrix_power": "(x, n, /)",
    "matrix_rank": "(x, /, *, rtol=None)",
    "matrix_transpose": "(x, /)",
    "outer": "(x1, x2, /)",
    "pinv": "(x, /, *, rtol=None)",
    "qr": "(x, /, *, mode='reduced')",
    "slogdet": "(x, /)",
    "solve": "(x1, x2, /)",
    "svd": "(x, /, *, full_matrices=True)",
    "svdvals": "(x, /)",
    "tensordot": "(x1, x2, /, *, axes=2)",
    "trace": "(x, /, *, offset=0, dtype=None)",
    "vecdot": "(x1, x2, /, *, axis=-1)",
    "vector_norm": "(x, /, *, axis=None, keepdims=False, ord=2)",
}

_ALONG = "(x, /, *, n=None, axis=-1, norm='backward')"
_OVER = "(x, /, *, s=None, axes=None, norm='backward')"
FFT = {
    "fft": _ALONG,
    "fftfreq": "(n, /, *, d=1.0, dtype=None, device=None)",
    "fftn": _OVER,
    "fftshift": "(x, /, *, axes=None)",
    "hfft": _ALONG,
    "ifft": _ALONG,
    "ifftn": _OVER,
    "ifftshift": "(x, /, *, axes=None)",
    "ihfft": _ALONG,
    "irfft": _ALONG,
    "irfftn": _OVER,
    "rfft": _ALONG,
    "rfftfreq": "(n, /, *, d=1.0, dtype=None, device=None)",
    "rfftn": _OVER,
}

CONSTANTS = ("e", "inf", "nan", "newaxis", "pi")
DTYPES = (
    "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
    "float32", "float64", "complex64", "complex128",
)  # fmt: skip

ATTRIBUTES = ("dtype", "device", "mT", "ndim", "shape", "size", "T")
_BINARY = (
    "add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "and", "or", "xor", "lshift", "rshift",
)  # fmt: skip
METHODS = (
    "__abs__", "__array_namespace__", "__bool__", "__complex__", "__dlpack__", "__dlpack_device__", "__eq__",
    "__float__", "__ge__", "__getitem__", "__gt__", "__index__", "__int__", "__invert__", "__le__", "__lt__", "__ne__",
    "__neg__", "__pos__", "__setitem__", "to_device",
    *(f"__{prefix}{name}__" for name in _BINARY for prefix in ("", "r", "i")),
)  # fmt: skip

#: Where the functions stand: the name, the literal table, and how to get there from a namespace.
_PLACES = {"main": (MAIN, lambda xp: xp), "linalg": (LINALG, lambda xp: xp.linalg), "fft": (FFT, lambda xp: xp.fft)}
_FUNCTIONS = [(place, name) for place, (table, _) in _PLACES.items() for name in table]
every_function = pytest.mark.parametrize(("place", "name"), _FUNCTIONS, ids=[".".join(pair) for pair in _FUNCTIONS])


def test_the_tables_are_complete():
    assert (len(MAIN), len(LINALG), len(FFT), len(CONSTANTS), len(DTYPES)) == (136, 25, 14, 5, 13)


def _parameters(function):
    return [(p.name, p.kind, p.default) for p in inspect.signature(function).parameters.values()]


def _is_the_frameworks(name, function):
    """Whether a function is the framework's own, which shows what else it takes, or nothing."""
    implementation = be.binding(name).implementation if name in DECLARATIONS else None
    return implementation is not None and function is implementation.options.native


#: Options beyond the standard.
_BEYOND = {"linspace": ("axis",), "std": ("ddof",), "var": ("ddof",)}


@every_function
def test_functions_and_their_signatures(place, name):
    table, get = _PLACES[place]
    want = _parameters(eval(f"lambda {table[name][1:-1]}: None"))
    for xp in (ca, be, be.native):
        function = getattr(get(xp), name)
        assert name in dir(get(xp))
        if _is_the_frameworks(name, function):
            assert xp is be.native
            continue
        found = _parameters(function)
        assert [p for p in found if p[0] not in ("out", *_BEYOND.get(name, ()))] == want
        assert [p[2] for p in found if p[0] == "out"] in ([], [None])


_DECLARED = [(place, name) for place, name in _FUNCTIONS if name in DECLARATIONS]


@pytest.mark.parametrize(("place", "name"), _DECLARED, ids=[".".join(pair) for pair in _DECLARED])
def test_what_is_called_has_the_signature_that_it_shows(place, name):
    _, get = _PLACES[place]
    for xp in (be, be.native):
        function = getattr(get(xp), name)
        if _is_the_frameworks(name, function):
            continue
        assert _parameters(inspect.unwrap(function)) == _parameters(function)
        written = [p for p in inspect.signature(function, follow_wrapped=False).parameters.values() if p.name != GUARD]
        shown = inspect.signature(function).parameters.values()
        assert [(p.name, p.default) for p in written] == [(p.name, p.default) for p in shown]
        guard = guard_lines(name, DECLARATIONS[name].parameters)
        if guard and not guard[-1].endswith(", False)"):
            continue  # the first option may be given by position, see tests/standard/test_habits.py
        if any(p.kind is p.KEYWORD_ONLY for p in shown) and not any(p.kind is p.VAR_POSITIONAL for p in shown):
            given = [be.zeros(2)] * sum(p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD) for p in shown)
            with pytest.raises(TypeError, match=r"by keyword|in one tuple"):
                function(*given, 0)


def test_constants_and_dtypes():
    for xp in (ca, be, be.native):
        for name in (*CONSTANTS, *DTYPES):
            assert hasattr(xp, name)
        assert (xp.e, xp.pi, xp.inf, xp.newaxis) == (2.718281828459045, 3.141592653589793, float("inf"), None)
        assert xp.nan != xp.nan
        assert xp.__array_api_version__ == "2025.12"


def test_attributes_and_methods_of_arrays():
    x = be.zeros((2, 2))
    for name in (*ATTRIBUTES, *METHODS):
        assert hasattr(x, name), name
    assert x.__array_namespace__() is x.__array_namespace__(api_version="2025.12") is be
    with pytest.raises(ValueError, match=r"edition '1999\.01'"):
        x.__array_namespace__(api_version="1999.01")


# --- what is tested


def _modules():
    """Import the test files of this folder."""
    for path in sorted(Path(__file__).parent.glob("test_*.py")):
        name = f"_covered_{path.stem}"
        if name not in sys.modules:
            spec = importlib.util.spec_from_file_location(name, path)
            sys.modules[name] = module = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(module)
        yield path.stem, sys.modules[name]


def test_every_declared_function_is_exercised():
    covered, categories = set(), set()
    for stem, module in _modules():
        categories.add(stem.removeprefix("test_"))
        for value in vars(module).values():
            if not isinstance(value, type):  # the kit's `Known` has a method of that name
                covered.update(getattr(value, "covers", ()))
        for table in ("UNARY", "BINARY"):
            covered.update(getattr(module, table, ()))
    declared = {name for name, declaration in DECLARATIONS.items() if declaration.category in categories}
    standard = {*MAIN, *LINALG, *FFT} & set(DECLARATIONS)
    assert standard <= declared
    assert declared - covered == set()
    assert declared - set(SAMPLES) == set()
    assert set(SAMPLES) - set(DECLARATIONS) == set()


def test_every_category_has_its_file():
    categories = {declaration.category for name, declaration in DECLARATIONS.items() if name in {*MAIN, *LINALG, *FFT}}
    files = {path.stem.removeprefix("test_") for path in Path(__file__).parent.glob("test_*.py")}
    assert categories <= files


def test_the_backend_is_the_one_asked_for():
    assert be.name == NAME


def test_the_page_of_functions_leaves_none_out():
    page = (Path(__file__).parents[2] / "docs" / "functions.md").read_text()
    others = set(DECLARATIONS) - {*MAIN, *LINALG, *FFT}
    assert [name for name in sorted(others) if f"`{name}`" not in page] == []
    primaries = sum(not declaration.compositional for declaration in DECLARATIONS.values())
    assert f" {primaries} functions have no composition" in page


def test_the_cost_of_each_composition_is_recorded_that_this_backend_has_natively():
    """`python -m benchmarks.compositions --write` records those that are missing."""
    benchmark = pytest.importorskip("benchmarks.compositions", reason="the benchmarks stand in the repository only")
    if NAME not in benchmark.BACKENDS:
        pytest.skip("this backend's functions are not measured")
    assert sorted(benchmark.native_compositions(be) - set(COSTS)) == []
