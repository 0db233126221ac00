"""Random numbers: the published words, the same numbers on every backend, and their distributions."""

from __future__ import annotations

import copy
import hashlib
import math
import pickle
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from standard.support import INTEGER, array, be, examples

import corearray as ca
from corearray.random import exact
from corearray.random.words import MASK, operators_take_numbers, threefry, words_by_parts


@pytest.fixture(autouse=True)
def on_this_backend():
    with ca.backend_context(be):
        yield


def shown(x):
    return np.asarray(be.to_numpy(x))


def words(seed, count, start=0):
    """The words of a generator, in Python's integers."""
    return [threefry((seed & MASK, seed >> 32), n & MASK, n >> 32) for n in range(start, start + count)]


@pytest.mark.parametrize(
    ("key", "counter", "wanted"),
    [
        ((0, 0), (0, 0), (0x6B200159, 0x99BA4EFE)),
        ((MASK, MASK), (MASK, MASK), (0x1CB996FC, 0xBB002BE7)),
        ((0x13198A2E, 0x03707344), (0x243F6A88, 0x85A308D3), (0xC4923A9C, 0x483DF7A0)),
    ],
)
def test_the_words_are_the_published_ones(key, counter, wanted):
    """The known answers that the authors of Random123 give for threefry2x32 with 20 rounds."""
    assert threefry(key, *counter) == wanted
    found = threefry(key, *(be.asarray([part], dtype=be.int64) for part in counter))
    assert [part.tolist() for part in found] == [[part] for part in wanted]


def test_many_words_are_made_by_parts(monkeypatch):
    whole = words_by_parts(be, (12, 34), 5, 50)
    monkeypatch.setattr("corearray.random.words._PART", 16)
    for made in (whole, words_by_parts(be, (12, 34), 5, 50)):
        found = zip(*(part.tolist() for part in made), strict=True)
        assert list(found) == [threefry((12, 34), n, 0) for n in range(5, 55)]


@examples
@given(st.integers(0, 2**64 - 1), st.integers(0, 9))
def test_numbers_are_those_of_the_words(seed, count):
    with ca.backend_context(be):
        rng = ca.random.Generator(seed)
        drawn = words(seed, 4 * count)
        found = rng.uniform(shape=count, dtype="float64")
        assert found.dtype is ca.float64
        assert found.tolist() == [((one >> 5 << 26) + (two >> 6)) / 2**53 for one, two in drawn[:count]]
        found = rng.uniform(shape=count)
        assert found.dtype is ca.float32
        assert found.tolist() == [(one >> 8) / 2**24 for one, _ in drawn[count : 2 * count]]
        found = rng.integers(-5, 7, shape=count)
        assert found.tolist() == [((one << 32 | two) * 12 >> 64) - 5 for one, two in drawn[2 * count : 3 * count]]
        found = rng.integers(-(2**63), 2**63, shape=count)
        assert found.tolist() == [(one << 32 | two) - 2**63 for one, two in drawn[3 * count :]]


@examples
@given(st.data(), st.sampled_from(INTEGER))
def test_integers_of_every_dtype(data, dtype):
    limits = np.iinfo(dtype)
    low, high = sorted(
        (data.draw(st.integers(limits.min, limits.max)), data.draw(st.integers(limits.min, limits.max + 1)))
    )
    high = max(high, low + 1)
    with ca.backend_context(be):
        found = ca.random.Generator(3).integers(low, high, shape=20, dtype=dtype)
    assert str(found.dtype) == dtype
    assert found.tolist() == [((one << 32 | two) * (high - low) >> 64) + low for one, two in words(3, 20)]


def test_normal_numbers_are_those_of_box_and_muller():
    found = ca.random.Generator(5).normal(3.0, 2.0, shape=(2, 3), dtype="float64")
    fractions = [((one >> 5 << 26) + (two >> 6)) / 2**53 for one, two in words(5, 6)]
    radii = [math.sqrt(-2 * math.log1p(-u)) for u in fractions[:3]]
    angles = [2 * math.pi * u for u in fractions[3:]]
    drawn = [r * math.cos(a) for r, a in zip(radii, angles, strict=True)]
    drawn += [r * math.sin(a) for r, a in zip(radii, angles, strict=True)]
    np.testing.assert_allclose(shown(found), np.reshape(drawn, (2, 3)) * 2 + 3, rtol=1e-13)


