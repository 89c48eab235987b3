"""Tests of values that come fold by fold: the paper's own, and those that fit the design better.

Values are arrays of shape (folds,) a group; NaN marks a fold in which the value is undefined.
Undefined folds are left out, never set to 0.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from engine.messages import say

Floats = NDArray[np.float64]
CONSTANT = 1e-14


def _answer(
    test: str, statistic: float | None, p: float | None, reason: str = "", **more: Any
) -> dict[str, Any]:
    """A test's numbers; a missing statistic has its reason."""
    if statistic is not None and not (math.isfinite(statistic) and p is not None and p >= 0):
        statistic, p, reason = None, None, say("crossval.no_spread")
    return {"test": test, "statistic": statistic, "p": p, "reason": reason, **more}


def independent_t(a: Floats, b: Floats, *, corrected_k: int | None = None) -> dict[str, Any]:
    """Independent-sample t with pooled variance, first less second; two-sided p.

    Parameters
    ----------
    a, b : float array, shape (folds,)
    corrected_k : int, optional
        With a number of folds, the variance is enlarged for training sets that overlap.

    Source: paper 002 (scipy's default); Nadeau and Bengio (2003), Machine Learning 52, for the
    factor 1/m + 1/(k - 1), here laid on an unpaired comparison.

    Examples
    --------
    >>> found = independent_t(np.array([0.8, 0.9, 1.0]), np.array([0.7, 0.8, 0.9]))
    >>> round(found["statistic"], 6), found["df"]
    (1.224745, 4)
    """
    name = "independent t" if corrected_k is None else "independent t, Nadeau and Bengio"
    a, b = a[np.isfinite(a)], b[np.isfinite(b)]
    if min(len(a), len(b)) < 2:
        return _answer(name, None, None, say("crossval.few_folds", n=min(len(a), len(b))))
    if max(np.ptp(a), np.ptp(b)) < CONSTANT:
        return _answer(name, None, None, say("crossval.no_spread"))
    df = len(a) + len(b) - 2
    if corrected_k is None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # one side without spread is told by its numbers
            found = stats.ttest_ind(a, b)
        return _answer(name, float(found.statistic), float(found.pvalue), df=df)
    variance = sum(v.var(ddof=1) * (1 / len(v) + 1 / (corrected_k - 1)) for v in (a, b))
    t = float((a.mean() - b.mean()) / math.sqrt(variance))
    return _answer(name, t, float(2 * stats.t.sf(abs(t), df)), df=df)


def paired_t(a: Floats, b: Floats, *, corrected_k: int | None = None) -> dict[str, Any]:
    """Paired t over the folds in which both values are defined, first less second.

    Parameters
    ----------
    a, b : float array, shape (folds,)
    corrected_k : int, optional
        With a number of folds, Nadeau and Bengio's correction (variance times 1/m + 1/(k - 1)
        in place of 1/m) for training sets that overlap.

    Source: Nadeau and Bengio (2003), Machine Learning 52, 239-281.
    """
    name = "paired t" if corrected_k is None else "paired t, Nadeau and Bengio"
    d = (a - b)[np.isfinite(a) & np.isfinite(b)]
    m = len(d)
    if m < 2:
        return _answer(name, None, None, say("crossval.few_folds", n=m))
    if np.ptp(d) < CONSTANT:
        return _answer(name, None, None, say("crossval.no_spread"))
    factor = 1 / m if corrected_k is None else 1 / m + 1 / (corrected_k - 1)
    mean = float(d.mean())
    t = mean / math.sqrt(factor * float(d.var(ddof=1)))
    p = float(2 * stats.t.sf(abs(t), m - 1))
    return _answer(name, t, p, df=m - 1, mean_difference=mean)


def equivalence_t(a: Floats, b: Floats, *, margin: float) -> dict[str, Any]:
    """Two one-sided paired t tests: small where the mean difference lies within the margin.

    Source: Schuirmann (1987), Journal of Pharmacokinetics and Biopharmaceutics 15, 657-680.
    """
    name = "two one-sided paired t"
    d = (a - b)[np.isfinite(a) & np.isfinite(b)]
    if len(d) < 2 or np.ptp(d) < CONSTANT:
        why = "crossval.few_folds" if len(d) < 2 else "crossval.no_spread"
        return _answer(name, None, None, say(why, n=len(d)))
    se = math.sqrt(float(d.var(ddof=1)) / len(d))
    mean, df = float(d.mean()), len(d) - 1
    low, high = (mean + margin) / se, (mean - margin) / se
    p = max(float(stats.t.sf(low, df)), float(stats.t.cdf(high, df)))
    return _answer(name, min(low, -high), p, df=df, mean_difference=mean, margin=margin)


def anova(values: Sequence[Floats]) -> dict[str, Any]:
    """One-way analysis of variance over the groups' defined folds (the paper's, more groups)."""
    kept = [v[np.isfinite(v)] for v in values]
    name = "one-way analysis of variance"
    if min(map(len, kept)) < 2:
        return _answer(name, None, None, say("crossval.few_folds", n=min(map(len, kept))))
    if max(float(np.ptp(v)) for v in kept) < CONSTANT:
        return _answer(name, None, None, say("crossval.no_spread"))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # as above
        found = stats.f_oneway(*kept)
    df = [len(kept) - 1, sum(map(len, kept)) - len(kept)]
    return _answer(name, float(found.statistic), float(found.pvalue), df=df)


def kruskal(values: Sequence[Floats]) -> dict[str, Any]:
    """Kruskal and Wallis over the groups' defined folds (the paper's alternative)."""
    kept = [v[np.isfinite(v)] for v in values]
    name = "Kruskal and Wallis"
    if min(map(len, kept)) < 2:
        return _answer(name, None, None, say("crossval.few_folds", n=min(map(len, kept))))
    if np.ptp(np.concatenate(kept)) < CONSTANT:
        return _answer(name, None, None, say("crossval.no_spread"))
    found = stats.kruskal(*kept)
    return _answer(name, float(found.statistic), float(found.pvalue), df=len(kept) - 1)


def friedman(values: Sequence[Floats]) -> dict[str, Any]:
    """Friedman over the folds in which every group has its value: more than two groups, paired."""
    table = np.vstack(values)
    table = table[:, np.isfinite(table).all(axis=0)]
    name = "Friedman"
    folds = table.shape[1]
    if folds < 2:
        return _answer(name, None, None, say("crossval.few_folds", n=folds), folds=folds)
    if np.ptp(table, axis=0).max() < CONSTANT:
        return _answer(name, None, None, say("crossval.no_spread"), folds=folds)
    found = stats.friedmanchisquare(*table)
    return _answer(name, float(found.statistic), float(found.pvalue), folds=folds)


def rates_of(counts: NDArray[np.float64]) -> dict[str, Floats]:
    """The paper's three values in every fold.

    Parameters
    ----------
    counts : float array, shape (..., 4)
        ``tp``, ``fp``, ``fn``, ``tn``.

    Returns
    -------
    dict of float arrays, shape (...)
        ``TPR``, ``FPR``, ``FN_FP``, and the share of errors that are false negatives,
        ``FN_share``; NaN where a denominator is 0.
    """
    tp, fp, fn, tn = np.moveaxis(np.asarray(counts, float), -1, 0)

    def over(part: Floats, whole: Floats) -> Floats:
        found: Floats = np.divide(part, whole, out=np.full(part.shape, np.nan), where=whole > 0)
        return found

    return {
        "TPR": over(tp, tp + fn),
        "FPR": over(fp, fp + tn),
        "FN_FP": over(fn, fp),
        "FN_share": over(fn, fn + fp),
    }
