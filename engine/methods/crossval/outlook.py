"""What a run of the tests would be, before anything is trained: people, folds, fits, time."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from engine.base.watch import Watch
from engine.cohort.model import Cohort
from engine.models.encoding import encode
from engine.models.standin import MODELS
from engine.plan.model import Plan

from .fitting import MOST_BY_ITSELF, WORTH_A_PROCESS, expected_seconds
from .folds import advice
from .people import group_sizes, people_of
from .running import svm_sample
from .settings import PER_GROUP


def outlook(
    *, cohort: Cohort, plan: Plan, settings: Mapping[str, Any], watch: Watch
) -> dict[str, Any]:
    """The people, the folds that they can bear, and the fits with their expected time.

    Returns
    -------
    dict
        ``people``; ``k``; ``own_folds``; ``supplied`` (the name of the auditor's own decisions, or
        None: nothing is trained then); ``attributes`` (for each: ``groups`` with ``words``,
        ``people``, ``positives``, ``negatives``; ``unknown``; ``advice`` for k = 2 to 20);
        ``advised`` (the largest k that suits every attribute, or None); ``models`` (for each that
        is asked for: ``title``, ``fits``, ``people``, ``seconds`` of one processor); ``seconds`` of
        the clock, all together.

    Raises
    ------
    Refused
        As a run does.
    """
    watch.check()
    people = people_of(cohort=cohort, plan=plan, settings=settings)
    k = len(people.fold_names) if people.fold is not None else int(settings["k"])
    if people.fold is None and settings["scheme"] != PER_GROUP:
        k = min(k, len(people))
    attributes: dict[str, Any] = {}
    for one in people.attributes:
        watch.check()
        attributes[one.name] = {
            "privileged": one.privileged.key,
            "groups": group_sizes(people, one),
            "unknown": int((people.codes[one.name] < 0).sum()),
            "advice": advice(people=people, attribute=one, fewest=int(settings["fewest"]), k=k),
        }
    models: dict[str, Any] = {}
    if people.supplied is None:
        places = encode(people.sample.frame, cohort.features).shape[1] if cohort.features else 0
        inside = svm_sample(people, settings, plan.seed)
        for model in dict.fromkeys(settings["models"]):
            watch.check()
            sampled = model == "svm" and inside is not None
            n = int(inside.sum()) if sampled and inside is not None else len(people)
            parts = [n]
            if settings["scheme"] == PER_GROUP:
                share = n / max(1, len(people))
                parts = [
                    round(g["people"] * share)
                    for a in attributes.values()
                    for g in a["groups"].values()
                    if g["people"] >= k
                ]
            models[model] = {
                "title": MODELS[model].title,
                "fits": k * len(parts),
                "people": n,
                "sampled": sampled,
                "seconds": k * sum(expected_seconds(model=model, people=p, places=places) for p in parts),
            }  # fmt: skip
    best = [a["advice"]["advised"] for a in attributes.values()]
    return {
        "people": len(people),
        "k": k,
        "own_folds": people.fold is not None,
        "supplied": (people.supplied_name or "system") if people.supplied is not None else None,
        "attributes": attributes,
        "advised": None if None in best else min(best),
        "models": models,
        "seconds": _clock(sum(m["seconds"] for m in models.values()), settings["processes"]),
    }


def _clock(seconds: float, processes: int | None) -> float:
    """Seconds of the clock for seconds of one processor, with the processes that a run takes."""
    cores = os.cpu_count() or 1
    taken = min(cores, MOST_BY_ITSELF) if processes is None else min(cores, int(processes))
    if processes is None and seconds < WORTH_A_PROCESS:
        taken = 1
    return seconds / max(1, taken)
