"""`jax.config`: the options of JAX that change results, above all `jax_enable_x64`."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from corearray.calls.memo import answered
from corearray.errors import CoreArrayAttributeError, CoreArrayValueError

__all__ = ["Config", "config", "option_set", "x64"]

#: Options that change results here, with their values; `None` allows every value.
_CHOICES: dict[str, tuple[Any, ...] | None] = {
    "jax_enable_x64": (False, True),
    "jax_numpy_dtype_promotion": ("standard", "strict"),
    "jax_numpy_rank_promotion": ("allow", "warn", "raise"),
    "jax_disable_jit": (False, True),
    "jax_enable_custom_prng": (False, True),
}

#: Options that are read and written, and change nothing: they are about XLA, its caches and its devices.
_INERT = frozenset(
    "jax_debug_nans jax_debug_infs jax_platforms jax_platform_name jax_default_matmul_precision jax_log_compiles "
    "jax_check_tracer_leaks jax_threefry_partitionable jax_default_prng_impl jax_default_device jax_traceback_filtering "
    "jax_compilation_cache_dir jax_enable_compilation_cache jax_persistent_cache_min_compile_time_secs "
    "jax_transfer_guard jax_enable_checks jax_debug_key_reuse jax_explain_cache_misses".split()
)


def _start() -> dict[str, Any]:
    wide = os.environ.get("JAX_ENABLE_X64", "").lower() in ("1", "true", "yes", "on", "y", "t")
    return {
        "jax_enable_x64": wide, "jax_numpy_dtype_promotion": "standard", "jax_numpy_rank_promotion": "allow",
        "jax_disable_jit": False, "jax_enable_custom_prng": False, "jax_default_prng_impl": "threefry2x32",
        "jax_threefry_partitionable": True,
    }  # fmt: skip


#: The options of all threads, and those of blocks such as `jax.enable_x64()`.
_options = _start()
_local: ContextVar[dict[str, Any]] = ContextVar("options of the JAX frontend")


class Config:
    """JAX's options as attributes.

    Examples
    --------
    >>> import corearray.frontend.jax as jax
    >>> jax.config.jax_enable_x64
    False
    """

    def update(self, name: str, value: Any) -> None:
        """Set an option for the whole program.

        Raises
        ------
        AttributeError
            If JAX has no such option.
        ValueError
            If the option does not have this value.
        """
        _options[name] = _checked(name, value)

    def read(self, name: str) -> Any:
        """Return the value of an option."""
        return getattr(self, name)

    def __getattr__(self, name: str) -> Any:
        return _value(name)


@answered
def _value(name: str) -> Any:
    """Return the value of an option."""
    local = _local.get({})
    if name in local:
        return local[name]
    if name in _options:
        return _options[name]
    if name in _INERT:
        return None
    raise CoreArrayAttributeError(_unknown(name))


def _unknown(name: str) -> str:
    return f"Unrecognized config option: {name}; options here are {', '.join(sorted((*_CHOICES, *_INERT)))}"


def _checked(name: str, value: Any) -> Any:
    if name not in _CHOICES and name not in _INERT:
        raise CoreArrayAttributeError(_unknown(name))
    choices = _CHOICES.get(name)
    if choices is not None and value not in choices:
        raise CoreArrayValueError(
            f"new enum value for {name} must be one of {', '.join(map(repr, choices))}, got {value!r}"
        )
    return value


config = Config()


@contextmanager
def option_set(name: str, value: Any) -> Iterator[None]:
    """Set an option within a block, in this thread."""
    token = _local.set({**_local.get({}), name: _checked(name, value)})
    try:
        yield
    finally:
        _local.reset(token)


@answered
def x64() -> bool:
    """Return whether dtypes of 64 bits are enabled."""
    local = _local.get(None)
    wide = _options["jax_enable_x64"] if local is None else local.get("jax_enable_x64", _options["jax_enable_x64"])
    return bool(wide)
