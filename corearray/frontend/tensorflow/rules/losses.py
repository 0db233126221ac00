"""Losses, with the derivatives that TensorFlow computes beside them."""

from __future__ import annotations

from typing import Any

import corearray as ca
from corearray.frontend.tensorflow.described import rule, say

__all__: list[str] = []

say("""
tensorflow.raw_ops.L2Loss(t) = ca.sum(ca.square(t)) / 2
""")


@rule("tensorflow.raw_ops.SoftmaxCrossEntropyWithLogits")
def softmax_cross_entropy(features: ca.Array, labels: ca.Array) -> Any:
    """Return the cross entropy of each row and its derivative by the logits."""
    logarithms = ca.log_softmax(features, axis=-1)
    total = ca.sum(labels, axis=-1, keepdims=True)
    return [-ca.sum(labels * logarithms, axis=-1), ca.exp(logarithms) * total - labels]


@rule("tensorflow.raw_ops.SparseSoftmaxCrossEntropyWithLogits")
def sparse_softmax_cross_entropy(features: ca.Array, labels: ca.Array) -> Any:
    """Return the cross entropy of each row with one class, and its derivative by the logits."""
    logarithms = ca.log_softmax(features, axis=-1)
    chosen = ca.expand_dims(labels, axis=-1) == ca.arange(features.shape[-1], dtype=labels.dtype)
    zero = ca.zeros((), dtype=features.dtype)
    loss = -ca.sum(ca.where(chosen, logarithms, zero), axis=-1)
    return [loss, ca.exp(logarithms) - ca.astype(chosen, features.dtype)]
