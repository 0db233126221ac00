"""Derivatives, mapping over an axis, and compiling."""

from __future__ import annotations

import warnings
from contextlib import nullcontext
from functools import cache, partial, wraps
from operator import attrgetter
from types import FunctionType, ModuleType
from typing import Any

import torch
from torch.autograd import forward_ad
from torch.overrides import has_torch_function
from torch.utils.checkpoint import checkpoint

from corearray.plugin import depends_on_other_leaves, hookimpl
from corearray_torch.graph import Recorder, at_work, writing
from corearray_torch.native import followed, trace_instead, transforming


@hookimpl
def compiled_function(function: Any, static_argnums: Any, static_argnames: Any, dynamic: bool, options: Any) -> Any:
    """Compile; torch takes what is no tensor for constant by itself, and compiles again for other values.

    Where a program is left to Python in between, torch reads it again from the start, and must find what it found. What was
    composed meanwhile is found ready, so that it has to begin anew, each time with more of it.
    """
    if hasattr(torch.compiler, "skip_guard_on_globals_unsafe") and options.get("mode") is None:
        options = {**options, "options": {"guard_filter_fn": _looked_at, **(options.get("options") or {})}}
    compiled = torch.compile(function, dynamic=dynamic, **options)

    @wraps(function)
    def call(*args: Any, **keywords: Any) -> Any:
        while True:
            try:
                return compiled(*args, **keywords)
            except AssertionError as error:
                if type(error).__name__ != "SpeculationLogDivergence":
                    raise

    return call


def _looked_at(guards: Any) -> list[bool]:
    """Tell of each thing that torch would look at before a call whether it has to: what corearray is made of stays.

    A guard has the name of what it looks at, written as the way there from an argument or a global variable. What lies
    beyond a module, class or function of corearray is left out, up to what is the user's again. It is most of a program,
    and takes longer to look at than small arrays to compute with.
    """
    for guard in guards:
        # a new tensor each time, which torch compares with the one before
        if guard.name.startswith("___from_numpy(") or ".saved_tensors[" in guard.name:
            guard.orig_guard.obj_weakref = None
    owners = {guard.name: _is_own(guard.value) for guard in guards if guard.has_value and guard.name}
    owners = {name: own for name, own in owners.items() if own is not None}
    by_length = sorted(owners, key=len, reverse=True)

    def kept(guard: Any) -> bool:
        if owners.get(guard.name) and guard.guard_type == "NOT_PRESENT_IN_GENERIC_DICT":  # what something has not
            return False
        return not next((owners[owner] for owner in by_length if _leads_through(guard.name, owner)), False)

    return [kept(guard) for guard in guards]


def _leads_through(name: str, owner: str) -> bool:
    """Whether the way to something leads through something else: `list(ca.f.__defaults__)[0]` through `ca.f`."""
    place = name.find(owner)
    while place >= 0:
        before, behind = name[place - 1 : place], name[place + len(owner) : place + len(owner) + 1]
        if behind in (".", "[") and not (before.isalnum() or before in ("_", ".")):
            return True
        place = name.find(owner, place + 1)
    return False


_OWN = frozenset({"corearray", "corearray_torch"})


def _is_own(value: Any) -> bool | None:
    """Whether something is a part of corearray that never changes, or of something else; `None` for what may be either.

    A function with cells may hold what is the user's.
    """
    if isinstance(value, ModuleType):
        home = value.__name__
    elif isinstance(value, dict) and "__package__" in value:  # the variables of functions that were written as text
        home = value["__package__"]
    elif isinstance(value, (FunctionType, type)):
        home = value.__module__
        if str(home).partition(".")[0] in _OWN and getattr(value, "__closure__", None):
            return None
    else:
        home = type(value).__module__
        if home == "corearray.random.programs":  # the generators of a call, which advance
            return False
        return True if home in ("corearray.arrays.kind", "corearray.backends.backend") else None
    return str(home).partition(".")[0] in _OWN


