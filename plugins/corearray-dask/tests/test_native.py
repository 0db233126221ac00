"""What is particular to Dask: laziness, chunks, its protocols, and what travels to workers."""

from __future__ import annotations

import pickle
import warnings

import pytest

import corearray as ca

dask = pytest.importorskip("dask", minversion="2025.1")
da = pytest.importorskip("dask.array")
np = pytest.importorskip("numpy")


@pytest.fixture(autouse=True)
def be():
    with ca.backend_context("dask") as backend, dask.config.set(scheduler="sync"):
        yield backend


@pytest.fixture
def x(be):
    return be.wrap(da.from_array(np.arange(12.0).reshape(4, 3), chunks=(2, 3)))


def tasks(x):
    (graph,) = dask.optimize(x.native)
    return len(graph.__dask_graph__())


def test_a_composition_is_one_task_a_chunk(x):
    assert tasks(ca.igamma(x + 1.0, x + 2.0)) <= 6
    assert tasks(ca.gelu(x)) <= 4


def test_settings_of_the_client_are_in_force_in_the_tasks(x):
    with ca.settings(min_denominator=0.5):
        y = ca.stable_divide(x, x * 0.0)
    plain = ca.stable_divide(x, x * 0.0)
    assert y[1, 1].native.compute() == 8.0
    assert plain[1, 1].native.compute() == pytest.approx(4e12)
    with ca.settings(min_denominator=0.5):
        assert plain[1, 1].native.compute() == pytest.approx(4e12)


def test_tasks_are_pickled_by_names(x):
    y = pickle.loads(pickle.dumps(ca.softmax(ca.sin(x)).native))
    np.testing.assert_allclose(y.compute(), ca.softmax(ca.sin(x)).native.compute())


@pytest.mark.parametrize("needing", [bool, float, int, lambda x: x.tolist(), ca.to_numpy, np.asarray])
def test_what_needs_values_obeys_the_setting(x, needing):
    number = ca.sum(x)
    with ca.settings(compute="raise"), pytest.raises(RuntimeError, match="the setting is compute='raise'"):
        needing(number)
    with ca.settings(compute="warn"), pytest.warns(RuntimeWarning, match="which computes [0-9]+ tasks"):
        needing(number)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        needing(number)


def test_text_computes_nothing_whatever_the_setting(x):
    def get(*_: object, **__: object) -> None:
        raise AssertionError("values were computed")

    with dask.config.set(scheduler=get):
        for y in (x, ca.sum(x)):
            assert repr(y) == str(y)
            with ca.settings(print_precision=2):
                assert repr(y) == str(y)


def test_nothing_else_computes(x):
    with ca.settings(compute="raise"):
        assert repr(x) == "Array(shape=(4, 3), Array, dtype=float64, backend=dask, device=cpu)"
        assert str(x[0, 0]) == f"{x[0, 0]}" == "Array(shape=(), Array, dtype=float64, backend=dask, device=cpu)"
        y = ca.linalg.solve(x[:3, :] + ca.eye(3, dtype=ca.float64), ca.ones(3, dtype=ca.float64))
        z = ca.evaluate(y)
    assert z.shape == (3,)
    assert len(z.native.__dask_graph__()) == 1


def test_views_are_right_both_ways(x):
    y = x[1]
    y[0] = 9.0
    assert x[1, 0].native.compute() == 9.0
    x[1, 1] = 7.0
    assert y.tolist() == [9.0, 7.0, 5.0]


def test_unknown_sizes_are_none_until_they_are_evaluated(x):
    y = x[x > 4.0]
    assert y.shape == (None,)
    assert y.size is None
    assert ca.sum(y).tolist() == 56.0
    assert ca.evaluate(y).shape == (7,)


