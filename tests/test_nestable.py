"""Containers in place of arguments: every function, every parameter, and what is refused."""

from __future__ import annotations

import pytest

import corearray as ca
from corearray.declaration import DECLARATIONS

be = ca.get_backend(ca.state.DEFAULT_BACKEND)


def array(values, dtype="float64"):
    return be.asarray(values, dtype=dtype)


X = array([[4.0, 1.0], [1.0, 3.0]])
V = array([1.0, 2.0])
I = array([[4, 1], [1, 3]], "int64")  # noqa: E741
K = array([1, 0], "int64")
B = array([True, False], "bool")
SPECTRUM = array([1.0, 2.0, 3.0], "complex128")

#: Options that change the result, for all functions that have them.
OPTIONS = {"axis": 0, "keepdims": True, "dtype": "float32", "device": "cpu", "copy": True, "correction": 1.0}

#: Arguments for each function. In a dictionary are those that are not given by position.
CALLS = {
    **dict.fromkeys(
        (
            "abs acosh asinh atan ceil conj cos cosh exp expm1 floor imag isfinite isinf isnan log log10 "
            "log1p log2 negative positive real reciprocal round sign signbit sin sinh sqrt square tan tanh trunc "
            "logical_not all any argmax argmin argsort count_nonzero cumulative_prod cumulative_sum max mean min nonzero "
            "prod sort std sum var unique_all unique_counts unique_inverse unique_values to_list to_numpy zeros_like "
            "ones_like empty_like tril triu flip unstack asarray diff fftn fftshift fft ifftn ifftshift ifft ihfft rfft "
            "rfftn cholesky det diagonal eig eigh eigvals eigvalsh inv matrix_norm matrix_rank matrix_transpose pinv qr "
            "slogdet svd svdvals trace vector_norm"
        ).split(),
        (X,),
    ),
    **dict.fromkeys(
        (
            "add atan2 copysign divide equal floor_divide greater greater_equal hypot less less_equal logaddexp maximum "
            "minimum multiply nextafter not_equal pow remainder subtract logical_and logical_or logical_xor matmul "
            "tensordot vecdot outer_ solve isin broadcast_arrays meshgrid_ complex"
        ).split(),
        (X, X),
    ),
    **dict.fromkeys("bitwise_and bitwise_or bitwise_xor bitwise_left_shift bitwise_right_shift".split(), (I, I)),
    "bitwise_invert": (I,),
    **dict.fromkeys(("acos", "asin", "atanh"), (array([0.0, 0.5]),)),
    "arange": (1, 5, 2),
    "astype": (X, "float32"),
    "broadcast_shapes": ((2, 1), (3,)),
    "broadcast_to": (V, (3, 2)),
    "clip": (X, 1.0, 3.0),
    "concat": ([X, X],),
    "cross": (array([1.0, 2.0, 3.0]), array([3.0, 2.0, 1.0])),
    "empty": ((0, 2),),
    "expand_dims": (X, 0),
    "eye": (2, 3, {"k": 1}),
    "fftfreq": (4, {"d": 2.0}),
    "from_dlpack": (X,),
    "full": ((2,), 3.0),
    "full_like": (X, 3.0),
    "get_item": (X, 0),
    "hfft": (SPECTRUM,),
    "irfft": (SPECTRUM,),
    "irfftn": (SPECTRUM,),
    "linspace": (0.0, 1.0, 5, {"endpoint": False}),
    "matrix_power": (X, 2),
    "meshgrid": (V, V, {"indexing": "ij"}),
    "moveaxis": (X, 0, 1),
    "ones": ((2,),),
    "outer": (V, V),
    "permute_dims": (X, (1, 0)),
    "repeat": (X, 2),
    "reshape": (X, (4,)),
    "rfftfreq": (4, {"d": 2.0}),
    "roll": (X, 1),
    "searchsorted": (V, V, {"side": "right", "sorter": array([0, 1], "int64")}),
    "squeeze": (array([[1.0, 2.0]]), 0),
    "stack": ([X, X],),
    "take": (X, K),
    "take_along_axis": (X, I % 2),
    "tile": (X, (2, 1)),
    "where": (B, V, 0.0),
    "zeros": ((2,),),
}
#: Options of single functions.
MORE = {
    "isin": {"invert": True},
    "sort": {"descending": True, "stable": False},
    "argsort": {"descending": True, "stable": False},
    "matmul": {},
    "tensordot": {"axes": 1},
    "cumulative_sum": {"include_initial": True},
    "diff": {"n": 1, "prepend": X, "append": X},
    "qr": {"mode": "complete"},
    "svd": {"full_matrices": False},
    "cholesky": {"upper": True},
    "trace": {"offset": 1},
    "diagonal": {"offset": 1},
    "tril": {"k": 1},
    "triu": {"k": 1},
    "matrix_norm": {"ord": 1},
    "vector_norm": {"ord": 1},
    "pinv": {"rtol": 0.1},
    "matrix_rank": {"rtol": 0.1},
    "fft": {"n": 3, "norm": "ortho"},
}
NOT_ALONG_AN_AXIS = {"vecdot": {"axis": -1}, "cross": {"axis": -1}, "fftshift": {"axes": 0}}


def given(name):
    """The arguments by position and by keyword with which a function is called."""
    args = CALLS[name]
    args, options = (args[:-1], args[-1]) if isinstance(args[-1], dict) else (args, {})
    keywords = {p.name for p in DECLARATIONS[name].parameters if p.how in ("keyword", "either")}
    positional = {p.name for p in DECLARATIONS[name].parameters[: len(args)]}
    options = {**OPTIONS, **NOT_ALONG_AN_AXIS.get(name, {}), **options, **MORE.get(name, {})}
    return args, {key: value for key, value in options.items() if key in keywords - positional}


def same(one, two):
    if isinstance(one, ca.Container):
        return one.equals(two)
    return ca.Container(x=one).equals(ca.Container(x=two))


def leaf_of(result, key):
    """What the function returned for one leaf."""
    if isinstance(result, tuple) and hasattr(result, "_fields"):
        return type(result)(*(field[key] for field in result))
    return result[key]


def test_the_table_has_every_function():
    assert set(DECLARATIONS) <= set(CALLS)


@pytest.mark.parametrize("name", DECLARATIONS)
def test_any_argument_may_be_a_container(name):
    """Also those that the flat path passes on to native code, which must not make sense of them."""
    public = DECLARATIONS[name].public
    args, options = given(name)
    wanted = public(*args, **options)
    for place, value in enumerate(args):
        container = ca.Container({"a/b": value, "c": value})
        result = public(*args[:place], container, *args[place + 1 :], **options)
        assert same(leaf_of(result, "a/b"), wanted), f"argument {place}"
        assert same(leaf_of(result, "c"), wanted), f"argument {place}"
    for key, value in options.items():
        result = public(*args, **{**options, key: ca.Container({"a/b": value, "c": value})})
        assert same(leaf_of(result, "a/b"), wanted), f"argument {key}"
