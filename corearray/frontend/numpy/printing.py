"""Arrays as text, laid out as NumPy lays them out.

Source: https://numpy.org/doc/stable/reference/generated/numpy.set_printoptions.html
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import corearray as ca
from corearray.errors import CoreArrayTypeError, CoreArrayValueError
from corearray.frontend.numpy.decimals import positional, scientific

__all__ = ["get_options", "options_set", "set_options", "text_of_array", "text_of_repr", "text_of_scalar"]

_DEFAULTS = {
    "edgeitems": 3, "threshold": 1000, "floatmode": "maxprec", "precision": 8, "suppress": False, "linewidth": 75,
    "nanstr": "nan", "infstr": "inf", "sign": "-", "formatter": None, "legacy": False, "override_repr": None,
}  # fmt: skip
_options: ContextVar[dict[str, Any]] = ContextVar("corearray.frontend.numpy.printing", default=_DEFAULTS)


def get_options() -> dict[str, Any]:
    """Return the options for printing."""
    return dict(_options.get())


def set_options(**options: Any) -> None:
    """Change options for printing; `None` keeps one.

    Raises
    ------
    ValueError, TypeError
        If there is no such option, or the value is none of its values.
    """
    _options.set(_with(_options.get(), options))


@contextmanager
def options_set(*args: Any, **options: Any) -> Iterator[dict[str, Any]]:
    """Change options for printing within a block."""
    token = _options.set(_with(_options.get(), options))
    try:
        yield get_options()
    finally:
        _options.reset(token)


def _with(known: dict[str, Any], options: dict[str, Any]) -> dict[str, Any]:
    for name, value in options.items():
        if name not in _DEFAULTS:
            raise CoreArrayTypeError(f"there is no print option '{name}'; options are {', '.join(_DEFAULTS)}")
        if value is None:
            continue
        if name == "floatmode" and value not in ("fixed", "unique", "maxprec", "maxprec_equal"):
            raise CoreArrayValueError(
                "floatmode option must be one of 'fixed', 'unique', 'maxprec', or 'maxprec_equal'"
            )
        if name == "sign" and value not in ("-", "+", " "):
            raise CoreArrayValueError("sign option must be one of ' ', '+', or '-'")
        if name == "legacy" and value not in (False, "1.13", "1.21", "1.25", "2.1", "2.2"):
            raise CoreArrayValueError(
                "legacy printing option can currently only be '1.13', '1.21', '1.25', '2.1', '2.2' or `False`"
            )
        if name == "threshold":
            if not isinstance(value, (int, float)):
                raise CoreArrayTypeError("threshold must be numeric")
            if value != value:
                raise CoreArrayValueError("threshold must be non-NAN, try sys.maxsize for untruncated representation")
        if name == "precision" and not hasattr(value, "__index__"):
            raise CoreArrayTypeError("precision must be an integer")
    if options.get("legacy") == "1.13":
        options = {**options, "sign": "-"}
    made = {
        **known,
        **{
            name: value
            for name, value in options.items()
            if value is not None or name in ("precision", "formatter", "override_repr")
        },
    }
    if made["floatmode"] == "fixed" and made["precision"] is None:
        made["floatmode"] = "unique"
    return made


class _Floats:
    """A format that gives all floating-point numbers of an array one width."""

    def __init__(self, values: list[float], bits: int, options: dict[str, Any], sign: str | None = None) -> None:
        self.bits, self.options, self.sign = bits, options, sign or options["sign"]
        self.legacy = options["legacy"] == "1.13"
        mode = "maxprec" if self.legacy and options.get("part") is None else options["floatmode"]
        precision = None if mode == "unique" else options["precision"]
        finite = [x for x in values if math.isfinite(x)]
        sizes = [abs(x) for x in finite if x]
        cutoff = 10.0 ** min(8, {16: 3, 32: 6}.get(bits, 15))
        self.exponents = bool(sizes) and (
            max(sizes) >= (1e8 if options["legacy"] not in (False,) else cutoff)
            or (not options["suppress"] and (min(sizes) < 0.0001 or max(sizes) / min(sizes) > 1000.0))
        )
        trim, self.unique = (".", True) if mode != "fixed" else ("k", False)
        plus = self.sign == "+"
        self.precision, self.least, self.trim, self.digits = precision, None, ".", -1
        self.left = self.right = 0
        if self.exponents:
            if self.legacy:
                trim, self.unique = "k", False
            texts = [scientific(x, bits, precision, self.unique, trim, plus) for x in finite]
            wholes, fractions = zip(*(text.partition("e")[0].split(".") for text in texts), strict=True)
            self.digits = max(len(text.partition("e")[2]) for text in texts) - 1
            self.trim = "k"
            self.precision = self.least = max(map(len, fractions))
            self.left = 3 if self.legacy else max(map(len, wholes))
            self.right = self.digits + 2 + self.precision
        elif finite:
            texts = [positional(x, bits, precision, self.unique, True, trim, plus) for x in finite]
            wholes, fractions = zip(*(text.split(".") for text in texts), strict=True)
            self.left = 1 + max(len(w.lstrip("-+")) for w in wholes) if self.legacy else max(map(len, wholes))
            self.right = max(map(len, fractions))
            if mode in ("fixed", "maxprec_equal"):
                self.precision = self.least = self.right
                self.trim = "k"
            else:
                self.trim, self.least = ".", 0
        if not self.legacy and self.sign == " " and not any(math.copysign(1, x) < 0 for x in finite):
            self.left += 1
        if len(finite) < len(values):
            marked = self.sign != "-" or any(x == -math.inf for x in values)
            offset = self.right + 1
            self.left = max(self.left, len(options["nanstr"]) - offset, len(options["infstr"]) + marked - offset)

    def __call__(self, x: float) -> str:
        if not math.isfinite(x):
            plus = "+" if self.sign == "+" else ""
            text = plus + self.options["nanstr"] if x != x else ("-" if x < 0 else plus) + self.options["infstr"]
            return text.rjust(self.left + self.right + 1)
        plus_too = self.sign == "+"
        if self.exponents:
            return scientific(
                x, self.bits, self.precision, self.unique, self.trim, plus_too, self.left, self.digits, self.least
            )
        return positional(
            x, self.bits, self.precision, self.unique, True, self.trim, plus_too, self.left, self.right, self.least
        )


def _custom(own: ca.DType, options: dict[str, Any]) -> Any:
    """Return the user's function for the elements of a dtype, or `None`."""
    kinds = {"bool": ("bool",), "signed integer": ("int", "int_kind"), "unsigned integer": ("int", "int_kind"),
             "real floating": ("float", "float_kind"), "complex floating": ("complexfloat", "complex_kind")}  # fmt: skip
    given = options["formatter"] or {}
    names = (*kinds["bool" if own == ca.bool else own.category], "all")
    return next((given[name] for name in names if given.get(name) is not None), None)


