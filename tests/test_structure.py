"""The rules of the house: what may import what, where things stand, and that nothing is imported too early."""

from __future__ import annotations

import ast
import importlib
import inspect
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import corearray as ca
from corearray import hookspecs
from corearray.contract.declaration import DECLARATIONS
from corearray.contract.versions import split_name
from corearray.settings.context import DEFAULT_BACKEND

ROOT = Path(__file__).parent.parent
CORE = ROOT / "corearray"
PLUGINS = {folder.name.removeprefix("corearray-"): folder for folder in sorted((ROOT / "plugins").glob("corearray-*"))}

#: Facts that stand elsewhere than in `native.py`: writing beside reading.
FACTS = {
    "adam_updated": "gradients",
    "branched": "control_flow",
    "called_back": "control_flow",
    "custom_gradient": "gradients",
    "looped": "control_flow",
    "evaluated": "sharding",
    "mapped_chunks": "sharding",
    "layout_of": "sharding",
    "mesh": "sharding",
    "placed_on": "sharding",
    "scanned": "control_flow",
    "graph_names": "graph",
    "traced_calls": "graph",
    "truth": "control_flow",
    "compiled_case": "gradients",
    "compiled_composition": "gradients",
    "compiled_function": "gradients",
    "descended": "gradients",
    "donating": "gradients",
    "forward_mode": "gradients",
    "framework_modules": "conversion",
    "held_arrays": "modules",
    "plain_call": "modules",
    "plain_tree": "modules",
    "ragged_of": "modules",
    "program_calls": "programs",
    "program_of": "modules",
    "with_buffers": "modules",
    "rematerialized": "gradients",
    "reverse_mode": "gradients",
    "set_item": "general",
    "sparse_array": "sparse",
    "sparse_parts": "sparse",
    "vectorized": "gradients",
}

#: Modules of `corearray.functional` without declarations: the standard's inspection, standalone functions, and helpers.
WITHOUT_DECLARATIONS = {"__init__", "info", "iteration", "lengths", "nest", "precision", "rational"}

CATEGORIES = {path.stem for path in (CORE / "functional").glob("*.py")} - WITHOUT_DECLARATIONS

#: The frameworks of the shipped plugins, and the modules in which some of them keep their arrays.
FRAMEWORKS = (*PLUGINS, *(f"{name}lib" for name in PLUGINS))

#: From the ground up: a module imports only from the lines above its own. A package that stands here counts as one; of
#: the others each module has a line of its own.
LAYERS = (
    ("types", "contract", "backends", "settings", "arrays", "calls", "checks"),
    ("forks",),
    (
        "errors",
        "types.shape",
        "types.constants",
        "calls.codegen",
        "logs",
        "arrays.view_index",
        "checks.first_look",
        "checks.joining",
    ),
    ("arrays.updates",),
    (
        "types.devices",
        "calls.accelerated",
        "calls.positions",
        "types.dtypes",
        "types.namedtuples",
        "contract.versions",
    ),
    ("settings.scope", "types.mesh", "calls.memo", "contract.info", "contract.extension", "contract.declaration"),
    ("contract.traced",),
    ("backends.child", "backends.channel", "backends.interrupts", "backends.metadata"),
    ("checks.parsing", "checks.missing", "calls.forwarding", "calls.keywords"),
    ("contract.hookimpl", "backends.hints", "arrays.methods"),
    ("backends.hinting",),
    ("contract.adapter", "arrays.other_names"),
    ("settings.record",),
    ("settings.context",),
    ("calls.tracebacks", "calls.constants", "backends.installing"),
    ("arrays.array", "arrays.kind"),
    ("arrays.nested", "arrays.mixing", "calls.dispatch", "calls.failure"),
    ("backends.operands", "calls.places"),
    ("contract.recording", "contract.trees", "calls.autograd_graph", "files"),
    ("contract.answers", "contract.text"),
    ("plugin", "settings.agnostic"),
    ("settings.registry", "settings.default_dtype"),
    ("functional", "backends.namespace", "backends.renewal", "contract.validation"),
    ("arrays.operators", "random"),
    ("transforms",),
    ("graph",),
    ("container", "ragged"),
    ("stages",),
    ("checks.keys", "checks.options", "stages.views", "stages.protocol", "stages.conversion", "stages.complex_input"),
    ("stages.nans", "stages.nestable", "stages.ragged", "calls.kernels", "backends.capabilities"),
    ("calls.settle", "calls.scalars"),
    ("checks.values", "calls.fused"),
    ("checks.shapes", "stages.inference", "calls.tracing"),
    ("checks.explain", "checks.outline", "calls.creation"),
    ("stages.exceptions", "stages.arguments"),
    ("arrays.assignment", "calls.fast_function"),
    ("calls.native", "calls.promotion"),
    ("calls.plan",),
    ("calls.binding",),
    ("hookspecs", "backends.backend", "settings.defaults", "settings.modes", "backends.discovery"),
    ("backends.hooks", "backends.facts", "backends.claims", "backends.describing", "backends.descriptor"),
    ("backends.extension_records",),
    ("backends.extensions",),
    ("backends.choosing",),
    ("on",),
    ("manager",),
    ("settings.backends", "settings.extensions"),
    ("arrays.interchange", "optim"),
    ("chunks", "sharding"),
    ("convenience",),
    ("linalg", "fft"),
    ("nn",),
    ("commands",),
    ("cli",),
    ("__main__", ""),
    ("frontend", "integrations"),
    ("testing",),
)
LEVEL = {unit: level for level, units in enumerate(LAYERS) for unit in units}

