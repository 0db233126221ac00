from corearray.plugin import hookimpl


@hookimpl
def array_types():
    return (list,)


@hookimpl
def dtypes():
    return {}


@hookimpl
def set_item(x, key, value):
    return x


@hookimpl
def sin(x, /, *, fast=False):
    return x


@hookimpl
def add(x1, /):
    return x1
