"""Losses of vectors and scores that are compared, against their formulas in float64."""

from __future__ import annotations

import warnings

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


def _scores(data, dtype):
    shape = data.draw(st.sampled_from(((4,), (3, 4), (2, 1, 3), (0, 2), (1, 1))))
    return shape, data.draw(hnp.arrays(dtype, shape, elements=st.floats(-8, 8, width=16)))


@covers("multi_margin_loss")
@examples
@given(st.data(), _FLOATS)
def test_multi_margin_loss(data, dtype):
    shape, x = _scores(data, dtype)
    target = data.draw(
        hnp.arrays(data.draw(st.sampled_from(("int32", "uint8"))), shape[:-1], elements=st.integers(0, shape[-1] - 1))
    )
    weight = data.draw(st.sampled_from((None, np.linspace(0.5, 2, shape[-1]).astype(dtype))))
    p, margin = data.draw(st.sampled_from((1, 2))), data.draw(st.sampled_from((1.0, 0.25)))
    reduction = data.draw(st.sampled_from(tuple(_REDUCTIONS)))
    want = np.zeros(shape[:-1])
    for place in np.ndindex(*shape[:-1]):
        y = int(target[place])
        for c in set(range(shape[-1])) - {y}:
            one = max(0.0, margin - float(x[place][y]) + float(x[place][c])) ** p
            want[place] += one * (1.0 if weight is None else float(weight[y])) / shape[-1]
    options = {"p": p, "margin": margin, "weight": None if weight is None else array(weight), "reduction": reduction}
    with np.errstate(invalid="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # the mean of nothing
        got, want = be.multi_margin_loss(array(x), array(target), **options), _REDUCTIONS[reduction](want)
    check(("multi_margin_loss", x, target, p), got, want, dtype, factor=20, scale=999.0)


@covers("multilabel_margin_loss")
@examples
@given(st.data(), _FLOATS)
def test_multilabel_margin_loss(data, dtype):
    shape, x = _scores(data, dtype)
    target = data.draw(hnp.arrays("int64", shape, elements=st.integers(-1, shape[-1] - 1)))
    reduction = data.draw(st.sampled_from(tuple(_REDUCTIONS)))
    want = np.zeros(shape[:-1])
    for place in np.ndindex(*shape[:-1]):
        labels = list(map(int, target[place]))
        labels = labels[: labels.index(-1)] if -1 in labels else labels
        for y in labels:
            for c in set(range(shape[-1])) - set(labels):
                want[place] += max(0.0, 1.0 - float(x[place][y]) + float(x[place][c])) / shape[-1]
    with np.errstate(invalid="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        got = be.multilabel_margin_loss(array(x), array(target), reduction=reduction)
        want = _REDUCTIONS[reduction](want)
    check(("multilabel_margin_loss", x, target), got, want, dtype, factor=20, scale=999.0)


@covers("multilabel_soft_margin_loss")
@examples
@given(st.data(), _FLOATS)
def test_multilabel_soft_margin_loss(data, dtype):
    shape, x = _scores(data, dtype)
    target = data.draw(hnp.arrays("int32", shape, elements=st.integers(0, 1)))
    weight = data.draw(st.sampled_from((None, np.linspace(0.5, 2, shape[-1]).astype(dtype))))
    reduction = data.draw(st.sampled_from(tuple(_REDUCTIONS)))
    with np.errstate(invalid="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        each = np.where(target == 1, np.logaddexp(0, -wide(x)), np.logaddexp(0, wide(x)))
        want = _REDUCTIONS[reduction]((each * (1.0 if weight is None else wide(weight))).mean(-1))
        options = {"weight": None if weight is None else array(weight), "reduction": reduction}
        got = be.multilabel_soft_margin_loss(array(x), array(target), **options)
    check(("multilabel_soft_margin_loss", x, target), got, want, dtype, factor=20, scale=999.0)


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
