"""Meshes and specs as data, and the messages about them; none needs a device."""

from __future__ import annotations

import pickle

import pytest

import corearray as ca
from corearray.types.mesh import read_spec

MESH = ca.Mesh({"data": 4, "model": 2})


def test_a_mesh_is_a_value():
    assert (MESH.axes, MESH.size) == ({"data": 4, "model": 2}, 8)
    assert ca.Mesh({"data": 4, "model": 2}) == MESH != ca.Mesh({"model": 2, "data": 4})
    assert pickle.loads(pickle.dumps(MESH)) == MESH
    assert len({MESH, ca.Mesh(MESH.axes)}) == 1
    assert repr(MESH) == "Mesh({'data': 4, 'model': 2})"


@pytest.mark.parametrize(
    ("axes", "error", "text"),
    [
        ({}, TypeError, "a Mesh takes sizes by name"),
        ([4, 2], TypeError, r"got \[4, 2\]"),
        ({"data": 2.0}, TypeError, "axis 'data' of a Mesh got the size 2.0"),
        ({"data": 0}, ValueError, "from 1 up"),
    ],
)
def test_wrong_meshes(axes, error, text):
    with pytest.raises(error, match=text):
        ca.Mesh(axes)


def test_specs():
    assert read_spec(MESH, ("data",), (8, 3)) == ("data", None)
    assert read_spec(MESH, (None, ("data", "model")), (3, 16)) == (None, ("data", "model"))
    assert read_spec(MESH, (("data",),), (4,)) == ("data",)


@pytest.mark.parametrize(
    ("spec", "shape", "error", "text"),
    [
        (("rows",), (8,), ValueError, "has no axis 'rows'; it has 'data', 'model'"),
        (("data", "data"), (8, 8), ValueError, "named twice"),
        (("data", None), (8,), ValueError, r"is for 2 axes, and the array has the shape \(8,\)"),
        (
            ("data",),
            (6,),
            ValueError,
            "axis 0 of an array of the shape .* cannot be split into 4 equal parts over 'data'",
        ),
        ((4,), (8,), TypeError, "a layout got 4"),
    ],
)
def test_wrong_specs(spec, shape, error, text):
    with pytest.raises(error, match=text):
        read_spec(MESH, spec, shape)


def test_shard_needs_a_mesh_and_arrays():
    with pytest.raises(ValueError, match="'shard' needs a mesh"):
        ca.shard(ca.ones(4), "data")
    with pytest.raises(TypeError, match="'shard' found no array in an object of type list"):
        ca.shard([1.0, "a"], "data", mesh=MESH)
    with pytest.raises(TypeError, match="'layout' got an object of type list"):
        ca.layout([1.0])
    with pytest.raises(TypeError, match="'layout' got an object of type tuple"):
        ca.layout((ca.ones(4), ca.ones(4)))
    with pytest.raises(TypeError, match=r"'shard' got a mesh of type dict; give a corearray\.Mesh"):
        ca.shard(ca.ones(4), "data", mesh={"data": 2})


def test_a_backend_on_one_device_says_so():
    with pytest.raises(NotImplementedError, match="backend 'numpy' computes on one device; meshes are for backends"):
        ca.shard(ca.ones(4), "data", mesh=MESH)
    with ca.settings(mesh=MESH):
        with pytest.raises(NotImplementedError, match="computes on one device"):
            ca.zeros(4)
        with pytest.raises(NotImplementedError, match="computes on one device"):
            ca.random.Generator(1).uniform(shape=4)
    assert ca.zeros(4).tolist() == [0.0] * 4


@pytest.mark.parametrize(
    ("pattern", "error", "text"),
    [
        ("a(", ValueError, r"'shard' got the pattern 'a\(', which is no regular expression: missing \)"),
        (3, TypeError, "'shard' got 3 where it takes a regular expression"),
    ],
)
def test_wrong_patterns(pattern, error, text):
    with pytest.raises(error, match=text):
        ca.shard({"a": ca.ones(4)}, {pattern: ("data",)}, mesh=MESH)


def test_patterns_that_match_nothing():
    with pytest.raises(ValueError, match=r"the patterns 'b/\.\*', which match no array; the key chains are 'a/w', 'c'"):
        ca.shard({"a.w": ca.ones(4), "c": ca.ones(2), "d": 1}, {"a/w": ("data",), "b/.*": ()}, mesh=MESH)
