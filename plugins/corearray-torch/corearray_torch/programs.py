"""Programs for graphs and for transpiling: the calls of `graph.py`, and calls that take a program of their own.

torch shows no call for the `backward` of an `autograd.Function`, and the tensors within the transforms of `torch.func` are
wrapped. While a program is recorded, these functions are replaced by others that record an inner program. What they
return is computed by torch's own functions, with nothing recorded. A graph keeps the `backward` only; the transforms are for
transpiling.
"""

from __future__ import annotations

import copy
import inspect
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from importlib import import_module
from importlib.util import find_spec
from typing import Any
from weakref import WeakValueDictionary

import torch
from torch.autograd import function as autograd_function
from torch.autograd.function import FunctionCtx
from torch.utils import _pytree as pytree

from corearray.plugin import Recording, Step, Value, compiled_recording, hookimpl, untraceable
from corearray_torch import graph
from corearray_torch.graph import Recorder

#: Private parts of torch: `None` in a version that has others. Programs that need them are refused as untraceable.
apis, eager_transforms, vmap = (
    import_module(f"torch._functorch.{name}") if find_spec(f"torch._functorch.{name}") else None
    for name in ("apis", "eager_transforms", "vmap")
)
_SingleLevelFunction: Any = getattr(autograd_function, "_SingleLevelFunction", None)

_lock = threading.Lock()
_at_work = 0


@hookimpl
def program_calls(function: Any, natives: Any) -> Any:
    with replaced_functions(), _uncompiled():
        return graph.record(function, natives, {torch.autograd.grad: _gradients})


def _recorder(*, for_transpiling: bool = True) -> Recorder | None:
    """Return the recorder at work, unless it runs torch's own code just now or makes a graph."""
    recorder = graph.at_work()
    if recorder is None or torch._C._len_torch_function_stack() == 0:
        return None
    return recorder if recorder.for_transpiling or not for_transpiling else None


@contextmanager
def replaced_functions() -> Iterator[None]:
    """Put the functions of `_REPLACED` in place of torch's until the last recording ends; they pass other threads' calls on."""
    global _at_work
    with _lock:
        _at_work += 1
        if _at_work == 1:
            for (owner, name), function in _REPLACED.items():
                setattr(owner, name, function)
            if _SingleLevelFunction is not None:
                _SingleLevelFunction.apply = classmethod(_applied)
    try:
        yield
    finally:
        with _lock:
            _at_work -= 1
            if _at_work == 0:
                for (owner, name), function in _ORIGINALS.items():
                    setattr(owner, name, function)
                if _SingleLevelFunction is not None:
                    del _SingleLevelFunction.apply


def _uncompiled() -> Any:
    """Run what torch.compile has compiled as plain Python; the compiler is not loaded for it."""
    known = "torch._dynamo" in sys.modules and hasattr(torch.compiler, "set_stance")
    return torch.compiler.set_stance("force_eager") if known else nullcontext()


@contextmanager
def _silently() -> Iterator[None]:
    """Call torch as if nothing were recorded."""
    token = graph.writing.set(None)
    try:
        with torch._C.DisableTorchFunction():
            yield
    finally:
        graph.writing.reset(token)


def _new(recorder: Recorder, x: Any) -> Value:
    with torch._C.DisableTorchFunction():
        return recorder.new(x)


def _known(recorder: Recorder, x: Any) -> Value:
    with torch._C.DisableTorchFunction():
        return recorder.known(x)


@contextmanager
def _inner(recorder: Recorder) -> Iterator[Recording]:
    """Write the calls within into a recording of their own."""
    outer, aliases, widened = recorder.recording, dict(recorder.aliases), dict(recorder.widened)
    recorder.recording = Recording()
    try:
        yield recorder.recording
    finally:
        outer.notes |= recorder.recording.notes
        outer.asked |= recorder.recording.asked
        recorder.recording, recorder.aliases, recorder.widened = outer, aliases, widened


def _free(inner: Recording, *, parameters: bool = False) -> list[Value]:
    """Return the values that an inner program takes from outside; parameters and constants only if they are wanted."""
    known, found = set(inner.inputs), dict[Value, None]()
    for step in [*inner.steps, None]:
        for value in inner.outputs if step is None else step.inputs:
            outside = value.constant is None or (parameters and not value.literal)
            if value not in known and outside:
                found[value] = None
        known.update(() if step is None else step.outputs)
    return list(found)


