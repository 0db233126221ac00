"""`ufunc`: NumPy's functions of each element as objects, with `out`, `where`, `reduce`, `accumulate`, `outer`, `at`."""

from __future__ import annotations

from typing import Any

import corearray as ca
from corearray.errors import (
    CoreArrayIndexError,
    CoreArrayRuntimeError,
    CoreArrayTypeError,
    CoreArrayValueError,
)
from corearray.frontend.numpy.data_types import can_cast, dtype_of, kind_of
from corearray.frontend.numpy.loops import IDENTITIES, SIGNATURES, TYPES, UFUNCS, chosen
from corearray.frontend.numpy.promotion import are_whole_numbers, cast, whole_numbers
from corearray.frontend.numpy.ufunc_arguments import NO_VALUE, again, axes_of, given_of, held, one_out, overridden
from corearray.frontend.numpy.ufunc_writes import written_at
from corearray.frontend.table import Rule

__all__ = ["ufunc"]

_REDUCED = {
    "add": ca.sum, "multiply": ca.prod, "maximum": ca.max, "minimum": ca.min, "logical_and": ca.all, "logical_or": ca.any,
}  # fmt: skip
_RUNNING = {"add": ca.cumulative_sum, "multiply": ca.cumulative_prod}
_MANY_AXES = frozenset(
    "add multiply maximum minimum fmax fmin logical_and logical_or logical_xor bitwise_and bitwise_or bitwise_xor "
    "logaddexp logaddexp2 hypot gcd lcm".split()
)
_OPTIONS = frozenset("where casting order dtype subok signature sig extobj axes axis keepdims".split())


