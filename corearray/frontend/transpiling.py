"""`transpile` and `transpile_report`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from corearray.errors import CoreArrayTypeError, CoreArrayValueError
from corearray.frontend.frontend import get_frontend
from corearray.frontend.holding import Tree
from corearray.frontend.ragged_arguments import flattened
from corearray.frontend.report import Report
from corearray.frontend.sources import source_of
from corearray.frontend.tracing import traced
from corearray.frontend.transpiled import Transpiled
from corearray.settings.backends import get_backend
from corearray.transforms.tree import name_of
from corearray.types.dtypes import DType, as_dtype

__all__ = ["Transpiled", "transpile", "transpile_report"]

#: What `corearray list-functions` says of the functions here that are no declarations.
__kind__ = "convenience"


def transpile(
    obj: Any,
    /,
    *args: Any,
    to: str,
    source: str | None = None,
    dynamic: bool = False,
    reads: str = "refuse",
    rules: Mapping[str, Any] | None = None,
    **kwargs: Any,
) -> Transpiled:
    """Make a program of one framework run on another backend.

    The program is run once in its own framework, and the native calls that it makes are written down. These are replayed by
    the rules of the framework's frontend, made of corearray functions, on the target; what runs is a graph of the target's
    native calls.

    Parameters
    ----------
    obj
        A function of native arrays, a module of a framework such as `torch.nn.Module`, or a method of one. A module is taken
        in the mode in which it is, training or evaluation. Wrappers are taken off: `functools.partial`, `torch.compile`,
        `torch.export`, `DataParallel`.
    args, kwargs
        Example arguments: arrays of the source, of the target or of any backend. Without them the program is recorded at the
        first call. What is no array is kept; for another value it is recorded again.
    to
        Name of the backend on which it is to run.
    source
        Name of the framework in which it is written; told by the object and the arguments if it is not given.
    dynamic
        Whether one program serves all sizes of the arguments' axes where its calls allow it. Needs example arguments.
    reads
        What becomes of a program in which Python reads an element, as in `if x.max() > 1`: `"refuse"` raises with the line,
        `"assume"` keeps the answer of the example, and `t.report` lists each.
    rules
        Functions of `Array` by the names of native functions, which go before those of the frontend, and dtypes that stand in
        for others: `{"mylib.ops.fused": fused, "bfloat16": "float32"}`.

    Returns
    -------
    `Transpiled`, a `Module`: `t(x)`, `t.parameters`, `t.apply(parameters, x)` for derivatives, `t.graph`, `t.source`,
    `t.report`, `t.save(file)`. Weights are copied to the target; the original is not changed.

    Raises
    ------
    TypeError
        If `obj` is no function and no module.
    ValueError
        If the framework cannot be told or has no frontend, or an option has no such value.
    NotImplementedError
        If functions have no rule; the message is the report, with every missing function and the user's lines.
    TracingError
        If the program reads elements and that is refused.
    BackendNotFoundError
        If there is no such target.

    Examples
    --------
    >>> import corearray as ca
    >>> import torch
    >>> layer = torch.nn.Linear(3, 2)
    >>> t = ca.transpile(layer, torch.ones(1, 3), to="numpy")
    >>> t(ca.ones((4, 3), dtype="float32")).shape
    Shape((4, 2))
    >>> t.parameters.key_chains()
    ['weight', 'bias']
    """
    if reads not in ("refuse", "assume"):
        raise CoreArrayValueError(f"'transpile' got reads={reads!r}; it is 'refuse' or 'assume'")
    target = get_backend(to)
    own, dtypes = _own_rules(rules)
    leaves = flattened(Tree((args, kwargs)).leaves)
    backend = source_of(obj, leaves, source, target)
    obj = backend.fact("program_of", obj) if "program_of" in backend.facts else obj
    made = Transpiled(
        obj, backend, target, get_frontend(backend.name), reads=reads, dynamic=dynamic, own=own, dtypes=dtypes
    )
    if args or kwargs:
        made.prepare(*args, **kwargs)
    elif dynamic:
        raise CoreArrayValueError("'transpile' needs example arguments for dynamic=True")
    return made


def transpile_report(
    obj: Any,
    /,
    *args: Any,
    to: str | None = None,
    source: str | None = None,
    rules: Mapping[str, Any] | None = None,
    **kwargs: Any,
) -> Report:
    """Tell what a program calls and which of it has no rule, all at once. It never raises.

    Parameters
    ----------
    obj, args, kwargs
        The program and example arguments, as for `transpile`.
    to
        Name of the backend on which it is to run, if its dtypes are to be looked at too.
    source, rules
        As for `transpile`.

    Returns
    -------
    `Report`: `report.missing` has the functions without a rule with the user's files and lines, `report.reads` where Python
    reads elements, `report.ok` whether nothing is in the way; `print(report)` says all.

    Examples
    --------
    >>> import corearray as ca
    >>> import torch
    >>> report = ca.transpile_report(lambda x: torch.relu(x) + 1, torch.ones(3))
    >>> report.ok, dict(report.calls)
    (True, {'torch.relu': 1, 'torch.add': 1})
    """
    report = Report(name_of(obj), source or "?", to or "")
    try:
        target = get_backend(to) if to is not None else None
        leaves = flattened(Tree((args, kwargs)).leaves)
        backend = source_of(obj, leaves, source, target)
        report.source = backend.name
        own, dtypes = _own_rules(rules)
        frontend = get_frontend(backend.name)
        obj = backend.fact("program_of", obj) if "program_of" in backend.facts else obj
        made = Transpiled(obj, backend, target or backend, frontend, reads="assume", own=own, dtypes=dtypes)
        program, _ = traced(made, args, kwargs)
        found = made._reported(program)
        found.target = to or ""
        report = found
    except Exception as error:
        report.problem = f"{type(error).__name__}: {error}"
    return report


def _own_rules(rules: Mapping[str, Any] | None) -> tuple[dict[str, Callable[..., Any]], dict[DType, DType]]:
    """Divide what the user gave into functions and dtypes that stand in for others."""
    functions: dict[str, Callable[..., Any]] = {}
    dtypes: dict[DType, DType] = {}
    for name, value in (rules or {}).items():
        if callable(value) and not isinstance(value, (type, DType)):
            functions[name] = value
        elif isinstance(value, (str, DType)):
            dtypes[as_dtype(name)] = as_dtype(value)
        else:
            raise CoreArrayTypeError(
                f"rules={{{name!r}: {value!r}}}: a rule is a function of arrays, or a dtype for a dtype"
            )
    return functions, dtypes
