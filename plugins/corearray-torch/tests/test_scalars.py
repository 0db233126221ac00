"""Python numbers beside arrays: tensors that are held from the second call on give what torch gives for the number."""

from __future__ import annotations

import math
import operator

import pytest
import torch
from corearray_torch import scalars
from torch._subclasses.fake_tensor import FakeTensorMode

import corearray as ca

pytestmark = pytest.mark.filterwarnings("ignore")  # torch warns of what it loads itself, and of torch.jit

be = ca.get_backend("torch")

_FUNCTIONS = {
    "add": operator.add, "divide": operator.truediv, "equal": operator.eq, "greater": operator.gt,
    "greater_equal": operator.ge, "less": operator.lt, "less_equal": operator.le, "maximum": torch.maximum,
    "minimum": torch.minimum, "multiply": operator.mul, "not_equal": operator.ne, "subtract": operator.sub,
    "where": torch.where,
}  # fmt: skip
_FLOATS = (0.0, -0.0, 0, 1, 0.1, -1 / 3, 2**53 + 1, 2**24 + 1, 1e-40, math.inf, -math.inf, math.nan)
_DTYPES = ("float16", "bfloat16", "float32", "float64", "int8", "uint8", "int16", "int32", "int64", "uint16")


@pytest.fixture(autouse=True)
def _nothing_held():
    for held in scalars._tensors.values():
        held.clear()
    scalars._seen.clear()


def _held():
    return sum(map(len, scalars._tensors.values()))


def _bits(x):
    return x.view({1: torch.uint8, 2: torch.int16, 4: torch.int32, 8: torch.int64}[x.element_size()])


