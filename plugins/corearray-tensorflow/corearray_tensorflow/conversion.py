"""Keras layers made of corearray's modules."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from corearray.plugin import hookimpl


@hookimpl
def framework_modules() -> Any:
    return {"to_keras": _layer}


def _layer(pure: Any) -> Any:
    """Make the layer; the class is made here, because Keras is optional."""
    try:
        import keras
    except ImportError as error:
        raise ImportError("'to_keras' needs Keras; install it by `pip install keras`") from error
    if keras.backend.backend() != "tensorflow":
        raise ImportError(
            f"'to_keras' needs Keras on TensorFlow, and it runs on {keras.backend.backend()}; set KERAS_BACKEND=tensorflow "
            "before it is imported"
        )

    class Converted(keras.layers.Layer):  # type: ignore[misc, name-defined]
        """A module of corearray's as a layer; names of weights have underscores for dots."""

        def __init__(self) -> None:
            super().__init__(name=None)
            self._pure = pure
            self._groups = [
                [self._weight(name, x, trainable) for name, x in arrays.items()]
                for arrays, trainable in ((pure.parameters, True), (pure.frozen, False), (pure.buffers, False))
            ]
            self.built = True

        def _weight(self, name: str, x: Any, trainable: bool) -> Any:
            return self.add_weight(
                shape=tuple(x.shape), dtype=x.dtype.name, trainable=trainable, name=name.replace(".", "_"),
                initializer=lambda shape, dtype=None: x,
            )  # fmt: skip

        def call(self, inputs: Any, *others: Any, training: bool | None = None, **named: Any) -> Any:
            groups = [[tf.convert_to_tensor(x.value) for x in group] for group in self._groups]
            value, after = self._pure(*groups, bool(training), (inputs, *others), named)
            if training:
                for weight, old, new in zip(self._groups[2], groups[2], after, strict=True):
                    if new is not old:
                        weight.assign(new)
            return value

    Converted.__name__ = pure.name
    return Converted()
