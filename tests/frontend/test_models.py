"""Networks of torch on the target: values, dtypes, gradients of all parameters."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest
import torch
from frontend.support import check
from torch import nn
from torch.nn import functional as F  # noqa: N812


class Recurrent(nn.Module):
    def __init__(self):
        super().__init__()
        self.l, self.g = nn.LSTM(8, 16, 2, batch_first=True, bidirectional=True), nn.GRU(32, 8, batch_first=True)
        self.o = nn.Linear(8, 4)

    def forward(self, x):
        y, _ = self.l(x)
        z, _ = self.g(y)
        return torch.log_softmax(self.o(z[:, -1]), -1)


class UNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Conv2d(3, 8, 3, padding=1), nn.Conv2d(8, 16, 3, stride=2, padding=1)
        self.u, self.o = nn.ConvTranspose2d(16, 8, 2, stride=2), nn.Conv2d(16, 1, 1)
        self.n, self.i = nn.GroupNorm(2, 16), nn.InstanceNorm2d(8)

    def forward(self, x):
        a = torch.relu(self.i(self.a(x)))
        return torch.sigmoid(self.o(torch.cat([a, self.u(F.silu(self.n(self.b(a))))], 1)))


class Residual(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Sequential(
            nn.Conv2d(3, 8, 3, 2, 1, bias=False),
            nn.BatchNorm2d(8),
            nn.ReLU(inplace=True),
        )
        self.body = nn.Sequential(nn.Conv2d(8, 8, 3, padding=1, groups=4), nn.BatchNorm2d(8), nn.Hardswish())
        self.head = nn.Linear(8, 5)

    def forward(self, x):
        x = F.max_pool2d(self.stem(x), 3, 2, 1)
        x = x + self.body(x)
        return self.head(torch.flatten(F.adaptive_avg_pool2d(x, 1), 1))


class Decoder(nn.Module):
    """Attention with rotary positions and a causal mask, as in Llama."""

    def __init__(self):
        super().__init__()
        self.embed, self.qkv, self.out = (
            nn.Embedding(50, 32),
            nn.Linear(32, 96, bias=False),
            nn.Linear(32, 32, bias=False),
        )
        self.norm, self.gate, self.down = nn.RMSNorm(32), nn.Linear(32, 128), nn.Linear(64, 32)

    def forward(self, ids):
        x = self.embed(ids)
        batch, length, _ = x.shape
        q, k, v = (y.view(batch, length, 4, 8).transpose(1, 2) for y in self.qkv(self.norm(x)).chunk(3, dim=-1))
        angle = torch.arange(length)[:, None] / 10000 ** (torch.arange(0, 8, 2) / 8)
        cos, sin = torch.cat([angle, angle], -1).cos(), torch.cat([angle, angle], -1).sin()
        q, k = (y * cos + torch.cat([-y[..., 4:], y[..., :4]], -1) * sin for y in (q, k))
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.out(y.transpose(1, 2).reshape(batch, length, -1))
        a, b = self.gate(x).chunk(2, -1)
        return (x + self.down(F.silu(a) * b)) @ self.embed.weight.t()


def images(*shape):
    return torch.randn(*shape)


MODELS = {
    "recurrent": lambda: (Recurrent().eval(), (images(2, 7, 8),)),
    "unet": lambda: (UNet().eval(), (images(1, 3, 16, 16),)),
    "residual": lambda: (Residual().eval(), (images(2, 3, 32, 32),)),
    "residual in training": lambda: (Residual(), (images(4, 3, 32, 32),)),
    "decoder": lambda: (Decoder().eval(), (torch.randint(0, 50, (2, 9)),)),
    "transformer": lambda: (
        nn.Transformer(16, 4, 1, 1, 32, batch_first=True).eval(),
        (images(2, 5, 16), images(2, 6, 16)),
    ),
}


@pytest.mark.parametrize("name", MODELS)
def test_models(name, target):
    torch.manual_seed(0)
    model, args = MODELS[name]()
    check(model, *args, target=target)


def test_the_example_runs(target, monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["transpile_bert.py", target])
    runpy.run_path(str(Path(__file__).parents[2] / "examples" / "transpile_bert.py"), run_name="__main__")
    printed = capsys.readouterr().out
    assert "largest difference from torch" in printed
    assert float(printed.partition("from torch: ")[2].split()[0]) < 1e-5