def _format(values: list[Any], own: ca.DType, options: dict[str, Any]) -> Callable[[Any], str]:
    """Return the function that makes text of an element."""
    custom = _custom(own, options)
    if custom is not None:
        return custom
    if own == ca.bool:
        return lambda x: str(x).rjust(5 if options.get("axes") and x else 0)
    if "int" in own.name:
        sign = options["sign"]
        signed = [format(x, "+d" if sign == "+" else " d" if sign == " " and min(values) >= 0 else "d") for x in values]
        width = max(map(len, signed), default=0)
        form = f"{'+' if sign == '+' else ' ' if sign == ' ' and min(values) >= 0 else ''}{width}d"
        return lambda x: format(x, form)
    if own.category == "complex floating":
        bits = own.bits // 2
        real = _Floats(
            [x.real for x in values],
            bits,
            {**options, **({"floatmode": "maxprec_equal", "part": 1} if options["legacy"] == "1.13" else {})},
        )
        imag = _Floats(
            [x.imag for x in values],
            bits,
            {**options, **({"floatmode": "maxprec", "part": 1} if options["legacy"] == "1.13" else {})},
            "+",
        )

        def both(x: complex) -> str:
            text = imag(x.imag)
            size = len(text.rstrip())
            return f"{real(x.real)}{text[:size]}j{text[size:]}"

        return both
    return _Floats(values, own.bits, options)