@pytest.mark.parametrize(
    ("draw", "distribution"),
    [
        (lambda rng, n: rng.uniform(-1.0, 3.0, shape=n, dtype="float64"), stats.uniform(-1, 4)),
        (lambda rng, n: rng.normal(-1.0, 3.0, shape=n, dtype="float64"), stats.norm(-1, 3)),
        (lambda rng, n: rng.exponential(0.5, shape=n, dtype="float64"), stats.expon(scale=0.5)),
        (lambda rng, n: rng.gamma(3.5, 2.0, shape=n, dtype="float64"), stats.gamma(3.5, scale=2)),
        (lambda rng, n: rng.gamma(0.3, shape=n, dtype="float64"), stats.gamma(0.3)),
        (lambda rng, n: rng.gamma(1e6, shape=n, dtype="float64"), stats.gamma(1e6)),
        (lambda rng, n: rng.beta(0.5, 3.0, shape=n, dtype="float64"), stats.beta(0.5, 3)),
        (lambda rng, n: rng.beta(20.0, 1.0, shape=n, dtype="float64"), stats.beta(20, 1)),
        (
            lambda rng, n: rng.dirichlet(array(np.array([1.0, 2.0, 3.0])), shape=n, dtype="float64")[:, 1],
            stats.beta(2, 4),
        ),
    ],
)
def test_distributions(draw, distribution):
    found = shown(draw(ca.random.Generator(11), 20000))
    assert stats.kstest(found, distribution.cdf).pvalue > 0.01


@pytest.mark.parametrize("mean", [0.0, 0.01, 1.0, 9.9, 10.0, 47.3, 1e5])
def test_poisson(mean):
    found = shown(ca.random.Generator(5).poisson(mean, shape=20000, dtype="int64"))
    expected = stats.poisson(mean)
    edges = np.unique(expected.ppf(np.linspace(0.02, 0.98, 12)))
    counts = np.bincount(np.searchsorted(edges, found), minlength=len(edges) + 1)
    chances = np.diff(np.concatenate([[0.0], expected.cdf(edges), [1.0]]))
    assert counts[chances == 0].sum() == 0
    kept = chances > 0
    assert kept.sum() == 1 or stats.chisquare(counts[kept], chances[kept] / chances.sum() * 20000).pvalue > 0.01


def test_poisson_of_arrays_and_dtypes():
    rng = ca.random.Generator(1)
    found = rng.poisson(array(np.array([[0.0], [1000.0]])), shape=(2, 3))
    assert found.dtype is ca.int64 and found.tolist()[0] == [0, 0, 0] and min(found.tolist()[1]) > 500
    assert rng.poisson(2.5, shape=3, dtype=ca.float64).dtype is ca.float64
    assert rng.poisson(2.0**53, dtype=ca.int64).shape == ()
    for mean in (-1.0, math.nan, math.inf):
        with pytest.raises(ValueError, match=r"'poisson' got a mean below 0 or above 2\*\*53"):
            rng.poisson(mean)


def test_categories():
    rng = ca.random.Generator(5)
    p = np.array([1.0, 0.0, 2.0, 5.0])
    counts = np.bincount(shown(rng.categorical(array(p), shape=(80, 100))).ravel(), minlength=4)
    assert counts[1] == 0 and stats.chisquare(counts[p > 0], p[p > 0] * 1000).pvalue > 0.01
    rows = np.stack([p, p[::-1]], axis=1)
    found = shown(rng.categorical(array(rows), axis=0, shape=(8000, 2), dtype="uint8"))
    assert found.dtype == np.uint8
    for column, wanted in zip(found.T, rows.T, strict=True):
        counts = np.bincount(column, minlength=4)
        assert stats.chisquare(counts[wanted > 0], wanted[wanted > 0] * 1000).pvalue > 0.01
    assert rng.categorical(array(np.ones((3, 1)))).tolist() == [0, 0, 0]
    assert rng.categorical(array(np.ones((0, 2)))).shape == (0,)


