"""The contract between the core and its plugins, as a table of contents.

Three parts: the facts and the life cycle of a backend, every public function, every wrapper stage. A plugin offers
hookimpls for the first two, seldom for the third. pluggy collects and orders them when a function is composed; the
chosen function is then called directly.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from types import FunctionType, ModuleType
from typing import TYPE_CHECKING, Any

import pluggy

from corearray.functional import (  # isort: skip
    activations, alignment, attention, bitwise, channels, comparison, contraction, convolution, creation, data_type,
    decompositions, descriptive, diagonals, elementwise, exponential, fft, gathering, general, gradients, grids,
    indexing, interpolation, joining, layers, linalg, losses, manipulation, matrices, matrix_functions,
    nan_statistical, norms, numeric, padding, patches, polynomials, pooling, products, rearrangement, recurrent,
    reductions, regions, rounding, scattering, searching, sets, signal, similarity, sorting, special, spectral,
    splines, statistical, tensors, trigonometric, utility, windows,
)  # fmt: skip

if TYPE_CHECKING:
    from corearray.calls.binding import Binding, Call
    from corearray.contract.recording import Recording, Step

__all__ = ["FUNCTIONS", "hookspec"]

#: Marks a hook of this contract.
hookspec = pluggy.HookspecMarker("corearray")

# --- Part 1: facts and life cycle of a backend -----------------------------------------------------------------------


@hookspec(firstresult=True)
def array_types() -> tuple[type, ...]:
    """Return the native array types, the one that functions return first. Asked once, when the backend is loaded."""


@hookspec(firstresult=True)
def dtypes() -> dict[str, Any]:
    """Return the native dtypes by their names in the standard. Asked once, when the backend is loaded.

    `x.dtype` of a native array must be (equal to) one of them.
    """


@hookspec(firstresult=True)
def devices() -> Sequence[str]:
    """Return the names of the devices there are, the default one first, as `corearray.Device` reads them.

    Default: one CPU. Whoever implements this implements the four below it too.
    """


@hookspec(firstresult=True)
def native_device(name: str) -> Any:
    """Return the native device for a name of `devices()`, as the implementations get it in `device`."""


@hookspec(firstresult=True)
def device_name(device: Any) -> str:
    """Return the name of a native device. Called where a user passes a native device."""


@hookspec(firstresult=True)
def device_of(x: Any) -> str:
    """Return the name of the device of a native array; the default one's for an array that is being traced."""


@hookspec(firstresult=True)
def usual_device() -> Any:
    """Return the `device` that implementations get for a new array if nobody chose one.

    Implement it for a framework that keeps such arrays movable, so that they combine with arrays on any device. Default: the
    native device of the first name of `devices()`.
    """


@hookspec(firstresult=True)
def device_beside(x: Any) -> Any:
    """Return the `device` that implementations get for a new array beside a native one.

    `None` for an array that its framework moves to the other arrays of a call, or that lies on several devices. Calls that mix
    devices ignore such arrays. Default: the native device of `device_of(x)`.
    """


@hookspec(firstresult=True)
def is_layout(device: Any) -> bool:
    """Return true for a native object that spreads an array over devices; `device=` passes it on unchanged. Default: false."""


@hookspec(firstresult=True)
def move(x: Any, device: Any) -> Any:
    """Return the native array on another native device, or in a layout."""


@hookspec(firstresult=True)
def mesh(axes: Mapping[str, int]) -> Any:
    """Return the framework's own mesh of devices for sizes by name. Asked once for each `corearray.Mesh`.

    Raise a `ValueError` that names the remedy if there are too few devices. Leave it, and the two below, out for a framework
    that computes on one device.
    """


@hookspec(firstresult=True)
def placed_on(x: Any, mesh: Any, spec: Sequence[Any] | None) -> Any:
    """Return a native array that is split over a native mesh.

    Parameters
    ----------
    x
        Native array, which may lie on a mesh already, or be traced.
    mesh
        What the hook `mesh` returned, or `None` for the whole array on one device.
    spec
        For each axis of the array an axis of the mesh, a tuple of several, or `None`. A spec of `None` stands for a new array,
        which is to be whole on every device; one that is traced stays as it is.
    """


