"""Calibration within groups: bins, expected error, mean score less base rate, Brier score."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.base.wording import count
from engine.fairness.intervals import percentile_interval
from engine.fairness.measure import measure
from engine.messages import say

Floats = NDArray[np.float64]
FEWEST_IN_BIN = 10
"""Bins with fewer people keep their number of people but show no rate."""
EQUAL_WIDTH_FROM = 500
"""From this many people in the smallest group on, bins have equal width."""
PEOPLE_A_BIN = 15
"""Below it, there are so few bins that the smallest group has about this many people in each."""


def edges_of(*, score: Floats, bins: int, binning: str, smallest: float) -> Floats:
    """The inner edges of the bins.

    Parameters
    ----------
    score : float array
        Scores of all people.
    bins : int
    binning : {"auto", "equal width", "equal numbers"}
    smallest : float
        People in the smallest group.

    Examples
    --------
    >>> edges_of(score=np.array([0.5]), bins=4, binning="equal width", smallest=1).tolist()
    [0.25, 0.5, 0.75]
    """
    equal = binning == "equal width" or (binning == "auto" and smallest >= EQUAL_WIDTH_FROM)
    if binning == "auto" and not equal:
        bins = min(bins, max(2, int(smallest) // PEOPLE_A_BIN))
    if equal:
        return np.arange(1, bins) / bins
    return np.unique(np.quantile(score, np.arange(1, bins) / bins))


def calibrate(
    *,
    score: Floats,
    outcome: NDArray[np.int8],
    weight: Floats,
    edges: Floats,
    group: str,
    within: float,
    confidence: float,
    resamples: int,
    rng: np.random.Generator,
) -> dict[str, Any]:
    """Calibration of one group.

    Parameters
    ----------
    score : float array, shape (n,)
        Probabilities of the favourable outcome.
    outcome : int8 array, shape (n,)
        1 or 0.
    weight : float array, shape (n,)
        How far each person counts in the group.
    edges : float array
        Inner edges; a bin holds its lower edge, the last one its upper edge too.
    group : str
        Its name, for reasons.
    within : float
        The expected calibration error up to which calibration holds.
    confidence, resamples, rng
        For the intervals, drawn from the counts of the bins.

    Returns
    -------
    dict
        ``bins`` (``from``, ``to``, ``n``, ``mean_score``, ``observed``), ``ece``,
        ``mean_score_less_base_rate``, ``brier``, ``ece_by_chance`` (what 95 of 100 samples of
        this size stay below where every score is right).

    Source: paper 003; Naeini, Cooper and Hauskrecht (2015) for the expected error.
    """
    bins = len(edges) + 1
    place = np.searchsorted(edges, score, side="right")
    n = np.bincount(place, weight, minlength=bins)
    total_score = np.bincount(place, weight * score, minlength=bins)
    good = np.bincount(place, weight * outcome, minlength=bins)
    rows = np.bincount(place, weight > 0, minlength=bins)
    total = float(n.sum())
    ends = [0.0, *edges.tolist(), 1.0]
    told = []
    for i in range(bins):
        few = rows[i] < FEWEST_IN_BIN
        told.append(
            {
                "from": float(ends[i]),
                "to": float(ends[i + 1]),
                "n": float(n[i]),
                "mean_score": None if few else float(total_score[i] / n[i]),
                "observed": None if few else float(good[i] / n[i]),
                "reason": say("tradeoffs.few_in_bin", n=int(rows[i])) if few else "",
            }
        )
    people = int(rows.sum())
    if total <= 0:
        reason = say("tradeoffs.nobody", group=group)
        return {
            "bins": told,
            "ece": measure(None, verdict="not computable", reason=reason),
            "mean_score_less_base_rate": measure(None, reason=reason),
            "brier": None,
            "brier_reason": reason,
            "ece_by_chance": None,
            "n": 0,
        }
    used = n > 0
    mean = total_score[used] / n[used]
    gap = np.abs(total_score[used] - good[used]).sum() / total
    square = float((weight**2).sum())
    size = max(1, round(total**2 / square))
    drawn = rng.multinomial(size, n[used] / total, size=resamples)
    share = np.clip(good[used] / n[used], 0, 1)
    hits = rng.binomial(drawn, share)
    eces = np.abs(drawn * mean - hits).sum(axis=1) / size
    large = (drawn * mean - hits).sum(axis=1) / size
    expected = np.maximum(1, np.rint(n[used] * size / total)).astype(int)
    right = rng.binomial(expected, np.clip(mean, 0, 1), size=(resamples, int(used.sum())))
    by_chance = np.abs(expected * mean - right).sum(axis=1) / expected.sum()
    ece = percentile_interval(eces, confidence=confidence)
    offset = percentile_interval(large, confidence=confidence)
    value = float(gap)
    low, high = ece.low, ece.high
    if low is not None and high is not None:  # noise alone pushes an error of absolute values up
        low, high = max(0.0, min(value, 2 * value - high)), max(value, high)
    word = "not settled"
    if high is not None and high <= within:
        word = "within"
    elif low is not None and low > within:
        word = "outside"
    return {
        "bins": told,
        "ece": measure(value, low, high, word, "", people, 0),
        "mean_score_less_base_rate": measure(
            float((total_score.sum() - good.sum()) / total),
            offset.low,
            offset.high,
            None,
            "",
            people,
            0,
        ),
        "brier": float((weight * (score - outcome) ** 2).sum() / total),
        "brier_reason": "",
        "ece_by_chance": float(np.quantile(by_chance, 0.95)),
        "n": people,
    }


def unusable(score: Floats | None) -> str:
    """Why scores cannot be read as probabilities; empty where they can."""
    if score is None:
        return say("tradeoffs.no_score")
    known = score[np.isfinite(score)]
    if not len(known):
        return say("tradeoffs.no_score")
    low, high = float(known.min()), float(known.max())
    if low < 0 or high > 1:
        return say("tradeoffs.no_probability", low=f"{low:,.4g}", high=f"{high:,.4g}")
    if set(np.unique(known)) <= {0.0, 1.0}:
        return say("tradeoffs.score_is_decision", n=count(len(known)))
    return ""
