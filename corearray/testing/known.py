"""What the author of a backend states as data: what it can do, and what is known to fail."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import Any

from corearray.contract.versions import matches, parse_range
from corearray.errors import CoreArrayValueError, options

__all__ = ["KINDS", "STANDARD", "Capabilities", "Known", "applicable", "checked"]

#: The dtypes of the standard.
STANDARD = (
    "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
    "float32", "float64", "complex64", "complex128",
)  # fmt: skip

KINDS = ("notimpl", "notyet", "never")


@dataclass(frozen=True)
class Capabilities:
    """What a backend can do. The kit checks that it is so, and asks for no more.

    Parameters
    ----------
    dtypes
        Names of its dtypes of the standard; by default those that the backend declares.
    devices
        Names of devices that it has wherever it is tested.
    gradients
        Whether `corearray.grad` works.
    data_dependent_shapes
        Whether shapes of results may depend on values, as those of `nonzero`.
    writes_in_place
        Whether the framework's arrays themselves can be written.
    compile_options
        Options for `corearray.compile` in the tests, such as a compiler that starts quickly.
    """

    dtypes: tuple[str, ...] = ()
    devices: tuple[str, ...] = ("cpu",)
    gradients: bool = False
    data_dependent_shapes: bool = True
    writes_in_place: bool = False
    compile_options: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Known:
    """A known failure. Strict: one that passes fails the test, until it is taken out.

    Parameters
    ----------
    name
        The function, or the check: one of `corearray.testing.checks`.
    kind
        `"never"`: the framework refuses it on purpose; `"notyet"`: it will be done; `"notimpl"`: nobody plans to.
    reason
        Why.
    versions
        The framework's versions that have the failure, as in `"<2.3"`; by default all.
    dtypes
        The dtypes with which it fails; by default it fails with any.
    case
        The calls that fail, by what the kit calls them, such as `"as uint8"`, `"NaN, 1"` or `"NaN*"`; by default all do that
        the dtypes allow. The other calls of the function must then pass.

    Examples
    --------
    >>> Known("eig", "notimpl", "the framework has no complex numbers").kind
    'notimpl'
    """

    name: str
    kind: str
    reason: str
    versions: str = ""
    dtypes: tuple[str, ...] = ()
    case: str = ""

    def covers(self, dtype: str, label: str) -> bool:
        """Whether it excuses a call.

        Examples
        --------
        >>> Known("sum", "notyet", "bytes overflow", case="as uint8").covers("uint8", "as uint8")
        True
        >>> Known("sum", "notyet", "bytes overflow", case="as uint8").covers("", "sample 1")
        False
        """
        return (not self.dtypes or dtype in self.dtypes) and (not self.case or fnmatchcase(label, self.case))


def checked(known: Iterable[Known], names: Iterable[str], dtypes: Iterable[str]) -> None:
    """Refuse known failures that name what there is not.

    Raises
    ------
    CoreArrayValueError
        With what is wrong.

    Examples
    --------
    >>> checked([Known("sin", "notimpl", "no sines")], ["sin"], ["float32"])
    """
    names, dtypes = set(names), set(dtypes) or set(STANDARD)
    for entry in known:
        if entry.name not in names:
            raise CoreArrayValueError(f"{entry} names neither a function of this core nor a check of the kit")
        if entry.kind not in KINDS:
            raise CoreArrayValueError(f"{entry} is of no kind; kinds are {options(KINDS)}")
        if not entry.reason:
            raise CoreArrayValueError(f"{entry} has no reason")
        if not set(entry.dtypes) <= dtypes:
            raise CoreArrayValueError(f"{entry} names dtypes that the capabilities do not list: {options(dtypes)}")
        parse_range(entry.versions)


def applicable(known: Iterable[Known], name: str, version: str) -> list[Known]:
    """Return the known failures of a function or check, with a version of the framework.

    Examples
    --------
    >>> applicable([Known("sin", "notyet", "no sines", versions="<2")], "sin", "2.1")
    []
    """
    return [entry for entry in known if entry.name == name and matches(version, entry.versions)]
