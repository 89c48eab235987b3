"""Correction over everything shown, then the three answers and the paper's own yes or no."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from engine.fairness.tests import holm

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


def adjust(entries: Iterable[Mapping[str, Any]]) -> dict[str, int]:
    """Holm over every test shown: the fold tests, the pooled ones, the equivalences, each family.

    Parameters
    ----------
    entries : iterable of dict
        For each algorithm, attribute and class: ``TPR``, ``FPR``, ``FN_FP`` and ``pooled``;
        ``p_adjusted`` and ``equivalence_p_adjusted`` are laid into them.

    Returns
    -------
    dict
        How many tests each family holds.
    """
    entries = list(entries)
    folds = [entry[metric] for entry in entries for metric in ("TPR", "FPR", "FN_FP")]
    pooled = [one for entry in entries for one in entry["pooled"].values()]
    sizes = {}
    for name, family, p, out in (
        ("folds", folds, "p", "p_adjusted"),
        ("pooled", pooled, "p", "p_adjusted"),
        ("careful", pooled, "careful_p", "careful_p_adjusted"),
        ("equivalence", pooled, "equivalence_p", "equivalence_p_adjusted"),
    ):
        found = holm([one.get(p) for one in family])
        for one, adjusted in zip(family, found, strict=True):
            one[out] = adjusted
        sizes[name] = sum(1 for p_found in found if p_found is not None)
    return sizes


def answer(one: Mapping[str, Any], *, level: float) -> str:
    """The answer for one pooled measure after :func:`adjust`.

    With a group of which nothing is known there is no equivalence of all groups.
    """
    if one["value"] is None or one["careful_p_adjusted"] is None:
        return NONE
    if one["careful_p_adjusted"] < level:
        return SHOWN
    equal = one["equivalence_p_adjusted"]
    if equal is not None and equal < level and not one["not_counted"]:
        return EQUIVALENT
    return UNDECIDED


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