@hookimpl
def compiled_composition(name: str, call: Any) -> Any:
    if name != "random_words_of_program" or not hasattr(torch.library, "custom_op"):
        return None
    from corearray_torch.random_words import words_by_operator  # registers operators of torch

    return words_by_operator(call)


@hookimpl
def custom_gradient(function: Any, pull_back: Any, natives: Any) -> Any:
    """Make a class for the call; what is returned as it was given would be no result of it."""

    class Computed(torch.autograd.Function):
        generate_vmap_rule = True

        @staticmethod
        def forward(*natives: Any) -> Any:
            return tuple(y.clone() if any(y is x for x in natives) else y for y in function(natives))

        @staticmethod
        def setup_context(context: Any, inputs: Any, output: Any) -> None:
            context.save_for_backward(*inputs, *output)

        @staticmethod
        def backward(context: Any, *cotangents: Any) -> Any:
            saved = context.saved_tensors
            return tuple(pull_back(saved[: len(natives)], saved[len(natives) :], cotangents))

    return Computed.apply(*natives)


#: Programs that were called before, of which all functions are composed.
_composed: set[Any] = set()


@hookimpl
def rematerialized(function: Any, natives: Any, program: Any) -> Any:
    """Let the tape keep the arguments; torch's transforms have none, and a graph shows what is computed.

    torch compares the tensors that the second pass keeps with those of the first. The first call of a program composes
    functions, by other calls than later ones, so that a program that is new is called once before.
    """
    if transforming() or at_work() is not None or not torch.is_grad_enabled():
        return function(natives)
    if program not in _composed:
        with torch.no_grad():
            function(natives)
        if len(_composed) >= _PROGRAMS:
            _composed.clear()
        _composed.add(program)
    return checkpoint(lambda *natives: tuple(function(natives)), *natives, use_reentrant=False)


#: How many programs are remembered; their structures hold no arrays.
_PROGRAMS = 1000


@hookimpl
def descended(natives: Any, directions: Any, rate: float, constant: bool) -> Any:
    within = transforming()
    if within or writing.get() is not None:  # which know of one call for each, and not of one for all
        found = [torch.sub(x, direction, alpha=rate) for x, direction in zip(natives, directions, strict=True)]
        return [x.detach() for x in found] if constant else found
    return _descended_at_once(natives, directions, rate, constant)


def _descended_at_once(natives: Any, directions: Any, rate: float, constant: bool) -> Any:
    found = torch._foreach_sub(natives, directions, alpha=rate)
    return [x.detach() for x in found] if constant and _any_follows(found) else found


trace_instead(descended, _descended_at_once)


@hookimpl(versions=">=2.4")
def adam_updated(columns: Any, numbers: Any, weight_decay: float, decoupled: bool) -> Any:
    """Update copies by torch's fused kernel, which reads memory once. It takes no strides and has no derivative."""
    if torch.compiler.is_compiling() or torch.jit.is_tracing() or transforming() or writing.get() is not None:
        return None
    parameters, gradients, *kept = columns
    count, rate, beta1, beta2, eps = numbers
    first = parameters[0]
    dtype, device = first.dtype, first.device
    if dtype not in _FUSED or device.type not in ("cpu", "cuda") or rate.device != device:
        return None
    taped = torch.is_grad_enabled()
    for column in columns:
        for x in column:
            if type(x) not in _PLAIN or x.dtype is not dtype or x.device != device or (taped and x.requires_grad):
                return None
    if not all(x.is_contiguous() for column in (parameters, *kept) for x in column):
        return None
    new, mean, square, *largest = [[x.detach().clone() for x in column] for column in (parameters, *kept)]
    steps = [count.to(torch.float32)] * len(new)
    call = torch._fused_adamw_ if decoupled else torch._fused_adam_
    call(
        new,
        [x.detach().contiguous() for x in gradients],
        mean,
        square,
        largest[0] if largest else [],
        steps,
        lr=rate,
        beta1=beta1,
        beta2=beta2,
        weight_decay=weight_decay,
        eps=eps,
        amsgrad=bool(largest),
        maximize=False,
    )
    return [new, mean, square, *largest]


