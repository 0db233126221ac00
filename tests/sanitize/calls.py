"""Random calls that go through the accelerator, in a process of its own: `calls.py calls|leaks BACKEND NUMBER LIBRARY`."""

from __future__ import annotations

import contextlib
import gc
import importlib.util
import itertools
import random
import sys
import time
import warnings
from typing import Any

FUNCTIONS = (
    "add", "subtract", "multiply", "divide", "pow", "remainder", "equal", "less", "where", "sum", "mean", "max", "argmax",
    "sort", "concat", "stack", "reshape", "permute_dims", "broadcast_to", "expand_dims", "squeeze", "take", "matmul",
    "exp", "sin", "abs", "floor", "isnan", "astype", "zeros_like", "full_like", "clip", "tril", "roll", "flip", "nonzero",
    "cumulative_sum", "relu", "softmax", "linear", "one_hot", "nested_map", "zeros", "arange", "asarray", "to_list",
)  # fmt: skip
OPERATORS = (
    "+",
    "-",
    "*",
    "/",
    "//",
    "%",
    "@",
    "&",
    "|",
    "^",
    "<<",
    ">>",
    "<",
    "<=",
    "==",
    "!=",
    "+=",
    "-=",
    "*=",
    "/=",
)


def use(library: str) -> None:
    """Put a library in the place of the accelerator."""
    spec = importlib.util.spec_from_file_location("corearray.calls._accelerator", library)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    sys.modules["corearray.calls._accelerator"] = module


def values(ca: Any, be: Any) -> list[Any]:
    """Arguments: arrays that fit and do not fit, numbers, keys, trees, and things that are no arguments."""
    arrays = [
        be.asarray(be.zeros(shape), dtype=dtype)
        for shape in ((), (3,), (2, 3), (0,))
        for dtype in ("float32", "int64", "bool")
    ]
    circle: list[Any] = []
    circle.append(circle)
    others = [
        0,
        1,
        -1,
        2.5,
        True,
        None,
        "a",
        (0,),
        [1, 2],
        (1, 0),
        slice(None),
        ...,
        (0, ...),
        circle,
        {"a": arrays[1]},
        object(),
    ]
    native = [arrays[1].native, arrays[3].native]
    return [*arrays, *arrays, *others, *native, ca.Container(a=arrays[1], b=arrays[2]), [arrays[1], arrays[1]]]


def call(ca: Any, be: Any, chosen: random.Random, given: list[Any]) -> Any:
    """Make one call."""
    x, y, z = chosen.choices(given, k=3)
    how = chosen.random()
    if how < 0.3:
        names = {"x": x, "y": y}
        text = chosen.choice(OPERATORS)
        if text.endswith("=") and text[0] in "+-*/":
            exec(f"x {text} y", names)
            return names["x"]
        return eval(f"x {text} y", names)
    if how < 0.4:
        return x[y]
    if how < 0.45:
        return chosen.choice((lambda: -x, lambda: +x, lambda: abs(x), lambda: ~x))()
    owner = ca if how < 0.8 else be
    function = getattr(owner, chosen.choice(FUNCTIONS), None) or ca.add
    arguments = (x, y, z)[: chosen.choice((0, 1, 1, 2, 2, 2, 3))]
    options = chosen.choice(
        ({}, {}, {}, {"axis": 0}, {"axis": y}, {"dtype": "float32"}, {"out": x}, {"keepdims": True}, {"no": 1})
    )
    return function(*arguments, **options)


def make_calls(ca: Any, be: Any, number: int) -> None:
    """Make random calls while the collector runs at each allocation."""
    chosen, given, done = random.Random(0), values(ca, be), 0
    gc.collect()
    gc.freeze()
    gc.set_threshold(1)
    for count in range(number):
        if count % 1000 == 0:
            given = values(ca, be)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                call(ca, be, chosen, given)
                done += 1
            except Exception:  # wrong calls are meant to fail
                pass
    assert done > number / 10, f"only {done} of {number} calls gave a result"
    print(f"{be.name}: {number} calls, {done} with a result")


def count_memory(ca: Any, be: Any, number: int) -> None:
    """Compare the memory blocks before and after many calls of each sort."""
    x, y, tree = be.ones(3), be.ones(3), {"a": [be.ones(2)]}
    operations = [
        lambda: x + y,
        lambda: x < y,
        lambda: x[0],
        lambda: -x,
        lambda: ca.sum(x, axis=0),
        lambda: ca.reshape(x, (3, 1)),
        lambda: ca.nested_map(ca.exp, tree),
        lambda: be.add(x, y),
    ]
    for failing in (lambda: ca.matmul(x, be.ones(2)), lambda: x + object()):
        operations.append(lambda failing=failing: _fails(failing))
    share = number // len(operations) // 50  # errors cost fifty times as much as calls
    for operation in operations:
        times = share if operation.__defaults__ else number // len(operations)
        for _ in range(200):
            operation()
        gc.collect()
        before = sys.getallocatedblocks()
        for _ in itertools.repeat(None, times):
            operation()
        gc.collect()
        grown = sys.getallocatedblocks() - before
        assert grown < 200, f"{operation.__code__.co_firstlineno}: {grown} blocks more after {times} calls"
    print(f"{be.name}: {number} calls leave no memory behind")


def _fails(operation: Any) -> None:
    with contextlib.suppress(Exception):
        operation()


def main(what: str, backend: str, number: str, library: str) -> None:
    """Make calls with a library in the place of the accelerator."""
    if what == "calls":
        use(library)
    import corearray as ca
    from corearray.calls.accelerated import accelerator

    assert accelerator is not None
    start = time.perf_counter()
    ca.set_backend(backend)
    {"calls": make_calls, "leaks": count_memory}[what](ca, ca.get_backend(backend), int(number))
    print(f"  {time.perf_counter() - start:.0f} s")


if __name__ == "__main__":
    main(*sys.argv[1:])
