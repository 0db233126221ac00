"""What takes more than the limits of the benchmarks, as data: by how much, since which versions, and why."""

from __future__ import annotations

from typing import NamedTuple

from corearray.plugin import matches


class Excess(NamedTuple):
    """A call that takes more than the limit.

    Attributes
    ----------
    benchmark, row
        Which benchmark, and which of its rows.
    backend, versions
        Which backend, with which versions of its framework.
    limit
        The greatest ratio that is known.
    kind
        `"correction"`: the framework's own function gives another result, and a look tells whether it does; `"python"`: a
        call so short, or so spread over threads, that what is done in Python shows.
    reason
        Why.
    same
        What users of the framework write to have the same result, for a correction: against that the call is held to the limit
        which all others have.
    """

    benchmark: str
    row: str
    backend: str
    versions: str
    limit: float
    kind: str
    reason: str
    same: str = ""


KNOWN = (
    Excess(
        "functions", "gelu", "torch", ">=2.3,<2.14", 1.35, "correction",
        "`torch.nn.functional.gelu` of infinity is NaN for float32 on CPUs, where oneDNN computes it; the sum of the result "
        "tells whether there may be one, and takes as long as the memory is read",
        "(lambda found: found if math.isfinite(found.sum()) else torch.where(x == math.inf, x, found))(F.gelu(x))",
    ),
    Excess(
        "functions", "max_pool2d, channels last", "tensorflow", ">=2.16,<2.22", 1.8, "correction",
        "`MaxPool` passes over NaN and gives the smallest finite number for -infinity; a look tells whether there is one",
        "tf.nn.max_pool2d(x, 2, 2, 'VALID') if np.isfinite(np.min(x)) "
        "else tf.reduce_max(tf.reshape(x, (8, 28, 2, 28, 2, 32)), (2, 4))",
    ),
    Excess(
        "functions", "top_k", "tensorflow", ">=2.16,<2.22", 1.1, "correction",
        "`TopKV2` takes NaN for anything; a look tells whether there is one",
        "tf.math.top_k(x, 50) if np.isfinite(np.min(x)) else ranked(x, 50)",
    ),
    Excess(
        "functions", "qr", "tensorflow", ">=2.16,<2.22", 1.1, "correction",
        "`tf.linalg.qr` squares the elements; a look tells whether squares may be lost",
        "tf.linalg.qr(m) if np.all(np.max(m, (1, 2)) > 1e-9) else scaled_qr(m)",
    ),
    Excess(
        "functions", "conv1d", "jax", ">=0.4.36,<0.11", 1.12, "python",
        "half a µs of Python, in which the threads of XLA fall asleep: the call takes 0.99 to 1.09 from run to run",
    ),
    Excess(
        "large", "take", "jax", ">=0.4.36,<0.11", 1.2, "correction",
        "NumPy looks for indices that are not there, of which JAX makes NaN, on the cores of XLA",
        "take(x, inside(i, x.size))",
    ),
)  # fmt: skip


def known(benchmark: str, row: str, backend: str, framework: str) -> Excess | None:
    """Return what is known of a row of a benchmark, for a backend with a framework such as `"torch 2.13.0"`."""
    version = framework.rpartition(" ")[2]
    for excess in KNOWN:
        if excess[:3] == (benchmark, row, backend) and matches(version, excess.versions):
            return excess
    return None
