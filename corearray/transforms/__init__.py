"""Function transforms: derivatives, vectorisation, compilation, control flow, and optimiser steps.

The transforms work on trees: lists, tuples, dictionaries and Containers with arrays as leaves. A tree is flattened
here, so that a backend sees lists of native arrays and implements few hooks (`reverse_mode`, `forward_mode`,
`vectorized`, `compiled_function` in `corearray.hookspecs`). All transforms nest, with each other and with those of the
framework.
"""

from corearray.transforms.compiling import compile
from corearray.transforms.control_flow import associative_scan, for_loop, if_else, scan, while_loop
from corearray.transforms.custom import bind_custom_gradient_function
from corearray.transforms.derivatives import (
    execute_with_gradients,
    grad,
    hessian,
    jac,
    jacrev,
    jvp,
    value_and_grad,
    vjp,
)
from corearray.transforms.forward import jacfwd
from corearray.transforms.mapping import apply_along_axis, map_in_parts, vmap
from corearray.transforms.meta import MetaStepResult, fomaml_step, maml_step, reptile_step
from corearray.transforms.records import register_tree
from corearray.transforms.rematerialized import remat
from corearray.transforms.switching import switch
from corearray.transforms.trees import global_norm, tree_map
from corearray.transforms.updates import adam_step, adam_update, gradient_descent_update, lamb_update, lars_update
from corearray.transforms.vectorizing import vectorize

__all__ = [
    "MetaStepResult",
    "adam_step",
    "adam_update",
    "apply_along_axis",
    "associative_scan",
    "bind_custom_gradient_function",
    "compile",
    "execute_with_gradients",
    "fomaml_step",
    "for_loop",
    "global_norm",
    "grad",
    "gradient_descent_update",
    "hessian",
    "if_else",
    "jac",
    "jacfwd",
    "jacrev",
    "jvp",
    "lamb_update",
    "lars_update",
    "maml_step",
    "map_in_parts",
    "register_tree",
    "remat",
    "reptile_step",
    "scan",
    "switch",
    "tree_map",
    "value_and_grad",
    "vectorize",
    "vjp",
    "vmap",
    "while_loop",
]
