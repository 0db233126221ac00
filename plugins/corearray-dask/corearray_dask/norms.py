"""Normalisation along axes, which come in one chunk: one task for each chunk of the others."""

from __future__ import annotations

from typing import Any

from corearray.plugin import hookimpl
from corearray_dask.blocks import along, by_first


@hookimpl
def group_norm(
    x: Any, /, num_groups: int, *, weight: Any = None, bias: Any = None, eps: float = 1e-05,
    data_format: str = "channels_first",
) -> Any:  # fmt: skip
    return by_first("group_norm", x, num_groups, weight=weight, bias=bias, eps=eps, data_format=data_format)


@hookimpl
def instance_norm(
    x: Any, /, *, weight: Any = None, bias: Any = None, eps: float = 1e-05, data_format: str = "channels_first"
) -> Any:
    return by_first("instance_norm", x, weight=weight, bias=bias, eps=eps, data_format=data_format)


@hookimpl(when=lambda x, axis=-1, eps=1e-12: axis is not None)
def l1_normalize(x: Any, /, *, axis: Any = -1, eps: float = 1e-12) -> Any:
    return along("l1_normalize", axis, x, axis=axis, eps=eps)


@hookimpl(when=lambda x, axis=-1, eps=1e-12: axis is not None)
def l2_normalize(x: Any, /, *, axis: Any = -1, eps: float = 1e-12) -> Any:
    return along("l2_normalize", axis, x, axis=axis, eps=eps)


@hookimpl
def layer_norm(x: Any, /, *, weight: Any = None, bias: Any = None, axis: Any = -1, eps: float = 1e-05) -> Any:
    return along("layer_norm", axis, x, weight=weight, bias=bias, axis=axis, eps=eps)


@hookimpl
def local_response_norm(
    x: Any,
    /,
    size: int,
    *,
    alpha: float = 0.0001,
    beta: float = 0.75,
    k: float = 1.0,
    data_format: str = "channels_first",
) -> Any:
    return by_first("local_response_norm", x, size, alpha=alpha, beta=beta, k=k, data_format=data_format)


@hookimpl(when=lambda x, p=2.0, axis=-1, eps=1e-12: axis is not None)
def lp_normalize(x: Any, /, *, p: float = 2.0, axis: Any = -1, eps: float = 1e-12) -> Any:
    return along("lp_normalize", axis, x, p=p, axis=axis, eps=eps)


@hookimpl
def rms_norm(x: Any, /, *, weight: Any = None, axis: Any = -1, eps: float | None = None) -> Any:
    return along("rms_norm", axis, x, weight=weight, axis=axis, eps=eps)
