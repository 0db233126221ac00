"""Transformations of some of the parameters: masks, weight decay, and several optimisers in one."""

from __future__ import annotations

import re
from typing import Any

from corearray.errors import CoreArrayTypeError, CoreArrayValueError
from corearray.optim.recipes import recipe
from corearray.optim.transform import Transformation, stateless
from corearray.transforms.tree import Tree, leaf_names

__all__ = ["add_decayed_weights", "after_decay", "decayed", "decaying", "masked", "partition"]

#: What `corearray list-functions` says of the functions here that are no declarations.
__kind__ = "convenience"


@recipe
def masked(transformation: Transformation, mask: Any) -> Transformation:
    """Restrict a transformation to some of the parameters; the updates of the others pass through.

    Parameters
    ----------
    transformation
        A `Transformation`; a chain as well.
    mask
        The parameters it applies to: a function `mask(name, parameter) -> bool`, a regular expression that is searched for in
        names, or a tree of booleans like the parameters. A name is the path of keys and places, as `"blocks.0.weight"`.

    Returns
    -------
    `Transformation`. Its state has arrays for the chosen parameters only.

    Raises
    ------
    TypeError
        If the mask is none of the three.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import optim
    >>> matrices = optim.masked(optim.scale(10.0), lambda name, parameter: parameter.ndim >= 2)
    >>> parameters = {"weight": ca.ones((1, 1)), "bias": ca.ones(1)}
    >>> updates = matrices.transform(parameters, matrices.init(parameters), parameters)[0]
    >>> updates["weight"].tolist(), updates["bias"].tolist()
    ([[10.0]], [1.0])
    """
    _require(transformation, "masked")
    mask = _read(mask)

    def init(parameters: Any) -> Any:
        tree = Tree(parameters)
        return transformation.init(_picked(_with_gaps(tree), tree.leaves, _chosen(mask, tree)))

    def transform(updates: Any, state: Any, parameters: Any, value: Any) -> tuple[Any, Any]:
        tree = Tree(parameters)
        chosen = _chosen(mask, tree)
        given = tree.like(updates, _ALIKE)
        part = _with_gaps(tree)
        mine = _picked(part, tree.leaves, chosen)
        changed, state = transformation.transform(_picked(part, given, chosen), state, mine, value=value)
        new = part.like(changed, _ALIKE)
        return tree.of([new[i] if chosen[i] else given[i] for i in range(len(chosen))]), state

    return Transformation(init, transform, needs_value=True)


@recipe
def partition(*cases: tuple[Any, Transformation], rest: Transformation) -> Transformation:
    """Give different parameters to different transformations.

    Parameters
    ----------
    cases
        Pairs of a mask, as `masked` takes it, and a `Transformation`. A parameter belongs to the first case whose mask holds.
    rest
        `Transformation` of the parameters of no case.

    Returns
    -------
    `Transformation` whose state is the tuple of their states.

    Raises
    ------
    TypeError
        If a case is no such pair.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import optim
    >>> optimizer = optim.partition(("bias", optim.sgd(1.0)), rest=optim.sgd(0.5))
    >>> parameters = {"weight": ca.ones(1), "bias": ca.ones(1)}
    >>> parameters, state = optimizer.update(parameters, optimizer.init(parameters), parameters)
    >>> parameters["weight"].tolist(), parameters["bias"].tolist()
    ([0.5], [0.0])
    """
    for case in cases:
        if not isinstance(case, tuple) or len(case) != 2:
            raise CoreArrayTypeError(f"'partition' takes pairs of a mask and a Transformation, got {case!r}")
        _require(case[1], "partition")
    _require(rest, "partition")
    masks = [_read(mask) for mask, _ in cases]
    members = [*(member for _, member in cases), rest]

    def owners(tree: Tree) -> list[int]:
        """Return the number of the member to which each parameter belongs."""
        answers = [_chosen(mask, tree) for mask in masks]
        last = len(masks)
        return [next((k for k in range(last) if answers[k][i]), last) for i in range(len(tree.leaves))]

    def init(parameters: Any) -> Any:
        tree = Tree(parameters)
        owner, part = owners(tree), _with_gaps(tree)
        states = []
        for number, member in enumerate(members):
            mine = [owner[i] == number for i in range(len(owner))]
            states.append(member.init(_picked(part, tree.leaves, mine)) if any(mine) else ())
        return tuple(states)

    def transform(updates: Any, state: Any, parameters: Any, value: Any) -> tuple[Any, Any]:
        tree = Tree(parameters)
        owner, part = owners(tree), _with_gaps(tree)
        given = tree.like(updates, _ALIKE)
        result = list(given)
        states = []
        for number, member in enumerate(members):
            mine = [owner[i] == number for i in range(len(owner))]
            own = state[number]
            if any(mine):
                changed, own = member.transform(
                    _picked(part, given, mine), own, _picked(part, tree.leaves, mine), value=value
                )
                new = part.like(changed, _ALIKE)
                result = [new[i] if mine[i] else result[i] for i in range(len(mine))]
            states.append(own)
        return tree.of(result), tuple(states)

    return Transformation(init, transform, needs_value=True)


