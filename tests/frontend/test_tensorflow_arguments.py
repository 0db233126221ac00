"""Programs of TensorFlow whose arguments are ragged, or bounds of slices."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("tensorflow", reason="TensorFlow is the source")

import tensorflow as tf

import corearray as ca
from corearray.transforms.tree import Tree

X = np.arange(12.0).reshape(4, 3)


def on(target, array):
    return ca.get_backend(target).asarray(np.asarray(array))


def same(found, wanted):
    found, wanted = Tree(found).leaves, tf.nest.flatten(wanted)
    for mine, theirs in zip(found, wanted, strict=True):
        assert (str(mine.dtype), tuple(mine.shape)) == (theirs.dtype.name, tuple(theirs.shape))
        np.testing.assert_allclose(ca.to_numpy(mine), theirs.numpy(), rtol=1e-6)


def of_rows(rows, weights):
    return tf.reduce_sum(rows * 2.0, axis=1), rows.to_tensor(), tf.concat([rows, rows], axis=1)[1:].values * weights[0]


def test_ragged_arguments(target):
    example = tf.ragged.constant([[1.0, 2.0], [3.0, 4.0, 5.0], [6.0]])
    t = ca.transpile(of_rows, example, tf.constant([2.0]), to=target)
    weights = on(target, np.float32([2.0]))
    rows = ca.Ragged.from_row_splits(on(target, example.values), on(target, example.row_splits))
    same(t(rows, weights), of_rows(example, tf.constant([2.0])))
    assert len(t._prepared) == 1
    other = tf.ragged.constant([[1.0], [3.0, 4.0]])
    rows = ca.Ragged.from_row_splits(on(target, other.values), on(target, other.row_splits))
    same(t(rows, weights), of_rows(other, tf.constant([2.0])))


def test_ragged_rows_of_rows(target):
    example = tf.ragged.constant([[[1.0], [2.0, 3.0]], [[4.0]]])
    inner = ca.Ragged.from_row_splits(on(target, example.flat_values), on(target, example.values.row_splits))
    rows = ca.Ragged.from_row_splits(inner, on(target, example.row_splits))
    t = ca.transpile(lambda rows: rows.to_tensor() + tf.reduce_sum(rows), example, to=target)
    same(t(rows), example.to_tensor() + tf.reduce_sum(example))


def test_ragged_arguments_of_other_frameworks_are_refused(target):
    rows = ca.Ragged.from_row_splits(on(target, [1.0, 2.0, 3.0]), on(target, [0, 1, 3]))
    with pytest.raises(TypeError, match="programs of 'numpy' take no ragged arguments"):
        ca.transpile(lambda rows: rows, rows, to=target, source="numpy")


#: A slice by a number that the program does not know was empty.
SLICES = {
    "end": lambda x, n: x[:n], "begin": lambda x, n: x[n:], "both": lambda x, n: x[n - 1 : n + 1], "step": lambda x, n: x[::n],
    "beside an index": lambda x, n: (x[n, 0:2], x[n, 1:], x[1:, n]), "new axis": lambda x, n: x[n - 1 :, n - 1, None],
    "tf.slice": lambda x, n: (tf.slice(x, [n, 0], [1, 2]), tf.slice(x, [n, 1], [-1, 2]), tf.slice(x, [0, 0], [n, 2])),
}  # fmt: skip


@pytest.mark.parametrize("name", SLICES)
def test_slices_by_arguments(name, target):
    program, x = SLICES[name], tf.constant(X)
    t = ca.transpile(program, x, tf.constant(2), to=target)
    for n in (1, 2):
        same(t(on(target, X), on(target, np.int32(n))), program(x, tf.constant(n)))


def test_a_branch_that_is_known(target):
    """TensorFlow's condition on a size is constant, and its branch slices by a length that only the branch knows."""
    x = tf.constant([1.5, -2.0, 3.0])
    t = ca.transpile(tf.math.is_strictly_increasing, x, to=target, source="tensorflow")
    assert not ca.to_numpy(t(on(target, x)))
    assert "StatelessIf" not in t.source


def test_lists_of_different_shapes(target):
    def program(x):
        array = tf.TensorArray(tf.float64, 2, infer_shape=False)
        return array.write(0, x).write(1, x[:1]).concat()

    same(ca.transpile(program, tf.constant(X), to=target)(on(target, X)), program(tf.constant(X)))


def test_operations(target):
    def program(x, seed):
        half = tf.dynamic_partition(x, tf.cast(x[:, 0] > 4, tf.int32), 2)
        shuffled = tf.random.experimental.stateless_shuffle(x, seed)
        return half, tf.raw_ops.Bucketize(input=tf.cast(x, tf.float32), boundaries=[1.0, 4.0]), shuffled

    seed = tf.constant([3, 4])
    t = ca.transpile(program, tf.constant(X), seed, to=target)
    same(t(on(target, X), on(target, seed)), program(tf.constant(X), seed))


def test_conjugates(target):
    x = tf.constant([[1.0 + 2.0j, -1.0j]], tf.complex64)
    t = ca.transpile(lambda x: (tf.transpose(x, conjugate=True), tf.linalg.adjoint(x)), x, to=target)
    same(t(on(target, x)), (tf.transpose(x, conjugate=True),) * 2)
