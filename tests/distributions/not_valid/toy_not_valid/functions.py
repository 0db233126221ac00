"""Breaks the contract in every way that validation must notice."""

import pluggy

from corearray.plugin import hookimpl


@hookimpl
def no_such_function(x):
    return x


@hookimpl
def add(x1, /):
    return x1


@hookimpl
def sin(x, /, *, fast=False):
    return x


@hookimpl(specname="cos", versions=">=1")
def cos_old(x, /):
    return x


@hookimpl(specname="cos", versions=">=2")
def cos_new(x, /):
    return x


@hookimpl(versions="about 2")
def tan(x, /):
    return x


@hookimpl
class exp:  # noqa: N801  # named like the hook
    pass


@hookimpl(specname="sinh", versions=">=6,<8")
def sinh_old(x, /):
    return x


@hookimpl(specname="sinh", versions=">=7")
def sinh_new(x, /, fast=False):
    return x


@hookimpl(stages_skip=("handle_nanz",))
def square(x, /):
    """Skip a stage that there is not."""
    return x


@pluggy.HookimplMarker("corearray")
def floor(x):
    """Marked by pluggy's own marker."""
    return x
