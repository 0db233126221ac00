"""The fast path of a call: one Python function per recorded program that tests the arguments and runs the graph."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from operator import attrgetter, itemgetter
from typing import TYPE_CHECKING, Any

import corearray as ca
from corearray.calls.codegen import compiled
from corearray.frontend.program import Output

if TYPE_CHECKING:
    from corearray.frontend.transpiled import Prepared, Transpiled

__all__ = ["entry", "packer"]

#: Arguments that are kept in a program and compared by `is` or `==`.
_CONSTANTS = (type(None), bool, int, str)


def packer(prepared: Prepared) -> Callable[[Sequence[Any]], Any]:
    """Return a function that builds the result of a program from its native outputs; torch's compiler traces it."""
    text, scope = _result(prepared, lambda native: native)
    return compiled("packed", f"def packed(made):\n    return {text}\n", scope, "transpiled result")


def entry(
    owner: Transpiled, prepared: Prepared, args: Sequence[Any], options: Mapping[str, Any], slow: Callable[..., Any]
) -> Callable[..., Any]:
    """Return a function that calls a program if the arguments are like these, and `slow` if they are not.

    Parameters
    ----------
    owner
        Whose program it is.
    prepared
        The program.
    args, options
        Example arguments, with arrays of the target.
    slow
        Called with the same arguments as the function that is returned: the `Transpiled`, arrays by name, whether new
        buffers are kept, and the arguments of the program, a tuple and a dictionary.
    """
    leaves = [*args, *options.values()]
    if not all(isinstance(leaf, ca.Array) or type(leaf) in _CONSTANTS for leaf in leaves):
        return slow
    backend = owner.backend
    scope: dict[str, Any] = {
        "_slow": slow, "_run": prepared.run, "_names": tuple(prepared.names), "_program": prepared.program,
        "_Array": backend.Array, "_wrap": backend.wrap, "_ensured": backend.ensured, "_native": attrgetter("_native"),
    }  # fmt: skip
    held = "*[arrays[name]._native for name in _names], " if prepared.names else ""
    if len(prepared.names) > 1 and "register_tracing" not in backend.facts:  # faster, but a tracer cannot follow it
        scope["_held"] = itemgetter(*prepared.names)
        held = "*map(_native, _held(arrays)), "
    names = [f"x{place}" for place in range(len(leaves))]
    natively, wrapped, natives, arrays = [], [], [], []
    for place, leaf in enumerate(leaves):
        x = names[place]
        if isinstance(leaf, ca.Array):
            native = leaf._native
            shape = native.shape
            scope |= {
                f"_type{place}": type(native), f"_dtype{place}": native.dtype, f"_kind{place}": leaf._kind,
                f"_shape{place}": tuple(shape) if isinstance(shape, tuple) else shape,
            }  # fmt: skip
            natively += [f"type({x}) is _type{place}", f"{x}.dtype == _dtype{place}", f"{x}.shape == _shape{place}"]
            wrapped += [f"type({x}) is _Array", f"{x}._kind is _kind{place}", f"{x}._native.shape == _shape{place}"]
            natives.append(x)
            arrays.append(f"{x}._native")
        else:
            test = f"{x} is {leaf!r}" if leaf is None or type(leaf) is bool else f"{x} == {leaf!r}"
            for tests in (natively, wrapped):
                tests += [f"type({x}) is {type(leaf).__name__}"] * (leaf is not None) + [test]
    count = len(args)
    lines = [
        "def transpiled(owner, arrays, keeps, args, options):",
        f"    if len(args) == {count} and len(options) == {len(options)}:",
    ]
    if count:
        lines.append(f"        {', '.join(names[:count])}, = args")
    for place, name in enumerate(options):
        lines.append(f"        {names[count + place]} = options.get({name!r}, _slow)")
    for tests, given, wraps in ((natively, natives, False), (wrapped, arrays, True)):
        if wraps and not given:
            continue
        text, named = _result(prepared, _wrapping(backend, wraps or not given))
        scope |= named
        lines += [
            f"        if {' and '.join(tests) or 'True'}:",
            f"            made = _run({held}{', '.join(given)})",
            *(
                ["            if keeps:", "                owner._keep(_program, made)"]
                if prepared.program.written
                else []
            ),
            f"            return {text}",
        ]
    lines.append("    return _slow(owner, arrays, keeps, args, options)")
    return compiled("transpiled", "\n".join(lines) + "\n", scope, "transpiled call")


def _wrapping(backend: Any, wraps: bool) -> Callable[[str], str]:
    def wrapping(native: str) -> str:
        ensured = f"_ensured({native})" if backend.ensures else native
        return f"_wrap({ensured})" if wraps else ensured

    return wrapping


def _result(prepared: Prepared, change: Callable[[str], str]) -> tuple[str, dict[str, Any]]:
    """Return the expression of a result made of the outputs `made`, with what it names."""
    scope: dict[str, Any] = {}
    texts = []
    results = prepared.program.results
    for place, leaf in enumerate(results.leaves):
        if type(leaf) is Output:
            texts.append(change(f"made[{int(leaf)}]"))
        else:
            texts.append(f"_leaf{place}")
            scope[f"_leaf{place}"] = leaf
    text = results.text(texts)
    if text is None:  # of classes of nests
        text, scope["_of"] = f"_of([{', '.join(texts)}])", results.of
    return text, scope
