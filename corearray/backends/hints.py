"""Names of other libraries, and what they are called here, for the messages of attribute errors and for the documentation."""

from __future__ import annotations

from collections.abc import Iterable

__all__ = ["OF_ARRAYS", "OF_RANDOM", "RENAMED", "TOOLS", "WAYS", "hint", "hint_of_random", "meant"]

#: Functions of NumPy, PyTorch, JAX and TensorFlow under the names of the array API standard, or of corearray where it has none.
RENAMED = {
    "absolute": "abs",
    "adaptive_average_pool2d": "adaptive_avg_pool2d",
    "alltrue": "all",
    "amax": "max",
    "amin": "min",
    "arccos": "acos",
    "arccosh": "acosh",
    "arcsin": "asin",
    "arcsinh": "asinh",
    "arctan": "atan",
    "arctan2": "atan2",
    "arctanh": "atanh",
    "around": "round",
    "array": "asarray",
    "as_tensor": "asarray",
    "asanyarray": "asarray",
    "ascontiguousarray": "asarray",
    "asfortranarray": "asarray",
    "average_pooling2d": "avg_pool2d",
    "binary_cross_entropy_with_logits": "binary_cross_entropy",
    "bitwise_not": "bitwise_invert",
    "blackman": "blackman_window",
    "bmm": "matmul",
    "bucketize": "searchsorted",
    "cat": "concat",
    "chunk": "array_split",
    "clamp": "clip",
    "clip_by_value": "clip",
    "concatenate": "concat",
    "conjugate": "conj",
    "convert_to_tensor": "asarray",
    "cumprod": "cumulative_prod",
    "cumsum": "cumulative_sum",
    "degrees": "rad2deg",
    "diag_embed": "diag",
    "div": "divide",
    "eq": "equal",
    "expit": "sigmoid",
    "expm": "linalg.matrix_exp",
    "fabs": "abs",
    "floordiv": "floor_divide",
    "floormod": "remainder",
    "from_numpy": "asarray",
    "gammainc": "igamma",
    "gammaln": "lgamma",
    "ge": "greater_equal",
    "gt": "greater",
    "hamming": "hamming_window",
    "hanning": "hann_window",
    "identity": "eye",
    "in1d": "isin",
    "index_select": "take",
    "inverse": "linalg.inv",
    "invert": "bitwise_invert",
    "kaiser": "kaiser_window",
    "le": "less_equal",
    "left_shift": "bitwise_left_shift",
    "lt": "less",
    "masked_fill": "where",
    "mm": "matmul",
    "mod": "remainder",
    "movedim": "moveaxis",
    "mul": "multiply",
    "mv": "matmul",
    "ne": "not_equal",
    "neg": "negative",
    "norm": "linalg.vector_norm",
    "permute": "permute_dims",
    "pinverse": "linalg.pinv",
    "power": "pow",
    "product": "prod",
    "radians": "deg2rad",
    "reduce_all": "all",
    "reduce_any": "any",
    "reduce_logsumexp": "logsumexp",
    "reduce_max": "max",
    "reduce_mean": "mean",
    "reduce_min": "min",
    "reduce_prod": "prod",
    "reduce_std": "std",
    "reduce_sum": "sum",
    "reduce_variance": "var",
    "repeat_interleave": "repeat",
    "right_shift": "bitwise_right_shift",
    "rint": "round",
    "row_stack": "vstack",
    "segment_max": "unsorted_segment_max",
    "segment_mean": "unsorted_segment_mean",
    "segment_min": "unsorted_segment_min",
    "segment_sum": "unsorted_segment_sum",
    "sigmoid_cross_entropy_with_logits": "binary_cross_entropy",
    "softmax_cross_entropy_with_logits": "cross_entropy",
    "sometrue": "any",
    "sparse_softmax_cross_entropy_with_logits": "sparse_cross_entropy",
    "sub": "subtract",
    "swapdims": "swapaxes",
    "tensor": "asarray",
    "tensor_split": "array_split",
    "topk": "top_k",
    "trapz": "trapezoid",
    "true_divide": "divide",
    "unique": "unique_values",
    "unsqueeze": "expand_dims",
    "vdot": "vecdot",
}

#: Other names, and what the package has for them; a list where the libraries mean different things.
TOOLS = {
    "Embedding": "nn.Embedding",
    "GradientTape": "value_and_grad",
    "Parameter": "nn.Module",
    "Sequential": "nn.Sequential",
    "Tensor": "Array",
    "checkpoint": "remat, save, nn.save",
    "cond": "if_else, linalg.cond",
    "custom_gradient": "bind_custom_gradient_function",
    "custom_jvp": "bind_custom_gradient_function",
    "custom_vjp": "bind_custom_gradient_function",
    "detach": "stop_gradient",
    "errstate": "settings, set_nan_policy",
    "fori_loop": "for_loop",
    "function": "compile",
    "get_printoptions": "print_precision",
    "jacobian": "jac",
    "jit": "compile",
    "manual_seed": "random.seed",
    "map_structure": "tree_map",
    "ndarray": "Array",
    "no_grad": "stop_gradient",
    "printoptions": "settings, set_print_precision",
    "rand": "random.uniform",
    "randint": "random.integers",
    "randn": "random.normal",
    "randperm": "random.permutation",
    "recompute_grad": "remat",
    "savez": "save",
    "set_printoptions": "set_print_precision",
    "set_seed": "random.seed",
    "seterr": "set_nan_policy",
    "tree_leaves": "nested_map, Container",
    "register_dataclass": "register_tree",
    "register_pytree_node": "register_tree",
}

