"""Decisions out of fold: the auditor's own, or those of algorithms fitted here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.base.watch import Watch
from engine.base.wording import count, listed, number
from engine.cohort.model import Cohort
from engine.messages import say
from engine.models.encoding import encode
from engine.models.standin import MODELS
from engine.plan.model import Plan

from .fitting import Fit, Job, Work, fit_all, work_seconds
from .folds import OUTSIDE, strata_of, stratified_sample
from .kept import grid_of
from .people import People

SLOW = 600.0
"""Expected seconds from which an algorithm's time is announced."""


@dataclass
class Decided:
    """Out-of-fold decisions of one algorithm for one attribute, as labels; -1 where there is none."""

    fold: NDArray[np.int16]
    label: NDArray[np.int16]


@dataclass
class Ran:
    """What running gave: decisions by algorithm and attribute, and what is to be told of it."""

    decided: dict[tuple[str, str], Decided] = field(default_factory=dict)
    titles: dict[str, str] = field(default_factory=dict)
    sampled: dict[str, int] = field(default_factory=dict)
    notes: dict[str, list[str]] = field(default_factory=dict)
    marks: dict[str, list[str]] = field(default_factory=dict)
    """A few words an algorithm, for a grid: what is to be known before its answers are read."""
    failed: list[dict[str, Any]] = field(default_factory=list)
    warnings: list[dict[str, Any]] = field(default_factory=list)
    grid: dict[str, str] = field(default_factory=dict)
    """How each fit ended: an algorithm and a letter a fold (:mod:`engine.base.watch`)."""


def supplied(people: People) -> Ran:
    """The auditor's own out-of-fold decisions; nothing is trained."""
    assert people.supplied is not None and people.fold is not None
    ran = Ran()
    name = people.supplied_name or "system"
    ran.titles[name] = name
    for attribute in people.attributes:
        ran.decided[name, attribute.name] = Decided(people.fold, people.supplied)
    return ran


def run(
    people: People,
    cohort: Cohort,
    plan: Plan,
    settings: Mapping[str, Any],
    designs: Mapping[str, Sequence[NDArray[np.int16]]],
    k: int,
    watch: Watch,
) -> Ran:
    """Fit every fold of every algorithm once, and lay the decisions together."""
    watch.say("Turning columns into numbers", fraction=0.0)
    matrix = encode(people.sample.frame, cohort.features)
    models = list(dict.fromkeys(settings["models"]))
    ran = Ran(titles={m: MODELS[m].title for m in models})
    inside = svm_sample(people, settings, plan.seed)
    arrays: list[NDArray[np.int16]] = []
    places: dict[tuple[str, int], int] = {}  # (sampled or not, identity of the design)

    def place_of(design: NDArray[np.int16], model: str) -> int:
        sampled = model == "svm" and inside is not None
        key = ("sample" if sampled else "all", id(design))
        if key not in places:
            places[key] = len(arrays)
            if sampled and inside is not None:
                design = np.where(inside, design, OUTSIDE).astype(np.int16)
            arrays.append(design)
        return places[key]

    wanted: dict[tuple[str, str], list[int]] = {}
    for attribute in people.attributes:
        for model in models:
            wanted[model, attribute.name] = [place_of(d, model) for d in designs[attribute.name]]
    jobs = [
        Job(model, place, int(fold))
        for (model, _), mine in wanted.items()
        for place in dict.fromkeys(mine)
        for fold in np.unique(arrays[place][arrays[place] >= 0])
    ]
    for model in models:
        n = len(people) if model != "svm" or inside is None else int(inside.sum())
        if n < len(people):
            ran.sampled[model] = n
            text = say(
                "crossval.svm_sample", model=MODELS[model].title, n=count(n), of=count(len(people))
            )
            ran.notes.setdefault(model, []).append(text)
            ran.marks.setdefault(model, []).append(say("crossval.mark_sample", n=count(n)))
    work = Work(matrix, people.label, tuple(arrays), plan.seed % 2**32)
    for model in models:
        seconds = sum(work_seconds(work, job) for job in set(jobs) if job.model == model)
        if seconds >= SLOW:
            text = say(
                "crossval.slow" if model == "svm" else "crossval.slow_other",
                model=MODELS[model].title, minutes=number(seconds / 60, digits=0),
            )  # fmt: skip
            watch.say(text, fraction=0.0)
            ran.warnings.append({"code": "crossval.slow", "text": text, "where": "crossval"})
    processes = settings["processes"]
    fits = fit_all(
        work=work,
        jobs=jobs,
        folds=k,
        processes=None if processes is None else int(processes),
        watch=watch.part(0.02, 1.0),
    )
    for (model, name), mine in wanted.items():
        fold = np.full(len(people), OUTSIDE, np.int16)
        label = np.full(len(people), -1, np.int16)
        for place in mine:
            design = arrays[place]
            fold[design >= 0] = design[design >= 0]
            for one in np.unique(design[design >= 0]):
                fit = fits[Job(model, place, int(one))]
                if fit.decided is not None:
                    label[design == one] = fit.decided
        ran.decided[model, name] = Decided(fold, label)
    ran.grid = grid_of(jobs, fits)
    _tell(ran, fits, k)
    return ran


