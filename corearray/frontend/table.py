"""Tables of rules: a framework's functions by the names that its tracer writes, as functions of corearray arrays.

There are three ways to write a rule, from the shortest:

    same(unary, "torch.{}", "ceil floor neg=negative")                            # the same function by another name
    say('torch.celu(input, alpha=1.0) = ca.celu(input, alpha=alpha)')             # a signature and an expression
    @rule("torch.logsumexp")                                                      # a function
    def logsumexp(input, dim, keepdim=False, *, out=None): ...

Nothing is compiled before a rule is first used, so that a table of hundreds of rules is read in a few milliseconds.
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from corearray.contract.versions import common_version, matches, parse_range, split_name
from corearray.errors import CoreArrayTypeError, CoreArrayValueError

__all__ = ["Rule", "Table", "loops"]

_F = TypeVar("_F", bound=Callable[..., Any])


def loops(function: _F) -> _F:
    """Mark the function of a rule that loops until elements meet a condition, or reads how many there are.

    A program with such a rule runs call by call where the graph of the target cannot hold it.
    """
    function.loops = True  # type: ignore[attr-defined] # functions have attributes, which their types do not declare
    return function


_LINE = re.compile(r"(?P<names>[\w.|\s]+?)\((?P<parameters>.*?)\)\s*=\s(?P<expression>.+)", re.DOTALL)
_NAME = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)+")


class Rule:
    """One function of a framework, as a function of corearray arrays.

    Attributes
    ----------
    name
        The framework's dotted name.
    versions
        The range of framework versions for which it holds; the empty text is every version.
    rebinds
        Whether the rule belongs to a method that changes the shape of its first argument, such as `Tensor.unsqueeze_`.
    """

    __slots__ = ("_function", "_make", "name", "rebinds", "versions")

    def __init__(self, name: str, make: Callable[[], Callable[..., Any]], versions: str = "") -> None:
        self.name = name
        self.versions = versions
        self.rebinds = False
        self._make = make
        self._function: Callable[..., Any] | None = None

    @property
    def function(self) -> Callable[..., Any]:
        """The function itself; it takes and returns `Array`."""
        if self._function is None:
            self._function = self._make()
        return self._function

    def __call__(self, *args: Any, **options: Any) -> Any:
        """Call the function."""
        return self.function(*args, **options)

    def __repr__(self) -> str:
        return f"<rule '{self.name}'{f' for {self.versions}' if self.versions else ''}>"


class Table:
    """The rules of one framework.

    Parameters
    ----------
    framework
        Name of the framework, such as `"torch"`.
    """

    def __init__(self, framework: str) -> None:
        self.framework = framework
        self._rules: dict[str, list[Rule]] = {}
        self._prefixes: set[str] = set()

    def add(self, rule: Rule) -> None:
        """Add a rule.

        Raises
        ------
        ValueError
            If its name is no dotted name, its range is none, or another rule holds for one of its versions.
        """
        if not _NAME.fullmatch(rule.name):
            raise CoreArrayValueError(
                f"'{rule.name}' is no name of a rule; write the dotted path that the tracer shows, such as "
                f"'{self.framework}.nn.functional.gelu'"
            )
        parse_range(rule.versions)
        for other in self._rules.get(rule.name, ()):
            version = common_version(rule.versions, other.versions)
            if version is not None:
                raise CoreArrayValueError(
                    f"two rules of the frontend '{self.framework}' for '{rule.name}' hold for version {version}: "
                    f"'{other.versions or 'every version'}' and '{rule.versions or 'every version'}'; make the ranges disjoint"
                )
        self._rules.setdefault(rule.name, []).append(rule)
        parts = rule.name.split(".")
        self._prefixes.update(".".join(parts[:count]) for count in range(1, len(parts)))

    def rule(self, *names: str, versions: str = "") -> Callable[[_F], _F]:
        """Mark a function as the rule of one or several names.

        Parameters
        ----------
        names
            Dotted names; a suffix such as `_v_1p12_and_below` stands for a range.
        versions
            The range of framework versions, as in `">=1.13"`.

        Raises
        ------
        TypeError
            If what is marked is no Python function, or its signature cannot be called as the framework's are.
        """

        def mark(function: _F) -> _F:
            for name in names:
                _check_signature(name, function)
                self.add(_ranged(name, lambda: function, versions))
            return function

        return mark

    def same(self, template: Callable[[str], Callable[..., Any]], path: str, names: str) -> None:
        """Add functions that corearray has with the same semantics.

        Parameters
        ----------
        template
            Makes the rule of a corearray name, with the framework's signature and result types.
        path
            The dotted path with `{}` for the name; several paths are separated by spaces.
        names
            The names, separated by spaces; `neg=negative` names the corearray function if it is another one.
        """
        for word in names.split():
            name, _, ours = word.partition("=")
            for place in path.split():
                self.add(_ranged(place.format(name), _lazily(template, ours or name), ""))

    def say(self, text: str) -> None:
        """Add rules that are written as `names(signature) = expression`, one a line.

        A line that is indented continues the one before. Names are separated by `|`. The expression may use `ca`, the
        parameters, and what the calling module defines.

        Raises
        ------
        ValueError
            If a line cannot be read.
        """
        scope = sys._getframe(1).f_globals
        for line in re.sub(r"\n[ \t]+", " ", text.strip()).splitlines():
            if not line or line.startswith("#"):
                continue
            found = _LINE.fullmatch(line)
            if found is None:
                raise CoreArrayValueError(
                    f"'{line}' is no rule; write it as in 'torch.celu(input, alpha=1.0) = ca.celu(...)'"
                )
            make = _written(found["parameters"], found["expression"], scope, line)
            for name in found["names"].split("|"):
                self.add(_ranged(name.strip(), make, ""))

    def find(self, name: str, version: str) -> Rule | None:
        """Return the rule of a name for a framework version, or `None`."""
        return next((rule for rule in self._rules.get(name, ()) if matches(version, rule.versions)), None)

    def variants(self, name: str) -> tuple[Rule, ...]:
        """Return all rules of a name, whatever their versions."""
        return tuple(self._rules.get(name, ()))

    def holds(self, prefix: str) -> bool:
        """Whether there are rules below a dotted path."""
        return prefix in self._prefixes

    def __iter__(self) -> Iterator[str]:
        """Return the names of all rules."""
        return iter(list(self._rules))

    def __len__(self) -> int:
        return len(self._rules)


def _check_signature(name: str, function: Any) -> None:
    """Refuse what cannot be a rule: no function, or one whose parameters the framework's calls cannot reach."""
    if not callable(function) or isinstance(function, type):
        raise CoreArrayTypeError(f"the rule '{name}' is a Python function, got {function!r}")
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError) as error:
        raise CoreArrayTypeError(f"the rule '{name}' has no signature that can be read: {error}") from error
    for parameter in parameters:
        default = parameter.default
        if isinstance(default, (list, dict, set)):
            raise CoreArrayTypeError(
                f"the rule '{name}' has a default that calls would share, {parameter.name}={default!r}; write a tuple or None"
            )
    if inspect.iscoroutinefunction(function) or inspect.isgeneratorfunction(function):
        raise CoreArrayTypeError(f"the rule '{name}' is a generator or a coroutine; a rule returns arrays")


def _ranged(name: str, make: Callable[[], Callable[..., Any]], versions: str) -> Rule:
    """Return a rule whose range may stand in its name."""
    plain, suffix = split_name(name)
    if suffix and versions:
        raise CoreArrayValueError(f"the rule '{name}' has two ranges, '{suffix}' by its name and versions='{versions}'")
    return Rule(plain, make, suffix or versions)


def _lazily(template: Callable[[str], Callable[..., Any]], name: str) -> Callable[[], Callable[..., Any]]:
    return lambda: template(name)


def _written(parameters: str, expression: str, scope: dict[str, Any], line: str) -> Callable[[], Callable[..., Any]]:
    made: list[Callable[..., Any]] = []

    def make() -> Callable[..., Any]:
        if not made:  # which the names of a line have in common
            try:
                made.append(eval(compile(f"lambda {parameters}: {expression}", "<corearray rule>", "eval"), scope))
            except SyntaxError as error:
                raise CoreArrayValueError(f"'{line}' is no rule: {error}") from error
        return made[0]

    return make
