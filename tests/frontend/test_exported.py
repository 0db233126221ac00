"""Programs of `torch.export`, plain and in core ATen, and operators of ATen that are called by name."""

from __future__ import annotations

import os
import warnings

import pytest
import torch
from frontend.support import check, on
from torch import nn

import corearray as ca

aten = torch.ops.aten
TARGET = os.environ.get("COREARRAY_BACKEND") or "numpy"


class Image(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(3, 8, 3, padding=1), nn.BatchNorm2d(8), nn.SiLU(), nn.MaxPool2d(2),
            nn.ConvTranspose2d(8, 4, 2, stride=2), nn.GroupNorm(2, 4), nn.GELU(), nn.AvgPool2d(2), nn.Hardswish(),
            nn.Upsample(scale_factor=2, mode="bilinear"), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(4, 5),
        )  # fmt: skip

    def forward(self, x):
        return nn.functional.log_softmax(self.body(x), 1)


class Text(nn.Module):
    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(11, 8, padding_idx=0)
        self.places = nn.Parameter(torch.randn(6, 8))
        self.layer = nn.TransformerEncoderLayer(8, 2, 16, dropout=0.0, batch_first=True, activation="gelu")

    def forward(self, words):
        x = self.layer(self.words(words) + self.places[: words.shape[1]])
        x = x.masked_fill((words == 0)[..., None], 0.0)
        return torch.cat([x[:, ::2], x[:, 1:3]], 1).flip(1).softmax(-1)


class Series(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(4, 6, batch_first=True)

    def forward(self, x):
        y, _ = self.lstm(x)
        spectrum = torch.fft.rfft(y, dim=1).abs().sum(1)
        y = nn.functional.pad(y.transpose(1, 2), (1, 1), mode="reflect").std(-1)
        return torch.where(spectrum > 1, spectrum, y) + torch.arange(6, device=x.device)


MODELS = {
    "image": (Image, torch.randn(2, 3, 8, 8, generator=torch.Generator().manual_seed(0))),
    "text": (Text, torch.tensor([[1, 3, 0, 4, 5], [3, 2, 7, 0, 0]])),
    "series": (Series, torch.randn(2, 5, 4, generator=torch.Generator().manual_seed(1))),
}


@pytest.mark.parametrize("decomposed", [False, True])
@pytest.mark.parametrize("name", MODELS)
def test_exported_modules(name, decomposed):
    torch.manual_seed(0)
    make, x = MODELS[name]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        exported = torch.export.export(make().eval(), (x,))
        exported = exported.run_decompositions() if decomposed else exported
        module = exported.module()
    t = check(module, x, target=TARGET)
    assert "ops.aten" not in t.source


X = torch.randn(2, 3, 4, 4, generator=torch.Generator().manual_seed(2))
OPERATORS = {
    "packet": lambda x: aten.relu(x),
    "overload": lambda x: aten.add.Tensor(x, 2.0, alpha=3),
    "alias": lambda x: aten.alias.default(x),
    "bilinear": lambda x: aten.upsample_bilinear2d.vec(x, [8, 8], False, None),
    "bicubic": lambda x: aten.upsample_bicubic2d.default(x, [8, 6], True),
    "nearest": lambda x: aten.upsample_nearest2d.vec(x, None, [2.0, 2.0]),
    "nearest-exact": lambda x: aten._upsample_nearest_exact2d.default(x, [7, 7]),
    "cast": lambda x: aten._to_copy.default(x, dtype=torch.float64),
    "copy": lambda x: aten._to_copy.default(x),
    "fft": lambda x: aten._fft_c2r.default(aten._fft_r2c.default(x, [2, 3], 1, True), [2, 3], 1, 4),
    "complex fft": lambda x: aten._fft_c2c.default(aten._fft_r2c.default(x, [3], 0, False), [3], 2, False).real,
    "elu": lambda x: aten.elu.default(x, 1.5),
    "celu": lambda x: aten.elu.default(x, 1.5, 1.0, 1 / 1.5),
    "selu": lambda x: aten.elu.default(x, 1.6732632423543772, 1.0507009873554805),
    "bilinear by keyword": lambda x: aten.upsample_bilinear2d.vec(x, [8, 8], align_corners=False, scale_factors=None),
    "half softmax": lambda x: aten._softmax.default(x, 1, False),
    "index": lambda x: aten.index.Tensor(x, [None, torch.tensor([2, 0])]),
    "index_put": lambda x: aten.index_put.default(x, [torch.tensor([1])], torch.ones(3, 4, 4)),
    "linalg": lambda x: aten.linalg_vector_norm.default(x, 2, [-1]),
    "loss": lambda x: aten.mse_loss.default(x, x * 2, 2) + aten.smooth_l1_loss.default(x, x * 2, 1, 0.5),
    "pool": lambda x: aten.max_pool2d_with_indices.default(x, [2, 2])[0],
    "slice": lambda x: aten.slice.Tensor(x, -2, 1, 2**63 - 1, 2),
    "special": lambda x: aten.special_entr.default(x.abs()),
    "tensordot": lambda x: aten.tensordot.default(x, x, [2, 3], [2, 3]),
}


@pytest.mark.parametrize("name", OPERATORS)
def test_operators(name):
    check(OPERATORS[name], X, target=TARGET)


def test_a_size_that_is_free():
    module = nn.Sequential(nn.Linear(2, 3), nn.Flatten(0))
    x = torch.randn(4, 2)
    exported = torch.export.export(module, (x,), dynamic_shapes={"input": {0: torch.export.Dim("batch")}}).module()
    t = ca.transpile(exported, x, to=TARGET, dynamic=True)
    assert [tuple(t(on(TARGET, torch.ones(n, 2))).shape) for n in (4, 7)] == [(12,), (21,)]


def test_an_operator_without_a_rule_has_a_name_without_its_overload():
    report = ca.transpile_report(lambda x: aten.elu.default(x, 1.5, 3.0), X)
    assert list(report.missing) == ["torch.ops.aten.elu"]
    report = ca.transpile_report(lambda x: aten._adaptive_avg_pool3d.default(x, [1, 1, 1]), X)
    assert list(report.missing) == ["torch.ops.aten._adaptive_avg_pool3d"]


@pytest.mark.parametrize("form", [torch.add, torch.sub, torch.rsub, torch.Tensor.add, torch.Tensor.sub])
def test_factors_beside_numbers(form):
    check(lambda x: form(x, 2.0, alpha=3), X, target=TARGET)
