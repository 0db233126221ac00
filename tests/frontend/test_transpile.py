"""Programs of torch on another backend: values, gradients, state, pitfalls, and what is refused."""

from __future__ import annotations

import copy
import pickle
import sys

import numpy as np
import pytest
import torch
from frontend.support import check, close, on
from torch import nn
from torch.nn import functional as F  # noqa: N812

import corearray as ca
from corearray.cli import main

# --- values and gradients


def test_a_function(target):
    check(lambda x, y: torch.relu(x @ y).sum(dim=-1) / 2, torch.randn(3, 4), torch.randn(4, 5), target=target)


def test_a_module(target):
    t = check(
        nn.Sequential(nn.Linear(3, 4), nn.GELU(), nn.LayerNorm(4), nn.Linear(4, 2)), torch.randn(5, 3), target=target
    )
    assert t.parameters.key_chains() == ["0/weight", "0/bias", "2/weight", "2/bias", "3/weight", "3/bias"]
    assert t.inputs == ["0.weight", "0.bias", "2.weight", "2.bias", "3.weight", "3.bias"]


def test_native_in_native_out(target):
    backend = ca.get_backend(target)
    t = ca.transpile(nn.Linear(3, 2), to=target)
    x = ca.ones((4, 3), dtype="float32") if target == "numpy" else backend.ones((4, 3), dtype="float32")
    assert isinstance(t(x), ca.Array)
    assert backend.is_native(t(x.native))


def test_a_method(target):
    class Two(nn.Module):
        def __init__(self):
            super().__init__()
            self.w = nn.Parameter(torch.randn(3))

        def twice(self, x, by=2.0):
            return self.w * x * by

    two = Two()
    t = ca.transpile(two.twice, torch.ones(3), to=target)
    close(t(on(target, torch.ones(3))), two.twice(torch.ones(3)))
    close(t(on(target, torch.ones(3)), by=3.0), two.twice(torch.ones(3), by=3.0))
    assert t.parameters.key_chains() == ["w"]


def test_the_backend_in_force_does_not_matter(target):
    t = ca.transpile(nn.Linear(3, 2), torch.ones(1, 3), to=target)
    for other in ("torch", "numpy"):
        with ca.backend_context(other):
            assert t(on(target, torch.ones(2, 3))).backend.name == target


def test_trees_in_and_out(target):
    def program(pair, *, scale):
        a, b = pair["a"], pair["b"][0]
        return {"sum": (a + b) * scale, "parts": [a, (b, None, "kept")], "max": torch.max(a, dim=0)}

    a, b = torch.randn(4), torch.randn(4)
    t = ca.transpile(program, {"a": a, "b": [b]}, to=target, scale=2)
    found = t({"a": on(target, a), "b": [on(target, b)]}, scale=2)
    close(found["sum"], (a + b) * 2)
    assert found["parts"][1][1:] == (None, "kept")
    assert isinstance(found["max"], tuple)
    assert int(found["max"][1]) == int(a.argmax())


def test_other_shapes_and_structures_are_recorded_anew(target):
    t = ca.transpile(lambda x, many=1: torch.cat([x] * many), to=target, source="torch")
    for shape, many in (((2,), 1), ((3,), 1), ((3,), 2), ((2, 2), 3)):
        assert t(on(target, torch.ones(shape)), many=many).shape == (shape[0] * many, *shape[1:])


def test_promotion(target):
    ints, floats, doubles = torch.arange(3), torch.ones(3), torch.ones(3, dtype=torch.float64)
    for program, args in (
        (lambda x: x / 2, (ints,)),
        (lambda x: x * 2.5, (ints,)),
        (lambda x, y: x + y.sum(), (floats, doubles)),
        (lambda x, y: x + y, (floats, doubles)),
        (lambda x, y: x * y, (ints, floats)),
        (lambda x: x.mean(dtype=torch.float64) + 1, (floats,)),
        (lambda x: (x > 1).sum(), (floats,)),
        (lambda x: 2**x, (ints,)),
        (lambda x: 1 - x, (ints,)),
    ):
        check(program, *args, target=target)


# --- pitfalls


def test_padding_of_embeddings_stops_the_gradient(target):
    check(nn.Embedding(7, 3, padding_idx=2), torch.tensor([[1, 2, 3], [2, 2, 6]]), target=target)


@pytest.mark.parametrize(
    ("targets", "lengths"),
    [
        (torch.tensor([[1, 2, 0], [3, 3, 1]]), torch.tensor([2, 3])),
        (torch.tensor([1, 2, 3, 3, 1]), torch.tensor([2, 3])),
        (torch.tensor([1, 2, 3, 3, 1]), (2, 3)),
    ],
)
def test_alignment_loss(target, targets, lengths):
    """Targets in rows, and one behind the other."""
    times = (7, 6) if isinstance(lengths, tuple) else torch.tensor([7, 6])
    check(lambda x, y: F.ctc_loss(x.log_softmax(-1), y, times, lengths), torch.randn(7, 2, 5), targets, target=target)
    check(
        lambda x, y: F.ctc_loss(x.log_softmax(-1), y, (7,), (2,)),
        torch.randn(7, 5),
        torch.tensor([1, 2]),
        target=target,
    )


