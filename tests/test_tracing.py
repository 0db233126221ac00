"""What a framework is offered that traces the Python code of a program, on a toy backend."""

from __future__ import annotations

import pytest

import corearray as ca
from corearray.contract.declaration import DECLARATIONS
from corearray.plugin import hookimpl
from corearray.settings.context import current_settings


@pytest.fixture
def tracer(toy):
    """A plugin that keeps what it is told."""
    plugin = toy("alpha")
    plugin.marked, plugin.constants, plugin.traced = [], [], {}

    @hookimpl
    def register_function(function):
        plugin.marked.append(function)

    @hookimpl
    def register_tracing(constants, traced):
        plugin.constants += constants
        plugin.traced |= traced

    plugin.register_function, plugin.register_tracing = register_function, register_tracing
    ca.get_backend("alpha")
    return plugin


def test_every_function_that_users_call_is_registered(tracer):
    public = {id(declaration.public) for declaration in DECLARATIONS.values()}
    assert public <= set(map(id, tracer.marked))
    assert ca.Array.tolist in tracer.marked and ca.Array.__add__ in tracer.marked
    backend = ca.get_backend("alpha")
    known = list(tracer.marked)
    assert backend.add not in known and backend.add in tracer.marked
    assert backend.native.add in tracer.marked


def test_constants_compose_when_they_are_given_a_name(tracer):
    backend = ca.get_backend("alpha")
    for namespace in (backend, backend.native):
        assert type(namespace).compose in tracer.constants
        assert "add" not in vars(namespace)
        namespace.compose("add")
        assert "add" in vars(namespace)
    assert type(backend).compose_operator in tracer.constants
    backend.compose_operator("__add__", "add")
    assert "__add__" in vars(backend.Array)


def test_what_is_traced_chooses_the_backend_as_the_dispatcher_does(tracer):
    add = tracer.traced[ca.add]
    x = ca.get_backend("alpha").asarray([1.0])
    assert add(x, x).tolist() == ca.add(x, x).tolist() == [2.0]
    assert current_settings().implicit.name == "alpha"
    with ca.backend_context("alpha"):
        assert add(x, x).tolist() == [2.0]


def test_what_is_traced_refuses_another_backend_in_force(tracer, toy):
    x = ca.get_backend("alpha").asarray([1.0])
    toy("beta")
    with ca.backend_context("beta"), pytest.raises(ca.BackendMismatchError, match="'alpha' while 'beta' is in force"):
        tracer.traced[ca.add](x, x)


def test_settings_are_read_while_a_program_is_traced(tracer):
    read = tracer.traced[current_settings]
    assert read() is current_settings()
    ca.set_default_dtype(ca.float64)
    assert read().dtypes["real floating"] is ca.float64
