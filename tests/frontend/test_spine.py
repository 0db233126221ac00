"""Tables of rules, frontends and their versions."""

from __future__ import annotations

import builtins
import dis
import sys
import types

import importlib_metadata
import pytest

import corearray as ca
from corearray.frontend import FrontendInfo, Table, discovery, get_frontend
from corearray.frontend.frontend import Frontend


@pytest.fixture
def table():
    return Table("toy")


def test_three_ways_to_write_a_rule(table):
    table.same(lambda name: getattr(ca, name), "toy.{} toy.alias.{}", "sin minus=negative")
    table.say(
        """
    toy.scaled | toy.also (x, by=2) = ca.multiply(x,
        by)
    """.replace("    toy", "toy")
    )

    @table.rule("toy.shifted", "toy.moved")
    def shifted(x, by=1):
        return x + by

    assert sorted(table) == [
        "toy.alias.minus", "toy.alias.sin", "toy.also", "toy.minus", "toy.moved", "toy.scaled", "toy.shifted", "toy.sin",
    ]  # fmt: skip
    x = ca.asarray([1.0])
    assert table.find("toy.minus", "1")(x).tolist() == [-1.0]
    assert table.find("toy.scaled", "1")(x, by=3).tolist() == [3.0]
    assert table.find("toy.also", "1").function is table.find("toy.scaled", "1").function
    assert table.find("toy.moved", "1").function is shifted
    assert table.find("toy.nothing", "1") is None


def test_nothing_is_compiled_before_it_is_used(table):
    table.say("toy.broken(x) = ca.(x)")
    table.same(lambda name: getattr(ca, name), "toy.{}", "no_such_function")
    with pytest.raises(ValueError, match="is no rule"):
        table.find("toy.broken", "1").function
    with pytest.raises(AttributeError):
        table.find("toy.no_such_function", "1").function


@pytest.mark.parametrize("name", ["", "relu", "toy.", "toy.1", "toy relu"])
def test_a_rule_needs_a_dotted_name(table, name):
    with pytest.raises(ValueError, match="no name of a rule"):
        table.rule(name)(lambda x: x)


def test_two_rules_for_one_name_and_version(table):
    table.rule("toy.f", versions="<2")(lambda x: x)
    table.rule("toy.f", versions=">=2.1")(lambda x: x)
    with pytest.raises(ValueError, match=r"two rules of the frontend 'toy' for 'toy.f' hold for version 2.1"):
        table.rule("toy.f_v_2p1_and_above")(lambda x: x)
    assert [rule.versions for rule in table.variants("toy.f")] == ["<2", ">=2.1"], "nothing is left half-made"
    with pytest.raises(ValueError, match="two ranges"):
        table.rule("toy.g_v_2p1_and_above", versions="<2")(lambda x: x)
    with pytest.raises(ValueError, match="no version range"):
        table.rule("toy.g", versions="new")(lambda x: x)


@pytest.mark.parametrize("wrong", [3, None, int, "text"])
def test_a_rule_is_a_function(table, wrong):
    with pytest.raises(TypeError, match=r"the rule 'toy\.f' is a Python function"):
        table.rule("toy.f")(wrong)


def test_a_rule_with_a_wrong_signature(table):
    def shared(x, options={}):  # noqa: B006
        return x

    def several(x):
        yield x

    async def late(x):
        return x

    for function, text in ((shared, "a default that calls would share"), (several, "generator"), (late, "coroutine")):
        with pytest.raises(TypeError, match=text):
            table.rule("toy.f")(function)
    assert not len(table)


def test_a_line_that_is_no_rule(table):
    with pytest.raises(ValueError, match="is no rule; write it as in"):
        table.say("toy.f = ca.sin")


# --- versions


def frontend(version):
    return get_frontend("torch", version)


#: What a function is at a version: the parameters of its rule, or `None` where torch had no such function.
VERSIONS = [
    ("torch.floor_divide", "1.12", "trunc"),
    ("torch.floor_divide", "1.12.1", "trunc"),
    ("torch.floor_divide", "1.13.0rc1", "floor"),
    ("torch.floor_divide", "2.13.0+cpu", "floor"),
    ("torch.div", "1.4", "int64"),
    ("torch.div", "1.5", "float32"),
    ("torch.nn.functional.gelu", "1.11", ["input"]),
    ("torch.nn.functional.gelu", "1.12", ["input", "approximate"]),
    ("torch.meshgrid", "1.9", ["tensors"]),
    ("torch.meshgrid", "1.10", ["tensors", "indexing"]),
    ("torch.functional.meshgrid", "1.10", ["tensors", "indexing"]),
    ("torch.symeig", "1.13.1", ["input", "eigenvectors", "upper", "out"]),
    ("torch.symeig", "2.0", None),
    ("torch.eig", "2.0", None),
    ("torch.lstsq", "2.0", None),
    ("torch.nn.functional.scaled_dot_product_attention", "1.13", None),
    ("torch.nn.functional.scaled_dot_product_attention", "2.0.1", 6),
    ("torch.nn.functional.scaled_dot_product_attention", "2.1", 7),
    ("torch.nn.functional.scaled_dot_product_attention", "2.5", 8),
]


