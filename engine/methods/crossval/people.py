"""Who is tested: people with a known outcome, their groups, and what an algorithm may learn from."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.base.nearest import mend
from engine.base.problems import Problem, Refused
from engine.cohort.labels import crossing_words, words_of
from engine.cohort.model import Attribute, Cohort, Group, Sample
from engine.cohort.split import take
from engine.intake.values import keys_of
from engine.messages import say
from engine.plan.model import Plan

MOST_CLASSES = 20
MOST_CROSSINGS = 64
TIMES = " × "


@dataclass(frozen=True)
class People:
    """The people of the test; arrays have one entry a person with a known outcome.

    Attributes
    ----------
    sample : Sample
    attributes : tuple of Attribute
        The one asked about first, then further ones, then the crossed one.
    codes : mapping of attribute name to int16 array
        Negative where the group is not known or left out: such people train, and are not counted.
    label : int16 array
        What is learnt: an index into ``labels``.
    labels : tuple of str
    favourable : bool array, shape (labels,)
    supplied : int16 array or None
        The system's own decisions, coded as ``label``; -1 where unknown.
    supplied_name : str
    fold : int16 array or None
        The auditor's own folds, 0 to k - 1.
    exclusions : list of dict
    words : mapping of attribute name to mapping of group key to words
        How each group is called where a person reads of it.
    """

    sample: Sample
    attributes: tuple[Attribute, ...]
    codes: Mapping[str, NDArray[np.int16]]
    label: NDArray[np.int16]
    labels: tuple[str, ...]
    favourable: NDArray[np.bool_]
    supplied: NDArray[np.int16] | None
    supplied_name: str
    fold: NDArray[np.int16] | None
    fold_names: tuple[str, ...]
    exclusions: list[dict[str, Any]]
    words: Mapping[str, Mapping[str, str]]

    def __len__(self) -> int:
        return len(self.label)


def people_of(*, cohort: Cohort, plan: Plan, settings: Mapping[str, Any]) -> People:
    """The people whom a plan tests.

    With a column of folds and the system's own decisions, those people; else everybody who was
    received together, else the training people, else the test people.

    Raises
    ------
    Refused
        Where nobody has a known outcome, an attribute is not known as a fact, or the settings
        name what is not there.
    """
    sample, own = _sample(cohort, settings)
    if sample is None or sample.outcome is None or not (sample.outcome >= 0).any():
        raise Refused(Problem("", "outcome", say("crossval.no_outcomes")))
    attributes, parts = _attributes(cohort, settings)
    keep = sample.outcome >= 0
    each = settings["classes"] == "each"
    raw, names = _labels(sample, plan, each)
    keep &= raw >= 0
    exclusions: list[dict[str, Any]] = []
    fold: NDArray[np.int16] | None = None
    fold_names: tuple[str, ...] = ()
    column = settings["fold_column"]
    if column is not None:
        places, told = keys_of(sample.frame[column])
        blank = int((keep & (places < 0)).sum())
        if blank:
            what = say("crossval.blank_fold", column=column)
            why = say("crossval.blank_fold_why")
            exclusions.append({"what": what, "rows": blank, "why": why})
        keep &= places >= 0
        used, fold_long = np.unique(places[keep], return_inverse=True)
        fold, fold_names = fold_long.astype(np.int16), tuple(told[i] for i in used)
        if len(used) < 2 or len(used) > MOST_FOLDS:
            text = say("crossval.fold_count", column=column, n=len(used), most=MOST_FOLDS)
            raise Refused(Problem("", "methods.crossval.fold_column", text))
    rows = np.flatnonzero(keep)
    if len(rows) < 2:
        code = "crossval.one_person" if len(rows) else "crossval.no_outcomes"
        raise Refused(Problem("", "outcome", say(code)))
    kept = sample if len(rows) == len(sample) else take(sample, rows, sample.role)
    supplied: NDArray[np.int16] | None = None
    labels, good = names, np.array([False, True])
    label = raw[rows].astype(np.int16)
    if each:
        labels, label, supplied = _codes_of_classes(kept, plan, own)
        good = np.array([_is_favourable(kept, label, i) for i in range(len(labels))])
    elif own and kept.decision is not None:
        supplied = kept.decision.astype(np.int16)
    name = plan.system.prediction.column if own and plan.system and plan.system.prediction else ""
    return People(
        sample=kept,
        attributes=attributes,
        codes={a.name: _codes(kept, a, parts) for a in attributes},
        label=label,
        labels=labels,
        favourable=good,
        supplied=supplied,
        supplied_name=name,
        fold=fold,
        fold_names=fold_names,
        exclusions=exclusions,
        words={a.name: _words(a, plan, parts) for a in attributes},
    )


MOST_FOLDS = 500


def _sample(cohort: Cohort, settings: Mapping[str, Any]) -> tuple[Sample | None, bool]:
    """The people, and whether the system's own decisions about them are tested."""
    if settings["fold_column"] is not None and cohort.system_kind in ("columns", "model file"):
        decided = cohort.decided
        if decided is not None and settings["fold_column"] in decided.frame:
            return decided, True
    for sample in (cohort.whole, cohort.training, cohort.test):
        if sample is not None and sample.outcome is not None:
            column = settings["fold_column"]
            if column is None or column in sample.frame:
                return sample, False
    return None, False


