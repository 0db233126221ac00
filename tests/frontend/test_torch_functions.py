"""Functions of torch with many options, compared with torch; random ones by the moments of their draws."""

from __future__ import annotations

import numpy as np
import pytest
import torch as native
from frontend.conftest import TARGET
from frontend.support import check

import corearray as ca
import corearray.frontend.torch as torch

#: Shapes of data with the lengths of segments along the last axis of the lengths: empty, first, last, and all segments.
SEGMENTS = [
    ((9,), [3, 0, 4, 2]),
    ((9, 2), [0, 9, 0]),
    ((2, 6, 3), [[1, 2, 3], [6, 0, 0]]),
    ((2, 2, 5), [[[5, 0], [2, 3]], [[0, 5], [4, 1]]]),
]
REDUCTIONS = ["sum", "mean", "max", "min", "prod"]


@pytest.fixture(autouse=True)
def on_target(target):
    with ca.backend_context(target):
        yield


def segments(t, data, lengths, how, reduce, **options):
    bounds = np.asarray(lengths)
    if how == "offsets":
        bounds = np.concatenate([np.zeros_like(bounds[..., :1]), np.cumsum(bounds, -1)], -1)
    x = data if isinstance(data, t.Tensor) else t.tensor(data)
    return t.segment_reduce(x, reduce, axis=bounds.ndim - 1, **{how: t.tensor(bounds.tolist())}, **options)


