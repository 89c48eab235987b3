"""The primary test: all out-of-fold decisions together, counted by group.

Under "no difference" the group of a person says nothing about the decision among people with the
same recorded outcome, so the groups may be shuffled within each outcome. For two groups all
shuffles are counted exactly; for more, shuffled tables are drawn from their exact distribution.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from engine.base.wording import count
from engine.cohort.model import Attribute
from engine.fairness.counts import Cells, CountTable
from engine.fairness.intervals import percentile_interval, resample
from engine.fairness.measure import NOT_COMPUTABLE, measure
from engine.fairness.tests import two_proportion_z
from engine.fairness.verdict import verdict
from engine.messages import say

Floats = NDArray[np.float64]
METRICS = ("TPR", "FPR", "FN_share")
POWER = 0.8
CRUMB = 1e-12


def part_and_whole(metric: str, cells: Cells) -> tuple[float, float]:
    """Those counted and all among whom they are: for ``TPR`` true positives among positives."""
    return {
        "TPR": (cells.tp, cells.tp + cells.fn),
        "FPR": (cells.fp, cells.fp + cells.tn),
        "FN_share": (cells.fn, cells.fn + cells.fp),
    }[metric]


def exact_p(*, part: tuple[float, float], whole: tuple[float, float]) -> float | None:
    """Share of all shuffles of the group whose difference of rates is at least as large.

    The groups are shuffled among the people of one stratum (all with the same outcome, or all
    who were decided wrongly), so the counts follow a hypergeometric distribution.

    Examples
    --------
    >>> round(exact_p(part=(8, 4), whole=(10, 10)), 6)
    0.169802
    >>> exact_p(part=(0, 0), whole=(0, 5)) is None
    True
    """
    (a, b), (m, n) = (map(round, part), map(round, whole))
    if m <= 0 or n <= 0:
        return None
    seen = abs(a / m - b / n)
    x = np.arange(max(0, a + b - n), min(m, a + b) + 1)
    gap = np.abs(x / m - (a + b - x) / n)
    chance = stats.hypergeom.pmf(x, m + n, a + b, m)
    return min(1.0, float(chance[gap >= seen - CRUMB].sum()))


def shuffled_p(
    *, part: Sequence[float], whole: Sequence[float], shuffles: int, rng: np.random.Generator
) -> float | None:
    """The same for more than two groups, by the spread of their rates; shuffles are drawn.

    None where fewer than two groups have people.

    Source: Phipson and Smyth (2010), Statistical Applications in Genetics 9, for (b + 1)/(B + 1).
    """
    k = np.array([round(p) for p, w in zip(part, whole, strict=True) if w > 0], np.int64)
    n = np.array([round(w) for w in whole if w > 0], np.int64)
    if len(n) < 2:
        return None
    share = k.sum() / n.sum()

    def spread(counts: NDArray[np.int64]) -> Floats:
        found: Floats = (n * (counts / n - share) ** 2).sum(axis=-1)
        return found

    drawn = rng.multivariate_hypergeometric(n, int(k.sum()), size=shuffles, method="marginals")
    more = int((spread(drawn) >= spread(k) - CRUMB).sum())
    return (more + 1) / (shuffles + 1)


def equivalence_p(
    *, part: tuple[float, float], whole: tuple[float, float], margin: float
) -> float | None:
    """Two one-sided tests that the difference of two rates lies within the margin.

    One person with and one without is added to either side, so that rates of 0 and 1 have a
    spread.

    Source: Schuirmann (1987); Agresti and Caffo (2000), American Statistician 54, 280-288.
    """
    if min(whole) <= 0:
        return None
    rates = [(p + 1) / (w + 2) for p, w in zip(part, whole, strict=True)]
    se = math.sqrt(sum(r * (1 - r) / (w + 2) for r, w in zip(rates, whole, strict=True)))
    gap = rates[0] - rates[1]
    return max(
        float(stats.norm.sf((gap + margin) / se)), float(stats.norm.cdf((gap - margin) / se))
    )


def smallest_gap(
    *, part: tuple[float, float], whole: tuple[float, float], level: float
) -> float | None:
    """The smallest difference that so many people would show in four audits of five.

    Normal approximation at the given level, before correction for several tests.

    Examples
    --------
    >>> round(smallest_gap(part=(350, 350), whole=(500, 500), level=0.05), 3)
    0.081
    """
    if min(whole) <= 0:
        return None
    rate = (sum(part) + 1) / (sum(whole) + 2)
    z = float(stats.norm.isf(level / 2) + stats.norm.isf(1 - POWER))
    return min(1.0, z * math.sqrt(rate * (1 - rate) * (1 / whole[0] + 1 / whole[1])))


def pooled(
    *,
    attribute: Attribute,
    words: Mapping[str, str],
    table: CountTable,
    margin: float,
    level: float,
    confidence: float,
    resamples: int,
    shuffles: int,
    rng: np.random.Generator,
) -> dict[str, Any]:
    """Differences of the pooled rates, privileged less unprivileged, with tests.

    ``words`` names each group for the reasons.

    Returns
    -------
    dict of metric to measure
        Beside the measure's own keys: ``test``, ``p``, ``z``, ``z_p``, ``equivalence_p``,
        ``smallest_gap``, ``margin``, ``by_group`` (each unprivileged group against the
        privileged one). For more than two groups ``p`` is of all groups at once, and
        ``equivalence_p`` the largest of all pairs.

    Source: paper 002, metrics of figure 1; the false negatives' share of errors is equal in two
    groups exactly where the ratio FN/FP is, and is defined wherever there is an error.
    """
    sides = [table.side(g) for g in range(table.groups)]
    others = table.side(range(1, table.groups))
    drawn = resample(sides=[*sides, others], resamples=resamples, rng=rng)
    with np.errstate(invalid="ignore", divide="ignore"):
        draws = {
            "TPR": drawn[..., 1, 1] / drawn[..., 1, :2].sum(axis=-1),
            "FPR": drawn[..., 0, 1] / drawn[..., 0, :2].sum(axis=-1),
            "FN_share": drawn[..., 1, 0] / (drawn[..., 1, 0] + drawn[..., 0, 1]),
        }
    found: dict[str, Any] = {}
    name = attribute.name
    rest = ", ".join(words[g.key] for g in attribute.unprivileged)
    first = words[attribute.privileged.key]
    for metric in METRICS:
        sizes = [_sized(metric, side, table.weighted) for side in [*sides, others]]

        def gap(place: int, key: str, metric: str = metric, sizes: Any = sizes) -> dict[str, Any]:
            pair = (sizes[0], sizes[place])
            cells = (sides[0], [*sides, others][place])
            n = tuple(round(_rows(metric, c)) for c in cells)
            for (_, whole), group in zip(pair, (first, key), strict=True):
                if whole <= 0:
                    reason = say(f"crossval.none_{metric}", group=f"{name} {group}")
                    return measure(None, None, None, NOT_COMPUTABLE, reason, n[1], n[0])
            value = pair[0][0] / pair[0][1] - pair[1][0] / pair[1][1]
            ends = percentile_interval(
                draws[metric][0] - draws[metric][place], confidence=confidence
            )
            word = verdict(value=value, low=ends.low, high=ends.high, band=(-margin, margin))
            return measure(value, ends.low, ends.high, word, "", n[1], n[0])

        one = gap(len(sides), rest)
        one |= _tests(sizes, len(sides), table.weighted, margin, level, shuffles, rng)
        empty = [g.key for g, (_, w) in zip(attribute.groups, sizes, strict=False) if w <= 0]
        one["not_counted"] = empty
        one["note"] = " ".join(
            say(f"crossval.none_{metric}", group=f"{name} {words[k]}") for k in empty
        )
        one["margin"] = margin
        if len(sides) > 2:
            one["by_group"] = {
                g.key: gap(i + 1, words[g.key]) for i, g in enumerate(attribute.unprivileged)
            }
        found[metric] = one
    return found


def _rows(metric: str, cells: Cells) -> float:
    rows = cells.rows
    return float({
        "TPR": rows[1, 0] + rows[1, 1],
        "FPR": rows[0, 0] + rows[0, 1],
        "FN_share": rows[1, 0] + rows[0, 1],
    }[metric])  # fmt: skip


def _sized(metric: str, cells: Cells, weighted: bool) -> tuple[float, float]:
    """Part and whole; weighted ones scaled to Kish's size."""
    part, whole = part_and_whole(metric, cells)
    if not weighted or whole <= 0:
        return part, whole
    s = cells.square
    square = {
        "TPR": s[1, 0] + s[1, 1], "FPR": s[0, 0] + s[0, 1], "FN_share": s[1, 0] + s[0, 1],
    }[metric]  # fmt: skip
    size = whole * whole / float(square)
    return part / whole * size, size


