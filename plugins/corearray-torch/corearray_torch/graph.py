"""The native calls of a program, as torch's function mode shows them."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import partial
from typing import Any

import torch
from torch.overrides import TorchFunctionMode, get_overridable_functions, resolve_name

from corearray import TracingError
from corearray.plugin import (
    Recording,
    Step,
    Value,
    hookimpl,
    is_typed_number,
    leaves,
    refuse_read,
    replaced,
    untraceable,
)
from corearray_torch.aten import public_call
from corearray_torch.canonical import WIDENING, canonical, is_integer, spellings

writing: ContextVar[Recorder | None] = ContextVar("corearray_torch.graph.recorder", default=None)


#: The path of the module at work, innermost last, while `with_buffers` of `modules.py` runs a module; and the tensors that
#: it holds, which were there before.
modules: ContextVar[list[str]] = ContextVar("corearray_torch.graph.modules")
held: ContextVar[dict[int, Any]] = ContextVar("corearray_torch.graph.held")


def at_work() -> Recorder | None:
    """Return what writes the calls of the program that runs down; torch's compiler need not ask."""
    return None if torch.compiler.is_dynamo_compiling() else writing.get()


#: What tells something of a tensor and nothing of its elements, beside attributes.
_FACTS = frozenset(
    "__dlpack_device__ __len__ __repr__ _has_compatible_shallow_copy_type _is_view data_ptr dense_dim device dim "
    "element_size get_device is_complex is_conj is_contiguous is_floating_point is_inference is_neg is_same_size is_set_to "
    "is_shared is_signed is_tensor ndimension nelement numel result_type size storage_offset stride type "
    "untyped_storage".split()
)

#: Functions of which the shape of the result depends on elements.
_SHAPED_BY_ELEMENTS = frozenset(
    "arange argwhere bincount masked_select nonzero nonzero_static one_hot repeat_interleave unique unique_consecutive".split()
)

#: Assertions, of which a graph keeps nothing: the arguments of its making have passed them.
_ASSERTIONS = frozenset("_assert _assert_async _assert_scalar _assert_tensor_metadata _functional_assert_async".split())

#: After so many searches for a tensor among the youngest objects, all that were there before are listed once.
_SEARCHES = 8

#: Methods that change something although their name says so to nobody.
_EFFECTS = frozenset("backward register_hook retain_grad set_rng_state manual_seed".split())

#: Functions that take sizes, which may be tensors.
_SIZED = frozenset(
    "as_strided expand narrow new_empty new_ones new_zeros pad repeat reshape roll split tensor_split tile unflatten "
    "view".split()
)

#: Functions that take sizes alone.
_FILLED = frozenset("empty full ones rand randn zeros".split())

#: Functions that read lengths or sizes of batches, in their second argument.
_READ_LENGTHS = frozenset("_pack_padded_sequence _pad_packed_sequence gru lstm rnn_relu rnn_tanh".split())

#: Views that are not the same as another of the same elements: for derivatives, or where those of an argument lie otherwise.
_NO_ALIASES = frozenset("as_strided contiguous data detach view_as".split())


@hookimpl
def traced_calls(function: Any, natives: Any) -> Any:
    from corearray_torch.programs import replaced_functions  # which imports this module

    with replaced_functions():
        return record(function, natives, {})


def record(function: Any, natives: Any, instead: Mapping[Any, Callable[..., Any]]) -> Any:
    """Return the calls of a program; `instead` has functions of the recorder and the arguments that record calls of others."""
    recorder = Recorder(instead)
    copies = [x.detach().clone(memory_format=torch.preserve_format).requires_grad_(x.requires_grad) for x in natives]
    recorder.recording.inputs = [recorder.new(x) for x in copies]
    recorder.given = set(recorder.recording.inputs)
    collects = gc.isenabled()
    gc.collect(0)
    gc.disable()  # so that the youngest generation is what the program makes
    token = writing.set(recorder)
    try:
        with recorder:
            outputs = [recorder.own(x) for x in function(copies)]
        recorder.recording.outputs = [recorder.known(x) for x in outputs]
    except TypeError as error:
        if recorder.refused is None or isinstance(error, TracingError):
            raise
        raise recorder.refused from None  # operators of torch replace it by an error of their own
    finally:
        writing.reset(token)
        if collects:
            gc.enable()
    for step in recorder.last.values():
        step.options.pop("retain_graph", None)
    if any(step.name.endswith("_set_grad_enabled") for step in recorder.recording.steps):
        recorder.recording.prepared = restoring_grad_mode
    return recorder.recording


