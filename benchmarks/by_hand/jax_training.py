"""Training steps for JAX: pure functions of a dictionary of parameters, AdamW by hand, and one `jax.jit` that donates."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
from jax import numpy as jnp

__all__ = ["step"]

_AXES = ("NCHW", "OIHW", "NCHW")


def _linear(p: dict[str, Any], name: str, x: Any) -> Any:
    y = x @ p[f"{name}.weight"].T
    return y + p[f"{name}.bias"] if f"{name}.bias" in p else y


def _layer_norm(p: dict[str, Any], name: str, x: Any) -> Any:
    mean, variance = x.mean(-1, keepdims=True), x.var(-1, keepdims=True)
    return (x - mean) * jax.lax.rsqrt(variance + 1e-5) * p[f"{name}.weight"] + p[f"{name}.bias"]


def _mlp(p: dict[str, Any], b: dict[str, Any], x: Any, sizes: dict[str, int]) -> Any:
    return _linear(p, "4", jax.nn.relu(_linear(p, "2", jax.nn.relu(_linear(p, "0", x))))), b


def _cnn(p: dict[str, Any], b: dict[str, Any], x: Any, sizes: dict[str, int]) -> Any:
    b = dict(b)
    for conv, norm in (("0", "1"), ("4", "5")):
        x = jax.lax.conv_general_dilated(x, p[f"{conv}.weight"], (1, 1), "SAME", dimension_numbers=_AXES)
        x = x + p[f"{conv}.bias"][:, None, None]
        mean, variance = x.mean((0, 2, 3), keepdims=True), x.var((0, 2, 3), keepdims=True)
        count = x.size // x.shape[1]
        b[f"{norm}.running_mean"] = 0.9 * b[f"{norm}.running_mean"] + 0.1 * mean.ravel()
        b[f"{norm}.running_var"] = 0.9 * b[f"{norm}.running_var"] + 0.1 * variance.ravel() * count / (count - 1)
        b[f"{norm}.num_batches_tracked"] = b[f"{norm}.num_batches_tracked"] + 1
        x = (x - mean) * jax.lax.rsqrt(variance + 1e-5)
        x = jax.nn.relu(x * p[f"{norm}.weight"][:, None, None] + p[f"{norm}.bias"][:, None, None])
        x = jax.lax.reduce_window(x, -jnp.inf, jax.lax.max, (1, 1, 2, 2), (1, 1, 2, 2), "VALID")
    return _linear(p, "9", x.reshape(x.shape[0], -1)), b


def _gpt(p: dict[str, Any], b: dict[str, Any], tokens: Any, sizes: dict[str, int]) -> Any:
    heads, length = sizes["heads"], tokens.shape[1]
    x = p["tok.weight"][tokens] + p["pos.weight"][:length]
    for i in range(sizes["layers"]):
        name = f"blocks.{i}"
        y = _layer_norm(p, f"{name}.ln1", x)
        qkv = y @ p[f"{name}.attn.in_proj_weight"].T + p[f"{name}.attn.in_proj_bias"]
        q, k, v = (z.reshape(*z.shape[:2], heads, -1) for z in jnp.split(qkv, 3, -1))
        mixed = jax.nn.dot_product_attention(q, k, v, is_causal=True)
        x = x + _linear(p, f"{name}.attn.out_proj", mixed.reshape(x.shape))
        hidden = jax.nn.gelu(_linear(p, f"{name}.mlp.0", _layer_norm(p, f"{name}.ln2", x)), approximate=False)
        x = x + _linear(p, f"{name}.mlp.2", hidden)
    return _linear(p, "head", _layer_norm(p, "ln", x)), b


def step(
    name: str, sizes: dict[str, int], state: dict[str, Any], rate: float, compiler: str | None
) -> Callable[[Any, Any], Any]:
    """Return a step of training from the given weights."""
    forward = {"MLP": _mlp, "CNN": _cnn, "GPT": _gpt}[name]
    arrays = {key: jnp.asarray(x) for key, x in state.items()}
    buffers = {key: x for key, x in arrays.items() if "running" in key or "tracked" in key}
    parameters = {key: x for key, x in arrays.items() if key not in buffers}

    def loss_of(p: Any, b: Any, x: Any, y: Any) -> Any:
        logits, b = forward(p, b, x, sizes)
        logs = jax.nn.log_softmax(logits)
        return -jnp.take_along_axis(logs, y[..., None], -1).mean(), b

    def update(p: Any, b: Any, mean: Any, square: Any, count: Any, x: Any, y: Any) -> Any:
        (loss, b), slopes = jax.value_and_grad(loss_of, has_aux=True)(p, b, x, y)
        count = count + 1
        first, second = 1 - 0.9**count, jnp.sqrt(1 - 0.999**count)
        mean = jax.tree.map(lambda m, g: m + 0.1 * (g - m), mean, slopes)
        square = jax.tree.map(lambda s, g: 0.999 * s + 0.001 * g * g, square, slopes)
        p = jax.tree.map(
            lambda w, m, s: w * (1 - rate * 0.01) - rate * (m / first) / (jnp.sqrt(s) / second + 1e-8), p, mean, square
        )
        return loss, (p, b, mean, square, count)

    program = jax.jit(update, donate_argnums=(0, 1, 2, 3, 4))
    mean, square = (jax.tree.map(jnp.zeros_like, parameters) for _ in range(2))
    kept = [(parameters, buffers, mean, square, jnp.zeros((), "float32"))]

    def train(x: Any, y: Any) -> Any:
        loss, kept[0] = program(*kept[0], x, y)
        return loss

    return train