@recipe
def add_decayed_weights(weight_decay: float, mask: Any = None) -> Transformation:
    """Make a transformation that adds a multiple of the parameters to the updates.

    Parameters
    ----------
    weight_decay
        The factor, at least 0.
    mask
        Parameters that decay, as for `masked`; all of them by default. `lambda name, p: p.ndim >= 2` leaves out biases and
        the scales of norms.

    Returns
    -------
    `Transformation` without a state. Before the rest of an optimiser it is L2 regularisation, between its direction and
    `scale_by_learning_rate` it is the decoupled decay of AdamW.

    Raises
    ------
    ValueError
        If the factor is negative.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import optim
    >>> decay, parameters = optim.add_decayed_weights(0.5), [ca.asarray([4.0])]
    >>> decay.transform([ca.asarray([1.0])], (), parameters)[0][0].tolist()
    [3.0]
    """
    if not weight_decay >= 0:
        raise CoreArrayValueError(f"'add_decayed_weights' got weight_decay={weight_decay}; it is at least 0")
    decay = stateless(lambda u, p: u + weight_decay * p)
    return decay if mask is None else masked(decay, mask)


def decayed(weight_decay: float, mask: Any) -> list[Transformation]:
    """Return the weight decay of an optimiser as a list of no or one transformation."""
    if weight_decay == 0:
        return []
    return [add_decayed_weights(weight_decay, mask)]


def after_decay(direction: Transformation, weight_decay: float, mask: Any, decoupled: bool) -> list[Transformation]:
    """Return an optimiser's direction with its weight decay, which is decoupled from the direction or enters it."""
    decay = decayed(weight_decay, mask)
    return [direction, *decay] if decoupled else [*decay, direction]


def decaying(mask: Any, tree: Tree) -> list[bool]:
    """Return for each parameter whether the weight decay of an optimiser with this mask applies to it."""
    return [True] * len(tree.leaves) if mask is None else _chosen(_read(mask), tree)


_ALIKE = "updates, parameters and masks are trees of one structure"


def _require(transformation: object, name: str) -> None:
    if not isinstance(transformation, Transformation):
        raise CoreArrayTypeError(f"'{name}' takes a Transformation, such as 'adamw(1e-3)', got {transformation!r}")


def _read(mask: Any) -> Any:
    if isinstance(mask, str):
        try:
            return re.compile(mask)
        except re.error as error:
            raise CoreArrayValueError(f"the mask {mask!r} is no regular expression: {error}") from error
    if callable(mask) or isinstance(mask, (re.Pattern, bool, dict, list, tuple)) or hasattr(mask, "items"):
        return mask
    raise CoreArrayTypeError(
        f"a mask is a function of a name and a parameter, a regular expression, or a tree of booleans; got {mask!r}"
    )


def _chosen(mask: Any, tree: Tree) -> list[bool]:
    """Return for each leaf whether a mask holds; never for `None`."""
    leaves = tree.leaves
    places = range(len(leaves))
    if not callable(mask) and not isinstance(mask, re.Pattern):
        answers = tree.like(mask, _ALIKE)
        return [bool(answers[i]) and leaves[i] is not None for i in places]
    names = leaf_names(tree.of(leaves))
    if isinstance(mask, re.Pattern):
        return [mask.search(names[i]) is not None and leaves[i] is not None for i in places]
    return [leaves[i] is not None and bool(mask(names[i], leaves[i])) for i in places]


def _with_gaps(tree: Tree) -> Tree:
    """Return a tree with the same leaves and names in which `None` may take the place of a leaf.

    A Module has arrays only, so a dictionary of its names replaces it.
    """
    if len(Tree(tree.of([None] * len(tree.leaves))).leaves) == len(tree.leaves):
        return tree
    return Tree(dict(zip(leaf_names(tree.of(tree.leaves)), tree.leaves, strict=True)))


def _picked(tree: Tree, leaves: list[Any], chosen: list[bool]) -> Any:
    return tree.of([leaves[i] if chosen[i] else None for i in range(len(chosen))])
