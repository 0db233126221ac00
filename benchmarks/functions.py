"""What heavy functions cost on arrays of realistic sizes, against the best way of the framework itself.

    python -m benchmarks.functions --backend torch --markdown functions.md

The framework's way is written by hand below: its own function if it has one, compiled by `jax.jit` on JAX, else what an
expert would write. A function that a backend computes natively should cost no more than 1.05 times as much, one that is
composed no more than twice.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.known import Excess, known
from benchmarks.timing import Timing, in_child, looped, machine, measure, numbered_table

#: The greatest ratios to the framework's own way, of what is native and what is composed.
LIMITS = {"native": 1.05, "composed": 2.0}


class Case(NamedTuple):
    """A call of one of corearray's functions, and what the frameworks' users write.

    Attributes
    ----------
    arrays
        Shapes by name, of normal numbers in float32; a string such as `"1000x2 in 50"` stands for an array of
        integers below 50, and `"1000x2 of bool"` for one of truth values.
    call
        The call, of a function of the namespace of native arrays.
    written
        By backend, the framework's own way.
    """

    arrays: dict[str, Any]
    call: str
    written: dict[str, str]


#: As in the middle of a network for images. Arrays are so large that most calls take the framework 0.1 ms and more: what a call
#: costs in Python is measured by `benchmarks.overhead`.
_IMAGES = {"x": (8, 32, 56, 56)}
_CHANNELS_LAST = {"x": (8, 56, 56, 32)}
_MATRICES = {"m": (8, 128, 128)}
_GATES = {
    "x": (16, 50, 64),
    "w": [(256, 64), (256, 64), (256,), (256,)],
    "h": (1, 16, 64),
}

CASES = {
    "conv1d": Case(
        {"x": (8, 32, 1024), "w": (64, 32, 5)},
        "conv1d(x, w)",
        {
            "numpy": "np.matmul(w.reshape(64, -1), windows(x, 5, 2).transpose(0, 1, 3, 2).reshape(8, 160, -1))",
            "torch": "F.conv1d(x, w)",
            "jax": "lax.conv_general_dilated(x, w, (1,), 'VALID')",
        },
    ),
    "conv2d": Case(
        {**_IMAGES, "w": (64, 32, 3, 3)},
        "conv2d(x, w, padding=1)",
        {
            "numpy": "np.matmul(w.reshape(64, -1), columns(np.pad(x, ((0, 0), (0, 0), (1, 1), (1, 1)))))"
            ".reshape(8, 64, 56, 56)",
            "torch": "F.conv2d(x, w, padding=1)",
            "jax": "lax.conv_general_dilated(x, w, (1, 1), ((1, 1), (1, 1)))",
        },
    ),
    "conv2d, channels last": Case(
        {**_CHANNELS_LAST, "w": (3, 3, 32, 64)},
        "conv2d(x, w, padding='same', data_format='channels_last', filter_format='channels_last')",
        {
            "jax": "lax.conv_general_dilated(x, w, (1, 1), 'SAME', dimension_numbers=('NHWC', 'HWIO', 'NHWC'))",
            "tensorflow": "tf.nn.conv2d(x, w, 1, 'SAME')",
        },
    ),
    "depthwise_conv2d": Case(
        {**_IMAGES, "w": (32, 1, 3, 3)},
        "conv2d(x, w, padding=1, groups=32)",
        {
            "torch": "F.conv2d(x, w, padding=1, groups=32)",
            "jax": "lax.conv_general_dilated(x, w, (1, 1), ((1, 1), (1, 1)), feature_group_count=32)",
        },
    ),
    "conv3d": Case(
        {"x": (2, 8, 16, 16, 16), "w": (16, 8, 3, 3, 3)},
        "conv3d(x, w)",
        {"torch": "F.conv3d(x, w)", "jax": "lax.conv_general_dilated(x, w, (1, 1, 1), 'VALID')"},
    ),
    "conv2d_transpose": Case(
        {**_IMAGES, "w": (32, 16, 3, 3)},
        "conv2d_transpose(x, w, strides=2)",
        {
            "torch": "F.conv_transpose2d(x, w, stride=2)",
            "jax": "lax.conv_transpose(x, w, (2, 2), 'VALID', dimension_numbers=('NCHW', 'IOHW', 'NCHW'))",
        },
    ),
    "max_pool2d": Case(
        _IMAGES,
        "max_pool2d(x, 2)",
        {
            "numpy": "x.reshape(8, 32, 28, 2, 28, 2).max((3, 5))",
            "torch": "F.max_pool2d(x, 2)",
            "jax": "lax.reduce_window(x, -jnp.inf, lax.max, (1, 1, 2, 2), (1, 1, 2, 2), 'VALID')",
        },
    ),
    "max_pool2d, channels last": Case(
        _CHANNELS_LAST,
        "max_pool2d(x, 2, data_format='channels_last')",
        {
            "jax": "lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), 'VALID')",
            "tensorflow": "tf.nn.max_pool2d(x, 2, 2, 'VALID')",
        },
    ),
    "avg_pool2d, channels last": Case(
        _CHANNELS_LAST,
        "avg_pool2d(x, 2, data_format='channels_last')",
        {
            "jax": "lax.reduce_window(x, 0., lax.add, (1, 2, 2, 1), (1, 2, 2, 1), 'VALID') / 4",
            "tensorflow": "tf.nn.avg_pool2d(x, 2, 2, 'VALID')",
        },
    ),
    "avg_pool2d": Case(
        _IMAGES,
        "avg_pool2d(x, 3, strides=2)",
        {
            "numpy": "windows(x, (3, 3), (2, 3))[:, :, ::2, ::2].mean((4, 5))",
            "torch": "F.avg_pool2d(x, 3, 2)",
            "jax": "lax.reduce_window(x, 0., lax.add, (1, 1, 3, 3), (1, 1, 2, 2), 'VALID') / 9",
        },
    ),
    "adaptive_avg_pool2d": Case(
        _IMAGES,
        "adaptive_avg_pool2d(x, 7)",
        {"torch": "F.adaptive_avg_pool2d(x, 7)"},
    ),
    "interpolate, bilinear": Case(
        {"x": (8, 64, 64, 3)},
        "interpolate(x, size=(128, 128), mode='bilinear', data_format='channels_last')",
        {
            "jax": "jax.image.resize(x, (8, 128, 128, 3), 'bilinear')",
            "tensorflow": "tf.image.resize(x, (128, 128))",
        },
    ),
    "interpolate, bicubic": Case(
        {"x": (8, 3, 64, 64)},
        "interpolate(x, size=(128, 128), mode='bicubic')",
        {"torch": "F.interpolate(x, (128, 128), mode='bicubic')"},
    ),
    "scaled_dot_product_attention": Case(
        {"q": (4, 8, 128, 64), "k": (4, 8, 128, 64), "v": (4, 8, 128, 64)},
        "scaled_dot_product_attention(q, k, v, is_causal=True)",
        {
            "numpy": "attention(q, k, v)",
            "torch": "F.scaled_dot_product_attention(q, k, v, is_causal=True)",
            "jax": "jnp.swapaxes(jax.nn.dot_product_attention(*(jnp.swapaxes(x, 1, 2) for x in (q, k, v)), "
            "is_causal=True), 1, 2)",
            "tensorflow": "attention(q, k, v)",
        },
    ),
    "linear": Case(
        {"x": (256, 512), "w": (1024, 512), "b": (1024,)},
        "linear(x, w, bias=b)",
        {
            "numpy": "x @ w.T + b",
            "torch": "F.linear(x, w, b)",
            "jax": "x @ w.T + b",
            "tensorflow": "tf.linalg.matmul(x, w, transpose_b=True) + b",
        },
    ),
    "embedding": Case(
        {"i": "8192 in 30000", "w": (30000, 256)},
        "embedding(i, w)",
        {"numpy": "w[i]", "torch": "F.embedding(i, w)", "jax": "jnp.take(w, i, 0)", "tensorflow": "tf.gather(w, i)"},
    ),
    "lstm": Case(
        _GATES,
        "lstm(x, w, initial_h=h, initial_c=h)",
        {"torch": "torch.lstm(x, (h, h), w, True, 1, 0.0, False, False, True)", "jax": "lstm(x, w, h)"},
    ),
    "layer_norm": Case(
        {"x": (64, 128, 256), "w": (256,), "b": (256,)},
        "layer_norm(x, weight=w, bias=b)",
        {
            "numpy": "(x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + 1e-5) * w + b",
            "torch": "F.layer_norm(x, (256,), w, b)",
            "jax": "(x - x.mean(-1, keepdims=True)) * lax.rsqrt(x.var(-1, keepdims=True) + 1e-5) * w + b",
            "tensorflow": "tf.nn.batch_normalization(x, *tf.nn.moments(x, -1, keepdims=True), b, w, 1e-5)",
        },
    ),
    "softmax": Case(
        {"x": (2048, 1024)},
        "softmax(x)",
        {
            "numpy": "(lambda e: e / e.sum(-1, keepdims=True))(np.exp(x - x.max(-1, keepdims=True)))",
            "torch": "F.softmax(x, -1)",
            "jax": "jax.nn.softmax(x)",
            "tensorflow": "tf.nn.softmax(x)",
        },
    ),
    "gelu": Case(
        {"x": (2048, 1024)},
        "gelu(x)",
        {
            "numpy": "x * (0.5 + 0.5 * scipy.special.erf(x * 0.5**0.5))",
            "torch": "F.gelu(x)",
            "jax": "jax.nn.gelu(x, approximate=False)",
            "tensorflow": "tf.nn.gelu(x)",
        },
    ),
    "sparse_cross_entropy": Case(
        {"x": (512, 1000), "i": "512 in 1000"},
        "sparse_cross_entropy(x, i)",
        {
            "torch": "F.cross_entropy(x, i)",
            "jax": "-jnp.mean(jnp.take_along_axis(jax.nn.log_softmax(x), i[:, None], 1))",
            "tensorflow": "tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(i, x))",
        },
    ),
    "matmul": Case(
        {"x": (512, 512), "y": (512, 512)},
        "matmul(x, y)",
        {"numpy": "x @ y", "torch": "x @ y", "jax": "x @ y", "tensorflow": "x @ y"},
    ),
    "einsum": Case(
        {"x": (64, 128, 128), "y": (64, 128, 128)},
        "einsum('bij,bkj->bik', x, y)",
        {
            "numpy": "x @ y.swapaxes(1, 2)",
            "torch": "torch.einsum('bij,bkj->bik', x, y)",
            "jax": "jnp.einsum('bij,bkj->bik', x, y)",
            "tensorflow": "tf.linalg.matmul(x, y, transpose_b=True)",
        },
    ),
    "svd": Case(
        _MATRICES,
        "linalg.svd(m, full_matrices=False)",
        {
            "numpy": "np.linalg.svd(m, full_matrices=False)",
            "torch": "torch.linalg.svd(m, full_matrices=False)",
            "jax": "jnp.linalg.svd(m, full_matrices=False)",
            "tensorflow": "tf.linalg.svd(m)",
        },
    ),
    "qr": Case(
        _MATRICES,
        "linalg.qr(m)",
        {
            "numpy": "np.linalg.qr(m)",
            "torch": "torch.linalg.qr(m)",
            "jax": "jnp.linalg.qr(m)",
            "tensorflow": "tf.linalg.qr(m)",
        },
    ),
    "solve": Case(
        {**_MATRICES, "b": (8, 128, 16)},
        "linalg.solve(m, b)",
        {
            "numpy": "np.linalg.solve(m, b)",
            "torch": "torch.linalg.solve(m, b)",
            "jax": "jnp.linalg.solve(m, b)",
            "tensorflow": "tf.linalg.solve(m, b)",
        },
    ),
    "matrix_exp": Case(
        _MATRICES,
        "linalg.matrix_exp(m)",
        {
            "numpy": "scipy.linalg.expm(m)",
            "torch": "torch.linalg.matrix_exp(m)",
            "jax": "jax.scipy.linalg.expm(m, max_squarings=48)",
            "tensorflow": "tf.linalg.expm(m)",
        },
    ),
    "fft": Case(
        {"x": (256, 4096)},
        "fft.rfft(x)",
        {
            "numpy": "np.fft.rfft(x)",
            "torch": "torch.fft.rfft(x)",
            "jax": "jnp.fft.rfft(x)",
            "tensorflow": "tf.signal.rfft(x)",
        },
    ),
    "fftn": Case(
        {"x": (16, 256, 256)},
        "fft.rfftn(x, axes=(1, 2))",
        {
            "numpy": "np.fft.rfft2(x)",
            "torch": "torch.fft.rfft2(x)",
            "jax": "jnp.fft.rfft2(x)",
            "tensorflow": "tf.signal.rfft2d(x)",
        },
    ),
    "sort": Case(
        {"x": (100, 10000)},
        "sort(x)",
        {
            "numpy": "np.sort(x, kind='stable')",
            "torch": "torch.sort(x, stable=True)[0]",
            "jax": "jnp.sort(x)",
            "tensorflow": "tf.sort(x)",
        },
    ),
    "argsort": Case(
        {"x": (10, 10000)},
        "argsort(x)",
        {
            "numpy": "np.argsort(x, kind='stable')",
            "torch": "torch.argsort(x, stable=True)",
            "jax": "jnp.argsort(x)",
            "tensorflow": "tf.argsort(x, stable=True)",
        },
    ),
    "top_k": Case(
        {"x": (32, 50257)},
        "top_k(x, 50)",
        {"torch": "torch.topk(x, 50)", "jax": "lax.top_k(x, 50)", "tensorflow": "tf.math.top_k(x, 50)"},
    ),
    "searchsorted": Case(
        {"x": (100000,), "y": (10000,)},
        "searchsorted(y, x)",
        {"numpy": "np.searchsorted(y, x)", "torch": "torch.searchsorted(y, x)", "jax": "jnp.searchsorted(y, x)"},
    ),
    "take": Case(
        {"x": (50000, 128), "i": "20000 in 50000"},
        "take(x, i, axis=0)",
        {
            "numpy": "np.take(x, i, 0)",
            "torch": "torch.index_select(x, 0, i)",
            "jax": "jnp.take(x, i, 0)",
            "tensorflow": "tf.gather(x, i)",
        },
    ),
    "gather_nd": Case(
        {"x": (1000, 1000), "i": "200000x2 in 1000"},
        "gather_nd(x, i)",
        {
            "numpy": "x[i[:, 0], i[:, 1]]",
            "torch": "x[i[:, 0], i[:, 1]]",
            "jax": "x[i[:, 0], i[:, 1]]",
            "tensorflow": "tf.gather_nd(x, i)",
        },
    ),
    "scatter_nd": Case(
        {"x": (10000, 64), "i": "50000x1 in 10000", "y": (50000, 64)},
        "scatter_nd(i, y, base=x)",
        {
            "torch": "x.index_add(0, i[:, 0], y)",
            "jax": "x.at[i[:, 0]].add(y)",
            "tensorflow": "tf.tensor_scatter_nd_add(x, i, y)",
        },
    ),
    "scatter_along_axis": Case(
        {"x": (1000, 1000), "i": "1000x500 in 1000", "y": (1000, 500)},
        "scatter_along_axis(x, i, y, axis=1)",
        {"torch": "x.scatter(1, i, y)", "jax": "jnp.put_along_axis(x, i, y, 1, inplace=False)"},
    ),
    "unsorted_segment_sum": Case(
        {"x": (50000, 64), "i": "50000 in 1000"},
        "unsorted_segment_sum(x, i, 1000)",
        {
            "numpy": "added(x, i)",
            "torch": "torch.zeros(1000, 64).index_add_(0, i, x)",
            "jax": "jax.ops.segment_sum(x, i, 1000)",
            "tensorflow": "tf.math.unsorted_segment_sum(x, i, 1000)",
        },
    ),
    "cumulative_sum": Case(
        {"x": (1000, 1000)},
        "cumulative_sum(x, axis=1)",
        {
            "numpy": "np.cumsum(x, 1)",
            "torch": "torch.cumsum(x, 1)",
            "jax": "jnp.cumsum(x, 1)",
            "tensorflow": "tf.cumsum(x, 1)",
        },
    ),
    "var": Case(
        {"x": (2000, 2000)},
        "var(x, axis=0)",
        {
            "numpy": "np.var(x, 0)",
            "torch": "torch.var(x, 0, correction=0)",
            "jax": "jnp.var(x, 0)",
            "tensorflow": "tf.math.reduce_variance(x, 0)",
        },
    ),
    "median": Case(
        {"x": (100, 10000)},
        "median(x, axis=1)",
        {"numpy": "np.median(x, 1)", "torch": "torch.quantile(x, 0.5, 1)", "jax": "jnp.median(x, 1)"},
    ),
    "nanmean": Case(
        {"x": (1000, 1000)},
        "nanmean(x, axis=1)",
        {"numpy": "np.nanmean(x, 1)", "torch": "torch.nanmean(x, 1)", "jax": "jnp.nanmean(x, 1)"},
    ),
    "pad, reflect": Case(
        _IMAGES,
        "pad(x, ((0, 0), (0, 0), (2, 2), (2, 2)), mode='reflect')",
        {
            "numpy": "np.pad(x, ((0, 0), (0, 0), (2, 2), (2, 2)), 'reflect')",
            "torch": "F.pad(x, (2, 2, 2, 2), 'reflect')",
            "jax": "jnp.pad(x, ((0, 0), (0, 0), (2, 2), (2, 2)), 'reflect')",
            "tensorflow": "tf.pad(x, ((0, 0), (0, 0), (2, 2), (2, 2)), 'REFLECT')",
        },
    ),
    "lgamma": Case(
        {"x": (512, 1000)},
        "lgamma(x)",
        {
            "numpy": "scipy.special.gammaln(x)",
            "torch": "torch.lgamma(x)",
            "jax": "jax.scipy.special.gammaln(x)",
            "tensorflow": "tf.math.lgamma(x)",
        },
    ),
    "where": Case(
        {"c": "1000x1000 of bool", "x": (1000, 1000), "y": (1000, 1000)},
        "where(c, x, y)",
        {
            "numpy": "np.where(c, x, y)",
            "torch": "torch.where(c, x, y)",
            "jax": "jnp.where(c, x, y)",
            "tensorflow": "tf.where(c, x, y)",
        },
    ),
}

#: The result of one backend: its name and version, and by row what computes it and the times of its columns.
Report = dict[str, Any]


def made(be: Any, spec: Any, seed: int) -> Any:
    """Make a native array, or a list of them, from what a case says of it."""
    if isinstance(spec, list):
        return [made(be, shape, seed + i) for i, shape in enumerate(spec)]
    import corearray as ca

    rng = ca.random.Generator(seed)
    with ca.backend_context(be):
        if isinstance(spec, str):
            shape, kind, high = spec.split()
            numbers = rng.integers(2 if kind == "of" else int(high), shape=tuple(map(int, shape.split("x"))))
            return (ca.astype(numbers, high) if kind == "of" else numbers).native
        return rng.normal(shape=spec, dtype="float32").native


def helpers(backend: str) -> dict[str, Any]:
    """Return the modules of a framework, and what its users would write in several lines."""
    if backend == "numpy":
        import numpy as np
        import scipy.linalg
        import scipy.special

        def columns(x: Any) -> Any:
            found = np.lib.stride_tricks.sliding_window_view(x, (3, 3), (2, 3))
            return found.transpose(0, 1, 4, 5, 2, 3).reshape(x.shape[0], -1, found.shape[2] * found.shape[3])

        def attention(q: Any, k: Any, v: Any) -> Any:
            scores = q @ k.swapaxes(-1, -2) / math.sqrt(q.shape[-1])
            scores = np.where(np.tri(q.shape[-2], dtype=bool), scores, -np.inf)
            weights = np.exp(scores - scores.max(-1, keepdims=True))
            return weights / weights.sum(-1, keepdims=True) @ v

        def added(x: Any, i: Any) -> Any:
            out = np.zeros((1000, x.shape[1]), x.dtype)
            np.add.at(out, i, x)
            return out

        windows = np.lib.stride_tricks.sliding_window_view
        return {
            "np": np,
            "scipy": scipy,
            "windows": windows,
            "columns": columns,
            "attention": attention,
            "added": added,
        }
    if backend == "torch":
        import torch

        return {"math": math, "torch": torch, "F": torch.nn.functional}
    if backend == "jax":
        import jax
        from jax import lax
        from jax import numpy as jnp

        def lstm(x: Any, w: Any, h: Any) -> Any:
            def step(state: Any, x: Any) -> Any:
                h, c = state
                i, f, g, o = jnp.split(x + h @ w[1].T + w[3], 4, -1)
                c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
                h = jax.nn.sigmoid(o) * jnp.tanh(c)
                return (h, c), h

            return lax.scan(step, (h[0], h[0]), jnp.swapaxes(x @ w[0].T + w[2], 0, 1))

        return {"jax": jax, "lax": lax, "jnp": jnp, "lstm": lstm}
    import numpy as np
    import tensorflow as tf

    def ranked(x: Any, k: int) -> Any:
        order = np.argsort(x.numpy(), axis=-1)[..., : -k - 1 : -1]  # NaN is the greatest
        return tf.gather(x, order, axis=-1, batch_dims=1), order

    def scaled_qr(m: Any) -> Any:
        size = tf.reduce_max(tf.abs(m), (-2, -1), keepdims=True)
        size = tf.where(size > 0, size, 1)
        q, r = tf.linalg.qr(m / size)
        return q, r * size

    @tf.function
    def attention(q: Any, k: Any, v: Any) -> Any:
        scores = tf.linalg.matmul(q, k, transpose_b=True) / math.sqrt(q.shape[-1])
        allowed = tf.linalg.band_part(tf.ones(scores.shape[-2:], tf.bool), -1, 0)
        return tf.linalg.matmul(tf.nn.softmax(tf.where(allowed, scores, -math.inf)), v)

    return {"np": np, "tf": tf, "attention": attention, "ranked": ranked, "scaled_qr": scaled_qr}


def measured(backend: str, rounds: int, chosen: Sequence[str]) -> Report:
    """Measure one backend in this process."""
    import corearray as ca

    be = ca.get_backend(backend)
    scope = helpers(backend)
    rows = {}
    for name, case in CASES.items():
        if backend not in case.written or (chosen and name.partition(",")[0] not in chosen):
            continue
        arrays = {key: made(be, spec, seed) for seed, (key, spec) in enumerate(case.arrays.items())}
        names = ", ".join(arrays)
        written: Callable[..., Any] = eval(f"lambda {names}: {case.written[backend]}", scope)
        ours: Callable[..., Any] = eval(f"lambda {names}: be.{case.call}", {"be": be.native})
        call = f"f({names})"
        if backend == "jax":
            written, call = scope["jax"].jit(written), f"done(f({names}))"
        done = scope["jax"].block_until_ready if backend == "jax" else None
        rows[name] = {
            "written": looped(call, {"f": written, "done": done, **arrays}),
            "corearray": looped(call, {"f": ours, "done": done, **arrays}),
        }
        excess = known("functions", name, backend, f"{be.framework} {be.framework_version}")
        if excess and excess.same:
            rows[name]["same"] = looped(f"f({names})", {"f": eval(f"lambda {names}: {excess.same}", scope), **arrays})
    times = measure(rows, rounds, batch_ns=2e7)
    return {
        "backend": backend,
        "framework": f"{be.framework} {be.framework_version}",
        "rows": {
            row: {column: timing._asdict() for column, timing in columns.items()} for row, columns in times.items()
        },
        "runs": {row: runs(be, CASES[row].call) for row in rows},
    }


def runs(be: Any, call: str) -> str:
    """Return whether the function of a call is composed on a backend, or native."""
    name = call.partition("(")[0].rpartition(".")[2]
    return "composed" if be.binding(name).kind == "composed" else "native"


def ratio(report: Report, row: str) -> float:
    """Return how many times as long as the framework's own way a call takes."""
    return Timing(**report["rows"][row]["corearray"]).ratio


