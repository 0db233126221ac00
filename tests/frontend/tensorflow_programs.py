"""Programs of TensorFlow for the tests, by name: a function and its arguments."""

from __future__ import annotations

import numpy as np
import tensorflow as tf

RANDOM = np.random.default_rng(5)


def array(*shape):
    return RANDOM.normal(size=shape).astype(np.float32)


X, Y, W = array(3, 4), array(3, 4), array(4, 5)
SQUARE = (lambda a: a @ a.T + 4 * np.eye(4, dtype=np.float32))(array(4, 4))
IMAGE, FILTERS = array(2, 7, 6, 3), array(3, 2, 3, 4)
NUMBERS = np.array([[-7, 3, 0, 5], [9, -2, 4, 1]], np.int32)
IDS = np.array([[1, 0], [2, 2]], np.int32)


@tf.function
def looped(x):
    total = tf.zeros_like(x[0])
    made = tf.TensorArray(tf.float32, size=5)
    for i in tf.range(5):
        total = tf.tanh(total + x[i % 3])
        made = made.write(i, total * tf.cast(i, tf.float32))
    return total, made.stack()


@tf.function
def decided(x):
    if tf.reduce_sum(x) > 0:
        y = x * 2
    else:
        y = -x
    while tf.reduce_max(tf.abs(y)) > 0.5:
        y = y / 2
    return y


@tf.function
def switched(x, which):
    return tf.switch_case(which, [lambda: x, lambda: x * 2, lambda: tf.square(x)])


@tf.custom_gradient
def clipped(x):
    return x * 3, lambda slope: tf.clip_by_value(slope, -0.5, 0.5)


def gradient(x, w):
    with tf.GradientTape() as tape:
        tape.watch([x, w])
        y = tf.nn.softmax(tf.nn.relu(x @ w) + tf.sigmoid(x @ w))
        loss = tf.reduce_mean(tf.square(y[:, 1:]) * tf.math.rsqrt(1.0 + y[:, :-1]))
    return tape.gradient(loss, [x, w])


def gradient_of_images(x, filters):
    with tf.GradientTape() as tape:
        tape.watch([x, filters])
        y = tf.nn.conv2d(x, filters, strides=2, padding="SAME")
        y = tf.nn.bias_add(tf.nn.max_pool2d(y, 2, 1, "VALID"), tf.ones(4)) + tf.nn.avg_pool2d(y, 2, 1, "VALID")
        loss = tf.reduce_sum(tf.nn.elu(y) * tf.nn.softplus(y))
    return tape.gradient(loss, [x, filters])


def cross_entropies(x):
    sparse = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=[1, 0, 3], logits=x)
    dense = tf.nn.softmax_cross_entropy_with_logits(labels=tf.nn.softmax(-x), logits=x)
    return sparse, dense, tf.nn.sigmoid_cross_entropy_with_logits(labels=tf.round(tf.sigmoid(x)), logits=x)


def random_numbers(seed):
    key = tf.random.experimental.stateless_fold_in(seed, 4)
    return (
        tf.random.stateless_uniform((7,), seed, minval=-1.0, maxval=2.0),
        tf.random.stateless_normal((2, 3), key),
        tf.random.stateless_uniform((5,), seed, minval=-3, maxval=9, dtype=tf.int32),
        tf.random.stateless_uniform((5,), key, minval=-3, maxval=9, dtype=tf.int64),
        tf.random.stateless_normal((3,), seed, dtype=tf.float64),
        tf.random.stateless_truncated_normal((4, 6), key),
    )


def reductions(x):
    return (
        tf.reduce_sum(x, 0),
        tf.reduce_mean(x),
        tf.reduce_max(x, [0, 1], keepdims=True),
        tf.reduce_prod(x, -1),
        tf.norm(x),
        tf.argmax(x, 1),
        tf.cumsum(x, 1, exclusive=True),
        tf.cumsum(x, 0, reverse=True),
        tf.math.cumprod(x, 1),
        tf.math.top_k(x, 2),
        tf.reduce_logsumexp(x, 1),
        tf.math.reduce_std(x, 0),
        tf.reduce_any(x > 1),
        tf.sort(x, 1),
        tf.argsort(x, 1),
        tf.math.cumulative_logsumexp(x, 1),
    )


