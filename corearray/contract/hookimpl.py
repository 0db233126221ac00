"""The mark by which a plugin's function becomes the implementation of a hook."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar, overload

from pluggy import HookimplMarker

from corearray.contract.info import Fast, Options, Via
from corearray.contract.versions import split_name
from corearray.types.dtypes import names_of

__all__ = ["FastPathMiss", "hookimpl"]

_F = TypeVar("_F", bound=Callable[..., Any])


class FastPathMiss(ValueError):  # noqa: N818  # no error that a user sees
    """Raised by the function of a fast path for arguments that it leaves to the implementation."""


_mark = HookimplMarker("corearray")


@overload
def hookimpl(function: _F, /) -> _F: ...


@overload
def hookimpl(
    *,
    versions: str = ...,
    when: Callable[..., bool] | None = ...,
    native: Callable[..., Any] | None = ...,
    fast: Callable[..., Any] | Fast | None = ...,
    trusts_framework: bool = ...,
    scalars: bool | Callable[[Any, Any], Any] = ...,
    via: Mapping[str, str | Via] | None = ...,
    lacks: tuple[str, ...] = ...,
    specname: str | None = ...,
    stages_add: tuple[str, ...] = ...,
    stages_skip: tuple[str, ...] = ...,
    tryfirst: bool = ...,
    trylast: bool = ...,
) -> Callable[[_F], _F]: ...


def hookimpl(
    function: Any = None,
    /,
    *,
    versions: str = "",
    when: Callable[..., bool] | None = None,
    native: Callable[..., Any] | None = None,
    fast: Callable[..., Any] | Fast | None = None,
    trusts_framework: bool = False,
    scalars: bool | Callable[[Any, Any], Any] = False,
    via: Mapping[str, str | Via] | None = None,
    lacks: tuple[str, ...] = (),
    specname: str | None = None,
    stages_add: tuple[str, ...] = (),
    stages_skip: tuple[str, ...] = (),
    tryfirst: bool = False,
    trylast: bool = False,
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
        Where it takes arrays alone, or is `fast` too and takes options by the same names, and has neither `via` nor `when`,
        it is the function of `be.native` as it stands.
    fast
        The framework's function for the common call, on arrays of one dtype with every optional argument at its default: it
        takes the required arguments by position. A `Fast` says more.
    trusts_framework
        The framework itself refuses the dtypes of `via`, operands that need a promotion unlike corearray's, and complex
        numbers where there must be none, and it computes integers in its default floating dtype where corearray does
        so in its own. Then native arrays are passed on without a look at their dtypes; beside `scalars` operands of one
        class are, so that numbers take the pipeline. A call that is refused costs the framework's error more. Only where
        nothing is computed yet, while a compiler traces, can such a refusal come too late.
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
        beside `trusts_framework`, with which nobody looks at dtypes.
    specname
        The hook, where the function's own name differs; several variants of one function need it.
    stages_add, stages_skip
        Names of wrapper stages to force or to leave out for this implementation. A stage that has nothing to do in the
        function, such as `handle_view` in one that gives no views, is refused when the backend is loaded.
    tryfirst, trylast
        Of an extension: the implementation comes before those of other extensions and of the backend, or after them.
        Without either it comes before the backend's own, and beside that of another extension it is a conflict.
    """

    def decorate(written: _F) -> _F:
        if tryfirst and trylast:
            raise TypeError(f"'{written.__name__}' is marked with tryfirst and trylast; one of them is meant")
        if trusts_framework and lacks:
            raise TypeError(f"'{written.__name__}' is marked with trusts_framework and lacks; one of them is meant")
        name, named_range = split_name(written.__name__)
        hook = specname or name
        written.corearray_options = Options(  # type: ignore[attr-defined]
            versions=versions or named_range,
            when=when,
            native=native,
            fast=Fast(fast) if callable(fast) else fast,
            trusts_framework=trusts_framework,
            scalars=scalars,
            via={key: value if isinstance(value, Via) else Via(value) for key, value in (via or {}).items()},
            lacks=names_of(lacks),
            stages_add=frozenset(stages_add),
            stages_skip=frozenset(stages_skip),
        )
        return _mark(written, specname=hook if hook != written.__name__ else None, tryfirst=tryfirst, trylast=trylast)

    return decorate if function is None else decorate(function)
