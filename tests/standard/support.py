"""What the tests of the standard share: the backend under test, values of its dtypes, the comparison with NumPy.

One backend a process: the environment variable COREARRAY_BACKEND names it, "strict" is the pretend backend of
`tests/strict_backend.py`. Expected values are computed here, with NumPy in float64 and complex128 and with Python's own
integers, from the very numbers that the backend gets.
"""

from __future__ import annotations

import inspect
import math
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple, TypeVar

import numpy as np
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import corearray as ca
from corearray.calls.binding import Binding

NAME = os.environ.get("COREARRAY_BACKEND") or "numpy"
if NAME == "strict":
    import strict_backend

    strict_backend.register()

#: The backend under test.
be = ca.get_backend(NAME)


#: Marks a test of derivatives.
needs_derivatives = pytest.mark.skipif("reverse_mode" not in be.facts, reason="this framework does not differentiate")


#: Whether the framework compiles for every new shape, so that it has cases of functions compiled too. Not how long that
#: takes: the processes of one run would choose different tests.
COMPILES = "compiled_case" in be.facts

#: Whether `scripts/test --long` runs, which leaves nothing out.
LONG = "COREARRAY_TEST_LONG" in os.environ

#: How the property tests run: few examples, fewer where each is compiled, the same ones in CI every time.
#: COREARRAY_TEST_EXAMPLES asks for more.
examples = settings(
    max_examples=int(os.environ.get("COREARRAY_TEST_EXAMPLES") or (3 if COMPILES else 10)),
    deadline=None,
    derandomize="CI" in os.environ,
    database=None,
)

# --- dtypes

SIGNED = ("int8", "int16", "int32", "int64")
UNSIGNED = ("uint8", "uint16", "uint32", "uint64")
INTEGER = SIGNED + UNSIGNED
FLOAT = ("float32", "float64")
COMPLEX = ("complex64", "complex128")
FLOATING = FLOAT + COMPLEX
REAL = INTEGER + FLOAT
NUMERIC = REAL + COMPLEX
ALL = ("bool", *NUMERIC)

#: The dtypes of the standard that the backend has.
HAVE = tuple(name for name in ALL if getattr(ca, name) in be.native_dtypes)

#: The standard's table of promotion, with the cases across kinds that it leaves open; `-`: no common dtype.
_TABLE = """
    .   b   i1  i2  i4  i8  u1  u2  u4  u8  f4  f8  c8  c16
    b   b   i1  i2  i4  i8  u1  u2  u4  u8  f4  f8  c8  c16
    i1  i1  i1  i2  i4  i8  i2  i4  i8  -   f4  f8  c8  c16
    i2  i2  i2  i2  i4  i8  i2  i4  i8  -   f4  f8  c8  c16
    i4  i4  i4  i4  i4  i8  i4  i4  i8  -   f4  f8  c8  c16
    i8  i8  i8  i8  i8  i8  i8  i8  i8  -   f4  f8  c8  c16
    u1  u1  i2  i2  i4  i8  u1  u2  u4  u8  f4  f8  c8  c16
    u2  u2  i4  i4  i4  i8  u2  u2  u4  u8  f4  f8  c8  c16
    u4  u4  i8  i8  i8  i8  u4  u4  u4  u8  f4  f8  c8  c16
    u8  u8  -   -   -   -   u8  u8  u8  u8  f4  f8  c8  c16
    f4  f4  f4  f4  f4  f4  f4  f4  f4  f4  f4  f8  c8  c16
    f8  f8  f8  f8  f8  f8  f8  f8  f8  f8  f8  f8  c16 c16
    c8  c8  c8  c8  c8  c8  c8  c8  c8  c8  c8  c16 c8  c16
    c16 c16 c16 c16 c16 c16 c16 c16 c16 c16 c16 c16 c16 c16
"""
_CODES = dict(zip(_TABLE.split("\n")[1].split()[1:], ALL, strict=True))


