"""Scores and calibration of one period against the level."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from engine.base.wording import count
from engine.fairness.counts import kish
from engine.fairness.measure import measure
from engine.messages import say

from .rules import stability

Floats = NDArray[np.float64]
BINS = 10


@dataclass(frozen=True)
class Drawn:
    """Values of people and how far each counts (None: one each)."""

    values: Floats
    weight: Floats | None = None

    def __len__(self) -> int:
        return len(self.values)

    @property
    def size(self) -> float:
        """Kish's size."""
        if self.weight is None:
            return float(len(self.values))
        return kish(float(self.weight.sum()), float((self.weight**2).sum()))

    def mean(self, values: Floats | None = None) -> float:
        """The weighted mean of the values, or of others of the same people."""
        return float(np.average(self.values if values is None else values, weights=self.weight))

    def error(self, values: Floats | None = None) -> float | None:
        """Its standard error; None where fewer than two people count."""
        found, size = self.values if values is None else values, self.size
        if size <= 1:
            return None
        share = np.full(len(found), 1 / len(found)) if self.weight is None else self.weight / self.weight.sum()  # fmt: skip
        spread = float((share**2 * (found - self.mean(found)) ** 2).sum())
        return math.sqrt(spread * size / (size - 1))

    def counted(self, place: NDArray[np.intp], bins: int) -> Floats:
        """People by bin, together as many as they are worth."""
        found = np.bincount(place, self.weight, minlength=bins).astype(np.float64)
        return found * self.size / found.sum() if found.sum() > 0 else found


def score_drift(*, before: Drawn, now: Drawn, confidence: float, smooth: bool) -> dict[str, Any]:
    """How the scores of a period differ from those at the start.

    Parameters
    ----------
    before, now : Drawn
        Known scores.

    Returns
    -------
    dict
        ``change`` of the mean (measure), ``psi`` over the tenths of the first scores, ``ks`` and
        ``ks_p`` (Kolmogorov and Smirnov, two samples; weighted people at Kish's sizes),
        ``smoothing``.
    """
    change = mean_change(before=before, now=now, confidence=confidence, what="score")
    found: dict[str, Any] = {"change": change, "psi": None, "ks": None, "ks_p": None, "smoothing": "none"}  # fmt: skip
    if change["value"] is None:
        return found
    edges = np.unique(np.quantile(before.values, np.arange(1, BINS) / BINS))
    counts = [
        one.counted(np.searchsorted(edges, one.values, side="right"), len(edges) + 1)
        for one in (before, now)
    ]
    psi, added = stability(before=counts[0], now=counts[1], smooth=smooth)
    statistic, p = _kolmogorov(before, now)
    found |= {
        "psi": float(psi) if np.isfinite(psi) else None,
        "ks": statistic,
        "ks_p": p,
        "smoothing": "half a person" if added else "none",
    }
    return found


def _kolmogorov(before: Drawn, now: Drawn) -> tuple[float, float]:
    """The largest distance of the two distributions, and its p for many people."""
    if before.weight is None and now.weight is None:
        test = stats.ks_2samp(before.values, now.values, method="asymp")
        return float(test.statistic), min(1.0, float(test.pvalue))
    values = np.unique(np.concatenate([before.values, now.values]))
    shares = []
    for one in (before, now):
        mass = np.bincount(np.searchsorted(values, one.values), one.weight, minlength=len(values))
        shares.append(np.cumsum(mass) / mass.sum())
    statistic = float(np.abs(shares[0] - shares[1]).max())
    together = before.size * now.size / (before.size + now.size)
    return statistic, min(1.0, float(stats.kstwo.sf(statistic, max(1, round(together)))))


def mean_change(*, before: Drawn, now: Drawn, confidence: float, what: str) -> dict[str, Any]:
    """Mean now less mean before, with a normal interval; no interval from fewer than two."""
    for part, when in ((before, "before"), (now, "now")):
        if part.size <= 0:
            reason = say(f"monitoring.nobody_{when}", what=what)
            return measure(None, verdict="not computable", reason=reason, n_unprivileged=len(now), n_privileged=len(before))  # fmt: skip
    value = now.mean() - before.mean()
    low = high = None
    errors = (before.error(), now.error())
    if errors[0] is not None and errors[1] is not None:
        half = float(stats.norm.isf((1 - confidence) / 2)) * math.hypot(errors[0], errors[1])
        low, high = value - half, value + half
    return measure(value, low, high, None, "", len(now), len(before))


def calibration(*, people: Drawn, miss: Floats, confidence: float) -> dict[str, Any]:
    """Mean score less the observed rate in one period, and the mean miss over ten bins.

    Parameters
    ----------
    people : Drawn
        Probabilities, where outcome is known.
    miss : float array
        Each person's probability less the outcome, 1 or 0.
    """
    n = len(people)
    error = people.error(miss) if n > 1 else None
    if error is None:
        reason = say("monitoring.few_outcomes", n=count(n))
        return {"offset": measure(None, verdict="not computable", reason=reason), "ece": None, "n": n}  # fmt: skip
    half = float(stats.norm.isf((1 - confidence) / 2)) * error
    place = np.minimum((people.values * BINS).astype(int), BINS - 1)
    mass = np.ones(n) if people.weight is None else people.weight
    ece = float(np.abs(np.bincount(place, mass * miss, minlength=BINS)).sum() / mass.sum())
    offset = people.mean(miss)
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
