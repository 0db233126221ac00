"""Functions of functions: derivatives, and mapping over an axis.

What is differentiated or mapped are trees of lists, tuples, dictionaries and Containers with arrays for leaves, taken
apart here, so that a backend sees lists of native arrays and answers three questions (`reverse_mode`, `forward_mode`,
`vectorized` in `corearray.hookspecs`). All of them nest, within each other and within those of the framework.
"""

from corearray.transforms.derivatives import execute_with_gradients, grad, jac, jvp, value_and_grad, vjp
from corearray.transforms.mapping import vmap

__all__ = ["execute_with_gradients", "grad", "jac", "jvp", "value_and_grad", "vjp", "vmap"]
