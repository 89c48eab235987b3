"""What is counted by period and crossing, and each period set against the level."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from engine.fairness.measure import measure
from engine.fairness.tests import newcombe, two_proportion_z, wilson
from engine.messages import say
from engine.plan.model import Plan

from .drift import Drawn, calibration, mean_change, score_drift, unusable
from .people import Floats, Watched
from .rules import Level, stability_parts


class Counts:
    """Counts by period and crossing, shape (periods, cells).

    ``people`` are applicants: shares by weight, brought to the number of people that the weights
    of the period are worth; ``rows`` rows of them. ``n`` and ``good`` are those with a known
    decision and the favourable of them, at the effective size of each crossing; ``overall`` and
    ``overall_n``, shape (periods,), the rate of everybody and its effective size.
    """

    def __init__(self, watched: Watched) -> None:
        self.watched = watched
        sample, weight = watched.sample, watched.weight
        everybody = np.ones(len(sample), dtype=bool)
        known = watched.favourable >= 0
        self.rows = watched.sums(None, everybody)
        mass = watched.sums(weight, everybody)
        self.people = mass * self._worth(mass, everybody)[:, None]
        total = watched.sums(weight, known)
        self.n = self._effective(total, known)
        favourable = watched.sums(weight * (watched.favourable == 1), known)
        rate = np.divide(favourable, total, out=np.zeros_like(total), where=total > 0)
        self.good = rate * self.n
        self.known_rows = watched.sums(None, known)
        self.overall_n = total.sum(axis=1) * self._worth(total, known)
        self.overall = np.divide(
            favourable.sum(axis=1), total.sum(axis=1),
            out=np.full(len(total), np.nan), where=total.sum(axis=1) > 0,
        )  # fmt: skip

    def _worth(self, mass: Floats, use: NDArray[np.bool_]) -> Floats:
        """What brings the weights of each period to the people they are worth (Kish's size)."""
        watched = self.watched
        if watched.sample.weight is None:
            return np.ones(len(mass))
        total, squares = mass.sum(axis=1), watched.sums(watched.weight**2, use).sum(axis=1)
        found: Floats = np.divide(total, squares, out=np.ones(len(mass)), where=squares > 0)
        return found

    def _effective(self, mass: Floats, use: NDArray[np.bool_]) -> Floats:
        watched = self.watched
        if watched.sample.weight is None and not watched.soft:
            return mass
        if watched.soft:  # the square of weight times probability
            squares = np.zeros_like(mass)
            place = watched.periods.place
            here = use & (place >= 0)
            for i in range(mass.shape[1]):
                w = (watched.weight * watched.belongs[:, i])[here]
                squares[:, i] = np.bincount(place[here], w * w, minlength=mass.shape[0])
        else:
            squares = watched.sums(watched.weight**2, use)
        kish = np.divide(mass**2, squares, out=np.zeros_like(mass), where=squares > 0)
        return np.minimum(kish, mass) if watched.sample.weight is None else kish


def composition_of(before: Floats, now: Floats, smooth: bool) -> dict[str, Any]:
    """Stability index and chi-square of who applies, always together."""
    parts, added = stability_parts(before=before, now=now, smooth=smooth)
    psi = float(parts.sum())
    seen = (before + now) > 0
    table = np.vstack([before[seen], now[seen]])
    chi2 = p = expected = None
    df = 0
    reason = ""
    if table.shape[1] > 1 and (table.sum(axis=1) > 0).all():
        test = stats.chi2_contingency(table, correction=False)
        chi2, p, df = float(test.statistic), min(1.0, float(test.pvalue)), int(test.dof)
        expected = float(test.expected_freq.min())
    else:
        reason = say("monitoring.no_composition")
    if not np.isfinite(psi):
        reason = reason or say("monitoring.psi_empty")
    return {
        "psi": psi if np.isfinite(psi) else None,
        "psi_smoothing": "half a person" if added else "none",
        "psi_reason": reason,
        "chi2": chi2,
        "chi2_df": df,
        "chi2_p": p,
        "chi2_min_expected": expected,
        "parts": [float(v) if np.isfinite(v) else None for v in parts],
    }


def share_p(before: Floats, now: Floats, i: int) -> float | None:
    """Chi-square p of one crossing's share of the applicants."""
    table = np.array([[before[i], before.sum() - before[i]], [now[i], now.sum() - now[i]]])
    if (table.sum(axis=0) <= 0).any() or (table.sum(axis=1) <= 0).any():
        return None
    return min(1.0, float(stats.chi2_contingency(table, correction=False).pvalue))


def change_of(level: Level, work: Counts, p: int, i: int, confidence: float) -> dict[str, Any]:
    """Rate now less the level, with Newcombe's interval, z and p."""
    now, n = float(work.good[p, i]), float(work.n[p, i])
    before, rate = float(level.n[i]), float(level.rate[i])
    if n <= 0 or not np.isfinite(rate) or before <= 0:
        reason = say("monitoring.no_change", cell=work.watched.words[i])
        return {**measure(None, verdict="not computable", reason=reason), "z": None, "p": None}
    if not np.isfinite(before):  # a level that was given without its people
        ends = wilson(favourable=now, n=n, confidence=confidence)
        assert ends is not None
        low, high = ends[0] - rate, ends[1] - rate
        spread = np.sqrt(rate * (1 - rate) / n)
        z = (now / n - rate) / spread if spread > 0 else None
        p_value = None if z is None else min(1.0, float(2 * stats.norm.sf(abs(z))))
        return {**measure(now / n - rate, low, high, n_unprivileged=round(n)),
                "z": None if z is None else float(z), "p": p_value}  # fmt: skip
    pair, sizes = (now, rate * before), (n, before)
    both = newcombe(favourable=pair, n=sizes, confidence=confidence)
    assert both is not None
    z_value, p_value = two_proportion_z(favourable=pair, n=sizes)
    return {
        **measure(now / n - rate, both[0], both[1], None, "", round(n), round(before)),
        "z": z_value,
        "p": p_value,
    }


def scores_of(work: Counts, level: Level, first: int, plan: Plan, smooth: bool) -> dict[str, Any]:
    """Drift of scores and calibration by period, over everybody and by crossing."""
    watched = work.watched
    sample, place = watched.sample, watched.periods.place
    names, keys = watched.periods.names, watched.keys
    score, outcome = sample.score, sample.outcome
    nothing: dict[str, Any] = {
        "drift": [_not_checked(say("monitoring.no_score"))] * len(names),
        "cells": {key: [None] * len(names) for key in keys},
        "calibration": [_not_checked(unusable(score, outcome) or "-")] * len(names),
        "calibrated": {key: [None] * len(names) for key in keys},
    }
    if score is None:
        return nothing
    known = np.isfinite(score) & (place >= 0)

    def people(use: NDArray[np.bool_], cell: int | None = None) -> Drawn:
        """Scores of people, each counted by weight and by the probability of belonging."""
        share = sample.weight
        if cell is not None:
            use = use & _inside(watched, cell)
            if watched.soft:
                belongs = watched.belongs[:, cell]
                share = belongs if share is None else share * belongs
        return Drawn(score[use], None if share is None else share[use])

    before = known & (place < first)
    confidence = plan.confidence
    found = dict(nothing)
    found["drift"] = [
        score_drift(
            before=people(before), now=people(known & (place == p)), confidence=confidence,
            smooth=smooth,
        )
        for p in range(len(names))
    ]  # fmt: skip
    found["cells"] = {
        key: [
            mean_change(
                before=people(before, i), now=people(known & (place == p), i),
                confidence=confidence, what=f"score among {watched.words[i]}",
            )
            for p in range(len(names))
        ]
        for i, key in enumerate(keys)
    }  # fmt: skip
    if unusable(score, outcome):
        return found
    assert outcome is not None
    told = known & (outcome >= 0)
    miss = score - outcome

    def calibrated(p: int, cell: int | None = None) -> dict[str, Any]:
        use = told & (place == p)
        shown = people(use, cell)
        rows = use if cell is None else use & _inside(watched, cell)
        return calibration(people=shown, miss=miss[rows], confidence=confidence)

    found["calibration"] = [calibrated(p) for p in range(len(names))]
    found["calibrated"] = {
        key: [calibrated(p, i) for p in range(len(names))] for i, key in enumerate(keys)
    }
    return found


def _inside(watched: Watched, cell: int) -> NDArray[np.bool_]:
    """Who may belong to a crossing."""
    inside = watched.belongs[:, cell] > 0 if watched.soft else watched.belongs == cell
    return np.asarray(inside, dtype=bool)


def _not_checked(reason: str) -> dict[str, Any]:
    return {"change": measure(None, verdict="not checked", reason=reason), "reason": reason}
