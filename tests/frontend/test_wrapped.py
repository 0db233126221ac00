"""Objects around programs of torch: TorchScript, compiled and exported modules, partials, methods and callable objects."""

from __future__ import annotations

import functools
import warnings

import numpy as np
import pytest
import torch
from frontend.support import check, close, on
from frontend.test_exported import MODELS, TARGET
from torch import nn

import corearray as ca

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::torch.jit.TracerWarning")


def scripted(fn):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        return torch.jit.script(fn)


X = torch.randn(2, 4, generator=torch.Generator().manual_seed(0))


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(4, 3)
        self.norm = nn.BatchNorm1d(3)

    def forward(self, x):
        return self.norm(torch.relu(self.first(x)))

    def scaled(self, x, *, scale: float = 1.0):
        return self.first(x) * scale


class Pipeline:
    """A callable object with a module, a parameter and a tensor."""

    def __init__(self):
        self.net, self.scale, self.shift = Net().eval(), nn.Parameter(torch.ones(3)), torch.ones(4)

    def __call__(self, x):
        return self.net(x + self.shift) * self.scale

    def run(self, x):
        return self(x)


NET = Net().eval()
NAMES = ["first.weight", "first.bias", "norm.weight", "norm.bias"]


def of_globals(x):
    return NET(x)


def enclosing():
    model = Net().eval()
    return lambda x: model(x)


def prefixed(name):
    return [f"{name}.{one}" for one in NAMES]


# name: how the object is made, and the names of its parameters
OBJECTS = {
    "script": (lambda: torch.jit.script(Net().eval()), NAMES),
    "trace": (lambda: torch.jit.trace(Net().eval(), X), NAMES),
    "frozen": (lambda: torch.jit.freeze(torch.jit.script(Net().eval())), []),
    "method of a script": (lambda: torch.jit.script(Net().eval()).forward, NAMES),
    "exported": (lambda: torch.export.export(Net().eval(), (X,)), NAMES),
    "compiled": (lambda: torch.compile(Net().eval(), backend="eager"), NAMES),
    "compiled function": (lambda: torch.compile(of_globals, backend="eager"), prefixed("NET")),
    "parallel": (lambda: nn.DataParallel(Net().eval()), NAMES),
    "partial": (lambda: functools.partial(Net().eval().scaled, scale=2.0), NAMES),
    "partial of partial": (lambda: functools.partial(functools.partial(Net().eval()), X), NAMES),
    "partial of a function": (lambda: functools.partial(Net.scaled, Net().eval(), scale=2.0), NAMES),
    "bound": (lambda: Net().eval().scaled, NAMES),
    "callable": (Pipeline, ["scale", *prefixed("net")]),
    "method": (lambda: Pipeline().run, ["scale", *prefixed("net")]),
    "global": (lambda: of_globals, prefixed("NET")),
    "closure": (enclosing, prefixed("model")),
}  # fmt: skip


@pytest.mark.parametrize("name", OBJECTS)
def test_what_is_around_a_program(name):
    torch.manual_seed(0)
    make, names = OBJECTS[name]
    program = make()
    args = () if name == "partial of partial" else (X,)
    wanted = (program.module() if name == "exported" else program)(*args)
    t = ca.transpile(program, *args, to=TARGET)
    close(t(*(on(TARGET, x) for x in args)), wanted)
    assert sorted(chain.replace("/", ".") for chain in t.parameters.key_chains()) == sorted(names)
    assert not t.report.missing
    assert ca.transpile_report(program, *args).ok


def test_modules_that_a_function_names_are_trained():
    model = Net().train()
    t = ca.transpile(lambda x: model(x).sum(), X, to=TARGET)
    t(on(TARGET, X))
    assert not np.allclose(np.asarray(t.buffers["model"]["norm"]["running_mean"]), 0)
    assert not model.norm.running_mean.any()


def test_compiled_in_place():
    model = Net().eval()
    wanted = model(X)
    model.compile(backend="eager")
    close(ca.transpile(model, X, to=TARGET)(on(TARGET, X)), wanted)


# --- TorchScript


@pytest.mark.parametrize("kind", ["script", "trace"])
@pytest.mark.parametrize("name", MODELS)
def test_modules_of_torchscript(name, kind):
    torch.manual_seed(0)
    make, x = MODELS[name]
    module = make().eval()
    script = torch.jit.script(module) if kind == "script" else torch.jit.trace(module, x, check_trace=False)
    t = check(script, x, target=TARGET)
    assert "ops.aten" not in t.source


@scripted
def everything(x, ys: list[torch.Tensor], name: str = "a", n: int = 2):
    """Lists, dictionaries, texts, loops and conditions of TorchScript."""
    factors = [1, 2]
    factors.append(3)
    factors[0] = 5
    found = {name: x}
    for i, k in enumerate(factors):
        x = x + k * i
    while n > 0 and name != "b":
        x, n = x * 2, n - 1
    if len(ys) > 1 and "a" in found:
        x = x + ys[-1]
    y = torch.cat([t[:, 1:] for t in ys] + [x], dim=1)
    if x.dtype == torch.float32 and x.dim() == 2:
        y = y.to(torch.float64).reshape(-1, x.size(0))
    assert n == 0, f"{n} is left"
    return y, found, [k * 2 for k in factors], float(n) / 2 + 7 // 2 - 2**3, x.shape


def test_the_language_of_torchscript():
    wanted = everything(X, [X, X + 1])
    t = ca.transpile(everything, X, [X, X + 1], to=TARGET)
    y, found, factors, number, shape = t(on(TARGET, X), [on(TARGET, X), on(TARGET, X + 1)])
    close(y, wanted[0])
    close(found["a"], wanted[1]["a"])
    assert str(y.dtype) == "float64"
    assert (list(factors), number, list(shape)) == (wanted[2], wanted[3], wanted[4])
    assert "enumerate" not in t.source


class Counting(nn.Module):
    def __init__(self):
        super().__init__()
        self.count = 0

    def forward(self, x, times: int):
        self.count += 1
        return x * times


class Encoder(nn.Module):
    @torch.jit.export
    def encode(self, x):
        return x + 1


def test_programs_of_torchscript_that_are_refused():
    script = torch.jit.script(Counting())
    with pytest.raises(ca.TracingError, match="sets the attribute 'count' of its module"):
        ca.transpile(script, X, 2, to=TARGET)
    with pytest.raises(
        TypeError, match=r"takes \(x, times\), got 1 arguments by position and the keywords \['twice'\]"
    ):
        ca.transpile(script, X, twice=2, to=TARGET)
    encoder = torch.jit.script(Encoder())
    with pytest.raises(TypeError, match="has no method 'forward'; give the method"):
        ca.transpile(encoder, X, to=TARGET)
    close(ca.transpile(encoder.encode, X, to=TARGET)(on(TARGET, X)), X + 1)


@scripted
def branching(x):
    if bool(x.sum() > 0):
        return x
    return -x


def test_conditions_of_torchscript_on_elements():
    with pytest.raises(ca.TracingError, match="reads elements"):
        ca.transpile(branching, X, to=TARGET)
    t = ca.transpile(branching, X, to=TARGET, reads="assume")
    close(t(on(TARGET, X)), branching(X))
    assert len(t.report.reads) == 1