def _read(table: str) -> dict[tuple[str, str], str | None]:
    rows = [line.split() for line in table.strip().splitlines()]
    return {
        (_CODES[row[0]], _CODES[column]): _CODES.get(entry)
        for row in rows[1:]
        for column, entry in zip(rows[0][1:], row[1:], strict=True)
    }


#: From two names of dtypes to that of the common one, or `None`.
PROMOTION = _read(_TABLE)

#: A Python scalar leaves an array's dtype alone, or takes it to the default dtype of the scalar's kind.
_DEFAULTS = {int: "int64", float: "float32", complex: "complex64"}


def with_scalar(dtype: str, scalar: complex) -> str:
    """Return the name of the dtype of an array with a Python scalar, which is weak."""
    kind = np.dtype(dtype).kind
    strength = "biufc".replace("iu", "i").index("i" if kind == "u" else kind)
    wanted = {bool: 0, int: 1, float: 2, complex: 3}[type(scalar)]
    if wanted <= strength:
        return dtype
    if wanted == 3 and strength == 2:
        return {"float32": "complex64", "float64": "complex128"}[dtype]
    return _DEFAULTS[type(scalar)]


def float_dtype(dtype: str) -> str:
    """Return the name of the dtype in which functions of floating numbers compute."""
    return dtype if dtype in FLOATING else "float32"


def sum_dtype(dtype: str) -> str:
    """Return the name of the dtype in which sums are taken."""
    if dtype in UNSIGNED:
        return "uint64"
    return "int64" if dtype in ("bool", *SIGNED) else dtype


def real_of(dtype: str) -> str:
    """Return the name of the dtype of the parts of complex numbers."""
    return {"complex64": "float32", "complex128": "float64"}.get(dtype, dtype)


def complex_of(dtype: str) -> str:
    """Return the name of the complex dtype of the same precision."""
    return {"float32": "complex64", "float64": "complex128"}.get(dtype, dtype)


def wide(x: Any) -> Any:
    """Return an array in the precision in which expected values are computed: Python integers, float64, complex128."""
    kind = np.asarray(x).dtype.kind
    if kind in "iu":
        return np.asarray(x).astype(object)
    return np.asarray(x).astype({"b": "bool", "f": "float64", "c": "complex128"}[kind])


def cast(x: Any, dtype: str) -> Any:
    """Cast an array or a Python scalar with NumPy."""
    if isinstance(x, (bool, int, float, complex)):
        return np.asarray(x, dtype=dtype)
    return np.asarray(x).astype(dtype)


# --- values

#: Elements are taken from a domain: `low` to `high` for real numbers and for each part of a complex one.


