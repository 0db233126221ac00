"""The contract of transformations: pure functions of trees that compose and compile without retracing."""

from __future__ import annotations

import copy
import pickle
import re

import numpy as np
import pytest
from standard.support import array, be, needs_derivatives

import corearray as ca
from corearray import optim
from corearray.transforms.tree import Tree

RANDOM = np.random.default_rng(0)
WEIGHTS = {"w": RANDOM.normal(size=(2, 3)), "deep": [RANDOM.normal(size=3), {"b": np.zeros(2)}]}
GRADIENTS = {"w": RANDOM.normal(size=(2, 3)), "deep": [RANDOM.normal(size=3), {"b": np.ones(2)}]}


@pytest.fixture(autouse=True)
def on_this_backend():
    with ca.backend_context(be):
        yield


def arrays(tree, dtype="float32"):
    return ca.nested_map(lambda x: array(x.astype(dtype)), tree)


def numbers(tree):
    return ca.nested_map(lambda x: np.asarray(be.to_numpy(x)), tree)


def close(found, wanted, rtol=1e-6):
    ca.nested_multi_map(lambda x, y: np.testing.assert_allclose(x, y, rtol=rtol, atol=1e-7), [numbers(found), wanted])


def taken(optimizer, parameters, gradients, steps=3):
    state = optimizer.init(parameters)
    for _ in range(steps):
        parameters, state = optimizer.update(gradients, state, parameters)
    return parameters, state


OPTIMIZER = optim.chain(
    optim.clip_by_global_norm(1.0),
    optim.adamw(lambda count: 0.1 / (count + 1.0), weight_decay=0.1, mask=lambda name, p: p.ndim > 1),
)


def by_hand(steps=3):
    """The same optimiser in NumPy."""
    flat = [WEIGHTS["w"], WEIGHTS["deep"][0], WEIGHTS["deep"][1]["b"]]
    slopes = [GRADIENTS["w"], GRADIENTS["deep"][0], GRADIENTS["deep"][1]["b"]]
    norm = np.sqrt(sum(np.sum(g * g) for g in slopes))
    slopes = [g / (norm + 1e-6) for g in slopes]
    means, squares = [0.0] * 3, [0.0] * 3
    for n in range(1, steps + 1):
        for i, g in enumerate(slopes):
            means[i] = 0.9 * means[i] + 0.1 * g
            squares[i] = 0.999 * squares[i] + 0.001 * g * g
            direction = means[i] / (1 - 0.9**n) / (np.sqrt(squares[i] / (1 - 0.999**n)) + 1e-8)
            flat[i] = flat[i] - 0.1 / n * (direction + (0.1 * flat[i] if flat[i].ndim > 1 else 0.0))
    return {"w": flat[0], "deep": [flat[1], {"b": flat[2]}]}


def test_a_chain_of_clipping_and_adamw():
    found, state = taken(OPTIMIZER, arrays(WEIGHTS), arrays(GRADIENTS))
    close(found, by_hand(), rtol=1e-5)
    rate = state[1][-1]
    assert rate["count"].dtype is ca.int32 and int(rate["count"]) == 3
    assert abs(float(rate["learning_rate"]) - 0.1 / 3) < 1e-7


def test_containers_are_trees():
    found, _ = taken(OPTIMIZER, ca.Container(arrays(WEIGHTS)), ca.Container(arrays(GRADIENTS)))
    assert isinstance(found, ca.Container)
    close(found["w"], by_hand()["w"], rtol=1e-5)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_parameters_keep_their_dtype(dtype):
    found, state = taken(OPTIMIZER, arrays(WEIGHTS, dtype), arrays(GRADIENTS, dtype))
    assert str(found["w"].dtype) == dtype
    assert state[1][0]["mean"]["w"].dtype is found["w"].dtype


def compiler(traced):
    """Options of `compile` for a whole graph, with which each tracing is noted: by a compiler, or by the program."""
    if "register_tracing" not in be.facts:
        return {}

    def noted(graph, inputs):
        traced.append(1)
        return graph.forward

    return {"fullgraph": True, "backend": noted}


@needs_derivatives
def test_a_compiled_step_is_traced_once():
    traced = []
    options = compiler(traced)

    def program(parameters, state, x):
        if not options:
            traced.append(1)

        def loss(parameters):
            return ca.mean(ca.square(ca.linear(x, parameters["w"], bias=parameters["deep"][1]["b"])))

        value, slopes = ca.value_and_grad(loss)(parameters)
        parameters, state = OPTIMIZER.update(slopes, state, parameters, value=value)
        return parameters, state, value

    x = array(RANDOM.normal(size=(4, 3)).astype("float32"))
    compiled = ca.compile(program, **options)
    one = two = arrays(WEIGHTS)
    first, second = OPTIMIZER.init(one), OPTIMIZER.init(two)
    for _ in range(5):
        one, first, _ = program(one, first, x)
    traced.clear()
    for _ in range(5):
        two, second, _ = compiled(two, second, x)
    assert len(traced) == 1
    close(two, numbers(one), rtol=1e-5)
    assert int(second[1][-1]["count"]) == 5


