"""`Generator` and `RandomState` of NumPy over corearray's generator, whose numbers are the same on every backend.

The numbers are corearray's, not those of NumPy for the same seed.
"""

from __future__ import annotations

import math
from typing import Any, ClassVar

import corearray as ca
from corearray.errors import CoreArrayTypeError, CoreArrayValueError
from corearray.frontend.numpy.bit_generators import BitGenerator, bit_generators, seed_of
from corearray.frontend.numpy.data_types import dtype_of
from corearray.frontend.numpy.distributions import Distributions

__all__ = ["Generator", "RandomState", "classes"]


def _shape(size: Any) -> tuple[int, ...]:
    if size is None:
        return ()
    return (size.__index__(),) if hasattr(size, "__index__") else tuple(n.__index__() for n in size)


class Generator(Distributions):
    """Random numbers by NumPy's names."""

    _np: ClassVar[Any]

    def __init__(self, bit_generator: Any = None) -> None:
        if isinstance(bit_generator, BitGenerator):
            self._bits: Any = bit_generator
            self._generator = bit_generator.source
        else:
            self._bits, self._generator = None, ca.random.Generator(seed_of(bit_generator))

    @property
    def bit_generator(self) -> Any:
        """The source of random words; numbers that are drawn move it ahead."""
        if self._bits is None:
            random = self._np.random
            made = (random.MT19937 if isinstance(self, RandomState) else random.PCG64)(0)
            made.source = self._generator
            self._bits = made
        return self._bits

    def _out(self, array: ca.Array, size: Any = None) -> Any:
        """Return a number for a result without axes, else an array."""
        return array.item() if not array.ndim else self._np.ndarray._types.wrap(array)

    def _uniform(self, shape: tuple[int, ...]) -> ca.Array:
        return self._generator.uniform(shape=shape, dtype=ca.float64)

    def _sized(self, size: Any, *parameters: Any) -> tuple[Any, ...]:
        """Return the shape of a result, and parameters as arrays."""
        arrays = [ca.astype(self._np.ndarray._types.array_of(x), ca.float64) for x in parameters]
        shape = ca.broadcast_shapes(*(tuple(x.shape) for x in arrays)) if size is None else _shape(size)
        if size is not None and arrays:
            whole = ca.broadcast_shapes(shape, *(tuple(x.shape) for x in arrays))
            if tuple(whole) != tuple(shape):
                raise CoreArrayValueError(
                    f"Output size {shape} is not compatible with broadcast dimensions of inputs {tuple(whole)}."
                )
        return (tuple(shape), *arrays)

    def random(self, size: Any = None, dtype: Any = float, out: Any = None) -> Any:
        """Return numbers in [0, 1)."""
        own = dtype_of(dtype)
        if own not in (ca.float32, ca.float64):
            raise CoreArrayTypeError(f"Unsupported dtype {self._np.dtype(own)!r} for random")
        made = self._generator.uniform(shape=out.shape if out is not None else _shape(size), dtype=own)
        return self._into(out, made)

    def _into(self, out: Any, made: ca.Array) -> Any:
        if out is None:
            return self._out(made)
        if out.dtype != made.dtype:
            raise CoreArrayTypeError(f"Supplied output array has wrong type. Expected {made.dtype}, got {out.dtype}")
        if tuple(out.shape) != tuple(made.shape):
            raise CoreArrayValueError("size must match out.shape when used together")
        out[...] = self._np.ndarray._types.wrap(made)
        return out

    def uniform(self, low: Any = 0.0, high: Any = 1.0, size: Any = None) -> Any:
        """Return numbers between two others."""
        shape, low, high = self._sized(size, low, high)
        return self._out(low + (high - low) * self._uniform(shape))

    def standard_normal(self, size: Any = None, dtype: Any = float, out: Any = None) -> Any:
        """Return numbers of the standard normal distribution."""
        made = self._generator.normal(shape=out.shape if out is not None else _shape(size), dtype=dtype_of(dtype))
        return self._into(out, made)

    def normal(self, loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
        """Return numbers of a normal distribution."""
        shape, loc, scale = self._sized(size, loc, scale)
        self._positive("scale", scale, zero=True)
        return self._out(loc + scale * self._generator.normal(shape=shape, dtype=ca.float64))

    def _positive(self, name: str, x: Any, *, zero: bool = False) -> None:
        if bool(ca.any(x < 0 if zero else x <= 0)):
            raise CoreArrayValueError(f"{name} {'< 0' if zero else '<= 0'}")

    def lognormal(self, mean: Any = 0.0, sigma: Any = 1.0, size: Any = None) -> Any:
        """Return numbers whose logarithms are normal."""
        shape, mean, sigma = self._sized(size, mean, sigma)
        return self._out(ca.exp(mean + sigma * self._generator.normal(shape=shape, dtype=ca.float64)))

    def standard_exponential(self, size: Any = None, dtype: Any = float, method: str = "zig", out: Any = None) -> Any:
        """Return numbers of the exponential distribution of mean one."""
        return self._into(
            out,
            self._generator.exponential(shape=out.shape if out is not None else _shape(size), dtype=dtype_of(dtype)),
        )

    def exponential(self, scale: Any = 1.0, size: Any = None) -> Any:
        """Return numbers of an exponential distribution."""
        shape, scale = self._sized(size, scale)
        self._positive("scale", scale, zero=True)
        return self._out(scale * self._generator.exponential(shape=shape, dtype=ca.float64))

    def standard_gamma(self, shape: Any, size: Any = None, dtype: Any = float, out: Any = None) -> Any:
        """Return numbers of a gamma distribution of scale one."""
        sizes, form = self._sized(out.shape if size is None and out is not None else size, shape)
        made = self._generator.gamma(form, shape=sizes, dtype=ca.float64)
        return self._into(out, ca.astype(made, dtype_of(dtype)))

    def gamma(self, shape: Any, scale: Any = 1.0, size: Any = None) -> Any:
        """Return numbers of a gamma distribution."""
        sizes, form, scale = self._sized(size, shape, scale)
        return self._out(scale * self._generator.gamma(form, shape=sizes, dtype=ca.float64))

    def chisquare(self, df: Any, size: Any = None) -> Any:
        """Return numbers of a chi-square distribution."""
        sizes, df = self._sized(size, df)
        self._positive("df", df)
        return self._out(2.0 * self._generator.gamma(df / 2.0, shape=sizes, dtype=ca.float64))

    def beta(self, a: Any, b: Any, size: Any = None) -> Any:
        """Return numbers of a beta distribution."""
        sizes, a, b = self._sized(size, a, b)
        return self._out(self._generator.beta(a, b, shape=sizes, dtype=ca.float64))

    def poisson(self, lam: Any = 1.0, size: Any = None) -> Any:
        """Return counts of a Poisson distribution."""
        sizes, lam = self._sized(size, lam)
        self._positive("lam", lam, zero=True)
        return self._out(ca.astype(self._generator.poisson(lam, shape=sizes), ca.int64))

    def dirichlet(self, alpha: Any, size: Any = None) -> Any:
        """Return shares of a Dirichlet distribution."""
        given = ca.astype(self._np.ndarray._types.array_of(alpha), ca.float64)
        return self._out(self._generator.dirichlet(given, shape=_shape(size), dtype=ca.float64))

    def binomial(self, n: Any, p: Any, size: Any = None) -> Any:
        """Return counts of successes of `n` trials."""
        sizes, n, p = self._sized(size, n, p)
        most = int(ca.max(n)) if n.size else 0
        draws = self._uniform((*sizes, most)) < p[..., None]
        counted = ca.logical_and(draws, ca.arange(most, dtype=ca.float64) < n[..., None])
        return self._out(ca.sum(ca.astype(counted, ca.int64), axis=-1))

    def _inverse(self, size: Any, function: Any, *parameters: Any) -> Any:
        """Return numbers by the inverse of their distribution function."""
        sizes, *arrays = self._sized(size, *parameters)
        return self._out(function(self._uniform(sizes), *arrays))

    def laplace(self, loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
        """Return numbers of a Laplace distribution."""
        return self._inverse(
            size, lambda u, m, s: m - s * ca.sign(u - 0.5) * ca.log1p(-2.0 * ca.abs(u - 0.5)), loc, scale
        )

    def logistic(self, loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
        """Return numbers of a logistic distribution."""
        return self._inverse(size, lambda u, m, s: m + s * (ca.log(u) - ca.log1p(-u)), loc, scale)

    def gumbel(self, loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
        """Return numbers of a Gumbel distribution."""
        return self._inverse(size, lambda u, m, s: m - s * ca.log(-ca.log1p(-u)), loc, scale)

    def pareto(self, a: Any, size: Any = None) -> Any:
        """Return numbers of a Pareto II distribution."""
        return self._inverse(size, lambda u, a: ca.expm1(-ca.log1p(-u) / a), a)

    def weibull(self, a: Any, size: Any = None) -> Any:
        """Return numbers of a Weibull distribution."""
        return self._inverse(size, lambda u, a: (-ca.log1p(-u)) ** (1.0 / a), a)

    def rayleigh(self, scale: Any = 1.0, size: Any = None) -> Any:
        """Return numbers of a Rayleigh distribution."""
        return self._inverse(size, lambda u, s: s * ca.sqrt(-2.0 * ca.log1p(-u)), scale)

    def power(self, a: Any, size: Any = None) -> Any:
        """Return numbers of a power distribution."""
        return self._inverse(size, lambda u, a: u ** (1.0 / a), a)

    def standard_cauchy(self, size: Any = None) -> Any:
        """Return numbers of the standard Cauchy distribution."""
        return self._inverse(_shape(size), lambda u: ca.tan(math.pi * (u - 0.5)))

    def geometric(self, p: Any, size: Any = None) -> Any:
        """Return counts of trials up to the first success."""
        return self._inverse(
            size, lambda u, p: ca.astype(ca.maximum(ca.ceil(ca.log1p(-u) / ca.log1p(-p)), 1.0), ca.int64), p
        )

    def triangular(self, left: Any, mode: Any, right: Any, size: Any = None) -> Any:
        """Return numbers of a triangular distribution."""

        def inverse(u: Any, low: Any, top: Any, high: Any) -> Any:
            whole, share = high - low, (top - low) / (high - low)
            rising = low + ca.sqrt(u * whole * (top - low))
            return ca.where(u <= share, rising, high - ca.sqrt((1 - u) * whole * (high - top)))

        return self._inverse(size, inverse, left, mode, right)

    def integers(self, low: Any, high: Any = None, size: Any = None, dtype: Any = int, endpoint: bool = False) -> Any:
        """Return integers between two others."""
        own = dtype_of(dtype)
        if own != ca.bool and "int" not in own.name:
            raise CoreArrayTypeError(f"Unsupported dtype {self._np.dtype(own)!r} for integers")
        first, last = (0, low) if high is None else (low, high)
        info = ca.iinfo(own) if own != ca.bool else None
        least, most = (0, 1) if info is None else (int(info.min), int(info.max))
        types = self._np.ndarray._types
        one, other = types.array_of(first), types.array_of(last)
        if one.ndim or other.ndim:
            for x, low_most, high_most in ((first, least, most), (last, least, most + (not endpoint))):
                numbers = self._np.asarray(x).ravel().tolist()
                if numbers and not (low_most <= min(numbers) and max(numbers) <= high_most):
                    raise CoreArrayValueError(f"low or high is out of bounds for {own.name}")
            shape = _shape(size) if size is not None else ca.broadcast_shapes(tuple(one.shape), tuple(other.shape))
            width = (
                ca.astype(ca.broadcast_to(other, shape), ca.float64)
                - ca.astype(ca.broadcast_to(one, shape), ca.float64)
                + bool(endpoint)
            )
            if bool(ca.any(width <= 0)):
                raise CoreArrayValueError("low >= high" if not endpoint else "low > high")
            made = ca.astype(ca.floor(self._uniform(tuple(shape)) * width), ca.int64) + ca.astype(one, ca.int64)
            return self._out(ca.astype(made, own))
        start, stop = int(one.item()), int(other.item()) + bool(endpoint)
        if start < least:
            raise CoreArrayValueError(f"low is out of bounds for {own.name}")
        if stop - 1 > most:
            raise CoreArrayValueError(f"high is out of bounds for {own.name}")
        if start >= stop:
            raise CoreArrayValueError("low >= high" if not endpoint else "low > high")
        if own == ca.bool:
            return self._out(ca.astype(self._generator.integers(start, stop, shape=_shape(size)), ca.bool))
        return self._out(self._generator.integers(start, stop, shape=_shape(size), dtype=own))

    def permutation(self, x: Any, axis: int = 0) -> Any:
        """Return a permuted range, or an array with its slices permuted."""
        if hasattr(x, "__index__") and not getattr(x, "ndim", 0):
            return self._out(ca.astype(self._generator.permutation(x.__index__()), ca.int64))
        array = self._np.asarray(x)
        order = self._np.ndarray._types.wrap(self._generator.permutation(array.shape[axis]))
        return self._np.take(array, order, axis=axis)

    def permuted(self, x: Any, *, axis: Any = None, out: Any = None) -> Any:
        """Return an array whose elements are permuted, in each slice along an axis on its own."""
        np = self._np
        array = np.asarray(x)
        if axis is None:
            made = self.permutation(array.ravel()).reshape(array.shape)
        else:
            made = np.take_along_axis(
                array, np.argsort(np.ndarray._types.wrap(self._uniform(array.shape)), axis=axis), axis=axis
            )
        if out is not None:
            out[...] = made
            return out
        return made

    def shuffle(self, x: Any, axis: int = 0) -> None:
        """Permute the slices of an array, or a list, in place."""
        if isinstance(x, self._np.ndarray):
            x[...] = self.permutation(x, axis)
            return
        order = [int(i) for i in self._generator.permutation(len(x)).tolist()]
        x[:] = [x[i] for i in order]

    def choice(
        self, a: Any, size: Any = None, replace: bool = True, p: Any = None, axis: int = 0, shuffle: bool = True
    ) -> Any:
        """Return elements drawn by chance."""
        np = self._np
        array = np.arange(a.__index__()) if hasattr(a, "__index__") and not getattr(a, "ndim", 0) else np.asarray(a)
        if not array.ndim:
            raise CoreArrayValueError("a must be a sequence or an integer")
        count, shape = array.shape[axis], _shape(size)
        wanted = math.prod(shape)
        if not count and wanted:
            raise CoreArrayValueError("a cannot be empty unless no samples are taken")
        if not replace and wanted > count:
            raise CoreArrayValueError("Cannot take a larger sample than population when replace is False")
        if p is not None:
            share = np.asarray(p, dtype=float)
            if share.ndim != 1 or share.size != count:
                raise CoreArrayValueError(
                    "a and p must have same size" if share.ndim == 1 else "p must be 1-dimensional"
                )
            if (share < 0).any():
                raise CoreArrayValueError("Probabilities are not non-negative")
            if abs(float(share.sum()) - 1.0) > 1e-8 * 10:
                raise CoreArrayValueError(
                    "Probabilities do not sum to 1. See Notes section of docstring for more information."
                )
            if replace:
                places = np.searchsorted(np.cumsum(share), np.random.Generator.random(self, wanted), side="right")
                places = np.minimum(places, count - 1)
            else:
                if int((share > 0).sum()) < wanted:
                    raise CoreArrayValueError("Fewer non-zero entries in p than size")
                keys = np.log(np.asarray(self._np.ndarray._types.wrap(self._uniform((count,))))) / np.where(
                    share > 0, share, 1.0
                )
                places = np.argsort(np.where(share > 0, -keys, np.inf))[:wanted]
        elif replace:
            places = np.ndarray._types.wrap(self._generator.integers(0, count, shape=(wanted,)))
        else:
            places = np.ndarray._types.wrap(self._generator.permutation(count)[:wanted])
        made = np.take(array, np.asarray(places).reshape(shape), axis=axis)
        return made[()] if not made.ndim else made

    def bytes(self, length: int) -> bytes:
        """Return random bytes."""
        return bytes(int(x) for x in self._generator.integers(0, 256, shape=(length,)).tolist())

    def multinomial(self, n: int, pvals: Any, size: Any = None) -> Any:
        """Return counts of `n` draws from several outcomes."""
        np = self._np
        share = np.asarray(pvals, dtype=float)
        if float(share[:-1].sum()) > 1.0 + 1e-12:
            raise CoreArrayValueError("sum(pvals[:-1]) > 1.0")
        limits = np.cumsum(share)[:-1].array
        draws = self._uniform((*_shape(size), int(n)))
        places = ca.sum(ca.astype(draws[..., None] >= limits, ca.int64), axis=-1)
        made = ca.sum(ca.astype(places[..., None] == ca.arange(share.size), ca.int64), axis=-2)
        return np.ndarray._types.wrap(made)

    def multivariate_normal(self, mean: Any, cov: Any, size: Any = None, **options: Any) -> Any:
        """Return vectors of a normal distribution."""
        np = self._np
        mean, cov = np.asarray(mean, dtype=float), np.asarray(cov, dtype=float)
        values, vectors = np.linalg.eigh(cov)
        root = vectors * np.sqrt(np.maximum(values, 0.0))
        draws = np.ndarray._types.wrap(self._generator.normal(shape=(*_shape(size), mean.size), dtype=ca.float64))
        return mean + draws @ root.T

    def spawn(self, n_children: int) -> list[Any]:
        """Return new generators whose numbers are independent."""
        made = []
        for generator in self._generator.spawn(n_children):
            one = object.__new__(type(self))
            one._bits, one._generator = None, generator
            made.append(one)
        return made

    def __getstate__(self) -> Any:
        return self._generator.__getstate__()

    def __setstate__(self, state: Any) -> None:
        if not hasattr(self, "_generator"):
            self._bits, self._generator = None, ca.random.Generator(0)
        self._generator.__setstate__(state)

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (self._np.version, type(self).__name__, self.bit_generator)

    def __repr__(self) -> str:
        return f"{self} at 0x{id(self):X}"

    def __str__(self) -> str:
        return f"{type(self).__name__}({type(self.bit_generator).__name__})"


class RandomState(Generator):
    """Random numbers by the names of NumPy's older generator."""

    def seed(self, seed: Any = None) -> None:
        """Begin anew with a seed."""
        self._generator.__setstate__(ca.random.Generator(seed_of(seed)).__getstate__())

    def rand(self, *args: int) -> Any:
        """Return numbers in [0, 1)."""
        return self.random(args or None)

    def randn(self, *args: int) -> Any:
        """Return numbers of the standard normal distribution."""
        return self.standard_normal(args or None)

    def random_sample(self, size: Any = None) -> Any:
        """Return numbers in [0, 1)."""
        return self.random(size)

    ranf = sample = random_sample

    def randint(self, low: Any, high: Any = None, size: Any = None, dtype: Any = int) -> Any:
        """Return integers between two others, without the last."""
        return self.integers(low, high, size, dtype)

    def get_state(self, legacy: bool = True) -> Any:
        """Return the state."""
        return self.__getstate__()

    def set_state(self, state: Any) -> None:
        """Go back to a state."""
        self.__setstate__(state)


def classes(np: Any) -> dict[str, Any]:
    """Return the classes of one frontend."""
    generator = type("Generator", (Generator,), {"_np": np})
    return {
        "random.Generator": generator,
        "random.RandomState": type("RandomState", (RandomState, generator), {"_np": np}),
        **bit_generators(np),
    }


def _again(version: str, name: str, bits: Any) -> Any:
    from corearray.frontend.frontend import get_frontend

    return getattr(get_frontend("numpy", version).random, name)(bits)
