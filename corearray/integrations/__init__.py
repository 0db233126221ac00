"""Adapters with which other libraries take arrays. A library is imported when its adapter is registered."""

from __future__ import annotations

from importlib import import_module, util

from corearray.errors import CoreArrayImportError, CoreArrayValueError, options

__all__ = ["LIBRARIES", "register"]

#: The libraries that have an adapter, each with the distribution that installs it.
LIBRARIES = {
    "autoray": "autoray",
    "einops": "einops",
    "flax": "flax",
    "pot": "POT",
    "pymanopt": "pymanopt",
    "tensorly": "tensorly",
    "torch_data": "torch",
    "xarray": "xarray",
}

#: How libraries that have none take arrays, as a message says it.
_OTHERWISE = {
    "it takes arrays through 'autoray'; ": ("quimb", "cotengra", "torchquad"),
    "it takes arrays without one, by the array API standard; ": (
        "scipy", "scikit-learn", "sklearn", "array-api-extra", "array-api-compat", "opt-einsum",
    ),
}  # fmt: skip

#: The modules of libraries that are not named like their distributions.
_MODULES = {"pot": "ot", "torch_data": "torch"}


def register(*names: str) -> None:
    """Let libraries take arrays, by the mechanism that each has for arrays of others.

    - `"autoray"`: `autoray.do("sum", x)`, and with it quimb, cotengra and torchquad.
    - `"einops"`: `einops.rearrange(x, "a b -> b a")`, `reduce`, `repeat`, `einsum`, `pack`, `unpack`.
    - `"flax"`: `flax.serialization.to_bytes(tree)` and `from_bytes`, with arrays in the tree. Backends that are loaded
      later need another call.
    - `"pot"`: `ot.emd2(a, b, M)` and all functions of POT, with gradients.
    - `"pymanopt"`: the decorator `pymanopt.function.corearray(manifold)`, whose functions take arrays of the backend in
      force and have gradients and Hessians.
    - `"tensorly"`: `tensorly.set_backend("corearray")`.
    - `"torch_data"`: `torch.utils.data.default_collate`, and with it `DataLoader`, stacks arrays of any backend.
    - `"xarray"`: `mean`, `std`, `where`, `shift`, `pad`, `rolling` and `interp` of a `DataArray` over arrays, lazy ones
      of Dask too. Without the adapter arithmetic, `sum`, `max`, `isel` and `.chunks` work.

    Parameters
    ----------
    names
        Names of libraries, of those in `LIBRARIES`.

    Raises
    ------
    ValueError
        If there is no adapter of that name.
    ImportError
        If the library is not installed.

    Examples
    --------
    >>> import corearray as ca
    >>> import einops
    >>> ca.integrations.register("einops")
    >>> einops.rearrange(ca.asarray([[1, 2, 3]]), "a b -> b a").tolist()
    [[1], [2], [3]]

    Notes
    -----
    Arrays keep their backend. Each library is imported by the call that registers it, never before.
    """
    for name in names:
        if name not in LIBRARIES:
            way = next(
                (said for said, libraries in _OTHERWISE.items() if name.replace("_", "-").lower() in libraries), ""
            )
            raise CoreArrayValueError(f"there is no adapter for '{name}'; {way}there are {options(LIBRARIES)}")
        if util.find_spec(_MODULES.get(name, name)) is None:
            raise CoreArrayImportError(
                f"the adapter for '{name}' needs the library, which is not installed; run: pip install {LIBRARIES[name]}"
            )
        import_module(f"{__name__}.{name}").register()
