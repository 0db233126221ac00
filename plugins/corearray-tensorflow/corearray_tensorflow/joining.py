"""Apart again what stood side by side."""

from __future__ import annotations

from typing import Any

from corearray.plugin import hookimpl
from corearray_tensorflow.native import raw_ops


def _is_divided(x: Any, indices_or_sections: Any, axis: Any) -> bool:
    """Guard for parts of one length: of others TensorFlow needs all the lengths."""
    if type(indices_or_sections) is not int or type(axis) is not int or not -x.shape.rank <= axis < x.shape.rank:
        return False
    length = x.shape[axis]
    return length is not None and indices_or_sections > 0 and length % indices_or_sections == 0


@hookimpl(when=_is_divided)
def array_split(x: Any, indices_or_sections: Any, /, *, axis: int = 0) -> Any:
    return tuple(raw_ops.Split(axis=axis, value=x, num_split=indices_or_sections))


def _has_unknown_length(x: Any, indices_or_sections: Any, axis: Any) -> bool:
    """Guard for what TensorFlow compiles for several lengths: it looks itself whether they can be divided."""
    if type(indices_or_sections) is not int or type(axis) is not int or not -x.shape.rank <= axis < x.shape.rank:
        return False
    return x.shape[axis] is None and indices_or_sections > 0


@hookimpl(when=_has_unknown_length)
def split(x: Any, indices_or_sections: Any, /, *, axis: int = 0) -> Any:
    return tuple(raw_ops.Split(axis=axis, value=x, num_split=indices_or_sections))
