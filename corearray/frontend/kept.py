"""A transpiled program as a module of Python to keep, with its arrays in a file beside it."""

from __future__ import annotations

import json
import re
import zipfile
from enum import Enum
from functools import partial
from keyword import iskeyword
from pathlib import Path
from typing import TYPE_CHECKING, Any

import corearray as ca
from corearray.contract.recording import Recording, Step, Value, leaves, replaced
from corearray.contract.text import Written
from corearray.errors import CoreArrayValueError, FunctionNotImplementedError
from corearray.files import exported, written_at_once
from corearray.files.npy import write_member
from corearray.frontend.formatting import parameters_of, tidy, without_copies, wrapped
from corearray.frontend.holding import Tree
from corearray.frontend.inner_functions import (
    InnerFunction,
    NativeText,
    inner_text,
    merged_imports,
    objects_of,
    with_functions,
)
from corearray.frontend.naming import constant_names
from corearray.frontend.pieces import in_pieces
from corearray.frontend.program import Output

if TYPE_CHECKING:
    from corearray.frontend.transpiled import Transpiled

__all__ = ["keep"]

#: By target: its package, the expression that converts NumPy's array, and a line to run before the first call.
_NATIVE = {
    "numpy": ("numpy", "{}", ""),
    "torch": ("torch", "torch.from_numpy({})", ""),
    "jax": ("jax", "jax.numpy.asarray({})", 'jax.config.update("jax_enable_x64", True)\n'),
    "tensorflow": ("tensorflow", "tensorflow.constant({})", ""),
}

#: The most elements of a constant that stands in the text.
_FEW = 8

#: Classes of modules that hold others and are never called.
_HOLDERS = ("ModuleList", "ModuleDict", "ParameterList", "ParameterDict")

#: The path of a module, in its text.
_HERE = "Path(__file__)"


def keep(transpiled: Transpiled, file: str | Path, *, native: bool = False) -> None:
    """Write a program as a module of Python, and its arrays beside it as `.npz`.

    Parameters
    ----------
    transpiled
        The program, which must have been recorded.
    file
        Path of the module. Arrays are written under the same name with the suffix `.npz`, if there are any.
    native
        Whether to write the calls of the target's framework, so that the module runs without corearray. Otherwise it has the
        calls of the source, with a function for each class of submodules, and runs on every backend.

    Raises
    ------
    NotImplementedError
        If native calls cannot be written: the program runs without a graph, or its calls take objects that no text can say.
    """
    path = Path(file)
    arrays = {name: array for name, array in transpiled._arrays.items() if name in transpiled._first.names}
    imports, body, constants = (_native if native else _portable)(transpiled)
    arrays |= constants
    wide = [name for name, array in arrays.items() if array.dtype == ca.bfloat16]
    if wide:
        raise CoreArrayValueError(
            f"'.npz' holds no bfloat16, the dtype of {wide[0]!r}; transpile the program in float32"
        )
    rest = [body, *([_loader(transpiled, path, native)] if arrays else [])]
    parts = [_header(transpiled, native, imports, "".join(rest)), *rest]
    path.write_text(_tidied(wrapped("\n\n".join(parts))), encoding="utf-8")
    if arrays:
        with written_at_once(path.with_suffix(".npz")) as opened, zipfile.ZipFile(opened, "w") as archive:
            for name, array in arrays.items():
                write_member(archive, name, exported(array.backend, array))


def _tidied(text: str) -> str:
    """Return text with the blank lines and the quotation marks of a formatter."""
    text = re.sub(r"\bfloat\('(-?inf|nan)'\)", r'float("\1")', text)
    made: list[str] = []
    inner: list[int] = []  # the indentation of functions within functions
    for line in re.sub(r"\n{4,}", "\n\n\n", text).rstrip().split("\n"):
        indent = len(line) - len(line.lstrip())
        ended = bool(line and inner and indent <= inner[-1])
        while line and inner and indent <= inner[-1]:
            inner.pop()
        begins = bool(indent) and line.lstrip().startswith("def ")
        if (ended or begins) and made[-1] and not made[-1].endswith(":"):
            made.append("")
        if begins:
            inner.append(indent)
        made.append(line)
    return "\n".join(made) + "\n"


