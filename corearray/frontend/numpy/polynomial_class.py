"""`poly1d`: a polynomial of one variable as an object."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from corearray.errors import CoreArrayValueError

__all__ = ["poly1d"]


class poly1d:  # noqa: N801  NumPy's name
    """A polynomial by its coefficients, highest first, or by its roots (`r=True`)."""

    _np: ClassVar[Any]
    coeffs: Any
    _variable: str
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, c_or_r: Any, r: bool = False, variable: Any = None) -> None:
        np = self._np
        if isinstance(c_or_r, poly1d):
            self.coeffs, self._variable = c_or_r.coeffs, variable or c_or_r.variable
            return
        c = np.atleast_1d(np.poly(c_or_r) if r else c_or_r)
        if c.ndim > 1:
            raise CoreArrayValueError("Polynomial must be 1d only.")
        places = c.nonzero()[0]
        self.coeffs = c[int(places[0]) :] if places.size else np.zeros((1,), dtype=c.dtype)
        self._variable = variable or "x"

    @property
    def variable(self) -> str:
        """The name of the variable."""
        return self._variable

    @property
    def order(self) -> int:
        """The degree."""
        return len(self.coeffs) - 1

    o = order

    @property
    def roots(self) -> Any:
        """The roots."""
        return self._np.roots(self.coeffs)

    r = roots

    @property
    def c(self) -> Any:
        """The coefficients, highest first."""
        return self.coeffs

    @c.setter
    def c(self, value: Any) -> None:
        """Refuse other coefficients."""
        if value is not self.coeffs:
            raise AttributeError("Cannot set attribute")

    coef = coefficients = c

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        return self.coeffs.__array__(dtype)

    @property
    def array(self) -> Any:
        """The coefficients as an array."""
        return self.coeffs.array

    def __len__(self) -> int:
        return self.order

    def __iter__(self) -> Iterator[Any]:
        return iter(self.coeffs)

    def __call__(self, value: Any) -> Any:
        """Return the value at a place."""
        return self._np.polyval(self.coeffs, value)

    def __getitem__(self, power: int) -> Any:
        if not 0 <= power <= self.order:
            return self.coeffs.dtype.type(0)
        return self.coeffs[self.order - power]

    def __setitem__(self, power: int, value: Any) -> None:
        np = self._np
        if power < 0:
            raise CoreArrayValueError("Does not support negative powers.")
        if power > self.order:
            self.coeffs = np.concatenate((np.zeros(power - self.order, self.coeffs.dtype), self.coeffs))
        self.coeffs[self.order - power] = value

    def __neg__(self) -> Any:
        return type(self)(-self.coeffs)

    def __pos__(self) -> Any:
        return self

    def _made(self, other: Any, function: Any) -> Any:
        np = self._np
        return type(self)(function(np.asarray(self.coeffs), np.asarray(type(self)(other).coeffs)))

    def __add__(self, other: Any) -> Any:
        return self._made(other, self._np.polyadd)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        return self._made(other, self._np.polysub)

    def __rsub__(self, other: Any) -> Any:
        return type(self)(other) - self

    def __mul__(self, other: Any) -> Any:
        return type(self)(self.coeffs * other) if self._np.isscalar(other) else self._made(other, self._np.polymul)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Any:
        if self._np.isscalar(other):
            return type(self)(self.coeffs / other)
        return self._np.polydiv(self, type(self)(other))

    def __rtruediv__(self, other: Any) -> Any:
        return (
            type(self)(other / self.coeffs) if self._np.isscalar(other) else self._np.polydiv(type(self)(other), self)
        )

    def __pow__(self, power: Any) -> Any:
        if not self._np.isscalar(power) or int(power) != power or power < 0:
            raise CoreArrayValueError("Power to non-negative integers only.")
        made = type(self)([1])
        for _ in range(int(power)):
            made = made * self
        return made

    def __eq__(self, other: object) -> Any:
        if not isinstance(other, poly1d):
            return NotImplemented
        return self.coeffs.shape == other.coeffs.shape and bool((self.coeffs == other.coeffs).all())

    def __ne__(self, other: object) -> Any:
        return NotImplemented if not isinstance(other, poly1d) else not self == other

    def deriv(self, m: int = 1) -> Any:
        """Return the derivative."""
        return type(self)(self._np.polyder(self.coeffs, m=m))

    def integ(self, m: int = 1, k: Any = 0) -> Any:
        """Return an antiderivative."""
        return type(self)(self._np.polyint(self.coeffs, m=m, k=k))

    def __repr__(self) -> str:
        return f"poly1d({repr(self.coeffs)[6:-1]})"

    def __str__(self) -> str:
        terms, np = "", self._np
        c = self.coeffs
        if np.iscomplexobj(c) and (c.imag == 0).all():
            c = c.real
        for k, value in enumerate(c):
            number = value.item()
            text = self._number(number)
            power = len(c) - 1 - k
            if power == 0:
                new = f"{text}" if text != "0" or k == 0 else ""
            elif power == 1:
                new = "" if text == "0" else f"{text} {self._variable}"
            else:
                new = "" if text == "0" else f"{text} {self._variable}**{power}"
            if text == "1" and power and new:
                new = new.removeprefix("1 ")
            if k and new:
                terms += f" - {new[1:]}" if new.startswith("-") else f" + {new}"
            else:
                terms += new
        return _raised(terms)

    @staticmethod
    def _number(x: Any) -> str:
        def short(value: float) -> str:
            text = f"{value:.4g}"
            return text[:-5] if text.endswith(".0000") else text

        if isinstance(x, complex):
            if x.imag == 0:
                return short(x.real)
            if x.real == 0:
                return f"{short(x.imag)}j"
            return f"({short(x.real)} + {short(x.imag)}j)"
        return short(x)


def _raised(text: str, wrap: int = 70) -> str:
    """Return a polynomial as two lines, with powers above."""
    import re

    place, above, below, made = 0, "", "", " "
    for found in re.finditer(r"\*\*([0-9]*)", text):
        start, end = found.span()
        power, part = found.groups()[0], text[place:start]
        place = end
        upper, lower = " " * (len(part)) + power, part + " " * len(power)
        if len(above) + len(upper) > wrap or len(below) + len(lower) > wrap:
            made += above + "\n" + below + "\n "
            above, below = upper, lower
        else:
            above += upper
            below += lower
    made += above + "\n" + below
    return made + text[place:]