def test_sequences_of_different_lengths_are_padded(target):
    def program(x):
        return nn.utils.rnn.pad_sequence([x[0], x[1, :2]], batch_first=True, padding_value=-1.0)

    check(program, torch.randn(2, 4, 3), target=target)


def test_in_place_calls_write_through_views(target):
    def program(x):
        y = x.clone()
        row, part = y[1], y.view(-1)[:2]
        row.add_(10).mul_(2)
        part.zero_()
        y[:, -1] = x[:, 0]
        y.t()[0].sub_(1)
        return y * row

    check(program, torch.randn(3, 4), target=target)


def test_a_write_into_a_slice_of_everything_is_a_write_into_the_array(target):
    def program(x):
        y = torch.cat([x, x * 2], 1)[:, :8]
        y += x[:, :1]
        z = torch.cat([y[:, :4] * 3, x], 1)[:, :8]
        z += y
        return z * 2

    check(program, torch.randn(3, 4), target=target)


@pytest.mark.parametrize(
    "copied",
    [
        lambda y: y.t().contiguous(),
        lambda y: y.t().reshape(9),
        lambda y: y.t().flatten(),
        lambda y: y[0][None].expand(3, 3).contiguous(),
        lambda y: y.permute(1, 0).contiguous().view(-1),
    ],
    ids=["contiguous", "reshape", "flatten", "expanded", "view of a copy"],
)
def test_what_torch_copies_is_not_written_through(copied, target):
    def program(x):
        y = x * 1
        z = copied(y)
        z[0] = 7
        y[2] = 5
        return y.sum(0) + z.reshape(-1)[:3]

    check(program, torch.randn(3, 3), target=target)


def test_a_copy_of_a_constant_is_written(target):
    kept = torch.ones(3)

    def program(x):
        y, z = kept.clone(), kept * 2
        y.copy_(x)
        z[0] = x[1]
        return y + z

    check(program, torch.randn(3), target=target)


def test_in_place_calls_that_change_the_shape(target):
    def program(x):
        y = x * 2
        y.unsqueeze_(0)
        y.transpose_(1, 2)
        return y.squeeze_(0).t_() + x

    check(program, torch.randn(3, 4), target=target)


def test_activations_in_place(target):
    check(lambda x: F.relu(x + 1, inplace=True) + F.silu(x * 2, inplace=True), torch.randn(3, 4), target=target)


def test_an_argument_that_the_program_writes_into_is_left_alone(target):
    def program(x):
        x.add_(1)
        return x * 2

    t = ca.transpile(program, torch.ones(3), to=target)
    x = on(target, torch.ones(3))
    assert t(x).tolist() == [4.0, 4.0, 4.0]
    assert x.tolist() == [1.0, 1.0, 1.0]


@pytest.mark.parametrize(
    "make",
    [
        lambda x: torch.from_numpy(x),
        torch.tensor,
        lambda x: torch.tensor(x, dtype=torch.float64, device="cpu"),
        torch.as_tensor,
        torch.asarray,
        lambda x: torch.tensor([x[0], x[1], x[2]]),
        lambda x: torch.zeros(2).new_tensor(x),
        lambda x: torch.from_dlpack(x),
        lambda x: torch.frombuffer(bytearray(x.tobytes()), dtype=torch.float32),
        lambda x: torch.FloatTensor(x.tolist()).mul_(2),
        lambda x: torch.IntTensor([1, 2, 3]),
    ],
    ids="from_numpy tensor typed as_tensor asarray numbers new_tensor dlpack buffer FloatTensor IntTensor".split(),
)
def test_tensors_made_of_other_objects(make, target):
    kept = np.arange(3, dtype="float32")

    def program(x):
        made = make(kept)
        return x[made.long() % 3] + made if (made > 0).any() else x  # its elements may be read

    check(program, torch.randn(3), target=target)


def test_a_tensor_that_torch_does_not_show_is_told():
    with pytest.raises(ca.TracingError, match=r"for which there is torch\.tensor"):
        ca.transpile(lambda x: x + torch.Tensor([1.0]), torch.ones(1), to="numpy")


def test_sizes_that_depend_on_numbers_of_the_program(target):
    def program(x):
        steps = torch.tensor([5, 3, 1])
        return x * len((steps == 3).nonzero()) if len(torch.nonzero(steps > 2)) == 2 else -x

    check(program, torch.randn(3), target=target)


