"""What distributions share: parameters of one shape, probabilities and their logarithms, triangular matrices as vectors."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

import corearray as ca
from corearray.errors import CoreArrayValueError
from corearray.frontend.torch.grad_mode import enable_grad
from corearray.frontend.torch.owner import torch_of
from corearray.frontend.torch.wrapper import Tensor

__all__ = [
    "broadcast_all", "chosen", "clamp_probs", "euler_constant", "filled", "lazy_property", "logits_to_probs", "need_one",
    "probs_to_logits", "standard_normal", "sum_rightmost", "tril_matrix_to_vec", "uniform_numbers", "vec_to_tril_matrix",
]  # fmt: skip

euler_constant = 0.57721566490153286060


def broadcast_all(*values: Any) -> list[Any]:
    """Return parameters, tensors or numbers, as tensors of one shape."""
    torch = torch_of(*values)
    for x in values:
        if not isinstance(x, (Tensor, bool, int, float)):
            raise CoreArrayValueError(f"parameters of distributions are numbers or tensors, got {type(x).__name__}")
    dtype = next(
        (x.dtype for x in values if isinstance(x, Tensor) and x.is_floating_point()), torch.get_default_dtype()
    )
    device = next((x.device for x in values if isinstance(x, Tensor)), None)
    given = [x if isinstance(x, Tensor) else torch.tensor(x, dtype=dtype, device=device) for x in values]
    return list(torch.broadcast_tensors(*given))


def need_one(name: str, probs: Any, logits: Any) -> None:
    """Refuse both or none of two ways to give a probability."""
    if (probs is None) == (logits is None):
        raise CoreArrayValueError(f"Either `probs` or `logits` must be specified to '{name}', but not both.")


def clamp_probs(probs: Any) -> Any:
    """Return probabilities that are neither zero nor one."""
    eps = float(ca.finfo(probs.dtype).eps)
    return probs.clamp(min=eps, max=1 - eps)


def probs_to_logits(probs: Any, is_binary: bool = False) -> Any:
    """Return the logarithms of probabilities, or with `is_binary` of their odds."""
    given = clamp_probs(probs)
    return given.log() - (-given).log1p() if is_binary else given.log()


def logits_to_probs(logits: Any, is_binary: bool = False) -> Any:
    """Return probabilities of logarithms along the last axis, or with `is_binary` of logarithms of odds."""
    return logits.sigmoid() if is_binary else logits.softmax(-1)


class lazy_property(cached_property):  # type: ignore[type-arg]  # noqa: N801  torch's name
    """A property that is computed once, with gradients also where `no_grad` holds."""

    def __init__(self, wrapped: Callable[[Any], Any]) -> None:
        def computed(instance: Any) -> Any:
            with enable_grad():
                return wrapped(instance)

        computed.__doc__ = wrapped.__doc__
        super().__init__(computed)


def standard_normal(like: Any, shape: Any) -> Any:
    """Return normal numbers of a tensor's dtype."""
    return torch_of(like).randn(*shape, dtype=like.dtype, device=like.device)


def uniform_numbers(like: Any, shape: Any) -> Any:
    """Return uniform numbers between zero and one, neither included, of a tensor's dtype."""
    tiny = float(ca.finfo(like.dtype).smallest_normal)
    return (
        torch_of(like)
        .rand(*shape, dtype=like.dtype, device=like.device)
        .clamp(min=tiny, max=1 - float(ca.finfo(like.dtype).eps) / 2)
    )


def filled(like: Any, shape: Any, value: float) -> Any:
    """Return a tensor of one number, of a tensor's dtype."""
    return torch_of(like).full(tuple(shape), value, dtype=like.dtype, device=like.device)


def chosen(condition: Any, x: Any, other: Any) -> Any:
    """Return `x` where a condition holds and `other` elsewhere."""
    return torch_of(condition).where(condition, x, other)


def sum_rightmost(value: Any, dim: int) -> Any:
    """Return the sum over the last axes."""
    return value.sum(tuple(range(-dim, 0))) if dim else value


def _places(count: int, diag: int) -> list[tuple[int, int]]:
    """Return the places of a lower triangle, row by row."""
    return [(i, j) for i in range(count) for j in range(min(count, i + diag + 1))]


def tril_matrix_to_vec(mat: Any, diag: int = 0) -> Any:
    """Return the elements of lower triangles as vectors, row by row."""
    count = mat.shape[-1]
    if not -count <= diag < count:
        raise CoreArrayValueError(f"diag ({diag}) provided is outside [{-count}, {count - 1}].")
    flat = mat.reshape(*mat.shape[:-2], count * count)
    places = torch_of(mat).tensor([i * count + j for i, j in _places(count, diag)], dtype=ca.int64, device=mat.device)
    return flat.index_select(-1, places)


def vec_to_tril_matrix(vec: Any, diag: int = 0) -> Any:
    """Return lower triangular matrices of elements given row by row."""
    size = vec.shape[-1]
    count = next((n for n in range(1, size + 2 - min(diag, 0)) if len(_places(n, diag)) >= size and n > -diag), 0)
    places = _places(count, diag)
    if len(places) != size:
        raise CoreArrayValueError(f"a vector of {size} elements is no lower triangle of a square matrix")
    where = [size] * (count * count)
    for place, (i, j) in enumerate(places):
        where[i * count + j] = place
    torch = torch_of(vec)
    padded = torch.nn.functional.pad(vec, (0, 1))
    flat = padded.index_select(-1, torch.tensor(where, dtype=ca.int64, device=vec.device))
    return flat.reshape(*vec.shape[:-1], count, count)
