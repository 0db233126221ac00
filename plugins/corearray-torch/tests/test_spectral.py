"""The meaning of `stft` and `istft` is that of torch, for the compositions and for what the plugin computes itself."""

from __future__ import annotations

import numpy as np
import pytest
import torch

import corearray as ca
from corearray.calls.binding import Binding

be = ca.get_backend("torch")

#: Shape of the signal, length of the pieces, options.
CASES = [
    ((20,), 8, {}),
    ((2, 20), 8, {"hop_length": 3, "normalized": True}),
    ((2, 21), 7, {"win_length": 5}),
    ((20,), 8, {"pad_mode": "circular", "onesided": False}),
    ((20,), 9, {"pad_mode": "replicate"}),
]


@pytest.mark.parametrize(("shape", "n_fft", "options"), CASES)
def test_stft_and_istft_are_those_of_torch(shape, n_fft, options):
    x = torch.from_numpy(np.random.default_rng(1).normal(size=shape))
    window = torch.hamming_window(options.get("win_length", n_fft), dtype=torch.float64)
    want = torch.stft(x, n_fft, window=window, return_complex=True, **options)
    names = {"circular": "wrap", "replicate": "edge"}
    given = {key: names.get(value, value) for key, value in options.items()}
    torch.testing.assert_close(be.native.stft(x, n_fft, window=window, **given), want)
    binding = be.binding("stft")
    composed = Binding(binding.declaration, be, None, binding._stage)
    defaults = {p.name: p.default for p in binding.declaration.parameters if not p.required}
    found = composed.pipeline([x, n_fft, *{**defaults, **given, "window": window}.values()])
    torch.testing.assert_close(found.native, want)
    given.pop("pad_mode", None)
    again = torch.istft(want, n_fft, window=window, return_complex=options.get("onesided") is False,
                        **{key: value for key, value in options.items() if key != "pad_mode"})  # fmt: skip
    torch.testing.assert_close(be.native.istft(want, n_fft, window=window, **given), again)
