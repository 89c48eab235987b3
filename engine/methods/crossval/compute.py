"""Cross-validated tests: decisions out of fold to fold tests, pooled tests and answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.base.watch import Watch
from engine.base.wording import count, listed, number
from engine.cohort.model import Attribute, Cohort
from engine.fairness.counts import count_table
from engine.fairness.intervals import generator
from engine.fairness.tests import wilson
from engine.messages import say
from engine.methods.base import Computed
from engine.models.encoding import encode
from engine.models.standin import MODELS
from engine.plan.model import Plan

from .answers import adjust, answer, define
from .fitting import Fit, Job, Work, expected_seconds, fit_all
from .folds import OUTSIDE, advice, bare_folds, designs_of, strata_of, stratified_sample
from .foldtests import (
    anova,
    equivalence_t,
    friedman,
    independent_t,
    kruskal,
    paired_t,
    rates_of,
)
from .people import People, as_two, people_of
from .pooled import pooled
from .settings import ALGORITHM, PER_GROUP
from .tables import tables_of

Floats = NDArray[np.float64]
VALUES = ("TPR", "FPR", "FN_FP")
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
    failed: list[dict[str, Any]] = field(default_factory=list)
    warnings: list[dict[str, Any]] = field(default_factory=list)


def compute(*, cohort: Cohort, plan: Plan, settings: Mapping[str, Any], watch: Watch) -> Computed:
    """Compute the part ``crossval`` of a result (see the contract for its keys).

    Differences are privileged less unprivileged, as equal opportunity difference is in paper 001.

    Source: paper 002 for the fold tests and the four definitions; ``methods.md`` part B for the
    pooled test, the corrections and the three answers.
    """
    watch.say("Laying people into folds", fraction=0.0)
    people = people_of(cohort=cohort, plan=plan, settings=settings)
    designs, k, stratified = designs_of(people=people, settings=settings, seed=plan.seed)
    if people.supplied is not None:
        ran = _supplied(people)
    else:
        ran = _run(people, cohort, plan, settings, designs, k, watch.part(0.02, 0.85))
    watch.say("Testing out-of-fold decisions", fraction=0.85)
    attributes: dict[str, Any] = {}
    entries: list[dict[str, Any]] = []
    rows: list[dict[str, Any]] = []
    for attribute in people.attributes:
        models = {}
        for model in ran.titles:
            decided = ran.decided[model, attribute.name]
            watch.check()
            one, mine = _model(people, attribute, decided, k, plan, settings, model, None)
            rows += mine
            entries.append(one)
            one |= {
                "title": ran.titles[model],
                "people": int(((decided.fold >= 0) & (decided.label >= 0)).sum()),
                "sampled": ran.sampled.get(model),
                "notes": ran.notes.get(model, []) + _constant(people, decided),
            }
            if settings["classes"] == "each":
                classes = {}
                for place, name in enumerate(people.labels):
                    part, _ = _model(people, attribute, decided, k, plan, settings, model, place)
                    classes[name] = part
                    entries.append(part)
                one["classes"] = classes
                one["confusion"] = _confusion(people, attribute, decided)
            models[model] = one
        attributes[attribute.name] = {
            "privileged": attribute.privileged.key,
            "groups": _group_sizes(people, attribute),
            "unknown": int((people.codes[attribute.name] < 0).sum()),
            "advice": advice(
                people=people, attribute=attribute, fewest=int(settings["fewest"]), k=k
            ),
            "models": models,
        }
    family = adjust(entries)
    level = float(settings["level"])
    for entry in entries:
        entry["definitions"] = define(entry, level=level)
        for one in entry["pooled"].values():
            one["answer"] = answer(one, level=level)
    main = people.attributes[0]
    result: dict[str, Any] = {
        "k": k,
        "scheme": settings["scheme"],
        "question": settings["question"],
        "stratified": stratified,
        "own_folds": people.fold is not None,
        "own_decisions": people.supplied is not None,
        "sample": people.sample.role,
        "people": len(people),
        "attribute": main.name,
        "level": level,
        "family": family,
        "fold_names": list(people.fold_names),
        "labels": list(people.labels) if settings["classes"] == "each" else None,
        "models": attributes[main.name]["models"],
        "advice": attributes[main.name]["advice"],
        "attributes": attributes,
        "failed": ran.failed,
        "table": "tables/folds.csv",
    }
    warnings = [*ran.warnings, *_warnings(people, result, settings, plan)]
    return Computed(
        result=result,
        tables=tables_of(result, rows),
        warnings=tuple(warnings),
        exclusions=tuple(people.exclusions),
    )


def _supplied(people: People) -> Ran:
    """The auditor's own out-of-fold decisions; nothing is trained."""
    assert people.supplied is not None and people.fold is not None
    ran = Ran()
    name = people.supplied_name or "system"
    ran.titles[name] = name
    for attribute in people.attributes:
        ran.decided[name, attribute.name] = Decided(people.fold, people.supplied)
    return ran