@hookspec(firstresult=True)
def layout_of(x: Any) -> tuple[Mapping[str, int], Sequence[Any]] | None:
    """Return the axes of the mesh over which a native array is split, and its spec; `None` for an array on one device."""


@hookspec(firstresult=True)
def evaluated(natives: list[Any]) -> Sequence[Any]:
    """Return native arrays after their values are computed, where they are; traced ones as they are.

    Leave it out for a framework that computes at once.
    """


@hookspec(firstresult=True)
def mapped_chunks(function: Callable[..., Any], natives: list[Any], whole: Mapping[str, Any]) -> Any:
    """Return the results of a function of chunks, put together: a native array, or a tuple of those.

    Parameters
    ----------
    function
        A function of `map_chunks`, or of the core: Generators draw the numbers of each chunk in it. It takes arrays of
        corearray for the chunks.
    natives
        Native arrays that are cut alike.
    whole
        Further arguments by name. Native arrays among them, also in trees, are given whole to each call.

    Leave it out for a framework whose arrays have no chunks.
    """


@hookspec(firstresult=True)
def memory_of_device(device: Any) -> tuple[int, int] | None:
    """Return how many bytes of a native device are in use, and how many there are; `None`, the default, if it is not told."""


@hookspec(firstresult=True)
def set_item(x: Any, key: Any, value: Any) -> Any:
    """Return the native array with the elements at `key` replaced; `x` itself where arrays can be written in place.

    Parameters
    ----------
    x
        Native array.
    key
        As in `get_item`: integers, slices, `None`, `...`, native integer and boolean arrays, or a tuple of these.
    value
        Native array of the dtype of `x` that broadcasts to the selected part.
    """


@hookspec(firstresult=True)
def writes_in_place() -> bool:
    """Return whether `set_item` changes its array. Default: false."""


@hookspec(firstresult=True)
def promotes_arrays() -> bool:
    """Return whether the framework's functions promote arrays of several dtypes of one kind as the standard does.

    Those without axes like all others. Then `be.native.add` and its like are the framework's own functions, without a look at
    the dtypes in front. Asked once, when the backend is loaded. Default: false.
    """


@hookspec(firstresult=True)
def updates() -> Mapping[str, Callable[[Any, Any], bool]]:
    """Return by function, such as `"add"`, what computes it in place, as in `x += y`.

    Each gets a native array, and another one of the same dtype, or a Python number that the dtype holds. It writes the
    result into the first array, as if that had been computed before anything was written, and returns true; or it writes
    nothing and returns false, where the framework cannot do it, or not in the shape and the dtype of the result. Asked of a
    backend that writes in place and has no stages of its own. Default: none, and results are written by `set_item`.
    """


@hookspec(firstresult=True)
def memory_of(x: Any) -> Any:
    """Return what tells the memory of a native array from others: equal for arrays that share one.

    Asked of a backend that writes in place, about results that should be views of an argument. If they have memories of
    two kinds, a write into one is repeated in the other. `None` where there is no memory, as while a compiler traces.
    Default: `None`, for a framework that always gives views.
    """


@hookspec(firstresult=True)
def moved(x: Any, old: Any, new: Any) -> Any:
    """Return what a native array is in another memory, after `set_item` returned `new` for `old`; `None` if it stays.

    Asked of a backend that writes in place, about all arrays there are, where it had to copy one before it could be
    written: `x` may be a view of the same memory as `old`. Default: `None`.
    """


@hookspec(firstresult=True)
def as_array(value: Any) -> Any:
    """Return the native array for what native functions return in an array's place (NumPy's scalars). Default: as it
    is.

    Implement it only if the framework does so: it adds a type check to every call.
    """


@hookspec(firstresult=True)
def to_dlpack(x: Any, stream: Any, max_version: Any, dl_device: Any, copy: Any) -> Any:
    """Return a DLPack capsule, with the parameters of the standard's `__dlpack__`. Default: ask the array."""


@hookspec(firstresult=True)
def dlpack_device(x: Any) -> tuple[Any, int]:
    """Return DLPack's device type and id of a native array. Default: ask the array."""


@hookspec(firstresult=True)
def records_gradient(x: Any) -> bool:
    """Return whether the framework records a derivative with respect to a native array, which `to_backend` would end.

    Leave it out for a framework that refuses to export such arrays, or has none. Default: false.
    """