class Casting(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = nn.Linear(3, 2)

    def forward(self, x):
        return self.inner.to(x.dtype)(x)


def test_a_module_that_casts_a_part_to_the_dtype_that_it_has(target):
    check(Casting(), torch.randn(2, 3), target=target)


@pytest.mark.parametrize(
    ("shape", "wrap"), [((3, 3), False), ((2, 4), False), ((7, 3), False), ((7, 3), True), ((2, 2, 2), False)]
)
def test_diagonals_in_place(shape, wrap, target):
    check(lambda x: (x * 2).fill_diagonal_(-1.5, wrap=wrap) ** 2, torch.randn(shape), target=target)


def _writes_into_a_part(x):
    y = x * 1
    y.data[0] = 5
    return y * 1


def _writes_into_detached(x):
    y = x * 1
    y.detach().mul_(3)
    return y * x


def _writes_into_both(x):
    y = x * 1
    view, apart = y.view(1, 2), y.detach()
    part = apart[:1]
    y.mul_(2)
    part.add_(1)
    return view.sum(0) * apart + y


def _writes_an_infinity(x):
    y = x * 1
    y.data.fill_(-torch.inf)
    return torch.where(torch.isinf(y), x, y)


@pytest.mark.parametrize(
    "program",
    [lambda x: x.data * x, _writes_into_a_part, _writes_into_detached, _writes_into_both, _writes_an_infinity],
)
def test_data_and_detached_tensors_share_elements_and_no_gradients(program, target):
    check(program, torch.tensor([0.5, -2.0]), target=target)


def test_weights_that_are_masked_in_place(target):
    class Masked(nn.Conv2d):
        def __init__(self):
            super().__init__(1, 2, 3)
            self.register_buffer("mask", torch.ones_like(self.weight).tril())

        def forward(self, x):
            self.weight.data *= self.mask
            return super().forward(x)

    made, x = Masked(), torch.randn(1, 1, 5, 5)
    t = ca.transpile(made, x, to=target)
    close(t(on(target, x)), made(x))


class Rounded(torch.autograd.Function):
    """A function whose `backward` has constants without axes."""

    @staticmethod
    def forward(ctx, x, scale):
        ctx.save_for_backward(x, scale)
        return torch.round(x / scale) * scale

    @staticmethod
    def backward(ctx, slope):
        x, scale = ctx.saved_tensors
        inside = ((x / scale).abs() < 20).to(slope.dtype)
        return slope * inside, (slope * (1 - inside)).sum()


def test_a_backward_with_numbers_of_the_module(target):
    class Network(nn.Module):
        def __init__(self):
            super().__init__()
            self.scale = nn.Parameter(torch.tensor(0.05))

        def forward(self, x):
            return Rounded.apply(x, self.scale) + Rounded.apply(x, torch.tensor(0.1))

    check(Network(), torch.tensor([0.51, -3.0, 0.2]), target=target)


def test_out_arguments(target):
    def program(x):
        out = torch.empty(3)
        torch.exp(x, out=out)
        return out * 2

    check(program, torch.randn(3), target=target, gradients=False)


def test_no_grad_and_detach(target):
    def program(x):
        with torch.no_grad():
            scale = x.abs().max()
        return x / scale + x.detach() * x

    check(program, torch.tensor([1.0, -3.0, 2.0]), target=target)


class Tripled(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, slope):
        (x,) = ctx.saved_tensors
        return 3 * slope if x.max() > 0 else slope


def test_a_backward_that_is_not_kept_is_reported(target):
    """It reads an element."""

    def program(x):
        with torch.no_grad():
            scale = x.abs().max()
        return Tripled.apply(x) / scale + x

    t = ca.transpile(program, torch.ones(3), to=target)
    (note,) = t.report.notes
    assert "the backward of a torch.autograd.Function in torch, and those of the calls here" in note
    assert "test_transpile.py" in note
    close(t(on(target, torch.ones(3))), program(torch.ones(3)))
    report = ca.transpile_report(program, torch.ones(3))
    assert any("max() > 0" in read for read in report.reads)

    def within_inference_mode(x):
        with torch.inference_mode():
            return x * 2

    (note,) = ca.transpile_report(within_inference_mode, torch.ones(3)).notes
    assert "are zero within torch.inference_mode" in note


class Untrainable(torch.autograd.Function):
    """As the reversible layers of Reformer, whose backward runs in training mode alone."""

    @staticmethod
    def forward(ctx, x):
        return x * 2

    @staticmethod
    def backward(ctx, slope):
        raise AssertionError("use model.train()")


def test_a_backward_that_raises_does_not_keep_a_program_from_running(target):
    t = ca.transpile(lambda x: Untrainable.apply(x) + 1, torch.ones(3), to=target)
    close(t(on(target, torch.ones(3))), torch.full((3,), 3.0))
    assert "the backward of a torch.autograd.Function in torch" in str(t.report)


def test_shapes_made_of_elements(target):
    """Such a program runs call by call where the target's graphs have no shapes that depend on elements."""

    def program(x):
        places = torch.nonzero(x > 0)
        return x[x > 0].sum() + places.sum()

    check(program, torch.tensor([1.0, -2.0, 3.0]), target=target)
    t = ca.transpile(program, torch.tensor([1.0, -2.0, 3.0]), to=target)
    other = torch.tensor([4.0, 5.0, 6.0])
    close(t(on(target, other)), program(other))


def test_a_refused_read_names_the_line_of_an_installed_model(tmp_path, monkeypatch):
    place = tmp_path / "site-packages"
    place.mkdir()
    lines = [
        "import torch",
        "class Model(torch.nn.Module):",
        "    def forward(self, x):",
        "        return x * x.item()",
    ]
    (place / "installed_model.py").write_text("\n".join(lines))
    monkeypatch.syspath_prepend(place)
    from installed_model import Model

    with pytest.raises(ca.TracingError, match=r"installed_model.py, line 4, in `return x \* x.item\(\)`"):
        ca.transpile(Model(), torch.ones(1), to="numpy")


def test_assertions_are_dropped(target):
    def program(x):
        torch._assert(x.shape[0] == 3, "three rows")
        torch._assert_async(x.sum() > -1e9)
        return x + 1

    t = check(program, torch.randn(3), target=target)
    assert not any("assert" in name for name in t.report.calls)


def test_tracing_takes_time_linear_in_the_number_of_calls():
    """Each tensor from outside was looked for among all objects made so far, which is quadratic."""
    import time

    def seconds(count):
        constants = [torch.full((2,), float(i)) for i in range(count)]

        def program(x):
            for c in constants:
                x = x + c
            return x

        start = time.process_time()
        ca.transpile_report(program, torch.ones(2))
        return time.process_time() - start

    seconds(10)
    small, large = min(seconds(100) for _ in range(3)), min(seconds(1600) for _ in range(2))
    assert large < 16 * small * 4


def test_multi_head_attention_is_one_call(target):
    layer = nn.MultiheadAttention(8, 2, batch_first=True).eval()

    class Attend(nn.Module):
        def __init__(self):
            super().__init__()
            self.layer = layer

        def forward(self, x):
            return self.layer(x, x, x, need_weights=False)[0]

    t = check(Attend(), torch.randn(2, 5, 8), target=target)
    assert t.report.calls["torch.nn.functional.multi_head_attention_forward"] == 1


# --- state


def test_training_mode_changes_buffers(target):
    model = nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4))
    x = torch.randn(6, 3)
    t = ca.transpile(model, x, to=target)
    before = {name: buffer.clone() for name, buffer in model.named_buffers()}
    assert t.buffers["1"]["num_batches_tracked"].item() == 0
    found = [t(on(target, x)) for _ in range(2)]
    assert all(torch.equal(before[name], buffer) for name, buffer in model.named_buffers()), (
        "the original is not changed"
    )
    for one in found:
        close(one, model(x))
    for name, buffer in model.named_buffers():
        close(t.buffers["1"][name.removeprefix("1.")], buffer)
    assert "1.running_mean" in str(t.report)


