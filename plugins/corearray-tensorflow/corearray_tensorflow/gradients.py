"""Derivatives, mapping over an axis, and compiling."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from corearray.plugin import hookimpl


@hookimpl
def compiled_function(function: Any, static_argnums: Any, static_argnames: Any, dynamic: bool, options: Any) -> Any:
    """Compile; TensorFlow takes what is no tensor for constant by itself, and compiles again for other values."""
    return tf.function(function, **{"autograph": False, "reduce_retracing": dynamic, **options})


@hookimpl
def custom_gradient(function: Any, pull_back: Any, natives: Any) -> Any:
    @tf.custom_gradient
    def computed(*natives: Any) -> Any:
        outputs = function(natives)
        return outputs, lambda *cotangents: pull_back(natives, outputs, cotangents)

    return computed(*natives)


@hookimpl
def forward_mode(function: Any, primals: Any, tangents: Any) -> Any:
    with tf.autodiff.ForwardAccumulator(primals, tangents) as accumulator:
        outputs, aux = function(primals)
    derivatives = accumulator.jvp(outputs, unconnected_gradients=tf.UnconnectedGradients.ZERO)
    return outputs, derivatives, aux


@hookimpl
def reverse_mode(function: Any, primals: Any) -> Any:
    """Record what the function does on arrays of its own: a tape takes one array in two places for one."""
    primals = [tf.identity(x) for x in primals]
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(primals)
        outputs, aux = function(primals)

    def pull_back(cotangents: Any) -> Any:
        found = tape.gradient(
            outputs, primals, output_gradients=cotangents, unconnected_gradients=tf.UnconnectedGradients.ZERO
        )
        return [tf.convert_to_tensor(gradient) for gradient in found]

    return outputs, aux, pull_back


@hookimpl(native=tf.stop_gradient)
def stop_gradient(x: Any, /) -> Any: ...


@hookimpl
def vectorized(function: Any, natives: Any) -> Any:
    return tf.vectorized_map(function, natives)