def elementwise(x, y):
    p = tf.abs(x) + 0.1
    return (
        x + y,
        x - 2,
        3 * x,
        x / y,
        x // y,
        x % y,
        p**y,
        tf.maximum(x, 0.3),
        tf.sqrt(p),
        tf.math.log1p(p),
        tf.math.erf(x),
        tf.math.lgamma(p),
        tf.math.digamma(p),
        tf.where(x > y, x, 0.0),
        tf.clip_by_value(x, -0.5, 0.5),
        tf.nn.gelu(x),
        tf.nn.leaky_relu(x),
        tf.nn.selu(x),
        tf.nn.silu(x),
        tf.nn.relu6(4 * x),
        tf.nn.softsign(x),
        tf.atan2(x, y),
        tf.sign(x),
        tf.math.divide_no_nan(x, tf.nn.relu(y)),
        tf.math.xlogy(tf.nn.relu(x), p),
        tf.math.squared_difference(x, y),
        tf.cast(x * 3, tf.int32),
        tf.logical_or(x > 0, y > 0),
        tf.math.is_nan(x),
        tf.round(x * 4),
        tf.add_n([x, y, x]),
        tf.math.xdivy(tf.nn.relu(x), y),
        tf.math.multiply_no_nan(x, tf.nn.relu(y)),
        tf.math.expm1(x),
        tf.math.igamma(p, p + 1),
        tf.complex(x, y) * tf.math.conj(tf.complex(y, x)),
        tf.math.real(tf.complex(x, y)),
        tf.math.angle(tf.complex(x, y)),
    )


def integers(n):
    return (
        n // 2,
        n % 3,
        tf.truncatediv(n, 2),
        tf.truncatemod(n, 3),
        tf.bitwise.bitwise_xor(n, 5),
        tf.bitwise.left_shift(n, 2),
        tf.bitwise.invert(n),
        tf.abs(n),
        tf.reduce_mean(n),
        tf.one_hot(n, 6),
        tf.unique(tf.reshape(n % 3, [-1])),
        tf.math.bincount(tf.reshape(n % 4, [-1]), minlength=4, maxlength=4),
        tf.cast(n, tf.float32) / 3,
        n > 2,
        -n,
    )


def arranged(x, y):
    n, m = tf.unstack(tf.shape(x))
    return (
        tf.reshape(x, [m, n]),
        tf.transpose(x),
        tf.concat([x, y], 1),
        tf.stack([x, y], 1),
        tf.split(x, 2, 1),
        tf.split(x, [1, 3], 1),
        tf.tile(x, [2, 1]),
        tf.pad(x, [[1, 0], [0, 2]], constant_values=7.0),
        tf.pad(x, [[1, 0], [0, 2]], "REFLECT"),
        tf.pad(x, [[1, 0], [0, 2]], "SYMMETRIC"),
        tf.expand_dims(x, -1),
        tf.squeeze(x[:1]),
        x[1:, ::-1],
        x[..., 2],
        x[:, tf.newaxis],
        tf.reverse(x, [0]),
        tf.roll(x, [1, 2], [0, 1]),
        tf.broadcast_to(x[:1], [5, 4]),
        tf.fill([2, n], 3.0),
        tf.range(n),
        tf.linspace(0.0, 1.0, 5),
        tf.linalg.band_part(x, 1, 0),
        tf.linalg.diag(x),
        tf.linalg.diag_part(x),
        tf.eye(3),
        tf.linalg.diag(x, k=-1),
        tf.linalg.set_diag(x, y[:, 0]),
        tf.meshgrid(x[0], y[0]),
        tf.repeat(x, 2, axis=0),
        tf.zeros_like(x),
        tf.nn.space_to_depth(tf.reshape(x, [1, 2, 6, 1]), 2),
        tf.slice(x, [0, 1], [-1, 2]),
    )


