"""Boxes against loops in NumPy's double precision, written after the documentation of torchvision."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from standard.support import (
    FLOAT,
    Domain,
    array,
    arrays,
    be,
    check,
    covers,
    dtypes_of,
    examples,
    float_dtype,
    needs_derivatives,
    numpy_of,
)

import corearray as ca


def _overlap(one, other):
    """The shared area over that of both together."""
    sides = [min(one[i + 2], other[i + 2]) - max(one[i], other[i]) for i in (0, 1)]
    shared = max(sides[0], 0) * max(sides[1], 0)
    area = sum((box[2] - box[0]) * (box[3] - box[1]) for box in (one, other)) - shared
    return shared / area if area > 0 else 0.0


def _nms(boxes, scores, threshold, most, least):
    """One box after the other."""
    boxes = np.concatenate([np.minimum(boxes[:, :2], boxes[:, 2:]), np.maximum(boxes[:, :2], boxes[:, 2:])], 1)
    found = []
    for i in np.argsort(-scores, kind="stable"):
        if (least is None or scores[i] > least) and all(_overlap(boxes[i], boxes[j]) <= threshold for j in found):
            found.append(int(i))
    return found[:most]


@covers("nms")
@examples
@given(st.data(), dtypes_of(("int16", *FLOAT)))
def test_nms(data, dtype):
    count = data.draw(st.sampled_from((0, 6)))
    boxes = data.draw(arrays(dtype, (count, 4), Domain(0, 6, step=1.0)))
    scores = data.draw(arrays(dtype, (count,), Domain(-2, 3, step=1.0)))
    # no quotient of areas of whole numbers up to 36 is nearer to these
    options = {"iou_threshold": data.draw(st.sampled_from((0.0, 0.1201, 0.4901, 1.0)))}
    most, least = data.draw(st.sampled_from((None, 2))), data.draw(st.sampled_from((None, 0.0)))
    if most is not None:
        options["max_output_size"] = most
    if least is not None:
        options["score_threshold"] = least
    want = _nms(boxes.astype("float64"), scores.astype("float64"), options["iou_threshold"], most, least)
    check(("nms", boxes, scores, options), be.nms(array(boxes), array(scores), **options), np.asarray(want, "int64"))


@covers("nms")
@pytest.mark.parametrize("dtypes", [("float32", "float64"), ("float64", "float32"), ("float32", "int32")])
def test_nms_of_several_dtypes(dtypes):
    """A native function is asked whether it takes the dtype to which both are promoted."""
    boxes = np.asarray([[0, 0, 2, 2], [0, 0, 2, 1.75], [3, 3, 4, 4]], dtypes[0])
    scores = np.asarray([1, 3, 2], dtypes[1])
    check(("nms", dtypes), be.nms(array(boxes), array(scores)), np.asarray([1, 2]))


@covers("nms")
def test_a_chain_of_boxes():
    """Each overlaps the next: every second one is left out, and whether it is depends on all before."""
    start = np.arange(40.0)
    boxes = np.stack([start, 0 * start, start + 2, 0 * start + 1], 1).astype("float32")
    scores = np.linspace(1, 0, 40).astype("float32")
    check("nms", be.nms(array(boxes), array(scores), iou_threshold=0.3), np.arange(0, 40, 2))
    check("nms", be.nms(array(boxes[::-1].copy()), array(scores), iou_threshold=0.3), np.arange(0, 40, 2))


def _value(image, y, x):
    """Bilinear interpolation; zero more than 1 beyond an edge."""
    height, width = image.shape[-2:]
    if y < -1 or y > height or x < -1 or x > width:
        return np.zeros(image.shape[0])
    y, x = min(max(y, 0), height - 1), min(max(x, 0), width - 1)
    top, left = int(y), int(x)
    down, right = min(top + 1, height - 1), min(left + 1, width - 1)
    upper = image[:, top, left] * (1 - x + left) + image[:, top, right] * (x - left)
    lower = image[:, down, left] * (1 - x + left) + image[:, down, right] * (x - left)
    return upper * (1 - y + top) + lower * (y - top)


def _roi_align(x, boxes, size, scale, ratio, aligned):
    found = np.zeros((len(boxes), x.shape[1], *size))
    for k, box in enumerate(boxes):
        x1, y1, x2, y2 = box[1:] * scale - 0.5 * aligned
        spans = [y2 - y1, x2 - x1] if aligned else [max(y2 - y1, 1.0), max(x2 - x1, 1.0)]
        counts = [ratio if ratio > 0 else math.ceil(span / n) for span, n in zip(spans, size, strict=True)]
        for p in range(size[0]):
            for q in range(size[1]):
                for i in range(counts[0]):
                    for j in range(counts[1]):
                        y = y1 + (p + (i + 0.5) / counts[0]) * spans[0] / size[0]
                        z = x1 + (q + (j + 0.5) / counts[1]) * spans[1] / size[1]
                        found[k, :, p, q] += _value(x[int(box[0])], y, z) / (counts[0] * counts[1])
    return found


#: The number of the image and corners, within the image of 5 by 4, over its edges, beyond it, and without area.
_BOXES = np.asarray(
    [[0, 0.5, 0.25, 3.5, 2.75], [1, -1.5, -2.0, 2.25, 1.0], [0, 6.0, 5.0, 8.0, 7.0], [1, 1.0, 2.0, 1.0, 2.0]]
)


@covers("roi_align")
@examples
@given(st.data(), dtypes_of(("int32", *FLOAT)))
def test_roi_align(data, dtype):
    options = {"output_size": (2, 3), "spatial_scale": 0.75, "aligned": data.draw(st.booleans())}
    options["sampling_ratio"] = data.draw(st.sampled_from((-1, 2)))
    x = data.draw(arrays(dtype, (2, 2, 5, 4), Domain(-9, 9)))
    boxes = _BOXES.astype(float_dtype(dtype))
    want = _roi_align(x.astype("float64"), _BOXES, options["output_size"], options["spatial_scale"],
                      options["sampling_ratio"], options["aligned"])  # fmt: skip
    got = be.roi_align(array(x), array(boxes), **options)
    check(("roi_align", x, options), got, want, float_dtype(dtype), factor=10, scale=10.0)


@covers("roi_align")
def test_roi_align_of_no_boxes():
    assert be.roi_align(be.zeros((1, 2, 3, 3)), be.zeros((0, 5)), output_size=2).shape == (0, 2, 2, 2)
    x = array(np.arange(9.0).reshape(1, 1, 3, 3))
    got = be.roi_align(x, array(np.asarray([[0.0, 0.0, 0.0, 3.0, 3.0]])), output_size=3, aligned=True)
    check("roi_align", got, np.arange(9.0).reshape(1, 1, 3, 3))


@covers("roi_align")
@needs_derivatives
def test_derivatives_of_roi_align():
    """Linear in the image: its derivative is the transpose. In the boxes against differences."""
    rng = np.random.default_rng(1)
    x, push = rng.normal(size=(2, 1, 5, 4)), rng.normal(size=(2, 1, 2, 2))

    def loss(x, boxes):
        return ca.sum(ca.roi_align(x, boxes, output_size=2, sampling_ratio=2) * array(push))

    boxes = _BOXES[:2] + 0.01
    with ca.backend_context(be):
        of_x, of_boxes = ca.grad(loss, argnums=(0, 1))(array(x), array(boxes))
    want = np.zeros_like(x)
    for place in np.ndindex(x.shape):
        unit = np.zeros_like(x)
        unit[place] = 1.0
        want[place] = np.sum(_roi_align(unit, boxes, (2, 2), 1.0, 2, False) * push)
    np.testing.assert_allclose(numpy_of(of_x), want, rtol=1e-9, atol=1e-9)
    for place in [(k, i) for k in range(2) for i in range(1, 5)]:
        ways = []
        for step in (1e-6, -1e-6):
            moved = boxes.copy()
            moved[place] += step
            ways.append(np.sum(_roi_align(x, moved, (2, 2), 1.0, 2, False) * push))
        np.testing.assert_allclose(numpy_of(of_boxes)[place], (ways[0] - ways[1]) / 2e-6, rtol=1e-5, atol=1e-6)


def test_what_are_no_boxes():
    boxes, scores = be.zeros((3, 4)), be.zeros(3)
    for args, options in (
        ((boxes, be.zeros(2)), {}),
        ((be.zeros((3, 5)), scores), {}),
        ((boxes, scores), {"iou_threshold": 1.5}),
        ((boxes, scores), {"max_output_size": -1}),
    ):
        with pytest.raises(ValueError, match="'nms'"):
            be.nms(*args, **options)
    x = be.zeros((1, 1, 3, 3))
    for args, size in (((x, boxes), 2), ((be.zeros((3, 3)), be.zeros((2, 5))), 2), ((x, be.zeros((2, 5))), 0)):
        with pytest.raises(ValueError, match="'roi_align'"):
            be.roi_align(*args, output_size=size)
