"""The file of names that other libraries have and corearray has not, made from the installed libraries.

`python -m tests.frontend.other_names` writes it. It needs every framework of the shipped plugins.

For each public name the first of these decides: the tables of `corearray.backends.hints`, a frontend that has the function,
and the groups below, each with what to do instead.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import corearray as ca
from corearray.backends import hinting, hints

FILE = Path(hints.__file__).with_name("other_names.txt")

#: Public modules of each framework, and an expression for one of its arrays.
LIBRARIES = {
    "numpy": (("", "linalg", "random"), "numpy.ones(1)"),
    "torch": (("", "nn.functional", "linalg", "special"), "torch.Tensor"),
    "jax": (
        ("numpy", "lax", "nn", "tree", "numpy.linalg", "random", "", "scipy.special", "scipy.linalg"),
        "jax.numpy.ones(1)",
    ),
    "tensorflow": (("", "math", "linalg", "nn", "random", "signal", "image"), "tensorflow.ones(1)"),
}

#: What to do instead, and the names that it is about.
GROUPS = [
    ("arrays are dense here; corearray.native_sparse_array makes a sparse one for the framework's own functions",
     r"[Ss]parse|^(s|ds|hs|hsp|ssp?add|sadd|sp)mm$|(ccol|col|crow|row)_indices|coalesce|^to_dense|^values(_copy)?$|"
     r"dense_dim|^sspaddmm"),
    ("there are no quantised arrays here; quantise with the framework's own tools, on x.native",
     r"quant|^q_|int_repr|fbgemm|qparams|^u?qu?int|q(scheme|int\d+)$|^quint"),
    ("it is a kernel of one library; call the function itself, such as conv2d, batch_norm, max_pool2d or lstm",
     r"^(cudnn|miopen|mkldnn|native)_|batch_norm_(back|elemt|gather|stats|update)|to_mkldnn|^scaled_(grouped_)?mm$|"
     r"^scaled_(dot|matmul)|scaled_dot_general|grouped_mm"),
    ("it is a setting of the framework; set it there, beside corearray",
     r"autocast|anomaly|determinis|_warn_|num_(interop_)?threads|matmul_precision|flush_denormal|default_tensor_type|"
     r"inference_mode|is_inference|vulkan|_guard$|^debug_(infs|nans)$|allow_f16|prng_impl|legacy_prng|threefry_part|"
     r"jax2tf_assoc|no_(execution|tracing)|make_user_context|^config$|enable_grad|^(autocast|GradScaler)$|remove_size_one|"
     r"get_device_module|^get_default_device$|print_environment|^show_|get_include|^has_(lapack|mkl|openmp|spectral)$|"
     r"is_(grad|inference|anomaly)"),
    ("sizes of traced programs are the framework's own; write Python's arithmetic", r"^sym_|^Sym|^guard_"),
    ("the state of random numbers is a corearray.random.Generator, which is saved like other objects",
     r"rng_state|initial_seed|^seed$|thread_safe_generator|default_generator|global_generator|[Gg]enerator$|^(MT19937|"
     r"PCG64\w*|Philox|SFC64|SeedSequence|RandomState|Algorithm|RandomAlgorithm|random_integers)$"),
    ("programs of the framework's own compiler stay with it; corearray.compile compiles functions",
     r"parse_(ir|schema|type)|ir_module|^(fork|wait)$|Script|Type$|Type_|^(Argument\w*|Block|Call\w*|Code|Comp\w*|"
     r"Concrete\w*|Execution\w*|File\w*|FunctionSchema|Future|Gradient|Graph\w*|IODescriptor|JIT\w*|Lite\w*|\w*Logger|"
     r"Node|Operator\w*|PyTorch\w*|Serial\w*|Deserial\w*|Static\w*|TracingState|Throughput\w*|Use|Value|Tag|Type|AliasDb|"
     r"Benchmark\w*|BroadcastingList\d|Capsule|Dispatch\w*|ErrorReport|Exclude\w*|DisableTorch\w*|BufferDict|"
     r"AggregationType|AVG|SUM|DeepCopy\w*|ScalingType|SwizzleType|Optional|Callable|FatalError|AcceleratorError|"
     r"OutOfMemoryError)$|merge_type|unify_type|boolean_dispatch|assert_int|torch_function|make_jaxpr|closure_convert|xla|"
     r"XLA|^graph_|Graph|_p$|stage|TypeSpec|_spec_|^(Operation|RegisterGradient|AggregationMethod|CriticalSection|"
     r"DeviceSpec|autograph|mlir|nondifferentiable_batch_function|no_gradient|get_current_name_scope|name_scope|"
     r"variable_creator_scope|import_graph_def|register_tensor_conversion_function|type_spec_from_value|load_\w+|"
     r"make_ndarray|make_tensor_proto|control_dependencies|info|name|op|consumers|value_index|OVERLOADABLE_OPERATORS|eval|"
     r"set_shape)$"),
    ("arrays over several devices are those of corearray.Mesh and corearray.shard",
     r"^(p(max|min|mean|sum|permute|broadcast|cast|recv|send|shuffle|swapaxes|sum_scatter|map)|all_gather|all_to_all|"
     r"ragged_all_to_all|axis_(index|size)|shard_map|smap|reshard|make_mesh|auto_pcast|NamedSharding|P|Shard|"
     r"is_distributed|dtensor|distribute|distributed|tpu|make_array_from\w+|live_arrays)$|shard|replicat|addressable"),
    ("the dtypes are those of the array API standard, float16 and bfloat16; there is no such dtype here",
     r"^float(4|6|8|128|0)|^u?int[1-7]$|^bits?\d|^bit$|complex(256|32|_)$|long(double|long)|clongdouble|^chalf$|"
     r"^(flexible|generic|character|bytes_|str_|void|object_|record|recarray|ScalarType|sctypeDict|typecodes|floating|"
     r"inexact|complexfloating|integer|number|signedinteger|unsignedinteger|finfo|resource|variant|dtypes?|rec|char)$|"
     r"Storage$|storage"),
    ("there are no strings and dates here; keep them in NumPy's arrays or lists",
     r"datetime|timedelta|busday|isnat|string|^strings?$|regex|edit_distance|as_string|fingerprint|lookup$"),
    ("memory is the framework's own; ask x.native",
     r"data_ptr|pin_memory|is_pinned|record_stream|storage|share_memory|is_shared|may_share|shares_memory|unsafe_buffer|"
     r"is_set_to|element_size|memory_format|is_ready|is_deleted|on_device|copy_to_host|byteswap|^(base|ctypes|flags|"
     r"setflags|getfield|setfield|dump|dumps|stride|dim_order|is_contiguous|const_\w+|strides|memmap|Stream|Event|"
     r"StreamObj\w*|DeviceObj\w*|from_file|fromfile|module_load|resize_|resize_as_?|set_|slice_inverse|platform|committed|"
     r"format|aval|weak_type|traceback|devices?|device_buffers?|global_shards|backing_device|gpu|is_packed|ref|\w+_ref|"
     r"freeze)$"),
    ("derivatives are functions of functions: write corearray.grad, corearray.vjp or corearray.stop_gradient",
     r"grad|hook|is_leaf|output_nr|reinforce|volatile|hessians|jacobian|fwd_and_bwd|custom_(linear|root|der|batch)|"
     r"softmax_custom|backprop|autodiff|UnconnectedGradients|(^|_)detach"),
    ("it is a module of another library; functions are in corearray, corearray.linalg, corearray.fft and corearray.random",
     r"^(np|torch|numpy|jax|lax|lib|math|core|char|ma|emath|scipy|tree|tree_util|ops|typing|version|warnings|dataclasses|"
     r"importlib|export|cpp|ctypeslib|f2py|exceptions|polynomial|test|tools|image|initializers|interpreters|monitoring|"
     r"profiler|debug|dlpack|experimental|ffi|memory|ref|ad|api_util|audio|bitwise|compat|config|data|debugging|"
     r"feature_column|io|keras|lite|losses|metrics|nest|optimizers|queue|raw_ops|saved_model|security|sets|signal|special|"
     r"summary|sysconfig|train|accelerator|amp|ao|autograd|backends|compiler|cpu|distributions|futures|fx|hub|jit|library|masked|"
     r"monitor|mps|multiprocessing|nested|overrides|package|quasirandom|serialization|utils|windows|return_types|stats|"
     r"misc)$|_notes$|_MODES$|_args$|^multi_dim_common$"),
    ("linear operators have no counterpart; write the matrix itself, or a function that multiplies", r"LinearOperator"),
    ("it draws candidates for a loss over many classes; sample with corearray.random and take the rows",
     r"candidate_sampler|nce_loss|sampled_softmax|accidental_hits"),
    ("keys are Python's own; write x[key]", r"^(c_|r_|s_|index_exp|ds|nditer|nested_iters|flatiter)$"),
    ("cast with x.astype(dtype)", r"^([A-Z][a-z]+Tensor|byte|char|short|cdouble|cfloat|chalf|type_as|to_\w+|as_subclass|"
     r"new|new_tensor)$"),
    ("write x.reshape(y.shape) or corearray.broadcast_to(x, y.shape)", r"^(view_as|reshape_as|expand_as|sum_to_size)$"),
    ("write corearray.zeros, ones, full or empty with dtype=x.dtype", r"^new_\w+$"),
    ("ask x.dtype, x.device, x.shape and x.size", r"^is_(cpu|cuda|ipu|maia|meta|mkldnn|mps|mtia|nested|quantized|xpu|xla|"
     r"vulkan|signed|same_size|nonzero|storage|conj|neg|leaf)$|^(get_device|ipu|xpu|mtia|nelement|typename)$"),
    ("draw with corearray.random and assign: x[...] = corearray.random.normal(size=x.shape)", r"^(cauchy|exponential|"
     r"geometric|log_normal|normal|uniform|bernoulli|random)_$"),
    ("write a loop or corearray.vectorize", r"^(apply|map|map2)_$"),
]  # fmt: skip

#: The group of names that only programs of the framework have, also where a frontend has them.
SIZES = next(i for i, (text, _) in enumerate(GROUPS) if text.startswith("sizes"))

#: Parts of the package that have names of other libraries.
OWN = {"random": ca.random, "random.default_rng()": ca.random.Generator, "nn": ca.nn}

#: What to do with all others.
OTHERWISE = "corearray has no counterpart; call the framework's own function on x.native"

_LIST = """
import importlib, json, operator, sys
library, modules, array = sys.argv[1], sys.argv[2].split(","), sys.argv[3]
root = importlib.import_module(library)
found = {}
for path in modules:
    if library == "jax" and path:
        importlib.import_module(f"jax.{path}")
    module = operator.attrgetter(path)(root) if path else root
    names = getattr(module, "__all__", None) or dir(module)
    parts = [name for name in dir(module) if getattr(getattr(module, name, None), "__name__", "") == f"{library}.{name}"]
    parts = [name for name in parts if name not in ("autograd", "func")]  # the frontend has them, as modules
    found[path] = [name for name in dict.fromkeys([*names, *parts]) if not name.startswith("_")]
