"""Segments where TensorFlow tells of errors at once, and where it does so later."""

from __future__ import annotations

import pytest
import tensorflow as tf

import corearray as ca


@pytest.mark.parametrize("synchronous", [True, False])
def test_ids_that_are_no_segments_are_left_out(synchronous):
    be = ca.get_backend("tensorflow")
    tf.config.experimental.set_synchronous_execution(synchronous)
    try:
        found = be.unsorted_segment_sum(be.ones((4, 2)), be.asarray([0, 1, 5, -1]), 2).tolist()
    finally:
        tf.config.experimental.set_synchronous_execution(True)
    assert found == [[1.0, 1.0], [1.0, 1.0]]
