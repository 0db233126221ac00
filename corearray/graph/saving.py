"""Files of graphs."""

from __future__ import annotations

import io
import json
import zipfile
from functools import partial
from keyword import iskeyword
from typing import TYPE_CHECKING, Any

from corearray.contract.recording import Recording, Step, Value
from corearray.errors import CoreArrayTypeError, FileFormatError
from corearray.files import contents, exported, written_at_once
from corearray.files.npy import members, read_npy, write_member
from corearray.graph.compiling import key_of
from corearray.graph.graph import Graph, Signature
from corearray.graph.names import Reader, Writer

if TYPE_CHECKING:
    from pathlib import Path

    from corearray.backends.backend import Backend

__all__ = ["load_graph", "read", "save_graph", "written"]

#: What `corearray list-functions` says of the functions here that are no declarations.
__kind__ = "convenience"

_FORMAT, _VERSION = "corearray graph", 2
_GRAPH, _CHECKSUM = "graph.json", "checksum"


def save_graph(signature: Signature, file: str | Path) -> None:
    """Write a signature to a file."""
    content = written(signature)
    with written_at_once(file) as opened:
        opened.write(content)


def written(signature: Signature, objects: list[Any] | None = None) -> bytes:
    """Serialise a signature: functions by name, arrays as lists.

    Parameters
    ----------
    signature
        What is written.
    objects
        Takes static arguments that are no data, for a pickle, which keeps them beside the content. Without it they are
        refused.

    Raises
    ------
    CoreArrayTypeError
        If a call, or one of its arguments, has no name in the table of the backend.
    """
    backend, recording = signature.backend, signature.recording
    if any(source is not None for source in signature.known):
        raise CoreArrayTypeError(
            f"the graph '{signature.name}' cannot be saved: it draws of a generator of its own; let it draw of the context's"
        )
    writer = Writer(backend, objects, f"the graph '{signature.name}'")
    inputs = [writer.number(value) for value in recording.inputs]
    steps = []
    for step in recording.steps:
        if step.name not in writer.names:
            raise CoreArrayTypeError(
                f"the graph '{signature.name}' cannot be saved: it calls '{step.name}', which no name in a file stands for"
            )
        tree = [writer.data(part) for part in (step.arguments, step.options, _plain(step.results))]
        steps.append([step.name, *tree, step.effect])
    outputs = [writer.number(value) for value in recording.outputs]
    prepared = None if recording.prepared is None else writer.data(recording.prepared)
    (arguments, options), tokens = signature.key
    head = {
        "format": _FORMAT,
        "version": _VERSION,
        "backend": backend.name,
        "framework version": str(backend.framework_version),
        "name": signature.name,
        "parameters": signature.parameters,
        "inputs": inputs,
        "steps": steps,
        "outputs": outputs,
        "values": [[list(value.shape), value.dtype, value.constant is not None] for value in writer.values],
        "prepared": prepared,
        "results": writer.tree(signature.results),
        "wraps": signature.wraps,
        "generators": len(signature.known),
        "structure": [writer.structure(arguments), writer.structure(options)],
        "tokens": [writer.token(token) for token in tokens],
    }
    arrays = {
        f"constants/{number}": exported(backend, backend.wrap(value.constant))
        for number, value in enumerate(writer.values)
        if value.constant is not None
    }
    return _packed(json.dumps(head, allow_nan=False, separators=(",", ":")), arrays)


def _plain(results: Any) -> Any:
    """Return what a call gives in tuples in the place of named ones."""
    if isinstance(results, tuple):
        return tuple(map(_plain, results))
    return list(map(_plain, results)) if isinstance(results, list) else results


def _packed(head: str, arrays: dict[str, Any]) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        archive.writestr(_GRAPH, head)
        for name, array in arrays.items():
            write_member(archive, name, array)
    with zipfile.ZipFile(made, "a") as archive:
        sums = [f"{_digest(archive.read(name))}  {name}\n" for name in archive.namelist()]
        archive.writestr(_CHECKSUM, "".join(sums))
    return made.getvalue()


def _digest(content: bytes) -> str:
    from hashlib import sha256

    return sha256(content).hexdigest()


def load_graph(file: str | Path, /) -> Graph:
    """Read a graph that `Graph.save` wrote.

    The file is data: reading it runs no code from it, and the calls in it are restricted to those of the framework.

    Parameters
    ----------
    file
        Path to read from.

    Returns
    -------
    `Graph`, for arguments of the one signature that was saved. The backend is loaded if need be.

    Raises
    ------
    FileFormatError
        If the file is broken, cut off, too large, of a newer version, or calls what the framework here does not have.
    OSError
        If the file cannot be opened.

    Examples
    --------
    >>> import corearray as ca, tempfile, os
    >>> x = ca.asarray([1.0, 2.0])
    >>> graph = ca.compile_graph(lambda x: x + x, x)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     graph.save(os.path.join(folder, "double.graph"))
    ...     loaded = ca.load_graph(os.path.join(folder, "double.graph"))
    >>> loaded == graph, loaded(x).tolist()
    (True, [2.0, 4.0])
    """
    from pathlib import Path

    return read(Path(file).read_bytes(), place=str(file))