def _edges(nested: Any, depth: int, edge: int) -> Any:
    """Return nested lists without the middle of long axes."""
    if not depth:
        return nested
    if len(nested) > 2 * edge:
        nested = [*nested[:edge], *nested[len(nested) - edge :]]
    return [_edges(part, depth - 1, edge) for part in nested]


def _leaves(nested: Any, depth: int) -> list[Any]:
    if not depth:
        return [nested]
    return [leaf for part in nested for leaf in _leaves(part, depth - 1)]


def text_of_array(x: Any, separator: str = " ", prefix: str = "", suffix: str = "", **changed: Any) -> str:
    """Return the text of an array's elements."""
    options = _with(_options.get(), changed)
    nested, ndim = x.array.tolist(), x.ndim
    if not x.size:
        return "[]"
    whole = x.size <= options["threshold"]
    values = _leaves(nested if whole else _edges(nested, ndim, options["edgeitems"]), ndim)
    options["axes"] = ndim
    form = _format(values, x.array.dtype, options)
    if _custom(x.array.dtype, options) is not None:
        form = _of_scalars(form, type(x)._types.dtype(x.array.dtype).type)
    layout = _Layout(options, separator, form, summary=not whole)
    width = options["linewidth"] - (0 if options["legacy"] == "1.13" else len(suffix))
    return layout.text(nested, ndim, " " + " " * len(prefix), width)


def _of_scalars(form: Callable[[Any], str], make: Callable[[Any], Any]) -> Callable[[Any], str]:
    """Give a user's formatter NumPy's scalars in place of Python's numbers."""
    return lambda value: form(make(value))


class _Layout:
    """Brackets, separators and line breaks around elements."""

    def __init__(self, options: dict[str, Any], separator: str, form: Callable[[Any], str], *, summary: bool) -> None:
        self.edge, self.separator, self.form = options["edgeitems"], separator, form
        self.summary, self.legacy = summary, options["legacy"] == "1.13"

    def text(self, nested: Any, depth: int, indent: str, width: int) -> str:
        """Return the text of nested lists of a depth."""
        if not depth:
            return self.form(nested)
        inner, narrower = indent + " ", width if self.legacy else width - 1
        short = self.summary and 2 * self.edge < len(nested)
        first, last = (nested[: self.edge], nested[len(nested) - self.edge :]) if short else ([], nested)
        if short and not self.edge:
            last = []
        if depth == 1:
            return self._row(first, last, short, indent, width)
        between = self.separator.rstrip() + "\n" * (depth - 1)
        made = "".join(indent + self.text(part, depth - 1, inner, narrower) + between for part in first)
        if short:
            made += indent + "..." + (", \n" if self.legacy else between)
        made += between.join(indent + self.text(part, depth - 1, inner, narrower) for part in last)
        return f"[{made[len(indent) :]}]"

    def _row(self, first: Any, last: Any, short: bool, indent: str, width: int) -> str:
        bare = len(self.separator.rstrip())
        room = width - (bare if self.legacy else max(bare, 1))
        text, line = "", indent
        for item in first:
            text, line = self._word(text, line, self.form(item), room, indent)
            line += self.separator
        if short:
            text, line = self._extended(text, line, "...", room, indent)
            line += ", " if self.legacy else self.separator
        for place, item in enumerate(last):
            end = place == len(last) - 1
            text, line = self._word(text, line, self.form(item), width if end and self.legacy else room, indent)
            if not end:
                line += self.separator
        text += line
        return f"[{text[len(indent) :]}]"

    def _word(self, text: str, line: str, word: str, room: int, indent: str) -> tuple[str, str]:
        rows = word.splitlines()
        if len(rows) <= 1 or self.legacy:
            return self._extended(text, line, word, room, indent)
        size = max(map(len, rows))
        if len(line) + size > room and len(line) > len(indent):
            text, line = text + line.rstrip() + "\n", indent
            margin = indent
        else:
            margin = len(line) * " "
        line += rows[0]
        for row in rows[1:]:
            text, line = text + line.rstrip() + "\n", margin + row
        return text, line + " " * (size - len(rows[-1]))

    def _extended(self, text: str, line: str, word: str, room: int, indent: str) -> tuple[str, str]:
        breaks = len(line) + len(word) > room
        if not self.legacy and len(line) <= len(indent):
            breaks = False
        if breaks:
            text, line = text + line.rstrip() + "\n", indent
        return text, line + word


