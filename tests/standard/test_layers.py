"""Linear layers and look-up tables against NumPy, dropout against the numbers of its generator."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from standard.support import (
    INTEGER,
    NUMERIC,
    SMALL,
    array,
    arrays,
    be,
    cast,
    check,
    covers,
    dtypes_of,
    examples,
    float_dtype,
    needs_derivatives,
    numpy_of,
    wide,
)

import corearray as ca

#: Shapes of vectors and weights: one matrix, and stacks of them.
_LINEAR = (
    ((3,), (2, 3)),
    ((4, 3), (2, 3)),
    ((2, 4, 3), (1, 3)),
    ((2, 0), (3, 0)),
    ((0, 3), (2, 3)),
    ((2, 3), (2, 4, 3)),
    ((5, 2, 3), (2, 4, 3)),
    ((2, 2, 1, 3), (2, 1, 2, 3)),
)


@covers("linear")
@examples
@given(st.data(), dtypes_of(NUMERIC), st.sampled_from(_LINEAR), st.booleans())
def test_linear(data, dtype, shapes, biased):
    x = data.draw(arrays(dtype, shapes[0], SMALL))
    weight = data.draw(arrays(dtype, shapes[1], SMALL))
    want = np.einsum("...i,...oi->...o", wide(x), wide(weight))
    options = {}
    if biased:
        bias = data.draw(arrays(dtype, shapes[1][:-1], SMALL))
        options["bias"] = array(bias)
        want = want + wide(bias)
    check(("linear", x, weight, options), be.linear(array(x), array(weight), **options), want, dtype, scale=48.0)


@covers("linear")
@pytest.mark.parametrize("dtype", ["float32", "int64"])
def test_linear_takes_what_fits(dtype):
    shapes = [(), (0,), (1,), (2,), (3,), (1, 2), (2, 2), (2, 3), (3, 2)]
    for shape in (*shapes, (2, 0), (2, 1, 2)):
        for bias in (*shapes, None):
            x, weight = be.ones(shape, dtype=dtype), be.ones((3, 2), dtype=dtype)
            given = None if bias is None else be.ones(bias, dtype=dtype)
            if shape[-1:] == (2,) and bias in (None, (3,)):
                assert be.linear(x, weight, bias=given).shape == (*shape[:-1], 3)
            else:
                with pytest.raises(ValueError, match="linear"):
                    be.linear(x, weight, bias=given)
    with pytest.raises(ValueError, match="linear"):
        be.linear(be.ones(2, dtype=dtype), be.ones(2, dtype=dtype))


@covers("linear")
def test_linear_promotes():
    found = be.linear(
        be.ones((2, 3), dtype=be.float32), be.ones((1, 3), dtype=be.int32), bias=be.ones(1, dtype=be.float64)
    )
    check("linear", found, np.full((2, 1), 4.0), "float64")


@covers("embedding")
@examples
@given(st.data(), dtypes_of(NUMERIC), dtypes_of(INTEGER), st.sampled_from(((), (0,), (3,), (2, 2))))
def test_embedding(data, dtype, index, shape):
    weight = data.draw(arrays(dtype, (5, 3)))
    indices = data.draw(arrays(dtype=index, shape=shape)) % 5
    indices = indices.astype(index)
    check(("embedding", indices, weight), be.embedding(array(indices), array(weight)), weight[indices], dtype)


@covers("embedding")
@examples
@given(st.data(), dtypes_of(("float32", "float64")), st.sampled_from((1.0, 2.0, np.inf)))
def test_embedding_of_limited_norm(data, dtype, order):
    weight = data.draw(arrays(dtype, (4, 3), SMALL))
    kept = array(weight)
    indices = np.asarray([[0, 3, 3], [1, 2, 0]])
    rows = wide(weight)[indices]
    norms = np.linalg.norm(rows, order, -1, keepdims=True)
    want = np.where(norms > 1.5, rows * 1.5 / np.where(norms > 1.5, norms, 1.0), rows)
    found = be.embedding(array(indices), kept, max_norm=1.5, norm_type=order)
    check(("embedding", weight, order), found, want, dtype, factor=5)
    np.testing.assert_array_equal(numpy_of(kept), weight)


def _kept(seed, shape, p):
    """Where a generator keeps elements."""
    with ca.backend_context(be):
        return numpy_of(ca.random.Generator(seed).uniform(shape=shape, dtype="float32")) >= p


#: Which axes the functions decide along, for arrays of four axes and the shape of what is drawn.
_DROPOUTS = (
    ("dropout", {}, (2, 3, 4, 5), (2, 3, 4, 5)),
    ("dropout", {"axis": (0, -1)}, (2, 3, 4, 5), (2, 1, 1, 5)),
    ("dropout", {"axis": 1}, (2, 3), (1, 3)),
    ("dropout", {"axis": ()}, (3,), (1,)),
    ("dropout", {}, (), ()),
    ("dropout", {}, (0, 3), (0, 3)),
    ("dropout1d", {}, (2, 3, 4), (2, 3, 1)),
    ("dropout1d", {"data_format": "channels_last"}, (4, 3), (1, 3)),
    ("dropout2d", {}, (2, 3, 4, 5), (2, 3, 1, 1)),
    ("dropout2d", {"data_format": "channels_last"}, (4, 5, 3), (1, 1, 3)),
    ("dropout3d", {}, (3, 4, 5, 2), (3, 1, 1, 1)),
    ("dropout3d", {"data_format": "channels_last"}, (2, 1, 4, 5, 3), (2, 1, 1, 1, 3)),
)


@covers("dropout", "dropout1d", "dropout2d", "dropout3d")
def test_dropout():
    rng = np.random.default_rng(1)
    for seed, (name, options, shape, drawn) in enumerate(_DROPOUTS):
        dtype = ("float32", "float64", "int32")[seed % 3]
        x = rng.integers(1, 9, shape).astype(dtype)
        p, scale = 0.4, seed % 2 == 0
        want = np.where(_kept(seed, drawn, p), wide(cast(x, float_dtype(dtype))), 0.0)
        found = getattr(be, name)(array(x), p, scale=scale, generator=ca.random.Generator(seed), **options)
        check((name, x, options), found, want / 0.6 if scale else want, float_dtype(dtype))
        for p, training, want in ((0.0, True, x), (0.3, False, x), (1.0, True, 0 * x)):
            found = getattr(be, name)(array(x), p, training=training, **options)
            check((name, x, p, training), found, want, float_dtype(dtype))


@covers("dropout")
def test_dropout_draws_anew_and_keeps_its_share():
    generator = ca.random.Generator(5)
    x = be.ones(4000)
    first, second = (numpy_of(be.dropout(x, 0.25, generator=generator)) for _ in range(2))
    assert (first != second).any()
    assert abs((first == 0).mean() - 0.25) < 0.03
    without = numpy_of(be.dropout(x, 0.25))
    assert abs((without == 0).mean() - 0.25) < 0.05


@covers("dropout")
def test_dropped_infinities_are_zero():
    x = be.asarray([np.inf, np.nan] * 20)
    found = numpy_of(be.dropout(x, 0.5, generator=ca.random.Generator(1)))
    kept = _kept(1, (40,), 0.5)
    assert (found[~kept] == 0).all() and not np.isfinite(found[kept]).any()


def test_the_default_generator_belongs_to_the_context():
    mine = ca.random.default_generator()
    with ThreadPoolExecutor(2) as threads:
        others = [one.result() for one in [threads.submit(ca.random.default_generator) for _ in range(4)]]
    assert mine is ca.random.default_generator() and mine not in others


@needs_derivatives
def test_gradients():
    with ca.backend_context(be):
        table = be.asarray([[3.0, 4.0], [0.5, 0.25]])
        looked_up = ca.grad(lambda w: ca.sum(ca.embedding(be.asarray([1, 1, 0]), w)))(table)
        assert looked_up.tolist() == [[1.0, 1.0], [2.0, 2.0]]
        kept = _kept(2, (2, 2), 0.5)
        dropped = ca.grad(lambda x: ca.sum(ca.dropout(x, 0.5, generator=ca.random.Generator(2))))(table)
        np.testing.assert_array_equal(numpy_of(dropped), np.where(kept, 2.0, 0.0))
        by_weight = ca.grad(lambda w: ca.sum(ca.linear(be.asarray([[1.0, 2.0], [3.0, 5.0]]), w)))(table)
        assert by_weight.tolist() == [[4.0, 7.0], [4.0, 7.0]]


@pytest.mark.parametrize(
    ("error", "call"),
    [
        (ValueError, lambda x: be.linear(x, be.ones((2, 4)))),
        (ValueError, lambda x: be.linear(x, be.ones(3))),
        (ValueError, lambda x: be.linear(x[0, 0], be.ones((2, 3)))),
        (ValueError, lambda x: be.linear(x, be.ones((4, 2, 3)))),
        (ValueError, lambda x: be.linear(x, be.ones((2, 3)), bias=be.ones(1))),
        (ValueError, lambda x: be.linear(x, be.ones((2, 3)), bias=be.ones((1, 2)))),
        (TypeError, lambda x: be.embedding(x, x)),
        (ValueError, lambda x: be.embedding(be.asarray([0]), x[0, :])),
        (ValueError, lambda x: be.embedding(be.asarray([0]), be.ones((2, 2, 2)))),
        (ValueError, lambda x: be.dropout(x, 1.5)),
        (ValueError, lambda x: be.dropout(x, -0.1, training=False)),
        (IndexError, lambda x: be.dropout(x, axis=2)),
        (TypeError, lambda x: be.dropout(x, generator=7)),
        (ValueError, lambda x: be.dropout1d(x, data_format="NCW")),
        (ValueError, lambda x: be.dropout1d(x[0, :])),
        (ValueError, lambda x: be.dropout2d(x)),
        (ValueError, lambda x: be.dropout3d(be.ones((2, 3, 4)))),
    ],
)
def test_what_does_not_fit_is_refused(error, call):
    with pytest.raises(error, match=r"'(linear|embedding|dropout|dropout\dd)'"):
        call(be.ones((2, 3)))


def test_a_compiled_program_drops_others_in_each_call():
    """They are those of children of the generator that is given, or of that of the context."""
    options = {"backend": "eager", "fullgraph": True} if "register_tracing" in be.facts else {}
    x = be.ones(40)
    with ca.backend_context(be):
        generator = ca.random.Generator(3)
        given = ca.compile(lambda x: ca.dropout(x, 0.5, generator=generator), **options)
        by_default = ca.compile(lambda x: ca.dropout(x, 0.5), **options)
        for child in ca.random.Generator(3).spawn(2):
            assert given(x).tolist() == ca.dropout(x, 0.5, generator=child).tolist()
        one, other = numpy_of(by_default(x)), numpy_of(by_default(x))
        assert set(one) == set(other) == {0.0, 2.0} and (one != other).any()


@covers("embedding_bag")
@pytest.mark.parametrize("mode", ["mean", "sum", "max"])
@pytest.mark.parametrize("padding_idx", [None, 1])
@pytest.mark.parametrize("offsets", [None, [0, 0, 2, 5], [0, 6]])
def test_embedding_bag(mode, padding_idx, offsets):
    random = np.random.default_rng(0)
    table = random.normal(size=(4, 3))
    indices = np.asarray([[0, 1, 3], [1, 1, 1], [2, 0, 2]]) if offsets is None else np.asarray([3, 1, 1, 1, 0, 2])
    bags = indices if offsets is None else np.split(indices, offsets[1:])
    weights = random.normal(size=indices.shape) if mode == "sum" and padding_idx is None else None
    start, want = 0, []
    for bag in bags:
        rows = table[bag]
        if weights is not None:
            rows = rows * weights.reshape(-1)[start : start + len(bag), None]
        rows = rows if padding_idx is None else rows[np.asarray(bag) != padding_idx]
        start += len(bag)
        want.append(getattr(np, mode)(rows, axis=0) if len(rows) else np.zeros(3))
    options = {} if offsets is None else {"offsets": array(np.asarray(offsets))}
    if weights is not None:
        options["per_sample_weights"] = array(weights)
    got = be.embedding_bag(array(indices), array(table), mode=mode, padding_idx=padding_idx, **options)
    check(("embedding_bag", mode, offsets), got, np.asarray(want), "float64", factor=10)


@pytest.mark.parametrize(
    ("error", "options"),
    [
        (ValueError, {"mode": "min"}),
        (ValueError, {"offsets": [0, 1]}),
        (ValueError, {"per_sample_weights": [[1.0, 1.0]]}),
        (ValueError, {"per_sample_weights": [1.0, 1.0], "mode": "sum"}),
        (TypeError, {"indices": [[0.0, 1.0]]}),
        (ValueError, {"weight": [1.0]}),
    ],
)
def test_bags_that_do_not_fit_are_refused(error, options):
    given = {"indices": [[0, 1]], "weight": [[1.0], [2.0]]} | options
    arrays = {k: be.asarray(v) if isinstance(v, list) else v for k, v in given.items()}
    with pytest.raises(error, match="embedding_bag"):
        be.embedding_bag(arrays.pop("indices"), arrays.pop("weight"), **arrays)


@covers("gumbel_softmax")
@pytest.mark.parametrize("hard", [False, True])
def test_gumbel_softmax(hard):
    """Classes come as often as their probabilities say; the noise is that of the generator, whatever the backend."""
    probabilities = np.asarray([0.5, 0.3, 0.2])
    logits = array(np.broadcast_to(np.log(probabilities), (4000, 3)).copy())
    drawn = numpy_of(be.gumbel_softmax(logits, tau=0.5, hard=hard, generator=ca.random.Generator(0)))
    np.testing.assert_allclose(drawn.sum(axis=1), 1.0)
    classes = drawn.argmax(axis=1)
    np.testing.assert_allclose(np.bincount(classes) / 4000, probabilities, atol=0.03)
    if hard:
        assert set(np.unique(drawn)) == {0.0, 1.0}
    turned = numpy_of(
        be.gumbel_softmax(be.matrix_transpose(logits), tau=0.5, hard=hard, axis=0, generator=ca.random.Generator(0))
    )
    np.testing.assert_allclose(turned.sum(axis=0), 1.0)


@covers("gumbel_softmax")
@needs_derivatives
def test_a_hard_sample_has_the_derivative_of_the_soft_one():
    with ca.backend_context(be):
        logits = array(np.asarray([0.5, 0.0, -1.0]))
        slopes = [
            numpy_of(
                ca.grad(lambda x, hard=hard: ca.gumbel_softmax(x, hard=hard, generator=ca.random.Generator(1))[0])(
                    logits
                )
            )
            for hard in (False, True)
        ]
    assert slopes[0].any()
    np.testing.assert_allclose(*slopes)


@pytest.mark.parametrize(
    ("error", "options"), [(ValueError, {"tau": 0.0}), (IndexError, {"axis": 1}), (TypeError, {"generator": 3})]
)
def test_what_gumbel_softmax_refuses(error, options):
    with pytest.raises(error):
        be.gumbel_softmax(be.ones(3), **options)
