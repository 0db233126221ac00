"""Modules of the target's framework made of transpiled programs; the plugins do what needs the framework."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from corearray.errors import CoreArrayTypeError, FunctionNotImplementedError

if TYPE_CHECKING:
    from corearray.frontend.transpiled import Transpiled

__all__ = ["PureProgram", "module_of"]


class PureProgram:
    """A transpiled program taken apart for a framework, as `corearray.nn.convert.PureModule` is for modules.

    Attributes
    ----------
    name
        Name of the program.
    parameters, frozen, buffers
        Native arrays by name; copies, so that the program stays as it is.
    training
        Whether calls change buffers.
    """

    def __init__(self, transpiled: Transpiled) -> None:
        first = transpiled._first.program
        self.name = transpiled._name
        self.training = bool(first.written)
        self._transpiled = transpiled
        trained = [name for name in transpiled._parameter_names if name not in first.frozen]
        frozen = [name for name in transpiled._parameter_names if name in first.frozen]
        others = [name for name in transpiled._arrays if name not in transpiled._parameter_names]
        self.parameters, self.frozen, self.buffers = (
            {name: self._copy(name) for name in names} for names in (trained, frozen, others)
        )

    def _copy(self, name: str) -> Any:
        return self._transpiled.backend.native.asarray(self._transpiled._arrays[name]._native, copy=True)

    def __call__(
        self,
        parameters: Sequence[Any],
        frozen: Sequence[Any],
        buffers: Sequence[Any],
        training: bool,
        args: Sequence[Any],
        named: Mapping[str, Any],
    ) -> tuple[Any, list[Any]]:
        """Run the program with native arrays in order, and return its result and the buffers after it, natively."""
        owner = self._transpiled
        wrap = owner.backend.wrap
        names = [*self.parameters, *self.frozen, *self.buffers]
        arrays = {name: wrap(x) for name, x in zip(names, [*parameters, *frozen, *buffers], strict=True)}
        prepared, made, _ = owner._run(arrays, tuple(args), dict(named))
        program = prepared.program
        new = dict(zip(program.written, made[len(program.outputs) :], strict=True))
        after = [new.get(name, old) for name, old in zip(self.buffers, buffers, strict=True)]
        return prepared.packed(made), after


def module_of(transpiled: Transpiled) -> Any:
    """Return a module of the target's framework that runs a program."""
    backend = transpiled.backend
    known: Mapping[str, Callable[..., Any]] = (
        backend.fact("framework_modules") if "framework_modules" in backend.facts else {}
    )
    makers = [made for name, made in known.items() if name.startswith("to_")]
    if not makers:
        raise FunctionNotImplementedError(
            f"backend '{backend.name}' makes no modules of a framework; use t.apply(t.parameters, x) and t.graph.native"
        )
    if not transpiled._arrays:
        raise CoreArrayTypeError(f"'{transpiled._name}' holds no arrays, so that no module is needed: call it as it is")
    return makers[0](PureProgram(transpiled))
