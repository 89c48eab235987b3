"""Scenarios side by side: the whole certification table, crossed cells, accuracy, proxies."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

import numpy as np
from sklearn.model_selection import train_test_split

from engine.base.problems import Problem, Refused
from engine.base.watch import Watch
from engine.cohort.labels import words_table
from engine.cohort.model import Attribute, Cohort, Sample
from engine.cohort.split import take
from engine.fairness.counts import kish
from engine.fairness.measure import measure
from engine.fairness.tests import wilson
from engine.messages import say
from engine.methods.base import Computed
from engine.methods.certification.compute import compute as certify
from engine.methods.intersection.compute import compute as cross
from engine.methods.intersection.settings import METHOD as CROSSED
from engine.models.apart import Trainer
from engine.models.standin import MODELS, StandIn
from engine.plan.model import Plan

from .proxies import moved_by, own_columns, told_by
from .scenarios import Played, Scenario, Study, listed_scenarios, play, tie_words
from .tables import tables_of

KEPT = ("groups", "rows", "effective_n", "rate", "ratio", "flag", "as_published")
"""What is kept of a crossing for each scenario."""


def compute(*, cohort: Cohort, plan: Plan, settings: Mapping[str, Any], watch: Watch) -> Computed:
    """Compute the part ``mitigation`` of a result (see the contract for its keys).

    Every scenario trains a stand-in on the training people and lets it decide on the test people;
    metrics, index, score and crossed cells are those of the certification and of the crossed
    groups. It is a study: nothing of it enters the certificate's verdict.

    Source: paper 001, table 1 (balanced cases); paper 003 (reweighing and proxies).
    """
    measured = measure_proxies(
        cohort=cohort, plan=plan, settings=settings, watch=watch.part(0.0, 0.15)
    )
    study, attribute, own, told = measured.study, measured.attribute, measured.own, measured.told
    proxies = _proxies(told, study, settings)
    left_out = tuple(f for f in study.features if f in own or f in proxies)
    scenarios = listed_scenarios(
        wanted=list(settings["scenarios"]),
        attribute=attribute,
        attributes=cohort.attributes,
        each=bool(settings["each_attribute"]),
        left_out=left_out,
    )
    found: list[dict[str, Any]] = []
    model: StandIn | None = None
    with Trainer() as trainer:
        for place, scenario in enumerate(scenarios):
            part = watch.part(
                0.15 + 0.75 * place / len(scenarios), 0.15 + 0.75 * (place + 1) / len(scenarios)
            )
            part.say(f"Scenario {place + 1} of {len(scenarios)}: {scenario.name}", fraction=0.0)
            one, played = _scenario(scenario, study, cohort, plan, trainer, part)
            found.append(one)
            if scenario.change == "none" and played is not None:
                model = played.model
    moves = None
    if model is not None:
        moves = moved_by(
            model=model, frame=study.test.frame, seed=plan.seed, watch=watch.part(0.9, 1.0)
        )
    result: dict[str, Any] = {
        "attribute": attribute.name,
        "order": [a.name for a in cohort.attributes],
        "words": study.words,
        "model": study.model,
        "model_title": MODELS[study.model].title,
        "of_the_plan": cohort.system_kind == "stand-in",
        "target_rate": study.target_rate,
        "training_rows": len(study.training),
        "test_rows": len(study.test),
        "scenarios": found,
        "proxies": {
            "features": [
                {
                    "feature": f,
                    "auc": told["features"].get(f),
                    "moves": None if moves is None else moves.get(f),
                    "own": f in own,
                    "proxy": f in proxies,
                }
                for f in study.features
            ],
            "together": told["together"],
            "reason": told["reason"],
            "people": told["people"],
            "from": float(settings["proxy_from"]),
            "left_out": list(left_out),
        },
        "note": say("mitigation.study"),
    }
    warnings = [{"code": "mitigation.study", "text": say("mitigation.study"), "where": "scenarios"}]
    return Computed(result=result, tables=tables_of(result), warnings=tuple(warnings))


@dataclasses.dataclass(frozen=True)
class Measured:
    """Which features tell an attribute, and on whom that was found; ``told`` as :func:`told_by`."""

    attribute: Attribute
    study: Study
    own: tuple[str, ...]
    told: Mapping[str, Any]


def measure_proxies(
    *, cohort: Cohort, plan: Plan, settings: Mapping[str, Any], watch: Watch
) -> Measured:
    """Find which features tell the attribute, before any scenario is played.

    Raises
    ------
    Refused
        As :func:`study_of`.
    """
    attribute = cohort.attribute(settings.get("attribute"))
    study = study_of(cohort=cohort, plan=plan, settings=settings)
    membership = next((p.membership or {} for p in plan.protected if p.name == attribute.name), {})
    own = own_columns(attribute, tuple(membership.values()))
    told = told_by(
        attribute=attribute,
        sample=study.training,
        features=study.features,
        own=own,
        folds=int(settings["folds"]),
        seed=plan.seed,
        watch=watch,
    )
    return Measured(attribute, study, own, told)


def study_of(*, cohort: Cohort, plan: Plan, settings: Mapping[str, Any]) -> Study:
    """What is trained on whom: the plan's own split, or one made here of ``all``.

    Raises
    ------
    Refused
        Where there is nobody to train on, or nobody to decide on.
    """
    training, test = cohort.training, cohort.test
    if (training is None or test is None) and cohort.whole is not None:
        training, test = _split(cohort.whole, plan)
    if training is None or training.outcome is None:
        raise Refused(Problem("", "", say("mitigation.no_training")))
    if test is None or test.outcome is None:
        raise Refused(Problem("", "", say("mitigation.no_test")))
    train = plan.system.train if plan.system is not None else None
    model = str(settings["model"])
    parameters: Mapping[str, Any] = {}
    if model == "auto":
        model = str((train or {}).get("model") or "random_forest")
        parameters = dict((train or {}).get("parameters") or {})
    both = set(training.frame.columns) & set(test.frame.columns)
    return Study(
        training=dataclasses.replace(training, decision=None, score=None),
        test=test,
        attributes=cohort.attributes,
        features=tuple(f for f in cohort.features if f in both),
        model=model,
        parameters=parameters,
        seed=plan.seed,
        target_rate=None if settings["target_rate"] is None else float(settings["target_rate"]),
        words=words_table(plan=plan, attributes=cohort.attributes),
    )


def _split(whole: Sample, plan: Plan) -> tuple[Sample | None, Sample | None]:
    if whole.outcome is None:
        return None, None
    known = np.flatnonzero(whole.outcome >= 0)
    counts = np.bincount(whole.outcome[known], minlength=2)
    if len(known) * plan.data.test_share < 2:
        raise Refused(Problem("", "", say("mitigation.few_to_split", n=len(known))))
    training, test = train_test_split(
        known,
        test_size=plan.data.test_share,
        random_state=plan.seed % 2**32,
        # one outcome alone cannot be divided evenly: each scenario then says why it has no numbers
        stratify=whole.outcome[known] if plan.data.stratify and counts.min() >= 2 else None,
    )
    return take(whole, np.sort(training), "training"), take(whole, np.sort(test), "test")


def _proxies(told: Mapping[str, Any], study: Study, settings: Mapping[str, Any]) -> list[str]:
    asked = settings["proxies"]
    if asked is None:
        least = float(settings["proxy_from"])
        return [f for f, auc in told["features"].items() if auc is not None and auc >= least]
    wanted = [asked] if isinstance(asked, str) else list(asked)
    for name in wanted:
        if name not in study.features:
            text = say("mitigation.no_feature", name=name)
            raise Refused(Problem("", "methods.mitigation.proxies", text))
    return wanted


def _scenario(
    scenario: Scenario, study: Study, cohort: Cohort, plan: Plan, trainer: Trainer, watch: Watch
) -> tuple[dict[str, Any], Played | None]:
    """A scenario's numbers, or the sentence why it has none."""
    one: dict[str, Any] = {
        "name": scenario.name,
        "change": scenario.change,
        "attribute": scenario.attribute.name,
        "reason": "",
    }
    try:
        played = play(
            scenario=scenario, study=study, cohort=cohort, trainer=trainer,
            watch=watch.part(0.0, 0.7),
        )  # fmt: skip
    except Refused as refused:
        reason = "; ".join(p.text for p in refused.problems)
        if not reason.startswith(tuple(a.name for a in cohort.attributes)):
            reason = reason[:1].upper() + reason[1:]
        reason += "" if reason.endswith(".") else "."
        empty = measure(None, verdict="not computable", reason=reason)
        names = [a.name for a in cohort.attributes]
        one |= {
            "reason": reason,
            "training": None,
            "attributes": {},
            "bias_index": dict.fromkeys(names, empty),
            "fairness_score": empty,
            "accuracy": measure(None, reason=reason),
            "selection_rate": None,
            "cells": {},
            "reference": None,
            "notes": [],
        }
        return one, None
    part = certify(cohort=played.cohort, plan=plan, settings={}, watch=watch.part(0.7, 0.85)).result
    asked = {**CROSSED.defaults(), **plan.methods.get("intersection", {})}
    crossed = cross(
        cohort=played.cohort, plan=plan, settings=asked, watch=watch.part(0.85, 1.0)
    ).result
    notes = [
        *played.model.warnings,
        tie_words(played.deciding, study.words[scenario.attribute.name]),
    ]
    one |= {
        "training": played.training,
        "deciding": played.deciding,
        "attributes": {
            name: {
                "metrics": a["metrics"],
                "bias_index": a["bias_index"],
                "groups": {key: {"counts": g["counts"]} for key, g in a["groups"].items()},
            }
            for name, a in part["attributes"].items()
        },
        "bias_index": {name: a["bias_index"] for name, a in part["attributes"].items()},
        "fairness_score": part["fairness_score"],
        "accuracy": _accuracy(played, plan),
        "selection_rate": _selected(played),
        "cells": {key: {k: c[k] for k in KEPT} for key, c in crossed["cells"].items()},
        "reference": crossed["reference"],
        "notes": [n for n in notes if n],
    }
    return one, played


def _accuracy(played: Played, plan: Plan) -> dict[str, Any]:
    """The share of test people whose decision agrees with the outcome, with Wilson's interval."""
    test = played.cohort.test
    assert test is not None and test.outcome is not None and test.decision is not None
    use = (test.outcome >= 0) & (test.decision >= 0)
    mass = np.ones(int(use.sum())) if test.weight is None else test.weight[use]
    total = float(mass.sum())
    if total <= 0:
        return measure(None, reason=say("mitigation.nobody_to_judge"))
    value = float(mass[test.outcome[use] == test.decision[use]].sum() / total)
    size = kish(total, float((mass**2).sum()))
    ends = wilson(favourable=value * size, n=size, confidence=plan.confidence)
    low, high = ends if ends is not None else (None, None)
    return measure(value, low, high, None, "", int(use.sum()), 0)


def _selected(played: Played) -> float | None:
    test = played.cohort.test
    assert test is not None and test.decision is not None
    use = test.decision >= 0
    mass = np.ones(int(use.sum())) if test.weight is None else test.weight[use]
    return float(mass[test.decision[use] == 1].sum() / mass.sum()) if mass.sum() > 0 else None