#: Modules whose `__all__` lists what they take from others; packages do so too.
LISTS = {"corearray.linalg", "corearray.fft", "corearray.plugin", "corearray.random", "corearray.frontend.transpiling"}


def name_of(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {name_of(path): path for path in sorted(CORE.rglob("*.py"))}
TREES = {name: ast.parse(path.read_text()) for name, path in MODULES.items()}


def unit_of(module: str) -> str:
    """The entry of LAYERS to which a module belongs: its own, or else that of the innermost package that has one."""
    _, _, name = module.partition(".")
    while "." in name and name not in LEVEL:
        name = name.rpartition(".")[0]
    return name


def statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Statements that run when a module is imported by somebody who runs it, not by a type checker."""
    for statement in body:
        if isinstance(statement, ast.If) and "TYPE_CHECKING" in ast.unparse(statement.test):
            yield from statements(statement.orelse)
        elif isinstance(statement, (ast.If, ast.Try, ast.With)):
            yield from statements(statement.body)
        else:
            yield statement


def imported(nodes: Iterator[ast.AST]) -> Iterator[str]:
    """Full names of the modules that import statements name."""
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "relative imports are not used here"
            for alias in node.names:
                full = f"{node.module}.{alias.name}"
                yield full if full in MODULES else str(node.module)


IMPORTS = {name: set(imported(statements(tree.body))) & set(MODULES) for name, tree in TREES.items()}


# --- imports


def test_every_module_has_a_layer():
    assert {unit_of(module) for module in MODULES} == set(LEVEL), "write new modules and packages into LAYERS"


@pytest.mark.parametrize("module", MODULES)
def test_imports_go_down(module):
    mine = unit_of(module)
    upwards = {other for other in IMPORTS[module] if unit_of(other) != mine and LEVEL[unit_of(other)] >= LEVEL[mine]}
    assert not upwards, f"{module} imports from its own layer or above; see LAYERS"


def test_no_cycles():
    done: set[str] = set()

    def visit(module: str, above: tuple[str, ...]) -> None:
        assert module not in above, " imports ".join((*above, module))
        if module not in done:
            for other in IMPORTS[module]:
                visit(other, (*above, module))
            done.add(module)

    for module in MODULES:
        visit(module, ())


@pytest.mark.parametrize("category", sorted(CATEGORIES))
def test_declarations_know_no_machinery(category):
    needed = {"arrays.array", "contract.declaration", "errors", "functional", "checks.parsing", "settings.context"}
    used = {unit_of(other) for other in IMPORTS[f"corearray.functional.{category}"]}
    assert {unit for unit in used if not unit.startswith("types.")} <= needed


def test_plugins_import_the_public_plugin_api_only():
    for folder in (*PLUGINS.values(), *(ROOT / "examples" / "plugins").iterdir()):
        for path in folder.rglob("corearray_*/**/*.py"):
            package = path.relative_to(folder).parts[0]
            names = {name for name in imported(ast.walk(ast.parse(path.read_text()))) if name.startswith("corearray")}
            foreign = {name for name in names if name.partition(".")[0] != package} - {"corearray", "corearray.plugin"}
            assert not foreign, f"{path.relative_to(ROOT)} imports {foreign}"


# --- the core names no framework


def docstrings(tree: ast.AST) -> set[int]:
    """Identities of the constants that are docstrings, of attributes too."""
    return {
        id(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
    }


def complex_modes(tree: ast.AST) -> set[int]:
    """Identities of the constants that name modes of complex input: one mode has the name of a framework."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            options = zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True)
            found |= {id(default) for argument, default in options if argument.arg == "complex_mode"}
        elif isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "MODES":
            found |= set(map(id, ast.walk(node.value)))
    return found


def named(tree: ast.AST, frameworks: tuple[str, ...]) -> list[str]:
    """Mentions of frameworks in imports, names and texts, docstrings excepted."""
    word = re.compile(rf"\b({'|'.join(frameworks)})\b", re.IGNORECASE)
    skipped = docstrings(tree) | complex_modes(tree)
    found = [name for name in imported(ast.walk(tree)) if word.match(name)]
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and word.fullmatch(node.id):
            found.append(f"line {node.lineno}: {node.id}")
        if isinstance(node, ast.Constant) and id(node) not in skipped and word.search(str(node.value)):
            found.append(f"line {node.lineno}: {node.value!r}")
    return found


#: The parts that are about frameworks: the kit's expected values are NumPy's, one adapter is for PyTorch's data loaders, and
#: hints are about the names of other libraries.
_ABOUT_FRAMEWORKS = ("corearray.backends.hints", "corearray.frontend", "corearray.integrations", "corearray.testing")


@pytest.mark.parametrize("module", [name for name in MODULES if not name.startswith(_ABOUT_FRAMEWORKS)])
def test_the_core_names_no_framework(module):
    tree = TREES[module]
    found = named(tree, FRAMEWORKS)
    if module == "corearray.settings.context":
        assert len(found) == 1, "the name of the default backend is the one exception"
        default = next(
            s for s in tree.body if isinstance(s, ast.Assign) and ast.unparse(s.targets[0]) == "DEFAULT_BACKEND"
        )
        assert found == [f"line {default.lineno}: {DEFAULT_BACKEND!r}"]
    else:
        assert not found


def test_the_tests_of_the_core_name_the_default_backend_at_most():
    others = tuple(name for name in FRAMEWORKS if name != DEFAULT_BACKEND)
    for path in (ROOT / "tests").rglob("*.py"):
        if path.relative_to(ROOT / "tests").parts[0] in (
            "frontend",
            "models",
        ):  # whose subject the frameworks' APIs are
            continue
        assert not named(ast.parse(path.read_text()), others), path


def test_mentions_are_noticed():
    others = tuple(name for name in FRAMEWORKS if name != DEFAULT_BACKEND)
    for text in (f"import {others[0]}.x", f"if name == '{others[0]}': pass", f"f'{{x}} on {others[1]}'", others[1]):
        assert named(ast.parse(text), others)
    assert not named(ast.parse(f'def f():\n    """Like {others[0]}."""\n    return "{others[0]}like"'), others)


# --- names and places


def literal_all(tree: ast.Module) -> list[str] | None:
    for statement in tree.body:
        target = statement.targets[0] if isinstance(statement, ast.Assign) else getattr(statement, "target", None)
        if (
            isinstance(target, ast.Name)
            and target.id == "__all__"
            and isinstance(statement, (ast.Assign, ast.AnnAssign))
        ):
            assert statement.value is not None
            found: list[str] = ast.literal_eval(statement.value)
            return found
    return None


def defined(tree: ast.Module, *, hooks: bool = False) -> set[str]:
    """Public names that a module defines; `hooks` says whether those that are reached through their hooks count."""
    names: set[str] = set()
    for statement in statements(tree.body):
        if isinstance(statement, (ast.FunctionDef, ast.ClassDef)):
            marks = [ast.unparse(mark) for mark in statement.decorator_list]
            if hooks or not any("hook" in mark or mark.startswith(("_default", "rule")) for mark in marks):
                names.add(statement.name)
        elif isinstance(statement, (ast.Assign, ast.AnnAssign)):
            targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
            names.update(node.id for target in targets for node in ast.walk(target) if isinstance(node, ast.Name))
    return {name for name in names if not name.startswith("_")}


@pytest.mark.parametrize("module", MODULES)
def test_all_lists_what_a_module_defines(module):
    listed = literal_all(TREES[module])
    assert listed is not None, "every module has a literal __all__"
    assert len(listed) == len(set(listed))
    public = {name for name in listed if not name.startswith("_")}
    if module.startswith("corearray.frontend.") and ".rules." in module:
        assert not public, "a rule is reached through the table, and its helpers through the rule"
    elif module in LISTS or MODULES[module].name == "__init__.py":
        assert all(hasattr(importlib.import_module(module), name) for name in listed)
        assert defined(TREES[module]) <= public
    else:
        assert defined(TREES[module]) <= public <= defined(TREES[module], hooks=True)


def test_declared_functions_are_public_where_they_are_declared():
    main = {name for name, declaration in DECLARATIONS.items() if declaration.main}
    assert main <= set(ca.__all__)
    for name, declaration in DECLARATIONS.items():
        module = importlib.import_module(declaration.function.__module__)
        assert name in module.__all__
        assert getattr(module, name) is declaration.public
        if declaration.main:
            assert getattr(ca, name) is declaration.public
        if declaration.namespace:
            assert getattr(getattr(ca, declaration.namespace), name) is declaration.public


def test_categories_are_those_of_the_hookspecs():
    assert {module.__name__.rpartition(".")[2] for module in hookspecs.FUNCTIONS} == CATEGORIES


@pytest.mark.parametrize("plugin", PLUGINS)
def test_a_plugin_has_a_readme_and_the_licence(plugin):
    folder = PLUGINS[plugin]
    assert (folder / "README.md").is_file()
    assert (folder / "LICENSE").read_text() == (ROOT / "LICENSE").read_text(), "copy LICENSE into the plugin's folder"


@pytest.mark.parametrize("plugin", PLUGINS)
def test_a_plugin_is_proved_by_the_kit_and_has_no_known_failures(plugin):
    tree = ast.parse((PLUGINS[plugin] / "tests" / "test_conformance.py").read_text())
    (kit,) = [node for node in tree.body if isinstance(node, ast.ClassDef)]
    assert [ast.unparse(base) for base in kit.bases] == ["Conformance"]
    stated = {target.id for node in kit.body for target in node.targets}
    assert {"backend"} <= stated <= {"backend", "capabilities", "every_dtype"}


@pytest.mark.parametrize("plugin", PLUGINS)
def test_a_plugin_has_each_function_in_the_file_where_the_core_declares_it(plugin):
    """Facts stand in `native.py`; a file without hookimpls is a helper, and not named like a category."""
    for path in (PLUGINS[plugin] / f"corearray_{plugin}").rglob("*.py"):
        hooks = set(implemented(ast.parse(path.read_text())))
        wanted = {DECLARATIONS[hook].category if hook in DECLARATIONS else FACTS.get(hook, "native") for hook in hooks}
        assert wanted <= {path.stem}, f"{path.name} holds {hooks}"
        assert hooks or path.stem not in CATEGORIES, f"{path.name} holds no function of its category"


def implemented(tree: ast.Module) -> Iterator[str]:
    """Names of the hooks that the functions of a plugin's module implement."""
    for statement in statements(tree.body):
        for mark in getattr(statement, "decorator_list", ()):
            if not ast.unparse(mark).startswith("hookimpl"):
                continue
            assert isinstance(statement, ast.FunctionDef)
            given = {k.arg: ast.literal_eval(k.value) for k in getattr(mark, "keywords", ()) if k.arg == "specname"}
            yield given.get("specname") or split_name(statement.name)[0]


# --- size and documentation


@pytest.mark.parametrize("module", MODULES)
def test_a_module_can_be_read_in_one_sitting(module):
    lines = MODULES[module].read_text().splitlines()
    if module == "corearray":
        assert not defined(TREES[module]), "the list of public names may be as long as it must, and holds nothing else"
    elif module.startswith(
        ("corearray.functional.", "corearray.hookspecs", "corearray.nn.layers.", "corearray.nn.losses")
    ):
        prose = sum(node.end_lineno - node.lineno + 1 for node in strings(TREES[module]))
        assert len(lines) - prose <= 450
    elif module != "corearray.testing.samples":  # a table is as long as there are functions
        assert len(lines) <= 450


def strings(tree: ast.AST) -> Iterator[ast.Expr]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield node


def public_functions() -> Iterator[tuple[str, object]]:
    for namespace in (ca, ca.linalg, ca.fft):
        for name in namespace.__all__:
            value = getattr(namespace, name)
            if inspect.isroutine(value):
                yield f"{namespace.__name__}.{name}", value


@pytest.mark.parametrize(("name", "function"), list(public_functions()))
def test_every_public_function_is_explained_with_an_example(name, function):
    text = inspect.getdoc(function) or ""
    assert re.match(r"[A-Z][^\n]*(\n[^\n]+)?\.(\n\n|$)", text), "a summary of a sentence"
    assert ">>> " in text, "an example"


@pytest.mark.parametrize(
    "name", [name for name in vars(hookspecs) if hasattr(getattr(hookspecs, name), "corearray_spec")]
)
def test_every_hook_is_explained(name):
    assert inspect.getdoc(getattr(hookspecs, name))


# --- laziness

LOADED = f"""
import sys
found = sorted(set(sys.modules) & set({FRAMEWORKS!r}))
sys.exit(f"imported: {{found}}" if found else 0)
"""


def loaded_by(program: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", program + LOADED], capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode in (0, 1), done.stderr
    return done.stderr.strip()


@pytest.mark.parametrize(
    "program",
    [
        "import corearray, corearray.linalg, corearray.fft, corearray.plugin",
        "import corearray; assert len(corearray.list_backends()) >= 1",
        "import corearray; corearray.is_array(object())",
        "from corearray.cli import main; assert main(['list-backends']) == 0",
        "from corearray.cli import main; assert main(['info', '--json']) == 0",
    ],
)
def test_no_framework_is_imported_before_it_is_needed(program):
    assert loaded_by(program) == ""


def test_the_import_of_the_core_leaves_out_what_takes_long():
    """An import of the core is to take less than 50 ms; each of these takes 1 to 10."""
    late = {f"corearray.{name}" for name in ("convenience", "graph", "hookspecs", "nn", "random", "transforms")}
    slow = {"inspect", "pathlib", "pickle", "pluggy", "dataclasses", "logging", "importlib.metadata"} | late
    program = (
        "import sys; before = set(sys.modules); import corearray; "
        f"print(*(set(sys.modules) - before) & {slow!r}); assert set(corearray.__all__) <= set(dir(corearray))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120, check=True)
    assert done.stdout.split() == []


def test_threads_may_ask_for_the_functions_at_once():
    program = (
        "import corearray; from concurrent.futures import ThreadPoolExecutor as Pool; "
        "from corearray.contract.declaration import *; "
        "names = [*corearray.__all__] * 4\n"
        "with Pool(32) as pool: found = list(pool.map(lambda name: getattr(corearray, name), names))\n"
        "with Pool(32) as pool: assert set(pool.map(lambda _: len(DECLARATIONS), range(64))) == {len(DECLARATIONS)}\n"
        "assert all(found[i] is getattr(corearray, name) for i, name in enumerate(names))"
    )
    subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120, check=True)


#: Names of each module that is imported late, and of functions.
_LATE = "random frontend transpile grad save compile_graph Linear add fft linalg nested_map".split()


@pytest.mark.parametrize("name", _LATE)
def test_what_is_imported_late_is_there_when_it_is_asked_for(name):
    assert loaded_by(f"import corearray; corearray.{name}") == ""
    found = getattr(ca, name)
    assert vars(ca)[name] is found, "and stays"


def test_what_is_imported_late_can_be_imported_by_name():
    assert loaded_by("".join(f"from corearray import {name}\n" for name in _LATE)) == ""
    assert loaded_by(f"from corearray import *; {', '.join(_LATE)}") == ""


def test_a_name_that_is_nowhere():
    with pytest.raises(AttributeError, match="module 'corearray' has no attribute 'graad'") as caught:
        ca.graad
    assert caught.value.name == "graad"


def test_an_import_of_a_framework_would_be_noticed():
    assert loaded_by("import corearray; corearray.zeros(1)") == f"imported: ['{DEFAULT_BACKEND}']"
    assert loaded_by(f"import {DEFAULT_BACKEND}").startswith("imported: ")


def test_the_command_line_runs_no_plugin_code():
    program = "import sys; from corearray.cli import main; main(['list-backends'])\n"
    program += f"assert not {{f'corearray_{{name}}' for name in {tuple(PLUGINS)!r}}} & set(sys.modules), 'a plugin'"
    assert loaded_by(program) == ""


def test_no_module_has_the_name_of_a_function():
    """Python would find the module, once it is imported, and not ask for the function.

    `settings` is bound by corearray's `__init__` itself, after the package of that name.
    """
    modules = {path.stem for path in Path(ca.__file__).parent.iterdir()}
    namespaces = {"fft", "frontend", "integrations", "linalg", "nn", "optim", "random"}
    assert modules & set(ca.__all__) - namespaces == {"settings"}
