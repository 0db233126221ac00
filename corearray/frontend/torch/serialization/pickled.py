"""A reader of pickles that builds data alone: it imports nothing and calls nothing but the makers in its table.

It knows the operations of the pickle protocols that plain data and torch's tensors need, and refuses the others.
"""

from __future__ import annotations

import pickletools
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterable, Mapping
from contextlib import contextmanager
from typing import IO, Any

from corearray.errors import CoreArrayTypeError, FileFormatError

__all__ = ["add_safe_globals", "clear_safe_globals", "get_safe_globals", "read_pickle", "safe_globals"]

#: Classes that the program trusts, by their dotted names.
_trusted: dict[str, Any] = {}


def _named(item: Any) -> tuple[str, Any]:
    """Return the name and the class of an entry: a class, or a pair of a class and a name."""
    if isinstance(item, tuple):
        return str(item[1]), item[0]
    if not callable(item):
        raise CoreArrayTypeError(f"safe globals are classes and functions, got {item!r}")
    return f"{item.__module__}.{item.__qualname__}", item


def add_safe_globals(safe_globals: Iterable[Any]) -> None:
    """Trust classes and functions, which `torch.load` may then call."""
    _trusted.update(map(_named, safe_globals))


def get_safe_globals() -> list[Any]:
    """Return the classes and functions that `torch.load` may call beside its own."""
    return list(_trusted.values())


def clear_safe_globals() -> None:
    """Trust no classes any more."""
    _trusted.clear()


@contextmanager
def safe_globals(safe_globals: Iterable[Any]) -> Any:
    """Trust classes and functions within a block."""
    before = dict(_trusted)
    add_safe_globals(safe_globals)
    try:
        yield
    finally:
        _trusted.clear()
        _trusted.update(before)


class _Name:
    """A function or class of a pickle by its dotted name, with what stands for it."""

    __slots__ = ("function", "name")

    def __init__(self, name: str, function: Any) -> None:
        self.name = name
        self.function = function


#: Makers of plain data. Python 2 called the module of the builtins `__builtin__`.
_PLAIN: dict[str, Callable[..., Any]] = {
    "collections.OrderedDict": OrderedDict, "collections.Counter": Counter, "builtins.set": set,
    "builtins.frozenset": frozenset, "builtins.complex": complex, "builtins.bytearray": bytearray, "builtins.slice": slice,
    "_codecs.encode": lambda text, encoding: text.encode("latin1" if encoding == "latin1" else "utf-8"),
}  # fmt: skip

_MARK = object()


def read_pickle(file: IO[bytes], makers: Mapping[str, Any], stored: Callable[[Any], Any]) -> Any:
    """Read one object from a binary file.

    Parameters
    ----------
    file
        The file, which is left behind the end of the object.
    makers
        Functions by the dotted names of the globals for which they stand; values that are no functions stand for themselves.
    stored
        Returns the object of a persistent number.

    Raises
    ------
    ValueError
        If the file is damaged, or its object is of a class that is not known. The message names the class.
    """
    try:
        return _Reader(makers, stored).read(file)
    except FileFormatError:
        raise
    except (ValueError, IndexError, KeyError, TypeError, AttributeError, EOFError, OverflowError) as error:
        raise FileFormatError(f"the file is damaged, or is no file of torch: {error}") from error


