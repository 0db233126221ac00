"""Types, dtypes and devices of torch, stand-ins for the dtypes without kernels, and the ways in and out.

torch has `uint16`, `uint32` and `uint64` since 2.3 and computes next to nothing in them: they can be made, cast, viewed
and compared for equality. The tables of stand-ins say how the rest is computed without losing a bit.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from contextvars import ContextVar
from functools import lru_cache
from types import FunctionType
from typing import Any

import torch
from torch.autograd import forward_ad
from torch.utils import _pytree

from corearray import TracingError
from corearray.plugin import Via, called_on_natives, hookimpl, is_foreign, is_typed_number, matches
from corearray_torch.sharding import is_copied, is_spread, local, printable, whole

# --- stand-ins for dtypes -------------------------------------------------------------------------------------------

UNSIGNED = {"uint16": "int16", "uint32": "int32", "uint64": "int64"}
#: The same as torch's dtypes.
SIGNED = {getattr(torch, unsigned): getattr(torch, signed) for unsigned, signed in UNSIGNED.items()}
#: `hookimpl(lacks=...)` of what torch computes in real floating dtypes only.
NOT_REAL = ("bool", "integral", "complex floating")


def _table(make: Callable[[torch.dtype, torch.dtype], tuple[Any, Any]], *, back: bool) -> dict[str, Via]:
    return {
        unsigned: Via(signed, *make(getattr(torch, signed), getattr(torch, unsigned)), back=back)
        for unsigned, signed in UNSIGNED.items()
    }


def _same_bits(signed: torch.dtype, unsigned: torch.dtype) -> tuple[Any, Any]:
    return lambda x: x.view(signed), lambda x: x.view(unsigned)


def _same_order(signed: torch.dtype, unsigned: torch.dtype) -> tuple[Any, Any]:
    top = torch.iinfo(signed).min
    return lambda x: x.view(signed) ^ top, lambda x: (x ^ top).view(unsigned)


#: `hookimpl(via=...)` of functions that torch refuses for truth values: they give those that NumPy gives, or its integers.
TRUTH_AS_NUMBERS: dict[str, str | Via] = {"bool": "int32"}
TRUTH_TO_INT8: dict[str, str | Via] = {"bool": Via("int8", back=False)}
TRUTH_TO_INT64: dict[str, str | Via] = {"bool": Via("int64", back=False)}

#: The same bits as a signed integer: right for arithmetic that wraps around and for whatever only moves elements.
BITS = _table(_same_bits, back=True)
#: The same for functions whose results have another dtype than their arguments.
BITS_IN = _table(_same_bits, back=False)
#: A signed integer that sorts like the unsigned one: right for comparing and choosing.
ORDER = _table(_same_order, back=True)
#: The same for functions that return indices or truth values.
ORDER_IN = _table(_same_order, back=False)
#: A wider signed integer of the same value, where there is one.
WIDE: dict[str, str | Via] = {"uint16": "int32", "uint32": "int64"}
#: `uint64` as it is, two arrays of it: the implementation has an algorithm of its own.
OWN_UINT64: dict[str, str | Via] = {"uint64": Via("uint64", lambda x: x, lambda x: x)}
#: The same value in int64, or for large uint64 the same bits: right for sums, which wrap around, and beside indices.
VALUES: dict[str, str | Via] = {"uint16": "int64", "uint32": "int64", "uint64": BITS["uint64"]}
#: The floating dtypes without kernels for linear algebra and Fourier transforms.
HALF: dict[str, str | Via] = {"bfloat16": "float32", "float16": "float32"}
#: The same for functions whose results are as precise as the complex numbers for which they take real ones.
HALF_IN: dict[str, str | Via] = {name: Via("float32", back=False) for name in HALF}
#: Truth values in their place.
TRUTH: dict[str, str | Via] = {name: Via("bool", back=False) for name in UNSIGNED}


def as_indices(x: Any) -> Any:
    """Cast integers to the one dtype that torch takes for indices everywhere."""
    if x.is_floating_point() or x.is_complex() or x.dtype is torch.bool:
        raise TypeError(f"indices are integers, got an array of {x.dtype}")
    return x.long()


def extreme(which: Callable[[Any], Any], numbers: Any) -> int | float | None:
    """Return `torch.min` or `torch.max` of numbers, or `None` where nobody can look: in graphs, transforms, on a device."""
    if _hidden(numbers):
        return None
    try:
        found = which(numbers).item()
    except (RuntimeError, TypeError, IndexError):
        return None
    return found if type(found) in (int, float) else None  # not a symbol, as some tracers have


def extremes(numbers: Any) -> tuple[int | float, int | float] | None:
    """Return the least and the greatest of numbers by one look, or `None` where there are none or nobody can look."""
    if _hidden(numbers):
        return None
    try:
        least, greatest = (found.item() for found in torch.aminmax(numbers))
    except (RuntimeError, TypeError, IndexError):
        return None
    return (least, greatest) if type(least) in (int, float) else None


def _hidden(x: Any) -> bool:
    return torch.compiler.is_compiling() or torch.jit.is_tracing() or not x.is_cpu


#: The marks of `torch.jit.script_if_tracing`.
_WRAPS, _WRAPPED = "__script_if_tracing_wrapper", "__original_fn"


def trace_instead(function: Any, substitute: Any) -> None:
    """Say what to trace in place of what is called.

    Of Python functions, and before torch 2.5 of other objects, `torch.compile` reads the first mark; of other objects those
    that `torch.jit.script_if_tracing` leaves.
    """
    function._torchdynamo_inline = substitute
    if not isinstance(function, FunctionType) or hasattr(function, _WRAPS):
        setattr(function, _WRAPS, True)
        setattr(function, _WRAPPED, substitute)


_Transform = torch._C._functorch.CInterpreter
_innermost_transform = torch._C._functorch.peek_interpreter_stack


def transforming() -> bool:
    """Whether one of torch's own transforms is at work, such as `vmap` or forward mode."""
    # Not "is not None", which torch's compiler takes for true where there is none.
    return isinstance(_innermost_transform(), _Transform) or forward_ad._current_level >= 0