@hookspec(firstresult=True)
def text(x: Any, precision: int | None) -> str:
    """Return the elements of a native array as text for `repr`, long arrays shortened with `...`.

    Numbers have at most `precision` digits after the point; `None` leaves it to the framework.

    Lines after the first begin as if the text stood at the left margin: a row one space under the bracket above.
    Lazy arrays raise `NotImplementedError`: `repr` and `str` then show shape and dtype.
    Default: the elements that `to_list` returns.
    """


@hookspec(firstresult=True)
def error_kind(error: Exception) -> type[Exception] | None:
    """Return the Python exception that a native one stands for, or one of corearray's such as `LinAlgError`.

    `TracingError` stands for elements that are not known while a program is traced: its text then names the user's line.
    Default: `None`, for the one that it is.
    """


@hookspec(firstresult=True)
def capabilities() -> dict[str, Any]:
    """Return what differs from full capabilities in `__array_namespace_info__().capabilities()`. Default: nothing."""


@hookspec(firstresult=True)
def advice(value: object) -> str | None:
    """Return what to write for an object of the framework that stands in the place of an array and is none.

    It ends the sentence "'exp' got an object of type PerReplica where it takes an array; …". Default: `None`, for the general
    advice.
    """


@hookspec(firstresult=True)
def held_array(value: object) -> Any:
    """Return the native array of an object that offers one by a protocol of the framework's, as `__jax_array__` is.

    Derivatives go through it. Default: `None`, for an object that offers none.
    """


@hookspec(firstresult=True)
def register_array(array_class: type) -> None:
    """Make the backend's `Array` class known to the framework. Called once, after loading.

    It becomes a node of the framework's trees, and gets the methods by which the framework's own functions take other
    classes (`__torch_function__`, `__array_function__` and their like), so that `torch.sum(x)` returns an `Array` for one.
    `corearray.plugin.called_on_natives` calls a native function in that way.
    """


@hookspec(firstresult=True)
def register_container(container_class: type) -> None:
    """Make a class known to the framework, as a node of its trees. Default: do nothing.

    Called after loading, once with `Container`, once with `Ragged`, and once with each class derived from `nn.Module`;
    with classes that are defined later, when they are. `container.tree_flatten()` gives the values and the keys,
    `container_class.tree_unflatten(keys, values)` the object back. The keys of a Module are hashable and hold all of it
    but the arrays.
    """


@hookspec(firstresult=True)
def register_function(function: FunctionType) -> None:
    """Mark a function that users call, for a tracer that would rewrite its source, or cannot see it. Default: nothing.

    Called once for each, after loading; for those of the backend's namespace when they are composed. One that goes the
    plan in C is no Python function, and has that which computes the same as its attribute `function`; there it may be
    made when it is asked for, and is registered then.
    """


@hookspec(firstresult=True)
def register_tracing(constants: Sequence[FunctionType], traced: Mapping[FunctionType, FunctionType]) -> None:
    """Tell a tracer of Python code what of corearray it need not look into. Called once, after loading.

    Only for frameworks that trace the code of a program. Those that trace by running it need no help. If several
    backends mark the functions for one tracer, that which was loaded last is traced. Default: nothing.

    Parameters
    ----------
    constants
        Functions and methods that a tracer may call while it traces, and keep what they return. All that depends on
        settings and on what was composed before is in them; their arguments are strings.
    traced
        For each public function the one to trace in its place: it chooses the backend without a context variable.
    """


@hookspec(firstresult=True)
def reverse_mode(
    function: Callable[[list[Any]], tuple[list[Any], list[Any]]], primals: list[Any]
) -> tuple[list[Any], list[Any], Callable[[list[Any] | None], Sequence[Any]] | Sequence[Any]]:
    """Call a function of native arrays and return its outputs, what it returns beside, and what pulls gradients back.

    `function` returns outputs and other arrays, of which no derivative is asked. The last of the three takes a native array
    for each output and returns one for each of `primals`, zeros where nothing depends on it; it may be called often, also
    while another derivative is taken or within `vectorized`, unless `function.once` says that it is called once, and with
    `None`: then the one output has no axes, and its gradients are asked for, which may be returned in its place. Leave it
    out for a framework that does not differentiate.
    """


