"""Drivers for functions of one and of two operands, element by element: from a table of cases to tests of all."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from standard.support import (
    FLOATING,
    HAVE,
    MODERATE,
    NUMERIC,
    PROMOTION,
    Domain,
    array,
    arrays,
    be,
    cast,
    check,
    complex_of,
    dtypes_of,
    examples,
    float_dtype,
    real_of,
    shapes,
    wide,
    with_scalar,
)


class Case(NamedTuple):
    """How one function is tested.

    Attributes
    ----------
    oracle
        The function on NumPy arrays; it gets Python integers, float64 or complex128.
    takes
        Names of the dtypes of the operands.
    gives
        `"same"` (the common dtype), `"float"` (the same, integers in the default floating dtype), `"bool"`, `"real"`.
    domain, second
        Where the elements of the first and of the second operand lie; `complex_domain` where they are complex.
    plain
        Whether the oracle gets the numbers in the dtype in which they are computed, and exactly its result must come.
    factor
        See `check`.
    scale
        From the operands to the size of the numbers that enter the result, see `check`.
    """

    oracle: Callable[..., Any]
    takes: tuple[str, ...] = NUMERIC
    gives: str = "same"
    domain: Domain = MODERATE
    second: Domain | None = None
    complex_domain: Domain | None = None
    plain: bool = False
    factor: float = 1.0
    scale: Callable[..., Any] | None = None

    def domain_of(self, dtype: str, place: int = 0) -> Domain:
        """Return the domain of an operand."""
        if dtype.startswith("complex") and self.complex_domain is not None:
            return self.complex_domain
        return self.second if place and self.second is not None else self.domain

    def computed_in(self, dtype: str) -> str:
        """Return the dtype in which operands of a common dtype are computed."""
        return float_dtype(dtype) if self.gives == "float" else dtype

    def result_of(self, dtype: str) -> str:
        """Return the dtype of the result of operands of a common dtype."""
        computed = self.computed_in(dtype)
        return {"bool": "bool", "real": real_of(computed), "complex": complex_of(computed)}.get(self.gives, computed)

    def expect(self, common: str, *operands: Any) -> Any:
        """Return what the oracle says."""
        computed = self.computed_in(common)
        lifted = [cast(x, computed) if self.plain else wide(cast(x, computed)) for x in operands]
        return self.oracle(*lifted)

    def compare(self, name: str, common: str, *operands: Any) -> None:
        """Make the call on the backend and compare."""
        given = [array(x) if isinstance(x, np.ndarray) else x for x in operands]
        got = getattr(be, name)(*given)
        want = self.expect(common, *operands)
        whole = [np.asarray(x, dtype="complex128" if np.iscomplexobj(x) else "float64") for x in operands]
        scale = 0.0 if self.scale is None else self.scale(*whole)
        check((name, *operands), got, want, self.result_of(common), factor=self.factor, scale=scale)


def of_every_dtype(cases: Mapping[str, Case]) -> pytest.MarkDecorator:
    """Parametrize with each function and each dtype that it takes."""
    found = [(name, dtype) for name, case in cases.items() for dtype in case.takes if dtype in HAVE]
    return pytest.mark.parametrize(("name", "dtype"), found, ids=[f"{name}-{dtype}" for name, dtype in found])


def unary_of_every_dtype(name: str, dtype: str, case: Case) -> None:
    """Edge values in a vector, and one of them without axes."""
    x = case.domain_of(dtype).edges(dtype)
    case.compare(name, dtype, x)
    case.compare(name, dtype, x[-1:].reshape(()))


def binary_of_every_dtype(name: str, dtype: str, case: Case) -> None:
    """Each edge value with each, and two of them without axes."""
    x1 = case.domain_of(dtype, 0).edges(dtype)
    x2 = case.domain_of(dtype, 1).edges(dtype)
    case.compare(name, dtype, x1[:, None], x2)
    case.compare(name, dtype, x1[:1].reshape(()), x2[-1:].reshape(()))


@st.composite
def _unary(draw: Any, case: Case) -> tuple[str, np.ndarray]:
    dtype = draw(dtypes_of(case.takes))
    return dtype, draw(arrays(dtype, shapes, case.domain_of(dtype)))


def unary_property(name: str, case: Case) -> None:
    """Any dtype, shape and values of the domain."""

    @examples
    @given(_unary(case))
    def holds(drawn: tuple[str, np.ndarray]) -> None:
        dtype, x = drawn
        case.compare(name, dtype, x)

    holds()


@st.composite
def _binary(draw: Any, case: Case) -> tuple[str, Any, Any]:
    """Draw the common dtype, and operands of broadcastable shapes, of two dtypes or one of them a Python scalar."""
    form = draw(st.sampled_from(("arrays", "arrays", "dtypes", "scalar first", "scalar second")))
    one = draw(dtypes_of(case.takes))
    if form.startswith("scalar"):
        place = 0 if form == "scalar first" else 1
        return _with_scalar(draw, case, one, place)
    two = draw(dtypes_of(case.takes)) if form == "dtypes" else one
    common = PROMOTION[one, two]
    assume(common is not None)
    assert common is not None
    found = draw(hnp.mutually_broadcastable_shapes(num_shapes=2, max_dims=3, min_side=0, max_side=3))
    x1 = draw(arrays(one, found.input_shapes[0], case.domain_of(one, 0)))
    x2 = draw(arrays(two, found.input_shapes[1], case.domain_of(two, 1)))
    return common, x1, x2


def _with_scalar(draw: Any, case: Case, dtype: str, place: int) -> tuple[str, Any, Any]:
    kinds = {
        bool: "bool" in case.takes,
        int: "int8" in case.takes and dtype != "bool",
        float: "float32" in case.takes and dtype != "bool",
        complex: "complex64" in case.takes and dtype in FLOATING,
    }
    kind = draw(st.sampled_from([kind for kind, allowed in kinds.items() if allowed]))
    domain = case.domain_of({complex: "complex64"}.get(kind, dtype), place)
    if kind is int:
        bounded = "int8" if dtype in FLOATING else dtype
        scalar = draw(domain.elements(bounded))
    else:
        scalar = draw(domain.elements({bool: "bool", float: "float32", complex: "complex64"}[kind]))
    common = with_scalar(dtype, scalar)
    x = draw(arrays(dtype, shapes, case.domain_of(dtype, 1 - place)))
    return (common, scalar, x) if place == 0 else (common, x, scalar)


def binary_property(name: str, case: Case) -> None:
    """Any two dtypes with a common one, broadcastable shapes, a Python scalar on either side."""

    @examples
    @given(_binary(case))
    def holds(drawn: tuple[str, Any, Any]) -> None:
        common, x1, x2 = drawn
        case.compare(name, common, x1, x2)

    holds()
