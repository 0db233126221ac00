"""Losses of vectors and scores that are compared, against their formulas in float64."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from standard.support import SMALL, array, arrays, axis_of, be, check, covers, dtypes_of, examples, wide

_REDUCTIONS = {"mean": np.mean, "sum": np.sum, "none": lambda x: x}
_FLOATS = dtypes_of(("float32", "float64"))


def _vectors(data, dtype, count):
    shapes = data.draw(
        hnp.mutually_broadcastable_shapes(num_shapes=count, min_dims=1, max_dims=3, min_side=1, max_side=3)
    )
    return [data.draw(arrays(dtype, shape, SMALL)) for shape in shapes.input_shapes]


@covers("cosine_similarity")
@examples
@given(st.data(), _FLOATS)
def test_cosine_similarity(data, dtype):
    x, y = _vectors(data, dtype, 2)
    axis = data.draw(axis_of(max(x.ndim, y.ndim)))
    eps = data.draw(st.sampled_from((1e-8, 0.5)))
    one, two = np.broadcast_arrays(wide(x), wide(y))
    norms = [np.maximum(np.sqrt((v * v).sum(axis)), eps) for v in (one, two)]
    want = (one * two).sum(axis) / norms[0] / norms[1]
    got = be.cosine_similarity(array(x), array(y), axis=axis, eps=eps)
    check(("cosine_similarity", x, y, axis, eps), got, want, dtype, factor=10, scale=1.0)


@covers("cosine_embedding_loss")
@examples
@given(st.data(), _FLOATS)
def test_cosine_embedding_loss(data, dtype):
    x, y = _vectors(data, dtype, 2)
    axis = data.draw(axis_of(max(x.ndim, y.ndim)))
    one, two = np.broadcast_arrays(wide(x), wide(y))
    squares = [(v * v).sum(axis) + 1e-12 for v in (one, two)]
    cosine = (one * two).sum(axis) / np.sqrt(squares[0] * squares[1])
    target = data.draw(hnp.arrays("int32", cosine.shape, elements=st.sampled_from((-1, 1))))
    margin = data.draw(st.sampled_from((0.0, 0.25)))
    reduction = data.draw(st.sampled_from(tuple(_REDUCTIONS)))
    want = _REDUCTIONS[reduction](np.where(target == 1, 1 - cosine, np.maximum(cosine - margin, 0)))
    got = be.cosine_embedding_loss(array(x), array(y), array(target), margin=margin, axis=axis, reduction=reduction)
    check(("cosine_embedding_loss", x, y, target, axis), got, want, dtype, factor=10, scale=float(cosine.size))


@covers("margin_ranking_loss")
@examples
@given(st.data(), _FLOATS)
def test_margin_ranking_loss(data, dtype):
    x, y = _vectors(data, dtype, 2)
    target = data.draw(hnp.arrays("int32", (1,), elements=st.sampled_from((-1, 1))))
    reduction = data.draw(st.sampled_from(tuple(_REDUCTIONS)))
    want = _REDUCTIONS[reduction](np.maximum(-target * (wide(x) - wide(y)) + 0.5, 0))
    got = be.margin_ranking_loss(array(x), array(y), array(target), margin=0.5, reduction=reduction)
    check(("margin_ranking_loss", x, y, target), got, want, dtype, factor=10, scale=50.0 * x.size * y.size)


@covers("triplet_margin_loss")
@examples
@given(st.data(), _FLOATS)
def test_triplet_margin_loss(data, dtype):
    three = _vectors(data, dtype, 3)
    p = data.draw(st.sampled_from((1.0, 2.0, 3.0)))
    swap = data.draw(st.booleans())
    reduction = data.draw(st.sampled_from(tuple(_REDUCTIONS)))
    anchor, positive, negative = map(wide, three)

    def distance(one, two):
        return (np.abs(one - two + 1e-6) ** p).sum(-1) ** (1 / p)

    far = distance(anchor, negative)
    far = np.minimum(far, distance(positive, negative)) if swap else far
    want = np.maximum(distance(anchor, positive) - far + 2.0, 0.0)
    got = be.triplet_margin_loss(*map(array, three), margin=2.0, p=p, swap=swap, reduction=reduction)
    check(
        ("triplet_margin_loss", *three, p, swap),
        got,
        _REDUCTIONS[reduction](want),
        dtype,
        factor=20,
        scale=99.0 * want.size,
    )


@pytest.mark.parametrize(
    ("error", "call"),
    [
        (ValueError, lambda x: be.cosine_similarity(x, be.ones(2))),
        (IndexError, lambda x: be.cosine_similarity(x, x, axis=2)),
        (ValueError, lambda x: be.cosine_embedding_loss(x, x, be.ones(2), reduction="all")),
        (ValueError, lambda x: be.margin_ranking_loss(x, x, x, reduction="all")),
        (ValueError, lambda x: be.triplet_margin_loss(x, x, x, margin=0.0)),
        (ValueError, lambda x: be.triplet_margin_loss(x, x, be.asarray(1.0))),
    ],
)
def test_what_does_not_fit_is_refused(error, call):
    with pytest.raises(error):
        call(be.ones((2, 3)))