#: Names without a counterpart, and what to write.
WAYS = {
    "append": "concat([x, y])",
    "backward": "grad(loss)(x), or value_and_grad",
    "copy": "x.copy(), or asarray(x, copy=True)",
    "is_tensor": "isinstance(x, corearray.Array)",
    "iscomplexobj": 'isdtype(x.dtype, "complex floating")',
    "isrealobj": 'isdtype(x.dtype, "real floating")',
    "issubdtype": "isdtype(x.dtype, kind)",
    "ndim": "x.ndim",
    "numel": "x.size",
    "ptp": "max(x) - min(x)",
    "rsqrt": "1 / sqrt(x)",
    "size": "x.size",
}

#: Attributes of the arrays of other libraries that those of corearray do not have, and what to write.
OF_ARRAYS = {
    "add_": "x += y",
    "argpartition": "corearray.argpartition(x, kth)",
    "assign": "x[...] = y",
    "assign_add": "x += y",
    "assign_sub": "x -= y",
    "backward": "corearray.value_and_grad(loss)(x)",
    "bfloat16": 'x.astype("bfloat16")',
    "block_until_ready": "corearray.evaluate(x)",
    "bool": 'x.astype("bool")',
    "choose": "corearray.choose(x, choices)",
    "clamp": "x.clip(min, max)",
    "clone": "x.copy()",
    "compress": "x[mask]",
    "conjugate": "x.conj()",
    "contiguous": "x.copy()",
    "copy_": "x[...] = y",
    "cpu": 'x.to_device("cpu")',
    "cuda": 'x.to_device("cuda")',
    "data": "x.native",
    "detach": "corearray.stop_gradient(x)",
    "diagonal": "corearray.diagonal(x)",
    "dim": "x.ndim",
    "div_": "x /= y",
    "double": 'x.astype("float64")',
    "expand": "corearray.broadcast_to(x, shape)",
    "fill_": "x.fill(value)",
    "flat": "x.ravel()",
    "float": 'x.astype("float32")',
    "gather": "corearray.take_along_axis(x, indices, axis=axis)",
    "get_shape": "x.shape",
    "grad": "corearray.grad(loss)(x)",
    "half": 'x.astype("float16")',
    "index_select": "x.take(indices, axis)",
    "int": 'x.astype("int32")',
    "is_cuda": "x.device",
    "long": 'x.astype("int64")',
    "masked_fill": "corearray.where(mask, value, x)",
    "masked_fill_": "x[mask] = value",
    "matmul": "x @ y",
    "mm": "x @ y",
    "mul_": "x *= y",
    "ndimension": "x.ndim",
    "norm": "corearray.linalg.vector_norm(x)",
    "numel": "x.size",
    "numpy": "x.to_numpy()",
    "partition": "corearray.partition(x, kth)",
    "permute": "x.permute_dims(axes)",
    "ptp": "x.max(axis) - x.min(axis)",
    "put": "x[indices] = values",
    "requires_grad": "corearray.grad(loss)(x)",
    "requires_grad_": "corearray.grad(loss)(x)",
    "resize": "x.reshape(shape)",
    "strides": "x.to_numpy().strides",
    "sub_": "x -= y",
    "t": "x.T",
    "to": "x.astype(dtype) or x.to_device(device)",
    "tobytes": "x.to_numpy().tobytes()",
    "tofile": "corearray.save(file, x)",
    "topk": "corearray.top_k(x, k)",
    "trace": "corearray.trace(x)",
    "type": "x.astype(dtype)",
    "unsqueeze": "x.expand_dims(axis)",
    "view": "x.reshape(shape)",
    "zero_": "x.fill(0)",
}

#: Names of random number generators and of seeds.
OF_RANDOM = {
    "PRNGKey": "Generator",
    "RandomState": "Generator",
    "key": "Generator",
    "manual_seed": "seed",
    "rand": "uniform",
    "randint": "integers",
    "randn": "normal",
    "random": "uniform",
    "random_sample": "uniform",
    "randperm": "permutation",
    "set_seed": "seed",
    "standard_normal": "normal",
}


def hint(name: str) -> str:
    """Return the end of the message that a main namespace has no such name: what to write, if that is known."""
    if name.startswith("_"):
        return ""
    if name in WAYS:
        return f"; write {WAYS[name]}"
    if name in TOOLS:
        tools = [f"'corearray.{tool}'" for tool in TOOLS[name].split(", ")]
        return f"; it is {' or '.join(tools)} here"
    found = RENAMED.get(name)
    if found is None:
        from corearray.contract.declaration import DECLARATIONS

        declaration = DECLARATIONS.get(name)
        found = "" if declaration is None or declaration.main else f"{declaration.namespace}.{name}"
    return found and f"; it is '{found}' here"


def hint_of_random(name: str) -> str:
    """Return the end of the message that `corearray.random` has no such name."""
    from corearray.random.generator import Generator

    drawn = "" if name.startswith("_") or not hasattr(Generator, name) else f"default_generator().{name}"
    found = OF_RANDOM.get(name, drawn)
    return found and f"; it is '{found}' here"


def meant(name: str, names: Iterable[str]) -> str:
    """Return the name that was probably meant, or an empty text.

    Parameters
    ----------
    name
        What was given: an abbreviation, a longer name or one with a typo.
    names
        The names to choose from.

    Examples
    --------
    >>> meant("gp", ["alpha", "gamma_port"])
    'gamma_port'
    >>> meant("mygamma", ["alpha", "gamma"]), meant("alhpa", ["alpha", "gamma"]), meant("x", ["alpha"])
    ('gamma', 'alpha', '')
    """
    from difflib import get_close_matches

    names, given = list(names), name.lower()
    for known in names:
        letters = iter(known)
        shortened = len(given) > 1 and given[0] == known[0] and all(letter in letters for letter in given)
        if given and (shortened or known in given):
            return known
    return next(iter(get_close_matches(given, names, 1)), "")
