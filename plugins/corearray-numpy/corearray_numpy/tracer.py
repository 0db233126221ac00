"""What stands for an array of NumPy while its calls are written down.

It takes NumPy's own protocols for classes that are no arrays, `__array_ufunc__` and `__array_function__`; what would look
at elements meets a refusal, as nothing of NumPy can make an array of it.
"""

from __future__ import annotations

import operator
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import partial, wraps
from importlib import import_module
from itertools import count
from threading import RLock
from typing import Any

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin

from corearray.plugin import Recording, Step, Value, leaves, refuse_read, replaced, untraceable
from corearray_numpy.canonical import WIDENING, arguments_of, canonical, expanded, widens
from corearray_numpy.composed import composed, vectorized
from corearray_numpy.draws import refusing_draws
from corearray_numpy.unknown_axes import unknown_axes

#: What tells something of an array and nothing of its elements.
_FACTS = frozenset(("base", "device", "dtype", "flags", "itemsize", "nbytes", "ndim", "shape", "size"))
_PARTS = frozenset(("T", "mT"))

#: Methods that write, and functions that write into their first argument.
_WRITERS = frozenset(
    ("copyto", "fill", "fill_diagonal", "partition", "place", "put", "put_along_axis", "putmask", "sort")
)
READERS = frozenset(
    ("dump", "dumps", "item", "itemset", "resize", "setfield", "setflags", "tobytes", "tofile", "tolist")
)

#: Functions that are methods with the same arguments, which NumPy calls without a detour through Python.
_METHODS = {
    name: name
    for name in "all any argmax argmin argsort astype cumprod cumsum diagonal max mean min prod ravel repeat reshape round "
    "squeeze std sum swapaxes take trace transpose var".split()
} | {"amax": "max", "amin": "min"}
_OPTIONS = frozenset(
    ("axis", "axis1", "axis2", "ddof", "decimals", "dtype", "keepdims", "kind", "mode", "offset", "order")
)

#: Reductions, which NumPy computes by a method of a ufunc.
_REDUCTIONS = {
    "all": np.logical_and, "any": np.logical_or, "max": np.maximum, "min": np.minimum, "prod": np.multiply, "sum": np.add,
}  # fmt: skip

#: Functions of which the shape of the result depends on elements.
_SHAPED_BY_ELEMENTS = frozenset(
    "argwhere bincount compress delete extract flatnonzero insert intersect1d nonzero repeat setdiff1d setxor1d trim_zeros "
    "union1d unique unique_all unique_counts unique_inverse unique_values".split()
)


#: Functions that tell something of arrays and nothing of their elements.
_TELLING = frozenset(
    "array_repr array_str array2string broadcast_shapes can_cast common_type iscomplexobj isrealobj may_share_memory "
    "min_scalar_type ndim result_type shape size".split()
)

#: Functions of NumPy that make arrays and ask no array for its protocol.
MAKERS = (
    "arange array asanyarray asarray ascontiguousarray asfortranarray bartlett blackman empty empty_like eye fft.fftfreq "
    "fft.rfftfreq full full_like geomspace hamming hanning identity indices kaiser linspace logspace ones ones_like tri zeros "
    "zeros_like"
).split()

#: Where SciPy's functions are that this plugin calls. Those of its other modules are seen once the user has loaded them.
SCIPY = ("scipy.fft", "scipy.linalg", "scipy.special")

#: Those that stand for an implementation of this plugin, each in what holds it.
_HELD: dict[str, partial[Any]] = {}

#: The functions of this plugin that are one call of a graph.
WHOLE: dict[str, Callable[..., Any]] = {}

_at_work: ContextVar[Recorder | None] = ContextVar("corearray_numpy.tracer.recorder", default=None)
_patching = RLock()
if hasattr(os, "register_at_fork"):  # or a child would keep functions that are others for the time of a graph
    os.register_at_fork(before=_patching.acquire, after_in_parent=_patching.release, after_in_child=_patching.release)


def held(name: str) -> Callable[..., Any]:
    """Return one of NumPy's makers for what would keep the function itself, and never see the one that a graph puts there.

    It is called through what holds it, in C, and a graph puts another one into that.
    """
    return _HELD.setdefault(name, partial(getattr(np, name)))


