"""Libraries that take arrays of the standard take these, unchanged, on every backend."""

from __future__ import annotations

from pathlib import Path

import array_api_compat as compat
import numpy as np
import pytest

import corearray as ca


def matrix(be):
    return be.asarray([[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]])


def same(x, expected, be):
    """Check an array of the backend against NumPy's."""
    assert isinstance(x, ca.Array) and x.backend is be
    np.testing.assert_allclose(np.asarray(x), np.asarray(expected), rtol=2e-5, atol=1e-6)


# --- array-api-compat


def test_the_namespace_is_found(be):
    x = matrix(be)
    assert compat.is_array_api_obj(x)
    assert compat.array_namespace(x, 1.0, None, x) is be
    assert compat.array_namespace(x, api_version="2024.12") is be
    assert compat.device(x) == x.device and compat.to_device(x, compat.device(x)) is x
    assert compat.size(x) == 6 and compat.is_writeable_array(x) and not compat.is_lazy_array(x)
    assert not any(
        getattr(compat, name)(be) for name in dir(compat) if name.startswith("is_") and name.endswith("namespace")
    )


def test_two_backends_are_two_namespaces(everywhere):
    if len(everywhere) < 2:
        pytest.skip("one backend is installed")
    one, two = everywhere[:2]
    with pytest.raises(TypeError, match=r"[Mm]ultiple namespaces"):
        compat.array_namespace(matrix(one), matrix(two))


def test_the_entry_point_gives_the_namespace():
    from importlib.metadata import entry_points

    (point,) = entry_points(group="array_api", name="corearray")
    assert point.load() is ca
    assert ca.__array_api_version__ == "2025.12"
    assert {"asarray", "linalg", "fft", "float32", "pi"} <= set(dir(ca))


# --- einops


def test_einops(be):
    import einops.array_api as einops

    x = matrix(be)
    plain = np.asarray(x)
    same(einops.rearrange(x, "a b -> b a"), plain.T, be)
    same(einops.rearrange(x, "a (b c) -> (a c) b", b=3), plain.reshape(2, 3, 1).transpose(0, 2, 1).reshape(2, 3), be)
    same(einops.rearrange([x, x], "k a b -> a (k b)"), np.concatenate([plain, plain], 1), be)
    same(einops.reduce(x, "a b -> b", "mean"), plain.mean(0), be)
    for name in ("sum", "max", "min", "prod"):
        same(einops.reduce(x, "a b -> a 1", name), getattr(plain, name)(1, keepdims=True), be)
    same(einops.repeat(x, "a b -> a b 2"), np.stack([plain, plain], 2), be)
    packed, shapes = einops.pack([x, x[0]], "* b")
    same(packed, np.concatenate([plain, plain[:1]]), be)
    first, second = einops.unpack(packed, shapes, "* b")
    same(first, plain, be)
    same(second, plain[0], be)
    np.testing.assert_array_equal(einops.asnumpy(x), plain)


# --- array-api-extra