@pytest.mark.parametrize(("name", "version", "expected"), VERSIONS)
def test_what_a_function_is_at_a_version(name, version, expected):
    import inspect

    rule = frontend(version).rule(name)
    if expected is None:
        assert rule is None
        with pytest.raises(NotImplementedError, match=f"is no function of torch {version}"):
            frontend(version).function(name)
        return
    parameters = list(inspect.signature(rule.function).parameters)
    if isinstance(expected, list):
        assert parameters == expected
    elif isinstance(expected, int):
        assert len(parameters) == expected
    elif expected in ("trunc", "floor"):
        found = rule(ca.asarray([-7]), ca.asarray([2])).tolist()
        assert found == [-3 if expected == "trunc" else -4]
    else:
        assert str(rule(ca.asarray([7]), ca.asarray([2])).dtype) == expected


@pytest.mark.parametrize(
    ("installed", "expected"),
    [
        (None, "2.13"),
        ("1.12.1", "1.12.1"),
        ("2.14.0rc1", "2.14.0rc1"),
        ("99.0", "99.0"),
        ("2.4.0a0+git", "2.4.0a0+git"),
    ],
)
def test_the_installed_version_decides(monkeypatch, installed, expected):
    def version(name):
        if installed is None:
            raise importlib_metadata.PackageNotFoundError(name)
        return installed

    monkeypatch.setattr(importlib_metadata, "version", version)
    assert get_frontend("torch").version == expected
    assert get_frontend("torch") is get_frontend("torch")


def test_versions_side_by_side():
    old, new = frontend("1.12"), frontend("2.5")
    assert old is frontend("1.12") is not new
    assert old.rule("torch.floor_divide") is not new.rule("torch.floor_divide")
    assert old.rule("torch.relu") is new.rule("torch.relu") is new.rule("torch.relu")


@pytest.mark.parametrize("version", ["new", "", "0.3", 2])
def test_an_unknown_version(version):
    with pytest.raises(ValueError, match=r"version|older"):
        get_frontend("torch", version)


def test_an_unknown_frontend():
    with pytest.raises(ValueError, match="there is no frontend 'caffe'; frontends are"):
        get_frontend("caffe")
    with pytest.raises(ValueError, match="there is no frontend 'caffe'"):
        ca.frontend.rule("caffe", "caffe.relu")


# --- rules that follow from others


@pytest.mark.parametrize(
    ("name", "same_as"),
    [
        ("torch.Tensor.relu", "torch.relu"),
        ("torch.Tensor.__add__", "torch.add"),
        ("torch.Tensor.softmax", "torch.softmax"),
        ("torch._C._nn.gelu", "torch.nn.functional.gelu"),
        ("torch._C._linalg.linalg_inv", "torch.linalg.inv"),
        ("torch.special.expit", "torch.sigmoid"),
        ("torch.functional.einsum", "torch.einsum"),
        ("torch.conv2d", "torch.nn.functional.conv2d"),
    ],
)
def test_derived_rules(name, same_as):
    torch = get_frontend("torch")
    assert torch.rule(name) is torch.rule(same_as)


@pytest.mark.parametrize(
    "name", ["torch.Tensor.add_", "torch.Tensor.__iadd__", "torch.relu_", "torch.nn.functional.elu_"]
)
def test_in_place_twins(name):
    rule = get_frontend("torch").rule(name)
    assert rule.name == name
    assert not rule.rebinds


def test_reflected_operators():
    rule = get_frontend("torch").rule("torch.Tensor.__rpow__")
    assert rule(ca.asarray([3.0]), 2).tolist() == [8.0]
    assert get_frontend("torch").rule("torch.Tensor.unsqueeze_").rebinds


@pytest.mark.parametrize("name", ["torch.masked.sum", "mylib.relu", "torch.Tensor.no_such", "torch.foo_"])
def test_no_rule_is_found_by_its_last_part(name):
    assert get_frontend("torch").rule(name) is None


def codes(code):
    yield code
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from codes(constant)


@pytest.mark.parametrize("framework", ["jax", "numpy", "tensorflow", "torch"])
def test_every_rule_can_be_made_and_knows_its_names(framework):
    table = get_frontend(framework)._table
    for name in table:
        for rule in table.variants(name):
            scope = rule.function.__globals__
            for code in codes(rule.function.__code__):
                wanted = {x.argval for x in dis.get_instructions(code) if x.opname == "LOAD_GLOBAL"}
                assert all(x in scope or hasattr(builtins, x) for x in wanted), (name, wanted)


# --- frontends of others


