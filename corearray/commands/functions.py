"""`corearray list-functions`: which candidate won for each function on each backend, and why.

Each backend is loaded in a child of its own, which composes all functions and answers with their rows.
"""

from __future__ import annotations

import json
import sys
from types import FunctionType
from typing import TYPE_CHECKING, Any

from corearray.backends.channel import Channel
from corearray.backends.child import START_LIMIT, Child, ChildFailed, command
from corearray.commands.costs import COSTS, SLOW_FROM
from corearray.commands.survey import LOAD_LIMIT, survey
from corearray.commands.text import table
from corearray.contract.declaration import DECLARATIONS, Declaration
from corearray.errors import BackendNotFoundError, CoreArrayError, CoreArrayValueError, FunctionNotImplementedError
from corearray.manager import manager

if TYPE_CHECKING:
    from corearray.backends.backend import Backend
    from corearray.calls.binding import Candidate

__all__ = ["FUNCTION_KEYS", "KINDS", "child", "list_functions", "undeclared_kind"]

#: What a function can be; the first four are facts about a function on a backend, `nestable` may come on top.
KINDS = ("primary", "compositional", "mixed", "partial-mixed", "standalone", "nestable", "convenience")

#: The fields of a row of `list-functions --json`.
FUNCTION_KEYS = (
    "function", "namespace", "backend", "kind", "nestable", "runs", "implementation", "versions", "guard", "dropped",
    "reason",
)  # fmt: skip

_Row = dict[str, Any]


def list_functions(
    *,
    backend: str | None,
    kind: str | None,
    missing: bool,
    as_json: bool,
    stages: str | None,
    source: bool,
    timeout: float | None,
) -> int:
    """Print a row for each function and backend, or with `stages` how one function is composed."""
    if stages is not None and stages not in DECLARATIONS and not manager.extensions.records:
        raise CoreArrayValueError(_undeclared_text(stages))
    names, notes = _ready(backend, timeout)
    rows: list[_Row] = [] if missing or stages else _undeclared()
    for name in names:
        answer = _answer(name, stages, timeout)
        notes += [answer["failure"]] if "failure" in answer else []
        rows += answer.get("rows", ())
    if stages is not None:
        print(json.dumps(rows, indent=2) if as_json else "\n\n".join([_composed_text(row, source) for row in rows]))
    else:
        order = {name: number for number, name in enumerate(names)}
        rows = [row for row in rows if _wanted(row, kind, missing)]
        rows.sort(key=lambda row: (row["namespace"], row["function"], order.get(row["backend"], -1)))
        print(json.dumps(rows, indent=2) if as_json else _text(rows))
    for note in notes:
        print(f"corearray: {note}", file=sys.stderr)
    return 1 if backend is not None and notes else 0


def _ready(wanted: str | None, timeout: float | None) -> tuple[list[str], list[str]]:
    """Return the names of the backends to look at, and what is to be said of the others."""
    statuses = {row["name"]: row for row in survey(timeout=timeout)}
    if wanted is not None:
        if wanted not in statuses:
            known = ", ".join(f"'{name}'" for name in statuses) or "none"
            raise BackendNotFoundError(f"there is no backend '{wanted}'; installed are {known}")
        statuses = {wanted: statuses[wanted]}
    ready = [name for name, row in statuses.items() if row["status"] == "ready"]
    notes = [f"backend '{name}' is left out: {row['status']}: {row['reason']}" for name, row in statuses.items()]
    return ready, [note for name, note in zip(statuses, notes, strict=True) if name not in ready]


def _answer(name: str, stages: str | None, timeout: float | None) -> _Row:
    with Child(command("corearray.commands.functions", name, *([stages] if stages else []))) as asked:
        try:
            asked.answer(START_LIMIT)
            answer: _Row = asked.answer(timeout or LOAD_LIMIT)
        except ChildFailed as failure:
            return {"failure": f"backend '{name}' is left out: it cannot be loaded: {failure}"}
    return answer


def _wanted(row: _Row, kind: str | None, missing: bool) -> bool:
    if missing and row["runs"] != "missing":
        return False
    return kind is None or row["kind"] == kind or (kind == "nestable" and row["nestable"])


def _text(rows: list[_Row]) -> str:
    header = ["function", "backend", "kind", "nestable", "runs", "implementation", "why"]
    lines = []
    for row in rows:
        name = f"{row['namespace']}.{row['function']}" if row["namespace"] else row["function"]
        nestable = "yes" if row["nestable"] else "no"
        lines.append([name, row["backend"], row["kind"], nestable, row["runs"], row["implementation"], row["reason"]])
    return table(header, lines)


def _composed_text(row: _Row, source: bool) -> str:
    head = f"{row['function']} on {row['backend']}: {row['runs']}, {row['implementation'] or row['reason']}"
    steps = [f"  {number:2}  {stage}" for number, stage in enumerate(row["stages"], 1)]
    texts = [f"\n{row['source'].rstrip()}"] if source and row["source"] else []
    return "\n".join([head, *steps, *texts])