def test_none_leaves_a_parameter_and_its_state_alone():
    parameters = arrays(WEIGHTS)
    gradients = arrays(GRADIENTS) | {"w": None}
    found, state = taken(OPTIMIZER, parameters, gradients)
    np.testing.assert_array_equal(numbers(found["w"]), WEIGHTS["w"].astype("float32"))
    assert not numbers(state[1][0]["mean"]["w"]).any()
    assert numbers(state[1][0]["mean"]["deep"][0]).any()


def test_init_and_update_unpack():
    init, update = optim.sgd(0.5)
    parameters = [array(np.ones(2, "float32"))]
    assert update(parameters, init(parameters), parameters)[0][0].tolist() == [0.5, 0.5]


MASKS = {
    "function": lambda name, p: name != "w",
    "expression": r"^deep\.",
    "tree": {"w": False, "deep": [True, {"b": True}]},
}


@pytest.mark.parametrize("mask", MASKS)
def test_masks(mask):
    optimizer = optim.masked(optim.chain(optim.trace(0.5), optim.scale(2.0)), MASKS[mask])
    parameters, gradients = arrays(WEIGHTS), arrays(GRADIENTS)
    state = optimizer.init(parameters)
    assert state[0]["momentum"]["w"] is None
    updates, state = optimizer.transform(gradients, state, parameters)
    close(updates["w"], GRADIENTS["w"])
    close(updates["deep"], ca.nested_map(lambda g: 2.0 * g, GRADIENTS["deep"]))


@pytest.mark.parametrize("which", ["masked", "partition"])
def test_masks_of_modules(which):
    model = ca.Linear(2, 2)
    rest = optim.sgd(0.0)
    optimizer = {
        "masked": lambda: optim.chain(optim.masked(optim.trace(0.9), "weight"), optim.masked(optim.scale(0.0), "bias")),
        "partition": lambda: optim.partition(("weight", optim.masked(optim.scale(-1.0), "^weight$")), rest=rest),
    }[which]()
    updates, _ = optimizer.transform(model, optimizer.init(model), model)
    assert type(updates) is ca.Linear
    assert (updates.weight.tolist(), updates.bias.tolist()) == (
        ((1 if which == "masked" else -1) * model.weight).tolist(),
        [0.0, 0.0],
    )


def test_partition():
    optimizer = optim.partition((r"b$", optim.sgd(1.0)), ("w", optim.identity()), rest=optim.adam(0.1))
    parameters, gradients = arrays(WEIGHTS), arrays(GRADIENTS)
    found, _ = taken(optimizer, parameters, gradients, steps=1)
    close(found["w"], WEIGHTS["w"] + GRADIENTS["w"])
    close(found["deep"][1]["b"], -np.ones(2))
    close(found["deep"][0], WEIGHTS["deep"][0] - 0.1 * np.sign(GRADIENTS["deep"][0]), rtol=1e-5)