def test_choice():
    rng = ca.random.Generator(5)
    x = np.arange(12.0).reshape(3, 4)
    found = rng.choice(array(x), shape=(5, 2), axis=1)
    assert found.shape == (3, 5, 2)
    assert {tuple(column) for column in shown(found).reshape(3, 10).T} <= {tuple(column) for column in x.T}
    assert sorted(shown(rng.choice(array(x), shape=4, replace=False, axis=-1))[0].tolist()) == [0, 1, 2, 3]
    assert rng.choice(3).shape == () and rng.choice(0, shape=0).shape == (0,)
    weights = np.array([0.0, 1.0, 2.0, 3.0])
    assert 0 not in rng.choice(4, shape=1000, p=array(weights)).tolist()
    firsts = [tuple(rng.choice(4, shape=2, replace=False, p=array(weights)).tolist()) for _ in range(600)]
    wanted = {(i, j): weights[i] / 6 * weights[j] / (6 - weights[i]) for i in (1, 2, 3) for j in (1, 2, 3) if i != j}
    assert set(firsts) <= set(wanted)
    assert stats.chisquare([firsts.count(pair) for pair in wanted], [600 * p for p in wanted.values()]).pvalue > 0.01


@pytest.mark.parametrize(
    ("draw", "error", "message"),
    [
        (lambda rng: rng.gamma(0.0), ValueError, "'gamma' got a parameter that is not above 0"),
        (lambda rng: rng.beta(1.0, math.nan), ValueError, "'beta' got a parameter that is not above 0"),
        (lambda rng: rng.dirichlet(array(np.array(1.0))), ValueError, "'dirichlet' takes an array"),
        (lambda rng: rng.categorical(array(np.ones(2)), axis=1), IndexError, "axis 1 of an array with 1 axes"),
        (lambda rng: rng.categorical(array(np.ones((2, 0)))), ValueError, "got no category"),
        (lambda rng: rng.choice(3, shape=4, replace=False), ValueError, "asked for 4 of 3 parts without replacement"),
        (lambda rng: rng.choice(0, shape=1), ValueError, "asked for 1 of 0 parts"),
        (lambda rng: rng.choice(3, p=array(np.ones(2))), ValueError, r"shape \(2,\) for 3 parts"),
        (lambda rng: rng.choice(array(np.ones(3)), axis=1), IndexError, "axis 1 of an array with 1 axes"),
    ],
)
def test_what_cannot_be_drawn_from(draw, error, message):
    with pytest.raises(error, match=message):
        draw(ca.random.Generator(1))


def test_native_numbers():
    """The same for one seed, others for the next call, and others than those of all backends."""
    one, two = (ca.random.Generator(7, native=True) for _ in range(2))
    first = one.uniform(shape=5).tolist()
    assert first == two.uniform(shape=5).tolist()
    assert first != one.uniform(shape=5).tolist()
    copied = pickle.loads(pickle.dumps(one))
    assert copied.integers(100, shape=9).tolist() == one.integers(100, shape=9).tolist()
    assert one.spawn(1)[0].normal(shape=3).tolist() == copied.spawn(1)[0].normal(shape=3).tolist()
    assert stats.kstest(shown(one.normal(shape=20000, dtype="float64")), stats.norm.cdf).pvalue > 0.01
    alike = first == ca.random.Generator(7).uniform(shape=5).tolist()
    assert alike == ("random_words" not in be.facts)


