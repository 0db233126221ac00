"""What programs of torch do with modules around calls: hooks, states, moves, pruning, copies and pickles."""

from __future__ import annotations

import copy
import multiprocessing
import pickle

import numpy as np
import pytest
import torch as native
from frontend.conftest import TARGET
from torch.nn.utils import prune as native_prune

import corearray as ca
import corearray.frontend.torch as torch
from corearray.frontend.torch import nn
from corearray.frontend.torch.nn.utils import prune

TORCH_ONLY = pytest.mark.skipif(TARGET != "torch", reason="Python alone, the same on each backend")


@pytest.fixture(autouse=True)
def on_target(target):
    """Run on the target, or on torch where derivatives are needed and the target has none."""
    with ca.backend_context(target if "reverse_mode" in ca.get_backend(target).facts else "torch"):
        yield


def pair(make):
    """Return a module of torch and the same one here, with the same weights."""
    theirs, mine = make(native), make(torch)
    mine.load_state_dict(theirs.state_dict())
    return theirs, mine


def close(found, wanted):
    np.testing.assert_allclose(ca.to_numpy(found.detach().array), wanted.detach().numpy(), atol=1e-6)


def layers(torch):
    return torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.BatchNorm1d(4), torch.nn.Linear(4, 2))


# --- hooks


@TORCH_ONLY
def test_options_of_hooks():
    def run(module, x):
        seen = []
        module.register_forward_hook(lambda *given: seen.append(("last", len(given))))
        module.register_forward_hook(lambda *given: seen.append(("first", len(given))), prepend=True, with_kwargs=True)
        module.register_forward_pre_hook(lambda m, args, options: ((args[0] * 2,), options), with_kwargs=True)
        module.register_full_backward_pre_hook(lambda m, slopes: (slopes[0] * 3,))
        made = module(x)
        made.sum().backward()
        return seen, made, module.weight.grad

    theirs, mine = pair(lambda torch: torch.nn.Linear(3, 2))
    seen, made, slope = run(mine, torch.ones(2, 3, requires_grad=True))
    wanted = run(theirs, native.ones(2, 3, requires_grad=True))
    assert seen == wanted[0] == [("first", 4), ("last", 3)]
    close(made, wanted[1])
    close(slope, wanted[2])


@TORCH_ONLY
def test_hooks_after_errors():
    module, seen = nn.Linear(3, 2), []
    module.register_forward_hook(lambda *given: seen.append(given[-1]), always_call=True)
    with pytest.raises(ValueError, match="linear"):
        module(torch.ones(2, 4))
    assert seen == [None]


# --- states


class Counter:
    """A class of modules with a state of its own."""

    @staticmethod
    def of(torch):
        class Counting(torch.nn.Linear):
            def get_extra_state(self):
                return {"calls": 7}

            def set_extra_state(self, state):
                self.calls = state["calls"]

        return torch.nn.Sequential(Counting(2, 2))


@TORCH_ONLY
def test_extra_states_and_options_of_states():
    theirs, mine = Counter.of(native), Counter.of(torch)
    assert list(mine.state_dict(prefix="a.")) == list(theirs.state_dict(prefix="a."))
    assert mine.state_dict(keep_vars=True)["0.weight"] is mine[0].weight
    mine.load_state_dict(theirs.state_dict())
    assert mine[0].calls == 7
    close(mine[0].weight, theirs[0].weight)
    assert mine.load_state_dict({"0.weight": mine[0].weight}, strict=False).missing_keys == ["0.bias", "0._extra_state"]
    mine.load_state_dict({**theirs.state_dict(), "0.bias": native.zeros(2, dtype=native.float64)}, assign=True)
    assert mine[0].bias.dtype == torch.float64


@TORCH_ONLY
def test_hooks_of_states():
    module, seen = nn.Sequential(nn.Linear(2, 2)), []
    module[0].register_state_dict_post_hook(lambda m, state, prefix, _: state.update({f"{prefix}more": 1}))
    assert "0.more" in module.state_dict()
    module.register_load_state_dict_pre_hook(lambda m, state, *_: state.pop("0.more"))
    module.register_load_state_dict_post_hook(lambda m, keys: seen.append(keys.missing_keys))
    module.load_state_dict(module.state_dict())
    assert seen == [[]]


