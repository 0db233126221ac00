"""Adapters for other libraries: the functions that each library calls, and the library itself where it is installed."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest

import corearray as ca
from corearray.integrations import LIBRARIES, einops, flax, pot, pymanopt, register, tensorly, torch_data, xarray
from corearray.integrations.numpy_names import FUNCTIONS

plain = np.asarray([[1.0, 4.0, 2.0], [3.0, 0.5, 6.0]])
square = plain[:, :2]


@pytest.fixture(autouse=True)
def in_force(be):
    with ca.backend_context(be.name):
        yield


@pytest.fixture
def differentiable(be):
    """A backend with derivatives."""
    try:
        ca.grad(ca.sum)(be.ones(1))
    except NotImplementedError as error:
        pytest.skip(str(error))
    return be


def same(got, want):
    pairs = zip(got, want, strict=True) if isinstance(want, tuple) else [(got, want)]
    for ours, theirs in pairs:
        assert isinstance(ours, ca.Array)
        np.testing.assert_allclose(ca.to_numpy(ours), theirs, rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize(
    "call",
    [
        lambda f, x: f("sum")(x, 1),
        lambda f, x: f("concatenate")([x, x], 1),
        lambda f, x: f("power")(x, 2),
        lambda f, x: f("cumsum")(x),
        lambda f, x: f("cumsum")(x, 0),
        lambda f, x: f("transpose")(x),
        lambda f, x: f("transpose")(x, (1, 0)),
        lambda f, x: f("linalg.norm")(x),
        lambda f, x: f("linalg.norm")(x, 1),
        lambda f, x: f("linalg.norm")(x, None, 0, True),
        lambda f, x: f("linalg.norm")(x, "nuc", (0, 1), True),
        lambda f, x: f("trace")(x, 1),
        lambda f, x: f("diagonal")(x, 1),
        lambda f, x: f("dot")(x, f("transpose")(x)),
        lambda f, x: f("tensordot")(x, x, ([0, 1], [0, 1])),
        lambda f, x: f("tensordot")(x, x, (0, 0)),
        lambda f, x: f("einsum")(x, [0, 1], x, [2, 1], [0, 2]),
        lambda f, x: f("einsum")("ij,ij->i", x, x),
        lambda f, x: f("clip")(x, 1.0, 3.0),
        lambda f, x: f("squeeze")(x),
        lambda f, x: f("take")(x, f("array")([2, 0]), 1),
        lambda f, x: f("diff")(x, 1, 0),
        lambda f, x: f("where")(x > 2.0),
        lambda f, x: f("where")(x > 2.0, x, -x),
        lambda f, x: f("vdot")(x, x),
        lambda f, x: f("linalg.svd")(x, False)[1],
    ],
)
def test_numpys_functions(be, call):
    def numpys(name):
        *path, last = name.split(".")
        return getattr(import_module(".".join(["numpy", *path])), last)

    want = call(numpys, plain)
    got = call(FUNCTIONS.__getitem__, be.asarray(plain))
    for ours, theirs in zip(got, want, strict=True) if isinstance(want, tuple) else [(got, want)]:
        np.testing.assert_allclose(ca.to_numpy(ours), theirs, rtol=1e-6, atol=1e-9)


def test_autoray_is_told_of_names(be, monkeypatch):
    told, classes = {}, {}
    stand_in = ModuleType("autoray")
    stand_in.register_backend = classes.__setitem__
    stand_in.register_function = lambda backend, name, function=None, **_: told.setdefault(name, function)
    monkeypatch.setitem(sys.modules, "autoray", stand_in)
    import_module("corearray.integrations.autoray").register()
    assert classes == {ca.Array: "corearray"}
    x = be.asarray(square)
    same(told["concatenate"]([x, x]), np.concatenate([square, square]))
    permutation, lower, upper = told["linalg.lu"](x)
    same(permutation @ lower @ upper, square)
    assert told["random.normal"](size=(2, 3), dtype="float64").shape == (2, 3)
    assert told["random.uniform"](2.0, 3.0, size=2, dtype="complex64").dtype == "complex64"
    q = told["linalg.householder_product"](
        be.asarray([[-3.0], [0.5]], dtype="float64"), be.asarray([1.6], dtype="float64")
    )
    same(q, [[-0.6], [-0.8]])


def test_einops_functions(be):
    functions, x = einops.Functions(), be.asarray(plain)
    assert functions.is_appropriate_type(x) and not functions.is_appropriate_type(plain)
    same(functions.transpose(functions.reshape(x, (3, 2)), (1, 0)), plain.reshape(3, 2).T)
    same(functions.reduce(x, "mean", (0,)), plain.mean(0))
    same(functions.tile(functions.add_axis(x, 1), (1, 2, 1)), np.stack([plain, plain], 1))
    assert functions.is_float_type(x) and not functions.is_float_type(be.asarray([1]))


def test_pot_functions(be):
    x = be.asarray(square)
    nx = type("Backend", (pot.Functions, SimpleNamespace), {})()
    same(nx.sqrtm(x @ x.mT) @ nx.sqrtm(x @ x.mT), square @ square.T)
    same(nx.logsumexp(x, axis=1), np.log(np.exp(square).sum(1)))
    same(
        nx.coo_matrix(be.asarray([1.0, 2.0]), be.asarray([0, 1]), be.asarray([1, 1]), shape=(2, 3)),
        [[0, 1, 0], [0, 2, 0]],
    )
    values, inverse = nx.unique(be.asarray([3, 1, 3]), return_inverse=True)
    same((values, inverse), ([1, 3], [1, 0, 1]))
    assert nx.bitsize(x) == 64 and nx.device_type(x) == "CPU"
    same(nx.randn(2, type_as=x) * 0.0, [0.0, 0.0])


def test_tensorly_functions(be):
    x = tensorly.Functions.tensor(plain, dtype="float64")
    same(tensorly.Functions.norm(x), np.linalg.norm(plain))
    same(tensorly.Functions.norm(x, "inf"), 6.0)
    same(tensorly.Functions.clip(x, a_min=1.0, inplace=True), np.clip(plain, 1.0, None))
    same(x, np.clip(plain, 1.0, None))
    assert tensorly.Functions.context(x) == {"dtype": x.dtype, "device": x.device}
    for rows in ([[1.0, 0.0], [0.0, 2.0], [1.0, 1.0]], [[1.0, 1.0], [2.0, 2.0], [0.0, 0.0]]):
        one, other = np.asarray(rows), np.asarray([[1.0], [2.0], [4.0]])
        given = [tensorly.Functions.tensor(each, dtype="float64") for each in (one, other)]
        same(tensorly.Functions.lstsq(*given), np.linalg.lstsq(one, other, rcond=None)[:2])


def test_pymanopt_functions(differentiable):
    class Base:
        def __init__(self, name):
            self.name = name

    made = type("Backend", (pymanopt.Functions, Base), {})()

    def cost(x, y):
        return ca.sum(x**2 * y)

    points, vectors = (square, square + 1.0), (np.ones((2, 2)), np.zeros((2, 2)))
    assert made.prepare_function(cost)(*points) == pytest.approx(np.sum(points[0] ** 2 * points[1]))
    first, second = made.generate_gradient_operator(cost, 2)(*points)
    np.testing.assert_allclose(first, 2 * points[0] * points[1])
    np.testing.assert_allclose(second, points[0] ** 2)
    along, _ = made.generate_hessian_operator(cost, 2)(*points, *vectors)
    np.testing.assert_allclose(along, 2 * points[1])
    slope = made.generate_gradient_operator(lambda z: ca.real(ca.sum(z * ca.conj(z))), 1)(np.asarray([1 + 2j]))
    np.testing.assert_allclose(slope, [2 + 4j])


def test_flax_state(be):
    x = be.asarray([1, 2], dtype="int32")
    back = flax.from_state(x, flax.to_state(x))
    assert type(back) is type(x) and back.dtype == x.dtype and back.tolist() == [1, 2]
    with pytest.raises(ValueError, match="shape"):
        flax.from_state(x, np.zeros(3))


def test_batches(be):
    same(torch_data.collate([be.asarray(plain), be.asarray(plain)]), np.stack([plain, plain]))


def test_xarray_namespace(be):
    """The options and names of NumPy that xarray asks a namespace for."""
    names, x = xarray.Namespace(be), be.asarray(plain)
    for name in ("std", "var", "nanstd", "nanvar"):
        wide = getattr(names, name)(x, axis=1, dtype="float64", ddof=1)
        assert wide.dtype == "float64"
        same(wide, getattr(np, name)(plain, axis=1, ddof=1))
        same(getattr(names, name)(x), getattr(np, name)(plain))
    same(names.nanmean(x, axis=0, dtype="float64"), plain.mean(0))
    same(names.cumsum(x, axis=1), plain.cumsum(1))
    same(names.cumprod(x, axis=1), plain.cumprod(1))
    same(names.cross(x, x[::-1, :]), np.cross(plain, plain[::-1]))
    same(names.quantile(x, np.asarray([0.5]), axis=1), np.quantile(plain, [0.5], axis=1))
    same(names.nanquantile(x, q=0.5, axis=1), np.nanquantile(plain, 0.5, axis=1))
    same(names.gradient(x, np.asarray([0.0, 1.0, 3.0]), axis=1), np.gradient(plain, [0.0, 1.0, 3.0], axis=1))
    windows = names.lib.stride_tricks.sliding_window_view
    for shape, axis in ((2, 1), ((2, 2), (0, 1)), ((2,), -1), ((1, 3), None)):
        same(windows(x, shape, axis=axis), np.lib.stride_tricks.sliding_window_view(plain, shape, axis))
    same(names.max(x), plain.max())


def installed(name):
    module = {"pot": "ot", "torch_data": LIBRARIES["torch_data"]}.get(name, name)
    return pytest.mark.skipif(find_spec(module) is None, reason=f"needs {LIBRARIES[name]}")


@installed("einops")
def test_einops(be):
    import einops as library

    register("einops", "einops")
    x = be.asarray(plain)
    same(library.rearrange(x, "a b -> b a"), plain.T)
    same(library.reduce(x, "a b -> b", "max"), plain.max(0))
    same(library.repeat(x, "a b -> a b 2"), np.stack([plain, plain], 2))
    same(library.einsum(x, x, "a b, c b -> a c"), plain @ plain.T)


@installed("torch_data")
def test_batches_of_data_loaders(be):
    register("torch_data")
    collate = import_module(f"{LIBRARIES['torch_data']}.utils.data").default_collate
    made = collate([{"x": be.asarray(plain), "name": "a"}, {"x": be.asarray(plain), "name": "b"}])
    same(made["x"], np.stack([plain, plain]))
    assert made["name"] == ["a", "b"]


@installed("xarray")
def test_xarray(be):
    library = import_module("xarray")
    register("xarray")
    register("xarray")
    values = np.arange(24.0).reshape(8, 3)
    values[2, 1] = np.nan
    places = {"t": np.arange(8.0), "y": np.arange(3.0)}
    x, want = (
        library.DataArray(data, dims=("t", "y"), coords=places)
        for data in (be.asarray(values, dtype="float64"), values)
    )
    assert x.dtype == want.dtype
    for program in (
        lambda x: x.mean("t"),
        lambda x: x.std("t", ddof=1),
        lambda x: x.var("t", skipna=False),
        lambda x: x.where(x > 4.0),
        lambda x: x.shift(t=1),
        lambda x: x.pad(t=1),
        lambda x: x.rolling(t=3).mean(),
        lambda x: x.coarsen(t=2).max(),
        lambda x: (x - x.mean("t")) / x.std("t"),
    ):
        got = program(x)
        assert isinstance(got.data, ca.Array) and got.data.backend is be
        np.testing.assert_allclose(np.asarray(got.data), program(want).values, rtol=1e-12)
        assert got.dtype == want.dtype


@installed("autoray")
def test_autoray(be):
    library = import_module("autoray")
    register("autoray")
    x = be.asarray(square)
    same(library.do("linalg.norm", x), np.linalg.norm(square))
    same(library.do("scipy.linalg.expm", library.do("zeros", (2, 2), like=x)), np.eye(2))


@installed("pot")
@pytest.mark.filterwarnings("ignore")  # POT names what it could use besides
def test_pot(be):
    library = import_module("ot")
    register("pot")
    a = be.asarray([0.5, 0.5], dtype="float64")
    same(library.emd(a, a, be.asarray(square)), library.emd([0.5, 0.5], [0.5, 0.5], square))
    places = np.asarray([0.0, 2.0])
    with ca.backend_context(be):
        same(library.emd_1d(be.asarray(places), be.asarray(places), a, a), library.emd_1d(places, places))
    count = len(import_module("ot.backend").get_available_backend_implementations())
    register("pot")
    assert len(import_module("ot.backend").get_available_backend_implementations()) == count


@installed("pymanopt")
def test_pymanopt(differentiable):
    library = import_module("pymanopt")
    register("pymanopt")
    manifold = import_module("pymanopt.manifolds").Sphere(2)

    @library.function.corearray(manifold)
    def cost(x):
        return ca.sum(x * ca.asarray([1.0, 2.0], dtype="float64"))

    np.testing.assert_allclose(library.Problem(manifold, cost).euclidean_gradient(np.asarray([1.0, 0.0])), [1.0, 2.0])


@installed("tensorly")
def test_tensorly(be):
    library = import_module("tensorly")
    register("tensorly")
    with import_module("tensorly.backend").backend_context("corearray", local_threadsafe=True):
        same(library.unfold(library.tensor(plain), 1), plain.T)


@installed("flax")
def test_flax(be):
    serialization = import_module("flax.serialization")
    register("flax")
    tree = {"w": be.asarray(plain)}
    same(serialization.from_bytes(tree, serialization.to_bytes(tree))["w"], plain)


def test_names():
    with pytest.raises(ValueError, match="there is no adapter for 'ivy'; there are 'autoray'"):
        register("ivy")
    with pytest.raises(
        ValueError, match="'scikit-learn'; it takes arrays without one, by the array API standard; there"
    ):
        register("scikit-learn")
    with pytest.raises(ValueError, match="'quimb'; it takes arrays through 'autoray'; there are"):
        register("quimb")


def test_absent_libraries_are_named(monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(ImportError, match="run: pip install POT"):
        register("pot")


def test_no_library_is_imported_unless_asked():
    program = "import sys, corearray as ca; ca.integrations; print({'autoray', 'einops', 'ot'} & {*sys.modules})"
    assert (
        subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout == "set()\n"
    )
