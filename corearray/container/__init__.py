"""`Container`: a tree of arrays under string keys, for which every public function has a meaning."""

from corearray.container.container import Container

__all__ = ["Container"]
