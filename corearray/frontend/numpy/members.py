"""Members of NumPy's namespace that are no rules: classes, settings, printing, and functions that take functions."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from functools import partial
from importlib import import_module
from typing import Any

import corearray as ca
from corearray.frontend.numpy.data_types import typecodes
from corearray.frontend.numpy.printing import get_options, options_set
from corearray.frontend.numpy.scalars import Types
from corearray.frontend.numpy.ufuncs import ufunc

__all__ = [
    "ComplexWarning",
    "DTypePromotionError",
    "RankWarning",
    "TooHardError",
    "VisibleDeprecationWarning",
    "members",
]

#: Modules of functions that are written in NumPy's own words; `FUNCTIONS` maps their names to functions whose first argument
#: is the frontend.
_MODULES = "arrays calling inspecting settings gridding histograms polynomials randomness sets windows".split()


#: Functions in C of NumPy's, which become no methods of a class that holds them: `class A: array = np.array`.
_UNBOUND = frozenset("array asarray asanyarray ascontiguousarray frombuffer fromiter fromstring copyto".split())


def members(frontend: Any) -> Mapping[str, Any]:
    """Return the members of one frontend; each has classes of its own, with the functions of its version."""
    types = Types(frontend)
    found: dict[str, Any] = {"ndarray": types.ndarray, "dtype": types.dtype, "ufunc": ufunc, **types.named}
    frontend._members = found
    found |= {
        "True_": types.scalar(ca.asarray(True)),
        "False_": types.scalar(ca.asarray(False)),
        "typecodes": typecodes,
        "ScalarType": (int, float, complex, bool, *(types.named[name] for name in sorted(types.named))),
        "sctypeDict": dict(types.named),
        "euler_gamma": 0.5772156649015329,
        "little_endian": True,
        "__version__": frontend.version,
        "version.version": frontend.version,
        "get_printoptions": get_options,
        "printoptions": options_set,
        "exceptions.AxisError": ca.AxisError,
        "exceptions.ComplexWarning": ComplexWarning,
        "exceptions.VisibleDeprecationWarning": VisibleDeprecationWarning,
        "exceptions.RankWarning": RankWarning,
        "exceptions.DTypePromotionError": DTypePromotionError,
        "exceptions.TooHardError": TooHardError,
        "linalg.LinAlgError": ca.LinAlgError,
    }
    if frontend.version.startswith(("0.", "1.")):
        found |= {
            "AxisError": ca.AxisError, "ComplexWarning": ComplexWarning, "RankWarning": RankWarning, "Inf": ca.inf,
            "NaN": ca.nan,
            "NAN": ca.nan, "infty": ca.inf, "PINF": ca.inf, "NINF": -ca.inf, "PZERO": 0.0, "NZERO": -0.0, "Infinity": ca.inf,
        }  # fmt: skip
    for name in _MODULES:
        for key, function in import_module(f"corearray.frontend.numpy.members_of.{name}").FUNCTIONS.items():
            found[key] = _bound(function, frontend, key)
    from corearray.frontend.numpy.generators import classes as generators
    from corearray.frontend.numpy.iterators import iterators
    from corearray.frontend.numpy.members_of.gridding import objects
    from corearray.frontend.numpy.members_of.settings import classes
    from corearray.frontend.numpy.operators_mixin import NDArrayOperatorsMixin

    found["lib.mixins.NDArrayOperatorsMixin"] = type(
        "NDArrayOperatorsMixin", (NDArrayOperatorsMixin,), {"_np": frontend, "__slots__": ()}
    )

    return found | iterators(frontend) | objects(frontend) | classes(frontend) | generators(frontend)


def _bound(function: Callable[..., Any], frontend: Any, name: str) -> Callable[..., Any]:
    made: Any = partial(function, frontend)

    def called(*args: Any, **options: Any) -> Any:
        options.pop("like", None)
        return made(*args, **options)

    called.__name__ = called.__qualname__ = name.rpartition(".")[2]
    called.__module__ = "numpy"
    called.__doc__ = function.__doc__
    parameters = list(inspect.signature(function).parameters.values())[1:]
    called.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    if name not in _UNBOUND:
        return called
    unbound: Any = partial(called)
    unbound.__name__, unbound.__doc__ = called.__name__, called.__doc__
    return unbound


class ComplexWarning(RuntimeWarning):
    """Imaginary parts are discarded."""


class VisibleDeprecationWarning(UserWarning):
    """A use of NumPy that will end."""


class RankWarning(RuntimeWarning):
    """A fit that is badly conditioned."""


class DTypePromotionError(TypeError):
    """Dtypes that have none in common."""


class TooHardError(RuntimeError):
    """A problem that would take too long."""