def _run(
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
    inside = _svm_sample(people, settings, plan.seed)
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
            text = say("crossval.svm_sample", n=count(n), of=count(len(people)))
            ran.notes.setdefault(model, []).append(text)
        seconds = expected_seconds(model=model, people=n, places=matrix.shape[1])
        seconds *= len([j for j in set(jobs) if j.model == model])
        if seconds >= SLOW:
            text = say(
                "crossval.slow", model=MODELS[model].title, minutes=number(seconds / 60, digits=0)
            )
            watch.say(text, fraction=0.0)
            ran.warnings.append({"code": "crossval.slow", "text": text, "where": "crossval"})
    work = Work(matrix, people.label, tuple(arrays), plan.seed % 2**32)
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
    _tell(ran, fits, k)
    return ran


def _svm_sample(people: People, settings: Mapping[str, Any], seed: int) -> NDArray[np.bool_] | None:
    size = settings["svm_sample"]
    if size is None or int(size) >= len(people):
        return None
    inside = np.zeros(len(people), bool)
    rows = stratified_sample(strata=strata_of(people), size=int(size), seed=seed)
    inside[rows] = True
    return inside


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
        reasons: dict[str, list[int]] = {}
        for job, fit in sorted(mine.items(), key=lambda one: (one[0].design, one[0].fold)):
            if fit.decided is None:
                reasons.setdefault(fit.reason, []).append(job.fold + 1)
        for why, failed in reasons.items():
            names = "all" if len(failed) == len(mine) else listed([str(f) for f in failed])
            text = say("crossval.failed", model=title, folds=names, why=why)
            ran.notes.setdefault(model, []).append(text)
            ran.failed.append({"model": model, "folds": failed, "why": why})
            ran.warnings.append({"code": "crossval.failed", "text": text, "where": title})
        words = dict.fromkeys(w for fit in mine.values() for w in fit.words)
        for word in list(words)[:3]:
            text = say("crossval.other_warning", model=title, text=word)
            ran.notes.setdefault(model, []).append(text)


def _model(
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


def _group_sizes(people: People, attribute: Attribute) -> dict[str, Any]:
    good = people.favourable[people.label]
    codes = people.codes[attribute.name]
    return {
        g.key: {
            "people": int((codes == i).sum()),
            "positives": int((good & (codes == i)).sum()),
            "negatives": int((~good & (codes == i)).sum()),
        }
        for i, g in enumerate(attribute.groups)
    }


def _constant(people: People, decided: Decided) -> list[str]:
    known = decided.label[decided.label >= 0]
    if len(known) and (known == known[0]).all():
        return [say("crossval.constant", what=people.labels[int(known[0])], n=count(len(known)))]
    return []


def _confusion(people: People, attribute: Attribute, decided: Decided) -> dict[str, Any]:
    """For each group the people by recorded outcome (rows) and decision (columns)."""
    codes = people.codes[attribute.name]
    size = len(people.labels)
    found = {}
    for i, group in enumerate(attribute.groups):
        mine = (codes == i) & (decided.label >= 0)
        index = people.label[mine].astype(np.int64) * size + decided.label[mine]
        found[group.key] = np.bincount(index, minlength=size * size).reshape(size, size).tolist()
    return found


def _warnings(
    people: People, result: Mapping[str, Any], settings: Mapping[str, Any], plan: Plan
) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []

    def warn(code: str, where: str, **fields: Any) -> None:
        text = say(f"crossval.{code}", **fields)
        found.append({"code": f"crossval.{code}", "text": text, "where": where})

    if settings["scheme"] == PER_GROUP:
        warn("per_group", "crossval")
    if people.sample.weight is not None:
        warn("weights", "crossval")
    for name, one in result["attributes"].items():
        if one["unknown"]:
            warn("unknown_group", name, n=count(one["unknown"]), attribute=name)
        for key, group in one["groups"].items():
            if settings["scheme"] == PER_GROUP and group["people"] < result["k"]:
                warn("too_small", name, group=f"{name} {key}", n=group["people"], k=result["k"])
        tips = one["advice"]
        if tips["advised"] is None:
            found.append({"code": "crossval.no_k", "text": tips["reason"], "where": name})
        elif result["k"] > tips["advised"] and not people.fold_names:
            warn("large_k", name, k=result["k"], advised=tips["advised"], fewest=tips["fewest"])
        bare: dict[tuple[str, str], int] = {}
        for model in one["models"].values():
            for b in model["bare_folds"]:
                key_word = (b["group"], b["outcome"])
                bare[key_word] = max(bare.get(key_word, 0), len(b["folds"]))
        for (key, word), n in bare.items():
            warn("bare", name, group=f"{name} {key}", outcome=word, n=n, k=result["k"])
    return found
