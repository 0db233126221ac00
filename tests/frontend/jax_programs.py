"""Programs of JAX by name, each with its arguments: together they call the primitives that have rules."""

from __future__ import annotations

import jax
import jax.numpy as jnp
from jax import lax

import corearray as ca

ca.get_backend("jax")  # which switches 64 bits on

F32 = jnp.float32
KEY = jax.random.PRNGKey(3)
X = jnp.linspace(-2, 2, 12, dtype=F32).reshape(3, 4)
IMAGES = jax.random.normal(KEY, (2, 6, 6, 3), F32)
FILTERS = jax.random.normal(KEY, (3, 3, 3, 4), F32)
SQUARE = X[:, :3] @ X[:, :3].T + jnp.eye(3, dtype=F32) * 3
INTS = jnp.arange(-5, 7, dtype=jnp.int32) * 77
LINE = jnp.array([0.1, 0.5, 0.9], F32)
LAYOUT = ("NHWC", "HWIO", "NHWC")


@jax.custom_vjp
def stretched(x):
    return jnp.sin(x)


stretched.defvjp(lambda x: (jnp.sin(x), x), lambda x, slope: (slope * 7 * x,))


def convolved(x, w, strides=(1, 1), **options):
    return lax.conv_general_dilated(x, w, strides, "SAME", dimension_numbers=LAYOUT, **options)


def pooled(x):
    return lax.reduce_window(x, -jnp.inf, lax.max, (1, 3, 3, 1), (1, 2, 2, 1), "SAME")


def activations(x):
    names = (
        "relu gelu silu softplus elu selu celu glu hard_tanh relu6 log_sigmoid leaky_relu hard_swish softmax".split()
    )
    return [getattr(jax.nn, name)(x) for name in names]


def drawn(key):
    first, second = jax.random.split(key)
    return (
        jax.random.normal(first, (3,)), jax.random.uniform(second, (2, 2), F32), jax.random.bits(key, (4,)),
        jax.random.bernoulli(key, 0.3, (5,)), jax.random.randint(key, (4,), 0, 10), jax.random.permutation(key, 7),
        jax.random.categorical(key, jnp.zeros((3, 4))), jax.random.fold_in(key, 5), jax.random.bits(key, (3,), jnp.uint8),
        jax.random.key_data(jax.random.split(jax.random.key(7), 3)), jax.random.bits(key, (2,), jnp.uint64),
        jax.random.truncated_normal(key, -1, 1, (3,), F32),
    )  # fmt: skip


def indexed(a):
    places, outside = jnp.array([0, 1]), jnp.array([0, 9])
    return (
        a[places], a[::-1, 1:3], a[:, jnp.array([[1, 2], [0, 0]])], jnp.take(a, outside, axis=1, mode="clip"),
        jnp.take(a, outside, axis=1, mode="fill"), jnp.take_along_axis(a, jnp.array([[0, 1, 0]]), 0),
        a.at[places].add(2.0), a.at[0, 1].set(3.0), a.at[outside, jnp.array([1, 1])].mul(3.0), a.at[1:, ::2].max(0.0),
        a.at[jnp.array([0, 0]), :2].min(-1.0), a.at[-1].set(0), lax.dynamic_slice(a, (1, 7), (2, 2)),
        lax.dynamic_update_slice(a, a[:1, :2] * 9, (1, 1)),
    )  # fmt: skip


def arranged(a):
    return (
        jnp.sort(a, axis=0), jnp.argsort(a), jnp.cumsum(a, axis=1), jnp.cumprod(a), lax.top_k(a, 2), lax.cummax(a, 0),
        lax.cumlogsumexp(a, 1), jnp.percentile(a, 30.0), jnp.searchsorted(jnp.sort(a[0]), 0.5), jnp.unique(a, size=4),
        lax.sort((jnp.round(a[0]), a[1], a[2]), num_keys=2), lax.reduce(a, F32(0), lambda p, q: p + q, (0,)),
    )  # fmt: skip


def whole(a):
    three = jnp.int32(3)
    return (
        a // 3, a % 3, a << 2, a >> 1, lax.population_count(a), lax.clz(a), ~a, lax.shift_right_logical(a, three), a**3,
        lax.rem(a, three), jnp.abs(a), lax.div(a, three), jnp.sum(a), jnp.max(a), lax.bitcast_convert_type(a, F32),
        a.astype(jnp.uint8), lax.sign(a), a & 5 | 3 ^ a,
    )  # fmt: skip


