"""Graphs of native calls, made of programs that mix functions of corearray with those of the framework.

A plugin writes down which native functions a program calls (`traced_calls` in `corearray.hookspecs`). What does not
contribute to a result is left out, and the rest becomes the source of one Python function, which is what runs.
"""

from corearray.graph.compiling import compile_graph
from corearray.graph.graph import Graph
from corearray.graph.saving import load_graph

__all__ = ["Graph", "compile_graph", "load_graph"]