@TORCH_ONLY
def test_a_state_that_does_not_fit_changes_nothing():
    module = nn.Sequential(nn.Linear(2, 2), nn.Linear(2, 2))
    before, state = copy.deepcopy(module.state_dict()), module.state_dict()
    state = {name: x + 1 for name, x in state.items()} | {"1.bias": torch.ones(3), "2.bias": torch.ones(3)}
    with pytest.raises(RuntimeError, match=r"'1.bias' has the shape \(3,\), and not \(2,\); unexpected: 2.bias"):
        module.load_state_dict(state)
    assert all(torch.equal(x, before[name]) for name, x in module.state_dict().items())


# --- names and moves


@TORCH_ONLY
def test_names_with_options():
    def names(torch):
        module = layers(torch)
        module.append(module[0])
        return [
            [name for name, _ in module.named_parameters(prefix="m", remove_duplicate=False)],
            [name for name, _ in module.named_buffers("b", recurse=True)],
            [name for name, _ in module.named_modules(remove_duplicate=False)],
            [name for name, _ in module.named_modules(set(), "p")],
        ]

    assert names(torch) == names(native)


def test_moves():
    module = layers(torch).half()
    assert {str(x.dtype) for x in module.state_dict().values()} == {"float16", "int64"}
    assert module.to(torch.ones(1, dtype=torch.float64))[0].weight.dtype == torch.float64
    assert module.float().cpu().to_empty(device="cpu")[0].bias.tolist() == [0.0] * 4
    with pytest.raises(TypeError, match="floating and complex dtypes, got int32"):
        module.to(torch.int32)


@TORCH_ONLY
def test_lists_and_dictionaries_of_modules():
    def changed(torch):
        items = torch.nn.ModuleList([torch.nn.ReLU(), torch.nn.Tanh()])
        items.insert(1, torch.nn.GELU())
        del items[0]
        items += [torch.nn.Identity()]
        popped = items.pop(0)
        named = torch.nn.ModuleDict({"a": torch.nn.ReLU()})
        named.update({"b": torch.nn.Tanh()})
        del named["a"]
        chain = torch.nn.Sequential(torch.nn.ReLU()) + torch.nn.Sequential(torch.nn.Tanh())
        return [type(x).__name__ for x in (*items, popped, *named.values(), *chain)], list(items.state_dict())

    assert changed(torch) == changed(native)


@TORCH_ONLY
def test_arguments_by_name():
    x = torch.ones(2, 4, 6)
    assert nn.LSTM(6, 2)(input=x, hx=None)[0].shape == (2, 4, 2)
    assert nn.Bilinear(6, 5, 3)(input1=x, input2=x[..., :5]).shape == (2, 4, 3)
    assert float(nn.MSELoss()(target=x, input=x + 1)) == 1.0
    with pytest.raises(TypeError, match="'MSELoss' takes input, target, got weight"):
        nn.MSELoss()(x, x, weight=x)


def test_output_sizes_of_transposed_convolutions():
    theirs, mine = pair(lambda torch: torch.nn.ConvTranspose2d(1, 2, 3, stride=(2, 3), padding=1, dilation=(1, 2)))
    for size in ((5, 13), (1, 2, 6, 12)):
        close(mine(torch.ones(1, 1, 3, 4), output_size=size), theirs(native.ones(1, 1, 3, 4), output_size=size))
    with pytest.raises(
        ValueError, match=r"requested an output size of \[7, 12\], but valid sizes range from \[5, 12\] to \[6, 14\]"
    ):
        mine(torch.ones(1, 1, 3, 4), output_size=(7, 12))


# --- pruning


