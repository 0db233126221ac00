"""Functions of chunks. On a backend without chunks an array is one, and is given as it is."""

from __future__ import annotations

import pytest
from standard.support import be

import corearray as ca


def test_each_chunk_is_given_to_the_function():
    x = ca.reshape(ca.arange(6.0), (3, 2))
    total = ca.map_chunks(lambda chunk, scale: ca.sum(chunk * scale, axis=0, keepdims=True), x, scale=2.0)
    assert total.tolist() == [[12.0, 18.0]]
    one, two = ca.map_chunks(lambda *chunks: chunks, x, x)
    assert one.tolist() == two.tolist() == x.tolist()
    assert (one is two is x) is ("mapped_chunks" not in be.facts)


def test_it_takes_arrays():
    with pytest.raises(TypeError, match="'map_chunks' got no array"):
        ca.map_chunks(lambda x: x, 1.0)
