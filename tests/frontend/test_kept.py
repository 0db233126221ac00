"""Programs written as modules to keep: with the source's calls, and with native calls that need no corearray."""

from __future__ import annotations

import json
import runpy
import subprocess
import sys
from typing import NamedTuple

import numpy as np
import pytest
import torch
from frontend.conftest import TARGET
from torch import nn

import corearray as ca
from corearray.cli import main
from corearray.frontend.formatting import wrapped
from corearray.frontend.kept import _tidied, keep

X = torch.linspace(-1.0, 1.0, 12).reshape(3, 4)


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 4)
        self.norm = nn.LayerNorm(4)

    def forward(self, x):
        return self.norm(torch.relu(self.linear(x)) + x)


class Network(nn.Module):
    """Blocks of one class, one of which is called twice, a block's weight used elsewhere, and several results."""

    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList([Block(), Block()])
        self.HTTPHead = nn.Sequential(nn.Linear(4, 2), nn.Tanh())
        self.register_buffer("scale", torch.tensor([1.0, 2.0]))

    def forward(self, x):
        for block in (*self.blocks, self.blocks[0]):
            x = block(x)
        made = self.HTTPHead(x) * self.scale
        return {"made": made, "tied": (x @ self.blocks[1].linear.weight, 3)}


def written(x):
    y = x.clone()
    y[0] = 5.0
    y.mul_(2)
    return y.flip(0), y.sum()


MODULES = {
    "network": Network(),
    "normed": nn.Sequential(nn.Linear(4, 2), nn.BatchNorm1d(2), nn.ReLU()).eval(),
    "written": written,
    "constant": lambda x: x @ torch.arange(4.0) + torch.tensor(1.0, dtype=torch.float64),
}


def leaves(tree):
    if isinstance(tree, dict):
        return [leaf for key in sorted(tree) for leaf in leaves(tree[key])]
    if isinstance(tree, (tuple, list)):
        return [leaf for part in tree for leaf in leaves(part)]
    return [np.asarray(getattr(tree, "array", tree)).astype(float).tolist()]


def expected(program):
    with torch.no_grad():
        return leaves(program(X.clone()))


