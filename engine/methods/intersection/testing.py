"""Cell against cell: two-sided tests with Holm's correction."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.base.watch import Watch
from engine.fairness.tests import fisher_exact, holm, newcombe, two_proportion_z
from engine.messages import say

from .cells import CellCounts

MOST_PAIRS = 100
"""With more pairs of cells than this, only those with the reference are tested."""
EXACT_BELOW = 2000
"""Up to this many people in both cells Fisher's exact test is made, above it the z test."""


def compare_cells(
    *,
    counts: CellCounts,
    judged: NDArray[np.bool_],
    reference: int | None,
    watch: Watch,
    confidence: float = 0.95,
) -> dict[str, Any]:
    """Test each cell against the reference, and the judged cells against each other.

    The two families are corrected apart, each over the tests really made (empty cells are none).
    Weighted and soft counts have no exact test: they are tested by z at Kish's sizes.

    Returns
    -------
    dict
        ``against_reference`` and ``pairs``: lists of ``cell``, ``other``, ``difference`` (with
        Newcombe's interval), ``test``, ``p``, ``p_adjusted``.
    """
    filled = [i for i in range(len(judged)) if counts.rows[i] > 0 and counts.weight[i] > 0]
    against: list[tuple[int, int | None]] = []
    if reference is not None and reference in filled:
        against = [(i, reference) for i in filled if i != reference]
    able = [i for i in filled if judged[i]]
    possible = len(able) * (len(able) - 1) // 2
    pairs: list[tuple[int, int | None]] = []
    untested = ""
    if possible > MOST_PAIRS:
        untested = say("intersection.many_pairs", n=possible, most=MOST_PAIRS)
    else:
        pairs = list(combinations(able, 2))
    return {
        "against_reference": _family(counts, against, watch, confidence),
        "pairs": _family(counts, pairs, watch, confidence),
        "correction": "Holm",
        "pairs_reason": untested,
    }


def _family(
    counts: CellCounts,
    pairs: Sequence[tuple[int, int | None]],
    watch: Watch,
    confidence: float,
) -> list[dict[str, Any]]:
    keys = counts.keys
    kish = counts.kish
    exact = not (counts.soft or counts.weighted)
    found: list[dict[str, Any]] = []
    for place, (i, j) in enumerate(pairs):
        assert j is not None
        if place % 50 == 0:
            watch.check()
        n = (float(kish[i]), float(kish[j]))
        rates = [float(counts.favourable[k] / counts.weight[k]) for k in (i, j)]
        good = (rates[0] * n[0], rates[1] * n[1])
        if exact and sum(n) <= EXACT_BELOW:
            test, p = "Fisher's exact test", fisher_exact(favourable=good, n=n)
        else:
            test, p = "two-proportion z", two_proportion_z(favourable=good, n=n)[1]
        ends = newcombe(favourable=good, n=n, confidence=confidence)
        found.append(
            {
                "cell": keys[i],
                "other": keys[j],
                "difference": rates[0] - rates[1],
                "low": None if ends is None else ends[0],
                "high": None if ends is None else ends[1],
                "test": test,
                "p": p,
            }
        )
    for one, p in zip(found, holm([one["p"] for one in found]), strict=True):
        one["p_adjusted"] = p
    return found