def ratio_to_same(report: Report, row: str) -> float:
    """Return how many times as long as what users write to have the same result a call takes, where that is another way."""
    same = report["rows"][row].get("same")
    return ratio(report, row) / Timing(**same).ratio if same else 0.0


def excess_of(report: Report, row: str) -> Excess | None:
    """Return what is known of a call that takes more than the limit."""
    return known("functions", row, report["backend"], report["framework"])


def limit_of(report: Report, row: str) -> float:
    """Return what `ratio` is to be at most."""
    excess = excess_of(report, row)
    return excess.limit if excess else LIMITS["composed" if report["runs"][row] == "composed" else "native"]


def markdown(reports: Sequence[Report], about: dict[str, Any], rounds: int) -> str:
    """Return all figures as Markdown."""
    parts = ["# Heavy functions", ", ".join(f"{key} {value}" for key, value in about.items()) + "."]
    parts.append(
        "Milliseconds of the framework's own way, and how many times as long corearray's function of native arrays takes; "
        f"medians of {rounds} rounds. c: composed, at least for these arguments' dtype or options."
    )
    cells = []
    for row in CASES:
        line = [row]
        for report in reports:
            if row in report["rows"]:
                own = Timing(**report["rows"][row]["written"]).median / 1e6
                mark = " c" if report["runs"][row] == "composed" else ""
                line.append(f"{own:.2f} ms, {ratio(report, row):.2f}{mark}")
            else:
                line.append("")
        cells.append(line)
    parts.append(numbered_table(["", *(f"{r['backend']} ({r['framework']})" for r in reports)], cells))
    reasons = []
    for report in reports:
        for row in report["rows"]:
            excess = excess_of(report, row)
            if excess:
                same = f"; {ratio_to_same(report, row):.2f} of what gives the same result" if excess.same else ""
                reasons.append(
                    f"- {row} on {report['backend']}, up to {excess.limit} ({excess.kind}){same}: {excess.reason}."
                )
    if reasons:
        parts += ["What may take more than the limits:", "\n".join(reasons)]
    return "\n\n".join(parts) + "\n"


