"""Where to find what has another name elsewhere, for the messages to those who looked for it in vain."""

from __future__ import annotations

from collections.abc import Iterable

__all__ = ["OF_RANDOM", "RENAMED", "hint", "hint_of_random", "meant"]

#: Names of NumPy, torch and TensorFlow, and what the array API standard, or corearray where it is silent, calls the same.
RENAMED = {
    "absolute": "abs",
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
    "bitwise_not": "bitwise_invert",
    "bmm": "matmul",
    "cat": "concat",
    "clamp": "clip",
    "concatenate": "concat",
    "conjugate": "conj",
    "convert_to_tensor": "asarray",
    "cumprod": "cumulative_prod",
    "cumsum": "cumulative_sum",
    "degrees": "rad2deg",
    "div": "divide",
    "eq": "equal",
    "fabs": "abs",
    "from_numpy": "asarray",
    "ge": "greater_equal",
    "gt": "greater",
    "identity": "eye",
    "in1d": "isin",
    "invert": "bitwise_invert",
    "le": "less_equal",
    "left_shift": "bitwise_left_shift",
    "lt": "less",
    "mm": "matmul",
    "mod": "remainder",
    "mul": "multiply",
    "ne": "not_equal",
    "neg": "negative",
    "norm": "linalg.vector_norm",
    "permute": "permute_dims",
    "power": "pow",
    "radians": "deg2rad",
    "reduce_max": "max",
    "reduce_mean": "mean",
    "reduce_min": "min",
    "reduce_prod": "prod",
    "reduce_sum": "sum",
    "right_shift": "bitwise_right_shift",
    "row_stack": "vstack",
    "sub": "subtract",
    "tensor": "asarray",
    "trapz": "trapezoid",
    "true_divide": "divide",
    "unique": "unique_values",
    "unsqueeze": "expand_dims",
}

#: The same for what draws random numbers, and its seed.
OF_RANDOM = {
    "PRNGKey": "Generator",
    "RandomState": "Generator",
    "default_rng": "Generator",
    "key": "Generator",
    "manual_seed": "seed",
    "rand": "default_generator().uniform",
    "randint": "default_generator().integers",
    "randn": "default_generator().normal",
    "random": "default_generator().uniform",
    "randperm": "default_generator().permutation",
    "set_seed": "seed",
    "standard_normal": "default_generator().normal",
}


def hint(name: str) -> str:
    """Write the end of a message that there is no such name in a main namespace: what to take, if that is known."""
    if name.startswith("_"):
        return ""
    found = RENAMED.get(name)
    if found is None:
        from corearray.contract.declaration import DECLARATIONS

        declaration = DECLARATIONS.get(name)
        found = "" if declaration is None or declaration.main else f"{declaration.namespace}.{name}"
    return found and f"; it is '{found}' here"


def hint_of_random(name: str) -> str:
    """Write the end of a message that `corearray.random` has no such name."""
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