def shaped(a):
    return (
        jnp.round(a), lax.round(a), lax.integer_pow(a, -3), lax.reduce_precision(a, 5, 10), lax.rsqrt(a * a + 1),
        jnp.pad(a, ((1, 0), (0, 2)), constant_values=3.0), lax.pad(a, F32(-1), ((1, -1, 2), (-1, 0, 0))), jnp.roll(a, 1),
        jnp.clip(a, -1, 1), jnp.concatenate([a, a]), jnp.stack([a, a]), jnp.split(a, 2, axis=1), jnp.tile(a, (2, 1)),
        jnp.repeat(a, 2, axis=0), jnp.einsum("ij,kj->ik", a, a), jnp.argmax(a), jnp.var(a), jnp.logaddexp(a, a),
        jnp.tril(a), jnp.meshgrid(a[0], a[1]), jnp.any(a > 1), jnp.isnan(a), jnp.angle(lax.complex(a, a)),
        lax.associative_scan(jnp.add, a), jnp.tensordot(a, a, ((0, 1), (0, 1))),
    )  # fmt: skip


def decomposed(a):
    return (
        jnp.linalg.qr(a)[1], jnp.linalg.svd(a)[1], jnp.linalg.eigh(a)[0], jnp.linalg.slogdet(a), jnp.linalg.cholesky(a),
        jax.scipy.linalg.solve_triangular(a, a), jnp.linalg.solve(a, a[0]), jnp.linalg.inv(a),
    )  # fmt: skip


def special(a):
    names = "gammaln digamma erf erfc i0 i1 i0e i1e ndtri expit logit entr".split()
    of = jax.scipy.special
    return [
        *(getattr(of, name)(a) for name in names),
        of.betainc(a, a + 1, a / 3), of.gammainc(a, a + 0.5), of.polygamma(1, a), of.zeta(a + 1.5, a),
    ]  # fmt: skip


def recurrent(weights, xs):
    def step(state, x):
        state = jnp.tanh(state @ weights["w"] + x @ weights["u"] + weights["b"])
        return state, state

    return lax.scan(step, jnp.zeros(4, F32), xs)


WIDTH, HEADS, LENGTH = 16, 2, 8


def normed(x):
    return (x - x.mean(-1, keepdims=True)) * lax.rsqrt(x.var(-1, keepdims=True) + 1e-5)