def test_a_frontend_of_another_distribution(tmp_path, monkeypatch):
    (tmp_path / "toyframe_frontend.py").write_text(
        "import corearray as ca\n"
        "from corearray.frontend import FrontendInfo\n"
        "info = FrontendInfo('toyframe', framework=('toyframe',), latest='3.1', modules=('toyframe_rules',))\n"
    )
    (tmp_path / "toyframe_rules.py").write_text(
        "from toyframe_frontend import info\nimport corearray as ca\ninfo.table.say('toyframe.ops.twice(x) = 2 * x')\n"
    )
    (tmp_path / "brokenframe.py").write_text("raise RuntimeError('not today')\n")
    for name, module in (("toyframe", "toyframe_frontend"), ("brokenframe", "brokenframe")):
        folder = tmp_path / f"{name}_plugin-1.0.dist-info"
        folder.mkdir()
        (folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}-plugin\nVersion: 1.0\n")
        (folder / "entry_points.txt").write_text(f"[corearray.frontends]\n{name} = {module}\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    assert {"toyframe", "torch", "brokenframe"} <= set(discovery.names_of_frontends())
    toy = get_frontend("toyframe")
    assert (toy.version, toy.known) == ("3.1", "3.1")
    assert toy.ops.twice(ca.asarray([2.0])).tolist() == [4.0]
    assert toy.ops.twice is toy.ops.twice
    with pytest.raises(NotImplementedError, match=r"for 'toyframe\.ops\.trice'; near it are 'toyframe\.ops\.twice'"):
        toy.ops.trice
    for _ in range(2):
        with pytest.raises(ca.BackendBrokenError, match=r"'brokenframe' .* cannot be used: RuntimeError: not today"):
            get_frontend("brokenframe")
    assert get_frontend("torch").rule("torch.relu") is not None, "no other frontend is hurt"
    for module in ("toyframe_frontend", "toyframe_rules"):
        sys.modules.pop(module, None)
    discovery._loaded.pop("toyframe", None)
    discovery._failed.pop("brokenframe", None)


def test_a_rule_of_the_user():
    @ca.frontend.rule("torch", "mylib.ops.of_this_test", versions=">=2.1")
    def twice(x):
        return 2 * x

    assert get_frontend("torch", "2.4").function("mylib.ops.of_this_test") is twice
    assert get_frontend("torch", "2.0").rule("mylib.ops.of_this_test") is None
    with pytest.raises(ValueError, match="two rules"):
        ca.frontend.rule("torch", "mylib.ops.of_this_test")(twice)


def test_a_description_names_itself():
    assert (
        repr(FrontendInfo("toy", framework=("toys",), latest="1"))
        == "FrontendInfo('toy', framework=('toys',), latest='1')"
    )
    assert isinstance(get_frontend("torch"), Frontend)
    assert "torch.relu" in get_frontend("torch").names()
    assert "relu" in dir(get_frontend("torch"))


@pytest.mark.parametrize("framework", ["jax", "numpy", "tensorflow", "torch"])
def test_names_that_a_frontend_has_for_itself(framework):
    """A module has the framework's own `version`, where a frontend has the number."""
    from importlib import import_module

    here, module = get_frontend(framework), import_module(f"corearray.frontend.{framework}")
    assert module.__version__ == here.version
    assert module.version is here.namespace.version is not here.version
    assert "version" in dir(module)
    (number,) = [name for name in dir(module.version) if name.strip("_").lower() == "version"]  # VERSION in TensorFlow
    assert getattr(module.version, number) == here.version
    with pytest.raises(AttributeError, match=f"no rule for '{framework}.known'"):
        module.known


def test_the_framework_s_names_alone():
    tf = get_frontend("tensorflow").namespace
    assert tf.function(len)([1, 2]) == 2
    assert tf.Variable is get_frontend("tensorflow").Variable
    assert {"Variable", "function", "reduce_sum", "math", "float32"} <= set(dir(tf))


def test_no_framework_is_imported():
    import subprocess

    program = (
        "import sys, corearray as ca; t = ca.frontend.get_frontend('torch'); [t.rule(n).function for n in t.names()]; "
        "assert not {'torch', 'jax', 'tensorflow', 'numpy'} & set(sys.modules), sys.modules.keys()"
    )
    subprocess.run([sys.executable, "-c", program], check=True, timeout=120)


def test_signatures_are_those_of_torch():
    """Each rule takes the parameters of torch's function, by its names, where torch says them."""
    import inspect

    import torch

    wrong = {}
    here = get_frontend("torch")
    for name in here.names():
        if not name.startswith("torch.nn.functional."):
            continue
        native = getattr(torch.nn.functional, name.removeprefix("torch.nn.functional."), None)
        try:
            theirs = list(inspect.signature(native).parameters)
        except (TypeError, ValueError):
            continue
        if theirs[:1] == ["args"]:  # chosen by a boolean argument
            continue
        ours = list(inspect.signature(here.function(name)).parameters)
        if ours != theirs:
            wrong[name] = (ours, theirs)
    assert not wrong
