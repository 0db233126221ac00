"""Initial values of variables: `tf.zeros_initializer` and others."""

from __future__ import annotations

from typing import Any

__all__ = ["classes"]


def classes(tf: Any) -> dict[str, Any]:
    """Return the classes of initial values of one frontend."""

    class zeros_initializer:  # noqa: N801  TensorFlow's name
        """Zeros."""

        def __call__(self, shape: Any, dtype: Any = "float32", **_: Any) -> Any:
            """Return zeros of a shape."""
            return tf.zeros(shape, dtype)

    class ones_initializer:  # noqa: N801  TensorFlow's name
        """Ones."""

        def __call__(self, shape: Any, dtype: Any = "float32", **_: Any) -> Any:
            """Return ones of a shape."""
            return tf.ones(shape, dtype)

    class constant_initializer:  # noqa: N801  TensorFlow's name
        """One value, or given ones."""

        def __init__(self, value: Any = 0, support_partition: bool = False) -> None:
            self.value = value

        def __call__(self, shape: Any, dtype: Any = None, **_: Any) -> Any:
            """Return the value in a shape."""
            return tf.constant(self.value, dtype=dtype, shape=shape)

    class random_normal_initializer:  # noqa: N801  TensorFlow's name
        """Random numbers of the normal distribution."""

        def __init__(self, mean: float = 0.0, stddev: float = 0.05, seed: Any = None) -> None:
            self.mean, self.stddev = mean, stddev

        def __call__(self, shape: Any, dtype: Any = "float32", **_: Any) -> Any:
            """Return numbers of a shape."""
            return tf.random.normal(shape, self.mean, self.stddev, dtype)

    class random_uniform_initializer:  # noqa: N801  TensorFlow's name
        """Random numbers from a range."""

        def __init__(self, minval: float = -0.05, maxval: float = 0.05, seed: Any = None) -> None:
            self.minval, self.maxval = minval, maxval

        def __call__(self, shape: Any, dtype: Any = "float32", **_: Any) -> Any:
            """Return numbers of a shape."""
            return tf.random.uniform(shape, self.minval, self.maxval, dtype)

    kinds = (
        zeros_initializer,
        ones_initializer,
        constant_initializer,
        random_normal_initializer,
        random_uniform_initializer,
    )
    return {kind.__name__: kind for kind in kinds}