class _Reader:
    """The stack machine of pickles."""

    def __init__(self, makers: Mapping[str, Any], stored: Callable[[Any], Any]) -> None:
        self._makers = makers
        self._stored = stored
        self._stack: list[Any] = []
        self._memo: dict[int, Any] = {}

    def read(self, file: IO[bytes]) -> Any:
        """Run the operations up to the end of an object."""
        for operation, argument, _ in pickletools.genops(file):
            name = operation.name
            if name == "STOP":
                return self._stack.pop()
            if name in _LITERALS:
                self._stack.append(argument)
            elif name in _CONSTANTS:
                self._stack.append(_CONSTANTS[name]())
            elif name in _TUPLES:
                count = _TUPLES[name]
                self._stack[len(self._stack) - count :] = [tuple(self._taken(count))]
            elif name not in ("PROTO", "FRAME"):
                method = getattr(self, f"_{name.lower()}", None)
                if method is None:
                    raise FileFormatError(f"the file has the operation {name} of pickles, which data does not need")
                method(argument)
        raise EOFError("the object has no end")

    def _taken(self, count: int) -> list[Any]:
        if count > len(self._stack):
            raise IndexError("the stack is too short")
        return self._stack[len(self._stack) - count :]

    def _since_mark(self) -> list[Any]:
        place = max(i for i, x in enumerate(self._stack) if x is _MARK)
        items = self._stack[place + 1 :]
        del self._stack[place:]
        return items

    # --- containers

    def _mark(self, _: Any) -> None:
        self._stack.append(_MARK)

    def _tuple(self, _: Any) -> None:
        self._stack.append(tuple(self._since_mark()))

    def _list(self, _: Any) -> None:
        self._stack.append(self._since_mark())

    def _dict(self, _: Any) -> None:
        items = self._since_mark()
        self._stack.append(dict(zip(items[::2], items[1::2], strict=True)))

    def _frozenset(self, _: Any) -> None:
        self._stack.append(frozenset(self._since_mark()))

    def _append(self, _: Any) -> None:
        item = self._stack.pop()
        self._container(list).append(item)

    def _appends(self, _: Any) -> None:
        items = self._since_mark()
        self._container(list).extend(items)

    def _additems(self, _: Any) -> None:
        items = self._since_mark()
        self._container(set).update(items)

    def _setitem(self, _: Any) -> None:
        key, value = self._taken(2)
        del self._stack[-2:]
        self._container(dict, OrderedDict, Counter)[key] = value

    def _setitems(self, _: Any) -> None:
        items = self._since_mark()
        self._container(dict, OrderedDict, Counter).update(zip(items[::2], items[1::2], strict=True))

    def _container(self, *kinds: type) -> Any:
        found = self._stack[-1]
        if type(found) not in kinds:
            raise TypeError(f"items go to an object of type {type(found).__name__}")
        return found

    # --- the stack and the memo

    def _pop(self, _: Any) -> None:
        self._stack.pop()

    def _dup(self, _: Any) -> None:
        self._stack.append(self._stack[-1])

    def _binput(self, place: Any) -> None:
        self._memo[int(place)] = self._stack[-1]

    _put = _long_binput = _binput

    def _memoize(self, _: Any) -> None:
        self._memo[len(self._memo)] = self._stack[-1]

    def _binget(self, place: Any) -> None:
        self._stack.append(self._memo[int(place)])

    _get = _long_binget = _binget

    # --- objects

    def _global(self, name: str) -> None:
        self._stack.append(self._found(name.replace(" ", ".", 1)))

    def _stack_global(self, _: Any) -> None:
        module, name = self._taken(2)
        del self._stack[-2:]
        self._stack.append(self._found(f"{module}.{name}"))

    def _found(self, name: str) -> Any:
        name = name.replace("__builtin__.", "builtins.", 1)
        for known in (self._makers, _PLAIN, _trusted):
            if name in known:
                return _Name(name, known[name]) if callable(known[name]) else known[name]
        raise FileFormatError(
            f"the file holds an object of '{name}', and torch.load reads tensors and plain data alone; save the state_dict, or "
            f"if you trust the file and the class, call torch.serialization.add_safe_globals([{name.rpartition('.')[2]}]) first"
        )

    def _reduce(self, _: Any) -> None:
        arguments = self._stack.pop()
        made = self._stack.pop()
        if not isinstance(made, _Name) or not callable(made.function) or type(arguments) is not tuple:
            raise TypeError("a call of an object that is no function")
        self._stack.append(made.function(*arguments))

    def _newobj(self, _: Any) -> None:
        arguments = self._stack.pop()
        made = self._stack.pop()
        if not isinstance(made, _Name) or type(arguments) is not tuple:
            raise TypeError("an object of a class that is none")
        if made.name in _trusted:
            self._stack.append(made.function.__new__(made.function, *arguments))
        else:
            self._stack.append(made.function(*arguments))

    def _build(self, _: Any) -> None:
        """Set the state of an ordered dictionary (`_metadata` of a state_dict), or of an object of a trusted class."""
        state = self._stack.pop()
        made = self._stack[-1]
        trusted = type(made) in _trusted.values()
        if trusted and hasattr(made, "__setstate__"):
            made.__setstate__(state)
        elif (type(made) is OrderedDict or trusted) and type(state) is dict:
            vars(made).update(state)
        else:
            raise TypeError(f"a state for an object of type {type(made).__name__}")

    def _binpersid(self, _: Any) -> None:
        number = self._stack.pop()
        self._stack.append(self._stored(number))


_LITERALS = frozenset(
    "INT BININT BININT1 BININT2 LONG LONG1 LONG4 FLOAT BINFLOAT STRING BINSTRING SHORT_BINSTRING UNICODE BINUNICODE "
    "SHORT_BINUNICODE BINUNICODE8 BINBYTES SHORT_BINBYTES BINBYTES8".split()
)
_CONSTANTS: dict[str, Callable[[], Any]] = {
    "NONE": lambda: None, "NEWTRUE": lambda: True, "NEWFALSE": lambda: False, "EMPTY_TUPLE": tuple, "EMPTY_LIST": list,
    "EMPTY_DICT": dict, "EMPTY_SET": set,
}  # fmt: skip
_TUPLES = {"TUPLE1": 1, "TUPLE2": 2, "TUPLE3": 3}
