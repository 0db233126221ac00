"""The conformance tests of an extension: the kit on a backend with the extension, and natives against compositions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
import pytest

import corearray as ca
from corearray.backends.backend import Backend
from corearray.contract.declaration import DECLARATIONS
from corearray.manager import manager
from corearray.stages import ORDER as STAGES
from corearray.testing import summary
from corearray.testing.calls import ORDER
from corearray.testing.checks import CHECKS, OF_DTYPE
from corearray.testing.kit import Conformance
from corearray.testing.known import Capabilities

__all__ = ["ExtensionConformance"]


#: The checks of an extension that implements functions only.
_CHECKS = ["registration", "variants", "promotion", "scalars", "pickles", "threads"]


class ExtensionConformance(Conformance):
    """What every extension must pass on a backend; a subclass says which one.

    The functions that the extension implements are tested as those of a backend are: values, errors, and every way to call
    them. An extension with stages changes all functions, so all are tested.

    Attributes
    ----------
    extension
        The extension's name.
    backend
        A backend to which it applies.
    functions
        Names of the functions to test; by default all that the extension concerns.
    samples
        By the name of a function that an extension declared, tuples of arguments. NumPy's arrays among them become arrays of
        the backend. The native implementation must give what the composition gives, with the same dtypes and shapes.
    """

    extension: ClassVar[str]
    functions: ClassVar[tuple[str, ...]] = ()
    samples: ClassVar[Mapping[str, Sequence[tuple[Any, ...]]]] = {}
    every_dtype: ClassVar[bool] = False

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        """Make a test of each function, check and sample."""
        plugins = metafunc.config.pluginmanager
        if not plugins.is_registered(summary):
            plugins.register(summary)
        for parameter, values in (
            ("function", self._tested()),
            ("check", list(CHECKS) if self._changes_all() else _CHECKS),
            ("check_of_dtype", list(OF_DTYPE) if self._changes_all() else []),
            ("dtype", ("float32",)),
            ("declared", list(self.samples)),
        ):
            if parameter in metafunc.fixturenames:
                metafunc.parametrize(parameter, values)

    @classmethod
    def _implemented(cls) -> set[str]:
        """Return the functions and stages that the extension implements on the backend."""
        be = ca.get_backend(cls.backend)
        extension = manager.extensions.records[cls.extension]
        hooks = {hook for hook in manager.extensions.implemented(be) if extension in _who(hook, be)}
        return hooks | set(extension.info.stages if extension.info else ())

    @classmethod
    def _changes_all(cls) -> bool:
        """Whether the extension has stages, which change every function."""
        return bool(cls._implemented() - DECLARATIONS.keys())

    @classmethod
    def _tested(cls) -> list[str]:
        if cls.functions:
            return list(cls.functions)
        return ORDER if cls._changes_all() else [name for name in ORDER if name in cls._implemented()]

    @classmethod
    def can(cls) -> Capabilities:
        """Return the capabilities; those that are left out are the backend's, which its own tests prove."""
        be = ca.get_backend(cls.backend)
        found = super().can()
        if cls.capabilities != Capabilities():
            return found
        return replace(found, gradients="reverse_mode" in be.facts, writes_in_place=be.writes_in_place)

    def test_is_used(self, be: Backend) -> None:
        """The extension is ready, used on the backend, and in conflict with no other."""
        assert self.extension in manager.extensions.records, f"there is no extension '{self.extension}'"
        row = next(row for row in ca.list_extensions() if row.name == self.extension)
        assert (row.status, row.loaded, row.reason) == ("ready", True, "")
        assert manager.extensions.records[self.extension] in manager.extensions.of(be)
        assert self._implemented(), "it implements nothing"
        lacking = self._implemented() - set(ORDER) - set(self.samples) - set(STAGES) - set(be.stage_order)
        assert not lacking, f"samples has no calls of {sorted(lacking)}"

    def test_declared(self, be: Backend, declared: str) -> None:
        """The native implementation of a declared function gives what its composition gives."""
        binding = be.binding(declared)
        composition = binding.composition
        assert composition is not None, "the declaration has no body to compare with"
        for sample in self.samples[declared]:
            arguments = [be.asarray(x) if isinstance(x, np.ndarray) else x for x in sample]
            operands = (
                [be.astype(x, be.result_type(*arguments)) for x in arguments] if _promotes(declared) else arguments
            )
            _same(composition(*operands), getattr(be, declared)(*arguments), f"{declared}{sample}")
            with ca.backend_context(be):
                public: Any = DECLARATIONS[declared].public
                _same(composition(*operands), public(*arguments), f"corearray's {declared}{sample}")


def _who(hook: str, be: Backend) -> list[Any]:
    return [offer.extension for offer in manager.extensions.offers(hook, be)]


def _promotes(name: str) -> bool:
    declaration = DECLARATIONS[name]
    required = [p.name for p in declaration.parameters if p.required]
    return declaration.gives == "same" and set(required) == set(declaration.promote) and not declaration.floating


def _same(expected: Any, found: Any, call: str) -> None:
    assert (found.dtype, found.shape) == (expected.dtype, expected.shape), call
    one, other = (ca.to_native(x.backend.to_numpy(x)) for x in (expected, found))
    np.testing.assert_allclose(other, one, rtol=1e-5, atol=1e-6, err_msg=call)