@pytest.mark.parametrize("how", ["lengths", "offsets"])
@pytest.mark.parametrize("reduce", REDUCTIONS)
@pytest.mark.parametrize("number", range(len(SEGMENTS)))
def test_segments(number, reduce, how):
    shape, lengths = SEGMENTS[number]
    data = np.random.default_rng(0).standard_normal(shape)
    for initial in (None, 0.5):
        for spoiled in (data, np.where(data == data.flat[0], np.nan, data)):
            given = spoiled.tolist(), lengths, how, reduce
            found, wanted = (segments(t, *given, initial=initial) for t in (torch, native))
            assert tuple(found.shape) == tuple(wanted.shape)
            assert str(found.dtype) == "float32"
            np.testing.assert_allclose(np.asarray(found), wanted.numpy(), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("reduce", REDUCTIONS)
def test_gradients_of_segments(reduce, target):
    if "reverse_mode" not in ca.get_backend(target).facts:
        pytest.skip("this backend has no derivatives")
    data = np.random.default_rng(0).standard_normal((2, 6)).astype(np.float32)
    data[0, 2] = data[0, 1]  # equal extremes
    data[0, 3] = data[1, 3] = data[1, 4] = 0  # one and two zeros in products
    slopes = []
    for t in (torch, native):
        x = t.tensor(data.tolist(), requires_grad=True)
        made = segments(t, x, [[1, 2, 3], [6, 0, 0]], "lengths", reduce)
        (made * t.tensor([[1.0, 2.0, 3.0], [4.0, 0.0, 0.0]])).sum().backward()  # torch halves positive slopes alone
        slopes.append(np.asarray(x.grad.tolist()))
    np.testing.assert_allclose(*slopes, rtol=1e-4, atol=1e-5)


def test_segments_without_some_elements():
    x = torch.arange(6.0)
    assert torch.segment_reduce(x, "sum", offsets=torch.tensor([1, 2, 4])).tolist() == [1.0, 5.0]
    assert torch.segment_reduce(x, "amax", lengths=torch.tensor([2, 2]), unsafe=True).tolist() == [1.0, 3.0]
    both = torch.segment_reduce(x, "sum", lengths=torch.tensor([3, 3]), offsets=torch.tensor([0, 1, 6]))
    assert both.tolist() == [0.0, 15.0]
    assert torch.segment_reduce(torch.zeros(0, 3), "amin", lengths=torch.tensor([0])).tolist() == [[float("inf")] * 3]


def test_segments_that_are_refused():
    x, lengths = torch.zeros(2, 3), torch.tensor([1, 1])
    with pytest.raises(RuntimeError, match="Either lengths or offsets must be defined"):
        torch.segment_reduce(x, "sum")
    with pytest.raises(RuntimeError, match="indices based reduction is not supported"):
        torch.segment_reduce(x, "sum", indices=lengths)
    with pytest.raises(RuntimeError, match="Expected axis to be the last dimension of lengths but got 1"):
        torch.segment_reduce(x, "sum", lengths=lengths, axis=-1)
    with pytest.raises(RuntimeError, match="reduce argument must be either"):
        torch.segment_reduce(x, "median", lengths=lengths)


def test_draws_of_cauchy():
    torch.manual_seed(0)
    x = np.asarray(torch.empty(20000).cauchy_(2.0, 3.0))
    np.testing.assert_allclose(np.quantile(x, [0.25, 0.5, 0.75]), [-1, 2, 5], atol=0.25)
    assert abs(np.mean(np.abs(x - 2) > 30) - 2 / np.pi * np.arctan(0.1)) < 0.01
    with pytest.raises(RuntimeError, match=r"cauchy_ expects sigma > 0\.0, but found sigma=0"):
        torch.empty(2).cauchy_(sigma=0)


def test_draws_of_log_normal():
    torch.manual_seed(0)
    x = np.asarray(torch.empty(20000).log_normal_(0.5, 0.25))
    assert abs(np.mean(x) - np.exp(0.5 + 0.25**2 / 2)) < 0.02
    assert abs(np.log(x).mean() - 0.5) < 0.01
    assert abs(np.log(x).std() - 0.25) < 0.01
    with pytest.raises(RuntimeError, match=r"log_normal_ expects std > 0\.0, but found std=-1"):
        torch.empty(2).log_normal_(std=-1)


@pytest.mark.parametrize("dtype", ["float32", "int32"])
def test_draws_of_geometric(dtype):
    torch.manual_seed(0)
    drawn = torch.empty(20000, dtype=getattr(torch, dtype)).geometric_(0.3)
    assert str(drawn.dtype) == dtype
    x = np.asarray(drawn)
    assert x.min() == 1
    assert np.array_equal(x, np.round(x))
    assert abs(x.mean() - 1 / 0.3) < 0.08
    assert abs(x.var() - 0.7 / 0.3**2) < 0.5
    np.testing.assert_allclose([np.mean(x == k) for k in (1, 2, 3)], [0.3, 0.21, 0.147], atol=0.015)
    for p in (0, 1):
        with pytest.raises(RuntimeError, match="geometric_ expects p to be in"):
            drawn.geometric_(p)


@pytest.mark.parametrize("reduction", ["none", "mean"])
@pytest.mark.parametrize(
    ("name", "input", "label"),
    [
        *[("multi_margin_loss", x, y) for x in (0.3, [0.3, 0.5]) for y in (0, [0])],
        *[("multilabel_margin_loss", x, y) for x in (0.3, [0.3]) for y in (0, -1, [0])],
    ],
)
def test_margin_losses_without_axes(name, input, label, reduction):
    found, wanted = (
        getattr(t.nn.functional, name)(t.tensor(input), t.tensor(label), reduction=reduction) for t in (torch, native)
    )
    assert tuple(found.shape) == tuple(wanted.shape)
    np.testing.assert_allclose(np.asarray(found), wanted.numpy(), rtol=1e-6)


@pytest.mark.parametrize("name", ["alpha_dropout", "feature_alpha_dropout"])
def test_alpha_dropout_of_everything(name):
    data = [[[1.0, -2.0], [3.0, 4.0]]]
    found, wanted = (getattr(t.nn.functional, name)(t.tensor(data), 1.0, training=True) for t in (torch, native))
    np.testing.assert_array_equal(np.asarray(found), wanted.numpy())


@pytest.mark.parametrize("dim", [0, 1, 2, -1])
@pytest.mark.parametrize("dtype", ["float32", "int64", "bool", "uint8"])
def test_unique_slices(dtype, dim):
    data = np.random.default_rng(0).integers(0, 2, (5, 2, 3)).tolist()
    found, wanted = (
        t.unique(t.tensor(data, dtype=getattr(t, dtype)), return_inverse=True, return_counts=True, dim=dim)
        for t in (torch, native)
    )
    for mine, theirs in zip(found, wanted, strict=True):
        assert mine.tolist() == theirs.tolist()
        assert str(mine.dtype) == str(theirs.dtype).removeprefix("torch.")


def test_unique_slices_of_special_numbers():
    data = [[float("inf"), 1.0], [-float("inf"), 2.0], [-0.0, 1.0], [0.0, 1.0], [float("inf"), 1.0]]
    found, wanted = (t.unique(t.tensor(data), dim=0, return_inverse=True) for t in (torch, native))
    assert found[0].tolist() == wanted[0].tolist()
    assert found[1].tolist() == wanted[1].tolist()
    assert torch.unique(torch.tensor([[float("nan")], [float("nan")]]), dim=0).shape == (2, 1)
    assert torch.unique(torch.zeros(0, 3), dim=0).shape == (0, 3)
    with pytest.raises(RuntimeError, match="0 sized dimensions"):
        torch.unique(torch.zeros(3, 0), dim=0)


# --- rules of a line or two, by transpiling


def rounded(x):
    scales, zeros = native.tensor([0.1, 0.05]), native.tensor([0, 3], dtype=native.int32)
    one = native.fake_quantize_per_tensor_affine(x, 0.1, 2, -8, 7)
    other = native.fake_quantize_per_tensor_affine(x, scales[:1], zeros[:1], 0, 15)
    return one + other * native.fake_quantize_per_channel_affine(x, scales, zeros, 0, -8, 7)


def test_fake_quantisation(target):
    check(rounded, native.tensor([[0.31, -2.0, 0.7], [0.12, 0.0, -0.33]]), target=target)


@pytest.mark.skipif(
    not hasattr(native.nn.functional, "linear_cross_entropy"),
    reason="this version of torch has no linear_cross_entropy",
)
@pytest.mark.parametrize(("columns", "options"), [((), {}), ((3,), {"reduction": "sum", "label_smoothing": 0.1})])
def test_cross_entropy_of_a_linear_layer(columns, options, target):
    labels = native.tensor([2, 0]).reshape(2, *[1] * len(columns)).expand(2, *columns)

    def program(x, w, b):
        return native.nn.functional.linear_cross_entropy(x, w, labels, linear_bias=b, **options)

    check(program, native.randn(2, 5), native.randn(4, *columns, 5), native.randn(4, *columns), target=target)


def test_cosine_of_numbers(target):
    check(lambda x, y: native.cosine_similarity(x, y, dim=0), native.tensor(0.3), native.tensor(-2.0), target=target)


def test_masked_scatter_of_nothing():
    x = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
    made = torch.masked_scatter(x, torch.zeros(2, 2, dtype=torch.bool), torch.zeros(0, 2))
    assert made.tolist() == x.tolist()


@pytest.mark.skipif(TARGET != "torch", reason="a device of torch on which nothing is computed")
@pytest.mark.parametrize(
    "call",
    [
        lambda x: x.bernoulli(), lambda x: x.cummax(0).indices, lambda x: x.diag_embed(), lambda x: x.quantile(0.5),
        lambda x: torch.multinomial(x, 2, replacement=True), lambda x: torch.special.i0e(x), lambda x: x.logcumsumexp(0),
    ],
)  # fmt: skip
def test_what_functions_make_is_on_the_device_of_the_tensors(call):
    assert call(torch.ones(3, 4, device="meta")).device.type == "meta"


@pytest.mark.parametrize(
    "call",
    [
        lambda torch, x: torch.linalg.inv_ex(x[:, :, :3])[1],
        lambda torch, x: torch.linalg.solve_ex(x[..., :3], x[..., :1])[1],
        lambda torch, x: torch.linalg.lu_factor_ex(x[..., :3]).info,
        lambda torch, x: torch.linalg.cholesky_ex(x[..., :3])[1],
        lambda torch, x: torch.linalg.cholesky_ex(x[:1, :, :3], upper=True).L,
        lambda torch, x: torch.geqrf(x).a,
        lambda torch, x: torch.geqrf(x[:, :, :2]).tau,
        lambda torch, x: torch.ormqr(*torch.geqrf(x[0, :, :2]), x[0]),
        lambda torch, x: torch.ormqr(*torch.geqrf(x[0, :, :2]), x[0].T, left=False, transpose=True),
        lambda torch, x: torch.lobpcg(x[:1, :, :3] @ x[:1, :, :3].mT, 1)[0],
    ],
)
def test_factors(call, target):
    positive = [[4.0, 1.0, 0.0, 1.0], [1.0, 3.0, 1.0, 2.0], [0.0, 1.0, 2.0, 3.0]]
    rows = [positive, [[1.0, 2.0, 0.0, 1.0], [2.0, 1.0, 0.0, 2.0], [0.0, 0.0, 0.0, 0.0]], [[0.0] * 4] * 3]
    with ca.backend_context(target):
        found = call(torch, torch.tensor(rows))
    wanted = call(native, native.tensor(rows))
    assert str(found.dtype) == str(wanted.dtype).removeprefix("torch.")
    np.testing.assert_allclose(ca.to_numpy(found.array), wanted.numpy(), atol=1e-5)


def test_factors_that_do_not_exist(target):
    with ca.backend_context(target):
        factor, info = torch.linalg.cholesky_ex(torch.tensor([[1.0, 0.0], [0.0, -1.0]]))
        assert info.item() == 2 and bool(torch.isnan(factor).all())
        with pytest.raises(RuntimeError, match="not positive-definite"):
            torch.linalg.cholesky_ex(torch.tensor([[-1.0]]), check_errors=True)


@pytest.mark.parametrize(
    "call",
    [
        lambda torch, x: torch.arange(3).type_as(x),
        lambda torch, x: torch.arange(3).to(x),
        lambda torch, x: x.index_fill(1, torch.tensor([0, 2]), 5.0),
        lambda torch, x: x.t().diagonal_scatter(torch.ones(3)),
    ],
)
def test_strides_of_results_that_have_the_shape_of_the_first_argument(call, target):
    with ca.backend_context(target):
        found = call(torch, torch.zeros(3, 4))
    wanted = call(native, native.zeros(3, 4))
    assert found.tolist() == wanted.tolist() and found.stride() == wanted.stride()