class ufunc:  # noqa: N801  NumPy's name
    """A function of each element, made of a rule.

    Attributes
    ----------
    nin, nout, nargs
        The numbers of inputs, results, and both.
    types, ntypes
        The dtypes in which it computes, such as `dd->d`, and how many there are.
    identity
        Where reductions start, or `None`.
    signature
        The axes of a generalised ufunc.
    """

    def __init__(self, frontend: Any, rule: Rule) -> None:
        self.__name__ = UFUNCS[rule.name.rpartition(".")[2]]
        self.__qualname__ = self.__name__
        self.__doc__ = (
            f"{self.__name__}(x1, x2, /, out=None, *, where=True, casting='same_kind', dtype=None)\n\nSee NumPy's."
        )
        self._rule, self._types = rule, frontend.ndarray._types
        self.types = list(TYPES[self.__name__])
        self.ntypes = len(self.types)
        self._decides = all(one.endswith("?") for one in self.types)  # as comparisons do
        before, after = self.types[0].split("->")
        self.nin, self.nout = len(before), len(after)
        self.nargs = self.nin + self.nout
        self.identity = IDENTITIES.get(self.__name__)
        self.signature = SIGNATURES.get(self.__name__)

    def __repr__(self) -> str:
        return f"<ufunc '{self.__name__}'>"

    def __reduce__(self) -> tuple[Any, ...]:
        return again, (self._types.frontend.version, self.__name__)

    # --- calls

    def __call__(self, *args: Any, out: Any = None, **options: Any) -> Any:
        """Compute the function of each element."""
        if not self.nin <= len(args) <= self.nargs:
            raise CoreArrayTypeError(
                f"{self.__name__}() takes from {self.nin} to {self.nargs} positional arguments but {len(args)} were given"
            )
        if len(args) > self.nin:
            if out is not None:
                raise CoreArrayTypeError("cannot specify 'out' as both a positional and keyword argument")
            out = args[self.nin :] + (None,) * (self.nargs - len(args))
            args = args[: self.nin]
        unknown = set(options) - _OPTIONS
        if unknown or (not self.signature and {"axes", "axis", "keepdims"} & set(options)):
            raise CoreArrayTypeError(
                f"{self.__name__}() got an unexpected keyword argument '{(sorted(unknown) or ['axis'])[0]}'"
            )
        if "sig" in options and "signature" in options:
            raise CoreArrayTypeError("cannot specify both 'sig' and 'signature'")
        if isinstance(out, tuple) and len(out) != self.nout:
            raise CoreArrayValueError("The 'out' tuple must have exactly one entry per ufunc output")
        found = overridden(self, "__call__", args, out, options)
        if found is not None:
            return found[0]
        given = options.get("signature", options.get("sig"))
        if given is not None and options.get("dtype") is not None:
            raise CoreArrayTypeError("cannot specify both 'signature' and 'dtype'")
        outs = self._outs(out)
        types = self._types
        casting = options.get("casting", "same_kind")
        inputs = [types.stripped(x) for x in args[: self.nin]]
        inputs = [x if isinstance(x, (bool, int, float, complex, ca.Array)) else types.array_of(x) for x in inputs]
        if self.nin == 1:
            inputs = [types.array_of(x) for x in inputs]
        dtypes, after = chosen(self.__name__, inputs, casting, given, options.get("dtype"))
        made = self._computed(inputs, dtypes, {k: options[k] for k in ("axis", "axes", "keepdims") if k in options})
        made = tuple(cast(x, own) for x, own in zip(made, after, strict=True))
        where = options.get("where", True)
        if where is not True:
            mask = types.array_of(where)
            if mask.dtype != ca.bool:
                raise CoreArrayTypeError(
                    "Cannot cast array data from the dtype of 'where' to dtype('bool') by the rule 'safe'"
                )
            made = tuple(self._masked(x, mask, target) for x, target in zip(made, outs, strict=True))
        results = tuple(
            self._written(x, target, casting, where) if target is not None else self._wrapped(x, args)
            for x, target in zip(made, outs, strict=True)
        )
        return results[0] if self.nout == 1 else results

    def _outs(self, out: Any) -> tuple[Any, ...]:
        if out is None:
            return (None,) * self.nout
        if not isinstance(out, tuple):
            if self.nout > 1:
                raise CoreArrayTypeError(
                    f"the 'out' argument must be a tuple of arrays: '{self.__name__}' has {self.nout} results"
                )
            out = (out,)
        for target in out:
            if target is not None and not isinstance(target, (self._types.ndarray, ca.Array)):
                raise CoreArrayTypeError("return arrays must be of ArrayType")
        return out

    def _computed(self, inputs: list[Any], dtypes: tuple[ca.DType, ...], options: dict[str, Any]) -> tuple[Any, ...]:
        if self._decides and self.nin == 2:
            inputs = held(inputs, dtypes)
            dtypes = tuple(x.dtype for x in inputs)
        arrays = [
            cast(x, own) if isinstance(x, ca.Array) else self._types.array_of(x, own)
            for x, own in zip(inputs, dtypes, strict=True)
        ]
        if self.__name__ == "power" and kind_of(dtypes[0]) in "iu" and arrays[1].size and bool(ca.any(arrays[1] < 0)):
            raise CoreArrayValueError("Integers to negative integer powers are not allowed.")
        if options and self.__name__ != "vecdot":
            made = self._along(arrays, options)
        else:
            made = self._rule.function(*arrays, **options)
        return tuple(made) if isinstance(made, tuple) else (made,)

    def _along(self, arrays: list[Any], options: dict[str, Any]) -> Any:
        """Call a generalised ufunc with the axes of its operands given."""
        axes = options.get("axes")
        if axes is None:
            return self._rule.function(*arrays)
        count = [2 if x.ndim > 1 else 1 for x in arrays]
        moved = []
        for x, axis, size in zip(arrays, axes, count, strict=False):
            axis = axis if isinstance(axis, tuple) else (axis,)
            if len(axis) != size:
                raise CoreArrayValueError("axes item should be a tuple of as many axes as the operand's core has")
            moved.append(ca.moveaxis(x, axis, tuple(range(-size, 0))))
        made = self._rule.function(*moved)
        if len(axes) > len(arrays):
            axis = axes[-1] if isinstance(axes[-1], tuple) else (axes[-1],)
            made = ca.moveaxis(made, tuple(range(-len(axis), 0)), axis)
        return made

    def _masked(self, x: ca.Array, mask: ca.Array, target: Any) -> ca.Array:
        """Return results where a mask holds, and elsewhere the elements of `out`, or zeros."""
        shape = ca.broadcast_shapes(tuple(x.shape), tuple(mask.shape))
        before = ca.zeros(shape, dtype=x.dtype) if target is None else cast(self._types.array_of(target), x.dtype)
        return ca.where(mask, x, before)

    def _wrapped(self, x: ca.Array, args: tuple[Any, ...]) -> Any:
        for one in args[: self.nin]:
            if isinstance(one, self._types.ndarray) and type(one) is not self._types.ndarray:
                return self._types.like(one, x)
        return self._types.result(x)

    def _written(self, x: ca.Array, target: Any, casting: str, where: Any = True) -> Any:
        """Write a result into an array of `out`, and return that."""
        own = target.array.dtype if isinstance(target, self._types.ndarray) else target.dtype
        if not can_cast(x.dtype, own, casting):
            raise CoreArrayTypeError(
                f"Cannot cast ufunc '{self.__name__}' output from dtype('{x.dtype}') to dtype('{own}') with casting "
                f"rule '{casting}'"
            )
        shape = tuple(target.shape)
        if tuple(x.shape) != shape:
            try:
                whole = ca.broadcast_shapes(tuple(x.shape), shape)
            except ValueError:
                whole = None
            if whole != shape:
                raise CoreArrayValueError(
                    f"non-broadcastable output operand with shape {shape} doesn't match the broadcast shape "
                    f"{whole or tuple(x.shape)}"
                )
        target[...] = self._types.wrap(cast(x, own)) if isinstance(target, self._types.ndarray) else cast(x, own)
        return target

    # --- methods

    def _binary(self, method: str) -> None:
        if self.nin != 2 or self.nout != 1:
            raise CoreArrayValueError(f"{method} only supported for binary functions that return a single value")
        if self.signature:
            raise CoreArrayRuntimeError(f"Reduction not defined on ufunc with signature: '{self.__name__}'")

    def _pair(self, x: Any, y: Any) -> Any:
        dtypes, after = chosen(self.__name__, [x, y])
        return cast(self._computed([x, y], dtypes, {})[0], after[0])

    def _start(self, x: Any, dtype: Any, out: Any) -> ca.Array:
        """Return the array that is reduced, in the dtype in which NumPy reduces it."""
        array = self._types.array_of(x)
        target = out[0] if isinstance(out, tuple) and out else out
        if dtype is None and target is not None and not self._decides:
            dtype = target.dtype
        if dtype is not None:
            own = dtype_of(dtype)
            if not can_cast(array.dtype, own, "unsafe"):
                raise CoreArrayTypeError(f"cannot reduce {array.dtype} in {own}")
            if not self._decides:
                return cast(array, own)
            return array
        if self.__name__ in ("add", "multiply") and kind_of(array.dtype) in "biu" and array.dtype.itemsize < 8:
            return ca.astype(array, ca.uint64 if kind_of(array.dtype) == "u" else ca.int64)
        if self._decides and self.__name__.startswith("logical"):
            return cast(array, ca.bool)
        return array

    def reduce(
        self, array: Any, axis: Any = NO_VALUE, dtype: Any = NO_VALUE, out: Any = None, keepdims: Any = NO_VALUE,
        initial: Any = NO_VALUE, where: Any = NO_VALUE,
    ) -> Any:  # fmt: skip
        """Reduce an array along axes.

        Raises
        ------
        ValueError
            If there is nothing to reduce and the ufunc has no identity.
        """
        given = {"axis": axis, "dtype": dtype, "keepdims": keepdims, "initial": initial, "where": where}
        found = overridden(self, "reduce", (array,), one_out(out), given)
        if found is not None:
            return found[0]
        axis, dtype = given_of(axis, 0), given_of(dtype, None)
        keepdims, where = given_of(keepdims, False), given_of(where, True)
        self._binary("reduce")
        x = self._start(array, dtype, out)
        axes = axes_of(axis, x.ndim)
        if len(axes) > 1 and self.__name__ not in _MANY_AXES:
            raise CoreArrayValueError(
                f"reduction operation '{self.__name__}' is not reorderable, so at most one axis may be specified"
            )
        chosen(self.__name__, [x, x])
        start = self.identity if initial is NO_VALUE or initial is None else initial
        if where is not True:
            if start is None or (initial is None and self.identity is None):
                raise CoreArrayValueError(
                    f"reduction operation '{self.__name__}' does not have an identity, so to use a where mask one has to "
                    f"specify "
                    "'initial'"
                )
            mask = cast(self._types.array_of(where), ca.bool)
            x = ca.where(mask, x, self._types.array_of(start, x.dtype))
        made = self._reduced(x, axes, bool(keepdims), start, no_start=initial is None and where is True)
        if initial is not NO_VALUE and initial is not None:
            made = self._pair(self._types.array_of(self._types.stripped(initial), made.dtype), made)
        if out is not None:
            target = out[0] if isinstance(out, tuple) else out
            if not isinstance(target, (self._types.ndarray, ca.Array)):
                raise CoreArrayTypeError("return arrays must be of ArrayType")
            if tuple(target.shape) != tuple(made.shape):
                raise CoreArrayValueError(
                    f"output parameter for reduction operation {self.__name__} has the wrong shape {tuple(target.shape)}; "
                    f"{tuple(made.shape)} is needed"
                )
            return self._written(made, target, "unsafe")
        if dtype is not None and self._decides:
            made = cast(made, dtype_of(dtype)) if dtype_of(dtype) == ca.bool else made
        return self._wrapped(made, (array,))

    def _reduced(self, x: ca.Array, axes: tuple[int, ...], keepdims: bool, start: Any, *, no_start: bool) -> Any:
        name = self.__name__
        if not axes:
            return (
                self._pair(x, self._types.array_of(start, x.dtype))
                if start is not None and name in ("add", "multiply", "logical_and", "logical_or")
                else x
            )
        empty = any(x.shape[axis] == 0 for axis in axes)
        if empty and (start is None or no_start):
            raise CoreArrayValueError(f"zero-size array to reduction operation {name} which has no identity")
        if empty:
            shape = tuple(1 if i in axes else n for i, n in enumerate(x.shape))
            own = ca.bool if self._decides else x.dtype
            made = (
                ca.full(shape, 0, dtype=own) + self._types.array_of(start, own)
                if own != ca.bool
                else ca.full(shape, bool(start), dtype=own)
            )
            return made if keepdims else ca.squeeze(made, axis=axes)
        if name in _REDUCED and not (
            name in ("maximum", "minimum") and x.dtype.category in ("bool", "complex floating")
        ):
            options: dict[str, Any] = {"dtype": x.dtype} if name in ("add", "multiply") and x.dtype != ca.bool else {}
            if x.dtype == ca.bool and name in ("add", "multiply"):
                return (ca.any if name == "add" else ca.all)(x, axis=axes, keepdims=keepdims)
            return _REDUCED[name](x, axis=axes, keepdims=keepdims, **options)
        for axis in sorted(axes, reverse=True):
            x = self._folded(ca.moveaxis(x, axis, 0))
        return ca.expand_dims(x, axis=axes) if keepdims else x

    def _folded(self, x: ca.Array) -> Any:
        """Reduce along the first axis: by halves where the order does not matter, else step by step."""
        if self.__name__ in ("logaddexp", "logaddexp2", "hypot") or self.__name__ not in _MANY_AXES:
            made = x[0]
            for i in range(1, x.shape[0]):
                made = self._pair(made, x[i])
            return made
        while x.shape[0] > 1:
            half = x.shape[0] // 2
            joined = self._pair(x[:half], x[half : 2 * half])
            x = ca.concat([joined, cast(x[2 * half :], joined.dtype)], axis=0) if x.shape[0] % 2 else joined
        return x[0]

    def accumulate(self, array: Any, axis: Any = NO_VALUE, dtype: Any = NO_VALUE, out: Any = None) -> Any:
        """Return the results of all beginnings along an axis."""
        found = overridden(self, "accumulate", (array,), one_out(out), {"axis": axis, "dtype": dtype})
        if found is not None:
            return found[0]
        axis, dtype = given_of(axis, 0), given_of(dtype, None)
        self._binary("accumulate")
        x = self._start(array, dtype, out)
        if not x.ndim:
            raise CoreArrayTypeError("cannot accumulate on a scalar")
        (axis,) = axes_of(axis, x.ndim)
        if self.__name__ in _RUNNING and x.dtype != ca.bool:
            made = _RUNNING[self.__name__](x, axis=axis, dtype=x.dtype)
        elif not x.shape[axis]:
            made = x
        else:
            rows = ca.moveaxis(x, axis, 0)
            steps = [rows[0]]
            for i in range(1, rows.shape[0]):
                steps.append(self._pair(steps[-1], rows[i]))
            own = steps[-1].dtype
            made = ca.moveaxis(ca.stack([cast(step, own) for step in steps]), 0, axis)
        if out is not None:
            return self._written(made, out[0] if isinstance(out, tuple) else out, "unsafe")
        return self._wrapped(made, (array,))

    def reduceat(self, array: Any, indices: Any, axis: Any = NO_VALUE, dtype: Any = NO_VALUE, out: Any = None) -> Any:
        """Reduce the slices of an axis that begin at indices."""
        found = overridden(self, "reduceat", (array, indices), one_out(out), {"axis": axis, "dtype": dtype})
        if found is not None:
            return found[0]
        axis, dtype = given_of(axis, 0), given_of(dtype, None)
        self._binary("reduceat")
        x = self._start(array, dtype, out)
        places = whole_numbers(indices if are_whole_numbers(indices) else self._types.array_of(indices))
        (axis,) = axes_of(axis, x.ndim)
        rows = ca.moveaxis(x, axis, 0)
        made = []
        for place, following in zip(places, [*places[1:], rows.shape[0]], strict=True):
            if not 0 <= place < rows.shape[0]:
                raise CoreArrayIndexError(
                    f"index {place} out-of-bounds in {self.__name__}.reduceat [0, {rows.shape[0]})"
                )
            part = rows[place:following] if following > place else rows[place : place + 1]
            made.append(self._reduced(part, (0,), False, None, no_start=False))
        if not made:
            result = ca.zeros((0, *rows.shape[1:]), dtype=x.dtype)
        else:
            result = ca.stack([cast(one, made[0].dtype) for one in made])
        result = ca.moveaxis(result, 0, axis)
        if out is not None:
            return self._written(result, out[0] if isinstance(out, tuple) else out, "unsafe")
        return self._wrapped(result, (array,))

    def outer(self, A: Any, B: Any, /, **options: Any) -> Any:
        """Return the results for all pairs of elements."""
        found = overridden(self, "outer", (A, B), options.get("out"), {k: v for k, v in options.items() if k != "out"})
        if found is not None:
            return found[0]
        if self.signature:
            raise CoreArrayTypeError("method outer is not allowed in ufunc with non-trivial signature")
        if self.nin != 2:
            raise CoreArrayValueError("outer product only supported for binary functions")
        one, other = self._types.array_of(A), self._types.array_of(B)
        one = ca.reshape(one, (*one.shape, *(1,) * other.ndim))
        return self(self._types.wrap(one), self._types.wrap(other), **options)

    def at(self, a: Any, indices: Any, b: Any = ..., /) -> None:
        """Compute in place at indices; an index that comes twice counts twice."""
        found = overridden(self, "at", (a, indices) if b is ... else (a, indices, b), None, {})
        if found is not None:
            return
        if self.signature:
            raise CoreArrayTypeError("method at is not allowed in ufunc with non-trivial signature")
        if self.nout != 1 or (self.nin == 2) != (b is not ...):
            raise CoreArrayValueError(
                "second operand needed for ufunc" if self.nin == 2 else "at takes one operand, and one result"
            )
        if not isinstance(a, self._types.ndarray):
            raise CoreArrayTypeError("first operand must be array")
        from corearray.frontend.numpy.keys import stripped_key

        key = stripped_key(indices, self._types)
        numbers = ca.reshape(ca.arange(a.size, dtype=ca.int64), a.shape)[key]
        rest = [] if b is ... else [ca.reshape(ca.broadcast_to(self._types.array_of(b), tuple(numbers.shape)), (-1,))]
        numbers = ca.reshape(numbers, (-1,))
        flat = ca.asarray(ca.reshape(a.array, (-1,)), copy=True)
        dtypes, after = chosen(self.__name__, [flat, *rest])
        if not can_cast(after[0], flat.dtype, "same_kind"):
            raise CoreArrayTypeError(
                f"Cannot cast ufunc '{self.__name__}' output from dtype('{after[0]}') to dtype('{flat.dtype}') with "
                f"casting rule 'same_kind'"
            )
        flat = written_at(self.__name__, self._computed, flat, numbers, rest, dtypes, after[0])
        a[...] = self._types.wrap(ca.reshape(flat, a.shape))

    def resolve_dtypes(
        self, dtypes: Any, *, signature: Any = None, casting: Any = None, reduction: bool = False
    ) -> Any:
        """Return the dtypes of inputs and results for given dtypes of inputs."""
        given = [
            ca.zeros((0,), dtype=dtype_of(one)) if one not in (int, float, complex) else one(0)
            for one in dtypes[: self.nin]
        ]
        before, after = chosen(self.__name__, given, casting or "same_kind", signature)
        return tuple(self._types.dtype(own) for own in (*before, *after))
