"""Arrays over several devices: one small interface to the engines of the frameworks.

A plugin implements `mesh`, `placed_on` and `layout_of`. Computing on the parts and moving data between devices is the
framework's work.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from corearray.arrays.array import Array
from corearray.arrays.nested import to_native
from corearray.calls.dispatch import backend_of
from corearray.container import Container
from corearray.errors import CoreArrayTypeError, CoreArrayValueError, options
from corearray.ragged import Ragged
from corearray.settings.backends import get_backend
from corearray.settings.context import current_settings
from corearray.settings.registry import reset_setting, set_settings
from corearray.types.mesh import Layout, Mesh, Spec, read_spec

__all__ = ["evaluate", "layout", "mesh", "set_mesh", "shard", "unset_mesh", "unshard"]

#: What `corearray list-functions` says of the functions here that are no declarations.
__kind__ = "convenience"


def mesh() -> Mesh | None:
    """Return the mesh in force, or `None`.

    Examples
    --------
    >>> import corearray as ca
    >>> with ca.settings(mesh=ca.Mesh({"data": 2})):
    ...     ca.mesh()
    Mesh({'data': 2})
    """
    return current_settings().mesh


def set_mesh(mesh: Mesh | None) -> None:
    """Set the mesh of the current context.

    With a mesh in force, functions that create arrays and Generators return arrays that are whole on every device of it, and
    `shard` uses it.

    Parameters
    ----------
    mesh
        A `Mesh`, or `None` for none.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.set_mesh(ca.Mesh({"data": 2}))
    >>> ca.mesh().size
    2
    >>> ca.unset_mesh()
    """
    set_settings(mesh=mesh)


def unset_mesh() -> None:
    """Reset the mesh to none.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.set_mesh(ca.Mesh({"data": 2}))
    >>> ca.unset_mesh()
    >>> ca.mesh() is None
    True
    """
    reset_setting("mesh")


def shard(tree: Any, /, *spec: Any, mesh: Mesh | None = None) -> Any:
    """Split arrays over the devices of a mesh.

    Parameters
    ----------
    tree
        An array, native or not, or nested tuples, lists, dictionaries and Containers of arrays.
    *spec
        For each axis an axis of the mesh, a tuple of several, or `None` for an axis that stays whole; missing ones at the end
        are `None`. Or one dictionary from regular expressions to such tuples: the first that matches the whole key chain of
        an array, such as `"blocks/0/q/weight"`, says how that array is split; points in names of parameters count as `/`.
        Arrays that none matches stay whole on every device.
    mesh
        The mesh, by default the one in force.

    Returns
    -------
    The same tree with its arrays on the mesh; other leaves as they are. Native arrays stay native.

    Raises
    ------
    ValueError
        If there is no mesh, it has no such axis, an axis of an array is no multiple of its parts, or a pattern is no regular
        expression or matches nothing.
    TypeError
        If the mesh is no `Mesh`, a pattern is no string, or the tree holds no array.
    NotImplementedError
        If the backend has no layouts.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.shard(ca.ones((4, 2)), "data", mesh=ca.Mesh({"data": 2}))
    Traceback (most recent call last):
    ...
    corearray.errors.CoreArrayNotImplementedError: backend 'numpy' computes on one device; ...
    """
    chosen = current_settings().mesh if mesh is None else mesh
    if chosen is None:
        raise CoreArrayValueError(
            "'shard' needs a mesh; give mesh=Mesh({'data': 4}), or use it within settings(mesh=...)"
        )
    if not isinstance(chosen, Mesh):
        raise CoreArrayTypeError(
            f"'shard' got a mesh of type {type(chosen).__name__}; give a corearray.Mesh, as in Mesh({{'data': 4}})"
        )
    place = (
        _by_patterns(tree, spec[0], chosen) if len(spec) == 1 and isinstance(spec[0], Mapping) else lambda chain: spec
    )
    found: list[str] = []

    def placed(chain: str, x: Any) -> Any:
        found.append(chain)
        return _placed(x, place(chain), chosen)

    result = _mapped(placed, tree)
    if not found:
        raise CoreArrayTypeError(
            f"'shard' found no array in an object of type {type(tree).__name__}; give arrays, or trees of them such as the "
            "parameters of a module"
        )
    return result


def layout(x: Any, /) -> Layout | None:
    """Return how an array lies on a mesh, or `None` for an array on one device.

    Parameters
    ----------
    x
        An array, native or not.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.layout(ca.ones(3)) is None
    True
    """
    backend = backend_of(x)
    if backend is None or not (isinstance(x, Array) or backend.is_native(x)):
        raise CoreArrayTypeError(f"'layout' got an object of type {type(x).__name__}; it takes an array")
    found = backend.ask("layout_of", to_native(x)) if "layout_of" in backend.facts else None
    return None if found is None else Layout(Mesh(found[0]), tuple(found[1]))


def unshard(tree: Any, /) -> Any:
    """Bring the arrays of a tree whole onto one device each.

    Where several processes hold the parts, each of them has to call it, and gets all elements.

    Parameters
    ----------
    tree
        An array, native or not, or a tree of arrays as for `shard`.

    Returns
    -------
    The same tree; arrays that lie on one device as they are.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.unshard({"x": ca.ones(2)})["x"].tolist()
    [1.0, 1.0]
    """

    def whole(_: str, x: Any) -> Any:
        backend = backend_of(x)
        if layout(x) is None or backend is None:
            return x
        native = backend.ask("placed_on", to_native(x), None, ())
        return backend.wrap(native) if isinstance(x, Array) else native

    return _mapped(whole, tree)


def evaluate(tree: Any, /) -> Any:
    """Wait until the arrays of a tree hold their values, where they are.

    Frameworks that compute later or in the background, as JAX does, finish what the arrays depend on: lazy ones in one graph.
    Others have computed already. Use it between the stages of a program, and before a clock is read.

    Parameters
    ----------
    tree
        An array, native or not, or a tree of arrays as for `shard`.

    Returns
    -------
    The tree, with its arrays evaluated. Arrays that are traced stay as they are.

    Examples
    --------
    >>> import corearray as ca
    >>> x, y = ca.evaluate((ca.ones(2), ca.zeros(2)))
    >>> (x + y).tolist()
    [1.0, 1.0]
    """
    arrays: dict[str, list[Any]] = {}
    _mapped(lambda _, x: arrays.setdefault(_named(x), []).append(x), tree)
    results: dict[str, Iterator[tuple[Any, Any]]] = {}
    for name, given in arrays.items():
        backend = given[0].backend if isinstance(given[0], Array) else get_backend(name)
        natives = [to_native(x) for x in given]
        found = backend.fact("evaluated", natives) if "evaluated" in backend.facts else natives
        results[name] = zip(natives, found, strict=True)

    def evaluated(_: str, x: Any) -> Any:
        before, after = next(results[_named(x)])
        if after is before:
            return x
        return backend_of(x).wrap(after) if isinstance(x, Array) else after  # type: ignore[union-attr]

    return _mapped(evaluated, tree)


def _named(x: Any) -> str:
    backend = backend_of(x)
    assert backend is not None, "`_mapped` calls with arrays"
    return backend.name


def _mapped(change: Callable[[str, Any], Any], tree: Any, chain: str = "") -> Any:
    """Return a tree with `change(key_chain, array)` in the places of its arrays, and other leaves as they are."""
    if isinstance(tree, Array):
        return change(chain, tree)
    if isinstance(tree, Container):
        return tree.map_with_key_chain(lambda inner, leaf: _mapped(change, leaf, _joined(chain, inner)))
    if isinstance(tree, Ragged):
        return tree
    if type(tree) is dict:
        return {key: _mapped(change, item, _joined(chain, key)) for key, item in tree.items()}
    if isinstance(tree, (list, tuple)):
        items = [_mapped(change, item, _joined(chain, place)) for place, item in enumerate(tree)]
        if hasattr(tree, "_fields"):
            return type(tree)(*items)
        return type(tree)(items) if type(tree) in (list, tuple) else tree
    return tree if backend_of(tree) is None else change(chain, tree)


def _joined(chain: str, key: object) -> str:
    name = str(key).replace(".", "/")
    return f"{chain}/{name}" if chain else name


def _by_patterns(tree: Any, patterns: Mapping[str, Any], mesh: Mesh) -> Callable[[str], Spec]:
    """Return the function from the key chain of an array to its spec; every pattern has to match one."""
    known = [
        (pattern, _compiled(pattern), read_spec(mesh, entry if isinstance(entry, (tuple, list)) else (entry,)))
        for pattern, entry in patterns.items()
    ]
    chains: list[str] = []
    _mapped(lambda chain, _: chains.append(chain), tree)
    specs: dict[str, Spec] = {}
    used: set[str] = set()
    for chain in chains:
        matching = [(pattern, spec) for pattern, expression, spec in known if expression.fullmatch(chain)]
        used.update(pattern for pattern, _ in matching)
        specs[chain] = matching[0][1] if matching else ()
    unused = [pattern for pattern in patterns if pattern not in used]
    if unused:
        raise CoreArrayValueError(
            f"'shard' got the patterns {options(unused)}, which match no array; the key chains are {options(chains)}"
        )
    return specs.__getitem__


def _compiled(pattern: Any) -> re.Pattern[str]:
    try:
        return re.compile(pattern)
    except re.error as error:
        raise CoreArrayValueError(
            f"'shard' got the pattern {pattern!r}, which is no regular expression: {error}"
        ) from error
    except TypeError as error:
        raise CoreArrayTypeError(
            f"'shard' got {pattern!r} where it takes a regular expression; give a string"
        ) from error


def _placed(x: Any, spec: Sequence[Any], mesh: Mesh) -> Any:
    backend = backend_of(x)
    assert backend is not None, "`_mapped` calls with arrays"
    native = to_native(x)
    made = backend.mesh(mesh)
    placed = backend.ask("placed_on", native, made, read_spec(mesh, spec, tuple(native.shape)))
    return backend.wrap(placed) if isinstance(x, Array) else placed