#: What torch's fused optimisers are given here: half precision is computed with more digits by the composition.
_FUSED = frozenset({torch.float32, torch.float64})
_PLAIN = frozenset({torch.Tensor, torch.nn.Parameter})


_detached, _followed_from_here = torch.Tensor.detach, torch.Tensor.requires_grad_
_follows = attrgetter("requires_grad")


def _any_follows(tensors: Any) -> bool:
    """Whether the tape follows some tensors already."""
    return True in map(_follows, tensors)


# torch's tracer knows `any` of a list, and not of a generator.
trace_instead(_any_follows, lambda tensors: any([x.requires_grad for x in tensors]))  # noqa: C419


@hookimpl
def forward_mode(function: Any, primals: Any, tangents: Any) -> Any:
    recorder = at_work()
    if recorder is not None:
        return _forward_on_tape(recorder, function, primals, tangents)
    if not torch.compiler.is_compiling():
        _prepare()
        function = _uncompiled(function)
    return torch.func.jvp(_on_copies(function), (primals,), (tangents,), has_aux=True)


#: Returns what torch's compiler does with the next function that is called: `None` where it is not at work.
_at_next_call = getattr(torch._C._dynamo.eval_frame, "get_eval_frame_callback", lambda: None)


def _uncompiled(function: Any) -> Any:
    """Return a function that runs in Python where torch's compiler left its caller to Python.

    The compiler would compile the parts of the function. Torch differentiates such parts once, and not within its transforms.
    """
    return function if _at_next_call() is None else torch.compiler.disable(function)


@cache
def _prepare() -> None:
    """Let torch load its rules for forward mode, which it does at first use, with a warning that is for itself."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        with forward_ad.dual_level():
            forward_ad.make_dual(torch.zeros(()), torch.zeros(()))


def _reverse_by_transform(function: Any, primals: Any) -> Any:
    """Differentiate by torch's transforms, which all that is at work already knows."""
    if not torch.compiler.is_compiling():
        function = _uncompiled(function)
    outputs, pull_back, aux = torch.func.vjp(_on_copies(function), primals, has_aux=True)
    return outputs, aux, lambda cotangents: pull_back(cotangents or _ones(outputs))[0]


@hookimpl
def reverse_mode(function: Any, primals: Any) -> Any:
    """Differentiate by torch's tape, which takes half the time of its transforms, where these are not at work already."""
    recorder = writing.get()
    if recorder is not None:
        return _reverse_on_tape(recorder, function, primals)
    if transforming() or not torch.is_grad_enabled():
        return _reverse_by_transform(function, primals)
    held = _any_follows(primals)
    run = _uncompiled(function) if held or not function.once else function
    copies = [x.clone() if x.requires_grad else x.detach() for x in primals] if held else map(_detached, primals)
    leaves = list(map(_followed_from_here, copies))
    token = followed.set((*followed.get(), *leaves))
    try:
        outputs, aux = run(leaves)
    finally:
        followed.reset(token)
    again = held or depends_on_other_leaves([*outputs, *aux] if aux else outputs, leaves, _LEAF)
    if function.once:
        pulled = _gradients_of_number(outputs[0], leaves, again)
    else:
        pulled = partial(_pulled_back, outputs, leaves, again)
    if again:
        return list(outputs), aux, pulled
    return list(map(_detached, outputs)), list(map(_detached, aux)), pulled


trace_instead(reverse_mode, _reverse_by_transform)


def _pulled_back(outputs: Any, leaves: Any, again: bool, cotangents: Any) -> Any:
    return _gradients(outputs, leaves, cotangents, again or any(x.requires_grad for x in cotangents))


def _ones(outputs: Any) -> Any:
    return [torch.ones_like(x) for x in outputs]


def _on_copies(function: Any) -> Any:
    """Let a function write into its arguments, which in torch's transforms are the memory of those outside."""
    return lambda natives: function([x.clone() for x in natives])