def _header(transpiled: Transpiled, native: bool, imports: list[str], text: str) -> str:
    """Return the docstring with versions, and the imports that a text uses."""
    source, backend = transpiled.frontend, transpiled.backend
    origin = f"'{transpiled._name}' of {source.name} {source.version}"
    paths = "from pathlib import Path\n\n" if _HERE in text else ""
    if not native:
        place = source.name
        return (
            f'"""{origin}, written by corearray {ca.__version__}; it runs on every backend."""\n\n'
            f"{paths}import corearray.frontend.{place} as {place}\n"
        )
    version = getattr(backend, "framework_version", "")
    package, _, start = _NATIVE[backend.name]
    used = {name for name in ("numpy", package) if re.search(rf"\b{name}\.", f"{text}{start}")}
    lines = [*(f"import {name}" for name in sorted(used)), *imports]
    return (
        f'"""{origin}, written by corearray {ca.__version__} for {backend.name} {version}."""\n\n'
        + paths
        + "".join(f"{line}\n" for line in lines)
        + (f"\n{start}" if start else "")
    )


def _loader(transpiled: Transpiled, path: Path, native: bool) -> str:
    """Return the function that reads the arrays."""
    first = f'def load(file={_HERE}.with_name("{path.with_suffix(".npz").name}")):\n'
    if native:
        made = _NATIVE[transpiled.backend.name][1].format("arrays[name]")
        return (
            f'{first}    """Return the arrays by their names."""\n    with numpy.load(file) as arrays:\n'
            f"        return {{name: {made} for name in arrays.files}}\n"
        )
    return (
        f'{first}    """Return the tree of arrays by their names, on the backend in force."""\n'
        "    import corearray\n\n    tree = {}\n    for name, array in corearray.load(file).items():\n"
        '        *path, last = name.split(".")\n        node = tree\n        for part in path:\n'
        "            node = node.setdefault(part, {})\n        node[last] = array\n    return tree\n"
    )


def _identifier(name: str) -> str:
    return name if name.isidentifier() and not iskeyword(name) else "program"


def _portable(transpiled: Transpiled) -> tuple[list[str], str, dict[str, ca.Array]]:
    """Return imports, the text of the source's calls, and the arrays beside parameters and buffers."""
    prepared = transpiled._first
    program = prepared.program
    names = {value: f"constants.{name}" for value, name in constant_names(transpiled._fn, program.constants).items()}
    classes = {path: type(module).__name__ for path, module in _modules(transpiled._fn)}
    classes = {path: kind for path, kind in classes.items() if path and kind not in _HOLDERS}
    text = in_pieces(program, transpiled.frontend, _identifier(program.name), classes, names, transpiled._fn)
    return [], text, {name: prepared._constants[value] for value, name in names.items()}


def _modules(fn: Any) -> list[tuple[str, Any]]:
    found = getattr(fn, "named_modules", None)
    return list(found()) if callable(found) else []


