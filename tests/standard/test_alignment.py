"""Connectionist temporal classification against the sum over all alignments, one by one."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
import scipy.special
from standard.support import array, be, check, covers, needs_derivatives, numpy_of

import corearray as ca

T, N, C = 4, 5, 3
RANDOM = np.random.default_rng(2)
SCORES = scipy.special.log_softmax(RANDOM.normal(size=(T, N, C)), axis=2)
#: In the order of the sequences: two labels, a label twice, none, too many for the input, and a short input.
TARGETS = np.asarray([[1, 2, 0], [1, 1, 2], [2, 1, 1], [1, 1, 1], [2, 0, 0]])
TARGET_LENGTHS = np.asarray([2, 2, 0, 3, 1])
INPUT_LENGTHS = np.asarray([4, 3, 2, 4, 1])


def _by_enumeration(scores, labels, blank):
    total = 0.0
    for path in itertools.product(range(C), repeat=len(scores)):
        merged = [label for label, _ in itertools.groupby(path) if label != blank]
        if merged == list(labels):
            total += np.exp(sum(scores[t, c] for t, c in enumerate(path)))
    with np.errstate(divide="ignore"):
        return -np.log(total)


def _expected(blank, targets):
    return np.asarray(
        [_by_enumeration(SCORES[: INPUT_LENGTHS[n], n], targets[n, : TARGET_LENGTHS[n]], blank) for n in range(N)]
    )


@covers("ctc_loss")
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("blank", [0, 2])
def test_all_alignments(dtype, blank):
    targets = TARGETS if blank == 0 else 2 - TARGETS
    want = _expected(blank, targets)
    assert np.isinf(want[3])
    assert np.isfinite(want[[0, 1, 2, 4]]).all()
    given = [array(x) for x in (SCORES.astype(dtype), targets, INPUT_LENGTHS, TARGET_LENGTHS)]
    got = be.ctc_loss(*given, blank=blank, reduction="none")
    check(("ctc_loss", blank), got, want, dtype, factor=20, scale=10.0)
    zeroed = np.where(np.isinf(want), 0.0, want)
    for reduction, wanted in (
        ("none", zeroed),
        ("sum", zeroed.sum()),
        ("mean", (zeroed / np.maximum(TARGET_LENGTHS, 1)).mean()),
    ):
        got = be.ctc_loss(*given, blank=blank, reduction=reduction, zero_infinity=True)
        check(("ctc_loss", blank, reduction), got, np.asarray(wanted), dtype, factor=20, scale=10.0)


@covers("ctc_loss")
def test_targets_without_labels():
    scores = array(SCORES[:, :2])
    lengths = array(np.asarray([4, 2]))
    got = be.ctc_loss(scores, be.zeros((2, 0), dtype=be.int64), lengths, be.zeros(2, dtype=be.int64), reduction="none")
    check("ctc_loss", got, np.asarray([-SCORES[:, 0, 0].sum(), -SCORES[:2, 1, 0].sum()]), "float64", factor=10)


@needs_derivatives
@covers("ctc_loss")
def test_the_derivative_is_finite():
    """Of targets that do not fit too, where it is zero; of the others it is that of differences."""
    rest = [array(x) for x in (TARGETS, INPUT_LENGTHS, TARGET_LENGTHS)]
    with ca.backend_context(be):
        for zero_infinity in (False, True):

            def loss(x, zero_infinity=zero_infinity):
                return ca.sum(ca.ctc_loss(x, *rest, reduction="none", zero_infinity=zero_infinity)[:3])

            slopes = numpy_of(ca.grad(loss)(array(SCORES)))
            assert np.isfinite(slopes).all()
            assert not slopes[:, 3].any()
            for place in ((0, 0, 1), (2, 1, 0), (3, 0, 2), (3, 1, 1)):
                moved = [np.array(SCORES), np.array(SCORES)]
                for x, step in zip(moved, (1e-6, -1e-6), strict=True):
                    x[place] += step
                difference = (float(loss(array(moved[0]))) - float(loss(array(moved[1])))) / 2e-6
                np.testing.assert_allclose(slopes[place], difference, rtol=1e-5, atol=1e-7)


@pytest.mark.parametrize(
    ("error", "words", "options"),
    [
        (ValueError, "blank=3", {"blank": 3}),
        (ValueError, "reduction", {"reduction": "all"}),
        (ValueError, "log_probs of shape", {"x": np.ones((4, 5))}),
        (ValueError, "targets of shape", {"targets": np.ones((4, 2), "int64")}),
        (TypeError, "targets of dtype", {"targets": np.ones((5, 2))}),
        (ValueError, "input_lengths of shape", {"inputs": np.ones(4, "int64")}),
        (TypeError, "target_lengths of dtype", {"lengths": np.ones(5)}),
    ],
)
def test_what_does_not_fit_is_refused(error, words, options):
    given = {"x": SCORES, "targets": TARGETS, "inputs": INPUT_LENGTHS, "lengths": TARGET_LENGTHS}
    given |= {name: value for name, value in options.items() if name in given}
    with pytest.raises(error, match=words):
        be.ctc_loss(*map(array, given.values()), **{k: v for k, v in options.items() if k not in given})
