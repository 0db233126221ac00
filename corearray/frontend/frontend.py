"""`Frontend`: the functions of a framework at one version, each found when it is first asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from difflib import get_close_matches
from types import SimpleNamespace
from typing import Any

from corearray.calls.memo import answered, follow
from corearray.contract.versions import base_version
from corearray.errors import CoreArrayValueError, FunctionNotImplementedError
from corearray.frontend.absent import why_absent
from corearray.frontend.description import FrontendInfo
from corearray.frontend.discovery import installed_version, loaded
from corearray.frontend.table import Rule

__all__ = ["Frontend", "Namespace", "get_frontend", "rule"]

_made: dict[tuple[str, str], Frontend] = {}
_noted = SimpleNamespace()


class Namespace:
    """The functions of a framework below a dotted path, such as `torch.nn.functional`.

    An attribute is a function, another namespace, or a constant such as a dtype. It is found when it is first asked for and
    is the same object for ever.
    """

    def __init__(self, frontend: Frontend, path: str) -> None:
        self._frontend = frontend
        self._path = path

    def __getattr__(self, name: str) -> Any:
        """Find a function, namespace or constant, and keep it."""
        if name.startswith("__") and name != "__version__":
            raise AttributeError(name)
        return _member(self, self, name)

    def __dir__(self) -> list[str]:
        """Return the names of all functions, classes and namespaces here."""
        start = self._path + "."
        below = (
            name.removeprefix(start).partition(".")[0] for name in self._frontend._paths() if name.startswith(start)
        )
        return sorted({*object.__dir__(self), *below})

    def __repr__(self) -> str:
        return f"<namespace '{self._path}' of the frontend '{self._frontend.name}' {self._frontend.version}>"


class Frontend:
    """A framework's own functions on corearray arrays, at one version of the framework.

    Its attributes are the framework's functions, namespaces and constants, beside its own attributes and methods. Where the
    framework has one of their names, such as `tf.function`, `namespace` has the framework's.

    Attributes
    ----------
    name
        The framework.
    version
        The version whose functions these are.
    known
        The newest version that its rules were written for.
    namespace
        The framework's names alone.

    Examples
    --------
    >>> import corearray as ca
    >>> torch = ca.frontend.get_frontend("torch")
    >>> torch.rule("torch.Tensor.add_")
    <rule 'torch.Tensor.add_'>
    """

    def __init__(self, info: FrontendInfo, version: str) -> None:
        self.name = info.name
        self.version = version
        self.known = info.latest
        self._info = info
        self._table = info.table
        self._found: dict[str, Rule] = {}
        self._members: Mapping[str, Any] | None = None
        self.namespace = Namespace(self, info.name)

    def __getattr__(self, name: str) -> Any:
        """Find a function, namespace or constant of the framework, and keep it."""
        return _member(self, self.namespace, name)

    def __dir__(self) -> list[str]:
        """Return its own names and those of the framework."""
        return sorted({*object.__dir__(self), *dir(self.namespace)})

    def rule(self, name: str) -> Rule | None:
        """Return the rule of a name that a tracer wrote, or `None` if there is none.

        Methods, in-place twins and reflected operators that have no rule of their own are derived from another one.

        Parameters
        ----------
        name
            Dotted name, such as `"torch.nn.functional.linear"` or `"torch.Tensor.add_"`.
        """
        found = self._found.get(name)
        if found is None:
            found = self._table.find(name, self.version)
            if found is None and self._info.derive is not None:
                found = self._info.derive(name, lambda other: self._table.find(other, self.version))
            if found is not None:
                self._found[name] = found
        return found

    def function(self, name: str) -> Callable[..., Any]:
        """Return the function of a rule, which takes and returns `Array`.

        Raises
        ------
        NotImplementedError
            If there is no rule of this name; the message says how to add one.
        """
        found = self.rule(name)
        if found is None:
            raise FunctionNotImplementedError(self._missing(name))
        return found.function

    def names(self) -> list[str]:
        """Return the names of all rules that hold for this version, sorted."""
        return sorted(name for name in self._table if self._table.find(name, self.version) is not None)

    def _paths(self) -> list[str]:
        """Return the dotted paths of rules, members and constants."""
        return [*self.names(), *(f"{self.name}.{path}" for known in self._known() for path in known)]

    def _known(self) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
        """Return the members and the constants by their paths below the framework's name."""
        if self._members is None:
            self._members = {} if self._info.members is None else self._info.members(self)
        return self._members, self._info.constants

    def _public(self, path: str) -> Any:
        name = path.removeprefix(self.name + ".")
        for known in self._known():
            if name in known:
                return known[name]
        found = self.rule(path)
        if found is not None:
            return found.function if self._info.publish is None else self._info.publish(self, found)
        if self._table.holds(path) or any(member.startswith(name + ".") for member in self._known()[0]):
            return Namespace(self, path)
        raise FunctionNotImplementedError(self._missing(path))

    def _missing(self, path: str) -> str:
        other = [rule.versions for rule in self._table.variants(path)]
        if other:
            return (
                f"'{path}' is no function of {self.name} {self.version}; there is one for versions {', '.join(other)}"
            )
        reason = why_absent(self._info.absent, path.removeprefix(self.name + "."))
        if reason is not None:
            return f"the frontend '{self.name}' {self.version} has no '{path}': {reason}"
        near = get_close_matches(path, self.names(), n=3)
        hint = f"; near it are {', '.join(repr(name) for name in near)}" if near else ""
        return (
            f"the frontend '{self.name}' {self.version} has no rule for '{path}'{hint}; add one with "
            f"@corearray.frontend.rule({self.name!r}, {path!r})"
        )

    def __repr__(self) -> str:
        return f"<frontend '{self.name}' {self.version} with {len(self.names())} rules>"

    def __reduce__(self) -> tuple[Any, ...]:
        return get_frontend, (self.name, self.version)


