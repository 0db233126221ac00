"""array-api-strict as a backend named "strict": the primaries and nothing else, so that every composition is run.

Its arrays take what the standard 2025.12 allows and refuse the rest, which finds compositions that lean on more.
"""

from __future__ import annotations

import array_api_strict as xp
import numpy as np

import corearray as ca
from corearray.plugin import ArrayApiPlugin, BackendInfo


class StrictPlugin(ArrayApiPlugin):
    info = BackendInfo(
        "strict",
        framework="array-api-strict",
        framework_versions=">=2.5",
        array_types=("array_api_strict._array_object.Array",),
        summary="what the array API standard allows, and nothing more",
    )


def register() -> None:
    """Add the backend, for the edition of the standard that the core follows."""
    xp.set_array_api_strict_flags(api_version="2025.12", enabled_extensions=("linalg", "fft"))
    ca.register_backend(StrictPlugin(xp, to_numpy=np.asarray))
