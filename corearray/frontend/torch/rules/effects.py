"""Calls that compute nothing: assertions, and switches of torch's own machinery."""

from __future__ import annotations

from corearray.frontend.torch.described import say

__all__: list[str] = []

say("""
torch._assert | torch._assert_async (condition, message="") = None
torch._assert_tensor_metadata(input, *args, **options) = None
torch._C._set_grad_enabled | torch.set_grad_enabled | torch.autograd.grad_mode.set_grad_enabled (mode) = None
torch.Tensor.record_stream(input, stream) = None
torch.manual_seed(seed) = None
""")
