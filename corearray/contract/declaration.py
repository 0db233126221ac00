"""Declarations: each public function written once, as a real `def`.

`declare` turns the `def` into the public function, which finds the backend and calls it there, and keeps what the
manager must know: the parameters, whether there is a body (a composition), and how dtypes are settled. Nothing is
analysed at import; the first call of a function does it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, MutableMapping
from functools import cache, cached_property
from types import CodeType, FunctionType
from typing import Any, TypeAlias, TypeVar, cast

from corearray.errors import CoreArrayValueError

__all__ = [
    "DECLARATIONS",
    "SYNONYMS",
    "ArrayLike",
    "Condition",
    "Declaration",
    "Index",
    "Parameter",
    "Scalar",
    "declare",
    "parameters_of",
]

Scalar: TypeAlias = bool | int | float | complex
ArrayLike = Any

#: A boolean array. Arrays of numbers are refused, of which some frameworks would ask whether they are 0.
Condition = Any

#: Parameters that are another name of an option: NumPy's `ddof` is the standard's `correction`.
SYNONYMS = {"ddof": "correction"}

#: What stands between the brackets of `x[...]`.
Index = Any

_F = TypeVar("_F", bound=Callable[..., Any])


def _docstring_and_dots() -> None:
    """Docstring."""


def _dots() -> None: ...


_EMPTY = {_docstring_and_dots.__code__.co_code, _dots.__code__.co_code}


class _Declarations(MutableMapping[str, "Declaration"]):
    """Every declaration by its name, which is also the name of its hook; to read it imports the functions."""

    def __init__(self) -> None:
        self._made: dict[str, Declaration] = {}

    def _all(self) -> dict[str, Declaration]:
        import corearray.hookspecs  # noqa: F401 - it imports the modules in which the declarations stand

        return self._made

    def made(self, name: str) -> Declaration | None:
        """Return a declaration that was made up to now."""
        return self._made.get(name)

    def __getitem__(self, name: str) -> Declaration:
        return self._all()[name]

    def __setitem__(self, name: str, declaration: Declaration) -> None:
        self._made[name] = declaration

    def __delitem__(self, name: str) -> None:
        del self._made[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._all())

    def __len__(self) -> int:
        return len(self._all())


DECLARATIONS = _Declarations()


class Parameter:
    """One parameter of a declaration.

    Attributes
    ----------
    name
        As in the `def`.
    how
        `"positional"` (only), `"either"`, `"variadic"` (`*name`) or `"keyword"` (only).
    role
        What the core does with it: `"array"`, `"arrays"` (a sequence of arrays), `"index"` (a key that may hold
        arrays), `"dtype"`, `"device"`, `"out"`, `"mode"` (of complex input), `"synonym"` (another name of an option, which it
        fills in) or `"plain"` (nothing).
    scalar
        Whether a Python scalar may stand for the array and is weak.
    python
        Whether a Python number may stand for the array and stays what it is (`int | Array`).
    condition
        Whether the array must be boolean.
    required
        Whether it has no default.
    default
        The default, if there is one.
    """

    __slots__ = ("condition", "default", "how", "name", "python", "required", "role", "scalar")

    def __init__(
        self,
        name: str,
        how: str,
        role: str,
        *,
        scalar: bool,
        python: bool,
        condition: bool,
        required: bool,
        default: object,
    ) -> None:
        self.name = name
        self.how = how
        self.role = role
        self.scalar = scalar
        self.python = python
        self.condition = condition
        self.required = required
        self.default = default

    def __repr__(self) -> str:
        return f"Parameter({self.name}, {self.how}, {self.role})"


#: Categories in which every function without an axis is elementwise.
_ELEMENTWISE = frozenset(
    (
        "activations",
        "bitwise",
        "comparison",
        "elementwise",
        "exponential",
        "numeric",
        "rounding",
        "special",
        "trigonometric",
    )
)


class Declaration:
    """What the core knows about one public function.

    Attributes
    ----------
    name
        Its name, also that of its hook.
    namespace
        `""`, `"linalg"` or `"fft"`.
    main
        Whether it stands in the main namespace.
    function
        The `def` as written.
    public
        The function that users call.
    promote
        Array parameters that are brought to one dtype before native code sees them.
    floating
        Whether integers and booleans are computed in the default floating dtype.
    real
        Whether complex arrays are refused.
    infer
        How `dtype=None` is filled in: `"float"`, `"like"`, `"value"`, `"sum"`, `"mean"` or not at all.
    gives
        The dtype of the result where `dtype` is not chosen and the arguments have one that needs no conversion:
        `"same"` as theirs, or the name of the one that it always is; else `None`.
    complex_input
        What `complex_mode="jax"` does with complex input: `"entire"`, `"split"` or `"magnitude"`.
    check
        What raises if arguments are wrong of which some framework would make something, before anything is computed.
    case_of
        The function of which this one is a case: the composition reads the options in its own name and calls that one.
    """

    def __init__(
        self,
        function: FunctionType,
        namespace: str,
        main: bool,
        promote: tuple[str, ...],
        floating: bool,
        real: bool,
        infer: str | None,
        gives: str | None,
        complex_input: str,
        check: Callable[..., None] | None,
        case_of: str | None,
    ) -> None:
        self.name = function.__name__
        self.function = function
        self.namespace = namespace
        self.main = main
        self.promote = promote
        self.floating = floating
        self.real = real
        self.infer = infer
        self.gives = gives
        self.complex_input = complex_input
        self.check = check
        self.case_of = case_of
        self.public: FunctionType | None = None

    @cached_property
    def compositional(self) -> bool:
        """Whether the `def` has a body made of other public functions."""
        return self.function.__code__.co_code not in _EMPTY

    @cached_property
    def has_kernel(self) -> bool:
        """Whether a call on arrays of one kind, with every option at its default, can be one native call."""
        if self.gives is None or self.returns != "Array":
            return False
        parameters = self.parameters
        if self.check is not None:  # which defaults pass
            checked = {p.name for p in parameters_of(cast(FunctionType, self.check))}
            if any(p.required and p.name in checked for p in parameters):
                return False
        roles = {p.role for p in parameters}
        if not roles.isdisjoint(("object", "index", "device")) or any(p.how == "variadic" for p in parameters):
            return False
        if "dtype" in roles and self.infer not in ("sum", "mean"):
            return False
        arrays = [p for p in parameters if p.role == "array" and p.required]
        if "arrays" in roles:
            return not arrays and "arrays" in self.promote
        promoted = [p for p in arrays if p.name in self.promote]
        return 0 < len(promoted) < 3 or len(arrays) in (1, 2)

    @cached_property
    def with_options(self) -> bool:
        """Whether a direct call may also be given options, but no dtype, by position."""
        return self.check is None and self.has_kernel and bool(self.options)

    @cached_property
    def options(self) -> list[str]:
        """Names of the parameters with a default that hold no array, dtype or device."""
        return [p.name for p in self.parameters if p.role == "plain" and not p.required]

    @cached_property
    def optional_arrays(self) -> list[str]:
        """Names of the arrays that may be `None`."""
        return [p.name for p in self.parameters if p.role == "array" and not p.required]

    @cached_property
    def elementwise(self) -> bool:
        """Whether each element of the result is computed from those at its place, as by most functions of its category."""
        return self.category in _ELEMENTWISE and not any(p.name == "axis" for p in self.parameters)

    @cached_property
    def category(self) -> str:
        """The file in `corearray/functional` and in every plugin where it stands."""
        return self.function.__module__.rpartition(".")[2]

    @cached_property
    def parameters(self) -> tuple[Parameter, ...]:
        """The parameters in the order of the `def`; `*args` counts as one."""
        return parameters_of(self.function)

    @cached_property
    def returns(self) -> str:
        """The return annotation, as written."""
        return str(self.function.__annotations__.get("return", "object"))

    def __repr__(self) -> str:
        return f"<declaration of {self.function.__module__}.{self.name}>"


@cache
def parameters_of(function: FunctionType) -> tuple[Parameter, ...]:
    """Read the parameters of a `def` from its code object and its annotations (strings)."""
    code: CodeType = function.__code__
    names = code.co_varnames
    positional = code.co_argcount
    keyword = names[positional : positional + code.co_kwonlyargcount]
    defaults = function.__defaults__ or ()
    keyword_defaults = function.__kwdefaults__ or {}
    found = []
    for place, name in enumerate(names[:positional]):
        how = "positional" if place < code.co_posonlyargcount else "either"
        behind = place - (positional - len(defaults))
        default = defaults[behind] if behind >= 0 else None
        found.append(_parameter(function, name, how, behind < 0, default))
    if code.co_flags & 0x04:
        found.append(_parameter(function, names[positional + len(keyword)], "variadic", False, ()))
    for name in keyword:
        found.append(_parameter(function, name, "keyword", name not in keyword_defaults, keyword_defaults.get(name)))
    return tuple(found)


def _parameter(function: FunctionType, name: str, how: str, required: bool, default: object) -> Parameter:
    annotation = str(function.__annotations__.get(name, "object"))
    parts = [part.strip() for part in annotation.split("|")]
    scalar = "Scalar" in parts
    if name in ("out", "complex_mode"):
        role = "out" if name == "out" else "mode"
    elif name in SYNONYMS:
        role = "synonym"
    elif "Sequence[Array]" in annotation or (how == "variadic" and "Array" in parts):
        role = "arrays"
    elif "Array" in parts or "Condition" in parts:
        role = "array"
    elif "ArrayLike" in parts:
        role = "object"
    elif "Index" in parts:
        role = "index"
    elif "DType" in parts:
        role = "dtype"
    elif "Device" in parts:
        role = "device"
    else:
        role = "plain"
    python = role in ("array", "arrays") and not {"int", "float"}.isdisjoint(parts)
    condition = "Condition" in parts
    return Parameter(
        name, how, role, scalar=scalar, python=python, condition=condition, required=required, default=default
    )


def declare(
    *,
    promote: tuple[str, ...] = (),
    floating: bool = False,
    real: bool = False,
    infer: str | None = None,
    gives: str | None = None,
    complex_input: str = "entire",
    check: Callable[..., None] | None = None,
    case_of: str | None = None,
    namespace: str = "",
    main: bool | None = None,
) -> Callable[[_F], _F]:
    """Make a `def` the declaration of a public function.

    Parameters
    ----------
    promote
        Names of array parameters (of a sequence of arrays: its members) that share one dtype when native code sees
        them.
    floating
        Compute integer and boolean input in the default floating dtype.
    real
        Refuse complex arrays, where the function is one of real numbers (an order, a rounding).
    infer
        How the parameter `dtype` is settled when it is `None`: `"float"` takes the default real dtype, `"like"` the
        dtype of the first array, `"sum"` the standard's rule for sums, `"mean"` the floating dtype of the first array,
        `"value"` that of the Python values given.
    gives
        The dtype of the result: `"same"` as that of the arrays, once they are brought to one (and integers to the
        floating one, where `floating` says so), or the name of a dtype; left open where it is another or depends.
    complex_input
        For a function with the keyword parameter `complex_mode: str = "jax"`, what this default means: `"entire"` where
        implementations take complex numbers themselves, or that these are brought to real ones as by the modes
        `"split"` and `"magnitude"`. Implementations may leave the parameter out.
    check
        Takes parameters of the `def` by their names, and that of the function as `name`, and raises if what it gets is
        wrong; it is called before any implementation, on native arrays or `Array`. For mistakes of which some framework
        makes a result: where all of them raise, what the body raises is told everywhere.
    case_of
        The name of the function that the composition calls, if all that it does besides is to read the options in its own
        name: it is then computed natively where that one is.
    namespace
        `"linalg"` or `"fft"` for the extensions.
    main
        Whether it stands in the main namespace; by default if `namespace` is empty.

    Returns
    -------
    A decorator that gives back the public function: same name, signature and docstring, and an identity that never
    changes.

    Raises
    ------
    CoreArrayValueError
        If another module has declared a function of that name.

    Notes
    -----
    A body that is only a docstring or `...` makes the function primary. In a composition the global name
    `xp` stands for the backend for which it is composed.
    """
    from corearray.calls.dispatch import ROUTES, public_function
    from corearray.contract.traced import mark

    def decorate(function: _F) -> _F:
        written = cast(FunctionType, function)
        known = DECLARATIONS.made(written.__name__)
        if known is not None and known.function.__module__ != written.__module__:
            raise CoreArrayValueError(
                f"a function '{written.__name__}' is declared already, in {known.function.__module__}; take another name"
            )
        in_main = main if main is not None else not namespace
        declaration = Declaration(
            written, namespace, in_main, promote, floating, real, infer, gives, complex_input, check, case_of
        )
        declaration.public = public_function(declaration)
        mark(declaration)
        DECLARATIONS[declaration.name] = declaration
        for backend in set(ROUTES.values()) if known is not None else ():  # run again, as a cell of a notebook is
            backend.forget()
        return cast(_F, declaration.public)

    return decorate