def _labels(sample: Sample, plan: Plan, each: bool) -> tuple[NDArray[np.int16], tuple[str, ...]]:
    assert sample.outcome is not None
    if not each:
        return sample.outcome.astype(np.int16), ("unfavourable", "favourable")
    if plan.outcome is None or plan.outcome.column not in sample.frame:
        raise Refused(Problem("", "outcome", say("crossval.no_outcomes")))
    codes, names = keys_of(sample.frame[plan.outcome.column])
    used = len(np.unique(codes[(codes >= 0) & (sample.outcome >= 0)]))
    if used > MOST_CLASSES:
        text = say("crossval.many_classes", n=used, most=MOST_CLASSES, column=plan.outcome.column)
        raise Refused(Problem("", "methods.crossval.classes", text))
    return codes.astype(np.int16), tuple(names)


def _codes_of_classes(
    sample: Sample, plan: Plan, own: bool
) -> tuple[tuple[str, ...], NDArray[np.int16], NDArray[np.int16] | None]:
    """The outcome's values, and the system's decisions in the same values."""
    assert plan.outcome is not None
    codes, names = keys_of(sample.frame[plan.outcome.column])
    used = np.unique(codes)
    labels = tuple(names[i] for i in used)
    label = np.searchsorted(used, codes).astype(np.int16)
    prediction = plan.system.prediction if own and plan.system is not None else None
    if prediction is None:
        return labels, label, None
    told, words = keys_of(sample.frame[prediction.column])
    place = {name: i for i, name in enumerate(labels)}
    strange = sorted({words[i] for i in np.unique(told) if i >= 0 and words[i] not in place})
    if strange:
        hint = mend(strange[0], list(labels), otherwise="its values are")
        text = say(
            "crossval.strange_class", value=strange[0], column=plan.outcome.column, mend=hint
        )
        raise Refused(Problem("", "methods.crossval.classes", text))
    lookup = np.array([*(place.get(w, -1) for w in words), -1], np.int16)
    return labels, label, lookup[told]


def _is_favourable(sample: Sample, label: NDArray[np.int16], place: int) -> bool:
    assert sample.outcome is not None
    mine = sample.outcome[label == place]
    return bool(len(mine) and mine[0] == 1)


Parts = Mapping[str, Sequence[Attribute]]
"""The attributes of which the crossed one is made, under its name."""


