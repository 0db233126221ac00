"""Functions of SciPy on arrays of a backend and on NumPy's; run in a process with SCIPY_ARRAY_API=1.

SciPy reads that variable when it is imported, so the tests run `compare` in a process of its own.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import scipy.cluster.hierarchy
import scipy.cluster.vq
import scipy.constants
import scipy.differentiate
import scipy.fft
import scipy.integrate
import scipy.ndimage
import scipy.optimize.elementwise
import scipy.signal
import scipy.spatial.transform
import scipy.special
import scipy.stats

import corearray as ca

Make = Callable[[Any], Any]

_RANDOM = np.random.default_rng(7)
V = _RANDOM.random(8)
W = _RANDOM.random(8)
X = _RANDOM.random((8, 3))


def _tested(result: Any) -> list[Any]:
    return [result.statistic, result.pvalue]


def _rotated(make: Make) -> Any:
    rotation = scipy.spatial.transform.Rotation.from_rotvec(make(X))
    return [rotation.as_matrix(), rotation.apply(make(X)), (rotation * rotation).as_quat()]


CALLS: dict[str, Callable[[Make], Any]] = {
    "fft.fft": lambda make: scipy.fft.fft(make(V), 6, norm="ortho"),
    "fft.rfftn": lambda make: scipy.fft.irfftn(scipy.fft.rfftn(make(X)), (8, 3), axes=(0, 1)),
    "fft.hfft": lambda make: scipy.fft.hfft(make(V)),
    "fft.fftshift": lambda make: scipy.fft.fftshift(make(X)),
    "fft.dct": lambda make: scipy.fft.dct(make(V)),
    "stats.false_discovery_control": lambda make: scipy.stats.false_discovery_control(make(V)),
    "stats.rankdata": lambda make: scipy.stats.rankdata(make(X), axis=0),
    "special.expit": lambda make: scipy.special.expit(make(V)),
    "special.erf": lambda make: scipy.special.erf(make(V)),
    "special.gammaln": lambda make: scipy.special.gammaln(make(V)),
    "special.ndtr": lambda make: scipy.special.ndtr(make(V)),
    "special.xlogy": lambda make: scipy.special.xlogy(make(V), make(W)),
    "special.rel_entr": lambda make: scipy.special.rel_entr(make(V), make(W)),
    "special.betainc": lambda make: scipy.special.betainc(make(V), make(W), make(V)),
    "special.logsumexp": lambda make: scipy.special.logsumexp(make(X), axis=1),
    "special.softmax": lambda make: scipy.special.softmax(make(X), axis=1),
    "special.log_softmax": lambda make: scipy.special.log_softmax(make(X), axis=1),
    "stats.zscore": lambda make: scipy.stats.zscore(make(X)),
    "stats.skew": lambda make: scipy.stats.skew(make(X)),
    "stats.kurtosis": lambda make: scipy.stats.kurtosis(make(X)),
    "stats.moment": lambda make: scipy.stats.moment(make(X), order=3),
    "stats.gmean": lambda make: scipy.stats.gmean(make(X)),
    "stats.variation": lambda make: scipy.stats.variation(make(X)),
    "stats.entropy": lambda make: scipy.stats.entropy(make(X)),
    "stats.describe": lambda make: scipy.stats.describe(make(X)).variance,
    "stats.circmean": lambda make: scipy.stats.circmean(make(V)),
    "stats.kstat": lambda make: scipy.stats.kstat(make(V), 3),
    "stats.quantile": lambda make: scipy.stats.quantile(make(V), make(np.asarray([0.2, 0.5]))),
    "stats.ttest_1samp": lambda make: _tested(scipy.stats.ttest_1samp(make(X), 0.4)),
    "stats.ttest_ind": lambda make: _tested(scipy.stats.ttest_ind(make(X), make(X * 1.1))),
    "stats.pearsonr": lambda make: _tested(scipy.stats.pearsonr(make(V), make(W))),
    "stats.normaltest": lambda make: _tested(scipy.stats.normaltest(make(X))),
    "stats.bartlett": lambda make: _tested(scipy.stats.bartlett(make(V), make(W))),
    "stats.chisquare": lambda make: _tested(scipy.stats.chisquare(make(V))),
    "cluster.whiten": lambda make: scipy.cluster.vq.whiten(make(X)),
    "cluster.kmeans2": lambda make: scipy.cluster.vq.kmeans2(make(X), make(X[:2]), minit="matrix"),
    "cluster.linkage": lambda make: scipy.cluster.hierarchy.linkage(make(X)),
    "signal.fftconvolve": lambda make: scipy.signal.fftconvolve(make(V), make(W[:3])),
    "signal.detrend": lambda make: scipy.signal.detrend(make(V)),
    "signal.hilbert": lambda make: scipy.signal.hilbert(make(V)),
    "integrate.trapezoid": lambda make: scipy.integrate.trapezoid(make(X), axis=0),
    "integrate.cubature": lambda make: (
        scipy.integrate.cubature(lambda x: x[:, 0] ** 2, make(np.zeros(1)), make(np.ones(1))).estimate
    ),
    "optimize.find_root": lambda make: (
        scipy.optimize.elementwise.find_root(
            lambda x, c: x**2 - c, (make(np.zeros(8)), make(np.full(8, 2.0))), args=(make(V),)
        ).x
    ),
    "differentiate.derivative": lambda make: scipy.differentiate.derivative(lambda x: x**3, make(V)).df,
    "differentiate.jacobian": lambda make: scipy.differentiate.jacobian(lambda x: x**3, make(V[:3])).df,
    "ndimage.gaussian_filter": lambda make: scipy.ndimage.gaussian_filter(make(X), 1.0),
    "constants.convert_temperature": lambda make: scipy.constants.convert_temperature(make(V), "C", "K"),
    "spatial.Rotation": _rotated,
}


#: Functions that ask for sizes which depend on values, and are wrong where these are `None`.
ASKING = {
    "optimize.find_root": "its loop ends when a size is false",
    "stats.rankdata": "it reshapes a selection by a mask, and the size of the selection is unknown",
}


def compare(name: str, lazy: bool) -> Iterator[str]:
    """Say for each function in which the results of a backend differ from NumPy's, or that it failed."""
    be = ca.get_backend(name)
    for call, function in CALLS.items():
        if lazy and call in ASKING:
            continue
        try:
            expected = _listed(function(np.asarray))
            for got, want in zip(_listed(function(lambda x: be.asarray(x, dtype=x.dtype.name))), expected, strict=True):
                assert isinstance(got, ca.Array) and got.backend is be, f"gives {type(got)}"
                np.testing.assert_allclose(np.asarray(got), want, rtol=1e-6, atol=1e-9)
        except Exception as error:
            yield f"{call}: {type(error).__name__}: {error}"


def _listed(results: Any) -> list[Any]:
    return list(results) if isinstance(results, (tuple, list)) else [results]


def main(name: str, lazy: bool) -> None:
    """Print how many functions agree, and what differs."""
    warnings.simplefilter("ignore")
    found = list(compare(name, lazy))
    print(*found, f"{len(CALLS) - len(found)} of {len(CALLS)} functions agree", sep="\n")