def text_of_repr(x: Any, max_line_width: Any = None, precision: Any = None, suppress_small: Any = None) -> str:
    """Return the text of `repr`."""
    options = _options.get()
    if options["override_repr"] is not None:
        return options["override_repr"](x)
    if isinstance(x, type(x)._types.generic):
        return text_of_scalar(x, named=True)
    width = options["linewidth"] if max_line_width is None else max_line_width
    name = "array" if type(x) is type(x)._types.ndarray else type(x).__name__
    old = options["legacy"] == "1.13"
    if old and not x.ndim:
        text = repr(x.item())
    else:
        text = text_of_array(
            x, ", ", f"{name}(", ")", linewidth=width, precision=_given(precision), suppress=suppress_small
        )  # fmt: skip
    extras = []
    shown = options["legacy"] in (False, "2.2")
    if (not x.size and x.shape != (0,)) or (shown and x.size > options["threshold"]):
        extras.append(f"shape={x.shape}")
    implied = x.dtype.name in ("bool", "int64", "float64", "complex128")
    if not implied or not x.size:
        extras.append(f"dtype={x.dtype.name}")
    if not extras:
        return f"{name}({text})"
    start, end = f"{name}({text},", ", ".join(extras) + ")"
    last = len(start) - (start.rfind("\n") + 1)
    broken = not old and last + len(end) + 1 > width
    return start + ("\n" + " " * (len(name) + 1) if broken else " ") + end


def _given(precision: Any) -> Any:
    return _options.get()["precision"] if precision is None else precision


def text_of_scalar(x: Any, *, named: bool = False) -> str:
    """Return the text of a number, with `named` together with its type as `repr` prints it."""
    value, own = x.array.item(), x.array.dtype
    old = _options.get()["legacy"] in ("1.13", "1.21", "1.25") or type(x)._frontend.version.startswith(("0.", "1."))
    if own == ca.bool:
        return (
            ("np." if named and not old else "") + ("True" if value else "False") + ("_" if named and not old else "")
        )
    if own.category == "complex floating":
        bits = own.bits // 2
        real, imag = _number(value.real, bits), _number(value.imag, bits, plus=True)
        if value.real == 0 and math.copysign(1, value.real) > 0:
            text = _number(value.imag, bits) + "j"
        else:
            text = f"({real}{imag}j)"
        text = text.replace(".0j", "j").replace(".0+", "+").replace(".0-", "-") if True else text
        return f"np.{own.name}({text.strip('()')})" if named and not old else text
    text = _number(value, own.bits) if own.category == "real floating" else str(value)
    return f"np.{own.name}({text})" if named and not old else text


def _number(x: float, bits: int, *, plus: bool = False) -> str:
    """Return a floating-point number as `str` prints it."""
    mark = "+" if plus else ""
    if x != x:
        return mark + "nan"
    if math.isinf(x):
        return "-inf" if x < 0 else mark + "inf"
    size = abs(x)
    large = {16: 1e16, 32: 1e16}.get(bits, 1e16)
    if size == 0 or 1e-4 <= size < large:
        return positional(x, bits, trim="0", sign=plus)
    return scientific(x, bits, trim="-", sign=plus)
