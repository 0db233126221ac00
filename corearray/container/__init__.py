"""`Container`: a tree of arrays with string keys, which every public function accepts."""

from corearray.container.container import Container

__all__ = ["Container"]