def _tests(
    sizes: Sequence[tuple[float, float]],
    groups: int,
    weighted: bool,
    margin: float,
    level: float,
    shuffles: int,
    rng: np.random.Generator,
) -> dict[str, Any]:
    """Every test of one metric; ``sizes`` holds each group, then all unprivileged ones."""
    first, rest = sizes[0], sizes[-1]
    two = (first[0], rest[0]), (first[1], rest[1])
    z, z_p = two_proportion_z(favourable=two[0], n=two[1])
    pairs = list(itertools.combinations([s for s in sizes[:groups] if s[1] > 0], 2))
    equal = [equivalence_p(part=(a[0], b[0]), whole=(a[1], b[1]), margin=margin) for a, b in pairs]
    if groups == 2 and not weighted:
        test, p = "all shuffles of the group", exact_p(part=two[0], whole=two[1])
    elif groups == 2:
        test, p = "two-proportion z at Kish's size", z_p
    elif not weighted:
        test = f"{count(shuffles)} shuffles of the group"
        p = shuffled_p(
            part=[s[0] for s in sizes[:groups]],
            whole=[s[1] for s in sizes[:groups]],
            shuffles=shuffles,
            rng=rng,
        )
    else:
        test, p = "chi-square at Kish's size", _chi_square([s for s in sizes[:groups] if s[1] > 0])
    return {
        "test": test,
        "p": p,
        "z": z if groups == 2 else None,
        "z_p": z_p if groups == 2 else None,
        "equivalence_p": max((e for e in equal if e is not None), default=None),
        "smallest_gap": smallest_gap(part=two[0], whole=two[1], level=level),
    }


def _chi_square(sizes: Sequence[tuple[float, float]]) -> float | None:
    if len(sizes) < 2:
        return None
    part, whole = np.array(sizes).T
    share = part.sum() / whole.sum()
    if not 0 < share < 1:
        return None
    found = float((whole * (part / whole - share) ** 2).sum() / (share * (1 - share)))
    return float(stats.chi2.sf(found, len(sizes) - 1))
