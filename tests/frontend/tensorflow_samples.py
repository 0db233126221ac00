"""Expressions in TensorFlow's words, one a line, which run on TensorFlow and on the frontend alike."""

from __future__ import annotations

import ast

#: Tensors that the expressions use, made by either module.
VALUES = """
x = tf.constant([[1.5, -2.0, 3.0], [0.5, 4.0, -1.0]])
y = tf.constant([[0.5, 2.0, -1.5], [2.5, 0.25, 1.0]])
p = tf.constant([0.1, 0.5, 0.9])
d = tf.constant([1.25, 2.5, 0.75], tf.float64)
i = tf.constant([[7, -3, 2], [4, 5, -6]])
j = tf.constant([[2, 5, -3], [1, 4, 4]])
l = tf.constant([3, 1, 2], tf.int64)
u = tf.constant([3, 250, 7], tf.uint8)
b = tf.constant([[True, False, True], [False, False, True]])
c = tf.constant([[1.0 + 2.0j, -1.0j], [0.5 - 1.0j, 2.0]], tf.complex64)
m = tf.constant([[4.0, 1.0, 0.5], [1.0, 3.0, 0.25], [0.5, 0.25, 2.0]])
v = tf.constant([1.0, 2.0, 3.0])
e = tf.constant([[0.0, 1.0, 1.0, 2.0], [3.0, 1.0, 5.0, 8.0]])
s = tf.reshape(tf.sin(tf.range(40.0)), [2, 20])
im = tf.reshape(tf.cos(tf.range(2.0 * 5 * 6 * 2)), [2, 5, 6, 2])
f2 = tf.reshape(tf.sin(tf.range(3.0 * 2 * 2 * 4)), [3, 2, 2, 4])
sq = tf.reshape(tf.cos(tf.range(2.0 * 9 * 2)), [2, 9, 2])
f1 = tf.reshape(tf.sin(tf.range(3.0 * 2 * 4)), [3, 2, 4])
vol = tf.reshape(tf.cos(tf.range(1.0 * 4 * 5 * 3 * 2)), [1, 4, 5, 3, 2])
f3 = tf.reshape(tf.sin(tf.range(2.0 * 2 * 2 * 2 * 3)), [2, 2, 2, 2, 3])
"""