def read(content: bytes, objects: list[Any] | None = None, place: str = "pickle") -> Graph:
    """Deserialise a graph; `place` names its origin in messages."""
    from corearray.manager import load_backend

    with contents(place, "a file of a graph"):
        head, archive, infos = _unpacked(content)
        name = head["backend"]
        if type(name) is not str:
            raise FileFormatError("the name of the backend is no text")
    backend = load_backend(name)
    with contents(place, "a file of a graph"), archive:
        return _made(backend, head, archive, infos, objects)


def _unpacked(content: bytes) -> tuple[dict[str, Any], zipfile.ZipFile, dict[str, zipfile.ZipInfo]]:
    """Open the archive, compare its checksums, and return what it states of the graph."""
    if not content.startswith(b"PK"):
        raise FileFormatError("it holds no graph, which is a zip archive")
    archive = zipfile.ZipFile(io.BytesIO(content))
    infos = members(archive, len(content))
    if _GRAPH not in infos or _CHECKSUM not in infos:
        raise FileFormatError("it holds no graph")
    sums = "".join(f"{_digest(archive.read(name))}  {name}\n" for name in infos if name != _CHECKSUM)
    head = json.loads(archive.read(_GRAPH))
    if type(head) is not dict or head.get("format") != _FORMAT:
        raise FileFormatError("it holds no graph")
    if head["version"] != _VERSION:
        raise FileFormatError(
            f"it has version {head['version']!r} of the format, and this version of corearray reads {_VERSION}"
        )
    if sums != archive.read(_CHECKSUM).decode():
        raise FileFormatError("its content does not match its checksums")
    return head, archive, infos


def _made(
    backend: Backend, head: Any, archive: zipfile.ZipFile, infos: dict[str, zipfile.ZipInfo], objects: list[Any] | None
) -> Graph:
    values = [Value(shape, dtype) for shape, dtype, _ in head["values"]]
    for number, (value, (shape, dtype, constant)) in enumerate(zip(values, head["values"], strict=True)):
        if constant:
            info = infos[f"constants/{number}.npy"]
            with archive.open(info) as member:
                value.constant = backend.reshape(
                    backend.asarray(read_npy(member, info.file_size), dtype=dtype), shape
                )._native
    reader = Reader(backend, values, objects)
    recording = Recording()
    recording.inputs = [reader.value(number) for number in head["inputs"]]
    known = {*recording.inputs, *(value for value in values if value.constant is not None)}
    for path, arguments, options, made, effect in head["steps"]:
        step = Step(
            reader.name(path),
            path,
            reader.data(arguments),
            reader.data(options),
            reader.data(made),
            effect=bool(effect),
        )
        if type(step.options) is not dict or not all(map(_identifies, step.options)):
            raise FileFormatError(f"the options of '{path}' are no keywords")
        if not known.issuperset(step.inputs):
            raise FileFormatError(f"'{path}' takes an array that no call has made")
        known.update(step.outputs)
        recording.steps.append(step)
    recording.outputs = [reader.value(number) for number in head["outputs"]]
    if not known.issuperset(recording.outputs):
        raise FileFormatError("a result is an array that no call has made")
    if head["prepared"] is not None:
        recording.prepared = reader.data(head["prepared"])
    function, parameters = head["name"], head["parameters"]
    if not all(map(_identifies, (function, *parameters))) or len({*parameters}) != len(recording.inputs):
        raise FileFormatError("the names of its parameters are no names of Python")
    results, wraps = reader.tree(head["results"]), [None if wrap is None else bool(wrap) for wrap in head["wraps"]]
    if len(wraps) != len(results.leaves) or len(wraps) - wraps.count(None) != len(recording.outputs):
        raise FileFormatError("its results are not those of its calls")
    arguments, options = map(reader.structure, head["structure"])
    key = (arguments, options), tuple(reader.token(token) for token in head["tokens"])
    asked = {name for token in key[1] if token[0] == "array" for name, _ in token[4:]}
    generators = head.get("generators", 0)
    if type(generators) is not int or not 0 <= generators <= 1:
        raise FileFormatError("it draws of generators that are not known")
    count = sum(token[0] == "array" for token in key[1]) + generators
    if not all(map(_identifies, asked)) or count != len(recording.inputs):
        raise FileFormatError("its signature is not that of its calls")
    signature = Signature(backend, key, recording, function, parameters, results, wraps, None, (None,) * generators)
    return Graph(signature, None, partial(key_of, backend, (), (), asked))


def _identifies(name: Any) -> bool:
    return type(name) is str and name.isidentifier() and not iskeyword(name)
