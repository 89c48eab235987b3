"""Who is in which fold, how many of each kind a fold holds, and which k is advised."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import KFold, StratifiedKFold

from engine.cohort.model import Attribute
from engine.fairness.intervals import generator
from engine.messages import say

from .people import People
from .settings import PER_GROUP

OUTSIDE = -1
TRIED = range(2, 21)


def strata_of(people: People) -> NDArray[np.int64]:
    """One number for each combination of outcome and groups of all attributes tested."""
    code = people.label.astype(np.int64)
    for attribute in people.attributes:
        code = code * (len(attribute.groups) + 2) + people.codes[attribute.name] + 2
    return np.unique(code, return_inverse=True)[1].astype(np.int64)


def laid(
    *, rows: NDArray[np.int64], n: int, k: int, seed: int, strata: NDArray[np.int64] | None
) -> NDArray[np.int16]:
    """Lay people into k folds.

    Parameters
    ----------
    rows : int array
        The people who take part; all others are :data:`OUTSIDE`.
    n : int
        How many people there are in all.
    k, seed : int
    strata : int array, shape (n,), optional
        Each stratum is dealt evenly over the folds; without, people fall by chance alone, as in
        the released code of paper 002.

    Returns
    -------
    int16 array, shape (n,)
        0 to k - 1.
    """
    fold = np.full(n, OUTSIDE, np.int16)
    state = seed % 2**32
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # small strata are told in our own words
        if strata is None or not _bears(strata[rows], k):
            parts = KFold(k, shuffle=True, random_state=state).split(rows)
        else:
            dealt = StratifiedKFold(k, shuffle=True, random_state=state)
            parts = dealt.split(rows, strata[rows])
        for place, (_, test) in enumerate(parts):
            fold[rows[test]] = place
    return fold


def _bears(strata: NDArray[np.int64], k: int) -> bool:
    """Whether any stratum has somebody for each of k folds."""
    return bool(np.bincount(strata).max() >= k)


def stratified_sample(*, strata: NDArray[np.int64], size: int, seed: int) -> NDArray[np.int64]:
    """Rows of a sample that holds each stratum in its share; all rows where it is not smaller.

    Rows are shuffled within their stratum and taken at even steps.
    """
    n = len(strata)
    if size >= n:
        return np.arange(n)
    rng = generator(seed, "crossval", "sample")
    order = np.lexsort((rng.random(n), strata))
    steps = ((np.arange(size) + 0.5) * n / size).astype(np.int64)
    return np.sort(order[steps])


def advice(*, people: People, attribute: Attribute, fewest: int, k: int) -> dict[str, Any]:
    """How many of each outcome a fold holds in each group, for k = 2 to 20.

    Returns
    -------
    dict
        ``table`` (a row for each k: ``k``, ``groups`` with ``positives`` and ``negatives``, the
        fewest that an evenly dealt fold holds, ``enough``), ``advised`` (the largest k with at
        least ``fewest`` everywhere, or None), ``reason``, ``limit`` (the group and outcome that
        limits it).
    """
    codes = people.codes[attribute.name]
    good = people.favourable[people.label]
    sizes = {
        g.key: (int((good & (codes == i)).sum()), int((~good & (codes == i)).sum()))
        for i, g in enumerate(attribute.groups)
    }
    rows: list[dict[str, Any]] = []
    good_k: list[int] = []
    for tried in TRIED:
        groups = {
            key: {"positives": p // tried, "negatives": n // tried} for key, (p, n) in sizes.items()
        }
        least = min(min(g.values()) for g in groups.values())
        rows.append({"k": tried, "groups": groups, "enough": least >= fewest})
        if least >= fewest:
            good_k.append(tried)
    key, which, number = min(
        ((key, word, size) for key, pair in sizes.items()
         for word, size in zip(("favourable", "unfavourable"), pair, strict=True)),
        key=lambda one: one[2],
    )  # fmt: skip
    limit = {"group": key, "outcome": which, "people": number}
    reason = ""
    if not good_k:
        reason = say(
            "crossval.no_k",
            group=f"{attribute.name} {people.words[attribute.name][key]}",
            n=number,
            outcome=which,
            fewest=fewest,
        )
    return {
        "table": rows,
        "advised": max(good_k) if good_k else None,
        "used": k,
        "fewest": fewest,
        "limit": limit,
        "reason": reason,
    }


def smallest(
    *, people: People, attribute: Attribute, fold: NDArray[np.int16], k: int
) -> dict[str, Any]:
    """The fewest people of an outcome and a group that any fold really holds.

    Returns
    -------
    dict
        ``people``, and of which ``group`` and ``outcome`` they are.
    """
    codes, good = people.codes[attribute.name], people.favourable[people.label]
    groups = len(attribute.groups)
    use = (codes >= 0) & (fold >= 0)
    index = ((~good[use]).astype(np.int64) * groups + codes[use]) * k + fold[use]
    least = np.bincount(index, minlength=2 * groups * k).reshape(2, groups, k).min(axis=2)
    outcome, group = np.unravel_index(int(least.argmin()), least.shape)
    return {
        "people": int(least.min()),
        "group": attribute.groups[group].key,
        "outcome": ("favourable", "unfavourable")[outcome],
    }


def bare_folds(counts: NDArray[np.float64], keys: Sequence[str]) -> list[dict[str, Any]]:
    """Folds in which a group has no people of an outcome.

    Parameters
    ----------
    counts : float array, shape (groups, folds, 4)
        ``tp``, ``fp``, ``fn``, ``tn``.
    """
    found = []
    for word, sums in (
        ("favourable", counts[..., 0] + counts[..., 2]),
        ("unfavourable", counts[..., 1] + counts[..., 3]),
    ):
        for key, empty in zip(keys, sums <= 0, strict=True):
            if empty.any():
                folds = [int(f) + 1 for f in np.flatnonzero(empty)]
                found.append({"group": key, "outcome": word, "folds": folds})
    return found


def designs_of(
    *, people: People, settings: Mapping[str, Any], seed: int
) -> tuple[dict[str, list[NDArray[np.int16]]], int, bool]:
    """The folds of each attribute: one design, or one a group.

    Returns
    -------
    designs : dict of attribute name to list of fold arrays
        A single shared design has the same array object for every attribute.
    k : int
        As many folds as there are: no more than people who are laid into them together.
    stratified : bool
        Whether they are dealt by stratum: by chance alone where no stratum has somebody for each.
    """
    per_group = settings["scheme"] == PER_GROUP
    how = settings["folds"]
    stratified = not per_group if how == "auto" else how == "stratified"
    n, k = len(people), int(settings["k"])
    if people.fold is not None:
        k, stratified = len(people.fold_names), False
    elif not per_group:
        k = min(k, n)
    everyone = np.arange(n)
    strata = strata_of(people) if stratified else None
    if strata is not None and not per_group:
        stratified = _bears(strata, k)
    found: dict[str, list[NDArray[np.int16]]] = {}
    shared: NDArray[np.int16] | None = None
    for attribute in people.attributes:
        if not per_group:
            if shared is None:
                shared = people.fold
            if shared is None:
                shared = laid(rows=everyone, n=n, k=k, seed=seed, strata=strata)
            found[attribute.name] = [shared]
            continue
        parts = []
        for place in range(len(attribute.groups)):
            mine = np.flatnonzero(people.codes[attribute.name] == place)
            if people.fold is not None:
                fold = np.full(n, OUTSIDE, np.int16)
                fold[mine] = people.fold[mine]
            elif len(mine) < k:
                fold = np.full(n, OUTSIDE, np.int16)
            else:
                labels = people.label.astype(np.int64) if stratified else None
                fold = laid(rows=mine, n=n, k=k, seed=seed, strata=labels)
            parts.append(fold)
        found[attribute.name] = parts
    return found, k, stratified