# --- functions without a declaration ----------------------------------------------------------------------------------


def undeclared_kind(function: FunctionType) -> str:
    """Return `"standalone"` or `"convenience"` for a public function that is no declaration, as its module says."""
    kind: str = vars(sys.modules[function.__module__])["__kind__"]
    return kind


def _undeclared() -> list[_Row]:
    import corearray

    rows = []
    for name in corearray.__all__:
        function = getattr(corearray, name)
        if isinstance(function, FunctionType) and name not in DECLARATIONS:
            kind = undeclared_kind(function)
            implementation = f"{function.__module__}.{name}"
            reason = "the same on every backend"
            rows.append(_row(name, "", "", kind, nestable=False, runs="", implementation=implementation, reason=reason))
    return rows


def _row(function: str, namespace: str, backend: str, kind: str, **more: Any) -> _Row:
    row = {"function": function, "namespace": namespace, "backend": backend, "kind": kind, "nestable": True}
    return {**dict.fromkeys(FUNCTION_KEYS, ""), **row, "dropped": [], **more}


# --- what the children do ---------------------------------------------------------------------------------------------


def child(arguments: list[str]) -> int:
    """Answer with the rows of one backend: its name, and perhaps the function whose stages are asked for."""
    channel = Channel()
    channel.tell({})
    name, *stages = arguments
    try:
        backend = manager.load(name)
    except CoreArrayError as error:
        channel.tell({"failure": f"backend '{name}' is left out: {error}"})
        return 0
    if stages and stages[0] not in DECLARATIONS:  # not of an extension either
        channel.tell({"failure": _undeclared_text(stages[0])})
    elif stages:
        channel.tell({"rows": [_with_stages(backend, DECLARATIONS[stages[0]])]})
    else:
        channel.tell({"rows": [_described(backend, declaration) for declaration in DECLARATIONS.values()]})
    return 0


def _undeclared_text(name: str) -> str:
    return f"'{name}' is no declared function, and only these are composed; 'corearray list-functions' lists them"


def _described(backend: Backend, declaration: Declaration) -> _Row:
    """Tell what became of the candidates for one function."""
    considered = manager.considered(backend, declaration.name)
    dropped = [{"implementation": _place(candidate), "reason": why} for candidate, why in considered if why]
    winner = next((candidate for candidate, why in considered if not why), None)
    without = "; ".join(f"'{candidate.name}' {why}" for candidate, why in considered if why)
    row = _row(declaration.name, declaration.namespace, backend.name, _kind(declaration, winner), dropped=dropped)
    try:
        binding = backend.binding(declaration.name)
    except FunctionNotImplementedError:
        reason = "neither an implementation nor a composition" + (f"; {without}" if without else "")
        return {**row, "nestable": False, "runs": "missing", "reason": reason}
    row.update(nestable="handle_nestable" in binding.stages(), runs=binding.kind)
    if winner is None:
        row["implementation"] = f"{declaration.function.__module__}.{declaration.name}"
        what = f"a case of {declaration.case_of}" if declaration.case_of else "composition"
        cost = COSTS.get(declaration.name, 0.0)
        if cost >= SLOW_FROM:
            what += f", slow on small arrays: {cost:.0f} times a native function"
        row["reason"] = f"{what}; {without or 'the plugin offers nothing of its own'}"
        return row
    guard = winner.options.when
    row.update(implementation=_place(winner), versions=winner.options.versions)
    reasons = [f"for {backend.framework}{winner.options.versions}"] if winner.options.versions else ["for all versions"]
    reasons = [f"of the extension '{winner.extension}'"] * bool(winner.extension) + reasons
    if guard is not None:
        code = guard.__code__
        row["guard"] = guard.__name__ if guard.__name__ != "<lambda>" else f"lambda in line {code.co_firstlineno}"
        reasons.append(f"guard {row['guard']}, else {_otherwise(declaration, winner)}")
    if winner.options.lacks:
        reasons.append(f"not for {', '.join(sorted(winner.options.lacks))}")
    row["reason"] = "; ".join([*reasons, without] if without else reasons)
    return row


def _otherwise(declaration: Declaration, winner: Candidate) -> str:
    """Say what computes the calls that a guard leaves."""
    if winner.otherwise is not None:
        return _place(winner.otherwise)
    return "the composition" if declaration.compositional else "an error"


def _kind(declaration: Declaration, winner: Candidate | None) -> str:
    if not declaration.compositional:
        return "primary"
    if winner is None:
        return "compositional"
    return "partial-mixed" if winner.options.partial else "mixed"


def _place(candidate: Candidate) -> str:
    return f"{candidate.module}.{candidate.name}"


def _with_stages(backend: Backend, declaration: Declaration) -> _Row:
    row = _described(backend, declaration)
    if row["runs"] == "missing":
        return {**row, "stages": [], "source": ""}
    binding = backend.binding(declaration.name)
    return {**row, "stages": binding.stages(), "source": binding.source}