def finite_sum(x: Any) -> bool | None:
    """Whether the sum of an array is finite, of which it follows that all elements are; `None` where nobody can look."""
    total = extreme(_sum_of_parts, x)
    return None if total is None else math.isfinite(total)


def _sum_of_parts(x: Any) -> Any:
    return (torch.view_as_real(x) if x.is_complex() else x).sum()


def by_index(call: Callable[..., Any], x: Any, axis: int, indices: Any, *more: Any) -> Any:
    """Call a function by indices along an axis, of which torch takes no negative ones: on CPUs it refuses them at once.

    So they are counted from the front only if it did, or where nobody can look.
    """
    if at_hand(indices):
        try:
            return call(x, axis, indices, *more)
        except (IndexError, RuntimeError):  # one is negative, or lies outside: then torch says so again
            pass
    return call(x, axis, torch.where(indices < 0, indices + x.shape[axis], indices), *more)


_is_tracing = torch._C._is_tracing
_function_modes, _dispatch_modes = torch._C._len_torch_function_stack, torch._C._len_torch_dispatch_stack


def at_hand(x: Any) -> bool:
    """Whether torch sees the elements of an array when it is called, and no compiler, tracer, mode or transform before."""
    return (
        type(x) is torch.Tensor
        and x.is_cpu
        and not (_is_tracing() or _function_modes() or _dispatch_modes() or _innermost_transform())
        and forward_ad._current_level < 0  # the two are asked by `transforming` too: a call less
    )


trace_instead(at_hand, lambda x: False)


def with_side(shape: Any, axis: int, side: int) -> tuple[int, ...]:
    """Return a shape with another length of one axis."""
    sides = list(shape)
    sides[axis] = side
    return tuple(sides)


def with_axes(x: Any, axes: Any = -1) -> Any:
    """Refuse an array without axes, in which torch finds the axes 0 and -1, unless it is asked for none."""
    if not x.ndim and axes is not None and axes != () and axes != []:
        raise IndexError("the array has no axes")
    return x


# --- types, dtypes, devices -----------------------------------------------------------------------------------------

_NAMES = (
    "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
    "bfloat16", "float16", "float32", "float64", "complex64", "complex128",
)  # fmt: skip


@hookimpl
def array_types() -> tuple[type, ...]:
    return torch.Tensor, torch.nn.Parameter


@hookimpl
def dtypes() -> dict[str, Any]:
    return {name: getattr(torch, name) for name in _NAMES}


