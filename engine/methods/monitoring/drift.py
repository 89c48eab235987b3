"""Scores and calibration of one period against the level."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from engine.base.wording import count
from engine.fairness.measure import measure
from engine.messages import say

from .rules import stability

Floats = NDArray[np.float64]
BINS = 10


def score_drift(*, before: Floats, now: Floats, confidence: float, smooth: bool) -> dict[str, Any]:
    """How the scores of a period differ from those at the start.

    Parameters
    ----------
    before, now : float array
        Known scores.

    Returns
    -------
    dict
        ``change`` of the mean (measure), ``psi`` over the tenths of the first scores, ``ks`` and
        ``ks_p`` (Kolmogorov and Smirnov, two samples), ``smoothing``.
    """
    change = mean_change(before=before, now=now, confidence=confidence, what="score")
    found: dict[str, Any] = {"change": change, "psi": None, "ks": None, "ks_p": None, "smoothing": "none"}  # fmt: skip
    if change["value"] is None:
        return found
    edges = np.unique(np.quantile(before, np.arange(1, BINS) / BINS))
    counts = [np.bincount(np.searchsorted(edges, s, side="right"), minlength=len(edges) + 1) for s in (before, now)]  # fmt: skip
    psi, added = stability(before=counts[0].astype(float), now=counts[1].astype(float), smooth=smooth)  # fmt: skip
    test = stats.ks_2samp(before, now, method="asymp")
    found |= {
        "psi": float(psi) if np.isfinite(psi) else None,
        "ks": float(test.statistic),
        "ks_p": min(1.0, float(test.pvalue)),
        "smoothing": "half a person" if added else "none",
    }
    return found


def mean_change(*, before: Floats, now: Floats, confidence: float, what: str) -> dict[str, Any]:
    """Mean now less mean before, with a normal interval; no interval from fewer than two."""
    for part, when in ((before, "before"), (now, "now")):
        if not len(part):
            reason = say(f"monitoring.nobody_{when}", what=what)
            return measure(None, verdict="not computable", reason=reason, n_unprivileged=len(now), n_privileged=len(before))  # fmt: skip
    value = float(now.mean() - before.mean())
    low = high = None
    if min(len(before), len(now)) > 1:
        half = float(stats.norm.isf((1 - confidence) / 2)) * float(
            np.sqrt(before.var(ddof=1) / len(before) + now.var(ddof=1) / len(now))
        )
        low, high = value - half, value + half
    return measure(value, low, high, None, "", len(now), len(before))


def calibration(*, score: Floats, outcome: NDArray[np.int8], confidence: float) -> dict[str, Any]:
    """Mean score less the observed rate in one period, and the mean miss over ten bins.

    Parameters
    ----------
    score : float array
        Probabilities, where outcome is known.
    outcome : int8 array
        1 or 0.
    """
    n = len(score)
    if n < 2:
        reason = say("monitoring.few_outcomes", n=count(n))
        return {"offset": measure(None, verdict="not computable", reason=reason), "ece": None, "n": n}  # fmt: skip
    miss = score - outcome
    half = float(stats.norm.isf((1 - confidence) / 2)) * float(miss.std(ddof=1)) / np.sqrt(n)
    place = np.minimum((score * BINS).astype(int), BINS - 1)
    ece = float(np.abs(np.bincount(place, miss, minlength=BINS)).sum() / n)
    offset = float(miss.mean())
    return {"offset": measure(offset, offset - half, offset + half, None, "", n, 0), "ece": ece, "n": n}  # fmt: skip


def unusable(score: Floats | None, outcome: NDArray[np.int8] | None) -> str:
    """Why calibration is not checked; empty where it can be."""
    if score is None:
        return say("monitoring.no_score")
    if outcome is None:
        return say("monitoring.no_outcome")
    known = score[np.isfinite(score)]
    if not len(known) or known.min() < 0 or known.max() > 1:
        return say("monitoring.no_probability")
    return ""
