"""Floating-point numbers as decimal text: the shortest that names the number, or a number of digits.

Source: G. Steele and J. White, "How to print floating-point numbers accurately", 1990.
"""

from __future__ import annotations

import struct
from decimal import ROUND_HALF_EVEN, Context, Decimal
from typing import Any

from corearray.errors import CoreArrayTypeError, CoreArrayValueError

__all__ = ["positional", "scientific", "shortest"]

_CODES = {16: "e", 32: "f"}
_EXACT = Context(prec=1200)


def shortest(x: float, bits: int = 64) -> Decimal:
    """Return the decimal number with the fewest digits that is read as `x` in a floating dtype of so many bits."""
    if bits == 64:
        return Decimal(repr(x))
    code = _CODES[bits]
    for digits in range(1, 18):
        text = f"{x:.{digits - 1}e}"
        try:
            if struct.unpack(code, struct.pack(code, float(text)))[0] == x:
                return Decimal(text)
        except OverflowError:
            continue
    return Decimal(repr(x))


def _split(number: Decimal) -> tuple[str, str]:
    """Return the digits before and after the point."""
    whole, _, fraction = f"{abs(number):f}".partition(".")
    return whole, fraction


def _rounded(exact: Decimal, places: int) -> Decimal:
    return exact.quantize(Decimal(1).scaleb(-places), rounding=ROUND_HALF_EVEN, context=_EXACT)


def _trimmed(fraction: str, trim: str) -> str:
    """Return the point and the digits behind it, without zeros that are not wanted."""
    if trim == "k":
        return "." + fraction
    kept = fraction.rstrip("0")
    if kept:
        return "." + kept
    return {".": ".", "0": ".0", "-": ""}[trim]


def _checked(precision: Any, unique: bool, min_digits: Any) -> None:
    if not unique and precision is None:
        raise CoreArrayTypeError("in non-unique mode `precision` must be supplied")
    for name, value in (("precision", precision), ("min_digits", min_digits)):
        if value is not None and value < 0:
            raise CoreArrayValueError(f"{name} must be >= 0")
    if precision is not None and min_digits is not None and min_digits > precision:
        raise CoreArrayValueError("min_digits must be less than or equal to precision")


def positional(
    x: float, bits: int = 64, precision: int | None = None, unique: bool = True, fractional: bool = True, trim: str = "k",
    sign: bool = False, pad_left: int | None = None, pad_right: int | None = None, min_digits: int | None = None,
) -> str:  # fmt: skip
    """Return a number as text without an exponent."""
    _checked(precision, unique, min_digits)
    mark = "-" if str(x).startswith("-") else "+" if sign else ""
    if x != x or x in (float("inf"), float("-inf")):
        text = ("nan" if x != x else mark + "inf") if x != x else mark + "inf"
        return (
            text.rjust((pad_left or 0) + (pad_right or 0) + 1)
            if pad_left is not None or pad_right is not None
            else text
        )
    exact, short = Decimal(x), shortest(x, bits)
    number = short if unique else exact
    places: int | None = precision
    if precision is not None and not fractional:  # digits count from the first that is not zero
        if not precision:
            raise CoreArrayValueError("precision must be greater than 0 if fractional=False")
        places = precision - 1 - (exact.adjusted() if x else 0)
    if places is not None and (not unique or -int(short.as_tuple().exponent) > places):
        number = _rounded(exact, max(places, 0)) if places >= 0 else _rounded(exact, places)
    whole, fraction = _split(number)
    if unique:
        fraction = fraction.rstrip("0")
    wanted = places if not unique and trim == "k" else None
    least = min_digits
    if least is not None and not fractional:
        least = least - 1 - (exact.adjusted() if x else 0)
    for size in (wanted, least):
        if size is not None and len(fraction) < size:
            digits = f"{abs(_rounded(exact, size)):f}".partition(".")[2] if size == least and not unique else fraction
            fraction = digits.ljust(size, "0")
    trimmed = _trimmed(fraction, trim)
    if least is not None and trim != "k" and len(trimmed) - 1 < least:
        trimmed = "." + fraction[:least].ljust(least, "0") if least > 0 else trimmed
    text = mark + whole + trimmed
    if pad_right is not None:
        digits_right = len(trimmed) - 1 if trimmed else -1
        text += " " * (pad_right - digits_right)
    if pad_left is not None:
        text = " " * (pad_left - len(mark + whole)) + text
    return text


def scientific(
    x: float, bits: int = 64, precision: int | None = None, unique: bool = True, trim: str = "k", sign: bool = False,
    pad_left: int | None = None, exp_digits: int | None = None, min_digits: int | None = None,
) -> str:  # fmt: skip
    """Return a number as text with an exponent."""
    _checked(precision, unique, min_digits)
    mark = "-" if str(x).startswith("-") else "+" if sign else ""
    if x != x or x in (float("inf"), float("-inf")):
        return "nan" if x != x else mark + "inf"
    exact, short = Decimal(x), shortest(x, bits)
    number = short if unique else exact
    if precision is not None and x and (not unique or len(short.normalize().as_tuple().digits) - 1 > precision):
        number = _rounded(exact, precision - exact.adjusted())
    power = number.adjusted() if x else 0
    digits = "".join(map(str, number.as_tuple().digits)) if x else "0"
    whole, fraction = digits[0], digits[1:].rstrip("0")
    if not unique and precision is not None:
        fraction = digits[1 : precision + 1].ljust(precision, "0")
    if min_digits is not None:
        fraction = fraction.ljust(min_digits, "0")
    trimmed = _trimmed(fraction, trim)
    if min_digits and trim != "k" and len(trimmed) - 1 < min_digits:
        trimmed = "." + fraction[:min_digits]
    exponent = str(abs(power)).rjust(max(exp_digits if exp_digits is not None and exp_digits > 0 else 2, 1), "0")
    text = f"{mark}{whole}{trimmed}e{'-' if power < 0 else '+'}{exponent}"
    return " " * ((pad_left or 0) - len(mark + whole)) + text