#: What touches files, or the ways in which objects are stored.
_UNSAFE = ("torch.from_file", "torch.Tensor.__reduce", "torch.Tensor.__setstate__", "torch.Tensor.share_memory_")


#: Functions that make tensors of none, which torch does not count among those that others may override.
_MAKERS = (
    "arange as_tensor asarray bartlett_window blackman_window empty empty_strided eye full hamming_window hann_window "
    "kaiser_window linspace logspace ones rand randint randn randperm scalar_tensor tensor tril_indices triu_indices zeros"
).split()


@hookimpl
def graph_names() -> Any:
    names: dict[str, Any] = {}
    for functions in get_overridable_functions().values():
        for function in functions:
            name = _named(function)
            if not name.startswith(_UNSAFE):
                names[name] = function
    names |= spellings()
    names |= {f"torch.{name}": getattr(torch, name) for name in _MAKERS}
    names |= {f"torch.fft.{name}": getattr(torch.fft, name) for name in ("fftfreq", "rfftfreq")}
    names |= {
        f"torch.Tensor.{name}": getattr(torch.Tensor, name) for name in dir(torch.Tensor) if name.startswith("new_")
    }
    functional = torch.nn.functional
    names |= {f"torch.nn.functional.{name}": getattr(functional, name) for name in ("hardsigmoid", "hardswish")}
    names |= {
        f"torch._C._nn.{name}": value for name, value in vars(torch._C._nn).items() if type(value) is type(torch.add)
    }
    names |= {"torch.autograd.grad": torch.autograd.grad, "torch._C._set_grad_enabled": torch._C._set_grad_enabled}
    kinds = (torch.dtype, torch.memory_format, torch.layout)
    names |= {str(value): value for value in vars(torch).values() if isinstance(value, kinds)}
    names |= {f"torch.{kind.__name__}": kind for kind in (torch.Tensor, torch.Size, torch.device)}
    path = f"{__name__}.{restoring_grad_mode.__name__}"
    return names | {"torch.nn.Parameter": torch.nn.Parameter, path: restoring_grad_mode}


def restoring_grad_mode(run: Callable[..., Any]) -> Callable[..., Any]:
    """Leave it as it was whether torch records derivatives."""

    def restoring(*natives: Any) -> Any:
        with torch.set_grad_enabled(torch.is_grad_enabled()):
            return run(*natives)

    return restoring