@pytest.mark.parametrize("left", [False, True])
@pytest.mark.parametrize(
    ("name", "dtype"),
    [(name, dtype) for name in _FUNCTIONS for dtype in _DTYPES if name != "divide" or "float" in dtype],
)
def test_each_call_gives_the_bits_of_the_first(name, dtype, left):
    """The first call hands the number to torch, the second makes a tensor of it, the third takes that."""
    floating = "float" in dtype
    values = [0.0, -0.0, 1.0, 0.1, -3.5, 1e-3, math.inf, math.nan] if floating else [0, 1, 3, 100]
    x = be.asarray(values, dtype=dtype)
    masks = (be.asarray([True, False] * (len(values) // 2)),) if name == "where" else ()
    numbers = _FLOATS if floating else (0, 1, 2, 100, 127)

    def calls():
        return [getattr(be, name)(*masks, *((n, x) if left else (x, n))).native for n in numbers]

    first = calls()
    for results in (calls(), calls()):
        for number, found, expected in zip(numbers, results, first, strict=True):
            assert found.dtype is expected.dtype, number
            both = (expected != expected) & (found != found)
            assert torch.all((_bits(found) == _bits(expected)) | both), (number, found, expected)
    assert (_held() > 0) is (dtype not in ("float16", "bfloat16", "uint16"))


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("name", _FUNCTIONS)
def test_held_numbers_give_what_torch_gives(name, dtype):
    x = torch.tensor([0.0, -0.0, 1.0, 0.1, -3.5, 1e-3, math.inf, math.nan], dtype=dtype)
    mask = torch.tensor([True, False] * 4)
    for number in _FLOATS:
        own = torch.tensor(number, dtype=dtype) if name in ("maximum", "minimum") else number
        expected = _FUNCTIONS[name](*((mask,) if name == "where" else ()), x, own)
        masks = (be.asarray(mask),) if name == "where" else ()
        for _ in range(3):
            found = getattr(be, name)(*masks, be.asarray(x), number).native
        assert found.dtype is expected.dtype
        assert torch.equal(found.nan_to_num(9.0), expected.nan_to_num(9.0)), number


def test_a_number_that_is_met_once_is_not_held_and_many_are_forgotten():
    x = be.asarray([1.0, 2.0])
    for i in range(5000):
        x + (i + 0.5)
    assert _held() == 0
    assert len(scalars._seen) <= 1024
    for i in range(3000):
        for _ in range(2):
            x + (i + 0.25)
    assert 0 < _held() <= 1024


def test_numbers_that_torch_refuses_or_that_overflow_are_not_held():
    x = be.asarray([1.0], dtype=be.float32)
    for _ in range(3):
        assert math.isinf((x + 1e300).tolist()[0])
        assert (x < 1e300).tolist() == [True]
    assert _held() == 0


def _shifted(x):
    return be.sum(be.where(x > 0.5, x * 3.0 + 1.0, x / 2.0) - 0.5)


def test_tensors_made_in_inference_mode_can_be_differentiated_with():
    x = be.asarray([0.25, 1.0])
    with torch.inference_mode():
        for _ in range(3):
            _shifted(x)
    assert _held() > 0
    assert ca.grad(_shifted)(x).tolist() == [0.5, 3.0]
    own = torch.tensor([0.25, 1.0], requires_grad=True)
    _shifted(be.asarray(own)).native.backward()
    assert own.grad.tolist() == [0.5, 3.0]


def test_transforms_leave_nothing_of_theirs_behind():
    rows = be.asarray([[0.25, 1.0], [1.0, 0.25]])
    for _ in range(3):
        found = torch.func.vmap(lambda x: _shifted(be.asarray(x)).native)(rows.native)
        assert found.tolist() == [3.125, 3.125]
        gradient = torch.func.grad(lambda x: _shifted(be.asarray(x)).native)(rows.native)
        assert gradient.tolist() == [[0.5, 3.0], [3.0, 0.5]]
        jacobian = torch.func.vmap(torch.func.jacrev(lambda x: (be.asarray(x) * 3.0).native))(rows.native)
        assert torch.equal(jacobian, torch.eye(2).mul(3).expand(2, 2, 2))
    assert _held() == 0
    for _ in range(3):
        _shifted(rows)
    assert all(type(x) is torch.Tensor and not x.requires_grad for x in scalars._tensors[torch.float32].values())
    assert torch.func.vmap(lambda x: _shifted(be.asarray(x)).native)(rows.native).tolist() == [3.125, 3.125]
    assert torch.func.grad(lambda x: _shifted(be.asarray(x)).native)(rows.native).tolist() == [[0.5, 3.0], [3.0, 0.5]]
    found, tangent = torch.func.jvp(lambda x: (be.asarray(x) * 3.0).native, (rows.native,), (rows.native,))
    assert torch.equal(tangent, rows.native * 3)
    assert torch.equal(found, rows.native * 3)


def test_other_tracers_see_numbers():
    x = be.asarray([0.25, 1.0])
    for _ in range(3):
        _shifted(x)
    held = _held()
    with FakeTensorMode() as mode:
        fake = mode.from_tensor(torch.zeros(3))
        assert tuple((be.asarray(fake) * 3.0).native.shape) == (3,)
        assert tuple((be.asarray(fake) * 7.0).native.shape) == (3,)
        for _ in range(3):
            be.asarray(fake) * 7.0
    traced = torch.jit.trace(lambda x: (be.asarray(x) * 3.0 + 11.0).native, (torch.zeros(3),), check_trace=False)
    assert traced(torch.ones(5)).tolist() == [14.0] * 5
    assert _held() == held


def test_compiled_programs_have_numbers_and_are_compiled_once():
    graphs = []

    def backend(module, _):
        graphs.append(module)
        return module.forward

    compiled = torch.compile(lambda x: _shifted(be.asarray(x)).native, backend=backend, fullgraph=True)
    for _ in range(3):
        _shifted(be.asarray([0.25, 1.0]))
        assert float(compiled(torch.tensor([0.25, 1.0]))) == 3.125
    assert len(graphs) == 1
    assert not dict(graphs[0].named_buffers())


def test_a_graph_with_numbers():
    x = be.asarray([0.25, 1.0])
    graph = ca.compile_graph(_shifted, x)
    for _ in range(3):
        _shifted(x)
    again = ca.compile_graph(_shifted, x)
    assert float(graph(x)) == float(again(x)) == 3.125
    assert graph.source == again.source
