"""Optimisers that treat an array as a whole: LARS and LAMB by its norm, Muon by its singular values."""

from __future__ import annotations

import math
from typing import Any

from corearray.errors import CoreArrayValueError
from corearray.functional.elementwise import maximum
from corearray.functional.linalg import matmul, matrix_transpose, vector_norm
from corearray.functional.searching import where
from corearray.optim.adam import scale_by_adam
from corearray.optim.masks import decayed, masked
from corearray.optim.recipes import recipe
from corearray.optim.sgd import trace
from corearray.optim.transform import Transformation, chain, scale_by_learning_rate, stateless, with_states

__all__ = ["lamb", "lars", "muon", "orthogonalize", "scale_by_trust_ratio"]

#: What `corearray list-functions` says of the functions here that are no declarations.
__kind__ = "convenience"


@recipe
def lamb(
    learning_rate: Any = 1e-3,
    *,
    betas: tuple[float, float] = (0.9, 0.999),
    eps: float = 1e-6,
    weight_decay: float = 0.0,
    mask: Any = None,
) -> Transformation:
    """Make LAMB: AdamW with a step for each array in proportion to its norm.

    Parameters
    ----------
    learning_rate, betas, eps, weight_decay, mask
        As in `adamw`.

    Returns
    -------
    `Transformation`.

    Raises
    ------
    ValueError
        If a number is out of range.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import optim
    >>> optimizer, parameters = optim.lamb(0.25), [ca.asarray([2.0])]
    >>> ca.round(2 * optimizer.update([ca.asarray([3.0])], optimizer.init(parameters), parameters)[0][0]).tolist()
    [3.0]

    Notes
    -----
    Y. You et al., arXiv:1904.00962.
    """
    direction = scale_by_adam(betas=betas, eps=eps)
    return chain(direction, *decayed(weight_decay, mask), scale_by_trust_ratio(), scale_by_learning_rate(learning_rate))


@recipe
def lars(
    learning_rate: Any = 1e-2,
    *,
    momentum: float = 0.9,
    trust_coefficient: float = 1e-3,
    eps: float = 0.0,
    nesterov: bool = False,
    weight_decay: float = 0.0,
    mask: Any = None,
) -> Transformation:
    """Make LARS: momentum with a step for each array in proportion to its norm.

    Parameters
    ----------
    learning_rate
        A number, or a schedule.
    momentum, nesterov
        As in `sgd`.
    trust_coefficient
        Norm of a step in units of that of the parameter.
    eps
        Added to the norm of the gradient.
    weight_decay
        Factor of the parameters that is added to the gradients.
    mask
        Parameters that decay; see `add_decayed_weights`.

    Returns
    -------
    `Transformation`.

    Raises
    ------
    ValueError
        If a number is out of range.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import optim
    >>> optimizer, parameters = optim.lars(0.5, trust_coefficient=1.0), [ca.asarray([3.0, 4.0])]
    >>> optimizer.update([ca.asarray([0.0, 10.0])], optimizer.init(parameters), parameters)[0][0].tolist()
    [3.0, 1.5]

    Notes
    -----
    Y. You et al., arXiv:1708.03888. The norm is taken of the gradient with the decayed weights.
    """
    ratio = scale_by_trust_ratio(trust_coefficient=trust_coefficient, eps=eps)
    parts = [trace(momentum, nesterov=nesterov)] if momentum else []
    return chain(*decayed(weight_decay, mask), ratio, scale_by_learning_rate(learning_rate), *parts)


@recipe
def scale_by_trust_ratio(*, trust_coefficient: float = 1.0, eps: float = 0.0) -> Transformation:
    """Make a transformation that gives each update the norm of its parameter.

    Parameters
    ----------
    trust_coefficient
        Factor of the norm.
    eps
        Added to the norm of the update.

    Returns
    -------
    `Transformation` without a state. An update whose norm, or that of its parameter, is zero stays.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import optim
    >>> optim.scale_by_trust_ratio().transform([ca.asarray([0.0, 10.0])], (), [ca.asarray([3.0, 4.0])])[0][0].tolist()
    [0.0, 5.0]
    """
    if trust_coefficient < 0 or eps < 0:
        raise CoreArrayValueError(f"a trust ratio got {trust_coefficient} and eps={eps}; they are at least 0")

    def scaled(u: Any, p: Any) -> Any:
        above, below = vector_norm(p), vector_norm(u)
        plain = (above > 0.0) & (below > 0.0)
        return u * where(plain, trust_coefficient * above / (where(plain, below, 1.0) + eps), 1.0)

    return stateless(scaled)