def _refuse_writes_outside(inner: Recording, what: str) -> None:
    made, outside = set[Value](), set[Any]()
    for step in inner.steps:
        outside.update(value.memory for value in step.inputs if value not in made)
        made.update(value for value in step.outputs if value not in step.writes or value in made)
    if any(value.memory in outside - {None} for step in inner.steps for value in step.writes):
        raise untraceable(f"a function within '{what}' writes into a tensor that it has not made")
    if any(step.effect and step.outputs and not step.name.endswith("__set__") for step in inner.steps):
        raise untraceable(
            f"a function within '{what}' draws random numbers or has another effect; a graph would not do so"
        )


def _tensors(tree: Any) -> list[Any]:
    return [x for x in pytree.tree_leaves(tree) if isinstance(x, torch.Tensor)]


def _program(recorder: Recorder, call: Callable[[Sequence[Any]], Any], examples: Sequence[Any], what: str) -> Any:
    """Record a function of tensors as an inner program; return it, what it takes from outside, and its example's result."""
    with _silently():
        given = [x.detach().clone() for x in examples]
    with _inner(recorder) as inner:
        inputs = [_new(recorder, x) for x in given]
        made = call(given)
        inner.outputs = [_known(recorder, x) for x in _tensors(made)]
        inner.inputs = inputs
    _refuse_writes_outside(inner, what)
    kept = _free(inner)
    inner.inputs = [*kept, *inputs]
    return inner, kept, made


def _add(
    recorder: Recorder,
    function: Callable[..., Any],
    name: str,
    arguments: Sequence[Any],
    options: dict[str, Any],
    results: Sequence[Any],
    compared: dict[str, Any] | None = None,
) -> list[Any]:
    """Write down a call that takes a program, with the tensors of its results or `None`; return their values."""
    values = [None if x is None else _new(recorder, x) for x in results]
    step = Step(function, name, arguments, options, values, compared=compared)
    step.place, path = graph._place_of_user(), graph.modules.get([])
    step.module = path[-1] if path else ""
    recorder.recording.add(step)
    return values


def _no_function(*_: Any) -> Any:
    raise NotImplementedError("a program for transpiling is not run by torch")


# --- torch.autograd.Function


class _Context(FunctionCtx):
    """The context of an `autograd.Function`: `forward` stores values in it for `backward`."""

    to_save: tuple[Any, ...] = ()
    non_differentiable: tuple[Any, ...] = ()
    dirty_tensors: tuple[Any, ...] = ()
    materialize_grads = True

    def __init__(self, needed: tuple[bool, ...]) -> None:
        self.needs_input_grad = needed

    @property
    def saved_tensors(self) -> tuple[Any, ...]:
        return tuple(self.to_save)


def _applied(cls: Any, *args: Any, **options: Any) -> Any:
    """Call a function with a derivative of its own, and write down its `backward` as a program."""
    recorder = _recorder(for_transpiling=False)
    if recorder is None:
        return super(_SingleLevelFunction, cls).apply(*args, **options)
    if options:
        bound = inspect.signature(cls.forward).bind(*args, **options)
        bound.apply_defaults()
        args = bound.args
    context = _Context(tuple(isinstance(x, torch.Tensor) and x.is_floating_point() for x in args))
    start = len(recorder.recording.steps)
    result = _forward(recorder, cls, context, args)
    parts = result if isinstance(result, tuple) else (result,)
    if not any(context.needs_input_grad) or not recorder.records_gradients:
        return result
    if context.dirty_tensors:
        if not recorder.for_transpiling:
            raise untraceable(
                f"'{cls.__name__}' writes into its argument and has a backward of its own, which a graph does not keep; "
                "let its forward return another tensor, or call it under torch.no_grad()"
            )
        recorder._note_hidden_gradients(graph._place_of_user())
        return result
    fixed = {id(x) for x in context.non_differentiable}
    places = [i for i, x in enumerate(parts) if _is_floating(x) and id(x) not in fixed]
    made_within = {value for step in recorder.recording.steps[start:] for value in step.outputs}
    failed: Exception | None = None
    try:
        inner, wanted = _backward(recorder, cls, context, args, parts, places)
    except Exception as error:  # the program runs all the same: torch raises it when a gradient is taken
        if recorder.for_transpiling:
            recorder._note_hidden_gradients(graph._place_of_user())
            return result
        failed = error
    if failed is not None:
        inner, wanted = Recording(), [x for x in args if _is_floating(x)]
    kept = _free(inner, parameters=True)
    found, arguments = [_known(recorder, parts[i]) for i in places], [_known(recorder, x) for x in wanted]
    function, compared = _differentiable(inner, kept, found, arguments, made_within, failed)
    tensors = dict(recorder.values.values())
    with _silently():
        made = function(*([tensors[value] for value in values] for values in (found, arguments, kept)))
    given: tuple[Any, ...] = (found, arguments, kept)
    if recorder.for_transpiling:
        inner.inputs = [*kept, *inner.inputs]
        given, function = (*given, inner), _no_function
    values = _add(recorder, function, "torch.autograd.function.with_gradient", given, {}, made, compared)
    for raw, value in zip(found, values, strict=True):
        for marked in (recorder.fixed, recorder.shapeless):
            marked.update([value] if raw in marked else ())
    by_place = dict(zip(places, made, strict=True))
    everything = tuple(by_place.get(i, x) for i, x in enumerate(parts))
    return everything if isinstance(result, tuple) else everything[0]


