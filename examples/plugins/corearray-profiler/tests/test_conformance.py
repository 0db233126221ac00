"""What corearray asks of every extension: here that calls give the same with the stage around them."""

from corearray.testing import ExtensionConformance


class TestProfiler(ExtensionConformance):
    extension = "profiler"
    backend = "numpy"
    functions = ("add", "concat", "reshape", "softmax", "sort", "sum")
