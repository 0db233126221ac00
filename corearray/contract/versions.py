"""Version ranges, in the three places where they stand: backend, implementation, frontend function.

A range is matched against the *base version*: a release candidate, a build of a developer and a `+cpu` build of
2.14 all behave like 2.14, so that no version falls between two ranges.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import TypeVar

from packaging.specifiers import InvalidSpecifier, SpecifierSet
from packaging.version import InvalidVersion, Version

from corearray.errors import CoreArrayValueError

__all__ = ["base_version", "choose", "common_version", "matches", "parse_range", "split_name", "uncovered_version"]

_T = TypeVar("_T")

_SUFFIX = re.compile(r"(?P<name>.+)_v_(?P<low>\d+(?:p\d+)*)(?:_and_(?P<open>above|below)|_to_(?P<high>\d+(?:p\d+)*))$")


@lru_cache(maxsize=256)
def base_version(version: str) -> Version:
    """Release numbers of a PEP 440 version, without pre-release, developer or local part.

    Examples
    --------
    >>> str(base_version("2.4.0a0+git"))
    '2.4.0'
    """
    try:
        return Version(Version(version).base_version)
    except InvalidVersion as error:
        raise CoreArrayValueError(f"'{version}' is no version that PEP 440 knows; write it as in '2.4.1'") from error


@lru_cache(maxsize=256)
def parse_range(text: str) -> SpecifierSet:
    """Read a range such as `">=2.0,<2.3"`; the empty text matches every version."""
    try:
        return SpecifierSet(text)
    except InvalidSpecifier as error:
        raise CoreArrayValueError(
            f"'{text}' is no version range; write it as in '>=2.0,<2.3' (PEP 440 specifiers)"
        ) from error


@lru_cache(maxsize=1024)
def matches(version: str, text: str) -> bool:
    """Whether `version` lies in the range `text`.

    Examples
    --------
    >>> matches("2.14.0rc1", ">=2.14"), matches("2.4.0+cpu", "<2.4")
    (True, False)
    """
    return parse_range(text).contains(base_version(version), prereleases=True)


def common_version(one: str, other: str) -> str | None:
    """Return a version that lies in both ranges, if there is one.

    Examples
    --------
    >>> common_version(">=1,<2.1", ">=2")
    '2'
    >>> common_version("<2", ">=2") is None
    True
    """
    return next((v for v in _telling([one, other]) if matches(v, one) and matches(v, other)), None)


def uncovered_version(whole: str, parts: Iterable[str]) -> str | None:
    """Return a version that lies in a range and in none of its parts, if there is one.

    Examples
    --------
    >>> uncovered_version(">=1", ["<2", ">2"])
    '2'
    >>> uncovered_version(">=1,<3", ["<2", ">=2"]) is None
    True
    """
    parts = list(parts)
    return next(
        (v for v in _telling([whole, *parts]) if matches(v, whole) and not any(matches(v, part) for part in parts)),
        None,
    )


def _telling(ranges: Iterable[str]) -> list[str]:
    """Return versions that tell ranges apart: 0, each bound, what follows it at once and all that begin as it does."""
    bounds = {"0"}
    for specifier in (specifier for text in ranges for specifier in parse_range(text)):
        numbers = list(base_version(specifier.version.removesuffix(".*")).release)
        bounds |= {_dotted(numbers), _dotted([*numbers, 0, 1]), _after(numbers), _after(numbers[:-1] or numbers)}
    return sorted(bounds, key=Version)


def split_name(name: str) -> tuple[str, str]:
    """Split a function name in the older convention into its name and a range.

    Both ends count, at the precision written: `_v_1p01_to_1p1` holds 1.1 with all its patch releases.

    Examples
    --------
    >>> split_name("ones_like_v_1p12_and_above")
    ('ones_like', '>=1.12')
    >>> split_name("ones_like_v_0p3p0_to_0p3p1")
    ('ones_like', '>=0.3.0,<0.3.2')
    >>> split_name("ones_like")
    ('ones_like', '')
    """
    found = _SUFFIX.match(name)
    if found is None:
        return name, ""
    low = _numbers(found["low"])
    if found["open"] == "above":
        text = f">={_dotted(low)}"
    elif found["open"] == "below":
        text = f"<{_after(low)}"
    else:
        high = _numbers(found["high"])
        if Version(_dotted(low)) >= Version(_after(high)):
            raise CoreArrayValueError(f"'{name}' names an empty range: {_dotted(low)} lies above {_dotted(high)}")
        text = f">={_dotted(low)},<{_after(high)}"
    return found["name"], text


def _numbers(text: str) -> list[int]:
    return [int(part) for part in text.split("p")]


def _dotted(numbers: Iterable[int]) -> str:
    return ".".join(str(number) for number in numbers)


def _after(numbers: list[int]) -> str:
    """The first version above all that begin with `numbers`."""
    return _dotted([*numbers[:-1], numbers[-1] + 1])


def choose(variants: Iterable[tuple[str, _T]], version: str, what: str) -> _T | None:
    """Pick the one variant whose range holds `version`.

    Parameters
    ----------
    variants
        Pairs of a range and the thing that it is for.
    version
        The installed version.
    what
        What is chosen, for the message.

    Returns
    -------
    The variant, or `None` if no range holds the version.

    Raises
    ------
    CoreArrayValueError
        If two ranges hold it.
    """
    matching = [(text, variant) for text, variant in variants if matches(version, text)]
    if len(matching) > 1:
        ranges = " and ".join(f"'{text or 'every version'}' ({_label(variant)})" for text, variant in matching)
        raise CoreArrayValueError(
            f"{what}: version {version} lies in the ranges of two variants, {ranges}; make the ranges disjoint"
        )
    return matching[0][1] if matching else None


def _label(variant: object) -> str:
    module, name = getattr(variant, "__module__", None), getattr(variant, "__qualname__", None)
    return f"{module}.{name}" if module and name else repr(variant)
