from corearray.plugin import hookimpl


@hookimpl
def tan(x, /):
    return x
