"""Correction over everything shown, then the three answers and the paper's own yes or no."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from scipy.stats import norm

from engine.fairness.tests import holm

from .pooled import POWER

DEFINITIONS: Mapping[str, tuple[str, ...]] = {
    "equalised odds": ("TPR", "FPR"),
    "equal opportunity": ("TPR",),
    "treatment equality": ("FN_FP",),
    "comprehensive": ("TPR", "FPR", "FN_FP"),
}
"""The four definitions of paper 002, each with the values that must be equal."""
POOLED = {"TPR": "TPR", "FPR": "FPR", "FN_FP": "FN_share"}
"""The pooled measure that answers for each value of the paper."""
SHOWN, EQUIVALENT, UNDECIDED, NONE = (
    "difference shown",
    "equivalence shown",
    "undecided",
    "not computable",
)


def adjust(entries: Iterable[Mapping[str, Any]], *, level: float) -> dict[str, int]:
    """Holm over everything shown: fold tests, pooled tests and equivalences, of every entry at once.

    Parameters
    ----------
    entries : iterable of dict
        For each algorithm, attribute and class: ``TPR``, ``FPR``, ``FN_FP`` and ``pooled``.
        Laid into the fold tests: ``p_adjusted_all`` (over everything) and ``p_adjusted`` (over the
        fold tests alone, as if the published table stood by itself); into the pooled ones:
        ``careful_p_adjusted`` and ``equivalence_p_adjusted`` (over everything, and what the answers
        rest on), and ``smallest_gap_adjusted`` at the level that the first step of Holm leaves.
    level : float

    Returns
    -------
    dict
        How many tests there are: ``folds``, ``differences``, ``equivalence``, ``all``.
    """
    entries = list(entries)
    folds = [entry[metric] for entry in entries for metric in ("TPR", "FPR", "FN_FP")]
    pooled = [one for entry in entries for one in entry["pooled"].values()]
    shown = [
        *((one, "p", "p_adjusted_all", "folds") for one in folds),
        *((one, "careful_p", "careful_p_adjusted", "differences") for one in pooled),
        *((one, "equivalence_p", "equivalence_p_adjusted", "equivalence") for one in pooled),
    ]
    for one, adjusted in zip(folds, holm([one["p"] for one in folds]), strict=True):
        one["p_adjusted"] = adjusted
    sizes = {"folds": 0, "differences": 0, "equivalence": 0, "all": 0}
    p_values = [one[key] for one, key, *_ in shown]
    for (one, _, out, family), p, adjusted in zip(shown, p_values, holm(p_values), strict=True):
        one[out] = adjusted
        sizes[family] += p is not None
        sizes["all"] += p is not None
    for one in pooled:
        one["smallest_gap_adjusted"] = widened(
            one["smallest_gap"], level=level, tests=max(1, sizes["all"])
        )
    return sizes


def widened(gap: float | None, *, level: float, tests: int) -> float | None:
    """The smallest difference that would show where the level is shared among several tests.

    Examples
    --------
    >>> round(widened(0.081, level=0.05, tests=54), 3)
    0.12
    """
    if gap is None or gap >= 1:
        return gap
    beta = float(norm.isf(1 - POWER))
    return min(1.0, gap * (float(norm.isf(level / tests / 2)) + beta)
               / (float(norm.isf(level / 2)) + beta))  # fmt: skip


def answer(one: Mapping[str, Any], *, level: float) -> str:
    """The answer for one pooled measure after :func:`adjust`.

    With a group of which nothing is known there is no equivalence of all groups.
    """
    if one["value"] is None or one["careful_p_adjusted"] is None:
        return NONE
    if one["careful_p_adjusted"] < level:
        return SHOWN
    return EQUIVALENT if also_small(one, level=level) else UNDECIDED


def also_small(one: Mapping[str, Any], *, level: float) -> bool:
    """Whether a difference that is shown is also shown to lie within the margin."""
    equal = one["equivalence_p_adjusted"]
    return equal is not None and equal < level and not one["not_counted"]


def define(entry: Mapping[str, Any], *, level: float) -> dict[str, Any]:
    """The four definitions: our answer, and the paper's own.

    A difference in any value that a definition needs is a difference; an equivalence needs all.
    ``published`` is true where the paper calls the algorithm unfair (any needed p below the level,
    not corrected), null where none of its tests can be computed.
    """
    found = {}
    for name, needs in DEFINITIONS.items():
        answers = [answer(entry["pooled"][POOLED[m]], level=level) for m in needs]
        if SHOWN in answers:
            word = SHOWN
        elif NONE in answers:
            word = NONE
        elif all(a == EQUIVALENT for a in answers):
            word = EQUIVALENT
        else:
            word = UNDECIDED
        p_values = [entry[m]["p"] for m in needs]
        known = [p for p in p_values if p is not None]
        found[name] = {
            "verdict": word,
            "published": any(p < level for p in known) if known else None,
            "needs": [POOLED[m] for m in needs],
            "published_p": p_values,
        }
    return found