#: Expressions by group. An error of the same class is an equal result.
SAMPLES = {
    "operators": """
x + y, x - y, x * y, x / y, x // y, x % y, x ** 2, 2 ** y, -x, abs(x)
x + 1, 1 - x, 2 * x, 3 / x, 7 // x, 5 % y
i + j, i // j, i % j, i / j, i * 2, -i, i ** 2
x @ m, m @ m @ tf.transpose(x)
x < y, x <= y, x > y, x >= y, x == y, x != y
b & ~b, b | True, b ^ b, i & j, i | j, i ^ 3, ~i
i + 1.5
x + i
x == i
i == tf.constant([1, 2])
x == None
l + 1, l + i
u + u, u * 2, -u
x[0], x[0, 1], x[:, 1], x[..., -1], x[:, ::-1], x[1:, :2], x[:, tf.newaxis].shape, x[tf.constant(1)]
x[5]
x[1.0]
x[b]
v[tf.constant(2)], v[-1], v[::-2]
[float(a) for a in v], len(x), bool(v[0] > 0), int(l[0]), [10, 20][tf.constant(1)]
x.shape, x.shape.as_list(), x.shape.rank, x.shape[0], x.dtype, x.ndim, i.dtype.is_integer, u.dtype.max
x.numpy().sum(), x.numpy().dtype, v[0].numpy()
hash(x)
len(tf.constant(1.0))
bool(x)
tf.add(2, 1.5)
tf.add(2.5, 1)
tf.float32, tf.as_dtype("int64"), tf.float64.size, tf.bool.is_bool, tf.complex64.is_complex, tf.float32 == "float32"
tf.TensorShape([1, None]), tf.TensorShape([2, 3]) + [4], tf.TensorShape([2, None]).is_fully_defined()
""",
    "creation": """
tf.constant([1, 2]), tf.constant([1.0, 2]), tf.constant(True), tf.constant(2**40), tf.constant(1j)
tf.constant([1, 2, 3, 4], shape=[2, 2]), tf.constant(1.0, shape=[2]), tf.constant([1, 2], tf.float64)
tf.constant([1.5], tf.int32)
tf.constant([True, 1])
tf.constant([[1], [1, 2]])
tf.constant([1, 2, 3], shape=[2, 2])
tf.convert_to_tensor([1, 2]), tf.convert_to_tensor([v[0], 2.0]), tf.convert_to_tensor([1, 2], dtype_hint=tf.float32)
tf.convert_to_tensor(x, tf.float64)
tf.zeros([2, 3]), tf.zeros(3, tf.int32), tf.ones([2]), tf.ones([], tf.bool), tf.zeros_like(i), tf.ones_like(x, tf.int32)
tf.fill([2, 2], 7), tf.fill([2], 1.5), tf.eye(3), tf.eye(2, 3, dtype=tf.float64), tf.eye(2, batch_shape=[2])
tf.range(5), tf.range(1, 5, 2), tf.range(0.0, 1.0, 0.25), tf.range(3, dtype=tf.int64), tf.range(5, 1, -2)
tf.linspace(0.0, 1.0, 5), tf.linspace(0, 1, 3), tf.linspace(v, v + 1, 3, axis=1)
tf.cast([1.7, -1.7], tf.int32), tf.cast(x, tf.bool), tf.cast(c, tf.float32), tf.cast(b, tf.float32)
tf.cast(i, "float64")
tf.saturate_cast(x * 100, tf.int8), tf.saturate_cast(i * 100, tf.uint8), tf.dtypes.saturate_cast(i, tf.float32)
tf.complex(x, y), tf.identity(x), tf.one_hot([0, 2, -1], 3), tf.one_hot([0, 1], 2, on_value=5, off_value=-1, axis=0)
tf.one_hot([0, 1], 2, dtype=tf.bool), tf.stop_gradient(x), tf.identity_n([x, i])
tf.sequence_mask([1, 3, 0]), tf.sequence_mask([1, 2], 4, dtype=tf.float32)
tf.broadcast_static_shape(tf.TensorShape([2, 1]), tf.TensorShape([3])), tf.broadcast_dynamic_shape([2, 1], [3])
""",
    "elementwise": """
tf.acos(p), tf.asin(p), tf.atan(x), tf.acosh(v), tf.asinh(x), tf.atanh(p), tf.cos(x), tf.cosh(x), tf.sin(x), tf.sinh(x)
tf.tan(x), tf.tanh(x), tf.exp(x), tf.floor(x), tf.negative(i), tf.sign(x), tf.sqrt(v), tf.square(i), tf.round(x)
tf.round(i)
tf.math.ceil(x), tf.math.digamma(v), tf.math.erf(x), tf.math.erfc(x), tf.math.erfinv(p), tf.math.expm1(x)
tf.math.lgamma(v)
tf.math.log(v), tf.math.log1p(v), tf.math.ndtri(p), tf.math.reciprocal(x), tf.math.rint(x), tf.math.rsqrt(v)
tf.math.rsqrt(d)
tf.math.is_finite(x), tf.math.is_inf(x), tf.math.is_nan(x), tf.math.softplus(x), tf.math.softsign(x), tf.math.sigmoid(x)
tf.sqrt(i)
tf.exp(1)
tf.math.log(2.0), tf.abs(i), tf.abs(c), tf.math.abs(x), tf.math.negative(x), tf.math.sign(i), tf.math.square(x)
tf.subtract(x, y), tf.multiply(i, j), tf.maximum(x, 0.5), tf.minimum(x, y), tf.maximum(2, v), tf.add(x, 1)
tf.multiply(2, x)
tf.divide(i, 2), tf.truediv(u, u), tf.realdiv(x, y), tf.truncatediv(i, j), tf.truncatemod(i, j), tf.math.floordiv(x, y)
tf.math.floormod(i, j), tf.math.mod(x, y), tf.math.divide_no_nan(x, tf.zeros_like(x)), tf.math.multiply_no_nan(x, 0.0)
tf.math.floordiv(i, 0)
tf.pow(x, 2), tf.pow(2.0, x), tf.pow(i, 2), tf.math.pow(v, v), tf.math.squared_difference(x, y), tf.atan2(x, y)
i ** -1
tf.logical_and(b, True), tf.logical_or(b, b), tf.logical_not(b), tf.math.logical_xor(b, [True, False, False])
tf.logical_and(i, i)
tf.less(x, y), tf.less_equal(i, j), tf.greater(x, 1), tf.greater_equal(i, 2), tf.equal(i, 4), tf.not_equal(x, y)
tf.equal(i, tf.constant([1, 2]))
tf.math.igamma(v, v), tf.math.igammac(v, v), tf.math.polygamma(v, v), tf.math.zeta(v + 1, v), tf.math.betainc(v, v, p)
tf.math.xdivy(x, y), tf.math.xlogy(v, v), tf.math.xlog1py(v, v), tf.math.nextafter(v, 5.0)
tf.math.real(c), tf.math.imag(c), tf.math.conj(c), tf.math.angle(c), tf.math.conj(x), tf.math.real(x), tf.math.angle(x)
tf.math.log_sigmoid(x), tf.math.reciprocal_no_nan(x - 1.5), tf.math.erfcinv(p), tf.math.bessel_i0(v)
tf.math.bessel_i0e(v)
tf.math.polyval([1.0, 2.0, 3.0], x), tf.math.lbeta(v), tf.math.scalar_mul(2.0, x), tf.add_n([x, y, x])
tf.math.accumulate_n([x, y])
tf.clip_by_value(x, -1.0, 1.0), tf.clip_by_value(i, 0, 4), tf.clip_by_norm(x, 2.0), tf.clip_by_norm(x, 2.0, axes=[1])
tf.clip_by_global_norm([x, v], 1.0), tf.linalg.global_norm([x, v])
tf.bitwise.bitwise_and(i, j), tf.bitwise.bitwise_or(i, j), tf.bitwise.bitwise_xor(i, j), tf.bitwise.invert(u)
tf.bitwise.left_shift(i, 2), tf.bitwise.right_shift(i, 1)
tf.nn.relu(x), tf.nn.relu6(x), tf.nn.elu(x), tf.nn.selu(x), tf.nn.leaky_relu(x), tf.nn.leaky_relu(x, 0.1)
tf.nn.crelu(x)
tf.nn.silu(x), tf.nn.swish(x), tf.nn.gelu(x), tf.nn.gelu(x, approximate=True), tf.nn.sigmoid(x), tf.nn.tanh(x)
tf.nn.softplus(x), tf.nn.softsign(x), tf.nn.softmax(x), tf.nn.softmax(x, axis=0), tf.nn.log_softmax(x)
tf.math.softmax(x)
tf.nn.softmax(i)
tf.nn.l2_loss(x), tf.nn.l2_normalize(x, axis=1), tf.math.l2_normalize(x), tf.math.invert_permutation([2, 0, 1])
""",
    "reductions": """
tf.reduce_sum(x), tf.reduce_sum(x, 0), tf.reduce_sum(i, axis=[0, 1]), tf.reduce_sum(x, axis=-1, keepdims=True)
tf.reduce_sum(u)
tf.reduce_prod(i, 1), tf.reduce_mean(x), tf.reduce_mean(i), tf.reduce_mean(x, axis=1), tf.reduce_max(x, 0)
tf.reduce_min(i)
tf.reduce_all(b), tf.reduce_any(b, axis=1), tf.reduce_logsumexp(x), tf.reduce_logsumexp(x, axis=0, keepdims=True)
tf.reduce_sum(b)
tf.reduce_all(i)
tf.reduce_sum(x, axis=4)
tf.math.reduce_variance(x, axis=1), tf.math.reduce_std(x), tf.math.reduce_euclidean_norm(x, axis=0)
tf.math.reduce_std(i)
tf.argmax(x), tf.argmax(x, axis=1), tf.argmin(i, axis=-1, output_type=tf.int32), tf.math.argmax(v)
tf.cumsum(x), tf.cumsum(x, axis=1, exclusive=True), tf.cumsum(x, reverse=True), tf.math.cumprod(i, axis=1)
tf.math.cumulative_logsumexp(x, axis=1), tf.math.count_nonzero(i), tf.math.count_nonzero(b, axis=1, dtype=tf.int32)
tf.math.zero_fraction(tf.nn.relu(x)), tf.math.is_non_decreasing(v), tf.math.is_strictly_increasing(x)
tf.sort(x), tf.sort(x, axis=0, direction="DESCENDING"), tf.argsort(x), tf.argsort(x, direction="DESCENDING")
tf.searchsorted(v, [0.5, 2.0, 9.0]), tf.searchsorted(e, e, side="right"), tf.math.top_k(x, 2), tf.nn.top_k(v).indices
tf.math.in_top_k([0, 1], x, 1), tf.unique([1, 3, 1, 2]), tf.unique_with_counts([1, 3, 1, 2])
tf.math.bincount([1, 1, 3]), tf.math.bincount([1, 1, 3], weights=[1.0, 2.0, 3.0])
tf.math.bincount([[1, 1], [0, 2]], axis=-1)
tf.math.bincount([1, 5, 2], minlength=4), tf.math.bincount([1, 5, 2], maxlength=4)
tf.math.bincount([1, 1], binary_output=True)
tf.math.confusion_matrix([0, 1, 2], [0, 2, 2])
tf.math.confusion_matrix([0, 1], [1, 1], 3, weights=[2.0, 3.0], dtype=tf.float32)
tf.math.segment_sum(m, [0, 0, 2]), tf.math.segment_mean(m, [0, 0, 2]), tf.math.segment_max(m, [0, 0, 2])
tf.math.segment_min(m, [0, 1, 1]), tf.math.segment_prod(m, [0, 0, 2])
tf.math.unsorted_segment_sum(m, [2, 0, 2], 3), tf.math.unsorted_segment_mean(m, [2, 0, 2], 3)
tf.math.unsorted_segment_max(m, [2, 0, 2], 3), tf.math.unsorted_segment_min(m, [1, 0, 1], 2)
tf.math.unsorted_segment_prod(m, [2, 0, 2], 3), tf.math.unsorted_segment_sqrt_n(m, [2, 0, 2], 3)
tf.histogram_fixed_width([0.0, 1.0, 2.5, 9.0], [0.0, 5.0], nbins=5)
tf.histogram_fixed_width_bins(x, [-2.0, 4.0], nbins=4)
""",
    "arranging": """
tf.reshape(x, [3, 2]), tf.reshape(x, [-1]), tf.reshape(v[0], [1, 1]), tf.reshape(x, x.shape), tf.reshape(x, tf.shape(y))
tf.reshape(x, [4])
tf.expand_dims(x, 0), tf.expand_dims(x, -1), tf.squeeze(x[None]), tf.squeeze(x[None], axis=0)
tf.expand_dims(v[0], 3)
tf.squeeze(x, axis=0)
tf.transpose(x), tf.transpose(x, [1, 0]), tf.transpose(c, conjugate=True), tf.transpose(vol, [4, 0, 2, 1, 3])
tf.transpose(x, [0])
tf.concat([x, y], 0), tf.concat([x, y], axis=-1), tf.concat([v, [1, 2]], 0), tf.stack([x, y]), tf.stack([v, v], axis=1)
tf.concat([x, i], 0)
tf.stack([1, 2.0])
tf.unstack(x), tf.unstack(x, axis=1), tf.unstack(x, num=2), tf.split(e, 2, axis=1), tf.split(e, [1, 3], axis=1)
tf.split(e, [1, -1], axis=1), tf.split(v, 2)
tf.tile(x, [2, 1]), tf.broadcast_to(v, [2, 3]), tf.repeat(v, 2), tf.repeat(x, [1, 2], axis=0), tf.reverse(x, [1])
tf.roll(v, 1, 0)
tf.tile(v, [2, 2])
tf.broadcast_to(v, [2])
tf.pad(x, [[1, 0], [0, 2]]), tf.pad(i, [[1, 1], [0, 0]], constant_values=9), tf.pad(v, [[1, 1]], "REFLECT")
tf.pad(v, [[1, 1]], "symmetric")
tf.pad(i, [[1, 1], [0, 0]], constant_values=1.5)
tf.slice(x, [0, 1], [2, -1]), tf.strided_slice(e, [0, 0], [2, 4], [1, 2])
tf.shape(x), tf.shape(x, out_type=tf.int64), tf.size(x), tf.rank(x), tf.shape_n([x, v]), tf.ensure_shape(x, [None, 3])
tf.gather(v, [2, 0]), tf.gather(x, [[1], [0]]), tf.gather(x, [1, 2], axis=1), tf.gather(x, [[0], [2]], batch_dims=1)
tf.gather(v, [5])
tf.gather_nd(x, [[0, 1], [1, 2]]), tf.gather_nd(x, [[1]]), tf.gather_nd(x, [[1], [0]], batch_dims=1)
tf.scatter_nd([[1], [3]], [5, 6], [5]), tf.tensor_scatter_nd_update(v, [[1]], [9.0])
tf.tensor_scatter_nd_add(v, [[1], [1]], [1.0, 2.0])
tf.tensor_scatter_nd_sub(v, [[0]], [1.0]), tf.tensor_scatter_nd_max(v, [[0]], [5.0])
tf.tensor_scatter_nd_min(v, [[2]], [0.0])
tf.where(b), tf.where(b, x, y), tf.where(x > 0, x, 0), tf.where(b, 1, x), tf.where(b, 1.5, 2.5)
tf.where(b, x, i)
tf.boolean_mask(x, b), tf.boolean_mask(x, [True, False]), tf.boolean_mask(x, [True, False, True], axis=1)
tf.meshgrid(v, [1.0, 2.0]), tf.meshgrid([1, 2], [3, 4, 5], indexing="ij"), tf.unravel_index([5, 2], [2, 3])
tf.dynamic_partition(v, [1, 0, 1], 2), tf.dynamic_stitch([[0, 2], [1]], [[1.0, 3.0], [2.0]])
tf.reverse_sequence(e, [2, 4], seq_axis=1, batch_axis=0)
tf.space_to_batch(im[:, :4], [2, 2], [[0, 0], [0, 0]])
tf.batch_to_space(tf.space_to_batch(im[:, :4], [2, 3], [[0, 0], [0, 0]]), [2, 3], [[0, 0], [0, 0]])
tf.nn.space_to_depth(im[:, :4], 2), tf.nn.depth_to_space(tf.nn.space_to_depth(im[:, :4], 2), 2)
""",
    "linalg": """
tf.matmul(x, m), tf.matmul(x, x, transpose_b=True), tf.matmul(x, x, transpose_a=True)
tf.linalg.matmul(i, j, transpose_b=True)
tf.matmul(v, m)
tf.matmul(x, x)
tf.matmul(x, i)
tf.linalg.matvec(m, v), tf.einsum("ij,jk->ik", x, m), tf.einsum("bij->bji", im[..., 0]), tf.tensordot(x, m, 1)
tf.tensordot(x, y, [[0, 1], [0, 1]])
tf.einsum("ij,jk->ik", x, tf.ones([3, 2], tf.int32))
tf.linalg.adjoint(c), tf.linalg.matrix_transpose(x), tf.linalg.trace(m), tf.linalg.det(m), tf.linalg.slogdet(m)
tf.linalg.logdet(m)
tf.linalg.inv(m), tf.linalg.solve(m, tf.transpose(x)), tf.linalg.cholesky(m)
tf.linalg.cholesky_solve(tf.linalg.cholesky(m), tf.transpose(x))
tf.linalg.inv(tf.zeros([2, 2]))
tf.linalg.triangular_solve(m, tf.transpose(x))
tf.linalg.triangular_solve(m, tf.transpose(x), lower=False, adjoint=True)
tf.linalg.eigvalsh(m), tf.abs(tf.linalg.eigh(m)[1]), tf.linalg.svd(x, compute_uv=False), tf.abs(tf.linalg.qr(m).r)
tf.linalg.pinv(x)
tf.linalg.expm(m), tf.linalg.sqrtm(m), tf.linalg.logm(tf.cast(m, tf.complex64)), tf.linalg.matrix_rank(m)
tf.linalg.lstsq(m, tf.transpose(x))
tf.linalg.diag(v), tf.linalg.diag(x, k=1), tf.linalg.diag_part(m), tf.linalg.diag_part(m, k=1)
tf.linalg.set_diag(m, v), tf.linalg.band_part(m, 0, 1)
tf.linalg.tensor_diag(v), tf.linalg.tensor_diag_part(m), tf.linalg.cross(v, v + [1.0, 0.0, 2.0]), tf.linalg.eye(2)
tf.linalg.norm(x)
tf.norm(x, ord=1, axis=1), tf.norm(x, axis=0, keepdims=True), tf.linalg.norm(x, ord=3)
tf.linalg.norm(x, ord=1, axis=[0, 1]), tf.linalg.normalize(v)
tf.linalg.tridiagonal_solve(tf.constant([[1.0, 2.0, 0.0], [4.0, 5.0, 6.0], [0.0, 1.0, 2.0]]), v)
tf.linalg.l2_normalize(v)
tf.linalg.tridiagonal_matmul(tf.constant([[1.0, 2.0, 0.0], [4.0, 5.0, 6.0], [0.0, 1.0, 2.0]]), tf.transpose(x))
""",
    "nn": """
tf.nn.conv1d(sq, f1, 1, "SAME"), tf.nn.conv1d(sq, f1, 2, "VALID"), tf.nn.conv2d(im, f2, 1, "SAME")
tf.nn.conv2d(im, f2, [1, 2, 1, 1], "VALID")
tf.nn.conv2d(im, f2, 1, [[0, 0], [1, 2], [0, 1], [0, 0]]), tf.nn.conv2d(im, f2, 1, "SAME", dilations=2)
tf.nn.conv3d(vol, f3, [1, 1, 1, 1, 1], "SAME")
tf.nn.conv2d(im, tf.ones([2, 2, 3, 4]), 1, "SAME")
tf.nn.convolution(im, f2, padding="SAME"), tf.nn.atrous_conv2d(im, f2, 2, "SAME")
tf.nn.depthwise_conv2d(im, f2, [1, 1, 1, 1], "SAME")
tf.nn.separable_conv2d(im, f2, tf.ones([1, 1, 8, 3]), [1, 1, 1, 1], "VALID")
tf.nn.conv2d_transpose(im, tf.ones([2, 2, 3, 2]), [2, 10, 12, 3], 2)
tf.nn.conv1d_transpose(sq, tf.ones([3, 5, 2]), [2, 18, 5], 2)
tf.nn.conv3d_transpose(vol, tf.ones([2, 2, 2, 3, 2]), [1, 8, 10, 6, 3], 2)
tf.nn.max_pool2d(im, 2, 2, "SAME"), tf.nn.avg_pool2d(im, [2, 3], 1, "VALID"), tf.nn.max_pool1d(sq, 3, 2, "SAME")
tf.nn.avg_pool1d(sq, 2, 2, "VALID")
tf.nn.max_pool3d(vol, 2, 1, "SAME"), tf.nn.avg_pool3d(vol, 2, 2, "VALID"), tf.nn.max_pool(im, 2, 2, "VALID")
tf.nn.avg_pool(im, 3, 2, "SAME")
tf.nn.pool(im, [2, 2], "MAX", padding="SAME"), tf.nn.pool(im, [2, 2], "AVG", dilations=[2, 1])
tf.nn.bias_add(im, [1.0, 2.0]), tf.nn.lrn(im, 1), tf.nn.local_response_normalization(im, depth_radius=2, alpha=0.5)
tf.nn.batch_normalization(x, v, v, v, v, 1e-3), tf.nn.batch_normalization(x, v, v, None, None, 1e-3)
tf.nn.moments(x, [0]), tf.nn.moments(im, [0, 1, 2], keepdims=True)
tf.nn.weighted_moments(x, [0], [[1.0], [2.0]]), tf.nn.sufficient_statistics(x, [0])[:3]
tf.nn.normalize_moments(2.0, v, v * v, None)
tf.nn.embedding_lookup(m, [2, 0]), tf.nn.embedding_lookup(m, [[1]], max_norm=1.0)
tf.nn.softmax_cross_entropy_with_logits(tf.nn.softmax(y), x), tf.nn.sparse_softmax_cross_entropy_with_logits([2, 0], x)
tf.nn.sigmoid_cross_entropy_with_logits(labels=tf.cast(b, tf.float32), logits=x)
tf.nn.weighted_cross_entropy_with_logits(tf.cast(b, tf.float32), x, 2.0)
tf.nn.sigmoid_cross_entropy_with_logits(labels=v, logits=x)
tf.nn.log_poisson_loss(v, v, compute_full_loss=True), tf.nn.zero_fraction(x), tf.nn.in_top_k([0, 1], x, 2)
tf.nn.ctc_loss([[1, 2], [2, 1]], tf.reshape(tf.sin(tf.range(30.0)), [5, 2, 3]), [2, 1], [5, 4])
tf.nn.compute_average_loss(v), tf.nn.compute_average_loss(v, global_batch_size=6), tf.nn.scale_regularization_loss(v)
tf.nn.dropout(x, 0.0), tf.nn.dropout(x, 0.5).shape
tf.nn.dropout(x, 1.5)
""",
    "signal": """
tf.signal.fft(c), tf.signal.ifft(c), tf.signal.fft2d(c), tf.signal.ifft2d(c), tf.signal.rfft(s)
tf.signal.rfft(s, [16]), tf.signal.irfft(c, [3])
tf.signal.irfft(tf.signal.rfft(s)), tf.signal.rfft2d(s), tf.signal.irfft2d(tf.signal.rfft2d(s)), tf.signal.fftshift(s)
tf.signal.ifftshift(x, axes=1)
tf.signal.fft(x)
tf.signal.rfft3d(vol[0]), tf.signal.irfft3d(tf.signal.rfft3d(vol[0, :, :, :, :]))
tf.signal.dct(s), tf.signal.dct(s, type=3), tf.signal.dct(s, norm="ortho"), tf.signal.idct(s)
tf.signal.dct(s, type=1), tf.signal.dct(s, n=12)
tf.signal.hann_window(8), tf.signal.hamming_window(7, periodic=False), tf.signal.kaiser_window(6)
tf.signal.kaiser_bessel_derived_window(8), tf.signal.vorbis_window(8)
tf.signal.frame(s, 6, 4), tf.signal.frame(s, 6, 4, pad_end=True), tf.signal.frame(x, 2, 1, axis=0)
tf.signal.overlap_and_add(tf.signal.frame(s, 6, 4), 4)
tf.signal.stft(s, 8, 4), tf.signal.stft(s, 6, 3, fft_length=8, pad_end=True)
tf.signal.inverse_stft(tf.signal.stft(s, 8, 4), 8, 4)
tf.signal.inverse_stft(tf.signal.stft(s, 8, 4), 8, 4, window_fn=tf.signal.inverse_stft_window_fn(4))
tf.signal.mdct(s, 8), tf.signal.inverse_mdct(tf.signal.mdct(s, 8))
tf.signal.stft(s, 8, 4, window_fn=tf.signal.hamming_window), tf.signal.mdct(s, 8, window_fn=None, norm="ortho")
tf.signal.linear_to_mel_weight_matrix(5, 20), tf.signal.mfccs_from_log_mel_spectrograms(s)
""",
    "random": """
tf.random.stateless_uniform([3], [1, 2]), tf.random.stateless_uniform([2, 2], [7, 0], -1, 1)
tf.random.stateless_normal([5], [3, 4])
tf.random.stateless_uniform([4], [1, 2], 0, 10, tf.int32)
tf.random.stateless_uniform([3], [1, 2], None, None, tf.int32)
tf.random.uniform([2, 3]).shape, tf.random.uniform([2], maxval=5, dtype=tf.int32).dtype, tf.random.normal([3]).shape
tf.random.truncated_normal([2]).dtype
tf.random.uniform([2], dtype=tf.int32)
tf.random.shuffle(v).shape, tf.random.gamma([2], [1.0, 2.0]).shape, tf.random.poisson([3], 2.0).dtype
tf.random.categorical(x, 4).dtype
tf.random.split([1, 2]), tf.random.fold_in([1, 2], 3)
""",
    "control": """
tf.cond(v[0] > 0, lambda: x, lambda: y), tf.case([(v[0] > 5, lambda: x), (v[0] > 0, lambda: y)], default=lambda: x)
tf.switch_case(tf.constant(1), [lambda: x, lambda: y])
tf.while_loop(lambda n: n < 3, lambda n: [n + 1], [tf.constant(0)])
tf.while_loop(lambda n, a: n < 3, lambda n, a: (n + 1, a * 2), (0, x))
tf.while_loop(lambda n: n < 9, lambda n: [n + 1], [tf.constant(0)], maximum_iterations=4)
tf.cond(v[0] > 0, x, y)
tf.map_fn(lambda r: tf.reduce_sum(r), x)
tf.map_fn(lambda r: (r, r * 2), x, fn_output_signature=(tf.float32, tf.float32))
tf.vectorized_map(lambda r: r + 1, x)
tf.scan(lambda a, r: a + r, v), tf.scan(lambda a, r: a * r, v, initializer=2.0)
tf.scan(lambda a, r: a + r, v, reverse=True), tf.foldl(lambda a, r: a + r, v), tf.foldr(lambda a, r: a - r, v)
tf.nest.map_structure(lambda a: a + 1, {"one": x, "two": [v]}), tf.nest.flatten({"b": 1, "a": [2, 3]})
tf.nest.pack_sequence_as([1, (2,)], [3, 4]), tf.nest.is_nested([1])
tf.nest.assert_same_structure([1], [1, 2])
tf.debugging.assert_equal(x, x), tf.debugging.assert_positive(v), tf.debugging.assert_near(x, x)
tf.debugging.assert_rank(x, 2), tf.debugging.assert_integer(i)
tf.debugging.assert_equal(x, y)
tf.debugging.assert_rank(x, 1)
tf.debugging.assert_integer(x)
tf.debugging.check_numerics([1.0, float("inf")], "bad")
tf.is_tensor(x), tf.is_tensor([1]), tf.executing_eagerly(), tf.get_static_value(v), tf.rank(x)
tf.TensorSpec([None, 3]).is_compatible_with(x)
tf.zeros_initializer()([2]), tf.ones_initializer()([2], tf.float64), tf.constant_initializer(3.0)([2])
tf.function(lambda a: a + 1)(x)
tf.TensorArray(tf.float32, size=2).unstack(x).stack()
tf.TensorArray(tf.float32, 0, dynamic_size=True).write(0, v).concat()
tf.numpy_function(lambda a: a * 2, [x], tf.float32), tf.py_function(lambda a: a * 2, [x], tf.float32)
tf.grad_pass_through(tf.round)(x)
""",
}


def names() -> set[str]:
    """Return the dotted names of TensorFlow's functions that the expressions use."""
    found = set()
    for text in SAMPLES.values():
        for node in ast.walk(ast.parse(text)):
            path, here = [], node
            while isinstance(here, ast.Attribute):
                path.append(here.attr)
                here = here.value
            if path and isinstance(here, ast.Name) and here.id == "tf":
                found.add(".".join(reversed(path)))
    return found