class Domain(NamedTuple):
    """Where the elements of an argument lie.

    Attributes
    ----------
    low, high
        Bounds of real numbers, and of the size of each part of a complex one.
    step
        What the floating ones are multiples of, if anything.
    nonzero
        Whether zero is left out, and floating numbers smaller than 0.001.
    off_axes
        Whether the parts of complex numbers are at least 0.1 in size, away from the branch cuts.
    """

    low: float = -1000.0
    high: float = 1000.0
    step: float = 0.0
    nonzero: bool = False
    off_axes: bool = False

    def bounds(self, dtype: str) -> tuple[Any, Any]:
        """Return the bounds in a dtype."""
        if dtype in INTEGER:
            limits = np.iinfo(dtype)
            return max(int(limits.min), math.ceil(self.low)), min(int(limits.max), math.floor(self.high))
        return self.low, self.high

    def edges(self, dtype: str) -> np.ndarray:
        """Return a vector of values that are worth a test, the bounds among them."""
        if dtype == "bool":
            found: list[Any] = [True] if self.nonzero else [True, False, True]
        elif dtype in INTEGER:
            low, high = self.bounds(dtype)
            pool = [low, low + 1, high, high - 1, 0, 1, 2, 3, 5, 7, 10, 100, -1, -2, -3, -7, -10, -100]
            found = [v for v in dict.fromkeys(pool) if low <= v <= high and not (self.nonzero and v == 0)]
        elif dtype in FLOAT:
            found = self._reals(dtype)
        else:
            least = 0.1 if self.off_axes else 0.0
            size = min(-self.low, self.high) if self.low < 0 else self.high
            parts = [v for v in (0.5, -2.0, 0.0, 1.5, -0.25, 3.0, size, -size) if least <= abs(v) <= size]
            found = [complex(a, b) for a in parts for b in parts if not (self.nonzero and a == b == 0)]
        return np.asarray(found, dtype=dtype)

    def _reals(self, dtype: str) -> list[float]:
        pool = [0.0, -0.0, 0.25, -0.25, 0.5, -0.5, 1.0, -1.0, 1.5, -1.5, 2.0, -2.5, 3.0, -7.0, 10.0, -100.0, 1000.0]
        near, far = max(self.low, -50.0), min(self.high, 50.0)
        drawn = np.random.default_rng(7).uniform(near, far, 6).tolist()
        if self.step:
            drawn = [round(v / self.step) * self.step for v in drawn]
        else:
            drawn += [self.low, self.high, 1e-3, -1e-3, 1e-6, -1e-6]
        found = [float(np.asarray(v, dtype)) for v in (*pool, *drawn)]
        return [v for v in found if self.low <= v <= self.high and not (self.nonzero and abs(v) < 1e-3)]

    def elements(self, dtype: str) -> st.SearchStrategy[Any]:
        """Return the strategy for one element."""
        if dtype == "bool":
            return st.just(True) if self.nonzero else st.booleans()
        if dtype in INTEGER:
            low, high = self.bounds(dtype)
            drawn: st.SearchStrategy[Any] = st.integers(low, high) | st.integers(max(low, -9), min(high, 9))
            return drawn.filter(bool) if self.nonzero else drawn
        if dtype in FLOAT:
            return self._floats(32 if dtype == "float32" else 64)
        size = min(-self.low, self.high) if self.low < 0 else self.high
        part = Domain(-size, size, self.step)._floats(32 if dtype == "complex64" else 64)
        if self.off_axes:
            part = part.filter(lambda v: abs(v) >= 0.1)
        drawn = st.builds(complex, part, part)
        return drawn.filter(lambda v: abs(v) >= 1e-3) if self.nonzero else drawn

    def _floats(self, width: int) -> st.SearchStrategy[float]:
        if self.step:
            count = st.integers(math.ceil(self.low / self.step), math.floor(self.high / self.step))
            drawn: st.SearchStrategy[float] = count.map(lambda n: n * self.step)
        else:
            low, high = _inside(self.low, self.high, width)
            drawn = st.floats(low, high, width=width, allow_subnormal=False)  # type: ignore[arg-type]
        return drawn.filter(lambda v: abs(v) >= 1e-3) if self.nonzero else drawn


def _inside(low: float, high: float, width: int) -> tuple[float, float]:
    """Return the bounds moved inwards to numbers of the width."""
    if width == 64:
        return low, high
    one, two = np.float32(low), np.float32(high)
    one = np.nextafter(one, np.float32(np.inf)) if float(one) < low else one
    two = np.nextafter(two, np.float32(-np.inf)) if float(two) > high else two
    return float(one), float(two)


#: Every integer of a dtype; floating numbers of moderate size.
ANY = Domain(-1e30, 1e30)
MODERATE = Domain(-1000.0, 1000.0)
SMALL = Domain(-4.0, 4.0)

#: Shapes with at most three axes, some of them without elements. Where each is compiled they are few, unless `--long` runs.
shapes = hnp.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=3)
full_shapes = hnp.array_shapes(min_dims=0, max_dims=3, min_side=1, max_side=3)
if COMPILES and not LONG:
    full_shapes = st.sampled_from([(2, 3), (3,), (), (2, 1, 3)])
    shapes = full_shapes | st.just((0, 2))


def dtypes_of(names: Iterable[str]) -> st.SearchStrategy[str]:
    """Draw one of the dtypes that the backend has."""
    return st.sampled_from([name for name in names if name in HAVE])