@pytest.mark.parametrize("evaluated", [False, True])
def test_functions_of_unknown_sizes_and_empty_chunks(be, evaluated):
    whole = np.random.default_rng(0).standard_normal((9, 4))
    mask = np.isin(np.arange(9), (5, 6))
    x, plain = be.wrap(da.from_array(whole, chunks=(2, 3)))[be.asarray(mask)], whole[mask]
    if evaluated:
        x = ca.evaluate(x)
        assert x.chunks[0] == (0, 0, 1, 1, 0)
    for key in (1, -1, slice(1, 2), slice(None, None, -1), (Ellipsis, 0), (None, slice(1), None, 1), (1, slice(2))):
        np.testing.assert_array_equal(x[key], plain[key])
    np.testing.assert_array_equal(x[x > 0.0], plain[plain > 0.0])
    np.testing.assert_array_equal(x[be.asarray([1, 0])], plain[[1, 0]])
    for axis in (None, 0, 1, (0, 1)):
        for name in ("max", "min", "sum", "mean"):
            np.testing.assert_allclose(getattr(be, name)(x, axis=axis), getattr(np, name)(plain, axis=axis))
        np.testing.assert_allclose(be.std(x, axis=axis, correction=1), np.std(plain, axis=axis, ddof=1))
    for axis in (None, 0, 1):
        np.testing.assert_array_equal(be.argmax(x, axis=axis), np.argmax(plain, axis=axis))
    np.testing.assert_allclose(be.cumulative_sum(x, axis=0), np.cumsum(plain, axis=0))
    np.testing.assert_allclose(x.mT @ x, plain.T @ plain)
    np.testing.assert_array_equal(be.flip(be.roll(x, 1, axis=0), axis=0), np.flip(np.roll(plain, 1, axis=0), axis=0))
    np.testing.assert_array_equal(be.repeat(be.expand_dims(x, axis=0), 2, axis=1), plain[None].repeat(2, 1))
    for one, other in zip(be.nonzero(x > 0.0), np.nonzero(plain > 0.0), strict=True):
        np.testing.assert_array_equal(one, other)
    x[1, 0] = 7.0
    x[x < 0.0] *= 2.0
    plain[1, 0] = 7.0
    plain[plain < 0.0] *= 2.0
    np.testing.assert_array_equal(x, plain)
    with pytest.raises(ValueError, match="zero-size array"):
        np.asarray(be.max(x[x > 100.0]))


@pytest.mark.parametrize("key", ["x > 0.0", "x[:, 0] > 0.0", "x > 100.0"])
def test_more_functions_of_unknown_sizes(be, key):
    plain = np.random.default_rng(0).standard_normal((7, 5))
    lazy = be.wrap(da.from_array(plain, chunks=(3, 2)))
    reference = ca.get_backend("numpy")
    programs = {
        "median": lambda xp, x: xp.median(x),
        "quantiles": lambda xp, x: xp.quantile(x, xp.asarray([0.2, 0.7]), axis=0, keepdims=True),
        "nanquantile": lambda xp, x: xp.nanquantile(x, 0.3, axis=-1),
        "weighted": lambda xp, x: xp.quantile(x, 0.5, weights=xp.abs(x), method="inverted_cdf"),
        "logsumexp": lambda xp, x: xp.logsumexp(x),
        "flat": lambda xp, x: xp.reshape(x, (-1,)),
        "a leading axis": lambda xp, x: xp.reshape(x, (1, -1, *x.shape[1:])),
        "rows": lambda xp, x: xp.reshape(x[:, None], (-1, 1)),
        "counts": lambda xp, x: xp.histogram(x, 4, range=(-1.0, 1.0)).hist,
        "values": lambda xp, x: xp.unique_values(x),
    }
    for name, program in programs.items():
        with ca.backend_context("numpy"):
            due = program(reference, reference.asarray(plain[eval(key, {"x": plain})]))
        with ca.settings(compute="raise"):
            found = program(be, lazy[eval(key, {"x": lazy})])
        np.testing.assert_allclose(np.asarray(found), due.native, err_msg=name)


def test_functions_that_count_in_python_name_the_remedy(be):
    x = be.wrap(da.from_array(np.arange(12.0).reshape(4, 3), chunks=2))
    x = x[x[:, 0] > 2.0]
    for name, given in {"triu": x, "vander": x[:, 0]}.items():
        text = rf"'{name}' on backend 'dask' counts elements.*use corearray\.evaluate\(x\) before"
        with pytest.raises(ValueError, match=text):
            getattr(be, name)(given)
    assert be.triu(ca.evaluate(x)).shape == (3, 3)
    np.testing.assert_allclose(be.to_numpy(be.cov(x.T)), np.cov(np.arange(3.0, 12.0).reshape(3, 3).T))
    with pytest.raises(IndexError, match="axis 5 is out of range"):
        be.median(x, axis=5)


def test_rows_of_unknown_number_are_reshaped_chunk_by_chunk(be):
    x = be.wrap(da.from_array(np.arange(24.0).reshape(4, 6), chunks=(1, 6)))
    y = be.reshape(x[x[:, 0] > 5.0], (-1, 3))
    assert (y.shape, y.native.numblocks) == ((None, 3), (4, 1))
    np.testing.assert_array_equal(y, np.arange(6.0, 24.0).reshape(-1, 3))


