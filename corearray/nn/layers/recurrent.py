"""Recurrent layers and cells, with the parameters of torch: `weight_ih_l0`, `weight_hh_l0`, `bias_ih_l0`, `bias_hh_l0`."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from corearray.calls.dispatch import resolve
from corearray.errors import CoreArrayTypeError, CoreArrayValueError
from corearray.functional.activations import relu, sigmoid
from corearray.functional.joining import split
from corearray.functional.layers import dropout, linear
from corearray.functional.manipulation import concat
from corearray.functional.recurrent import gru, lstm, rnn
from corearray.functional.trigonometric import tanh
from corearray.nn.arguments import drawn_bias, one_of, positive, probability, uniform
from corearray.nn.module import Module

if TYPE_CHECKING:
    from corearray.arrays.array import Array

__all__ = ["GRU", "LSTM", "RNN", "GRUCell", "LSTMCell", "RNNCell"]

#: What `corearray list-functions` says of the classes here.
__kind__ = "convenience"


def _one_state(layer: Module, hx: Any) -> Any:
    if isinstance(hx, tuple):
        raise CoreArrayTypeError(
            f"'{type(layer).__name__}' takes one array as its first state, got a tuple of {len(hx)}"
        )
    return hx


def _two_states(layer: Module, hx: Any) -> list[Any]:
    if not isinstance(hx, (tuple, list)) or len(hx) != 2:
        found = f"a {type(hx).__name__} of {len(hx)}" if isinstance(hx, (tuple, list)) else type(hx).__name__
        raise CoreArrayTypeError(f"'{type(layer).__name__}' takes a pair (h, c) as its first states, got {found}")
    return list(hx)


class _Recurrent(Module):
    """Layers of one kind of cell, one above the other, without a constructor of its own."""

    def __init__(
        self, gates: int, input_size: Any, hidden_size: Any, num_layers: Any, bias: bool, batch_first: bool,
        dropout: Any, bidirectional: bool, generator: Any, dtype: Any, device: Any, proj_size: int = 0,
    ) -> None:  # fmt: skip
        name = type(self).__name__
        size, hidden = positive(name, "input_size", input_size), positive(name, "hidden_size", hidden_size)
        self.hidden_size = hidden
        self.num_layers = positive(name, "num_layers", num_layers)
        self.batch_first = batch_first
        self.dropout = probability(name, dropout)
        self.bidirectional = bidirectional
        made: dict[str, Any] = {"generator": generator, "dtype": dtype, "device": device}
        bound = 1.0 / math.sqrt(hidden)
        self._names: list[list[str]] = []
        for layer in range(self.num_layers):
            names = []
            features = size if layer == 0 else (proj_size or hidden) * (2 if bidirectional else 1)
            for end in ("", "_reverse") if bidirectional else ("",):
                for what, columns in (("weight_ih", features), ("weight_hh", proj_size or hidden)):
                    names.append(f"{what}_l{layer}{end}")
                    setattr(self, names[-1], uniform(name, (gates * hidden, columns), bound, **made))
                for what in ("bias_ih", "bias_hh") if bias else ():
                    names.append(f"{what}_l{layer}{end}")
                    setattr(self, names[-1], drawn_bias(name, True, gates * hidden, bound, **made))
                if proj_size:
                    names.append(f"weight_hr_l{layer}{end}")
                    setattr(self, names[-1], uniform(name, (proj_size, hidden), bound, **made))
            self._names.append(names)

    def _computed(self, x: Array, weights: list[Array], initial: list[Array | None]) -> tuple[Array, list[Array]]:
        raise NotImplementedError

    def _forward(self, x: Array, initial: list[Array | None]) -> tuple[Array, list[Array]]:
        """Compute for a batch or one sequence; return the outputs and the last states."""
        if hasattr(x, "batch_sizes"):
            raise CoreArrayTypeError(
                f"'{type(self).__name__}' takes padded arrays, got a {type(x).__name__}; unpack it with "
                "pad_packed_sequence, and take the results up to the length of each sequence"
            )
        if x.ndim not in (2, 3):
            raise CoreArrayValueError(
                f"'{type(self).__name__}' takes arrays with 2 or 3 axes, got the shape {tuple(x.shape)}"
            )
        weights = [[getattr(self, name) for name in names] for names in self._names]
        if not (self.training and self.dropout and self.num_layers > 1):
            return self._computed(x, [weight for layer in weights for weight in layer], initial)
        ways = 2 if self.bidirectional else 1
        states: list[list[Array]] = []
        for i, layer in enumerate(weights):
            own = [None if h is None else h[i * ways : (i + 1) * ways, ...] for h in initial]
            x, last = self._computed(x, layer, own)
            states.append(last)
            if i + 1 < len(weights):
                x = dropout(x, self.dropout)
        return x, [concat(list(parts), axis=0) for parts in zip(*states, strict=True)]

    def _order(self, x: Array) -> bool:
        """Whether time is the first axis."""
        return x.ndim == 3 and not self.batch_first


class RNN(_Recurrent):
    """Elman networks, `h = tanh(weight_ih @ x + bias_ih + weight_hh @ h + bias_hh)`.

    It takes an array of the shape `(T, N, input_size)`, with `batch_first` `(N, T, input_size)`, or `(T, input_size)`, and
    returns `(output, h)`: outputs of the shape `(T, N, directions * hidden_size)` with the axes of the
    argument, and states of the shape `(num_layers * directions, N, hidden_size)`.

    Parameters
    ----------
    input_size, hidden_size
        Lengths of the vectors that come in and of the states.
    num_layers
        Number of layers, one above the other.
    nonlinearity
        `"tanh"` or `"relu"`.
    bias
        Whether there are biases.
    batch_first
        Whether the batch is the first axis, and time the second.
    dropout
        Probability of zero, in training, between layers.
    bidirectional
        Whether each layer also has a direction from the end.
    generator, dtype, device
        As in `Linear`.

    Attributes
    ----------
    weight_ih_l0, weight_hh_l0, bias_ih_l0, bias_hh_l0, ...
        Parameters of the layers, of the shapes `(1 * hidden_size, input_size)`, `(1 * hidden_size, hidden_size)` and
        `(1 * hidden_size,)`; those of the second direction end with `_reverse`.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> output, h = nn.RNN(3, 5, num_layers=2)(ca.ones((7, 2, 3)))
    >>> output.shape, h.shape
    (Shape((7, 2, 5)), Shape((2, 2, 5)))

    Notes
    -----
    J. L. Elman, Finding structure in time, 1990; `torch.nn.RNN`.
    """

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        num_layers: int = 1,
        nonlinearity: str = "tanh",
        bias: bool = True,
        batch_first: bool = False,
        dropout: float = 0.0,
        bidirectional: bool = False,
        *,
        generator: Any = None,
        dtype: Any = None,
        device: Any = None,
    ) -> None:
        super().__init__(
            1, input_size, hidden_size, num_layers, bias, batch_first, dropout, bidirectional, generator, dtype, device
        )
        self.nonlinearity = one_of("RNN", "nonlinearity", nonlinearity, ("tanh", "relu"))

    def forward(self, x: Array, hx: Array | None = None, /) -> tuple[Array, Array]:
        """Return the outputs and the last hidden states; `hx` are the first ones, by default zeros."""
        output, (h,) = self._forward(x, [_one_state(self, hx)])
        return output, h

    def _computed(self, x: Array, weights: list[Array], initial: list[Array | None]) -> tuple[Array, list[Array]]:
        output, h = rnn(
            x, weights, initial_h=initial[0], nonlinearity=self.nonlinearity, bidirectional=self.bidirectional,
            time_major=self._order(x),
        )  # fmt: skip
        return output, [h]


class LSTM(_Recurrent):
    """Long short-term memories: input, forget, cell and output gates of each step.

    It takes an array of the shape `(T, N, input_size)`, with `batch_first` `(N, T, input_size)`, or `(T, input_size)`, and
    returns `(output, (h, c))`: outputs of the shape `(T, N, directions * hidden_size)` with the axes of the
    argument, and states of the shape `(num_layers * directions, N, hidden_size)`.

    Parameters
    ----------
    input_size, hidden_size
        Lengths of the vectors that come in and of the states.
    num_layers
        Number of layers, one above the other.
    bias
        Whether there are biases.
    batch_first
        Whether the batch is the first axis, and time the second.
    dropout
        Probability of zero, in training, between layers.
    bidirectional
        Whether each layer also has a direction from the end.
    proj_size
        Length to which the hidden states are projected, less than `hidden_size`; 0 for no projection. The outputs and `h`
        then have this length in place of `hidden_size`.
    generator, dtype, device
        As in `Linear`.

    Attributes
    ----------
    weight_ih_l0, weight_hh_l0, bias_ih_l0, bias_hh_l0, ...
        Parameters of the layers, of the shapes `(4 * hidden_size, input_size)`, `(4 * hidden_size, hidden_size)` and
        `(4 * hidden_size,)`; those of the second direction end with `_reverse`.
    weight_hr_l0, ...
        With `proj_size`: parameters of the shape `(proj_size, hidden_size)`; `weight_hh_l0` has the shape
        `(4 * hidden_size, proj_size)`.

    Raises
    ------
    ValueError
        If `proj_size` is negative, or not less than `hidden_size`.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> output, (h, c) = nn.LSTM(3, 5, num_layers=2)(ca.ones((7, 2, 3)))
    >>> output.shape, h.shape
    (Shape((7, 2, 5)), Shape((2, 2, 5)))

    Notes
    -----
    S. Hochreiter and J. Schmidhuber, Long short-term memory, 1997; H. Sak et al., arXiv:1402.1128, for projections;
    `torch.nn.LSTM`.
    """

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        num_layers: int = 1,
        bias: bool = True,
        batch_first: bool = False,
        dropout: float = 0.0,
        bidirectional: bool = False,
        proj_size: int = 0,
        *,
        generator: Any = None,
        dtype: Any = None,
        device: Any = None,
    ) -> None:
        if proj_size and not 0 < proj_size < hidden_size:
            raise CoreArrayValueError(
                f"'proj_size' of 'LSTM' is less than 'hidden_size={hidden_size}', or 0 for no projection; got {proj_size}"
            )
        super().__init__(
            4, input_size, hidden_size, num_layers, bias, batch_first, dropout, bidirectional, generator, dtype, device,
            proj_size,
        )  # fmt: skip
        self.proj_size = proj_size

    def forward(self, x: Array, hx: tuple[Array, Array] | None = None, /) -> tuple[Array, tuple[Array, Array]]:
        """Return the outputs and the last hidden and cell states; `hx` are the first ones, by default zeros."""
        output, (h, c) = self._forward(x, [None, None] if hx is None else _two_states(self, hx))
        return output, (h, c)

    def _computed(self, x: Array, weights: list[Array], initial: list[Array | None]) -> tuple[Array, list[Array]]:
        output, h, c = lstm(
            x, weights, initial_h=initial[0], initial_c=initial[1], bidirectional=self.bidirectional,
            time_major=self._order(x),
        )  # fmt: skip
        return output, [h, c]


class GRU(_Recurrent):
    """Gated recurrent units: reset, update and new gates of each step.

    It takes an array of the shape `(T, N, input_size)`, with `batch_first` `(N, T, input_size)`, or `(T, input_size)`, and
    returns `(output, h)`: outputs of the shape `(T, N, directions * hidden_size)` with the axes of the
    argument, and states of the shape `(num_layers * directions, N, hidden_size)`.

    Parameters
    ----------
    input_size, hidden_size
        Lengths of the vectors that come in and of the states.
    num_layers
        Number of layers, one above the other.
    bias
        Whether there are biases.
    batch_first
        Whether the batch is the first axis, and time the second.
    dropout
        Probability of zero, in training, between layers.
    bidirectional
        Whether each layer also has a direction from the end.
    generator, dtype, device
        As in `Linear`.

    Attributes
    ----------
    weight_ih_l0, weight_hh_l0, bias_ih_l0, bias_hh_l0, ...
        Parameters of the layers, of the shapes `(3 * hidden_size, input_size)`, `(3 * hidden_size, hidden_size)` and
        `(3 * hidden_size,)`; those of the second direction end with `_reverse`.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> output, h = nn.GRU(3, 5, num_layers=2)(ca.ones((7, 2, 3)))
    >>> output.shape, h.shape
    (Shape((7, 2, 5)), Shape((2, 2, 5)))

    Notes
    -----
    K. Cho et al., arXiv:1406.1078; `torch.nn.GRU`.
    """

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        num_layers: int = 1,
        bias: bool = True,
        batch_first: bool = False,
        dropout: float = 0.0,
        bidirectional: bool = False,
        *,
        generator: Any = None,
        dtype: Any = None,
        device: Any = None,
    ) -> None:
        super().__init__(
            3, input_size, hidden_size, num_layers, bias, batch_first, dropout, bidirectional, generator, dtype, device
        )

    def forward(self, x: Array, hx: Array | None = None, /) -> tuple[Array, Array]:
        """Return the outputs and the last hidden states; `hx` are the first ones, by default zeros."""
        output, (h,) = self._forward(x, [_one_state(self, hx)])
        return output, h

    def _computed(self, x: Array, weights: list[Array], initial: list[Array | None]) -> tuple[Array, list[Array]]:
        output, h = gru(x, weights, initial_h=initial[0], bidirectional=self.bidirectional, time_major=self._order(x))
        return output, [h]


class _Cell(Module):
    """One step of a recurrent layer, without a constructor of its own."""

    weight_ih: Array
    weight_hh: Array
    bias_ih: Array | None
    bias_hh: Array | None

    def __init__(
        self, gates: int, input_size: Any, hidden_size: Any, bias: bool, generator: Any, dtype: Any, device: Any
    ) -> None:
        name = type(self).__name__
        size, hidden = positive(name, "input_size", input_size), positive(name, "hidden_size", hidden_size)
        made: dict[str, Any] = {"generator": generator, "dtype": dtype, "device": device}
        bound = 1.0 / math.sqrt(hidden)
        self.hidden_size = hidden
        self.weight_ih = uniform(name, (gates * hidden, size), bound, **made)
        self.weight_hh = uniform(name, (gates * hidden, hidden), bound, **made)
        self.bias_ih = drawn_bias(name, bias, gates * hidden, bound, **made)
        self.bias_hh = drawn_bias(name, bias, gates * hidden, bound, **made)

    def _zeros(self, x: Array) -> Array:
        made: Array = resolve((x,)).zeros((*x.shape[:-1], self.hidden_size), dtype=x.dtype, device=x.device)
        return made

    def _fitting(self, x: Array, state: Any) -> Any:
        wanted = (*x.shape[:-1], self.hidden_size)
        found = tuple(getattr(state, "shape", wanted))
        if found != wanted and None not in (*found, *wanted):
            raise CoreArrayValueError(
                f"'{type(self).__name__}' got a state of the shape {found} for an array of the shape {tuple(x.shape)}; it "
                f"must be {wanted}"
            )
        return state

    def _sides(self, x: Array, h: Array) -> tuple[Array, Array]:
        return linear(x, self.weight_ih, bias=self.bias_ih), linear(h, self.weight_hh, bias=self.bias_hh)


class RNNCell(_Cell):
    """One step of `RNN`, `tanh(weight_ih @ x + bias_ih + weight_hh @ h + bias_hh)`.

    It takes arrays of the shapes `(N, input_size)` and `(N, hidden_size)`, or vectors.

    Parameters
    ----------
    input_size, hidden_size
        Lengths of the vectors that come in and of the states.
    bias
        Whether there are biases.
    nonlinearity
        `"tanh"` or `"relu"`.
    generator, dtype, device
        As in `Linear`.

    Attributes
    ----------
    weight_ih, weight_hh, bias_ih, bias_hh
        Parameters of the shapes `(1 * hidden_size, input_size)`, `(1 * hidden_size, hidden_size)` and
        `(1 * hidden_size,)`.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> nn.RNNCell(3, 5)(ca.ones((2, 3))).shape
    Shape((2, 5))

    Notes
    -----
    `torch.nn.RNNCell`.
    """

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        bias: bool = True,
        nonlinearity: str = "tanh",
        *,
        generator: Any = None,
        dtype: Any = None,
        device: Any = None,
    ) -> None:
        super().__init__(1, input_size, hidden_size, bias, generator, dtype, device)
        self.nonlinearity = one_of("RNNCell", "nonlinearity", nonlinearity, ("tanh", "relu"))

    def forward(self, x: Array, hx: Array | None = None, /) -> Array:
        """Return the new hidden state."""
        one, other = self._sides(x, self._zeros(x) if hx is None else self._fitting(x, _one_state(self, hx)))
        return tanh(one + other) if self.nonlinearity == "tanh" else relu(one + other)


class LSTMCell(_Cell):
    """One step of `LSTM`: `c = sigmoid(f) * c + sigmoid(i) * tanh(g)` and `h = sigmoid(o) * tanh(c)`.

    It takes arrays of the shapes `(N, input_size)` and `(N, hidden_size)`, or vectors.

    Parameters
    ----------
    input_size, hidden_size
        Lengths of the vectors that come in and of the states.
    bias
        Whether there are biases.
    generator, dtype, device
        As in `Linear`.

    Attributes
    ----------
    weight_ih, weight_hh, bias_ih, bias_hh
        Parameters of the shapes `(4 * hidden_size, input_size)`, `(4 * hidden_size, hidden_size)` and
        `(4 * hidden_size,)`.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> h, c = nn.LSTMCell(3, 5)(ca.ones((2, 3)))
    >>> h.shape, c.shape
    (Shape((2, 5)), Shape((2, 5)))

    Notes
    -----
    `torch.nn.LSTMCell`.
    """

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        bias: bool = True,
        *,
        generator: Any = None,
        dtype: Any = None,
        device: Any = None,
    ) -> None:
        super().__init__(4, input_size, hidden_size, bias, generator, dtype, device)

    def forward(self, x: Array, hx: tuple[Array, Array] | None = None, /) -> tuple[Array, Array]:
        """Return the new hidden and cell states."""
        if hx is None:
            h, c = self._zeros(x), self._zeros(x)
        else:
            h, c = (self._fitting(x, state) for state in _two_states(self, hx))
        one, other = self._sides(x, h)
        i, f, g, o = split(one + other, 4, axis=-1)
        c = sigmoid(f) * c + sigmoid(i) * tanh(g)
        return sigmoid(o) * tanh(c), c


class GRUCell(_Cell):
    """One step of `GRU`: `h = (1 - z) * n + z * h` with an update gate z and a new state n.

    It takes arrays of the shapes `(N, input_size)` and `(N, hidden_size)`, or vectors.

    Parameters
    ----------
    input_size, hidden_size
        Lengths of the vectors that come in and of the states.
    bias
        Whether there are biases.
    generator, dtype, device
        As in `Linear`.

    Attributes
    ----------
    weight_ih, weight_hh, bias_ih, bias_hh
        Parameters of the shapes `(3 * hidden_size, input_size)`, `(3 * hidden_size, hidden_size)` and
        `(3 * hidden_size,)`.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> nn.GRUCell(3, 5)(ca.ones((2, 3))).shape
    Shape((2, 5))

    Notes
    -----
    `torch.nn.GRUCell`.
    """

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        bias: bool = True,
        *,
        generator: Any = None,
        dtype: Any = None,
        device: Any = None,
    ) -> None:
        super().__init__(3, input_size, hidden_size, bias, generator, dtype, device)

    def forward(self, x: Array, hx: Array | None = None, /) -> Array:
        """Return the new hidden state."""
        h = self._zeros(x) if hx is None else self._fitting(x, _one_state(self, hx))
        one, other = self._sides(x, h)
        (a, b, c), (d, e, f) = split(one, 3, axis=-1), split(other, 3, axis=-1)
        new = tanh(c + sigmoid(a + d) * f)
        update = sigmoid(b + e)
        return (1.0 - update) * new + update * h