def svm_sample(people: People, settings: Mapping[str, Any], seed: int) -> NDArray[np.bool_] | None:
    """Who is in the sample for the support vector machine; None where everybody is."""
    size = settings["svm_sample"]
    if size is None or int(size) >= len(people):
        return None
    inside = np.zeros(len(people), bool)
    rows = stratified_sample(strata=strata_of(people), size=int(size), seed=seed)
    inside[rows] = True
    return inside


def _folds(numbers: list[int], of: int) -> str:
    """Which folds, in words: ``all folds``, ``fold 4``, ``folds 2 and 3``."""
    if len(numbers) == of:
        return "all folds"
    names = [str(n) for n in dict.fromkeys(numbers)]
    return f"fold{'s' if len(names) > 1 else ''} {listed(names)}"


def _tell(ran: Ran, fits: Mapping[Job, Fit], k: int) -> None:
    """Failures and stops before settling, an algorithm at a time, in words."""
    for model, title in ran.titles.items():
        mine = {job: fit for job, fit in fits.items() if job.model == model}
        stopped = [fit.rounds for fit in mine.values() if fit.rounds]
        if stopped:
            text = say(
                "crossval.not_converged", model=title, n=len(stopped), of=len(mine),
                rounds=max(stopped),
            )  # fmt: skip
            ran.notes.setdefault(model, []).append(text)
            mark = say("crossval.mark_unsettled", n=len(stopped), of=len(mine))
            ran.marks.setdefault(model, []).append(mark)
        reasons: dict[str, list[int]] = {}
        for job, fit in sorted(mine.items(), key=lambda one: (one[0].design, one[0].fold)):
            if fit.decided is None:
                reasons.setdefault(fit.reason, []).append(job.fold + 1)
        lost = sum(map(len, reasons.values()))
        if lost:
            code = "crossval.mark_failed_all" if lost == len(mine) else "crossval.mark_failed"
            ran.marks.setdefault(model, []).append(say(code, n=lost, of=len(mine)))
        for why, failed in reasons.items():
            text = say("crossval.failed", model=title, folds=_folds(failed, len(mine)), why=why)
            ran.notes.setdefault(model, []).append(text)
            ran.failed.append({"model": model, "folds": failed, "why": why})
            ran.warnings.append({"code": "crossval.failed", "text": text, "where": title})
        words = dict.fromkeys(w for fit in mine.values() for w in fit.words)
        for word in list(words)[:3]:
            text = say("crossval.other_warning", model=title, text=word)
            ran.notes.setdefault(model, []).append(text)