#: Functions that `_differentiable` made, by their programs, so that equal calls are merged.
_differentiables: WeakValueDictionary[Any, Callable[..., Any]] = WeakValueDictionary()


def _differentiable(
    inner: Recording,
    kept: Sequence[Value],
    found: Sequence[Value],
    arguments: Sequence[Value],
    made_within: set[Value],
    failed: Exception | None,
) -> tuple[Callable[..., Any], dict[str, Any]]:
    """Return the function of results, arguments and kept tensors that gives results another derivative.

    Parameters
    ----------
    inner, kept
        The program of the derivative, and what it takes beside the derivatives by the results.
    found, arguments
        The results, and the arguments by which `inner` differentiates.
    made_within
        Values of the forward pass. They are constants of second derivatives, as in torch; results and arguments are not.
    failed
        An error that a derivative raises, in place of `inner`.

    Returns
    -------
    The function, and what distinguishes it where graphs are compared.
    """
    count = len(found)
    flat = [*found, *arguments, *kept]
    places = [(found.index(x) if x in found else flat.index(x), x in made_within and x not in found) for x in kept]
    compared: dict[str, Any] = {"places": places, "error": repr(failed)}
    program: Callable[..., Any] | None = None
    reenters = any(step.name == "torch.autograd.grad" for step in inner.steps)
    key: Any = None
    if failed is None:
        whole = Recording()
        whole.steps, whole.inputs, whole.outputs = inner.steps, [*kept, *inner.inputs], inner.outputs
        with _silently():  # the text shows the elements of constants
            program, (text, objects) = compiled_recording(whole, "backward")
        if any(step.name.endswith("_set_grad_enabled") for step in inner.steps):
            program = graph.restoring_grad_mode(program)
        compared |= {"program": text, "inner": [step.compared for step in inner.steps if step.compared]}
        key = text, objects, tuple(places), count, len(arguments)
        known = _differentiables.get(key)
        if known is not None:
            return known, compared

    class WithGradient(torch.autograd.Function):
        generate_vmap_rule = True

        @staticmethod
        def forward(*natives: Any) -> Any:
            return tuple(x.clone() for x in natives[:count])

        @staticmethod
        def setup_context(context: Any, inputs: Any, output: Any) -> None:
            context.save_for_backward(*output, *inputs[count:])

        @staticmethod
        def backward(context: Any, *slopes: Any) -> Any:
            if program is None:
                raise failed  # which is there if there is no program
            saved = context.saved_tensors
            taken = [saved[place].detach() if fixed else saved[place] for place, fixed in places]
            if reenters and not torch.is_grad_enabled():
                with torch.enable_grad():
                    made = [x.detach() for x in program(*[x.detach() for x in (*taken, *slopes)])]
            else:
                made = program(*taken, *slopes)
            return (*[None] * count, *made, *[None] * len(kept))

    def with_gradient(results: Any, arguments: Any, kept: Any) -> Any:
        return WithGradient.apply(*results, *arguments, *kept)

    if key is not None:
        _differentiables[key] = with_gradient
    return with_gradient, compared


def _is_floating(x: Any) -> bool:
    return isinstance(x, torch.Tensor) and (x.is_floating_point() or x.is_complex())