@hookspec(firstresult=True)
def forward_mode(
    function: Callable[[list[Any]], tuple[list[Any], list[Any]]], primals: list[Any], tangents: list[Any]
) -> tuple[list[Any], list[Any], list[Any]]:
    """Call a function of native arrays and return its outputs, their derivatives along `tangents`, and what is beside.

    Leave it out for a framework that does not differentiate.
    """


@hookspec(firstresult=True)
def custom_gradient(
    function: Callable[[Sequence[Any]], list[Any]],
    pull_back: Callable[[Sequence[Any], Sequence[Any], Sequence[Any]], list[Any | None]], natives: list[Any],
) -> Sequence[Any]:  # fmt: skip
    """Call a function of native arrays that is differentiated backwards by another one.

    `pull_back` takes what the function was given, what it returned, and an array for each of the latter; it returns one for
    each of `natives`, and `None` for a derivative that is zero, which must not be multiplied by an infinite one. Leave the
    hook out for a framework that does not differentiate. With `reverse_mode` alone, functions with custom gradients raise an
    error.
    """


@hookspec(firstresult=True)
def rematerialized(
    function: Callable[[Sequence[Any]], list[Any]], natives: list[Any], program: Hashable
) -> Sequence[Any]:
    """Call a function of native arrays such that its derivative backwards calls it again and keeps nothing of the first call.

    The function may be called often, and refers to other arrays, by which it is differentiated too. `program` is equal for
    calls of one function with arguments of the same structure and dtypes: the native calls of the first one may differ from
    those of later ones. Leave it out for a framework that does not differentiate.
    """


@hookspec(firstresult=True)
def descended(natives: list[Any], directions: list[Any], rate: float, constant: bool) -> Sequence[Any]:
    """Return `x - rate * direction` for each of several native arrays and what is beside it in `directions`, in new memory.

    The two of a pair have one real floating dtype; `constant` says that no derivative goes through. Leave it out for a
    framework that has no one call for it.
    """


@hookspec(firstresult=True)
def adam_updated(columns: list[list[Any]], numbers: tuple[Any, ...], weight_decay: float, decoupled: bool) -> Any:
    """Return native arrays of a step of Adam for several parameters in few passes, in new memory.

    `columns` are the parameters, their gradients, the running means of gradients and of squares, and with amsgrad the largest
    mean squares; the arrays of a parameter have one real floating dtype. `numbers` are the number of the step from 1 up and the
    learning rate, both native arrays without axes, and the floats `beta1`, `beta2` and `eps`. A `decoupled`
    weight decay is AdamW's. The result is a list of the new columns, without gradients. Return `None` for arrays that the
    framework cannot update so, such as traced ones or those with derivatives; `corearray.optim` then composes the step.
    Leave it out for a framework that has no such call.
    """


@hookspec(firstresult=True)
def vectorized(function: Callable[[list[Any]], list[Any]], natives: list[Any]) -> Sequence[Any]:
    """Map a function over the first axis of native arrays of one length; in its results that axis is the first again.

    Leave it out for a framework that has no way for it: corearray then calls the function for one row after the other.
    """


@hookspec(firstresult=True)
def random_words(seed: int, count: int) -> tuple[Any, Any]:
    """Return two native int64 arrays of `count` words of 32 random bits, which a seed of 64 bits determines.

    They are made on the default device. Leave it out for a framework that has no generator whose state is given with each
    call, or the framework's own program would draw other numbers.
    """


@hookspec(firstresult=True)
def compiled_function(
    function: Callable[..., Any], static_argnums: tuple[int, ...], static_argnames: tuple[str, ...], dynamic: bool,
    options: Mapping[str, Any],
) -> Callable[..., Any]:  # fmt: skip
    """Return the function compiled by the framework, for `corearray.compile`. Leave it out where there is no compiler.

    Its arguments and results are trees of arrays, wrapped and native; static ones are hashable and no arrays. One that draws
    random numbers gets a native array more, by the name `corearray_keys`. What it raises while it is traced must come out:
    the same exception with the same `args`, also a `BaseException`. Catch it and raise it again outside of the compiler if the
    framework rewrites errors. A plugin with this hook needs `truth`, `branched` and `looped` too, and the classes of traced
    arrays in `array_types`. `options` are the user's for the framework's own compiler.
    """