array = eval(array, {library: root})
print(json.dumps([found, [name for name in dir(array) if not name.startswith("_")]]))
"""


@cache
def public(library: str) -> tuple[dict[str, list[str]], list[str]]:
    """Return the public names of an installed library by modules, and those of its arrays."""
    modules, array = LIBRARIES[library]
    command = [sys.executable, "-W", "ignore", "-c", _LIST, library, ",".join(modules), array]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    names, attributes = json.loads(done.stdout.splitlines()[-1])
    return names, attributes


def lines() -> str:
    """Return the text of the file."""
    blocks: dict[str, set[str]] = {}
    arrays: set[str] = set()
    for library in LIBRARIES:
        modules, attributes = public(library)
        names = {name: module for module, each in reversed(modules.items()) for name in each}
        paths = set(ca.frontend.get_frontend(library)._paths())
        names |= {name: "" for name in attributes if name not in names and name not in hints.OF_ARRAYS}
        for name, module in names.items():
            if hasattr(ca, name) or hasattr(ca.Array, name) or hinting.known(name):
                continue
            path = ".".join(filter(None, (library, module)))
            base = re.sub("(_copy|_)$", "", name)
            if f"{path}.{base}" in paths and not re.search(GROUPS[SIZES][1], name):
                head, name = f"= corearray.frontend.{path}", base
            else:
                head = instead(name)
            head = next((f"= corearray.{owner}" for owner, has in OWN.items() if hasattr(has, name)), head)
            blocks.setdefault(head, set()).add(name)
        arrays.update(name for name in attributes if not hasattr(ca.Array, name) and name not in hints.OF_ARRAYS)
        path = f"{library}.random"
        for name in modules.get("random", ()):
            owners = (ca.random, ca.random.Generator)
            if name not in hints.OF_RANDOM and not any(hasattr(owner, name) for owner in owners):
                head = (
                    f"? corearray.frontend.{path}" if f"{path}.{name}" in paths else instead(name).replace("-", "!", 1)
                )
                blocks.setdefault(head, set()).add(name)
    blocks["@ arrays"] = arrays
    return "".join(f"{head}\n{' '.join(sorted(names))}\n" for head, names in sorted(blocks.items()))


def instead(name: str) -> str:
    """Return what to do instead of a function that nothing here has."""
    return "- " + next((text for text, names in GROUPS if re.search(names, name)), OTHERWISE)


if __name__ == "__main__":
    FILE.write_text(lines())
