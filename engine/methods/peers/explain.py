"""The watch-out list: in what a fairly treated but refused person differs from accepted peers.

The paper tests whether the mean of the accepted peers differs from one person's value, which for
a yes or no feature says only that the person has the rarer value. Here each kind has its exact
test (what share of accepted peers stands as badly), adjusted for the number of features; the
order of values is asked for, never assumed; the paper's own count stands beside it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from engine.base import wording
from engine.base.nearest import mend
from engine.base.problems import Problem, Refused
from engine.base.watch import Watch
from engine.fairness.tests import holm
from engine.messages import say
from engine.models.encoding import is_numeric, numbers, texts

from .matching import Floats, Places

HIGHER, LOWER = "higher is better", "lower is better"
MOST_PEOPLE = 2000
"""People explained at most, the first in order; a longer list would not be read."""


@dataclass(frozen=True)
class Feature:
    """A feature as the list reads it.

    ``kind``: ``numeric``, ``ordered``, ``yes or no`` or ``nominal``. ``good`` is larger for a
    better value (NaN unknown), None where no order was given; ``number`` the plain numbers.
    ``codes`` are places in ``words`` (-1 blank), None for a feature of many numbers.
    """

    name: str
    kind: str
    intrinsic: bool
    good: Floats | None
    number: Floats | None
    codes: Places | None
    words: tuple[str, ...]


@dataclass(frozen=True)
class Explained:
    """``features`` a feature; ``rows`` one a person and feature, with headings in words."""

    features: dict[str, dict[str, Any]]
    rows: pd.DataFrame
    people: int
    too_few: int
    left_out: int


def read_features(
    *,
    frame: pd.DataFrame,
    features: Sequence[str],
    order: Mapping[str, Any],
    intrinsic: Sequence[str],
    file: str,
) -> list[Feature]:
    """Bring each feature into the form in which it is compared.

    Raises
    ------
    Refused
        For an order of a feature that is not used, or one that does not fit its values.
    """
    problems = []
    for name in (*order, *intrinsic):
        if name not in features:
            place = "methods.peers.order" if name in order else "methods.peers.intrinsic"
            hint = mend(name, features, otherwise="the features are")
            text = say("peers.unknown_feature", name=name, mend=hint)
            problems.append(Problem(file, place, text))
    found = []
    for name in features:
        values = frame[name]
        wanted = order.get(name)
        number = numbers(values) if is_numeric(values) else None
        codes, words = _coded(values, number)
        good: Floats | None = None
        if isinstance(wanted, list | tuple) and codes is not None:
            rank = {str(v): float(i) for i, v in enumerate(wanted)}
            unplaced = [v for v in words if v not in rank]
            if unplaced:
                text = say("peers.order_misses", feature=name, values=wording.listed(unplaced[:5]))
                problems.append(Problem(file, f"methods.peers.order.{name}", text))
                continue
            good = np.array([*(rank[v] for v in words), np.nan])[codes]
            kind = "yes or no" if len(words) <= 2 else "ordered"
        elif wanted in (HIGHER, LOWER) and number is not None:
            good = number if wanted == HIGHER else -number
            kind = "yes or no" if codes is not None and len(words) <= 2 else "numeric"
        elif wanted is not None:
            code = "peers.order_list" if wanted in (HIGHER, LOWER) else "peers.order_form"
            problems.append(Problem(file, f"methods.peers.order.{name}", say(code, feature=name)))
            continue
        else:
            many = number is not None and (codes is None or len(words) > 2)
            kind = "numeric" if many else "nominal"
        if kind == "numeric":
            codes, words = None, ()
        found.append(Feature(name, kind, name in intrinsic, good, number, codes, words))
    if problems:
        raise Refused(problems)
    return found


MOST_WORDS = 1000
"""Different numbers up to which a column of numbers may be given an order by a list."""


def _coded(values: pd.Series, number: Floats | None) -> tuple[Places | None, tuple[str, ...]]:
    """Codes (-1 blank) and the texts that occur; no codes for a column of many numbers."""
    if number is not None:
        known = np.isfinite(number)
        distinct, inverse = np.unique(number[known], return_inverse=True)
        if len(distinct) > MOST_WORDS:
            return None, ()
        codes = np.full(len(number), -1, np.int64)
        codes[known] = inverse
        return codes, tuple(str(int(v)) if float(v).is_integer() else str(v) for v in distinct)
    category = texts(values)
    present, inverse = np.unique(category.codes, return_inverse=True)
    shift = int(present[0] == -1) if len(present) else 0
    words = tuple(str(category.categories[c]) for c in present[shift:])
    return inverse.astype(np.int64) - shift, words


def _plain(value: float) -> str:
    if not np.isfinite(value):
        return ""
    return wording.number(value, digits=0 if float(value).is_integer() else 2)


def exact_p(*, own: float, peers: Floats) -> float:
    """Chance of standing at least this badly as one of n + 1 exchangeable people.

    Examples
    --------
    >>> exact_p(own=0.0, peers=np.array([0.0, 1.0, 1.0]))
    0.5
    """
    return float((1 + np.sum(peers <= own)) / (len(peers) + 1))


def exact_p_both(*, own: float, peers: Floats) -> float:
    """The same to either side: twice the smaller tail."""
    low = (1 + np.sum(peers <= own)) / (len(peers) + 1)
    high = (1 + np.sum(peers >= own)) / (len(peers) + 1)
    return float(min(1.0, 2 * min(low, high)))


def rarity_p(*, own: int, counts: Places) -> float:
    """For values without an order: chance of a value at most as frequent as one's own.

    ``counts`` are those of the peers; one's own value is counted with them, so that under
    exchangeability the p is valid.

    Examples
    --------
    >>> rarity_p(own=1, counts=np.array([3, 1, 1]))  # own, rent, free
    0.5
    """
    pooled = counts.copy()
    pooled[own] += 1
    return float(pooled[pooled <= pooled[own]].sum() / pooled.sum())


def _test(feature: Feature, person: int, peers: Places) -> dict[str, Any] | None:
    """One person's feature against the accepted peers; None where nothing can be said."""
    if feature.codes is None:
        return _test_number(feature, person, peers)
    own = int(feature.codes[person])
    codes = feature.codes[peers]
    codes = codes[codes >= 0]
    if own < 0 or not len(codes):
        return None
    counts = np.bincount(codes, minlength=len(feature.words)).astype(np.int64)
    published = None
    if feature.good is None:
        p, test = rarity_p(own=own, counts=counts), "rarity among peers"
    else:
        good = feature.good[peers]
        good = good[np.isfinite(good)]
        p, test = (
            exact_p(own=float(feature.good[person]), peers=good),
            "place among peers, one side",
        )
        published = _published(float(feature.good[person]), good)
    most = int(np.argmax(counts))
    return {
        "own": feature.words[own], "typical": f"{feature.words[most]}: {wording.count(int(counts[most]))} of {wording.count(len(codes))}",
        "alike": int(counts[own]), "n": len(codes), "p": p, "test": test, "published": published,
        "difference": None,
    }  # fmt: skip