@hookspec(firstresult=True)
def donating(places: tuple[int, ...]) -> Mapping[str, Any]:
    """Return the options of the framework's compiler by which a program may use the memory of some arguments for results.

    Leave it out where a compiler has no such option. The arrays of these arguments are not read again.
    """


@hookspec(firstresult=True)
def framework_modules() -> Mapping[str, Callable[[Any], Any]]:
    """Return functions that make modules of the framework, by the names of `corearray.nn`, such as `"to_torch"`.

    A `to_` function takes a `corearray.nn.PureModule`, a `from_` function a module of the framework. Leave it out for a
    framework without modules.
    """


@hookspec(firstresult=True)
def compiled_composition(name: str, call: Callable[[Mapping[int, Any], Hashable], Any]) -> Callable[..., Any] | None:
    """Return the composition of a function compiled by the framework, or `None` to run it step by step.

    `name` is the name of the function, `"random_words"` for the draws of generators (integers of 64 bits or booleans), or
    `"random_words_of_program"` for their draws within a program that is being compiled, whose array may also be a list of
    Python numbers: then `call` makes the words at once, as an operator of the framework does when the program runs.
    `call` takes a dictionary of native arrays and lists of these, and all else as one value by which programs differ; it
    returns a native array, or a tuple of such. Give a compiled call only to functions that look at no element while they
    are traced, and whose results are no views. Leave it out where compiling does not pay.
    """


