"""Transpiled programs in files: a zip archive with the calls as JSON and the arrays as raw bytes.

Nothing in it is run when it is read, and no framework is needed: the calls have the frontend's names.
"""

from __future__ import annotations

import json
import zipfile
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import corearray as ca
from corearray.contract.recording import Recording, Step, Value
from corearray.errors import CoreArrayTypeError, CoreArrayValueError, FileFormatError
from corearray.frontend.frontend import get_frontend
from corearray.frontend.holding import Tree
from corearray.frontend.program import Output, Program
from corearray.settings.backends import get_backend
from corearray.types.dtypes import DType, as_dtype

if TYPE_CHECKING:
    from corearray.frontend.transpiled import Transpiled

__all__ = ["from_bytes", "load", "save", "to_bytes"]

_FORMAT = 1


def to_bytes(transpiled: Transpiled) -> bytes:
    """Return the content of the file that `save` writes."""
    buffer = BytesIO()
    save(transpiled, buffer)
    return buffer.getvalue()


def from_bytes(content: bytes, to: str | None) -> Transpiled:
    """Read what `to_bytes` returned, for the backend `to`."""
    return load(BytesIO(content), to)


def save(transpiled: Transpiled, file: str | Path | BytesIO) -> None:
    """Write the program of the first arguments of a `Transpiled`."""
    (key, prepared), *_ = transpiled._prepared.items() or [(None, transpiled._first)]
    if transpiled._own:
        raise CoreArrayTypeError(
            f"'{transpiled._name}' uses rules of its own, {', '.join(transpiled._own)}, which a file cannot hold; add them "
            "with corearray.frontend.rule"
        )
    program = prepared.program
    numbers: dict[Value, int] = {}
    values: list[list[Any]] = []

    def number(value: Value) -> int:
        if value not in numbers:
            numbers[value] = len(values)
            values.append(
                [list(value.shape), value.dtype, None if value.memory is None else _memory(value.memory, memories)]
            )
        return numbers[value]

    memories: dict[Any, int] = {}

    def encoded(x: Any) -> Any:
        return _encoded(x, number, program.name)

    steps = [
        {
            "name": step.name,
            "arguments": encoded(step.arguments),
            "options": encoded(step.options),
            "results": encoded(step.results),
            "writes": [number(value) for value in step.writes],
            "module": step.module,
            "place": step.place,
        }
        for step in program.steps
    ]
    constants = {number(value): prepared._constants[value] for value in program.constants}
    document = {
        "format": _FORMAT,
        "source": program.source,
        "version": transpiled.frontend.version,
        "target": transpiled.backend.name,
        "name": program.name,
        "key": encoded(_plain_key(key)),
        "steps": steps,
        "inputs": [number(value) for value in program.inputs],
        "outputs": [number(value) for value in program.outputs],
        "results": encoded(program.results.of(program.results.leaves)),
        "parameters": {name: number(value) for name, value in program.parameters.items()},
        "buffers": {name: number(value) for name, value in program.buffers.items()},
        "written": list(program.written),
        "frozen": sorted(program.frozen),
        "names": list(transpiled._parameter_names),
        "random": program.random,
        "reads": program.reads,
        "settings": program.settings,
        "constants": list(constants),
        "values": values,
    }
    arrays = {f"array/{name}": array for name, array in transpiled._arrays.items()}
    arrays |= {f"constant/{value}": array for value, array in constants.items()}
    document["arrays"] = {name: [str(array.dtype), list(array.shape)] for name, array in arrays.items()}
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("program.json", json.dumps(document))
        for name, array in arrays.items():
            wide = ca.astype(array, ca.float32) if array.dtype == ca.bfloat16 else array
            archive.writestr(name, ca.to_numpy(wide).tobytes())


