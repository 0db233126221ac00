"""What `asarray` and its kin are given besides arrays of the backend: what it says of the dtype, and what no array is made of.

Frameworks disagree about values that are not their own. What is asked here is asked on every backend: an array of another
library counts with its dtype wherever it stands, and nothing is a number that is none.
"""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Number
from typing import TYPE_CHECKING, Any

from corearray.backends.operands import held as held_array
from corearray.calls.dispatch import advice_about, backend_of, held_elsewhere, is_foreign
from corearray.calls.settle import checked
from corearray.errors import CoreArrayError, CoreArrayOverflowError, CoreArrayTypeError, CoreArrayValueError, options
from corearray.settings.context import NUMBERS, SCALARS
from corearray.types.dtypes import DTYPES, DType, integer_limits

if TYPE_CHECKING:
    from corearray.backends.backend import Backend

__all__ = ["Values", "foreign_dtype", "is_ragged", "known_dtype", "lacking_dtype", "no_array", "plain_number", "unfit"]

#: The library's dtypes by those of other libraries that were met: to look for a name takes them longer than all else.
_READ: dict[Any, DType] = {}


class Values:
    """The values of one call, read one after the other.

    Attributes
    ----------
    dtypes
        Those of the arrays, each once.
    scalars
        One Python number of each type.
    """

    __slots__ = ("_backend", "_name", "dtypes", "scalars")

    def __init__(self, backend: Backend, name: str) -> None:
        self._backend = backend
        self._name = name
        self.dtypes: dict[DType, None] = {}
        self.scalars: dict[type, Any] = {}

    def read(self, value: Any, *, nested: bool = False) -> Any:
        """Return a value with sequences and numbers of Python's own types, and arrays that a framework may not know made.

        Raises
        ------
        CoreArrayTypeError
            If it is something, or holds something, of which no array is made.
        """
        kind = type(value)
        backend = self._backend
        if kind in SCALARS:
            self.scalars[kind] = value
        elif isinstance(value, (list, tuple)):
            return self._of_sequence(value)
        elif backend.is_array(value):
            dtype = getattr(value, "_native", value).dtype
            known = backend.dtype_of_native.get(dtype)
            if known is not None:
                self.dtypes[known] = None
            elif is_foreign(value):
                self.dtypes[foreign_dtype(value, self._name)] = None
            else:
                self.dtypes[backend.dtype_of(value)] = None
        elif is_foreign(value):
            self.dtypes[foreign_dtype(value, self._name)] = None
        elif isinstance(value, NUMBERS):
            value = plain_number(value)
            self.scalars[type(value)] = value
        elif isinstance(value, range):
            self.scalars[int] = 0
        elif (held := held_array(backend, value)) is not None:
            return self.read(held, nested=nested)
        elif _offers_data(value, self._name):
            if hasattr(kind, "resolve_neg"):  # a tensor that stands for its negative, which no export of memory tells
                value = value.resolve_conj().resolve_neg()
            if nested:
                value = backend.native.asarray(value)
                self.dtypes[backend.dtype_of(value)] = None
        elif _has_shape(value) and hasattr(kind, "__len__") and hasattr(kind, "__getitem__"):
            return self._of_sequence(tuple(value[place] for place in range(len(value))))
        elif isinstance(value, Sequence) and not isinstance(value, (str, bytes)):
            return self._of_sequence(tuple(value))
        elif hasattr(kind, "__float__") and not isinstance(value, Number):
            self.scalars[float] = 0.0
            if hasattr(kind, "__index__"):  # for what holds a number of either kind
                value = float(value)
        elif hasattr(kind, "__index__"):  # a size that a tracer does not know yet
            self.scalars[int] = 0
        elif (held := held_elsewhere(value, backend, self._name)) is not None:
            return self.read(held, nested=nested)
        else:
            raise no_array(value, self._name)
        return value

    def _of_sequence(self, items: Any) -> Any:
        if SCALARS.issuperset(map(type, items)):
            self.scalars.update(zip(map(type, items), items, strict=True))
            return items
        read = [self.read(item, nested=True) for item in items]
        same = all(one is other for one, other in zip(read, items, strict=True))
        return items if same else read


def foreign_dtype(value: Any, name: str) -> DType:
    """Return the dtype of an array of another library, in whatever order its bytes are.

    Raises
    ------
    CoreArrayTypeError
        If it is none of this library's.
    """
    found = _READ.get(value.dtype)
    if found is None:
        found = DTYPES.get(value.dtype.name)
        if found is None:
            raise CoreArrayTypeError(
                f"'{name}' got an array of the dtype '{value.dtype}', which is none of {options(DTYPES)}; "
                "convert it to one of these first"
            )
        _READ[value.dtype] = found
    return found