def close(found, wanted):
    assert len(found) == len(wanted)
    for one, other in zip(found, wanted, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("name", MODULES)
def test_the_source_s_calls(name, tmp_path, target):
    program = MODULES[name]
    keep(ca.transpile(program, X, to=target, source="torch"), tmp_path / "kept.py")
    made = runpy.run_path(str(tmp_path / "kept.py"))
    (function,) = [made[one] for one in made if one in ("Network", "Sequential", "written", "program")]
    with ca.backend_context(target):
        x = ca.asarray(X.numpy())
        needs = [made["load"]()] if "load" in made else []
        close(leaves(function(*needs, x)), expected(program))


def test_a_function_for_each_class(tmp_path, target):
    keep(ca.transpile(Network(), X, to=target), tmp_path / "kept.py")
    text = (tmp_path / "kept.py").read_text()
    assert text.startswith(f'"""\'Network\' of torch {torch.__version__}, written by corearray {ca.__version__};')
    assert text.count("def block(") == text.count("def layer_norm(") == text.count("def sequential(") == 1
    assert (
        'x = block(parameters["blocks"]["0"], x)\n' in text
        or 'blocks_0 = block(parameters["blocks"]["0"], x)\n' in text
    )
    assert text.count('block(parameters["blocks"]["0"], ') == 2
    assert "def linear(parameters, x):\n    return torch.nn.functional.linear(x, " in text


class Sum(nn.Module):
    """A module with the name of a built-in function and with variables that are assigned twice."""

    def __init__(self):
        super().__init__()
        self.offset = torch.arange(4.0)

    def forward(self, x):
        total = x + self.offset
        total, x = total * 2, total.exp() - (x - 1)
        return total.sum(-1) * x.mean(-1), (x,)


class Named(nn.Module):
    def __init__(self):
        super().__init__()
        self.add = Sum()
        self.linear = nn.Linear(4, 4)

    def forward(self, tokens):
        linear = self.linear(tokens)
        scores, (hidden,) = self.add(linear)
        scores = scores / 2
        return scores + hidden.amax(-1), linear


def test_names_of_the_source(tmp_path, target):
    network = Named()
    keep(ca.transpile(network, X, to=target), tmp_path / "kept.py")
    text = (tmp_path / "kept.py").read_text()
    assert "def sum_module(x0, x1):\n    total = x0 + x1\n" in text
    assert "def Named(parameters, tokens):\n    linear_out = linear(parameters[" in text
    assert 'sum_module(linear_out, parameters["constants"]["add_offset"])' in text
    assert "    scores = v1 / 2\n" in text
    made = runpy.run_path(str(tmp_path / "kept.py"))
    with ca.backend_context(target):
        found = made["Named"](made["load"](), ca.asarray(X.numpy()))
    close(leaves(found), expected(network))


def test_small_constants_stand_in_the_text_of_native_calls(tmp_path):
    def program(x):
        scores = x * torch.tensor([1.0, 2.0, float("inf"), 4.0])
        return scores, (scores[0],)

    keep(ca.transpile(program, X, to="numpy"), tmp_path / "kept.py", native=True)
    text = (tmp_path / "kept.py").read_text()
    assert 'numpy.asarray([1.0, 2.0, float("inf"), 4.0], "float32")' in text
    assert "load" not in text and ", )" not in text
    close(leaves(runpy.run_path(str(tmp_path / "kept.py"))["program"](X.numpy())), expected(program))


CHILD = """
import json, runpy, sys
import numpy as np
from pathlib import Path

x = np.linspace(-1.0, 1.0, 12, dtype="float32").reshape(3, 4)
if sys.argv[1] == "torch":
    import torch

    x = torch.from_numpy(x)
if sys.argv[1] == "tensorflow":
    import tensorflow

    x = tensorflow.constant(x)
if sys.argv[1] == "jax":
    import jax

    jax.config.update("jax_enable_x64", True)
    x = jax.numpy.asarray(x)


def leaves(tree):
    if isinstance(tree, dict):
        return [leaf for key in sorted(tree) for leaf in leaves(tree[key])]
    if isinstance(tree, (tuple, list)):
        return [leaf for part in tree for leaf in leaves(part)]
    return [np.asarray(tree).astype(float).tolist()]


found = {}
for path in sorted(Path(".").glob("*.py")):
    made = runpy.run_path(str(path))
    (function,) = [made[one] for one in made if one in ("Network", "Sequential", "written", "program")]
    needs = [made["load"]()] if "load" in made else []
    found[path.stem] = leaves(function(*needs, x))
assert not [name for name in sys.modules if name.startswith("corearray")]
print("RESULT" + json.dumps(found))
"""


def test_native_calls_need_no_corearray(tmp_path, target):
    for name, program in MODULES.items():
        keep(ca.transpile(program, X, to=target, source="torch"), tmp_path / f"{name}.py", native=True)
        assert "import corearray" not in (tmp_path / f"{name}.py").read_text().partition('"""\n')[2]
    ran = subprocess.run(
        [sys.executable, "-c", CHILD, target], cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False
    )
    assert ran.returncode == 0, ran.stderr[-2000:]
    found = json.loads(ran.stdout.partition("RESULT")[2])
    for name, program in MODULES.items():
        close(found[name], expected(program))


def test_buffers_that_a_call_changes_are_returned(tmp_path, target):
    model = nn.Sequential(nn.BatchNorm1d(4))
    with torch.no_grad():
        t = ca.transpile(model, X, to=target)
        wanted = model(X.clone())
    keep(t, tmp_path / "kept.py", native=True)
    text = (tmp_path / "kept.py").read_text()
    assert '"0.running_mean": ' in text or "'0.running_mean': " in text
    made = runpy.run_path(str(tmp_path / "kept.py"))
    native = ca.get_backend(target).asarray(X.numpy()).native
    result, buffers = made["Sequential"](made["load"](), native)
    close(leaves(ca.get_backend(target).wrap(result)), leaves(wanted))
    close(leaves(ca.get_backend(target).wrap(buffers["0.running_mean"])), leaves(model[0].running_mean))


def of_numpy():
    def program(x, w):
        y = np.tanh(x @ w + np.float32(0.5))
        y[:, 0] = 1
        return {"y": np.where(y > 0, y, 0.1 * y), "sums": (np.einsum("ij,kj->ik", y, y).mean(axis=1), y.sum())}

    return program, (X.numpy(), np.cos(np.arange(8.0, dtype="float32")).reshape(4, 2))


def of_jax():
    jax = pytest.importorskip("jax")

    def mlp(params, x, *, scale):
        *hidden, last = params["layers"]
        for layer in hidden:
            x = jax.nn.gelu(x @ layer["w"] + layer["b"])
        return jax.nn.softmax(x @ last["w"] + last["b"]) * scale["out"]

    layers = [{"w": jax.numpy.full((4, 5), 0.1), "b": jax.numpy.arange(5.0)}]
    layers.append({"w": jax.numpy.full((5, 2), 0.3), "b": jax.numpy.arange(2.0)})
    return mlp, ({"layers": layers}, jax.numpy.asarray(X.numpy())), {"scale": {"out": jax.numpy.asarray(2.0)}}


def of_tensorflow():
    keras = pytest.importorskip("keras")
    tensorflow = pytest.importorskip("tensorflow")
    layers = [keras.layers.Dense(5, activation="relu"), keras.layers.LayerNormalization(), keras.layers.Dense(2)]
    return keras.Sequential([keras.layers.Input((4,)), *layers]), (tensorflow.constant(X.numpy()),)


@pytest.mark.parametrize("native", [False, True], ids=["portable", "native"])
@pytest.mark.parametrize("source", [of_numpy, of_jax, of_tensorflow])
def test_other_sources(source, native, tmp_path, target):
    """A written function takes its arguments as the source's function does, also in trees and by keywords."""
    program, args, *rest = source()
    options = rest[0] if rest else {}
    keep(
        ca.transpile(program, *args, to=target, source=source.__name__[3:], **options),
        tmp_path / "kept.py",
        native=native,
    )
    text = (tmp_path / "kept.py").read_text()
    assert max(map(len, text.splitlines())) <= 120
    made = runpy.run_path(str(tmp_path / "kept.py"))
    function = made[program.__name__ if hasattr(program, "__name__") else type(program).__name__]
    be = ca.get_backend(target)

    def moved(tree):
        if isinstance(tree, dict):
            return {name: moved(part) for name, part in tree.items()}
        if isinstance(tree, list):
            return [moved(part) for part in tree]
        array = be.asarray(np.asarray(tree))
        return array.native if native else array

    with ca.backend_context(target):
        needs = [made["load"]()] if "load" in made else []
        found = function(*needs, *map(moved, args), **moved(options))
        close(leaves(found), leaves(program(*args, **options)))


def test_results_that_are_held(tmp_path, target):
    class Held(nn.Linear):
        def forward(self, x):
            return super().forward(x), self.weight

    model = Held(4, 2)
    keep(ca.transpile(model, X, to=target), tmp_path / "kept.py")
    made = runpy.run_path(str(tmp_path / "kept.py"))
    with ca.backend_context(target):
        close(leaves(made["Held"](made["load"](), ca.asarray(X.numpy()))), expected(model))


@pytest.mark.parametrize(
    ("line", "lines"),
    [
        ("    x = f(a, b)\n", "    x = f(a, b)\n"),
        ("    x = f(aaa, 'b, (', c)\n", "    x = f(\n        aaa, 'b, (', c\n    )\n"),
        (
            "x, y = function(a, other(b, c)[0, 12])\n",
            "x, y = function(\n    a,\n    other(b, c)[0, 12],\n)\n",
        ),
        ("x = first(second(a_long_name_, 2))\n", "x = first(\n    second(\n        a_long_name_, 2\n    )\n)\n"),
        ("x = f((a_long_name_of_an_array,))\n", "x = f(\n    (\n        a_long_name_of_an_array,\n    )\n)\n"),
        ("a_long_name + another_long_name + 1\n", "a_long_name + another_long_name + 1\n"),
    ],
)
def test_long_lines(line, lines):
    assert wrapped(line, 24) == lines


def test_blank_lines_and_quotation_marks():
    given = "import x\n\n\n\nc = 0\n\n\ndef f(x):\n    y = x\n    def g(z):\n        return z\n    return g(float('-inf'))\n\n"
    wanted = 'import x\n\n\nc = 0\n\n\ndef f(x):\n    y = x\n\n    def g(z):\n        return z\n\n    return g(float("-inf"))\n'
    assert _tidied(given) == wanted and _tidied(wanted) == wanted


def test_decompositions_are_those_of_the_target(tmp_path, target):
    def program(x):
        square = x.mT @ x + torch.eye(4)
        values, vectors = torch.linalg.eigh(square)
        u, s, vh = torch.linalg.svd(x, full_matrices=False)
        q, r = torch.linalg.qr(x)
        solved = torch.linalg.solve(square, x[0]) + torch.linalg.inv(square)[0] + torch.linalg.cholesky(square)[1]
        sizes = torch.linalg.vector_norm(x, ord=3), torch.linalg.matrix_norm(x), torch.linalg.matrix_norm(x, ord=2)
        rest = torch.linalg.det(square), torch.linalg.slogdet(square)[1], x // 2, torch.lgamma(x.abs() + 1)
        return values, (vectors * values) @ vectors.mT, (u * s) @ vh, q @ r, solved, *sizes, *rest

    keep(ca.transpile(program, X, to=target), tmp_path / "kept.py", native=True)
    assert "corearray_" not in (tmp_path / "kept.py").read_text()
    made = runpy.run_path(str(tmp_path / "kept.py"))
    held = [made["load"]()] if "load" in made else []
    close(leaves(made["program"](*held, ca.get_backend(target).asarray(X.numpy()).native)), expected(program))


class Moments(NamedTuple):
    mean: object
    rounded: object


def test_named_tuples_and_objects_of_the_target(tmp_path, target):
    """Results are plain tuples. JAX's calls take members of its enumerations, and NumPy's integers as widths."""

    def program(x):
        return Moments(np.mean(x, 0), [np.round(x, 1), np.pad(x, ((1, 0), (0, 2))), np.abs(np.fft.rfft(x))])

    x = np.arange(6.0).reshape(2, 3) + 0.25
    keep(ca.transpile(program, x, to=target, source="numpy"), tmp_path / "kept.py", native=True)
    made = runpy.run_path(str(tmp_path / "kept.py"))["program"]
    mean, (rounded, padded, spectrum) = made(ca.get_backend(target).asarray(x).native)
    wanted = program(x)
    for found, expected_array in zip((mean, rounded, padded, spectrum), (wanted.mean, *wanted.rounded), strict=True):
        np.testing.assert_allclose(np.asarray(found), expected_array, atol=1e-12)


@pytest.mark.skipif(TARGET != "jax", reason="other targets have no loops or write them out")
def test_histograms_and_functions_of_elements(tmp_path, target):
    def program(x):
        return (
            *np.histogram(x, 4), np.histogram(x, 3, weights=x)[0], np.vectorize(lambda a: a * 2 + np.sin(a))(x),
            np.where(np.allclose(x, x[::-1]), x, -x),
        )  # fmt: skip

    x = X.numpy()
    keep(ca.transpile(program, x, to=target, source="numpy"), tmp_path / "kept.py", native=True)
    made = runpy.run_path(str(tmp_path / "kept.py"))
    held = [made["load"]()] if "load" in made else []
    found = made["program"](*held, ca.get_backend(target).asarray(x).native)
    for one, wanted in zip(found, program(x), strict=True):
        np.testing.assert_allclose(np.asarray(one), wanted, rtol=1e-5, atol=1e-6)


def test_loops_and_branches_of_jax(tmp_path):
    """Functions stand in the place of jaxprs, with what they read from outside, also those within functions."""
    jax = pytest.importorskip("jax")
    jnp, lax, outside = jax.numpy, jax.lax, np.arange(12.0).reshape(3, 4)

    def program(x):
        def step(total, row):
            total = lax.cond(row[0] > 0, lambda y: y + outside[0], lambda y: y * jnp.sum(x), total)
            return total, (total.max(), row)

        total, kept = lax.scan(step, x[0], x, reverse=True)
        limit = jnp.sum(jnp.abs(x)) + 40.0
        count, power = lax.while_loop(lambda s: s[1] < limit, lambda s: (s[0] + 1, s[1] * 2 + outside[1, 1]), (0, 1.0))
        best = lax.switch(count % 3, [lambda y: y, jnp.sin, lambda y: y - outside[2]], total)
        return kept, count, power, best, x.at[jnp.asarray([0, 0])].add(1.0), x.at[1].multiply(3.0)

    with jax.enable_x64(True):
        x = jnp.asarray(X.numpy().astype("float64"))
        wanted = program(x)
        keep(ca.transpile(program, x, to="jax", source="jax"), tmp_path / "kept.py", native=True)
        text = (tmp_path / "kept.py").read_text()
        assert "corearray." not in text
        assert "def step_0_branch_" in text
        assert text.count("from jax.lax import") == 1
        made = runpy.run_path(str(tmp_path / "kept.py"))
        held = [made["load"]()] if "load" in made else []
        close(jax.tree.leaves(made["program"](*held, x)), jax.tree.leaves(wanted))
        slopes = [jax.grad(lambda x, f=f: jnp.sum(f(x)[3]))(x) for f in (program, lambda x: made["program"](*held, x))]
        np.testing.assert_allclose(slopes[1], slopes[0])


@pytest.mark.skipif(TARGET != "tensorflow", reason="other targets have no loops or write them out")
def test_loops_and_branches_of_tensorflow(tmp_path):
    """`tf.cond` and `tf.while_loop` take functions; what these read from outside is an argument or a part of the state."""
    tf = pytest.importorskip("tensorflow")
    outside = tf.reshape(tf.range(12.0), (3, 4))

    def program(x):
        def body(count, total):
            return count + 1, total * 2.0 + tf.cond(count > 1, lambda: outside[0], lambda: tf.math.abs(x[0]))

        limit = tf.reduce_sum(tf.math.abs(x)) + 40.0
        count, total = tf.while_loop(lambda i, s: tf.reduce_sum(s) < limit, body, (tf.constant(0), tf.math.abs(x[1])))
        one, two = tf.cond(tf.reduce_sum(x) > 0.0, lambda: (x, total), lambda: (x - outside, total + 1.0))
        return count, total, one, two, tf.nn.softmax(x)

    x = tf.constant(X.numpy())
    keep(ca.transpile(tf.function(program), x, to="tensorflow", source="tensorflow"), tmp_path / "kept.py", native=True)
    text = (tmp_path / "kept.py").read_text()
    assert "corearray." not in text
    assert "condition_0, body_0, (c" in text
    made = runpy.run_path(str(tmp_path / "kept.py"))
    held = [made["load"]()] if "load" in made else []
    for call in (made["program"], tf.function(made["program"])):
        for found, wanted in zip(call(*held, x), program(x), strict=True):
            np.testing.assert_allclose(found.numpy(), wanted.numpy(), rtol=1e-5, atol=1e-5)


def test_what_cannot_be_written(tmp_path, target):
    t = ca.transpile(nn.Dropout(0.5), X, to=target)
    with pytest.raises(ValueError, match="runs without a graph"):
        keep(t, tmp_path / "kept.py", native=True)
    if "bfloat16" in ca.get_backend(target).kinds_named:
        half = ca.transpile(nn.Linear(4, 2).to(torch.bfloat16), X.to(torch.bfloat16), to=target)
        with pytest.raises(ValueError, match="holds no bfloat16"):
            keep(half, tmp_path / "kept.py")


def test_the_command(tmp_path, target, monkeypatch, capsys):
    (tmp_path / "a_kept_model.py").write_text(
        "import torch\nmodel = torch.nn.Linear(3, 2)\nexample = (torch.ones(1, 3),)\n", encoding="utf-8"
    )
    monkeypatch.chdir(tmp_path)
    arguments = ["transpile", "a_kept_model:model", "--to", target, "--native"]
    assert main([*arguments, "--write", "linear.py"]) == 0
    assert (tmp_path / "linear.npz").exists()
    assert f"import {target}" in (tmp_path / "linear.py").read_text()
    assert main(arguments) == 2
    assert "--write FILE.py" in capsys.readouterr().err
    sys.modules.pop("a_kept_model", None)


def test_arguments_keep_their_names():
    """Arrays of trees get names; an argument that is one array keeps its own. Texts and keywords are left alone."""
    from corearray.frontend.formatting import without_copies

    lines = ['    x0 = params["x1"]', "    x1 = image", "    v0 = f(x0, x1, x1.T, 'x1', y.x1)", "    return {'x1': x1}"]
    assert without_copies(lines) == [
        '    x0 = params["x1"]',
        "    v0 = f(x0, image, image.T, 'x1', y.x1)",
        "    return {'x1': image}",
    ]
    assert without_copies(["x = image", "v0 = g(x=x, y=x == x)"]) == ["v0 = g(x=image, y=image == image)"]
