"""Comparisons, tests for special values, and logic; operators take Python scalars on either side."""

from __future__ import annotations

import operator
from typing import Any

import torch

from corearray.plugin import hookimpl
from corearray_torch.native import BITS_IN, ORDER_IN, TRUTH
from corearray_torch.scalars import scalar_tensor


@hookimpl(native=operator.eq, fast=torch.Tensor.eq, scalars=scalar_tensor, via=BITS_IN)
def equal(x1: Any, x2: Any, /) -> Any: ...


@hookimpl(native=operator.gt, fast=torch.Tensor.gt, scalars=scalar_tensor, via=ORDER_IN)
def greater(x1: Any, x2: Any, /) -> Any: ...


@hookimpl(native=operator.ge, fast=torch.Tensor.ge, scalars=scalar_tensor, via=ORDER_IN)
def greater_equal(x1: Any, x2: Any, /) -> Any: ...


@hookimpl(native=torch.isfinite, via=BITS_IN)
def isfinite(x: Any, /) -> Any: ...


@hookimpl(native=torch.isinf, via=BITS_IN)
def isinf(x: Any, /) -> Any: ...


@hookimpl(native=torch.isnan, via=BITS_IN)
def isnan(x: Any, /) -> Any: ...


@hookimpl(native=operator.lt, fast=torch.Tensor.lt, scalars=scalar_tensor, via=ORDER_IN)
def less(x1: Any, x2: Any, /) -> Any: ...


@hookimpl(native=operator.le, fast=torch.Tensor.le, scalars=scalar_tensor, via=ORDER_IN)
def less_equal(x1: Any, x2: Any, /) -> Any: ...


@hookimpl(native=torch.logical_and, via=TRUTH)
def logical_and(x1: Any, x2: Any, /) -> Any: ...


@hookimpl(native=torch.logical_not, via=TRUTH)
def logical_not(x: Any, /) -> Any: ...


@hookimpl(native=torch.logical_or, via=TRUTH)
def logical_or(x1: Any, x2: Any, /) -> Any: ...


@hookimpl(native=torch.logical_xor, via=TRUTH)
def logical_xor(x1: Any, x2: Any, /) -> Any: ...


@hookimpl(native=operator.ne, fast=torch.Tensor.ne, scalars=scalar_tensor, via=BITS_IN)
def not_equal(x1: Any, x2: Any, /) -> Any: ...
