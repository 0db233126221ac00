"""Derivatives and mapping, by MLX's own transforms."""

import mlx.core as mx

from corearray.plugin import hookimpl


@hookimpl
def stop_gradient(x, /):
    return mx.stop_gradient(x)


@hookimpl
def reverse_mode(function, primals):
    """MLX wants gradients of the outputs at once; to pull others back the function is traced again."""
    outputs, beside = function(primals)

    def pulled(gradients):
        gradients = list(gradients) if gradients else [mx.ones_like(x) for x in outputs]
        return mx.vjp(lambda *given: function(list(given))[0], primals, gradients)[1]

    return outputs, beside, pulled


@hookimpl
def forward_mode(function, primals, tangents):
    _, beside = function(primals)
    outputs, slopes = mx.jvp(lambda *given: function(list(given))[0], primals, tangents)
    return outputs, slopes, beside


@hookimpl
def vectorized(function, natives):
    return mx.vmap(lambda *given: function(list(given)))(*natives)


@hookimpl
def custom_gradient(function, pull_back, natives):
    """MLX takes no `None` for a derivative of zero, and zero times an infinite slope is NaN: such arguments are constants."""
    made = [mx.stop_gradient(x) for x in function([mx.stop_gradient(x) for x in natives])]
    slopes = pull_back(natives, made, [mx.ones_like(x) for x in made])  # nothing is computed: MLX is lazy
    given = [mx.stop_gradient(x) if slope is None else x for x, slope in zip(natives, slopes, strict=True)]

    @mx.custom_function
    def called(given):
        return list(made)

    @called.vjp
    def _(given, slopes, results):
        found = pull_back(given, results, slopes)
        return [mx.zeros_like(x) if slope is None else slope for x, slope in zip(given, found, strict=True)]

    return called(given)