with torch.inference_mode(False), torch.enable_grad():  # the plugin may be loaded within no_grad
    #: The type of the tape's last steps. Each adds the gradient to a tensor that was marked by `requires_grad`.
    _LEAF = type(torch.zeros((), requires_grad=True).view(()).grad_fn.next_functions[0][0])


def _reverse_on_tape(recorder: Recorder, function: Any, primals: Any) -> Any:
    """Differentiate by torch's tape, whose calls torch shows to a graph; those of its transforms it does not."""
    again = recorder.derivatives_of_derivatives
    with torch.enable_grad() if not torch.is_grad_enabled() else nullcontext():
        leaves = [(x.view_as(x) if x.requires_grad else x.detach()).requires_grad_() for x in primals]
        with recorder.derivative():
            outputs, aux = function(leaves)
    made = list(outputs)

    def pull_back(cotangents: Any) -> Any:
        return _gradients(made, leaves, cotangents or _ones(made), again, recorder)

    if again:
        return outputs, aux, pull_back
    return [x.detach() for x in outputs], [x.detach() if x.requires_grad else x for x in aux], pull_back


def _forward_on_tape(recorder: Recorder, function: Any, primals: Any, tangents: Any) -> Any:
    """Differentiate what pulls gradients back, which is linear in them, by them."""
    again = recorder.derivatives_of_derivatives
    with recorder.derivative():
        outputs, aux, pull_back = _reverse_on_tape(recorder, function, primals)
        cotangents = [torch.zeros_like(x).requires_grad_() for x in outputs]
        pulled = pull_back(cotangents)
    derivatives = _gradients(pulled, cotangents, tangents, again, recorder)
    if again:
        return outputs, derivatives, aux
    return [x.detach() for x in outputs], derivatives, [x.detach() if x.requires_grad else x for x in aux]


def _gradients(outputs: Any, leaves: Any, cotangents: Any, again: bool, recorder: Recorder | None = None) -> Any:
    pairs = [(x, cotangent) for x, cotangent in zip(outputs, cotangents, strict=True) if x.requires_grad]
    made: Any = [None] * len(leaves)
    if pairs:
        ends, starts = map(list, zip(*pairs, strict=True))
        made = torch.autograd.grad(ends, leaves, starts, retain_graph=True, create_graph=again, allow_unused=True)
        if recorder is not None and not again:
            recorder.backward(leaves)
    return _where_used(made, leaves)


#: What `torch.autograd.grad` calls when it has looked at its arguments, for which it takes as long as several layers.
_run_backward = getattr(getattr(torch.autograd.Variable, "_execution_engine", None), "run_backward", None)


def _gradients_of_number(output: Any, leaves: Any, again: bool) -> Any:
    """Return the gradients of one output without axes, once.

    On a CPU torch computes them in this thread, so that no other needs the context that `torch.autograd.grad` lays out.
    """
    if not leaves or not output.requires_grad:
        return [torch.zeros_like(x) for x in leaves]
    if _run_backward is not None and output.is_cpu and not has_torch_function((output, *leaves)):
        made = _run_backward((output,), (torch.ones_like(output),), again, again, tuple(leaves), True, False)
    else:
        made = torch.autograd.grad(output, leaves, retain_graph=again, create_graph=again, allow_unused=True)
    return made if type(None) not in map(type, made) else _where_used(made, leaves)


def _where_used(gradients: Any, leaves: Any) -> Any:
    """Put zeros for the gradients by leaves that play no part."""
    return [torch.zeros_like(x) if slope is None else slope for x, slope in zip(leaves, gradients, strict=True)]


@hookimpl
def stop_gradient(x: Any, /) -> Any:
    return x.detach().clone()


@hookimpl
def vectorized(function: Any, natives: Any) -> Any:
    if at_work() is not None:
        rows = [function([x[i].clone() for x in natives]) for i in range(len(natives[0]))]
        return [torch.stack(column) for column in zip(*rows, strict=True)]
    if not torch.compiler.is_compiling():
        function = _uncompiled(function)
    return torch.vmap(_on_copies(function))(natives)
