"""Graphs of native calls, from programs that mix functions of corearray and of the framework.

A plugin records the native functions that a program calls (`traced_calls` in `corearray.hookspecs`). Dead code is
removed, and the rest becomes the source of one Python function, which is executed.
"""

from corearray.graph.compiling import compile_graph
from corearray.graph.graph import Graph
from corearray.graph.saving import load_graph

__all__ = ["Graph", "compile_graph", "load_graph"]
