"""Programs of NumPy on another backend, compared with NumPy: values, result types, writes, derivatives."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import signal, special

import corearray as ca
from corearray.frontend.numpy.promotion import promoted, result_dtype
from corearray.transforms.tree import Tree

RANDOM = np.random.default_rng(5)
A, B = RANDOM.normal(size=(3, 4)), RANDOM.normal(size=(3, 4))
SQUARE = A @ A.T + np.eye(3)
NARROW = A.astype(np.float32)
INTS = RANDOM.integers(-9, 9, (3, 4))
SMALL = RANDOM.integers(1, 9, (3, 4)).astype(np.int8)
MASK = A > 0

DTYPES = "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 complex64 complex128".split()


def in_place(x, y):
    total = np.zeros_like(x)
    total += x
    total[0] = 5
    row = total[1]
    row *= 2
    np.add(total, y, out=total)
    total[:, ::2] -= 1
    return total, row


def normalised(x, weights):
    x = (x - x.mean(axis=0, keepdims=True)) / (x.std(axis=0, keepdims=True) + 1e-5)
    hidden = np.maximum(x @ weights, 0)
    scores = np.exp(hidden - hidden.max(axis=-1, keepdims=True))
    return scores / scores.sum(axis=-1, keepdims=True)


PROGRAMS = {
    "arithmetic": (lambda x, y: (x + y * 2 - x / 3, x**2, -x, abs(x), x // 2, x % 3, 2 - x, 1 / (abs(x) + 1)), A, B),
    "integers": (lambda x, y: (x + y, x * 2, x / 2, x // 2, x % 3, x & 5, x << 1, ~x, x**2, np.sqrt(abs(x))), INTS, SMALL),
    "small integers": (lambda x: (np.sin(x), x * 2.5, x.sum(axis=0), x.mean(), np.prod(x), x / x, np.cumsum(x, axis=1)), SMALL),
    "float32": (lambda x: (x * 2, x.mean(), np.exp(x), x.sum(), x + 1, np.arctan2(x, x), x.astype(int)), NARROW),
    "mixed": (lambda x, y, z: (x + y, np.maximum(y, z), np.where(z, x, y), x * z, np.concatenate([y, x])), NARROW, INTS, MASK),
    "truth values": (lambda m: (m & True, ~m, m.any(axis=0), m.all(), m.sum(), np.logical_xor(m, m), np.max(m)), MASK),
    "elementwise": (
        lambda x: [getattr(np, n)(x) for n in "sin cos tanh exp expm1 floor ceil rint sign square cbrt isnan sinh".split()],
        A,
    ),
    "reductions": (
        lambda x: (
            x.sum(axis=1), x.prod(), x.max(axis=0), x.min(), x.var(axis=0, ddof=1), x.std(), np.median(x, axis=0), x.argmax(),
            np.argmin(x, axis=1), np.cumsum(x), np.add.reduce(x), np.add.accumulate(x), np.multiply.outer(x[0], x[1]),
            np.ptp(x, axis=0), np.average(x, axis=0, weights=np.array([1.0, 2, 3])), np.quantile(x, 0.3), np.diff(x),
        ),
        A,
    ),
    "shapes": (
        lambda x: (
            x.reshape(4, 3), x.reshape(-1), x.T, x.transpose(1, 0), x[:, None], x[::-1, 1:3], x[[0, 2]], x[x > 0.1].sum(),
            np.stack([x, x]), np.hstack([x, x]), np.vstack([x, x]), np.tile(x, 2), np.repeat(x, 2, axis=0), np.roll(x, 1),
            np.flip(x, 1), np.tril(x), np.diag(x), np.pad(x, ((0, 1), (2, 0))), np.swapaxes(x, 0, 1), x.ravel(), x.copy(),
            np.broadcast_to(x[0], (2, 4)), np.expand_dims(x, 0), np.squeeze(x[:1]),
            np.take(x, [0, 2], axis=1),
            np.split(x, 2, 1), np.meshgrid(x[0], x[1]), np.take_along_axis(x, np.argsort(x), axis=1),
            np.moveaxis(x, 0, 1), x.flatten(),
        ),
        A,
    ),
    "new arrays": (
        lambda x: (
            x[0] + np.arange(4), x + np.ones(4), x * np.linspace(0, 1, 4), np.full((2, 2), x[0, 0]), np.eye(3) @ x,
            np.ones_like(x) + x, np.full_like(x, 3) * x, np.arange(0, 1, 0.25) * x,
        ),
        A,
    ),
    "linear algebra": (
        lambda a: (
            np.linalg.inv(a), np.linalg.det(a), np.linalg.solve(a, a[0]), np.linalg.norm(a), np.linalg.norm(a, axis=1),
            np.linalg.eigvalsh(a), np.linalg.cholesky(a), np.dot(a, a[0]), np.inner(a, a), np.outer(a[0], a[1]), np.trace(a),
            np.einsum("ij,jk->ik", a, a), np.tensordot(a, a), np.kron(a, a), np.cross(a, a[::-1]), np.linalg.norm(a, ord=1),
        ),
        SQUARE,
    ),
    "Fourier": (lambda x: (np.fft.fft(x), np.fft.rfft(x), np.fft.irfft(np.fft.rfft(x)), np.fft.fftshift(x)), A),
    "sorting": (lambda x: (np.sort(x), np.argsort(x, axis=0), np.searchsorted(np.sort(x[0]), x[1]), np.clip(x, -0.5, 0.5)), A),
    "writes": (in_place, A, B),
    "a layer": (normalised, A, B.T),
}  # fmt: skip


def on(target, x):
    return ca.get_backend(target).asarray(x)


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("to", ["numpy", "torch"])
def test_values(name, to, target):
    program, *args = PROGRAMS[name]
    wanted = program(*(x.copy() for x in args))
    t = ca.transpile(program, *args, to=target if to == "numpy" else to, source="numpy")
    found = t(*(on(t.backend.name, x) for x in args))
    for place, (mine, theirs) in enumerate(zip(Tree(found).leaves, Tree(wanted).leaves, strict=True)):
        assert (str(mine.dtype), tuple(mine.shape)) == (str(np.asarray(theirs).dtype), np.shape(theirs)), place
        np.testing.assert_allclose(ca.to_numpy(mine), theirs, rtol=1e-5, atol=1e-6, err_msg=str(place))


POSITIVE = np.abs(A) + 0.25
SHARES = np.clip(POSITIVE / 4, 0.05, 0.95)
SCIPY = {
    "errors": (lambda x: (special.erf(x), special.erfc(x), special.ndtr(x)), A),
    "gamma": (lambda x: (special.gammaln(x), special.psi(x), special.gamma(x), special.gammainc(x, x)), POSITIVE),
    "beta": (lambda x: (special.betaln(x, x), special.betainc(x, x, x), special.ndtri(x), special.erfinv(x)), SHARES),
    "shares": (lambda x: (special.expit(x), special.logit(x)), SHARES),
    "entropies": (lambda x: (special.entr(x), special.xlogy(x, x), special.xlog1py(x, x), special.rel_entr(x, 2.0)), POSITIVE),
    "sums": (lambda x: (special.logsumexp(x, axis=1), special.softmax(x, axis=0), special.log_softmax(x)), A),
    "Bessel": (lambda x: (special.i0(x), special.i0e(x), special.zeta(x + 1, 2.0)), POSITIVE),
}  # fmt: skip


@pytest.mark.parametrize("name", SCIPY)
def test_functions_of_scipy(name, target):
    program, x = SCIPY[name]
    found = ca.transpile(program, x, to=target, source="numpy")(ca.get_backend(target).asarray(x))
    for mine, theirs in zip(found, program(x), strict=True):
        assert str(mine.dtype) == str(theirs.dtype)
        np.testing.assert_allclose(ca.to_numpy(mine), theirs, rtol=1e-9, atol=1e-12)


def test_arguments_are_not_written_into():
    def program(x):
        x += 1
        return x

    t, x = ca.transpile(program, A, to="torch", source="numpy"), on("torch", A)
    np.testing.assert_allclose(ca.to_numpy(t(x)), A + 1)
    np.testing.assert_allclose(ca.to_numpy(x), A)


def test_numbers_of_numpy_have_dtypes(target):
    t = ca.transpile(
        lambda x: (x * np.float64(2), x * 2.0, np.where(np.True_, x, 0)), NARROW, to=target, source="numpy"
    )
    assert [str(x.dtype) for x in t(on(target, NARROW))] == ["float64", "float32", "float32"]


def test_derivatives_on_torch():
    t = ca.transpile(normalised, A, B.T, to="torch", source="numpy")
    x, weights = on("torch", A), on("torch", B.T)
    slope = ca.to_numpy(ca.grad(lambda w: ca.sum(t(x, w) * x[:, :3]))(weights))
    step = 1e-6
    moved = B.T.copy()
    moved[1, 2] += step
    difference = ((normalised(A, moved) - normalised(A, B.T)) * A[:, :3]).sum() / step
    assert slope[1, 2] == pytest.approx(difference, rel=1e-4)


def test_result_types_are_those_of_numpy():
    for one in DTYPES:
        for other in DTYPES:
            assert str(promoted(getattr(ca, one), getattr(ca, other))) == str(np.promote_types(one, other)), (
                one,
                other,
            )
        for number in (True, 1, 1.0, 1j):
            array = ca.zeros((1,), dtype=one)
            assert str(result_dtype(array, number)) == str(np.result_type(np.zeros(1, one), number)), (one, number)


def test_solve_of_a_vector_follows_the_version():
    a, b = np.stack([SQUARE] * 3), A[:, :3]
    new, old = (ca.frontend.get_frontend("numpy", version) for version in ("2.1", "1.26"))
    assert new.linalg.solve(on("numpy", a), on("numpy", b)).shape == (3, 3, 3)
    assert old.linalg.solve(on("numpy", a), on("numpy", b)).shape == (3, 3)


@pytest.mark.parametrize("name", ["a layer", "writes", "arithmetic", "mixed"])
def test_the_text_runs(name, target):
    program, *args = PROGRAMS[name]
    t = ca.transpile(program, *args, to=target, source="numpy")
    assert "import corearray.frontend.numpy as numpy" in t.source
    scope = {}
    exec(t.source, scope)
    given = [on(target, x) for x in args]
    constants = list(t._first._constants.values())
    with ca.backend_context(target):
        found = scope[t._first.program.name if name in ("a layer", "writes") else "program"](
            *([constants] if constants else []), *given
        )
    for mine, theirs in zip(Tree(found).leaves, Tree(program(*(x.copy() for x in args))).leaves, strict=True):
        assert str(mine.dtype) == str(theirs.dtype)
        np.testing.assert_allclose(ca.to_numpy(mine), theirs, rtol=1e-5, atol=1e-6)


def test_out_is_written_into_and_returned():
    frontend = ca.frontend.get_frontend("numpy")
    x, out = on("numpy", INTS.copy()), ca.get_backend("numpy").zeros((3, 4), dtype="float32")
    assert frontend.add(x, 1, out=out) is out
    assert np.array_equal(ca.to_numpy(out), INTS + 1)
    assert np.array_equal(ca.to_numpy(frontend.add.outer(x[0], x[1])), np.add.outer(INTS[0], INTS[1]))
    with pytest.raises(ValueError, match="binary functions"):
        frontend.sin.outer(x, x)


def test_missing_functions_are_named():
    report = ca.transpile_report(lambda x: signal.medfilt(x), A, source="numpy")
    assert "scipy.signal.medfilt" in report.missing
    with pytest.raises(NotImplementedError, match=r"scipy\.signal\.medfilt"):
        ca.transpile(lambda x: signal.medfilt(x), SQUARE, to="torch", source="numpy")


def overlapping(x):
    x[1:] = x[:-1]
    x[:, ::-1] = x
    x[:-1, 1:] += x[1:, :-1]
    x[0], x[1] = x[1], x[0]
    x[:3, :3] += x[:3, :3].T
    np.add(x[1:], x[:-1], out=x[:-1])
    np.take(x, [2, 1, 0], axis=0, out=x)
    row = x[::-1]
    row *= x
    return x


def written_by_functions(x):
    rest = x.copy()
    np.copyto(rest[0], 3)
    np.put(rest, [0, 5], [1, 2])
    np.putmask(rest, rest > 1, 0)
    np.put_along_axis(rest, rest.argmax(1)[:, None], -5, 1)
    np.fill_diagonal(rest, 9)
    x.sort(axis=1)
    x[1].fill(x[2, 2])
    x.flat[::5] = [1, 2]
    return x, rest, x.flat[3]


def masked(x, y):
    quotient = np.divide(x, y, out=np.zeros_like(x), where=y > 0)
    np.add(quotient, 1, out=quotient, where=x > 0)
    return (
        quotient,
        np.square(y, out=np.ones_like(y), where=y > 0),
        np.sum(x, where=y > 0),
        np.max(x, where=y > 0, initial=0),
        np.max(x > 0, axis=1, where=y > 0, initial=False),
        np.min(x > 0, initial=0),
        np.min(x.astype("int32"), initial=-0.5),
        np.max(x[:0], axis=0, initial=-1),
    )


def of_ufuncs(x, places):
    made = np.zeros(4)
    np.add.at(made, places, 1.0)
    np.maximum.at(made, (places,), x[0, 0])
    np.subtract.at(made, [0, 0], 2.0)
    np.negative.at(made, [1, 1])
    return (
        made, np.subtract.outer(x[0], x[1]), np.hypot.outer(x[0], x[1]), np.add.outer(x[0], x[1]), np.subtract.reduce(x),
        np.add.reduceat(x, [0, 2], axis=1), np.hypot.accumulate(x), np.logical_xor.reduce(x > 0),
    )  # fmt: skip


def of_the_api(x):
    bins = np.array([-1.0, 0.0, 1.0])
    return (
        np.histogram(x, bins=bins)[0], np.polyfit(x[0], x[1], 2), np.polyval([1, 2, 3], x), np.isin(x, [1, 2]),
        np.resize(x, (2, 3)), np.ediff1d(x), np.digitize(x, [-1, 0, 1]), np.digitize(x, [1, 0, -1]),
        np.delete(x, [0, 2], axis=1), np.insert(x, 1, 0, axis=1), np.repeat(x, [1, 0, 2], axis=0),
        x.reshape(4, 3, order="F"), np.roll(x, 2**70 + 1), np.roll(x, (1, -2), (0, 1)),
        np.linalg.lstsq(x.T, x[0], rcond=None)[::2], np.r_[x[0], 1, x[1]], np.c_[x[0], x[1]],
        np.apply_along_axis(lambda row: row / row.sum(), 1, x), np.linalg.eigvals(x[:, :3] @ x[:, :3].T).real.sum(),
        np.lib.stride_tricks.as_strided(x, (2, 3), (x.strides[0], x.strides[1])),
    )  # fmt: skip


def histograms(x):
    return (
        *np.histogram(x, 5), *np.histogram(x, 4, range=(-1.0, 1.5), density=True), *np.histogram(x, 3, weights=x**2),
        *np.histogram2d(x[0], x[1], bins=(2, 3)), np.histogramdd(x[:, :2], bins=[2, np.array([-1.0, 0.0, 2.0])])[0],
        np.histogram(np.ones(3) * x[0, 0], 2)[0], np.allclose(x, x + 1e-9), np.allclose(x, -x), np.array_equal(x, x),
        np.array_equiv(x, x[:1]), np.where(np.allclose(x, x), x, 0.0),
    )  # fmt: skip


def functions_of_elements(x):
    return (
        np.vectorize(lambda a, b=2.0: a * b + np.sin(a))(x), np.apply_along_axis(np.sort, 0, x),
        np.piecewise(x, [x < -0.5, x > 0.5], [lambda t: -t, lambda t: t**2, 0.25]), np.apply_over_axes(np.sum, x, [0, 1]),
        np.select([x < -0.5, x > 0.5], [x, x**2], default=-1.0),
    )  # fmt: skip


def shaped_by_elements(x):
    for _ in range(2):
        x[x > 0.5] -= 1
        x[x < 0] = x[x < 0] ** 2
    return x, np.unique(np.round(x)), np.flatnonzero(x > 0.1)


RARER = {
    f.__name__: f
    for f in (
        overlapping,
        written_by_functions,
        masked,
        of_ufuncs,
        of_the_api,
        histograms,
        functions_of_elements,
        shaped_by_elements,
    )
}


@pytest.mark.parametrize("name", RARER)
def test_writes_and_rarer_functions(name, target):
    program = RARER[name]
    args = {"masked": (A, B), "of_ufuncs": (A, np.array([0, 3, 0, -1]))}.get(name, (A,))
    wanted = program(*(x.copy() for x in args))
    found = ca.transpile(program, *args, to=target, source="numpy")(*(on(target, x) for x in args))
    for place, (mine, theirs) in enumerate(zip(Tree(found).leaves, Tree(wanted).leaves, strict=True)):
        assert (str(mine.dtype), tuple(mine.shape)) == (str(np.asarray(theirs).dtype), np.shape(theirs)), place
        np.testing.assert_allclose(ca.to_numpy(mine), theirs, rtol=1e-5, atol=1e-6, err_msg=str(place))


def test_overlapping_writes_of_the_api(target):
    frontend = ca.frontend.get_frontend("numpy")
    with ca.backend_context(target):
        x = frontend.asarray(A.copy())
        x[1:] = x[:-1]
        x[:, ::-1] = x
        x[:-1] += x[1:]
        wanted = A.copy()
        wanted[1:] = wanted[:-1].copy()
        wanted[:, ::-1] = wanted.copy()
        wanted[:-1] += wanted[1:].copy()
        np.testing.assert_array_equal(ca.to_numpy(x.array), wanted)
        assert x.strides == A.strides


def test_windows(target):
    def program(x):
        windows = np.lib.stride_tricks.sliding_window_view
        return windows(x, 2, axis=0), windows(x, (2, 3)), windows(x[0], 3), windows(x, (2, 2), axis=(1, 0))

    found = ca.transpile(program, A, to=target, source="numpy")(on(target, A))
    for mine, theirs in zip(found, program(A), strict=True):
        np.testing.assert_array_equal(ca.to_numpy(mine), theirs)


def test_a_new_array_is_written_into_there_and_back(target):
    """The text of the first graph holds functions that the second trace does not see: it runs by its rules then."""

    def program(x):
        made = np.zeros(3, np.float64).astype(np.float32)
        made[:2] = x
        return made

    x = np.ones(2, np.float32)
    t = ca.transpile(program, x, to="numpy", source="numpy")
    back = ca.transpile(t.apply, t.parameters, x, to=target, source="numpy")
    assert back(t.parameters, on(target, x)).tolist() == [1.0, 1.0, 0.0]


def test_copies_are_made_where_numpy_makes_them(target):
    def program(x):
        shown, copied, asked = np.asarray(x), np.array(x), np.asarray(x, copy=True)
        copied[0], asked[1] = 5.0, 7.0
        return (
            x,
            shown,
            copied,
            asked,
            np.array(x, copy=None, dtype="float64"),
            np.array(x, ndmin=3),
            np.array(x, copy=False),
        )

    x = np.arange(4, dtype="float32")
    for mine, theirs in zip(ca.transpile(program, x, to=target, source="numpy")(x), program(x.copy()), strict=True):
        found = ca.to_numpy(ca.asarray(mine))
        assert found.dtype == theirs.dtype
        np.testing.assert_array_equal(found, theirs)


def test_scalars_and_masked_writes(target):
    def program(x):
        x = x.copy()
        first = x[0]
        x[0], x[2] = x[2], first
        x[1] -= x[2] * 2
        first += 1
        np.putmask(x, x > 2, 9.0)
        np.copyto(x, 7.0, where=x < 0)
        return x, first

    x = np.asarray([1.0, 0.5, 3.0])
    found, first = ca.transpile(program, x, to=target, source="numpy")(on(target, x))
    assert (found.tolist(), float(first)) == (program(x)[0].tolist(), 2.0)


def test_draws_are_refused():
    generator = np.random.default_rng(0)
    draws = (
        lambda x: x + generator.normal(size=3),
        lambda x: x + np.random.default_rng(3).normal(size=3),
        lambda x: x + np.random.rand(3),
    )
    for program in draws:
        with pytest.raises(TypeError, match="draws random numbers"):
            ca.transpile(program, np.ones(3), to="numpy", source="numpy")
    assert generator.normal(size=3).shape == (3,)


def k_means(x, centres):
    for _ in range(3):
        nearest = np.argmin(np.sum((x[:, None] - centres) ** 2, axis=-1), axis=-1)
        centres = np.stack([x[nearest == number].mean(axis=0) for number in range(len(centres))])
    return centres


def test_shapes_that_depend_on_elements_are_known_along_the_other_axes(target):
    x = np.concatenate([A, A + 5.0])
    t = ca.transpile(k_means, x, x[[0, 3]], to=target, source="numpy")
    for order in (slice(None), slice(None, None, -1)):
        assert np.allclose(ca.to_numpy(t(x[order], x[order][[0, 3]])), k_means(x[order], x[order][[0, 3]]))


def halved(x):
    steps = 0
    while np.max(x) > 1.0:
        x, steps = x / 2, steps + 1
    return x, steps


def test_reads_of_elements_are_refused_or_assumed(target):
    x = np.asarray([5.0, 2.0])
    with pytest.raises(TypeError, match=r"while np.max\(x\) > 1.0:.*reads elements"):
        ca.transpile(halved, x, to=target, source="numpy")
    t = ca.transpile(halved, x, to=target, source="numpy", reads="assume")
    assert len(t.report.reads) == 4 and "(4 times)" in str(t.report)
    found, steps = t(np.asarray([8.0, 4.0]))
    assert steps == 3 and ca.to_numpy(found).tolist() == [1.0, 0.5]