def _forward(recorder: Recorder, cls: Any, context: _Context, args: tuple[Any, ...]) -> Any:
    """Call `forward` without gradients, as torch does; what it says of them to torch is left out."""
    recording, start, before = recorder.recording, len(recorder.recording.steps), torch.is_grad_enabled()
    records, recorder.records_gradients = recorder.records_gradients, False
    _enable_gradients(False)
    try:
        if cls.setup_context is _SingleLevelFunction.setup_context:
            result = cls.forward(context, *args)
        else:
            result = cls.forward(*args)
            cls.setup_context(context, args, result)
    finally:
        _enable_gradients(before)
        recorder.records_gradients = records
        made = recording.steps[start:]
        recording.steps[start:] = [step for step in made if not step.name.endswith("_set_grad_enabled")]
    return result


def _enable_gradients(enabled: bool) -> None:
    with torch._C.DisableTorchFunction():
        torch._C._set_grad_enabled(enabled)


@contextmanager
def _followed(tensors: Sequence[Any]) -> Iterator[None]:
    """Let gradients pass through tensors that were made without; a derivative of `backward` passes through the results."""
    with _silently(), suppress(RuntimeError):  # of views
        for x in tensors:
            x.requires_grad_()
    try:
        yield
    finally:
        with _silently(), suppress(RuntimeError):
            for x in tensors:
                x.requires_grad_(False)


def _backward(
    recorder: Recorder, cls: Any, context: _Context, args: Any, parts: Any, places: list[int]
) -> tuple[Recording, list[Any]]:
    """Record `backward`: a program of the derivatives by the results, and the arguments by which it differentiates."""
    with _silently():
        slopes = [None if not isinstance(x, torch.Tensor) else torch.ones_like(x) for x in parts]
        for place, slope in enumerate(slopes):
            if slope is not None and place not in places:
                slope.zero_()
    records = recorder.records_gradients
    followed = [parts[i] for i in places if not any(parts[i] is x for x in args)]
    with _inner(recorder) as inner, recorder.derivative(), _followed(followed):
        for place, slope in enumerate(slopes):
            if slope is not None:
                value = _new(recorder, slope)
                if place in places:
                    inner.inputs.append(value)
                else:
                    value.constant = slope
        found = cls.backward(context, *slopes)
        wanted = []
        for x, slope in zip(args, found if isinstance(found, (tuple, list)) else (found,), strict=False):
            if slope is None or not (_is_floating(x) and isinstance(slope, torch.Tensor)):
                continue
            wanted.append(x)
            fitted = slope if slope.shape == x.shape else slope.sum_to_size(x.shape)
            inner.outputs.append(_known(recorder, fitted.to(x.dtype)))
    recorder.records_gradients = records
    return inner, wanted


# --- torch.func


def _mapped(
    func: Any, in_dims: Any, out_dims: Any, randomness: str, chunk_size: Any, *args: Any, **options: Any
) -> Any:
    """Write `torch.vmap` down as a call of the program of one row."""
    recorder = _recorder()
    original = _ORIGINALS[apis, "vmap_impl"]
    if recorder is None:
        return original(func, in_dims, out_dims, randomness, chunk_size, *args, **options)
    with _silently():
        result = original(func, in_dims, out_dims, randomness, chunk_size, *args, **options)
        _, dims, flat, spec = vmap._process_batched_inputs(in_dims, args, func)
        places = [i for i, (x, dim) in enumerate(zip(flat, dims, strict=True)) if dim is not None and _is_tensor(x)]
        rows = [flat[i].select(dims[i], 0) for i in places]

    def call(given: Sequence[Any]) -> Any:
        filled = list(flat)
        for place, x in zip(places, given, strict=True):
            filled[place] = x
        return func(*pytree.tree_unflatten(filled, spec), **options)

    inner, kept, made = _program(recorder, call, rows, "torch.vmap")
    outputs = _tensors(result)
    where = pytree._broadcast_to_and_flatten(out_dims, pytree.tree_structure(made)) or [0] * len(outputs)
    with _silently():
        options = {
            "in_dims": [dims[i] % flat[i].ndim for i in places],
            "out_dims": [dim % x.ndim for dim, x in zip(where, outputs, strict=True)],
        }
    arguments = (inner, [_known(recorder, flat[i]) for i in places], kept)
    _add(recorder, _no_function, "torch.func.mapped", arguments, options, outputs)
    return result


