"""How a frontend describes itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from corearray.frontend.table import Rule, Table

__all__ = ["FrontendInfo"]


class FrontendInfo:
    """How a frontend describes itself: an object named `info` in the module of its entry point.

    Parameters
    ----------
    name
        The framework, a lower-case identifier, the same as that of the entry point.
    framework
        Names of the distributions that hold the framework; the first installed one says the version.
    latest, oldest
        The newest version that the rules were written for, which counts when the framework is not installed, and the oldest.
    modules
        The modules with the rules, imported when the frontend is first asked for. Each adds its rules to `info.table`.
    constants
        What names stand for that are no functions, such as dtypes.
    derive
        Called with a name and a function that finds rules, where a name has no rule: returns one that is derived, or `None`.
    members
        Called with a frontend: returns what names stand for that differs from version to version, such as its array class.
    publish
        Called with the frontend and a rule: returns the function that people call. By default the rule's function.
    noted
        Called when a program has been recorded: returns what the framework's process decides about results, such as its default
        dtype, as texts by name.
    noting
        Called with what `noted` returned: a block in which the rules decide so.
    absent
        Why names are missing: each reason with its names, which end a dotted path or are patterns of it, such as `"strings*"`.
        The error of a missing name gives the reason.

    Attributes
    ----------
    table
        The rules.
    """

    __slots__ = (
        "absent", "constants", "derive", "framework", "latest", "members", "modules", "name", "noted", "noting", "oldest",
        "publish", "table",
    )  # fmt: skip

    def __init__(
        self,
        name: str,
        *,
        framework: tuple[str, ...],
        latest: str,
        oldest: str = "0",
        modules: tuple[str, ...] = (),
        constants: Mapping[str, Any] | None = None,
        derive: Callable[[str, Callable[[str], Rule | None]], Rule | None] | None = None,
        members: Callable[[Any], Mapping[str, Any]] | None = None,
        publish: Callable[[Any, Rule], Callable[..., Any]] | None = None,
        noted: Callable[[], dict[str, str]] = dict,
        noting: Callable[[Mapping[str, str]], AbstractContextManager[Any]] = nullcontext,
        absent: Mapping[str, str] | None = None,
    ) -> None:
        self.name = name
        self.table = Table(name)
        self.framework = tuple(framework)
        self.latest = latest
        self.oldest = oldest
        self.modules = tuple(modules)
        self.constants = constants or {}
        self.derive = derive
        self.members = members
        self.publish = publish
        self.noted = noted
        self.noting = noting
        self.absent = absent or {}

    def __repr__(self) -> str:
        return f"FrontendInfo({self.name!r}, framework={self.framework}, latest={self.latest!r})"