def test_apply_changes_nothing(target):
    model = nn.BatchNorm1d(3)
    x = torch.randn(5, 3)
    t = ca.transpile(model, x, to=target)
    t.apply(t.parameters, on(target, x))
    assert t.buffers["num_batches_tracked"].item() == 0


def test_dropout_draws_in_each_call(target):
    model = nn.Sequential(nn.Linear(4, 64), nn.Dropout(0.5))
    x = torch.ones(2, 4)
    t = ca.transpile(model, x, to=target)
    with ca.backend_context(target):
        ca.random.seed(1)
        one, other = t(on(target, x)), t(on(target, x))
        ca.random.seed(1)
        again = t(on(target, x))
    assert one.tolist() == again.tolist() != other.tolist()
    share = np.mean(np.asarray(one) == 0)
    assert 0.2 < share < 0.8
    assert "random numbers" in str(t.report)
    with pytest.raises(ValueError, match="random numbers"):
        t.graph


def test_parameters_can_be_replaced(target):
    model = nn.Linear(3, 2)
    x = torch.randn(4, 3)
    t = ca.transpile(model, x, to=target)
    zero = t.with_parameters(0 * t.parameters)
    assert zero(on(target, x)).tolist() == [[0.0, 0.0]] * 4
    close(t(on(target, x)), model(x))
    t.parameters = {"weight": on(target, torch.zeros(2, 3)), "bias": on(target, torch.ones(2))}
    assert t(on(target, x)).tolist() == [[1.0, 1.0]] * 4
    with pytest.raises(ValueError, match="there is no parameter 'bias'"):
        t.parameters = {"weight": t.parameters["weight"]}
    with pytest.raises(TypeError, match="a Container or a dictionary"):
        t.apply(3, on(target, x))


def test_shared_weights_are_one_parameter(target):
    class Tied(nn.Module):
        def __init__(self):
            super().__init__()
            self.embed = nn.Embedding(5, 3)
            self.head = nn.Linear(3, 5, bias=False)
            self.head.weight = self.embed.weight

        def forward(self, x):
            return self.head(self.embed(x))

    t = check(Tied(), torch.tensor([0, 3]), target=target)
    assert t.parameters.key_chains() == ["embed/weight"]