def get_frontend(name: str, version: str | None = None) -> Frontend:
    """Return a framework's own functions on corearray arrays.

    Parameters
    ----------
    name
        The framework, such as `"torch"`.
    version
        A version of the framework; by default the installed one, and if the framework is not installed the newest that is
        known. Several versions may be used side by side.

    Returns
    -------
    `Frontend`, the same object for the same name and version.

    Raises
    ------
    ValueError
        If there is no such frontend, or the version is none.

    Examples
    --------
    >>> import corearray as ca
    >>> old = ca.frontend.get_frontend("torch", version="1.12")
    >>> old.version, old is ca.frontend.get_frontend("torch", version="1.12")
    ('1.12', True)
    """
    info = loaded(name)
    if version is None:
        version = installed_version(info) or info.latest
    elif not isinstance(version, str):
        raise CoreArrayValueError(f"a version is a text such as {info.latest!r}, got {version!r}")
    if base_version(version) < base_version(info.oldest):
        raise CoreArrayValueError(
            f"the frontend '{name}' knows {name} from version {info.oldest} to {info.latest}, and {version} is older"
        )
    key = (name, version)
    if key not in _made:
        _made.setdefault(key, Frontend(info, version))
    return _made[key]


def _member(owner: Frontend | Namespace, namespace: Namespace, name: str) -> Any:
    """Return a member of a namespace and keep it in an object."""
    value = owner.__dict__[name] = namespace._frontend._public(f"{namespace._path}.{name}")
    return value


@answered
def _note_member(framework: str, version: str, path: str) -> None:
    """Put a member of a namespace where a tracer of Python code reads it."""
    setattr(_noted, path.replace(".", "__"), get_frontend(framework, version)._public(path))


def _noted_member(owner: Frontend | Namespace, namespace: Namespace, name: str) -> Any:
    path = f"{namespace._path}.{name}"
    _note_member(namespace._frontend.name, namespace._frontend.version, path)
    return getattr(_noted, path.replace(".", "__"))


follow(_member, _noted_member)


@answered
def _note(name: str, version: str | None) -> None:
    """Put a frontend where a tracer of Python code reads it."""
    setattr(_noted, name, get_frontend(name, version))


def _noted_frontend(name: str, version: str | None = None) -> Frontend:
    _note(name, version)
    found: Frontend = getattr(_noted, name)
    return found


follow(get_frontend, _noted_frontend)


def rule(framework: str, name: str, *, versions: str = "") -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Add a rule to a frontend: the decorated function computes what the named native function does.

    Parameters
    ----------
    framework
        The framework, such as `"torch"`.
    name
        The dotted name of the native function, as a tracer writes it. `corearray.transpile_report` lists those that are
        missing.
    versions
        Range of versions of the framework for which the rule holds, as in `">=2.1"`.

    Returns
    -------
    A decorator, which returns the function as it is. The function has the native one's signature and takes and returns `Array`.

    Raises
    ------
    ValueError
        If there is no such frontend, or another rule of that name holds for one of these versions.
    TypeError
        If what is decorated is no function, or its signature is none that a framework's call can fill.

    Examples
    --------
    >>> import corearray as ca
    >>> @ca.frontend.rule("torch", "mylib.ops.fused_gelu", versions=">=2.1")
    ... def fused_gelu(x, bias):
    ...     return ca.gelu(x + bias)
    >>> ca.frontend.get_frontend("torch", "2.4").rule("mylib.ops.fused_gelu")
    <rule 'mylib.ops.fused_gelu' for >=2.1>
    >>> ca.frontend.get_frontend("torch", "2.0").rule("mylib.ops.fused_gelu") is None
    True
    """
    return loaded(framework).table.rule(name, versions=versions)