def _is_tensor(x: Any) -> bool:
    return isinstance(x, torch.Tensor)


class _Differentiated:
    """A function with the arguments by which it is differentiated, as an inner program.

    Attributes
    ----------
    program, kept, made
        The program, what it takes from outside, and the example's result.
    values
        The values of the arguments.
    """

    def __init__(self, recorder: Recorder, func: Any, argnums: Any, args: Any, options: Any, what: str) -> None:
        chosen = list(range(len(args))) if argnums is None else [argnums] if isinstance(argnums, int) else list(argnums)
        flat, spec = pytree.tree_flatten([args[i] for i in chosen])
        places = [i for i, x in enumerate(flat) if _is_tensor(x)]

        def call(given: Sequence[Any]) -> Any:
            filled, everything = list(flat), list(args)
            for place, x in zip(places, given, strict=True):
                filled[place] = x
            for place, x in zip(chosen, pytree.tree_unflatten(filled, spec), strict=True):
                everything[place] = x
            return func(*everything, **options)

        tensors = [flat[i] for i in places]
        self.program, self.kept, self.made = _program(recorder, call, tensors, what)
        self.values = [_known(recorder, x) for x in tensors]


def _grad_and_value(func: Any, argnums: Any, has_aux: bool, args: Any, options: Any) -> Any:
    recorder = _recorder()
    original = _ORIGINALS[eager_transforms, "grad_and_value_impl"]
    if recorder is None:
        return original(func, argnums, has_aux, args, options)
    with _silently():
        result = original(func, argnums, has_aux, args, options)
    of = _Differentiated(recorder, func, argnums, args, options, "torch.func.grad")
    slopes, values = _tensors(result[0]), _tensors(result[1])
    _add(
        recorder, _no_function, "torch.func.pulled_back", (of.program, of.values, of.kept, None), {}, [*values, *slopes]
    )
    return result


def _vjp(func: Any, *primals: Any, argnums: Any = None, has_aux: bool = False) -> Any:
    recorder = _recorder()
    original = _ORIGINALS[eager_transforms, "_vjp_with_argnums"]
    if recorder is None:
        return original(func, *primals, argnums=argnums, has_aux=has_aux)
    made = func(*primals)
    value = made[0] if has_aux else made

    def pull_back(cotangents: Any, *others: Any, **options: Any) -> Any:
        def natively() -> Any:
            return original(func, *primals, argnums=argnums, has_aux=has_aux)[1](cotangents, *others, **options)

        now = _recorder()
        if now is None:
            return natively()
        with _silently():
            result = natively()
        of = _Differentiated(
            now, (lambda *xs: func(*xs)[0]) if has_aux else func, argnums, primals, {}, "torch.func.vjp"
        )
        with _silently():
            values = [x.clone() for x in _tensors(value)]
        weights = [_known(now, x) for x in _tensors(cotangents)]
        _add(
            now,
            _no_function,
            "torch.func.pulled_back",
            (of.program, of.values, of.kept, weights),
            {},
            [*values, *_tensors(result)],
        )
        return result

    return (value, pull_back, made[1]) if has_aux else (value, pull_back)


def _jvp(func: Any, primals: Any, tangents: Any, argnums: Any, *, strict: bool = False, has_aux: bool) -> Any:
    recorder = _recorder()
    original = _ORIGINALS[eager_transforms, "_jvp_with_argnums"]
    if recorder is None:
        return original(func, primals, tangents, argnums, strict=strict, has_aux=has_aux)
    with _silently():
        result = original(func, primals, tangents, argnums, strict=strict, has_aux=has_aux)
    if has_aux:
        raise untraceable("'torch.func.jvp' with has_aux=True is not shown to a graph; return the value alone")
    of = _Differentiated(recorder, func, argnums, primals, {}, "torch.func.jvp")
    directions = [_known(recorder, x) for x in _tensors(tangents)]
    made = [*_tensors(result[0]), *_tensors(result[1])]
    _add(recorder, _no_function, "torch.func.pushed_forward", (of.program, of.values, of.kept, directions), {}, made)
    return result


# --- torch.autograd.grad