# --- sizes


class Sequence(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(50, 16)
        self.layer = nn.TransformerEncoderLayer(16, 4, 32, batch_first=True)
        self.out = nn.Linear(16, 3)

    def forward(self, x):
        places = torch.arange(x.shape[1])[None, :, None] * 0.01
        hidden = self.layer(self.embed(x) + places).view(x.shape[0] * x.shape[1], 16)
        return self.out(hidden).view(x.shape[0], -1)


def test_one_program_for_all_sizes(target, monkeypatch):
    model = Sequence().eval()
    t = ca.transpile(model, torch.randint(0, 50, (3, 13)), to=target, dynamic=True)
    assert "sizes 3, 13 of the example may be others" in str(t.report)
    runs = []
    monkeypatch.setattr(Sequence, "__call__", lambda *args: runs.append(args) or nn.Module.__call__(*args))
    for shape in ((5, 7), (1, 2), (13, 3)):
        x = torch.randint(0, 50, shape)
        found = t(on(target, x))
        assert not runs, "the program was not recorded again"
        close(found, model(x))
        runs.clear()


def test_sizes_that_change_the_calls_are_recorded(target):
    def program(x):
        for i in range(x.shape[0]):
            x = x + i
        return x.view(x.shape[0] // 2, -1) if x.shape[1] % 2 == 0 else x[: x.shape[1] // 2]

    t = ca.transpile(program, torch.ones(2, 4), to=target, dynamic=True)
    for shape in ((2, 4), (4, 6), (6, 3), (2, 7)):
        x = torch.randn(shape)
        close(t(on(target, x)), program(x))


# --- what it is


def test_the_source_is_a_program_of_the_frontend(target):
    class Block(nn.Module):
        def __init__(self):
            super().__init__()
            self.norm, self.up = nn.LayerNorm(4), nn.Linear(4, 4)

        def forward(self, x):
            return x + F.gelu(self.up(self.norm(x)))[:, 1:].sum(-1, keepdim=True)

    t = ca.transpile(Block(), torch.randn(2, 4), to=target)
    import_line, *lines = t.source.splitlines()
    assert import_line == "import corearray.frontend.torch as torch"
    assert [line.strip() for line in lines if line and "layer_norm" not in line] == [
        "def Block(parameters, x):",
        "# norm",
        "# up",
        'v1 = torch.nn.functional.linear(v0, parameters["up.weight"], parameters["up.bias"])',
        "v2 = torch.nn.functional.gelu(v1)",
        "v3 = v2[:, 1:]",
        "v4 = torch.sum(v3, -1, True)",
        "v5 = x + v4",
        "return v5",
    ]
    assert repr(t) == f"<'Block' from torch on {target}: 6 calls>"


def test_the_source_names_private_functions_of_torch_where_they_are(target):
    t = ca.transpile(lambda v, g: torch._weight_norm(v, g, 0), torch.ones(3, 2), torch.ones(3, 1), to=target)
    assert "= torch._weight_norm(" in t.source


def test_a_graph_of_native_calls(target):
    model, x = nn.Linear(3, 2), torch.randn(4, 3)
    t = ca.transpile(model, x, to=target)
    weight, bias = t.parameters["weight"].native, t.parameters["bias"].native
    (found,) = t.graph.native(weight, bias, on(target, x).native)
    close(ca.get_backend(target).wrap(found), model(x))


def test_pickles_and_copies(target):
    model = nn.Sequential(nn.Linear(4, 3), nn.BatchNorm1d(3)).eval()
    x = torch.ones(2, 4)
    t = ca.transpile(model, x, to=target)
    found = pickle.loads(pickle.dumps(t))
    copied = copy.deepcopy(t)
    for one in (found, copied):
        assert one.backend is t.backend
        close(one(on(target, x)), model(x))
    doubled = {name: {part: 2 * y for part, y in parts.items()} for name, parts in t.parameters.items()}
    copied.parameters = doubled
    close(t(on(target, x)), model(x))
    with pytest.raises(ValueError, match="has not been recorded yet"):
        pickle.dumps(ca.transpile(model, to=target))


def test_save_and_load(target, tmp_path):
    model = nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4), nn.GELU(), nn.Linear(4, 2))
    x = torch.randn(5, 3)
    t = ca.transpile(model, x, to=target)
    t.save(tmp_path / "model.zip")
    for other in {target, "numpy"}:
        loaded = ca.Transpiled.load(tmp_path / "model.zip", to=other)
        close(loaded(on(other, x)), model.train()(x))
        assert loaded.parameters.key_chains() == t.parameters.key_chains()
        with pytest.raises(TypeError, match="was loaded from a file"):
            loaded(on(other, torch.ones(1, 3)))
    (tmp_path / "none.zip").write_bytes(b"nothing")
    with pytest.raises(ca.FileFormatError, match="holds no transpiled program"):
        ca.Transpiled.load(tmp_path / "none.zip")


