"""How a plugin describes itself and its functions, and the row that `list_backends` makes of it: plain records."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from corearray.errors import CoreArrayTypeError, CoreArrayValueError

__all__ = ["BackendInfo", "BackendStatus", "Fast", "Options", "Via", "checked_info", "problem_of_type"]


class BackendInfo:
    """How a plugin describes itself, without importing its framework.

    Parameters
    ----------
    name
        The backend's name, a lower-case identifier, the same as that of the entry point.
    framework
        Name of the distribution that holds the framework, or several of which the first installed one counts.
    framework_versions
        Range of framework versions, as in `">=2.1"`.
    array_types
        Dotted names of the framework's array types, such as `"torch.Tensor"`; `*` stands for any characters after the
        first dot, for types whose module moves between versions. A subclass of a named type counts. Write the same names
        into the entry point group `corearray.array_types`, so that they are known before the plugin is imported.
    modules
        The modules with the implementations, imported when the backend is loaded; `"module:object"` for an object that
        has them.
    core_versions
        Range of corearray versions.
    summary, url
        For people.

    Examples
    --------
    >>> info = BackendInfo("toy", framework="toys", array_types=("toys.Array",), modules=("toy_backend.functions",))
    >>> info.name
    'toy'
    """

    __slots__ = (
        "array_types", "core_versions", "framework", "framework_versions", "modules", "name", "summary", "url",
    )  # fmt: skip

    def __init__(
        self,
        name: str,
        *,
        framework: str | tuple[str, ...],
        array_types: tuple[str, ...],
        modules: tuple[str, ...] = (),
        framework_versions: str = "",
        core_versions: str = "",
        summary: str = "",
        url: str = "",
    ) -> None:
        self.name = name
        self.framework: tuple[str, ...] = _several(framework)
        self.framework_versions = framework_versions
        self.array_types: tuple[str, ...] = _several(array_types)
        self.modules: tuple[str, ...] = _several(modules)
        self.core_versions = core_versions
        self.summary = summary
        self.url = url

    def __repr__(self) -> str:
        return f"BackendInfo({self.name!r}, framework={self.framework}, framework_versions={self.framework_versions!r})"


def _several(given: Any) -> Any:
    """Return a tuple for one name or several; anything else stays as it is, and `checked_info` refuses it."""
    if isinstance(given, str):
        return (given,)
    return tuple(given) if isinstance(given, (tuple, list, set, frozenset)) else given


def checked_info(info: BackendInfo) -> BackendInfo:
    """Return a copy of a description, whose fields have the right types.

    The copy is plain: later reads run no code of a subclass.

    Raises
    ------
    CoreArrayTypeError, CoreArrayValueError
        With the field, its value, and what to write.
    """
    fields: dict[str, Any] = {name: getattr(info, name) for name in BackendInfo.__slots__}
    for name in ("name", "framework_versions", "core_versions", "summary", "url"):
        if not isinstance(fields[name], str):
            raise CoreArrayTypeError(f"its BackendInfo has {name}={fields[name]!r}; give a string")
    for name in ("framework", "array_types", "modules"):
        names = fields[name]
        if not isinstance(names, tuple) or not all(isinstance(one, str) for one in names):
            raise CoreArrayTypeError(f"its BackendInfo has {name}={names!r}; give a tuple of strings")
        if not all(one.strip() for one in names) or (name == "framework" and not names):
            raise CoreArrayValueError(f"its BackendInfo has {name}={names!r}; give names that are not empty")
    for kind in fields["array_types"]:
        if problem := problem_of_type(kind, "its BackendInfo"):
            raise CoreArrayValueError(problem)
    return BackendInfo(fields.pop("name"), **fields)


def problem_of_type(kind: str, where: str) -> str:
    """Return what is wrong with the name of an array type, or an empty text.

    Examples
    --------
    >>> problem_of_type("*", "its BackendInfo")[:42]
    "its BackendInfo names the array type '*'; "
    >>> problem_of_type("torch.Tensor", "its BackendInfo")
    ''
    """
    root, _, rest = kind.partition(".")
    if root in ("builtins", "corearray"):
        return f"{where} names the array type '{kind}', whose values are not those of a framework"
    if root.isidentifier() and rest and not rest.startswith("."):
        return ""
    return (
        f"{where} names the array type '{kind}'; write the module and the class, 'library.Array', with no '*' before the "
        "first dot"
    )


class Via:
    """How values of a dtype are computed in another one.

    Parameters
    ----------
    dtype
        Name of the dtype that stands in.
    forward, backward
        From native arrays of the first dtype to the second and back; casts where `None`.
    back
        Whether results of the stand-in dtype are brought back.
    fast
        What computes the function for arrays of the dtype with every option at its default, as `fast` of `hookimpl` does for
        those of the other dtypes; beside `scalars`, for an array and a Python number too.
    """

    __slots__ = ("back", "backward", "dtype", "fast", "forward")

    def __init__(
        self,
        dtype: str,
        forward: Callable[[Any], Any] | None = None,
        backward: Callable[[Any], Any] | None = None,
        *,
        back: bool = True,
        fast: Callable[..., Any] | None = None,
    ) -> None:
        self.dtype = dtype
        self.forward = forward
        self.backward = backward
        self.back = back
        self.fast = fast


class Fast:
    """What computes the common calls of an implementation, without a Python frame of its own.

    A common call is on arrays of one dtype that is not in `via`, with every optional argument at its default. Where a function
    here raises `FastPathMiss`, the implementation is called; every other error is final.

    Parameters
    ----------
    call
        Takes the required arguments by position.
    with_options
        Takes the required arguments and all options by position, as declared, without `dtype`, which is then that of the array,
        as in `sum(x, axis=0)`; needed where the implementation itself does not.
    view
        On a framework that writes in place, for functions that return views of `Array`s: `True` where `call` always does and
        raises `FastPathMiss` otherwise, or the name of a method of native arrays that is true where it does. The result of
        the implementation must then own its memory; corearray links it with the argument. If the result is always a copy,
        use `stages_add=("handle_view",)` instead.
    from_tuples
        The framework's function that computes the same where each required argument that is no array is a tuple, a list or a
        key without arrays; it is called from C, beside a `call` that is written in Python.
    """

    __slots__ = ("call", "from_tuples", "view", "with_options")

    def __init__(
        self,
        call: Callable[..., Any] | None = None,
        /,
        *,
        with_options: Callable[..., Any] | None = None,
        view: bool | str = False,
        from_tuples: Callable[..., Any] | None = None,
    ) -> None:
        self.call = call
        self.with_options = with_options
        self.view = view
        self.from_tuples = from_tuples


class Options:
    """The arguments of `hookimpl`, see there."""

    __slots__ = (
        "fast", "lacks", "native", "scalars", "stages_add", "stages_skip", "trusts_framework", "versions", "via", "when",
    )  # fmt: skip

    def __init__(
        self,
        versions: str = "",
        when: Callable[..., bool] | None = None,
        native: Callable[..., Any] | None = None,
        fast: Fast | None = None,
        trusts_framework: bool = False,
        scalars: bool | Callable[[Any, Any], Any] = False,
        via: Mapping[str, Via] | None = None,
        lacks: frozenset[str] = frozenset(),
        stages_add: frozenset[str] = frozenset(),
        stages_skip: frozenset[str] = frozenset(),
    ) -> None:
        self.versions = versions
        self.when = when
        self.native = native
        self.fast = fast or Fast()
        self.trusts_framework = trusts_framework
        self.scalars = scalars
        self.via = dict(via or {})
        self.lacks = lacks
        self.stages_add = stages_add
        self.stages_skip = stages_skip

    @property
    def partial(self) -> bool:
        """Whether the composition runs for some calls."""
        return self.when is not None or bool(self.lacks)


class BackendStatus:
    """One row of `list_backends()`: what is installed under a name, and whether and why not it can be used.

    Attributes
    ----------
    name, status, plugin, plugin_version, framework, framework_version, requires, reason, loaded
        `status` is one of `ready`, `framework missing`, `version mismatch`, `core mismatch`, `conflict`, `broken`,
        `disabled`; the others are texts, empty where unknown. `reason` says why a backend cannot be used; beside `ready`
        it names other plugins that claim the same name or the same array types.
    """

    __slots__ = (
        "framework", "framework_version", "loaded", "name", "plugin", "plugin_version", "reason", "requires", "status",
    )  # fmt: skip

    name: str
    status: str
    plugin: str
    plugin_version: str
    framework: str
    framework_version: str
    requires: str
    reason: str
    loaded: bool

    def __init__(self, **fields: Any) -> None:
        for field in self.__slots__:
            setattr(self, field, fields.get(field, False if field == "loaded" else ""))

    def as_dict(self) -> dict[str, Any]:
        """The fields as a dictionary."""
        return {field: getattr(self, field) for field in self.__slots__}

    def __repr__(self) -> str:
        return "BackendStatus(" + ", ".join(f"{k}={v!r}" for k, v in self.as_dict().items() if v) + ")"
