"""`Array`: an array with JAX's methods and operators, which does not change."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import corearray as ca
from corearray.errors import CoreArrayAttributeError, CoreArrayTypeError, CoreArrayValueError
from corearray.frontend.holding import Sizes
from corearray.frontend.jax.promotion import as_dtype, canonicalized, check_fits, default

__all__ = ["METHODS", "Array", "converted", "is_arraylike", "numpy_function", "operand", "wrapped"]

#: Methods that are the function of `jax.numpy` with the array as its first argument.
METHODS = frozenset(
    "all any argmax argmin argpartition argsort clip conj conjugate cumprod cumsum diagonal dot max mean min nonzero prod "
    "ptp ravel repeat round searchsorted sort squeeze std sum swapaxes take trace var".split()
)

_SCALARS = (bool, int, float, complex)


def numpy_function(name: str) -> Callable[..., Any]:
    """Return a function of the frontend's `jax.numpy`."""
    from corearray.frontend.frontend import get_frontend

    function: Callable[..., Any] = getattr(get_frontend("jax").numpy, name)
    return function


def is_arraylike(x: Any) -> bool:
    """Return whether JAX takes an object for an array: an array, a number, or an object with `__jax_array__`."""
    return isinstance(x, (ca.Array, Array, *_SCALARS)) or hasattr(x, "__array__") or hasattr(x, "__jax_array__")


def converted(x: Any) -> tuple[ca.Array, bool]:
    """Return the array of an operand in a canonical dtype, and whether its dtype is weak.

    Raises
    ------
    TypeError
        If the operand is a list or no array.
    """
    if isinstance(x, Array):
        return x.array, x.weak_type
    if isinstance(x, bool):
        return ca.asarray(x), False
    if type(x) in _SCALARS:
        dtype = default(type(x))
        if isinstance(x, int):
            check_fits(x, dtype)
        return ca.asarray(x, dtype=dtype), True
    if isinstance(x, ca.Array):
        return canonicalized(x), False
    if hasattr(x, "__jax_array__"):
        return converted(x.__jax_array__())
    own = getattr(x, "array", None)  # NumPy's frontend
    if isinstance(own, ca.Array):
        return canonicalized(own), False
    if isinstance(x, (list, tuple, str, bytes, dict, set)) or x is None:
        raise CoreArrayTypeError(f"an array or a number is needed, got {type(x).__name__}")
    try:
        return canonicalized(ca.asarray(x)), False
    except (TypeError, ValueError) as error:
        raise CoreArrayTypeError(f"an array or a number is needed, got {type(x).__name__}: {error}") from error


def operand(x: Any) -> tuple[Any, ca.DType, bool]:
    """Return an operand, with numbers left as they are, and its dtype and whether it is weak."""
    if isinstance(x, Array):
        return x.array, x.array.dtype, x.weak_type
    if type(x) in _SCALARS:
        return x, default(type(x)), type(x) is not bool
    array, weak = converted(x)
    return array, array.dtype, weak


def wrapped(x: Any, weak: bool = False) -> Any:
    """Return JAX's arrays in place of those of corearray, in tuples and lists too, in canonical dtypes."""
    if isinstance(x, ca.Array):
        return Array(canonicalized(x), weak)
    if isinstance(x, (tuple, list)):
        items = [wrapped(item, weak) for item in x]
        return type(x)(*items) if hasattr(x, "_fields") else type(x)(items)
    if isinstance(x, ca.DType):
        return _numpy().dtype(x)
    return x


def _numpy() -> Any:
    from corearray.frontend.frontend import get_frontend

    return get_frontend("numpy")


def _binary(name: str, *, reflected: bool = False) -> Any:
    """Return the method of an operator of two arrays."""

    def operator(self: Array, other: Any) -> Any:
        if not is_arraylike(other):
            return NotImplemented
        function = numpy_function(name)
        return function(other, self) if reflected else function(self, other)

    return operator


