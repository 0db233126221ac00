"""`TrainStep`: the step by hand, eager and compiled, with frozen and shared parameters, buffers, random numbers, files."""

from __future__ import annotations

import signal

import numpy as np
import pytest
from standard.support import array, be, needs_derivatives, numpy_of

import corearray as ca
from corearray import nn, optim

X = np.random.default_rng(0).normal(size=(8, 3)).astype("float32")
Y = (X[:, :1] ** 2).astype("float32")
OPTIONS = {"backend": "eager", "fullgraph": True} if "register_tracing" in be.facts else {}
MODES = [{"compile": False}, {"compile": True, **OPTIONS}]
IDS = ["eager", "compiled"]

pytestmark = needs_derivatives


@pytest.fixture(autouse=True)
def on_this_backend():
    with ca.backend_context(be):
        ca.random.seed(0)
        yield


class Momentum:
    """A minimal optimiser with an array for the count of steps."""

    def init(self, parameters):
        return {"count": ca.asarray(0.0), "mean": {name: ca.zeros_like(p) for name, p in parameters.items()}}

    def update(self, gradients, state, parameters):
        mean = {name: 0.9 * m + gradients[name] for name, m in state["mean"].items()}
        rate = 0.05 / (1.0 + 0.1 * state["count"])
        new = {name: p - rate * mean[name] for name, p in parameters.items()}
        return new, {"count": state["count"] + 1.0, "mean": mean}


class Network(nn.Module):
    def __init__(self, p=0.0):
        self.first, self.second = nn.Linear(3, 8), nn.Linear(8, 1)
        self.seen = nn.Buffer(ca.asarray(0))
        self.p = p

    def forward(self, x):
        self.seen = self.seen + 1
        return self.second(ca.dropout(ca.tanh(self.first(x)), self.p, training=self.training))


def squared(m, x, y):
    return ca.mean(ca.square(m(x) - y))


def losses_of(step, count=6, x=X, y=Y):
    return [float(step(array(x), array(y))) for _ in range(count)]


def by_hand(network, count):
    optimizer, parameters = Momentum(), dict(network.parameters())
    state, found = optimizer.init(parameters), []
    for _ in range(count):
        value, slopes = ca.value_and_grad(lambda p: squared(network.with_parameters(p), array(X), array(Y)))(parameters)
        parameters, state = optimizer.update(slopes, state, parameters)
        found.append(float(value))
    return found, parameters


@pytest.mark.parametrize("mode", MODES, ids=IDS)
def test_a_step_is_the_step_by_hand(mode):
    network = Network()
    expected, parameters = by_hand(network, 6)
    step = nn.TrainStep(network, squared, Momentum(), **mode)
    np.testing.assert_allclose(losses_of(step), expected, rtol=2e-5)
    for name, x in network.parameters().items():
        np.testing.assert_allclose(numpy_of(x), numpy_of(parameters[name]), rtol=1e-4, atol=1e-6)
    assert int(network.seen) == 6 and float(step.state["count"]) == 6.0
    assert "TrainStep(Network, squared" in repr(step)


def test_random_numbers_are_those_of_the_eager_step():
    found = []
    for mode in MODES:
        ca.random.seed(1)
        network = Network(0.5)
        ca.random.seed(2)
        found.append(losses_of(nn.TrainStep(network, squared, Momentum(), **mode)))
    np.testing.assert_allclose(found[1], found[0], rtol=1e-5)
    assert len({round(x, 6) for x in found[0]}) == 6


