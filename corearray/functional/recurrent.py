"""Recurrent layers.

Weights are a sequence of arrays in the order and with the shapes of `torch.nn.RNN`, `LSTM` and `GRU`: for each layer,
and within it for each direction, `weight_ih` of shape `(gates * H, features)`, `weight_hh` of shape `(gates * H, H)`
and, for layers with biases, `bias_ih` and `bias_hh` of shape `(gates * H,)`. The number of weights determines the
number of layers. An LSTM with projections has a fifth weight behind these, `weight_hr` of shape `(P, H)`: its hidden states
have `P` features, and `weight_hh` has the shape `(4 * H, P)`. Half precision is computed in float32.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from corearray.checks.parsing.recurrence import read_recurrent
from corearray.contract.declaration import declare
from corearray.functional.precision import _widened
from corearray.types.namedtuples import NamedTuple

if TYPE_CHECKING:
    import corearray as xp
    from corearray.arrays.array import Array

    #: From what the input gives, the states, and the recurrent weight and bias to the new states, the hidden one first.
    _Step = Callable[[Array, Sequence[Array], Array, Array | None], tuple[Array, ...]]

__all__ = [
    "LSTMResult",
    "LSTMUpdateResult",
    "RecurrentResult",
    "gru",
    "gru_update",
    "lstm",
    "lstm_update",
    "rnn",
]


class RecurrentResult(NamedTuple):
    """Result of `rnn` and `gru`.

    Attributes
    ----------
    outputs
        The hidden states of the last layer at each time, those of both directions side by side.
    h
        The last hidden state of each layer and direction.
    """

    outputs: Array
    h: Array


class LSTMResult(NamedTuple):
    """Result of `lstm`.

    Attributes
    ----------
    outputs
        The hidden states of the last layer at each time, those of both directions side by side.
    h, c
        The last hidden state and the last cell state of each layer and direction.
    """

    outputs: Array
    h: Array
    c: Array


class LSTMUpdateResult(NamedTuple):
    """Result of `lstm_update`.

    Attributes
    ----------
    h
        The hidden states at all times.
    c
        The cell state at the last time.
    """

    h: Array
    c: Array


@declare(promote=("x", "weights", "initial_h"), floating=True, real=True)
def rnn(
    x: Array,
    weights: Sequence[Array],
    /,
    *,
    initial_h: Array | None = None,
    nonlinearity: str = "tanh",
    bidirectional: bool = False,
    time_major: bool = False,
) -> RecurrentResult:
    """Apply an Elman network, `h = tanh(weight_ih @ x + bias_ih + weight_hh @ h + bias_hh)`.

    Parameters
    ----------
    x
        Real array of shape `(..., T, features)`, or `(T, ..., features)` with time first; integers are computed in the
        default floating dtype.
    weights
        A sequence of arrays as at the head of this module, with `gates = 1`, such as
        `list(torch.nn.RNN(...).parameters())`.
    initial_h
        Hidden states before the first step, of shape `(layers * directions, ..., H)`; by default zeros.
    nonlinearity
        `"tanh"` or `"relu"`.
    bidirectional
        Whether each layer also has weights for the way back.
    time_major
        Whether time is the first axis.

    Returns
    -------
    Named tuple `(outputs, h)` of the promoted floating dtype: an array of shape `(..., T, directions * H)`, with time where
    `x` has it, and one of shape `(layers * directions, ..., H)`.

    Raises
    ------
    ValueError
        If a shape or an option does not fit, or there is no step of time.

    Examples
    --------
    >>> import corearray as ca
    >>> weights = [ca.ones((1, 2)), ca.ones((1, 1))]
    >>> ca.rnn(ca.asarray([[1.0, 2.0], [3.0, -1.0]]), weights, nonlinearity="relu").outputs.tolist()
    [[3.0], [5.0]]

    Notes
    -----
    `torch.nn.RNN`, whose `batch_first=True` is the default here.
    """
    steps = {"tanh": _tanh_step, "relu": _relu_step}
    if nonlinearity not in steps:
        raise ValueError(f"'rnn' got nonlinearity={nonlinearity!r}; it is one of 'tanh', 'relu'")
    return RecurrentResult(*_layers("rnn", steps[nonlinearity], 1, x, weights, [initial_h], bidirectional, time_major))


@declare(promote=("x", "weights", "initial_h", "initial_c"), floating=True, real=True)
def lstm(
    x: Array,
    weights: Sequence[Array],
    /,
    *,
    initial_h: Array | None = None,
    initial_c: Array | None = None,
    bidirectional: bool = False,
    time_major: bool = False,
) -> LSTMResult:
    """Apply a long short-term memory (LSTM) network.

    Parameters
    ----------
    x, initial_h, bidirectional, time_major
        As in `rnn`.
    weights
        A sequence of arrays as at the head of this module, with `gates = 4`, in the order input, forget, cell, output, such
        as `list(torch.nn.LSTM(...).parameters())`, also with `proj_size`.
    initial_c
        Cell states before the first step, of shape `(layers * directions, ..., H)`; by default zeros.

    Returns
    -------
    Named tuple `(outputs, h, c)`, as in `rnn`, with the last cell states, which have the shape of `h`. With projections
    outputs and `h` have `P` features in place of `H`.

    Raises
    ------
    ValueError
        If a shape does not fit, or there is no step of time.

    Examples
    --------
    >>> import corearray as ca
    >>> weights = [ca.zeros((4, 2)), ca.zeros((4, 1))]
    >>> found = ca.lstm(ca.ones((3, 2)), weights, initial_c=ca.asarray([[8.0]]))
    >>> found.outputs.shape, found.c.tolist()
    (Shape((3, 1)), [[1.0]])

    Notes
    -----
    S. Hochreiter and J. Schmidhuber, Long short-term memory, 1997; with projections H. Sak et al., arXiv:1402.1128;
    `torch.nn.LSTM`, whose `batch_first=True` is the default here.
    """
    return LSTMResult(*_layers("lstm", _lstm_step, 4, x, weights, [initial_h, initial_c], bidirectional, time_major))


@declare(promote=("x", "weights", "initial_h"), floating=True, real=True)
def gru(
    x: Array,
    weights: Sequence[Array],
    /,
    *,
    initial_h: Array | None = None,
    bidirectional: bool = False,
    time_major: bool = False,
) -> RecurrentResult:
    """Apply a network of gated recurrent units (GRU).

    Parameters
    ----------
    x, initial_h, bidirectional, time_major
        As in `rnn`.
    weights
        A sequence of arrays as at the head of this module, with `gates = 3`, in the order reset, update, new, such as
        `list(torch.nn.GRU(...).parameters())`.

    Returns
    -------
    Named tuple `(outputs, h)`, as in `rnn`.

    Raises
    ------
    ValueError
        If a shape does not fit, or there is no step of time.

    Examples
    --------
    >>> import corearray as ca
    >>> weights = [ca.zeros((3, 2)), ca.zeros((3, 1))]
    >>> ca.gru(ca.ones((3, 2)), weights, initial_h=ca.asarray([[8.0]])).outputs.tolist()
    [[4.0], [2.0], [1.0]]

    Notes
    -----
    K. Cho et al., arXiv:1406.1078, with the reset gate behind the product as in `torch.nn.GRU`, whose `batch_first=True` is
    the default here.
    """
    return RecurrentResult(*_layers("gru", _gru_step, 3, x, weights, [initial_h], bidirectional, time_major))


@declare(
    promote=("x", "init_h", "kernel", "recurrent_kernel", "bias", "recurrent_bias"),
    floating=True,
    real=True,
    gives="same",
)
def gru_update(
    x: Array,
    init_h: Array,
    kernel: Array,
    recurrent_kernel: Array,
    /,
    bias: Array | None = None,
    recurrent_bias: Array | None = None,
) -> Array:
    """Apply one GRU layer to a sequence, with transposed weights.

    Parameters
    ----------
    x
        Real array of shape `(..., T, features)`; integers are computed in the default floating dtype.
    init_h
        Hidden state before the first step, of shape `(..., H)`.
    kernel, recurrent_kernel
        Weights of shapes `(features, 3 * H)` and `(H, 3 * H)`, in the order reset, update, new.
    bias, recurrent_bias
        Added to the products, of shape `(3 * H,)`.

    Returns
    -------
    Array of the hidden states at all times, of shape `(..., T, H)` and the promoted floating dtype.

    Raises
    ------
    ValueError
        If a shape does not fit, or there is no step of time.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.gru_update(ca.ones((3, 2)), ca.asarray([8.0]), ca.zeros((2, 3)), ca.zeros((1, 3))).tolist()
    [[4.0], [2.0], [1.0]]

    Notes
    -----
    As `gru`.
    """
    weights = _as_rows(kernel, recurrent_kernel, bias, recurrent_bias)
    return _layers("gru_update", _gru_step, 3, x, weights, [xp.expand_dims(init_h, 0)], False, False)[0]


@declare(
    promote=("x", "init_h", "init_c", "kernel", "recurrent_kernel", "bias", "recurrent_bias"), floating=True, real=True
)
def lstm_update(
    x: Array,
    init_h: Array,
    init_c: Array,
    kernel: Array,
    recurrent_kernel: Array,
    /,
    bias: Array | None = None,
    recurrent_bias: Array | None = None,
) -> LSTMUpdateResult:
    """Apply one LSTM layer to a sequence, with transposed weights.

    Parameters
    ----------
    x
        Real array of shape `(..., T, features)`; integers are computed in the default floating dtype.
    init_h, init_c
        Hidden and cell states before the first step, of shape `(..., H)`.
    kernel, recurrent_kernel
        Weights of shapes `(features, 4 * H)` and `(H, 4 * H)`, in the order input, forget, cell, output.
    bias, recurrent_bias
        Biases of shape `(4 * H,)`.

    Returns
    -------
    Named tuple `(h, c)` of the promoted floating dtype: the hidden states at all times, of shape `(..., T, H)`, and the cell
    state at the last, of shape `(..., H)`.

    Raises
    ------
    ValueError
        If a shape does not fit, or there is no step of time.

    Examples
    --------
    >>> import corearray as ca
    >>> h, c = ca.lstm_update(ca.ones((3, 2)), ca.zeros(1), ca.asarray([8.0]), ca.zeros((2, 4)), ca.zeros((1, 4)))
    >>> h.shape, c.tolist()
    (Shape((3, 1)), [1.0])

    Notes
    -----
    As `lstm`.
    """
    weights = _as_rows(kernel, recurrent_kernel, bias, recurrent_bias)
    states = [xp.expand_dims(state, 0) for state in (init_h, init_c)]
    outputs, _, c = _layers("lstm_update", _lstm_step, 4, x, weights, states, False, False)
    return LSTMUpdateResult(outputs, c[0, ...])


def _as_rows(kernel: Array, recurrent: Array, bias: Array | None, recurrent_bias: Array | None) -> list[Array]:
    """Return weights that are given as columns in the order and the shapes of the weights of layers."""
    weights = [xp.matrix_transpose(one) if one.ndim == 2 else one for one in (kernel, recurrent)]
    if bias is not None or recurrent_bias is not None:
        nothing = xp.zeros_like(weights[0][:, 0])
        weights += [nothing if one is None else one for one in (bias, recurrent_bias)]
    return weights


def _layers(
    name: str,
    step: _Step,
    gates: int,
    x: Array,
    weights: Sequence[Array],
    states: Sequence[Array | None],
    bidirectional: bool,
    time_major: bool,
) -> list[Array]:
    """Return the outputs of the last layer, and of each state the last values of all layers and directions."""
    found = read_recurrent(name, gates, x, weights, states, bidirectional, time_major)
    axis = 0 if time_major else x.ndim - 2
    sizes = (found.output, found.size)
    values, widened = _widened(x), [_widened(weight) for weight in weights]
    last: list[tuple[Array, ...]] = []
    for _ in range(found.layers):
        ways = []
        for backwards in range(found.directions):
            weight, recurrent, *more = widened[len(last) * found.each : (len(last) + 1) * found.each]
            bias, recurrent_bias = more[:2] if found.biased else (None, None)
            given = xp.unstack(xp.linear(values, weight, bias=bias), axis=axis)
            state = tuple(
                xp.zeros_like(given[0][..., :size]) if one is None else _widened(one[len(last), ...])
                for one, size in zip(states, sizes, strict=False)
            )
            hidden = []
            for one in reversed(given) if backwards else given:
                state = step(one, state, recurrent, recurrent_bias)
                if found.projected:
                    state = (xp.linear(state[0], more[-1]), *state[1:])
                hidden.append(state[0])
            last.append(state)
            ways.append(xp.stack(hidden[::-1] if backwards else hidden, axis=axis))
        values = ways[0] if len(ways) == 1 else xp.concat(ways, axis=-1)
    ends = [xp.stack(parts) for parts in zip(*last, strict=True)]
    return [xp.astype(one, x.dtype, copy=False) for one in (values, *ends)]


def _tanh_step(given: Array, state: Sequence[Array], weight: Array, bias: Array | None) -> tuple[Array, ...]:
    return (xp.tanh(given + xp.linear(state[0], weight, bias=bias)),)


def _relu_step(given: Array, state: Sequence[Array], weight: Array, bias: Array | None) -> tuple[Array, ...]:
    return (xp.relu(given + xp.linear(state[0], weight, bias=bias)),)


def _lstm_step(given: Array, state: Sequence[Array], weight: Array, bias: Array | None) -> tuple[Array, ...]:
    h, c = state
    enter, keep, new, leave = xp.split(given + xp.linear(h, weight, bias=bias), 4, axis=-1)
    c = xp.sigmoid(keep) * c + xp.sigmoid(enter) * xp.tanh(new)
    return xp.sigmoid(leave) * xp.tanh(c), c


def _gru_step(given: Array, state: Sequence[Array], weight: Array, bias: Array | None) -> tuple[Array, ...]:
    (h,) = state
    gates = zip(xp.split(given, 3, axis=-1), xp.split(xp.linear(h, weight, bias=bias), 3, axis=-1), strict=True)
    reset, update, new = gates
    keep = update[0] + update[1]
    found = xp.tanh(new[0] + xp.sigmoid(reset[0] + reset[1]) * new[1])
    return (xp.sigmoid(-keep) * found + xp.sigmoid(keep) * h,)  # nothing is lost where nearly all is kept
