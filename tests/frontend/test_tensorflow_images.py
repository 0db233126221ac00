"""Programs of TensorFlow with images, segments, lists that grow and special functions, compared with TensorFlow."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("tensorflow", reason="TensorFlow is the source")

import tensorflow as tf

import corearray as ca

RANDOM = np.random.default_rng(3)


def array(*shape):
    return RANDOM.normal(size=shape).astype(np.float32)


X, LINE, SQUARE, IMAGES, VOLUMES = array(4, 5), array(6), array(4, 4), array(2, 8, 8, 3), array(1, 4, 5, 6, 2)
POSITIVE, DEFINITE = np.abs(LINE) + 0.3, SQUARE @ SQUARE.T + 4 * np.eye(4, dtype=np.float32)
SHADES = np.abs(IMAGES) / np.abs(IMAGES).max()
CROPS = np.array([[0, 0, 0.5, 0.5], [0.1, 0.2, 0.9, 1.1], [0.3, 0.3, 0.3, 0.6]], np.float32)
BOXES = np.array([[0, 0, 1, 1], [0, 0, 1, 0.9], [2, 2, 3, 3], [0, 0.5, 1, 1.5]], np.float32)
SCORES = [0.9, 0.8, 0.7, 0.6]
VIEWS = np.array([[1, 0.1, -1, 0.05, 0.9, 0.5, 0.001, 0.002], [0.8, -0.1, 1.5, 0.1, 1.1, -2, 0, 0]], np.float32)
PROGRAMS = {}


def program(name, *args):
    def named(function):
        PROGRAMS[name] = function, args
        return function

    return named


def slope(name, function, *args):
    """Add the program of a derivative."""

    def derivative(*xs):
        with tf.GradientTape() as tape:
            for x in xs:
                tape.watch(x)
            total = tf.reduce_sum(function(*xs) ** 2)
        return tape.gradient(total, xs)

    PROGRAMS[name] = derivative, args


for method in ("bilinear", "bicubic", "nearest", "area", "lanczos3", "lanczos5", "gaussian", "mitchellcubic"):
    program(f"resized, {method}", IMAGES)(lambda x, m=method: tf.image.resize(x, (5, 13), m))
for method in ("bilinear", "bicubic", "lanczos3"):
    program(f"made smaller, {method}", IMAGES)(lambda x, m=method: tf.image.resize(x, (3, 5), m, antialias=True))
    slope(f"slopes of {method}", lambda x, m=method: tf.image.resize(x, (5, 13), m), IMAGES)
slope("slopes of nearest", lambda x: tf.image.resize(x, (5, 13), "nearest"), IMAGES)
slope("slopes, corners aligned", lambda x: tf.compat.v1.image.resize_bilinear(x, (5, 3), align_corners=True), IMAGES)
for method in ("bilinear", "nearest"):
    program(f"cropped, {method}", IMAGES)(
        lambda x, m=method: tf.image.crop_and_resize(x, CROPS, [0, 1, 1], (3, 1), m, -7.0)
    )
    slope(
        f"slopes of crops, {method}",
        lambda x, m=method: tf.image.crop_and_resize(x, CROPS, [0, 1, 1], (3, 5), m),
        IMAGES,
    )
for fill in ("CONSTANT", "NEAREST", "REFLECT", "WRAP"):
    for method in ("NEAREST", "BILINEAR"):
        program(f"projected, {fill}, {method}", IMAGES)(
            lambda x, m=method, f=fill: tf.raw_ops.ImageProjectiveTransformV3(
                images=x, transforms=VIEWS, output_shape=[7, 9], fill_value=0.3, interpolation=m, fill_mode=f
            )
        )


@program("colours", SHADES)
def colours(x):
    return [
        tf.image.rgb_to_hsv(x), tf.image.hsv_to_rgb(tf.image.rgb_to_hsv(x)), tf.image.adjust_hue(x, 0.3),
        tf.image.adjust_saturation(x, 0.5), tf.image.adjust_contrast(x, 2.0), tf.image.adjust_brightness(x, 0.2),
        tf.image.rgb_to_grayscale(x), tf.image.per_image_standardization(x),
    ]  # fmt: skip


@program("windows", IMAGES, VOLUMES)
def windows(x, volumes):
    return [
        tf.image.extract_patches(x, [1, 2, 3, 1], [1, 1, 2, 1], [1, 2, 1, 1], "SAME"),
        tf.extract_volume_patches(volumes, [1, 2, 2, 3, 1], [1, 1, 2, 1, 1], "SAME"),
        *tf.nn.max_pool_with_argmax(x, 2, 2, "VALID"),
        *tf.nn.max_pool_with_argmax(x, 3, 2, "SAME", output_dtype=tf.int32, include_batch_in_index=True),
        tf.nn.dilation2d(x, tf.ones((3, 2, 3)), [1, 2, 1, 1], "VALID", "NHWC", [1, 2, 1, 1]),
    ]


slope(
    "slopes of patches",
    lambda x: tf.image.extract_patches(x, [1, 3, 3, 1], [1, 2, 2, 1], [1, 1, 1, 1], "VALID"),
    IMAGES,
)
slope("slopes of maxima with places", lambda x: tf.nn.max_pool_with_argmax(x, 3, 2, "SAME")[0], IMAGES)
slope("slopes of means over volumes", lambda x: tf.nn.avg_pool3d(x, 2, 2, "SAME"), VOLUMES)
slope("slopes of neighbouring channels", lambda x: tf.nn.local_response_normalization(x, 2, 1.0, 0.7, 0.6), IMAGES)
for mode in ("REFLECT", "SYMMETRIC"):
    slope(
        f"slopes of mirrors, {mode}",
        lambda x, m=mode: tf.pad(x, [[1, 2], [2, 0]], m) * tf.reshape(tf.range(49.0), (7, 7)),
        X,
    )


@program("drawings", IMAGES)
def drawings(x):
    boxes = tf.constant([[[0.1, 0.2, 0.7, 0.9], [-0.5, 0.5, 0.6, 1.2], [0.9, 0.1, 0.2, 0.8]]] * x.shape[0])
    return [
        tf.image.draw_bounding_boxes(x, boxes, None),
        tf.image.draw_bounding_boxes(x, boxes, [[0.5, 0.25, 0.75, 1.0], [0.1, 0.2, 0.3, 0.4]]),
        *[
            tf.image.extract_glimpse(x, (3, 4), [[0.5, -0.8]] * x.shape[0], centered, normalized, "zero")
            for centered in (True, False)
            for normalized in (True, False)
        ],
    ]


@program("boxes", BOXES)
def boxes(x):
    padded = tf.raw_ops.NonMaxSuppressionV4(
        boxes=x, scores=SCORES, max_output_size=3, iou_threshold=0.3, score_threshold=0.65, pad_to_max_output_size=True
    )
    return [
        tf.image.non_max_suppression(x, SCORES, 3, 0.3),
        *padded,
        *tf.image.non_max_suppression_with_scores(x, SCORES, 3, 0.3),
    ]


@program("segments", X)
def segments(x):
    names = ("sum", "mean", "max", "min", "prod")
    return [getattr(tf.math, f"segment_{name}")(x, [0, 0, 1, 3]) for name in names] + [
        tf.histogram_fixed_width(x, [-1.0, 1.0], 7)
    ]


slope(
    "slopes of segments",
    lambda x: tf.math.segment_max(x, [0, 0, 1, 1]) + tf.math.unsorted_segment_sum(x, [1, 0, 1, 1], 2),
    X,
)


@program("matrices", DEFINITE, X)
def matrices(square, x):
    diagonals = tf.stack([x[0] * 0.1, tf.ones(5) * 4, x[1] * 0.1])
    return [
        tf.linalg.tridiagonal_solve(diagonals, tf.transpose(x)),
        tf.linalg.tridiagonal_matmul((x[0], x[1], x[2]), tf.transpose(x), "sequence"),
        tf.sort(tf.math.real(tf.linalg.eigvals(square))), tf.sort(tf.abs(tf.linalg.eig(square)[1]), 1),
        *tf.linalg.lu(square), tf.linalg.lstsq(square, x), tf.linalg.lstsq(square, x, fast=False), tf.linalg.sqrtm(square),
    ]  # fmt: skip


@program("special functions", POSITIVE)
def special(x):
    of = tf.math.special
    return [
        of.bessel_j0(x), of.bessel_j1(x), of.bessel_k0(x), of.bessel_k1(x), of.bessel_k0e(x), of.bessel_k1e(x),
        of.dawsn(x), of.expint(x), of.fresnel_cos(x), of.fresnel_sin(x), of.spence(x),
        tf.math.betainc(x + 1, x * 2, tf.sigmoid(x)),
    ]  # fmt: skip


def rows(values, splits=(0, 2, 2, 5, 6)):
    return tf.RaggedTensor.from_row_splits(values, tf.constant(splits, tf.int64))


@program("ragged tensors", LINE)
def ragged(x):
    of = rows(x)
    nested = tf.RaggedTensor.from_row_splits(rows(x), [0, 1, 4])
    return [
        of.to_tensor(-1.0), of.to_tensor(shape=[None, 2]), nested.to_tensor(), of[:, :2].to_tensor(),
        tf.reduce_sum(of, 1), tf.reduce_mean(nested, [1, 2]), tf.gather(of, [3, 0, 0]).to_tensor(),
        tf.gather(nested, [1, 0]).to_tensor(), tf.gather(of, [[3, 0], [1, 2]]).to_tensor(), tf.exp(of) * 2.0,
        tf.concat([of, rows(x * 2)], 1).to_tensor(), tf.ragged.range([2, 0, 5], [5, 3, 1], [1, 1, -2]).to_tensor(),
    ]  # fmt: skip


@program("rows that elements decide", X)
def rows_by_elements(x):
    masked = tf.ragged.boolean_mask(x, x > 0)
    return masked.to_tensor(), masked.row_lengths(), tf.RaggedTensor.from_tensor(x, padding=0.0).to_tensor()


slope("slopes of padded rows", lambda x: rows(x).to_tensor(), LINE)


@program("bits", LINE)
def bits(x):
    return [
        tf.bitcast(x, tf.uint8),
        tf.bitcast(tf.bitcast(x, tf.int16), tf.float32),
        tf.bitcast(tf.cast(x, tf.float64), tf.int32),
    ]


@program("a list that grows", X)
@tf.function
def grows(x):
    made = tf.TensorArray(tf.float32, size=0, dynamic_size=True)
    for i in tf.range(tf.shape(x)[0]):
        made = made.write(i, x[i] * tf.cast(i, tf.float32))
    return made.stack()


@program("a list that grows while elements say so", POSITIVE)
@tf.function
def grows_by_elements(x):
    made = tf.TensorArray(tf.float32, size=0, dynamic_size=True)
    i = 0
    while tf.reduce_sum(x) > 1.0:
        x = x * 0.5
        made = made.write(i, x)
        i += 1
    return made.stack(), x


slope(
    "slopes of a loop",
    lambda x: tf.while_loop(lambda i, s: i < 4, lambda i, s: (i + 1, tf.sin(s) * x), (0, x))[1],
    LINE,
)
slope(
    "slopes of a loop by elements",
    lambda x: tf.while_loop(lambda s: tf.reduce_sum(s) < 30.0, lambda s: (s * 2.0 * x + s,), (x,))[0],
    POSITIVE,
)
slope("slopes of a scan", lambda x: tf.scan(lambda a, b: tf.tanh(a + b), x), X)
slope("slopes of a map", lambda x: tf.map_fn(lambda row: row * tf.reduce_sum(row), x), X)


def tensors(result):
    """Return the tensors of a result: the values and row splits of a ragged one, and slopes of rows as a whole."""
    ragged = isinstance(result, tf.RaggedTensor)
    return tf.nest.flatten(result, expand_composites=True) if ragged else [tf.convert_to_tensor(result)]


def leaves(tree):
    """Return arrays in TensorFlow's order: of a ragged tensor the values come first."""
    if isinstance(tree, dict):
        return [*leaves(tree["values"]), *leaves(tree["row_splits"])]
    return [x for item in tree for x in leaves(item)] if isinstance(tree, (tuple, list)) else [tree]


@pytest.mark.parametrize("name", PROGRAMS)
def test_values(name, target):
    function, args = PROGRAMS[name]
    wanted = [x for item in tf.nest.flatten(function(*map(tf.constant, args))) for x in tensors(item)]
    found = leaves(ca.transpile(function, *args, to=target, source="tensorflow")(*args))
    for mine, theirs in zip(found, wanted, strict=True):
        theirs = theirs.numpy()
        mine = ca.to_numpy(ca.asarray(mine))
        assert mine.dtype == theirs.dtype
        assert mine.shape == theirs.shape
        scale = np.nanmax(np.abs(theirs), initial=1.0)
        np.testing.assert_allclose(mine, theirs, rtol=0, atol=2e-5 * scale)


def test_a_condition_on_none_is_no_shape():
    """Shapes that TensorFlow does not know while it reads the program are those of the arrays that arrive."""
    function, args = PROGRAMS["slopes of segments"]
    transpiled = ca.transpile(function, *args, to="numpy", source="tensorflow")
    assert "BroadcastGradientArgs" in transpiled.source