def _test_number(feature: Feature, person: int, peers: Places) -> dict[str, Any] | None:
    """The same for a column of many numbers."""
    assert feature.number is not None
    own, theirs = float(feature.number[person]), feature.number[peers]
    theirs = theirs[np.isfinite(theirs)]
    if not np.isfinite(own) or not len(theirs):
        return None
    published = None
    if feature.good is None:
        p, test = exact_p_both(own=own, peers=theirs), "place among peers, both sides"
    else:
        good = feature.good[peers]
        good = good[np.isfinite(good)]
        own_good = float(feature.good[person])
        p, test = exact_p(own=own_good, peers=good), "place among peers, one side"
        published = _published(own_good, good)
    median = float(np.median(theirs))
    difference = own - median
    digits = 0 if difference.is_integer() else 2
    gap = wording.number(difference, digits=digits, sign=True) if difference else "the same"
    return {
        "own": _plain(own), "typical": f"{_plain(median)} in the middle ({gap})",
        "alike": int(np.sum(theirs == own)), "n": len(theirs), "p": p, "test": test,
        "published": published, "difference": difference,
    }  # fmt: skip


def _published(own: float, peers: Floats) -> bool:
    """The paper's test: one-sample t of the accepted peers' values, peers better, at 5 %."""
    if len(peers) < 2:
        return False
    if np.ptp(peers) == 0:
        return bool(peers[0] > own)
    return bool(stats.ttest_1samp(peers, own, alternative="greater").pvalue < 0.05)