def test_frequencies():
    rng = ca.random.Generator(11)
    counts = np.bincount(shown(rng.integers(6, shape=6000)), minlength=6)
    assert stats.chisquare(counts).pvalue > 0.01
    truths = shown(rng.bernoulli(array(np.array([[0.0], [0.25], [1.0]])), shape=(3, 10000)))
    assert truths.dtype == bool
    np.testing.assert_allclose(truths.mean(axis=1), [0, 0.25, 1], atol=0.02)
    orders = {tuple(rng.permutation(3).tolist()) for _ in range(100)}
    assert len(orders) == 6


def test_permutations():
    rng = ca.random.Generator(2)
    assert sorted(rng.permutation(100).tolist()) == list(range(100))
    assert rng.permutation(0).shape == (0,)
    x = np.arange(12.0).reshape(3, 4)
    y = array(x)
    view = y.mT
    found = shown(rng.permutation(y, axis=-1))
    np.testing.assert_array_equal(shown(y), x)
    assert sorted(map(tuple, found.T)) == sorted(map(tuple, x.T))
    assert rng.shuffle(y, axis=-1) is y
    assert sorted(map(tuple, shown(view))) == sorted(map(tuple, x.T))
    assert len({tuple(shown(ca.random.shuffle(y))[:, 0].tolist()) for _ in range(50)}) == 6
    assert sorted(shown(rng.permutation([3, 1, 2])).tolist()) == [1, 2, 3]
    assert ca.random.Generator(4).permutation(5).tolist() == ca.random.Generator(4).permutation(5).tolist()


def test_parameters_are_arrays():
    rng = ca.random.Generator(1)
    low, high = array(np.array([0.0, 10.0])), array(np.array([[11.0], [100.0]]))
    found = rng.uniform(low, high)
    assert found.shape == (2, 2) and found.dtype is ca.float32
    assert bool(ca.all((found >= low) & (found <= high)))
    assert rng.normal(low, shape=(3, 2)).shape == (3, 2)
    assert rng.exponential().shape == ()
    assert rng.normal(shape=(0, 3)).shape == (0, 3)
    assert rng.normal(shape=3, dtype=ca.float64).shape == (3,)


def test_states():
    rng = ca.random.Generator(9)
    rng.uniform(shape=3)
    twins = [copy.copy(rng), copy.deepcopy(rng), pickle.loads(pickle.dumps(rng))]
    want = rng.uniform(shape=4).tolist()
    assert [twin.uniform(shape=4).tolist() for twin in twins] == [want] * 3
    assert rng.uniform(shape=4).tolist() != want
    long, longer = (ca.random.Generator(seed).uniform(shape=2).tolist() for seed in (9 + (1 << 64), 9 + (2 << 64)))
    assert long != longer != want
    assert (
        ca.random.Generator().uniform(dtype="float64").tolist()
        != ca.random.Generator().uniform(dtype="float64").tolist()
    )