EXTRA = {
    "angle": lambda xpx, x: (xpx.angle(x * 1j), np.full((2, 3), [[0, np.pi / 2, np.pi / 2], [np.pi / 2] * 3])),
    "apply_where": lambda xpx, x: (
        xpx.apply_where(x > 2, x, lambda a: a * 10, fill_value=-1.0),
        [[-1, -1, -1], [30, 40, 50]],
    ),
    "argpartition": lambda xpx, x: (xpx.argpartition(x, 1)[:, 0], [0, 0]),
    "at": lambda xpx, x: (xpx.at(x, 0).set(9.0, copy=True), [[9, 9, 9], [3, 4, 5]]),
    "at of a column": lambda xpx, x: (xpx.at(x)[:, 0].add(1.0, copy=True), [[1, 1, 2], [4, 4, 5]]),
    "at of a mask": lambda xpx, x: (xpx.at(x, x > 3).multiply(0.0, copy=True), [[0, 1, 2], [3, 0, 0]]),
    "atleast_nd": lambda xpx, x: (xpx.atleast_nd(x[0], ndim=3), [[[0, 1, 2]]]),
    "cov": lambda xpx, x: (xpx.cov(x), np.cov([[0, 1, 2], [3, 4, 5]])),
    "create_diagonal": lambda xpx, x: (xpx.create_diagonal(x[0]), np.diag([0, 1, 2])),
    "isclose": lambda xpx, x: (xpx.isclose(x, x + 1e-9), np.ones((2, 3), bool)),
    "kron": lambda xpx, x: (xpx.kron(x, x[:1]), np.kron([[0, 1, 2], [3, 4, 5]], [[0, 1, 2]])),
    "lazy_apply": lambda xpx, x: (xpx.lazy_apply(np.cumsum, x, as_numpy=True), [0, 1, 3, 6, 10, 15]),
    "nan_to_num": lambda xpx, x: (xpx.nan_to_num(x + float("nan")), np.zeros((2, 3))),
    "nunique": lambda xpx, x: (xpx.nunique(x % 2), 2),
    "one_hot": lambda xpx, x: (xpx.one_hot(x.backend.asarray([0, 2]), 3), [[1, 0, 0], [0, 0, 1]]),
    "pad": lambda xpx, x: (xpx.pad(x, 1), np.pad([[0, 1, 2], [3, 4, 5]], 1)),
    "setdiff1d": lambda xpx, x: (xpx.setdiff1d(x[0], x[0, 1:]), [0]),
    "sinc": lambda xpx, x: (xpx.sinc(x / 2), np.sinc(np.arange(6).reshape(2, 3) / 2)),
    "union1d": lambda xpx, x: (xpx.union1d(x[0], x[1]), np.arange(6)),
}


@pytest.mark.parametrize("what", EXTRA)
def test_array_api_extra(be, lazy, what):
    import array_api_extra as extra

    if lazy(be) and what == "setdiff1d":
        with pytest.raises(TypeError, match="Unsupported lazy shape"):  # it refuses unknown sizes
            EXTRA[what](extra, matrix(be))
        return
    found, expected = EXTRA[what](extra, matrix(be))
    same(found, expected, be)


# --- opt_einsum


OPERANDS = [np.random.default_rng(3).random(shape).astype("float32") for shape in ((2, 3), (3, 4), (4, 5), (5, 2))]


@pytest.mark.parametrize(
    "equation", ["ab,bc,cd,de->ae", "ab,bc,cd,da->", "ab,bc,cd->bd", "ab,bc", "ab->ba", "...b,bc->...c", "αβ,βγ"]
)
def test_opt_einsum(be, equation):
    import opt_einsum

    plain = OPERANDS[: equation.count(",") + 1]
    operands = [be.asarray(x) for x in plain]
    expected = opt_einsum.contract(equation, *plain, backend="numpy")
    same(opt_einsum.contract(equation, *operands), expected, be)
    expression = opt_einsum.contract_expression(equation, *(x.shape for x in plain))
    same(expression(*operands), expected, be)
    assert opt_einsum.contract_path(equation, *operands)[0] == opt_einsum.contract_path(equation, *plain)[0]


def test_opt_einsum_shares_and_keeps_intermediate_results(be):
    import opt_einsum

    a, b, c = (be.asarray(x) for x in OPERANDS[:3])
    expected = OPERANDS[0] @ OPERANDS[1] @ OPERANDS[2]
    with opt_einsum.shared_intermediates():
        for _ in range(2):
            same(opt_einsum.contract("ab,bc,cd->ad", a, b, c), expected, be)
    constants = opt_einsum.contract_expression("ab,bc,cd->ad", a, b, c.shape, constants=[0, 1])
    same(constants(c), expected, be)


# --- SciPy


def test_scipy(be, lazy, run_python):
    program = f"import sys; sys.path.insert(0, {str(Path(__file__).parent)!r})\n"
    program += f"import scipy_functions; scipy_functions.main({be.name!r}, {lazy(be)})"
    printed = run_python(program, SCIPY_ARRAY_API="1").splitlines()
    assert len(printed) == 1, "\n".join(printed)