@pytest.mark.parametrize("truth", [True, False])
def test_truth_values_are_keys(be, truth):
    plain = np.arange(12.0).reshape(4, 3)
    keys = [truth, (truth, 0), (0, truth), (slice(None), truth), (None, truth), (truth, truth), (truth, [0, 1])]
    for key in keys[: None if truth else -1]:
        x = be.wrap(da.from_array(plain, chunks=2))
        assert x[key].shape == plain[key].shape
        np.testing.assert_array_equal(x[key], plain[key])
        x[key] = 7.0
        due = plain.copy()
        due[key] = 7.0
        np.testing.assert_array_equal(x, due)
    x = be.wrap(da.from_array(plain, chunks=2))
    np.testing.assert_array_equal(x[be.asarray(truth)], plain[truth])


def test_empty_arrays_are_reshaped(be):
    for shape in ((0, 5), (3, 0)):
        x = be.wrap(da.zeros(shape, chunks=2))
        assert be.reshape(x, (-1,)).tolist() == be.unique_values(x).tolist() == []
        assert be.reshape(x, shape[::-1]).shape == shape[::-1]
        assert np.isnan(float(be.median(x)))


def test_logsumexp_adds_up_parts(be):
    values = np.random.default_rng(0).standard_normal((9, 4)) * 300.0
    values[3] = -np.inf
    x = be.wrap(da.from_array(values, chunks=(2, 3)))
    for axis in (None, 0, 1):
        due = np.logaddexp.reduce(values, axis=axis) if axis is not None else np.logaddexp.reduce(values.ravel())
        found = be.logsumexp(x, axis=axis)
        np.testing.assert_allclose(found, due)
    assert found.native.numblocks == (5,)


def test_weights_of_counts_are_added_in_their_dtype(be):
    x = be.wrap(da.from_array(np.asarray([1, 1, 2]), chunks=2))
    weights = be.wrap(da.from_array(np.asarray([2**62, 1, 3]), chunks=2))
    assert be.bincount(x, weights).tolist() == [0, 2**62 + 1, 3]


def test_memory_is_never_shared(be):
    memory = np.zeros(8)
    for make in (be.asarray, be.from_dlpack):
        with pytest.raises(ValueError, match="Dask cannot use the memory of a ndarray; leave copy=False out"):
            make(memory, copy=False)
        x = make(memory)
        memory[0] += 1.0
        assert x[0].tolist() == memory[0] - 1.0
        assert be.asarray(x, copy=False).native is x.native
        with pytest.raises(ca.CoreArrayError, match="computed into new memory; leave copy=False out"):
            x.__dlpack__(copy=False)


def test_arrays_are_collections_of_dask(x):
    assert dask.is_dask_collection(x)
    one, two = dask.compute(x + 1.0, ca.sum(x))
    assert isinstance(one, ca.Array)
    assert (one.backend.name, float(two)) == ("numpy", 66.0)
    assert (x + 1.0).compute().tolist() == one.tolist()
    kept = (x + 1.0).persist()
    assert kept.backend.name == "dask"
    assert len(kept.native.__dask_graph__()) == 2
    assert (x.chunks, x.name) == (((2, 2), (3,)), x.native.name)
    assert x.rechunk((4, 1)).chunks == ((4,), (1, 1, 1))
    assert isinstance(da.sum(x), da.Array)


def test_chunks_are_mapped(x):
    sums = ca.map_chunks(lambda chunk: ca.sum(chunk, axis=0, keepdims=True), x)
    assert (sums.shape, sums.tolist()) == ((2, 3), [[3.0, 5.0, 7.0], [15.0, 17.0, 19.0]])

    def scaled(chunk, weights, *, offset, rate):
        assert chunk.backend.name == offset.backend.name == "numpy"
        return chunk * weights[:, None] * rate + offset, chunk[:, :1]

    y, firsts = ca.map_chunks(scaled, x, x[:, 0], offset=x[0], rate=2.0)
    np.testing.assert_allclose(y, ca.to_numpy(x * x[:, :1] * 2.0 + x[0]))
    assert firsts.chunks == ((2, 2), (1,))
    doubled = ca.map_chunks(lambda chunk: ca.concat([chunk, chunk]), x)
    assert doubled.chunks == ((4, 4), (3,))
    tall = ca.get_backend("dask").wrap(da.ones((120, 3), chunks=(40, 3)))  # a function of three columns, and of 40 rows
    counted = ca.map_chunks(lambda chunk, c: ca.concat([chunk, chunk @ c], axis=1), tall, c=x[:3, :1])
    assert counted.chunks == ((40, 40, 40), (4,))
    assert ca.map_chunks(lambda chunk: ca.reshape(chunk, (20, 6)), tall).chunks == ((20, 20, 20), (6,))
    assert ca.map_chunks(lambda chunk: chunk + 1.0, x.native)[0, 0].compute() == 1.0
    chosen = x[x[:, 0] > 4.0]
    assert ca.map_chunks(lambda chunk: chunk * 2.0, chosen).tolist() == (chosen * 2.0).tolist()
    with pytest.raises(ca.CoreArrayError, match=r"use corearray\.evaluate first"):
        ca.map_chunks(lambda chunk: ca.concat([chunk, chunk]), chosen)
    cut = ca.map_chunks(lambda chunk: chunk[:30], tall)
    with pytest.raises(ValueError, match=r"of the shape \(30, 3\) for a chunk of the shape \(40, 3\)"):
        cut.native.compute()
    with pytest.raises(ValueError, match="an array of 1 axes for chunks of 2"):
        ca.map_chunks(lambda chunk: chunk[0], x)


