"""Hints for names of `torch.nn`, `torch.optim`, Keras, Flax and optax that do not exist here: what to write."""

from __future__ import annotations

import re

from corearray.backends.hinting import hint_of_nn

__all__ = ["name_hint", "of_init", "of_module", "of_optim"]

#: By names of `torch.nn`. Those of whole families are in `name_hint`.
_NN = {
    "Parameter": "a floating array that is an attribute of a Module is a parameter: self.weight = corearray.zeros(3)",
    "UninitializedParameter": "layers take explicit sizes",
    "functional": "functions such as relu and softmax are in corearray",
    "utils": "optim.clip_by_global_norm and optim.clip_by_value clip gradients, parts of optim.chain",
    "parallel": "corearray.shard divides arrays among devices",
    "DataParallel": "corearray.shard divides arrays among devices",
    "SyncBatchNorm": "write BatchNorm1d, BatchNorm2d or BatchNorm3d",
    "NLLLoss2d": "write NLLLoss",
    "Container": "write Module",
    "grad": "write corearray.grad, or nn.value_and_grad",
    "compact": "layers are made in __init__, as attributes",
    "Input": "a module is called with arrays; it needs no inputs",
    "Lambda": "write a function, or a Module with a method 'forward'",
    "Concatenate": "write corearray.concat([x, y], axis=-1)",
    "Add": "write x + y",
    "Multiply": "write x * y",
    "Reshape": "write x.reshape(shape), or nn.Unflatten",
    "Activation": "write nn.ReLU() and its like, or corearray.relu(x)",
}

#: Layers and losses of Keras and Flax, by the names that they have here. `#` is the number of axes.
_NAMED = {
    "Dense": "Linear",
    "Embed": "Embedding",
    "Conv": "Conv2d",
    "Conv#D": "Conv#d",
    "Convolution#D": "Conv#d",
    "ConvTranspose": "ConvTranspose2d",
    "Conv#DTranspose": "ConvTranspose#d",
    "DepthwiseConv#D": "Conv#d(channels, channels, kernel_size, groups=channels)",
    "MaxPool#D": "MaxPool#d",
    "MaxPooling#D": "MaxPool#d",
    "AvgPool#D": "AvgPool#d",
    "AveragePooling#D": "AvgPool#d",
    "AdaptiveAveragePooling#D": "AdaptiveAvgPool#d",
    "AdaptiveMaxPooling#D": "AdaptiveMaxPool#d",
    "GlobalAvgPool#D": "AdaptiveAvgPool#d(1)",
    "GlobalAveragePooling#D": "AdaptiveAvgPool#d(1)",
    "GlobalMaxPool#D": "AdaptiveMaxPool#d(1)",
    "GlobalMaxPooling#D": "AdaptiveMaxPool#d(1)",
    "UpSampling#D": "Upsample",
    "ZeroPadding#D": "ZeroPad#d",
    "SpatialDropout#D": "Dropout#d",
    "BatchNorm": "BatchNorm1d, BatchNorm2d or BatchNorm3d",
    "BatchNormalization": "BatchNorm1d, BatchNorm2d or BatchNorm3d",
    "LayerNormalization": "LayerNorm",
    "GroupNormalization": "GroupNorm",
    "RMSNormalization": "RMSNorm",
    "MultiHeadAttention": "MultiheadAttention",
    "MultiHeadDotProductAttention": "MultiheadAttention",
    "SimpleRNN": "RNN",
    "SimpleCell": "RNNCell",
    "Layer": "Module",
    "Model": "Module",
    "Param": "Module, whose floating arrays are parameters",
    "BinaryCrossentropy": "BCELoss or BCEWithLogitsLoss",
    "CategoricalCrossentropy": "CrossEntropyLoss",
    "SparseCategoricalCrossentropy": "CrossEntropyLoss",
    "MeanSquaredError": "MSELoss",
    "MSE": "MSELoss",
    "MeanAbsoluteError": "L1Loss",
    "MAE": "L1Loss",
    "Huber": "HuberLoss",
    "KLDivergence": "KLDivLoss",
    "Poisson": "PoissonNLLLoss",
    "Hinge": "HingeEmbeddingLoss",
    "CTC": "CTCLoss",
}

#: Initializers of Keras.
_INIT = {
    "RandomNormal": "normal",
    "RandomUniform": "uniform",
    "trunc_normal": "truncated_normal",
    "eye": "identity",
    "delta_orthogonal": "orthogonal",
}