def _attributes(cohort: Cohort, settings: Mapping[str, Any]) -> tuple[tuple[Attribute, ...], Parts]:
    known = [a.name for a in cohort.attributes]

    def named(key: str) -> list[str]:
        asked = settings[key]
        names = [] if asked is None else [asked] if isinstance(asked, str) else list(asked)
        for name in names:
            if name not in known:
                text = say("crossval.no_attribute", name=name, mend=mend(str(name), known))
                raise Refused(Problem("", f"methods.crossval.{key}", text))
        return list(dict.fromkeys(names))

    first = named("attribute") or known[:1]
    chosen = list(dict.fromkeys([*first, *named("more_attributes")]))
    crossed = named("crossed")
    for name in [*chosen, *crossed]:
        if cohort.attribute(name).soft:
            text = say("crossval.soft", name=name)
            raise Refused(Problem("", "methods.crossval.attribute", text))
    found = [cohort.attribute(name) for name in chosen]
    if crossed:
        if len(crossed) < 2:
            raise Refused(Problem("", "methods.crossval.crossed", say("crossval.cross_two")))
        parts = [cohort.attribute(name) for name in crossed]
        made = _cross(parts, known)
        return (*found, made), {made.name: parts}
    return tuple(found), {}


def _cross(parts: Sequence[Attribute], known: Sequence[str]) -> Attribute:
    """Every crossing of several attributes as groups of one: 2 x 2 x 2 is eight.

    Its name is none of the ``known`` ones.
    """
    crossings = list(itertools.product(*(a.groups for a in parts)))
    if len(crossings) > MOST_CROSSINGS:
        text = say("crossval.many_crossings", n=len(crossings), most=MOST_CROSSINGS)
        raise Refused(Problem("", "methods.crossval.crossed", text))
    groups = tuple(
        Group(
            TIMES.join(f"{a.name}={g.key}" for a, g in zip(parts, one, strict=True)),
            all(g.privileged for g in one),
        )
        for one in crossings
    )
    name = TIMES.join(a.name for a in parts)
    while name in known:
        name += " (crossed)"
    return Attribute(name=name, column=None, groups=groups)


def _words(attribute: Attribute, plan: Plan, parts: Parts) -> dict[str, str]:
    """Each group's printed name; a crossing is named by the names of its parts."""
    if attribute.name not in parts:
        return {
            g.key: words_of(plan=plan, attribute=attribute.name, key=g.key)
            for g in attribute.groups
        }
    mine = parts[attribute.name]
    crossings = itertools.product(*(a.groups for a in mine))
    return {
        group.key: crossing_words(
            plan=plan, groups={a.name: g.key for a, g in zip(mine, one, strict=True)}
        )
        for group, one in zip(attribute.groups, crossings, strict=True)
    }


def _codes(sample: Sample, attribute: Attribute, parts: Parts) -> NDArray[np.int16]:
    if attribute.name not in parts:
        return sample.codes[attribute.name]
    code = np.zeros(len(sample), np.int64)
    known = np.ones(len(sample), bool)
    for part in parts[attribute.name]:
        mine = sample.codes[part.name]
        known &= mine >= 0
        code = code * len(part.groups) + np.maximum(mine, 0)
    return np.where(known, code, -1).astype(np.int16)


def group_sizes(people: People, attribute: Attribute) -> dict[str, Any]:
    """The people of each group by recorded outcome, and how the group is called."""
    good = people.favourable[people.label]
    codes = people.codes[attribute.name]
    return {
        g.key: {
            "words": people.words[attribute.name][g.key],
            "people": int((codes == i).sum()),
            "positives": int((good & (codes == i)).sum()),
            "negatives": int((~good & (codes == i)).sum()),
        }
        for i, g in enumerate(attribute.groups)
    }


def as_two(people: People, values: NDArray[np.int16], place: int | None) -> NDArray[np.int8]:
    """Labels or decisions as 1, 0, -1: the favourable ones, or one value, against the rest."""
    if place is None:
        told = np.append(people.favourable.astype(np.int8), np.int8(-1))
        return told[values]
    return np.where(values < 0, -1, values == place).astype(np.int8)