def _native(transpiled: Transpiled) -> tuple[list[str], str, dict[str, ca.Array]]:
    """Return imports, the text of the target's calls, and the arrays beside parameters and buffers."""
    backend, prepared = transpiled.backend, transpiled._first
    program = prepared.program
    if backend.name not in _NATIVE:
        raise FunctionNotImplementedError(
            f"native calls are written for {', '.join(_NATIVE)}, not for {backend.name}; write the program without native calls"
        )
    graph = transpiled.graph

    def short_of(constant: Any) -> str | None:
        return _short(backend.wrap(constant))

    recording = _without_functions(_in_plain_calls(graph.signatures[0].recording, backend), backend)
    recording = with_functions(recording, backend, lambda inner: _without_functions(inner, backend), short_of)
    held, given = _named(prepared.names), [f"x{place}" for place in range(len(program.inputs))]
    given = ["x"] if len(given) == 1 else given
    written = NativeText(recording, "_calls", [*held, *given])
    lines = [line for line in written.function.splitlines()[1:] if not line.startswith("    del ")]
    constants = {
        name: backend.wrap(value.constant) for value, name in written.names.items() if value.constant is not None
    }
    short = {name: text for name, array in constants.items() if (text := _short(array)) is not None}
    constants = {name: array for name, array in constants.items() if name not in short}
    plain = [f"{name} = {text}" for name, text in short.items()]
    objects = objects_of(written)
    functions = {name: value for name, value in objects.items() if type(value) is InnerFunction}
    plain += [f"{name} = {_said(value, name, transpiled)}" for name, value in objects.items() if name not in functions]
    *calls, _ = lines
    outputs = [written.names[value] for value in recording.outputs]
    result = Tree(_plain_tuples(program.results.places)).text(
        [outputs[x] if type(x) is Output else repr(x) for x in program.results.leaves]
    )
    result = None if result is None else tidy(result)
    if result is None:
        raise FunctionNotImplementedError(
            f"'{transpiled._name}' returns objects that no text can say; return tuples or dictionaries"
        )
    if program.written:
        new = ", ".join(
            f"{json.dumps(name)}: {made}"
            for name, made in zip(program.written, outputs[len(program.outputs) :], strict=True)
        )
        result = f"({result}), {{{new}}}"
    read = [f"{one} = parameters[{json.dumps(name)}]" for one, name in zip(held, prepared.names, strict=True)]
    read += [f'{name} = parameters["constants.{name}"]' for name in constants]
    imports = _imports(written, transpiled)
    said = partial(_said, transpiled=transpiled)
    within = ""
    for name, one in functions.items():
        inner, needed = inner_text(name, one, said, lambda other: _imports(other, transpiled), short_of)
        within, imports = within + inner, imports + needed
    given, first = parameters_of(program, transpiled._fn, given, {*written.scope, *written.names.values(), *held})
    read += first
    *lines, last = without_copies([*(f"    {line}" for line in read), *calls, f"    return {result}"])
    body = "".join(f"{line}\n" for line in lines)
    parameters = ", ".join([*(["parameters"] if held or constants else []), *given])
    text = f"def {_identifier(program.name)}({parameters}):\n{body}{last}\n"
    text = within + text
    if plain:
        text = "".join(f"{line}\n" for line in plain) + "\n\n" + text
    return merged_imports(imports), text, {f"constants.{name}": array for name, array in constants.items()}


def _plain_tuples(tree: Any) -> Any:
    """Return a tree with plain tuples in place of named ones, whose classes a text does not have."""
    if isinstance(tree, tuple):
        return tuple(map(_plain_tuples, tree))
    if type(tree) is list:
        return list(map(_plain_tuples, tree))
    return {key: _plain_tuples(value) for key, value in tree.items()} if type(tree) is dict else tree


def _short(array: ca.Array) -> str | None:
    """Return the expression of an array of few elements; `None` for others."""
    if array.size is None or array.size > _FEW or array.dtype == ca.bfloat16 or 0 in array.shape:
        return None
    made = _NATIVE[array.backend.name][1]
    elements = re.sub(r"(?<![\w.])(-?(?:inf|nan))\b", r'float("\1")', repr(array.tolist()))
    if array.dtype.category == "complex floating" and "float(" in elements:
        return None
    return made.format(f'numpy.asarray({elements}, "{array.dtype}")')


def _imports(written: Written, transpiled: Transpiled) -> list[str]:
    """Return the imports of a text in the framework's names.

    Raises
    ------
    NotImplementedError
        If a call is a function of a plugin.
    """
    lines = [line for line in written.text.partition(written.function)[0].splitlines() if line.startswith("from ")]
    own = [line for line in lines if line.startswith("from corearray")]
    if own:
        raise FunctionNotImplementedError(
            f"'{transpiled._name}' calls functions that {transpiled.backend.name} does not have ({'; '.join(own)}); write the "
            "program without native calls"
        )
    return lines