@pytest.mark.parametrize(
    "apply",
    [
        lambda prune, m: prune.l1_unstructured(m[0], "weight", amount=0.4),
        lambda prune, m: prune.ln_structured(m[0], "weight", amount=1, n=2, dim=0),
        lambda prune, m: [prune.l1_unstructured(m[0], "weight", 3), prune.ln_structured(m[0], "weight", 2, 1, dim=1)],
        lambda prune, m: [prune.l1_unstructured(m[0], "weight", 3), prune.l1_unstructured(m[0], "weight", 0.5)],
        lambda prune, m: prune.global_unstructured(
            [(m[0], "weight"), (m[2], "weight"), (m[2], "bias")], prune.L1Unstructured, amount=9
        ),
        lambda prune, m: prune.identity(m[2], "bias"),
    ],
)
def test_pruning(apply):
    theirs, mine = pair(layers)
    apply(native_prune, theirs)
    apply(prune, mine)
    assert sorted(mine.state_dict()) == sorted(theirs.state_dict())
    for name, x in mine.state_dict().items():
        close(x, theirs.state_dict()[name])
    made, wanted = mine(torch.ones(2, 3)), theirs(native.ones(2, 3))
    close(made, wanted)
    made.sum().backward()
    wanted.sum().backward()
    for name, x in mine.named_parameters():
        close(x.grad, dict(theirs.named_parameters())[name].grad)
    assert prune.is_pruned(mine)
    for layer in (mine[0], mine[2]):
        for name in ("weight", "bias"):
            if f"{name}_mask" in layer._buffers:
                prune.remove(layer, name)
    assert not prune.is_pruned(mine) and sorted(mine.state_dict()) == sorted(layers(torch).state_dict())


def test_random_pruning_and_what_it_refuses():
    layer = prune.random_unstructured(nn.Linear(4, 5), "weight", 0.25)
    assert int((layer.weight_mask == 0).sum()) == 5
    layer = prune.random_structured(nn.Linear(4, 5), "weight", 2, dim=1)
    assert sorted(layer.weight_mask.sum(0).tolist()) == [0.0, 0.0, 5.0, 5.0]
    with pytest.raises(ValueError, match="amount=21 should be from 0 to the 20 entries"):
        prune.l1_unstructured(nn.Linear(4, 5), "weight", 21)
    with pytest.raises(ValueError, match=r"amount=1.5 should be a share"):
        prune.l1_unstructured(nn.Linear(4, 5), "weight", 1.5)
    with pytest.raises(ValueError, match=r"'bias' of module .* has to be pruned"):
        prune.remove(nn.Linear(4, 5), "bias")


# --- copies and pickles


def test_copies_and_pickles():
    module = nn.Sequential(nn.Linear(2, 2), nn.Linear(2, 2), nn.LSTM(2, 3))
    module[1].weight = module[0].weight
    for made in (copy.deepcopy(module), pickle.loads(pickle.dumps(module))):
        assert made[0].weight is made[1].weight is not module[0].weight
        assert isinstance(made[0].weight, nn.Parameter) and made[0].weight.requires_grad
        with torch.no_grad():
            made[0].weight.add_(1)
        assert not torch.equal(made[0].weight, module[0].weight)
    x = torch.ones(2, requires_grad=True)
    (x * 3).sum().backward()
    assert copy.deepcopy(x).grad.tolist() == [3.0, 3.0] and pickle.loads(pickle.dumps(x)).grad is None
    with pytest.raises(RuntimeError, match="leaves"):
        copy.deepcopy(x * 2)
    generator = torch.Generator().manual_seed(3)
    again = pickle.loads(pickle.dumps(generator))
    assert torch.equal(torch.rand(3, generator=generator), torch.rand(3, generator=again))


def test_deep_copies_of_views_show_the_copy():
    x = torch.zeros(4)
    kept, view = copy.deepcopy((x, x[1:3]))
    view.add_(1)
    assert kept.tolist() == [0, 1, 1, 0] and x.tolist() == [0] * 4


def summed(queue, module, x):
    queue.put(float(module(x).sum()))


@TORCH_ONLY
def test_modules_go_to_other_processes():
    context, module, x = multiprocessing.get_context("spawn"), nn.Linear(2, 1), torch.ones(3, 2)
    queue = context.Queue()
    process = context.Process(target=summed, args=(queue, module, x))
    process.start()
    found = queue.get(timeout=100)
    process.join()
    assert found == pytest.approx(float(module(x).sum()), abs=1e-5)