def adjusted(p_values: Sequence[float | None], how: str) -> list[float | None]:
    """p-values corrected for the number of features of one person."""
    if how == "none":
        return list(p_values)
    if how == "holm":
        return holm(p_values)
    made = [i for i, p in enumerate(p_values) if p is not None]
    found: list[float | None] = [None] * len(p_values)
    if made:
        for i, p in zip(
            made, stats.false_discovery_control([p_values[i] for i in made]), strict=True
        ):
            found[i] = float(p)
    return found


def changeable(features: Mapping[str, Mapping[str, Any]], name: str) -> str:
    """Whether one can change a feature: never assumed, so ``not said`` while none is named.

    Examples
    --------
    >>> changeable({"age": {"intrinsic": True}, "debt": {"intrinsic": False}}, "debt")
    'yes'
    >>> changeable({"age": {"intrinsic": False}}, "age")
    'not said'
    """
    if features[name]["intrinsic"]:
        return "no"
    return "yes" if any(e["intrinsic"] for e in features.values()) else "not said"


def explain(
    *,
    features: Sequence[Feature],
    people: Sequence[tuple[int, Places]],
    names: Sequence[str],
    settings: Mapping[str, Any],
    watch: Watch,
) -> Explained:
    """Compare each person with the accepted peers, feature by feature.

    Parameters
    ----------
    features : sequence of Feature
    people : sequence of (row, rows of the accepted peers)
    names : sequence of str
        Of all rows.
    settings : mapping
        Of the method.
    watch : Watch
    """
    least, level, how = int(settings["min_accepted"]), float(settings["level"]), settings["adjust"]
    ready = [(person, peers) for person, peers in people if len(peers) >= least]
    shown = ready[:MOST_PEOPLE]
    totals: dict[str, dict[str, Any]] = {
        f.name: {
            "kind": f.kind, "intrinsic": f.intrinsic, "ordered": f.good is not None, "n": 0,
            "worse": 0, "differs": 0, "worse_as_published": 0,
        }
        for f in features
    }  # fmt: skip
    rows: list[dict[str, Any]] = []
    for number, (person, peers) in enumerate(shown):
        watch.say("Writing the watch-out list", done=number, total=len(shown))
        found = [_test(f, person, peers) for f in features]
        corrected = adjusted([None if r is None else r["p"] for r in found], how)
        for feature, row, p in zip(features, found, corrected, strict=True):
            if row is None or p is None:
                continue
            total = totals[feature.name]
            total["n"] = total["n"] + 1
            differs = p < level
            worse = differs and feature.good is not None
            total["worse"] = total["worse"] + worse
            total["differs"] = total["differs"] + differs
            total["worse_as_published"] = total["worse_as_published"] + bool(row["published"])
            rows.append(
                {
                    "Person": names[person], "Feature": feature.name,
                    "Can be changed": changeable(totals, feature.name),
                    "This person": row["own"], "Accepted peers": row["n"],
                    "Usual among them": row["typical"], "Alike": row["alike"],
                    "Difference from their middle": row["difference"], "Test": row["test"],
                    "p": row["p"], "p, adjusted": p,
                    "Answer": "worse" if worse else "differs" if differs else "not settled",
                    "As published": "" if row["published"] is None else "worse" if row["published"] else "not worse",
                }
            )  # fmt: skip
    for total in totals.values():
        n = total["n"]
        total["share"] = None if not n or not total["ordered"] else total["worse"] / n
        total["share_as_published"] = (
            None if not n or not total["ordered"] else total["worse_as_published"] / n
        )
    columns = [
        "Person", "Feature", "Can be changed", "This person", "Accepted peers", "Usual among them",
        "Alike", "Difference from their middle", "Test", "p", "p, adjusted", "Answer", "As published",
    ]  # fmt: skip
    return Explained(
        totals, pd.DataFrame(rows, columns=columns), len(shown), len(people) - len(ready),
        len(ready) - len(shown),
    )  # fmt: skip