def test_rules_of_the_caller(target):
    def program(x):
        return torch.special.airy_ai(x) + 1

    with pytest.raises(NotImplementedError, match="airy_ai"):
        ca.transpile(program, torch.ones(3), to=target)
    t = ca.transpile(program, torch.ones(3), to=target, rules={"torch.special.airy_ai": ca.sin})
    close(t(on(target, torch.ones(3))), torch.sin(torch.ones(3)) + 1)


def test_a_dtype_that_the_target_lacks():
    model = nn.Linear(3, 2).to(torch.bfloat16)
    x = torch.ones(1, 3, dtype=torch.bfloat16)
    with pytest.raises(NotImplementedError, match="numpy lacks the dtypes bfloat16; choose others"):
        ca.transpile(model, x, to="numpy")
    t = ca.transpile(model, x, to="numpy", rules={"bfloat16": "float32"})
    found = t(on("numpy", x.float()))
    assert found.dtype == ca.float32
    close(found, model.float()(x.float()))


@pytest.mark.parametrize("n", [1, 2, 4])
def test_polygamma_below_zero(target, n):
    x = torch.tensor([-8.98, -7.9, -1.3, -0.5, 0.01, 3.3], dtype=torch.float64)
    found = ca.transpile(lambda x: torch.polygamma(n, x), x, to=target)(on(target, x))
    np.testing.assert_allclose(np.asarray(found), torch.polygamma(n, x).numpy(), rtol=1e-9)


def test_strides_of_tensors_that_lie_otherwise(target):
    x = torch.randn(4, 3, 2)
    check(lambda x: x.transpose(0, 1).as_strided((3, 2, 2), (2, 6, 1)) * 2, x, target=target)
    with pytest.raises(ca.TracingError, match="with gaps in memory"):
        ca.transpile(lambda x: x[:, :2].as_strided((2, 2), (6, 1)), x, to=target)


def test_numbers_that_are_made_of_sizes(target):
    def program(x):
        half = torch.div(torch.tensor(x.shape[1]), 2, rounding_mode="floor")
        if half > 1:
            x = x.reshape(half, -1)
        return F.pad(x, (int(half), torch.tensor(1))).softmax(-1)

    check(program, torch.randn(2, 4), target=target)
    with pytest.raises(ca.TracingError, match="reads elements"):
        ca.transpile(lambda x: x.reshape(x.sum().long() * 0 + 2, -1), torch.ones(2, 2), to=target)

    def written(x):
        one = torch.zeros(2)
        one[0] = x.sum()
        return x * int(one[0])

    with pytest.raises(ca.TracingError, match="reads elements"):
        ca.transpile(written, torch.ones(2, 2), to=target)


@pytest.mark.parametrize("layer", [nn.Softmax, nn.LogSoftmax, nn.Softmin])
def test_layers_that_say_where_they_warn(target, layer):
    check(layer(dim=-1), torch.randn(2, 3), target=target)


@pytest.mark.filterwarnings("ignore:.*degrees of freedom")
@pytest.mark.parametrize("name", ["sum", "prod", "amax", "any", "std_mean", "logsumexp", "nansum", "count_nonzero"])
def test_numbers_have_one_axis_for_reductions(target, name):
    def program(x):
        made = getattr(torch, name)(x, dim=-1)
        return made[0] + made[1] if isinstance(made, tuple) else made

    x = torch.tensor(1.5)
    t = ca.transpile(program, x, to=target)
    np.testing.assert_allclose(np.asarray(t(on(target, x))), program(x).numpy(), rtol=1e-6)


@pytest.mark.filterwarnings("ignore:.*degrees of freedom")
@pytest.mark.parametrize("correction", [0, 0.5, 2, 3, None])
@pytest.mark.parametrize("name", ["var", "std"])
def test_corrections_of_variances(target, name, correction):
    x = torch.tensor([[1.0, 2.0, 4.0], [3.0, 3.0, 5.0]])
    t = ca.transpile(lambda x: getattr(torch, name)(x, dim=0, correction=correction), x, to=target)
    wanted = getattr(torch, name)(x, dim=0, correction=correction)
    np.testing.assert_allclose(np.asarray(t(on(target, x))), wanted.numpy(), rtol=1e-6)


# --- bad input


@pytest.mark.parametrize("wrong", [3, "text", None, nn.Linear, [1]])
def test_what_is_neither_function_nor_module(wrong):
    with pytest.raises(TypeError, match="takes a function, a module of a framework"):
        ca.transpile(wrong, torch.ones(1), to="numpy")
    assert "takes a function" in ca.transpile_report(wrong, torch.ones(1)).problem


def test_a_target_that_is_not_there():
    with pytest.raises(ca.BackendNotFoundError, match="caffe"):
        ca.transpile(nn.Linear(1, 1), torch.ones(1), to="caffe")


