"""Attention against NumPy in float64."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from standard.support import (
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

RANDOM = np.random.default_rng(5)

_FLOAT = ("float32", "float64", "int32")

#: Shapes of queries, keys and values, and whether heads are shared.
_SHAPES = (
    ((3, 2), (4, 2), (4, 2), False),
    ((2, 3, 2), (2, 4, 2), (2, 4, 2), False),
    ((2, 3, 2), (4, 2), (1, 4, 3), False),
    ((2, 2, 2, 4), (2, 2, 3, 4), (2, 2, 3, 4), False),
    ((2, 4, 2, 1), (2, 2, 3, 1), (2, 1, 3, 2), True),
    ((2, 0, 3), (2, 2, 3), (2, 2, 3), False),
    ((2, 2, 3), (2, 0, 3), (2, 0, 3), False),
)


def _weights(query, key, mask, is_causal, scale):
    scores = query @ np.swapaxes(key, -1, -2) * scale
    if mask is not None:
        scores = np.where(mask, scores, -np.inf) if mask.dtype == bool else scores + mask
    if is_causal:
        scores = np.where(np.tri(*scores.shape[-2:], dtype=bool), scores, -np.inf)
    if not scores.shape[-1]:
        return scores
    top = scores.max(-1, keepdims=True)
    sizes = np.exp(scores - np.where(np.isfinite(top), top, 0.0))
    total = sizes.sum(-1, keepdims=True)
    return np.where(total > 0, sizes / np.where(total > 0, total, 1.0), 0.0)


def _expected(query, key, value, mask=None, is_causal=False, scale=None):
    scale = 1 / np.sqrt(query.shape[-1]) if scale is None else scale
    return _weights(query, key, mask, is_causal, scale) @ value


def _masks(draw, shape, dtype):
    """Draw a mask that broadcasts to a shape, or none; some rows of it leave nothing."""
    kind = draw(st.sampled_from((None, "bool", dtype)))
    if kind is None:
        return None
    shape = draw(st.sampled_from((shape, shape[-2:], (*shape[:-2], 1, shape[-1]))))
    allowed = draw(arrays("bool", shape))
    return allowed if kind == "bool" else np.where(allowed, draw(arrays(dtype, shape, SMALL)), -np.inf).astype(dtype)


@covers("scaled_dot_product_attention")
@examples
@given(st.data(), dtypes_of(_FLOAT), st.sampled_from(_SHAPES))
def test_scaled_dot_product_attention(data, dtype, shapes):
    *sides, shared = shapes
    query, key, value = (data.draw(arrays(dtype, side, SMALL)) for side in sides)
    computed = float_dtype(dtype)
    whole = [wide(cast(x, computed)) for x in (query, key, value)]
    options = {}
    if shared:
        options["enable_gqa"] = True
        whole[1:] = [np.repeat(x, query.shape[1] // x.shape[1], 1) for x in whole[1:]]
    if data.draw(st.booleans()):
        options["is_causal"] = True
    if data.draw(st.booleans()):
        options["scale"] = 0.5
    front = np.broadcast_shapes(*(x.shape[:-2] for x in whole))
    mask = _masks(data.draw, (*front, query.shape[-2], key.shape[-2]), computed)
    given_mask = {} if mask is None else {"mask": array(mask)}
    got = be.scaled_dot_product_attention(*map(array, (query, key, value)), **options, **given_mask)
    options.pop("enable_gqa", None)
    want = _expected(*whole, mask=mask if mask is None or mask.dtype == bool else wide(mask), **options)
    check(("scaled_dot_product_attention", query, key, value, mask, options), got, want, computed, factor=20, scale=4.0)


@covers("scaled_dot_product_attention")
def test_large_scores_and_half_precision():
    for name in ("float16", "bfloat16", "float32"):
        dtype = getattr(ca, name)
        if dtype not in be.native_dtypes:
            continue
        x = be.asarray([[300.0, 0.0], [0.0, 300.0]], dtype=dtype)
        found = be.scaled_dot_product_attention(x, x, x)
        assert found.dtype is dtype
        assert be.astype(found, ca.float32).tolist() == [[300.0, 0.0], [0.0, 300.0]]
        found = be.scaled_dot_product_attention(x, x, x, mask=be.asarray([[True, False], [False, False]]))
        assert be.astype(found, ca.float32).tolist() == [[300.0, 0.0], [0.0, 0.0]]


@covers("scaled_dot_product_attention", "multi_head_attention")
def test_dropout():
    query = be.zeros((2, 4, 3))
    value = be.ones((2, 50, 1))
    key = be.zeros((2, 50, 3))
    for p, want in ((0.0, 1.0), (1.0, 0.0)):
        found = be.scaled_dot_product_attention(query, key, value, dropout_p=p)
        check(("dropout", p), found, np.full((2, 4, 1), want), "float32")
    with ca.backend_context(be):
        kept = numpy_of(ca.random.Generator(4).uniform(shape=(2, 4, 50), dtype="float32")) >= 0.25
    want = kept.sum(-1, keepdims=True) / 50 / 0.75
    found = be.scaled_dot_product_attention(query, key, value, dropout_p=0.25, generator=ca.random.Generator(4))
    check("dropout", found, want, "float32")
    for need_weights in (True, False):
        options = {"dropout_p": 0.25, "need_weights": need_weights}
        found = be.multi_head_attention(query, key, value, num_heads=1, generator=ca.random.Generator(4), **options)
        check("dropout", found.values, want, "float32")


def _heads(x, count):
    return np.swapaxes(x.reshape(*x.shape[:-1], count, -1), -2, -3)


@covers("multi_head_attention")
@examples
@given(st.data(), st.sampled_from(("float32", "float64")), st.sampled_from(((3,), (2, 3))), st.sampled_from((0, 1, 2)))
def test_multi_head_attention(data, dtype, front, how):
    features, size, heads = 3, 4, data.draw(st.sampled_from((1, 2)))
    draw = lambda *shape: data.draw(arrays(dtype, shape, SMALL))
    query = draw(*front[:-1], 3, features)
    key = draw(*front[:-1], 2, features)
    options, weights, biases = {}, [np.eye(features)] * 3, [0.0] * 3
    if how == 0:  # nothing is projected
        heads = 3
    elif how == 1:
        options["in_proj_weight"] = draw(3 * size, features)
        weights = np.split(wide(options["in_proj_weight"]), 3)
    else:
        names = ("q_proj_weight", "k_proj_weight", "v_proj_weight")
        options |= {name: draw(size, features) for name in names}
        weights = [wide(options[name]) for name in names]
    if how and data.draw(st.booleans()):
        options["in_proj_bias"] = draw(3 * size)
        biases = np.split(wide(options["in_proj_bias"]), 3)
    if data.draw(st.booleans()):
        options["out_proj_weight"] = draw(2, weights[0].shape[0])
        options["out_proj_bias"] = draw(2)
    shape = (*front[:-1], 3, 2)
    mask = _masks(data.draw, shape, dtype)
    with_heads = mask
    if mask is not None:
        options["mask"] = mask
        if mask.ndim == len(shape) and len(shape) > 2:
            with_heads = mask[:, None]
            if data.draw(st.booleans()):
                options["mask"] = with_heads
    is_causal = data.draw(st.booleans())
    parts = (wide(query), wide(key), wide(key))
    parts = [_heads(x @ w.T + b, heads) for x, w, b in zip(parts, weights, biases, strict=True)]
    scale = 1 / np.sqrt(parts[0].shape[-1])
    found_mask = with_heads if with_heads is None or with_heads.dtype == bool else wide(with_heads)
    wanted_weights = _weights(parts[0], parts[1], found_mask, is_causal, scale)
    want = np.swapaxes(wanted_weights @ parts[2], -2, -3).reshape(*front[:-1], 3, -1)
    if "out_proj_weight" in options:
        want = want @ wide(options["out_proj_weight"]).T + wide(options["out_proj_bias"])
    given_arrays = {name: array(x) for name, x in options.items()}
    what = ("multi_head_attention", query, key, heads, options, is_causal)
    need_weights, average = data.draw(st.sampled_from(((False, True), (True, True), (True, False))))
    got = be.multi_head_attention(
        array(query), array(key), num_heads=heads, is_causal=is_causal, need_weights=need_weights,
        average_weights=average, **given_arrays,
    )  # fmt: skip
    assert type(got) is ca.MultiHeadAttentionResult
    check(what, got.values, want, dtype, factor=100, scale=1e3)
    if need_weights:
        weights_wanted = wanted_weights.mean(-3) if average else wanted_weights
        check(what, got.weights, weights_wanted, dtype, factor=1000, scale=1.0)
    else:
        assert got.weights is None


@needs_derivatives
def test_a_query_without_keys_has_no_gradient():
    mask = be.asarray([[True, True], [False, False]])
    x = be.asarray([[0.5, 1.0], [2.0, 0.25]])

    def loss(x):
        return ca.sum(ca.scaled_dot_product_attention(x, x + 1.0, x, mask=mask) ** 2)

    def plain(x):
        scores = x[:1, :] @ (x + 1.0).T / 2**0.5
        return ca.sum((ca.softmax(scores, axis=-1) @ x) ** 2)

    with ca.backend_context(be):
        got, want = (numpy_of(ca.grad(one)(x)) for one in (loss, plain))
    np.testing.assert_allclose(got, want, rtol=1e-5)


@pytest.mark.parametrize(
    ("error", "call"),
    [
        (ValueError, lambda x: be.scaled_dot_product_attention(x, x[:, :, :1], x)),
        (ValueError, lambda x: be.scaled_dot_product_attention(x, x, x[:, :1, :])),
        (ValueError, lambda x: be.scaled_dot_product_attention(be.ones(3), x, x)),
        (ValueError, lambda x: be.scaled_dot_product_attention(x, be.ones((3, 2, 4)), be.ones((3, 2, 4)))),
        (ValueError, lambda x: be.scaled_dot_product_attention(x, x, x, mask=be.ones((3, 2)))),
        (ValueError, lambda x: be.scaled_dot_product_attention(x, x, x, mask=be.ones((1, 2, 2, 2)))),
        (TypeError, lambda x: be.scaled_dot_product_attention(x, x, x, mask=be.ones((2, 2), dtype=be.int32))),
        (ValueError, lambda x: be.scaled_dot_product_attention(x, x, x, dropout_p=2.0)),
        (ValueError, lambda x: be.scaled_dot_product_attention(x[0, ...], x, x, enable_gqa=True)),
        (ValueError, lambda x: be.scaled_dot_product_attention(be.ones((3, 2, 4)), x, x, enable_gqa=True)),
        (ValueError, lambda x: be.multi_head_attention(x, num_heads=3)),
        (ValueError, lambda x: be.multi_head_attention(x, num_heads=0)),
        (ValueError, lambda x: be.multi_head_attention(be.ones(4), num_heads=2)),
        (ValueError, lambda x: be.multi_head_attention(x, num_heads=2, in_proj_weight=be.ones((4, 4)))),
        (ValueError, lambda x: be.multi_head_attention(x, num_heads=2, in_proj_bias=be.ones(4))),
        (
            ValueError,
            lambda x: be.multi_head_attention(
                x, num_heads=2, in_proj_weight=be.ones((6, 4)), q_proj_weight=be.ones((2, 4))
            ),
        ),
    ],
)
def test_what_does_not_fit_is_refused(error, call):
    with pytest.raises(error, match=r"'(scaled_dot_product|multi_head)_attention'"):
        call(be.ones((2, 2, 4)))


@covers("scaled_dot_product_attention", "multi_head_attention")
@pytest.mark.parametrize("options", [{}, {"is_causal": True}, {"mask": np.ones((3, 0), bool)}])
def test_queries_without_any_key_get_zeros(options):
    query, key = array(np.ones((2, 3, 4), "float32")), array(np.ones((2, 0, 4), "float32"))
    options = {name: array(x) if name == "mask" else x for name, x in options.items()}
    assert (
        numpy_of(be.scaled_dot_product_attention(query, key, key, **options)).tolist() == np.zeros((2, 3, 4)).tolist()
    )
    found, weights = be.multi_head_attention(query, key, num_heads=2, need_weights=True, **options)
    assert found.shape == (2, 3, 4) and weights.shape == (2, 3, 0)


@covers("scaled_dot_product_attention")
@pytest.mark.parametrize("generator", [1j, "x", 7])
def test_what_is_no_generator_is_refused(generator):
    x = array(np.ones((2, 3, 4), "float32"))
    with pytest.raises(TypeError, match="takes a random generator or None"):
        be.scaled_dot_product_attention(x, x, x, generator=generator)


@covers("rotary_embedding")
@pytest.mark.parametrize("interleaved", [False, True])
@pytest.mark.parametrize("features", [None, 4, 0])
@pytest.mark.parametrize("positions", [None, [5, 0, 2], [[[0, 1, 2]], [[7, 8, 9]]]])
def test_rotary_embedding(interleaved, features, positions):
    """Pairs of features are complex numbers, which are multiplied by a power of i."""
    x = np.random.default_rng(0).normal(size=(2, 2, 3, 6))
    size = 6 if features is None else features
    turned, rest = x[..., :size], x[..., size:]
    one, two = (turned[..., ::2], turned[..., 1::2]) if interleaved else np.split(turned, 2, -1)
    places = np.arange(3) if positions is None else np.asarray(positions)
    rate = 100.0 ** (-2.0 * np.arange(size // 2) / max(size, 1))
    found = (one + 1j * two) * np.exp(1j * places[..., None] * rate)
    parts = np.stack([found.real, found.imag], axis=-1) if interleaved else np.stack([found.real, found.imag], axis=-2)
    want = np.concatenate([parts.reshape(turned.shape), rest], axis=-1)
    options = {} if positions is None else {"positions": array(np.asarray(positions))}
    got = be.rotary_embedding(array(x), base=100.0, features=features, interleaved=interleaved, **options)
    check(("rotary_embedding", features, positions), got, want, "float64", factor=20, scale=1.0)


def test_scores_of_rotated_vectors_depend_on_distances():
    x = np.random.default_rng(0).normal(size=(2, 1, 8))
    one, two = (array(np.repeat(v, 6, axis=0)) for v in x)
    query, key = be.rotary_embedding(one), be.rotary_embedding(two)
    scores = numpy_of(be.matmul(query, be.matrix_transpose(key)))
    np.testing.assert_allclose(scores[1:, 1:], scores[:-1, :-1], rtol=1e-10)


@pytest.mark.parametrize("options", [{"features": 3}, {"features": 8}, {"x": np.ones(4)}])
def test_features_that_cannot_be_paired(options):
    with pytest.raises(ValueError, match="rotary_embedding"):
        be.rotary_embedding(array(options.pop("x", np.ones((2, 6)))), **options)


@covers("scaled_dot_product_attention")
@pytest.mark.parametrize("shape", [(4, 3), (2, 4, 3), (1, 2, 4, 3)])
@pytest.mark.parametrize("number", [np.nan, np.inf])
def test_what_is_masked_is_absent(shape, number):
    """Padding that nobody filled: keys and values behind any mask."""
    parts = RANDOM.normal(size=(3, *shape))
    spoiled = parts[1:].copy()
    spoiled[..., -1, :] = number
    padding = np.asarray([[True, True, True, False]] * 4)
    causal = np.tri(4, dtype=bool)
    cases = [(causal, {"is_causal": True}), (causal, {"mask": array(causal)}), (padding, {"mask": array(padding)})]
    for mask, options in cases:
        rows = slice(None) if mask is padding else slice(0, 3)
        want = _expected(*parts, mask)[..., rows, :]
        values = spoiled[1]
        with np.errstate(invalid="ignore"):  # NumPy warns of infinities of both signs in a sum
            found = be.scaled_dot_product_attention(array(parts[0]), array(spoiled[0]), array(values), **options)
        np.testing.assert_allclose(numpy_of(found)[..., rows, :], want, rtol=1e-5, atol=1e-6)


def _over_what_is_seen(query, key, value, allowed):
    """Attend with loops over queries, each with its keys alone."""
    out = np.zeros((len(query), value.shape[1]))
    for i, seen in enumerate(np.broadcast_to(allowed, (len(query), len(key)))):
        if seen.any():
            scores = key[seen] @ query[i] / query.shape[1] ** 0.5
            weights = np.exp(scores - scores.max())
            with np.errstate(invalid="ignore"):
                out[i] = weights / weights.sum() @ value[seen]
    return out


@covers("scaled_dot_product_attention", "multi_head_attention")
@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # NumPy warns of infinities of both signs in a sum
@pytest.mark.parametrize("sides", [(4, 4), (3, 5), (5, 3)])
def test_values_reach_the_queries_that_take_them(sides):
    rng = np.random.default_rng(5)
    query, key, value = (rng.normal(size=(side, 3)) for side in (*sides, sides[1]))
    value[1, 0], value[-1, 1], value[2, 2] = np.nan, np.inf, -np.inf
    causal, some, padding = np.tri(*sides, dtype=bool), rng.random(sides) > 0.4, np.arange(sides[1]) != 2
    some[0] = False
    for options, allowed in (
        ({"is_causal": True}, causal),
        ({"mask": some}, some),
        ({"mask": np.where(some, 0.0, -np.inf)}, some),
        ({"mask": some, "is_causal": True}, some & causal),
        ({"mask": padding, "is_causal": True}, padding & causal),
        ({"mask": padding[None]}, padding),
        ({"mask": some[:, :1]}, some[:, :1]),
    ):
        want = _over_what_is_seen(query, key, value, allowed)
        given = {name: array(x) if isinstance(x, np.ndarray) else x for name, x in options.items()}
        parts = [array(x) for x in (query, key, value)]
        found = be.scaled_dot_product_attention(*parts, **given)
        np.testing.assert_allclose(numpy_of(found), want, rtol=1e-5, atol=1e-6)
        if "mask" not in options or options["mask"].shape == sides:
            found = be.multi_head_attention(*parts, num_heads=1, need_weights=True, **given).values
            np.testing.assert_allclose(numpy_of(found), want, rtol=1e-5, atol=1e-6)


@needs_derivatives
def test_what_is_masked_has_no_derivative():
    """The last query takes the last key, and is no part of the loss."""
    rng = np.random.default_rng(6)
    parts = rng.normal(size=(3, 4, 3))
    parts[1:, -1] = np.nan
    for options in ({"is_causal": True}, {"mask": array(np.tri(4, dtype=bool))}):
        with ca.backend_context(be):
            loss = lambda q, k, v: ca.sum(ca.scaled_dot_product_attention(q, k, v, **options)[:3, :])  # noqa: B023
            for slope in ca.grad(loss, argnums=(0, 1, 2))(*map(array, parts)):
                assert np.isfinite(numpy_of(slope)).all()
