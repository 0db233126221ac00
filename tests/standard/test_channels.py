"""Channels and pixels against their places, one by one."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from standard.support import ALL, array, be, check, covers, dtypes_of, examples


def _image(dtype, shape):
    return np.arange(np.prod(shape)).reshape(shape).astype(dtype)


def _last(x, data_format, first):
    return np.moveaxis(x, first, -1).copy() if data_format == "channels_last" else x


_FORMATS = st.sampled_from(("channels_first", "channels_last"))


@covers("pixel_shuffle", "pixel_unshuffle")
@examples
@given(st.data(), dtypes_of(ALL), _FORMATS)
def test_pixels_and_channels(data, dtype, data_format):
    batch = data.draw(st.sampled_from(((), (2,), (2, 1))))
    r, c, h, w = (data.draw(st.integers(1, 3)) for _ in range(4))
    x = _image(dtype, (*batch, c * r * r, h, w))
    want = np.zeros((*batch, c, h * r, w * r), dtype)
    for i, a, b in np.ndindex(c, r, r):
        want[..., i, a::r, b::r] = x[..., i * r * r + a * r + b, :, :]
    small, large = (_last(one, data_format, len(batch)) for one in (x, want))
    options = {} if data_format == "channels_first" else {"data_format": data_format}
    check(("pixel_shuffle", small, r), be.pixel_shuffle(array(small), r, **options), large)
    check(("pixel_unshuffle", large, r), be.pixel_unshuffle(array(large), r, **options), small)


@covers("channel_shuffle")
@examples
@given(st.data(), dtypes_of(ALL), _FORMATS)
def test_channels_interleaved(data, dtype, data_format):
    groups, size = data.draw(st.integers(1, 3)), data.draw(st.integers(1, 3))
    behind = data.draw(st.sampled_from(((), (2,), (3, 1))))
    x = _image(dtype, (2, groups * size, *behind))
    want = np.stack([x[:, g * size + i] for i in range(size) for g in range(groups)], axis=1)
    x, want = _last(x, data_format, 1), _last(want, data_format, 1)
    check(("channel_shuffle", x, groups), be.channel_shuffle(array(x), groups, data_format=data_format), want)


@covers("pixel_shuffle", "pixel_unshuffle", "channel_shuffle")
def test_they_are_copies():
    x = be.zeros((1, 1, 2, 2))
    for made in (be.pixel_shuffle(x, 1), be.pixel_unshuffle(x, 1), be.channel_shuffle(x, 1)):
        made[...] = 1.0
        assert not be.any(x != 0.0)


@pytest.mark.parametrize(
    ("words", "call"),
    [
        ("upscale_factor=2", lambda x: be.pixel_shuffle(x, 2)),
        ("upscale_factor=0", lambda x: be.pixel_shuffle(x, 0)),
        ("downscale_factor=2", lambda x: be.pixel_unshuffle(x, 2)),
        ("data_format", lambda x: be.pixel_unshuffle(x, 1, data_format="NHWC")),
        ("at least 3 axes", lambda x: be.pixel_shuffle(be.ones((3, 3)), 1)),
        ("2 groups of 3 channels", lambda x: be.channel_shuffle(x, 2)),
        ("at least 2 axes", lambda x: be.channel_shuffle(be.ones(3), 1)),
    ],
)
def test_what_does_not_fit_is_refused(words, call):
    with pytest.raises(ValueError, match=words):
        call(be.ones((1, 3, 3, 3)))