def load(file: str | Path | BytesIO, to: str | None) -> Transpiled:
    """Read what `save` wrote, for the backend `to`."""
    from corearray.frontend.transpiled import Prepared, Transpiled

    try:
        with zipfile.ZipFile(file) as archive:
            document = json.loads(archive.read("program.json"))
            if document.get("format") != _FORMAT:
                raise FileFormatError(f"'{file}' holds format {document.get('format')!r}; this version reads {_FORMAT}")
            content = {name: archive.read(name) for name in document["arrays"]}
    except (zipfile.BadZipFile, KeyError, ValueError) as error:
        raise FileFormatError(f"'{file}' holds no transpiled program: {error}") from error
    target = get_backend(to or document["target"])
    frontend = get_frontend(document["source"], document["version"])
    found = Transpiled(None, None, target, frontend)
    found._name = document["name"]

    def array(name: str) -> ca.Array:
        dtype, shape = document["arrays"][name]
        kept = "float32" if dtype == "bfloat16" else dtype
        made: ca.Array = target.asarray(_from_bytes(content[name], kept, shape), dtype=dtype)
        return made

    memories = [object() for _ in range(1 + max([v[2] for v in document["values"] if v[2] is not None], default=0))]
    values = [Value(shape, dtype, None if m is None else memories[m]) for shape, dtype, m in document["values"]]
    recording = Recording()
    recording.inputs = [values[i] for i in document["inputs"]]
    recording.outputs = [values[i] for i in document["outputs"]]
    for saved in document["steps"]:
        parts = (_decoded(saved[part], values) for part in ("arguments", "options", "results"))
        arguments, options, results = parts
        step = Step(_none, saved["name"], arguments, options, results, writes=[values[i] for i in saved["writes"]])
        step.module, step.place = saved["module"], saved["place"]
        recording.steps.append(step)
    program = Program(document["source"], document["name"], recording)
    program.parameters = {name: values[i] for name, i in document["parameters"].items()}
    program.buffers = {name: values[i] for name, i in document["buffers"].items()}
    program.written = tuple(document["written"])
    program.frozen = frozenset(document["frozen"])
    program.random, program.reads = document["random"], document["reads"]
    program.settings = document.get("settings", {})
    program.results = Tree(_decoded(document["results"], values))
    found._parameter_names = tuple(document["names"])
    found._arrays = {name.removeprefix("array/"): array(name) for name in content if name.startswith("array/")}
    program.constants = {values[i]: array(f"constant/{i}") for i in document["constants"]}
    example = [target.zeros(tuple(value.shape), dtype=value.dtype) for value in program.inputs]
    found._refuse_missing(program)
    prepared = Prepared(program, found, example)
    found._prepared[_key_of(_decoded(document["key"], values))] = prepared
    return found


def _none(*_: Any, **__: Any) -> None:
    """Stand for a native function where the framework is absent."""


def _memory(memory: Any, known: dict[Any, int]) -> int:
    return known.setdefault(memory, len(known))


def _from_bytes(content: bytes, dtype: str, shape: Any) -> Any:
    """Return a NumPy array of raw bytes."""
    numpy = get_backend("numpy")
    flat = ca.frombuffer(content, dtype=dtype) if content else numpy.zeros((0,), dtype=dtype)
    return ca.to_numpy(numpy.reshape(numpy.asarray(ca.to_numpy(flat)), tuple(shape)))


def _encoded(x: Any, number: Any, name: str) -> Any:
    """Write a tree of arguments as JSON: what JSON lacks is a list that begins with its kind."""

    def encoded(x: Any) -> Any:
        if type(x) is Value:
            return ["value", number(x)]
        if type(x) is Output:
            return ["output", int(x)]
        if x is None or type(x) in (bool, int, str):
            return x
        if type(x) is float:
            return ["float", repr(x)]
        if type(x) is complex:
            return ["complex", repr(x.real), repr(x.imag)]
        if isinstance(x, DType):
            return ["dtype", str(x)]
        if x is Ellipsis:
            return ["..."]
        if isinstance(x, slice):
            return ["slice", *map(encoded, (x.start, x.stop, x.step))]
        if type(x) is Recording:
            calls = [(step.name, step.arguments, step.options, step.results) for step in x.steps]
            return ["program", *map(encoded, (x.inputs, calls, x.outputs))]
        if isinstance(x, tuple):
            return ["tuple", *map(encoded, x)]
        if isinstance(x, list):
            return ["list", *map(encoded, x)]
        if isinstance(x, dict):
            return ["dict", *([encoded(key), encoded(item)] for key, item in x.items())]
        raise CoreArrayTypeError(f"'{name}' cannot be saved: it has an argument of type '{type(x).__name__}'")

    return encoded(x)


def _decoded(x: Any, values: list[Value]) -> Any:
    if not isinstance(x, list):
        return x
    kind, *parts = x
    if kind == "value":
        return values[parts[0]]
    if kind == "output":
        return Output(parts[0])
    if kind == "float":
        return float(parts[0])
    if kind == "complex":
        return complex(float(parts[0]), float(parts[1]))
    if kind == "dtype":
        return as_dtype(parts[0])
    if kind == "...":
        return Ellipsis
    if kind == "slice":
        return slice(*(_decoded(part, values) for part in parts))
    if kind == "dict":
        return {_decoded(key, values): _decoded(item, values) for key, item in parts}
    items = [_decoded(part, values) for part in parts]
    if kind == "program":
        inner = Recording()
        inner.inputs, calls, inner.outputs = items
        inner.steps = [Step(_none, *call) for call in calls]
        return inner
    if kind == "tuple":
        return tuple(items)
    if kind == "list":
        return items
    raise CoreArrayValueError(f"'{kind}' is nothing that a transpiled program holds")


def _plain_key(key: Any) -> Any:
    """Return the key of a signature without types."""
    structure, tokens = key
    return structure, tuple(
        token if isinstance(token[0], str) else (f"type:{token[0].__name__}", token[1]) for token in tokens
    )


def _key_of(saved: Any) -> Any:
    kinds: dict[str, type] = {kind.__name__: kind for kind in (bool, int, float, complex, str, type(None), type(...))}
    structure, tokens = saved
    found = []
    for token in tokens:
        kind, rest = token
        found.append(
            (kinds.get(kind.removeprefix("type:"), object), rest) if kind.startswith("type:") else (kind, rest)
        )
    return structure, tuple(found)