def whole(plain: str, arguments: Callable[..., Any] | None = None) -> Callable[[Any], Any]:
    """Make a function of this plugin one call of a graph: one that looks at elements to choose a way.

    Parameters
    ----------
    plain
        The function of NumPy or SciPy that computes the same for finite elements. Texts of native calls name it.
    arguments
        Returns the arguments of that function by position and by keyword, by default the same by position.
    """

    def mark(function: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(function)
        def call(*args: Any, **options: Any) -> Any:
            recorder = _at_work.get()
            if recorder is None or not any(type(x) is Tracer for x in leaves((args, options))):
                return function(*args, **options)
            return recorder.call(call, path, args, options)

        path = f"{function.__module__}.{function.__name__}"
        call.plain = lambda *args: (plain, *(arguments(*args) if arguments else (args, {})))  # type: ignore[attr-defined]  # of a function
        WHOLE[path] = call
        return call

    return mark


def certain(x: Any) -> bool:
    """Return a truth value, or false for one that is not the same in each run of a graph."""
    return bool(x) if type(x) is not Tracer or x.literal else False


def shown(x: Any) -> Any:
    """Return an array as what a graph sees while one is made, so that it sees what is made of the array."""
    recorder = _at_work.get()
    return x if recorder is None or type(x) is Tracer else recorder.constant(x)


def seen(x: Any, beside: Any) -> Any:
    """Return an array as what a graph sees, if it is to meet one that a graph sees where NumPy asks for no protocol."""
    return beside._recorder.constant(x) if type(beside) is Tracer and type(x) is not Tracer else x


def _seen(function: Any, path: str, makes: bool = False) -> Any:
    """Return a function that is written down where a program of this thread is traced, and else is as it was."""

    @wraps(function)
    def call(*args: Any, **options: Any) -> Any:
        recorder = _at_work.get()
        caller = sys._getframe(1).f_globals.get("__name__", "").partition(".")[0]
        if (
            recorder is None
            or caller in ("numpy", "scipy")
            or not (makes or any(type(x) is Tracer for x in leaves((args, options))))
        ):
            return function(*args, **options)
        if path in ("scipy.linalg.get_blas_funcs", "scipy.linalg.get_lapack_funcs"):
            found = function(*replaced(args, _array), **replaced(options, _array))
            module = "blas" if "blas" in path else "lapack"
            many = isinstance(found, (list, tuple))
            names = args[0] if many else [args[0]]
            made = [
                _seen(f, f"scipy.linalg.{module}.{f.typecode}{name}")
                for name, f in zip(names, found if many else [found], strict=True)
            ]
            return made if many else made[0]
        written = [x for x in (options.get("out"), options.get("output")) if type(x) is Tracer]
        if any(value is True for name, value in options.items() if name.startswith("overwrite")):
            written += [x for x in leaves(args) if type(x) is Tracer]
        return recorder.call(function, path, args, options, written)

    return call


def _of_tracers(array: Callable[..., Any]) -> Callable[..., Any]:
    """Return the `array` with which `np.r_` and `np.c_` make arrays of their parts."""

    def call(x: Any, *args: Any, ndmin: int = 0, dtype: Any = None, **options: Any) -> Any:
        if type(x) is not Tracer:
            return array(x, *args, ndmin=ndmin, dtype=dtype, **options)
        x = x[(None,) * (ndmin - x.ndim)] if ndmin > x.ndim else x
        return x if dtype in (None, x.dtype) else x.astype(dtype)

    return call


@contextmanager
def at_work(recorder: Recorder) -> Iterator[None]:
    """Let a recorder see what NumPy's protocols do not show: the making of arrays, and functions of SciPy.

    For that time they are others, which do as ever in other threads.
    """
    for name in SCIPY:
        import_module(name)
    with _patching:
        draws = refusing_draws(_at_work)  # of NumPy as it is
        places = []
        for path in MAKERS:
            module, _, name = path.rpartition(".")
            places.append((getattr(np, module) if module else np, name, f"numpy.{path}", True))
        for module, content in list(sys.modules.items()):
            if module.startswith("scipy.") and module.count(".") == 1 and not module[6:].startswith("_"):
                places += [
                    (content, name, f"{module}.{name}", False)
                    for name in getattr(content, "__all__", ())
                    if callable(getattr(content, name, None))
                    and not isinstance(getattr(content, name), (type, np.ufunc))
                ]
        places.append((np.lib.stride_tricks, "as_strided", "numpy.lib.stride_tricks.as_strided", False))
        places.append((sys.modules[type(np.r_).__getitem__.__globals__["__name__"]], "array", "", False))
        before = [(module, name, getattr(module, name)) for module, name, _, _ in places]
        for (module, name, path, makes), (_, _, function) in zip(places, before, strict=True):
            setattr(module, name, _seen(function, path, makes) if path else _of_tracers(function))
        for module, own in draws.items():
            before.append((module, "np", module.np))
            module.np = own
        before.append((np.vectorize, "_vectorize_call", np.vectorize._vectorize_call))  # type: ignore[attr-defined]
        np.vectorize._vectorize_call = _vectorizing(np.vectorize._vectorize_call)  # type: ignore[attr-defined]
        kept = {name: holder.func for name, holder in _HELD.items()}
        for name, holder in _HELD.items():
            _hold(holder, getattr(np, name))
        token = _at_work.set(recorder)
        try:
            yield
        finally:
            _at_work.reset(token)
            for module, name, function in before:
                setattr(module, name, function)
            for name, function in kept.items():
                _hold(_HELD[name], function)


def _vectorizing(call: Callable[..., Any]) -> Callable[..., Any]:
    """Return the method by which `np.vectorize` calls a function for each element, which a graph sees."""

    @wraps(call)
    def vectorize_call(self: Any, func: Any, args: Any) -> Any:
        if _at_work.get() is None or not any(type(x) is Tracer for x in args):
            return call(self, func, args)
        return vectorized(self, func, args)

    return vectorize_call


@contextmanager
def trial(recorder: Recorder) -> Iterator[None]:
    """Let another recorder see the calls of a block, to learn what they are."""
    token = _at_work.set(recorder)
    try:
        yield
    finally:
        _at_work.reset(token)


def _hold(holder: partial[Any], function: Callable[..., Any]) -> None:
    """Put a function into what holds one, as unpickling does: the type stubs do not tell of that."""
    holder.__setstate__((function, (), {}, None))  # type: ignore[attr-defined]


class Recorder:
    """Makes the calls and writes them down."""

    def __init__(self) -> None:
        self.tainted: set[Any] = set()
        self.recording = Recording()
        self.tracers: dict[int, Tracer] = {}
        self.constants: dict[int, tuple[Value, Any]] = {}
        self.shapeless: dict[Value, frozenset[int]] = {}  # the axes whose lengths depend on elements
        self.widened: dict[Value, Value] = {}  # integers in 64 bits, by what they were before

    def tracer(self, array: Any) -> Tracer:
        """Return what stands for an array that a call returned."""
        if not isinstance(array, np.ndarray):
            return Tracer(self, array)
        if id(array) not in self.tracers:
            self.tracers[id(array)] = Tracer(self, array)
        return self.tracers[id(array)]

    def constant(self, x: Any) -> Tracer:
        """Return what stands for an array that no call made."""
        tracer = Tracer(self, x)
        tracer._value = self.value(x)
        return tracer

    def own(self, x: Any) -> Any:
        """Return a result in memory that no constant has: who writes into it must not change the graph."""
        memory = self.value(x).memory
        kept = {value.memory for value, _ in self.constants.values()} - {None}
        return self.call(np.ndarray.copy, "numpy.ndarray.copy", [x], {}) if memory in kept else x

    def refuse(self, what: str) -> None:
        """Refuse what reads elements, or note it where the answers of this run are kept."""
        refuse_read(
            f"'{what}' reads elements of an array, and a graph would keep those of this run; use functions of arrays such as "
            "where in place of Python's if and float(x), or compute it outside and pass it in"
        )

    def value(self, x: Any) -> Value:
        """Return the value of an array, a constant if no call made it."""
        if type(x) is Tracer:
            return x._value
        if id(x) not in self.constants:
            value = Value(x.shape, x.dtype.name, _memory(x), constant=x)
            self.constants[id(x)] = value, x
        return self.constants[id(x)][0]

    def call(self, function: Any, name: str, args: Any, options: Any, written: Any = ()) -> Any:
        """Make a call, with arrays in place of what stands for them."""
        short = name.rpartition(".")[2]
        for x in written:
            if type(x) is not Tracer:
                raise untraceable(f"'{name}' writes into an array that is no argument of the function; make it one")
        token = _at_work.set(None)
        try:
            result = function(*replaced(args, _array), **replaced(options, _array))
        finally:
            _at_work.reset(token)
        if name == "numpy.real" and result is _array(args[0]):
            result = result.view()  # a call of its own: the real part of eigenvalues that happen to be real is one too
        given = [x for x in leaves((args, options)) if type(x) is Tracer]
        if not any(isinstance(x, (np.ndarray, np.generic)) for x in leaves(result)) and not written:
            if short not in _TELLING and not all(x.literal for x in given):
                self.refuse(name)
            return result
        function, name, *said = canonical(function, name, args, options, result)
        arguments, keywords = replaced(said, lambda x: self.value(x) if isinstance(x, np.ndarray) else x)
        if name in WIDENING and "dtype" not in keywords:
            arguments[0] = self.widened.get(arguments[0], arguments[0])
        made = replaced(result, lambda x: self.tracer(x) if isinstance(x, (np.ndarray, np.generic)) else x)
        results = replaced(made, lambda x: x._value if type(x) is Tracer else None)
        if name == "numpy.ndarray.astype" and not keywords and widens(args[0].dtype, result.dtype):
            self.widened[results] = arguments[0]
        step = Step(function, name, arguments, keywords, results, writes=[x._value for x in written])
        step.place = _place_of_user()
        if written and not all(x.literal for x in given):
            self.tainted.update(x._value.memory for x in written)
        self.recording.add(step)
        depends = short in _SHAPED_BY_ELEMENTS or (short == "where" and len(args) == 1)
        if short == "repeat":
            depends = type(args[1] if len(args) > 1 else options.get("repeats")) is Tracer
        if short == "__getitem__":
            depends = any(type(key) is Tracer and key.dtype == np.bool_ for key in leaves(args[1]))
        if depends or any(value in self.shapeless for value in step.inputs):
            for value in step.outputs:
                axes = unknown_axes(step, value, self.shapeless)
                if axes:
                    self.shapeless[value] = axes
                    value.shape = tuple(None if axis in axes else n for axis, n in enumerate(value.shape))
        return made


class Tracer(NDArrayOperatorsMixin):
    """Stands for an array, or for the scalar that NumPy returns in the place of one."""

    __slots__ = ("__weakref__", "_array", "_recorder", "_value")

    def __init__(self, recorder: Recorder, array: Any) -> None:
        self._recorder = recorder
        self._array = array
        self._value = Value(array.shape, array.dtype.name, _memory(array))

    @property
    def __class__(self) -> Any:
        """Pass for an array where a program asks."""
        return np.ndarray

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        if not all(map(_is_known, inputs)):
            return NotImplemented
        name = f"{_module(ufunc)}.{ufunc.__name__}"
        function = ufunc
        if method != "__call__":
            name, function = f"{name}.{method}", getattr(ufunc, method)
        written = [x for x in options.get("out") or () if x is not None]
        if method == "at":
            written = [inputs[0]]
        return self._recorder.call(function, name, inputs, options, written)

    def __array_function__(self, function: Any, types: Any, args: Any, options: Any) -> Any:
        if not all(kind is Tracer or issubclass(kind, np.ndarray) for kind in types):
            return NotImplemented
        name = function.__name__
        made = expanded(name, function, args, options)
        if made is NotImplemented:
            made = composed(name, args, options)
        if made is not NotImplemented:
            return made
        if name == "clip" and len(args) <= 3 and not options.keys() & {"out", "where", "dtype"}:
            ends = {"a_min": "min", "a_max": "max"}
            return args[0].clip(*args[1:], **{ends.get(key, key): value for key, value in options.items()})
        if name in _METHODS and args and type(args[0]) is Tracer and options.keys() <= _OPTIONS:
            return getattr(args[0], _METHODS[name])(*args[1:], **options)
        out = options.get("out")
        written = [x for x in (out if isinstance(out, tuple) else (out,)) if x is not None]
        if name in _WRITERS - {"partition", "sort"}:
            written.append(args[0])
        return self._recorder.call(function, f"{function.__module__}.{name}", args, options, written)

    def __getattr__(self, name: str) -> Any:
        if name in _FACTS:
            if self.sizeless and name in ("nbytes", "shape", "size"):
                refuse_read(
                    f"'{name}' reads a shape that depends on elements; a graph would keep the shape of this run"
                )
            return getattr(self._array, name)
        found = getattr(np.ndarray, name, None)
        if name.startswith("__") or found is None:
            raise AttributeError(f"'numpy.ndarray' object has no attribute '{name}'")
        if name in ("real", "imag"):  # functions, because in a run this may be a scalar
            return self._recorder.call(getattr(np, name), f"numpy.{name}", [self], {})
        if name == "strides":
            if not self._array.flags.c_contiguous:
                raise untraceable(
                    "'x.strides' of an array with gaps in memory differ between frameworks; copy it before"
                )
            return self._array.strides
        if name == "flat":
            return _Flat(self)
        if name in _PARTS:
            return self._recorder.call(found.__get__, f"numpy.ndarray.{name}.__get__", [self], {})
        if name in READERS or not callable(found):
            return getattr(self._read(f"x.{name}"), name)

        def method(*args: Any, **options: Any) -> Any:
            if name in ("mean", "std", "var"):
                made = expanded(name, getattr(np, name), (self, *args), options)
                if made is not NotImplemented:
                    return made
            if name in _REDUCTIONS:
                said = arguments_of(name, (self, *args), options)
                if said is not None and said.keys() <= {"axis", "dtype", "keepdims"}:
                    return _REDUCTIONS[name].reduce(self, **{"axis": None, **said})
            if name == "reshape":
                options.pop("copy", None)  # whether one is needed is for each array to say
            out = options.get("out")
            written = [x for x in (out,) if x is not None] + ([self] if name in _WRITERS else [])
            function = getattr(type(self._array), name)
            return self._recorder.call(function, f"numpy.ndarray.{name}", [self, *args], options, written)

        return method

    def __getitem__(self, key: Any) -> Any:
        return self._recorder.call(operator.getitem, "numpy.ndarray.__getitem__", [self, key], {})

    def __setitem__(self, key: Any, value: Any) -> None:
        self._recorder.call(operator.setitem, "numpy.ndarray.__setitem__", [self, key, value], {}, [self])

    def __setattr__(self, name: str, value: Any) -> None:
        if name in Tracer.__slots__:
            object.__setattr__(self, name, value)
        elif name == "flat":
            self.flat[:] = value
        elif name in ("real", "imag"):
            getattr(self, name)[...] = value
        else:
            raise untraceable(f"the attribute '{name}' of an array is set, which a graph cannot hold")

    def __pow__(self, other: Any) -> Any:
        return self._recorder.call(operator.pow, "operator.pow", [self, other], {})

    def __rpow__(self, other: Any) -> Any:
        return self._recorder.call(operator.pow, "operator.pow", [other, self], {})

    def __len__(self) -> int:
        if not self._array.ndim:
            raise TypeError("len() of unsized object")
        return int(self.shape[0])

    def __iter__(self) -> Iterator[Any]:
        return (self[i] for i in range(len(self)))

    def __repr__(self) -> str:
        return repr(self._array)

    @property
    def literal(self) -> bool:
        """Whether its elements depend on nothing but what is written in the program."""
        return self._value.literal and self._value.memory not in self._recorder.tainted

    @property
    def sizeless(self) -> bool:
        """Whether the shape of the array depends on elements, as that of `x[mask]`."""
        return self._value in self._recorder.shapeless

    def _read(self, what: str) -> Any:
        """Return the array itself, to look at elements that are the same in each run, or are assumed to be."""
        if not self.literal:
            self._recorder.refuse(what)
        return self._array

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        if self.literal:
            return np.array(self._array, dtype=dtype, copy=copy)
        raise untraceable(
            "what stands for an array is made a plain array, by a function that NumPy does not show to a graph, such as a "
            "write into an array of which the program is no maker"
        )

    def __bool__(self) -> bool:
        return bool(self._read("bool(x)"))

    def __int__(self) -> int:
        return int(self._read("int(x)"))

    def __float__(self) -> float:
        return float(self._read("float(x)"))

    def __complex__(self) -> complex:
        return complex(self._read("complex(x)"))

    def __index__(self) -> int:
        return operator.index(self._read("operator.index(x)"))

    def __contains__(self, value: object) -> bool:
        return value in self._read("value in x")


class _Flat:
    """The elements of an array in the order of C, which are read, written and iterated over."""

    def __init__(self, array: Tracer) -> None:
        self._array = array

    def __len__(self) -> int:
        return int(self._array.size)

    def __iter__(self) -> Iterator[Any]:
        return iter(self[...])

    def __getitem__(self, key: Any) -> Any:
        made = self._array.flatten()
        return made if key is Ellipsis else made[key]

    def __setitem__(self, key: Any, value: Any) -> None:
        places = np.arange(self._array.size)[key if type(key) is not Tracer else key._read("x.flat[key]")]
        np.put(self._array, places, value)


def _giving_way(operator: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """Leave an operator to the other operand where an array of NumPy does."""

    @wraps(operator)
    def method(self: Any, other: Any) -> Any:
        if getattr(other, "__array_priority__", 0) > 0 and not hasattr(type(other), "__array_ufunc__"):
            return NotImplemented
        return operator(self, other)

    return method


for _name in "add and divmod eq floordiv ge gt le lshift lt matmul mod mul ne or pow rshift sub truediv xor".split():
    setattr(Tracer, f"__{_name}__", _giving_way(getattr(Tracer, f"__{_name}__")))


def _of_arrays(operator: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """Leave an operator in place to the plain one where this is a scalar, which does not change."""

    @wraps(operator)
    def method(self: Any, other: Any) -> Any:
        return operator(self, other) if isinstance(self._array, np.ndarray) else NotImplemented

    return method


for _name in "add and floordiv lshift matmul mod mul or pow rshift sub truediv xor".split():
    setattr(Tracer, f"__i{_name}__", _of_arrays(getattr(Tracer, f"__i{_name}__")))


def _is_known(x: Any) -> bool:
    """Whether no other class has a say in what NumPy's functions do with an argument."""
    return type(x) is Tracer or isinstance(x, (np.ndarray, np.generic)) or not hasattr(type(x), "__array_ufunc__")


def _array(x: Any) -> Any:
    return x._array if type(x) is Tracer else x


_scalars = count()


def _memory(x: Any) -> Any:
    """Tell memories apart by the arrays that own them; a scalar owns its element."""
    if not isinstance(x, np.ndarray):
        return ("scalar", next(_scalars))
    while isinstance(x.base, np.ndarray):
        x = x.base
    return id(x)


def _module(ufunc: Any) -> str:
    if getattr(np, ufunc.__name__, None) is ufunc:
        return "numpy"
    return getattr(ufunc, "__module__", None) or "scipy.special"


#: NumPy's code.
_NUMPY = os.path.dirname(np.__file__) + os.sep  # noqa: PTH120 - a string, compared with the file names of frames


def _place_of_user() -> str:
    """Return the file and line outside of NumPy and corearray from which a call came; empty if there is none."""
    frame = sys._getframe(2)
    while frame is not None:
        name = frame.f_globals.get("__name__") or ""
        file = frame.f_code.co_filename
        if not file.startswith((_NUMPY, "<")) and not name.startswith(("corearray.", "corearray_")):
            return f"{file}:{frame.f_lineno}"
        frame = frame.f_back
    return ""
