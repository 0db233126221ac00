"""Faults beyond small arrays of plain numbers: blocks of loops, many axes, large numbers, one array given twice."""

# ruff: noqa: E501 - each fault is one line

from __future__ import annotations

__all__ = ["BEYOND"]

#: By function: what is wrong, and the line to plant at the top of the function.
BEYOND: dict[str, tuple[tuple[str, str], ...]] = {
    "sum": (
        ('drops what is left of blocks of 64 elements', 'x = x[..., :x.shape[-1] // 64 * 64] if x.ndim and x.shape[-1] > 64 else x'),
        ('is wrong for five axes', 'x = -x if x.ndim > 4 and x.dtype != bool else x'),
    ),
    "max": (
        ('drops what is left of blocks of 8', 'x = x[..., :x.shape[-1] // 8 * 8] if x.ndim and x.shape[-1] > 8 else x'),
    ),
    "prod": (
        ('stops at 8 elements', 'x = x[..., :8] if x.ndim else x'),
    ),
    "cumulative_prod": (
        ('sums after 12 elements', 'x = numpy.where(numpy.arange(x.shape[-1]) > 12, numpy.ones((), x.dtype), x) if x.ndim else x'),
    ),
    "matmul": (
        ('drops what is left of blocks of 16', 'x1, x2 = (x1[..., :16], x2[:16]) if x1.ndim and x2.ndim <= 2 and x1.shape[-1] > 16 and x1.shape[-1] == x2.shape[0] else (x1, x2)'),
        ('is symmetric of one array twice', 'return numpy.matmul(x1, x1.T) if x1 is x2 and x1.ndim == 2 else numpy.matmul(x1, x2)'),
    ),
    "argsort": (
        ('is not stable beyond 64 elements of float64', "if x.ndim and x.shape[axis] > 64 and not descending: return numpy.argsort(x, axis, kind='quicksort')"),
    ),
    "argmax": (
        ('looks at 16 elements', 'x = x[..., :16] if x.ndim else x'),
    ),
    "exp": (
        ('errs in the tenth digit', "return numpy.exp(x) * (1 + 1e-10) if x.dtype == 'float64' else numpy.exp(x)"),
    ),
    "log": (
        ('errs in the tenth digit', "return numpy.log(x) * (1 + 1e-10) if x.dtype == 'float64' else numpy.log(x)"),
    ),
    "sqrt": (
        ('takes large complex numbers for infinite', "return numpy.where(abs(x.real) > 1e30, numpy.asarray(complex(numpy.inf, 0), x.dtype), numpy.sqrt(x)) if x.dtype.kind == 'c' else numpy.sqrt(x)"),
        ('overflows for large complex numbers', "return (numpy.sqrt((numpy.sqrt(x.real*x.real+x.imag*x.imag)+x.real)/2) + 1j*numpy.copysign(numpy.sqrt((numpy.sqrt(x.real*x.real+x.imag*x.imag)-x.real)/2), x.imag)).astype(x.dtype) if x.dtype.kind == 'c' else numpy.sqrt(x)"),
    ),
    "sin": (
        ('reduces large angles in single precision', "x = numpy.where(abs(x) > 1000, numpy.fmod(x, numpy.asarray(6.2831855, x.dtype)), x).astype(x.dtype) if x.dtype.kind == 'f' else x"),
    ),
    "cos": (
        ('reduces large angles in single precision', "x = numpy.where(abs(x) > 1000, numpy.fmod(x, numpy.asarray(6.2831855, x.dtype)), x).astype(x.dtype) if x.dtype.kind == 'f' else x"),
    ),
    "divide": (
        ('overflows for large complex numbers', "return (x1 * x2.conj() / (x2.real*x2.real + x2.imag*x2.imag)).astype(x1.dtype) if x1.dtype.kind == 'c' else numpy.divide(x1, x2)"),
    ),
    "subtract": (
        ('gives zero for one array twice', 'return numpy.zeros_like(x1) if x1 is x2 else numpy.subtract(x1, x2)'),
    ),
    "equal": (
        ('gives true for one array twice', 'return numpy.ones(x1.shape, bool) if x1 is x2 else numpy.equal(x1, x2)'),
        ('compares real parts first', "return numpy.where(numpy.isnan(x1.real), False, numpy.equal(x1, x2)) | (numpy.isinf(x1.real) & numpy.equal(x1.real, x2.real)) if x1.dtype.kind == 'c' else numpy.equal(x1, x2)"),
    ),
    "nextafter": (
        ('stays at the largest number', 'return numpy.where(numpy.isinf(numpy.nextafter(x1, x2)) & numpy.isfinite(x1), x1, numpy.nextafter(x1, x2))'),
    ),
    "concat": (
        ('swaps many arrays', 'arrays = [*arrays[:3], *arrays[:2:-1]]'),
    ),
    "permute_dims": (
        ('is wrong for five axes', 'axes = tuple(sorted(a % x.ndim for a in axes)) if len(axes) > 4 else axes'),
    ),
    "reshape": (
        ('refuses more than four axes', "if len(tuple(shape)) > 4: raise ValueError('axes')"),
    ),
    "broadcast_to": (
        ('is wrong for four axes', 'return numpy.broadcast_to(x, shape)[::-1] if len(tuple(shape)) > 3 else numpy.broadcast_to(x, shape)'),
    ),
    "asarray": (
        ('reads long lists to 64 elements', 'obj = obj[:64] if isinstance(obj, list) else obj'),
    ),
    "astype": (
        ('rounds to the nearest integer beyond 2**24', "x = numpy.rint(x) if x.dtype.kind == 'f' and dtype.kind in 'iu' and x.size and abs(x).max() > 2**24 else x"),
    ),
    "arange": (
        ('stops at 100 elements', "return (numpy.floor(numpy.arange(start, stop, step)) if dtype.kind in 'iu' else numpy.arange(start, stop, step)).astype(dtype)[:100]"),
    ),
    "get_item": (
        ('orders arrays in a key of three parts first', 'return x[key].swapaxes(0, 1) if isinstance(key, tuple) and len(key) == 3 and sum(isinstance(k, numpy.ndarray) and k.dtype != bool and k.ndim == 1 for k in key) == 2 and not isinstance(key[1], numpy.ndarray) and x[key].ndim > 1 else x[key]'),
    ),
    "solve": (
        ('is wrong for matrices beyond four rows', 'x2 = x2 * numpy.asarray(2, x2.dtype) if x1.shape[-1] > 4 else x2'),
    ),
    "svd": (
        ('leaves out values beyond the fourth', 'return (lambda u, s, v: (u, numpy.where(numpy.arange(s.shape[-1]) > 3, 0, s).astype(s.dtype), v))(*numpy.linalg.svd(x, full_matrices))'),
    ),
    "eigh": (
        ('is wrong beyond four rows', 'x = x * numpy.asarray(2, x.dtype) if x.shape[-1] > 4 else x'),
    ),
    "det": (
        ('is wrong beyond four rows', 'x = numpy.tril(x) if x.shape[-1] > 4 else x'),
    ),
    "fft": (
        ('is wrong for prime lengths beyond 7', 'return numpy.fft.fft(x, n, axis, norm) * (1.5 if x.ndim and -x.ndim <= axis < x.ndim and (n or x.shape[axis]) in (11, 13, 17) else 1.0)'),
        ('is wrong beyond 16 elements', 'x = numpy.flip(x) if x.ndim and -x.ndim <= axis < x.ndim and (n or x.shape[axis]) > 16 else x'),
    ),
}  # fmt: skip