def _named(names: list[str]) -> list[str]:
    """Return identifiers for the names of arrays, each once."""
    found: list[str] = []
    for name in names:
        plain = re.sub(r"\W", "_", name)
        plain = plain if plain.isidentifier() and not iskeyword(plain) else f"p_{plain}"
        while plain in found or plain == "parameters" or re.fullmatch(r"[xvck]_?\d*", plain):
            plain += "_"
        found.append(plain)
    return found


def _said(value: Any, name: str, transpiled: Transpiled) -> str:
    """Return the expression of an object of a framework."""
    kind = f"{type(value).__module__}.{type(value).__qualname__}"
    if kind.startswith("numpy.dtype") or (
        kind.startswith("numpy.") and hasattr(value, "itemsize") and hasattr(value, "kind")
    ):
        return f'numpy.dtype("{value}")'
    if kind == "torch.device":
        return f'torch.device("{value}")'
    if kind == "tensorflow.python.framework.dtypes.DType":
        return f"tensorflow.{value.name}"
    if isinstance(value, float):
        return repr(float(value))
    last = type(value).__name__
    if kind.startswith("jax.") and last.endswith("DimensionNumbers"):
        return "jax.lax." + re.sub(r"\bnp\.\w+\((-?\d+)\)", r"\1", repr(value))
    if kind.startswith("numpy.") and hasattr(value, "item"):
        return f"numpy.{last}({value.item()!r})"
    if kind.startswith(("jax.", "jaxlib.")) and isinstance(value, Enum):
        return f"jax.lax.{last}.{value.name}"
    raise FunctionNotImplementedError(
        f"'{transpiled._name}' calls functions of {transpiled.backend.name} with {value!r}, which no text can say; write the "
        "program without native calls"
    )


def _in_plain_calls(recording: Recording, backend: Any) -> Recording:
    """Return a recording with calls of the framework in place of those of its plugin that have the attribute `plain`."""
    made = Recording()
    made.inputs, made.outputs = list(recording.inputs), list(recording.outputs)
    names = backend.fact("graph_names")
    for step in recording.steps:
        plain = getattr(step.function, "plain", None)
        name, arguments, options = plain(*step.arguments) if plain and not step.options else ("", (), {})
        if name in names:
            step = Step(names[name], name, arguments, options, step.results, writes=step.writes)
        made.steps.append(step)
    return made


def _without_functions(recording: Recording, backend: Any) -> Recording:
    """Return a recording with the steps of JAX's functions with derivatives of their own in place of their calls."""
    if not any(
        hasattr(leaf, "call_wrapped") for step in recording.steps for leaf in leaves([step.arguments, step.options])
    ):
        return recording
    made = Recording()
    made.inputs = list(recording.inputs)
    known: dict[Value, Value] = {}

    def renamed(x: Any) -> Any:
        return known.get(x, x) if type(x) is Value else x

    for step in recording.steps:
        functions = [
            leaf for leaf in leaves([step.arguments, step.options.get("subfuns", ())]) if hasattr(leaf, "call_wrapped")
        ]
        if not functions:
            made.steps.append(_renamed(step, renamed))
            continue
        arguments = [renamed(x) for x in step.arguments if type(x) is Value]
        natives = [backend.zeros(x.shape, dtype=x.dtype)._native for x in arguments]
        inner = _without_functions(
            backend.fact("traced_calls", lambda tracers, call=functions[0]: list(call.call_wrapped(*tracers)), natives),
            backend,
        )
        known.update(zip(inner.inputs, arguments, strict=True))
        made.steps += [_renamed(one, renamed) for one in inner.steps]
        known.update(zip(step.outputs, map(renamed, inner.outputs), strict=True))
    made.outputs = [renamed(value) for value in recording.outputs]
    return made


def _renamed(step: Step, renamed: Any) -> Step:
    arguments, options, results = replaced((step.arguments, step.options, step.results), renamed)
    return Step(step.function, step.name, list(arguments), dict(options), results, effect=step.effect)
