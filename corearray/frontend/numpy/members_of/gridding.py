"""Grids of coordinates and indices, and the objects that are written with brackets: `mgrid`, `r_`, `s_`."""

from __future__ import annotations

from typing import Any

from corearray.errors import CoreArrayTypeError, CoreArrayValueError

__all__ = ["FUNCTIONS", "objects"]


def _indices(np: Any, dimensions: Any, dtype: Any = int, sparse: bool = False) -> Any:
    """Return the coordinates of all elements of a shape."""
    sizes = tuple(dimensions)
    count = len(sizes)
    rows = [np.arange(n, dtype=dtype).reshape((1,) * i + (n,) + (1,) * (count - i - 1)) for i, n in enumerate(sizes)]
    if sparse:
        return tuple(rows)
    if not rows:
        return np.zeros((0,), dtype=dtype)
    return np.stack([np.broadcast_to(row, sizes) for row in rows])


def _ix(np: Any, *args: Any) -> tuple[Any, ...]:
    """Return index arrays that select the product of sequences."""
    made = []
    for i, one in enumerate(args):
        x = np.asarray(one)
        if not x.size and not isinstance(one, np.ndarray):
            x = x.astype(np.intp)
        if x.ndim != 1:
            raise CoreArrayValueError("Cross index must be 1 dimensional")
        if x.dtype == bool:
            (x,) = x.nonzero()
        made.append(x.reshape((1,) * i + (x.size,) + (1,) * (len(args) - i - 1)))
    return tuple(made)


def _diag_indices(np: Any, n: int, ndim: int = 2) -> tuple[Any, ...]:
    """Return the indices of a main diagonal."""
    return (np.arange(n),) * ndim


def _diag_indices_from(np: Any, arr: Any) -> tuple[Any, ...]:
    """Return the indices of the main diagonal of an array."""
    if arr.ndim < 2:
        raise CoreArrayValueError("input array must be at least 2-d")
    if len(set(arr.shape)) > 1:
        raise CoreArrayValueError("All dimensions of input must be of equal length")
    return _diag_indices(np, arr.shape[0], arr.ndim)


def _mask_indices(np: Any, n: int, mask_func: Any, k: Any = 0) -> Any:
    """Return the indices at which a function of a matrix is not zero."""
    return (mask_func(np.ones((n, n), int), k) != 0).nonzero()


def _tril_indices(np: Any, n: int, k: int = 0, m: Any = None) -> Any:
    """Return the indices of the lower triangle."""
    return np.tri(n, m, k=k, dtype=bool).nonzero()


def _triu_indices(np: Any, n: int, k: int = 0, m: Any = None) -> Any:
    """Return the indices of the upper triangle."""
    return (~np.tri(n, m, k=k - 1, dtype=bool)).nonzero()


def _tril_indices_from(np: Any, arr: Any, k: int = 0) -> Any:
    """Return the indices of the lower triangle of an array."""
    if arr.ndim != 2:
        raise CoreArrayValueError("input array must be 2-d")
    return _tril_indices(np, arr.shape[-2], k=k, m=arr.shape[-1])


def _triu_indices_from(np: Any, arr: Any, k: int = 0) -> Any:
    """Return the indices of the upper triangle of an array."""
    if arr.ndim != 2:
        raise CoreArrayValueError("input array must be 2-d")
    return _triu_indices(np, arr.shape[-2], k=k, m=arr.shape[-1])