@pytest.mark.parametrize("mode", MODES, ids=IDS)
def test_frozen_and_shared_parameters(mode):
    class Tied(nn.Module):
        def __init__(self):
            self.one, self.other = nn.Linear(3, 3), nn.Linear(3, 3)
            self.other.weight = self.one.weight
            self.pair = (nn.Linear(3, 3), [ca.ones(3)])

        def forward(self, x):
            return ca.sum(self.pair[0](self.other(self.one(x))) * self.pair[1][0], axis=-1, keepdims=True)

    model = Tied().freeze("pair.0")
    fixed, scale = numpy_of(model.pair[0].weight), numpy_of(model.pair[1][0])
    before = numpy_of(model.one.weight)
    step = nn.TrainStep(model, squared, Momentum(), **mode)
    losses = losses_of(step, 8)
    assert losses[-1] < losses[0] and model.other.weight is model.one.weight
    assert (numpy_of(model.one.weight) != before).any() and (numpy_of(model.pair[1][0]) != scale).any()
    np.testing.assert_array_equal(numpy_of(model.pair[0].weight), fixed)
    assert set(step.state["mean"]) == {"one.weight", "one.bias", "other.bias", "pair.1.0"}


@pytest.mark.parametrize("mode", MODES, ids=IDS)
def test_the_step_follows_the_model(mode):
    network = Network(0.5)
    step = nn.TrainStep(network, squared, Momentum(), **mode)
    losses_of(step, 2)
    network.eval()
    state = {name: numpy_of(x) for name, x in network.state_dict().items()}
    one = float(step(array(X), array(Y)))
    network.load_state_dict(state)
    assert float(step(array(X), array(Y))) == pytest.approx(one, rel=1e-5), "no dropout, and the loaded parameters"
    network.freeze("first")
    fixed = numpy_of(network.first.weight)
    losses_of(step, 2)
    np.testing.assert_array_equal(numpy_of(network.first.weight), fixed)
    network.replace("second", nn.Linear(8, 2))
    losses_of(step, 2)
    assert network.second.weight.shape == (2, 8)


def test_a_schedule_is_not_traced_again():
    step = nn.TrainStep(Network(), squared, Momentum(), **MODES[1])
    losses_of(step, 20)
    assert step.traces == 1
    losses_of(step, 3, X[:4], Y[:4])
    assert step.traces <= 2


@pytest.mark.parametrize("mode", MODES, ids=IDS)
def test_parts_of_a_batch_and_what_is_returned_beside(mode):
    network = Network()
    expected, _ = by_hand(network, 3)
    step = nn.TrainStep(
        network, lambda m, x, y: (squared(m, x, y), {"n": ca.sum(x)}), Momentum(), accumulate=4, has_aux=True, **mode
    )
    found = [step(array(X), array(Y)) for _ in range(3)]
    np.testing.assert_allclose([float(loss) for loss, _ in found], expected, rtol=2e-5)
    np.testing.assert_allclose(float(found[0][1]["n"]), X[-2:].sum(), rtol=1e-5)
    assert int(network.seen) == 12
    with pytest.raises(ValueError, match="a batch of 6 cannot be divided into 'accumulate=4' equal parts"):
        step(array(X[:6]), array(Y[:6]))


@pytest.mark.skipif("bfloat16" not in {x.name for x in be.native_dtypes}, reason="this framework has no bfloat16")
@pytest.mark.parametrize("mode", MODES, ids=IDS)
def test_mixed_precision(mode):
    network, kinds = Network(), []

    def loss(m, x, y):
        kinds.append((m.first.weight.dtype.name, x.dtype.name))
        return squared(m, x, y)

    mode = {**mode, "compile": False} if "register_tracing" in be.facts else mode
    step = nn.TrainStep(network, loss, Momentum(), precision=nn.Precision(compute="bfloat16"), **mode)
    value = step(array(X), array(Y))
    assert (
        value.dtype == ca.float32
        and network.first.weight.dtype == ca.float32
        and set(kinds) == {("bfloat16", "bfloat16")}
    )
    assert losses_of(step, 10)[-1] < float(value)
    with pytest.raises(TypeError, match="'compute' of 'Precision' is a real floating dtype, got 'int8'"):
        nn.Precision(compute="int8")


@pytest.mark.parametrize("mode", MODES, ids=IDS)
def test_bfloat16_parameters(mode):
    if "bfloat16" not in {x.name for x in be.native_dtypes}:
        pytest.skip("this framework has no bfloat16")
    network = Network().astype("bfloat16")

    class Descent:
        def init(self, parameters):
            return ()

        def update(self, gradients, state, parameters):
            return {name: p - 0.1 * gradients[name] for name, p in parameters.items()}, state

    step = nn.TrainStep(network, lambda m, x, y: squared(m, ca.astype(x, "bfloat16"), y), Descent(), **mode)
    losses = losses_of(step, 10)
    assert losses[-1] < losses[0] and network.first.weight.dtype.name == "bfloat16"