def test_arguments_of_another_framework(target):
    def program(x):
        return torch.relu(x)

    other = "jax" if target != "jax" else "tensorflow"
    t = ca.transpile(program, torch.ones(2), to=target)
    if target != "numpy":
        with pytest.raises(ca.BackendMismatchError, match="numpy"):
            t(ca.get_backend("numpy").ones((2,), dtype="float32"))
    else:
        with pytest.raises(ca.BackendMismatchError, match="torch"):
            t(torch.ones(2))
    assert other


def test_nothing_tells_the_framework():
    with pytest.raises(ValueError, match="nothing tells in which framework"):
        ca.transpile(lambda x: x, to="numpy")
    with pytest.raises(ValueError, match="there is no frontend"):
        ca.transpile(lambda x: x, to="numpy", source="caffe")


@pytest.mark.parametrize("options", [{"reads": "maybe"}, {"dynamic": True}])
def test_options(options):
    with pytest.raises(ValueError, match="transpile"):
        ca.transpile(nn.Linear(1, 1), to="numpy", **options)


def test_rules_that_are_none():
    with pytest.raises(TypeError, match="a rule is a function of arrays"):
        ca.transpile(nn.Linear(1, 1), to="numpy", rules={"torch.relu": 3})


def test_a_rule_that_does_not_take_the_arguments():
    message = (
        r"the rule for 'torch.relu' has the signature \(\), and the call gives \(an argument\): .*test_transpile.py"
    )
    with pytest.raises(TypeError, match=message):
        ca.transpile(lambda x: torch.relu(x), torch.ones(1), to="numpy", rules={"torch.relu": lambda: 1})


def test_a_branch_on_elements(target):
    def program(x):
        if x.max() > 1:  # where the elements are read
            x = x / x.max()
        return x * 2

    x = torch.tensor([1.0, 4.0])
    with pytest.raises(ca.TracingError, match=r"test_transpile.py, line \d+, in `if x.max\(\) > 1:.*reads=\"assume\""):
        ca.transpile(program, x, to=target)
    t = ca.transpile(program, x, to=target, reads="assume")
    close(t(on(target, x)), program(x))
    (read,) = t.report.reads
    assert "if x.max() > 1:" in read
    assert read in str(t.report)


def test_reads_of_single_elements(target):
    def program(x, y):
        count = int(y[0].item())
        return x[:count] * float(x.shape[0])

    x, y = torch.randn(5), torch.tensor([3, 4])
    t = ca.transpile(program, x, y, to=target, reads="assume")
    close(t(on(target, x), on(target, y)), program(x, y))
    assert len(t.report.reads) == 1


class Tagger(nn.Module):
    def __init__(self, kind):
        super().__init__()
        self.layer = kind(3, 2, num_layers=2, bidirectional=True, batch_first=True)

    def forward(self, x, lengths):
        packed = nn.utils.rnn.pack_padded_sequence(x, lengths, batch_first=True, enforce_sorted=False)
        made, last = self.layer(packed)
        padded, counts = nn.utils.rnn.pad_packed_sequence(made, batch_first=True, total_length=6)
        states = last if isinstance(last, tuple) else (last,)
        return torch.cat([*(one.flatten() for one in (padded, *states)), torch.zeros(counts.max())])


@pytest.mark.parametrize("kind", [nn.GRU, nn.LSTM])
def test_packed_sequences(kind, target):
    x, lengths = torch.randn(3, 5, 3), torch.tensor([2, 4, 2])
    with pytest.raises(ca.TracingError, match="reads elements"):
        ca.transpile(Tagger(kind), x, lengths, to=target)
    t = check(Tagger(kind), x, lengths, target=target, reads="assume")
    assert any("pack_padded_sequence" in read for read in t.report.reads)


def test_lengths_that_the_program_knows_are_no_reads(target):
    layer = Tagger(nn.GRU)
    check(lambda x: layer(x, torch.tensor([2, 4, 2])), torch.randn(3, 5, 3), target=target)


def test_dropout_between_recurrent_layers(target):
    module, x = nn.GRU(3, 4, num_layers=2, dropout=0.5), torch.randn(5, 2, 3)
    t = ca.transpile(module, x, to=target)
    first, last = t(on(target, x))
    assert tuple(first.shape) == (5, 2, 4) and not np.allclose(ca.to_numpy(first), ca.to_numpy(t(on(target, x))[0]))
    _, states = module(x)
    np.testing.assert_allclose(ca.to_numpy(last)[0], states.detach().numpy()[0], atol=1e-6)  # dropout comes behind


def test_a_result_that_is_no_array(target):
    class Odd:
        def __init__(self, x):
            self.x = x

    with pytest.raises(TypeError, match="an object of type 'Odd', which may hold arrays"):
        ca.transpile(lambda x: (x, Odd(torch.relu(x))), torch.ones(2), to=target)
    t = ca.transpile(lambda x: (torch.relu(x), 3, "text", None), torch.ones(2), to=target)
    assert t(on(target, torch.ones(2)))[1:] == (3, "text", None)