def test_clipping():
    parameters, gradients = arrays(WEIGHTS), arrays(GRADIENTS)
    found = optim.clip_by_value(0.5).transform(gradients, (), parameters)[0]
    close(found, ca.nested_map(lambda g: np.clip(g, -0.5, 0.5), GRADIENTS))
    found = optim.clip_by_norm(0.5).transform(gradients, (), parameters)[0]
    close(found, ca.nested_map(lambda g: g * min(1, 0.5 / (np.linalg.norm(g) + 1e-6)), GRADIENTS))
    assert (
        abs(float(ca.global_norm(optim.clip_by_global_norm(0.5).transform(gradients, (), parameters)[0])) - 0.5) < 1e-5
    )
    small = ca.nested_map(lambda g: 1e-3 * g, gradients)
    close(optim.clip_by_global_norm(5.0).transform(small, (), parameters)[0], numbers(small))


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (lambda: optim.chain(optim.sgd(0.1), 0.1), "'chain' composes Transformations"),
        (lambda: optim.clip_by_global_norm(0.0), "above 0"),
        (lambda: optim.sgd(0.1, nesterov=True), "momentum only"),
        (lambda: optim.adam(betas=(0.9, 1.0)), "below 1"),
        (lambda: optim.adam(lr=0.1), r"'adam' has no option 'lr'; write adam\(learning_rate=...\)"),
        (lambda: optim.sgd(0.1, nestrov=True), r"write sgd\(nesterov=...\)"),
        (lambda: optim.cosine_decay(1.0, T_max=9), r"write cosine_decay\(steps=...\)"),
        (lambda: optim.identity(a=1), "'identity' has no option 'a'"),
        (lambda: optim.adamw(weight_decay=-1.0), "at least 0"),
        (lambda: optim.masked(optim.sgd(0.1), 3), "a mask is a function"),
        (lambda: optim.masked(optim.sgd(0.1), "("), "no regular expression"),
        (lambda: optim.masked(3, "w"), "takes a Transformation"),
        (lambda: optim.partition(optim.sgd(0.1), rest=optim.sgd(0.1)), "pairs of a mask"),
        (lambda: optim.sgd(0.1).init([]), "no parameters"),
        (lambda: optim.sgd(0.1).init([1.0]), "trees of arrays"),
        (lambda: ca.global_norm([]), "no arrays"),
        (lambda: optim.sgd(0.1).update([be.ones(2)], optim.sgd(0.1).init([be.ones(2)]), [be.ones(2)] * 2), "structure"),
    ],
)
def test_what_is_wrong_is_refused(wrong, message):
    with pytest.raises((TypeError, ValueError), match=message):
        wrong()


#: A call of each function that makes a transformation or a schedule, by its text.
CALLS = [
    "adadelta(rho=0.8)", "adafactor()", "adagrad(0.1)", "adam(0.1, betas=(0.5, 0.9))", "adamax()", "lion()", "nadam()",
    "radam()",
    "adamw(warmup_cosine(0.1, 2, 8), mask=re.compile('w'))", "add_decayed_weights(0.1, 'w')", "average_weights(0.9)",
    "clip_by_global_norm(1.0)", "clip_by_norm(1.0)", "clip_by_value(1.0)", "constant(0.5)", "cosine_decay(1.0, 9)",
    "cosine_restarts(1.0, 9, factor=2)", "exponential_decay(1.0, 0.5)", "identity()",
    "join([constant(1.0), linear(1.0, 0.0, 9)], [3])",
    "lamb()", "lars(0.1)", "masked(sgd(0.1), 'w')", "multistep_decay(1.0, [1, 2])", "muon(0.1)", "one_cycle(1.0, 9)",
    "partition(('w', sgd(0.1)), rest=adam())", "plateau()", "polynomial_decay(1.0, 9, power=2.0)", "rmsprop(0.1)", "scale(2.0)",
    "scale_by_adam()", "scale_by_learning_rate(0.1)", "scale_by_trust_ratio()", "sgd(0.1, momentum=0.9)", "step_decay(1.0, 2)",
    "trace(0.9)", "warmup(0.5, 3)", "chain(sgd(0.1), chain(scale(2.0), identity()))",
]  # fmt: skip


@pytest.mark.parametrize("text", CALLS)
def test_calls_are_shown_and_pickled(text):
    made = eval(text, {**vars(optim), "re": re})
    assert repr(made) == text
    for again in (pickle.loads(pickle.dumps(made)), copy.deepcopy(made)):
        assert repr(again) == text
        if isinstance(made, optim.Transformation):
            states = [Tree(each.init(arrays(WEIGHTS))) for each in (made, again)]
            assert all(bool(ca.all(x == y)) for x, y in zip(states[0].leaves, states[1].leaves, strict=True))
        else:
            assert float(again(2)) == float(made(2))


def test_every_maker_has_a_call():
    made = {name for name in optim.__all__ if hasattr(getattr(optim, name), "__wrapped__")}
    assert made == set(re.findall(r"(\w+)\(", " ".join(CALLS))) - {"compile"} | {"stateless"}


def test_an_optimizer_shows_its_transformation_and_is_pickled_with_its_state():
    parameters = {"w": array(np.asarray([1.0, 2.0], "float32"))}
    optimizer = optim.AdamW(parameters, lr=0.1)
    optimizer.step({"w": array(np.asarray([1.0, -1.0], "float32"))})
    again = pickle.loads(pickle.dumps(optimizer))
    assert repr(again) == repr(optimizer) == "AdamW(adamw(0.1))"
    close(again.state, numbers(optimizer.state))
    close(again.parameters, numbers(parameters))


def test_a_transformation_of_functions_of_ones_own_is_pickled_by_them():
    assert repr(optim.Transformation(dict, divmod)).startswith("<corearray.optim.transform.Transformation object")
    again = pickle.loads(pickle.dumps(optim.Transformation(dict, divmod)))
    assert (again._init, again._transform) == (dict, divmod)