def arrays(dtype: str, shape: Any = shapes, domain: Domain = MODERATE, **options: Any) -> st.SearchStrategy[np.ndarray]:
    """Draw a NumPy array of a dtype."""
    return hnp.arrays(dtype, shape, elements=domain.elements(dtype), **options)


def axes_of(ndim: int, *, none: bool = True, empty: bool = True) -> st.SearchStrategy[Any]:
    """Draw what `axis` may be where several axes are allowed: one, a tuple of different ones, `None`."""
    choices: list[st.SearchStrategy[Any]] = [st.none()] if none else []
    if ndim:
        choices.append(st.integers(-ndim, ndim - 1))
        either = st.permutations(range(ndim)).flatmap(
            lambda order: st.tuples(*(st.sampled_from((axis, axis - ndim)) for axis in order))
        )
        choices.append(either.flatmap(lambda order: st.integers(0 if empty else 1, ndim).map(lambda n: order[:n])))
    elif empty:
        choices.append(st.just(()))
    return st.one_of(choices)


def axis_of(ndim: int) -> st.SearchStrategy[int]:
    """Draw one axis, counted from the front or from the end."""
    return st.integers(-ndim, ndim - 1)


# --- to the backend and back


def array(x: Any) -> ca.Array:
    """Give the backend a copy of a NumPy array."""
    made: ca.Array = be.asarray(np.array(x, copy=True), dtype=getattr(ca, str(np.asarray(x).dtype)))
    return made


def arguments(value: Any) -> Any:
    """Give the backend every NumPy array in nested lists, tuples and dictionaries."""
    if isinstance(value, np.ndarray):
        return array(value)
    if isinstance(value, (list, tuple)):
        return type(value)(arguments(item) for item in value)
    if isinstance(value, dict):
        return {key: arguments(item) for key, item in value.items()}
    return value


def composition(name: str) -> Callable[..., Any]:
    """Return the composition of a function on this backend, also where there is a native one."""
    binding = be.binding(name)
    composed = Binding(binding.declaration, be, None, binding._stage)
    signature = inspect.signature(binding.declaration.function)

    def call(*args: Any, **options: Any) -> Any:
        bound = signature.bind(*args, **options)
        bound.apply_defaults()
        return composed.pipeline(list(bound.arguments.values()))

    return call


def numpy_of(x: ca.Array) -> np.ndarray:
    """Return the elements of a result."""
    found: np.ndarray = be.to_numpy(x)
    return found


def dtype_name(dtype: Any) -> str:
    return str(dtype)


# --- the comparison

#: Greatest relative error of one function; sums and factorisations say by how much more they may be off.
TOLERANCE = {"float32": 1e-5, "float64": 1e-12, "complex64": 1e-5, "complex128": 1e-12}


def check(what: Any, got: Any, want: Any, dtype: str | None = None, *, factor: float = 1.0, scale: Any = 0.0) -> None:
    """Compare a result with the expected one: type, dtype, shape, and values within the tolerance of the dtype.

    Parameters
    ----------
    what
        The call, for the message: the name of the function and its arguments.
    got
        What the backend returned.
    want
        What NumPy returned, in a precision at least as high. Integers that the dtype does not hold are not compared.
    dtype
        Name of the dtype that the result must have; by default that of `want`.
    factor
        By how much the tolerance is wider than that of one elementary function.
    scale
        Size of the numbers that enter the result, where they may be larger than it.
    """
    want = np.asarray(want)
    dtype = dtype or str(want.dtype)
    if isinstance(got, be.Array):
        assert got._kind is be.wrap(got.native)._kind, f"{told(what)}: an array of {got.native.dtype} as {got._kind}"
    if type(got) is not be.Array:
        raise AssertionError(f"{told(what)}: expected an Array of backend '{NAME}', found {type(got)}")
    if got.dtype is not getattr(ca, dtype):
        raise AssertionError(f"{told(what)}: expected dtype {dtype}, found {got.dtype}")
    if tuple(got.shape) != want.shape:
        raise AssertionError(f"{told(what)}: expected shape {want.shape}, found {tuple(got.shape)}")
    found = numpy_of(got)
    if found.shape != want.shape or str(found.dtype) != dtype:
        raise AssertionError(f"{told(what)}: to_numpy gives {found.dtype}{found.shape}, not {dtype}{want.shape}")
    compare(what, found, want, dtype, factor=factor, scale=scale)