def scheduled():
    return optim.adamw(optim.warmup_cosine(0.05, 4, 20))


@pytest.mark.parametrize(("mode", "make"), [*((mode, Momentum) for mode in MODES), (MODES[0], scheduled)])
def test_training_goes_on_from_a_file(tmp_path, mode, make):
    step = nn.TrainStep(Network(0.3), squared, make(), **mode)
    losses_of(step, 3)
    nn.save(step, tmp_path / "step.safetensors")
    expected = losses_of(step, 3)
    ca.random.seed(99)
    other = nn.TrainStep(Network(0.3), squared, make(), **mode)
    losses_of(other, 1)
    assert nn.load(other, tmp_path / "step.safetensors") == nn.LoadReport((), (), ())
    np.testing.assert_allclose(losses_of(other, 3), expected, rtol=1e-6)


@pytest.mark.parametrize("mode", MODES, ids=IDS)
def test_bad_input_is_refused_and_the_model_stays(mode):
    network = Network()
    before = {name: numpy_of(x) for name, x in network.state_dict().items()}
    step = nn.TrainStep(network, squared, Momentum(), **mode)
    with pytest.raises(TypeError, match=r"does not fit .* squared\(m, x, y\): missing a required argument: 'y'"):
        step(array(X))
    with pytest.raises(TypeError, match="a batch is made of arrays, numbers, texts and None, got object"):
        step(array(X), object())
    with pytest.raises(ValueError):
        step(array(X[:, :2]), array(Y))
    whole = nn.TrainStep(network, lambda m, x: m(x), Momentum(), **mode)
    with pytest.raises(TypeError, match="needs a function that returns one number"):
        whole(array(X))
    for name, x in network.state_dict().items():
        np.testing.assert_array_equal(numpy_of(x), before[name])
    assert float(step(array(X), array(Y))) > 0, "a step works after one that failed"


@pytest.mark.parametrize("mode", MODES, ids=IDS)
def test_the_optimiser_reads_the_loss(mode):
    """A loss that stays halves the learning rate in each step but the first."""
    network = Network()
    step = nn.TrainStep(
        network,
        lambda m, x: 3.0 + 0.0 * ca.sum(m(x)),
        optim.chain(optim.plateau(0.5, patience=0), optim.adam(0.1)),
        **mode,
    )
    scales = [(step(array(X)), float(step.state[0]["scale"]))[1] for _ in range(3)]
    assert scales == [1.0, 0.5, 0.25]


def test_what_is_given_to_it_is_checked():
    network = Network()
    with pytest.raises(TypeError, match="'TrainStep' takes a Module, got int"):
        nn.TrainStep(3, squared, Momentum())
    with pytest.raises(TypeError, match="with the methods 'init' and 'update', got int"):
        nn.TrainStep(network, squared, 3)
    with pytest.raises(TypeError, match=r"takes a function loss\(model, \*batch\), got 3"):
        nn.TrainStep(network, 3, Momentum())
    with pytest.raises(ValueError, match="'accumulate' of 'TrainStep' is an integer from 1 up, got 0"):
        nn.TrainStep(network, squared, Momentum(), accumulate=0)
    with pytest.raises(ValueError, match="'Network' has no parameters to train"):
        nn.TrainStep(network.freeze(), squared, Momentum())


@pytest.mark.parametrize("mode", MODES, ids=IDS)
def test_an_interrupt_leaves_the_model_before_or_after_a_step(mode, monkeypatch):
    network = Network()
    step = nn.TrainStep(network, squared, Momentum(), **mode)
    step(array(X), array(Y))
    put, interrupted = type(step._buffers).put, []

    def interrupting(self, *given):
        if not interrupted:
            interrupted.append(True)
            raise KeyboardInterrupt
        put(self, *given)

    monkeypatch.setattr(type(step._buffers), "put", interrupting)
    with pytest.raises(KeyboardInterrupt):
        step(array(X), array(Y))
    monkeypatch.undo()
    assert int(network.seen) == 2 and float(step.state["count"]) == 2.0
    float(step(array(X), array(Y)))