@hookimpl
def devices() -> tuple[str, ...]:
    """Name the devices: `meta`, on which tensors have shapes and dtypes and no elements, is always there and last."""
    found = ["cpu"]
    found += [f"gpu:{index}" for index in range(torch.cuda.device_count())]
    if torch.backends.mps.is_available():
        found.append("mps:0")
    found += [f"xpu:{index}" for index in range(torch.xpu.device_count())]
    return (*found, "meta")


@hookimpl
def native_device(name: str) -> Any:
    return torch.device(name.replace("gpu", "cuda"))


@hookimpl
def device_name(device: Any) -> str:
    return str(device)


@hookimpl
def device_of(x: Any) -> str:
    return str(x.device)


@hookimpl
def move(x: Any, device: Any) -> Any:
    return x.to(device)


@hookimpl
def memory_of_device(device: Any) -> tuple[int, int] | None:
    if device.type != "cuda":
        return None
    free, total = torch.cuda.mem_get_info(device)
    return total - free, total


# --- in place, in and out -------------------------------------------------------------------------------------------


@hookimpl
def writes_in_place() -> bool:
    return True


_INTEGERS = frozenset({torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64})
_REAL = frozenset({torch.float16, torch.bfloat16, torch.float32, torch.float64})
_COMPLEX = frozenset({torch.complex64, torch.complex128})