class _Grid:
    """Coordinates by slices: `mgrid[0:3, 0:5]`, steps that are complex numbers being counts."""

    def __init__(self, np: Any, *, sparse: bool) -> None:
        self._np, self._sparse = np, sparse

    def __getitem__(self, key: Any) -> Any:
        single = not isinstance(key, tuple)
        keys = (key,) if single else key
        rows = [self._row(one) for one in keys]
        if single:
            return rows[0]
        np = self._np
        dtype = np.result_type(*(row.dtype for row in rows), *(0.0 for one in keys if isinstance(one.step, complex)))
        count = len(rows)
        made = [row.astype(dtype).reshape((1,) * i + (-1,) + (1,) * (count - i - 1)) for i, row in enumerate(rows)]
        if self._sparse:
            return tuple(made)
        shape = tuple(row.size for row in rows)
        return np.stack([np.broadcast_to(row, shape) for row in made])

    def _row(self, key: slice) -> Any:
        np = self._np
        start = 0 if key.start is None else key.start
        if np.iscomplexobj(key.step) if hasattr(key.step, "dtype") else isinstance(key.step, complex):
            count = int(abs(complex(key.step)))
            dtype = (
                np.result_type(*(x for x in (start, key.stop) if hasattr(x, "dtype")), 0.0)
                if any(hasattr(x, "dtype") for x in (start, key.stop))
                else np.dtype(float)
            )
            return np.linspace(start, key.stop, count).astype(dtype)
        return np.arange(start, key.stop, 1 if key.step is None else key.step)

    def __len__(self) -> int:
        return 0


class _Join:
    """Arrays, numbers and ranges joined along an axis: `r_[1:4, 0, x]`."""

    def __init__(self, np: Any, axis: int, least: int, place: int) -> None:
        self._np, self._axis, self._least, self._place = np, axis, least, place

    def __getitem__(self, key: Any) -> Any:
        np, axis, least, place = self._np, self._axis, self._least, self._place
        parts: list[Any] = []
        weak: list[bool] = []
        for i, one in enumerate(key if isinstance(key, tuple) else (key,)):
            if isinstance(one, str):
                if i:
                    raise CoreArrayValueError("special directives must be the first entry.")
                if one in ("r", "c"):
                    raise CoreArrayTypeError("matrices are not kept here; use r_ without 'r'")
                numbers = one.split(",")
                try:
                    axis = int(numbers[0])
                    least = int(numbers[1]) if len(numbers) > 1 else least
                    place = int(numbers[2]) if len(numbers) > 2 else place
                except ValueError as error:
                    raise CoreArrayValueError(f"unknown special directive {one!r}") from error
                continue
            number = isinstance(one, (bool, int, float, complex))
            x = _Grid(np, sparse=False)._row(one) if isinstance(one, slice) else np.asanyarray(one)
            scalar = not isinstance(one, slice) and not x.ndim
            if isinstance(one, slice) or scalar:
                x = np.array(x, ndmin=least)
                if isinstance(one, slice) and place != -1 and least > 1:
                    x = np.moveaxis(x, -1, place)
            elif x.ndim < least:
                before = x.ndim
                x = np.array(x, ndmin=least)
                start = place if place >= 0 else place + least + 1 - before
                added = list(range(least))
                inner = added[least - before :]
                rest = added[: least - before]
                order = [*rest[:start], *inner, *rest[start:]]
                x = x.transpose(order)
            parts.append(x)
            weak.append(number)
        strong = [x for x, number in zip(parts, weak, strict=True) if not number]
        dtype = (
            np.result_type(
                *(x.dtype for x in strong),
                *(x.ravel()[0].item() for x, number in zip(parts, weak, strict=True) if number),
            )
            if strong
            else None
        )
        return np.concatenate([x if dtype is None else x.astype(dtype) for x in parts], axis=axis)

    def __len__(self) -> int:
        return 0


class _Index:
    """The key of brackets: `s_[::2, None]`."""

    def __init__(self, maketuple: bool) -> None:
        self.maketuple = maketuple

    def __getitem__(self, key: Any) -> Any:
        return (key,) if self.maketuple and not isinstance(key, tuple) else key


def objects(np: Any) -> dict[str, Any]:
    """Return the objects that are used with brackets."""
    return {
        "mgrid": _Grid(np, sparse=False), "ogrid": _Grid(np, sparse=True), "r_": _Join(np, 0, 1, -1), "c_": _Join(np, -1, 2, 0),
        "s_": _Index(maketuple=False), "index_exp": _Index(maketuple=True),
    }  # fmt: skip


FUNCTIONS = {
    "indices": _indices, "ix_": _ix, "diag_indices": _diag_indices, "diag_indices_from": _diag_indices_from,
    "mask_indices": _mask_indices, "tril_indices": _tril_indices, "triu_indices": _triu_indices,
    "tril_indices_from": _tril_indices_from, "triu_indices_from": _triu_indices_from,
}  # fmt: skip