def _gradients(recorder: Recorder, args: Any, options: Any) -> Any:
    """Write `torch.autograd.grad` down as the derivative of the calls that lead from its inputs to its outputs."""
    result = torch.autograd.grad(*args, **options)
    bound = inspect.signature(torch.autograd.grad).bind(*args, **options).arguments
    outputs, inputs = _tensors(bound["outputs"]), _tensors(bound["inputs"])
    if bound.get("is_grads_batched"):
        raise untraceable(
            "'torch.autograd.grad' with is_grads_batched=True is not shown to a graph; use torch.func.vjp"
        )
    starts = [_known(recorder, x) for x in inputs]
    inner = _between(recorder.recording, starts, [_known(recorder, x) for x in outputs])
    kept = _free(inner)
    written = {value.memory for step in recorder.recording.steps for value in step.writes} - {None}
    if any(value.memory in written for value in kept):
        raise untraceable("'torch.autograd.grad' differentiates calls of a tensor that is written in place")
    inner.inputs = [*kept, *starts]
    weights = bound.get("grad_outputs")
    given = (
        [None if x is None else _known(recorder, x) for x in _listed(weights)]
        if weights is not None
        else [None] * len(outputs)
    )
    with torch.no_grad():
        values = [x.detach().clone() for x in outputs]
    _add(recorder, _no_function, "torch.func.pulled_back", (inner, starts, kept, given), {}, [*values, *result])
    return result


def _listed(x: Any) -> list[Any]:
    return list(x) if isinstance(x, (tuple, list)) else [x]


def _between(recording: Recording, starts: Sequence[Value], ends: Sequence[Value]) -> Recording:
    """Return the calls that lead from some values to others, in their order."""
    reached, memories = set(starts), {value.memory for value in starts} - {None}
    forward = []
    for step in recording.steps:
        depends = not reached.isdisjoint(step.inputs) or not memories.isdisjoint(v.memory for v in step.writes)
        if depends and not all(value in starts for value in step.outputs):
            reached.update(step.outputs)
            if step.writes:
                memories |= {value.memory for value in step.writes} - {None}
            forward.append(step)
        elif step.name.endswith("_set_grad_enabled"):
            forward.append(step)
    wanted, written, kept = set(ends), {value.memory for value in ends} - {None}, []
    for step in reversed(forward):
        writes = any(value.memory in written for value in step.writes)
        if step.name.endswith("_set_grad_enabled") or writes or not wanted.isdisjoint(step.outputs):
            kept.append(copy.copy(step))
            wanted.update(step.inputs)
            written |= {value.memory for value in [*step.inputs, *step.outputs]} - {None}
    found = Recording()
    found.steps, found.inputs, found.outputs = kept[::-1], list(starts), list(ends)
    return found


# --- tensors made of other objects


def _making(name: str) -> Callable[..., Any]:
    """Return a function that makes a tensor and notes it, for one of torch that shows no call."""

    def making(*args: Any, **options: Any) -> Any:
        result = _ORIGINALS[torch, name](*args, **options)
        recorder = _recorder(for_transpiling=False)
        return result if recorder is None or _tensors((args, options)) else recorder.made_outside(result)

    return making


class _Constructor(type):
    """The metaclass of stand-ins for constructors such as `torch.FloatTensor`."""

    original: Any

    def __call__(cls, *args: Any, **options: Any) -> Any:
        result = cls.original(*args, **options)
        recorder = _recorder(for_transpiling=False)
        return result if recorder is None or _tensors((args, options)) else recorder.made_outside(result)

    def __instancecheck__(cls, instance: Any) -> bool:
        return isinstance(instance, cls.original)


def _constructor(name: str) -> tuple[Any, str, Any]:
    return torch, name, _Constructor(name, (), {"original": getattr(torch, name)})


def _present(*wanted: tuple[Any, str, Any]) -> dict[tuple[Any, str], Any]:
    """Return the replacements for functions that this version of torch has."""
    return {(owner, name): made for owner, name, made in wanted if hasattr(owner, name)}


_REPLACED = _present(
    *([(apis, "vmap_impl", _mapped)] if hasattr(vmap, "_process_batched_inputs") else []),
    (eager_transforms, "grad_and_value_impl", _grad_and_value),
    (eager_transforms, "_vjp_with_argnums", _vjp),
    (eager_transforms, "_jvp_with_argnums", _jvp),
    *((torch, name, _making(name)) for name in ("from_numpy", "frombuffer", "from_dlpack")),
    *(_constructor(f"{kind}Tensor") for kind in "Bool Byte Char Double Float Half Int Long Short".split()),
)
_ORIGINALS = {(owner, name): getattr(owner, name) for owner, name in _REPLACED}
