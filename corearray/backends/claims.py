"""Which backend computes with arrays of a type, by the types that plugins declare.

Two plugins may claim one type. Which one computes is a rule, so that installing or loading a plugin never changes where
arrays go. In this order:

1. a backend that corearray offers itself, as an extra of its own distribution,
2. a plugin within the package that the type belongs to,
3. the plugin that was installed first,
4. plugins without a distribution, in the order in which they were registered.

The other plugins stay usable: `set_backend` chooses them, and then they take arrays of that type.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from fnmatch import fnmatchcase
from functools import cache

from corearray.backends.discovery import Record, excluded
from corearray.backends.metadata import canonical

__all__ = ["by_rule", "conflicts", "names_of", "owns", "roots"]


def names_of(kind: type) -> list[str]:
    """Return the dotted names of a type and its bases, as the `array_types` of plugins spell them."""
    return [f"{base.__module__}.{base.__qualname__}" for base in kind.__mro__ if base is not object]


def owns(record: Record, names: list[str]) -> bool:
    """Whether a plugin declares one of these types in its metadata, or in its description if that was read."""
    return any(fnmatchcase(name, pattern) for pattern in record.types or () for name in names)


def by_rule(records: Iterable[Record], packages: Collection[str]) -> list[Record]:
    """Sort plugins that claim one type by precedence.

    Parameters
    ----------
    records
        The plugins.
    packages
        The packages that the type and its bases belong to.
    """
    found = list(records)
    if len(found) < 2:
        return found

    def precedence(record: Record) -> tuple[bool, bool, bool, float, str]:
        registered = not record.entry
        own = record.name in _offered() and canonical(record.plugin) == canonical(f"corearray-{record.name}")
        return (
            registered,
            not own,
            record.root not in packages,
            0.0 if registered else record.installed,
            record.name * (not registered),
        )

    return sorted(found, key=precedence)


@cache
def _offered() -> frozenset[str]:
    from corearray.backends.installing import extras

    return frozenset(extras())


def conflicts(records: Mapping[str, Record]) -> dict[str, list[str]]:
    """Return, for each backend, sentences about array types that other plugins claim too.

    Parameters
    ----------
    records
        The plugins that can be used, by the names of their backends.
    """
    claims = [(pattern, name) for name, record in records.items() for pattern in record.types or ()]
    by_root: dict[str, list[tuple[str, str]]] = {}
    for pattern, name in claims:
        by_root.setdefault(pattern.partition(".")[0], []).append((pattern, name))
    told: dict[tuple[str, ...], list[str]] = {}
    for root, claimed in by_root.items():
        for pattern, name in claimed:
            rivals = {other for also, other in claimed if fnmatchcase(also, pattern) or fnmatchcase(pattern, also)}
            if rivals - {name}:
                first, *others = (
                    record.name
                    for record in by_rule((record for record in records.values() if record.name in rivals), {root})
                )
                told.setdefault((first, *others), []).append(pattern)
    found: dict[str, list[str]] = {}
    for (first, *others), patterns in told.items():
        backends = " and ".join(f"'{name}' ({records[name].source})" for name in (first, *others))
        kinds = ", ".join(f"'{pattern}'" for pattern in sorted(set(patterns)))
        text = (
            f"conflict: {backends} claim the array types {kinds}; '{first}' computes with them where no backend is set"
        )
        for name in (first, *others):
            found.setdefault(name, []).append(text)
    return found


def roots(records: Mapping[str, Record]) -> dict[str, str]:
    """Return the packages whose arrays belong to installed backends, with the names of the backends."""
    owners: dict[str, list[Record]] = {}
    for record in records.values():
        if not excluded(record):
            packages = {pattern.partition(".")[0] for pattern in record.types or ()} or {record.name}
            for package in packages:
                owners.setdefault(package, []).append(record)
    return {package: by_rule(claimants, {package})[0].name for package, claimants in owners.items()}