def compare(what: Any, found: np.ndarray, want: Any, dtype: str, *, factor: float = 1.0, scale: Any = 0.0) -> None:
    """Compare numbers within the tolerance of a dtype, see `check`."""
    want = np.asarray(want)
    wrong = _different(found, want, dtype, factor, scale)
    if wrong.any():
        place = tuple(int(i) for i in np.argwhere(wrong)[0])
        raise AssertionError(
            f"{told(what)}: expected {want[place]!r}, found {found[place]!r} at {place}\n  expected {want.tolist()}\n"
            f"  found    {found.tolist()}"
        )


def _different(found: np.ndarray, want: np.ndarray, dtype: str, factor: float, scale: Any) -> np.ndarray:
    if dtype not in FLOATING:
        if dtype in INTEGER:
            held = (want >= np.iinfo(dtype).min) & (want <= np.iinfo(dtype).max)
            return np.asarray((found.astype(object) != want.astype(object)) & held, dtype=bool)
        return np.asarray(found != want.astype(bool))
    want = want.astype(np.float64) if want.dtype.kind == "O" else want
    with np.errstate(all="ignore"):
        rounded = want.astype(dtype)
        size = np.maximum(np.abs(want), np.abs(np.asarray(scale, dtype=np.float64)))
        # What lies below the normal numbers may be flushed to zero, on the way and in both parts of a complex number.
        close = np.abs(found - want) <= factor * TOLERANCE[dtype] * size + 2 * np.finfo(dtype).tiny
    same = (found == rounded) | (np.isnan(found) & np.isnan(want))
    return np.asarray(~(close | same))


def told(what: Any) -> str:
    """Write a call as it was made."""
    if isinstance(what, str):
        return what
    name, *rest = what
    return f"{name}({', '.join(_shown(value) for value in rest)})"


def _shown(value: Any) -> str:
    if isinstance(value, np.ndarray):
        return f"{value.dtype}{list(value.shape)} {value.tolist()}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(_shown, value)) + "]"
    if isinstance(value, dict):
        return ", ".join(f"{key}={_shown(item)}" for key, item in value.items())
    return repr(value)


_F = TypeVar("_F", bound=Callable[..., Any])


def covers(*names: str) -> Callable[[_F], _F]:
    """Say which declared functions a test exercises; `conftest.py` fails it if it never reached one of them."""

    def decorate(test: _F) -> _F:
        test.covers = names  # type: ignore[attr-defined]
        return test

    return decorate


def parts(values: Sequence[Any]) -> list[np.ndarray]:
    """Return the elements of several results."""
    return [numpy_of(value) for value in values]


# --- the arguments of a sample

#: The way to an array in nested arguments: the keys and places on it.
Place = tuple[Any, ...]


def places(value: Any, here: Place = ()) -> Iterator[tuple[Place, np.ndarray]]:
    """Yield the arrays in arguments, each with the way that leads to it."""
    if isinstance(value, np.ndarray):
        yield here, value
        return
    for key, item in (
        value.items() if isinstance(value, dict) else enumerate(value) if type(value) in (list, tuple) else ()
    ):
        yield from places(item, (*here, key))


def replaced(value: Any, at: dict[Place, Any], here: Place = ()) -> Any:
    """Return arguments with other arrays at some places."""
    if here in at:
        return at[here]
    if isinstance(value, dict):
        return {key: replaced(item, at, (*here, key)) for key, item in value.items()}
    if type(value) in (list, tuple):
        return type(value)(replaced(item, at, (*here, i)) for i, item in enumerate(value))
    return value