def _unary(name: str) -> Any:
    def operator(self: Array) -> Any:
        return numpy_function(name)(self)

    return operator


class Array(Sizes):
    """An array with JAX's methods and operators; made by the functions of `corearray.frontend.jax.numpy`.

    Attributes
    ----------
    array
        The `Array` of corearray that it holds.
    weak_type
        Whether promotion ignores its precision, as for Python's numbers.

    Examples
    --------
    >>> import corearray.frontend.jax.numpy as jnp
    >>> x = jnp.arange(3.0)
    >>> x.at[1].set(5) + 1
    Array([1., 6., 3.], dtype=float32)
    """

    __slots__ = ("__weakref__", "array", "weak_type")
    array: ca.Array
    weak_type: bool
    __array_priority__ = 100

    def __init__(self, array: ca.Array, weak_type: bool = False) -> None:
        self.array = array
        self.weak_type = weak_type

    def __getattr__(self, name: str) -> Any:
        """Find a method that is a function of `jax.numpy`."""
        if name in METHODS:
            return partial(numpy_function(name), self)
        raise CoreArrayAttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    def __dir__(self) -> list[str]:
        return sorted({*object.__dir__(self), *METHODS})

    # --- what it is

    @property
    def dtype(self) -> Any:
        """The dtype, with NumPy's attributes."""
        return _numpy().dtype(self.array.dtype)

    @property
    def aval(self) -> Any:
        """The shape, dtype and weak type."""
        from corearray.frontend.jax.shapes import ShapeDtypeStruct

        return ShapeDtypeStruct(self.shape, self.dtype, weak_type=self.weak_type)

    @property
    def device(self) -> Any:
        """The device."""
        return self.array.device

    def devices(self) -> set[Any]:
        """Return the device, in a set."""
        return {self.array.device}

    def to_device(self, device: Any, *, stream: Any = None) -> Array:
        """Return the elements on a device."""
        return Array(self.array.to_device(device), self.weak_type)

    @property
    def T(self) -> Any:  # noqa: N802  JAX's name
        """The array with its axes in reverse order."""
        return numpy_function("transpose")(self)

    @property
    def mT(self) -> Any:  # noqa: N802  JAX's name
        """The array with its last two axes swapped."""
        return numpy_function("matrix_transpose")(self)

    @property
    def real(self) -> Any:
        """The real parts."""
        return numpy_function("real")(self)

    @property
    def imag(self) -> Any:
        """The imaginary parts."""
        return numpy_function("imag")(self)

    @property
    def at(self) -> Any:
        """Updated copies by keys, such as `x.at[key].set(y)`."""
        from corearray.frontend.jax.updates import At

        return At(self)

    # --- conversions

    def item(self, *args: int) -> Any:
        """Return an element as a number of Python."""
        if args:
            return self[args if len(args) > 1 else numpy_function("unravel_index")(args[0], self.shape)].item()
        if self.size != 1:
            raise CoreArrayValueError("can only convert an array of size 1 to a Python scalar")
        return ca.reshape(self.array, ()).item()

    def astype(self, dtype: Any, copy: bool = False, device: Any = None) -> Any:
        """Return the elements in another dtype."""
        return numpy_function("astype")(self, dtype, copy=copy, device=device)

    def view(self, dtype: Any = None, type: Any = None) -> Any:
        """Return the bits of the elements as another dtype."""
        from corearray.frontend.frontend import get_frontend

        if type is not None:
            raise CoreArrayTypeError("`type` argument of array.view() is not supported.")
        if dtype is None:
            return self
        lax, own = get_frontend("jax").lax, as_dtype(dtype)
        if own.itemsize > self.itemsize:
            ratio = own.itemsize // self.itemsize
            if not self.ndim or self.shape[-1] % ratio:
                raise CoreArrayValueError(
                    f"a view as {own} needs a last axis whose length {ratio} divides, the shape is {self.shape}"
                )
            return lax.bitcast_convert_type(self.reshape(*self.shape[:-1], self.shape[-1] // ratio, ratio), dtype)
        made = lax.bitcast_convert_type(self, dtype)
        return made if made.ndim == self.ndim else made.reshape(*self.shape[:-1], -1)

    def copy(self) -> Array:
        """Return a copy."""
        return Array(ca.asarray(self.array, copy=True), self.weak_type)

    __copy__ = copy

    def __deepcopy__(self, memo: Any) -> Array:
        return self.copy()

    def block_until_ready(self) -> Array:
        """Wait until the elements are computed."""
        ca.evaluate(self.array)
        return self

    def copy_to_host_async(self) -> None:
        """Do nothing: elements are copied when they are read."""

    def delete(self) -> None:
        """Do nothing: memory is freed when nothing refers to it."""

    def is_deleted(self) -> bool:
        """Return false."""
        return False

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        made = ca.to_numpy(self.array)
        return made if dtype is None else made.astype(str(as_dtype(dtype)))

    def __array_namespace__(self, *, api_version: str | None = None) -> Any:
        from corearray.frontend.frontend import get_frontend

        return get_frontend("jax").numpy

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (self.tolist(), str(self.array.dtype), self.shape, self.weak_type)

    def __bool__(self) -> bool:
        if self.size == 1:
            return bool(ca.reshape(self.array, ()) != 0)
        what = "an empty array" if not self.size else "an array with more than one element"
        raise CoreArrayValueError(f"The truth value of {what} is ambiguous. Use a.any() or a.all()")

    def _number(self) -> Any:
        if self.ndim:
            raise CoreArrayTypeError(f"Only scalar arrays can be converted to Python scalars; got arr.ndim={self.ndim}")
        return self.array.item()

    def __int__(self) -> int:
        return int(self._number())

    def __float__(self) -> float:
        return float(self._number())

    def __complex__(self) -> complex:
        return complex(self._number())

    def __index__(self) -> int:
        if self.ndim or self.array.dtype.category not in ("signed integer", "unsigned integer"):
            raise CoreArrayTypeError("Only integer scalar arrays can be converted to a scalar index.")
        return int(self.array.item())

    def __len__(self) -> int:
        if not self.ndim:
            raise CoreArrayTypeError("len() of unsized object")
        return self.shape[0]

    def __iter__(self) -> Iterator[Any]:
        if not self.ndim:
            raise CoreArrayTypeError("iteration over a 0-d array")
        return iter([Array(x, self.weak_type) for x in ca.unstack(self.array, axis=0)])

    def __reversed__(self) -> Iterator[Any]:
        return iter(list(self)[::-1])

    def __contains__(self, item: Any) -> bool:
        return bool((self == item).any())

    def __repr__(self) -> str:
        return _text(self)

    def __str__(self) -> str:
        return (
            str(_numpy().ndarray._made(self.array))
            if self.ndim
            else str(_numpy()._members["dtype"](self.array.dtype).type(self.array))
        )

    def __format__(self, form: str) -> str:
        if not self.ndim and form:
            return format(self.array.item(), form)
        if form:
            raise CoreArrayTypeError("unsupported format string passed to Array.__format__")
        return str(self)

    # --- indexing and shapes

    def __getitem__(self, key: Any) -> Any:
        from corearray.frontend.jax.keys import item

        return item(self, key)

    def __setitem__(self, key: Any, value: Any) -> None:
        raise CoreArrayTypeError(
            "JAX arrays are immutable and do not support in-place item assignment. Instead of x[idx] = y, use "
            "x = x.at[idx].set(y) or another .at[] method: https://docs.jax.dev/en/latest/_autosummary/jax.numpy.ndarray.at.html"
        )

    def __delitem__(self, key: Any) -> None:
        raise CoreArrayTypeError("JAX arrays are immutable: use jax.numpy.delete(x, idx)")

    def transpose(self, *axes: Any) -> Any:
        """Return the array with its axes in another order, by default in reverse."""
        order = axes[0] if len(axes) == 1 and (axes[0] is None or isinstance(axes[0], (tuple, list))) else axes or None
        return numpy_function("transpose")(self, order)

    def reshape(self, *shape: Any, order: str = "C", **options: Any) -> Any:
        """Return the elements in another shape."""
        given = shape[0] if len(shape) == 1 else shape
        return numpy_function("reshape")(self, given, order=order, **options)

    def flatten(self, order: str = "C") -> Any:
        """Return the elements along one axis."""
        return numpy_function("ravel")(self, order=order)

    def choose(self, choices: Any, out: None = None, mode: str = "raise") -> Any:
        """Return elements of `choices` by these indices."""
        return numpy_function("choose")(self, choices, out=out, mode=mode)

    def compress(self, condition: Any, axis: Any = None, **options: Any) -> Any:
        """Return the slices along an axis for which a condition holds."""
        return numpy_function("compress")(condition, self, axis=axis, **options)

    # --- operators

    __add__, __radd__ = _binary("add"), _binary("add", reflected=True)
    __sub__, __rsub__ = _binary("subtract"), _binary("subtract", reflected=True)
    __mul__, __rmul__ = _binary("multiply"), _binary("multiply", reflected=True)
    __truediv__, __rtruediv__ = _binary("true_divide"), _binary("true_divide", reflected=True)
    __floordiv__, __rfloordiv__ = _binary("floor_divide"), _binary("floor_divide", reflected=True)
    __mod__, __rmod__ = _binary("remainder"), _binary("remainder", reflected=True)
    __divmod__, __rdivmod__ = _binary("divmod"), _binary("divmod", reflected=True)
    __pow__, __rpow__ = _binary("power"), _binary("power", reflected=True)
    __matmul__, __rmatmul__ = _binary("matmul"), _binary("matmul", reflected=True)
    __and__, __rand__ = _binary("bitwise_and"), _binary("bitwise_and", reflected=True)
    __or__, __ror__ = _binary("bitwise_or"), _binary("bitwise_or", reflected=True)
    __xor__, __rxor__ = _binary("bitwise_xor"), _binary("bitwise_xor", reflected=True)
    __lshift__, __rlshift__ = _binary("left_shift"), _binary("left_shift", reflected=True)
    __rshift__, __rrshift__ = _binary("right_shift"), _binary("right_shift", reflected=True)
    __eq__, __ne__ = _binary("equal"), _binary("not_equal")
    __lt__, __le__ = _binary("less"), _binary("less_equal")
    __gt__, __ge__ = _binary("greater"), _binary("greater_equal")
    __neg__, __pos__, __abs__, __invert__ = _unary("negative"), _unary("positive"), _unary("abs"), _unary("invert")
    __hash__ = None  # type: ignore[assignment]

    def __round__(self, ndigits: int | None = None) -> Any:
        return numpy_function("round")(self, ndigits or 0)


def _text(x: Array) -> str:
    """Return the text of an array as JAX shows it."""
    text = repr(_numpy().ndarray._made(x.array))
    inner = text[len("array(") : -1]
    named = f"dtype={x.array.dtype}"
    if named in inner:
        inner = inner[: inner.rindex(named)].rstrip().rstrip(",")
    lines = inner.replace("\n", "\n ".removesuffix(" ")).split("\n")
    ending = f", {named}{', weak_type=True' if x.weak_type else ''})"
    return f"Array({chr(10).join(lines)}{ending}"


def _again(values: Any, name: str, shape: tuple[int, ...], weak: bool) -> Array:
    """Return the array of pickled elements."""
    return Array(ca.reshape(ca.asarray(values, dtype=getattr(ca, name)), shape), weak)
