"""Training data balanced by made-up people (SMOTENC) or by leaving people out at random.

Either way every group ends with the same rate of favourable outcomes, that of the group with the
highest one, so the parity difference of the balanced attribute is 0 on the training data.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from fractions import Fraction

import numpy as np
import pandas as pd
from imblearn.over_sampling import SMOTE, SMOTENC, RandomOverSampler
from numpy.typing import NDArray

from engine.base.problems import Problem, Refused
from engine.cohort.model import Attribute, Sample
from engine.cohort.split import take
from engine.messages import say
from engine.models.encoding import is_numeric, numbers, texts

NEIGHBOURS = 5
LARGEST_PART = 40
"""Largest part of the wanted odds: about this many people a group are lost to it at most."""


def balance(
    *,
    sample: Sample,
    attribute: Attribute,
    attributes: Sequence[Attribute],
    features: Sequence[str],
    oversample: bool,
    seed: int,
    words: Mapping[str, str] | None = None,
) -> Sample:
    """Balance one attribute.

    The wanted rate is a fraction near the highest group's, so that whole people can reach it
    exactly. Oversampling makes up favourable people in the other groups (and leaves out a handful
    at random, for the fraction); undersampling leaves out unfavourable people at random. People
    whose group or outcome is unknown stay as they are.

    Raises
    ------
    Refused
        For groups known as probabilities only, for weighted people, and where a group has nobody
        with one outcome.

    Source: paper 001, section 8 (SMOTENC and random undersampling); Chawla et al. (2002).
    """
    if attribute.soft:
        raise _refuse("mitigation.balance_soft", attribute=attribute.name)
    if sample.weight is not None:
        raise _refuse("mitigation.balance_weights")
    assert sample.outcome is not None
    called = [(words or {}).get(g.key, g.key) for g in attribute.groups]
    codes = sample.codes[attribute.name]
    rng = np.random.default_rng([seed, len(sample), int(oversample)])
    cells = {
        (g, y): np.flatnonzero((codes == g) & (sample.outcome == y))
        for g in range(len(attribute.groups))
        for y in (0, 1)
    }
    for (g, y), rows in cells.items():
        if not len(rows):
            which = "a favourable" if y else "an unfavourable"
            group = f"{attribute.name} {called[g]}"
            raise _refuse("mitigation.empty_cell", group=group, which=which)
    smallest = min(len(rows) for rows in cells.values())
    odds = _simple(
        max(Fraction(len(cells[g, 1]), len(cells[g, 0])) for g in range(len(attribute.groups))),
        largest=max(1, min(LARGEST_PART, smallest // 4)),
    )
    good, bad = odds.numerator, odds.denominator
    keep = [np.flatnonzero((codes < 0) | (sample.outcome < 0))]
    targets: dict[int, int] = {}
    for g in range(len(attribute.groups)):
        times = len(cells[g, 0]) // bad
        if not oversample:
            times = min(times, len(cells[g, 1]) // good)
        if not times:
            group = f"{attribute.name} {called[g]}"
            raise _refuse("mitigation.too_few_to_balance", group=group)
        targets[g] = times * good
        for y, wanted in ((0, times * bad), (1, times * good)):
            rows = cells[g, y]
            keep.append(rng.choice(rows, wanted, replace=False) if wanted < len(rows) else rows)
    kept = take(sample, np.sort(np.concatenate(keep)), sample.role)
    if not oversample:
        return kept
    return _with_made_up(kept, attribute, attributes, features, targets, seed)


def _simple(odds: Fraction, largest: int) -> Fraction:
    """The nearest odds whose larger part is at most ``largest``; further ones as 1 to a whole."""
    if odds > 1:
        return 1 / _simple(1 / odds, largest)
    found = odds.limit_denominator(largest)
    return found if found > 0 else Fraction(1, round(1 / odds))


def _refuse(code: str, **fields: object) -> Refused:
    return Refused(Problem("", "", say(code, **fields)))


def _with_made_up(
    sample: Sample,
    attribute: Attribute,
    attributes: Sequence[Attribute],
    features: Sequence[str],
    wanted: Mapping[int, int],
    seed: int,
) -> Sample:
    """Add made-up favourable people until each group has as many as wanted."""
    assert sample.outcome is not None
    codes = sample.codes[attribute.name]
    good = np.flatnonzero((codes >= 0) & (sample.outcome == 1))
    people = sample.frame.iloc[good]
    groups = codes[good].astype(np.int64)
    hard = [a for a in attributes if not a.soft and a.name != attribute.name]
    soft = [a for a in attributes if a.soft]
    columns: list[NDArray[np.float64]] = []
    categorical: list[int] = []
    for name in features:
        if is_numeric(people[name]):
            found = numbers(people[name])
            known = found[np.isfinite(found)]
            middle = float(np.median(known)) if len(known) else 0.0
            columns.append(np.where(np.isfinite(found), found, middle))
        else:
            categorical.append(len(columns))
            columns.append(texts(people[name]).codes.astype(np.float64))
    for a in hard:
        categorical.append(len(columns))
        columns.append(sample.codes[a.name][good].astype(np.float64))
    matrix = np.column_stack(columns)
    counts = np.bincount(groups, minlength=len(attribute.groups))
    targets = {g: n for g, n in wanted.items() if counts[g] < n}
    if not targets:
        return sample
    fewest = min(int(counts[g]) for g in targets)
    state = seed % 2**32
    if fewest < 2 or len(categorical) == len(columns):
        maker = RandomOverSampler(sampling_strategy=targets, random_state=state)
    elif not categorical:
        maker = SMOTE(
            sampling_strategy=targets, random_state=state, k_neighbors=min(NEIGHBOURS, fewest - 1)
        )
    else:
        maker = SMOTENC(
            categorical_features=categorical,
            sampling_strategy=targets,
            random_state=state,
            k_neighbors=min(NEIGHBOURS, fewest - 1),
        )
    made, made_groups = maker.fit_resample(matrix, groups)
    made, made_groups = made[len(matrix) :], np.asarray(made_groups[len(matrix) :])
    new: dict[str, object] = {}
    for place, name in enumerate(features):
        new[name] = _column(people[name], made[:, place])
    frame = pd.concat([sample.frame, pd.DataFrame(new)], ignore_index=True)
    more = len(made)
    made_codes = {attribute.name: made_groups.astype(np.int16)}
    for offset, a in enumerate(hard):
        made_codes[a.name] = np.rint(made[:, len(features) + offset]).astype(np.int16)
    for a in soft:
        made_codes[a.name] = np.full(more, -1, np.int16)
    return dataclasses.replace(
        sample,
        frame=frame,
        outcome=np.concatenate([sample.outcome, np.ones(more, np.int8)]),
        decision=None,
        score=None,
        amount=None,
        ids=None,
        codes={k: np.concatenate([v, made_codes[k]]) for k, v in sample.codes.items()},
        membership={
            k: np.concatenate([v, np.zeros((more, v.shape[1]))])
            for k, v in sample.membership.items()
        },
    )


def _column(like: pd.Series, values: NDArray[np.float64]) -> object:
    """Made-up values in the column's own form: categories, dates or numbers."""
    if pd.api.types.is_datetime64_any_dtype(like.dtype):
        return pd.Timestamp(0, tz=like.dt.tz) + pd.to_timedelta(values, unit="D")
    if is_numeric(like):
        return values
    category = texts(like)
    return pd.Categorical.from_codes(np.rint(values).astype(np.int64), category.categories)
