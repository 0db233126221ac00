"""`vectorize`: a Python function called for each element."""

from __future__ import annotations

import re
from typing import Any, ClassVar

from corearray.errors import CoreArrayTypeError, CoreArrayValueError

__all__ = ["vectorize"]

_UNSET = object()
_CORE = re.compile(r"\(([\w ,]*)\)")


class vectorize:  # noqa: N801  NumPy's name
    """A Python function that is called for each element, or with `signature` for each part of arrays."""

    _np: ClassVar[Any]

    def __init__(
        self,
        pyfunc: Any = _UNSET,
        otypes: Any = None,
        doc: Any = None,
        excluded: Any = None,
        cache: bool = False,
        signature: Any = None,
    ) -> None:
        if pyfunc is not _UNSET and not callable(pyfunc):
            part = "When used as a decorator, " if not callable(pyfunc) else ""
            raise CoreArrayTypeError(f"{part}only accepts keyword arguments.")
        self.pyfunc, self.cache, self.signature, self.excluded = pyfunc, cache, signature, set(excluded or ())
        self._doc = doc
        if isinstance(otypes, str):
            for char in otypes:
                if char not in self._np.typecodes["All"]:
                    raise CoreArrayValueError(f"Invalid otype specified: {char}")
            self.otypes: Any = otypes
        elif otypes is not None:
            self.otypes = "".join(self._np.dtype(one).char for one in otypes)
        else:
            self.otypes = None
        self._core: Any = None
        if signature is not None:
            before, arrow, after = signature.partition("->")
            if not arrow or (
                not re.fullmatch(r"\s*(\([\w ,]*\)\s*,\s*)*(\([\w ,]*\))?\s*", before + ",")
                and not _CORE.findall(before)
            ):
                raise CoreArrayValueError(f"not a valid gufunc signature: {signature}")
            self._core = tuple(
                [[axis.strip() for axis in part.split(",") if axis.strip()] for part in _CORE.findall(side)]
                for side in (before, after)
            )
            if not re.fullmatch(
                r"\s*\([\w ,]*\)(\s*,\s*\([\w ,]*\))*\s*->\s*\([\w ,]*\)(\s*,\s*\([\w ,]*\))*\s*", signature
            ):
                raise CoreArrayValueError(f"not a valid gufunc signature: {signature}")
        if pyfunc is not _UNSET:
            self._named(pyfunc)

    def _named(self, pyfunc: Any) -> None:
        if hasattr(pyfunc, "__name__"):
            self.__name__ = pyfunc.__name__
        self.__doc__ = pyfunc.__doc__ if self._doc is None else self._doc
        self.__wrapped__ = pyfunc

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call the function for all elements."""
        if self.pyfunc is _UNSET:
            self.pyfunc = args[0]
            self._named(args[0])
            return self
        varied = [i for i in range(len(args)) if i not in self.excluded]
        named = [name for name in kwargs if name not in self.excluded]

        def function(*values: Any) -> Any:
            given = list(args)
            for i, value in zip(varied, values, strict=False):
                given[i] = value
            options = {**kwargs, **dict(zip(named, values[len(varied) :], strict=True))}
            return self.pyfunc(*given, **options)

        operands = [args[i] for i in varied] + [kwargs[name] for name in named]
        return self._parts(function, operands) if self._core is not None else self._elements(function, operands)

    def _elements(self, function: Any, operands: list[Any]) -> Any:
        np = self._np
        if not operands:
            return function()
        arrays = np.broadcast_arrays(*(np.asarray(x) for x in operands))
        shape = arrays[0].shape
        flat = [x.reshape(-1) for x in arrays]
        if not flat[0].size and self.otypes is None:
            raise CoreArrayValueError("cannot call `vectorize` on size 0 inputs unless `otypes` is set")
        known: dict[Any, Any] = {}
        made = []
        for values in zip(*flat, strict=True):
            key = tuple(value.item() for value in values) if self.cache else None
            if self.cache and key in known:
                made.append(known[key])
            else:
                made.append(function(*values))
                known[key] = made[-1]
        several = isinstance(made[0], tuple) if made else len(self.otypes or "") > 1
        columns: Any = (
            list(zip(*made, strict=True)) if several and made else [made] if not several else [[]] * len(self.otypes)
        )
        results = []
        for place, column in enumerate(columns):
            dtype = self.otypes[place] if self.otypes else None
            if dtype is None and column:
                dtype = np.asarray(column[0]).dtype
            items = np.asarray(list(column)) if column else np.zeros((0,))
            x = items.astype(dtype) if dtype is not None else items
            results.append(x.reshape(shape + x.shape[1:]))
        return tuple(results) if several else results[0]

    def _parts(self, function: Any, operands: list[Any]) -> Any:
        np = self._np
        before, after = self._core
        if len(operands) != len(before):
            raise CoreArrayTypeError(
                f"wrong number of positional arguments: expected {len(before)}, got {len(operands)}"
            )
        arrays = [np.asarray(x) for x in operands]
        sizes: dict[str, int] = {}
        outer = []
        for x, axes in zip(arrays, before, strict=True):
            if x.ndim < len(axes):
                raise CoreArrayValueError(
                    f"{x.ndim}-dimensional argument does not have enough dimensions for all core dimensions {tuple(axes)!r}"
                )
            self._measure(sizes, axes, x.shape[x.ndim - len(axes) :])
            outer.append(x.shape[: x.ndim - len(axes)])
        shape = np.broadcast_shapes(*outer)
        whole = [
            np.broadcast_to(x, shape + x.shape[x.ndim - len(axes) :]) for x, axes in zip(arrays, before, strict=True)
        ]
        rows: list[list[Any]] = [[] for _ in after]
        for place in np.ndindex(shape):
            made = function(*(x[place] for x in whole))
            results = made if isinstance(made, tuple) else (made,)
            if len(results) != len(after):
                raise CoreArrayValueError(
                    f"wrong number of outputs from pyfunc: expected {len(after)}, got {len(results)}"
                )
            for row, result, axes in zip(rows, results, after, strict=True):
                x = np.asarray(result)
                if x.ndim != len(axes):
                    raise CoreArrayValueError(
                        f"{x.ndim}-dimensional result does not have enough dimensions for all core dimensions {tuple(axes)!r}"
                    )
                self._measure(sizes, axes, x.shape)
                row.append(x)
        final = []
        for i, (row, axes) in enumerate(zip(rows, after, strict=True)):
            if not row:
                if self.otypes is None:
                    raise CoreArrayValueError("cannot call `vectorize` on size 0 inputs unless `otypes` is set")
                if any(axis not in sizes for axis in axes):
                    raise CoreArrayValueError(
                        "cannot call `vectorize` with a signature including new output dimensions on size 0 inputs"
                    )
                final.append(np.zeros(shape + tuple(sizes[axis] for axis in axes), dtype=self.otypes[i]))
            else:
                x = np.stack(row).reshape(shape + row[0].shape)
                final.append(x.astype(self.otypes[i]) if self.otypes else x)
        return tuple(final) if len(final) > 1 else final[0]

    @staticmethod
    def _measure(sizes: dict[str, int], axes: list[str], shape: tuple[int, ...]) -> None:
        for axis, size in zip(axes, shape, strict=True):
            if sizes.setdefault(axis, size) != size:
                raise CoreArrayValueError(f"inconsistent size for core dimension {axis!r}: {size} vs {sizes[axis]}")
