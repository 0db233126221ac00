"""Sums of products over named axes, against NumPy's."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from standard.support import ALL, COMPLEX, HAVE, PROMOTION, array, be, check, covers, examples

import corearray as ca

_EQUATIONS = (
    "ij,jk->ik", "ij,jk", "ij,kj->ik", "ii", "ii->i", "iij->ij", "iji", "iii->i", "i,i->", "i,j->ij", "i,j->ji",
    "ij,ij->ij", "ij,ij", "ij->ji", "ji", "ij->j", "ij->", "i->i", "bij,bjk->bik", "ij,j,i->", "ab,bc,ca->",
    "ab,bc,cd->ad", "ij,kj,lj->ikl", "aij,ajk,akl->il", "ij,ik->jk", "ab,ab,ab->b", "i,j->", "ii,jj->ij", "ij,ji->i",
    "...ij,...jk->...ik", "...i,...i->...", "i...->...i", "...,...", "...i", "i...j,j->i...", "...ii->...i", ",i->i",
    ",,->", "aB,Bc", " i j , j -> i ", "ij,...->...ji",
)  # fmt: skip


@st.composite
def _operands(draw, equation, dtype):
    """Draw arrays that fit an equation: small numbers, so that sums are exact, and some axes of length 1 or 0."""
    sizes = {letter: draw(st.integers(0, 3)) for letter in "abcdijklB"}
    batch = draw(st.lists(st.integers(1, 3), max_size=2))
    generator = np.random.default_rng(draw(st.integers(0, 99)))
    found = []
    for term in equation.replace(" ", "").partition("->")[0].split(","):
        before, dots, after = term.partition("...")
        hidden = [draw(st.sampled_from((size, 1))) for size in batch[draw(st.integers(0, len(batch))) :]]
        shape = [*(sizes[letter] for letter in before), *hidden * bool(dots), *(sizes[letter] for letter in after)]
        values = generator.integers(0, 2 if dtype == "bool" else 4, shape)
        found.append((values * (1 + 1j) if dtype in COMPLEX else values).astype(dtype))
    return found


@covers("einsum")
@pytest.mark.parametrize("equation", _EQUATIONS)
@examples
@given(st.data())
def test_einsum(equation, data):
    dtype = data.draw(st.sampled_from(HAVE))
    operands = data.draw(_operands(equation, dtype))
    found = be.einsum(equation, *map(array, operands))
    check(("einsum", equation, operands), found, np.einsum(equation, *operands), dtype)


@covers("einsum")
@examples
@given(st.data())
def test_einsum_promotes(data):
    names = [pair for pair, common in PROMOTION.items() if common and set(pair) <= set(HAVE)]
    one, two = data.draw(st.sampled_from(names))
    x, y = np.asarray([[0, 1], [1, 1]], one), np.asarray([1, 0], two)
    found = be.einsum("ij,j->i", array(x), array(y))
    check(("einsum", x, y), found, x.astype(PROMOTION[one, two]) @ y.astype(PROMOTION[one, two]))


@covers("einsum")
@pytest.mark.parametrize("dtype", [name for name in ALL if name in HAVE and name.endswith(("int8", "int16", "int64"))])
def test_integers_wrap_around(dtype):
    """Sums and products keep the low bits, with a product or without."""
    x = np.full((3, 3), np.iinfo(dtype).max - 1, dtype)
    for equation, count in (("ij->i", 1), ("ij,jk->ik", 2), ("ij,kl->k", 2), ("ij,jk,kl->il", 3), ("ii", 1)):
        check((equation, x), be.einsum(equation, *[array(x)] * count), np.einsum(equation, *[x] * count), dtype)


@covers("einsum")
@pytest.mark.parametrize("equation", ["...i,...i->...", "ij,ij->i", "ij,ij->ij", "ij,ij->j", "ij,ij,ij->", "ij,ji->ij"])
def test_axes_of_length_one_broadcast(equation):
    x, y = np.arange(6.0).reshape(2, 3), np.arange(2.0).reshape(2, 1)
    y = y.T if "ji" in equation else y
    operands = [x, y, y[:1]][: equation.count(",") + 1]
    check((equation, operands), be.einsum(equation, *map(array, operands)), np.einsum(equation, *operands))


@covers("einsum")
def test_large_operands():
    """Frameworks take other ways for these."""
    x, y = np.arange(4800.0).reshape(60, 80) % 7, np.arange(8000.0).reshape(80, 100) % 5
    for equation, operands in (("ij,jk->ki", [x, y]), ("ij,jk,lk->il", [x, y, y]), ("ij->j", [x])):
        check(equation, be.einsum(equation, *map(array, operands)), np.einsum(equation, *operands, optimize=True))


@covers("einsum")
@pytest.mark.parametrize(
    ("equation", "shapes", "text"),
    [
        ("ij,jk->ik", [(2, 3)], "got 1 operands for 'ij,jk->ik', which has 2 terms; give one for each term"),
        ("ij", [(2,)], "got an array with 1 axes for the term 'ij' of 'ij'"),
        ("i", [(2, 3)], "got an array with 2 axes for the term 'i' of 'i'"),
        ("ij...", [(2,)], "got an array with 1 axes for the term 'ij...' of 'ij...'"),
        ("ij->k", [(2, 3)], "got 'ij->k', whose result cannot have the axis 'k'"),
        ("ij->ii", [(2, 3)], "got 'ij->ii', whose result cannot have the axis 'i'"),
        ("...i->i", [(2, 3)], "got '...i->i', whose result lacks the axes of '...'; write '...' in the result too"),
        ("i1", [(2, 3)], "cannot read 'i1' in 'i1'; axes are named by the letters a to z and A to Z"),
        ("i->j->k", [(2,)], "cannot read 'j->k' in 'i->j->k'"),
        ("i.j", [(2, 3)], "cannot read 'i.j' in 'i.j'"),
        ("äb", [(2, 3)], "cannot read 'äb' in 'äb'"),
        ("ii", [(2, 3)], "got the lengths 2 and 3 for the axis 'i' in 'ii'"),
        ("ii->i", [(1, 3)], "got the lengths 1 and 3 for the axis 'i' in 'ii->i'"),
        ("ij,jk", [(2, 3), (2, 3)], "got the lengths 3 and 2 for the axis 'j' in 'ij,jk'"),
        ("ij,ij->", [(2, 3), (3, 2)], "got the lengths 2 and 3 for the axis 'i' in 'ij,ij->'"),
        ("...,...", [(2,), (3,)], "got the lengths 2 and 3 for the axis -1 of '...' in '...,...'"),
    ],
)
def test_equations_that_do_not_fit(equation, shapes, text):
    for dtype in (ca.float32, ca.int8):
        with pytest.raises(ValueError, match="^" + re.escape(f"'einsum' {text}")) as caught:
            be.einsum(equation, *(be.ones(shape, dtype=dtype) for shape in shapes))
        assert isinstance(caught.value, ca.CoreArrayError)


@covers("einsum")
def test_an_equation_is_a_text():
    x = be.ones((2, 2))
    for equation in (x, 7, None):
        with pytest.raises(TypeError, match="it takes a text"):
            be.einsum(equation, x)
    with pytest.raises(ValueError, match="got 0 operands for 'i', which has 1 terms"):
        be.einsum("i")
