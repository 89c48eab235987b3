"""Cross-validated tests: decisions out of fold to fold tests, pooled tests and answers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from engine.base.watch import Watch
from engine.base.wording import count
from engine.cohort.model import Attribute, Cohort
from engine.messages import say
from engine.methods.base import Computed
from engine.plan.model import Plan

from .answers import adjust, answer, define
from .folds import advice, designs_of, smallest
from .people import People, group_sizes, people_of
from .running import Decided, run, supplied
from .settings import PER_GROUP
from .tables import tables_of
from .testing import tested


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
        ran = supplied(people)
    else:
        ran = run(people, cohort, plan, settings, designs, k, watch.part(0.02, 0.85))
    watch.say("Testing out-of-fold decisions", fraction=0.85)
    attributes: dict[str, Any] = {}
    entries: list[dict[str, Any]] = []
    rows: list[dict[str, Any]] = []
    for attribute in people.attributes:
        models = {}
        for model in ran.titles:
            decided = ran.decided[model, attribute.name]
            watch.check()
            one, mine = tested(people, attribute, decided, k, plan, settings, model, None)
            rows += mine
            entries.append(one)
            one |= {
                "title": ran.titles[model],
                "people": int(((decided.fold >= 0) & (decided.label >= 0)).sum()),
                "sampled": ran.sampled.get(model),
                "notes": list(ran.notes.get(model, [])),
                "marks": list(ran.marks.get(model, [])),
            }
            if told := _constant(people, decided, ran.titles[model]):
                one["notes"].append(told)
                one["marks"].append(say("crossval.mark_constant"))
            if settings["classes"] == "each":
                classes = {}
                for place, name in enumerate(people.labels):
                    part, _ = tested(people, attribute, decided, k, plan, settings, model, place)
                    classes[name] = part
                    entries.append(part)
                one["classes"] = classes
                one["confusion"] = _confusion(people, attribute, decided)
            models[model] = one
        attributes[attribute.name] = {
            "privileged": attribute.privileged.key,
            "groups": group_sizes(people, attribute),
            "unknown": int((people.codes[attribute.name] < 0).sum()),
            "advice": advice(
                people=people, attribute=attribute, fewest=int(settings["fewest"]), k=k
            ),
            "models": models,
        }
        if settings["scheme"] != PER_GROUP:
            fold = designs[attribute.name][0]
            attributes[attribute.name]["smallest_fold"] = smallest(
                people=people, attribute=attribute, fold=fold, k=k
            )
    level = float(settings["level"])
    family = adjust(entries, level=level)
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
        "order": {
            "attributes": [a.name for a in people.attributes],
            "models": list(ran.titles),
            "groups": {a.name: [g.key for g in a.groups] for a in people.attributes},
        },
        "failed": ran.failed,
        "fits": ran.grid or None,
        "table": "tables/folds.csv",
    }
    warnings = [*ran.warnings, *_warnings(people, result, settings)]
    return Computed(
        result=result,
        tables=tables_of(result, rows),
        warnings=tuple(warnings),
        exclusions=tuple(people.exclusions),
    )


def _constant(people: People, decided: Decided, title: str) -> str:
    """What is to be said where all decisions are the same; else nothing."""
    known = decided.label[decided.label >= 0]
    if not len(known) or (known != known[0]).any():
        return ""
    what = people.labels[int(known[0])]
    return say("crossval.constant", model=title, what=what, n=count(len(known)))


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
    people: People, result: Mapping[str, Any], settings: Mapping[str, Any]
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
        for group in one["groups"].values():
            if settings["scheme"] == PER_GROUP and group["people"] < result["k"]:
                warn(
                    "too_small",
                    name,
                    group=f"{name} {group['words']}",
                    n=group["people"],
                    k=result["k"],
                )
        tips = one["advice"]
        if tips["advised"] is None:
            found.append({"code": "crossval.no_k", "text": tips["reason"], "where": name})
        elif result["k"] > tips["advised"] and not people.fold_names:
            warn("large_k", name, k=result["k"], advised=tips["advised"], fewest=tips["fewest"])
        least = one.get("smallest_fold")
        advised = tips["advised"] is not None and result["k"] <= tips["advised"]
        if least and advised and 0 < least["people"] < tips["fewest"]:
            group = f"{name} {one['groups'][least['group']]['words']}"
            warn(
                "short", name, group=group, n=least["people"], outcome=least["outcome"],
                k=result["k"], fewest=tips["fewest"],
            )  # fmt: skip
        bare: dict[tuple[str, str], int] = {}
        for model in one["models"].values():
            for b in model["bare_folds"]:
                key_word = (b["group"], b["outcome"])
                bare[key_word] = max(bare.get(key_word, 0), len(b["folds"]))
        for (key, word), n in bare.items():
            warn(
                "bare",
                name,
                group=f"{name} {one['groups'][key]['words']}",
                outcome=word,
                n=n,
                k=result["k"],
            )
    return found