class Recorder(TorchFunctionMode):
    """Makes every call and writes it down."""

    def __init__(self, instead: Mapping[Any, Callable[..., Any]]) -> None:
        super().__init__()
        self.instead = instead
        self.recording = Recording()
        self.values: dict[int, tuple[Value, Any]] = {}  # with the tensors, so that none takes the place of another
        self.given: set[Value] = set()
        self.shapeless: set[Value] = set()
        self.fixed: set[Value] = set()  # made of no tensor that may be another in the next call
        self.aliases: dict[Any, tuple[Value, Any]] = {}
        self.widened: dict[Value, Value] = {}  # integers in int64, by what they were before
        self.depth = 0
        self.last: dict[Any, Step] = {}
        self.context = _context()
        self.records_gradients = torch.is_grad_enabled()
        self.searches = 0
        self.older: set[int] | None = None
        self.refused: TracingError | None = None

    @contextmanager
    def derivative(self) -> Iterator[None]:
        """Say that a program within is differentiated."""
        self.depth += 1
        try:
            yield
        finally:
            self.depth -= 1

    def backward(self, leaves: list[Any]) -> None:
        """Note that gradients were just computed on the tape of these leaves, which after the last time is not needed."""
        self.last[tuple(map(id, leaves))] = self.recording.steps[-1]

    @property
    def for_transpiling(self) -> bool:
        """Whether the recording is for transpiling: its calls are run by rules, and may take inner programs."""
        return bool(self.instead)

    @property
    def derivatives_of_derivatives(self) -> bool:
        """Whether what is computed with derivatives may be differentiated in turn."""
        outside = [x for value, x in self.values.values() if value.constant is not None or value in self.given]
        return self.depth > 0 or any(x.requires_grad for x in outside)

    def new(self, x: Any) -> Value:
        """Return a new value for a tensor."""
        value = Value(x.shape, str(x.dtype).removeprefix("torch."), _memory(x))
        self.values[id(x)] = value, x
        return value

    @property
    def differentiated(self) -> bool:
        """True once the program has called `backward`."""
        return any(step.name.endswith(".backward") for step in self.recording.steps)

    def made_outside(self, x: Any) -> Any:
        """Note a tensor that was made of NumPy's arrays or by a constructor: a copy of a constant, which may be written."""
        with torch._C.DisableTorchFunction():
            constant = x.detach().clone()
            value = self.new(constant)
            value.constant, value.literal = constant, True
            step = Step(torch.clone, "torch.clone", (value,), {}, self.new(x))
        step.place, path = _place_of_user(), modules.get([])
        step.module = path[-1] if path else ""
        self.recording.add(step)
        self.fixed.update((value, step.results))
        return x

    def known(self, x: Any) -> Value:
        """Return the value of a tensor, a constant if it was there before the program began."""
        found = self.values.get(id(x))
        if found is not None:
            return found[0]
        if not self._was_there(x):
            self.refused = untraceable(
                "a tensor appears that no call has made which torch shows, as by torch.Tensor([1.0]), for which there is "
                "torch.tensor, or within torch.func; a graph cannot follow it"
            )
            raise self.refused
        value = self.new(x)
        value.constant = x
        return value

    def _was_there(self, x: Any) -> bool:
        """Whether a tensor is older than this recording: the collector rests, so that what is made stays in generation 0."""
        if id(x) in held.get({}):
            return True
        self.searches += 1
        if self.searches > _SEARCHES:
            if self.older is None:
                older = (gc.get_objects(generation=1), gc.get_objects(generation=2))
                self.older = {
                    id(one) for generation in older for one in generation if issubclass(type(one), torch.Tensor)
                }
            if id(x) in self.older:
                return True
        # `gc.freeze` moves objects out of all generations.
        return not any(x is made for made in gc.get_objects(generation=0))

    def own(self, x: Any) -> Any:
        """Return a result in memory that no constant has: who writes into it must not change the graph."""
        memory = self.known(x).memory
        kept = {value.memory for value, _ in self.values.values() if value.constant is not None} - {None}
        return x.clone() if memory in kept else x

    def __torch_function__(self, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        options = kwargs or {}
        if function in self.instead:
            return self.instead[function](self, args, options)
        wrapped = next((type(x) for x in leaves((args, options)) if hasattr(type(x), "_native")), None)
        if wrapped is not None:  # an array of corearray's, given to a function of torch
            return wrapped.__torch_function__(partial(self._recorded, function), types, args, options)
        function, name, args, options = public_call(function, _named(function), args, options)
        if name.rpartition(".")[2] in _ASSERTIONS:
            return function(*args, **options)
        if name.rpartition(".")[2] == "as_strided":
            args = (self._dense(args[0]), *args[1:])
        short = name.split(".")[-2] if name.endswith(".__get__") else name.rpartition(".")[2]
        tensors = [x for x in leaves((args, options)) if isinstance(x, torch.Tensor)]
        inputs = {id(x): self.known(x) for x in tensors}
        if short in ("requires_grad", "grad_fn", "is_leaf"):
            self.recording.asked.add("requires_grad")
        self._refuse_unknown_shapes(name, short, inputs)
        if short in _SIZED and len(tensors) > 1:
            args, options = (args[0], *self._numbers(name, args[1:])), self._numbers(name, options)
            tensors = [x for x in leaves((args, options)) if isinstance(x, torch.Tensor)]
        elif short in _FILLED and tensors:
            args, options = self._numbers(name, args), self._numbers(name, options)
            tensors = [x for x in leaves((args, options)) if isinstance(x, torch.Tensor)]
        lengths = self._lengths(name, short, args) if self.for_transpiling else None
        if self.context != _context():
            raise untraceable("torch's seed or its autocasting is set within the function; a graph would not do so")
        before = [_version(x) for x in tensors], _states((args, options))
        # `module.to(dtype)` gives a parameter itself, and `w.data *= 2` its own memory, which was written before.
        unchanged = name == "torch.Tensor.data.__set__" and _place(args[0])[:-1] == _place(args[1])[:-1]
        result = function(*args, **options)
        if short == "_base" and id(result) in self.values:
            return result  # the owner of a view's memory, which the graph knows already
        if short == "requires_grad_" and inputs[id(args[0])] not in self.given:
            inputs[id(args[0])].memory = object()  # a leaf of its own, although its elements are kept elsewhere
            self.new(args[0]).memory = object()
        if short == "contiguous" and result is args[0]:
            result = result.view_as(result)  # for arguments that lie otherwise it is a copy
        random = before[1] != _states((args, options))
        self.context = _context()
        written = {
            id(x)
            for i, (x, version) in enumerate(zip(tensors, before[0], strict=True))
            if _version(x) != version or (i == 0 and short.endswith("_") and not short.endswith("__"))
        } | {id(x) for x in _statistics(name, args, options)}
        from_outside = isinstance(result, torch.Tensor) and (not tensors or short == "new_tensor")
        if from_outside and any(map(_is_foreign, leaves((args, options)))):
            return self.made_outside(result)
        parts = tuple(result) if isinstance(result, tuple) else result  # torch's named ones are no trees
        made = [x for x in leaves(parts) if isinstance(x, torch.Tensor)]
        if name == "torch.Tensor.data.__set__" and unchanged:
            return result
        effect = (
            random
            or short in _EFFECTS
            or name.endswith(("__set__", "__delete__"))
            or (name.endswith(".grad.__get__") and (result is not None or self.differentiated))
            or (not tensors and result is None)
        )
        if not (made or written or effect):
            if result is not NotImplemented:
                self._refuse_elements(name, short, inputs)
            return result
        for x in written:
            if inputs[x].constant is not None:
                raise untraceable(f"'{name}' writes into a tensor that is no argument of the function; make it one")
        called, called_name, *said = canonical(function, name, args, options)
        arguments, keywords = replaced(said, lambda x: inputs.get(id(x), x.tolist() if is_typed_number(x) else x))
        if lengths is not None:
            arguments = (arguments[0], lengths, *arguments[2:])
        if called_name in WIDENING and not keywords:
            arguments = (self.widened.get(arguments[0], arguments[0]), *arguments[1:])
        fixed = not random and all(value in self.fixed or value.literal for value in inputs.values())
        results = replaced(parts, lambda x: self._result(x) if isinstance(x, torch.Tensor) else None)
        if called_name == "torch.Tensor.to" and not keywords and said[0][1:] == (torch.int64,) and is_integer(args[0]):
            self.widened[results] = arguments[0]
        writes = [inputs[x] for x in written]
        if fixed:
            self.fixed.update(self.values[id(x)][0] for x in made)
        elif lengths is not None and short.startswith("_pa"):
            self.fixed.add(self.values[id(made[1])][0])  # follows from the lengths
        elif writes:
            memories = {value.memory for value in writes}
            self.fixed = {value for value in self.fixed if value.memory not in memories}
        step = Step(called, called_name, arguments, keywords, results, effect=effect, writes=writes)
        step.place, path = _place_of_user(), modules.get([])
        step.module = path[-1] if path else ""
        if name.endswith("_set_grad_enabled"):
            self.records_gradients = bool(args[0])
        elif self.records_gradients and not torch.is_grad_enabled():
            self._note_hidden_gradients(step.place)
        if type(result) is torch.Tensor and not (effect or writes):
            step.same = self._same(short, result, results, tensors)
        self.recording.add(step)
        if _is_shaped_by_elements(short, args, options) or any(value in self.shapeless for value in inputs.values()):
            unsized = [self.values[id(x)][0] for x in made if x.ndim]
            self.shapeless.update(unsized)
            if self.for_transpiling:
                for value in unsized:
                    value.shape = (None,) * len(value.shape)
        return result

    def _note_hidden_gradients(self, place: str) -> None:
        """Note a call whose gradient torch takes from elsewhere: no call has switched gradients off, and yet they are."""
        what = "are zero within torch.inference_mode"
        if not torch.is_inference_mode_enabled():
            what = "are those of the backward of a torch.autograd.Function"
        self.recording.notes[f"gradients of the calls at {place} {what} in torch, and those of the calls here"] = None

    def _recorded(self, function: Any, *args: Any, **options: Any) -> Any:
        return self.__torch_function__(function, (), args, options)

    def _same(self, short: str, result: Any, value: Value, tensors: list[Any]) -> Value | None:
        """Return an earlier value of the same elements in the same places, which a view of it is."""
        if not any(value.memory == self.known(x).memory for x in tensors) or value.memory is None:
            return None
        if short in _NO_ALIASES:
            if short in ("as_strided", "contiguous"):  # which depend on how the elements of an argument lie
                self.aliases[_place(result)] = value, result
            return None
        for x in (*tensors, result):
            known = self.aliases.setdefault(_place(x), (self.known(x), x))
        return known[0] if known[1] is not result else None

    def _result(self, x: Any) -> Value:
        found = self.values.get(id(x))
        return self.new(x) if found is None else found[0]

    def _refuse_unknown_shapes(self, name: str, short: str, inputs: dict[int, Value]) -> None:
        if short in ("shape", "size", "numel", "nelement", "__len__") and any(
            value in self.shapeless and not (value.literal or value in self.fixed) for value in inputs.values()
        ):
            refuse_read(f"'{name}' reads a shape that depends on elements; a graph would keep the shape of this run")

    def _dense(self, x: Any) -> Any:
        """Return a tensor with its axes in the order of memory, which the strides given to `as_strided` count."""
        if x.is_contiguous():
            return x
        order = sorted(range(x.ndim), key=lambda i: -x.stride(i))
        if not x.permute(order).is_contiguous():
            raise untraceable(
                "'as_strided' of a tensor with gaps in memory reads elements of another one; call contiguous() before"
            )
        return self.__torch_function__(torch.permute, (), (x, order))

    def _numbers(self, name: str, arguments: Any) -> Any:
        """Return arguments with numbers in place of integer tensors without axes, which torch reads as sizes."""

        def number(x: Any) -> Any:
            if not isinstance(x, torch.Tensor) or x.ndim or x.is_floating_point() or x.is_complex():
                return x
            self._refuse_elements(name, name.rpartition(".")[2], {id(x): self.known(x)})
            with torch._C.DisableTorchFunction():
                return int(x)

        return replaced(arguments, number)

    def _lengths(self, name: str, short: str, args: Any) -> list[int] | None:
        """Return the lengths or sizes of batches that a function of packed sequences reads."""
        x = args[1] if short in _READ_LENGTHS and len(args) > 1 else None
        if not isinstance(x, torch.Tensor) or x.is_floating_point():
            return None
        self._refuse_elements(name, short, {id(x): self.known(x)})
        with torch._C.DisableTorchFunction():
            return x.tolist()

    def _refuse_elements(self, name: str, short: str, inputs: dict[int, Value]) -> None:
        if name.endswith("__get__") or short in _FACTS:
            return
        if all(value.literal or value in self.fixed for value in inputs.values()):
            return
        refuse_read(
            f"'{name}' reads elements of a tensor, and a graph would keep those of this run; use functions of arrays such as "
            "where in place of Python's if, while and x.item(), or compute it outside and pass it in"
        )


def _is_foreign(x: Any) -> bool:
    """Return whether a tensor can be made of an object of another library, such as an array or a number of NumPy."""
    return not isinstance(x, (torch.Tensor, str)) and any(
        hasattr(x, name) for name in ("__array__", "__array_interface__", "__dlpack__")
    )


#: The parameters of functions that write running statistics and leave the version counters of the tensors alone.
_STATISTICS = {
    "torch.nn.functional.batch_norm": ("running_mean", "running_var", "training", (1, 2, 5), False),
    "torch.nn.functional.instance_norm": ("running_mean", "running_var", "use_input_stats", (1, 2, 5), True),
    "torch.batch_norm": ("running_mean", "running_var", "training", (3, 4, 5), False),
    "torch.instance_norm": ("running_mean", "running_var", "use_input_stats", (3, 4, 5), True),
}


def _statistics(name: str, args: Any, options: Any) -> list[Any]:
    """Return the running statistics into which a call writes."""
    if name not in _STATISTICS:
        return []
    mean, var, training, places, default = _STATISTICS[name]

    def given(key: str, place: int, otherwise: Any = None) -> Any:
        return args[place] if place < len(args) else options.get(key, otherwise)

    found = [given(mean, places[0]), given(var, places[1])]
    return [x for x in found if x is not None] if given(training, places[2], default) else []


#: Where torch's own code is, and that of the standard library and of corearray, which no user wrote.
_OWN_CODE = (torch.__path__[0], "<")


def _place_of_user() -> str:
    """Return the file and line outside of torch and corearray from which a call came; empty if there is none."""
    frame = sys._getframe(2)
    while frame is not None:
        name = frame.f_globals.get("__name__") or ""
        file = frame.f_code.co_filename
        if not file.startswith(_OWN_CODE) and not name.startswith(("corearray.", "corearray_")):
            return f"{file}:{frame.f_lineno}"
        frame = frame.f_back
    return ""


def _is_shaped_by_elements(name: str, args: Any, options: Any) -> bool:
    if name == "__getitem__":
        return any(isinstance(x, torch.Tensor) and x.dtype in (torch.bool, torch.uint8) for x in leaves(args[1]))
    if name == "where":
        return len(args) == 1
    if name == "repeat_interleave":
        return any(isinstance(x, torch.Tensor) for x in (*args[1:], *options.values()))
    return name in _SHAPED_BY_ELEMENTS and any(isinstance(x, torch.Tensor) for x in leaves((args, options)))


def _place(x: Any) -> Any:
    return x.data_ptr(), x.shape, x.stride(), x.dtype, x.is_conj(), x.is_neg(), x.requires_grad


def _memory(x: Any) -> Any:
    try:
        return x.untyped_storage().data_ptr() or None
    except (NotImplementedError, RuntimeError):
        return None


def _version(x: Any) -> Any:
    return None if x.is_inference() else x._version


def _context() -> Any:
    try:
        state = torch.default_generator.get_state().numpy().tobytes()
    except RuntimeError:
        raise untraceable(
            "a transform of torch.func is at work, whose calls torch does not show to a graph; transform the graph instead"
        ) from None
    return state, torch.is_autocast_enabled(), torch.is_autocast_enabled("cpu")


def _states(arguments: Any) -> list[bytes]:
    """Return the states of the generators from which a call may draw."""
    generators = [torch.default_generator, *(x for x in leaves(arguments) if isinstance(x, torch.Generator))]
    if torch.cuda.is_initialized():
        generators += torch.cuda.default_generators
    return [generator.get_state().numpy().tobytes() for generator in generators]


#: The class that holds the functions of `torch`, by which those are named that `torch.overrides` does not list.
_PRIVATE = "_VariableFunctionsClass"


def _named(function: Any) -> str:
    """Return where a function is found."""
    name = resolve_name(function) or getattr(function, "__qualname__", type(function).__name__)
    if "." not in name and getattr(function, "__module__", None):
        name = f"{function.__module__}.{name}"
    place, _, last = name.rpartition(".")
    if place == _PRIVATE and getattr(torch, last, None) is function:  # as torch._grouped_mm
        name = f"torch.{last}"
    return str(name)