def indexed(x, ids):
    i = ids[0, 0]
    return (
        tf.gather(x, ids),
        tf.gather(x, ids, axis=1),
        tf.gather(x[:2], ids, axis=1, batch_dims=1),
        tf.gather_nd(x, ids),
        x[i],
        x[:, i],
        tf.slice(x, [i, 0], [1, 3]),
        tf.scatter_nd(ids, x[:2, 0], [3, 4]),
        tf.tensor_scatter_nd_update(x, ids, x[:2, 0]),
        tf.tensor_scatter_nd_add(x, ids, x[:2, 0]),
        tf.math.unsorted_segment_sum(x, [0, 2, 0], 4),
        tf.math.in_top_k([1, 0, 2], x, 2),
        tf.boolean_mask(x, [True, False, True]),
        tf.reverse_sequence(x, [1, 3, 4], seq_axis=1),
        tf.one_hot(ids, 3, axis=0),
    )


def products(x, w, square):
    return (
        x @ w,
        tf.matmul(x, x, transpose_b=True),
        tf.einsum("ij,jk->ki", x, w),
        tf.tensordot(x, w, 1),
        tf.linalg.inv(square),
        tf.linalg.cholesky(square),
        tf.linalg.det(square),
        tf.linalg.solve(square, w),
        tf.linalg.slogdet(square),
        tf.linalg.triangular_solve(tf.linalg.cholesky(square), w),
        tf.linalg.svd(x, compute_uv=False),
        tf.linalg.eigh(square)[0],
        tf.linalg.matmul(square[None], w),
        tf.signal.rfft(x),
        tf.signal.irfft(tf.signal.rfft(x)),
        tf.signal.fft2d(tf.cast(x, tf.complex64)),
        tf.linalg.trace(square),
        tf.abs(tf.linalg.qr(square)[1]),
    )


def images(x, filters):
    normal = tf.compat.v1.nn.fused_batch_norm(x, tf.ones(3), tf.zeros(3), epsilon=1e-3)
    return (
        tf.nn.conv2d(x, filters, 2, "SAME"),
        tf.nn.conv2d(x, filters, 1, [[0, 0], [1, 2], [0, 1], [0, 0]], dilations=2),
        tf.nn.conv2d_transpose(x, tf.transpose(filters, [0, 1, 3, 2]), [2, 14, 12, 4], 2),
        tf.nn.depthwise_conv2d(x, filters[..., :2], [1, 2, 2, 1], "SAME"),
        tf.nn.max_pool2d(x, 3, 2, "SAME"),
        tf.nn.avg_pool2d(x, 3, 2, "SAME"),
        tf.nn.conv1d(x[:, 0], filters[0], 1, "VALID"),
        tf.nn.conv3d(x[:, None], filters[None], [1] * 5, "SAME"),
        normal[0],
        normal[1],
        tf.nn.local_response_normalization(x, 1),
        tf.image.resize(x, (5, 9)),
        tf.image.resize(x, (4, 12), "nearest"),
        tf.image.resize(x, (9, 5), "bicubic"),
        tf.nn.space_to_batch(x[:, :6], [2, 3], [[0, 0], [0, 0]]),
        tf.nn.bias_add(x, [1.0, 2.0, 3.0]),
        tf.nn.convolution(x, filters, dilations=[2, 1]),
        tf.image.flip_left_right(x),
        tf.image.rgb_to_grayscale(x),
    )


PROGRAMS = {
    "elementwise": (elementwise, X, Y),
    "integers": (integers, NUMBERS),
    "reductions": (reductions, X),
    "arranged": (arranged, X, Y),
    "indexed": (indexed, X, IDS),
    "products": (products, X, W, SQUARE),
    "images": (images, IMAGE, FILTERS),
    "cross entropies": (cross_entropies, X),
    "random numbers": (random_numbers, np.array([3, -9], np.int32)),
    "gradient": (gradient, X, W),
    "gradient of images": (gradient_of_images, IMAGE, FILTERS),
    "loop": (looped, X),
    "condition": (decided, X),
    "switch": (switched, X, np.array(1, np.int32)),
    "derivative of one's own": (clipped, X),
}