@hookspec(firstresult=True)
def compiled_case(call: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function of native arrays compiled by the framework: a case of another function, with certain options.

    `call` takes arrays of floating-point numbers by position, `None` for one that is left out, and returns one. Leave it out
    where a compiled function is called no sooner than the functions of which it is made.
    """


@hookspec(firstresult=True)
def traced_calls(function: Callable[[list[Any]], list[Any]], natives: list[Any]) -> Recording:
    """Call a function of native arrays and return the native calls that it made, for `corearray.compile_graph`.

    What it does to its arguments, it must do to copies. Whatever would keep elements of this run in the graph is refused
    with `corearray.plugin.untraceable`. Leave it out for a framework that shows no calls.
    """


@hookspec(firstresult=True)
def program_calls(function: Callable[[list[Any]], list[Any]], natives: list[Any]) -> Recording:
    """Call a function of native arrays and return its calls as rules of the frontend take them, for `corearray.transpile`.

    Leave it out where `traced_calls` with `plain_call` says the same: this is for a framework whose graphs hold state, whose
    arrays the recording has as values, and the buffers given by `with_buffers` as its last inputs.
    """


@hookspec(firstresult=True)
def graph_names() -> Mapping[str, Any]:
    """Return what a file of a graph may name: dotted names with the functions, dtypes and classes that they stand for.

    It holds the functions under the names of the steps that `traced_calls` gives, dtypes, members and classes of options,
    and the classes of native arrays. It holds nothing that opens files, starts programs, or calls what it is given by name:
    a file of a graph calls whatever stands here, with any arguments. Leave it out if graphs are not to be saved.
    """


@hookspec(firstresult=True)
def program_of(held: Any) -> Any:
    """Return the function or module that is recorded in place of an object that the user wants to be transpiled.

    Wrappers such as those of compilers are taken off, and programs in a language of the framework's own become functions
    whose calls `traced_calls` sees. What the object holds is found by `held_arrays` of the result. Leave it out for a
    framework without wrappers.
    """


@hookspec(firstresult=True)
def held_arrays(held: Any) -> tuple[Mapping[str, Any], Mapping[str, Any], frozenset[str]] | None:
    """Return the native arrays of an object of the framework by their names: parameters, buffers, and which are frozen.

    Parameters are what training changes, buffers the state beside them, such as running statistics. Frozen are the names of
    parameters that need no gradients. `None` for what is no
    module of the framework, nor a method of one. Leave it out for a framework without modules.
    """


@hookspec(firstresult=True)
def with_buffers(held: Any, natives: Mapping[str, Any], run: Callable[[], Any]) -> Any:
    """Call `run` while a module has other buffers, given by name, and its parameters need no gradients.

    Calls that `traced_calls` writes down meanwhile have the path of the module at work. Afterwards the module is as before.
    """


@hookspec(firstresult=True)
def plain_tree(result: Any) -> Any:
    """Return what a program of the framework returned, made of tuples, lists, dictionaries and native arrays.

    Leave it out for a framework whose functions return nothing else.
    """


@hookspec(firstresult=True)
def ragged_of(values: Any, row_splits: Any) -> Any:
    """Return a ragged array of the framework, of values and row splits; leave it out for a framework without them."""


@hookspec(firstresult=True)
def plain_call(step: Step) -> tuple[str, tuple[Any, ...], dict[str, Any]]:
    """Return a recorded call as a rule of the frontend takes it: name, arguments by position and by keyword.

    The arguments are numbers, texts, dtypes, `Value`, and tuples, lists and dictionaries of them. A program among them, such
    as the body of a loop, is a `Recording` whose calls are written in this way too. The hook may set `step.place` and
    `step.module`. Leave it out for a framework whose recorded calls are such already.
    """


@hookspec(firstresult=True)
def truth(x: Any) -> bool | None:
    """Return what a native boolean array without axes holds, or `None` while a tracer does not know.

    A plugin needs it whose arrays have no values while `compiled_function` traces, or differ within `vectorized`. Without it
    `bool(x)` is called.
    """


@hookspec(firstresult=True)
def branched(condition: Any, true: Callable[[], list[Any]], false: Callable[[], list[Any]]) -> Sequence[Any]:
    """Return what one of two functions returns, native arrays, by a condition that is not known yet.

    Called where `truth` gives `None`. A plugin with `truth` needs it.
    """


@hookspec(firstresult=True)
def looped(
    condition: Callable[[Sequence[Any]], Any], body: Callable[[Sequence[Any]], list[Any]], natives: list[Any]
) -> Sequence[Any]:
    """Apply a function to native arrays as long as a condition on them holds, which is not known yet.

    Called where `truth` gives `None`. A plugin with `truth` needs it.
    """


@hookspec(firstresult=True)
def scanned(
    step: Callable[[Sequence[Any], Sequence[Any]], tuple[list[Any], list[Any]]], carry: list[Any], xs: list[Any],
    length: int | None, reverse: bool,
) -> tuple[Sequence[Any], Sequence[Any]] | None:  # fmt: skip
    """Go through the first axis of native arrays with a state; return the last state, and what is kept with an axis in front.

    `step` takes the state and the parts of `xs` at one place, and returns the next state and what is kept. Return `None`
    where nothing is traced: corearray then goes step by step, as it does if the hook is left out.
    """


@hookspec(firstresult=True)
def called_back(function: Callable[..., Any], natives: list[Any], results: Any, ordered: bool, mapped: Any) -> Any:
    """Call a Python function of native arrays in each run of a traced program, with the elements, and return its results.

    `results` are the shapes and native dtypes of what the function returns. Without them it is called for its effects, and the
    hook returns an empty list. `ordered` calls keep their order. `mapped` is the method of calls that are mapped over an axis,
    in JAX's words. Return `None` where nothing is traced: corearray then calls the function itself, as it does if the hook is
    left out.
    """


@hookspec(firstresult=True)
def sparse_array(indices: Any, values: Any, shape: tuple[int, ...], format: str) -> Any:
    """Return a sparse array of native arrays. Leave it out for a framework without sparse arrays.

    `indices` are for the format `"coo"` one array of shape `(number of axes, N)`, for `"csr"` where rows begin and the columns.
    Raise `NotImplementedError` for a format that the framework lacks. Places and shapes are sound.
    """


@hookspec(firstresult=True)
def sparse_parts(x: Any) -> tuple[str, Any, Any, tuple[int, ...]] | None:
    """Return format, indices, values and shape of a sparse array, as `sparse_array` takes them; `None` for others.

    Leave it out for a framework without sparse arrays.
    """


@hookspec(firstresult=True)
def diagnostics() -> dict[str, str]:
    """Return facts worth knowing in a bug report, such as switches that the plugin sets. Default: nothing."""


# --- Part 2: every function; its declaration in corearray/functional is the hookspec ----------------------------------

FUNCTIONS: tuple[ModuleType, ...] = (
    activations, alignment, attention, bitwise, channels, comparison, contraction, convolution, creation, data_type,
    decompositions, descriptive, diagonals, elementwise, exponential, fft, gathering, general, gradients, grids,
    indexing, interpolation, joining, layers, linalg, losses, manipulation, matrices, matrix_functions,
    nan_statistical, norms, numeric, padding, patches, polynomials, pooling, products, rearrangement, recurrent,
    reductions, regions, rounding, scattering, searching, sets, signal, similarity, sorting, special, spectral,
    splines, statistical, tensors, trigonometric, utility, windows,
)  # fmt: skip

# --- Part 3: the wrapper stages, the innermost first -----------------------------------------------------------------
# Each takes the call so far, on bound arguments, and returns it wrapped, or `None`. A backend's own comes before the core's.


@hookspec(firstresult=True)
def handle_complex_input(call: Call, function: Binding) -> Call | None:
    """Add a policy for complex input (`complex_mode`) to functions that need one."""


@hookspec(firstresult=True)
def infer_device(call: Call, function: Binding) -> Call | None:
    """Fill `device` from the first array argument, else from the default device."""


@hookspec(firstresult=True)
def handle_device_shifting(call: Call, function: Binding) -> Call | None:
    """Refuse arrays on different devices, or move them in soft device mode."""


@hookspec(firstresult=True)
def infer_dtype(call: Call, function: Binding) -> Call | None:
    """Fill `dtype` by the declaration's rule."""


@hookspec(firstresult=True)
def handle_array_function(call: Call, function: Binding) -> Call | None:
    """Let foreign classes take the call over through `__corearray_function__`."""


@hookspec(firstresult=True)
def outputs_to_arrays(call: Call, function: Binding) -> Call | None:
    """Wrap native arrays that are returned."""


@hookspec(firstresult=True)
def outputs_to_shapes(call: Call, function: Binding) -> Call | None:
    """Make a `Shape` of a native shape that is returned."""


@hookspec(firstresult=True)
def outputs_to_native_arrays(call: Call, function: Binding) -> Call | None:
    """Unwrap what a composition returns, in native array mode."""


@hookspec(firstresult=True)
def inputs_to_native_arrays(call: Call, function: Binding) -> Call | None:
    """Unwrap the arrays in the arguments of a native implementation."""


@hookspec(firstresult=True)
def inputs_to_native_shapes(call: Call, function: Binding) -> Call | None:
    """Make a plain tuple of a shape, or of one integer that stands for it."""


@hookspec(firstresult=True)
def inputs_to_arrays(call: Call, function: Binding) -> Call | None:
    """Wrap the native arrays in the arguments of a composition."""


@hookspec(firstresult=True)
def handle_out_argument(call: Call, function: Binding) -> Call | None:
    """Write the result into `out` and return `out` itself."""


@hookspec(firstresult=True)
def handle_view_indexing(call: Call, function: Binding) -> Call | None:
    """Make basic indexing give a view."""


@hookspec(firstresult=True)
def handle_view(call: Call, function: Binding) -> Call | None:
    """Make reshaping functions give a view."""


@hookspec(firstresult=True)
def handle_array_like_without_promotion(call: Call, function: Binding) -> Call | None:
    """Make arrays of lists and scalars that stand in array parameters, and Python's numbers of NumPy's among options."""


@hookspec(firstresult=True)
def handle_partial_mixed_function(call: Call, function: Binding) -> Call | None:
    """Run the native implementation where its guard holds, else the composition."""


@hookspec(firstresult=True)
def handle_nestable(call: Call, function: Binding) -> Call | None:
    """Map over the leaves of Containers."""


@hookspec(firstresult=True)
def handle_ragged(call: Call, function: Binding) -> Call | None:
    """Compute elementwise functions on the values of ragged arrays, and reduce their rows."""


@hookspec(firstresult=True)
def handle_backend_invalid(call: Call, function: Binding) -> Call | None:
    """Refuse arrays of another backend than the one that computes."""


@hookspec(firstresult=True)
def handle_exceptions(call: Call, function: Binding) -> Call | None:
    """Translate what the framework raises, keeping the Python type and chaining the cause."""


@hookspec(firstresult=True)
def handle_nans(call: Call, function: Binding) -> Call | None:
    """Look for NaN in the results, as the setting `nan_policy` says."""
