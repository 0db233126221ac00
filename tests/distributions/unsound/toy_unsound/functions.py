"""Loads, and has the faults that only its author would notice."""

from corearray.plugin import hookimpl


@hookimpl
def sin(x, /):
    return x


@hookimpl
def sin(x, /):  # noqa: F811
    return -x
