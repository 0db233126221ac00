"""Variants by version, guards, and a function that no installed version has."""

from corearray.plugin import hookimpl


def is_flat(x):
    return True


@hookimpl
def exp_v_1p9_and_below(x, /):
    return x


@hookimpl
def exp_v_2p0_and_above(x, /):
    return x


@hookimpl(versions=">=3")
def cos(x, /):
    return x


@hookimpl(when=is_flat)
def square(x, /):
    return x


@hookimpl(when=lambda x: True)
def tan(x, /):
    return x


@hookimpl
def sinh(x, /):
    return x
