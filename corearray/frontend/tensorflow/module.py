"""`Module`: an object that holds variables and other modules."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, ClassVar

from corearray.frontend.tensorflow.variable import Variable

if TYPE_CHECKING:
    from corearray.frontend.frontend import Frontend

__all__ = ["Module"]


class Module:
    """An object that holds variables and other modules in its attributes, also in lists and dictionaries.

    Examples
    --------
    >>> import corearray.frontend.tensorflow as tf
    >>> class Dense(tf.Module):
    ...     def __init__(self):
    ...         super().__init__()
    ...         self.w = tf.Variable([[1.0], [2.0]])
    >>> [v.shape for v in Dense().trainable_variables]
    [TensorShape([2, 1])]
    """

    _frontend: ClassVar[Frontend]

    def __init__(self, name: str | None = None) -> None:
        self._name = name or type(self).__name__.lower()

    @property
    def name(self) -> str:
        """The name."""
        return self._name

    @property
    def name_scope(self) -> Any:
        """A block with the name of the module, which has no effect."""
        return self._frontend.name_scope(self._name)

    @classmethod
    def with_name_scope(cls, method: Any) -> Any:
        """Return a method as it is."""
        return method

    @property
    def variables(self) -> tuple[Variable, ...]:
        """The variables of the module and its submodules, sorted by the names of attributes."""
        return tuple({id(x): x for x in _within(self, set()) if isinstance(x, Variable)}.values())

    @property
    def trainable_variables(self) -> tuple[Variable, ...]:
        """The variables that tapes watch."""
        return tuple(x for x in self.variables if x.trainable)

    @property
    def non_trainable_variables(self) -> tuple[Variable, ...]:
        """The other variables."""
        return tuple(x for x in self.variables if not x.trainable)

    @property
    def submodules(self) -> tuple[Module, ...]:
        """The modules within."""
        return tuple({id(x): x for x in _within(self, set()) if isinstance(x, Module)}.values())


def _within(x: Any, seen: set[int]) -> Iterator[Any]:
    """Yield variables and modules within an object: its own variables before those of modules."""
    if id(x) in seen:
        return
    seen.add(id(x))
    parts: list[Any] = []
    if isinstance(x, Module):
        parts = [part for name, part in sorted(vars(x).items()) if name != "_name"]
    elif isinstance(x, dict):
        parts = [part for _, part in sorted(x.items(), key=lambda item: str(item[0]))]
    elif isinstance(x, (list, tuple)):
        parts = list(x)
    held = [part for part in parts if isinstance(part, Variable)]
    yield from held
    for part in parts:
        if isinstance(part, Module):
            yield part
        if isinstance(part, (Module, dict, list, tuple)):
            yield from _within(part, seen)