def test_threads_and_children_draw_different_numbers():
    rng = ca.random.Generator(9)
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda _: tuple(rng.integers(2**62, shape=3).tolist()), range(40)))
    assert len(set(found)) == 40
    children = [*rng.spawn(3), *rng.spawn(2)]
    drawn = [tuple(child.integers(2**62, shape=3).tolist()) for child in children]
    assert len({*drawn, *found}) == 45
    again = ca.random.Generator(9)
    again._taken(120)
    assert [tuple(child.integers(2**62, shape=3).tolist()) for child in again.spawn(3)] == drawn[:3]


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda rng: ca.random.Generator(-1), ValueError, "cannot be -1"),
        (lambda rng: ca.random.Generator("x"), TypeError, "an integer, not str"),
        (lambda rng: rng.uniform(dtype="int32"), TypeError, "dtype 'int32' were asked for"),
        (lambda rng: rng.normal(shape=(2, -1)), ValueError, "sizes are at least 0"),
        (lambda rng: rng.uniform(be.zeros(3), shape=(2,)), ValueError, r"shape \(3,\)"),
        (lambda rng: rng.integers(3, 3), ValueError, "from 3 up to 3, of which there are none"),
        (lambda rng: rng.integers(300, dtype="uint8"), ValueError, "holds 0 to 255"),
        (lambda rng: rng.integers(3, dtype="float32"), TypeError, "not of 'float32'"),
        (lambda rng: rng.shuffle(be.zeros(3), axis=1), IndexError, "axis 1 of an array with 1 axes"),
        (lambda rng: rng.uniform("a"), TypeError, "'uniform' got 'a' for low; give a real number or a real array"),
        (lambda rng: rng.uniform(0, be.ones(2, dtype="complex64")), TypeError, "dtype 'complex64' for high"),
        (lambda rng: rng.uniform(0.0, math.inf), ValueError, "the bounds 0.0 and inf; give finite ones"),
        (lambda rng: rng.uniform(shape=2.5), TypeError, "'uniform' got shape=2.5; give an integer, or a sequence"),
        (lambda rng: rng.normal(shape=(2, "a")), TypeError, "'normal' got shape="),
        (lambda rng: rng.normal(0.0, -1.0), ValueError, "'normal' got std=-1.0; it is at least 0"),
        (lambda rng: rng.exponential(-1), ValueError, "'exponential' got scale=-1; it is at least 0"),
        (lambda rng: rng.bernoulli(1.5), ValueError, "'bernoulli' got p=1.5; it is from 0 to 1"),
        (lambda rng: rng.bernoulli(math.nan), ValueError, "'bernoulli' got p=nan"),
        (lambda rng: rng.integers(1.5), TypeError, "'integers' got low=1.5; give an integer"),
        (lambda rng: rng.permutation(-2), ValueError, "the order of -2 integers"),
        (lambda rng: rng.permutation(2.5), TypeError, "'permutation' got n=2.5"),
        (lambda rng: rng.spawn("a"), TypeError, "'spawn' got count='a'"),
    ],
)
def test_what_cannot_be_drawn(call, error, message):
    rng, same = ca.random.Generator(0), ca.random.Generator(0)
    with pytest.raises(error, match=message):
        call(rng)
    assert rng.uniform(shape=2).tolist() == same.uniform(shape=2).tolist()  # none was taken


def test_the_generator_of_the_context():
    first = ca.random.seed(7)
    assert ca.random.default_generator() is first
    assert first.uniform(shape=3).tolist() == ca.random.Generator(7).uniform(shape=3).tolist()
    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(ca.random.default_generator).result() is not first
    with pytest.raises(ValueError, match="cannot be -1"):
        ca.random.seed(-1)
    assert ca.random.default_generator() is first


def test_the_numbers_are_those_of_every_backend():
    """Numbers of the seed 2026, written down once, and the sum of the bits of many."""
    with ca.backend_context(be):
        rng = ca.random.Generator(2026)
        wanted = ["0x1.458f0edf7bd52p-2", "0x1.eac406c05ee78p-3", "0x1.0a5e596ffb074p-2"]
        assert rng.uniform(shape=3, dtype="float64").tolist() == [float.fromhex(text) for text in wanted]
        wanted = ["0x1.3c9118p-1", "0x1.56bf66p-1", "0x1.bcb8d2p-1"]
        assert rng.uniform(shape=3, dtype="float32").tolist() == [float.fromhex(text) for text in wanted]
        found = rng.normal(shape=3, dtype="float64").tolist()
        assert found == pytest.approx([-0.5726482797112072, -0.5076774138171681, 0.7611544125242496], rel=1e-14)
        wanted = ["-0x1.253227c2f0ca8p-1", "-0x1.03ee4b428672ap-1", "0x1.85b607f9fed88p-1"]
        assert found == [float.fromhex(text) for text in wanted]
        wanted = ["-0x1.79202p-1", "0x1.07d6e2p+2"]
        assert rng.normal(1.0, 2.0, shape=2, dtype="float32").tolist() == [float.fromhex(text) for text in wanted]
        assert rng.integers(-5, 100, shape=6).tolist() == [67, 4, 61, 59, 27, 33]
        assert rng.integers(2**40, shape=2, dtype="int64").tolist() == [429111822042, 15244213217]
        assert rng.permutation(7).tolist() == [0, 2, 4, 6, 1, 5, 3]
        wanted = [-0.2513255903430869, -0.040147399275587414]
        assert rng.uniform(-1.0, 3.0, shape=2, dtype="float64").tolist() == wanted
        rng = ca.random.Generator(2027)
        for draw, wanted_sum in (
            (lambda: rng.normal(shape=1001, dtype="float64"), "e5e6878b6ef7d272"),
            (lambda: rng.exponential(3.0, shape=1001, dtype="float64"), "74e9f66486308a1b"),
            (lambda: rng.uniform(-1.0, 2.0, shape=1001, dtype="float64"), "0dc155cac6fd2dc6"),
            (lambda: rng.normal(shape=1001), "5ab0a5a6e732b0f8"),
        ):
            bits = " ".join(value.hex() for value in draw().tolist())
            assert hashlib.sha256(bits.encode()).hexdigest()[:16] == wanted_sum


