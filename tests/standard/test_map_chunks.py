"""Functions of chunks on backends whose arrays are one chunk."""

from __future__ import annotations

import pytest

import corearray as ca


def test_an_array_without_chunks_is_one():
    x = ca.reshape(ca.arange(6.0), (3, 2))
    total = ca.map_chunks(lambda chunk, scale: ca.sum(chunk * scale, axis=0, keepdims=True), x, scale=2.0)
    assert total.tolist() == [[12.0, 18.0]]
    one, two = ca.map_chunks(lambda *chunks: chunks, x, x)
    assert one is two is x


def test_it_takes_arrays():
    with pytest.raises(TypeError, match="'map_chunks' got no array"):
        ca.map_chunks(lambda x: x, 1.0)
