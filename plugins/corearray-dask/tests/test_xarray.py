"""xarray over lazy arrays: results, chunks and laziness beside the same programs over Dask's own arrays."""

from __future__ import annotations

import pytest

import corearray as ca

xr = pytest.importorskip("xarray")
da = pytest.importorskip("dask.array")
np = pytest.importorskip("numpy")

PROGRAMS = {
    "mean": lambda x: x.mean("t"),
    "mean of all": lambda x: x.mean(),
    "std": lambda x: x.std("t", ddof=1),
    "var": lambda x: x.var("t", skipna=False),
    "where": lambda x: x.where(x > 0.0),
    "shift": lambda x: x.shift(t=1),
    "rolling": lambda x: x.rolling(t=3).mean(),
    "windows": lambda x: x.rolling(t=3).construct("w").max("w"),
    "interp": lambda x: x.interp(t=[0.5, 3.2, 7.7]),
    "interp of two axes": lambda x: x.interp(t=[0.5], y=[0.5]),
    "coarsen": lambda x: x.coarsen(t=3).mean(),
    "groups": lambda x: x.groupby(x.t // 4).mean(),
    "chunk": lambda x: x.chunk({"t": 6}),
    "sorted": lambda x: x.sortby("t", ascending=False),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_results_and_chunks(name):
    ca.integrations.register("xarray")
    values = np.random.default_rng(0).standard_normal((12, 8))
    values[3, 2] = np.nan
    places = {"t": np.arange(12.0), "y": np.arange(8.0)}
    plain = da.from_array(values, chunks=(4, 8))
    x, due = (
        xr.DataArray(data, dims=("t", "y"), coords=places) for data in (ca.get_backend("dask").wrap(plain), plain)
    )
    with ca.settings(compute="raise"):
        got, want = PROGRAMS[name](x), PROGRAMS[name](due)
    assert got.data.backend.name == "dask"
    assert got.chunks == want.chunks and got.dtype == want.dtype
    computed = got.compute()
    assert computed.chunks is None
    np.testing.assert_allclose(np.asarray(computed.data), want.values, rtol=1e-12)