#: By names of `torch.optim`.
_OPTIM = {
    "lr_scheduler": "a schedule is the learning rate of an optimiser: optim.adamw(optim.step_decay(0.1, 30))",
    "swa_utils": "write optim.average_weights()",
    "ReduceLROnPlateau": "write optim.plateau()",
    "LBFGS": "a Transformation sees one gradient a step, and this method needs several",
    "SparseAdam": "write Adam",
    "ASGD": "corearray.frontend has it, under the name of its library",
    "Rprop": "corearray.frontend has it, under the name of its library",
    "Nadam": "write NAdam",
    "Lamb": "write LAMB",
    "GradientTransformation": "write Transformation",
    "multi_transform": "write partition",
    "clip": "write clip_by_value",
    "lr_schedule": "a schedule is the learning rate of an optimiser: optim.adamw(optim.step_decay(0.1, 30))",
    "cosine_decay_schedule": "write cosine_decay",
    "warmup_cosine_decay_schedule": "write warmup_cosine",
    "linear_schedule": "write linear",
    "constant_schedule": "write constant",
    "join_schedules": "write join",
    "global_norm": "write clip_by_global_norm, or corearray.linalg.vector_norm of the leaves",
    "incremental_update": "write average_weights",
    "ema": "write average_weights",
    "set_to_zero": "write nn.Module.freeze(), or masked",
}

#: By methods and attributes of `torch.nn.Module`.
_MODULE = {
    "register_buffer": "write self.name = nn.Buffer(array)",
    "register_parameter": "write self.name = array, which makes a floating array a parameter",
    "add_module": "write self.name = module",
    "register_module": "write self.name = module",
    "named_parameters": "write parameters().items()",
    "named_buffers": "write buffers().items()",
    "children": "write modules() or the attributes",
    "named_children": "write named_modules() or the attributes",
    "get_parameter": "write parameters()[name]",
    "get_buffer": "write buffers()[name]",
    "get_submodule": "write dict(named_modules())[name]",
    "set_submodule": "write replace(name, module)",
    "zero_grad": "gradients are values that nn.value_and_grad returns; there are none to reset",
    "requires_grad_": "write freeze() or unfreeze()",
    "to": "write to_device(device) or astype(dtype)",
    "cuda": "write to_device('cuda:0')",
    "cpu": "write to_device('cpu')",
    "half": "write astype('float16')",
    "bfloat16": "write astype('bfloat16')",
    "float": "write astype('float32')",
    "double": "write astype('float64')",
    "type": "write astype(dtype)",
    "compile": "write corearray.compile(module), or nn.TrainStep for a step of training",
    "share_memory": "arrays of frameworks are not shared among processes",
    "extra_repr": "write __repr__",
}


def name_hint(name: str) -> str:
    """Return the end of the message that `corearray.nn` has no such name."""
    said = _NN.get(name, "")
    if name.startswith("Lazy"):
        said = f"layers take explicit sizes: write {name.removeprefix('Lazy')}"
    size = re.search(r"[123](?=D)", name)
    found = _NAMED.get(name) or _NAMED.get(re.sub(r"[123](?=D)", "#", name), "")
    if found and not said:
        said = f"write {found.replace('#', size[0] if size else '2')}"
    return f"; {said}" if said else hint_of_nn(name)


def of_optim(name: str) -> str:
    """Return the end of the message that `corearray.optim` has no such name."""
    said = _OPTIM.get(name, "")
    if name.endswith("LR") and name != "lr_scheduler":
        said = _OPTIM["lr_scheduler"]
    return f"; {said}" if said else ""


def of_init(name: str, known: list[str]) -> str:
    """Return the end of the message that `corearray.nn.init` has no such name."""
    base = name.removesuffix("_")
    base = _INIT.get(base, base)
    if name[:1].isupper():  # classes of Keras
        base = re.sub(r"(?<!^)(?=[A-Z])", "_", base).lower()
    return f"; it returns a new array: layer.weight = init.{base}(shape)" if name != base and base in known else ""


def of_module(name: str) -> str:
    """Return the end of the message that a module has no such attribute."""
    if "hook" in name:
        return "; a module around another one, or a method 'forward' of a derived class, sees arguments and results"
    said = _MODULE.get(name, "")
    return f"; {said}" if said else ""