def test_a_tall_matrix_is_decomposed_in_its_chunks(be):
    x = be.wrap(da.random.default_rng(1).standard_normal((600, 4), chunks=(100, 4)))
    q, r = ca.linalg.qr(x)
    u, s, v = ca.linalg.svd(x, full_matrices=False)
    assert q.native.numblocks[0] == u.native.numblocks[0] == 6
    np.testing.assert_allclose(q @ r, x)
    np.testing.assert_allclose((u * s) @ v, x)
    np.testing.assert_allclose(s, ca.linalg.svdvals(x))


def test_a_large_matrix_is_factorised_in_tiles(be):
    x = be.wrap(da.random.default_rng(1).standard_normal((50, 50), chunks=(16, 50)))
    matrix = x @ x.T + 50.0 * ca.eye(50, dtype=ca.float64)
    with dask.config.set({"array.chunk-size": "4KiB"}):
        factor = ca.linalg.cholesky(matrix)
    assert max(factor.native.numblocks) > 1
    np.testing.assert_allclose(factor @ factor.T, matrix)


def test_a_chunk_that_would_be_too_large_is_refused(be):
    x = be.wrap(da.ones((1000, 1000), chunks=(100, 1000)))
    with (
        dask.config.set({"array.chunk-size": "64KiB"}),
        pytest.raises(
            MemoryError,
            match=r"in one chunk of 8000000 bytes.*dask\.config\.set\(\{'array\.chunk-size': '1000000B'\}\)",
        ),
    ):
        ca.linalg.inv(x)


def test_a_graph_is_made_without_the_work_of_its_tasks(be):
    x = be.wrap(da.ones((5000, 5000), chunks=5000))
    u, s, v = ca.linalg.svd(x, full_matrices=False)  # which would take minutes
    assert (u.shape, s.shape, v.shape) == ((5000, 5000), (5000,), (5000, 5000))
    y = ca.top_k(x, 7, axis=0).values
    assert y.shape == (7, 5000)


def test_random_numbers_are_those_of_all_backends(be):
    drawn = ca.random.Generator(3).normal(shape=(5, 3))
    other = ca.get_backend("numpy")
    with ca.backend_context(other):
        due = ca.random.Generator(3).normal(shape=(5, 3))
    np.testing.assert_array_equal(drawn, due)


def test_random_numbers_are_drawn_by_tasks(be):
    with dask.config.set({"array.chunk-size": "8kB"}):
        drawn = ca.random.Generator(3).uniform(shape=(10_000,))
    assert drawn.native.npartitions > 5
    assert not [value for value in drawn.native.dask.values() if isinstance(value, np.ndarray)]
    assert tasks(drawn) <= 2 * drawn.native.npartitions
    with ca.backend_context("numpy"):
        np.testing.assert_array_equal(drawn, ca.random.Generator(3).uniform(shape=(10_000,)))


def test_pickles_hold_the_graph(be):
    x = ca.asarray(da.arange(6, chunks=2)) * 2
    with ca.settings(compute="raise"):
        y = pickle.loads(pickle.dumps({"x": x}))["x"]
    assert type(y) is type(x) and y.native.name == x.native.name and y.chunks == ((2, 2, 2),)
    assert y.tolist() == [0, 2, 4, 6, 8, 10]


def test_a_program_with_whole_arguments_joins_the_tasks_before_it():
    """A chunk that travels between two tasks costs more than the tasks: Dask has to join them."""
    be = ca.get_backend("dask")
    x = be.wrap(da.ones((40, 2), chunks=(10, 2)) + 1.0)
    centres = ca.evaluate(be.asarray([[1.0], [2.0]], dtype="float64"))
    y = ca.map_chunks(lambda x, centres: x @ centres, x, centres=centres)
    (joined,) = dask.optimize(y.native)
    assert len(dict(joined.__dask_graph__())) <= 4 + 2
    assert y.tolist() == [[6.0]] * 40


def test_slices_backwards_from_before_the_first_element_are_empty():
    be = ca.get_backend("dask")
    x = be.asarray([1.0, 2.0])
    assert x[-9::-1].tolist() == []
    assert x[-2::-1].tolist() == [1.0]