def main() -> None:
    """Measure each backend in a process of its own, print the table, and with --check fail above the limits."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.functions", description=__doc__.partition("\n")[0])
    backends = ["numpy", "torch", "jax", "tensorflow"]
    parser.add_argument("--backend", action="append", choices=backends, help="measure this one (repeatable; all)")
    parser.add_argument("--function", action="append", default=[], help="measure this one (repeatable; all)")
    parser.add_argument("--rounds", type=int, default=20, help="how often each call is timed (default: %(default)s)")
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="write the table there")
    parser.add_argument("--check", action="store_true", help="exit 1 if a limit is exceeded")
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        print(json.dumps(measured(options.backend[0], options.rounds, options.function)))
        return
    reports = []
    for backend in options.backend or backends:
        arguments = ["--child", "--backend", backend, "--rounds", str(options.rounds)]
        report = in_child("benchmarks.functions", *arguments, *(f"--function={name}" for name in options.function))
        if "failed" in report:
            sys.exit(report["failed"])
        reports.append(report)
    text = markdown(reports, machine(), options.rounds)
    print(text)
    if options.markdown:
        options.markdown.write_text(text)
    above = []
    for report in reports:
        for row in report["rows"]:  # as the table shows them: more is not known
            if round(ratio(report, row), 2) > limit_of(report, row):
                above.append(
                    f"{report['backend']}: {row} takes {ratio(report, row):.2f} times as long, limit {limit_of(report, row)}"
                )
            if round(ratio_to_same(report, row), 2) > LIMITS["native"]:
                above.append(
                    f"{report['backend']}: {row} takes {ratio_to_same(report, row):.2f} times as long as what gives the same "
                    f"result, limit {LIMITS['native']}"
                )
    if options.check and above:
        sys.exit("\n".join(above))


if __name__ == "__main__":
    main()