def test_every_missing_function_is_named_at_once(target):
    def program(x):
        y = torch.special.airy_ai(x)
        z = torch.special.bessel_y1(x)
        return torch.special.airy_ai(y + z)

    report = ca.transpile_report(program, torch.ones(2), to=target)
    assert not report
    assert len(report.missing) == 2
    counts = {name.rpartition("_ai")[0] or name: sum(places.values()) for name, places in report.missing.items()}
    assert sorted(counts.values()) == [1, 2]
    assert "test_transpile.py:" in str(report)
    with pytest.raises(NotImplementedError) as caught:
        ca.transpile(program, torch.ones(2), to=target)
    assert "2 functions have no rule" in str(caught.value)


def test_a_report_never_raises(target):
    def fails(x):
        raise RuntimeError("of the user")

    assert "of the user" in ca.transpile_report(fails, torch.ones(2), source="torch").problem
    assert "caffe" in ca.transpile_report(nn.Linear(1, 1), torch.ones(1), to="caffe").problem
    good = ca.transpile_report(nn.Linear(2, 1), torch.ones(1, 2), to=target)
    assert good.ok, str(good)
    assert str(good).endswith("every call has a rule")
    assert repr(good) == "<report of 'Linear': ready>"


def test_an_error_of_a_rule_says_where_it_was_called(target):
    def program(x):
        return torch.linalg.inv(x)

    def wrong(*args, **options):
        raise ca.CoreArrayError("not this time")

    name = next(iter(ca.transpile_report(program, torch.eye(2)).calls))
    with pytest.raises(ca.CoreArrayError, match=r"not this time \(in the call of '.*inv' at .*test_transpile.py:\d+\)"):
        ca.transpile(program, torch.eye(2), to=target, rules={name: wrong})


# --- the command line


@pytest.fixture
def in_a_folder(tmp_path, monkeypatch):
    (tmp_path / "a_model.py").write_text(
        "import torch\n"
        "model = torch.nn.Linear(3, 2)\n"
        "def example():\n    return torch.ones(1, 3)\n"
        "def missing(x):\n    return torch.special.airy_ai(x)\n"
        "alone = {'x': torch.ones(2)}\n"
    )
    monkeypatch.chdir(tmp_path)
    yield tmp_path
    sys.modules.pop("a_model", None)


def test_the_command(in_a_folder, target, capsys):
    assert main(["transpile", "a_model:model", "--to", target, "--check"]) == 0
    assert "every call has a rule" in capsys.readouterr().out
    assert main(["transpile", "a_model:missing", "--example", "alone", "--to", target, "--check"]) == 1
    assert "1 functions have no rule" in capsys.readouterr().out
    assert main(["transpile", "a_model:model", "--to", target]) == 0
    assert "torch.nn.functional.linear" in capsys.readouterr().out
    assert main(["transpile", "a_model:model", "--to", target, "--write", "linear.py"]) == 0
    assert "def Linear(parameters, input):" in (in_a_folder / "linear.py").read_text()
    assert main(["transpile", "a_model:model", "--to", target, "--write", "linear.zip"]) == 0
    assert ca.Transpiled.load(in_a_folder / "linear.zip").parameters.key_chains() == ["weight", "bias"]


@pytest.mark.parametrize(
    ("program", "text"),
    [
        ("a_model", "names no program"),
        ("a_model:nothing", "has no 'nothing'"),
        ("no_such_module:model", "cannot be imported"),
    ],
)
def test_the_command_refuses(in_a_folder, program, text, capsys):
    assert main(["transpile", program, "--to", "numpy"]) == 2
    assert text in capsys.readouterr().err


@pytest.mark.parametrize(
    "program",
    [
        lambda x: x.long() * np.int64(4),
        lambda x: x * np.int64(4) + np.float32(0.5),
        lambda x: torch.add(x.long(), np.int64(2), alpha=np.int64(3)),
        lambda x: torch.where(x > 0, np.int64(1), np.int64(2)),
        lambda x: x.long().clamp(np.int64(2)) ** np.int64(2) // np.int64(3),
        lambda x: x.view(np.int64(2), -1)[np.int64(1)],
    ],
)
def test_numbers_of_numpy_are_numbers(program, target):
    x = torch.tensor([1.0, -2.0, 3.0, 0.0])
    check(program, x, target=target, source="torch")


def test_the_default_dtype_of_the_recording(target, tmp_path):
    torch.set_default_dtype(torch.float64)
    try:
        example = torch.ones(3), torch.arange(3)
        t = ca.transpile(lambda x, n: (x + torch.zeros(3), n / 2, torch.ones(2) * n[0]), *example, to=target)
        wanted = [str(x.dtype).removeprefix("torch.") for x in t._fn(*example)]
    finally:
        torch.set_default_dtype(torch.float32)
    t.save(tmp_path / "t.zip")
    for program in (t, ca.Transpiled.load(tmp_path / "t.zip", to=target)):
        assert [str(x.dtype) for x in program(*(on(target, x) for x in example))] == wanted == ["float64"] * 3