def known_dtype(backend: Backend, value: Any, name: str) -> DType | None:
    """Return the dtype of an array of the backend, or of another library; `None` for what is none."""
    if backend.is_native(value):
        return backend.dtype_of_native.get(value.dtype)
    return foreign_dtype(value, name) if is_foreign(value) else None


def no_array(value: Any, name: str) -> CoreArrayTypeError:
    """Return the error for something of which the function `name` makes no array.

    Examples
    --------
    >>> print(no_array(None, "exp"))
    'exp' got None where it takes an array; give an array, a number or nested lists of numbers
    """
    shown = value is None or isinstance(value, (str, bytes))
    what = f"{value!r:.80}" if shown else f"an object of type {type(value).__name__}"
    advice = (not shown and advice_about(value)) or "give an array, a number or nested lists of numbers"
    return CoreArrayTypeError(f"'{name}' got {what} where it takes an array; {advice}")


def plain_number(value: Any) -> Any:
    """Return the Python number that an instance of a derived class is, such as a member of an `IntEnum`.

    Examples
    --------
    >>> import enum
    >>> plain_number(enum.IntEnum("Axis", ["ROWS"]).ROWS)
    1
    """
    if type(value) in SCALARS:
        return value
    kinds: tuple[Any, ...] = NUMBERS
    return next(kind(value) for kind in kinds if isinstance(value, kind))


def unfit(value: Any, dtype: DType, *, integers_only: bool) -> CoreArrayError | None:
    """Return the error for the first Python number, in nested lists too, that a dtype does not hold, or `None`."""
    if isinstance(value, (list, tuple)):
        found = (unfit(item, dtype, integers_only=integers_only) for item in value)
        return next((error for error in found if error is not None), None)
    if type(value) is float and not integers_only and dtype.category.endswith("integer"):
        low, high = integer_limits(dtype)
        if value != value:
            return CoreArrayValueError(f"NaN is no integer, and so is not held by '{dtype}'; give a floating dtype")
        if not low - 1 < value < high + 1:
            return CoreArrayOverflowError(
                f"the number {value} does not fit into '{dtype}', which holds {low} to {high}"
            )
    elif type(value) in SCALARS and not (integers_only and type(value) is not int):
        try:
            checked(value, dtype)
        except CoreArrayOverflowError as error:
            return error
    return None


def _has_shape(value: Any) -> bool:
    """Whether something says its dtype and shape as arrays do."""
    return not isinstance(value, type) and hasattr(value, "dtype") and hasattr(value, "shape")


def _offers_data(value: Any, name: str) -> bool:
    """Whether something is an array of another library, or a buffer."""
    kind = type(value)
    if isinstance(value, bytes):  # a text, and a buffer
        return False
    if any(hasattr(kind, offer) for offer in ("__array__", "__array_interface__", "__dlpack__")):
        return True
    try:
        buffer = memoryview(value)
    except TypeError:
        return False
    if (buffer.format or "B").lstrip("@=<>!") not in _FORMATS:
        raise CoreArrayTypeError(
            f"'{name}' got a buffer of the format '{buffer.format}', which holds no numbers of a dtype; cast it to one of "
            f"these: {' '.join(_FORMATS)}"
        )
    return True


#: The formats of buffers that hold numbers: each a character of the module `struct`, or a complex one of PEP 3118.
_FORMATS = (*"?bBhHiIlLqQnNefd", "Zf", "Zd", "F", "D")


def lacking_dtype(backend: Backend, value: Any, name: str) -> CoreArrayTypeError | None:
    """Return the error for an array of another library whose dtype the backend lacks, or `None`."""
    owner = backend_of(value)
    dtype = foreign_dtype(value, name) if is_foreign(value) else owner and owner.dtype_of(value)
    if dtype is None or dtype in backend.native_dtypes:
        return None
    return CoreArrayTypeError(
        f"'{name}' got an array of the dtype '{dtype}', which backend '{backend.name}' does not have; "
        "convert it to another one first"
    )


def is_ragged(value: Any) -> bool:
    """Return whether nested lists, or arrays in them, have different lengths."""
    if not isinstance(value, (list, tuple)) or not value:
        return False
    inner = {tuple(item.shape) for item in value if hasattr(item, "shape")}
    lengths = {len(item) for item in value if isinstance(item, (list, tuple))} | {
        shape[0] if shape else -1 for shape in inner
    }
    if not all(isinstance(item, (list, tuple)) or hasattr(item, "shape") for item in value):
        lengths.add(-1)  # a number
    return len(lengths) > 1 or len(inner) > 1 or any(map(is_ragged, value))
