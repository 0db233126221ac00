"""Programs for transpiling: the variables that a model or a function holds, and plain results."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextvars import ContextVar
from typing import Any

import tensorflow as tf

from corearray.plugin import hookimpl

#: The tensors that stand for variables while a program is read, by the `id` of the variable's handle.
given_buffers: ContextVar[dict[int, Any] | None] = ContextVar("corearray_tensorflow.given_buffers", default=None)


@hookimpl
def held_arrays(held: Any) -> Any:
    variables = dict(_unique(_named_variables(held)))
    if not variables:
        return None
    parameters = {name: x for name, (x, kind) in variables.items() if kind != "buffer"}
    buffers = {name: x for name, (x, kind) in variables.items() if kind == "buffer"}
    return parameters, buffers, frozenset(name for name, (_, kind) in variables.items() if kind == "frozen")


@hookimpl
def with_buffers(held: Any, natives: Any, run: Any) -> Any:
    known = given_buffers.get()
    if known is not None:
        variables = dict(_unique(_named_variables(held)))
        known.update({id(variables[name][0].handle): native for name, native in natives.items()})
    return run()


@hookimpl
def plain_tree(result: Any) -> Any:
    if isinstance(result, (tf.Tensor, tf.Variable)) or result is None:
        return result
    if isinstance(result, tf.IndexedSlices):
        return tf.convert_to_tensor(result)
    if isinstance(result, tf.RaggedTensor):
        return {"values": plain_tree(result.values), "row_splits": result.row_splits}
    if type(result) in (tuple, list):
        return type(result)(map(plain_tree, result))
    if isinstance(result, tuple):
        return tuple(map(plain_tree, result))
    if isinstance(result, list):
        return list(map(plain_tree, result))
    if isinstance(result, Mapping):
        return {name: plain_tree(item) for name, item in result.items()}
    if _is_keras_variable(result):
        return tf.convert_to_tensor(result)
    return result


@hookimpl
def ragged_of(values: Any, row_splits: Any) -> Any:
    return tf.RaggedTensor.from_row_splits(values, row_splits, validate=False)


def _named_variables(held: Any) -> Iterator[tuple[str, Any, str]]:
    """Return the variables of a model, a module, or a function that names some: name, variable, and kind."""
    owner = getattr(held, "__self__", held)
    if _is_layer(owner):
        yield from _of_layer(owner)
    elif isinstance(owner, tf.Module):
        yield from _of_module(owner)
    else:
        yield from _of_function(held, set())


def _unique(found: Iterator[tuple[str, Any, str]]) -> Iterator[tuple[str, tuple[Any, str]]]:
    """Leave out variables that came before, and number names that came before."""
    names: set[str] = set()
    seen: set[int] = set()
    for name, variable, kind in found:
        if id(variable) in seen:
            continue
        seen.add(id(variable))
        numbered, count = name, 0
        while numbered in names:
            count += 1
            numbered = f"{name}_{count}"
        names.add(numbered)
        yield numbered, (variable, kind)


def _is_layer(x: Any) -> bool:
    keras = sys.modules.get("keras")
    return keras is not None and isinstance(x, keras.Layer)


def _is_keras_variable(x: Any) -> bool:
    keras = sys.modules.get("keras")
    return keras is not None and isinstance(x, keras.Variable)


def _of_layer(layer: Any) -> Iterator[tuple[str, Any, str]]:
    """Return the variables of a Keras layer by their paths below it; those of layers that are not trained are frozen."""
    trained = {id(x) for one in layer._flatten_layers() for x in one._trainable_variables}
    for x in layer.variables:
        kind = ("parameter" if x.trainable else "frozen") if id(x) in trained else "buffer"
        yield x.path.removeprefix(f"{layer.name}/").replace("/", "."), x._value, kind


def _of_module(module: Any) -> Iterator[tuple[str, Any, str]]:
    """Return the variables of a `tf.Module` by the paths of attributes."""
    for path, x in module._flatten(predicate=lambda x: isinstance(x, tf.Variable) or _is_layer(x), with_path=True):
        name = ".".join(map(str, path))
        if _is_layer(x):
            yield from ((f"{name}.{inner}", variable, kind) for inner, variable, kind in _of_layer(x))
        else:
            yield name, x, _kind(x)


def _kind(variable: Any) -> str:
    return "parameter" if variable.trainable and variable.dtype.is_floating else "buffer"


def _of_function(held: Any, seen: set[int]) -> Iterator[tuple[str, Any, str]]:
    """Return the variables that a Python function names, in what encloses it and in its module.

    `seen` has the functions and collections that were looked at, which may hold themselves.
    """
    if hasattr(held, "structured_input_signature"):  # a concrete function
        yield from ((x.name.partition(":")[0].replace("/", "."), x, _kind(x)) for x in held.variables)
        return
    function = getattr(held, "python_function", held)
    function = getattr(function, "__wrapped__", function)
    code = getattr(function, "__code__", None)
    if code is None:
        return
    cells = zip(code.co_freevars, function.__closure__ or (), strict=True)
    named = [(name, _content(cell)) for name, cell in cells]
    named += [(name, function.__globals__.get(name)) for name in code.co_names]
    for name, x in named:
        yield from _within(name, x, seen)


def _content(cell: Any) -> Any:
    try:
        return cell.cell_contents
    except ValueError:  # not filled yet
        return None


def _within(name: str, x: Any, seen: set[int]) -> Iterator[tuple[str, Any, str]]:
    if isinstance(x, tf.Variable):
        yield name, x, _kind(x)
    elif _is_layer(x):
        yield from ((f"{name}.{inner}", variable, kind) for inner, variable, kind in _of_layer(x))
    elif isinstance(x, tf.Module):
        yield from ((f"{name}.{inner}", variable, kind) for inner, variable, kind in _of_module(x))
    elif id(x) in seen:
        return
    elif isinstance(x, (list, tuple)):
        seen.add(id(x))
        for place, item in enumerate(x):
            yield from _within(f"{name}.{place}", item, seen)
    elif isinstance(x, dict):
        seen.add(id(x))
        for key, item in x.items():
            yield from _within(f"{name}.{key}", item, seen)
    elif hasattr(x, "python_function") or (type(x).__name__ == "function" and getattr(x, "__closure__", None)):
        seen.add(id(x))
        yield from _of_function(x, seen)