def test_what_is_the_same_on_every_backend_is_right():
    with ca.backend_context(be):
        parts = np.random.default_rng(1).integers(0, 2**53, 2000) * 2.0**-53
        parts = np.concatenate([parts, [0.0, 0.125, 0.25, 0.5, 0.75, 1.0 - 2.0**-53, 2.0**-53]])
        logarithm, (x, y) = exact.log_of_rest(be, array(parts)), exact.on_circle(be, array(parts))
        np.testing.assert_allclose(np.asarray(logarithm.tolist()), np.log1p(-parts), rtol=5e-16)
        np.testing.assert_allclose(np.asarray(x.tolist()), np.cos(2.0 * np.pi * parts), rtol=0, atol=1e-15)
        np.testing.assert_allclose(np.asarray(y.tolist()), np.sin(2.0 * np.pi * parts), rtol=0, atol=1e-15)
        assert exact.root(be, array(40.0 * parts)).tolist() == np.sqrt(40.0 * parts).tolist()


@pytest.mark.parametrize("native", [False, True])
def test_the_same_seed_gives_the_same_numbers(native):
    with ca.backend_context(be):

        def drawn(seed):
            rng = ca.random.Generator(seed, native=native)
            return [
                rng.uniform(shape=4).tolist(),
                rng.normal(shape=4).tolist(),
                rng.integers(100, shape=4).tolist(),
                rng.permutation(5).tolist(),
                rng.gamma(2.0, shape=3).tolist(),
            ]

        assert drawn(3) == drawn(3) != drawn(4)


def test_the_seed_of_a_thread_is_its_own():
    def seeded(number):
        ca.random.seed(number)
        drawn = [ca.random.default_generator().uniform(dtype="float64").tolist() for _ in range(3)]
        return number, drawn

    ca.random.seed(1)
    with ca.backend_context(be):
        before = ca.random.default_generator()
        with ThreadPoolExecutor(4) as pool:
            found = dict(pool.map(seeded, [5, 6, 7, 8] * 5))
        assert ca.random.default_generator() is before
        for number, drawn in found.items():
            rng = ca.random.Generator(number)
            assert drawn == [rng.uniform(dtype="float64").tolist() for _ in range(3)]


@pytest.mark.parametrize(
    ("option", "meant"), [({"loc": 1.0}, "mean=..."), ({"scale": 2.0}, "std=..."), ({"maxval": 2.0}, None)]
)
def test_options_of_other_libraries_are_named(option, meant):
    name = next(iter(option))
    for draw in (ca.random.normal, ca.random.Generator(1).normal):
        with pytest.raises(TypeError) as raised:
            draw(size=2, **option)
        written = f"write normal({meant})" if meant else "its options are mean, std, shape, dtype, device"
        assert str(raised.value) == f"'normal' has no option '{name}'; {written}"


@pytest.mark.skipif(be.name == "strict", reason="array-api-strict takes no numbers beside arrays in functions")
def test_words_are_made_by_the_operators_of_the_framework():
    """Compilers read these four times as fast as the functions of the backend."""
    assert operators_take_numbers(be)
