"""Complex numbers given to functions that were defined for real ones, such as activations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from corearray.errors import CoreArrayValueError, options
from corearray.plugin import hookimpl

if TYPE_CHECKING:
    from corearray.calls.binding import Binding, Call

__all__ = ["MODES", "handle_complex_input"]

#: What `complex_mode` may be; the first, the default, is named after the convention that it follows.
MODES = ("jax", "split", "magnitude")


@hookimpl
def handle_complex_input(call: Call, function: Binding) -> Call | None:
    """Compute complex input by the parameter `complex_mode`, in functions that declare it.

    `"split"` computes the real and the imaginary part each by itself; `"magnitude"` computes the absolute values and
    leaves the angles as they are; `"jax"` is what the declaration says of this function: one of these, or `"entire"`,
    where the implementation takes complex numbers itself.
    """
    parameters = function.declaration.parameters
    place = next((i for i, p in enumerate(parameters) if p.role == "mode"), None)
    if place is None:
        return None
    name = function.declaration.name
    backend = function.backend
    usual = function.declaration.complex_input
    first = function.arrays[0]
    xp: Any = backend if function.implementation is None else backend.native

    def by_mode(args: list[Any]) -> Any:
        mode = args[place]
        if mode not in MODES:
            raise CoreArrayValueError(f"complex_mode of '{name}' cannot be {mode!r}; it is one of {options(MODES)}")
        x = args[first]
        how = usual if mode == MODES[0] else mode
        if how == "entire" or backend.dtype_of(x).category != "complex floating":
            return call(args)

        def computed(part: Any) -> Any:
            return call([part if i == first else value for i, value in enumerate(args)])

        if how == "split":
            return xp.complex(computed(xp.real(x)), computed(xp.imag(x)))
        magnitude = xp.abs(x)
        none = xp.equal(magnitude, 0)
        angle = xp.divide(x, xp.astype(xp.where(none, 1.0, magnitude), x.dtype))
        angle = xp.where(none, 1.0, angle)
        return xp.multiply(angle, xp.astype(computed(magnitude), x.dtype))

    return by_mode
