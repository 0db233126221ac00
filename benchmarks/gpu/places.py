"""Devices and transfers by the frameworks' own means."""

from __future__ import annotations

import importlib
import shutil
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

__all__ = ["accelerator", "exact", "finished", "has_gpu", "native_device_names", "ready", "with_transfers"]


def has_gpu() -> bool:
    """Return whether the machine has a GPU of NVIDIA's."""
    return shutil.which("nvidia-smi") is not None or Path("/dev/nvidia0").exists()


def ready(backend: str) -> None:
    """Register the backends of this repository where they are not installed."""
    import corearray as ca

    for name in {"numpy", "torch", "jax"} if backend == "torch" else {"numpy", backend}:
        try:
            ca.get_backend(name)
        except ca.CoreArrayError:
            try:
                ca.register_backend(importlib.import_module(f"corearray_{name}").info)
                ca.get_backend(name)
            except (ImportError, ca.CoreArrayError):
                if name == backend:
                    raise
    ca.set_backend(backend)


def accelerator(backend: str) -> str:
    """Return corearray's name of the first GPU, or of the CPU where there is none."""
    import corearray as ca

    names = list(map(str, ca.get_backend(backend).devices()))
    return next((name for name in names if name.startswith(("gpu", "cuda"))), "cpu")


def exact(backend: str) -> None:
    """Switch the frameworks' rounding of float32 in products and convolutions on GPUs (TensorFloat-32) off."""
    if backend == "torch":
        import torch

        torch.backends.cuda.matmul.allow_tf32 = False
        torch.backends.cudnn.allow_tf32 = False
    else:
        import jax

        jax.config.update("jax_default_matmul_precision", "highest")


def native_device_names(x: Any) -> set[str]:
    """Return the names by which the framework calls the places of an array."""
    return set(map(str, x.devices())) if callable(getattr(x, "devices", None)) else {str(x.device)}


def finished(backend: str) -> Callable[[Any], Any]:
    """Return a function that waits for a native array."""
    if backend == "jax":
        import jax

        return lambda x: jax.block_until_ready(x)  # type: ignore[no-any-return]
    import torch

    def wait(x: Any) -> Any:
        if torch.cuda.is_available():
            torch.cuda.synchronize()
        return x

    return wait


def with_transfers(backend: str, call: Callable[[], Any]) -> tuple[Any, int]:
    """Return what a call returns, and how many hidden waits for the device or copies to the host it made.

    torch counts synchronising operations by its debug mode. JAX refuses implicit copies under its guard, so that the count is 0
    or 1. On a CPU there is nothing to count.
    """
    if backend == "torch":
        import torch

        if not torch.cuda.is_available():
            return call(), 0
        torch.cuda.set_sync_debug_mode("warn")
        try:
            with warnings.catch_warnings(record=True) as told:
                warnings.simplefilter("always")
                result = call()
        finally:
            torch.cuda.set_sync_debug_mode("default")
        return result, sum("synchronizing CUDA operation" in str(entry.message) for entry in told)
    import jax

    try:
        with jax.transfer_guard_device_to_host("disallow"):
            return call(), 0
    except Exception as error:
        if "isallowed" not in str(error) and "transfer" not in str(error):
            raise
    return call(), 1
