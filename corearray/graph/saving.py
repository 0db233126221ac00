"""Graphs in files."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from corearray.arrays.array import Array
from corearray.contract.recording import Recording, Step, Value, replaced
from corearray.errors import CoreArrayTypeError
from corearray.graph.compiling import key_of
from corearray.graph.graph import Graph, Signature
from corearray.graph.text import found

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["load_graph", "read", "save_graph", "written"]

#: What `corearray list-functions` says of the functions here that are no declarations.
__kind__ = "convenience"

_FORMAT = 1


def save_graph(signature: Signature, file: str | Path) -> None:
    """Write a signature into a file."""
    from pathlib import Path

    Path(file).write_bytes(written(signature))


def written(signature: Signature) -> bytes:
    """Write a signature: functions by their names, arrays as lists."""
    import pickle  # only here is it needed, and its import takes long

    backend, recording = signature.backend, signature.recording
    numbers: dict[Value, int] = {}
    values: list[Any] = []

    def numbered(leaf: Any) -> Any:
        if type(leaf) is not Value:
            return leaf
        if leaf not in numbers:
            numbers[leaf] = len(values)
            constant = None if leaf.constant is None else backend.fact("to_list", leaf.constant)
            values.append((leaf.shape, leaf.dtype, constant))
        return _Number(numbers[leaf])

    inputs = [numbered(value) for value in recording.inputs]
    steps = []
    for step in recording.steps:
        if found(step.name) is None:
            raise CoreArrayTypeError(
                f"a graph that calls '{step.name}', which has no name to find it by, cannot be saved"
            )
        steps.append((step.name, *replaced((step.arguments, step.options, step.results), numbered), step.effect))
    outputs = [numbered(value) for value in recording.outputs]
    structure, tokens = signature.key
    key = structure, tuple(map(_without_class, tokens))
    saved = (
        _FORMAT, backend.name, signature.name, signature.parameters, inputs, steps, outputs, values, signature.results,
        signature.wraps, key,
    )  # fmt: skip
    try:
        return pickle.dumps(saved)
    except (pickle.PicklingError, TypeError, AttributeError) as error:
        raise CoreArrayTypeError(f"the graph '{signature.name}' cannot be saved: {error}") from error


class _Number(int):
    """Stands in a file for the value of this number."""


def _without_class(token: tuple[Any, ...]) -> tuple[Any, ...]:
    """Leave the class of a backend's own arrays out of a token: it is made when the backend is loaded."""
    return ("array", None, *token[2:]) if token[0] == "array" and issubclass(token[1], Array) else token


def load_graph(file: str | Path, /) -> Graph:
    """Read a graph that `Graph.save` wrote.

    The file is one of Python's `pickle`, which can run any code: read only files that you trust.

    Parameters
    ----------
    file
        Path to read from.

    Returns
    -------
    `Graph`, for arguments of the one signature that was saved. The backend is loaded if need be.

    Raises
    ------
    TypeError
        If the file holds no graph of this version, or the framework lacks a function that the graph calls.

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

    return read(Path(file).read_bytes(), str(file))


def read(content: bytes, place: str = "pickle") -> Graph:
    """Make a graph of what `written` returned; `place` says in messages where that was."""
    import pickle

    saved = pickle.loads(content)
    if not isinstance(saved, tuple) or saved[0] != _FORMAT:
        raise CoreArrayTypeError(f"'{place}' holds no graph that this version of corearray reads")
    _, name, function, parameters, inputs, steps, outputs, kept, results, wraps, (structure, tokens) = saved
    from corearray.manager import load_backend

    backend = load_backend(name)
    values = [Value(shape, dtype) for shape, dtype, _ in kept]
    for value, (shape, dtype, constant) in zip(values, kept, strict=True):
        if constant is not None:
            value.constant = backend.reshape(backend.asarray(constant, dtype=dtype), shape)._native
    recording = Recording()
    recording.inputs, recording.outputs = ([values[number] for number in numbers] for numbers in (inputs, outputs))
    for path, arguments, options, made, effect in steps:
        called = found(path)
        if called is None:
            raise CoreArrayTypeError(
                f"the graph '{function}' calls '{path}', which {backend.framework} here does not have"
            )
        tree = replaced((arguments, options, made), lambda leaf: values[leaf] if type(leaf) is _Number else leaf)
        recording.steps.append(Step(called, path, *tree, effect=effect))
    key = (
        structure,
        tuple(
            ("array", backend.Array, *token[2:]) if token[0] == "array" and token[1] is None else token
            for token in tokens
        ),
    )
    signature = Signature(backend, key, recording, function, parameters, results, wraps)
    asked = {name for token in tokens if token[0] == "array" for name, _ in token[4:]}
    return Graph(signature, None, partial(key_of, backend, (), (), asked))
