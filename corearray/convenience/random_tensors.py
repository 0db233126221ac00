"""Random tensors of low rank, as factors or dense, from a `corearray.random.Generator`.

The elements of the factors lie between 0 and 1, and are the same on every backend up to rounding.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from corearray.errors import CoreArrayValueError
from corearray.functional.creation import ones
from corearray.functional.decompositions import CPResult, TuckerResult
from corearray.functional.linalg import diagonal, qr
from corearray.functional.products import multi_mode_dot
from corearray.functional.searching import where
from corearray.functional.tensors import cp_to_tensor, tr_to_tensor, tt_to_tensor
from corearray.random import Generator
from corearray.types.namedtuples import NamedTuple

if TYPE_CHECKING:
    from corearray.arrays.array import Array

__all__ = ["Parafac2Result", "random_cp", "random_parafac2", "random_tr", "random_tt", "random_tucker"]

#: What `corearray list-functions` says of the functions here that are no declarations.
__kind__ = "convenience"


class Parafac2Result(NamedTuple):
    """Result of `random_parafac2`: slice `i` is `projections[i] @ B @ diag(weights * A[i]) @ C.T`.

    Attributes
    ----------
    weights
        Array of shape `(R,)`.
    factors
        The matrices `A`, `B` and `C`, of the shapes `(number of slices, R)`, `(R, R)` and `(K, R)`.
    projections
        A matrix of shape `(J, R)` with orthonormal columns for each slice of shape `(J, K)`.
    """

    weights: Array
    factors: tuple[Array, ...]
    projections: tuple[Array, ...]


def random_tucker(
    shape: Sequence[int],
    rank: int | Sequence[int],
    /,
    *,
    rng: Generator | int | None = None,
    full: bool = False,
    orthogonal: bool = False,
    dtype: Any = None,
) -> TuckerResult | Array:
    """Draw a random Tucker decomposition: a core and a factor for each mode.

    Parameters
    ----------
    shape
        The shape of the tensor.
    rank
        The lengths of the core, or one for all.
    rng
        A generator, the seed of one, or `None` for a seed that the operating system draws.
    full
        Whether to return the tensor.
    orthogonal
        Whether the columns of the factors are orthonormal.
    dtype
        A real floating dtype, by default the default one.

    Returns
    -------
    `TuckerResult(core, factors)`, or the tensor.

    Raises
    ------
    ValueError
        If a rank is not positive, or for orthonormal columns above the length of its mode.

    Examples
    --------
    >>> import corearray as ca
    >>> core, factors = ca.random_tucker((3, 4), (2, 2), rng=7)
    >>> core.shape, [tuple(factor.shape) for factor in factors]
    (Shape((2, 2)), [(3, 2), (4, 2)])
    """
    ranks = [rank] * len(shape) if isinstance(rank, int) else list(rank)
    if len(ranks) != len(shape):
        raise CoreArrayValueError(
            f"'random_tucker' got rank={rank} for the shape {tuple(shape)}; give one for each mode"
        )
    _check("random_tucker", shape, ranks, orthogonal)
    drawn = _drawing(rng, dtype)
    core = drawn(*ranks)
    factors = tuple(drawn(*pair, orthogonal=orthogonal) for pair in zip(shape, ranks, strict=True))
    return multi_mode_dot(core, factors) if full else TuckerResult(core, factors)


def random_cp(
    shape: Sequence[int],
    rank: int,
    /,
    *,
    rng: Generator | int | None = None,
    full: bool = False,
    orthogonal: bool = False,
    dtype: Any = None,
) -> CPResult | Array:
    """Draw a random CP decomposition: a factor for each mode.

    Parameters
    ----------
    shape
        The shape of the tensor.
    rank
        Number of outer products.
    rng, full, orthogonal, dtype
        As in `random_tucker`.

    Returns
    -------
    `CPResult(weights, factors)` with weights of one, or the tensor.

    Raises
    ------
    ValueError
        As in `random_tucker`.

    Examples
    --------
    >>> import corearray as ca
    >>> weights, factors = ca.random_cp((3, 4), 2, rng=7)
    >>> weights.tolist(), [tuple(factor.shape) for factor in factors]
    ([1.0, 1.0], [(3, 2), (4, 2)])
    """
    _check("random_cp", shape, [rank] * len(shape), orthogonal)
    drawn = _drawing(rng, dtype)
    factors = tuple(drawn(size, rank, orthogonal=orthogonal) for size in shape)
    weights = ones(rank, dtype=factors[0].dtype, device=factors[0].device)
    return cp_to_tensor(weights, factors) if full else CPResult(weights, factors)


def random_tt(
    shape: Sequence[int],
    rank: int | Sequence[int],
    /,
    *,
    rng: Generator | int | None = None,
    full: bool = False,
    dtype: Any = None,
) -> tuple[Array, ...] | Array:
    """Draw the factors of a random tensor train.

    Parameters
    ----------
    shape
        The shape of the tensor.
    rank
        The ranks between the modes, beginning and ending with 1, or one for all.
    rng, full, dtype
        As in `random_tucker`.

    Returns
    -------
    Arrays of shape `(rank, size of the mode, next rank)`, or the tensor.

    Raises
    ------
    ValueError
        If the ranks are not positive, not as many, or the first and the last are not 1.

    Examples
    --------
    >>> import corearray as ca
    >>> [tuple(factor.shape) for factor in ca.random_tt((3, 4), 2, rng=7)]
    [(1, 3, 2), (2, 4, 1)]
    """
    ranks = [1, *[rank] * (len(shape) - 1), 1] if isinstance(rank, int) else list(rank)
    factors = _train("random_tt", shape, rank, ranks, rng, dtype)
    if ranks[0] != 1 or ranks[-1] != 1:
        raise CoreArrayValueError(f"'random_tt' got rank={rank}; the first and the last rank are 1")
    return tt_to_tensor(factors) if full else factors


def random_tr(
    shape: Sequence[int],
    rank: int | Sequence[int],
    /,
    *,
    rng: Generator | int | None = None,
    full: bool = False,
    dtype: Any = None,
) -> tuple[Array, ...] | Array:
    """Draw the factors of a random tensor ring.

    Parameters
    ----------
    shape
        The shape of the tensor.
    rank
        The ranks between the modes, with the first rank repeated at the end, or one number for all.
    rng, full, dtype
        As in `random_tucker`.

    Returns
    -------
    Arrays of shape `(rank, size of the mode, next rank)`, or the tensor.

    Raises
    ------
    ValueError
        If the ranks are not positive, not as many, or the last is not the first.

    Examples
    --------
    >>> import corearray as ca
    >>> [tuple(factor.shape) for factor in ca.random_tr((3, 4), 2, rng=7)]
    [(2, 3, 2), (2, 4, 2)]
    """
    ranks = [rank] * (len(shape) + 1) if isinstance(rank, int) else list(rank)
    factors = _train("random_tr", shape, rank, ranks, rng, dtype)
    if ranks[0] != ranks[-1]:
        raise CoreArrayValueError(f"'random_tr' got rank={rank}; the last rank is the first again")
    return tr_to_tensor(factors) if full else factors


def random_parafac2(
    shapes: Sequence[tuple[int, int]],
    rank: int,
    /,
    *,
    rng: Generator | int | None = None,
    full: bool = False,
    dtype: Any = None,
) -> Parafac2Result | tuple[Array, ...]:
    """Draw a random PARAFAC2 decomposition: factors of matrices with different heights and a shared column factor.

    Parameters
    ----------
    shapes
        The shape `(J, K)` of each slice, with one `K`.
    rank
        Number of components, at most the least `J`.
    rng, full, dtype
        As in `random_tucker`; `full` asks for the slices.

    Returns
    -------
    `Parafac2Result(weights, factors, projections)` with weights of one, or the slices.

    Raises
    ------
    ValueError
        If there is no slice, the widths differ, or the rank is not between 1 and the least height.

    Examples
    --------
    >>> import corearray as ca
    >>> [tuple(part.shape) for part in ca.random_parafac2([(3, 2), (4, 2)], 2, rng=7, full=True)]
    [(3, 2), (4, 2)]

    Notes
    -----
    H. A. L. Kiers, J. M. F. ten Berge and R. Bro, "PARAFAC2", J. Chemometrics 13 (1999).
    """
    heights, widths = [height for height, _ in shapes], {width for _, width in shapes}
    if len(widths) != 1:
        raise CoreArrayValueError(f"'random_parafac2' got slices of the shapes {list(shapes)}; give some of one width")
    _check("random_parafac2", heights, [rank] * len(heights), orthogonal=True)
    drawn = _drawing(rng, dtype)
    A, B, C = drawn(len(heights), rank), drawn(rank, rank), drawn(widths.pop(), rank)
    projections = tuple(drawn(height, rank, orthogonal=True) for height in heights)
    if full:
        return tuple(projection @ (B * A[i, :]) @ C.mT for i, projection in enumerate(projections))
    return Parafac2Result(ones(rank, dtype=A.dtype, device=A.device), (A, B, C), projections)


def _drawing(rng: Generator | int | None, dtype: Any) -> Any:
    """Return what draws an array of a shape, perhaps with orthonormal columns."""
    source = rng if isinstance(rng, Generator) else Generator(rng)

    def drawn(*shape: int, orthogonal: bool = False) -> Array:
        x = source.uniform(shape=shape, dtype=dtype)
        if not orthogonal:
            return x
        Q, R = qr(x)
        signs = diagonal(R)
        return Q * where(signs < 0, -1.0, ones(signs.shape, dtype=x.dtype, device=x.device))

    return drawn


def _check(name: str, shape: Sequence[int], ranks: Sequence[int], orthogonal: bool) -> None:
    if not len(shape) or min(ranks) < 1 or (orthogonal and any(r > n for r, n in zip(ranks, shape, strict=True))):
        most = " and at most the length of each mode, where columns are orthonormal" if orthogonal else ""
        raise CoreArrayValueError(
            f"'{name}' got the ranks {list(ranks)} for the shape {tuple(shape)}; give a mode at least, and ranks of at "
            f"least 1{most}"
        )


def _train(
    name: str, shape: Sequence[int], rank: Any, ranks: list[int], rng: Generator | int | None, dtype: Any
) -> tuple[Array, ...]:
    if len(ranks) != len(shape) + 1:
        raise CoreArrayValueError(
            f"'{name}' got rank={rank} for the shape {tuple(shape)}; give a number, or {len(shape) + 1} of them"
        )
    _check(name, shape, ranks, orthogonal=False)
    drawn = _drawing(rng, dtype)
    return tuple(drawn(ranks[i], size, ranks[i + 1]) for i, size in enumerate(shape))
