"""`Report`: what a program calls, and what stands in the way of running it elsewhere."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

__all__ = ["Report"]


class Report:
    """What a program of a framework calls, and what is missing to run it on another backend.

    Attributes
    ----------
    name, source, target
        The program, its framework, and the backend, if one was named.
    calls
        How often each native function is called.
    missing
        The functions without a rule, each with the user's lines and how often it is called there.
    reads
        Where Python reads elements of arrays, with the user's line.
    dtypes
        The dtypes that the backend lacks.
    notes
        What else there is to know.
    problem
        Why the program could not be followed to its end; empty if it could.
    """

    def __init__(self, name: str, source: str, target: str = "") -> None:
        self.name = name
        self.source = source
        self.target = target
        self.calls: Counter[str] = Counter()
        self.missing: Mapping[str, Counter[str]] = {}
        self.reads: list[str] = []
        self.dtypes: list[str] = []
        self.notes: list[str] = []
        self.problem = ""

    @property
    def ok(self) -> bool:
        """Whether nothing stands in the way."""
        return not (self.missing or self.problem or self.dtypes)

    def __bool__(self) -> bool:
        return self.ok

    def __str__(self) -> str:
        """Return the report as text, what is missing first."""
        where = f" to {self.target}" if self.target else ""
        total = sum(self.calls.values())
        count = f"{total} calls of {len(self.calls)} functions" if total else "not recorded"
        lines = [f"'{self.name}' from {self.source}{where}: {count}"]
        if self.problem:
            lines.append(f"could not be followed to its end: {self.problem}")
        if self.missing:
            lines.append(f"{len(self.missing)} functions have no rule:")
            for name, places in sorted(self.missing.items()):
                first, *others = places.most_common()
                more = f" and {len(others)} more places" if others else ""
                lines.append(f"  {name}  {sum(places.values())} times, at {first[0]}{more}")
            lines.append(
                f"add rules with @corearray.frontend.rule({self.source!r}, NAME), or pass rules={{NAME: function}}"
            )
        if self.dtypes:
            lines.append(
                f"{self.target} lacks the dtypes {', '.join(self.dtypes)}; choose others, as in rules={{'bfloat16': 'float32'}}"
            )
        if self.reads:
            lines.append(f"{len(self.reads)} reads of elements, whose answers are those of the example:")
            times = Counter(self.reads)
            lines += [f"  {read}" + (f" ({count} times)" if count > 1 else "") for read, count in times.items()]
        lines += self.notes
        if self.ok:
            lines.append("every call has a rule")
        return "\n".join(lines)

    def __repr__(self) -> str:
        state = "ready" if self.ok else f"{len(self.missing)} functions missing" if self.missing else "not ready"
        return f"<report of '{self.name}': {state}>"
