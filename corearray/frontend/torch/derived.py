"""Rules that follow from others: methods, in-place twins, operators, and the private names of public functions.

A name is looked up by its whole path, never by its last part alone: `torch.masked.sum` is not `torch.sum`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import corearray as ca
from corearray.frontend.table import Rule

__all__ = ["derived"]

_Find = Callable[[str], Rule | None]

#: Private homes of public functions, as torch's overrides name them.
_HOMES = (
    ("torch._C._nn.", "torch.nn.functional."),
    ("torch._C._linalg.linalg_", "torch.linalg."),
    ("torch._C._fft.fft_", "torch.fft."),
    ("torch._C._special.special_", "torch.special."),
    ("torch._C._TensorBase.", "torch.Tensor."),
    ("torch._VariableFunctions.", "torch."),
    ("torch._VariableFunctionsClass.", "torch."),
    ("torch.functional.", "torch."),
    ("torch._C._VariableFunctions.", "torch."),
)

#: Operators by their methods: the function, and whether a scalar or array comes first when it is reflected.
_OPERATORS = {
    "add": "add", "sub": "sub", "mul": "mul", "truediv": "true_divide", "div": "true_divide", "floordiv": "floor_divide",
    "mod": "remainder", "pow": "pow", "matmul": "matmul", "and": "bitwise_and", "or": "bitwise_or", "xor": "bitwise_xor",
    "lshift": "bitwise_left_shift", "rshift": "bitwise_right_shift", "eq": "eq", "ne": "ne", "lt": "lt", "le": "le",
    "gt": "gt", "ge": "ge", "neg": "neg", "abs": "abs", "invert": "bitwise_not", "pos": "positive",
}  # fmt: skip

#: In-place methods after which a tensor has another shape: they give the name another array.
_REBINDS = frozenset(
    "resize_ resize_as_ squeeze_ swapaxes_ swapdims_ t_ transpose_ unsqueeze_ set_ as_strided_ detach_ requires_grad_".split()
)


def derived(name: str, find: _Find) -> Rule | None:
    """Return a rule for a name that has none of its own, or `None`."""
    for home, public in _HOMES:
        if name.startswith(home):
            other = public + name.removeprefix(home)
            return find(other) or derived(other, find)
    place, _, last = name.rpartition(".")
    if place == "torch.Tensor":
        return _method(name, last, find)
    if place in ("torch", "torch.nn.functional") and last.endswith("_") and not last.startswith("_"):
        return _in_place(name, last, find(name[:-1]) or derived(name[:-1], find))
    if place == "torch" and last.endswith("_copy"):
        base = find(name.removesuffix("_copy")) or find(f"torch.Tensor.{last.removesuffix('_copy')}")
        return None if base is None else Rule(name, lambda: _copying(base.function))
    if place == "torch":  # as torch.relu, torch.conv2d, torch.softmax, torch.det
        return find(f"torch.nn.functional.{last}") if last in _ALSO_IN_TORCH else _nowhere(last, find)
    if place == "torch.nn.functional" and last in _ALSO_IN_TORCH:
        return find(f"torch.{last}")
    if place == "torch.special":
        return find(f"torch.{_SPECIAL.get(last, last)}") if last in _SPECIAL or last in _SPECIAL_TOO else None
    if place == "torch.linalg" and last in ("diagonal", "matmul"):
        return find(f"torch.{last}")
    return None


#: Functions that stand both in `torch` and in `torch.nn.functional`.
_ALSO_IN_TORCH = frozenset(
    "adaptive_avg_pool1d adaptive_max_pool1d alpha_dropout avg_pool1d batch_norm bilinear "
    "binary_cross_entropy_with_logits celu channel_shuffle conv1d conv2d conv3d conv_tbc conv_transpose1d "
    "conv_transpose2d conv_transpose3d cosine_embedding_loss cosine_similarity ctc_loss dropout embedding "
    "embedding_bag feature_alpha_dropout group_norm hardshrink hinge_embedding_loss instance_norm kl_div layer_norm "
    "log_softmax margin_ranking_loss max_pool1d max_pool2d max_pool3d native_channel_shuffle pairwise_distance "
    "pdist pixel_shuffle pixel_unshuffle poisson_nll_loss prelu relu rms_norm rrelu selu sigmoid softmax tanh "
    "triplet_margin_loss gelu threshold one_hot logsigmoid hardtanh".split()
)

#: Functions of `torch.special` under the names that they have in `torch`.
_SPECIAL = {
    "expit": "sigmoid", "gammainc": "igamma", "gammaincc": "igammac", "gammaln": "lgamma", "modified_bessel_i0": "i0",
    "multigammaln": "mvlgamma", "psi": "digamma",
}  # fmt: skip
_SPECIAL_TOO = frozenset(
    "digamma erf erfc erfinv exp2 expm1 i0 log1p logit logsumexp polygamma round sinc softmax log_softmax xlogy".split()
)


def _nowhere(last: str, find: _Find) -> Rule | None:
    """Return the rule of a private twin of a function of `torch`, such as `torch._softmax`."""
    return find(f"torch.linalg.{last}") if last in ("det", "slogdet", "matrix_exp", "pinverse") else None


def _method(name: str, last: str, find: _Find) -> Rule | None:
    if last.startswith("__") and last.endswith("__"):
        return _operator(name, last[2:-2], find)
    if last.endswith("_"):
        base = f"torch.Tensor.{last[:-1]}"
        return _in_place(name, last, find(base) or _method(base, last[:-1], find))
    if last in _NO_METHODS:
        return None
    return find(f"torch.{last}") or derived(f"torch.{last}", find)


#: Names that `torch` has for something else than the method.
_NO_METHODS = frozenset("Tensor set_default_dtype tensor as_tensor zeros ones empty full arange eye linspace".split())


def _in_place(name: str, last: str, base: Rule | None) -> Rule | None:
    if base is None:
        return None
    made = Rule(name, lambda: base.function)
    made.rebinds = last in _REBINDS
    return made


def _operator(name: str, short: str, find: _Find) -> Rule | None:
    if short in _OPERATORS:
        return find(f"torch.{_OPERATORS[short]}")
    if short[:1] == "i" and short[1:] in _OPERATORS:
        return _in_place(name, "", find(f"torch.{_OPERATORS[short[1:]]}"))
    if short[:1] == "r" and short[1:] in _OPERATORS:
        straight = find(f"torch.{_OPERATORS[short[1:]]}")
        return None if straight is None else Rule(name, lambda: _reflected(straight.function))
    return None


def _copying(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that copies what another one returns as a view."""

    def copying(*args: Any, **options: Any) -> Any:
        made = function(*args, **options)
        return tuple(map(_copied, made)) if isinstance(made, tuple) else _copied(made)

    return copying


def _copied(x: ca.Array) -> ca.Array:
    return ca.asarray(x, copy=True)


def _reflected(function: Callable[..., Any]) -> Callable[..., Any]:
    def reflected(input: Any, other: Any) -> Any:
        return function(other, input)

    return reflected