def gpt(weights, ids):
    """A transformer of two blocks with tied embeddings; returns its loss."""
    x = weights["embedding"][ids] + weights["places"]
    for block in weights["blocks"]:
        heads = (normed(x) @ block["qkv"]).reshape(-1, LENGTH, 3 * HEADS, WIDTH // HEADS)
        q, k, v = jnp.split(heads, 3, axis=2)
        x = x + jax.nn.dot_product_attention(q, k, v, is_causal=True).reshape(x.shape) @ block["out"]
        x = x + jax.nn.gelu(normed(x) @ block["up"]) @ block["down"]
    scores = jax.nn.log_softmax((normed(x) @ weights["embedding"].T)[:, :-1])
    return -jnp.take_along_axis(scores, ids[:, 1:, None], -1).mean()


def weights_of_gpt(words=20):
    keys = iter(jax.random.split(KEY, 10))
    shapes = {"down": (4 * WIDTH, WIDTH), "out": (WIDTH, WIDTH), "qkv": (WIDTH, 3 * WIDTH), "up": (WIDTH, 4 * WIDTH)}
    blocks = [
        {name: jax.random.normal(next(keys), shape, F32) / 10 for name, shape in shapes.items()} for _ in range(2)
    ]
    return {
        "blocks": blocks,
        "embedding": jax.random.normal(next(keys), (words, WIDTH), F32),
        "places": jax.random.normal(next(keys), (LENGTH, WIDTH), F32),
    }


WEIGHTS = {"b": jnp.ones(4, F32) / 3, "u": FILTERS[0, 0, :3], "w": FILTERS[1].reshape(9, 4)[:4]}
SEQUENCE = IMAGES[0, 0]

PROGRAMS = {
    "activations": (activations, X),
    "gradient": (jax.grad(lambda x: (jax.nn.gelu(x) * jax.nn.relu(x)).sum()), X),
    "scan": (recurrent, WEIGHTS, SEQUENCE),
    "gradient of scan": (jax.grad(lambda w, xs: (recurrent(w, xs)[1] ** 2).sum()), WEIGHTS, SEQUENCE),
    "scan backwards": (lambda x: lax.scan(lambda c, t: (c * 2 + t, c), F32(1), x, reverse=True), X[0]),
    "fori_loop": (lambda x: lax.fori_loop(0, 5, lambda i, c: c * 2 + i, x), X),
    "while_loop": (lambda x: lax.while_loop(lambda c: c[0] < 99, lambda c: (c[0] * 2, c[1] + 1), (jnp.abs(x).sum(), 0)), X),
    "cond": (lambda x: lax.cond(x.sum() > 1, lambda y: y * 2, lambda y: y - 1, x), X),
    "switch": (lambda x, i: lax.switch(i, [lambda y: y * 2, lambda y: y - 1, jnp.sin], x), X, jnp.int32(1)),
    "random": (drawn, KEY),
    "convolution": (convolved, IMAGES, FILTERS),
    "gradient of convolution": (
        jax.grad(lambda x, w: (convolved(x, w, (2, 2)) ** 2).sum(), (0, 1)), IMAGES, FILTERS
    ),
    "gradient of depthwise convolution": (
        jax.grad(lambda x, w: (convolved(x, w, rhs_dilation=(1, 2), feature_group_count=3) ** 2).sum(), (0, 1)),
        IMAGES, FILTERS[:, :, :1, :3],
    ),
    "windows": (
        lambda x: (
            pooled(x),
            lax.reduce_window(x, 0.0, lax.add, (1, 2, 2, 1), (1, 2, 2, 1), "VALID"),
            lax.reduce_window(x, jnp.inf, lax.min, (1, 2, 2, 1), (1, 1, 2, 1), "VALID"),
            lax.reduce_window(x, F32(1), lambda p, q: p * q, (1, 2, 2, 1), (1, 2, 2, 1), "VALID"),
        ),
        IMAGES,
    ),
    "gradient of pooling": (jax.grad(lambda x: (pooled(x) ** 2).sum()), IMAGES),
    "pooling forwards": (lambda x: jax.jvp(pooled, (x,), (x * 2,)), IMAGES),
    "decompositions": (decomposed, SQUARE),
    "gradient of solve": (jax.grad(lambda a: jnp.linalg.solve(a, a[0]).sum() + jnp.linalg.slogdet(a)[1]), SQUARE),
    "indexing": (indexed, SQUARE),
    "gradient of indexing": (jax.grad(lambda a: (a[jnp.array([0, 0, 2])] ** 2).sum() + a[1, 2] ** 3), SQUARE),
    "mapped": (
        jax.vmap(lambda a, i: (a[i], a.at[i].set(1.0), jnp.dot(a, a), lax.dynamic_slice(a, (i,), (2,)))),
        X, jnp.array([0, 2, 1]),
    ),
    "sorting": (arranged, SQUARE),
    "Fourier": (lambda a: (jnp.fft.fft(a), jnp.fft.rfft(a), jnp.fft.irfft(jnp.fft.rfft(a)), jnp.fft.ifft2(a)), X),
    "integers": (whole, INTS),
    "bits": (
        lambda a: [lax.bitcast_convert_type(a, t) for t in (jnp.int32, jnp.uint8)]
        + [lax.bitcast_convert_type(jnp.clip(a, -9, 9).astype(jnp.float16), jnp.uint16)],
        jnp.array([0, -0.0, 1.5, -3.25, 1e30, jnp.inf, -jnp.inf], F32),
    ),
    "special": (special, LINE),
    "shapes": (shaped, X),
    "derivative of one's own": (jax.grad(lambda x: stretched(x).sum() + jnp.logaddexp(x, x * 2).sum()), X),
    "Hessian": (jax.hessian(lambda x: (jnp.tanh(x) ** 2).sum()), X[0]),
    "checkpoint": (jax.grad(jax.checkpoint(lambda x: jnp.sin(jnp.sin(x)).sum())), X),
    "attention": (lambda q: jax.nn.dot_product_attention(q, q, q, is_causal=True), IMAGES),
    "training step of a GPT": (
        jax.value_and_grad(gpt), weights_of_gpt(), jax.random.randint(KEY, (2, LENGTH), 0, 20, jnp.int32)
    ),
}  # fmt: skip

#: Functions whose derivatives are taken on the target.
DIFFERENTIATED = {
    "relu at zero": (lambda x: (jax.nn.relu(x) * 3).sum(), jnp.array([[-1.0, 0, 2], [0, 0, 1]], F32)),
    "CNN": (lambda x, w: (pooled(jax.nn.relu(convolved(x, w))) ** 2).sum(), IMAGES, FILTERS),
    "scan": (lambda w, xs: (recurrent({**WEIGHTS, "w": w}, xs)[1] ** 2).sum(), WEIGHTS["w"], SEQUENCE),
    "solve": (lambda a: jnp.linalg.solve(a, a[0]).sum() + jnp.linalg.slogdet(a)[1], SQUARE),
    "indexing": (lambda a: (a[jnp.array([0, 0, 2])] ** 2).sum() + (a.at[1].set(0.0) ** 3).sum(), SQUARE),
    "derivative of one's own": (lambda x: stretched(x).sum() + (stretched(x * 2) ** 2).sum(), X),
    "attention": (lambda q: (jax.nn.dot_product_attention(q, q, q, is_causal=True) ** 2).sum(), IMAGES),
    "softmax": (lambda q: jax.nn.log_softmax(q)[:, 0].sum() + jax.nn.logsumexp(q), X),
}
