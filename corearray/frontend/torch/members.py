"""What torch's namespace has beside functions of arrays: its tensor class, gradient modes, and what tells of objects."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

import corearray as ca
from corearray.frontend.frontend import Namespace
from corearray.frontend.torch.amp.autocasting import autocast, get_autocast_dtype, is_autocast_enabled
from corearray.frontend.torch.devices import device, set_default_device
from corearray.frontend.torch.generators import (
    Generator,
    fork_rng,
    get_rng_state,
    initial_seed,
    manual_seed,
    seed,
    set_rng_state,
)
from corearray.frontend.torch.grad_mode import (
    enable_grad,
    gradients_enabled,
    inference_mode,
    is_inference_mode_enabled,
    no_grad,
    set_grad_enabled,
)
from corearray.frontend.torch.nn.paths import MODULES
from corearray.frontend.torch.promotion import default_dtype, set_default_dtype
from corearray.frontend.torch.results import finfo, iinfo
from corearray.frontend.torch.scaffold import BACKENDS, CPU, CUDA, KINDS, MPS, as_is, constructor, without_effect
from corearray.frontend.torch.size import Size
from corearray.frontend.torch.wrapper import Tensor

if TYPE_CHECKING:
    from corearray.frontend.frontend import Frontend

__all__ = ["Members", "broadcast_shapes", "is_tensor", "members"]

#: Namespaces whose members are those of a module of Python, which is imported when they are first asked for, and of rules.
_MODULES = frozenset(
    {"amp", "autograd", "distributions", "func", "nn.init", "nn.utils", "optim", "serialization", "utils"}
)

#: Functions of these modules that torch's own namespace has too.
_ALSO_HERE = {"vmap": "func", "save": "serialization", "load": "serialization"}

#: Switches of torch's process that change no results here.
_SWITCHES = frozenset(
    ("set_num_threads", "set_printoptions", "set_float32_matmul_precision", "use_deterministic_algorithms")
)

_GENERATORS: dict[str, Any] = {
    "Generator": Generator, "fork_rng": fork_rng, "get_rng_state": get_rng_state, "initial_seed": initial_seed,
    "manual_seed": manual_seed, "seed": seed, "set_rng_state": set_rng_state,
}  # fmt: skip


def members(frontend: Frontend) -> dict[str, Any]:
    """Return the members of one frontend; each has a tensor class of its own, with the methods of its version."""
    import_module("corearray.frontend.torch.following")
    kind: type[Tensor] = type("Tensor", (Tensor,), {"__slots__": (), "_frontend": frontend, "__module__": __name__})
    return Members(
        frontend,
        {
            "Tensor": kind,
            "Size": Size,
            "dtype": ca.DType,
            "no_grad": no_grad,
            "inference_mode": inference_mode,
            "is_inference_mode_enabled": is_inference_mode_enabled,
            "autocast": autocast,
            "is_autocast_enabled": is_autocast_enabled,
            "get_autocast_dtype": get_autocast_dtype,
            "enable_grad": enable_grad,
            "set_grad_enabled": set_grad_enabled,
            "is_grad_enabled": gradients_enabled,
            "finfo": finfo,
            "iinfo": iinfo,
            "is_tensor": is_tensor,
            "get_default_dtype": default_dtype,
            "set_default_dtype": set_default_dtype,
            "get_default_device": lambda: device(str(ca.default_device()).replace("gpu", "cuda")),
            "set_default_device": set_default_device,
            "device": device,
            **_GENERATORS,
            **{f"random.{name}": function for name, function in _GENERATORS.items()},
            "cpu": CPU,
            "cuda": CUDA,
            "backends": BACKENDS,
            "mps": MPS,
            "compile": as_is,
            "jit.script": as_is,
            **{name: constructor(frontend, name) for name in KINDS},
            **dict.fromkeys(_SWITCHES, without_effect),
            "broadcast_shapes": broadcast_shapes,
            "__version__": frontend.version,
            "version.__version__": frontend.version,
        },
    )


class Members(dict[str, Any]):
    """Members by name; the classes of `nn` and `optim` are made when they are first asked for."""

    def __init__(self, frontend: Frontend, known: dict[str, Any]) -> None:
        super().__init__(known)
        self._frontend = frontend

    def __contains__(self, name: object) -> bool:
        return super().__contains__(name) or (isinstance(name, str) and self._made(name) is not None)

    def _made(self, name: str) -> Any:
        path, _, last = name.rpartition(".")
        if path == "nn" and last[:1].isupper():
            from corearray.frontend.torch.nn.classes import NAMES, class_of

            if last in NAMES:
                self[name] = class_of(self._frontend, last)
        elif name.startswith("nn."):
            self._below_nn(path, last)
        if name in _MODULES:
            module = import_module(f"corearray.frontend.torch.{name}")
            self[name] = namespace = Namespace(self._frontend, f"torch.{name}")
            vars(namespace).update({member: getattr(module, member) for member in module.__all__})
        elif name in _ALSO_HERE:
            self[name] = getattr(import_module(f"corearray.frontend.torch.{_ALSO_HERE[name]}"), name)
        elif name == "nn.functional.triplet_margin_with_distance_loss":
            from corearray.frontend.torch.nn.losses import triplet_by

            self[name] = triplet_by(self._frontend)
        return self.get(name)

    def _below_nn(self, path: str, last: str) -> None:
        """Find a module of torch below `nn`, or a class in one."""
        name, module = f"{path}.{last}", path.removeprefix("nn.")
        if name.removeprefix("nn.") in MODULES:
            self[name] = Namespace(self._frontend, f"torch.{name}")
        elif module in MODULES:
            from corearray.frontend.torch.nn.classes import class_below

            found = class_below(self._frontend, module, last)
            if found is not None:
                self[name] = found


def is_tensor(obj: Any) -> bool:
    """Return whether an object is a tensor of this frontend."""
    return isinstance(obj, Tensor)


def broadcast_shapes(*shapes: Any) -> Size:
    """Return the shape to which shapes broadcast."""
    given = [(shape,) if isinstance(shape, int) else tuple(shape) for shape in shapes]
    return Size(ca.broadcast_shapes(*given))
