"""Containers are mappings, which is all that TensorFlow's trees ask for."""

from __future__ import annotations

import tensorflow as tf

import corearray as ca

be = ca.get_backend("tensorflow")
WEIGHTS = ca.to_native(ca.Container(w=be.asarray([1.0, 2.0]), inner={"b": be.asarray(3.0)}))


def test_functions_take_and_return_containers():
    compiled = tf.function(lambda p: ca.to_native(2 * p))
    assert compiled(WEIGHTS).equals(ca.to_native(2 * WEIGHTS))
    assert tf.nest.map_structure(lambda x: x + x, WEIGHTS).equals(ca.to_native(2 * WEIGHTS))


def test_gradients():
    with tf.GradientTape() as tape:
        tape.watch(WEIGHTS.leaves())
        loss = (ca.sum(WEIGHTS["w"]) * WEIGHTS.inner.b).native
    gradient = tape.gradient(loss, WEIGHTS)
    assert gradient.to_list().equals(ca.Container(inner={"b": 3.0}, w=[3.0, 3.0]))
