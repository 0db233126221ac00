"""torch.nn.utils.prune: parameters multiplied by masks of zeros and ones at each call of their module."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from corearray.errors import CoreArrayTypeError, CoreArrayValueError
from corearray.frontend.torch.grad_mode import no_grad
from corearray.frontend.torch.nn.module import Module

__all__ = [
    "BasePruningMethod", "CustomFromMask", "Identity", "L1Unstructured", "LnStructured", "PruningContainer",
    "RandomStructured", "RandomUnstructured", "custom_from_mask", "global_unstructured", "identity", "is_pruned",
    "l1_unstructured", "ln_structured", "random_structured", "random_unstructured", "remove",
]  # fmt: skip


def _count(amount: float, size: int) -> int:
    """Return how many of `size` entries an amount stands for: a number, or a share from 0 to 1.

    Raises
    ------
    ValueError
        If the amount is neither, or more than there are.
    """
    if isinstance(amount, bool) or not isinstance(amount, (int, float)):
        raise CoreArrayTypeError(f"amount={amount!r} should be a number of entries or a share from 0 to 1")
    if isinstance(amount, int) and not 0 <= amount <= size:
        raise CoreArrayValueError(f"amount={amount} should be from 0 to the {size} entries that there are")
    if isinstance(amount, float) and not 0.0 <= amount <= 1.0:
        raise CoreArrayValueError(f"amount={amount} should be a share from 0 to 1, or an integer")
    return amount if isinstance(amount, int) else round(amount * size)


def _smallest(scores: Any, count: int) -> Any:
    """Return the places of the smallest elements of a vector of scores."""
    return scores.topk(count, largest=False).indices


class BasePruningMethod:
    """A hook that computes a parameter of its origin (`weight_orig`) and a mask (`weight_mask`).

    A derived class defines `compute_mask(t, default_mask)`, which returns a mask of the shape of `t`, and `PRUNING_TYPE`:
    `"unstructured"`, `"structured"` or `"global"`.
    """

    PRUNING_TYPE: str = "unstructured"
    _tensor_name: str = ""

    def __call__(self, module: Module, inputs: Any) -> None:
        """Compute the parameter."""
        vars(module)[self._tensor_name] = self.apply_mask(module)

    def compute_mask(self, t: Any, default_mask: Any) -> Any:
        """Return a mask; a derived class defines it."""
        raise NotImplementedError(f"'{type(self).__name__}' has no method 'compute_mask'")

    def apply_mask(self, module: Module) -> Any:
        """Return the product of the origin and the mask."""
        name = self._tensor_name
        original = module._parameters[f"{name}_orig"]
        return module._buffers[f"{name}_mask"].to(original.dtype) * original

    @classmethod
    def apply(cls, module: Module, name: str, *args: Any, importance_scores: Any = None, **options: Any) -> Any:
        """Prune a parameter of a module, one that is pruned already further."""
        known = _hook(module, name)
        method: Any = cls(*args, **options)
        method._tensor_name = name
        with no_grad():
            if known is None:
                original = module._parameters.pop(name)
                mask = original._frontend.ones_like(original).detach()
                module.register_parameter(f"{name}_orig", original)
            else:
                mask = module._buffers[f"{name}_mask"]
                container = known if isinstance(known, PruningContainer) else PruningContainer(known)
                container.add_pruning_method(method)
                _replace(module, known, container)
                method = container
            original = module._parameters[f"{name}_orig"]
            if importance_scores is not None and tuple(importance_scores.shape) != tuple(original.shape):
                raise CoreArrayValueError(
                    f"importance_scores have the shape {tuple(importance_scores.shape)}, and '{name}' has "
                    f"{tuple(original.shape)}"
                )
            scores = (mask * original if importance_scores is None else importance_scores).detach()
            module.register_buffer(f"{name}_mask", method.compute_mask(scores, default_mask=mask).detach())
        if known is None:
            module.register_forward_pre_hook(method)
        vars(module)[name] = method.apply_mask(module)
        return method

    def prune(self, t: Any, default_mask: Any = None, importance_scores: Any = None) -> Any:
        """Return a tensor times the mask that is computed of it or of scores."""
        mask = t._frontend.ones_like(t) if default_mask is None else default_mask
        return t * self.compute_mask(t if importance_scores is None else importance_scores, default_mask=mask)

    def remove(self, module: Module) -> None:
        """Make the product the parameter, and forget origin and mask."""
        name = self._tensor_name
        original = module._parameters.pop(f"{name}_orig")
        mask = module._buffers.pop(f"{name}_mask")
        original.array = (mask.to(original.dtype) * original.detach()).array
        vars(module).pop(name, None)
        module.register_parameter(name, original)


class PruningContainer(BasePruningMethod):
    """Several methods, each applied to what the ones before it have left."""

    def __init__(self, *args: Any) -> None:
        self._methods: tuple[Any, ...] = ()
        for method in args:
            self.add_pruning_method(method)

    def __len__(self) -> int:
        return len(self._methods)

    def __iter__(self) -> Any:
        return iter(self._methods)

    def __getitem__(self, place: int) -> Any:
        return self._methods[place]

    def add_pruning_method(self, method: Any) -> None:
        """Add a method for the same parameter."""
        if not isinstance(method, BasePruningMethod):
            raise CoreArrayTypeError(f"{type(method)} is not a BasePruningMethod subclass")
        if self._methods and method._tensor_name != self._tensor_name:
            raise CoreArrayValueError(
                f"a container prunes '{self._tensor_name}', and the method '{method._tensor_name}'"
            )
        self._tensor_name = method._tensor_name
        self._methods += (method,)

    def compute_mask(self, t: Any, default_mask: Any) -> Any:
        """Apply the newest method to the entries that are left."""
        method, mask = self._methods[-1], default_mask
        if method.PRUNING_TYPE == "unstructured":
            kept = (mask.flatten() != 0).nonzero().flatten()
            flat, own = t.flatten(), mask.flatten().clone()
            own[kept] = method.compute_mask(flat[kept], default_mask=own[kept])
            return own.reshape(mask.shape)
        if method.PRUNING_TYPE == "structured":
            dim = method.dim % t.dim()
            kept = (mask.movedim(dim, 0).flatten(1).sum(1) != 0).nonzero().flatten()
            own = mask.movedim(dim, 0).clone()
            part = method.compute_mask(t.movedim(dim, 0)[kept].movedim(0, dim), own[kept].movedim(0, dim))
            own[kept] = part.movedim(dim, 0)
            return own.movedim(0, dim)
        return method.compute_mask(t, default_mask=mask)


class Identity(BasePruningMethod):
    """Pruning of nothing."""

    def compute_mask(self, t: Any, default_mask: Any) -> Any:
        """Return the mask as it is."""
        return default_mask


class _Unstructured(BasePruningMethod):
    def __init__(self, amount: float) -> None:
        _count(amount, amount if isinstance(amount, int) and amount > 0 else 1)
        self.amount = amount

    def scores(self, t: Any) -> Any:
        raise NotImplementedError

    def compute_mask(self, t: Any, default_mask: Any) -> Any:
        """Return the mask without the entries of the lowest scores."""
        count, mask = _count(self.amount, t.numel()), default_mask.clone()
        if count:
            flat = mask.flatten()
            flat[_smallest(self.scores(t).flatten(), count)] = 0
            mask = flat.reshape(mask.shape)
        return mask


class RandomUnstructured(_Unstructured):
    """Pruning of random entries."""

    def scores(self, t: Any) -> Any:
        """Return random numbers."""
        return t._frontend.rand_like(t)


class L1Unstructured(_Unstructured):
    """Pruning of the entries of the smallest magnitude."""

    def scores(self, t: Any) -> Any:
        """Return magnitudes."""
        return t.abs()


class _Structured(BasePruningMethod):
    PRUNING_TYPE = "structured"
    dim: int
    amount: int | float

    def scores(self, t: Any) -> Any:
        raise NotImplementedError

    def compute_mask(self, t: Any, default_mask: Any) -> Any:
        """Return the mask without the slices of the lowest scores."""
        if t.dim() < 2:
            raise CoreArrayValueError(f"structured pruning takes tensors of 2 axes or more, got the shape {t.shape}")
        dim = self.dim % t.dim()
        count, mask = _count(self.amount, t.shape[dim]), default_mask.movedim(dim, 0).clone()
        if count:
            mask[_smallest(self.scores(t.movedim(dim, 0)), count)] = 0
        return mask.movedim(0, dim)


class RandomStructured(_Structured):
    """Pruning of random slices along an axis."""

    def __init__(self, amount: float, dim: int = -1) -> None:
        self.amount, self.dim = amount, dim

    def scores(self, t: Any) -> Any:
        """Return a random number for each slice."""
        return t._frontend.rand(t.shape[0])


class LnStructured(_Structured):
    """Pruning of the slices of the smallest norms along an axis."""

    def __init__(self, amount: float, n: Any, dim: int = -1) -> None:
        self.amount, self.n, self.dim = amount, n, dim

    def scores(self, t: Any) -> Any:
        """Return the norm of each slice."""
        return t._frontend.norm(t.flatten(1), p=self.n, dim=1)


class CustomFromMask(BasePruningMethod):
    """Pruning by a mask that is given."""

    PRUNING_TYPE = "global"

    def __init__(self, mask: Any) -> None:
        self.mask = mask

    def compute_mask(self, t: Any, default_mask: Any) -> Any:
        """Return the product of both masks."""
        return default_mask * self.mask.to(default_mask.dtype)


def _hook(module: Module, name: str) -> Any:
    hooks = module._before.values()
    return next((x for x in hooks if isinstance(x, BasePruningMethod) and x._tensor_name == name), None)


def _replace(module: Module, hook: Any, other: Any) -> None:
    for number, known in list(module._before.items()):
        if known is hook:
            module._before[number] = other


def identity(module: Module, name: str) -> Module:
    """Give a parameter an origin and a mask of ones."""
    Identity.apply(module, name)
    return module


def random_unstructured(module: Module, name: str, amount: float) -> Module:
    """Prune random entries of a parameter: a number of them, or a share."""
    RandomUnstructured.apply(module, name, amount)
    return module


def l1_unstructured(module: Module, name: str, amount: float, importance_scores: Any = None) -> Module:
    """Prune the entries of the smallest magnitude, or of the lowest scores."""
    L1Unstructured.apply(module, name, amount, importance_scores=importance_scores)
    return module


def random_structured(module: Module, name: str, amount: float, dim: int) -> Module:
    """Prune random slices along an axis."""
    RandomStructured.apply(module, name, amount, dim)
    return module


def ln_structured(module: Module, name: str, amount: float, n: Any, dim: int, importance_scores: Any = None) -> Module:
    """Prune the slices of the smallest norms along an axis."""
    LnStructured.apply(module, name, amount, n, dim, importance_scores=importance_scores)
    return module


def custom_from_mask(module: Module, name: str, mask: Any) -> Module:
    """Prune by a mask."""
    CustomFromMask.apply(module, name, mask)
    return module


def global_unstructured(
    parameters: Iterable[Any], pruning_method: Any, importance_scores: Any = None, **kwargs: Any
) -> None:
    """Prune several parameters, pairs of a module and a name, by one comparison of all their entries."""
    pairs, given = list(parameters), importance_scores or {}
    weights = [getattr(module, name) for module, name in pairs]
    torch = weights[0]._frontend
    scores = torch.cat([given.get(pair, x).detach().flatten() for pair, x in zip(pairs, weights, strict=True)])
    masks = [getattr(module, f"{name}_mask", None) for module, name in pairs]
    before = torch.cat(
        [(torch.ones_like(x) if m is None else m).flatten() for x, m in zip(weights, masks, strict=True)]
    )
    container = PruningContainer()
    container._tensor_name = "temp"
    method = pruning_method(**kwargs)
    method._tensor_name = "temp"
    if method.PRUNING_TYPE != "unstructured":
        raise CoreArrayTypeError(
            f"global_unstructured takes methods of the type 'unstructured', got '{method.PRUNING_TYPE}'"
        )
    container.add_pruning_method(method)
    made, start = container.compute_mask(scores, before), 0
    for (module, name), x in zip(pairs, weights, strict=True):
        custom_from_mask(module, name, made[start : start + x.numel()].reshape(x.shape))
        start += x.numel()


def remove(module: Module, name: str) -> Module:
    """Make the pruned parameter an ordinary one.

    Raises
    ------
    ValueError
        If it is not pruned.
    """
    hook = _hook(module, name)
    if hook is None:
        raise CoreArrayValueError(
            f"Parameter '{name}' of module {module} has to be pruned before pruning can be removed"
        )
    for number, known in list(module._before.items()):
        if known is hook:
            del module._before[number]
    hook.remove(module)
    return module


def is_pruned(module: Module) -> bool:
    """Return true if a parameter of the module, or of one within it, is pruned."""
    return any(isinstance(x, BasePruningMethod) for one in module.modules() for x in one._before.values())