@recipe
def muon(
    learning_rate: Any = 1e-3,
    *,
    weight_decay: float = 0.1,
    momentum: float = 0.95,
    nesterov: bool = True,
    ns_coefficients: tuple[float, float, float] = (3.4445, -4.775, 2.0315),
    ns_steps: int = 5,
    eps: float = 1e-7,
    adjust_lr_fn: str | None = None,
    rest: Transformation | None = None,
) -> Transformation:
    """Make Muon: momentum whose singular values are made equal, for matrices.

    Parameters
    ----------
    learning_rate
        A number, or a schedule.
    weight_decay
        As in `adamw`.
    momentum, nesterov
        Decay rate of the running mean of the gradients, and whether the gradient is added to it once more.
    ns_coefficients, ns_steps, eps
        As in `orthogonalize`.
    adjust_lr_fn
        `"original"`, the default, multiplies the step of a matrix of shape `(A, B)` by `sqrt(max(1, A / B))`,
        `"match_rms_adamw"` by `0.2 * sqrt(max(A, B))`, so that rates of AdamW can be taken over.
    rest
        Optimiser of the parameters that are no matrices; by default those are refused.

    Returns
    -------
    `Transformation`.

    Raises
    ------
    ValueError
        If an option is out of range, or a parameter is no matrix and there is no `rest`.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import optim
    >>> optimizer = optim.muon(0.02, rest=optim.adamw(3e-4))
    >>> parameters = {"weight": ca.ones((2, 3)), "bias": ca.zeros(2)}
    >>> parameters, state = optimizer.update(parameters, optimizer.init(parameters), parameters)

    Notes
    -----
    K. Jordan et al., Muon, 2024; `torch.optim.Muon`, which orthogonalises in bfloat16. Here it is done in the dtype of the
    parameters.
    """
    if adjust_lr_fn not in (None, "original", "match_rms_adamw"):
        raise CoreArrayValueError(
            f"'muon' got adjust_lr_fn={adjust_lr_fn!r}; it is one of 'original', 'match_rms_adamw'"
        )

    def adjusted(u: Any, p: Any) -> Any:
        if p.ndim != 2:
            raise CoreArrayValueError(
                f"'muon' got a parameter of shape {tuple(p.shape)}; it takes matrices, give another optimiser as rest="
            )
        rows, columns = p.shape
        ratio = math.sqrt(max(1.0, rows / columns))
        ratio = ratio if adjust_lr_fn != "match_rms_adamw" else 0.2 * math.sqrt(max(rows, columns))
        return ratio * orthogonalize(u, coefficients=ns_coefficients, steps=ns_steps, eps=eps)

    one = chain(
        _mean(momentum, nesterov),
        stateless(adjusted),
        *decayed(weight_decay, None),
        scale_by_learning_rate(learning_rate),
    )
    if rest is None:
        return one
    return chain(masked(one, _is_matrix), masked(rest, _is_no_matrix))


def orthogonalize(
    x: Any,
    /,
    *,
    coefficients: tuple[float, float, float] = (3.4445, -4.775, 2.0315),
    steps: int = 5,
    eps: float = 1e-7,
) -> Any:
    """Bring the singular values of a matrix near 1 by Newton-Schulz iteration.

    Parameters
    ----------
    x
        Real floating array of shape `(A, B)`.
    coefficients
        Those of `x`, `x**3` and `x**5` in the polynomial that each step applies to the singular values.
    steps
        Number of steps.
    eps
        Least norm that `x` is divided by.

    Returns
    -------
    Array of the shape and dtype of `x`; its singular values lie between 0.5 and 1.5 where those of `x` are not tiny.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import optim
    >>> values = ca.linalg.svdvals(optim.orthogonalize(ca.asarray([[3.0, 1.0], [0.0, 2.0]])))
    >>> bool(ca.all((values > 0.5) & (values < 1.5)))
    True
    """
    a, b, c = coefficients
    tall = x.shape[0] > x.shape[1]
    found = matrix_transpose(x) if tall else x
    found = found / maximum(vector_norm(found), eps)
    for _ in range(steps):
        gram = matmul(found, matrix_transpose(found))
        found = a * found + matmul(b * gram + c * matmul(gram, gram), found)
    return matrix_transpose(found) if tall else found


def _mean(momentum: float, nesterov: bool) -> Transformation:
    """Make a transformation that keeps a running mean of gradients."""
    if not 0 <= momentum < 1:
        raise CoreArrayValueError(f"'muon' got momentum={momentum}; it is at least 0 and below 1")

    def step(g: Any, m: Any) -> tuple[Any, Any]:
        m = m + (1 - momentum) * (g - m)
        return (g + momentum * (m - g) if nesterov else m), m

    return with_states(("mean",), lambda count: step)


def _is_matrix(name: str, parameter: Any) -> bool:
    return bool(parameter.ndim == 2)


def _is_no_matrix(name: str, parameter: Any) -> bool:
    return bool(parameter.ndim != 2)