def _by_parts(method: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """Add complex numbers part by part: torch multiplies what it adds by 1+0j, and an infinity by 0 is NaN."""

    def update(x: Any, other: Any) -> Any:
        if isinstance(other, torch.Tensor):
            return method(torch.view_as_real(x), torch.view_as_real(other))
        return method(x.real, other)

    return update


#: By function, the method that computes it in place, and the dtypes in which torch does it as declared.
_UPDATES = {
    "add": {torch.Tensor.add_: _INTEGERS | _REAL, _by_parts(torch.Tensor.add_): _COMPLEX},
    "bitwise_and": {torch.Tensor.bitwise_and_: _INTEGERS | {torch.bool}},
    "bitwise_or": {torch.Tensor.bitwise_or_: _INTEGERS | {torch.bool}},
    "bitwise_xor": {torch.Tensor.bitwise_xor_: _INTEGERS | {torch.bool}},
    "divide": {torch.Tensor.div_: _REAL | _COMPLEX},
    "multiply": {torch.Tensor.mul_: _INTEGERS | _REAL | _COMPLEX},
    "subtract": {torch.Tensor.sub_: _INTEGERS | _REAL, _by_parts(torch.Tensor.sub_): _COMPLEX},
}


@hookimpl
def updates() -> dict[str, Callable[[Any, Any], bool]]:
    return {
        name: _updating({dtype: method for method, dtypes in methods.items() for dtype in dtypes})
        for name, methods in _UPDATES.items()
    }


def _updating(methods: dict[torch.dtype, Callable[[Any, Any], Any]]) -> Callable[[Any, Any], bool]:
    def update(x: Any, other: Any) -> bool:
        method = methods.get(x.dtype)
        if (
            method is None
            or (x.requires_grad and _is_followed(_root(x)))
            or (type(x) is not torch.Tensor and is_copied(x))
        ):
            return False
        try:
            if type(other) is torch.Tensor and (
                other is x  # derivatives need what it was
                # torch mixes up what overlaps, and refuses it by itself only if both are contiguous
                or (not (x.is_contiguous() and other.is_contiguous()) and share_memory(x, other))
            ):
                other = other.clone()
            method(x, other)
        except RuntimeError:  # before anything is written: another shape, memory that elements share, leaves of a tape
            return False
        return True

    return update


def share_memory(x: Any, y: Any) -> bool:
    """Whether the storages of two tensors overlap; while a program is compiled or transformed nobody knows.

    They may be two, of one memory of another library.
    """
    if torch.compiler.is_compiling():
        return True
    try:
        one, other = x.untyped_storage(), y.untyped_storage()
        start, begin = one.data_ptr(), other.data_ptr()
        return bool(start < begin + other.nbytes() and begin < start + one.nbytes())
    except RuntimeError:
        return True


#: The leaves of torch's tape by which programs are differentiated that are running.
followed: ContextVar[tuple[Any, ...]] = ContextVar("corearray_torch.native.followed", default=())


def _is_followed(x: Any) -> bool:
    return not torch.compiler.is_compiling() and any(x is leaf for leaf in followed.get())


def writable(x: Any) -> Any:
    """Return what may be written for an array: the tape does not let its leaves, nor views of them, so a copy on the tape."""
    leaf = _root(x)
    if not x.requires_grad or not _is_followed(leaf):
        return x
    if type(x) is not torch.Tensor and is_spread(x):
        return moved(x, x, leaf.clone())
    return moved(x, x, leaf.new_empty_strided(leaf.shape, leaf.stride()).copy_(leaf))


@hookimpl
def moved(x: Any, old: Any, new: Any) -> Any:
    if not isinstance(x, torch.Tensor):
        return None
    root, fresh = _root(old), _root(new)
    if x is root:
        return fresh
    if x._base is not root:
        return None
    if type(x) is not torch.Tensor and is_spread(x):
        raise RuntimeError(
            "a view shows a part of a split array that is differentiated by, and torch cannot write into such an array; "
            "write into a copy: corearray.asarray(x, copy=True)"
        )
    if x.dtype is not root.dtype:
        raise RuntimeError(f"an array of {x.dtype} shows the elements of one of {root.dtype} that is differentiated by")
    return fresh.as_strided(x.shape, x.stride(), x.storage_offset() - root.storage_offset())


def _root(x: Any) -> Any:
    return x if x._base is None else x._base


@hookimpl
def memory_of(x: Any) -> int | None:
    """Tell memories apart by where they begin, those of DTensors by the part of this process.

    Tensors that a derivative or a transform follows have none.
    """
    if x.requires_grad and followed.get():
        return None
    try:
        return local(x).untyped_storage().data_ptr() or None
    except RuntimeError:
        return None


_VERSIONED_DLPACK = matches(torch.__version__, ">=2.9")


@hookimpl
def to_dlpack(x: Any, stream: Any = None, max_version: Any = None, dl_device: Any = None, copy: Any = None) -> Any:
    x = whole(x)
    if copy is not False:
        x = x.resolve_conj().resolve_neg()
    if _VERSIONED_DLPACK:
        return x.__dlpack__(stream=stream, max_version=max_version, dl_device=dl_device, copy=copy)
    if dl_device is not None and tuple(dl_device) != tuple(map(int, x.__dlpack_device__())):
        if copy is False or int(dl_device[0]) != 1:
            raise BufferError(f"torch {torch.__version__} exports to the CPU by a copy, and to no other device")
        x = x.cpu()
    elif copy:
        x = x.clone()
    return x.__dlpack__(stream=stream)


@hookimpl
def records_gradient(x: Any) -> bool:
    return x.requires_grad and torch.is_grad_enabled()


@hookimpl
def dlpack_device(x: Any) -> Any:
    return (x if type(x) is torch.Tensor else local(x)).__dlpack_device__()


@hookimpl
def random_words(seed: int, count: int) -> Any:
    generator = torch.Generator(torch.get_default_device()).manual_seed(seed)
    return torch.randint(1 << 32, (2, count), generator=generator).unbind()


@hookimpl
def text(x: Any, precision: int | None) -> str:
    """Return what torch prints between the brackets of `tensor(...)`, under its print options.

    These belong to the process, so that another precision is NumPy's to print. A DTensor shows no elements of other processes,
    because only some of the processes may print it.
    """
    x = printable(x)
    if isinstance(x, str):
        return x
    if precision is not None:
        import numpy as np

        x = x.detach().cpu().resolve_conj().resolve_neg()
        x = (x.float() if x.dtype is torch.bfloat16 else x).numpy()
        return np.array2string(x, precision=precision, separator=", ", threshold=200, edgeitems=3)
    shown = repr(x.detach().as_subclass(torch.Tensor))
    inner = shown[shown.index("(") + 1 : -1].replace("\n       ", "\n")
    return inner[: inner.rindex("]") + 1] if x.ndim else inner.partition(", ")[0]


#: Parts of torch's messages, and the Python errors that they stand for; the first that fits counts.
_KINDS: tuple[tuple[type[Exception] | None, tuple[str, ...]], ...] = (
    (OverflowError, ("without overflow", "Overflow when unpacking", "too large to convert", "int too big")),
    (ZeroDivisionError, ("ZeroDivisionError",)),
    (
        TracingError,
        (
            "doesn't have storage",
            "data-dependent",
            "dynamic shape",
            "for each batch",
            "aten::nonzero",
            ".item() on a Tensor",
        ),
    ),
    (MemoryError, ("out of memory", "not enough memory", "can't allocate memory")),
    (ValueError, ("to have non-zero size", "input.numel() == 0", "no identity")),
    (None, ("CUDA error", "requires grad", "requires_grad", "INTERNAL ASSERT")),
    (
        TypeError,
        ("not implemented for", "dtype", "bool tensor", "scalar type", "floating point", "complex", "real input"),
    ),
)


@hookimpl
def error_kind(error: Exception) -> type[Exception] | None:
    """Tell apart what torch raises as `RuntimeError`: most are about shapes, some about dtypes."""
    message = str(error)
    if isinstance(error, (RuntimeError, IndexError, ValueError)):
        for kind, parts in _KINDS:
            if any(part in message for part in parts):
                if kind is TypeError and isinstance(error, (IndexError, ValueError)):
                    return None
                return kind
    return ValueError if type(error) is RuntimeError else None


@hookimpl
def register_array(array_class: Any) -> None:
    """Make the array a node of torch's trees, so that `torch.func.grad`, `vmap` and their like take and return it."""

    def flatten(x: Any) -> tuple[list[Any], None]:
        return [x._native], None

    def unflatten(children: Any, context: None) -> Any:
        """Wrap what takes the tensor's place; of nested arrays, as `jacrev` makes them, one is enough."""
        (child,) = children
        if type(child) is array_class:
            return child
        return array_class._backend.wrap(child)

    _pytree.register_pytree_node(array_class, flatten, unflatten)

    def function_of_torch(cls: Any, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        """Call a function of torch on tensors; an operator is left to the array on its other side."""
        # While torch compiles, its stand-in for a NumPy array tries the methods of tensors before those of the array.
        if function in _OPERATORS or (args and type(args[0]).__name__ == "ndarray"):
            return NotImplemented
        return called_on_natives(function, args, kwargs or {}, array_class)

    function_of_torch.__name__ = "__torch_function__"  # torch's compiler looks the method up under its function's name
    array_class.__torch_function__ = classmethod(function_of_torch)


#: Operators that an array takes over from a tensor on its left.
_OPERATORS = frozenset(
    getattr(torch.Tensor, f"__{name}__")
    for name in "add and eq floordiv ge gt le lshift lt matmul mod mul ne or pow rshift sub truediv xor".split()
)


@hookimpl
def register_container(container_class: type) -> None:
    """Make Containers nodes of torch's trees."""
    _register_container(container_class)


@lru_cache
def _register_container(container_class: Any) -> None:
    def flatten(container: Any) -> tuple[list[Any], tuple[str, ...]]:
        values, keys = container.tree_flatten()
        return list(values), keys

    _pytree.register_pytree_node(
        container_class, flatten, lambda values, keys: container_class.tree_unflatten(keys, values)
    )


@hookimpl(versions=">=2.5")
def register_function(function: Any) -> None:
    """Have `torch.compile`, which cannot look into C, trace the Python function behind.

    This one is to be made only when a program is traced: it answers for itself when the other is asked for it.
    """
    if isinstance(function, FunctionType):
        if getattr(vars(function).get(_WRAPPED), "public", None) is not function:  # which corearray has marked
            vars(function).pop(_WRAPS, None)  # copied with the attributes of a public function
            setattr(function, _WRAPPED, function)
    else:
        setattr(function, _WRAPS, True)


@hookimpl(specname="register_function", versions="<2.5")
def register_function_to_be_read(function: Any) -> None:
    if not isinstance(function, FunctionType):
        trace_instead(function, function.function)


@hookimpl
def register_tracing(constants: Any, traced: Any) -> None:
    """Say to `torch.compile` what `torch.compiler.assume_constant_result` says, and what to trace in place of what.

    It reads both from the functions when it traces them. Its decorators would take seconds to import it.
    """
    for function in constants:
        function._dynamo_marked_constant = True
    for public, substitute in traced.items():
        trace_instead(public, substitute)
    trace_instead(is_foreign, _is_traced_array)
    trace_instead(is_typed_number, lambda value: _is_traced_array(value) and value.ndim == 0)


def _is_traced_array(value: Any) -> bool:
    """Whether something is an array of NumPy's, or a number, which `torch.compile` takes for an array without axes."""
    return type(value).__name__ == "ndarray"


@hookimpl
def diagnostics() -> dict[str, str]:
    return {
        "CUDA": str(torch.version.cuda or "none"),
        "default dtype of torch": str(torch.get_default_dtype()),
        "threads": str(torch.get_num_threads()),
        "gradients": "on" if torch.is_grad_enabled() else "off",
    }
