"""`jax.scipy.sparse.linalg`: iterative solvers of linear systems, by conjugate gradients and residuals."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import corearray as ca
from corearray.errors import CoreArrayTypeError, CoreArrayValueError
from corearray.frontend.jax.members_of.custom_derivatives import custom_vjp
from corearray.frontend.jax.members_of.derivatives import vjp
from corearray.frontend.jax.members_of.lax_control_flow import fori_loop, while_loop
from corearray.frontend.jax.members_of.segments import ravel_pytree
from corearray.frontend.jax.members_of.tree import tree_map, tree_structure
from corearray.frontend.jax.wrapper import Array, is_arraylike, numpy_function

__all__ = ["FUNCTIONS", "bicgstab", "cg", "gmres"]

_Map = Callable[[Any], Any]


def _as_function(x: Any) -> _Map:
    """Return a function for a linear map: itself, or the product with a square matrix."""
    if callable(x):
        return x  # type: ignore[no-any-return]
    if not is_arraylike(x):
        raise CoreArrayTypeError(f"linear operator must be either a function or ndarray: {x}")
    matrix = numpy_function("asarray")(x)
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
        raise CoreArrayValueError(f"linear operator must be a square matrix, but has shape: {matrix.shape}")
    return lambda vector: matrix @ vector


def _stopped(tree: Any) -> Any:
    """Return a tree of arrays without their derivatives."""

    def stopped(x: Any) -> Any:
        return Array(ca.stop_gradient(x.array))

    return tree_map(stopped, tree)


def _solved(solve: Callable[[_Map, _Map, Any, Any], Any], a: Any, b: Any, x0: Any, m: Any) -> Any:
    """Solve a system of trees as one of vectors, with derivatives by the system and not by the steps of the solver.

    From `A x = b` follows `dx = solve(db - dA x)`. So the solution gets the derivatives of the residual, times the inverse.
    A matrix is an argument of the function with the derivative, since JAX takes no enclosed arrays there that it follows.
    """
    b = tree_map(numpy_function("asarray"), b)
    x0 = tree_map(numpy_function("zeros_like"), b) if x0 is None else tree_map(numpy_function("asarray"), x0)
    if tree_structure(x0) != tree_structure(b):
        raise CoreArrayValueError(
            f"x0 and b must have matching tree structure: {tree_structure(x0)} vs {tree_structure(b)}"
        )
    right, unravel = ravel_pytree(b)
    start = ravel_pytree(x0)[0]
    on_trees = _as_function(a)
    preconditioner: _Map = (lambda x: x) if m is None else _as_function(m)

    matrix = () if callable(a) else (numpy_function("asarray")(a),)

    def forwards(vector: Any, *matrix: Any) -> Any:
        linear = _as_function(matrix[0]) if matrix else on_trees
        return ravel_pytree(linear(unravel(vector)))[0]

    def conditioned(vector: Any) -> Any:
        return ravel_pytree(preconditioner(unravel(vector)))[0]

    def passed(solution: Any, residual: Any, *matrix: Any) -> Any:
        return solution

    def first(solution: Any, residual: Any, *matrix: Any) -> Any:
        return solution, matrix

    def pull_back(matrix: Any, slope: Any) -> Any:
        zeros = numpy_function("zeros_like")(slope)

        def transposed(vector: Any) -> Any:
            return vjp(lambda x: forwards(x, *matrix), zeros)[1](vector)[0]

        return zeros, solve(transposed, conditioned, slope, zeros), *map(numpy_function("zeros_like"), matrix)

    corrected: Any = custom_vjp(passed)
    corrected.defvjp(first, pull_back)
    fixed = _stopped(matrix)
    solution = _stopped(solve(lambda x: _stopped(forwards(x, *fixed)), conditioned, _stopped(right), _stopped(start)))
    return unravel(corrected(solution, right - forwards(solution, *matrix), *fixed))


def _squared(x: Any) -> Any:
    """Return the squared norm of a vector, a real number."""
    return numpy_function("sum")(numpy_function("square")(numpy_function("abs")(x)))


def _limit(b: Any, tol: float, atol: float) -> Any:
    """Return the squared norm at which a residual is small."""
    return numpy_function("maximum")(tol * tol * _squared(b), atol * atol)


def cg(
    A: Any, b: Any, x0: Any = None, *, tol: float = 1e-5, atol: float = 0.0, maxiter: int | None = None, M: Any = None
) -> tuple[Any, None]:  # fmt: skip
    """Solve `A x = b` by conjugate gradients, for a Hermitian positive definite matrix or linear map of trees.

    Returns
    -------
    The solution and `None`. Derivatives are those of the solution.
    """

    def solve(a: _Map, m: _Map, b: Any, x: Any) -> Any:
        limit, most = _limit(b, tol, atol), 10 * b.size if maxiter is None else maxiter
        vdot = numpy_function("vdot")

        def going(state: Any) -> Any:
            _, r, *_, count = state
            return (_squared(r) > limit) & (count < most)

        def step(state: Any) -> Any:
            x, r, gamma, p, count = state
            image = a(p)
            rate = gamma / vdot(p, image).real.astype(gamma.dtype)
            x, r = x + rate * p, r - rate * image
            z = m(r)
            after = vdot(r, z).real.astype(gamma.dtype)
            return x, r, after, z + after / gamma * p, count + 1

        r = b - a(x)
        z = m(r)
        return while_loop(going, step, (x, r, vdot(r, z).real.astype(r.dtype), z, numpy_function("asarray")(0)))[0]

    return _solved(solve, A, b, x0, M), None


def bicgstab(
    A: Any, b: Any, x0: Any = None, *, tol: float = 1e-5, atol: float = 0.0, maxiter: int | None = None, M: Any = None
) -> tuple[Any, None]:  # fmt: skip
    """Solve `A x = b` by stabilised biconjugate gradients; arguments and results as in `cg`, for any matrix."""

    def solve(a: _Map, m: _Map, b: Any, x: Any) -> Any:
        limit, most = _limit(b, tol, atol), 10 * b.size if maxiter is None else maxiter
        vdot, where = numpy_function("vdot"), numpy_function("where")

        def going(state: Any) -> Any:
            _, r, *_, count = state
            return (_squared(r) > limit) & (count < most) & (count >= 0)

        def step(state: Any) -> Any:
            x, r, shadow, alpha, omega, rho, p, q, count = state
            after = vdot(shadow, r)
            p = r + after / rho * alpha / omega * (p - omega * q)
            turned = m(p)
            q = a(turned)
            alpha = after / vdot(shadow, q)
            s = r - alpha * q
            early = _squared(s) < limit
            stable = m(s)
            t = a(stable)
            omega = vdot(t, s) / vdot(t, t)
            x = where(early, x + alpha * turned, x + (alpha * turned + omega * stable))
            r = where(early, s, s - omega * t)
            count = where((omega == 0) | (alpha == 0), -11, count + 1)
            return x, r, shadow, alpha, omega, after, p, q, where(after == 0, -10, count)

        r, one = b - a(x), numpy_function("ones")((), dtype=b.dtype)
        return while_loop(going, step, (x, r, r, one, one, one, r, r, numpy_function("asarray")(0)))[0]

    return _solved(solve, A, b, x0, M), None


def gmres(
    A: Any, b: Any, x0: Any = None, *, tol: float = 1e-5, atol: float = 0.0, restart: int = 20, maxiter: int | None = None,
    M: Any = None, solve_method: str = "batched",
) -> tuple[Any, Any]:  # fmt: skip
    """Solve `A x = b` by generalised minimal residuals.

    Both methods of JAX solve the least squares of a restart at once here.

    Returns
    -------
    The solution, and 0, or -1 if it has NaN. Derivatives are those of the solution.

    Raises
    ------
    ValueError
        If `solve_method` is neither "batched" nor "incremental".
    """
    if solve_method not in ("batched", "incremental"):
        raise CoreArrayValueError(f"invalid solve_method {solve_method}, must be either 'incremental' or 'batched'")

    def solve(a: _Map, m: _Map, b: Any, x: Any) -> Any:
        np = numpy_function
        linalg: Any = numpy_function("linalg")
        most, width = 10 * b.size if maxiter is None else maxiter, min(restart, b.size)
        size, scale = linalg.norm(b), linalg.norm(m(b))
        limit = scale * np("minimum")(1.0, np("maximum")(tol * size, atol) / np("where")(size > 0, size, 1.0))

        def unit(x: Any, smallest: Any) -> Any:
            length = linalg.norm(x)
            kept = length > smallest
            length = np("where")(kept, length, 0.0)
            return np("where")(kept, x / np("where")(kept, length, 1.0), 0.0), length

        def column(k: Any, state: Any) -> Any:
            """Add a vector to the orthonormal ones, made orthogonal to them twice."""
            vectors, products = state
            x = m(a(vectors[k]))
            smallest, found = np("finfo")(b.dtype).eps * linalg.norm(x), np("zeros")(width + 1, dtype=b.dtype)
            for _ in range(2):
                along = vectors.conj() @ x
                x, found = x - along @ vectors, found + along
            x, length = unit(x, smallest)
            return vectors.at[k + 1].set(x), products.at[k].set(found.at[k + 1].set(length.astype(b.dtype)))

        def going(state: Any) -> Any:
            _, residual, count = state
            return (linalg.norm(residual) > limit) & (count < most)

        def restarted(state: Any) -> Any:
            x, residual, count = state
            first, length = unit(residual, np("finfo")(b.dtype).tiny)
            vectors = np("zeros")((width + 1, b.size), dtype=b.dtype).at[0].set(first)
            products = np("zeros")((width, width + 1), dtype=b.dtype)
            vectors, products = fori_loop(0, width, column, (vectors, products))
            wanted = np("zeros")(width + 1, dtype=b.dtype).at[0].set(length.astype(b.dtype))
            x = x + linalg.pinv(products.T) @ wanted @ vectors[:-1]
            return x, m(b - a(x)), count + 1

        return while_loop(going, restarted, (x, m(b - a(x)), np("asarray")(0)))[0]

    found = _solved(solve, A, b, x0, M)
    failed = numpy_function("isnan")(numpy_function("sum")(ravel_pytree(found)[0]))
    return found, numpy_function("where")(failed, -1, 0)


FUNCTIONS: dict[str, Any] = {f"scipy.sparse.linalg.{one.__name__}": one for one in (cg, bicgstab, gmres)}
