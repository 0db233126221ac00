"""Losses against their formulas in float64."""

from __future__ import annotations

import functools
import math

import numpy as np
import pytest
import scipy.special
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from standard.support import (
    PROMOTION,
    REAL,
    SMALL,
    Domain,
    array,
    arrays,
    axis_of,
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
from corearray.calls.dispatch import _first_call
from corearray.contract.declaration import DECLARATIONS

_UNIT = Domain(1e-3, 0.999)
_COUNTS = Domain(0, 9)
_xlogy = scipy.special.xlogy
_REDUCTIONS = {"mean": np.mean, "sum": np.sum, "none": lambda x: x}


def _huber(difference, delta):
    size = np.abs(difference)
    return np.where(size < delta, size**2 / 2, delta * (size - delta / 2))


def _stirling(counts):
    several = np.maximum(counts, 1)
    return np.where(counts > 1, several * np.log(several) - several + np.log(2 * np.pi * several) / 2, 0)


def _poisson(x, y):
    return np.exp(x) - y * x


def _focal(x, t, alpha, gamma):
    p = scipy.special.expit(x)
    loss = t * np.logaddexp(-x, 0) + (1 - t) * np.logaddexp(x, 0)
    loss = loss * (p * (1 - t) + scipy.special.expit(-x) * t) ** gamma
    return loss if alpha is None else loss * (alpha * t + (1 - alpha) * (1 - t))


#: The name, the options, the loss of an element in NumPy, and where predictions and targets lie.
_LOSSES = [
    ("binary_cross_entropy", {}, lambda p, t: -_xlogy(t, p) - _xlogy(1 - t, 1 - p), _UNIT, Domain(0, 1)),
    (
        "binary_cross_entropy",
        {"pos_weight": 2.5, "epsilon": 0.125},
        lambda p, t: -_xlogy(2.5 * t, np.clip(p, 0.125, 0.875)) - _xlogy(1 - t, 1 - np.clip(p, 0.125, 0.875)),
        _UNIT,
        Domain(0, 1),
    ),
    (
        "binary_cross_entropy",
        {"from_logits": True, "pos_weight": 0.5},
        lambda x, t: t * np.logaddexp(-x, 0) / 2 + (1 - t) * np.logaddexp(x, 0),
        SMALL,
        Domain(0, 1),
    ),
    ("focal_loss", {}, lambda x, t: _focal(x, t, 0.25, 2.0), SMALL, Domain(0, 1)),
    ("focal_loss", {"alpha": None, "gamma": 0.5}, lambda x, t: _focal(x, t, None, 0.5), SMALL, Domain(0, 1)),
    (
        "focal_loss",
        {"from_logits": False, "gamma": 3.0},
        lambda p, t: _focal(scipy.special.logit(p), t, 0.25, 3.0),
        _UNIT,
        Domain(0, 1),
    ),
    ("hinge_embedding_loss", {}, lambda x, t: np.where(t == 1, x, np.maximum(1 - x, 0)), SMALL, None),
    ("hinge_embedding_loss", {"margin": 2.0}, lambda x, t: np.where(t == 1, x, np.maximum(2 - x, 0)), SMALL, None),
    ("huber_loss", {}, lambda x, y: _huber(x - y, 1), SMALL, SMALL),
    ("huber_loss", {"delta": 2.5}, lambda x, y: _huber(x - y, 2.5), SMALL, SMALL),
    ("kl_div", {}, lambda x, y: scipy.special.entr(y) * -1 - y * x, SMALL, Domain(0, 4)),
    ("kl_div", {"log_target": True}, lambda x, y: np.exp(y) * (y - x), SMALL, SMALL),
    ("l1_loss", {}, lambda x, y: np.abs(x - y), SMALL, SMALL),
    ("log_poisson_loss", {}, _poisson, SMALL, _COUNTS),
    ("log_poisson_loss", {"full": True}, lambda x, y: _poisson(x, y) + _stirling(y), SMALL, _COUNTS),
    ("mse_loss", {}, lambda x, y: (x - y) ** 2, SMALL, SMALL),
    ("poisson_nll_loss", {}, _poisson, SMALL, _COUNTS),
    ("poisson_nll_loss", {"full": True}, lambda x, y: _poisson(x, y) + _stirling(y), SMALL, _COUNTS),
    ("poisson_nll_loss", {"log_input": False, "eps": 0.5}, lambda x, y: x - y * np.log(x + 0.5), _COUNTS, _COUNTS),
    ("smooth_l1_loss", {}, lambda x, y: _huber(x - y, 1), SMALL, SMALL),
    ("smooth_l1_loss", {"beta": 2.5}, lambda x, y: _huber(x - y, 2.5) / 2.5, SMALL, SMALL),
    ("smooth_l1_loss", {"beta": 0.0}, lambda x, y: np.abs(x - y), SMALL, SMALL),
    ("soft_margin_loss", {}, lambda x, y: np.logaddexp(-x * y, 0), SMALL, None),
]


def _drawn(draw, domain, dtype, shape):
    if domain is None:  # signs
        return cast(draw(hnp.arrays("int8", shape, elements=st.sampled_from((-1, 1)))), dtype)
    return draw(arrays(dtype, shape, domain))


@covers(*dict.fromkeys(case[0] for case in _LOSSES))
@pytest.mark.parametrize(("name", "options", "oracle", "low", "high"), _LOSSES)
@examples
@given(st.data())
def test_loss_of_elements(name, options, oracle, low, high, data):
    """Any two dtypes with a common one, broadcastable shapes, any reduction."""
    dtypes = [dtype for dtype in REAL if low is not _UNIT or dtype.startswith("float")]
    one = data.draw(dtypes_of(dtypes))
    two = data.draw(dtypes_of([dtype for dtype in REAL if PROMOTION[one, dtype]]))
    if high is None and two.startswith("u"):
        two = one if not one.startswith("u") else "float32"
    found = data.draw(hnp.mutually_broadcastable_shapes(num_shapes=2, max_dims=2, min_side=1, max_side=2))
    x = _drawn(data.draw, low, one, found.input_shapes[0])
    y = _drawn(data.draw, high, two, found.input_shapes[1])
    computed = float_dtype(PROMOTION[one, two])
    reduction = data.draw(st.sampled_from(tuple(_REDUCTIONS)))
    given = options if reduction == "mean" and data.draw(st.booleans()) else options | {"reduction": reduction}
    loss = oracle(wide(cast(x, computed)), wide(cast(y, computed)))
    got = getattr(be, name)(array(x), array(y), **given)
    check((name, x, y, given), got, _REDUCTIONS[reduction](loss), computed, factor=10, scale=50.0 * loss.size)


@covers("cross_entropy", "sparse_cross_entropy")
@examples
@given(st.data(), dtypes_of(("float32", "float64")))
def test_cross_entropy_of_classes(data, dtype):
    shape = data.draw(hnp.array_shapes(min_dims=1, max_dims=3, min_side=1, max_side=4))
    axis = data.draw(axis_of(len(shape)))
    from_logits = data.draw(st.booleans())
    x = data.draw(arrays(dtype, shape, SMALL if from_logits else _UNIT))
    options = {} if from_logits else {"from_logits": False}
    if axis != -1:
        options["axis"] = axis
    smoothing = data.draw(st.sampled_from((0.0, 0.25)))
    if smoothing:
        options["label_smoothing"] = smoothing
    epsilon = data.draw(st.sampled_from((0.0, 0.125)))
    if epsilon:
        options["epsilon"] = epsilon
    reduction = data.draw(st.sampled_from(tuple(_REDUCTIONS)))
    options["reduction"] = reduction
    whole = wide(x)
    logarithms = scipy.special.log_softmax(whole, axis=axis) if from_logits else np.log(np.maximum(whole, epsilon))
    count = shape[axis]

    def loss(wanted):
        return _REDUCTIONS[reduction](-((wanted * (1 - smoothing) + smoothing / count) * logarithms).sum(axis))

    numbers = data.draw(
        hnp.arrays(
            "int64", shape[: axis % len(shape)] + shape[axis % len(shape) + 1 :], elements=st.integers(0, count - 1)
        )
    )
    one_hot = np.moveaxis(np.eye(count)[numbers], -1, axis)
    want = loss(one_hot)
    numbers = cast(numbers, data.draw(dtypes_of(("int32", "int64", "uint8"))))
    got = be.sparse_cross_entropy(array(x), array(numbers), **options)
    check(("sparse_cross_entropy", x, numbers, options), got, want, dtype, factor=10, scale=10.0 * x.size)
    target = data.draw(arrays(dtype, shape, Domain(0, 1)))
    for wanted in (one_hot.astype(dtype), target):
        want = loss(wide(wanted))
        got = be.cross_entropy(array(x), array(wanted), **options)
        check(("cross_entropy", x, wanted, options), got, want, dtype, factor=10, scale=10.0 * x.size)


@covers("sparse_cross_entropy", "nll_loss")
@examples
@given(st.data(), dtypes_of(("float32", "float64")))
def test_weights_and_ignored_classes(data, dtype):
    """Sums and weighted means over the classes that count, along any axis."""
    shape = data.draw(hnp.array_shapes(min_dims=1, max_dims=3, min_side=1, max_side=4))
    axis = data.draw(axis_of(len(shape)))
    count = shape[axis]
    x = data.draw(arrays(dtype, shape, SMALL))
    numbers = data.draw(
        hnp.arrays(
            "int64", shape[: axis % len(shape)] + shape[axis % len(shape) + 1 :], elements=st.integers(0, count - 1)
        )
    )
    options = {"axis": axis, "reduction": data.draw(st.sampled_from(tuple(_REDUCTIONS)))}
    weight = data.draw(st.none() | arrays(dtype, (count,), Domain(0.5, 3)))
    ignored = data.draw(st.none() | st.sampled_from((0, -100)))
    if ignored == -100:
        numbers = np.where(data.draw(hnp.arrays("bool", numbers.shape)), numbers, -100)
    kept = np.ones(numbers.shape, bool) if ignored is None else numbers != ignored
    classes = np.where(kept, numbers, 0)
    factors = np.ones(count) if weight is None else wide(weight)
    given = {"weight": None if weight is None else array(weight), "ignore_index": ignored}
    smoothing = data.draw(st.sampled_from((0.0, 0.25)))
    for name, logarithms, smooth in (
        ("sparse_cross_entropy", scipy.special.log_softmax(wide(x), axis=axis), smoothing),
        ("nll_loss", wide(x), 0.0),
    ):
        lines = np.moveaxis(logarithms, axis, -1)
        picked = np.take_along_axis(lines * factors, classes[..., None], -1)[..., 0]
        loss = -np.where(kept, (1 - smooth) * picked + smooth * (lines * factors).mean(-1), 0.0)
        want = _REDUCTIONS[options["reduction"]](loss)
        if options["reduction"] == "mean":
            if not kept.any():
                continue
            want = loss.sum() / np.where(kept, factors[classes], 0.0).sum()
        smoothed = {"label_smoothing": smooth} if smooth else {}
        got = getattr(be, name)(array(x), array(numbers), **options, **given, **smoothed)
        check((name, x, numbers, options, weight, ignored), got, want, dtype, factor=20, scale=30.0 * x.size)


@covers("sparse_cross_entropy", "nll_loss")
def test_nothing_but_ignored_classes():
    x, ignored = array(np.ones((2, 3))), be.asarray([7, 7])
    for loss in (be.sparse_cross_entropy, be.nll_loss):
        assert math.isnan(loss(x, ignored, ignore_index=7).item())
        assert loss(x, ignored, ignore_index=7, reduction="sum").item() == 0.0


@covers("gaussian_nll_loss")
@examples
@given(st.data(), dtypes_of(("float32", "float64")))
def test_gaussian(data, dtype):
    shape = data.draw(hnp.array_shapes(min_dims=0, max_dims=2, min_side=1, max_side=3))
    x, y = data.draw(arrays(dtype, shape, SMALL)), data.draw(arrays(dtype, shape, SMALL))
    var = data.draw(arrays(dtype, shape[-1:], Domain(0.25, 9)))
    reduction = data.draw(st.sampled_from(tuple(_REDUCTIONS)))
    full = data.draw(st.booleans())
    eps = data.draw(st.sampled_from((1e-6, 1.0)))
    least = np.maximum(wide(var), eps)
    loss = (np.log(least) + (wide(x) - wide(y)) ** 2 / least + (np.log(2 * np.pi) if full else 0.0)) / 2
    got = be.gaussian_nll_loss(array(x), array(y), array(var), full=full, eps=eps, reduction=reduction)
    what = ("gaussian_nll_loss", x, y, var, full, eps)
    check(what, got, _REDUCTIONS[reduction](loss), dtype, factor=20, scale=500.0 * loss.size)


@covers("gaussian_nll_loss")
@needs_derivatives
def test_a_variance_below_the_least_one_keeps_its_derivative():
    with ca.backend_context(be):
        one = array(np.asarray(1.0))
        slope = ca.grad(lambda var: ca.gaussian_nll_loss(one, one, var, eps=0.5))(array(np.asarray(0.25)))
    np.testing.assert_allclose(float(slope), 1.0)


@covers("binary_cross_entropy", "cross_entropy", "kl_div", "sparse_cross_entropy")
@pytest.mark.filterwarnings("ignore:divide by zero:RuntimeWarning")
def test_what_is_certain():
    """A class without weight costs nothing, be its logarithm infinite; logits of any size do not overflow."""
    sure = array(np.asarray([[0.0, 1.0]]))
    check("cross_entropy", be.cross_entropy(sure, sure, from_logits=False), np.asarray(0.0))
    check("binary_cross_entropy", be.binary_cross_entropy(sure, sure), np.asarray(0.0))
    other = array(np.asarray([[1.0, 0.0]]))
    check("cross_entropy", be.cross_entropy(sure, other, from_logits=False), np.asarray(np.inf))
    check("binary_cross_entropy", be.binary_cross_entropy(sure, other), np.asarray(np.inf))
    check("kl_div", be.kl_div(array(np.asarray([-np.inf, 0.0])), sure), np.asarray([[0.0, 0.0]]).mean())
    logits = array(np.asarray([[-1e4, 1e4]]))
    check("cross_entropy", be.cross_entropy(logits, other), np.asarray(2e4))
    check("sparse_cross_entropy", be.sparse_cross_entropy(logits, be.asarray([0])), np.asarray(2e4))
    check("binary_cross_entropy", be.binary_cross_entropy(logits, other, from_logits=True), np.asarray(1e4))
    outside, wanted = array(np.asarray([1.5, -0.5, np.nan])), np.full((3, 3), np.nan)
    for target in (0.0, 0.5, 1.0):
        losses = be.binary_cross_entropy(outside, array(np.full((3, 1), target)), reduction="none")
        check("binary_cross_entropy", losses, wanted)


@covers("binary_cross_entropy", "cross_entropy")
@needs_derivatives
def test_derivatives_of_what_is_certain():
    """Of right predictions too, where the logarithm that does not count has an infinite derivative."""
    target = array(np.asarray([[0.0, 1.0], [1.0, 0.0]]))
    pred = array(np.asarray([[0.0, 1.0], [0.5, 0.5]]))
    with ca.backend_context(be):
        for loss, want in (
            (ca.binary_cross_entropy, [[1.0, -1.0], [-2.0, 2.0]]),
            (ca.cross_entropy, [[0.0, -1.0], [-2.0, 0.0]]),
        ):
            slope = ca.grad(lambda x, loss=loss: loss(x, target, from_logits=False, reduction="sum"))
            np.testing.assert_allclose(numpy_of(slope(pred)), want, rtol=1e-12)


@covers("wasserstein_loss_discriminator", "wasserstein_loss_generator")
@examples
@given(st.data(), dtypes_of(REAL))
def test_wasserstein(data, dtype):
    shapes = hnp.array_shapes(min_dims=0, max_dims=3, min_side=1, max_side=3)
    real, fake = data.draw(arrays(dtype, shapes)), data.draw(arrays(dtype, shapes))
    computed = float_dtype(dtype)
    means = [wide(cast(x, computed)).mean() for x in (real, fake)]
    got = be.wasserstein_loss_discriminator(array(real), array(fake))
    what = ("wasserstein_loss_discriminator", real, fake)
    check(what, got, means[1] - means[0], computed, factor=10, scale=1000.0)
    got = be.wasserstein_loss_generator(array(fake))
    check(("wasserstein_loss_generator", fake), got, -means[1], computed, factor=10, scale=1000.0)


def _ssim(x, y, *, size, sigma, data_range, k1, k2):
    """Structural similarity of two images with channels first, from the formula, window by window."""
    line = np.exp(-((np.arange(size) - (size - 1) / 2) ** 2) / (2 * sigma**2))
    weights = line
    for _ in range(x.ndim - 2):
        weights = np.multiply.outer(weights, line)
    weights = weights / weights.sum()
    c1, c2 = (k1 * data_range) ** 2, (k2 * data_range) ** 2
    found = []
    for place in np.ndindex(*(side - size + 1 for side in x.shape[1:])):
        window = (slice(None), *(slice(i, i + size) for i in place))
        for a, b in zip(x[window], y[window], strict=True):
            mean1, mean2 = (weights * a).sum(), (weights * b).sum()
            var1, var2 = (weights * (a - mean1) ** 2).sum(), (weights * (b - mean2) ** 2).sum()
            both = (weights * (a - mean1) * (b - mean2)).sum()
            found.append((2 * mean1 * mean2 + c1) * (2 * both + c2) / (mean1**2 + mean2**2 + c1) / (var1 + var2 + c2))
    return np.mean(found)


@covers("ssim_loss")
@pytest.mark.parametrize("shape", [(2, 3, 5), (2, 1, 4, 6), (1, 2, 4, 3, 3)])
@pytest.mark.parametrize("data_format", ["channels_first", "channels_last"])
@pytest.mark.parametrize("options", [{"window_size": 3}, {"window_size": 2, "sigma": 0.7, "k1": 0.1, "k2": 0.2}])
def test_ssim(shape, data_format, options):
    random = np.random.default_rng(5)
    x, y = random.uniform(0, 9, shape), random.uniform(0, 9, shape)
    window = {"sigma": 1.5, "k1": 0.01, "k2": 0.03} | options
    ssim = functools.partial(_ssim, size=window.pop("window_size"), data_range=9.0, **window)
    each = 1 - np.asarray([ssim(a, b) for a, b in zip(x, y, strict=True)])
    if data_format == "channels_last":
        x, y = np.moveaxis(x, 1, -1).copy(), np.moveaxis(y, 1, -1).copy()
    for reduction, oracle in _REDUCTIONS.items():
        for dtype, factor in (("float64", 100.0), ("float32", 100.0)):
            got = be.ssim_loss(
                array(x.astype(dtype)), array(y.astype(dtype)), data_range=9.0, data_format=data_format,
                reduction=reduction, **options,
            )  # fmt: skip
            check(("ssim_loss", shape, options), got, oracle(each), dtype, factor=factor, scale=1.0)


_PAIR = (
    "binary_cross_entropy",
    "cross_entropy",
    "focal_loss",
    "huber_loss",
    "kl_div",
    "l1_loss",
    "mse_loss",
    "poisson_nll_loss",
    "soft_margin_loss",
)


@pytest.mark.parametrize("name", _PAIR)
def test_reductions_that_are_not_there(name):
    x = be.ones(3) / 3.0
    with pytest.raises(ValueError, match="reduction"):
        getattr(be, name)(x, x, reduction="average")
    with pytest.raises(TypeError):
        getattr(be, name)(be.asarray([1j]), be.asarray([1j]))


@pytest.mark.parametrize(
    ("error", "call"),
    [
        (ValueError, lambda x: be.cross_entropy(x, be.asarray([0, 1]))),
        (ValueError, lambda x: be.cross_entropy(x, be.ones((2, 2)))),
        (ValueError, lambda x: be.cross_entropy(x, x, label_smoothing=1.5)),
        (IndexError, lambda x: be.cross_entropy(x, x, axis=2)),
        (IndexError, lambda x: be.sparse_cross_entropy(x, be.asarray([0, 1]), axis=2)),
        (TypeError, lambda x: be.sparse_cross_entropy(x, be.ones(2))),
        (ValueError, lambda x: be.sparse_cross_entropy(x, be.asarray([0, 1, 2]))),
        (ValueError, lambda x: be.sparse_cross_entropy(x, be.asarray([0, 1]), reduction="all")),
        (ValueError, lambda x: be.sparse_cross_entropy(x, be.asarray([0, 1]), weight=be.ones(2))),
        (ValueError, lambda x: be.nll_loss(x, be.asarray([0, 1]), weight=be.ones((3, 1)))),
        (ValueError, lambda x: be.nll_loss(x, be.asarray([0, 1, 2]))),
        (TypeError, lambda x: be.nll_loss(x, be.ones(2))),
        (IndexError, lambda x: be.nll_loss(x, be.asarray([0, 1]), axis=2)),
        (ValueError, lambda x: be.focal_loss(x, x, gamma=-1.0)),
        (ValueError, lambda x: be.focal_loss(x, x, alpha=2.0)),
        (ValueError, lambda x: be.gaussian_nll_loss(x, x, x, eps=0.0)),
        (ValueError, lambda x: be.huber_loss(x, x, delta=0.0)),
        (ValueError, lambda x: be.smooth_l1_loss(x, x, beta=-1.0)),
        (ValueError, lambda x: be.l1_loss(x, be.ones(2))),
        (ValueError, lambda x: be.ssim_loss(x, x)),
        (ValueError, lambda x: be.ssim_loss(be.ones((1, 2, 3)), be.ones((1, 2, 3)))),
        (ValueError, lambda x: be.ssim_loss(be.ones((1, 2, 3)), be.ones((1, 2, 3)), window_size=2, data_format="NCHW")),
        (ValueError, lambda x: be.ssim_loss(be.ones((1, 2, 3)), be.ones((1, 1, 3)), window_size=2)),
    ],
)
def test_what_does_not_fit_is_refused(error, call):
    with pytest.raises(error):
        call(be.ones((2, 3)))


def test_a_class_that_is_none():
    """Its result is not defined; where it is refused, the error tells of nothing else."""
    try:
        be.sparse_cross_entropy(be.ones((2, 3)), be.asarray([5, 0]))
    except ValueError as error:
        pytest.fail(str(error))
    except IndexError as error:
        assert "got a wrong index: index 5 is out of range for axis -1 of length 3" in str(error)


@covers("l1_loss", "cross_entropy")
def test_losses_of_nothing():
    nothing = be.zeros((0, 3))
    for loss in (be.l1_loss, be.cross_entropy):
        assert math.isnan(loss(nothing, nothing).item())
        assert loss(nothing, nothing, reduction="sum").item() == 0.0
        assert loss(nothing, nothing, reduction="none").size == 0


@covers("sparse_cross_entropy")
@pytest.mark.parametrize("axis", [1, -1])
@pytest.mark.parametrize("shape", [(2, 3), (3, 3), (1, 4), (2, 2, 2), (2, 3, 1)])
def test_targets_have_the_shape_without_the_classes(shape, axis):
    fitting = shape[:1] + shape[2:] if axis == 1 else shape[:-1]
    for other in ((), (0,), (1,), (2,), (3,), (1, 1), (2, 1), (2, 2), (2, 3), (3, 2), (2, 2, 2), fitting):
        targets = be.zeros(other, dtype=be.int64)
        if other == fitting:
            assert be.sparse_cross_entropy(be.ones(shape), targets, axis=axis, reduction="none").shape == fitting
        else:
            with pytest.raises(ValueError, match="sparse_cross_entropy"):
                be.sparse_cross_entropy(be.ones(shape), targets, axis=axis)


@covers("cross_entropy")
def test_the_first_cross_entropy_warns_of_targets_in_the_place_of_logits(recwarn):
    def first_call(*arrays, **options):
        return _first_call(DECLARATIONS["cross_entropy"], *arrays, **options)

    true, pred = be.asarray([[0.0, 0.0, 1.0]]), be.asarray([[0.05, 0.05, 0.9]])
    with ca.backend_context(be):
        for arrays in ((true, pred), (true.native, pred.native)):
            if not hasattr(arrays[0], "tolist") and not hasattr(arrays[0], "numpy"):
                continue  # which has no list of its elements
            with pytest.warns(UserWarning, match=r"cross_entropy\(pred, target\)") as caught:
                first_call(*arrays)
            assert caught[0].filename == __file__
        first_call(pred, true)
        first_call(true, true)
        first_call(true, pred, from_logits=False)
        with pytest.raises(ca.CoreArrayError):
            first_call(true, None)
        assert not [warning for warning in recwarn.list if warning.category is UserWarning]


@pytest.mark.skipif("reverse_mode" not in be.facts, reason="this framework does not differentiate")
def test_derivatives_with_respect_to_targets_of_zero():
    x, zero = np.asarray([[0.3, 0.5, 0.2]]), np.zeros((1, 3))
    for loss, want in (
        (lambda t: ca.cross_entropy(array(x), t, from_logits=False, reduction="sum"), -np.log(x)),
        (lambda t: ca.binary_cross_entropy(array(x), t, reduction="sum"), np.log(1 - x) - np.log(x)),
        (lambda t: ca.poisson_nll_loss(array(x), t, reduction="sum"), -x),
        (lambda t: ca.multilabel_soft_margin_loss(array(x), t, reduction="sum"), -x / 3),
    ):
        np.testing.assert_allclose(numpy_of(ca.grad(loss)(array(zero))), want, rtol=1e-6)
    nothing = ca.cross_entropy(array(np.asarray([[0.0, 1.0]])), array(np.asarray([[0.0, 1.0]])), from_logits=False)
    assert float(nothing) == 0.0
