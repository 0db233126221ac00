"""Derivatives, mapping over an axis, and compiling."""

from __future__ import annotations

from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
from jax import lax

from corearray.plugin import hookimpl

#: Compositions of many steps, which XLA makes one program of. They look at no element, draw nothing, and give no views.
_WHOLE = frozenset(
    """
    hardshrink hardtanh logit prelu scaled_tanh softshrink softsign tanhshrink threshold thresholded_relu
    multi_head_attention conv_general_dilated conv_general_transpose
    corrcoef cov higher_order_moment histogram interp median quantile trapezoid nanmedian nanpercentile nanquantile
    exp2 float_power sinc erfinv igamma igammac lgamma
    gather gather_nd scatter_along_axis scatter_flat scatter_nd one_hot
    embedding unfold fold col2im im2col
    binary_cross_entropy cross_entropy hinge_embedding_loss huber_loss kl_div l1_loss log_poisson_loss poisson_nll_loss
    average percentile digitize nanargmax nanargmin nancumprod nancumsum convolve correlate unwrap cbrt entr ndtri
    polygamma rel_entr polyfit lstsq betainc logm solve_sylvester cubic_spline grid_sample
    cosine_embedding_loss cosine_similarity focal_loss gaussian_nll_loss margin_ranking_loss mse_loss nll_loss
    multi_margin_loss multilabel_margin_loss multilabel_soft_margin_loss
    triplet_margin_loss glu rms_norm rotary_embedding embedding_bag channel_shuffle pixel_shuffle pixel_unshuffle
    smooth_l1_loss soft_margin_loss sparse_cross_entropy ssim_loss
    wasserstein_loss_discriminator wasserstein_loss_generator
    batch_norm clip_matrix_norm clip_vector_norm group_norm instance_norm l1_normalize l2_normalize layer_norm
    local_response_norm lp_normalize
    adaptive_pool max_pool_with_indices max_unpool1d max_unpool2d max_unpool3d
    batched_outer khatri_rao kron cp_to_tensor tr_to_tensor tt_to_tensor tt_matrix_to_tensor
    istft stft unsorted_segment_mean
    """.split()
)


@hookimpl
def compiled_composition(name: str, call: Any) -> Any:
    """Compile, for derivatives too, which take it for one step: inlined, each of its steps would be linearised anew."""
    if name in ("random_words", "random_words_of_program"):
        return jax.jit(partial(_by_parts, call), static_argnums=1)
    return jax.jit(call, static_argnums=1) if name in _WHOLE else None


#: How many random words a step of a loop makes at most.
_PART = 1 << 15


def _by_parts(call: Any, natives: Any, how: Any) -> Any:
    """Make random words by a loop of at least two steps, which XLA leaves as it is.

    Without a loop it copies the hundred operations of a word into all that reads it: a program that pads and reverses
    drawn images took minutes to compile.
    """
    one, two, start = natives[0]
    count, least = how
    steps = max(2, -(-count // _PART))
    size = -(-count // steps)
    made = lax.map(
        lambda first: call({0: jnp.stack([one, two, first])}, (size, least)),
        start + size * jnp.arange(steps, dtype=start.dtype),
    )
    return jax.tree.map(lambda x: x.reshape(steps * size)[:count], made)


@hookimpl
def compiled_case(call: Any) -> Any:
    return jax.jit(call)


@hookimpl
def compiled_function(function: Any, static_argnums: Any, static_argnames: Any, dynamic: bool, options: Any) -> Any:
    """Compile; JAX reads the names of static places, and the places of static names, where it is given none itself."""
    return jax.jit(function, static_argnums=static_argnums or None, static_argnames=static_argnames or None, **options)


@hookimpl
def custom_gradient(function: Any, pull_back: Any, natives: Any) -> Any:
    computed = jax.custom_vjp(function)

    def forward(natives: Any) -> Any:  # which an outer derivative differentiates, by `pull_back` too
        outputs = computed(natives)
        return outputs, (natives, outputs)

    computed.defvjp(forward, lambda kept, cotangents: (pull_back(*kept, cotangents),))
    return computed(natives)


@hookimpl
def rematerialized(function: Any, natives: Any, program: Any) -> Any:
    return jax.checkpoint(function)(natives)


@hookimpl
def donating(places: Any) -> Any:
    return {"donate_argnums": places}


@hookimpl
def forward_mode(function: Any, primals: Any, tangents: Any) -> Any:
    return jax.jvp(function, (primals,), (tangents,), has_aux=True)


@hookimpl
def reverse_mode(function: Any, primals: Any) -> Any:
    outputs, pull_back, aux = jax.vjp(function, primals, has_aux=True)
    return outputs, aux, lambda cotangents: pull_back(cotangents or [jnp.ones_like(x) for x in outputs])[0]


@hookimpl(native=lax.stop_gradient)
def stop_gradient(x: Any, /) -> Any: ...


@hookimpl
def vectorized(function: Any, natives: Any) -> Any:
    return jax.vmap(function)(natives)
