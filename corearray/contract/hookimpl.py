"""The mark by which a plugin's function becomes the implementation of a hook."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import FunctionType
from typing import Any, TypeVar, cast, overload

from pluggy import HookimplMarker

from corearray.contract.declaration import parameters_of
from corearray.contract.info import Options, Via
from corearray.contract.versions import split_name
from corearray.types.dtypes import names_of

__all__ = ["FastPathMiss", "hookimpl"]

_F = TypeVar("_F", bound=Callable[..., Any])


class FastPathMiss(ValueError):  # noqa: N818  # no error that a user sees
    """Raised by the function of a fast path (`short`, `view`) for arguments that it leaves to the implementation."""


_mark = HookimplMarker("corearray")


@overload
def hookimpl(function: _F, /) -> _F: ...


@overload
def hookimpl(
    *,
    versions: str = ...,
    when: Callable[..., bool] | None = ...,
    native: Callable[..., Any] | None = ...,
    short: Callable[..., Any] | str | None = ...,
    short_with: Callable[..., Any] | None = ...,
    of_tuples: Callable[..., Any] | None = ...,
    view: Callable[..., Any] | str | None = ...,
    ensured: bool = ...,
    tries: bool = ...,
    native_out: bool = ...,
    scalars: bool | Callable[[Any, Any], Any] = ...,
    via: Mapping[str, str | Via] | None = ...,
    lacks: tuple[str, ...] = ...,
    specname: str | None = ...,
    stages_add: tuple[str, ...] = ...,
    stages_skip: tuple[str, ...] = ...,
) -> Callable[[_F], _F]: ...


def hookimpl(
    function: Any = None,
    /,
    *,
    versions: str = "",
    when: Callable[..., bool] | None = None,
    native: Callable[..., Any] | None = None,
    short: Callable[..., Any] | str | None = None,
    short_with: Callable[..., Any] | None = None,
    of_tuples: Callable[..., Any] | None = None,
    view: Callable[..., Any] | str | None = None,
    ensured: bool = False,
    tries: bool = False,
    native_out: bool = False,
    scalars: bool | Callable[[Any, Any], Any] = False,
    via: Mapping[str, str | Via] | None = None,
    lacks: tuple[str, ...] = (),
    specname: str | None = None,
    stages_add: tuple[str, ...] = (),
    stages_skip: tuple[str, ...] = (),
) -> Any:
    """Mark a function as a backend's implementation of the hook of the same name.

    The implementation takes the parameters of the declaration, or those that it needs, by the same names. It gets
    native arrays, native dtypes and native devices, array parameters of one dtype where the declaration promotes
    them, and `dtype` and `device` filled in.

    Parameters
    ----------
    function
        The implementation, where `hookimpl` is used without options.
    versions
        Framework versions for which this variant is written, as in `">=2.0,<2.3"`. Names in the older convention
        (`ones_like_v_1p12_and_above`) say the same.
    when
        A guard with the parameters of the implementation; where it is false the core's composition runs. It sees operands
        of several dtypes in the one to which they are promoted.
    native
        The framework's function, or one that it has compiled, that is called in place of the body, which is then `...`: one
        Python frame less for an implementation that would only forward its arguments. The `def` says how they are passed on.
        Where it takes arrays alone, or is `short` too and takes options by the same names, and has neither `via` nor `when`,
        it is the function of `be.native` as it stands.
    short
        The framework's function for the common call, on arrays of one dtype that is not in `via`, with every optional
        argument at its default: it takes the required ones by position. Where it raises `FastPathMiss`, the
        implementation is called; every other error is final. A text is an expression of the required arguments and the
        module's names, and costs no Python frame: `"x[None]"`.
    short_with
        Beside `short`, where the implementation does not do: what takes the required arguments and all options by position,
        as declared, without `dtype`, which is then that of the array, as in `sum(x, axis=0)`.
    of_tuples
        Beside a text or a function of Python: the framework's function that computes the same where each required argument
        that is no array is a tuple or a list, or a key without arrays, for calls from C, to which a text is a function in
        Python as any.
    view
        Of a function that gives views, on a framework that writes in place: the same as `short` for calls on `Array`s, and
        it raises `FastPathMiss` where the framework has to copy. Then corearray links the result of the implementation, which
        must own its memory, with the argument. A text is the name of a method of native arrays that is true where `short`
        gives a view. Where the result is a copy always, say `stages_add=("handle_view",)` instead.
    ensured
        What `short` or `view` returns is a native array in every case, so that the core need not look, as it does otherwise
        where the plugin has the hook `as_array`.
    tries
        The framework itself refuses the dtypes of `via`, operands that need a promotion unlike corearray's, and complex
        numbers where there must be none, and it computes integers in its default floating dtype where corearray does
        so in its own. Then native arrays are passed on without a look at their dtypes; beside `scalars` operands of one
        class are, so that numbers take the longer way. A call that is refused costs the framework's error more. Only where
        nothing is computed yet, while a compiler traces, can such a refusal come too late.
    native_out
        The implementation takes `out` and writes into it.
    scalars
        Python scalars that fit the other operand's dtype may be passed on as they are; else they become 0-D arrays. A
        function of a scalar and the other operand returns what is passed on in the common call, where the framework
        takes longer for a number than for an array of it that is there already.
    via
        Dtypes in which the framework cannot compute this function, each with the dtype that stands in for it (values
        are cast there and back), or a `Via` that says how.
    lacks
        Dtypes of the operands for which the core's composition runs, or kinds of them as `isdtype` names them; of arrays
        that are not promoted, the first one counts. What a guard would tell by the dtype alone costs nothing here. Not
        beside `tries`, with which nobody looks at dtypes.
    specname
        The hook, where the function's own name differs; several variants of one function need it.
    stages_add, stages_skip
        Names of wrapper stages to force or to leave out for this implementation.
    """

    def decorate(written: _F) -> _F:
        if tries and lacks:
            raise TypeError(f"'{written.__name__}' is marked with tries and lacks; one of them is meant")
        name, named_range = split_name(written.__name__)
        hook = specname or name
        written.corearray_options = Options(  # type: ignore[attr-defined]
            versions=versions or named_range,
            when=when,
            native=native,
            short=_as_function(short, written) if isinstance(short, str) else short,
            short_with=short_with,
            expression=short if isinstance(short, str) else "",
            of_tuples=of_tuples,
            view=view,
            ensured=ensured,
            tries=tries,
            native_out=native_out,
            scalars=scalars,
            via={key: value if isinstance(value, Via) else Via(value) for key, value in (via or {}).items()},
            lacks=names_of(lacks),
            stages_add=frozenset(stages_add),
            stages_skip=frozenset(stages_skip),
        )
        return _mark(written, specname=hook if hook != written.__name__ else None)

    return decorate if function is None else decorate(function)


def _as_function(expression: str, written: Callable[..., Any]) -> Callable[..., Any]:
    """Return the function of an expression in the module of an implementation."""
    function = cast(FunctionType, written)
    names = [p.name for p in parameters_of(function) if p.required and p.name != "self"]
    found: Callable[..., Any] = eval(f"lambda {', '.join(names)}: {expression}", function.__globals__)
    return found