@pytest.mark.parametrize("place", ["forward", "loss", "before the update", "after the update"])
def test_a_real_interrupt_leaves_the_model_as_before_the_step(place):
    pending = []

    def reached(here):
        if pending and here == place:
            pending.clear()
            signal.raise_signal(signal.SIGINT)

    class Interrupted(Network):
        def forward(self, x):
            y = super().forward(x)
            reached("forward")
            return y

    class Optimizer(Momentum):
        def update(self, gradients, state, parameters):
            reached("before the update")
            made = super().update(gradients, state, parameters)
            reached("after the update")
            return made

    def loss(m, x, y):
        value = squared(m, x, y)
        reached("loss")
        return value

    network = Interrupted()
    step = nn.TrainStep(network, loss, Optimizer(), compile=False)
    losses_of(step, 2)
    before = {name: numpy_of(x) for name, x in network.state_dict().items()}
    pending.append(True)
    former = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            step(array(X), array(Y))
    finally:
        signal.signal(signal.SIGINT, former)
    for name, x in network.state_dict().items():
        np.testing.assert_array_equal(numpy_of(x), before[name])
    assert int(network.seen) == 2 and float(step.state["count"]) == 2.0
    assert losses_of(step, 1)[0] > 0 and int(network.seen) == 3


def test_a_state_with_places_for_no_array():
    model = nn.Linear(3, 1)
    before = numpy_of(model.weight)
    optimizer = optim.partition(("bias", optim.sgd(0.1)), rest=optim.adam(0.1))  # whose parts hold None for the rest
    step = nn.TrainStep(model, squared, optimizer, compile=False)
    assert losses_of(step, 2)[1] > 0 and (numpy_of(model.weight) != before).all()


@pytest.mark.parametrize("options", MODES, ids=IDS)
def test_modules_in_a_batch_are_arguments(options):
    """Two networks that train in turn, each seeing the other as it is, as in adversarial training."""
    maker, judge = nn.Sequential(nn.Linear(3, 2), nn.Dropout(0.0)), nn.Linear(2, 1)

    def loss(m, other, x):
        return ca.mean(ca.square(judge_of(m, other)(maker_of(m, other)(x))))

    def maker_of(m, other):
        return m if isinstance(m, nn.Sequential) else other

    def judge_of(m, other):
        return other if isinstance(m, nn.Sequential) else m

    first = nn.TrainStep(maker, loss, optim.sgd(0.1), **options)
    second = nn.TrainStep(judge, loss, optim.sgd(0.1), accumulate=2, **options)
    for _ in range(2):
        for step, other in ((first, judge), (second, maker)):
            wanted = float(loss(step.model, other, array(X)))
            held = {name: numpy_of(x) for name, x in other.state_dict().items()}
            np.testing.assert_allclose(float(step(other, array(X))), wanted, rtol=1e-5)
            for name, x in other.state_dict().items():
                np.testing.assert_array_equal(numpy_of(x), held[name])
    if options["compile"]:
        assert first.traces == second.traces == 1
    first(judge.eval(), array(X))
    assert first.traces == 2 if options["compile"] else True


def test_dropout_within_attention_differs_between_calls_and_steps():
    """A backend that compiles attention as a whole must not keep the numbers that were drawn while it was traced."""
    x = array(np.ones((2, 3, 4), "float32"))
    attention = nn.MultiheadAttention(4, 2, 0.5)
    assert len({float(ca.sum(attention(x))) for _ in range(4)}) > 1
    for _ in range(2):  # the second step is another program, of the same attention
        step = nn.TrainStep(attention, lambda m, x: ca.sum(m(x)), optim.sgd(0.0), **MODES[1])
        assert len({float(step(x)) for _ in range(4)}) > 1
