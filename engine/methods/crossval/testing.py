"""One algorithm and one attribute: its counts by fold, every test of them, the pooled measures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.cohort.model import Attribute
from engine.fairness.counts import count_table
from engine.fairness.intervals import generator
from engine.fairness.tests import wilson
from engine.messages import say
from engine.plan.model import Plan

from .folds import bare_folds
from .foldtests import (
    Floats,
    anova,
    equivalence_t,
    friedman,
    independent_t,
    kruskal,
    paired_t,
    rates_of,
)
from .people import People, as_two
from .pooled import pooled
from .running import Decided
from .settings import ALGORITHM, PER_GROUP

VALUES = ("TPR", "FPR", "FN_FP")
"""The three values of the paper, a fold."""


def tested(
    people: People,
    attribute: Attribute,
    decided: Decided,
    k: int,
    plan: Plan,
    settings: Mapping[str, Any],
    model: str,
    place: int | None,
) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Tests of one algorithm, attribute and class; and the rows of the table of folds."""
    truth = as_two(people, people.label, place)
    given = as_two(people, decided.label, place)
    codes = people.codes[attribute.name]
    weight = people.sample.weight
    groups = len(attribute.groups)
    counts = fold_counts(
        codes=codes, fold=decided.fold, truth=truth, given=given, groups=groups, k=k, weight=weight
    )
    whole = np.where(decided.fold >= 0, given, -1).astype(np.int8)
    table = count_table(groups=groups, codes=codes, outcome=truth, decision=whole, weight=weight)
    margin = margin_of(plan, settings, attribute.name)
    primary = pooled(
        attribute=attribute,
        words=people.words[attribute.name],
        table=table,
        margin=margin,
        level=float(settings["level"]),
        confidence=plan.confidence,
        resamples=plan.resamples,
        shuffles=int(settings["permutations"]),
        rng=generator(
            plan.seed, "crossval", attribute.name, model, 0 if place is None else 1 + place
        ),
    )
    keys = [g.key for g in attribute.groups]
    one: dict[str, Any] = {}
    values = rates_of(counts)
    for metric in VALUES:
        one[metric] = fold_tests(values[metric], keys=keys, k=k, margin=margin, settings=settings)
        if metric == "FN_FP":
            one[metric]["note"] = say("crossval.ratio_breaks")
    careful = settings["question"] == ALGORITHM or settings["scheme"] == PER_GROUP
    for metric, measured in primary.items():
        fold_p = None
        if careful and metric != "FN_share":
            fold_p = one[metric]["tests"][one[metric]["careful_test"]]["p"]
        together = [p for p in (measured["p"], fold_p) if p is not None]
        measured["careful_p"] = max(together) if measured["p"] is not None else None
    one["pooled"] = primary
    total = counts.sum(axis=1)
    rates = rates_of(total)
    one["groups"] = {
        key: {
            **{name: float(total[g, i]) for i, name in enumerate(("tp", "fp", "fn", "tn"))},
            **{
                m: float(rates[m][g]) if np.isfinite(rates[m][g]) else None
                for m in ("TPR", "FPR", "FN_share")
            },
            "intervals": _wilson(total[g], plan.confidence, weight is not None),
        }
        for g, key in enumerate(keys)
    }
    one["bare_folds"] = bare_folds(counts, keys)
    rows = [
        {
            "model": model, "attribute": attribute.name, "group": key,
            "fold": people.fold_names[f] if people.fold_names else f + 1,
            **{name: _whole(counts[g, f, i]) for i, name in enumerate(("tp", "fp", "fn", "tn"))},
        }
        for g, key in enumerate(keys)
        for f in range(k)
    ]  # fmt: skip
    return one, rows


def _wilson(counts: Floats, confidence: float, weighted: bool) -> dict[str, list[float] | None]:
    """Wilson's interval of a group's rates; none for weighted counts."""
    tp, fp, fn, tn = map(float, counts)
    found = {}
    pairs = {"TPR": (tp, tp + fn), "FPR": (fp, fp + tn), "FN_share": (fn, fn + fp)}
    for metric, (part, whole) in pairs.items():
        ends = None if weighted else wilson(favourable=part, n=whole, confidence=confidence)
        found[metric] = None if ends is None else list(ends)
    return found


def _whole(value: float) -> float | int:
    return int(value) if float(value).is_integer() else float(value)


def fold_counts(
    *,
    codes: NDArray[np.int16],
    fold: NDArray[np.int16],
    truth: NDArray[np.int8],
    given: NDArray[np.int8],
    groups: int,
    k: int,
    weight: Floats | None = None,
) -> Floats:
    """True and false positives and negatives of every group and fold in one pass.

    Parameters
    ----------
    codes, fold, truth, given : int array, shape (n,)
        Group, fold, recorded outcome and out-of-fold decision; negative ones are not counted.
    groups, k : int
    weight : float array, shape (n,), optional

    Returns
    -------
    float array, shape (groups, k, 4)
        ``tp``, ``fp``, ``fn``, ``tn``.
    """
    use = np.flatnonzero((codes >= 0) & (fold >= 0) & (truth >= 0) & (given >= 0))
    # given 1: tp 0 (truth 1), fp 1 (truth 0); given 0: fn 2 (truth 1), tn 3 (truth 0)
    state = 2 * (1 - given[use].astype(np.int64)) + (1 - truth[use])
    index = (codes[use].astype(np.int64) * k + fold[use]) * 4 + state
    mass = None if weight is None else weight[use]
    found = np.bincount(index, mass, minlength=groups * k * 4).astype(np.float64)
    return found.reshape(groups, k, 4)


def fold_tests(
    values: Floats, *, keys: Sequence[str], k: int, margin: float, settings: Mapping[str, Any]
) -> dict[str, Any]:
    """The paper's test of one value, and every other test of the same folds beside it.

    Parameters
    ----------
    values : float array, shape (groups, folds)
        The privileged group first.
    """
    tests: dict[str, Any] = {}
    separate = settings["scheme"] == PER_GROUP
    rows = list(values)
    if len(rows) == 2:
        a, b = rows
        tests["independent_t"] = independent_t(a, b)
        tests["independent_nadeau_bengio"] = independent_t(a, b, corrected_k=k)
        tests["paired_t"] = paired_t(a, b)
        tests["nadeau_bengio"] = paired_t(a, b, corrected_k=k)
        tests["equivalence"] = equivalence_t(a, b, margin=margin)
        published, careful = "independent_t", "nadeau_bengio"
        if separate:
            careful = "independent_nadeau_bengio"
    else:
        tests["anova"], tests["kruskal"] = anova(rows), kruskal(rows)
        tests["friedman"] = friedman(rows)
        published = str(settings["many_groups"])
        careful = published if separate else "friedman"
    known = np.isfinite(values)
    main = tests[published]
    return {
        "test": main["test"],
        "statistic": main["statistic"],
        "p": main["p"],
        "reason": main["reason"],
        "n": {key: int(row.sum()) for key, row in zip(keys, known, strict=True)},
        "undefined_folds": {key: int((~row).sum()) for key, row in zip(keys, known, strict=True)},
        "means": {
            key: float(row[ok].mean()) if ok.any() else None
            for key, row, ok in zip(keys, values, known, strict=True)
        },
        "careful_test": careful,
        "tests": tests,
    }


def margin_of(plan: Plan, settings: Mapping[str, Any], attribute: str) -> float:
    """The largest difference that counts as none: the setting, else the plan's tolerance."""
    if settings["margin"] is not None:
        return float(settings["margin"])
    return float(plan.tolerance.band("EOD", attribute)[1])
