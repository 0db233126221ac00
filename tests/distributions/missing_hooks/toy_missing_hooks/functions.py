from corearray.plugin import hookimpl


@hookimpl
def sin(x, /):
    return x
